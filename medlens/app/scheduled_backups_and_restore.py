"""Backups by a schedule: made by the app, kept for a number of days, and restored into a new store.

A backup is named after its time of day in the schedule (UTC), so that of several app processes that
share a folder only one makes it, and one that the app was not running for is made when it starts.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from medlens.app import attached_files_in_backups, store_check
from medlens.app.store_opening import open_configured_store
from medlens.config.settings import Backups, Settings
from medlens.errors import InvalidInput, MedLensError, StoreUnavailable
from medlens.review import audit_log
from medlens.store import Store, database_block_checksums, store_copying
from medlens.store.postgres_timeout_settings import PostgresTimeouts

_log = logging.getLogger(__name__)
SCHEDULE = "schedule"
"""Who makes them, in the audit log."""
_NAME = re.compile(r"medlens-(\d{4}-\d\d-\d\dT\d{4})\.duckdb")
_STAMP = "%Y-%m-%dT%H%M"
_LATE = timedelta(hours=1)
_LOOK_SECONDS = 20.0
_TRY_AGAIN = timedelta(minutes=10)


def last_due_backup_moment(backups: Backups, now: datetime) -> datetime:
    """The latest moment at which a backup was due."""
    hour, minute = map(int, backups.at.split(":"))
    today = now.astimezone(UTC).replace(hour=hour, minute=minute, second=0, microsecond=0)
    return today if today <= now else today - timedelta(days=1)


def list_backups_with_moment(folder: Path) -> list[tuple[datetime, Path]]:
    """The scheduled backups in a folder, the oldest first; none if there is no such folder."""
    found = []
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        for file in folder.iterdir():
            if (name := _NAME.fullmatch(file.name)) and file.is_file():
                with contextlib.suppress(ValueError):
                    found.append((datetime.strptime(name[1], _STAMP).replace(tzinfo=UTC), file))
    return sorted(found)


def make_due_backup_and_remove_expired(
    store: Store, backups: Backups, now: datetime, *, settings: Settings | None = None
) -> Path | None:
    """Make the backup that is due, unless it is there, and remove those that were kept long enough;
    returns the new file. With ``settings`` the files that items show are saved beside it. What came
    of it is in the audit log.

    Raises:
        MedLensError: it could not be made, or cannot be read back; the older ones stay.
    """
    if backups.folder is None:
        return None
    due = last_due_backup_moment(backups, now)
    file = backups.folder / f"medlens-{due:{_STAMP}}.duckdb"
    if file.exists():
        return None
    try:
        _make_folder(file.parent)
        # Twice: what is deleted while the backup is written is saved before, what is new after.
        if settings is not None:
            attached_files_in_backups.save_attached_files_beside_backup(settings, file)
        _write(store, file)
        if settings is not None:
            attached_files_in_backups.save_attached_files_beside_backup(settings, file)
    except MedLensError as error:
        if file.exists() and isinstance(error, InvalidInput):
            return None  # Another app process was quicker.
        # Not twice for the same day, however often it is tried.
        with contextlib.suppress(MedLensError):
            audit_log.record_entry(
                *(store, "backup_failed"),
                who=SCHEDULE,
                about=file.name,
                detail=error.message,
                once=f"{file.name} {error.message}",
            )
        raise
    damaged = attached_files_in_backups.list_damaged_backup_files_in_words(
        [one for _, one in list_backups_with_moment(file.parent)]
    )
    many = "1 attached file" if len(damaged) == 1 else f"{len(damaged):,} attached files"
    detail = f"{many} of backups damaged, as check says"
    audit_log.record_entry(
        store, "backup", who=SCHEDULE, about=file.name, detail=detail if damaged else ""
    )
    for words in damaged:
        _log.error("%s", words, extra={"words": words})
    _remove_old(backups, now)
    return file


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreUnavailable(
            f"The folder {folder} for backups cannot be made: {error.strerror}.",
            hint="Name another one in medlens.toml: folder under [backups].",
        ) from error


def _write(store: Store, file: Path) -> None:
    store.backup(file)
    if damage := database_block_checksums.list_file_damage_in_words(file):
        with contextlib.suppress(OSError):
            file.rename(file.with_name(f"{file.name}.damaged"))
        raise StoreUnavailable(
            f"The backup {file.name} cannot be read back: {damage[0]}",
            hint="Check the disk. The older backups are as they were.",
        )


def _remove_old(backups: Backups, now: datetime) -> None:
    """Remove what is older than the days for which backups are kept, but never the newest."""
    assert backups.folder is not None
    for made, file in list_backups_with_moment(backups.folder)[:-1]:
        if now - made > timedelta(days=backups.keep_days):
            with contextlib.suppress(OSError):
                file.unlink()
                attached_files_in_backups.path_of_attached_file_list(file).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        attached_files_in_backups.remove_file_lists_without_backup(backups.folder)


@dataclass(frozen=True)
class Status:
    """When the last scheduled backup was made, in a sentence, and what is wrong, if anything."""

    line: str
    fault: str


def status_of_backups(store: Store, backups: Backups, now: datetime) -> Status:
    """How the scheduled backups stand; both sentences are empty where none are scheduled."""
    if backups.folder is None:
        return Status("", "")
    there = list_backups_with_moment(backups.folder)
    due = last_due_backup_moment(backups, now)
    line = f"No scheduled backup is in {backups.folder} yet."
    if there:
        made, file = there[-1]
        size = f"{file.stat().st_size / 1e6:,.1f} MB"
        line = f"The last scheduled backup is of {made:%Y-%m-%d %H:%M} UTC: {file.name}, {size}."
    if there and there[-1][0] >= due:
        return Status(line, "")
    name = f"medlens-{due:{_STAMP}}.duckdb"
    if reason := audit_log.detail_of_last_entry(store, "backup_failed", about=name):
        return Status(line, f"The backup {name} could not be made: {reason}")
    if now - due < _LATE:
        return Status(line, "")
    return Status(
        line,
        f"The backup of {due:%Y-%m-%d %H:%M} UTC was not made: backups are made only while the app"
        " runs.",
    )


def status_of_configured_backups_now(store: Store, settings: Settings) -> Status:
    """``status_of_backups`` by these settings, now."""
    return status_of_backups(store, settings.backups, datetime.now(UTC))


def check_store_and_backups_as_dict(store: Store, settings: Settings) -> dict[str, Any]:
    """All that ``medlens check`` tells: a ``line``, the ``faults``, how ``backups`` stand, and
    which of their attached files are ``damaged``.
    """
    folder = settings.backups.folder
    there = [file for _, file in list_backups_with_moment(folder)] if folder else []
    return {
        "damaged": attached_files_in_backups.list_damaged_backup_files_in_words(there),
        "line": store_check.number_of_judgments_without_run_in_words(store),
        "faults": store_check.list_store_faults_in_words(store, settings),
        "backups": asdict(status_of_configured_backups_now(store, settings)),
    }


class BackupSchedule:
    """A thread that makes each backup when it is due, or as soon as the app runs again."""

    def __init__(
        self,
        store: Store,
        settings: Callable[[], Settings],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._not_before = datetime.min.replace(tzinfo=UTC)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="medlens-backups", daemon=True)

    def start_backup_thread(self) -> None:
        """Start watching the clock."""
        self._thread.start()

    def finish_backup_and_stop_thread(self) -> None:
        """Finish the current backup and stop."""
        self._stop.set()
        self._thread.join(timeout=30)

    def make_backup_if_due_and_return_path(self) -> Path | None:
        """Make the backup that is due, if it is not there; one that failed is tried again ten
        minutes later.
        """
        now = self._clock()
        settings = self._settings()
        backups = settings.backups
        if backups.folder is None or now < self._not_before:
            return None
        try:
            return make_due_backup_and_remove_expired(self._store, backups, now, settings=settings)
        except MedLensError as error:
            self._not_before = now + _TRY_AGAIN
            words = f"The scheduled backup failed: {error.message}"
            _log.error("%s", words, extra={"words": words})
        return None

    def _watch(self) -> None:
        while not self._stop.wait(_LOOK_SECONDS):
            try:
                self.make_backup_if_due_and_return_path()
            except Exception:  # noqa: BLE001  (a fault must not end all later backups)
                _log.exception("The scheduled backup failed")


# -- going back to one -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Restored:
    """What was restored: the backup, its rows, and what a check of the new store and of attached
    ``files`` found; ``files_there`` of them were in their folder already.
    """

    backup: Path
    rows: int
    faults: tuple[str, ...]
    files: int = 0
    files_there: int = 0


def restore_backup(
    settings: Settings,
    backup: Path,
    target: str,
    *,
    progress: Callable[[int], object] = lambda rows: None,
) -> Restored:
    """Copy a backup into a new store, and the files that its items show into the folders that the
    settings name, and check both. ``backup`` is a file, or the folder of scheduled backups, of
    which the newest is taken. The backup stays as it is, and so does any file that is there.

    Raises:
        InvalidInput: the folder has none, or the target is not empty.
        StoreUnavailable: the backup is damaged, or the target cannot be written.
    """
    if backup.is_dir():
        there = list_backups_with_moment(backup)
        if not there:
            raise InvalidInput(
                f"No scheduled backup is in {backup}.", hint="Name the file of a backup."
            )
        backup = there[-1][1]
    if not backup.is_file():
        raise InvalidInput(f"There is no backup {backup}.", hint="Check the path.")
    if damage := database_block_checksums.list_file_damage_in_words(backup):
        raise StoreUnavailable(
            f"The backup {backup} is damaged: {damage[0]}", hint="Take an older one."
        )
    limits = PostgresTimeouts(**settings.postgres.model_dump())
    copied = store_copying.copy_store_and_return_counts_and_digests(
        str(backup), target, limits=limits, progress=progress
    )
    files = attached_files_in_backups.restore_attached_files_and_report(settings, backup)
    there_now = settings.model_copy(update={"store": target})
    with contextlib.closing(open_configured_store(there_now)) as store:
        faults = tuple(store_check.list_store_faults_in_words(store, there_now))
    return Restored(
        Path(os.path.normpath(backup)),
        copied.count_of_all_rows,
        (*faults, *files.faults),
        files.written + files.there,
        files.there,
    )
