"""What a workbook's own XML tells of a sheet and the reader of its cells does not: rows and columns
that are hidden, formulas without a stored value, cells with an error, comments on cells, and
numbers that are shown with more zeros or as percentages. For .xlsx and .xlsm;
``opendocument_hidden_cells_and_formats`` does the same for .ods.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import IO, BinaryIO
from xml.parsers import expat

from medlens.deferred_module import pa, pc

_BLOCK, _LARGE_BLOCK = 1 << 16, 1 << 20
UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, expat.ExpatError, KeyError, ValueError, OSError, EOFError),
    *(NotImplementedError, RuntimeError),  # packed in a way, or with a password, that Python lacks
)
_WORKBOOK = "xl/workbook.xml"
_MOST_BYTES = 1 << 30
"""Of a part of the file once unpacked: a sheet of the most cells that we read has less."""
_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_FORMAT_PART = re.compile(r'"([^"]*)"|\\(.)|(0+)|([-/ ():+_]|#(?=[#0]))')
"""A text in quotation marks or behind a backslash, zeros, or a sign that stands for itself."""
_IN_BRACKETS = re.compile(r"\[[^\]]*\]")


@dataclass(frozen=True)
class NumberFormat:
    """How a whole number is shown: texts, and in their place between them digits (``None`` for
    each).
    """

    parts: tuple[str | None, ...]

    def format_number(self, number: int) -> str:
        """A number of 0 or more as the sheet shows it."""
        places = self.parts.count(None)
        digits = str(number).zfill(places)
        extra = len(digits) - places
        written, at = [], 0
        for part in self.parts:
            if part is not None:
                written.append(part)
                continue
            many = 1 + (extra if not at else 0)
            written.append(digits[at : at + many])
            at += many
        return "".join(written)


_PERCENT = re.compile(r"#?,?#*0(?:\.(?P<places>[0#]+))?(?P<sign>[ \u00a0]*%)")


@dataclass(frozen=True)
class PercentFormat:
    """How a share is shown as a percentage: with at least so many decimal ``places``, and a
    ``sign``, perhaps behind a space.
    """

    places: int
    sign: str

    def format_share(self, share: float) -> str:
        """A share as a percentage, with all digits that it has."""
        hundredfold = Decimal(repr(share)) * 100
        own = max(-int(hundredfold.normalize().as_tuple().exponent), 0)
        return f"{hundredfold:.{max(own, self.places)}f}{self.sign}"


@dataclass(frozen=True)
class DecimalFormat:
    """How a number with decimals is shown: with at least so many ``places`` behind the point and
    digits before it (``whole``), such as the "250.00" and "038.9" of ICD-9.
    """

    whole: int
    places: int

    def format_decimal(self, number: float) -> str:
        """A number as the sheet shows it, with all digits that it has."""
        exact = Decimal(repr(number))
        own = max(-int(exact.normalize().as_tuple().exponent), 0)
        whole, point, behind = f"{abs(exact):.{max(own, self.places)}f}".partition(".")
        return "-" * (exact < 0) + whole.zfill(self.whole) + point + behind


Shape = NumberFormat | PercentFormat | DecimalFormat
"""How a cell shows its number, where it shows more than that."""
_DECIMAL = re.compile(r"(?:#,##|#)?(?P<whole>0+)\.(?P<places>0+)#*")
_KNOWN_FORMATS = {"2": "0.00", "4": "#,##0.00", "9": "0%", "10": "0.00%"}
"""Formats that every workbook has, by their number, without being written in it."""


def parse_percent_format(code: str) -> PercentFormat | None:
    """What a number format of percentages shows, such as ``0%`` or ``0.0 %``; None for another."""
    plain = _IN_BRACKETS.sub("", _first_section(code)).replace('"', "").replace("\\", "")
    found = _PERCENT.fullmatch(plain)
    return PercentFormat((found["places"] or "").count("0"), found["sign"]) if found else None


def parse_decimal_format(code: str) -> DecimalFormat | None:
    """What a number format with decimals shows, such as ``0.00`` or ``000.0``; None for another."""
    plain = re.sub(r"_.", "", _IN_BRACKETS.sub("", _first_section(code))).strip()
    found = _DECIMAL.fullmatch(plain)
    return DecimalFormat(len(found["whole"]), len(found["places"])) if found else None


def parse_number_format(code: str) -> NumberFormat | None:
    """What a number format of zeros and texts shows, such as ``"P"000`` or ``000-00``; None for any
    other. Of several sections the first counts, as it is that of numbers above 0.
    """
    parts: list[str | None] = []
    code = _IN_BRACKETS.sub("", _first_section(code))
    at = 0
    while at < len(code):
        match = _FORMAT_PART.match(code, at)
        if match is None:
            return None
        quoted, single, zeros, sign = match.groups()
        if zeros:
            parts += [None] * len(zeros)
        elif sign not in ("#", "_"):
            parts.append(quoted if quoted is not None else single or sign)
        # Behind _ is a letter whose width is left empty.
        at = match.end() + (sign == "_")
    digits = parts.count(None)
    named = bool(parts) and parts[0] is not None and bool(parts[0].strip())
    return NumberFormat(tuple(parts)) if digits > 1 or (digits and named) else None


def _first_section(code: str) -> str:
    quoted = False
    for at, sign in enumerate(code):
        if sign == '"':
            quoted = not quoted
        elif sign == ";" and not quoted and code[at - 1 : at] != "\\":
            return code[:at]
    return code


@dataclass
class SheetXml:
    """What stands in the XML of a sheet. Rows and columns count from 0 in the whole sheet.

    ``hidden_rows`` counts rows with cells, ``hidden_columns`` columns; ``unstored`` and ``errors``
    are the places of formulas without a value and of errors; ``shown`` is how a number is shown, by
    its place, and ``comments`` what people wrote on cells, notes and threads alike. ``unread``
    names what could not be looked for, since its part of the file is damaged or refused. ``merged``
    are merged cells, first and last, where the reader of cells does not tell them.
    ``first_hidden_rows`` and ``first_hidden_columns`` are some of those counted. ``pictures`` are
    the places of pictures that lie on the sheet, ``total_rows`` the rows of totals that Excel
    writes below its tables.
    """

    hidden_rows: int = 0
    hidden_columns: int = 0
    first_hidden_rows: list[int] = field(default_factory=list)
    first_hidden_columns: list[int] = field(default_factory=list)
    merged: list[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    unstored: list[tuple[int, int]] = field(default_factory=list)
    errors: list[tuple[int, int]] = field(default_factory=list)
    shown: dict[tuple[int, int], Shape] = field(default_factory=dict)
    comments: dict[tuple[int, int], str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    pictures: list[tuple[int, int]] = field(default_factory=list)
    total_rows: list[int] = field(default_factory=list)

    def record_hidden_rows(self, rows: Sequence[int]) -> None:
        """Add rows to those that are named, while these are few."""
        self.first_hidden_rows += rows[: MOST_HIDDEN_NAMED - len(self.first_hidden_rows)]

    def record_hidden_columns(self, columns: Sequence[int]) -> None:
        """Add columns to those that are named, while these are few."""
        self.first_hidden_columns += columns[: MOST_HIDDEN_NAMED - len(self.first_hidden_columns)]


MOST_HIDDEN_NAMED = 5
HIDDEN_OR_EMPTY = "hidden rows and columns and formulas without a result"
ON_CELLS = "comments on cells"
PICTURES = "pictures"
TOTAL_ROWS = "rows of totals"


def read_sheet_details_beside_cells(source: BinaryIO, sheet: str) -> SheetXml | None:
    """What the XML tells of a sheet, by its name; None if the file is no .xlsx or has no such
    sheet. The position of ``source`` does not change.
    """
    at = source.tell()
    try:
        source.seek(0)
        with zipfile.ZipFile(source) as book:
            return _read_book(book, sheet) if _WORKBOOK in book.namelist() else None
    except UNREADABLE:
        return None
    finally:
        source.seek(at)


def _read_book(book: zipfile.ZipFile, sheet: str) -> SheetXml | None:
    """What cannot be read of one part keeps nobody from what another one tells."""
    try:
        part = _part_of(book, sheet)
    except UNREADABLE:
        return SheetXml(unread=[HIDDEN_OR_EMPTY, ON_CELLS])
    if not part:
        return None
    try:
        shapes = _number_shapes(book)
        plain = not shapes and not has_pattern_in_zip_part(book, part, _SIGNS, _LONGEST_SIGN)
        found = SheetXml() if plain else _read_part(book, part, shapes)
    except UNREADABLE:
        found = SheetXml(unread=[HIDDEN_OR_EMPTY])
    try:
        found.comments |= _comments_of(book, part)
    except UNREADABLE:
        found.unread.append(ON_CELLS)
    try:
        found.pictures += _pictures_of(book, part)
    except UNREADABLE:
        found.unread.append(PICTURES)
    try:
        found.total_rows += _total_rows_of(book, part)
    except UNREADABLE:
        found.unread.append(TOTAL_ROWS)
    return found


def feed_zip_part_to_handlers(
    book: zipfile.ZipFile,
    part: str,
    begin: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None] = lambda _: None,
    text: Callable[[str], None] = lambda _: None,
    shorten: Callable[[Iterator[bytes]], Iterator[bytes]] = lambda blocks: blocks,
) -> None:
    """Go through a part of the file element by element. ``shorten`` gets the blocks of its bytes
    and gives those to go through, such as without rows that have nothing to tell.

    Raises:
        ValueError: it declares entities, or is too large.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True

    def refuse(*_: object) -> None:
        raise ValueError("declares a document type")

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = lambda name, given: begin(name.rsplit(" ", 1)[-1], given)
    parser.EndElementHandler = lambda name: end(name.rsplit(" ", 1)[-1])
    parser.CharacterDataHandler = text
    with book.open(part) as stream:
        for block in shorten(_blocks_of(stream, _BLOCK)):
            parser.Parse(block, False)
    parser.Parse(b"", True)


def _blocks_of(stream: IO[bytes], size: int) -> Iterator[bytes]:
    """What a part of the file holds, in blocks.

    Raises:
        ValueError: it is too large.
    """
    read = 0
    while block := stream.read(size):
        read += len(block)
        if read > _MOST_BYTES:
            raise ValueError("too large")
        yield block


_SIGNS = r"hidden[=\s]|<f|:f[>\s/]|t\s{0,9}=\s{0,9}[\"']e[\"']|<!DOCTYPE"
_LONGEST_SIGN = 24
"""What stands in the XML of a sheet that has anything to tell; before "=" may be spaces. Going
through all elements takes longer than reading the cells does, and most tables have none of these.
"""


def has_pattern_in_zip_part(book: zipfile.ZipFile, part: str, signs: str, longest: int) -> bool:
    """Whether one of ``signs``, an expression for at most ``longest`` bytes, is in a part of the
    file.

    Raises:
        ValueError: it is too large.
    """
    before = b""
    with book.open(part) as stream:
        for block in _blocks_of(stream, _LARGE_BLOCK):
            piece = before + block
            # Arrow's expressions go through it once, and quicker than Python's through each sign.
            if pc.match_substring_regex(pa.scalar(piece, pa.binary()), signs).as_py():
                return True
            before = piece[-longest:]
    return False


def _part_of(book: zipfile.ZipFile, sheet: str) -> str:
    """The name of the part with a sheet's cells."""
    relation: list[str] = []
    targets: dict[str, str] = {}

    def sheets(name: str, given: Mapping[str, str]) -> None:
        if name == "sheet" and given.get("name") == sheet:
            relation.extend(value for key, value in given.items() if key.endswith(" id"))

    def relations(name: str, given: Mapping[str, str]) -> None:
        if name == "Relationship":
            targets[given.get("Id", "")] = given.get("Target", "")

    feed_zip_part_to_handlers(book, _WORKBOOK, sheets)
    feed_zip_part_to_handlers(book, "xl/_rels/workbook.xml.rels", relations)
    target = targets.get(relation[0], "") if relation else ""
    return posixpath.normpath(posixpath.join("xl", target)).lstrip("/") if target else ""


_OF_COMMENTS = ("/comments", "/threadedComment")
"""How the types of a sheet's parts with comments end; what is in threads stands in both."""


def _comments_of(book: zipfile.ZipFile, part: str) -> dict[tuple[int, int], str]:
    """What people wrote on a sheet's cells, by place; a thread's replies one below the other."""
    found: dict[tuple[int, int], str] = {}
    # A thread's own words replace what older programs are shown of it.
    for path in _related_parts(book, part, _OF_COMMENTS):
        found |= _read_comments(book, path)
    return found


def _related_parts(book: zipfile.ZipFile, part: str, kinds: Sequence[str]) -> list[str]:
    """The parts that belong to a sheet, of the types that end so, in the order of these."""
    folder, name = posixpath.split(part)
    relations = f"{folder}/_rels/{name}.rels"
    if relations not in book.namelist():
        return []
    parts: dict[str, list[str]] = {kind: [] for kind in kinds}

    def relation(name: str, given: Mapping[str, str]) -> None:
        for kind in kinds:
            if name == "Relationship" and given.get("Type", "").endswith(kind):
                target = given.get("Target", "")
                path = posixpath.normpath(posixpath.join(folder, target)).lstrip("/")
                parts[kind].append(path)

    feed_zip_part_to_handlers(book, relations, relation)
    return [path for kind in kinds for path in parts[kind]]


def _pictures_of(book: zipfile.ZipFile, part: str) -> list[tuple[int, int]]:
    """Where the pictures that lie on a sheet begin."""
    found: list[tuple[int, int]] = []
    for path in _related_parts(book, part, ("/drawing",)):
        found += _read_drawing(book, path)
    return sorted(found)


def _total_rows_of(book: zipfile.ZipFile, part: str) -> list[int]:
    """The rows of totals that are switched on in a sheet's tables."""
    found: list[int] = []

    def begin(name: str, given: Mapping[str, str]) -> None:
        if name == "table" and given.get("totalsRowCount", "0").isdecimal():
            last = _place(given.get("ref", "").rpartition(":")[2])
            count = int(given.get("totalsRowCount", "0"))
            if last is not None and 0 < count <= _MOST_TOTAL_ROWS:
                found.extend(range(last[0] - count + 1, last[0] + 1))

    for path in _related_parts(book, part, ("/table",)):
        feed_zip_part_to_handlers(book, path, begin)
    return sorted(found)


_MOST_TOTAL_ROWS = 5


def _read_drawing(book: zipfile.ZipFile, part: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    place = {"row": 0, "col": 0}
    at_beginning, words = False, ""

    def begin(name: str, _given: Mapping[str, str]) -> None:
        nonlocal at_beginning, words
        at_beginning, words = at_beginning or name == "from", ""
        if name == "pic":
            found.append((place["row"], place["col"]))

    def text(said: str) -> None:
        nonlocal words
        words += said

    def end(name: str) -> None:
        nonlocal at_beginning
        if at_beginning and name in place and words.strip().isdecimal():
            place[name] = int(words)
        if name == "from":
            at_beginning = False

    feed_zip_part_to_handlers(book, part, begin, end, text)
    return found


def _read_comments(book: zipfile.ZipFile, part: str) -> dict[tuple[int, int], str]:
    found: dict[tuple[int, int], list[str]] = {}
    place: tuple[int, int] | None = None
    inside, words = "", ""

    def begin(name: str, given: Mapping[str, str]) -> None:
        nonlocal place, inside, words
        inside = name
        if name in ("comment", "threadedComment"):
            place, words = _place(given.get("ref", "")), ""

    def text(said: str) -> None:
        nonlocal words
        words += said if inside in ("t", "text") else ""

    def end(name: str) -> None:
        nonlocal inside
        inside = ""
        if name in ("comment", "threadedComment") and place and words.strip():
            found.setdefault(place, []).append(words.strip())

    feed_zip_part_to_handlers(book, part, begin, end, text)
    return {at: "\n".join(said) for at, said in found.items()}


def _shape_of_code(code: str) -> Shape | None:
    return parse_number_format(code) or parse_percent_format(code) or parse_decimal_format(code)


def _number_shapes(book: zipfile.ZipFile) -> dict[str, Shape]:
    """How the styles of cells that show more than a number show it, by their index."""
    if "xl/styles.xml" not in book.namelist():
        return {}
    formats: dict[str, Shape] = {
        number: shape for number, code in _KNOWN_FORMATS.items() if (shape := _shape_of_code(code))
    }
    styles: list[str] = []
    inside = False

    def begin(name: str, given: Mapping[str, str]) -> None:
        nonlocal inside
        code = given.get("formatCode", "") if name == "numFmt" else ""
        if code and (shape := _shape_of_code(code)):
            formats[given.get("numFmtId", "")] = shape
        elif name == "cellXfs":
            inside = True
        elif name == "xf" and inside:
            styles.append(given.get("numFmtId", ""))

    def end(name: str) -> None:
        nonlocal inside
        if name == "cellXfs":
            inside = False

    feed_zip_part_to_handlers(book, "xl/styles.xml", begin, end)
    return {str(at): formats[one] for at, one in enumerate(styles) if one in formats}


def _read_part(book: zipfile.ZipFile, part: str, shapes: Mapping[str, Shape]) -> SheetXml:
    found = SheetXml()
    place: tuple[int, int] | None = None
    formula = value = False
    hidden = filled = False
    row = -1
    inside = ""

    def begin(name: str, given: Mapping[str, str]) -> None:
        nonlocal place, formula, value, hidden, filled, row, inside
        inside = name
        if name == "c":
            place, formula, value, filled = _place(given.get("r", "")), False, False, True
            if place and given.get("t") == "e":
                found.errors.append(place)
            if place and given.get("s") in shapes and given.get("t", "n") == "n":
                found.shown[place] = shapes[given["s"]]
        elif name == "f":
            formula = True
        elif name == "row":
            hidden, filled = given.get("hidden") in ("1", "true"), False
            # A row without a number follows the one before it.
            row = int(given["r"]) - 1 if "r" in given else row + 1
        elif name == "col" and given.get("hidden") in ("1", "true"):
            first, last = int(given.get("min", "1")), int(given.get("max", "1"))
            columns = range(first - 1, min(last, 16_384))
            found.hidden_columns += len(columns)
            found.record_hidden_columns(columns)

    def text(said: str) -> None:
        nonlocal value
        value = value or (inside in ("v", "t") and bool(said.strip()))

    def end(name: str) -> None:
        nonlocal inside
        inside = ""
        if name == "c" and place and formula and not value:
            found.unstored.append(place)
        elif name == "row" and hidden and filled:
            found.hidden_rows += 1
            found.record_hidden_rows([row])

    feed_zip_part_to_handlers(book, part, begin, end, text)
    return found


def _place(reference: str) -> tuple[int, int] | None:
    """Row and column, from 0, of a reference such as B7."""
    match = _CELL.fullmatch(reference)
    if not match:
        return None
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, column - 1
