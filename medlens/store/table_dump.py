"""Writes every table of a store to its own file, and reads them back into an empty store."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

import duckdb

from medlens.errors import BadFile, InvalidInput, StoreUnavailable
from medlens.store import duckdb_engine, migrations
from medlens.store.duckdb_store import Store

VERSION = max(version for version, _ in migrations.STEPS)
"""The shape of the store that this MedLens knows."""


def write_parquet_files_and_count_rows_by_table(store: Store, folder: Path) -> dict[str, int]:
    """Write ``TABLE.parquet`` for every table, all from one snapshot; returns the number of rows of
    each.

    Raises:
        StoreUnavailable: the files cannot be written, or the store cannot be read.
    """
    store.fetch_rows_of_other_processes_and_count()
    with store._cursor() as cursor:
        cursor.execute("begin")
        try:
            for table in store.column_types_by_table:
                target = duckdb_engine.quote_literal(folder / f"{table}.parquet")
                cursor.execute(f"copy {table} to {target} (format parquet, compression zstd)")
            return duckdb_engine.count_rows_by_table(cursor, list(store.column_types_by_table))
        except duckdb.Error as error:
            raise StoreUnavailable(
                f"The tables cannot be written: {duckdb_engine.reason_of_duckdb_error(error)}",
                hint="Is the disk full? Nothing was left there, and the store is as it was.",
            ) from error
        finally:
            with contextlib.suppress(duckdb.Error):
                cursor.execute("rollback")


def fill_store_from_table_files(store: Store, folder: Path, rows: Mapping[str, int]) -> None:
    """Read the files of ``write_parquet_files_and_count_rows_by_table`` into an empty store, all or
    nothing; ``rows`` is what that returned.

    Raises:
        InvalidInput: the store is not empty, or is not a file of this process.
        BadFile: a table or column is unknown to this version, or rows are missing.
    """
    if type(store) is not Store:
        raise InvalidInput(
            "Everything is imported into a new DuckDB file, not into PostgreSQL.",
            hint="Name one: --store FILE.duckdb.",
        )
    with store._cursor() as cursor:
        if any(
            duckdb_engine.count_rows_by_table(cursor, list(store.column_types_by_table)).values()
        ):
            raise InvalidInput(
                "Everything is imported into an empty store, and this one is not empty.",
                hint="Name a new file: --store FILE.duckdb.",
            )
        cursor.execute("begin")
        try:
            for table in rows:
                if table not in store.column_types_by_table:
                    raise BadFile(f"No store has a table {table!r}.", hint="Was the file changed?")
                source = f"read_parquet({duckdb_engine.quote_literal(folder / f'{table}.parquet')})"
                given = cursor.execute(f"describe select * from {source}").fetchall()
                names = [name for name, *_ in given]
                if set(names) != set(store.column_types_by_table[table]):
                    raise BadFile(f"The table {table!r} has other columns than this MedLens knows.")
                listed = ", ".join(store.column_types_by_table[table])
                cursor.execute(f"insert into {table} ({listed}) select {listed} from {source}")
            found = duckdb_engine.count_rows_by_table(cursor, list(rows))
            if lacking := [table for table in rows if found[table] != rows[table]]:
                raise BadFile(f"The table {lacking[0]!r} lacks rows.", hint="Export it again.")
            cursor.execute("commit")
        except BaseException as error:
            with contextlib.suppress(duckdb.Error):
                cursor.execute("rollback")
            if isinstance(error, duckdb.Error):
                raise BadFile(
                    f"The file cannot be imported: {duckdb_engine.reason_of_duckdb_error(error)}",
                    hint="Nothing was written. Export it again.",
                ) from error
            raise
        cursor.execute("checkpoint")
    store.note_rows_written_without_append(rows)
