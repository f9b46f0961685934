"""Rows from the event loop into the store: many calls' rows in one commit, told when durable."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from medlens.errors import MedLensError
from medlens.store import Row, Store

_LINGER = 0.03


@dataclass(frozen=True)
class _Waiting:
    rows: Mapping[str, Sequence[Row]]
    done: asyncio.Future[None]


class Writer:
    """A thread that appends what is handed to it; ``append`` returns once it is committed.

    Rows that arrive within ``linger`` seconds go together: a commit costs a flush of the disk, and
    a row among many a fifth of a row alone.
    """

    def __init__(self, store: Store, *, linger: float = _LINGER) -> None:
        self._store = store
        self._linger = linger
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="medlens-writer", daemon=True)
        self._thread.start()

    async def append(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """Append rows of several tables, all or nothing; durable on return.

        Raises:
            MedLensError: as ``Store.append_all``.
        """
        waiting = _Waiting(rows, self._loop.create_future())
        self._queue.put(waiting)
        await asyncio.shield(waiting.done)

    async def close(self) -> None:
        """Write what was handed over and end the thread."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        open_ = True
        while open_:
            first = self._queue.get()
            if first is None:
                return
            time.sleep(self._linger)
            group = [first]
            while not self._queue.empty():
                one = self._queue.get()
                if one is None:
                    open_ = False
                    break
                group.append(one)
            failed = self._write(group)
            self._loop.call_soon_threadsafe(_tell, group, failed)

    def _write(self, group: Sequence[_Waiting]) -> list[Exception | None]:
        merged: dict[str, list[Row]] = {}
        for one in group:
            for table, rows in one.rows.items():
                merged.setdefault(table, []).extend(rows)
        try:
            self._store.append_all(merged)
        except Exception as error:  # noqa: BLE001 -- handed to those who wait for it
            if len(group) == 1 or not isinstance(error, MedLensError):
                return [error] * len(group)
        else:
            return [None] * len(group)
        # One row that cannot be stored must not lose the others.
        return [self._write([one])[0] for one in group]


def _tell(group: Sequence[_Waiting], failed: Sequence[Exception | None]) -> None:
    for one, error in zip(group, failed, strict=True):
        if one.done.cancelled():
            continue
        if error is None:
            one.done.set_result(None)
        else:
            one.done.set_exception(error)
