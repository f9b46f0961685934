"""Tests of hypotheses, corrections and effect sizes, by hand."""

from __future__ import annotations

import gc
import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from medlens.stats import hypothesis_tests_and_effect_sizes as hypothesis


def test_mcnemar_exact_by_hand():
    # 1 and 6 discordant pairs: 2 x (C(7,0) + C(7,1)) / 2^7 = 2 x 8 / 128.
    found = hypothesis.exact_mcnemar_test(1, 6)
    assert found.p == pytest.approx(0.125)
    assert (found.n, found.statistic) == (7, 1)
    assert hypothesis.exact_mcnemar_test(0, 0).p == 1.0
    assert hypothesis.exact_mcnemar_test(3, 3).p == 1.0
    with pytest.raises(ValueError, match="-1 is not a count"):
        hypothesis.exact_mcnemar_test(-1, 2)


def test_mcnemar_over_cases_by_hand():
    # Cases differ by +3, -1, +1 and 0 of three repeats: the sum is 3. Signs at random give
    # ±3 ±1 ±1 = 5, 3, 3, 1, -1, -3, -3, -5: 6 of 8 are as far from 0 or farther.
    first = [1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1]
    second = [0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1]
    cases = np.repeat(list("abcd"), 3)
    found = hypothesis.clustered_mcnemar_test(first, second, cases, unit="cases")
    assert (found.p, found.n, found.statistic) == (pytest.approx(0.75), 3, 3)
    assert found.method == "McNemar exact over cases"
    # Without the clusters it would be 5 against 2 pairs: 2 x (1 + 7 + 21) / 2^7 = 0.453.
    alone = hypothesis.clustered_mcnemar_test(first, second, range(12), unit="cases")
    assert alone == hypothesis.exact_mcnemar_test(5, 2)
    assert alone.p == pytest.approx(0.453125)


def test_mcnemar_over_cases_of_which_none_differs_is_1_and_none_is_none():
    same = hypothesis.clustered_mcnemar_test([1, 1, 0], [1, 1, 0], ["a", "a", "b"], unit="cases")
    assert (same.p, same.n) == (1.0, 0)
    assert hypothesis.clustered_mcnemar_test([], [], [], unit="cases").p == 1.0


def test_repeats_that_all_say_the_same_are_one_case_to_mcnemar():
    # Six cases all one way: 2 / 2^6, whether played once or ten times.
    once = hypothesis.exact_mcnemar_test(6, 0).p
    first, cases = np.ones(60), np.repeat(range(6), 10)
    found = hypothesis.clustered_mcnemar_test(first, 0 * first, cases, unit="cases")
    assert found.p == pytest.approx(once) == pytest.approx(0.03125)
    many = hypothesis.clustered_mcnemar_test(
        np.ones(6000), np.zeros(6000), np.repeat(range(3000), 2), unit="cases"
    )
    assert many.p == hypothesis.SMALLEST_P


def test_chi_square_by_hand_with_and_without_yates():
    table = [[10, 20], [20, 10]]
    # n (ad - bc)^2 / (product of margins) = 60 x 300^2 / 30^4; Yates takes n / 2 off |ad - bc|.
    plain = hypothesis.chi_square_test(table)
    assert plain.statistic == pytest.approx(60 * 300**2 / 30**4)
    assert (plain.df, plain.n) == (1, 60)
    assert hypothesis.chi_square_test(table, yates=True).statistic == pytest.approx(
        60 * 270**2 / 30**4
    )
    # One degree of freedom: p is that of a normal deviate of sqrt(statistic).
    assert plain.p == pytest.approx(math.erfc(math.sqrt(plain.statistic / 2)))


@pytest.mark.parametrize("yates", [False, True])
def test_chi_square_is_to_the_bit_what_scipy_gives(yates):
    # In the second table expected counts are 15.25: Yates may take off no more than the 0.25 apart.
    for table in ([[3, 9, 4.5], [8, 2, 6.25]], [[15, 15.5], [15.5, 15]]):
        ours = hypothesis.chi_square_test(table, yates=yates)
        theirs = stats.chi2_contingency(np.asfortranarray(table), correction=yates)
        assert (ours.statistic, ours.p, ours.df) == (theirs[0], theirs[1], theirs[2])


def test_an_empty_row_says_nothing_and_one_row_leaves_nothing_to_compare():
    assert hypothesis.chi_square_test([[10, 20], [0, 0], [20, 10]]).df == 1
    alone = hypothesis.chi_square_test([[10, 20], [0, 0]])
    assert (alone.p, alone.reason) == (None, "there is nothing to compare")


def test_corrections_by_hand_leave_what_was_not_tested_out_of_the_family():
    p = [0.01, np.nan, 0.04, 0.03]
    # Holm, sorted: 0.01 x 3, 0.03 x 2, then 0.04 x 1 raised to the one before.
    assert hypothesis.holm_adjust(p) == pytest.approx([0.03, np.nan, 0.06, 0.06], nan_ok=True)
    # Benjamini-Hochberg: 0.01 x 3/1, 0.03 x 3/2 lowered to 0.04 x 3/3.
    assert hypothesis.benjamini_hochberg(p) == pytest.approx(
        [0.03, np.nan, 0.04, 0.04], nan_ok=True
    )
    assert np.isnan(hypothesis.holm_adjust([np.nan])).all()


def test_cohens_h_by_hand():
    assert hypothesis.cohens_h(1, 0) == pytest.approx(math.pi)
    # 2 asin(sqrt(1/2)) = pi / 2 and 2 asin(sqrt(1/4)) = pi / 3.
    assert hypothesis.cohens_h(0.5, 0.25) == pytest.approx(math.pi / 6)
    with pytest.raises(ValueError, match="between 0 and 1"):
        hypothesis.cohens_h(1.2, 0)


def test_the_odds_ratio_and_woolfs_interval_by_hand():
    # 10 x 10 / (20 x 20) = 1/4; error sqrt(0.1 + 0.05 + 0.05 + 0.1) = 0.547723;
    # 0.25 x exp(-+ 1.959964 x 0.547723) = 0.25 x exp(-+ 1.073517).
    found = hypothesis.estimate_odds_ratio([[10, 20], [20, 10]])
    assert found.value == pytest.approx(0.25)
    assert (found.low, found.high) == pytest.approx((0.085451, 0.731407), abs=1e-5)
    # ln 4 / 0.547723 = 2.531; two-sided p = 0.01137.
    assert found.p == pytest.approx(0.01137, abs=1e-4)
    assert (
        hypothesis.estimate_odds_ratio([[10, 0], [20, 10]]).reason == "a cell of the table is zero"
    )


def test_a_rank_correlation_and_its_test_never_contradict_each_other():
    rng, seen = np.random.default_rng(4), set()
    for at in range(400):
        n = 4 + at % 27
        first = rng.normal(size=n)
        found = hypothesis.estimate_spearman_correlation(
            first, first + rng.normal(size=n) * (1 + at % 5)
        )
        if found.low is not None:
            assert (found.p < 0.05) == (not found.low <= 0 <= found.high)
            seen.add(found.p < 0.05)
    assert seen == {True, False}


def test_spearman_by_hand():
    # Ranks differ by 1, 1, 0, 0: 1 - 6 x 2 / (4 x 15) = 0.8.
    found = hypothesis.estimate_spearman_correlation([1, 2, 3, 4], [20, 10, 30, 40])
    assert (found.value, found.n) == (pytest.approx(0.8), 4)
    # atanh(0.8) = 1.098612; 1.959964 x sqrt(1.32 / 1) = 2.251827; tanh of both ends.
    assert (found.low, found.high) == pytest.approx(
        (math.tanh(1.098612 - 2.251827), math.tanh(1.098612 + 2.251827)), abs=1e-6
    )
    # Zero lies 1.098612 / sqrt(1.32) = .956 errors away: p is .339. No smaller than .333: of 24
    # orders 1 and 3 agree by 1 and 0.8, and as many disagree so far.
    assert found.p == pytest.approx(2 * stats.norm.sf(1.098612 / 1.32**0.5), abs=1e-6)
    alike = hypothesis.estimate_spearman_correlation([1, 2, 3, 4], [1, 2, 3, 4])
    assert (alike.low, alike.p) == (None, pytest.approx(2 / 24))
    # With ties: of 6 orders of 1, 2, 3 beside 1.5, 1.5, 3 two agree by 0.866, and two disagree.
    assert hypothesis.estimate_spearman_correlation([5, 5, 9], [1, 2, 3]).p == pytest.approx(4 / 6)
    assert hypothesis.estimate_spearman_correlation(range(20), range(20)).p == pytest.approx(
        2 / math.factorial(20)
    )
    assert (
        hypothesis.estimate_spearman_correlation([1, 2, 3], [5, 5, 5]).reason
        == "one of the two does not vary"
    )
    assert (
        hypothesis.estimate_spearman_correlation([1, 2], [5, 6]).reason
        == "it takes three pairs or more"
    )


def test_chi_square_takes_sums_of_fractional_scores_as_they_are():
    # 30 x (5.5 x 9.5 - 9.5 x 5.5)^2: alike, so nothing.
    assert hypothesis.chi_square_test([[5.5, 9.5], [5.5, 9.5]]).statistic == pytest.approx(0)
    # n (ad - bc)^2 / margins = 30 x (5.5 x 5.5 - 9.5 x 9.5)^2 / 15^4.
    found = hypothesis.chi_square_test([[5.5, 9.5], [9.5, 5.5]])
    assert found.statistic == pytest.approx(30 * (5.5**2 - 9.5**2) ** 2 / 15**4)
    assert found.n == 30


def test_a_p_value_is_never_zero():
    # Of 100,000 pairs all one way McNemar's p is 2 x 0.5^100000, far below the smallest float.
    assert hypothesis.exact_mcnemar_test(100_000, 0).p == hypothesis.SMALLEST_P > 0
    assert hypothesis.chi_square_test([[100_000, 0], [0, 100_000]]).p == hypothesis.SMALLEST_P
    assert hypothesis.estimate_odds_ratio([[10**8, 1], [1, 10**8]]).p > 0
    assert (hypothesis.holm_adjust([1e-300, 0.0, 0.5]) > 0).all()
    assert (hypothesis.benjamini_hochberg([0.0, 0.0]) > 0).all()


def test_corrections_and_mcnemar_agree_with_statsmodels(monkeypatch: pytest.MonkeyPatch) -> None:
    # Holm's there looks for garbage each time, among all that tests have imported.
    monkeypatch.setattr(gc, "collect", lambda: 0)
    rng = np.random.default_rng(1)
    for n in (1, 2, 5, 30):
        p = np.round(rng.random(n) ** 4, 3)  # rounded, so that some are alike
        for ours, name in (
            (hypothesis.holm_adjust, "holm"),
            (hypothesis.benjamini_hochberg, "fdr_bh"),
            (hypothesis.benjamini_yekutieli, "fdr_by"),
        ):
            theirs = np.maximum(multipletests(p, method=name)[1], hypothesis.SMALLEST_P)
            assert ours(p) == pytest.approx(theirs, rel=1e-12)
    for first, second in ((0, 0), (3, 0), (7, 7), (40, 25)):
        theirs = mcnemar([[0, first], [second, 0]], exact=True).pvalue
        assert hypothesis.exact_mcnemar_test(first, second).p == pytest.approx(min(theirs, 1.0))


# -- tables with small cells -----------------------------------------------------------------------


def test_two_small_groups_have_the_p_of_fishers_exact_test() -> None:
    # Of C(10, 5) = 252 ways, 1 + 25 on either side are at most as likely; chi-square has p .058.
    found = hypothesis.independence_test([[1, 4], [4, 1]])
    assert found.p == pytest.approx(52 / 252)
    assert (found.n, found.df, found.method) == (10, None, "chi-square, p of Fisher exact")
    assert found.statistic == pytest.approx(10 * 15**2 / 5**4)
    assert hypothesis.independence_test([[5, 0], [0, 5]]).p == pytest.approx(2 / 252)


def test_fishers_exact_test_is_that_of_scipy() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        sizes = rng.integers(1, 90, 2)
        yes = rng.binomial(sizes, rng.uniform(0.05, 0.95, 2))
        table = np.column_stack([yes, sizes - yes])
        found = hypothesis.independence_test(table)
        if found.statistic is not None:
            assert found.p == pytest.approx(stats.fisher_exact(table).pvalue, rel=1e-9)


def test_several_small_groups_have_the_p_of_random_tables_with_their_totals() -> None:
    # Three groups of two, three yes: of C(6, 3) = 20 ways, 12 give (2, 1, 0) in some order.
    found = hypothesis.independence_test([[2, 0], [1, 1], [0, 2]])
    assert found.p == pytest.approx(12 / 20, abs=0.05)
    assert found.p == hypothesis.independence_test([[2, 0], [1, 1], [0, 2]]).p
    # Far from small, so that 499 tables are enough.
    assert 500 * (found.p or 0) == pytest.approx(round(500 * (found.p or 0)))
    assert (found.statistic, found.df) == (pytest.approx(4), None)
    assert found.method == "chi-square, p of random tables"
    # Of C(12, 4) = 495 ways, three have all four in one group.
    few = hypothesis.independence_test([[4, 0], [0, 4], [0, 4]])
    assert few.p == pytest.approx(3 / 495, abs=0.003)
    # Nothing drawn is as far: the table that was seen is one in 5,000.
    far = hypothesis.independence_test([[9, 0], [9, 0], [0, 9], [0, 9]])
    assert far.p == pytest.approx(1 / 5_000)


@pytest.mark.parametrize(
    "table",
    [
        [[500, 500], [450, 550]],
        [[100, 100], [90, 110], [80, 120]],
        [[100, 100], [90, 110], [0, 0], [80, 120]],
    ],
)
def test_large_groups_have_the_p_of_chi_square(table: list[list[int]]) -> None:
    assert hypothesis.independence_test(table) == hypothesis.chi_square_test(table)


def test_the_same_answer_everywhere_is_nothing_to_compare_in_small_groups_too() -> None:
    assert hypothesis.independence_test([[5, 0], [4, 0]]).reason == "there is nothing to compare"
    assert hypothesis.independence_test([[5, 2], [0, 0]]).p is None
