"""Breakdowns by label: which kinds of question a model does better on, and how certain that is.

Source: Avnat et al. 2024 (EBMQA), Results and Figures 3 to 5: accuracy by label, the gap between
the best and the worst sub-label of a label, and answer rate against accuracy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medlens.deferred_module import np, pd
from medlens.stats.estimate import Estimate
from medlens.stats.hypothesis_tests_and_effect_sizes import (
    HypothesisTest,
    benjamini_hochberg,
    cohens_h,
    estimate_odds_ratio,
    estimate_spearman_correlation,
    independence_test,
)
from medlens.studies.ebmqa.metrics_answer_counts import (
    MEASURES,
    AnswerCounts,
    tally_by_groups,
    total_and_n_of_measure,
)

PAPERS_LABELS = ("answer", "discipline", "subject_type", "qa_type", "prevalence", "length")
"""The labels that the paper compares (Figure 3 and Appendix, "QA selection and subanalysis")."""

OFTEN_ASKED = 200
"""The paper correlates over sub-labels of disciplines asked more often than this (Results, "Numeric
QA subanalysis")."""

FEW = 10
"""Below this n a group is greyed, and is neither the best nor the worst."""


@dataclass(frozen=True)
class Gap:
    """One model on one label: its best and its worst sub-label, and the test over all of them.

    ``gap`` is best minus worst, in shares; it has no interval, because the two were picked for
    being far apart. ``h`` is Cohen's. ``test`` is over all sub-labels with an
    n (``independence_test``: exact where they are small), ``p_fdr`` its p corrected over the
    model's labels.
    """

    model: str
    label: str
    best: str
    worst: str
    gap: Estimate
    h: float | None
    test: HypothesisTest
    p_fdr: float | None = None


def compare_best_and_worst_sublabel(
    model: str,
    label: str,
    groups: Mapping[str, AnswerCounts],
    measure: str = "accuracy",
    *,
    overlapping: bool = False,
) -> Gap:
    """One model's gap over the sub-labels of one label.

    ``overlapping`` sub-labels (one question can have several) are not tested: the groups of a
    chi-square test must not share questions.
    """
    make = MEASURES[measure][1]
    found = {name: make(one) for name, one in groups.items()}
    test = _tested(list(groups.values()), measure)
    if overlapping:
        test = _nothing("one question can have several of these")
    counted = {
        name: one.value for name, one in found.items() if one.value is not None and one.n >= FEW
    }
    method = "best minus worst sub-label, no interval"
    if len(counted) < 2:
        reason = f"fewer than two sub-labels have {FEW} or more"
        return Gap(
            model, label, "", "", Estimate.undefined_estimate(reason, method=method), None, test
        )
    best = max(counted, key=lambda name: counted[name])
    worst = min(counted, key=lambda name: counted[name])
    n = found[best].n + found[worst].n
    value = Estimate(counted[best] - counted[worst], None, None, n, method, p=test.p)
    return Gap(model, label, best, worst, value, cohens_h(counted[best], counted[worst]), test)


def list_gaps_between_label_values_per_model(
    by_label: Mapping[str, Mapping[tuple[str, str], AnswerCounts]],
    measure: str = "accuracy",
    *,
    overlapping: Collection[str] = (),
) -> list[Gap]:
    """The gaps of every model on every label; ``by_label`` has tallies by (model, value).

    P values are corrected by Benjamini and Hochberg over each model's labels. ``overlapping`` names
    the labels that a question can have several of.
    """
    models = list(dict.fromkeys(model for groups in by_label.values() for model, _ in groups))
    found: list[Gap] = []
    for model in models:
        mine = []
        for label, groups in by_label.items():
            own = {value: one for (who, value), one in groups.items() if who == model and value}
            if own:
                mine.append(
                    compare_best_and_worst_sublabel(
                        model, label, own, measure, overlapping=label in overlapping
                    )
                )
        corrected = benjamini_hochberg([_or_nan(one.test.p) for one in mine])
        found += [
            Gap(
                one.model,
                one.label,
                one.best,
                one.worst,
                one.gap,
                one.h,
                one.test,
                None if np.isnan(p) else float(p),
            )
            for one, p in zip(mine, corrected, strict=True)
        ]
    return found


def estimate_median_sublabel_gap_of_paper_labels(found: Sequence[Gap]) -> Estimate:
    """The median gap over the paper's labels, with quartiles (its 7 [5-10] %)."""
    values = [
        one.gap.value for one in found if one.gap.value is not None and one.label in PAPERS_LABELS
    ]
    method = "median with quartiles over the paper's labels"
    if not values:
        return Estimate.undefined_estimate("no label has two sub-labels to compare", method=method)
    low, middle, high = (float(q) for q in np.percentile(values, [25, 50, 75]))
    return Estimate(middle, low, high, len(values), method)


@dataclass(frozen=True)
class AgainstRest:
    """A sub-label against all other questions of the label: for the forest plot.

    ``odds`` has Woolf's interval; ``test`` is chi-square, or Fisher's exact test where cells are
    small (``independence_test``), and ``p_fdr`` its p corrected over the sub-labels.
    """

    value: str
    here: Estimate
    rest: Estimate
    odds: Estimate
    h: float | None
    test: HypothesisTest
    p_fdr: float | None = None


def compare_each_sublabel_with_rest(
    groups: Mapping[str, AnswerCounts],
    measure: str = "accuracy",
    *,
    whole: AnswerCounts | None = None,
) -> list[AgainstRest]:
    """Each sub-label of one model against all other questions; totals are rounded first.

    ``whole`` is the tally of all questions; without it the groups' sum is used, which is right only
    if no question is in two groups.
    """
    whole = sum(groups.values(), AnswerCounts()) if whole is None else whole
    make = MEASURES[measure][1]
    rows = []
    for name, one in groups.items():
        rest = whole - one
        table = _yes_no((one, rest), measure)
        here, there = make(one), make(rest)
        defined = here.value is not None and there.value is not None
        rows.append(
            (
                name,
                here,
                there,
                estimate_odds_ratio(table)
                if defined
                else Estimate.undefined_estimate("there is nothing to compare"),
                cohens_h(here.value, there.value)
                if here.value is not None and there.value is not None
                else None,
                independence_test(table) if defined else _nothing(),
            )
        )
    corrected = benjamini_hochberg([_or_nan(row[5].p) for row in rows])
    return [
        AgainstRest(*row, None if np.isnan(p) else float(p))
        for row, p in zip(rows, corrected, strict=True)
    ]


def tallies_by_dividing_label_and_value(
    groups: Mapping[tuple[str, str], AnswerCounts],
) -> dict[tuple[str, str], AnswerCounts]:
    """Tallies by (label, value) of those labels that divide the questions.

    A label with only one value is just the whole set again, not a point next to its parts.
    """
    values = Counter(label for label, value in groups if value)
    return {key: one for key, one in groups.items() if values[key[0]] > 1 and key[1]}


def estimate_rate_accuracy_correlation(
    groups: Mapping[Any, AnswerCounts], *, asked_more_than: int = 0
) -> Estimate:
    """Spearman's correlation, over sub-labels, of the answer rate with accuracy.

    Sub-labels with fewer than ``FEW`` answers, or asked ``asked_more_than`` times or less, are left
    out; ``n`` counts the others.
    """
    rate, right = MEASURES["answer_rate"][1], MEASURES["accuracy"][1]
    pairs = [
        (rate(one).value, right(one).value)
        for one in groups.values()
        if one.answered >= FEW and one.asked > asked_more_than
    ]
    known = [(x, y) for x, y in pairs if x is not None and y is not None]
    return estimate_spearman_correlation([x for x, _ in known], [y for _, y in known])


@dataclass(frozen=True)
class Step:
    """A point of a risk-coverage curve: only answers that at least ``agreeing`` others gave too."""

    agreeing: int
    coverage: Estimate
    risk: Estimate


def risk_coverage_steps_by_model(levels: pd.DataFrame) -> dict[str, list[Step]]:
    """Each model's risk (1 - accuracy) at each coverage (share of the questions answered).

    Apart from "I do not know", models do not say how sure they are; the proxy is how many other
    models chose the same options. ``levels`` has one row per (``model``, ``agreeing``): how many
    answers have exactly that many others with them (``answered``), their ``score``, and
    ``replied``, the questions the model replied to at all (the same in each row). The last step,
    agreeing 0, is the model as it is. Steps without an answer are left out.

    Source: El-Yaniv and Wiener 2010, JMLR 11 (selective prediction).
    """
    found: dict[str, list[Step]] = {}
    for model, rows in levels.groupby("model", sort=True):
        counts = {
            int(level): (int(n), float(score))
            for level, n, score in zip(
                rows["agreeing"], rows["answered"], rows["score"], strict=True
            )
        }
        replied = int(rows["replied"].iloc[0])
        steps, answered, score = [], 0, 0.0
        for level in sorted(counts, reverse=True):
            answered += counts[level][0]
            score += counts[level][1]
            if answered:
                tally = AnswerCounts(asked=replied, answered=answered, score=score)
                coverage = MEASURES["answer_rate"][1](tally)
                steps.append(Step(level, coverage, _complement(MEASURES["accuracy"][1](tally))))
        found[str(model)] = steps
    return found


def _complement(one: Estimate) -> Estimate:
    if one.value is None or one.low is None or one.high is None:
        return one
    n = one.denominator or 0
    return Estimate(
        1 - one.value,
        1 - one.high,
        1 - one.low,
        one.n,
        one.method,
        numerator=n - (one.numerator or 0),
        denominator=n,
    )


# -- a table of one's own --------------------------------------------------------------------------


@dataclass(frozen=True)
class Pivot:
    """A cross table: estimates by (row, column), the row totals, and the tests.

    ``row_tests`` says for each row whether its columns differ, ``p_fdr`` is corrected over the
    rows; ``whole`` says whether the row totals differ.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], Estimate]
    row_totals: Mapping[str, Estimate]
    row_tests: Mapping[str, HypothesisTest]
    p_fdr: Mapping[str, float]
    whole: HypothesisTest


def make_pivot_of_tallies(
    table: pd.DataFrame, row: str, column: str, measure: str, *, alone: pd.DataFrame | None = None
) -> Pivot:
    """Rows and columns of a tally table crossed, in the table's order.

    ``alone`` is the tally table by ``row`` only: the row totals, needed if a question is in several
    columns, because then the columns do not add up to them.
    """
    crossed = {(key[0], key[1]): one for key, one in tally_by_groups(table, (row, column)).items()}
    make = MEASURES[measure][1]
    rows = tuple(dict.fromkeys(one for one, _ in crossed))
    columns = tuple(dict.fromkeys(one for _, one in crossed))
    by_row = {r: sum((t for (a, _), t in crossed.items() if a == r), AnswerCounts()) for r in rows}
    if alone is not None:
        totals = tally_by_groups(alone, (row,))
        by_row = {r: totals[r,] for r in rows}
    tests = {r: _tested([one for (a, _), one in crossed.items() if a == r], measure) for r in rows}
    corrected = benjamini_hochberg([_or_nan(test.p) for test in tests.values()])
    return Pivot(
        rows,
        columns,
        {key: make(one) for key, one in crossed.items()},
        {r: make(one) for r, one in by_row.items()},
        tests,
        {r: float(p) for r, p in zip(tests, corrected, strict=True) if not np.isnan(p)},
        _tested(list(by_row.values()), measure),
    )


def _tested(groups: Sequence[AnswerCounts], measure: str) -> HypothesisTest:
    table = _yes_no(groups, measure)
    return independence_test(table) if len(table) else _nothing()


def _yes_no(groups: Iterable[AnswerCounts], measure: str) -> list[list[float]]:
    """[[yes, no], …] of the groups with an n; totals rounded to whole numbers."""
    rows = []
    for one in groups:
        total, n = total_and_n_of_measure(one, measure)
        if n:
            rows.append([float(round(total)), float(n - round(total))])
    return rows


def _nothing(reason: str = "there is nothing to compare") -> HypothesisTest:
    return HypothesisTest(None, None, 0, "chi-square", reason=reason)


def _or_nan(p: float | None) -> float:
    return float("nan") if p is None else p
