"""Logs of evaluation tools are a row for each document or request; what is left out is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from medlens.bridges import import_from_label_studio
from medlens.studies.own.study_proposal import propose_study
from medlens.tables import iterate_rows_of_table_file


def read(lines: list[Any]) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of a log with these lines, and what is told of it."""
    notes: list[str] = []
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    refused: list[str] = []
    rows = iterate_rows_of_table_file(
        content, name="log.jsonl", notes=notes, refuse=lambda _row, why: refused.append(str(why))
    )
    return [row.values for row in rows], [*notes, *refused]


def sample(number: int, **more: Any) -> dict[str, Any]:
    return {
        "doc_id": number,
        "doc": {"question": f"Is rest good for neck {number}?"},
        "target": "yes",
        "arguments": {"gen_args_0": {"arg_0": f"Q: neck {number}\nA:", "arg_1": {"until": []}}},
        "resps": [["It is good, as far as one knows today."]],
        "filtered_resps": ["yes"],
        "filter": "strict",
        "exact_match": 1.0,
    } | more


def test_a_document_of_the_harness_is_one_row_whatever_its_filters() -> None:
    rows, notes = read([sample(0), sample(1), sample(0, filter="loose", exact_match=0.0)])
    assert [row["doc_id"] for row in rows] == [0, 1]
    assert rows[0]["answer"] == "It is good, as far as one knows today."
    assert rows[0]["prompt"] == "Q: neck 0\nA:"
    assert rows[0]["score"] == {
        "strict": {"exact_match": 1.0, "extracted": "yes"},
        "loose": {"exact_match": 0.0, "extracted": "yes"},
    }
    assert any("1 line repeats a document under another filter" in note for note in notes)


def test_the_scores_and_the_target_of_the_harness_are_hidden_at_first() -> None:
    found = propose_study(read([sample(0), sample(1)])[0], title="T")
    shown = set(found.declared.shown_text_columns)
    assert {"prompt", "answer"} <= shown
    assert not [name for name in shown if "score" in name or name == "target"]


def test_of_several_options_the_answer_is_the_one_held_likeliest() -> None:
    options = sample(
        0,
        arguments=[["Q", " Rest"], ["Q", " Salt"]],
        resps=[[["-3.2", "False"]], [["-1.1", "False"]]],
    )
    assert read([options])[0][0]["answer"] == "Salt"


@pytest.mark.parametrize(
    "line",
    [
        {"response": {"body": {"model": "m", "choices": [{"message": {"content": "Rest."}}]}}},
        {"response": {"body": {"model": "m", "choices": [{"text": "Rest."}]}}},
        {"response": {"body": {"model": "m", "output": [{"content": [{"text": "Rest."}]}]}}},
        {"result": {"message": {"model": "m", "content": [{"text": "Rest."}]}}},
    ],
    ids=["chat", "completion", "responses", "Anthropic"],
)  # fmt: skip
def test_a_batchs_answers_are_rows_and_failed_requests_are_told(line: dict[str, Any]) -> None:
    failed = {"custom_id": "q2", next(iter(line)): None}
    rows, notes = read([{"custom_id": "q1", **line}, failed])
    assert [(row["custom_id"], row["answer"], row["model"]) for row in rows] == [
        ("q1", "Rest.", "m")
    ]
    assert any("1 request got no answer and is left out: q2" in note for note in notes)


def test_a_request_of_a_batch_that_got_several_answers_is_told_as_only_the_first_is_read() -> None:
    choices = [{"message": {"content": said}} for said in ("Rest.", "Salt.")]
    rows, notes = read(
        [
            {"custom_id": "q1", "response": {"body": {"choices": choices}}},
            {"custom_id": "q2", "response": {"body": {"choices": choices[:1]}}},
        ]
    )
    assert [row["answer"] for row in rows] == ["Rest.", "Rest."]
    assert any("1 request got more than one answer" in note for note in notes)


def test_a_log_of_openai_evals_is_a_row_for_each_sample() -> None:
    asked = [{"role": "user", "content": "What helps?"}]
    rows, notes = read(
        [
            {"spec": {"eval_name": "x", "completion_fns": ["m"]}},
            {"sample_id": "x.0", "type": "sampling", "data": {"prompt": asked, "sampled": ["A"]}},
            {"sample_id": "x.1", "type": "raw_sample", "data": {"input": "y"}},
            {"sample_id": "x.0", "type": "match", "data": {"correct": True, "sampled": "A"}},
            7,
            {"final_report": {"accuracy": 1}},
        ]
    )
    assert rows == [
        {
            "sample_id": "x.0",
            "prompt": asked,
            "answer": "A",
            "score": {"correct": True},
            "model": "m",
        }
    ]
    told = next(note for note in notes if "left out" in note)
    assert "1 lines that are no events" in told
    assert "1 samples without an answer" in told


def test_other_objects_with_an_id_of_their_own_stay_as_they_are() -> None:
    for row in ({"custom_id": "a", "response": "words"}, {"doc_id": 1, "text": "x"}):
        assert read([row]) == ([row], [])


def test_a_broken_line_in_a_log_is_refused_by_line() -> None:
    rows, notes = read([sample(0), "no object"])
    assert len(rows) == 1
    assert any("log.jsonl, line 2" in note for note in notes)


CONFIG = """<View><Text name="t" value="$t"/><Labels name="l" toName="t">
<Label value="ADE"/><Label value="ade"/></Labels></View>"""


def test_labels_that_differ_in_case_are_two_and_texts_with_nothing_are_told() -> None:
    def result(label: str) -> dict[str, Any]:
        value = {"start": 0, "end": 4, "text": "Rest", "labels": [label]}
        return {"id": label, "from_name": "l", "to_name": "t", "type": "labels", "value": value}

    tasks = [
        {"id": at, "data": {"t": "Rest helps."}, "annotations": [{"id": at, "result": [result(o)]}]}
        for at, o in enumerate(("ADE", "ade"))
    ]
    found = import_from_label_studio.convert_label_studio_to_study_and_notes(
        "T", CONFIG.encode(), json.dumps(tasks).encode()
    )
    assert [json.loads(row["marks"])[0]["labels"] for row in found.judgments] == [
        ["label_1"],
        ["label_2"],
    ]
    choices = """<View><Text name="t" value="$t"/><Choices name="c" toName="t">
    <Choice value="Yes; surely"/><Choice value="No"/></Choices></View>"""
    empty = [{"id": 1, "data": {"t": None}, "annotations": []}, tasks[0] | {"annotations": []}]
    told = import_from_label_studio.convert_label_studio_to_study_and_notes(
        "T", choices.encode(), json.dumps(empty).encode()
    ).notes
    assert any("would see nothing, kept: 1 (task-1)" in note for note in told)
    assert any("semicolons are commas here: 1" in note for note in told)


def test_another_text_under_a_number_that_is_there_is_a_row_of_its_own() -> None:
    other = sample(0, doc={"question": "Another text."}, arguments=[["Another text.", {}]])
    loose = {"filter": "loose", "exact_match": 0.0}
    rows, notes = read([sample(0), sample(1), other, sample(0, **loose), {**other, **loose}])
    assert [row["doc_id"] for row in rows] == [0, 1, "0 (2)"]
    assert [row["doc"]["question"] for row in rows][2] == "Another text."
    assert [set(row["score"]) for row in rows] == [
        {"strict", "loose"},
        {"strict"},
        {"strict", "loose"},
    ]
    assert any("2 lines repeat documents under another filter" in note for note in notes)
    told = [note for note in notes if "a different text" in note]
    assert told == [
        "log.jsonl: 1 document has the same number as another one with a different text (0), as"
        " happens where files of several tasks are joined. It is a row of its own, such as '0 (2)'."
    ]
