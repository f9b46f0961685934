"""Turns bytes into lines and recognises the kind of file; errors name the line and the byte."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal

from medlens.errors import BadFile, InvalidInput

Source = str | os.PathLike[str] | bytes | BinaryIO
Kind = Literal["csv", "jsonl", "json", "parquet"]

BOM = b"\xef\xbb\xbf"
CUT_OFF = "; the file ends here and may be cut off"
_HEAD = 4096
_GOT_LENGTH = 80
_BY_SUFFIX: dict[str, Kind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_WORDS: dict[Kind, str] = {
    "csv": "CSV",
    "jsonl": "JSON lines",
    "json": "a JSON array",
    "parquet": "Parquet",
}

READ_AS_SUCH = "; it was read as such."
"""The end of a note on a file that holds something else than its name promises."""
_A_FILE_FIRST = "Write what comes from it to a file, and give that."
_NO_FILES: tuple[tuple[Callable[[int], bool], str, str], ...] = (
    (stat.S_ISDIR, "a folder", "Give one of the files in it."),
    (stat.S_ISFIFO, "a pipe", _A_FILE_FIRST),
    (stat.S_ISCHR, "a device", _A_FILE_FIRST),
    (stat.S_ISBLK, "a device", _A_FILE_FIRST),
    (stat.S_ISSOCK, "a socket", "Give a file."),
)

_SAS = bytes(12) + b"\xc2\xea\x81\x60"
_OLD_WORKBOOKS = (b"\x09\0\x04\0", b"\x09\x02\x06\0", b"\x09\x04\x06\0", b"\x09\x08\x08\0")
# The first bytes of files that are not tables, whatever their name.
_FOREIGN: tuple[tuple[bytes, str], ...] = (
    (b"SQLite format 3\0", "a SQLite database"),
    (b"\xd0\xcf\x11\xe0", "an Excel workbook"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"\x1f\x8b", "compressed (gzip)"),
    (b"BZh", "compressed (bzip2)"),
    (b"\xfd7zXZ\0", "compressed (xz)"),
    (b"\x28\xb5\x2f\xfd", "compressed (zstd)"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"%PDF-", "a PDF"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"ARROW1", "an Arrow file"),
    (b"<stata_dta>", "a data set of Stata"),
    (b"$FL2", "a data set of SPSS"),
    (b"$FL3", "a data set of SPSS"),
    (b"ASCII SPSS PORT FILE", "a data set of SPSS"),
    (_SAS, "a data set of SAS"),
    (b"HEADER RECORD*******", "a data set of SAS"),
    *((sign, "a workbook of an Excel before 1997") for sign in _OLD_WORKBOOKS),
    (b"\x00\x01\x00\x00Standard ACE DB", "an Access database"),
    (b"\x00\x01\x00\x00Standard Jet DB", "an Access database"),
    (b"RDX2", "R's saved data"),
    (b"RDX3", "R's saved data"),
    (b"X\n\0\0\0\x02", "R's saved data"),
    (b"X\n\0\0\0\x03", "R's saved data"),
    (b"MATLAB 5.0 MAT-file", "a file of MATLAB"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"{\\rtf", "a text with formatting (RTF)"),
)
_IN_ZIP = (
    (b"xl/", "an Excel workbook"),
    (b"word/", "a Word document"),
    (b"opendocument.spreadsheet", "an OpenDocument spreadsheet"),
)
_BY_NAME = {
    ".numbers": "a spreadsheet of Numbers",
    ".pages": "a document of Pages",
    ".rds": "R's saved data",
    ".rda": "R's saved data",
    ".rdata": "R's saved data",
}
"""What archives and compressed files are, by the ending of their names."""
_STATA = re.compile(rb"[\x66-\x73][\x01\x02]\x01[\x00-\x7f]", re.DOTALL)
"""How Stata's files begin up to version 12: format, order of bytes, kind of file."""
_BOOKS = (".xlsx", ".xlsm", ".ods")
_WORKBOOKS = ("an Excel workbook", "an OpenDocument spreadsheet")
_DUCK, _DUCK_AT = b"DUCK", 8
_TAR, _TAR_AT = b"ustar", 257
_AS_CSV = "Export the table as CSV (UTF-8) there, and give that"
_FROM_A_DOCUMENT = (
    "If it has a table, copy that into a spreadsheet, and save it as an Excel workbook or CSV. If"
    " it is running text, make such a table of it: a row for each case, with a heading above each"
    " column, such as question and answer."
)
_UNPACK = "Unpack it, and import the file that is in it."
_HINTS = {
    "": "Save the table in it as CSV (UTF-8), JSON lines or Parquet, and import that.",
    "a zip archive": f"{_UNPACK} Images and PDFs that a study's table names may stay in the zip:"
    " give it where the study asks for them, or all to study from-table.",
    "a 7-Zip archive": _UNPACK,
    "a RAR archive": _UNPACK,
    "a tar archive": _UNPACK,
    "compressed (gzip)": _UNPACK,
    "compressed (bzip2)": _UNPACK,
    "compressed (xz)": _UNPACK,
    "compressed (zstd)": _UNPACK,
    "an Excel workbook": "Save the sheet as CSV (UTF-8), and import that.",
    "an OpenDocument spreadsheet": "Save the sheet as CSV (UTF-8), and import that.",
    "a Word document": _FROM_A_DOCUMENT,
    "a text with formatting (RTF)": _FROM_A_DOCUMENT,
    "a PDF": _FROM_A_DOCUMENT,
    "an XML file": f"{_AS_CSV}; a spreadsheet program can often open it, and save it so.",
    "a data set of Stata": f"{_AS_CSV} (export delimited using table.csv).",
    "a data set of SPSS": f"{_AS_CSV} (File › Export › CSV data).",
    "a data set of SAS": f"{_AS_CSV} (proc export … dbms=csv).",
    "an Access database": f"{_AS_CSV} (External data › Export › Text file or Excel).",
    "R's saved data": f'{_AS_CSV} (write.csv(table, "table.csv", row.names = FALSE)).',
    "a workbook of an Excel before 1997": "Open it in LibreOffice or a newer Excel, save it as an"
    " Excel workbook (.xlsx) or CSV (UTF-8), and give that.",
    "a spreadsheet of Numbers": f"{_AS_CSV} (File › Export To › CSV or Excel).",
    "a document of Pages": _FROM_A_DOCUMENT,
    "a file of MATLAB": f'{_AS_CSV} (writetable(table, "table.csv")).',
    "a web page": "Was a sign-in page saved in the file's place? Fetch it again.",
}
_ENCODED = "choose its encoding (Text encoding, or --encoding on the command line)"


def _foreign(head: bytes, name: str = "") -> str:
    """What else a file is, judging by its beginning ``head``; empty if it may be a table. The
    ``name`` says what is in an archive or a compressed file.
    """
    found = next((what for sign, what in _FOREIGN if head.startswith(sign)), "")
    if found == "a zip archive" or found.startswith("compressed"):
        found = _BY_NAME.get(Path(name).suffix.casefold(), found)
    if found == "a zip archive":
        return next((what for sign, what in _IN_ZIP if sign in head), found)
    # A text may contain these words in these places, but never with a NUL beside them.
    if b"\0" in head:
        if _STATA.match(head):
            return "a data set of Stata"
        if head[_DUCK_AT:].startswith(_DUCK):
            return "a DuckDB database"
        if head[_TAR_AT:].startswith(_TAR):
            return "a tar archive"
    if head.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html")):
        return "a web page"
    if not found and head.removeprefix(BOM).lstrip().startswith(b"<?xml"):
        return "an XML file"
    return found


def has_workbook_signature(source: BinaryIO) -> bool:
    """Whether a stream at its beginning is a workbook; reads a little of it."""
    return _foreign(source.read(_HEAD)) in _WORKBOOKS


def shorten_value(value: object) -> str:
    """``value`` as any page can show it: one line of at most 80 characters."""
    text = value if isinstance(value, str) else _as_in_a_file(value)
    text = " ".join(text.split()).encode("utf-8", "backslashreplace").decode("utf-8")
    text = _TURNING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text if len(text) <= _GOT_LENGTH else text[: _GOT_LENGTH - 1] + "…"


def _as_in_a_file(value: object) -> str:
    """A value as JSON has it: null, not as a programming language names it."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return str(value)


def has_utf16_byte_order_mark(path: str) -> bool:
    """Whether a file begins with the mark of UTF-16."""
    with open(path, "rb") as file:
        return file.read(2) in _UTF16


_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# Bytes found only in damaged text: every tenth byte of random data, almost every other one of
# UTF-16.
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]")

# Characters that would change the direction of the words after them in our own message.
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def name_of_source(source: Source, name: str) -> str:
    """``name``, or the file's own name if none is given."""
    if name or isinstance(source, bytes):
        return name or "the file"
    if isinstance(source, (str, os.PathLike)):
        return Path(source).name
    return Path(str(getattr(source, "name", "") or "the file")).name


def make_source_rereadable(source: Source) -> Source:
    """A source that can be read a second time."""
    return source if isinstance(source, (str, bytes, os.PathLike)) else source.read()


def require_readable_file(path: str | os.PathLike[str], name: str = "") -> None:
    """Refuse anything that is not a file readable from beginning to end.

    Raises:
        BadFile: it says what is there instead, under ``name`` (or else the path).
    """
    called = name or os.fspath(path)
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        raise BadFile(f"{called} does not exist.", hint="Check the path.") from error
    except OSError as error:
        raise BadFile(f"{called} cannot be opened: {error.strerror}.") from error
    for is_one, what, hint in _NO_FILES:
        if is_one(mode):
            raise BadFile(f"{called} is {what}.", hint=hint)


def open_as_seekable_stream(source: Source, name: str) -> AbstractContextManager[BinaryIO]:
    """``source`` as a seekable binary stream.

    Raises ``BadFile`` if it is not a readable file.
    """
    if isinstance(source, bytes):
        return io.BytesIO(source)
    if not isinstance(source, (str, os.PathLike)):
        return nullcontext(source if source.seekable() else io.BytesIO(source.read()))
    require_readable_file(source, name)
    try:
        return Path(source).open("rb")
    except OSError as error:
        raise BadFile(f"{name} cannot be opened: {error.strerror}.") from error


def recognise_kind_of_file(stream: BinaryIO, name: str, notes: list[str]) -> Kind:
    """The kind of file, judged by its content; the name only decides between CSV and broken
    JSON.

    If the content differs from what the name promises, this is added to ``notes``. Raises
    ``BadFile`` for an empty file and for kinds that cannot be read (workbooks, databases, archives,
    UTF-16).
    """
    begin = stream.tell()
    head = stream.read(_HEAD)
    stream.seek(begin)
    if head.startswith(_UTF16):
        raise BadFile(f"{name} is in UTF-16.", hint=f"Save it as UTF-8, or {_ENCODED}.")
    if what := _foreign(head, name):
        if what == "a zip archive" and Path(name).suffix.lower() in _BOOKS:
            raise BadFile(
                f"{name} cannot be read as a workbook: it is damaged or cut short.",
                hint="Save it once more, or save the sheet as CSV (UTF-8).",
            )
        raise BadFile(f"{name} is {what}.", hint=_HINTS.get(what, _HINTS[""]))
    if not head.startswith(b"PAR1") and len(_NO_TEXT.findall(head)) > max(8, len(head) // 20):
        raise BadFile(
            f"{name} is not a table that MedLens can read: it is neither text nor Parquet.",
            hint="CSV, JSON lines, a JSON array and Parquet are read. Is the file damaged, or"
            f" another one? If it is text, {_ENCODED}.",
        )
    start = head.removeprefix(BOM).lstrip()
    if not start and len(head) < _HEAD:
        raise BadFile(f"{name} is empty.", hint="Check that the file was written to its end.")
    promised = _BY_SUFFIX.get(Path(name).suffix.lower())
    found: Kind
    if head.startswith(b"PAR1"):
        found = "parquet"
    elif start.startswith(b"["):
        found = "json"
    elif start.startswith(b"{") or promised in ("json", "jsonl"):
        found = "jsonl"
    else:
        found = "csv"
    if promised and found != promised and {found, promised} != {"json", "jsonl"}:
        notes.append(f"{name} holds {_WORDS[found]}, not {_WORDS[promised]}{READ_AS_SUCH}")
    return found


@dataclass
class MisencodedCells:
    """Reads cells that are not UTF-8 as Windows-1252, cell by cell, and counts them.

    ``met`` says whether there have been bytes that are not UTF-8 so far.
    """

    met: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    first: int = 0

    def mend_cell(self, cell: str, column: str, line: int, *, needed: bool = True) -> str:
        """A cell as it was meant; if it is not ``needed``, as much of it as can be read.

        Raises:
            ValueError: it is needed, and not valid Windows-1252 either.
        """
        if not ESCAPED_BYTE.search(cell):
            return cell
        raw = cell.encode("utf-8", "surrogateescape")
        text = raw.decode("cp1252", "strict" if needed else "replace")
        self.counts[column] += 1
        self.first = self.first or line
        return text

    def list_mended_cells_in_words(self, name: str) -> list[str]:
        """A sentence about what was read this way; empty if everything was UTF-8."""
        if not self.counts:
            return []
        number = self.counts.total()
        cells = "1 cell was" if number == 1 else f"{number:,} cells were"
        columns = ", ".join(map(repr, self.counts))
        return [
            f"{name}: {cells} not in UTF-8 and read as Windows-1252 (in {columns}; the first on"
            f" line {self.first}). If letters look wrong, save it as CSV UTF-8, and use that."
        ]


ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as it stands in a text that was decoded with ``surrogateescape``."""
_PIECE = 1 << 20


def write_file_converted_to_utf8(
    source: BinaryIO, target: BinaryIO, *, encoding: str, name: str
) -> None:
    """Convert a file from ``encoding`` to UTF-8.

    Raises:
        InvalidInput: there is no such encoding.
        BadFile: the file is not in that encoding; says where.
    """
    try:
        found = codecs.lookup(encoding)
        if not found._is_text_encoding:
            raise LookupError
    except LookupError as error:
        raise InvalidInput(
            f"There is no encoding called {encoding!r}.",
            hint="Such as utf-8, windows-1252, latin-1, mac-roman, utf-16, gb18030 or shift-jis.",
        ) from error
    decoder = found.incrementaldecoder()
    read = 0
    while True:
        piece = source.read(_PIECE)
        try:
            target.write(decoder.decode(piece, final=not piece).encode("utf-8"))
        except UnicodeError as error:
            raise BadFile(
                f"{name} is not in {found.name}: it cannot be read after byte {read:,}.",
                hint="Name the encoding that it was saved in.",
            ) from error
        read += len(piece)
        if not piece:
            return


def read_decoded_lines(
    stream: BinaryIO, name: str, *, odd: MisencodedCells | None = None
) -> Iterator[str]:
    """The lines of a UTF-8 file with their ends (LF, CRLF or CR), without a byte-order mark.

    Raises ``BadFile`` at the first byte that is not UTF-8, naming line and byte offset; with
    ``odd``, such lines are decoded with ``surrogateescape``, for ``MisencodedCells.mended``.
    """
    line = offset = 0
    for raw in stream:
        shift = 0
        if not offset and raw.startswith(BOM):
            shift = len(BOM)
        try:
            text = raw[shift:].decode("utf-8")
        except UnicodeDecodeError as error:
            if odd is not None:
                odd.met = True
                text = raw[shift:].decode("utf-8", "surrogateescape")
                offset += len(raw)
                for piece in io.StringIO(text, newline=""):
                    line += 1
                    yield piece
                continue
            before = raw[: shift + error.start]
            line += before.count(b"\r") + 1
            raise BadFile(
                f"{name}, line {line}: byte {offset + shift + error.start} "
                f"(0x{raw[shift + error.start]:02X}) is not UTF-8.",
                hint=f"Save the file as UTF-8, or {_ENCODED}.",
            ) from error
        offset += len(raw)
        if "\r" in text and (text.count("\r") > 1 or not text.endswith("\r\n")):
            pieces = io.StringIO(text, newline="")
            for piece in pieces:
                line += 1
                yield piece
        else:
            line += 1
            yield text


def iterate_text_blocks_with_their_lines(
    stream: BinaryIO, odd: MisencodedCells
) -> Iterator[tuple[str, list[str]]]:
    """The text of a UTF-8 file, whole lines at a time, and these lines as
    ``read_decoded_lines`` gives them.
    """
    rest = [stream.read(len(BOM)).removeprefix(BOM)]
    size = _FIRST_BLOCK
    while piece := stream.read(size):
        size = min(2 * size, _BLOCK)
        at = piece.rfind(b"\n") + 1
        if at:
            yield _decoded_block(b"".join([*rest, piece[:at]]), odd)
            rest = []
        rest.append(piece[at:])
    if last := b"".join(rest):
        yield _decoded_block(last, odd)


_FIRST_BLOCK, _BLOCK = 1 << 11, 1 << 18
"""Bytes read at once, more each time: of many files only the first rows are read."""


def _decoded_block(raw: bytes, odd: MisencodedCells) -> tuple[str, list[str]]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        odd.met = True
        text = raw.decode("utf-8", "surrogateescape")
    return text, io.StringIO(text, newline="").readlines()
