"""Reads a file of answers as columns: at once if it is a plain CSV or Parquet, else row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from medlens.deferred_module import pa, pc
from medlens.studies.ebmqa.prompts import USUAL
from medlens.studies.ebmqa.records import OUTCOMES
from medlens.tables import (
    Column,
    Held,
    RefusedRows,
    Row,
    RowError,
    Source,
    iterate_rows_of_table_file,
    name_of_source,
    names_of_required_columns,
    optional_columns,
    read_columns_as_arrow_table,
)
from medlens.tables.check_rows_and_list_refused import pause_garbage_collector

_OUTCOMES = [outcome for outcome in OUTCOMES if outcome != "error"]
"""An error is no answer: it may come yet."""

ANSWERS = (
    Column("question_id", "name", "the question, of the dataset ebmqa or the newest", needed=True),
    Column("model", "name", "the model that answered", needed=True),
    Column("answer", "text", "an option's text, number or letter; separated by ;", needed=True),
    Column("prompt", "name", "how it was asked", empty=USUAL.name_in_answers),
    Column("repeat", "whole", "which of several answers, from 1", least=1, empty="1"),
    Column("outcome", "word", "its outcome, where it is known", allowed=_OUTCOMES, empty=""),
    Column("said", "text", "the words that the answer was read from", empty=""),
)
COLUMNS = tuple(column.name for column in ANSWERS)
MISSING: dict[str, str] = {column.name: column.empty for column in ANSWERS if not column.needed}
"""What stands for a column that is not there: the options in their order, "I do not know" last."""

_MAY_BE_EMPTY = ("outcome", "said")


@dataclass(frozen=True)
class Given:
    """Answers as a file has them: each of ``COLUMNS`` as texts, dictionary-encoded except the
    first.

    A column that the file lacks is one text for all rows. ``rows`` are the same row by row, with
    their lines; empty if the file was read at once.
    """

    name: str
    columns: Mapping[str, Any]
    refusals: RefusedRows
    rows: Sequence[Row] = ()
    notes: Sequence[str] = field(default=())

    def __len__(self) -> int:
        return len(self.columns["answer"])


def read_columns_at_once_if_plain(source: Source, name: str) -> Given | None:
    """All columns at once; None if the file is not plain enough and must be read by row.

    Plain means that columns have the expected names, and every required cell has text.

    Raises:
        BadFile: the file is unreadable, as in ``iterate_rows_of_table_file``.
    """
    kinds: dict[str, Held] = {**dict.fromkeys(COLUMNS, "words"), "question_id": "text"}
    table = read_columns_as_arrow_table(
        source, kinds, name=name, required=names_of_required_columns(ANSWERS)
    )
    if table is None or not len(table):
        return None
    given: dict[str, Any] = {}
    for column in COLUMNS:
        if column not in table.column_names:
            given[column] = MISSING[column]
            continue
        values = table[column]
        # An empty question name counts as an unknown question.
        if column != "question_id":
            values = values.unify_dictionaries().combine_chunks()
            if column not in _MAY_BE_EMPTY and _any_blank(values.dictionary):
                return None
            if column == "outcome" and not {"", *_OUTCOMES}.issuperset(
                values.dictionary.to_pylist()
            ):
                return None
        given[column] = values
    name = name_of_source(source, name)
    return Given(name, given, RefusedRows(name))


def _any_blank(texts: Any) -> bool:
    return bool(
        pc.any(pc.equal(pc.binary_length(texts), 0)).as_py()
        or pc.any(pc.utf8_is_space(texts)).as_py()
    )


def read_answers_and_refuse_bad_rows(
    source: Source, name: str, progress: Callable[[int], object] | None = None
) -> Given:
    """All columns, with each row checked separately; bad rows are among the refusals.

    Raises:
        BadFile: the file as a whole cannot be read.
    """
    name = name_of_source(source, name)
    refusals, notes = RefusedRows(name), cast(list[str], [])
    rows: list[Row] = []
    cells: dict[str, list[str]] = {column: [] for column in COLUMNS}
    with pause_garbage_collector():
        for row in iterate_rows_of_table_file(
            source,
            name=name,
            required=names_of_required_columns(ANSWERS),
            optional=optional_columns(ANSWERS),
            pages=frozenset(),
            refuse=refusals.add_refused_row,
            own_export=True,
            notes=notes,
        ):
            try:
                found = [_cell(row, column) for column in COLUMNS]
            except RowError as error:
                refusals.add_row_refused_by_error(row, error)
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
    # Python refuses to convert a number with thousands of digits.
    if column == "repeat" and not (text.isdecimal() and len(text) < 10 and int(text) >= 1):
        raise RowError(column, "a number from 1", text)
    if column == "outcome" and text not in _OUTCOMES:
        raise RowError(column, f"one of {', '.join(_OUTCOMES)}, or nothing", text)
    return text
