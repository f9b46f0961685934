"""SourceCheckup's pipeline, step by step (Wu et al. 2025, arXiv:2402.02008, Methods).

``questions`` → ``answers`` → ``statements`` → ``sources`` → ``verify`` → ``cleanup``. Each step
does whatever the store still lacks, so it can be repeated, stopped, killed and resumed on its own.
A job's results are in the store before the run records the job as finished. This file holds what
the steps share.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.llm.forecast_of_calls_beyond_stored_answers import (
    CallsToCome,
    Foreseen,
    Work,
    forecast_calls_beyond_stored_answers,
)
from medlens.llm.model_request_messages_and_hash import ModelRequest
from medlens.llm.pipeline_declaration_forecast_and_run import (
    How,
    RunReport,
    forecast_confirm_and_carry_out_run,
    model_settings_as_dict,
    most_frequent_fault_in_words,
)
from medlens.llm.result_writer import StoreRowWriter
from medlens.llm.token_cost_forecast_and_budget import estimate_request_tokens
from medlens.store import Store
from medlens.studies.sourcecheckup.records import STUDY

U = TypeVar("U")


@dataclass(frozen=True, kw_only=True)
class Step(Generic[U]):
    """One step's work, ready to run.

    ``units`` are the work, one named job each; ``work`` does one, given the run's id and its
    writer. ``left`` is what that will still take. ``table`` is the table whose new rows are
    counted, ``says`` how to name them (one, several). ``line`` describes how the batch ended; steps
    that ask no model replace it.
    """

    kind: str
    dataset: str
    config: Mapping[str, Any]
    models: Mapping[str, Model]
    units: Mapping[str, U]
    work: Callable[[U, llm.Ask, str, StoreRowWriter], Awaitable[llm.Result]]
    table: str
    says: tuple[str, str]
    left: Foreseen = field(default_factory=Foreseen)
    at_once: int = 0
    during: AbstractAsyncContextManager[Any] | None = None
    line: Callable[[llm.BatchReport], str] = llm.BatchReport.report_in_one_line
    empty: str = ""


def forecast_confirm_and_run_step(store: Store, step: Step[U], *, how: How | None) -> RunReport:
    """Run a step; ``step.empty`` is the message if there is nothing to do."""
    how = how or How()
    if not step.units:
        return RunReport("", None, 0, (step.empty,))
    writer = StoreRowWriter(store, step.table)
    config = {
        "dataset": step.dataset,
        **step.config,
        "models": {
            name: {**model_settings_as_dict(model), "json": model.json_mode}
            for name, model in step.models.items()
        },
    }

    def job(name: str, one: U, run: str) -> llm.Job:
        return llm.Job(name, lambda ask: step.work(one, ask, run, writer))

    made = forecast_confirm_and_carry_out_run(
        store,
        study=STUDY,
        kind=step.kind,
        config=config,
        models=step.models,
        jobs=lambda run: [job(name, one, run) for name, one in step.units.items()],
        left=step.left,
        at_once=step.at_once,
        during=step.during,
        line=step.line,
        how=how,
    )
    if made.batch is None:
        return made
    why = (
        most_frequent_fault_in_words(store, made.run)
        if made.outcomes.get("error") and step.models
        else ""
    )
    return made.with_further_lines(
        why, f"{count_with_noun(writer.added, *step.says)}.", added=writer.added
    )


def forecast_unanswered_calls(
    store: Store, models: Mapping[str, Model], works: Iterable[Work], *, answer: float
) -> Foreseen:
    """What jobs will still take, following each through its stored calls; ``answer`` in tokens."""

    def left(to_come: CallsToCome, request: ModelRequest) -> None:
        to_come.add_calls_of_model(request.name, 1, estimate_request_tokens(request), answer)

    return forecast_calls_beyond_stored_answers(store, models, works, left=left)


def count_with_noun(count: int, one: str, several: str) -> str:
    """A number with its noun, singular or plural."""
    return f"{count:,} {one if count == 1 else several}"


def models_by_name(settings: Settings, names: Sequence[str]) -> dict[str, Model]:
    """Models by their names in the settings, each once.

    Raises:
        InvalidInput: there is no such model.
    """
    return {name: llm.find_model_settings_by_name(settings, name) for name in names}
