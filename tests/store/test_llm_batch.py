"""Batches against a real server: order, limits, caps, stopping, killing and going on."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from medlens import llm
from medlens.config.settings import Model
from medlens.errors import InvalidInput, StoreUnavailable
from medlens.llm import completion_run_and_job_queries, runs
from medlens.llm.cached_completions import CallRateLimiter
from medlens.llm.client import ModelClient
from medlens.llm.endpoint_faults import Fault
from medlens.llm.runs import current_state_name_of_run, load_run_or_refuse
from medlens.store import Store, utc_now
from tests.children import Child
from tests.llm_server import LLMServer, Reply
from tests.store.llm_driver import dialogue, go

QUICK = llm.RetryPolicy(attempts=2, base=0.01, cap=0.02)


ON_BOTH = pytest.mark.parametrize(
    "engine",
    ["duckdb", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.deep])],
    indirect=True,
)


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


def model(server: LLMServer, **other: Any) -> Model:
    given = {"base_url": server.url, "model": "demo", "input_price": 10.0, "output_price": 50.0}
    return Model.model_validate(given | other)


def question(text: str, *, name: str = "demo") -> llm.Job:
    async def work(ask: llm.Ask) -> llm.Result:
        answer = await ask(name, [llm.make_user_message(text)])
        return llm.Result(answer.outcome, {"text": answer.text})

    return llm.Job(text, work)


def run_of(store: Store, config: str = "") -> str:
    return llm.open_or_resume_run_and_return_id(
        store, study="t", kind="k", config={"c": config}, made_by="test"
    )


def do(store: Store, chosen: Model, jobs: Sequence[llm.Job], **how: Any) -> llm.BatchReport:
    run = how.pop("run", "") or run_of(store)
    return llm.run_unfinished_jobs_of_run(
        store, jobs, run=run, models={"demo": chosen}, retries=how.pop("retries", QUICK), **how
    )


@ON_BOTH
def test_many_jobs_are_done_at_once_and_never_more_than_allowed(
    store: Store, server: LLMServer
) -> None:
    server.latency = 0.02
    jobs = [question(f"q{number}") for number in range(40)]
    report = do(store, model(server, concurrency=5), jobs)
    assert (report.stopped, report.outcomes, report.calls) == (False, {"ok": 40}, 40)
    # 40 calls, each 100 tokens in at 10 and 20 out at 50 per million: 0.002
    assert report.cost == pytest.approx(0.08)
    assert server.most_at_once == 5
    assert "40 of 40 done; 40 calls" in report.report_in_one_line()
    assert "cost of the run 0.08" in report.report_in_one_line()
    found = completion_run_and_job_queries.list_job_results_of_run_kind(store, study="t", kind="k")
    assert {row["job"] for row in found} == {f"q{number}" for number in range(40)}


def test_a_dialogue_keeps_its_order_while_others_go_on(store: Store, server: LLMServer) -> None:
    server.answer = lambda body: Reply(f"answer {len(body['messages']) // 2}", delay=0.01)
    report = go(store, server.url, dialogues=6, turns=4)
    assert report.outcomes == {"done": 6}
    found = completion_run_and_job_queries.list_job_results_of_run_kind(
        store, study="t", kind="dialogues"
    )
    assert len(found) == 6
    for row in found:
        assert row["body"]["said"] == ["answer 1", "answer 2", "answer 3", "answer 4"]
    assert len(server.chats) == 24


def test_the_same_question_in_two_jobs_is_paid_for_once(store: Store, server: LLMServer) -> None:
    server.latency = 0.05

    def twin(key: str) -> llm.Job:
        return llm.Job(key, question("the same").work)

    report = do(store, model(server), [twin("a"), twin("b"), twin("c")])
    assert (report.outcomes, len(server.chats)) == ({"ok": 3}, 1)


def test_one_job_that_fails_does_not_stop_the_others_and_is_tried_again_later(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: (
        Reply(status=500) if body["messages"][0]["content"] == "q3" else "Fine."
    )
    jobs = [question(f"q{number}") for number in range(6)]
    report = do(store, model(server), jobs)
    assert report.outcomes == {"ok": 5, "error": 1}
    assert "1 without an answer" in report.report_in_one_line()
    server.answer = lambda body: "Fine."
    before = len(server.chats)
    again = do(store, model(server), jobs)
    assert again.outcomes == {"ok": 6}
    assert len(server.chats) == before + 1
    assert store.rows("select count(*) from run") == [(1,)]
    assert store.rows("select revision, outcome from run_item where job = 'q3' order by 1") == [
        (1, "error"),
        (2, "ok"),
    ]


def test_answers_that_cannot_be_used_are_counted_beside_those_that_can(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply(
        finish="length" if body["messages"][0]["content"] in ("q1", "q2") else "stop"
    )
    report = do(store, model(server), [question(f"q{number}") for number in range(5)])
    assert report.report_in_one_line().startswith(
        "5 of 5 done (2 of these without a usable answer); "
    )
    [run] = completion_run_and_job_queries.list_current_runs(store, study="t", limit=5, offset=0)
    assert (run["done"], run["unusable"], run["failed"]) == (5, 2, 0)


def test_a_refused_key_is_found_out_once_and_not_by_every_job(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply(status=401)
    report = do(store, model(server, concurrency=1), [question(f"q{n}") for n in range(20)])
    # What was not asked is left, to be done once the key is right.
    assert (report.outcomes, report.count_jobs_left, report.stopped) == ({"error": 1}, 19, True)
    assert (
        report.reason
        == "the model 'demo' did not answer (the key or the account was refused: HTTP 401 error)"
    )
    assert len(server.chats) == 1


def test_a_run_in_which_one_answer_is_usable_has_a_result(store: Store, server: LLMServer) -> None:
    server.push(Reply("Half an", finish="length"), Reply("", finish="stop"))
    jobs = [question(f"q{n}") for n in range(3)]
    report = do(store, model(server, concurrency=1), jobs)
    assert report.outcomes == {"truncated": 1, "empty": 1, "ok": 1}
    assert not report.is_without_usable_answer
    assert report.report_in_one_line().startswith(
        "3 of 3 done (2 of these without a usable answer)"
    )


def test_a_run_without_a_usable_answer_is_no_finished_one(store: Store, server: LLMServer) -> None:
    server.push(Reply("", finish="stop"), Reply("Half an", finish="length"))
    run = run_of(store)
    report = do(store, model(server, concurrency=1), [question("q1"), question("q2")], run=run)
    assert report.is_without_usable_answer
    assert report.report_in_one_line().startswith("Without result: 2 of 2 done")
    row = load_run_or_refuse(store, run)
    assert row["reason"].startswith("no answer could be used (1 cut off, 1 empty)")
    assert current_state_name_of_run(row) == "unusable"


@pytest.mark.parametrize("said", ["", " \n", "<think>Let me see.</think>"])
def test_a_run_to_which_only_empty_replies_came_was_not_answered(
    store: Store, server: LLMServer, said: str
) -> None:
    server.answer = lambda body: Reply(said)
    run, jobs = run_of(store), [question("q1"), question("q2")]
    # Whoever starts it again, with nothing left to ask, is told the same.
    for _ in range(2):
        report = do(store, model(server), jobs, run=run)
        assert report.stopped
        assert report.report_in_one_line().startswith(
            "Stopped: 2 of 2 done (2 of these without a usable answer)"
        )
        row = load_run_or_refuse(store, run)
        assert row["reason"].startswith("the model did not answer: all that came was empty")
        assert current_state_name_of_run(row) == "stopped"
    assert len(server.chats) == 2


FORBIDDEN = Reply(status=403, body=b"<html><body>Request blocked.</body></html>")


def test_a_403_that_says_nothing_ends_a_run_that_it_met_from_the_start(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: FORBIDDEN
    report = do(store, model(server, concurrency=1), [question(f"q{n}") for n in range(20)])
    assert (report.outcomes, report.count_jobs_left, report.stopped) == ({"error": 3}, 17, True)
    assert "none of 3 calls was allowed" in report.reason


def test_a_403_that_says_nothing_is_of_one_text_once_others_were_answered(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply() if body["messages"][-1]["content"] == "q0" else FORBIDDEN
    report = do(store, model(server, concurrency=1), [question(f"q{n}") for n in range(9)])
    assert (report.outcomes, report.count_jobs_left) == ({"ok": 1, "error": 8}, 0)


def test_an_address_that_is_not_there_is_told_with_the_one_of_the_service(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply(status=404, message="not found")
    fault = Fault("not_found", "HTTP 404  not found.", 0.1)
    anthropic = ModelClient("a", model(server, base_url="https://api.anthropic.com"), "")
    assert (
        'set base_url = "https://api.anthropic.com/v1"'
        in anthropic.add_address_advice_to_fault(fault).detail
    )
    report = do(store, model(server), [question("q1")])
    assert report.reason.endswith("does not know this model or address: HTTP 404 error not found)")


def test_a_server_that_is_down_is_given_up_after_a_number_of_calls_in_a_row(
    store: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply(status=503)
    retries = llm.RetryPolicy(attempts=1, in_a_row=5)
    jobs = [question(f"q{n}") for n in range(50)]
    report = do(store, model(server, concurrency=1), jobs, retries=retries)
    assert (report.outcomes, len(server.chats), report.stopped) == ({"error": 5}, 5, True)
    assert (
        "did not answer (5 calls in a row failed: the endpoint had an error"
        in report.report_in_one_line()
    )


def test_one_model_that_is_down_does_not_stop_another(store: Store, server: LLMServer) -> None:
    down = model(server, base_url="http://127.0.0.1:9/v1")
    jobs = [question(f"q{n}", name="demo" if n % 2 else "down") for n in range(20)]
    report = llm.run_unfinished_jobs_of_run(
        store,
        jobs,
        run=run_of(store),
        models={"demo": model(server), "down": down},
        retries=llm.RetryPolicy(attempts=1, in_a_row=3),
    )
    assert report.outcomes == {"ok": 10, "error": 10}


# -- limits, caps ------------------------------------------------------------------------------


@pytest.mark.deep
def test_the_rate_limit_is_shared_by_all_jobs(
    store: Store, server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    reserve = CallRateLimiter.reserve_call_and_return_wait

    def note(self: CallRateLimiter, tokens: int) -> float:
        asked.append(time.monotonic())
        return reserve(self, tokens)

    monkeypatch.setattr(CallRateLimiter, "reserve_call_and_return_wait", note)
    # 1,200 a minute are 20 a second: 21 calls take one second or more, however many at once.
    chosen = model(server, requests_per_minute=1200, concurrency=32)
    do(store, chosen, [question(f"q{number}") for number in range(21)])
    times = sorted(one.at for one in server.chats)
    assert len(times) == len(asked) == 21
    # None comes before its turn; on a busy machine some come late, several at once.
    assert min(at - min(asked) - n / 20 for n, at in enumerate(times)) > -0.01


@pytest.mark.deep
def test_the_token_limit_slows_down_by_what_was_really_used(
    store: Store, server: LLMServer
) -> None:
    # Each call is counted as 120 tokens by the server: 12,000 a minute are 5 calls in 3 s.
    chosen = model(server, tokens_per_minute=12_000, concurrency=1)
    begun = time.monotonic()
    do(store, chosen, [question(f"q{number}") for number in range(4)])
    assert time.monotonic() - begun >= 1.5


@ON_BOTH
def test_a_spending_cap_stops_cleanly_and_keeps_what_was_done(
    store: Store, server: LLMServer
) -> None:
    # A call costs 0.002; with max_tokens 20 the next one is expected to cost about as much.
    chosen = model(server, concurrency=4, parameters={"max_tokens": 20})
    jobs = [question(f"q{number} " + "x" * 380) for number in range(30)]
    report = do(store, chosen, jobs, spending_cap=0.0211)
    assert report.stopped
    assert report.outcomes == {"ok": 10}
    assert report.cost == pytest.approx(0.02)
    assert report.count_jobs_left == 20
    assert "spending cap of 0.0211 was reached" in report.reason
    [row] = completion_run_and_job_queries.list_current_runs(store, study="t", limit=5, offset=0)
    assert (row["state"], row["done"], row["cost"]) == ("stopped", 10, pytest.approx(0.02))
    # The cap is the run's: the same one lets nothing more through, a higher one goes on.
    assert do(store, chosen, jobs, spending_cap=0.0211).calls == 0
    assert do(store, chosen, jobs, spending_cap=1.0).outcomes == {"ok": 30}
    assert max(server.answered().values()) == 1


def test_a_cap_without_prices_is_refused(store: Store, server: LLMServer) -> None:
    with pytest.raises(InvalidInput, match="has no prices"):
        do(store, model(server, input_price=None), [question("q")], spending_cap=1.0)
    assert server.chats == []


# -- stopping, killing, going on ---------------------------------------------------------------


@ON_BOTH
def test_stopped_by_hand_it_waits_for_open_calls_and_goes_on_later(
    store: Store, server: LLMServer
) -> None:
    server.latency = 0.15
    stop = threading.Event()
    jobs = [dialogue(f"d{number}", 3) for number in range(12)]

    def watch(progress: llm.BatchProgress) -> None:
        if progress.calls >= 6:
            stop.set()

    report = do(store, model(server, concurrency=4), jobs, stop=stop, on_progress=watch)
    assert report.stopped
    assert report.reason == "it was stopped by hand"
    assert report.count_jobs_left > 0
    stored = store.rows("select count(*) from completion")[0][0]
    assert stored == sum(server.answered().values()) == report.calls
    again = do(store, model(server, concurrency=4), jobs)
    assert again.outcomes == {"done": 12}
    assert max(server.answered().values()) == 1
    assert sum(server.answered().values()) == 36


@pytest.mark.deep
def test_stopping_does_not_wait_for_a_long_retry_after(store: Store, server: LLMServer) -> None:
    server.answer = lambda body: Reply(status=429, headers={"Retry-After": "60"})
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    begun = time.monotonic()
    report = do(store, model(server), [question("q")], stop=stop)
    assert (report.stopped, report.count_jobs_left) == (True, 1)
    assert time.monotonic() - begun < 60 / 2


@pytest.mark.deep
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_a_random_moment_it_repeats_no_stored_call_and_loses_no_outcome(
    seed: int, tmp_path: Path
) -> None:
    path = tmp_path / "store.duckdb"
    with LLMServer(latency=0.05) as server:
        server.answer = lambda body: f"I am fine, {len(body['messages'])}."
        words = (str(path), server.url, "20", "6")
        child = Child("tests.store.llm_driver", *words, module=True)
        # A dialogue's next call waits until the last one is stored: of 25 in 20, some are.
        while sum(server.answered().values()) < 25:
            assert child.poll() is None
            time.sleep(0.01)
        time.sleep(random.Random(seed).uniform(0, 0.3))
        child.send_signal(signal.SIGKILL)
        child.communicate()
        store = Store(path)
        kept = {text for (text,) in store.rows("select messages from completion")}
        outcomes = completion_run_and_job_queries.job_outcomes_by_key(
            store, store.rows("select id from run")[0][0]
        )
        first = sum(server.answered().values())
        assert 0 < len(kept) <= first
        # A dialogue's next call waits until the last one is stored: one each of 20 may be lost.
        assert first - len(kept) <= 20
        server.seen.clear()
        report = go(store, server.url, 20, 6)
        assert report.outcomes == {"done": 20}
        assert (
            len(
                completion_run_and_job_queries.job_outcomes_by_key(
                    store, store.rows("select id from run")[0][0]
                )
            )
            == 20
        )
        asked = [one.body["messages"] for one in server.chats]
        assert len(asked) == 120 - len(kept)
        known = {str(dict(enumerate(m["content"] for m in one))) for one in asked}
        assert len(known) == len(asked)
        [row] = completion_run_and_job_queries.list_current_runs(
            store, study="t", limit=5, offset=0
        )
        assert (row["state"], row["done"], row["calls"]) == ("finished", 20, 120)
        assert set(outcomes) <= {f"d{number}" for number in range(20)}
        store.close()


def test_a_store_that_fails_ends_the_batch_with_the_stores_error(
    store: Store, server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Store.append_all_and_count_new_by_table

    def full(self: Store, batch: Any) -> Any:
        if "completion" in batch and self.rows("select count(*) from completion")[0][0] >= 1:
            raise StoreUnavailable("The disk is full.")
        return real(self, batch)

    monkeypatch.setattr(Store, "append_all_and_count_new_by_table", full)
    with pytest.raises(StoreUnavailable, match="disk is full"):
        do(store, model(server, concurrency=1), [question(f"q{n}") for n in range(10)])
    assert (
        completion_run_and_job_queries.list_events_of_run(
            store, store.rows("select id from run")[0][0]
        )[-1]["kind"]
        == "failed"
    )


def test_a_fault_in_a_job_is_raised_and_what_others_did_is_kept(
    store: Store, server: LLMServer
) -> None:
    async def broken(ask: llm.Ask) -> llm.Result:
        await ask("demo", [llm.make_user_message("first")])
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        do(store, model(server), [llm.Job("broken", broken)])
    assert store.rows("select count(*) from completion") == [(1,)]


def test_a_fault_in_what_watches_is_raised_and_does_not_pass_unseen(
    store: Store, server: LLMServer
) -> None:
    def broken(progress: llm.BatchProgress) -> None:
        raise ZeroDivisionError

    server.latency = 0.2
    with pytest.raises(ZeroDivisionError):
        do(store, model(server), [question("q")], on_progress=broken)


def test_a_run_cannot_be_started_twice_at_once(store: Store, server: LLMServer) -> None:
    server.latency = 0.5
    run = run_of(store)
    first = threading.Thread(
        target=do, args=(store, model(server), [question("q")]), kwargs={"run": run}
    )
    first.start()
    while not server.chats:
        time.sleep(0.01)
    with pytest.raises(InvalidInput, match="already in progress"):
        do(store, model(server), [question("q")], run=run)
    first.join()


def test_two_jobs_of_one_key_are_refused(store: Store, server: LLMServer) -> None:
    with pytest.raises(InvalidInput, match="same key"):
        do(store, model(server), [question("q"), question("q")])


# -- what is shown -----------------------------------------------------------------------------


@pytest.mark.deep
def test_progress_says_how_far_how_fast_and_how_dear(store: Store, server: LLMServer) -> None:
    server.latency = 0.1
    seen: list[llm.BatchProgress] = []
    jobs = [question(f"q{number}") for number in range(30)]
    do(
        store,
        model(server, concurrency=4),
        jobs,
        on_progress=seen.append,
        expected_cost=0.05,
    )
    assert (seen[0].done, seen[0].expected_cost, seen[0].seconds_left) == (0, 0.05, None)
    middle = next(one for one in seen if 0 < one.done < 30)
    assert middle.rate > 0
    assert middle.seconds_left is not None
    assert middle.seconds_left > 0
    # Every call costs 0.002, so the whole is foreseen exactly.
    assert middle.expected_cost == pytest.approx(0.06)
    assert f"{middle.done} of 30 done" in middle.progress_in_one_line()
    assert (seen[-1].done, seen[-1].cost) == (30, pytest.approx(0.06))


def test_a_runs_state_is_told_from_its_events(store: Store, server: LLMServer) -> None:
    run = run_of(store)
    assert runs.current_state_name_of_run(runs.load_run_or_refuse(store, run)) == "new"
    do(store, model(server), [question("q")])
    assert runs.current_state_name_of_run(runs.load_run_or_refuse(store, run)) == "finished"
    assert [
        one["kind"] for one in completion_run_and_job_queries.list_events_of_run(store, run)
    ] == [
        "started",
        "finished",
    ]
    assert completion_run_and_job_queries.list_events_of_run(store, run)[-1]["counts"][
        "outcomes"
    ] == {"ok": 1}
    other = run_of(store)
    assert other != run
    store.append("run_event", runs.make_run_event_row(other, "started", {}))
    assert runs.current_state_name_of_run(runs.load_run_or_refuse(store, other)) == "running"
    later = utc_now() + timedelta(minutes=5)
    assert (
        runs.current_state_name_of_run(runs.load_run_or_refuse(store, other), now=later)
        == "interrupted"
    )
    assert run_of(store) == other
    with pytest.raises(InvalidInput, match="no such run"):
        runs.load_run_or_refuse(store, "nothing")


# -- batch jobs of the endpoint ----------------------------------------------------------------


def requests(chosen: Model, count: int) -> list[tuple[Any, int]]:
    return [
        (llm.make_first_request_of_question("demo", chosen, [llm.make_user_message(f"q{n}")]), 0)
        for n in range(count)
    ]


@ON_BOTH
def test_a_batch_job_brings_answers_at_half_the_price(store: Store, server: LLMServer) -> None:
    server.polls = 2
    server.answer = lambda body: (
        Reply(status=400, message="odd") if body["messages"][0]["content"] == "q1" else "Fine."
    )
    chosen, states = model(server), []
    brought = llm.run_batch_job_and_store_answers(
        store,
        requests(chosen, 4),
        run=run_of(store),
        name="demo",
        model=chosen,
        every=0.01,
        on_state=lambda state, done, total: states.append((state, total)),
    )
    assert (brought.state, brought.stored, brought.failed, brought.left) == ("completed", 3, 1, 0)
    # three answers at half of 0.002
    assert brought.cost == pytest.approx(0.003)
    assert states[-1] == ("completed", 4)
    assert store.rows("select distinct route from completion") == [("batch",)]
    server.answer = lambda body: "Fine."
    report = do(store, chosen, [question(f"q{n}") for n in range(4)])
    assert report.outcomes == {"ok": 4}
    assert (report.calls, report.reused) == (1, 3)


def test_waiting_for_a_batch_job_can_be_stopped_and_gone_on_with(
    store: Store, server: LLMServer
) -> None:
    server.polls = 3
    chosen, run, stop = model(server), run_of(store), threading.Event()
    stop.set()
    how: dict[str, Any] = {"run": run, "name": "demo", "model": chosen, "every": 0.01}
    first = llm.run_batch_job_and_store_answers(store, requests(chosen, 3), stop=stop, **how)
    assert (first.state, first.left) == ("waiting", 3)
    second = llm.run_batch_job_and_store_answers(store, requests(chosen, 3), **how)
    assert (second.state, second.stored) == ("completed", 3)
    assert len(server.batches) == 1
    assert llm.run_batch_job_and_store_answers(store, requests(chosen, 3), **how).stored == 0


def test_a_batch_job_made_before_a_kill_is_found_by_its_mark(
    store: Store, server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, run = model(server), run_of(store)
    how: dict[str, Any] = {"run": run, "name": "demo", "model": chosen, "every": 0.01}
    real = Store.append

    def killed(self: Store, table: str, *rows: Any) -> int:
        if table == "remote_batch" and rows[0]["state"] == "validating":
            raise KeyboardInterrupt
        return real(self, table, *rows)

    with monkeypatch.context() as patched:
        patched.setattr(Store, "append", killed)
        with pytest.raises(KeyboardInterrupt):
            llm.run_batch_job_and_store_answers(store, requests(chosen, 3), **how)
    assert llm.run_batch_job_and_store_answers(store, requests(chosen, 3), **how).stored == 3
    assert len(server.batches) == 1


def test_a_batch_job_over_the_cap_is_not_made(store: Store, server: LLMServer) -> None:
    chosen = model(server)
    with pytest.raises(InvalidInput, match="more than the spending cap"):
        llm.run_batch_job_and_store_answers(
            store,
            requests(chosen, 10),
            run=run_of(store),
            name="demo",
            model=chosen,
            spending_cap=0.01,
        )
    assert server.seen == []
