"""Large replies of a run come one after another, so that many at once do not take the app's memory.

A reply is in memory several times over while it is unpacked, read and stored. How many calls are
open is a setting, and a model that repeats itself sends megabytes to each of them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from contextvars import ContextVar

MOST_CHARACTERS = 1_000_000
"""Of an answer's text, without what the model thought: twice what the longest outputs of any model
hold. A study holds the texts of all its jobs at once, and sends those of a talk again and again.
"""

LARGE = 512 * 1024
"""Bytes from which a reply waits until no more than ``LARGE_AT_ONCE`` others are that large."""

LARGE_AT_ONCE = 2


class _Turn:
    """The turn of one call among a run's large replies."""

    def __init__(self, turns: asyncio.Semaphore) -> None:
        self._turns, self.held = turns, False
        self.time_limit: asyncio.Timeout | None = None

    async def wait(self) -> None:
        """Wait until it is this call's turn; that time is not the endpoint's."""
        if self.held:
            return
        loop = asyncio.get_running_loop()
        limit, begun = self.time_limit, loop.time()
        ends = limit.when() if limit else None
        if limit:
            limit.reschedule(None)
        await self._turns.acquire()
        self.held = True
        if limit and ends is not None:
            limit.reschedule(ends + loop.time() - begun)

    def end(self) -> None:
        """Let another reply have its turn."""
        if self.held:
            self._turns.release()


_turn: ContextVar[_Turn | None] = ContextVar("turn", default=None)


@contextlib.contextmanager
def take_turn_for_large_reply_within(turns: asyncio.Semaphore) -> Iterator[None]:
    """One call and what becomes of its reply: a large one is read to its end when ``turns`` has
    room, which it takes until the block ends.
    """
    turn = _Turn(turns)
    token = _turn.set(turn)
    try:
        yield
    finally:
        _turn.reset(token)
        turn.end()


async def wait_for_turn() -> None:
    """Wait until the reply of the call at hand has its turn among the large ones."""
    if (turn := _turn.get()) is not None:
        await turn.wait()


@contextlib.asynccontextmanager
async def time_limit_of_call(seconds: float) -> AsyncIterator[None]:
    """``asyncio.timeout``, not counting the time in which a large reply waits for its turn."""
    async with asyncio.timeout(seconds) as limit:
        if (turn := _turn.get()) is not None:
            turn.time_limit = limit
        yield
