"""Shares, means, agreement and their intervals, written anew from `docs/statistics.md`."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import scipy.optimize
import scipy.stats
from statsmodels.stats.inter_rater import cohens_kappa

NEAR = 1e-9
FEWEST = 4


@dataclass(frozen=True)
class Expected:
    """What a row of figures must hold; what is left out (``...``) is not compared.

    ``value`` is None for a figure that must be undefined. ``low`` and ``high`` are None where there
    must be no interval.
    """

    value: float | None
    n: int | None = None
    numerator: float | None = None
    denominator: int | None = None
    low: Any = ...
    high: Any = ...
    p: Any = ...


Figures = dict[tuple[str, str], Expected]
"""(figure, group) -> what it must be"""

NOTHING = Expected(None)


def count(number: int) -> Expected:
    """A count, which has no interval."""
    return Expected(float(number), number, low=None, high=None)


# -- shares ----------------------------------------------------------------------------------------


def wilson(share: float, size: float, df: float) -> tuple[float, float]:
    """Wilson's score interval with t; beside one or two events, Poisson's bound."""
    if size <= 0:
        return math.nan, math.nan
    t = float(scipy.stats.t.ppf(0.975, df))
    middle = (share * size + t**2 / 2) / (size + t**2)
    half = t / (size + t**2) * math.sqrt(share * (1 - share) * size + t**2 / 4)
    ends = [middle - half, middle + half]
    for side, events in enumerate((share * size, (1 - share) * size)):
        # Half of all n have 1 - (n - 2) / n above 2 / n in floating point.
        if 0 < events <= 2 + 1e-9:
            # The mean of a Poisson variable that is this large or larger once in twenty times.
            rare = float(scipy.stats.gamma.ppf(0.05, events)) / size
            ends[side] = min(ends[0], rare) if side == 0 else max(ends[1], 1 - rare)
    low = 0.0 if share == 0 else min(max(ends[0], 0.0), share)
    high = 1.0 if share == 1 else max(min(ends[1], 1.0), share)
    return low, high


def effective_rows(
    tops: Sequence[float],
    rows: Sequence[float],
    *,
    yes_or_no: bool = True,
    extreme: float = 0.1,
) -> float:
    """As many independent rows as clusters with these sums are worth, if a part of a cluster of
    either ``extreme`` is added."""
    filled = [(top, many) for top, many in zip(tops, rows, strict=True) if many]
    clusters, whole = len(filled), sum(many for _, many in filled)
    if yes_or_no and whole <= clusters:
        return float(whole)
    size = whole / clusters
    padded = [(top, many, 1.0) for top, many in filled]
    padded += [(0.0, size, extreme), (size, size, extreme)]
    total = sum(many * weight for _, many, weight in padded)
    share = sum(top * weight for top, _, weight in padded) / total
    apart = sum(weight * (top - share * many) ** 2 for top, many, weight in padded)
    units = clusters + 2 * extreme
    variance = units / (units - 1) * apart / total**2
    found = share * (1 - share) / variance * clusters / units if variance else math.inf
    if yes_or_no and extreme:
        squares = sum(many**2 for _, many in filled)
        plain = sum(top for top, _ in filled) / whole
        least = whole**2 / squares
        if 0 < plain < 1:
            # Each cluster all yes or all no, with this share: the variance at its largest.
            mixed = (1 - 2 * plain) * sum(top * many for top, many in filled) + plain**2 * squares
            least *= min(plain * (1 - plain) * squares / mixed, 1)
        found = max(found, least)
    return max(min(found, whole) if yes_or_no else found, 1.0)


def share(
    hits: Iterable[Any],
    *,
    by: Iterable[Hashable] | None = None,
    raters: Iterable[Hashable] | None = None,
) -> Expected:
    """A share of rows in the clusters ``by``, crossed by ``raters`` if these are four or more."""
    hit = np.asarray(list(hits), dtype=float)
    names = np.arange(len(hit)) if by is None else np.asarray([str(name) for name in by])
    alone = ratio(hit, np.ones(len(hit)), by=names)
    who = np.asarray([] if raters is None else [str(name) for name in raters])
    clusters, people, n = len(set(names)), len(set(who)), len(hit)
    if clusters < FEWEST or people < FEWEST:
        return alone

    def size(codes: np.ndarray, extreme: float) -> float:
        sums = pd.DataFrame({"top": hit, "rows": 1.0}).groupby(codes).sum()
        return effective_rows(sums["top"].tolist(), sums["rows"].tolist(), extreme=extreme)

    # The variances add up, less that of single rows, which is in both.
    of_items, of_raters = 1 / size(names, 0.1), 1 / size(who, 0.0)
    both = max(of_items, of_raters, of_items + of_raters - 1 / n)
    df = (of_items + of_raters) ** 2 / (of_items**2 / (clusters - 1) + of_raters**2 / (people - 1))
    low, high = wilson(float(hit.mean()), max(1 / both, 1.0), df)
    return replace(alone, low=low, high=high)


def ratio(tops: Any, bottoms: Any, *, by: Iterable[Hashable]) -> Expected:
    """The sum of the tops over that of the bottoms, in clusters."""
    table = pd.DataFrame({"top": np.asarray(tops, float), "rows": np.asarray(bottoms, float)})
    whole = round(table["rows"].sum())
    if not whole:
        return NOTHING
    sums = table.groupby(pd.Series(list(by)).astype(str).to_numpy()).sum()
    sums = sums[sums["rows"] > 0]
    value = table["top"].sum() / whole
    low = high = None
    if len(sums) >= FEWEST:
        size = effective_rows(sums["top"].tolist(), sums["rows"].tolist())
        low, high = wilson(value, size, len(sums) - 1)
    return Expected(value, whole, table["top"].sum(), whole, low, high)


def share_of_count(hits: float, whole: int) -> Expected:
    """A share of independent rows, from its two numbers."""
    if not whole:
        return NOTHING
    low, high = wilson(hits / whole, whole, whole - 1) if whole >= FEWEST else (None, None)
    return Expected(hits / whole, whole, hits, whole, low, high)


# -- means -----------------------------------------------------------------------------------------


def mean_of_scale(
    values: Iterable[float], ends: tuple[float, float], *, by: Iterable[Hashable] | None = None
) -> Expected:
    """The mean of scores between two ends: as a share of the scale."""
    given = np.asarray(list(values), dtype=float)
    if not len(given):
        return NOTHING
    low, high = ends
    names = np.arange(len(given)) if by is None else np.asarray(list(by)).astype(str)
    table = pd.DataFrame({"top": (given - low) / (high - low), "rows": 1.0})
    sums = table.groupby(names).sum()
    value, whole = float(given.mean()), len(given)
    if len(sums) < FEWEST:
        return Expected(value, whole, low=None, high=None)
    size = effective_rows(sums["top"].tolist(), sums["rows"].tolist(), yes_or_no=False)
    bounds = wilson(float(table["top"].mean()), size, len(sums) - 1)
    return Expected(
        value, whole, low=low + (high - low) * bounds[0], high=low + (high - low) * bounds[1]
    )


def _spread(values: np.ndarray, names: np.ndarray) -> tuple[float, int]:
    """The variance of a mean whose values lie in clusters, and the number of these."""
    apart = pd.Series(values - values.mean()).groupby(names).sum()
    clusters = len(apart)
    return clusters / max(clusters - 1, 1) * float((apart**2).sum()) / len(values) ** 2, clusters


def mean_of_amounts(values: Iterable[float], *, by: Iterable[Hashable]) -> Expected:
    """The mean of amounts of zero or more, whose error grows with them."""
    table = pd.DataFrame({"value": list(values), "by": [str(name) for name in by]}).dropna()
    given = table["value"].to_numpy(float)
    if not len(given):
        return NOTHING
    variance, clusters = _spread(given, table["by"].to_numpy())
    value, whole = float(given.mean()), len(given)
    if clusters < FEWEST or variance < 1e-15:
        return Expected(value, whole, low=None, high=None)
    per_value = variance / value
    if np.all(given == np.round(given)):
        per_value = max(per_value, 1 / whole)
    t = float(scipy.stats.t.ppf(0.975, clusters - 1))
    # The two solutions of (value - m)^2 = t^2 m per_value.
    roots = np.roots([1, -(2 * value + t * t * per_value), value * value])
    return Expected(value, whole, low=float(min(roots.real)), high=float(max(roots.real)))


def mean_of_differences(
    values: Iterable[float], *, by: Iterable[Hashable] | None = None
) -> Expected:
    """The mean of differences, with Student's t over clusters."""
    given = np.asarray(list(values), dtype=float)
    if not len(given):
        return NOTHING
    names = np.arange(len(given)) if by is None else np.asarray([str(name) for name in by])
    variance, clusters = _spread(given, names)
    value, whole = float(given.mean()), len(given)
    if clusters < FEWEST or variance < 1e-15:
        return Expected(value, whole, low=None, high=None)
    half = float(scipy.stats.t.ppf(0.975, clusters - 1)) * math.sqrt(variance)
    return Expected(value, whole, low=value - half, high=value + half)


def median_with_quartiles(values: Iterable[float]) -> Expected:
    """A median, with the quartiles as bounds."""
    given = pd.Series(list(values), dtype=float).dropna()
    if given.empty:
        return NOTHING
    return Expected(
        float(given.median()),
        len(given),
        low=float(given.quantile(0.25)),
        high=float(given.quantile(0.75)),
    )


# -- pairs -----------------------------------------------------------------------------------------


def tango(first_only: float, second_only: float, n: float, critical: float) -> tuple[float, float]:
    """Tango's interval for a difference of paired shares: where the score is the critical value.

    The share of pairs with only the second is that which is most likely at the given difference,
    found where the likelihood stops rising rather than by its formula.
    """
    value = (first_only - second_only) / n
    alike = n - first_only - second_only

    def score(delta: float) -> float:
        least, most = max(0.0, -delta), (1 - delta) / 2

        def slope(rare: float) -> float:
            """Of the logarithm of how likely the counts are: it falls."""
            chances = ((first_only, rare + delta, 1), (second_only, rare, 1))
            left = (alike, 1 - 2 * rare - delta, -2)
            return sum(
                many * sign / max(chance, 1e-300)
                for many, chance, sign in (*chances, left)
                if many > 1e-12
            )

        ends = (slope(least) > 0, slope(most) > 0)
        rare = least if not ends[0] else most
        if ends == (True, False):
            rare = scipy.optimize.brentq(slope, least, most, xtol=1e-16, rtol=1e-15)
        variance = n * (2 * rare + delta - delta**2)
        return (first_only - second_only - n * delta) / math.sqrt(max(variance, 1e-300))

    def bound(sign: int) -> float:
        end = -1.0 if sign > 0 else 1.0
        if value == end:
            return end
        near = end * (1 - 1e-9)
        return float(
            scipy.optimize.brentq(lambda d: score(d) - sign * critical, near, value, xtol=1e-14)
        )

    return bound(1), bound(-1)


def difference_in_pairs(
    first: Iterable[Any],
    second: Iterable[Any],
    *,
    by: Iterable[Hashable],
    weights: Sequence[float] | None = None,
) -> Expected:
    """First minus second share of yes, of pairs in clusters, with its test; each pair stands for
    as many as its weight says."""
    one, two = np.asarray(list(first), float), np.asarray(list(second), float)
    names, n = np.asarray([str(name) for name in by]), len(one)
    if not n:
        return NOTHING
    weight = np.ones(n) if weights is None else np.asarray(weights) / np.mean(weights)
    value, clusters = float(np.average(one - two, weights=weight)), len(set(names))
    if clusters < FEWEST:
        return Expected(value, n, low=None, high=None, p=None)
    only, part, df = pairs_in_effect(one, two, names, None if weights is None else weight)
    critical = float(
        scipy.stats.norm.ppf(0.975) if df == math.inf else scipy.stats.t.ppf(0.975, df)
    )
    low, high = tango(only[0] * part, only[1] * part, n * part, critical)
    apart = (only[0] + only[1]) * part
    p = None
    if apart:
        away = abs(only[0] - only[1]) * part / math.sqrt(apart)
        p = 2 * float(scipy.stats.norm.sf(away) if df == math.inf else scipy.stats.t.sf(away, df))
    return Expected(value, n, low=min(low, value), high=max(high, value), p=p)


def pairs_in_effect(
    one: np.ndarray, two: np.ndarray, names: np.ndarray, weights: np.ndarray | None
) -> tuple[tuple[float, float], float, float]:
    """Pairs with only the first and only the second, the part of all pairs that as many independent
    ones would be, and the degrees of freedom; weights have a mean of one."""
    n, clusters = len(one), len(set(names))
    weight = np.ones(n) if weights is None else weights
    value = float(np.average(one - two, weights=weight))
    only = float(weight[one > two].sum()), float(weight[two > one].sum())
    part, df = 1.0, math.inf
    if clusters < n or weights is not None:
        table = pd.DataFrame({"top": weight * (one - two + 1) / 2, "rows": weight})
        sums = table.groupby(names).sum()
        size = effective_rows(sums["top"].tolist(), sums["rows"].tolist(), yes_or_no=False)
        middle = (value + 1) / 2
        spread = float(np.average(((one - two - value) / 2) ** 2, weights=weight))
        units = float(clusters)
        if weights is not None:
            units = sums["rows"].sum() ** 2 / (sums["rows"] ** 2).sum()
        part = units / n
        if spread > 0:
            independent = n * middle * (1 - middle) / spread
            part = min(1.0, max(size / independent, 1 / n))
        df = max(units - 1, 1.0)
    return only, part, df


def p_below(margin: float, only: tuple[float, float], n: float, df: float) -> float:
    """One-sided p that a difference of pairs is ``margin`` or more: how far Tango's interval must
    reach to hold it."""
    value = (only[0] - only[1]) / n

    def gap(critical: float) -> float:
        low, high = tango(*only, n, critical)
        return (high if margin > value else low) - margin

    if abs(margin - value) < 1e-12:
        return 0.5
    sign = 1.0 if margin > value else -1.0
    reach = scipy.optimize.brentq(lambda t: sign * gap(t), 1e-9, 1e4, xtol=1e-10)
    return float(scipy.stats.t.sf(sign * reach, df))


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's correction over those that were tested."""
    from statsmodels.stats.multitest import multipletests

    tested = [p for p in ps if p is not None]
    corrected = iter(multipletests(tested, method="holm")[1] if tested else [])
    return [None if p is None else float(next(corrected)) for p in ps]


# -- agreement -------------------------------------------------------------------------------------


def wide(item: Iterable[Any], rater: Iterable[Any], value: Iterable[Any]) -> pd.DataFrame:
    """Ratings (items by raters), the last of each rater and item."""
    table = pd.DataFrame({"item": list(item), "rater": list(rater), "value": list(value)})
    return table.drop_duplicates(["item", "rater"], keep="last").pivot(
        index="item", columns="rater", values="value"
    )


def alpha(ratings: pd.DataFrame, level: str = "nominal", *, n: int | None = None) -> Expected:
    """Krippendorff's alpha by his package; ``n`` counts items with two ratings or more."""
    numbers = ratings.to_numpy(dtype=float).reshape(len(ratings), -1)
    twice = (~np.isnan(numbers)).sum(axis=1) >= 2
    usable = int(twice.sum()) if n is None else n
    pairable = numbers[twice]
    if not usable or len(np.unique(pairable[~np.isnan(pairable)])) < 2:
        return Expected(None, usable)
    return Expected(float(krippendorff.alpha(numbers.T, level_of_measurement=level)), usable)


def alpha_by_distance(sets: Mapping[Any, list[Any]], distance: Any) -> float:
    """Krippendorff's alpha of any distance: observed over expected disagreement, pair by pair."""
    units = [given for given in sets.values() if len(given) >= 2]
    every = [one for given in units for one in given]
    observed = sum(
        sum(distance(a, b) for i, a in enumerate(given) for j, b in enumerate(given) if i != j)
        / (len(given) - 1)
        for given in units
    ) / len(every)
    expected = sum(
        distance(a, b) for i, a in enumerate(every) for j, b in enumerate(every) if i != j
    ) / (len(every) * (len(every) - 1))
    return 1 - observed / expected


def kappa(first: Sequence[Any], second: Sequence[Any]) -> Expected:
    """Cohen's kappa by statsmodels."""
    classes = sorted(set(first) | set(second))
    if len(classes) < 2:
        return Expected(None)
    table = pd.crosstab(pd.Series(list(first)), pd.Series(list(second)))
    table = table.reindex(index=classes, columns=classes, fill_value=0)
    return Expected(float(cohens_kappa(table.to_numpy()).kappa), len(first))


def rogan_gladen(seen: float, sensitivity: float, specificity: float) -> float:
    """A judge's share, corrected for its errors, within 0 and 1."""
    return min(max((seen + specificity - 1) / (sensitivity + specificity - 1), 0.0), 1.0)


def clear_majority(votes: Iterable[Any]) -> Any:
    """The answer of more than half, or None."""
    given = [vote for vote in votes if pd.notna(vote)]
    counts = pd.Series(given, dtype=object).value_counts()
    if len(counts) and counts.iloc[0] * 2 > len(given):
        return counts.index[0]
    return None


# -- comparing -------------------------------------------------------------------------------------


def read_figures(folder: Path) -> pd.DataFrame:
    """The exported figures."""
    return pd.read_csv(
        folder / "figures.csv",
        keep_default_na=False,
        na_values={
            name: [""] for name in ("numerator", "denominator", "value", "low", "high", "n", "p")
        },
        dtype={"figure": str, "group": str},
    )


def differences(figures: pd.DataFrame, expected: Figures) -> list[str]:
    """What the exported figures hold that they must not, in words; nothing if all is as it must."""
    found = []
    there = {(row["figure"], row["group"]) for row in figures.to_dict("records")}
    found += [f"{key}: not exported" for key in expected if key not in there]
    for row in figures.to_dict("records"):
        key = (row["figure"], row["group"])
        if key not in expected:
            found.append(f"{key}: not recomputed")
            continue
        for name, wanted in vars(expected[key]).items():
            if wanted is ... or (wanted is None and name in ("n", "numerator", "denominator")):
                continue
            given = row[name]
            missing = pd.isna(given)
            if wanted is None:
                if not missing:
                    found.append(f"{key}: {name} is {given}, not missing")
            elif missing or not math.isclose(given, wanted, rel_tol=1e-6, abs_tol=1e-6):
                found.append(f"{key}: {name} is {given}, recomputed {wanted}")
    return found
