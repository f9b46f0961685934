"""Backups and exports go to new files: whatever the store is called, it is never written over."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from medlens import cli
from medlens.app import job_inbox_of_running_app, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput, MedLensError
from medlens.store import Store, open_store, output_file
from tests.store.test_store import killed_after_a_save

REPO = Path(__file__).resolve().parents[2]

Way = Callable[[Path], Path]


def linked(path: Path) -> Path:
    other = path.with_name("link.duckdb")
    other.symlink_to(path)
    return other


def hard_linked(path: Path) -> Path:
    other = path.with_name("hard.duckdb")
    os.link(path, other)
    return other


def link_to_a_link(path: Path) -> Path:
    other = path.with_name("second.duckdb")
    other.symlink_to(linked(path).name)
    return other


def through_a_linked_folder(path: Path) -> Path:
    folder = path.parent.parent / "way"
    folder.symlink_to(path.parent)
    return folder / path.name


def round_about(path: Path) -> Path:
    (path.parent / "sub").mkdir()
    return path.parent / "sub" / ".." / path.name


def relative(path: Path) -> Path:
    return Path(os.path.relpath(path))


def by_descriptor(path: Path) -> Path:
    handle = os.open(path, os.O_RDONLY)
    return Path(f"/proc/self/fd/{handle}")


def in_the_inbox(path: Path) -> Path:
    job_inbox_of_running_app.path_of_inbox_folder(path).mkdir(exist_ok=True)
    return job_inbox_of_running_app.path_of_inbox_folder(path) / "job-1"


WAYS: dict[str, Way] = {
    "its own path": lambda path: path,
    "a relative path": relative,
    "a way round": round_about,
    "a link": linked,
    "a link to a link": link_to_a_link,
    "a linked folder": through_a_linked_folder,
    "a hard link": hard_linked,
    "a descriptor": by_descriptor,
    "its log": lambda path: path.with_name(path.name + ".wal"),
    "its log in capitals": lambda path: path.with_name(path.name.upper() + ".WAL"),
    "its spill": lambda path: path.with_name(path.name + ".tmp") / "x",
    "its inbox": job_inbox_of_running_app.path_of_inbox_folder,
    "a place in its inbox": in_the_inbox,
}


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a row of which the log alone knows."""
    path = tmp_path_factory.mktemp("killed") / "cli.duckdb"
    killed_after_a_save(path)
    assert path.with_name(path.name + ".wal").stat().st_size
    return path


@pytest.fixture
def path(killed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That store, as this test's own."""
    path = tmp_path / "data" / killed.name
    shutil.copytree(killed.parent, path.parent)
    monkeypatch.setenv("MEDLENS_STORE", str(path))
    return path


@pytest.mark.first_quick
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_store_is_never_written_over_by_whatever_name(
    path: Path, way: Way, capsys: pytest.CaptureFixture[str]
) -> None:
    target = way(path)
    before = {one: one.read_bytes() for one in path.parent.iterdir() if one.is_file()}
    for words in (["backup"], ["export", "items", "-o"]):
        for force in ([], ["--force"]):
            assert cli.main([*words, str(target), *force]) == 1
            assert capsys.readouterr().err.startswith("medlens: ")
            after = {one: one.read_bytes() for one in path.parent.iterdir() if one.is_file()}
            assert after == before, (words, force)
    store = open_store(path)
    assert store.rows("select command from job") == [("x",)]
    store.close()


def test_a_store_that_an_app_holds_is_not_written_over_and_keeps_what_is_saved(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store(path)
    watched = job_inbox_of_running_app.InboxWatcher(
        store,
        lambda job, at: work_behind_commands.run_inbox_job_and_return_result_as_dict(
            store, Settings(), job, at
        ),
    )
    watched.start_watching_inbox()
    try:
        for way in (WAYS["its own path"], linked, hard_linked):
            # Handed over as another process would (test_cli), without waiting for it to start.
            assert cli.main(["backup", str(way(path)), "--force"]) == 1
            assert "Backed up" not in capsys.readouterr().out
        store.append("job", {"command": "later"})
        with pytest.raises(InvalidInput, match="the store itself"):
            store.backup(path, force=True)
    finally:
        watched.finish_job_and_stop_watching()
        store.close()
    again = open_store(path)
    assert again.rows("select command from job order by seq") == [("x",), ("later",)]
    again.close()


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "words",
    [["backup"], ["export", "items", "-o"], ["export", "figures", "tagging", "-o"]],
    ids=" ".join,
)
def test_a_file_that_is_there_is_replaced_only_when_asked_to(
    path: Path, tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "mine.csv"
    target.write_text("mine")
    assert cli.main([*words, str(target)]) == 1
    assert "already" in capsys.readouterr().err
    assert target.read_text() == "mine"
    assert cli.main([*words, str(target), "--force"]) == 0
    assert not target.read_bytes().startswith(b"mine")
    elsewhere = tmp_path / "elsewhere"
    link = tmp_path / "dangling"
    link.symlink_to(elsewhere)
    assert cli.main([*words, str(link), "--force"]) == 1
    assert not elsewhere.exists()


def test_a_file_that_appears_during_the_work_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"

    def work() -> None:
        with output_file.temporary_path_that_becomes_new_file(target) as part:
            part.write_text("ours")
            target.write_text("theirs")

    with pytest.raises(InvalidInput, match="already"):
        work()
    assert [one.read_text() for one in tmp_path.iterdir()] == ["theirs"]


def test_where_files_have_no_second_name_a_new_one_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with output_file.temporary_path_that_becomes_new_file(tmp_path / "out.csv") as part:
        part.write_text("whole")
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {"out.csv": "whole"}


def test_rows_that_were_refused_go_to_a_file_of_their_own_each_time(
    path: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.csv"
    for _ in range(2):
        file.write_text("item,question,response\na,Q,fine\nb,Q,\n", encoding="utf-8")
        assert cli.main(["import", "items", str(file), "--skip-bad"]) == 0
    assert {one.name for one in tmp_path.glob("mine.csv.bad*")} == {
        "mine.csv.bad.csv",
        "mine.csv.bad-2.csv",
    }


@pytest.fixture
def full(tmp_path: Path) -> Iterator[None]:
    """From here on no file of this process grows beyond 20 kB, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_backup_or_export_that_finds_no_room_says_so_and_leaves_nothing(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    store: Store = open_store(tmp_path / "store.duckdb")
    store.append("job", *[{"command": os.urandom(500).hex()} for _ in range(2000)])
    out = tmp_path / "out"
    out.mkdir()
    request.getfixturevalue("full")
    with pytest.raises(MedLensError, match=r"cannot be written.*disk full"):
        store.backup(out / "copy.duckdb")
    with (
        pytest.raises(MedLensError, match="cannot be written: File too large"),
        output_file.temporary_path_that_becomes_new_file(out / "table.csv") as part,
        part.open("xb") as stream,
    ):
        stream.write(b"x" * 30_000)
    assert list(out.iterdir()) == []
    assert store.rows("select count(*) from job") == [(2000,)]
    store.close()


@pytest.mark.deep
def test_an_export_to_a_full_device_says_so(path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "medlens", "export", "figures", "tagging"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=REPO,
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        b"medlens: The output cannot be written: No space left on device."
    ]
