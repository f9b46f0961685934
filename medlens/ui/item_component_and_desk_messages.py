"""Surfaces: components that draw an item and report each action to its desk in one message.

A message reaches the desk in one of two ways. The served app has an address for each desk: saving
there runs no part of the page, which would cost several times as much as the save. The other way is
Streamlit's, the component's state: its callback, then a run. The browser uses it if the first fails
or does not exist (``streamlit run``, another process behind a balancer), and if more of the page
than the surface must be redrawn. A message that arrives both ways is handled once.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from medlens.errors import InvalidInput, MedLensError
from medlens.telemetry import logs
from medlens.ui import session_people_and_sign_in_validity
from medlens.ui.browser_component import Component
from medlens.ui.streamlit_internals import exists, get_instance
from medlens.ui.task_share_and_desk_message_receiver import MessageReceiver, TaskShare
from medlens.ui.upload_endpoint import UploadedFilesOnDisk

ROUTE = "/medlens/desk/"
_LARGEST = 4 * 2**20
"""Bytes of a message; a longer one goes Streamlit's way, which has its own limit."""
_READ_SECONDS = 30.0
"""How long a message may take to arrive."""


class MessageAddress:
    """One desk's address for messages: an unguessable name, for one session's person."""

    def __init__(self, desk: MessageReceiver | TaskShare) -> None:
        self.name = secrets.token_urlsafe(24)
        self.session, self.rater = (
            session_people_and_sign_in_validity.id_of_current_session(),
            desk.rater.id,
        )
        self._desk = desk
        self._numbers = itertools.count(1)
        self._drawn: str | None = None
        self._practised = 0
        self._data: Callable[[], Mapping[str, Any]] = dict
        self._hear: Callable[[Any], None] = lambda said: None
        self._whole = False
        self._beside: Callable[[], object] = lambda: None
        self._seen: object = None

    def register_and_return_page_data(
        self,
        data: Callable[[], Mapping[str, Any]],
        hear: Callable[[Any], None],
        *,
        whole: bool,
        beside: Callable[[], object] = lambda: None,
    ) -> dict[str, Any]:
        """The data the page sends; from now on ``handle_message_and_return_data`` gives the
        same."""
        self._data, self._hear, self._whole, self._beside = data, hear, whole, beside
        with self._desk.turn:
            self._drawn, self._practised = self._desk.item, self._desk.count_of_practice_items_done
            self._seen = beside()
            return self._told()

    def handle_message_and_return_data(self, said: Any) -> dict[str, Any]:
        """Handle a message, and return the surface's new data. ``over``: the page must be rerun."""
        with self._desk.turn:
            self._hear(said)
            item = self._desk.item
            if self._beside() != self._seen:
                return {"way": self._way(), "over": True}
            over = item is None or (item != self._drawn and not self._whole)
            over = over or self._desk.count_of_practice_items_done != self._practised
            return {**self._told(), "over": over}

    def _told(self) -> dict[str, Any]:
        shown = self._data() if self._whole or self._desk.item is not None else {}
        return {**shown, "way": self._way()}

    def _way(self) -> dict[str, Any]:
        # Numbered under the desk's lock, so that a lower number is always older.
        return {"address": self.name, "number": next(self._numbers)}


_addresses: WeakValueDictionary[str, MessageAddress] = WeakValueDictionary()


class ItemSurface(Component):
    """A component whose messages ``parse`` checks (``InvalidInput`` for an invalid one)."""

    def __init__(self, name: str, *, js: str, css: str, parse: Callable[[object], Any]) -> None:
        super().__init__(name, js=js, css=css)
        self._parse = parse

    def draw_item_and_pass_messages_to_desk(
        self,
        desk: MessageReceiver | TaskShare,
        data: Callable[[], Mapping[str, Any]],
        *,
        key: str,
        whole: bool = False,
        take: Callable[[Any], None] | None = None,
        beside: Callable[[], object] = lambda: None,
    ) -> None:
        """Draw the item on the desk, and pass the browser's messages to the desk, or to ``take``.

        ``data`` makes the browser's data, with the answer to the last message. ``whole``: nothing
        else on the page depends on the item, so that a new item needs no run of the page.
        ``beside``: what else on the page shows; once it differs, the page is run before anything is
        shown. The browser repeats a message with the same token until it is answered.
        """

        def hear(said: Any) -> None:
            if take is None:
                assert isinstance(desk, MessageReceiver)
                self._hear(
                    said,
                    desk.carry_out_message_and_set_acknowledgement,
                    desk.answer_invalid_message,
                )
            else:
                self._hear(said, take)

        # Under `streamlit run` there is no such address, and no way to check who sends.
        if exists() and isinstance(get_instance().uploaded_file_mgr, UploadedFilesOnDisk):
            if desk.address is None:
                desk.address = MessageAddress(desk)
                _addresses[desk.address.name] = desk.address
            self._mount_it(
                desk.address.register_and_return_page_data(data, hear, whole=whole, beside=beside),
                key,
                hear,
            )
        else:
            self._mount_it(data(), key, hear)

    def draw_item_without_desk(
        self,
        data: Mapping[str, Any],
        *,
        key: str,
        on_message: Callable[[Any], None],
        on_refused: Callable[[str, InvalidInput], None] = lambda token, error: None,
    ) -> None:
        """Draw an item that is on no desk; ``on_refused`` gets the token of an invalid message."""
        self._mount_it(data, key, lambda said: self._hear(said, on_message, on_refused))

    def _mount_it(self, data: Mapping[str, Any], key: str, hear: Callable[[Any], None]) -> None:
        def changed() -> None:
            state = st.session_state.get(key)
            said = state.get("out") if state else None
            # ``run`` only asks for a run of the page, after the desk's address has answered.
            if said is not None and not (isinstance(said, Mapping) and "run" in said):
                hear(said)

        self(key=key, data=data, on_out_change=changed)

    def _hear(
        self,
        said: Any,
        take: Callable[[Any], None],
        refuse: Callable[[str, InvalidInput], None] = lambda token, error: None,
    ) -> None:
        try:
            message = self._parse(said)
        except InvalidInput as error:
            # Answer anyway, or the browser reports that the server does not answer.
            token = said.get("token") if isinstance(said, Mapping) else None
            refuse(str(token), error)
            return
        take(message)


async def handle_desk_message(scope: Scope, receive: Receive, send: Send, browser: str) -> None:
    """Handle a message from ``browser`` to a desk's address; answer with what to draw."""
    request = Request(scope, receive)
    name = request.url.path.removeprefix(ROUTE)
    # Nothing is read from those who have no desk here.
    response = await asyncio.to_thread(_refusal, name, browser)
    if response is None:
        try:
            content = await asyncio.wait_for(_content(request), _READ_SECONDS)
        except ClientDisconnect:
            return
        except TimeoutError:
            response = PlainTextResponse("The message took too long to arrive.", 408)
        else:
            if content is None:
                response = PlainTextResponse("This is not a valid message to a desk.", 400)
            else:
                response = await asyncio.to_thread(_answer, name, content, browser)
    await response(scope, receive, send)


async def _content(request: Request) -> bytes | None:
    """The body; None if none of our pages would send it, or if it is too long."""
    # A form on another site cannot send this type, and a script needs permission first.
    if request.method != "POST" or request.headers.get("content-type") != "application/json":
        return None
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > _LARGEST:
            return None
    return bytes(content)


def _refusal(name: str, browser: str) -> Response | None:
    """The answer to a browser that may not send to this address; None if it may."""
    found = _seated(name, browser)
    return found if isinstance(found, Response) else None


def _seated(
    name: str, browser: str
) -> tuple[MessageAddress, session_people_and_sign_in_validity.Seat] | Response:
    """The address and the seat of the browser that sends to it, else a refusal."""
    address = _addresses.get(name)
    try:
        seat = (
            session_people_and_sign_in_validity.who_is_in_session_of_browser(
                address.session, browser
            )
            if address
            else None
        )
    except MedLensError:
        return PlainTextResponse("The store does not answer.", 503)
    if address is None or seat is None or seat.rater != address.rater:
        return PlainTextResponse("This desk is not open here.", 404)
    return address, seat


def _answer(name: str, content: bytes, browser: str) -> Response:
    # Checked again: the seat may have been left while the message arrived.
    found = _seated(name, browser)
    if isinstance(found, Response):
        return found
    address, seat = found
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return PlainTextResponse("This is not a valid message to a desk.", 400)
    with logs.tag_logs_with_request(seat.rater):
        told = json.dumps(address.handle_message_and_return_data(said), ensure_ascii=False).encode(
            errors="replace"
        )
    return Response(told, media_type="application/json", headers={"Cache-Control": "no-store"})
