"""Two shares of the same cases: Tango's interval against other code, and pairs in clusters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq, minimize_scalar

from medlens.stats.paired_proportions import (
    estimate_clustered_paired_difference,
    estimate_paired_difference,
    estimate_paired_ratio,
    p_value_against_difference_of_margin,
    score_test_of_paired_difference,
)


def score_by_brute_force(first_only: int, second_only: int, n: int, delta: float) -> float:
    """Tango's statistic with the nuisance share found by maximising the likelihood numerically."""
    rest = n - first_only - second_only

    def unlikely(second: float) -> float:
        shares = (second + delta, second, 1 - 2 * second - delta)
        counts = (first_only, second_only, rest)
        return -sum(c * np.log(max(s, 1e-300)) for c, s in zip(counts, shares, strict=True) if c)

    low, high = max(0.0, -delta), (1 - delta) / 2
    second = minimize_scalar(
        unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    ).x
    variance = n * (2 * second + delta - delta * delta)
    return float((first_only - second_only - n * delta) / np.sqrt(variance))


@pytest.mark.parametrize("first_only, second_only, n", [(1, 6, 100), (9, 2, 30), (12, 12, 60)])
def test_tangos_bounds_are_where_the_score_test_rejects(first_only, second_only, n):
    found = estimate_paired_difference(first_only, second_only, n)
    at = (first_only - second_only) / n
    z = 1.959963984540054
    low = brentq(lambda d: score_by_brute_force(first_only, second_only, n, d) - z, -0.9, at - 1e-6)
    high = brentq(lambda d: score_by_brute_force(first_only, second_only, n, d) + z, at + 1e-6, 0.9)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


def test_models_that_never_differ_are_not_certain_to_be_alike():
    # Without a discordant pair the bounds are +- z^2 / (n + z^2) = 3.841459 / 13.841459.
    found = estimate_paired_difference(0, 0, 10)
    assert found.value == 0.0
    assert (found.low, found.high) == pytest.approx((-0.277533, 0.277533), abs=1e-6)


def test_models_that_always_differ_are_not_certain_to_be_opposites():
    # With n discordant pairs, all one way, the lower bound is (n - z^2) / (n + z^2).
    found = estimate_paired_difference(10, 0, 10)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(6.158541 / 13.841459, abs=1e-6)
    other = estimate_paired_difference(0, 10, 10)
    assert (other.low, other.high) == (-1.0, pytest.approx(-found.low))


def test_a_difference_turned_round_has_the_interval_turned_round():
    one, other = estimate_paired_difference(7, 2, 25), estimate_paired_difference(2, 7, 25)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_too_few_pairs_none_and_impossible_ones():
    few = estimate_paired_difference(1, 0, 3, unit="questions")
    assert few.low is None
    assert few.method.endswith("no interval from fewer than 4 questions")
    assert estimate_paired_difference(0, 0, 0).reason == "there are no pairs"
    with pytest.raises(ValueError, match="not among 3 pairs"):
        estimate_paired_difference(2, 2, 3)


def test_repeats_of_a_case_count_as_pairs_only_as_far_as_they_differ():
    rng = np.random.default_rng(5)
    first, second = rng.random(40) < 0.7, rng.random(40) < 0.5
    cases = np.arange(40)
    once = estimate_clustered_paired_difference(first, second, cases, unit="cases")
    assert once == estimate_paired_difference(
        int((first & ~second).sum()), int((second & ~first).sum()), 40, unit="cases"
    )
    thrice = estimate_clustered_paired_difference(
        np.repeat(first, 3), np.repeat(second, 3), np.repeat(cases, 3), unit="cases"
    )
    assert thrice.value == pytest.approx(once.value)
    # As wide as once, but for t with 39 degrees of freedom (2.023 for 1.960) and the extremes.
    assert 1 <= (thrice.high - thrice.low) / (once.high - once.low) < 1.08
    assert thrice.n == 120
    alike = estimate_clustered_paired_difference(
        np.ones(30), np.ones(30), np.repeat(range(10), 3), unit="cases"
    )
    assert alike.low == pytest.approx(-alike.high)
    # t of 9 degrees of freedom squared is 5.117355, of ten pairs: 5.117355 / 15.117355.
    assert alike.high == pytest.approx(0.338509, abs=1e-5)


def test_a_ratio_of_shares_is_that_of_the_sums_and_needs_ten_cases():
    whole, part = np.array([1, 1, 1, 0] * 5), np.array([1, 1, 0, 0] * 5)
    found = estimate_paired_ratio(part, whole, np.arange(20), unit="cases")
    assert found.value == pytest.approx(10 / 15)
    assert 0.3 < found.low < 0.5
    assert 0.8 < found.high < 1.0
    assert estimate_paired_ratio(part[:8], whole[:8], np.arange(8), unit="cases").low is None
    nothing = estimate_paired_ratio(part, whole * 0, np.arange(20), unit="cases")
    assert nothing.reason == "the share that it is divided by is zero"


def test_p_is_below_one_in_twenty_exactly_if_the_interval_excludes_no_difference() -> None:
    draws, decided = np.random.default_rng(11), set()
    for sample in range(300):
        cases, repeats = int(draws.integers(4, 25)), int(draws.integers(1, 5))
        shift = draws.choice([0.0, 0.3])
        chance = draws.beta(1, 1, cases)[:, None]
        one = draws.random((cases, repeats)) < np.clip(chance + shift, 0, 1)
        two = draws.random((cases, repeats)) < chance
        clusters = np.repeat(np.arange(cases), repeats)
        found = estimate_clustered_paired_difference(
            one.ravel(), two.ravel(), clusters, unit="cases"
        )
        if (one == two).all():
            assert found.p is None
            continue
        assert found.method.endswith(", and its test")
        assert (found.p < 0.05) == (found.low > 0 or found.high < 0), sample
        decided.add(found.p < 0.05)
    assert decided == {True, False}


def test_two_that_never_differ_are_not_tested() -> None:
    found = estimate_paired_difference(0, 0, 20)
    assert (found.value, found.p) == (0.0, None)
    assert score_test_of_paired_difference(found, 0).reason == "the two never differ"
    few = estimate_paired_difference(2, 0, 3)
    assert (few.low, few.p) == (None, None)
    assert score_test_of_paired_difference(few, 2).reason == "there are too few for an interval"
    # 9 against 1 of 30: (9 - 1) / sqrt(10) = 2.529822, p 0.011412.
    assert estimate_paired_difference(9, 1, 30).p == pytest.approx(0.011412, abs=1e-6)


# -- pairs that were drawn unequally ---------------------------------------------------------------


def test_pairs_count_for_as_many_as_each_stands_for():
    # Of 10 pairs the first alone is right in 4, which stand for one each; the second alone in 2,
    # which stand for 8 each; the other four stand for one: (4 - 16) of 24.
    one = np.array([1, 1, 1, 1, 0, 0, 1, 1, 0, 0], dtype=bool)
    two = np.array([0, 0, 0, 0, 1, 1, 1, 1, 0, 0], dtype=bool)
    weights = np.array([1, 1, 1, 1, 8, 8, 1, 1, 1, 1])
    found = estimate_clustered_paired_difference(
        one, two, np.arange(10), unit="items", weights=weights
    )
    assert found.value == pytest.approx(-12 / 24)
    assert found.n == 10
    assert found.method == "weighted difference of shares in pairs; Tango over items, and its test"
    # As many pairs of equal weight as would leave as much to chance: 24^2 / (8 + 2 x 64), 4.2; so
    # two of these pairs show nothing.
    assert found.p > 0.05
    assert found.low < 0 < found.high
    # In another order, and with weights twice as large, it is the same.
    other = estimate_clustered_paired_difference(
        one[::-1], two[::-1], np.arange(10), unit="items", weights=2 * weights[::-1]
    )
    assert (other.value, other.low, other.high, other.p) == pytest.approx(
        (found.value, found.low, found.high, found.p)
    )


def test_pairs_of_equal_weight_that_never_differ_are_not_certain_to_be_alike():
    same = np.ones(9, dtype=bool)
    found = estimate_clustered_paired_difference(
        same, same, np.arange(9), unit="items", weights=np.full(9, 3.0)
    )
    # t(8) = 2.306004 for z: +- t^2 / (n + t^2) = 5.317654 / 14.317654.
    assert (found.value, found.p) == (0, None)
    assert (found.low, found.high) == pytest.approx((-0.371405, 0.371405), abs=1e-5)
    none = estimate_clustered_paired_difference([], [], [], unit="items", weights=[])
    assert none.reason == "there are no pairs"


@pytest.mark.deep
@pytest.mark.parametrize("drawn", [(40, 20), (15, 15), (60, 6), (6, 60)], ids=str)
def test_of_two_judges_equally_good_none_is_better_in_a_draw_by_the_verdict_of_one(drawn):
    # 600 items, one in seven positive; on each either judge finds too many positives and the other
    # too few, at random, so that they are right equally often. A draw by the first one's verdict
    # meets more of its errors of one kind.
    rng, samples, held, rejected = np.random.default_rng(12), 500, 0, 0
    for _ in range(samples):
        true, kind = rng.random(600) < 0.15, rng.random((2, 600))
        right = np.stack([kind[0] < np.where(true, 0.8, 0.95), kind[1] < np.where(true, 0.95, 0.8)])
        one, two = np.where(rng.random(600) < 0.5, right[::-1], right)
        said, weights = np.where(one, true, ~true), np.zeros(600)
        for verdict, many in zip((True, False), drawn, strict=True):
            there = np.flatnonzero(said == verdict)
            weights[rng.permutation(there)[:many]] = len(there) / min(many, len(there))
        known = weights > 0
        found = estimate_clustered_paired_difference(
            one[known], two[known], np.flatnonzero(known), unit="items", weights=weights[known]
        )
        held += found.low <= 0 <= found.high
        rejected += found.p is not None and found.p < 0.05
    # Without weights up to 82 % were rejected.
    assert held / samples >= 0.92 - 2 * (0.92 * 0.08 / samples) ** 0.5
    assert rejected / samples <= 0.07 + 2 * (0.07 * 0.93 / samples) ** 0.5


def test_a_difference_is_tested_against_a_margin_by_the_score_of_its_interval() -> None:
    # Forty pairs that never differ: (0 - 40 x 0.2) / (40 x 0.2 x 0.8)^.5 = -10^.5.
    same, clusters = np.ones(40), np.arange(40)
    p = p_value_against_difference_of_margin(same, same, clusters, margin=0.2, weights=same)
    assert p == pytest.approx(stats.t.cdf(-(10**0.5), 39))
    # Half of a test with two sides: p is 0.025 at the interval's upper bound, 0.975 at the lower.
    one, two = np.repeat([1, 0, 1], [9, 4, 27]), np.repeat([0, 1, 1], [9, 4, 27])
    weights = np.repeat([1, 3, 1], [9, 14, 17])
    found = estimate_clustered_paired_difference(one, two, clusters, unit="cases", weights=weights)
    for bound, p in ((found.high, 0.025), (found.low, 0.975)):
        made = p_value_against_difference_of_margin(
            one, two, clusters, margin=bound, weights=weights
        )
        assert made == pytest.approx(p)
    assert (
        p_value_against_difference_of_margin(one, two, 0 * clusters, margin=0.9, weights=weights)
        == 1
    )
