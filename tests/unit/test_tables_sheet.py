"""A file of a declared kind, read as columns and checked by what they are declared to hold."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest

from medlens.app import work_behind_commands
from medlens.errors import BadFile
from medlens.studies.registry import STUDIES
from medlens.tables import Column, Kind, Report, Request, read_and_check_table
from medlens.tables.read_and_check_table import Fault, as_boolean_numpy_array, read_checked_table

COLUMNS = (
    Column("id", "name", "a name", needed=True, filled="an id"),
    Column("text", "text", "a text"),
    Column("said", "word", "a word", allowed=("yes", "no")),
    Column("n", "whole", "a number", least=1, empty=1),
    Column("share", "number", "a number"),
    Column("blind", "truth", "a truth", empty=True),
    Column("at", "moment", "a moment"),
    Column("more", "object", "an object", empty="{}"),
    Column("all", "array", "a list", empty="[]"),
)
HEAD = "id,text,said,n,share,blind,at,more,all"


def asked(text: str, name: str = "f.csv", *, skip_bad: bool = False) -> Request:
    return Request(text.encode(), name, "d", skip_bad=skip_bad)


def test_cells_come_in_their_declared_types() -> None:
    text = f'{HEAD}\n a , x ,YES,2,0.5,False,2026-01-02T03:04Z,"{{""b"": 1}}",[1]\nb,,,,,,,,\n'
    frame = read_checked_table(asked(text), COLUMNS).frame
    assert frame["id"].tolist() == ["a", "b"]
    assert frame["text"].tolist() == [" x ", ""]
    assert frame["said"].tolist() == ["yes", ""]
    assert frame["n"].tolist() == [2, 1]
    assert frame["share"].isna().tolist() == [False, True]
    assert frame["blind"].tolist() == [False, True]
    assert frame["at"].tolist() == [pd.Timestamp("2026-01-02T03:04Z"), pd.NaT]
    assert frame["more"].tolist() == ['{"b": 1}', "{}"]
    assert frame["all"].tolist() == ["[1]", "[]"]


def test_a_column_that_is_there_twice_is_told_of_although_nothing_asks_for_it() -> None:
    sheet = read_checked_table(asked("id,note,text,note\na,1,x,2\n"), COLUMNS)
    assert sheet.frame["text"].tolist() == ["x"]
    assert sheet.notes == ("f.csv: the column 'note' is there 2 times; the last is used.",)


@pytest.mark.parametrize(
    ("column", "cell", "expected"),
    [
        ("id", " ", "an id"),
        ("said", "maybe", "yes, no or nothing"),
        ("n", "0", "a whole number of at least 1"),
        ("n", "1.5", "a whole number of at least 1"),
        ("share", "inf", "a number of at least 0"),
        ("blind", "perhaps", "true or false"),
        ("at", "yesterday", "a date and time (ISO 8601)"),
        ("more", "[1]", "a JSON object"),
        ("all", "{}", "a JSON list"),
    ],
)
def test_a_cell_is_refused_by_line_and_column_with_what_was_expected(
    column: str, cell: str, expected: str
) -> None:
    names = ["id", column] if column != "id" else ["id", "text"]
    row = ["b", cell] if column != "id" else [cell, "x"]
    text = "\n".join([",".join(names), "a,", "", ",".join(row), ""])
    with pytest.raises(BadFile) as caught:
        read_checked_table(asked(text), COLUMNS)
    [problem] = caught.value.rows
    assert (problem.line, problem.column, problem.expected) == (4, column, expected)


def test_only_refused_rows_are_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_by_one(*_given: object, **_how: object) -> None:
        raise AssertionError("the file was read row by row")

    monkeypatch.setattr(read_and_check_table, "load_parsed_and_refused_rows", one_by_one)
    text = 'id,text,n\na,"two\nlines",1\nb,x,none\nc,y,3\n'
    done = read_checked_table(asked(text, skip_bad=True), COLUMNS)
    assert done.frame["id"].tolist() == ["a", "c"]
    [refused] = done.refused
    assert (refused.problem.line, refused.problem.got) == (4, "none")
    assert list(refused.row.raw) == ["b", "x", "none"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        # A row of separators alone is none, a row that is cut off is refused by itself.
        ("id,n\na,none\n,\nb,2\n", {2}),
        ("id,n\na,none\nb,2\nc\n", {2, 4}),
        ("id;n\na;none\nb;2\n", {2}),
    ],
)
def test_a_file_that_is_not_plain_gives_the_same_rows(text: str, lines: set[int]) -> None:
    for source in (text.encode(), io.BytesIO(text.encode())):
        done = read_checked_table(Request(source, "f.csv", "d", skip_bad=True), COLUMNS)
        assert done.frame["id"].tolist() == ["b"]
        assert {one.problem.line for one in done.refused} == lines


def test_a_check_names_what_is_wrong_between_cells() -> None:
    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        return frame, [
            Fault(as_boolean_numpy_array(frame.duplicated("id")), "id", "an id of its own")
        ]

    with pytest.raises(BadFile, match="line 3, column 'id': expected an id of its own, got 'a'"):
        read_checked_table(asked("id\na\na\n"), COLUMNS, check)


def test_a_kind_is_known_by_the_columns_that_it_needs_unless_it_says_otherwise() -> None:
    columns = (
        Column("Case", "name", "the case", needed=True),
        Column("url", "name", "an address", needed=True),
        Column("note", "text", "a note"),
    )

    def signs(*of: Column, **how: Any) -> list[set[str]]:
        made = Kind(title="t", read=lambda *_: Report("", 0, 0), looks="", columns=of, **how)
        return list(map(set, made.identifying_column_sets))

    assert signs(*columns) == [{"case", "url"}]
    assert signs(*columns, known_by=({"note"},)) == [{"note"}]
    # Judgments are told by the study that they name, and what needs nothing would be everything.
    assert signs(*columns, known_by=()) == []
    assert signs(*columns, judgments=True) == []
    assert signs(columns[2]) == []


def test_every_table_of_judgments_can_be_had_with_every_revision() -> None:
    tables = {
        "tagging": ("judgments", "spans"),
        "agentclinic": ("ratings", "moderator-checks"),
        "sourcecheckup": ("judgments", "answer-judgments", "statement-checks", "question-checks"),
        "ebmqa": ("questionnaire",),
        "own": ("own-judgments",),
    }
    for study, kinds in tables.items():
        for kind in kinds:
            assert "history" in work_behind_commands.option_names_of_export_kind(
                STUDIES[study], kind
            ), (
                study,
                kind,
            )
    assert "rule" in work_behind_commands.option_names_of_export_kind(STUDIES["tagging"], "labels")
    assert work_behind_commands.filters_of_export_kind(STUDIES["sourcecheckup"], "figures") == [
        "run",
        "cases",
        "judge",
    ]
    assert work_behind_commands.filters_of_export_kind(STUDIES["ebmqa"], "answers") == [
        "label",
        "words",
    ]
    assert work_behind_commands.filters_of_export_kind(STUDIES["ebmqa"], "questionnaire") == []


def test_a_number_without_end_is_refused_before_a_check_makes_it_a_whole_one() -> None:
    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        return frame.assign(n=frame["n"].astype("int64")), []

    with pytest.raises(BadFile, match=r"line 3, column 'n'.*got '1e999'"):
        read_checked_table(asked("id,n\na,1\nb,1e999\n"), COLUMNS, check)
