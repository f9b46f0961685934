"""Copies a store to another place, also while the app has it open, with the files that items
show.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from medlens.app import job_inbox
from medlens.app.commands import CLI
from medlens.app.store_opening import try_to_open_store
from medlens.config.settings import Settings
from medlens.errors import InvalidInput, MedLensError, StoreUnavailable
from medlens.review import audit_log
from medlens.store import Row, new_id, store_copying, to_json, utc_now
from medlens.store.postgres_timeouts import Limits
from medlens.store.store_copying import Copied, store_name_without_password
from medlens.studies.agentclinic.study import AgentClinicSettings
from medlens.studies.own.study import OwnSettings

SNAPSHOT = "backup.duckdb"
"""The file that the app makes for a copy of the store that it has open."""


def copy_store(
    settings: Settings,
    source: str,
    target: str,
    *,
    progress: Callable[[int], object] = lambda rows: None,
) -> Copied:
    """Copy a store into an empty one, as ``copying.copy_store``; if the app has the source open, it
    makes a snapshot, which is copied. The copy is noted in the source's audit log, where that can
    be written.

    Raises:
        MedLensError: as there, and as ``job_inbox.submit_job``.
    """
    limits = Limits(**settings.postgres.model_dump())

    def copy(of: str, noted: Mapping[str, Row]) -> Copied:
        return store_copying.copy_store(of, target, limits=limits, noted=noted, progress=progress)

    try:
        return copy(source, {"audit_event": _noted(target)})
    except StoreUnavailable as error:
        if not error.held:
            raise
    job = {"verb": "copy", "to": store_name_without_password(target)}
    asked = settings.model_copy(update={"store": source})
    done = job_inbox.submit_job_or_open_store(source, job, lambda: try_to_open_store(asked))
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


# -- the files that items show ---------------------------------------------------------------------


def list_attached_folders(settings: Settings) -> dict[str, Path]:
    """The folders with the files that items show, by their name in a copy; only those that are
    there.
    """
    named = {
        "files": settings.of(OwnSettings).files_folder,
        "images": settings.of(AgentClinicSettings).images_folder,
    }
    return {name: folder for name, folder in named.items() if folder and folder.is_dir()}


def list_attached_files(settings: Settings) -> Iterator[tuple[Path, Path]]:
    """Each file that items may show, and its path in a copy, in order. Links are left out."""
    for name, folder in list_attached_folders(settings).items():
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not file.is_symlink() and not file.name.startswith("."):
                yield file, Path(name) / file.relative_to(folder)


def copy_attached_files(settings: Settings, target: Path) -> tuple[int, int]:
    """Copy those files into a folder; returns how many are there now, and how many of them were
    there already. Each is read back and compared before it gets its name.

    Raises:
        InvalidInput: another file has the name of one of them; it stays.
        MedLensError: one cannot be read or written; what was copied stays, to be continued.
    """
    files = known = 0
    try:
        for file, place in list_attached_files(settings):
            to = target / place
            files += 1
            if to.exists():
                if _digest(to) != _digest(file):
                    raise InvalidInput(
                        f"{to} is there, and is not the file that {file} is.",
                        hint="Name a new folder, or move it away.",
                    )
                known += 1
                continue
            to.parent.mkdir(parents=True, exist_ok=True)
            _copy_file(file, to)
    except OSError as error:
        raise MedLensError(
            f"The files cannot be copied to {target}: {error.strerror}.",
            hint="Is the disk full? Make room and copy again: it continues where it stopped.",
        ) from error
    return files, known


def _copy_file(file: Path, to: Path) -> None:
    handle, draft = tempfile.mkstemp(dir=to.parent, prefix=".")
    try:
        with file.open("rb") as read, os.fdopen(handle, "wb") as written:
            shutil.copyfileobj(read, written, 1 << 20)
            written.flush()
            os.fsync(written.fileno())
        if _digest(Path(draft)) != _digest(file):
            raise MedLensError(f"The copy of {file} is not equal to it.", hint="Copy again.")
        os.replace(draft, to)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def _digest(file: Path) -> bytes:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
