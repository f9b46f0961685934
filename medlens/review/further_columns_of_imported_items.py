"""Columns of a file of items that no study asks for, stored with the items unchanged."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from medlens.deferred_module import pa
from medlens.review import items
from medlens.store import Lookup, Store, stable_id, stable_ids, to_json
from medlens.tables import Kind, Request, Row, RowError, iterate_rows_of_table_file
from medlens.tables.column_reader import read_text_columns_as_arrow_table
from medlens.tables.file_schemas_import_requests_and_reports import (
    COMMON,
    names_of_required_columns,
    optional_columns,
)
from medlens.tables.row_reader import LINE, REASON, normalise_column_name

_MOST_NAMED = 20
_LOOKED_AT = 200
"""If this many rows have no further column, the file is taken to have none."""
_MANY = 1_000
"""From so many items on their further columns are stored as a table, not row by row."""
_ROWS_AT_ONCE = 4_096
_OURS = frozenset(
    normalise_column_name(name) for name in (LINE, REASON, *(one.name for one in COMMON))
)


class FurtherColumns:
    """The further columns of a file's items, gathered from its rows while they are imported.

    Give ``keep_further_cells_of_row`` the rows of the file, whose ``kind`` says which item each is
    about, then ``store`` them. A column that differs between rows of one item is not about the item
    and is left out.
    """

    def __init__(self, kind: Kind, opened: Any) -> None:
        self._kind, self._opened = kind, opened
        self._found: dict[str, dict[str, Any]] = {}
        self._differing: set[str] = set()
        self._further: dict[str, bool] = {}
        self._looked_at = 0
        self._has_some = False

    def keep_further_cells_of_row(self, read: Row) -> None:
        """Keep what a row has in further columns."""
        kind = self._kind
        if kind.about is None or self._seems_to_have_none():
            return
        self._looked_at += 1
        self._has_some |= next(self._further_cells(read.values), None) is not None
        if not self._has_some:
            return
        values = kind.cleaned(self._opened, read.values) if kind.cleaned else read.values
        if values is None:
            return
        try:
            name = kind.about(self._opened, values)
        except RowError:
            return
        kept = self._found.setdefault(name, {})
        for column, value in self._further_cells(values):
            if kept.setdefault(column, value) != value:
                self._differing.add(column)

    def store_and_return_notes(
        self, store: Store, *, study: str, request: Request
    ) -> tuple[str, ...]:
        """Store them with those of the items that exist; returns notes about it.

        The file of ``request`` is read here if ``keep_further_cells_of_row`` was given none of its
        rows, because its importer reads it as columns.
        """
        if not self._looked_at and self._kind.about is not None:
            table = self._table(request)
            if table is not None:
                self._take_columns(table)
            else:
                for row in takewhile(lambda _: not self._seems_to_have_none(), self._rows(request)):
                    self.keep_further_cells_of_row(row)
        kind, found, differing = self._kind, self._found, self._differing
        named = [one for one in found if found[one]]
        if kind.becoming is None:
            ids = items.item_ids_by_name(store, study, request.dataset, named)
        else:
            there = kind.becoming(store, request.dataset, named)
            ids = items.ids_by_name_made_from_item_names(study, request.dataset, there)
        bodies = {
            item: {column: found[name][column] for column in found[name] if column not in differing}
            for name, item in ids.items()
        }
        columns = store_further_columns_and_return_names(store, bodies)
        notes = []
        if columns:
            notes.append(
                f"Further columns kept with the items: {first_column_names_in_words([*columns])}."
            )
        if differing:
            notes.append(
                "Further columns not kept, since they differ between rows of one item:"
                f" {first_column_names_in_words(sorted(differing))}."
            )
        return tuple(notes)

    def _seems_to_have_none(self) -> bool:
        return not self._has_some and self._looked_at == _LOOKED_AT

    def _table(self, request: Request) -> pa.Table | None:
        """All columns of the file, as texts; None where a cell may be something else, or is cleaned
        with the others of its row: then it is read row by row.
        """
        kind = self._kind
        if kind.cleaned is not None or not kind.apostrophes:
            return None
        return read_text_columns_as_arrow_table(
            request.source,
            [*names_of_required_columns(kind.columns), *optional_columns(kind.columns)],
            name=request.name,
        )

    def _take_columns(self, table: pa.Table) -> None:
        """As ``keep_further_cells_of_row`` for each row of a table of texts."""
        about = self._kind.about
        assert about is not None
        further = [column for column in table.column_names if self._is_further(column)]
        first = table.slice(0, _LOOKED_AT).select(further)
        if not any(any(column.to_pylist()) for column in first.columns):
            return
        for batch in table.to_batches(_ROWS_AT_ONCE):
            cells = {column: batch[column].to_pylist() for column in batch.schema.names}
            beside = zip(*(cells[column] for column in further), strict=True)
            for row, given in zip(zip(*cells.values(), strict=True), beside, strict=True):
                try:
                    name = about(self._opened, dict(zip(cells, row, strict=True)))
                except RowError:
                    continue
                kept = self._found.setdefault(name, {})
                for column, value in zip(further, given, strict=True):
                    if value and kept.setdefault(column, value) != value:
                        self._differing.add(column)

    def _rows(self, request: Request) -> Iterator[Row]:
        columns = self._kind.columns
        return iterate_rows_of_table_file(
            request.source,
            name=request.name,
            optional=[*names_of_required_columns(columns), *optional_columns(columns)],
            refuse=lambda row, why: None,
            own_export=self._kind.apostrophes,
        )

    def _further_cells(self, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for column, value in values.items():
            if column not in self._further:
                self._further[column] = self._is_further(column)
            if self._further[column] and (plain := _plain(value)) not in (None, ""):
                yield column, plain

    def _is_further(self, column: str) -> bool:
        known = {one.name for one in self._kind.columns}
        asks = self._kind.asks
        return (
            bool(column)
            and column not in known
            and normalise_column_name(column) not in _OURS
            and not (asks and asks(self._opened, column))
        )


def store_further_columns_and_return_names(
    store: Store, bodies: Mapping[str, Mapping[str, Any]]
) -> dict[str, None]:
    """Store further columns of items (by id, existing or future); returns the names of the
    columns.
    """
    texts, columns = dict[str, str](), dict[str, None]()
    for item, body in bodies.items():
        if body:
            texts[item] = to_json(body)
            columns |= dict.fromkeys(body)
    if len(texts) < _MANY:
        rows = [
            {"id": stable_id("item_further", item, text), "item": item, "body": text}
            for item, text in texts.items()
        ]
        store.append_all_and_count_new_by_table({"item_further": rows})
        return columns
    ids = stable_ids("\x1f".join(("item_further", *one)) for one in texts.items())
    both = (list(texts), list(texts.values()))
    given = zip(("id", "item", "body"), (ids, *both), strict=True)
    table = {name: pa.array(cells, pa.large_string()) for name, cells in given}
    store.append_tables_and_count_new_by_table({"item_further": pa.table(table)})
    return columns


_FURTHER_COLUMNS_BY_ID = Lookup(
    "further_columns.further_columns_by_id",
    "select item, body from item_further_now where item in $items",
    items="items",
)


def load_further_columns_by_item_name(
    store: Store, ids: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """The further columns of items, existing or future, given as name -> id; returned by name."""
    # Most studies have no further columns, and there can be very many names.
    if not ids or not store.data_version_of_tables("item_further"):
        return {}
    found = dict(store.rows(_FURTHER_COLUMNS_BY_ID, items=[*ids.values()]))
    return {name: json.loads(found[item]) for name, item in ids.items() if item in found}


def further_columns_by_item(store: Store, study: str, dataset: str) -> dict[str, dict[str, Any]]:
    """The further columns of a dataset's items, by item id."""
    rows = store.rows(
        "select f.item, f.body from item_further_now f join item_in_play i on i.id = f.item"
        " where i.study = $study and i.dataset = $dataset",
        study=study,
        dataset=dataset,
    )
    return {item: json.loads(body) for item, body in rows}


def first_column_names_in_words(columns: Sequence[str]) -> str:
    """Their names, of many only the first ones."""
    more = len(columns) - _MOST_NAMED
    return ", ".join(columns) if more < 2 else f"{', '.join(columns[:-more])} and {more:,} more"


def _plain(value: Any) -> Any:
    """A cell as JSON can hold it; None if it is empty."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | int | float) else str(value)
