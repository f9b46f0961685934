"""Workbooks as the CSV that a person would save them as."""

from __future__ import annotations

import base64
import csv
import io
import re
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

import pytest
import xlsxwriter

from medlens.errors import BadFile
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.tables import workbook_hidden_cells_and_formats
from medlens.tables.workbook_hidden_cells_and_formats import (
    HIDDEN_OR_EMPTY,
    ON_CELLS,
    SheetXml,
    read_sheet_details_beside_cells,
)
from medlens.tables.workbook_sheet_to_csv_with_notes import (
    is_workbook,
    write_sheet_as_csv_and_return_notes,
)


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
    sheet = write_sheet_as_csv_and_return_notes(io.BytesIO(content), out, name="book.xlsx")
    rows = list(csv.reader(io.StringIO(out.getvalue().decode("utf-8"), newline="")))
    return rows, sheet.notes


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
    assert said == ["book.xlsx: the sheet 'data' was read; 'notes' was not."]


def test_sheets_with_the_headings_of_the_one_that_was_read_are_told_with_what_to_do() -> None:
    table = [["Nr", "Question", "Reply"], ["1", "Is it safe?", "Yes."], ["2", "Why?", "So."]]
    other = [["nr", "Reply", "Question"], ["1", "No.", "Is it new?"], ["2", "Ask.", "When?"]]
    notes = [["Nr", "Remark", "By"], ["1", "x", "y"], ["2", "x", "y"]]
    _, said = read(workbook(Heart=table, Eyes=other, Skin=table, Notes=notes))
    assert said[1] == (
        "book.xlsx: 'Eyes', 'Skin' have the same headings, so that their rows may be items too. To"
        " have them all, put the rows into one sheet; or choose them next (--sheet on the command"
        " line) and add the items to the same study."
    )
    _, said = read(workbook(Heart=table, Notes=notes))
    assert len(said) == 1


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


def written(write: Callable[[xlsxwriter.Workbook, Any], None]) -> bytes:
    """A workbook of one sheet that a function writes."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        write(book, book.add_worksheet("Answers"))
    return out.getvalue()


def fill(sheet: Any, rows: Sequence[Sequence[Any]], *, at: int = 0) -> None:
    for row, cells in enumerate(rows, at):
        sheet.write_row(row, 0, cells)


def test_a_cover_sheet_is_passed_over_for_the_first_one_with_a_table() -> None:
    rows, said = read(
        workbook(
            cover=[["Pilot"], ["Please do not pass on"]], answers=[["item", "text"], ["a", "b"]]
        )
    )
    assert rows == [["item", "text"], ["a", "b"]]
    assert said == ["book.xlsx: the sheet 'answers' was read; 'cover' was not."]


def test_cells_merged_over_rows_have_their_value_in_each_of_them() -> None:
    def write(_: xlsxwriter.Workbook, sheet: Any) -> None:
        fill(sheet, [["case", "model", "answer"]])
        sheet.merge_range(1, 0, 2, 0, 1)
        sheet.write_row(1, 1, ["A", "yes"])
        sheet.write_row(2, 1, ["B", "no"])
        fill(sheet, [[2, "A", "no"], [3, "A", ""]], at=3)

    rows, said = read(written(write))
    assert rows[1:4] == [["1", "A", "yes"], ["1", "B", "no"], ["2", "A", "no"]]
    assert said == [
        "book.xlsx: merged cells are filled down, 1 cell below the first, from row 2 on."
    ]


def test_an_empty_cell_that_is_not_merged_stays_empty() -> None:
    rows, said = read(workbook(one=[["case", "model", "note"], ["1", "A", "x"], ["", "B", "y"]]))
    assert rows[2] == ["", "B", "y"]
    assert said == []


@pytest.mark.parametrize("columns", [["case", "answer"], ["case", "model", "answer"]])
def test_a_title_above_the_header_is_left_out_and_told(columns: list[str]) -> None:
    def write(_: xlsxwriter.Workbook, sheet: Any) -> None:
        sheet.merge_range(0, 0, 0, len(columns) - 1, "Answers of the pilot, May")
        fill(sheet, [[], columns, ["1", "x", "y"][: len(columns)]], at=1)

    rows, said = read(written(write))
    # Refused rows are named by their line: it stays that of the sheet.
    assert rows[:3] == [[], [], columns]
    assert said == ["book.xlsx: the line above the header is left out: Answers of the pilot, May."]


def test_a_narrow_table_without_a_title_keeps_its_first_row() -> None:
    rows, said = read(workbook(one=[["question", None], ["What now?", "b"], ["Why?", "c"]]))
    assert rows[0][0] == "question"
    assert said == []


def test_numbers_keep_the_zeros_that_the_sheet_shows() -> None:
    def write(book: xlsxwriter.Workbook, sheet: Any) -> None:
        five = book.add_format({"num_format": "00000"})
        fill(sheet, [["id", "n"]])
        sheet.write_number(1, 0, 7, five)
        sheet.write_number(1, 1, 7)
        sheet.write_number(2, 0, 123456, five)

    assert read(written(write))[0][1:] == [["00007", "7"], ["123456", ""]]


def test_shares_of_items_are_read_as_the_percentages_that_the_sheet_shows() -> None:
    def write(book: xlsxwriter.Workbook, sheet: Any) -> None:
        fill(sheet, [["whole", "tenths", "spaced", "plain"]])
        for row, share in enumerate((0.1, 0.1234, 0.29), 1):
            for column, code in enumerate(("0%", "0.0%", '0" %"')):
                sheet.write_number(row, column, share, book.add_format({"num_format": code}))
            sheet.write_number(row, 3, share)

    shown = [["10%", "10.0%", "10 %", "0.1"], ["12.34%", "12.34%", "12.34 %", "0.1234"]]
    shown += [["29%", "29.0%", "29 %", "0.29"]]
    out = io.BytesIO()
    write_sheet_as_csv_and_return_notes(
        io.BytesIO(written(write)), out, name="b.xlsx", of_items=True
    )
    assert list(csv.reader(io.StringIO(out.getvalue().decode())))[1:] == shown
    # What another import reads as a number stays one.
    assert read(written(write))[0][1] == ["0.1", "0.1", "0.1", "0.1"]


def test_what_is_hidden_or_has_no_value_is_told() -> None:
    def write(_: xlsxwriter.Workbook, sheet: Any) -> None:
        fill(sheet, [["item", "sum", "secret"], ["a", None, "x"], ["b", None, "y"]])
        sheet.write_formula(1, 1, "=1+1", None, "")
        sheet.write_formula(2, 1, "=1/0", None, "#DIV/0!")
        sheet.set_row(2, None, None, {"hidden": True})
        sheet.set_column(2, 2, None, None, {"hidden": True})

    rows, said = read(written(write))
    assert rows[2][0] == "b"
    told = "\n".join(said)
    assert "1 row is hidden in the sheet" in told
    assert "1 column is hidden in the sheet (column C, “secret”)" in told
    assert "1 formula has no stored result and is empty here (first: B2)" in told
    assert "They are in column B, “sum”." in told
    assert "1 cell has an error and is empty here (first: B3)" in told


def test_a_last_row_of_sums_is_told() -> None:
    rows, said = read(workbook(one=[["item", "n"], ["a", 1], ["b", 2], ["Summe:", 3]]))
    assert len(rows) == 4
    assert said == [
        "book.xlsx: the last row looks like a sum or mean (Summe:). Make a study leaves it out"
        " unless you keep it; everything else reads it as a row like any other."
    ]


def with_entities(content: bytes, part: str, element: bytes) -> io.BytesIO:
    """A workbook in which a part declares an entity."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            given = old.read(name)
            if name == part:
                assert element in given
                given = given.replace(element, b"<!DOCTYPE x [<!ENTITY a 'b'>]>" + element, 1)
            new.writestr(name, given)
    return made


def test_a_sheet_that_declares_entities_is_read_without_its_xml() -> None:
    content = workbook(one=[["item", "b"], ["a", "c"]])
    made = with_entities(content, "xl/styles.xml", b"<styleSheet")
    assert read_sheet_details_beside_cells(made, "one") == SheetXml(unread=[HIDDEN_OR_EMPTY])
    rows, said = read(made.getvalue())
    assert rows == [["item", "b"], ["a", "c"]]
    assert said == [
        "book.xlsx: hidden rows and columns and formulas without a result could not be looked for:"
        " that part of the file is damaged or has something in it that MedLens refuses. Look in a"
        " spreadsheet program whether there are any."
    ]


def test_comments_that_cannot_be_read_are_told_and_keep_nothing_else_from_being_told() -> None:
    def write(_: xlsxwriter.Workbook, sheet: Any) -> None:
        fill(sheet, [["item", "answer"], ["a", "Rest."], ["b", "Rest again."]])
        sheet.write_comment("B2", "too late")
        sheet.set_row(2, None, None, {"hidden": True})

    said = "\n".join(
        read(with_entities(written(write), "xl/comments1.xml", b"<comments").getvalue())[1]
    )
    assert "1 row is hidden in the sheet" in said
    assert "comments on cells could not be looked for" in said
    assert "too late" not in said


def test_what_the_xml_of_a_sheet_tells_is_read_without_moving_the_file() -> None:
    source = io.BytesIO(workbook(one=[["item", "b"], ["a", "c"]]))
    source.seek(5)
    assert read_sheet_details_beside_cells(source, "one") == SheetXml()
    assert read_sheet_details_beside_cells(source, "two") is None
    assert source.tell() == 5
    assert read_sheet_details_beside_cells(io.BytesIO(b"no zip"), "one") is None


def test_a_sign_that_two_blocks_share_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(_: xlsxwriter.Workbook, sheet: Any) -> None:
        fill(sheet, [["item", "sum"], ["a", None]])
        sheet.write_formula(1, 1, "=1+1", None, "")

    source = io.BytesIO(written(write))
    for block in range(1, 9):
        monkeypatch.setattr(workbook_hidden_cells_and_formats, "_BLOCK", block)
        told = read_sheet_details_beside_cells(source, "Answers")
        assert told is not None
        assert told.unstored == [(1, 1)]


@pytest.mark.parametrize("at", [6, 8, 10])
def test_a_sheet_packed_in_a_way_that_python_lacks_or_damaged_is_read_without_its_xml(
    at: int,
) -> None:
    content = bytearray(workbook(one=[["item", "b"], ["a", "c"]]))
    # The flags, the way of packing, or the beginning of the packed data of every part.
    for sign, shift in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
        begin = content.find(sign)
        while begin >= 0:
            if at == 6:
                content[begin + 6 + shift] |= 1
            elif at == 8:
                content[begin + 8 + shift] = 99
            elif not shift:
                name, extra = content[begin + 26], content[begin + 28]
                content[begin + 30 + name + extra] = 0xFF
            begin = content.find(sign, begin + 4)
    told = read_sheet_details_beside_cells(io.BytesIO(content), "one")
    assert told == SheetXml(unread=[HIDDEN_OR_EMPTY, ON_CELLS])


def with_comments(threads: str = "") -> bytes:
    """A sheet with comments on a heading and two cells; ``threads`` is the XML of threads."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Answers")
        sheet.write_row(0, 0, ["item", "answer"])
        sheet.write_row(1, 0, ["a", "Rest."])
        sheet.write_row(2, 0, ["b", "Rest again."])
        sheet.write_comment("B1", "as exported")
        sheet.write_comment("B3", "[Threaded comment] Your version … Comment: too late")
        sheet.write_comment("A3", "dr x: sure?")
    if not threads:
        return out.getvalue()
    made = io.BytesIO()
    relation = (
        '<Relationship Id="rId9" Type="http://schemas.microsoft.com/office/2017/10/relationships/'
        'threadedComment" Target="../threadedComments/threadedComment1.xml"/></Relationships>'
    )
    with zipfile.ZipFile(out) as given, zipfile.ZipFile(made, "w") as book:
        for name in given.namelist():
            content = given.read(name)
            if name.endswith("sheet1.xml.rels"):
                content = content.replace(b"</Relationships>", relation.encode())
            book.writestr(name, content)
        book.writestr("xl/threadedComments/threadedComment1.xml", threads)
    return made.getvalue()


def items_of(content: bytes) -> tuple[list[list[str]], list[str]]:
    out = io.BytesIO()
    sheet = write_sheet_as_csv_and_return_notes(
        io.BytesIO(content), out, name="book.xlsx", of_items=True
    )
    return list(csv.reader(io.StringIO(out.getvalue().decode("utf-8"), newline=""))), sheet.notes


def test_comments_on_cells_are_told_and_kept_in_a_column_of_a_study() -> None:
    rows, told = items_of(with_comments())
    assert rows[0] == ["item", "answer", "comments"]
    assert rows[1] == ["a", "Rest.", ""]
    assert rows[2][2].startswith("item: dr x: sure?\nanswer: [Threaded comment]")
    assert told == [
        "book.xlsx: 3 cells have comments (first: B1, as exported). Those on the table's rows are"
        " in the column 'comments' now, which reviewers do not see at first; 1 on other cells is"
        " not read."
    ]
    shown = list_guessed_roles_of_columns(
        [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    )
    assert {one.name: one.role for one in shown}["comments"] in ("group", "hidden")


def test_comments_in_threads_are_their_words_with_the_replies() -> None:
    threads = (
        '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/'
        'threadedcomments"><threadedComment ref="B3" id="{1}"><text>too late</text>'
        '</threadedComment><threadedComment ref="B3" parentId="{1}" id="{2}"><text>no</text>'
        "</threadedComment></ThreadedComments>"
    )
    rows, _ = items_of(with_comments(threads))
    assert rows[2][2] == "item: dr x: sure?\nanswer: too late\nno"


def test_comments_of_any_other_table_are_told_and_not_read() -> None:
    rows, told = read(with_comments())
    assert rows[0] == ["item", "answer"]
    assert told == [
        "book.xlsx: 3 cells have comments (first: B1, as exported), which are not read. Write what"
        " matters into a column."
    ]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('<row r="2" hidden="1"><c r="A2"><v>1</v></c></row>', "1 row is hidden"),
        ('<row r="2"><c r="A2"><f>A1</f></c></row>', "1 formula has"),
        ('<row r="2"><c r="A2" t="e"><v>#N/A</v></c></row>', "1 cell has an error"),
        ("<row r='2'><c r='A2' t='e'><v>#N/A</v></c></row>", "1 cell has an error"),
    ],
)
def test_what_a_sheet_hides_is_found_across_the_blocks_in_which_it_is_read(
    monkeypatch: pytest.MonkeyPatch, written: str, told: str
) -> None:
    out = io.BytesIO()
    plain = io.BytesIO(workbook(one=[["n"], [1]]))
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("sheet1.xml"):
                rows = f"</row>{written}</sheetData>".encode()
                content = re.sub(rb"</row><row r=\"2\".*</sheetData>", rows, content)
                assert rows in content
            new.writestr(name, content)
    for size in range(1, 9):
        monkeypatch.setattr(workbook_hidden_cells_and_formats, "_LARGE_BLOCK", size)
        assert told in " ".join(read(out.getvalue())[1]), size


# -- sheets of models ------------------------------------------------------------------------------

ASKED = ["Nr", "Question", "Answer"]


def answers_of(model: str, ids: Sequence[Any] = (1, 2, 3)) -> list[list[Any]]:
    return [ASKED, *([at, f"What of case {at}?", f"{model} thinks {at}."] for at in ids)]


def joined(**sheets: Sequence[Sequence[Any]]) -> tuple[list[list[str]], list[str]]:
    out = io.BytesIO()
    read = write_sheet_as_csv_and_return_notes(
        io.BytesIO(workbook(**sheets)),
        out,
        name="book.xlsx",
        of_items=True,
        is_model=lambda name: name in ("GPT-4o", "Claude"),
    )
    rows = csv.reader(io.StringIO(out.getvalue().decode("utf-8"), newline=""))
    return [row for row in rows if any(row)], read.notes


@pytest.mark.parametrize(
    "names",
    [
        ("GPT-4o", "Claude", "Geitje 7B"),
        ("Geitje 7B", "GPT-4o", "Claude"),
        ("GPT-4o", "Geitje 7B"),
        ("Geitje 7B", "Aurora", "GPT-4o"),
    ],
)
def test_a_sheet_of_a_model_nobody_knows_is_joined_with_those_of_known_ones(
    names: Sequence[str],
) -> None:
    rows, notes = joined(**{name: answers_of(name) for name in names})
    assert rows[0] == [*ASKED, "model"]
    assert [row[3] for row in rows[1:]] == [name for name in names for _ in range(3)]
    assert all(row[2].startswith(row[3]) for row in rows[1:])
    assert [note for note in notes if "not." in note] == []


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("Instructions for all", [["Please", "read"], ["a", "b"]]),
        ("Reference", answers_of("The guideline")),
        ("Example", answers_of("Nobody")),
        ("Other cases", answers_of("Nobody", (7, 8, 9))),
        ("A copy of it", answers_of("GPT-4o")),
    ],
)
def test_a_sheet_beside_those_of_models_that_is_not_read_is_told_by_its_name(
    name: str, rows: list[list[Any]]
) -> None:
    models = {one: answers_of(one) for one in ("GPT-4o", "Claude")}
    made, notes = joined(**{**models, name: rows})
    assert {row[3] for row in made[1:]} == {"GPT-4o", "Claude"}
    assert f"book.xlsx: these sheets were read; '{name}' was not." in notes


def test_a_sheet_with_other_questions_under_the_same_numbers_is_of_no_model() -> None:
    other = [ASKED, *([at, f"What of eye {at}?", f"Look at eye {at}."] for at in (1, 2, 3))]
    made, notes = joined(Claude=answers_of("Claude"), Eyes=other)
    assert made[0] == ASKED
    assert "book.xlsx: the sheet 'Claude' was read; 'Eyes' was not." in notes


def test_sheets_of_models_may_have_their_columns_in_another_order() -> None:
    turned = [[row[2], row[0], row[1]] for row in answers_of("Claude")]
    turned[0] = ["answer ", "NR", "Question"]
    rows, _ = joined(**{"GPT-4o": answers_of("GPT-4o"), "Claude": turned})
    assert rows[4:] == [
        [str(at), f"What of case {at}?", f"Claude thinks {at}.", "Claude"] for at in (1, 2, 3)
    ]


def test_sheets_of_models_that_cannot_be_joined_say_what_would_join_them() -> None:
    other = [["Nr", "Question", "Reply"], *answers_of("Claude")[1:]]
    rows, notes = joined(**{"GPT-4o": answers_of("GPT-4o"), "Claude": other})
    assert rows == [[str(cell) for cell in row] for row in answers_of("GPT-4o")]
    assert any("to compare the models" in note for note in notes)


def test_ids_of_each_sheet_of_a_model_keep_the_zeros_that_it_shows() -> None:
    made, out = io.BytesIO(), io.BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as book:
        shape = book.add_format({"num_format": "000"})
        for name in ("GPT-4o", "Claude"):
            sheet = book.add_worksheet(name)
            for at, row in enumerate(answers_of(name)):
                sheet.write(at, 0, row[0], shape if at else None)
                sheet.write_row(at, 1, row[1:])
            sheet.set_row(2, None, None, {"hidden": True})
    made.seek(0)
    read = write_sheet_as_csv_and_return_notes(
        made, out, name="b.xlsx", of_items=True, is_model=lambda name: name in ("GPT-4o", "Claude")
    )
    rows = [*csv.reader(io.StringIO(out.getvalue().decode()))]
    assert [row[0] for row in rows[1:]] == ["001", "002", "003"] * 2
    hidden = [note for note in read.notes if "hidden in the sheet" in note]
    assert len(hidden) == 2
    assert "sheet 'Claude'" in hidden[0] + hidden[1]


PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def test_pictures_that_lie_on_a_sheet_are_told_with_their_column() -> None:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet("one")
        for at, row in enumerate(
            (["Fall", "Bild", "Befund"], ["1", "", "rot"], ["2", "", "blass"])
        ):
            sheet.write_row(at, 0, row)
        for row in (1, 2):
            sheet.insert_image(row, 1, "p.png", {"image_data": io.BytesIO(PIXEL)})
        other = book.add_worksheet("two")
        other.insert_image(0, 0, "p.png", {"image_data": io.BytesIO(PIXEL)})
    _, notes = read(out.getvalue())
    (told,) = (note for note in notes if "picture" in note)
    assert told.startswith(
        "book.xlsx: 2 pictures lie on the sheet (first: B2, in column B, “Bild”), and are not read."
    )


def test_a_chart_on_a_sheet_is_no_picture() -> None:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet("one")
        for at, row in enumerate((["a", "b"], [1, 2], [3, 4])):
            sheet.write_row(at, 0, row)
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": "=one!$A$2:$A$3"})
        sheet.insert_chart("D2", chart)
    assert not [note for note in read(out.getvalue())[1] if "picture" in note]


def test_the_row_of_totals_of_a_table_in_excel_is_left_out_and_told() -> None:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet("one")
        columns = [
            {"header": "Fall", "total_string": "Ergebnis"},
            {"header": "ChatGPT"},
            {"header": "Note", "total_function": "count"},
        ]
        data = [["1", "rot", 3], ["2", "blass", 4]]
        sheet.add_table("A1:C4", {"data": data, "columns": columns, "total_row": True})
    rows, notes = read(out.getvalue())
    assert [row for row in rows if row] == [
        ["Fall", "ChatGPT", "Note"],
        *([str(cell) for cell in row] for row in data),
    ]
    (told,) = (note for note in notes if "totals" in note)
    assert told.startswith("book.xlsx: row 4 is the row of totals of an Excel table (Ergebnis")
