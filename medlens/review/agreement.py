"""Agreement between raters, for any task that says what it measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from medlens.review.tasks import Task
from medlens.stats.agreement import (
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    percent_agreement,
)
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import wilson


@dataclass(frozen=True)
class Agreement:
    """How far raters agree on one variable; each says its n and why it may be undefined.

    ``fleiss`` and ``ac1`` treat the answers as names, also where they have an order.
    """

    alpha: Estimate
    fleiss: Estimate
    ac1: Estimate
    percent: Estimate


def agreement(task: Task, judged: pd.DataFrame) -> dict[str, Agreement]:
    """Agreement by variable of ``task.measures``, from ``consensus.judgments``.

    Nominal answers of any type are numbered; ordinal and interval ones must be numbers.
    """
    if judged.empty:
        return {}
    measured = pd.DataFrame([dict(task.measures(value)) for value in judged["value"]])
    measured.index = pd.MultiIndex.from_frame(judged[["item_id", "rater_id"]])
    found = {}
    for variable in measured:
        ratings = _matrix(measured[variable], nominal=task.level == "nominal")
        found[str(variable)] = Agreement(
            alpha=krippendorff_alpha(ratings, level=task.level),
            fleiss=fleiss_kappa(ratings),
            ac1=gwet_ac1(ratings),
            percent=percent_agreement(ratings),
        )
    return found


def _matrix(answers: pd.Series[Any], *, nominal: bool) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(items, raters) as numbers, NaN where a rater did not judge the item."""
    if nominal:
        codes, _ = pd.factorize(answers.astype(str), sort=True)
        answers = pd.Series(codes, index=answers.index)
    return answers.unstack().sort_index().to_numpy(dtype=np.float64)


def gold_hits(task: Task, judged: pd.DataFrame, key: pd.DataFrame) -> dict[str, Estimate]:
    """Each rater's hits on gold items, of the gold items they judged, by the task's own rule.

    ``judged`` is from ``consensus.judgments``, ``key`` from ``consensus.gold``.
    """
    rule = task.gold_hit
    if rule is None:
        return {}
    expected = dict(zip(key["item_id"], key["expected"], strict=True))
    found = {}
    for rater, rows in judged.groupby("rater", sort=True):
        pairs = zip(rows["item_id"], rows["value"], strict=True)
        hits = [rule(value, expected[item]) for item, value in pairs if item in expected]
        found[str(rater)] = (
            wilson(sum(hits), len(hits), unit="gold items")
            if hits
            else Estimate.undefined("no gold item was judged", method="Wilson", denominator=0)
        )
    return found
