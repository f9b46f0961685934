"""SourceCheckup's files to columns: read whole, checked whole, and every refused row named.

Files of tens of thousands of rows are read and checked as columns. Only a file in which something
is amiss is read row by row, so that each fault has its line; the checks are the same.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from medlens.review.files import Request
from medlens.tables import Kind, Refusals, Refused, Row, RowError, load, read_columns

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Form:
    """The columns of a kind of file: those it must have, those it may have, and those of its texts
    that hold JSON, which JSON lines may give as it is."""

    required: Mapping[str, Kind]
    optional: Mapping[str, Kind]
    as_json: frozenset[str] = frozenset()

    @property
    def kinds(self) -> dict[str, Kind]:
        return {**self.required, **self.optional, "illustrative": "text"}


@dataclass(frozen=True)
class Fault:
    """Rows (rows,) that are refused, and why: as ``BadRow`` says it."""

    rows: Mask
    column: str
    expected: str


Check = Callable[[pd.DataFrame], tuple[pd.DataFrame, list[Fault]]]


@dataclass(frozen=True)
class Read:
    """A file as a frame with all columns of its form; texts are never missing."""

    frame: pd.DataFrame
    dataset: str
    illustrative: bool
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = ()


def read(request: Request, form: Form, check: Callable[[str], Check]) -> Read:
    """Read a file of ``form``.

    ``check`` is given the dataset that the rows go to and makes the function that brings a frame
    into its final form and names the faults of its rows.

    Raises:
        BadFile: the file cannot be read, or (unless ``skip_bad``) rows were refused.
    """
    table = read_columns(
        request.source, form.kinds, name=request.name, required=list(form.required)
    )
    if table is not None:
        frame = _whole(table.to_pandas(), form)
        checked, faults = check(request.dataset)(frame)
        if not any(fault.rows.any() for fault in faults):
            if request.progress:
                request.progress(len(frame))
            return Read(checked, request.dataset, _illustrative(frame))
    return _by_row(request, form, check)


def _by_row(request: Request, form: Form, check: Callable[[str], Check]) -> Read:
    loaded = load(
        request.source,
        lambda row: row,
        name=request.name,
        required=list(form.required),
        optional=[column for column in form.kinds if column not in form.required],
        own_export=True,
        skip_bad=request.skip_bad,
        progress=request.progress,
    )
    rows: Sequence[Row] = loaded.records
    frame = pd.DataFrame(
        {
            column: pd.Series([_cell(row.values.get(column), kind) for row in rows], dtype=object)
            for column, kind in form.kinds.items()
            if any(column in row.values for row in rows)
        }
    )
    frame = _whole(frame, form)
    checked, faults = check(request.dataset)(frame)
    refusals = Refusals(loaded.name)
    bad = np.zeros(len(rows), dtype=bool)
    for fault in [*_nested(rows, form), *faults]:
        for at in map(int, np.flatnonzero(fault.rows & ~bad)):
            got = rows[at].values.get(fault.column, "")
            refusals.refuse(rows[at], RowError(fault.column, fault.expected, got))
        bad |= fault.rows
    refused = (*loaded.refused, *refusals.settle(skip_bad=request.skip_bad))
    kept = checked[~bad].reset_index(drop=True)
    return Read(kept, request.dataset, _illustrative(frame), refused, loaded.notes)


def _nested(rows: Sequence[Row], form: Form) -> list[Fault]:
    """The rows with an object or a list where a text belongs."""
    texts = [c for c, kind in form.kinds.items() if kind == "text" and c not in form.as_json]
    found = {c: np.array([isinstance(r.values.get(c), (dict, list)) for r in rows]) for c in texts}
    return [Fault(wrong, column, "a text") for column, wrong in found.items() if wrong.any()]


def _cell(value: Any, kind: Kind) -> Any:
    if kind == "list" or value is None:
        return value
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, (str, int, float)) else str(value)


def _whole(frame: pd.DataFrame, form: Form) -> pd.DataFrame:
    """All columns of the form: texts as texts, numbers as they came, lists or None."""
    made = {}
    for column, kind in form.kinds.items():
        if column not in frame:
            fill = "" if kind == "text" else None
            made[column] = pd.Series([fill] * len(frame), dtype="str" if kind == "text" else object)
        elif kind == "text" and frame[column].dtype == object:
            made[column] = frame[column].map(_text).astype("str")
        else:
            made[column] = frame[column]
    return pd.DataFrame(made)


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else str(value)


def _illustrative(frame: pd.DataFrame) -> bool:
    """Whether all rows say that they are."""
    said = frame["illustrative"].str.strip().str.casefold()
    return bool(len(said)) and bool(said.isin(["true", "1"]).all())


# -- what the checks are made of -------------------------------------------------------------------


def stripped(frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """The frame with these texts trimmed."""
    return frame.assign(**{column: frame[column].str.strip() for column in columns})


def blank(frame: pd.DataFrame, column: str, what: str) -> Fault:
    """The rows without ``what``."""
    return Fault(~_has_text(frame[column]), column, what)


def _has_text(texts: pd.Series[Any]) -> Mask:
    return np.asarray(texts.str.contains(r"\S", regex=True), dtype=bool)


def unknown(frame: pd.DataFrame, column: str, known: Mapping[str, str], what: str) -> Fault:
    """The rows that name what is not in the dataset."""
    names = frame[column]
    return Fault(np.asarray((names != "") & ~names.isin(list(known)), dtype=bool), column, what)


def contradicting(
    frame: pd.DataFrame, name: str, content: Sequence[str], there: pd.DataFrame, what: str
) -> tuple[Fault, Mask]:
    """The rows whose ``name`` stands for something else before them or in the store; and all that
    say what was said before. ``there`` has ``name`` and ``content`` as its columns."""
    first = frame.drop_duplicates(name)[[name, *content]]
    known = pd.concat([there[[name, *content]], first]).drop_duplicates(name)
    # A merge keeps the order of the rows.
    beside = frame[[name]].merge(known, on=name, how="left")
    other = np.zeros(len(frame), dtype=bool)
    for column in content:
        other |= np.asarray(frame[column].to_numpy(object) != beside[column].to_numpy(object))
    said = np.asarray(frame[name].isin(there[name]) | frame.duplicated(name), dtype=bool)
    return Fault(other, name, f"{what} that does not stand for something else already"), said


def numbers(
    frame: pd.DataFrame, column: str, *, whole: bool = True, least: float = 0
) -> tuple[pd.Series[Any], Fault]:
    """A column of numbers (missing: NaN) and the rows that have something else there."""
    given = frame[column]
    texts = given.map(_text).astype("str").str.strip() if given.dtype == object else given
    read = pd.to_numeric(texts.replace("", None) if texts.dtype == "str" else texts, "coerce")
    empty = np.asarray(texts == "", dtype=bool) if texts.dtype == "str" else np.asarray(read.isna())
    values = read.to_numpy(dtype=float, na_value=np.nan)
    wrong = ~empty & (np.isnan(values) | np.isinf(values) | (values < least))
    if whole:
        with np.errstate(invalid="ignore"):
            wrong |= ~empty & (values != np.floor(values))
    kind = "a whole number" if whole else "a number"
    return pd.Series(values, index=frame.index), Fault(wrong, column, f"{kind} of at least {least}")
