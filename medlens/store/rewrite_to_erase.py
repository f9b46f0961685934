"""What it takes to write a store anew without something: the one case in which facts change.

DuckDB leaves deleted text in its file, so what is erased is never deleted there: a new file is
written without it beside the store and takes its place in one step
(``Store.carry_out_rewrite_and_count_changes``).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from medlens.errors import StoreUnavailable

Ask = Callable[..., list[tuple[Any, ...]]]
"""Rows of a query: (sql, **params)."""

BATCH = 500
"""Rows that are changed at a time."""


class StoreRewrite(Protocol):
    """What changes in a store that is written anew."""

    def read_and_remember_what_rewrite_needs(self, ask: Ask) -> None:
        """Read what has to be known beforehand. It is called again once nobody writes any more, for
        what came in the meantime.
        """

    def sql_condition_of_rows_to_change(self, table: str) -> str:
        """An SQL condition on the table's columns that holds for every row that changes, and may
        for others; empty if none does.
        """

    def rewritten_row_or_none_to_remove(
        self, table: str, row: dict[str, Any]
    ) -> dict[str, Any] | None:
        """The row as it is to be, ``row`` itself if nothing changes, or None if it goes. The same
        row always gives the same.
        """

    def rows_to_add_by_table(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Rows that are added, by table, in the same step. It is called last."""


@dataclass
class RewriteCounts:
    """How many rows of each table were changed, how many went, and how many were looked at."""

    changed: dict[str, int] = field(default_factory=dict)
    gone: dict[str, int] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)

    def add_row_counts(self, table: str, *, changed: int = 0, gone: int = 0) -> None:
        """Count rows of a table."""
        for counts, number in ((self.changed, changed), (self.gone, gone)):
            if number:
                counts[table] = counts.get(table, 0) + number


class FileUseGate:
    """Lets any number of threads use a file, or one thread alone exchange it.

    A thread that is already inside, or that has closed the gate, is never kept waiting.
    """

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._inside: dict[int, int] = {}
        self._closer = 0

    @contextlib.contextmanager
    def use_file(self) -> Iterator[None]:
        """Use the file; waits while another thread has the gate closed."""
        thread = threading.get_ident()
        with self._free:
            while self._closer not in (0, thread) and thread not in self._inside:
                self._free.wait()
            self._inside[thread] = self._inside.get(thread, 0) + 1
        try:
            yield
        finally:
            with self._free:
                left = self._inside[thread] - 1
                if left:
                    self._inside[thread] = left
                else:
                    del self._inside[thread]
                    if self._closer:
                        self._free.notify_all()

    @contextlib.contextmanager
    def use_file_alone(self, *, patience: float, tries: int) -> Iterator[None]:
        """Have the file alone. Others wait at most ``patience`` seconds for those inside to leave;
        then they are let in, and it is tried again.

        Raises:
            StoreUnavailable: somebody was inside at every try.
        """
        for attempt in range(tries):
            if attempt:
                time.sleep(patience)
            if self._close(patience):
                break
        else:
            raise StoreUnavailable(
                "The store is in use by something long, such as an import, so its file could not be"
                " exchanged.",
                hint="Nothing was changed. Try again when it is done.",
            )
        try:
            yield
        finally:
            self._open()

    def _close(self, patience: float) -> bool:
        thread, until = threading.get_ident(), time.monotonic() + patience
        with self._free:
            while self._closer and time.monotonic() < until:
                self._free.wait(until - time.monotonic())
            if self._closer:
                return False
            self._closer = thread
            while self._inside.keys() - {thread}:
                left = until - time.monotonic()
                if left <= 0:
                    self._closer = 0
                    self._free.notify_all()
                    return False
                self._free.wait(left)
            return True

    def _open(self) -> None:
        with self._free:
            self._closer = 0
            self._free.notify_all()
