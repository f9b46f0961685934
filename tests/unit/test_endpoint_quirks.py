"""What endpoints really send, read as a careful person would: a verdict as it was meant or none,
an error for what it is. The same are played against whole runs in
``tests/store/test_endpoint_quirks_in_runs.py``.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from medlens.config.settings import Model
from medlens.llm.client import BrokenOff, parse_chat_completion
from medlens.llm.endpoint_faults import RETRIED, Fault, fault_from_status
from medlens.llm.model_request_messages_and_hash import make_user_message
from medlens.llm.questions_to_models_and_typed_replies import (
    Unreadable,
    make_first_request_of_question,
    parse_reply_as_type_and_say_how,
)
from medlens.llm.recognise_other_apis import (
    AnsweredByOtherService,
    find_service_with_own_api_at_address,
)
from medlens.llm.reply_body import parse_reply_body
from medlens.studies.agentclinic.prompts import ModeratorVerdict
from tests.endpoint_quirks import (
    ERRORS_IN_200,
    FIFTH,
    FIRST,
    FOURTH,
    SECOND,
    STATUSES,
    THIRD,
    Quirk,
)
from tests.endpoint_quirks_of_gateways import SEVENTH
from tests.endpoint_quirks_of_other_services import SIXTH

ALL = (*FIRST, *SECOND, *THIRD, *FOURTH, *FIFTH, *SIXTH, *SEVENTH)
BASE_URL = "http://127.0.0.1:1/v1"
REQUEST = make_first_request_of_question(
    "m",
    Model(base_url=BASE_URL, model="m"),
    [make_user_message("q")],
    schema=ModeratorVerdict,
)
UNREAD = frozenset(
    {
        # Told as what is no chat completion: these are other APIs than the one that was asked.
        *("the Responses API's form", "Gemini's own form", "Anthropic's own form"),
        *("Ollama's own form", "gzip that nobody declared"),
        # Told as unreadable and asked again.
        *("the object as an old function call", "a list of pairs"),
        *("a python call", "reasoning beside the final object"),
        # Words, or another object, that may take the answer back.
        *("Gemini's thought parts", "comments", "a draft that is corrected"),
        *("thoughts in plan tags", "an example first", "sections", "one rejected, one given"),
        *("a wait that is no doubt", "a quoted prompt before the answer"),
        "a schema and the answer",
    }
)
"""Quirks with an answer that is not read, but told."""


def fault_of(quirk: Quirk) -> Fault | None:
    """The fault that a reply is read as; None if it is an answer."""
    if quirk.status != 200:
        body = quirk.body
        if isinstance(body, dict):
            # As OpenAI's own client hands it on.
            body = body.get("error", body)
        return fault_from_status(quirk.status, body, quirk.headers, seconds=0.1, key="")
    try:
        parse_chat_completion(parse_reply_body(quirk.payload), REQUEST, key="", seconds=0.1)
    except BrokenOff as broken:
        return broken.fault
    except AnsweredByOtherService as other:
        return Fault(
            "other_service", f"{other}; {other.service.base_url_advice_in_words(BASE_URL)}", 0.1
        )
    except ValueError as error:
        return Fault("bad_response", str(error), 0.1)
    return None


def reading_of(quirk: Quirk) -> str:
    """The verdict, or in the words of ``Quirk.meant`` why there is none."""
    fault = fault_of(quirk)
    if fault is not None:
        if fault.refused:
            return "refused"
        kinds = {"no_money": "no_money", "auth": "stopped", "not_found": "stopped"}
        kinds |= {"other_service": "stopped"}
        kinds |= {"too_long": "too_long"} | dict.fromkeys(RETRIED, "retried")
        return kinds.get(fault.error_class, "failed")
    reply = parse_chat_completion(parse_reply_body(quirk.payload), REQUEST, key="", seconds=0.1)
    if reply.outcome != "ok":
        return reply.outcome
    try:
        value: Any = parse_reply_as_type_and_say_how(reply.text, ModeratorVerdict)[0]
    except Unreadable:
        return "unreadable"
    return str(value.same_disease)


@pytest.mark.parametrize(
    "quirk",
    [one for one in ALL if one.status == 200 and not one.refuses],
    ids=lambda quirk: quirk.name,
)
def test_a_reply_is_read_as_it_was_meant_or_told(quirk: Quirk) -> None:
    read = reading_of(quirk)
    if quirk.meant in ("yes", "no"):
        assert read == quirk.meant or (quirk.name in UNREAD and read not in ("yes", "no"))
    elif quirk.meant == "unreadable":
        assert read not in ("yes", "no")
    elif quirk.meant.startswith("other "):
        fault = fault_of(quirk)
        assert fault is not None
        assert quirk.meant.removeprefix("other ") in fault.detail
        assert "base_url" in fault.detail
    elif "|" in quirk.meant or quirk.meant == "failed":
        assert read in quirk.meant.split("|") or fault_of(quirk) is not None
    else:
        assert read == quirk.meant


@pytest.mark.parametrize(
    "quirk",
    [
        *STATUSES,
        *(
            one
            for one in (*SECOND, *THIRD, *FOURTH, *FIFTH, *SIXTH, *SEVENTH)
            if one.status != 200 and not one.refuses
        ),
    ],
    ids=lambda quirk: quirk.name,
)
def test_an_error_is_taken_for_what_it_is(quirk: Quirk) -> None:
    assert reading_of(quirk) in quirk.meant.split("|")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            {"detail": [{"loc": ["body", "temperature"], "msg": "Extra inputs not permitted"}]},
            "body.temperature: Extra inputs not permitted",
        ),
        ([{"error": {"code": 400, "message": "API key not valid."}}], "API key not valid."),
        ({"errors": [{"code": 5007, "message": "No such model"}]}, "No such model"),
        ({"error_code": 17, "error_msg": "Open api daily limit"}, "17  Open api daily limit"),
        ("plain words", "plain words"),
    ],
)
def test_an_error_is_told_in_its_own_words_whatever_its_form(body: Any, words: str) -> None:
    fault = fault_from_status(400, body, {}, seconds=0.1, key="")
    assert " ".join(words.split()) in fault.detail
    assert "{" not in fault.detail


@pytest.mark.parametrize(
    ("base_url", "words"),
    [
        ("https://api.anthropic.com", "https://api.anthropic.com/v1"),
        ("https://generativelanguage.googleapis.com/v1beta", "/v1beta/openai"),
        ("http://10.0.0.5:11434", '"http://10.0.0.5:11434/v1"'),
        ("http://10.0.0.5:11434/api", '"http://10.0.0.5:11434/v1"'),
        ("https://api.cohere.ai/v2", "/compatibility/v1"),
    ],
)
def test_the_right_address_of_a_known_service_is_told(base_url: str, words: str) -> None:
    service = find_service_with_own_api_at_address(base_url)
    assert service is not None
    assert words in service.base_url_advice_in_words(base_url)


@pytest.mark.parametrize(
    "base_url",
    [
        "https://api.anthropic.com/v1/",
        "https://generativelanguage.googleapis.com/v1beta/openai/",
        "http://localhost:11434/v1",
        "http://localhost:8000/v1",
        "https://api.openai.com/v1",
        "http://localhost:port/v1",
    ],
)
def test_an_address_at_which_a_service_speaks_the_api_is_left_alone(base_url: str) -> None:
    assert find_service_with_own_api_at_address(base_url) is None


def test_a_reply_with_choices_is_no_other_service_s_whatever_stands_beside() -> None:
    body = {"choices": [{"message": {"content": "no"}}], "usageMetadata": {}, "done": True}
    assert parse_reply_body(json.dumps(body).encode()) == body


def test_every_quirk_has_a_name_of_its_own_and_a_body() -> None:
    names = [quirk.name for quirk in ALL]
    assert len(set(names)) == len(names) > 150
    assert all(json.loads(one.payload) for one in ERRORS_IN_200 if isinstance(one.body, dict))
