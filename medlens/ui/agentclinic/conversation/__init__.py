"""Conversations as one Streamlit component: to read, mark, and page through with their list.

As Streamlit elements, twenty turns are a hundred; in the browser that is most of the wait for the
next dialogue. Texts are sent as texts and become text nodes: no speaker can write markup. What may
be opened next is sent ahead and shown at the press; the server's answer then completes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import streamlit as st
from pydantic import Field

from medlens.ui.browser_component import Component
from medlens.ui.checked_messages_from_browser import Name, Number, Sent, Text


class NoteData(TypedDict):
    """A line under a turn: ``text``, then ``strong``, then ``rest``; ``bad`` ones are red."""

    text: str
    strong: str
    rest: str
    bad: bool


class ImageData(TypedDict):
    """An image: ``src`` is the address of the team's own copy, ``href`` that of the original on the
    web, which is never loaded, ``on`` its host; empty if there is none.
    """

    label: str
    src: str
    href: str
    on: str


class TurnData(TypedDict):
    """A turn; ``anchor`` is its name in the page's address, ``head`` says who speaks.

    ``more`` is the collapsed part of a long text, ``folded`` its label.
    """

    n: int
    anchor: str
    speaker: str
    head: str
    text: str
    more: str
    folded: str
    images: list[ImageData]
    notes: list[NoteData]


class MarkKind(TypedDict):
    """A kind of mark, and the numbers of the turns that can have it."""

    id: str
    name: str
    hint: str
    turns: list[int]


class MarkData(TypedDict):
    """A mark on a turn."""

    turn: int
    mark: str
    comment: str


class Marking(TypedDict):
    """What a rater can mark; ``rev`` changes with what the server holds, ``ack`` is the token of
    the last message it handled. ``session`` is the server's: a message sent before the browser knew
    of it may be older than what is saved.
    """

    kinds: list[MarkKind]
    marks: list[MarkData]
    rev: int
    ack: str
    session: str


class AheadMove(TypedDict):
    """A move: its key, the class of the page's button, and the dialogue it opens."""

    key: str
    button: str
    to: str


class Ahead(TypedDict):
    """The page's moves, and the first turns of the dialogues they open."""

    moves: list[AheadMove]
    turns: dict[str, list[TurnData]]


class TalkData(TypedDict):
    """A conversation; ``key`` tells dialogues apart. ``follow``: it is still going on, and its last
    turn is kept in view.
    """

    kind: Literal["talk"]
    key: str
    turns: list[TurnData]
    follow: NotRequired[bool]
    marking: NotRequired[Marking]
    ahead: NotRequired[Ahead]


class ListPage(TypedDict):
    """A page of the list: its place in words, the dialogues' names and their cells."""

    place: str
    names: list[str]
    rows: list[list[str]]


class Reading(TypedDict):
    """The open dialogue; ``facts`` are words and whether they are strong.

    ``waits``: the viewer must confirm before it is shown.
    """

    name: str
    facts: list[tuple[str, bool]]
    turns: list[TurnData]
    waits: bool


class ReaderData(TypedDict):
    """The list of dialogues and the open one.

    ``page`` is the current page of the list, ``pages`` those that can be shown next (by number),
    ``last`` the last page's number. ``reading`` is None while the list is shown. ``ahead`` holds
    the first turns of what may be opened next. ``ack`` is the token of the last move that the
    server has handled.
    """

    kind: Literal["reader"]
    columns: list[str]
    page: int
    last: int
    pages: dict[str, ListPage]
    reading: Reading | None
    ahead: dict[str, list[TurnData]]
    ack: str


_component = Component(
    "conversation", js="conversation/conversation.js", css="conversation/conversation.css"
)


def draw_conversation(
    data: TalkData | ReaderData,
    *,
    key: str,
    on_message: Callable[[Any], None] | None = None,
) -> None:
    """Draw a conversation, or the list and the open dialogue.

    ``on_message`` gets what the browser sent, unchecked (``messages`` checks it); it runs before
    the script, like any callback, and may concern a dialogue that is no longer shown.
    """

    def changed() -> None:
        state = st.session_state.get(key)
        if state and on_message is not None:
            on_message(state.get("out"))

    _component(key=key, data=data, on_out_change=changed)


class Move(Sent):
    """Go to a page of the list, and open the dialogue of that name; if empty, show the list."""

    token: Name
    dialogue: Name
    page: Annotated[int, Field(ge=0, lt=10**6)]


class TurnMark(Sent):
    """A mark on a turn; turns count from 1."""

    turn: Annotated[int, Field(ge=1)]
    mark: Name
    comment: Annotated[Text, Field(max_length=2000)]


class Marked(Sent):
    """All current marks of a dialogue in the browser; ``key`` is the dialogue's.

    ``session`` and ``base`` are those of the marks that they were made from.
    """

    token: Name
    key: Name
    marks: Annotated[list[TurnMark], Field(max_length=500)]
    session: Name
    base: Number
