"""kill -9 of the server at random moments under load: what was acknowledged has to be there."""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.account import account
from tests.bench.material import make_store
from tests.bench.rows import Options, Row
from tests.bench.serving import Server, ServerFailed
from tests.bench.session import Session, SessionFailed

_ITEMS = 300  # more than anyone gets through
_MARKS_PER_ITEM = 12


@dataclass
class Tally:
    """What the kills left behind."""

    kills: int = 0
    saves: int = 0
    in_flight: int = 0
    by_kill: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


async def _work(session: Session, tally: Tally) -> None:
    """Take up what was not acknowledged, then mark and submit until the server is gone."""
    try:
        await session.open()
        await session.resend()
        while True:
            while session.marks < _MARKS_PER_ITEM:
                await session.mark()
                tally.saves += 1
                await asyncio.sleep(0.02)
            await session.submit()
            tally.saves += 1
    except SessionFailed as error:
        if "the connection closed" not in str(error):
            tally.faults.append(f"a session could not go on: {error}")
    except OSError:
        # The server went while it was being called: nothing was sent.
        return


async def _until_killed(
    server: Server, sessions: list[Session], tally: Tally, moment: float
) -> None:
    """Let everyone work, and kill the server ``moment`` seconds after the first save."""
    before = tally.saves
    work = [asyncio.create_task(_work(one, tally)) for one in sessions]
    try:
        async with asyncio.timeout(60):
            while tally.saves == before and not all(task.done() for task in work):
                await asyncio.sleep(0.01)
        await asyncio.sleep(moment)
    except TimeoutError:
        tally.faults.append("nothing was saved for a minute")
    server.kill()
    tally.kills += 1
    _, late = await asyncio.wait(work, timeout=20)
    for task in late:
        task.cancel()
        tally.faults.append("a session did not notice that the server was gone")
    await asyncio.gather(*(one.close() for one in sessions))


async def _go_on(sessions: list[Session], tally: Tally) -> None:
    """After the last start: everyone gets their unanswered write through, and saves once more."""

    async def once(session: Session) -> None:
        try:
            await session.open()
            await session.resend()
            await session.mark()
        except (SessionFailed, OSError) as error:
            tally.faults.append(f"a session could not go on after the restart: {error}")
        await session.close()

    await asyncio.gather(*(once(one) for one in sessions))


def kill_again_and_again(
    options: Options, kills: int, *, people: int = 20, longest: float = 2.5
) -> Tally:
    """Kill the server ``kills`` times under load and hold the store to account after each.

    ``people`` work at once, and at most ``longest`` seconds until the next kill. The store is never
    closed between two kills: a copy of it is held to account.
    """
    store = options.folder / "kills.duckdb"
    raters = make_store(store, items=_ITEMS, people=people)
    draw, tally = random.Random(options.seed), Tally()
    with Server(options.folder / "kills", store) as server:
        sessions = [Session(server.url, rater) for rater in raters]
        for _ in range(kills):
            asyncio.run(_until_killed(server, sessions, tally, draw.uniform(0, longest)))
            tally.in_flight += sum(one.pending is not None for one in sessions)
            lost = account(_copied(store), [w for one in sessions for w in one.writes])
            tally.by_kill.append(float(len(lost)))
            tally.faults += lost
            begun = time.perf_counter()
            try:
                server.start()
                tally.starts.append(1000 * (time.perf_counter() - begun))
            except ServerFailed as error:
                tally.faults.append(str(error))
                return tally
        asyncio.run(_go_on(sessions, tally))
        server.stop()
    tally.faults += account(store, [w for one in sessions for w in one.writes])
    return tally


def _copied(store: Path) -> Path:
    """The store as the kill left it, log and note included."""
    copy = store.with_name("copy.duckdb")
    for ending in ("", ".wal", ".saved"):
        there, here = (one.with_name(one.name + ending) for one in (store, copy))
        here.unlink(missing_ok=True)
        if there.exists():
            shutil.copyfile(there, here)
    return copy


def run(options: Options) -> list[Row]:
    """The rows of this benchmark: what each kill lost (the faults say what it was), and how long
    the server took to answer again."""
    kills = options.pick(50, 3)
    tally = kill_again_and_again(options, kills)
    return [
        Row(
            f"acknowledged saves lost in {tally.kills} × kill -9 under load",
            tally.by_kill,
            "p95",
            0,
            unit="lost",
            faults=tuple(tally.faults),
            note=f"{tally.saves:,} acknowledged saves; {tally.in_flight} without an answer when"
            " the server was killed went through after it",
        ),
        Row("the server answers again after a kill", tally.starts, "p95", 3_000),
    ]
