"""The parts of the model layer that need no endpoint: requests, shapes, quotes, limits, money."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from medlens import llm
from medlens.config.settings import Model, load_settings
from medlens.errors import BadFile, InvalidInput
from medlens.llm.cached_completions import CallRateLimiter, RetryPolicy, shared_limiter_of_model
from medlens.llm.endpoint_faults import (
    failure_detail_without_key,
    fault_from_status,
    remove_key_from_text,
    retry_after_seconds,
)
from medlens.llm.job_batch_progress_and_report import format_duration
from medlens.llm.model_request_messages_and_hash import prepare_request
from medlens.llm.questions_to_models_and_typed_replies import (
    Unreadable,
    build_response_format,
    parse_reply_as_type,
    strict_json_schema_of_type,
)
from medlens.llm.token_cost_forecast_and_budget import (
    Planned,
    SpendingBudget,
    estimate_tokens_from_length,
    forecast_cost,
    format_money,
    price_of_tokens,
)
from medlens.web.quote_search import QuotableText, QuoteLocation
from tests.effort import effort

MODEL = Model(base_url="http://127.0.0.1:9/v1", model="m", input_price=2.0, output_price=8.0)


class Verdict(BaseModel):
    same: bool
    reasons: list[str] = Field(default_factory=list, min_length=1)


# -- settings ----------------------------------------------------------------------------------


def written(folder: Path, text: str) -> dict[str, str]:
    (folder / "medlens.toml").write_text(text)
    return {"MEDLENS_CONFIG": str(folder / "medlens.toml")}


def test_a_model_is_read_from_the_settings(tmp_path: Path) -> None:
    text = (
        '[models."demo-4.1"]\nbase_url = "http://localhost:1/v1/"\nmodel = "demo"\n'
        'key_env = "DEMO_KEY"\ninput_price = 2\njson = "object"\nparameters = { temperature = 0 }\n'
    )
    settings = load_settings(written(tmp_path, text))
    model = llm.find_model_settings_by_name(settings, "demo-4.1")
    assert (model.base_url, model.json_mode) == ("http://localhost:1/v1", "object")
    assert model.parameters == {"temperature": 0}
    with pytest.raises(InvalidInput, match="no model 'other'") as caught:
        llm.find_model_settings_by_name(settings, "other")
    assert "demo-4.1" in caught.value.hint


@pytest.mark.parametrize(
    "line, column",
    [
        ('base_url = "ftp://x"', "base_url"),
        ('base_url = "https://ada:sesame-open-9@host/v1"', "base_url"),
        ('base_url = "https://host/v1?key=sesame-open-9"', "base_url"),
        ('base_url = "http://host:99999/v1"', "base_url"),
        ('base_url = "http://x"\nkey_env = "sesame-open-9"', "key_env"),
        ('base_url = "http://x"\nkey = "sesame-open-9"', "key"),
        ('base_url = "http://x"\njson = "xml"', "json"),
        ('base_url = "http://x"\nconcurrency = 0', "concurrency"),
        ('base_url = "http://x"\ninput_price = -1', "input_price"),
    ],
)
def test_a_bad_model_is_refused_and_a_pasted_key_is_not_repeated(
    line: str, column: str, tmp_path: Path
) -> None:
    text = f'[models.demo]\nmodel = "demo"\n{line}\n'
    with pytest.raises(BadFile) as caught:
        load_settings(written(tmp_path, text))
    (row,) = caught.value.rows
    assert row.column == f"models.demo.{column}"
    assert row.line == 2 + len(line.splitlines())
    assert "sesame" not in str(caught.value)


# -- requests ----------------------------------------------------------------------------------


def test_the_same_request_has_one_digest_and_any_difference_another() -> None:
    def digest(model: Model = MODEL, text: str = "Hello", **parameters: object) -> str:
        return prepare_request(
            "m", model, [llm.make_user_message(text)], parameters=parameters
        ).digest

    other_price = MODEL.model_copy(update={"input_price": 3.0, "timeout": 5.0})
    assert digest() == digest() == digest(other_price)
    different = [
        digest(text="Hello "),
        digest(temperature=0),
        digest(MODEL.model_copy(update={"model": "n"})),
        digest(MODEL.model_copy(update={"base_url": "http://127.0.0.1:8/v1"})),
        digest(MODEL.model_copy(update={"parameters": {"temperature": 1}})),
    ]
    assert len({digest(), *different}) == 6
    request = prepare_request("m", MODEL, [llm.make_user_message("Hello")], parameters={})
    assert request.completion_id(0) != request.completion_id(1)


def test_an_image_is_stored_as_its_digest_and_refused_by_a_model_without_eyes() -> None:
    picture = "data:image/png;base64," + "QUJD" * 1000
    message = llm.make_user_message("What is this?", images=[picture])
    with pytest.raises(InvalidInput, match="does not accept images"):
        prepare_request("m", MODEL, [message], parameters={})
    seeing = MODEL.model_copy(update={"images": True})
    request = prepare_request("m", seeing, [message], parameters={})
    assert "QUJD" not in request.messages_json
    assert "data:image/png;sha256," in request.messages_json
    other = prepare_request(
        "m", seeing, [llm.make_user_message("What is this?", images=[picture[:-4]])], parameters={}
    )
    assert other.digest != request.digest
    assert request.messages[0] == message


# -- shapes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '{"same": true, "reasons": ["x"]}',
        '\ufeff  {"same": true, "reasons": ["x"]}\n',
        'Sure! Here it is:\n```json\n{"same": true, "reasons": ["x"]}\n```\nAnything else?',
        '```\n{"same": true, "reasons": ["x"]}```',
    ],
)
def test_json_is_found_wherever_the_model_put_it(text: str) -> None:
    assert parse_reply_as_type(text, Verdict) == Verdict(same=True, reasons=["x"])


def test_a_line_break_within_a_json_text_is_forgiven() -> None:
    found = parse_reply_as_type('{"same": false, "reasons": ["one\ntwo"]}', Verdict)
    assert found == Verdict(same=False, reasons=["one\ntwo"])


@pytest.mark.parametrize(
    "text, problem",
    [
        ("", "no JSON object"),
        (
            'I think {not json} of {"same": "maybe"}, so: {"same": true, "reasons": ["x"]}',
            "several",
        ),
        ('First {"same": false, "reasons": ["x"]}, or {"same": true, "reasons": ["x"]}', "differ"),
        ("Yes, the same.", "no JSON object"),
        ('{"same": true, "reasons": ["cut o', "no JSON object"),
        ('[{"x": 1}]', "same: Field required"),
        ('{"same": "perhaps", "reasons": ["x"]}', "same: Input should be a valid boolean"),
        ('{"same": true, "reasons": []}', "reasons: List should have at least 1 item"),
    ],
)
def test_an_unreadable_answer_says_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(Unreadable, match=problem):
        parse_reply_as_type(text, Verdict)


@pytest.mark.parametrize(
    "text", ['{"a":' * 30_000, "{" * 100_000, '{"' * 50_000, "```json\n" * 20_000]
)
def test_a_hostile_answer_is_given_up_quickly(text: str) -> None:
    def read() -> None:
        with pytest.raises(Unreadable):
            parse_reply_as_type(text, Verdict)

    # It takes at most ten.
    assert effort(read) < 100


def test_a_strict_schema_requires_every_field_and_allows_no_other() -> None:
    assert strict_json_schema_of_type(Verdict) == {
        "type": "object",
        "additionalProperties": False,
        "required": ["same", "reasons"],
        "properties": {
            "same": {"type": "boolean"},
            "reasons": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        },
    }
    assert build_response_format(Verdict, "object") == {"type": "json_object"}
    assert build_response_format(Verdict, "text") is None


# -- quotes ------------------------------------------------------------------------------------

TEXT = (
    "The patient’s  blood pressure was 180/110 mmHg.\nShe has Ménière’s disease — or not. Or not."
)


@pytest.mark.parametrize(
    "quote, how, found",
    [
        ("180/110 mmHg", "exact", "180/110 mmHg"),
        ("The patient's blood pressure", "folded", "The patient’s  blood pressure"),
        ("mmHg. She has", "folded", "mmHg.\nShe has"),
        ("“she has meniere's disease - or not”", "folded", "She has Ménière’s disease — or not"),
        ("Me\u0301nie\u0300re’s", "folded", "Ménière’s"),
        ("not.", "ambiguous", None),
        ("OR NOT", "ambiguous", None),
        ("a stroke", "missing", None),
        ("", "missing", None),
        ("  \n", "missing", None),
    ],
)
def test_a_quote_is_found_word_for_word_or_folded_or_not_at_all(
    quote: str, how: str, found: str | None
) -> None:
    place = QuotableText(TEXT).find_only_place(quote)
    assert place.how == how
    if found is None:
        assert (place.start, place.end) == (-1, -1)
    else:
        assert TEXT[place.start : place.end] == found


def test_a_folded_quote_takes_the_whole_of_a_composed_character() -> None:
    text = "cafe\u0301 ﬁne"
    assert QuotableText(text).find_only_place("CAFÉ") == QuoteLocation("folded", 0, 5)
    assert QuotableText(text).find_only_place("fine") == QuoteLocation("folded", 6, 9)


# -- money -------------------------------------------------------------------------------------


def test_a_price_is_per_million_tokens() -> None:
    # 1,000 in at 2 per million = 0.002; 500 out at 8 per million = 0.004
    assert price_of_tokens(MODEL, 1000, 500) == pytest.approx(0.006)
    assert price_of_tokens(MODEL, 1000, 500, batch=True) == pytest.approx(0.003)
    assert price_of_tokens(MODEL.model_copy(update={"output_price": None}), 1000, 500) is None


def test_tokens_are_estimated_by_length_and_kind_of_writing() -> None:
    assert estimate_tokens_from_length(400) == 100
    # 100 ASCII / 4 + 30 others / 1.5 = 25 + 20
    assert estimate_tokens_from_length(130, 30) == 45
    assert estimate_tokens_from_length(1) == 1


def test_a_forecast_says_what_is_estimated_stored_and_unpriced() -> None:
    free = MODEL.model_copy(update={"input_price": None})
    found = forecast_cost(
        [Planned("a", 10, 1000, 500), Planned("b", 5, 100, 10)], {"a": MODEL, "b": free}, stored=3
    )
    # 10 * 0.006; b has no price
    assert (found.calls, found.stored, found.cost) == (15, 3, pytest.approx(0.06))
    assert (found.input_tokens, found.output_tokens) == (10_500, 5_050)
    assert found.unpriced == ("b",)
    assert "estimated by length" in found.forecast_in_words()
    assert "no price is set for b" in found.forecast_in_words()
    assert "3 more are stored" in found.forecast_in_words()


def test_a_budget_expects_answers_as_long_as_the_longest_so_far() -> None:
    budget = SpendingBudget(spent=0.0, cap=0.01)
    request = prepare_request("m", MODEL, [llm.make_user_message("x" * 400)], parameters={})
    # 100 + 4 tokens in: 0.000208; 500 out: 0.004
    assert budget.largest_cost_of_next_call(request) == pytest.approx(0.004208)
    budget.count_paid_call("m", 1000, 0.002)
    assert budget.largest_cost_of_next_call(request) == pytest.approx(0.008208)
    assert not budget.does_call_fit_under_cap(0.0081)
    assert budget.does_call_fit_under_cap(0.0079)
    # A short answer after it does not make the next one cheap.
    budget.count_paid_call("m", 3, 0.0)
    assert budget.largest_cost_of_next_call(request) == pytest.approx(0.008208)
    limited = prepare_request(
        "m", MODEL, [llm.make_user_message("x" * 400)], parameters={"max_tokens": 10}
    )
    assert budget.largest_cost_of_next_call(limited) == pytest.approx(0.000288)


# -- limits and faults -------------------------------------------------------------------------


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_calls_are_spread_over_the_minute() -> None:
    clock = Clock()
    limit = CallRateLimiter(requests=60, tokens=0, clock=clock)
    assert [limit.reserve_call_and_return_wait(5) for _ in range(3)] == [0.0, 1.0, 2.0]
    clock.now += 10
    assert limit.reserve_call_and_return_wait(5) == 0.0


def test_tokens_are_counted_as_estimated_and_then_as_they_were() -> None:
    clock = Clock()
    limit = CallRateLimiter(requests=0, tokens=6000, clock=clock)
    # 100 tokens a second
    assert limit.reserve_call_and_return_wait(200) == 0.0
    assert limit.reserve_call_and_return_wait(100) == pytest.approx(2.0)
    limit.correct_reserved_tokens(300)
    assert limit.reserve_call_and_return_wait(0) == pytest.approx(6.0)


def test_the_slower_of_the_two_limits_decides_and_fewer_tokens_than_reserved_give_time_back() -> (
    None
):
    clock = Clock()
    # A call a second, and 100 tokens a second.
    limit = CallRateLimiter(requests=60, tokens=6000, clock=clock)
    assert limit.reserve_call_and_return_wait(300) == 0.0
    assert limit.reserve_call_and_return_wait(10) == pytest.approx(3.0)
    assert limit.reserve_call_and_return_wait(10) == pytest.approx(4.0)
    assert limit.reserve_call_and_return_wait(500) == pytest.approx(5.0)
    limit.correct_reserved_tokens(-300)
    assert limit.reserve_call_and_return_wait(10) == pytest.approx(7.0)
    # What was not asked for in a long time is not saved up.
    clock.now += 1000
    assert limit.reserve_call_and_return_wait(500) == 0.0
    assert limit.reserve_call_and_return_wait(10) == pytest.approx(5.0)


def test_all_who_ask_a_model_share_its_limit_and_another_limit_is_another() -> None:
    one = Model(base_url="http://localhost/v1", model="m", tokens_per_minute=6000)
    assert shared_limiter_of_model(one) is shared_limiter_of_model(one.model_copy())
    for other in ({"tokens_per_minute": 12_000}, {"requests_per_minute": 7}, {"model": "n"}):
        assert shared_limiter_of_model(one.model_copy(update=other)) is not shared_limiter_of_model(
            one
        )


def test_a_held_limiter_lets_nobody_pass() -> None:
    clock = Clock()
    limit = CallRateLimiter(requests=0, tokens=0, clock=clock)
    limit.hold_calls_for_seconds(5)
    assert limit.reserve_call_and_return_wait(1) == 5.0
    assert limit.seconds_until_calls_may_start() == 5.0
    clock.now += 6
    assert (limit.seconds_until_calls_may_start(), limit.reserve_call_and_return_wait(1)) == (
        0.0,
        0.0,
    )


def test_waits_grow_are_jittered_and_honour_the_server_up_to_a_cap() -> None:
    retries = RetryPolicy(base=1.0, cap=8.0, longest=60.0)
    for attempt, most in [(1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (9, 8.0)]:
        drawn = {retries.seconds_before_next_attempt(attempt, None) for _ in range(50)}
        assert most / 2 <= min(drawn)
        assert max(drawn) <= most
        assert len(drawn) > 1
    assert retries.seconds_before_next_attempt(1, 30.0) == 30.0
    assert retries.seconds_before_next_attempt(1, 600.0) == 60.0
    assert retries.seconds_before_next_attempt(1, 0.0) >= 0.5


@pytest.mark.parametrize(
    "headers, seconds",
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "9" * 400}, None),
    ],
)
def test_retry_after_is_read_in_every_form_and_never_trusted(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_seconds(headers) == seconds


@pytest.mark.parametrize(
    "status, error, error_class, refused",
    [
        (401, {"message": "bad key"}, "auth", False),
        (403, {"message": "flagged"}, "forbidden", False),
        (409, {}, "server", False),
        (404, {"code": "model_not_found"}, "not_found", False),
        (402, {"message": "pay"}, "no_money", False),
        (429, {"code": "insufficient_quota"}, "no_money", False),
        (429, {"code": "rate_limit_exceeded"}, "rate_limited", False),
        (400, {"code": "Throttling.RateQuota", "message": "try later"}, "rate_limited", False),
        (400, {"code": "Throttling", "message": "Requests throttled"}, "rate_limited", False),
        (
            403,
            {"message": "Quota exceeded for quota metric 'Generate' and limit 'Calls per minute'"},
            "rate_limited",
            False,
        ),
        (403, {"status": "RESOURCE_EXHAUSTED", "message": "exhausted"}, "rate_limited", False),
        (403, {"message": "用户额度不足"}, "no_money", False),
        (403, {"code": "insufficient_user_quota"}, "no_money", False),
        (408, {}, "timeout", False),
        (500, {}, "server", False),
        (529, {}, "server", False),
        (400, {"code": "context_length_exceeded"}, "too_long", False),
        (413, {}, "too_long", False),
        (400, {"message": "unknown field"}, "bad_request", False),
        (422, {}, "bad_request", False),
        (400, {"code": "content_filter"}, "bad_request", True),
    ],
)
def test_an_http_status_is_told_apart(
    status: int, error: dict[str, str], error_class: str, refused: bool
) -> None:
    fault = fault_from_status(status, {"error": error}, {}, seconds=0.1, key="")
    assert (fault.error_class, fault.refused, fault.status) == (error_class, refused, status)


def test_an_error_body_of_any_kind_gives_a_fault() -> None:
    for body in (None, "<html>Bad gateway</html>", [1], {"error": "plain"}, {"detail": "x"}):
        assert fault_from_status(502, body, {}, seconds=0.0, key="").error_class == "server"


def test_keys_are_taken_out_of_words() -> None:
    assert (
        remove_key_from_text("the key sesame-open-9 is wrong", "sesame-open-9")
        == "the key [key] is wrong"
    )
    assert remove_key_from_text("x marks the spot", "x") == "x marks the spot"
    assert (
        failure_detail_without_key("Wrong key: sk-proj-abcdef1234****9876", "")
        == "Wrong key: [key]"
    )
    assert failure_detail_without_key("Bearer abcdefghijkl", "") == "[key]"
    assert len(failure_detail_without_key("no " * 500, "")) == 300


def test_amounts_are_shown_with_as_many_decimals_as_they_need() -> None:
    shown = [format_money(x) for x in (0, 0.00001, 0.0022, 0.08, 0.5, 1, 1234.567)]
    assert shown == ["0.00", "under 0.0001", "0.0022", "0.08", "0.50", "1.00", "1,234.57"]


def test_durations_are_said_as_people_say_them() -> None:
    assert [format_duration(s) for s in (40, 100, 3600 * 3 + 300)] == [
        "40 s",
        "2 min",
        "3 h 05 min",
    ]
