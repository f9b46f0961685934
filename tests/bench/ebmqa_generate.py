"""Questions from a graph: against DuckDB reading and grouping its edges, and 20 million of them."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import duckdb

from medlens.store import open_store
from medlens.studies.ebmqa import question_set_inserts_and_queries
from medlens.studies.ebmqa.graph import make_questions_from_edge_file
from tests.bench.rows import Options, Row
from tests.bench.serving import REPO

_BAR, _LINEAR, _MEMORY = 3.0, 1.3, 8.0
# Edges of one question lie scattered over the file; some have two targets and are left out.
_MAKE = """
copy (
  select case when h % 10 < 7 then 'Sensitivity' else $types[(h // 10 % len($types) + 1)::integer]
      end as qa_type,
    'disorder ' || t as source, 'disorder' as source_type, 'Discipline ' || t % 17
      as source_disciplines,
    'finding ' || s || case when i >= $questions and i % 4 = 0 then '; another' else '' end
      as target,
    'sign' as target_type, case when s % 3 = 0 then 'Discipline ' || s % 17 end
      as target_disciplines,
    case when h % 5 = 0 then 'adults of group ' || h // 5 % 40 end as background,
    case when h % 5 = 0 then 'population' end as background_type, null as relation,
    v as min, v + 0.01 as max, 'PMID ' || i as citations
  from (select i, g, g % 2543 as s, g // 2543 % 7746 as t, (hash(g) // 2)::bigint as h,
          (hash(i) // 2)::bigint % 9000 / 10000 + 0.02 as v
        from (select i, i * 7919 % $questions as g from range($edges) r(i))))
to '{file}' ({form})
"""
_TYPES = ["Specificity", "PPV", "NPV", "Prevalence", "Incidence", "Association"]


def make_graph(file: Path, *, edges: int, questions: int) -> None:
    """A graph that gives so many questions, as CSV or Parquet by the file's name."""
    form = "header" if file.suffix == ".csv" else "format parquet"
    with duckdb.connect() as db:
        db.execute(
            _MAKE.format(file=file, form=form),
            {"edges": edges, "questions": questions, "types": _TYPES},
        )


_KEYS = "qa_type, source, target, background"
_BESIDE = (
    *("source_type", "source_disciplines", "target_type", "target_disciplines"),
    *("background_type", "relation", "citations"),
)


def grouped(file: Path, *, whole: bool) -> float:
    """Seconds that DuckDB takes to read the edges and group them once by what they are about.

    ``whole`` reads all their columns and keeps one value of each; otherwise the keys and numbers.
    """
    kept = "".join(f", any_value({column}) as {column}" for column in _BESIDE) if whole else ""
    start = time.perf_counter()
    with duckdb.connect() as db:
        db.execute(
            f"create table grouped as select {_KEYS}, avg((min + max) / 2) as middle,"
            f" count(*) as n{kept} from '{file}' group by {_KEYS}"
        )
    return time.perf_counter() - start


def small(options: Options) -> list[Row]:
    """300,000 edges as CSV, in turns with DuckDB; and what storing the questions adds."""
    edges, expected = options.pick(300_000, 6_000), options.pick(105_000, 2_100)
    file = options.folder / "edges.csv"
    make_graph(file, edges=edges, questions=expected)
    plain, keys, made, stored, faults = [], [], [], [], []
    for turn in range(options.pick(5, 2)):
        plain.append(grouped(file, whole=True))
        keys.append(grouped(file, whole=False))
        start = time.perf_counter()
        found = make_questions_from_edge_file(file)
        made.append(time.perf_counter() - start)
        if len(found.questions) != expected:
            faults.append(f"{len(found.questions)} of {expected} questions were made")
        store = open_store(options.folder / f"{turn}.duckdb")
        start = time.perf_counter()
        question_set_inserts_and_queries.add_question_set_and_return_added(
            store, found.questions, dataset="bench", origin={}
        )
        stored.append(time.perf_counter() - start)
        store.close()
    work = f"{expected:,} questions from {edges:,} edges"
    return [
        Row(
            work,
            made,
            "ratio",
            _BAR,
            unit="s",
            baseline=plain,
            faults=tuple(faults),
            note="baseline is DuckDB reading and grouping the edges once, all columns kept",
        ),
        Row(
            "the same beside reading their keys and numbers alone",
            made,
            "none",
            unit="s",
            baseline=keys,
        ),
        Row(f"{expected:,} questions into the store", stored, "none", unit="s"),
    ]


def large(options: Options) -> list[Row]:
    """2 and 20 million edges, each in a process of its own."""
    sizes = (options.pick(2_000_000, 20_000), options.pick(20_000_000, 200_000))
    found, faults = [], []
    for edges in sizes:
        file = options.folder / f"{edges}.parquet"
        make_graph(file, edges=edges, questions=edges // 20)
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.ebmqa_generate", str(file)],
            cwd=REPO,
            capture_output=True,
            text=True,
        )
        file.unlink()
        if done.returncode:
            faults.append(f"{edges:,} edges: {done.stderr.strip().splitlines()[-1]}")
            break
        found.append(json.loads(done.stdout))
        if found[-1]["questions"] != edges // 20:
            faults.append(f"{found[-1]['questions']} of {edges // 20} questions were made")
    each = [one["seconds"] / edges * 1e6 for one, edges in zip(found, sizes, strict=False)]
    peak = [one["peak_gb"] for one in found]
    return [
        Row(
            f"time per edge, {sizes[0]:,} to {sizes[1]:,} edges",
            each[1:],
            "ratio",
            _LINEAR,
            unit="µs",
            baseline=each[:1],
            faults=tuple(faults),
            note=", ".join(f"{one['seconds']:.1f} s" for one in found),
        ),
        Row(f"memory for {sizes[1]:,} edges", peak[1:], "median", _MEMORY, unit="GB"),
    ]


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    return [*small(options), *large(options)]


if __name__ == "__main__":
    began = time.perf_counter()
    questions = len(make_questions_from_edge_file(Path(sys.argv[1])).questions)
    print(
        json.dumps(
            {
                "seconds": time.perf_counter() - began,
                "questions": questions,
                "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
            }
        )
    )
