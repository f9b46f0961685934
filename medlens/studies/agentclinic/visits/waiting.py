"""Answers being fetched in threads of this process while browsers come and go."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass

from medlens.config.settings import Settings
from medlens.errors import MedLensError
from medlens.store import Store
from medlens.studies.agentclinic.visits.answering import answer

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_asked: dict[tuple[str, str], Asked] = {}


@dataclass(frozen=True)
class Asked:
    """``error`` says why no answer came, once ``waiting`` is over."""

    waiting: bool
    error: MedLensError | None = None


def asked(store: Store, id: str) -> Asked | None:
    """The state of the last answer asked for here; None if none was, or it came."""
    with _lock:
        return _asked.get((store.path, id))


def ask(store: Store, settings: Settings, id: str) -> None:
    """Have the models continue a visit in a thread; does nothing while one is at it."""
    key = (store.path, id)
    with _lock:
        there = _asked.get(key)
        if there is not None and there.waiting:
            return
        _asked[key] = Asked(waiting=True)
    threading.Thread(
        target=_fetch, args=(store, settings, id), name=f"medlens-visit-{id}", daemon=True
    ).start()


def _fetch(store: Store, settings: Settings, id: str) -> None:
    error: MedLensError | None = None
    try:
        answer(store, settings, id)
    except MedLensError as caught:
        error = caught
    except Exception:  # noqa: BLE001 -- a fault must show on the page, not end in silence
        _log.exception("The visit %s could not continue", id)
        error = MedLensError(
            "The models could not continue.", hint="Nothing is lost. The log of the app says why."
        )
    with _lock:
        if error is None:
            _asked.pop((store.path, id), None)
        else:
            _asked[(store.path, id)] = Asked(waiting=False, error=error)
