"""No spreadsheet runs what was written, however it splits; importing brings every text back."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.store import Store, open_store
from medlens.studies.registry import STUDIES
from medlens.studies.task_registry import NESTED
from medlens.tables import (
    iterate_rows_of_table_file,
    neutralise_formulas,
    read_columns_as_arrow_table,
    restore_formulas,
    write_table,
)
from tests.conftest import LayStore

SKIPPED = "".join(map(chr, range(33))) + "\u00a0\u00ad\u200b\u200e\u202e\u2066\ufeff\u3000"
SIGNS = tuple("=+-@＝＋－＠")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
hostile = st.text(alphabet="''" + '\'==+-@;;,,\t\r\n"" \u00a0\ufeff＝ab1|', max_size=14)


def written(frame: pd.DataFrame, **options: object) -> bytes:
    out = io.BytesIO()
    write_table(frame, out, **options)  # type: ignore[arg-type]
    return out.getvalue()


def cells(text: str, separators: str) -> Iterator[str]:
    """The cells of a file as Excel and LibreOffice split it.

    A quotation mark holds where a cell begins with it, up to the next single one; anywhere else it
    is a character like any other.
    """
    cell = re.compile(rf'(?:"((?:[^"]|"")*+)"?)?([^{separators}\r\n]*)(?:[{separators}\r\n]|\Z)')
    for quoted, rest in cell.findall(text):
        yield quoted.replace('""', '"') + rest


def living(data: bytes) -> list[str]:
    """The cells that a spreadsheet would run, for each way in which it may split the file."""
    text = data.decode("utf-8-sig")
    bare = (
        cell.lstrip(SKIPPED)
        for separators in (",", ";", "\t", ",;", ",;\t")
        for cell in cells(text, separators)
    )
    return [cell for cell in bare if cell.startswith(SIGNS) and not NUMBER.fullmatch(cell)]


def test_the_checker_knows_a_living_formula() -> None:
    for text in (
        *("=1", 'a,"b;=1"\r\n', 'a,"b\n=1"', 'a,"b;""=1+1;c"', "a\t@x", 'a,"x\r\n -y"'),
        *("a,=1", '"a",\u200b=1', "x;\uff1dy"),
    ):
        assert living(text.encode()), text
    for text in ("'=1", '"a;=1"', "x\r\n-5\r\n1e3", 'a,"b;\'=1"', 'a,"b, -c"'):
        assert living(text.encode()) == [], text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a;=1", "a;'=1"),
        ("a;=1;b; -2", "a;'=1;b;' -2"),
        ("a\t@x", "a\t'@x"),
        ("a\r\n-1", "a\r\n'-1"),
        ("\n=1", "\n'=1"),
        ("=1;'=2", "'=1;''=2"),
        ('a;"=1', "a;'\"=1"),
    ],
)
def test_what_follows_a_separator_or_line_break_in_a_text_gets_an_apostrophe(
    text: str, safe: str
) -> None:
    assert (neutralise_formulas(text), restore_formulas(safe)) == (safe, text)


@pytest.mark.parametrize(
    "text",
    [
        *("\na", "\tx", "\r\nx", "\n\n1. First", "a, -1", "a,=1", "; a", "a;b=1", '"=1', "\n'tis"),
        *("a;'b'", "p = 0.05; 95% CI 1-2", "low\n\nhigh"),
    ],
)
def test_a_text_of_which_nothing_would_run_is_left_as_it_is(text: str) -> None:
    assert neutralise_formulas(text) == text
    assert restore_formulas(text) == text


@pytest.mark.deep
@settings(max_examples=500, deadline=None, derandomize=True, database=None)
@given(text=st.one_of(hostile, st.text(max_size=12)))
def test_importing_takes_away_exactly_what_exporting_added(text: str) -> None:
    assert restore_formulas(neutralise_formulas(text)) == text
    assert (
        restore_formulas(restore_formulas(neutralise_formulas(neutralise_formulas(text)))) == text
    )


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(rows=st.lists(st.tuples(hostile, hostile, hostile), min_size=1, max_size=4))
def test_no_formula_lives_whatever_a_spreadsheet_splits_at(rows: list[tuple[str, ...]]) -> None:
    frame = pd.DataFrame([("k", *row) for row in rows], columns=["key", "=b", "c;=d", "e\n+f"])
    for bom in (False, True):
        data = written(frame, bom=bom)
        assert living(data) == []
    back = [tuple(row.values.values()) for row in iterate_rows_of_table_file(data, own_export=True)]
    assert back == [("k", *row) for row in rows]
    # As the first cell of a line, where quotation marks hold.
    assert living(written(frame[["c;=d", "=b", "key"]])) == []


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(rows=st.lists(st.tuples(hostile, hostile), min_size=1, max_size=4))
def test_read_as_columns_the_texts_are_the_same(rows: list[tuple[str, ...]]) -> None:
    data = written(pd.DataFrame([("k", *row) for row in rows], columns=["key", "a", "b"]))
    columns = read_columns_as_arrow_table(
        data, {"key": "text", "a": "text", "b": "text"}, required=["key"]
    )
    if columns is not None:
        assert columns.to_pylist() == [
            row.values for row in iterate_rows_of_table_file(data, own_export=True)
        ]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("demo") / "medlens.duckdb"
    store = open_store(
        lay_store(path, work_behind_commands.add_demo_studies_and_return_report_text)
    )
    yield store
    store.close()


# What every study exports has the same columns in all: it is taken from the smallest study.
ALIKE = set.intersection(*(set(declared.exports) for declared in STUDIES.values()))


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("study", "kind"),
    [
        (study, kind)
        for study, declared in STUDIES.items()
        for kind in declared.exports
        if kind not in NESTED and (study == "own" or kind not in ALIKE)
    ],
)
def test_no_formula_lives_in_any_export_of_the_demo(study: str, kind: str, demo: Store) -> None:
    table = work_behind_commands.make_export_table(
        demo, Settings(), kind, viewer=None, study=study
    ).head(40)
    # Every text as a hostile team would have it.
    texts = [column for column in table if pd.api.types.is_string_dtype(table[column])]
    worse = table.assign(**{column: table[column] + '\n"=1;+2\t@3' for column in texts})
    assert living(written(table)) == []
    assert living(written(worse)) == []


def test_pandas_reads_what_was_written_where_nothing_would_run(demo: Store) -> None:
    table = work_behind_commands.make_export_table(
        demo, Settings(), "spans", viewer=None, study="tagging"
    )
    quotes = ["\n" + quote for quote in table["quote"].fillna("")]
    back = pd.read_csv(
        io.BytesIO(written(table.assign(quote=quotes))), dtype=str, keep_default_na=False
    )
    assert list(back["quote"]) == quotes
