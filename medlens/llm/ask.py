"""How a job talks to models: ``await ask(name, messages)``, with or without a shape for the
answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pydantic import BaseModel

from medlens.config.settings import Model
from medlens.llm import structured
from medlens.llm.completions import Completion
from medlens.llm.request import Message, Request, prepare

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)

Outcome = Literal["ok", "truncated", "refused", "empty", "parse_failed", "error"]


@dataclass(frozen=True)
class Answer:
    """The outcome of a question.

    ``outcome``: ``ok``; ``truncated`` (cut off by the token limit), ``refused`` (by the model or a
    content filter), ``empty`` (no text); ``parse_failed`` (not in the requested shape, even after
    one repair); ``error`` (no answer: the network, the endpoint, the account), which says nothing
    about the model. ``value`` is set for ``ok`` if a shape was requested. ``completions`` are the
    ids of the stored completions behind it, the last one being the one that counts. ``cost`` is
    that of the calls made now, None if a price is unknown.
    """

    outcome: Outcome
    text: str
    value: Any
    completions: tuple[str, ...]
    served_model: str
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float | None
    repaired: bool = False
    error_class: str = ""
    error: str = ""

    @property
    def source(self) -> dict[str, str]:
        """What a job keeps of the answer it rests on."""
        return {
            "completion": self.completions[-1] if self.completions else "",
            "served_model": self.served_model,
            "error_class": self.error_class,
            "error": self.error,
        }


def without_thinking(text: str) -> str:
    """A reply without the model's thinking aloud before it."""
    return _THINKING.sub("", text).strip()


def plan_request(
    name: str,
    model: Model,
    messages: Sequence[Message],
    *,
    schema: type[BaseModel] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Request:
    """The request that ``Ask`` makes first, for estimates and batch jobs."""
    given = dict(parameters or {})
    if schema is None:
        return prepare(name, model, messages, parameters=given)
    form = structured.response_format(schema, model.json_mode)
    if form is not None:
        given["response_format"] = form
    said = structured.with_instruction(messages, schema, model.json_mode)
    return prepare(name, model, said, parameters=given)


class Answering(Protocol):
    """Where a job gets its completions: from a batch, or from stored answers only."""

    def model(self, name: str) -> Model: ...
    async def complete(self, request: Request, *, repeat: int) -> Completion: ...


class Ask:
    """A job's access to the models. Calls are made in the order in which the job awaits them.

    ``calls`` and ``cost`` count what the job asked and what that cost now; ``completions`` are the
    ids of the answers it got, in order.
    """

    def __init__(self, completions: Answering) -> None:
        self._completions = completions
        self.calls = 0
        self.cost = 0.0
        self.completions: list[str] = []

    async def __call__(
        self,
        name: str,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None = None,
        repeat: int = 0,
        parameters: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Ask the model ``name``. The same question with another ``repeat`` is asked again.

        Raises:
            Stopped: the batch is ending; let this pass through.
            InvalidInput: the model is not part of the run, or cannot be asked this.
        """
        model = self._completions.model(name)
        request = plan_request(name, model, messages, schema=schema, parameters=parameters)
        first = await self._complete(request, repeat)
        if schema is None or first.outcome not in ("ok", "empty"):
            return _answer([first])
        try:
            return _answer([first], value=structured.read_value(first.text, schema))
        except structured.Unreadable as error:
            problem = str(error)
        mended = prepare(
            name,
            model,
            structured.repair(request.messages, first.text, problem),
            # This already includes the model's own parameters and the answer's format.
            parameters=request.parameters,
        )
        second = await self._complete(mended, repeat)
        if second.outcome not in ("ok", "empty"):
            return _answer([first, second])
        try:
            return _answer([first, second], value=structured.read_value(second.text, schema))
        except structured.Unreadable as error:
            return _answer([first, second], problem=str(error))

    async def _complete(self, request: Request, repeat: int) -> Completion:
        self.calls += 1
        done = await self._completions.complete(request, repeat=repeat)
        self.cost += (done.cost or 0.0) if done.paid else 0.0
        if done.id:
            self.completions.append(done.id)
        return done


def _answer(
    done: Sequence[Completion], *, value: BaseModel | None = None, problem: str = ""
) -> Answer:
    last = done[-1]
    paid = [one for one in done if one.paid]
    costs = [one.cost for one in paid if one.cost is not None]
    times = [one.seconds for one in done if one.seconds is not None]
    outcome: Any = "parse_failed" if problem else "ok" if value is not None else last.outcome
    return Answer(
        outcome=outcome,
        text=last.text,
        value=value,
        completions=tuple(one.id for one in done if one.id),
        served_model=last.served_model,
        input_tokens=sum(one.input_tokens for one in done),
        output_tokens=sum(one.output_tokens for one in done),
        cost=sum(costs) if len(costs) == len(paid) else None,
        seconds=sum(times) if times else None,
        repaired=len(done) > 1,
        error_class=last.error_class or ("parse_failed" if problem else ""),
        error=last.error or problem,
    )
