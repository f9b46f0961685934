"""What the span tagger's browser side sends, checked field by field.

The browser is not trusted: every value has its type and bound here, and a message that breaks one
is refused whole (``InvalidInput``). That offsets match the text, that labels exist and may stand
together is the review spine's to check, which knows the item.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypedDict, get_args
from uuid import UUID

from medlens.errors import InvalidInput

Action = Literal["draft", "submit", "skip", "flag", "previous", "next"]
Located = Literal["exact", "by_quote", "ambiguous", "missing", "label_only"]

MAX_SPANS = 500
MAX_LABELS = 50
MAX_COMMENT = 10_000
MAX_QUOTE = 200_000
MAX_LINK = 2_000
MAX_ID = 500
MAX_SECONDS = 7 * 24 * 3600.0


class SpanDict(TypedDict):
    """One mark as JSON; ``start`` and ``end`` are code points, half open, or both ``None``."""

    start: int | None
    end: int | None
    quote: str
    labels: list[str]
    comment: str
    link: str
    located: str


class BodyDict(TypedDict):
    """The marks on one text and the comment on the whole, as JSON."""

    spans: list[SpanDict]
    comment: str


@dataclass(frozen=True)
class Message:
    """One message; it carries the whole body, so a lost or repeated one does no harm.

    ``token`` is the client's id of the write (a UUID): the same one in every repeat. ``base`` is
    the revision that the body builds on. ``active_seconds`` and ``idle_seconds`` are all the
    time at this item, earlier sittings included: visible and in use, and the rest.
    """

    token: str
    rater: str
    item: str
    base: int
    action: Action
    body: BodyDict
    reason: str
    active_seconds: float
    idle_seconds: float
    attempt: int


def parse_message(raw: object) -> Message:
    """Check what the browser sent and give it its type.

    Raises:
        InvalidInput: a field is missing, of another type, or beyond its bound.
    """
    fields = _mapping(raw, "message")
    action = _text(fields, "action", limit=20)
    if action not in get_args(Action):
        _refuse("action", action)
    seconds = _mapping(fields.get("seconds"), "seconds")
    return Message(
        token=_token(fields),
        rater=_text(fields, "rater", limit=MAX_ID),
        item=_text(fields, "item", limit=MAX_ID),
        base=_count(fields, "base"),
        action=action,  # type: ignore[arg-type]  # one of Action's, checked above
        body=_body(fields.get("body")),
        reason=_text(fields, "reason", limit=MAX_COMMENT),
        active_seconds=_duration(seconds, "active"),
        idle_seconds=_duration(seconds, "idle"),
        attempt=_count(fields, "attempt"),
    )


def _body(raw: object) -> BodyDict:
    fields = _mapping(raw, "body")
    spans = fields.get("spans")
    if not isinstance(spans, list) or len(spans) > MAX_SPANS:
        _refuse("spans", spans)
    return BodyDict(
        spans=[_span(span) for span in spans],
        comment=_text(fields, "comment", limit=MAX_COMMENT),
    )


def _span(raw: object) -> SpanDict:
    fields = _mapping(raw, "span")
    start, end = fields.get("start"), fields.get("end")
    if (start is None) != (end is None):
        _refuse("start and end", (start, end))
    if start is not None and not _count(fields, "start") < _count(fields, "end"):
        _refuse("start and end", (start, end))
    labels = fields.get("labels")
    if not isinstance(labels, list) or not 1 <= len(labels) <= MAX_LABELS:
        _refuse("labels", labels)
    if len(set(map(str, labels))) != len(labels):
        _refuse("labels", labels)
    located = _text(fields, "located", limit=20)
    if located not in get_args(Located):
        _refuse("located", located)
    return SpanDict(
        start=start,
        end=end,
        quote=_text(fields, "quote", limit=MAX_QUOTE),
        labels=[_string(label, "label", limit=MAX_ID) for label in labels],
        comment=_text(fields, "comment", limit=MAX_COMMENT),
        link=_text(fields, "link", limit=MAX_LINK),
        located=located,
    )


def _mapping(value: object, name: str) -> Mapping[str, Any]:
    # Streamlit hands state over as dicts, and nested ones as its own mapping type.
    if not isinstance(value, Mapping):
        _refuse(name, value)
    return value


def _text(fields: Mapping[str, Any], name: str, *, limit: int) -> str:
    return _string(fields.get(name), name, limit=limit)


def _string(value: object, name: str, *, limit: int) -> str:
    if not isinstance(value, str):
        _refuse(name, value)
    if len(value) > limit:
        raise InvalidInput(
            f"The page sent a {name} of {len(value):,} characters.",
            hint=f"Shorten it to at most {limit:,}.",
        )
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: no store can hold it
        _refuse(name, value)
    # No file that holds one can be imported again.
    return value.replace("\x00", "\ufffd")


def _count(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    if type(value) is not int or not 0 <= value < 2**31:  # a bool is an int, and is not meant
        _refuse(name, value)
    return value


def _duration(fields: Mapping[str, Any], name: str) -> float:
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(name, value)
    if not math.isfinite(value):
        _refuse(name, value)
    # A clock that jumped, or a tab left open for weeks, must not keep marks from being saved.
    return min(max(float(value), 0.0), MAX_SECONDS)


def _token(fields: Mapping[str, Any]) -> str:
    text = _text(fields, "token", limit=36)
    try:
        return str(UUID(text))
    except ValueError as error:
        raise InvalidInput("The page sent a token that is not an id.", hint=RELOAD) from error


RELOAD = "Reload the page; your marks are kept in the browser. Nothing was written."


def _refuse(name: str, value: object) -> NoReturn:
    raise InvalidInput(
        f"The page sent a message whose {name} is not valid: {str(value)[:80]!r}.", hint=RELOAD
    )
