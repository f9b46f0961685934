"""Krippendorff's alpha, for values and for label sets, with intervals by smoothed resampling.

Alpha compares the disagreement within items with that between any two ratings. It has no value if
no item was rated twice, nor if all ratings of those that were are the same: both are reported,
never shown as a number. Kappas and AC1 are in ``kappa``.

Source: Krippendorff, Content Analysis (2004), chapter 11; Computing Krippendorff's
Alpha-Reliability (2011), section D (several raters, missing data).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from medlens.deferred_module import np
from medlens.stats.estimate import Estimate
from medlens.stats.rating_counts import (
    NO_PAIRS,
    NO_VARIATION,
    Level,
    RatingCounts,
    coerce_to_rating_counts,
    compute_krippendorff_distances,
    jaccard_distance,
    masi_distance,
)
from medlens.stats.smoothed_bootstrap import Floats, divide_arrays_or_nan

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def estimate_krippendorff_alpha(
    ratings: ArrayLike | RatingCounts, *, level: Level | Literal["ordinal"]
) -> Estimate:
    """Alpha of (items, raters) numbers, NaN where missing, or of their counts.

    ``n`` counts the items with two or more ratings, ``pairs`` the pairs of ratings on them,
    ``coverage`` is their share of the given items. The ordinal distance is recomputed in every
    resample, since it depends on how often each value occurs.
    """
    counts = coerce_to_rating_counts(ratings)
    method = f"Krippendorff's alpha ({level})"
    if level != "ordinal":
        return estimate_alpha_from_distance(
            counts, compute_krippendorff_distances(counts.values, level), method=method
        )
    first, second = np.triu_indices(len(counts.values), k=1)

    def columns(given: RatingCounts) -> Floats:
        together = 2 * given.table[:, first] * given.table[:, second]
        within = together / np.maximum(given.rating_count_array_of_item_types - 1, 1)[:, None]
        return np.column_stack([within, given.table])

    def alpha(sums: Floats) -> Floats:
        between, totals = sums[:, : len(first)], sums[:, len(first) :]
        # The ordinal distance is the squared difference of mid-ranks.
        ranks = np.cumsum(totals, axis=1) - totals / 2
        distance = (ranks[:, first] - ranks[:, second]) ** 2
        expected = 2 * (totals[:, first] * totals[:, second] * distance).sum(axis=1)
        observed = (between * distance).sum(axis=1)
        return 1 - divide_arrays_or_nan((totals.sum(axis=1) - 1) * observed, expected)

    return counts.estimate_statistic_of_sums(
        columns, alpha, method=method, undefined_because=counts.reason_measure_is_undefined
    )


def estimate_intraclass_correlation(
    ratings: ArrayLike | RatingCounts, *, mean: bool = False
) -> Estimate:
    """Intraclass correlation of (items, raters) numbers, NaN where missing, or of their counts.

    ICC(1, 1), the reliability of one rater's score if items may have different raters; with
    ``mean`` ICC(1, k), that of the mean of an item's scores. Items rated once count towards the
    differences between items. Uneven numbers of ratings enter as their average (Donner 1986).
    The mean's has no value if all items have the same mean, which it is divided by.

    Source: Shrout & Fleiss (1979), Psychological Bulletin 86, case 1.
    """
    counts = coerce_to_rating_counts(ratings)
    method = "ICC(1, k), mean of an item's raters" if mean else "ICC(1, 1), one rater"
    if not counts.rating_pair_count:
        return counts.make_undefined_estimate(NO_PAIRS, method)
    whole = counts.rating_counts_of_rated_items
    middle = float(
        (whole.times @ whole.table @ whole.values)
        / (whole.times @ whole.rating_count_array_of_item_types)
    )
    # Taking sums of squares around a value near the mean loses no digits.
    values = whole.values - middle

    def columns(given: RatingCounts) -> Floats:
        raters, total = (
            given.rating_count_array_of_item_types.astype(np.float64),
            given.table @ values,
        )
        between = total**2 / raters
        within = given.table @ values**2 - between
        ones = np.ones(len(raters))
        return np.column_stack([ones, raters, raters**2, total, between, within])

    def correlation(sums: Floats) -> Floats:
        items, ratings, squares, total, between, within = sums.T
        spread = between - divide_arrays_or_nan(total**2, ratings)
        # Means that differ only by rounding are the same.
        spread = np.where(spread > 1e-12 * (between + within), spread, 0.0)
        of_items = divide_arrays_or_nan(spread, items - 1)
        inside = divide_arrays_or_nan(within, ratings - items)
        if mean:
            return divide_arrays_or_nan(of_items - inside, of_items)
        each = divide_arrays_or_nan(ratings - divide_arrays_or_nan(squares, ratings), items - 1)
        return divide_arrays_or_nan(of_items - inside, of_items + (each - 1) * inside)

    why = "all items have the same mean, so that of the raters tells none apart"
    if whole.item_count < 2:
        why = "only one item was rated"
    elif whole.given_value_count < 2:
        why = NO_VARIATION
    return counts.estimate_statistic_of_sums(
        columns, correlation, of=whole, method=method, undefined_because=why
    )


def distance_matrix_of_label_sets(
    distinct: Sequence[frozenset[str]], distance: Literal["masi", "jaccard"] = "masi"
) -> Floats:
    """Distances between label sets, (sets, sets)."""
    measure = masi_distance if distance == "masi" else jaccard_distance
    table = [[measure(one, other) for other in distinct] for one in distinct]
    return np.asarray(table, dtype=np.float64).reshape(len(distinct), len(distinct))


def estimate_alpha_from_distance(
    counts: RatingCounts, distance: Floats, *, method: str
) -> Estimate:
    """Alpha of counts under any fixed distance (values, values) with a zero diagonal."""

    def columns(given: RatingCounts) -> Floats:
        table = given.table.astype(np.float64)
        within = ((table @ distance) * table).sum(axis=1) / np.maximum(
            given.rating_count_array_of_item_types - 1, 1
        )
        return np.column_stack([within, table])

    def alpha(sums: Floats) -> Floats:
        observed, totals = sums[:, 0], sums[:, 1:]
        expected = ((totals @ distance) * totals).sum(axis=1)
        return 1 - divide_arrays_or_nan((totals.sum(axis=1) - 1) * observed, expected)

    return counts.estimate_statistic_of_sums(
        columns, alpha, method=method, undefined_because=counts.reason_measure_is_undefined
    )
