"""The store as a process that reads files has it: asked and appended to through the app.

It asks by the names of lookups, never in SQL. The app answers from one transaction, so that what
was appended is seen by the next question.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import IO, Any

import duckdb

from medlens.app.file_intake import messages_between_processes
from medlens.deferred_module import pa, pd
from medlens.errors import Conflict, InvalidInput, MedLensError
from medlens.store import Lookup, Row, Store, duckdb_engine, utc_now
from medlens.store.duckdb_store import rows_saved_at
from medlens.store.sql_lookups_declared_and_asked_by_name import BOUND

_LONG = 2_000
_CHUNK, _PIECE = 500, 1 << 20
"""Rows at a time, and about how many bytes: Arrow reads a good many of these pieces ahead, into the
app's memory."""
_PART = 8
"""The part of what the app was given of a table that it is given next at least."""


class StoreProxy(Store):
    """A store at the other end of ``peer``, for one import into a dataset of a ``study``, which is
    known once the app was asked for it (``choose_and_return_dataset_of_rows``)."""

    def __init__(
        self,
        peer: socket.socket,
        columns: dict[str, dict[str, str]],
        versions: dict[str, int],
        study: str,
    ) -> None:
        # Not the constructor of a store that opens a file.
        self.path = ""
        self._peer = peer
        self._columns = columns
        self._versions = versions
        self._bound = {"study": study}
        self._clock = max(versions.values(), default=0)
        self._appending = ""

    # -- in ------------------------------------------------------------------------------------

    def _commit(
        self, batch: Mapping[str, Sequence[Row]], requires: Mapping[str, str] | None = None
    ) -> dict[str, int]:
        return {table: self._send_rows(table, rows) for table, rows in batch.items()}

    def _commit_tables(self, batch: Mapping[str, pa.Table]) -> dict[str, int]:
        repeated = {table for table, rows in batch.items() if len(rows["id"].unique()) < len(rows)}
        return {
            table: self.append_all_and_count_new_by_table({table: rows.to_pylist()})[table]
            if table in repeated
            else self._send_table(table, rows)
            for table, rows in batch.items()
        }

    def _commit_bulk(
        self, heads: Mapping[str, Sequence[Row]], bulk: Mapping[str, pa.Table]
    ) -> dict[str, int]:
        added = {table: self._send_rows(table, rows) for table, rows in heads.items()}
        if any(added[table] < len(rows) for table, rows in heads.items()):
            raise Conflict("Somebody saved this first.", hint="Reload to see the newer state.")
        return added | {table: self._send_table(table, rows) for table, rows in bulk.items()}

    def append_pieces_of_table_and_count_new(
        self, table: str, pieces: Iterable[pa.Table], beside: Mapping[str, pa.Table]
    ) -> int:
        """As ``Store`` has it. The app inserts some pieces while the next ones are made, of which
        one at a time is in memory.
        """
        now, new = utc_now(), 0
        pieces = iter(pieces)
        try:
            for file, count in _in_files(rows_saved_at(now, piece) for piece in pieces):
                with file:
                    new += self._count_appended()
                    self._begin_append(table, file, count, more=count > 0)
            new += self._count_appended()
        except MedLensError:
            # As if all had been made before: what is wrong with them is told first.
            deque(pieces, maxlen=0)
            raise
        finally:
            # The app answers whatever happens here, and somebody has to listen.
            with contextlib.suppress(MedLensError):
                self._count_appended()
        self.append_tables_and_count_new_by_table(beside)
        return new

    def _send_rows(self, table: str, rows: Sequence[Row]) -> int:
        if not rows:
            return 0
        names, kinds = list(rows[0]), self._columns[table]
        chunks = range(0, len(rows), _CHUNK)
        frames = (
            duckdb_engine.dict_rows_as_arrow_table(names, kinds, rows[at : at + _CHUNK])
            for at in chunks
        )
        first = next(frames)
        with tempfile.TemporaryFile() as file:
            with pa.ipc.new_stream(file, first.schema) as out:
                for frame in itertools.chain([first], frames):
                    _write(out, frame)
            return self._send(table, file, len(rows))

    def _send_table(self, table: str, rows: pa.Table) -> int:
        if not len(rows):
            return 0
        with tempfile.TemporaryFile() as file:
            with pa.ipc.new_stream(file, rows.schema) as out:
                _write(out, rows)
            return self._send(table, file, len(rows))

    def _send(self, table: str, file: IO[bytes], count: int) -> int:
        self._begin_append(table, file, count)
        return self._count_appended()

    def _begin_append(self, table: str, file: IO[bytes], count: int, *, more: bool = False) -> None:
        """Have the app append these rows, of which there are ``more`` to come at once;
        ``_count_appended`` waits until it has.
        """
        assert not self._appending
        file.flush()
        file.seek(0)
        messages_between_processes.send_json_with_open_files(
            self._peer,
            {"do": "append", "table": table, "count": count, "more": more},
            [file.fileno()],
        )
        self._appending = table

    def _count_appended(self) -> int:
        """How many rows were new of those that the app appends now, if it does."""
        if not self._appending:
            return 0
        table, self._appending = self._appending, ""
        answer, _ = messages_between_processes.receive_dict_and_file_descriptors(self._peer)
        if "error" in answer:
            raise answer["error"]
        self._clock += 1
        self._versions[table] = self._clock
        return int(answer["new"])

    # -- out -----------------------------------------------------------------------------------

    def choose_and_return_dataset_of_rows(self, named: str) -> str:
        """The dataset that the rows go into, of a file that names this one, or none (empty)."""
        messages_between_processes.send_json_with_open_files(
            self._peer, {"do": "place", "named": named}
        )
        answer, _ = messages_between_processes.receive_dict_and_file_descriptors(self._peer)
        if "error" in answer:
            raise answer["error"]
        self._bound["dataset"] = dataset = str(answer["dataset"])
        return dataset

    def known_ids(self, table: str, ids: Sequence[str]) -> set[str]:
        with _listed(ids) as file:
            found = self._answered({"do": "known", "table": table}, [file])
        return set(found["id"].to_pylist())

    def _known_now(self, table: str, ids: Sequence[str]) -> set[str]:
        return self.known_ids(table, ids)

    def _ask(self, sql: str, params: Mapping[str, Any]) -> pa.Table:
        if not isinstance(sql, Lookup):
            raise InvalidInput(
                f"An import asks the store what is not declared as a Lookup: {sql[:80]}"
            )
        for name in BOUND:
            if name in params and params[name] != self._bound.get(name):
                raise InvalidInput(f"An import asks for {sql.name} of another {name}.")
        given = {name: value for name, value in params.items() if name not in BOUND}
        long = {
            name: list(value)
            for name, value in given.items()
            if isinstance(value, (list, tuple)) and len(value) > _LONG and f"in ${name}" in sql
        }
        short = {name: value for name, value in given.items() if name not in long}
        with contextlib.ExitStack() as opened:
            files = [opened.enter_context(_listed(values)) for values in long.values()]
            return self._answered(
                {"do": "read", "lookup": sql.name, "params": short, "lists": list(long)}, files
            )

    def _answered(self, question: dict[str, Any], files: Sequence[IO[bytes]]) -> pa.Table:
        messages_between_processes.send_json_with_open_files(
            self._peer, question, [file.fileno() for file in files]
        )
        answer, _ = messages_between_processes.receive_dict_and_file_descriptors(self._peer)
        if "error" in answer:
            raise answer["error"]
        table = pa.ipc.open_stream(messages_between_processes.SocketAsFile(self._peer)).read_all()
        names = table.column_names
        if len(set(names)) < len(names):
            # A query may name two columns alike, which Arrow cannot look up.
            before = [names[:at].count(name) for at, name in enumerate(names)]
            table = table.rename_columns(
                [f"{name}_{n}" if n else name for name, n in zip(names, before, strict=True)]
            )
        return table

    def read(self, sql: str, **params: Any) -> pd.DataFrame:
        return (
            memory_duckdb_connection_for_frames().cursor().from_arrow(self._ask(sql, params)).df()
        )

    def fetch_query_result_as_arrow_table(self, sql: str, **params: Any) -> pa.Table:
        return self._ask(sql, params)

    def rows(self, sql: str, **params: Any) -> list[tuple[Any, ...]]:
        return _tuples(self._ask(sql, params))

    def _rows_asked_anew(self, sql: str, **params: Any) -> list[tuple[Any, ...]]:
        return self.rows(sql, **params)

    def query_rows_as_dicts(self, sql: str, **params: Any) -> list[dict[str, Any]]:
        found = self._ask(sql, params)
        return [dict(zip(found.column_names, row, strict=True)) for row in _tuples(found)]

    def data_version_of_tables(self, *tables: str) -> int:
        return max((self._versions[table] for table in tables or self._versions), default=0)

    def close(self) -> None:
        """Nothing is open here."""


@cache
def memory_duckdb_connection_for_frames() -> duckdb.DuckDBPyConnection:
    """What makes frames of answers as the store's own engine does; Arrow would make other types.

    It runs no thread, so that a process may begin it once and make others from itself."""
    made = duckdb_engine.open_duckdb(threads="1")
    made.execute("set global timezone = 'UTC'")
    return made


def _tuples(table: pa.Table) -> list[tuple[Any, ...]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def _in_files(pieces: Iterable[pa.Table]) -> Iterator[tuple[IO[bytes], int]]:
    """Files of one or several pieces of a table, with the number of rows in each; the last has
    none. The more there were before, the larger is a file: the app has all of them open.
    """
    held, before = iter(pieces), 0
    piece = next(held, None)
    while piece is not None:
        schema, size, count = piece.schema, 0, 0
        file = tempfile.TemporaryFile()  # noqa: SIM115  (whoever takes it closes it)
        with pa.ipc.new_stream(file, schema) as out:
            while piece is not None:
                _write(out, piece)
                size += piece.nbytes
                count += len(piece)
                # It is made only where it is not the first of the next file.
                full = size * _PART >= before
                piece = None if full else next(held, None)
        yield file, count
        before += size
        piece = next(held, None)
        if piece is None:
            file = tempfile.TemporaryFile()  # noqa: SIM115
            with pa.ipc.new_stream(file, schema):
                pass
            yield file, 0


def _write(out: pa.ipc.RecordBatchStreamWriter, rows: pa.Table) -> None:
    """Write rows in pieces, as small where rows are large as where they are many."""
    for at in range(0, len(rows), _CHUNK):
        some = rows.slice(at, _CHUNK)
        out.write_table(some, max_chunksize=max(1, len(some) * _PIECE // max(some.nbytes, _PIECE)))


def _listed(values: Sequence[str] | Sequence[int]) -> IO[bytes]:
    file = tempfile.TemporaryFile()  # noqa: SIM115  (it goes with the message)
    kind = pa.int64() if values and isinstance(values[0], int) else pa.string()
    table = pa.table({"x": pa.array(values, kind)})
    with pa.ipc.new_stream(file, table.schema) as out:
        out.write_table(table)
    file.flush()
    file.seek(0)
    return file
