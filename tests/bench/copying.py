"""A million answers and 58,000 pairs copied into another place, against what the engines have."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psycopg

from medlens.app import work_behind_commands
from medlens.config.settings import Imports, Settings
from medlens.store import duckdb_engine, open_store
from medlens.store.postgres_append_log import PostgresLog
from medlens.store.postgres_timeout_settings import PostgresTimeouts
from medlens.store.store_copying import copy_store_and_return_counts_and_digests
from tests.bench import sourcecheckup_import
from tests.bench.ebmqa_page import make_store
from tests.bench.rows import Judge, Options, Row

_BAR = 2.0
"""Half the speed."""
_TYPES = {
    "BIGINT": "int8",
    "INTEGER": "int4",
    "BOOLEAN": "bool",
    "DOUBLE": "float8",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
}


def _make(path: Path, options: Options) -> int:
    make_store(path, questions=options.pick(100_000, 5_000), models=10, seed=options.seed)
    folder = path.with_suffix(".files")
    folder.mkdir()
    pairs = options.pick(58_000, 2_900)
    sourcecheckup_import.write_files(folder, "jsonl", pairs=pairs, seed=options.seed)
    # What it takes to import them is measured elsewhere.
    settings = Settings(imports=Imports(memory_mb=4_096))
    kinds = (*sourcecheckup_import.BEFORE, *sourcecheckup_import.MEASURED)
    with contextlib.closing(open_store(path)) as store:
        for kind in kinds:
            file = folder / f"{kind}.jsonl"
            work_behind_commands.import_file(
                *(store, settings, f"sourcecheckup-{kind}", file),
                name=file.name,
                dataset=sourcecheckup_import.DATASET,
            )
        rows = sum(
            int(store.value(f"select count(*) from {table}"))
            for table in store.column_types_by_table
        )
    shutil.rmtree(folder)
    return rows


@contextlib.contextmanager
def _server() -> Iterator[Callable[[], str]]:
    """A PostgreSQL server; gives addresses of empty schemas."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not programs:
        raise RuntimeError("no PostgreSQL server was found")
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []

    def run(program: str, *words: str) -> None:
        command = [*user, str(programs[-1] / program), "-D", f"{folder}/data", *words]
        subprocess.run(command, check=True, cwd=folder, capture_output=True)

    with tempfile.TemporaryDirectory(prefix="medlens-bench-pg-") as folder:
        if user:
            shutil.chown(folder, "postgres")
        run("initdb", "-U", "bench", "--auth=trust", "-E", "UTF8", "--no-locale")
        options = f"-c listen_addresses='' -k {folder}"
        run("pg_ctl", "-l", "server.log", "-w", "-o", options, "start")
        made = 0

        def new() -> str:
            nonlocal made
            made += 1
            url = f"postgresql://bench@/postgres?host={folder}"
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"create schema s{made}".encode())
            return f"{url}&options=-c%20search_path%3Ds{made}"

        try:
            yield new
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _copy_from_database(source: Path, target: Path) -> None:
    with duckdb_engine.open_duckdb() as database:
        database.execute(f"attach {duckdb_engine.quote_literal(source)} as source (read_only)")
        database.execute(
            f"attach {duckdb_engine.quote_literal(target)} as target (storage_version 'v1.5.0')"
        )
        database.execute("copy from database source to target")
        database.execute("detach target")


def _binary_copy(source: Path, url: str) -> None:
    """Every table by psycopg's binary COPY, into the same tables."""
    with duckdb_engine.open_duckdb() as database, psycopg.connect(url) as connection:
        database.execute(f"attach {duckdb_engine.quote_literal(source)} as source (read_only)")
        database.execute("use source")
        database.execute("set timezone = 'UTC'")
        for table, columns in duckdb_engine.read_column_types_by_table(database).items():
            names = ", ".join(columns)
            rows = database.execute(f"select {names} from {table}")
            copying = f"copy {table} ({names}) from stdin (format binary)".encode()
            with connection.cursor() as cursor, cursor.copy(copying) as copy:
                copy.set_types([_TYPES.get(kind, "text") for kind in columns.values()])
                while some := rows.fetchmany(5_000):
                    for row in some:
                        copy.write_row(row)


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    source = options.folder / "source.duckdb"
    count = _make(source, options)
    times = options.pick(5, 2)
    ours: dict[str, list[float]] = {"files": [], "log": [], "back": []}
    theirs: dict[str, list[float]] = {"files": [], "log": []}
    for _ in range(times):
        for plain in (True, False):
            target = options.folder / "target.duckdb"
            if plain:
                theirs["files"].append(_timed(partial(_copy_from_database, source, target)))
            else:
                ours["files"].append(
                    _timed(
                        partial(copy_store_and_return_counts_and_digests, str(source), str(target))
                    )
                )
            target.unlink()
    faults: list[str] = []
    with _server() as new, duckdb_engine.open_duckdb() as database:
        database.execute(f"attach {duckdb_engine.quote_literal(source)} as source (read_only)")
        database.execute("use source")
        columns = duckdb_engine.read_column_types_by_table(database)
        database.execute("use memory")
        database.execute("detach source")
        for _ in range(options.pick(3, 1)):
            empty, url = new(), new()
            PostgresLog(empty, columns, PostgresTimeouts()).close()
            theirs["log"].append(_timed(partial(_binary_copy, source, empty)))
            begun = time.perf_counter()
            there = copy_store_and_return_counts_and_digests(str(source), url)
            ours["log"].append(time.perf_counter() - begun)
            back = options.folder / "back.duckdb"
            begun = time.perf_counter()
            again = copy_store_and_return_counts_and_digests(url, str(back))
            ours["back"].append(time.perf_counter() - begun)
            if there.tables != again.tables:
                faults.append("the store that came back is not equal")
            back.unlink()
    # With few rows it is measured what it takes to make the tables.
    judge: Judge = "none" if options.quick else "ratio"
    return [
        Row(
            f"{count:,} rows from file to file",
            ours["files"],
            judge,
            _BAR,
            unit="s",
            baseline=theirs["files"],
            note="baseline is COPY FROM DATABASE",
        ),
        Row(
            f"{count:,} rows from a file to PostgreSQL",
            ours["log"],
            judge,
            _BAR,
            unit="s",
            baseline=theirs["log"],
            note="baseline is psycopg's binary COPY",
        ),
        Row(
            f"{count:,} rows back into a file",
            ours["back"],
            "none",
            unit="s",
            faults=tuple(faults),
        ),
    ]
