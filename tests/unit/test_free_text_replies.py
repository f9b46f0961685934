"""Free texts of every study's models, read as a careful person would read them: as what was meant,
or as nothing that can be read, and never as something else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from medlens.llm.questions_to_models_and_typed_replies import (
    Unreadable,
    parse_reply_as_type_and_say_how,
)
from medlens.llm.split_reasoning_from_answer import split_reasoning_from_answer
from medlens.studies.agentclinic.doctor_message_parsing import (
    Diagnosis,
    RequestImages,
    RequestTest,
    parse_doctor_message,
)
from medlens.studies.agentclinic.prompts import ModeratorVerdict
from medlens.studies.ebmqa.multiple_choice_reply_parsing import parse_reply
from medlens.studies.sourcecheckup.prompts import VerdictShape
from medlens.studies.tagging.option_list_and_chosen_option_parsing import (
    chosen_option_and_rule_in_words,
)
from tests.free_text_replies import (
    CHOICES,
    DOCTOR,
    EXAM,
    EXAMS,
    FIFTH,
    FOURTH,
    MODERATOR,
    SECOND,
    SIGNS,
    SIXTH,
    THIRD,
    VERIFIER,
    Chosen,
    Said,
)


def told_of(kind: str, first: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a kind of model said in all sets."""
    return (*first, *SECOND[kind], *THIRD[kind], *FOURTH[kind], *FIFTH[kind], *SIXTH[kind])


def doctor(text: str) -> str:
    read = parse_doctor_message(text)
    if isinstance(read, Diagnosis):
        return f"dx {read.diagnosis}"
    if isinstance(read, RequestTest):
        return f"test {'|'.join(read.tests)}"
    return "images" if isinstance(read, RequestImages) else "say"


def in_shape(shape: type[BaseModel], field: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        try:
            value, _ = parse_reply_as_type_and_say_how(
                split_reasoning_from_answer(text).answer, shape
            )
        except Unreadable:
            return "unreadable"
        return str(getattr(value, field))

    return read


moderator = in_shape(ModeratorVerdict, "same_disease")
verifier = in_shape(VerdictShape, "verdict")


def exam(text: str) -> str:
    return chosen_option_and_rule_in_words(split_reasoning_from_answer(text).answer, EXAM)[0] or "-"


@pytest.mark.parametrize("said", told_of("doctor", DOCTOR), ids=lambda said: said.text)
def test_a_doctor_is_read_as_meant(said: Said) -> None:
    read = doctor(said.text)
    kind, _, written = said.meant.partition(" ")
    if kind == "dx":
        assert read.casefold() in [f"dx {one}".casefold() for one in written.split("|")]
    else:
        assert read == said.meant


@pytest.mark.parametrize("said", told_of("moderator", MODERATOR), ids=lambda said: said.text)
def test_a_moderator_is_read_as_meant_or_not_at_all(said: Said) -> None:
    assert moderator(said.text) in (*said.meant.split("|"), "unreadable")


@pytest.mark.parametrize("said", told_of("verifier", VERIFIER), ids=lambda said: said.text)
def test_a_verifier_is_read_as_meant_or_not_at_all(said: Said) -> None:
    assert verifier(said.text) in (*said.meant.split("|"), "unreadable")


@pytest.mark.parametrize("said", told_of("choice", CHOICES), ids=lambda said: said.text)
def test_a_choice_is_read_as_meant_or_not_at_all(said: Chosen) -> None:
    reply = parse_reply(said.text, SIGNS, several=said.several)
    places = " ".join(str(place + 1) for place in reply.chosen)
    assert (places or reply.outcome) in (*said.meant.split("|"), "parse_failed")


@pytest.mark.parametrize("said", told_of("exam", EXAMS), ids=lambda said: said.text)
def test_an_exam_answer_is_read_as_meant_or_not_at_all(said: Said) -> None:
    assert exam(said.text) in (said.meant, "-")


def test_most_replies_that_a_person_reads_are_read() -> None:
    sets = (
        (told_of("moderator", MODERATOR), moderator),
        (told_of("verifier", VERIFIER), verifier),
        (told_of("exam", EXAMS), exam),
    )
    meant = [(said, read) for told, read in sets for said in told]
    readable = [(said, read) for said, read in meant if said.meant not in ("unreadable", "-")]
    read_right = [said for said, read in readable if read(said.text) in said.meant.split("|")]
    assert len(read_right) / len(readable) > 0.8
