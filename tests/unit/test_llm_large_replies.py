"""Large replies of a run take turns; what they wait is not the endpoint's time."""

from __future__ import annotations

import asyncio

import pytest

from medlens.llm.large_reply_queue import (
    take_turn_for_large_reply_within,
    time_limit_of_call,
    wait_for_turn,
)


def test_only_as_many_large_replies_as_have_a_turn_go_on_at_once() -> None:
    most = here = 0

    async def one(turns: asyncio.Semaphore) -> None:
        nonlocal most, here
        with take_turn_for_large_reply_within(turns):
            await wait_for_turn()
            # It asks again for each piece that comes.
            await wait_for_turn()
            here += 1
            most = max(most, here)
            await asyncio.sleep(0)
            here -= 1

    async def many() -> None:
        turns = asyncio.Semaphore(2)
        await asyncio.gather(*(one(turns) for _ in range(9)))
        assert not turns.locked()

    asyncio.run(many())
    assert most == 2


def test_waiting_for_a_turn_is_not_counted_against_the_endpoint() -> None:
    async def main() -> None:
        turns = asyncio.Semaphore(1)
        await turns.acquire()
        asyncio.get_running_loop().call_later(0.2, turns.release)
        with take_turn_for_large_reply_within(turns):
            async with time_limit_of_call(0.1):
                await wait_for_turn()
        # It still ends a call that takes too long itself.
        with take_turn_for_large_reply_within(turns):
            async with time_limit_of_call(0.05):
                await wait_for_turn()
                await asyncio.sleep(5)

    with pytest.raises(TimeoutError):
        asyncio.run(main())
