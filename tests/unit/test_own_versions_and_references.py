"""Versions of a text in columns are compared, and an answer beside a prediction is hidden."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from medlens.studies.own.study_proposal import Proposal, propose_study

LONG = "The patient should be seen on the same day, since what is said of the neck is no small"
VERSIONS = (
    *(("v1", "v2"), ("V1", "V2", "V3"), ("version 1", "version 2"), ("draft A", "draft B")),
    *(("arm_x", "arm_y"), ("run1", "run2", "run3"), ("baseline", "finetuned"), ("base", "sft")),
    *(("zero-shot", "few-shot"), ("alpha", "beta"), ("candidate 1", "candidate 2")),
    *(("control", "intervention"), ("Temperature 0", "Temperature 1"), ("rag", "no rag")),
)
RESTS = ("", "text", "note", "Text", "letter", "output")
REFERENCES = ("reference", "Referenzantwort", "ref_summary", "gold", "Antwort", "answer", "target")
PREDICTED = (
    *("pred", "prediction", "model_output", "generated_answer", "KI-Antwort", "sys_summary"),
    *("model_answer", "Antwort des Modells", "respuesta del modelo", "LLM response", "hypothesis"),
)
PLAIN = ("answer", "long_answer", "short_answers", "Antwort", "respuesta", "réponse", "summary")


def proposed(*headings: str) -> Proposal:
    rows: list[dict[str, Any]] = [
        {name: f"{LONG} matter ({name} of {at})." for name in headings} for at in range(5)
    ]
    return propose_study(rows, title="Notes")


def roles(found: Proposal) -> dict[str, str]:
    return {one.name: one.role for one in found.columns}


@pytest.mark.first_quick
@pytest.mark.parametrize("seed", range(30))
def test_versions_of_a_text_are_compared_and_a_reference_beside_them_is_hidden(seed: int) -> None:
    draw = random.Random(seed)
    versions, rest = draw.choice(VERSIONS), draw.choice(RESTS)
    between = draw.choice((" ", "_", " - "))
    headings = [f"{one}{between}{rest}" if rest else one for one in versions]
    if draw.random() < 0.3 and rest:
        headings = [f"{rest}{between}{one}" for one in versions]
    reference = draw.choice(REFERENCES)
    columns = ["question", *headings, reference]
    draw.shuffle(columns)
    found = roles(proposed(*columns))
    assert [found[name] for name in headings] == ["answer"] * len(headings), (columns, found)
    assert found[reference] in ("hidden", "group"), (columns, found)
    assert found["question"] == "text"


@pytest.mark.parametrize(("plain", "predicted"), [*itertools.product(PLAIN, PREDICTED)])
def test_a_plain_answer_beside_a_prediction_is_hidden_and_told(plain: str, predicted: str) -> None:
    found = proposed("question", plain, predicted)
    assert roles(found)[predicted] == "text"
    assert roles(found)[plain] == "hidden"
    assert any(f"“{plain}”" in note and "the answer of one model" in note for note in found.told)


@pytest.mark.parametrize(
    "pair",
    [
        *(("text_1", "text_2"), ("old", "new"), ("A", "B"), ("X", "Y"), ("left", "right")),
        ("note (before)", "note (after)"),
    ],
)
def test_texts_headed_alike_that_may_be_parts_of_a_case_are_told(pair: tuple[str, str]) -> None:
    found = proposed("prompt", *pair)
    assert {roles(found)[name] for name in pair} == {"text"}
    assert any("as parts of one case" in note for note in found.told)


def test_headings_that_say_which_text_a_person_wrote_are_told() -> None:
    found = proposed("AI draft", "Final note (edited by physician)")
    assert [one.sentence[:44] for one in found.looked.telling] == [
        "Reviewers can tell what a machine wrote and "
    ]
    found = proposed("AI draft", "Doctor letter")
    assert any("which say who wrote which" in note for note in found.told)
    assert found.looked.telling == []
    for pair in (("Doctor letter", "Advice"), ("Arztbrief", "KI-Zusammenfassung")):
        assert not any("who wrote which" in note for note in proposed(*pair).told)


@pytest.mark.parametrize(
    "score",
    ["llm_context_recall", "factual_correctness", "noise_sensitivity", "answer_relevancy",
     "nv_accuracy", "topic_adherence", "semantic_similarity"],
)  # fmt: skip
def test_scores_of_programs_that_measure_answers_are_hidden(score: str) -> None:
    rows = [
        {"user_input": f"{LONG}, {at}?", "response": f"{LONG} matter {at}.", score: 0.5 + at / 10}
        for at in range(4)
    ]
    assert roles(propose_study(rows, title="Scores"))[score] in ("group", "hidden")


def test_who_speaks_in_a_logged_reply_is_left_out() -> None:
    rows = [
        {
            "id": f"c{at}",
            "request": {"messages": [{"role": "user", "content": f"{LONG}, {at}?"}]},
            "response": {"message": {"role": "assistant", "content": f"{LONG} matter {at}."}},
        }
        for at in range(4)
    ]
    found = roles(propose_study(rows, title="Logs"))
    assert found["response.message.role"] == "out"
    assert found["response.message.content"] == "text"


@pytest.mark.parametrize(
    "headings",
    [
        ("sentence1", "sentence2"),
        ("Question 1", "Question 2"),
        ("premise", "text"),
        ("Symptom 1", "Symptom 2"),
        ("user 1", "user 2"),
    ],
)
def test_parts_that_every_case_has_are_not_told_of(headings: tuple[str, str]) -> None:
    assert not any("as parts of one case" in note for note in proposed(*headings).told)


def test_an_answer_is_shown_though_it_names_who_made_the_model() -> None:
    rows = [
        {
            "nr": str(at),
            "patient_message": f"Is it safe to run with this knee, {at} days after the fall?",
            "reply": "As a model made by OpenAI, I cannot say. See a doctor today, please.",
        }
        for at in range(4)
    ]
    found = propose_study(rows, title="Replies")
    assert roles(found)["reply"] == "text"
    assert found.looked.telling


def test_a_list_of_completions_is_compared_though_one_model_is_not_well_known() -> None:
    rows = [
        {
            "instruction": f"What is good for a stiff neck, {at}?",
            "completions": [
                {"model": "ward-net-7", "response": f"{LONG} matter {at}."},
                {"model": "gpt-4", "response": f"{LONG} thing {at}."},
            ],
        }
        for at in range(4)
    ]
    arms = propose_study(rows, title="Feedback").declared.arms
    assert arms is not None
    assert set(arms.names) == {"ward-net-7", "gpt-4"}


@pytest.mark.parametrize("answer", ["answer", "Antwort", "Answers"])
def test_a_plain_answer_between_those_of_models_is_no_model(answer: str) -> None:
    found = proposed("question", "gpt4_answer", answer, "llama_answer")
    assert roles(found)[answer] == "hidden"
    assert any(f"“{answer}”" in note for note in found.told)
