"""CSV whose quotation marks inside a text are not doubled."""

from __future__ import annotations

import functools
import io
import time

import pyarrow.csv
import pytest

from medlens.errors import BadRow
from medlens.tables import column_reader
from medlens.tables.column_reader import read_columns_as_arrow_table
from medlens.tables.csv_table_extraction import write_arranged_csv_and_return_layout
from medlens.tables.row_reader import iterate_rows_of_table_file
from medlens.tables.undoubled_quotes import split_line_with_undoubled_quotes


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ('2,"Is it "urgent"?",Yes\n', ["2", 'Is it "urgent"?', "Yes"]),
        ('2,"He said "stop", then left",x', ["2", 'He said "stop", then left', "x"]),
        ('2,"Is it "urgent"",Yes', ["2", 'Is it "urgent"', "Yes"]),
        ('2,"a ""b"" and "c" too",x', ["2", 'a "b" and "c" too', "x"]),
        ('2,"a 5" tube",x', ["2", 'a 5" tube', "x"]),
        ('2,"a 5" tube, long","of 6" wire"', ["2", 'a 5" tube, long', 'of 6" wire']),
        ('2,"Stop" he said,x', ["2", '"Stop" he said', "x"]),
        ('2,He said "a, b" aloud,x', ["2", 'He said "a, b" aloud', "x"]),
        (r'2,"He said \"stop\", then",x', ["2", 'He said "stop", then', "x"]),
    ],
)
def test_a_line_is_read_where_there_is_one_way_to_read_it(line: str, cells: list[str]) -> None:
    assert split_line_with_undoubled_quotes(line, ",", 3) == cells


@pytest.mark.parametrize(
    "line",
    [
        "1,a,b,c",
        'c,"d\n',
        '1,"a",b,"c"',
        # A cell is missing, and two texts are cut in its place.
        '2,"a "b", c"',
        # Which comma separates is not certain.
        '2,"a", "b", "c"',
        '2,It is a "danger", due to,infection "x"',
        '2,"b"c,d',
        '2,a 5" tube, long,x',
    ],
)
def test_a_line_that_may_be_read_otherwise_is_left_as_it_is(line: str) -> None:
    assert split_line_with_undoubled_quotes(line, ",", 3) is None


@pytest.mark.parametrize(
    "line",
    ['x"' + ",a" * 90_000 + '"b"c,', 'x"' + ",a" * 90_000, '5" x' + ',a"' * 150 + ",a" * 90_000],
)
def test_a_line_with_very_many_separators_in_one_text_is_looked_at_at_once(line: str) -> None:
    begun = time.perf_counter()
    assert split_line_with_undoubled_quotes(line, ",", 300) is None
    assert time.perf_counter() - begun < 5


def test_separators_between_two_marks_of_a_text_belong_to_it() -> None:
    line = '1,say "a, b, c" and "d, e" now,x'
    found = split_line_with_undoubled_quotes(line, ",", 3)
    assert found == ["1", 'say "a, b, c" and "d, e" now', "x"]
    assert split_line_with_undoubled_quotes('1,a "b,c"" d, e"f, g', ",", 3) == [
        "1",
        'a "b,c"" d, e"f',
        " g",
    ]


LINES = (
    b"id,question,answer\n"
    b'1,What is "sepsis"?,It is a "danger", due to infection.\n'
    b'2,"Is it "urgent"?",Yes at once.\n'
    b'3,"Is it "late"?",No.\n'
)


def test_what_can_be_read_for_certain_is_read_and_told_and_the_rest_refused_in_words() -> None:
    notes: list[str] = []
    refused: list[BadRow] = []
    rows = iterate_rows_of_table_file(
        LINES, name="q.csv", notes=notes, refuse=lambda row, why: refused.append(why)
    )
    assert [row.values["question"] for row in rows] == ['Is it "urgent"?', 'Is it "late"?']
    assert notes == [
        "q.csv, lines 3 and 4: quotation marks inside a text should be doubled, and are not; it was"
        ' read as it stands, such as “Is it "urgent"?”.'
    ]
    (why,) = map(str, refused)
    assert "line 2: expected 3 cells (quotation marks stand around a text that has a comma" in why
    assert "got '4 cells, the last of them “due to infection.”'" in why


def test_rows_are_told_even_if_only_the_first_of_them_are_read() -> None:
    notes: list[str] = []
    rows = iterate_rows_of_table_file(
        LINES, name="q.csv", notes=notes, refuse=lambda row, why: None
    )
    next(rows)
    assert notes[0].startswith("q.csv, line 3: quotation marks")


def test_the_fast_reader_leaves_such_a_file_to_the_reader_of_rows() -> None:
    data = b'id,text\n1,"Is it "urgent"?"\n'
    assert (
        read_columns_as_arrow_table(data, {"text": "text"}, name="q.csv", required=["text"]) is None
    )
    doubled = b'id,text\n1,"Is it ""urgent""?"\n'
    table = read_columns_as_arrow_table(doubled, {"text": "text"}, name="q.csv", required=["text"])
    assert table is not None
    assert table["text"].to_pylist() == ['Is it "urgent"?']


@pytest.mark.parametrize("behind", range(-2, 4))
def test_such_a_mark_is_found_where_one_block_of_a_file_ends(
    behind: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b'id,text\n1,the 5" needle or the 6"\n2,xx\n'
    options = functools.partial(pyarrow.csv.ReadOptions, 1 << 20)
    monkeypatch.setattr("pyarrow.csv.ReadOptions", lambda **_: options())
    monkeypatch.setattr(column_reader, "_BLOCK", data.index(b'"') + behind)
    given = read_columns_as_arrow_table(data, {"text": "text"}, name="q.csv", required=["text"])
    assert given is None


def arranged(*lines: str) -> tuple[list[str], list[str]]:
    """The lines of a table as it is read, and what is told of it."""
    target = io.BytesIO()
    source = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
    made = write_arranged_csv_and_return_layout(source, target, name="q.csv")
    assert made is not None
    return target.getvalue().decode().splitlines(), made.notes


def test_cells_are_made_of_lines_that_are_in_quotation_marks_as_a_whole() -> None:
    lines, notes = arranged('"id,""text"",answer"', '"1,""What, now"",Rest"', '"2,Why,""It is"""')
    assert lines == ["id,text,answer", '1,"What, now",Rest', "2,Why,It is"]
    said = "q.csv: 3 lines had quotation marks around the whole line, and cells were made of it."
    assert notes == [said]
    lines, notes = arranged("id,text,answer", '"1,""What, now"",Rest"', "2,Why,It is")
    assert lines == ["id,text,answer", '1,"What, now",Rest', "2,Why,It is"]
    assert notes == [said.replace("3 lines", "1 line")]
    lines, notes = arranged('"id;""text"""', '"1;""What; now"""', '"2;Why"')
    assert lines == ["id,text", "1,What; now", "2,Why"]


@pytest.mark.parametrize(
    "lines",
    [
        ("question", '"What helps, really"', '"Is it ok, now"'),
        ('"Question, answered"', '"What helps, really"', '"Is it ok, now"'),
        ("id,text", '"Group ""A"", the rest"', "1,Why"),
    ],
)
def test_a_text_with_a_comma_is_no_line_in_quotation_marks(lines: tuple[str, ...]) -> None:
    assert not any("whole line" in note for note in arranged(*lines)[1])


def test_a_space_before_a_quotation_mark_is_no_part_of_the_text() -> None:
    lines, notes = arranged("id,text,answer", '1, "What, now", "Rest"', '2, "Why", "It is"')
    assert lines == ["id,text,answer", '1,"What, now",Rest', "2,Why,It is"]
    assert notes == [
        "q.csv: spaces stand before the quotation marks around texts; they are left out."
    ]


def test_a_title_is_left_out_of_a_table_with_such_quotation_marks() -> None:
    data = b'Questions of May,,\n,,\nid,question,answer\n1,"Is it "urgent"?",Yes\n2,"Why?",No\n'
    target = io.BytesIO()
    made = write_arranged_csv_and_return_layout(io.BytesIO(data), target, name="q.csv")
    assert made is not None
    assert made.changed
    assert b'"Is it ""urgent""?"' in target.getvalue()
    assert any(note.startswith("q.csv, line 4: quotation marks inside") for note in made.notes)


def test_a_line_full_of_quotation_marks_takes_no_long_time() -> None:
    line = "2," + '"a "b",' * 66 + "x"
    started = time.perf_counter()
    split_line_with_undoubled_quotes(line, ",", 60)
    assert time.perf_counter() - started < 1
