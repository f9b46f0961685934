"""Runs that continue in a thread of the app while browsers come and go."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from medlens.errors import InvalidInput, MedLensError
from medlens.llm.job_batch_progress_and_report import BatchProgress
from medlens.llm.pipeline_declaration_forecast_and_run import Done, How
from medlens.store import utc_now
from medlens.telemetry import logs

_log = logging.getLogger(__name__)

Work = Callable[[How], Done]
"""A pipeline: given what stops it and whom to tell of run and progress, it says how it ended."""


@dataclass(frozen=True)
class Running:
    """The state of work started here. ``done`` says how it ended, ``error`` why it failed.

    ``run`` is the run's id once there is one; ``note`` is the state of a batch job.
    """

    key: str
    title: str
    started_at: datetime
    run: str = ""
    running: bool = True
    stopping: bool = False
    progress: BatchProgress | None = None
    note: str = ""
    done: Done | None = None
    error: str = ""
    hint: str = ""


class BackgroundRuns:
    """One per process. Safe to share between threads; a page reads ``list_started_runs`` and draws
    it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._states: dict[str, Running] = {}
        self._stops: dict[str, threading.Event] = {}
        self._threads: dict[str, threading.Thread] = {}

    def start_in_thread(self, key: str, title: str, work: Work) -> None:
        """Start ``work`` in a thread. ``key`` names it; the same work cannot run twice at once.

        Raises:
            InvalidInput: work with this key is running.
        """
        stop = threading.Event()
        thread = threading.Thread(
            target=self._do, args=(key, work, stop), name=f"medlens-run-{key}", daemon=True
        )
        with self._lock:
            there = self._states.get(key)
            if there is not None and there.running:
                raise InvalidInput(f"{there.title} is already in progress.", hint="Watch it below.")
            self._states[key] = Running(key, title, utc_now())
            self._stops[key], self._threads[key] = stop, thread
        thread.start()

    def list_started_runs(self) -> list[Running]:
        """Everything started since the process began, newest first."""
        with self._lock:
            return sorted(self._states.values(), key=lambda one: one.started_at, reverse=True)

    def find_work_of_run(self, run: str) -> Running | None:
        """The work that carries out a run, or was the last to do so in this process."""
        return next((one for one in self.list_started_runs() if one.run == run), None)

    def forget_ended_work(self, key: str) -> None:
        """Stop showing work that has ended."""
        with self._lock:
            if key in self._states and not self._states[key].running:
                del self._states[key], self._stops[key], self._threads[key]

    def request_stop_of_work(self, key: str) -> None:
        """Finish open calls and start no others; a key that is not running is ignored."""
        with self._lock:
            if key in self._stops and self._states[key].running:
                self._stops[key].set()
                self._states[key] = replace(self._states[key], stopping=True)

    def stop_all_work_and_wait(self, *, patience: float = 30.0) -> None:
        """Stop everything and wait up to ``patience`` seconds for each: the process is ending."""
        for one in self.list_started_runs():
            self.request_stop_of_work(one.key)
        for thread in list(self._threads.values()):
            thread.join(timeout=patience)

    def _change(self, key: str, **change: object) -> None:
        with self._lock:
            self._states[key] = replace(self._states[key], **change)  # type: ignore[arg-type]

    def _do(self, key: str, work: Work, stop: threading.Event) -> None:
        how = How(
            stop=stop,
            on_run=lambda run: self._change(key, run=run),
            on_progress=lambda progress: self._change(key, progress=progress),
            on_state=lambda state, done, total: self._change(
                key, note=f"Batch job {state}: {done:,} of {total:,}"
            ),
        )
        logs.log_event("run.started", run=key)
        try:
            self._change(key, running=False, done=work(how))
        except MedLensError as error:
            self._change(key, running=False, error=error.message, hint=error.hint)
        except Exception:  # noqa: BLE001 -- a fault must show on the page, not end in silence
            _log.exception("The run %s failed", key)
            self._change(
                key, running=False, error="The run failed.", hint="The log of the app says why."
            )
        ended = self._states[key]
        logs.log_event("run.ended", run=key, outcome="failed" if ended.error else "done")
