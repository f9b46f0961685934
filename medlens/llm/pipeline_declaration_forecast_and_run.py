"""A study's pipelines: declared as data for the command line and the Runs page, and carried out
from forecast to report: what each of them does around its own jobs.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries
from medlens.llm.cached_completions import RetryPolicy
from medlens.llm.endpoint_batches import Asked, run_batch_job_and_store_answers
from medlens.llm.endpoint_faults import MEANING
from medlens.llm.forecast_of_calls_beyond_stored_answers import Foreseen
from medlens.llm.job_batch_progress_and_report import BatchProgress, BatchReport
from medlens.llm.resumable_concurrent_jobs import (
    Job,
    require_prices_for_spending_cap,
    run_unfinished_jobs_of_run,
)
from medlens.llm.runs import open_or_resume_run_and_return_id
from medlens.llm.token_cost_forecast_and_budget import (
    CostForecast,
    Planned,
    estimate_request_tokens,
    forecast_cost,
)
from medlens.store import Store


@dataclass(frozen=True, kw_only=True)
class How:
    """How a run is made: who started it, what it may cost, who watches it, what stops it.

    ``confirm`` is shown the forecast and may say no; ``on_run`` is given the id of the run once
    there is one. With ``batch_api``, single-turn questions are answered by the endpoint's batch
    jobs, and ``on_state`` is told their progress (state, done, total).
    """

    made_by: str = "command line"
    spending_cap: float | None = None
    stop: threading.Event | None = None
    confirm: Callable[[CostForecast], bool] | None = None
    on_run: Callable[[str], object] | None = None
    on_progress: Callable[[BatchProgress], object] | None = None
    batch_api: bool = False
    on_state: Callable[[str, int, int], object] | None = None
    poll_seconds: float = 30.0
    retries: RetryPolicy | None = None


Kind = Literal["file", "text", "model", "models", "dataset", "whole", "choice", "flag"]
"""``file`` is given as a ``Path`` (None where it is left out), ``models`` as a tuple of names,
``whole`` as an ``int``."""


@dataclass(frozen=True, kw_only=True)
class PipelineField:
    """One thing that a pipeline needs to know.

    ``name`` is the key of its value and, on the command line, ``--name``; a ``file`` is given there
    without a name. A field without ``default`` is required; an optional file has ``""``.
    ``in_words`` are the ``choices`` as pages show them, if their names say too little. ``least`` is
    the smallest value of a ``whole``; ``example`` is the text of a file that shows how to write
    one. ``count`` says how many items a ``flag`` leaves, from the values of the fields before it.
    """

    name: str
    title: str
    kind: Kind
    help: str = ""
    default: str | int | bool | tuple[str, ...] | None = None
    choices: tuple[str, ...] = ()
    in_words: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    least: int = 0
    example: str = ""
    count: Callable[[Store, Settings, Mapping[str, Any]], int] | None = None

    @property
    def is_required(self) -> bool:
        """Whether a pipeline cannot start without it."""
        return self.default is None and self.kind != "flag"


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a pipeline ended. ``lines`` are for the person; ``aside`` is what went wrong on the way;
    ``complete`` is False if something is left to do or was refused by an endpoint.
    """

    lines: Sequence[str]
    complete: bool
    aside: Sequence[str] = ()
    run: str = ""


@dataclass(frozen=True)
class RunReport:
    """What a pipeline did. ``batch`` is None if there was nothing to do, it was not confirmed
    (``declined``), or it is waiting; ``added`` counts what is new; ``outcomes`` counts every job of
    the run that has an outcome; ``lines`` and ``aside`` are those of ``Done``.
    """

    run: str
    batch: BatchReport | None
    added: int
    lines: tuple[str, ...]
    declined: bool = False
    outcomes: Mapping[str, int] = field(default_factory=dict)
    aside: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do, and something was made where models were asked."""
        if self.batch is None:
            return not self.declined and not self.run
        if self.batch.is_without_usable_answer:
            return False
        return not self.batch.stopped and not self.outcomes.get("error")

    def with_further_lines(self, *lines: str, added: int = 0) -> RunReport:
        """The same with further lines (empty ones are left out) and what is new."""
        return replace(self, added=added, lines=(*self.lines, *filter(None, lines)))

    def as_done_report(self) -> Done:
        """The report, as told to whoever started the pipeline."""
        return Done(lines=self.lines, complete=self.complete, aside=self.aside, run=self.run)


def forecast_confirm_and_carry_out_run(
    store: Store,
    *,
    study: str,
    kind: str,
    config: Mapping[str, Any],
    models: Mapping[str, Model],
    jobs: Callable[[str], Sequence[Job]],
    left: Foreseen,
    single_turn: Mapping[str, Sequence[Asked]] | None = None,
    at_once: int = 0,
    during: AbstractAsyncContextManager[Any] | None = None,
    line: Callable[[BatchReport], str] = BatchReport.report_in_one_line,
    how: How,
) -> RunReport:
    """Forecast, confirm, open or resume the run, and do its jobs, made for the run's id.

    ``left`` is what they will still take. ``single_turn`` are the requests, by model, that
    ``how.batch_api`` may hand to batch jobs. ``at_once`` and ``during`` are as in
    ``run_unfinished_jobs_of_run``; ``line`` describes how the batch ended.

    Raises:
        MedLensError: as ``run_unfinished_jobs_of_run`` and ``run_batch_job_and_store_answers``.
    """
    store.fetch_rows_of_other_processes_and_count()
    if how.spending_cap is not None:
        require_prices_for_spending_cap(models)
    by_batch = how.batch_api and bool(single_turn)
    expected = forecast_cost(left.planned, models, stored=left.stored, batch=by_batch)
    if how.confirm is not None and not how.confirm(expected):
        return RunReport("", None, 0, ("No model was asked.",), declined=True)
    run = open_or_resume_run_and_return_id(
        store, study=study, kind=kind, config=config, made_by=how.made_by
    )
    todo = jobs(run)
    if how.on_run is not None:
        how.on_run(run)
    note = ""
    for name, asked in (single_turn or {}).items() if by_batch else ():
        brought = run_batch_job_and_store_answers(
            store,
            asked,
            run=run,
            name=name,
            model=models[name],
            every=how.poll_seconds,
            stop=how.stop,
            spending_cap=how.spending_cap,
            on_state=how.on_state,
        )
        note = brought.outcome_in_one_line()
        if brought.state == "waiting":
            return RunReport(run, None, 0, (f"{note} Start the run again to fetch them.",))
    done = run_unfinished_jobs_of_run(
        store,
        todo,
        run=run,
        models=models,
        on_progress=how.on_progress,
        stop=how.stop,
        spending_cap=how.spending_cap,
        expected_cost=None if by_batch else expected.cost,
        at_once=at_once,
        during=during,
        retries=how.retries,
    )
    lines = tuple(filter(None, (note, line(done))))
    return RunReport(run, done, 0, lines, outcomes=Counter(done.outcomes))


def model_settings_as_dict(model: Model) -> dict[str, Any]:
    """What a run's configuration records about a model."""
    return {
        "asked_for": model.model,
        "base_url": model.base_url,
        "parameters": dict(model.parameters),
    }


def forecast_single_requests(
    store: Store,
    models: Mapping[str, Model],
    singles: Mapping[str, Sequence[Asked]],
    *,
    output_tokens: float,
) -> Foreseen:
    """What single-turn requests, by model, will still take; ``output_tokens`` of an answer."""
    planned, stored = [], 0
    for name, asked in singles.items():
        known = completion_run_and_job_queries.stored_completion_ids_of_models(
            store, [(models[name].base_url, models[name].model)]
        )
        left = [one for one, repeat in asked if one.completion_id(repeat) not in known]
        planned += [Planned(name, 1, estimate_request_tokens(one), output_tokens) for one in left]
        stored += len(asked) - len(left)
    return Foreseen(tuple(planned), stored)


def most_frequent_fault_in_words(store: Store, run: str) -> str:
    """The most frequent reason for calls without an answer in a run; empty if all were answered."""
    found = completion_run_and_job_queries.failed_attempts_table(store, run).to_dict("records")
    if not found:
        return ""
    most = found[0]
    meaning = MEANING.get(most["error_class"], most["error_class"])
    detail = f": {most['detail']}" if most["detail"] else ""
    return f"Most often, of {most['name']!r}: {meaning}{detail}".rstrip(".") + "."


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """Work for which a study asks models, or which it does by itself if ``asks_models`` is
    False.

    ``start`` is called with the store, the settings, the values of ``fields`` by name, and ``how``.
    It raises MedLensError if it cannot start with them, and calls ``how.confirm`` with the forecast
    before it spends or writes anything; if the answer is no, it returns. ``datasets`` are those
    that it can work on before they have items.
    """

    study: str
    name: str
    title: str
    about: str
    fields: tuple[PipelineField, ...]
    start: Callable[..., Done | RunReport]
    asks_models: bool = True
    batch_api: bool = False
    datasets: Callable[[Store], Sequence[str]] | None = None


def find_model_settings_by_name(settings: Settings, name: str) -> Model:
    """The model with this name.

    Raises:
        InvalidInput: ``medlens.toml`` does not have it.
    """
    found = settings.models.get(name)
    if found is None:
        known = ", ".join(sorted(settings.models)) or "none yet"
        raise InvalidInput(
            f"There is no model {name!r}.",
            hint=f"medlens.toml names: {known}. Add a section [models.{name}] with its base_url.",
        )
    return found
