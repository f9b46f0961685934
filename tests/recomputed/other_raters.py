"""Intervals that speak for other raters too (`docs/statistics.md`), judgment by judgment."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import scipy.stats
from numpy.typing import NDArray

from tests.recomputed.resampled import Bounds
from tests.recomputed.second_opinion import FEWEST, Expected, effective_rows, ratio, wilson

Floats = NDArray[np.float64]


def speak_for_others(raters: Sequence[Hashable]) -> bool:
    """Four raters or more, in effect three or more."""
    counts = pd.Series(list(raters)).value_counts()
    return len(counts) >= 4 and counts.sum() ** 2 >= 3 * (counts**2).sum()


def _unequal_work(raters: Sequence[Hashable]) -> tuple[float, float]:
    """What raters' squared sums must be multiplied by, and the effective number of raters."""
    part = pd.Series(list(raters)).value_counts(normalize=True).to_numpy()
    # The mean square of a rater's difference from the weighted mean of all, times its weight.
    pulled = sum(one**2 * ((1 - one) ** 2 + (part**2).sum() - one**2) for one in part)
    return float((part**2).sum() / pulled), float(1 / (part**2).sum())


def _together(
    parts: tuple[float, float, float], items: Sequence[Hashable], raters: Sequence[Hashable]
) -> tuple[float, float]:
    """Variance and degrees of freedom from those of items, of raters, and of their cells."""
    of_items, of_raters, of_cells = parts
    alone_items, alone_raters = len(set(items)) / len(items), len(set(raters)) / len(raters)
    left, own = 1 - alone_items - alone_raters, of_cells
    if left >= 0.25:
        own = float(
            np.clip((of_cells - of_items * alone_items - of_raters * alone_raters) / left, 0, own)
        )
    free = _unequal_work(raters)[1] - 1
    df = (of_items + of_raters) ** 2 / (
        of_items**2 / max(len(set(items)) - 1, 1) + of_raters**2 / free
    )
    return max(of_items, of_raters, of_items + of_raters - own), df


def share(
    hits: Iterable[bool], *, items: Sequence[Hashable], raters: Sequence[Hashable]
) -> Expected:
    """A share of judgments: Wilson over items and raters."""
    hit = np.asarray(list(hits), float)
    alone = ratio(hit, np.ones(len(hit)), by=items) if len(hit) else Expected(None)
    if len(set(items)) < FEWEST or not speak_for_others(raters):
        return alone
    table = pd.DataFrame({"top": hit, "rows": 1.0, "item": list(items), "rater": list(raters)})

    def variance(by: Sequence[str], extreme: float) -> float:
        sums = table.groupby(list(by))[["top", "rows"]].sum()
        return 1 / effective_rows(sums["top"].tolist(), sums["rows"].tolist(), extreme=extreme)

    correction, _ = _unequal_work(raters)
    people = len(set(raters))
    parts = (
        variance(["item"], 0.1),
        correction * (people - 1) / people * variance(["rater"], 0.0),
        variance(["item", "rater"], 0.0),
    )
    amount, df = _together(parts, items, raters)
    low, high = wilson(float(hit.mean()), max(1 / amount, 1.0), df)
    return replace(alone, low=low, high=high)


def widened(
    found: tuple[float, Bounds | None],
    rows: Floats,
    statistic: Callable[[Floats], Floats],
    *,
    items: Sequence[Hashable],
    raters: Sequence[Hashable],
    least: float,
) -> tuple[float, Bounds | None]:
    """A resampled interval, both sides as much longer as the error is with raters. ``rows`` (n, k)
    are what each judgment adds to the sums; the figure lies between ``least`` and 1."""
    value, bounds = found
    if bounds is None or not speak_for_others(raters) or len(set(items)) < FEWEST:
        return found
    whole, step = rows.sum(axis=0), 1e-4
    moved = (statistic(whole + step * rows) - statistic(whole - step * rows)) / (2 * step)
    table = pd.DataFrame({"moved": moved, "item": list(items), "rater": list(raters)})

    def squares(*by: str) -> float:
        return float((table.groupby(list(by))["moved"].sum() ** 2).sum())

    many = len(set(items))
    alone = squares("item") * many / (many - 1)
    parts = (alone, squares("rater") * _unequal_work(raters)[0], squares("item", "rater"))
    amount, df = _together(parts, items, raters)
    if not alone:
        return found
    t = scipy.stats.t.ppf(0.975, df) / scipy.stats.t.ppf(0.975, many - 1)
    wider = max(1.0, float(t * (amount / alone) ** 0.5))

    def out(end: float) -> float:
        return float(np.clip(value + wider * (end - value), least, 1.0))

    ends = (out(bounds.low), out(bounds.high))
    return value, Bounds(*ends, tuple(map(out, bounds.lows)), tuple(map(out, bounds.highs)))
