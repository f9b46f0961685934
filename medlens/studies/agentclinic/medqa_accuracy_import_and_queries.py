"""Models' accuracy on MedQA questions, beside their accuracy in the clinic; with its SQL.

Source: Schmidgall et al. 2024, section 3.1 (MedQA accuracy against AgentClinic-MedQA accuracy). The
values come from elsewhere: a paper, another tool, or the figures that error tagging exports of
``run tagging ask``.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import Field, NonNegativeInt, PositiveInt, model_validator

from medlens.review import items
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import wilson_share_estimate
from medlens.store import Store
from medlens.studies.agentclinic.records import STUDY, Strict
from medlens.tables import Column, Loaded, Row, RowError, Source, load_parsed_and_refused_rows

__all__ = [
    "KnownAccuracy",
    "MedqaAccuracy",
    "add_medqa_accuracies",
    "list_current_medqa_accuracies",
    "read_medqa_accuracy_records",
]

_OURS = "MedLens, error tagging"


class MedqaAccuracy(Strict):
    """A model's accuracy on MedQA questions, 0 to 1. Without ``n`` there is no interval."""

    model: str = Field(min_length=1)
    accuracy: float = Field(ge=0, le=1)
    correct: NonNegativeInt | None = None
    n: PositiveInt | None = None
    source: str = ""

    @model_validator(mode="after")
    def _whole(self) -> MedqaAccuracy:
        if self.correct is not None and (self.n is None or self.correct > self.n):
            raise ValueError("correct needs n, and cannot be more than it")
        return self

    @property
    def stable_name(self) -> str:
        """A name that this value always has."""
        digest = hashlib.sha256(self.model_dump_json().encode("utf-8", "replace")).hexdigest()
        return f"medqa-{digest[:16]}"

    @property
    def accuracy_estimate(self) -> Estimate:
        """The value, with Wilson's interval if its sample size is known."""
        said = f"; {self.source}" if self.source else ""
        if self.n is None:
            return Estimate(self.accuracy, None, None, 0, f"as given, n not known{said}")
        correct = round(self.accuracy * self.n) if self.correct is None else self.correct
        found = wilson_share_estimate(correct, self.n, unit="questions")
        return Estimate(
            found.value,
            found.low,
            found.high,
            found.n,
            found.method + said,
            numerator=found.numerator,
            denominator=found.denominator,
        )


class KnownAccuracy(NamedTuple):
    """The current value of a model from one source. ``group`` is its name in the figures."""

    model: str
    source: str
    group: str
    estimate: Estimate


COLUMNS = (
    Column("model", "name", "the model"),
    Column("correct", "whole", "how many questions it answered correctly", unit="questions"),
    Column("n", "whole", "how many it was asked", least=1, unit="questions"),
    Column("accuracy", "number", "the share that it answered correctly, 0 to 1, or like 86.1%"),
    Column("source", "name", "where the value comes from"),
    Column("figure", "name", "in figures exported from error tagging: medqa_accuracy"),
    Column("group", "name", "in such a file: the model"),
    Column(
        "numerator", "whole", "in such a file: how many it answered correctly", unit="questions"
    ),
    Column("denominator", "whole", "in such a file: how many it was asked", unit="questions"),
)


def read_medqa_accuracy_records(source: Source, **how: Any) -> Loaded[MedqaAccuracy]:
    """MedQA accuracies from a table: ``model``, ``source`` and ``correct`` with ``n``, or
    ``accuracy`` (0 to 1, or like ``86.1%``); or from ``export figures tagging``, whose other rows
    are skipped.

    Raises:
        BadFile: naming line and column.
    """
    return load_parsed_and_refused_rows(source, _row, columns=COLUMNS, **how)


def _row(row: Row) -> MedqaAccuracy | None:
    values = row.values
    if "figure" in values and "model" not in values:
        if values.get("figure") != "medqa_accuracy" or not _text(values, "denominator"):
            return None
        return MedqaAccuracy(
            model=_text(values, "group"),
            correct=_count(values, "numerator"),
            n=_count(values, "denominator"),
            source=_OURS,
            accuracy=_count(values, "numerator") / max(_count(values, "denominator"), 1),
        )
    model = _text(values, "model")
    if not model:
        raise RowError("model", "a model's name", "")
    n = _count(values, "n") if _text(values, "n") else None
    if n == 0:
        raise RowError("n", "1 or more", "0")
    correct = _count(values, "correct") if _text(values, "correct") else None
    if correct is not None:
        if n is None or correct > n:
            raise RowError("n", f"how many were asked, {correct} or more", values.get("n", ""))
        return MedqaAccuracy(
            model=model, accuracy=correct / n, correct=correct, n=n, source=_text(values, "source")
        )
    return MedqaAccuracy(model=model, accuracy=_share(values), n=n, source=_text(values, "source"))


def _text(values: Any, column: str) -> str:
    value = values.get(column)
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    return "" if missing else " ".join(str(value).split())


def _count(values: Any, column: str) -> int:
    text = _text(values, column)
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        number = -1.0
    if number < 0 or not number.is_integer():
        raise RowError(column, "a whole number", text)
    return int(number)


def _share(values: Any) -> float:
    text = _text(values, "accuracy")
    try:
        found = float(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except ValueError:
        found = math.nan
    if not 0 <= found <= 1:
        raise RowError("accuracy", "a share from 0 to 1, or a percentage with %", text)
    return found


def add_medqa_accuracies(
    store: Store, found: Sequence[MedqaAccuracy], *, dataset: str
) -> items.Added:
    """Keep accuracies with a dataset; a later one from the same source replaces an earlier one.

    They are illustrative if the dataset is.
    """
    illustrative = any(
        row["dataset"] == dataset and row["illustrative"]
        for row in items.datasets_of_study(store, STUDY)
    )
    return items.add_items(
        store,
        [items.NewItem(one.stable_name, one.model_dump_json()) for one in found],
        study=STUDY,
        kind=KIND,
        dataset=dataset,
        illustrative=illustrative,
    )


def list_current_medqa_accuracies(store: Store, dataset: str) -> list[KnownAccuracy]:
    """The current values by model and source, in that order."""
    last: dict[tuple[str, str], MedqaAccuracy] = {}
    for body in list_imported_medqa_bodies(store, dataset):
        one = MedqaAccuracy.model_validate(body)
        last[one.model, one.source] = one
    models = [model for model, _ in last]
    return [
        KnownAccuracy(
            model,
            source,
            model if models.count(model) == 1 else f"{model}, {source}",
            one.accuracy_estimate,
        )
        for (model, source), one in sorted(last.items())
    ]


# -- SQL of MedQA accuracies: every imported value is stored, the last of a source counts ----------


KIND = "medqa_accuracy"


def list_imported_medqa_bodies(store: Store, dataset: str) -> list[dict[str, Any]]:
    """The bodies of a dataset's values in the order they came."""
    return [
        json.loads(body)
        for body in store.column(
            "select body from item_in_play where study = $study and kind = $kind"
            " and dataset = $dataset"
            " order by seq",
            study=STUDY,
            kind=KIND,
            dataset=dataset,
        )
    ]
