"""Intervals by smoothed resampling are those that other code draws from what the docs say.

A dozen items or so, so that what might have been seen but was not weighs as much as it ever does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from medlens.stats import kappa
from medlens.stats.alpha_and_intraclass_correlation import (
    estimate_intraclass_correlation,
    estimate_krippendorff_alpha,
)
from medlens.stats.clustered_kappa_f1_and_judge_accuracy import (
    Clusters,
    estimate_clustered_kappa,
    estimate_clustered_macro_f1,
    rogan_gladen_estimate,
)
from medlens.stats.estimate import Estimate
from medlens.stats.kappa import (
    estimate_cohen_kappa,
    estimate_fleiss_kappa,
    estimate_gwet_ac1,
    estimate_gwet_ac2,
)
from medlens.stats.rating_counts import RatingCounts
from medlens.stats.smoothed_bootstrap import Smoothing
from tests.recomputed import resampled
from tests.recomputed.resampled import Bounds

POINTS = [1.0, 2.0, 3.0, 4.0, 5.0]


def ratings(seed: int, items: int = 12, *, whole: bool = False) -> np.ndarray:
    """Up to four raters on a scale of five, of which the last point was given to nothing."""
    rng = np.random.default_rng(seed)
    truth = rng.choice([1.0, 1.0, 2.0, 4.0], items)
    given = np.clip(truth[:, None] + rng.choice([0, 0, 0, 1, -1], (items, 4)), 1, 4)
    if not whole:
        given[rng.random(given.shape) < 0.35] = np.nan
    return given


def units(given: np.ndarray) -> list[tuple[float, ...]]:
    """What was given to each item that was rated."""
    return [tuple(row[~np.isnan(row)].tolist()) for row in given if (~np.isnan(row)).any()]


def assert_same(estimate: Estimate, recomputed: tuple[float, Bounds | None]) -> None:
    """The same value, and bounds that a thousand draws can have."""
    value, bounds = recomputed
    assert estimate.value == pytest.approx(value)
    assert bounds is not None
    assert estimate.low is not None
    assert estimate.high is not None
    assert bounds.allows("low", estimate.low), (estimate, bounds)
    assert bounds.allows("high", estimate.high), (estimate, bounds)


MEASURES: dict[str, tuple[Callable[[Any], Estimate], Callable[[Any], Any]]] = {
    "nominal alpha": (
        lambda given: estimate_krippendorff_alpha(given, level="nominal"),
        lambda items: resampled.alpha(items, lambda a, b: float(a != b)),
    ),
    "interval alpha": (
        lambda given: estimate_krippendorff_alpha(given, level="interval"),
        lambda items: resampled.alpha(items, lambda a, b: (a - b) ** 2),
    ),
    "AC1": (estimate_gwet_ac1, lambda items: resampled.gwet(items, POINTS[:4])),
    "AC2": (
        lambda given: estimate_gwet_ac2(RatingCounts.from_ratings(given, values=POINTS)),
        lambda items: resampled.gwet(items, POINTS, ordinal=True),
    ),
    "ICC": (estimate_intraclass_correlation, resampled.icc),
    "ICC of means": (
        lambda given: estimate_intraclass_correlation(given, mean=True),
        lambda items: resampled.icc(items, of_means=True),
    ),
}


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.deep)])
def test_agreement_of_few_items_has_the_interval_that_other_code_draws(
    measure: str, seed: int
) -> None:
    product, again = MEASURES[measure]
    given = ratings(seed)
    assert_same(product(given), again(units(given)))


def test_fleiss_kappa_has_the_interval_that_other_code_draws() -> None:
    given = ratings(3, whole=True)
    assert_same(estimate_fleiss_kappa(given), resampled.fleiss(units(given)))


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("weights", ["none", "quadratic"])
def test_kappa_of_two_has_the_interval_that_other_code_draws(weights: Any, nested: bool) -> None:
    given = ratings(4, 36 if nested else 12, whole=True)[:, :2]
    names = [str(at // 3) for at in range(36)] if nested else None
    found = estimate_cohen_kappa(given[:, 0], given[:, 1], weights=weights, clusters=names)
    pairs = [(float(first), float(second)) for first, second in given]
    assert_same(found, resampled.kappa(pairs, quadratic=weights == "quadratic", items=names))


def crowded(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Answers of two (36,) in 12 items (36,), all that differ in three of these."""
    rng = np.random.default_rng(seed)
    codes = np.arange(36) // 3
    first, second = (np.where(codes < 3, rng.random(36) < 0.5, False) for _ in range(2))
    return first, second, codes


@pytest.mark.parametrize("seed", [9, 11])
def test_pairs_that_differ_in_few_items_tell_no_more_than_these_items(seed: int) -> None:
    first, second, codes = crowded(seed)
    names = [str(code) for code in codes]
    pairs = [(float(one), float(two)) for one, two in zip(first, second, strict=True)]
    again = resampled.kappa(pairs, items=names)
    assert_same(estimate_cohen_kappa(first, second, clusters=names), again)
    clusters = Clusters(codes, unit="items")
    assert_same(estimate_clustered_kappa(clusters, codes, first, second), again)


def test_of_pairs_in_items_as_many_are_informative_as_items_differ(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted = []

    def note(*_: Any, smoothing: Smoothing, **__: Any) -> Estimate:
        counted.append(smoothing.informative)
        return Estimate.undefined_estimate("only counted")

    monkeypatch.setattr(kappa, "estimate_from_sums", note)
    first, second, codes = crowded(9)
    differing = (first | second).astype(bool)
    assert differing.sum() > len(set(codes[differing]))
    estimate_cohen_kappa(first, second, clusters=codes)
    estimate_cohen_kappa(first, second)
    assert counted == [len(set(codes[differing])), differing.sum()]


def test_macro_f1_has_the_interval_that_other_code_draws() -> None:
    rng = np.random.default_rng(6)
    truth = rng.random(36) < 0.3
    first, second = (truth ^ (rng.random(36) < 0.2) for _ in range(2))
    codes = np.arange(36) // 3
    found = estimate_clustered_macro_f1(Clusters(codes, unit="items"), codes, first, second)
    pairs = [(bool(a), bool(b)) for a, b in zip(first, second, strict=True)]
    assert_same(found, resampled.macro_f1(pairs, [str(code) for code in codes]))


def test_criteria_of_an_item_are_drawn_together_by_other_code_too() -> None:
    given = ratings(7, 36)
    names = np.arange(36) // 3
    there = (~np.isnan(given)).any(axis=1)
    counts = RatingCounts.from_ratings(given[there], clusters=names[there])
    kept = [str(name) for name in names[there]]

    def alpha_within(items: list[tuple[float, ...]]) -> tuple[float, Bounds | None]:
        return resampled.alpha(items, lambda a, b: float(a != b), within=kept)

    assert_same(estimate_krippendorff_alpha(counts, level="nominal"), alpha_within(units(given)))


def test_fewer_than_ten_items_are_resampled_by_neither() -> None:
    given = ratings(8, 9, whole=True)
    assert estimate_intraclass_correlation(given).low is None
    value, bounds = resampled.icc(units(given))
    assert not math.isnan(value)
    assert bounds is None


def test_the_interval_of_full_agreement_reaches_it() -> None:
    given = np.repeat([[1.0], [2.0], [2.0], [1.0], [3.0]], 3, axis=0) * np.ones((1, 3))
    for estimate in (
        estimate_krippendorff_alpha(given, level="nominal"),
        estimate_fleiss_kappa(given),
        estimate_gwet_ac1(given),
    ):
        assert estimate.value == pytest.approx(1)
        assert estimate.high == pytest.approx(1, abs=1e-12)
        assert estimate.low is not None
        assert estimate.low < 0.9


def test_a_corrected_share_is_no_surer_than_the_judges_own() -> None:
    # Each of twelve questions has five yes and five no, so that resampling sees hardly any
    # variation; the judge has made no error in what was checked.
    codes = np.repeat(np.arange(12), 10)
    judged = np.tile([1.0] * 5 + [0.0] * 5, 12)
    clusters = Clusters(codes, unit="questions")
    own = clusters.estimate_share_of_hits(judged)
    corrected = rogan_gladen_estimate(clusters, codes, judged, judged)
    assert corrected.value == own.value == 0.5
    assert own.low is not None
    assert own.high is not None
    assert corrected.low is not None
    assert corrected.high is not None
    assert corrected.low <= own.low + 1e-12
    assert corrected.high >= own.high - 1e-12


def test_a_judge_that_is_worse_than_chance_corrects_nothing() -> None:
    codes = np.arange(12)
    truth = np.tile([1.0, 0.0, 0.0], 4)
    found = rogan_gladen_estimate(Clusters(codes, unit="items"), codes, 1 - truth, truth)
    assert found.value is None
    assert "no better than chance" in found.reason
