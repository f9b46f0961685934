"""Clients that send half a request are let go of; those that get on are served."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from medlens.ui.server import ImpatientProtocol

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n"
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]]


async def _app(scope: Any, receive: Any, send: Any) -> None:
    body = b""
    while (message := await receive())["type"] == "http.request":
        body += message["body"]
        if not message["more_body"]:
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def answered(talk: Talk, monkeypatch: pytest.MonkeyPatch, *, patience: float = 0.2) -> bytes:
    """What a client hears that has ``patience`` seconds for each step."""
    monkeypatch.setattr(ImpatientProtocol, "patience", patience)

    async def work() -> bytes:
        config, state = Config(_app, lifespan="off", log_config=None), ServerState()
        make = lambda: ImpatientProtocol(config=config, server_state=state, app_state={})  # noqa: E731
        loop = asyncio.get_running_loop()
        server = await loop.create_server(make, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        try:
            return await asyncio.wait_for(talk(reader, writer), 5)
        finally:
            writer.close()
            server.close()

    return asyncio.run(work())


@pytest.mark.first_quick
@pytest.mark.parametrize("half", [b"", b"GET / HT", HEAD[:-2], HEAD + b"ab"])
def test_half_a_request_is_not_waited_for(half: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(half)
        return await reader.read()

    assert b"200 OK" not in answered(talk, monkeypatch)


def test_a_head_that_comes_by_the_letter_has_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        for letter in HEAD * 10:
            # A letter under way when the server hangs up makes it a reset instead of an end.
            if reader.at_eof() or isinstance(reader.exception(), ConnectionResetError):
                return b"let go"
            writer.write(bytes([letter]))
            await asyncio.sleep(0.05)
        return b"served"

    assert answered(talk, monkeypatch) == b"let go"


@pytest.mark.deep
def test_a_body_may_take_long_as_long_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(HEAD)
        for letter in b"abcd":
            await asyncio.sleep(0.55)
            writer.write(bytes([letter]))
        return await reader.readuntil(b"abcd")

    # A busy machine may be more than a second late with each letter.
    assert b"200 OK" in answered(talk, monkeypatch, patience=2.0)


def test_a_second_request_over_the_same_line_has_its_own_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(HEAD + b"abcd")
        first = await reader.readuntil(b"abcd")
        await asyncio.sleep(0.4)
        writer.write(HEAD + b"efgh")
        second = await reader.readuntil(b"efgh")
        writer.write(HEAD[:9])
        return first + second + await reader.read()

    assert answered(talk, monkeypatch).count(b"200 OK") == 2
