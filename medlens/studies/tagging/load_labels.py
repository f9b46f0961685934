"""The published label tables of the G4UE study: one row per item, one column per label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from medlens.errors import BadFile, InvalidInput
from medlens.studies.tagging.load_items import item_id
from medlens.tables import Column, Loaded, Row, RowError, Source, load, name_of

if TYPE_CHECKING:
    from medlens.studies.tagging.taxonomy import Taxonomy

_TRUTH = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}


LABELS = (Column("id", "name", "the item's name", needed=True),)


@dataclass(frozen=True, slots=True)
class ItemLabels:
    """The labels (ids) that an item has in a published table."""

    item: str
    labels: frozenset[str]
    line: int


def read_labels(
    source: Source, taxonomy: Taxonomy, *, name: str = "", **how: Any
) -> Loaded[ItemLabels]:
    """Rows of a table with ``id`` and a true/false column for each label of ``taxonomy``.

    Columns may come in any order, among others; a label's column is found by id, name, alias or
    export name. Raises ``BadFile``, naming the labels that have no column or two.
    """
    name = name_of(source, name)
    columns: dict[str, str] = {}
    seen: dict[str, int] = {}

    def check(found: Sequence[str]) -> None:
        for column in found:
            label = taxonomy.by_name(column)
            if label is None:
                continue
            if label.id in columns.values():
                raise BadFile(f"{name}: two columns are the label {label.name!r}.")
            columns[column] = label.id
        missing = [one.name for one in taxonomy.labels if one.id not in columns.values()]
        if missing:
            raise BadFile(
                f"{name}: missing column{'s' * (len(missing) > 1)}"
                f" {', '.join(map(repr, missing))}.",
                hint="Check that the file and the taxonomy belong together.",
            )

    def parse(row: Row) -> ItemLabels:
        item = item_id(row.values["id"])
        known = seen.setdefault(item, row.line)
        if known != row.line:
            raise RowError("id", f"an item that occurs once (line {known} has it too)", item)
        given = frozenset(
            label for column, label in columns.items() if _truth(row.values.get(column), column)
        )
        return ItemLabels(item, given, row.line)

    return load(source, parse, name=name, columns=LABELS, check_columns=check, **how)


def _truth(value: object, column: str) -> bool:
    if isinstance(value, bool):
        return value
    found = _TRUTH.get(str(value).strip().casefold())
    if found is None:
        raise RowError(column, "True or False", "" if value is None else value)
    return found


def published_labels(consensus: pd.DataFrame, taxonomy: Taxonomy) -> pd.DataFrame:
    """``consensus`` in the published layout: ``id``, then the labels by export name, A to Z.

    ``consensus`` has a row per item: ``item`` (name) and ``labels`` (label ids). Order and rows are
    kept. Raises ``InvalidInput`` for a label that the taxonomy lacks.
    """
    known = {label.id for label in taxonomy.labels}
    given = [frozenset(labels) for labels in consensus["labels"]]
    unknown = sorted(frozenset().union(*given) - known)
    if unknown:
        raise InvalidInput(f"The taxonomy {taxonomy.id!r} has no label {unknown[0]!r}.")
    table: dict[str, list[object]] = {"id": list(consensus["item"])}
    for label in sorted(taxonomy.labels, key=lambda one: one.export_name):
        table[label.export_name] = [label.id in labels for labels in given]
    return pd.DataFrame(table)
