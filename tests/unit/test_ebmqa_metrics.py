"""EBMQA's figures: the paper's numbers recomputed, and the rest by hand."""

from __future__ import annotations

import math
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from medlens.stats.estimate import FIGURE_COLUMNS, Estimate, figure_rows_as_table
from medlens.studies.ebmqa import figures_charts, metrics, metrics_answer_counts
from medlens.studies.ebmqa import metrics_answer_counts as tally
from medlens.studies.ebmqa import metrics_by_label_gaps_and_risk_coverage as labels
from medlens.studies.ebmqa import metrics_model_comparison as compare
from medlens.studies.ebmqa.figures import FIGURES
from medlens.studies.ebmqa.metrics_answer_counts import COUNTS, AnswerCounts


def answered(right: float, n: int, *, idk: int = 0) -> AnswerCounts:
    """``n`` answers with this score, and as many replies that do not know."""
    return AnswerCounts(
        asked=n + idk, answered=n, idk=idk, score=right, exact=int(right), jaccard=right
    )


def frame(**groups: AnswerCounts) -> pd.DataFrame:
    return pd.DataFrame(
        [{"group": name} | {c: getattr(one, c) for c in COUNTS} for name, one in groups.items()]
    )


# -- the paper's table -----------------------------------------------------------------------------


def test_the_papers_numeric_accuracy_is_recomputed_from_its_counts() -> None:
    found = compare.compare_two_groups(answered(8583, 14005), answered(12038, 21215), "accuracy")
    assert found.first.value == pytest.approx(0.612853, abs=5e-7)
    assert found.second.value == pytest.approx(0.567429, abs=5e-7)
    assert found.odds.value == pytest.approx(1.20677, abs=5e-6)
    assert (found.odds.low, found.odds.high) == pytest.approx((1.15538, 1.26045), abs=5e-6)
    assert found.test.p == pytest.approx(2.48e-17, rel=1e-3)
    assert found.test.method == "chi-square"


def test_the_papers_semantic_p_needs_counts_rounded_first() -> None:
    claude, gpt4 = answered(1592.78, 2320), answered(1708.85, 2499)
    rounded = compare.compare_two_groups(claude, gpt4, "accuracy")
    assert rounded.test.p == pytest.approx(0.83644, abs=5e-6)
    assert "rounded" in rounded.test.method
    assert compare.compare_two_groups(
        claude, gpt4, "accuracy", rounded=False
    ).test.p == pytest.approx(0.83848, abs=5e-6)
    # The accuracy itself is of the scores as they are.
    assert rounded.first.value == pytest.approx(1592.78 / 2320)
    assert rounded.odds.value == pytest.approx(1.01, abs=5e-3)
    assert (rounded.odds.low, rounded.odds.high) == pytest.approx((0.9, 1.14), abs=5e-3)


@pytest.mark.parametrize(
    ("first", "second", "odds"),
    [
        ((2320, 2542), (2499, 2542), (0.18, 0.13, 0.25)),
        ((14005, 22000), (21215, 22000), (0.06, 0.06, 0.07)),
    ],
)
def test_the_papers_answer_rates_give_its_odds_ratios(
    first: tuple[int, int], second: tuple[int, int], odds: tuple[float, float, float]
) -> None:
    one, two = (answered(0, n, idk=all_ - n) for n, all_ in (first, second))
    found = compare.compare_two_groups(one, two, "answer_rate").odds
    assert (found.value, found.low, found.high) == pytest.approx(odds, abs=5e-3)


# -- measures of one group -------------------------------------------------------------------------


def test_every_measure_has_its_own_denominator() -> None:
    # 20 asked: 2 calls failed; of 18 replies 12 answered, 3 do not know, 1 refuses, 2 unreadable.
    one = AnswerCounts(20, 12, 3, 1, 2, 2, 7.5, 6, 7.0)
    values = {
        name: (make(one).value, make(one).denominator) for name, (_, make) in tally.MEASURES.items()
    }
    assert values == {
        "accuracy": (7.5 / 12, 12),
        "answer_rate": (12 / 18, 18),
        "accuracy_of_all": (7.5 / 18, 18),
        "exact": (0.5, 12),
        "jaccard": (7 / 12, 12),
        "idk_rate": (3 / 18, 18),
        "refusal_rate": (1 / 18, 18),
        "unreadable_rate": (2 / 18, 18),
        "error_rate": (0.1, 20),
    }
    for name, (_, make) in tally.MEASURES.items():
        total, n = tally.total_and_n_of_measure(one, name)
        assert make(one).value == pytest.approx(total / n)


def test_nothing_answered_is_undefined_and_not_zero() -> None:
    one = answered(0, 0, idk=4)
    assert tally.estimate_accuracy_of_answered(one).reason == "no question was answered"
    assert tally.estimate_answer_rate(one).value == 0
    assert (
        tally.estimate_answer_rate(AnswerCounts(asked=3, error=3)).reason
        == "no question was replied to"
    )


def test_rows_of_the_same_group_are_added() -> None:
    table = frame(x=answered(1.5, 2), y=answered(1, 1))
    table = pd.concat([table, frame(x=answered(1, 3, idk=1))])
    assert tally.tally_by_groups(table, ("group",))["x",] == answered(1.5, 2) + answered(
        1, 3, idk=1
    )
    assert tally.tally_by_groups(table, ())[()].answered == 6


# -- pairs -----------------------------------------------------------------------------------------


def test_models_are_compared_on_the_questions_that_both_answered() -> None:
    # Bits: 1 = a, 2 = b, 4 = c. Patterns (answered, right, questions).
    patterns = pd.DataFrame(
        [(7, 7, 5), (7, 1, 4), (3, 2, 1), (1, 1, 9), (6, 4, 3), (0, 0, 2)],
        columns=["answered", "right", "questions"],
    )
    ab, ac, bc = compare.list_comparisons_of_model_pairs(patterns, ["a", "b", "c"])
    # a and b both answered in patterns 1, 2, 3: 5 both right, 4 a only, 1 b only.
    assert (ab.both, ab.first_only, ab.second_only, ab.neither, ab.shared_question_count) == (
        5,
        4,
        1,
        0,
        10,
    )
    assert ab.better_model == "a"
    assert ab.difference.value == pytest.approx(0.3)
    # b and c: 5 both (7, 7), 3 c only (6, 4), 4 neither (7, 1).
    assert (bc.both, bc.first_only, bc.second_only, bc.neither) == (5, 0, 3, 4)
    assert (ac.both, ac.first_only, ac.second_only) == (5, 4, 0)
    # Scores: 3 / sqrt(5) = 1.3416, p .17971; sqrt(4) = 2, p .0455; sqrt(3) = 1.7321, p .08326.
    # Corrected: .17971, 3 x .0455 = .1365 above 3/2 x .08326 = .12490, which both have.
    tested = [one.test.p for one in (ab, ac, bc)]
    assert tested == pytest.approx([0.179712, 0.045500, 0.083265], abs=1e-6)
    corrected = [one.p_fdr for one in (ab, ac, bc)]
    assert corrected == pytest.approx([0.179712, 0.124897, 0.124897], abs=1e-6)
    assert ab.test.statistic == pytest.approx(9 / 5)


def test_models_that_share_no_question_are_not_compared() -> None:
    [one] = compare.paired_differences_with_tests([("", "a", "b", 0, 0, 0, 0)])
    assert one.p_fdr is None
    assert not one.difference.has_value


def test_p_of_two_models_is_that_of_the_interval_beside_it() -> None:
    decided = set()
    for first_only, second_only in combinations(range(14), 2):
        [pair] = compare.paired_differences_with_tests(
            [("", "a", "b", 9, first_only, second_only, 4)]
        )
        difference = pair.difference
        assert difference.p == pair.test.p == pair.p_fdr
        assert None not in (pair.test.p, difference.low, difference.high)
        excludes_0 = (difference.low or 0) > 0 or (difference.high or 0) < 0
        assert ((pair.test.p or 0) < 0.05) == excludes_0
        decided.add(pair.significantly_better_model)
    assert decided == {"", "b"}


def test_models_that_never_differ_have_no_p_and_are_not_corrected_for() -> None:
    same, few = ("", "a", "c", 20, 0, 0, 20), ("", "b", "c", 0, 2, 0, 0)
    apart, alike, shared_too_little = compare.paired_differences_with_tests(
        [("", "a", "b", 20, 7, 1, 12), same, few]
    )
    # 7 against 1: 6 / sqrt(8) = 2.1213, p .033895, which is all there is to correct.
    assert (apart.test.p, apart.p_fdr) == pytest.approx((0.033895, 0.033895), abs=1e-6)
    for pair, reason in (
        (alike, "the two never differ"),
        (shared_too_little, "there are too few for an interval"),
    ):
        assert (pair.test.p, pair.p_fdr, pair.difference.p) == (None, None, None)
        assert (pair.test.reason, pair.significantly_better_model) == (reason, "")
    assert (alike.difference.value, alike.difference.low is None) == (0, False)


def test_table_one_sets_each_pair_beside_itself_by_kind() -> None:
    by_model = {
        ("a", "numeric"): answered(6, 10),
        ("b", "numeric"): answered(5, 10),
        ("a", "semantic"): answered(2.5, 5),
    }
    pairs = {"numeric": compare.paired_differences_with_tests([("", "b", "a", 4, 1, 2, 3)])}
    [one] = compare.list_model_pairs_as_in_paper_table_one(by_model, pairs)
    assert (one.kind, one.first, one.second) == ("numeric", "a", "b")
    assert one.accuracy.difference_in_shares_as_number == pytest.approx(0.1)
    assert one.shared is pairs["numeric"][0]


def test_a_models_two_kinds_of_questions_are_tested_against_one_another() -> None:
    # The paper's counts for one model: 1592.78 of 2320 (rounded 1593, so 727 wrong) semantic,
    # 8583 of 14005 (5422 wrong) numeric: odds 1593 * 5422 / (727 * 8583) = 1.384209.
    semantic = AnswerCounts(asked=2542, answered=2320, idk=222, score=1592.78)
    numeric = AnswerCounts(asked=22000, answered=14005, idk=7995, score=8583)
    by_model = {("c", "semantic"): semantic, ("c", "numeric"): numeric, ("d", "numeric"): numeric}
    [one] = compare.list_comparisons_of_question_kinds(by_model)
    assert one.model == "c"
    assert one.accuracy.odds.value == pytest.approx(1.384209, abs=1e-6)
    # n (ad - bc)^2 / (row and column sums): 16325 (1593 * 5422 - 727 * 8583)^2
    # / (2320 * 14005 * 10176 * 6149) = 46.1512.
    top = 16325 * (1593 * 5422 - 727 * 8583) ** 2
    assert one.accuracy.test.statistic == pytest.approx(top / (2320 * 14005 * 10176 * 6149))
    # 2320 * 7995 / (222 * 14005)
    assert one.answer_rate.odds.value == pytest.approx(5.965823, abs=1e-6)


# -- labels ----------------------------------------------------------------------------------------


def test_the_gap_is_between_the_best_and_the_worst_with_ten_or_more() -> None:
    groups = {"x": answered(15, 20), "y": answered(10, 20), "few": answered(9, 9)}
    one = labels.compare_best_and_worst_sublabel("m", "label", groups)
    assert (one.best, one.worst) == ("x", "y")
    assert one.gap.value == pytest.approx(0.25)
    # Cohen's h: 2 asin sqrt(3/4) - 2 asin sqrt(1/2) = 2 pi/3 - pi/2 = pi/6.
    assert one.h == pytest.approx(math.pi / 6)
    # The test has all three: no number vanishes from it.
    assert one.test.n == 49
    # Three small groups: p is .0187 over 400,000 random tables, chi-square's .0202.
    assert one.test.method == "chi-square, p of random tables"
    assert one.test.p == pytest.approx(0.0187, abs=0.001)
    lonely = labels.compare_best_and_worst_sublabel(
        "m", "label", {"x": answered(15, 20), "few": answered(1, 9)}
    )
    assert lonely.gap.reason == "fewer than two sub-labels have 10 or more"


def test_ten_answers_are_enough_for_the_best_and_the_worst_and_for_the_correlation() -> None:
    groups = {"x": answered(9, 10), "y": answered(10, 20), "few": answered(9, 9)}
    assert labels.compare_best_and_worst_sublabel("m", "label", groups).best == "x"
    ranked = {"a": answered(5, 10), "b": answered(7, 10, idk=5), "c": answered(9, 10, idk=9)}
    assert labels.estimate_rate_accuracy_correlation(ranked).n == 3
    ranked["few"] = answered(0, 9)
    assert labels.estimate_rate_accuracy_correlation(ranked).n == 3


def test_gaps_are_corrected_over_the_labels_of_a_model_and_summed_up_by_their_median() -> None:
    by_label = {
        "answer": {("m", "x"): answered(15, 20), ("m", "y"): answered(5, 20)},
        "length": {("m", "x"): answered(12, 20), ("m", "y"): answered(10, 20)},
        "prevalence": {("m", "x"): answered(11, 20), ("m", "y"): answered(10, 20)},
    }
    found = labels.list_gaps_between_label_values_per_model(by_label)
    p = [one.test.p or 0 for one in found]
    # Chi-square of 15/5 against 5/15: 40 x 200^2 / 20^4 = 10; cells are small, so p is Fisher's.
    assert found[0].test.statistic == pytest.approx(10)
    assert p[0] == pytest.approx(stats.fisher_exact([[15, 5], [5, 15]]).pvalue)
    assert found[0].p_fdr == pytest.approx(3 * p[0])
    assert found[2].p_fdr == pytest.approx(p[2])
    # Gaps .5, .1, .05: median .1, quartiles .075 and .3.
    middle = labels.estimate_median_sublabel_gap_of_paper_labels(found)
    assert (middle.value, middle.low, middle.high, middle.n) == pytest.approx((0.1, 0.075, 0.3, 3))
    assert not labels.estimate_median_sublabel_gap_of_paper_labels([]).has_value
    # What the paper did not compare has gaps, and no part in their median.
    other = labels.compare_best_and_worst_sublabel(
        "m", "source_type", {"x": answered(20, 20), "y": answered(0, 20)}
    )
    assert other.gap.value == 1
    assert labels.estimate_median_sublabel_gap_of_paper_labels([*found, other]) == middle


def test_a_sub_label_stands_against_all_the_others() -> None:
    x, y = labels.compare_each_sublabel_with_rest({"x": answered(10, 30), "y": answered(20, 30)})
    # 10/20 against 20/10, as in the test of the odds ratio: 1/4.
    assert x.odds.value == pytest.approx(0.25)
    assert y.odds.value == pytest.approx(4)
    assert (x.here.value, x.rest.value) == pytest.approx((1 / 3, 2 / 3))
    assert x.p_fdr == pytest.approx(x.test.p)
    # Counts are small: Fisher's exact test, beside chi-square's statistic 60 (100 - 400)² / 30⁴.
    assert x.test.method == "chi-square, p of Fisher exact"
    assert x.test.statistic == pytest.approx(60 * 300**2 / 30**4)
    assert x.test.p == pytest.approx(stats.fisher_exact([[10, 20], [20, 10]]).pvalue)
    large, _ = labels.compare_each_sublabel_with_rest(
        {"x": answered(1000, 3000), "y": answered(2000, 3000)}
    )
    assert large.test.method == "chi-square"
    [alone] = labels.compare_each_sublabel_with_rest({"x": answered(10, 30)})
    assert alone.odds.reason == "there is nothing to compare"


@pytest.mark.first_quick
@pytest.mark.parametrize("half", [1.5, 3.5, 11.5, 12.5])
def test_two_sub_labels_have_the_same_table_from_either_side(half: float) -> None:
    # A total that ends in a half is rounded the same, whether added up or left over.
    for thirds in range(1, 200):
        groups = {"long": answered(20 + thirds / 3, 90), "medium": answered(half, 15)}
        one, two = labels.compare_each_sublabel_with_rest(groups)
        assert one.odds.value is not None
        assert two.odds.value is not None
        assert one.odds.value * two.odds.value == pytest.approx(1)
        assert one.test.statistic == pytest.approx(two.test.statistic)


def test_labels_of_which_a_question_has_several_are_not_tested_as_if_they_were_apart() -> None:
    groups = {"x": answered(15, 20), "y": answered(10, 20)}
    one = labels.compare_best_and_worst_sublabel("m", "disciplines", groups, overlapping=True)
    assert one.gap.value == pytest.approx(0.25)
    assert one.test.reason == "one question can have several of these"
    # 30 questions in all, so that 10 lie outside x: 15/5 against 5/5, odds 3 / 1.
    x, _ = labels.compare_each_sublabel_with_rest(groups, whole=answered(20, 30))
    assert x.odds.value == pytest.approx(3)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("sizes", "accuracy"),
    [
        *(([5] * 12, accuracy) for accuracy in (0.5, 0.9, 0.93)),
        ([100] * 12, 0.95),
        ([105] * 60, 0.9),
        ([5, 8, 10, 20, 40, 80, 160, 320], 0.85),
    ],
)
def test_sub_labels_that_do_not_differ_are_found_to_in_one_of_twenty_samples(
    sizes: list[int], accuracy: float
) -> None:
    # Chi-square with the same correction found something in 8 to 17 % of most of these.
    rng = np.random.default_rng(11)
    samples = 300 if len(sizes) < 20 else 100
    found = 0
    for right in rng.binomial(sizes, accuracy, (samples, len(sizes))):
        groups = {
            str(at): answered(int(yes), n)
            for at, (yes, n) in enumerate(zip(right, sizes, strict=True))
        }
        rows = labels.compare_each_sublabel_with_rest(groups)
        found += any(row.p_fdr is not None and row.p_fdr < 0.05 for row in rows)
    assert found / samples <= 0.06


@pytest.mark.deep
@pytest.mark.parametrize(
    ("questions", "shares"),
    [(60, [0.2] * 5), (300, [0.6, 0.2, 0.1, 0.05, 0.05]), (60, [1 / 12] * 12)],
)
def test_labels_that_do_not_matter_have_no_gap_in_all_but_one_of_twenty_samples(
    questions: int, shares: list[float]
) -> None:
    # Twelve labels of one model. Chi-square found a gap in 4, 9 and 10 % of these.
    rng = np.random.default_rng(12)
    samples, found = 150, 0
    for _ in range(samples):
        right = rng.random(questions) < 0.9
        values = rng.choice(len(shares), size=(12, questions), p=shares)
        tables = {
            str(label): {
                ("m", str(value)): answered(
                    int(right[own == value].sum()), int((own == value).sum())
                )
                for value in np.unique(own)
            }
            for label, own in enumerate(values)
        }
        found += any(
            gap.p_fdr is not None and gap.p_fdr < 0.05
            for gap in labels.list_gaps_between_label_values_per_model(tables)
        )
    assert found / samples <= 0.06


def test_answer_rate_and_accuracy_are_ranked_over_the_sub_labels() -> None:
    groups = {
        "a": answered(10, 20, idk=0),
        "b": answered(12, 20, idk=5),
        "c": answered(14, 20, idk=10),
        "d": answered(16, 20, idk=20),
        "few": answered(0, 9),
    }
    one = labels.estimate_rate_accuracy_correlation(groups)
    assert (one.value, one.n) == (pytest.approx(-1), 4)
    # Asked are 20, 25, 30 and 40: more than 20 are three.
    assert labels.estimate_rate_accuracy_correlation(groups, asked_more_than=20).n == 3


def test_a_label_of_one_value_is_no_point_beside_its_parts() -> None:
    groups = {
        ("qa_type", "Semantic"): answered(3, 9),
        ("qa_type", ""): answered(1, 1),
        ("length", "short"): answered(1, 4),
        ("length", "long"): answered(2, 5),
    }
    assert list(labels.tallies_by_dividing_label_and_value(groups)) == [
        ("length", "short"),
        ("length", "long"),
    ]


def test_risk_falls_as_fewer_answers_are_trusted() -> None:
    # Of 20 replies: 4 answers that two others gave too (all right), 6 with one (3 right), 5 alone
    # (1 right). Coverage 4/20, 10/20, 15/20; risk 0, 3/10, 7/15.
    levels = pd.DataFrame(
        [("m", 0, 5, 1.0, 20), ("m", 1, 6, 3.0, 20), ("m", 2, 4, 4.0, 20)],
        columns=["model", "agreeing", "answered", "score", "replied"],
    )
    steps = labels.risk_coverage_steps_by_model(levels)["m"]
    assert [(one.agreeing, one.coverage.value, one.risk.value) for one in steps] == [
        (2, 0.2, 0.0),
        (1, 0.5, pytest.approx(0.3)),
        (0, 0.75, pytest.approx(7 / 15)),
    ]
    assert steps[1].risk.numerator == 3
    assert (steps[1].risk.low or 0) < 0.3 < (steps[1].risk.high or 0)


def test_a_pivot_tests_each_row_over_its_columns_and_the_rows_against_each_other() -> None:
    rows = [("r", "c", answered(15, 20)), ("r", "d", answered(5, 20)), ("s", "c", answered(3, 4))]
    table = pd.DataFrame(
        [{"row": r, "column": c} | {n: getattr(one, n) for n in COUNTS} for r, c, one in rows]
    )
    # Ten of row r's thirty questions are in both columns.
    alone = pd.DataFrame(
        [
            {"row": r} | {n: getattr(one, n) for n in COUNTS}
            for r, one in (("r", answered(15, 30)), ("s", answered(3, 4)))
        ]
    )
    found = labels.make_pivot_of_tallies(table, "row", "column", "accuracy")
    assert (
        labels.make_pivot_of_tallies(table, "row", "column", "accuracy", alone=alone)
        .row_totals["r"]
        .n
        == 30
    )
    assert (found.rows, found.columns) == (("r", "s"), ("c", "d"))
    assert ("s", "d") not in found.cells
    assert found.row_totals["r"].value == 0.5
    assert found.row_tests["r"].statistic == pytest.approx(10)
    assert found.row_tests["s"].reason == "there is nothing to compare"
    # One row was tested, so that nothing is to be corrected.
    assert found.p_fdr == {"r": pytest.approx(found.row_tests["r"].p)}
    # 20/20 against 3/1: 44 x (20 x 1 - 20 x 3)^2 / (40 x 4 x 23 x 21).
    assert found.whole.statistic == pytest.approx(44 * 40**2 / (40 * 4 * 23 * 21))


# -- rows of the export ----------------------------------------------------------------------------


def test_every_figure_is_a_row_and_an_undefined_one_says_why() -> None:
    def table(rows: list[tuple[str, str, AnswerCounts]], second: str) -> pd.DataFrame:
        return pd.DataFrame(
            [{"model": m, second: v} | {c: getattr(t, c) for c in COUNTS} for m, v, t in rows]
        )

    looked = SimpleNamespace(
        selected_models=("a", "b"),
        tally_table_by_model_and_kind=table(
            [("a", "numeric", answered(30, 40)), ("b", "numeric", answered(20, 40))], "kind"
        ),
        model_pair_comparisons_by_kind={
            "numeric": compare.list_comparisons_of_model_pairs(
                pd.DataFrame(
                    [(3, 3, 20), (3, 1, 10), (3, 0, 10)],
                    columns=["answered", "right", "questions"],
                ),
                ["a", "b"],
            )
        },
        tally_tables_by_kind_and_label={
            ("numeric", "length"): table(
                [
                    ("a", "short", answered(18, 20)),
                    ("a", "long", answered(12, 20)),
                    ("b", "short", answered(10, 20)),
                    ("b", "long", answered(10, 20)),
                ],
                "value",
            )
        },
        agreement_level_table_by_kind={
            "numeric": pd.DataFrame(
                [("a", 1, 20, 20.0, 40)],
                columns=["model", "agreeing", "answered", "score", "replied"],
            )
        },
        question_count_tables_by_label={
            "length": pd.DataFrame({"value": ["long", "short"], "questions": [20, 20]})
        },
        table_of_question_counts_and_chance=pd.DataFrame(
            {"kind": ["numeric"], "questions": [40], "chance": [40 / 3]}
        ),
        numeric_question_count_by_answer_class={"low": 10, "middle": 22, "high": 8},
        tally_table_by_prompt=pd.DataFrame(columns=["model", "kind", "prompt", *COUNTS]),
        overlapping=(),
        questionnaire_figure_rows=[],
    )
    rows = FIGURES.make_table_of_all_figures(looked)
    assert list(rows.columns) == FIGURE_COLUMNS
    found = {
        (f, g): v for f, g, v in zip(rows["figure"], rows["group"], rows["value"], strict=True)
    }
    assert found["accuracy", "a, numeric"] == 0.75
    assert found["chance", "numeric"] == pytest.approx(1 / 3)
    assert found["majority", "numeric"] == pytest.approx(22 / 40)
    assert found["mcnemar_difference", "numeric, a against b"] == pytest.approx(0.25)
    # Ten times a alone is right: the score is sqrt(10), chi-square 10.
    corrected = rows.set_index(["figure", "group"]).loc[("mcnemar_fdr", "numeric, a against b")]
    assert corrected["p"] == pytest.approx(0.001565402, abs=1e-9)
    assert (corrected["value"], corrected["n"]) == (10, 10)
    assert "McNemar, score test of the interval, 1 degree of freedom" in corrected["method"]
    assert (found["rank_accuracy", "a, numeric"], found["rank_accuracy", "b, numeric"]) == (1, 2)
    assert found["accuracy_by_label", "a, numeric, length, short"] == 0.9
    assert found["gap", "a, numeric, length"] == pytest.approx(0.3)
    assert found["median_gap", "b, numeric"] == 0
    assert found["risk", "a, numeric, 1 agreeing or more"] == 0
    assert found["questions_by_label", "length, long"] == 0.5
    spearman = rows[(rows["figure"] == "spearman_rate_accuracy")]
    assert spearman["value"].isna().all()
    assert set(spearman["method"]) == {"undefined, because it takes three pairs or more (Spearman)"}


def test_the_share_with_a_label_is_of_all_questions() -> None:
    found = metrics.estimate_share_of_questions_with_label({"": 2, "x": 3, "y": 5})
    assert (found.numerator, found.denominator) == (8, 10)


def test_models_that_answered_have_no_row_that_says_that_none_did() -> None:
    tallies = pd.DataFrame([{"model": "m", "kind": "numeric"} | vars(answered(15, 20))])
    rows = [(name, group) for name, group, _ in metrics.model_measure_rows(tallies, {})]
    assert ("accuracy", "m, numeric") in rows
    assert "" not in {group for _, group in rows}
    none = [(name, group) for name, group, _ in metrics.model_measure_rows(tallies.iloc[:0], {})]
    assert ("accuracy", "") in none


def test_a_share_of_fractional_scores_says_what_it_was_divided_from() -> None:
    # The paper's own: 1592.78 of 2320; 3 whole ones of 4 stay a count.
    one = metrics_answer_counts.MEASURES["accuracy"][1](
        AnswerCounts(asked=2400, answered=2320, score=1592.78)
    )
    whole = metrics_answer_counts.MEASURES["accuracy"][1](
        AnswerCounts(asked=4, answered=4, score=3.0)
    )
    assert (one.exact_numerator, one.numerator, whole.exact_numerator) == (1592.78, 1593, 3)
    rows = figure_rows_as_table([("accuracy", "a", one), ("accuracy", "b", whole)], study="ebmqa")
    assert rows["numerator"].tolist() == [1592.78, 3.0]
    assert figure_rows_as_table([("accuracy", "b", whole)], study="ebmqa")[
        "numerator"
    ].tolist() == [3]
    assert figures_charts.format_share(one) == "68.65% (1,592.78/2,320)"
    assert figures_charts.format_share(whole) == "75.00% (3/4)"


def test_how_questions_were_put_is_told_in_words() -> None:
    said = ", asked with the options in their order and “I do not know” among them"
    assert figures_charts.way_of_asking_note("given+idk") == said
    turned = ", asked with the options from last to first and “I do not know” not among them"
    assert figures_charts.way_of_asking_note("reversed") == turned
    assert (figures_charts.way_of_asking_note("mine"), figures_charts.way_of_asking_note("")) == (
        ", asked as “mine”",
        "",
    )


def scored(*names: str) -> dict[str, Estimate]:
    """An accuracy for each model, all with the same interval."""
    return {name: Estimate(0.5, 0.4, 0.6, 100, "Wilson with t") for name in names}


def beaten(*wins: tuple[str, str, int, int]) -> list[compare.PairOfModels]:
    """Comparisons of (first, second, first alone right, second alone right)."""
    return compare.paired_differences_with_tests(
        [("", one, two, 50, won, lost, 9) for one, two, won, lost in wins]
    )


def places(found: dict[str, Estimate]) -> dict[str, float | None]:
    return {name: one.value for name, one in found.items()}


def test_a_rank_is_one_more_than_the_models_that_are_significantly_better() -> None:
    # Scores sqrt(10), sqrt(12) and 2 / sqrt(4): p .0016, .0005 and .317; corrected .0023, .0016
    # and .317.
    pairs = beaten(("a", "b", 10, 0), ("a", "c", 12, 0), ("b", "c", 3, 1))
    assert places(metrics.rank_estimate_by_model(scored("c", "b", "a"), pairs)) == {
        "a": 1,
        "b": 2,
        "c": 2,
    }
    # The second of a pair may be the better one.
    assert places(metrics.rank_estimate_by_model(scored("a", "b"), beaten(("a", "b", 0, 10)))) == {
        "a": 2,
        "b": 1,
    }


def test_ranks_go_by_the_corrected_p() -> None:
    # The score is sqrt(5), p .0253; corrected over two more pairs in which nobody is better, .076.
    wins = (("a", "b", 5, 0), ("a", "c", 2, 2), ("b", "c", 1, 1))
    assert places(metrics.rank_estimate_by_model(scored("a", "b"), beaten(wins[0]))) == {
        "a": 1,
        "b": 2,
    }
    assert places(
        metrics.rank_estimate_by_model(scored("a", "b", "c"), beaten(*wins))
    ) == dict.fromkeys("abc", 1)


def test_a_model_ranks_below_every_model_that_is_significantly_better() -> None:
    # Two are better than a, and a is better than b, which nobody else is.
    pairs = beaten(("c", "a", 20, 0), ("d", "a", 20, 0), ("a", "b", 20, 0), ("c", "d", 1, 1))
    found = places(metrics.rank_estimate_by_model(scored("a", "b", "c", "d"), pairs))
    assert found == {"c": 1, "d": 1, "a": 3, "b": 4}


def test_models_that_are_each_better_than_the_next_in_a_circle_share_a_rank() -> None:
    circle = (("a", "b", 20, 0), ("b", "c", 20, 0), ("c", "a", 20, 0))
    found = places(
        metrics.rank_estimate_by_model(
            scored("d", "a", "b", "c"), beaten(*circle, ("a", "d", 20, 0))
        )
    )
    assert found == {"a": 2, "b": 2, "c": 2, "d": 3}


def test_a_model_that_was_compared_with_none_has_no_rank() -> None:
    pairs = [
        *beaten(("a", "b", 10, 0)),
        *compare.paired_differences_with_tests([("", "a", "c", 0, 0, 0, 0)]),
    ]
    none = Estimate.undefined_estimate("no question was answered")
    found = metrics.rank_estimate_by_model({**scored("a", "b", "c"), "none": none}, pairs)
    assert places(found) == {"a": 1, "b": 2, "c": None, "none": None}
    assert found["c"].reason == "it shares no answered question with another model"
    assert found["none"].reason == "no question was answered"
    assert places(metrics.rank_estimate_by_model(scored("alone"), [])) == {"alone": 1}


@pytest.mark.parametrize("seed", range(5))
def test_no_rank_contradicts_a_significant_test(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [str(at) for at in range(9)]
    # Any who comes first may win against any other by chance, so that better is no one order.
    pairs = beaten(
        *(
            (one, two, *map(int, rng.integers(0, (24, 4))))
            for one, two in combinations(names, 2)
            if rng.random() < 0.8
        )
    )
    found = places(metrics.rank_estimate_by_model(scored(*names), pairs))
    better = [
        (pair.better_model, pair.second if pair.better_model == pair.first else pair.first)
        for pair in pairs
        if pair.significantly_better_model
    ]
    assert len(better) > 4
    for one, two in better:
        assert (found[one] or 99) < (found[two] or 0)
    for name in names:
        assert (found[name] or 0) >= 1 + sum(two == name for _, two in better)


@pytest.mark.deep
def test_ranks_of_simulated_models_are_one_more_than_the_significantly_better() -> None:
    rng = np.random.default_rng(8)
    apart = shared = 0
    for _ in range(60):
        models, questions = 10, 300
        names = [str(at) for at in range(models)]
        ability = rng.normal(0, 0.5, models)
        ease = rng.normal(0, 1.5, questions)
        right = rng.random((models, questions)) < 1 / (1 + np.exp(-ability[:, None] - ease))
        answered_by = rng.random((models, questions)) >= rng.uniform(0, 0.4, models)[:, None]
        bits = 2 ** np.arange(models)
        patterns = pd.DataFrame(
            {"answered": bits @ answered_by, "right": bits @ (right & answered_by), "questions": 1}
        )
        pairs = compare.list_comparisons_of_model_pairs(patterns, names)
        found = places(metrics.rank_estimate_by_model(scored(*names), pairs))
        counted = dict.fromkeys(names, 1)
        for pair in pairs:
            if pair.p_fdr is not None and pair.p_fdr < 0.05:
                worse = pair.second if pair.first_only > pair.second_only else pair.first
                counted[worse] += 1
                one, two = found[pair.first], found[pair.second]
                apart += 1
                shared += one == two or ((one or 0) < (two or 0)) != (worse == pair.second)
        assert found == counted
    assert (apart > 500, shared) == (True, 0)
