"""Nested cells, conversations in every common form, and the layouts of JSON files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from medlens.errors import BadFile
from medlens.studies.own.dialogue_turns import parse_turns_of_dialogue
from medlens.studies.own.item_and_judgment_import_and_export import (
    dialogue_cell_as_stored,
    items_faults_and_notes_of_table_rows,
)
from medlens.studies.own.study_proposal import Proposal, propose_study
from medlens.tables import RowError, iterate_rows_of_table_file

ASKED = {"role": "user", "content": "My neck is stiff."}
SAID = {"role": "assistant", "content": "See a doctor today."}
TURNS = [ASKED, SAID]


def roles(proposal: Proposal) -> dict[str, str]:
    return {one.name: one.role for one in proposal.columns}


@pytest.mark.parametrize(
    "cell",
    [
        TURNS,
        json.dumps(TURNS),
        repr(TURNS),
        repr(TURNS).replace("}, {", "}\n {"),
        {"messages": TURNS},
        json.dumps({"conversation_id": "x", "messages": TURNS}),
        [
            {"from": "human", "value": "My neck is stiff."},
            {"from": "gpt", "value": "See a doctor today."},
        ],
        [
            {"role": "user", "content": [{"type": "text", "text": "My neck is stiff."}]},
            {"role": "assistant", "content": [{"type": "text", "text": "See a doctor today."}]},
        ],
        [["My neck is stiff.", "See a doctor today."]],
    ],
    ids=[
        *("as it is", "as JSON", "as Python prints it", "as NumPy prints it", "in an object"),
        *("in an object as JSON", "ShareGPT", "in parts", "in pairs"),
    ],
)
def test_a_conversation_has_the_same_turns_in_whatever_form_it_stands(cell: Any) -> None:
    assert parse_turns_of_dialogue(cell) == TURNS


def test_the_system_prompt_of_a_request_is_its_first_turn() -> None:
    cell = {"system": [{"type": "text", "text": "Be careful."}], "messages": [ASKED]}
    assert parse_turns_of_dialogue(cell) == [{"role": "system", "content": "Be careful."}, ASKED]


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "name": "lookup", "input": {"q": "Nacken"}},
                ],
            },
            'I look.\n\n[lookup: {"q": "Nacken"}]',
        ),
        (
            {"role": "user", "content": [{"type": "tool_result", "content": [{"text": "stiff"}]}]},
            "stiff",
        ),
        (
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"function": {"name": "lookup", "arguments": "{}"}}],
            },
            "[lookup: {}]",
        ),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {}}]}, "[image_url]"),
        ({"role": "model", "parts": [{"text": "See a doctor."}]}, "See a doctor."),
    ],
)
def test_calls_of_tools_and_parts_that_are_not_text_are_told(turn: Any, words: str) -> None:
    turns = parse_turns_of_dialogue([turn])
    assert turns
    assert turns[0]["content"] == words


def test_what_a_tool_gave_back_is_no_turn_of_the_person_who_asked() -> None:
    given = {"type": "tool_result", "tool_use_id": "t1", "content": "CRP 80"}
    mixed = [given, {"type": "text", "text": "And what does that mean?"}]
    turns = [{"role": "user", "content": [given]}, {"role": "user", "content": mixed}]
    found = parse_turns_of_dialogue(turns) or []
    assert found[0] == {"role": "tool", "content": "CRP 80"}
    assert found[1]["role"] == "user"


@pytest.mark.parametrize(
    "cell", ["Once upon a time", "[1]", [{"a": 1}], [{"role": "user", "content": 3}], 7, ["a"]]
)
def test_what_is_no_conversation_is_refused_with_what_is_expected(cell: Any) -> None:
    assert parse_turns_of_dialogue(cell) is None
    with pytest.raises(RowError, match="JSON list of turns"):
        dialogue_cell_as_stored(cell, "talk")


def test_a_role_that_names_a_model_is_not_what_reviewers_read() -> None:
    rows = [
        {"id": f"c{at}", "conversations": [{"from": "gpt", "value": f"See a doctor, {at}."}]}
        for at in range(3)
    ]
    found = propose_study(rows, title="T")
    assert roles(found)["conversations"] == "dialogue"
    assert found.looked.items[0].body["conversations"] == [
        {"role": "assistant", "content": "See a doctor, 0."}
    ]
    assert not found.looked.telling
    named = [{**row, "conversations": [*row["conversations"], {"from": "GPT-4", "value": "x"}]}
             for row in rows]  # fmt: skip
    assert propose_study(named, title="T").looked.telling


def test_system_prompts_beside_and_in_a_dialogue_are_told_and_not_shown_at_first() -> None:
    rows = [
        {
            "id": f"c{at}",
            "system": f"You are a careful assistant in ward {at}, who answers in a few words.",
            "messages": [{"role": "system", "content": "Be kind."}, ASKED, SAID],
        }
        for at in range(3)
    ]
    found = propose_study(rows, title="T")
    assert roles(found) == {"id": "id", "system": "hidden", "messages": "dialogue"}
    assert any("“system”: it is what the model was told" in line for line in found.told)
    assert any("3 rows begin with a system prompt, which is folded" in o for o in found.told)


def test_calls_of_tools_are_told_to_the_lead() -> None:
    call = {"role": "assistant", "content": [{"type": "tool_use", "name": "x", "input": {"a": 1}}]}
    rows = [{"id": "a", "messages": [ASKED, call]}, {"id": "b", "messages": [ASKED, SAID]}]
    assert any("In 1 row a model calls tools" in o for o in propose_study(rows, title="T").told)


def test_objects_in_cells_of_text_are_taken_apart_as_others_are() -> None:
    rows = [
        {"id": str(at), "question": f"What is to be done next with patient {at}?", "options": cell}
        for at, cell in enumerate(['{"A": "Rest", "B": "Salt"}', "{'A': 'Tea', 'B': 'Ice'}"])
    ]
    found = propose_study(rows, title="T")
    assert [one.body["options.A"] for one in found.looked.items] == ["Rest", "Tea"]
    assert not items_faults_and_notes_of_table_rows(found.declared, rows).faults


def draw_one_pane(kind, cell):  # type: ignore[no-untyped-def]
    from pathlib import Path

    from medlens.studies.own import study_file
    from medlens.studies.own.attached_files import AttachedStudyFiles
    from medlens.ui.own_item_panes_and_questions import draw_panes_of_item

    declared = study_file.parse_study_file(
        f"""
id = "t"
title = "T"
instructions = "Read."
[[column]]
name = "held"
means = "what is shown"
[[pane]]
title = "Held"
kind = "{kind}"
column = "held"
[[question]]
id = "q"
kind = "yes_no"
text = "Is it?"
"""
    )
    attached = AttachedStudyFiles(Path("nowhere"))
    draw_panes_of_item(declared, {"held": cell}, (), attached, item="i", place="left")


def test_reviewers_read_a_dialogue_turn_by_turn_with_its_system_prompt_folded() -> None:
    turns = [
        {"role": "user", "content": "My neck is stiff."},
        {"role": "system", "content": "Be kind."},
        {"role": "tool", "content": "37.2"},
    ]
    page = AppTest.from_function(draw_one_pane, args=("dialogue", turns)).run()
    assert not page.exception
    assert [one.value for one in page.caption] == ["**User**", "**Tool result**"]
    (folded,) = page.expander
    assert "System prompt" in folded.label
    assert not folded.proto.expanded
    assert [one.value for one in folded.text] == ["Be kind."]
    assert [one.value for one in page.text if one.value != "Be kind."] == [
        "My neck is stiff.",
        "37.2",
    ]


def test_a_list_of_options_in_a_cell_of_text_is_a_line_for_each() -> None:
    page = AppTest.from_function(draw_one_pane, args=("text", '["Rest", "Salt"]')).run()
    assert [one.value for one in page.text] == ["- Rest\n- Salt"]
    plain = AppTest.from_function(draw_one_pane, args=("text", "[1, 2] says so")).run()
    assert [one.value for one in plain.text] == ["[1, 2] says so"]


# -- the layouts of JSON files ---------------------------------------------------------------------

AS_ROWS = [{"q": "Is it?", "a": "Yes"}, {"q": "Was it?", "a": "No"}]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(AS_ROWS),
        json.dumps(AS_ROWS, indent=2),
        "\n".join(map(json.dumps, AS_ROWS)),
        "\n".join(json.dumps(row, indent=2) for row in AS_ROWS),
        ",\n".join(json.dumps(row, indent=2) for row in AS_ROWS),
        json.dumps({"data": AS_ROWS, "version": 1}),
        json.dumps({"questions": AS_ROWS, "version": 1}, indent=1),
        json.dumps({"meta": {"v": 1}, "data": {"items": AS_ROWS}}),
        json.dumps({"q": ["Is it?", "Was it?"], "a": ["Yes", "No"]}),
        json.dumps({"q": {"0": "Is it?", "1": "Was it?"}, "a": {"0": "Yes", "1": "No"}}),
        json.dumps({"columns": ["q", "a"], "index": [0, 1],
                    "data": [["Is it?", "Yes"], ["Was it?", "No"]]}),
        json.dumps([["q", "a"], ["Is it?", "Yes"], ["Was it?", "No"]]),
        '["q", "a"]\n["Is it?", "Yes"]\n["Was it?", "No"]\n',
    ],
    ids=[
        *("array", "indented array", "lines", "indented objects", "indented objects with commas"),
        *("in a known list", "in the only list", "a level deeper", "by column"),
        *("by numbered column", "headings apart", "lists with headings", "lines of lists"),
    ],
)  # fmt: skip
def test_rows_are_found_wherever_a_json_file_has_them(content: str) -> None:
    notes: list[str] = []
    assert [
        row.values
        for row in iterate_rows_of_table_file(content.encode(), name="t.json", notes=notes)
    ] == [*AS_ROWS]


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ({"q1": {"q": "x"}, "q2": {"q": "y", "a": 1}}, [{"id": "q1", "q": "x"},
                                                        {"id": "q2", "q": "y", "a": 1}]),
        ({"q1": "one text", "q2": "another"}, [{"id": "q1", "text": "one text"},
                                               {"id": "q2", "text": "another"}]),
        ({"c1": TURNS, "c2": TURNS}, [{"id": "c1", "messages": TURNS},
                                      {"id": "c2", "messages": TURNS}]),
        ({"q1": {"id": 7}, "q2": {"id": 8}}, [{"key": "q1", "id": 7}, {"key": "q2", "id": 8}]),
        ({"train": [{"q": "x"}], "test": [{"q": "y"}]}, [{"split": "train", "q": "x"},
                                                         {"split": "test", "q": "y"}]),
        ([TURNS, TURNS], [{"messages": TURNS}, {"messages": TURNS}]),
        (["one text", "another"], [{"text": "one text"}, {"text": "another"}]),
    ],
)  # fmt: skip
def test_rows_by_id_in_parts_and_of_bare_texts_are_read_and_told(value: Any, rows: Any) -> None:
    notes: list[str] = []
    content = json.dumps(value).encode()
    assert [
        row.values for row in iterate_rows_of_table_file(content, name="t.json", notes=notes)
    ] == rows
    assert len(notes) == 1


@pytest.mark.parametrize(
    "row",
    [
        {"question": "Which?", "answers": [{"text": "A", "correct": True}, {"text": "B"}]},
        {"claim": "Aspirin thins blood.", "evidence": [{"quote": "x"}, {"quote": "y"}]},
        {"question": "Is it?", "answer": "Yes"},
        {"id": "a", "messages": TURNS},
        {"case": "1", "labs": [{"name": "Na", "value": 140}, {"name": "K", "value": 4}]},
        {"prompt": TURNS, "completion": TURNS},
        {"question": "What?", "options": {"A": "Rest", "B": "Salt"}},
    ],
)
def test_one_row_with_nested_cells_stays_one_row(row: Any) -> None:
    assert [
        found.values
        for found in iterate_rows_of_table_file(json.dumps(row).encode(), name="t.jsonl")
    ] == [row]


def test_elements_that_are_no_rows_are_refused_by_line() -> None:
    refused: list[str] = []
    content = b'[["q", "a"],\n["x", "y"],\n["too short"],\n3]'
    rows = iterate_rows_of_table_file(
        content, name="t.json", refuse=lambda _row, why: refused.append(str(why))
    )
    assert [row.values for row in rows] == [{"q": "x", "a": "y"}]
    assert [one.split(":")[0] for one in refused] == ["t.json, line 3", "t.json, line 4"]
    with pytest.raises(BadFile, match="expected a JSON object"):
        list(iterate_rows_of_table_file(b"[1, 2]", name="t.json"))


@pytest.mark.parametrize(
    "cell",
    [
        [{"generated_text": "See a doctor today."}],
        {
            "candidates": [
                {"content": {"parts": [{"text": "See a doctor today."}], "role": "model"}}
            ]
        },
        [{"text": "Let me think.", "thought": True}, {"text": "See a doctor today."}],
    ],
)
def test_a_text_that_stands_alone_in_an_object_is_shown_as_text(cell: Any) -> None:
    rows = [{"prompt": f"My neck is stiff {at}.", "output": cell} for at in range(3)]
    made = propose_study(rows, title="T")
    shown = {name: role for name, role in roles(made).items() if name.startswith("output")}
    assert "table" not in shown.values()
    name = next(name for name, role in shown.items() if role == "record")
    assert {item.body[name] for item in made.looked.items} == {"See a doctor today."}


def test_a_pane_of_a_text_deep_in_a_list_is_titled_by_what_it_is() -> None:
    def answer(at: int) -> dict[str, Any]:
        said = f"See a doctor within {at} days, and drink enough until then."
        return {"candidates": [{"content": {"parts": [{"text": said}]}, "finishReason": "STOP"}]}

    rows = [
        {"prompt": f"My neck is stiff, for {at} days.", "response": answer(at)} for at in range(3)
    ]
    made = propose_study(rows, title="T")
    assert [pane.title for pane in made.declared.panes][-1] == "Response"
