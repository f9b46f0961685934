"""CSV as spreadsheet programs save it: titles, units, sums and footnotes around the table."""

from __future__ import annotations

import contextlib
import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from statistics import median
from typing import BinaryIO, TextIO

from medlens.errors import InvalidInput
from medlens.tables.checkbox_columns import find_rows_with_checkboxes_joined_and_note
from medlens.tables.criteria_rows_or_columns_to_one_cell import (
    find_rows_with_criteria_folded_and_note,
)
from medlens.tables.csv_line_writer import format_csv_line
from medlens.tables.file_kind_and_lines import BOM, ESCAPED_BYTE, shorten_value
from medlens.tables.reshape_cases_and_models import find_rows_arranged_one_per_case_and_note
from medlens.tables.row_reader import DELIMITERS, IMPORT_ID, LINE, SEPARATOR
from medlens.tables.strip_promptfoo_verdicts import find_rows_without_promptfoo_verdicts_and_note
from medlens.tables.table_place_and_header_in_sheet import MOST_ABOVE, find_table_in_sheet_rows
from medlens.tables.turns_to_dialogues import find_rows_with_turns_gathered_and_note
from medlens.tables.undoubled_quotes import (
    split_line_with_undoubled_quotes,
    undoubled_quotes_in_words,
)

LARGEST = 32 << 20
"""Bytes of a file that is looked through; what is larger was written by a program."""
_HEAD, _LOOKED_AT = 200_000, 40
"""Bytes of the beginning, and records of it, that say by what cells are separated."""
_ROUNDED = re.compile(r"[-+]?\d(?:[.,]\d+)?E\+1\d", re.IGNORECASE)
_OWN = ({"item", "rater", "task"}, {LINE})
"""Columns of MedLens's own files, in which nothing is looked for."""


@dataclass
class CsvLayout:
    """What was decided of a CSV file. ``header`` is the line of its headings, from 1, ``top`` its
    first records with the line on which each begins, and ``changed`` says that the table is in the
    target, and not as it was, ``cut`` that there may be more records than were looked at.
    ``questions`` are those that a survey's program writes below the headings, by heading.
    """

    changed: bool = False
    cut: bool = False
    header: int = 1
    notes: list[str] = field(default_factory=list)
    top: list[tuple[int, list[str]]] = field(default_factory=list)
    questions: dict[str, str] = field(default_factory=dict)


def write_arranged_csv_and_return_layout(
    source: BinaryIO,
    target: BinaryIO,
    *,
    name: str,
    header: int = 0,
    most: int = 0,
    is_model: Callable[[str], bool] | None = None,
) -> CsvLayout | None:
    """Write the table of a CSV file, every record on its line, without what stands around it; None
    for a file that has a mistake, is too large, or is MedLens's own. ``header`` is the line of the
    headings if a person said so; with ``most`` only so many records are looked at and written.
    ``is_model`` says whether a cell names a model.

    Raises:
        InvalidInput: nothing stands in the line ``header`` or below it.
    """
    content = source.read(LARGEST + 1)
    source.seek(0)
    if len(content) > LARGEST or b"\0" in content:
        return None
    head = content[:_HEAD].removeprefix(BOM).decode("utf-8", "surrogateescape")
    # Texts are made as they are needed: of a file that is looked at, of its first records only.
    text = io.TextIOWrapper(io.BytesIO(content), "utf-8", "surrogateescape", newline="")
    text.seek(len(BOM) if content.startswith(BOM) else 0)
    begin = 0
    if declared := SEPARATOR.match(head):
        begin, _ = 1, text.readline()
    delimiter = declared[1] if declared else _delimiter(head)
    undoubled: list[tuple[int, str]] = []
    start = text.tell()
    try:
        records = list(islice(_records(text, delimiter, begin, undoubled), most or None))
        spaced = any(cell.startswith(' "') for _, cells in records for cell in cells)
    except csv.Error:
        records, spaced = [], True
    text.seek(start)
    if spaced and (closer := _without_spaces_before_quotes(text, delimiter, begin, most)):
        records, undoubled = closer, []
    else:
        spaced = False
    if not records and content.strip():
        return None
    delimiter, unpacked = _unpack_lines_quoted_as_a_whole(records, delimiter)
    as_in_file: dict[str, str] = {}
    rows = [[_as_meant(cell, as_in_file) for cell in cells] for _, cells in records]
    if not rows:
        return None
    lines = [line for line, _ in records]
    of_markdown = delimiter == "|" and _as_in_markdown(rows)
    rows = of_markdown or rows
    first = {cell.strip().casefold() for cell in rows[0]}
    if any(own <= first for own in _OWN):
        return None
    found = CsvLayout(
        top=[
            (line, cells[:50])
            for (line, _), cells in zip(records[:MOST_ABOVE], rows, strict=False)
            if any(cells)
        ]
    )
    chosen = next((at for at, line in enumerate(lines) if header and line >= header), None)
    if header and chosen is None:
        raise InvalidInput(f"{name} has nothing from line {header:,} on.")
    survey = any(IMPORT_ID in cell for row in rows[:4] for cell in row)
    if survey and chosen is None:
        found.header = lines[0]
        if len(rows) > 1 and not any(IMPORT_ID in cell for cell in rows[1]):
            pairs = zip(map(str.strip, rows[0]), map(str.strip, rows[1]), strict=False)
            found.questions = {name: said for name, said in pairs if name and said != name}
        return found
    arranged = find_table_in_sheet_rows(
        rows,
        place=lambda at: f"line {lines[at]}",
        column=lambda at: str(at + 1),
        header=chosen,
    )
    found.header = lines[arranged.header]
    found.changed = arranged.changed or bool(of_markdown)
    if cases := find_rows_arranged_one_per_case_and_note(arranged.rows, arranged.header, is_model):
        arranged.rows, said = cases
        arranged.notes.append(said)
        # A turned table may have more rows than the file has lines.
        lines += range(lines[-1] + 1, lines[-1] + 1 + len(arranged.rows) - len(lines))
        found.changed, found.cut = True, len(rows) == most
    if bare := find_rows_without_promptfoo_verdicts_and_note(arranged.rows, arranged.header):
        arranged.rows, said = bare
        arranged.notes.append(said)
        found.changed = True
    if joined := find_rows_with_checkboxes_joined_and_note(arranged.rows, arranged.header):
        arranged.rows, said = joined
        arranged.notes.append(said)
        found.changed = True
    if folded := (
        find_rows_with_turns_gathered_and_note(arranged.rows, arranged.header)
        or find_rows_with_criteria_folded_and_note(arranged.rows, arranged.header)
    ):
        arranged.rows, said = folded
        arranged.notes.append(said)
        found.changed, found.cut = True, len(rows) == most
    # The first letter of a note is small, as it stands behind the file's name.
    found.notes = [f"{name}: {note}" for note in arranged.notes]
    if spaced:
        found.notes.append(
            f"{name}: spaces stand before the quotation marks around texts; they are left out."
        )
    if unpacked:
        many = "1 line" if unpacked == 1 else f"{unpacked:,} lines"
        found.notes.append(
            f"{name}: {many} had quotation marks around the whole line, and cells were made of it."
        )
    found.changed = found.changed or spaced or bool(unpacked)
    if b"E+1" in content or b"e+1" in content:
        found.notes += _rounded(name, rows, lines)
    if found.changed:
        if undoubled:
            of = [line for line, _ in undoubled]
            found.notes.append(undoubled_quotes_in_words(name, of, undoubled[0][1]))
        if delimiter != ",":
            called = DELIMITERS.get(delimiter, repr(delimiter))
            found.notes.insert(0, f"{name}: the cells are separated by {called}.")
        _write(arranged.rows, lines, target, as_in_file)
    return found


_DASHES = re.compile(r":?-{2,}:?")


def _as_in_markdown(rows: list[list[str]]) -> list[list[str]]:
    """The rows of a table in Markdown without the bars around them and the line of dashes, which
    stays as an empty row; empty if it is none.
    """
    first = next((at for at, row in enumerate(rows) if len(row) > 1), 0)
    plain = [[cell.strip() for cell in row] for row in rows]
    below = plain[first + 1] if first + 1 < len(plain) else []
    if not any(below) or not all(map(_DASHES.fullmatch, filter(None, below))):
        return []
    plain[first + 1] = []
    of_table = [row for row in plain[first:] if len(row) > 1]
    framed = all(not row[0] and not row[-1] for row in of_table)
    return [row[1:-1] if framed and len(row) > 1 else row for row in plain]


def _as_meant(cell: str, as_in_file: dict[str, str]) -> str:
    """A cell with bytes that are not UTF-8 as Windows-1252 reads it, as whoever looks for units and
    headings knows words by their letters; ``as_in_file`` gets what it was, as the reader of cells
    counts these.
    """
    if cell.isascii() or not ESCAPED_BYTE.search(cell):
        return cell
    try:
        meant = cell.encode("utf-8", "surrogateescape").decode("cp1252")
    except UnicodeDecodeError:
        return cell
    as_in_file[meant] = cell
    return meant


def _records(
    text: TextIO, delimiter: str, begin: int, undoubled: list[tuple[int, str]]
) -> Iterator[tuple[int, list[str]]]:
    """The records with the line on which each begins; ``undoubled`` gets those that were read in
    spite of their quotation marks.
    """
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    last = [""]

    def lines() -> Iterator[str]:
        for last[0] in text:
            yield last[0]

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    line, width = begin + 1, 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            mended = split_line_with_undoubled_quotes(last[0], delimiter, width)
            if mended is None or begin + reader.line_num != line:
                raise
            cells = mended
            undoubled.append((line, next(cell for cell in cells if '"' in cell)))
        width = max(width, len(cells))
        yield line, cells
        line = begin + reader.line_num + 1


def _without_spaces_before_quotes(
    text: TextIO, delimiter: str, begin: int, most: int
) -> list[tuple[int, list[str]]]:
    """The records of a file that has a space between a separator and a quotation mark, with the
    line on which each begins; empty if they are not all of one width then.
    """
    reader = csv.reader(text, delimiter=delimiter, strict=True, skipinitialspace=True)
    found: list[tuple[int, list[str]]] = []
    line = begin + 1
    try:
        for cells in islice(reader, most or None):
            found.append((line, cells))
            line = begin + reader.line_num + 1
    except csv.Error:
        return []
    return found if len({len(cells) for _, cells in found if any(cells)}) == 1 else []


def _unpack_lines_quoted_as_a_whole(
    records: list[tuple[int, list[str]]], delimiter: str
) -> tuple[str, int]:
    """Make cells of each record that is one cell with a whole line in it, as spreadsheets write a
    line of CSV that they took for a text; returns the separator, and how many there were.
    """
    widths = Counter(len(cells) for _, cells in records if len(cells) > 1)
    usual = widths.most_common(1)[0][0] if widths else 0
    alone = [at for at, (_, cells) in enumerate(records) if len(cells) == 1 and cells[0]]
    filled = sum(any(cells) for _, cells in records)
    for sign in [delimiter] if usual else DELIMITERS:
        within = re.compile(rf'(?:^|{re.escape(sign)})"')
        lines: dict[int, list[str]] = {}
        for at in alone:
            cell = records[at][1][0]
            if sign not in cell or not (within.search(cell) or 2 * len(alone) > filled):
                continue
            with contextlib.suppress(csv.Error, StopIteration):
                lines[at] = next(csv.reader([cell], delimiter=sign, strict=True))
        found = {len(cells) for cells in lines.values()}
        if usual:
            lines = {at: cells for at, cells in lines.items() if len(cells) == usual}
        elif not (
            len(lines) == filled
            and len(found) == 1
            and (max(found) > 2 or any(within.search(records[at][1][0]) for at in lines))
        ):
            continue
        for at, cells in lines.items():
            records[at] = (records[at][0], cells)
        if lines:
            return sign, len(lines)
    return delimiter, 0


def _delimiter(head: str) -> str:
    """By what most of the first records are separated into equally many cells, several; of signs
    alike in that, into most.
    """
    best, most = ",", (0.0, 1.0, 1)
    for delimiter in DELIMITERS:
        reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
        try:
            widths = [len(row) for row in islice((row for row in reader if row), _LOOKED_AT)]
        except csv.Error:
            continue
        if not widths or (middle := median(widths)) <= 1:
            continue
        # Prose has commas too, but not as many in each row; and where each text has one, the
        # headings say that it separates nothing.
        alike = sum(width == middle for width in widths) / len(widths)
        if (found := (round(alike, 1), middle, widths[0])) > most:
            best, most = delimiter, found
    return best


def _rounded(name: str, rows: list[list[str]], lines: list[int]) -> list[str]:
    """A note on numbers that the program that saved the file has cut to a few digits."""
    cells = [
        (line, cell)
        for line, row in zip(lines, rows, strict=True)
        for cell in row
        if "+1" in cell and _ROUNDED.fullmatch(cell.strip())
    ]
    if not cells:
        return []
    line, cell = cells[0]
    more = f", and {len(cells) - 1:,} more like it" * (len(cells) > 1)
    return [
        f"{name}: line {line} has the number {shorten_value(cell)}{more}. The program that saved"
        " the file has cut off its other digits: format the column as text where it comes from, and"
        " save it once more."
    ]


def _write(
    rows: list[list[str]], lines: list[int], target: BinaryIO, as_in_file: dict[str, str]
) -> None:
    out = io.TextIOWrapper(target, encoding="utf-8", errors="surrogateescape", newline="")
    at = 1
    for row, line in zip(rows, lines, strict=True):
        # Blank lines in their place: a refused row is named by its line in the file.
        out.write("\n" * (line - at))
        at = line
        if row:
            held = [as_in_file.get(cell, cell) for cell in row] if as_in_file else row
            out.write(format_csv_line(held))
            at += 1 + sum(cell.count("\n") for cell in row)
    out.flush()
    out.detach()
