"""A batch's requests and its answers, each in a file of its own."""

from __future__ import annotations

from typing import Any

from medlens.studies.own.study_proposal import propose_study
from medlens.tables.join_tables_of_models import join_tables_of_models


def request(name: str, asked: str, *before: dict[str, str]) -> dict[str, Any]:
    messages = [*before, {"role": "user", "content": asked}]
    return {"custom_id": name, "method": "POST", "url": "/v1", "body": {"messages": messages}}


def answer(name: str, said: str, model: str = "gpt-4o-mini") -> dict[str, Any]:
    return {"custom_id": name, "answer": said, "model": model, "finish_reason": "stop"}


ASKED = [f"What helps against cough number {at}, which began a week ago?" for at in range(4)]
SAID = [f"Rest and drink enough, and come back in {at} days if it lasts." for at in range(4)]


def test_what_was_asked_stands_beside_each_answer_and_is_no_model() -> None:
    nurse = {"role": "system", "content": "You are a nurse."}
    asked = [request(f"req-{at}", ASKED[at], nurse) for at in range(4)]
    joined = join_tables_of_models(
        [("in.jsonl", asked), ("out.jsonl", [answer(f"req-{at}", SAID[at]) for at in range(3)])]
    )
    assert [row["question"] for row in joined.rows] == ASKED[:3]
    assert joined.notes == [
        "in.jsonl holds what was asked, and out.jsonl the answers: they are put beside each other"
        " by custom_id.",
        "in.jsonl: 1 request has no answer and is left out.",
    ]
    made = propose_study(joined.rows, title="T")
    assert made.declared.arms is None
    assert made.declared.shown_text_columns == ("question", "answer")


def test_answers_of_two_models_are_compared_with_what_both_were_asked() -> None:
    asked = [request(f"req-{at}", ASKED[at]) for at in range(4)]
    others = [answer(f"req-{at}", f"See a doctor about {at}, today.", "o3") for at in range(4)]
    joined = join_tables_of_models(
        [
            ("in.jsonl", asked),
            ("gpt.jsonl", [answer(f"req-{at}", SAID[at]) for at in range(4)]),
            ("o3.jsonl", others),
        ]
    )
    made = propose_study(joined.rows, title="T")
    assert made.declared.arms is not None
    assert len(made.declared.arms.names) == 2
    assert "question" in made.declared.shown_text_columns


def test_several_turns_and_parts_of_a_message_are_kept() -> None:
    parts = [{"type": "text", "text": "My neck"}, {"type": "text", "text": "is stiff."}]
    turns = [{"role": "user", "content": parts}, {"role": "assistant", "content": "Since when?"}]
    asked = [request(f"c{at}", "Today.", *turns) for at in range(2)]  # type: ignore[arg-type]
    given = [("in.jsonl", asked), ("out.jsonl", [answer(f"c{at}", SAID[at]) for at in range(2)])]
    (first, _) = join_tables_of_models(given).rows
    assert [turn["content"] for turn in first["messages"]] == [
        *("My neck\n\nis stiff.", "Since when?", "Today.")
    ]


def test_an_answer_whose_name_is_the_case_alone_finds_its_request() -> None:
    asked = [request(f"case-{at}-gpt4o", ASKED[at]) for at in range(3)]
    given = [
        ("in.jsonl", asked),
        ("out.jsonl", [answer(f"case-{at}", SAID[at]) for at in range(3)]),
    ]
    assert [row["question"] for row in join_tables_of_models(given).rows] == ASKED[:3]
