"""Cases that are named once above several rows, or stand in columns, get a row for each answer."""

from __future__ import annotations

from medlens.tables.reshape_cases_and_models import fill_down_cases, turn_cases_into_rows

GROUPED = [
    ["Case", "Question", "Model", "Answer", "Remark"],
    ["1", "q1", "GPT-4o", "a", ""],
    ["", "", "Llama", "b", ""],
    ["2", "q2", "GPT-4o", "c", "x"],
    ["", "", "Llama", "d", ""],
]


def test_rows_of_another_model_take_the_case_and_its_question_from_above() -> None:
    filled = fill_down_cases(GROUPED, 0)
    assert filled is not None
    rows, note = filled
    assert [row[:3] for row in rows[1:]] == [
        ["1", "q1", "GPT-4o"],
        ["1", "q1", "Llama"],
        ["2", "q2", "GPT-4o"],
        ["2", "q2", "Llama"],
    ]
    assert "2 rows take “Case”, “Question”" in note


def test_a_block_with_one_model_twice_is_not_filled_as_a_case_lacks_its_name() -> None:
    assert fill_down_cases([*GROUPED[:3], ["", "q2", "Llama", "c", ""]], 0) is None


def test_a_first_row_without_a_case_and_a_table_without_models_stay_as_they_are() -> None:
    assert fill_down_cases([GROUPED[0], GROUPED[2], *GROUPED[3:]], 0) is None
    without = [[cell for at, cell in enumerate(row) if at != 2] for row in GROUPED]
    assert fill_down_cases(without, 0) is None


def test_cases_in_columns_become_rows_in_their_order() -> None:
    turned = turn_cases_into_rows(
        [
            ["t"],
            ["", "Fall 1", "Fall 2", "Fall 3"],
            ["Frage", "a", "b", "c"],
            ["Antwort", "d", "e"],
        ],
        1,
    )
    assert turned is not None
    rows, note = turned
    assert rows == [
        [],
        ["case", "Frage", "Antwort"],
        ["Fall 1", "a", "d"],
        ["Fall 2", "b", "e"],
        ["Fall 3", "c", ""],
    ]
    assert "3 cases stand in columns" in note


def test_a_table_with_numbered_columns_and_no_question_and_answer_below_stays() -> None:
    assert turn_cases_into_rows([["x", "1", "2"], ["a", "3", "4"], ["b", "5", "6"]], 0) is None
    assert (
        turn_cases_into_rows([["x", "A", "B"], ["Frage", "3", "4"], ["Antwort", "", ""]], 0) is None
    )
