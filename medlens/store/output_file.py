"""Files that MedLens writes for people: always new, and complete or not there at all.

An existing file is replaced only if the person says so (``force``). A store and the files beside it
are never replaced, by whatever name or link they are reached.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from medlens.errors import InvalidInput, MedLensError

_NO_HARD_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)


def require_new_file(path: Path, *, keep: Sequence[Path] = (), force: bool = False) -> None:
    """Refuse to write to ``path`` if that would destroy something. Ask before doing the work.

    ``keep`` are files, and folders with everything in them, that must not be replaced.

    Raises:
        InvalidInput: it is in ``keep``, a link, not a regular file, or (without ``force``) exists.
    """
    try:
        if _is_kept(path, [Path(os.path.realpath(one)) for one in keep]):
            raise InvalidInput(f"{path} belongs to the store itself.", hint="Name a new file.")
        found = path.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unwritable(path, error) from error
    if stat.S_ISLNK(found.st_mode):
        raise InvalidInput(f"{path} is a link.", hint="Name a new file.")
    if not stat.S_ISREG(found.st_mode):
        raise InvalidInput(f"{path} is not a file that can be replaced.", hint="Name a new file.")
    if not force:
        raise InvalidInput(
            f"There is a file {path} already.", hint="Name a new file, or replace it with --force."
        )


def _is_kept(path: Path, keep: Sequence[Path]) -> bool:
    """Whether ``path`` is one of these or lies inside one, by its own or another name."""
    for one in keep:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            if os.path.samefile(path, one):
                return True
    place = Path(os.path.realpath(path.parent)) / path.name
    # Ignore case: some file systems do.
    return any(
        above.name.casefold() == one.name.casefold() and _is_same(above.parent, one.parent)
        for above in (place, *place.parents)
        for one in keep
    )


def _is_same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return one == other


@contextlib.contextmanager
def temporary_path_that_becomes_new_file(
    path: Path, *, keep: Sequence[Path] = (), force: bool = False
) -> Iterator[Path]:
    """A temporary path beside ``path``; what is written there becomes ``path`` in one step at the
    end.

    If the block fails, nothing is left behind.

    Raises:
        InvalidInput: as ``require_new_file``.
        MedLensError: the folder is missing, full or not writable.
    """
    require_new_file(path, keep=keep, force=force)
    draft = path.with_name(f".{path.name[:100]}.{uuid.uuid4().hex}.part")
    try:
        yield draft
        with draft.open("rb+") as stream:
            os.fsync(stream.fileno())
        # Check again: the work may have taken minutes.
        require_new_file(path, keep=keep, force=force)
        _put(draft, path, force)
    except FileExistsError as error:
        raise InvalidInput(f"There is a file {path} already.", hint="Name a new file.") from error
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        for left in (draft, draft.with_name(f"{draft.name}.wal")):
            with contextlib.suppress(OSError):
                left.unlink(missing_ok=True)


def _put(draft: Path, path: Path, force: bool) -> None:
    if not force:
        try:
            # Unlike a rename, a link never replaces a file that somebody created in the meantime.
            os.link(draft, path)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            path.open("xb").close()
            draft.replace(path)
    else:
        draft.replace(path)
    sync_folder_to_disk(path.parent)


def sync_folder_to_disk(folder: Path) -> None:
    """Make sure of what a folder holds, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unwritable(path: Path, error: OSError) -> MedLensError:
    return MedLensError(
        f"{path} cannot be written: {error.strerror or error}.",
        hint="Check that the folder exists, is writable and has room. Nothing was left there.",
    )


def first_unused_path(path: Path) -> Path:
    """``path``, or if that exists, the first free name of ``name-2.csv``, ``name-3.csv``, …"""
    if not os.path.lexists(path):
        return path
    number = 2
    while os.path.lexists(one := path.with_name(f"{path.stem}-{number}{path.suffix}")):
        number += 1
    return one
