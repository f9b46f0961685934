"""Files that belong together: a folder whose manifest names them in import order.

``manifest.toml`` holds a ``title``, the ``dataset`` for the rows, and a ``[[file]]`` with ``name``
and ``kind`` for each file. The demos are such folders (``data/demo``): tables as MedLens exports
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medlens.config.toml_file import TomlFile
from medlens.store import Store
from medlens.tables import Kind, Request

MANIFEST = "manifest.toml"


@dataclass(frozen=True)
class Bundle:
    """The contents of a manifest; ``files`` are paths with their kinds, in import order."""

    title: str
    dataset: str
    files: tuple[tuple[Path, str], ...]


def read_manifest(folder: Path, kinds: Collection[str]) -> Bundle:
    """Read the manifest of a folder whose files are of these kinds.

    Raises:
        BadFile: it cannot be read, or is invalid; names the line.
    """
    file = TomlFile(folder / MANIFEST, "manifest")
    file.only(file.top, ("title", "dataset", "file"))
    files = []
    for table in file.tables("file", required=True):
        file.only(table, ("name", "kind"))
        name, kind = file.text(table, "name"), file.choice(table, "kind", list(kinds))
        if Path(name).name != name:
            file.refuse(table, "name", "a file in the manifest's folder")
        files.append((folder / name, kind))
    found = Bundle(file.text(file.top, "title"), file.text(file.top, "dataset"), tuple(files))
    file.refuse_if_bad()
    return found


def add(store: Store, folder: Path, kinds: Mapping[str, Kind], opened: Callable[[str], Any]) -> str:
    """Import a folder's files; returns what is there. Repeating it adds nothing.

    ``opened`` returns the study as it is on a dataset, for the readers of its kinds.

    Raises:
        BadFile, InvalidInput: the manifest or a file is refused; the files before it were added.
    """
    bundle = read_manifest(folder, kinds)
    counts: Counter[str] = Counter()
    for path, kind in bundle.files:
        request = Request(path, path.name, bundle.dataset)
        done = kinds[kind].read(store, opened(bundle.dataset), request)
        counts[done.what] += done.added + done.known
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    return f"{bundle.title} is there: {told}."
