"""The body of a reply as endpoints really send it, from bytes to one JSON object.

Compatible servers and the routers before them send more than the API describes: comments that keep
the connection alive, an event stream although none was asked for, the object inside a list or
inside another, letters in another encoding. What is meant is plain in each of these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from medlens.deferred_regex import compile_later
from medlens.llm.recognise_other_apis import (
    AnsweredByOtherService,
    find_other_service_of_reply_body,
    recognise_service_of_text,
)

_SHOWN = 60
_DECODER = json.JSONDecoder()
_WEB_PAGE = compile_later(r"\s*(?:<!doctype html|<html|<head|<body)", re.IGNORECASE)
_MARK = compile_later(r"<[^>]*>")
_TITLE = compile_later(r"<title[^>]*>([^<]{1,200})", re.IGNORECASE)


def parse_reply_body(content: bytes) -> dict[str, Any]:
    """The JSON object in a body.

    Raises:
        AnsweredByOtherService: it is another service's own API that answers.
        ValueError: there is none; the message says what the body begins with.
    """
    text = _decoded(content)
    events = list(_events(text))
    _refuse_other_service(events)
    if events:
        return _assembled(events, ended="data: [DONE]" in text or "data:[DONE]" in text)
    plain = "\n".join(line for line in text.splitlines() if not line.startswith(":")).strip()
    try:
        value, _ = _DECODER.raw_decode(plain)
    except (ValueError, RecursionError) as error:
        if service := recognise_service_of_text(plain):
            raise AnsweredByOtherService(service) from error
        raise ValueError(_not_json(plain)) from error
    _refuse_other_service(value)
    return _unwrapped(value)


def _refuse_other_service(value: Any) -> None:
    if service := find_other_service_of_reply_body(value):
        raise AnsweredByOtherService(service)


def _decoded(content: bytes) -> str:
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding, "surrogatepass").removeprefix("\ufeff")
    except UnicodeDecodeError:
        # JSON is UTF-8 by its standard; what is not comes from servers of one byte a letter.
        return content.decode("cp1252", "replace")


def _not_json(plain: str) -> str:
    if not plain:
        return "the body is empty"
    if _WEB_PAGE.match(plain):
        title = _TITLE.search(plain)
        named = _begin_of(title[1] if title else _MARK.sub(" ", plain))
        return (
            f"a web page ({named!r}) was sent in place of an answer: is base_url right? On most "
            "servers it ends in /v1"
        )
    return f"the body is not JSON; it begins with {_begin_of(plain)!r}"


def _begin_of(text: str) -> str:
    return " ".join(text[: _SHOWN * 2].split())[:_SHOWN]


def _unwrapped(value: Any) -> dict[str, Any]:
    """An object that stands alone in a list, in a text, or under ``data`` or ``response``."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise ValueError(_not_json(value)) from None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        raise ValueError("the body is not a JSON object")
    for name in ("data", "response", "result"):
        inner = value.get(name)
        if "choices" not in value and isinstance(inner, dict) and "choices" in inner:
            return inner
    if isinstance(value.get("body"), str) and "choices" not in value:
        # A function's answer that its gateway passed on as it was.
        return _unwrapped(value["body"])
    return value


def _events(text: str) -> Iterator[dict[str, Any]]:
    """The objects of an event stream; none if it is not one."""
    if not text.lstrip().startswith(("data:", "event:", ":")):
        return
    for line in text.splitlines():
        if not line.startswith("data:"):
            continue
        piece = line.removeprefix("data:").strip()
        if not piece or piece == "[DONE]":
            continue
        try:
            value = json.loads(piece)
        except (ValueError, RecursionError) as error:
            raise ValueError("a piece of the stream is not JSON") from error
        if isinstance(value, dict):
            yield value


def _assembled(events: list[dict[str, Any]], *, ended: bool) -> dict[str, Any]:
    """An event stream as the one object that it tells in pieces; one that has neither ended nor
    given a reason was cut off.
    """
    whole: dict[str, Any] = {}
    message: dict[str, str] = {}
    reason = None
    for event in events:
        whole |= {key: value for key, value in event.items() if key != "choices" and value}
        choices = event.get("choices") or []
        first = next((one for one in choices if isinstance(one, dict)), {})
        if not first.get("index"):
            piece = first.get("delta") or first.get("message") or {}
            for name in ("content", "reasoning_content", "reasoning", "refusal"):
                if isinstance(piece.get(name), str):
                    message[name] = message.get(name, "") + piece[name]
            reason = first.get("finish_reason") or reason
    if "error" in whole and not message:
        return whole
    reason = reason or ("stop" if ended else "network_error")
    whole["choices"] = [{"index": 0, "message": message, "finish_reason": reason}]
    return whole
