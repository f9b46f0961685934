"""Where the rows of a JSON file are, if other lists stand beside them."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.tables.json_layout import rows_of_object


def rows_and_notes(value: dict[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    notes: list[str] = []
    return rows_of_object(value, "a.json", notes, whole_file=True), notes


def test_an_empty_list_and_settings_beside_the_rows_are_of_the_file() -> None:
    states = [{"instance": {"id": f"i{at}"}} for at in range(3)]
    value = {"adapter_spec": {"model": "m"}, "request_states": states, "annotator_specs": []}
    rows, notes = rows_and_notes(value)
    assert rows == states
    assert notes == [
        "a.json: the rows are the list 'request_states'. Left out: adapter_spec, annotator_specs."
    ]


def test_results_one_level_deeper_are_the_rows_though_their_prompts_are_listed_too() -> None:
    results = [{"vars": {"question": "?"}, "score": at} for at in range(4)]
    value = {
        "evalId": "e1",
        "results": {
            "version": 3,
            "timestamp": "2026-03-02T10:00:00Z",
            "prompts": [{"raw": "Answer"}],
            "results": results,
        },
        "config": {},
    }
    rows, notes = rows_and_notes(value)
    assert rows == results
    assert "results.prompts" in notes[0]


def test_lists_beside_a_question_are_parts_of_one_row() -> None:
    listed = [{"text": "a"}, {"text": "b"}]
    value = {"question": "What is it?", "results": listed, "hints": [{"text": "c"}]}
    assert rows_and_notes(value) == ([value], [])
    options = {"version": 1, "results": listed, "options": [{"text": "c"}]}
    assert rows_and_notes(options)[0] == [options]


REPORTS = [
    {"id": f"r{at}", "text": f"Nodule of {at} mm", "conclusion": "Benign"} for at in range(5)
]


@pytest.mark.parametrize(
    ("beside", "key"),
    [
        ({"type": "set", "meta": {"v": 1}}, "entry"),
        ({"type": "set", "link": [{"relation": "self", "url": "https://a.example"}]}, "entry"),
        ({"resourceType": "Bundle", "id": "b-77", "type": "searchset", "total": 5}, "entry"),
        ({"resourceType": "Bundle", "link": [{"url": "u"}], "meta": {}}, "entry"),
        ({"name": "Eval 3", "version": "1.0", "models": ["gpt-4o"]}, "items"),
        ({"name": "Eval 3", "models": ["gpt-4o", "claude-3"], "tags": []}, "questions"),
        ({"title": "Eval", "authors": ["A", "B"], "date": "2024-05-01"}, "cases"),
        ({"version": 2, "models": ["gpt-4o"], "languages": ["de", "en"]}, "data"),
        ({"kind": "export", "count": 5, "warnings": [{"code": "W1"}]}, "reports"),
        ({"object": "list", "next": None, "previous": None}, "documents"),
        ({"$schema": "https://a.example/s.json", "metrics": ["f1"]}, "examples"),
    ],
)
def test_a_list_of_objects_beside_short_lists_and_words_about_the_file_is_the_rows(
    beside: dict[str, Any], key: str
) -> None:
    rows, notes = rows_and_notes({**beside, key: REPORTS})
    left = ", ".join(beside)
    assert rows == REPORTS
    assert notes == [f"a.json: the rows are the list {key!r}. Left out: {left}."]


@pytest.mark.parametrize(
    "value",
    [
        {"question": "What is it?", "models": ["gpt-4o"], "items": REPORTS},
        {"id": "c1", "tags": ["a"], "findings": REPORTS, "note": "A man of 60 years"},
        {"type": "mcq", "prompt": "What is it?", "steps": REPORTS},
        {"name": "Case", "options": ["A", "B"], "choices": REPORTS, "question": "?"},
        {"type": "chat", "messages": [{"role": "user"}, {"role": "assistant"}]},
        {"version": 1, "criteria": REPORTS},
        {"patient": "p1", "results": REPORTS, "drugs": ["aspirin"]},
    ],
)
def test_the_lists_of_one_case_are_not_the_rows(value: dict[str, Any]) -> None:
    assert rows_and_notes(value) == ([value], [])


@pytest.mark.parametrize(
    "beside",
    [
        {"id": "b-77"},
        {"notes on export": "Everything that was drawn in May"},
        {"settings": ["a long line that says how these came about"], "batch": "x"},
        {"batch": "x", "others": [{"x": "a"}, {"x": "b"}]},
    ],
)
def test_a_file_of_one_object_with_a_list_that_may_be_rows_says_so(beside: dict[str, Any]) -> None:
    value = {**beside, "entry": REPORTS}
    rows, notes = rows_and_notes(value)
    assert rows == [value]
    assert notes[-1] == (
        "a.json: it is one object, and so one row. If its rows are the 5 objects in 'entry', give a"
        " file with that list alone."
    )
