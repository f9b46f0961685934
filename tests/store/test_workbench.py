"""``medlens.open``: the work in a store as a notebook has it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest

import medlens
from medlens import cli, errors
from medlens.app import job_inbox_of_running_app, work_behind_commands
from medlens.app.python_api_tables import COLUMNS, TABLES
from medlens.config.settings import Settings
from medlens.store import Store, open_store
from medlens.studies import registry
from tests.conftest import LayStore

DOCS = Path(__file__).resolve().parents[2] / "docs" / "python.md"
LONG = ("agentclinic", "sourcecheckup", "ebmqa")
OF_A_STUDY = ("items", "judgments", "consensus", "agreement", "figures", "trust")


@pytest.fixture
def demos(store_path: Path, lay_store: LayStore) -> Path:
    return lay_store(store_path, work_behind_commands.add_demo_studies_and_return_report_text)


@pytest.fixture
def tagging(store_path: Path, lay_store: LayStore) -> Path:
    return lay_store(store_path, registry.STUDIES["tagging"].demo)


def serve(path: Path) -> tuple[Store, job_inbox_of_running_app.InboxWatcher]:
    """A process, as it were, that has the store open and does what it is handed."""
    store = open_store(path)
    watched = job_inbox_of_running_app.InboxWatcher(
        store,
        lambda job, at: work_behind_commands.run_inbox_job_and_return_result_as_dict(
            store, Settings(), job, at
        ),
    )
    watched.start_watching_inbox()
    return store, watched


@pytest.fixture
def served(tagging: Path) -> Iterator[Path]:
    store, watched = serve(tagging)
    yield tagging
    watched.finish_job_and_stop_watching()
    store.close()


def exported(path: Path, kind: str, study: str) -> pd.DataFrame:
    store = open_store(path)
    try:
        return work_behind_commands.make_export_table(
            store, Settings(), kind, viewer=None, study=study
        )
    finally:
        store.close()


def test_the_pages_example_goes_from_a_file_to_a_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_near: None
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", DOCS.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2
    for block in blocks:
        exec(block, names)
    safe = names["safe"]
    assert isinstance(safe, pd.DataFrame)
    # Five of the eight answers are yes.
    assert safe["numerator"].tolist() == [5, 3]
    assert safe["denominator"].tolist() == [8, 8]
    assert (tmp_path / "shares.html").stat().st_size > 1_000


def test_every_method_that_gives_a_table_is_in_the_docs() -> None:
    text = DOCS.read_text("utf-8")
    assert [name for name in (*TABLES, "table") if f"| `{name}(" not in text] == []
    assert all(hasattr(medlens.Workbench, name) for name in TABLES)


@pytest.mark.deep
def test_tables_are_those_of_the_exports(tagging: Path) -> None:
    with medlens.open(tagging) as bench:
        for method, kind in (
            ("judgments", "judgments"),
            ("marks", "spans"),
            ("figures", "figures"),
        ):
            table, wanted = getattr(bench, method)("tagging"), exported(tagging, kind, "tagging")
            assert list(table) == list(wanted)
            assert len(table) == len(wanted) > 20
            for name in table:
                pd.testing.assert_series_equal(
                    table[name].isna(), wanted[name].isna(), check_names=False
                )
                held = table[name].dropna().astype(object).tolist()
                assert held == wanted[name].dropna().astype(object).tolist(), name
        assert bench.table("items", "tagging").shape == exported(tagging, "items", "tagging").shape


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "study",
    [
        *("tagging", "own"),
        *(pytest.param(one, marks=pytest.mark.deep) for one in LONG),
    ],
)
def test_every_table_has_its_columns_also_where_nothing_is_in_it(demos: Path, study: str) -> None:
    with medlens.open(demos) as bench:
        for name in OF_A_STUDY:
            table = getattr(bench, name)(study)
            own = [column for column in COLUMNS[name] if column not in table]
            assert own == [], name
            assert (len(table) == 0) == (study == "own" or (name, study) in EMPTY), name


EMPTY = {("trust", "tagging"), ("trust", "ebmqa")}
"""No model has judged in these demos."""


def test_every_column_of_a_table_is_explained(tagging: Path) -> None:
    with medlens.open(tagging) as bench:
        words = bench.dictionary()
        opened = words[words["of"] == "medlens.open"]
        assert opened["meaning"].ne("").all()
        assert set(opened["name"]) == set(TABLES)
        for name in ("studies", "raters", "dictionary"):
            assert list(getattr(bench, name)()) == list(COLUMNS[name])


def test_the_agreement_is_what_the_team_page_shows(tagging: Path) -> None:
    with medlens.open(tagging) as bench:
        whole = bench.agreement("tagging")
        pairs = bench.agreement("tagging", pairs=True)
    assert len(pairs) > len(whole) > 0
    people = pairs[pairs["rater"].fillna("") == ""]
    assert len(people) == len(whole)
    assert set(whole["figure"]) == {"alpha", "fleiss", "ac1", "percent"}
    assert set(pairs["figure"]) - set(whole["figure"]) == {"same", "kappa"}


@pytest.mark.deep
def test_a_fixed_panel_of_the_settings_file_is_what_agreement_and_figures_speak_for(
    tagging: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "medlens.toml"
    config.write_text("[tasks.error_spans]\nfixed_panel = true\n", encoding="utf-8")
    monkeypatch.setenv("MEDLENS_CONFIG", str(config))
    with medlens.open(tagging) as bench:
        agreed, figures = bench.agreement("tagging"), bench.figures("tagging")
    for table in (agreed, figures):
        spoken = set(table["speaks_for"].fillna("")) - {"", "this rater"}
        assert spoken
        assert all(words.endswith(" raters, a fixed panel") for words in spoken)


def test_types_stay_the_same_where_values_are_missing(tagging: Path) -> None:
    with medlens.open(tagging) as bench:
        judged = bench.judgments("tagging", nested=True)
    assert judged["guideline"].isna().any()
    assert str(judged["revision"].dtype) == "Int64"
    assert str(judged["blind"].dtype) == "boolean"
    assert str(judged["judged_at"].dtype) == "datetime64[us, UTC]"
    assert isinstance(judged["value"][0]["spans"], list)


def test_a_store_that_a_server_has_open_is_read_through_the_server(served: Path) -> None:
    with medlens.open(served) as bench:
        assert len(bench.judgments()) == 60
        with pytest.raises(errors.InvalidInput, match=r"no study 'poems'.*There are: tagging"):
            bench.judgments("poems")
    assert list(job_inbox_of_running_app.path_of_inbox_folder(served).iterdir()) == []


@pytest.mark.deep
def test_the_same_tables_come_through_a_server_and_without_one(tagging: Path) -> None:
    with medlens.open(tagging) as bench:
        here = {name: getattr(bench, name)() for name in ("raters", "marks", "consensus")}
        store, watched = serve(tagging)
        try:
            there = {name: getattr(bench, name)() for name in here}
        finally:
            watched.finish_job_and_stop_watching()
            store.close()
        again = {name: getattr(bench, name)() for name in here}
    for name, table in here.items():
        pd.testing.assert_frame_equal(table, there[name])
        pd.testing.assert_frame_equal(table, again[name])


@pytest.mark.deep
def test_a_file_is_imported_and_exported_through_the_server(
    served: Path, tmp_path: Path, read_near: None
) -> None:
    given = tmp_path / "more.csv"
    given.write_text("item,question,response\nx1,Why?,Because\nx2,,\n", encoding="utf-8")
    with medlens.open(served) as bench:
        with pytest.raises(errors.BadFile) as refused:
            bench.import_file("items", given, "more")
        assert refused.value.rows[0].line == 3
        done = bench.import_file("items", given, "more", skip_bad=True)
        assert (done.added, done.refused) == (1, 1)
        assert done.bad_rows is not None
        assert "x2" in done.bad_rows.read_text("utf-8")
        assert str(done.bad_rows) in done.line
        assert bench.items(dataset="more")["item"].tolist() == ["x1"]
        out = bench.export("judgments", tmp_path / "out.csv", dataset="demo")
        assert len(pd.read_csv(out)) == len(bench.judgments(dataset="demo"))
        assert out.stat().st_mode & 0o077 == 0
        with pytest.raises(errors.InvalidInput, match=r"out\.csv"):
            bench.export("judgments", out)


@pytest.mark.deep
def test_a_store_that_another_notebook_lets_go_is_read_without_a_server(tagging: Path) -> None:
    bench = medlens.open(tagging)

    def call_while_held(call: Callable[[], object]) -> object:
        other = open_store(tagging)
        closing = threading.Timer(0.5, other.close)
        closing.start()
        try:
            return call()
        finally:
            closing.join()
            assert not job_inbox_of_running_app.path_of_inbox_folder(tagging).exists()

    assert call_while_held(lambda: len(bench.judgments())) == 60
    # So is a command.
    assert call_while_held(lambda: cli.main(["--store", str(tagging), "round", "list"])) == 0


def test_people_are_numbers_where_asked(tagging: Path) -> None:
    with medlens.open(tagging) as bench:
        names = {*bench.raters()["rater"], *bench.raters()["rater_handle"]}
        for name in ("raters", "judgments", "marks", "agreement"):
            options = {"pairs": True} if name == "agreement" else {}
            cells = getattr(bench, name)(anonymous=True, **options).astype(str).to_numpy().ravel()
            assert not names & set(cells), name
        assert bench.raters(anonymous=True)["rater"].str.match(r"person \d+").all()


@pytest.mark.deep
def test_reading_adds_nothing_to_the_store_and_keeps_files_of_the_process_as_they_are(
    tagging: Path,
) -> None:
    def counted() -> list[tuple[object, ...]]:
        store = open_store(tagging)
        try:
            return [
                store.rows(f"select count(*) from {table}")[0]
                for table in store.column_types_by_table
            ]
        finally:
            store.close()

    before, umask = counted(), os.umask(0o022)
    try:
        with medlens.open(tagging) as bench:
            for name in ("studies", "raters", "judgments", "consensus", "figures"):
                getattr(bench, name)()
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(umask)
    assert counted() == before


def test_nothing_is_made_where_there_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(errors.StoreUnavailable, match=r"There is no store at .*create=True"):
        medlens.open(tmp_path / "mistyped.duckdb")
    with pytest.raises(errors.StoreUnavailable, match="not mysql"):
        medlens.open("mysql://host/db")
    (tmp_path / "notes.txt").write_text("not a store\n" * 100)
    with pytest.raises(errors.StoreUnavailable, match="not a valid DuckDB"):
        medlens.open(tmp_path / "notes.txt")
    with pytest.raises(errors.StoreUnavailable, match="folder"):
        medlens.open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_an_empty_store_says_what_to_do(tmp_path: Path) -> None:
    bench = medlens.open(tmp_path / "new.duckdb", create=True)
    assert len(bench.studies()) == len(bench.raters()) == 0
    assert list(bench.studies()) == list(COLUMNS["studies"])
    with pytest.raises(errors.InvalidInput, match=r"no items in this store yet.*import_file"):
        bench.judgments()
    with pytest.raises(errors.InvalidInput, match=r"no dataset 'd'.*Nothing was imported"):
        bench.judgments(dataset="d")
    assert len(bench.judgments("tagging")) == 0
    bench.close()
    bench.close()
    with pytest.raises(errors.InvalidInput, match="was closed"):
        bench.studies()
    assert "closed" in repr(bench)


def test_what_is_not_there_is_refused_with_what_is(demos: Path, tmp_path: Path) -> None:
    with medlens.open(demos) as bench:
        for call, said in (
            (bench.judgments, "Several studies.*tagging, agentclinic"),
            (lambda: bench.figures("tagging", "d"), "Error tagging has no dataset 'd'.*demo"),
            (lambda: bench.judgments("tagging", task="t"), "no task 't'.*error_spans"),
            (lambda: bench.marks("ebmqa"), "Nothing is marked in EBMQA"),
            (lambda: bench.figures("tagging", ward="B"), "cannot be narrowed by ward"),
            (lambda: bench.table("poems"), "no export called 'poems'"),
            (lambda: bench.import_file("poems", demos), "no kind of import called 'poems'"),
            (lambda: bench.import_file("items", tmp_path / "gone.csv"), "gone.csv"),
            (lambda: bench.export("judgments", demos, force=True), "store"),
        ):
            with pytest.raises(errors.MedLensError, match=said):
                call()


def test_a_store_on_postgresql_is_read_and_follows_what_others_add(
    database: str, tmp_path: Path, read_near: None
) -> None:
    given = tmp_path / "items.csv"
    given.write_text("item,question,response\na,Why?,Because\n", encoding="utf-8")
    with medlens.open(database) as bench, medlens.open(database) as other:
        assert len(bench.studies()) == 0
        other.import_file("items", given, "d")
        assert bench.items("tagging")["item"].tolist() == ["a"]
        assert "PostgreSQL" in repr(bench)
        assert database not in repr(bench)
    with pytest.raises(errors.StoreUnavailable):
        medlens.open("postgresql://nobody@127.0.0.1:1/none?connect_timeout=1")


def test_importing_the_package_loads_nothing_else_of_it() -> None:
    code = (
        "import sys, medlens; medlens.open; rooms = ('medlens.', 'pandas', 'duckdb');"
        "print([name for name in sys.modules if name.startswith(rooms)]);"
        "print(medlens.errors.InvalidInput.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "InvalidInput"]


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(medlens.__file__).with_name("py.typed")).is_file()
