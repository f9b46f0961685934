"""Endpoints that take less than OpenAI's, or answer more than an answer: told, and with the setting
that helps.
"""

from __future__ import annotations

import functools
import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel

from medlens import llm
from medlens.config.settings import Model
from medlens.errors import InvalidInput
from medlens.llm import cached_completions
from medlens.llm.forecast_of_calls_beyond_stored_answers import Foreseen
from medlens.llm.pipeline_declaration_forecast_and_run import (
    How,
    forecast_confirm_and_carry_out_run,
)
from medlens.llm.token_cost_forecast_and_budget import CostForecast
from medlens.store import Store
from tests.conftest import quick_or_deep
from tests.llm_server import LLMServer, Reply
from tests.llm_server import demo_model as model

PICTURE = "data:image/png;base64,iVBORw0KGgo="
QUICK = llm.RetryPolicy(attempts=2, base=0.01, cap=0.02)


class Verdict(BaseModel):
    same: bool


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


def asking(
    text: str,
    *,
    schema: type[BaseModel] | None = None,
    images: Sequence[str] = (),
    before: Sequence[llm.Message] = (),
    **parameters: Any,
) -> llm.Job:
    async def work(ask: llm.Ask) -> llm.Result:
        said = [*before, llm.make_user_message(text, images=images)]
        answer = await ask("demo", said, schema=schema, parameters=parameters)
        return llm.Result(answer.outcome, {"text": answer.text, "error": answer.error})

    return llm.Job(text, work)


def do(store: Store, chosen: Model, *jobs: llm.Job, **how: Any) -> llm.BatchReport:
    run = llm.open_or_resume_run_and_return_id(
        store, study="t", kind="k", config={}, made_by="test"
    )
    retries = how.pop("retries", QUICK)
    return llm.run_unfinished_jobs_of_run(
        store, jobs, run=run, models={"demo": chosen}, retries=retries, **how
    )


def refusing(*what: Callable[[dict[str, Any]], str]) -> Callable[[dict[str, Any]], Reply]:
    """An endpoint that answers 400 with the words of the first of ``what`` that has some."""

    def answer(body: dict[str, Any]) -> Reply:
        words = next(filter(None, (one(body) for one in what)), "")
        return Reply(status=400, message=words) if words else Reply('{"same": true}')

    return answer


def two_in_a_row(body: dict[str, Any]) -> str:
    roles = [one["role"] for one in body["messages"]]
    twice = any(first == second for first, second in pairwise(roles))
    return "Conversation roles must alternate user/assistant/user/assistant/..." if twice else ""


def system_message(body: dict[str, Any]) -> str:
    there = any(one["role"] == "system" for one in body["messages"])
    return "System role not supported" if there else ""


def parameter(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda body: f"Unsupported value: {name!r}" if name in body else ""


def image(body: dict[str, Any]) -> str:
    there = any(not isinstance(one["content"], str) for one in body["messages"])
    return "This model takes text only" if there else ""


def schema(body: dict[str, Any]) -> str:
    form = body.get("response_format", {}).get("type")
    return "response_format json_schema is unavailable now" if form == "json_schema" else ""


def any_form(body: dict[str, Any]) -> str:
    return "unknown field response_format" if "response_format" in body else ""


# -- roles and parameters ----------------------------------------------------------------------


@pytest.mark.first_quick
@pytest.mark.parametrize("mode", ["schema", "object", "text"])
def test_no_two_messages_of_one_role_follow_each_other_whatever_the_form(
    mode: str, store: Store, server: LLMServer
) -> None:
    server.answer = refusing(two_in_a_row)
    server.push("", '{"same": true}')
    chosen = model(server, json=mode, images=True)
    system = [llm.make_system_message("Judge.")]
    jobs = (
        asking("Is it so?", schema=Verdict, before=system),
        asking("And this?", schema=Verdict, images=[PICTURE], before=system),
        asking("Twice?", before=[llm.make_user_message("First.")]),
    )
    report = do(store, chosen, *jobs)
    assert report.outcomes == {"ok": 3}
    [joined] = [one.said for one in server.chats if one.said.startswith("First.")]
    assert joined == "First.\n\nTwice?"


def test_a_model_without_system_messages_gets_them_in_front_of_the_question(
    store: Store, server: LLMServer
) -> None:
    server.answer = refusing(two_in_a_row, system_message)
    job = asking("Is it so?", before=[llm.make_system_message("You are a patient.")])
    report = do(store, model(server, system_messages=False), job)
    assert report.outcomes == {"ok": 1}
    assert server.chats[0].said == "You are a patient.\n\nIs it so?"


def test_parameters_that_the_endpoint_refuses_are_never_sent(
    store: Store, server: LLMServer
) -> None:
    server.answer = refusing(parameter("temperature"), parameter("max_tokens"))
    chosen = model(
        server,
        unsupported_parameters=("temperature", "max_tokens"),
        parameters={"max_completion_tokens": 4000},
    )
    assert do(store, chosen, asking("Why?", temperature=0, max_tokens=300)).outcomes == {"ok": 1}
    assert server.chats[0].body["max_completion_tokens"] == 4000


# -- what the first call of a run finds out ------------------------------------------------------


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("refused", "how", "setting"),
    [
        (schema, {"schema": Verdict}, 'json = "object"'),
        (any_form, {"schema": Verdict}, 'json = "text"'),
        (parameter("temperature"), {"temperature": 0}, 'unsupported_parameters = ["temperature"]'),
        (parameter("max_tokens"), {"max_tokens": 300}, "max_completion_tokens = 4000"),
        (
            system_message,
            {"before": [llm.make_system_message("Judge.")]},
            "system_messages = false",
        ),
        (image, {"images": [PICTURE]}, "images = false"),
    ],
    ids=["schema", "form", "temperature", "max_tokens", "system", "image"],
)
def test_a_run_that_the_endpoint_refuses_ends_at_once_with_the_setting_that_helps(
    refused: Callable[[dict[str, Any]], str],
    how: dict[str, Any],
    setting: str,
    store: Store,
    server: LLMServer,
) -> None:
    server.answer = refusing(refused)
    jobs = [asking(f"Question {at}", **how) for at in range(30)]
    report = do(store, model(server, images=True), *jobs)
    assert report.stopped
    assert setting in report.report_in_one_line()
    assert "under [models.demo] in medlens.toml" in report.report_in_one_line()
    # One request and what it took to find out, not thirty.
    assert len(server.chats) < 10


def test_several_things_that_an_endpoint_refuses_are_named_together(
    store: Store, server: LLMServer
) -> None:
    server.answer = refusing(parameter("temperature"), any_form)
    report = do(store, model(server), asking("Why?", schema=Verdict, temperature=0))
    assert 'json = "text"' in report.reason
    assert 'unsupported_parameters = ["temperature"]' in report.reason


def test_a_first_item_that_is_refused_for_its_own_sake_does_not_end_the_run(
    store: Store, server: LLMServer
) -> None:
    server.answer = refusing(
        lambda body: "invalid character" if "odd" in str(body["messages"]) else ""
    )
    report = do(store, model(server), asking("an odd one"), *(asking(f"q{n}") for n in range(9)))
    assert (report.outcomes, report.stopped) == ({"error": 1, "ok": 9}, False)


@pytest.mark.first_quick
@pytest.mark.parametrize("status", [400, 404])
def test_images_that_an_endpoint_refuses_do_not_end_the_items_without(
    status: int, store: Store, server: LLMServer
) -> None:
    def answer(body: dict[str, Any]) -> Reply:
        words = image(body) and "No endpoints found that support image input"
        return Reply(status=status, message=words) if words else Reply("Yes.")

    server.answer = answer
    with_images = [asking(f"picture {at}", images=[PICTURE]) for at in range(40)]
    without = [asking(f"text {at}") for at in range(40)]
    chosen = model(server, images=True, concurrency=4)
    report = do(store, chosen, *with_images, *without)
    assert report.outcomes == {"error": 40, "ok": 40}
    assert report.stopped
    assert "with images: " in report.reason
    assert "images = false" in report.reason
    pictures = [one for one in server.chats if "picture" in str(one.body["messages"])]
    assert len(pictures) < 5


def test_replies_that_only_call_a_tool_are_told(store: Store, server: LLMServer) -> None:
    call = {"function": {"name": "search", "arguments": "{}"}}
    choice = {"message": {"content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}
    server.push(Reply(body=json.dumps({"choices": [choice]}).encode()))
    report = do(store, model(server), asking("Why?"))
    assert report.outcomes == {"empty": 1}
    assert any("1 replies only called a tool" in caution for caution in report.cautions)
    kept = store.rows("select text, reasoning from completion")
    assert kept == [("", "It called a tool instead of answering: search({})")]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (
            {"context_length": 8192, "pricing": {"prompt": "0.0000025", "completion": "0.00001"}},
            ("demo: input_price = 2.5, output_price = 10", "demo: context = 8192"),
        ),
        ({"max_model_len": 4096}, ("demo: context = 4096",)),
        ({"pricing": {"input": 0.2, "output": 0.6}}, ("input_price = 0.2, output_price = 0.6",)),
        ({"pricing": {"prompt": "free"}, "context_length": "long"}, ()),
        ({"id": "another", "context_length": 8192}, ()),
    ],
    ids=["router", "own server", "per million", "nonsense", "another model"],
)
def test_what_the_endpoint_says_of_a_model_without_prices_is_told_as_settings(
    entry: dict[str, Any],
    told: tuple[str, ...],
    store: Store,
    server: LLMServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Another test's server may have had the same port.
    monkeypatch.setattr(cached_completions, "_looked_up", set())
    server.listed = [{"id": "demo"} | entry]
    report = do(store, model(server, input_price=None), asking("Why?"), asking("And why?"))
    assert len(report.cautions) == len(told)
    assert all(words in report.report_in_one_line() for words in told)
    # It is looked up once, and where prices are set not at all.
    for again in (model(server, input_price=None), model(server)):
        server.seen.clear()
        do(store, again, asking(f"Once more? {again.input_price}"))
        assert [one.path for one in server.seen] == ["/v1/chat/completions"]


# -- how a run ends --------------------------------------------------------------------------


def test_a_dead_endpoint_ends_as_stopped_because_the_model_did_not_answer(store: Store) -> None:
    nobody = Model.model_validate({"base_url": "http://127.0.0.1:9/v1", "model": "demo"})
    for jobs in (4, 60):
        report = do(
            store,
            nobody,
            *(asking(f"{jobs} {at}") for at in range(jobs)),
            retries=llm.RetryPolicy(attempts=1),
        )
        assert report.stopped
        assert report.report_in_one_line().startswith(f"Stopped: 0 of {jobs} done")
        assert "did not answer" in report.reason
        assert "the connection failed or was cut" in report.reason


def test_a_cap_that_cannot_be_kept_is_refused_before_anything_is_planned(
    store: Store, server: LLMServer
) -> None:
    asked: list[CostForecast] = []

    def confirm(expected: CostForecast) -> bool:
        asked.append(expected)
        return True

    unpriced = model(server, input_price=None)
    with pytest.raises(InvalidInput, match="has no prices"):
        forecast_confirm_and_carry_out_run(
            store,
            study="t",
            kind="k",
            config={},
            models={"demo": unpriced},
            jobs=lambda run: [asking("Why?")],
            left=Foreseen((), 0),
            how=How(spending_cap=1.0, confirm=confirm),
        )
    assert asked == []
    assert server.chats == []
    assert store.value("select count(*) from run") == 0


def test_answers_that_were_stored_as_unusable_and_are_used_again_are_told(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply("", finish="stop")
    do(store, model(server), asking("Why?"))
    again = llm.open_or_resume_run_and_return_id(
        store, study="t", kind="k", config={"n": 2}, made_by="test"
    )
    report = llm.run_unfinished_jobs_of_run(
        store, [asking("Why?")], run=again, models={"demo": model(server)}, retries=QUICK
    )
    assert "1 answers stored before (1 of them unusable then as now)" in report.report_in_one_line()


def test_a_stored_answer_that_cannot_be_read_now_either_is_told_too(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: "It depends."
    for n, told in enumerate(("", " (1 of them unusable then as now)")):
        run = llm.open_or_resume_run_and_return_id(
            store, study="t", kind="k", config={"n": n}, made_by="test"
        )
        models = {"demo": model(server)}
        job = asking("Why?", schema=Verdict)
        line = llm.run_unfinished_jobs_of_run(
            store, [job], run=run, models=models, retries=QUICK
        ).report_in_one_line()
        assert ("answers stored before" in line) == bool(told)
        assert told in line


# -- bodies as they really are --------------------------------------------------------------------


def whole(content: Any = "Yes, Müller.", **more: Any) -> bytes:
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return json.dumps({"choices": [choice], **more}, ensure_ascii=False).encode()


STREAM = "".join(
    f"data: {json.dumps({'choices': [{'delta': {'content': piece}, 'finish_reason': reason}]})}\n\n"
    for piece, reason in (("Yes, ", None), ("Müller.", None), ("", "stop"))
)
OTHER = {"index": 1, "finish_reason": "stop", "message": {"content": "No."}}


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + whole(),
        whole().decode().encode("cp1252"),
        whole().decode().encode("utf-16"),
        b"\n\n  \n" + whole(),
        b": PROCESSING\n\n: PROCESSING\n\n" + whole(),
        b"[" + whole() + b"]",
        b'{"data": ' + whole() + b"}",
        whole() + b"\n{}",
        whole([{"type": "text", "text": "Yes, "}, {"type": "text", "text": "Müller."}]),
        json.dumps({"choices": [{"text": "Yes, Müller.", "finish_reason": "stop"}]}).encode(),
        json.dumps({"choices": [OTHER, json.loads(whole())["choices"][0]]}).encode(),
        f"{STREAM}data: [DONE]\n\n".encode(),
        f": ping\n\nevent: message\n{STREAM}".encode(),
    ],
    ids=[
        *("byte order mark", "one byte a letter", "utf-16", "spaces", "comments", "list", "nested"),
        *("trailing", "parts", "text", "second first", "stream", "stream with pings"),
    ],
)
def test_a_reply_is_read_in_whatever_body_it_comes(
    body: bytes, store: Store, server: LLMServer
) -> None:
    server.answer = lambda _: Reply(body=body)
    assert do(store, model(server), asking("Why?")).outcomes == {"ok": 1}
    assert store.column("select text from completion") == ["Yes, Müller."]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("body", "error_class", "detail"),
    [
        (
            b"<html><body>502 Bad gateway</body></html>",
            "bad_response",
            "a web page ('502 Bad gateway') was sent",
        ),
        (b"", "bad_response", "the body is empty"),
        (b'{"choices":' + b"[" * 5000, "bad_response", "is not JSON"),
        (b'{"detail": "Rate limit exceeded"}', "rate_limited", "Rate limit exceeded"),
        (b'{"message": "insufficient credits"}', "no_money", "insufficient credits"),
        (b'{"error": "model overloaded"}', "server", "model overloaded"),
        (STREAM.partition('"stop"')[0].rpartition("data:")[0].encode(), "server", "broke off"),
    ],
    ids=["html", "empty", "deep", "detail", "message", "error", "stream that was cut"],
)
def test_a_body_that_is_no_reply_says_what_it_is(
    body: bytes, error_class: str, detail: str, store: Store, server: LLMServer
) -> None:
    server.answer = lambda _: Reply(body=body)
    do(store, model(server), asking("Why?"), retries=llm.RetryPolicy(attempts=1))
    [(found, words)] = store.rows("select error_class, detail from completion_attempt")
    assert (found, detail in words) == (error_class, True), words


# -- prompts that were cut -----------------------------------------------------------------------


def usage(prompt: int) -> dict[str, int]:
    return {"prompt_tokens": prompt, "completion_tokens": 20, "total_tokens": prompt + 20}


@pytest.mark.parametrize(
    ("counted", "cut"),
    [(2048, True), (4500, False), (9000, False)],
    ids=["a window of 2,048", "a frugal tokenizer", "a lavish one"],
)
def test_a_prompt_of_which_the_endpoint_read_only_a_part_is_told(
    counted: int, cut: bool, store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply("Yes.", usage=usage(counted))
    text = "The patient was seen in the clinic on Monday. " * 600  # about 6,900 tokens
    report = do(store, model(server), asking(text))
    assert ("prompts seem to have been cut" in report.report_in_one_line()) is cut
    assert len(report.cautions) == cut


def test_a_short_prompt_or_one_without_a_count_is_never_said_to_be_cut(
    store: Store, server: LLMServer
) -> None:
    server.push(Reply("Yes.", usage=usage(1)), Reply("Yes.", usage=None))
    report = do(store, model(server), asking("Why?"), asking("And " * 3000))
    assert report.cautions == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [("<think>It may be gout, or", True), ("", True), ("It is gout, bec", False)],
)
def test_a_reply_that_was_cut_while_the_model_was_thinking_says_what_helps(
    text: str, told: bool, store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply(text, finish="length")
    report = do(store, model(server), asking("Why?", max_tokens=300))
    assert ("a model that thinks needs more room" in report.report_in_one_line()) is told


def test_a_reason_to_end_that_nobody_knows_is_named(store: Store, server: LLMServer) -> None:
    server.answer = lambda body: Reply("Yes.", finish="tea_break")
    report = do(store, model(server), asking("Why?"), asking("And why?"))
    assert "2 replies ended for a reason that MedLens does not know" in report.report_in_one_line()
    assert "(finish_reason tea_break)" in report.report_in_one_line()


def test_replies_that_do_not_say_whether_they_are_whole_are_told(
    store: Store, server: LLMServer
) -> None:
    def body(reason: str) -> bytes:
        choice = f'{{"message": {{"content": "A"}}{reason}}}'
        return f'{{"choices": [{choice}]}}'.encode()

    null, absent, given = ', "finish_reason": null', "", ', "finish_reason": "stop"'
    told = "replies do not say whether they are whole"
    for n, (reasons, missing) in enumerate(
        [((null, null), 2), ((absent, absent), 0), ((absent, given), 1), ((given, absent), 1)]
    ):
        waiting = iter(reasons)
        server.answer = lambda _, left=waiting: Reply(body=body(next(left)))
        report = do(store, model(server), asking(f"Why {n}?"), asking(f"How {n}?"))
        assert (f"{missing} {told}" in report.report_in_one_line()) is (missing > 0)
        assert (told in report.report_in_one_line()) is (missing > 0)


# -- answers that are larger than any answer -----------------------------------------------------


def packed(form: str, content: bytes) -> bytes:
    if form == "gzip":
        return gzip.compress(content, 9)
    raw = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS if form == "raw" else zlib.MAX_WBITS)
    return raw.compress(content) + raw.flush()


@functools.cache
def bomb(form: str) -> bytes:
    """200 MB in a fifth of one, made once: that takes longer than the tests of it."""
    return packed(form, b'{"choices": [' + b" " * 200_000_000)


@pytest.mark.deep
@pytest.mark.parametrize("form", quick_or_deep("gzip", "zlib", "raw"))
@pytest.mark.parametrize("status", [200, 500])
def test_two_megabytes_that_unpack_to_gigabytes_are_given_up(
    form: str, status: int, store: Store, server: LLMServer
) -> None:
    encoding = "gzip" if form == "gzip" else "deflate"
    headers = {"content-encoding": encoding}
    server.answer = lambda body: Reply(status=status, headers=headers, body=bomb(form))
    report = do(store, model(server), asking("Why?"))
    assert report.outcomes == {"error": 1}
    [(error_class, detail)] = store.rows("select error_class, detail from completion_attempt")
    assert error_class == "too_large"
    assert "more than 8 MB" in detail


@pytest.mark.first_quick
@pytest.mark.parametrize("form", ["gzip", "zlib", "raw"])
def test_a_packed_answer_of_usual_size_is_read(form: str, store: Store, server: LLMServer) -> None:
    whole = b'{"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]}'
    headers = {"content-encoding": "gzip" if form == "gzip" else "deflate"}
    server.answer = lambda body: Reply(headers=headers, body=packed(form, whole))
    do(store, model(server), asking("Why?"))
    assert store.column("select text from completion") == ["Yes."]


@pytest.mark.parametrize(
    ("encoding", "error_class"), [("br", "too_large"), ("gzip", "bad_response")]
)
def test_what_cannot_be_unpacked_is_a_fault_that_says_so(
    encoding: str, error_class: str, store: Store, server: LLMServer
) -> None:
    headers = {"content-encoding": encoding}
    server.answer = lambda body: Reply(headers=headers, body=b"neither of both")
    do(store, model(server), asking("Why?"))
    assert store.column("select distinct error_class from completion_attempt") == [error_class]
