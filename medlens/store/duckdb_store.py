"""The store on a DuckDB file: facts are appended and never changed; the current state is a view.

``Store.append`` is the only way in; ``read``, ``rows`` and ``find_first_row_as_dict`` are the ways
out. Reads are always DuckDB SQL. When the store is PostgreSQL (``postgres_store.py``), facts are
appended there and copied into a DuckDB file of this process, so every query stays the same.
"""

from __future__ import annotations

import contextlib
import logging
import os
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

import duckdb

from medlens.deferred_module import pa, pd
from medlens.errors import Conflict, InvalidInput, StoreUnavailable
from medlens.store import duckdb_engine, output_file
from medlens.store.ids_times_and_json import new_id, replace_unstorable_characters, to_json, utc_now
from medlens.store.import_transaction import StoreWithTrialImports
from medlens.store.query_cache import QueryCache, is_read_only_query
from medlens.store.rewrite_to_erase import FileUseGate, RewriteCounts, StoreRewrite
from medlens.store.row_count_note_and_loss_detection import SavedRowsNote

Row = Mapping[str, Any]
_TRIES = 8
PATIENCE, _EXCHANGES = 2.0, 100
"""Seconds for which others wait while a file is exchanged, and how often that is tried."""
_OF_ITEMS = frozenset(("item", "judgment", "ebmqa_question", "sc_response", "sc_statement"))
_log = logging.getLogger(__name__)


def _fetch_named(cursor: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """The names of a result's columns, and its rows."""
    return [tuple(column[0] for column in cursor.description or ()), *cursor.fetchall()]


class Store(StoreWithTrialImports):
    """A store in a DuckDB file.

    ``around_saves`` is a context entered around each save; the metrics use it to count saves.

    Safe to share between threads: each call takes its own cursor, because two threads using one
    connection can get each other's rows.
    """

    around_saves: ClassVar[Callable[[], contextlib.AbstractContextManager[None]]] = (
        contextlib.nullcontext
    )
    when_rewritten: ClassVar[list[Callable[[Store], object]]] = []
    """Called when ``carry_out_rewrite_and_count_changes`` changed facts: who holds any forgets
    them.
    """

    def __init__(self, path: str | Path, *, briefly: bool = False) -> None:
        # If opened by a link, DuckDB would keep its log beside the link, where nobody would find it
        # again.
        self.path = os.path.realpath(path)
        duckdb_engine.restrict_store_files_and_umask(self.path)
        self._root = duckdb_engine.connect_exclusively(self.path, briefly=briefly)
        # Left by a process that was killed while it wrote the store anew.
        duckdb_engine.remove_unfinished_new_store(self.path)
        self._gate = FileUseGate()
        self._rewriting = threading.Lock()
        self._open = True
        self._cursors: list[duckdb.DuckDBPyConnection] = []
        self._answers = QueryCache(())
        self._identity = duckdb_engine.device_and_inode_of_file(self.path)
        self._lock = threading.Lock()
        try:
            with self._cursor() as cursor:
                duckdb_engine.run_migrations(cursor)
                self._columns = duckdb_engine.read_column_types_by_table(cursor)
                self._answers = QueryCache(self._columns)
                rows, self._versions = duckdb_engine.row_counts_and_last_seqs_by_table(
                    cursor, list(self._columns)
                )
                self._saved = self._note(cursor, rows)
        except (duckdb.IOException, duckdb.InternalException, duckdb.FatalException) as error:
            self._let_go()
            raise StoreUnavailable(
                f"The store {self.path} is damaged: {duckdb_engine.reason_of_duckdb_error(error)}",
                hint="python -m medlens check says what can be read. Restore a backup.",
            ) from error
        except BaseException:
            self._let_go()
            raise
        self._clock = max(self._versions.values(), default=0)
        # Rows are numbered here: a file belongs to one process, and DuckDB's own sequence, replayed
        # from the log of a killed process, can neither be read nor set.
        self._last_seq = self._clock

    def _note(
        self, cursor: duckdb.DuckDBPyConnection, rows: Mapping[str, int]
    ) -> SavedRowsNote | None:
        """The note of how much was saved. Losses are reported and stay in the note."""
        saved = SavedRowsNote(
            self.path, born=duckdb_engine.creation_time_of_store_as_text(cursor), rows=rows
        )
        for loss in saved.losses:
            _log.warning("%s", loss, extra={"words": f"The store is incomplete: {loss}"})
        return saved

    @contextlib.contextmanager
    def _cursor(self, *, fresh: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection for one call. Ask for a ``fresh`` one if it may be left with temporary
        tables.
        """
        with self._gate.use_file(), self._connection(fresh=fresh) as cursor:
            yield cursor

    @contextlib.contextmanager
    def _connection(self, *, fresh: bool) -> Iterator[duckdb.DuckDBPyConnection]:
        # Cursors are kept for reuse: making one costs as much as a small query.
        try:
            cursor = (
                duckdb_engine.new_connection_to_same_file(self._root)
                if fresh
                else self._cursors.pop()
            )
        except IndexError:
            cursor = duckdb_engine.new_connection_to_same_file(self._root)
        well = False
        try:
            yield cursor
            well = not fresh
        except duckdb.FatalException as error:
            # DuckDB accepts no more connections; what it acknowledged is in the file.
            raise StoreUnavailable(
                f"The store {self.path} had to stop: {str(error).splitlines()[0]}",
                hint="Is the disk full? Make room, then restart MedLens.",
            ) from error
        finally:
            with self._lock:
                if well and self._open:
                    self._cursors.append(cursor)
                else:
                    cursor.close()

    # -- in ------------------------------------------------------------------------------------

    def append(self, table: str, *rows: Row) -> int:
        """Append rows to one table in one durable transaction; returns the number of new rows."""
        return self.append_all_and_count_new_by_table({table: rows})[table]

    def append_all_and_count_new_by_table(
        self, batch: Mapping[str, Sequence[Row]], *, requires: Mapping[str, str] | None = None
    ) -> dict[str, int]:
        """Append rows to several tables, all or nothing.

        Rows whose ``id`` is already stored are skipped, so a repeated request is harmless. Missing
        ``id`` and ``made_at`` are filled in. Dicts and lists are stored as JSON. ``requires`` are
        ids, by table, of rows that must be there: these are deleted at no moment in between.

        Raises:
            Conflict: another row has the same unique key (a revision, a slot, a name).
            InvalidInput: a row that is required was deleted.
        """
        with Store.around_saves():
            return self._commit(
                {table: self._complete(table, rows) for table, rows in batch.items()}, requires
            )

    def append_tables_and_count_new_by_table(self, batch: Mapping[str, pa.Table]) -> dict[str, int]:
        """Append whole tables, with an ``id`` in every row, all or nothing: for bulk imports.

        Does what ``append_all_and_count_new_by_table`` does without its cost per row. JSON is given
        as text.
        """
        added = dict.fromkeys(batch, 0)
        now = utc_now()
        full = {table: rows_saved_at(now, rows) for table, rows in batch.items() if len(rows)}
        with Store.around_saves():
            return added | self._commit_tables(full)

    def append_pieces_of_table_and_count_new(
        self, table: str, pieces: Iterable[pa.Table], beside: Mapping[str, pa.Table]
    ) -> int:
        """Append a table that is made a piece at a time, and whole tables ``beside`` it, as
        ``append_tables_and_count_new_by_table`` does: all or nothing. Returns the new rows of the
        first.
        """
        made = list(pieces)
        whole = {table: pa.concat_tables(made)} if made else {}
        return self.append_tables_and_count_new_by_table({**whole, **beside}).get(table, 0)

    def _commit_tables(self, batch: Mapping[str, pa.Table]) -> dict[str, int]:
        try:
            return self._transact(batch)
        except duckdb.Error:
            # Some rows are already stored, or are faulty: go row by row to find and name them.
            return self._commit(
                {table: self._complete(table, rows.to_pylist()) for table, rows in batch.items()}
            )

    def append_heads_with_many_rows_and_say_if_new(
        self, heads: Mapping[str, Sequence[Row]], bulk: Mapping[str, pa.Table]
    ) -> bool:
        """Append ``heads`` and the many rows that belong to them in one durable transaction.

        ``bulk`` holds columns by the names of their table, without ``seq``. Tables without ``id``
        are only written this way; their rows are known by their heads, so a repeated request is
        harmless. Returns whether anything was new.

        Raises:
            Conflict: only some of the heads are stored, or another row has the same unique key.
        """
        full = {table: self._complete(table, rows) for table, rows in heads.items()}
        if not any(map(len, self._unseen(full).values())):
            return False
        with Store.around_saves():
            return sum(self._commit_bulk(full, bulk).values()) > 0

    def _complete(self, table: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
        """Rows ready to be stored: each id once, the same keys in every row, clean values."""
        kinds = self._columns[table]
        given = {key for row in rows for key in row}
        if not given <= kinds.keys():
            unknown = ", ".join(sorted(given - kinds.keys()))
            raise InvalidInput(f"Table {table} has no column {unknown}.")
        names = [name for name in kinds if name in given and name not in ("id", "made_at")]
        now = utc_now()
        full: dict[str, dict[str, Any]] = {}
        for row in rows:
            one: dict[str, Any] = {
                "id": replace_unstorable_characters(row.get("id") or new_id()),
                "made_at": row.get("made_at") or now,
            }
            for name in names:
                value = row.get(name)
                if isinstance(value, str):
                    one[name] = replace_unstorable_characters(value)
                elif kinds[name] == "JSON" and value is not None:
                    one[name] = to_json(value)
                else:
                    one[name] = value
            full.setdefault(one["id"], one)
        return list(full.values())

    def _commit(
        self, batch: Mapping[str, Sequence[Row]], requires: Mapping[str, str] | None = None
    ) -> dict[str, int]:
        """Save complete rows durably; returns the number of new rows by table."""
        return self._write(batch, requires=requires)

    def _commit_bulk(
        self, heads: Mapping[str, Sequence[Row]], bulk: Mapping[str, pa.Table]
    ) -> dict[str, int]:
        return self._write(heads, bulk)

    def _write(
        self,
        batch: Mapping[str, Sequence[Row]],
        bulk: Mapping[str, pa.Table] | None = None,
        requires: Mapping[str, str] | None = None,
    ) -> dict[str, int]:
        for attempt in range(_TRIES):
            try:
                return self._transact({**batch, **(bulk or {})}, requires)
            except (duckdb.ConstraintException, duckdb.TransactionException) as error:
                if duckdb_engine.is_disk_full_error(error):
                    raise self._failed(error) from error
                if duckdb_engine.is_duplicate_key_error(error):
                    # The other row may have come this instant: an answer kept now is without it.
                    self._answers.forget_all_answers()
                    fresh = self._unseen(batch)
                    if bulk and not any(map(len, fresh.values())):
                        return dict.fromkeys(batch, 0)
                    seen = any(len(fresh[table]) < len(rows) for table, rows in batch.items())
                    if seen and not bulk:
                        batch = fresh
                        continue
                    if duckdb_engine.is_unique_violation(error):
                        raise Conflict(
                            "Somebody saved this first.", hint="Reload to see the newer state."
                        ) from error
                elif isinstance(error, duckdb.ConstraintException):
                    raise InvalidInput(f"A value is missing ({error}).") from error
            except (duckdb.DataError, pa.ArrowInvalid, pa.ArrowTypeError) as error:
                raise InvalidInput(
                    f"A value cannot be stored: {str(error).splitlines()[0]}",
                    hint="Nothing was written.",
                ) from error
            except duckdb.IOException as error:
                raise self._failed(error) from error
            time.sleep(random.uniform(0, 0.005 * 2**attempt))
        raise StoreUnavailable(
            "The store is too busy to save this now.", hint="Try again in a moment."
        )

    def _failed(self, error: duckdb.Error) -> StoreUnavailable:
        return duckdb_engine.make_unavailable_store_error(error, f"The store {self.path}")

    def _require_in_place(self) -> None:
        """Refuse to write to a file that was moved or deleted: the data would vanish with the
        process.

        Raises:
            StoreUnavailable: the path no longer leads to the open file.
        """
        if duckdb_engine.device_and_inode_of_file(self.path) != self._identity:
            raise StoreUnavailable(
                f"The store's file {self.path} was moved or deleted while MedLens runs.",
                hint="Put it back, then restart MedLens. Nothing is saved until then.",
            )

    def _unseen(self, batch: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
        left: dict[str, list[Row]] = {}
        for table, rows in batch.items():
            if "id" not in self._columns[table]:
                left[table] = list(rows)
                continue
            ids = [row["id"] for row in rows]
            known = self._known_now(table, ids)
            left[table] = [row for row in rows if row["id"] not in known]
        return left

    def _known_now(self, table: str, ids: Sequence[str]) -> set[str]:
        """``known_ids``, but never as it was answered before."""
        sql = f"select id from {table} where id in $ids"
        return {id_ for (id_,) in self._rows_asked_anew(sql, ids=ids)}

    def _transact(
        self,
        batch: Mapping[str, Sequence[Row] | pa.Table],
        requires: Mapping[str, str] | None = None,
    ) -> dict[str, int]:
        self._require_in_place()
        numbered = {table: self._numbered(rows) for table, rows in batch.items()}
        with self._cursor() as cursor:
            cursor.execute("begin")
            try:
                for table, id_ in (requires or {}).items():
                    # The store is written anew while nobody is in a transaction.
                    query = f"select 1 from {table} where id = $id"
                    if not cursor.execute(query, {"id": id_}).fetchall():
                        raise duckdb_engine.make_deleted_meanwhile_error()
                for table, rows in numbered.items():
                    if isinstance(rows, Sequence):
                        duckdb_engine.insert_rows(cursor, table, self._columns[table], rows)
                    else:
                        duckdb_engine.insert_arrow_table(cursor, table, rows)
                cursor.execute("commit")
            except BaseException:
                with contextlib.suppress(duckdb.Error):
                    cursor.execute("rollback")
                raise
            duckdb_engine.checkpoint_long_log(cursor, self.path)
        if self._saved:
            self._saved.add_saved_rows({table: len(rows) for table, rows in batch.items()})
        self._grew(table for table, rows in batch.items() if len(rows))
        return {table: len(rows) for table, rows in batch.items()}

    def _numbered(self, rows: Sequence[Row] | pa.Table) -> Sequence[Row] | pa.Table:
        """Rows with the next numbers as ``seq``; rows that already have one keep it."""
        if not len(rows):
            return rows
        if isinstance(rows, Sequence) and "seq" in rows[0]:
            with self._lock:
                self._last_seq = max(self._last_seq, *(row["seq"] for row in rows))
            return rows
        first = self._take_numbers(len(rows))
        if isinstance(rows, Sequence):
            return [{"seq": seq, **row} for seq, row in enumerate(rows, first)]
        # Here, since a backup appends no table and would wait for it.
        import numpy as np

        return rows.append_column("seq", pa.array(np.arange(first, first + len(rows))))

    def _grew(self, tables: Iterable[str]) -> None:
        # Not just the highest seq: a row can be committed after one with a later number.
        with self._lock:
            self._clock = max(self._clock + 1, self._last_seq)
            self._versions.update(dict.fromkeys(tables, self._clock))

    def _take_numbers(self, count: int) -> int:
        with self._lock:
            first = self._last_seq + 1
            self._last_seq += count
        return first

    @property
    def column_types_by_table(self) -> Mapping[str, Mapping[str, str]]:
        """Every table with its columns and their types."""
        return self._columns

    def note_rows_written_without_append(self, rows: Mapping[str, int]) -> None:
        """Take note of rows that were written to the file without ``append``."""
        with self._cursor() as cursor:
            _, tops = duckdb_engine.row_counts_and_last_seqs_by_table(cursor, list(self._columns))
        with self._lock:
            self._last_seq = max(self._last_seq, *tops.values())
        if self._saved:
            self._saved.add_saved_rows(rows)
        self._grew(rows)

    def fetch_rows_of_other_processes_and_count(self) -> int:
        """Fetch what other processes appended; returns the number of rows.

        Only one process can open a file, so there is never anything to fetch here.
        """
        return 0

    # -- erased --------------------------------------------------------------------------------

    def carry_out_rewrite_and_count_changes(self, rewrite: StoreRewrite) -> RewriteCounts:
        """Write the store anew with changed rows: the only way in which facts change. All or
        nothing, even if the process is killed, and nothing of what went is left in its files.

        The new file is written while people work; they wait for less than ``PATIENCE`` seconds
        while it takes the old one's place.

        Raises:
            StoreUnavailable: the disk is full, or something long uses the store; nothing changed.
        """
        with self._rewriting:
            self._require_in_place()
            duckdb_engine.remove_unfinished_new_store(self.path)
            try:
                done = self._rewrite(rewrite)
            except duckdb.Error as error:
                raise self._failed(error) from error
            finally:
                duckdb_engine.remove_unfinished_new_store(self.path)
        self._forget_all()
        return done

    def _forget_all(self) -> None:
        """After facts were changed: nothing that was read before is held."""
        self._grew(self._columns)
        self._answers.forget_all_answers()
        for forget in Store.when_rewritten:
            forget(self)

    def count_what_rewrite_would_change(self, rewrite: StoreRewrite) -> RewriteCounts:
        """What ``rewrite`` would change; nothing is."""
        done = RewriteCounts()
        for table, _, becomes in self._changed_rows(rewrite):
            done.add_row_counts(table, changed=becomes is not None, gone=becomes is None)
        return done

    def _changed_rows(
        self, rewrite: StoreRewrite
    ) -> Iterator[tuple[str, dict[str, Any], dict[str, Any] | None]]:
        """The rows that a rewriting changes: table, row, and what becomes of it (None: it goes)."""
        rewrite.read_and_remember_what_rewrite_needs(self.rows)
        with self._cursor() as cursor:
            filled = [
                table
                for table, n in duckdb_engine.count_rows_by_table(
                    cursor, list(self._columns)
                ).items()
                if n
            ]
        for table in filled:
            condition = rewrite.sql_condition_of_rows_to_change(table)
            for row in (
                self.query_rows_as_dicts(f"select * from {table} where {condition}")
                if condition
                else ()
            ):
                becomes = rewrite.rewritten_row_or_none_to_remove(table, dict(row))
                if becomes != row:
                    yield table, row, becomes

    def list_places_where_erased_data_may_remain(self) -> Sequence[str]:
        """Where the engine may still keep what was erased, in sentences."""
        return ()

    def _rewrite(self, rewrite: StoreRewrite) -> RewriteCounts:
        done = RewriteCounts()
        with self._cursor(fresh=True) as cursor:
            duckdb_engine.create_and_attach_empty_copy_of_store(cursor, self.path)
        try:
            with self._cursor(fresh=True) as cursor:
                duckdb_engine.copy_all_tables_with_changes(
                    cursor, rewrite, self._columns, done, late=False
                )
            with self._gate.use_file_alone(patience=PATIENCE, tries=_EXCHANGES):
                with self._connection(fresh=True) as cursor:
                    duckdb_engine.copy_all_tables_with_changes(
                        cursor, rewrite, self._columns, done, late=True
                    )
                    self._add_rows(cursor, rewrite)
                self._exchange()
        finally:
            with contextlib.suppress(duckdb.Error):
                duckdb_engine.detach_new_store(self._root)
        return done

    def _add_rows(self, cursor: duckdb.DuckDBPyConnection, rewrite: StoreRewrite) -> None:
        added = {
            table: self._complete(table, rows)
            for table, rows in rewrite.rows_to_add_by_table().items()
        }
        duckdb_engine.insert_rows_into_new_file(
            cursor,
            {table: self._numbered(rows) for table, rows in added.items()},
            self._columns,
        )

    def _exchange(self) -> None:
        """Put the draft in the store's place, while nobody uses it."""
        with self._lock:
            for cursor in self._cursors:
                cursor.close()
            self._cursors.clear()
        rows = duckdb_engine.finish_new_file_and_count_rows_by_table(
            self._root, self.path, list(self._columns)
        )
        if self._saved:
            self._saved.begin_note_anew(rows)
        try:
            duckdb_engine.replace_store_file_and_reopen(self._root, self.path)
        finally:
            self._identity = duckdb_engine.device_and_inode_of_file(self.path)

    # -- out -----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor for reading.

        Raises:
            StoreUnavailable: the file is damaged, or there is no disk space for the query's
                temporary data.
        """
        try:
            with self._cursor() as cursor:
                yield cursor
        except duckdb.IOException as error:
            raise self._failed(error) from error

    def _answer(
        self,
        form: str,
        sql: str,
        params: Mapping[str, Any],
        fetch: Callable[[duckdb.DuckDBPyConnection], Any],
    ) -> Any:
        """What ``fetch`` makes of a query's result, or made of it before, if no table grew."""
        answers = self._answers
        question = answers.key_of_cacheable_query(form, sql, params)
        if question is None:
            with self._reading() as cursor:
                found = fetch(
                    duckdb_engine.execute_without_pandas_and_return_cursor(cursor, sql, params)
                )
            if not is_read_only_query(sql):
                answers.forget_all_answers()
            return found
        forgotten = answers.times_all_was_forgotten
        with self._lock:
            version = max(self._versions[table] for table in question.tables)
        found = answers.find_cached_answer(question, version)
        if found is None:
            with self._reading() as cursor:
                found = fetch(
                    duckdb_engine.execute_without_pandas_and_return_cursor(cursor, sql, params)
                )
            answers.keep_answer(question, version, found, forgotten=forgotten)
        return found

    def forget_cached_query_answers(self) -> None:
        """Read everything from the file from now on, even if it was read before."""
        self._answers.forget_all_answers()

    def read(self, sql: str, **params: Any) -> pd.DataFrame:
        """The result of a query as a DataFrame; parameters are named ``$like_this``."""
        found: pd.DataFrame = self._answer("frame", sql, params, lambda cursor: cursor.df())
        return found

    def fetch_query_result_as_arrow_table(self, sql: str, **params: Any) -> pa.Table:
        """The result of a query as an Arrow table."""
        return self._answer("arrow", sql, params, lambda cursor: cursor.to_arrow_table())

    def rows(self, sql: str, **params: Any) -> list[tuple[Any, ...]]:
        """The result of a query as tuples: the cheapest way to read a few rows."""
        found: list[tuple[Any, ...]] = self._answer(
            "rows", sql, params, lambda cursor: cursor.fetchall()
        )
        return found

    def _rows_asked_anew(self, sql: str, **params: Any) -> list[tuple[Any, ...]]:
        """``rows``, but never as they were answered before."""
        with self._reading() as cursor:
            return duckdb_engine.execute_without_pandas_and_return_cursor(
                cursor, sql, params
            ).fetchall()

    def known_ids(self, table: str, ids: Sequence[str]) -> set[str]:
        """Which of these ids a table has."""
        return set(self.column(f"select id from {table} where id in $ids", ids=list(ids)))

    def column(self, sql: str, **params: Any) -> list[Any]:
        """The first column of a query's result."""
        return [row[0] for row in self.rows(sql, **params)]

    def value(self, sql: str, **params: Any) -> Any:
        """The first cell of a query's result; None where there is no row."""
        return next(iter(self.column(sql, **params)), None)

    def query_rows_as_dicts(self, sql: str, **params: Any) -> list[dict[str, Any]]:
        """The result of a query as dicts by column name."""
        names, rows = self.rows_with_column_names(sql, **params)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def rows_with_column_names(
        self, sql: str, **params: Any
    ) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """The names of a query's columns, also where it finds nothing, and its rows."""
        names, *rows = self._answer("named rows", sql, params, _fetch_named)
        return names, rows

    def find_first_row_as_dict(self, sql: str, **params: Any) -> dict[str, Any] | None:
        """The first row as a dict, or None."""
        found = self.query_rows_as_dicts(sql, **params)
        return found[0] if found else None

    def data_version_of_tables(self, *tables: str) -> int:
        """A number that grows whenever one of these tables does: the key for caches.

        Exclusions, returned items and practice items decide which judgments count, so they also
        invalidate caches of judgments; withdrawn and corrected items, those of items as well.
        """
        if "judgment" in tables:
            tables += ("exclusion", "remark", "gold")
        if not _OF_ITEMS.isdisjoint(tables):
            tables += ("item_withdrawal", "item_version", "corrected_row")
        with self._lock:
            return max((self._versions[table] for table in tables or self._versions), default=0)

    def require_responsive_store(self) -> None:
        """Check that the store answers and that its file is still there.

        Raises:
            StoreUnavailable: it does not answer.
        """
        self._require_in_place()
        try:
            self._rows_asked_anew("select max(version) from migration")
        except duckdb.Error as error:
            raise StoreUnavailable(
                f"The store {self.path} does not answer:"
                f" {duckdb_engine.reason_of_duckdb_error(error)}",
                hint="Restart MedLens.",
            ) from error

    def list_lost_rows_in_words(self) -> list[str]:
        """What was once saved and is now missing, in sentences, until somebody has dealt with
        it.
        """
        if not self._saved:
            return []
        dealt_with = f"When you have dealt with it, delete {self._saved.file.name}."
        return [f"{loss} {dealt_with}" for loss in self._saved.losses]

    def list_store_faults_in_words(self) -> list[str]:
        """What is missing and what cannot be read; [] if the store is sound."""
        with self._cursor() as cursor:
            return self.list_lost_rows_in_words() + duckdb_engine.list_unreadable_tables_in_words(
                cursor, self._columns
            )

    def backup(self, target: str | Path, *, force: bool = False) -> None:
        """Make a consistent copy of the open store in a new file, while people work.

        Copying the file itself would miss what is still in the write-ahead log.

        Raises:
            InvalidInput: ``target`` is the store itself, a link, or (without ``force``) an existing
                file.
            MedLensError: it cannot be written; nothing is left behind.
        """
        target = Path(target)
        name = f"backup_{uuid.uuid4().hex}"
        keep = duckdb_engine.paths_of_store_files(self.path)
        with (
            output_file.temporary_path_that_becomes_new_file(
                target, keep=keep, force=force
            ) as part,
            self._cursor() as to,
        ):
            source = to.execute("select current_database()").fetchall()[0][0]
            try:
                duckdb_engine.attach_file(to, str(part), name)
                try:
                    to.execute(f'copy from database "{source}" to {name}')
                except duckdb.Error:
                    with contextlib.suppress(duckdb.Error):
                        to.execute(f"detach {name}")
                    raise
                to.execute(f"detach {name}")
            except duckdb.Error as error:
                if duckdb_engine.is_damaged_file_error(error):
                    raise self._failed(error) from error
                raise StoreUnavailable(
                    f"The backup {target} cannot be written:"
                    f" {duckdb_engine.reason_of_duckdb_error(error)}",
                    hint="Is the disk full? Nothing was left there, and the store is as it was.",
                ) from error

    def write_public_views_and_count_rows(
        self,
        target: str | Path,
        *,
        hide: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
        force: bool = False,
    ) -> dict[str, int]:
        """Write the public views, as tables with their comments, to a new DuckDB file, while people
        work; returns the number of rows by table. All are of the same moment. ``hide`` changes
        each before it is written.

        Raises:
            InvalidInput: as for ``backup``.
            StoreUnavailable: it cannot be written; nothing is left behind.
        """
        target = Path(target)
        name = f"snapshot_{uuid.uuid4().hex}"
        keep = duckdb_engine.paths_of_store_files(self.path)
        with (
            output_file.temporary_path_that_becomes_new_file(
                target, keep=keep, force=force
            ) as part,
            self._cursor() as to,
        ):
            try:
                duckdb_engine.attach_file(to, str(part), name)
                try:
                    return duckdb_engine.copy_public_views_and_count_rows_by_table(to, name, hide)
                finally:
                    with contextlib.suppress(duckdb.Error):
                        to.execute(f"detach {name}")
            except duckdb.Error as error:
                if duckdb_engine.is_damaged_file_error(error):
                    raise self._failed(error) from error
                raise StoreUnavailable(
                    f"The file {target} cannot be written:"
                    f" {duckdb_engine.reason_of_duckdb_error(error)}",
                    hint="Is the disk full? Nothing was left there, and the store is as it was.",
                ) from error

    def close(self) -> None:
        """Checkpoint and close the file."""
        # DuckDB does this by itself only if no query is running.
        with contextlib.suppress(duckdb.Error):
            self._root.execute("checkpoint")
        self._let_go()
        if self._saved:
            self._saved.close()

    def _let_go(self) -> None:
        with self._lock:
            self._open = False
            self._answers = QueryCache(())
            for cursor in (*self._cursors, self._root):
                cursor.close()
            self._cursors.clear()


def rows_saved_at(now: datetime, rows: pa.Table) -> pa.Table:
    """Rows with the time at which they are saved, unless they have one."""
    if "made_at" in rows.column_names:
        return rows
    saved = pa.scalar(now, duckdb_engine.arrow_timestamp_type())
    return rows.append_column("made_at", pa.repeat(saved, len(rows)))
