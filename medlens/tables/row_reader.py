"""The rows of CSV, JSON lines, JSON arrays and Parquet, each with the line on which it begins."""

from __future__ import annotations

import contextlib
import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, BinaryIO

from medlens.errors import BadFile, BadRow
from medlens.tables.chat_exports import rows_of_chat_export_or_objects
from medlens.tables.evaluation_logs import rows_of_evaluation_log_or_objects
from medlens.tables.file_kind_and_lines import (
    CUT_OFF,
    MisencodedCells,
    Source,
    iterate_text_blocks_with_their_lines,
    name_of_source,
    open_as_seekable_stream,
    recognise_kind_of_file,
    shorten_value,
)
from medlens.tables.formula_escape_and_restore import has_cell_after_apostrophe, restore_formulas
from medlens.tables.json_and_parquet_object_reader import (
    Found,
    is_one_list_per_line,
    read_json_array,
    read_json_lines,
    read_parquet_objects,
)
from medlens.tables.json_layout import iterate_json_values_with_lists_as_rows
from medlens.tables.read_limits import LONGEST, LONGEST_PAGE, MOST_COLUMNS
from medlens.tables.undoubled_quotes import (
    split_line_with_undoubled_quotes,
    undoubled_quotes_in_words,
)

# Columns of a file of refused rows (``bad_rows_suffix_and_text``).
LINE, REASON = "medlens_line", "medlens_reason"

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
_WELL_FORMED = "a well-formed CSV record, in which quotation marks inside a text are doubled"


class MissingColumns(BadFile):
    """A file lacks columns that its kind must have."""


@dataclass(slots=True)
class Row:
    """One record of a file.

    ``line`` counts from 1 and is where the record begins (in Parquet: its number). ``raw`` is the
    record as it is in the file: the cells of a CSV record under ``header``, the text of a JSON one.
    A CSV record that could not be split into cells is in ``raw`` as text.
    """

    line: int
    values: dict[str, Any]
    raw: Sequence[str] | str = ""
    header: Sequence[str] = ()


Refuse = Callable[[Row, BadRow], None]
CheckColumns = Callable[[Sequence[str]], None]


def iterate_rows_of_table_file(
    source: Source,
    *,
    name: str = "",
    required: Sequence[str] = (),
    optional: Sequence[str] = (),
    refuse: Refuse | None = None,
    pages: Set[str] | None = None,
    check_columns: CheckColumns | None = None,
    own_export: bool = False,
    notes: list[str] | None = None,
    whole_names: bool = False,
) -> Iterator[Row]:
    """The rows of ``source``: a path, the bytes of an upload, or a binary stream.

    ``required`` and ``optional`` columns are found whatever their order, case and spacing, and are
    in ``Row.values`` under the names given here; further columns are there under their own names.
    CSV values are texts, JSON and Parquet values Python objects. Blank rows are skipped.

    A row that is not a record (invalid JSON, too few cells, a missing required value, text that no
    store can hold or that is too long; ``pages`` are the columns that hold whole pages, None for
    any) goes to ``refuse`` and reading continues; without ``refuse`` the first one raises.
    ``check_columns`` is given the columns once and may raise. ``own_export`` undoes
    ``neutralise_formulas`` in CSV. What was decided for the reader (separator, kind of file) is
    added to ``notes``. ``whole_names`` is as ``rows_of_evaluation_log_or_objects`` has it.

    Raises ``BadFile`` if the file as a whole cannot be read: missing, a folder, empty, not UTF-8,
    or with missing or repeated columns.
    """
    name = name_of_source(source, name)
    told = notes if notes is not None else []
    turn_down = refuse or _raise_at_once
    with open_as_seekable_stream(source, name) as stream:
        kind = recognise_kind_of_file(stream, name, told)
        wanted = _Wanted(name, tuple(required), tuple(optional), check_columns, pages)
        if kind == "csv":
            yield from _csv_rows(stream, wanted, turn_down, own_export, told)
        elif kind == "parquet":
            yield from _object_rows(read_parquet_objects(stream, name), wanted, turn_down)
        elif kind == "jsonl":
            objects = rows_of_evaluation_log_or_objects(
                read_json_lines(stream, name, told), name, told, whole_names=whole_names
            )
            objects = rows_of_chat_export_or_objects(objects, name, told)
            yield from _object_rows(objects, wanted, turn_down)
        else:
            by_line = is_one_list_per_line(stream)
            listed = read_json_lines(stream, name, told) if by_line else None
            objects = _rows_in_lists(listed or read_json_array(stream, name), name, told)
            objects = rows_of_evaluation_log_or_objects(
                objects, name, told, whole_names=whole_names
            )
            objects = rows_of_chat_export_or_objects(objects, name, told)
            yield from _object_rows(objects, wanted, turn_down)


def _raise_at_once(row: Row, problem: BadRow) -> None:
    raise BadFile(str(problem), rows=[problem])


@lru_cache(maxsize=4096)
def normalise_column_name(column: str) -> str:
    """A column's name, ignoring case and spacing."""
    return re.sub(r"[\s_-]+", "_", column.strip().casefold())


def wanted_name_by_column_found(columns: Sequence[str], wanted: Iterable[str]) -> dict[str, str]:
    """Maps each column found to the name wanted, for those of ``wanted`` that are there.

    Raises ``BadFile`` for repeated ones.
    """
    return _Wanted("", tuple(wanted), (), None, None).rename(columns)


@dataclass(frozen=True, slots=True)
class _Wanted:
    name: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    check: CheckColumns | None
    pages: Set[str] | None

    def longest(self, column: str) -> int:
        """How many characters a text in this column may have."""
        return LONGEST_PAGE if self.pages is None or column in self.pages else LONGEST

    def rename(self, columns: Sequence[str]) -> dict[str, str]:
        """Column as found -> name as wanted, for the wanted ones.

        Raises ``BadFile`` for doubled ones.
        """
        renamed: dict[str, str] = {}
        for wanted in (*self.required, *self.optional):
            found = [c for c in columns if c == wanted]
            found = found or [
                c for c in columns if normalise_column_name(c) == normalise_column_name(wanted)
            ]
            if len(found) > 1:
                raise BadFile(
                    f"{self.name}: the column {wanted!r} is there {len(found)} times.",
                    hint="Keep one of them.",
                )
            if found:
                renamed[found[0]] = wanted
        return renamed

    def missing(self, renamed: dict[str, str]) -> list[str]:
        return [column for column in self.required if column not in renamed.values()]

    def refuse_missing(self, missing: Sequence[str], columns: Sequence[str]) -> None:
        if missing:
            found = ", ".join(repr(c) for c in columns[:30] if c) or "none"
            raise MissingColumns(
                f"{self.name}: missing column{'s' * (len(missing) > 1)}"
                f" {', '.join(map(repr, missing))}. "
                f"Columns found: {shorten_value(found)}.",
                hint="Check that this is the right kind of file.",
            )


def _csv_rows(
    stream: BinaryIO, wanted: _Wanted, refuse: Refuse, own_export: bool, notes: list[str]
) -> Iterator[Row]:
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    name = wanted.name
    odd = MisencodedCells()
    read = _LinesRead(stream, odd)
    lines = chain.from_iterable(read.blocks())
    head = list(islice(lines, 200))
    declared = SEPARATOR.fullmatch(head[0]) if head else None
    above = 0
    if declared:
        read.any_cell_restored = True
        # A line for Excel alone, which says by what the cells are separated.
        head, above = head[1:] or [""], 1
        delimiter, header = _header(head, wanted, declared[1])
    else:
        delimiter, header = _header(head, wanted)
    if len(header) > MOST_COLUMNS:
        raise BadFile(
            f"{name}, line 1: there are {len(header):,} columns, of which {MOST_COLUMNS:,} are the"
            " most.",
            hint="Check that it is the right file and that its lines end where they should.",
        )
    if delimiter != ",":
        notes.append(
            f"{name}: the cells are separated by {DELIMITERS.get(delimiter, repr(delimiter))}."
        )
    header = [odd.mend_cell(column, "the header", 1, needed=False) for column in header]
    columns = [restore_formulas(column) if own_export else column for column in header]
    renamed = wanted.rename(columns)
    wanted.refuse_missing(wanted.missing(renamed), columns)
    for column, many in Counter(filter(None, columns)).items():
        if many > 1:
            notes.append(f"{name}: the column {column!r} is there {many} times; the last is used.")
    if wanted.check:
        wanted.check(columns)
    keys = [renamed.get(column, column) for column in columns]
    needed = frozenset(renamed.values())
    restoring = own_export or REASON in columns
    skipped = 2 if columns[:2] == [LINE, REASON] else 0
    shown = tuple(columns[skipped:])
    reader = csv.reader(chain(head, lines), delimiter=delimiter, strict=True)
    past_header = False
    unnamed = "" in keys
    survey = _rows_of_a_survey(head, delimiter)
    if survey:
        rows = "row" if survey == 1 else f"{survey} rows"
        are = "is" if survey == 1 else "are"
        notes.append(
            f"{name}: the {rows} below the header, which Qualtrics writes there, {are} left out."
        )
    undoubled = _UndoubledQuotes(name, notes)
    while True:
        read.begin = begin = above + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            notes += odd.list_mended_cells_in_words(name)
            return
        except csv.Error as error:
            lines_of_row = read.lines(begin, above + reader.line_num)
            mended = undoubled.split_and_tell(lines_of_row, begin, delimiter, len(keys))
            if not mended:
                cut = str(error) == "unexpected end of data"
                broken = "".join(lines_of_row)
                broken = broken.encode("utf-8", "replace" if odd.met else "strict").decode("utf-8")
                what = f"a closing quotation mark{CUT_OFF}" if cut else _WELL_FORMED
                got = "" if cut else shorten_value(broken.rstrip())
                refuse(Row(begin, {}, broken, shown), BadRow(name, begin, "", what, got))
                continue
            cells = mended
        if not any(cells):
            continue
        if not past_header:
            past_header = True
            continue
        if survey:
            survey -= 1
            continue
        if len(cells) > len(keys):
            lines_of_row = read.lines(begin, above + reader.line_num)
            mended = undoubled.split_and_tell(lines_of_row, begin, delimiter, len(keys))
            cells = mended or cells
        if odd.met:
            names = (*keys, *[""] * max(0, len(cells) - len(keys)))
            try:
                cells = [
                    odd.mend_cell(cell, key, begin, needed=key in needed)
                    for cell, key in zip(cells, names, strict=False)
                ]
            except ValueError:
                plain = [cell.encode("utf-8", "replace").decode("utf-8") for cell in cells]
                row = Row(begin, dict(zip(keys, plain, strict=False)), plain[skipped:], shown)
                what = "text in UTF-8 or Windows-1252"
                refuse(row, BadRow(name, begin, "", what, "bytes that are neither"))
                continue
        if restoring and read.any_cell_restored:
            cells = [restore_formulas(cell) for cell in cells]
        row = Row(begin, dict(zip(keys, cells, strict=False)), cells[skipped:], shown)
        if len(cells) != len(keys):
            end = above + reader.line_num
            last = "".join(read.lines(end, end))
            what, got = f"{len(keys)} cells", f"{len(cells)} cells"
            if len(cells) > len(keys):
                sign = _SEPARATORS.get(delimiter, repr(delimiter))
                what += f" (quotation marks stand around a text that has {sign} in it)"
                got += f", the last of them “{shorten_value(cells[-1])}”" * bool(cells[-1])
            what += "" if last.endswith(("\n", "\r")) else CUT_OFF
            refuse(row, BadRow(name, begin, "", what, got))
            continue
        long = (
            _too_long(zip(keys, cells, strict=True), wanted)
            if max(map(len, cells)) > LONGEST
            else None
        )
        if long:
            refuse(row, BadRow(name, begin, *long))
            continue
        nul = (
            next((k for k, cell in zip(keys, cells, strict=True) if "\0" in cell), None)
            if read.any_nul
            else None
        )
        if nul is not None:
            refuse(row, BadRow(name, begin, nul, "text without NUL characters", "a NUL character"))
            continue
        if unnamed:
            del row.values[""]
        yield row


class _UndoubledQuotes:
    """The lines that were read although quotation marks are not doubled in them, of which one note
    tells.
    """

    def __init__(self, name: str, notes: list[str]) -> None:
        self._name, self._notes = name, notes
        self._lines: list[int] = []
        self._text, self._at = "", 0

    def split_and_tell(
        self, lines: Sequence[str], begin: int, delimiter: str, count: int
    ) -> list[str] | None:
        """The cells of a row on one line, if it can be read for certain; None if not."""
        if len(lines) != 1:
            return None
        cells = split_line_with_undoubled_quotes(lines[0], delimiter, count)
        if cells is None:
            return None
        if not self._lines:
            self._text, self._at = next(cell for cell in cells if '"' in cell), len(self._notes)
            self._notes.append("")
        self._lines.append(begin)
        # Whoever reads the first rows only does not come to the end.
        told = undoubled_quotes_in_words(self._name, self._lines, self._text)
        self._notes[self._at] = told
        return cells


class _LinesRead:
    """The lines of a CSV file, many at a time, of which those of the row being read are kept."""

    def __init__(self, stream: BinaryIO, odd: MisencodedCells) -> None:
        self._stream, self._odd = stream, odd
        self._kept: list[tuple[int, list[str]]] = []
        self.begin = 1
        """The first line of the row being read, from 1: no earlier one is asked for."""
        self.any_nul = False
        """Whether there was a NUL so far."""
        self.any_cell_restored = False
        """Whether there was a cell so far that ``restore_formulas`` may change."""

    def blocks(self) -> Iterator[list[str]]:
        """The lines in their order."""
        after = 1
        for text, lines in iterate_text_blocks_with_their_lines(self._stream, self._odd):
            self._kept = [one for one in self._kept if one[0] + len(one[1]) > self.begin]
            self._kept.append((after, lines))
            after += len(lines)
            self.any_nul = self.any_nul or "\0" in text
            self.any_cell_restored = self.any_cell_restored or has_cell_after_apostrophe(text)
            yield lines

    def lines(self, first: int, last: int) -> list[str]:
        """The lines with these numbers, the last included, as far as there are some."""
        found = []
        for begin, lines in self._kept:
            found += lines[max(first - begin, 0) : max(last + 1 - begin, 0)]
        return found


def _rows_of_a_survey(head: Sequence[str], delimiter: str) -> int:
    """How many rows below the header of a Qualtrics export are none: the questions, and the ids of
    its columns.
    """
    if not any(IMPORT_ID in line for line in head[:_LINES_OF_A_SURVEY]):
        return 0
    reader = csv.reader(iter(head), delimiter=delimiter)
    with contextlib.suppress(csv.Error):
        first = list(islice((row for row in reader if any(row)), 3))
        for at, row in enumerate(first[1:], 1):
            given = [cell for cell in row if cell]
            if given and all(cell.startswith("{") and IMPORT_ID in cell for cell in given):
                return at
    return 0


IMPORT_ID = "ImportId"
_LINES_OF_A_SURVEY = 60
"""Lines within which the ids of a survey's columns stand: questions can have many lines."""
SEPARATOR = re.compile(r'"?sep=([^\w\s"]|\t)"?[,;|\t]*(\r\n|\r|\n|$)', re.IGNORECASE)
"""The line with which Excel is told by what the cells are separated; other programs pad it."""


def _header(head: Sequence[str], wanted: _Wanted, declared: str = "") -> tuple[str, list[str]]:
    """The separator under which the wanted columns appear, and the columns; ``declared`` is the one
    that the file names.
    """
    best = (",", [""])
    for delimiter in declared or DELIMITERS:
        rows = csv.reader(iter(head), delimiter=delimiter)
        try:
            columns = next((row for row in rows if any(row)), [""])
        except csv.Error as error:
            raise BadFile(f"{wanted.name}, line 1: no readable header ({error}).") from error
        columns = [column.strip() for column in columns]
        renamed = wanted.rename(columns)
        if wanted.required and not wanted.missing(renamed):
            return delimiter, columns
        if len(columns) > len(best[1]):
            best = (delimiter, columns)
    if best[1] == [""]:
        best = (",", [head[0].strip()])
    return best


def _rows_in_lists(objects: Iterator[Found], name: str, notes: list[str]) -> Iterator[Found]:
    """The elements of an array, those that are lists made into rows."""
    first = next(objects, None)
    if first is None:
        return
    if not isinstance(first.value, list | str):
        yield first
        yield from objects
        return
    places: list[Found] = []

    def values() -> Iterator[Any]:
        for found in chain([first], objects):
            places.append(found)
            yield found.value

    for row in iterate_json_values_with_lists_as_rows(values(), name, notes):
        found = places.pop()
        if row is not None:
            raw = found.raw if row is found.value else json.dumps(row, ensure_ascii=False)
            yield Found(found.line, row, raw, found.problem)


def _object_rows(objects: Iterable[Found], wanted: _Wanted, refuse: Refuse) -> Iterator[Row]:
    name = wanted.name
    checked = False
    # Objects in one file mostly have the same keys, so their names are looked up once.
    keys: tuple[str, ...] | None = None
    renamed: dict[str, str] = {}
    missing: list[str] = []
    for found in objects:
        value = found.value
        if found.problem:
            refuse(Row(found.line, {}, found.raw), found.problem)
            continue
        if not isinstance(value, dict):
            problem = BadRow(name, found.line, "", "a JSON object", shorten_value(found.raw))
            refuse(Row(found.line, {}, found.raw), problem)
            continue
        if not checked:
            checked = True
            if wanted.check:
                wanted.check(list(value))
        fields: dict[str, Any] = value
        if tuple(fields) != keys:
            keys = tuple(fields)
            every = wanted.rename(keys)
            missing = wanted.missing(every)
            renamed = {key: column for key, column in every.items() if key != column}
        if renamed:
            fields = {renamed.get(key, key): item for key, item in fields.items()}
        row = Row(found.line, fields, found.raw)
        if missing:
            got = "these fields: " + ", ".join(fields)
            refuse(row, BadRow(name, found.line, missing[0], "a value", shorten_value(got)))
        elif not found.storable and (fault := _unstorable(found.raw, fields, wanted)):
            refuse(row, BadRow(name, found.line, *fault))
        else:
            yield row


_ESCAPED = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)


def _too_long(texts: Iterable[tuple[str, str]], wanted: _Wanted) -> tuple[str, str, str] | None:
    """The first column whose text is too long, what was expected there, and how long it is."""
    for column, text in texts:
        if len(text) > (most := wanted.longest(column)):
            return (
                shorten_value(column),
                f"at most {most:,} characters",
                f"{len(text):,} characters",
            )
    return None


def _unstorable(raw: str, fields: dict[str, Any], wanted: _Wanted) -> tuple[str, str, str] | None:
    """The first column whose text no store can hold, what was expected there, and what it holds."""
    # In JSON both are escapes, as are whole pairs. Parquet is UTF-8: it can only hold a NUL.
    if raw and len(raw) <= LONGEST and not ("\\u" in raw and _ESCAPED.search(raw)):
        return None
    for column, value in fields.items():
        for text in (column, *_texts(value)):
            if long := _too_long([(column, text)], wanted):
                return long
            if "\0" in text:
                return shorten_value(column), "text without NUL characters", "a NUL character"
            if raw and _HALF.search(text):
                return (
                    shorten_value(column),
                    "text without half a surrogate pair",
                    shorten_value(text),
                )
    return None


# A surrogate pair is one character once the JSON is read.
_HALF = re.compile("[\ud800-\udfff]")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
