"""Groups of a column's values: few values as they are, many in readable bands.

For splitting a figure by any column of the items; how a column is cut never depends on the answers.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from medlens.deferred_module import np
from medlens.stats.smoothed_bootstrap import Floats, Ints

MOST = 12
"""Up to this many different values are groups as they are."""
EMPTY = "(empty)"
_TOP, _BANDS, _PERIODS = 7, 5, 8
_LEAST_NAMED = 0.1
"""The share of the items that the most common of many values must have; otherwise they are texts.
"""
_MOST_IN_ONE = 0.6
_DATE = re.compile(r"\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}.*)?)?")


@dataclass(frozen=True)
class Bands:
    """The names of the groups, in order, and the group of each value, (n,)."""

    names: tuple[str, ...]
    of: Ints


def find_bands_of_column_values(values: Sequence[str]) -> Bands | None:
    """The groups of values, of which "" is none; None if there would be fewer than two.

    Up to ``MOST`` different values are groups of their own. Beyond that, numbers are grouped in
    bands with round bounds; dates (ISO 8601) by days, months, quarters, years or longer; anything
    else as the seven most common values and all others together.
    """
    values = ["" if one == EMPTY else one for one in values]
    given = [one for one in values if one]
    different = Counter(given)
    numbers = _as_numbers(list(different))
    if len(different) <= MOST:
        order = sorted(different, key=numbers.__getitem__) if numbers else sorted(different)
        cut: Callable[[str], str] = str
    elif numbers:
        bounds = _bounds(np.sort(np.array([numbers[one] for one in given])))
        whole = all(one.is_integer() for one in (*numbers.values(), *bounds))
        order = _between(bounds, whole=whole)

        def cut(one: str) -> str:
            return order[int(np.searchsorted(bounds, numbers[one], side="right"))]

    elif all(map(_DATE.fullmatch, different)):
        cut = _period(different)
        order = sorted({cut(one) for one in different})
    else:
        top = [one for one, many in _by_count(different)[:_TOP] if many > 1]
        if sum(different[one] for one in top) < _LEAST_NAMED * len(given):
            return None
        other = f"other ({len(different) - len(top):,} values)"
        other = f"all {other}" if other in different else other
        order = [*top, other]

        def cut(one: str) -> str:
            return one if one in top else other

    of = {one: cut(one) for one in different}
    used = set(of.values())
    names = [one for one in order if one in used] + [EMPTY] * (len(given) < len(values))
    place = {name: at for at, name in enumerate(names)}
    if len(names) < 2:
        return None
    found = [place[of[one]] if one else len(names) - 1 for one in values]
    return Bands(tuple(names), np.array(found, dtype=np.int64))


def _by_count(different: Counter[str]) -> list[tuple[str, int]]:
    return sorted(different.items(), key=lambda one: (-one[1], one[0]))


def _as_numbers(texts: Sequence[str]) -> dict[str, float]:
    """The texts as numbers; empty unless all are numbers."""
    try:
        found = {one: float(one) for one in texts}
    except ValueError:
        return {}
    return found if all(map(math.isfinite, found.values())) else {}


def _bounds(numbers: Floats) -> list[float]:
    """Where to cut sorted numbers: at equal distances, or by counts if most of them would then lie
    in one band.
    """
    low, high = np.quantile(numbers, [0.02, 0.98])
    if step := _round_step((high - low) / _BANDS, whole=bool((numbers % 1 == 0).all())):
        first, last = math.floor(low / step) + 1, math.ceil(high / step)
        equal = [round(at * step, 10) for at in range(first, last)]
        parts = np.diff([0, *np.searchsorted(numbers, equal), len(numbers)])
        if equal and parts.max() <= _MOST_IN_ONE * len(numbers):
            return equal
    cuts = np.quantile(numbers, np.arange(1, _BANDS) / _BANDS, method="higher")
    return sorted({_rounded(one) for one in cuts if _rounded(one) > numbers[0]})


def _round_step(least: float, *, whole: bool) -> float:
    """The smallest of 1, 2, 5, 10, 20 … (for whole numbers), or decimal fractions of them, not
    below ``least``.
    """
    if least <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(least))
    step = next(power * one for one in (1, 2, 5, 10) if power * one >= least * (1 - 1e-9))
    return max(step, 1.0) if whole else step


def _rounded(number: float) -> float:
    return float(f"{number:.2g}")


def _between(bounds: Sequence[float], *, whole: bool) -> list[str]:
    if not bounds:
        return ["all"]
    between = []
    for low, high in pairwise(bounds):
        last = f"under {_told(high)}" if not whole else _told(high - 1)
        between.append(_told(low) if whole and high - low == 1 else f"{_told(low)} to {last}")
    return [f"under {_told(bounds[0])}", *between, f"{_told(bounds[-1])} or more"]


def _told(number: float) -> str:
    # Years are written without a comma.
    return f"{number:,.10g}" if abs(number) >= 10_000 else f"{number:.10g}"


def _period(dates: Counter[str]) -> Callable[[str], str]:
    """The shortest period with which few groups cover all dates, as a function from date to
    name.
    """

    def years(many: int) -> Callable[[str], str]:
        def named(date: str) -> str:
            first = int(date[:4]) // many * many
            return f"{first:04d} to {first + many - 1:04d}"

        return named

    def quarter(date: str) -> str:
        return f"{date[:4]} Q{(int(date[5:7]) + 2) // 3}"

    day = [lambda date: date[:10]] if all(len(one) >= 10 for one in dates) else []
    shortest = [*day, lambda date: date[:7], quarter, lambda date: date[:4]]
    for cut in (*shortest, years(5), years(10), years(25), years(100)):
        if len({cut(one) for one in dates}) <= _PERIODS:
            return cut
    return years(1000)
