"""Completions: looked up in the store, or requested, retried, and stored before they are used.

Everything here belongs to one batch and one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from medlens.config.settings import Model
from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries
from medlens.llm.client import ModelClient, Reply, make_reply_for_content_filter_refusal
from medlens.llm.endpoint_faults import BLOCKING, MEANING, RETRIED, ErrorClass, Fault
from medlens.llm.finish_reasons import ONLY_A_TOOL_CALL, interpret_finish_reason
from medlens.llm.job_batch_progress_and_report import ENDED, PRICED, TAKES
from medlens.llm.large_reply_queue import LARGE_AT_ONCE, take_turn_for_large_reply_within
from medlens.llm.listed_model_details import read_listing_of_model
from medlens.llm.model_request_messages_and_hash import ModelRequest
from medlens.llm.probe_refused_setting import find_refused_setting, may_fault_come_from_setting
from medlens.llm.result_writer import StoreRowWriter
from medlens.llm.split_reasoning_from_answer import Tags, split_reasoning_from_answer
from medlens.llm.token_cost_forecast_and_budget import (
    SpendingBudget,
    estimate_request_tokens,
    format_money,
    price_of_tokens,
    was_prompt_cut,
)
from medlens.store import Row, Store, new_id
from medlens.telemetry import logs, prometheus_metrics

# The shared rate limit: requests and tokens per minute of one model, for everyone who asks it.
#
# A token bucket stored as the moment at which it is full again (generic cell rate algorithm,
# ITU-T I.371). Calls are spread evenly, because endpoints refuse a minute's worth at once. Safe
# between threads, because two runs in one process share the endpoint's limit.


class CallRateLimiter:
    """Spreads calls; ``requests`` and ``tokens`` are per minute, 0 for no limit."""

    def __init__(
        self, *, requests: int, tokens: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_request = 60 / requests if requests else 0.0
        self._per_token = 60 / tokens if tokens else 0.0
        self._clock = clock
        self._lock = threading.Lock()
        self._requests_at = self._tokens_at = self._held_until = clock()

    def reserve_call_and_return_wait(self, tokens: int) -> float:
        """Reserve a slot for a call of about ``tokens``; returns the seconds until its turn."""
        with self._lock:
            now = self._clock()
            turn = max(now, self._requests_at, self._tokens_at, self._held_until)
            self._requests_at = turn + self._per_request
            self._tokens_at = turn + tokens * self._per_token
            return turn - now

    def correct_reserved_tokens(self, tokens: int) -> None:
        """Count ``tokens`` more (or fewer, if negative) than were reserved."""
        with self._lock:
            self._tokens_at += tokens * self._per_token

    def hold_calls_for_seconds(self, seconds: float) -> None:
        """Start no call for ``seconds``, because the endpoint said so."""
        with self._lock:
            self._held_until = max(self._held_until, self._clock() + seconds)

    def seconds_until_calls_may_start(self) -> float:
        """Seconds until calls may start again."""
        with self._lock:
            return max(0.0, self._held_until - self._clock())


_LOOKUP_SECONDS = 1.0
_looked_up: set[tuple[str, str]] = set()
_limiters: dict[tuple[str, str, int, int], CallRateLimiter] = {}
_registry = threading.Lock()


def shared_limiter_of_model(model: Model) -> CallRateLimiter:
    """The limiter that everything in this process shares for this model."""
    place = (model.base_url, model.model, model.requests_per_minute, model.tokens_per_minute)
    with _registry:
        if place not in _limiters:
            _limiters[place] = CallRateLimiter(
                requests=model.requests_per_minute, tokens=model.tokens_per_minute
            )
        return _limiters[place]


class Stopped(Exception):
    """The batch is ending; the call was not made. Jobs let this pass through."""


@dataclass(frozen=True)
class RetryPolicy:
    """How often an attempt is repeated, and after how long.

    Before attempt n + 1 it waits ``base * 2 ** (n - 1)`` seconds, at most ``cap``, minus a random
    part of up to half, so that many callers do not return at once. A wait that the server asks for
    (Retry-After) is respected in full, up to ``longest``. After ``in_a_row`` consecutive calls of a
    model without an answer, the rest of the batch is not tried.
    """

    attempts: int = 6
    base: float = 1.0
    cap: float = 30.0
    longest: float = 120.0
    in_a_row: int = 25

    def seconds_before_next_attempt(self, attempt: int, asked: float | None) -> float:
        """Seconds before the next attempt; ``attempt`` is the one that failed, from 1."""
        own = min(self.cap, self.base * 2.0 ** (attempt - 1)) * random.uniform(0.5, 1.0)
        return own if asked is None else max(min(asked, self.longest), own)


@dataclass(frozen=True)
class Completion:
    """A stored answer, or (outcome ``error``, no ``id``) the lack of one.

    ``paid`` tells a call made now from one that was answered before.
    """

    id: str
    outcome: str
    text: str = ""
    served_model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    seconds: float | None = None
    paid: bool = False
    error_class: str = ""
    error: str = ""

    @classmethod
    def completion_from_row(cls, row: Mapping[str, Any], tags: Tags = ()) -> Completion:
        """A stored completion, from its row; ``tags`` are the model's own for its reasoning.

        What was stored before reasoning was kept apart is told from the answer now.
        """
        stored = cls(**{one.name: row[one.name] for one in fields(cls) if one.name in row})
        if row.get("reasoning") is not None:
            return stored
        answer = split_reasoning_from_answer(stored.text, tags).answer
        empty = stored.outcome == "ok" and not answer.strip()
        return replace(stored, text=answer, outcome="empty" if empty else stored.outcome)


@dataclass(frozen=True)
class _GivenUp:
    """Why a model is not asked any more."""

    error_class: ErrorClass
    reason: str


_OF_ONE_REQUEST = frozenset({"too_long"})
"""Faults that say nothing about the next request."""

_FORBIDDEN_FROM_THE_START = 3
"""So many forbidden calls of a model that has answered none say something about all of them."""

_OF_THE_ACCOUNT = frozenset({"auth", "no_money", "other_service"})
"""Faults that every request meets, with an image or without."""


def _is_price_missing(model: Model) -> bool:
    return model.input_price is None or model.output_price is None


def _kind(request: ModelRequest) -> tuple[str, bool]:
    return request.name, request.images > 0


class CachedCompletions:
    """Where all jobs of a batch get their completions. ``models`` and ``keys`` by name."""

    def __init__(
        self,
        store: Store,
        writer: StoreRowWriter,
        *,
        run: str,
        models: Mapping[str, Model],
        keys: Mapping[str, str],
        budget: SpendingBudget,
        retries: RetryPolicy,
    ) -> None:
        self.store, self.writer, self.run = store, writer, run
        self.budget = budget
        self.stopping = asyncio.Event()
        self.stop_reason = ""
        self.counts: Counter[str] = Counter()
        self._without_reason: Counter[str] = Counter()
        self._gives_reasons: set[str] = set()
        self.last_failures: dict[str, str] = {}
        """Why the last question without an answer had none, by model."""
        # By model, and apart for requests with images: an endpoint that refuses these may answer
        # the others.
        self._blocked: dict[tuple[str, bool], _GivenUp] = {}
        self._retries = retries
        self._clients = {
            name: ModelClient(name, model, keys[name]) for name, model in models.items()
        }
        self._slots = {name: asyncio.Semaphore(m.concurrency) for name, m in models.items()}
        self._limits = {name: shared_limiter_of_model(model) for name, model in models.items()}
        self._failing: Counter[tuple[str, bool]] = Counter()
        self._answered: set[tuple[str, bool]] = set()
        self._first_calls: dict[tuple[str, bool], asyncio.Event] = {}
        self._lookups: list[asyncio.Task[None]] = []
        self._pending: dict[str, asyncio.Task[Completion]] = {}
        self._large_replies = asyncio.Semaphore(LARGE_AT_ONCE)
        self._returned = asyncio.Event()
        self._known = completion_run_and_job_queries.stored_completion_ids_of_models(
            store, sorted({(m.base_url, m.model) for m in models.values()})
        )

    def settings_of_model(self, name: str) -> Model:
        """The settings of a model of this batch.

        Raises:
            InvalidInput: the model is not part of the batch.
        """
        if name not in self._clients:
            raise InvalidInput(f"The model {name!r} is not part of this run.")
        return self._clients[name].model

    @property
    def give_up_reasons_by_model(self) -> dict[str, str]:
        """The models that are not asked any more, and why."""
        why: dict[str, str] = {}
        for (name, images), given_up in sorted(self._blocked.items()):
            if not images:
                why[name] = given_up.reason
            elif name not in why:
                why[name] = f"with images: {given_up.reason}"
        return why

    def start_no_more_calls(self, reason: str) -> None:
        """Start no more calls; the first reason counts."""
        self.stop_reason = self.stop_reason or reason
        self.stopping.set()

    async def close(self) -> None:
        """Close every connection."""
        if self._lookups:
            await asyncio.wait(self._lookups, timeout=_LOOKUP_SECONDS)
        for task in (*self._pending.values(), *self._lookups):
            task.cancel()
        await asyncio.gather(*self._pending.values(), *self._lookups, return_exceptions=True)
        for client in self._clients.values():
            await client.close()

    async def complete(self, request: ModelRequest, *, repeat: int) -> Completion:
        """The answer to a request: the stored one, or a new one that is stored before it is
        returned.

        Raises:
            Stopped: the batch is ending.
            MedLensError: the store cannot keep the answer.
        """
        id = request.completion_id(repeat)
        if id in self._known and (
            row := completion_run_and_job_queries.find_completion_with_id(self.store, id)
        ):
            self.counts["reused"] += 1
            stored = Completion.completion_from_row(row, request.settings.reasoning_tags)
            self.counts["reused_unusable"] += stored.outcome != "ok"
            return stored
        task = self._pending.get(id)
        if task is None:
            task = asyncio.create_task(self._ask(request, repeat, id))
            self._pending[id] = task
            task.add_done_callback(lambda _: self._pending.pop(id, None))
        return await asyncio.shield(task)

    async def _ask(self, request: ModelRequest, repeat: int, id: str) -> Completion:
        name = request.name
        context = request.settings.context
        # By the estimate this is twice the context, so it cannot fit; the endpoint judges closer
        # cases.
        if context and estimate_request_tokens(request) > context * 2:
            self.last_failures[name] = MEANING["too_long"]
            return _failed("too_long", MEANING["too_long"])
        fault: Fault | None = None
        for attempt in range(1, self._retries.attempts + 1):
            with take_turn_for_large_reply_within(self._large_replies):
                said = await self._attempt(request)
                if isinstance(said, _GivenUp):
                    return _failed(said.error_class, said.reason)
                reply = (
                    make_reply_for_content_filter_refusal(said)
                    if isinstance(said, Fault) and said.refused
                    else said
                )
                if isinstance(reply, Reply):
                    return await self._keep(request, repeat, id, reply, attempt, said)
            fault = reply
            again = fault.error_class in RETRIED and attempt < self._retries.attempts
            self.counts["faults"] += 1
            if not again:
                self._count_failure(request, fault)
            await self.writer.put(
                {"completion_attempt": [self._attempt_row(request, repeat, attempt, fault)]}
            )
            if not again:
                break
            wait = self._retries.seconds_before_next_attempt(attempt, fault.retry_after)
            if fault.retry_after is not None:
                self._limits[name].hold_calls_for_seconds(wait)
            await self._pause(wait)
        assert fault is not None
        why = f"{MEANING[fault.error_class]}: {fault.detail}"
        self.last_failures[name] = why
        return _failed(fault.error_class, why)

    def _count_failure(self, request: ModelRequest, fault: Fault) -> None:
        kind, error_class = _kind(request), fault.error_class
        why = f"{MEANING[error_class]}: {fault.detail.strip().rstrip('.')}"
        if error_class in BLOCKING:
            self._give_up(kind, error_class, why)
        elif error_class not in _OF_ONE_REQUEST:
            self._failing[kind] += 1
            if (many := self._failing[kind]) >= self._retries.in_a_row:
                reason = f"{many:,} calls in a row failed: {MEANING[error_class]}"
                self._give_up(kind, "unreachable", reason)
            elif (
                error_class == "forbidden"
                and many >= _FORBIDDEN_FROM_THE_START
                and kind not in self._answered
            ):
                self._give_up(kind, error_class, f"none of {many:,} calls was allowed; {why}")

    def _give_up(self, kind: tuple[str, bool], error_class: ErrorClass, reason: str) -> None:
        name, images = kind
        of_images_only = images and error_class not in _OF_THE_ACCOUNT
        kinds = [kind] if of_images_only else [(name, True), (name, False)]
        for one in kinds:
            self._blocked.setdefault(one, _GivenUp(error_class, reason))
        if all((one, False) in self._blocked for one in self._clients):
            self.start_no_more_calls("no model answers")

    async def _attempt(self, request: ModelRequest) -> Reply | Fault | _GivenUp:
        """One call once it is its turn, unless the model has been given up. The first to a model is
        made alone, so that what it does not take is known before the others are made.
        """
        kind = _kind(request)
        there = self._first_calls.get(kind)
        if there is not None:
            await there.wait()
            return await self._call(request)
        answered = self._first_calls[kind] = asyncio.Event()
        try:
            said = await self._call(request)
            if isinstance(said, Fault) and may_fault_come_from_setting(said):
                cause = await find_refused_setting(self._probe, request)
                if cause is not None:
                    self._give_up(
                        kind, "bad_request", cause.cause_and_remedy_in_words(request.name)
                    )
            elif isinstance(said, Reply) and not kind[1] and _is_price_missing(request.settings):
                self._lookups.append(asyncio.create_task(self._look_up(request)))
            return said
        finally:
            answered.set()

    async def _look_up(self, request: ModelRequest) -> None:
        """What the endpoint itself says of a model without prices, to be told at the end."""
        # Once in this process: each turn of a visit that somebody plays is a batch of its own.
        place = request.settings.base_url, request.settings.model
        with _registry:
            if place in _looked_up:
                return
            _looked_up.add(place)
        listed = read_listing_of_model(
            await self._clients[request.name].listing(), request.settings.model
        )
        if listed.input_price is not None and listed.output_price is not None:
            self.counts[
                f"{PRICED}{request.name}: input_price = {listed.input_price:g},"
                f" output_price = {listed.output_price:g}"
            ] = 1
        if listed.context and not request.settings.context:
            self.counts[f"{TAKES}{request.name}: context = {listed.context}"] = 1

    async def _probe(self, request: ModelRequest) -> Reply | Fault:
        """A short question about what the endpoint takes; it is paid for and not kept."""
        said = await self._clients[request.name].send(request)
        _tell(request.name, said)
        if isinstance(said, Reply):
            self.budget.spent += (
                price_of_tokens(request.settings, said.input_tokens, said.output_tokens) or 0.0
            )
        return said

    async def _call(self, request: ModelRequest) -> Reply | Fault | _GivenUp:
        name, limit = request.name, self._limits[request.name]
        tokens = estimate_request_tokens(request)
        async with self._slots[name]:
            expected = await self._afford(request)
            try:
                wait = limit.reserve_call_and_return_wait(tokens)
                while wait > 0:
                    await self._pause(wait)
                    wait = limit.seconds_until_calls_may_start()
                if self.stopping.is_set():
                    raise Stopped
                if given_up := self._blocked.get(_kind(request)):
                    return given_up
                said = await self._clients[name].send(request)
                _tell(name, said)
                if isinstance(said, Reply):
                    self._answered.add(_kind(request))
                    limit.correct_reserved_tokens(said.input_tokens + said.output_tokens - tokens)
                    cost = price_of_tokens(request.settings, said.input_tokens, said.output_tokens)
                    self.budget.count_paid_call(name, said.output_tokens, cost)
                elif said.cost is not None:
                    self.budget.spent += said.cost
            finally:
                self.budget.open -= expected
                self._returned.set()
        return said

    async def _afford(self, request: ModelRequest) -> float:
        """Reserve what a call may cost; waits for open calls that may leave enough under the
        cap.
        """
        while True:
            if self.stopping.is_set():
                raise Stopped
            expected = self.budget.largest_cost_of_next_call(request)
            if self.budget.does_call_fit_under_cap(expected):
                self.budget.open += expected
                return expected
            if self.budget.open <= 1e-12:
                self.start_no_more_calls(
                    f"the spending cap of {format_money(self.budget.cap or 0.0)} was reached"
                )
                raise Stopped
            self._returned.clear()
            await self._returned.wait()

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.stopping.wait()
        if self.stopping.is_set():
            raise Stopped

    async def _keep(
        self,
        request: ModelRequest,
        repeat: int,
        id: str,
        reply: Reply,
        attempt: int,
        said: Reply | Fault,
    ) -> Completion:
        cost = price_of_tokens(request.settings, reply.input_tokens, reply.output_tokens)
        row = make_completion_row(
            request, repeat, reply, run=self.run, cost=cost, attempts=attempt, route="call"
        )
        rows: dict[str, list[Row]] = {"completion": [row]}
        if isinstance(said, Fault):
            rows["completion_attempt"] = [self._attempt_row(request, repeat, attempt, said)]
        await self.writer.put(rows)
        self._known.add(id)
        self._failing[_kind(request)] = 0
        prometheus_metrics.count_tokens_and_cost(
            request.name, tokens_in=reply.input_tokens, tokens_out=reply.output_tokens, cost=cost
        )
        self.counts["calls"] += 1
        self.counts["input_tokens"] += reply.input_tokens
        self.counts["output_tokens"] += reply.output_tokens
        self.counts["estimated"] += reply.tokens_estimated
        self.counts["unpriced"] += cost is None
        if interpret_finish_reason(reply.finish_reason) == "unknown":
            self.counts[ENDED + reply.finish_reason[:40]] += 1
        self._note_whether_reason_is_missing(request.name, reply)
        self.counts["tool_calls"] += (
            reply.outcome == "empty" and reply.finish_reason == ONLY_A_TOOL_CALL
        )
        self.counts["cut_in_thought"] += reply.outcome == "truncated" and not reply.text.strip()
        self.counts["prompt_cut"] += was_prompt_cut(request, reply)
        return replace(Completion.completion_from_row(row), paid=True)

    def _note_whether_reason_is_missing(self, model: str, reply: Reply) -> None:
        """Count a reply without a ``finish_reason`` if other replies of its model have one."""
        self._without_reason[model] += not reply.finish_reason
        if reply.finish_reason:
            self._gives_reasons.add(model)
        if model in self._gives_reasons and self._without_reason[model]:
            self.counts["no_reason"] += self._without_reason.pop(model)

    def _attempt_row(self, request: ModelRequest, repeat: int, attempt: int, fault: Fault) -> Row:
        return make_failed_attempt_row(request, repeat, fault, run=self.run, attempt=attempt)


def _tell(name: str, said: Reply | Fault) -> None:
    outcome = said.outcome if isinstance(said, Reply) else said.error_class
    prometheus_metrics.count_model_call(name, outcome, said.seconds or 0.0)
    level = logging.DEBUG if isinstance(said, Reply) else logging.INFO
    logs.log_event("model.call", level=level, model=name, outcome=outcome, seconds=said.seconds)


def make_failed_attempt_row(
    request: ModelRequest, repeat: int, fault: Fault, *, run: str, attempt: int
) -> Row:
    """An attempt without an answer, as a row to append."""
    return {
        "id": new_id(),
        "request": request.digest,
        "repeat": repeat,
        "run": run,
        "name": request.name,
        "attempt": attempt,
        **{one.name: getattr(fault, one.name) for one in fields(fault) if one.name != "refused"},
        "error_class": "refused" if fault.refused else fault.error_class,
    }


def make_completion_row(
    request: ModelRequest,
    repeat: int,
    reply: Reply,
    *,
    run: str,
    cost: float | None,
    attempts: int,
    route: str,
) -> Row:
    """A completion as a row to append; the same request and repeat always get the same id."""
    return {
        "id": request.completion_id(repeat),
        "request": request.digest,
        "repeat": repeat,
        "run": run,
        "name": request.name,
        "model": request.settings.model,
        "base_url": request.settings.base_url,
        "messages": request.messages_json,
        "parameters": request.parameters_json,
        **asdict(reply),
        "cost": cost,
        "attempts": attempts,
        "route": route,
    }


def _failed(error_class: ErrorClass, error: str) -> Completion:
    return Completion("", "error", error_class=error_class, error=error)
