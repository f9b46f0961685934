"""A transaction for imports: it reads its own writes, and is committed or undone at the end.

An import reads, appends and reads again in one; a preview does the same and then undoes it.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, BinaryIO

import duckdb

from medlens.deferred_module import pa
from medlens.errors import Conflict, InvalidInput
from medlens.store import duckdb_engine
from medlens.store.row_count_note_and_loss_detection import SavedRowsNote

_BATCH = 1_000
_PIECE = 4 << 20
"""Bytes of rows that are inserted at once."""
_ROOM = 8 << 20
"""Bytes of rows that a transaction may hold before they are put out of memory."""
_LONG = 8 << 10
"""Bytes of a row that is long."""
_AT_ONCE = 2_048
"""Rows of which DuckDB has all values in memory, twice, when it writes a column of them."""
_TICK = 0.02


class PendingTransaction:
    """A transaction on a store, as ``Store.open_pending_transaction`` gives it.

    ``number`` reserves that many row numbers and returns the first. Rows come and go as Arrow
    streams, so a large file is never held in memory as a whole.

    Raises:
        Conflict: from ``insert_arrow_stream_and_count`` and ``commit_transaction``, if another row
            has the same id or unique key.
        InvalidInput: from ``insert_arrow_stream_and_count``, if a value is missing or cannot be
            stored, or rows are too long.
        StoreUnavailable: the disk is full.
    """

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        columns: duckdb_engine.Columns,
        number: Callable[[int], int],
    ) -> None:
        self._cursor = cursor
        self._columns = columns
        self._number = number
        self.grown: dict[str, int] = {}
        """Rows inserted, by table."""
        self.most = 0
        """Bytes that ``_AT_ONCE`` rows may hold that come in; 0 for any."""
        self._near: dict[str, deque[tuple[int, int]]] = {}
        self._rest: dict[str, tuple[list[pa.RecordBatch], bool]] = {}
        self.kept = False
        self._aside = cursor.cursor()
        self._held, self._large, self._size = 0, False, 0
        cursor.execute("begin")

    def stream_query_as_arrow_batches(
        self, sql: str, params: Mapping[str, Any], lists: Mapping[str, pa.Table]
    ) -> pa.RecordBatchReader:
        """The result of a query. ``lists`` are long parameters ``$like_this`` of ``in``, passed as
        tables with one column ``x``, because a list of a million texts would take ten times the
        memory.
        """
        statements = self._cursor.extract_statements(sql)
        if [one.type for one in statements] != [duckdb.StatementType.SELECT]:
            raise InvalidInput("An import may ask the store, not tell it.")
        for name, table in lists.items():
            if not name.isidentifier():
                raise InvalidInput("An import asks in a way that is not known.")
            with duckdb_engine.register_table_within_block(self._cursor, "listed", table):
                self._cursor.execute(f"create or replace temp table list_{name} as from listed")
            sql = re.sub(rf"\bin \${name}\b", f"in (select x from list_{name})", sql)
        with _converted():
            return self._cursor.execute(sql, dict(params) or None).to_arrow_reader(_BATCH)

    def stream_known_ids(self, table: str, ids: pa.Table) -> pa.RecordBatchReader:
        """Which ids (a column ``x``) a table has, in a column ``id``."""
        return self.stream_query_as_arrow_batches(
            f"select id from {table} where id in $ids", {}, {"ids": ids}
        )

    def has_items_in_other_dataset(self, ids: pa.Table, *, study: str, dataset: str) -> bool:
        """Whether any of these ids (a column ``x``) is that of an item of another dataset."""
        sql = "select 1 from item where id in $ids and (study, dataset) <> ($study, $dataset)"
        params = {"study": study, "dataset": dataset}
        return (
            len(
                self.stream_query_as_arrow_batches(
                    f"{sql} limit 1", params, {"ids": ids}
                ).read_all()
            )
            > 0
        )

    def insert_arrow_stream_and_count(
        self,
        table: str,
        file: BinaryIO,
        count: int,
        *,
        fixed: Mapping[str, str | None] | None = None,
        items_of: Mapping[str, str] | None = None,
        more: bool = False,
    ) -> int:
        """Insert ``count`` rows from an Arrow stream; rows whose id is already stored are
        skipped. ``fixed`` is what each row must have in a column that the table has; ``items_of``
        is the study and the dataset whose items rows may be about, and new ones. With ``more`` to
        come of the table, in a stream for which it is called next, the last rows may wait for it,
        to be inserted with its first ones.

        Returns the number of new rows among those that were inserted.
        """
        left = count
        before, known_before = self._rest.pop(table, ([], False))

        def batches() -> Iterator[pa.RecordBatch]:
            nonlocal left
            yield from before
            for batch in arrow_reader_of_file(file):
                left -= batch.num_rows
                if left < 0:
                    return
                yield batch

        with _converted():
            known = known_before or self._is_known(table, file)
            names = arrow_reader_of_file(file).schema.names
            if not set(names) <= self._columns[table].keys():
                raise InvalidInput(f"Table {table} has no columns {', '.join(names)}.")
            fixed = {
                name: value for name, value in (fixed or {}).items() if name in self._columns[table]
            }
            new = 0
            rest: list[pa.RecordBatch] = []
            for rows in _in_pieces(batches(), rest if more else None):
                self._require_room(table, rows)
                _require_fixed_values(table, rows, fixed)
                if items_of and "item" in rows.column_names:
                    ids = pa.table({"x": pa.array(rows["item"].to_pylist(), pa.string())})
                    if self.has_items_in_other_dataset(ids, **items_of):
                        raise InvalidInput(f"Rows of the table {table} are about other items.")
                new += self._insert(table, rows, self._number(len(rows)), known=known)
                self._ease(rows.nbytes)
            if left:
                raise InvalidInput(f"There are not {count:,} rows for the table {table}.")
            if rest:
                self._rest[table] = rest, known
        if new:
            self.grown[table] = self.grown.get(table, 0) + new
        return new

    @property
    def tables_with_rows_that_wait(self) -> Set[str]:
        """The tables of which rows wait for more."""
        return self._rest.keys()

    def _require_room(self, table: str, rows: pa.Table) -> None:
        near = self._near.setdefault(table, deque())
        count = min(len(rows), _AT_ONCE)
        near.append((count, rows.nbytes * count // len(rows)))
        while (beyond := sum(n for n, _ in near) - _AT_ONCE) >= near[0][0]:
            near.popleft()
        first, held = near[0]
        size = sum(size for _, size in near) - held * max(beyond, 0) // first
        if self.most and size > self.most:
            raise InvalidInput(
                f"{_AT_ONCE:,} rows that follow each other hold more than {self.most >> 20:,} MB:"
                " the app would need several times as much memory to save them.",
                hint="Shorten the longest texts, or allow more: long_rows_mb under [imports] in the"
                " settings.",
            )

    def _insert(self, table: str, rows: pa.Table, number: int, *, known: bool) -> int:
        names = ", ".join(rows.column_names)
        unless = f" where id not in (select id from {table})" if known else ""
        with self._lent(table, rows) as (incoming, given):
            [(new,)] = self._cursor.execute(
                f"insert into {table} (seq, {names})"
                f" select {number - 1:d} + row_number() over (), {names} from {incoming}{unless}",
                given,
            ).fetchall()
        return int(new)

    def insert_numbered_rows(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows that were numbered elsewhere."""
        if not rows:
            return
        full = duckdb_engine.dict_rows_as_arrow_table(list(rows[0]), self._columns[table], rows)
        names = ", ".join(full.column_names)
        with _converted(), self._lent(table, full) as (incoming, given):
            into = f"insert into {table} ({names})"
            self._cursor.execute(f"{into} select {names} from {incoming}", given)
        self.grown[table] = self.grown.get(table, 0) + len(rows)
        self._ease(full.nbytes)

    def _is_known(self, table: str, file: BinaryIO) -> bool:
        """Whether any of these rows is already stored."""
        if "id" not in self._columns[table] or not self._has_rows(table):
            return False
        # Convert to texts first: a column would keep alive all the columns it was read with.
        ids = pa.chunked_array(
            [pa.array(rows["id"].to_pylist(), pa.string()) for rows in arrow_reader_of_file(file)],
            pa.string(),
        )
        if len(ids) <= duckdb_engine.FEW:
            sql = f"select 1 from {table} where id in $ids limit 1"
            return bool(self._cursor.execute(sql, {"ids": ids.to_pylist()}).fetchall())
        with self._lent(table, pa.table({"id": ids})) as (incoming, _):
            sql = f"select 1 from {incoming} where id in (select id from {table}) limit 1"
            return bool(self._cursor.execute(sql).fetchall())

    def _has_rows(self, table: str) -> bool:
        return bool(self._cursor.execute(f"select 1 from {table} limit 1").fetchall())

    @contextlib.contextmanager
    def _lent(self, table: str, rows: pa.Table) -> Iterator[tuple[str, dict[str, Any] | None]]:
        """Lets a query read rows of this table: what to read from, and its parameters."""
        if len(rows) <= duckdb_engine.FEW and rows.nbytes <= duckdb_engine.FEW * _LONG:
            given = rows.to_pydict()
            yield f"({duckdb_engine.make_unnest_sql(self._columns[table], given)})", given
            return
        lent = _Lent(rows)
        try:
            with duckdb_engine.register_table_within_block(self._cursor, "incoming", lent):
                yield "incoming", None
        finally:
            lent.rows = None

    def _ease(self, size: int) -> None:
        """Move rows out of memory whenever enough have arrived."""
        self._size += size
        self._held += size
        if self._held > _ROOM:
            self._large, self._held = True, 0
            duckdb_engine.release_memory(self._aside)

    @contextlib.contextmanager
    def _eased(self) -> Iterator[None]:
        """Limit memory while many rows are committed, which copies all of them."""
        if not self._large:
            yield
            return
        done = threading.Event()

        def work() -> None:
            before = _resident()
            while not done.wait(_TICK):
                if _resident() - before > _ROOM:
                    duckdb_engine.release_memory(self._aside)

        worker = threading.Thread(target=work, name="medlens-ease", daemon=True)
        # DuckDB holds 2,048 rows in memory at once, so long rows take more.
        long = self._size > _LONG * sum(self.grown.values())
        with duckdb_engine.context_that_returns_freed_memory_at_once(self._aside, logged=not long):
            worker.start()
            try:
                yield
            finally:
                done.set()
                worker.join()
        duckdb_engine.release_memory(self._aside)

    def commit_transaction(self) -> None:
        """Make everything durable."""
        if self._rest:
            raise InvalidInput(f"Rows of the table {next(iter(self._rest))} are not complete.")
        with _converted(), self._eased():
            self._cursor.execute("commit")
        self.kept = True

    def undo_transaction(self) -> None:
        """Leave the store as it was."""
        with contextlib.suppress(duckdb.Error):
            self._cursor.execute("rollback")
        if self._large:
            duckdb_engine.release_memory(self._aside)


def _require_fixed_values(table: str, rows: pa.Table, fixed: Mapping[str, str | None]) -> None:
    for name, value in fixed.items():
        held = rows[name].unique().to_pylist() if name in rows.column_names else [None]
        if held not in ([value], []):
            raise InvalidInput(f"Rows of the table {table} have another {name} than they may.")


def arrow_reader_of_file(file: BinaryIO) -> pa.RecordBatchReader:
    """The rows of an open file as an Arrow stream, from the beginning.

    The file is opened again, because Arrow reads ahead in threads that outlive the stream.
    """
    return pa.ipc.open_stream(pa.OSFile(f"/dev/fd/{file.fileno()}"))


def _resident() -> int:
    """The resident memory of this process in bytes; 0 if the system does not report it."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


class _Lent:
    """Rows that a query may read until they are taken back; what is registered in a transaction
    would otherwise be held until its end.
    """

    def __init__(self, rows: pa.Table) -> None:
        self.rows: pa.Table | None = rows

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        assert self.rows is not None
        return self.rows.__arrow_c_stream__(requested_schema)


def arrow_tables_in_pieces(file: BinaryIO) -> Iterator[pa.Table]:
    """An Arrow stream in pieces of the size that is inserted at once."""
    return _in_pieces(arrow_reader_of_file(file))


def _in_pieces(
    batches: Iterable[pa.RecordBatch], rest: list[pa.RecordBatch] | None = None
) -> Iterator[pa.Table]:
    """Tables of the size that is inserted at once; what does not fill one, at the end, is added to
    ``rest`` if that is given.
    """
    held: list[pa.RecordBatch] = []
    size = rows = 0
    for batch in batches:
        held.append(batch)
        size += batch.nbytes
        rows += batch.num_rows
        if size >= _PIECE:
            table = pa.Table.from_batches(held)
            # What is left of a group of rows would be written as a group of its own.
            whole = rows // _AT_ONCE * _AT_ONCE if _AT_ONCE < rows < 4 * _AT_ONCE else rows
            yield table.slice(0, whole)
            held = table.slice(whole).to_batches()
            size = sum(one.nbytes for one in held)
            rows -= whole
    if rest is not None:
        rest += held
    elif held:
        yield pa.Table.from_batches(held)


class StoreWithTrialImports(ABC):
    """What every store has for imports: transactions that are tried before they are kept."""

    _columns: dict[str, dict[str, str]]
    _versions: dict[str, int]
    _lock: threading.Lock
    _saved: SavedRowsNote | None

    @contextlib.contextmanager
    def open_pending_transaction(self) -> Iterator[PendingTransaction]:
        """A transaction that reads its own writes; undone at the end unless
        ``commit_pending_transaction`` committed it.
        """
        self._require_in_place()
        with self._cursor(fresh=True) as cursor:
            pending = PendingTransaction(cursor, self._columns, self._take_numbers)
            try:
                yield pending
            finally:
                if not pending.kept:
                    pending.undo_transaction()

    def commit_pending_transaction(
        self, pending: PendingTransaction, files: Mapping[str, Sequence[BinaryIO]]
    ) -> None:
        """Commit a transaction. ``files`` are the streams that were inserted, by table.

        Raises:
            Conflict: another process wrote the same rows in the meantime.
        """
        pending.commit_transaction()
        if self._saved:
            self._saved.add_saved_rows(pending.grown)
        self._grew(pending.grown)

    def arrow_stream_and_count_of_row_to_insert(
        self, table: str, row: Mapping[str, Any]
    ) -> tuple[BinaryIO, int]:
        """A row in the form that ``PendingTransaction.insert_arrow_stream_and_count`` takes."""
        full = self._complete(table, [row])
        frame = duckdb_engine.dict_rows_as_arrow_table(list(full[0]), self._columns[table], full)
        out: Any = tempfile.TemporaryFile()  # noqa: SIM115  (whoever inserts it closes it)
        with pa.ipc.new_stream(out, frame.schema) as stream:
            stream.write_table(frame)
        out.flush()
        return out, 1

    def read_column_types_by_table(self) -> dict[str, dict[str, str]]:
        """Every table with its columns and their types."""
        return self._columns

    def current_version_by_table(self) -> dict[str, int]:
        """The version of each table, all at one moment."""
        with self._lock:
            return dict(self._versions)

    @abstractmethod
    def _require_in_place(self) -> None: ...

    @abstractmethod
    def _cursor(
        self, *, fresh: bool = False
    ) -> contextlib.AbstractContextManager[duckdb.DuckDBPyConnection]: ...

    @abstractmethod
    def _take_numbers(self, count: int) -> int: ...

    @abstractmethod
    def _grew(self, tables: Iterable[str]) -> None: ...

    @abstractmethod
    def _complete(self, table: str, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]: ...


class _converted:
    """Turns DuckDB's errors into errors that people can read."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, duckdb.Error | pa.ArrowException):
            return
        said = str(error).splitlines()[0]
        if isinstance(error, duckdb.IOException | duckdb.OutOfMemoryException) or (
            isinstance(error, duckdb.Error) and duckdb_engine.is_disk_full_error(error)
        ):
            raise duckdb_engine.make_unavailable_store_error(error, "The store") from error
        if isinstance(error, duckdb.TransactionException) or (
            isinstance(error, duckdb.ConstraintException)
            and duckdb_engine.is_duplicate_key_error(error)
        ):
            raise Conflict(
                "Somebody saved this first.", hint="Reload to see the newer state."
            ) from error
        if isinstance(error, duckdb.ConstraintException):
            raise InvalidInput(f"A value is missing ({error}).") from error
        raise InvalidInput(
            f"A value cannot be stored: {said}", hint="Nothing was written."
        ) from error
