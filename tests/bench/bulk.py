"""58,000 items: their import against pandas, the tagging page on them, and a restart."""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.account import account
from tests.bench.cpu import Spent, work_through
from tests.bench.material import add_people, make_items, make_store, write_g4ue, write_own
from tests.bench.rows import Options, Row
from tests.bench.serving import ONE_LINE, REPO, Server, ServerFailed
from tests.bench.session import Session, SessionFailed

_IMPORT_BAR, _PAGE_BAR, _READY_BAR = 5, 1.5, 3.0


def timed_apart(*arguments: str) -> dict[str, float]:
    """A piece of work in a process of its own; see ``tests.bench.timed``."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.timed", *arguments],
        cwd=REPO,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def imports(
    options: Options, count: int, *, turns: int, kinds: Sequence[str] = ("g4ue-items", "items")
) -> tuple[list[Row], Path]:
    """Import ``count`` items in these forms, in turns with pandas; rows and the last store."""
    files = {
        "g4ue-items": options.folder / "items.jsonl",
        "items": options.folder / "items.csv",
    }
    write_g4ue(files["g4ue-items"], make_items(count))
    write_own(files["items"], make_items(count))
    rows, store = [], options.folder / "none"
    for kind in kinds:
        file = files[kind]
        plain, ours, faults = [], [], []
        for turn in range(turns):
            plain.append(timed_apart("pandas", str(file)))
            store = options.folder / f"{kind}-{turn}.duckdb"
            ours.append(timed_apart(kind, str(file), str(store)))
            if ours[-1]["rows"] != count:
                faults.append(f"{ours[-1]['rows']} of {count} items were imported")
        size = file.stat().st_size / 1e6
        name = f"import of {count:,} items ({file.suffix[1:]}, {size:.0f} MB)"
        best = min(one["cpu"] for one in ours) / min(one["cpu"] for one in plain)
        rows.append(
            Row(
                name,
                [one["wall"] for one in ours],
                "ratio",
                _IMPORT_BAR,
                unit="s",
                baseline=[one["wall"] for one in plain],
                faults=tuple(faults),
                note=f"baseline is pandas; by CPU, best of each, {best:.2f} ×;"
                f" {max(one['peak_mb'] for one in ours):,.0f} MB at most,"
                f" pandas {max(one['peak_mb'] for one in plain):,.0f} MB",
            )
        )
    return rows, store


def _pages(options: Options, many: Path, count: int) -> list[Row]:
    """The same work on ``count`` items and on 24, in turns, on two servers."""
    few = options.folder / "few.duckdb"
    few_people = make_store(few, items=24, people=2)
    people = add_people(many, 2)
    drafts, submits = (Spent(), Spent()), (Spent(), Spent())
    sessions: tuple[list[Session], list[Session]] = ([], [])
    with (
        Server(options.folder / "few", few) as small,
        Server(options.folder / "many", many) as large,
    ):
        for turn in range(2):
            for at, (server, rater) in enumerate(
                ((small, few_people[turn]), (large, people[turn]))
            ):
                session = Session(server.url, rater)
                draft, submit = asyncio.run(work_through(server, session, options.pick(10, 3)))
                for whole, part in ((drafts[at], draft), (submits[at], submit)):
                    whole.cpu += part.cpu
                    whole.trip += part.trip
                sessions[at].append(session)
        small.stop()
        large.stop()
    faults = (
        *account(few, [w for one in sessions[0] for w in one.writes]),
        *account(many, [w for one in sessions[1] for w in one.writes]),
    )

    def against(work: str, values: list[float], base: list[float]) -> Row:
        return Row(
            f"{work}, {count:,} items against 24",
            values,
            "ratio",
            _PAGE_BAR,
            baseline=base,
            faults=faults,
        )

    return [
        against("CPU of a draft", drafts[1].cpu, drafts[0].cpu),
        against("CPU of submit and next", submits[1].cpu, submits[0].cpu),
        against("round trip of a draft", drafts[1].trip, drafts[0].trip),
        against("round trip of submit and next", submits[1].trip, submits[0].trip),
    ]


async def _first_page(server: Server, rater: str, since: float) -> float:
    """Seconds from ``since`` until a person has an item before them; calls until it answers."""
    while True:
        session = Session(server.url, rater)
        try:
            await session.open()
        except OSError as error:
            if not server.alive or time.perf_counter() - since > 60:
                raise ServerFailed(server.log()[-2000:]) from error
            await asyncio.sleep(0.02)
            continue
        took = time.perf_counter() - since
        await session.close()
        return took


def _restarts(options: Options, store: Path, count: int) -> Row:
    """From starting the process to the first page, in turns with a one-line app."""
    people = add_people(store, 1)
    script = options.folder / "one_line.py"
    script.write_text(ONE_LINE)
    ours, plain, cpu, plain_cpu, faults = [], [], [], [], []
    for turn in range(options.pick(5, 3)):
        simple = Server(options.folder / f"plain{turn}", script=script)
        begun = time.perf_counter()
        simple.start()
        plain.append(time.perf_counter() - begun)
        plain_cpu.append(simple.cpu_ms() / 1000)
        simple.kill()
        server = Server(options.folder / f"again{turn}", store)
        begun = time.perf_counter()
        server.launch()
        try:
            ours.append(asyncio.run(_first_page(server, people[0], begun)))
        except (SessionFailed, ServerFailed) as error:
            faults.append(str(error))
        else:
            cpu.append(server.cpu_ms() / 1000)
        server.kill()
    return Row(
        f"restart to the first page, {count:,} items",
        ours,
        "median",
        _READY_BAR,
        unit="s",
        baseline=plain,
        faults=tuple(faults),
        note="after kill -9; baseline is a one-line Streamlit app until it answers at all; by CPU,"
        f" best of each, {min(cpu, default=math.nan):.1f} s and {min(plain_cpu):.1f} s",
    )


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    count = options.pick(58_000, 2_000)
    rows, store = imports(options, count, turns=options.pick(3, 2))
    return [*rows, *_pages(options, store, count), _restarts(options, store, count)]
