"""A damaged store or log is told in words, with what was lost as far as it can be known."""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from medlens import cli
from medlens.errors import StoreUnavailable
from medlens.store import database_block_checksums, open_store
from tests.children import Child
from tests.store.test_store import draft

pytestmark = pytest.mark.deep

_BLOCK = 262_144
_HEADERS = 3 * 4096
MAKE = """
import os, signal, sys
from medlens.store import open_store
store = open_store(sys.argv[1])
store.append("job", *[{"command": os.urandom(200).hex()} for _ in range(3000)])
store._root.execute("checkpoint")
for n in range(10):
    store.append("draft", dict(task="t", item=f"i{n}", rater="r", revision=1, body={},
                               active_seconds=1, idle_seconds=1))
os.kill(os.getpid(), signal.SIGKILL)
"""


def made(folder: Path) -> Path:
    path = folder / "store.duckdb"
    Child(MAKE, str(path)).communicate()
    return path


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 3,000 rows whose log holds 10 more; its process was killed."""
    return made(tmp_path_factory.mktemp("killed"))


@pytest.fixture
def path(killed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for file in killed.parent.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    path = tmp_path / killed.name
    monkeypatch.setenv("MEDLENS_STORE", str(path))
    return path


def log_of(path: Path) -> Path:
    return path.with_name(path.name + ".wal")


def flip(file: Path, at: int) -> None:
    data = bytearray(file.read_bytes())
    data[at] ^= 0xFF
    file.write_bytes(data)


def test_a_store_killed_at_work_is_sound(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check"]) == 0
    assert capsys.readouterr().out == "The store is sound.\n"


@pytest.mark.parametrize(
    ("harm", "lost"),
    [
        (lambda path: log_of(path).unlink(), 10),
        (lambda path: os.truncate(log_of(path), 0), 10),
        (lambda path: os.truncate(log_of(path), log_of(path).stat().st_size // 2), range(1, 10)),
        (lambda path: os.truncate(log_of(path), log_of(path).stat().st_size - 1), 1),
        (lambda path: flip(log_of(path), -20), 1),
    ],
    ids=["deleted", "emptied", "cut in the middle", "cut at its end", "damaged at its end"],
)
def test_what_a_lost_or_cut_log_held_is_said_until_it_was_dealt_with(
    path: Path,
    harm: Callable[[Path], None],
    lost: int | range,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    harm(path)
    store = open_store(path)
    left = store.rows("select count(*) from draft")[0][0]
    missing = 10 - left
    assert missing in (lost if isinstance(lost, range) else [lost])
    said = f"{missing} saved {'row is' if missing == 1 else 'rows are'} missing"
    assert said in caplog.text
    # What is saved later does not cover up what is missing.
    for n in range(20):
        store.append("draft", draft(1, item=f"later{n}"))
    store.close()
    for _ in range(2):
        assert cli.main(["check"]) == 1
        told = capsys.readouterr()
        assert f"{said} ({missing} of 'draft')" in told.err
        assert "sound" not in told.out
    path.with_name(path.name + ".saved").unlink()
    assert cli.main(["check"]) == 0


@pytest.mark.parametrize("at", [2, 100, 1_500])
def test_a_log_that_is_damaged_is_told_from_the_store(
    path: Path, at: int, capsys: pytest.CaptureFixture[str]
) -> None:
    flip(log_of(path), at)
    assert cli.main(["check"]) == 1
    told = capsys.readouterr().err
    assert "The log of the store" in told
    assert "damaged" in told
    # What the words advise works, and says what is missing.
    log_of(path).rename(path.with_name("aside"))
    assert cli.main(["check"]) == 1
    assert "10 saved rows are missing" in capsys.readouterr().err


def test_another_stores_log_and_a_log_without_its_store_are_refused(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other").mkdir()
    other = made(tmp_path / "other")
    log_of(other).replace(log_of(path))
    with pytest.raises(StoreUnavailable, match="another store's"):
        open_store(path)
    path.unlink()
    with pytest.raises(StoreUnavailable, match="is missing, while its log"):
        open_store(path)
    assert not path.exists()


def test_another_store_at_the_same_path_has_lost_nothing(path: Path, tmp_path: Path) -> None:
    for file in (path, log_of(path)):
        file.unlink()
    store = open_store(path)
    assert store.list_store_faults_in_words() == []
    store.close()


def test_a_note_that_is_not_whole_claims_nothing(path: Path) -> None:
    log_of(path).unlink()
    flip(path.with_name(path.name + ".saved"), 40)
    store = open_store(path)
    assert store.list_store_faults_in_words() == []
    store.close()


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda path: os.truncate(path, 0), "The file is empty."),
        (lambda path: os.truncate(path, 5000), "less than its headers"),
        (lambda path: os.truncate(path, _HEADERS + _BLOCK + 10), "ends in the middle of a block"),
        (lambda path: os.truncate(path, _HEADERS + _BLOCK), "is damaged: "),
        (lambda path: flip(path, 9), "does not say that this is a store"),
        (lambda path: flip(path, 4100), "Header 2 of 3 is damaged."),
        (lambda path: flip(path, _HEADERS + 5), "Block 0 of"),
        (lambda path: flip(path, _HEADERS + _BLOCK + 1000), "Block 1 of"),
        (lambda path: flip(path, -1), "is damaged (at byte"),
    ],
    ids=[
        "emptied",
        "cut in the headers",
        "cut in a block",
        "cut between blocks",
        "no store",
        "a header",
        "the first block",
        "a block in the middle",
        "the last byte",
    ],
)
def test_check_reads_every_block_and_names_the_damaged_without_a_traceback(
    path: Path, harm: Callable[[Path], None], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert database_block_checksums.list_file_damage_in_words(path) == []
    harm(path)
    before = path.read_bytes()
    seen = database_block_checksums.list_file_damage_in_words(path)
    assert cli.main(["check"]) == 1
    told = capsys.readouterr()
    assert said in told.err
    assert "sound" not in told.out
    # What the file itself shows is told without opening it as a store, which would write to it.
    assert not seen or path.read_bytes() == before


@pytest.mark.parametrize("length", [16, 24, 40, 4096, _BLOCK])
def test_a_small_file_is_checked_without_numpy_as_a_large_one_with_it(length: int) -> None:
    drawn = random.Random(length)
    block = drawn.randbytes(length)
    one, other = (
        made(block)
        for made in (
            database_block_checksums._combined_as_one_number,
            database_block_checksums._combined_by_numpy,
        )
    )
    assert one == other
    harmed = bytearray(block)
    harmed[drawn.randrange(8, length)] ^= 1
    assert database_block_checksums._combined_as_one_number(bytes(harmed)) != one


def test_a_large_file_is_read_with_numpy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_block_checksums, "_LARGE", 0)
    assert database_block_checksums.list_file_damage_in_words(path) == []
    flip(path, -1)
    assert "is damaged (at byte" in database_block_checksums.list_file_damage_in_words(path)[0]


def test_check_says_where_every_table_can_be_read_all_the_same(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with path.open("ab") as file:
        file.write(b"begun on a disk that was full")
    assert cli.main(["check"]) == 1
    told = capsys.readouterr()
    assert "ends in the middle of a block" in told.err
    assert told.out == "1 fault. All tables can still be read in full.\n"
    flip(path, _HEADERS + 3 * _BLOCK + 50_000)
    assert cli.main(["check"]) == 1
    assert "can still be read in full" not in capsys.readouterr().out


def test_check_says_once_for_each_table_what_cannot_be_read(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Other blocks say where the tables are: without them nothing opens.
    with duckdb.connect(path, read_only=True) as file:
        of_jobs = file.execute(
            "select distinct block_id from pragma_storage_info('job') where persistent"
        ).fetchall()
    for (n,) in of_jobs:
        flip(path, _HEADERS + n * _BLOCK + 50_000)
    assert cli.main(["check"]) == 1
    told = capsys.readouterr()
    assert "Table 'job' (3,000 rows): 3 columns of 4 cannot be read." in told.err
    assert told.err.count("Table 'job'") == 1
    assert told.err.count(" Error: ") == 1


def test_work_on_a_damaged_store_ends_in_words(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Rows of a table, not what says where the tables are: the store opens all the same.
    flip(path, _HEADERS + 4 * _BLOCK + 50_000)
    with contextlib.closing(open_store(path)) as store:
        for read in (
            store.read,
            store.fetch_query_result_as_arrow_table,
            store.rows,
            store.query_rows_as_dicts,
        ):
            with pytest.raises(StoreUnavailable, match="is damaged: ") as told:
                read("select command from job")
            assert "check says what can be read" in told.value.hint
        with (
            store.open_pending_transaction() as pending,
            pytest.raises(StoreUnavailable, match="is damaged: "),
        ):
            pending.stream_query_as_arrow_batches("select max(command) from job", {}, {}).read_all()
    assert cli.main(["backup", str(path.with_name("copy"))]) == 1
    assert not path.with_name("copy").exists()
    assert "is damaged: " in capsys.readouterr().err
