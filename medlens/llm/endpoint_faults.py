"""What can go wrong between us and a model, by kind, with the key removed from every message."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from medlens.deferred_regex import compile_later
from medlens.store import replace_unstorable_characters, utc_now

ErrorClass = Literal[
    "connection",
    "timeout",
    "rate_limited",
    "server",
    "bad_response",
    "auth",
    "not_found",
    "no_money",
    "other_service",
    "forbidden",
    "bad_request",
    "too_long",
    "too_large",
    "unreachable",
    "batch",
]

RETRIED: frozenset[str] = frozenset(
    {"connection", "timeout", "rate_limited", "server", "bad_response"}
)
"""Classes that another attempt may mend."""

BLOCKING: frozenset[str] = frozenset({"auth", "not_found", "no_money", "other_service"})
"""Classes that every further call of the same model would meet as well."""

MEANING: Mapping[str, str] = {
    "connection": "the connection failed or was cut",
    "timeout": "no answer in time",
    "rate_limited": "too many requests",
    "server": "the endpoint had an error of its own",
    "bad_response": "the reply was not a completion",
    "auth": "the key or the account was refused",
    "not_found": "the endpoint does not know this model or address",
    "no_money": "the account is out of credit",
    "other_service": "an API other than the one asked for answered",
    "forbidden": "the endpoint forbade the request without saying why",
    "bad_request": "the endpoint refused the request",
    "too_long": "the request is longer than the model's context",
    "too_large": "the reply was larger than any answer",
    "unreachable": "too many calls in a row had failed",
    "batch": "the batch job ended without an answer",
}

_LONGEST_DETAIL = 300
_SHORTEST_SECRET = 8
_LIKE_A_KEY = compile_later(r"\b(?:sk|pk|key|Bearer)[-_ ][A-Za-z0-9*._-]{8,}", re.IGNORECASE)
_TOO_LONG = (
    *("context_length_exceeded", "maximum context length", "context window", "context size"),
    *("prompt is too long", "input is too long", "too many tokens", "reduce the length"),
    *("string_above_max_length", "exceeds the available context", "prompt_too_long"),
    *("longer than the model", "context length of only", "range of input length"),
    *("input token count", "tokens + `max_new_tokens`", "exceeds the maximum number of tokens"),
    *("maximum prompt length", "request too large for model"),
)
_REFUSED = (
    *("content_filter", "content_policy", "content policy", "responsibleai", "invalid_prompt"),
    *("data_inspection_failed", "datainspectionfailed", "data inspection", "inappropriate content"),
    *("was flagged", "been flagged", "flagged for", "flagged by", "moderation", "safety_error"),
    *("usage policies", "prohibited_content", "safety system", "sensitive content"),
    *(
        "content management policy",
        "content filter",
        "filtering policy",
        "content exists risk",
        "usage policy",
        "guardrail",
        "filtered due to",
        "flagged_input",
        "prompt blocked",
        "response blocked",
        "harmful content",
        "unsafe content",
        "blocked by our safety",
        "敏感内容",
        "不安全",
    ),
)
_NO_MONEY = (
    *("insufficient_quota", "insufficient_credits", "insufficient credits", "billing"),
    *("not enough credit", "no credits", "out of credits", "balance is too low"),
    *("insufficient balance", "insufficient_balance", "credit balance", "out of credit"),
    *("exceeded your current quota", "payment required", "arrearage", "payment_required"),
    *("available credits", "spending limit", "past invoices", "purchase credits"),
    *("余额不足", "欠费", "请充值", "insufficient funds", "top up your"),
    *("insufficient_user_quota", "insufficient user quota", "额度不足", "额度已用尽", "额度已用完"),
)
_NO_CREDIT = compile_later(
    r"\b(?:balance|credits?|funds)\b[^.]{0,40}\b(?:insufficient|exhausted|too low|used up|depleted"
    r"|overdue|negative|run out|ran out)\b"
    r"|\b(?:insufficient|not enough|no more|out of|overdue|add more|unpaid|negative)\b[^.]{0,30}"
    r"\b(?:balance|credits?|funds|invoices?|payments?)\b|accountoverdue"
    r"|\b(?:add|buy|purchase|recharge|reload)\b[^.]{0,20}\b(?:credits?|funds|balance)\b"
    r"|\b(?:does ?n['’o]t|do not|don['’]t) have (?:any |enough )?(?:credits?|funds|balance)\b"
    r"|\bwallet is empty\b|\btotal limit\b"
    r"|\bbudget\b[^.]{0,20}\bexceeded|\bexceeded\b[^.]{0,20}\bbudget|\bpayment method\b"
)
_A_RATE = compile_later(
    r"rate.?limit|too many requests|throttl"
    r"|(?:requests|tokens|calls)[ /]*(?:per|a|/) *(?:min|sec|h|day)"
)
_A_PASSING_QUOTA = compile_later(
    r"throttling|too many requests|resource_exhausted|rate_?limit_?exceeded"
    r"|quota[^{}]{0,200}\bper[ _-]?(?:second|minute|hour|day)"
    r"|\bper[ _-]?(?:second|minute|hour|day)\b[^{}]{0,200}\bquota"
)
"""A limit that some vendors send with status 400 or 403 instead of 429."""
_ADDRESS = compile_later(r"https?://\S+")
_LONGER_THAN = compile_later(
    r"\b(?:input|prompt|messages?|request|tokens?|context)\b[^.]{0,80}"
    r"(?:\bexceed\w*|\blonger than|\blarger than|\btoo (?:long|large|many)|\bgreater than|>"
    r"|\bover the)[^.]{0,60}(?:\b(?:context|tokens?|length|window)\b|\d{4,})"
)
_A_PARAMETER = compile_later(
    r"max_(?:completion_|output_|new_)?tokens\W{0,2}(?: parameter| value)? ?"
    r"(?:is|must|should|cannot|exceeds|has)\b"
)
"""What limits the answer's length is a setting, not a prompt that is too long."""
_OF_A_FORM = compile_later(r"grammar|json.?schema|response_format|guided_json|structured output")
_KEY_REFUSED = (
    *("api key not valid", "invalid api key", "invalid_api_key", "incorrect api key"),
    *("api_key_invalid", "expired api key", "api key expired", "invalid authentication"),
)
_A_PAGE = compile_later(r"<html|<!doctype")
_NOT_FOR_YOU = compile_later(
    r"unsupported_country|authori[sz]|authenticat|access|permission|expired|api.?key|credential"
    r"|account|subscription|\b(?:country|region|territory|location)\b"
)
_ACCOUNT_SHUT = compile_later(
    r"\b(?:accounts?|organi[sz]ations?|projects?|workspaces?|teams?|tenants?|keys?|subscriptions?"
    r"|plans?|licen[cs]es?|tokens?|memberships?)\b[^.]{0,60}\b(?:deactivat\w+|disabled|blocked|suspend\w+"
    r"|bann\w+|terminat\w+|lock\w+|revoked|verified|verify|verification|leaked|compromised"
    r"|restricted|inactive|not active|invalid|frozen|lacks?|closed|required|insufficient)\b"
    r"|\b(?:accept|agree to|agreed to|sign)\b[^.]{0,40}\b(?:terms|agreement|conditions|licen[cs]e"
    r"|eula)\b"
    r"|\bvirtual network\b|\bfirewall rules\b|\b(?:missing|insufficient|required) scopes?\b"
    r"|\brequests from (?:this )?referr?er\b"
    r"|\b(?:ip|network|origin|referr?er|domain)\b[^.]{0,40}\b(?:allow\w*|white|permitted|list"
    r"|restrict\w*)"
    r"|\b(?:plan|tier|upgrade|subscribe|pro|enterprise|paid|gated|early access|waitlist"
    r"|entitle\w*|whitelist\w*|allowlist\w*|quota project)\b"
    r"|(?:is|was|been|are) (?:disabled|not enabled|deactivated|suspended|restricted|not allowed)\b"
    r"|\bnot (?:been )?(?:enabled|activated|granted|entitled|supported in|available (?:in|to|for))"
    r"|\b(?:model|deployment)\b[^.]{0,60}\b(?:not (?:allowed|available|permitted|enabled"
    r"|accessible)|restricted|unavailable)\b"
    r"|无权|無權|没有权限|未开通|未授权|地区|实名|欠费"
)
"""What a 403 says of the account, whatever else it says."""
_FOR_THIS_REQUEST = compile_later(
    r"<html|<!doctype|block|polic|violat|safety|guardrail|firewall|\bwaf\b"
)
"""What a 403 says that every call of this account would meet, and what only this request."""
_COME_BACK = compile_later(
    r"(?:retry|try again|wait)\D{0,20}?(?P<time>\d[\d.]*\s*(?:ms|h|m|s)[a-z]*(?:\s*\d[\d.]*\s*"
    r"(?:ms|m|s)[a-z]*){0,2})",
    re.IGNORECASE,
)
_PART = compile_later(r"(\d+(?:\.\d+)?)\s*(ms|milli|h|m|s)", re.IGNORECASE)
_SECONDS = {"ms": 0.001, "milli": 0.001, "h": 3600.0, "m": 60.0, "s": 1.0}


@dataclass(frozen=True)
class Fault:
    """An attempt without an answer, and its ``seconds``; ``retry_after`` is what the server asks
    for.

    ``refused`` marks a content filter's refusal, which is the endpoint's answer and not a failure.
    ``cost`` is what it cost all the same, None if nothing or unknown.
    """

    error_class: ErrorClass
    detail: str
    seconds: float
    status: int | None = None
    retry_after: float | None = None
    refused: bool = False
    cost: float | None = None


def remove_key_from_text(text: str, key: str) -> str:
    """``text`` without the key. Keys of a few letters are no secret and stay."""
    if len(key) >= _SHORTEST_SECRET and key in text:
        text = text.replace(key, "[key]")
    return replace_unstorable_characters(text)


def failure_detail_without_key(text: str, key: str) -> str:
    """What an endpoint said about a failure, shortened and without anything like a key."""
    words = " ".join(_LIKE_A_KEY.sub("[key]", remove_key_from_text(text, key)).split())
    return words if len(words) <= _LONGEST_DETAIL else words[: _LONGEST_DETAIL - 1] + "…"


def fault_from_status(
    status: int, body: Any, headers: Mapping[str, str], *, seconds: float, key: str
) -> Fault:
    """The fault that an HTTP status other than 200 stands for."""
    said = _error_in(body)
    code = f"{said.get('code') or ''} {said.get('type') or ''}"
    state = said.get("status") if isinstance(said.get("status"), str) else ""
    message = str(said.get("message") or "")
    words = f"{code} {state} {message} {_inner_words(said)}".lower()
    wait = retry_after_seconds(headers)
    wait = _wait_in(words) if wait is None and status in (403, 429, 503, 529) else wait
    refused = status in (400, 403, 422, 451) and _holds_one_of(_REFUSED, words)
    return Fault(
        "bad_request" if refused else _class_of(status, words, comes_back=wait is not None),
        failure_detail_without_key(_in_words(status, said, message), key),
        seconds,
        status=status,
        retry_after=wait,
        refused=refused,
    )


def _in_words(status: int, error: Mapping[str, Any], message: str) -> str:
    """A fault's status, code and type, each once, and its message."""
    named = (f"{error.get(name) or ''}" for name in ("code", "type"))
    signs = dict.fromkeys((f"{status}", *filter(None, named)))
    return f"HTTP {' '.join(signs)} {message}"


def fault_in_ok_body(error: Any, headers: Mapping[str, str], *, seconds: float, key: str) -> Fault:
    """The fault that an ``error`` in a body of status 200 stands for, by its own code or words."""
    said = _error_in(error)
    words = f"{said.get('code')} {said.get('type')} {said.get('message')} {_inner_words(said)}"
    status = _status_in(said, words.lower())
    return fault_from_status(status, {"error": said}, headers, seconds=seconds, key=key)


def _error_in(body: Any) -> dict[str, Any]:
    """The error that a body holds, with its words under ``message``, in whatever form it comes: a
    text, under ``error``, in a list of one, as ``detail`` or ``errors`` in pieces.
    """
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    error = (body.get("error") or body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return {"message": _in_one_line(error)}
    words = (error.get(name) for name in ("message", "detail", "errors", "error_msg", "msg"))
    code = error.get("code") or error.get("error_code")
    return {**error, "message": _in_one_line(next(filter(None, words), "")), "code": code}


def _in_one_line(pieces: Any) -> str:
    """The words of an error, or of its pieces: ``body.temperature: Extra inputs are not …``."""
    if isinstance(pieces, list):
        return "; ".join(map(_in_one_line, pieces[:10]))
    if isinstance(pieces, dict):
        words = next(
            (pieces[name] for name in ("message", "msg", "detail") if pieces.get(name)), ""
        )
        place = pieces.get("loc")
        where = ".".join(map(str, place)) + ": " if isinstance(place, list) else ""
        return where + (_in_one_line(words) if words else str(pieces))
    return str(pieces or "")


def _holds_one_of(phrases: Sequence[str], words: str) -> bool:
    return any(phrase in words for phrase in phrases)


def _inner_words(said: Mapping[str, Any]) -> str:
    """What an error holds of the error behind it: routers pass on their provider's words."""
    inner = said.get("metadata") or said.get("innererror") or said.get("param") or ""
    return str(inner)[:2000]


def _status_in(said: Mapping[str, Any], words: str) -> int:
    for name in ("code", "status", "status_code"):
        number = _number(str(said.get(name)))
        if number is not None and 400 <= number < 600:
            return int(number)
    if _holds_one_of(_REFUSED, words) or _is_too_long(words):
        return 400
    if _A_RATE.search(words) or "server is busy" in words:
        return 429
    if _holds_one_of(_NO_MONEY, words) or _NO_CREDIT.search(words):
        return 402
    if _holds_one_of(_KEY_REFUSED, words) or "authentication" in words:
        return 401
    return 500


def _wait_in(words: str) -> float | None:
    """The seconds that a message asks to wait: "try again in 1m30s", "retry in 36.9s"."""
    found = _COME_BACK.search(words)
    if found is None:
        return None
    return sum(
        float(amount) * _SECONDS[unit.lower()] for amount, unit in _PART.findall(found["time"])
    )


def _class_of(status: int, words: str, *, comes_back: bool) -> ErrorClass:
    passes = _A_PASSING_QUOTA.search(_ADDRESS.sub("", words)) is not None
    passes = passes and not _A_PAGE.search(words)
    if status == 429 or (status in (400, 403) and passes):
        # "Check your plan and billing" stands in many a limit that is over in a minute.
        words = words.replace("billing", "")
    broke = _holds_one_of(_NO_MONEY, words) or _NO_CREDIT.search(words) is not None
    if status == 429:
        limited = comes_back or _A_RATE.search(_ADDRESS.sub("", words))
        return "no_money" if broke and not limited else "rate_limited"
    if status in (400, 403) and passes and not broke and not _is_too_long(words):
        return "rate_limited"
    if status == 402 or (status in (400, 401, 403, 412, 422) and broke):
        return "no_money"
    if status == 401:
        return "auth"
    if status in (404, 410):
        return "not_found"
    if status == 403:
        return _class_of_forbidden(words, comes_back=comes_back)
    if status == 408:
        return "timeout"
    if status == 500 and _OF_A_FORM.search(words):
        return "bad_request"
    if status >= 500 or status in (409, 425, 498, 499):
        return "server"
    if status == 413 or _is_too_long(words):
        return "too_long"
    return "auth" if _holds_one_of(_KEY_REFUSED, words) else "bad_request"


def _class_of_forbidden(words: str, *, comes_back: bool) -> ErrorClass:
    """What a 403 stands for by its words. Gateways send it for a key, a model or region that the
    account may not use, for a limit that passes, and for one text that a firewall dislikes.
    """
    is_page = _A_PAGE.search(words) is not None
    if (comes_back or _A_RATE.search(_ADDRESS.sub("", words))) and not is_page:
        return "rate_limited"
    if _is_too_long(words):
        return "too_long"
    if _holds_one_of(_KEY_REFUSED, words) or (not is_page and _ACCOUNT_SHUT.search(words)):
        return "auth"
    if _NOT_FOR_YOU.search(words) and not _FOR_THIS_REQUEST.search(words):
        return "auth"
    return "forbidden"


def _is_too_long(words: str) -> bool:
    if _holds_one_of(_TOO_LONG, words):
        return True
    return bool(_LONGER_THAN.search(words)) and not _A_PARAMETER.search(words)


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
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
