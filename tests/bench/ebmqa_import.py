"""A million answers to 100,000 questions, as CSV and as JSON lines, in turns with pandas."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb

from tests.bench.bulk import timed_apart
from tests.bench.ebmqa_page import DATASET, make_store
from tests.bench.rows import Options, Row

_BAR = 2
_MODELS = 10
# Nine in ten say an option's text, the others a number or that they do not know.
_WRITE = """
copy (
  select q.name as question_id, 'model-' || m as model,
    case when h % 10 = 0 then 'I do not know' when h % 10 = 1 then '2'
      else q.options ->> (h // 10 % q.n_options)::integer end as answer
  from ebmqa_question q, range($models) t(m),
    lateral (select (hash(q.seq * 64 + m + $seed) // 2)::bigint as h) where q.dataset = $dataset
  order by m, q.seq)
to '{file}' ({form})
"""


def write_answers(store: Path, file: Path, *, seed: int) -> None:
    """Answers of ten models to every question of the store, as a CSV file or as JSON lines."""
    form = "header" if file.suffix == ".csv" else "format json"
    with duckdb.connect(str(store), read_only=True) as opened:
        opened.execute(
            _WRITE.format(file=file, form=form),
            {"models": _MODELS, "seed": seed, "dataset": DATASET},
        )


def _row(options: Options, empty: Path, file: Path, answers: int) -> Row:
    plain, ours, faults = [], [], []
    for turn in range(options.pick(5, 2)):
        plain.append(timed_apart("pandas", str(file)))
        store = options.folder / f"{file.suffix[1:]}{turn}.duckdb"
        shutil.copy(empty, store)
        ours.append(timed_apart("ebmqa-answers", str(file), str(store)))
        store.unlink()
        if ours[-1]["rows"] != answers:
            faults.append(f"{ours[-1]['rows']} of {answers} answers were imported")
    best = min(one["cpu"] for one in ours) / min(one["cpu"] for one in plain)
    return Row(
        f"import of {answers:,} answers ({file.suffix[1:]}, {file.stat().st_size / 1e6:.0f} MB)",
        [one["wall"] for one in ours],
        "ratio",
        _BAR,
        unit="s",
        baseline=[one["wall"] for one in plain],
        faults=tuple(faults),
        note=f"baseline is pandas reading the file; by CPU, best of each, {best:.2f} ×;"
        f" {max(one['peak_mb'] for one in ours):,.0f} MB at most",
    )


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    questions = options.pick(100_000, 5_000)
    empty = options.folder / "asked.duckdb"
    make_store(empty, questions=questions, models=0, seed=options.seed)
    rows = []
    for suffix in ("csv", "jsonl"):
        file = options.folder / f"answers.{suffix}"
        write_answers(empty, file, seed=options.seed)
        rows.append(_row(options, empty, file, questions * _MODELS))
    return rows
