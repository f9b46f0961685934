"""A row for each turn of a conversation becomes a row for each conversation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.studies.own.study_file_from_table.notes_on_guessed_columns import (
    list_column_decisions_in_words,
)
from medlens.studies.own.study_proposal import propose_study
from medlens.tables.turns_to_dialogues import find_rows_with_turns_gathered_and_note

TURNS = [
    ["c1", "1", "user", "My stoma bag keeps leaking since yesterday."],
    ["c1", "2", "assistant", "Has the output become thinner, or is the skin sore?"],
    ["c2", "1", "user", "How do I taper prednisolone from 5 mg?"],
    ["c2", "2", "assistant", "That depends on how long you have taken it."],
]


def table(*headings: str, roles: tuple[str, str] = ("user", "assistant")) -> list[list[str]]:
    spoken = dict(zip(("user", "assistant"), roles, strict=True))
    return [[*headings], *([a, b, spoken[c], d] for a, b, c, d in TURNS)]


@pytest.mark.parametrize(
    ("headings", "roles"),
    [
        (("conversation_id", "turn", "role", "content"), ("user", "assistant")),
        (("id", "turn", "role", "content"), ("User", "Assistant")),
        (("Gespräch", "Nr.", "Sprecher", "Text"), ("Patientin", "Chatbot")),
        (("caso", "turno", "rol", "mensaje"), ("paciente", "médico")),
        (("dialogue", "order", "speaker", "utterance"), ("patient", "doctor")),
        (("chat_id", "message_id", "from", "value"), ("human", "gpt")),
    ],
)
def test_the_turns_of_a_conversation_are_one_row_and_told(
    headings: tuple[str, ...], roles: tuple[str, str]
) -> None:
    gathered = find_rows_with_turns_gathered_and_note(table(*headings, roles=roles), 0)
    assert gathered is not None
    rows, told = gathered
    assert [bool(row) for row in rows] == [True, True, False, True, False]
    assert rows[1][0] == "c1"
    assert json.loads(rows[1][-1]) == [
        {"role": roles[0], "content": TURNS[0][3]},
        {"role": roles[1], "content": TURNS[1][3]},
    ]
    assert "the 4 turns are 2 conversations" in told


def test_turns_follow_their_numbers_and_what_differs_is_named() -> None:
    rows = table("id", "turn", "role", "content")
    rows = [[*rows[0], "time"], *([*row, f"10:0{at}"] for at, row in enumerate(rows[1:]))]
    rows[1], rows[2] = rows[2], rows[1]
    gathered = find_rows_with_turns_gathered_and_note(rows, 0)
    assert gathered is not None
    made, told = gathered
    assert [turn["role"] for turn in json.loads(made[1][-1])] == ["user", "assistant"]
    assert "in the order of “turn”. “time” differs from turn to turn, and is left out." in told


@pytest.mark.parametrize(
    ("headings", "roles"),
    [
        (("case", "n", "author", "text"), ("doctor", "AI")),
        (("case", "n", "author", "text"), ("human", "AI")),
        (("case", "n", "role", "comment"), ("user", "assistant")),
        (("case", "n", "role", "text"), ("nurse", "surgeon")),
        (("case", "model", "role", "text"), ("user", "assistant")),
        (("ward", "n", "kind", "text"), ("user", "assistant")),
    ],
)
def test_writers_raters_and_models_are_no_turns(
    headings: tuple[str, ...], roles: tuple[str, str]
) -> None:
    assert find_rows_with_turns_gathered_and_note(table(*headings, roles=roles), 0) is None


def test_rows_with_a_name_each_and_two_answers_to_one_turn_are_left_as_they_are() -> None:
    rows = table("id", "turn", "role", "content")
    assert (
        find_rows_with_turns_gathered_and_note(
            [rows[0], *([f"r{at}", *row[1:]] for at, row in enumerate(rows[1:]))], 0
        )
        is None
    )
    assert (
        find_rows_with_turns_gathered_and_note(
            [*rows, ["c1", "2", "assistant", "Another answer."]], 0
        )
        is None
    )


def test_turns_that_are_not_gathered_are_told() -> None:
    rows = [
        dict(zip(("conversation_id", "role", "content"), (a, c, d), strict=False))
        for a, _, c, d in TURNS
    ]
    told = list_column_decisions_in_words(list_guessed_roles_of_columns(rows), rows)
    assert any("each row seems to be one turn" in one for one in told)


@pytest.mark.parametrize(
    ("text", "points"),
    [("text", "score"), ("item", "points"), ("item", "weight"), ("description", "weight")],
)
def test_criteria_are_read_whatever_their_words_and_points_are_called(
    text: str, points: str
) -> None:
    rows: list[dict[str, Any]] = [
        {
            "id": f"r{at}",
            "prompt": f"How should I store insulin on holiday number {at}, please?",
            "completion": f"Keep it in a cooling pouch, not on ice, and out of the sun, {at}.",
            "rubric": [{text: f"Says {n} of {at}", points: n} for n in (3, -2)],
        }
        for at in range(3)
    ]
    found = propose_study(rows, title="T")
    assert {one.name: one.role for one in found.columns}["rubric"] == "criteria"
    assert found.looked.items[0].body["rubric"][0]["points"] == 3
    ratings = [row | {"rubric": [{"rater": "A", "score": 3}]} for row in rows]
    assert {one.name: one.role for one in list_guessed_roles_of_columns(ratings)}[
        "rubric"
    ] != "criteria"
