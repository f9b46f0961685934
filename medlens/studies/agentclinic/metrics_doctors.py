"""Doctors against each other on the same cases, under the same rules.

Repeats of a case are not independent: the difference and McNemar's exact test take them as one
cluster; Holm over all pairs of doctors.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from medlens.stats.estimate import Estimate, difference_with_outstanding
from medlens.stats.paired import clustered_difference
from medlens.stats.tests import HypothesisTest, clustered_mcnemar, holm
from medlens.studies.agentclinic.metrics_tables import awaiting, by_models, reference, unbiased


@dataclass(frozen=True)
class Doctors:
    """Two doctors on the cases that both have played to an end.

    ``first_better`` and ``second_better`` hold (dialogue of the first, of the second) of the cases
    on which they differ, ``alike`` counts the others; ``difference`` is the first's accuracy less
    the second's.
    """

    first: str
    second: str
    first_better: tuple[tuple[str, str], ...]
    second_better: tuple[tuple[str, str], ...]
    alike: int
    difference: Estimate
    test: HypothesisTest
    p_holm: float | None

    @property
    def n(self) -> int:
        return len(self.first_better) + len(self.second_better) + self.alike


def doctors(table: pd.DataFrame) -> list[Doctors]:
    """Every pair of doctors, without biases and people, all else at the reference."""
    plain = unbiased(by_models(table))
    for column, value in reference(table).items():
        if column != "doctor":
            plain = plain[plain[column] == value]
    there = plain[(plain["outcome"] != "error") | awaiting(plain)]
    there = there.assign(
        right=(there["outcome"] == "correct").astype(float), waits=there["outcome"] == "error"
    )
    found = []
    for first, second in combinations(sorted(there["doctor"].unique()), 2):
        joined = there[there["doctor"] == first].merge(
            there[there["doctor"] == second], on=["case", "repeat"], suffixes=("_first", "_second")
        )
        waits = joined["waits_first"] | joined["waits_second"]
        if len(joined := joined[~waits]):
            found.append((str(first), str(second), joined, int(waits.sum())))
    tests = [_test(joined) for _, _, joined, _ in found]
    corrected = holm([np.nan if test.p is None else test.p for test in tests])
    return [
        _doctors(*one, test, None if np.isnan(p) else float(p))
        for one, test, p in zip(found, tests, corrected, strict=True)
    ]


def _by_case(joined: pd.DataFrame) -> pd.DataFrame:
    """By case: how much better the first did, and a dialogue of each."""
    apart = joined.assign(apart=joined["right_first"] - joined["right_second"])
    return apart.groupby("case", sort=True).agg(
        apart=("apart", "mean"),
        first=("dialogue_first", "first"),
        second=("dialogue_second", "first"),
    )


def _test(joined: pd.DataFrame) -> HypothesisTest:
    first, second, case = (
        joined[one].to_numpy() for one in ("right_first", "right_second", "case")
    )
    return clustered_mcnemar(first, second, case.astype(str), unit="cases")


def _doctors(
    first: str,
    second: str,
    joined: pd.DataFrame,
    waiting: int,
    test: HypothesisTest,
    p_holm: float | None,
) -> Doctors:
    cases = _by_case(joined)

    def better(rows: pd.DataFrame) -> tuple[tuple[str, str], ...]:
        return tuple(zip(rows["first"], rows["second"], strict=True))

    difference = clustered_difference(
        joined["right_first"].to_numpy(),
        joined["right_second"].to_numpy(),
        joined["case"].to_numpy(dtype=str),
        unit="cases",
    )
    return Doctors(
        first,
        second,
        better(cases[cases["apart"] > 0]),
        better(cases[cases["apart"] < 0]),
        int((cases["apart"] == 0).sum()),
        difference_with_outstanding(replace(difference, p=test.p), waiting),
        test,
        p_holm,
    )
