"""Treats stored answers as if they were a model, to see how far work gets without a call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from medlens.config.settings import Model
from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries
from medlens.llm.cached_completions import Completion
from medlens.llm.model_request_messages_and_hash import ModelRequest
from medlens.llm.questions_to_models_and_typed_replies import Ask
from medlens.llm.token_cost_forecast_and_budget import Planned
from medlens.store import Store

Work = Callable[[Ask], Coroutine[Any, Any, object]]


class NotStored(Exception):
    """This request has not been answered before."""

    def __init__(self, request: ModelRequest) -> None:
        super().__init__(request.name)
        self.request = request


class StoredCompletions:
    """Completions from stored answers only. ``found`` are the ids of those that were used."""

    def __init__(self, store: Store, models: Mapping[str, Model]) -> None:
        self._store, self._models = store, models
        endpoints = {(one.base_url, one.model) for one in models.values()}
        self._known = {
            one: completion_run_and_job_queries.stored_completion_ids_of_models(store, [one])
            for one in sorted(endpoints)
        }
        self.found: set[str] = set()

    def settings_of_model(self, name: str) -> Model:
        """The settings of a model.

        Raises:
            InvalidInput: the model is not part of the run.
        """
        if name not in self._models:
            raise InvalidInput(f"The model {name!r} is not part of this run.")
        return self._models[name]

    def has_answers_of_model(self, name: str) -> bool:
        """Whether anything from a model is stored; if not, there is nothing to follow."""
        return bool(self._of(self.settings_of_model(name)))

    def _of(self, model: Model) -> set[str]:
        return self._known[model.base_url, model.model]

    async def complete(self, request: ModelRequest, *, repeat: int) -> Completion:
        """The stored answer.

        Raises:
            NotStored: there is none.
        """
        id = request.completion_id(repeat)
        row = (
            completion_run_and_job_queries.find_completion_with_id(self._store, id)
            if id in self._of(self.settings_of_model(request.name))
            else None
        )
        if row is None:
            raise NotStored(request)
        self.found.add(id)
        return Completion.completion_from_row(row, request.settings.reasoning_tags)

    def find_first_unanswered_request(self, work: Work) -> ModelRequest | None:
        """The first question of a job that is not answered yet; None if all are."""
        try:
            # Stored answers never wait, so the work runs to its end.
            work(Ask(self)).send(None)
        except StopIteration:
            return None
        except NotStored as none:
            return none.request
        raise AssertionError("the work waits for something else than an answer")


@dataclass(frozen=True)
class Foreseen:
    """The calls still to be made, by model, and how many calls of the work are stored."""

    planned: tuple[Planned, ...] = ()
    stored: int = 0


class CallsToCome:
    """Calls and tokens still to come, by model."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()
        self._into: Counter[str] = Counter()
        self._out: Counter[str] = Counter()
        self._likely: dict[str, float] = {}
        self._unknown: set[str] = set()
        self._most: set[str] = set()

    def add_calls_of_model(
        self,
        name: str,
        count: int,
        each_in: float,
        each_out: float,
        *,
        most: bool = False,
        likely: float | None = None,
    ) -> None:
        """Add calls of a model, with the tokens of one of them; ``most`` and ``likely`` are as in
        ``Planned``.
        """
        self._likely[name] = self._likely.get(name, 0) + (count if likely is None else likely)
        if most:
            self._most.add(name)
            if likely is None:
                self._unknown.add(name)
        self._calls[name] += count
        self._into[name] += round(count * each_in)
        self._out[name] += round(count * each_out)

    def list_planned_calls_of_each_model(self) -> tuple[Planned, ...]:
        """What was added, by model."""
        return tuple(
            Planned(
                *(name, count, self._into[name] / count, self._out[name] / count),
                most=name in self._most,
                likely=self._likely[name]
                if name in self._most and name not in self._unknown
                else None,
            )
            for name, count in self._calls.items()
            if count
        )


def forecast_calls_beyond_stored_answers(
    store: Store,
    models: Mapping[str, Model],
    works: Iterable[Work],
    *,
    left: Callable[[CallsToCome, ModelRequest], object],
) -> Foreseen:
    """Follow each job as far as its answers are stored; ``left`` adds what the first unanswered
    question and everything after it will take.
    """
    completions, to_come = StoredCompletions(store, models), CallsToCome()
    for work in works:
        request = completions.find_first_unanswered_request(work)
        if request is not None:
            left(to_come, request)
    return Foreseen(to_come.list_planned_calls_of_each_model(), len(completions.found))
