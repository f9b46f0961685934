"""Criteria with a row or a column for each become one cell of their item."""

from __future__ import annotations

import json
import time

import pytest

from medlens.studies.own.study_proposal import propose_study
from medlens.tables.criteria_rows_or_columns_to_one_cell import (
    find_rows_with_criteria_folded_and_note,
)

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
    folded = find_rows_with_criteria_folded_and_note(LONG, 0)
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
    assert find_rows_with_criteria_folded_and_note(
        given, 0
    ) == find_rows_with_criteria_folded_and_note(LONG, 0)


def test_criteria_with_points_in_their_headings_are_those_of_every_item() -> None:
    folded = find_rows_with_criteria_folded_and_note(
        [["case", "answer", "Asks about onset (2)", "Harms [-3 points]"], ["k1", ANSWER, "x", ""]],
        0,
    )
    assert folded is not None
    rows, told = folded
    assert rows[0] == ["case", "answer", "criteria"]
    assert criteria_of(rows[1]) == {"Asks about onset": 2, "Harms": -3}
    assert "What stands in their cells is left out." in told


def test_the_study_made_of_them_asks_each_criterion_and_hides_its_points() -> None:
    folded = find_rows_with_criteria_folded_and_note(LONG, 0)
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
    assert find_rows_with_criteria_folded_and_note(rows, 0) is None


def test_pairs_of_numbered_criteria_and_points_are_those_of_each_item() -> None:
    rows = [
        ["Fall", "Antwort", "Kriterium 1", "Punkte 1", "Kriterium 2", "Punkte 2"],
        ["S1", ANSWER, "Nennt die Dringlichkeit", "3", "Fragt nach Fieber", "1"],
        [],
        ["S2", ANSWER, "Nennt die Dringlichkeit", "2", "", ""],
        ["S3", ANSWER, "Erfindet ein Mittel", "−5", "Fragt nach Fieber", "1,5"],
    ]
    folded = find_rows_with_criteria_folded_and_note(rows, 0)
    assert folded is not None
    made, told = folded
    assert made[0] == ["Fall", "Antwort", "criteria"]
    assert criteria_of(made[1]) == {"Nennt die Dringlichkeit": 3, "Fragt nach Fieber": 1}
    assert criteria_of(made[3]) == {"Nennt die Dringlichkeit": 2}
    assert made[2] == []
    assert "3 items have their 5 criteria" in told
    assert "points, which reviewers do not see" in told


@pytest.mark.parametrize(
    "headings",
    [
        ["c", "a", "Criterion_1", "Points_1", "Criterion_2", "Points_2"],
        ["c", "a", "criterion1", "weight1", "criterion2", "weight2"],
        ["c", "a", "Criterion 1", "Criterion 2", "Points 1", "Points 2"],
        ["c", "a", "Critère 1", "Points 1", "Critère 2", "Points 2"],
    ],
)
def test_pairs_are_known_by_their_numbers_wherever_they_stand(headings: list[str]) -> None:
    by_heading = {"1": ("Names it", "2"), "2": ("Asks", "1")}
    row = ["k", ANSWER] + [
        by_heading[name[-1]]["oi" in name.casefold() or "wei" in name.casefold()]
        for name in headings[2:]
    ]
    folded = find_rows_with_criteria_folded_and_note([headings, row], 0)
    assert folded is not None
    assert criteria_of(folded[0][1]) == {"Names it": 2, "Asks": 1}


def test_pairs_with_points_that_are_no_numbers_stay_as_they_are() -> None:
    headings = ["c", "Criterion 1", "Points 1", "Criterion 2", "Points 2"]
    assert (
        find_rows_with_criteria_folded_and_note(
            [headings, ["k", "Names it", "many", "Asks", "1"]], 0
        )
        is None
    )
    assert (
        find_rows_with_criteria_folded_and_note([headings, ["k", "Names it", "", "Asks", "1"]], 0)
        is None
    )


def test_points_may_stand_before_the_criterion_in_a_heading() -> None:
    names = ["case", "answer", "[2] Names the urgency", "[1] Polite", "[-3] Harmful advice"]
    folded = find_rows_with_criteria_folded_and_note([names, ["k", ANSWER, "2", "1", "0"]], 0)
    assert folded is not None
    assert criteria_of(folded[0][1]) == {"Names the urgency": 2, "Polite": 1, "Harmful advice": -3}
    texts = ["k", ANSWER, "Rest for two days.", "Ice and rest.", "Wait."]
    assert find_rows_with_criteria_folded_and_note([names, texts], 0) is None


SCORED = [
    [
        "Fall",
        "Antwort der KI",
        "Nennt die Dringlichkeit",
        "Fragt nach Fieber",
        "Erfindet ein Mittel",
    ],
    ["F1", ANSWER, "", "", ""],
    ["F2", ANSWER, "", "", ""],
    ["F3", ANSWER, "", "", ""],
]


@pytest.mark.parametrize(
    "points",
    [
        ["Punkte", "", "3", "1", "−5"],
        ["", "Max. points:", "3", "1", "-5"],
        ["Weight", "", "3 P", "1 P", "-5 P"],
        ["Points (max)", "", "3", "1", "-5"],
    ],
)
@pytest.mark.parametrize("last", [False, True])
def test_a_row_of_points_below_the_criteria_is_theirs_and_no_item(
    points: list[str], last: bool
) -> None:
    rows = [SCORED[0], *SCORED[1:], points] if last else [SCORED[0], points, *SCORED[1:]]
    folded = find_rows_with_criteria_folded_and_note(rows, 0)
    assert folded is not None
    made, told = folded
    assert [row[:2] for row in made if row] == [row[:2] for row in SCORED]
    assert made[0] == ["Fall", "Antwort der KI", "criteria"]
    assert criteria_of(made[2]) == {
        "Nennt die Dringlichkeit": 3, "Fragt nach Fieber": 1, "Erfindet ein Mittel": -5,
    }  # fmt: skip
    assert told.startswith("3 columns are criteria with their points in the row '")


def test_the_sum_of_a_row_of_points_is_no_criterion() -> None:
    rows = [[*SCORED[0], "Summe"], ["Punkte", "", "3", "1", "2", "6"]]
    folded = find_rows_with_criteria_folded_and_note(
        [*rows, *([*row, ""] for row in SCORED[1:])], 0
    )
    assert folded is not None
    assert folded[0][0] == ["Fall", "Antwort der KI", "Summe", "criteria"]
    assert sum(criteria_of(folded[0][2]).values()) == 6


def test_a_row_of_points_above_cells_with_words_is_left_out_and_told() -> None:
    rows = [SCORED[0], ["Punkte", "", "3", "1", "2"]]
    given = [[*row[:2], "gut gesehen", "", "knapp"] for row in SCORED[1:]]
    folded = find_rows_with_criteria_folded_and_note([*rows, *given], 0)
    assert folded is not None
    assert [row for row in folded[0] if row] == [SCORED[0], *given]
    assert folded[1] == "the row 'Punkte' (3, 1, 2) is not an item and is left out."


@pytest.mark.parametrize(
    "rows",
    [
        [["measure", "A", "B"], ["Points", "1", "3"], ["Goals", "2", "2"], ["Fouls", "0", "1"]],
        [["case", "answer", "x", "y"], ["Points", "said", "1", "3"], ["b", ANSWER, "2", "2"]],
        [["case", "answer", "x", "y"], ["Points", "", "1", "3"], ["b", "", "2", "2"]],
        [["case", "answer", "x", "y"], ["b", "", "1", "3"], ["c", ANSWER, "2", "2"]],
    ],
)
def test_an_item_called_points_stays_an_item(rows: list[list[str]]) -> None:
    assert find_rows_with_criteria_folded_and_note(rows, 0) is None


def test_points_at_the_end_of_a_heading_of_any_length_are_found_at_once() -> None:
    long = "The answer names the red flags of a sore throat, and 3 days to wait. " * 600
    begun = time.process_time()
    folded = find_rows_with_criteria_folded_and_note(
        [
            ["case", "answer", f"{long}(2 points)", f"Harms {long}: 3 P", long],
            ["k1", ANSWER, "", "", "-"],
        ],
        0,
    )
    assert time.process_time() - begun < 5
    assert folded is not None
    assert list(criteria_of(folded[0][1]).values()) == [2, 3]
    assert next(iter(criteria_of(folded[0][1]))) == long.strip()
