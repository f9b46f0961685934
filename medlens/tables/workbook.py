"""Reads a spreadsheet: its first sheet with a table, as the CSV that a person would save."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime, time
from typing import Any, BinaryIO

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError

from medlens.errors import BadFile
from medlens.tables.line_reader import looks_like_workbook, shorten_value
from medlens.tables.workbook_xml import SheetXml, read_sheet_xml

_NONE = ("", None)
_EXACT = 1e15
"""The least whole number with more digits than a spreadsheet keeps."""
_LONGEST_WHOLE = 1e21
_MOST_ABOVE, _LEAST_WIDE, _LOOKED_BELOW = 20, 3, 3
"""Lines above a header that are looked through, how many cells it has if there are such lines, and
how many rows below it are looked at.
"""
_LEAST_SUMMED = 3
_SUMS = frozenset(
    {
        *("sum", "total", "totals", "mean", "average", "summe", "gesamt", "insgesamt"),
        *("gesamtsumme", "mittelwert", "durchschnitt", "suma", "promedio", "somme", "moyenne"),
    }
)


def is_workbook(source: BinaryIO) -> bool:
    """Whether a file is an Excel or OpenDocument workbook; its position does not change."""
    at = source.tell()
    source.seek(0)
    try:
        return looks_like_workbook(source)
    finally:
        source.seek(at)


def convert_sheet_to_csv(source: BinaryIO, target: BinaryIO, *, name: str) -> list[str]:
    """Write the first sheet that has a table as CSV in UTF-8; says what a person should know of it.

    A row of the sheet becomes a row of the CSV, an empty one a blank line; empty rows at both ends
    and empty columns on the right are left out. Dates are written as in ISO 8601, and a formula as
    its last result. A whole number of more than 15 digits is written with all of them, and told: a
    spreadsheet may have rounded it. Numbers that are shown with zeros in front keep these. Told as
    well: which of several sheets was read; lines above the header, which are left out; cells merged
    over several rows, whose value each of these rows gets; hidden rows and columns, which are read
    like the others; formulas without a stored value and cells with an error, which are empty; and a
    last row that looks like a sum.

    Raises:
        BadFile: it cannot be read, has a password, or is empty.
    """
    try:
        book = CalamineWorkbook.from_filelike(source)
        sheets = [one for one in map(book.get_sheet_by_name, book.sheet_names) if one.height]
        sheet = next(filter(_has_table, sheets), sheets[0]) if sheets else None
        rows: list[list[Any]] = sheet.to_python(skip_empty_area=True) if sheet else []
    except PasswordError as error:
        raise BadFile(
            f"{name} is locked by a password.", hint="Save it without one, and import that."
        ) from error
    except (CalamineError, OSError, ValueError) as error:
        raise BadFile(
            f"{name} cannot be read as a workbook: {_why(error)}.",
            hint="Open it, save the sheet as CSV (UTF-8), and import that.",
        ) from error
    if not rows or sheet is None:
        raise BadFile(f"{name} is empty.", hint="Is the table in another file?")
    notes = []
    if len(sheets) > 1:
        others = "the other one was" if len(sheets) == 2 else f"the {len(sheets) - 1} others were"
        notes.append(f"{name}: the sheet {sheet.name!r} was read, {others} not.")
    top, left = sheet.start or (0, 0)
    across = {begin[0] - top for begin, end in sheet.merged_cell_ranges or () if end[1] > begin[1]}
    header = _header_at(rows, across)
    notes += _fill_merged(rows, sheet, header, name)
    xml = read_sheet_xml(source, sheet.name)
    if xml is not None:
        _pad(rows, xml, top, left)
        notes += _told_of(xml, (top + header, left), name)
    if header:
        said = "; ".join(str(cell) for row in rows[:header] for cell in row if cell not in _NONE)
        lines = (
            "line above the header is" if header == 1 else f"{header:,} lines above the header are"
        )
        notes.append(f"{name}: the {lines} left out: {shorten_value(said)}.")
    notes += [*_rounded(rows, name), *_summed(rows, name)]
    text = io.TextIOWrapper(target, encoding="utf-8", errors="surrogatepass", newline="")
    out = csv.writer(text, lineterminator="\n")
    # Blank lines in their place: a refused row is named by its place in the sheet.
    text.write("\n" * header)
    for row in _trimmed(rows[header:]):
        out.writerow(row)
    text.flush()
    text.detach()
    return notes


def _filled(row: Sequence[Any]) -> int:
    return sum(cell not in _NONE for cell in row)


def _has_table(sheet: CalamineSheet) -> bool:
    """Whether a sheet has a header and a row, and not only a few words."""
    return sheet.height > 1 and sheet.width > 1


def _header_at(rows: Sequence[Sequence[Any]], merged: Collection[int]) -> int:
    """How many rows stand above the header: lines of a single cell, such as a title, above a row of
    three cells or more, or of two if a title is ``merged`` across columns (its row). Of a narrower
    table it would not be clear.
    """
    for at, row in enumerate(rows[:_MOST_ABOVE]):
        many = _filled(row)
        if many > 1:
            below = rows[at + 1 : at + 1 + _LOOKED_BELOW]
            wide = many >= _LEAST_WIDE or any(one < at for one in merged)
            return at if wide and any(_filled(one) > 1 for one in below) else 0
    return 0


def _fill_merged(rows: list[list[Any]], sheet: CalamineSheet, header: int, name: str) -> list[str]:
    """Give each row of cells that are merged downwards their value; says so."""
    top, left = sheet.start or (0, 0)
    filled, first = 0, ""
    for (begin, column), (end, last) in sheet.merged_cell_ranges or ():
        at, across = begin - top, column - left
        if end == begin or at <= header or not 0 <= across < len(rows[0]):
            continue
        if at >= len(rows) or rows[at][across] in _NONE:
            continue
        for row in rows[at + 1 : end - top + 1]:
            for place in range(across, min(last - left, len(row) - 1) + 1):
                if row[place] in _NONE:
                    row[place] = rows[at][across]
                    filled += 1
        first = first or f"row {begin + 1}"
    if not filled:
        return []
    cells = "1 cell" if filled == 1 else f"{filled:,} cells"
    return [f"{name}: merged cells are filled down, {cells} below the first, from {first} on."]


def _pad(rows: list[list[Any]], xml: SheetXml, top: int, left: int) -> None:
    """Write numbers with the zeros in front that the sheet shows."""
    for (row, column), digits in xml.digits.items():
        at, across = row - top, column - left
        if 0 <= at < len(rows) and 0 <= across < len(rows[at]):
            cell = rows[at][across]
            if isinstance(cell, float) and cell.is_integer() and 0 <= cell < _EXACT:
                rows[at][across] = str(int(cell)).zfill(digits)


def _told_of(xml: SheetXml, begin: tuple[int, int], name: str) -> Iterator[str]:
    """Notes on what a person may not see in the sheet, or MedLens cannot."""
    if many := xml.hidden_rows:
        are = "1 row is" if many == 1 else f"{many:,} rows are"
        yield (
            f"{name}: {are} hidden in the sheet, and read like the others. Delete what is not"
            " meant."
        )
    if many := xml.hidden_columns:
        are = "1 column is" if many == 1 else f"{many:,} columns are"
        yield f"{name}: {are} hidden in the sheet, and read like the others."
    below = [place for place in xml.unstored if place >= begin]
    if below:
        cells = "1 formula has" if len(below) == 1 else f"{len(below):,} formulas have"
        yield (
            f"{name}: {cells} no stored result and {'is' if len(below) == 1 else 'are'} empty here"
            f" (first: {_reference(below[0])}). Open and save the file in a spreadsheet program."
        )
    below = [place for place in xml.errors if place >= begin]
    if below:
        cells = "1 cell has" if len(below) == 1 else f"{len(below):,} cells have"
        are = "is" if len(below) == 1 else "are"
        yield f"{name}: {cells} an error and {are} empty here (first: {_reference(below[0])})."


def _reference(place: tuple[int, int]) -> str:
    row, column = place
    letters, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def _summed(rows: Sequence[Sequence[Any]], name: str) -> list[str]:
    """A note on a last row that looks like a sum of those above it."""
    words = {str(cell).strip().casefold().rstrip(":") for cell in rows[-1] if isinstance(cell, str)}
    if len(rows) < _LEAST_SUMMED or not words & _SUMS:
        return []
    return [
        f"{name}: the last row looks like a sum ({min(words & _SUMS)}). Make a study leaves it out"
        " unless you keep it; everything else reads it as a row like any other."
    ]


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
