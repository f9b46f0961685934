"""A store on PostgreSQL: facts are appended there and copied into a DuckDB file of this process.

Every app process reads from its own copy, so every query runs on DuckDB. What this process appends
is in its copy when ``append`` returns; what others append arrives within half a second, or at once
after ``fetch_rows_of_other_processes_and_count``. The copy is a cache: it is made when the process
starts and removed when it ends.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import duckdb

from medlens.deferred_module import pa
from medlens.errors import Conflict, InvalidInput, MedLensError, StoreUnavailable
from medlens.store import duckdb_engine
from medlens.store.duckdb_engine import Row
from medlens.store.duckdb_store import PATIENCE, Store
from medlens.store.import_transaction import PendingTransaction, arrow_tables_in_pieces
from medlens.store.postgres_append_log import (
    REWRITTEN,
    Appended,
    Changes,
    Insert,
    PostgresLog,
    Span,
)
from medlens.store.postgres_timeout_settings import PostgresTimeouts
from medlens.store.rewrite_to_erase import RewriteCounts, StoreRewrite

_logger = logging.getLogger(__name__)
_ENTRIES = 1_000
_NEAR = 100
_MOST, _PIECE = 5_000, 1 << 20
"""Rows, and bytes of them, that go to the log at a time: each is here four times then."""
_FEW = 10
_FILE = "replica.duckdb"
_YOUNG = 60.0
_USUAL = PostgresTimeouts()
_EXCHANGES, _TRIES = 3, 20
"""How often it is tried to put a new copy in the old one's place, at once and in all."""


class PostgresReplicaStore(Store):
    """A store whose log is ``log``; ``path`` is this process's copy, updated every ``every``
    seconds.
    """

    def __init__(self, url: str, path: Path, *, every: float, limits: PostgresTimeouts) -> None:
        super().__init__(path)
        self._entry = 0
        self._own: set[int] = set()
        self._following = threading.Lock()
        # One thread may hold it twice: what it follows while it makes the copy anew.
        self._applying = threading.RLock()
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._keep_following, args=(every,), name="medlens-follow", daemon=True
        )
        try:
            self._log = PostgresLog(url, self._columns, limits)
        except BaseException:
            self._let_go()
            raise
        try:
            self._entry = self._log.pass_all_rows_by_page_and_return_entry(
                lambda table, rows: self._apply({table: rows})
            )
        except BaseException:
            self._log.close()
            self._let_go()
            raise
        self._thread.start()

    def _note(self, cursor: duckdb.DuckDBPyConnection, rows: Mapping[str, int]) -> None:
        """None: the log is on the server, and the copy is rebuilt at every start."""

    # -- in ------------------------------------------------------------------------------------

    def _commit(
        self, batch: Mapping[str, Sequence[Row]], requires: Mapping[str, str] | None = None
    ) -> dict[str, int]:
        self._refuse_broken_json(batch)
        try:
            appended = self._log.append_rows(batch, requires=requires)
        except (Conflict, InvalidInput):
            # The caller will look for the next free place: show it the row that won. Or what the
            # row would belong to was deleted: show it that.
            self.fetch_rows_of_other_processes_and_count()
            raise
        self._apply(appended.rows)
        self._note_own(appended)
        added = {table: len(appended.rows.get(table, ())) for table in batch}
        if any(added[table] < len(rows) for table, rows in batch.items()):
            # what was passed over came through another process, perhaps
            self.fetch_rows_of_other_processes_and_count()
        return added

    def _commit_tables(self, batch: Mapping[str, pa.Table]) -> dict[str, int]:
        return self._commit(
            {table: self._complete(table, rows.to_pylist()) for table, rows in batch.items()}
        )

    def _commit_bulk(
        self, heads: Mapping[str, Sequence[Row]], bulk: Mapping[str, pa.Table]
    ) -> dict[str, int]:
        batch = {**heads, **{table: rows.to_pylist() for table, rows in bulk.items()}}
        self._refuse_broken_json(batch)
        try:
            appended = self._log.append_rows(batch, whole=True)
        except Conflict:
            self.fetch_rows_of_other_processes_and_count()
            if not any(map(len, self._unseen(heads).values())):
                return dict.fromkeys(heads, 0)
            raise
        self._apply(appended.rows)
        self._note_own(appended)
        return {table: len(rows) for table, rows in batch.items()}

    def commit_pending_transaction(
        self, pending: PendingTransaction, files: Mapping[str, Sequence[BinaryIO]]
    ) -> None:
        """Append to the log, in one transaction, what was tried on the copy and is undone there.

        Rows go to the log piece by piece, and the log's new rows go to the copy; the copy's
        transaction is committed after the log's.
        """
        pending.undo_transaction()
        copy, given, last = pending, 0, 0
        with contextlib.ExitStack() as held:

            def feed(insert: Insert) -> None:
                nonlocal copy, given, last
                held.close()
                copy, given = held.enter_context(self.open_pending_transaction()), 0
                for table, rows in _pieces(files):
                    self._refuse_broken_json({table: rows})
                    new = insert(table, rows)
                    copy.insert_numbered_rows(table, new)
                    given += len(rows)
                    last = max(last, *(row["seq"] for row in new), 0)
                # Readers wait from the commit until the copy has the rows.
                held.enter_context(self._following)

            entry = self._log.append_rows_from_feed_and_return_entry(feed)
            copy.commit_transaction()
            with self._lock:
                self._last_seq = max(self._last_seq, last)
                if entry:
                    self._own.add(entry)
        self._grew(copy.grown)
        pending.kept = True
        if sum(copy.grown.values()) < given:
            self.fetch_rows_of_other_processes_and_count()

    def _note_own(self, appended: Appended) -> None:
        if appended.entry:
            with self._lock:
                if appended.entry > self._entry:
                    self._own.add(appended.entry)

    def _refuse_broken_json(self, batch: Mapping[str, Sequence[Row]]) -> None:
        """Keep text that DuckDB does not accept as JSON out of the log, which could never drop
        it.
        """
        for table, rows in batch.items():
            names = [name for name, kind in self._columns[table].items() if kind == "JSON"]
            for name in names:
                texts = [row[name] for row in rows if row.get(name) is not None]
                if not self._all_json(texts):
                    raise InvalidInput(f"The {name} of a row of {table} is not JSON.")

    def _all_json(self, texts: Sequence[str]) -> bool:
        if len(texts) < _FEW:  # each a tenth of what planning the other query costs
            return all(self.rows("select json_valid($text)", text=text)[0][0] for text in texts)
        broken = "select 1 from (select unnest($texts) as x) where not json_valid(x) limit 1"
        return not self.rows(broken, texts=texts)

    def _apply(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """Write rows of the log into the copy; rows already there are skipped."""
        if rows:
            with self._applying:
                self._write({table: self._not_there(table, of) for table, of in rows.items()})

    def _not_there(self, table: str, rows: Sequence[Row]) -> Sequence[Row]:
        """Rows without an id are told apart by ``seq``, which the copy has no index for."""
        if "id" in self._columns[table] or not rows:
            return rows
        seqs = [row["seq"] for row in rows]
        there = self._rows_asked_anew(
            f"select seq from {table} where seq between $first and $last",
            first=min(seqs),
            last=max(seqs),
        )
        known = {seq for (seq,) in there}
        return [row for row in rows if row["seq"] not in known]

    # -- following -----------------------------------------------------------------------------

    def fetch_rows_of_other_processes_and_count(self) -> int:
        """Fetch everything committed to the log before this call; returns the number of rows.

        Raises:
            StoreUnavailable: the server cannot be reached.
        """
        with self._following:
            return self._fetch()

    def _fetch(self) -> int:
        fetched = 0
        while entries := self._log.list_entries_after(self._entry, _ENTRIES):
            full = len(entries) == _ENTRIES
            if full:
                # The last entry may cover more tables than were read: leave it for next time.
                last = entries[-1][0]
                entries = [(n, span) for n, span in entries if n < last]
            fetched += self._take(entries)
            if not full:
                break
        return fetched

    def _take(self, entries: Sequence[tuple[int, Span]]) -> int:
        if any(span.table == REWRITTEN for _, span in entries):
            return self._copy_anew()
        with self._lock:
            own = {n for n, _ in entries} & self._own
        spans = [span for n, span in entries if n not in own and span.table in self._columns]
        rows = self._copy(_merged(spans)) if spans else 0
        with self._lock:
            self._entry = entries[-1][0]
            self._own = {n for n in self._own if n > self._entry}
        return rows

    def _copy_anew(self) -> int:
        """Make the copy anew in another file, since facts were changed in the log; returns how many
        rows of others came with it. ``_following`` is held.

        Raises:
            StoreUnavailable: the copy is in use by something long; the next call tries again.
        """
        duckdb_engine.remove_unfinished_new_store(self.path)
        with self._cursor(fresh=True) as cursor:
            duckdb_engine.create_and_attach_empty_copy_of_store(cursor, self.path)
        try:
            with self._cursor(fresh=True) as cursor:
                entry = self._log.pass_all_rows_by_page_and_return_entry(
                    lambda table, rows: duckdb_engine.insert_rows_into_new_file(
                        cursor, {table: rows}, self._columns
                    )
                )
            with self._applying, self._gate.use_file_alone(patience=PATIENCE, tries=_EXCHANGES):
                self._exchange()
                with self._lock:
                    self._entry, self._own = entry, set()
                # What this process appended meanwhile is in the log, too.
                fetched = self._fetch()
        finally:
            with contextlib.suppress(duckdb.Error):
                duckdb_engine.detach_new_store(self._root)
            duckdb_engine.remove_unfinished_new_store(self.path)
        self._forget_all()
        return fetched

    # -- erased --------------------------------------------------------------------------------

    def carry_out_rewrite_and_count_changes(self, rewrite: StoreRewrite) -> RewriteCounts:
        """Change facts in the log, all or nothing, and have the server rewrite its tables; then
        every process makes its copy anew.

        Raises:
            StoreUnavailable: the server does not answer, or something long uses the store.
        """
        done = RewriteCounts()

        def changes() -> Changes:
            self.fetch_rows_of_other_processes_and_count()
            return self._changes(rewrite, done)

        with self._rewriting:
            self._log.rewrite_rows_in_transaction(changes)
            for attempt in range(_TRIES):
                try:
                    self.fetch_rows_of_other_processes_and_count()
                    break
                except StoreUnavailable:
                    if attempt == _TRIES - 1:
                        raise
        _remove_abandoned(Path(self.path).parent.parent)
        return done

    def _changes(self, rewrite: StoreRewrite, done: RewriteCounts) -> Changes:
        changed: dict[str, list[Row]] = {}
        gone: dict[str, list[int]] = {}
        for table, row, becomes in self._changed_rows(rewrite):
            done.add_row_counts(table, changed=becomes is not None, gone=becomes is None)
            if becomes is None:
                gone.setdefault(table, []).append(row["seq"])
            else:
                changed.setdefault(table, []).append(becomes)
        added = {
            table: self._complete(table, rows)
            for table, rows in rewrite.rows_to_add_by_table().items()
        }
        return Changes(changed, gone, added)

    def list_places_where_erased_data_may_remain(self) -> Sequence[str]:
        """Where PostgreSQL keeps what was erased."""
        samples = (
            "The server took samples of texts for its statistics before this version of MedLens"
            " forbade it, and may keep some: its administrator removes them with vacuum full"
            " pg_catalog.pg_statistic.",
        )
        return (
            *(samples if self._log.has_samples_in_statistics() else ()),
            "The tables were rewritten on the server. Its write-ahead log, archives of it, and"
            " servers that replicate it by files keep the old bytes until their segments are"
            " recycled (select pg_switch_wal(); checkpoint); so do its backups.",
        )

    def _copy(self, spans: Sequence[Span]) -> int:
        """Write those rows of the log into the copy in one transaction; returns the number of
        rows.

        They are buffered first, so this process's saves wait only while the copy is written, not
        while the server answers.
        """
        pages = count = 0
        with tempfile.SpooledTemporaryFile(_PIECE) as aside:
            for table, rows in self._log.iterate_pages_of_rows_with_table_name(spans):
                pickle.dump((table, rows), aside)
                pages, count = pages + 1, count + len(rows)
            aside.seek(0)
            with self._applying, self.open_pending_transaction() as copy:
                for _ in range(pages):
                    table, rows = pickle.load(aside)  # noqa: S301  (written above)
                    copy.insert_numbered_rows(
                        table, self._not_there(table, self._unseen({table: rows})[table])
                    )
                copy.commit_transaction()
                with self._lock:
                    self._last_seq = max(self._last_seq, *(span.last for span in spans))
                # Whoever appended one of these rows waits to find it here, and then asks: no answer
                # from before may be kept by then.
                self._grew(copy.grown)
        return count

    def _keep_following(self, every: float) -> None:
        silent = False
        while not self._stop.wait(every):
            try:
                self.fetch_rows_of_other_processes_and_count()
                silent = False
            except StoreUnavailable as error:
                if not silent:
                    _logger.warning("Others' work is not seen until the store answers: %s", error)
                silent = True
            except (MedLensError, duckdb.Error):
                _logger.exception("What others appended could not be followed")

    # -- out -----------------------------------------------------------------------------------

    def require_responsive_store(self) -> None:
        """Check the copy, as for any store, and the server.

        Raises:
            StoreUnavailable: one of them does not answer.
        """
        super().require_responsive_store()
        self.fetch_rows_of_other_processes_and_count()

    def backup(self, target: str | Path, *, force: bool = False) -> None:
        """Copy the store, as it is on the server now, to a DuckDB file that opens as a store.

        It copies this process's copy after fetching everything. To protect the server itself, use
        its own backups.
        """
        self.fetch_rows_of_other_processes_and_count()
        super().backup(target, force=force)

    def close(self) -> None:
        """Stop fetching, disconnect from the server, and remove the copy."""
        self._stop.set()
        self._thread.join()
        self._log.close()
        super().close()
        shutil.rmtree(Path(self.path).parent, ignore_errors=True)


def open_replica(
    url: str, *, every: float = 0.5, limits: PostgresTimeouts = _USUAL
) -> PostgresReplicaStore:
    """Open the store on a PostgreSQL server and bring this process's copy up to date.

    The copy is in its own folder under ``MEDLENS_REPLICA_DIR`` (by default the system's folder for
    temporary files), which only this user can read.

    Raises:
        StoreUnavailable: the server cannot be reached or refuses, or the copy cannot be written.
    """
    named = os.environ.get("MEDLENS_REPLICA_DIR", "")
    base = Path(named) if named else Path(tempfile.gettempdir())
    try:
        base.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(base)
        folder = Path(tempfile.mkdtemp(prefix=f"medlens-replica-{os.getpid()}-", dir=base))
    except OSError as error:
        raise StoreUnavailable(
            f"The folder {base} for the copy of the store cannot be written: {error.strerror}.",
            hint="Set MEDLENS_REPLICA_DIR to a place that can be written.",
        ) from error
    try:
        return PostgresReplicaStore(url, folder / _FILE, every=every, limits=limits)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _remove_abandoned(base: Path) -> None:
    """Remove the copies of killed processes: those that no process has open."""
    mine = getattr(os, "geteuid", int)()
    for folder in base.glob("medlens-replica-*"):
        if folder.name.startswith(f"medlens-replica-{os.getpid()}-"):
            continue
        # Another process may be removing it too, and other users' folders are not ours to touch.
        with contextlib.suppress(OSError):
            made = folder.lstat()
            young = time.time() - made.st_mtime < _YOUNG
            if made.st_uid == mine and not young and not _is_held(folder / _FILE):
                shutil.rmtree(folder)


def _is_held(file: Path) -> bool:
    try:
        duckdb_engine.open_duckdb(str(file)).close()
    except duckdb.IOException as error:
        return duckdb_engine.is_file_held_error(error)
    except duckdb.Error:
        # Half written when its process was killed.
        return False
    return False


def _pieces(
    files: Mapping[str, Sequence[BinaryIO]],
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows of Arrow streams in pieces, each with its table."""
    for table, streams in files.items():
        for stream in streams:
            for rows in arrow_tables_in_pieces(stream):
                most = min(_MOST, max(1, len(rows) * _PIECE // rows.nbytes))
                for at in range(0, len(rows), most):
                    yield table, rows.slice(at, most).to_pylist()


def _merged(spans: Sequence[Span]) -> list[Span]:
    """The same spans, with those of one table that are close together merged: fewer queries."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.table, one.first)):
        if merged and merged[-1].table == span.table and span.first <= merged[-1].last + _NEAR:
            merged[-1] = Span(span.table, merged[-1].first, max(merged[-1].last, span.last))
        else:
            merged.append(span)
    return merged
