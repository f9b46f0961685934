"""Server CPU per review rerun: each message of the tagger makes the server run a fragment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.bench.account import account
from tests.bench.material import make_store
from tests.bench.rows import Options, Row
from tests.bench.serving import ONE_LINE, Server
from tests.bench.session import Session

BAR, ITEM_BAR = 20.0, 35.0
_PER_ITEM = 4
_WARM_UP = 4


@dataclass
class Spent:
    """Per message: the server's CPU and the round trip, in ms."""

    cpu: list[float] = field(default_factory=list)
    trip: list[float] = field(default_factory=list)

    async def measure(self, server: Server, act: Callable[[], Awaitable[float]]) -> None:
        before = server.cpu_ms()
        took = await act()
        # The answer goes out a little before the run has ended.
        await asyncio.sleep(0.02)
        self.cpu.append(server.cpu_ms() - before)
        self.trip.append(1000 * took)


async def work_through(server: Server, rater: str, items: int) -> tuple[Spent, Spent, Session]:
    """One person marks and submits ``items`` items, alone on the server: drafts, submissions."""
    session = Session(server.url, rater)
    await session.open()
    drafts, submits = Spent(), Spent()
    try:
        for _ in range(_WARM_UP):
            await session.mark()
        await session.submit()
        for _ in range(items):
            for _ in range(_PER_ITEM):
                await drafts.measure(server, session.mark)
            await submits.measure(server, session.submit)
    finally:
        await session.close()
    return drafts, submits, session


async def rerun_alone(server: Server, session: Session, count: int) -> Spent:
    """Run a whole page again and again: the CPU of each run. The session is connected already."""
    spent = Spent()

    async def rerun() -> float:
        await session.rerun()
        return 0.0

    try:
        for _ in range(_WARM_UP):
            await rerun()
        for _ in range(count):
            await spent.measure(server, rerun)
    finally:
        await session.close()
    return spent


async def _in_turns(
    server: Server, simple: Server, rater: str, options: Options
) -> tuple[Spent, Spent, Spent, Spent, Session]:
    """Drafts, submissions, whole pages, runs of the one-line app; and the session that wrote."""
    count = options.pick(40, 10)
    drafts, submits, session = await work_through(server, rater, options.pick(20, 4))
    yardstick = Session(simple.url, "", page="")
    await yardstick.connect()
    plain = await rerun_alone(simple, yardstick, count)
    reader = Session(server.url, rater)
    await reader.open()
    return drafts, submits, await rerun_alone(server, reader, count), plain, session


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    store = options.folder / "cpu.duckdb"
    [rater] = make_store(store, people=1)
    script = options.folder / "one_line.py"
    script.write_text(ONE_LINE)
    with (
        Server(options.folder / "cpu", store) as server,
        Server(options.folder / "plain", script=script) as simple,
    ):
        drafts, submits, page, plain, session = asyncio.run(
            _in_turns(server, simple, rater, options)
        )
        server.stop()
    faults = tuple(account(store, session.writes))

    def row(work: str, spent: Spent, note: str = "") -> Row:
        return Row(work, spent.cpu, "median", BAR, baseline=plain.cpu, faults=faults, note=note)

    marked = [sum(drafts.cpu[at : at + 2]) for at in range(0, len(drafts.cpu), _PER_ITEM)]
    items = [sum(both) for both in zip(marked, submits.cpu, strict=True)]
    two = "server CPU per item: two marks saved, submitted"
    return [
        Row(two, items, "median", ITEM_BAR, baseline=plain.cpu, faults=faults),
        row("server CPU per draft saved", drafts, "baseline: a one-line Streamlit app's rerun"),
        row("server CPU per submit and next item", submits),
        row("server CPU per run of the whole page", page, "when it is opened, not while tagging"),
    ]
