"""The files that items show, in scheduled backups.

Beside each backup stands a list of them, and each file once, by its digest, whatever number of
backups has it: these files never change, and a night adds only what is new.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from medlens.app.copy_attached_files_verified import (
    attached_folders_by_name,
    copy_file_and_verify,
    iterate_attached_files_and_copy_paths,
    sha256_of_file,
)
from medlens.config.settings import Settings
from medlens.errors import StoreUnavailable

POOL = "attached"
"""The folder, beside the backups, of the files themselves."""
_LIST = ".files.json"
_YOUNG_SECONDS = 86_400.0
"""What was written since may belong to a list that another process is about to write."""


@dataclass(frozen=True)
class SavedFile:
    """A file in a backup: its ``place``, below the name of its folder, and its SHA-256; ``size`` in
    bytes and ``changed`` (ns) tell whether it is still the one that was saved.
    """

    place: str
    size: int
    changed: int
    digest: str


def path_of_attached_file_list(backup: Path) -> Path:
    """The file that lists the attached files of a backup."""
    return backup.with_name(f"{backup.stem}{_LIST}")


def save_attached_files_beside_backup(settings: Settings, backup: Path) -> None:
    """Save the files that items show now, beside a backup (its file, made or not). What was saved
    for it before stays on its list.

    Raises:
        StoreUnavailable: one cannot be read or written.
    """
    try:
        found = {one.place: one for one in list_attached_files_of_backup(backup)}
        known = dict(_newest_list(backup)) | found
        for file, place in iterate_attached_files_and_copy_paths(settings):
            with contextlib.suppress(FileNotFoundError):  # Deleted since.
                one = _save(file, place.as_posix(), known.get(place.as_posix()), backup.parent)
                found[one.place] = one
        if found:
            _write_list(backup, [asdict(one) for one in found.values()])
    except OSError as error:
        raise StoreUnavailable(
            f"The files that items show cannot be saved beside {backup.name}: {error.strerror}.",
            hint="Is the disk full? Make room: it is tried again.",
        ) from error


def _save(file: Path, place: str, before: SavedFile | None, folder: Path) -> SavedFile:
    told = file.stat()
    is_unchanged = before and (before.size, before.changed) == (told.st_size, told.st_mtime_ns)
    if before and is_unchanged and _is_whole(_in_pool(folder, before.digest), before.digest):
        return before
    digest = sha256_of_file(file)
    held = _in_pool(folder, digest)
    # What is damaged there is saved again, for the earlier backups too.
    if not _is_whole(held, digest):
        held.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        copy_file_and_verify(file, held, digest)
    os.utime(held)
    return SavedFile(place, told.st_size, told.st_mtime_ns, digest)


def _is_whole(held: Path, digest: str) -> bool:
    """Whether a saved file is there as it was saved."""
    try:
        return sha256_of_file(held) == digest
    except OSError:
        return False


def list_damaged_backup_files_in_words(backups: Sequence[Path]) -> list[str]:
    """What is wrong with the attached files of backups that are in one folder, in sentences: each
    file is read once, however many backups have it.
    """
    faults: list[str] = []
    having: dict[str, list[tuple[Path, SavedFile]]] = {}
    for backup in backups:
        try:
            listed = list_attached_files_of_backup(backup)
        except StoreUnavailable as error:
            faults.append(error.message)
            continue
        for one in listed:
            having.setdefault(one.digest, []).append((backup, one))
    for digest, places in having.items():
        first, saved = places[0]
        if not _is_whole(_in_pool(first.parent, digest), digest):
            many = len({backup for backup, _ in places})
            which = first.name if many == 1 else f"{many:,} backups, the oldest {first.name}"
            faults.append(f"The attached file {saved.place} is missing or damaged in {which}.")
    return faults


def _in_pool(folder: Path, digest: str) -> Path:
    return folder / POOL / digest[:2] / digest


def _write_list(backup: Path, files: list[dict[str, Any]]) -> None:
    handle, draft = tempfile.mkstemp(dir=backup.parent, prefix=".")
    with os.fdopen(handle, "w", encoding="utf-8") as written:
        json.dump({"files": files}, written, ensure_ascii=False)
        written.flush()
        os.fsync(written.fileno())
    Path(draft).replace(path_of_attached_file_list(backup))


def list_attached_files_of_backup(backup: Path) -> list[SavedFile]:
    """The attached files of a backup; none if it has no list.

    Raises:
        StoreUnavailable: the list is damaged.
    """
    file = path_of_attached_file_list(backup)
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        return [SavedFile(**one) for one in told["files"]]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreUnavailable(
            f"The list of attached files {file} is damaged.", hint="Take an older backup."
        ) from error


def _newest_list(backup: Path) -> Iterator[tuple[str, SavedFile]]:
    lists = sorted(backup.parent.glob(f"*{_LIST}"), reverse=True)
    for file in lists[:1]:
        with contextlib.suppress(StoreUnavailable):
            name = file.name.removesuffix(_LIST)
            yield from (
                (one.place, one)
                for one in list_attached_files_of_backup(file.with_name(f"{name}.duckdb"))
            )


def remove_file_lists_without_backup(folder: Path) -> None:
    """Remove lists whose backup is gone, and the files that no list has any more."""
    kept: set[str] = set()
    for file in folder.glob(f"*{_LIST}"):
        backup = file.with_name(f"{file.name.removesuffix(_LIST)}.duckdb")
        if not backup.exists() and time.time() - file.stat().st_mtime > _YOUNG_SECONDS:
            file.unlink(missing_ok=True)
            continue
        try:
            kept |= {one.digest for one in list_attached_files_of_backup(backup)}
        except StoreUnavailable:
            return
    for held in (folder / POOL).glob("*/*"):
        with contextlib.suppress(OSError):
            if held.name not in kept and time.time() - held.stat().st_mtime > _YOUNG_SECONDS:
                held.unlink()


@dataclass(frozen=True)
class RestoredFiles:
    """How many attached files of a backup were written, how many were ``there`` already, and what
    is wrong with others, in sentences.
    """

    written: int = 0
    there: int = 0
    faults: tuple[str, ...] = ()


def restore_attached_files_and_report(settings: Settings, backup: Path) -> RestoredFiles:
    """Put the attached files of a backup into the folders that the settings name. No file that is
    there is changed.

    Raises:
        StoreUnavailable: the list is damaged, or a folder cannot be written.
    """
    folders = attached_folders_by_name(settings)
    written = there = 0
    faults: list[str] = []
    unnamed: dict[str, int] = {}
    for one in list_attached_files_of_backup(backup):
        name, *below = PurePosixPath(one.place).parts
        folder = folders.get(name)
        if not below or ".." in below or PurePosixPath(one.place).is_absolute():
            faults.append(f"{one.place} in the list of attached files leads out of its folder.")
            continue
        if folder is None:
            unnamed[name] = unnamed.get(name, 0) + 1
            continue
        held, to = _in_pool(backup.parent, one.digest), folder.joinpath(*below)
        if not _is_whole(held, one.digest):
            faults.append(f"The attached file {one.place} is missing or damaged in the backup.")
        elif to.exists():
            if sha256_of_file(to) == one.digest:
                there += 1
            else:
                faults.append(f"{to} differs from the file in the backup, and was left as it is.")
        else:
            try:
                to.parent.mkdir(parents=True, exist_ok=True)
                copy_file_and_verify(held, to, one.digest)
            except OSError as error:
                raise StoreUnavailable(
                    f"{to} cannot be written: {error.strerror}.",
                    hint="Fix that, and restore into another new store.",
                ) from error
            written += 1
    faults += [_unnamed_in_words(name, many) for name, many in unnamed.items()]
    return RestoredFiles(written, there, tuple(faults))


_SETTINGS: Mapping[str, str] = {
    "files": "files_folder under [own]",
    "images": "images_folder under [agentclinic]",
}


def _unnamed_in_words(name: str, many: int) -> str:
    return (
        f"{many:,} attached file{'s' * (many != 1)} of the backup had no folder to go to: name it"
        f" in medlens.toml ({_SETTINGS.get(name, name)}), and restore again."
    )
