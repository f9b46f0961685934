"""How arms on the same cases differ: paired comparisons, and which arm was preferred to which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from medlens.config.forms import MET, Question
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import mean
from medlens.stats.paired import clustered_difference
from medlens.stats.resampling import Floats, Ints
from medlens.stats.tests import HypothesisTest, clustered_mcnemar, holm, wilcoxon
from medlens.studies.own.arms import TIE, named, preferred

_UNIT = "cases"


@dataclass(frozen=True)
class Difference:
    """How far the first arm is above the second in a question, or in one option of it. The p value
    is Holm-adjusted over all comparisons of the study.
    """

    question: Question
    option: str
    first: str
    second: str
    found: Estimate


def differences(
    questions: Sequence[Question], answers: pd.DataFrame, arms: Sequence[str]
) -> list[Difference]:
    """Compare every two arms in every question asked of arms.

    ``answers`` has a row per judgment and arm: case, rater_id, arm, and an answer per question.
    Raters who judged both arms of a case are compared with themselves, otherwise the case means are
    compared.
    """
    rows = answers[answers["arm"] != ""]
    pairs = _Pairs(rows, arms)
    found: list[Difference] = []
    tests: list[HypothesisTest] = []
    for question in questions:
        for option, values in _measured(question, rows[question.id]):
            table = pairs.table(values)
            for first, second in combinations(range(len(arms)), 2):
                estimate, test = pairs.compare(table, first, second)
                found.append(Difference(question, option, arms[first], arms[second], estimate))
                tests.append(test)
    adjusted = holm([np.nan if one.p is None else one.p for one in tests])
    many = int(np.count_nonzero(~np.isnan(adjusted)))
    return [
        replace(one, found=_tested(one.found, test, p, many))
        for one, test, p in zip(found, tests, adjusted, strict=True)
    ]


def _tested(one: Estimate, test: HypothesisTest, p: float, many: int) -> Estimate:
    if not one.defined or np.isnan(p):
        return one
    how = f"{test.method}, Holm over {many} comparisons" if many > 1 else test.method
    return replace(one, p=float(p), method=f"{one.method}; {how}")


def _measured(question: Question, answers: pd.Series) -> list[tuple[str, Floats]]:
    """What is compared in a question, (rows,) each: NaN without an answer."""
    if question.kind in ("scale", "number"):
        # The same few answers are repeated.
        code, different = pd.factorize(answers.to_numpy(dtype=object))
        return [("", np.array([*map(_number, different), np.nan])[code])]
    given = answers.tolist()
    options = question.choices
    if question.kind == "yes_no" or (question.kind == "single" and len(options) == 2):
        options = options[:1]
    known = answers.notna().to_numpy(dtype=bool)
    if question.kind == "multiple":
        hits = {
            option: [known and option in one for known, one in zip(known, given, strict=True)]
            for option in options
        }
    else:
        chosen = answers.astype(str).to_numpy(dtype=str)
        hits = {option: chosen == option for option in options}
    return [
        (option, np.where(known, np.array(hit, dtype=float), np.nan))
        for option, hit in hits.items()
    ]


def _number(answer: Any) -> float:
    return float(answer) if isinstance(answer, int | float) else float("nan")


# -- rubrics ---------------------------------------------------------------------------------------


def share_of_points(
    criteria: Sequence[Question], answers: Mapping[str, Sequence[Any]] | pd.DataFrame
) -> Floats:
    """The points of the criteria met over all points to be had, for each row (rows,).

    "Cannot be told" adds and costs nothing. The share is below 0 if faults outweigh merits, and NaN
    if a criterion has no answer, or none of them adds points. As in HealthBench (Arora et al. 2025,
    arXiv:2505.08775; ``calculate_score`` in openai/simple-evals), which clips the mean of all rows
    to 0 to 1, not each row.
    """
    given = np.array([list(answers[one.id]) for one in criteria], dtype=object)
    points = np.array([one.points for one in criteria], dtype=np.float64)
    most = points[points > 0].sum()
    got = points @ (given == MET[0]).astype(np.float64)
    known = np.asarray(np.isin(given, MET).all(axis=0))
    return share_of(got, np.full(len(got), most), known)


def share_of(got: Floats, most: Floats, known: NDArray[np.bool_]) -> Floats:
    """The points ``got`` over the ``most`` possible, for each answer; NaN if it is not ``known``,
    or there are no points to get.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(known & (most > 0), got / most, np.nan)
    return found


def worst_of(shares: Sequence[float], k: int) -> float:
    """The expected worst of k answers out of ``shares`` (at least k), any k being equally likely:
    the mean over all sets of k of their minimum, without drawing them.
    """
    least = sorted(shares)
    n = len(least)
    weights = [comb(n - at, k - 1) for at in range(1, n - k + 2)]
    return sum(one * weight for one, weight in zip(least, weights, strict=False)) / comb(n, k)


class _Pairs:
    """Answers by case and arm, to compare any two arms on the same cases."""

    def __init__(self, rows: pd.DataFrame, arms: Sequence[str]) -> None:
        cases = pd.factorize(rows["case"], sort=True)[0]
        raters = pd.factorize(rows["rater_id"], sort=True)[0]
        arm = pd.Categorical(rows["arm"], categories=list(arms)).codes
        both = cases * (raters.max(initial=0) + 1) + raters
        # Raters who judged more than one arm of a case are compared with themselves.
        within = len(np.unique(both)) < len(both)
        units, at = np.unique(both if within else cases, return_inverse=True)
        self._shape = (len(units), len(arms))
        self._cell: Ints = (at * len(arms) + arm).astype(np.int64)
        self._case = np.zeros(len(units), np.int64)
        self._case[at] = cases

    def table(self, values: Floats) -> Floats:
        """The mean answer, (units, arms); NaN if there is none."""
        known, size = ~np.isnan(values), self._shape[0] * self._shape[1]
        counts = np.bincount(self._cell[known], minlength=size)
        sums = np.bincount(self._cell[known], weights=values[known], minlength=size)
        with np.errstate(invalid="ignore"):
            return np.asarray((sums / counts).reshape(self._shape))

    def compare(self, table: Floats, first: int, second: int) -> tuple[Estimate, HypothesisTest]:
        """The first arm minus the second, on units with both."""
        one, two = table[:, first], table[:, second]
        pairs = ~(np.isnan(one) | np.isnan(two))
        one, two, case = one[pairs], two[pairs], self._case[pairs]
        if not len(one):
            none = Estimate.undefined("no case has both", method="difference in pairs")
            return none, HypothesisTest(None, None, 0, "", reason="no case has both")
        if all(np.isin(arm, (0.0, 1.0)).all() for arm in (one, two)):
            return (
                clustered_difference(one, two, case, unit=_UNIT),
                clustered_mcnemar(one, two, case, unit=_UNIT),
            )
        apart = one - two
        _, codes = np.unique(case, return_inverse=True)
        by_case = np.bincount(codes, weights=apart) / np.bincount(codes)
        found = mean(apart, clusters=case, unit=_UNIT, kind="difference")
        return replace(found, method=f"difference in pairs; {found.method}"), wilcoxon(by_case)


# -- preferences -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Contests:
    """Which arm was preferred to which. Each contest has its case (n,), the numbers of the two arms
    (n,) and the result of the first (n,): 1, 0 or, for a tie, a half. ``count`` is the number of
    arms.
    """

    case: Ints
    first: Ints
    second: Ints
    won: Floats
    count: int

    def wins(self, first: int, second: int) -> Estimate:
        """The share of contests between two arms that the first won, a tie counting half."""
        of = (self.first == first) & (self.second == second)
        won, case = self.won[of], self.case[of]
        if not len(won):
            return Estimate.undefined("the two were never compared", method="wins")
        found = mean(won, clusters=case, unit=_UNIT, kind=(0.0, 1.0))
        test = clustered_mcnemar(won == 1, won == 0, case, unit=_UNIT)
        method = f"share of contests won, a tie as half; {found.method}; sign test by {_UNIT}"
        return replace(found, method=method, p=test.p)

    @property
    def by_case(self) -> Floats:
        """Wins (cases, arms, arms) of the row over the column."""
        _, case = np.unique(self.case, return_inverse=True)
        found = np.zeros((int(case.max(initial=-1)) + 1, self.count, self.count))
        np.add.at(found, (case, self.first, self.second), self.won)
        np.add.at(found, (case, self.second, self.first), 1 - self.won)
        return found


def contests(
    question: Question,
    answers: Sequence[Mapping[str, Any]],
    orders: Sequence[Sequence[str]],
    cases: Ints,
    arms: Sequence[str],
) -> Contests:
    """The contests in judgments of a preference or ranking, with these answers, arms and cases."""
    number = {arm: at for at, arm in enumerate(arms)}
    rows: list[tuple[int, int, int, float]] = []
    for given, order, case in zip(answers, orders, cases, strict=True):
        there = sorted(number[one] for one in order)
        if question.kind == "preference":
            best = preferred(given[question.id]) if question.id in given else None
            if best is None:
                continue
            for one, two in combinations(there, 2):
                if best == TIE or number[best] in (one, two):
                    won = 0.5 if best == TIE else float(number[best] == one)
                    rows.append((int(case), one, two, won))
        else:
            places = {one: given.get(named(question.id, arms[one])) for one in there}
            ranked = {one: float(place) for one, place in places.items() if place is not None}
            for one, two in combinations(ranked, 2):
                won = 0.5 if ranked[one] == ranked[two] else float(ranked[one] < ranked[two])
                rows.append((int(case), one, two, won))
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    whole = table[:, :3].astype(np.int64)
    return Contests(whole[:, 0], whole[:, 1], whole[:, 2], table[:, 3], len(arms))
