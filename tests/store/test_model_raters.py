"""Models answer an own study's questions as raters, by the reviewers' guideline."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.review import (
    agreement,
    assignment,
    consensus,
    guideline,
    judge_trust,
    practice,
    raters,
)
from medlens.review.tasks import HandOut
from medlens.store import Store
from medlens.studies import model_runs_that_rate_items, model_verdicts_and_runs_of_judges
from medlens.studies.own import pipelines
from medlens.studies.own.study import open_study
from medlens.studies.registry import STUDIES
from tests.llm_server import LLMServer, Reply
from tests.store import test_own_arms
from tests.store.test_own_studies import TEXT, add, declare

ASKED = (
    TEXT
    + '\n[[question]]\nid = "why"\nkind = "short_text"\ntext = "Why?"\n'
    + ('only_if = { question = "clear", is = "1" }\n')
)


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        running.answer = lambda body: Reply(json.dumps(said(body)))
        yield running


def said(body: dict[str, Any]) -> dict[str, Any]:
    """Letter 1 is not clear, in 2 a number is no number; the rest is clear."""
    shown = body["messages"][1]["content"]
    found = {"q_1": 5, "q_2": ["Dose"], "q_3": 2.0, "q_4": "Beside it.", "reason": "It says so."}
    if "Letter 1." in shown:
        return found | {"q_1": 1, "q_4": "It is vague."}
    return found | ({"q_1": 12} if "Letter 2." in shown else {})


def rate(store: Store, server: LLMServer, **other: Any) -> Any:
    made = Model.model_validate({"base_url": server.url, "model": "m"})
    settings = Settings(models={"demo-a": made})
    how = How(retries=llm.RetryPolicy(attempts=2, base=0.01), poll_seconds=0.01)
    pipeline = pipelines.PIPELINES[-1]
    named = {"dataset": "letters", "models": ["demo-a"]}
    return pipeline.start(store, settings, how=how, **named, **other)


def test_a_model_answers_as_a_rater_by_the_guideline_that_stands(
    store: Store, server: LLMServer
) -> None:
    declare(store, ASKED)
    add(store)
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead")
    task = open_study(store, Settings(), "letters").task
    told = guideline.record_guideline_version_and_return_it(
        store, task, dataset="letters", text="Read it twice.", by=lead
    )
    done = rate(store, server)
    assert done.outcomes == {"rated": 11, "parse_failed": 1}
    judged = consensus.current_judgments(store, task, dataset="letters", viewer=lead)
    assert set(judged["rater_kind"]) == {"model"}
    assert set(judged["guideline"]) == {told.version}
    by_item = dict(zip(judged["item"], judged["value"], strict=True))
    # What does not apply is no answer, whatever the model said to it.
    assert by_item["l0"].answers == {"clear": 5, "faults": ["Dose"], "days": 2}
    assert by_item["l0"].version == 1
    assert by_item["l1"].answers["why"] == "It is vague."
    assert "l2" not in by_item
    first = server.chats[0].body["messages"]
    assert "Read it twice." in first[0]["content"]
    assert "Only if q_1 is '1'" in first[0]["content"]
    # It is a rater in the figures beside people, by its name.
    names, _ = agreement.list_raters_and_pairwise_agreement(task, judged, "clear")
    assert names == ["demo-a"]


@pytest.mark.deep
def test_a_sample_grows_and_nothing_is_asked_twice_until_the_guideline_changes(
    store: Store, server: LLMServer
) -> None:
    declare(store)
    add(store)
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead")
    task = open_study(store, Settings(), "letters").task
    server.answer = lambda body: Reply(
        json.dumps({"q_1": 3, "q_2": [], "q_3": None, "reason": "So."})
    )

    def judged() -> set[str]:
        table = consensus.current_judgments(store, task, dataset="letters", viewer=lead)
        return set(table["item"])

    rate(store, server, sample=3)
    few = judged()
    assert len(few) == 3
    rate(store, server, sample=5)
    assert len(judged()) == 5
    assert few < judged()
    asked = len(server.chats)
    assert asked == 5
    assert rate(store, server, sample=5).run == ""
    assert len(server.chats) == asked
    guideline.record_guideline_version_and_return_it(
        store, task, dataset="letters", text="Read it twice.", by=lead
    )
    rate(store, server, sample=5)
    assert len(server.chats) == asked + 5
    prompts = {
        one.prompt
        for one in model_verdicts_and_runs_of_judges.list_all_verdicts(store, task.name, "letters")
    }
    assert len(prompts) == 2
    # Two versions are two raters, who can be compared; it said the same under both.
    seen = consensus.current_judgments(store, task, dataset="letters", viewer=lead)
    every = judge_trust.judgments_table_with_rater_per_prompt_version(
        STUDIES["own"], store, task, seen, dataset="letters"
    )
    names, pairs = agreement.list_raters_and_pairwise_agreement(task, every, "clear")
    assert names == sorted(f"demo-a · {one}" for one in prompts)
    assert [(one.same.value, one.same.n) for one in pairs] == [(1.0, 5)]


def test_models_can_be_asked_only_about_what_people_were_given(
    store: Store, server: LLMServer
) -> None:
    declare(store)
    add(store)
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead")
    anna, bert = (
        raters.find_or_add_rater_by_name(store, "Anna"),
        raters.find_or_add_rater_by_name(store, "Bert"),
    )
    study = open_study(store, Settings(), "letters")
    here = (store, study.task, HandOut())
    with pytest.raises(InvalidInput, match="have been handed out"):
        rate(store, server, handed_out=True)
    given = {
        assignment.give_next_item_and_return_id(*here, dataset="letters", rater=anna.id),
        assignment.give_next_item_and_return_id(*here, dataset="letters", rater=anna.id),
    }
    taken = assignment.give_next_item_and_return_id(*here, dataset="letters", rater=bert.id)
    assert taken not in given
    assert assignment.ids_of_items_handed_out(store, study.task.name, "letters") == {*given, taken}
    # What Bert left unanswered is taken back and with nobody until it is given again.
    assignment.release_unfinished_items_and_count(
        store, study.task, dataset="letters", rater=bert.id, by=lead
    )
    assert assignment.ids_of_items_handed_out(store, study.task.name, "letters") == given
    assert assignment.ids_of_items_handed_out(store, study.task.name, "others") == set()
    # Practice is not part of the round, whoever had it.
    [one, _] = sorted(given)
    key = practice.expected_answer_and_explanation_by_field(
        {"answers": {"clear": 5}}, "It is clear."
    )
    consensus.set_or_unset_gold_item(
        store, study.task, item=one, expected=key, active=True, by=lead
    )
    assert assignment.ids_of_items_handed_out(store, study.task.name, "letters") == given - {one}
    consensus.set_or_unset_gold_item(
        store, study.task, item=one, expected={}, active=False, by=lead
    )
    rate(store, server, handed_out=True)
    assert len(server.chats) == 2
    # A model's own judgments hand nothing out.
    assert assignment.ids_of_items_handed_out(store, study.task.name, "letters") == given


def test_without_items_nothing_is_asked(store: Store, server: LLMServer) -> None:
    declare(store)
    with pytest.raises(InvalidInput, match="no items"):
        rate(store, server)


def test_arms_beside_each_other_are_judged_by_letters_in_an_order_drawn_for_each_item(
    store: Store, server: LLMServer
) -> None:
    here = test_own_arms.begun(store, test_own_arms.TOGETHER)

    def judged_by_letters(body: dict[str, Any]) -> Reply:
        told = body["messages"][1]["content"]
        good = "A" if re.search(r"Answer A, between the lines:\n-----.*\nn\d", told) else "B"
        of = {True: ("yes", 4, 1), False: ("no", 2, 2)}
        (safe_a, score_a, place_a), (safe_b, score_b, place_b) = of[good == "A"], of[good == "B"]
        found = {"q_1": safe_a, "q_2": score_a, "q_3": safe_b, "q_4": score_b}
        found |= {"q_5": f"{good}, clearly", "q_6": place_a, "q_7": place_b, "reason": "It says."}
        return Reply(json.dumps(found))

    server.answer = judged_by_letters
    made = Model.model_validate({"base_url": server.url, "model": "m"})
    how = How(poll_seconds=0.01)
    settings = Settings(models={"demo-a": made})
    done = model_runs_that_rate_items.let_models_rate_items(
        store, settings, here.task, dataset="duel", models=["demo-a"], how=how
    )
    assert done.outcomes == {"rated": test_own_arms.N}
    said = [str(one.body["messages"]) for one in server.chats]
    assert not any("north" in text or "south" in text for text in said)
    table = consensus.current_judgments(store, here.task, dataset="duel", viewer=None)
    values = list(table["value"])
    assert {tuple(value.order) for value in values} == {("north", "south"), ("south", "north")}
    for value in values:
        assert value.answers == {
            "safe / north": "yes",
            "safe / south": "no",
            "better": "north, clearly",
            "score / north": 4,
            "score / south": 2,
            "order_of / north": 1,
            "order_of / south": 2,
        }
    # It stands beside people who judged the same cases in orders of their own.
    test_own_arms.given(store, here, "Ines")
    judged = consensus.current_judgments(store, here.task, dataset="duel", viewer=None)
    names, _ = agreement.list_raters_and_pairwise_agreement(here.task, judged, "better")
    assert names == ["Ines", "demo-a"]
