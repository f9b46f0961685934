"""A source to read beside a statement, as Streamlit components.

``source_reader`` is the source alone, read-only: highlighted passages, search. ``source_desk`` is
the whole desk: statements, answer, sources, and the moves. Both draw themselves. Sentences are sent
as texts and become text nodes: nothing on a page can become markup.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import Field, field_validator

from medlens.ui.browser_component import Component
from medlens.ui.checked_messages_from_browser import (
    Name,
    Number,
    Sent,
    Text,
    Work,
    parse_browser_message,
)
from medlens.ui.item_component_and_desk_messages import ItemSurface

Action = Literal[
    "draft", "submit", "onward", "skip", "flag", "unflag", "previous", "next", "reveal"
]
MAX_REASON = 10_000
_MOST = 5000
Mark = tuple[int, int, int, int]


# What the browser sends. The review spine checks that the verdict exists and that a reason is
# given.


class Answer(Sent):
    """A rater's current answer; ``marks`` are the passages that decided: statement, source, first
    and last sentence.
    """

    verdict: Name | None
    reason: Annotated[Text, Field(max_length=MAX_REASON)]
    marks: Annotated[tuple[tuple[Number, Number, Number, Number], ...], Field(max_length=_MOST)]

    @field_validator("marks")
    @classmethod
    def _in_order(cls, marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
        if any(first > last for _, _, first, last in marks):
            raise ValueError("a passage ends before it begins")
        if len({mark[:2] for mark in marks}) < len(marks):
            raise ValueError("two passages of one statement and source")
        return marks


class Message(Work):
    """One message, with the whole answer; ``sources`` are the texts that its marks refer to."""

    sources: Annotated[tuple[Name, ...], Field(max_length=_MOST)]
    action: Action
    body: Answer


parse_message = partial(parse_browser_message, Message)


class SourceData(TypedDict):
    """A source. Sentences are referred to by number, from 0.

    ``title`` and ``address`` are above the text; ``paragraphs`` are the first sentences of
    paragraphs, ``headings`` those that are headings. ``href`` is the original's address if it is
    safe to open, else empty. ``note`` is shown above the text, or says why there is none.
    """

    sentences: list[str]
    paragraphs: list[int]
    headings: list[int]
    title: str
    address: str
    href: str
    note: str


class ReaderData(SourceData):
    """The reader's data: a source beside one statement.

    ``key`` identifies the pair, ``source`` the text; ``like`` are the sentences most similar to the
    statement, best first, ``marked`` the first and last sentence of the passage that decided,
    ``quote`` the sentences with the verifier's quote. ``markable``: a passage may be marked.
    """

    key: str
    source: str
    like: list[int]
    marked: list[int] | None
    quote: list[int]
    markable: bool


class AnswerData(TypedDict):
    """A rater's own answer; ``marks`` are the passages that decided: statement, source, first and
    last sentence.
    """

    verdict: str | None
    reason: str
    marks: list[tuple[int, int, int, int]]


class ItemData(TypedDict):
    """A pair, or a whole ``answer``, as its rater may see it before answering.

    ``sources`` are keys of ``SurfaceData.sources``; ``like`` has, by statement and source, the
    sentences most similar to the statement, ``best`` by statement the source that says most of it.
    ``draft`` is the rater's last saved answer, in revision ``rev``; ``standing`` the one they
    submitted. ``at`` is the position in the queue, from 0, and ``place`` in words; ``state`` open,
    skipped, flagged or submitted; ``flag`` why the rater has flagged it, if that stands.
    """

    item: str
    question: str
    answer: str
    statements: list[str]
    sources: list[str]
    like: list[list[list[int]]]
    best: list[int]
    rev: int
    draft: AnswerData
    standing: AnswerData | None
    saved_at: str
    state: str
    state_reason: str
    flag: str
    at: int
    place: str


class WordData(TypedDict):
    """A model's verdict on the statement and source numbered in ``at``.

    ``how`` is how its quote matches the page, ``note`` the same in words; ``changes`` are (where,
    text): the differences between quote and page, if any; ``quoted`` are the sentences with the
    quote.
    """

    at: tuple[int, int]
    rater: str
    verdict: str
    reason: str
    quote: str
    how: str
    note: str
    changes: list[tuple[str, str]]
    quoted: list[int]


class RevealData(TypedDict):
    """What models said; ``first`` is the rater's own first verdict. ``states`` are the overall
    results by statement. ``offered``: available, and shown on request.
    """

    words: list[WordData]
    first: str
    states: list[list[str]]
    offered: bool


class Ahead(TypedDict):
    """Where the moves lead: the item by action, and its data. Both may be incomplete."""

    moves: dict[str, str]
    items: dict[str, ItemData]


class Ack(TypedDict):
    """The answer to the message with this ``token``; ``rev`` is the draft's current revision.

    ``newer`` is the state that another tab saved in the meantime.
    """

    token: str
    rev: int
    saved_at: str
    error: dict[str, Any] | None
    newer: dict[str, Any] | None


class SurfaceData(TypedDict):
    """All data sent to the browser, at every run; see ``Message`` for the other direction.

    ``reveal`` is None until the rater has submitted; ``sources`` are those of the item and of the
    ones ahead, ``choices`` the verdicts with their names, ``reason_needed`` those that need a
    reason. ``thing`` is the word for an item.
    """

    rater: str
    thing: str
    legend: str
    item: ItemData
    total: int
    has_next: bool
    reason_needed: list[str]
    choices: list[list[str]]
    reveal: RevealData | None
    sources: dict[str, SourceData]
    ahead: Ahead
    ack: Ack | None
    trouble: NotRequired[str]


_FILES = "source_reader"
_reader = Component("source_reader", js=f"{_FILES}/reader.js", css=f"{_FILES}/reader.css")
source_desk = ItemSurface(
    "source_desk", js=f"{_FILES}/surface.js", css=f"{_FILES}/reader.css", parse=parse_message
)
"""The desk of an item, called with ``SurfaceData``; mounted once, it tells items apart by id."""


def draw_source_reader(data: ReaderData, *, key: str) -> None:
    """Draw the reader, as high as the rest of the window."""
    _reader(key=key, data=data)


__all__ = [
    "Action",
    "AnswerData",
    "ItemData",
    "Message",
    "ReaderData",
    "RevealData",
    "SourceData",
    "SurfaceData",
    "WordData",
    "draw_source_reader",
    "parse_message",
    "source_desk",
]
