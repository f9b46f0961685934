"""Reads a spreadsheet: its first sheet with content, as the CSV that a person would save."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import Any, BinaryIO

from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from medlens.errors import BadFile
from medlens.tables.lines import looks_like_workbook

_NONE = ("", None)
_EXACT = 1e15
"""The least whole number with more digits than a spreadsheet keeps."""
_LONGEST_WHOLE = 1e21


def is_workbook(source: BinaryIO) -> bool:
    """Whether a file is an Excel or OpenDocument workbook; its position does not change."""
    at = source.tell()
    source.seek(0)
    try:
        return looks_like_workbook(source)
    finally:
        source.seek(at)


def sheet_as_csv(source: BinaryIO, target: BinaryIO, *, name: str) -> list[str]:
    """Write the first sheet that is not empty as CSV in UTF-8; says which, if there are several.

    A row of the sheet becomes a row of the CSV, an empty one a blank line; empty rows at both ends
    and empty columns on the right are left out. Dates are written as in ISO 8601, and a formula as
    its last result. A whole number of more than 15 digits is written with all of them, and told: a
    spreadsheet may have rounded it.

    Raises:
        BadFile: it cannot be read, has a password, or is empty.
    """
    try:
        book = CalamineWorkbook.from_filelike(source)
        sheets = [one for one in map(book.get_sheet_by_name, book.sheet_names) if one.height]
        rows: list[list[Any]] = sheets[0].to_python(skip_empty_area=True) if sheets else []
    except PasswordError as error:
        raise BadFile(
            f"{name} is locked by a password.", hint="Save it without one, and import that."
        ) from error
    except (CalamineError, OSError, ValueError) as error:
        raise BadFile(
            f"{name} cannot be read as a workbook: {_why(error)}.",
            hint="Open it, save the sheet as CSV (UTF-8), and import that.",
        ) from error
    if not rows:
        raise BadFile(f"{name} is empty.", hint="Is the table in another file?")
    text = io.TextIOWrapper(target, encoding="utf-8", errors="surrogatepass", newline="")
    out = csv.writer(text, lineterminator="\n")
    for row in _trimmed(rows):
        out.writerow(row)
    notes = _rounded(rows, name)
    text.flush()
    text.detach()
    if len(sheets) < 2:
        return notes
    others = "the other one was" if len(sheets) == 2 else f"the {len(sheets) - 1} others were"
    return [f"{name}: the sheet {sheets[0].name!r} was read, {others} not.", *notes]


def _rounded(rows: Sequence[Sequence[Any]], name: str) -> list[str]:
    """A note on whole numbers that have more digits than a spreadsheet keeps."""
    long = [
        (at, cell)
        for at, row in enumerate(rows, 1)
        for cell in row
        if isinstance(cell, float) and _EXACT <= abs(cell) < _LONGEST_WHOLE and cell.is_integer()
    ]
    if not long:
        return []
    at, cell = long[0]
    return [
        f"{name}: row {at} of the table has the number {int(cell)}"
        f"{f' and there are {len(long) - 1:,} more of more than 15 digits' * (len(long) > 1)}."
        " Spreadsheets keep 15 digits and turn the rest into zeros: compare with where it comes"
        " from, and write such a number as text."
    ]


def _why(error: Exception) -> str:
    said = " ".join(str(error).split())[:200]
    return "it is damaged or cut short" if said == "Cannot detect file format" else said


def _trimmed(rows: Sequence[Sequence[Any]]) -> Iterator[list[str]]:
    width = max((at for at, cell in enumerate(rows[0], 1) if cell not in _NONE), default=0)
    for row in rows:
        full = max((at for at, cell in enumerate(row, 1) if cell not in _NONE), default=0)
        yield [_text(cell) for cell in row[: max(width, full)]] if full else []


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        # Longer ones are quantities rather than names.
        return str(int(cell)) if cell.is_integer() and abs(cell) < _LONGEST_WHOLE else repr(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat()
    if isinstance(cell, (date, time)):
        return cell.isoformat()
    return "" if cell is None else str(cell)
