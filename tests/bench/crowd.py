"""Fifty people at once: a mark every 5 s and an item a minute, each in a tab of their own."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

from tests.bench.account import account
from tests.bench.material import make_store
from tests.bench.rows import Options, Row
from tests.bench.serving import Server
from tests.bench.session import Session, SessionFailed, Write

MARK_EVERY, ITEM_EVERY = 5.0, 60.0
BAR = 500.0
_RAMP = 0.1


@dataclass
class Seen:
    """What the crowd saw: seconds of each save (from when it was due), and what went wrong."""

    saves: list[float] = field(default_factory=list)
    submits: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


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


async def crowd(
    url: str, people: list[str], *, seconds: float, seed: int = 1
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
            *(_person(one, seen, start, seconds, seed + at) for at, one in enumerate(sessions))
        )
    seen.errors += [error for one in sessions for error in one.errors]
    await asyncio.gather(*(one.close() for one in sessions))
    return seen, sessions


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    count, seconds = options.pick(50, 50), options.pick(60, 10)
    store = options.folder / "crowd.duckdb"
    people = make_store(store, people=count)
    with Server(options.folder / "crowd", store) as server:
        before, begun = server.cpu_ms(), time.perf_counter()
        seen, sessions = asyncio.run(crowd(server.url, people, seconds=seconds, seed=options.seed))
        busy = (server.cpu_ms() - before) / (time.perf_counter() - begun) / 10
        if server.stop() != 0:
            seen.errors.append("the server did not end as it was asked to")
    writes: list[Write] = [write for one in sessions for write in one.writes]
    faults = (*seen.errors, *account(store, writes))
    lost = sum(not write.revision for write in writes)
    note = (
        f"{len(writes)} saves sent, {lost} unanswered; a session opened within"
        f" {1000 * max(seen.opened, default=0):,.0f} ms; server at {busy:.0f} % of a core"
    )
    name = f"{count} sessions for {seconds} s"
    return [
        Row(f"{name}: a draft saved", _ms(seen.saves), "p95", BAR, note=note, faults=faults),
        Row(f"{name}: an item submitted", _ms(seen.submits), "p95", BAR, faults=faults),
    ]


def _ms(seconds: list[float]) -> list[float]:
    return [1000 * one for one in seconds]
