"""What can go wrong between us and a model, by kind, with the key removed from every message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from medlens.store import clean_text, utc_now

ErrorClass = Literal[
    "connection",
    "timeout",
    "rate_limited",
    "server",
    "bad_response",
    "auth",
    "not_found",
    "no_money",
    "bad_request",
    "too_long",
    "unreachable",
    "batch",
]

RETRIED: frozenset[str] = frozenset(
    {"connection", "timeout", "rate_limited", "server", "bad_response"}
)
"""Classes that another attempt may mend."""

BLOCKING: frozenset[str] = frozenset({"auth", "not_found", "no_money"})
"""Classes that every further call of the same model would meet as well."""

MEANING: Mapping[str, str] = {
    "connection": "the connection failed or was cut",
    "timeout": "no answer in time",
    "rate_limited": "too many requests",
    "server": "the endpoint had an error of its own",
    "bad_response": "the reply was not a completion",
    "auth": "the key was refused",
    "not_found": "the endpoint does not know this model or address",
    "no_money": "the account is out of credit",
    "bad_request": "the endpoint refused the request",
    "too_long": "the request is longer than the model's context",
    "unreachable": "too many calls in a row had failed",
    "batch": "the batch job ended without an answer",
}

_LONGEST_DETAIL = 300
_SHORTEST_SECRET = 8
_LIKE_A_KEY = re.compile(r"\b(?:sk|pk|key|Bearer)[-_ ][A-Za-z0-9*._-]{8,}", re.IGNORECASE)
_TOO_LONG = ("context_length_exceeded", "maximum context length", "context window")
_REFUSED = ("content_filter", "content_policy_violation", "responsibleai")


@dataclass(frozen=True)
class Fault:
    """An attempt without an answer, and its ``seconds``; ``retry_after`` is what the server asks
    for.

    ``refused`` marks a content filter's refusal, which is the endpoint's answer and not a failure.
    """

    error_class: ErrorClass
    detail: str
    seconds: float
    status: int | None = None
    retry_after: float | None = None
    refused: bool = False


def scrub(text: str, key: str) -> str:
    """``text`` without the key. Keys of a few letters are no secret and stay."""
    if len(key) >= _SHORTEST_SECRET and key in text:
        text = text.replace(key, "[key]")
    return clean_text(text)


def detail_of(text: str, key: str) -> str:
    """What an endpoint said about a failure, shortened and without anything like a key."""
    words = " ".join(_LIKE_A_KEY.sub("[key]", scrub(text, key)).split())
    return words if len(words) <= _LONGEST_DETAIL else words[: _LONGEST_DETAIL - 1] + "…"


def fault_of_status(
    status: int, body: Any, headers: Mapping[str, str], *, seconds: float, key: str
) -> Fault:
    """The fault that an HTTP status other than 200 stands for."""
    error = body.get("error", body) if isinstance(body, dict) else body
    said = error if isinstance(error, dict) else {"message": str(error or "")}
    code = f"{said.get('code') or ''} {said.get('type') or ''}"
    message = str(said.get("message") or "")
    words = f"{code} {message}".lower()
    return Fault(
        _class_of(status, words),
        detail_of(f"HTTP {status} {code} {message}", key),
        seconds,
        status=status,
        retry_after=retry_after(headers),
        refused=status == 400 and any(word in words for word in _REFUSED),
    )


def _class_of(status: int, words: str) -> ErrorClass:
    if status == 402 or (status == 429 and ("insufficient_quota" in words or "billing" in words)):
        return "no_money"
    if status == 401:
        return "auth"
    if status == 404:
        return "not_found"
    if status == 408:
        return "timeout"
    if status == 429:
        return "rate_limited"
    if status >= 500 or status in (409, 425):
        return "server"
    if status == 413 or any(word in words for word in _TOO_LONG):
        return "too_long"
    return "bad_request"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks us to wait: ``retry-after-ms``, or seconds or a date (RFC 9110)."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    said = headers.get("retry-after")
    seconds = _number(said)
    if seconds is not None or not said:
        return seconds
    try:
        moment = parsedate_to_datetime(said)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        return None
    return max(0.0, (moment - utc_now()).total_seconds())


def _number(text: str | None) -> float | None:
    found = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,6})?)\s*", text or "")
    return float(found[1]) if found else None
