"""Strengths of Bradley and Terry, and Wilcoxon's test, on numbers worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from medlens.stats.paired import bradley_terry, strengths
from medlens.stats.tests import wilcoxon


def test_of_two_sides_the_strength_is_the_share_of_wins() -> None:
    # 30 wins of 40: odds 3 to 1.
    wins = np.array([[[0.0, 30.0], [10.0, 0.0]]])
    assert strengths(wins)[0] == pytest.approx([0.75, 0.25], abs=1e-5)


def test_strengths_that_made_the_wins_are_found_again() -> None:
    # Strengths 6, 3, 1: of 90 games each, 6 beats 3 in 60 and 1 in 540/7, 3 beats 1 in 67.5.
    of = np.array([6.0, 3.0, 1.0])
    wins = 90 * of[:, None] / (of[:, None] + of[None, :])
    np.fill_diagonal(wins, 0)
    assert strengths(wins[None])[0] == pytest.approx(of / 10, abs=1e-4)


def test_a_side_that_never_won_has_strength_0_and_one_never_met_makes_all_undefined() -> None:
    wins = np.zeros((20, 2, 2))
    wins[:, 0, 1] = 1
    first, second = bradley_terry(wins)
    assert (first.value, second.value) == (1.0, 0.0)
    assert first.low is not None
    assert 0.7 < first.low < 1
    alone = np.zeros((20, 3, 3))
    alone[:, :2, :2] = wins
    assert {one.reason for one in bradley_terry(alone)} == {
        "not all were compared, not even by way of others"
    }


@pytest.mark.deep
def test_intervals_of_strengths_cover_the_truth_where_raters_share_cases() -> None:
    # Each case has a leaning of its own, which its three raters share: their votes are not alone.
    rng = np.random.default_rng(7)
    gaps = {(0, 1): 0.8, (0, 2): 1.2, (1, 2): 0.4}
    leanings = rng.normal(0, 1, 200_000)
    full = np.zeros((1, 3, 3))
    for (i, j), gap in gaps.items():
        full[0, i, j] = (1 / (1 + np.exp(-(gap + leanings)))).mean()
        full[0, j, i] = 1 - full[0, i, j]
    own = strengths(full)[0]
    beats = own[:, None] / (own[:, None] + own[None, :])
    truth = (beats.sum(axis=1) - 0.5) / 2
    hits, runs = 0, 80
    for _ in range(runs):
        wins = np.zeros((30, 3, 3))
        for (i, j), gap in gaps.items():
            chances = 1 / (1 + np.exp(-(gap + rng.normal(0, 1, 30))))
            wins[:, i, j] = rng.binomial(3, chances)
            wins[:, j, i] = 3 - wins[:, i, j]
        found = bradley_terry(wins)
        hits += sum(
            (one.low or 0) <= t <= (one.high or 0) for one, t in zip(found, truth, strict=True)
        )
    assert 0.9 <= hits / (3 * runs) <= 0.99


def test_wilcoxon_leaves_zeros_out_and_is_1_without_any_difference() -> None:
    # Ranks 1 to 5, all one way: of 32 patterns of signs two are as far, 2/32.
    assert wilcoxon([0.0, 1, 2, 3, 4, 5]).p == pytest.approx(0.0625)
    assert (wilcoxon([0.0, 0.0]).p, wilcoxon([0.0, 0.0]).n) == (1.0, 0)


def test_wilcoxon_is_exact_where_differences_are_equal() -> None:
    # Ranks 1.5, 1.5 and 3, the first against the others: 1.5 against 4.5. Of the 8 patterns of
    # signs, sums of 3 or more either way: +++, -++, +-+ and their opposites, 6/8.
    found = wilcoxon([-1, 1, 2])
    assert (found.statistic, found.p) == (1.5, pytest.approx(0.75))
    rng = np.random.default_rng(1)
    for n in (5, 8, 10):
        apart = rng.choice([-3, -2, -1, 1, 2, 3], n)
        theirs = scipy.stats.wilcoxon(apart, method=scipy.stats.PermutationMethod(2**n))
        ours = wilcoxon(apart)
        assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    # Beyond what scipy tries out, near the normal approximation that it takes instead.
    many = rng.choice([-2, -1, 1, 2, 3], 50)
    near = scipy.stats.wilcoxon(many, method="asymptotic")
    ours = wilcoxon(many)
    assert ours.statistic == near.statistic
    assert ours.p == pytest.approx(near.pvalue, abs=0.01)
    # Of more than 50 it is that approximation.
    assert wilcoxon([*many, 1]).p == scipy.stats.wilcoxon([*many, 1], method="asymptotic").pvalue
