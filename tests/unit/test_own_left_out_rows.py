"""Rows that are no items: sums at a table's end, and rows with hardly anything in them."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.errors import InvalidInput
from medlens.studies.own import study_file
from medlens.studies.own.item_and_judgment_import_and_export import (
    items_faults_and_notes_of_table_rows,
    list_positions_of_rows_of_case,
    study_file_with_rows_left_out_or_taken_back,
)
from medlens.studies.own.missing_cells_totals_and_nested_cells import words_for_totals_by_row_number
from medlens.studies.own.study_proposal import (
    leave_out_nearly_empty_rows_in_words,
    propose_study,
)


def table(*last: dict[str, Any]) -> list[dict[str, Any]]:
    """Four questions with answers, and these rows below them."""
    rows = [
        {
            "Nr": str(at),
            "Frage": f"Was hilft am {at}. Tag gegen Kopfschmerzen?",
            "Antwort": f"Am {at}. Tag helfen Ruhe und Wasser.",
            "Punkte": str(at),
        }
        for at in range(1, 5)
    ]
    return [*rows, *last]


@pytest.mark.parametrize(
    "word", ["Summe", "summe:", "Total", "Mittelwert", "Grand total", "Ø", "MEAN", "Gesamt"]
)
@pytest.mark.parametrize("column", ["Nr", "Frage"])
def test_a_row_of_sums_is_left_out_and_told_unless_it_is_kept(word: str, column: str) -> None:
    rows = table({column: word, "Punkte": "10"})
    assert words_for_totals_by_row_number(rows) == {5: word}
    proposal = propose_study(rows, title="T")
    assert [one.name for one in proposal.looked.items] == ["1", "2", "3", "4"]
    assert any("Row 5 (below the headings) is left out" in one for one in proposal.looked.notes)
    assert not proposal.looked.faults
    assert all(one.required for one in proposal.declared.columns)
    kept = propose_study(rows, title="T", keep_sums=True)
    assert len(kept.looked.items) + len(kept.looked.faults) == 5


@pytest.mark.parametrize(
    "last",
    [
        {"Nr": "5", "Frage": "Total?", "Antwort": "Am 5. Tag.", "Punkte": "3"},
        {"Nr": "5", "Frage": "Was ist der Mittelwert?", "Antwort": "Summe", "Punkte": "3"},
        {"Nr": "5", "Frage": "", "Antwort": "", "Punkte": "3"},
    ],
)
def test_a_row_with_more_than_a_word_for_a_sum_and_numbers_is_an_item(last: dict[str, Any]) -> None:
    assert words_for_totals_by_row_number(table(last)) == {}


def test_two_rows_of_sums_are_left_out_and_one_in_the_middle_is_not() -> None:
    rows = table({"Nr": "Summe", "Punkte": "10"}, {"Nr": "Mittelwert", "Punkte": "2,5"})
    assert words_for_totals_by_row_number(rows) == {5: "Summe", 6: "Mittelwert"}
    assert words_for_totals_by_row_number([*rows, *table()[:2]]) == {}


def test_a_row_with_one_shown_cell_is_told_and_left_out_on_demand() -> None:
    rows = table({"Nr": "5", "Frage": "Und am fünften Tag, was hilft dann?"})
    proposal = propose_study(rows, title="T")
    assert len(proposal.looked.items) == 5
    assert any("1 row has at most one cell" in one for one in proposal.told)
    without = propose_study(rows, title="T", without_nearly_empty=True)
    assert [one.name for one in without.looked.items] == ["1", "2", "3", "4"]
    assert study_file.parse_study_file(without.text).nearly_empty == "leave_out"


def test_single_rows_are_left_out_told_and_found_again_where_they_have_moved_to() -> None:
    rows = table()
    proposal = propose_study(rows, title="T", leave_out_rows=[2, 4])
    assert [one.name for one in proposal.looked.items] == ["1", "3"]
    assert "Rows 2, 4 (below the headings) are left out, as the study's file says." in (
        proposal.looked.notes
    )
    marks = study_file.parse_study_file(proposal.text).leave_out_rows
    # The file says nothing of what stands in the rows.
    assert len(marks) == 2
    assert "Kopfschmerzen" not in "".join(marks)
    looked = items_faults_and_notes_of_table_rows(proposal.declared, rows[::-1])
    assert [one.name for one in looked.items] == ["3", "1"]
    # A row that was corrected is another one, which is told.
    changed = [*rows[:3], {**rows[3], "Antwort": "Am 4. Tag hilft ein Spaziergang."}]
    looked = items_faults_and_notes_of_table_rows(proposal.declared, changed)
    assert [one.name for one in looked.items] == ["1", "3", "4"]
    assert any("1 row that the study's file leaves out is not in this" in n for n in looked.notes)


def test_a_row_is_left_out_and_taken_back_again() -> None:
    rows = table()
    text = propose_study(rows, title="T").text
    without = study_file_with_rows_left_out_or_taken_back(text, [rows[2]])
    assert without != text
    assert study_file_with_rows_left_out_or_taken_back(without, [rows[2]]) == text


def test_what_may_identify_a_patient_in_a_row_that_is_left_out_needs_no_decision() -> None:
    rows = table()
    rows[1]["Frage"] = "Rufen Sie Frau Dr. Anna Schmidt an, anna.schmidt@praxis.example?"
    assert propose_study(rows, title="T").identifying
    assert not propose_study(rows, title="T", leave_out_rows=[2]).identifying


@pytest.mark.parametrize("at", [0, 5])
def test_a_row_that_the_table_does_not_have_is_refused(at: int) -> None:
    with pytest.raises(InvalidInput, match=f"no row {at} to leave out"):
        propose_study(table(), title="T", leave_out_rows=[at])


def test_the_rows_of_a_case_are_those_of_its_name_where_answers_are_compared() -> None:
    rows = [
        {"case": str(at // 2), "model": f"model {'ab'[at % 2]}", "answer": f"Rest for {at} days."}
        for at in range(6)
    ]
    compared = propose_study(rows, title="T").declared
    assert compared.are_arms_side_by_side
    assert list_positions_of_rows_of_case(compared, rows, 3) == [2, 3]
    alone = propose_study(table(), title="T").declared
    assert list_positions_of_rows_of_case(alone, table(), 3) == [3]


def test_the_choice_to_leave_out_nearly_empty_rows_names_them() -> None:
    seen = "of which reviewers would see one cell or none"
    assert leave_out_nearly_empty_rows_in_words([14]) == f"Leave out row 14, {seen}"
    assert leave_out_nearly_empty_rows_in_words([3, 1400]) == f"Leave out rows 3, 1,400, {seen}"


def test_an_answer_that_lacks_in_one_row_has_and_in_several_have_none() -> None:
    rows = [
        {"Question": f"What helps on day {at}?", "GPT-4o": f"Rest {at}.", "Claude 3.5": f"Tea{at}"}
        for at in range(1, 9)
    ]
    rows[2]["GPT-4o"] = rows[3]["Claude 3.5"] = rows[5]["Claude 3.5"] = ""
    told = " ".join(propose_study(rows, title="T").told)
    assert "“GPT-4o”, row 3 has no answer." in told
    assert "“Claude 3.5”, rows 4 and 6 have no answer." in told


def test_a_row_left_out_is_called_by_the_number_that_its_sheet_shows() -> None:
    rows = table({"Nr": "Total", "Punkte": "10"})
    declared = propose_study(rows, title="T", without_nearly_empty=True).declared
    for number_of_row, called in [(lambda at: at + 4, "9"), (int, "5 (below the headings)")]:
        looked = items_faults_and_notes_of_table_rows(declared, rows, number_of_row=number_of_row)
        assert f"Row {called} is left out, as the study's file says." in looked.notes
