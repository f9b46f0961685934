"""Smoothed resampling (`docs/statistics.md`), item by item and with draws of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.stats
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DRAWS = 8_000
FEWEST = 10
PRODUCT_DRAWS = 1000
RARELY = 1e-5
"""How seldom a bound of a thousand draws lies further from mine than it may, either way."""

Widen = Callable[["tuple[float, Bounds | None]", Floats, Callable[[Floats], Floats]], Any]
"""Makes of an interval over items one over items and raters (``other_raters.widened``)."""

Unit = tuple[float, ...]
"""The ratings of an item, one for each rater."""


@dataclass(frozen=True)
class Bounds:
    """An interval, and between what another thousand draws may put its ends."""

    low: float
    high: float
    lows: tuple[float, float]
    highs: tuple[float, float]

    def allows(self, end: str, given: float) -> bool:
        """Whether a bound can come of a thousand draws."""
        least, most = self.lows if end == "low" else self.highs
        return least - 1e-9 <= given <= most + 1e-9

    def reaching(self, low: float, high: float) -> Bounds:
        """The same, but no narrower than from ``low`` to ``high``."""
        return Bounds(
            min(self.low, low),
            max(self.high, high),
            (min(self.lows[0], low), min(self.lows[1], low)),
            (max(self.highs[0], high), max(self.highs[1], high)),
        )


def resample(
    seen: Floats,
    unseen: Floats,
    weights: Floats,
    differing: int,
    value: float,
    statistic: Callable[[Floats], Floats],
    draws: int = DRAWS,
) -> Bounds | None:
    """The interval of a statistic of sums, of the sums (units, k) of what was ``seen``.

    ``unseen`` (patterns, k) is what might have been, ``weights`` (patterns,) how much of a unit of
    each is added. ``differing`` units are not of the commonest pattern.
    """
    units = len(seen)
    if units < FEWEST or not math.isfinite(value):
        return None
    rng = np.random.default_rng(units)
    shares = rng.dirichlet(np.concatenate([np.ones(units), weights]), size=draws)
    drawn = statistic(units * shares @ np.concatenate([seen, unseen]))
    usable = drawn[np.isfinite(drawn)]
    if len(usable) < draws / 2:
        return None
    tail = float(scipy.stats.norm.sf(scipy.stats.t.ppf(0.975, differing + 3)))
    least, most = scipy.stats.binom.ppf([RARELY, 1 - RARELY], PRODUCT_DRAWS, tail) / PRODUCT_DRAWS
    shares = [tail, max(least - 1 / PRODUCT_DRAWS, 0.0), most + 1 / PRODUCT_DRAWS]
    low, *lows = np.quantile(usable, shares)
    high, *highs = np.quantile(usable, [1 - share for share in shares])
    found = Bounds(low, high, (min(lows), max(lows)), (min(highs), max(highs)))
    return found.reaching(value, value)


# -- ratings ---------------------------------------------------------------------------------------


def unseen_ratings(
    items: Sequence[Unit], possible: Sequence[float] = ()
) -> tuple[list[Unit], list[float], float]:
    """Patterns of ratings that might have been seen, how much of an item of each is added, and the
    commonest value. All ``possible`` values might, if these are known.

    One item (for two raters) on which all agree, spread over the values: two ratings, however many
    raters; and half an item on which one differs from the commonest value, or alone gives it.
    """
    every = [rating for item in items for rating in item]
    values = sorted({*every, *possible})
    common = max(values, key=lambda value: (every.count(value), -value))
    patterns: list[Unit] = []
    weights: list[float] = []
    sizes = [len(item) for item in items if len(item) >= 2]
    for size in sorted(set(sizes)):
        share = sizes.count(size) / len(items)
        patterns += [(value,) * size for value in values]
        weights += [share * 2 / (size * len(values))] * len(values)
        for value in values:
            if value != common:
                patterns += [(common,) * (size - 1) + (value,), (value,) * (size - 1) + (common,)]
                weights += [share / 4 / (len(values) - 1)] * 2
    return patterns, weights, common


def of_ratings(
    items: Sequence[Unit],
    sums: Callable[[Unit], Sequence[float]],
    statistic: Callable[[Floats], Floats],
    *,
    once_too: bool = False,
    within: Sequence[str] | None = None,
    possible: Sequence[float] = (),
) -> tuple[float, Bounds | None]:
    """A statistic of the sums over items of ratings, and its interval; ``once_too``: items that
    were rated once count as well. What lies ``within`` the same is drawn together."""
    names = [str(at) for at in range(len(items))] if within is None else list(within)
    least = 1 if once_too else 2
    kept = [(name, item) for name, item in zip(names, items, strict=True) if len(item) >= least]
    if not any(len(item) >= 2 for _, item in kept):
        return math.nan, None
    patterns, weights, common = unseen_ratings([item for _, item in kept], possible)
    wholes = {name: np.zeros(len(sums(kept[0][1]))) for name, _ in kept}
    odd = set()
    for name, item in kept:
        wholes[name] = wholes[name] + np.array(sums(item), dtype=float)
        if any(rating != common for rating in item):
            odd.add(name)
    seen = np.array(list(wholes.values()))
    value = float(statistic(seen.sum(axis=0)[None, :])[0])
    unseen = len(kept) / len(seen) * np.array([sums(item) for item in patterns], dtype=float)
    return value, resample(seen, unseen, np.array(weights), len(odd), value, statistic)


def divided(top: Floats, bottom: Floats) -> Floats:
    """A quotient, nothing where the divisor is nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(bottom) > 1e-12, top / bottom, np.nan)


def alpha(
    items: Sequence[Unit],
    apart: Callable[[float, float], float],
    *,
    within: Sequence[str] | None = None,
) -> tuple[float, Bounds | None]:
    """Krippendorff's alpha with any distance that does not depend on how often values are given."""
    values = sorted({rating for item in items for rating in item})
    distance = np.array([[apart(one, two) for two in values] for one in values])

    def sums(item: Unit) -> list[float]:
        counts = [item.count(value) for value in values]
        pairs = sum(
            distance[a, b] * counts[a] * counts[b]
            for a in range(len(values))
            for b in range(len(values))
            if a != b
        )
        return [pairs / (len(item) - 1), *counts]

    def statistic(drawn: Floats) -> Floats:
        given = drawn[:, 1:]
        many = given.sum(axis=1)
        expected = ((given @ distance) * given).sum(axis=1) / (many - 1)
        return 1 - divided(drawn[:, 0], expected)

    return of_ratings(items, sums, statistic, within=within)


def ordinal_alpha(items: Sequence[Unit]) -> tuple[float, Bounds | None]:
    """Krippendorff's alpha for ordered values: how many ratings lie between two, of each draw."""
    values = sorted({rating for item in items for rating in item})
    many = len(values)

    def sums(item: Unit) -> list[float]:
        counts = np.array([item.count(value) for value in values], float)
        met = (np.outer(counts, counts) - np.diag(counts)) / (len(item) - 1)
        return [*met.ravel(), *counts]

    def statistic(drawn: Floats) -> Floats:
        found = np.empty(len(drawn))
        for at, row in enumerate(drawn):
            met, given = row[: many**2].reshape(many, many), row[many**2 :]
            upto = np.cumsum(given) - given / 2
            distance = (upto[:, None] - upto[None, :]) ** 2
            expected = (np.outer(given, given) * distance).sum() / (given.sum() - 1)
            found[at] = 1 - (met * distance).sum() / expected if expected > 1e-12 else np.nan
        return found

    return of_ratings(items, sums, statistic)


def gwet(
    items: Sequence[Unit], values: Sequence[float], *, ordinal: bool = False
) -> tuple[float, Bounds | None]:
    """Gwet's AC1, or AC2 with ordinal weights, of a scale with these points."""
    points = len(values)
    alike = np.eye(points)
    if ordinal:
        for a in range(points):
            for b in range(points):
                far = abs(a - b)
                alike[a, b] = 1 - math.comb(far + 1, 2) / math.comb(points, 2)

    def sums(item: Unit) -> list[float]:
        raters = len(item)
        shares = [item.count(value) / raters for value in values]
        if raters < 2:
            return [0.0, 0.0, 1.0, *shares]
        agreed = [
            alike[values.index(item[a]), values.index(item[b])]
            for a in range(raters)
            for b in range(raters)
            if a != b
        ]
        return [sum(agreed) / len(agreed), 1.0, 1.0, *shares]

    def statistic(drawn: Floats) -> Floats:
        observed = divided(drawn[:, 0], drawn[:, 1])
        shares = drawn[:, 3:] / drawn[:, [2]]
        chance = alike.sum() / (points * (points - 1)) * (shares * (1 - shares)).sum(axis=1)
        return divided(observed - chance, 1 - chance)

    return of_ratings(items, sums, statistic, once_too=True, possible=values)


def fleiss(items: Sequence[Unit]) -> tuple[float, Bounds | None]:
    """Fleiss' kappa of items that as many people rated."""
    values = sorted({rating for item in items for rating in item})

    def sums(item: Unit) -> list[float]:
        counts = np.array([item.count(value) for value in values], float)
        raters = len(item)
        return [
            float((counts * (counts - 1)).sum() / (raters * (raters - 1))),
            1.0,
            *(counts / raters),
        ]

    def statistic(drawn: Floats) -> Floats:
        observed, shares = drawn[:, 0] / drawn[:, 1], drawn[:, 2:] / drawn[:, [1]]
        chance = (shares**2).sum(axis=1)
        return divided(observed - chance, 1 - chance)

    return of_ratings(items, sums, statistic)


def icc(
    items: Sequence[Unit], *, of_means: bool = False, within: Sequence[str] | None = None
) -> tuple[float, Bounds | None]:
    """ICC(1, 1), or of the mean of as many ratings as items have, from a one-way analysis of
    variance with unequal groups."""

    def sums(item: Unit) -> list[float]:
        raters = len(item)
        total, squares = sum(item), sum(rating**2 for rating in item)
        return [1.0, raters, raters**2, total, total**2 / raters, squares]

    def statistic(drawn: Floats) -> Floats:
        groups, n, squared, total, between, squares = drawn.T
        of_groups = divided(between - total**2 / n, groups - 1)
        error = divided(squares - between, n - groups)
        size = divided(n - squared / n, groups - 1)
        spread = divided(of_groups - error, size)
        if of_means:
            return divided(spread, spread + error / size)
        return divided(spread, spread + error)

    return of_ratings(items, sums, statistic, within=within, once_too=True)


# -- pairs -----------------------------------------------------------------------------------------


def kappa(
    pairs: Sequence[tuple[float, float]],
    *,
    quadratic: bool = False,
    items: Sequence[str] | None = None,
    widen: Widen | None = None,
) -> tuple[float, Bounds | None]:
    """Cohen's kappa of two who can be told apart, in ``items`` that are drawn whole."""
    values = sorted({value for pair in pairs for value in pair})
    many = len(values)
    apart = np.array(
        [[(one - two) ** 2 if quadratic else float(one != two) for two in values] for one in values]
    )

    def sums(one: float, two: float) -> Floats:
        a, b = values.index(one), values.index(two)
        return np.concatenate([[apart[a, b]], np.eye(many)[a], np.eye(many)[b]])

    def statistic(drawn: Floats) -> Floats:
        first, second = drawn[:, 1 : many + 1], drawn[:, many + 1 :]
        n = first.sum(axis=1)
        expected = ((first @ apart) * second).sum(axis=1) / n
        return 1 - divided(drawn[:, 0], expected)

    every = [value for pair in pairs for value in pair]
    common = max(values, key=lambda value: (every.count(value), -value))
    names = [str(at) for at in range(len(pairs))] if items is None else list(items)
    clusters = {name: np.zeros(1 + 2 * many) for name in names}
    odd = set()
    for name, pair in zip(names, pairs, strict=True):
        clusters[name] = clusters[name] + sums(*pair)
        if pair != (common, common):
            odd.add(name)
    size = len(pairs) / len(clusters)
    unseen = [size * sums(value, value) for value in values]
    weights = [1 / many] * many
    for value in values:
        if value != common:
            unseen += [size * sums(common, value), size * sums(value, common)]
            weights += [1 / 4 / (many - 1)] * 2
    seen = np.array(list(clusters.values()))
    value = float(statistic(seen.sum(axis=0)[None, :])[0])
    found = value, resample(seen, np.array(unseen), np.array(weights), len(odd), value, statistic)
    return widen(found, np.array([sums(*pair) for pair in pairs]), statistic) if widen else found


def macro_f1(
    pairs: Sequence[tuple[bool, bool]], items: Sequence[str], widen: Widen | None = None
) -> tuple[float, Bounds | None]:
    """The mean of the F1 of yes and that of no, of pairs in items that are drawn whole."""

    def sums(one: bool, two: bool) -> Floats:
        return np.array([one and two, not one and not two, one != two], float)

    def statistic(drawn: Floats) -> Floats:
        yes, no, apart = drawn.T
        return (divided(2 * yes, 2 * yes + apart) + divided(2 * no, 2 * no + apart)) / 2

    clusters = {name: np.zeros(3) for name in items}
    for name, pair in zip(items, pairs, strict=True):
        clusters[name] = clusters[name] + sums(*pair)
    seen = np.array(list(clusters.values()))
    size = len(pairs) / len(clusters)
    unseen = size * np.array(
        [sums(False, False), sums(True, True), sums(True, False), sums(False, True)]
    )
    common = int(np.argmax(seen[:, :2].sum(axis=0)))
    odd = int((seen[:, common] < seen.sum(axis=1)).sum())
    value = float(statistic(seen.sum(axis=0)[None, :])[0])
    found = value, resample(seen, unseen, np.array([0.5, 0.5, 0.25, 0.25]), odd, value, statistic)
    return widen(found, np.array([sums(*pair) for pair in pairs]), statistic) if widen else found
