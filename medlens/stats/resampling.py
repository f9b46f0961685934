"""The bootstrap that every interval here rests on: whole units are drawn with replacement.

A statistic that depends on sums over units (a mean, a ratio, an alpha) needs no loop. Units that
contribute the same numbers are one *type*; how often each type is drawn is multinomial, and the
drawn sums are one matrix product. Types are sorted, so that the same units in another order give
the same figures to the last digit.

Source: Efron & Tibshirani, An Introduction to the Bootstrap (1993), section 13.3 (percentile).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from medlens.stats.estimate import Estimate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RESAMPLES = 1000
SEED = 20240413
CONFIDENCE = 0.95

_CHUNK_CELLS = 4_000_000
_FEW_TYPES = 100_000


def types_of(contributions: ArrayLike) -> tuple[Floats, Ints]:
    """The distinct rows of (units, k) in sorted order, and how many units have each."""
    rows = np.asarray(contributions, dtype=np.float64)
    if len(rows) == 0:
        return rows, np.zeros(0, dtype=np.int64)
    sizes = rows.max(axis=0) + 1
    if rows.min() >= 0 and sizes.prod() <= _FEW_TYPES and (rows == np.floor(rows)).all():
        # Small whole numbers are counted, an order of magnitude faster than sorted.
        shape = tuple(int(size) for size in sizes)
        counts = np.bincount(np.ravel_multi_index(tuple(rows.astype(np.int64).T), shape))
        seen = np.flatnonzero(counts)
        return np.column_stack(np.unravel_index(seen, shape)).astype(np.float64), counts[seen]
    types, times = np.unique(rows, axis=0, return_counts=True)
    return types, times.astype(np.int64)


def drawn_sums(
    types: Floats, times: Ints, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Floats:
    """Sums of the contributions in each resample, (resamples, k).

    ``types`` is (types, k), ``times`` (types,) the units of each type. Each resample draws as many
    units as there are.
    """
    rng = np.random.default_rng(seed)
    units, kinds = int(times.sum()), len(times)
    # Measured: a binomial draw per type costs about ten times a uniform draw per unit.
    if kinds * 10 <= units:
        return np.asarray(rng.multinomial(units, times / units, size=resamples) @ types)
    type_of_unit = np.repeat(np.arange(kinds), times)
    sums = np.empty((resamples, types.shape[1]))
    chunk = max(1, _CHUNK_CELLS // units)
    for first in range(0, resamples, chunk):
        size = min(chunk, resamples - first)
        drawn = type_of_unit[rng.integers(0, units, size=(size, units))]
        drawn += np.arange(size)[:, None] * kinds
        weights = np.bincount(drawn.ravel(), minlength=size * kinds).reshape(size, kinds)
        sums[first : first + size] = weights @ types
    return sums


def percentile_interval(
    statistics: Floats, *, confidence: float = CONFIDENCE
) -> tuple[float | None, float | None, int]:
    """Low, high, and how many resamples had no value (NaN) and were left out.

    No interval where more than half of the resamples had none: it would describe other data.
    """
    usable = statistics[np.isfinite(statistics)]
    left_out = len(statistics) - len(usable)
    if len(usable) * 2 < len(statistics) or len(usable) == 0:
        return None, None, left_out
    low, high = np.quantile(usable, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high), left_out


def from_sums(
    types: Floats,
    times: Ints,
    statistic: Callable[[Floats], Floats],
    *,
    method: str,
    undefined_because: str,
    unit: str = "items",
    n: int | None = None,
    pairs: int | None = None,
    coverage: float | None = None,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Estimate:
    """Estimate a statistic of sums over units, with a percentile bootstrap interval over units.

    ``statistic`` takes sums (m, k) and returns (m,), NaN where it has no value. ``n`` is the number
    of units unless given.
    """
    units = int(times.sum())
    shown = units if n is None else n
    value = float(statistic(np.asarray(times @ types, dtype=np.float64)[None, :])[0])
    if not math.isfinite(value):
        return Estimate.undefined(
            undefined_because, shown, method=method, pairs=pairs, coverage=coverage
        )
    low: float | None = None
    high: float | None = None
    if units < 2:
        method += f"; no interval from one of the {unit}"
    else:
        sums = drawn_sums(types, times, resamples=resamples, seed=seed)
        low, high, left_out = percentile_interval(statistic(sums), confidence=confidence)
        method += f"; bootstrap over {unit}, {resamples} resamples"
        if low is None:
            method += f", no interval: {left_out} of them have no value"
        elif low == high:
            # Units that are all alike are no evidence of certainty.
            low = high = None
            method += ", no interval: they are all alike"
        elif left_out:
            method += f", {left_out} without a value left out"
    return Estimate(
        value=value,
        low=low,
        high=high,
        n=shown,
        method=method,
        pairs=pairs,
        coverage=coverage,
    )


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Elementwise division with NaN, unwarned, where the denominator is zero."""
    result = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result
