"""What a repository holds at a commit: the identifiers that git gives to files.

A commit's id is a hash over its tree, and the tree's over the files' identifiers. Git checks both
when it fetches, so a file with the right identifier is the file of that commit, whoever sent the
bytes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from medlens.errors import MedLensError

_TIMEOUT = 60


class NoTree(MedLensError):
    """The commit's tree is not available."""


class NoFile(NoTree):
    """The commit's tree does not have the file."""


def identifiers(repository: str, commit: str, paths: Sequence[str]) -> dict[str, str]:
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


def identifier(path: Path) -> str:
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
            timeout=_TIMEOUT,
            check=True,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0"},
        )
    except subprocess.TimeoutExpired as error:
        raise NoTree(f"git got no answer within {_TIMEOUT} s", hint="Try again later.") from error
    except subprocess.CalledProcessError as error:
        said = (error.stderr or "").strip().splitlines() or ["no reason given"]
        raise NoTree(f"git says: {said[-1]}", hint="Is this machine offline?") from error
    return done.stdout
