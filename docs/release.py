"""Makes a release: ``make release``, or ``make release VERSION=0.3.0`` to begin one.

With a new version, CHANGELOG.md's "Unreleased" becomes that version's section, and the files that
name the version name the new one; what it changed is to be looked at and committed. Either way
``dist`` then holds a wheel, the source, their SHA-256 sums, and ``image``, the folder that a
container is built from.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_CHANGES, _PROJECT, _CITED = "CHANGELOG.md", "pyproject.toml", "CITATION.cff"
_PACKAGE = "medlens/__init__.py"


class CannotRelease(Exception):
    """Why there is no release, in words."""


def current_version(root: Path) -> str:
    """The version that ``pyproject.toml`` declares."""
    found = re.search(r'^version = "([^"]+)"$', _text(root / _PROJECT), re.MULTILINE)
    if found is None:
        raise CannotRelease(f"{_PROJECT} declares no version.")
    return found[1]


def begin_version(root: Path, version: str, day: date) -> None:
    """Turn "Unreleased" into the section of ``version``, released on ``day``, and name that version
    everywhere. Nothing is written if anything is in the way (``CannotRelease``).
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise CannotRelease(f"A version is three numbers, such as 0.3.0; this is {version!r}.")
    now = current_version(root)
    if _as_numbers(version) <= _as_numbers(now):
        raise CannotRelease(f"{version} does not come after {now}, the version so far.")
    changes = _text(root / _CHANGES)
    section = re.search(r"^## Unreleased\n(.*?)(?=^## )", changes, re.MULTILINE | re.DOTALL)
    if section is None or not section[1].strip():
        raise CannotRelease(f'"Unreleased" in {_CHANGES} is empty: there is nothing to release.')
    heading = f"## Unreleased\n\n## {version} - {day.isoformat()}\n"
    written = {
        _CHANGES: changes.replace("## Unreleased\n", heading, 1),
        _PROJECT: _replaced(root / _PROJECT, rf'^version = "{re.escape(now)}"$', version, now),
        _PACKAGE: _replaced(root / _PACKAGE, rf'^__version__ = "{re.escape(now)}"$', version, now),
        _CITED: re.sub(
            r"^date-released: .*$",
            f"date-released: {day.isoformat()}",
            _replaced(root / _CITED, rf"^version: {re.escape(now)}$", version, now),
            flags=re.MULTILINE,
        ),
    }
    for name, text in written.items():
        (root / name).write_text(text, encoding="utf-8")


def build_release(root: Path) -> list[Path]:
    """Build ``dist`` anew: wheel, source, ``SHA256SUMS``, and ``image`` with what a container is
    built from. Returns the files outside ``image``.
    """
    version = current_version(root)
    if not re.search(rf"^## {re.escape(version)} - ", _text(root / _CHANGES), re.MULTILINE):
        raise CannotRelease(f"{_CHANGES} has no section for {version}.")
    target = root / "dist"
    shutil.rmtree(target, ignore_errors=True)
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    subprocess.run(command, cwd=root, check=True)  # noqa: S603  # our own words
    files = sorted(path for path in target.iterdir() if path.is_file())
    sums = target / "SHA256SUMS"
    sums.write_text(
        "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    )
    image = target / "image"
    image.mkdir()
    [wheel] = target.glob("medlens-*.whl")
    for path in (wheel, root / "requirements.lock", root / "docs" / "Containerfile"):
        shutil.copy(path, image)
    return [*files, sums]


def main(arguments: list[str] | None = None) -> int:
    """Begin a version if one is named, then build; returns the exit code."""
    parser = argparse.ArgumentParser(description="Builds a release into dist/.")
    parser.add_argument("--version", default="", help="begin this version, such as 0.3.0")
    asked = parser.parse_args(arguments)
    try:
        if asked.version and asked.version != current_version(ROOT):
            begin_version(ROOT, asked.version, date.today())
            print(f"This is {asked.version} now: look at the changes, commit and tag them.")
        for path in build_release(ROOT):
            print(path.relative_to(ROOT))
    except CannotRelease as error:
        print(error, file=sys.stderr)
        return 1
    print("dist/image: docker build -t medlens dist/image")
    return 0


def _as_numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _replaced(path: Path, line: str, version: str, now: str) -> str:
    """The file's text with the new version in its one line that names the version."""
    text, count = re.subn(
        line, lambda found: found[0].replace(now, version), _text(path), flags=re.MULTILINE
    )
    if count != 1:
        raise CannotRelease(f"{path.name} names the version {now} in {count} lines, not in one.")
    return text


if __name__ == "__main__":
    sys.exit(main())
