"""A study handed over: everything as one zip against DuckDB's own CSV, and its report."""

from __future__ import annotations

import contextlib
import os
import random
import time
from pathlib import Path

from medlens.app import store_zip_writing_and_reading, study_report, work_behind_commands
from medlens.config.settings import Settings
from medlens.review import items, raters
from medlens.store import Store, open_store
from medlens.studies.tagging import tasks
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.studies.tagging.study_in_dataset import TaggingSettings
from medlens.studies.tagging.taxonomy import load_taxonomy
from tests.bench.rows import Options, Row

_ZIP_BAR, _REPORT_BAR = 3, 20
_TIMES = 5
_SHARED = Path(os.environ.get("MEDLENS_SHARED", Path(__file__).parents[3] / "shared"))


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    return [_zip(options), *_reports(options)]


def _reports(options: Options) -> list[Row]:
    """Reports of what is here of the published study, and of a made-up one of its whole size."""
    rows = []
    folder = _SHARED / "data/g4ue"
    if folder.is_dir():
        with contextlib.closing(open_store(options.folder / "g4ue.duckdb")) as store:
            for kind, name in (
                ("g4ue-items", "items.jsonl"),
                ("g4ue-annotations", "raw_annotations.csv"),
            ):
                work_behind_commands.import_file(store, Settings(), kind, folder / name, name=name)
            rows += _report(store, "the published sample of G4UE")
    with contextlib.closing(open_store(options.folder / "size.duckdb")) as store:
        _judge(store, options.pick(300, 30) * 10, random.Random(options.seed), spans=True)
        rows += _report(store, f"{options.pick(300, 30)} responses judged by ten each")
    return rows


def _report(store: Store, what: str) -> list[Row]:
    rows = []
    for form in study_report.FORMATS:
        taken = []
        for _ in range(_TIMES):
            begun = time.perf_counter()
            study_report.render_report_file(store, Settings(), tasks.STUDY, form=form)
            taken.append(time.perf_counter() - begun)
        rows.append(Row(f"report of {what}, {form}", taken, "median", _REPORT_BAR, unit="s"))
    return rows


def _zip(options: Options) -> Row:
    count = options.pick(200_000, 20_000)
    ours, plain = [], []
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
            store_zip_writing_and_reading.write_store_zip_and_return_report_text(
                store, Settings(), target
            )
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
        store_zip_writing_and_reading.read_store_zip_and_return_report_text(store, zipped)
        [(there,)] = store.rows("select count(*) from judgment")
    return () if there == count else (f"{there} of {count} judgments came back",)


def _judge(store: Store, count: int, rng: random.Random, *, spans: bool = False) -> None:
    """Judgments of a tenth as many items by ten people, each with a marked span and a comment."""
    text = "The likeliest diagnosis is gout, since the joint is red and hot. " * 8
    new = [items.NewItem(f"i{n}", {"response": text, "n": n}) for n in range(count // 10)]
    items.add_items(store, new, study=tasks.STUDY, kind=tasks.ITEM_KIND, dataset="many")
    ids = [one for (one,) in store.rows("select id from item order by seq")]
    people = [raters.find_or_add_rater_by_name(store, f"Rater {n}").id for n in range(10)]
    span = ErrorSpan(start=0, end=31, quote=text[:31], labels=("hallucination_of_information",))
    # Comments that no compression finds to be alike.
    body = ErrorSpans(spans=(span,), comment="COMMENT").model_dump_json()
    rows = [
        {
            "task": tasks.NAME,
            "item": item,
            "rater": rater,
            "revision": 1,
            "body": (
                _marked(text, rng)
                if spans
                else body.replace("COMMENT", f"{rng.getrandbits(256):x}")
            ),
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


def _marked(text: str, rng: random.Random) -> str:
    """A judgment of up to three marks, as raters make them."""
    labels = [one.id for one in load_taxonomy(TaggingSettings().taxonomy).labels[:7]]
    made = []
    for start in sorted(rng.sample(range(0, 400, 40), rng.randint(1, 3))):
        quote = text[start : start + 30]
        label = rng.choice(labels)
        made.append(ErrorSpan(start=start, end=start + 30, quote=quote, labels=(label,)))
    return ErrorSpans(spans=tuple(made)).model_dump_json()
