"""One attempt to ask one model, through the ``openai`` package; no retries, nothing stored.

Outcomes of an attempt that got an answer:

* ``ok``: a complete answer. * ``truncated``: cut off by the token limit (``finish_reason`` length).
Paid for and kept, but not counted as an answer. * ``refused``: the model declined, or a content
filter stepped in. This is the model's behaviour for this request, so it is kept and not asked
again. * ``empty``: no text beside what the model thought, or only a call of a tool.

Everything else is a ``Fault``, also a reply that the endpoint itself broke off, and an error that
came with status 200. What the model thought is told from its answer here, before anything else
reads the reply (``medlens.llm.split_reasoning_from_answer``).
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass  # noqa: TID251  # they open nothing

from medlens.config.settings import Model
from medlens.errors import InvalidInput
from medlens.llm.endpoint_faults import (
    Fault,
    failure_detail_without_key,
    fault_from_status,
    fault_in_ok_body,
    remove_key_from_text,
)
from medlens.llm.finish_reasons import (
    GIVEN_AS_NULL,
    ONLY_A_TOOL_CALL,
    Finish,
    interpret_finish_reason,
)
from medlens.llm.large_reply_queue import MOST_CHARACTERS, time_limit_of_call
from medlens.llm.model_request_messages_and_hash import ModelRequest
from medlens.llm.recognise_other_apis import (
    AnsweredByOtherService,
    find_service_with_own_api_at_address,
)
from medlens.llm.reply_body import parse_reply_body
from medlens.llm.split_reasoning_from_answer import split_reasoning_from_answer
from medlens.llm.token_cost_forecast_and_budget import (
    estimate_request_tokens,
    estimate_tokens_from_length,
    price_of_tokens,
)

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Kind = Literal["ok", "truncated", "refused", "empty"]
_NO_KEY = "no-key"
_MOST = 2**31
_LISTING_SECONDS = 5.0


@dataclass(frozen=True)
class Reply:
    """A model's reply. ``seconds`` from the request to the last byte; unknown in a batch job."""

    outcome: Kind
    text: str
    finish_reason: str
    served_model: str
    fingerprint: str
    response_id: str
    input_tokens: int
    output_tokens: int
    tokens_estimated: bool
    seconds: float | None
    reasoning: str = ""


class BrokenOff(ValueError):
    """A body that is no answer; ``fault`` says what it is instead."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.detail)
        self.fault = fault


def api_key_from_environment(
    name: str, model: Model, environ: Mapping[str, str] = os.environ
) -> str:
    """A model's API key, taken only from the environment.

    Raises:
        InvalidInput: the variable is not set.
    """
    if model.key_env is None:
        return ""
    key = environ.get(model.key_env, "").strip()
    if not key:
        raise InvalidInput(
            f"The key of the model {name!r} is missing.",
            hint=f"Set the environment variable {model.key_env} and start again.",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InvalidInput(
            f"The value of {model.key_env} cannot be a key: it contains a space or a character that"
            " no key has.",
            hint="Copy the key again, without quotation marks.",
        )
    return key


class ModelClient:
    """The connection to one model; belongs to the event loop in which it is first used."""

    def __init__(self, name: str, model: Model, key: str) -> None:
        self.name = name
        self.model = model
        self._key = key
        self._openai = _connect(model, key)

    async def close(self) -> None:
        """Close the connections."""
        await self._openai.close()

    async def send(self, request: ModelRequest) -> Reply | Fault:
        """One attempt, within the model's time-out."""
        import httpx2
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        from medlens.llm.answer_size_limit import AnswerTooLarge

        begun = time.perf_counter()
        try:
            async with time_limit_of_call(self.model.timeout):
                raw = await self._openai.post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    body=request.body_to_post(),
                )
        except (TimeoutError, APITimeoutError):
            taken = time.perf_counter() - begun
            return Fault("timeout", f"No answer within {self.model.timeout:g} s.", taken)
        except APIStatusError as error:
            taken = time.perf_counter() - begun
            return self.add_address_advice_to_fault(
                fault_from_status(
                    *(error.status_code, error.body, error.response.headers),
                    seconds=taken,
                    key=self._key,
                )
            )
        except AnswerTooLarge as error:
            return Fault("too_large", str(error), time.perf_counter() - begun)
        except ValueError as error:
            taken = time.perf_counter() - begun
            return Fault("bad_response", failure_detail_without_key(str(error), self._key), taken)
        except APIConnectionError as error:
            taken = time.perf_counter() - begun
            cause = error.__cause__
            return Fault(
                "connection",
                failure_detail_without_key(f"{type(cause).__name__}: {cause}", self._key),
                taken,
            )
        taken = time.perf_counter() - begun
        try:
            return parse_chat_completion(
                parse_reply_body(raw.content),
                request,
                key=self._key,
                seconds=taken,
                headers=raw.headers,
            )
        except BrokenOff as broken:
            return broken.fault
        except AnsweredByOtherService as other:
            detail = f"{other}; {other.service.base_url_advice_in_words(self.model.base_url)}"
            return Fault("other_service", detail, taken, status=200)
        except (ValueError, RecursionError) as error:
            return Fault(
                "bad_response", failure_detail_without_key(str(error), self._key), taken, status=200
            )

    def add_address_advice_to_fault(self, fault: Fault) -> Fault:
        """A fault of an address that is not there, with the right one if the service is known."""
        service = find_service_with_own_api_at_address(self.model.base_url)
        if fault.error_class != "not_found" or service is None:
            return fault
        advice = f"{service.name}: {service.base_url_advice_in_words(self.model.base_url)}"
        return replace(fault, detail=f"{fault.detail.strip().rstrip('.')}. This is {advice}")

    async def listing(self) -> Any:
        """The endpoint's list of models as JSON; None if it has none."""
        import httpx2
        from openai import OpenAIError

        from medlens.llm.answer_size_limit import AnswerTooLarge

        try:
            async with asyncio.timeout(_LISTING_SECONDS):
                raw = await self._openai.get("/models", cast_to=httpx2.Response)
            return parse_reply_body(raw.content)
        except (TimeoutError, OpenAIError, AnswerTooLarge, ValueError):
            return None

    @property
    def openai_client(self) -> AsyncOpenAI:
        """The package's own client, for files and batch jobs."""
        return self._openai


def _connect(model: Model, key: str) -> AsyncOpenAI:
    # Importing it takes a second, which only a run should pay for.
    from openai import AsyncOpenAI, Omit

    from medlens.llm.answer_size_limit import make_client_raise_on_too_large_answers
    from medlens.llm.client_with_pool_per_connection import make_client_without_proxy

    # The package would otherwise read these from variables meant for OpenAI's own endpoint.
    headers: dict[str, str | Omit] = {
        "OpenAI-Organization": Omit(),
        "OpenAI-Project": Omit(),
        "Authorization": f"Bearer {key or _NO_KEY}",
    }
    client = AsyncOpenAI(
        api_key=key or _NO_KEY,
        base_url=model.base_url,
        timeout=model.timeout,
        max_retries=0,
        default_headers=cast(Mapping[str, str], headers),
        # Only the package's own transport finds a proxy named in the environment.
        http_client=None if _behind_proxy(model.base_url) else make_client_without_proxy(model),
    )
    make_client_raise_on_too_large_answers(client._client)
    return client


def _behind_proxy(url: str) -> bool:
    parts = urlsplit(url)
    proxies = getproxies()
    named = parts.scheme in proxies or "all" in proxies
    return named and not proxy_bypass(parts.hostname or "")


def parse_chat_completion(
    payload: Any,
    request: ModelRequest,
    *,
    key: str,
    seconds: float | None,
    headers: Mapping[str, str] = MappingProxyType({}),
) -> Reply:
    """A chat completion as the API sends it; tolerates what compatible servers leave out.

    Raises:
        BrokenOff: it is an error of the endpoint, or a reply that the endpoint broke off.
        ValueError: it is not a chat completion.
    """
    if not isinstance(payload, dict):
        raise ValueError("the body is not a JSON object")
    taken = seconds or 0.0
    choices = payload.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        if error := payload.get("error") or _error_without_a_name(payload):
            raise BrokenOff(fault_in_ok_body(error, headers, seconds=taken, key=key))
        raise ValueError("the body has no choices")
    choice = _first_of(choices)
    message = choice.get("message")
    if message is None:
        # As it stands in a stream, or in the API before chats.
        message = choice.get("delta")
    if message is None and isinstance(choice.get("text"), str):
        message = {"content": choice["text"]}
    if not isinstance(message, dict):
        if error := choice.get("error") or payload.get("error"):
            raise BrokenOff(fault_in_ok_body(error, headers, seconds=taken, key=key))
        raise ValueError("the first choice has no message")
    text, apart = _text_and_reasoning(message)
    if not text.strip():
        text = _object_beside(message, request)
    answer, thought = split_reasoning_from_answer(
        remove_key_from_text(text, key), request.settings.reasoning_tags
    )
    reasoning = "\n\n".join(filter(None, (remove_key_from_text(apart, key).strip(), thought)))
    reason = str(choice.get("finish_reason") or _why_incomplete(payload))
    if not reason and "finish_reason" in choice:
        reason = GIVEN_AS_NULL
    whole = reason == GIVEN_AS_NULL or interpret_finish_reason(reason) == "complete"
    if whole and not answer.strip() and (called := _called(message)):
        # It is no answer, but what the reply is: shown with what the model thought.
        reasoning = "\n\n".join(filter(None, (reasoning, remove_key_from_text(called, key))))
        reason = ONLY_A_TOOL_CALL
    into, out, estimated = _usage(payload.get("usage"), request, answer + reasoning)
    finish = interpret_finish_reason(reason)
    if finish == "failed" or choice.get("error"):
        error = choice.get("error") or payload.get("error")
        fault = (
            fault_in_ok_body(error, headers, seconds=taken, key=key)
            if error
            else Fault("server", f"The endpoint broke off the reply ({reason}).", taken, status=200)
        )
        raise BrokenOff(replace(fault, cost=price_of_tokens(request.settings, into, out)))
    if len(answer) > MOST_CHARACTERS:
        said = (
            f"The answer has more than {MOST_CHARACTERS:,} characters, which no answer of a "
            "model has."
        )
        cost = price_of_tokens(request.settings, into, out)
        raise BrokenOff(Fault("too_large", said, taken, status=200, cost=cost))
    declined = message.get("refusal")
    if declined and not answer.strip():
        answer = remove_key_from_text(str(declined), key)
    return Reply(
        outcome=_outcome(answer, finish, refused=bool(declined)),
        text=answer,
        finish_reason=reason,
        served_model=remove_key_from_text(str(payload.get("model") or ""), key),
        fingerprint=remove_key_from_text(str(payload.get("system_fingerprint") or ""), key),
        response_id=remove_key_from_text(str(payload.get("id") or ""), key),
        input_tokens=into,
        output_tokens=out,
        tokens_estimated=estimated,
        seconds=seconds,
        reasoning=_shorten_reasoning(reasoning),
    )


def _shorten_reasoning(reasoning: str) -> str:
    """What the model thought, without its middle where it is longer than any thought: it is kept
    to be looked at.
    """
    over = len(reasoning) - MOST_CHARACTERS
    if over <= 0:
        return reasoning
    half = MOST_CHARACTERS // 2
    return (
        f"{reasoning[:half]}\n\n[{over:,} characters left out here by MedLens]\n\n"
        f"{reasoning[-half:]}"
    )


def _why_incomplete(payload: Mapping[str, Any]) -> str:
    """Why a reply is not whole where only its ``status`` says so, as in the API of responses."""
    if str(payload.get("status") or "").lower() != "incomplete":
        return ""
    details = payload.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else ""
    return str(reason or "incomplete")


def _error_without_a_name(payload: Mapping[str, Any]) -> Any:
    """An error that a server writes at the top of the body: ``detail``, ``message``, ``errors``,
    ``error_msg``, or MiniMax's ``base_resp``.
    """
    status = payload.get("base_resp")
    if isinstance(status, dict) and status.get("status_msg"):
        return {"message": status["status_msg"], "type": f"status {status.get('status_code')}"}
    if payload.get("detail") or payload.get("errors"):
        return {name: payload[name] for name in ("detail", "errors") if payload.get(name)}
    if isinstance(words := payload.get("message") or payload.get("error_msg"), str):
        kept = {name: payload.get(name) for name in ("code", "error_code", "type", "status")}
        return {"message": words} | kept
    return None


def _first_of(choices: list[Any]) -> dict[str, Any]:
    """The choice with the lowest index, wherever it stands in the list."""
    objects = [one for one in choices if isinstance(one, dict)]
    return min(objects, key=lambda one: one["index"] if isinstance(one.get("index"), int) else 0)


def make_reply_for_content_filter_refusal(fault: Fault) -> Reply:
    """A content filter's refusal, as an answer that cost nothing."""
    return Reply("refused", fault.detail, "http_400", "", "", "", 0, 0, False, fault.seconds)


def _outcome(text: str, finish: Finish, *, refused: bool) -> Kind:
    if refused or finish == "refused":
        return "refused"
    if finish == "truncated":
        return "truncated"
    return "ok" if text.strip() else "empty"


def _text_and_reasoning(message: Mapping[str, Any]) -> tuple[str, str]:
    """A message's text, and what the endpoint itself calls reasoning: a field, or parts."""
    content = message.get("content")
    if isinstance(content, dict) and not {"type", "text", "content"} & content.keys():
        content = json.dumps(content, ensure_ascii=False)
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts: list[str] = []
    thoughts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            kind = str(part.get("type") or "text")
            spoken = kind in ("text", "output_text")
            words = _words_in(part.get("text" if spoken else kind) or part.get("text"))
            (texts if spoken else thoughts).append(words)
    for name in ("reasoning_content", "reasoning"):
        if words := _words_in(message.get(name)):
            thoughts.append(words)
            break
    return "".join(texts), "\n\n".join(filter(None, thoughts))


# Tools that gateways make of a schema where the model behind them takes none.
_TOOLS_FOR_A_FORM = frozenset(
    {"json_tool_call", "json_output", "structured_output", "structuredoutput", "final_answer"}
)


def _object_beside(message: Mapping[str, Any], request: ModelRequest) -> str:
    """The object that a message without a text holds elsewhere, as JSON: under ``parsed``, or as
    what it hands to the tool that a gateway made of the form asked for. Empty without one.
    """
    form = request.parameters.get("response_format")
    if not isinstance(form, Mapping):
        return ""
    if isinstance(message.get("parsed"), dict):
        return json.dumps(message["parsed"], ensure_ascii=False)
    calls = _tool_calls(message)
    if len(calls) != 1:
        return ""
    schema = form.get("json_schema")
    asked = str(schema.get("name") or "") if isinstance(schema, Mapping) else ""
    name, given = str(calls[0].get("name") or ""), calls[0].get("arguments")
    if name.lower() not in _TOOLS_FOR_A_FORM | {asked.lower()}:
        return ""
    return json.dumps(given, ensure_ascii=False) if isinstance(given, dict) else str(given or "")


def _tool_calls(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = message.get("tool_calls")
    calls = calls if isinstance(calls, list) else []
    if isinstance(message.get("function_call"), dict):
        calls = [*calls, {"function": message["function_call"]}]
    called = (
        call.get("function") or call.get("custom") if isinstance(call, dict) else None
        for call in calls
    )
    return [one for one in called if isinstance(one, dict)]


def _called(message: Mapping[str, Any]) -> str:
    """The tools that a message calls, in words; empty if it calls none."""
    named = []
    for called in _tool_calls(message):
        given = called.get("arguments") or called.get("input") or ""
        given = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        named.append(f"{called.get('name') or 'a tool'}({given})")
    return f"It called a tool instead of answering: {'; '.join(named)}" if named else ""


def _words_in(value: Any) -> str:
    """The text of a value that may be a text, or parts with a text each."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return _words_in(value.get("text") or value.get("content") or value.get("value"))
    if isinstance(value, list):
        return "".join(map(_words_in, value))
    return ""


def _usage(usage: Any, request: ModelRequest, text: str) -> tuple[int, int, bool]:
    """Tokens in and out, and whether they are estimated; what was thought counts as out.

    Some endpoints leave reasoning out of ``completion_tokens``: the total less the prompt, or the
    reasoning beside them, then says more. Some give one of the counts and the total only, or the
    names ``input_tokens`` and ``output_tokens``.
    """
    counts = usage if isinstance(usage, dict) else {}
    into = _count_under(counts, "prompt_tokens", "input_tokens")
    out = _count_under(counts, "completion_tokens", "output_tokens")
    total = _tokens(counts.get("total_tokens"))
    estimated = into is None or (out is None and (total is None or total <= into))
    if into is None:
        into = estimate_request_tokens(request) if out is None else (total or 0) - out
        if into <= 0:
            into = estimate_request_tokens(request)
        if total is not None and out is None:
            into = min(into, total)
    if out is None:
        out = estimate_tokens_from_length(len(text))
    thought = max(
        _tokens(details.get("reasoning_tokens")) or 0
        for name in ("completion_tokens_details", "output_tokens_details", "")
        for details in [counts.get(name) if name else counts]
        if isinstance(details, dict)
    )
    beside = out + thought if thought > out else out
    return into, min(max(out, (total or 0) - into, beside), _MOST - 1), estimated


def _count_under(counts: Mapping[str, Any], *names: str) -> int | None:
    """The count that stands under one of these names; the largest where several differ, because
    a name that an endpoint does not fill holds 0.
    """
    known = [number for name in names if (number := _tokens(counts.get(name))) is not None]
    return max(known, default=None)


def _tokens(count: Any) -> int | None:
    """A number of tokens, also as a text ("5020") or a float (5020.0); None if it is none."""
    if isinstance(count, str) and re.fullmatch(r"\s*\d{1,15}(?:\.0*)?\s*", count):
        count = float(count)
    if isinstance(count, float) and math.isfinite(count):
        count = math.ceil(count)
    known = isinstance(count, int) and not isinstance(count, bool) and 0 <= count < _MOST
    return count if known else None
