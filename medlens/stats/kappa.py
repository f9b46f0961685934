"""Kappas, Gwet's AC1 and AC2, and percent agreement, with intervals over items.

Sources: Cohen (1960), Educational and Psychological Measurement 20; Fleiss (1971), Psychological
Bulletin 76; Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, and
Handbook of Inter-Rater Reliability (2014), chapters 2 (missing ratings) and 3 (AC2, with ordinal
weights).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from medlens.deferred_module import np
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import estimate_clustered_mean
from medlens.stats.judgment_shares_means_and_win_rates import (
    influence_of_judgments,
    widen_interval_for_other_raters,
)
from medlens.stats.rating_counts import (
    NO_PAIRS,
    NO_VARIATION,
    RatingCounts,
    coerce_to_rating_counts,
)
from medlens.stats.scope_of_inference_over_raters import JudgmentItemsAndRaters
from medlens.stats.smoothed_bootstrap import (
    Floats,
    Ints,
    Smoothing,
    distinct_contributions_with_counts,
    divide_arrays_or_nan,
    estimate_from_sums,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


Weights = Literal["none", "linear", "quadratic"]


def estimate_fleiss_kappa(ratings: ArrayLike | RatingCounts) -> Estimate:
    """Fleiss' kappa of (items, raters), NaN where missing; unrated items do not count.

    Undefined unless every rated item has the same number of ratings.
    """
    counts = coerce_to_rating_counts(ratings)
    method = "Fleiss' kappa"
    usable = counts.rating_counts_of_rated_items
    sizes = np.unique(usable.rating_count_array_of_item_types)
    if len(sizes) == 0 or sizes[-1] < 2:
        return counts.make_undefined_estimate(NO_PAIRS, method)
    if len(sizes) > 1:
        return counts.make_undefined_estimate(
            f"items have {sizes[0]} to {sizes[-1]} ratings; Fleiss' kappa needs the same "
            "number on every one",
            method,
        )

    def kappa(sums: Floats) -> Floats:
        observed = sums[:, 0] / sums[:, 1]
        shares = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
        return _beyond_chance(observed, (shares**2).sum(axis=1))

    def columns(given: RatingCounts) -> Floats:
        return np.column_stack([_item_agreement(given), np.ones(len(given.table)), given.table])

    return counts.estimate_statistic_of_sums(columns, kappa, of=usable, method=method)


def estimate_gwet_ac1(ratings: ArrayLike | RatingCounts) -> Estimate:
    """Gwet's AC1 of (items, raters) nominal ratings, NaN where missing.

    Items rated once inform how common each value is, not how often raters agree. Chance is that of
    raters who guess among the values that were possible, so pass counts with all of these: of a
    table they are the values given, and with one value only there is no AC1.
    """
    counts = coerce_to_rating_counts(ratings)
    return _gwet(counts, np.eye(len(counts.values)), "Gwet's AC1")


def estimate_gwet_ac2(ratings: ArrayLike | RatingCounts) -> Estimate:
    """Gwet's AC2 of (items, raters) ordered ratings, with ordinal weights, NaN where missing.

    Of q values in order, two that are d steps apart agree by 1 - C(d + 1, 2) / C(q, 2): the share
    of pairs of values that do not lie between them. With two values it is AC1. As for AC1, pass
    counts with every possible value if some may not occur.
    """
    counts = coerce_to_rating_counts(ratings)
    return _gwet(counts, ordinal_weights(len(counts.values)), "Gwet's AC2 (ordinal weights)")


def ordinal_weights(values: int) -> Floats:
    """How far each two of so many ordered values agree, (values, values), from 0 to 1."""
    steps = np.abs(np.subtract.outer(np.arange(values), np.arange(values)))
    every = max(values * (values - 1) / 2, 1)
    return np.asarray(1 - steps * (steps + 1) / 2 / every)


def _gwet(counts: RatingCounts, weights: Floats, method: str) -> Estimate:
    """Gwet's coefficient with these weights (values, values), 1 on the diagonal."""
    if not counts.rating_pair_count:
        return counts.make_undefined_estimate(NO_PAIRS, method)
    values = len(counts.values)
    if values < 2:
        return counts.make_undefined_estimate("only one value is possible", method)
    usable = counts.rating_counts_of_rated_items
    chance = weights.sum() / (values * (values - 1))

    def columns(given: RatingCounts) -> Floats:
        pairable, shares = (
            given.rating_count_array_of_item_types >= 2,
            given.table / given.rating_count_array_of_item_types[:, None],
        )
        agreed = _item_agreement(given, weights)
        return np.column_stack([agreed, pairable, np.ones(len(given.table)), shares])

    def coefficient(sums: Floats) -> Floats:
        observed = divide_arrays_or_nan(sums[:, 0], sums[:, 1])
        shares = sums[:, 3:] / sums[:, 2:3]
        return _beyond_chance(observed, chance * (shares * (1 - shares)).sum(axis=1))

    return counts.estimate_statistic_of_sums(
        columns, coefficient, of=usable, method=method, undefined_because=NO_PAIRS
    )


def estimate_percent_agreement(
    ratings: ArrayLike | RatingCounts, *, tolerance: float = 0
) -> Estimate:
    """Share of agreeing pairs of ratings within an item, averaged over items rated twice or
    more.

    Every item has the same weight: this is the observed agreement of Fleiss and of AC1. Numbers up
    to ``tolerance`` apart agree.
    """
    counts = coerce_to_rating_counts(ratings)
    method = "percent agreement" + tolerance_in_words(tolerance)
    usable = counts.rating_counts_of_items_rated_twice
    if not usable.item_count:
        return counts.make_undefined_estimate(NO_PAIRS, method)
    near = None
    if tolerance:
        gaps = np.abs(np.subtract.outer(usable.values, usable.values))
        near = (gaps <= tolerance).astype(np.float64)
    found = estimate_clustered_mean(
        np.repeat(_item_agreement(usable, near), usable.times),
        clusters=usable.clusters,
        unit=counts.unit,
        kind=(0.0, 1.0),
    )
    return replace(
        found,
        method=found.method.replace("mean", method, 1),
        pairs=usable.rating_pair_count,
        coverage=counts.share_of_items_rated_twice,
    )


def tolerance_in_words(tolerance: float) -> str:
    """The end of a method's name in which answers so far apart are the same; empty for 0."""
    if not tolerance:
        return ""
    return f" within {tolerance:g} point{'' if tolerance == 1 else 's'}"


def estimate_cohen_kappa(
    first: ArrayLike,
    second: ArrayLike,
    *,
    weights: Weights = "none",
    clusters: ArrayLike | None = None,
    unit: str = "items",
    judgments: JudgmentItemsAndRaters | None = None,
) -> Estimate:
    """Cohen's kappa of two raters' numbers (items,), NaN where missing.

    Weights use the distance between the values themselves. Undefined if both raters gave one and
    the same value throughout. ``clusters`` (items,), called ``unit``, are drawn whole. With
    ``judgments`` the numbers are two answers to each: its items are drawn whole, and the interval
    is for raters like these if there are enough.
    """
    if judgments is not None:
        clusters, unit = judgments.item_codes, judgments.unit
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError("two raters' values must be two lists of one length")
    both = ~(np.isnan(one) | np.isnan(two))
    method = "Cohen's kappa" + ("" if weights == "none" else f" ({weights} weights)")
    coverage = float(both.mean()) if len(both) else None
    if not both.any():
        return Estimate.undefined_estimate(NO_PAIRS, method=method, pairs=0, coverage=coverage)
    values = np.unique(np.concatenate([one[both], two[both]]))
    rows, across = np.searchsorted(values, one[both]), np.searchsorted(values, two[both])
    if clusters is None:
        table = np.bincount(rows * len(values) + across, minlength=len(values) ** 2)
        return estimate_kappa_of_counts(
            table.reshape(len(values), -1),
            values,
            weights=weights,
            coverage=coverage,
            unit=unit,
        )
    pattern = _pattern(values.tobytes(), weights)
    of_rows = pattern.columns(rows, across)
    _, codes = np.unique(np.asarray(clusters)[both], return_inverse=True)
    contributions = np.column_stack([np.bincount(codes, column) for column in of_rows.T])
    smoothing = _unseen_pairs(pattern, rows, across, clusters=codes)
    smoothing = replace(smoothing, types=len(codes) / len(contributions) * smoothing.types)
    over_items = estimate_from_sums(
        *distinct_contributions_with_counts(contributions),
        pattern.kappa,
        smoothing=smoothing,
        method=method,
        undefined_because=NO_VARIATION,
        unit=unit,
        n=len(codes),
        pairs=len(codes),
        coverage=coverage,
    )
    if judgments is None:
        return over_items
    influence = influence_of_judgments(of_rows, pattern.kappa)
    return widen_interval_for_other_raters(
        over_items, influence, judgments.select_judgments_in_rows(both)
    )


def estimate_kappa_of_counts(
    table: Ints,
    values: Floats,
    *,
    weights: Weights = "none",
    coverage: float | None = None,
    unit: str = "items",
) -> Estimate:
    """Cohen's kappa from counts of items by pair of values, (values, values), first rater by
    row.

    The same as ``estimate_cohen_kappa`` of these items one by one; values that neither gave are
    ignored.
    """
    given = table.sum(axis=0) + table.sum(axis=1) > 0
    table, values = table[np.ix_(given, given)], values[given]
    n = int(table.sum())
    method = "Cohen's kappa" + ("" if weights == "none" else f" ({weights} weights)")
    if not n:
        return Estimate.undefined_estimate(NO_PAIRS, method=method, pairs=0, coverage=coverage)
    pattern = _pattern(values.tobytes(), weights)
    rows, across = np.divmod(pattern.order, len(values))
    times = table.ravel()[pattern.order]
    seen = times > 0
    return estimate_from_sums(
        pattern.types[seen],
        times[seen],
        pattern.kappa,
        smoothing=_unseen_pairs(pattern, rows, across, times),
        method=method,
        undefined_because=NO_VARIATION,
        unit=unit,
        n=n,
        pairs=n,
        coverage=coverage,
    )


@dataclass(frozen=True)
class _Pattern:
    """What two raters with these values can contribute, and kappa from the sums of it.

    ``types`` (values ** 2, 1 + 2 values) are all pairs of values, sorted; ``order`` says which.
    """

    apart: Floats
    order: Ints
    types: Floats

    def columns(self, rows: Ints, across: Ints) -> Floats:
        identity = np.eye(len(self.apart))
        return np.column_stack([self.apart[rows, across], identity[rows], identity[across]])

    def kappa(self, sums: Floats) -> Floats:
        values = len(self.apart)
        by_first, by_second = sums[:, 1 : values + 1], sums[:, values + 1 :]
        expected = ((by_first @ self.apart) * by_second).sum(axis=1)
        return 1 - divide_arrays_or_nan(sums[:, 0] * by_first.sum(axis=1), expected)


@lru_cache(maxsize=64)
def _pattern(values: bytes, weights: Weights) -> _Pattern:
    numbers = np.frombuffer(values)
    gap = np.abs(numbers[:, None] - numbers[None, :])
    apart = {"none": (gap > 0).astype(np.float64), "linear": gap, "quadratic": gap**2}[weights]
    rows, across = np.divmod(np.arange(len(numbers) ** 2), len(numbers))
    # The order of ``distinct_contributions_with_counts``, so that the same pairs get the same
    # draws.
    order = np.lexsort((-across, -rows, apart.ravel()))
    bare = _Pattern(apart, order, np.empty(0))
    return replace(bare, types=bare.columns(rows[order], across[order]))


def _unseen_pairs(
    pattern: _Pattern,
    rows: Ints,
    across: Ints,
    times: Ints | None = None,
    clusters: Ints | None = None,
) -> Smoothing:
    """As ``RatingCounts.unseen_patterns_weights_and_differing_count``, for two raters who can be
    told apart; of ``clusters`` (rows,), those with a pair that differs from the commonest are
    informative.
    """
    many = np.ones(len(rows), dtype=np.int64) if times is None else times
    values = len(pattern.apart)
    every = np.arange(values)
    common = int(np.argmax(np.bincount(rows, many, values) + np.bincount(across, many, values)))
    others, same = every[every != common], np.full(values - 1, common)
    types = pattern.columns(
        np.concatenate([every, same, others]), np.concatenate([every, others, same])
    )
    weights = np.concatenate(
        [np.full(values, 1 / values), np.full(2 * len(others), 0.25 / max(len(others), 1))]
    )
    differing = (rows != common) | (across != common)
    informative = many[differing].sum() if clusters is None else len(set(clusters[differing]))
    return Smoothing(types, weights, int(informative))


def _item_agreement(counts: RatingCounts, weights: Floats | None = None) -> Floats:
    """Share of agreeing pairs within each item, (types,); 0 for an item rated once. ``weights``
    (values, values) say how far two values agree; without them, only equal ones do.
    """
    table, sizes = counts.table, counts.rating_count_array_of_item_types
    agreeing_with = table if weights is None else table @ weights
    agreeing = (table * (agreeing_with - 1)).sum(axis=1)
    return np.asarray(agreeing / np.maximum(sizes * (sizes - 1), 1))


def _beyond_chance(observed: Floats, chance: Floats) -> Floats:
    return divide_arrays_or_nan(observed - chance, 1 - chance)
