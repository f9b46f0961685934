"""Agreement between raters, people and models alike, for any task that says what it measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from medlens.review.tasks import Task
from medlens.stats.agreement import (
    fleiss_kappa,
    gwet_ac1,
    icc,
    krippendorff_alpha,
    percent_agreement,
)
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import wilson
from medlens.stats.kappa import cohen_kappa
from medlens.stats.ratings import NO_PAIRS


@dataclass(frozen=True)
class Agreement:
    """How far raters agree on one variable; each says its n and why it may be undefined.

    ``fleiss`` and ``ac1`` treat the answers as names, also where they have an order. ``icc`` and
    ``icc_of_means`` are of numbers alone, None for names.
    """

    alpha: Estimate
    fleiss: Estimate
    ac1: Estimate
    percent: Estimate
    icc: Estimate | None = None
    icc_of_means: Estimate | None = None


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
        level = task.level_of(str(variable))
        named = level == "nominal"
        ratings = _matrix(measured[variable], nominal=named)
        found[str(variable)] = Agreement(
            alpha=krippendorff_alpha(ratings, level=level),
            fleiss=fleiss_kappa(ratings),
            ac1=gwet_ac1(ratings),
            percent=percent_agreement(ratings),
            icc=None if named else icc(ratings),
            icc_of_means=None if named else icc(ratings, mean=True),
        )
    return found


@dataclass(frozen=True)
class Between:
    """Two raters on the items that both answered, in one variable.

    ``same`` is the share of these items with the same answer, ``kappa`` Cohen's (with quadratic
    weights where the answers have an order), ``apart`` the items with different ones, by id and in
    the order of the judgments.
    """

    first: str
    second: str
    same: Estimate
    kappa: Estimate
    apart: tuple[str, ...]


def between(task: Task, judged: pd.DataFrame, variable: str) -> tuple[list[str], list[Between]]:
    """The raters who answered, people before models and each by name; and every two of them.

    ``judged`` is from ``consensus.judgments``: with models in it they are raters like people.
    """
    answers = pd.Series(
        [task.measures(value).get(variable) for value in judged["value"]],
        index=pd.MultiIndex.from_frame(judged[["item_id", "rater"]]),
        dtype=object,
    ).dropna()
    kinds = dict(zip(judged["rater"], judged["rater_kind"], strict=True))
    names = sorted(
        answers.index.get_level_values("rater").unique(),
        key=lambda name: (kinds[name] != "person", name.casefold(), name),
    )
    nominal = task.level_of(variable) == "nominal"
    values = pd.factorize(answers.astype(str), sort=True)[0] if nominal else answers.astype(float)
    table = pd.Series(np.asarray(values, dtype=np.float64), index=answers.index).unstack()
    table = table.reindex(answers.index.get_level_values("item_id").unique())
    of_rater = {name: table[name].to_numpy() for name in names}
    # An index of Arrow texts takes a hundred times as long to pick from.
    items = table.index.to_numpy(dtype=object)
    found = []
    for at, first in enumerate(names):
        for second in names[at + 1 :]:
            one, two = of_rater[first], of_rater[second]
            both = ~(np.isnan(one) | np.isnan(two))
            hits, n = int((one[both] == two[both]).sum()), int(both.sum())
            found.append(
                Between(
                    first=first,
                    second=second,
                    same=wilson(hits, n, unit="items")
                    if n
                    else Estimate.undefined(NO_PAIRS, method="Wilson", denominator=0),
                    kappa=cohen_kappa(
                        one[both], two[both], weights="none" if nominal else "quadratic"
                    ),
                    apart=tuple(items[both & (one != two)]),
                )
            )
    return names, found


def _matrix(answers: pd.Series[Any], *, nominal: bool) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(items, raters) as numbers, NaN where a rater did not judge the item or has no answer."""
    answers = answers.dropna()
    if nominal:
        codes, _ = pd.factorize(answers.astype(str), sort=True)
        answers = pd.Series(codes, index=answers.index)
    if answers.empty:
        return np.empty((0, 1))
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
