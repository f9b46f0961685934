"""Single-turn answers through the endpoint's own batch jobs (OpenAI's Batch API): half the price,
within a day.

``run_batch_job_and_store_answers`` brings the completions into the store;
``run_unfinished_jobs_of_run`` then finds them there. The batch job's id is stored before waiting
for it, so a killed run continues to wait instead of paying again; if the process dies between
creating the job and storing its id, the job is found by its metadata.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medlens.config.settings import Model
from medlens.errors import InvalidInput, MedLensError
from medlens.llm import completion_run_and_job_queries
from medlens.llm.cached_completions import make_completion_row, make_failed_attempt_row
from medlens.llm.client import (
    BrokenOff,
    ModelClient,
    Reply,
    api_key_from_environment,
    parse_chat_completion,
)
from medlens.llm.endpoint_faults import Fault, failure_detail_without_key, fault_from_status
from medlens.llm.model_request_messages_and_hash import ModelRequest
from medlens.llm.resumable_concurrent_jobs import run_coroutine_and_return_result
from medlens.llm.token_cost_forecast_and_budget import (
    USUAL_ANSWER,
    Planned,
    estimate_request_tokens,
    forecast_cost,
    format_money,
    price_of_tokens,
)
from medlens.store import Row, Store, new_id, stable_id
from medlens.telemetry import prometheus_metrics

if TYPE_CHECKING:
    from openai.types import Batch

_MARK = "medlens"
_ENDED = ("completed", "failed", "expired", "cancelled")
_PAGES = 100
LARGEST = 50_000
"""Requests that one batch job takes."""

Asked = tuple[ModelRequest, int]
"""A request and its repeat number."""


@dataclass(frozen=True)
class BatchJobOutcome:
    """What a batch job delivered. ``state`` is the endpoint's word, or ``waiting`` if stopped."""

    state: str
    stored: int
    failed: int
    left: int
    cost: float

    def outcome_in_one_line(self) -> str:
        """What was delivered, for the person who started it."""
        text = f"Batch job {self.state}: {self.stored:,} answers stored"
        if self.failed:
            text += f", {self.failed:,} failed"
        if self.left:
            text += f", {self.left:,} still to come"
        return f"{text}; cost {format_money(self.cost)}."


def run_batch_job_and_store_answers(
    store: Store,
    asked: Sequence[Asked],
    *,
    run: str,
    name: str,
    model: Model,
    every: float = 30.0,
    stop: threading.Event | None = None,
    spending_cap: float | None = None,
    on_state: Callable[[str, int, int], object] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> BatchJobOutcome:
    """Have a batch job answer the requests that are not stored yet, and wait for it.

    ``every`` is the number of seconds between two checks. Setting ``stop`` ends the waiting, not
    the job; the next call waits on. ``on_state`` is given the job's state, the number of answers
    and how many are expected.

    Raises:
        InvalidInput: too many requests, or their estimated cost exceeds ``spending_cap``.
        MedLensError: the endpoint refuses the job or cannot be reached.
    """
    known = completion_run_and_job_queries.stored_completion_ids_of_models(
        store, [(model.base_url, model.model)]
    )
    wanted = {request.completion_id(repeat): (request, repeat) for request, repeat in asked}
    todo = {id: one for id, one in wanted.items() if id not in known}
    if len(todo) > LARGEST:
        raise InvalidInput(f"A batch job takes {LARGEST:,} requests, these are {len(todo):,}.")
    if spending_cap is not None:
        _require_affordable(store, run, name, model, list(todo.values()), spending_cap)
    if not todo:
        return BatchJobOutcome("completed", 0, 0, 0, 0.0)
    work = _Work(
        store,
        run,
        name,
        model,
        api_key_from_environment(name, model, environ),
        wanted,
        todo,
        on_state,
    )
    return run_coroutine_and_return_result(lambda: work.go(every, stop or threading.Event()))


def _require_affordable(
    store: Store, run: str, name: str, model: Model, todo: Sequence[Asked], cap: float
) -> None:
    planned = [
        Planned(name, 1, estimate_request_tokens(request), USUAL_ANSWER) for request, _ in todo
    ]
    expected = forecast_cost(planned, {name: model}, batch=True)
    if expected.unpriced:
        raise InvalidInput(f"A spending cap cannot be kept: the model {name!r} has no prices.")
    if completion_run_and_job_queries.sum_known_cost_of_run(store, run) + expected.cost > cap:
        raise InvalidInput(
            f"The batch job may cost more than the spending cap: {expected.forecast_in_words()}",
            hint="Raise the cap, or ask fewer questions.",
        )


class _Work:
    def __init__(
        self,
        store: Store,
        run: str,
        name: str,
        model: Model,
        key: str,
        wanted: Mapping[str, Asked],
        todo: Mapping[str, Asked],
        on_state: Callable[[str, int, int], object] | None,
    ) -> None:
        self._store, self._run, self._name, self._model = store, run, name, model
        self._key, self._wanted, self._todo, self._on_state = key, wanted, todo, on_state
        # The same work is the same job, even after a kill.
        self._digest = stable_id("remote_batch", run, name, *sorted(todo))
        self._client = ModelClient(name, model, key)

    async def go(self, every: float, stop: threading.Event) -> BatchJobOutcome:
        from openai import APIError

        try:
            batch = await self._find() or await self._make()
            while batch.status not in _ENDED:
                self._say(batch)
                if await asyncio.to_thread(stop.wait, every):
                    return BatchJobOutcome("waiting", 0, 0, len(self._todo), 0.0)
                batch = await self._client.openai_client.batches.retrieve(batch.id)
            self._say(batch)
            return await self._take(batch)
        except APIError as error:
            raise MedLensError(
                f"The batch job of {self._name!r} failed: "
                f"{failure_detail_without_key(error.message, self._key)}",
                hint="Start the run again to continue, or run it without --batch-api.",
            ) from None
        finally:
            await self._client.close()

    def _say(self, batch: Batch) -> None:
        if self._on_state is not None:
            done = batch.request_counts.completed if batch.request_counts else 0
            self._on_state(batch.status, done, len(self._todo))

    def _note(self, batch: str, state: str, counts: Mapping[str, Any]) -> None:
        self._store.append(
            "remote_batch",
            {
                "id": new_id(),
                "run": self._run,
                "name": self._name,
                "base_url": self._model.base_url,
                "digest": self._digest,
                "batch": batch,
                "state": state,
                "body": dict(counts),
            },
        )

    async def _find(self) -> Batch | None:
        """The job that this run created earlier and did not see the end of."""
        known = [
            one
            for one in completion_run_and_job_queries.endpoint_batch_jobs_of_run(
                self._store, self._run
            )
            if one["name"] == self._name and one["state"] not in _ENDED
        ]
        for one in known:
            if one["batch"]:
                self._digest = one["digest"]
                return await self._client.openai_client.batches.retrieve(one["batch"])
        intended = {one["digest"] for one in known}
        page = await self._client.openai_client.batches.list(limit=_PAGES) if intended else None
        for batch in page.data if page else ():
            mark = (batch.metadata or {}).get(_MARK)
            if mark is not None and mark in intended:
                self._digest = mark
                self._note(batch.id, "found", {})
                return batch
        return None

    async def _make(self) -> Batch:
        lines = [
            json.dumps(
                {
                    "custom_id": id,
                    "method": "POST",
                    "url": "/v1/chat/completions",
                    "body": request.body_to_post(),
                }
            )
            for id, (request, _) in self._todo.items()
        ]
        self._note("", "intended", {"requests": len(lines)})
        file = await self._client.openai_client.files.create(
            file=("medlens.jsonl", "\n".join(lines).encode()), purpose="batch"
        )
        batch = await self._client.openai_client.batches.create(
            input_file_id=file.id,
            endpoint="/v1/chat/completions",
            completion_window="24h",
            metadata={_MARK: self._digest},
        )
        self._note(batch.id, batch.status, {"requests": len(lines)})
        return batch

    async def _take(self, batch: Batch) -> BatchJobOutcome:
        completions: list[Row] = []
        attempts: list[Row] = []
        for file in (batch.output_file_id, batch.error_file_id):
            if file is None:
                continue
            content = await self._client.openai_client.files.content(file)
            for line in content.content.decode("utf-8", "replace").splitlines():
                found = self._read(line)
                if found is None:
                    continue
                (request, repeat), said = found
                if isinstance(said, Reply):
                    cost = price_of_tokens(
                        self._model, said.input_tokens, said.output_tokens, batch=True
                    )
                    prometheus_metrics.count_tokens_and_cost(
                        self._name,
                        tokens_in=said.input_tokens,
                        tokens_out=said.output_tokens,
                        cost=cost,
                    )
                    completions.append(
                        make_completion_row(
                            request,
                            repeat,
                            said,
                            run=self._run,
                            cost=cost,
                            attempts=1,
                            route="batch",
                        )
                    )
                else:
                    attempts.append(
                        make_failed_attempt_row(request, repeat, said, run=self._run, attempt=1)
                    )
        self._store.append_all_and_count_new_by_table(
            {"completion": completions, "completion_attempt": attempts}
        )
        self._note(batch.id, batch.status, {"stored": len(completions), "failed": len(attempts)})
        return BatchJobOutcome(
            batch.status,
            len(completions),
            len(attempts),
            max(0, len(self._todo) - len(completions) - len(attempts)),
            sum(row["cost"] or 0.0 for row in completions),
        )

    def _read(self, line: str) -> tuple[Asked, Reply | Fault] | None:
        """One line of a result file; None if it is not ours or cannot be read."""
        try:
            row = json.loads(line)
            asked = self._wanted[row["custom_id"]]
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        response = row.get("response") or {}
        status, body = response.get("status_code"), response.get("body")
        if status != 200:
            if isinstance(status, int):
                return asked, fault_from_status(status, body, {}, seconds=0.0, key=self._key)
            words = json.dumps(row.get("error"))
            return asked, Fault("batch", failure_detail_without_key(words, self._key), 0.0)
        try:
            return asked, parse_chat_completion(body, asked[0], key=self._key, seconds=None)
        except BrokenOff as broken:
            return asked, broken.fault
        except ValueError as error:
            return asked, Fault(
                "bad_response", failure_detail_without_key(str(error), self._key), 0.0, status=200
            )
