"""Criteria with a row or a column for each become one cell of their item."""

from __future__ import annotations

import json

import pytest

from medlens.studies.own.study_proposal import propose_study
from medlens.tables.criteria_rows import fold_criteria

ANSWER = "Bitte kommen Sie heute in die Praxis, weil der Nacken steif ist und Fieber besteht."
LONG = [
    ["case", "answer", "criterion", "points"],
    ["k1", ANSWER, "Names the urgency", "1"],
    ["k1", ANSWER, "Asks about fever", "2"],
    ["k1", ANSWER, "Invents a drug", "−3"],
    ["k2", ANSWER, "Names the urgency", "1,5"],
    ["k2", ANSWER, "Asks about a rash", "+2"],
]


def criteria_of(row: list[str]) -> dict[str, float]:
    return {one["criterion"]: one["points"] for one in json.loads(row[-1])}


def test_a_row_for_each_criterion_becomes_a_row_for_each_item() -> None:
    folded = fold_criteria(LONG, 0)
    assert folded is not None
    rows, told = folded
    assert rows[0] == ["case", "answer", "criteria"]
    assert [bool(row) for row in rows] == [True, True, False, False, True, False]
    assert criteria_of(rows[1]) == {
        "Names the urgency": 1, "Asks about fever": 2, "Invents a drug": -3,
    }  # fmt: skip
    assert criteria_of(rows[4]) == {"Names the urgency": 1.5, "Asks about a rash": 2}
    assert "2 items have their 5 criteria" in told


def test_an_item_that_stands_only_beside_its_first_criterion_has_all_of_them() -> None:
    given = [
        row if row[2] in ("criterion", "Names the urgency") else ["", "", *row[2:]] for row in LONG
    ]
    assert fold_criteria(given, 0) == fold_criteria(LONG, 0)


def test_criteria_with_points_in_their_headings_are_those_of_every_item() -> None:
    folded = fold_criteria(
        [["case", "answer", "Asks about onset (2)", "Harms [-3 points]"], ["k1", ANSWER, "x", ""]],
        0,
    )
    assert folded is not None
    rows, told = folded
    assert rows[0] == ["case", "answer", "criteria"]
    assert criteria_of(rows[1]) == {"Asks about onset": 2, "Harms": -3}
    assert "What stands in their cells is left out." in told


def test_the_study_made_of_them_asks_each_criterion_and_hides_its_points() -> None:
    folded = fold_criteria(LONG, 0)
    assert folded is not None
    names, *rows = [row for row in folded[0] if row]
    proposal = propose_study([dict(zip(names, row, strict=True)) for row in rows], title="T")
    assert proposal.declared.criteria_column == "criteria"
    assert [one.name for one in proposal.looked.items] == ["k1", "k2"]
    assert not proposal.looked.faults


@pytest.mark.parametrize(
    "rows",
    [
        [["case", "points"], ["a", "1"], ["b", "2"]],
        [["case", "criterion", "points"], ["a", "x", "1"], ["b", "y", "2"]],
        [["case", "criterion", "points"], ["a", "x", "many"], ["a", "y", "2"]],
        [["case", "criterion", "points"], ["a", "x", "-1"], ["a", "y", "-2"]],
        [["case", "Answer (1)", "Answer (2)"], ["a", "x", "x"]],
        [["case", "Text (1)", "Other (2)"], ["a", ANSWER, ANSWER]],
        [["case", "age (years)", "creatinine (mg/dl)"], ["a", "3", "4"]],
    ],
)
def test_any_other_table_stays_as_it_is(rows: list[list[str]]) -> None:
    assert fold_criteria(rows, 0) is None
