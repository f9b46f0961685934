"""How the store uses DuckDB: opens the file, migrates it, inserts rows.

The only table it knows by name is ``migration``.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import stat
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from medlens.deferred_module import pa, pd
from medlens.errors import InvalidInput, StoreUnavailable
from medlens.store import migrations, output_file
from medlens.store.rewrite_to_erase import BATCH, RewriteCounts, StoreRewrite

_logger = logging.getLogger(__name__)
# DuckDB 2 says so of every answer, on standard error of each command; its other way to ask takes
# longer on small questions.
warnings.filterwarnings("ignore", "Arrow output on a DB-API result makes an extra copy")
Row = Mapping[str, Any]
Columns = Mapping[str, Mapping[str, str]]
FEW = 32
"""Rows that are given as lists, one for each column: to look into an Arrow table takes DuckDB a
millisecond, whatever is in it."""
_PLAIN = " using compression uncompressed"
_CHUNK = 20_000
LONGEST_LOG = 2**19
"""Bytes of the log after which it is written out, which takes 0.2 s with 600,000 drafts.

These are some 2,500 small saves, whose replay after a crash takes 0.4 s of a core; DuckDB's own
16 MB would take 10 s. Its setting for that counts, beside the log, the room that tables might take:
at 1 MB each commit to two tables wrote all out, at ten times its cost."""
# With small row groups, loaded data goes to disk as it comes, and the commit has nothing left to
# move; with DuckDB's own 122,880 rows a load was copied in memory as a whole at its commit. Tables
# of numbers are read just as fast; grouping a million rows by a text takes 60 ms, not 25. Existing
# row groups keep their size.
_ROW_GROUP = 2_048
UNFINISHED = 1_000_000
"""The version that a copy has until it is whole: no MedLens opens it, whatever its own version."""
_NAME = "medlens"


def arrow_timestamp_type() -> pa.DataType:
    """Arrow's type of the moments in the store, which are in UTC."""
    return pa.timestamp("us", tz="UTC")


@cache
def _arrow_types() -> Mapping[str, pa.DataType]:
    """Arrow's types of the store's columns that hold no text."""
    return {
        "BIGINT": pa.int64(),
        "BOOLEAN": pa.bool_(),
        "DOUBLE": pa.float64(),
        "INTEGER": pa.int32(),
        "TIMESTAMP WITH TIME ZONE": arrow_timestamp_type(),
    }


def execute_without_pandas_and_return_cursor(
    cursor: duckdb.DuckDBPyConnection, sql: str, params: Mapping[str, Any] | None = None
) -> duckdb.DuckDBPyConnection:
    """Run a statement with its parameters, without importing pandas for them.

    To see whether a parameter is one of pandas' gaps, DuckDB would import it, for a third of a
    second. None is, as long as nobody has imported it. This is for short commands: where there is
    another thread, it could be importing pandas just now, and must find it.
    """
    if not params or "pandas" in sys.modules or threading.active_count() > 1:
        return cursor.execute(sql, params or None)
    sys.modules["pandas"] = None  # type: ignore[assignment]  # which Python documents
    try:
        return cursor.execute(sql, params)
    finally:
        if sys.modules.get("pandas") is None:
            sys.modules.pop("pandas", None)


def open_duckdb(
    path: str = ":memory:", *, read_only: bool = False, **config: str | bool
) -> duckdb.DuckDBPyConnection:
    """A DuckDB connection that never loads an extension, online or installed.

    Every connection in the project is made here, so neither a file nor a query can make the process
    fetch code.
    """
    offline: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    return duckdb.connect(path, read_only=read_only, config=offline | config)


def is_file_held_error(error: duckdb.Error) -> bool:
    """Whether a file could not be opened because another process has it open."""
    # The third and the fourth are of this process, before DuckDB 2 and since.
    said = (
        *("Could not set lock", "used by another process"),
        *("already attached", "Unique file handle conflict"),
    )
    return any(words in str(error) for words in said)


_ONE_THREAD_UP_TO = 64 << 20


def connect_exclusively(path: str, *, briefly: bool = False) -> duckdb.DuckDBPyConnection:
    """Open the file for this process alone; ``cursor`` gives connections to it. ``briefly``: for a
    few queries, which on a file of up to 64 MiB one thread answers with less processor time.

    Raises:
        StoreUnavailable: another process has it open, it is not a database, it is missing but its
            log is there, it is a second name of a store, or it cannot be written.
    """
    log = Path(f"{path}.wal")
    refuse_hard_links(path)
    if not os.path.lexists(path) and log.exists():
        raise StoreUnavailable(
            f"The store {path} is missing, while its log {log.name} is there.",
            hint="Put the file back. To begin a new store, move the log away.",
        )
    try:
        # The row group size can be set for an attached file, not for one that is opened.
        root = open_duckdb(
            write_buffer_row_group_count="1",
            # Otherwise all stores opened from one folder would share one temporary folder there.
            temp_directory=f"{path}.tmp",
        )
        root.execute("set global timezone = 'UTC'")
        if briefly and _is_small(path):
            root.execute("set global threads = 1")
        attach_file(root, path, _NAME)
        root.execute(f"use {_NAME}")
    except (duckdb.IOException, duckdb.BinderException) as error:
        if is_file_held_error(error):
            raise _held(path) from error
        if "WAL" in str(error):
            raise _damaged_log(path, error) from error
        if is_damaged_file_error(error):
            raise make_unavailable_store_error(error, f"The store {path}") from error
        raise StoreUnavailable(
            f"The store {path} cannot be opened: {reason_of_duckdb_error(error)}",
            hint="Check the path and its permissions, or restore a backup.",
        ) from error
    except (duckdb.Error, RuntimeError) as error:
        if isinstance(error, duckdb.Error) and is_file_held_error(error):
            raise _held(path) from error
        if "WAL" in str(error):
            raise _damaged_log(path, error) from error
        raise StoreUnavailable(
            f"The file {path} is not a store that this version can read:"
            f" {reason_of_duckdb_error(error)}",
            hint="Point MEDLENS_STORE to another file, or restore a backup.",
        ) from error
    return root


def _is_small(path: str) -> bool:
    try:
        return os.path.getsize(path) <= _ONE_THREAD_UP_TO
    except OSError:
        # It is about to be made, or opening it will say what is wrong.
        return True


def _held(path: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"Another process holds the store {path}.",
        hint="Stop it, or work through the app that holds it.",
        held=True,
    )


def attach_file(cursor: duckdb.DuckDBPyConnection, path: str, name: str) -> None:
    """Attach a store's file, or a new one that every supported DuckDB can open, under a name."""
    cursor.execute(
        f"attach {quote_literal(path)} as {name}"
        f" (type duckdb, storage_version 'v1.5.0', row_group_size {_ROW_GROUP})"
    )


def new_connection_to_same_file(root: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """A new connection to the store that ``connect`` opened."""
    made = root.cursor()
    made.execute(f"use {_NAME}")
    return made


def quote_literal(text: str | Path) -> str:
    """A text as an SQL literal."""
    return "'" + str(text).replace("'", "''") + "'"


def refuse_hard_links(path: str) -> None:
    """Refuse a second name (hard link) of a store: DuckDB would not find the log and start a new
    one.

    Raises:
        StoreUnavailable: the file has several names, and there is no ``.saved`` note beside this
            one.
    """
    names = os.stat(path).st_nlink if os.path.isfile(path) else 1
    if names > 1 and os.path.getsize(path) and not os.path.exists(f"{path}.saved"):
        raise StoreUnavailable(
            f"{path} is one of {names} names (hard links) of the same file, and not the one by"
            " which it was last opened as a store.",
            hint="Use that name, which its log goes by. For a second store, make a copy (backup).",
        )


def _damaged_log(path: str, error: Exception) -> StoreUnavailable:
    return StoreUnavailable(
        f"The log of the store {path} is damaged, or another store's:"
        f" {reason_of_duckdb_error(error)}",
        hint=f"Keep a copy of both files. When {Path(path).name}.wal is moved away, the store opens"
        " as it was at its last checkpoint, and says what is missing; or restore a backup.",
    )


def paths_of_store_files(path: str | Path) -> tuple[Path, ...]:
    """The store's file and those beside it: DuckDB's log, its checkpoint copies, its folder for
    temporary data, and the note of what was saved.
    """
    file = Path(os.path.realpath(path))
    beside = ("", ".wal", ".wal.checkpoint", ".wal.recovery", ".tmp", ".saved", ".anew")
    return tuple(file.with_name(file.name + ending) for ending in beside)


# -- a store that is written anew --------------------------------------------------------------


_DRAFT = "anew"
"""The name under which the new file is attached while it is written."""
_HELD_SECONDS = 5.0


def path_of_unfinished_new_store(path: str) -> str:
    """Where a store is written anew, beside it."""
    return f"{path}.anew"


def remove_unfinished_new_store(path: str) -> None:
    """Remove an unfinished new file of the store."""
    draft = path_of_unfinished_new_store(path)
    for left in (draft, f"{draft}.wal", f"{draft}.wal.checkpoint", f"{draft}.wal.recovery"):
        with contextlib.suppress(OSError):
            os.unlink(left)


def create_and_attach_empty_copy_of_store(cursor: duckdb.DuckDBPyConnection, path: str) -> None:
    """Make an empty store in the new file, of the same shape and history."""
    attach_file(cursor, path_of_unfinished_new_store(path), _DRAFT)
    # A tenth of what its migrations take; it keeps which columns are not compressed.
    cursor.execute(f"copy from database {_NAME} to {_DRAFT} (schema)")
    cursor.execute(f"insert into {_DRAFT}.migration select * from {_NAME}.migration")


def detach_new_store(root: duckdb.DuckDBPyConnection) -> None:
    """Let go of the new file."""
    root.execute(f"detach {_DRAFT}")


def copy_all_tables_with_changes(
    cursor: duckdb.DuckDBPyConnection,
    rewrite: StoreRewrite,
    tables: Columns,
    done: RewriteCounts,
    *,
    late: bool,
) -> None:
    """Copy every row into the new file, changed as ``rewrite`` has it and counted in ``done``;
    ``late``: those that are not there yet.
    """

    def ask(sql: str, **params: Any) -> list[tuple[Any, ...]]:
        return execute_without_pandas_and_return_cursor(cursor, sql, params).fetchall()

    cursor.execute("begin")
    try:
        rewrite.read_and_remember_what_rewrite_needs(ask)
        rows = count_rows_by_table(cursor, list(tables))
        # Rows only come: as many as before are the same.
        grown = [table for table in tables if rows[table] != done.seen.get(table, 0)]
        done.seen = rows
        for table in grown:
            kinds = tables[table]
            names = ", ".join(kinds)
            into = f"insert into {_DRAFT}.{table} ({names})"
            new = f"seq not in (select seq from {_DRAFT}.{table})" if late else "true"
            condition = rewrite.sql_condition_of_rows_to_change(table)
            same = f" and not coalesce(({condition}), false)" if condition else ""
            cursor.execute(f"{into} select {names} from {_NAME}.{table} where {new}{same}")
            if not condition:
                continue
            found = cursor.execute(
                f"select {names} from {_NAME}.{table} where {new}"
                f" and coalesce(({condition}), false) order by seq"
            ).fetchall()
            kept: list[Row] = []
            for values in found:
                row = dict(zip(kinds, values, strict=True))
                becomes = rewrite.rewritten_row_or_none_to_remove(table, dict(row))
                done.add_row_counts(table, changed=becomes not in (None, row), gone=becomes is None)
                kept += [] if becomes is None else [becomes]
            for start in range(0, len(kept), BATCH):
                insert_rows(cursor, f"{_DRAFT}.{table}", kinds, kept[start : start + BATCH])
        cursor.execute("commit")
    except BaseException:
        with contextlib.suppress(duckdb.Error):
            cursor.execute("rollback")
        raise


def insert_rows_into_new_file(
    cursor: duckdb.DuckDBPyConnection, batch: Mapping[str, Sequence[Row]], tables: Columns
) -> None:
    """Add complete rows, by table, to the new file."""
    for table, rows in batch.items():
        insert_rows(cursor, f"{_DRAFT}.{table}", tables[table], rows)


def finish_new_file_and_count_rows_by_table(
    root: duckdb.DuckDBPyConnection, path: str, tables: Sequence[str]
) -> dict[str, int]:
    """Make the new file durable and let go of it; returns how many rows each table has."""
    root.execute(f"checkpoint {_DRAFT}")
    each = (f"select '{table}', count(*) from {_DRAFT}.{table}" for table in tables)
    rows = {table: int(n) for table, n in root.execute(" union all ".join(each)).fetchall()}
    detach_new_store(root)
    with open(path_of_unfinished_new_store(path), "rb+") as stream:
        os.fsync(stream.fileno())
    return rows


def replace_store_file_and_reopen(root: duckdb.DuckDBPyConnection, path: str) -> None:
    """Put the new file in the place of the store's, in one step, and open it.

    Raises:
        StoreUnavailable: it cannot be opened; restarting opens it.
    """
    # The log would otherwise be replayed into the new file.
    root.execute(f"checkpoint {_NAME}")
    root.execute("use memory")
    root.execute(f"detach {_NAME}")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{path}.wal")
    os.replace(path_of_unfinished_new_store(path), path)
    output_file.sync_folder_to_disk(Path(path).parent)
    shutil.rmtree(f"{path}.tmp", ignore_errors=True)
    until = time.monotonic() + _HELD_SECONDS
    while True:
        try:
            attach_file(root, path, _NAME)
            break
        except duckdb.Error as error:
            # Between the two moments another process may have looked into it.
            if not is_file_held_error(error) or time.monotonic() > until:
                raise make_unavailable_store_error(error, f"The store {path}") from error
            time.sleep(0.05)
    root.execute(f"use {_NAME}")


def restrict_store_files_and_umask(path: str) -> None:
    """Let only this user read the store's files, now and in future.

    This sets the umask of the process, because DuckDB creates a new log after every checkpoint.
    """
    os.umask(os.umask(0o077) | 0o077)
    for file in paths_of_store_files(path):
        # The file belongs to another user, or does not exist: its owner decides.
        with contextlib.suppress(OSError):
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & 0o077:
                file.chmod(mode & ~0o077)


def newest_schema_version() -> int:
    """The version of the stores that this MedLens makes."""
    return max(version for version, _ in migrations.STEPS)


def refuse_newer_or_unfinished_store(done: Sequence[int]) -> None:
    """Refuse a store with migrations that this version does not know.

    Raises:
        StoreUnavailable: the store was made by a newer version, or is half a copy.
    """
    if UNFINISHED in done:
        raise StoreUnavailable(
            "This store is a copy that was not finished.",
            hint="Ask for the same copy again (python -m medlens copy): it continues where it"
            " stopped. Or delete what is there.",
        )
    if done and max(done) > newest_schema_version():
        raise StoreUnavailable(
            f"This store was made by a newer MedLens (version {max(done)}, this one knows"
            f" {newest_schema_version()}).",
            hint="Update MedLens.",
        )


def run_migrations(cursor: duckdb.DuckDBPyConnection) -> None:
    """Run every migration that the file has not had, and recreate the views if they changed.

    Raises:
        StoreUnavailable: the file was made by a newer version.
    """
    cursor.execute(
        "create table if not exists migration"
        " (version integer primary key, views text, made_at timestamptz default now())"
    )
    done = dict(cursor.execute("select version, views from migration").fetchall())
    refuse_newer_or_unfinished_store(list(done))
    changed = False
    for version, _ in migrations.STEPS:
        if version in done:
            continue
        cursor.execute("begin")
        for statement in migrations.migration_statements(version):
            filled = statement.replace("{json}", "json").replace("{plain}", _PLAIN)
            cursor.execute(filled)
        execute_without_pandas_and_return_cursor(
            cursor, "insert into migration (version) values ($version)", {"version": version}
        )
        cursor.execute("commit")
        log_unfilled_rows(version, lambda query: cursor.execute(query).fetchall())
        changed = True
    digest = migrations.digest_of_views()
    if changed or done.get(newest_schema_version()) != digest:
        cursor.execute("begin")
        for statement in (
            *migrations.current_state_views(),
            *migrations.public_view_statements("duckdb"),
        ):
            cursor.execute(statement)
        execute_without_pandas_and_return_cursor(
            cursor,
            "update migration set views = $views where version = $version",
            {"views": digest, "version": newest_schema_version()},
        )
        cursor.execute("commit")
        cursor.execute("checkpoint")


def log_unfilled_rows(version: int, rows_of: Callable[[str], Sequence[Any]]) -> None:
    """Log how many rows a step could not fill; ``rows_of`` gives a query's rows."""
    left = migrations.LEFT_OPEN.get(version)
    if left is not None and (n := rows_of(left.query)[0][0]):
        _logger.warning(left.sentence.format(n=f"{n:,}"))


def read_column_types_by_table(cursor: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """Every table of the log with its columns and their types, in order."""
    tables = cursor.execute(
        "select table_name from duckdb_tables()"
        " where database_name = current_database() and table_name <> 'migration'"
        " order by table_oid"
    ).fetchall()
    found: dict[str, dict[str, str]] = {table: {} for (table,) in tables}
    # Table by table: duckdb_columns() would bind all views too, which takes three times as long.
    each = (f"select '{table}', name, type from pragma_table_info('{table}')" for table in found)
    for table, column, kind in cursor.execute(" union all ".join(each)).fetchall() if found else ():
        found[table][column] = kind
    return found


def _tables_with_rows(cursor: duckdb.DuckDBPyConnection) -> set[str]:
    """Tables that hold rows. To look into every table takes longer than all else in opening a small
    store.
    """
    filled = cursor.execute(
        "select table_name from duckdb_tables()"
        " where database_name = current_database() and estimated_size > 0"
    ).fetchall()
    return {table for (table,) in filled}


def count_rows_by_table(cursor: duckdb.DuckDBPyConnection, tables: Sequence[str]) -> dict[str, int]:
    """How many rows each table has."""
    each = (f"select '{table}', count(*) from {table}" for table in tables)
    return {table: int(n) for table, n in cursor.execute(" union all ".join(each)).fetchall()}


def creation_time_of_store_as_text(cursor: duckdb.DuckDBPyConnection) -> str:
    """When the store was created, to the microsecond. It tells a store and its copies from other
    stores.
    """
    return str(cursor.execute("select min(made_at) from migration").fetchall()[0][0])


def copy_public_views_and_count_rows_by_table(
    cursor: duckdb.DuckDBPyConnection,
    to: str,
    hide: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
) -> dict[str, int]:
    """Copy the public views as tables, with their comments, into the attached database ``to``;
    returns the number of rows by table. ``hide`` changes each before it is written.
    """
    comments = [
        one for one in migrations.public_view_statements("duckdb") if one.startswith("comment on")
    ]
    counts = {}
    cursor.execute("begin")
    try:
        for view in migrations.PUBLIC_VIEWS:
            table = f"{to}.main.{view}"
            if hide is None:
                cursor.execute(f"create table {table} as select * from {view}")
            else:
                cursor.execute(f"create table {table} as select * from {view} limit 0")
                hidden = hide(cursor.execute(f"select * from {view}").df())
                with register_table_within_block(cursor, "incoming", hidden):
                    cursor.execute(f"insert into {table} select * from incoming")
            counts[view] = int(cursor.execute(f"select count(*) from {table}").fetchall()[0][0])
        for comment in comments:
            cursor.execute(
                comment.replace("comment on view ", f"comment on table {to}.main.", 1).replace(
                    "comment on column ", f"comment on column {to}.main.", 1
                )
            )
        cursor.execute("commit")
    except BaseException:
        with contextlib.suppress(duckdb.Error):
            cursor.execute("rollback")
        raise
    return counts


def list_unreadable_tables_in_words(
    cursor: duckdb.DuckDBPyConnection, tables: Columns
) -> list[str]:
    """What cannot be read, one sentence per table, the first with DuckDB's reason. Reads every
    column in full.
    """
    # All tables in one statement, in a third of the time; one by one where that fails.
    with contextlib.suppress(duckdb.Error):
        filled = _tables_with_rows(cursor)
        each = [
            f"select bit_xor(hash({', '.join(names)})) from {table}"
            for table, names in tables.items()
            if table in filled
        ]
        if each:
            cursor.execute(" union all ".join(each)).fetchall()
        return []
    faults: list[str] = []
    for table, names in tables.items():
        broken, why = [], ""
        # All columns at once, in a quarter of the time; one by one where that fails.
        for name in names if _unread(cursor, table, names) else ():
            if said := _unread(cursor, table, [name]):
                broken.append(name)
                why = why or said
        if broken:
            those = f"column {broken[0]!r}" if len(broken) == 1 else f"{len(broken)} columns"
            faults.append(
                f"Table {table!r}{_rows_of(cursor, table)}: {those} of {len(names)} cannot be read."
                + ("" if faults else f" {why}")
            )
    return faults


def _unread(cursor: duckdb.DuckDBPyConnection, table: str, names: Iterable[str]) -> str:
    """Why these columns of the table cannot be read in full; empty if they can."""
    each = ", ".join(f"bit_xor(hash({name}))" for name in names)
    try:
        cursor.execute(f"select {each} from {table}").fetchall()
    except duckdb.Error as error:
        return reason_of_duckdb_error(error) or type(error).__name__
    return ""


def _rows_of(cursor: duckdb.DuckDBPyConnection, table: str) -> str:
    """The number of rows in the table, in brackets, if it can still be counted."""
    try:
        return f" ({count_rows_by_table(cursor, [table])[table]:,} rows)"
    except duckdb.Error:
        return ""


def list_unreadable_tables_of_file_in_words(path: str) -> list[str] | None:
    """``list_unreadable_tables_in_words`` for a damaged file, opened read-only; None if
    another process has it open.
    """
    try:
        with open_duckdb(path, read_only=True) as found:
            tables = read_column_types_by_table(found)
            return (
                list_unreadable_tables_in_words(found, tables) if tables else ["No table is in it."]
            )
    except duckdb.Error as error:
        return (
            None
            if is_file_held_error(error)
            else [f"It cannot be opened: {reason_of_duckdb_error(error)}"]
        )


def row_counts_and_last_seqs_by_table(
    cursor: duckdb.DuckDBPyConnection, tables: Sequence[str]
) -> tuple[dict[str, int], dict[str, int]]:
    """``counts``, and the highest ``seq`` of each table (0 if it is empty)."""
    rows, tops = dict.fromkeys(tables, 0), dict.fromkeys(tables, 0)
    filled = _tables_with_rows(cursor)
    each = [
        f"select '{table}', count(*), coalesce(max(seq), 0)::bigint from {table}"
        for table in rows
        if table in filled
    ]
    if each:
        for table, n, seq in cursor.execute(" union all ".join(each)).fetchall():
            rows[table], tops[table] = int(n), int(seq)
    return rows, tops


def insert_rows(
    cursor: duckdb.DuckDBPyConnection, table: str, kinds: Mapping[str, str], rows: Sequence[Row]
) -> None:
    """Insert rows that all have the same keys, including ``seq``.

    A plain insert, because ``on conflict`` costs a third more; if an id is refused as a repeat, the
    caller sorts it out.
    """
    if not rows:
        return
    names = list(rows[0])
    into = f"insert into {table} ({', '.join(names)})"
    if len(rows) == 1:
        values = ", ".join(f"${name}" for name in names)
        execute_without_pandas_and_return_cursor(cursor, f"{into} values ({values})", rows[0])
        return
    if len(rows) <= FEW:
        columns = {name: [row[name] for row in rows] for name in names}
        execute_without_pandas_and_return_cursor(
            cursor, f"{into} {make_unnest_sql(kinds, names)}", columns
        )
        return
    for start in range(0, len(rows), _CHUNK):
        insert_arrow_table(
            cursor, table, dict_rows_as_arrow_table(names, kinds, rows[start : start + _CHUNK])
        )


def make_unnest_sql(kinds: Mapping[str, str], names: Iterable[str]) -> str:
    """A query for a few rows whose columns are parameters of these names, each a list."""
    return f"select {', '.join(f'unnest(${name}::{kinds[name]}[]) as {name}' for name in names)}"


def insert_arrow_table(cursor: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    """Insert columns by name, including ``seq``."""
    if not len(rows):
        return
    names = ", ".join(rows.column_names)
    # In one piece it takes up to twice the CPU: one core works, the others wait at full speed.
    pieces = pa.Table.from_batches(rows.to_batches(_ROW_GROUP))
    with register_table_within_block(cursor, "incoming", pieces):
        cursor.execute(f"insert into {table} ({names}) select {names} from incoming")


@contextlib.contextmanager
def register_table_within_block(
    cursor: duckdb.DuckDBPyConnection, name: str, table: Any
) -> Iterator[None]:
    """Statements within this can read a table of Arrow's or pandas' by its name."""
    cursor.register(name, table)
    try:
        yield
    except BaseException:
        # Since DuckDB 2 a transaction that failed refuses this too, in place of what went wrong.
        with contextlib.suppress(duckdb.Error):
            cursor.unregister(name)
        raise
    cursor.unregister(name)


def checkpoint_long_log(cursor: duckdb.DuckDBPyConnection, path: str) -> None:
    """Checkpoint if the log is long. This fails while others write; one of them will do it
    instead.
    """
    try:
        long = os.stat(f"{path}.wal").st_size > LONGEST_LOG
    except FileNotFoundError:
        return
    if long:
        with contextlib.suppress(duckdb.TransactionException):
            cursor.execute("checkpoint")


def release_memory(cursor: duckdb.DuckDBPyConnection) -> None:
    """Drop whatever can be read again from memory, and give the memory back to the system.

    DuckDB keeps what it has read, and the rows of a transaction, until memory runs short. Setting a
    limit that cannot be met makes it write out or drop everything not in use, and is then refused,
    so other queries are not affected. Setting one that can be met returns the freed memory.
    """
    for limit in (
        "set global memory_limit = '1B'",
        "set global memory_limit = '1TB'",
        "reset global memory_limit",
    ):
        with contextlib.suppress(duckdb.Error):
            cursor.execute(limit)
    pa.default_memory_pool().release_unused()


_THRIFTY = {"allocator_bulk_deallocation_flush_threshold": "200KB"}
_UNLOGGED = {"wal_autocheckpoint": "1KB", "auto_checkpoint_skip_wal_threshold": "1"}


@contextlib.contextmanager
def context_that_returns_freed_memory_at_once(
    cursor: duckdb.DuckDBPyConnection, *, logged: bool
) -> Iterator[None]:
    """Return freed memory with every block requested, not only once 512 MB have been freed.

    If it need not be ``logged``, a commit goes straight to the file unless another transaction is
    open; through the log it would pass through memory three times.
    """
    settings = _THRIFTY if logged else _THRIFTY | _UNLOGGED
    with contextlib.suppress(duckdb.Error):
        for name, value in settings.items():
            cursor.execute(f"set global {name} = '{value}'")
    try:
        yield
    finally:
        with contextlib.suppress(duckdb.Error):
            for name in settings:
                cursor.execute(f"reset global {name}")


def dict_rows_as_arrow_table(
    names: Sequence[str], kinds: Mapping[str, str], rows: Sequence[Row]
) -> pa.Table:
    """Rows as an Arrow table, built column by column, which is four times as fast as row by row."""
    return pa.table(
        {
            name: pa.array(
                [row[name] for row in rows], type=_arrow_types().get(kinds[name], pa.large_string())
            )
            for name in names
        }
    )


def tuple_rows_as_arrow_table(
    kinds: Mapping[str, str], rows: Sequence[tuple[Any, ...]]
) -> pa.Table:
    """Rows that have every column of ``kinds``, in its order, as an Arrow table."""
    columns = zip(*rows, strict=True)
    return pa.table(
        {
            name: pa.array(values, type=_arrow_types().get(kind, pa.large_string()))
            for (name, kind), values in zip(kinds.items(), columns, strict=True)
        }
    )


def reason_of_duckdb_error(error: Exception) -> str:
    """The cause of an error in DuckDB's words, without the text around it."""
    return str(error).splitlines()[0].rpartition("Original error: ")[2]


def make_deleted_meanwhile_error() -> InvalidInput:
    """What is said to whoever saves something of what was deleted just now."""
    return InvalidInput(
        "This was deleted for good while you worked on it: nothing of it is saved.",
        hint="Go on with what is next.",
    )


def is_disk_full_error(error: duckdb.Error) -> bool:
    """Whether the disk refused a commit; DuckDB reports this as a failed transaction."""
    text = str(error)
    return "Could not write" in text or "No space left" in text


def is_damaged_file_error(error: duckdb.Error) -> bool:
    """Whether the file's content cannot be read, as opposed to a full disk."""
    text = str(error)
    return "Could not read" in text or "Corrupt" in text


def make_unavailable_store_error(error: duckdb.Error, store: str) -> StoreUnavailable:
    """An error of the file or its disk as a message for people, beginning with ``store``."""
    if is_damaged_file_error(error):
        return StoreUnavailable(
            f"{store} is damaged: {reason_of_duckdb_error(error)}",
            hint="python -m medlens check says what can be read. Restore a backup.",
        )
    return StoreUnavailable(
        f"{store} cannot be written: {reason_of_duckdb_error(error)}", hint="Is the disk full?"
    )


def device_and_inode_of_file(path: str) -> tuple[int, int] | None:
    """What tells a file from another one at the same path; None if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def is_duplicate_key_error(error: duckdb.Error) -> bool:
    """Whether a row was refused because another row has its id or its unique key."""
    text = str(error).lower()
    return "duplicate key" in text or ("constraint" in text and "not null" not in text)


def is_unique_violation(error: duckdb.Error) -> bool:
    """Whether that other row is really different, not this one saved by a parallel request.

    An index sees a row a moment before queries do, and names its keys in order, the id first.
    """
    return "violates unique constraint" in str(error).lower()
