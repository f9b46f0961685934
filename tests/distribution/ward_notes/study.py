"""The study of ward notes: one question, its files, and one figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
from pydantic import BaseModel

from medlens.review import consensus, items
from medlens.review.figure_definitions import Figure, Figures
from medlens.review.judgment_export import make_export_function_for_task
from medlens.review.raters import Rater
from medlens.review.tasks import Task
from medlens.stats.estimate import FigureRow
from medlens.stats.intervals import clustered_share
from medlens.store import Store
from medlens.studies.study_definition import Study
from medlens.tables import Column, Kind, Report, Request
from medlens.tables.read_and_check_table import read_checked_table

NAME = "ward_notes"
COLUMNS = (
    Column("note", "name", "the note's name", needed=True, filled="a name"),
    Column("text", "text", "what it says", needed=True, filled="a text"),
)


class Complete(BaseModel):
    """Whether a note is complete; None before the rater has answered."""

    complete: Literal["yes", "no"] | None = None


class CompleteTask(Task):
    """Whether a note is complete: what is measured, and what files say of it."""

    def values_compared_for_agreement(self, value: Complete) -> Mapping[str, Any]:
        """The answer."""
        return {"complete": value.complete}

    def answer_as_columns(self, value: Complete) -> Mapping[str, Any]:
        """The answer."""
        return {"complete": value.complete}


TASK = CompleteTask(
    name="ward_note_complete",
    study=NAME,
    item_kind="ward_note",
    title="Is the ward note complete?",
    question="Is anything missing that the next doctor needs?",
    value=Complete,
)


@dataclass(frozen=True)
class Opened:
    """The study on a dataset, which is empty if there are no notes."""

    dataset: str
    illustrative: bool


@dataclass(frozen=True)
class Judged:
    """People's judgments of a dataset, one row each."""

    judgments: pd.DataFrame
    narrowed: Mapping[str, str]


def open_study(store: Store, _settings: Any, dataset: str) -> Opened:
    """The study on this dataset, or on the newest."""
    return Opened(*items.dataset_or_default_and_illustrative(store, NAME, dataset))


def import_notes(store: Store, _opened: Opened, request: Request) -> Report:
    """Add the notes of a table."""
    sheet = read_checked_table(request, COLUMNS)
    rows = sheet.frame.to_dict("records")
    added = items.add_items(
        store,
        [items.NewItem(row["note"], {"text": row["text"]}) for row in rows],
        study=NAME,
        kind=TASK.item_kind,
        dataset=request.dataset,
        illustrative=sheet.illustrative,
    )
    return Report("ward notes", added.added, added.known, sheet.refused, sheet.notes)


def load_judgments(
    store: Store, opened: Opened, viewer: Rater | None, narrowed: Mapping[str, str]
) -> Judged:
    """The people's judgments that count."""
    judged = consensus.current_judgments(store, TASK, dataset=opened.dataset, viewer=viewer)
    return Judged(judged[judged["rater_kind"] == "person"], narrowed)


def share_complete(data: Judged) -> Iterator[FigureRow]:
    """The share of judgments that call a note complete."""
    judged = data.judgments
    yes = [answer.complete == "yes" for answer in judged["value"]]
    share = clustered_share(yes, judged["item_id"], unit="notes", crossed=judged["rater_id"])
    yield "complete", "all", share


FIGURES = Figures(
    study=NAME,
    figures=(Figure(name="complete", title="Complete", of="all judgments", rows=share_complete),),
    sections={},
    look=load_judgments,
    tables=("item", "item_alias", "judgment", "rater"),
    empty=lambda data: "Nobody has judged a note yet." if data.judgments.empty else "",
    said=lambda data: f"{len(data.judgments):,} judgments.",
    sides=(),
)

STUDY = Study(
    name=NAME,
    title="Ward notes",
    page="pages/ward_notes.py",
    enter="Read ward notes",
    icon=":material/description:",
    about="Is each ward note complete?",
    views={TASK.name: {}},
    imports={
        "ward-notes": Kind(
            title="Ward notes",
            read=import_notes,
            looks="A table of notes: note and text.",
            columns=COLUMNS,
        )
    },
    exports={
        "judgments": ("One row per judgment", make_export_function_for_task(lambda opened: TASK)),
        "figures": ("Every figure", FIGURES.export),
    },
    open=open_study,
    tasks=lambda opened: (TASK,),
    pipelines=(),
    published="ward notes",
    figures=FIGURES,
)
