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


def helm(number: int, **more: Any) -> dict[str, Any]:
    return {
        "instance": {
            "input": {"text": f"Is rest good for neck {number}?"},
            "references": [
                {"output": {"text": "Rest"}, "tags": []},
                {"output": {"text": "Moving it"}, "tags": ["correct"]},
            ],
            "split": "test",
            "id": f"id{number}",
        },
        "request": {"model": "openai/gpt-4o", "prompt": f"Answer. Is rest good for {number}?"},
        "result": {
            "success": True,
            "completions": [{"text": " It should be moved.", "logprob": -2.0, "tokens": []}],
        },
        "train_trial_index": 0,
        "prompt_truncated": False,
    } | more


def read_json(value: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of a log that is one JSON object, and what is told of it."""
    notes: list[str] = []
    found = iterate_rows_of_table_file(json.dumps(value).encode(), name="log.json", notes=notes)
    return [row.values for row in found], notes


def test_results_of_helm_are_questions_with_their_answer_and_named() -> None:
    lost = helm(2, result={"success": False, "completions": []})
    rows, notes = read_json({"adapter_spec": {}, "request_states": [helm(0), helm(1), lost]})
    assert rows[0] == {
        "instance_id": "id0",
        "question": "Is rest good for neck 0?",
        "answer": "It should be moved.",
        "reference": "Moving it",
        "split": "test",
        "model": "openai/gpt-4o",
    }
    assert len(rows) == 2
    assert any("results of HELM" in note for note in notes)
    assert any("1 instance got no answer and is left out: id2" in note for note in notes)
    shown = propose_study(rows, title="T").declared.shown_text_columns
    assert set(shown) == {"question", "answer"}


def test_an_option_that_helms_model_chose_is_told_in_its_words_with_all_options() -> None:
    states = [
        helm(
            at,
            output_mapping={"A": "Rest", "B": "Moving it"},
            result={"success": True, "completions": [{"text": " B"}]},
        )
        for at in range(3)
    ]
    row = read_json({"request_states": states})[0][0]
    assert (row["model_answer"], row["options"]) == ("B. Moving it", "Rest\nMoving it")


def test_options_that_helm_tried_one_by_one_are_one_row_with_the_likeliest() -> None:
    def tried(at: int, logprob: float, mode: str = "original") -> dict[str, Any]:
        said = [{"text": "", "logprob": logprob}]
        more = {"reference_index": at, "request_mode": mode}
        return helm(0, result={"success": True, "completions": said}, **more)

    states = [tried(0, -3.0), tried(1, -1.0), tried(0, 0.0, "calibration")]
    rows, _ = read_json({"request_states": states})
    assert [(row["instance_id"], row["model_answer"]) for row in rows] == [("id0", "Moving it")]


def test_perturbed_and_repeated_instances_of_helm_are_rows_of_their_own() -> None:
    changed = helm(0)
    changed["instance"] = changed["instance"] | {"perturbation": {"name": "dialect"}}
    rows, _ = read_json({"request_states": [helm(0), changed, helm(0, train_trial_index=1)]})
    assert [row["instance_id"] for row in rows] == ["id0", "id0, dialect", "id0, trial 1"]


def inspected(number: int, turns: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    asked, said = f"Is rest good for neck {number}?", "It should be moved, as far as is known."
    return {
        "id": f"s{number}",
        "epoch": 1,
        "input": asked,
        "target": "Moving it",
        "messages": turns
        or [
            {"role": "user", "content": asked, "source": "input"},
            {"role": "assistant", "content": said, "source": "generate"},
        ],
        "output": {"model": "openai/gpt-4o", "choices": [{"message": {"content": said}}]},
        "scores": {"graded": {"value": "C"}},
    } | more


def test_a_log_of_inspect_shows_each_answer_once_and_names_its_own_reader() -> None:
    empty = inspected(2, turns=[{"role": "user", "content": "?"}], output={"choices": []})
    rows, notes = read_json({"version": 2, "samples": [inspected(0), inspected(1), empty]})
    assert [row["id"] for row in rows] == ["s0", "s1"]
    assert any("from-inspect" in note for note in notes)
    assert any("1 sample has no answer and is left out: s2" in note for note in notes)
    shown = propose_study(rows, title="T").declared.shown_text_columns
    assert set(shown) == {"input", "answer"}


def test_a_longer_dialogue_of_inspect_is_shown_alone_with_what_tools_did() -> None:
    calls = [{"id": "1", "function": "search", "arguments": {"q": "neck"}}]
    turns = [
        {"role": "system", "content": "You advise patients."},
        {"role": "user", "content": "Is rest good for a stiff neck?"},
        {"role": "assistant", "content": "", "tool_calls": calls, "model": "gpt-4o"},
    ]
    rows, _ = read_json({"samples": [inspected(at, turns=turns) for at in range(3)]})
    assert "answer" not in rows[0]
    assert rows[0]["messages"][2] == {"role": "assistant", "content": "", "tool_calls": calls}


def test_options_of_an_inspect_sample_stay_beside_what_the_model_said() -> None:
    rows, _ = read_json({"samples": [inspected(at, choices=["Rest", "Moving"]) for at in (0, 1)]})
    assert rows[0]["choices"] == ["Rest", "Moving"]
    assert rows[0]["model_answer"].startswith("It should")
