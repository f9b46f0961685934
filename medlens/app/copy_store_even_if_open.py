"""Copies a store to another place, also while the app has it open."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping

from medlens.app import job_inbox_of_running_app
from medlens.app.store_opening import open_store_unless_held
from medlens.app.work_behind_commands import CLI
from medlens.config.settings import Settings
from medlens.errors import StoreUnavailable
from medlens.review import audit_log
from medlens.store import Row, new_id, store_copying, to_json, utc_now
from medlens.store.postgres_timeout_settings import PostgresTimeouts
from medlens.store.store_copying import CopyResult, store_name_without_password

SNAPSHOT = "backup.duckdb"
"""The file that the app makes for a copy of the store that it has open."""


def copy_store_and_return_counts_and_digests(
    settings: Settings,
    source: str,
    target: str,
    *,
    progress: Callable[[int], object] = lambda rows: None,
) -> CopyResult:
    """Copy a store into an empty one, as
    ``store_copying.copy_store_and_return_counts_and_digests``; if the app has the source open, it
    makes a snapshot, which is copied. The copy is noted in the source's audit log, where that can
    be written.

    Raises:
        MedLensError: as there, and as
            ``job_inbox_of_running_app.submit_job_and_await_result_and_folder``.
    """
    limits = PostgresTimeouts(**settings.postgres.model_dump())

    def copy(of: str, noted: Mapping[str, Row]) -> CopyResult:
        return store_copying.copy_store_and_return_counts_and_digests(
            of, target, limits=limits, noted=noted, progress=progress
        )

    try:
        return copy(source, {"audit_event": _noted(target)})
    except StoreUnavailable as error:
        if not error.held:
            raise
    job = {"verb": "copy", "to": store_name_without_password(target)}
    asked = settings.model_copy(update={"store": source})
    done = job_inbox_of_running_app.submit_job_or_open_store(
        source, job, lambda: open_store_unless_held(asked)
    )
    if not isinstance(done, tuple):
        done.close()
        return copy(source, {"audit_event": _noted(target)})
    _, folder = done
    try:
        return copy(str(folder / SNAPSHOT), {})
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _noted(target: str) -> Row:
    """The entry in the audit log."""
    return {
        "id": new_id(),
        "made_at": utc_now(),
        "kind": "backup",
        "who": CLI,
        "about": audit_log.clean_entry_text(store_name_without_password(target)),
        "body": to_json({"detail": "copied"}),
    }
