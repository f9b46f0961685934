"""An item of your own study before its adjudicator: as at the desk, with the passages that everyone
marked, and the desk's own questions for an answer that nobody gave.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from medlens.review import consensus
from medlens.store import Store
from medlens.studies.own.adjudicator_item_and_starting_answer import (
    LetteredItem,
    make_starting_answer_for_adjudicator,
)
from medlens.studies.own.blinded_arms import ARMS, ORDER, list_letters_naming_arms
from medlens.studies.own.study import Study
from medlens.studies.own.tasks import Answers
from medlens.ui.answer_form import FieldData, Values
from medlens.ui.own_item_panes_and_questions import (
    STYLE,
    desk_places_in_use,
    draw_panes_of_item,
    questions_as_form_fields,
)
from medlens.ui.own_study_desk_and_results import (
    form_field_values_of_judgment,
    judgment_changes_from_fields,
    list_keyboard_keys_and_what_they_do,
)
from medlens.ui.styles import read_style_sheet

__all__ = [
    "answer_from_field_values",
    "container_beside_answers",
    "draw_item_for_adjudicator",
    "field_value_in_words",
    "field_values_of_answer",
    "list_keyboard_keys_and_what_they_do",
    "make_prefilled_adjudicator_answer",
    "question_fields_for_adjudicator",
    "require_and_return_valid_combined_answer",
]

_STYLE = read_style_sheet("own_settling")
TAKEN_KEYS = "r"
"""The keys of the page around the questions."""


def container_beside_answers(item: str) -> Any:
    """Where an item is drawn beside the answers to it; it stays in sight beside a long form."""
    st.html(_STYLE)
    return st.container(key=f"settle_item.{item}", gap="small")


def draw_item_for_adjudicator(
    study: Study,
    seen: LetteredItem,
    answers: Mapping[str, Answers],
    *,
    item: str,
    sheet: str,
    reading: bool,
) -> None:
    """What raters saw of the item at first, with the marks of their ``answers``, by name. Unless
    only ``reading``, marks can be made for the form about the item ``sheet``.
    """
    st.html(STYLE)
    own = list_letters_naming_arms(len(seen.order))
    shown = seen.masked.body_to_draw
    answers = {name: seen.answer_with_masked_marks(value) for name, value in answers.items()}
    laid = dict(shown)
    if seen.order:
        laid[ARMS] = {one: shown[ARMS][arm] for one, arm in zip(own, seen.order, strict=True)}
    for place in desk_places_in_use(seen.declared):
        draw_panes_of_item(
            *(seen.declared, laid, own, study.attached),
            item=sheet,
            place=place,
            others=answers,
            reading=reading,
            within=f"{item}-",
        )


def question_fields_for_adjudicator(seen: LetteredItem) -> list[FieldData]:
    """The questions as at the desk."""
    return questions_as_form_fields(
        seen.declared, list_letters_naming_arms(len(seen.order)), taken=TAKEN_KEYS
    )


def make_prefilled_adjudicator_answer(seen: LetteredItem, answers: Sequence[Answers]) -> Answers:
    """What an answer can begin with: what all these share, and everyone's marks."""
    return make_starting_answer_for_adjudicator(
        seen.declared.form_with_question_per_arm.questions, answers
    )


def field_values_of_answer(seen: LetteredItem, value: Answers) -> Values:
    """What the fields hold of an answer."""
    own = list_letters_naming_arms(len(seen.order))
    held = form_field_values_of_judgment(
        seen.declared, {**value.model_dump(mode="json"), ORDER: own}
    )
    return seen.masked.page_values_of_fields(held)


def answer_from_field_values(
    store: Store, study: Study, seen: LetteredItem, *, item: str, said: Values
) -> Answers:
    """The answer in these fields, as it is kept.

    Raises:
        InvalidInput: it breaks the study's rules.
    """
    body = {"answers": {}, "spans": [], ORDER: list(seen.order)}
    value = study.task.complete_answer_at_submission(
        study.task.parse(
            judgment_changes_from_fields(study, body, seen.masked.stored_values_of_fields(said))
        )
    )
    return Answers.model_validate(
        consensus.validate_and_return_adjudicator_value(store, study.task, item=item, value=value)
    )


def require_and_return_valid_combined_answer(
    store: Store, study: Study, seen: LetteredItem, *, item: str, value: Answers
) -> Answers:
    """An answer that takes each question from somebody, as it is kept.

    Raises:
        InvalidInput: it breaks a rule that each of theirs keeps, such as two first places.
    """
    kept = seen.answers_with_arm_names(value)
    return Answers.model_validate(
        consensus.validate_and_return_adjudicator_value(store, study.task, item=item, value=kept)
    )


def field_value_in_words(said: str | None) -> str:
    """The value of a field, for a person: of marks and passages the words that are marked."""
    if not (said or "").startswith("[{"):
        return said or "nothing"
    return "; ".join(f"“{one['quote']}”" for one in json.loads(said or ""))
