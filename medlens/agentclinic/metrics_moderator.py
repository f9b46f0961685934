"""The moderator measured against clinicians, and accuracy corrected for its errors.

A clinician's word is the clear majority of those who said yes or no; a tie, or "cannot tell"
alone, is no word. Positive: the moderator said that it is the same disease.

Source of the correction: Rogan & Gladen (1978), American Journal of Epidemiology 107.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from medlens.agentclinic.metrics_ratings import people
from medlens.stats.agreement import cohen_kappa, krippendorff_alpha
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import bootstrap_ratio, wilson
from medlens.stats.resampling import Floats, from_sums, ratio, types_of


@dataclass(frozen=True)
class Moderator:
    """The moderator against clinicians.

    The four tuples hold dialogue names: ``confirmed`` (both say the same disease), ``overcalled``
    (the moderator alone says so), ``missed`` (clinicians alone), ``rejected`` (neither).
    """

    confirmed: tuple[str, ...]
    overcalled: tuple[str, ...]
    missed: tuple[str, ...]
    rejected: tuple[str, ...]
    agreement: Estimate
    sensitivity: Estimate
    specificity: Estimate
    kappa: Estimate
    raw: Estimate
    corrected: Estimate
    clinicians: Estimate


def words_of_clinicians(judgments: pd.DataFrame) -> dict[str, bool]:
    """By dialogue name: whether clinicians call it the same disease; absent without a majority."""
    given = people(judgments)
    votes: dict[str, list[int]] = {}
    for item, value in zip(given["item"], given["value"], strict=True):
        if value.same in ("yes", "no"):
            votes.setdefault(str(item), []).append(1 if value.same == "yes" else -1)
    return {item: sum(cast) > 0 for item, cast in sorted(votes.items()) if sum(cast)}


def moderator(table: pd.DataFrame, judgments: pd.DataFrame) -> Moderator:
    """Agreement, sensitivity, specificity, kappa, and accuracy with and without correction.

    ``table`` is of ``metrics_tables.played``; ``judgments`` of the task ``diagnosis_match``.
    """
    words = words_of_clinicians(judgments)
    verdicts = {
        str(name): outcome == "correct"
        for name, outcome in zip(table["dialogue"], table["outcome"], strict=True)
        if outcome in ("correct", "incorrect")
    }
    checked = [name for name in words if name in verdicts]
    cells: dict[tuple[bool, bool], list[str]] = {}
    for name in checked:
        cells.setdefault((verdicts[name], words[name]), []).append(name)

    def cell(verdict: bool, word: bool) -> tuple[str, ...]:
        return tuple(cells.get((verdict, word), ()))

    confirmed, overcalled = cell(True, True), cell(True, False)
    missed, rejected = cell(False, True), cell(False, False)
    return Moderator(
        confirmed, overcalled, missed, rejected,
        agreement=wilson(len(confirmed) + len(rejected), len(checked)),
        sensitivity=_share(confirmed, missed, "clinicians called no diagnosis the same disease"),
        specificity=_share(rejected, overcalled, "clinicians called no diagnosis another disease"),
        kappa=cohen_kappa(
            [float(verdicts[name]) for name in checked], [float(words[name]) for name in checked]
        ),
        raw=_raw(table), corrected=_corrected(table, words, verdicts),
        clinicians=_between(judgments),
    )  # fmt: skip


def _share(hits: tuple[str, ...], others: tuple[str, ...], reason: str) -> Estimate:
    n = len(hits) + len(others)
    if n == 0:
        return Estimate.undefined(reason, method="Wilson", denominator=0)
    return wilson(len(hits), n)


def _raw(table: pd.DataFrame) -> Estimate:
    ended = table[table["outcome"] != "error"]
    correct = (ended["outcome"] == "correct").to_numpy(dtype=np.float64)
    found = bootstrap_ratio(
        correct, np.ones(len(correct)), clusters=ended["case"].to_numpy(dtype=str),
        method="accuracy by the moderator", unit="cases",
    )  # fmt: skip
    return replace(found, numerator=int(correct.sum()), denominator=len(correct))


def _corrected(table: pd.DataFrame, words: dict[str, bool], verdicts: dict[str, bool]) -> Estimate:
    """Accuracy over all dialogues that ended, corrected by what was checked; cases are drawn.

    (p + specificity - 1) / (sensitivity + specificity - 1), kept within 0 and 1, of the dialogues
    with a diagnosis; those without one are not correct and need no moderator.
    """
    method = "Rogan-Gladen"
    ended = table[table["outcome"] != "error"]
    rows = np.zeros((len(ended), 7))
    for at, name in enumerate(ended["dialogue"].astype(str)):
        rows[at, 0] = 1
        if name not in verdicts:
            continue
        rows[at, 1], rows[at, 2] = 1, verdicts[name]
        if name in words:
            rows[at, 3 if words[name] else 5] = 1
            rows[at, 4] = words[name] and verdicts[name]
            rows[at, 6] = not words[name] and not verdicts[name]
    if len(rows) == 0:
        return Estimate.undefined("there are no dialogues", method=method)
    totals = rows.sum(axis=0)
    if not totals[3] or not totals[5]:
        reason = "clinicians have checked no diagnosis of " + (
            "either kind" if not (totals[3] or totals[5]) else
            "the same disease" if not totals[3] else "another disease"
        )  # fmt: skip
        return Estimate.undefined(reason, len(rows), method=method)
    _, codes = np.unique(ended["case"].to_numpy(dtype=str), return_inverse=True)
    by_case = np.zeros((int(codes.max()) + 1, rows.shape[1]))
    np.add.at(by_case, codes, rows)
    types, times = types_of(by_case)

    def statistic(sums: Floats) -> Floats:
        share = ratio(sums[:, 2], sums[:, 1])
        sensitivity, specificity = ratio(sums[:, 4], sums[:, 3]), ratio(sums[:, 6], sums[:, 5])
        informed = sensitivity + specificity - 1
        true = ratio(share + specificity - 1, np.where(informed > 0, informed, 0.0))
        kept: Floats = np.clip(true, 0.0, 1.0) * ratio(sums[:, 1], sums[:, 0])
        return kept

    return from_sums(
        types, times, statistic, method=method, unit="cases", n=len(rows),
        undefined_because="the moderator is no better than chance on what was checked",
    )  # fmt: skip


_CODES = {"yes": 0.0, "no": 1.0, "cannot_tell": 2.0}


def _between(judgments: pd.DataFrame) -> Estimate:
    """Krippendorff's alpha (nominal) between clinicians, cannot tell as an answer of its own."""
    given = people(judgments)
    table = pd.DataFrame(
        {
            "item": given["item"].to_numpy(),
            "rater": given["rater"].to_numpy(),
            "code": [_CODES.get(value.same or "", np.nan) for value in given["value"]],
        }
    )
    if table.empty:
        return krippendorff_alpha(np.empty((0, 1)), level="nominal")
    wide = table.pivot_table(index="item", columns="rater", values="code", aggfunc="first")
    return krippendorff_alpha(wide.to_numpy(dtype=np.float64), level="nominal")
