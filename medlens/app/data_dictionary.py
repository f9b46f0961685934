"""The data dictionary of a store: what stands in each column of its tables, answers and files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from medlens.config.settings import Settings
from medlens.review import guideline, items
from medlens.store import Store
from medlens.studies.registry import IMPORTS, STUDIES
from medlens.tables import Column
from medlens.tables.file_schemas_import_requests_and_reports import TYPES


def data_dictionary_rows(store: Store, settings: Settings) -> Iterator[Sequence[str]]:
    """The rows of the data dictionary, the header first: of the store's tables, of the fields of
    judgments, of the answers of each dataset whose questions a file declares, and of the kinds of
    files."""
    yield ("of", "name", "column", "meaning", "type", "unit", "allowed")
    for table, columns in store.column_types_by_table.items():
        for column, kind in columns.items():
            yield (
                "table",
                table,
                column,
                explain_store_column(table, column),
                kind.lower(),
                "",
                "",
            )
    for column, means in guideline.COLUMNS.items():
        yield ("guideline", "every task", column, means, "text", "", "")
    for name, study in STUDIES.items():
        for task in study.tasks(study.open(store, settings, "")):
            schema = task.value.model_json_schema()
            for field, one in schema.get("properties", {}).items():
                told = one.get("description", "") or task.question or _FIELDS.get(field, "")
                allowed = _allowed(one)
                kind = str(one.get("type") or one.get("anyOf") or "")
                yield (f"judgment ({name})", task.name, field, told, kind, "", allowed)
        for row in items.datasets_of_study(store, name):
            dataset = str(row["dataset"])
            for task in study.tasks(study.open(store, settings, dataset)):
                for column_ in task.columns:
                    yield _row(f"answers ({name}: {dataset})", task.name, column_)
    for kind, declared in IMPORTS.items():
        for column_ in declared.columns:
            yield _row("file", kind, column_)


def _row(of: str, name: str, one: Column) -> Sequence[str]:
    return (of, name, one.name, one.means, TYPES[one.type], one.unit, "; ".join(one.allowed))


def explain_store_column(table: str, column: str) -> str:
    """What a column of a table of the store means; "" where nobody has said."""
    return _MEANS.get(f"{table}.{column}") or _MEANS.get(column, "")


def explain_python_api_column(table: str, column: str) -> str:
    """What a column of a table of ``medlens.open`` means; "" where nobody has said."""
    said = _MEANS.get(f"@{table}.{column}") or _MEANS.get(f"@{column}")
    return said or _MEANS.get(column, "")


def _allowed(field: Mapping[str, Any]) -> str:
    """The allowed words of a field of a judgment."""
    named = [field, *field.get("anyOf", ())]
    return "; ".join(str(word) for one in named for word in one.get("enum", ()))


_FIELDS = {
    "version": "the version of the study's file that it answers",
    "answers": "the answers by the ids of the questions",
    "order": "the arms in the order in which the rater saw them",
    "spans": "the marks: where, the words, their labels, and answers about each",
}
_MEANS: Mapping[str, str] = tomllib.loads(
    Path(__file__).with_name("columns.toml").read_text(encoding="utf-8")
)
