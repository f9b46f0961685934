"""Cases that are named once above several rows, or stand in columns, get a row for each answer."""

from __future__ import annotations

import pytest

from medlens.tables.reshape_cases_and_models import (
    are_headings_a_numbered_series,
    find_rows_arranged_one_per_case_and_note,
    find_rows_with_case_cells_repeated_and_note,
    find_rows_with_cases_in_rows_and_note,
    find_rows_with_group_names_repeated_and_note,
    find_rows_with_model_moved_to_column_and_note,
)

TEXT = "Rest, and drink water for as long as the cough of this week lasts."


def is_model(cell: str) -> bool:
    return cell in ("GPT-4o", "Llama", "ChatGPT", "Bard")


GROUPED = [
    ["Case", "Question", "Model", "Answer", "Remark"],
    ["1", "q1", "GPT-4o", "a", ""],
    ["", "", "Llama", "b", ""],
    ["2", "q2", "GPT-4o", "c", "x"],
    ["", "", "Llama", "d", ""],
]


def test_rows_of_another_model_take_the_case_and_its_question_from_above() -> None:
    filled = find_rows_with_case_cells_repeated_and_note(GROUPED, 0)
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
    assert (
        find_rows_with_case_cells_repeated_and_note([*GROUPED[:3], ["", "q2", "Llama", "c", ""]], 0)
        is None
    )


def test_a_first_row_without_a_case_and_a_table_without_models_stay_as_they_are() -> None:
    assert (
        find_rows_with_case_cells_repeated_and_note([GROUPED[0], GROUPED[2], *GROUPED[3:]], 0)
        is None
    )
    without = [[cell for at, cell in enumerate(row) if at != 2] for row in GROUPED]
    assert find_rows_with_case_cells_repeated_and_note(without, 0) is None


def test_cases_in_columns_become_rows_in_their_order() -> None:
    turned = find_rows_with_cases_in_rows_and_note(
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
    assert (
        find_rows_with_cases_in_rows_and_note(
            [["x", "1", "2"], ["a", "3", "4"], ["b", "5", "6"]], 0
        )
        is None
    )
    assert (
        find_rows_with_cases_in_rows_and_note(
            [["x", "A", "B"], ["Frage", "3", "4"], ["Antwort", "", ""]], 0
        )
        is None
    )


@pytest.mark.parametrize(
    "names",
    [
        ["Fall 1", "Fall 2"],
        ["Patient 3", "Patient 12"],
        ["Caso A", "Caso B"],
        ["7", "8"],
        ["Vignette #1", "Vignette #2"],
        ["Q1", "Q2"],
        ["Case no. 4", "Case no. 5"],
    ],
)
def test_words_for_a_case_with_numbers_or_letters_are_a_series(names: list[str]) -> None:
    assert are_headings_a_numbered_series(names)


@pytest.mark.parametrize("names", [["Answer 1", "Answer 2"], ["Run 1", "Run 2"], ["A", "B"]])
def test_other_words_and_letters_alone_are_no_series_of_cases(names: list[str]) -> None:
    assert not are_headings_a_numbered_series(names)


def test_a_table_beside_which_something_stands_is_not_turned_but_told() -> None:
    rows = [
        ["Model", "Case 1", "Case 2", "Remark"],
        ["GPT-4o", TEXT, TEXT, "ok"],
        ["Llama", TEXT, TEXT, ""],
    ]
    found = find_rows_arranged_one_per_case_and_note(rows, 0, is_model)
    assert found is not None
    made, note = found
    assert made == rows
    assert "Turn the table" in note


def test_a_series_of_texts_without_models_beside_it_is_not_told_to_be_on_its_side() -> None:
    rows = [["Ward", "Case 1", "Case 2"], ["North", TEXT, TEXT], ["South", TEXT, TEXT]]
    assert find_rows_arranged_one_per_case_and_note(rows, 0, is_model) is None


def test_names_that_hold_a_case_and_a_model_come_apart() -> None:
    rows = [["Nr", "Answer"]]
    rows += [[f"{at}_{model}", "x"] for at in (1, 2, 3) for model in ("ChatGPT", "Bard")]
    found = find_rows_with_model_moved_to_column_and_note(rows, 0, is_model)
    assert found is not None
    made, note = found
    assert made[:3] == [["Nr", "model", "Answer"], ["1", "ChatGPT", "x"], ["1", "Bard", "x"]]
    assert "“1_ChatGPT”" in note


def test_names_of_two_cases_only_stay_and_are_told() -> None:
    rows = [["Nr", "Answer"]]
    rows += [[f"{at}_{model}", "x"] for at in (1, 2) for model in ("ChatGPT", "Bard")]
    found = find_rows_with_model_moved_to_column_and_note(rows, 0, is_model)
    assert found is not None
    assert found[0] == rows
    assert "a column of their own" in found[1]


def test_names_with_a_model_once_for_each_case_stay() -> None:
    rows = [["Nr", "Answer"], *([f"{at}_ChatGPT", "x"] for at in range(4))]
    assert find_rows_with_model_moved_to_column_and_note(rows, 0, is_model) is None


def test_a_group_named_once_is_repeated_and_a_gap_in_remarks_is_not() -> None:
    rows = [["Ward", "Case", "Letter"], ["North", "1", "a"], ["", "2", "b"], ["", "3", "c"]]
    rows += [["South", "4", "d"], ["", "5", "e"]]
    found = find_rows_with_group_names_repeated_and_note(rows, 0)
    assert found is not None
    made, note = found
    assert [row[0] for row in made[1:]] == ["North", "North", "North", "South", "South"]
    assert "3 rows take it" in note
    assert (
        find_rows_with_group_names_repeated_and_note([["Comment", *rows[0][1:]], *rows[1:]], 0)
        is None
    )
    assert find_rows_with_group_names_repeated_and_note([rows[0], rows[2], *rows[1:]], 0) is None


REPEATS = [
    ["record_id", "redcap_repeat_instrument", "redcap_repeat_instance", "vignette", "reply"],
    ["1", "", "", "A cough", ""],
    ["1", "answers", "1", "", TEXT],
    ["1", "answers", "2", "", f"Not so. {TEXT}"],
    ["2", "", "", "A rash", ""],
    ["2", "answers", "1", "", TEXT],
]


def test_repeats_of_redcap_take_what_stands_in_their_records_own_row() -> None:
    made, told = find_rows_arranged_one_per_case_and_note(REPEATS, 0) or ([], "")
    assert [row[3:] for row in made[1:] if any(row)] == [
        ["A cough", TEXT],
        ["A cough", f"Not so. {TEXT}"],
        ["A rash", TEXT],
    ]
    assert len(made) == len(REPEATS)
    assert "3 rows take that from the record's own row" in told


def test_records_of_redcap_without_a_repeat_and_a_second_instrument_are_left_out_and_told() -> None:
    table = [*REPEATS, ["3", "", "", "A fall", ""], ["2", "scores", "1", "", "4"]]
    made, told = find_rows_arranged_one_per_case_and_note(table, 0) or ([], "")
    assert [row[0] for row in made[1:] if any(row)] == ["1", "1", "2"]
    assert "Other repeats are left out: scores (1 row)." in told
    assert "1 record has no repeat and is left out: 3" in told


EVENTS = [
    ["record_id", "Event Name", "Repeat Instrument", "Repeat Instance", "age", "vignette", "reply"],
    ["1", "Start", "", "", "54", "A cough", ""],
    ["1", "Visit", "Answers", "1", "", "", TEXT],
    ["2", "Start", "", "", "33", "A rash", ""],
    ["2", "Visit", "", "", "34", "", ""],
    ["2", "Visit", "Answers", "1", "", "", TEXT],
]


def test_repeats_of_redcap_at_a_later_visit_take_what_the_first_visit_has() -> None:
    made, told = find_rows_arranged_one_per_case_and_note(EVENTS, 0) or ([], "")
    assert [row[:2] + row[4:6] for row in made[1:] if any(row)] == [
        ["1", "Visit", "54", "A cough"],
        ["2", "Visit", "34", "A rash"],
    ]
    assert "2 rows take that from the record's own row" in told
    assert "differ" not in told


def test_what_differs_between_the_events_of_a_record_is_given_to_no_other_event_and_told() -> None:
    table = [*EVENTS, ["2", "End", "Answers", "1", "", "", TEXT]]
    made, told = find_rows_arranged_one_per_case_and_note(table, 0) or ([], "")
    assert made[-1][4:6] == ["", "A rash"]
    assert "“age” differs between the events of a record" in told
    assert not find_rows_arranged_one_per_case_and_note(
        [*EVENTS, ["2", "Visit", "", "", "35", "", ""]], 0
    )


def test_a_repeat_of_redcap_without_a_row_of_its_record_takes_nothing_and_is_not_counted() -> None:
    table = [*REPEATS, ["9", "answers", "1", "", TEXT]]
    made, told = find_rows_arranged_one_per_case_and_note(table, 0) or ([], "")
    assert made[-1] == ["9", "answers", "1", "", TEXT]
    assert "3 rows take that" in told


def test_records_of_redcap_whose_own_rows_contradict_each_other_stay_as_they_are() -> None:
    assert not find_rows_arranged_one_per_case_and_note(
        [*REPEATS, ["2", "", "", "Another rash", ""]], 0
    )
