"""58,000 pairs over 9,000 sources of 7,000 tokens: their import against pandas on the same files.

As a program of its own it does one piece of that in a new process, and prints what it cost:
``python -m tests.bench.sourcecheckup_import pandas|import FOLDER ENDING [STORE]``, or
``duckdb|rows FILE "" [STORE]``.
"""

from __future__ import annotations

import contextlib
import csv
import json
import math
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from medlens.app import work_behind_commands
from medlens.app.file_intake.reader_processes import readers_of_this_process
from medlens.config.settings import load_settings
from medlens.store import Store, open_store
from tests.bench.material import _sentence
from tests.bench.rows import Options, Row
from tests.bench.serving import REPO
from tests.bench.timed import read_with_pandas, timed

DATASET = "bench"
BEFORE = ("questions", "responses", "statements")
MEASURED = ("sources", "pairs")
_BAR, _SECONDS = 2.0, 4.0
_STATEMENTS, _CITED = 5, 2
_CHARACTERS = 28_000


def write_files(
    folder: Path, ending: str, *, pairs: int, seed: int, characters: int = _CHARACTERS
) -> dict[str, Path]:
    """The study as files of one ending (csv or jsonl), by kind."""
    draw = random.Random(seed)
    sentences = [_sentence(draw) for _ in range(2000)]
    responses = pairs // (_STATEMENTS * _CITED)
    sources = max(2, pairs * 9 // 58)
    urls = [f"https://site{n % 700}.example.org/health/page-{n}" for n in range(sources)]

    def cited(response: int) -> list[str]:
        return [urls[(response * _CITED + n) % sources] for n in range(_CITED)]

    def texts() -> Iterator[dict[str, Any]]:
        for url in urls:
            paragraphs = (" ".join(draw.choices(sentences, k=5)) for _ in range(60))
            yield {"url": url, "status": 200, "text": "\n\n".join(paragraphs)[:characters]}

    def verdicts() -> Iterator[dict[str, Any]]:
        for response in range(responses):
            for statement in range(_STATEMENTS):
                for url in cited(response):
                    yield {
                        "statement_id": f"s{response}-{statement}",
                        "url": url,
                        "rater": "gpt-4o",
                        "verdict": draw.choice(("supported", "supported", "not_supported")),
                        "reason": draw.choice(sentences),
                        "quote": draw.choice(sentences),
                    }

    made: dict[str, Iterator[dict[str, Any]]] = {
        "questions": (
            {"question_id": f"q{n}", "question": draw.choice(sentences), "group": f"g{n % 2}"}
            for n in range(max(1, responses // 7))
        ),
        "responses": (
            {
                "response_id": f"r{n}",
                "question_id": f"q{n % max(1, responses // 7)}",
                "model": f"model-{n % 7}",
                "response": " ".join(draw.choices(sentences, k=5)),
                "urls": " ".join(cited(n)),
            }
            for n in range(responses)
        ),
        "statements": (
            {
                "statement_id": f"s{n}-{k}",
                "response_id": f"r{n}",
                "statement": draw.choice(sentences),
            }
            for n in range(responses)
            for k in range(_STATEMENTS)
        ),
        "sources": texts(),
        "pairs": verdicts(),
    }
    files = {kind: folder / f"{kind}.{ending}" for kind in made}
    for kind, rows in made.items():
        _write(files[kind], rows)
    return files


def _write(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".jsonl":
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            return
        first = next(rows)
        writer = csv.DictWriter(file, list(first))
        writer.writeheader()
        writer.writerow(first)
        writer.writerows(rows)


def _as_others_have_it(pairs: Path) -> dict[str, Path]:
    """A CSV file of pairs in other forms, by what is said of them."""
    rows = pd.read_csv(pairs, dtype=str, keep_default_na=False)
    more = rows.assign(dataset=DATASET, specialty="cardiology", note=rows["statement_id"])
    made = {
        "CSV": pairs,
        "CSV with its dataset and 2 further columns": pairs.with_name("further.csv"),
        "Parquet": pairs.with_suffix(".parquet"),
        "Parquet with its dataset and 2 further columns": pairs.with_name("further.parquet"),
    }
    rows.to_parquet(made["Parquet"])
    more.to_csv(made["CSV with its dataset and 2 further columns"], index=False)
    more.to_parquet(made["Parquet with its dataset and 2 further columns"])
    return made


def _cpu_of_children() -> float:
    """Seconds of processor that this process's children took, and theirs that ended."""
    seconds = 0.0
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The name of a program may hold spaces.
            told = place.read_text().rpartition(")")[2].split()
            if int(told[1]) == os.getpid():
                seconds += sum(map(int, told[11:15])) / os.sysconf("SC_CLK_TCK")
    return seconds


def cost_of_import(file: Path, path: Path, kind: str, dataset: str) -> dict[str, float]:
    """What the import of a file into a store costs, with its reader's processor apart."""
    # As the command opens it.
    with contextlib.closing(open_store(path, briefly=True)) as store:
        with readers_of_this_process().start_reader_and_end_it_after_block():
            # As in a server, which has begun what makes readers before somebody waits.
            pass
        before = _cpu_of_children()

        def take() -> int:
            return work_behind_commands.import_file(
                store, load_settings(), kind, file, name=file.name, dataset=dataset
            ).added

        cost = timed(take)
    reader = cost["readers_cpu"]
    return cost | {"cpu": cost["cpu"] - reader, "reader": reader - before}


def load_into_duckdb(file: Path) -> int:
    """Load a file into a table of DuckDB's own, in a store on disk; returns the rows."""
    path = file.with_name("plain.duckdb")
    path.unlink(missing_ok=True)
    with duckdb.connect(path) as database:
        database.execute(f"create table t as select * from '{file}'")
        [(rows,)] = database.execute("select count(*) from t").fetchall()
    return int(rows)


def forms(options: Options, pairs: int) -> list[Row]:
    """The pairs alone, in each form, in turns with DuckDB; the sources are short."""
    folder = options.folder / "forms"
    folder.mkdir()
    files = write_files(folder, "csv", pairs=pairs, seed=options.seed, characters=500)
    prepared = folder / "prepared.duckdb"
    with contextlib.closing(open_store(prepared)) as store:
        _take(store, folder, "csv", (*BEFORE, "sources"))
    rows = []
    for said, file in _as_others_have_it(files["pairs"]).items():
        plain, ours = [], []
        for turn in range(options.pick(3, 1)):
            path = folder / f"{turn}.duckdb"
            shutil.copyfile(prepared, path)
            plain.append(_child("duckdb", str(file), ""))
            ours.append(_child("rows", str(file), "", str(path)))
            path.unlink()
        wrong = [one["rows"] for one in (*plain, *ours) if one["rows"] != pairs]
        rows.append(
            Row(
                f"{pairs:,} rows in, {said}",
                [one["wall"] for one in ours],
                "median",
                _SECONDS,
                unit="s",
                baseline=[one["wall"] for one in plain],
                faults=tuple(f"{n} of {pairs} rows came in" for n in wrong),
                note="baseline is DuckDB's own; processor, best of each:"
                f" {min(one['cpu'] for one in ours):.2f} s the app's,"
                f" {min(one['reader'] for one in ours):.2f} s its reader's,"
                f" {min(one['cpu'] for one in plain):.2f} s DuckDB's",
            )
        )
    return rows


def _take(store: Store, folder: Path, ending: str, kinds: Sequence[str]) -> int:
    added = 0
    for kind in kinds:
        file = folder / f"{kind}.{ending}"
        added += work_behind_commands.import_file(
            store, load_settings(), f"sourcecheckup-{kind}", file, name=file.name, dataset=DATASET
        ).added
    return added


def _work(what: str, folder: Path, ending: str, path: Path) -> Callable[[], int]:
    if what == "pandas":
        return lambda: sum(read_with_pandas(folder / f"{kind}.{ending}") for kind in MEASURED)
    # As the command opens it.
    store = open_store(path, briefly=True)
    _take(store, folder, ending, BEFORE)

    def take() -> int:
        try:
            return _take(store, folder, ending, MEASURED)
        finally:
            # Closing writes what is still in the log: it is part of the work.
            store.close()

    return take


def _child(*arguments: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.sourcecheckup_import", *arguments],
        cwd=REPO,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def imports(options: Options, ending: str, pairs: int) -> Row:
    """Import in turns with pandas, each in a process of its own.

    JSON lines is held against the bar. From CSV pandas reads so fast that making the texts durable
    takes longer by itself: a figure for orientation.
    """
    folder = options.folder / ending
    folder.mkdir()
    files = write_files(folder, ending, pairs=pairs, seed=options.seed)
    expected = pairs + max(2, pairs * 9 // 58)
    plain, ours, faults = [], [], []
    for turn in range(options.pick(3, 2)):
        plain.append(_child("pandas", str(folder), ending))
        ours.append(_child("import", str(folder), ending, str(folder / f"{turn}.duckdb")))
        (folder / f"{turn}.duckdb").unlink()
        if ours[-1]["rows"] != expected:
            faults.append(f"{ours[-1]['rows']} of {expected} rows were imported")
    size = sum(files[kind].stat().st_size for kind in MEASURED) / 1e6
    best = min(one["cpu"] for one in ours) / min(one["cpu"] for one in plain)
    return Row(
        f"import of {pairs:,} pairs and their sources ({ending}, {size:.0f} MB)",
        [one["wall"] for one in ours],
        "ratio" if ending == "jsonl" else "none",
        _BAR if ending == "jsonl" else math.nan,
        unit="s",
        baseline=[one["wall"] for one in plain],
        faults=tuple(faults),
        note=f"baseline is pandas; by CPU, best of each, {best:.2f} ×;"
        f" {max(one['peak_mb'] for one in ours):,.0f} MB at most,"
        f" pandas {max(one['peak_mb'] for one in plain):,.0f} MB",
    )


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    pairs = options.pick(58_000, 2_000)
    return [
        *forms(options, pairs),
        *(imports(options, ending, pairs) for ending in ("jsonl", "csv")),
    ]


if __name__ == "__main__":
    what, place, ending, *store = sys.argv[1:]
    if what == "duckdb":
        cost = timed(lambda: load_into_duckdb(Path(place)))
    elif what == "rows":
        # Its dataset is said where it names none itself.
        said = "" if Path(place).stem == "further" else DATASET
        cost = cost_of_import(Path(place), Path(store[0]), "sourcecheckup-pairs", said)
    else:
        work = _work(what, Path(place), ending, Path(store[0] if store else ""))
        # What went before took its part of the readers' processor, too, and is no more measured
        # there than in the time.
        before = _cpu_of_children()
        cost = timed(work)
        cost |= {name: cost[name] - before for name in ("cpu", "readers_cpu")}
    print(json.dumps(cost))
