"""Rows that are no items: sums at a table's end, and rows with hardly anything in them."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own import study_file
from medlens.studies.own.clean_table_rows import sum_words_by_row_number
from medlens.studies.own.study_proposal import propose_study


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
    assert sum_words_by_row_number(rows) == {5: word}
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
    assert sum_words_by_row_number(table(last)) == {}


def test_two_rows_of_sums_are_left_out_and_one_in_the_middle_is_not() -> None:
    rows = table({"Nr": "Summe", "Punkte": "10"}, {"Nr": "Mittelwert", "Punkte": "2,5"})
    assert sum_words_by_row_number(rows) == {5: "Summe", 6: "Mittelwert"}
    assert sum_words_by_row_number([*rows, *table()[:2]]) == {}


def test_a_row_with_one_shown_cell_is_told_and_left_out_on_demand() -> None:
    rows = table({"Nr": "5", "Frage": "Und am fünften Tag, was hilft dann?"})
    proposal = propose_study(rows, title="T")
    assert len(proposal.looked.items) == 5
    assert any("1 row has one cell at most" in one for one in proposal.told)
    without = propose_study(rows, title="T", without_nearly_empty=True)
    assert [one.name for one in without.looked.items] == ["1", "2", "3", "4"]
    assert study_file.parse_study_file(without.text).nearly_empty == "leave_out"
