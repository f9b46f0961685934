"""What suggestions did, from the draws that `suggestions` lists and everybody's judgments."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from tests.recomputed.judgments import ABSTAINED, VARIABLES, Answer, Judged, majority, together
from tests.recomputed.second_opinion import Expected, share

Answers = Mapping[str, Answer]
COUNTED_CORRELATION = 0.75


def outcome(suggested: Answers, answered: Answers) -> str:
    """Whether all, some or none of what either states is the same; on a scale, within its
    tolerance. A label that neither gave is stated by nobody."""
    same = [
        variable.same(suggested[variable.name], answered[variable.name]) for variable in VARIABLES
    ]
    stated = [
        suggested[variable.name] not in (None, False)
        or answered[variable.name] not in (None, False)
        for variable in VARIABLES
    ]
    if all(same):
        return "accepted"
    return "changed" if any(a and b for a, b in zip(same, stated, strict=True)) else "rejected"


def is_right(judged: Judged, said: Answers, item: str, rater: str) -> bool | None:
    """Whether everything known of an item is as it was said: by the adjudicator, or by the others'
    clear majority. Where that is "cannot tell" nothing is right or wrong."""
    met = []
    for variable in VARIABLES:
        if item in judged.words:
            settled = judged.words[item]
            word = None if settled is None else settled[variable.name]
        else:
            others = [
                answers[variable.name]
                for who, answers in judged.of_item(item).items()
                if who != rater
            ]
            word = together(variable, others) if variable.tolerance else majority(others)
        if word is not None and word != ABSTAINED:
            met.append(variable.same(said[variable.name], word))
    return all(met) if met else None


def recompute(judged: Judged, table: pd.DataFrame, firsts: Mapping[str, Answers]) -> list[Any]:
    """For each row of the draws: outcome, same, suggestion_right and answer_right; ``firsts`` are
    the answers by the judgment's id."""
    found: list[Any] = []
    for row in table.to_dict("records"):
        item, rater = row["item"], row["rater"]
        suggested = judged.models[item, row["model"]]
        right = is_right(judged, suggested, item, rater)
        if pd.isna(row["judgment_id"]):
            found.append((None, None, right, None))
            continue
        answered = firsts[row["judgment_id"]]
        how = outcome(suggested, answered)
        found.append((how, how == "accepted", right, is_right(judged, answered, item, rater)))
    return found


def figures(table: pd.DataFrame) -> dict[str, Expected]:
    """The figures of the draws: shares in both arms, and their differences."""
    judged = table[table["outcome"].notna()]
    arm = judged[judged["arm"] == "suggestion"]
    found = {
        word: _share(arm["outcome"] == word, arm) for word in ("accepted", "changed", "rejected")
    }
    found |= _arms(judged, "same", ("same_with", "same_without", "pull"))
    known = judged[judged["answer_right"].notna()]
    found |= _arms(known, "answer_right", ("right_with", "right_without", "towards_right"))
    for right, name in ((True, "pull_right"), (False, "pull_wrong")):
        of = known[known["suggestion_right"] == right]
        found[name] = _arms(of, "same", ("", "", name))[name]
    return found


def _share(hits: Any, rows: pd.DataFrame) -> Expected:
    return share(hits, by=rows["item"], raters=rows["rater_handle"])


def _arms(rows: pd.DataFrame, column: str, names: tuple[str, str, str]) -> dict[str, Expected]:
    """Newcombe's method 10 with the arms' correlation, of which three quarters count."""
    first = rows["arm"] == "suggestion"
    hits = rows[column].astype(float)
    one, two = _share(hits[first], rows[first]), _share(hits[~first], rows[~first])
    assert one.value is not None
    assert two.value is not None
    apart = hits - np.where(first, one.value, two.value)
    covariance, variances = 0.0, [-float((apart[of] ** 2).sum()) for of in (first, ~first)]
    for side in ("item", "rater_handle"):
        sums = (
            pd.DataFrame({"one": apart.where(first, 0.0), "two": apart.where(~first, 0.0)})
            .groupby(rows[side])
            .sum()
        )
        covariance += float((sums["one"] * sums["two"]).sum())
        variances = [
            old + float((sums[name] ** 2).sum())
            for old, name in zip(variances, sums.columns, strict=True)
        ]
    alone = [float((apart[of] ** 2).sum()) for of in (first, ~first)]
    spread = [max(each, least) for each, least in zip(variances, alone, strict=True)]
    correlation = min(max(covariance / math.sqrt(spread[0] * spread[1]), 0.0), 1.0)
    value, r = one.value - two.value, COUNTED_CORRELATION * correlation

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(a * a + b * b - 2 * r * a * b, 0.0))

    low = value - reach(one.value - one.low, two.high - two.value)
    high = value + reach(one.high - one.value, two.value - two.low)
    return dict(zip(names, (one, two, Expected(value, len(rows), low=low, high=high)), strict=True))
