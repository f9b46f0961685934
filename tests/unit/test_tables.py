"""Reading: what is accepted, what is refused, and how exactly the refusal says where."""

from __future__ import annotations

import gc
import io
import json
import random
import threading
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from medlens.errors import BadFile, BadRow
from medlens.tables import (
    Column,
    Row,
    RowError,
    check_rows_and_list_refused,
    file_kind_and_lines,
    iterate_rows_of_table_file,
    load_parsed_and_refused_rows,
    neutralise_formulas,
    restore_formulas,
    write_table,
)
from medlens.tables.check_rows_and_list_refused import bad_rows_suffix_and_text
from medlens.tables.column_reader import read_columns_as_arrow_table


def values(data: bytes, **options: object) -> list[dict[str, object]]:
    return [row.values for row in iterate_rows_of_table_file(data, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_csv_is_read_with_any_line_end_and_with_or_without_a_byte_order_mark(
    end: str, bom: bytes
) -> None:
    data = bom + end.join(["id,text", "a,é", "b,ß", ""]).encode()
    assert values(data, required=["id"]) == [{"id": "a", "text": "é"}, {"id": "b", "text": "ß"}]


@pytest.mark.parametrize("line", ["sep=;", '"sep=;"', "SEP=;"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_a_line_that_names_the_separator_is_none_of_the_table(line: str, bom: bytes) -> None:
    notes: list[str] = []
    data = bom + f"{line}\r\nid;text\r\na;1,5\r\nb;\r\n".encode()
    rows = list(iterate_rows_of_table_file(data, notes=notes))
    assert [row.values for row in rows] == [{"id": "a", "text": "1,5"}, {"id": "b", "text": ""}]
    assert [row.line for row in rows] == [3, 4]
    assert notes == ["the file: the cells are separated by semicolons."]
    # The way that reads whole columns leaves it to this one.
    assert read_columns_as_arrow_table(data, {"id": "text"}, required=["id"]) is None


def test_the_rows_that_qualtrics_writes_below_its_header_are_left_out_and_told() -> None:
    ids = ",".join(f'"{{""ImportId"":""Q{n}""}}"' for n in range(2))
    data = f'id,Q1\n"Response\nID","Why, then?"\n{ids}\nR_1,ImportId\n'.encode()
    notes: list[str] = []
    rows = list(iterate_rows_of_table_file(data, notes=notes))
    assert [row.values for row in rows] == [{"id": "R_1", "Q1": "ImportId"}]
    assert [row.line for row in rows] == [5]
    assert notes == [
        "the file: the 2 rows below the header, which Qualtrics writes there, are left out."
    ]
    # Answers in which the word stands are none of these.
    answers = b"id,Q1\na,ImportId\nb,{ImportId\n"
    assert len(values(answers)) == 2


def test_a_record_is_known_by_the_line_of_the_file_on_which_it_begins() -> None:
    # Line 1 header, lines 2-4 the first record (its cell holds two line breaks), line 5 blank.
    data = b'id,text\na,"one\ntwo\r\nthree"\n\nb,x\n'
    rows = list(iterate_rows_of_table_file(data))
    assert [(row.line, row.values["id"]) for row in rows] == [(2, "a"), (6, "b")]
    assert rows[0].values["text"] == "one\ntwo\r\nthree"


def test_a_cell_of_a_million_characters_is_read_whole() -> None:
    long = "x" * 1_000_000
    assert values(f'id,text\na,"{long}"\n'.encode())[0]["text"] == long


@pytest.mark.parametrize(("mark", "word"), [(";", "semicolons"), ("\t", "tabs"), ("|", "bars")])
def test_another_separator_is_recognised_and_told(mark: str, word: str) -> None:
    notes: list[str] = []
    data = f"id{mark}text\na{mark}b, c\n".encode()
    assert values(data, required=["id", "text"], notes=notes) == [{"id": "a", "text": "b, c"}]
    assert word in notes[0]


def test_wanted_columns_are_found_whatever_their_order_case_and_spacing() -> None:
    data = b",Text ,extra,ID\n0,hello,9,a\n"
    assert values(data, required=["id", "text"]) == [{"text": "hello", "extra": "9", "id": "a"}]


def test_missing_columns_are_named_beside_those_that_were_found() -> None:
    with pytest.raises(BadFile, match=r"missing columns 'text', 'rater'.*'id', 'name'"):
        values(b"id,name\n1,2\n", required=["id", "text", "rater"])


def test_a_wanted_column_that_is_there_twice_is_refused() -> None:
    with pytest.raises(BadFile, match="'id' is there 2 times"):
        values(b"id,text,id\n1,2,3\n", required=["id"])


def test_of_a_column_that_is_there_twice_and_nothing_asks_for_the_last_is_used_and_told() -> None:
    notes: list[str] = []
    data = b"id,,note,,note\n1,x,a,y,b\n"
    assert values(data, required=["id"], name="f.csv", notes=notes) == [{"id": "1", "note": "b"}]
    assert notes == ["f.csv: the column 'note' is there 2 times; the last is used."]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"id,text\na,b\nc\n", "line 3: expected 2 cells, got '1 cells'"),
        (
            b"id,text\na,b,c\n",
            r"line 2: expected 2 cells \(.*, got '3 cells, the last of them “c”'",
        ),
        (b"id,text\na,b\nc", "line 3: expected 2 cells; the file ends here and may be cut off"),
        (b'id,text\na,b\nc,"d\ne\n', "line 3: expected a closing quotation mark; the file ends"),
        (b'id,text\na,"b"c\n', "line 2: expected a well-formed CSV record"),
        (b"id,text\na,b\0c\n", "line 2, column 'text': expected text without NUL"),
        (b'{"id": 1}\n{"id": 2,}\n', "line 2: expected one JSON object on the line, got '"),
        (b'{"id": 1}\n{"id": ', "line 2: expected one JSON object on the line; the file ends here"),
        (b'{"id": 1}\n[1, 2]\n', "line 2: expected a JSON object"),
        (b'{"id": 1, "id": 2}\n', "line 1: .*the field 'id' twice"),
        (b'{"id": "a\\u0000"}\n', "line 1, column 'id': expected text without NUL"),
        (b'{"id": 1, "t": {"u": ["\\uD83D"]}}\n', "line 1, column 't': .* half a surrogate pair"),
        (b'{"id": 1}\n{"it": 2}\n', "line 2, column 'id': expected a value, got 'these fields: it"),
        (b'{"id": ' + b"[" * 100_000, "values nested more than 100 levels deep"),
    ],
)
def test_a_row_that_is_no_record_is_refused_with_line_and_reason(data: bytes, message: str) -> None:
    with pytest.raises(BadFile, match=message):
        values(data, required=["id"])


def test_half_a_surrogate_pair_is_told_of_in_letters_that_any_page_can_show() -> None:
    with pytest.raises(BadFile, match="these fields") as caught:
        values(b'{"\\ud83d": 1}\n', required=["id"])
    assert caught.value.rows[0].got == "these fields: \\ud83d"


def test_whole_surrogate_pairs_of_json_are_characters_like_any_other() -> None:
    assert values(b'{"id": "\\ud83d\\ude00"}\n', required=["id"]) == [{"id": "\U0001f600"}]


def test_a_nul_in_parquet_is_refused_as_in_other_files(tmp_path: Path) -> None:
    pd.DataFrame({"id": ["a", "b\0"]}).to_parquet(tmp_path / "some.parquet")
    with pytest.raises(BadFile, match="line 2, column 'id': expected text without NUL"):
        values((tmp_path / "some.parquet").read_bytes(), required=["id"])


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("a\0b", "expected text without NUL characters"),
        ("x" * 100_000, "expected at most 99,999 characters"),
    ],
)
@pytest.mark.parametrize("form", ["text", "words", "list", "name"])
def test_a_text_that_no_store_holds_is_refused_in_every_form_of_parquet(
    bad: str, why: str, form: str
) -> None:
    texts = pa.array(["fine", bad])
    made = {
        "text": texts,
        "words": texts.dictionary_encode(),
        "list": pa.array([["fine"], ["fine", bad]]),
        "name": pa.array(["fine", "fine"]),
    }[form]
    out = io.BytesIO()
    pq.write_table(pa.table({"n": [1, 2], bad if form == "name" else "column": made}), out)
    refused: list[BadRow] = []
    options = {"refuse": lambda row, why: refused.append(why), "pages": frozenset[str]()}
    found = values(out.getvalue(), **options)
    assert [str(one).split(", ")[1] for one in refused] == (
        ["line 1", "line 2"] if form == "name" else ["line 2"]
    )
    assert all(why in str(one) for one in refused)
    assert len(found) + len(refused) == 2


def test_invalid_json_is_refused_with_the_character_in_the_line() -> None:
    # {"id": 1, "t" 2}: the colon is missing before the 15th character.
    with pytest.raises(BadFile, match=r"line 2.*at character 15"):
        values(b'{"id": 1, "t": 2}\n{"id": 1, "t" 2}\n')


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n\n", "is empty"),
        ("id\nä\n".encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04....", "is a zip archive"),
        (b"\x1f\x8b....", "compressed"),
        (b'{"id": 1}\r\n{"id": "caf\xe9"}\r\n', r"line 2: byte 22 \(0xE9\) is not UTF-8"),
        (b'[{"id": 1}\n', "line 2: expected ',' or ']'"),
        (b'[{"id": 1},\n {"id" 2}]', "line 2, character 8: invalid JSON"),
        (b'[{"id": 1}] more', "text after the closing"),
        (b"PAR1 not really", "not a readable Parquet file"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_as_a_whole(data: bytes, message: str) -> None:
    with pytest.raises(BadFile, match=message):
        values(data)


@pytest.mark.parametrize("name", ["some.parquet", "some.csv", "some.jsonl", "some"])
def test_bytes_that_are_no_text_are_no_table_whatever_their_name(name: str) -> None:
    for seed in range(20):
        data = random.Random(seed).randbytes(3_000)
        with pytest.raises(BadFile, match="not a table that MedLens can read") as refused:
            list(iterate_rows_of_table_file(data, name=name))
        assert "CSV" in refused.value.hint


def test_a_text_with_a_damaged_byte_in_many_is_still_read_or_refused_by_its_line() -> None:
    text = b"id,text\n" + b"".join(b"%d,a cell with \x01 in it\n" % n for n in range(200))
    assert len(values(text)) == 200


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="is a folder"):
        list(iterate_rows_of_table_file(tmp_path))
    with pytest.raises(BadFile, match=r"nothing\.csv does not exist"):
        list(iterate_rows_of_table_file(tmp_path / "nothing.csv"))


def test_a_json_array_is_read_with_the_lines_of_its_elements() -> None:
    data = b'\n[\n  {"id": 1,\n   "t": "x"},\n  {"id": 2}\n]\n'
    assert [(row.line, row.values["id"]) for row in iterate_rows_of_table_file(data)] == [
        (3, 1),
        (5, 2),
    ]


def test_what_a_file_is_goes_by_its_content_and_the_difference_is_told(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text('{"id": "a"}\n')
    notes: list[str] = []
    assert [row.values for row in iterate_rows_of_table_file(path, notes=notes)] == [{"id": "a"}]
    assert notes == ["items.csv holds JSON lines, not CSV; it was read as such."]


def test_broken_json_in_a_json_file_is_not_taken_for_csv(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('"id": "a"\n')
    with pytest.raises(BadFile, match=r"items\.jsonl, line 1: expected one JSON object"):
        list(iterate_rows_of_table_file(path))


def test_parquet_rows_keep_their_types_and_nested_values() -> None:
    out = io.BytesIO()
    frame = pd.DataFrame({"id": ["a", "b"], "n": [1, 2], "spans": [[{"start": 1}], []]})
    write_table(frame, out, format="parquet")
    rows = list(iterate_rows_of_table_file(out.getvalue(), required=["id"]))
    assert [(row.line, row.values["spans"]) for row in rows] == [(1, [{"start": 1}]), (2, [])]


N = Column("n", "whole", "a number", needed=True)


def number(row: Row) -> int:
    text = str(row.values["n"])
    if not text.isdigit():
        raise RowError("n", "a whole number", text)
    return int(text)


def test_an_import_is_refused_with_every_bad_row_the_first_twenty_of_them_listed() -> None:
    lines = ["n"] + ["1", "x"] * 25
    with pytest.raises(BadFile) as caught:
        load_parsed_and_refused_rows("\n".join(lines).encode(), number, name="n.csv", columns=[N])
    error = caught.value
    assert [row.line for row in error.rows] == list(range(3, 52, 2))  # every second line from 3
    assert str(error.rows[0]) == "n.csv, line 3, column 'n': expected a whole number, got 'x'."
    assert "n.csv: 25 rows are refused" in error.message
    assert "line 41" in error.message
    assert "line 43" not in error.message
    assert "and 5 more" in error.message


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'n,say\n1,a\nx,"=1+1, ""b"""\n2,c\n', "n.csv"),
        (b'{"n": 1}\n{"n": "x", "say": "=1+1"}\n{"n": 2}\n', "n.jsonl"),
    ],
)
def test_skipped_rows_are_written_as_they_stood_and_import_once_mended(
    data: bytes, name: str, tmp_path: Path
) -> None:
    loaded = load_parsed_and_refused_rows(data, number, name=name, columns=[N], skip_bad=True)
    assert loaded.records == (1, 2)
    assert [(bad.line, bad.column) for bad in loaded.bad_row_records_of_refused_rows] == [
        (3 if "csv" in name else 2, "n")
    ]
    ending, text = bad_rows_suffix_and_text(loaded.refused)
    path = tmp_path / f"bad{ending}"
    path.write_text(text)
    assert "expected a whole number, got 'x'" in text
    if path.suffix == ".csv":
        assert "'=1+1" in text  # harmless in a spreadsheet
        path.write_text(text.replace("\nx,", "\n7,").replace(",x,", ",7,"))
    else:
        path.write_text(text.replace('"n": "x"', '"n": 7'))
    mended = list(iterate_rows_of_table_file(path, required=["n"]))
    assert [number(row) for row in mended] == [7]
    assert mended[0].values["say"] in ('=1+1, "b"', "=1+1")


def test_a_refused_line_that_is_not_json_is_mended_in_its_place(tmp_path: Path) -> None:
    loaded = load_parsed_and_refused_rows(
        b'{"n": 1}\n{"n": 2\n', number, columns=[N], skip_bad=True
    )
    _, text = bad_rows_suffix_and_text(loaded.refused)
    path = tmp_path / "bad.jsonl"
    kept = json.loads(text)
    assert kept["medlens_raw"] == '{"n": 2'
    path.write_text(json.dumps({**kept, "medlens_raw": '{"n": 2}'}) + "\n")
    assert [number(row) for row in iterate_rows_of_table_file(path, required=["n"])] == [2]


def test_our_own_exports_are_read_with_their_formulas_restored() -> None:
    out = io.BytesIO()
    frame = pd.DataFrame({"id": ["=1", "'=1", "'plain"], "-x": ["+", "b", "@"]})
    write_table(frame, out)
    rows = iterate_rows_of_table_file(out.getvalue(), own_export=True)
    assert [row.values for row in rows] == frame.to_dict("records")
    assert restore_formulas(neutralise_formulas("=1")) == "=1"


def test_the_collector_rests_while_a_file_is_read_and_then_runs_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(check_rows_and_list_refused, "_PUT_ASIDE", threading.Event())

    def running(_: Row) -> bool:
        return gc.isenabled()

    gc.unfreeze()
    assert load_parsed_and_refused_rows(b"id\na\n", running).records == (False,)
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0  # what was made can still be collected
    gc.freeze()
    load_parsed_and_refused_rows(b"id\na\n", running)
    assert gc.get_freeze_count() > 0  # what was put aside before stays aside
    with monkeypatch.context() as patch:
        patch.setattr(gc, "get_freeze_count", lambda: pytest.fail("all objects are counted again"))
        load_parsed_and_refused_rows(b"id\na\n", running)
    with pytest.raises(BadFile):
        load_parsed_and_refused_rows(b"", running)
    assert gc.isenabled()
    gc.disable()
    try:
        load_parsed_and_refused_rows(b"id\na\n", running)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_lists_of_each_model_are_rows_on_one_line_too(tmp_path: Path) -> None:
    path = tmp_path / "by_model.json"
    rows = [{"qid": at, "answer": f"Answer {at}"} for at in range(3)]
    path.write_text(json.dumps({"gpt-4o": rows, "llama": rows}), encoding="utf-8")
    read = [row.values for row in iterate_rows_of_table_file(path)]
    assert [row["list"] for row in read] == ["gpt-4o"] * 3 + ["llama"] * 3
    path.write_text(json.dumps({"answers": rows, "criteria": rows}), encoding="utf-8")
    assert len([*iterate_rows_of_table_file(path)]) == 1


_UNEVEN = (
    "\ufeffname,text,more\r\n"
    'one,"two\r\nlines, and ""more""",x\n'
    "\n"
    "two,'=1+1,\"'=2\"\r"
    "three,too few\n"
    'four,"closed"too early,x\n'
    "five,ümlaut €,x\n"
    "six,a\0b,x\n"
    "seven,{bytes},x\n"
    'eight,"\n\n\n",x\n'
    "nine,last line,'@x\n"
    'ten,"never closed,x\nand more'
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 40])
def test_rows_are_the_same_however_the_file_falls_into_pieces(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    # The first 200 lines are read before any row is.
    header, text = _UNEVEN.split("\r\n", 1)
    plain = "plain,x,y\n" * 200
    whole, after = f"{header}\r\n{plain}{text}".split("{bytes}")
    data = whole.encode() + "Grün".encode("cp1252") + after.encode()

    def read() -> tuple[list[Row], list[tuple[Row, BadRow]], list[str]]:
        rows: list[Row] = []
        refused: list[tuple[Row, BadRow]] = []
        notes: list[str] = []
        for row in iterate_rows_of_table_file(
            data,
            name="f.csv",
            own_export=True,
            refuse=lambda row, why: refused.append((row, why)),
            notes=notes,
        ):
            rows.append(row)
        return rows, refused, notes

    in_one = read()
    monkeypatch.setattr(file_kind_and_lines, "_FIRST_BLOCK", size)
    monkeypatch.setattr(file_kind_and_lines, "_BLOCK", size)
    assert read() == in_one
    rows, refused, notes = in_one[0][200:], *in_one[1:]
    assert [(row.line - 200, row.values["name"]) for row in rows] == [
        (2, "one"),
        (5, "two"),
        (8, "five"),
        (10, "seven"),
        (11, "eight"),
        (15, "nine"),
    ]
    assert rows[1].values == {"name": "two", "text": "=1+1", "more": "=2"}
    assert [(row.line - 200, row.raw) for row, _ in refused] == [
        (6, ["three", "too few"]),
        (7, 'four,"closed"too early,x\n'),
        (9, ["six", "a\0b", "x"]),
        (16, 'ten,"never closed,x\nand more'),
    ]
    assert [note for note in notes if "Windows-1252" in note]
