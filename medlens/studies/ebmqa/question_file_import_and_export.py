"""Question sets as files: ``import ebmqa-questions`` and ``export questions``.

One row per question: ``question_id, kind, qa_type, question, options, correct``, then one column
per label. Options and correct answers are lists of texts (in CSV as JSON). ``min``, ``max`` and
``citations`` are the evidence of a numeric key; ``evidence`` has all of it, for a semantic question
per option.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from pydantic import ValidationError

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import (
    compare_correct_withdraw_reimported_items,
    further_columns_of_imported_items,
    items,
)
from medlens.review.compare_correct_withdraw_reimported_items import FileComparison
from medlens.review.raters import Rater, require_lead
from medlens.store import Store, to_json
from medlens.studies.ebmqa import question_set_inserts_and_queries
from medlens.studies.ebmqa.explore.aggregate_queries import names_of_selected_questions
from medlens.studies.ebmqa.explore.question_filter import (
    AnswerFilter,
    parse_filter_as_label_and_values_pairs,
)
from medlens.studies.ebmqa.question_corrections_with_queries import (
    differing_columns_as_given,
    make_correction_of_questions,
)
from medlens.studies.ebmqa.records import (
    IDK,
    LABELS,
    ORDERED,
    STUDY,
    Evidence,
    Question,
    positions_in_bit_mask,
)
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.tables import (
    Column,
    Kind,
    Refused,
    Report,
    Request,
    Row,
    RowError,
    load_parsed_and_refused_rows,
    parse_json_value,
)
from medlens.tables.file_schemas_import_requests_and_reports import TABLES_OF_ITEMS

_TEXTS = ("source", "target", "background")
_LABELS = tuple(label for label in LABELS if label not in ("kind", "qa_type"))
COLUMNS = (
    Column("question_id", "name", "the question's id", needed=True),
    Column("kind", "word", "what it asks for", needed=True, allowed=("numeric", "semantic")),
    Column("qa_type", "name", "the type of question, such as a sign's prevalence", needed=True),
    Column("question", "name", "the question", needed=True),
    Column("options", "list", "2 to 30 options, a JSON list of texts", needed=True),
    Column("correct", "list", "those that are right, a JSON list of texts", needed=True),
    *(Column(label, "name", "a label, by which figures can be grouped") for label in _LABELS),
    Column("source", "name", "the disorder that it is about"),
    Column("target", "name", "its sign, test or population"),
    Column("background", "name", "the patients among whom it is asked"),
    Column("words", "whole", "how long the question is", unit="words"),
    Column("value", "number", "the number behind the right option"),
    Column("min", "number", "the smallest number that a source states"),
    Column("max", "number", "the largest number that a source states"),
    Column("citations", "list", "where these numbers come from, a JSON list of texts"),
    Column("evidence", "list", "all that: value, min, max, edges and citations, for each option"),
)
_IDK = IDK.casefold()


def import_questions(store: Store, study: Study, request: Request) -> Report:
    """``ebmqa-questions``: questions made elsewhere, or written by ``export questions``."""
    seen: dict[str, int] = {}
    columns: dict[str, set[str]] = {}
    invented: set[bool] = set()

    def parse(row: Row) -> Question:
        made = parse_question(row)
        if made.name in seen:
            raise RowError(
                "question_id", f"an id not used already (line {seen[made.name]})", made.name
            )
        seen[made.name] = row.line
        columns[made.name] = set(row.values)
        invented.add(str(row.values.get("illustrative", "")).casefold() == "true")
        return made

    loaded = load_parsed_and_refused_rows(
        request.source,
        parse,
        columns=COLUMNS,
        own_export=True,
        **request.reading_options,
    )
    refused: tuple[Refused, ...] = loaded.refused
    rows = {one.name: question_cells_by_column(one) for one in loaded.records}
    # What a file has no column for stays as it is.
    said = {
        name: {cell: one for cell, one in row.items() if _told_by(cell) & columns[name]}
        for name, row in rows.items()
    }
    comparison = _compare(store, request.dataset, said)
    compared = compare_correct_withdraw_reimported_items.correct_or_withdraw_and_return_comparison(
        store, (study.task,), comparison, request.revising, study=STUDY, dataset=request.dataset
    )
    done = question_set_inserts_and_queries.add_question_set_and_return_added(
        store,
        question_set_inserts_and_queries.rows_as_arrow_question_table(list(rows.values())),
        dataset=request.dataset,
        origin={"made": "import", "file": request.name, "refused": len(refused)},
        illustrative=invented == {True},
        revised=comparison.set_of_changed_item_names,
    )
    return Report(
        *("questions", done.added, done.known, refused, loaded.notes),
        compared=compared,
        items=done.items,
    )


def _told_by(cell: str) -> set[str]:
    """The columns of a file that say what is stored in a column."""
    return {"evidence", "min", "max"} if cell == "evidence" else {cell}


def _compare(store: Store, dataset: str, given: Mapping[str, dict[str, Any]]) -> FileComparison:
    """The questions of a file (by name) beside those of a dataset."""
    there = question_set_inserts_and_queries.last_corrected_questions_by_name(store, dataset)
    differing = {
        name: columns
        for name, row in given.items()
        if name in there and (columns := differing_columns_as_given(there[name], row))
    }
    in_play = set(question_set_inserts_and_queries.names_of_questions_not_withdrawn(store, dataset))
    missing = [name for name in there if name in in_play and name not in given]
    ids = items.ids_by_name_made_from_item_names(STUDY, dataset, [*differing, *missing])
    first = next(iter(differing.values()), {})
    return FileComparison(
        len(given) - sum(name in there for name in given),
        sum(name in there for name in given) - len(differing),
        {ids[name]: (name, "") for name in differing},
        {ids[name]: name for name in missing},
        f", with another {' and '.join(first)}" if first else "",
        make_correction_of_questions(store, dataset, {name: given[name] for name in differing})
        if differing
        else None,
    )


def parse_question(row: Row) -> Question:
    """A row of a file as a question.

    Raises:
        RowError: it is none, or cannot be answered.
    """
    given = row.values
    options = _texts(given, "options")
    kept = [text for text in options if text.casefold().strip(" .") != _IDK]
    correct = _texts(given, "correct")
    for text in correct:
        if text not in kept:
            raise RowError("correct", "texts that are among the options", text)
    if len(set(correct)) < len(correct):
        raise RowError("correct", "each answer once", json.dumps(correct, ensure_ascii=False))
    fields: dict[str, Any] = {
        name: _text(given, name) for name in (*_LABELS, *_TEXTS) if _text(given, name)
    }
    for name, allowed in ORDERED.items():
        if fields.get(name, allowed[0]) not in allowed:
            raise RowError(name, f"one of {', '.join(allowed)}, or nothing", fields[name])
    for name, kind in (("words", int), ("value", float)):
        if _text(given, name):
            fields[name] = _number(given, name, kind)
    fields["evidence"] = _evidence(given, fields.get("value"))
    try:
        return Question(
            name=_text(given, "question_id"),
            kind=_text(given, "kind").casefold(),
            qa_type=_text(given, "qa_type"),
            question=_text(given, "question"),
            options=tuple(kept),
            correct=tuple(sorted(kept.index(text) for text in correct)),
            **fields,
        )
    except ValidationError as error:
        raise _row_error(error, given) from error


def _evidence(given: dict[str, Any], value: float | None) -> tuple[Evidence, ...]:
    """A row's evidence: from ``evidence`` if given, else from min, max, citations."""
    whole = given.get("evidence")
    if isinstance(whole, list) or _text(given, "evidence"):
        try:
            found = parse_json_value(whole) if isinstance(whole, str) else whole
            return tuple(Evidence.model_validate(one) for one in found or ())
        except (ValueError, TypeError) as error:
            expected = "a JSON list of {value, min, max, edges, citations}, or nothing"
            raise RowError("evidence", expected, whole) from error
    if not (_text(given, "min") and _text(given, "max")):
        return ()
    low, high = _number(given, "min", float), _number(given, "max", float)
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise RowError("min", "at most the max beside it", given["min"])
    cited = _texts(given, "citations") if _listed(given, "citations") else []
    middle = (low + high) / 2 if value is None else value
    return (Evidence(value=middle, min=low, max=high, citations=tuple(cited)),)


def _listed(given: dict[str, Any], column: str) -> bool:
    return isinstance(given.get(column), list) or bool(_text(given, column))


def _row_error(error: ValidationError, given: dict[str, Any]) -> RowError:
    first = error.errors()[0]
    if first["loc"]:
        column = {"name": "question_id"}.get(str(first["loc"][0]), str(first["loc"][0]))
        expected = {
            "kind": "numeric or semantic",
            "options": "a JSON list of 2 to 30 options",
            "correct": "a JSON list of at least one option",
        }
        return RowError(column, expected.get(column, "a text"), given.get(column))
    column = "options" if "option" in first["msg"] and "correct" not in first["msg"] else "correct"
    if "evidence" in first["msg"]:
        column = "evidence"
    what = first["msg"].removeprefix("Value error, ")
    return RowError(column, f"a question that can be answered ({what})", given.get(column))


def _texts(given: dict[str, Any], column: str) -> list[str]:
    value = given.get(column)
    if isinstance(value, str):
        try:
            value = parse_json_value(value)
        except ValueError as error:
            raise RowError(column, 'a JSON list such as ["A", "B"]', value) from error
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise RowError(column, "a list of texts", value)
    return [text.strip() for text in value]


def _text(given: dict[str, Any], column: str) -> str:
    value = given.get(column)
    if isinstance(value, str):
        return value.strip()
    if value is None or (not isinstance(value, list | dict) and pd.isna(value)):
        return ""
    return str(value).strip()


def _number(given: dict[str, Any], column: str, kind: Callable[[str], Any]) -> Any:
    try:
        return kind(_text(given, column))
    except ValueError as error:
        raise RowError(column, "a number, or nothing", given[column]) from error


def question_cells_by_column(one: Question) -> dict[str, Any]:
    """A question's columns as they are stored (``question_set_inserts_and_queries.COLUMNS``)."""
    return {
        **one.model_dump(exclude={"options", "correct", "evidence"}),
        "evidence": to_json([found.model_dump() for found in one.evidence])
        if one.evidence
        else None,
        "options": json.dumps(one.options, ensure_ascii=False),
        "n_options": len(one.options),
        "correct": one.mask_of_correct_options,
        "n_correct": len(one.correct),
    }


def make_questions_export_table(
    store: Store,
    study: Study,
    *,
    viewer: Rater | None,
    nested: bool = False,
    label: str = "",
    words: str = "",
) -> pd.DataFrame:
    """One row per question, ready to import again; "I do not know" is the last option.

    ``nested`` gives lists instead of JSON texts. ``label``
    (``question_filter.parse_filter_as_label_and_values_pairs``) and ``words`` filter the questions.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: the dataset has no questions, or none with such a label.
    """
    require_lead(viewer)
    table = question_set_inserts_and_queries.arrow_table_of_stored_questions(
        store, study.dataset
    ).to_pandas()
    if label or words:
        where = AnswerFilter(
            study.dataset, labels=parse_filter_as_label_and_values_pairs(label), search=words
        )
        table = table[table["name"].isin(names_of_selected_questions(store, where))].reset_index(
            drop=True
        )
    if not len(table):
        raise InvalidInput("There are no questions yet.", hint="Make or import some first.")
    options = [json.loads(text) for text in table["options"]]
    correct = [
        [texts[place] for place in positions_in_bit_mask(int(mask))]
        for texts, mask in zip(options, table["correct"], strict=True)
    ]
    asked = [[*texts, IDK] for texts in options]
    out: pd.DataFrame = table[["name", "kind", "qa_type", "question"]].rename(
        columns={"name": "question_id"}
    )
    for column, lists in (("options", asked), ("correct", correct)):
        out[column] = lists if nested else [json.dumps(x, ensure_ascii=False) for x in lists]
    out["dataset"] = study.dataset
    out["illustrative"] = question_set_inserts_and_queries.is_question_set_illustrative(
        store, study.dataset
    )
    for column in (*_LABELS, *_TEXTS, "words", "value"):
        out[column] = table[column]
    out["words"] = out["words"].astype("Int64")
    found = [
        json.loads(text) if isinstance(text, str) and text else [] for text in table["evidence"]
    ]
    single = [one[0] if len(one) == 1 else {} for one in found]
    out["min"] = [one.get("min") for one in single]
    out["max"] = [one.get("max") for one in single]
    kept: dict[str, list[Any]] = {
        "citations": [one.get("citations") for one in single],
        "evidence": [one or None for one in found],
    }
    for column, values in kept.items():
        out[column] = values if nested else [_as_json(one) for one in values]
    return out


@wraps(make_questions_export_table)
def make_questions_export_table_with_further_columns(
    store: Store, study: Study, **how: Any
) -> pd.DataFrame:
    """Like ``make_questions_export_table``, with the further columns of the questions' file."""
    out = make_questions_export_table(store, study, **how)
    ids = items.ids_by_name_made_from_item_names(STUDY, study.dataset, out["question_id"])
    beside = further_columns_of_imported_items.load_further_columns_by_item_name(store, ids)
    columns = dict.fromkeys(column for body in beside.values() for column in body)
    bodies = [beside.get(name, {}) for name in out["question_id"]]
    for column in columns:
        out[column] = [body.get(column) for body in bodies]
    return out


def _as_json(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


IMPORTS: dict[str, Kind] = {
    "ebmqa-questions": Kind(
        title="EBMQA: questions with their options and labels",
        read=import_questions,
        columns=COLUMNS,
        looks="Multiple-choice questions: question_id, kind, qa_type, question, options, "
        "correct (options and correct as JSON lists), and a column per label.",
        known_by=({"question_id", "options", "correct"},),
        about=lambda study, row: str(row.get("question_id") or "").strip(),
        becoming=question_set_inserts_and_queries.filter_names_of_known_questions,
        writes=TABLES_OF_ITEMS | {"ebmqa_question", "corrected_row"},
    ),
}
"""Kinds of files that can be imported."""

EXPORTS: dict[str, tuple[str, Callable[..., pd.DataFrame]]] = {
    "questions": (
        "EBMQA: questions with all their columns, to be imported again",
        make_questions_export_table_with_further_columns,
    ),
}
"""Tables that can be exported: what they are, and who makes them."""
