"""Copies a whole store into an empty one: DuckDB files and PostgreSQL, in either direction.

The rows of each table go over in chunks, each of which is one transaction, and are counted and
hashed on both sides by parts (``digest``). A copy that was stopped, even by ``kill -9``, is
continued by asking for it again: parts that are equal on both sides stay, the others go over again.
Until everything is equal, the copy does not open as a store: its table of migrations names a
version that no MedLens knows. A DuckDB file also has another name until then, and a PostgreSQL log
has no head, so that processes that had it open while it was empty cannot append to it.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import duckdb

from medlens.deferred_module import pa
from medlens.errors import InvalidInput, MedLensError, StoreUnavailable
from medlens.store import duckdb_engine, table_digests
from medlens.store.duckdb_engine import Columns, Row
from medlens.store.duckdb_store import Store
from medlens.store.output_file import sync_folder_to_disk
from medlens.store.postgres_timeout_settings import PostgresTimeouts
from medlens.store.table_digests import Part

if TYPE_CHECKING:
    from medlens.store.postgres_store_copy_source_and_target import PostgresSource

_USUAL = PostgresTimeouts()
_DRAFT = ".copying"
_SOURCE = "source"
_MOST_ROWS, _MOST_BYTES = 200_000, 64 << 20
_MOST_ROWS_OF_FILES, _MOST_BYTES_OF_FILES = 1_000_000, 256 << 20

Parts = Mapping[int, Part]
"""The parts of a table that have rows, by their number."""
Progress = Callable[[int], object]


@dataclass(frozen=True)
class CopyResult:
    """What was copied: the count and digest of every table, and how many rows went over this time,
    which are fewer where an earlier copy was continued.
    """

    tables: Mapping[str, Part]
    rows_now: int

    @property
    def count_of_all_rows(self) -> int:
        """The rows of all tables."""
        return sum(part.rows for part in self.tables.values())


class CopySource(Protocol):
    """What is copied, as it was at one moment."""

    def row_count_and_digest_by_part_of_table(self, table: str) -> Parts:
        """The parts of a table."""

    def list_migrations(self) -> list[tuple[int, object]]:
        """The versions that the store has had, and when."""


class CopyTarget(Protocol):
    """What is copied into. ``workers`` is how many threads may copy at once."""

    workers: int

    def row_count_and_digest_by_part_of_table(self, table: str) -> Parts:
        """The parts of a table."""

    def replace_rows_from_source(self, table: str, first: int, last: int) -> None:
        """Replace the rows with ``seq`` from ``first`` to ``last``, inclusive, by the source's."""

    def finish_as_store(self, tables: Mapping[str, tuple[int, int]]) -> None:
        """Let it be opened as a store. ``tables`` has the lowest and highest ``seq`` of each."""


def is_postgres_address(address: str) -> bool:
    """Whether a store is named by the address of a PostgreSQL database."""
    return address.startswith(("postgresql://", "postgres://"))


def store_name_without_password(address: str) -> str:
    """The name of a store for messages: an address without its password."""
    if not is_postgres_address(address):
        return address
    from medlens.store.postgres_store_copy_source_and_target import address_without_password

    return address_without_password(address)


def copy_store_and_return_counts_and_digests(
    source: str,
    target: str,
    *,
    limits: PostgresTimeouts = _USUAL,
    noted: Mapping[str, Row] | None = None,
    progress: Progress = lambda rows: None,
) -> CopyResult:
    """Copy the store ``source`` into ``target``, which must be empty or not there, or an unfinished
    copy, which is continued. Each is a path of a DuckDB file or ``postgresql://…``.

    The source is read as of one moment. People can work in one on PostgreSQL; a DuckDB file must
    not be open in another process. A DuckDB file of an older version stays as it is, and its copy
    is of this version. ``noted`` are rows by table that are appended to a source first, where it
    is of this version and can be written. ``progress`` is told numbers of rows as they are copied.

    Raises:
        InvalidInput: both are the same, or the target is not empty.
        StoreUnavailable: one of them cannot be read or written, is held by another process
            (``held``), or is of a version that cannot be copied; what was copied so far is kept.
    """
    _refuse_same(source, target)
    with contextlib.ExitStack() as stack:
        draft = "" if is_postgres_address(target) else str(_draft_of(target))
        if draft:
            _require_empty_file(target)
            duckdb_engine.restrict_store_files_and_umask(draft)
            stack.callback(_remove_left, Path(draft))
        workplace = _Workplace(draft)
        stack.callback(workplace.close)
        columns = workplace.columns
        from_: DuckdbFileSource | PostgresSource
        if is_postgres_address(source):
            from medlens.store import postgres_store_copy_source_and_target

            from_ = stack.enter_context(
                postgres_store_copy_source_and_target.open_copy_source(
                    source, columns, limits, noted=noted or {}
                )
            )
        else:
            workplace.attach(source, noted=noted or {})
            from_ = DuckdbFileSource(workplace, is_for_file=bool(draft))
        to: CopyTarget
        if is_postgres_address(target):
            from medlens.store import postgres_store_copy_source_and_target

            to = stack.enter_context(
                postgres_store_copy_source_and_target.open_copy_target(
                    target, columns, limits, from_
                )
            )
        else:
            to = _FileTarget(workplace, from_, Path(target))
        return _copy(from_, to, columns, progress, is_file=bool(draft))


def _copy(
    source: CopySource, target: CopyTarget, columns: Columns, progress: Progress, *, is_file: bool
) -> CopyResult:
    most = (_MOST_ROWS_OF_FILES, _MOST_BYTES_OF_FILES) if is_file else (_MOST_ROWS, _MOST_BYTES)
    wanted: dict[str, Parts] = {}
    rows_now = 0
    with ThreadPoolExecutor(target.workers) as pool:
        begun: dict[Future[None], int] = {}
        changed = []
        try:
            for table in columns:
                wanted[table], there = (
                    source.row_count_and_digest_by_part_of_table(table),
                    target.row_count_and_digest_by_part_of_table(table),
                )
                if wanted[table] != there:
                    changed.append(table)
                for chunk in _chunks(wanted[table], there, *most):
                    work = partial(
                        target.replace_rows_from_source, table, *_span(chunk[0], chunk[-1])
                    )
                    rows = sum(wanted[table][part].rows for part in chunk if part in wanted[table])
                    if target.workers > 1:
                        begun[pool.submit(work)] = rows
                    else:
                        work()
                        progress(rows)
                    rows_now += rows
            for done in as_completed(begun):
                done.result()
                progress(begun[done])
            there_now = (
                map(target.row_count_and_digest_by_part_of_table, changed)
                if is_file
                else pool.map(target.row_count_and_digest_by_part_of_table, changed)
            )
            for table, there in zip(changed, there_now, strict=True):
                if there != wanted[table]:
                    raise StoreUnavailable(
                        f"The copy of the table {table!r} is not equal to the original.",
                        hint="Copy again: what differs is copied anew. If this stays, check the"
                        " disks.",
                    )
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    target.finish_as_store(
        {table: _span(min(parts), max(parts)) for table, parts in wanted.items() if parts}
    )
    return CopyResult(
        {
            table: table_digests.sum_counts_and_digests_of_parts(parts.values())
            for table, parts in wanted.items()
        },
        rows_now,
    )


def _span(first: int, last: int) -> tuple[int, int]:
    """The numbers of ``seq`` of the parts from ``first`` to ``last``, inclusive."""
    return first << table_digests.PART_BITS, (last + 1 << table_digests.PART_BITS) - 1


def _chunks(wanted: Parts, there: Parts, most_rows: int, most_bytes: int) -> Iterator[list[int]]:
    """The parts that differ, in order, together as long as they follow each other and are few."""
    chunk: list[int] = []
    rows = size = 0
    for number in sorted({*wanted, *there}):
        part = wanted.get(number, table_digests.sum_counts_and_digests_of_parts(()))
        is_equal = there.get(number) == part
        if chunk and (is_equal or rows + part.rows > most_rows or size + part.bytes > most_bytes):
            yield chunk
            chunk, rows, size = [], 0, 0
        if not is_equal:
            chunk.append(number)
            rows, size = rows + part.rows, size + part.bytes
    if chunk:
        yield chunk


def _refuse_same(source: str, target: str) -> None:
    if is_postgres_address(source) and is_postgres_address(target):
        from medlens.store.postgres_store_copy_source_and_target import are_same_address

        same = are_same_address(source, target)
    else:
        same = source == target
        if not is_postgres_address(source) and not is_postgres_address(target):
            same = os.path.realpath(source) == os.path.realpath(target)
            with contextlib.suppress(OSError):
                same = same or os.path.samefile(source, target)
    if same:
        raise InvalidInput(
            "A store cannot be copied onto itself.", hint="Name a new file or an empty database."
        )


# -- DuckDB files ----------------------------------------------------------------------------------


def _draft_of(target: str) -> Path:
    path = Path(os.path.realpath(target))
    return path.with_name(path.name + _DRAFT)


def _older_of(draft: Path) -> Path:
    """Where a source of an older version is brought up to date."""
    return draft.with_name(draft.name + ".older")


def _remove_left(draft: Path) -> None:
    """Remove what only this run of the copy needed; the draft stays, to be continued."""
    for file in (
        *duckdb_engine.paths_of_store_files(_older_of(draft)),
        draft.with_name(draft.name + ".tmp"),
    ):
        with contextlib.suppress(OSError):
            file.rmdir() if file.is_dir() else file.unlink()
    with contextlib.suppress(OSError):
        draft.with_name(draft.name + ".saved").unlink()


def _require_empty_file(target: str) -> None:
    """Refuse a target that holds something.

    Raises:
        InvalidInput: it is a folder or another file, or a store with rows.
        StoreUnavailable: its folder cannot be made, or another process has it open.
    """
    path = Path(os.path.realpath(target))
    hint = "Name a new file, or move this one away."
    if path.is_dir():
        raise InvalidInput(f"{target} is a folder, and a store is a file.", hint=hint)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(
            f"The folder of {target} cannot be made: {error.strerror}.", hint=hint
        ) from error
    if not path.exists():
        if left := [file for file in duckdb_engine.paths_of_store_files(path)[1:] if file.exists()]:
            raise InvalidInput(
                f"There is already a file {left[0]}, which belongs to a store {path.name}.",
                hint="Name a new file, or move it away.",
            )
        return
    try:
        with duckdb_engine.open_duckdb() as looking:
            looking.execute(f"attach {duckdb_engine.quote_literal(path)} as looked (read_only)")
            looking.execute("use looked")
            rows = (
                duckdb_engine.count_rows_by_table(looking, tables)
                if (tables := list(duckdb_engine.read_column_types_by_table(looking)))
                else {}
            )
    except duckdb.Error as error:
        if duckdb_engine.is_file_held_error(error):
            raise StoreUnavailable(
                f"Another process holds the store {target}.", hint=hint
            ) from error
        raise InvalidInput(f"{target} already exists, and is not a store.", hint=hint) from error
    if any(rows.values()):
        raise InvalidInput(
            f"The store {target} is not empty: it has {sum(rows.values()):,} rows.", hint=hint
        )


class _Workplace:
    """DuckDB with the draft of the target, or with nothing but tables in memory, as ``medlens``,
    and with the source, if that is a file.
    """

    def __init__(self, draft: str) -> None:
        self.draft = draft
        self._older: tempfile.TemporaryDirectory[str] | None = None
        self._open()
        try:
            with _converted(Path(self.draft)):
                self._begin()
        except BaseException:
            self.root.close()
            raise
        self.columns = duckdb_engine.read_column_types_by_table(self.cursor)

    def _open(self) -> None:
        beside = {"temp_directory": f"{self.draft}.tmp"} if self.draft else {}
        self.root = duckdb_engine.open_duckdb(":memory:", read_only=False, **beside)
        self.root.execute("set global timezone = 'UTC'")
        self.cursor = self.root.cursor()
        if not self.draft:
            return
        try:
            try:
                self._attach_draft()
            except duckdb.Error as error:
                if not duckdb_engine.is_damaged_file_error(error):
                    raise
                # A killed copy may have left it so: it holds nothing that the source lacks.
                _remove_draft(Path(self.draft))
                self._attach_draft()
            self.cursor.execute("use medlens")
        except duckdb.Error as error:
            self.root.close()
            if duckdb_engine.is_file_held_error(error):
                raise StoreUnavailable(
                    "Another process is copying into this store.", hint="Wait for it, or stop it."
                ) from error
            raise StoreUnavailable(
                f"{self.draft} cannot be opened: {duckdb_engine.reason_of_duckdb_error(error)}",
                hint="Is the disk full? Make room; else delete the file, and copy anew.",
            ) from error

    def _attach_draft(self) -> None:
        # With DuckDB's own row groups: small ones are for stores that grow by imports, and would
        # take a copy twice the time.
        self.cursor.execute(
            f"attach {duckdb_engine.quote_literal(self.draft)} as medlens (type duckdb, "
            "storage_version 'v1.5.0')"
        )

    def _begin(self) -> None:
        is_new = not duckdb_engine.read_column_types_by_table(self.cursor)
        done: list[int] = []
        if not is_new:
            done = [v for (v,) in self.cursor.execute("select version from migration").fetchall()]
        known = [version for version in done if version != duckdb_engine.UNFINISHED]
        if not is_new and max(known, default=0) != duckdb_engine.newest_schema_version():
            # Also one whose tables a kill left incomplete.
            self.root.close()
            _remove_draft(Path(self.draft))
            self._open()
            is_new = True
        if is_new:
            duckdb_engine.run_migrations(self.cursor)
        if self.draft and duckdb_engine.UNFINISHED not in done:
            mark = f"insert into migration (version) values ({duckdb_engine.UNFINISHED})"
            self.cursor.execute(mark)

    def attach(self, path: str, *, noted: Mapping[str, Row]) -> None:
        """Attach the source, an older one as a copy that is brought up to date.

        Raises:
            StoreUnavailable: there is none, another process has it open, or it is newer.
        """
        real = os.path.realpath(path)
        duckdb_engine.refuse_hard_links(real)
        if not os.path.isfile(real):
            raise StoreUnavailable(f"There is no store at {path}.", hint="Check the path.")
        done = self._attached(real, path)
        duckdb_engine.refuse_newer_or_unfinished_store(done)
        if max(done, default=0) < duckdb_engine.newest_schema_version():
            self._attach_older()
        elif noted:
            self.cursor.execute(f"detach {_SOURCE}")
            with contextlib.suppress(StoreUnavailable), contextlib.closing(Store(real)) as store:
                for table, row in noted.items():
                    store.append(table, row)
            self._attached(real, path)

    def _attached(self, real: str, path: str) -> list[int]:
        """Attach this file; the versions that it has had."""
        try:
            self.cursor.execute(
                f"attach {duckdb_engine.quote_literal(real)} as {_SOURCE} (type duckdb, read_only)"
            )
            found = self.cursor.execute(f"select version from {_SOURCE}.migration").fetchall()
        except duckdb.Error as error:
            if duckdb_engine.is_file_held_error(error):
                raise StoreUnavailable(
                    f"Another process holds the store {path}.",
                    hint="Stop it, or work through the app that holds it.",
                    held=True,
                ) from error
            raise StoreUnavailable(
                f"The file {path} is not a store that can be read: "
                f"{duckdb_engine.reason_of_duckdb_error(error)}",
                hint="python -m medlens check says more.",
            ) from error
        return [version for (version,) in found]

    def _attach_older(self) -> None:
        if self.draft:
            older = _older_of(Path(self.draft))
            for file in duckdb_engine.paths_of_store_files(older):
                with contextlib.suppress(OSError):
                    file.unlink()
        else:
            self._older = tempfile.TemporaryDirectory(prefix="medlens-copy-")
            older = Path(self._older.name) / "older.duckdb"
        with _converted(older):
            self.cursor.execute(f"attach {duckdb_engine.quote_literal(older)} as older")
            self.cursor.execute(f"copy from database {_SOURCE} to older")
            self.cursor.execute("detach older")
            self.cursor.execute(f"detach {_SOURCE}")
        Store(older).close()
        self._attached(str(older), str(older))

    def close(self) -> None:
        """Close DuckDB, and remove what only this run needed."""
        with contextlib.suppress(duckdb.Error):
            self.cursor.execute(f"detach {_SOURCE}")
        self.cursor.close()
        self.root.close()
        if self._older is not None:
            self._older.cleanup()


class DuckdbFileSource:
    """A DuckDB file that is attached to the workplace."""

    def __init__(self, workplace: _Workplace, *, is_for_file: bool) -> None:
        self.cursor = workplace.cursor
        self.columns = workplace.columns
        self._is_for_file = is_for_file

    def row_count_and_digest_by_part_of_table(self, table: str) -> Parts:
        """The parts of a table, by DuckDB's own hash if both sides are files."""
        return _parts_of_file(
            self.cursor, f"{_SOURCE}.{table}", self.columns[table], quickly=self._is_for_file
        )

    def list_migrations(self) -> list[tuple[int, object]]:
        """The versions that the store has had, and when."""
        return self.cursor.execute(f"select version, made_at from {_SOURCE}.migration").fetchall()

    def write_rows_as_csv(self, table: str, first: int, last: int, path: Path) -> None:
        """Write rows to a file as PostgreSQL reads them."""
        names = ", ".join(self.columns[table])
        with _converted(path), self.cursor.cursor() as cursor:
            cursor.execute(
                f"copy (select {names} from {_SOURCE}.{table} where seq between {first} and {last})"
                f" to {duckdb_engine.quote_literal(path)} (format csv, header false, force_quote "
                "*, nullstr '')"
            )


class _FileTarget:
    """The draft of the workplace."""

    workers = 1

    def __init__(
        self, workplace: _Workplace, source: DuckdbFileSource | PostgresSource, target: Path
    ) -> None:
        self._workplace = workplace
        self._cursor = workplace.cursor
        self._columns = workplace.columns
        self._source = source
        self._target = target

    def row_count_and_digest_by_part_of_table(self, table: str) -> Parts:
        quickly = isinstance(self._source, DuckdbFileSource)
        return _parts_of_file(self._cursor, table, self._columns[table], quickly=quickly)

    def replace_rows_from_source(self, table: str, first: int, last: int) -> None:
        names = ", ".join(self._columns[table])
        span = f"where seq between {first} and {last}"
        with _converted(self._target):
            # By itself: DuckDB refuses ids that the same transaction has deleted.
            self._cursor.execute(f"delete from {table} {span}")
            # Two threads, which wait for each other at the indexes, take a third more CPU, and no
            # less time.
            self._cursor.execute("set global threads = 1")
            self._cursor.execute("begin")
            try:
                if isinstance(self._source, DuckdbFileSource):
                    self._cursor.execute(
                        f"insert into {table} ({names})"
                        f" select {names} from {_SOURCE}.{table} {span}"
                    )
                else:
                    for rows in self._source.stream_arrow_tables(table, first, last):
                        duckdb_engine.insert_arrow_table(self._cursor, table, rows)
                self._cursor.execute("commit")
            except BaseException:
                with contextlib.suppress(duckdb.Error):
                    self._cursor.execute("rollback")
                raise
            finally:
                self._cursor.execute("reset global threads")

    def finish_as_store(self, tables: Mapping[str, tuple[int, int]]) -> None:
        draft = Path(self._workplace.draft)
        with _converted(self._target):
            for version, made_at in self._source.list_migrations():
                self._cursor.execute(
                    "update migration set made_at = $made_at where version = $version",
                    {"made_at": made_at, "version": version},
                )
            mark = f"delete from migration where version = {duckdb_engine.UNFINISHED}"
            self._cursor.execute(mark)
            self._cursor.execute("checkpoint")
            self._workplace.close()
        with draft.open("rb+") as stream:
            os.fsync(stream.fileno())
        path = Path(os.path.realpath(self._target))
        _require_empty_file(str(path))
        if path.exists():
            # An empty store: what lies beside it would be taken for the copy's.
            for file in duckdb_engine.paths_of_store_files(path):
                with contextlib.suppress(OSError):
                    file.unlink()
        try:
            os.link(draft, path)
            draft.unlink()
        except FileExistsError as error:
            raise InvalidInput(
                f"There is a file {path} already.", hint="Move it away and copy again."
            ) from error
        except OSError:
            draft.rename(path)
        sync_folder_to_disk(path.parent)


def _remove_draft(draft: Path) -> None:
    for file in duckdb_engine.paths_of_store_files(draft):
        with contextlib.suppress(OSError):
            file.unlink()


def _parts_of_file(
    cursor: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, str], *, quickly: bool
) -> Parts:
    query = (
        table_digests.duckdb_digest_query(table, columns)
        if quickly
        else table_digests.portable_digest_sql(table, columns, "duckdb")
    )
    try:
        found = cursor.execute(query).fetchall()
    except duckdb.Error as error:
        raise StoreUnavailable(
            f"The table {table.rpartition('.')[2]!r} cannot be read: "
            f"{duckdb_engine.reason_of_duckdb_error(error)}",
            hint="python -m medlens check says what can be read.",
        ) from error
    return {int(part): Part(*map(int, told)) for part, *told in found}


@contextlib.contextmanager
def _converted(path: Path) -> Iterator[None]:
    """Turn DuckDB's errors into those that a person gets to read."""
    try:
        yield
    except MedLensError:
        raise
    except (duckdb.Error, OSError, pa.ArrowException) as error:
        raise StoreUnavailable(
            f"{path} cannot be written: {duckdb_engine.reason_of_duckdb_error(error)}",
            hint="Is the disk full? Make room and copy again: it continues where it stopped.",
        ) from error
