"""What one server process holds: its settings and the store, opened once."""

from __future__ import annotations

import atexit
import threading

from medlens import commands
from medlens.errors import StoreUnavailable
from medlens.inbox import Inbox
from medlens.settings import Settings, load_settings
from medlens.store import Store, open_store

_lock = threading.Lock()
_held: dict[str, tuple[Store, Inbox]] = {}
_settings: list[Settings] = []


def settings() -> Settings:
    """The settings, read once per process."""
    with _lock:
        if not _settings:
            _settings.append(load_settings())
        return _settings[0]


def store() -> Store:
    """The store of this process, opened at the first call, with its inbox watched.

    Raises:
        StoreUnavailable: it cannot be opened; the next call tries again.
    """
    chosen = settings()
    with _lock:
        if chosen.store not in _held:
            opened = open_store(chosen.store)
            inbox = Inbox(opened, lambda job, folder: commands.run_job(opened, chosen, job, folder))
            inbox.start()
            _held[chosen.store] = (opened, inbox)
        return _held[chosen.store][0]


def close() -> None:
    """Finish the job under way and let go of the store; for the end of the process and of tests."""
    with _lock:
        for opened, inbox in _held.values():
            inbox.stop()
            opened.close()
        _held.clear()
        _settings.clear()


def warm_up() -> None:
    """Open the store before the first request, so that the first page does not wait for it."""
    try:
        store()
    except StoreUnavailable as error:
        if error.held:
            raise
        # The page says so to the person who can do something about it, and tries again.
        return


atexit.register(close)
