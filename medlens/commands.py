"""What the command line, the Data page and the inbox do: imports, exports, the demo, the check."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from medlens.errors import InvalidInput
from medlens.review import consensus, importing, items, raters
from medlens.review.files import Report, Request
from medlens.review.raters import Rater
from medlens.review.tasks import Task
from medlens.rooms import EXPORTS, IMPORTS, ROOMS, studies_of, study_of
from medlens.settings import Settings
from medlens.sourcecheckup.files.queries import changed_sources
from medlens.store import Store
from medlens.tables import Format, Source, write_bad_rows, write_table
from medlens.tagging import tasks

FORMATS: tuple[Format, ...] = ("csv", "jsonl", "parquet")


@dataclass(frozen=True)
class Outcome:
    """What an import did, in numbers and in a line for the person."""

    line: str
    added: int
    known: int
    refused: int
    notes: tuple[str, ...] = ()
    bad_rows: str = ""


def default_dataset(store: Store, kind: str) -> str:
    """Where an import goes: published files to a dataset of their own, the rest to the current."""
    study = study_of(kind)
    room = ROOMS[study]
    published = room.published
    if kind.startswith("g4ue"):
        return published
    found = items.datasets(store, study)
    real = [str(row["dataset"]) for row in found if not row["illustrative"]]
    if study != tasks.STUDY:
        elsewhere = kind in room.follows and real and published not in real
        return real[0] if elsewhere else published
    if kind == "items":
        # A team's own responses do not belong among a published study's.
        own = [dataset for dataset in real if dataset != published]
        return own[0] if own else "main"
    if real:
        return real[0]
    return str(found[0]["dataset"]) if found else "main"


def import_file(
    store: Store,
    settings: Settings,
    kind: str,
    source: Source,
    *,
    name: str,
    dataset: str = "",
    label: str = "",
    skip_bad: bool = False,
    dry_run: bool = False,
    bad_rows: Path | None = None,
    by: str = "command line",
    progress: Callable[[int], object] | None = None,
) -> Outcome:
    """Import a file, all or nothing; with ``skip_bad`` the good rows, the others to ``bad_rows``.

    Raises:
        BadFile, InvalidInput: nothing was written.
    """
    if kind not in IMPORTS:
        raise InvalidInput(
            f"There is no kind of import called {kind!r}.",
            hint=f"Use one of: {', '.join(IMPORTS)}.",
        )
    named = bool(dataset.strip())
    dataset = dataset.strip() or default_dataset(store, kind)
    report = read_file(
        store, settings, kind,
        Request(
            source, name, dataset, label=label, skip_bad=skip_bad, dry_run=dry_run,
            progress=progress, named=named,
        ),
    )  # fmt: skip
    into = report.into or (dataset,)
    where = ""
    if report.refused and bad_rows is not None and not dry_run:
        where = str(write_bad_rows(report.refused, bad_rows))
    if not dry_run:
        importing.log_import(
            store, kind=kind, dataset=", ".join(into), file=name, added=report.added,
            known=report.known, refused=len(report.refused), by=by,
        )  # fmt: skip
    done = "Would import" if dry_run else "Imported"
    line = f"{done} {report.added:,} {report.called} into {', '.join(map(repr, into))}"
    if report.known:
        line += f"; {report.known:,} {'was' if report.known == 1 else 'were'} there already"
    if report.refused:
        rows = "row" if len(report.refused) == 1 else "rows"
        line += f"; {len(report.refused):,} {rows} refused" + (f" (in {where})" if where else "")
    return Outcome(line + ".", report.added, report.known, len(report.refused), report.notes, where)


def read_file(store: Store, settings: Settings, kind: str, request: Request) -> Report:
    """Import a file, or with ``dry_run`` say what would come of it, by its study."""
    room = ROOMS[study_of(kind)]
    study = room.open(store, settings, request.dataset)
    return room.imports[kind][1](store, study, request)


def export_table(
    store: Store,
    settings: Settings,
    kind: str,
    *,
    viewer: Rater | None,
    study: str = "",
    dataset: str = "",
    rule: str = "",
    history: bool = False,
    nested: bool = False,
) -> pd.DataFrame:
    """A table to be written; ``viewer`` None is the command line, a reviewer is refused.

    Raises:
        InvalidInput: no such kind or dataset, or an option that the kind does not have.
        NotAllowed: the viewer is not a lead.
    """
    if viewer is not None:
        raters.require_lead(viewer)
    if kind not in EXPORTS:
        raise InvalidInput(
            f"There is no export called {kind!r}.", hint=f"Use one of: {', '.join(EXPORTS)}."
        )
    room = ROOMS[holding(store, kind, study, dataset)[0]]
    make = room.exports[kind][1]
    accepted = inspect.signature(make).parameters
    if rule and "rule" not in accepted:
        raise InvalidInput("Only labels have a rule.")
    if history and "history" not in accepted:
        raise InvalidInput(f"There is no history of {kind}.")
    options = {"viewer": viewer, "rule": rule, "history": history, "nested": nested}
    chosen = {name: value for name, value in options.items() if name in accepted}
    return make(store, room.open(store, settings, dataset), **chosen)


def holding(store: Store, kind: str, study: str = "", dataset: str = "") -> list[str]:
    """The studies with this kind of table that have the dataset, or anything at all where none is
    named; the first is meant where no study is.

    Raises:
        InvalidInput: none has the dataset, or there is no such kind.
    """
    studies = studies_of(kind, study)
    there = {
        one: {str(row["dataset"]) for row in items.datasets(store, one)} for one in studies
    }  # fmt: skip
    found = [one for one in studies if dataset in there[one] or (there[one] and not dataset)]
    if dataset and not found:
        raise InvalidInput(f"There is no dataset {dataset!r}.", hint="See the Data page.")
    return found or studies[:1]


def exported(store: Store, table: pd.DataFrame, kind: str, study: str, dataset: str) -> str:
    """What was exported, in a line; and of which study, where others have such a table too."""
    first, *others = holding(store, kind, study, dataset)
    also = f" Of {first}; for {' or '.join(others)} name it: {kind} {others[0]}." if others else ""
    return f"{len(table):,} rows.{also}"


def load_demo_studies(store: Store) -> str:
    """Add the illustrative demo studies; says what is there. Repeating it adds nothing."""
    return "\n".join(room.demo(store) for room in ROOMS.values())


def check_store(store: Store, settings: Settings) -> list[str]:
    """What is wrong with the store: items and pages that changed, judgments that do not fit."""
    faults = [
        f"Item {name!r} of {dataset!r} is not what it was when it was added."
        for dataset, name in items.changed_items(store)
    ] + [
        f"The page {url!r} of {dataset!r} is not what it was when it was fetched."
        for dataset, url in changed_sources(store)
    ]
    for name, room in ROOMS.items():
        for row in items.datasets(store, name):
            study = room.open(store, settings, row["dataset"])
            for task in room.tasks(study):
                faults += _misfits(store, task, row["dataset"])
    return faults


_AT_ONCE = 1_000


def _misfits(store: Store, task: Task, dataset: str) -> list[str]:
    """Judgments that do not fit their item."""
    judged = consensus.judgments(store, task, dataset=dataset, viewer=None)
    faults = []
    for start in range(0, len(judged), _AT_ONCE):
        part = judged.iloc[start : start + _AT_ONCE]
        bodies = items.bodies_of(store, part["item_id"].unique().tolist())
        columns = (part[name] for name in ("rater", "item", "item_id", "value"))
        faults += [
            f"{rater} on {item!r}: {problem}"
            for rater, item, item_id, value in zip(*columns, strict=True)
            for problem in task.draft_problems(value, bodies[item_id])
        ]
    return faults


# -- jobs that the command line hands to the app -------------------------------------------------


def run_job(
    store: Store, settings: Settings, command: Mapping[str, Any], folder: Path
) -> dict[str, Any]:
    """Do a job from the inbox: its files lie in ``folder``, and so do its results afterwards."""
    options = dict(command.get("options", {}))
    verb = command.get("verb")
    if verb == "import":
        name = Path(str(command["file"])).name
        bad_rows = folder / "bad_rows" if options.pop("bad_rows", None) else None
        outcome = import_file(
            store, settings, command["kind"], folder / name, name=name, bad_rows=bad_rows, **options
        )
        return {"line": outcome.line, "notes": list(outcome.notes), "bad_rows": outcome.bad_rows}
    if verb == "export":
        form, bom = options.pop("format"), options.pop("bom")
        table = export_table(
            store, settings, command["kind"], viewer=None, nested=form != "csv", **options
        )
        write_table(table, folder / "table", format=form, bom=bom)
        line = exported(store, table, command["kind"], options["study"], options["dataset"])
        return {"line": line}
    if verb == "demo":
        return {"line": load_demo_studies(store)}
    if verb == "check":
        return {"line": "", "faults": check_store(store, settings)}
    if verb == "backup":
        store.backup(folder / "backup.duckdb")
        return {"line": "Backed up."}
    raise InvalidInput(f"The app does not know the job {json.dumps(verb)}.")
