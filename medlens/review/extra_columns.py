"""Columns of a file of items that no study asks for, stored with the items unchanged."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from medlens.review import items
from medlens.store import Lookup, Store, stable_id, to_json
from medlens.tables import Kind, Request, Row, RowError, read_rows
from medlens.tables.file_kinds import COMMON, optional_columns
from medlens.tables.row_reader import LINE, REASON, normalise_column_name

_MOST_NAMED = 20
_LOOKED_AT = 200
"""If this many rows have no further column, the file is taken to have none."""
_OURS = frozenset(
    normalise_column_name(name) for name in (LINE, REASON, *(one.name for one in COMMON))
)


def store_extra_columns(
    store: Store, kind: Kind, opened: Any, *, study: str, request: Request
) -> tuple[str, ...]:
    """Store a file's further columns with those of its items that exist; returns notes about it.

    A column that differs between rows of one item is not about the item and is left out.
    """
    if kind.about is None:
        return ()
    found: dict[str, dict[str, Any]] = {}
    differing: set[str] = set()
    for read in _rows(kind, opened, request):
        values = kind.cleaned(opened, read.values) if kind.cleaned else read.values
        if values is None:
            continue
        row = replace(read, values=dict(values))
        try:
            name = kind.about(opened, row.values)
        except RowError:
            continue
        kept = found.setdefault(name, {})
        for column, value in _further(kind, opened, row).items():
            if kept.setdefault(column, value) != value:
                differing.add(column)
    named = [one for one in found if found[one]]
    if kind.becoming is None:
        ids = items.item_ids_by_name(store, study, request.dataset, named)
    else:
        there = kind.becoming(store, request.dataset, named)
        ids = items.item_ids_made_from_names(study, request.dataset, there)
    bodies = {
        item: {column: found[name][column] for column in found[name] if column not in differing}
        for name, item in ids.items()
    }
    columns = add_extra_columns(store, bodies)
    notes = []
    if columns:
        notes.append(f"Further columns kept with the items: {column_names_in_words([*columns])}.")
    if differing:
        notes.append(
            "Further columns not kept, since they differ between rows of one item:"
            f" {column_names_in_words(sorted(differing))}."
        )
    return tuple(notes)


def add_extra_columns(store: Store, bodies: Mapping[str, Mapping[str, Any]]) -> dict[str, None]:
    """Store further columns of items (by id, existing or future); returns the names of the
    columns.
    """
    rows, columns = [], dict[str, None]()
    for item, body in bodies.items():
        if body:
            text = to_json(body)
            columns |= dict.fromkeys(body)
            rows.append({"id": stable_id("item_further", item, text), "item": item, "body": text})
    store.append_all({"item_further": rows})
    return columns


_EXTRA_COLUMNS_BY_ID = Lookup(
    "extra_columns.extra_columns_by_id",
    "select item, body from item_further_now where item in $items",
    items="items",
)


def extra_columns_by_id(store: Store, ids: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The further columns of items, existing or future, given as name -> id; returned by name."""
    # Most studies have no further columns, and there can be very many names.
    if not ids or not store.version("item_further"):
        return {}
    found = dict(store.rows(_EXTRA_COLUMNS_BY_ID, items=[*ids.values()]))
    return {name: json.loads(found[item]) for name, item in ids.items() if item in found}


def extra_columns_of_dataset(store: Store, study: str, dataset: str) -> dict[str, dict[str, Any]]:
    """The further columns of a dataset's items, by item id."""
    rows = store.rows(
        "select f.item, f.body from item_further_now f join item_in_play i on i.id = f.item"
        " where i.study = $study and i.dataset = $dataset",
        study=study,
        dataset=dataset,
    )
    return {item: json.loads(body) for item, body in rows}


def column_names_in_words(columns: Sequence[str]) -> str:
    """Their names, of many only the first ones."""
    more = len(columns) - _MOST_NAMED
    return ", ".join(columns) if more < 2 else f"{', '.join(columns[:-more])} and {more:,} more"


def _rows(kind: Kind, opened: Any, request: Request) -> Iterator[Row]:
    """The rows of a file; none if its first rows have no further columns."""
    waiting: list[Row] | None = []
    for row in read_rows(
        request.source,
        name=request.name,
        optional=[
            *(one.name for one in kind.columns if one.needed),
            *optional_columns(kind.columns),
        ],
        refuse=lambda row, why: None,
        own_export=kind.apostrophes,
    ):
        if waiting is None:
            yield row
            continue
        waiting.append(row)
        if _further(kind, opened, row):
            yield from waiting
            waiting = None
        elif len(waiting) == _LOOKED_AT:
            return


def _further(kind: Kind, opened: Any, row: Row) -> Mapping[str, Any]:
    known = {one.name for one in kind.columns}
    return {
        column: plain
        for column, value in row.values.items()
        if column
        and column not in known
        and normalise_column_name(column) not in _OURS
        and not (kind.asks and kind.asks(opened, column))
        and (plain := _plain(value)) not in (None, "")
    }


def _plain(value: Any) -> Any:
    """A cell as JSON can hold it; None if it is empty."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | int | float) else str(value)
