"""Figures of people's judgments: whom they speak for, on numbers worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from medlens.stats import judgments as figures
from medlens.stats.inference_scope import RATERS_LIKE_THESE, Judgments, these_raters
from medlens.stats.intervals import clustered_share
from medlens.stats.intervals import mean as mean_over_items


def crossed(items: int, raters: int, *, fixed_panel: bool = False) -> Judgments:
    return Judgments(
        np.repeat(np.arange(items), raters),
        np.tile(np.arange(raters), items),
        fixed_panel=fixed_panel,
    )


@pytest.mark.parametrize(
    ("count", "words"), [(1, "this rater"), (3, "these 3 raters"), (1200, "these 1,200 raters")]
)
def test_these_raters_are_counted_in_words(count: int, words: str) -> None:
    assert these_raters(count) == words


@pytest.mark.parametrize(
    ("raters", "fixed", "words"),
    [
        (3, False, "these 3 raters"),
        (4, False, RATERS_LIKE_THESE),
        (4, True, "these 4 raters"),
        (1, False, "this rater"),
    ],
)
def test_a_share_speaks_for_raters_like_these_from_four_on(
    raters: int, fixed: bool, words: str
) -> None:
    judgments = crossed(20, raters, fixed_panel=fixed)
    hits = judgments.item_codes % 3 == 0
    found = figures.share(hits, judgments)
    assert found.speaks_for == words
    over = "items and raters" if words == RATERS_LIKE_THESE else "items"
    assert found.method in (f"share; Wilson over {over}", "Wilson")


def test_for_these_raters_a_share_is_the_one_over_items() -> None:
    judgments = crossed(12, 3)
    hits = np.random.default_rng(1).random(36) < 0.3
    found = figures.share(hits, judgments)
    beside = clustered_share(hits, judgments.item_codes, unit="items")
    assert (found.value, found.low, found.high) == (beside.value, beside.low, beside.high)
    scores = np.random.default_rng(2).integers(1, 11, 36)
    mine = figures.mean(scores, judgments, kind=(1, 10))
    theirs = mean_over_items(scores, clusters=judgments.item_codes, kind=(1, 10))
    assert (mine.value, mine.low, mine.high) == (theirs.value, theirs.low, theirs.high)


def test_raters_who_differ_widen_a_difference_by_students_t_over_raters() -> None:
    # Four raters who each give every one of 20 items the same number: 0, 2, 4, 6. Items do not
    # vary; the variance is that of four raters' means, 20/3 / 4, with three degrees of freedom.
    judgments = crossed(20, 4)
    values = 2.0 * judgments.rater_codes
    found = figures.mean(values, judgments, kind="difference")
    half = 3.182446 * (20 / 3 / 4) ** 0.5
    assert (found.low, found.high) == (
        pytest.approx(3 - half, abs=1e-5),
        pytest.approx(3 + half, abs=1e-5),
    )


def test_variance_is_of_items_and_raters_less_what_both_count() -> None:
    # Six items by four raters; one judgment is 1, all others 0: mean 1/24. The sums of influences
    # by item are 1/24 (1 - 1/6) once and -1/24/6 five times; by rater 1/24 (1 - 1/4) and -1/24/4
    # three times; by cell 1/24 (1 - 1/24) and -1/24/24 23 times.
    one = 1 / 24
    items = 6 / 5 * one**2 * ((5 / 6) ** 2 + 5 / 36)
    raters = 4 / 3 * one**2 * ((3 / 4) ** 2 + 3 / 16)
    cells = one**2 * ((23 / 24) ** 2 + 23 / 576)
    judgments = crossed(6, 4)
    values = np.zeros(24)
    values[5] = 1
    variance = max(items, raters, items + raters - cells)
    df = (items + raters) ** 2 / (items**2 / 5 + raters**2 / 3)
    assert df == pytest.approx(8, abs=1)
    found = figures.mean(values, judgments, kind="difference")
    assert found.high is not None
    assert found.low is not None
    assert (found.high - found.low) / 2 == pytest.approx(
        scipy.stats.t.ppf(0.975, df) * variance**0.5
    )


def test_few_items_have_no_interval_however_many_raters_there_are() -> None:
    judgments = crossed(3, 12)
    for found in (
        figures.share(judgments.rater_codes > 4, judgments),
        figures.mean(judgments.rater_codes, judgments, kind="difference"),
        figures.mean(judgments.rater_codes, judgments, kind=(0, 11)),
        figures.median(judgments.rater_codes, judgments),
    ):
        assert (found.low, found.high) == (None, None)
        assert "no interval from fewer than 4 items" in found.method
        assert found.speaks_for == "these 12 raters"


def test_values_that_are_all_alike_have_no_interval_and_scores_have_one() -> None:
    judgments = crossed(10, 5)
    alike = figures.mean(np.full(50, 3.0), judgments, kind="difference")
    assert alike.low is None
    assert "they are all alike" in alike.method
    scores = figures.mean(np.full(50, 3.0), judgments, kind=(1, 5))
    assert scores.low is not None
    assert scores.low < 3 < (scores.high or 0)


def test_without_judgments_figures_are_undefined() -> None:
    none = Judgments([], [])
    assert figures.share([], none).reason == "there is nothing to count"
    assert figures.mean([], none).reason == "there are no values"
    assert figures.median([], none).reason == "there are no values"
