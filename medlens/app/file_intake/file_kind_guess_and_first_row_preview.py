"""What kind of file an upload is, and how its first rows read: before anything is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, BinaryIO

from medlens.deferred_module import pd
from medlens.errors import BadRow
from medlens.studies.registry import IMPORTS, STUDIES
from medlens.studies.tagging import load_raw_annotations, read_g4ue_items_and_responses
from medlens.studies.tagging.records import ResponseItem
from medlens.studies.tagging.taxonomy import Taxonomy
from medlens.tables import Row, iterate_rows_of_table_file
from medlens.tables.column_reader import distinct_texts_in_column

_SHOWN = 8
_LONGEST = 200


def guess_import_kind_from_columns(
    columns: Sequence[str], taxonomy: Taxonomy, *, study: str = ""
) -> str:
    """The kind whose columns these are, or an empty text.

    ``study`` is what the first row says of itself: exported judgments look alike.
    """
    found = {"_".join(column.casefold().split()) for column in columns}
    kinds = [(name, kind) for one in STUDIES.values() for name, kind in one.imports.items()]
    if {"item", "rater", "task"} <= found and study in STUDIES:
        judged = next((name for name, kind in STUDIES[study].imports.items() if kind.judgments), "")
        if judged:
            return judged
    fitting = [
        (len(known), name)
        for name, kind in kinds
        for known in kind.identifying_column_sets
        if known <= found
    ]
    best = max(fitting, key=lambda one: one[0], default=(0, ""))
    # Published labels have a column for each label of the taxonomy in force.
    if (
        "id" in found
        and sum(taxonomy.find_label_by_any_name(column) is not None for column in columns) > 1
    ):
        return "labels" if best[1] in ("", "g4ue-items") else best[1]
    return best[1]


def read_column_names(source: BinaryIO, name: str) -> list[str]:
    """The columns of a file, of its first record where it has no header.

    Raises ``BadFile`` where the file as a whole cannot be read.
    """
    found: list[str] = []
    source.seek(0)
    rows = iterate_rows_of_table_file(
        source, name=name, refuse=lambda row, why: None, check_columns=found.extend
    )
    next(rows, None)
    source.seek(0)
    return found


def read_first_row(source: BinaryIO, name: str) -> dict[str, Any]:
    """The first row of a file that can be read; empty where there is none.

    Raises ``BadFile`` where the file as a whole cannot be read.
    """
    return next(iter(read_first_rows(source, name)), {})


def dataset_named_in_row(row: Mapping[str, Any]) -> str:
    """The dataset that a row names, or an empty text."""
    value = row.get("dataset")
    return value.strip() if isinstance(value, str) else ""


def datasets_named_in_file(source: BinaryIO, name: str) -> list[str]:
    """The datasets that the rows of a file name, in their order.

    A file whose first row has no such column is not looked through for others that have.

    Raises ``BadFile`` where the file as a whole cannot be read.
    """
    if "dataset" not in read_first_row(source, name):
        return []
    texts = distinct_texts_in_column(source, "dataset", name=name)
    if texts is None:
        rows = iterate_rows_of_table_file(
            source, name=name, optional=("dataset",), refuse=lambda row, why: None, own_export=True
        )
        texts = [dataset_named_in_row(row.values) for row in rows]
    return list(dict.fromkeys(named for text in texts if (named := text.strip())))


def read_first_rows(
    source: BinaryIO,
    name: str,
    *,
    own_export: bool = False,
    most: int = _SHOWN,
    unread: list[str] | None = None,
    notes: list[str] | None = None,
    lines: list[int] | None = None,
    whole_names: bool = False,
) -> list[dict[str, Any]]:
    """The first rows of a file as they stand in it; rows that cannot be read are passed over, and
    what is wrong with the first of them is added to ``unread``. What the reader decided is added to
    ``notes``, and where each row begins (``Row.line``) to ``lines``. ``whole_names`` is as
    ``iterate_rows_of_table_file`` has it.

    Raises ``BadFile`` where the file as a whole cannot be read.
    """
    source.seek(0)

    def refuse(_row: Row, why: BadRow) -> None:
        if unread is not None and not unread:
            unread.append(str(why))

    rows = iterate_rows_of_table_file(
        source,
        name=name,
        refuse=refuse,
        own_export=own_export,
        notes=notes,
        whole_names=whole_names,
    )
    found = []
    for row in islice(rows, most):
        found.append(row.values)
        if lines is not None:
            lines.append(row.line)
    source.seek(0)
    return found


def preview_table_of_first_rows_as_kind(
    source: BinaryIO, name: str, kind: str, taxonomy: Taxonomy
) -> pd.DataFrame:
    """The first rows as this kind of import reads them, as texts to be shown.

    Raises ``BadFile`` where they are not of this kind.
    """
    rows = read_first_rows(source, name, own_export=IMPORTS[kind].apostrophes)
    head = "".join(json.dumps(row, default=str) + "\n" for row in rows).encode()
    if not head:
        return pd.DataFrame()
    how: dict[str, Any] = {"name": "head.jsonl", "skip_bad": True}
    if kind in ("g4ue-items", "g4ue-responses"):
        read = (
            read_g4ue_items_and_responses.read_items
            if kind == "g4ue-items"
            else read_g4ue_items_and_responses.read_responses
        )
        return pd.DataFrame([_item(one.name, one.item) for one in read(head, **how).records])
    if kind == "labels":
        labelled = load_raw_annotations.read_labels_of_items(head, taxonomy, **how).records
        return pd.DataFrame(
            [
                {
                    "item": one.item,
                    "labels": "; ".join(
                        label.name for label in taxonomy.labels if label.id in one.labels
                    ),
                }
                for one in labelled
            ]
        )
    if kind == "g4ue-annotations":
        return _annotations(
            load_raw_annotations.read_annotations_surveys_and_refused_rows(head, taxonomy, **how),
            taxonomy,
        )
    return pd.DataFrame([{key: _short(value) for key, value in row.items()} for row in rows])


def _item(name: str, item: ResponseItem) -> dict[str, str]:
    return {
        "item": name,
        "question": _short(item.question),
        "options": _short("; ".join(f"{one.key}: {one.text}" for one in item.options)),
        "correct": item.correct,
        "chosen": item.chosen or "not stated",
        "response": _short(item.response),
    }


def _annotations(
    loaded: load_raw_annotations.LoadedAnnotations, taxonomy: Taxonomy
) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "rater": one.rater,
                "item": one.item,
                "marks": str(len(one.value.spans)),
                "labels": "; ".join(
                    label.name for label in taxonomy.labels if label.id in one.value.labels_given()
                ),
                "minutes": "" if one.seconds is None else f"{one.seconds / 60:.1f}",
            }
            for one in loaded.annotations
        ]
        + [
            {
                "rater": one.rater,
                "item": "",
                "marks": "",
                "labels": f"form {one.form}",
                "minutes": "",
            }
            for one in loaded.surveys
        ]
    )


def _short(value: object) -> str:
    text = " ".join(("" if value is None else str(value)).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
