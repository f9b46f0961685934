"""The span tagger: the whole review surface of one item, as a Streamlit component.

It draws the question, the text to mark, the labels, the marks and the ways on, and hands every
change to a desk as a checked ``Message``. The page mounts it once, under one stable key, and tells
items apart by ``data["item"]``.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from medlens.ui.span_tagger.message import Action, Message, parse_message
from medlens.ui.surface import Surface

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
    """Everything that the browser is told, at every run; see ``Message`` for the way back.

    ``grows``: labels can be made at the surface, and this is how the next one looks; ``moved``
    are those that were merged into another, or removed ("").
    """

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
    grows: NotRequired[LabelData]
    moved: NotRequired[dict[str, str]]
    ack: Ack | None
    saved_at: NotRequired[str]


span_tagger = Surface(
    "span_tagger", js="span_tagger/tagger.js", css="span_tagger/tagger.css", parse=parse_message
)
"""Called with ``TaggerData``: full width, and all of the window's height that is left."""
