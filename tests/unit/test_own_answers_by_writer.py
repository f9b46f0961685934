"""A list of answers that each say who wrote them is compared, and never shown with these names."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.study_proposal import propose_study

TEXTS = (
    "Please come to the surgery today, since a stiff neck with fever must be looked at soon.",
    "Wait two or three days, drink plenty of water and take paracetamol if you feel unwell.",
)


def table_of(key: str, text: str, *writers: str) -> list[dict[str, Any]]:
    return [
        {
            "id": str(at),
            "question": f"What should I do about this neck of mine on day {at}?",
            "answers": [
                {key: writer, text: f"{said} ({at})"}
                for writer, said in zip(writers, TEXTS, strict=True)
            ],
            "best": writers[at % 2],
        }
        for at in range(4)
    ]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("key", "text", "writers"),
    [
        ("source", "text", ("chatgpt", "physician")),
        ("author", "answer", ("GPT-4o", "Dr Miller")),
        ("by", "reply", ("Gemini", "GP")),
        ("name", "content", ("gpt-4o", "llama-3")),
        ("from", "text", ("ChatGPT", "physician")),
        ("source", "antwort", ("KI", "Ärztin")),
        ("written_by", "text", ("LLM", "nurse")),
    ],
)
def test_answers_that_say_who_wrote_them_are_compared_without_that(
    key: str, text: str, writers: tuple[str, str]
) -> None:
    found = propose_study(table_of(key, text, *writers), title="T")
    arms = found.declared.arms
    assert arms is not None
    assert set(arms.names) == set(writers)
    assert found.looked.telling == []
    assert not any(name in found.declared.shown_text_columns for name in ("best", "answers"))


@pytest.mark.parametrize(
    ("key", "text", "writers"),
    [
        ("source", "text", ("NEJM 2019", "Lancet 2020")),
        ("name", "text", ("Fever", "Stiff neck")),
        ("from", "text", ("human", "gpt")),
        ("author", "text", ("user", "assistant")),
    ],
)
def test_passages_and_turns_are_no_answers_of_writers(
    key: str, text: str, writers: tuple[str, str]
) -> None:
    assert propose_study(table_of(key, text, *writers), title="T").declared.arms is None
