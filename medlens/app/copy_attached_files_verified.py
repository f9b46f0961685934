"""The files that items show: where they are, and copies of them that are checked."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from medlens.config.settings import Settings
from medlens.errors import InvalidInput, MedLensError


def attached_folders_by_name(settings: Settings) -> dict[str, Path]:
    """The folders for the files that items show, by their name in a copy, there or not."""
    # `check` copies none, and what these studies load takes a twentieth of its time.
    from medlens.studies.agentclinic.study_in_dataset import AgentClinicSettings
    from medlens.studies.own.study import OwnSettings

    named = {
        "files": settings.of(OwnSettings).files_folder,
        "images": settings.of(AgentClinicSettings).images_folder,
    }
    return {name: folder for name, folder in named.items() if folder}


def existing_attached_folders_by_name(settings: Settings) -> dict[str, Path]:
    """The folders with the files that items show, by their name in a copy; only those that are
    there.
    """
    return {
        name: folder
        for name, folder in attached_folders_by_name(settings).items()
        if folder.is_dir()
    }


def iterate_attached_files_and_copy_paths(settings: Settings) -> Iterator[tuple[Path, Path]]:
    """Each file that items may show, and its path in a copy, in order. Links are left out."""
    for name, folder in existing_attached_folders_by_name(settings).items():
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not file.is_symlink() and not file.name.startswith("."):
                yield file, Path(name) / file.relative_to(folder)


def copy_attached_files_and_count_all_and_earlier(
    settings: Settings, target: Path
) -> tuple[int, int]:
    """Copy those files into a folder; returns how many are there now, and how many of them were
    there already. Each is read back and compared before it gets its name.

    Raises:
        InvalidInput: another file has the name of one of them; it stays.
        MedLensError: one cannot be read or written; what was copied stays, to be continued.
    """
    files = known = 0
    try:
        for file, place in iterate_attached_files_and_copy_paths(settings):
            to = target / place
            files += 1
            if to.exists():
                if sha256_of_file(to) != sha256_of_file(file):
                    raise InvalidInput(
                        f"{to} already exists, and is not the same file as {file}.",
                        hint="Name a new folder, or move it away.",
                    )
                known += 1
                continue
            to.parent.mkdir(parents=True, exist_ok=True)
            copy_file_and_verify(file, to, sha256_of_file(file))
    except OSError as error:
        raise MedLensError(
            f"The files cannot be copied to {target}: {error.strerror}.",
            hint="Is the disk full? Make room and copy again: it continues where it stopped.",
        ) from error
    return files, known


def copy_file_and_verify(file: Path, to: Path, digest: str) -> None:
    """Copy a file, which gets its name once it has been read back.

    Raises:
        MedLensError: the copy has another digest than the file was said to have.
    """
    handle, draft = tempfile.mkstemp(dir=to.parent, prefix=".")
    try:
        with file.open("rb") as read, os.fdopen(handle, "wb") as written:
            shutil.copyfileobj(read, written, 1 << 20)
            written.flush()
            os.fsync(written.fileno())
        if sha256_of_file(Path(draft)) != digest:
            raise MedLensError(f"The copy of {file} is not equal to it.", hint="Copy again.")
        os.replace(draft, to)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def sha256_of_file(file: Path) -> str:
    """The SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
