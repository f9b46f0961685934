"""A browser session without a browser: Streamlit's websocket protocol, spoken as the tagger does,
and the address that its desk has for messages.

It signs in as the tab component would, takes what the server sends apart, and keeps account of
every write: what was sent, and what the server acknowledged.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from medlens.store import new_id
from tests.bench.material import words_of

# Labels that need no link, in turn.
LABELS = (
    "non_medical_factual_error",
    "sticking_with_wrong_diagnosis",
    "incorrect_or_vague_conclusion",
    "hallucination_of_information",
)


class SessionFailed(Exception):
    """The server did not do what a session asked of it, in time or at all."""


@dataclass
class Write:
    """One save: ``revision`` is the draft's, 0 as long as the server has not acknowledged it."""

    token: str
    rater: str
    item: str
    base: int
    action: str
    body: dict[str, Any]
    revision: int = 0
    attempt: int = 1


@dataclass(frozen=True)
class _Mounted:
    """A component on the page: its widget id, its fragment, its data."""

    id: str
    fragment: str
    data: dict[str, Any]


@dataclass
class Session:
    """One person's tab on the tagging page. ``writes`` lasts through reconnections."""

    url: str
    rater: str
    page: str = "Tag_errors"
    query: str = ""
    surface: str = "span_tagger"
    patience: float = 30.0
    writes: list[Write] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    tagger: _Mounted | None = None
    runs: int = 0  # of the page, in this connection

    def __post_init__(self) -> None:
        self._body: dict[str, Any] = {"spans": [], "comment": ""}
        self._socket: Any = None
        self._cookie = ""
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._closed = False

    # -- connecting ------------------------------------------------------------------------------

    async def connect(self) -> None:
        """Open the connection and run the page once.

        Raises:
            SessionFailed: the run did not end in time, or the page raised something.
        """
        self._tab: _Mounted | None = None
        self.tagger, self._states, self._page_hash = None, {}, ""
        self._heard, self._closed, self.runs = asyncio.Event(), False, 0
        parts = urlsplit(self.url)
        self._cookie = await self._first_cookie()
        self._socket = await websockets.connect(
            f"ws://{parts.netloc}/_stcore/stream",
            subprotocols=["streamlit"],
            max_size=None,
            compression=None,
            additional_headers={"Cookie": self._cookie} if self._cookie else None,
            origin=self.url,
            open_timeout=self.patience,
            ping_interval=None,
        )
        self._reader = asyncio.create_task(self._read())
        await self._send(page=self.page)
        await self._until(lambda: self.runs, "the page did not run")

    async def open(self) -> float:
        """Connect, sign in, and wait until an item lies on the desk; returns the seconds.

        Raises:
            SessionFailed: no item in time, or an error on the page.
        """
        begun = time.perf_counter()
        await self.connect()
        if self._tab is None:
            raise SessionFailed("the page did not ask who is there")
        self._states[self._tab.id] = {"tab": self.rater}
        await self._send(fragment=self._tab.fragment)
        await self._until(lambda: self._on_the_desk, "no item came")
        self._take_up()
        return time.perf_counter() - begun

    async def open_page(self) -> float:
        """Connect, sign in, and wait until the page has run to its end; returns the seconds.

        Raises:
            SessionFailed: it did not in time, or an error on the page.
        """
        begun = time.perf_counter()
        await self.connect()
        if self._tab is None:
            raise SessionFailed("the page did not ask who is there")
        self._states[self._tab.id] = {"tab": self.rater}
        await self.rerun()
        return time.perf_counter() - begun

    async def visit(self, query: str) -> float:
        """Follow a link on the page; returns the seconds until it has run to its end."""
        self.query = query
        begun = time.perf_counter()
        await self.rerun()
        return time.perf_counter() - begun

    @property
    def _on_the_desk(self) -> bool:
        return bool(self.tagger and self.tagger.data.get("item"))

    async def close(self) -> None:
        """Leave; harmless when the connection is gone."""
        if self._socket is None:
            return
        if self._line is not None:
            self._line[1].close()
        self._reader.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await self._reader
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._socket.close(), 2)
        self._socket = None

    # -- working ---------------------------------------------------------------------------------

    async def mark(self) -> float:
        """Add a mark to the item and save the draft; returns the seconds to the acknowledgement."""
        assert self.tagger is not None
        text, count = self.tagger.data["text"], self.marks
        words = words_of(text)
        # Spread over the text, and never the same words with the same label again.
        first = (7 * count + 7 * count // len(words)) % len(words)
        start, end = words[first][0], words[min(first + 2, len(words) - 1)][1]
        span = {
            "start": start,
            "end": end,
            "quote": text[start:end],
            "comment": "",
            "link": "",
            "labels": [LABELS[count % len(LABELS)]],
            "located": "exact",
        }
        self._body = {**self._body, "spans": [*self._body["spans"], span]}
        return await self._save("draft")

    async def submit(self) -> float:
        """Submit the item; returns the seconds until the next one is there."""
        took = await self._save("submit")
        self._take_up()
        return took

    async def resend(self) -> float:
        """Send the unacknowledged write again with its own token, as a page does that reconnected.

        Does nothing when there is none.
        """
        if not self.pending:
            return 0.0
        write = self.pending
        write.attempt += 1
        took = await self._deliver(write)
        self._take_up()
        return took

    @property
    def marks(self) -> int:
        """How many marks the item on the desk has."""
        return len(self._body["spans"])

    @property
    def pending(self) -> Write | None:
        """The write that no acknowledgement has come for; there is never more than one."""
        last = self.writes[-1] if self.writes else None
        return last if last and not last.revision else None

    async def rerun(self) -> None:
        """Run the whole page once more and wait for its end."""
        runs = self.runs
        await self._send()
        await self._until(lambda: self.runs > runs, "the page did not run")

    def _take_up(self) -> None:
        if self.tagger and self.tagger.data.get("item"):
            self._body = self.tagger.data["draft"]

    async def _save(self, action: str) -> float:
        assert self.tagger is not None
        data = self.tagger.data
        if data["rater"] != self.rater:
            raise SessionFailed(f"{self.rater} was shown the desk of {data['rater']}")
        write = Write(new_id(), self.rater, data["item"], data["rev"], action, self._body)
        self.writes.append(write)
        return await self._deliver(write)

    async def _deliver(self, write: Write) -> float:
        assert self.tagger is not None
        message = {
            "token": write.token,
            "rater": write.rater,
            "item": write.item,
            "base": write.base,
            "action": write.action,
            "body": write.body,
            "reason": "",
            "seconds": {"active": 1.0, "idle": 0.0},
            "attempt": write.attempt,
        }
        begun = time.perf_counter()
        if not await self._posted(message):
            self._states[self.tagger.id] = {"out": message}
            await self._send(fragment=self.tagger.fragment)
            await self._until(lambda: self._answer_to(write), f"no answer to a {write.action}")
        took = time.perf_counter() - begun
        answer = self._answer_to(write)
        assert answer is not None
        if answer["error"] or answer["newer"]:
            raise SessionFailed(f"a {write.action} was refused: {answer['error']}")
        write.revision = int(answer["rev"])
        return took

    async def _posted(self, message: dict[str, Any]) -> bool:
        """Send a message to the desk's address; whether it was taken and no run is called for."""
        assert self.tagger is not None
        way = self.tagger.data.get("way")
        if way is None:
            return False
        try:
            status, _, content = await asyncio.wait_for(
                self._call("POST", f"/medlens/desk/{way['address']}", json.dumps(message)),
                self.patience,
            )
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError):
            return False
        if status != 200:
            return False
        told = json.loads(content)
        if "item" in told and told["way"]["number"] > self.tagger.data["way"]["number"]:
            self.tagger = replace(self.tagger, data=told)
        return not told["over"]

    async def _call(
        self, method: str, path: str, content: str = ""
    ) -> tuple[int, dict[str, str], bytes]:
        """One request, over the connection that the last one left: status, headers, content."""
        if self._line is None:
            parts = urlsplit(self.url)
            self._line = await asyncio.open_connection(parts.hostname, parts.port)
        reader, writer = self._line
        sent = content.encode()
        try:
            writer.write(
                f"{method} {path} HTTP/1.1\r\nHost: {urlsplit(self.url).netloc}\r\n"
                f"Origin: {self.url}\r\nCookie: {self._cookie}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n".encode()
                + sent
            )
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {
                name.lower(): value.strip()
                for name, _, value in (line.partition(":") for line in head[1:])
            }
            answer = await reader.readexactly(int(headers["content-length"]))
        except BaseException:
            writer.close()
            self._line = None
            raise
        return int(head[0].split()[1]), headers, answer

    async def _first_cookie(self) -> str:
        """The cookie that a browser is given with its first page; "" where none is."""
        self._line, self._cookie = None, ""
        with contextlib.suppress(OSError, ValueError, KeyError, asyncio.IncompleteReadError):
            _, headers, _ = await self._call("GET", "/")
            return headers.get("set-cookie", "").partition(";")[0]
        return ""

    def _answer_to(self, write: Write) -> dict[str, Any] | None:
        answer = self.tagger.data.get("ack") if self.tagger else None
        return answer if answer and answer["token"] == write.token else None

    # -- the protocol ----------------------------------------------------------------------------

    async def _send(self, *, page: str = "", fragment: str = "") -> None:
        message = BackMsg()
        run = message.rerun_script
        context = run.context_info
        context.timezone, context.locale, context.color_scheme = "UTC", "en", "light"
        context.url = f"{self.url}/{self.page}"
        run.query_string = self.query
        if page:
            run.page_name = page
        else:
            run.page_script_hash = self._page_hash
        if fragment:
            run.fragment_id = fragment
        for widget, value in self._states.items():
            state = run.widget_states.widgets.add()
            state.id, state.json_value = widget, json.dumps(value)
        try:
            await self._socket.send(message.SerializeToString())
        except websockets.ConnectionClosed as error:
            raise SessionFailed("nothing was sent (the connection closed)") from error

    async def _until(self, done: Callable[[], object], otherwise: str) -> None:
        until = time.perf_counter() + self.patience
        seen = len(self.errors)
        while not done():
            left = until - time.perf_counter()
            if len(self.errors) > seen:
                raise SessionFailed(self.errors[-1])
            if left <= 0 or self._closed:
                why = "the connection closed" if self._closed else f"in {self.patience:g} s"
                raise SessionFailed(f"{otherwise} ({why})")
            self._heard.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._heard.wait(), left)
        # What was waited for and the error can come together.
        if len(self.errors) > seen:
            raise SessionFailed(self.errors[-1])

    async def _read(self) -> None:
        with contextlib.suppress(websockets.ConnectionClosed):
            async for raw in self._socket:
                message = ForwardMsg()
                message.ParseFromString(raw)
                self._take(message)
                self._heard.set()
        self._closed = True
        self._heard.set()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._page_hash = message.new_session.page_script_hash
        elif kind == "navigation":
            self._page_hash = message.navigation.page_script_hash
        elif kind == "page_not_found":
            self.errors.append("the page was not found")
        elif kind == "script_finished":
            if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                self.runs += 1
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._take_element(message.delta)

    def _take_element(self, delta: Any) -> None:
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors.append(f"the page raised {element.exception.message[:300]}")
        elif kind == "bidi_component":
            one = element.bidi_component
            mounted = _Mounted(one.id, delta.fragment_id, json.loads(one.json or "{}"))
            if "person_tab" in one.component_name:
                self._tab = mounted
            elif self.surface in one.component_name:
                self.tagger = mounted
