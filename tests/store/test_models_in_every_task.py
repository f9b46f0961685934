"""Every task of every study can be put to models: a raters' judgment, by the same guideline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.errors import NotAllowed
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.review import agreement, consensus, guideline, items, judging, raters
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.registry import STUDIES, find_pipeline
from tests.conftest import quick_or_deep
from tests.llm_server import LLMServer
from tests.store.conftest import Filled

SAID: dict[tuple[str, str], tuple[str, dict[str, Any], dict[str, Any]]] = {
    ("agentclinic", "rate"): (
        "dialogue_realism",
        {"doctor": 6, "patient": 7, "measurement": 5, "empathy": 2, "comment": "Brisk."},
        {"doctor": 6, "patient": 7, "measurement": 5, "empathy": 2},
    ),
    ("sourcecheckup", "check-answers"): (
        "response_support",
        {"reason": "One page is silent.", "answer": "no"},
        {"answer": "no"},
    ),
    ("sourcecheckup", "check-statements"): (
        "statement_parse",
        {"reason": "", "statements": [], "missing": ["It hurts."]},
        {"complete": "no"},
    ),
    ("sourcecheckup", "check-questions"): (
        "question_quality",
        {"reason": "It is said there.", "answer": "yes"},
        {"answer": "yes"},
    ),
    ("ebmqa", "rate"): (
        "ebmqa_answer",
        {"reason": "", "answer": 0, "guess": 1},
        {"answer": "idk", "guess": "1"},
    ),
}
"""By pipeline: the task, what the model answers, and what is measured of it."""

BY_NAME: dict[str, set[str]] = {
    "agentclinic": {"model_rating"},
    "sourcecheckup": {"answers_complete", "question_answerable", "statements_in_answer"},
    "ebmqa": set(),
}
"""The figures of each study in which a model stands by its name."""


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


def test_every_study_with_tasks_for_models_is_tried() -> None:
    assert {study for study, _ in SAID} == set(BY_NAME) == {"agentclinic", "ebmqa", "sourcecheckup"}


def how() -> How:
    return How(retries=llm.RetryPolicy(attempts=2, base=0.01), poll_seconds=0.01)


@pytest.mark.deep
@pytest.mark.parametrize("study", quick_or_deep("sourcecheckup", "agentclinic", "ebmqa"))
def test_a_model_judges_as_one_more_rater(study: str, filled: Filled, server: LLMServer) -> None:
    declared, settings = STUDIES[study], Settings(models={"gpt": _model(server)})
    store = filled(declared.demo)
    opened = declared.open(store, settings, "")
    declared.offer(store, opened.dataset)
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead")
    assert declared.figures is not None
    before = declared.figures.export(store, opened, viewer=lead)
    for of, pipeline in SAID:
        if of == study:
            judges_as_a_rater(store, study, pipeline, server=server, lead=lead)
    # In the study's figures it stands by its name, and changes nobody else's.
    after = declared.figures.export(store, opened, viewer=lead)
    mine = after["group"].str.contains("gpt", regex=False)
    assert set(after["figure"][mine]) == BY_NAME[study]
    pd.testing.assert_frame_equal(after[~mine].reset_index(drop=True), before)


def judges_as_a_rater(
    store: Store, study: str, pipeline: str, *, server: LLMServer, lead: Rater
) -> None:
    name, said, measured = SAID[study, pipeline]
    settings = Settings(models={"gpt": _model(server)})
    opened = STUDIES[study].open(store, settings, "")
    [task] = [one for one in STUDIES[study].tasks(opened) if one.name == name]
    told = guideline.record_guideline_version_and_return_it(
        store, task, dataset=opened.dataset, text="Go by the book.", by=lead
    )

    def answer(body: dict[str, Any]) -> str:
        shown = body["messages"][1]["content"]
        if name == "statement_parse":
            listed = shown.split("Statements, between the lines:\n-----")[1]
            listed = listed.split("\n", 1)[1].split("\n-----")[0]
            numbers = [line.split(":")[0] for line in listed.splitlines() if line[:1].isdigit()]
            stated = [{"number": int(one), "in_answer": True} for one in numbers]
            return json.dumps(said | {"statements": stated})
        return json.dumps(said)

    server.answer = answer
    server.chats.clear()
    start = find_pipeline(study, pipeline).start
    done = start(store, settings, dataset=opened.dataset, models=("gpt",), sample=2, how=how())
    assert done.outcomes == {"rated": 2}
    if name == "response_support":
        # Requests arrive in any order, and one of the demo's answers has no readable source.
        asked = [chat.body["messages"][1]["content"] for chat in server.chats]
        begun = [one.count(" begins]]") for one in asked]
        assert begun == [one.count(" ends]]") for one in asked]
        assert any(begun)
    assert "Go by the book." in server.chats[0].body["messages"][0]["content"]
    judged = consensus.current_judgments(store, task, dataset=opened.dataset, viewer=lead)
    mine = judged[judged["rater"] == "gpt"]
    assert len(mine) == 2
    assert (set(mine["rater_kind"]), set(mine["guideline"])) == ({"model"}, {told.version})
    rated = list(mine["item_id"])
    for value in mine["value"]:
        assert measured.items() <= task.values_compared_for_agreement(value).items()
    names, _ = agreement.list_raters_and_pairwise_agreement(task, judged, next(iter(measured)))
    assert names[-1] == "gpt"
    # No reviewer is told of it before they have judged the item themselves.
    anna = raters.find_or_add_rater_by_name(store, "Anna")
    assert consensus.current_judgments(store, task, dataset=opened.dataset, viewer=anna).empty
    with pytest.raises(NotAllowed):
        judging.list_others_judgments_and_record_view(store, task, item=rated[0], viewer=anna)
    # As people are: not told who made what is judged.
    assert task.model_answering_setup is not None
    shown = task.model_answering_setup.shown or task.load_texts_by_heading_of_item
    for item in rated:
        body = items.item_body(store, item)
        text = " ".join(shown(store, item).values())
        hidden = [body.get(one) for one in ("doctor", "patient", "moderator", "model", "run")]
        assert not any(one in text for one in hidden if one)
    kept = model_verdicts_and_runs_of_judges.list_all_verdicts(store, name, opened.dataset)
    assert {one.prompt.split()[0] for one in kept if one.judge == "gpt"} == {"rate-1"}


def _model(server: LLMServer) -> Model:
    return Model.model_validate({"base_url": server.url, "model": "m"})


def test_models_answers_to_the_questionnaire_are_not_counted_as_a_persons(
    filled: Filled, server: LLMServer
) -> None:
    declared, settings = STUDIES["ebmqa"], Settings(models={"gpt": _model(server)})
    store = filled(declared.demo)
    dataset = declared.open(store, settings, "").dataset
    before = store.rows("select count(*) from ebmqa_person_answer")
    server.answer = lambda body: json.dumps({"reason": "", "answer": 1})
    find_pipeline("ebmqa", "rate").start(
        store, settings, dataset=dataset, models=("gpt",), sample=3, how=how()
    )
    assert store.rows("select count(*) from ebmqa_person_answer") == before


def test_what_does_not_fit_a_models_context_is_told_and_is_no_judgment(
    filled: Filled, server: LLMServer
) -> None:
    declared = STUDIES["agentclinic"]
    small = _model(server).model_copy(update={"context": 500})
    settings = Settings(models={"gpt": small})
    store = filled(declared.demo)
    dataset = declared.open(store, settings, "").dataset
    done = find_pipeline("agentclinic", "rate").start(
        store, settings, dataset=dataset, models=("gpt",), sample=2, how=how()
    )
    assert done.outcomes == {"too_long": 2}
    assert server.chats == []
    assert "longer than its context" in done.lines[-1]
    assert store.rows(
        "select count(*) from judgment j join rater r on r.id = j.rater where r.name = 'gpt'"
    ) == [(0,)]


def test_no_task_is_left_that_models_cannot_be_asked(store: Store) -> None:
    of_its_own = {"diagnosis_match", "source_support"}
    left = set()
    for name, declared in STUDIES.items():
        if name != "own":
            tasks = declared.tasks(declared.open(store, Settings(), ""))
            left |= {one.name for one in tasks if one.model_answering_setup is None}
    assert left == of_its_own
