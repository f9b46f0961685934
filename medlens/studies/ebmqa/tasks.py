"""What people are asked in EBMQA: the validation questionnaire.

Avnat et al. 2024, Methods ("Human validation"): physicians answered 100 numeric questions, first
with "I do not know" as an option, then with a guess wherever they had chosen it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict, NonNegativeInt, PositiveInt

from medlens.errors import InvalidInput
from medlens.review import items
from medlens.review.tasks import Body, ByModels, Heard, Task, answer_in_readable_form
from medlens.store import Store
from medlens.studies.ebmqa.answers import answer_and_questionnaire_queries
from medlens.studies.ebmqa.records import IDK, QUESTION_KIND, STUDY, positions_in_bit_mask
from medlens.studies.shipped_guidelines_and_worked_examples import (
    shipped_guideline_versions,
    shipped_worked_example_text,
)

NAME = "ebmqa_answer"
IDK_WORD = "idk"


class Answered(BaseModel):
    """One person's answer to a question.

    Positions in the stored options, from 0. ``answer`` is None while open, empty for "I do not
    know"; ``guess`` is what was chosen in the second round instead.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer: tuple[NonNegativeInt, ...] | None = None
    guess: tuple[NonNegativeInt, ...] | None = None

    @property
    def is_answered(self) -> bool:
        """Whether it is answered, or guessed if unknown."""
        return bool(self.answer or self.guess)


class SaidOfQuestion(BaseModel):
    """A model's answer: numbers of options, from 1; ``answer`` 0 is "I do not know"."""

    model_config = ConfigDict(frozen=True)

    reason: str
    answer: NonNegativeInt
    guess: PositiveInt | None = None


def _read(said: SaidOfQuestion, _: Body) -> Heard:
    if said.answer:
        return Heard(Answered(answer=(said.answer - 1,)), said.reason)
    guess = (said.guess - 1,) if said.guess else None
    return Heard(Answered(answer=(), guess=guess), said.reason)


_BY_MODELS = ByModels(
    SaidOfQuestion,
    "Give the number of the option that is right as `answer`, or 0 if you do not know; then"
    " also the number of the one you would guess, as `guess`.",
    _read,
    tokens=80,
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class QuestionnaireTask(Task):
    """The task of answering a question of the questionnaire.

    An item's body holds ``question``, ``options`` and ``qa_type``, but not the correct answer.
    ``options`` are those of the item that it is asked of; empty: of any.
    """

    options: tuple[str, ...] = ()
    name: str = NAME
    study: str = STUDY
    item_kind: str = QUESTION_KIND
    requires: str = "options"
    title: str = "Answer the questionnaire"
    question: str = "Which option is right?"
    guidelines: Sequence[str] = field(default_factory=lambda: shipped_guideline_versions(NAME))
    worked_example: str = field(default_factory=lambda: shipped_worked_example_text(NAME))
    value: type[BaseModel] = Answered
    handing_out: Mapping[str, Any] = field(default_factory=lambda: {"gold_share": 0.0})
    everyone: bool = True
    hidden_anew: bool = True

    def values_compared_for_agreement(self, value: Answered) -> Mapping[str, Any]:
        """The first answer, and the one with the guess for what was not known."""
        guessed = value.guess or value.answer or None
        return {"answer": _word(value.answer), "guess": _word(guessed)}

    def problems_of_answer(self, value: Answered, item: Body) -> list[str]:
        """No answer yet, or one that the item does not have."""
        faults = _misplaced(value, item)
        if value.answer is None:
            faults.append("Choose an option, or say that you do not know.")
        return faults

    def problems_of_draft(self, value: Answered, item: Body) -> list[str]:
        """An answer that the item does not have."""
        return _misplaced(value, item)

    def answer_as_columns(self, value: Answered) -> Mapping[str, Any]:
        """Answer and guess as the options' numbers, from 1."""
        return {"answer": _word(value.answer), "guess": _word(value.guess or None)}

    def answer_from_columns(self, row: Body) -> Answered:
        """The options of these numbers."""
        return Answered(answer=_chosen(row, "answer"), guess=_chosen(row, "guess"))

    def does_answer_match_gold(self, value: Answered, expected: Body) -> bool:
        """Whether the first answer is the right one."""
        return bool(_word(value.answer) == expected["answer"])

    def make_gold_from_answer(self, value: Answered) -> Body:
        """The answer or the guess."""
        return {"answer": _word(value.answer or value.guess or None)}

    def read_gold_from_data(self, store: Store, item: str) -> Body | None:
        """The correct answer to a question, in file form: the numbers of its options."""
        row = answer_and_questionnaire_queries.find_question_of_questionnaire_item(store, item)
        return {"answer": _word(positions_in_bit_mask(row["correct"]))} if row else None

    def load_texts_by_heading_of_item(self, store: Store, item: str) -> dict[str, str]:
        """The question and its options."""
        body = items.item_body(store, item)
        options = "\n".join(f"{n}: {text}" for n, text in enumerate(body["options"], 1))
        return {"Question": body["question"], "Options": options}

    def task_as_asked_of_item(self, body: Body) -> QuestionnaireTask:
        """The task that knows the item's options."""
        return replace(self, options=tuple(map(str, body.get("options", ()))))

    def cell_of_answer_in_words(self, column: str, cell: Any) -> str:
        """The options of these numbers in words, if the item is known."""
        if not self.options:
            return answer_in_readable_form(cell)
        places = [int(number) - 1 for number in str(cell).split("; ") if number.isdecimal()]
        told = [self.options[at] for at in places if at < len(self.options)]
        return "; ".join(told) or {IDK_WORD: IDK}.get(cell, answer_in_readable_form(cell))

    @cached_property
    def model_answering_setup(self) -> ByModels:
        """Models give numbers of options."""
        return _BY_MODELS


def _misplaced(value: Answered, item: Body) -> list[str]:
    count = len(item["options"])
    places = (*(value.answer or ()), *(value.guess or ()))
    if any(place >= count for place in places):
        return [f"There are only {count} options."]
    if any(len(chosen or ()) > 1 for chosen in (value.answer, value.guess)):
        return ["Choose one option only."]
    if value.guess and value.answer:
        return ["A guess is for a question that was answered with “I do not know”."]
    return []


def _word(chosen: tuple[int, ...] | None) -> str | None:
    """The option's number as people see it, or "idk"."""
    if chosen is None:
        return None
    return "; ".join(str(place + 1) for place in chosen) or IDK_WORD


def _chosen(row: Body, column: str) -> tuple[int, ...] | None:
    text = str(row.get(column) if row.get(column) is not None else "").strip().casefold()
    if not text:
        return None
    if text == IDK_WORD:
        return ()
    # Spreadsheets, and pandas if cells are empty, write 2 as 2.0.
    if not re.fullmatch(r"[1-9]\d?(?:\.0)?", text):
        raise InvalidInput(f"{column}: the number of an option or {IDK_WORD}, got {text[:40]!r}")
    return (int(text.removesuffix(".0")) - 1,)
