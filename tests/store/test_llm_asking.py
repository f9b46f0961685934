"""One question at a time against a real server: outcomes, retries, repair, what is stored."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from medlens import llm
from medlens.config.settings import Model
from medlens.errors import InvalidInput
from medlens.store import Store
from medlens.telemetry import prometheus_metrics
from medlens.telemetry.logs import Formatter
from medlens.telemetry.prometheus_metrics import Meters
from tests.llm_server import LLMServer, Reply
from tests.llm_server import demo_model as model

QUICK = llm.RetryPolicy(attempts=4, base=0.01, cap=0.02)


class Verdict(BaseModel):
    same: bool


ON_BOTH = pytest.mark.parametrize(
    "engine",
    ["duckdb", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.deep])],
    indirect=True,
)


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


def put(
    store: Store,
    chosen: Model,
    text: str = "Same disease?",
    *,
    schema: type[BaseModel] | None = None,
    repeat: int = 0,
    config: str = "",
    retries: llm.RetryPolicy = QUICK,
    environ: Mapping[str, str] | None = None,
) -> llm.Answer:
    """Ask one question in a run of its own."""
    answers: list[llm.Answer] = []

    async def work(ask: llm.Ask) -> llm.Result:
        answers.append(
            await ask("demo", [llm.make_user_message(text)], schema=schema, repeat=repeat)
        )
        return llm.Result(answers[0].outcome)

    run = llm.open_or_resume_run_and_return_id(
        store, study="t", kind="k", config={"c": config}, made_by="test"
    )
    llm.run_unfinished_jobs_of_run(
        store,
        [llm.Job(f"{text}-{repeat}-{config}", work)],
        run=run,
        models={"demo": chosen},
        retries=retries,
        environ=environ or {},
    )
    return answers[0]


def faults(store: Store) -> list[tuple[Any, ...]]:
    return store.rows("select attempt, status, error_class from completion_attempt order by seq")


def test_an_answer_is_stored_with_all_that_is_known_of_it(store: Store, server: LLMServer) -> None:
    server.push(Reply("Yes.", delay=0.05))
    answer = put(store, model(server, parameters={"temperature": 0.5}))
    assert (answer.outcome, answer.text) == ("ok", "Yes.")
    # 100 tokens in at 10 per million, 20 out at 50 per million
    assert answer.cost == pytest.approx(0.002)
    [found] = answer.completions
    row = store.find_first_row_as_dict("select * from completion where id = $id", id=found)
    assert row is not None
    assert (row["served_model"], row["fingerprint"]) == ("demo-served", "fp_1")
    assert (row["input_tokens"], row["output_tokens"]) == (100, 20)
    assert not row["tokens_estimated"]
    assert (row["cost"], row["attempts"], row["route"]) == (pytest.approx(0.002), 1, "call")
    assert 0.05 <= row["seconds"] < 5
    assert json.loads(row["messages"]) == [{"role": "user", "content": "Same disease?"}]
    assert json.loads(row["parameters"]) == {"temperature": 0.5}
    assert server.chats[0].body == {
        "model": "demo",
        "temperature": 0.5,
        "messages": [{"role": "user", "content": "Same disease?"}],
    }


@ON_BOTH
def test_asking_again_costs_nothing_and_a_repeat_is_asked_anew(
    store: Store, server: LLMServer
) -> None:
    first = put(store, model(server))
    again = put(store, model(server), config="another run")
    assert again.completions == first.completions
    assert (again.text, again.cost) == (first.text, 0)
    assert len(server.chats) == 1
    put(store, model(server), repeat=1)
    assert len(server.chats) == 2
    assert store.rows("select repeat from completion order by seq") == [(0,), (1,)]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "reply, outcome",
    [
        (Reply("Half an ans", finish="length"), "truncated"),
        (Reply(refusal="I cannot help with that."), "refused"),
        (Reply("", finish="content_filter"), "refused"),
        (Reply(status=400, code="content_filter", message="filtered"), "refused"),
        (Reply(""), "empty"),
        (Reply(" \n"), "empty"),
        (Reply(None), "empty"),
    ],
)
def test_what_the_model_does_instead_of_answering_is_kept_and_not_asked_again(
    reply: Reply, outcome: str, store: Store, server: LLMServer
) -> None:
    server.push(reply)
    assert put(store, model(server)).outcome == outcome
    assert put(store, model(server), config="again").outcome == outcome
    assert len(server.chats) == 1


def test_tokens_that_the_server_does_not_count_are_estimated_and_said_to_be(
    store: Store, server: LLMServer
) -> None:
    server.push(Reply("abcd" * 10, usage=None))
    answer = put(store, model(server), "x" * 396)
    # 396 / 4 + 4 for the message; 40 / 4
    assert (answer.input_tokens, answer.output_tokens) == (103, 10)
    assert store.rows("select tokens_estimated from completion") == [(True,)]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "reply, status, error_class",
    [
        (Reply(status=500), 500, "server"),
        (Reply(status=503), 503, "server"),
        (Reply(status=429), 429, "rate_limited"),
        (Reply(cut="before"), None, "connection"),
        (Reply(cut="body"), None, "connection"),
        (Reply(cut="json"), 200, "bad_response"),
        (Reply(body=b"{}"), 200, "bad_response"),
        (Reply(body=b"<html>"), 200, "bad_response"),
        (Reply(body=b"[" * 100_000), 200, "bad_response"),
        (Reply(body=b"\xff\xfe\xff"), 200, "bad_response"),
        (Reply(body=b'{"choices": [{"message": null}]}'), 200, "bad_response"),
        (Reply(delay=5), None, "timeout"),
    ],
)
def test_a_passing_failure_is_tried_again_and_noted(
    reply: Reply, status: int | None, error_class: str, store: Store, server: LLMServer
) -> None:
    server.push(reply, "At last.")
    answer = put(store, model(server, timeout=0.5))
    assert (answer.outcome, answer.text) == ("ok", "At last.")
    assert faults(store) == [(1, status, error_class)]
    assert store.rows("select attempts from completion") == [(2,)]
    assert store.value("select count(*) from attempt_all") == 2


def test_a_server_that_keeps_failing_is_given_up_and_is_no_answer(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply(status=500, message="boom")
    answer = put(store, model(server))
    assert (answer.outcome, answer.error_class, answer.completions) == ("error", "server", ())
    assert "boom" in answer.error
    assert [a for a, _, _ in faults(store)] == [1, 2, 3, 4]
    assert store.rows("select count(*) from completion") == [(0,)]
    server.answer = lambda body: "Back."
    assert put(store, model(server)).text == "Back."


def test_nobody_listening_is_an_error_that_says_so(store: Store, server: LLMServer) -> None:
    answer = put(store, model(server, base_url="http://127.0.0.1:9/v1"))
    assert (answer.outcome, answer.error_class) == ("error", "connection")
    assert "connection failed" in answer.error


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "reply, error_class",
    [
        (Reply(status=401), "auth"),
        (Reply(status=404, code="model_not_found"), "not_found"),
        (Reply(status=429, code="insufficient_quota"), "no_money"),
        (Reply(status=400, message="no such field"), "bad_request"),
        (Reply(status=400, code="context_length_exceeded"), "too_long"),
    ],
)
def test_a_failure_that_would_come_again_is_not_tried_again(
    reply: Reply, error_class: str, store: Store, server: LLMServer
) -> None:
    server.push(reply)
    answer = put(store, model(server))
    assert (answer.outcome, answer.error_class) == ("error", error_class)
    # A request that is refused as such is followed by a short question about why.
    assert len(server.chats) == 1 + (error_class == "bad_request")


def test_a_wrong_model_name_is_refused_by_the_server(store: Store) -> None:
    with LLMServer(models={"other"}) as server:
        answer = put(store, model(server))
    assert answer.error_class == "not_found"
    assert "demo does not exist" in answer.error


@pytest.mark.deep
def test_retry_after_is_waited_for(store: Store, server: LLMServer) -> None:
    server.push(Reply(status=429, headers={"Retry-After": "0.6"}), "Thanks for waiting.")
    assert put(store, model(server)).outcome == "ok"
    first, second = (one.at for one in server.chats)
    assert second - first >= 0.6
    assert store.rows("select retry_after from completion_attempt") == [(0.6,)]


def test_a_request_longer_than_the_context_is_not_even_sent(
    store: Store, server: LLMServer
) -> None:
    answer = put(store, model(server, context=100), "word " * 200)
    assert (answer.outcome, answer.error_class) == ("error", "too_long")
    assert server.chats == []


# -- shapes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["schema", "object", "text"])
def test_a_shape_is_asked_for_in_the_way_the_endpoint_understands(mode: str, store: Store) -> None:
    taken = {"schema": "json_schema", "object": "json_object", "text": "text"}[mode]
    with LLMServer(json_modes=frozenset({taken})) as server:
        server.answer = lambda body: '{"same": true}'
        answer = put(store, model(server, json=mode), schema=Verdict)
        body = server.chats[0].body
    assert (answer.outcome, answer.value) == ("ok", Verdict(same=True))
    told = "JSON schema" in server.chats[0].said
    assert told == (mode != "schema")
    assert body.get("response_format", {}).get("type") == (None if mode == "text" else taken)


def test_an_endpoint_without_schemas_gives_an_error_that_says_so(store: Store) -> None:
    with LLMServer(json_modes=frozenset({"text"})) as server:
        answer = put(store, model(server), schema=Verdict)
    assert (answer.outcome, answer.error_class) == ("error", "bad_request")
    assert "json_schema is not supported" in answer.error


def test_a_wrong_shape_is_repaired_once_with_the_reason_told(
    store: Store, server: LLMServer
) -> None:
    server.push('{"same": "perhaps"}', 'Sorry: ```json\n{"same": false}\n```')
    answer = put(store, model(server), schema=Verdict)
    assert (answer.outcome, answer.value, answer.repaired) == ("ok", Verdict(same=False), True)
    assert len(answer.completions) == 2
    assert answer.cost == pytest.approx(0.004)
    roles = [message["role"] for message in server.chats[1].body["messages"]]
    assert roles == ["user", "assistant", "user"]
    assert "same: Input should be a valid boolean" in server.chats[1].said
    assert "response_format" in server.chats[1].body


def test_a_shape_that_is_wrong_twice_is_parse_failed_and_not_paid_for_again(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: "I would rather not say."
    answer = put(store, model(server), schema=Verdict)
    assert (answer.outcome, answer.value) == ("parse_failed", None)
    assert "no JSON object" in answer.error
    assert put(store, model(server), schema=Verdict, config="again").outcome == "parse_failed"
    assert len(server.chats) == 2


def test_json_cut_off_by_the_token_limit_is_truncated_and_not_repaired(
    store: Store, server: LLMServer
) -> None:
    server.push(Reply('{"same": tr', finish="length"))
    assert put(store, model(server), schema=Verdict).outcome == "truncated"
    assert len(server.chats) == 1


def test_nothing_said_where_a_shape_was_asked_for_is_repaired_too(
    store: Store, server: LLMServer
) -> None:
    server.push("", '{"same": true}')
    assert put(store, model(server), schema=Verdict).value == Verdict(same=True)
    # Many chat templates refuse two messages of one role in a row.
    [message] = server.chats[1].body["messages"]
    assert message["role"] == "user"
    assert "That answer cannot be used" in message["content"]


@pytest.mark.first_quick
@ON_BOTH
@pytest.mark.parametrize(
    "text", ["a\x00b", "half \ud83d pair", "x" * 100_000, "<script>1</script>"]
)
def test_strange_text_is_the_same_when_it_is_read_again(
    text: str, store: Store, server: LLMServer
) -> None:
    server.push(text)
    first = put(store, model(server))
    assert put(store, model(server), config="again").text == first.text
    assert len(server.chats) == 1


# -- the key -----------------------------------------------------------------------------------

KEY = "sesame-open-0123456789"


def test_the_key_is_sent_to_its_endpoint_and_is_nowhere_else(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("OPENAI_API_KEY", "not-for-this-endpoint")
    monkeypatch.setenv("OPENAI_ORG_ID", "not-for-this-endpoint")
    environ = {"DEMO_KEY": KEY}
    said: list[str] = []
    with LLMServer(key=KEY) as server:
        chosen = model(server, key_env="DEMO_KEY")
        # The endpoint repeats the key wherever it can.
        server.push(
            f"Your key is {KEY}.",
            Reply(status=400, message=f"bad request by {KEY}"),
            Reply(body=f'{{"error": "{KEY}"}}'.encode()),
            "Well.",
        )
        for text in ("one", "two", "three"):
            answer = put(store, chosen, text, environ=environ)
            said += [answer.text, answer.error]
        wrong = put(store, chosen, "four", environ={"DEMO_KEY": "another-key-987654"})
        said.append(wrong.error)
        sent = {one.headers["authorization"] for one in server.chats}
        assert all("not-for-this-endpoint" not in str(one.headers) for one in server.chats)
    assert sent == {f"Bearer {KEY}", "Bearer another-key-987654"}
    assert wrong.error_class == "auth"
    store.rows("checkpoint")
    files = [path.read_bytes() for path in Path(store.path).parent.iterdir() if path.is_file()]
    for secret in (KEY, "another-key-987654"):
        assert all(secret not in text for text in said)
        assert secret not in caplog.text
        assert all(secret.encode() not in content for content in files)
    assert any(b"Your key is [key]." in content for content in files)


def test_without_a_key_variable_no_key_is_taken_from_elsewhere(
    store: Store, server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    put(store, model(server))
    assert KEY not in str(server.chats[0].headers)


def test_what_cannot_be_a_key_is_refused_without_being_shown(
    store: Store, server: LLMServer
) -> None:
    for key in ("sesame open", "sésame-öffne", "sesame\nopen"):
        with pytest.raises(InvalidInput, match="The value of DEMO_KEY cannot be a key") as caught:
            put(store, model(server, key_env="DEMO_KEY"), environ={"DEMO_KEY": key})
        assert "sesame" not in str(caught.value)
    assert server.chats == []


def test_token_counts_beyond_belief_are_not_believed(store: Store, server: LLMServer) -> None:
    server.push(Reply("Yes.", usage={"prompt_tokens": 10**30, "completion_tokens": -5}))
    answer = put(store, model(server))
    assert answer.outcome == "ok"
    assert store.rows("select tokens_estimated, input_tokens < 100 from completion") == [
        (True, True)
    ]


def test_a_missing_key_stops_before_anything_is_asked(store: Store, server: LLMServer) -> None:
    with pytest.raises(InvalidInput, match="key of the model 'demo' is missing") as caught:
        put(store, model(server, key_env="DEMO_KEY"))
    assert "DEMO_KEY" in caught.value.hint
    assert server.chats == []


def test_the_log_and_the_meters_are_told_of_calls_and_not_of_what_was_said(
    store: Store, server: LLMServer
) -> None:
    written, counted = io.StringIO(), Meters()
    handler = logging.StreamHandler(written)
    handler.setFormatter(Formatter(as_json=True))
    root, events = logging.getLogger(), logging.getLogger("medlens.events")
    root.addHandler(handler)
    events.setLevel(logging.DEBUG)
    prometheus_metrics.set_metrics(counted)
    try:
        server.push(Reply("an ANSWER", usage={"prompt_tokens": 10, "completion_tokens": 2}))
        put(store, model(server, key_env="A_KEY"), "a QUESTION", environ={"A_KEY": "sk-KEY"})
        server.push(Reply(status=401, code="the KEY sk-KEY is wrong"))
        put(store, model(server, key_env="A_KEY"), "b QUESTION", environ={"A_KEY": "sk-KEY"})
    finally:
        root.removeHandler(handler)
        events.setLevel(logging.NOTSET)
        prometheus_metrics.set_metrics(None)
    told = [json.loads(line) for line in written.getvalue().splitlines()]
    calls = [(one["model"], one["outcome"]) for one in told if one["event"] == "model.call"]
    assert calls == [("demo", "ok"), ("demo", "auth")]
    assert not any(word in written.getvalue() for word in ("ANSWER", "QUESTION", "KEY"))
    value = counted.registry.get_sample_value
    assert value("medlens_model_cost_total", {"model": "demo"}) == pytest.approx(
        (10 * 10.0 + 2 * 50.0) / 1e6
    )
    assert value("medlens_model_call_seconds_count", {"model": "demo", "outcome": "auth"}) == 1
