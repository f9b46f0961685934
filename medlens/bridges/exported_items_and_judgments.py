"""What exports for other tools share: the items of an own study with all their judgments."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pandas as pd

from medlens.review import consensus
from medlens.review.annotated_items_table import rater_column_names_by_rater_id
from medlens.review.anonymity import Anonymizer
from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies.own import queries
from medlens.studies.own.study import Study
from medlens.studies.own.tasks import Answers


@dataclass(frozen=True)
class Said:
    """A judgment used in figures: whose it is, its seconds (0: unknown), its id, and when it was
    made (UTC).
    """

    rater: str
    person: bool
    value: Answers
    seconds: float
    judgment_id: str
    at: datetime


@dataclass(frozen=True)
class Work:
    """An item by name, with its judgments in a fixed order."""

    name: str
    body: Mapping[str, Any]
    illustrative: bool
    said: list[Said] = field(default_factory=list)


def list_items_with_counted_judgments(
    store: Store, study: Study, *, viewer: Rater | None, anonymous: bool
) -> list[Work]:
    """The items of a study, in order, with the judgments used in figures. ``anonymous``: people are
    numbered in an order that reveals nothing about them.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    found = {
        name: Work(name, body, bool(illustrative))
        for name, illustrative, body in queries.list_names_and_columns_of_items(
            store, study.dataset
        )
    }
    judged = consensus.current_judgments(store, study.task, dataset=study.dataset, viewer=viewer)
    anonymizer = Anonymizer(store) if anonymous else None
    called = rater_column_names_by_rater_id(
        [judged], numbers=anonymizer.numbers if anonymizer else None
    )
    for row in judged.to_dict("records"):
        rater = called[row["rater_id"]] if anonymous else row["rater"]
        person = row["rater_kind"] == "person"
        seconds = 0.0 if pd.isna(row["seconds"]) else float(row["seconds"])
        value: Answers = row["value"]
        if anonymizer is not None:
            value = _without_names(value, anonymizer)
        said = Said(rater, person, value, seconds, str(row["judgment_id"]), row["at"])
        found[row["item"]].said.append(said)
    return list(found.values())


def _without_names(value: Answers, anonymizer: Anonymizer) -> Answers:
    """A rater's answers, those about each mark too, naming nobody; the marked words stay."""

    def written(answers: Mapping[str, Any]) -> dict[str, Any]:
        return {name: anonymizer.anonymise_cell_value(answer) for name, answer in answers.items()}

    spans = tuple(
        span.model_copy(
            update={
                "answers": written(span.answers),
                "comment": anonymizer.anonymise_text(span.comment),
            }
        )
        for span in value.spans
    )
    return value.model_copy(update={"answers": written(value.answers), "spans": spans})


def pack_zip(files: Mapping[str, str | bytes]) -> bytes:
    """A zip of these files; the same files always give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, content in files.items():
            made.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()
