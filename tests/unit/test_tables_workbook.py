"""Workbooks as the CSV that a person would save them as."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import pytest
import xlsxwriter

from medlens.errors import BadFile
from medlens.tables.workbook import is_workbook, sheet_as_csv


def workbook(**sheets: Sequence[Sequence[Any]]) -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        day = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for at, row in enumerate(rows):
                for column, cell in enumerate(row):
                    if isinstance(cell, (date, datetime)):
                        sheet.write_datetime(at, column, cell, day)
                    elif cell is not None:
                        sheet.write(at, column, cell)
    return out.getvalue()


def read(content: bytes) -> tuple[list[list[str]], list[str]]:
    out = io.BytesIO()
    said = sheet_as_csv(io.BytesIO(content), out, name="book.xlsx")
    return list(csv.reader(io.StringIO(out.getvalue().decode("utf-8"), newline=""))), said


def test_cells_are_read_as_they_are_meant() -> None:
    given = [
        ["item", "text", "n", "share", "sure", "on", "at"],
        ["a", 'x, "y"\nz ≥ 5', 3, 0.25, True, date(2026, 1, 2), datetime(2026, 1, 2, 3, 4)],
    ]
    assert read(workbook(one=given))[0][1] == [
        *("a", 'x, "y"\nz ≥ 5', "3", "0.25", "true", "2026-01-02", "2026-01-02T03:04:00"),
    ]


def test_empty_rows_and_columns_around_the_table_are_left_out_and_those_in_it_are_lines() -> None:
    given = [[], [], ["item", "text", None, " "][:2], ["a", "b"], [], ["c", None], []]
    rows, _ = read(workbook(one=given))
    assert rows == [["item", "text"], ["a", "b"], [], ["c", ""]]


def test_the_first_sheet_that_holds_anything_is_read_and_the_others_are_named() -> None:
    rows, said = read(workbook(empty=[], data=[["item"], ["a"]], notes=[["x"]]))
    assert rows == [["item"], ["a"]]
    assert said == ["book.xlsx: the sheet 'data' was read, the other one was not."]


def test_a_text_that_looks_like_a_formula_stays_a_text() -> None:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_string(0, 0, "=1+1")
        sheet.write_formula(1, 0, "=1+1", value=2)
    assert read(out.getvalue())[0] == [["=1+1"], ["2"]]


def _cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _of_nothing() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("xl/workbook.xml", "<workbook/>")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (_cut(workbook(one=[["item"], ["a"]])), "cannot be read as a workbook"),
        (_of_nothing(), "cannot be read as a workbook"),
        (b"PK\x03\x04 xl/workbook.xml", "cannot be read as a workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "cannot be read as a workbook"),
        (workbook(one=[]), "is empty"),
    ],
)
def test_what_is_no_sound_workbook_is_refused_in_words(content: bytes, said: str) -> None:
    assert is_workbook(io.BytesIO(content))
    with pytest.raises(BadFile, match=said):
        read(content)


def test_other_files_are_no_workbooks_and_stay_where_they_stood() -> None:
    for content in (b"", b"item,text\n", b"PAR1", b"PK\x03\x04 word/document.xml"):
        stream = io.BytesIO(content)
        assert not is_workbook(stream)
        assert stream.tell() == 0


def test_long_numbers_keep_every_digit_and_it_is_told_that_they_may_be_rounded() -> None:
    given = [["case"], [4012888888881881], [999999999999999], [42], [12345678901234567890]]
    rows, notes = read(workbook(one=given))
    assert [row[0] for row in rows[1:4]] == ["4012888888881881", "999999999999999", "42"]
    assert rows[4][0].isdigit()
    assert len(rows[4][0]) == 20
    (note,) = notes
    assert "row 2" in note
    assert "1 more" in note
    assert read(workbook(one=given[:1] + given[2:4]))[1] == []
