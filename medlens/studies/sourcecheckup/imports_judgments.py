"""What was made of SourceCheckup's pairs elsewhere: clean-ups, and judgments of the other tasks."""

from __future__ import annotations

import pandas as pd

from medlens.review import importing
from medlens.store import Store
from medlens.studies.sourcecheckup import file_queries as queries
from medlens.studies.sourcecheckup import rows
from medlens.studies.sourcecheckup.imports_pairs import rater_row
from medlens.studies.sourcecheckup.models import CleanUp, SourceJudgment, verdict_of
from medlens.studies.sourcecheckup.study import Study
from medlens.tables import Column, Report, Request
from medlens.tables.sheet import Fault, mask, read, unknown

CLEANUPS = (
    Column("statement_id", "name", "the statement", needed=True, filled="an id"),
    Column("url", "name", "the source that does not support it", needed=True),
    Column(
        "action",
        "word",
        "its outcome",
        needed=True,
        filled="edited or removed",
        allowed=("edited", "removed"),
    ),
    Column("text", "name", "the edited statement"),
    Column("reason", "text", "why"),
    Column("model", "text", "the model that did so", filled="a model"),
    Column("verifier", "name", "the model that verified the edited statement"),
    Column("verdict", "name", "what it said, as in pairs"),
    Column("verdict_reason", "text", "why it said so"),
    Column("quote", "text", "the words of the page that it is based on"),
)


def import_cleanups(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-cleanups``: statements edited or removed, and what a verifier said then."""

    dataset = request.dataset
    stated = queries.statement_ids(store, dataset)["statement_id"]

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        words = frame["verdict"].map(lambda word: (verdict_of(word) or "?") if word else "")
        edited, said = mask(frame["action"] == "edited"), mask(frame["text"] != "")
        return frame.assign(verdict=words.astype("str")), [
            unknown(frame, "statement_id", stated, f"a statement of the dataset {dataset!r}"),
            Fault(edited & ~said, "text", "the edited statement"),
            Fault(~edited & said, "text", "nothing where removed"),
            Fault(mask(words == "?"), "verdict", "a verdict or nothing"),
            Fault(mask((words != "") & (frame["verifier"] == "")), "verifier", "who said so"),
        ]

    done = read(request, CLEANUPS, check)
    models = study.models | queries.models(store, dataset)
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
        batch.append(rows.cleanup(made, dataset=dataset, origin="import"))
        if one["verdict"]:
            said = SourceJudgment(
                verdict=one["verdict"], reason=one["verdict_reason"], quote=one["quote"]
            )
            rater_row(one["verifier"], "model", "", models)
            batch.append(
                rows.recheck(
                    said, cleanup=rows.cleanup_id(made, dataset=dataset), model=one["verifier"]
                )
            )
    together = rows.together(batch)
    known = queries.known_ids(store, "sc_cleanup", dataset)
    fresh = {one["id"] for one in together.get("sc_cleanup", [])} - known
    if together:
        importing.add_rows(store, together)
    known_rows = len(done.frame) - len(fresh)
    return Report("clean-ups", len(fresh), known_rows, done.refused, done.notes)


def import_judgments(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-judgments``: judgments of one of the four tasks, as they were exported.

    The column ``task`` says of which.
    """
    tasks = {task.name: task for task in study.tasks}
    return importing.import_of_task(store, tasks, study.support.name, request)
