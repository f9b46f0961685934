"""DuckDB as most tests have it: in one thread, kept between stores, on files that are copied.

To start DuckDB, make the tables and read what they are costs several times what a test does with
its store. The SQL, the files and their log are those of the app. ``test_store`` and whatever else
is about opening has the real thing: the fixture ``all_threads``.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from medlens.store import Store, duck, migrations

_connect, _database, _columns = duck.connect, duck.database, duck.columns
_ONE_THREAD = "1"


class _Kept:
    """DuckDB, lent to one store: closing it lets go of the store's file alone."""

    def __init__(self, root: duckdb.DuckDBPyConnection, free: list[duckdb.DuckDBPyConnection]):
        self._root, self._free = root, free

    def __getattr__(self, name: str) -> Any:
        return getattr(self._root, name)

    def close(self) -> None:
        try:
            self._root.execute("use memory")
            self._root.execute("detach medlens")
        except duckdb.Error:
            self._root.close()
        else:
            self._free.append(self._root)


class Stores:
    """What stands in for ``medlens.store.duck``'s own functions. At ``empty`` a store that holds
    nothing is made, for copies."""

    def __init__(self, empty: Path) -> None:
        Store(empty).close()
        self._empty, self._steps = empty, migrations.STEPS
        self._free: list[duckdb.DuckDBPyConnection] = []
        self._known: dict[tuple[object, ...], duck.Columns] = {}

    def database(self, path: str = ":memory:", **config: Any) -> Any:
        if "temp_directory" not in config:
            return _database(path, threads=_ONE_THREAD, **config)
        while self._free:
            root = self._free.pop()
            # Refused once DuckDB has used the folder that it had.
            with contextlib.suppress(duckdb.Error):
                folder = duck.quoted(config["temp_directory"])
                root.execute(f"set global temp_directory = {folder}")
                return _Kept(root, self._free)
            root.close()
        return _Kept(_database(path, threads=_ONE_THREAD, **config), self._free)

    def connect(self, path: str) -> duckdb.DuckDBPyConnection:
        log = f"{path}.wal"
        new = not (os.path.lexists(path) or os.path.lexists(log))
        # With fewer steps a test makes the store of an earlier version.
        if new and migrations.STEPS is self._steps:
            with contextlib.suppress(OSError):
                shutil.copy(self._empty, path)
        return _connect(path)

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
        shape = tuple(
            cursor.execute(
                "select table_name, column_count from duckdb_tables()"
                " where database_name = current_database() order by table_oid"
            ).fetchall()
        )
        if shape not in self._known:
            self._known[shape] = _columns(cursor)
        return {table: dict(kinds) for table, kinds in self._known[shape].items()}

    def stand_in(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("connect", "database", "columns"):
            patch.setattr(duck, name, getattr(self, name))


def real(patch: pytest.MonkeyPatch) -> None:
    """The app's own functions again."""
    for name, own in (("connect", _connect), ("database", _database), ("columns", _columns)):
        patch.setattr(duck, name, own)
