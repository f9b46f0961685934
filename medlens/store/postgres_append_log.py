r"""The log on PostgreSQL: each append is one transaction, and reads follow the order of commits.

The order. Sequence numbers are not handed out in the order in which transactions commit, so a
reader who asks for "everything above the highest ``seq`` I know" can miss a row for good. So each
append ends by advancing the single row of ``log_head`` by one and noting in ``log_entry`` which
range of ``seq`` it wrote in which table. The lock on that row is held until the commit, so entries
have no gaps and are in commit order: a reader who has entry n has everything up to n. The lock is
taken last, so a long import holds up others only while it commits, not while it inserts.

What it relies on: transactions, ``insert … on conflict do nothing returning``, a row lock taken by
``update`` and held to the end, ``create … if not exists``, ``nextval`` as a default (unique, in any
order), ``unnest`` of several arrays, and at start-up a read-only snapshot transaction and DDL
inside a transaction. No advisory locks, xid functions, triggers, LISTEN or replication slots, which
other engines that speak PostgreSQL's protocol support only in part.

JSON is kept as ``text``: ``jsonb`` would reorder keys, rewrite numbers and refuse ``\u0000``, and
an item's digest is of its body as written. PostgreSQL looks inside it in its public views only.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import sql
from psycopg_pool import ConnectionPool, PoolTimeout

from medlens.errors import Conflict, InvalidInput, StoreUnavailable
from medlens.store import migrations
from medlens.store.duckdb_engine import (
    Columns,
    Row,
    log_unfilled_rows,
    make_deleted_meanwhile_error,
    refuse_newer_or_unfinished_store,
)
from medlens.store.postgres_timeout_settings import PostgresTimeouts

_log = logging.getLogger(__name__)
TRIES = 8
RETRIED = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)
"""What a transaction meets when it ran into another: to be tried again."""

_SECONDS_TO_CONNECT = 4
Connection = psycopg.Connection[tuple[Any, ...]]
_Result = TypeVar("_Result")


# The PostgreSQL server as a thread sees it: pooled connections, and transactions that are
# retried.
#
# Errors of the driver are converted here into errors that people can read.


class _LimitedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that is given up if no answer comes within ``answer_seconds``.

    The server's own ``statement_timeout`` and TCP's ``tcp_user_timeout`` do not suffice: something
    between here and there (a proxy, a load balancer, a stopped server) can take what is sent and
    never answer.
    """

    answer_seconds: float = float(_SECONDS_TO_CONNECT)

    def wait(
        self,
        gen: Generator[Any, Any, _Result],
        interval: float = 0.1,
        timeout: float | None = None,
    ) -> _Result:
        """As psycopg's, with a limit where the caller sets none.

        Raises:
            psycopg.errors.ConnectionTimeout: no answer came in time; the connection is closed.
        """
        seconds = self.answer_seconds if timeout is None else timeout
        begun = time.monotonic()
        try:
            return super().wait(gen, interval, seconds)
        except psycopg.OperationalError as error:
            # psycopg has no public name for this error.
            if timeout is not None or time.monotonic() - begun < seconds or error.sqlstate:
                raise
            self.pgconn.finish()
            raise psycopg.errors.ConnectionTimeout(
                f"it was silent for {seconds:g} seconds"
            ) from error


class PostgresConnections:
    """Connections to one database. Safe to share between threads.

    Raises:
        StoreUnavailable: from every method, if the server cannot be reached or refuses.
    """

    def __init__(self, url: str, limits: PostgresTimeouts) -> None:
        given = parse_postgres_url_as_parts_by_name(url)
        self._limits = limits
        how: dict[str, Any] = {
            "autocommit": True,
            "connect_timeout": _SECONDS_TO_CONNECT,
            "application_name": "medlens",
            # What the address says comes last and wins.
            "options": f"{_options(limits)} {given.get('options', '')}".strip(),
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": _milliseconds(limits.silent_seconds),
        }
        # autocommit: a read is one round trip; `check`: a connection that died with the server is
        # noticed before it is used.
        self._pool = ConnectionPool(
            url,
            min_size=1,
            max_size=10,
            timeout=float(_SECONDS_TO_CONNECT),
            reconnect_timeout=2.0,
            check=self._check,
            configure=self._limit,
            connection_class=_LimitedConnection,
            open=False,
            name="medlens",
            kwargs=how,
        )
        with _converted(), _LimitedConnection.connect(url, **how):
            self._pool.open()

    def _limit(self, connection: _LimitedConnection) -> None:
        connection.answer_seconds = self._limits.usual_answer_limit_seconds

    def _check(self, connection: _LimitedConnection) -> None:
        connection.answer_seconds = self._limits.silent_seconds
        ConnectionPool.check_connection(connection)
        self._limit(connection)

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    @contextmanager
    def context_of_autocommit_connection(self) -> Iterator[Connection]:
        """A connection on which every statement is its own transaction."""
        with _converted(), self._pool.connection() as connection:
            yield connection

    @contextmanager
    def context_of_long_transaction(self, *, streamed: bool = False) -> Iterator[Connection]:
        """A transaction for work that is known to be long. With ``streamed``, rows come one by one,
        and only the next of them is waited for as briefly as usual.
        """
        with _converted(), self._pool.connection() as connection, connection.transaction():
            self._allow_long_work(connection, streamed=streamed)
            yield connection

    def _allow_long_work(self, connection: _LimitedConnection, *, streamed: bool = False) -> None:
        """Set the long limits for this transaction; before the next one, ``_check`` resets ours."""
        milliseconds = _milliseconds(self._limits.long_statement_seconds)
        for setting in ("statement_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(f"set local {setting} = {milliseconds}".encode())
        if not streamed:
            connection.answer_seconds = self._limits.long_answer_limit_seconds

    def vacuum_table(self, table: str) -> None:
        """Have the server write a table's files anew, and what it knows of its values."""
        name = sql.Identifier(table)
        self._do_long(sql.SQL("vacuum (full, analyze) {}").format(name))

    def vacuum_planner_statistics_table(self) -> None:
        """The same for what it knows of the values of all tables, where it lets us."""
        try:
            self._do_long(sql.SQL("vacuum full pg_catalog.pg_statistic"))
        except StoreUnavailable as error:
            _log.warning("The server's statistics were not rewritten: %s", error)

    def _do_long(self, statement: sql.SQL | sql.Composed) -> None:
        with _converted(), self._pool.connection() as connection:
            milliseconds = _milliseconds(self._limits.long_statement_seconds)
            connection.answer_seconds = self._limits.long_answer_limit_seconds
            connection.execute(f"set statement_timeout = {milliseconds}".encode())
            try:
                connection.execute(statement)
            finally:
                connection.execute(b"reset statement_timeout")

    def run_in_transaction(
        self,
        work: Callable[[Connection], _Result],
        *,
        retried: tuple[type[Exception], ...] = RETRIED,
        is_long: bool = False,
    ) -> _Result:
        """Do ``work`` in a transaction, and retry a limited number of times if it conflicts with
        another. ``is_long``: the work is known to take longer than a page may.
        """
        for attempt in range(TRIES):
            try:
                with (
                    _converted(besides=retried),
                    self._pool.connection() as connection,
                    connection.transaction(),
                ):
                    if is_long:
                        self._allow_long_work(connection)
                    return work(connection)
            except retried:
                time.sleep(random.uniform(0, 0.01 * 2**attempt))
        raise StoreUnavailable(
            "The store is too busy to save this now.", hint="Try again in a moment."
        )


_SILENT = (
    psycopg.errors.ConnectionTimeout,
    psycopg.errors.IdleInTransactionSessionTimeout,
)
_TRY_AGAIN = (
    "Nothing that was saved is lost, and nothing is saved twice: try again in a moment. The limits"
    " are in the section [postgres] of medlens.toml."
)


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))


def _options(limits: PostgresTimeouts) -> str:
    """What the server is told about each connection: UTC, and when to stop waiting for it."""
    return (
        f"-c timezone=UTC -c statement_timeout={_milliseconds(limits.statement_seconds)}"
        " -c idle_in_transaction_session_timeout="
        f"{_milliseconds(limits.silent_seconds)}"
    )


@contextmanager
def _converted(besides: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Turn psycopg's errors into those that a person gets to read."""
    try:
        yield
    except besides:
        raise
    except psycopg.errors.UniqueViolation as error:
        raise Conflict(
            "Somebody saved this first.", hint="Reload to see the newer state."
        ) from error
    except (psycopg.DataError, psycopg.IntegrityError) as error:
        raise InvalidInput(
            f"A value cannot be stored: {_first_line(error)}", hint="Nothing was written."
        ) from error
    except psycopg.errors.QueryCanceled as error:
        raise StoreUnavailable(
            "The store's PostgreSQL server took too long for one step, which was stopped and left"
            " nothing behind.",
            hint=_TRY_AGAIN,
        ) from error
    except _SILENT as error:
        raise StoreUnavailable(
            f"The store's PostgreSQL server does not answer: {_first_line(error)}.", hint=_TRY_AGAIN
        ) from error
    except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
        raise StoreUnavailable(
            f"The store's PostgreSQL server does not answer: {_first_line(error)}",
            hint="Is it running, and is the address in MEDLENS_STORE right? Try again in a moment:"
            " nothing that was saved is lost, and nothing is saved twice.",
        ) from error
    except psycopg.Error as error:
        raise StoreUnavailable(
            f"The store's PostgreSQL server refused: {_first_line(error)}",
            hint="Check the address in MEDLENS_STORE and what its user may do.",
        ) from error


def parse_postgres_url_as_parts_by_name(url: str) -> Mapping[str, Any]:
    """The parts of an address of a database by their names.

    Raises:
        StoreUnavailable: it is none.
    """
    try:
        return psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        # Without the library's message, which can contain part of the password.
        raise StoreUnavailable(
            "MEDLENS_STORE is not an address of a PostgreSQL database.",
            hint="It looks like postgresql://user:password@host/database; in the password, write"
            " %2F for a slash and %40 for an at sign.",
        ) from None


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__


_CHUNK, _PIECE = 5_000, 4 << 20
"""Rows at a time, and characters of them when they are read."""
_TYPES: Mapping[str, LiteralString] = {
    "BIGINT": "bigint[]",
    "BOOLEAN": "boolean[]",
    "DOUBLE": "double precision[]",
    "INTEGER": "integer[]",
    "TIMESTAMP WITH TIME ZONE": "timestamptz[]",
}
_SET_UP = (
    "create table if not exists migration"
    " (version integer primary key, made_at timestamptz default now())",
    "create table if not exists log_head (name text primary key, entry bigint not null)",
    "insert into log_head (name, entry) values ('log', 0) on conflict (name) do nothing",
    # Last, because its existence says that the others exist.
    "create table if not exists log_entry (entry bigint not null, table_name text not null,"
    " first_seq bigint not null, last_seq bigint not null, primary key (entry, table_name))",
)
# "if not exists" looks before it creates: of two processes one is told that the table is there,
# that its type is, or that its row in a catalogue is, by the moment at which they meet.
_RACED = (
    *RETRIED,
    psycopg.errors.UniqueViolation,
    psycopg.errors.DuplicateTable,
    psycopg.errors.DuplicateObject,
)
_END = 2**63 - 1
REWRITTEN = "@rewritten"
"""In the place of a table's name in ``log_entry``: facts were changed, so copies are made anew."""
_UNRECLAIMED = "unreclaimed"
"""The row of ``log_head`` that says (1) that tables still have to be rewritten."""
_LOCK_SECONDS, _LOCK_TRIES = 3, 60
Insert = Callable[[str, Sequence[Row]], list[dict[str, Any]]]


@dataclass(frozen=True)
class Appended:
    """What an append stored: its entry (0 if nothing was new) and the new rows by table."""

    entry: int
    rows: dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Changes:
    """What a rewriting changes, by table: whole rows, the ``seq`` of rows that go, new rows."""

    changed: Mapping[str, Sequence[Row]]
    gone: Mapping[str, Sequence[int]]
    added: Mapping[str, Sequence[Row]]


class _Busy(Exception):
    """Somebody else writes."""


@dataclass(frozen=True)
class Span:
    """The rows of one table with ``seq`` from ``first`` to ``last``, inclusive."""

    table: str
    first: int
    last: int


class PostgresLog:
    """A PostgreSQL database used as the log of a store. Safe to share between threads.

    Raises:
        StoreUnavailable: from every method, if the server cannot be reached or refuses.
    """

    def __init__(self, url: str, columns: Columns, limits: PostgresTimeouts) -> None:
        self._columns = columns
        self._server = PostgresConnections(url, limits)
        try:
            self._migrate()
            # A process may have been killed after it erased.
            self.purge_removed_rows_from_files()
        except BaseException:
            self._server.close()
            raise

    def close(self) -> None:
        """Close every connection."""
        self._server.close()

    # -- erased --------------------------------------------------------------------------------

    def rewrite_rows_in_transaction(self, changes: Callable[[], Changes]) -> None:
        """Change, remove and add rows in one transaction. ``changes`` is called when nobody else
        writes any more, for what is to be done.

        Raises:
            StoreUnavailable: others write all the time, or something long does; nothing changed.
        """
        for attempt in range(_LOCK_TRIES):
            if attempt:
                time.sleep(_LOCK_SECONDS)
            try:
                with self._server.context_of_long_transaction() as connection:
                    self._lock_all(connection)
                    self._change(connection, changes())
                break
            except _Busy:
                continue
        else:
            raise StoreUnavailable(
                "The store is in use by something long, such as an import.",
                hint="Nothing was changed. Try again when it is done.",
            )
        self.purge_removed_rows_from_files()

    def _lock_all(self, connection: Connection) -> None:
        tables = sql.SQL(", ").join(map(sql.Identifier, self._columns))
        connection.execute(f"set local lock_timeout = '{_LOCK_SECONDS}s'".encode())
        try:
            connection.execute(sql.SQL("lock table {} in exclusive mode").format(tables))
        except psycopg.errors.LockNotAvailable as error:
            raise _Busy from error

    def _change(self, connection: Connection, changes: Changes) -> None:
        spans = {REWRITTEN: (0, 0)}
        for table, rows in changes.changed.items():
            for start in range(0, len(rows), _CHUNK):
                self._update(connection, table, rows[start : start + _CHUNK])
        for table, seqs in changes.gone.items():
            query = sql.SQL("delete from {} where seq = any(%s)").format(sql.Identifier(table))
            connection.execute(query, [list(seqs)])
        for table, rows in changes.added.items():
            new = self._insert_chunk(connection, table, rows)
            if new:
                spans[table] = _span([row["seq"] for row in new])
        connection.execute(
            "insert into log_head (name, entry) values (%s, 1)"
            " on conflict (name) do update set entry = 1",
            [_UNRECLAIMED],
        )
        record_log_entry_and_return_number(connection, spans)

    def _update(self, connection: Connection, table: str, rows: Sequence[Row]) -> None:
        kinds = self._columns[table]
        names = [name for name in kinds if name not in ("seq", "made_at")]
        arrays = sql.SQL(", ").join(
            sql.SQL("%b::") + sql.SQL(_TYPES.get(kinds[name], "text[]")) for name in (*names, "seq")
        )
        query = sql.SQL(
            "update {table} set {set} from unnest({arrays}) as x({names}) where {table}.seq = x.seq"
        ).format(
            table=sql.Identifier(table),
            set=sql.SQL(", ").join(
                sql.SQL("{0} = x.{0}").format(sql.Identifier(name)) for name in names
            ),
            arrays=arrays,
            names=_listed((*names, "seq")),
        )
        values = [_values([row[name] for row in rows], kinds[name]) for name in (*names, "seq")]
        connection.execute(query, values)

    def purge_removed_rows_from_files(self) -> None:
        """Rewrite the tables if rows were changed or removed since they last were: PostgreSQL keeps
        what was there in their files until then, and in its statistics.
        """
        with self._server.context_of_autocommit_connection() as connection:
            asked = "select entry from log_head where name = %s"
            if connection.execute(asked, [_UNRECLAIMED]).fetchall() != [(1,)]:
                return
        texts = [
            table
            for table, kinds in self._columns.items()
            if {"VARCHAR", "JSON"} & set(kinds.values())
        ]
        for table in texts:
            self._server.vacuum_table(table)
        self._server.vacuum_planner_statistics_table()
        with self._server.context_of_autocommit_connection() as connection:
            connection.execute("update log_head set entry = 0 where name = %s", [_UNRECLAIMED])

    # -- shape ---------------------------------------------------------------------------------

    def _migrate(self) -> None:
        with self._server.context_of_autocommit_connection() as connection:
            ready = connection.execute("select to_regclass('log_entry') is not null").fetchall()
        if ready != [(True,)]:
            for statement in _SET_UP:
                make = partial(_execute, statement=statement)
                self._server.run_in_transaction(make, retried=_RACED, is_long=True)
        self._server.run_in_transaction(self._take_steps, is_long=True)

    def _take_steps(self, connection: Connection) -> None:
        # Holding the head row keeps other processes from migrating and appending.
        connection.execute("select entry from log_head where name = 'log' for update")
        done = [v for (v,) in connection.execute("select version from migration").fetchall()]
        refuse_newer_or_unfinished_store(done)
        missing = [version for version, _ in migrations.STEPS if version not in done]
        for version in missing:
            for statement in migrations.migration_statements(version):
                text = statement.replace("{json}", "text").replace("{plain}", "").encode()
                connection.execute(text)
            connection.execute("insert into migration (version) values (%s)", [version])
            log_unfilled_rows(version, lambda query: connection.execute(query.encode()).fetchall())
        for table in self._columns if missing else ():
            connection.execute(
                sql.SQL("create index if not exists {} on {} (seq)").format(
                    sql.Identifier(f"{table}_seq"), sql.Identifier(table)
                )
            )
        self._keep_texts_out_of_statistics(connection)
        self._make_public_views(connection)

    def _keep_texts_out_of_statistics(self, connection: Connection) -> None:
        """Have the server take no samples of the values of texts. It keeps them in a catalogue of
        its own, which an erasure does not reach unless the store's user owns the server.
        """
        try:
            with connection.transaction():
                for table, column in connection.execute(_SAMPLED, [list(self._columns)]).fetchall():
                    connection.execute(
                        sql.SQL("alter table {} alter column {} set statistics 0").format(
                            sql.Identifier(table), sql.Identifier(column)
                        )
                    )
        except psycopg.OperationalError:
            raise
        except psycopg.Error as error:
            _log.warning("The server may keep samples of texts: %s", _first_line(error))

    def has_samples_in_statistics(self) -> bool:
        """Whether the server's statistics hold samples of texts from before it took none."""
        with self._server.context_of_autocommit_connection() as connection:
            asked = connection.execute(
                "select exists (select 1 from pg_stats where schemaname = current_schema()"
                " and tablename = any(%s) and attname <> all(%s)"
                " and (most_common_vals is not null or histogram_bounds is not null)"
                " and (tablename, attname) in (select c.relname, a.attname from pg_attribute a"
                " join pg_class c on c.oid = a.attrelid where a.atttypid = 'text'::regtype))",
                [list(self._columns), list(_KEYS)],
            ).fetchall()
        return bool(asked[0][0])

    def _make_public_views(self, connection: Connection) -> None:
        """Make the public views, if they have changed. They are for others: where the database does
        not let us make them, MedLens works without.
        """
        newest, digest = (
            max(version for version, _ in migrations.STEPS),
            migrations.digest_of_views(),
        )
        made = "select views from migration where version = %s"
        if connection.execute(made, [newest]).fetchall() == [(digest,)]:
            return
        try:
            with connection.transaction():
                for statement in migrations.public_view_statements("postgresql"):
                    connection.execute(statement.encode())
        except psycopg.OperationalError:
            raise
        except psycopg.Error as error:
            _log.warning("The views for SQL could not be made: %s", _first_line(error))
            return
        connection.execute("update migration set views = %s where version = %s", [digest, newest])

    # -- in ------------------------------------------------------------------------------------

    def append_rows(
        self,
        batch: Mapping[str, Sequence[Row]],
        *,
        whole: bool = False,
        requires: Mapping[str, str] | None = None,
    ) -> Appended:
        """Append rows in one transaction; rows whose id is already stored are skipped.

        Raises:
            Conflict: another row has the same unique key, or with ``whole`` a row is already
                stored.
            InvalidInput: a value is missing or cannot be stored, or a row that is required (an id
                by its table) was deleted.
        """
        for _ in range(TRIES):
            try:
                return self._server.run_in_transaction(
                    partial(self._insert, batch=batch, whole=whole, requires=requires or {})
                )
            except Conflict:
                if whole:
                    raise
                # Two requests with the same id at the same instant: the other one is stored by now.
                fresh = self._unknown(batch)
                if all(len(fresh[table]) == len(rows) for table, rows in batch.items()):
                    raise
                batch = fresh
        raise StoreUnavailable(
            "The store is too busy to save this now.", hint="Try again in a moment."
        )

    def _insert(
        self,
        connection: Connection,
        batch: Mapping[str, Sequence[Row]],
        whole: bool,
        requires: Mapping[str, str],
    ) -> Appended:
        stored: dict[str, list[dict[str, Any]]] = {}
        for table, rows in batch.items():
            new: list[dict[str, Any]] = []
            for start in range(0, len(rows), _CHUNK):
                new += self._insert_chunk(connection, table, rows[start : start + _CHUNK])
            if whole and len(new) < len(rows):
                raise Conflict("Somebody saved this first.", hint="Reload to see the newer state.")
            if new:
                stored[table] = new
        # Whoever deletes has waited for these rows, or these for the deletion.
        for table, id_ in requires.items():
            query = sql.SQL("select 1 from {} where id = %s").format(sql.Identifier(table))
            if not connection.execute(query, [id_]).fetchall():
                raise make_deleted_meanwhile_error()
        spans = {table: _span([row["seq"] for row in rows]) for table, rows in stored.items()}
        return Appended(record_log_entry_and_return_number(connection, spans), stored)

    def append_rows_from_feed_and_return_entry(self, feed: Callable[[Insert], None]) -> int:
        """Append what ``feed`` produces, piece by piece, in one transaction; returns the entry (0
        if nothing was new).

        ``feed`` is given a function that inserts rows into a table and returns the new ones as they
        are stored. It is called again if the transaction conflicts with another.

        Raises:
            Conflict: another row has the same unique key.
            InvalidInput: a value is missing or cannot be stored.
        """

        def work(connection: Connection) -> int:
            spans: dict[str, tuple[int, int]] = {}

            def insert(table: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
                new = self._insert_chunk(connection, table, rows)
                if new:
                    seqs = [row["seq"] for row in new]
                    spans[table] = _span([*spans.get(table, ()), *seqs])
                return new

            feed(insert)
            return record_log_entry_and_return_number(connection, spans)

        return self._server.run_in_transaction(work, is_long=True)

    def _insert_chunk(
        self, connection: Connection, table: str, rows: Sequence[Row]
    ) -> list[dict[str, Any]]:
        names = list(rows[0])
        kinds = self._columns[table]
        listed = _listed(names)
        arrays = sql.SQL(", ").join(
            sql.SQL("%b::") + sql.SQL(_TYPES.get(kinds[name], "text[]")) for name in names
        )
        query = sql.SQL(
            "insert into {table} ({names}) select {names} from unnest({arrays}) as x({names})"
            " {passing} returning {all}"
        ).format(
            passing=sql.SQL("on conflict (id) do nothing" if "id" in kinds else ""),
            table=sql.Identifier(table),
            names=listed,
            arrays=arrays,
            all=_listed(kinds),
        )
        values = [_values([row[name] for row in rows], kinds[name]) for name in names]
        found = connection.execute(query, values, binary=True).fetchall()
        return [dict(zip(kinds, row, strict=True)) for row in found]

    def _unknown(self, batch: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
        left: dict[str, list[Row]] = {}
        with self._server.context_of_autocommit_connection() as connection:
            for table, rows in batch.items():
                query = sql.SQL("select id from {} where id = any(%s)").format(
                    sql.Identifier(table)
                )
                found = connection.execute(query, [[row["id"] for row in rows]]).fetchall()
                known = {i for (i,) in found}
                left[table] = [row for row in rows if row["id"] not in known]
        return left

    # -- out -----------------------------------------------------------------------------------

    def list_entries_after(self, after: int, limit: int) -> list[tuple[int, Span]]:
        """The entries after ``after`` in commit order, up to ``limit`` rows."""
        with self._server.context_of_autocommit_connection() as connection:
            found = connection.execute(
                "select entry, table_name, first_seq, last_seq from log_entry where entry > %s"
                " order by entry, table_name limit %s",
                [after, limit],
            ).fetchall()
        return [(entry, Span(table, first, last)) for entry, table, first, last in found]

    def iterate_pages_of_rows_with_table_name(
        self, spans: Sequence[Span]
    ) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """The committed rows of these spans, a page at a time, each with its table."""
        with self._server.context_of_long_transaction(streamed=True) as connection:
            for span in spans:
                for page in self._pages(connection, span):
                    yield span.table, page

    def pass_all_rows_by_page_and_return_entry(
        self, take: Callable[[str, list[dict[str, Any]]], None]
    ) -> int:
        """Pass every row to ``take``, page by page; returns the entry that this state belongs
        to.
        """
        with self._server.context_of_long_transaction() as connection:
            connection.execute("set transaction isolation level repeatable read, read only")
            [(entry,)] = connection.execute(
                "select entry from log_head where name = 'log'"
            ).fetchall()
            for table in self._columns:
                for page in self._pages(connection, Span(table, 0, _END)):
                    take(table, page)
        return int(entry)

    def _pages(self, connection: Connection, span: Span) -> Iterator[list[dict[str, Any]]]:
        names = list(self._columns[span.table])
        query = sql.SQL("select {} from {} where seq >= %s and seq <= %s order by seq").format(
            _listed(names), sql.Identifier(span.table)
        )
        page: list[dict[str, Any]] = []
        size = 0
        with connection.cursor() as cursor:
            # Row by row, because nobody knows how long the next ones are.
            for row in cursor.stream(query, [span.first, span.last], binary=True):
                page.append(dict(zip(names, row, strict=True)))
                size += sum(len(value) for value in row if isinstance(value, str))
                if len(page) == _CHUNK or size > _PIECE:
                    yield page
                    page, size = [], 0
        if page:
            yield page


_KEYS = ("id", "item", "rater", "task", "dataset", "study", "kind", "run")
"""Columns that are looked up and joined by, and hold nothing that is ever erased."""
_SAMPLED: LiteralString = """
select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
where c.relnamespace = current_schema()::regnamespace and c.relname = any(%s) and a.attnum > 0
  and not a.attisdropped and a.atttypid = 'text'::regtype and coalesce(a.attstattarget, -1) <> 0
  and a.attname not in ('id', 'item', 'rater', 'task', 'dataset', 'study', 'kind', 'run')
order by 1, 2"""


def _span(seqs: Sequence[int]) -> tuple[int, int]:
    return min(seqs), max(seqs)


def _execute(connection: Connection, statement: LiteralString) -> None:
    connection.execute(statement)


def record_log_entry_and_return_number(
    connection: Connection, spans: Mapping[str, tuple[int, int]]
) -> int:
    """Record what a transaction wrote, by table and range of ``seq``, as the next entry; returns
    its number (0 if nothing was written).

    Raises:
        StoreUnavailable: the log has no head, because a copy is being made into it.
    """
    if not spans:
        return 0
    firsts, lasts = zip(*spans.values(), strict=True)
    entered = connection.execute(
        "with head as (update log_head set entry = entry + 1 where name = 'log'"
        " returning entry), noted as (insert into log_entry"
        " (entry, table_name, first_seq, last_seq) select head.entry, s.t, s.a, s.b from head,"
        " unnest(%s::text[], %s::bigint[], %s::bigint[]) as s(t, a, b))"
        " select entry from head",
        [list(spans), list(firsts), list(lasts)],
    ).fetchall()
    if not entered:
        raise StoreUnavailable(
            "Another store is being copied into this one.", hint="Wait until the copy is whole."
        )
    return int(entered[0][0])


def _listed(names: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _values(values: list[Any], kind: str) -> list[Any]:
    """A column in the form that psycopg sends: a list with values of one type."""
    if kind == "DOUBLE":
        return [None if value is None else float(value) for value in values]
    return values
