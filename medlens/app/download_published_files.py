"""The studies' published files, downloaded from their repositories at a fixed commit.

A file is only kept under its own name and only if complete: it is downloaded beside its place,
compared, and moved there if it is the published one. It is compared by the SHA-256 in
``data/published/sources.toml``, or, if none is known, by git's own identifier of the file at that
commit.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.errors import InvalidInput, MedLensError

_WAIT = 60


# What a repository holds at a commit: the identifiers that git gives to files.
#
# A commit's id is a hash over its tree, and the tree's over the files' identifiers. Git checks
# both when it fetches, so a file with the right identifier is the file of that commit, whoever
# sent the bytes.


class NoTree(MedLensError):
    """The commit's tree is not available."""


class NoFile(NoTree):
    """The commit's tree does not have the file."""


def fetch_git_blob_ids_by_path(
    repository: str, commit: str, paths: Sequence[str]
) -> dict[str, str]:
    """The identifier (SHA-1, 40 digits) of each path at a commit; unknown paths are left out.

    ``repository`` is an address that git understands. Only the tree is downloaded, not the files.

    Raises:
        NoTree: git is not installed, or the repository or the commit cannot be reached.
    """
    with tempfile.TemporaryDirectory(prefix="medlens-") as made:
        folder = Path(made)
        _git(folder, "init", "--quiet", "--bare")
        _git(folder, "remote", "add", "origin", repository)
        _git(folder, "fetch", "--quiet", "--depth=1", "--filter=blob:none", "origin", commit)
        said = _git(folder, "ls-tree", "-r", "-z", commit, "--", *paths)
    entries = (line.split("\t", 1) for line in said.split("\0") if line)
    return {path: about.split()[2] for about, path in entries}


def compute_git_blob_id(path: Path) -> str:
    """The identifier that git gives to a file's bytes."""
    digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        for piece in iter(lambda: file.read(1 << 20), b""):
            digest.update(piece)
    return digest.hexdigest()


def _git(folder: Path, *words: str) -> str:
    found = shutil.which("git")
    if found is None:
        raise NoTree("git is not installed", hint="Install git.")
    try:
        done = subprocess.run(  # noqa: S603
            [found, *words],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_WAIT,
            check=True,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0"},
        )
    except subprocess.TimeoutExpired as error:
        raise NoTree(f"git got no answer within {_WAIT} s", hint="Try again later.") from error
    except subprocess.CalledProcessError as error:
        said = (error.stderr or "").strip().splitlines() or ["no reason given"]
        raise NoTree(f"git says: {said[-1]}", hint="Is this machine offline?") from error
    return done.stdout


SOURCES = SHIPPED / "data/published/sources.toml"
_LARGEST = 500_000_000
_TIMEOUT = 30.0


class Unreachable(MedLensError):
    """The file could not be downloaded; nothing was kept."""


class Gone(Unreachable):
    """The repository can be reached but does not have the file."""


@dataclass(frozen=True)
class PublishedFile:
    """One published file. ``sha256`` is empty if unknown; ``kind`` imports it."""

    path: str
    commit: str
    kind: str
    sha256: str = ""

    @property
    def file_name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


@dataclass(frozen=True)
class PublishedFileSource:
    """Where a study's files are: at ``base`` as files, at ``history`` for git."""

    study: str
    title: str
    repository: str
    licence: str
    base: str
    history: str
    files: tuple[PublishedFile, ...]

    def file_address(self, file: PublishedFile, base: str = "") -> str:
        """A file's address, with ``base`` instead of the published location."""
        return f"{(base or self.base).rstrip('/')}/{self.repository}/{file.commit}/{file.path}"


@dataclass(frozen=True)
class Fetched:
    """What happened to a file: ``fetched``, ``there`` (already there), ``skipped`` (there is
    nothing to check it against; ``reason`` says why) or ``gone`` (the repository does not have it).
    ``sha256`` is that of the bytes, empty if there are none; ``checked`` is what they were compared
    by: ``SHA-256``, ``commit`` or nothing.
    """

    file: PublishedFile
    target: Path
    outcome: str
    sha256: str = ""
    checked: str = ""
    reason: str = ""


def published_sources_by_study(path: Path = SOURCES) -> dict[str, PublishedFileSource]:
    """The studies that can be fetched, by name."""
    table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    base, history = str(table.pop("base")), str(table.pop("history"))
    return {study: _source(study, one, base, history) for study, one in table.items()}


def _source(study: str, table: Mapping[str, Any], base: str, history: str) -> PublishedFileSource:
    files = tuple(PublishedFile(**file) for file in table["file"])
    for file in files:
        if not re.fullmatch(r"[0-9a-f]{40}", file.commit):
            raise ValueError(f"{file.path}: a commit has 40 digits")
        if file.sha256 and not re.fullmatch(r"[0-9a-f]{64}", file.sha256):
            raise ValueError(f"{file.path}: a SHA-256 has 64 digits")
    return PublishedFileSource(
        study, table["title"], table["repository"], table["licence"], base, history, files
    )


def iterate_published_files_while_downloading(
    source: PublishedFileSource, folder: Path, *, base: str = "", unchecked: bool = False
) -> Iterator[Fetched]:
    """Download a study's files into ``folder``, one after the other.

    ``base`` is a mirror of the repositories' files. ``unchecked`` also accepts files that cannot be
    compared, because no SHA-256 is known and the commit's tree is not available.

    Raises:
        Unreachable: no connection, or no usable answer.
        InvalidInput: a file differs from the published one, or the folder cannot be written. The
            bad file is not kept; files fetched before it are.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"The folder {folder} cannot be made: {error.strerror}.", hint="Choose another (--to)."
        ) from error
    trees = _Trees(source)
    for file in source.files:
        yield _one(source, file, folder / file.file_name, trees, base=base, unchecked=unchecked)


class _Trees:
    """The files' identifiers at their commits, each commit looked up once."""

    def __init__(self, source: PublishedFileSource) -> None:
        self._source = source
        self._known: dict[str, dict[str, str] | NoTree] = {}

    def identifier(self, file: PublishedFile) -> str:
        """A file's identifier. Raises ``NoTree`` if it is not available."""
        if file.commit not in self._known:
            self._known[file.commit] = self._ask(file.commit)
        known = self._known[file.commit]
        if isinstance(known, NoTree):
            raise known
        if file.path not in known:
            raise NoFile("the commit has no such file")
        return known[file.path]

    def _ask(self, commit: str) -> dict[str, str] | NoTree:
        paths = [one.path for one in self._source.files if one.commit == commit]
        address = f"{self._source.history.rstrip('/')}/{self._source.repository}"
        try:
            return fetch_git_blob_ids_by_path(address, commit, paths)
        except NoTree as error:
            return error


def _one(
    source: PublishedFileSource,
    file: PublishedFile,
    target: Path,
    trees: _Trees,
    *,
    base: str,
    unchecked: bool,
) -> Fetched:
    if target.is_file():
        there = _digest(target)
        if not file.sha256 or there == file.sha256:
            return Fetched(file, target, "there", there)
    identifier = ""
    if not file.sha256 and not unchecked:
        try:
            identifier = trees.identifier(file)
        except NoTree as error:
            outcome = "gone" if isinstance(error, NoFile) else "skipped"
            return Fetched(file, target, outcome, reason=error.message)
    part = target.with_name(f".{target.name}.part")
    try:
        got = _download(source.file_address(file, base), part)
        _compare(file, part, got, identifier)
        part.replace(target)
    except Gone as error:
        return Fetched(file, target, "gone", reason=error.message)
    except OSError as error:
        raise InvalidInput(
            f"{target} cannot be written: {error.strerror}.", hint="Choose another folder (--to)."
        ) from error
    finally:
        part.unlink(missing_ok=True)
    checked = "SHA-256" if file.sha256 else "commit" if identifier else ""
    return Fetched(file, target, "fetched", got, checked)


def _compare(file: PublishedFile, part: Path, got: str, identifier: str) -> None:
    if file.sha256 and got != file.sha256:
        differs = f"its SHA-256 is {got}, not {file.sha256}"
    elif identifier and compute_git_blob_id(part) != identifier:
        differs = f"the commit {file.commit[:12]} has different content under this name"
    else:
        return
    raise InvalidInput(
        f"{file.file_name} is not the published file: {differs}. It was not kept.",
        hint="Try again later. If this persists, the file is being changed in transit.",
    )


def _download(address: str, part: Path) -> str:
    """Download an address into a file; returns its SHA-256."""
    # Importing it takes a fifth of a second, which only a download should pay for.
    import httpx2

    digest, size = hashlib.sha256(), 0
    try:
        with (
            httpx2.stream("GET", address, timeout=_TIMEOUT, follow_redirects=True) as answer,
            part.open("wb") as file,
        ):
            if answer.status_code in (404, 410):
                raise Gone(f"{address} answered with status {answer.status_code}")
            if answer.status_code != 200:
                raise Unreachable(
                    f"{address} answered with status {answer.status_code}.",
                    hint="Try again later, or download the file by hand and import it.",
                )
            for piece in answer.iter_bytes():
                size += len(piece)
                if size > _LARGEST:
                    raise Unreachable(f"{address} is larger than {_LARGEST // 10**6} MB.")
                digest.update(piece)
                file.write(piece)
    except httpx2.InvalidURL as error:
        raise InvalidInput(f"{address} is not an address.", hint="Correct --from.") from error
    except httpx2.HTTPError as error:
        raise Unreachable(
            f"{address} cannot be reached ({type(error).__name__}).",
            hint="Is this machine offline? Download the file where there is a connection, and"
            " import it from there.",
        ) from error
    return digest.hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
