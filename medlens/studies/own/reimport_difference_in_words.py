"""What is another in an item of a file than in the item of that name in a study, and why that may
be so although nobody changed the table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from medlens.studies.own.blinded_arms import ARMS
from medlens.studies.own.study_file import StudyDeclaration
from medlens.tables.file_kind_and_lines import shorten_value

_PERCENT = re.compile(r"(-?\d+(?:\.\d+)?)[ \u00a0]*%")
_LONG = 30
"""Characters from which on a cell is a text."""


def first_difference_in_words(
    declared: StudyDeclaration, before: Mapping[str, Any], after: Mapping[str, Any]
) -> str:
    """The first cell in which an item's body is another than it was, to be said behind the item's
    name: ``, whose “rate” is “10 %” in the file and “0.1” there``; "" if none is.
    """
    found = next(_differing_cells(before, after), None)
    if found is None:
        return ""
    column, old, new = found
    why = _why(declared, old, new)
    old, new = _from_difference(old, new)
    there = f"“{shorten_value(old)}”" if old else "empty"
    in_file = f"“{shorten_value(new)}”" if new else "empty"
    said = f", whose “{column}” is {in_file} in the file and {there} there"
    return f"{said}. {why}" if why else said


_SEEN, _BEFORE = 60, 25
"""Characters of a cell that are seen from its beginning, and those seen before a difference."""


def _from_difference(old: str, new: str) -> tuple[str, str]:
    """Both texts on one line, from a few words before the first difference on where it would be cut
    off otherwise.
    """
    old, new = " ".join(old.split()) or old, " ".join(new.split()) or new
    pairs = enumerate(zip(old, new, strict=False))
    at = next((at for at, (one, other) in pairs if one != other), min(len(old), len(new)))
    if at < _SEEN:
        return old, new
    start = old.find(" ", at - _BEFORE, at) + 1 or at - _BEFORE
    return f"… {old[start:]}", f"… {new[start:]}"


def _differing_cells(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """Column, old and new cell; a column of an arm's own is ``COLUMN / ARM``."""
    cells_before, cells_after = _cells(before), _cells(after)
    for column in dict.fromkeys([*cells_after, *cells_before]):
        old, new = cells_before.get(column, ""), cells_after.get(column, "")
        if old != new:
            yield column, old, new


def _cells(body: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, cell in body.items():
        if name == ARMS:
            for arm, own in cell.items():
                found |= {f"{one} / {arm}": words for one, words in _cells(own).items()}
        else:
            found[name] = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
    return found


def _why(declared: StudyDeclaration, old: str, new: str) -> str:
    percent = _PERCENT.fullmatch(new)
    try:
        if percent and abs(float(old) * 100 - float(percent[1])) < 1e-6 * abs(float(old)) * 100:
            return (
                "MedLens now reads percentages as a sheet shows them, which it did not when "
                "these items were added: if that is the only difference, leave them as they are"
            )
    except ValueError:
        return ""
    if not old:
        return (
            "MedLens now fills down what a table says once above several rows: if that is the "
            "only difference, leave them as they are"
        )
    if declared.arms is None and min(len(old), len(new)) >= _LONG:
        return (
            "If the file has another model's answers to the same cases, put both tables into one,"
            " with a column “model” that says whose answer a row has, and make a new study of it"
        )
    return ""
