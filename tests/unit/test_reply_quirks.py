"""Replies in odd forms, read from the endpoint's body by what each study reads them with: what was
meant, or nothing, and never what was only thought."""

from __future__ import annotations

import json
from typing import Any

import pytest

from medlens.config.settings import Model
from medlens.llm.answers_retracted_by_model import is_answer_withdrawn
from medlens.llm.client import Reply, parse_chat_completion
from medlens.llm.model_request_messages_and_hash import make_user_message, prepare_request
from medlens.llm.questions_to_models_and_typed_replies import (
    Unreadable,
    parse_reply_as_type_and_say_how,
)
from medlens.studies.agentclinic.doctor_message_parsing import (
    Diagnosis,
    RequestTest,
    Say,
    parse_doctor_message,
)
from medlens.studies.agentclinic.prompts import ModeratorVerdict
from medlens.studies.ebmqa.multiple_choice_reply_parsing import (
    finished_part_of_cut_reply,
    parse_reply,
)
from medlens.studies.tagging.option_list_and_chosen_option_parsing import (
    chosen_option_and_rule_in_words,
)

OPTIONS = {"A": "Aspirin", "B": "Heparin", "C": "Warfarin"}
SAME, DIFFER = (
    json.dumps({"same_disease": verdict, "reason": "r"}, separators=(",", ":"))
    for verdict in ("yes", "no")
)


def reply(content: Any, **message: Any) -> Reply:
    request = prepare_request(
        "m",
        Model(base_url="http://127.0.0.1:1/v1", model="m"),
        [make_user_message("q")],
        parameters={},
    )
    choice = {"message": {"content": content, **message}, "finish_reason": "stop"}
    return parse_chat_completion({"choices": [choice]}, request, key="", seconds=0.1)


def verdict(content: Any) -> str:
    try:
        value, _ = parse_reply_as_type_and_say_how(reply(content).text, ModeratorVerdict)
    except Unreadable:
        return "unreadable"
    assert isinstance(value, ModeratorVerdict)
    return value.same_disease


@pytest.mark.parametrize(
    ("content", "meant"),
    [
        (f"<deliberation>So both are gout: {SAME}</deliberation>\n{DIFFER}", "no"),
        (f"<details>Both are gout, I think: {SAME}</details>\n{DIFFER}", "no"),
        (
            f"<inner_monologue>Both are gout: {SAME}</inner_monologue><answer>{DIFFER}</answer>",
            "no",
        ),
        ([{"type": "text", "text": DIFFER[:9]}, {"type": "text", "text": DIFFER[9:]}], "no"),
        (DIFFER + "\n\nLet me know if you need more {:-)}", "no"),
        (json.dumps(SAME), "yes"),
        ("Ja, beide meinen dieselbe Krankheit.", "yes"),
        ("Nein.", "no"),
        (json.dumps({"output": DIFFER}), "no"),
        ("They refer to the same condition.", "yes"),
        ("They do not mean the same thing.", "unreadable"),
        ("They are the same disease, just named differently.", "yes"),
        ("They are the same disease under different names.", "yes"),
        ("They are not the same disease, just named differently.", "unreadable"),
        ("Sí.", "yes"),
        ("Não, são doenças diferentes.", "no"),
        ('{"same_disease":"ja","reason":"gleich"}', "yes"),
        ("<same_disease>no</same_disease><reason>r</reason>", "no"),
        ("<same_disease>no</same_disease><same_disease>yes</same_disease>", "unreadable"),
        ('{"same_disease":"yes","same_disease":"no","reason":"r"}', "unreadable"),
        (f"[{SAME},{DIFFER}]", "unreadable"),
        (f"[{SAME},{DIFFER[:12]}", "unreadable"),
        ("Ja und nein.", "unreadable"),
        ("Ja. Nein, doch nicht.", "unreadable"),
    ],
)
def test_a_verdict_is_what_was_meant_or_not_read(content: Any, meant: str) -> None:
    assert verdict(content) == meant


@pytest.mark.parametrize(
    "turn",
    [
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<start_of_turn>model\n",
        "<|start_of_role|>assistant<|end_of_role|>",
        "<|im_start|>assistant\n",
        "<｜Assistant｜>",
        "<s>",
    ],
)
def test_the_mark_of_whose_turn_it_is_is_no_part_of_an_answer(turn: str) -> None:
    assert reply(f"{turn}3").text == "3"
    assert reply(f"{turn}{DIFFER}<|eot_id|>").text == DIFFER
    assert reply(f"Write {turn} first").text == f"Write {turn} first"


def test_marks_of_a_template_at_the_ends_are_no_part_of_an_answer() -> None:
    for text in ("3[|endofturn|]", "<|begin_of_box|>3<|end_of_box|>", "3<｜tool▁calls▁end｜>"):
        assert reply(text).text == "3"
    parted = "<|deliberate|>Perhaps 2.<|/deliberate|>3"
    assert reply(parted).text == parted


@pytest.mark.parametrize(
    ("text", "withdrawn"),
    [
        ("The answer is 3.\n\nOn reflection I cannot decide and withdraw the above.", True),
        ("The correct answer is C. Please disregard my answer.", True),
        ("3. I retract that.", True),
        ("1. Please ignore the above. The answer is 3.", False),
        ("I cannot decide between 1 and 3, so I choose 3.", False),
        ("I first wanted to ignore the fever. The answer is 3.", False),
        ("The answer is 3. Do not ignore the fever.", False),
    ],
)
def test_an_answer_that_is_taken_back_at_the_end_is_none(text: str, withdrawn: bool) -> None:
    assert is_answer_withdrawn(text) is withdrawn


def test_an_answer_is_read_where_another_api_would_have_it() -> None:
    parts = [{"type": "text", "text": {"value": DIFFER, "annotations": []}}]
    assert reply(parts).text == DIFFER
    request = prepare_request(
        "m",
        Model(base_url="http://127.0.0.1:1/v1", model="m"),
        [make_user_message("q")],
        parameters={},
    )
    choice = {"delta": {"role": "assistant", "content": DIFFER}, "finish_reason": "stop"}
    assert parse_chat_completion({"choices": [choice]}, request, key="", seconds=0.1).text == DIFFER


def test_text_in_tags_that_hold_an_answer_is_no_thought() -> None:
    for text in (
        "<p>The pain began on Monday, in the toe.</p> Where is it now?",
        "<verdict>They are not the same disease.</verdict> Thanks.",
        "<aside>short</aside> and so on",
        "<b>The pain began on Monday</b>",
    ):
        assert reply(text).text == text
        assert reply(text).reasoning == ""


def test_a_reply_that_only_calls_a_tool_says_so_and_is_no_answer() -> None:
    call = {"type": "function", "function": {"name": "search", "arguments": DIFFER}}
    for message in ({"tool_calls": [call]}, {"function_call": call["function"]}):
        only = reply(None, **message)
        assert (only.outcome, only.text, only.finish_reason) == ("empty", "", "tool_calls")
        assert only.reasoning == f"It called a tool instead of answering: search({DIFFER})"
    beside = reply(SAME, tool_calls=[call])
    assert (beside.outcome, beside.text, beside.reasoning) == ("ok", SAME, "")


@pytest.mark.parametrize(
    ("text", "chosen", "rule"),
    [
        ("The correct answer is B: Heparin", "B", "a plain sentence that gives the answer"),
        ("Die richtige Antwort ist B: Heparin.", "B", "a plain sentence that gives the answer"),
        ("La respuesta correcta es B: Heparin.", "B", "a plain sentence that gives the answer"),
        ("Die richtige Antwort ist nicht B: Heparin.", None, "no sentence that gives one answer"),
        (r"So \boxed{\text{B}}", "B", "a plain sentence that gives the answer"),
        (
            "The correct answer is B: Heparin. But I withdraw this.",
            None,
            "an answer that it takes back",
        ),
        ("The right choice is B.", "B", "what it calls the answer"),
        ("It's B.", "B", "the option and nothing else"),
        ("Not A; the best choice is B.", "B", "what it calls the answer"),
        ("I'd go with heparin.", "B", "what it calls the answer"),
        ("I would not choose heparin.", None, "no sentence that gives one answer"),
        ("Correct answer - B) Heparin", "B", "the option and nothing else"),
        (
            "I first thought the correct answer is A: Aspirin, but in the end none fits.",
            None,
            "no sentence that gives one answer",
        ),
        (
            "I first thought the correct answer is A: Aspirin. The correct answer is B: Heparin.",
            "B",
            "what it calls the answer",
        ),
        (
            "The correct answer is A: Aspirin. So the correct answer is B: Heparin.",
            None,
            "sentences that give different answers",
        ),
        (
            "<cot>The correct answer is A: Aspirin. Wait.</cot>The correct answer is B: Heparin.",
            "B",
            "a plain sentence that gives the answer",
        ),
    ],
)
def test_an_exam_answer_is_what_is_stated_and_by_which_rule(
    text: str, chosen: str | None, rule: str
) -> None:
    assert chosen_option_and_rule_in_words(reply(text).text, OPTIONS) == (chosen, rule)


@pytest.mark.parametrize(
    ("text", "several", "chosen"),
    [
        ("two", False, (1,)),
        ("zwei.", False, (1,)),
        ('{"answer": "two"}', False, (1,)),
        ("one and three", True, (0, 2)),
        ('{"answer": 2, "answer": 2}', False, (1,)),
        ('{"answer": 1, "answer": 2}', False, ()),
        ("<cot>At first 1. The answer is 1.</cot>\n2", False, (1,)),
        ("[1, 2]", True, (0, 1)),
        ("[1, 2", True, ()),
        ('{"answers": [1, 2', True, ()),
        ("Aspirin: ja\nHeparin: ja\nWarfarin: nein", True, (0, 1)),
        ("Aspirin: sí\nHeparin: no\nWarfarin: no", True, (0,)),
    ],
)
def test_a_choice_is_what_was_meant_or_not_read(
    text: str, several: bool, chosen: tuple[int, ...]
) -> None:
    read = parse_reply(reply(text).text, list(OPTIONS.values()), several=several)
    assert read.chosen == chosen
    assert read.outcome == ("answered" if chosen else "parse_failed")


@pytest.mark.parametrize(
    ("text", "several", "ended"),
    [
        ("1", False, ""),
        ("The answer is 1", False, ""),
        ("The answer is 2. It is the only drug that", False, "The answer is 2."),
        ("1,", True, ""),
        ("1. Aspirin\n2. Hep", True, ""),
        ("- Aspirin\n- Heparin\n", True, ""),
        ("1, 2\n\nBoth of them thin the bl", True, "1, 2\n"),
        ("Answer: 1 and 2. Both of them thin the bl", True, ""),
    ],
)
def test_of_a_reply_that_was_cut_only_what_had_ended_counts(
    text: str, several: bool, ended: str
) -> None:
    assert finished_part_of_cut_reply(text, several=several) == ended


def test_a_number_in_words_is_no_answer_where_options_are_numbers_in_words() -> None:
    assert parse_reply("two", ["one", "two or three"]).outcome == "parse_failed"


def test_a_doctor_is_taken_at_what_is_done_and_not_at_what_could_be() -> None:
    def read(text: str) -> Any:
        return parse_doctor_message(reply(text).text)

    draft = "<cot>DIAGNOSIS READY: Lupus? Not yet sure.</cot>"
    for text in (
        draft + "DIAGNOSIS READY: **Gout**",
        "**DIAGNOSIS READY**\n\n**Gout**\n\n*Why:* tophi",
    ):
        found = read(text)
        assert isinstance(found, Diagnosis)
        assert found.diagnosis == "Gout"
    for text in (
        draft + "How long has it hurt?",
        "I could say DIAGNOSIS READY: Gout now, but I will ask first. How long has it hurt?",
        "DIAGNOSIS READY: keine Diagnose möglich",
        "DIAGNOSIS READY: sin diagnóstico por ahora",
    ):
        assert isinstance(read(text), Say), text
    tests = read('REQUEST TEST: ["CBC", "Uric acid"]')
    assert isinstance(tests, RequestTest)
    assert tests.tests == ("CBC", "Uric acid")
