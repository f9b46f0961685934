"""The PostgreSQL side of ``store_copying``: what is copied, and what is filled."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from medlens.deferred_module import pa
from medlens.errors import InvalidInput, StoreUnavailable
from medlens.store import duckdb_engine, table_digests
from medlens.store.duckdb_engine import Columns, Row
from medlens.store.postgres_append_log import (
    Connection,
    PostgresConnections,
    PostgresLog,
    parse_postgres_url_as_parts_by_name,
    record_log_entry_and_return_number,
)
from medlens.store.postgres_timeout_settings import PostgresTimeouts
from medlens.store.table_digests import Part

if TYPE_CHECKING:
    from medlens.store.store_copying import DuckdbFileSource, Parts

_HEAD, _HEAD_OF_COPY = "log", "copy"
"""The name of the row of ``log_head``: processes append under the first alone."""
_WORKERS = min(4, max(2, os.cpu_count() or 1))
_ROWS_AT_ONCE = 5_000
_BLOCK = 1 << 18


def address_without_password(url: str) -> str:
    """An address without its password and options."""
    given = parse_postgres_url_as_parts_by_name(url)
    user = f"{given['user']}@" if given.get("user") else ""
    port = f":{given['port']}" if given.get("port") else ""
    return f"postgresql://{user}{given.get('host', '')}{port}/{given.get('dbname', '')}"


def are_same_address(one: str, other: str) -> bool:
    """Whether two addresses are spelt alike but for their passwords."""
    names = ("host", "hostaddr", "port", "dbname", "user", "options")
    first, second = (
        {name: parse_postgres_url_as_parts_by_name(url).get(name) for name in names}
        for url in (one, other)
    )
    return first == second


def _parts(connection: Connection, table: str, columns: Mapping[str, str]) -> Parts:
    query = table_digests.portable_digest_sql(table, columns, "postgresql")
    found = connection.execute(query.encode()).fetchall()
    return {int(part): Part(*map(int, values)) for part, *values in found}


def _versions(connection: Connection) -> list[int]:
    """The versions that the store has had; none if there is no store."""
    there = connection.execute("select to_regclass('migration') is not null").fetchall()
    if there != [(True,)]:
        return []
    return [v for (v,) in connection.execute("select version from migration").fetchall()]


# -- what is copied --------------------------------------------------------------------------------


class PostgresSource:
    """A log on PostgreSQL as it was when this transaction began."""

    def __init__(self, connection: Connection, columns: Columns) -> None:
        self._connection = connection
        self._columns = columns

    def row_count_and_digest_by_part_of_table(self, table: str) -> Parts:
        """The parts of a table."""
        return _parts(self._connection, table, self._columns[table])

    def list_migrations(self) -> list[tuple[int, object]]:
        """The versions that the store has had, and when."""
        return self._connection.execute("select version, made_at from migration").fetchall()

    def stream_arrow_tables(self, table: str, first: int, last: int) -> Iterator[pa.Table]:
        """Rows by ``seq`` as Arrow tables."""
        kinds = self._columns[table]
        query = _select(table, kinds, first, last)
        with self._connection.cursor() as cursor:
            rows: list[tuple[object, ...]] = []
            for row in cursor.stream(query, binary=True, size=_ROWS_AT_ONCE):
                rows.append(row)
                if len(rows) == _ROWS_AT_ONCE:
                    yield duckdb_engine.tuple_rows_as_arrow_table(kinds, rows)
                    rows = []
            if rows:
                yield duckdb_engine.tuple_rows_as_arrow_table(kinds, rows)

    def stream_binary_rows(
        self, table: str, first: int, last: int
    ) -> Iterator[bytes | bytearray | memoryview]:
        """The same in PostgreSQL's binary form."""
        query = sql.SQL("copy ({}) to stdout (format binary)").format(
            _select(table, self._columns[table], first, last)
        )
        with self._connection.cursor() as cursor, cursor.copy(query) as out:
            yield from out


def _select(table: str, columns: Mapping[str, str], first: int, last: int) -> sql.Composed:
    return sql.SQL("select {} from {} where seq between {} and {} order by seq").format(
        _listed(columns), sql.Identifier(table), sql.Literal(first), sql.Literal(last)
    )


def _listed(columns: Mapping[str, str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


@contextlib.contextmanager
def open_copy_source(
    url: str, columns: Columns, limits: PostgresTimeouts, *, noted: Mapping[str, Row]
) -> Iterator[PostgresSource]:
    """Open a log to be copied; ``noted`` are rows by table that are appended to it first.

    Raises:
        StoreUnavailable: there is none, or it is of another version.
    """
    server = PostgresConnections(url, limits)
    try:
        with server.context_of_autocommit_connection() as connection:
            done = _versions(connection)
        duckdb_engine.refuse_newer_or_unfinished_store(done)
        if not done:
            raise StoreUnavailable(
                f"There is no store at {address_without_password(url)}.", hint="Check the address."
            )
        if max(done) < duckdb_engine.newest_schema_version():
            raise StoreUnavailable(
                f"The store {address_without_password(url)} is of an older MedLens (version "
                f"{max(done)}, this one"
                f" knows {duckdb_engine.newest_schema_version()}).",
                hint="Stop the app processes of the older MedLens, and bring the store up to date"
                " with any command of this one, such as check.",
            )
        if noted:
            log = PostgresLog(url, columns, limits)
            try:
                log.append_rows({table: [row] for table, row in noted.items()})
            finally:
                log.close()
        with server.context_of_long_transaction() as connection:
            connection.execute("set transaction isolation level repeatable read, read only")
            yield PostgresSource(connection, columns)
    finally:
        server.close()


# -- what is filled --------------------------------------------------------------------------------


class _PostgresTarget:
    """A log that nobody can open or append to until it is whole. ``guard`` holds its head, so that
    no second copy fills it.
    """

    def __init__(
        self,
        server: PostgresConnections,
        guard: Connection,
        columns: Columns,
        source: DuckdbFileSource | PostgresSource,
    ) -> None:
        self._server = server
        self._guard = guard
        self._columns = columns
        self._source = source
        # A snapshot of PostgreSQL is one connection's.
        self.workers = 1 if isinstance(source, PostgresSource) else _WORKERS

    def row_count_and_digest_by_part_of_table(self, table: str) -> Parts:
        with self._server.context_of_long_transaction() as connection:
            return _parts(connection, table, self._columns[table])

    def replace_rows_from_source(self, table: str, first: int, last: int) -> None:
        into = sql.SQL("copy {} ({}) from stdin (format {})")
        named = sql.Identifier(table), _listed(self._columns[table])
        with self._server.context_of_long_transaction() as connection:
            # For this transaction alone: to wait for the disk is for the last one.
            connection.execute("set local synchronous_commit = off")
            connection.execute(
                sql.SQL("delete from {} where seq between {} and {}").format(
                    sql.Identifier(table), sql.Literal(first), sql.Literal(last)
                )
            )
            with connection.cursor() as cursor:
                if isinstance(self._source, PostgresSource):
                    with cursor.copy(into.format(*named, sql.SQL("binary"))) as copy:
                        for block in self._source.stream_binary_rows(table, first, last):
                            copy.write(block)
                    return
                with tempfile.TemporaryDirectory(prefix="medlens-copy-") as folder:
                    rows = Path(folder) / "rows.csv"
                    self._source.write_rows_as_csv(table, first, last, rows)
                    with (
                        rows.open("rb") as stream,
                        cursor.copy(into.format(*named, sql.SQL("csv"))) as copy,
                    ):
                        while block := stream.read(_BLOCK):
                            copy.write(block)

    def finish_as_store(self, tables: Mapping[str, tuple[int, int]]) -> None:
        last = max((last for _, last in tables.values()), default=0)
        self._guard.execute("select setval('log_seq', %s)", [max(last, 1)])
        for version, made_at in self._source.list_migrations():
            self._guard.execute(
                "update migration set made_at = %s where version = %s", [made_at, version]
            )
        self._guard.execute("delete from migration where version = %s", [duckdb_engine.UNFINISHED])
        self._guard.execute("update log_head set name = %s where name = %s", [_HEAD, _HEAD_OF_COPY])
        # For processes that had it open while it was empty.
        record_log_entry_and_return_number(self._guard, tables)


@contextlib.contextmanager
def open_copy_target(
    url: str, columns: Columns, limits: PostgresTimeouts, source: DuckdbFileSource | PostgresSource
) -> Iterator[_PostgresTarget]:
    """Open an empty database, or an unfinished copy in one, to be filled.

    Raises:
        InvalidInput: it is not empty.
        StoreUnavailable: another process is filling it, or it is of another version.
    """
    server = PostgresConnections(url, limits)
    try:
        with server.context_of_autocommit_connection() as connection:
            done = _versions(connection)
        known = [version for version in done if version != duckdb_engine.UNFINISHED]
        if duckdb_engine.UNFINISHED not in done:
            duckdb_engine.refuse_newer_or_unfinished_store(done)
            PostgresLog(url, columns, limits).close()
            with server.context_of_long_transaction() as connection:
                _begin(connection, url, columns)
        elif max(known, default=0) != duckdb_engine.newest_schema_version():
            raise StoreUnavailable(
                f"What is at {address_without_password(url)} is a copy that another version of "
                "MedLens began.",
                hint="Continue it with that version, or delete the database and make it anew.",
            )
        with server.context_of_long_transaction() as guard:
            _hold(guard, url)
            yield _PostgresTarget(server, guard, columns, source)
    finally:
        server.close()


def _begin(connection: Connection, url: str, columns: Columns) -> None:
    """Close an empty log to everybody else. With its head held, nothing can be appended."""
    connection.execute("select entry from log_head for update")
    counts = sql.SQL(" union all ").join(
        sql.SQL("select count(*) from {}").format(sql.Identifier(table)) for table in columns
    )
    if rows := sum(n for (n,) in connection.execute(counts).fetchall()):
        raise InvalidInput(
            f"The store {address_without_password(url)} is not empty: it has {rows:,} rows.",
            hint="Name an empty database.",
        )
    connection.execute("insert into migration (version) values (%s)", [duckdb_engine.UNFINISHED])
    connection.execute("update log_head set name = %s where name = %s", [_HEAD_OF_COPY, _HEAD])


def _hold(guard: Connection, url: str) -> None:
    try:
        held = guard.execute(
            "select entry from log_head where name = %s for update nowait", [_HEAD_OF_COPY]
        ).fetchall()
    except psycopg.errors.LockNotAvailable as error:
        raise StoreUnavailable(
            f"Another process is copying into {address_without_password(url)}.",
            hint="Wait for it, or stop it.",
        ) from error
    if not held:
        raise StoreUnavailable(
            f"Another process has just finished the copy into {address_without_password(url)}.",
            hint="python -m medlens check says whether it is sound.",
        )
