"""DuckDB as the store uses it: opening the file, bringing it up to date, inserting rows.

``medlens/store.py`` is the only user besides the tests; nothing here knows a table by name but
``migration`` and the sequence that numbers the log.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pandas as pd  # noqa: F401  before the first query: DuckDB would import it then, for a second
import pyarrow as pa

from medlens import migrations
from medlens.errors import StoreUnavailable

Row = Mapping[str, Any]
Columns = Mapping[str, Mapping[str, str]]
_BULK = 50
_PLAIN = " using compression uncompressed"
_CHUNK = 20_000
MOMENT = pa.timestamp("us", tz="UTC")
_ARROW = {
    "BIGINT": pa.int64(),
    "BOOLEAN": pa.bool_(),
    "DOUBLE": pa.float64(),
    "INTEGER": pa.int32(),
    "TIMESTAMP WITH TIME ZONE": MOMENT,
}


def connect(path: str) -> duckdb.DuckDBPyConnection:
    """Open the file, which this process then holds alone.

    Raises:
        StoreUnavailable: it is held by another process, is no database, or cannot be written.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "storage_compatibility_version": "v1.5.0"
    }
    try:
        root = duckdb.connect(path, config=config)
        root.execute("set global timezone = 'UTC'")
    except duckdb.IOException as error:
        if "lock" in str(error).lower():
            raise StoreUnavailable(
                f"Another process holds the store {path}.",
                hint="Stop it, or work through the app that holds it.",
                held=True,
            ) from error
        raise StoreUnavailable(
            f"The store {path} cannot be opened: {str(error).splitlines()[0]}",
            hint="Check the path and its permissions, or restore a backup.",
        ) from error
    except (duckdb.Error, RuntimeError) as error:
        raise StoreUnavailable(
            f"The file {path} is not a store that this version can read: "
            f"{str(error).splitlines()[0]}",
            hint="Point MEDLENS_STORE to another file, or restore a backup.",
        ) from error
    return root


def refuse_newer(done: Sequence[int]) -> None:
    """Refuse a store that has had steps which this version does not know.

    Raises:
        StoreUnavailable: so it is.
    """
    newest = max(version for version, _ in migrations.STEPS)
    if done and max(done) > newest:
        raise StoreUnavailable(
            f"This store was made by a newer MedLens (version {max(done)}, this one knows"
            f" {newest}).",
            hint="Update MedLens.",
        )


def migrate(cursor: duckdb.DuckDBPyConnection) -> None:
    """Take every step that the file has not had, and draw the views anew when they changed.

    Raises:
        StoreUnavailable: the file was made by a newer version.
    """
    cursor.execute(
        "create table if not exists migration"
        " (version integer primary key, views text, made_at timestamptz default now())"
    )
    done = dict(cursor.execute("select version, views from migration").fetchall())
    refuse_newer(list(done))
    changed = False
    for version, _ in migrations.STEPS:
        if version in done:
            continue
        cursor.execute("begin")
        for statement in migrations.statements(version):
            filled = statement.replace("{json}", "json").replace("{plain}", _PLAIN)
            cursor.execute(filled)
        cursor.execute("insert into migration (version) values ($version)", {"version": version})
        cursor.execute("commit")
        changed = True
    newest, digest = max(version for version, _ in migrations.STEPS), migrations.views_digest()
    if changed or done.get(newest) != digest:
        cursor.execute("begin")
        for statement in migrations.views():
            cursor.execute(statement)
        cursor.execute(
            "update migration set views = $views where version = $version",
            {"views": digest, "version": newest},
        )
        cursor.execute("commit")
        cursor.execute("checkpoint")


def columns(cursor: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """Every table of the log with its columns and their types, in order."""
    # Two queries: joined, they take four times as long.
    tables = cursor.execute(
        "select table_name from duckdb_tables()"
        " where database_name = current_database() and table_name <> 'migration'"
        " order by table_oid"
    ).fetchall()
    found: dict[str, dict[str, str]] = {table: {} for (table,) in tables}
    for table, column, kind in cursor.execute(
        "select table_name, column_name, data_type from duckdb_columns()"
        " where database_name = current_database() order by table_oid, column_index"
    ).fetchall():
        if table in found:
            found[table][column] = kind
    return found


def tops(cursor: duckdb.DuckDBPyConnection, tables: Sequence[str]) -> dict[str, int]:
    """The highest ``seq`` of each table, after making sure that the next one lies beyond them all.

    Rows that were numbered elsewhere (a backup of a PostgreSQL store) have not moved the sequence.
    """
    each = (f"select '{table}', coalesce(max(seq), 0)::bigint from {table}" for table in tables)
    top = {table: int(seq) for table, seq in cursor.execute(" union all ".join(each)).fetchall()}
    [(last,)] = cursor.execute(
        "select coalesce(last_value, 0) from duckdb_sequences() where sequence_name = 'log_seq'"
        " and database_name = current_database()"
    ).fetchall()
    behind = max(top.values(), default=0) - int(last)
    if behind > 0:
        cursor.execute(f"select max(nextval('log_seq')) from range({behind:d})").fetchall()
    return top


def insert(
    cursor: duckdb.DuckDBPyConnection, table: str, kinds: Mapping[str, str], rows: Sequence[Row]
) -> int:
    """Insert rows that all have the same keys; returns their highest ``seq``, 0 without rows.

    A plain insert, since ``on conflict`` costs a third more: the caller sorts out repeated ids when
    one is refused.
    """
    if not rows:
        return 0
    names = list(rows[0])
    into = f"insert into {table} ({', '.join(names)})"
    if len(rows) < _BULK:
        sql = f"{into} values ({', '.join(f'${name}' for name in names)}) returning seq"
        return max(int(cursor.execute(sql, dict(row)).fetchall()[0][0]) for row in rows)
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK]
        cursor.register("incoming", frame(names, kinds, chunk))
        try:
            cursor.execute(f"{into} select {', '.join(names)} from incoming")
        finally:
            cursor.unregister("incoming")
    return int(cursor.execute(f"select max(seq) from {table}").fetchall()[0][0])


def insert_table(cursor: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> int:
    """Insert columns by their names; returns the highest ``seq`` of the table, 0 without rows."""
    if not len(rows):
        return 0
    names = ", ".join(rows.column_names)
    cursor.register("incoming", rows)
    try:
        cursor.execute(f"insert into {table} ({names}) select {names} from incoming")
    finally:
        cursor.unregister("incoming")
    return int(cursor.execute(f"select max(seq) from {table}").fetchall()[0][0])


def frame(names: Sequence[str], kinds: Mapping[str, str], rows: Sequence[Row]) -> pa.Table:
    """Rows as an Arrow table; built by column, which is four times as fast as by row."""
    return pa.table(
        {
            name: pa.array(
                [row[name] for row in rows], type=_ARROW.get(kinds[name], pa.large_string())
            )
            for name in names
        }
    )


def is_unwritable(error: duckdb.Error) -> bool:
    """Whether the disk refused a commit, which DuckDB reports as a failed transaction."""
    text = str(error)
    return "Could not write" in text or "No space left" in text


def identity_of(path: str) -> tuple[int, int] | None:
    """What tells a file from another at the same path; None where there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def is_duplicate(error: duckdb.Error) -> bool:
    """Whether a row was refused because another holds its id or its place."""
    text = str(error).lower()
    return "duplicate key" in text or ("constraint" in text and "not null" not in text)


def is_settled(error: duckdb.Error) -> bool:
    """Whether that row is another one, and not this one on its way in through another request.

    An index knows a row a moment before queries see it, and names its keys in order, the id first.
    """
    return "violates unique constraint" in str(error).lower()
