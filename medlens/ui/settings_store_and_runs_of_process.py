"""What one server process holds: its settings, and the store, opened once."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medlens.app import work_behind_commands
from medlens.app.job_inbox_of_running_app import InboxWatcher
from medlens.app.run_launcher import RunLauncher
from medlens.app.scheduled_backups_and_restore import BackupSchedule
from medlens.app.store_opening import open_configured_store
from medlens.config.settings import Settings, load_settings, path_of_settings_file
from medlens.errors import MedLensError, StoreUnavailable
from medlens.review import audit_log
from medlens.store import Store
from medlens.studies.installed_studies_and_bridges import register_installed_studies_and_list_faults

Stamp = tuple[int, int, int] | None
_FILE = "medlens.toml"
_SOMEBODY = "an address that nothing else has"


@dataclass(frozen=True)
class Read:
    """The current settings, the file's stamp when it was read, and what has gone wrong since."""

    settings: Settings
    stamp: Stamp
    fault: MedLensError | None = None


# Before the settings are read, which have a section for each study.
register_installed_studies_and_list_faults()
_lock = threading.Lock()
_held: dict[str, tuple[Store, InboxWatcher, RunLauncher, BackupSchedule]] = {}
_read: list[Read] = []


def current_settings() -> Settings:
    """The settings as the file says now: a change in it takes effect at everybody's next action.

    A file that has become invalid or is missing changes nothing (``error_in_settings_file`` reports
    it). The store and the addresses served stay as they were when the process started.
    """
    with _lock:
        stamp = _stamp()
        if not _read:
            _read.append(Read(load_settings(), stamp))
        before = _read[0]
        if stamp == before.stamp:
            return before.settings
        now = _read[0] = _read_again(before, stamp)
    for opened, _, launcher, _ in list(_held.values()):
        launcher.settings = now.settings
        _note_changes(opened, before.settings, now)
    return now.settings


def error_in_settings_file() -> MedLensError | None:
    """What has been wrong with the settings file since it was last valid."""
    with _lock:
        return _read[0].fault if _read else None


def _stamp() -> Stamp:
    try:
        found = path_of_settings_file().stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read_again(before: Read, stamp: Stamp) -> Read:
    if stamp is None:
        gone = MedLensError(f"{path_of_settings_file()} is gone.", hint="Put it back.")
        return Read(before.settings, stamp, gone)
    try:
        found = load_settings()
    except MedLensError as fault:
        return Read(before.settings, stamp, fault)
    kept = {"store": before.settings.store, "serve": before.settings.serve}
    return Read(found.model_copy(update=kept), stamp)


def _note_changes(opened: Store, before: Settings, now: Read) -> None:
    """Record changes of the settings file in the audit log, once even with several processes."""
    if now.fault is not None or now.settings == before:
        return
    changed = [
        name
        for name in Settings.model_fields
        if getattr(before, name) != getattr(now.settings, name)
    ]
    audit_log.record_entry(
        opened, "settings", who=_FILE, about=", ".join(changed), once=f"{now.stamp}{changed}"
    )
    old, new = before.people, now.settings.people
    for address in sorted({*old, *new}):
        was, becomes = old.get(address), new.get(address)
        if was != becomes:
            audit_log.record_entry(
                opened,
                "role",
                who=_FILE,
                # That of somebody who was erased must not come back with their line's end.
                about=address
                if becomes or not audit_log.may_address_be_of_erased_person(opened, address)
                else _SOMEBODY,
                detail=f"{was or 'nobody'} to {becomes or 'nobody'}",
                once=f"{now.stamp}{address}",
            )


def store_of_process() -> Store:
    """The store of this process, opened at the first call, with its inbox watched.

    Raises:
        StoreUnavailable: it cannot be opened; the next call tries again.
    """
    chosen = current_settings()
    with _lock:
        if chosen.store not in _held:
            opened = open_configured_store(chosen)
            launcher = RunLauncher(opened, chosen)

            def do(job: Mapping[str, Any], folder: Path) -> dict[str, Any]:
                if "order" in job:
                    return launcher.forecast_or_run_inbox_order(job)
                return work_behind_commands.run_inbox_job_and_return_result_as_dict(
                    opened, current_settings(), job, folder
                )

            inbox = InboxWatcher(opened, do)
            inbox.start_watching_inbox()
            schedule = BackupSchedule(opened, current_settings)
            schedule.start_backup_thread()
            _held[chosen.store] = (opened, inbox, launcher, schedule)
        return _held[chosen.store][0]


def store_of_process_if_open() -> Store | None:
    """``store_of_process``, but only if it is open already: for what must not wait."""
    held = _held.get(current_settings().store)
    return held[0] if held else None


def run_launcher_of_process() -> RunLauncher:
    """The launcher of this process's runs.

    Raises:
        StoreUnavailable: as ``store``.
    """
    store_of_process()
    return _held[current_settings().store][2]


def is_store_healthy() -> bool:
    """Whether the store is open, or can be opened now, and answers."""
    try:
        store_of_process().require_responsive_store()
    except MedLensError:
        return False
    return True


def stop_runs_and_close_store() -> None:
    """Finish the current job, stop the runs, close the store; when the process or a test ends."""
    with _lock:
        for opened, inbox, launcher, schedule in _held.values():
            inbox.finish_job_and_stop_watching()
            schedule.finish_backup_and_stop_thread()
            launcher.background.stop_all_work_and_wait()
            opened.close()
        _held.clear()
        _read.clear()


def open_store_before_first_request() -> None:
    """Open the store before the first request, so that the first page does not wait for it."""
    try:
        store_of_process()
    except StoreUnavailable as error:
        if error.held:
            raise
        # The page reports this to the person who can fix it, and tries again.
        return


atexit.register(stop_runs_and_close_store)
