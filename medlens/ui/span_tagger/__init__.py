"""The span tagger: the whole review surface of one item, as a Streamlit component.

``span_tagger(data, key=..., on_message=...)`` draws the question, the text to mark, the labels, the
marks and the ways on, and hands every change to ``on_message`` as a checked ``Message``. The page
mounts it once, under one stable key, and tells items apart by ``data["item"]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NotRequired, TypedDict

import streamlit as st

from medlens.errors import InvalidInput
from medlens.ui.component import Component
from medlens.ui.span_tagger.message import (
    Action,
    BodyDict,
    Message,
    SpanDict,
    parse_message,
)

__all__ = [
    "Ack",
    "AckError",
    "Action",
    "Ahead",
    "AheadItem",
    "BodyDict",
    "ClockData",
    "Context",
    "ContextBlock",
    "ContextOption",
    "LabelData",
    "Message",
    "Newer",
    "Progress",
    "ReadingLink",
    "SpanDict",
    "TaggerData",
    "parse_message",
    "span_tagger",
]


class ContextOption(TypedDict):
    key: str
    text: str
    correct: bool
    chosen: bool


class ContextBlock(TypedDict):
    """``text`` and ``note`` carry ``text``; ``options`` carries ``options``."""

    kind: Literal["text", "options", "note"]
    text: NotRequired[str]
    options: NotRequired[list[ContextOption]]


class Context(TypedDict):
    """What stands beside the text; ``chosen_label`` words the sign at the chosen option."""

    heading: str
    blocks: list[ContextBlock]
    chosen_label: NotRequired[str]


class LabelData(TypedDict):
    id: str
    key: int
    name: str
    kind: Literal["error", "non_error"]
    colour: str
    pattern: str
    hint: str
    definition: str
    not_when: str
    example: str
    example_reason: str
    requires_link: bool
    steps: list[str]


class ReadingLink(TypedDict):
    title: str
    url: str


class ItemLink(TypedDict):
    """The parameter of the page's address that names the item."""

    param: str
    value: str


class Progress(TypedDict):
    done: int
    total: int
    position: int
    has_previous: bool
    has_next: bool


class ClockData(TypedDict):
    """Read when an item is shown: the session's seconds on other items, and on this one before.

    The browser adds its own count of active seconds.
    """

    session_seconds: float
    session_budget_seconds: float
    item_seconds: float
    item_idle_seconds: NotRequired[float]


class AckError(TypedDict):
    """``passing``: it may go away by itself, and the message is sent again."""

    message: str
    hint: str
    passing: NotRequired[bool]


class AheadItem(TypedDict):
    """What of an item is shown before the server has answered the move to it."""

    item: str
    text: str
    title: str
    context: Context


class Ahead(TypedDict):
    """Where the moves lead: an item by action, and the items by name. Both may lack any."""

    moves: dict[Action, str]
    items: dict[str, AheadItem]


class Newer(TypedDict):
    rev: int
    draft: BodyDict


class Ack(TypedDict):
    """The answer to one message: ``token`` is the message's, ``rev`` the draft's revision now."""

    token: str
    saved_at: str
    rev: int
    error: AckError | None
    newer: Newer | None


class TaggerData(TypedDict):
    """Everything that the browser is told, at every run; see ``Message`` for the way back."""

    rater: str
    item: str
    rev: int
    text: str
    title: str
    context: Context
    labels: list[LabelData]
    reading: list[ReadingLink]
    draft: BodyDict
    state: Literal["open", "submitted", "skipped", "flagged"]
    flag_reason: str
    readonly: bool
    progress: Progress
    clock: ClockData
    notice: str
    link: NotRequired[ItemLink]
    ahead: NotRequired[Ahead]
    ack: Ack | None
    saved_at: NotRequired[str]


_component = Component("span_tagger", js="span_tagger/tagger.js", css="span_tagger/tagger.css")


def span_tagger(
    data: TaggerData,
    *,
    key: str,
    on_message: Callable[[Message], None],
    on_refused: Callable[[str, InvalidInput], None] = lambda token, error: None,
) -> None:
    """Draw the review surface; full width, and all of the window's height that is left.

    ``on_message`` runs in the component's change callback, thus before the script: save there, put
    the answer where the script finds it, and send it down as ``data["ack"]`` with the message's
    token. A message comes again with the same token until it is answered. A callback runs after
    those of buttons, and its message may be about an item that is no longer shown.

    ``on_refused`` is told, with the token sent, of what the browser sent and is no message.
    """

    def changed() -> None:
        state = st.session_state.get(key)
        out = state.get("out") if state else None
        if out is None:
            return
        try:
            message = parse_message(out)
        except InvalidInput as error:
            # An answer all the same, else the browser says that nobody answers.
            token = out.get("token") if isinstance(out, Mapping) else None
            on_refused(str(token), error)
            return
        on_message(message)

    _component(key=key, data=data, on_out_change=changed)
