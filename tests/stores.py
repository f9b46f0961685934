"""DuckDB as most tests have it: in one thread, kept between stores, on files that are copied.

To start DuckDB, make the tables and read what they are costs several times what a test does with
its store. The SQL, the files and their log are those of the app. ``test_store`` and whatever else
is about opening starts DuckDB as the app does: the fixture ``all_threads``.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import Any, ClassVar

import duckdb
import pytest

from medlens.store import Store, duckdb_engine, migrations
from medlens.store.query_cache import QueryCache, Question

_connect, _database, _columns = (
    duckdb_engine.connect_exclusively,
    duckdb_engine.open_duckdb,
    duckdb_engine.read_column_types_by_table,
)
_opened = Store.__init__
_ONE_THREAD = "1"


class _Kept:
    """DuckDB, lent to one store: closing it lets go of the store's file alone."""

    def __init__(self, root: duckdb.DuckDBPyConnection, stores: Stores):
        self._root, self._stores = root, stores

    def __getattr__(self, name: str) -> Any:
        return getattr(self._root, name)

    def execute(self, query: str, *given: Any) -> Any:
        if query == "checkpoint" and self._stores.leaving:
            return None
        return self._root.execute(query, *given)

    def close(self) -> None:
        leaving = self._stores.leaving
        try:
            if leaving:
                self._root.execute("pragma disable_checkpoint_on_shutdown")
            self._root.execute("use memory")
            self._root.execute("detach medlens")
            if leaving:
                self._root.execute("pragma enable_checkpoint_on_shutdown")
        except duckdb.Error:
            self._root.close()
        else:
            self._stores.free.append(self._root)


class _SharedAnswers(QueryCache):
    """Answers of a store that was laid as a copy: until a table grows, those of every other copy
    of the same store, which one of them has read before anything was written to it."""

    def __init__(self, store: Store, of_copies: QueryCache) -> None:
        super().__init__(store.column_types_by_table)
        self._store, self._of_copies, self._clock = store, of_copies, store._clock

    def find_cached_answer(self, question: Question, version: int) -> Any:
        found = super().find_cached_answer(question, version)
        if found is not None or version > self._clock or self.times_all_was_forgotten:
            return found
        return self._of_copies.find_cached_answer(question, version)

    def keep_answer(self, question: Question, version: int, answer: Any, *, forgotten: int) -> None:
        # A row has its number before it can be read, and its table grows only afterwards: an answer
        # of an old version may have a row that another thread has written meanwhile.
        if (
            version > self._clock
            or self.times_all_was_forgotten
            or self._store._last_seq > self._clock
        ):
            super().keep_answer(question, version, answer, forgotten=forgotten)
        else:
            self._of_copies.keep_answer(question, version, answer, forgotten=0)


class Stores:
    """What stands in for ``medlens.store.duckdb_engine``'s own functions. At ``empty`` a store that
    holds nothing is made, for copies. While ``leaving``, tests have ended: the log of a store that
    is closed is not written out, which nobody would read.
    """

    leaving = False
    laid: ClassVar[dict[str, str]] = {}
    """Copies that nobody has opened: their paths, and what they are copies of."""

    def __init__(self, empty: Path) -> None:
        Store(empty).close()
        self._empty, self._steps = empty, migrations.STEPS
        self.free: list[duckdb.DuckDBPyConnection] = []
        self._known: duckdb_engine.Columns = {}
        self._of_copies: dict[str, QueryCache] = {}

    def opened(self, store: Store, path: str | Path, briefly: bool) -> None:
        """What ``Store()`` does."""
        original = self.laid.pop(os.path.realpath(path), None)
        _opened(store, path, briefly=briefly)
        if original is not None:
            shared = self._of_copies.setdefault(original, QueryCache(store.column_types_by_table))
            store._answers = _SharedAnswers(store, shared)

    def database(self, path: str = ":memory:", **config: Any) -> Any:
        if "temp_directory" not in config:
            return _database(path, **{"threads": _ONE_THREAD, **config})
        while self.free:
            root = self.free.pop()
            # Refused once DuckDB has used the folder that it had.
            with contextlib.suppress(duckdb.Error):
                folder = duckdb_engine.quote_literal(config["temp_directory"])
                root.execute(f"set global temp_directory = {folder}")
                return _Kept(root, self)
            root.close()
        return _Kept(_database(path, **config | {"threads": _ONE_THREAD}), self)

    def connect(self, path: str, *, briefly: bool = False) -> duckdb.DuckDBPyConnection:
        log = f"{path}.wal"
        new = not (os.path.lexists(path) or os.path.lexists(log))
        # With fewer steps a test makes the store of an earlier version.
        if new and migrations.STEPS is self._steps:
            with contextlib.suppress(OSError):
                shutil.copy(self._empty, path)
        return _connect(path, briefly=briefly)

    def columns(self, cursor: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
        # Every store that has had the same steps has the same tables.
        try:
            done = cursor.execute("select version from migration order by version").fetchall()
        except duckdb.Error:
            done = []
        if migrations.STEPS is not self._steps or done != [(n,) for n, _ in self._steps]:
            return _columns(cursor)
        self._known = self._known or _columns(cursor)
        return {table: dict(kinds) for table, kinds in self._known.items()}

    def stand_in(self, patch: pytest.MonkeyPatch) -> None:
        for name, instead in (
            ("connect_exclusively", self.connect),
            ("open_duckdb", self.database),
            ("read_column_types_by_table", self.columns),
        ):
            patch.setattr(duckdb_engine, name, instead)

        def open_it(store: Store, path: str | Path, *, briefly: bool = False) -> None:
            self.opened(store, path, briefly)

        patch.setattr(Store, "__init__", open_it)


def real(patch: pytest.MonkeyPatch) -> None:
    """DuckDB as the app has it. New stores are copies all the same, but of earlier versions."""
    for name, own in (("open_duckdb", _database), ("read_column_types_by_table", _columns)):
        patch.setattr(duckdb_engine, name, own)
    patch.setattr(Store, "__init__", _opened)
