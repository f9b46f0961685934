"""A judge's verdicts on many items, of which people checked some: the true share, corrected.

People's answers are known on the checked items only, and these may have been drawn unequally, by
verdict or by any other stratum known for every item (a *cell*). Within each cell and verdict the
checked rows stand for all, so every estimate is a sum over these groups, weighted by the share of
all items in each:

* the share itself. For yes and no this is the power-tuned prediction-powered estimate: the judge's
  share of all items times lambda, plus the error that the checked ones show; lambda is the
  least-squares slope (Angelopoulos, Duchi & Zrnic 2023, "PPI++", section 6; the judged items as the
  large sample, the checked ones among them).
* sensitivity, specificity and predictive values if the checked were drawn by verdict (Begg &
  Greenes 1983, Biometrics 39: verification bias).

Intervals have the variance of the linearised estimate, summed by cluster, turned into an effective
number of rows as in ``intervals``; for this a quarter of a checked row of each extreme is added to
each group. What they cover: ``docs/statistics.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from medlens.deferred_module import np
from medlens.stats.clustered_kappa_f1_and_judge_accuracy import Clusters
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import (
    FEWEST,
    RARE,
    effective_sample_sizes_and_cluster_counts,
    method_ending_if_rows_are_too_few,
    wilson_bounds_of_shares,
)
from medlens.stats.smoothed_bootstrap import Floats, Ints

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


EXTREME = 0.25
"""Checked rows of each extreme, added to each group when computing the variance."""

MEASURES = ("share", "sensitivity", "specificity", "ppv", "npv", "agreement")

FIRST = 20
"""Rows of each group in a first sample, before anything can be predicted."""


@dataclass(frozen=True)
class CheckingForecast:
    """The rows still to be checked to know a measure to a half width.

    ``by_group`` is how many of each group (Neyman's allocation: where a check tells most),
    ``total_rows_to_check`` their sum, ``random`` how many a simple random sample of all would take,
    None if even all would not be enough. ``now`` is the present half width, ``best`` that with all
    checked. If nothing can be predicted yet it is a first sample, with ``now`` None.
    """

    by_group: Ints
    random: int | None
    now: float | None
    best: float | None

    @property
    def total_rows_to_check(self) -> int:
        """The total number of rows."""
        return int(self.by_group.sum())


@dataclass(frozen=True)
class CheckedVerdicts:
    """A judge's verdicts (rows,), and people's answers on some.

    ``said`` is 1 or 0, ``truth`` 1, 0 or NaN. ``cells`` (rows,) are the strata from which the
    checked rows were drawn; without them all were drawn with equal probability. ``words`` are what
    people call a positive and a negative.
    """

    clusters: Clusters
    said: ArrayLike
    truth: ArrayLike
    cells: ArrayLike | None = None
    words: tuple[str, str] = ("positive", "negative")
    groups: Ints = field(init=False)
    positive: Floats = field(init=False)
    """By group: whether the judge's verdict is yes."""

    def __post_init__(self) -> None:
        """Number the groups: the cells in which something was checked, by verdict.

        A cell and verdict without any checked row is merged with the others of its verdict.
        """
        said = np.asarray(self.said, dtype=np.float64)
        known = ~np.isnan(np.asarray(self.truth, dtype=np.float64))
        cells = np.zeros(len(said), np.int64)
        if self.cells is not None:
            cells = np.unique(np.asarray(self.cells), return_inverse=True)[1].astype(np.int64) + 1
        keys = 2 * cells + (said == 1)
        keys = np.where(np.isin(keys, np.unique(keys[known])), keys, said == 1).astype(np.int64)
        names, codes = np.unique(keys, return_inverse=True)
        object.__setattr__(self, "groups", codes.astype(np.int64))
        object.__setattr__(self, "positive", (names % 2).astype(np.float64))

    @cached_property
    def checked_row_mask(self) -> Floats:
        """Whether each row was checked, 1 or 0."""
        return (~np.isnan(np.asarray(self.truth, dtype=np.float64))).astype(np.float64)

    @cached_property
    def row_count_array_of_groups(self) -> Floats:
        """The number of rows in each group."""
        return np.bincount(self.groups, minlength=len(self.positive)).astype(np.float64)

    @cached_property
    def array_of_checked_row_counts_of_groups(self) -> Floats:
        """The number of checked rows in each group."""
        found = np.bincount(
            self.groups, weights=self.checked_row_mask, minlength=len(self.positive)
        )
        return found.astype(np.float64)

    @cached_property
    def positive_share_per_group(self) -> Floats:
        """The share of each group that people call positive; for a group without checks, that of
        all checked groups with its verdict, NaN if there are none.
        """
        truth = np.nan_to_num(np.asarray(self.truth, dtype=np.float64))
        hits = np.bincount(self.groups, weights=truth, minlength=len(self.positive))
        found = np.full(len(hits), np.nan)
        np.divide(
            hits,
            self.array_of_checked_row_counts_of_groups,
            out=found,
            where=self.array_of_checked_row_counts_of_groups > 0,
        )
        for at in np.flatnonzero(self.array_of_checked_row_counts_of_groups == 0):
            same = (self.positive == self.positive[at]) & (
                self.array_of_checked_row_counts_of_groups > 0
            )
            if same.any():
                found[at] = np.average(found[same], weights=self.row_count_array_of_groups[same])
        return found

    def four_coefficient_arrays_of_measure(
        self, measure: str
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """(a, b, c, d) of a measure A / B: A = sum of size x (a + b x share) over the groups, B
        with c, d.
        """
        one, yes = np.ones(len(self.positive)), self.positive
        none = 0 * one
        return {
            "share": (none, one, one, none),
            "sensitivity": (none, yes, none, one),
            "specificity": (1 - yes, yes - 1, one, -one),
            "ppv": (none, yes, yes, none),
            "npv": (1 - yes, yes - 1, 1 - yes, none),
            "agreement": (1 - yes, 2 * yes - 1, one, none),
        }[measure]

    def estimate_measure(self, measure: str) -> Estimate:
        """One of ``MEASURES``, with its interval; ``n`` is the number of checked rows."""
        n = int(self.checked_row_mask.sum())
        method = "prediction-powered (PPI++)" if measure == "share" else "stratified by verdict"
        if why := self._missing(measure):
            return Estimate.undefined_estimate(why, n, method=method)
        value, variance = self._value(measure)
        checked = self.clusters.codes[self.checked_row_mask > 0]
        units = len(np.unique(checked))
        if units < FEWEST:
            return Estimate(
                value, None, None, n, method + method_ending_if_rows_are_too_few(self.clusters.unit)
            )
        low, high = self._bounds(
            measure,
            value,
            variance,
            self.array_of_checked_row_counts_of_groups,
            self.positive_share_per_group,
        )
        return Estimate(value, low, high, n, f"{method}; Wilson over {self.clusters.unit}")

    def _bounds(
        self, measure: str, value: float, variance: float, checked: Floats, shares: Floats
    ) -> tuple[float, float]:
        """The interval with this many rows of each group ``checked``, at these ``shares``."""
        counted = self._counted(measure, checked, shares)
        most, many = (
            self._counted(measure, self.row_count_array_of_groups, shares),
            float(checked.sum()),
        )
        known = self.checked_row_mask > 0
        if self._alike(measure):
            _, _, c, d = self.four_coefficient_arrays_of_measure(measure)
            truth = np.nan_to_num(np.asarray(self.truth, dtype=np.float64))
            known &= (c[self.groups] + d[self.groups] * truth) > 0
            most, many = counted, counted
        units = len(np.unique(self.clusters.codes[known])) * many / max(int(known.sum()), 1)
        df = max(min(units, self.clusters.count) - 1.0, 1.0)
        return low_and_high_weighted_wilson_bounds(value, variance, counted, most, df=df)

    def _counted(self, measure: str, rows: Floats, shares: Floats) -> float:
        """How many of these ``rows`` (groups,) a measure is a share of."""
        _, _, c, d = self.four_coefficient_arrays_of_measure(measure)
        return float((rows * (c + d * np.nan_to_num(shares))).sum())

    def _alike(self, measure: str) -> bool:
        """Whether at most two of the checked rows that a measure counts differ from the others.

        Their variance then says too little, so they tell no more than as many independent rows,
        whatever the judge said of the rows not checked.
        """
        a, b, _, _ = self.four_coefficient_arrays_of_measure(measure)
        hits = float(
            (
                self.array_of_checked_row_counts_of_groups
                * (a + b * np.nan_to_num(self.positive_share_per_group))
            ).sum()
        )
        others = (
            self._counted(
                measure, self.array_of_checked_row_counts_of_groups, self.positive_share_per_group
            )
            - hits
        )
        return min(hits, others) <= RARE + 1e-9

    def _missing(self, measure: str) -> str:
        if not len(self.groups):
            return "there is nothing to count"
        if not self.checked_row_mask.any():
            return "people have checked none of it"
        _, b, c, d = self.four_coefficient_arrays_of_measure(measure)
        needed = (self.row_count_array_of_groups > 0) & ((b != 0) | (d != 0))
        for word, yes in zip(self.words, (1, 0), strict=True):
            if np.isnan(self.positive_share_per_group[needed & (self.positive == yes)]).any():
                return f"people have checked none that the judge calls {word}"
        shares = np.nan_to_num(self.positive_share_per_group)
        if (self.row_count_array_of_groups * (c + d * shares)).sum() <= 0:
            all_of_it = self.words[measure in ("sensitivity", "ppv")]
            if measure in ("ppv", "npv"):
                return f"the judge calls everything {all_of_it}"
            return f"people called everything they checked {all_of_it}"
        return ""

    def _slopes(self, measure: str, known: Floats) -> tuple[float, Floats, Floats]:
        """The value, and its slopes in each group's share and in each group's number of rows."""
        a, b, c, d = self.four_coefficient_arrays_of_measure(measure)
        shares, weight = (
            np.nan_to_num(known),
            self.row_count_array_of_groups / self.row_count_array_of_groups.sum(),
        )
        bottom = (weight * (c + d * shares)).sum()
        value = float((weight * (a + b * shares)).sum() / bottom)
        among = ((a - value * c) + (b - value * d) * shares) / bottom
        return value, weight * (b - value * d) / bottom, among

    def _slopes_as_checked(self, measure: str) -> tuple[float, Floats, Floats]:
        """``_slopes`` of what was checked: the checked rows of a verdict also stand for the groups
        of it without checks, whose share is theirs, and so move the value by that much more.
        """
        value, slope, among = self._slopes(measure, self.positive_share_per_group)
        shares, total = (
            np.nan_to_num(self.positive_share_per_group),
            self.row_count_array_of_groups.sum(),
        )
        for at in np.flatnonzero(
            (self.array_of_checked_row_counts_of_groups == 0) & (self.row_count_array_of_groups > 0)
        ):
            same = (self.positive == self.positive[at]) & (
                self.array_of_checked_row_counts_of_groups > 0
            )
            whole = max(float(self.row_count_array_of_groups[same].sum()), 1.0)
            among[same] += slope[at] * total * (shares[same] - shares[at]) / whole
            slope[same] += slope[at] * self.row_count_array_of_groups[same] / whole
            slope[at] = 0.0
        return value, slope, among

    def _near(self, shares: Floats) -> Floats:
        """The shares of the groups with the extremes added."""
        hits = np.nan_to_num(shares) * self.array_of_checked_row_counts_of_groups
        found: Floats = (hits + EXTREME) / (
            self.array_of_checked_row_counts_of_groups + 2 * EXTREME
        )
        return found

    def _extremes(self, slope: Floats, checked: Floats, near: Floats) -> float:
        """What the extremes add to the variance, with this many rows of each group ``checked``."""
        units = len(np.unique(self.clusters.codes[self.checked_row_mask > 0]))
        size = self.checked_row_mask.sum() / max(units, 1)
        apart = EXTREME * (near**2 + (1 - near) ** 2) * size
        some = checked > 0
        return float((slope[some] ** 2 / checked[some] ** 2 * apart[some]).sum())

    def _cost(self, measure: str) -> float:
        """The variance of the checked rows as a multiple of that of independent rows, at least
        1.
        """
        _, slope, among = self._slopes_as_checked(measure)
        near, some = (
            self._near(self.positive_share_per_group),
            self.array_of_checked_row_counts_of_groups > 0,
        )
        alone = float(
            (
                (slope**2 * near * (1 - near))[some]
                / self.array_of_checked_row_counts_of_groups[some]
            ).sum()
        )
        other = float((among**2 * self.row_count_array_of_groups).sum()) / len(self.groups) ** 2
        seen = (
            self._value(measure)[1]
            - other
            - self._extremes(slope, self.array_of_checked_row_counts_of_groups, near)
        )
        # Independent rows cost nothing; any other difference is chance.
        nested = self.clusters.count < len(self.groups)
        return max(seen / alone, 1.0) if nested and alone > 0 else 1.0

    def _value(self, measure: str) -> tuple[float, float]:
        """The value and its variance."""
        value, slope, among = self._slopes_as_checked(measure)
        per_row = np.divide(
            slope,
            self.array_of_checked_row_counts_of_groups,
            out=np.zeros_like(slope),
            where=self.array_of_checked_row_counts_of_groups > 0,
        )
        truth = np.nan_to_num(np.asarray(self.truth, dtype=np.float64))
        apart = self.checked_row_mask * (
            truth - np.nan_to_num(self.positive_share_per_group)[self.groups]
        )
        moved = per_row[self.groups] * apart + among[self.groups] / len(self.groups)
        summed = self.clusters.array_of_cluster_sums(self.clusters.codes, moved)
        count = max(self.clusters.count, 2)
        variance = count / (count - 1) * float((summed**2).sum())
        variance += self._extremes(
            slope,
            self.array_of_checked_row_counts_of_groups,
            self._near(self.positive_share_per_group),
        )
        return min(max(value, 0.0), 1.0), variance

    def make_forecast_of_rows_to_check(
        self,
        measure: str,
        half_width: float,
        *,
        halves: ArrayLike | None = None,
        shown: Estimate | None = None,
    ) -> CheckingForecast:
        """How many more rows to check, and in which groups, to know a measure to ``half_width``.

        This assumes from the present data that the shares of the groups, and the cost of the
        clusters, stay the same. ``halves`` (rows,) are 0 or 1 at random, and each cell lies in one:
        the checks in either half are then planned from the other. A group planned from its own data
        is checked less if it happens to look certain, which biases the estimate. ``shown`` is the
        present estimate as the reader sees it, if it is another than ``estimate_measure``'s.

        Further rows are assumed to have the share (hits + 1/2) / (rows + 1), Jeffreys' estimate
        (Brown, Cai & DasGupta 2001, section 3.1.3), so that rows that happen to be alike are not
        taken for certainty. While they are (nearly) all alike, none is known to tell more than
        another, and all groups are drawn from in proportion.
        """
        if shown is None or shown.low is None:
            shown = self.estimate_measure(measure)
        if halves is None:
            return self._plan(measure, half_width, self.positive_share_per_group, shown)
        half = np.zeros(len(self.positive), dtype=np.int64)
        half[self.groups] = np.asarray(halves, dtype=np.int64)
        plans = [
            self._plan(measure, half_width, self._told_by(half != own), shown) for own in (0, 1)
        ]
        chosen = np.where(half == 0, plans[0].by_group, plans[1].by_group)
        both = [one.random for one in plans if one.random is not None]
        by_chance = round(sum(both) / 2) if len(both) == 2 else None
        whole = self._plan(measure, half_width, self.positive_share_per_group, shown)
        return replace(whole, by_group=chosen, random=by_chance)

    def _told_by(self, those: NDArray[np.bool_]) -> Floats:
        """The share of each group as estimated from ``those`` (groups,) of its verdict; its own if
        none of them was checked.
        """
        found = self.positive_share_per_group.copy()
        for verdict in (0, 1):
            same = self.positive == verdict
            told = same & those & (self.array_of_checked_row_counts_of_groups > 0)
            if told.any():
                found[same] = np.average(
                    self.positive_share_per_group[told],
                    weights=self.row_count_array_of_groups[told],
                )
        return found

    def _plan(
        self, measure: str, half_width: float, shares: Floats, found: Estimate
    ) -> CheckingForecast:
        """The forecast from what is ``found``, assuming these shares of the groups."""
        left = (self.row_count_array_of_groups - self.array_of_checked_row_counts_of_groups).astype(
            np.int64
        )
        if found.low is None or found.high is None:
            first = np.minimum(
                np.maximum(FIRST - self.array_of_checked_row_counts_of_groups, 0).astype(np.int64),
                left,
            )
            return CheckingForecast(first, None, None, None)
        value, slope, among = self._slopes(measure, shares)
        near = self._near(shares)
        total, spread = len(self.groups), slope**2 * near * (1 - near)
        sampled = float((among**2 * self.row_count_array_of_groups).sum()) / total**2
        checked = np.maximum(self.array_of_checked_row_counts_of_groups, EXTREME)
        cost = self._cost(measure)
        counted = self._counted(measure, checked, shares)
        likely = (value * counted + 0.5) / (counted + 1)
        now = (found.high - found.low) / 2

        def half(more: Floats) -> float:
            if not more.any():
                return now
            after = checked + more
            variance = sampled + cost * float((spread / after).sum())
            variance += self._extremes(slope, after, near)
            kept = counted / max(self._counted(measure, after, shares), counted, 1e-9)
            then = kept * value + (1 - kept) * likely
            low, high = self._bounds(measure, then, variance, after, shares)
            return (high - low) / 2

        # Each further row goes where it reduces the variance most.
        counts = np.concatenate([np.arange(one) for one in left]) if left.sum() else np.zeros(0)
        of = np.repeat(np.arange(len(left)), left)
        gain = spread[of] / ((checked[of] + counts) * (checked[of] + counts + 1))
        if self._alike(measure):
            gain = -(counts + 0.5) / left[of]
        order = of[np.argsort(-gain, kind="stable")]

        def best_of(many: int) -> Floats:
            return np.asarray(np.bincount(order[:many], minlength=len(left)), dtype=np.float64)

        def evenly(many: int) -> Floats:
            return np.asarray(left * (many / max(int(left.sum()), 1)), dtype=np.float64)

        def least(ways: Callable[[int], Floats]) -> int | None:
            low, high = 0, int(left.sum())
            if half(ways(high)) > half_width:
                return None
            while low < high:
                middle = (low + high) // 2
                low, high = (
                    (low, middle) if half(ways(middle)) <= half_width else (middle + 1, high)
                )
            return low

        if now <= half_width:
            return CheckingForecast(0 * left, 0, now, min(half(evenly(int(left.sum()))), now))
        many = least(best_of)
        best = min(half(best_of(int(left.sum()))), now)
        drawn = best_of(int(left.sum()) if many is None else many).astype(np.int64)
        return CheckingForecast(drawn, least(evenly), now, best)


def low_and_high_weighted_wilson_bounds(
    value: float,
    variance: float,
    checked: float,
    rows: float,
    *,
    df: float,
) -> tuple[float, float]:
    """Wilson's bounds of a share with this variance, with ``checked`` among ``rows``."""
    # At 0 or 1 the variance comes from the extremes added, so the share it is compared with has
    # them too.
    near = (value * checked + EXTREME) / (checked + 2 * EXTREME)
    size = min(max(near * (1 - near) / max(variance, 1e-300), 1.0), rows)
    low, high = wilson_bounds_of_shares(value, size, df)
    return float(low), float(high)


def weights_of_checked_rows(strata: ArrayLike, *, among: ArrayLike, checked: ArrayLike) -> Floats:
    """How many of the rows ``among`` (rows,) each one that was ``checked`` (rows,) stands for.

    Within each of the ``strata`` (rows,) the checked rows represent all; where nothing is checked
    nothing is represented.
    """
    _, codes = np.unique(np.asarray(strata), return_inverse=True)
    there = np.asarray(among, dtype=bool)
    done = there & np.asarray(checked, dtype=bool)
    sizes, counts = (
        np.bincount(codes[rows], minlength=codes.max(initial=-1) + 1) for rows in (there, done)
    )
    return np.asarray((sizes / np.maximum(counts, 1))[codes], dtype=np.float64)


def estimate_weighted_share(
    hits: ArrayLike,
    counted: ArrayLike,
    weights: ArrayLike,
    clusters: Clusters,
    *,
    undefined_because: str,
) -> Estimate:
    """The share of ``hits`` among the rows ``counted``, with ``weights`` (rows,)."""
    among, n = np.asarray(counted, dtype=bool), int(np.asarray(counted, dtype=bool).sum())
    if not n:
        return Estimate.undefined_estimate(undefined_because, method="weighted share")
    weight = np.asarray(weights, dtype=np.float64) * among
    tops = clusters.array_of_cluster_sums(clusters.codes, weight * np.asarray(hits, dtype=bool))
    bottoms = clusters.array_of_cluster_sums(clusters.codes, weight)
    sizes, units = effective_sample_sizes_and_cluster_counts(
        tops[:, None], bottoms[:, None], whole=False
    )
    value, count = float(tops.sum() / bottoms.sum()), int(units[0])
    if count < FEWEST:
        return Estimate(
            value,
            None,
            None,
            n,
            "weighted share" + method_ending_if_rows_are_too_few(clusters.unit),
        )
    # As many clusters of equal weight as would leave as much to chance (Kish 1965).
    alike = float(bottoms.sum() ** 2 / (bottoms**2).sum())
    low, high = wilson_bounds_of_shares(value, min(float(sizes[0]), n), max(alike - 1, 1.0))
    method = f"weighted share; Wilson over {clusters.unit}"
    return Estimate(value, float(low), float(high), n, method)
