"""A store copied into another place: DuckDB files and PostgreSQL, in either direction."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import resource
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from medlens import cli
from medlens.app import (
    copy_attached_files_verified,
    copy_store_even_if_open,
    job_inbox_of_running_app,
    work_behind_commands,
)
from medlens.config.settings import Settings, load_settings
from medlens.errors import InvalidInput, StoreUnavailable
from medlens.review import assignment, judging
from medlens.review.tasks import HandOut
from medlens.store import (
    Store,
    duckdb_engine,
    migrations,
    new_id,
    open_store,
    store_copying,
    table_digests,
)
from medlens.store.postgres_store import open_replica
from medlens.store.store_copying import copy_store_and_return_counts_and_digests
from tests.children import Child
from tests.conftest import LayStore
from tests.store.made_up import TASK, person, poems
from tests.store.test_store import draft, item, next_step

STUDIES = ("tagging", "agentclinic", "sourcecheckup", "ebmqa")
ODD_TEXTS = (
    "",
    "\\N",
    'a "quoted" text, with a comma',
    "two\nlines\r\nthree",
    "\\.",
    " ",
    "ä😀",
    "NULL",
)


def add_odd_rows(store: Store) -> None:
    """Every type of column with what engines and files write differently."""
    store.append("item", *(item(f"odd {n}", {"text": text}) for n, text in enumerate(ODD_TEXTS)))
    seconds = (0.0, -0.0, 0.1, 1e300, 5e-324, float("inf"), 1.0)
    store.append(
        "draft",
        *(
            draft(n, item=ODD_TEXTS[n], rater=ODD_TEXTS[-n], active_seconds=value)
            for n, value in enumerate(seconds)
        ),
    )
    store.append(
        "rater", {"handle": "a", "kind": "person", "name": "\t", "email": None, "origin": ""}
    )
    store.append("rater", {"handle": "b", "kind": "person", "name": "A", "email": "", "origin": ""})


def add_all(store: Store) -> None:
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    add_odd_rows(store)


@pytest.fixture
def source(tmp_path: Path, lay_store: LayStore) -> Path:
    return lay_store(tmp_path / "source.duckdb", add_all)


@pytest.fixture
def small(tmp_path: Path, lay_store: LayStore) -> Path:
    return lay_store(tmp_path / "small.duckdb", add_odd_rows)


@pytest.fixture(
    params=["a file", pytest.param("PostgreSQL", marks=[pytest.mark.postgres, pytest.mark.deep])]
)
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a copy."""
    if request.param == "a file":
        return str(tmp_path / "target.duckdb")
    return str(request.getfixturevalue("database"))


def rows_of(address: str | Path) -> dict[str, list[tuple[object, ...]]]:
    """All rows of a store, by table."""
    with contextlib.closing(open_store(address)) as store:
        return {
            table: store.rows(f"select {', '.join(names)} from {table} order by seq")
            for table, names in store.column_types_by_table.items()
        }


def told_by(address: str | Path, capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> bytes:
    capfdbinary.readouterr()
    cli.main(["--store", str(address), *words])
    return capfdbinary.readouterr().out


# -- what is equal afterwards --------------------------------------------------------------------


def test_a_copy_has_every_row_and_goes_on_counting_where_the_store_was(
    small: Path, target: str
) -> None:
    before = rows_of(small)
    copied = copy_store_and_return_counts_and_digests(str(small), target)
    assert rows_of(target) == before
    assert {table: part.rows for table, part in copied.tables.items()} == {
        table: len(rows) for table, rows in before.items()
    }
    with contextlib.closing(open_store(small)) as store:
        highest = max(
            store.value(f"select max(seq) from {table}") or 0
            for table in store.column_types_by_table
        )
    with contextlib.closing(open_store(target)) as store:
        poems(store, 1)
        rater = person(store, "ada")
        poem = assignment.give_next_item_and_return_id(
            store, TASK, HandOut(), dataset="poems", rater=rater.id
        )
        assert poem
        judging.submit_judgment(
            store, TASK, item=poem, rater=rater.id, token=new_id(), body={"score": 3}
        )
        assert store.value("select min(seq) from judgment") > highest
        assert store.list_store_faults_in_words() == []


@pytest.mark.deep
@pytest.mark.postgres
def test_a_store_copied_there_and_back_is_equal_and_so_are_its_figures_and_its_check(
    source: Path, database: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    back = tmp_path / "back.duckdb"
    there = copy_store_and_return_counts_and_digests(str(source), database)
    again = copy_store_and_return_counts_and_digests(database, str(back))
    assert there.tables == again.tables
    assert rows_of(back) == rows_of(source)
    stores: tuple[str | Path, ...] = (source, database, back)
    for words in (["check"], *(["export", "figures", study] for study in STUDIES[:2])):
        first, *others = (told_by(store, capfdbinary, *words) for store in stores)
        assert first
        assert others == [first, first]


@pytest.mark.deep
@pytest.mark.postgres
def test_all_figures_of_all_copies_are_equal_byte_for_byte(
    source: Path, cluster: object, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    first, second = cluster.new_database(), cluster.new_database()  # type: ignore[attr-defined]
    files = [tmp_path / "one.duckdb", tmp_path / "two.duckdb"]
    copy_store_and_return_counts_and_digests(str(source), str(files[0]))
    copy_store_and_return_counts_and_digests(str(files[0]), first)
    copy_store_and_return_counts_and_digests(first, second)
    copy_store_and_return_counts_and_digests(second, str(files[1]))
    for study in STUDIES:
        told = [
            told_by(store, capfdbinary, "export", "figures", study)
            for store in (source, first, second, *files)
        ]
        assert len(set(told)) == 1
        assert len(told[0]) > 500


@pytest.mark.deep
@pytest.mark.postgres
def test_both_engines_give_the_same_digest_and_another_one_after_any_change(
    small: Path, database: str
) -> None:
    told = copy_store_and_return_counts_and_digests(str(small), database).tables
    assert str(told["draft"]) != str(told["item"]) != "0" * 32
    with duckdb.connect(str(small)) as changing:
        columns = duckdb_engine.read_column_types_by_table(changing.cursor())["draft"]
        query = table_digests.portable_digest_sql("draft", columns, "duckdb")

        def digests() -> str:
            found = changing.execute(query).fetchall()
            return str(
                table_digests.sum_counts_and_digests_of_parts(
                    table_digests.Part(*map(int, part)) for _, *part in found
                )
            )

        assert digests() == str(told["draft"])
        for change in (
            "active_seconds = 0.1::double + 0.2::double where revision = 2",
            "item = chr(8232) where item = ''",
            "made_at = made_at + interval 1 microsecond where revision = 3",
            # The same values in other rows.
            "idle_seconds = case revision when 0 then 1 when 1 then 0 else idle_seconds end",
            "task = item, item = task",
        ):
            before = digests()
            changing.execute(f"update draft set {change}")
            assert digests() != before, change


# -- what is refused -----------------------------------------------------------------------------


def test_a_store_that_is_not_empty_is_not_copied_into(small: Path, target: str) -> None:
    with contextlib.closing(open_store(target)) as store:
        store.append("job", {"command": "mine"})
    with pytest.raises(InvalidInput, match="is not empty: it has 1 rows"):
        copy_store_and_return_counts_and_digests(str(small), target)
    with contextlib.closing(open_store(target)) as store:
        assert store.column("select command from job") == ["mine"]
        store.append("job", {"command": "and goes on"})


@pytest.mark.deep
def test_an_empty_store_is_filled(small: Path, target: str) -> None:
    open_store(target).close()
    copy_store_and_return_counts_and_digests(str(small), target)
    assert rows_of(target) == rows_of(small)


def test_a_store_is_not_copied_onto_itself_by_whatever_name(small: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.duckdb"
    link.symlink_to(small)
    for name in (small, link, tmp_path / "." / small.name):
        with pytest.raises(InvalidInput, match="onto itself"):
            copy_store_and_return_counts_and_digests(str(small), str(name))
    url = "postgresql://ada:{}@localhost:5432/medlens"
    with pytest.raises(InvalidInput, match="onto itself"):
        copy_store_and_return_counts_and_digests(url.format("one"), url.format("two"))


def test_what_is_no_store_is_neither_copied_nor_copied_onto(small: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.duckdb"
    text.write_text("not a store, but long enough to be taken for a file of some kind" * 100)
    for source, target in ((text, tmp_path / "new.duckdb"), (small, text), (small, tmp_path)):
        with pytest.raises((InvalidInput, StoreUnavailable)):
            copy_store_and_return_counts_and_digests(str(source), str(target))
    with pytest.raises(StoreUnavailable, match="There is no store"):
        copy_store_and_return_counts_and_digests(
            str(tmp_path / "none.duckdb"), str(tmp_path / "new.duckdb")
        )
    assert text.read_text().startswith("not a store")
    assert not (tmp_path / "new.duckdb").exists()
    assert not (tmp_path / "none.duckdb").exists()


def test_a_store_of_a_newer_version_is_not_copied(small: Path, target: str) -> None:
    with duckdb.connect(str(small)) as changing:
        changing.execute("insert into migration (version) values (999)")
    with pytest.raises(StoreUnavailable, match="newer MedLens"):
        copy_store_and_return_counts_and_digests(str(small), target)


@pytest.mark.deep
def test_a_store_of_an_older_version_stays_as_it_is_and_its_copy_is_of_this_one(
    small: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hashlib.sha256(small.read_bytes()).digest()
    version = next_step(monkeypatch, "alter table job add column later text")
    copy_store_and_return_counts_and_digests(str(small), target)
    assert hashlib.sha256(small.read_bytes()).digest() == before
    with contextlib.closing(open_store(target)) as store:
        assert "later" in store.column_types_by_table["job"]
        assert len(store.rows("select * from item")) == len(ODD_TEXTS)
    assert version == max(version for version, _ in migrations.STEPS)
    assert not list(small.parent.glob("*.older*"))


@pytest.mark.deep
@pytest.mark.postgres
def test_an_older_log_is_told_to_be_brought_up_to_date_first(
    small: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_store_and_return_counts_and_digests(str(small), database)
    next_step(monkeypatch, "alter table job add column later text")
    with pytest.raises(StoreUnavailable, match="of an older MedLens"):
        copy_store_and_return_counts_and_digests(database, str(tmp_path / "new.duckdb"))


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ada:hunter2@127.0.0.1:1/medlens",
        "postgresql://ada:hunter2@[bad/medlens",
        "postgresql://ada@127.0.0.1:1/medlens?password=hunter2",
    ],
)
@pytest.mark.parametrize(
    "is_source", [pytest.param(True, marks=pytest.mark.deep), False], ids=["from it", "to it"]
)
def test_a_password_in_an_address_is_never_printed(
    address: str, is_source: bool, small: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pair = (address, str(small.with_name("new.duckdb"))) if is_source else (str(small), address)
    assert cli.main(["copy", *pair]) == 1
    out, err = capfd.readouterr()
    assert "medlens:" in err
    assert "hunter2" not in out + err


COPIED_BY = "import sys; from medlens import cli; sys.exit(cli.main(sys.argv[1:]))"


# -- stopped and continued -----------------------------------------------------------------------


class Stopped(Exception):
    """Stands for whatever ended a copy."""


def half_copied(source: Path, target: str, monkeypatch: pytest.MonkeyPatch, chunks: int) -> None:
    """Have a copy end after so many chunks of a few rows."""
    for name in ("_MOST_ROWS", "_MOST_ROWS_OF_FILES"):
        monkeypatch.setattr(store_copying, name, 100)
    left = iter(range(chunks))

    def count(rows: int) -> None:
        if next(left, None) is None:
            raise Stopped

    with pytest.raises(Stopped):
        copy_store_and_return_counts_and_digests(str(source), target, progress=count)


@pytest.mark.deep
def test_a_copy_that_was_stopped_does_not_open_and_is_continued(
    source: Path, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half_copied(source, target, monkeypatch, 3)
    opened = target if "://" in target else f"{target}.copying"
    assert not Path(target).exists()
    with pytest.raises(StoreUnavailable, match="not finished"):
        open_store(opened)
    with pytest.raises(StoreUnavailable, match="not finished"):
        copy_store_and_return_counts_and_digests(opened, str(tmp_path / "from_half.duckdb"))
    copied = copy_store_and_return_counts_and_digests(str(source), target)
    assert copied.rows_now < copied.count_of_all_rows
    assert copied.rows_now or "://" in target  # there, several chunks go over at once
    assert rows_of(target) == rows_of(source)
    left = {file.name for file in tmp_path.glob("target*")}
    assert left <= {"target.duckdb", "target.duckdb.saved"}


@pytest.mark.deep
def test_a_damaged_draft_is_begun_anew(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = str(tmp_path / "target.duckdb")
    half_copied(source, target, monkeypatch, 3)
    draft = Path(f"{target}.copying")
    with draft.open("rb+") as stream:
        stream.seek(12_288)  # where the first block begins, behind three headers
        stream.write(os.urandom(draft.stat().st_size - 12_288))
    Path(f"{draft}.wal").unlink(missing_ok=True)
    copied = copy_store_and_return_counts_and_digests(str(source), target)
    assert copied.rows_now == copied.count_of_all_rows
    assert rows_of(target) == rows_of(source)


@pytest.mark.deep
def test_what_changed_in_the_source_meanwhile_is_copied_anew(
    source: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    half_copied(source, target, monkeypatch, 4)
    with duckdb.connect(str(source)) as changing:
        changing.execute("update item set body = '{}' where seq = (select min(seq) from item)")
        changing.execute("delete from item where seq = (select max(seq) from item)")
    with contextlib.closing(open_store(source)) as store:
        store.append("job", {"command": "later"})
    copy_store_and_return_counts_and_digests(str(source), target)
    assert rows_of(target) == rows_of(source)


@pytest.mark.deep
@pytest.mark.postgres
def test_a_process_with_the_empty_store_open_cannot_append_and_then_sees_the_copy(
    source: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(open_replica(database, every=3_600.0)) as running:
        half_copied(source, database, monkeypatch, 2)
        with pytest.raises(StoreUnavailable, match="being copied into this one"):
            running.append("job", {"command": "too early"})
        copied = copy_store_and_return_counts_and_digests(str(source), database)
        running.fetch_rows_of_other_processes_and_count()
        assert running.value("select count(*) from item") == copied.tables["item"].rows
        running.append("job", {"command": "in time"})
    assert [row[3] for row in rows_of(database)["job"] if row[3] != "demo"][-1:] == ["in time"]


@pytest.mark.deep
@pytest.mark.postgres
def test_two_copies_at_once_into_one_place_do_not_mix(
    source: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []

    def copy_again(rows: int) -> None:
        child = Child(COPIED_BY, "copy", str(source), target)
        refused.extend([str(child.wait())])

    monkeypatch.setattr(store_copying, "_MOST_ROWS", 10_000)
    copy_store_and_return_counts_and_digests(str(source), target, progress=copy_again)
    assert set(refused) == {"1"}
    assert rows_of(target) == rows_of(source)


@pytest.mark.deep
def test_a_full_disk_is_told_of_and_the_copy_continued(small: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.duckdb"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, before[1]))
    try:
        with pytest.raises(StoreUnavailable, match=r"cannot be (written|opened)") as told:
            copy_store_and_return_counts_and_digests(str(small), str(target))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "full" in str(told.value.hint)
    assert not target.exists()
    copy_store_and_return_counts_and_digests(str(small), str(target))
    assert rows_of(target) == rows_of(small)


COPY = """
import sys
from medlens.store import store_copying
store_copying._MOST_ROWS = store_copying._MOST_ROWS_OF_FILES = 50
store_copying.copy_store_and_return_counts_and_digests(sys.argv[1], sys.argv[2])
"""


@pytest.mark.deep
def test_a_copy_killed_at_any_moment_is_continued_and_never_opens_before_it_is_whole(
    source: Path, target: str
) -> None:
    draw = random.Random(int(os.environ.get("SEED", "7")))
    wanted = rows_of(source)
    began = time.monotonic()
    copy_store_and_return_counts_and_digests(str(source), str(source.with_name("timing.duckdb")))
    usual = time.monotonic() - began
    kills = 0
    for _ in range(60):
        child = Child(COPY, str(source), target)
        with contextlib.suppress(AssertionError):
            child.wait(draw.uniform(0, usual))
        if child.poll() is None:
            kills += 1
            child.send_signal(signal.SIGKILL)
        child.wait()
        for place in [target] if "://" in target else [target, f"{target}.copying"]:
            if "://" in place or Path(place).exists():
                # Not yet begun, not to be opened, or whole.
                with contextlib.suppress(StoreUnavailable):
                    found = rows_of(place)
                    assert found == wanted or not any(found.values())
        if kills == 20:
            break
        if Path(target).exists():
            assert rows_of(target) == wanted
            for file in duckdb_engine.paths_of_store_files(target):
                file.unlink(missing_ok=True)
    assert kills > 3
    with contextlib.suppress(InvalidInput):
        copy_store_and_return_counts_and_digests(str(source), target)
    assert rows_of(target) == wanted


# -- served --------------------------------------------------------------------------------------


@pytest.fixture
def app(small: Path) -> Iterator[Store]:
    """An app that has the store open and watches its inbox."""
    store = open_store(small)
    watched = job_inbox_of_running_app.InboxWatcher(
        store,
        lambda job, at: work_behind_commands.run_inbox_job_and_return_result_as_dict(
            store, Settings(), job, at
        ),
    )
    watched.start_watching_inbox()
    yield store
    watched.finish_job_and_stop_watching()
    store.close()


@pytest.mark.deep
def test_a_store_that_the_app_has_open_is_copied_as_it_is_now(
    app: Store, small: Path, target: str
) -> None:
    app.append("job", {"command": "just now"})
    child = Child(COPIED_BY, "copy", str(small), target)
    out, _ = child.communicate()
    assert child.returncode == 0
    assert "Copied" in out
    assert not list(job_inbox_of_running_app.path_of_inbox_folder(small).glob("done-*"))
    with contextlib.closing(open_store(target)) as store:
        assert store.value("select count(*) from job where command = 'just now'") == 1
        noted = "select about from audit_event where kind = 'backup'"
        assert (
            store.column(noted)
            == app.column(noted)
            == [store_copying.store_name_without_password(target)]
        )


@pytest.mark.deep
def test_copying_is_in_the_audit_log_of_both(small: Path, target: str) -> None:
    copy_store_even_if_open.copy_store_and_return_counts_and_digests(Settings(), str(small), target)
    for address in (small, target):
        with contextlib.closing(open_store(address)) as store:
            found = store.column("select about from audit_event where kind = 'backup'")
            assert found == [store_copying.store_name_without_password(target)]


@pytest.mark.deep
def test_the_files_that_items_show_go_along_and_another_one_of_their_name_stays(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MEDLENS_CONFIG", str(tmp_path / "medlens.toml"))
    (tmp_path / "medlens.toml").write_text('[own]\nfiles_folder = "shown"\n')
    (tmp_path / "shown" / "scans").mkdir(parents=True)
    for name in ("a.png", "b.png"):
        (tmp_path / "shown" / "scans" / name).write_bytes(name.encode() * 1000)
    words = ["copy", str(small), str(tmp_path / "new.duckdb"), "--files", str(tmp_path / "out")]
    assert cli.main([*words[:3]]) == 0
    assert "2 files that items show are not in it" in capfd.readouterr().out
    (tmp_path / "new.duckdb").unlink()
    (tmp_path / "new.duckdb.saved").unlink(missing_ok=True)
    (tmp_path / "out" / "files" / "scans").mkdir(parents=True)
    shutil.copy(tmp_path / "shown/scans/a.png", tmp_path / "out/files/scans/a.png")
    assert cli.main(words) == 0
    assert "Copied 2 files that items show" in capfd.readouterr().out
    assert (tmp_path / "out/files/scans/b.png").read_bytes() == b"b.png" * 1000
    (tmp_path / "out/files/scans/b.png").write_bytes(b"mine")
    with pytest.raises(InvalidInput, match="is not the same file as"):
        copy_attached_files_verified.copy_attached_files_and_count_all_and_earlier(
            load_settings(), tmp_path / "out"
        )
    assert (tmp_path / "out/files/scans/b.png").read_bytes() == b"mine"
