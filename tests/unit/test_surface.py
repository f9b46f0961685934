"""A desk's address: who may send a message to it, what is answered, and what is refused."""

from __future__ import annotations

import asyncio
import json
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from medlens.errors import InvalidInput, StoreUnavailable
from medlens.ui import (
    item_component_and_desk_messages,
    request_guard,
    session_people_and_sign_in_validity,
)

BROWSER = "b" * 43


class Desk:
    """A desk with the items 1, 2 and 3; a message names the item to put up."""

    def __init__(self) -> None:
        self.rater = SimpleNamespace(id="anna")
        self.item: str | None = "1"
        self.turn = threading.RLock()
        self.address: item_component_and_desk_messages.MessageAddress | None = None
        self.taken: list[Any] = []
        self.refused: list[tuple[str, str]] = []
        self.count_of_practice_items_done = 0

    def take(self, message: Any) -> None:
        self.taken.append(message)
        self.item = message["item"]

    def refuse(self, token: str, error: Any) -> None:
        self.refused.append((token, error.message))

    def data(self) -> dict[str, Any]:
        return {"item": self.item}


def parse(said: Any) -> Any:
    if not isinstance(said, dict) or "item" not in said:
        raise InvalidInput("No item.")
    return said


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk()
    monkeypatch.setattr(
        session_people_and_sign_in_validity, "id_of_current_session", lambda: "session"
    )
    monkeypatch.setattr(
        session_people_and_sign_in_validity,
        "_seats",
        {"session": session_people_and_sign_in_validity.Seat("anna", "reviewer")},
    )
    monkeypatch.setattr(session_people_and_sign_in_validity, "_browsers", {"session": BROWSER})
    monkeypatch.setattr(session_people_and_sign_in_validity, "_role_now", lambda seat: "reviewer")
    made.address = item_component_and_desk_messages.MessageAddress(made)
    item_component_and_desk_messages._addresses[made.address.name] = made.address
    return made


def drawn(desk: Desk, *, whole: bool = True) -> dict[str, Any]:
    component = item_component_and_desk_messages.ItemSurface("test", js="x", css="x", parse=parse)
    assert desk.address is not None
    hear = lambda said: component._hear(said, desk.take, desk.refuse)  # noqa: E731
    return desk.address.register_and_return_page_data(desk.data, hear, whole=whole)


def sent(
    desk: Desk,
    content: bytes,
    *,
    name: str = "",
    method: str = "POST",
    browser: str = BROWSER,
    kind: bytes = b"application/json",
    origin: bytes = b"http://localhost:8501",
) -> tuple[int, bytes]:
    """What the guard answers to a request: the status and the body."""
    assert desk.address is not None
    heard: list[dict[str, Any]] = []
    left = [{"type": "http.request", "body": content}]

    async def receive() -> dict[str, Any]:
        return left.pop() if left else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        heard.append(message)

    async def inner(*_: Any) -> None:
        raise AssertionError("it went on to the pages")

    scope = {
        "type": "http",
        "method": method,
        "path": f"{item_component_and_desk_messages.ROUTE}{name or desk.address.name}",
        "query_string": b"",
        "headers": [
            (b"host", b"localhost:8501"),
            (b"origin", origin),
            (b"content-type", kind),
            (b"cookie", f"{request_guard.COOKIE}={browser}".encode()),
        ],
    }
    asyncio.run(request_guard.Guard(inner, hosts=["localhost"])(scope, receive, send))
    return heard[0]["status"], heard[1]["body"]


def said(**message: Any) -> bytes:
    return json.dumps(message).encode()


def test_a_message_is_taken_and_what_lies_on_the_desk_then_is_the_answer(desk: Desk) -> None:
    first = drawn(desk)
    status, body = sent(desk, said(item="2"))
    told = json.loads(body)
    assert (status, told["item"], told["over"]) == (200, "2", False)
    assert desk.taken == [{"item": "2"}]
    assert told["way"]["address"] == first["way"]["address"]
    assert told["way"]["number"] > first["way"]["number"]


@pytest.mark.parametrize(
    "whole, item, over", [(False, "1", False), (False, "2", True), (True, "2", False)]
)
def test_the_page_has_to_run_where_more_of_it_is_about_the_item(
    desk: Desk, whole: bool, item: str, over: bool
) -> None:
    drawn(desk, whole=whole)
    assert json.loads(sent(desk, said(item=item))[1])["over"] is over


def test_the_page_has_to_run_where_what_was_expected_is_to_be_told(desk: Desk) -> None:
    drawn(desk)
    assert json.loads(sent(desk, said(item="2"))[1])["over"] is False
    desk.count_of_practice_items_done = 1
    assert json.loads(sent(desk, said(item="3"))[1])["over"] is True


def test_the_page_runs_before_anything_is_shown_where_it_shows_more_of_the_desk(
    desk: Desk,
) -> None:
    component = item_component_and_desk_messages.ItemSurface("test", js="x", css="x", parse=parse)
    assert desk.address is not None
    desk.address.register_and_return_page_data(
        desk.data,
        lambda said: component._hear(said, desk.take),
        whole=False,
        beside=lambda: desk.item,
    )
    assert json.loads(sent(desk, said(item="1"))[1])["item"] == "1"
    # A form must not show the next item's questions beside what is shown of this one.
    told = json.loads(sent(desk, said(item="2"))[1])
    assert told["over"]
    assert "item" not in told


def test_the_page_has_to_run_behind_the_last_item(desk: Desk) -> None:
    drawn(desk, whole=False)
    told = json.loads(sent(desk, said(item=None))[1])
    assert told["over"]
    assert "item" not in told


def test_what_is_no_message_is_answered_to_its_sender(desk: Desk) -> None:
    drawn(desk)
    for content in (b"[1]", b'{"token": "t"}', b"null"):
        assert sent(desk, content)[0] == 200
    assert [token for token, _ in desk.refused] == ["None", "t", "None"]
    assert desk.taken == []


@pytest.mark.parametrize(
    "how, status",
    [
        ({"browser": "c" * 43}, 404),
        ({"browser": ""}, 404),
        ({"name": "x" * 32}, 404),
        ({"origin": b"http://localhost:9000"}, 403),
        ({"origin": b"null"}, 403),
        ({"kind": b"text/plain"}, 400),
        ({"kind": b"application/x-www-form-urlencoded"}, 400),
        ({"method": "GET"}, 400),
        ({"method": "PUT"}, 400),
    ],
)
def test_nobody_else_reaches_a_desk(desk: Desk, how: dict[str, Any], status: int) -> None:
    drawn(desk)
    assert sent(desk, said(item="2"), **how)[0] == status
    assert desk.taken == []


@pytest.mark.parametrize("role", [None, "lead"])
def test_who_lost_their_place_or_has_another_role_reaches_no_desk(
    desk: Desk, role: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn(desk)
    monkeypatch.setattr(session_people_and_sign_in_validity, "_role_now", lambda seat: role)
    assert sent(desk, said(item="2"))[0] == 404
    assert desk.taken == []


def test_a_desk_of_somebody_who_sat_there_before_is_closed(desk: Desk) -> None:
    drawn(desk)
    session_people_and_sign_in_validity._seats["session"] = (
        session_people_and_sign_in_validity.Seat("bert", "reviewer")
    )
    assert sent(desk, said(item="2"))[0] == 404


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff", b"[" * 100_000, b" " * (item_component_and_desk_messages._LARGEST + 1)],
)
def test_what_cannot_be_read_is_refused(desk: Desk, content: bytes) -> None:
    drawn(desk)
    assert sent(desk, content)[0] == 400
    assert desk.taken == []


def test_a_store_that_does_not_answer_lets_nobody_in(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(seat: Any) -> None:
        raise StoreUnavailable("Away.")

    drawn(desk)
    monkeypatch.setattr(session_people_and_sign_in_validity, "_role_now", away)
    assert sent(desk, said(item="2"))[0] == 503


def test_a_message_from_a_browser_without_the_desk_is_refused_before_it_is_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def content(request: Any) -> bytes:
        raise AssertionError("it was read")

    monkeypatch.setattr(item_component_and_desk_messages, "_content", content)
    assert sent(desk, said(item="2"), browser="c" * 43)[0] == 404
    assert sent(desk, said(item="2"), name="unknown")[0] == 404
    assert desk.taken == []


def test_a_message_that_never_ends_is_given_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def content(request: Any) -> bytes:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(item_component_and_desk_messages, "_content", content)
    monkeypatch.setattr(item_component_and_desk_messages, "_READ_SECONDS", 0.01)
    assert sent(desk, said(item="2"))[0] == 408
    assert desk.taken == []
