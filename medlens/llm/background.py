"""Runs that go on in a thread of the app while browsers come and go."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from medlens.errors import InvalidInput, MedLensError
from medlens.llm.progress import Progress
from medlens.store import utc_now

_log = logging.getLogger(__name__)

Work = Callable[[threading.Event, Callable[[Progress], object]], Sequence[str]]
"""A pipeline: given what stops it and what to tell of progress; returns lines for the person."""


@dataclass(frozen=True)
class Running:
    """What became of work that was started here. ``lines`` say how it ended, ``error`` why not."""

    key: str
    title: str
    started_at: datetime
    running: bool = True
    stopping: bool = False
    progress: Progress | None = None
    lines: tuple[str, ...] = ()
    error: str = ""
    hint: str = ""


class Background:
    """One per process. Safe to share between threads; a page reads ``all`` and draws it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._states: dict[str, Running] = {}
        self._stops: dict[str, threading.Event] = {}
        self._threads: dict[str, threading.Thread] = {}

    def start(self, key: str, title: str, work: Work) -> None:
        """Begin ``work`` in a thread. ``key`` names it: the same work twice at once is refused.

        Raises:
            InvalidInput: work of this key is going on.
        """
        stop = threading.Event()
        thread = threading.Thread(
            target=self._do, args=(key, work, stop), name=f"medlens-run-{key}", daemon=True
        )
        with self._lock:
            there = self._states.get(key)
            if there is not None and there.running:
                raise InvalidInput(f"{there.title} is going on already.", hint="Watch it below.")
            self._states[key] = Running(key, title, utc_now())
            self._stops[key], self._threads[key] = stop, thread
        thread.start()

    def all(self) -> list[Running]:
        """Everything started since the process began, newest first."""
        with self._lock:
            return sorted(self._states.values(), key=lambda one: one.started_at, reverse=True)

    def stop(self, key: str) -> None:
        """Let open calls end and begin no others; a key that is not running is passed over."""
        with self._lock:
            if key in self._stops and self._states[key].running:
                self._stops[key].set()
                self._states[key] = replace(self._states[key], stopping=True)

    def stop_all(self, *, patience: float = 30.0) -> None:
        """Stop everything and wait up to ``patience`` seconds for each: the process is ending."""
        for one in self.all():
            self.stop(one.key)
        for thread in list(self._threads.values()):
            thread.join(timeout=patience)

    def _change(self, key: str, **change: object) -> None:
        with self._lock:
            self._states[key] = replace(self._states[key], **change)  # type: ignore[arg-type]

    def _do(self, key: str, work: Work, stop: threading.Event) -> None:
        try:
            lines = work(stop, lambda progress: self._change(key, progress=progress))
            self._change(key, running=False, lines=tuple(lines))
        except MedLensError as error:
            self._change(key, running=False, error=error.message, hint=error.hint)
        except Exception:  # noqa: BLE001 -- a fault must show on the page, not end in silence
            _log.exception("The run %s failed", key)
            self._change(
                key, running=False, error="The run failed.", hint="The log of the app says why."
            )
