"""Whole files as columns: the same values as row by row, and nothing where a row is at fault."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from medlens.errors import BadFile
from medlens.tables import (
    Column,
    Held,
    column_reader,
    load_parsed_and_refused_rows,
    parquet_reader,
    read_columns_as_arrow_table,
    write_table,
)

COLUMNS = (
    Column("id", "name", "a name", needed=True),
    Column("text", "text", "a text"),
    Column("n", "whole", "a number"),
)
KINDS: dict[str, Held] = {"id": "text", "text": "text", "n": "whole"}


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_columns_hold_what_the_rows_hold(form: str, tmp_path: Path) -> None:
    texts = ["plain", "two\nlines", 'a "quote", a comma', "=1+1", "'=1", "é \U0001f600", ""]
    frame = pd.DataFrame({"id": [f"i{n}" for n in range(7)], "text": texts, "more": 1})
    file = tmp_path / f"f.{form}"
    write_table(frame, file, format=form)  # type: ignore[arg-type]
    table = read_columns_as_arrow_table(file, KINDS, required=("id",))
    assert table is not None
    rows = load_parsed_and_refused_rows(
        file, lambda row: row.values, columns=COLUMNS, own_export=True
    )
    assert table["text"].to_pylist() == texts == [row["text"] or "" for row in rows.records]
    assert "more" not in table.column_names


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_large_table_of_whole_pages_lies_on_disk_and_holds_the_same(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [None, "two\nlines", 'a "quote", a comma', "=1+1", "'=1", "é \U0001f600", "x" * 900]
    frame = pd.DataFrame({"id": [f"i{n}" for n in range(700)], "text": texts * 100})
    file = tmp_path / f"f.{form}"
    write_table(frame, file, format=form)  # type: ignore[arg-type]
    wanted: dict[str, Any] = {"kinds": KINDS, "required": ("id",)}
    whole = read_columns_as_arrow_table(file, **wanted)
    monkeypatch.setattr(column_reader, "_BLOCK", 4_000)
    monkeypatch.setattr(column_reader, "_SHORT_BLOCK", 2_000)
    monkeypatch.setattr(parquet_reader, "_AT_ONCE", 4_000)
    in_memory = read_columns_as_arrow_table(file, **wanted, pages=frozenset({"text"}))
    monkeypatch.setattr(column_reader, "_IN_MEMORY", 10_000)
    held = pa.total_allocated_bytes()
    on_disk = read_columns_as_arrow_table(file, **wanted, pages=frozenset({"text"}))
    assert whole is not None
    assert in_memory is not None
    assert on_disk is not None
    assert pa.total_allocated_bytes() - held < 5_000 < on_disk.nbytes
    assert on_disk["text"].num_chunks > 5
    assert whole.to_pydict() == in_memory.to_pydict() == on_disk.to_pydict()
    assert on_disk.column_names == ["id", "text"]
    assert on_disk["text"][:7].to_pylist() == [text or "" for text in texts]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("f.csv", b'id,text\n1,"never closed\n2,x\n'),
        ("f.csv", b"id,text\n1\n"),
        ("f.csv", b"id,text\n1,\xff\n"),
        ("f.csv", b"id,text\n1,a\0b\n"),
        ("f.csv", b"id,id\n1,2\n"),
        ("f.csv", b"text\nx\n"),
        ("f.csv", b"id;text\n1;x\n"),
        ("f.csv", b"medlens_line,medlens_reason,id\n1,why,x\n"),
        ("f.jsonl", b'{"id": "1"}\n{"id": 2}\n'),
        ("f.jsonl", b'{"id": "1"}\n{"id": "2"\n'),
        ("f.jsonl", b'{"id": "a\\u0000b"}\n'),
        # Another spelling of an optional field, here in the second line alone.
        ("f.jsonl", b'{"id": "1", "text": "x"}\n{"id": "2", " Text": "y"}\n'),
        ("f.json", b'[{"id": "1"}]'),
        ("f.csv", b""),
    ],
)
@pytest.mark.parametrize("pages", [frozenset(), frozenset({"text"})], ids=["whole", "in parts"])
def test_a_file_with_anything_amiss_is_left_to_the_reader_of_rows(
    name: str, content: bytes, pages: frozenset[str]
) -> None:
    stream = io.BytesIO(content)
    assert (
        read_columns_as_arrow_table(stream, KINDS, name=name, required=("id",), pages=pages) is None
    )
    # It is read again from its beginning.
    assert stream.tell() == 0


def _not_utf8(form: str) -> bytes:
    if form == "jsonl":
        return b'{"id": "1"}\n{"id": "2", "text": "a\x80"}\n'
    texts = pa.array([b"1", b"a\x80"]).view(pa.string())
    out = io.BytesIO()
    pq.write_table(pa.table({"id": texts}), out)
    return out.getvalue()


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_texts_that_are_not_utf8_are_refused_in_words(form: str) -> None:
    data, name = _not_utf8(form), f"f.{form}"
    # Arrow takes these bytes for a text, which then nobody can read.
    assert read_columns_as_arrow_table(data, KINDS, name=name, required=("id",)) is None
    with pytest.raises(BadFile, match="0x80"):
        load_parsed_and_refused_rows(data, lambda row: row.values, name=name, columns=COLUMNS)


def test_columns_are_found_whatever_their_case_and_order() -> None:
    table = read_columns_as_arrow_table(b"Text, ID \nx,1\n", KINDS, name="f.csv", required=("id",))
    assert table is not None
    assert table.to_pydict() == {"text": ["x"], "id": ["1"]}
