"""The six views for SQL: their columns are promised, on DuckDB and on PostgreSQL."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest

from medlens import cli
from medlens.app import duckdb_file_of_sql_views, job_inbox_of_running_app, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import (
    consensus,
    items,
    judgment_export,
    rater_exclusion,
    remarks_between_raters_and_leads,
    results_stored_for_sql,
    withdrawn_items,
)
from medlens.store import Store, migrations, open_store
from medlens.studies.registry import STUDIES
from tests.conftest import LayStore
from tests.store.made_up import TASK, person, poems

WHO = "rater_id text, rater_handle text, rater text, rater_kind text"
OF_A_JUDGMENT = (
    "judgment_id text, study text, task text, dataset text, item_id text, item text,"
    f" {WHO}, revision integer, pass_number integer, blind boolean, withdrawn text, stands boolean"
)
PROMISED = {
    "items": (
        "item_id text, study text, dataset text, item_kind text, item text, illustrative boolean,"
        " added_at time, body json, version integer, withdrawn_at time, withdrawn_reason text"
    ),
    "judgments": (
        f"{OF_A_JUDGMENT}, origin text, guideline integer, active_seconds double,"
        " idle_seconds double, judged_at time, run_id text, prompt_version text, value json,"
        " item_version integer"
    ),
    "marks": (
        f"{OF_A_JUDGMENT}, mark_number integer, starts_at integer, ends_at integer, quote text,"
        " labels json, comment text, mark json"
    ),
    "raters": f"{WHO}, rater_origin text, role text, excluded boolean, added_at time",
    "consensus": (
        "study text, dataset text, task text, item_id text, item text, variable text, answer text,"
        " votes integer, n integer, cannot_tell integer, adjudicated boolean, reason text,"
        " computed_at time"
    ),
    "figures": (
        "study text, dataset text, figure text, group_name text, numerator double,"
        " denominator bigint, value double, low double, high double, n bigint, p double,"
        " method text, speaks_for text, computed_at time"
    ),
}
"""What others rely on. A column may be added at the end; nothing here may change."""

DUCKDB = {
    "VARCHAR": "text",
    "BOOLEAN": "boolean",
    "INTEGER": "integer",
    "BIGINT": "bigint",
    "DOUBLE": "double",
    "JSON": "json",
    "TIMESTAMP WITH TIME ZONE": "time",
}
POSTGRESQL = {
    "text": "text",
    "boolean": "boolean",
    "integer": "integer",
    "bigint": "bigint",
    "double precision": "double",
    "json": "json",
    "jsonb": "json",
    "timestamp with time zone": "time",
}


def in_duckdb(read: Callable[[str], list[tuple[Any, ...]]]) -> dict[str, str]:
    """The columns and types of the views, and of each column whether it is explained."""
    rows = read(
        "select table_name, column_name, data_type, comment from duckdb_columns()"
        " where database_name = current_database() and schema_name = 'main'"
        " order by table_name, column_index"
    )
    assert [row[:2] for row in rows if row[0] in PROMISED and not row[3]] == []
    return {
        view: ", ".join(f"{name} {DUCKDB[kind]}" for of, name, kind, _ in rows if of == view)
        for view in PROMISED
    }


def test_the_columns_are_those_that_are_promised(store_path: Path) -> None:
    assert set(PROMISED) == set(migrations.PUBLIC_VIEWS)
    store = open_store(store_path)
    assert in_duckdb(store.rows) == PROMISED
    said = dict(store.rows("select view_name, comment from duckdb_views() where not internal"))
    assert all(said[view] for view in PROMISED)
    store.close()


@pytest.mark.deep
def test_on_postgresql_they_are_the_same(database: str) -> None:
    open_store(database).close()
    with psycopg.connect(database) as connection:
        rows = connection.execute(
            "select c.relname, a.attname, format_type(a.atttypid, a.atttypmod),"
            " col_description(c.oid, a.attnum), obj_description(c.oid)"
            " from pg_class c join pg_attribute a on a.attrelid = c.oid"
            " where c.relkind = 'v' and c.relnamespace = current_schema()::regnamespace"
            " and a.attnum > 0 order by a.attnum"
        ).fetchall()
    assert {row[0] for row in rows} == set(PROMISED)
    assert all(row[3] and row[4] for row in rows)
    assert {
        view: ", ".join(f"{name} {POSTGRESQL[kind]}" for of, name, kind, *_ in rows if of == view)
        for view in PROMISED
    } == PROMISED


def withdraw_and_revise(store: Store) -> list[str]:
    """Judgments of every sort: by Ann, a revision after the reveal, one that is returned, one of a
    practice item, a second pass, and one whose labels and parts came in two files; by Bob, whose
    work is excluded. Returns the items.
    """
    lead, ann, bob = person(store, "Lena", lead=True), person(store, "Ann"), person(store, "Bob")
    first, second, third, fourth, fifth, taken = poems(store, 6)
    parts = hashlib.md5(b"parts labels", usedforsecurity=False).hexdigest()

    def judge(item: str, rater: str, revision: int, **more: Any) -> None:
        row = {"task": TASK.name, "item": item, "rater": rater, "revision": revision}
        body = {"score": revision, "why": 'He said "so".\x00', "spans": None}
        how = {"body": body, "blind": True, "origin": "app", "complete": True}
        store.append("judgment", row | how | more)

    for item in (first, second, third):
        judge(item, ann.id, 1)
    judge(first, ann.id, 2)
    judge(first, ann.id, 3, blind=False)
    judge(first, bob.id, 1)
    judge(fourth, ann.id, 1, **{"pass": 2})
    judge(fifth, ann.id, 1, id="labels", complete=False)
    judge(fifth, ann.id, 2, id=parts)
    judge(
        fifth, ann.id, 3, body={"spans": [{"start": 0, "end": 2, "quote": "a\x00", "labels": []}]}
    )
    where = {"item": second, "rater": ann.id}
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, **where, kind="return", text="Again.", by=lead, counts=False
    )
    expected = {"at_least": 3, consensus.PRACTICE: "Because."}
    consensus.set_or_unset_gold_item(
        store, TASK, item=third, expected=expected, active=True, by=lead
    )
    of = {"task": TASK.name, "dataset": "poems"}
    rater_exclusion.exclude_or_return_rater(
        store, bob.id, reason="Tired.", by=lead, back=False, **of
    )
    judge(taken, ann.id, 1)
    named = {"study": "made_up", "dataset": "poems"}
    withdrawn_items.withdraw_or_return_items_and_count_notified(
        store, {taken: "poem5"}, reason="Twice.", by=lead, **named
    )
    return [first, second, third, fourth, fifth]


SORTS = [
    # item, rater, revision, pass, blind, withdrawn, stands
    ("poem0", "Ann", 1, 1, True, "", False),
    ("poem0", "Ann", 2, 1, True, "", True),
    ("poem0", "Ann", 3, 1, False, "", False),
    ("poem0", "Bob", 1, 1, True, "excluded", False),
    ("poem1", "Ann", 1, 1, True, "returned", False),
    ("poem2", "Ann", 1, 1, True, "practice", False),
    ("poem3", "Ann", 1, 2, True, "", True),
    ("poem4", "Ann", 1, 1, True, "", False),
    ("poem4", "Ann", 2, 1, True, "", True),
    ("poem5", "Ann", 1, 1, True, "item", False),
]
SELECT_SORTS = (
    "select item, rater, revision, pass_number, blind, withdrawn, stands from judgments"
    " order by item, rater, revision"
)


def test_blindness_and_withdrawal_stand_in_columns(store_path: Path) -> None:
    store = open_store(store_path)
    first = withdraw_and_revise(store)[0]
    assert store.rows(SELECT_SORTS) == SORTS
    # As MedLens itself counts.
    counted = "select j.id, j.revision from judgment_told j where j.row_id in (select id from"
    counting = f"{counted} judgment_blind union all select id from judgment_again) order by all"
    standing = "select judgment_id, revision from judgments where stands order by all"
    assert store.rows(standing) == store.rows(counting)
    assert len(store.rows(standing)) == 3
    assert store.rows("select item_id from items where item = 'poem0'") == [(first,)]
    [(at, why, version)] = store.rows(
        "select withdrawn_at, withdrawn_reason, version from items where item = 'poem5'"
    )
    assert (at is not None, why, version) == (True, "Twice.", 1)
    assert store.rows("select mark_number, starts_at, ends_at, stands from marks") == [
        (1, 0, 2, True)
    ]
    store.close()


@pytest.mark.deep
def test_on_postgresql_the_rows_are_those_of_the_copy(database: str, read_near: None) -> None:
    store = open_store(database)
    STUDIES["tagging"].demo(store)
    duckdb_file_of_sql_views.store_view_results_and_return_report_text(store, Settings())
    withdraw_and_revise(store)

    def plain(rows: list[tuple[Any, ...]], kinds: list[str]) -> list[str]:
        """Rows in a fixed order, JSON as what it says."""
        return sorted(
            repr(
                [
                    json.dumps(json.loads(cell.replace("\\u0000", "\\ufffd")), sort_keys=True)
                    if kind == "json" and cell
                    else cell.timestamp()
                    if kind == "time" and cell
                    else cell
                    for cell, kind in zip(row, kinds, strict=True)
                ]
            ).replace("\\x00", "\ufffd")
            for row in rows
        )

    with psycopg.connect(database) as connection:
        connection.execute("set timezone = 'UTC'")
        for view, columns in PROMISED.items():
            kinds = [column.rpartition(" ")[2] for column in columns.split(", ")]
            names = [column.partition(" ")[0] for column in columns.split(", ")]
            # As text, because psycopg reads no NUL in JSON either.
            asked = ", ".join(
                f"{name}::text" if kind == "json" else f'"{name}"'
                for name, kind in zip(names, kinds, strict=True)
            )
            there = connection.execute(f"select {asked} from {view}".encode()).fetchall()
            here = store.rows(f"select {asked} from {view}")
            assert len(here) == len(there) > 3, view
            assert plain(here, kinds) == plain(there, kinds), view
    store.close()


@pytest.mark.deep
def test_a_database_with_other_tables_of_these_names_works_without_the_views(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("create table items (a integer)")
    store = open_store(database)
    poems(store, 1)
    assert store.value("select count(*) from items") == 1
    store.close()
    assert "The views for SQL could not be made" in caplog.text
    with psycopg.connect(database, autocommit=True) as connection:
        assert connection.execute("select count(*) from items").fetchall() == [(0,)]
        connection.execute("drop table items")
    open_store(database).close()
    with psycopg.connect(database) as connection:
        assert connection.execute("select count(*) from items").fetchall() == [(1,)]


def test_a_role_of_a_dashboard_reads_the_views_alone(database: str, cluster: Any) -> None:
    store = open_store(database)
    poems(store, 2)
    store.close()
    other = cluster.new_database()
    name = psycopg.conninfo.conninfo_to_dict(other)["user"]
    with psycopg.connect(database, autocommit=True) as owner:
        [(schema,)] = owner.execute("select current_schema()").fetchall()
        owner.execute(f"grant usage on schema {schema} to {name}".encode())
        owner.execute(f"grant select on items to {name}".encode())
    with psycopg.connect(other, autocommit=True) as reader:
        count = f"select count(*) from {schema}."
        assert reader.execute(f"{count}items".encode()).fetchall() == [(2,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.execute(f"{count}item".encode())


@pytest.fixture
def tagging(store_path: Path, lay_store: LayStore) -> Iterator[Store]:
    store = open_store(lay_store(store_path, STUDIES["tagging"].demo))
    yield store
    store.close()


@pytest.fixture
def computed(tagging: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few rows of consensus and figures, in place of those that take a second to compute."""

    def compute(store: Store, _settings: Settings) -> str:
        name = store.value("select name from rater where kind = 'person' order by seq")
        item = store.value("select min(id) from item")
        vote = {"variable": "v", "answer": "yes", "votes": 1, "n": 1, "cannot_tell": 0}
        agreed = {"t": {item: [{**vote, "adjudicated": True, "reason": f"{name} is right."}]}}
        figures = {"share": [{"group": name, "value": 0.5, "n": 2, "method": "share"}]}
        results_stored_for_sql.store_changed_results_and_count(
            store, "tagging", "demo", agreed=agreed, figures=figures
        )
        return "Computed the consensus and figures of 1 dataset: 2 changed."

    monkeypatch.setattr(
        duckdb_file_of_sql_views, "store_view_results_and_return_report_text", compute
    )


def require_same_as_exports(store: Store, study: str) -> int:
    """That ``judgments`` has the revisions of the history that exports write; how many."""
    declared, count = STUDIES[study], 0
    for row in items.datasets_of_study(store, study):
        opened = declared.open(store, Settings(), row["dataset"])
        for task in declared.tasks(opened):
            table = judgment_export.judgments_table(
                store, task, dataset=opened.dataset, viewer=None, history=True
            )
            same = ["judgment_id", "revision", "stands", "blind", "pass_number", "item", "rater"]
            columns = ", ".join(same)
            there = store.rows(
                f"select {columns} from judgments where task = $task and dataset = $dataset",
                task=task.name,
                dataset=opened.dataset,
            )
            exported = table[same].astype(object).itertuples(index=False, name=None)
            assert sorted(there) == sorted(map(tuple, exported))
            count += len(there)
    return count


def test_judgments_are_those_of_the_exports(tagging: Store) -> None:
    assert require_same_as_exports(tagging, "tagging") > 50


@pytest.mark.deep
@pytest.mark.parametrize("study", ["agentclinic", "sourcecheckup", "ebmqa"])
def test_judgments_are_those_of_the_exports_in_every_study(
    store_path: Path, lay_store: LayStore, study: str
) -> None:
    store = open_store(
        lay_store(store_path, work_behind_commands.add_demo_studies_and_return_report_text)
    )
    assert require_same_as_exports(store, study) > 50
    store.close()


def test_marks_are_those_of_the_exports(tagging: Store) -> None:
    study = STUDIES["tagging"]
    opened = study.open(tagging, Settings(), "demo")
    table = study.exports["spans"][1](tagging, opened, viewer=None).dropna(subset=["span"])
    wanted = {(r.judgment_id, r.start, r.end, r.quote) for r in table.itertuples()}
    there = tagging.rows("select judgment_id, starts_at, ends_at, quote from marks where stands")
    assert set(there) == wanted
    assert len(wanted) > 50


@pytest.mark.deep
def test_consensus_and_figures_are_as_last_computed(tagging: Store) -> None:
    assert tagging.rows("from consensus") == tagging.rows("from figures") == []
    assert "1 dataset: " in duckdb_file_of_sql_views.store_view_results_and_return_report_text(
        tagging, Settings()
    )
    study = STUDIES["tagging"]
    opened = study.open(tagging, Settings(), "demo")
    voted = consensus.consensus_table(tagging, study.tasks(opened)[0], dataset="demo", viewer=None)
    assert set(tagging.rows("select item, variable, votes, n from consensus")) == set(
        voted[["item", "variable", "votes", "n"]].itertuples(index=False, name=None)
    )
    table = work_behind_commands.make_export_table(
        tagging, Settings(), "figures", viewer=None, study="tagging"
    )
    wanted = table.sort_values(["figure", "group", "method"])
    there = tagging.read("from figures order by figure, group_name, method")
    assert there["value"].round(12).tolist() == pytest.approx(
        wanted["value"].round(12).tolist(), nan_ok=True
    )
    [(first,)] = tagging.rows("select distinct computed_at from figures")

    assert "as they were" in duckdb_file_of_sql_views.store_view_results_and_return_report_text(
        tagging, Settings()
    )
    assert tagging.value("select count(*) from computation where kind = 'done'") == 2
    [(second,)] = tagging.rows("select distinct computed_at from figures")
    assert second > first

    for rater in tagging.column("select id from rater"):
        rater_exclusion.exclude_or_return_rater(
            tagging, rater, reason="Gone.", by=None, task="", dataset="", back=False
        )
    assert "changed" in duckdb_file_of_sql_views.store_view_results_and_return_report_text(
        tagging, Settings()
    )
    assert tagging.rows("from consensus") == []


@pytest.mark.deep
def test_a_snapshot_holds_the_views_while_the_app_has_the_store_open(
    computed: None, tagging: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("MEDLENS_STORE", tagging.path)
    watched = job_inbox_of_running_app.InboxWatcher(
        tagging,
        lambda job, at: work_behind_commands.run_inbox_job_and_return_result_as_dict(
            tagging, Settings(), job, at
        ),
    )
    watched.start_watching_inbox()
    target = tmp_path / "work.duckdb"
    try:
        assert cli.main(["snapshot"]) == 0
        assert "1 dataset" in capsys.readouterr().out
        assert cli.main(["snapshot", str(target)]) == 0
        assert "rows in 6 tables" in capsys.readouterr().out
        assert cli.main(["snapshot", str(target)]) == 1
        assert cli.main(["snapshot", tagging.path, "--force"]) == 1
        assert cli.main(["snapshot", "--anonymous"]) == 1
    finally:
        watched.finish_job_and_stop_watching()
    with duckdb.connect(str(target), read_only=True) as file:
        tables = file.execute("select table_name from duckdb_tables()").fetchall()
        assert {name for (name,) in tables} == set(PROMISED)
        assert file.execute(
            "select count(*) from duckdb_views() where not internal"
        ).fetchall() == [(0,)]
        assert in_duckdb(lambda sql: file.execute(sql).fetchall()) == PROMISED
        for view in PROMISED:
            count = f"select count(*) from {view}"
            assert file.execute(count).fetchall() == tagging.rows(count), view
    assert tagging.value("select count(*) from audit where about = 'snapshot'") == 1


def test_a_snapshot_without_names_names_nobody(
    computed: None, tagging: Store, tmp_path: Path
) -> None:
    target = tmp_path / "work.duckdb"
    duckdb_file_of_sql_views.write_views_to_file_and_return_report_text(
        tagging, Settings(), target, anonymous=True
    )
    people = tagging.rows("select id, handle, name from rater where kind = 'person'")
    with duckdb.connect(str(target), read_only=True) as file:
        assert in_duckdb(lambda sql: file.execute(sql).fetchall()) == PROMISED
        for view in PROMISED:
            text = str(file.execute(f"select * from {view}").fetchall())
            assert [word for names in people for word in names if word in text] == [], view
    with pytest.raises(InvalidInput):
        duckdb_file_of_sql_views.write_views_to_file_and_return_report_text(
            tagging, Settings(), target
        )
