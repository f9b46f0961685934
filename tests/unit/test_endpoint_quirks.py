"""What endpoints really send, read as a careful person would: a verdict as it was meant or none,
an error for what it is. The same are played against whole runs in
``tests/store/test_endpoint_quirks_in_runs.py``.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from medlens.config.settings import Model
from medlens.llm.client import BrokenOff, read_chat_completion
from medlens.llm.endpoint_faults import RETRIED, Fault, fault_from_status
from medlens.llm.model_request import user_message
from medlens.llm.reply_body import parse_reply_body
from medlens.llm.structured_requests import Unreadable, plan_request, read_reply_value
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

ALL = (*FIRST, *SECOND, *THIRD, *FOURTH, *FIFTH)
REQUEST = plan_request(
    "m",
    Model(base_url="http://127.0.0.1:1/v1", model="m"),
    [user_message("q")],
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
        read_chat_completion(parse_reply_body(quirk.payload), REQUEST, key="", seconds=0.1)
    except BrokenOff as broken:
        return broken.fault
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
        kinds |= {"too_long": "too_long"} | dict.fromkeys(RETRIED, "retried")
        return kinds.get(fault.error_class, "failed")
    reply = read_chat_completion(parse_reply_body(quirk.payload), REQUEST, key="", seconds=0.1)
    if reply.outcome != "ok":
        return reply.outcome
    try:
        value: Any = read_reply_value(reply.text, ModeratorVerdict)[0]
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
    elif quirk.meant == "failed":
        assert fault_of(quirk) is not None
    else:
        assert read == quirk.meant


@pytest.mark.parametrize(
    "quirk",
    [
        *STATUSES,
        *(
            one
            for one in (*SECOND, *THIRD, *FOURTH, *FIFTH)
            if one.status != 200 and not one.refuses
        ),
    ],
    ids=lambda quirk: quirk.name,
)
def test_an_error_is_taken_for_what_it_is(quirk: Quirk) -> None:
    assert reading_of(quirk) == quirk.meant


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


def test_every_quirk_has_a_name_of_its_own_and_a_body() -> None:
    names = [quirk.name for quirk in ALL]
    assert len(set(names)) == len(names) > 150
    assert all(json.loads(one.payload) for one in ERRORS_IN_200 if isinstance(one.body, dict))
