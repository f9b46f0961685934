"""Each model with a question column of its own: rows are joined by the question."""

from __future__ import annotations

import pytest

from medlens.studies.own.detect_model_answer_columns import is_name_of_writer
from medlens.tables.join_models_by_own_question import (
    find_rows_joined_by_each_models_question_and_note,
)

HEADER = ["GPT-4o Question", "GPT-4o answer", "Llama question", "Llama answer"]
ORDERED = [["a?", "a1", "b?", "b2"], ["b?", "b1", "c?", "c2"], ["c?", "c1", "a?", "a2"]]


def joined(rows: list[list[str]]) -> tuple[list[list[str]], str] | None:
    return find_rows_joined_by_each_models_question_and_note(rows, 0, is_name_of_writer)


def test_answers_stand_beside_those_to_the_same_question_whatever_the_order() -> None:
    found = joined([HEADER, *ORDERED])
    assert found is not None
    rows, told = found
    assert rows == [
        ["Question", "GPT-4o answer", "Llama answer"],
        ["a?", "a1", "a2"],
        ["b?", "b1", "b2"],
        ["c?", "c1", "c2"],
    ]
    assert "each of 3 rows has the answers to one “Question” now." in told


def test_a_question_that_one_model_was_not_asked_stays_and_is_counted() -> None:
    found = joined([HEADER, *ORDERED[:2], ["c?", "c1", "d?", "d2"]])
    assert found is not None
    rows, told = found
    assert rows[1:] == [
        *(["a?", "a1", ""], ["b?", "b1", "b2"], ["c?", "c1", "c2"]),
        ["d?", "", "d2"],
    ]
    assert "2 answers are not there" in told


def test_where_a_model_was_asked_the_same_twice_nothing_is_joined_and_that_is_told() -> None:
    twice = [HEADER, *ORDERED[:2], ["c?", "c1", "b?", "a2"]]
    found = joined(twice)
    assert found is not None
    rows, told = found
    assert rows == twice
    assert "answers that stand side by side are to different questions" in told


def test_equal_questions_become_one_column_and_what_stands_beside_them_stays() -> None:
    header = ["ward", "Frage (GPT-4o)", "Antwort (GPT-4o)", "Frage (Llama)", "Antwort (Llama)"]
    found = joined([header, ["A", "a?", "a1", "a?", "a2"], ["B", "b?", "b1", "b?", "b2"]])
    assert found is not None
    rows, told = found
    assert rows[0] == ["ward", "Frage", "Antwort (GPT-4o)", "Antwort (Llama)"]
    assert rows[2] == ["B", "b?", "b1", "b2"]
    assert "different" not in told


def test_a_number_of_the_row_belongs_to_no_question_once_rows_are_joined() -> None:
    rows = [["no", *HEADER], *([str(at), *row] for at, row in enumerate(ORDERED, 1))]
    found = joined(rows)
    assert found is not None
    assert found[0][1] == ["a?", "a1", "a2"]
    assert "“no” is left out, of no one question." in found[1]


@pytest.mark.parametrize(
    "header",
    [
        ["question", "GPT-4o answer", "Llama answer", "Llama score"],
        ["GPT-4o answer", "GPT-4o score", "Llama answer", "Llama score"],
        ["GPT-4o question", "GPT-4o answer", "Doctor's question", "Doctor's answer"],
        ["patient question", "patient answer", "nurse question", "nurse answer"],
    ],
)
def test_other_tables_stay_as_they_are(header: list[str]) -> None:
    assert joined([header, *ORDERED]) is None
