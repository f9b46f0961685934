"""What people are asked in EBMQA: the validation questionnaire.

Avnat et al. 2024, Methods ("Human validation"): physicians answered 100 numeric questions, first
with "I do not know" as an option, then with a guess wherever they had chosen it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, NonNegativeInt, PositiveInt

from medlens.errors import InvalidInput
from medlens.review import items
from medlens.review.tasks import Body, ByModels, Heard, Task, spell_out
from medlens.store import Store
from medlens.studies.ebmqa.answers import answer_queries
from medlens.studies.ebmqa.records import IDK, QUESTION_KIND, STUDY, positions_in_bit_mask
from medlens.studies.shipped_guidelines import shipped_guidelines, shipped_worked_example

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
    def settled(self) -> bool:
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


def _shown(store: Store, item: str) -> dict[str, str]:
    body = items.item_body(store, item)
    options = "\n".join(f"{n}: {text}" for n, text in enumerate(body["options"], 1))
    return {"Question": body["question"], "Options": options}


def ebmqa_answer_task() -> Task:
    """The task of answering a question of the questionnaire.

    An item's body holds ``question``, ``options`` and ``qa_type``, but not the correct answer.
    """

    def problems(value: Answered, item: Body) -> list[str]:
        found = _misplaced(value, item)
        if value.answer is None:
            found.append("Choose an option, or say that you do not know.")
        return found

    task = Task(
        name=NAME,
        study=STUDY,
        item_kind=QUESTION_KIND,
        requires="options",
        title="Answer the questionnaire",
        question="Which option is right?",
        guidelines=shipped_guidelines(NAME),
        worked_example=shipped_worked_example(NAME),
        value=Answered,
        measures=_measures,
        problems=problems,
        draft_problems=_misplaced,
        flat=_flat,
        unflat=_unflat,
        gold_hit=lambda value, expected: _word(value.answer) == expected["answer"],
        gold_of=lambda value: {"answer": _word(value.answer or value.guess or None)},
        known=known_answer,
        handing_out={"gold_share": 0.0},
        everyone=True,
        shown=_shown,
        by_models=ByModels(
            SaidOfQuestion,
            "Give the number of the option that is right as `answer`, or 0 if you do not know; then"
            " also the number of the one you would guess, as `guess`.",
            _read,
            tokens=80,
        ),
    )

    def asked_of(item: Body) -> Task:
        def worded(column: str, cell: Any) -> str:
            places = [int(one) - 1 for one in str(cell).split("; ") if one.isdecimal()]
            told = [str(item["options"][at]) for at in places if at < len(item["options"])]
            return "; ".join(told) or {IDK_WORD: IDK}.get(cell, spell_out(cell))

        return replace(task, worded=worded, asked_of=None)

    return replace(task, asked_of=asked_of)


def known_answer(store: Store, item: str) -> Body | None:
    """The correct answer to a question, in file form: the numbers of its options."""
    row = answer_queries.question_of_item(store, item)
    return {"answer": _word(positions_in_bit_mask(row["correct"]))} if row else None


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


def _measures(value: Answered) -> Mapping[str, Any]:
    guessed = value.guess or value.answer or None
    return {"answer": _word(value.answer), "guess": _word(guessed)}


def _word(chosen: tuple[int, ...] | None) -> str | None:
    """The option's number as people see it, or "idk"."""
    if chosen is None:
        return None
    return "; ".join(str(place + 1) for place in chosen) or IDK_WORD


def _flat(value: Answered) -> Mapping[str, Any]:
    return {"answer": _word(value.answer), "guess": _word(value.guess or None)}


def _unflat(row: Body) -> Answered:
    return Answered(answer=_chosen(row, "answer"), guess=_chosen(row, "guess"))


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
