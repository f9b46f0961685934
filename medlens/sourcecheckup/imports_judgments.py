"""What was made of SourceCheckup's pairs elsewhere: clean-ups, and judgments of the other tasks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from medlens.errors import BadFile
from medlens.review import importing
from medlens.review.files import Report, Request
from medlens.sourcecheckup import rows
from medlens.sourcecheckup.files import queries
from medlens.sourcecheckup.imports_pairs import rater_row
from medlens.sourcecheckup.load import Check, Fault, Form, blank, read, stripped, unknown
from medlens.sourcecheckup.models import CleanUp, SourceJudgment, verdict_of
from medlens.sourcecheckup.study import Study
from medlens.store import Store
from medlens.tables import load

CLEANUPS = Form(
    {"statement_id": "text", "url": "text", "action": "text"},
    {
        "text": "text",
        "reason": "text",
        "model": "text",
        "verifier": "text",
        "verdict": "text",
        "verdict_reason": "text",
        "quote": "text",
    },
)


def _bools(values: Any) -> Any:
    return np.asarray(values, dtype=bool)


def import_cleanups(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-cleanups``: statements edited or removed, and what a verifier said then."""

    def check(dataset: str) -> Check:
        stated = dict.fromkeys(queries.statement_ids(store, dataset)["statement_id"], "")

        def checked(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
            frame = stripped(frame, "statement_id", "url", "action", "text", "verifier", "verdict")
            action = frame["action"].str.casefold()
            words = frame["verdict"].map(lambda word: (verdict_of(word) or "?") if word else "")
            edited = action == "edited"
            return frame.assign(action=action, verdict=words.astype("str")), [
                unknown(frame, "statement_id", stated, f"a statement of the dataset {dataset!r}"),
                blank(frame, "statement_id", "an id"),
                blank(frame, "model", "a model"),
                Fault(_bools(~action.isin(["edited", "removed"])), "action", "edited or removed"),
                Fault(_bools(edited & (frame["text"] == "")), "text", "the edited statement"),
                Fault(_bools(~edited & (frame["text"] != "")), "text", "nothing where removed"),
                Fault(_bools(words == "?"), "verdict", "a verdict or nothing"),
                Fault(_bools((words != "") & (frame["verifier"] == "")), "verifier", "who said so"),
            ]

        return checked

    done = read(request, CLEANUPS, check)
    models = study.models | queries.models(store, done.dataset)
    batch: list[rows.Rows] = []
    for one in done.frame.to_dict("records"):
        made = CleanUp(
            statement=one["statement_id"],
            url=one["url"],
            action=one["action"],
            text=one["text"],
            reason=one["reason"],
            model=one["model"],
        )
        batch.append(rows.cleanup(made, dataset=done.dataset, origin="import"))
        if one["verdict"]:
            said = SourceJudgment(
                verdict=one["verdict"], reason=one["verdict_reason"], quote=one["quote"]
            )
            rater_row(one["verifier"], "model", "", models)
            batch.append(
                rows.recheck(
                    said, cleanup=rows.cleanup_id(made, dataset=done.dataset), model=one["verifier"]
                )
            )
    together = rows.together(batch)
    known = queries.known_ids(store, "sc_cleanup", done.dataset)
    fresh = {one["id"] for one in together.get("sc_cleanup", [])} - known
    if together:
        importing.add_rows(store, together)
    known_rows = len(done.frame) - len(fresh)
    return Report("clean-ups", len(fresh), known_rows, done.refused, done.notes)


def import_judgments(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-judgments``: judgments of one of the four tasks, as they were exported.

    The column ``task`` says of which.
    """
    source = request.source
    if not isinstance(source, (str, bytes)) and hasattr(source, "read"):
        source = source.read()
    known = {task.name: task for task in study.tasks}
    named = load(
        source,
        lambda row: str(row.values.get("task") or study.support.name),
        name=request.name,
        required=("item", "rater"),
        optional=("task",),
        own_export=True,
        skip_bad=True,
    )
    found = sorted(set(named.records))
    if len(found) > 1 or (found and found[0] not in known):
        raise BadFile(
            f"{request.name}: the column 'task' holds {', '.join(found)}.",
            hint=f"Import a file of one task at a time: {', '.join(known)}.",
        )
    done = importing.import_judgments(
        store,
        known[found[0] if found else study.support.name],
        source,
        name=request.name,
        dataset=request.dataset,
        skip_bad=request.skip_bad,
        progress=request.progress,
    )
    return Report("judgments", done.added, done.known, done.refused, done.notes)
