"""58,000 items: their import in each form against DuckDB, which loads the same file into a table.

As a program of its own it does one piece of that in a new process, and prints what it cost:
``python -m tests.bench.items_import KIND FILE STORE``, with ``duckdb`` for a KIND.
"""

from __future__ import annotations

import contextlib
import csv
import json
import random
import subprocess
import sys
from pathlib import Path

import pandas as pd

from medlens.app import work_behind_commands
from medlens.store import open_store
from tests.bench.material import _sentence, make_items, write_g4ue, write_own
from tests.bench.rows import Options, Row
from tests.bench.serving import REPO
from tests.bench.sourcecheckup_import import cost_of_import, load_into_duckdb
from tests.bench.timed import timed

_SECONDS = 4.0
DATASET = "bench"
_COLUMNS = ("question", "specialty", "answer")
_STUDY = f'id = "{DATASET}"\ntitle = "T"\ninstructions = "I"\n'
_STUDY += "".join(f'[[column]]\nname = "{name}"\nmeans = "m"\n' for name in _COLUMNS)
_STUDY += '[[pane]]\ntitle = "P"\ncolumn = "answer"\n'
_STUDY += '[[question]]\nid = "q"\nkind = "yes_no"\ntext = "Q"\n'


def write_items_of_own_study(path: Path, count: int, *, seed: int) -> None:
    """A CSV file of items of some 900 characters."""
    draw = random.Random(seed)
    sentences = [_sentence(draw) for _ in range(2000)]
    with path.open("w", encoding="utf-8", newline="") as file:
        write = csv.writer(file).writerow
        write(["item", *_COLUMNS])
        for at in range(count):
            question, answer = (" ".join(draw.choices(sentences, k=k)) for k in (2, 8))
            write([f"c{at}", question, draw.choice(("cardiology", "neurology")), answer])


def _cost(kind: str, file: Path, path: Path) -> dict[str, float]:
    if kind == "duckdb":
        return timed(lambda: load_into_duckdb(file))
    if kind == "own-items":
        with contextlib.closing(open_store(path)) as store:
            work_behind_commands.declare_study_and_return_report_text(store, _STUDY, "STUDY.toml")
    return cost_of_import(file, path, kind, DATASET)


def _child(*arguments: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.items_import", *arguments],
        cwd=REPO,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    count = options.pick(58_000, 2_000)
    files = {
        name: options.folder / name
        for name in ("own.csv", "own.parquet", "items.csv", "g4ue.jsonl")
    }
    write_items_of_own_study(files["own.csv"], count, seed=options.seed)
    pd.read_csv(files["own.csv"], dtype=str).to_parquet(files["own.parquet"])
    write_own(files["items.csv"], make_items(count, seed=options.seed))
    write_g4ue(files["g4ue.jsonl"], make_items(count, seed=options.seed))
    kinds = {"own": "own-items", "items": "items", "g4ue": "g4ue-items"}
    rows = []
    for name, file in files.items():
        plain, ours = [], []
        for turn in range(options.pick(3, 1)):
            plain.append(_child("duckdb", str(file), ""))
            store = options.folder / f"{name}.{turn}.duckdb"
            ours.append(_child(kinds[file.stem], str(file), str(store)))
            store.unlink()
        wrong = [one["rows"] for one in (*plain, *ours) if one["rows"] != count]
        rows.append(
            Row(
                f"{count:,} items in, {kinds[file.stem]}, {file.suffix[1:]}"
                f" of {file.stat().st_size / 1e6:.0f} MB",
                [one["wall"] for one in ours],
                "median",
                _SECONDS,
                unit="s",
                baseline=[one["wall"] for one in plain],
                faults=tuple(f"{n} of {count} rows came in" for n in wrong),
                note="baseline is DuckDB's own; processor, best of each:"
                f" {min(one['cpu'] for one in ours):.2f} s the app's,"
                f" {min(one['reader'] for one in ours):.2f} s its reader's,"
                f" {min(one['cpu'] for one in plain):.2f} s DuckDB's;"
                f" {max(one['peak_mb'] for one in ours):,.0f} MB at most",
            )
        )
    return rows


if __name__ == "__main__":
    kind, place, store = sys.argv[1:]
    print(json.dumps(_cost(kind, Path(place), Path(store))))
