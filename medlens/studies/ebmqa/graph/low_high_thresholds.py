"""Where low ends and high begins, for each QA type.

Values are whole numbers of ``UNIT``: twice the middle of an edge in steps of 1e-12, so that .05 is
neither above nor below .05. Source: Avnat et al. 2024, Methods ("Numerical QAs").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from medlens.studies.ebmqa.graph.question_and_option_templates import (
    make_percentage_options,
    make_ratio_options,
)
from medlens.studies.ebmqa.graph.vocabulary import FAMILY

STEPS = 1_000_000_000_000
UNIT = 2 * STEPS
"""Units in 1."""


def convert_integer_units_to_number(units: int) -> float:
    """Units converted to the number they represent."""
    return float(Decimal(units) / UNIT)


@dataclass(frozen=True)
class ClassRanges:
    """The ranges of one type, in units: each has a minimum and a class.

    ``floors`` are the minimums of the options, which are sorted from high to low: the first option
    whose floor is not above a value is the correct one. ``flag`` tells people what is unusual.
    """

    qa_type: str
    options: tuple[str, ...]
    floors: tuple[int, ...]
    classes: tuple[str, ...]
    n: int
    flag: str = ""

    @property
    def values_by_name_to_store_with_questions(self) -> dict[str, Any]:
        """What is stored with the question set: options, and their minimums as numbers."""
        floors = [convert_integer_units_to_number(floor) for floor in self.floors]
        return {"options": list(self.options), "from": floors, "n": self.n, "flag": self.flag}


@dataclass(frozen=True)
class Side:
    """The values of a type; for ratios those below 1 or above 1 (``side`` -1 or 1, else 0).

    ``several``: whether the values differ.
    """

    side: int
    median: int
    mad: int
    n: int
    several: bool


Around = Callable[[str, int], tuple[int | None, int | None]]
"""The values of a type next to a number: (the greatest below it, the least from it on)."""


def find_low_and_high_class_ranges(
    qa_type: str, sides: Sequence[Side], around: Around
) -> ClassRanges | None:
    """The ranges of a type, or None if its values cannot make any.

    Options are worded as round as the values allow: no edge has a value between a bound and the
    number shown for it.
    """
    if len(sides) < 2 and not sides[0].several:
        return None
    if FAMILY[qa_type] == "share":
        return _share(qa_type, sides[0], around)
    return _ratio(qa_type, {one.side: one for one in sides}, around)


def _share(qa_type: str, one: Side, around: Around) -> ClassRanges:
    low, high = one.median - one.mad, one.median + one.mad
    upper = _as_upper(qa_type, high, around)
    if low <= 0:
        return ClassRanges(
            qa_type,
            tuple(make_percentage_options(None, upper)),
            (high + 1, 0),
            ("high", "middle"),
            one.n,
            "no low option: median minus MAD is not above 0",
        )
    return ClassRanges(
        qa_type,
        tuple(make_percentage_options(_as_lower(qa_type, low, around), upper)),
        (high + 1, low, 0),
        ("high", "middle", "low"),
        one.n,
    )


def _as_upper(qa_type: str, bound: int, around: Around) -> float:
    """The number shown for a bound that belongs to the range below it."""
    below, beyond = around(qa_type, bound + 1)
    return convert_integer_units_to_number(_rounded(bound, below, beyond))


def _as_lower(qa_type: str, bound: int, around: Around) -> float:
    """The number shown for a bound that belongs to the range above it."""
    below, beyond = around(qa_type, bound)
    return convert_integer_units_to_number(
        _rounded(bound, 1 if below is None else below + 1, None if beyond is None else beyond + 1)
    )


def _rounded(bound: int, least: int | None, beyond: int | None) -> int:
    """The roundest number with two digits or more near ``bound``, in [``least``, ``beyond``)."""
    length = len(str(bound // 2))
    for digits in range(2, length):
        step: int = 2 * 10 ** (length - digits)
        near = (2 * bound + step) // (2 * step) * step
        if (least is None or least <= near) and (beyond is None or near < beyond):
            return near
    return bound


def _ratio(qa_type: str, sides: Mapping[int, Side], around: Around) -> ClassRanges:
    below, above = sides.get(-1), sides.get(1)
    options = make_ratio_options(
        _as_lower(qa_type, below.median, around) if below else None,
        _as_upper(qa_type, above.median, around) if above else None,
        what="odds" if qa_type in ("PLR", "NLR") else "chance",
    )
    floors: list[int] = []
    classes: list[str] = []
    if above:
        floors += [above.median + 1, UNIT + 1]
        classes += ["high", "middle"]
    if below:
        floors += [below.median, 0]
        classes += ["middle", "low"]
    flag = "" if below and above else f"no values {'below' if above else 'above'} 1"
    n = sum(one.n for one in sides.values())
    return ClassRanges(qa_type, tuple(options), tuple(floors), tuple(classes), n, flag)
