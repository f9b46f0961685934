"""What ``/healthz`` and ``/readyz`` answer, and whom they ask."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from medlens.errors import StoreUnavailable
from medlens.ui import server
from medlens.ui.server import Health


async def ask(asked: Health, *paths: str) -> list[tuple[int, str]]:
    """Status and body of requests that are all sent at once."""
    transport = httpx.ASGITransport(app=Starlette(routes=asked.routes))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answers = await asyncio.gather(*(client.get(path) for path in paths))
    return [(one.status_code, one.text) for one in answers]


def test_a_server_that_works_is_alive_and_ready() -> None:
    asked = Health(lambda: True, lambda: True)
    found = asyncio.run(ask(asked, "/healthz", "/readyz"))
    assert found == [(200, "alive\n"), (200, "ready\n")]


def _raise() -> bool:
    raise StoreUnavailable("The store /secret/place does not answer.")


@pytest.mark.parametrize("is_well", [lambda: False, _raise])
def test_without_a_store_it_is_alive_but_not_ready_and_does_not_say_why(is_well: Any) -> None:
    asked = Health(lambda: True, is_well)
    found = asyncio.run(ask(asked, "/healthz", "/readyz"))
    assert found == [(200, "alive\n"), (503, "not ready\n")]


def test_a_server_that_stops_is_not_ready_and_asks_nothing_more() -> None:
    asked = Health(lambda: False, _raise)
    assert asyncio.run(ask(asked, "/readyz")) == [(503, "not ready\n")]


def test_many_who_ask_are_answered_by_one_look() -> None:
    looks: list[int] = []

    def look() -> bool:
        looks.append(1)
        time.sleep(0.5)  # all have asked by then, on a busy machine too
        return True

    found = asyncio.run(ask(Health(lambda: True, look), *["/readyz"] * 50))
    assert found == [(200, "ready\n")] * 50
    assert len(looks) == 1


def test_a_store_that_hangs_is_not_ready_and_holds_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "_PATIENCE", 0.05)
    released, looks = threading.Event(), []

    def hang() -> bool:
        looks.append(1)
        return released.wait(10)

    async def both() -> tuple[list[tuple[int, str]], ...]:
        asked = Health(lambda: True, hang)
        hung = [*await ask(asked, *["/readyz"] * 5), *await ask(asked, "/readyz")]
        released.set()
        # Who asks now waits for the same look, however long its thread takes to end.
        monkeypatch.setattr(server, "_PATIENCE", 10)
        return hung, await ask(asked, "/readyz")

    hung, then = asyncio.run(both())
    assert hung == [(503, "not ready\n")] * 6
    assert then == [(200, "ready\n")]
    assert len(looks) == 1
