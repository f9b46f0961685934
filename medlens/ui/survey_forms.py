"""Forms from files, drawn and saved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from medlens.config.question_forms_and_answer_checks import (
    EVIDENCE,
    LONG_TEXT_LENGTH,
    LONGEST_REWRITTEN,
    NO_PASSAGE,
    NOT_APPLICABLE,
    REWRITE,
    SHORT_TEXT_LENGTH,
    UNCHANGED,
    Form,
    Question,
    list_reasons_against_submission,
    load_form,
)
from medlens.errors import InvalidInput
from medlens.review import survey_answers_and_completion_code
from medlens.ui.answer_form import FieldData, OptionData, options_chosen_in_field_value
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import Here, escape_markdown


def read_forms_of_folder(folder: Path) -> list[Form]:
    """The forms in a folder by file name, feedback before background as in the study."""
    files = sorted(folder.glob("*.toml"), key=lambda path: (path.stem != "feedback", path.stem))
    return [_form(path, path.stat().st_mtime_ns) for path in files]


@lru_cache(maxsize=32)
def _form(path: Path, _changed: int) -> Form:
    return load_form(path)


def draw_participant_form(here: Here, form: Form, given: Mapping[str, Any] | None) -> None:
    """One form, collapsed once it is answered; answering again makes a new revision.

    Entries are kept as a draft until saved, across reloads and in other browsers too.
    """
    done = given is not None

    def send(entered: Entries) -> None:
        answers = field_values_as_answers(form, entered)
        if problems := list_reasons_against_submission(form, answers):
            raise InvalidInput("\n".join(problems))
        survey_answers_and_completion_code.save_survey_answers(
            here.store, form=form.id, rater=here.person.id, answers=answers
        )

    icon = ":material/check_circle:" if done else ":material/edit_note:"
    with st.expander(f"{escape_markdown(form.title)}", expanded=not done, icon=icon):
        if form.intro:
            st.markdown(escape_markdown(form.intro))
        sheet = form_sheet_of_session(
            here.store,
            here.person,
            f"form.{form.id}",
            form.id,
            send=send,
            given=answers_as_field_values(form, given or {}),
            anew=True,
        )
        draw_form_sheet(
            sheet,
            [question_as_field(question) for question in form.questions],
            submit="Save again" if done else "Save",
        )


def question_as_field(question: Question) -> FieldData:
    """A question as a form field."""
    label = question.text + (f" ({question.unit})" if question.unit else "")
    found: FieldData = {
        "id": question.id,
        "kind": "text",
        "label": label + ("" if question.required else " (optional)"),
        "hint": question.help,
    }
    if question.required and question.kind != "multiple":
        found["needed"] = True
    if question.part:
        found["head"] = question.part
    if question.only_if:
        found["when"] = question.only_if
    if question.rubric:
        found["prose"] = True
    if question.shown_options:
        found["kind"] = "several" if question.kind == "multiple" else "choice"
        found["options"] = [
            OptionData(value=one, name=_name(one)) for one in question.shown_options
        ]
        if question.kind == "scale":
            # Always visible: a phone has no pointer to hover over a help icon.
            low, high = question.points_of_scale[0], question.points_of_scale[-1]
            ends = f"{low}: {question.low}. {high}: {question.high}."
            ends += f" {_NA}: {NOT_APPLICABLE}." if question.not_applicable else ""
            found["hint"] = f"{question.help} {ends}".strip()
    elif question.kind == REWRITE:
        found["lines"], found["longest"] = 12, LONGEST_REWRITTEN
        found["original"], found["same"] = question.original, UNCHANGED
    elif question.kind == EVIDENCE:
        found["kind"] = "passages"
        found["source"], found["same"] = question.column, NO_PASSAGE
    elif question.kind == "long_text":
        found["lines"], found["longest"] = 4, LONG_TEXT_LENGTH
    else:
        found["longest"] = SHORT_TEXT_LENGTH
    return found


_NA = "NA"


def _name(choice: str) -> str:
    # As short as the points in the same row.
    return _NA if choice == NOT_APPLICABLE else choice


def answers_as_field_values(form: Form, given: Mapping[str, Any]) -> Entries:
    """Answers as field values."""
    found: dict[str, str | None] = {}
    for question in form.questions:
        answer = given.get(question.id)
        if question.kind == "multiple" and answer:
            # An option that the form has no longer could be neither seen nor taken off.
            found[question.id] = json.dumps(
                [one for one in answer if one in question.shown_options]
            )
        elif answer is not None and answer != []:
            found[question.id] = str(answer)
    return found


def field_values_as_answers(form: Form, entered: Entries) -> dict[str, Any]:
    """Field values as answers, without empty ones."""
    found: dict[str, Any] = {}
    for question in form.questions:
        said = entered.get(question.id)
        if question.kind == "multiple":
            found[question.id] = options_chosen_in_field_value(said)
        elif question.kind in ("scale", "number") and said:
            found[question.id] = _number(said.strip())
        else:
            found[question.id] = said
    return {name: one for name, one in found.items() if one not in (None, "", [])}


def _number(said: str) -> float | str:
    """The number entered; otherwise the text, which the form's check rejects."""
    try:
        number = float(said)
    except ValueError:
        return said
    return int(number) if number.is_integer() else number
