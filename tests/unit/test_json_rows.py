"""Where the rows of a JSON file are, if other lists stand beside them."""

from __future__ import annotations

from typing import Any

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
