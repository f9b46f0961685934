"""A cache for results computed from a store, valid until one of their tables grows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from medlens.store import Store

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

ITEMS = ("item", "item_alias")
JUDGED = (*ITEMS, "rater", "judgment")

_MOST = 64
_LOCK = threading.Lock()
_WORKING: dict[str, threading.RLock] = {}
_CACHE: WeakKeyDictionary[Store, dict[tuple[str, str], tuple[int, int, Any]]] = WeakKeyDictionary()


def _forget(store: Store) -> None:
    with _LOCK:
        _CACHE.pop(store, None)


# Some add what is new to what they held before.
Store.when_rewritten.append(_forget)


def compute_unless_cached_since_growth(
    store: Store, what: str, key: str, make: Callable[[Any], T], *, tables: Sequence[str] = ITEMS
) -> T:
    """``make(last)``, cached under ``what`` and ``key`` until one of ``tables`` grows.

    ``last`` is the previous result, or ``None``, so that ``make`` can add only what is new; it is
    ``None`` too once an item was withdrawn, returned or corrected, which adds nothing. One
    thread at a time computes ``what``, so that many simultaneous visitors do not all do it.
    """
    with _LOCK:
        held = _CACHE.setdefault(store, {})
        working = _WORKING.setdefault(what, threading.RLock())
    with working:
        version, taken_back = (
            store.data_version_of_tables(*tables),
            store.data_version_of_tables("item_withdrawal", "item_version"),
        )
        with _LOCK:
            found = held.pop((what, key), None)
        if found is None or found[0] != version:
            last = found[2] if found and found[1] == taken_back else None
            found = (version, taken_back, make(last))
        with _LOCK:
            held[(what, key)] = found
            while len(held) > _MOST:
                held.pop(next(iter(held)))
        return cast(T, found[2])


def cache_until_tables_grow(*tables: str, most: int = 64) -> Callable[[F], F]:
    """Caches a function of a store: its last ``most`` results, each until one of ``tables`` grows.

    For what is small and read often. All callers share a result, so nobody changes it.
    """

    def around(make: F) -> F:
        @lru_cache(maxsize=most)
        def held(store: Store, _version: int, *args: Any, **named: Any) -> Any:
            return make(store, *args, **named)

        @wraps(make)
        def read(store: Store, *args: Any, **named: Any) -> Any:
            return held(store, store.data_version_of_tables(*tables), *args, **named)

        return cast(F, read)

    return around


def cache_per_dataset_until_growth(*tables: str) -> Callable[[F], F]:
    """``cache_until_tables_grow`` for a function of a store and a dataset; by default until items
    are added.
    """

    def around(make: F) -> F:
        what = f"{make.__module__}.{make.__qualname__}"

        @wraps(make)
        def read(store: Store, dataset: str) -> Any:
            return compute_unless_cached_since_growth(
                store, what, dataset, lambda _: make(store, dataset), tables=tables or ITEMS
            )

        return cast(F, read)

    return around
