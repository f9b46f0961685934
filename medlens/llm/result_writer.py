"""Writes what many parallel jobs produce into the store; rows of the same moment share a commit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from medlens.errors import MedLensError
from medlens.store import Row, Store

Rows = Mapping[str, Sequence[Row]]
T = TypeVar("T")

MOST_AT_ONCE = 4_000_000
"""Characters of texts that are written in one commit: the store holds each several times meanwhile,
and many long replies can come at the same moment.
"""


class ThreadedBatchWriter(Generic[T]):
    """Hands what jobs put in to ``write``, in a thread, together with everything else that arrived
    within ``linger`` seconds.

    A commit costs a disk flush; a row among many costs a fifth of a row alone.
    """

    def __init__(self, write: Callable[[Sequence[T]], object], *, linger: float) -> None:
        self._write, self._linger = write, linger
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def put(self, one: T) -> None:
        """Hand something over; it is durable on return.

        Raises:
            MedLensError: it could not be written, though the others were.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((one, future))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._work())
        await asyncio.shield(future)

    async def close(self) -> None:
        """Wait until everything handed over is written."""
        if self._writing is not None:
            await self._writing

    async def _work(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._linger)
            group = self._take()
            failed = await asyncio.to_thread(self._try, [one for one, _ in group])
            for (_, future), error in zip(group, failed, strict=True):
                if future.cancelled():
                    continue
                if error is None:
                    future.set_result(None)
                else:
                    future.set_exception(error)

    def _take(self) -> list[tuple[T, asyncio.Future[None]]]:
        """The first of what waits, up to ``MOST_AT_ONCE`` characters."""
        room, count = MOST_AT_ONCE, 0
        while count < len(self._waiting) and (room > 0 or not count):
            room -= self.length_in_characters(self._waiting[count][0])
            count += 1
        group, self._waiting = self._waiting[:count], self._waiting[count:]
        return group

    def length_in_characters(self, one: T) -> int:
        """About how many characters something has, where that may be many."""
        return 0

    def _try(self, group: Sequence[T]) -> list[Exception | None]:
        try:
            self._write(group)
        except Exception as error:  # noqa: BLE001 -- handed to those who wait for it
            if len(group) == 1 or not isinstance(error, MedLensError):
                return [error] * len(group)
        else:
            return [None] * len(group)
        # One row that cannot be written must not lose the others.
        return [self._try([one])[0] for one in group]


class StoreRowWriter(ThreadedBatchWriter[Rows]):
    """Appends rows of several tables, all or none of one ``put``; ``added`` counts the new rows of
    ``table``.
    """

    def __init__(self, store: Store, table: str = "") -> None:
        super().__init__(self._append, linger=0.03)
        self._store, self._table = store, table
        self.added = 0

    def length_in_characters(self, one: Rows) -> int:
        """The characters of the rows' texts."""
        values = [value for rows in one.values() for row in rows for value in row.values()]
        values += [part for value in values if isinstance(value, dict) for part in value.values()]
        return sum(len(value) for value in values if isinstance(value, str))

    def _append(self, group: Sequence[Rows]) -> None:
        merged: dict[str, list[Row]] = {}
        for one in group:
            for table, rows in one.items():
                merged.setdefault(table, []).extend(rows)
        self.added += self._store.append_all_and_count_new_by_table(merged).get(self._table, 0)
