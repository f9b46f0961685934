"""Accuracy and how dialogues ended; biases against the same cases without them.

Source: Schmidgall et al. 2024, sections 3.1 to 3.4 (accuracy by model, bias, patient model and
number of interactions; accuracy normalised by that without a bias).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from medlens.deferred_module import np, pd
from medlens.stats import intervals
from medlens.stats.column_as_text_array import text_array_of_column
from medlens.stats.estimate import (
    Estimate,
    difference_with_bounds_for_outstanding_verdicts,
    share_with_bounds_for_outstanding_verdicts,
)
from medlens.stats.hypothesis_tests_and_effect_sizes import HypothesisTest, holm_adjust
from medlens.stats.intervals import clustered_share
from medlens.stats.paired_proportions import (
    estimate_clustered_paired_difference,
    estimate_paired_ratio,
    score_test_of_paired_difference,
)
from medlens.studies.agentclinic.biases import NONE
from medlens.studies.agentclinic.metrics_input_tables import (
    RULES,
    mask_of_dialogues_awaiting_verdict,
    most_common_unbiased_rules_by_name,
    series_of_outcomes_or_outstanding,
    table_of_dialogues_at_reference,
    table_of_dialogues_of_models_alone,
    table_of_unbiased_dialogues,
)
from medlens.studies.agentclinic.records import OUTCOMES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


DIMENSIONS = ("doctor", "patient", "n_interactions", "image_mode")


def estimate_diagnostic_accuracy(table: pd.DataFrame) -> Estimate:
    """Share of correct diagnoses among the dialogues that ended; no diagnosis is not correct.

    Dialogues that ended in an error were not played out: they are left out, and the method says how
    many. Those whose diagnosis has no usable verdict yet are outstanding: the method says how many,
    and the bounds they leave for the share, or the share is withheld. Dialogues of one case are not
    independent: cases are the units of the interval.
    """
    ended = table[table["outcome"] != "error"]
    waiting = int(mask_of_dialogues_awaiting_verdict(table).sum())
    errors = len(table) - len(ended) - waiting
    left_out = f"; {errors} that ended in an error left out" if errors else ""
    correct = (ended["outcome"] == "correct").to_numpy(dtype=bool)
    if len(ended) == 0:
        because = "every dialogue ended in an error" if errors else "there are no dialogues"
        because = f"{waiting:,} of {waiting:,} have verdicts outstanding" if waiting else because
        return Estimate.undefined_estimate(because, method="accuracy", denominator=0)
    found = estimate_case_clustered_share(ended, correct)
    return share_with_bounds_for_outstanding_verdicts(
        replace(found, method=found.method + left_out), waiting
    )


def estimate_accuracy_on_unflagged_cases(table: pd.DataFrame) -> Estimate:
    """``accuracy`` on the cases that the check did not flag."""
    found = estimate_diagnostic_accuracy(table[~table["flagged"].astype(bool)])
    left_out = table.loc[table["flagged"].astype(bool), "case"].nunique()
    return replace(found, method=f"{found.method}; flagged cases left out: {left_out}")


def shares_of_dialogues_by_outcome(table: pd.DataFrame) -> dict[str, Estimate]:
    """Share of each outcome among all dialogues, errors included.

    Those with an outstanding verdict are a state of their own, listed if there are any.
    """
    stand = series_of_outcomes_or_outstanding(table)
    ways = [*OUTCOMES, *(["outstanding"] if (stand == "outstanding").any() else [])]
    return {one: estimate_case_clustered_share(table, stand == one) for one in ways}


def estimate_case_clustered_share(table: pd.DataFrame, hits: ArrayLike) -> Estimate:
    """The share of the dialogues in ``hits`` (dialogues,), with an interval by case."""
    return clustered_share(hits, text_array_of_column(table["case"]), unit="cases")


def unbiased_dialogue_tables_by_value_of_dimension(
    table: pd.DataFrame, dimension: str
) -> dict[str, pd.DataFrame]:
    """The unbiased dialogues by the values of one dimension, all else at the reference.

    The reference is what most unbiased dialogues were played under (``reference``). People are
    shown beside models if the dimension is their seat, and left out of everything else.
    """
    models = table_of_unbiased_dialogues(table_of_dialogues_of_models_alone(table, but=dimension))
    chosen = table_of_dialogues_at_reference(
        models, most_common_unbiased_rules_by_name(table), dimension
    )
    return {str(value): group for value, group in chosen.groupby(dimension, sort=True)}


def dialogue_tables_by_doctor_and_bias(table: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """The dialogues by (doctor, bias), all else at each one's reference; ``none`` included."""
    rules = {
        key: value
        for key, value in most_common_unbiased_rules_by_name(table).items()
        if key != "doctor"
    }
    found = {}
    for (doctor, bias), group in table.groupby(["doctor", "bias"], sort=True):
        found[str(doctor), str(bias)] = table_of_dialogues_at_reference(group, rules, "bias")
    return found


def dialogue_tables_by_doctor_and_bias_group(
    table: pd.DataFrame,
) -> dict[tuple[str, str], pd.DataFrame]:
    """As ``by_bias``, by (doctor, kind of bias): ``doctor cognitive``, ``patient implicit``, …

    If several kinds were played there are also ``doctor``, ``patient``, ``cognitive`` and
    ``implicit``: all of one side, or of one sort, together.
    """
    parts: dict[tuple[str, str], list[pd.DataFrame]] = {}
    for (doctor, _), group in dialogue_tables_by_doctor_and_bias(table).items():
        parts.setdefault((doctor, str(group["bias_group"].iloc[0])), []).append(group)
    return {key: pd.concat(found) for key, found in sorted(_with_pooled(parts).items())}


def _with_pooled(
    parts: Mapping[tuple[str, str], list[pd.DataFrame]],
) -> dict[tuple[str, str], list[pd.DataFrame]]:
    """The parts by (doctor, kind), and those that two or more kinds share, pooled."""
    pooled: dict[tuple[str, str], list[list[pd.DataFrame]]] = {}
    for (doctor, kind), found in parts.items():
        side, _, sort = kind.partition(" ")
        if side in ("doctor", "patient"):
            for name in filter(None, (side, sort)):
                pooled.setdefault((doctor, name), []).append(found)
    several = {key: [*chain(*found)] for key, found in pooled.items() if len(found) > 1}
    return {**parts, **several}


def dialogue_table_by_rules_and_bias(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The dialogues by every combination of rules and bias that was played."""
    columns = [*RULES, "bias"]
    return {", ".join(map(str, key)): group for key, group in table.groupby(columns, sort=True)}


@dataclass(frozen=True)
class BiasComparison:
    """A bias against no bias, on the cases that were played to the end with both.

    ``both``, ``unbiased_only``, ``biased_only`` and ``neither`` hold pairs of names (unbiased
    dialogue, biased dialogue) by which of them was correct: the cells a page opens. ``p_holm`` is
    corrected for all comparisons made together.
    """

    doctor: str
    bias: str
    both: tuple[tuple[str, str], ...]
    unbiased_only: tuple[tuple[str, str], ...]
    biased_only: tuple[tuple[str, str], ...]
    neither: tuple[tuple[str, str], ...]
    difference: Estimate
    normalised: Estimate
    test: HypothesisTest
    p_holm: float | None

    @property
    def pair_count(self) -> int:
        return sum(map(len, (self.both, self.unbiased_only, self.biased_only, self.neither)))


def table_of_biased_beside_unbiased_dialogues(
    table: pd.DataFrame, doctor: str, bias: str
) -> pd.DataFrame:
    """Dialogues with a bias beside the unbiased ones of the same case, rules and repeat.

    Columns: case, base, base_correct, biased, biased_correct. Errors on either side are left out;
    if a cell was run several times, the last counts.
    """
    return _joined(table[table["outcome"] != "error"], doctor, bias)


def _joined(table: pd.DataFrame, doctor: str, bias: str) -> pd.DataFrame:
    keys = ["case", *RULES, "repeat"]
    ended = table[table["doctor"] == doctor]
    ended = ended.drop_duplicates([*keys, "bias"], keep="last")
    base, biased = ended[ended["bias"] == NONE], ended[ended["bias"] == bias]
    joined = base.merge(biased, on=keys, suffixes=("_base", "_biased"))
    return pd.DataFrame(
        {
            "case": joined["case"],
            "base": joined["dialogue_base"],
            "base_correct": joined["outcome_base"] == "correct",
            "biased": joined["dialogue_biased"],
            "biased_correct": joined["outcome_biased"] == "correct",
        }
    )


def list_paired_comparisons_of_biases(table: pd.DataFrame) -> list[BiasComparison]:
    """Every bias of every doctor against no bias, by doctor and bias; Holm over all that differ."""
    keys = sorted({(str(d), str(b)) for d, b in zip(table["doctor"], table["bias"], strict=True)})
    compared = [
        (key, found)
        for key in keys
        if key[1] != NONE and len(found := table_of_biased_beside_unbiased_dialogues(table, *key))
    ]
    to_come = table[(table["outcome"] != "error") | mask_of_dialogues_awaiting_verdict(table)]
    differences, tests = [], []
    for _, found in compared:
        base, biased = (
            found[side].to_numpy(dtype=np.float64) for side in ("base_correct", "biased_correct")
        )
        cases = text_array_of_column(found["case"])
        differences.append(estimate_clustered_paired_difference(biased, base, cases, unit="cases"))
        tests.append(score_test_of_paired_difference(differences[-1], int((base != biased).sum())))
    corrected = holm_adjust([np.nan if test.p is None else test.p for test in tests])
    return [
        _paired(
            *key,
            found,
            difference,
            test,
            None if np.isnan(p) else float(p),
            waiting=len(_joined(to_come, *key)) - len(found),
        )
        for (key, found), difference, test, p in zip(
            compared, differences, tests, corrected, strict=True
        )
    ]


def _paired(
    doctor: str,
    bias: str,
    found: pd.DataFrame,
    difference: Estimate,
    test: HypothesisTest,
    p_holm: float | None,
    *,
    waiting: int,
) -> BiasComparison:
    cells: dict[Hashable, list[tuple[str, str]]] = {}
    for row in found.itertuples(index=False):
        key = (bool(row.base_correct), bool(row.biased_correct))
        cells.setdefault(key, []).append((str(row.base), str(row.biased)))

    def cell(one: bool, other: bool) -> tuple[tuple[str, str], ...]:
        return tuple(cells.get((one, other), ()))

    return BiasComparison(
        doctor,
        bias,
        cell(True, True),
        cell(True, False),
        cell(False, True),
        cell(False, False),
        difference=difference_with_bounds_for_outstanding_verdicts(difference, waiting),
        normalised=difference_with_bounds_for_outstanding_verdicts(_normalised(found), waiting),
        test=test,
        p_holm=p_holm,
    )


def normalised_accuracy_by_doctor_and_bias_kind(
    table: pd.DataFrame,
) -> dict[tuple[str, str], Estimate]:
    """Normalised accuracy by (doctor, kind of bias) over all its pairs; cases are resampled."""
    parts: dict[tuple[str, str], list[pd.DataFrame]] = {}
    waiting: Counter[tuple[str, str]] = Counter()
    to_come = table[(table["outcome"] != "error") | mask_of_dialogues_awaiting_verdict(table)]
    groups = dict(zip(table["bias"], table["bias_group"], strict=True))
    for one in sorted(
        {(str(d), str(b)) for d, b in zip(table["doctor"], table["bias"], strict=True)}
    ):
        if one[1] != NONE and len(found := table_of_biased_beside_unbiased_dialogues(table, *one)):
            key = (one[0], str(groups[one[1]]))
            parts.setdefault(key, []).append(found)
            waiting[key] += len(_joined(to_come, *one)) - len(found)
    estimates: dict[tuple[str, str], Estimate] = {}
    for key, several in sorted(_with_pooled(parts).items()):
        joined = pd.concat(several)
        estimates[key] = difference_with_bounds_for_outstanding_verdicts(
            _normalised(joined), waiting[key]
        )
    return estimates


def _normalised(found: pd.DataFrame) -> Estimate:
    """Accuracy with a bias over accuracy without, from pairs; cases are resampled."""
    if not found["base_correct"].any():
        return Estimate.undefined_estimate(
            "no case was solved without the bias", len(found), method="ratio of shares in pairs"
        )
    return estimate_paired_ratio(
        found["biased_correct"].to_numpy(dtype=np.float64),
        found["base_correct"].to_numpy(dtype=np.float64),
        text_array_of_column(found["case"]),
        unit="cases",
    )


_SHARES = ("echo", "told")


def estimate_case_clustered_mean(table: pd.DataFrame, column: str) -> Estimate:
    """The mean of a column of the table, without NaN; cases are the units of its interval."""
    known = table[table[column].notna()]
    return intervals.estimate_clustered_mean(
        known[column].to_numpy(dtype=np.float64),
        clusters=text_array_of_column(known["case"]),
        unit="cases",
        kind=(0.0, 1.0) if column in _SHARES else "amount",
    )


# -- doctors against each other --------------------------------------------------------------------

# Repeats of a case are not independent: the difference and its test take them as one cluster; Holm
# over all pairs of doctors who differ on a case.


@dataclass(frozen=True)
class DoctorComparison:
    """Two doctors on the cases that both have played to the end.

    ``first_better`` and ``second_better`` hold (dialogue of the first, of the second) for the cases
    on which they differ, ``alike`` counts the others; ``difference`` is the first's accuracy minus
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
    def pair_count(self) -> int:
        return len(self.first_better) + len(self.second_better) + self.alike


def list_comparisons_of_doctor_pairs(table: pd.DataFrame) -> list[DoctorComparison]:
    """Every pair of doctors, without biases or people, all else at the reference."""
    plain = table_of_unbiased_dialogues(table_of_dialogues_of_models_alone(table))
    for column, value in most_common_unbiased_rules_by_name(table).items():
        if column != "doctor":
            plain = plain[plain[column] == value]
    there = plain[(plain["outcome"] != "error") | mask_of_dialogues_awaiting_verdict(plain)]
    there = there.assign(
        right=(there["outcome"] == "correct").astype(float), waits=there["outcome"] == "error"
    )
    # Of thirty doctors there are 435 pairs: joined at once, from no more columns than they need.
    there = there[[*_JOINED]].assign(doctor=there["doctor"].astype(str))
    both = there.merge(there, on=["case", "repeat"], suffixes=("_first", "_second"))
    both = both[both["doctor_first"] < both["doctor_second"]]
    found = []
    for (first, second), joined in both.groupby(["doctor_first", "doctor_second"], sort=True):
        waits = joined["waits_first"] | joined["waits_second"]
        if len(joined := joined[~waits]):
            found.append((str(first), str(second), joined, int(waits.sum())))
    differences = [_difference(joined) for _, _, joined, _ in found]
    tests = [
        score_test_of_paired_difference(
            difference, int((joined["right_first"] != joined["right_second"]).sum())
        )
        for difference, (_, _, joined, _) in zip(differences, found, strict=True)
    ]
    corrected = holm_adjust([np.nan if test.p is None else test.p for test in tests])
    return [
        _doctors(*one, difference, test, None if np.isnan(p) else float(p))
        for one, difference, test, p in zip(found, differences, tests, corrected, strict=True)
    ]


_JOINED = ("doctor", "case", "repeat", "right", "waits", "dialogue")


def _by_case(joined: pd.DataFrame) -> tuple[NDArray[np.float64], list[tuple[str, str]]]:
    """By case, in their order: how much better the first did, and a dialogue of each."""
    cases, _ = pd.factorize(joined["case"], sort=True)
    _, at = np.unique(cases, return_index=True)
    apart = (joined["right_first"] - joined["right_second"]).to_numpy()
    dialogues = joined[["dialogue_first", "dialogue_second"]].to_numpy()[at]
    return np.bincount(cases, apart) / np.bincount(cases), [(one, two) for one, two in dialogues]


def _difference(joined: pd.DataFrame) -> Estimate:
    return estimate_clustered_paired_difference(
        joined["right_first"].to_numpy(),
        joined["right_second"].to_numpy(),
        text_array_of_column(joined["case"]),
        unit="cases",
    )


def _doctors(
    first: str,
    second: str,
    joined: pd.DataFrame,
    waiting: int,
    difference: Estimate,
    test: HypothesisTest,
    p_holm: float | None,
) -> DoctorComparison:
    apart, dialogues = _by_case(joined)

    def better(sign: int) -> tuple[tuple[str, str], ...]:
        return tuple(pair for pair, by in zip(dialogues, sign * apart, strict=True) if by > 0)

    return DoctorComparison(
        first,
        second,
        better(1),
        better(-1),
        int((apart == 0).sum()),
        difference_with_bounds_for_outstanding_verdicts(difference, waiting),
        test,
        p_holm,
    )
