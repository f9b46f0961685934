"""Fifty people at once, each in a tab of their own: a mark every 5 s and an item a minute; and
without a pause, two marks and a submission an item.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.bench.account import account
from tests.bench.material import make_store
from tests.bench.rows import Options, Row
from tests.bench.serving import Server
from tests.bench.session import Session, SessionFailed, Write

MARK_EVERY, ITEM_EVERY = 5.0, 60.0
BAR = 500.0
RUSH_BAR, RUSH_ITEM_BAR = 900.0, 1000 / 30
_MARKS = 2
_RAMP = 0.1


@dataclass
class Seen:
    """What the crowd saw: seconds of each save (from when it was due), and what went wrong."""

    saves: list[float] = field(default_factory=list)
    submits: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


Work = Callable[[Session, Seen, float, float, int], Awaitable[None]]


async def _person(session: Session, seen: Seen, start: float, seconds: float, seed: int) -> None:
    """Open loop: the schedule does not slow down when the server does, and waiting counts."""
    draw = random.Random(seed)
    marks = start + draw.uniform(0, MARK_EVERY)
    item = start + draw.uniform(0, ITEM_EVERY)
    # An item that is submitted at once still needs a mark.
    item = max(item, marks + 0.001)
    while (due := min(marks, item)) < start + seconds:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        try:
            if marks <= item:
                marks += MARK_EVERY
                await session.mark()
                seen.saves.append(time.perf_counter() - due)
            else:
                item += ITEM_EVERY
                await session.submit()
                seen.submits.append(time.perf_counter() - due)
                # Nothing is marked on the new item yet.
                item = max(item, marks + 0.001)
        except SessionFailed as error:
            seen.errors.append(str(error))
            return


async def _hurried(session: Session, seen: Seen, start: float, seconds: float, _seed: int) -> None:
    """Closed loop: the next action follows the answer to the last one."""
    try:
        while time.perf_counter() < start + seconds:
            for _ in range(_MARKS):
                seen.saves.append(await session.mark())
            seen.submits.append(await session.submit())
    except SessionFailed as error:
        seen.errors.append(str(error))


async def crowd(
    url: str, people: list[str], *, seconds: float, seed: int = 1, work: Work = _person
) -> tuple[Seen, list[Session]]:
    """Open a session for each of ``people``, then let all of them work for ``seconds``."""
    seen = Seen()
    sessions = [Session(url, rater) for rater in people]

    async def come_in(at: int, session: Session) -> None:
        await asyncio.sleep(at * _RAMP)
        try:
            seen.opened.append(await session.open())
        except (SessionFailed, OSError) as error:
            seen.errors.append(f"a session did not open: {error}")

    await asyncio.gather(*(come_in(at, one) for at, one in enumerate(sessions)))
    if not seen.errors:
        start = time.perf_counter()
        await asyncio.gather(
            *(work(one, seen, start, seconds, seed + at) for at, one in enumerate(sessions))
        )
    seen.errors += [error for one in sessions for error in one.errors]
    await asyncio.gather(*(one.close() for one in sessions))
    return seen, sessions


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    count, seconds = options.pick(50, 50), options.pick(60, 10)
    seen, note, faults = _worked(options, "crowd", count, seconds, _person)
    name = f"{count} sessions for {seconds} s"
    hurry = options.pick(20, 5)
    rushed, said, wrong = _worked(options, "rush", count, hurry, _hurried)
    each = [1000 * hurry / max(1, len(rushed.submits))]
    rush = f"{count} sessions without a pause"
    pace = f"{1000 / each[0]:.1f} items a second; {said}"
    return [
        Row(f"{name}: a draft saved", _ms(seen.saves), "p95", BAR, note=note, faults=faults),
        Row(f"{name}: an item submitted", _ms(seen.submits), "p95", BAR, faults=faults),
        Row(f"{rush}: an item in all", each, "median", RUSH_ITEM_BAR, note=pace, faults=wrong),
        Row(f"{rush}: a draft saved", _ms(rushed.saves), "p95", RUSH_BAR, faults=wrong),
    ]


def _worked(
    options: Options, name: str, count: int, seconds: int, work: Work
) -> tuple[Seen, str, tuple[str, ...]]:
    """What people saw, in a line what came of it, and what is wrong with it."""
    store = options.folder / f"{name}.duckdb"
    people = make_store(store, items=1000, people=count)
    with Server(options.folder / name, store) as server:
        before, begun = server.cpu_ms(), time.perf_counter()
        seen, sessions = asyncio.run(
            crowd(server.url, people, seconds=seconds, seed=options.seed, work=work)
        )
        busy = (server.cpu_ms() - before) / (time.perf_counter() - begun) / 10
        if server.stop() != 0:
            seen.errors.append("the server did not end as it was asked to")
    writes: list[Write] = [write for one in sessions for write in one.writes]
    lost = sum(not write.revision for write in writes)
    note = (
        f"{len(writes)} saves sent, {lost} unanswered; a session opened within"
        f" {1000 * max(seen.opened, default=0):,.0f} ms; server at {busy:.0f} % of a core"
    )
    return seen, note, (*seen.errors, *account(store, writes))


def _ms(seconds: list[float]) -> list[float]:
    return [1000 * one for one in seconds]
