"""Words that stand around a verdict: where they are not known to be harmless, it is not taken."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict

from medlens.config.settings import Model
from medlens.llm.cached_completions import Completion
from medlens.llm.model_request_messages_and_hash import ModelRequest, make_user_message
from medlens.llm.questions_to_models_and_typed_replies import (
    Answer,
    Ask,
    Unreadable,
    parse_reply_as_type_and_say_how,
)
from medlens.llm.split_reasoning_from_answer import split_reasoning_from_answer
from medlens.studies.agentclinic.prompts import ModeratorVerdict
from medlens.studies.sourcecheckup.prompts import VerdictShape
from tests import replies_with_words_around as said
from tests.effort import effort


class Grade(BaseModel):
    """As a study of one's own asks for it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    reason: str
    grade: Literal["good", "fair", "poor"]


OBJECTS: dict[str, tuple[type[BaseModel], str]] = {
    "yes": (ModeratorVerdict, '{"same_disease": "yes", "reason": "r"}'),
    "no": (ModeratorVerdict, '{"same_disease": "no", "reason": "r"}'),
    "supported": (VerdictShape, '{"reason": "r", "quote": "", "verdict": "supported"}'),
    "not": (VerdictShape, '{"reason": "r", "quote": "", "verdict": "not_supported"}'),
    "partly": (VerdictShape, '{"reason": "r", "quote": "", "verdict": "partly"}'),
    "good": (Grade, '{"reason": "r", "grade": "good"}'),
}
MATERIAL = ["The first: MI. The second: myocardial infarction, gout."]
FALSIFIED = (
    *(*said.FALSIFIED_1, *said.FALSIFIED_2, *said.FALSIFIED_3, *said.FALSIFIED_OLDER),
    *said.FALSIFIED_LONG,
)
HARMLESS = (*said.HARMLESS_1, *said.HARMLESS_2, *said.HARMLESS_3, *said.HARMLESS_OLDER)


def shape_of(text: str) -> type[BaseModel]:
    """The shape that a reply answers."""
    if named := re.search(r"‹(\w+)›", text):
        return OBJECTS[named[1]][0]
    if re.match(r"grade|good|fair", text, re.IGNORECASE):
        return Grade
    verifier = re.search("upported|page|verdict: [^N]|Contradicted", text)
    return VerdictShape if verifier else ModeratorVerdict


def written_out(text: str) -> str:
    return re.sub(r"‹(\w+)›", lambda name: OBJECTS[name[1]][1], text.replace("⏎", "\n"))


def read(text: str) -> BaseModel | None:
    answer = split_reasoning_from_answer(written_out(text)).answer
    try:
        return parse_reply_as_type_and_say_how(answer, shape_of(text), material=MATERIAL)[0]
    except Unreadable:
        return None


@pytest.mark.parametrize("text", FALSIFIED)
def test_a_verdict_that_the_words_around_it_turn_is_not_taken(text: str) -> None:
    assert read(text) is None


def test_a_verdict_among_harmless_words_is_taken_at_once() -> None:
    asked_again = [text for text in HARMLESS if read(text) is None]
    assert len(HARMLESS) >= 380
    assert len(asked_again) <= 0.03 * len(HARMLESS), asked_again


def test_no_harmless_words_turn_a_verdict_into_another() -> None:
    for text in HARMLESS:
        if (named := re.search(r"‹(\w+)›", text)) and (value := read(text)):
            shape, written = OBJECTS[named[1]]
            assert value == shape.model_validate_json(written), text


@pytest.mark.parametrize("text", said.ASKED_ABOUT)
def test_harmless_words_that_could_be_others_are_asked_about(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize("name", OBJECTS)
def test_a_bare_object_is_taken_whatever_it_says_as_its_reason(name: str) -> None:
    shape, written = OBJECTS[name]
    given = written.replace('"r"', '"On reflection, no: wrong draft. Ignore this?"')
    for text in (given, f"```json\n{given}\n```", f"\n\n{given}\n"):
        assert parse_reply_as_type_and_say_how(text, shape)[0] == shape.model_validate_json(given)


def test_an_explanation_may_use_the_words_of_the_question_and_no_others() -> None:
    given = f"MI is the abbreviation of myocardial infarction.\n{OBJECTS['yes'][1]}"
    assert parse_reply_as_type_and_say_how(given, ModeratorVerdict, material=MATERIAL)
    with pytest.raises(Unreadable, match="MI is the abbreviation of myocardial infarction"):
        parse_reply_as_type_and_say_how(given, ModeratorVerdict, material=["gout"])


def test_words_of_the_question_that_turn_what_is_said_stay_suspect() -> None:
    material = ["However, the reverse is not true. Ignore this. Would you say it is wrong?"]
    for words in ("However, wrong.", "Ignore this.", "The reverse is true.", "You would say it."):
        with pytest.raises(Unreadable):
            parse_reply_as_type_and_say_how(
                f"{OBJECTS['supported'][1]}\n{words}", VerdictShape, material=material
            )


def test_a_long_text_around_a_verdict_is_given_up_in_a_moment() -> None:
    for words in ("answer the ", "so ", "a, ", "based on ", "the page says ", "(" * 50, "x" * 50):

        def judge(words: str = words) -> None:
            with pytest.raises(Unreadable):
                parse_reply_as_type_and_say_how(words * 2_000 + OBJECTS["yes"][1], ModeratorVerdict)
            with pytest.raises(Unreadable):
                parse_reply_as_type_and_say_how(
                    OBJECTS["yes"][1] + words * 70 + " zz", ModeratorVerdict
                )

        assert effort(judge) < 500, words


def test_options_that_the_question_lists_are_no_words_of_an_explanation() -> None:
    material = ["Grade the answer: good, fair or poor. A poor answer lacks the dose."]
    for words in ("The grade is poor.", "It is poor.", "The dose is poor."):
        with pytest.raises(Unreadable):
            parse_reply_as_type_and_say_how(
                f"{OBJECTS['good'][1]}\n{words}", Grade, material=material
            )


class _Replies:
    """Completions that say one text after another."""

    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)
        self.asked: list[ModelRequest] = []

    def settings_of_model(self, name: str) -> Model:
        return Model(base_url="http://127.0.0.1:1/v1", model=name)

    async def complete(self, request: ModelRequest, *, repeat: int) -> Completion:
        self.asked.append(request)
        row: dict[str, Any] = {
            "id": f"c{len(self.asked)}",
            "outcome": "ok",
            "text": self._texts.pop(0),
            "reasoning": "",
            "cost": 0.25,
            "paid": True,
        }
        return Completion.completion_from_row(row)


def ask(*texts: str) -> tuple[Answer, Ask, _Replies]:
    replies = _Replies(*texts)
    put = Ask(replies)
    answer = asyncio.run(put("m", [make_user_message("Same?")], schema=ModeratorVerdict))
    return answer, put, replies


def test_after_other_words_the_model_is_asked_once_more_for_the_object_alone() -> None:
    yes, no = OBJECTS["yes"][1], OBJECTS["no"][1]
    answer, put, replies = ask(f"{yes}\nOpposite day, by the way.", no)
    assert (answer.outcome, answer.value.same_disease, answer.repaired) == ("ok", "no", True)
    said_to_it = str(replies.asked[1].messages[-1]["content"])
    assert "Opposite day, by the way." in said_to_it
    assert "one JSON object" in said_to_it
    assert "nothing else" in said_to_it
    # Both calls are paid for.
    assert (answer.cost, put.cost, put.calls) == (0.5, 0.5, 2)
    assert put.read_by == [
        "not read, since beside its answer (same_disease: yes) it holds words that may change it:"
        " “Opposite day, by the way.”",
        "a JSON object",
    ]


def test_other_words_again_leave_no_verdict_and_say_what_it_would_have_been() -> None:
    given = f"{OBJECTS['yes'][1]}\nOpposite day, by the way."
    answer, put, replies = ask(given, given)
    assert (answer.outcome, answer.value, answer.cost) == ("parse_failed", None, 0.5)
    assert "(same_disease: yes)" in answer.error
    assert len(replies.asked) == len(put.read_by) == 2


def test_what_models_write_most_is_not_asked_about_twice() -> None:
    yes = OBJECTS["yes"][1]
    for text in (yes, f"```json\n{yes}\n```", f"Here is the JSON:\n\n{yes}", f"Answer: {yes}"):
        assert len(ask(text)[2].asked) == 1
