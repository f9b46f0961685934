"""What each model gave beside its answer, in a column of its own, is no model."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.study_proposal import Proposal, propose_study

LONG = "Please come to the surgery today, since a stiff neck with fever must be looked at"


def table_of(*headings: str) -> list[dict[str, Any]]:
    return [
        {"nr": str(at), "question": f"What should I do about this neck of mine on day {at}?"}
        | {name: f"{LONG} {at}, says {n}." for n, name in enumerate(headings)}
        for at in range(1, 4)
    ]


def roles_of(found: Proposal) -> dict[str, str]:
    return {one.name: one.role for one in found.columns}


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("answers", "beside"),
    [
        (("GPT-4o Antwort", "Gemini Antwort"), ("GPT-4o Quellen", "Gemini Quellen")),
        (("Answer GPT-4o", "Answer Gemini"), ("Sources GPT-4o", "Sources Gemini")),
        (("GPT-4o", "Gemini"), ("GPT-4o references", "Gemini references")),
        (("gpt4_response", "llama_response"), ("gpt4_citations", "llama_citations")),
        (("Réponse GPT-4o", "Réponse Mistral"), ("Références GPT-4o", "Références Mistral")),
        (("Respuesta GPT-4o", "Respuesta Llama"), ("Fuentes GPT-4o", "Fuentes Llama")),
        (("Risposta GPT-4o", "Risposta Llama"), ("Fonti GPT-4o", "Fonti Llama")),
        (("GPT-4o Answer", "Gemini Answer"), ("GPT-4o Next Steps", "Gemini Next Steps")),
        (("GPT-4o 回答", "Gemini 回答"), ("GPT-4o 出典", "Gemini 出典")),
        (("GPT-4o answer", "Gemini answer"), ("GPT-4o sources",)),
    ],
)
def test_columns_beside_each_models_answer_are_hidden_and_told(
    answers: tuple[str, ...], beside: tuple[str, ...]
) -> None:
    order = [name for pair in zip(answers, beside, strict=False) for name in pair]
    found = propose_study(table_of(*dict.fromkeys([*order, *answers])), title="T")
    roles = roles_of(found)
    assert {name for name, role in roles.items() if role == "answer"} == set(answers)
    assert all(roles[name] == "hidden" for name in beside)
    assert all(f"“{name}”" in " ".join(found.told) for name in beside)
    assert found.declared.arms is not None
    assert len(found.declared.arms.names) == 2
    chosen = (
        propose_study(table_of(*order), title="T", answers_of=dict(zip(answers, "AB", strict=True)))
        if len(beside) > 1
        else found
    )
    assert chosen.looked.telling == []


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "headings",
    [
        ("GPT-4o zero-shot", "GPT-4o CoT", "Gemini zero-shot", "Gemini CoT"),
        ("GPT-4o with RAG", "GPT-4o without RAG", "Gemini with RAG", "Gemini without RAG"),
        ("Answer GPT-4o v1", "Answer GPT-4o v2", "Answer Gemini v1"),
        ("Answer GPT-4o", "Answer Gemini", "Answer Llama"),
        ("GPT-4o answer", "GPT-4o mini answer", "Gemini answer"),
    ],
)
def test_answers_of_one_model_asked_in_several_ways_are_all_compared(
    headings: tuple[str, ...],
) -> None:
    roles = roles_of(propose_study(table_of(*headings), title="T"))
    assert {name for name, role in roles.items() if role == "answer"} == set(headings)


def test_a_model_that_is_not_chosen_is_not_shown_under_its_name() -> None:
    headings = ("Answer GPT-4o", "Answer Gemini", "Answer Llama")
    found = propose_study(
        table_of(*headings), title="T", answers_of={headings[0]: "A", headings[1]: "B"}
    )
    assert roles_of(found)[headings[2]] == "hidden"
    assert found.looked.telling == []
    assert f"“{headings[2]}”" in " ".join(found.told)
