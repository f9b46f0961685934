"""Files that would stop the machine, or are something else, are refused in words by the reader."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from medlens.errors import BadFile, BadRow
from medlens.tables import RAW, iterate_rows_of_table_file, read_columns_as_arrow_table
from medlens.tables.parquet_reader import read_parquet_batches
from medlens.tables.read_limits import (
    DEEPEST,
    LONGEST,
    LONGEST_PAGE,
    MOST_COLUMNS,
    parse_json_value,
)
from medlens.tables.row_reader import Row

KINDS = {"item": "text", "response": "text", "urls": "list", "n": "whole"}
GOOD = b'{"item":"a","response":"x"}\n'


def both(
    data: bytes, name: str = "some.jsonl", pages: frozenset[str] = frozenset()
) -> tuple[list[dict[str, object]], list[BadRow]]:
    """The rows and the refusals that reading by row gives; as columns the file must not crash."""
    read_columns_as_arrow_table(data, KINDS, name=name, required=["item", "response"], pages=pages)
    refused: list[BadRow] = []

    def refuse(row: Row, problem: BadRow) -> None:
        refused.append(problem)

    rows = [
        row.values
        for row in iterate_rows_of_table_file(
            data, name=name, required=["item", "response"], pages=pages, refuse=refuse
        )
    ]
    return rows, refused


@pytest.mark.parametrize("value", [b"null", b"  null", b"1", b'"x"', b"true", b"{}null"])
@pytest.mark.parametrize("after", [b"", GOOD])
def test_a_line_that_is_no_object_is_refused_wherever_it_stands(value: bytes, after: bytes) -> None:
    rows, refused = both(value + b"\n" + after)
    assert (len(rows), [one.line for one in refused]) == (len(after) > 0, [1])
    rows, refused = both(GOOD + value + b"\n" + after)
    assert (len(rows), [one.line for one in refused]) == (1 + (len(after) > 0), [2])


def test_columns_are_not_read_of_a_line_that_is_no_object() -> None:
    assert read_columns_as_arrow_table(GOOD, KINDS, name="a.jsonl", required=["item"]) is not None
    for data in (GOOD + b"null\n", GOOD + b"{}null\n", GOOD.strip() + GOOD, GOOD + b"\rnull\n"):
        assert read_columns_as_arrow_table(data, KINDS, name="a.jsonl", required=["item"]) is None


@pytest.mark.parametrize("field", ["item", "urls", "n", "other"])
@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"a":', "}")])
def test_values_nested_ten_thousand_levels_deep_are_refused(
    field: str, begin: str, end: str
) -> None:
    deep = begin * 10_000 + "1" + end * 10_000
    line = json.dumps({"item": "a", "response": "x"})[:-1] + f', "{field}x": {deep}}}'
    rows, refused = both(line.replace(f"{field}x", field).encode() + b"\n" + GOOD)
    assert len(rows) == 1
    assert refused[0].line == 1
    assert f"nested more than {DEEPEST} levels deep" in refused[0].got or "twice" in refused[0].got


def test_a_json_array_with_a_deep_value_is_refused_with_its_line() -> None:
    deep = "[" * 10_000 + "]" * 10_000
    with pytest.raises(BadFile, match=r"line 2: invalid JSON \(values nested more than 100"):
        both(f'[{{"item": 1, "response": 2}},\n{{"item": {deep}}}]'.encode(), "a.json")


def test_what_json_is_in_a_cell_is_bounded_too() -> None:
    most = "[" * DEEPEST + "]" * DEEPEST
    assert parse_json_value(most) is not None
    for text in (f"[{most}]", "[" * 100_000 + "]" * 100_000, '{"a":' * 3000 + "1" + "}" * 3000):
        with pytest.raises(ValueError, match="levels deep"):
            parse_json_value(text)
    # Brackets in a text are none.
    assert parse_json_value(json.dumps(["[" * 5000])) == ["[" * 5000]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'item,response\na,"%s"\nb,c\n', "a.csv"),
        (b'{"item":"a","response":"%s"}\n{"item":"b","response":"c"}\n', "a.jsonl"),
        (b'{"item":"a","response":"x","urls":["%s"]}\n{"item":"b","response":"c"}\n', "a.jsonl"),
    ],
)
def test_a_cell_of_a_hundred_thousand_characters_is_refused_with_line_and_column(
    data: bytes, name: str
) -> None:
    rows, refused = both(data % (b"x" * LONGEST), name)
    assert (len(rows), refused) == (2, [])
    rows, refused = both(data % (b"x" * 100_000), name)
    assert len(rows) == 1
    begin = 2 if name == "a.csv" else 1
    assert (refused[0].line, refused[0].got) == (begin, "100,000 characters")
    assert refused[0].column in ("response", "urls")
    assert refused[0].expected == "at most 99,999 characters"
    wanted: dict[str, object] = {"name": name, "required": ["item", "response"]}
    assert read_columns_as_arrow_table(data % (b"x" * LONGEST), KINDS, **wanted) is not None
    assert read_columns_as_arrow_table(data % (b"x" * 100_000), KINDS, **wanted) is None
    whole = frozenset({"response", "urls"})
    assert len(both(data % (b"x" * LONGEST_PAGE), name, whole)[0]) == 2
    _, refused = both(data % (b"x" * (LONGEST_PAGE + 1)), name, whole)
    assert refused[0].expected == "at most 5,000,000 characters"


def test_columns_without_end_are_refused() -> None:
    header = ",".join(["item", "response", *(f"c{n}" for n in range(MOST_COLUMNS))])
    with pytest.raises(BadFile, match="there are 2,002 columns"):
        both(f"{header}\n".encode(), "a.csv")
    # Another field in each line would be as many columns as lines, each as long as the file.
    many = b"".join(b'{"item":"a","response":"x","c%d":1}\n' % n for n in range(MOST_COLUMNS + 1))
    assert read_columns_as_arrow_table(many, KINDS, name="a.jsonl", required=["item"]) is None
    assert len(both(many)[0]) == MOST_COLUMNS + 1


def parquet(table: pa.Table, **how: object) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out, **how)
    return out.getvalue()


@pytest.mark.deep
def test_a_small_parquet_that_unpacks_to_gigabytes_is_refused() -> None:
    texts = pa.DictionaryArray.from_arrays(
        pa.array([0, 1] * 1000, pa.int32()), pa.array(["x" * 1_000_000, "y" * 1_000_000])
    )
    data = parquet(
        pa.table({"item": ["a"] * 2000, "response": texts}), dictionary_pagesize_limit=1 << 24
    )
    assert len(data) < 200_000
    before = pa.total_allocated_bytes()
    with pytest.raises(BadFile, match=r"some.parquet holds more than 1\.1 GB once unpacked"):
        both(data, "some.parquet")
    assert pa.default_memory_pool().max_memory() - before < 200_000_000


@pytest.mark.deep
@pytest.mark.parametrize("dictionary", [True, False])
def test_a_parquet_of_one_large_row_group_is_read_a_few_rows_at_a_time(dictionary: bool) -> None:
    texts = [f"{n} " + "word " * 400 for n in range(40_000)]
    table = pa.table({"item": [str(n) for n in range(40_000)], "response": texts})
    data = parquet(table, row_group_size=40_000, use_dictionary=dictionary)
    before = pa.total_allocated_bytes()
    most, seen = 0, 0
    for batch in read_parquet_batches(io.BytesIO(data), "some.parquet"):
        seen += len(batch)
        most = max(most, pa.total_allocated_bytes() - before)
    assert seen == 40_000
    assert most < table.nbytes / 2


@pytest.mark.deep
def test_a_small_parquet_of_very_many_rows_is_refused() -> None:
    data = parquet(pa.table({"item": pa.nulls(10_000_001, pa.string())}))
    with pytest.raises(BadFile, match="holds 10,000,001 rows"):
        both(data, "some.parquet")
    lists = pa.ListArray.from_arrays([0, 10_000_001], pa.nulls(10_000_001, pa.int32()))
    with pytest.raises(BadFile, match="holds 10,000,001 rows"):
        both(parquet(pa.table({"item": lists})), "some.parquet")


def test_parquet_gives_the_same_rows_however_it_was_packed() -> None:
    table = pa.table(
        {
            "item": pa.array(["a", "b", None, "ä"]),
            "response": pa.array(["x", "x", "y", ""]),
            "urls": pa.array([["u", "v"], None, [], ["u"]]),
            "n": pa.array([1, None, 3, 4]),
            "more": pa.array([{"k": "q"}, None, {"k": None}, {"k": "ü"}]),
        }
    )
    wanted = table.to_pylist()
    many = pa.table(
        {"item": ["a"] * 9, "urls": [[f"{n}{i}" * 99_999 for n in range(9)] for i in range(9)]}
    )
    packed = parquet(many, dictionary_pagesize_limit=1 << 20)
    assert [
        row.values for row in iterate_rows_of_table_file(packed, required=["item"])
    ] == many.to_pylist()
    for how in ({}, {"use_dictionary": False}, {"compression": "zstd", "row_group_size": 2}):
        data = parquet(table, **how)
        assert [row.values for row in iterate_rows_of_table_file(data, required=["item"])] == wanted
        columns = read_columns_as_arrow_table(data, KINDS, required=["item"])
        assert columns is not None
        assert columns["urls"].to_pylist() == [["u", "v"], None, [], ["u"]]
        assert columns["item"].to_pylist() == ["a", "b", "", "ä"]


@pytest.mark.deep
def test_a_damaged_parquet_is_read_or_refused_and_nothing_else() -> None:
    whole = parquet(
        pa.table({"item": ["a", "b"] * 50, "response": ["x", "ä"] * 50, "urls": [["u"]] * 100})
    )
    for seed in range(150):
        drawn, data = random.Random(seed), bytearray(whole)
        for _ in range(drawn.randint(1, 8)):
            data[drawn.randrange(4, len(data))] = drawn.randrange(256)
        if seed % 5 == 0:
            data = data[: drawn.randrange(4, len(data))]
        with contextlib.suppress(BadFile):
            both(bytes(data), "some.parquet")


def _sqlite(path: Path) -> None:
    with sqlite3.connect(path) as made:
        made.execute("create table a (b)")


def _duckdb(path: Path) -> None:
    duckdb.connect(str(path)).close()


def _zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("items.csv", "item,response\na,b\n")


def _workbook(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("[Content_Types].xml", "<Types/>")
        made.writestr("xl/workbook.xml", "<workbook/>")


def _tar(path: Path) -> None:
    with tarfile.open(path, "w") as made:
        made.addfile(tarfile.TarInfo("items.csv"))


def _gzip(path: Path) -> None:
    path.write_bytes(gzip.compress(b"item,response\n"))


def _pdf(path: Path) -> None:
    path.write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n")


def _page(path: Path) -> None:
    path.write_bytes(b"\n<!DOCTYPE html><html><body>Sign in</body></html>")


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (_sqlite, "a SQLite database"),
        (_duckdb, "a DuckDB database"),
        (_zip, "a zip archive"),
        (_workbook, "an Excel workbook"),
        (_tar, "a tar archive"),
        (_gzip, "compressed (gzip)"),
        (_pdf, "a PDF"),
        (_page, "a web page"),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_another_kind_of_file_is_called_by_its_name(
    make: object, what: str, ending: str, tmp_path: Path
) -> None:
    path = tmp_path / "made"
    make(path)  # type: ignore[operator]
    with pytest.raises(BadFile) as caught:
        both(path.read_bytes(), f"some.{ending}")
    assert caught.value.message == f"some.{ending} is {what}."
    assert caught.value.hint


def test_a_text_that_speaks_of_ducks_and_tar_is_no_database() -> None:
    rows, _ = both(b"item,xxxDUCK,response\n" + b"a,b," + b"x" * 231 + b"ustar\n", "a.csv")
    assert len(rows) == 1


def test_raw_text_that_was_mended_is_bounded_as_well() -> None:
    deep = "[" * 10_000 + "]" * 10_000
    rows, refused = both(json.dumps({RAW: deep}).encode() + b"\n" + GOOD)
    assert (len(rows), refused[0].line) == (1, 1)


@pytest.mark.parametrize("reads", ["ParquetFile.iter_batches", "ParquetFile.__init__"])
def test_parquet_that_does_not_fit_into_memory_is_not_called_damaged(
    reads: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "some.parquet"
    pq.write_table(pa.table({"item": ["a"]}), file)

    def too_little(*_: object, **__: object) -> None:
        raise pa.ArrowMemoryError("realloc of size 100663296 failed")

    monkeypatch.setattr(f"pyarrow.parquet.{reads}", too_little)
    with pytest.raises(MemoryError):
        list(iterate_rows_of_table_file(file))
