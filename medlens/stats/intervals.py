"""Proportions and means with their intervals.

Sources: Wilson (1927), JASA 22; Clopper & Pearson (1934), Biometrika 26; percentile bootstrap and
the cluster bootstrap, Efron & Tibshirani (1993) and Davison & Hinkley (1997), section 3.8.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri

from medlens.stats.estimate import FRACTIONAL, Estimate
from medlens.stats.resampling import (
    CONFIDENCE,
    RESAMPLES,
    SEED,
    Floats,
    from_sums,
    percentile_interval,
    ratio,
    types_of,
)

_CHUNK_CELLS = 4_000_000


def wilson(successes: int, n: int, *, confidence: float = CONFIDENCE) -> Estimate:
    """A proportion with Wilson's score interval (no continuity correction).

    Raises ``ValueError`` unless 0 <= successes <= n.
    """
    _check_counts(successes, n)
    return _wilson(successes, n, "Wilson", confidence)


def wilson_mean(total: float, n: int, *, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of ``n`` scores between 0 and 1 that add up to ``total``, with Wilson's interval.

    No scores between 0 and 1 vary more than yes and no do at the same mean, so that the interval
    is wide enough, and the usual one where every score is 0 or 1. ``numerator`` is the rounded
    total; ``value`` is not rounded.

    Raises ``ValueError`` unless 0 <= total <= n, but for a hair of floating point.
    """
    if not -1e-6 * n <= total <= n * (1 + 1e-6):
        raise ValueError(f"{n} scores between 0 and 1 cannot add up to {total}")
    nearest = round(total)
    if abs(total - nearest) <= 1e-6:
        return _wilson(nearest, n, "Wilson", confidence)
    method = f"Wilson, {FRACTIONAL} (rounded for tests)"
    return _wilson(total, n, method, confidence)


def _wilson(total: float, n: int, method: str, confidence: float) -> Estimate:
    if n == 0:
        return Estimate.undefined("there is nothing to count", method="Wilson", denominator=0)
    z = float(ndtri((1 + confidence) / 2))
    share = total / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    # At 0 and n the limit is 0 or 1 exactly; floating point would miss it by a hair.
    low = 0.0 if total == 0 else max(0.0, centre - half)
    high = 1.0 if total == n else min(1.0, centre + half)
    return Estimate(share, low, high, n, method, numerator=round(total), denominator=n)


def exact(successes: int, n: int, *, confidence: float = CONFIDENCE) -> Estimate:
    """A proportion with the exact interval of Clopper and Pearson.

    Raises ``ValueError`` unless 0 <= successes <= n.
    """
    _check_counts(successes, n)
    if n == 0:
        return Estimate.undefined(
            "there is nothing to count", method="Clopper-Pearson", denominator=0
        )
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes == n else float(betaincinv(successes + 1, n - successes, 1 - tail))
    return Estimate(
        successes / n, low, high, n, "Clopper-Pearson", numerator=successes, denominator=n
    )


def bootstrap_mean(
    values: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    unit: str = "items",
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Estimate:
    """The mean of ``values`` (n,), NaN left out, with a percentile bootstrap interval.

    With ``clusters`` (n,) whole clusters are drawn; ``n`` stays the number of values. ``unit``
    names what is drawn.
    """
    numbers = np.asarray(values, dtype=np.float64)
    known = np.isfinite(numbers)
    groups = None if clusters is None else np.asarray(clusters)[known]
    return bootstrap_ratio(
        numbers[known],
        np.ones(int(known.sum())),
        clusters=groups,
        method="mean",
        unit=unit,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )


def bootstrap_ratio(
    numerators: ArrayLike,
    denominators: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    method: str = "ratio of sums",
    unit: str = "items",
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Estimate:
    """Sum of ``numerators`` (n,) over sum of ``denominators`` (n,), with a bootstrap interval.

    Rows are drawn whole (paired); with ``clusters`` (n,) whole clusters are. ``n`` is the number
    of rows.
    """
    rows = np.column_stack(
        [np.asarray(numerators, dtype=np.float64), np.asarray(denominators, dtype=np.float64)]
    )
    if len(rows) == 0:
        return Estimate.undefined("there are no values", method=method)
    units = rows
    if clusters is not None:
        # Sorted rows make the sums within a cluster independent of the order the rows came in.
        _, codes = np.unique(np.asarray(clusters), return_inverse=True)
        order = np.lexsort((rows[:, 1], rows[:, 0], codes))
        units = np.column_stack(
            [np.bincount(codes[order], weights=rows[order, column]) for column in (0, 1)]
        )
    types, times = types_of(units)
    return from_sums(
        types,
        times,
        lambda sums: ratio(sums[:, 0], sums[:, 1]),
        method=method,
        undefined_because="the denominators add up to zero",
        unit=unit,
        n=len(rows),
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )


def bootstrap(
    statistic: Callable[[Floats], Floats],
    n: int,
    *,
    clusters: ArrayLike | None = None,
    method: str = "statistic",
    unit: str = "items",
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Estimate:
    """Any statistic of weighted rows, with a percentile bootstrap interval.

    ``statistic`` takes weights (m, n), how often each of the ``n`` rows was drawn, and returns
    (m,), NaN where undefined. With ``clusters`` (n,) whole clusters are drawn.
    """
    if n == 0:
        return Estimate.undefined("there are no values", method=method)
    groups = np.arange(n) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    value = float(statistic(np.ones((1, n)))[0])
    if not math.isfinite(value):
        return Estimate.undefined("the statistic has no value for these data", n, method=method)
    units = int(groups.max()) + 1
    if units < 2:
        return Estimate(value, None, None, n, f"{method}; no interval from one of the {unit}")
    rng = np.random.default_rng(seed)
    chunk = max(1, _CHUNK_CELLS // n)
    drawn = np.empty(resamples)
    for first in range(0, resamples, chunk):
        size = min(chunk, resamples - first)
        picks = rng.integers(0, units, size=(size, units)) + np.arange(size)[:, None] * units
        weights = np.bincount(picks.ravel(), minlength=size * units).reshape(size, units)
        drawn[first : first + size] = statistic(weights[:, groups].astype(np.float64))
    low, high, left_out = percentile_interval(drawn, confidence=confidence)
    method += f"; bootstrap over {unit}, {resamples} resamples"
    if low == high:
        low = high = None
        method += ", no interval: they are all alike"
    elif left_out:
        method += f", {left_out} without a value left out"
    return Estimate(value, low, high, n, method)


def _check_counts(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is not a proportion")
