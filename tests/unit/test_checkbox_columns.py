"""REDCap's checkbox columns become one column with the choices that are ticked."""

from __future__ import annotations

import pytest

from medlens.tables.checkbox_columns import find_rows_with_checkboxes_joined_and_note


def test_the_columns_of_a_field_become_one_with_what_is_ticked() -> None:
    given = [
        ["record_id", "symptom___1", "symptom___2", "symptom____9", "age"],
        ["1", "1", "0", "1", "34"],
        [],
        ["2", "0", "", "0", "45"],
    ]
    joined = find_rows_with_checkboxes_joined_and_note(given, 0)
    assert joined is not None
    assert joined[0] == [
        ["record_id", "symptom", "age"], ["1", "1; _9", "34"], [], ["2", "", "45"],
    ]  # fmt: skip
    assert joined[1].endswith("'symptom' of 3 columns.")


def test_columns_that_are_named_by_their_labels_keep_the_words() -> None:
    given = [
        ["Title", ""],
        ["Id", "Symptoms (choice=Fever)", "Symptoms (choice=Cough, dry)"],
        ["1", "Checked", "Checked"],
    ]
    joined = find_rows_with_checkboxes_joined_and_note(given, 1)
    assert joined is not None
    assert joined[0] == [["Title", ""], ["Id", "Symptoms"], ["1", "Fever; Cough, dry"]]


@pytest.mark.parametrize(
    "rows",
    [
        [["id", "symptom___1", "age"], ["1", "1", "3"]],
        [["id", "text___1", "text___2"], ["1", "a long answer", "1"]],
        [["id", "symptom", "symptom___1", "symptom___2"], ["1", "x", "1", "0"]],
        [["id", "a___1", "a___2"], ["1", "1"]],
    ],
)
def test_any_other_table_stays_as_it_is(rows: list[list[str]]) -> None:
    assert find_rows_with_checkboxes_joined_and_note(rows, 0) is None


def test_choices_whose_columns_hold_their_words_are_joined_as_surveymonkey_writes_them() -> None:
    given = [
        ["Respondent ID", "Which signs? · Fever", "Which signs? · Stiff neck",
         "Which signs? · Other (please specify)", "What next? · Advice"],
        ["1", "Fever", "", "a rash", "Come in"],
        ["2", "Fever", "Stiff neck", "", "Wait"],
        ["3", "", "", "", "Wait"],
    ]  # fmt: skip
    joined = find_rows_with_checkboxes_joined_and_note(given, 0)
    assert joined is not None
    assert joined[0] == [
        ["Respondent ID", "Which signs?", "What next? · Advice"],
        ["1", "Fever; a rash", "Come in"],
        ["2", "Fever; Stiff neck", "Wait"],
        ["3", "", "Wait"],
    ]
    given[1][1] = "a little"
    assert find_rows_with_checkboxes_joined_and_note(given, 0) is None
