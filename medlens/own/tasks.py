"""What raters of an own study are asked: the questions of its file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from pydantic import BaseModel, ConfigDict, NonNegativeInt

from medlens.config.forms import NOT_APPLICABLE, Question, asked, check_answers, check_draft
from medlens.errors import InvalidInput
from medlens.own.declaration import VERSION, Declaration
from medlens.review import items
from medlens.review.tasks import Body, Level, Task
from medlens.store import Store

STUDY = "own"
NAME = "own_questions"
ITEM_KIND = "item"


class Answers(BaseModel):
    """One rater's answers by the questions' ids, to a ``version`` of the study's file.

    A choice is its option's text, several are a list of them, a scale is its number or "not
    applicable"; what is written is a text, and a number once it is one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: NonNegativeInt = 0
    answers: dict[str, int | float | str | list[str]] = {}


def task_of(declared: Declaration) -> Task:
    """The task of answering the questions of a study."""
    form, counted = declared.form, declared.counted

    def given(value: Answers) -> dict[str, Any]:
        return {
            one.id: value.answers[one.id]
            for one in asked(form.questions, value.answers)
            if one.id in value.answers
        }

    def measures(value: Answers) -> Mapping[str, Any]:
        said = given(value)
        found: dict[str, Any] = {}
        for one in counted:
            found |= _measured(one, said.get(one.id))
        return found

    def flat(value: Answers) -> Mapping[str, Any]:
        said = given(value)
        return {VERSION: value.version} | {
            one.id: _cell(said.get(one.id)) for one in form.questions
        }

    def unflat(row: Body) -> Answers:
        said = {one.id: _read(one, row.get(one.id)) for one in form.questions}
        version = str(row.get(VERSION) or "0").removesuffix(".0")
        value = Answers(
            version=int(version) if version.isdigit() else 0,
            answers={name: one for name, one in said.items() if one not in ("", [])},
        )
        if problems := check_answers(form, value.answers):
            raise InvalidInput(" ".join(problems))
        return value

    def gold_of(value: Answers) -> Body:
        expected: dict[str, Any] = {}
        for name, one in measures(value).items():
            if one is not None:
                expected[name] = [one - 1, one + 1] if levels[name] == "ordinal" else one
        return expected

    def gold_hit(value: Answers, expected: Body) -> bool:
        said = measures(value)
        return all(_meets(said.get(name), one) for name, one in expected.items())

    def shown(store: Store, item: str) -> Mapping[str, str]:
        body = items.body_of(store, item)
        return {
            f"{pane.title}: {name}" if len(pane.columns) > 1 else pane.title: str(
                body.get(name, "")
            )
            for pane in declared.panes
            for name in pane.columns
        }

    levels: dict[str, Level] = {}
    for one in counted:
        level: Level = {"scale": "ordinal", "number": "interval"}.get(one.kind, "nominal")  # type: ignore[assignment]
        levels |= dict.fromkeys(_measured(one, None), level)
    return Task(
        name=NAME,
        study=STUDY,
        item_kind=ITEM_KIND,
        title=form.title or "Answer the questions",
        question=form.intro,
        value=Answers,
        measures=measures,
        levels=levels,
        flat=flat,
        unflat=unflat,
        problems=lambda value, item: check_answers(form, value.answers),
        draft_problems=lambda value, item: check_draft(form, value.answers),
        gold_of=gold_of,
        gold_hit=gold_hit,
        word_in="the figures of one answer per item",
        shown=shown,
        handing_out=declared.handing_out,
    )


def _measured(question: Question, answer: Any) -> dict[str, Any]:
    """What is compared between raters, by variable; None where there is no answer."""
    if question.kind == "multiple":
        return {
            f"{question.id}: {one}": None if answer is None else one in answer
            for one in question.options
        }
    if answer == NOT_APPLICABLE and question.kind == "scale":
        return {question.id: None}
    return {question.id: answer}


def _meets(said: Any, expected: Any) -> bool:
    if isinstance(expected, list):
        return said is not None and expected[0] <= said <= expected[1]
    return bool(said == expected)


def _cell(answer: Any) -> Any:
    return "; ".join(answer) if isinstance(answer, list) else answer


def _read(question: Question, cell: Any) -> Any:
    """An answer as it stands in a cell of a file."""
    text = "" if cell is None or pd.isna(cell) else str(cell).strip()
    if question.kind == "multiple":
        return [one for one in text.split("; ") if one]
    return read_answer(question, text)


def read_answer(question: Question, text: str) -> Any:
    """An answer as it was written or chosen: a number where one is meant, and it is one."""
    if question.kind not in ("scale", "number"):
        return text
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if number.is_integer() else number
