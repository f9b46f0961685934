"""What was worked out from a store, kept until an item is added: items never change."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from medlens.store import Store

T = TypeVar("T")

_MOST = 64
_LOCK = threading.Lock()
_WORKING: dict[str, threading.RLock] = {}
_KEPT: WeakKeyDictionary[Store, dict[tuple[str, str], tuple[int, Any]]] = WeakKeyDictionary()


def kept(store: Store, what: str, key: str, make: Callable[[Any], T]) -> T:
    """``make(last)``, kept under ``what`` and ``key`` until an item is added.

    ``last`` is what it gave before, or ``None``: enough to add only what is new. One thread at a
    time works on ``what``, so that many visitors at once do not all do it.
    """
    with _LOCK:
        held = _KEPT.setdefault(store, {})
        working = _WORKING.setdefault(what, threading.RLock())
    with working:
        version = store.version("item", "item_alias")
        with _LOCK:
            found = held.pop((what, key), None)
        if found is None or found[0] != version:
            found = (version, make(found[1] if found else None))
        with _LOCK:
            held[(what, key)] = found
            while len(held) > _MOST:
                held.pop(next(iter(held)))
        return cast(T, found[1])
