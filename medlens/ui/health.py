"""Health checks for machines: ``/healthz`` (is it alive?), ``/readyz`` (can it work?).

Both answer without sign-in, and say nothing else.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

_PATIENCE = 5.0
_GOOD_FOR = 1.0


class Health:
    """``goes_on``: whether the server is not stopping; ``is_well``: whether it can work, which is
    checked in a thread, by one request at a time, and at most once a second.
    """

    def __init__(self, goes_on: Callable[[], bool], is_well: Callable[[], bool]) -> None:
        self._goes_on, self._is_well = goes_on, is_well
        self._look: asyncio.Task[bool] | None = None
        self._found, self._until = False, 0.0
        self.routes = [Route("/healthz", self._healthz), Route("/readyz", self._readyz)]

    async def _healthz(self, _: Request) -> PlainTextResponse:
        return PlainTextResponse("alive\n", headers=_FRESH)

    async def _readyz(self, _: Request) -> PlainTextResponse:
        if self._goes_on() and await self._well():
            return PlainTextResponse("ready\n", headers=_FRESH)
        return PlainTextResponse("not ready\n", 503, headers=_FRESH)

    async def _well(self) -> bool:
        if time.monotonic() < self._until:
            return self._found
        if self._look is None:
            self._look = asyncio.create_task(asyncio.to_thread(self._is_well))
        look = self._look
        # If the check hangs, it hangs alone: later requests wait for the same one.
        done, _ = await asyncio.wait([look], timeout=_PATIENCE)
        if not done:
            return False
        if self._look is look:
            self._look = None
            self._found = not look.exception() and look.result()
            self._until = time.monotonic() + _GOOD_FOR
        return self._found


_FRESH = {"Cache-Control": "no-store"}
