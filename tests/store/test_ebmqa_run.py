"""Models answer EBMQA's questions: what they are told, how answers are kept, nothing paid twice."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries as stored
from medlens.llm.pipeline_declaration_forecast_and_run import Done, How
from medlens.store import Store
from medlens.studies.ebmqa import prompts, run_questions
from medlens.studies.ebmqa.answers.answer_and_questionnaire_import_and_export import (
    make_answers_export_table,
)
from medlens.studies.ebmqa.pipelines import PIPELINES
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.studies.ebmqa.tasks import QuestionnaireTask
from tests.llm_server import LLMServer, Reply
from tests.store.ebmqa_questions import DATASET, QUESTIONS, add_questions


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


@pytest.fixture
def asked(store: Store) -> Store:
    add_questions(store)
    return store


def settings(server: LLMServer, *names: str, **other: Any) -> Settings:
    given = {"base_url": server.url, "input_price": 10.0, "output_price": 50.0, **other}
    made = {name: Model.model_validate({"model": name, **given}) for name in names or ("demo-a",)}
    return Settings(models=made)


def ask(store: Store, server: LLMServer, *names: str, **other: Any) -> Done:
    how = How(
        retries=llm.RetryPolicy(attempts=2, base=0.01),
        poll_seconds=0.01,
        stop=other.pop("stop", None),
        batch_api=other.pop("batch_api", False),
        confirm=other.pop("confirm", None),
    )
    names = names or ("demo-a",)
    return run_questions.ask_models(
        store, settings(server, *names), models=names, dataset=DATASET, how=how, **other
    )


def name_in(body: dict[str, Any]) -> str:
    found = re.search(r"holds for (\w+)", body["messages"][1]["content"])
    assert found
    return found[1]


def shown_in(body: dict[str, Any]) -> list[str]:
    return re.findall(r"^\d\. (.*)$", body["messages"][1]["content"], re.MULTILINE)


def right(body: dict[str, Any]) -> str:
    """The numbers of the right options, in whatever order they are shown."""
    _, options, correct, _ = QUESTIONS[name_in(body)]
    shown = shown_in(body)
    return ", ".join(str(shown.index(options[place]) + 1) for place in correct)


def kept(store: Store) -> dict[tuple[str, str, str], tuple[str, str]]:
    table = make_answers_export_table(store, Study(DATASET, True, QuestionnaireTask()), viewer=None)
    keys = zip(table["model"], table["prompt"], table["question_id"], strict=True)
    return dict(zip(keys, zip(table["outcome"], table["answer"], strict=True), strict=True))


def test_every_answer_ends_in_a_class_of_its_own(asked: Store, server: LLMServer) -> None:
    script = {
        "n1": Reply("1"),
        "n2": Reply("4. I do not know"),
        "n3": Reply(refusal="No."),
        "s1": Reply("It depends on many things that", finish="length"),
        "s2": Reply(status=500),
    }
    server.answer = lambda body: script[name_in(body)]
    done = ask(asked, server)
    assert not done.complete
    assert "demo-a: 1 answered, 1 not known, 1 refused, 1 cut off, 1 error." in done.lines
    assert "4 answers are new." in done.lines
    assert {question: outcome for (_, _, question), (outcome, _) in kept(asked).items()} == {
        "n1": "answered",
        "n2": "idk",
        "n3": "refused",
        "s1": "parse_failed",
    }


def test_what_is_said_before_the_limit_counts_where_it_was_stated(
    asked: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply("The answer is 2. Studies of", finish="length")
    ask(asked, server, kind="numeric")
    assert {answer for _, answer in kept(asked).values()} == {"Between 5% and 54%"}


def test_what_a_model_was_thinking_when_it_was_cut_off_is_no_answer(
    asked: Store, server: LLMServer
) -> None:
    server.answer = lambda body: Reply("Let me think. The answer is 2. But wait", finish="length")
    ask(asked, server, kind="numeric")
    assert {outcome for outcome, _ in kept(asked).values()} == {"parse_failed"}


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply("Let me", finish="length"), "cut off"),
        (Reply(""), "empty"),
        (Reply("Who knows them all?"), "not readable"),
    ],
)
def test_a_run_without_a_usable_answer_is_not_complete_and_says_what_came(
    asked: Store, server: LLMServer, reply: Reply, told: str
) -> None:
    server.answer = lambda body: replace(reply)
    done = ask(asked, server)
    assert not done.complete
    assert any(re.search(rf"^demo-a: \d+ {told}\.$", line) for line in done.lines), done.lines


def test_a_model_is_told_the_question_and_the_options_but_not_what_is_right(
    asked: Store, server: LLMServer
) -> None:
    server.answer = lambda body: "1"
    ask(asked, server)
    bodies = {name_in(one.body): one.body for one in server.chats}
    assert set(bodies) == set(QUESTIONS)
    assert shown_in(bodies["n1"]) == [*QUESTIONS["n1"][1], "I do not know"]
    assert all((one["temperature"], one["max_tokens"]) == (0, 300) for one in bodies.values())
    assert "Exactly one" in bodies["n1"]["messages"][1]["content"]
    assert "One or more" in bodies["s1"]["messages"][1]["content"]


@pytest.mark.first_quick
@pytest.mark.parametrize("mode", ["schema", "object", "text"])
def test_an_endpoint_that_takes_a_schema_is_asked_for_numbers_and_read_in_any_form(
    mode: str, asked: Store, server: LLMServer
) -> None:
    replies = iter(['{"answer": [2]}', "2", "The answer is 2.", '{"answer": [2]}'])
    server.answer = lambda body: next(replies)
    models = {
        "demo-a": Model.model_validate({"model": "demo-a", "base_url": server.url, "json": mode})
    }
    how = How(retries=llm.RetryPolicy(attempts=1))
    chosen = Settings(models=models)
    run_questions.ask_models(
        asked, chosen, models=["demo-a"], dataset=DATASET, kind="numeric", how=how
    )
    forms = {one.body.get("response_format", {}).get("type") for one in server.chats}
    assert forms == {"json_schema" if mode == "schema" else None}
    assert {answer for _, answer in kept(asked).values()} == {"Between 5% and 54%"}


def test_the_prompt_study_asks_in_four_orders_with_and_without_not_knowing(
    asked: Store, server: LLMServer
) -> None:
    server.answer = right
    done = ask(asked, server, variants=prompts.STUDY, kind="semantic")
    assert done.complete
    found = kept(asked)
    assert len(found) == 8 * 2
    # Whatever the order, the answer kept is the option, not the number that it had.
    assert {answer for (_, _, question), (_, answer) in found.items() if question == "s2"} == {
        "Abdominal pain"
    }
    orders = {tuple(shown_in(one.body)) for one in server.chats if name_in(one.body) == "s2"}
    assert len(orders) == 8
    assert sum("I do not know" in order for order in orders) == 4


def test_several_models_answer_side_by_side(asked: Store, server: LLMServer) -> None:
    server.answer = lambda body: "1" if body["model"] == "demo-a" else "3"
    done = ask(asked, server, "demo-a", "demo-b", kind="numeric")
    assert done.complete
    found = kept(asked)
    assert found["demo-a", "given+idk", "n2"] == ("answered", "Greater than 54%")
    assert found["demo-b", "given+idk", "n2"] == ("answered", "Less than 5%")


def test_a_run_that_was_stopped_goes_on_and_repeats_nothing(
    asked: Store, server: LLMServer
) -> None:
    stop = threading.Event()

    def answer(body: dict[str, Any]) -> Reply:
        stop.set()
        return Reply(right(body))

    server.answer = answer
    server.latency = 0.05
    one_by_one = settings(server, concurrency=1)
    first = run_questions.ask_models(
        asked, one_by_one, models=["demo-a"], dataset=DATASET, how=How(stop=stop)
    )
    assert not first.complete
    some = len(kept(asked))
    assert some < len(QUESTIONS)
    second = run_questions.ask_models(
        asked, one_by_one, models=["demo-a"], dataset=DATASET, how=How()
    )
    assert second.complete
    assert second.run == first.run
    assert f"{len(QUESTIONS) - some} answers are new." in second.lines
    third = run_questions.ask_models(
        asked, one_by_one, models=["demo-a"], dataset=DATASET, how=How()
    )
    assert "0 answers are new." in third.lines
    assert set(server.answered().values()) == {1}
    assert len(kept(asked)) == len(QUESTIONS)
    # The right ones, whatever the kind of the question.
    table = make_answers_export_table(asked, Study(DATASET, True, QuestionnaireTask()), viewer=None)
    assert table["score"].tolist() == [1.0] * len(QUESTIONS)


def test_answers_come_through_the_batch_api_as_well(asked: Store, server: LLMServer) -> None:
    server.answer = right
    done = ask(asked, server, batch_api=True)
    assert done.complete
    assert len(kept(asked)) == len(QUESTIONS)
    assert server.chats == []


def test_nothing_is_asked_before_it_is_confirmed(asked: Store, server: LLMServer) -> None:
    seen: list[llm.CostForecast] = []

    def no(expected: llm.CostForecast) -> bool:
        seen.append(expected)
        return False

    done = ask(asked, server, confirm=no)
    assert list(done.lines) == ["No model was asked."]
    assert seen[0].calls == len(QUESTIONS)
    assert seen[0].cost > 0
    assert server.chats == []


def test_at_most_so_many_are_the_same_ones_for_every_model(asked: Store, server: LLMServer) -> None:
    server.answer = right
    ask(asked, server, "demo-a", limit=2)
    ask(asked, server, "demo-b", limit=2)
    questions = {
        model: {q for m, _, q in kept(asked) if m == model} for model in ("demo-a", "demo-b")
    }
    assert len(questions["demo-a"]) == 2
    assert questions["demo-a"] == questions["demo-b"]


def test_a_run_without_questions_or_with_an_unknown_model_is_refused(
    store: Store, server: LLMServer
) -> None:
    with pytest.raises(InvalidInput, match="no questions"):
        ask(store, server)
    add_questions(store)
    with pytest.raises(InvalidInput, match="no model"):
        run_questions.ask_models(
            store, settings(server), models=["other"], dataset=DATASET, how=How()
        )


def test_the_run_keeps_what_the_models_were_told(asked: Store, server: LLMServer) -> None:
    server.answer = right
    [pipeline] = [one for one in PIPELINES if one.name == "ask"]
    values = {
        "dataset": DATASET,
        "models": ("demo-a",),
        "questions": "numeric",
        "prompts": "usual",
        "limit": 0,
    }
    done = pipeline.start(asked, settings(server), how=How(), **values)
    assert done.complete
    [row] = stored.list_job_results_of_run_kind(asked, study="ebmqa", kind="ask", run=done.run)[:1]
    assert row["body"]["prompt"] == "given+idk"
    config = asked.rows("select config::varchar from run")[0][0]
    assert prompts.VERSION in config
    assert "Reply with its number" in config
