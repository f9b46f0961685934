"""The store itself: what is appended stays, once, all or nothing, whoever else is writing."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from medlens.errors import Conflict, InvalidInput, StoreUnavailable
from medlens.store import Store, duckdb_engine, migrations, new_id, open_store
from medlens.store.ids_times_and_json import to_json
from tests.children import Child

pytestmark = pytest.mark.usefixtures("all_threads")


def draft(revision: int, *, item: str = "i", rater: str = "r", **more: object) -> dict:
    return {
        "task": "t",
        "item": item,
        "rater": rater,
        "revision": revision,
        "body": {"score": revision},
        "active_seconds": 1.5,
        "idle_seconds": 0,
        **more,
    }


def item(name: str, body: object = "{}") -> dict:
    return {
        "study": "s",
        "kind": "k",
        "dataset": "d",
        "name": name,
        "digest": "x",
        "body": body,
        "illustrative": False,
    }


def together(count: int, work: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=work, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# -- appending, on DuckDB and on PostgreSQL ------------------------------------------------------


def test_many_rows_come_with_their_head_or_not_at_all(store: Store) -> None:
    def add(id_: str, questions: list[int | None]) -> bool:
        head = {
            "id": id_,
            "number": 1,
            "dataset": "d",
            "rater": "r",
            "prompt": "",
            "repeat": 1,
            "part": 0,
            "run": "",
            "origin": "import",
            "n": len(questions),
        }
        same = pa.array([0] * len(questions), pa.int32())
        rows = pa.table(
            {
                "block": pa.array([1] * len(questions), pa.int64()),
                "question": pa.array(questions, pa.int64()),
                "outcome": same,
                "chosen": same,
                "said": same,
            }
        )
        return store.append_heads_with_many_rows_and_say_if_new(
            {"ebmqa_answer_block": [head]}, {"ebmqa_answer": rows}
        )

    with pytest.raises(InvalidInput):
        add("a", [1, None])
    assert store.rows("select count(*) from ebmqa_answer_block") == [(0,)]
    before = store.data_version_of_tables("ebmqa_answer")
    assert add("a", [1, 2, 3])
    assert store.data_version_of_tables("ebmqa_answer") > before
    assert not add("a", [1, 2, 3])
    with pytest.raises(Conflict):
        add("b", [1])
    assert store.rows("select question from ebmqa_model_answer order by 1") == [(1,), (2,), (3,)]


@pytest.mark.deep
def test_of_twenty_racing_writers_one_wins_and_the_others_are_told(store: Store) -> None:
    outcome: Counter[str] = Counter()

    def race(n: int) -> None:
        try:
            store.append("draft", draft(1, body={"by": n}))
            outcome["won"] += 1
        except Conflict:
            outcome["lost"] += 1

    together(20, race)
    assert outcome == {"won": 1, "lost": 19}
    assert store.rows("select count(*) from draft") == [(1,)]


def test_a_request_repeated_by_twenty_threads_is_stored_once(store: Store) -> None:
    token = new_id()
    stored: list[int] = []
    together(20, lambda _: stored.append(store.append("draft", draft(1, id=token))))
    assert sorted(stored) == [0] * 19 + [1]
    assert store.rows("select id from draft") == [(token,)]


def test_values_of_every_type_come_back_from_few_rows_as_from_many(store: Store) -> None:
    moment = datetime(2026, 3, 1, 1, 2, 3, 456, tzinfo=timezone(timedelta(hours=2)))
    # One row is given as values, up to 32 as lists, more as an Arrow table.
    for count in (1, 32, 33):
        rows = [
            {
                "made_at": moment,
                "task": "t",
                "item": f"i'\"\n{count}",
                "rater": "ü",
                "revision": n,
                "body": {"a": ["ä", None, 0.5]},
                "blind": n % 2 == 0,
                "origin": "",
                "complete": True,
                "active_seconds": 0.25 if n else None,
                "guideline": None,
            }
            for n in range(count)
        ]
        assert store.append("judgment", *rows) == count
        assert store.query_rows_as_dicts(
            f"select {', '.join(rows[0])} from judgment where item = $item order by seq",
            item=rows[0]["item"],
        ) == [row | {"body": to_json(row["body"])} for row in rows]


@pytest.mark.parametrize("count", [1, 32, 33])
def test_a_repeated_batch_adds_only_what_is_new(store: Store, count: int) -> None:
    rows = [item(f"a{n}") | {"id": f"a{n}"} for n in range(count)]
    assert store.append("item", *rows) == count
    assert store.append("item", *rows, item("new")) == 1
    assert store.append("item", *rows, rows[0]) == 0
    assert store.rows("select count(*) from item") == [(count + 1,)]


@pytest.mark.parametrize("others", [1, 60])
def test_all_tables_of_a_batch_or_none(store: Store, others: int) -> None:
    store.append("draft", draft(1))
    jobs = [{"command": f"c{n}"} for n in range(others)]
    with pytest.raises(Conflict):
        store.append_all_and_count_new_by_table({"job": jobs, "draft": [draft(1)]})
    assert store.rows("select count(*) from job") == [(0,)]
    assert store.append_all_and_count_new_by_table({"job": jobs, "draft": [draft(2)]}) == {
        "job": others,
        "draft": 1,
    }


@pytest.mark.parametrize(
    ("table", "row", "says"),
    [
        ("draft", draft(1, mood="blue"), "no column mood"),
        ("draft", {"task": "t", "item": "i"}, "missing|null"),
        ("item", item("a", "{not json"), "JSON"),
        ("item", item("a", r'{"x": "\ud800"}'), "JSON"),
        ("item", item("a", float("nan")), "JSON"),
        ("draft", draft("third"), "stored"),
    ],
)
def test_a_row_that_cannot_be_stored_is_refused_and_nothing_is_written(
    store: Store, table: str, row: dict, says: str
) -> None:
    with pytest.raises(InvalidInput, match=says):
        store.append_all_and_count_new_by_table({"job": [{"command": "c"}], table: [row]})
    assert store.rows(f"select (select count(*) from job) + (select count(*) from {table})") == [
        (0,)
    ]


@pytest.mark.parametrize("count", [1, 60])
def test_a_body_comes_back_byte_for_byte(reopened: Callable[[], Store], count: int) -> None:
    # What a database's own JSON type may change: key order, number notation, repeated keys,
    # spaces, an escaped NUL; and what a text column may: emoji, combining marks, CRLF.
    body = (
        '{"b": 1.0, "a":1e2,  "a": 100000000000000000001, "n": "\\u0000",'
        ' "t": "é e\u0301 😀\\r\\n"}'
    )
    store = reopened()
    store.append("item", *[item(f"a{n}", body) for n in range(count)])
    assert store.rows("select distinct body from item") == [(body,)]
    assert reopened().rows("select distinct body, count(*) from item group by body") == [
        (body, count)
    ]


@pytest.mark.parametrize("count", [2, 60])
def test_rows_of_one_batch_may_leave_out_different_columns(store: Store, count: int) -> None:
    judged = [
        {
            "task": "t",
            "item": f"i{n}",
            "rater": "r",
            "revision": 1,
            "body": {},
            "blind": True,
            "origin": "app",
            "complete": True,
            **({"active_seconds": n} if n % 2 else {}),
        }
        for n in range(count)
    ]
    store.append("judgment", *judged)
    assert store.rows("select item, active_seconds from judgment order by seq limit 2") == [
        ("i0", None),
        ("i1", 1.0),
    ]


def test_an_id_that_no_engine_can_hold_is_cleaned_like_any_text_and_says_the_same_twice(
    store: Store,
) -> None:
    for _ in range(2):
        store.append("job", {"id": "one\x00two\ud800", "command": "a"})
    assert store.rows("select id from job") == [("one\ufffdtwo?",)]


def test_text_that_no_database_can_hold_is_mended(store: Store) -> None:
    store.append("job", {"command": "a\x00b\ud800c"})
    assert store.rows("select command from job") == [("a\ufffdb?c",)]


def test_the_version_grows_with_its_table_and_with_no_other(store: Store) -> None:
    before = (
        store.data_version_of_tables("draft"),
        store.data_version_of_tables("job"),
        store.data_version_of_tables(),
    )
    store.append("draft", draft(1))
    assert store.data_version_of_tables("draft") > before[0]
    assert store.data_version_of_tables("job") == before[1]
    assert store.data_version_of_tables() > before[2]
    known = store.data_version_of_tables("job", "draft")
    store.append("job", {"command": "c"})
    assert store.data_version_of_tables("job", "draft") > known


def test_threads_never_get_each_others_rows(store: Store) -> None:
    store.append("item", *[item(f"a{n}", {"n": n}) | {"id": f"a{n}"} for n in range(40)])
    wrong: list[object] = []

    def look(n: int) -> None:
        for turn in range(60):
            name = f"a{(n * 7 + turn) % 40}"
            found = store.rows("select id from item where id = $id", id=name)
            if found != [(name,)]:
                wrong.append((name, found))
            if turn % 20 == 0:
                store.append("draft", draft(turn, rater=str(n)))

    together(8, look)
    assert wrong == []
    assert store.rows("select count(*) from draft") == [(24,)]


WRITER = """
import sys, threading
from medlens.store import open_store, new_id
store = open_store(sys.argv[1])
lock = threading.Lock()
def work(n):
    revision = 0
    while True:
        revision += 1
        token = new_id()
        store.append("draft", dict(id=token, task="t", item="i", rater=f"{sys.argv[2]}-{n}",
            revision=revision, body={}, active_seconds=1, idle_seconds=0))
        with lock:
            sys.stdout.write(token + "\\n")
            sys.stdout.flush()
for n in range(4):
    threading.Thread(target=work, args=(n,)).start()
"""


@pytest.mark.deep
def test_killing_the_process_loses_nothing_that_was_acknowledged(
    address: str, reopened: Callable[[], Store]
) -> None:
    told: set[str] = set()
    for life in range(3):
        child = Child(WRITER, address, str(life))
        for _ in range(40 + 17 * life):
            told.add(child.stdout.readline().strip())
        child.kill()
        told |= {
            line.strip()
            for line in child.stdout.read().splitlines(keepends=True)
            if line.endswith("\n")
        }
        child.wait()
    assert len(told) > 150
    assert told <= {i for (i,) in reopened().rows("select id from draft")}


KILLED = """
import os, signal, sys
from medlens.store import open_store
store = open_store(sys.argv[1])  # kept, or it would be closed, and its log gone, before the end
store.append("job", {"command": "x"})
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed_after_a_save(path: Path) -> None:
    Child(KILLED, str(path)).communicate()


@pytest.mark.deep
def test_rows_are_numbered_on_without_a_jump_however_often_the_process_was_killed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.duckdb"
    for _ in range(5):
        killed_after_a_save(path)
    store = open_store(path)
    store.append("job", {"command": "x"})
    assert store.rows("select seq from job order by seq") == [(n,) for n in range(1, 7)]
    store.close()


def test_a_store_that_has_jumped_by_billions_opens_and_goes_on_by_one(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    store = open_store(path)
    store.append("job", {"command": "before", "seq": 5_000_000_000})
    store.close()
    for _ in range(2):
        killed_after_a_save(path)
    store = open_store(path)
    # In one transaction, by row, and as a table: numbers are given once.
    store.append("job", *[{"command": f"c{n}"} for n in range(60)])
    store.append_tables_and_count_new_by_table(
        {"job": pa.table({"id": ["t1", "t2"], "command": ["t", "t"]})}
    )
    seqs = [seq - 5_000_000_000 for (seq,) in store.rows("select seq from job order by seq")]
    assert seqs == list(range(65))
    store.close()


def test_no_connection_ever_looks_for_an_extension(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store.duckdb")
    settings = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    asked = "select name, value from duckdb_settings() where name in ({})".format(
        ", ".join(f"'{name}'" for name in settings)
    )
    assert dict(store.rows(asked)) == settings
    store.close()
    with duckdb_engine.open_duckdb() as other:
        assert dict(other.execute(asked).fetchall()) == settings
        with pytest.raises(duckdb.Error, match=r"(?i)extension"):
            other.execute("select * from 'https://example.invalid/a.parquet'")


def test_what_a_store_sets_aside_lies_beside_it(tmp_path: Path) -> None:
    # In a folder that two stores share, each would read what the other wrote.
    store = open_store(tmp_path / "it's.duckdb")
    aside = store.rows("select value from duckdb_settings() where name = 'temp_directory'")
    store.close()
    assert aside == [(str(tmp_path / "it's.duckdb.tmp"),)]


@pytest.mark.deep
def test_a_store_made_with_large_row_groups_takes_small_ones_behind_them(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    with contextlib.closing(open_store(path)) as store:
        store.append("job", {"command": "first"})
    with duckdb_engine.open_duckdb(str(path)) as old:
        old.execute(
            "insert into job (id, seq, made_at, command)"
            " select 'old' || i, 100 + i, now(), 'x' from range(5000) t(i)"
        )
    for turn in range(2):
        with contextlib.closing(open_store(path)) as store:
            store.append("job", *[{"command": f"new {turn} {n}"} for n in range(3_000)])
    with contextlib.closing(open_store(path)) as store:
        assert store.rows("select count(*), count(distinct id), min(seq) from job") == [
            (11_001, 11_001, 1)
        ]
        groups = store.rows(
            "select row_group_id, sum(count) from pragma_storage_info('job')"
            " where column_name = 'seq' and segment_type = 'BIGINT' group by all order by 1"
        )
        assert groups[0][1] > 5_000
        assert max(rows for _, rows in groups[1:]) <= 2_048


def test_a_backup_made_while_people_work_is_whole_and_goes_on_counting(
    store: Store, tmp_path: Path
) -> None:
    store.append("item", *[item(f"a{n}") for n in range(500)])
    stop = threading.Event()
    written: list[int] = []

    def write() -> None:
        while not stop.is_set():
            revision = len(written) + 1
            store.append_all_and_count_new_by_table(
                {"draft": [draft(revision)], "job": [{"command": str(revision)}]}
            )
            written.append(revision)

    writer = threading.Thread(target=write)
    writer.start()
    while len(written) < 3:
        time.sleep(0.01)
    before = len(written)
    store.backup(tmp_path / "copy.duckdb")
    stop.set()
    writer.join()
    copy = open_store(tmp_path / "copy.duckdb")
    [(items, drafts, jobs, top)] = copy.rows(
        "select (select count(*) from item), (select count(*) from draft),"
        " (select count(*) from job), (select max(seq) from job)"
    )
    assert items == 500
    assert drafts == jobs >= before
    copy.append("job", {"command": "after"})
    copy.close()
    again = open_store(tmp_path / "copy.duckdb")
    again.append("job", {"command": "later"})
    after = again.rows("select seq from job where command in ('after', 'later') order by command")
    assert top < after[0][0] < after[1][0]
    again.close()


# -- the file ------------------------------------------------------------------------------------


def shape(store: Store) -> list[tuple]:
    return store.rows(
        "select table_name, column_name, data_type, is_nullable from duckdb_columns()"
        " where database_name = current_database() and not internal order by all"
    )


@pytest.mark.deep
def test_a_store_of_every_earlier_version_comes_to_the_shape_of_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown, first, steps = tmp_path / "grown.duckdb", tmp_path / "first.duckdb", migrations.STEPS
    # Each step is taken by an opening of its own, on what the earlier version had left.
    with monkeypatch.context() as earlier:
        earlier.setattr(migrations, "current_state_views", list)
        earlier.setattr(migrations, "public_view_statements", lambda _engine: [])
        earlier.setattr(migrations, "digest_of_views", lambda: "earlier")
        for n, (version, _) in enumerate(steps, 1):
            earlier.setattr(migrations, "STEPS", steps[:n])
            store = open_store(grown)
            assert store.value("select max(version) from migration") == version
            if n == 1:
                store.append("job", {"command": "kept"})
            store.close()
            if n == 1:
                shutil.copy(grown, first)
    # And all that the first version lacks at once.
    new, olds = open_store(tmp_path / "new.duckdb"), [open_store(grown), open_store(first)]
    for old in olds:
        assert shape(old) == shape(new)
        assert ("item_now", "body", "JSON", True) in shape(old)
        assert old.rows("select command from job") == [("kept",)]
        assert old.rows("select version from migration order by 1") == [(v,) for v, _ in steps]
    for store in (new, *olds):
        store.close()


def next_step(monkeypatch: pytest.MonkeyPatch, *statements: str) -> int:
    """Pretend that one more step has landed."""
    version = migrations.STEPS[-1][0] + 1
    there = migrations.migration_statements
    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, (version, "next.sql")))
    monkeypatch.setattr(
        migrations, "migration_statements", lambda v: list(statements) if v == version else there(v)
    )
    return version


def test_a_new_step_is_taken_once_and_a_failing_one_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.duckdb"
    open_store(path).close()
    with monkeypatch.context() as broken:
        next_step(broken, "create table extra (id text)", "create table extra (id text)")
        with pytest.raises(duckdb.Error):
            open_store(path)
    version = next_step(monkeypatch, "alter table job add column note {json}")
    for _ in range(2):
        store = open_store(path)
        taken = (version, len(migrations.STEPS))
        assert store.rows("select max(version), count(*) from migration") == [taken]
        assert ("job", "note", "JSON", True) in shape(store)
        store.close()


def test_a_store_of_a_newer_version_is_refused_and_let_go(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        next_step(newer, "create table extra (id text primary key, seq bigint)")
        open_store(address).close()
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=r"newer MedLens.*Update MedLens"):
            open_store(address)


def test_a_view_whose_text_changed_is_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.duckdb"
    open_store(path).close()
    monkeypatch.setattr(
        migrations,
        "current_state_views",
        lambda: ["create or replace view gold_now as select 42 as answer"],
    )
    monkeypatch.setattr(migrations, "digest_of_views", lambda: "another")
    store = open_store(path)
    assert store.rows("select * from gold_now") == [(42,)]
    store.close()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.duckdb"
    path.write_text("Roses are red. " * 1000)
    with pytest.raises(StoreUnavailable) as caught:
        open_store(path)
    assert caught.value.hint
    assert not caught.value.held
    assert path.read_text().startswith("Roses")


def test_a_file_that_another_process_holds_says_so(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    code = "import sys, duckdb; c = duckdb.connect(sys.argv[1]); print('up', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "up\n"
        with pytest.raises(StoreUnavailable, match="Another process holds") as caught:
            open_store(path)
        assert caught.value.held
        assert caught.value.hint
        holder.kill()
    open_store(path).close()


@pytest.mark.parametrize("below", ["file/store.duckdb", "file/deeper/store.duckdb", "folder"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreUnavailable) as caught:
        open_store(tmp_path / below)
    assert str(tmp_path) in caught.value.message
    assert caught.value.hint


def test_nothing_is_said_to_be_saved_once_the_file_was_moved_away(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    store = open_store(path)
    row = {"job": [{"id": "1", "command": "x"}]}
    assert store.append_all_and_count_new_by_table(row) == {"job": 1}
    path.rename(tmp_path / "moved.duckdb")
    with pytest.raises(StoreUnavailable, match="moved or deleted"):
        store.append_all_and_count_new_by_table({"job": [{"id": "2", "command": "x"}]})
    (tmp_path / "moved.duckdb").rename(path)
    assert store.append_all_and_count_new_by_table({"job": [{"id": "2", "command": "x"}]}) == {
        "job": 1
    }
    store.close()


def test_a_full_disk_is_named_and_not_taken_for_a_crowd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path / "store.duckdb")
    tries = []

    def full(*batch: object) -> None:
        tries.append(1)
        raise duckdb.TransactionException(
            "Failed to commit: Could not write file: No space left on device"
        )

    monkeypatch.setattr(store, "_transact", full)
    with pytest.raises(StoreUnavailable) as caught:
        store.append("job", {"id": "1", "command": "x"})
    assert "disk full" in caught.value.hint
    assert len(tries) == 1
    store.close()


# -- who may read it -----------------------------------------------------------------------------


def modes(folder: Path) -> dict[str, int]:
    return {one.name: stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()}


def test_the_store_and_its_log_are_their_owners_alone_from_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    before = os.umask(0o022)
    try:
        store = open_store(path)
        store.append("job", {"command": "x"})
        names = ["store.duckdb", "store.duckdb.saved", "store.duckdb.wal"]
        assert modes(tmp_path) == dict.fromkeys(names, 0o600)
        store.close()
        # One from before, that everybody could read.
        path.chmod(0o644)
        os.umask(0o022)
        store = open_store(path)
        store.append("job", {"command": "y"})
        assert set(modes(tmp_path).values()) == {0o600}
        store.close()
    finally:
        os.umask(before)


def test_a_store_opened_by_a_link_keeps_its_log_where_the_file_is(tmp_path: Path) -> None:
    path = tmp_path / "data" / "store.duckdb"
    path.parent.mkdir()
    link = tmp_path / "link.duckdb"
    link.symlink_to(path)
    killed_after_a_save(link)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["data", "link.duckdb"]
    store = open_store(path)
    assert store.rows("select command from job") == [("x",)]
    store.close()


@pytest.mark.parametrize("threads, seen", [(1, None), (2, "not imported")])
def test_pandas_is_hidden_from_a_query_only_where_no_other_thread_could_be_importing_it(
    monkeypatch: pytest.MonkeyPatch, threads: int, seen: str | None
) -> None:
    class Cursor:
        def execute(self, _sql: str, _params: object) -> Cursor:
            found.append(sys.modules.get("pandas", "not imported"))
            return self

    found: list[object] = []
    monkeypatch.delitem(sys.modules, "pandas", raising=False)
    monkeypatch.setattr(threading, "active_count", lambda: threads)
    duckdb_engine.execute_without_pandas_and_return_cursor(Cursor(), "select $one", {"one": 1})  # type: ignore[arg-type]
    assert found == [seen]
    assert "pandas" not in sys.modules
