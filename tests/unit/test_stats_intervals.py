"""Estimates, proportions and the bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from medlens.stats import smoothed_bootstrap
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import (
    clustered_share,
    effective_sample_sizes_and_cluster_counts,
    estimate_clustered_mean,
    estimate_clustered_ratio,
    wilson_bounds_of_shares,
    wilson_mean_estimate,
    wilson_share_estimate,
    wilson_share_estimates,
)
from medlens.stats.smoothed_bootstrap import (
    Smoothing,
    distinct_contributions_with_counts,
    interval_and_lost_count_from_resamples,
    resampled_sums,
)


def test_an_undefined_estimate_has_a_reason_and_no_number():
    missing = Estimate.undefined_estimate("nobody came", 3)
    assert not missing.has_value
    assert (missing.value, missing.low, missing.high, missing.n) == (
        None,
        None,
        None,
        3,
    )
    assert missing.reason == "nobody came"


@pytest.mark.parametrize(
    "numbers",
    [
        {"value": float("nan")},
        {"value": float("inf")},
        {"value": None},
        {"value": 0.5, "reason": "but why"},
        {"value": None, "low": 0.0, "reason": "undefined with an interval"},
    ],
)
def test_an_estimate_that_contradicts_itself_is_refused(numbers):
    with pytest.raises(ValueError, match=r"has either|has no interval|is not a number"):
        Estimate(**{"low": None, "high": None, "n": 1, "method": "m", **numbers})


def test_wilson_of_none_in_ten_by_hand():
    # With k = 0 the upper limit is t^2 / (n + t^2), t with 9 degrees of freedom being 2.262157:
    # 5.117355 / 15.117355 = 0.338509.
    found = wilson_share_estimate(0, 10)
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(0.338509, abs=1e-6)
    assert (found.numerator, found.denominator, found.n) == (0, 10, 10)


def test_wilson_of_one_in_ten_begins_where_poissons_bound_does():
    # Wilson's own lower bound is (0.1 + 0.255868 - 2.262157 sqrt(0.009 + 0.0127934)) / 1.5117355
    # = 0.014494; Poisson's: one event in ten has a chance of 5 % at -ln(0.95) / 10 = 0.005129.
    found = wilson_share_estimate(1, 10)
    assert found.low == pytest.approx(0.005129, abs=1e-6)
    # The upper one is Wilson's: (0.355868 + 0.333953) / 1.5117355.
    assert found.high == pytest.approx(0.456309, abs=1e-5)
    assert wilson_share_estimate(9, 10).high == pytest.approx(1 - 0.005129, abs=1e-6)


@pytest.mark.parametrize("n", [60, 919, 100_000])
def test_a_share_of_many_rows_has_very_nearly_the_textbook_interval(n):
    for successes in (n // 3, n // 2, n // 20):
        found = wilson_share_estimate(successes, n)
        low, high = proportion_confint(successes, n, method="wilson")
        assert found.value == successes / n
        # t has 59 degrees of freedom where the textbook has infinitely many: 2.001 for 1.960.
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.2 / n)


def test_a_proportion_of_nothing_is_undefined_and_an_impossible_one_refused():
    assert not wilson_share_estimate(0, 0).has_value
    with pytest.raises(ValueError, match="3 of 2"):
        wilson_share_estimate(3, 2)


def test_an_interval_of_fewer_than_four_is_withheld_with_the_reason():
    for found in (
        wilson_share_estimate(2, 3, unit="cases"),
        wilson_mean_estimate(1.5, 3, unit="cases"),
        clustered_share([1, 0, 1, 1, 1, 0], list("aabbcc"), unit="cases"),
        estimate_clustered_mean([1.0, 5.0, 3.0], unit="cases"),
        estimate_clustered_mean([1.0, 5.0, 3.0], unit="cases", kind=(1, 10)),
    ):
        assert (found.low, found.high) == (None, None)
        assert found.method.endswith("no interval from fewer than 4 cases")
        assert found.has_value


def test_four_clusters_of_one_answer_each_say_what_four_rows_say():
    # Each cluster is all alike: 20 rows are worth four, and t has 3 degrees of freedom (3.182446).
    # 2 of 4: (0.5 + 1.265996 +- 3.182446 sqrt(0.0625 + 0.158249)) / 3.531990 = 0.0766 and 0.9233.
    # With a tenth of a cluster of each extreme, and clusters less one, they would be worth 3.05.
    found = clustered_share([1] * 10 + [0] * 10, np.repeat(range(4), 5), unit="cases")
    assert found.value == 0.5
    assert found.low == pytest.approx(0.0766, abs=1e-4)
    assert found.high == pytest.approx(1 - found.low)
    assert found.method == "share; Wilson over cases"


def test_a_share_of_all_or_none_has_an_interval_that_counts_clusters_not_rows():
    # 66 of 66 from 22 questions of three: as if 22 of 22, whose lower bound is, with t of 21
    # degrees of freedom (2.079614), 1 / (1 + 4.324794 / 22) = 0.835714.
    found = clustered_share([1] * 66, np.repeat(range(22), 3), unit="questions")
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.835714, abs=1e-6)
    none = clustered_share([0] * 66, np.repeat(range(22), 3), unit="questions")
    assert (none.low, none.high) == (0.0, pytest.approx(1 - found.low))


def test_several_answers_of_an_item_are_no_less_sure_than_one():
    # Two people say the same of each of six items: 12 of 12 is as sure as 6 of 6.
    both = clustered_share([1] * 12, np.repeat(range(6), 2), unit="items")
    alone = clustered_share([1] * 6, range(6), unit="items")
    assert (both.low, both.high) == (alone.low, alone.high)


def test_clusters_that_are_each_all_alike_are_worth_less_if_the_large_ones_differ():
    # 4 of 8 rows are hits, in clusters of 1, 1, 1, 1 and 4 that are all hits or none: residuals of
    # four times 0.5 and once 2 have squares of 5, and 0.5 x 0.5 x 64 / 5 = 3.2 rows.
    sizes = np.array([1.0, 1, 1, 1, 4])[:, None]
    for hits in ([1, 1, 1, 1, 0], [0, 0, 0, 0, 4]):
        [worth], _ = effective_sample_sizes_and_cluster_counts(
            np.array(hits, float)[:, None], sizes
        )
        assert worth == pytest.approx(3.2)
    # All hits in the cluster of four of 16 others of one: share 0.2, residuals 4 - 0.8 and
    # -0.2: 10.24 + 16 x 0.04 = 10.88, 0.2 x 0.8 x 400 / 10.88 = 5.88 of Kish's 400 / 32 = 12.5.
    sizes = np.array([1.0] * 16 + [4.0])[:, None]
    [worth], _ = effective_sample_sizes_and_cluster_counts(
        np.array([0.0] * 16 + [4.0])[:, None], sizes
    )
    assert worth == pytest.approx(5.882, abs=1e-3)


def test_rows_that_are_not_nested_have_the_interval_of_independent_rows():
    hits = [1, 0, 0, 1, 1, 0, 0, 0]
    alone = clustered_share(hits, range(8), unit="cases")
    assert (alone.low, alone.high) == (
        wilson_share_estimate(3, 8).low,
        wilson_share_estimate(3, 8).high,
    )
    assert alone.method == "Wilson with t"


def test_the_effective_size_is_the_design_effect_of_linearisation():
    # Ten clusters of 4 with 4, 4, 3, 2, 2, 1, 1, 0, 0, 0 hits: share 17/40, and with a tenth of a
    # cluster of each extreme (17.4 / 40.8 = 0.426471). Squared residuals x - 1.705882:
    # 2 (2.294118^2) + 1.294118^2 + 2 (0.294118^2) + 2 (0.705882^2) + 3 (1.705882^2) = 22.100348;
    # of the extremes 0.1 x 16 (0.181878 + 0.328936) = 0.817302. Variance: 10.2 / 9.2 x 22.917650
    # / 40.8^2 = 0.0152640; 0.426471 x 0.573529 / 0.0152640 = 16.0242, of 10.2 clusters; of 10:
    # 15.7100 rows are as informative as the 40.
    tops = np.array([4, 4, 3, 2, 2, 1, 1, 0, 0, 0.0])[:, None]
    sizes, clusters = effective_sample_sizes_and_cluster_counts(tops, np.full((10, 1), 4.0))
    assert sizes[0] == pytest.approx(15.7100, abs=1e-3)
    assert clusters[0] == 10


def test_raters_who_differ_widen_the_share_of_what_they_judged_together():
    # Six raters judge 30 items each; one of them breaks a rule on all, the others never. Over
    # items alone nothing seems to vary: one in six each time.
    item = np.tile(np.arange(30), 6)
    rater = np.repeat(np.arange(6), 30)
    by_items = clustered_share(rater == 0, item, unit="items")
    by_both = clustered_share(rater == 0, item, unit="items", crossed=rater)
    assert by_items.high - by_items.low < 0.15
    assert by_both.low < 0.02
    assert by_both.high > 0.6
    assert by_both.method == "share; Wilson over items and raters"
    few = clustered_share(rater[:90] == 0, item[:90], unit="items", crossed=rater[:90])
    assert few.method == "share; Wilson over items"


def test_what_raters_and_items_vary_is_added_less_what_single_answers_vary():
    # 4 raters of 4 items: by items 4, 2, 1 and 1 of 4, by raters 4, 1, 2 and 1 of 4: half of 16.
    hits = np.array([[1, 1, 1, 1], [1, 0, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0]], dtype=float)
    item, rater = np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4)
    found = clustered_share(hits.ravel(), item, unit="items", crossed=rater)
    # By items, with a tenth of an item of each extreme: squared residuals x - 2: 4 + 0 + 1 + 1 + .1
    # (4 + 4) = 6.8; 4.2 / 3.2 x 6.8 / 16.8^2 = 0.0316220; .25 over it is 7.905882, of 4.2 items;
    # of 4: x 4 / 4.2 = 7.529412. By raters, without the extremes: 6 x 4 / 3 / 16^2 = .03125: 8.
    by_items, by_raters = 1 / 7.529412, 1 / 8
    # Two lines of 3 degrees of freedom each, by Welch and Satterthwaite.
    df = (by_items + by_raters) ** 2 / (by_items**2 / 3 + by_raters**2 / 3)
    low, high = wilson_bounds_of_shares(0.5, 1 / (by_items + by_raters - 1 / 16), df)
    assert found.value == 0.5
    assert (found.low, found.high) == (pytest.approx(float(low)), pytest.approx(float(high)))
    assert found.method == "share; Wilson over items and raters"


def test_the_share_of_several_things_in_each_row_counts_the_things():
    found = estimate_clustered_ratio([1, 0, 2, 1, 0], [2, 1, 3, 1, 0], list("abcde"), unit="cases")
    assert (found.value, found.numerator, found.denominator) == (4 / 7, 4, 7)
    # A case without anything to count says nothing: four are left.
    assert found.low is not None


def test_a_mean_rating_lies_within_its_scale_and_is_a_share_of_it():
    given = [1, 1, 1, 1, 2]
    found = estimate_clustered_mean(given, kind=(1, 10), unit="dialogues")
    assert found.value == 1.2
    assert 1.0 <= found.low < 1.2 < found.high < 10
    upside_down = estimate_clustered_mean(
        [11 - one for one in given], kind=(1, 10), unit="dialogues"
    )
    assert (upside_down.low, upside_down.high) == pytest.approx((11 - found.high, 11 - found.low))
    with pytest.raises(ValueError, match="outside 1 and 10"):
        estimate_clustered_mean([0, 5], kind=(1, 10))


def test_an_amount_has_the_interval_of_the_score_test_by_hand():
    # 10.5, 20, 30 and 39.5 seconds: mean 25, squared residuals 210.25 + 25 + 25 + 210.25 = 470.5,
    # variance of the mean 470.5 / 3 / 4 = 39.208333, so 25 / 39.208333 = 0.637620 rows of
    # variance 25. t^2 of 3 degrees of freedom is 10.127964: the bounds are the roots of
    # (25 - x)^2 = 10.127964 x / 0.637620, x = 32.941974 +- sqrt(32.941974^2 - 625) = 32.941974 +-
    # 21.451711.
    found = estimate_clustered_mean([10.5, 20, 30, 39.5])
    assert (found.low, found.high) == pytest.approx((11.490263, 54.393685), abs=1e-3)
    assert estimate_clustered_mean([0, 0, 0, 4]).low > 0
    with pytest.raises(ValueError, match="not below zero"):
        estimate_clustered_mean([-1.0, 2.0])


def test_a_mean_difference_has_students_interval():
    # -1, 0, 1, 4: mean 1, standard deviation 2.160247, t of 3 degrees of freedom 3.182446:
    # 1 +- 3.182446 x 1.080123 = 1 +- 3.437435.
    found = estimate_clustered_mean([-1, 0, 1, 4], kind="difference")
    assert (found.low, found.high) == pytest.approx((1 - 3.437435, 1 + 3.437435), abs=1e-5)
    assert found.method == "mean; t over items"


def test_drawn_units_vary_as_much_as_units_do(monkeypatch):
    monkeypatch.setattr(smoothed_bootstrap, "RESAMPLES", 4000)
    # 400 of 1,000 units are 1: the share's standard deviation is sqrt(0.24 / 1000) = 0.01549. That
    # of 4,000 draws has a relative error of 1 / sqrt(8000) = 1.1 %.
    nothing = Smoothing(np.zeros((0, 1)), np.zeros(0), 400)
    sums = resampled_sums(np.array([[0.0], [1.0]]), np.array([600, 400]), nothing)
    assert sums.mean() / 1000 == pytest.approx(0.4, abs=0.002)
    assert sums.std() / 1000 == pytest.approx(0.01549, rel=0.05)


def test_whole_numbers_and_fractions_are_sorted_into_the_same_types():
    rng = np.random.default_rng(8)
    rows = rng.integers(0, 4, size=(200, 3))
    types, times = distinct_contributions_with_counts(rows)
    halves, half_times = distinct_contributions_with_counts(rows / 2)
    assert (types == halves * 2).all()
    assert (times == half_times).all()
    assert times.sum() == 200


def test_the_same_values_in_another_order_give_the_same_figures_to_the_last_digit():
    rng = np.random.default_rng(11)
    values, groups = rng.random(300), rng.integers(0, 40, 300)
    shuffled = rng.permutation(300)
    for clusters in (None, groups):
        again = None if clusters is None else clusters[shuffled]
        for kind in ((0.0, 1.0), "amount", "difference"):
            one = estimate_clustered_mean(values, clusters=clusters, kind=kind)
            assert one == estimate_clustered_mean(values[shuffled], clusters=again, kind=kind)


@pytest.mark.parametrize("kind", [(0.0, 1.0), "amount", "difference"])
def test_repeating_every_value_within_its_cluster_does_not_narrow_the_interval(kind):
    rng = np.random.default_rng(3)
    values = rng.random(50)
    once = estimate_clustered_mean(values, kind=kind)
    ten_times = estimate_clustered_mean(
        np.repeat(values, 10), clusters=np.repeat(np.arange(50), 10), kind=kind
    )
    naive = estimate_clustered_mean(np.repeat(values, 10), kind=kind)
    assert (ten_times.low, ten_times.high) == pytest.approx((once.low, once.high), abs=1e-9)
    assert naive.high - naive.low < (once.high - once.low) / 2
    assert ten_times.n == 500


def test_amounts_that_are_all_alike_have_a_value_but_no_interval():
    alike = estimate_clustered_mean([2.0, 2.0, 2.0, 2.0])
    assert (alike.value, alike.low, alike.high) == (2.0, None, None)
    assert "all alike" in alike.method


def test_a_mean_leaves_unknown_values_out_and_is_undefined_without_any():
    assert estimate_clustered_mean([1.0, np.nan, 3.0]).value == 2.0
    assert estimate_clustered_mean([1.0, np.nan, 3.0]).n == 2
    assert not estimate_clustered_mean([np.nan]).has_value


def test_no_interval_is_drawn_when_most_resamples_have_no_value():
    missing = np.array([np.nan, np.nan, np.nan, 1.0])
    assert interval_and_lost_count_from_resamples(missing, 100) == (None, None, 3)
    low, high, left_out = interval_and_lost_count_from_resamples(
        np.array([np.nan, 0.0, 1.0]), 10**9
    )
    # From 0 to 1: 0.025 and 0.975; so many informative units leave the tails as they are.
    assert (low, high, left_out) == (pytest.approx(0.025), pytest.approx(0.975), 1)
    # With one, the tails are t's with 4 degrees of freedom (2.776445): 0.275 % instead of 2.5 %.
    draws = np.linspace(0, 1, 100_001)
    assert interval_and_lost_count_from_resamples(draws, 1)[0] == pytest.approx(0.00275, abs=1e-5)


def test_wilsons_interval_of_scores_is_the_usual_one_where_they_are_whole():
    assert wilson_mean_estimate(7.0, 10) == wilson_share_estimate(7, 10)
    between = wilson_mean_estimate(7.5, 10)
    assert (between.value, between.numerator, between.n) == (0.75, 8, 10)
    # t of 9 degrees of freedom: (0.75 + 0.255868 +- 2.262157 sqrt(0.01875 + 0.0127934)) / 1.5117355
    assert (between.low, between.high) == pytest.approx((0.399598, 0.931145), abs=1e-5)
    assert "rounded" in between.method
    assert not wilson_mean_estimate(0.0, 0).has_value
    with pytest.raises(ValueError, match="cannot add up"):
        wilson_mean_estimate(3.2, 3)


def test_bounds_of_many_figures_are_those_of_each():
    shares, sizes = np.array([0.0, 0.2, 1.0]), np.array([10.0, 10.0, 8.5])
    lows, highs = wilson_bounds_of_shares(shares, sizes, np.array([9, 9, 4]))
    for at in range(3):
        low, high = wilson_bounds_of_shares(shares[at], sizes[at], [9, 9, 4][at])
        assert (lows[at], highs[at]) == (low, high)


def test_all_but_two_have_the_bounds_of_two_the_other_way_round():
    # In floating point 1 - 12/14 is a little more than 2/14, for about half of all numbers of rows.
    for n in range(5, 300):
        two, rest = wilson_share_estimate(2, n), wilson_share_estimate(n - 2, n)
        assert (rest.low, rest.high) == pytest.approx((1 - two.high, 1 - two.low), abs=1e-12), n


def test_many_shares_at_once_are_each_what_they_are_alone():
    counts, sizes = [0, 1, 3, 12, 40, 2], [3, 10, 3, 14, 40, 1000]
    assert wilson_share_estimates(counts, sizes, unit="items") == [
        wilson_share_estimate(count, size, unit="items")
        for count, size in zip(counts, sizes, strict=True)
    ]
