"""What reading a file in a process of its own costs, and what a hostile file does to others.

``python -m tests.bench.gate KIND FILE STORE`` is the direct way: the same readers on the store
itself, in the process that has it open.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from csv import writer as csv_writer
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from medlens.config.settings import Imports, load_settings
from medlens.store import open_store
from medlens.studies.registry import STUDIES, study_name_of_file_kind
from medlens.tables import Request
from tests.bench.account import account
from tests.bench.material import DATASET, make_items, make_store, write_g4ue, write_own
from tests.bench.rows import Options, Row
from tests.bench.serving import REPO, Server
from tests.bench.session import Session

_LONG = 100_200
"""Bytes of an item of 99,000 characters."""
_COST_BAR, _OTHERS_BAR, _MEMORY_BAR = 1.15, 2.0, 100.0


def directly(kind: str, file: Path, store: Path) -> int:
    """Import a file as it was done before there was a gate; returns the items."""
    opened = open_store(store)
    try:
        declared = STUDIES[study_name_of_file_kind(kind)]
        request = Request(file, file.name, DATASET)
        study = declared.open(opened, load_settings(), DATASET)
        return declared.imports[kind].read(opened, study, request).added
    finally:
        opened.close()


def _spent(*words: str) -> tuple[float, float]:
    """What a command costs, its start included: seconds by the clock, seconds of processor."""
    before, begun = os.times(), time.perf_counter()
    done = subprocess.run([sys.executable, "-m", *words], cwd=REPO, capture_output=True, text=True)
    took, after = time.perf_counter() - begun, os.times()
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)} ended with {done.stderr[-2000:]}")
    user = after.children_user - before.children_user
    return took, user + after.children_system - before.children_system


def cost(
    options: Options, count: int, *, turns: int, kinds: Sequence[str] = ("g4ue-items", "items")
) -> list[Row]:
    """``count`` items of each kind by the command line and directly, in turns."""
    files = {
        "g4ue-items": options.folder / "items.jsonl",
        "items": options.folder / "items.csv",
    }
    write_g4ue(files["g4ue-items"], make_items(count))
    write_own(files["items"], make_items(count))
    rows = []
    for kind in kinds:
        file = files[kind]
        gate, direct = [], []
        store = options.folder / "cost.duckdb"
        for _ in range(turns):
            direct.append(_spent("tests.bench.gate", kind, str(file), str(store)))
            store.unlink()
            gate.append(
                _spent(
                    "medlens",
                    "--store",
                    str(store),
                    "import",
                    kind,
                    str(file),
                    "--dataset",
                    DATASET,
                )
            )
            with_all = _counted(store)
            store.unlink()
        faults = () if with_all == count else (f"{with_all} of {count} items were imported",)
        best = min(cpu for _, cpu in gate) / min(cpu for _, cpu in direct)
        rows.append(
            Row(
                f"{count:,} items through the gate ({file.suffix[1:]})",
                [took for took, _ in gate],
                "ratio",
                _COST_BAR,
                unit="s",
                baseline=[took for took, _ in direct],
                faults=faults,
                note="process start included; baseline is the same readers on the store itself;"
                f" by CPU, best of each, {best:.2f} ×",
            )
        )
    return rows


def _counted(path: Path) -> int:
    store = open_store(path)
    try:
        return int(store.rows("select count(*) from item")[0][0])
    finally:
        store.close()


def hostile(path: Path, rows: int) -> Path:
    """A Parquet file of kilobytes that holds ``rows`` rows of 4,000 characters."""
    place = pa.array([0] * rows, pa.int32())
    text = pa.DictionaryArray.from_arrays(place, pa.array(["x" * 2_000]))
    pq.write_table(pa.table({"item": place, "question": text, "response": text}), path)
    return path


def beside(options: Options, marks: int, *, rows: int = 2_000_000, settings: str = "") -> list[Row]:
    """What a hostile file, handed to the app, does to its memory and to somebody who marks.

    ``settings`` are the app's own beside those of every benchmark.
    """
    path = options.folder / "store.duckdb"
    people = make_store(path, items=24, people=1)
    file = hostile(options.folder / "bomb.parquet", rows)
    before, during, faults = [], [], []
    with Server(options.folder / "server", path, more=settings) as server:
        assert server.process
        status = Path(f"/proc/{server.process.pid}/status")

        async def work() -> tuple[float, str]:
            session = Session(server.url, people[0])
            await session.open()
            for _ in range(marks):
                before.append(1000 * await session.mark())
                await asyncio.sleep(0.1)
            Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")
            held = _peak_mb(status)
            command = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "medlens",
                    "--store",
                    str(path),
                    "import",
                    "items",
                    str(file),
                ],
                cwd=REPO,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            while command.poll() is None:
                during.append(1000 * await session.mark())
                await asyncio.sleep(0.1)
            grown = _peak_mb(status) - held
            assert command.stdout
            said = command.stdout.read().decode()
            await session.close()
            faults.extend(account_of(session))
            return grown, said

        def account_of(session: Session) -> list[str]:
            server.stop()
            return list(account(path, session.writes))

        grown, said = asyncio.run(work())
    if "of memory to be read" not in said:
        faults.append(f"the file was not refused: {said[-300:]}")
    what = f"a hostile file of {file.stat().st_size / 1e3:,.0f} kB"
    return [
        Row(
            f"a mark while {what} is read",
            during,
            "ratio",
            _OTHERS_BAR,
            baseline=before,
            faults=tuple(faults),
            note=f"{len(during)} marks, baseline before it came",
        ),
        Row(
            f"memory of the server, {what}",
            [grown],
            "median",
            _MEMORY_BAR,
            unit="MB",
            faults=tuple(faults),
            note="its peak over what it held before",
        ),
    ]


def good(options: Options, count: int, long: int) -> list[Row]:
    """What files that are imported add to the app's memory: ``count`` responses as JSON lines and
    CSV, ``long`` pages of 200,000 characters, and items of the longest texts, as many as may come
    in."""
    jsonl, csv, wide, pages = (
        options.folder / name
        for name in ("good.jsonl", "good.csv", "long rows.csv", "long pages.csv")
    )
    write_g4ue(jsonl, make_items(count))
    write_own(csv, make_items(count))
    most = (Imports().long_rows_mb << 20) // _LONG
    write_own(wide, make_items(min(most, long), characters=99_000))
    with pages.open("w", encoding="utf-8", newline="") as out:
        write = csv_writer(out).writerow
        write(["url", "status", "text"])
        for one in make_items(long, characters=200_000):
            write([f"https://a.example/{one.number}", 200, one.response])
    rows = []
    for kind, file in (
        ("g4ue-items", jsonl),
        ("items", csv),
        ("items", wide),
        ("sourcecheckup-sources", pages),
    ):
        path = options.folder / f"{file.stem}{file.suffix}.duckdb"
        make_store(path)
        words = ["--store", str(path), "import", kind, str(file), "--dataset", "good"]
        with Server(options.folder / f"server {file.name}", path) as server:
            assert server.process
            process = Path(f"/proc/{server.process.pid}")
            (process / "clear_refs").write_text("5")
            held = _peak_mb(process / "status")
            said = subprocess.run(
                [sys.executable, "-m", "medlens", *words], cwd=REPO, capture_output=True, text=True
            )
            grown = _peak_mb(process / "status") - held
        faults = () if said.returncode == 0 else (said.stderr[-500:],)
        rows.append(
            Row(
                f"memory of the server, {file.name} of {file.stat().st_size / 1e6:,.0f} MB",
                [grown],
                "median",
                _MEMORY_BAR,
                unit="MB",
                faults=faults,
                note="imported; its peak over what it held before",
            )
        )
    return rows


def _peak_mb(status: Path) -> float:
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
    assert found
    return int(found[1]) / 1024


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    count = options.pick(58_000, 2_000)
    return [
        *cost(options, count, turns=options.pick(3, 2)),
        *beside(options, options.pick(40, 10), rows=options.pick(2_000_000, 500_000)),
        *good(options, count, options.pick(550, 20)),
    ]


if __name__ == "__main__":
    kind, file, store = sys.argv[1:]
    print(directly(kind, Path(file), Path(store)))
