"""Turns rows into records, and collects every refused row so that a person sees all of them at
once.
"""

from __future__ import annotations

import csv
import gc
import io
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from medlens.errors import BadFile, BadRow
from medlens.tables.file_kind_and_lines import Source, name_of_source, shorten_value
from medlens.tables.file_schemas_import_requests_and_reports import (
    Column,
    Refused,
    names_of_required_columns,
    names_of_whole_page_columns,
    optional_columns,
)
from medlens.tables.formula_escape_and_restore import neutralise_formulas
from medlens.tables.json_and_parquet_object_reader import RAW
from medlens.tables.row_reader import LINE, REASON, CheckColumns, Row, iterate_rows_of_table_file

T = TypeVar("T")

_LISTED = 20

# Set once objects are seen to be put aside for good, as a server does when it starts: they are
# counted one by one, which in a server takes as long as adding a few items.
_PUT_ASIDE = threading.Event()


class RowError(Exception):
    """Raised by a parser to refuse a row; ``load`` turns it into a ``BadRow``."""

    def __init__(self, column: str, expected: str, got: object = "") -> None:
        super().__init__(column, expected, got)
        self.column = column
        self.expected = expected
        self.got = shorten_value(got)


class RefusedRows:
    """Collects refused rows while a file is read; pass its ``add_refused_row`` to
    ``iterate_rows_of_table_file``.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: list[Refused] = []

    def add_refused_row(self, row: Row, problem: BadRow) -> None:
        self.found.append(Refused(row, problem))

    def add_row_refused_by_error(self, row: Row, error: RowError) -> None:
        problem = BadRow(self.name, row.line, error.column, error.expected, error.got)
        self.add_refused_row(row, problem)

    def raise_or_list_refused_rows(self, *, skip_bad: bool) -> tuple[Refused, ...]:
        """The refused rows in file order, if they may be skipped.

        Raises ``BadFile`` with all of them (the first 20 in its message) if not.
        """
        self.found.sort(key=lambda refused: refused.row.line)
        if self.found and not skip_bad:
            rows = [refused.problem for refused in self.found]
            listed = [str(row) for row in rows[:_LISTED]]
            if len(rows) > _LISTED:
                listed.append(f"… and {len(rows) - _LISTED} more.")
            count = "1 row is" if len(rows) == 1 else f"{len(rows)} rows are"
            raise BadFile(
                "\n".join([f"{self.name}: {count} refused; nothing was read.", *listed]),
                hint="Correct the file, or skip the bad rows to import the rest.",
                rows=rows,
            )
        return tuple(self.found)


@dataclass(frozen=True)
class Loaded(Generic[T]):
    """The content of a file: its records, the rows left out, and notes for the person importing
    it.
    """

    name: str
    records: tuple[T, ...]
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def bad_row_records_of_refused_rows(self) -> tuple[BadRow, ...]:
        return tuple(refused.problem for refused in self.refused)


def load_parsed_and_refused_rows(
    source: Source,
    parse: Callable[[Row], T | None],
    *,
    name: str = "",
    columns: Sequence[Column] = (),
    check_columns: CheckColumns | None = None,
    own_export: bool = False,
    skip_bad: bool = False,
    progress: Callable[[int], object] | None = None,
    on_row: Callable[[Row], object] | None = None,
) -> Loaded[T]:
    """Read ``source``, whose known columns are ``columns``, and parse each row; ``parse`` raises
    ``RowError`` to refuse one.

    Rows for which ``parse`` returns ``None`` give no record. ``progress`` is called with 1 for each
    row, ``on_row`` with each row before it is parsed. Raises ``BadFile`` for an unreadable file
    and, unless ``skip_bad``, for any refused row.
    """
    name = name_of_source(source, name)
    refusals = RefusedRows(name)
    notes: list[str] = []
    records: list[T] = []
    rows = iterate_rows_of_table_file(
        source,
        name=name,
        required=names_of_required_columns(columns),
        optional=optional_columns(columns),
        pages=names_of_whole_page_columns(columns),
        refuse=refusals.add_refused_row,
        check_columns=check_columns,
        own_export=own_export,
        notes=notes,
    )
    with pause_garbage_collector():
        for row in rows:
            if on_row:
                on_row(row)
            try:
                record = parse(row)
            except RowError as error:
                refusals.add_row_refused_by_error(row, error)
            else:
                if record is not None:
                    records.append(record)
            if progress:
                progress(1)
    refused = refusals.raise_or_list_refused_rows(skip_bad=skip_bad)
    return Loaded(name, tuple(records), refused, tuple(notes))


@contextmanager
def pause_garbage_collector() -> Iterator[None]:
    """Create many objects without the garbage collector checking them: a third of the time.

    Afterwards they count as old; otherwise the next small object would trigger a check of all of
    them.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            # Thawing would also give back to the collector all that a server put aside as it began.
            if not _PUT_ASIDE.is_set():
                if gc.get_freeze_count():
                    _PUT_ASIDE.set()
                else:
                    gc.freeze()
                    gc.unfreeze()
            gc.enable()


def bad_rows_suffix_and_text(refused: Sequence[Refused]) -> tuple[str, str]:
    """The refused rows as they were, with line and reason, to be corrected and imported again, with
    the suffix of a file of them first.

    CSV rows give a CSV file whose first two columns are ``medlens_line`` and ``medlens_reason``;
    its cells are neutralised, which ``iterate_rows_of_table_file`` undoes. Other rows give JSON
    lines with these two fields added; text that is not valid JSON goes into ``medlens_raw`` and is
    read from there once corrected.
    """
    if any(one.row.header for one in refused):
        return ".csv", _as_csv(refused)
    return ".jsonl", "".join(map(_as_json, refused))


def _reason(problem: BadRow) -> str:
    column = f"column {problem.column!r}: " if problem.column else ""
    got = f", got {problem.got!r}" if problem.got else ""
    return f"{column}expected {problem.expected}{got}"


def _as_csv(refused: Sequence[Refused]) -> str:
    columns = next(one.row.header for one in refused if one.row.header)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([LINE, REASON, *map(neutralise_formulas, columns)])
    for one in refused:
        cells = [one.row.raw] if isinstance(one.row.raw, str) else one.row.raw
        texts = (_reason(one.problem), *cells)
        writer.writerow(
            [one.row.line, *(neutralise_formulas(text.replace("\0", "")) for text in texts)]
        )
    return out.getvalue()


def _as_json(one: Refused) -> str:
    added = {LINE: one.row.line, REASON: _reason(one.problem)}
    if one.row.values:
        value = {**added, **{k: v for k, v in one.row.values.items() if k not in added}}
    else:
        value = {**added, RAW: one.row.raw}
    text = json.dumps(value, ensure_ascii=False, default=str)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, default=str)
    return text + "\n"
