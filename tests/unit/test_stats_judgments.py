"""Figures of people's judgments: whom they speak for, on numbers worked by hand."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from medlens.stats import judgment_shares_means_and_win_rates as figures
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import (
    clustered_share,
    estimate_difference_of_shares,
    estimate_shares_of_two_arms_and_difference,
    wilson_bounds_of_shares,
    wilson_share_estimate,
)
from medlens.stats.intervals import estimate_clustered_mean as mean_over_items
from medlens.stats.paired_proportions import bradley_terry_strengths
from medlens.stats.scope_of_inference_over_raters import (
    RATERS_LIKE_THESE,
    JudgmentItemsAndRaters,
    declare_panel_fixed_within,
    is_panel_declared_fixed_now,
    note_estimate_speaks_for_these_raters,
    words_for_these_raters_alone,
)
from tests.recomputed.other_raters import widened
from tests.recomputed.resampled import Bounds


def crossed(items: int, raters: int, *, fixed_panel: bool = False) -> JudgmentItemsAndRaters:
    return JudgmentItemsAndRaters(
        np.repeat(np.arange(items), raters),
        np.tile(np.arange(raters), items),
        fixed_panel=fixed_panel,
    )


@pytest.mark.parametrize(
    ("count", "words"), [(1, "this rater"), (3, "these 3 raters"), (1200, "these 1,200 raters")]
)
def test_these_raters_are_counted_in_words(count: int, words: str) -> None:
    assert words_for_these_raters_alone(count) == words


@pytest.mark.parametrize(
    ("raters", "fixed", "words"),
    [
        (3, False, "these 3 raters"),
        (4, False, RATERS_LIKE_THESE),
        (4, True, "these 4 raters, a fixed panel"),
        (1, False, "this rater"),
    ],
)
def test_a_share_speaks_for_raters_like_these_from_four_on(
    raters: int, fixed: bool, words: str
) -> None:
    judgments = crossed(20, raters, fixed_panel=fixed)
    hits = judgments.item_codes % 3 == 0
    found = figures.estimate_share_of_judgments(hits, judgments)
    assert found.speaks_for == words
    over = "items and raters" if words == RATERS_LIKE_THESE else "items"
    assert found.method in (f"share; Wilson over {over}", "Wilson with t")


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        # 36 / 12 is exactly three: enough.
        ((3, 1, 1, 1), RATERS_LIKE_THESE),
        ((60, 20, 20, 20), RATERS_LIKE_THESE),
        # 49 / 19 is less.
        ((4, 1, 1, 1), "these 4 raters"),
    ],
)
def test_raters_who_judged_unequally_must_be_three_in_effect(
    counts: tuple[int, ...], words: str
) -> None:
    raters = np.repeat(np.arange(4), counts)
    judgments = JudgmentItemsAndRaters(np.arange(len(raters)), raters)
    assert figures.estimate_share_of_judgments(raters % 2, judgments).speaks_for == words


def test_for_these_raters_a_share_is_the_one_over_items() -> None:
    judgments = crossed(12, 3)
    hits = np.random.default_rng(1).random(36) < 0.3
    found = figures.estimate_share_of_judgments(hits, judgments)
    beside = clustered_share(hits, judgments.item_codes, unit="items")
    assert (found.value, found.low, found.high) == (beside.value, beside.low, beside.high)
    scores = np.random.default_rng(2).integers(1, 11, 36)
    mine = figures.estimate_mean_of_judgments(scores, judgments, kind=(1, 10))
    theirs = mean_over_items(scores, clusters=judgments.item_codes, kind=(1, 10))
    assert (mine.value, mine.low, mine.high) == (theirs.value, theirs.low, theirs.high)


def test_raters_who_differ_widen_a_difference_by_students_t_over_raters() -> None:
    # Four raters who each give every one of 20 items the same number: 0, 2, 4, 6. Items do not
    # vary; the variance is that of four raters' means, 20/3 / 4, with three degrees of freedom.
    judgments = crossed(20, 4)
    values = 2.0 * judgments.rater_codes
    found = figures.estimate_mean_of_judgments(values, judgments, kind="difference")
    half = 3.182446 * (20 / 3 / 4) ** 0.5
    assert found.low == pytest.approx(3 - half, abs=1e-5)
    assert found.high == pytest.approx(3 + half, abs=1e-5)


def test_variance_is_of_items_and_raters_less_what_both_count() -> None:
    # Six items by four raters; one judgment is 1, all others 0: mean 1/24. The sums of influences
    # by item are 1/24 (1 - 1/6) once and -1/24/6 five times; by rater 1/24 (1 - 1/4) and -1/24/4
    # three times; by cell 1/24 (1 - 1/24) and -1/24/24 23 times. A quarter of the items' variance
    # and a sixth of the raters' are in that of the cells; without them 1 - 1/4 - 1/6 are left.
    one = 1 / 24
    items = 6 / 5 * one**2 * ((5 / 6) ** 2 + 5 / 36)
    raters = 4 / 3 * one**2 * ((3 / 4) ** 2 + 3 / 16)
    cells = one**2 * ((23 / 24) ** 2 + 23 / 576)
    judgments = crossed(6, 4)
    values = np.zeros(24)
    values[5] = 1
    own = (cells - items / 4 - raters / 6) / (1 - 1 / 4 - 1 / 6)
    variance = max(items, raters, items + raters - own)
    df = (items + raters) ** 2 / (items**2 / 5 + raters**2 / 3)
    assert df == pytest.approx(8, abs=1)
    found = figures.estimate_mean_of_judgments(values, judgments, kind="difference")
    assert found.high is not None
    assert found.low is not None
    assert (found.high - found.low) / 2 == pytest.approx(
        scipy.stats.t.ppf(0.975, df) * variance**0.5
    )


def test_a_median_of_judgments_is_the_middle_one_or_halfway_between_two() -> None:
    # In order 1, 1, 1, 2, 2, 3, 4, 5, 9, 100: halfway between 2 and 3, where the mean is 12.8.
    judgments = crossed(5, 2)
    values = np.array([9, 1, 2, 4, 1, 100, 2, 1, 3, 5])
    assert figures.estimate_median_of_judgments(values, judgments).value == 2.5
    # Of nine the fifth, 2; a judgment without a number has no part in it.
    values = np.where(values == 5, np.nan, values)
    found = figures.estimate_median_of_judgments(values, judgments)
    assert (found.value, found.n) == (2.0, 9)


def test_a_median_of_one_raters_judgments_has_the_quantiles_of_a_half_of_as_many_rows() -> None:
    # Wilson's interval of one half of 99 with t(98) = 1.9845 is 0.4027 to 0.5973: from the 40th
    # value (0.4027 x 99 = 39.9) to the 60th, in whatever order they were given.
    values = np.random.default_rng(4).permutation(99)
    found = figures.estimate_median_of_judgments(values, crossed(99, 1))
    assert (found.value, found.low, found.high) == (49.0, 39.0, 59.0)
    assert (found.method, found.speaks_for) == ("median; Woodruff over items", "this rater")


def test_raters_who_differ_widen_a_median() -> None:
    # Four raters who each give all of 20 items their own number: below the median are two of four,
    # and other raters could be anywhere between the least and the greatest number.
    judgments = crossed(20, 4)
    values = 10.0 * judgments.rater_codes
    found = figures.estimate_median_of_judgments(values, judgments)
    assert (found.value, found.low, found.high) == (15.0, 0.0, 30.0)
    assert found.speaks_for == RATERS_LIKE_THESE
    these = figures.estimate_median_of_judgments(values, crossed(20, 4, fixed_panel=True))
    assert (these.value, these.low, these.high) == (15.0, 10.0, 20.0)


@pytest.mark.parametrize("differ", ["raters", "items"])
def test_variance_is_never_below_that_over_raters_or_items_alone(differ: str) -> None:
    # Either raters give 0, 2, 4, 6 and no item differs, or items do and no rater. On every item one
    # rater goes up by as much as another goes down, and on the next one the other way round, so
    # that all means stay; taking off the judgments' own error would leave less variance than
    # these means show.
    judgments = crossed(20, 4)
    up_or_down = np.choose(judgments.rater_codes, [12, -12, 0, 0])
    swing = np.where(judgments.item_codes % 2 == 0, up_or_down, -up_or_down)
    codes = judgments.rater_codes if differ == "raters" else judgments.item_codes
    found = figures.estimate_mean_of_judgments(2.0 * codes + swing, judgments, kind="difference")
    means = 2.0 * np.unique(codes)
    half = scipy.stats.t.ppf(0.975, len(means) - 1) * scipy.stats.sem(means)
    assert (found.low, found.high) == pytest.approx((means.mean() - half, means.mean() + half))


def test_few_items_have_no_interval_however_many_raters_there_are() -> None:
    judgments = crossed(3, 12)
    for found in (
        figures.estimate_share_of_judgments(judgments.rater_codes > 4, judgments),
        figures.estimate_mean_of_judgments(judgments.rater_codes, judgments, kind="difference"),
        figures.estimate_mean_of_judgments(judgments.rater_codes, judgments, kind=(0, 11)),
        figures.estimate_median_of_judgments(judgments.rater_codes, judgments),
    ):
        assert (found.low, found.high) == (None, None)
        assert "no interval from fewer than 4 items" in found.method
        assert found.speaks_for == "these 12 raters"


def test_values_that_are_all_alike_have_no_interval_and_scores_have_one() -> None:
    judgments = crossed(10, 5)
    alike = figures.estimate_mean_of_judgments(np.full(50, 3.0), judgments, kind="difference")
    assert alike.low is None
    assert "they are all alike" in alike.method
    scores = figures.estimate_mean_of_judgments(np.full(50, 3.0), judgments, kind=(1, 5))
    assert scores.low is not None
    assert scores.low < 3 < (scores.high or 0)


def test_without_judgments_figures_are_undefined() -> None:
    none = JudgmentItemsAndRaters([], [])
    assert figures.estimate_share_of_judgments([], none).reason == "there is nothing to count"
    assert figures.estimate_mean_of_judgments([], none).reason == "there are no values"
    assert figures.estimate_median_of_judgments([], none).reason == "there are no values"


def test_raters_with_one_judgment_each_are_independent_rows() -> None:
    rng = np.random.default_rng(3)
    judgments = JudgmentItemsAndRaters(np.repeat(np.arange(20), 2), np.arange(40))
    hits = rng.random(40) < 0.4
    found = figures.estimate_share_of_judgments(hits, judgments)
    beside = clustered_share(hits, judgments.item_codes, unit="items")
    assert found.speaks_for == RATERS_LIKE_THESE
    assert found.high is not None
    assert beside.high is not None
    # Each rater is a row of their own, so that items alone make rows alike.
    assert found.high == pytest.approx(beside.high, abs=0.02)


def test_a_change_and_its_test_never_contradict_each_other() -> None:
    rng = np.random.default_rng(5)
    seen = set()
    for at in range(300):
        judgments = crossed(int(rng.integers(4, 15)), 1 + at % 6)
        before = rng.random(len(judgments)) < 0.3
        after = before | (rng.random(len(judgments)) < rng.choice([0.1, 0.2, 0.4]))
        found = figures.estimate_change_in_share(after, before, judgments)
        if (after == before).all():
            assert found.p is None
            continue
        assert None not in (found.low, found.p)
        assert (found.p < 0.05) == (found.low > 0 or found.high < 0)  # type: ignore[operator]
        seen.add(found.p < 0.05)  # type: ignore[operator]
    assert seen == {True, False}


def test_wins_and_their_test_never_contradict_each_other() -> None:
    rng = np.random.default_rng(6)
    seen = set()
    for at in range(300):
        judgments = crossed(int(rng.integers(4, 20)), 1 + at % 6)
        won = rng.choice([0, 0.5, 1], len(judgments), p=rng.dirichlet([1, 0.3, 1]))
        found = figures.estimate_win_rate(won, judgments)
        assert None not in (found.low, found.p)
        excluded = found.low > 0.5 or found.high < 0.5  # type: ignore[operator]
        assert (found.p < 0.05) == excluded  # type: ignore[operator]
        seen.add(excluded)
    assert seen == {True, False}


def arms_of(cases: int, raters: int) -> tuple[JudgmentItemsAndRaters, np.ndarray]:
    """Two arms of each case, judged by two different raters in turn."""
    items = np.repeat(np.arange(cases), 2)
    who = np.arange(2 * cases) % raters
    who[1::2] = (who[::2] + 1) % raters
    return JudgmentItemsAndRaters(items, who, "cases"), np.tile([True, False], cases)


def test_cases_that_nobody_judged_twice_still_count_beside_one_that_somebody_did() -> None:
    judgments, first = arms_of(30, 5)
    values = np.where(first, 4.0, 2.0) + np.random.default_rng(2).integers(-1, 2, 60)
    apart = figures.estimate_difference_between_two_arms(values, first, judgments)
    # The rater of the first arm of case 0 also judges its second.
    more = JudgmentItemsAndRaters(
        np.append(np.asarray(judgments.items), 0),
        np.append(np.asarray(judgments.raters), np.asarray(judgments.raters)[0]),
        "cases",
    )
    both = figures.estimate_difference_between_two_arms(
        np.append(values, values[0]), np.append(first, False), more
    )
    assert (apart.n, both.n) == (30, 30)
    assert apart.value is not None
    # Case 0 counts as this rater's pair, which is 0; the 29 others are as they were.
    assert both.value == pytest.approx(apart.value - (values[0] - values[1]) / 30)
    assert "1 of raters with themselves, raters with each other on 29 cases" in both.method
    assert apart.method.endswith("raters with each other on 30 cases")
    assert apart.speaks_for == both.speaks_for == RATERS_LIKE_THESE
    assert both.p is not None
    assert both.p < 0.001


def test_a_difference_of_raters_with_themselves_has_students_t_over_cases_and_raters() -> None:
    # Four raters judge both arms of six cases: the first is 1, 2, 3 or 4 higher, by rater. Cases do
    # not vary. Variance of four raters' means: 5/3 / 4; t with three degrees of freedom.
    crossing = crossed(6, 4)
    rows = np.tile(np.arange(24), 2)
    first = np.repeat([True, False], 24)
    both = crossing.select_judgments_in_rows(rows)
    values = np.where(first, both.rater_codes + 1.0, 0.0)
    found = figures.estimate_difference_between_two_arms(values, first, both)
    assert found.value == 2.5
    error = (5 / 3 / 4) ** 0.5
    assert found.high == pytest.approx(2.5 + 3.182446 * error, abs=1e-5)
    assert found.p == pytest.approx(2 * scipy.stats.t.sf(2.5 / error, 3))
    panel = replace(both, fixed_panel=True)
    fixed = figures.estimate_difference_between_two_arms(values, first, panel)
    assert "no interval: they are all alike" in fixed.method
    assert fixed.speaks_for == "these 4 raters, a fixed panel"


def test_arms_that_no_case_has_both_of_are_undefined() -> None:
    judgments = JudgmentItemsAndRaters([0, 1, 2], ["a", "b", "c"], "cases")
    found = figures.estimate_difference_between_two_arms([1, 2, 3], [True, False, True], judgments)
    assert found.reason == "no case has both"
    assert found.speaks_for == ""


def test_of_two_arms_the_strength_is_the_share_won_with_about_its_interval() -> None:
    rng = np.random.default_rng(4)
    judgments = crossed(40, 6)
    won = (rng.random(240) < 0.65).astype(float)
    share = figures.estimate_win_rate(won, judgments)
    zeros = np.zeros(240, dtype=int)
    first, second = figures.estimate_bradley_terry_chances(
        zeros, zeros + 1, won, judgments, count=2
    )
    assert first.value == pytest.approx(share.value, abs=1e-4)
    assert first.low == pytest.approx(share.low, abs=0.02)
    assert first.high == pytest.approx(share.high, abs=0.02)
    assert second.value == pytest.approx(1 - (share.value or 0), abs=1e-4)
    assert first.speaks_for == RATERS_LIKE_THESE


def test_an_arm_that_won_everything_has_an_interval_and_one_never_met_makes_all_undefined() -> None:
    judgments = crossed(20, 1)
    zeros = np.zeros(20, dtype=int)
    first, second = figures.estimate_bradley_terry_chances(
        zeros, zeros + 1, np.ones(20), judgments, count=2
    )
    assert (first.value, second.value) == (1.0, 0.0)
    assert first.low is not None
    assert 0.7 < first.low < 1
    alone = figures.estimate_bradley_terry_chances(
        zeros, zeros + 1, np.ones(20), judgments, count=3
    )
    assert {one.reason for one in alone} == {"not all were compared, not even by way of others"}


@pytest.mark.parametrize("items", [1, 2, 30])
@pytest.mark.parametrize("losers", [2, 3])
def test_sides_that_never_won_are_ranked_behind_the_one_that_always_did(
    items: int, losers: int
) -> None:
    # What a rater says who prefers one of several answers: it beats each of the others.
    beaten = np.tile(np.arange(1, losers + 1), items)
    judgments = JudgmentItemsAndRaters(
        np.repeat(range(items), losers), np.zeros(len(beaten), int), "cases"
    )
    found = figures.estimate_bradley_terry_chances(
        np.zeros(len(beaten), int), beaten, np.ones(len(beaten)), judgments, count=losers + 1
    )
    assert found[0].value == 1
    # 0 against the winner, a half against each of the others.
    of_losers = (losers - 1) / 2 / losers
    assert [one.value for one in found[1:]] == [pytest.approx(of_losers)] * losers
    for one in found:
        assert (one.low is None) == (items < figures.FEWEST)
        assert one.low is None or one.low <= one.value <= one.high  # type: ignore[operator]


def test_an_interval_over_items_is_widened_by_raters_who_differ_and_kept_otherwise() -> None:
    judgments = crossed(20, 5)
    over_items = Estimate(0.5, 0.4, 0.6, 100, "macro F1; smoothed resampling of items")
    differ = np.where(judgments.rater_codes < 2, 1.0, -2 / 3) / 100
    wider = figures.widen_interval_for_other_raters(
        over_items, differ + 1e-4 * np.sin(np.arange(100)), judgments
    )
    assert (wider.low, wider.high) == (-1.0, 1.0)
    assert wider.speaks_for == RATERS_LIKE_THESE
    by_item = np.sin(judgments.item_codes + 1.0)
    same = figures.widen_interval_for_other_raters(over_items, by_item - by_item.mean(), judgments)
    assert same.low == pytest.approx(0.4, abs=0.01)
    assert same.high == pytest.approx(0.6, abs=0.01)
    fixed = figures.widen_interval_for_other_raters(
        over_items, differ, crossed(20, 5, fixed_panel=True)
    )
    assert (fixed.low, fixed.high, fixed.speaks_for) == (0.4, 0.6, "these 5 raters, a fixed panel")


def test_the_influence_on_a_ratio_is_its_linear_part() -> None:
    # A share of 2 of 4: each row moves it by (hit - 1/2) / 4.
    columns = np.array([[1.0, 1], [1, 1], [0, 1], [0, 1]])
    found = figures.influence_of_judgments(columns, lambda sums: sums[:, 0] / sums[:, 1])
    assert found == pytest.approx([0.125, 0.125, -0.125, -0.125])


def test_a_weighted_mean_counts_each_judgment_as_often_as_it_says() -> None:
    judgments = crossed(4, 2)
    values = np.array([1.0, 3, 5, 7, 2, 4, 6, 8])
    weights = np.array([1.0, 1, 2, 2, 0, 1, 1, 1])
    found = figures.estimate_weighted_mean_of_judgments(values, weights, judgments)
    assert found.value == pytest.approx((1 + 3 + 10 + 14 + 4 + 6 + 8) / 9)
    assert found.n == 7


@pytest.mark.parametrize("seed", [1, 2])
def test_figures_are_the_same_in_any_order_of_the_judgments(seed: int) -> None:
    rng = np.random.default_rng(seed)
    judgments, first = arms_of(12, 5)
    values = rng.random(24)
    order = rng.permutation(24)
    mixed = judgments.select_judgments_in_rows(order)
    for kind in ("difference", (0.0, 1.0)):
        one = figures.estimate_mean_of_judgments(values, judgments, kind=kind)
        assert one == figures.estimate_mean_of_judgments(values[order], mixed, kind=kind)
    apart = figures.estimate_difference_between_two_arms(values, first, judgments)
    assert apart == figures.estimate_difference_between_two_arms(values[order], first[order], mixed)


@pytest.mark.deep
def test_intervals_of_unequal_strengths_cover_the_truth_where_raters_share_cases() -> None:
    # Each case has a leaning of its own, which its three raters share: their votes are not alone.
    rng = np.random.default_rng(7)
    gaps = {(0, 1): 0.8, (0, 2): 1.2, (1, 2): 0.4}
    leanings = rng.normal(0, 1, 200_000)
    full = np.zeros((1, 3, 3))
    for (i, j), gap in gaps.items():
        full[0, i, j] = (1 / (1 + np.exp(-(gap + leanings)))).mean()
        full[0, j, i] = 1 - full[0, i, j]
    own = bradley_terry_strengths(full)[0]
    beats = own[:, None] / (own[:, None] + own[None, :])
    truth = (beats.sum(axis=1) - 0.5) / 2
    of = crossed(30, 3)
    judgments = of.select_judgments_in_rows(np.tile(np.arange(90), 3))
    first, second = np.repeat([0, 0, 1], 90), np.repeat([1, 2, 2], 90)
    hits, runs = 0, 400
    for _ in range(runs):
        chances = [
            1 / (1 + np.exp(-(gap + rng.normal(0, 1, 30)[of.item_codes]))) for gap in gaps.values()
        ]
        won = rng.random(270) < np.concatenate(chances)
        found = figures.estimate_bradley_terry_chances(first, second, won, judgments, count=3)
        hits += sum(
            (one.low or 0) <= t <= (one.high or 0) for one, t in zip(found, truth, strict=True)
        )
    assert 0.92 <= hits / (3 * runs) <= 0.98


FIXED = "these 6 raters, a fixed panel"


def test_within_a_fixed_panel_every_figure_is_of_these_raters_and_no_figure_is_told() -> None:
    with declare_panel_fixed_within(fixed=True):
        judgments = JudgmentItemsAndRaters(np.repeat(np.arange(20), 6), np.tile(np.arange(6), 20))
        found = figures.estimate_share_of_judgments(judgments.rater_codes < 3, judgments)
        assert (
            note_estimate_speaks_for_these_raters(wilson_share_estimate(3, 9), 6).speaks_for
            == FIXED
        )
        assert (
            note_estimate_speaks_for_these_raters(wilson_share_estimate(3, 9), 1).speaks_for
            == "this rater"
        )
    assert found == figures.estimate_share_of_judgments(
        judgments.rater_codes < 3, crossed(20, 6, fixed_panel=True)
    )
    assert found.speaks_for == FIXED
    assert not JudgmentItemsAndRaters([1], [2]).fixed_panel


def test_a_panel_is_fixed_only_within_even_after_an_error() -> None:
    with contextlib.suppress(KeyError), declare_panel_fixed_within(fixed=True):
        assert is_panel_declared_fixed_now()
        raise KeyError
    assert not is_panel_declared_fixed_now()


def test_a_share_of_rows_that_a_fixed_panel_crosses_is_the_one_over_items() -> None:
    judgments = crossed(20, 6)
    hits = (judgments.item_codes + 3 * judgments.rater_codes) % 7 < judgments.rater_codes
    rows = {"clusters": judgments.item_codes, "unit": "items"}
    over_items = clustered_share(hits, **rows)
    for both in (False, True):
        others = clustered_share(hits, **rows, crossed=judgments.rater_codes, both=both)
        with declare_panel_fixed_within(fixed=True):
            fixed = clustered_share(hits, **rows, crossed=judgments.rater_codes, both=both)
        assert others.speaks_for == RATERS_LIKE_THESE
        assert fixed == replace(over_items, speaks_for=FIXED)
        assert fixed.low > others.low


def test_two_raters_of_a_fixed_panel_have_an_interval_though_no_others_are_spoken_for() -> None:
    judgments = crossed(20, 2)
    hits = judgments.item_codes % 3 == 0
    rows = {"clusters": judgments.item_codes, "unit": "items", "crossed": judgments.rater_codes}
    assert clustered_share(hits, **rows, both=True).low is None
    with declare_panel_fixed_within(fixed=True):
        assert clustered_share(hits, **rows, both=True).low is not None


def test_arms_that_a_fixed_panel_judged_differ_by_items_alone() -> None:
    judgments = crossed(24, 6)
    arm = (judgments.item_codes + judgments.rater_codes) % 2 == 0
    # Raters differ in both arms alike, and more than items do.
    hits = np.random.default_rng(3).random(144) < 0.2 + 0.1 * judgments.rater_codes
    hits |= judgments.item_codes % 4 == 0
    rows = {"unit": "items", "crossed": judgments.rater_codes}
    *_, others = estimate_shares_of_two_arms_and_difference(hits, arm, judgments.item_codes, **rows)
    with declare_panel_fixed_within(fixed=True):
        *_, fixed = estimate_shares_of_two_arms_and_difference(
            hits, arm, judgments.item_codes, **rows
        )
    assert (others.speaks_for, fixed.speaks_for) == (RATERS_LIKE_THESE, FIXED)
    assert fixed.value == others.value
    assert fixed.high - fixed.low < others.high - others.low
    # Whose answer it was makes no difference then.
    rows["crossed"] = np.random.default_rng(4).permutation(judgments.rater_codes)
    with declare_panel_fixed_within(fixed=True):
        *_, shuffled = estimate_shares_of_two_arms_and_difference(
            hits, arm, judgments.item_codes, **rows
        )
    assert shuffled == fixed


def test_what_items_have_in_common_in_both_arms_of_a_fixed_panel_cancels_out() -> None:
    judgments = crossed(24, 6)
    items = judgments.item_codes
    arm = (items + judgments.rater_codes) % 2 == 0
    hits = (items % 3 == 0) ^ (np.random.default_rng(5).random(144) < 0.15)
    rows = {"unit": "items", "crossed": judgments.rater_codes}
    with declare_panel_fixed_within(fixed=True):
        one, two, apart = estimate_shares_of_two_arms_and_difference(hits, arm, items, **rows)
    sums = [
        np.bincount(items, (hits - share.value) * of) for share, of in ((one, arm), (two, ~arm))
    ]
    together = (sums[0] * sums[1]).sum() / ((sums[0] ** 2).sum() * (sums[1] ** 2).sum()) ** 0.5
    assert 0.4 < together < 0.9
    low, high = one.value - one.low, two.high - two.value
    expected = (low**2 + high**2 - 2 * 0.75 * together * low * high) ** 0.5
    assert apart.value - apart.low == pytest.approx(expected)


def test_the_mean_of_raters_is_over_raters_for_others_and_over_items_for_these() -> None:
    judgments = crossed(40, 6)
    hits = judgments.item_codes % 10 < 3 + judgments.rater_codes
    others = figures.estimate_mean_of_rater_shares(hits, judgments)
    own = np.array([0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    beside = mean_over_items(own, kind=(0.0, 1.0), unit="people")
    assert others.value == pytest.approx(0.55)
    assert others == replace(beside, speaks_for=RATERS_LIKE_THESE)
    fixed = figures.estimate_mean_of_rater_shares(hits, crossed(40, 6, fixed_panel=True))
    # Each judged all items, so it is the share of all judgments.
    over_items = figures.estimate_share_of_judgments(hits, crossed(40, 6, fixed_panel=True))
    assert (fixed.value, fixed.n, fixed.speaks_for) == (pytest.approx(0.55), 6, FIXED)
    assert fixed.low == pytest.approx(over_items.low, abs=0.01)
    assert fixed.high == pytest.approx(over_items.high, abs=0.01)


def test_raters_who_judged_more_count_no_more_in_the_mean_of_raters() -> None:
    items = np.array([0, 1, 2, 3, 4, 5, 6, 7, 0, 1])
    raters = np.array([0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
    found = figures.estimate_mean_of_rater_shares(
        raters == 1, JudgmentItemsAndRaters(items, raters)
    )
    assert (found.value, found.speaks_for, found.method) == (
        0.5,
        "these 2 raters",
        "mean; Wilson over items",
    )
    few = figures.estimate_mean_of_rater_shares(
        raters[:2] == 0, JudgmentItemsAndRaters(items[:2], raters[:2])
    )
    assert few.low is None
    assert not figures.estimate_mean_of_rater_shares([], JudgmentItemsAndRaters([], [])).has_value


# -- each rater's own ------------------------------------------------------------------------------

TWO = JudgmentItemsAndRaters([0, 1, 2, 0, 1], [1, 1, 1, 0, 0], called=("ada", "zoe"))
"""Zoe (1) has judged three items, Ada (0) two of them."""


def own(estimate: Estimate) -> dict[str, tuple[float, int]]:
    return {one.rater: (one.value, one.n) for one in estimate.of_raters}


def test_a_figure_has_the_same_of_each_rater_alone() -> None:
    mean = figures.estimate_mean_of_judgments([4.0, 2.0, 3.0, 1.0, 2.0], TWO, kind=(1.0, 5.0))
    assert own(mean) == {"ada": (1.5, 2), "zoe": (3.0, 3)}
    change = figures.estimate_change_in_share([1, 1, 0, 0, 0], [0, 0, 0, 1, 0], TWO)
    assert own(change) == {"ada": (-0.5, 2), "zoe": (pytest.approx(2 / 3), 3)}
    wins = figures.estimate_win_rate([1, 0.5, 0, 1, 1], TWO)
    assert own(wins) == {"ada": (1.0, 2), "zoe": (0.5, 3)}
    share = figures.estimate_share_of_judgments([1, 0, 0, 1, 1], TWO, by_rater=True)
    assert own(share) == {"ada": (1.0, 2), "zoe": (pytest.approx(1 / 3), 3)}
    assert not figures.estimate_share_of_judgments([1, 0, 0, 1, 1], TWO).of_raters


def test_who_left_a_question_open_has_no_figure_of_their_own() -> None:
    some = figures.estimate_mean_of_judgments([4.0, np.nan, 2.0, np.nan, np.nan], TWO)
    assert not some.of_raters  # of one rater the figure itself tells as much
    three = JudgmentItemsAndRaters([0, 0, 0], ["c", "a", "b"])
    assert own(figures.estimate_mean_of_judgments([1.0, np.nan, 3.0], three)) == {
        "b": (3.0, 1),
        "c": (1.0, 1),
    }


def test_a_difference_of_arms_has_that_of_those_who_judged_both() -> None:
    items = [0, 0, 1, 1, 0, 0, 2, 2, 3]
    raters = ["b", "b", "b", "b", "a", "a", "c", "d", "a"]
    arm = np.array([1, 0, 1, 0, 1, 0, 1, 0, 1], dtype=bool)
    found = figures.estimate_difference_between_two_arms(
        [5, 3, 4, 4, 1, 2, 9, 1, 5], arm, JudgmentItemsAndRaters(items, raters)
    )
    assert found.n == 4
    assert own(found) == {"a": (-1.0, 1), "b": (1.0, 2)}


def test_a_rater_s_own_chance_is_the_mean_over_the_sides_that_were_met() -> None:
    first, second = [0, 0, 0, 1, 0, 1], [1, 1, 2, 2, 1, 2]
    judgments = JudgmentItemsAndRaters([0, 1, 2, 3, 0, 1], ["a", "a", "a", "a", "b", "b"])
    fitted = figures.estimate_bradley_terry_chances(
        first, second, [1, 0, 1, 0.5, 1, 1], judgments, count=3
    )
    assert own(fitted[0]) == {"a": (0.75, 3), "b": (1.0, 1)}
    assert own(fitted[1]) == {"a": (0.5, 3), "b": (0.5, 2)}
    assert own(fitted[2]) == {"a": (0.25, 2), "b": (0.0, 1)}


def test_what_each_rater_says_alone_makes_no_two_estimates_different() -> None:
    mean = figures.estimate_mean_of_judgments([4.0, 2.0, 3.0, 1.0, 2.0], TWO)
    assert replace(mean, of_raters=()) == mean


def test_many_raters_of_whom_one_did_nearly_all_do_not_speak_for_others() -> None:
    said = [0, 1] * 60
    shared = JudgmentItemsAndRaters(np.arange(120), np.arange(120) % 6)
    by_one = JudgmentItemsAndRaters(np.arange(120), np.where(np.arange(120) < 6, np.arange(120), 0))
    assert (shared.rater_count, by_one.rater_count) == (6, 6)
    assert figures.estimate_share_of_judgments(said, shared).speaks_for == RATERS_LIKE_THESE
    assert (
        figures.estimate_share_of_judgments(said, by_one).speaks_for
        == by_one.words_for_these_raters_alone
    )


def test_raters_who_judged_unequally_have_a_variance_corrected_for_that() -> None:
    counts = np.array([8, 4, 4, 4, 4])
    raters, n = np.repeat(np.arange(5), counts), 24
    values = np.array([0.0, 1, 3, 4, 7])[raters]
    estimate = figures.estimate_mean_of_judgments(
        values, JudgmentItemsAndRaters(np.arange(n), raters), kind="difference"
    )
    # Kish (1965): 4.5 raters in effect. Each item has one judgment, whose own error is taken off.
    part = counts / n
    squares, cubes = (part**2).sum(), (part**3).sum()
    influence = (values - values.mean()) / n
    of_items = (influence**2).sum() * n / (n - 1)
    of_raters = (np.bincount(raters, influence) ** 2).sum()
    of_raters *= squares / (squares - 2 * cubes + squares**2)
    variance = of_items + of_raters - (influence**2).sum()
    df = (of_items + of_raters) ** 2 / (of_items**2 / (n - 1) + of_raters**2 / (1 / squares - 1))
    half = scipy.stats.t.ppf(0.975, df) * variance**0.5
    assert estimate.high == pytest.approx(values.mean() + half)


def test_counts_that_hardly_vary_are_no_surer_than_poissons() -> None:
    counts = np.array([2.0] * 19 + [3.0])
    estimate = figures.estimate_mean_of_judgments(
        counts, JudgmentItemsAndRaters(np.arange(20), np.arange(20) % 2)
    )
    # The bounds are the means m with (mean - m)^2 = t^2 m / 20.
    t = scipy.stats.t.ppf(0.975, 19)
    roots = np.roots([1, -(2 * 2.05 + t * t / 20), 2.05**2])
    assert (estimate.low, estimate.high) == pytest.approx(tuple(sorted(roots)))


def test_a_difference_speaks_for_others_only_if_both_its_arms_do() -> None:
    others = Estimate(0.5, 0.4, 0.6, 100, "share", speaks_for=RATERS_LIKE_THESE)
    these = replace(others, speaks_for="these 3 raters")
    for first, second in ((others, these), (these, others), (these, these)):
        assert estimate_difference_of_shares(first, second).speaks_for == "these 3 raters"
    assert estimate_difference_of_shares(others, others).speaks_for == RATERS_LIKE_THESE


def test_of_few_contests_won_by_turns_the_test_sees_no_difference() -> None:
    # Two of four: with so few rows the interval is Poisson's, and its test would say p = .59.
    found = figures.estimate_win_rate([1, 1, 0, 0], crossed(4, 1))
    assert (found.value, found.p) == (0.5, 1)


def test_an_arm_that_won_everything_is_as_sure_as_wins_and_what_was_not_seen_allow() -> None:
    # Twenty contests and one unseen, half of it each way: 20.5 of 21. Each contest moves the chance
    # by (1 - 20.5 / 21) / 21, the unseen ones by (1 - their chance) / 21 each.
    judgments, zeros = crossed(20, 1), np.zeros(20, dtype=int)
    first, _ = figures.estimate_bradley_terry_chances(
        zeros, zeros + 1, np.ones(20), judgments, count=2
    )
    chance = 20.5 / 21
    seen = 20 * 20 / 19 * ((1 - chance) / 21) ** 2
    unseen = (((1 - chance) / 21) ** 2 + (chance / 21) ** 2) / 2
    low, _ = wilson_bounds_of_shares(1.0, chance * (1 - chance) / (seen + unseen), 19)
    assert first.low == pytest.approx(float(low))


def test_arms_of_which_one_rater_has_a_part_in_every_case_speak_for_these_raters() -> None:
    # Rater 0 judges the first arm of six cases, beside 1, 2 and 3, and the second of six others,
    # beside 4, 5 and 6: four raters for each arm, but without rater 0 no case has both.
    items = np.repeat(np.arange(12), 2)
    raters = np.array([[0, 1 + at % 3] if at < 6 else [4 + at % 3, 0] for at in range(12)]).ravel()
    first = np.tile([True, False], 12)
    values = np.where(first, 3.0, 2.0) + np.sin(np.arange(24))
    found = figures.estimate_difference_between_two_arms(
        values, first, JudgmentItemsAndRaters(items, raters, "cases")
    )
    assert found.speaks_for == "these 7 raters"
    assert found.low is not None
    assert found.low < found.value


def test_an_interval_is_widened_as_other_code_widens_it() -> None:
    rng = np.random.default_rng(8)
    judgments = crossed(25, 6).select_judgments_in_rows(rng.random(150) < 0.7)
    answers = rng.random((2, len(judgments))) < 0.3 + 0.1 * judgments.rater_codes
    one, two = answers.astype(float)
    columns = np.column_stack([one * two, (1 - one) * (1 - two), one != two]).astype(float)

    def macro_f1(sums: np.ndarray) -> np.ndarray:
        return (2 * sums[:, :2] / (2 * sums[:, :2] + sums[:, [2]])).mean(axis=1)

    value = float(macro_f1(columns.sum(axis=0)[None])[0])
    found = figures.widen_interval_for_other_raters(
        Estimate(value, value - 0.1, value + 0.1, len(judgments), "macro F1"),
        figures.influence_of_judgments(columns, macro_f1),
        judgments,
        limits=(0.0, 1.0),
    )
    bounds = Bounds(value - 0.1, value + 0.1, (0.0, 0.0), (0.0, 0.0))
    codes = judgments.item_codes.tolist(), judgments.rater_codes.tolist()
    _, wider = widened(
        (value, bounds), columns, macro_f1, items=codes[0], raters=codes[1], least=0.0
    )
    assert wider is not None
    assert wider.high > value + 0.11
    assert (found.low, found.high) == pytest.approx((wider.low, wider.high), rel=1e-5)
