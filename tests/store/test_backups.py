"""Backups by a schedule, and going back to one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from medlens import cli
from medlens.app import scheduled_backups_and_restore
from medlens.app.scheduled_backups_and_restore import (
    BackupSchedule,
    check_store_and_backups_as_dict,
    list_backups_with_moment,
    make_due_backup_and_remove_expired,
    status_of_backups,
)
from medlens.config.settings import Backups, Settings
from medlens.errors import BadFile, InvalidInput, StoreUnavailable
from medlens.review import audit_log
from medlens.store import Store, open_store
from medlens.studies.own.study import OwnSettings
from tests.store.made_up import poems
from tests.store.test_copying import rows_of

NIGHT = datetime(2026, 3, 2, 2, 0, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with contextlib.closing(open_store(tmp_path / "store.duckdb")) as store:
        poems(store, 3)
        yield store


@pytest.fixture
def nightly(tmp_path: Path) -> Backups:
    return Backups(folder=tmp_path / "nightly", keep_days=3)


@pytest.mark.deep
def test_last_nights_backup_is_restored_by_one_command_and_checked(
    store: Store, nightly: Backups, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert nightly.folder is not None
    make_due_backup_and_remove_expired(store, nightly, NIGHT - timedelta(days=1))
    store.append("job", {"command": "of yesterday"})
    last = make_due_backup_and_remove_expired(store, nightly, NIGHT + timedelta(minutes=5))
    store.append("job", {"command": "of today"})
    new = tmp_path / "new.duckdb"
    assert cli.main(["restore", str(nightly.folder), str(new)]) == 0
    out = capfd.readouterr().out
    assert f"of {last} to {new}" in out
    assert "The store is sound." in out
    assert [row[3] for row in rows_of(new)["job"]] == ["of yesterday"]
    assert cli.main(["restore", str(nightly.folder), str(new)]) == 1
    assert "is not empty" in capfd.readouterr().err


def test_each_night_has_one_backup_and_old_ones_go_but_never_the_newest(
    store: Store, nightly: Backups
) -> None:
    assert nightly.folder is not None
    for day in range(6):
        now = NIGHT + timedelta(days=day, hours=1)
        made = make_due_backup_and_remove_expired(store, nightly, now)
        assert made
        assert make_due_backup_and_remove_expired(store, nightly, now + timedelta(hours=3)) is None
    (nightly.folder / "mine.duckdb").touch()
    days = [made.day for made, _ in list_backups_with_moment(nightly.folder)]
    assert days == [5, 6, 7]
    make_due_backup_and_remove_expired(store, nightly, NIGHT + timedelta(days=100))
    assert [made for made, _ in list_backups_with_moment(nightly.folder)] == [
        NIGHT + timedelta(days=100)
    ]
    assert (nightly.folder / "mine.duckdb").exists()
    assert store.column("select distinct who from audit_event where kind = 'backup'") == [
        scheduled_backups_and_restore.SCHEDULE
    ]


def test_a_backup_that_the_app_slept_through_is_made_when_it_runs_again(
    store: Store, nightly: Backups
) -> None:
    noon = NIGHT + timedelta(hours=10)
    late = status_of_backups(store, nightly, noon)
    assert "was not made: backups are made only while the app runs" in late.fault
    made = BackupSchedule(
        store, lambda: Settings(backups=nightly), lambda: noon
    ).make_backup_if_due_and_return_path()
    assert made is not None
    assert made.name == "medlens-2026-03-02T0200.duckdb"
    after = status_of_backups(store, nightly, noon)
    assert after.fault == ""
    assert "2026-03-02 02:00 UTC" in after.line
    assert status_of_backups(store, Backups(), noon) == scheduled_backups_and_restore.Status("", "")


def test_a_backup_that_failed_is_told_of_until_it_is_made_and_tried_again_after_a_while(
    store: Store, nightly: Backups
) -> None:
    assert nightly.folder is not None
    nightly.folder.write_text("in the way")
    times = iter(NIGHT + timedelta(minutes=after) for after in (1, 2, 12))
    schedule = BackupSchedule(store, lambda: Settings(backups=nightly), lambda: next(times))
    assert schedule.make_backup_if_due_and_return_path() is None
    told = status_of_backups(store, nightly, NIGHT + timedelta(minutes=1))
    assert "medlens-2026-03-02T0200.duckdb could not be made" in told.fault
    nightly.folder.unlink()
    assert schedule.make_backup_if_due_and_return_path() is None
    assert schedule.make_backup_if_due_and_return_path() is not None
    assert status_of_backups(store, nightly, NIGHT + timedelta(minutes=12)).fault == ""
    assert store.value("select count(*) from audit_event where kind = 'backup_failed'") == 1


@pytest.mark.deep
def test_check_says_when_the_last_backup_was_made_and_fails_where_one_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    open_store(tmp_path / "store.duckdb").close()
    config = tmp_path / "medlens.toml"
    config.write_text('store = "store.duckdb"\n[backups]\nfolder = "nightly"\n')
    monkeypatch.setenv("MEDLENS_CONFIG", str(config))
    monkeypatch.delenv("MEDLENS_STORE", raising=False)
    now = datetime.now(UTC)
    with contextlib.closing(open_store(tmp_path / "store.duckdb")) as store:
        make_due_backup_and_remove_expired(store, Backups(folder=tmp_path / "nightly"), now)
    assert cli.main(["check"]) == 0
    assert "The last scheduled backup is of" in capfd.readouterr().out
    for file in (tmp_path / "nightly").iterdir():
        file.unlink()
    due = f"{now - timedelta(hours=2):%H:%M}"
    config.write_text(f'store = "store.duckdb"\n[backups]\nfolder = "nightly"\nat = "{due}"\n')
    assert cli.main(["check"]) == 1
    assert "was not made" in capfd.readouterr().err


def test_a_damaged_backup_is_not_restored_and_an_empty_folder_has_none(
    store: Store, nightly: Backups, tmp_path: Path
) -> None:
    made = make_due_backup_and_remove_expired(store, nightly, NIGHT)
    assert made is not None
    with made.open("r+b") as stream:
        stream.seek(20_000)
        stream.write(b"damage" * 10)
    new = tmp_path / "new.duckdb"
    with pytest.raises(StoreUnavailable, match="is damaged"):
        scheduled_backups_and_restore.restore_backup(Settings(), made, str(new))
    assert not new.exists()
    (tmp_path / "empty").mkdir()
    for nothing in (tmp_path / "empty", tmp_path / "none.duckdb"):
        with pytest.raises(InvalidInput):
            scheduled_backups_and_restore.restore_backup(Settings(), nothing, str(new))


@pytest.mark.parametrize("at", ["2:00", "24:00", "02:60", "night"])
def test_a_time_that_is_none_is_refused(
    at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from medlens.config.settings import load_settings

    config = tmp_path / "medlens.toml"
    config.write_text(f'[backups]\nat = "{at}"\n')
    with pytest.raises(BadFile, match="mistake"):
        load_settings({"MEDLENS_CONFIG": str(config)})


@pytest.fixture
def attached(tmp_path: Path) -> Settings:
    folder = tmp_path / "files"
    (folder / "ward").mkdir(parents=True)
    (folder / "ward/a.png").write_bytes(b"A picture.")
    (folder / "ward/b.png").write_bytes(b"Another picture.")
    return Settings().model_copy(update={"own": OwnSettings(files_folder=folder)})


def moved(settings: Settings, folder: Path) -> Settings:
    """Settings of another machine, with its own folder."""
    return Settings().model_copy(update={"own": OwnSettings(files_folder=folder)})


def pool(nightly: Backups) -> list[str]:
    assert nightly.folder is not None
    return sorted(one.read_bytes().decode() for one in nightly.folder.glob("attached/*/*"))


@pytest.mark.deep
def test_a_backup_has_the_files_that_items_show_each_once_and_restores_them(
    store: Store, nightly: Backups, attached: Settings, tmp_path: Path
) -> None:
    assert nightly.folder is not None
    make_due_backup_and_remove_expired(store, nightly, NIGHT, settings=attached)
    (tmp_path / "files/ward/c.png").write_bytes(b"A third.")
    make_due_backup_and_remove_expired(store, nightly, NIGHT + timedelta(days=1), settings=attached)
    assert pool(nightly) == ["A picture.", "A third.", "Another picture."]

    there = moved(attached, tmp_path / "elsewhere")
    done = scheduled_backups_and_restore.restore_backup(
        there, nightly.folder, str(tmp_path / "new.duckdb")
    )
    assert (done.files, done.files_there, done.faults) == (3, 0, ())
    assert (tmp_path / "elsewhere/ward/c.png").read_bytes() == b"A third."
    # The night before had two. They are there, and stay.
    first = list_backups_with_moment(nightly.folder)[0][1]
    done = scheduled_backups_and_restore.restore_backup(
        there, first, str(tmp_path / "newer.duckdb")
    )
    assert (done.files, done.files_there, done.faults) == (2, 2, ())


@pytest.mark.deep
def test_what_is_wrong_with_an_attached_file_of_a_backup_is_told(
    store: Store, nightly: Backups, attached: Settings, tmp_path: Path
) -> None:
    assert nightly.folder is not None
    make_due_backup_and_remove_expired(store, nightly, NIGHT, settings=attached)
    [damaged] = [one for one in nightly.folder.glob("attached/*/*") if b"Anot" in one.read_bytes()]
    damaged.write_bytes(b"Another pictune.")
    (tmp_path / "elsewhere/ward").mkdir(parents=True)
    (tmp_path / "elsewhere/ward/a.png").write_bytes(b"A file of somebody else.")
    there = moved(attached, tmp_path / "elsewhere")
    done = scheduled_backups_and_restore.restore_backup(
        there, nightly.folder, str(tmp_path / "new.duckdb")
    )
    assert done.faults == (
        f"{tmp_path}/elsewhere/ward/a.png differs from the file in the backup, and was left as it"
        " is.",
        "The attached file files/ward/b.png is missing or damaged in the backup.",
    )
    assert (tmp_path / "elsewhere/ward/a.png").read_bytes() == b"A file of somebody else."
    # Nobody has named a folder for the images of cases.
    [listed] = nightly.folder.glob("*.files.json")
    listed.write_text(listed.read_text().replace("files/ward", "images/ward"))
    done = scheduled_backups_and_restore.restore_backup(
        there, nightly.folder, str(tmp_path / "newer.duckdb")
    )
    assert done.faults == (
        "2 attached files of the backup had no folder to go to: name it in medlens.toml"
        " (images_folder under [agentclinic]), and restore again.",
    )


@pytest.mark.deep
def test_check_tells_of_damaged_attached_files_and_the_next_backup_mends_them(
    store: Store, nightly: Backups, attached: Settings
) -> None:
    settings = attached.model_copy(update={"backups": nightly})
    for night in range(2):
        make_due_backup_and_remove_expired(
            store, nightly, NIGHT + timedelta(days=night), settings=attached
        )
    assert check_store_and_backups_as_dict(store, settings)["damaged"] == []
    [damaged] = [one for one in nightly.folder.glob("attached/*/*") if b"Anot" in one.read_bytes()]
    whole = damaged.read_bytes()
    damaged.write_bytes(b"Another pictune.")
    [told] = check_store_and_backups_as_dict(store, settings)["damaged"]
    assert told.startswith("The attached file files/ward/b.png is missing or damaged in 2 backups,")
    make_due_backup_and_remove_expired(store, nightly, NIGHT + timedelta(days=2), settings=attached)
    assert damaged.read_bytes() == whole
    assert check_store_and_backups_as_dict(store, settings)["damaged"] == []
    # One whose original is gone cannot be mended, and stays told.
    damaged.unlink()
    (attached.of(OwnSettings).files_folder / "ward/b.png").unlink()
    made = make_due_backup_and_remove_expired(
        store, nightly, NIGHT + timedelta(days=3), settings=attached
    )
    assert made
    [told] = check_store_and_backups_as_dict(store, settings)["damaged"]
    assert "files/ward/b.png is missing or damaged in 3 backups" in told
    assert audit_log.detail_of_last_entry(store, "backup", about=made.name) == (
        "1 attached file of backups damaged, as check says"
    )


def test_attached_files_go_with_the_last_backup_that_has_them(
    store: Store, nightly: Backups, attached: Settings, tmp_path: Path
) -> None:
    assert nightly.folder is not None
    make_due_backup_and_remove_expired(store, nightly, NIGHT, settings=attached)
    (tmp_path / "files/ward/b.png").unlink()
    for held in nightly.folder.glob("attached/*/*"):
        os.utime(held, (0, 0))
    make_due_backup_and_remove_expired(store, nightly, NIGHT + timedelta(days=1), settings=attached)
    assert pool(nightly) == ["A picture.", "Another picture."]
    for held in nightly.folder.glob("attached/*/*"):
        os.utime(held, (0, 0))
    make_due_backup_and_remove_expired(store, nightly, NIGHT + timedelta(days=9), settings=attached)
    assert pool(nightly) == ["A picture."]
    assert len(list(nightly.folder.glob("*.files.json"))) == 1


@pytest.mark.deep
def test_a_list_of_attached_files_that_leads_elsewhere_is_not_followed(
    store: Store, nightly: Backups, attached: Settings, tmp_path: Path
) -> None:
    assert nightly.folder is not None
    make_due_backup_and_remove_expired(store, nightly, NIGHT, settings=attached)
    [listed] = nightly.folder.glob("*.files.json")
    listed.write_text(listed.read_text().replace("files/ward/a.png", "files/../../a.png"))
    there = moved(attached, tmp_path / "elsewhere/deep")
    done = scheduled_backups_and_restore.restore_backup(
        there, nightly.folder, str(tmp_path / "new.duckdb")
    )
    assert done.files == 1
    assert "leads out of its folder" in done.faults[0]
    assert not (tmp_path / "a.png").exists()
