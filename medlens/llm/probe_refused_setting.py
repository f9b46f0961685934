"""Why an endpoint refuses every request of a run, and which setting helps.

The first request of a run to each model is made alone. If the endpoint refuses it, a question of a
few words is put in the same way (roles, parameters, form of the answer, image); if that is refused
as well, it is put again with one thing less each time. What is left out when it is answered is what
the endpoint does not take.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from medlens.llm.client import Reply
from medlens.llm.endpoint_faults import Fault
from medlens.llm.model_request_messages_and_hash import (
    Message,
    ModelRequest,
    make_user_message,
    prepare_request,
)

Send = Callable[[ModelRequest], Awaitable[Reply | Fault]]

_OF_A_CAPABILITY = re.compile(r"support|image|vision|modalit|parameter|format", re.IGNORECASE)
_QUESTION = 'Answer with the JSON object {"answer": "yes"} and nothing else.'
_MOST_PARAMETERS = 6


def may_fault_come_from_setting(fault: Fault) -> bool:
    """Whether a fault may come from how the endpoint was asked, rather than from what. A 404 is
    mostly a wrong name; routers also answer so where no model "supports" what was asked.
    """
    if fault.error_class == "not_found":
        return bool(_OF_A_CAPABILITY.search(fault.detail))
    return fault.error_class == "bad_request" and not fault.refused


@dataclass(frozen=True)
class RefusalCause:
    """What an endpoint does not take, in ``words``, and what to set under ``[models.NAME]``."""

    words: str
    setting: str

    def cause_and_remedy_in_words(self, name: str) -> str:
        """The cause and the remedy, for the person who started the run."""
        return f"{self.words}; set {self.setting} under [models.{name}] in medlens.toml"


@dataclass(frozen=True)
class _Change:
    cause: RefusalCause
    apply: Callable[[_Probe], _Probe]


@dataclass(frozen=True)
class _Probe:
    messages: tuple[Message, ...]
    parameters: Mapping[str, Any]

    def without(self, *names: str, **instead: Any) -> _Probe:
        left = {key: self.parameters[key] for key in self.parameters if key not in names}
        return _Probe(self.messages, left | instead)


async def find_refused_setting(send: Send, refused: ModelRequest) -> RefusalCause | None:
    """What an endpoint does not take of a request that it refused, by asking it up to a dozen
    questions of a few words; None if a short question is answered, so that the fault lies in that
    one request, or if even the plainest one is not.
    """

    async def answers(probe: _Probe) -> bool:
        request = prepare_request(
            refused.name, refused.settings, probe.messages, parameters=probe.parameters
        )
        return isinstance(await send(request), Reply)

    whole = _probe_of(refused)
    if await answers(whole):
        return None
    barest, causes = whole, list[RefusalCause]()
    for change in _changes(whole):
        if await answers(change.apply(whole)):
            return change.cause
        barest = change.apply(barest)
        causes.append(change.cause)
    if not causes or not await answers(barest):
        return None
    return RefusalCause(
        "; ".join(one.words for one in causes), " and ".join(one.setting for one in causes)
    )


def _probe_of(refused: ModelRequest) -> _Probe:
    """The request in short: each role once, in order, with the first image."""
    short: list[Message] = []
    images = [
        part
        for message in refused.messages
        if not isinstance(message["content"], str)
        for part in message["content"]
        if part["type"] == "image_url"
    ]
    for message in refused.messages:
        role = message["role"]
        if role in ("system", "developer") and not short:
            short.append({"role": role, "content": "You answer in JSON."})
    question: Message = make_user_message(_QUESTION)
    if images:
        question = {"role": "user", "content": [{"type": "text", "text": _QUESTION}, images[0]]}
    return _Probe((*short, question), refused.parameters)


def _changes(probe: _Probe) -> Iterator[_Change]:
    parameters = probe.parameters
    form = parameters.get("response_format")
    if isinstance(form, Mapping):
        if form.get("type") == "json_schema":
            yield _Change(
                RefusalCause("it takes no schema for its answer", 'json = "object"'),
                lambda of: of.without(response_format={"type": "json_object"}),
            )
        yield _Change(
            RefusalCause("it cannot be asked for JSON by a parameter", 'json = "text"'),
            lambda of: of.without("response_format"),
        )
    if isinstance(limit := parameters.get("max_tokens"), int):
        yield _Change(
            RefusalCause(
                "it takes max_completion_tokens, not max_tokens",
                "parameters = { max_completion_tokens = 4000 } and"
                ' unsupported_parameters = ["max_tokens"]',
            ),
            lambda of: of.without("max_tokens", max_completion_tokens=limit),
        )
    others = [name for name in parameters if name not in ("response_format", "max_tokens")]
    for name in others[:_MOST_PARAMETERS]:
        yield _Change(
            RefusalCause(
                f"it refuses {name} = {parameters[name]!r}",
                f'unsupported_parameters = ["{name}"]',
            ),
            lambda of, name=name: of.without(name),  # type: ignore[misc]
        )
    if any(message["role"] in ("system", "developer") for message in probe.messages):
        yield _Change(
            RefusalCause("it takes no system message", "system_messages = false"),
            lambda of: _Probe(
                tuple(one for one in of.messages if one["role"] not in ("system", "developer")),
                of.parameters,
            ),
        )
    if any(not isinstance(message["content"], str) for message in probe.messages):
        yield _Change(
            RefusalCause("it takes no images", "images = false"),
            lambda of: _Probe(
                tuple(
                    one if isinstance(one["content"], str) else make_user_message(_QUESTION)
                    for one in of.messages
                ),
                of.parameters,
            ),
        )
