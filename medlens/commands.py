"""What the command line, the Data page and the inbox do: imports, exports, the demo, the check."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from medlens.errors import InvalidInput
from medlens.review import consensus, importing, items, raters, surveys
from medlens.review.raters import Rater
from medlens.settings import PROJECT, Settings
from medlens.store import Store, id_of
from medlens.tables import Format, Source, write_bad_rows, write_table
from medlens.tagging import exchange, queries, tasks
from medlens.tagging.demo import load_demo
from medlens.tagging.study import open_study

IMPORTS = {kind: title for kind, (title, _) in exchange.IMPORTS.items()}
EXPORTS = {kind: title for kind, (title, _) in exchange.EXPORTS.items()}
FORMATS: tuple[Format, ...] = ("csv", "jsonl", "parquet")
_PUBLISHED = "g4ue"


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
    """Where an import goes: published files to ``g4ue``, the rest to the current dataset."""
    if kind.startswith("g4ue"):
        return _PUBLISHED
    found = items.datasets(store, tasks.STUDY)
    real = [str(row["dataset"]) for row in found if not row["illustrative"]]
    if real or kind == "items":
        return real[0] if real else "main"
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
    if kind not in exchange.IMPORTS:
        raise InvalidInput(
            f"There is no kind of import called {kind!r}.",
            hint=f"Use one of: {', '.join(IMPORTS)}.",
        )
    dataset = dataset.strip() or default_dataset(store, kind)
    study = open_study(store, settings, dataset)
    report = exchange.IMPORTS[kind][1](
        store, study,
        exchange.Request(
            source, name, dataset, label=label, skip_bad=skip_bad, dry_run=dry_run,
            progress=progress,
        ),
    )  # fmt: skip
    where = ""
    if report.refused and bad_rows is not None and not dry_run:
        where = str(write_bad_rows(report.refused, bad_rows))
    if not dry_run:
        importing.log_import(
            store, kind=kind, dataset=dataset, file=name, added=report.added, known=report.known,
            refused=len(report.refused), by=by,
        )  # fmt: skip
    done = "Would import" if dry_run else "Imported"
    line = f"{done} {report.added:,} {report.what} into {dataset!r}"
    if report.known:
        line += f"; {report.known:,} were there already"
    if report.refused:
        line += f"; {len(report.refused):,} rows refused" + (f" (in {where})" if where else "")
    return Outcome(line + ".", report.added, report.known, len(report.refused), report.notes, where)


def export_table(
    store: Store,
    settings: Settings,
    kind: str,
    *,
    viewer: Rater | None,
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
    if kind not in exchange.EXPORTS:
        raise InvalidInput(
            f"There is no export called {kind!r}.", hint=f"Use one of: {', '.join(EXPORTS)}."
        )
    if dataset and dataset not in {row["dataset"] for row in items.datasets(store, tasks.STUDY)}:
        raise InvalidInput(f"There is no dataset {dataset!r}.", hint="See the Data page.")
    if rule and kind != "labels":
        raise InvalidInput("Only labels have a rule.")
    if history and kind not in ("judgments", "spans"):
        raise InvalidInput("Only judgments and spans have a history.")
    study = open_study(store, settings, dataset)
    make = exchange.EXPORTS[kind][1]
    if kind == "items":
        return make(store, study)
    if kind in ("judgments", "spans"):
        return make(store, study, viewer=viewer, history=history, nested=nested)
    if kind == "labels":
        return make(store, study, viewer=viewer, rule=rule)
    return make(store, study, viewer=viewer)


def load_demo_study(store: Store, settings: Settings) -> str:
    """Add the illustrative demo study; says what it did. Repeating it adds nothing."""
    demo = load_demo(PROJECT / "data/demo/tagging")
    done = queries.add_items(store, demo.items, dataset=demo.dataset, illustrative=True)
    ids = items.by_names(store, tasks.STUDY, demo.dataset, [name for name, _ in demo.items])
    people = {name: raters.new_row(name, origin="demo") for name in demo.raters}
    rows = []
    for one in demo.judgments:
        rater, item = people[one.rater]["id"], ids[one.item]
        rows.append(
            {
                "id": id_of("judgment", tasks.NAME, item, rater, "1", "demo"),
                "task": tasks.NAME, "item": item, "rater": rater, "revision": 1,
                "body": one.value.model_dump_json(), "blind": True, "origin": "import",
                "complete": True, "active_seconds": one.seconds, "idle_seconds": None,
            }
        )  # fmt: skip
    gold = [
        {
            "id": id_of("gold", tasks.NAME, ids[one.item]), "task": tasks.NAME,
            "item": ids[one.item], "revision": 1, "active": True, "made_by": "demo",
            "body": {"labels": sorted(one.labels), "reason": one.reason},
        }
        for one in demo.gold
    ]  # fmt: skip
    answered = [
        surveys.import_row(people[one.rater]["id"], one.form, one.answers) for one in demo.surveys
    ]
    importing.add_rows(
        store, {"rater": list(people.values()), "judgment": rows, "gold": gold, "survey": answered}
    )
    count = done.added + done.known
    return f"The demo study is there: {count} illustrative items, {len(rows)} judgments."


def check_store(store: Store, settings: Settings) -> list[str]:
    """What is wrong with the store: items whose text changed, judgments that do not fit it."""
    faults = [
        f"Item {name!r} of {dataset!r} is not what it was when it was added."
        for dataset, name in items.changed_items(store)
    ]
    for row in items.datasets(store, tasks.STUDY):
        study = open_study(store, settings, row["dataset"])
        judged = consensus.judgments(store, study.task, dataset=study.dataset, viewer=None)
        known = queries.responses(store, study.dataset)
        texts = dict(zip(known["item"], known["response"], strict=True))
        for rater, item, value in zip(
            judged["rater"], judged["item"], judged["value"], strict=True
        ):
            faults += [
                f"{rater} on {item!r}: {problem}"
                for problem in study.task.draft_problems(value, {"response": texts[item]})
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
        return {"line": f"{len(table):,} rows."}
    if verb == "demo":
        return {"line": load_demo_study(store, settings)}
    if verb == "check":
        return {"line": "", "faults": check_store(store, settings)}
    if verb == "backup":
        store.backup(folder / "backup.duckdb")
        return {"line": "Backed up."}
    raise InvalidInput(f"The app does not know the job {json.dumps(verb)}.")
