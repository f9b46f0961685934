"""Kappas, Gwet's AC1 and percent agreement, with bootstrap intervals over items.

Sources: Cohen (1960), Educational and Psychological Measurement 20; Fleiss (1971), Psychological
Bulletin 76; Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, and
Handbook of Inter-Rater Reliability (2014), chapter 2 (missing ratings).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from medlens.stats.estimate import Estimate
from medlens.stats.ratings import NO_PAIRS, NO_VARIATION, RatingCounts, counts_of
from medlens.stats.resampling import CONFIDENCE, RESAMPLES, SEED, Floats, from_sums, ratio, types_of


def fleiss_kappa(
    ratings: ArrayLike | RatingCounts,
    *,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Estimate:
    """Fleiss' kappa of (items, raters), NaN where missing; unrated items do not count.

    Undefined unless every rated item has the same number of ratings.
    """
    counts = counts_of(ratings)
    method = "Fleiss' kappa"
    rated = counts.raters > 0
    table, times = counts.table[rated].astype(np.float64), counts.times[rated]
    sizes = np.unique(table.sum(axis=1))
    if len(sizes) == 0 or sizes[-1] < 2:
        return Estimate.undefined(NO_PAIRS, method=method, pairs=0, coverage=counts.coverage)
    if len(sizes) > 1:
        return Estimate.undefined(
            f"items have {sizes[0]:.0f} to {sizes[-1]:.0f} ratings; Fleiss' kappa needs the same "
            "number on every one",
            int(times.sum()),
            method=method,
            pairs=counts.pairs,
            coverage=counts.coverage,
        )

    def kappa(sums: Floats) -> Floats:
        observed = sums[:, 0] / sums[:, 1]
        shares = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
        return _beyond_chance(observed, (shares**2).sum(axis=1))

    return from_sums(
        np.column_stack([_item_agreement(table), np.ones(len(table)), table]),
        times,
        kappa,
        method=method,
        undefined_because=NO_VARIATION,
        pairs=counts.pairs,
        coverage=counts.coverage,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )


def gwet_ac1(
    ratings: ArrayLike | RatingCounts,
    *,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Estimate:
    """Gwet's AC1 of (items, raters) nominal ratings, NaN where missing.

    Items rated once inform how common each value is, not how often raters agree. Pass counts that
    hold every possible value where one may not occur at all; with one value only there is no AC1.
    """
    counts = counts_of(ratings)
    method = "Gwet's AC1"
    usable = counts.pairable.items
    if usable == 0:
        return Estimate.undefined(NO_PAIRS, method=method, pairs=0, coverage=counts.coverage)
    values = len(counts.values)
    if values < 2:
        return Estimate.undefined(
            "only one value is possible",
            usable,
            method=method,
            pairs=counts.pairs,
            coverage=counts.coverage,
        )
    rated = counts.raters > 0
    table = counts.table[rated].astype(np.float64)
    sizes = table.sum(axis=1)
    pairable = (sizes >= 2).astype(np.float64)

    def ac1(sums: Floats) -> Floats:
        observed = ratio(sums[:, 0], sums[:, 1])
        shares = sums[:, 3:] / sums[:, 2:3]
        return _beyond_chance(observed, (shares * (1 - shares)).sum(axis=1) / (values - 1))

    return from_sums(
        np.column_stack(
            [_item_agreement(table), pairable, np.ones(len(table)), table / sizes[:, None]]
        ),
        counts.times[rated],
        ac1,
        method=method,
        undefined_because=NO_PAIRS,
        n=usable,
        pairs=counts.pairs,
        coverage=counts.coverage,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )


def percent_agreement(
    ratings: ArrayLike | RatingCounts,
    *,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Estimate:
    """Share of agreeing pairs of ratings within an item, averaged over items rated twice or more.

    Every item weighs the same: this is the observed agreement of Fleiss and of AC1.
    """
    counts = counts_of(ratings)
    method = "percent agreement"
    usable = counts.pairable
    if usable.items == 0:
        return Estimate.undefined(NO_PAIRS, method=method, pairs=0, coverage=counts.coverage)
    table = usable.table.astype(np.float64)
    return from_sums(
        np.column_stack([_item_agreement(table), np.ones(len(table))]),
        usable.times,
        lambda sums: ratio(sums[:, 0], sums[:, 1]),
        method=method,
        undefined_because=NO_PAIRS,
        pairs=usable.pairs,
        coverage=counts.coverage,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )


def cohen_kappa(
    first: ArrayLike,
    second: ArrayLike,
    *,
    weights: Literal["none", "linear", "quadratic"] = "none",
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Estimate:
    """Cohen's kappa of two raters' numbers (items,), NaN where missing.

    Weights count the distance between the values themselves. Undefined where both raters gave one
    and the same value throughout.
    """
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError("two raters' values must be two lists of one length")
    both = ~(np.isnan(one) | np.isnan(two))
    method = "Cohen's kappa" + ("" if weights == "none" else f" ({weights} weights)")
    coverage = float(both.mean()) if len(both) else None
    if not both.any():
        return Estimate.undefined(NO_PAIRS, method=method, pairs=0, coverage=coverage)
    values = np.unique(np.concatenate([one[both], two[both]]))
    gap = np.abs(values[:, None] - values[None, :])
    apart = {"none": (gap > 0).astype(np.float64), "linear": gap, "quadratic": gap**2}[weights]
    rows, columns = np.searchsorted(values, one[both]), np.searchsorted(values, two[both])
    identity = np.eye(len(values))
    types, times = types_of(
        np.column_stack([apart[rows, columns], identity[rows], identity[columns]])
    )

    def kappa(sums: Floats) -> Floats:
        by_first, by_second = sums[:, 1 : len(values) + 1], sums[:, len(values) + 1 :]
        expected = ((by_first @ apart) * by_second).sum(axis=1)
        return 1 - ratio(sums[:, 0] * by_first.sum(axis=1), expected)

    return from_sums(
        types,
        times,
        kappa,
        method=method,
        undefined_because=NO_VARIATION,
        pairs=int(both.sum()),
        coverage=coverage,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )


def _item_agreement(table: Floats) -> Floats:
    """Share of agreeing pairs within each item, (types,); 0 for an item rated once."""
    sizes = table.sum(axis=1)
    agreeing = (table * (table - 1)).sum(axis=1)
    return np.asarray(agreeing / np.maximum(sizes * (sizes - 1), 1))


def _beyond_chance(observed: Floats, chance: Floats) -> Floats:
    return ratio(observed - chance, 1 - chance)
