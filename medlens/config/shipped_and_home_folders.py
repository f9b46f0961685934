"""Where MedLens finds what it ships with, and where a team's own files are.

Nothing is ever written to ``SHIPPED``. In a checkout both places are its root; an installed MedLens
keeps a team's files in the platform's folder for an application's data, so that an update of the
package never touches them. ``MEDLENS_HOME`` names another folder for them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs

IMPORTED_FROM = Path(__file__).resolve().parents[2]
"""The folder that holds the package ``medlens``: a process that starts there imports the same."""


def shipped_folder(imported_from: Path) -> Path:
    """The folder of ``app.py``, ``pages``, ``data`` and ``.streamlit/config.toml``: the root of a
    checkout, otherwise the copy inside the package that lies in ``imported_from``.
    """
    if (imported_from / "app.py").is_file() and (imported_from / "pyproject.toml").is_file():
        return imported_from
    return imported_from / "medlens" / "shipped"


def home_folder(imported_from: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of a team's own files: ``medlens.toml``, ``.streamlit/secrets.toml`` and, in
    ``data``, the store, its inbox and attached files. It need not exist.
    """
    if named := environ.get("MEDLENS_HOME", ""):
        return Path(named).expanduser().resolve()
    if shipped_folder(imported_from) == imported_from:
        return imported_from
    return platformdirs.user_data_path("medlens", appauthor=False)


SHIPPED = shipped_folder(IMPORTED_FROM)
"""What MedLens ships with; only ever read."""

HOME = home_folder(IMPORTED_FROM)
"""A team's own files."""
