"""Rows on their way into the store: one transaction that sees what it wrote, kept or undone.

An import reads, appends and reads again in it; a preview is the same, undone at its end.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import duckdb
import pyarrow as pa

from medlens import duck
from medlens.errors import Conflict, InvalidInput
from medlens.saved import Saved

_BATCH = 1_000


class Pending:
    """A transaction of a store, as ``Store.pending`` gives it.

    ``number`` takes that many numbers for rows and says the first. Rows come and go as streams of
    Arrow, so that a large file is never whole in this process's memory.

    Raises:
        Conflict: from ``insert`` and ``commit``, when another row holds the same id or place.
        InvalidInput: from ``insert``, when a value is missing or cannot be stored.
        StoreUnavailable: the disk is full.
    """

    def __init__(
        self, cursor: duckdb.DuckDBPyConnection, columns: duck.Columns, number: Callable[[int], int]
    ) -> None:
        self._cursor = cursor
        self._columns = columns
        self._number = number
        self.grown: dict[str, int] = {}
        """Rows inserted, by table."""
        self.kept = False
        cursor.execute("begin")

    def stream(
        self, sql: str, params: Mapping[str, Any], lists: Mapping[str, pa.Table]
    ) -> pa.RecordBatchReader:
        """A query's result. ``lists`` are long parameters ``$like_this`` of ``in``, as tables of
        one column ``x``, since a list of a million texts would take ten times the memory."""
        statements = self._cursor.extract_statements(sql)
        if [one.type for one in statements] != [duckdb.StatementType.SELECT]:
            raise InvalidInput("An import may ask the store, not tell it.")
        for name, table in lists.items():
            if not name.isidentifier():
                raise InvalidInput("An import asks in a way that is not known.")
            self._cursor.register("listed", table)
            self._cursor.execute(f"create or replace temp table list_{name} as from listed")
            self._cursor.unregister("listed")
            sql = re.sub(rf"\bin \${name}\b", f"in (select x from list_{name})", sql)
        with _converted():
            return self._cursor.execute(sql, dict(params) or None).to_arrow_reader(_BATCH)

    def insert(self, table: str, file: BinaryIO, count: int) -> int:
        """Insert ``count`` rows, an Arrow stream; those whose id is there are passed over.

        Returns how many were new.
        """
        with _converted():
            known = self._known(table, file)
            rows = stream_of(file)
            if not set(rows.schema.names) <= self._columns[table].keys():
                raise InvalidInput(f"Table {table} has no columns {', '.join(rows.schema.names)}.")
            names, first = ", ".join(rows.schema.names), self._number(count)
            unless = f" where id not in (select id from {table})" if known else ""
            self._cursor.register("incoming", rows)
            try:
                [(new,)] = self._cursor.execute(
                    f"insert into {table} (seq, {names})"
                    f" select {first - 1:d} + row_number() over (), {names} from incoming{unless}"
                ).fetchall()
            finally:
                self._cursor.unregister("incoming")
        if new:
            self.grown[table] = self.grown.get(table, 0) + int(new)
        return int(new)

    def _known(self, table: str, file: BinaryIO) -> int:
        """How many of these rows are there already."""
        if "id" not in self._columns[table]:
            return 0
        self._cursor.register("incoming", stream_of(file))
        try:
            [(known,)] = self._cursor.execute(
                f"select count(*) from incoming where id in (select id from {table})"
            ).fetchall()
        finally:
            self._cursor.unregister("incoming")
        return int(known)

    def commit(self) -> None:
        """Make it all durable."""
        with _converted():
            self._cursor.execute("commit")
        self.kept = True

    def undo(self) -> None:
        """Leave the store as it was."""
        with contextlib.suppress(duckdb.Error):
            self._cursor.execute("rollback")


def stream_of(file: BinaryIO) -> pa.RecordBatchReader:
    """The rows of an open file, an Arrow stream, from its beginning.

    The file is opened anew, since Arrow reads ahead in threads that outlive what they read for.
    """
    return pa.ipc.open_stream(pa.OSFile(f"/dev/fd/{file.fileno()}"))


class Tentative(ABC):
    """What every store has for imports: transactions that are tried before they are kept."""

    _columns: dict[str, dict[str, str]]
    _versions: dict[str, int]
    _lock: threading.Lock
    _saved: Saved | None

    @contextlib.contextmanager
    def pending(self) -> Iterator[Pending]:
        """A transaction that sees what it wrote; undone at the end unless ``keep`` kept it."""
        self._require_in_place()
        with self._cursor() as cursor:
            pending = Pending(cursor, self._columns, self._take_numbers)
            try:
                yield pending
            finally:
                if not pending.kept:
                    pending.undo()

    def keep(self, pending: Pending, files: Mapping[str, Sequence[BinaryIO]]) -> None:
        """Make a transaction durable. ``files`` are the streams that were inserted, by table.

        Raises:
            Conflict: somebody else wrote the same rows meanwhile.
        """
        pending.commit()
        if self._saved:
            self._saved.add(pending.grown)
        self._grew(pending.grown)

    def streamed(self, table: str, row: Mapping[str, Any]) -> tuple[BinaryIO, int]:
        """A row as ``Pending.insert`` takes it."""
        full = self._complete(table, [row])
        frame = duck.frame(list(full[0]), self._columns[table], full)
        out: Any = tempfile.TemporaryFile()  # noqa: SIM115  (whoever inserts it closes it)
        with pa.ipc.new_stream(out, frame.schema) as stream:
            stream.write_table(frame)
        out.flush()
        return out, 1

    def table_columns(self) -> dict[str, dict[str, str]]:
        """Every table with its columns and their types."""
        return self._columns

    def versions(self) -> dict[str, int]:
        """The version of each table, at one moment."""
        with self._lock:
            return dict(self._versions)

    @abstractmethod
    def _require_in_place(self) -> None: ...

    @abstractmethod
    def _cursor(self) -> contextlib.AbstractContextManager[duckdb.DuckDBPyConnection]: ...

    @abstractmethod
    def _take_numbers(self, count: int) -> int: ...

    @abstractmethod
    def _grew(self, tables: Iterable[str]) -> None: ...

    @abstractmethod
    def _complete(self, table: str, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]: ...


class _converted:
    """DuckDB's errors as those that people read."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, duckdb.Error | pa.ArrowException):
            return
        said = str(error).splitlines()[0]
        if isinstance(error, duckdb.IOException | duckdb.OutOfMemoryException) or (
            isinstance(error, duckdb.Error) and duck.is_unwritable(error)
        ):
            raise duck.failed(error, "The store") from error
        if isinstance(error, duckdb.TransactionException) or (
            isinstance(error, duckdb.ConstraintException) and duck.is_duplicate(error)
        ):
            raise Conflict(
                "Somebody saved this first.", hint="Reload to see the newer state."
            ) from error
        if isinstance(error, duckdb.ConstraintException):
            raise InvalidInput(f"A value is missing ({error}).") from error
        raise InvalidInput(
            f"A value cannot be stored: {said}", hint="Nothing was written."
        ) from error


def rows_of(files: Sequence[BinaryIO]) -> list[dict[str, Any]]:
    """The rows of several Arrow streams of one table, all with the same columns."""
    tables = []
    for file in files:
        tables.append(stream_of(file).read_all())
    joined: list[dict[str, Any]] = pa.concat_tables(tables, promote_options="default").to_pylist()
    return joined
