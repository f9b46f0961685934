"""Intervals of shares, scores, amounts and differences, from rows that may lie in clusters.

They all follow one idea: the bounds are the true values from which the estimate would lie t
standard errors away, using the standard error at the true value, not at the estimate (Wilson 1927).
What differs is how the error depends on the value: as value x (1 - value) for shares and for scores
between two ends, as the value for amounts from zero up, not at all for differences. The clusters
determine the size of the error: it is turned into the number of independent rows that would be as
informative (Korn and Graubard 1998), t has the number of clusters less one as its degrees of
freedom, and a tenth of a cluster of each extreme is added to this computation, so that clusters
that happen to be alike are not taken for certainty. Below ``FEWEST`` clusters there is no interval.
Why these, and what they cover: ``docs/statistics.md``.

Sources: Wilson (1927), JASA 22; Korn & Graubard (1998), Survey Methodology 24; Brown, Cai &
DasGupta (2001), Statistical Science 16 (the bound of one or two events); Cameron, Gelbach & Miller
(2011), JBES 29 (two crossed kinds of cluster); Kish (1965), Survey Sampling (clusters of unequal
size).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from medlens.deferred_module import np, scipy
from medlens.stats.estimate import FRACTIONAL, Estimate
from medlens.stats.scope_of_inference_over_raters import (
    RATERS_LIKE_THESE,
    are_raters_enough_to_speak_for_others,
    is_panel_declared_fixed_now,
    words_for_these_raters_alone,
)
from medlens.stats.smoothed_bootstrap import CONFIDENCE, Floats, Ints, divide_arrays_or_nan

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


FEWEST = 4
"""With fewer units there is no interval: it would say nothing."""

EXTREME = 0.1
"""Of a cluster of each extreme, added when computing the effective number of rows."""

RARE = 2.0
"""With at most this many rows unlike all the others, the bound beside them is Poisson's."""

Bounds = tuple[Floats, Floats]


def wilson_share_estimate(successes: int, n: int, *, unit: str = "rows") -> Estimate:
    """A share of ``n`` independent rows, with Wilson's score interval.

    Raises ``ValueError`` unless 0 <= successes <= n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is not a proportion")
    return _wilson(successes, n, "Wilson with t", unit)


def wilson_share_estimates(
    successes: Sequence[int], sizes: Sequence[int], *, unit: str = "rows"
) -> list[Estimate]:
    """``wilson_share_estimate`` of each of many shares (figures,), worked out at once; no size is
    0.
    """
    found, n = np.asarray(successes, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    lows, highs = wilson_bounds_of_shares(found / n, n, n - 1)
    method = "Wilson with t"
    return [
        Estimate(some / many, low, high, many, method, numerator=some, denominator=many)
        if many >= FEWEST
        else wilson_share_estimate(some, many, unit=unit)
        for some, many, low, high in zip(
            successes, sizes, lows.tolist(), highs.tolist(), strict=True
        )
    ]


def wilson_mean_estimate(total: float, n: int, *, unit: str = "rows") -> Estimate:
    """The mean of ``n`` scores between 0 and 1 that add up to ``total``, with Wilson's interval.

    Scores between 0 and 1 never vary more than yes and no at the same mean, so the interval is wide
    enough, and it is the usual one if every score is 0 or 1. ``numerator`` is the rounded total;
    ``value`` is not rounded.

    Raises ``ValueError`` unless 0 <= total <= n, up to floating-point error.
    """
    if not -1e-6 * n <= total <= n * (1 + 1e-6):
        raise ValueError(f"{n} scores between 0 and 1 cannot add up to {total}")
    nearest = round(total)
    if abs(total - nearest) <= 1e-6:
        return _wilson(nearest, n, "Wilson with t", unit)
    return _wilson(total, n, f"Wilson with t, {FRACTIONAL} (rounded for tests)", unit)


def _wilson(total: float, n: int, method: str, unit: str) -> Estimate:
    if n == 0:
        return Estimate.undefined_estimate(
            "there is nothing to count", method="Wilson with t", denominator=0
        )
    low, high = None, None
    if n >= FEWEST:
        lows, highs = wilson_bounds_of_shares(total / n, float(n), n - 1)
        low, high = float(lows), float(highs)
    else:
        method += method_ending_if_rows_are_too_few(unit)
    return Estimate(total / n, low, high, n, method, numerator=round(total), denominator=n)


def method_ending_if_rows_are_too_few(unit: str) -> str:
    """The end of the method if the interval is withheld."""
    return f", no interval from fewer than {FEWEST} {unit}"


def wilson_bounds_of_shares(shares: ArrayLike, sizes: ArrayLike, df: ArrayLike) -> Bounds:
    """Wilson's bounds for shares (figures,) of this many independent rows, and for one or two
    events.

    ``sizes`` may be fractions, ``df`` are the degrees of freedom of t. If at most two rows differ
    from all the others, the bound next to them is the one-sided Poisson bound: Wilson's own misses
    too often there.
    """
    share, n = np.asarray(shares, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    t = scipy.special.stdtrit(np.asarray(df, dtype=np.float64), (1 + CONFIDENCE) / 2)
    scale = 1 + t * t / n
    centre = (share + t * t / (2 * n)) / scale
    half = t * np.sqrt(share * (1 - share) / n + t * t / (4 * n * n)) / scale
    low, high = centre - half, centre + half
    for_rare = [
        scipy.special.gammaincinv(np.minimum(np.maximum(rows, 1e-9), RARE), 1 - CONFIDENCE) / n
        for rows in (share * n, (1 - share) * n)
    ]
    # 1 - 12/14 is a little more than 2/14 in floating point.
    most = RARE + 1e-9
    low = np.where(share * n <= most, np.minimum(low, for_rare[0]), low)
    high = np.where((1 - share) * n <= most, np.maximum(high, 1 - for_rare[1]), high)
    # At 0 and 1 the limit is exactly 0 or 1; floating point would just miss it.
    return (
        np.where(share <= 0, 0.0, np.minimum(np.maximum(low, 0.0), share)),
        np.where(share >= 1, 1.0, np.minimum(np.maximum(high, share), 1.0)),
    )


def effective_sample_sizes_and_cluster_counts(
    tops: Floats, bottoms: Floats, *, whole: bool = True, extreme: float = EXTREME
) -> tuple[Floats, Ints]:
    """The number of independent rows as informative as the clusters, and the number of clusters.

    ``tops`` and ``bottoms`` are sums by cluster, (clusters, figures): of what was counted, and of
    the rows; clusters without rows are ignored. Both results are (figures,). If the rows are yes or
    no (``whole``), the first is never above the number of rows, and equal to it if each cluster has
    one. With an ``extreme`` it is then never below what is left if each cluster's rows are all
    alike, so that answers given several times by an item are no less sure than one each.
    """
    rows = bottoms.sum(axis=0)
    clusters = (bottoms > 0).sum(axis=0)
    some = np.maximum(clusters, 1)
    mean = rows / some
    added = 2 * extreme
    everything = rows + added * mean
    with np.errstate(all="ignore"):
        share = (tops.sum(axis=0) + extreme * mean) / everything
        apart = (
            (tops**2).sum(axis=0)
            - 2 * share * (tops * bottoms).sum(axis=0)
            + share**2 * (bottoms**2).sum(axis=0)
            + extreme * mean**2 * (share**2 + (1 - share) ** 2)
        )
        units = some + added
        variance = units / np.maximum(units - 1, 1e-9) * apart / everything**2
        sizes = divide_arrays_or_nan(share * (1 - share), variance) * some / units
    sizes = np.where(np.isnan(sizes), np.inf, sizes)
    if whole:
        if extreme:
            sizes = np.maximum(sizes, _fewest_rows(tops, bottoms))
        sizes = np.minimum(sizes, rows)
        sizes = np.where(rows <= clusters, rows, sizes)
    return np.maximum(sizes, 1.0), clusters.astype(np.int64)


def _fewest_rows(tops: Floats, bottoms: Floats) -> Floats:
    """The number of rows as informative as clusters of which each is all yes or all no, (figures,):
    their number, if they are equal; Kish's (1965) at most, and fewer if the larger ones differ.
    """
    squares = (bottoms**2).sum(axis=0)
    kish = divide_arrays_or_nan(bottoms.sum(axis=0) ** 2, squares)
    share = divide_arrays_or_nan(tops.sum(axis=0), bottoms.sum(axis=0))
    # Of all sums by cluster with this share, these vary most: 0, or the number of rows.
    most = (1 - 2 * share) * (tops * bottoms).sum(axis=0) + share**2 * squares
    with np.errstate(all="ignore"):
        part = np.minimum(share * (1 - share) * squares / most, 1)
    return np.asarray(np.nan_to_num(kish * np.where(share * (1 - share) > 0, part, 1)))


def clustered_share(
    hits: ArrayLike,
    clusters: ArrayLike,
    *,
    unit: str,
    crossed: ArrayLike | None = None,
    both: bool = False,
) -> Estimate:
    """The share of yes among rows (n,) of yes and no in clusters (n,).

    ``unit`` names the clusters in the plural. ``crossed`` (n,) are clusters of another kind that
    cross the first (raters who judged the same items): the interval then allows for both, or for
    the first alone if there are fewer than ``FEWEST`` of the second, or if they are a fixed panel;
    the method says which. If it is to hold for other raters too (``both``), there is none if they
    are few and no fixed panel.
    """
    given = np.asarray(hits, dtype=np.float64)
    return _share(
        given,
        np.ones(len(given)),
        clusters,
        "share",
        unit,
        crossed,
        whole=True,
        both=both,
    )


def estimate_shares_of_two_arms_and_difference(
    hits: ArrayLike,
    first: ArrayLike,
    clusters: ArrayLike,
    *,
    unit: str,
    crossed: ArrayLike,
) -> tuple[Estimate, Estimate, Estimate]:
    """The shares of yes among rows (n,) in the ``first`` arm (n,) and in the other, and the first
    minus the second. Rows lie in clusters (n,), crossed by others (n,); both arms run through both
    kinds.

    What a cluster's rows have in common moves both shares alike, which an interval for independent
    groups ignores: it covered the truth in 98 to 100 % of samples. Three quarters of the observed
    correlation are used; with all of it the interval was too narrow (90 %). With fewer than
    ``FEWEST`` of the crossed clusters in an arm there is no interval: one by the others alone held
    the truth in as few as 65 % of samples. The crossed ones of a fixed panel are left as they are.
    """
    given, arm = np.asarray(hits, dtype=np.float64), np.asarray(first, dtype=bool)
    sides = (np.asarray(clusters), np.asarray(crossed))
    one, two = (
        clustered_share(
            given[of],
            sides[0][of],
            unit=unit,
            crossed=sides[1][of],
            both=True,
        )
        for of in (arm, ~arm)
    )
    if one.value is None or two.value is None:
        return one, two, estimate_difference_of_shares(one, two)
    if one.low is None or two.low is None:
        return one, two, estimate_difference_of_shares(one, two)
    apart = given - np.where(arm, one.value, two.value)
    shared, spread = 0.0, np.zeros(2)
    moving = sides[:1] if is_panel_declared_fixed_now() else sides
    for side in moving:
        _, code = np.unique(side, return_inverse=True)
        sums = [
            np.bincount(code, weights=apart * of, minlength=code.max() + 1) for of in (arm, ~arm)
        ]
        shared += float((sums[0] * sums[1]).sum())
        spread += [float((each**2).sum()) for each in sums]
    alone = np.array([float((apart[of] ** 2).sum()) for of in (arm, ~arm)])
    # What both kinds of cluster count, a row's own error, counts once.
    spread = np.maximum(spread - alone * (len(moving) - 1), alone)
    product = float(np.sqrt(spread.prod()))
    correlation = min(max(shared / product, 0.0), 1.0) if product > 0 else 0.0
    return one, two, estimate_difference_of_shares(one, two, correlation=_COUNTED * correlation)


_COUNTED = 0.75


def estimate_difference_of_shares(
    first: Estimate, second: Estimate, *, correlation: float = 0.0
) -> Estimate:
    """The first share minus the second; their errors have this ``correlation``.

    Source: Newcombe (1998), Statistics in Medicine 17, method 10; with a correlation, Zou and
    Donner (2008), Statistics in Medicine 27.
    """
    method, n = "difference of shares; Newcombe", first.n + second.n
    if first.value is None or second.value is None:
        why = first.reason or second.reason
        return Estimate.undefined_estimate(why, n, method=method)
    value = first.value - second.value
    bounds = (first.low, first.high, second.low, second.high)
    # What speaks for others takes both arms to do so.
    whom = first.speaks_for if first.speaks_for != RATERS_LIKE_THESE else second.speaks_for
    if None in bounds:
        why = next(one.method for one in (first, second) if one.low is None)
        method += "".join(why.partition(", no interval")[1:])
        return Estimate(value, None, None, n, method, speaks_for=whom)
    low_1, high_1, low_2, high_2 = (float(one or 0.0) for one in bounds)
    return Estimate(
        value,
        value - _together(first.value - low_1, high_2 - second.value, correlation),
        value + _together(high_1 - first.value, second.value - low_2, correlation),
        n,
        f"{method}; of {first.method}",
        speaks_for=whom,
    )


def _together(one: float, two: float, correlation: float) -> float:
    return math.sqrt(max(one * one + two * two - 2 * correlation * one * two, 0.0))


def estimate_clustered_ratio(
    numerators: ArrayLike,
    denominators: ArrayLike,
    clusters: ArrayLike,
    *,
    unit: str,
) -> Estimate:
    """A share of things, several in each row (n,): counts of hits and of things."""
    return _share(
        np.asarray(numerators, dtype=np.float64),
        np.asarray(denominators, dtype=np.float64),
        clusters,
        "share",
        unit,
        whole=True,
    )


def _share(
    tops: Floats,
    bottoms: Floats,
    clusters: ArrayLike,
    method: str,
    unit: str,
    crossed: ArrayLike | None = None,
    *,
    whole: bool,
    both: bool = False,
) -> Estimate:
    n = round(float(bottoms.sum()))
    if n == 0:
        return Estimate.undefined_estimate(
            "there is nothing to count", method=method, denominator=0
        )
    size, count = _size(tops, bottoms, clusters, whole=whole)
    by, df, whom = unit, count - 1.0, ""
    if crossed is not None:
        # The extremes are added once, to the first kind of cluster.
        other, others = _size(tops, bottoms, crossed, whole=whole, extreme=0.0)
        whom = words_for_these_raters_alone(others)
        if count >= FEWEST and are_raters_enough_to_speak_for_others(others, FEWEST):
            whom = RATERS_LIKE_THESE
            one, two = 1 / size, 1 / other
            df = (one + two) ** 2 / (one**2 / (count - 1) + two**2 / (others - 1))
            size = max(1.0, 1 / max(one, two, one + two - 1 / n))
            by = f"{unit} and raters"
        elif both and count >= FEWEST and not is_panel_declared_fixed_now():
            count, unit = others, "raters"
    top = round(float(tops.sum()))
    share = float(tops.sum()) / n
    if count < FEWEST:
        method += method_ending_if_rows_are_too_few(unit)
        return Estimate(share, None, None, n, method, numerator=top, denominator=n, speaks_for=whom)
    lows, highs = wilson_bounds_of_shares(share, size, df)
    alone = whole and crossed is None and n == count
    method = "Wilson with t" if alone else f"{method}; Wilson over {by}"
    low, high = float(lows), float(highs)
    return Estimate(share, low, high, n, method, numerator=top, denominator=n, speaks_for=whom)


def _size(
    tops: Floats, bottoms: Floats, clusters: ArrayLike, *, whole: bool, extreme: float = EXTREME
) -> tuple[float, int]:
    summed = sums_of_tops_and_bottoms_of_each_cluster(tops, bottoms, clusters)
    sizes, counts = effective_sample_sizes_and_cluster_counts(*summed, whole=whole, extreme=extreme)
    return float(sizes[0]), int(counts[0])


def sums_of_tops_and_bottoms_of_each_cluster(
    tops: Floats, bottoms: Floats, clusters: ArrayLike
) -> tuple[Floats, Floats]:
    """Sums by cluster, (clusters, 1) each; the same to the last digit in any order of the rows."""
    _, codes = np.unique(np.asarray(clusters), return_inverse=True)
    if (tops != np.floor(tops)).any():
        order = np.lexsort((bottoms, tops, codes))
        tops, bottoms, codes = tops[order], bottoms[order], codes[order]
    summed = [
        np.bincount(codes, weights=rows).astype(np.float64)[:, None] for rows in (tops, bottoms)
    ]
    return summed[0], summed[1]


Kind = Literal["amount", "difference"]


def estimate_clustered_mean(
    values: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    unit: str = "items",
    kind: Kind | tuple[float, float] = "amount",
) -> Estimate:
    """The mean of ``values`` (n,) without NaN, which may lie in clusters (n,) called ``unit``.

    ``kind``: two ends, for scores between them (a rating from 1 to 10); "amount" for values of zero
    or more without an upper end (seconds, counts); "difference" for values of either sign. ``n`` is
    the number of values. Amounts and differences that are all equal have no interval. Raises
    ``ValueError`` on a value that is not of its kind.
    """
    numbers = np.asarray(values, dtype=np.float64)
    known = np.isfinite(numbers)
    numbers = numbers[known]
    n = len(numbers)
    if n == 0:
        return Estimate.undefined_estimate("there are no values", method="mean")
    groups = np.arange(n) if clusters is None else np.asarray(clusters)[known]
    tops, bottoms = sums_of_tops_and_bottoms_of_each_cluster(numbers, np.ones(n), groups)
    value = float(np.sort(numbers).sum() / n)
    count = len(tops)
    if not isinstance(kind, str):
        return _score(numbers, groups, kind, unit)
    if kind == "amount" and numbers.min() < 0:
        raise ValueError("an amount is not below zero")
    method = "mean"
    if count < FEWEST:
        return Estimate(value, None, None, n, method + method_ending_if_rows_are_too_few(unit))
    apart = tops - value * bottoms
    variance = float(count / (count - 1) * (apart**2).sum() / n**2)
    if variance <= 1e-18 * max(1.0, value * value):
        return Estimate(value, None, None, n, f"{method}, no interval: they are all alike")
    t = float(scipy.special.stdtrit(count - 1, (1 + CONFIDENCE) / 2))
    if kind == "difference":
        half = t * variance**0.5
        return Estimate(value, value - half, value + half, n, f"{method}; t over {unit}")
    size = value / variance
    if np.array_equal(numbers, np.floor(numbers)):
        # Counts vary at least as much as Poisson's; a smaller variance would be luck.
        size = min(size, float(n))
    half = t * (value / size + t * t / (4 * size * size)) ** 0.5
    centre = value + t * t / (2 * size)
    return Estimate(
        value, max(0.0, centre - half), centre + half, n, f"{method}; score interval over {unit}"
    )


def estimate_clustered_median(values: ArrayLike, clusters: ArrayLike, *, unit: str) -> Estimate:
    """The median of ``values`` (n,) without NaN, in clusters (n,) called ``unit``.

    The interval is between the quantiles at the bounds of a share of one half of as many
    independent rows as the clusters are worth (Woodruff 1952, JASA 47); that number is computed
    from the share of values up to the median.
    """
    numbers = np.asarray(values, dtype=np.float64)
    known = np.isfinite(numbers)
    numbers = np.sort(numbers[known])
    n = len(numbers)
    if n == 0:
        return Estimate.undefined_estimate("there are no values", method="median")
    value = float(np.median(numbers))
    below = (np.asarray(values, dtype=np.float64)[known] <= value).astype(np.float64)
    size, count = _size(below, np.ones(n), np.asarray(clusters)[known], whole=True)
    if count < FEWEST:
        return Estimate(value, None, None, n, "median" + method_ending_if_rows_are_too_few(unit))
    low, _ = wilson_bounds_of_shares(0.5, size, count - 1.0)
    # Rounded to the nearest value: of ten, rounding inwards would cover 89 %.
    at = max(round(float(low) * n), 1) - 1
    bounds = (float(numbers[at]), float(numbers[n - 1 - at]))
    return Estimate(
        value, min(bounds[0], value), max(bounds[1], value), n, f"median; Woodruff over {unit}"
    )


def _score(numbers: Floats, groups: ArrayLike, ends: tuple[float, float], unit: str) -> Estimate:
    low, high = ends
    if numbers.min() < low - 1e-9 or numbers.max() > high + 1e-9:
        raise ValueError(f"a score lies outside {low} and {high}")
    scaled = np.clip((numbers - low) / (high - low), 0.0, 1.0)
    found = _share(scaled, np.ones(len(scaled)), groups, "mean", unit, whole=False)
    value = float(np.sort(numbers).sum() / len(numbers))
    if found.low is None or found.high is None:
        return Estimate(value, None, None, found.n, found.method)
    back = [low + (high - low) * bound for bound in (found.low, found.high)]
    return Estimate(value, min(back[0], value), max(back[1], value), found.n, found.method)
