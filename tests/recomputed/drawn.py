"""Figures of a model's verdicts of which people checked some, drawn by stratum, from
`docs/statistics.md` and Begg and Greenes (1983).

How much a row moves a figure is found by giving it a little more weight: a step so small, and along
the imaginary axis, that the derivative is exact (Squire and Trapp 1998).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from tests.recomputed.second_opinion import FEWEST, Expected, wilson

Cell = tuple[Hashable, bool]
"""A stratum, and the model's verdict."""

FIGURES = ("share", "sensitivity", "specificity", "ppv", "npv", "agreement")
_STEP = 1e-40
_EXTREME, _RARE = 0.25, 2


def counted(figure: str, said: bool, word: bool) -> tuple[bool, bool]:
    """Whether a row is a hit of the figure, and whether it is one of those it is a share of."""
    return {
        "share": (word, True),
        "agreement": (said == word, True),
        "sensitivity": (said and word, word),
        "specificity": (not said and not word, not word),
        "ppv": (said and word, said),
        "npv": (not said and not word, not said),
    }[figure]


class _Undefined(Exception):
    """Nothing is known of what the figure is about."""


def _parts(
    cells: Sequence[Cell], words: Sequence[complex | None], weights: Sequence[complex]
) -> dict[Cell, tuple[complex, complex]]:
    """By cell: how many rows there are, and the share of yes among them. A cell of which nothing
    was checked is like the others of its verdict together."""
    there: dict[Cell, complex] = {}
    checked: dict[Cell, complex] = {}
    yes: dict[Cell, complex] = {}
    for cell, word, weight in zip(cells, words, weights, strict=True):
        there[cell] = there.get(cell, 0) + weight
        if word is not None:
            checked[cell] = checked.get(cell, 0) + weight
            yes[cell] = yes.get(cell, 0) + weight * word
    found = {}
    for cell, many in there.items():
        of = [cell] if cell in checked else [one for one in checked if one[1] == cell[1]]
        whole = sum(there[one] for one in of)
        share = sum(there[one] * yes[one] / checked[one] for one in of) / whole if of else None
        found[cell] = (many, share)
    return found


def _value(
    figure: str,
    cells: Sequence[Cell],
    words: Sequence[complex | None],
    weights: Sequence[complex],
) -> complex:
    hits = whole = 0j
    for (_, said), (many, known) in _parts(cells, words, weights).items():
        ways = [counted(figure, said, word) for word in (True, False)]
        if known is None and ways[0] != ways[1]:
            raise _Undefined
        share = known or 0
        for (hit, counts), part in zip(ways, (share, 1 - share), strict=True):
            hits += many * part * hit
            whole += many * part * counts
    if not whole.real > 0:
        raise _Undefined
    return hits / whole


def of_verdicts(
    figure: str,
    cells: Sequence[Cell],
    words: Sequence[bool | None],
    by: Sequence[Hashable] | None = None,
) -> Expected:
    """The figure of all rows, in clusters ``by``, with its interval."""
    n = len(cells)
    names = list(range(n)) if by is None else list(by)
    known = [at for at in range(n) if words[at] is not None]
    numbers: list[complex | None] = [None if word is None else float(word) for word in words]
    once: list[complex] = [1.0] * n
    if not known:
        return Expected(None, 0)
    try:
        value = _value(figure, cells, numbers, once).real
    except _Undefined:
        return Expected(None, len(known))
    if len({names[at] for at in known}) < FEWEST:
        return Expected(value, len(known), low=None, high=None)

    def slope(rows: Sequence[int]) -> float:
        """How fast the value rises with the share of yes among these checked rows."""
        more = [
            one if one is None or at not in rows else one + _STEP * 1j
            for at, one in enumerate(numbers)
        ]
        return _value(figure, cells, more, once).imag / _STEP

    moved: dict[Hashable, float] = dict.fromkeys(names, 0.0)
    for at in range(n):
        weights = [*once]
        weights[at] += _STEP * 1j
        moved[names[at]] += _value(figure, cells, numbers, weights).imag / _STEP
    clusters = len(moved)
    variance = clusters / max(clusters - 1, 1) * sum(one**2 for one in moved.values())

    units = len({names[at] for at in known})
    hits = among = everywhere = 0.0
    for cell, (many, share) in _parts(cells, numbers, once).items():
        for word, part in ((True, share), (False, 1 - share if share is not None else None)):
            hit, counts = counted(figure, cell[1], word)
            rows = [at for at in known if cells[at] == cell and bool(words[at]) == word]
            hits += len(rows) * hit
            among += len(rows) * counts
            everywhere += (many * part).real * counts if part is not None else 0.0
        mine = [at for at in known if cells[at] == cell]
        if mine:
            # A quarter of a checked cluster for, and one against.
            yes = sum(bool(words[at]) for at in mine)
            near = (yes + _EXTREME) / (len(mine) + 2 * _EXTREME)
            apart = _EXTREME * (near**2 + (1 - near) ** 2) * len(known) / units
            variance += (slope(mine) / len(mine)) ** 2 * apart
    most, rows_counted = everywhere, known
    if min(hits, among - hits) <= _RARE:
        most = among
        rows_counted = [at for at in known if counted(figure, cells[at][1], bool(words[at]))[1]]
    df = max(min(len({names[at] for at in rows_counted}), clusters) - 1, 1)
    near = (value * among + _EXTREME) / (among + 2 * _EXTREME)
    size = min(max(near * (1 - near) / max(variance, 1e-300), 1.0), most)
    low, high = wilson(value, size, df)
    return Expected(value, len(known), low=low, high=high)
