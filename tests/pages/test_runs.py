"""The Runs page: a forecast before anything is spent, a start, and runs that can be looked into."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from medlens.llm import completion_run_and_job_queries, runs, stored_start_requests_of_runs
from medlens.llm.runs import open_or_resume_run_and_return_id
from medlens.review import raters
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.tagging import multiple_choice_benchmarks
from medlens.ui import settings_store_and_runs_of_process
from tests.llm_server import LLMServer, Reply
from tests.pages.conftest import OpenPage, words

TAGGERS = "runs.new.tagging.tag.models"
EVIL = '<img src="https://example.org/x"> **bold** ![x](https://example.org/y)'


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LLMServer]:
    """An endpoint that ``medlens.toml`` names before the app opens its store."""
    with LLMServer() as running:
        mark = {
            "quote": "not in the text",
            "reason": EVIL,
            "labels": ["non_medical_factual_error"],
            "link": "",
        }
        said = "<think>No label fits.</think>" + json.dumps({"marks": [mark], "comment": ""})
        running.answer = lambda body: Reply(said)
        config = tmp_path / "medlens.toml"
        config.write_text(
            f'[models.demo-a]\nbase_url = "{running.url}"\nmodel = "m"\n'
            "input_price = 1\noutput_price = 1\n"
            f'[models.free]\nbase_url = "{running.url}"\nmodel = "n"\nkey_env = "NOT_SET_HERE"\n'
        )
        monkeypatch.setenv("MEDLENS_CONFIG", str(config))
        settings_store_and_runs_of_process.stop_runs_and_close_store()
        yield running


def button(page: AppTest, key: str) -> AppTest:
    return page.button(key=key).click().run()


def until_ended() -> None:
    background = settings_store_and_runs_of_process.run_launcher_of_process().background
    for _ in range(6000):
        if not any(one.running for one in background.list_started_runs()):
            return
        time.sleep(0.01)
    raise AssertionError(background.list_started_runs())


def test_nothing_is_spent_before_the_forecast_was_seen_and_then_the_run_shows_all_it_did(
    server: LLMServer, open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_page("6_Runs.py", who=lead, new="tagging.tag")
    assert "free (no key: NOT_SET_HERE is not set)" in page.multiselect(key=TAGGERS).options
    # Opened is not yet drafted.
    assert "draft saved" not in words(page)
    assert not app_store.rows("select 1 from draft")
    page.multiselect(key=TAGGERS).set_value(["demo-a"]).run()
    assert "draft saved" in words(page)
    button(page, "runs.estimate")
    assert {one.label: one.value for one in page.metric}["Calls"] == "24"
    assert server.chats == []
    only = page.checkbox(key="runs.new.tagging.tag.handed_out")
    assert only.label == "Only the items handed out to people (0)"
    only.check().run()
    button(page, "runs.estimate")
    assert "have been handed out to people" in words(page)
    page.checkbox(key="runs.new.tagging.tag.handed_out").uncheck().run()
    page.number_input(key="runs.new.tagging.tag.cap").set_value(5.0).run()
    assert not [one for one in page.button if one.key == "runs.start"]
    # What was chosen is a draft until the run is started, in another browser too.
    again = open_page("6_Runs.py", who=lead, new="tagging.tag")
    assert again.multiselect(key=TAGGERS).value == ["demo-a"]
    assert again.number_input(key="runs.new.tagging.tag.cap").value == 5.0
    # Of two tabs the later one is asked.
    again.number_input(key="runs.new.tagging.tag.cap").set_value(6.0).run()
    page.number_input(key="runs.new.tagging.tag.cap").set_value(7.0).run()
    assert "Changed in another tab" in words(page)
    assert "Spending cap: here 7.0, there 6.0" in words(page)
    button(page, "run.theirs")
    assert page.number_input(key="runs.new.tagging.tag.cap").value == 6.0
    assert "Changed in another tab" not in words(page)
    button(page, "runs.estimate")
    button(page, "runs.start")
    fresh = open_page("6_Runs.py", who=lead, new="tagging.tag")
    assert fresh.multiselect(key=TAGGERS).value == []
    until_ended()
    page.run()
    assert not page.exception
    [run] = completion_run_and_job_queries.list_current_runs(
        app_store, study="tagging", limit=5, offset=0
    )
    shown = page.dataframe[0].value.iloc[0]
    assert (shown["state"], shown["done"], shown["by"]) == (
        "Finished without a usable answer",
        24,
        "Lena Lead",
    )
    # Answers whose quotes are not in the text are no judgments.
    assert shown["unusable"] == 24

    page = open_page("6_Runs.py", who=lead, run=run["id"])
    assert "Finished without a usable answer" in words(page)
    assert "No answer could be used (24 quoting what is not there)" in words(page)
    assert {one.label: one.value for one in page.metric}["no quote located"] == "24"
    [pieces] = [one.value for one in page.dataframe if "piece" in one.value]
    assert set(pieces["outcome"]) == {"no quote located"}
    assert "demo-a demo01 1" in set(pieces["piece"])
    job = completion_run_and_job_queries.table_of_jobs_on_one_page(
        app_store, run["id"], outcome="", limit=1, offset=0
    )["job"][0]
    page = open_page("6_Runs.py", who=lead, run=run["id"], job=job)
    assert not page.exception
    assert any(json.dumps(EVIL) in str(one.value) for one in page.text)
    # What it thought stands apart, and beside its words how they were read.
    assert any(str(one.value) == "No label fits." for one in page.text)
    assert any(str(one.value).startswith("outcome: no quote located") for one in page.text)
    assert not any("example" in str(one.value) for one in [*page.markdown, *page.caption])


def test_a_file_of_questions_is_tried_by_a_reader_before_the_server_reads_it(
    server: LLMServer, open_page: OpenPage, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of one text 200,000 times Parquet is a small file.
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 200_000, pa.int32()), ["x" * 2_000])
    bomb = io.BytesIO()
    pq.write_table(pa.table({"question": texts, "options": texts}), bomb)
    monkeypatch.setattr(stored_start_requests_of_runs, "LARGEST_MB", 1)
    monkeypatch.setattr(
        multiple_choice_benchmarks, "read_questions", lambda *_, **__: pytest.fail("read here")
    )
    page = open_page("6_Runs.py", who=lead, new="tagging.ask")
    page.selectbox(key="runs.new.tagging.ask.model").set_value("demo-a")
    uploader = page.file_uploader(key="runs.new.tagging.ask.file")
    uploader.set_value(("q.parquet", bomb.getvalue(), "")).run()
    button(page, "runs.estimate")
    assert "q.parquet has more than 1 MB once unpacked" in words(page)
    uploader = page.file_uploader(key="runs.new.tagging.ask.file")
    uploader.set_value(("q.jsonl", b"{}" * 600_000, "")).run()
    button(page, "runs.estimate")
    assert "q.jsonl is larger than 1 MB" in words(page)


@pytest.mark.deep
def test_a_run_that_was_killed_shows_as_interrupted_and_goes_on_from_its_page(
    server: LLMServer, open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    server.push(Reply(status=401))
    page = open_page("6_Runs.py", who=lead, new="tagging.tag")
    page.multiselect(key=TAGGERS).set_value(["demo-a"]).run()
    button(page, "runs.estimate")
    button(page, "runs.start")
    until_ended()
    [run] = completion_run_and_job_queries.list_current_runs(
        app_store, study="tagging", limit=5, offset=0
    )
    # As a killed server leaves it: the last that was heard of it is a beginning.
    app_store.append("run_event", runs.make_run_event_row(run["id"], "started", {"total": 24}))
    page = open_page("6_Runs.py", who=lead, run=run["id"])
    assert "Interrupted" in words(page)
    button(page, "runs.resume")
    left = {one.label: one.value for one in page.metric}
    assert int(left["Calls"]) == 24 - run["done"] > 0
    before = len(server.chats)
    button(page, "runs.resume.start")
    until_ended()
    assert len(server.chats) - before == int(left["Calls"])
    now = completion_run_and_job_queries.find_run_as_dict(app_store, run["id"])
    assert now is not None
    assert (now["state"], now["done"], now["failed"]) == ("finished", 24, 0)


@pytest.mark.deep
def test_a_run_that_could_not_begin_says_why_until_that_is_dismissed_and_can_be_gone_on_with(
    server: LLMServer,
    open_page: OpenPage,
    app_store: Store,
    lead: Rater,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = open_page("6_Runs.py", who=lead, new="tagging.tag")
    page.multiselect(key=TAGGERS).set_value(["free"]).run()
    button(page, "runs.estimate")
    assert "No price is set for free" in words(page)
    button(page, "runs.start")
    until_ended()
    page = open_page("6_Runs.py", who=lead)
    assert "Set the environment variable NOT_SET_HERE" in words(page)
    [run] = completion_run_and_job_queries.list_current_runs(
        app_store, study="tagging", limit=5, offset=0
    )
    monkeypatch.setenv("NOT_SET_HERE", "key-of-a-test")
    page = open_page("6_Runs.py", who=lead, run=run["id"])
    button(page, "runs.resume")
    button(page, "runs.resume.start")
    until_ended()
    now = completion_run_and_job_queries.find_run_as_dict(app_store, run["id"])
    assert now is not None
    assert (now["state"], now["done"]) == ("finished", 24)
    page = open_page("6_Runs.py", who=lead)
    for one in [one for one in page.button if str(one.key).startswith("runs.forget.")]:
        one.click().run()
    assert "NOT_SET_HERE" not in words(open_page("6_Runs.py", who=lead))


def test_without_a_model_the_page_says_how_to_add_one(open_page: OpenPage, lead: Rater) -> None:
    # At once, not only after a kind of run has been chosen.
    for asked in ({}, {"new": "tagging.tag"}):
        page = open_page("6_Runs.py", who=lead, **asked)
        assert "No model has been set up" in words(page)
        assert "[models.NAME]" in page.code[0].value
        # Colours of code are too faint to read in the light theme.
        assert page.code[0].language == "plaintext"
    assert not [one for one in page.button if one.key == "runs.estimate"]


def test_a_run_without_its_start_and_a_run_that_is_not_there_say_so(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    run = open_or_resume_run_and_return_id(
        app_store, study="tagging", kind="tag", config={"model": "x"}, made_by="old"
    )
    app_store.append(
        "run_event", runs.make_run_event_row(run, "stopped", {}, reason="it was stopped")
    )
    page = open_page("6_Runs.py", who=lead, run=run)
    assert "Start it again the way you started it" in words(page)
    assert "There is no such run" in words(open_page("6_Runs.py", who=lead, run="nonsense"))


def test_of_a_visit_that_is_played_turn_by_turn_no_more_is_done_than_there_is(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    id = open_or_resume_run_and_return_id(
        app_store, study="agentclinic", kind="play", config={}, made_by=lead.id
    )
    for turn in range(4):
        app_store.append(
            "run_item",
            {"id": new_id(), "run": id, "job": f"turn {turn}", "revision": 1, "outcome": "ok"}
            | {"body": {}, "calls": 1},
        )
        app_store.append(
            "run_event", runs.make_run_event_row(id, "finished", {"total": 1, "prompt_cut": turn})
        )
    [row] = open_page("6_Runs.py", who=lead).dataframe[0].value.to_dict("records")
    assert (row["done"], row["of"]) == (4, 4)
    page = open_page("6_Runs.py", who=lead, run=id)
    assert any("3 prompts seem to have been cut" in str(one.value) for one in page.text)


def test_reviewers_see_no_runs(open_page: OpenPage, app_store: Store, lead: Rater) -> None:
    reviewer = raters.find_or_add_rater_by_name(app_store, "Rosa Reviewer")
    page = open_page("6_Runs.py", who=reviewer)
    assert "lead" in words(page)
    assert not [one for one in page.button if one.key == "runs.new"]
