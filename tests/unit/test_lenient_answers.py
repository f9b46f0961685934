"""Answers that a person reads at a glance: read where they mean one thing, else left."""

from __future__ import annotations

import time
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict

from medlens.llm.questions_to_models_and_typed_replies import (
    Unreadable,
    parse_reply_as_type,
    parse_reply_as_type_and_say_how,
)
from medlens.studies.agentclinic.prompts import (
    ModeratorVerdict,
    ModeratorVerdictOrNone,
    PatientAnswer,
)
from tests.effort import effort

YES = [
    '{"same_disease": "Yes", "reason": "r"}',
    '{"same_disease": true, "reason": "r"}',
    "Yes",
    "Yes.",
    "**Yes**",
    "YES",
    "yes, both names mean the same disease",
    "Answer: yes",
    "same_disease: yes\nreason: same thing",
    '{"answer": {"same_disease": "yes", "reason": "r"}}',
    '{"answer": "yes", "reason": "x"}',
    "{'same_disease': 'yes', 'reason': 'r'}",
    '{"same_disease": "yes", "reason": "r",}',
    '[{"same_disease": "yes", "reason": "r"}]',
    '{"SameDisease": "yes", "reason": "r"}',
    '{"Same Disease": "Yes", "Reason": "r"}',
    '{"same_disease": 1, "reason": "r"}',
    '{"same_disease": "true", "reason": "r"}',
    "<answer>yes</answer>",
    '{same_disease: yes, reason: "r"}',
    "{“same_disease”: “yes”, “reason”: “r”}",
    '{"same_disease": {"value": "yes"}, "reason": "r"}',
    '{"same_disease": "yes"}',
    '{"same_disease": "yes", "reason": "r", "confidence": 0.9}',
    "yes - a synonym",
    "same_disease = yes",
    "Same disease: Yes. Reason: one is an abbreviation.",
    '```json\n{"same_disease": "Yes."}\n```',
    "Yes because it is the abbreviation.",
    "The answer is yes.",
    '{"same_disease": "yes", "reason": null}',
    '{"verdict": "yes", "explanation": "x"}',
    "- same_disease: **yes**\n- reason: abbreviation",
    '"yes"',
    "Same disease: yes",
    '{"result": [{"same_disease": "yes", "reason": "r"}]}',
]

NEITHER = [
    "Yes and no.",
    '{"same_disease": "yes", "reason": "r"} {"same_disease": "no", "reason": "r"}',
    "Yes. Actually no.",
    "No, wait. Yes.",
    "I cannot decide.",
    "maybe",
    '{"same_disease": "maybe", "reason": ""}',
    "same_disease: yes\nsame_disease: no",
    '{"same_disease": "yes", "Same_Disease": "no", "reason": ""}',
    "It depends: yes if chronic.",
    "",
    "No diagnosis was given by the doctor",
    '{"same_disease": "Yes", "reason": "r"}\n{"same_disease": false, "reason": "r"}',
    "Yes or no?",
    '{"same_disease": "Yes", "reason": "r"} I cannot decide.',
    "yes/no",
    '{"same_disease": ["yes", "no"], "reason": ""}',
    "They may be the same disease.",
    "yes - as every doctor knows",
    '{"disease": "gout"}',
]


@pytest.mark.parametrize("text", YES)
def test_whatever_form_a_yes_has_it_is_read(text: str) -> None:
    value = parse_reply_as_type(text, ModeratorVerdict)
    assert isinstance(value, ModeratorVerdict)
    assert value.same_disease == "yes"


def test_each_form_is_read_as_no_where_it_says_no() -> None:
    turned = [
        text.replace("yes, both names mean the same disease", "no, they are different diseases")
        .replace("Yes because it is the abbreviation.", "No because they are different.")
        .replace("yes - a synonym", "no - different diseases")
        .replace("yes", "no")
        .replace("Yes", "No")
        .replace("YES", "NO")
        .replace("true", "false")
        for text in YES
        if ": 1" not in text
    ]
    assert {parse_reply_as_type(text, ModeratorVerdict).same_disease for text in turned} == {"no"}  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", NEITHER)
def test_what_says_both_or_neither_is_not_read(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_reply_as_type(text, ModeratorVerdict)


def test_how_an_answer_was_read_is_said() -> None:
    said = {
        rule: text
        for text in (YES[0], YES[2], YES[8], YES[11], '{"same_disease": "yes", "reason": "r"}')
        for rule in [parse_reply_as_type_and_say_how(text, ModeratorVerdict)[1]]
    }
    assert set(said) == {
        "a JSON object",
        "an object whose form was put right",
        "an object that is not quite JSON",
        "lines of field and value",
        "plain words",
    }


class Support(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    verdict: Literal["supported", "not_supported", "cannot_tell"]
    quote: str


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Not supported.", "not_supported"),
        ("Verdict: Not Supported. Quote: none", "not_supported"),
        ('{"Verdict": "NOT-SUPPORTED", "quote": "x"}', "not_supported"),
        ("Supported, since the page says so.", "supported"),
        ("Supported\n\nThe page says so.", "supported"),
        ("**Not supported**\nThe page does not mention it.", "not_supported"),
        ("The statement is unsupported.", "not_supported"),
        ("Unsupported. The page does not mention it.", "not_supported"),
        ('{"verdict": "unsupported", "quote": ""}', "not_supported"),
        ('{"verdict": "Cannot tell", "quote": ""}', "cannot_tell"),
    ],
)
def test_a_choice_is_read_in_any_case_and_spacing(text: str, verdict: str) -> None:
    assert parse_reply_as_type(text, Support).verdict == verdict  # type: ignore[attr-defined]


def test_a_model_s_own_words_are_no_quote() -> None:
    read = parse_reply_as_type("Supported. The page says so.", Support)
    assert read.quote == ""  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        "Supported? Not supported?",
        "It is supported that rest helps.",
        "Supported\nNot supported",
        "The statement is not unsupported.",
    ],
)
def test_a_choice_that_is_only_mentioned_is_not_read(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_reply_as_type(text, Support)


def test_a_score_out_of_ten_is_a_number() -> None:
    for score in ('"8"', '"8/10"', '"8 out of 10"', "8"):
        value = parse_reply_as_type(f'{{"score": {score}, "reason": "kind"}}', PatientAnswer)
        assert value.score == 8  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text", ["{" * 20_000, "a: " * 10_000, "yes " * 5_000, '{"a":' * 5_000, "# " * 10_000]
)
def test_a_text_made_to_be_slow_is_given_up_in_a_moment(text: str) -> None:
    def read() -> None:
        with pytest.raises(Unreadable):
            parse_reply_as_type(text, ModeratorVerdict)

    assert effort(read) < 500


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"same_disease": "no_diagnosis", "reason": "yes, more tests"}', "no_diagnosis"),
        ('{"same_disease": "No diagnosis", "reason": ""}', "no_diagnosis"),
        ("No diagnosis.", "no_diagnosis"),
        ("same_disease: no_diagnosis", "no_diagnosis"),
        ("No. One is viral, the other is bacterial.", "no"),
        ('{"same_disease": "no", "reason": "No diagnosis of gout was made."}', "no"),
    ],
)
def test_no_diagnosis_and_no_are_two_answers(text: str, answer: str) -> None:
    value = parse_reply_as_type(text, ModeratorVerdictOrNone)
    assert isinstance(value, ModeratorVerdictOrNone)
    assert value.same_disease == answer


@pytest.mark.parametrize("text", ["No. No diagnosis was named.", "No, there is no diagnosis here"])
def test_a_no_that_goes_on_to_no_diagnosis_is_left_to_the_repair(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_reply_as_type(text, ModeratorVerdictOrNone)


def test_another_option_in_words_behind_an_object_is_not_overlooked() -> None:
    given = '{"verdict": "supported", "quote": ""}'
    assert parse_reply_as_type(f"{given}\nFinal answer: supported", Support).verdict == "supported"  # type: ignore[attr-defined]
    with pytest.raises(Unreadable):
        parse_reply_as_type(f"{given}\nFinal answer: not supported", Support)


@pytest.mark.parametrize(
    "text",
    [
        "Yes, unless the first is chronic.",
        "Yes, but only partly.",
        "Yes, they are different.",
        "No, they are the same.",
        "Yes, if MI is meant.",
        "Yes, provided that MI means infarction.",
        "Ja, aber no.",
    ],
)
def test_a_plain_answer_under_a_condition_or_against_its_reason_is_not_read(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_reply_as_type(text, ModeratorVerdict)


@pytest.mark.parametrize(
    "text",
    [
        "yes\n\nBoth names mean the same disease.",
        '{"same_diagnosis": "yes"}',
        '{"sameCondition": "yes", "reason": "r"}',
    ],
)
def test_a_line_of_its_own_and_a_near_name_are_read(text: str) -> None:
    assert parse_reply_as_type(text, ModeratorVerdict).same_disease == "yes"  # type: ignore[attr-defined]


def test_a_reply_of_empty_lines_to_its_limit_keeps_nothing_busy_and_is_read() -> None:
    blank = "\n" * 19_000
    begun = time.process_time()
    for at in range(6):
        with pytest.raises(Unreadable):
            parse_reply_as_type(f"same_disease {at}{blank}}}", ModeratorVerdict)
    read = parse_reply_as_type(f"same_disease: yes{blank}reason: gout", ModeratorVerdict)
    assert time.process_time() - begun < 3
    assert read.same_disease == "yes"
