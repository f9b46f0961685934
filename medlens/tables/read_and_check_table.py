"""Reads a file of a declared kind as columns, checks it as a whole, and names every refused row.

Refused rows are looked up one by one, so each mistake has its line; only a file that is not a plain
table is read row by row, with the same checks.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from medlens.deferred_module import np, pd
from medlens.tables.check_rows_and_list_refused import (
    Loaded,
    RefusedRows,
    RowError,
    load_parsed_and_refused_rows,
)
from medlens.tables.column_reader import Held, read_columns_as_arrow_table
from medlens.tables.file_kind_and_lines import make_source_rereadable, name_of_source
from medlens.tables.file_schemas_import_requests_and_reports import (
    ILLUSTRATIVE,
    Column,
    Refused,
    Request,
    names_of_required_columns,
    names_of_whole_page_columns,
    optional_columns,
)
from medlens.tables.read_limits import parse_json_value
from medlens.tables.row_reader import Row, iterate_rows_of_table_file

if TYPE_CHECKING:
    from numpy.typing import NDArray


Mask: TypeAlias = "NDArray[np.bool_]"


@dataclass(frozen=True)
class Fault:
    """Rows, shape (rows,), that are refused, and why, in the words of ``BadRow``."""

    rows: Any
    column: str
    expected: str


Check: TypeAlias = "Callable[[pd.DataFrame], tuple[pd.DataFrame, list[Fault]]]"


@dataclass(frozen=True)
class Sheet:
    """A file as a frame with all columns of its kind, in their declared types.

    Missing texts are empty, missing numbers NaN, missing lists None.
    """

    frame: pd.DataFrame
    illustrative: bool
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = ()


def _nothing_more(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
    return frame, []


def read_checked_table(
    request: Request, columns: Sequence[Column], check: Check = _nothing_more
) -> Sheet:
    """Read a file of a kind with these columns.

    ``check`` brings a typed frame into its final form and names mistakes that involve more than a
    single cell.

    Raises:
        BadFile: the file cannot be read, or (unless ``skip_bad``) rows were refused.
    """
    request = replace(request, source=make_source_rereadable(request.source))
    columns = (*columns, ILLUSTRATIVE)
    held = {column.name: _HELD.get(column.type, "text") for column in columns}
    table = read_columns_as_arrow_table(
        request.source,
        held,
        name=request.name,
        required=names_of_required_columns(columns),
        pages=names_of_whole_page_columns(columns),
    )
    if table is None:
        return _by_row(request, columns, check)
    frame, faults = _checked(table.to_pandas(), columns, check)
    bad = np.zeros(len(frame), dtype=bool)
    for fault in faults:
        bad |= as_boolean_numpy_array(fault.rows)
    notes: list[str] = []
    rows = _rows_at(request, columns, bad, notes) if bad.any() else {}
    if rows is None:
        return _by_row(request, columns, check)
    if request.progress:
        request.progress(len(frame))
    name = name_of_source(request.source, request.name)
    return _settled(request, frame, faults, rows, Loaded(name, (), (), tuple(notes)))


_HELD: Mapping[str, Held] = {"whole": "whole", "number": "number", "list": "list"}


def _rows_at(
    request: Request, columns: Sequence[Column], wanted: Mask, notes: list[str]
) -> dict[int, Row] | None:
    """The wanted rows of a file, by position; None if its rows do not match those of its columns (a
    row that is only separators is not one, for example).
    """
    unread: list[Row] = []
    found, count = {}, 0
    for row in iterate_rows_of_table_file(
        request.source,
        name=request.name,
        required=names_of_required_columns(columns),
        optional=optional_columns(columns),
        pages=names_of_whole_page_columns(columns),
        refuse=lambda row, _: unread.append(row),
        own_export=True,
        notes=notes,
    ):
        if count < len(wanted) and wanted[count]:
            found[count] = row
        count += 1
    return found if count == len(wanted) and not unread else None


def _by_row(request: Request, columns: Sequence[Column], check: Check) -> Sheet:
    loaded = load_parsed_and_refused_rows(
        request.source, lambda row: row, columns=columns, own_export=True, **request.reading_options
    )
    rows: Sequence[Row] = loaded.records
    cells = {
        column.name: pd.Series(
            [_cell(row.values.get(column.name), column) for row in rows], dtype=object
        )
        for column in columns
        if any(column.name in row.values for row in rows)
    }
    frame, faults = _checked(pd.DataFrame(cells), columns, check)
    return _settled(
        request, frame, [*_nested(rows, columns), *faults], dict(enumerate(rows)), loaded
    )


def _settled(
    request: Request,
    frame: pd.DataFrame,
    faults: Sequence[Fault],
    rows: Mapping[int, Row],
    loaded: Loaded[Any],
) -> Sheet:
    """The good rows; each of the others is refused for its first mistake."""
    refusals = RefusedRows(loaded.name)
    bad = np.zeros(len(frame), dtype=bool)
    for fault in faults:
        for at in map(int, np.flatnonzero(fault.rows & ~bad)):
            got = rows[at].values.get(fault.column, "")
            refusals.add_row_refused_by_error(rows[at], RowError(fault.column, fault.expected, got))
        bad |= as_boolean_numpy_array(fault.rows)
    refused = (*loaded.refused, *refusals.raise_or_list_refused_rows(skip_bad=request.skip_bad))
    kept = frame[~bad].reset_index(drop=True) if bad.any() else frame
    return Sheet(kept, _illustrative(frame), refused, loaded.notes)


def _nested(rows: Sequence[Row], columns: Sequence[Column]) -> list[Fault]:
    """The rows with an object or a list where a text is expected."""
    texts = [one.name for one in columns if one.type not in ("list", "array", "object", *_NUMBERS)]
    found = {c: np.array([isinstance(r.values.get(c), (dict, list)) for r in rows]) for c in texts}
    return [Fault(wrong, column, "a text") for column, wrong in found.items() if wrong.any()]


def _cell(value: Any, column: Column) -> Any:
    if column.type == "list" or value is None:
        return value
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, (str, int, float)) else str(value)


def _illustrative(frame: pd.DataFrame) -> bool:
    """Whether all rows are marked as illustrative."""
    said = frame["illustrative"].str.casefold()
    return bool(len(said)) and bool(said.isin(["true", "1"]).all())


# -- cells by their declared types -----------------------------------------------------------------

_NUMBERS = ("whole", "number")
_TRUE, _FALSE = ("true", "1"), ("false", "0")


def _checked(
    frame: pd.DataFrame, columns: Sequence[Column], check: Check
) -> tuple[pd.DataFrame, list[Fault]]:
    made: dict[str, Any] = {}
    faults: list[Fault] = []
    for column in columns:
        made[column.name], found = _typed(_whole(frame, column), column)
        faults += found
    checked, more = check(pd.DataFrame(made))
    return checked, [*faults, *more]


def _whole(frame: pd.DataFrame, column: Column) -> pd.Series[Any]:
    """A column, even if the file does not have it: texts as texts, everything else as it was
    read.
    """
    plain = column.type == "list" or column.type in _NUMBERS
    if column.name not in frame:
        fill = None if plain else ""
        return pd.Series([fill] * len(frame), dtype=object if plain else "str")
    values = frame[column.name]
    return values if plain or values.dtype != object else values.map(_text).astype("str")


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else str(value)


def _typed(values: pd.Series[Any], column: Column) -> tuple[pd.Series[Any], list[Fault]]:
    """A column in its type, and the rows whose values do not fit it."""
    if column.type == "list":
        return values, []
    if column.type in _NUMBERS:
        values, odd = _numbers(values, column)
        if column.empty is not None:
            values = values.fillna(column.empty)
        return values, [Fault(odd, column.name, column.expected_content_in_words)]
    if column.type != "text":
        values = values.str.strip()
    faults = (
        [make_fault_of_rows_with_blank_cells(values, column.name, column.filled)]
        if column.filled
        else []
    )
    wrong: Any = None
    if column.type == "word":
        values = values.str.casefold()
        wrong = ~values.isin([*column.allowed, ""])
    elif column.type == "truth":
        said = values.str.casefold()
        wrong = ~said.isin([*_TRUE, *_FALSE, ""])
        values = said.isin(_TRUE) | (said == "" if column.empty else False)
    elif column.type == "moment":
        read_ = pd.to_datetime(
            values.where(values != "", None), utc=True, errors="coerce", format="ISO8601"
        )
        wrong, values = (values != "") & read_.isna(), read_
    elif column.type in ("array", "object"):
        # Values repeat, so each distinct one is checked once.
        fine = {text: not text or _is_json(text, column.type) for text in values.unique()}
        wrong = ~values.map(fine).to_numpy(dtype=bool)
    if isinstance(column.empty, str):
        values = values.where(values != "", column.empty)
    if wrong is not None:
        faults.append(
            Fault(np.asarray(wrong, dtype=bool), column.name, column.expected_content_in_words)
        )
    return values, faults


def _is_json(text: str, type_: str) -> bool:
    try:
        return isinstance(parse_json_value(text), list if type_ == "array" else dict)
    except ValueError:
        return False


def _numbers(given: pd.Series[Any], column: Column) -> tuple[pd.Series[Any], Mask]:
    """A column of numbers (missing: NaN), and the rows that hold something else."""
    texts = given.map(_text).astype("str").str.strip() if given.dtype == object else given
    read_ = pd.to_numeric(texts.replace("", None) if texts.dtype == "str" else texts, "coerce")
    empty = np.asarray(texts == "" if texts.dtype == "str" else read_.isna(), dtype=bool)
    values = read_.to_numpy(dtype=float, na_value=np.nan)
    outside = (values < column.least) | (values > column.most)
    wrong = ~empty & (np.isnan(values) | np.isinf(values) | outside)
    # Whatever takes the numbers as integers, refused ones included, has no room for infinity.
    values = np.where(np.isinf(values), np.nan, values)
    if column.type == "whole":
        with np.errstate(invalid="ignore"):
            wrong |= ~empty & (values != np.floor(values))
    return pd.Series(values, index=given.index), wrong


# -- what checks are made of -----------------------------------------------------------------------


def add_missing_columns(frame: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """The frame with any of the columns that it lacks added, empty."""
    lacking = [column for column in columns if column.name not in frame]
    return frame.assign(**{one.name: _typed(_whole(frame, one), one)[0] for one in lacking})


def as_boolean_numpy_array(values: Any) -> Mask:
    """Booleans as an array."""
    return np.asarray(values, dtype=bool)


def make_fault_of_rows_with_blank_cells(values: pd.Series[Any], column: str, what: str) -> Fault:
    """A fault: the rows without ``what``."""
    return Fault(~as_boolean_numpy_array(values.str.contains(r"\S", regex=True)), column, what)


def make_fault_of_rows_with_unknown_names(
    frame: pd.DataFrame, column: str, known: Any, what: str
) -> Fault:
    """A fault: the rows that name something that is not in the dataset."""
    names = frame[column]
    return Fault(as_boolean_numpy_array((names != "") & ~names.isin(list(known))), column, what)


def fault_and_mask_of_contradicting_rows(
    frame: pd.DataFrame, name: str, content: Sequence[str], there: pd.DataFrame, what: str
) -> tuple[Fault, Mask]:
    """A fault: the rows whose ``name`` means something else in an earlier row or in the store; and
    all rows that repeat an earlier one. ``there`` has the columns ``name`` and ``content``.
    """
    first = frame.drop_duplicates(name)[[name, *content]]
    known = pd.concat([there[[name, *content]], first]).drop_duplicates(name)
    # A merge keeps the order of the rows.
    beside = frame[[name]].merge(known, on=name, how="left")
    other = np.zeros(len(frame), dtype=bool)
    for column in content:
        other |= np.asarray(frame[column].to_numpy(object) != beside[column].to_numpy(object))
    said = as_boolean_numpy_array(frame[name].isin(there[name]) | frame.duplicated(name))
    return Fault(other, name, f"{what} that does not stand for something else already"), said
