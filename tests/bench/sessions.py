"""A thousand sessions opened, worked in and closed: what of them stays in memory."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from tests.bench.material import make_store
from tests.bench.rows import Options, Row
from tests.bench.serving import Server
from tests.bench.session import Session, SessionFailed

_AT_ONCE = 10
_PEOPLE = 50
# More than twice as many as Streamlit keeps for tabs that come back: from then on each takes the
# place of another, also in the memory that was given back and is asked for again.
_KEPT = 300
# What the server holds goes up and down by some megabytes from moment to moment.
_LOOKS = 5
BAR = 1.05


def resident(server: Server) -> float:
    """The memory that the server's process occupies, in MB."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


async def come_and_go(url: str, raters: Sequence[str]) -> list[str]:
    """One session for each of ``raters``, all at once: it opens, runs once more, and is closed.

    Returns what went wrong.
    """
    errors: list[str] = []

    async def one(rater: str) -> None:
        session = Session(url, rater)
        try:
            await session.open()
            await session.rerun()
        except (SessionFailed, OSError) as error:
            errors.append(f"a session could not work: {error}")
        await session.close()

    await asyncio.gather(*(one(rater) for rater in raters))
    return errors


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    count = options.pick(1000, 100)
    store = options.folder / "sessions.duckdb"
    people = make_store(store, people=_PEOPLE)
    errors: list[str] = []
    opened = 0
    with Server(options.folder / "sessions", store) as server:

        def go_through(sessions: int) -> float:
            nonlocal opened
            for _ in range(0, sessions, _AT_ONCE):
                now = [people[(opened + at) % _PEOPLE] for at in range(_AT_ONCE)]
                errors.extend(asyncio.run(come_and_go(server.url, now)))
                opened += _AT_ONCE
            return resident(server)

        first = go_through(_AT_ONCE)
        go_through(_KEPT)
        before = [go_through(2 * _AT_ONCE) for _ in range(_LOOKS)]
        go_through(count - 2 * _AT_ONCE * _LOOKS)
        after = [go_through(2 * _AT_ONCE) for _ in range(_LOOKS)]
        if server.stop() != 0:
            errors.append("the server did not end as it was asked to")
    note = f"{first:,.0f} MB after the first {_AT_ONCE}; baseline after {_KEPT} more, which fill"
    note += f" what Streamlit keeps; {_LOOKS} looks, 20 sessions apart"
    return [
        Row(
            f"memory after {count:,} sessions, opened and closed",
            after,
            "ratio",
            BAR,
            unit="MB",
            baseline=before,
            note=note,
            faults=tuple(errors),
        )
    ]
