"""Figures made from people's judgments, which lie in items and in raters: one place for all.

Each statistic is a sum over judgments, or is made one by its influence function: how much each
judgment moves it. Squared sums of these by item, by rater, and by what one rater said of one item
give its variance (Cameron, Gelbach and Miller 2011): items + raters - cells, never below the larger
of the first two. Degrees of freedom are Satterthwaite's. Where raters are too few, or the panel is
fixed, it is that of the items alone (``inference_scope``). A test beside an interval comes from the
same variance and the same degrees of freedom, at the value of the null hypothesis, so that p is
below 0.05 exactly if the interval excludes that value.

Sources: Cameron, Gelbach & Miller (2011), JBES 29; Satterthwaite (1946), Biometrics Bulletin 2;
Korn & Graubard (1998), Survey Methodology 24; Woodruff (1952), JASA 47.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import ArrayLike

from medlens.stats.estimate import Estimate
from medlens.stats.inference_scope import RATERS_LIKE_THESE, Judgments, Method
from medlens.stats.intervals import (
    EXTREME,
    FEWEST,
    Kind,
    effective_sizes,
    score_bounds,
    sums_by_cluster,
    too_few,
)
from medlens.stats.resampling import CONFIDENCE, Floats


@dataclass(frozen=True)
class _Precision:
    """How sure a figure is: its ``variance`` or, for shares of a range, the ``size`` in independent
    rows; degrees of freedom; over which units, in words; whom it speaks for.
    """

    amount: float
    df: float
    over: str
    speaks_for: str


def _combined(
    of_items: float, of_raters: float, of_cells: float, items: int, raters: int
) -> tuple[float, float]:
    """Variance and degrees of freedom from one-way variances over items, raters and cells."""
    amount = max(of_items, of_raters, of_items + of_raters - of_cells)
    parts = of_items**2 / max(items - 1, 1) + of_raters**2 / max(raters - 1, 1)
    df = (of_items + of_raters) ** 2 / parts if parts > 0 else min(items, raters) - 1.0
    return amount, df


def _size(
    tops: Floats, bottoms: Floats, judgments: Judgments, method: Method, *, whole: bool
) -> _Precision:
    """The number of independent rows as informative as the judgments, for a share of a range."""

    def size_over(codes: ArrayLike, extreme: float) -> float:
        summed = sums_by_cluster(tops, bottoms, codes)
        sizes, _ = effective_sizes(*summed, whole=whole, extreme=extreme)
        return float(sizes[0])

    items, raters = judgments.item_count, judgments.rater_count
    of_items = size_over(judgments.item_codes, EXTREME)
    if not judgments.can_speak_for_others(method) or items < FEWEST:
        return _Precision(of_items, items - 1.0, judgments.unit, judgments.these)
    # The extremes are added once, to the items.
    of_raters = size_over(judgments.rater_codes, 0.0)
    of_cells = size_over(judgments.cell_codes, 0.0)
    amount, df = _combined(1 / of_items, 1 / of_raters, 1 / of_cells, items, raters)
    return _Precision(max(1.0, 1 / amount), df, f"{judgments.unit} and raters", RATERS_LIKE_THESE)


def share(hits: ArrayLike, judgments: Judgments) -> Estimate:
    """The share of yes among judgments (n,) of yes and no, with Wilson's interval."""
    given = np.asarray(hits, dtype=np.float64)
    return _share(given, judgments, "share", whole=True)


def _share(given: Floats, judgments: Judgments, method: Method, *, whole: bool) -> Estimate:
    n, name = len(given), "share" if method == "share" else "mean"
    if n == 0:
        return Estimate.undefined("there is nothing to count", method=name, denominator=0)
    value, top = float(np.sort(given).sum() / n), round(float(given.sum()))
    if judgments.item_count < FEWEST:
        name += too_few(judgments.unit)
        return Estimate(value, None, None, n, name, top, n, speaks_for=judgments.these)
    sure = _size(given, np.ones(n), judgments, method, whole=whole)
    low, high = map(float, score_bounds(value, sure.amount, sure.df))
    alone = whole and judgments.item_count == n and sure.speaks_for != RATERS_LIKE_THESE
    name = "Wilson" if alone else f"{name}; Wilson over {sure.over}"
    return Estimate(value, low, high, n, name, top, n, speaks_for=sure.speaks_for)


def _variance(influence: Floats, judgments: Judgments, method: Method) -> _Precision:
    """The variance of a statistic from the influence of each judgment (n,), which sum to 0."""

    def squares(codes: ArrayLike, *, corrected: bool = True) -> float:
        sums = np.bincount(np.asarray(codes), weights=influence)
        filled = len(sums)
        return float((sums**2).sum()) * (filled / max(filled - 1, 1) if corrected else 1.0)

    items, raters = judgments.item_count, judgments.rater_count
    of_items = squares(judgments.item_codes)
    if not judgments.can_speak_for_others(method) or items < FEWEST:
        return _Precision(of_items, items - 1.0, judgments.unit, judgments.these)
    of_raters = squares(judgments.rater_codes)
    of_cells = squares(judgments.cell_codes, corrected=False)
    amount, df = _combined(of_items, of_raters, of_cells, items, raters)
    return _Precision(amount, df, f"{judgments.unit} and raters", RATERS_LIKE_THESE)


def _t(df: float) -> float:
    return float(scipy.special.stdtrit(df, (1 + CONFIDENCE) / 2))


def mean(
    values: ArrayLike, judgments: Judgments, *, kind: Kind | tuple[float, float] = "amount"
) -> Estimate:
    """The mean of judgments (n,), those that are NaN left out.

    ``kind`` is as in ``intervals.mean``: two ends of a scale, "amount" or "difference".

    Raises:
        ValueError: a value is not of its kind.
    """
    numbers = np.asarray(values, dtype=np.float64)
    known = np.isfinite(numbers)
    numbers, of = numbers[known], judgments.among(known)
    n = len(numbers)
    if n == 0:
        return Estimate.undefined("there are no values", method="mean")
    value = float(np.sort(numbers).sum() / n)
    if not isinstance(kind, str):
        low, high = kind
        if numbers.min() < low - 1e-9 or numbers.max() > high + 1e-9:
            raise ValueError(f"a score lies outside {low} and {high}")
        part = _share(np.clip((numbers - low) / (high - low), 0, 1), of, "mean", whole=False)
        part = replace(part, numerator=None, denominator=None)
        if part.low is None or part.high is None:
            return replace(part, value=value)
        back = [low + (high - low) * bound for bound in (part.low, part.high)]
        return replace(part, value=value, low=min(back[0], value), high=max(back[1], value))
    if kind == "amount" and numbers.min() < 0:
        raise ValueError("an amount is not below zero")
    if of.item_count < FEWEST:
        name = "mean" + too_few(of.unit)
        return Estimate(value, None, None, n, name, speaks_for=of.these)
    sure = _variance((numbers - value) / n, of, "mean")
    if sure.amount <= 1e-18 * max(1.0, value * value):
        name = "mean, no interval: they are all alike"
        return Estimate(value, None, None, n, name, speaks_for=of.these)
    t = _t(sure.df)
    if kind == "difference":
        half, name = t * sure.amount**0.5, f"mean; t over {sure.over}"
        return Estimate(value, value - half, value + half, n, name, speaks_for=sure.speaks_for)
    size = value / sure.amount
    if np.array_equal(numbers, np.floor(numbers)):
        # Counts vary at least as much as Poisson's; a smaller variance would be luck.
        size = min(size, float(n))
    half = t * (value / size + t * t / (4 * size * size)) ** 0.5
    centre = value + t * t / (2 * size)
    name = f"mean; score interval over {sure.over}"
    return Estimate(
        value, max(0.0, centre - half), centre + half, n, name, speaks_for=sure.speaks_for
    )


def median(values: ArrayLike, judgments: Judgments) -> Estimate:
    """The median of judgments (n,), those that are NaN left out, with Woodruff's interval."""
    numbers = np.asarray(values, dtype=np.float64)
    known = np.isfinite(numbers)
    given, of = numbers[known], judgments.among(known)
    n, ordered = len(given), np.sort(given)
    if n == 0:
        return Estimate.undefined("there are no values", method="median")
    value = float(np.median(ordered))
    if of.item_count < FEWEST:
        name = "median" + too_few(of.unit)
        return Estimate(value, None, None, n, name, speaks_for=of.these)
    below = (given <= value).astype(np.float64)
    sure = _size(below, np.ones(n), of, "median", whole=True)
    low, _ = score_bounds(0.5, sure.amount, sure.df)
    # Rounded to the nearest value: of ten, rounding inwards would cover 89 %.
    at = max(round(float(low) * n), 1) - 1
    return Estimate(
        value,
        min(float(ordered[at]), value),
        max(float(ordered[n - 1 - at]), value),
        n,
        f"median; Woodruff over {sure.over}",
        speaks_for=sure.speaks_for,
    )
