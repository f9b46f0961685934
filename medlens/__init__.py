"""MedLens: clinicians check what language models say about medicine.

``medlens.open`` gives the work in a store to Python, as DataFrames: docs/python.md.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from medlens import errors
    from medlens.app.python_api import Imported, Workbench

# Chosen once, when numpy is loaded: what is multiplied here is small, and while one thread does it,
# the others wait by turning in circles. That took a third of the CPU that people at work share.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.3.0"

__all__ = ["Imported", "Workbench", "__version__", "errors", "open"]


def open(store: str | Path = "", *, create: bool = False) -> Workbench:
    """Open the work in a store: a DuckDB file's path, or a ``postgresql://…`` address; by default
    the store that the command line uses. It is used with ``with``, or closed with ``close()``.

    A DuckDB file is open only while a method works: a server, a command or another notebook can use
    it in between. If a server has it open, the server does the work, as for the command line.
    ``create`` makes a new, empty store if there is none.

    Raises:
        errors.StoreUnavailable: there is no such store, or it cannot be opened or reached.
        errors.BadFile: ``medlens.toml`` has mistakes.
    """
    from medlens.app.python_api import open_workbench

    return open_workbench(store, create=create)


def __getattr__(name: str) -> Any:
    # Only when asked for: importing them takes more time than most commands.
    if name == "errors":
        import medlens.errors as loaded  # ``from medlens`` would ask here again

        return loaded
    if name in ("Imported", "Workbench"):
        from medlens.app import python_api

        return getattr(python_api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
