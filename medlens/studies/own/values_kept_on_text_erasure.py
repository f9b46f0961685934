"""What in the items and answers of an own study is no text, and stays when an item's texts are
erased.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from medlens.review.item_text_erasure import TextRules
from medlens.studies.own.attached_files import file_names_in_cell
from medlens.studies.own.study import Study

_FREE = ("short_text", "long_text")


def make_text_erasure_rules(study: Study) -> TextRules:
    """The columns by which figures are shown or expected answers given stay, and so do options."""
    declared = study.declared
    questions = declared.form_with_question_per_arm.questions
    grouping = {column.name for column in declared.columns if column.groups}
    columns = {*grouping, *declared.possible_answers_by_column, declared.chosen_column} - {""}
    names = (*declared.arms.names,) if declared.arms else ()
    return TextRules(
        item_labels=frozenset(columns),
        answer_labels=frozenset(
            [*names, *(choice for question in questions for choice in question.shown_options)]
        ),
        text_answers=frozenset(question.id for question in questions if question.kind in _FREE),
        files=lambda body: list(_files(study, body)),
    )


def _files(study: Study, body: str) -> Iterator[Path]:
    """The attached files that an item's cells name."""
    for pane in study.declared.panes:
        if pane.kind not in ("image", "pdf"):
            continue
        for column in pane.columns:
            for cell in _cells(json.loads(body), column):
                for name in file_names_in_cell(cell, pane.kind):
                    yield (
                        study.attached.find_path_of_named_file(name) or study.attached.folder / name
                    )


def _cells(body: object, column: str) -> Iterator[str]:
    """The cells of a column: of the case, and of each of its arms."""
    if isinstance(body, dict):
        for name, held in body.items():
            if name == column and isinstance(held, str):
                yield held
            else:
                yield from _cells(held, column)
    elif isinstance(body, list):
        for held in body:
            yield from _cells(held, column)
