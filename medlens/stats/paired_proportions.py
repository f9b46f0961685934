"""Two shares of the same cases: their difference, and one as a part of the other.

The test of no difference is the score test that Tango's interval inverts (McNemar's, with t where
pairs lie in clusters), so that p is below 0.05 exactly if the interval excludes 0. Where the two
never differ, nothing is tested.

Source: Tango (1998), Statistics in Medicine 17 (score interval for the difference of paired
proportions). The interval is not a single point even if the two never differ, or always do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medlens.deferred_module import np, scipy
from medlens.stats.estimate import Estimate
from medlens.stats.hypothesis_tests_and_effect_sizes import HypothesisTest, clamp_p_value
from medlens.stats.intervals import (
    FEWEST,
    effective_sample_sizes_and_cluster_counts,
    method_ending_if_rows_are_too_few,
)
from medlens.stats.smoothed_bootstrap import (
    CONFIDENCE,
    Floats,
    Smoothing,
    divide_arrays_or_nan,
    estimate_from_sums,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


_HALVINGS = 60


def estimate_paired_difference(
    first_only: int,
    second_only: int,
    n: int,
    *,
    unit: str = "pairs",
) -> Estimate:
    """First minus second share of ``n`` pairs; the counts are the pairs with only one of the
    two.

    Raises ``ValueError`` unless the two counts fit in ``n``.
    """
    if first_only < 0 or second_only < 0 or first_only + second_only > n:
        raise ValueError(f"{first_only} and {second_only} are not among {n} pairs")
    method = "difference of shares in pairs; Tango"
    if n == 0:
        return Estimate.undefined_estimate("there are no pairs", method=method)
    value = (first_only - second_only) / n
    if n < FEWEST:
        return Estimate(value, None, None, n, method + method_ending_if_rows_are_too_few(unit))
    low, high = low_and_high_tango_bounds(
        first_only, second_only, n, float(scipy.special.ndtri((1 + CONFIDENCE) / 2))
    )
    return _with_test(Estimate(value, low, high, n, method), first_only, second_only, math.inf)


def _with_test(found: Estimate, first_only: float, second_only: float, df: float) -> Estimate:
    """The difference with the p value of its interval's method, if the two ever differ."""
    apart = first_only + second_only
    if not apart:
        return found
    away = -abs(first_only - second_only) / apart**0.5
    p = 2 * float(scipy.special.stdtr(df, away) if df < math.inf else scipy.special.ndtr(away))
    return replace(found, p=clamp_p_value(min(p, 1.0)), method=f"{found.method}, and its test")


def score_test_of_paired_difference(difference: Estimate, apart: int) -> HypothesisTest:
    """The test that belongs to a difference of pairs, of which ``apart`` differ."""
    if difference.p is not None:
        return HypothesisTest(None, difference.p, apart, "score test of the interval")
    reason = "the two never differ" if not apart else "there are too few for an interval"
    return HypothesisTest(None, None, apart, "score test of the interval", reason=reason)


def estimate_clustered_paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike,
    *,
    unit: str,
    weights: ArrayLike | None = None,
) -> Estimate:
    """First minus second share of yes, of pairs (n,) of yes and no in clusters (n,).

    They count as the number of independent pairs that would be as informative; t has the number of
    clusters less one as its degrees of freedom. With one pair per cluster it is
    ``estimate_paired_difference``. ``weights`` (n,) are those of pairs that were drawn with unequal
    probability: how many each stands for.
    """
    pairs = _Pairs.of(first, second, clusters, weights)
    if weights is None and pairs.clusters == pairs.n:
        return estimate_paired_difference(
            int(pairs.first_only), int(pairs.second_only), pairs.n, unit=unit
        )
    method = f"difference of shares in pairs; Tango over {unit}"
    if weights is not None:
        method = f"weighted {method}"
    if not pairs.n:
        return Estimate.undefined_estimate("there are no pairs", method=method)
    n, value = pairs.n, (pairs.first_only - pairs.second_only) / pairs.n
    if pairs.clusters < FEWEST:
        return Estimate(value, None, None, n, method + method_ending_if_rows_are_too_few(unit))
    informative = pairs.first_only * pairs.part, pairs.second_only * pairs.part
    t = float(scipy.special.stdtrit(pairs.df, (1 + CONFIDENCE) / 2))
    low, high = low_and_high_tango_bounds(*informative, n * pairs.part, t)
    found = Estimate(value, min(low, value), max(high, value), n, method)
    return _with_test(found, *informative, pairs.df)


def p_value_against_difference_of_margin(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike,
    *,
    margin: float,
    weights: ArrayLike,
) -> float:
    """One-sided p against a difference of ``margin`` or more, of weighted pairs (n,) as in
    ``estimate_clustered_paired_difference``: from the score that its interval inverts.

    ``margin`` lies between -1 and 1. 1.0 if there are fewer than two clusters.
    """
    pairs = _Pairs.of(first, second, clusters, weights)
    if pairs.clusters < 2:
        return 1.0
    away = _tango_score(
        *(pairs.first_only * pairs.part, pairs.second_only * pairs.part, pairs.n * pairs.part),
        margin,
    )
    return clamp_p_value(float(scipy.special.stdtr(pairs.df, away)))


@dataclass(frozen=True)
class _Pairs:
    """Pairs of yes and no: how many there are, in how many ``clusters``; of how many (weighted)
    only the first or only the second is yes; the ``part`` of all that as many independent pairs as
    are informative would be; and the degrees of freedom.
    """

    n: int
    clusters: int
    first_only: float
    second_only: float
    part: float
    df: float

    @classmethod
    def of(
        cls, first: ArrayLike, second: ArrayLike, clusters: ArrayLike, weights: ArrayLike | None
    ) -> _Pairs:
        one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
        n = len(one)
        if not n:
            return cls(0, 0, 0.0, 0.0, 1.0, 1.0)
        _, codes = np.unique(np.asarray(clusters), return_inverse=True)
        count = int(codes.max()) + 1
        weight = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
        weight = weight * (n / weight.sum())
        alone = float(weight[one > two].sum()), float(weight[two > one].sum())
        value = (alone[0] - alone[1]) / n
        # Treat a difference of -1, 0 or 1 as a score between 0 and 1: the clusters cost the same.
        tops = np.bincount(codes, weights=weight * (one - two + 1) / 2).astype(np.float64)[:, None]
        rows = np.bincount(codes, weights=weight).astype(np.float64)[:, None]
        share = (value + 1) / 2
        sizes, _ = effective_sample_sizes_and_cluster_counts(tops, rows, whole=False)
        plain = max(alone[0] + alone[1] - n * value * value, 0.0) / (4 * n)
        # As many clusters of equal weight as would leave as much to chance (Kish 1965).
        units = float(count) if weights is None else n**2 / float((rows**2).sum())
        independent = share * (1 - share) / plain * n if plain > 0 else units
        part = min(1.0, max(float(sizes[0]) / independent, 1 / n)) if plain > 0 else units / n
        return cls(n, count, *alone, part, max(units - 1, 1.0))


def low_and_high_tango_bounds(
    first_only: float, second_only: float, n: float, z: float
) -> tuple[float, float]:
    """Tango's bounds, by bisection; counts may be fractions."""
    value = (first_only - second_only) / n
    bounds = []
    for sign in (1, -1):
        low, high = (-1.0, value) if sign > 0 else (value, 1.0)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (
                (middle, high)
                if _tango_score(first_only, second_only, n, middle) > sign * z
                else (low, middle)
            )
        bounds.append((low + high) / 2)
    # If the two always differ, the bound is the end itself, which bisection only approaches.
    return (-1.0 if value == -1 else bounds[0], 1.0 if value == 1 else bounds[1])


def _tango_score(first_only: float, second_only: float, n: float, delta: float) -> float:
    """How far the difference lies from ``delta``, in the standard errors that are likely if it is
    ``delta``.
    """
    b = -first_only - second_only + (2 * n - first_only + second_only) * delta
    c = -second_only * delta * (1 - delta)
    rare = (max(b * b - 8 * n * c, 0.0) ** 0.5 - b) / (4 * n)
    variance = n * (2 * rare + delta * (1 - delta))
    away = first_only - second_only - n * delta
    return float(away / max(variance, 1e-300) ** 0.5)


def estimate_paired_ratio(
    part: ArrayLike,
    whole: ArrayLike,
    clusters: ArrayLike,
    *,
    unit: str,
) -> Estimate:
    """The share of yes in ``part`` over that in ``whole``, of pairs (n,) in clusters (n,)."""
    one, two = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    method = "ratio of shares in pairs"
    if len(one) == 0:
        return Estimate.undefined_estimate("there are no pairs", method=method)
    _, codes = np.unique(np.asarray(clusters), return_inverse=True)
    rows = np.column_stack([np.bincount(codes, weights=each) for each in (one, two)]).astype(float)
    size = len(one) / len(rows)
    patterns = size * np.array([[1.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    types, times = np.unique(rows, axis=0, return_counts=True)
    smoothing = Smoothing(
        patterns, np.array([0.5, 0.5, 0.25, 0.25]), int(times.sum() - times.max())
    )

    def statistic(sums: Floats) -> Floats:
        return divide_arrays_or_nan(sums[:, 0], sums[:, 1])

    return estimate_from_sums(
        types,
        times.astype(np.int64),
        statistic,
        smoothing=smoothing,
        method=method,
        undefined_because="the share that it is divided by is zero",
        unit=unit,
        n=len(one),
    )


_ROUNDS = 300
_CLOSE = 1e-7


# Preferences between pairs: strengths in the Bradley-Terry model.
#
# Source: Bradley & Terry (1952), Biometrika 39; fitted by the algorithm of Hunter (2004), Annals
# of Statistics 32, section 2. A tie is half a win for each side.


def bradley_terry_strengths(wins: Floats) -> Floats:
    """Strengths (m, k) that sum to 1, from wins (m, k, k) of the row over the column.

    A side that never won has strength 0.
    """
    games = wins + np.swapaxes(wins, 1, 2)
    won = wins.sum(axis=2)
    found = np.full(won.shape, 1.0 / won.shape[1])
    for _ in range(_ROUNDS):
        shared = divide_arrays_or_nan(games, found[:, :, None] + found[:, None, :])
        new = divide_arrays_or_nan(won, np.nansum(shared, axis=2))
        new = np.nan_to_num(new)
        new /= np.maximum(new.sum(axis=1, keepdims=True), 1e-300)
        near = float(np.abs(new - found).max(initial=0.0)) < _CLOSE
        found = new
        if near:
            break
    return found
