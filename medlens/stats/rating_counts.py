"""Ratings of items by several raters, as counts: how many raters gave each value to each item.

Every measure of agreement that treats raters as interchangeable needs only these counts. Items with
the same counts are stored once, with their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from medlens.deferred_module import np
from medlens.stats.estimate import Estimate
from medlens.stats.smoothed_bootstrap import (
    Floats,
    Ints,
    Smoothing,
    distinct_contributions_with_counts,
    estimate_from_sums,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


Level = Literal["nominal", "interval", "ratio"]

NO_PAIRS = "no item was rated by two raters"
NO_VARIATION = "all ratings are the same, so agreement by chance cannot be told apart"
NO_VARIATION_IN_PAIRS = (
    "all ratings of the items that were rated twice or more are the same, so agreement by chance"
    " cannot be told apart"
)


@dataclass(frozen=True)
class RatingCounts:
    """Distinct count rows ``table`` (types, values); ``times`` (types,) is how many items have
    each.

    ``values`` are the numbers of the columns, in ascending order (positions for label sets). If
    items lie in ``clusters`` (types,), called ``unit``, each item has its own row.
    """

    values: Floats
    table: Ints
    times: Ints
    clusters: Ints | None = None
    unit: str = "items"

    @classmethod
    def from_ratings(
        cls,
        ratings: ArrayLike,
        *,
        values: Sequence[float] | None = None,
        clusters: ArrayLike | None = None,
        unit: str = "items",
    ) -> RatingCounts:
        """From (items, raters) numbers, NaN if a rater did not rate the item.

        ``values`` are all possible values, if known; otherwise those seen. ``clusters`` (items,)
        are drawn whole. Raises ``ValueError`` on a rating that is not among the values.
        """
        matrix = np.asarray(ratings, dtype=np.float64)
        if matrix.ndim != 2:
            raise ValueError("ratings must be a table of items by raters")
        rated = ~np.isnan(matrix)
        seen = np.unique(matrix[rated])
        domain = seen if values is None else np.unique(np.asarray(values, dtype=np.float64))
        if not np.isin(seen, domain).all():
            raise ValueError("a rating is not among the possible values")
        counts = np.zeros((len(matrix), len(domain)), dtype=np.int64)
        rows, _ = np.nonzero(rated)
        np.add.at(counts, (rows, np.searchsorted(domain, matrix[rated])), 1)
        if clusters is None:
            return cls.from_counts(counts, values=domain)
        _, codes = np.unique(np.asarray(clusters), return_inverse=True)
        return cls(domain, counts, np.ones(len(counts), dtype=np.int64), codes, unit)

    @classmethod
    def from_counts(cls, counts: ArrayLike, *, values: ArrayLike | None = None) -> RatingCounts:
        """From (items, values) counts of raters; ``values`` default to 0, 1, 2 and so on."""
        table = np.asarray(counts, dtype=np.int64)
        names = np.arange(table.shape[1]) if values is None else values
        types, times = distinct_contributions_with_counts(table)
        return cls(np.asarray(names, dtype=np.float64), types.astype(np.int64), times)

    @property
    def rating_count_array_of_item_types(self) -> Ints:
        """Ratings per item of each type, (types,)."""
        return np.asarray(self.table.sum(axis=1), dtype=np.int64)

    @property
    def rating_pair_count(self) -> int:
        """Pairs of ratings of the same item."""
        return int(
            (
                self.rating_count_array_of_item_types
                * (self.rating_count_array_of_item_types - 1)
                // 2
                * self.times
            ).sum()
        )

    @property
    def rating_counts_of_items_rated_twice(self) -> RatingCounts:
        """The items with two or more ratings."""
        return self._having(2)

    @property
    def rating_counts_of_rated_items(self) -> RatingCounts:
        """The items with one or more ratings."""
        return self._having(1)

    @property
    def given_value_count(self) -> int:
        """How many of the values somebody gave."""
        return int(self.table.any(axis=0).sum())

    @property
    def reason_measure_is_undefined(self) -> str:
        """Why a measure that compares only items rated twice or more has no value, if these were
        all given one.
        """
        return NO_VARIATION if self.given_value_count < 2 else NO_VARIATION_IN_PAIRS

    def _having(self, least: int) -> RatingCounts:
        keep = self.rating_count_array_of_item_types >= least
        clusters = None if self.clusters is None else self.clusters[keep]
        return RatingCounts(self.values, self.table[keep], self.times[keep], clusters, self.unit)

    @property
    def unseen_patterns_weights_and_differing_count(self) -> tuple[Ints, Floats, int]:
        """Patterns that might have been seen: counts (patterns, values), the number of items of
        each, and the number of items (clusters with such an item) that differ from the commonest
        pattern of all raters giving one value.

        For every number of raters, by its share of the items: all agree, on any value; only one
        differs, from the commonest value or towards it. All agreeing adds two ratings, in equal
        parts of each value, however many raters there are. With two raters and two values there is
        half an item of each pattern.
        """
        values = len(self.values)
        common = int(np.argmax(self.times @ self.table)) if len(self.table) else 0
        rows, weights = [], []
        for raters in np.unique(
            self.rating_count_array_of_item_types[self.rating_count_array_of_item_types >= 2]
        ).tolist():
            of_items = float(
                self.times[self.rating_count_array_of_item_types == raters].sum() / self.item_count
            )
            agree = raters * np.eye(values, dtype=np.int64)
            towards = np.eye(values, dtype=np.int64)[np.arange(values) != common]
            away = (raters - 1) * towards
            away[:, common] += 1
            towards[:, common] += raters - 1
            rows += [agree, towards, away]
            weights += [
                np.full(values, of_items * 2 / (raters * max(values, 1))),
                np.full(2 * len(towards), of_items * 0.5 / (2 * max(len(towards), 1))),
            ]
        if not rows:
            return np.zeros((0, values), dtype=np.int64), np.zeros(0), 0
        alike = self.table[:, common] == self.rating_count_array_of_item_types
        informative = int(self.times[~alike].sum())
        if self.clusters is not None:
            informative = len(np.unique(self.clusters[~alike]))
        return np.concatenate(rows), np.concatenate(weights), informative

    def contributions_counts_and_smoothing(
        self, columns: Callable[[RatingCounts], Floats]
    ) -> tuple[Floats, Ints, Smoothing]:
        """What is resampled for a statistic with the contributions ``columns``: items, or whole
        clusters of them, as (types, k) and (types,); and
        ``unseen_patterns_weights_and_differing_count``, in units of the same size.
        """
        table, weights, informative = self.unseen_patterns_weights_and_differing_count
        whole = RatingCounts(self.values, table, np.ones(len(table), dtype=np.int64))
        given, might = columns(self), columns(whole)
        if self.clusters is None:
            return given, self.times, Smoothing(might, weights, informative)
        _, codes = np.unique(self.clusters, return_inverse=True)
        sums = np.column_stack([np.bincount(codes, column) for column in given.T])
        size = len(codes) / max(len(sums), 1)
        return *distinct_contributions_with_counts(sums), Smoothing(
            size * might, weights, informative
        )

    def estimate_statistic_of_sums(
        self,
        columns: Callable[[RatingCounts], Floats],
        statistic: Callable[[Floats], Floats],
        *,
        of: RatingCounts | None = None,
        method: str,
        undefined_because: str = NO_VARIATION,
    ) -> Estimate:
        """A statistic of the sums of ``columns`` over the items rated twice or more, or ``of``.

        ``n`` counts the items with two or more ratings, ``pairs`` the pairs of ratings on them,
        ``coverage`` is their share of the given items.
        """
        if not self.rating_pair_count:
            return self.make_undefined_estimate(NO_PAIRS, method)
        types, times, smoothing = (
            of or self.rating_counts_of_items_rated_twice
        ).contributions_counts_and_smoothing(columns)
        return estimate_from_sums(
            *(types, times, statistic),
            smoothing=smoothing,
            method=method,
            undefined_because=undefined_because,
            unit=self.unit,
            n=self.rating_counts_of_items_rated_twice.item_count,
            pairs=self.rating_pair_count,
            coverage=self.share_of_items_rated_twice,
        )

    def make_undefined_estimate(self, why: str, method: str) -> Estimate:
        """An estimate without a value on these items, and why."""
        n = self.rating_counts_of_items_rated_twice.item_count
        return Estimate.undefined_estimate(
            why,
            n,
            method=method,
            pairs=self.rating_pair_count,
            coverage=self.share_of_items_rated_twice,
        )

    @property
    def item_count(self) -> int:
        """Number of items, rated or not."""
        return int(self.times.sum())

    @property
    def share_of_items_rated_twice(self) -> float | None:
        """Share of the items with two or more ratings; ``None`` if there are no items."""
        return (
            self.rating_counts_of_items_rated_twice.item_count / self.item_count
            if self.item_count
            else None
        )


def coerce_to_rating_counts(ratings: ArrayLike | RatingCounts) -> RatingCounts:
    """Counts as given, or from a table (items, raters)."""
    return ratings if isinstance(ratings, RatingCounts) else RatingCounts.from_ratings(ratings)


def compute_krippendorff_distances(values: Floats, level: Level) -> Floats:
    """Krippendorff's squared difference between values, (values, values).

    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section E. Raises
    ``ValueError`` on a negative value at the ratio level.
    """
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    gap = values[:, None] - values[None, :]
    if level == "interval":
        return np.asarray(gap**2)
    if (values < 0).any():
        raise ValueError("the ratio level needs values of zero or more")
    total = values[:, None] + values[None, :]
    # Two zeros are the same value: their distance is 0, not 0/0.
    return np.asarray((gap / np.where(total == 0, 1.0, total)) ** 2)


def jaccard_distance(first: frozenset[str], second: frozenset[str]) -> float:
    """1 - shared / all labels; 0 for two empty sets."""
    if first == second:
        return 0.0
    return 1 - len(first & second) / len(first | second)


def masi_distance(first: frozenset[str], second: frozenset[str]) -> float:
    """1 - Jaccard x monotonicity: 1 for equal sets, 2/3 for a subset, 1/3 for overlap, else 0.

    Source: Passonneau (2006), Measuring Agreement on Set-valued Items, LREC.
    """
    if first == second:
        return 0.0
    if first <= second or second <= first:
        monotonicity = 2 / 3
    elif first & second:
        monotonicity = 1 / 3
    else:
        return 1.0
    return 1 - monotonicity * len(first & second) / len(first | second)
