"""A file of answers as columns: at once where it is a plain CSV or Parquet, else row by row."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from mmap import ACCESS_READ, mmap
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from medlens.ebmqa.models import OUTCOMES
from medlens.ebmqa.prompts import USUAL
from medlens.errors import BadFile
from medlens.tables import Refusals, Row, RowError, Source, name_of, read_columns, read_rows
from medlens.tables.check import collector_paused
from medlens.tables.lines import BOM
from medlens.tables.read import wanted_names

REQUIRED = ("question_id", "model", "answer")
OPTIONAL = ("prompt", "repeat", "outcome", "said")
COLUMNS = (*REQUIRED, *OPTIONAL)
MISSING = {"prompt": USUAL.name, "repeat": "1", "outcome": "", "said": ""}
"""What stands for a column that is not there: the options in their order, "I do not know" last."""

_MAY_BE_EMPTY = ("outcome", "said")
_OUTCOMES = [outcome for outcome in OUTCOMES if outcome != "error"]
"""An error is no answer: it may come yet."""

_TEXT, _WORDS = pa.string(), pa.dictionary(pa.int32(), pa.string())
_TYPES = {column: _TEXT if column == "question_id" else _WORDS for column in COLUMNS}
_BLOCK, _HEAD = 1 << 22, 1 << 14


@dataclass(frozen=True)
class Given:
    """Answers as a file has them: each of ``COLUMNS`` as texts, all but the first by dictionary.

    What a file has no column for is one text for all.
    ``rows`` are the same row by row, with their lines; empty where the file was read at once.
    """

    name: str
    columns: Mapping[str, Any]
    refusals: Refusals
    rows: Sequence[Row] = ()
    notes: Sequence[str] = field(default=())

    def __len__(self) -> int:
        return len(self.columns["answer"])


def twice(source: Source) -> Source:
    """A source that can be read a second time."""
    if isinstance(source, (str, bytes, os.PathLike)):
        return source
    return source.read()


def read_at_once(source: Source, name: str) -> Given | None:
    """All columns at once; None where a file is not plain enough for that: it is read by row.

    Plain is a file whose columns are called as they should be, with a text wherever one must be.

    Raises:
        BadFile: as ``read_rows`` for what is no readable file.
    """
    table = _bare_csv(source)
    if table is None:
        table = read_columns(source, dict.fromkeys(COLUMNS, "text"), name=name, required=REQUIRED)
    if table is None or not len(table) or _called_otherwise(source, name, table):
        return None
    given: dict[str, Any] = {}
    for column in COLUMNS:
        if column not in table.column_names:
            given[column] = MISSING[column]
            continue
        values = table[column]
        # A question without a name is one that there is not.
        if column != "question_id":
            if not pa.types.is_dictionary(values.type):
                values = values.cast(pa.string()).dictionary_encode()
            values = values.combine_chunks()
            if column not in _MAY_BE_EMPTY and _any_blank(values.dictionary):
                return None
            if column == "outcome" and not {"", *_OUTCOMES}.issuperset(
                values.dictionary.to_pylist()
            ):
                return None
        given[column] = values
    name = name_of(source, name)
    return Given(name, given, Refusals(name))


def _bare_csv(source: Source) -> pa.Table | None:
    """A CSV file that needs no reading of quotation marks; None for any other.

    Without one a line is a row, so that the lines can be shared out among the cores.
    """
    if isinstance(source, (str, os.PathLike)):
        if not os.path.isfile(source) or not os.path.getsize(source):
            return None
        with open(source, "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as held:
            columns = _bare_columns(held)
        return _bare_table(pa.memory_map(os.fspath(source)), columns) if columns else None
    held_all = source if isinstance(source, bytes) else source.read()
    columns = _bare_columns(held_all)
    return _bare_table(pa.BufferReader(held_all), columns) if columns else None


def _bare_columns(held: bytes | mmap) -> list[str]:
    """The columns to be read; none where the file is not as bare as that."""
    head = held[:_HEAD].removeprefix(BOM)
    columns = head.split(b"\n", 1)[0].rstrip(b"\r").decode("utf-8", "replace").split(",")
    if head[:1] in (b"{", b"[") or not _plainly_called(columns):
        return []
    # An apostrophe may be there to keep a spreadsheet from running what follows.
    if any(held.find(mark) >= 0 for mark in (b'"', b"'", b"\0")):
        return []
    return [column for column in columns if column in COLUMNS]


def _bare_table(file: pa.NativeFile, columns: Sequence[str]) -> pa.Table | None:
    with file as stream:
        try:
            return arrow_csv.read_csv(
                stream,
                read_options=arrow_csv.ReadOptions(block_size=_BLOCK),
                parse_options=arrow_csv.ParseOptions(quote_char=False),
                convert_options=arrow_csv.ConvertOptions(
                    column_types=_TYPES, include_columns=columns, strings_can_be_null=False
                ),
            )
        except pa.ArrowException:
            return None


def _plainly_called(columns: Sequence[str]) -> bool:
    """Whether these are the columns of answers under their own names, each once."""
    if len(set(columns)) < len(columns) or not set(REQUIRED) <= set(columns):
        return False
    try:
        return all(found == wanted for found, wanted in wanted_names(columns, COLUMNS).items())
    except BadFile:
        return False


def _called_otherwise(source: Source, name: str, table: pa.Table) -> bool:
    """Whether an optional column is there under a name that only reading by row recognises."""
    first = next(read_rows(source, name=name, refuse=lambda row, problem: None), None)
    found = wanted_names(list(first.values), OPTIONAL) if first else {}
    return not set(found.values()) <= set(table.column_names)


def _any_blank(texts: Any) -> bool:
    return bool(
        pc.any(pc.equal(pc.binary_length(texts), 0)).as_py()
        or pc.any(pc.utf8_is_space(texts)).as_py()
    )


def read_by_rows(
    source: Source, name: str, progress: Callable[[int], object] | None = None
) -> Given:
    """All columns, each row looked at by itself; what is no answer is among the refusals.

    Raises:
        BadFile: the file as a whole cannot be read.
    """
    name = name_of(source, name)
    refusals, notes = Refusals(name), cast(list[str], [])
    rows: list[Row] = []
    cells: dict[str, list[str]] = {column: [] for column in COLUMNS}
    with collector_paused():
        for row in read_rows(
            source,
            name=name,
            required=REQUIRED,
            optional=OPTIONAL,
            refuse=refusals.add,
            own_export=True,
            notes=notes,
        ):
            try:
                found = [_cell(row, column) for column in COLUMNS]
            except RowError as error:
                refusals.refuse(row, error)
                continue
            for column, text in zip(COLUMNS, found, strict=True):
                cells[column].append(text)
            rows.append(row)
            if progress:
                progress(1)
    columns = {
        column: pa.array(texts, pa.string())
        if column == "question_id"
        else pa.array(texts, pa.string()).dictionary_encode()
        for column, texts in cells.items()
    }
    return Given(name, columns, refusals, rows, tuple(notes))


def _cell(row: Row, column: str) -> str:
    value = row.values.get(column)
    if isinstance(value, (list, tuple)):
        value = "; ".join(map(str, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "" if value is None else str(value)
    if column not in ("answer", "said"):
        text = text.strip()
    if not text.strip():
        if column in MISSING:
            return MISSING[column]
        raise RowError(column, "a value")
    if column == "repeat" and not (text.isdecimal() and int(text) >= 1):
        raise RowError(column, "a number from 1", text)
    if column == "outcome" and text not in _OUTCOMES:
        raise RowError(column, f"one of {', '.join(_OUTCOMES)}, or nothing", text)
    return text
