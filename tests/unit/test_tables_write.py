"""Writing: harmless and reversible cells, whole files, the same bytes every time."""

from __future__ import annotations

import io
import json
import random
import uuid
import zipfile
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from medlens.errors import InvalidInput
from medlens.tables import neutralise_formulas, restore_formulas, write_table


def written(frame: pd.DataFrame, **options: object) -> bytes:
    out = io.BytesIO()
    write_table(frame, out, **options)  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        *("=1+1", "+1", "-1", "@SUM(A1)", " =1", "\u00a0=1", "\ufeff=1"),
        *("\u200b=1", "＝1", "'=1", "''-1", "\x00=1"),
    ],
)
def test_a_text_that_a_spreadsheet_might_run_gets_one_apostrophe(text: str) -> None:
    assert neutralise_formulas(text) == "'" + text


@pytest.mark.parametrize("text", ["", "a=1", "'", "'quoted'", "1-2", "é", "  a", "(=1)"])
def test_other_texts_are_left_as_they_are(text: str) -> None:
    assert neutralise_formulas(text) == text
    assert restore_formulas(text) == text


def test_neutralising_is_undone_exactly_for_random_texts() -> None:
    rng = random.Random(7)
    alphabet = "'''==+-@\t\r\n \u00a0\ufeff＝ab1"
    changed = 0
    for _ in range(20_000):
        text = "".join(rng.choices(alphabet, k=rng.randrange(8)))
        safe = neutralise_formulas(text)
        assert restore_formulas(safe) == text
        assert safe.lstrip(" \u00a0\ufeff\t\r\n")[:1] not in set("=+-@＝")
        changed += safe != text
    assert 5_000 < changed < 19_000  # both kinds were tried


def test_numbers_stay_numbers_and_texts_and_headers_are_neutralised() -> None:
    frame = pd.DataFrame({"=n": [-5, 7], "text": ["-5", "a,b"], "x": [-1.5, np.nan]})
    assert written(frame) == b"'=n,text,x\r\n-5,'-5,-1.5\r\n7,\"a,b\",\r\n"


def test_times_are_written_in_utc_and_missing_values_are_empty() -> None:
    east = timezone(timedelta(hours=2))
    frame = pd.DataFrame(
        {
            "at": pd.Series(
                [datetime(2026, 1, 2, 3, tzinfo=east), datetime(2026, 1, 2, 3), None],
                dtype=object,
            ),
            "ok": pd.Series([True, False, None], dtype=object),
        }
    )
    # 03:00 at +02:00 is 01:00 UTC; a time without a zone is taken for UTC.
    assert written(frame).decode().splitlines() == [
        "at,ok",
        "2026-01-02T01:00:00.000000Z,True",
        "2026-01-02T03:00:00.000000Z,False",
        ",",
    ]


def test_nested_values_are_refused_in_csv_and_carried_as_they_are_in_json() -> None:
    frame = pd.DataFrame({"id": ["a"], "spans": [[{"start": 1, "labels": ("x", "y")}]]})
    with pytest.raises(InvalidInput, match="'spans' holds lists"):
        written(frame)
    nested = [{"start": 1, "labels": ["x", "y"]}]
    assert json.loads(written(frame, format="jsonl")) == {"id": "a", "spans": nested}


def test_parquet_keeps_times_in_utc_and_uuids_as_text() -> None:
    one = uuid.UUID(int=1)
    at = pd.Timestamp("2026-01-02 03:00", tz="Europe/Berlin")
    frame = pd.DataFrame({"id": [one], "at": [at]})
    back = pd.read_parquet(io.BytesIO(written(frame, format="parquet")))
    assert back["id"][0] == str(one)
    assert back["at"][0] == datetime(2026, 1, 2, 2, tzinfo=UTC)
    with pytest.raises(InvalidInput, match="'x' holds values of different kinds"):
        written(pd.DataFrame({"x": [1, "a"]}, dtype=object), format="parquet")


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "xlsx"])
def test_the_same_frame_gives_the_same_bytes(format: str) -> None:
    frame = pd.DataFrame({"a": ["x", "é"], "b": [1.5, 2], "c": [True, False]})
    assert written(frame, format=format) == written(frame.copy(), format=format)


def test_a_byte_order_mark_is_written_on_demand_and_for_csv_only() -> None:
    frame = pd.DataFrame({"a": [1]})
    assert written(frame, bom=True) == b"\xef\xbb\xbfa\r\n1\r\n"
    with pytest.raises(InvalidInput, match="byte-order mark"):
        written(frame, bom=True, format="jsonl")


def test_a_file_stays_as_it_was_if_a_value_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    write_table(pd.DataFrame({"a": [1]}), path)
    with pytest.raises(InvalidInput):
        write_table(pd.DataFrame({"a": [[1]]}), path)
    assert path.read_bytes() == b"a\r\n1\r\n"


@pytest.mark.parametrize("value", [float("inf"), object(), "\ud800"])
def test_a_value_that_no_file_can_hold_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput):
        written(pd.DataFrame({"a": [value]}, dtype=object))


def test_a_table_with_a_doubled_column_is_refused() -> None:
    with pytest.raises(InvalidInput, match="same name"):
        written(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def sheet_of(data: bytes) -> tuple[list[list[str | None]], str]:
    """The cells of a workbook as texts, row by row, and the XML of its sheet."""
    space = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        xml = book.read("xl/worksheets/sheet1.xml").decode()
        shared = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
    texts = ["".join(t.text or "" for t in one.iter(f"{{{space['m']}}}t")) for one in shared]
    rows = []
    for row in ElementTree.fromstring(xml).iterfind(".//m:row", space):
        values = [(one.get("t"), one.findtext("m:v", None, space)) for one in row]
        rows.append([texts[int(v or 0)] if kind == "s" else v for kind, v in values])
    return rows, xml


def test_cells_of_excel_are_as_harmless_as_those_of_csv_and_never_formulas_or_links() -> None:
    frame = pd.DataFrame(
        {
            "=n": [-5, 7],
            "text": ["=HYPERLINK(1)", "\u200b+1"],
            "link": ["https://example.org", "{=1}"],
            "big": [2**53 + 1, 1],
        }
    )
    rows, xml = sheet_of(written(frame, format="xlsx"))
    assert rows == [
        ["'=n", "text", "link", "big"],
        ["-5", "'=HYPERLINK(1)", "https://example.org", "9007199254740993"],
        ["7", "'\u200b+1", "{=1}", "1"],
    ]
    assert "<f>" not in xml
    assert "hyperlink" not in xml.casefold().replace("=hyperlink", "")


def test_signs_that_xml_cannot_hold_are_kept_in_excel_as_excel_writes_them() -> None:
    rows, _ = sheet_of(written(pd.DataFrame({"a": ["x\x01y", "_x0041_", "é 😀"]}), format="xlsx"))
    assert rows[1:] == [["x_x0001_y"], ["_x005F_x0041_"], ["é 😀"]]


@pytest.mark.parametrize("text", ["a" * 32_768, "😀" * 16_384, "=" + "a" * 32_767])
def test_a_text_that_no_cell_of_excel_holds_is_said_and_never_cut(text: str) -> None:
    frame = pd.DataFrame({"note": ["fine", text]})
    with pytest.raises(InvalidInput, match=r"Row 2 has 32,76\d characters in 'note'"):
        written(frame, format="xlsx")
    assert written(pd.DataFrame({"note": ["a" * 32_767]}), format="xlsx")


def test_a_table_longer_than_a_sheet_of_excel_is_refused() -> None:
    with pytest.raises(InvalidInput, match="1,048,575 rows"):
        written(pd.DataFrame({"n": np.zeros(1_048_576)}), format="xlsx")
