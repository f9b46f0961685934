"""A study handed over: everything as one zip against DuckDB's own CSV."""

from __future__ import annotations

import contextlib
import random
import time
from pathlib import Path

from medlens.app import everything
from medlens.config.settings import Settings
from medlens.review import items, raters
from medlens.store import Store, open_store
from medlens.tagging import tasks
from medlens.tagging.models import ErrorSpan, ErrorSpans
from tests.bench.rows import Options, Row

_ZIP_BAR = 3


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    return [_zip(options)]


def _zip(options: Options) -> Row:
    count = options.pick(200_000, 20_000)
    ours, plain, faults = [], [], []
    with contextlib.closing(open_store(options.folder / "many.duckdb")) as store:
        _judge(store, count, random.Random(options.seed))
        for turn in range(5):
            csv = options.folder / f"judgments-{turn}.csv"
            begun = time.perf_counter()
            with store._cursor() as cursor:
                cursor.execute(f"copy judgment to '{csv}' (format csv, header)")
            plain.append(time.perf_counter() - begun)
            target = options.folder / f"all-{turn}.zip"
            begun = time.perf_counter()
            everything.write(store, Settings(), target)
            ours.append(time.perf_counter() - begun)
        size = target.stat().st_size / csv.stat().st_size
        faults = _back(options.folder / "back.duckdb", target, count)
    return Row(
        f"everything of {count:,} judgments as a zip against DuckDB's CSV of them",
        ours,
        "ratio",
        _ZIP_BAR,
        unit="s",
        baseline=plain,
        faults=faults,
        note=f"{size:.2f} × the size of the CSV",
    )


def _back(path: Path, zipped: Path, count: int) -> tuple[str, ...]:
    """What is missing of an empty store that took it in."""
    with contextlib.closing(open_store(path)) as store:
        everything.read(store, zipped)
        [(there,)] = store.rows("select count(*) from judgment")
    return () if there == count else (f"{there} of {count} judgments came back",)


def _judge(store: Store, count: int, rng: random.Random) -> None:
    """Judgments of a tenth as many items by ten people, each with a marked span and a comment."""
    text = "The likeliest diagnosis is gout, since the joint is red and hot. " * 8
    new = [items.NewItem(f"i{n}", {"response": text, "n": n}) for n in range(count // 10)]
    items.add(store, new, study=tasks.STUDY, kind=tasks.ITEM_KIND, dataset="many")
    ids = [one for (one,) in store.rows("select id from item order by seq")]
    people = [raters.ensure(store, f"Rater {n}").id for n in range(10)]
    span = ErrorSpan(start=0, end=31, quote=text[:31], labels=("hallucination_of_information",))
    # Comments that no compression finds to be alike.
    body = ErrorSpans(spans=(span,), comment="COMMENT").model_dump_json()
    rows = [
        {
            "task": tasks.NAME,
            "item": item,
            "rater": rater,
            "revision": 1,
            "body": body.replace("COMMENT", f"{rng.getrandbits(256):x}"),
            "blind": True,
            "origin": "app",
            "complete": True,
            "active_seconds": 31.5,
            "idle_seconds": 2.0,
        }
        for item in ids
        for rater in people
    ]
    store.append("judgment", *rows)
