"""Batches: many jobs against models at once, which can be stopped, killed and resumed.

A job is an async function that asks and returns a result. Its calls keep their order; jobs run in
parallel. Every completion is stored before the job sees it, and every result when the job ends, so
a batch resumed after a kill repeats no stored call.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from medlens.config.settings import Model
from medlens.errors import InvalidInput, MedLensError, StoreUnavailable
from medlens.llm import completion_run_and_job_queries, runs
from medlens.llm.cached_completions import CachedCompletions, RetryPolicy, Stopped
from medlens.llm.client import api_key_from_environment
from medlens.llm.job_batch_progress_and_report import BatchMeter, BatchProgress, BatchReport
from medlens.llm.questions_to_models_and_typed_replies import Ask
from medlens.llm.result_writer import StoreRowWriter
from medlens.llm.token_cost_forecast_and_budget import SpendingBudget
from medlens.store import Row, Store, stable_id

T = TypeVar("T")


def run_coroutine_and_return_result(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The result of the coroutine that ``work`` makes; its exceptions are raised here.

    If an event loop is already running in this thread (as in a notebook), the work gets its own
    thread.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    results: list[T] = []
    faults: list[BaseException] = []

    def alone() -> None:
        try:
            results.append(asyncio.run(work()))
        except BaseException as error:  # noqa: BLE001  (raised below, in the caller's thread)
            faults.append(error)

    thread = threading.Thread(target=alone, name="medlens-llm", daemon=True)
    thread.start()
    thread.join()
    if faults:
        raise faults[0]
    return results[0]


_EVERY = 0.2
_PER_SLOT = 4
_active: set[tuple[str, str]] = set()
_activity = threading.Lock()


@dataclass(frozen=True)
class Result:
    """The result of a job. With the outcome ``error`` (no answer from the endpoint) it is tried
    again later.

    It is stored with the ids of the job's completions, under ``completions`` in its body, and how
    answers of a shape were read, under ``read_by``. ``unusable`` is one of
    ``job_batch_progress_and_report``'s ``UNUSABLE`` if that is what came, and the outcome, which is
    the study's own, does not say so.
    """

    outcome: str
    body: Mapping[str, Any] = field(default_factory=dict)
    unusable: str = ""


@dataclass(frozen=True)
class Job:
    """A part of a batch. ``key`` is its name in the run, always the same for the same work."""

    key: str
    work: Callable[[Ask], Awaitable[Result]]


def run_unfinished_jobs_of_run(
    store: Store,
    jobs: Sequence[Job],
    *,
    run: str,
    models: Mapping[str, Model],
    on_progress: Callable[[BatchProgress], object] | None = None,
    stop: threading.Event | None = None,
    spending_cap: float | None = None,
    expected_cost: float | None = None,
    at_once: int = 0,
    during: contextlib.AbstractAsyncContextManager[Any] | None = None,
    retries: RetryPolicy | None = None,
    environ: Mapping[str, str] = os.environ,
) -> BatchReport:
    """Do the jobs of a run that have no result yet; returns when they are done or were stopped.

    ``models`` are the models that jobs ask, by name. Setting ``stop`` ends the batch: no call is
    started any more, open calls are awaited and kept. ``spending_cap`` is for the whole run,
    including what it has spent before. ``expected_cost`` is the forecast, shown until the first
    jobs are done. ``at_once`` is the number of parallel jobs, 0 to choose one that suits the
    models; ``during`` is a context held open while jobs run.

    Raises:
        InvalidInput: a key is missing or repeated, there is a cap without prices, or the run is
            already running.
        StoreUnavailable: the store cannot keep the answers; the batch was abandoned.
    """
    store.fetch_rows_of_other_processes_and_count()
    runs.load_run_or_refuse(store, run)
    keys = {name: api_key_from_environment(name, model, environ) for name, model in models.items()}
    if spending_cap is not None:
        require_prices_for_spending_cap(models)
    if len({job.key for job in jobs}) < len(jobs):
        raise InvalidInput("Two jobs of this run have the same key.")
    with _only_once(store, run):
        there = completion_run_and_job_queries.job_outcomes_by_key(store, run)
        ended = {key: one for key, one in there.items() if one.outcome != "error"}
        todo = [job for job in jobs if job.key not in ended]
        before = [ended[job.key] for job in jobs if job.key in ended]
        already = Counter((one.outcome, one.unusable) for one in before)
        budget = SpendingBudget(
            spent=completion_run_and_job_queries.sum_known_cost_of_run(store, run), cap=spending_cap
        )
        batch = _Batch(
            store,
            run,
            models,
            keys,
            budget,
            retries or RetryPolicy(),
            {job: one.revision for job, one in there.items()},
            BatchMeter(len(jobs), already, budget, expected_cost),
            on_progress,
            at_once or sum(model.concurrency for model in models.values()) * _PER_SLOT,
            during or contextlib.nullcontext(),
        )
        return batch.go(todo, stop or threading.Event())


def require_prices_for_spending_cap(models: Mapping[str, Model]) -> None:
    """Refuse a spending cap for models without prices: it could not be kept.

    Raises:
        InvalidInput: one has none.
    """
    for name, model in models.items():
        if model.input_price is None or model.output_price is None:
            raise InvalidInput(
                f"A spending cap cannot be kept: the model {name!r} has no prices.",
                hint="Set input_price and output_price in medlens.toml (0 where it is free).",
            )


def is_run_executing_in_this_process(store: Store, run: str) -> bool:
    """Whether this process is executing a run."""
    with _activity:
        return (store.path, run) in _active


@contextlib.contextmanager
def _only_once(store: Store, run: str) -> Iterator[None]:
    place = (store.path, run)
    with _activity:
        if place in _active:
            raise InvalidInput(
                "This run is already in progress.", hint="Watch it on the Runs page."
            )
        _active.add(place)
    try:
        yield
    finally:
        with _activity:
            _active.discard(place)


class _Batch:
    def __init__(
        self,
        store: Store,
        run: str,
        models: Mapping[str, Model],
        keys: Mapping[str, str],
        budget: SpendingBudget,
        retries: RetryPolicy,
        revisions: Mapping[str, int],
        meter: BatchMeter,
        on_progress: Callable[[BatchProgress], object] | None,
        lanes: int,
        during: contextlib.AbstractAsyncContextManager[Any],
    ) -> None:
        self._store, self._run, self._models, self._keys = store, run, models, keys
        self._budget, self._retries, self._revisions = budget, retries, revisions
        self._meter = meter
        self._on_progress = on_progress
        self._lanes, self._during = lanes, during

    def go(self, jobs: Sequence[Job], stop: threading.Event) -> BatchReport:
        self._note("started")
        try:
            report = run_coroutine_and_return_result(lambda: self._go(jobs, stop))
        except BaseException as error:
            reason = error.message if isinstance(error, MedLensError) else type(error).__name__
            # The store may be what failed.
            with contextlib.suppress(StoreUnavailable):
                self._note("failed", reason)
            raise
        self._note("stopped" if report.stopped else "finished", report.reason)
        return report

    def _note(self, kind: runs.EventKind, reason: str = "") -> None:
        counts = self._meter.counts_to_store_with_event()
        self._store.append(
            "run_event", runs.make_run_event_row(self._run, kind, counts, reason=reason)
        )

    async def _go(self, jobs: Sequence[Job], stop: threading.Event) -> BatchReport:
        writer = StoreRowWriter(self._store)
        completions = CachedCompletions(
            self._store,
            writer,
            run=self._run,
            models=self._models,
            keys=self._keys,
            budget=self._budget,
            retries=self._retries,
        )
        self._meter.start_clock(completions.counts)
        waiting = iter(jobs)
        try:
            async with self._during, asyncio.TaskGroup() as group:
                watch = group.create_task(self._watch(completions, writer, stop))
                lanes = [
                    group.create_task(self._lane(waiting, completions, writer))
                    for _ in range(min(len(jobs), self._lanes))
                ]
                await asyncio.gather(*lanes)
                watch.cancel()
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None
        finally:
            await completions.close()
            await writer.close()
        self._tell()
        return self._meter.make_report(
            completions.stop_reason,
            completions.give_up_reasons_by_model,
            completions.last_failures,
            asks_models=bool(self._models),
        )

    async def _lane(
        self, waiting: Iterator[Job], completions: CachedCompletions, writer: StoreRowWriter
    ) -> None:
        """Do one job after another until none are left or the batch ends."""
        for job in waiting:
            if completions.stopping.is_set():
                return
            ask = Ask(completions)
            self._meter.running += 1
            try:
                result = await job.work(ask)
            except Stopped:
                return
            except StoreUnavailable:
                raise
            except MedLensError as error:
                result = Result("error", {"error_class": "job", "error": error.message})
            finally:
                self._meter.running -= 1
            await writer.put({"run_item": [self._item(job, result, ask)]})
            # Those without a whole text are counted where they are taken from the store.
            completions.counts["reused_unusable"] += (
                result.outcome == "parse_failed" and ask.last_was_stored
            )
            self._meter.count_ended_job(result.outcome, ask.cost, unusable=result.unusable)

    def _item(self, job: Job, result: Result, ask: Ask) -> Row:
        revision = self._revisions.get(job.key, 0) + 1
        read_by: dict[str, Any] = {"read_by": ask.read_by} if ask.read_by else {}
        if result.unusable:
            read_by["unusable"] = result.unusable
        return {
            "id": stable_id("run_item", self._run, job.key, str(revision)),
            "run": self._run,
            "job": job.key,
            "revision": revision,
            "outcome": result.outcome,
            "body": {**result.body, **read_by, "completions": ask.completions},
            "calls": ask.calls,
        }

    async def _watch(
        self, completions: CachedCompletions, writer: StoreRowWriter, stop: threading.Event
    ) -> None:
        noted = time.monotonic()
        while True:
            if stop.is_set():
                completions.start_no_more_calls("it was stopped by hand")
            self._tell()
            if time.monotonic() - noted >= runs.HEARTBEAT:
                noted = time.monotonic()
                row = runs.make_run_event_row(
                    self._run, "progress", self._meter.counts_to_store_with_event()
                )
                await writer.put({"run_event": [row]})
            await asyncio.sleep(_EVERY)

    def _tell(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self._meter.make_progress())
