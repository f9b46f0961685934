"""A question's columns as a lead corrects them by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from medlens.errors import InvalidInput
from medlens.review.item_corrections import SharedCorrection
from medlens.store import Store
from medlens.studies.ebmqa import question_set_inserts_and_queries
from medlens.studies.ebmqa.question_corrections_with_queries import (
    Cells,
    make_correction_of_questions,
)
from medlens.studies.ebmqa.question_file_import_and_export import (
    parse_question,
    question_cells_by_column,
)
from medlens.studies.ebmqa.records import LABELS, positions_in_bit_mask
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.tables import Row, RowError

_TEXTS = (
    *("kind", "qa_type", "source", "target", "background"),
    *(label for label in LABELS if label not in ("kind", "qa_type")),
    *("words", "value"),
)
_LISTS = ("options", "correct")


def correctable_cells_by_column(store: Store, _study: Study, item: str) -> dict[str, str]:
    """What can be corrected of a question (by its id as an item), as text by column; ``options``
    and ``correct`` have one option on each line.
    """
    held = question_set_inserts_and_queries.require_question_of_item(store, item)
    options = json.loads(held["options"])
    right = [options[place] for place in positions_in_bit_mask(int(held["correct"]))]
    return {
        "question": str(held["question"]),
        "options": _lines(options),
        "correct": _lines(right),
        **{name: "" if held[name] is None else str(held[name]) for name in _TEXTS},
    }


def _lines(texts: list[str]) -> str:
    # A text of several lines can only stand in a JSON list.
    many = any("\n" in text or text.startswith("[") for text in texts)
    return json.dumps(texts, ensure_ascii=False) if many else "\n".join(texts)


def make_correction_of_cells(
    store: Store, study: Study, item: str, cells: Mapping[str, str]
) -> SharedCorrection:
    """The correction of some cells of a question.

    Raises:
        InvalidInput: it could not be answered then.
    """
    held = question_set_inserts_and_queries.require_question_of_item(store, item)
    asked = {**correctable_cells_by_column(store, study, item), **cells}
    values: dict[str, Any] = {**asked, "question_id": held["name"], "evidence": held["evidence"]}
    for name in _LISTS:
        text = asked[name].strip()
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        values[name] = text if text.startswith("[") else lines
    try:
        given: Cells = question_cells_by_column(parse_question(Row(1, values)))
    except RowError as error:
        raise InvalidInput(f"{error.column}: expected {error.expected}.") from error
    return make_correction_of_questions(store, study.dataset, {str(held["name"]): given})


def question_version(store: Store, item: str) -> int:
    """How often a question (by its id as an item) was corrected, counted from 1."""
    return int(question_set_inserts_and_queries.require_question_of_item(store, item)["version"])
