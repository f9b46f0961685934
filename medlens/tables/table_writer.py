"""Writes a table to CSV, JSON lines, Parquet or Excel: always the same bytes."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import uuid
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, BinaryIO, Literal

from medlens.deferred_module import np, pa, pd, pq
from medlens.errors import InvalidInput
from medlens.tables.file_kind_and_lines import BOM
from medlens.tables.formula_escape_and_restore import neutralise_formulas
from medlens.tables.table_without_pandas import PlainTable

Format = Literal["csv", "jsonl", "parquet", "xlsx"]

_MOST_ROWS, _MOST_COLUMNS, _MOST_CHARACTERS = 1_048_576, 16_384, 32_767
_EXACT = 2**53
"""What a sheet and a cell of Excel can hold; beyond 2⁵³ its numbers lose digits."""


def write_table(
    table: pd.DataFrame | PlainTable,
    target: str | os.PathLike[str] | BinaryIO,
    *,
    format: Format = "csv",
    bom: bool = False,
) -> None:
    """Write ``table`` (of a frame its columns, not its index) to a path or a binary stream.

    Nothing is written if a value is refused. Times are written in UTC (ISO 8601; those without a
    zone are taken as UTC), durations in seconds, missing values as an empty cell or ``null``. CSV:
    lines end in CRLF (RFC 4180), ``bom`` adds a byte-order mark for spreadsheets, texts and headers
    that a spreadsheet might run are neutralised (``restore_formulas`` undoes it), numbers are left
    as they are; lists and dicts are refused. JSON lines and Parquet keep them nested. Excel: one
    sheet with cells as in CSV, and texts stay texts; a text too long for a cell is refused.

    Raises ``InvalidInput`` for a value that the format cannot hold, naming its column.
    """
    columns = list(map(str, table.columns))
    if len(set(columns)) < len(columns):
        raise InvalidInput("The table has two columns of the same name.")
    if bom and format != "csv":
        raise InvalidInput("Only CSV can have a byte-order mark.")
    if format == "parquet":
        data = _parquet(_frame(table), columns)
    elif format == "xlsx":
        data = _xlsx(_frame(table), columns)
    else:
        if isinstance(table, PlainTable):
            cells = table.cells_by_column()
        else:
            cells = {c: list(table.iloc[:, i]) for i, c in enumerate(columns)}
        plain = {c: [_plain(v, c) for v in values] for c, values in cells.items()}
        text = _csv(plain) if format == "csv" else _jsonl(plain)
        try:
            data = (BOM if bom else b"") + text.encode("utf-8")
        except UnicodeEncodeError as error:
            got = text[max(0, error.start - 20) : error.start]
            raise InvalidInput(f"A text holds half a character, after {got!r}.") from error
    if isinstance(target, (str, os.PathLike)):
        Path(target).write_bytes(data)
    else:
        target.write(data)


def _frame(table: pd.DataFrame | PlainTable) -> pd.DataFrame:
    return table.as_dataframe() if isinstance(table, PlainTable) else table


_SIMPLE = frozenset({str, bool, int, type(None)})


def _plain(value: Any, column: str) -> Any:
    """``value`` in JSON's types; missing is ``None``."""
    # First what needs neither pandas nor numpy, which a short command has not loaded.
    kind = type(value)
    if kind in _SIMPLE:
        return value
    if kind is datetime:
        return _moment(value)
    if kind is float:
        return value if math.isfinite(value) else _not_finite(value, column)
    if kind is dict:
        return {str(key): _plain(item, column) for key, item in value.items()}
    if kind is list:
        return [_plain(item, column) for item in value]
    if isinstance(value, str):
        return value
    if value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, np.generic):
        value = pd.Timestamp(value) if isinstance(value, np.datetime64) else value.item()
    if isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else _not_finite(value, column)
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(item, column) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item, column) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(item, column) for item in value), key=str)
    raise InvalidInput(
        f"Column {column!r} holds a {type(value).__name__}, which cannot be written."
    )


def _moment(value: datetime) -> str:
    aware = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return aware.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _not_finite(value: float, column: str) -> None:
    if math.isinf(value):
        raise InvalidInput(f"Column {column!r} holds an infinite number.")


def _csv(plain: dict[str, list[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(map(neutralise_formulas, plain))
    cells = [[_cell(v, c) for v in values] for c, values in plain.items()]
    writer.writerows(zip(*cells, strict=True))
    return out.getvalue()


def _cell(value: Any, column: str) -> Any:
    if value is None:
        return ""
    if isinstance(value, (dict, list)):
        raise InvalidInput(
            f"Column {column!r} holds lists, which a CSV cell cannot.",
            hint="Export it as JSON lines or Parquet.",
        )
    return neutralise_formulas(value) if isinstance(value, str) else value


def _xlsx(frame: pd.DataFrame, columns: list[str]) -> bytes:
    # Importing it takes a tenth of a second, and only Excel files need it.
    import xlsxwriter

    if len(frame) >= _MOST_ROWS or len(columns) > _MOST_COLUMNS:
        raise InvalidInput(
            f"A sheet of Excel holds {_MOST_ROWS - 1:,} rows and {_MOST_COLUMNS:,} columns,"
            f" the table has {len(frame):,} and {len(columns):,}.",
            hint="Export it as CSV or Parquet.",
        )
    out = io.BytesIO()
    # A text is never read as a formula, a number or a link.
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.set_properties({"created": datetime(2000, 1, 1)})
    sheet = book.add_worksheet()
    sheet.freeze_panes(1, 1)
    bold = book.add_format({"bold": True})
    for at, column in enumerate(columns):
        sheet.write_string(0, at, _fitting(neutralise_formulas(column), column, 0), bold)
        for row, value in enumerate(frame.iloc[:, at], 1):
            cell = _cell(_plain(value, column), column)
            if isinstance(cell, bool):
                sheet.write_boolean(row, at, cell)
            elif isinstance(cell, (int, float)) and abs(cell) <= _EXACT:
                sheet.write_number(row, at, cell)
            elif cell != "":
                sheet.write_string(row, at, _fitting(str(cell), column, row))
    book.close()
    return out.getvalue()


def _fitting(text: str, column: str, row: int) -> str:
    """A text that fits into an Excel cell, whose length is counted in UTF-16 units."""
    try:
        units = len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
    except UnicodeEncodeError as error:
        raise InvalidInput(f"A text in column {column!r} holds half a character.") from error
    if units > _MOST_CHARACTERS:
        raise InvalidInput(
            f"Row {row:,} has {units:,} characters in {column!r}, and a cell of Excel holds"
            f" {_MOST_CHARACTERS:,}.",
            hint="Export it as CSV or Parquet, which hold any text.",
        )
    return text


def _jsonl(plain: dict[str, list[Any]]) -> str:
    names = list(plain)
    rows = zip(*plain.values(), strict=True)
    return "".join(
        json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) + "\n" for row in rows
    )


def _parquet(frame: pd.DataFrame, columns: list[str]) -> bytes:
    arrays = []
    for i, column in enumerate(columns):
        series = frame.iloc[:, i]
        if isinstance(series.dtype, pd.DatetimeTZDtype):
            series = series.dt.tz_convert("UTC")
        elif pd.api.types.is_datetime64_dtype(series.dtype):
            series = series.dt.tz_localize("UTC")
        elif series.dtype == object:
            series = series.map(_nested, na_action="ignore")
        try:
            arrays.append(pa.Array.from_pandas(series))
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise InvalidInput(
                f"Column {column!r} holds values of different kinds, which Parquet cannot.",
                hint="Export it as JSON lines.",
            ) from error
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, names=columns), out)
    return out.getvalue()


def _nested(value: Any) -> Any:
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _nested(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_nested(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_nested(item) for item in value), key=str)
    return value
