"""Readers that are threads of this process: the same code on both sides, for a tenth of the cost.

Nothing ends or limits such a reader but itself: what needs that goes through the real ones.
"""

from __future__ import annotations

import contextlib
import functools
import os
import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from medlens.app.gate import host, remote, wire, worker
from medlens.store import duck
from medlens.tagging import queries


@contextlib.contextmanager
def nearby() -> Iterator[None]:
    """Let imports be read near, and keep what each reader makes anew: an engine, the labels."""
    readers, engine = NearReaders(), duck.database(":memory:")
    made = SimpleNamespace(**vars(duck))
    made.database = lambda path: engine.cursor()
    with pytest.MonkeyPatch.context() as patch, contextlib.closing(engine):
        patch.setattr(host, "shared", lambda: readers)
        patch.setattr(remote, "duck", made)
        patch.setattr(queries, "load_taxonomy", functools.cache(queries.load_taxonomy))
        yield


class NearReaders:
    """As ``readers.Readers``, as far as ``host`` knows them."""

    def __init__(self) -> None:
        self.places = threading.BoundedSemaphore(1)

    @contextlib.contextmanager
    def reader(self) -> Iterator[tuple[socket.socket, NearEnd]]:
        ours, theirs = socket.socketpair()
        thread = threading.Thread(target=_read, args=(theirs,), daemon=True)
        thread.start()
        try:
            yield ours, NearEnd()
        finally:
            ours.close()
            thread.join()


class NearEnd:
    """How a thread ended: always well, as far as a process would tell."""

    def status(self) -> int:
        return 0

    def signal(self) -> str:
        return ""


def _read(peer: socket.socket) -> None:
    files: list[int] = []
    # The app hangs up on a reader whose answer it does not like.
    with contextlib.suppress(OSError, EOFError), peer:
        order, files = wire.told(peer)
        worker.carry_out(order, files, peer)
    for file in files:
        os.close(file)
