"""What a model thought is told from what it answered, in every form that is known."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from medlens.config.settings import Model
from medlens.llm.cached_completions import Completion
from medlens.llm.client import (
    BrokenOff,
    Reply,
    make_reply_for_content_filter_refusal,
    parse_chat_completion,
)
from medlens.llm.endpoint_faults import Fault, fault_from_status
from medlens.llm.finish_reasons import interpret_finish_reason
from medlens.llm.model_request_messages_and_hash import make_user_message, prepare_request
from medlens.llm.questions_to_models_and_typed_replies import Unreadable, parse_reply_as_type
from medlens.llm.split_reasoning_from_answer import split_reasoning_from_answer
from medlens.llm.token_cost_forecast_and_budget import estimate_request_tokens, was_prompt_cut

DRAFT = '{"supported": "yes"}'
FINAL = '{"supported": "no"}'


class Verdict(BaseModel):
    supported: str


def reply(
    message: dict[str, Any], *, finish: str = "stop", usage: Any = None, **model: Any
) -> Reply:
    settings = Model(base_url="http://127.0.0.1:1/v1", model="m", **model)
    request = prepare_request("m", settings, [make_user_message("Is it?")], parameters={})
    body: dict[str, Any] = {"choices": [{"message": message, "finish_reason": finish}]}
    return parse_chat_completion(
        body | ({"usage": usage} if usage else {}), request, key="", seconds=0.1
    )


THOUGHT_THEN_ANSWERED = {
    "think": f"<think>Maybe {DRAFT}. No.</think>{FINAL}",
    "thinking, with an attribute": f'<thinking mode="deep">{DRAFT}</thinking>\n\n{FINAL}',
    "the template opened it in the prompt": f"So {DRAFT}? Not quite.\n</think>\n\n{FINAL}",
    "it speaks of its own tags": f"<think>I must close with </think> later {DRAFT}</think>{FINAL}",
    "tags within tags": f"<think>a <think>{DRAFT}</think> b</think>{FINAL}",
    "reasoning": f"<reasoning>\n{DRAFT}\n</reasoning>\n{FINAL}",
    "Magistral": f"[THINK]{DRAFT}[/THINK]{FINAL}",
    "Seed": f"<seed:think>{DRAFT}</seed:think>{FINAL}",
    "Kimi": f"◁think▷{DRAFT}◁/think▷{FINAL}",
    "Cohere": f"<|START_THINKING|>{DRAFT}<|END_THINKING|><|START_RESPONSE|>{FINAL}<|END_RESPONSE|>",
    "OpenThinker": (
        f"<|begin_of_thought|>{DRAFT}<|end_of_thought|>\n"
        f"<|begin_of_solution|>{FINAL}<|end_of_solution|>"
    ),
    "a Gemma": f"<unused94>thought\n{DRAFT}<unused95>{FINAL}",
    "Harmony": (
        f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant"
        f"<|channel|>final<|message|>{FINAL}<|return|>"
    ),
    "Harmony with a constraint": (
        f"<|start|>assistant<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant"
        f"<|channel|>final <|constrain|>json<|message|>{FINAL}"
    ),
    "Harmony without its brackets": f"analysisWe need {DRAFT}. Hmm.assistantfinal{FINAL}",
    "an answer in tags": f"<think>{DRAFT}</think><answer>{FINAL}</answer>",
    "what a server left at the end": f"<think>{DRAFT}</think>{FINAL}<|im_end|>",
    "thought again behind the answer": f"{FINAL}<think>{DRAFT}</think>",
}
CUT = {
    "think": f"<think>I lean to {DRAFT}, but",
    "Harmony": f"<|channel|>analysis<|message|>I lean to {DRAFT}",
    "Harmony without its brackets": f"analysisI lean to {DRAFT}",
    "Magistral": f"[THINK]{DRAFT}",
}


def test_a_draft_among_thoughts_is_never_taken_for_the_answer() -> None:
    for name, text in THOUGHT_THEN_ANSWERED.items():
        answer, reasoning = split_reasoning_from_answer(text)
        assert answer.strip() == FINAL, name
        assert DRAFT in reasoning, name
        assert parse_reply_as_type(reply({"content": text}).text, Verdict) == Verdict(
            supported="no"
        ), name


def test_thoughts_that_were_cut_leave_no_answer() -> None:
    for name, text in CUT.items():
        assert split_reasoning_from_answer(text).answer == "", name
        assert reply({"content": text}).outcome == "empty", name
        assert reply({"content": text}, finish="length").outcome == "truncated", name


def test_a_text_without_thoughts_stays_as_it_is_to_the_last_space() -> None:
    plain = (
        " Yes, no reasoning here.\n",
        "I think the <b>analysis</b> is a final word; think again.",
        "Analysis: the patient thinks. Final: gout",
        "a < b > c, x</b>",
        "analysis of stool was negative",
        "",
    )
    for text in plain:
        assert split_reasoning_from_answer(text) == (text, "")


def test_a_models_own_tags_can_be_named() -> None:
    text = f"((plan {DRAFT} plan)){FINAL}"
    assert split_reasoning_from_answer(text).answer == text
    told = reply({"content": text}, reasoning_tags=(("((plan", "plan))"),))
    assert (told.text, told.reasoning) == (FINAL, DRAFT)


def test_reasoning_in_a_field_or_a_part_of_its_own_is_kept_apart() -> None:
    shapes: list[dict[str, Any]] = [
        {"content": FINAL, "reasoning_content": DRAFT},
        {"content": FINAL, "reasoning": DRAFT},
        {"content": [{"type": "thinking", "thinking": DRAFT}, {"type": "text", "text": FINAL}]},
        {
            "content": [
                {"type": "thinking", "thinking": [{"type": "text", "text": DRAFT}]},
                {"type": "text", "text": FINAL},
            ]
        },
        {"content": [{"type": "reasoning", "text": DRAFT}, {"type": "output_text", "text": FINAL}]},
    ]
    for message in shapes:
        told = reply(message)
        assert (told.outcome, told.text, told.reasoning) == ("ok", FINAL, DRAFT)
    # All of it came as reasoning: nothing was answered.
    assert reply({"content": None, "reasoning_content": FINAL}).outcome == "empty"


def test_a_completion_that_was_stored_with_its_thoughts_is_read_without_them() -> None:
    row = {"id": "c", "outcome": "ok", "text": f"<think>{DRAFT}</think>{FINAL}", "reasoning": None}
    assert Completion.completion_from_row(row).text == FINAL
    only = Completion.completion_from_row(row | {"text": f"<think>{DRAFT}"})
    assert (only.outcome, only.text) == ("empty", "")
    kept = Completion.completion_from_row(row | {"text": "<think>quoted</think>", "reasoning": ""})
    assert (kept.outcome, kept.text) == ("ok", "<think>quoted</think>")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"<!-- {DRAFT} -->\n{FINAL}", "no"),
        (f"```thinking\n{DRAFT}\n```\n{FINAL}", "no"),
        ('{"answer": {"supported": "no"}}', "no"),
        (f"{FINAL}\n{FINAL}", "no"),
        ('{"supported": "no", "supported": "no"}', "no"),
    ],
)
def test_the_one_value_outside_thoughts_counts(text: str, value: str) -> None:
    answer = split_reasoning_from_answer(text).answer
    assert parse_reply_as_type(answer, Verdict) == Verdict(supported=value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{DRAFT} … although I cannot decide.", "although I cannot decide"),
        (f"{DRAFT}\nWait, disregard that.", "Wait, disregard that"),
        (f"{DRAFT}\nThat answer was wrong.", "That answer was wrong"),
        (f"```json\n{DRAFT}\n```\nOn checking the page:\n{FINAL}", "differ"),
        (f"{DRAFT} was my draft. The page says otherwise: ```{FINAL}```", "differ"),
        (f"I cannot verify every word, but: {FINAL}", "I cannot verify every word"),
        (f"{FINAL}\nThe page gives 5 mg, so this is incorrect.", "The page gives 5 mg"),
        (f'{DRAFT} Or rather {{"supported": "n', "breaks off"),
        (f"{DRAFT}\n{FINAL}", "differ"),
        (f"```json\n{DRAFT}\n```\n```json\n{FINAL}\n```", "differ"),
        ('{"supported": "yes", "supported": "no"}', "twice"),
        (f'{DRAFT} and then {{"other": 1}}', "supported: Field required"),
    ],
)
def test_an_answer_that_is_none_is_not_read(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        parse_reply_as_type(text, Verdict)


def test_every_known_way_to_end_has_its_meaning_and_others_are_told() -> None:
    known = {
        "complete": ("stop", "end_turn", "STOP", "eos", "", "COMPLETE"),
        "truncated": ("length", "model_length", "MAX_TOKENS", "max_tokens"),
        "refused": ("content_filter", "SAFETY", "sensitive", "refusal"),
        "failed": ("error", "abort", "insufficient_system_resource", "network_error"),
        "unknown": ("moonlight",),
    }
    for meaning, reasons in known.items():
        assert {interpret_finish_reason(reason) for reason in reasons} == {meaning}
    assert reply({"content": "half an ans"}, finish="model_length").outcome == "truncated"
    for reason in known["failed"]:
        with pytest.raises(BrokenOff) as broken:
            reply({"content": "half an ans"}, finish=reason)
        assert broken.value.fault.error_class == "server"


def test_reasoning_that_the_completion_leaves_out_is_paid_for() -> None:
    def out(**usage: Any) -> int:
        return reply({"content": "A"}, usage={"prompt_tokens": 10, **usage}).output_tokens

    assert out(completion_tokens=5) == 5
    for written in ("5020", 5020.0, "5020.0", None):
        assert out(completion_tokens=written, total_tokens=5030) == 5020
    assert out(completion_tokens="5020") == 5020
    assert out(completion_tokens=5020.0) == 5020
    assert out(total_tokens=5030) == 5020
    assert out(output_tokens=5020) == 5020
    assert out(completion_tokens=0, output_tokens=5020) == 5020
    named = reply({"content": "A"}, usage={"input_tokens": 100, "output_tokens": 5020})
    assert (named.input_tokens, named.output_tokens, named.tokens_estimated) == (100, 5020, False)
    rest = reply({"content": "A"}, usage={"completion_tokens": 5020, "total_tokens": "5120"})
    assert (rest.input_tokens, rest.output_tokens) == (100, 5020)
    assert out(completion_tokens=5, total_tokens=15) == 5
    assert out(completion_tokens=5, total_tokens=965) == 955
    assert out(completion_tokens=5, completion_tokens_details={"reasoning_tokens": 900}) == 905
    # Where it is included it counts once.
    inside = {"completion_tokens_details": {"reasoning_tokens": 900}}
    assert out(completion_tokens=905, total_tokens=915, **inside) == 905
    # Without a count it is estimated from all that was written: 400 characters, 100 tokens.
    assert reply({"content": "", "reasoning_content": "x" * 400}).output_tokens == 100


def test_a_reply_that_broke_off_costs_what_it_took() -> None:
    prices = {"input_price": 1.0, "output_price": 2.0}
    usage = {"prompt_tokens": 1_000_000, "completion_tokens": 500_000}
    with pytest.raises(BrokenOff) as broken:
        reply({"content": "half"}, finish="error", usage=usage, **prices)
    assert broken.value.fault.cost == 2.0


@pytest.mark.parametrize(
    ("status", "error", "headers", "wanted"),
    [
        (
            429,
            {"code": "rate_limit_exceeded", "message": "See billing"},
            {},
            ("rate_limited", None),
        ),
        (429, {"message": "Quota: check billing"}, {"retry-after": "7"}, ("rate_limited", 7.0)),
        (
            429,
            {"message": "check your billing. Please retry in 36.9s."},
            {},
            ("rate_limited", 36.9),
        ),
        (429, {"message": "billing; try again in 1m30s"}, {}, ("rate_limited", 90.0)),
        (429, {"code": "insufficient_quota", "message": "billing"}, {}, ("no_money", None)),
        (429, {"message": "Insufficient balance"}, {}, ("no_money", None)),
        (402, {"message": "pay"}, {}, ("no_money", None)),
    ],
)
def test_a_rate_limit_is_told_from_an_empty_account(
    status: int, error: dict[str, str], headers: dict[str, str], wanted: tuple[str, float | None]
) -> None:
    fault = fault_from_status(status, {"error": error}, headers, seconds=0.1, key="")
    assert (fault.error_class, fault.retry_after) == wanted
    assert not fault.refused


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"code": "invalid_prompt", "message": "Invalid prompt"}),
        (400, {"code": "data_inspection_failed", "message": "Output data may contain …"}),
        (400, {"message": "<400> InternalError: DataInspectionFailed"}),
        (403, {"message": "Your input was flagged", "metadata": {"reasons": ["violence"]}}),
        (400, {"code": "content_policy_violation"}),
    ],
)
def test_a_prompt_that_is_refused_for_what_it_says_is_a_refusal(
    status: int, error: dict[str, Any]
) -> None:
    assert fault_from_status(status, {"error": error}, {}, seconds=0.1, key="").refused


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        ({"code": 402, "message": "Insufficient credits"}, "no_money"),
        ({"message": "Insufficient credits"}, "no_money"),
        ({"code": 429, "message": "Rate limit"}, "rate_limited"),
        ({"code": 30001, "message": "Sorry, your account balance is insufficient"}, "no_money"),
        ({"code": "insufficient_user_quota", "message": "quota"}, "no_money"),
        ({"message": "用户额度不足, 剩余额度: $0"}, "no_money"),
        ({"code": "502", "message": "Provider returned error"}, "server"),
        ({"message": "maximum context length is 8192"}, "too_long"),
        ("upstream went away", "server"),
    ],
)
def test_an_error_in_a_body_of_status_200_is_what_it_says(error: Any, wanted: str) -> None:
    settings = Model(base_url="http://127.0.0.1:1/v1", model="m")
    request = prepare_request("m", settings, [make_user_message("Is it?")], parameters={})
    for body in ({"error": error}, {"choices": [{"error": error, "finish_reason": "error"}]}):
        with pytest.raises(BrokenOff) as broken:
            parse_chat_completion(body, request, key="", seconds=0.1)
        assert broken.value.fault.error_class == wanted


@pytest.mark.parametrize("text", ["\ufeff1", "\u200b1\u2060", "\ufeff<think>2?</think>\u200b1"])
def test_signs_that_nobody_sees_are_no_part_of_an_answer(text: str) -> None:
    assert split_reasoning_from_answer(text).answer == "1"


def test_who_speaks_is_left_out_before_an_object_alone() -> None:
    for said in ('{"a": 1}', '```json\n{"a": 1}\n```', '[{"a": 1}]'):
        assert split_reasoning_from_answer(f"Assistant: {said}").answer == said
    dialogue = "Assistant: what brings you here?"
    assert split_reasoning_from_answer(dialogue).answer == dialogue


def test_a_refusal_by_status_is_no_reason_that_nobody_knows() -> None:
    refused = make_reply_for_content_filter_refusal(
        Fault("bad_request", "Inspected.", 0.1, status=400, refused=True)
    )
    assert interpret_finish_reason(refused.finish_reason) == "refused"


def test_a_fault_names_its_status_code_and_type_once() -> None:
    error = {"code": 402, "type": "402", "message": "This request requires more credits."}
    fault = fault_from_status(402, {"error": error}, {}, seconds=0.1, key="")
    assert fault.detail == "HTTP 402 This request requires more credits."


@pytest.mark.parametrize(("counted", "cut"), [(6, True), (60, True), (90, False), (400, False)])
def test_a_prompt_of_which_hardly_anything_was_counted_is_told_though_it_is_short(
    counted: int, cut: bool
) -> None:
    model = Model.model_validate({"base_url": "http://a.test/v1", "model": "m"})
    asked = prepare_request("m", model, [make_user_message("What is it? " * 176)], parameters={})
    assert 500 < estimate_request_tokens(asked) < 600
    usage = {"prompt_tokens": counted, "completion_tokens": 10}
    payload = {"choices": [{"message": {"content": "A"}}], "usage": usage}
    reply = parse_chat_completion(payload, asked, key="", seconds=0.1)
    assert was_prompt_cut(asked, reply) is cut


@pytest.mark.parametrize(
    ("details", "outcome"),
    [
        ({"reason": "max_output_tokens"}, "truncated"),
        ({"reason": "content_filter"}, "refused"),
        (None, "truncated"),
    ],
)
def test_a_reply_that_only_its_status_calls_incomplete_is_not_whole(
    details: Any, outcome: str
) -> None:
    model = Model.model_validate({"base_url": "http://a.test/v1", "model": "m"})
    asked = prepare_request("m", model, [make_user_message("Is it?")], parameters={})
    payload = {
        "status": "incomplete",
        "incomplete_details": details,
        "choices": [{"message": {"content": "A"}, "finish_reason": None}],
    }
    assert parse_chat_completion(payload, asked, key="", seconds=0.1).outcome == outcome
