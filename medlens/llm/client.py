"""One attempt to ask one model, through the ``openai`` package; no retries, nothing stored.

Outcomes of an attempt that got an answer:

* ``ok``: a complete answer. * ``truncated``: cut off by the token limit (``finish_reason`` length).
Paid for and kept, but not counted as an answer. * ``refused``: the model declined, or a content
filter stepped in. This is the model's behaviour for this request, so it is kept and not asked
again. * ``empty``: no text.

Everything else is a ``Fault``.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass  # noqa: TID251  # they open nothing

from medlens.config.settings import Model
from medlens.errors import InvalidInput
from medlens.llm.cost import request_tokens, text_tokens
from medlens.llm.faults import Fault, detail_of, fault_of_status, scrub
from medlens.llm.request import Request

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Kind = Literal["ok", "truncated", "refused", "empty"]
_NO_KEY = "no-key"
_MOST = 2**31


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


def key_of(name: str, model: Model, environ: Mapping[str, str] = os.environ) -> str:
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


class Client:
    """The connection to one model; belongs to the event loop in which it is first used."""

    def __init__(self, name: str, model: Model, key: str) -> None:
        self.name = name
        self.model = model
        self._key = key
        self._openai = _connect(model, key)

    async def close(self) -> None:
        """Close the connections."""
        await self._openai.close()

    async def send(self, request: Request) -> Reply | Fault:
        """One attempt, within the model's time-out."""
        import httpx2
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        begun = time.perf_counter()
        try:
            async with asyncio.timeout(self.model.timeout):
                raw = await self._openai.post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    body={
                        **request.parameters,
                        "model": self.model.model,
                        "messages": list(request.messages),
                    },
                )
        except (TimeoutError, APITimeoutError):
            taken = time.perf_counter() - begun
            return Fault("timeout", f"No answer within {self.model.timeout:g} s.", taken)
        except APIStatusError as error:
            taken = time.perf_counter() - begun
            return fault_of_status(
                error.status_code, error.body, error.response.headers, seconds=taken, key=self._key
            )
        except APIConnectionError as error:
            taken = time.perf_counter() - begun
            cause = error.__cause__
            return Fault(
                "connection", detail_of(f"{type(cause).__name__}: {cause}", self._key), taken
            )
        taken = time.perf_counter() - begun
        try:
            return read_reply(json.loads(raw.content), request, key=self._key, seconds=taken)
        except (ValueError, RecursionError) as error:
            return Fault("bad_response", detail_of(str(error), self._key), taken, status=200)

    @property
    def openai(self) -> AsyncOpenAI:
        """The package's own client, for files and batch jobs."""
        return self._openai


def _connect(model: Model, key: str) -> AsyncOpenAI:
    # Importing it takes a second, which only a run should pay for.
    from openai import AsyncOpenAI, Omit

    from medlens.llm.lanes import direct_client

    # The package would otherwise read these from variables meant for OpenAI's own endpoint.
    headers: dict[str, str | Omit] = {
        "OpenAI-Organization": Omit(),
        "OpenAI-Project": Omit(),
        "Authorization": f"Bearer {key or _NO_KEY}",
    }
    return AsyncOpenAI(
        api_key=key or _NO_KEY,
        base_url=model.base_url,
        timeout=model.timeout,
        max_retries=0,
        default_headers=cast(Mapping[str, str], headers),
        # Only the package's own transport finds a proxy named in the environment.
        http_client=None if _behind_proxy(model.base_url) else direct_client(model),
    )


def _behind_proxy(url: str) -> bool:
    parts = urlsplit(url)
    proxies = getproxies()
    named = parts.scheme in proxies or "all" in proxies
    return named and not proxy_bypass(parts.hostname or "")


def read_reply(payload: Any, request: Request, *, key: str, seconds: float | None) -> Reply:
    """A chat completion as the API sends it; tolerates what compatible servers leave out.

    Raises:
        ValueError: it is not a chat completion.
    """
    if not isinstance(payload, dict):
        raise ValueError("the body is not a JSON object")
    choices = payload.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        said = payload.get("error")
        raise ValueError(f"the body has no choices ({said})" if said else "the body has no choices")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise ValueError("the first choice has no message")
    text = scrub(_text_of(message.get("content")), key)
    reason = str(choices[0].get("finish_reason") or "")
    declined = message.get("refusal")
    if declined and not text.strip():
        text = scrub(str(declined), key)
    into, out, estimated = _usage(payload.get("usage"), request, text)
    return Reply(
        outcome=_outcome(text, reason, refused=bool(declined)),
        text=text,
        finish_reason=reason,
        served_model=scrub(str(payload.get("model") or ""), key),
        fingerprint=scrub(str(payload.get("system_fingerprint") or ""), key),
        response_id=scrub(str(payload.get("id") or ""), key),
        input_tokens=into,
        output_tokens=out,
        tokens_estimated=estimated,
        seconds=seconds,
    )


def refusal(fault: Fault) -> Reply:
    """A content filter's refusal, as an answer that cost nothing."""
    return Reply("refused", fault.detail, "http_400", "", "", "", 0, 0, False, fault.seconds)


def _outcome(text: str, reason: str, *, refused: bool) -> Kind:
    if refused or reason == "content_filter":
        return "refused"
    if reason == "length":
        return "truncated"
    return "ok" if text.strip() else "empty"


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _usage(usage: Any, request: Request, text: str) -> tuple[int, int, bool]:
    if isinstance(usage, dict):
        into, out = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if (
            isinstance(into, int)
            and isinstance(out, int)
            and 0 <= min(into, out) <= max(into, out) < _MOST
        ):
            return into, out, False
    return request_tokens(request), text_tokens(len(text)), True
