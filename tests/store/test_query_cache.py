"""Answers that a store keeps: the same until a table grows from which they were read."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from medlens.errors import Conflict
from medlens.review import raters
from medlens.store import Store, migrations, query_cache
from medlens.store.query_cache import QueryCache
from tests.conftest import LayStore

SETTING = {"task": "t", "dataset": "d", "revision": 1, "body": {}, "made_by": "l"}
NAMES = "select name from rater_now order by name"


def change_unnoticed(store: Store, sql: str) -> None:
    """Change the file as nothing does that asks the store: what was kept is given all the same."""
    with store._cursor() as cursor:
        cursor.execute(sql)


class NothingToErase:
    """A rewriting of the store that changes no row."""

    def read_and_remember_what_rewrite_needs(self, ask: object) -> None: ...

    def sql_condition_of_rows_to_change(self, table: str) -> str:
        return ""

    def rewritten_row_or_none_to_remove(self, table: str, row: dict[str, Any]) -> dict[str, Any]:
        return row

    def rows_to_add_by_table(self) -> dict[str, list[dict[str, Any]]]:
        return {}


@pytest.fixture
def renamed(store: Store) -> Store:
    """A store that has answered who Ada is and does not know that she is called Eve now."""
    raters.find_or_add_rater_by_name(store, "Ada")
    for ask in (
        store.rows,
        store.query_rows_as_dicts,
        store.fetch_query_result_as_arrow_table,
        store.read,
    ):
        ask(NAMES)
    change_unnoticed(store, "update rater set name = 'Eve'")
    return store


def names(store: Store) -> list[list[str]]:
    """The names by each way to ask."""
    return [
        [name for (name,) in store.rows(NAMES)],
        [row["name"] for row in store.query_rows_as_dicts(NAMES)],
        store.fetch_query_result_as_arrow_table(NAMES)["name"].to_pylist(),
        store.read(NAMES)["name"].tolist(),
    ]


def test_the_same_question_is_answered_without_asking_duckdb(renamed: Store) -> None:
    assert names(renamed) == [["Ada"]] * 4


def test_a_table_that_the_question_does_not_read_changes_nothing(renamed: Store) -> None:
    renamed.append("task_setting", SETTING)
    assert names(renamed) == [["Ada"]] * 4


def test_a_table_read_through_a_view_makes_the_store_ask_again(renamed: Store) -> None:
    renamed.append(
        "rater_role", {"rater": "r", "revision": 1, "role": "lead", "made_by": "command line"}
    )
    assert names(renamed) == [["Eve"]] * 4


def test_what_whoever_asks_does_to_an_answer_is_not_in_the_next(store: Store) -> None:
    raters.find_or_add_rater_by_name(store, "Ada")
    listed = "select list(name) as all_names from rater"
    for _ in range(2):
        rows, frame, nested = (
            store.rows(NAMES),
            store.read(NAMES),
            store.query_rows_as_dicts(listed),
        )
        assert (rows, frame["name"].tolist()) == ([("Ada",)], ["Ada"])
        assert nested == [{"all_names": ["Ada"]}]
        rows.clear()
        frame.loc[0, "name"] = "Eve"
        nested[0]["all_names"].append("Eve")


def test_every_view_is_known_by_the_tables_that_duckdb_reads_for_it(store: Store) -> None:
    texts = {}
    for statement in migrations.current_state_views() + migrations.public_view_statements("duckdb"):
        created = re.search(r"create or replace view (\w+) as\b(.*)", statement, re.DOTALL)
        if "create or replace view" in statement.lower():
            assert created, statement
            texts[created[1]] = created[2]
    # Which tables are named is told without reading any, and so without the kind of any column.
    for unnested in ("{marks_of_value}", "{entries_of_body}"):
        filled = migrations._OF_ENGINE["duckdb"][unnested]
        texts = {view: text.replace(filled, "range(1)") for view, text in texts.items()}
    assert len(texts) > 40
    answers = QueryCache(store.column_types_by_table)

    def tables(name: str) -> set[str]:
        if name not in texts:
            return {name}
        with store._cursor() as cursor:
            read = cursor.get_table_names(texts[name])
        return set().union(*map(tables, read)) if read else set()

    for view in texts:
        question = answers.key_of_cacheable_query("rows", f'select * from "{view}"', {})
        assert question is not None, view
        assert tables(view) <= question.tables, view


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "sql",
    [
        "select name, now() from rater",
        "select name, Current_Timestamp from rater",
        "select name, uuid() from rater",
        "select name from rater order by random()",
        "select name from rater using sample 1",
        "select name from rater tablesample 10%",
        "select count(*) from rater, duckdb_tables()",
        "select * from rater, information_schema.tables",
        "select * from rater, read_csv('a.csv')",
        "select max(version) from migration, rater",
        "insert into rater select * from rater",
        "select 1",
    ],
)
def test_what_could_have_another_answer_without_a_row_is_never_kept(store: Store, sql: str) -> None:
    assert QueryCache(store.column_types_by_table).key_of_cacheable_query("rows", sql, {}) is None


def test_questions_differ_by_their_form_their_words_and_the_kind_of_each_parameter(
    store: Store,
) -> None:
    answers = QueryCache(store.column_types_by_table)
    sql = "select $a from rater"
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("rows", sql, {"a": 1}),
        ("rows", sql, {"a": True}),
        ("rows", sql, {"a": 1.0}),
        ("rows", sql, {"a": "1"}),
        ("rows", sql, {"a": [1]}),
        ("rows", sql, {"a": [True]}),
        ("rows", sql, {"b": 1}),
        ("rows", sql.upper(), {"a": 1}),
        ("frame", sql, {"a": 1}),
    ]
    questions = [answers.key_of_cacheable_query(*each) for each in asked]
    assert len({question.key for question in questions if question}) == len(asked)
    assert answers.key_of_cacheable_query("rows", sql, {"a": 1}) == questions[0]
    assert answers.key_of_cacheable_query("rows", sql, {"a": list(range(1_000))}) is None
    assert answers.key_of_cacheable_query("rows", sql, {"a": {"x": 1}}) is None


def kept(answers: QueryCache, number: int, answer: Any, version: int = 1) -> bool:
    """Whether an answer to the question of that number is kept when it is given."""
    question = answers.key_of_cacheable_query("rows", "select $n from rater", {"n": number})
    assert question
    answers.keep_answer(question, version, answer, forgotten=answers.times_all_was_forgotten)
    return answers.find_cached_answer(question, version) is not None


@pytest.mark.parametrize(
    "make",
    [
        lambda n: [("x" * n,)],
        lambda n: [(["x" * n],)],
        lambda n: [({"a": "x" * n},)],
        lambda n: [(None,)] * (n // query_cache._CELL),
        lambda n: pa.table({"a": ["x" * n]}),
        lambda n: pa.table({"a": ["x" * n]}).to_pandas(),
    ],
    ids=["text", "list", "dict", "rows", "arrow", "frame"],
)
def test_long_answers_are_not_kept(store: Store, make: Callable[[int], Any]) -> None:
    answers = QueryCache(store.column_types_by_table)
    assert kept(answers, 1, make(query_cache.LARGEST // 2))
    assert not kept(answers, 2, make(query_cache.LARGEST + query_cache._CELL))


def test_the_answers_that_were_not_asked_for_longest_go_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_cache, "MOST", 3_000)
    answers = QueryCache(store.column_types_by_table)

    def question(number: int) -> query_cache.Question:
        asked = answers.key_of_cacheable_query("rows", "select $n from rater", {"n": number})
        assert asked
        return asked

    for number in range(4):
        assert kept(answers, number, [("x" * 900,)])
        assert answers.find_cached_answer(question(0), 1), "asked for all the time"
    assert [bool(answers.find_cached_answer(question(n), 1)) for n in range(4)] == [
        True,
        False,
        True,
        True,
    ]
    # Kept anew, an answer counts once.
    assert all(kept(answers, 3, [("x" * 900,)], version) for version in (2, 3, 4))
    assert answers.find_cached_answer(question(0), 1)


def test_what_was_erased_is_not_held_even_if_it_was_being_read_meanwhile(store: Store) -> None:
    raters.find_or_add_rater_by_name(store, "Ada")
    store.rows(NAMES)
    question = store._answers.key_of_cacheable_query("rows", NAMES, {})
    assert question
    assert store._answers._kept
    before = store._answers.times_all_was_forgotten
    store.carry_out_rewrite_and_count_changes(NothingToErase())
    assert not store._answers._kept
    store._answers.keep_answer(question, 0, [("Ada",)], forgotten=before)
    assert not store._answers._kept


def test_a_closed_store_gives_no_answer_that_it_kept(store: Store) -> None:
    store.rows(NAMES)
    store.close()
    with pytest.raises(duckdb.Error):
        store.rows(NAMES)


def test_whoever_comes_second_reads_the_row_that_came_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = "select revision from task_setting"
    row = SETTING
    assert store.rows(sql) == []
    # Another thread has committed, and has not yet said so.
    with monkeypatch.context() as patch:
        patch.setattr(store, "_grew", lambda tables: None)
        store.append("task_setting", row)
        assert store.rows(sql) == []
    with pytest.raises(Conflict):
        store.append("task_setting", row)
    assert store.rows(sql) == [(1,)]


@pytest.mark.parametrize("sql", ["delete from rater", "with r as (select 1) delete from rater"])
def test_after_a_query_that_changes_rows_everything_is_asked_anew(store: Store, sql: str) -> None:
    raters.find_or_add_rater_by_name(store, "Ada")
    assert names(store) == [["Ada"]] * 4
    store.rows(sql)
    assert names(store) == [[]] * 4


def test_a_row_is_known_by_its_id_whatever_was_answered_before(store: Store) -> None:
    row = {"id": "a", **SETTING}
    assert store._unseen({"task_setting": [row]}) == {"task_setting": [row]}
    change_unnoticed(
        store,
        "insert into task_setting (id, made_at, task, dataset, revision, body, made_by)"
        " values ('a', '2026-01-01', 't', 'd', 1, '{}', 'l')",
    )
    assert store._unseen({"task_setting": [row]}) == {"task_setting": []}


def test_what_a_view_reads_is_asked_of_the_views_of_that_moment(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "select name from rater_now"
    with monkeypatch.context() as earlier:
        earlier.setattr(migrations, "current_state_views", list)
        earlier.setattr(migrations, "public_view_statements", lambda _engine: [])
        assert (
            QueryCache(store.column_types_by_table).key_of_cacheable_query("rows", query, {})
            is None
        )
    known = QueryCache(store.column_types_by_table).key_of_cacheable_query("rows", query, {})
    assert known is not None
    assert "rater_role" in known.tables


def test_a_row_read_before_its_table_is_known_to_have_grown_is_in_no_other_copy_of_the_store(
    lay_store: LayStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_ada(store: Store) -> None:
        raters.find_or_add_rater_by_name(store, "Ada")

    first, second = (lay_store(tmp_path / f"{at}.duckdb", with_ada) for at in "ab")
    with contextlib.closing(Store(first)) as store, monkeypatch.context() as patch:
        # As another thread sees it between a commit and what the store does after it.
        patch.setattr(store, "_grew", lambda tables: None)
        raters.find_or_add_rater_by_name(store, "Eve")
        assert store.rows(NAMES) == [("Ada",), ("Eve",)]
    with contextlib.closing(Store(second)) as store:
        assert store.rows(NAMES) == [("Ada",)]
