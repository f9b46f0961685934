"""A batch's requests and its answers, each in a file of its own."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from medlens.app.file_intake.reader_client import join_model_tables_in_reader_process
from medlens.config.settings import Settings
from medlens.studies.own.study_proposal import propose_study
from medlens.tables import Source
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
        "in.jsonl holds the questions and out.jsonl the answers: they are matched by custom_id.",
        "in.jsonl: 1 request has no answer with its custom_id and is left out.",
    ]
    made = propose_study(joined.rows, title="T")
    assert made.declared.arms is None
    assert made.declared.shown_text_columns == ("question", "answer")


def test_a_picture_in_a_request_is_told_and_has_a_mark_in_the_question() -> None:
    parts = [{"type": "text", "text": ASKED[0]}, {"type": "image_url", "image_url": {"url": "x"}}]
    asked = [request("req-0", ASKED[0]), request("req-1", ASKED[1])]
    asked[0]["body"]["messages"][0]["content"] = parts
    given = [answer(f"req-{at}", SAID[at]) for at in range(2)]
    joined = join_tables_of_models([("in.jsonl", asked), ("out.jsonl", given)])
    assert [row["question"] for row in joined.rows] == [f"{ASKED[0]}\n\n[file]", ASKED[1]]
    assert any("1 question has pictures or files" in note for note in joined.notes)


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


MODELS = ("gpt-4", "llama-3")


def of_two_models(name: str) -> list[tuple[str, int, str]]:
    return [(name.format(at=at, of=of), at, of) for at in range(1, 6) for of in MODELS]


def batch_line(name: str, at: int, of: str) -> dict[str, Any]:
    said = {"message": {"content": f"{SAID[at % 4]} This is answer {at} of {of[0]}."}}
    body = {"model": of, "choices": [said]}
    return {"id": f"x{name}", "custom_id": name, "response": {"status_code": 200, "body": body}}


@pytest.mark.parametrize("name", ["{of}-{at}", "{at}-{of}", "case-{at}-{of}", "{of}_q{at}"])
def test_each_model_s_answer_has_the_question_of_its_own_whole_custom_id(
    name: str,
) -> None:
    named = of_two_models(name)
    asked = [request(one, f"What is the dose of drug {at}?") for one, at, _ in named]
    given = [batch_line(*one) for one in named]
    files: list[tuple[Source, str]] = [
        ("\n".join(map(json.dumps, rows)).encode(), called)
        for rows, called in ((asked, "req.jsonl"), (given, "out.jsonl"))
    ]
    joined = join_model_tables_in_reader_process(Settings(), files)
    rows = [json.loads(line) for line in joined.rows]
    assert [(row["question"], row["model"]) for row in rows] == [
        (f"What is the dose of drug {at}?", of) for _, at, of in named
    ]
    assert not any("left out" in note or "no request" in note for note in joined.notes)
    assert any("Only the case is kept" in note for note in joined.notes)
    made = propose_study(rows, title="T")
    assert made.declared.arms is not None
    assert made.declared.arms.names == MODELS


def test_a_case_alone_finds_the_requests_that_begin_or_end_with_it_and_ask_the_same() -> None:
    named = of_two_models("{of}-{at}")
    asked = [request(one, f"What is the dose of drug {at}?") for one, at, _ in named]
    given = [answer(str(at), f"{SAID[at % 4]} {of}", of) for _, at, of in named[:-1]]
    joined = join_tables_of_models([("in.jsonl", asked), ("out.csv", given)])
    assert [row["question"] for row in joined.rows] == [
        f"What is the dose of drug {at}?" for _, at, _ in named[:-1]
    ]
    assert joined.notes[1:] == [
        "in.jsonl: 1 request has no answer with its custom_id and is left out."
    ]


def test_an_answer_gets_no_question_that_may_be_another_item_s() -> None:
    asked = [request(f"case-{at}-rev-1", ASKED[at]) for at in range(4)]
    asked += [request("twice", ASKED[0]), request("twice", ASKED[1]), request("sure", ASKED[2])]
    names = ("0", "1", "2", "rev", "twice", "sure")
    given = [answer(name, f"{SAID[at % 4]} {name}") for at, name in enumerate(names)]
    joined = join_tables_of_models([("in.jsonl", asked), ("out.jsonl", given)])
    assert [row.get("question") for row in joined.rows] == [*[None] * 5, ASKED[2]]
    assert any("question could be found by custom_id for 5 answers" in n for n in joined.notes)


def test_requests_that_tell_each_model_something_else_share_the_question_alone() -> None:
    told = [{"role": "system", "content": f"You are {of}."} for of in MODELS]
    first, second = ([request("c1", ASKED[0], one), request("c2", ASKED[1])] for one in told)
    given = [answer(f"c{at}", SAID[at]) for at in (1, 2)]
    tables = [("a.jsonl", first), ("b.jsonl", second), ("out.jsonl", given)]
    joined = join_tables_of_models(tables)
    assert [row["question"] for row in joined.rows] == ASKED[:2]
    assert not any("system_prompt" in row for row in joined.rows)
    assert any("different system prompts before 1 question" in one for one in joined.notes)


@pytest.mark.deep
def test_requests_of_a_large_batch_are_found_in_time_that_grows_with_their_number() -> None:
    asked = [request(f"case-{at}-gpt4o", f"{ASKED[0]} {at}") for at in range(20_000)]
    given = [answer(f"case-{at}", f"{SAID[0]} {at}") for at in range(20_000)]
    begun = time.process_time()
    joined = join_tables_of_models([("in.jsonl", asked), ("out.jsonl", given)])
    assert time.process_time() - begun < 5
    assert joined.rows[-1]["question"] == f"{ASKED[0]} 19999"
