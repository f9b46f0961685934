"""What an OpenDocument spreadsheet's own XML tells of a sheet and the reader of its cells does not:
the counterpart of ``workbook_hidden_cells_and_formats`` for .ods.
"""

from __future__ import annotations

import contextlib
import itertools
import re
import zipfile
from collections.abc import Iterator, Mapping, Sized
from typing import BinaryIO

from medlens.tables.workbook_hidden_cells_and_formats import (
    HIDDEN_OR_EMPTY,
    ON_CELLS,
    UNREADABLE,
    DecimalFormat,
    NumberFormat,
    PercentFormat,
    Shape,
    SheetXml,
    feed_zip_part_to_handlers,
    has_pattern_in_zip_part,
)

_CONTENT = "content.xml"
MERGED = "merged cells"
_SIGNS = (
    r"visibility[=\s]|-spanned[=\s]|formula[=\s]|[\"']error[\"']|annotation[\s>/]"
    r"|[\"']percentage[\"']|min-integer-digits\s{0,9}=\s{0,9}[\"'](?:[2-9]|1\d)|number:text>|<!DOCTYPE"
    r"|[.,]\d{0,9}0</text:p>"
)
"""What stands in the XML of a spreadsheet that has anything to tell; before "=" may be spaces.
A document type may hold values that the rows do not write. Of ``min-integer-digits`` more
than one are zeros in front; ``number:text`` is a word beside the number, and a last zero behind the
point may be one that is only shown."""
_LONGEST_SIGN = 48
_HIDDEN = ("collapse", "filter")
_CELLS = ("table-cell", "covered-table-cell")
_WITH_ATTRIBUTES = frozenset(("table", "table-column", "table-row", *_CELLS))
_PARAGRAPHS = ("p", "h")
_VALUES = ("value", "string-value", "date-value", "time-value", "boolean-value")
_MOST_PLACES = 200_000
"""Of one kind: repeated cells are written once, and a small file may declare any number of them."""
_MOST_ROWS, _MOST_COLUMNS = 1 << 20, 1 << 14
_PERCENTAGE = re.compile(r"[-+]?[\d., \u00a0']*?\d(?:[.,](\d+))?([ \u00a0]*%)")
_NAMED_NUMBER = re.compile(r"(?=[A-Za-z]|0\d)([A-Za-z][A-Za-z ]*[-/ ]?)?(\d+)")
"""Digits with zeros in front, or letters before them: how a number that names something is shown.
"""
_DECIMALS = re.compile(r"[-+]?(?=0\d|\d+.\d*0$)(\d+)[.,](\d+)")
"""A number shown with zeros that its value has not: in front, or behind the point."""


class _SheetEnds(Exception):
    """The sheet was read: what follows is of others."""


def read_opendocument_sheet_details(source: BinaryIO, sheet: str) -> SheetXml | None:
    """What the XML tells of a sheet, by its name; None if the file is no .ods. The position of
    ``source`` does not change.
    """
    at = source.tell()
    try:
        source.seek(0)
        with zipfile.ZipFile(source) as book:
            if _CONTENT not in book.namelist():
                return None
            try:
                return _read_content(book, sheet)
            except UNREADABLE:
                return SheetXml(unread=[MERGED, HIDDEN_OR_EMPTY, ON_CELLS])
    except UNREADABLE:
        return None
    finally:
        source.seek(at)


def _read_content(book: zipfile.ZipFile, sheet: str) -> SheetXml:
    if not has_pattern_in_zip_part(book, _CONTENT, _SIGNS, _LONGEST_SIGN):
        return SheetXml()
    reading = _SheetReading(sheet)
    with contextlib.suppress(_SheetEnds):
        feed_zip_part_to_handlers(
            *(book, _CONTENT, reading.begin, reading.end, reading.text),
            shorten=lambda blocks: _rows_that_tell(blocks, reading),
        )
    return reading.told()


# Most rows have nothing to tell, and going through all their elements takes ten times as long as
# reading the cells does. Such rows are counted by their bytes instead.
_ROW, _ROW_ENDS = b"<table:table-row", b"</table:table-row>"
_SIGNS_IN_ROW = (
    *(b"visibility", b"-spanned", b"formula", b"annotation", b"percentage", b"-rows-repeated"),
    *(b"error'", b'error"'),
)
_NAMED_IN_ROW = re.compile(
    rb"""float["'](?:[^<>]{0,200}?office:value=["']([^"']*)["'])?+[^<]*<[^<]*>"""
    rb"""(?:0(?:\d|<(?!/text:p>))|[A-Za-z&<\s\x80-\xff]|(?!\1<)[-+]?\d+[.,]\d*0<)"""
)
"""A number that is shown with a zero or a letter in front, or perhaps so (beyond ASCII are spaces,
too), or with a zero behind the point that its value has not."""
_REPEATED_CELLS = re.compile(rb"""-columns-repeated\s*=\s*["'](\d+)""")
_GATHERED, _LONGEST_ROW = 1 << 20, 1 << 23


def _rows_that_tell(blocks: Iterator[bytes], reading: _SheetReading) -> Iterator[bytes]:
    """The XML with each run of rows that have nothing to tell as one empty row that is repeated.

    Without comments, CDATA and the like a ``<`` begins an element, wherever it stands; from the
    first of these on, and if a row has no end, all is given as it is.
    """
    held, begun, hides_columns = b"", False, False
    gathered: list[bytes] = []
    for block in itertools.chain(blocks, [b""]):
        gathered.append(block)
        if block and sum(map(len, gathered)) < _GATHERED:
            continue
        held, gathered = held + b"".join(gathered), []
        # The XML declaration begins the file.
        odd = b"<!" in held or held.find(b"<?", 0 if begun else 5) >= 0
        begun = True
        end = held.rfind(_ROW_ENDS) + len(_ROW_ENDS)
        if odd or (end < len(_ROW_ENDS) and len(held) > _LONGEST_ROW):
            yield held
            yield from blocks
            return
        if end >= len(_ROW_ENDS):
            whole, held = held[:end], held[end:]
            hides_columns |= b"table-column" in whole and b"visibility" in whole
            yield from _without_plain_rows(whole, reading, hides_columns)
    yield held


def _without_plain_rows(
    whole: bytes, reading: _SheetReading, hides_columns: bool
) -> Iterator[bytes]:
    signs = [sign for sign in _SIGNS_IN_ROW if sign in whole]
    named = _NAMED_IN_ROW.search(whole) is not None
    kept: list[bytes] = []
    plain = 0
    *rows, rest = whole.split(_ROW_ENDS)
    for row in rows:
        if (
            row.lstrip().startswith(_ROW)
            and row.count(b"table-row") == 1
            and not any(sign in row for sign in signs)
            and not (named and _NAMED_IN_ROW.search(row))
            # Of hidden columns those count that are not beyond the cells.
            and not (hides_columns and _most_columns_filled(row) > reading.width)
        ):
            plain += 1
            continue
        if plain:
            kept.append(_empty_rows(plain))
            plain = 0
        kept += [row, _ROW_ENDS]
        if hides_columns:
            # The next row is compared with what this one makes known.
            yield b"".join(kept)
            kept.clear()
    if plain:
        kept.append(_empty_rows(plain))
    yield b"".join([*kept, rest])


def _empty_rows(many: int) -> bytes:
    return b'%b table:number-rows-repeated="%d"/>' % (_ROW, many)


def _most_columns_filled(row: bytes) -> int:
    """The columns up to a row's last cell that holds anything, or more."""
    last = max(row.rfind(b"value"), row.rfind(b"<text:"))
    if last < 0:
        return 0
    end = row.find(b"<", last + 1)
    filled = row[: end if end >= 0 else len(row)]
    repeated = sum(int(many[:_LONGEST_SIGN]) - 1 for many in _REPEATED_CELLS.findall(filled))
    return filled.count(b"table-cell") - filled.count(b"</table:table-cell") + repeated


class _SheetReading:
    """Gathers what the elements of one sheet tell, in the order in which they stand."""

    def __init__(self, sheet: str) -> None:
        self._sheet = sheet
        self._found = SheetXml()
        self._depth = 0
        """Of tables, from the wanted one on: a cell may hold a table of its own."""
        self._row, self._column, self._width = 0, 0, 0
        self._rows = self._cells = 1
        """How often the row and the cell are repeated."""
        self._row_hidden = self._row_filled = False
        self._hidden_columns: list[tuple[int, int]] = []
        self._columns = 0
        self._cell: Mapping[str, str] = {}
        self._error = False
        self._paragraph = self._in_comment = 0
        self._words: list[str] = []
        self._comment: list[str] = []

    @property
    def width(self) -> int:
        """The columns up to the last cell so far that holds anything."""
        return self._width

    def told(self) -> SheetXml:
        """All of it."""
        found = self._found
        for first, last in self._hidden_columns:
            columns = range(first, min(last, self._width))
            found.hidden_columns += len(columns)
            found.record_hidden_columns(columns)
        return found

    def begin(self, name: str, given: Mapping[str, str]) -> None:
        """An element begins."""
        if name == "annotation" or name in _PARAGRAPHS:
            self._begin_words(name)
            return
        if name not in _WITH_ATTRIBUTES:
            return
        own = {key.rsplit(" ", 1)[-1]: value for key, value in given.items()}
        if name == "table" and (self._depth or own.get("name") == self._sheet):
            self._depth += 1
        if self._depth != 1:
            return
        if name == "table-column":
            many = min(_repeated(own, "columns"), _MOST_COLUMNS)
            if own.get("visibility") in _HIDDEN:
                self._hidden_columns.append((self._columns, self._columns + many))
            self._columns += many
        elif name == "table-row":
            self._rows, self._column = _repeated(own, "rows"), 0
            self._row_hidden, self._row_filled = own.get("visibility") in _HIDDEN, False
        elif name in _CELLS:
            self._cell, self._cells = own, _repeated(own, "columns")
            # LibreOffice has a type of its own for errors, beside the standard's.
            self._error = any(
                key.endswith("value-type") and value == "error" for key, value in given.items()
            )
            self._words, self._comment = [], []
            self._paragraph = self._in_comment = 0

    def _begin_words(self, name: str) -> None:
        if self._depth != 1:
            return
        if name == "annotation":
            self._in_comment += 1
            return
        self._paragraph += 1
        held = self._comment if self._in_comment else self._words
        if held:
            held.append("\n")

    def text(self, said: str) -> None:
        """Text stands in an element."""
        if self._depth == 1 and self._paragraph:
            (self._comment if self._in_comment else self._words).append(said)

    def end(self, name: str) -> None:
        """An element ends."""
        if name == "table" and self._depth:
            self._depth -= 1
            if not self._depth:
                raise _SheetEnds
            return
        if self._depth != 1:
            return
        if name in _PARAGRAPHS:
            self._paragraph -= 1
        elif name == "annotation":
            self._in_comment -= 1
        elif name in _CELLS:
            self._take_cell()
            self._column += self._cells
        elif name == "table-row":
            if self._row_hidden and self._row_filled:
                rows = range(self._row, self._row + min(self._rows, _MOST_ROWS))
                self._found.hidden_rows += len(rows)
                self._found.record_hidden_rows(rows)
            self._row += self._rows

    def _take_cell(self) -> None:
        found, cell = self._found, self._cell
        said = "".join(self._words).strip()
        stored = any(kind in cell for kind in _VALUES) or bool(said)
        if stored or "formula" in cell:
            self._row_filled = True
            self._width = max(self._width, self._column + min(self._cells, _MOST_COLUMNS))
        place = (self._row, self._column)
        if self._error:
            self._add_places(found.errors)
        elif "formula" in cell and not stored:
            self._add_places(found.unstored)
        if comment := "".join(self._comment).strip():
            found.comments[place] = comment
        rows, columns = (_number(cell, f"number-{what}-spanned") for what in ("rows", "columns"))
        if rows > 1 or columns > 1:
            _require_few(found.merged)
            found.merged.append((place, (place[0] + rows - 1, place[1] + columns - 1)))
        if shape := _shape_of(cell, said):
            for at in self._places():
                found.shown[at] = shape
            _require_few(found.shown)

    def _add_places(self, places: list[tuple[int, int]]) -> None:
        places.extend(self._places())
        _require_few(places)

    def _places(self) -> list[tuple[int, int]]:
        """Where the cell stands, with its repetitions.

        Raises:
            ValueError: it is in too many places.
        """
        if self._rows * self._cells > _MOST_PLACES:
            raise ValueError("repeated too often")
        return [
            (self._row + down, self._column + across)
            for down in range(self._rows)
            for across in range(self._cells)
        ]


def _require_few(places: Sized) -> None:
    if len(places) > _MOST_PLACES:
        raise ValueError("too many places")


def _number(given: Mapping[str, str], name: str) -> int:
    return min(max(int(given.get(name, "1")), 1), _MOST_ROWS)


def _repeated(given: Mapping[str, str], what: str) -> int:
    return _number(given, f"number-{what}-repeated")


def _shape_of(cell: Mapping[str, str], said: str) -> Shape | None:
    """How a cell shows its number, if it shows more than that."""
    kind = cell.get("value-type")
    if kind == "percentage" and (match := _PERCENTAGE.fullmatch(said)):
        return PercentFormat(len(match[1] or ""), match[2])
    if kind == "float" and (named := _NAMED_NUMBER.fullmatch(said)):
        words, digits = named[1] or "", named[2]
        return NumberFormat((*([words] if words else []), *[None] * len(digits)))
    # A comma may also stand between thousands.
    if (
        kind == "float"
        and said != cell.get("value")
        and (shown := _DECIMALS.fullmatch(said))
        and cell.get("value", "").lstrip("-").partition(".")[0] == (shown[1].lstrip("0") or "0")
    ):
        return DecimalFormat(len(shown[1]), len(shown[2]))
    return None
