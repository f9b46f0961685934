"""Experiments played against a real server: outcomes, hostile models, caps, kills and resumes."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries as stored
from medlens.store import Store, open_store
from medlens.studies.agentclinic import exports, imports, queries, run_experiment
from medlens.studies.agentclinic.diagnosis_verdicts import (
    let_models_judge_diagnosis_pairs,
    list_current_moderator_verdicts,
)
from medlens.studies.agentclinic.experiment_file import Experiment
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.study_in_dataset import open_study
from medlens.studies.agentclinic.tasks import MATCH
from medlens.tables import write_table
from tests.children import Child
from tests.llm_server import LLMServer, Reply


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        running.answer = script
        yield running


def case(number: int, **other: Any) -> dict[str, Any]:
    return {
        "Objective_for_Doctor": f"Case {number}.",
        "Patient_Actor": {"Demographics": "40-year-old", "History": f"Story {number}"},
        "Test_Results": {"Blood": f"value {number}"},
        "Correct_Diagnosis": f"Disease {number}",
        **other,
    }


def script(body: dict[str, Any]) -> Reply:
    """A doctor that asks, orders a test and decides: case 1 right, case 2 wrong, case 3 never."""
    messages = body["messages"]
    if "response_format" in body:
        if body["response_format"]["json_schema"]["name"] == "PatientAnswer":
            return Reply(json.dumps({"score": 7, "reason": "Kind."}))
        told = json.loads(messages[-1]["content"])
        same = "yes" if told["given"] == told["correct"] else "no"
        return Reply(json.dumps({"same_disease": same, "reason": "Compared."}))
    who = messages[0]["content"]
    if who.startswith("You are a patient"):
        return Reply(f"It hurts {len(messages)}.")
    if not who.startswith("You are a doctor"):
        return Reply("RESULTS: blood normal")
    number = next(n for n in range(1, 10) if f"Case {n}." in who)
    spoken = sum(message["role"] == "assistant" for message in messages)
    if spoken == 0 or number == 3:
        return Reply("How are you?")
    if spoken == 1:
        return Reply("REQUEST TEST: blood")
    return Reply(f"DIAGNOSIS READY: Disease {1 if number < 3 else number}")


def prepared(store: Store, *cases: dict[str, Any]) -> Experiment:
    given = cases or tuple(case(n) for n in (1, 2, 3))
    queries.add_cases_and_return_added(
        store, [(f"f:{n}", case_from_fields(one)) for n, one in enumerate(given, 1)], dataset="d"
    )
    return Experiment(
        dataset="d",
        cases=tuple(queries.load_cases_by_name(store, "d")),
        doctors=("a",),
        patients=("a",),
        measurement="a",
        moderator="a",
        interactions=(4,),
    )


def settings(server: LLMServer, **other: Any) -> Settings:
    given = {"base_url": server.url, "model": "m", "input_price": 10.0, "output_price": 50.0}
    names = ("a", "b")
    return Settings(models={name: Model.model_validate(given | other) for name in names})


def how(**other: Any) -> run_experiment.How:
    return run_experiment.How(retries=llm.RetryPolicy(attempts=2, base=0.01), **other)


def figures_of(store: Store) -> list[Any]:
    table = exports.FIGURES.export(store, open_study(store, "d"), viewer=None)
    return list(table.itertuples())


def dialogues(store: Store) -> dict[str, Any]:
    return {one.case: one for _, _, _, one in queries.list_dialogues_with_ids_and_names(store, "d")}


def test_every_visit_ends_as_what_it_was_and_becomes_a_dialogue(
    store: Store, server: LLMServer
) -> None:
    experiment = prepared(store)
    done = run_experiment.play_experiment(store, settings(server), experiment, how=how())
    assert done.outcomes == {"correct": 1, "incorrect": 1, "no_diagnosis": 1}
    assert done.added == 3
    assert "Of 3 visits 1 ended with the right diagnosis" in " ".join(done.lines)
    first, second, third = (dialogues(store)[name] for name in experiment.cases)
    assert [turn.kind for turn in first.turns] == [
        "say",
        "say",
        "request_test",
        "result",
        "diagnosis",
    ]
    assert (first.outcome, first.reason, first.diagnosis) == ("correct", "Compared.", "Disease 1")
    assert first.ratings.confidence is not None
    assert (first.ratings.confidence.score, first.ratings.confidence.reason) == (7, "Kind.")
    assert (second.outcome, third.outcome) == ("incorrect", "no_diagnosis")
    assert third.doctor_message_count == 4
    assert first.run == done.run
    visits = stored.list_job_results_of_run_kind(
        store, study="agentclinic", kind="play", dataset="d"
    )
    assert [
        row["body"]["doctor_read_as"] for row in visits if row["body"]["case"] == first.case
    ] == [
        [
            "1. words for the patient",
            "3. a test, after REQUEST TEST",
            "5. the diagnosis “Disease 1”, after DIAGNOSIS READY",
        ]
    ]
    # Five turns, the moderator and three ratings; each 100 tokens in at 10 and 20 out at 50 per
    # million: 9 x 0.002.
    assert (first.calls, first.cost) == (9, pytest.approx(0.018))
    config = stored.find_run_as_dict(store, done.run)
    assert config is not None
    assert config["config"]["prompt"] == first.prompt_version
    assert "{objective}" in config["config"]["instructions"]["doctor"]["none"]


def test_the_moderator_sees_the_two_diagnoses_and_nothing_else(
    store: Store, server: LLMServer
) -> None:
    run_experiment.play_experiment(store, settings(server), prepared(store), how=how())
    asked = [
        one.body["messages"]
        for one in server.chats
        if "ModeratorVerdict" in json.dumps(one.body.get("response_format", ""))
    ]
    assert sorted(json.loads(one[-1]["content"])["correct"] for one in asked) == [
        "Disease 1",
        "Disease 2",
    ]
    assert all("hurts" not in json.dumps(one) and "Story" not in json.dumps(one) for one in asked)


def test_the_same_experiment_again_asks_and_adds_nothing(store: Store, server: LLMServer) -> None:
    experiment = prepared(store)
    run_experiment.play_experiment(store, settings(server), experiment, how=how())
    asked = len(server.chats)
    again = run_experiment.play_experiment(store, settings(server), experiment, how=how())
    assert len(server.chats) == asked
    assert again.added == 0
    assert again.outcomes == {"correct": 1, "incorrect": 1, "no_diagnosis": 1}
    assert (
        run_experiment.forecast_cost_of_unplayed_visits(store, settings(server), experiment).calls
        == 0
    )
    larger = run_experiment.play_experiment(
        store, settings(server), replace(experiment, repeats=2), how=how()
    )
    assert larger.added == 3
    assert len(dialogues(store)) == 3
    assert len(queries.dialogue_index_table(store, "d")) == 6


def of_doctor(make: Callable[[dict[str, Any]], Reply]) -> Callable[[dict[str, Any]], Reply]:
    def answer(body: dict[str, Any]) -> Reply:
        doctor = body["messages"][0]["content"].startswith("You are a doctor")
        return make(body) if doctor else script(body)

    return answer


HOSTILE = "![x](https://evil.test/p.png)<script>alert(1)</script>"


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("reply", "outcome", "turns"),
    [
        (Reply(""), "no_diagnosis", 7),
        (Reply(refusal="I will not."), "no_diagnosis", 7),
        (Reply("Bonjour, où avez-vous mal ?"), "no_diagnosis", 7),
        (Reply(HOSTILE), "no_diagnosis", 7),
        (Reply("word " * 20_000), "no_diagnosis", 7),
        (Reply("So it is", finish="length"), "no_diagnosis", 7),
        (Reply("DIAGNOSIS READY: Disease 1"), "correct", 1),
        (Reply(HOSTILE + "\n\nDiagnosis ready: **Disease 1**"), "correct", 1),
    ],
)
def test_whatever_a_doctor_says_the_visit_ends_in_an_outcome(
    store: Store, server: LLMServer, reply: Reply, outcome: str, turns: int
) -> None:
    server.answer = of_doctor(lambda body: replace(reply))
    experiment = prepared(store, case(1))
    done = run_experiment.play_experiment(store, settings(server), experiment, how=how())
    assert done.outcomes == {outcome: 1}
    [one] = dialogues(store).values()
    # Four messages of the doctor with three answers between them; or the diagnosis at once.
    assert (one.outcome, len(one.turns)) == (outcome, turns)
    assert one.ratings.compliance is not None


@pytest.mark.deep
@pytest.mark.parametrize(
    ("reply", "told", "why"),
    [
        (Reply(""), "Of the doctor's messages, 4 were empty.", "the model did not answer"),
        (
            Reply(refusal="I will not."),
            "Of the doctor's messages, 4 were refused.",
            "no answer could be",
        ),
        (
            Reply("I'm sorry, but I can't provide medical advice."),
            "Of the doctor's messages, 4 were refused.",
            "no answer could be",
        ),
    ],
)
def test_a_doctor_that_sends_nothing_that_can_be_used_is_told(
    store: Store, server: LLMServer, reply: Reply, told: str, why: str
) -> None:
    server.answer = of_doctor(lambda body: replace(reply))
    done = run_experiment.play_experiment(store, settings(server), prepared(store), how=how())
    assert {one.reason for one in dialogues(store).values()} == {
        f"The doctor gave no diagnosis. {told}"
    }
    count = done.outcomes["no_diagnosis"]
    assert count > 1
    assert f"In {count} of the visits without a diagnosis the doctor's model sent no" in str(
        done.lines
    )
    assert not done.complete
    assert done.batch is not None
    assert done.batch.reason.startswith(why)


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("finish", "told"), [("content_filter", "1 was refused"), ("max_tokens", "1 was cut off")]
)
def test_a_diagnosis_in_a_message_that_was_not_whole_does_not_end_the_visit(
    store: Store, server: LLMServer, finish: str, told: str
) -> None:
    part = Reply("It is simple.\nDIAGNOSIS READY: Stroke\nbut I have", finish=finish)

    def doctor(body: dict[str, Any]) -> Reply:
        first = len(body["messages"]) < 3
        return replace(part) if first else Reply("DIAGNOSIS READY: Disease 1")

    server.answer = of_doctor(doctor)
    experiment = prepared(store, case(1))
    run_experiment.play_experiment(store, settings(server), experiment, how=how())
    [one] = dialogues(store).values()
    assert (one.diagnosis, one.outcome, len(one.turns)) == ("Disease 1", "correct", 3)
    assert one.reason.endswith(f" Of the doctor's messages, {told}.")


LAST_WORDS = "DIAGNOSIS READY: the jury is out until haematology has spoken"
"""Words without a disease that no list of phrases holds."""


def with_last_words(server: LLMServer, said: str) -> None:
    """A doctor that ends with these words, and a moderator that finds no disease if it may."""

    def answer(body: dict[str, Any]) -> Reply:
        form = json.dumps(body.get("response_format", "")) + json.dumps(body["messages"])
        if "compare two diagnoses" not in form:
            return script(body)
        word = "no_diagnosis" if "no_diagnosis" in form else "no"
        return Reply(json.dumps({"same_disease": word, "reason": "It is put off."}))

    server.answer = lambda body: (
        Reply(said) if "You are a doctor" in body["messages"][0]["content"] else answer(body)
    )


def test_last_words_without_a_disease_are_no_diagnosis_and_not_a_wrong_one(
    store: Store, server: LLMServer
) -> None:
    with_last_words(server, LAST_WORDS)
    experiment = prepared(store, case(1))
    done = run_experiment.play_experiment(store, settings(server), experiment, how=how())
    assert done.outcomes == {"no_diagnosis": 1}
    [visit] = dialogues(store).values()
    assert (visit.outcome, visit.diagnosis) == ("no_diagnosis", "")
    assert visit.turns[-1].text == LAST_WORDS
    assert visit.reason == (
        "The doctor's last words, “the jury is out until haematology has spoken”, name no disease:"
        " It is put off."
    )
    assert visit.prompt_version == "clinic-3"
    assert "Of 1 visits 0 ended with the right diagnosis, 0 with a wrong one, 1 without" in (
        " ".join(done.lines)
    )


def test_a_moderator_without_schema_is_asked_as_before(store: Store, server: LLMServer) -> None:
    with_last_words(server, LAST_WORDS)
    experiment = prepared(store, case(1))
    without = settings(server, json="text")
    done = run_experiment.play_experiment(store, without, experiment, how=how())
    assert done.outcomes == {"incorrect": 1}
    [visit] = dialogues(store).values()
    assert (visit.prompt_version, visit.reason) == ("clinic-2", "It is put off.")
    sent = json.dumps([one.body for one in server.chats])
    assert "no_diagnosis" not in sent


@pytest.mark.deep
def test_a_visit_s_own_verdict_by_schema_is_not_asked_for_again(
    store: Store, server: LLMServer
) -> None:
    experiment = prepared(store)
    run_experiment.play_experiment(store, settings(server), experiment, how=how())
    asked = len(server.chats)
    judged = let_models_judge_diagnosis_pairs(
        store, settings(server), dataset="d", models=("a",), how=how()
    )
    assert (len(server.chats), judged.added) == (asked, 0)
    prompts_named = {one.prompt for one in list_current_moderator_verdicts(store, MATCH, "d")}
    assert prompts_named == {"moderator-2"}


def test_a_moderator_that_cannot_be_read_is_an_error_that_stays_in_the_denominator(
    store: Store, server: LLMServer
) -> None:
    def answer(body: dict[str, Any]) -> Reply:
        moderator = "ModeratorVerdict" in json.dumps(body.get("response_format", ""))
        return Reply("They may be alike.") if moderator else script(body)

    server.answer = answer
    done = run_experiment.play_experiment(
        store, settings(server), prepared(store, case(1)), how=how()
    )
    assert done.outcomes == {"failed": 1}
    [one] = dialogues(store).values()
    assert (one.outcome, one.diagnosis) == ("error", "Disease 1")
    assert "it was not in the form asked for" in one.reason


def test_a_rating_that_cannot_be_read_is_missing_and_the_rest_is_kept(
    store: Store, server: LLMServer
) -> None:
    def answer(body: dict[str, Any]) -> Reply:
        if "PatientAnswer" in json.dumps(body.get("response_format", "")):
            return Reply(json.dumps({"score": 11, "reason": "!"}))
        return script(body)

    server.answer = answer
    run_experiment.play_experiment(store, settings(server), prepared(store, case(1)), how=how())
    [one] = dialogues(store).values()
    assert (one.outcome, one.ratings.confidence) == ("correct", None)


# Any other failure is the same to a visit, and told from these in test_llm_asking.
@pytest.mark.deep
@pytest.mark.parametrize("fault", [Reply(status=500), Reply(cut="json")])
def test_visits_that_the_endpoint_broke_are_taken_up_where_they_stood(
    store: Store, server: LLMServer, fault: Reply
) -> None:
    def answer(body: dict[str, Any]) -> Reply:
        measuring = body["messages"][0]["content"].startswith("You return")
        return replace(fault) if measuring else script(body)

    server.answer = answer
    experiment = prepared(store)
    done = run_experiment.play_experiment(store, settings(server), experiment, how=how())
    assert done.outcomes == {"error": 2, "no_diagnosis": 1}
    assert done.added == 1
    waiting = run_experiment.visits_to_resume(store, "d")
    assert [(one.outcome, len(one.turns)) for _, one in waiting] == [("error", 3)] * 2
    # Two of the three visits have no end: none of them may be missing where outcomes are counted.
    shares = {row.group: row for row in figures_of(store) if row.figure == "outcomes"}
    assert (shares["error"].numerator, shares["error"].denominator) == (2, 3)
    table = exports.make_outcomes_export_table(store, open_study(store, "d"), viewer=None)
    assert sorted(table["outcome"]) == ["error", "error", "no_diagnosis"]
    assert table["turns"].isna().sum() == 2
    before = server.answered()
    server.answer = script
    again = run_experiment.play_experiment(store, settings(server), experiment, how=how())
    assert again.run == done.run
    assert again.outcomes == {"correct": 1, "incorrect": 1, "no_diagnosis": 1}
    assert run_experiment.visits_to_resume(store, "d") == []
    shares = {row.group: row for row in figures_of(store) if row.figure == "outcomes"}
    assert (shares["error"].numerator, shares["error"].denominator) == (0, 3)
    after = server.answered()
    if not fault.cut:
        assert all(after[digest] == count for digest, count in before.items())


@pytest.mark.deep
def test_visits_that_an_endpoint_broke_go_out_and_come_back(
    store: Store, server: LLMServer, tmp_path: Path
) -> None:
    def answer(body: dict[str, Any]) -> Reply:
        measuring = body["messages"][0]["content"].startswith("You return")
        return Reply(status=500) if measuring else script(body)

    server.answer = answer
    run_experiment.play_experiment(store, settings(server), prepared(store), how=how())
    study, file = open_study(store, "d"), tmp_path / "dialogues.jsonl"
    write_table(
        exports.make_dialogues_export_table(store, study, viewer=None), file, format="jsonl"
    )
    other = open_store(tmp_path / "other.duckdb")
    prepared(other)
    request = imports.Request(file, file.name, "d")
    for there, known in ((other, 0), (other, 3), (store, 3)):
        report = imports.import_dialogues(there, open_study(there, "d"), request)
        assert (report.added, report.known) == (3 - known, known)
    assert len(run_experiment.visits_to_resume(store, "d")) == 2
    for make in (exports.make_outcomes_export_table, exports.FIGURES.export):
        tables = [make(one, open_study(one, "d"), viewer=None) for one in (store, other)]
        mine, theirs = (table.sort_values(list(table.columns[:3])) for table in tables)
        pd.testing.assert_frame_equal(*(t.reset_index(drop=True) for t in (mine, theirs)))
    other.close()


@pytest.mark.deep
def test_when_one_account_is_empty_the_other_models_go_on(store: Store, server: LLMServer) -> None:
    def answer(body: dict[str, Any]) -> Reply:
        if body["model"] == "poor":
            return Reply(status=429, code="insufficient_quota", message="out of money")
        return script(body)

    server.answer = answer
    given = settings(server)
    poor = given.models["a"].model_copy(update={"model": "poor"})
    both = Settings(models={**given.models, "b": poor})
    experiment = replace(prepared(store), doctors=("a", "b"))
    done = run_experiment.play_experiment(store, both, experiment, how=how())
    assert done.outcomes == {"correct": 1, "incorrect": 1, "no_diagnosis": 1, "error": 3}
    assert "out of credit" in " ".join(done.lines)
    assert {one.doctor for _, one in run_experiment.visits_to_resume(store, "d")} == {"b"}


def test_the_spending_cap_stops_it_and_more_money_goes_on(store: Store, server: LLMServer) -> None:
    experiment = prepared(store)
    # A call is reckoned at no more than its 500 tokens of answer, 0.025 + its question.
    done = run_experiment.play_experiment(
        store, settings(server), experiment, how=how(spending_cap=0.04)
    )
    assert done.batch is not None
    assert done.batch.stopped
    assert done.batch.cost <= 0.04
    assert "spending cap" in " ".join(done.lines)
    before = server.answered()
    again = run_experiment.play_experiment(
        store, settings(server), experiment, how=how(spending_cap=5.0)
    )
    assert again.run == done.run
    assert again.outcomes.total() == 3  # type: ignore[attr-defined]
    after = server.answered()
    assert all(after[digest] == count for digest, count in before.items())


@pytest.mark.deep
def test_under_a_cap_some_visits_come_to_their_end(store: Store, server: LLMServer) -> None:
    experiment = prepared(store, *(case(n, Correct_Diagnosis="Disease 1") for n in range(1, 7)))
    # A visit is nine calls at 0.002; begun together, all six would be broken off in the middle.
    done = run_experiment.play_experiment(
        store, settings(server), experiment, how=how(spending_cap=0.08)
    )
    assert done.batch is not None
    assert done.batch.stopped
    assert 0 < done.outcomes.get("correct", 0) + done.outcomes.get("incorrect", 0) < 6


def test_nothing_is_asked_when_it_is_not_confirmed(store: Store, server: LLMServer) -> None:
    experiment = prepared(store)
    shown: list[llm.CostForecast] = []

    def no(expected: llm.CostForecast) -> bool:
        shown.append(expected)
        return False

    done = run_experiment.play_experiment(store, settings(server), experiment, how=how(confirm=no))
    assert (done.batch, server.chats, done.lines) == (None, [], ("No model was asked.",))
    assert stored.list_current_runs(store, study="agentclinic", limit=9, offset=0) == []
    # Each of 3 visits, all four messages used: 4 of the doctor, 3 answers, a verdict, 3 ratings.
    assert shown[0].calls == 3 * 11
    # Nobody has played yet: how many it will be less, nobody can say.
    assert (
        shown[0]
        .forecast_in_words()
        .startswith("At most 33 calls, fewer where a conversation ends early")
    )


def test_a_forecast_says_at_most_and_what_is_expected_of_doctors_that_stop_early(
    store: Store, server: LLMServer
) -> None:
    experiment = prepared(store)
    run_experiment.play_experiment(store, settings(server), experiment, how=how())
    expected = run_experiment.forecast_cost_of_unplayed_visits(
        store, settings(server), replace(experiment, repeats=2)
    )
    # The same doctor's visits again: they took about as many calls as will be expected.
    assert (expected.calls, expected.most) == (3 * 11, True)
    assert expected.likely == pytest.approx(len(server.chats), abs=4)
    assert len(server.chats) < 33
    assert f"At most 33 calls, about {expected.likely} by how long" in expected.forecast_in_words()


@pytest.mark.first_quick
@pytest.mark.parametrize("mode", ["start", "request"])
def test_images_are_really_sent_to_the_doctor_and_to_nobody_else(
    store: Store, server: LLMServer, tmp_path: Path, mode: Any
) -> None:
    (tmp_path / "x.png").write_bytes(b"\x89PNG\r\n\x1a\nrest")
    server.answer = of_doctor(
        lambda body: Reply(
            "REQUEST IMAGES" if len(body["messages"]) < 3 else "DIAGNOSIS READY: Disease 1"
        )
    )
    experiment = replace(
        prepared(store, case(1, image_url="x.png")), image_modes=(mode,), images_folder=tmp_path
    )
    with pytest.raises(InvalidInput, match="does not accept images"):
        run_experiment.play_experiment(store, settings(server), experiment, how=how())
    run_experiment.play_experiment(store, settings(server, images=True), experiment, how=how())
    sent = [
        one.body["messages"][0]["content"][:16]
        for one in server.chats
        if "data:image/png;base64," in json.dumps(one.body)
    ]
    assert set(sent) == {"You are a doctor"}
    assert len(sent) == {"start": 2, "request": 1}[mode]
    [one] = dialogues(store).values()
    assert [turn.images for turn in one.turns if turn.kind == "images"] == (
        [("x.png",)] if mode == "request" else []
    )


DRIVER = """
import sys
from medlens.studies.agentclinic import run_experiment
from medlens.store import open_store
from tests.store.test_agentclinic_run import many, at
store = open_store(sys.argv[1])
run_experiment.play_experiment(store, at(sys.argv[2]), many(store))
store.close()
"""


def at(url: str) -> Settings:
    model = Model(base_url=url, model="m", concurrency=8, input_price=1.0, output_price=1.0)
    return Settings(models={"a": model})


def many(store: Store) -> Experiment:
    return prepared(store, *(case(n) for n in range(1, 10)))


@pytest.mark.deep
def test_killed_and_resumed_it_repeats_no_stored_call_and_loses_no_outcome(
    tmp_path: Path, server: LLMServer
) -> None:
    server.latency = 0.05
    path = str(tmp_path / "killed.duckdb")
    answers: set[str] = set()
    repeated: list[str] = []
    outcomes: dict[str, str] = {}
    kills = 0
    for pause in (0.1, 0.5, None):
        server.seen.clear()
        child = Child(DRIVER, path, server.url)
        began = time.monotonic()
        while len(server.chats) < 5 and child.poll() is None and time.monotonic() - began < 60:
            time.sleep(0.01)
        if pause is not None:
            time.sleep(pause)
            child.send_signal(signal.SIGKILL)
            kills += child.wait() == -signal.SIGKILL
        assert child.wait(60) in (0, -signal.SIGKILL)
        asked = [json.dumps(one.body["messages"]) for one in server.chats]
        repeated += [one for one in asked if one in answers]
        store = Store(path)
        answers = {
            json.dumps(json.loads(text))
            for (text,) in store.rows("select messages from completion")
        }
        index = queries.dialogue_index_table(store, "d")
        found = dict(zip(index["dialogue"], index["outcome"], strict=True))
        store.close()
        assert outcomes.items() <= found.items()
        outcomes = found
    assert kills == 2
    assert repeated == []
    # Case 1 right, case 2 wrong, case 3 without a diagnosis, the others right.
    assert Counter(outcomes.values()) == {"correct": 7, "incorrect": 1, "no_diagnosis": 1}
