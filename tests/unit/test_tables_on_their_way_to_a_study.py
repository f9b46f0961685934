"""Tables in Markdown, with a row for each variable, and with doubled headings are read rightly."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
import xlsxwriter

from medlens.errors import BadFile
from medlens.studies.own.study_proposal import (
    Proposal,
    propose_study,
    require_unique_headings,
)
from medlens.tables.csv_table_extraction import write_arranged_csv_and_return_layout
from medlens.tables.workbook_sheet_to_csv_with_notes import write_sheet_as_csv_and_return_notes

LONG = "Please come in today, since a stiff neck with a fever is no small matter, said number {}."
Rows = list[list[str]]


def is_model(name: str) -> bool:
    return name.casefold().startswith(("gpt", "claude"))


def read(text: str) -> tuple[Rows, str]:
    """The rows of a text file's table without empty ones, and what was told."""
    target = io.BytesIO()
    layout = write_arranged_csv_and_return_layout(
        io.BytesIO(text.encode()), target, name="t", is_model=is_model
    )
    assert layout is not None
    text = target.getvalue().decode() if layout.changed else text
    return [row for row in csv.reader(io.StringIO(text)) if any(row)], "\n".join(layout.notes)


def as_csv(*rows: list[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def roles(found: Proposal) -> dict[str, str]:
    return {one.name: one.role for one in found.columns}


def all_told(found: Proposal) -> str:
    return "\n".join([*found.told, *found.looked.notes])


@pytest.mark.parametrize("frame", ["| {} |", "{}"])
@pytest.mark.parametrize("dashes", ["---", ":--:", "-----"])
def test_a_table_in_markdown_is_read_without_its_bars_and_dashes(frame: str, dashes: str) -> None:
    lines = [["No", "Question", "GPT-4"], [dashes] * 3, *([str(n), "Why?", LONG] for n in "12")]
    rows, _ = read("\n".join(frame.format(" | ".join(line)) for line in lines) + "\n")
    assert rows == [lines[0], *lines[2:]]


def test_a_row_of_bars_without_dashes_stays() -> None:
    rows, _ = read("No|Question\n-|Why?\n2|How?\n")
    assert len([row for row in rows if row]) == 3


def variables(*extra: str) -> Rows:
    names = ["question", "answer_gpt4", "answer_claude", *extra]
    return [[str(at), name, f"{LONG} {name} {at}"] for at in range(1, 4) for name in names]


def test_a_row_for_each_variable_of_a_case_becomes_a_row_for_each_case() -> None:
    rows, told = read(as_csv(["case_id", "variable", "value"], *variables()))
    assert rows[0] == ["case_id", "question", "answer_gpt4", "answer_claude"]
    assert [row[0] for row in rows[1:]] == ["1", "2", "3"]
    assert rows[2][2] == f"{LONG} answer_gpt4 2"
    assert "its 9 rows are made into 3, with a column for each of 3 variables" in told


def test_a_question_and_its_answer_below_each_other_become_one_row() -> None:
    rows = [[n, part, f"{LONG} {part} {n}"] for n in "123" for part in ("Frage", "Antwort")]
    iterate_rows_of_table_file, _ = read(as_csv(["Fall", "Rolle", "Text"], *rows))
    assert iterate_rows_of_table_file[0] == ["Fall", "Frage", "Antwort"]
    assert iterate_rows_of_table_file[3] == ["3", f"{LONG} Frage 3", f"{LONG} Antwort 3"]
    # Turns of a conversation are gathered as such.
    turns = [[n, who, LONG] for n in "123" for who in ("user", "assistant")]
    assert read(as_csv(["case", "role", "content"], *turns))[0][0] == ["case", "conversation"]


@pytest.mark.parametrize(
    "rows",
    [
        [["case", "type", "text"], *([n, t, LONG] for n in "123" for t in ("letter", "summary"))],
        [["case", "part", "text"], *([n, "question", LONG] for n in "1234")],
        # A variable that is there twice, laboratory values, no case, and an ordinary table.
        [["case", "variable", "value"], *variables(), ["1", "question", "again"]],
        [["case", "parameter", "value"], *([n, p, "5"] for n in "123" for p in ("Hb", "CRP"))],
        [["variable", "value"], ["question", LONG], ["answer", LONG]],
        [["case", "key", "text"], *([n, f"k{n}", LONG] for n in "1234")],
        [["case", "field", "answer"], *([n, "cardiology", LONG] for n in "1234")],
    ],
)
def test_other_tables_with_such_headings_stay_as_they_are(rows: Rows) -> None:
    assert read(as_csv(*rows))[0] == rows


def test_items_that_are_called_by_one_model_and_a_number_are_no_models() -> None:
    rows = [[f"GPT4_{at:03d}", f"{LONG} q{at}", f"{LONG} a{at}"] for at in range(1, 5)]
    assert "another model" not in read(as_csv(["ID", "Question", "Answer"], *rows))[1]
    rows = [[name, f"{LONG} q", f"{LONG} a"] for name in ("GPT-3.5", "GPT-4", "Claude 3")]
    assert "each row is another model" in read(as_csv(["ID", "Part one", "Part two"], *rows))[1]


def workbook(*names: str) -> list[str]:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out) as book:
        for name in names:
            sheet = book.add_worksheet(name)
            for at, row in enumerate((["Question", LONG], ["GPT-4", LONG], ["Claude", LONG])):
                sheet.write_row(at, 0, row)
    target = io.BytesIO()
    out.seek(0)
    return list(
        write_sheet_as_csv_and_return_notes(out, target, name="t.xlsx", of_items=True).notes
    )


def test_a_sheet_for_each_case_is_told_and_other_sheets_are_not() -> None:
    told = "each sheet seems to be a case. Put them into one sheet"
    assert any(told in note for note in workbook("Fall 1", "Fall 2", "Fall 3"))
    assert not any(told in note for note in workbook("Sheet1", "Sheet2"))
    assert not any(told in note for note in workbook("Cases", "Codes"))


@pytest.mark.parametrize(
    "names",
    [("Antwort", "Antwort.1", "Antwort.2"), ("Answer", "Answer 2"), ("Response", "Response_2")],
)
def test_doubled_headings_of_answers_are_compared_and_told(names: tuple[str, ...]) -> None:
    rows = [
        {"Nr": at, "Frage": f"Why {at}?", **{name: f"{LONG.format(at)} {name}" for name in names}}
        for at in range(1, 5)
    ]
    found = propose_study(rows, title="Notes")
    assert found.declared.arms is not None
    assert found.declared.arms.names == tuple(map(str, range(1, len(names) + 1)))
    assert f"“{names[0]}”, “{names[1]}”" in all_told(found)
    assert "Nothing says whose answers they are" in all_told(found)


@pytest.mark.parametrize(
    "names",
    [
        ("Question", "Answer", "Question 2", "Answer 2"),
        ("Frage", "Antwort", "Frage.1", "Antwort.1"),
        ("Question", "Answer", "Answer length"),
        ("Question", "Answer", "Dose", "Dose 2"),
    ],
)
def test_turns_of_a_chat_and_other_columns_are_not_compared(names: tuple[str, ...]) -> None:
    rows = [{name: f"{LONG.format(at)} {name}" for name in names} for at in range(1, 5)]
    assert "Nothing says whose answers" not in all_told(propose_study(rows, title="Notes"))


@pytest.mark.parametrize("headed", ["{model} dx{n}", "DDx {n} ({model})", "Dx {n} [{model}]"])
def test_further_parts_of_compared_answers_are_told(headed: str) -> None:
    rows = [
        {
            "case": at,
            "vignette": LONG.format(at),
            **{
                headed.format(model=model, n=n): f"{word} {at + n}"
                for model, word in (("GPT-4", "Gout"), ("Claude", "Sepsis"))
                for n in (1, 2, 3)
            },
        }
        for at in range(1, 5)
    ]
    told = all_told(propose_study(rows, title="Notes"))
    assert "seem to be further parts of the same answers" in told
    first = headed.format(model="GPT-4", n=1)
    assert told.count(f"“{first}”") >= 1
    further = [headed.format(model=one, n=n) for one in ("GPT-4", "Claude") for n in (2, 3)]
    plain = [{k: v for k, v in row.items() if k not in further} for row in rows]
    assert "further parts" not in all_told(propose_study(plain, title="Notes"))


def test_all_headings_that_are_there_twice_are_named_with_what_stands_before_the_first() -> None:
    block = ["Status", "Score", "Comment"]
    with pytest.raises(BadFile) as refused:
        require_unique_headings(["id", "[gpt-4o] GP", *block, "[claude] GP", *block])
    assert refused.value.message == (
        "2 columns of this file are called 'Status'. The same goes for 'Score', 'Comment'."
    )
    assert refused.value.hint == (
        "Give each a name of its own: one stands behind “[gpt-4o] GP”, one behind “[claude] GP”."
        " Or delete those that raters do not need."
    )
    with pytest.raises(BadFile) as alone:
        require_unique_headings(["answer", "id", "answer"])
    assert alone.value.message == "2 columns of this file are called 'answer'."
    assert alone.value.hint == "Give each a name of its own."
