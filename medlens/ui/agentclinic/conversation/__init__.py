"""Conversations as one Streamlit component: to be read, marked, and leafed through with their list.

As elements of Streamlit, twenty turns are a hundred; in the browser that is most of the wait for
the next dialogue. Texts go down as texts and become text nodes: no speaker can write markup. What
may be opened next is sent ahead and shown at the press; the server's answer then completes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NotRequired, TypedDict

import streamlit as st

from medlens.ui.component import Component


class NoteData(TypedDict):
    """A line under a turn: ``text``, then ``strong``, then ``rest``; ``bad`` ones are red."""

    text: str
    strong: str
    rest: str
    bad: bool


class ImageData(TypedDict):
    """An image: ``src`` is the address of the team's own copy, ``href`` that on the web, which is
    never loaded, ``on`` its host; both are empty where there is none."""

    label: str
    src: str
    href: str
    on: str


class TurnData(TypedDict):
    """A turn; ``anchor`` is its name in the page's address, ``head`` says who speaks.

    ``more`` is what of a long text is folded away, ``folded`` what the fold is called.
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
    """A mark that turns of these numbers can be given."""

    id: str
    name: str
    hint: str
    turns: list[int]


class MarkData(TypedDict):
    """A mark that a turn has been given."""

    turn: int
    mark: str
    comment: str


class Marking(TypedDict):
    """What a rater can mark; ``rev`` changes with what the server holds, ``ack`` is the token of
    the last message that it has taken. ``session`` is the server's: a message that was sent before
    the browser had heard of it may be older than what is saved."""

    kinds: list[MarkKind]
    marks: list[MarkData]
    rev: int
    ack: str
    session: str


class AheadMove(TypedDict):
    """A way on: its key, the class of the page's button, and the dialogue that it leads to."""

    key: str
    button: str
    to: str


class Ahead(TypedDict):
    """Where the page's ways on lead, and the first turns of those dialogues."""

    moves: list[AheadMove]
    turns: dict[str, list[TurnData]]


class TalkData(TypedDict):
    """A conversation; ``key`` tells one dialogue from another. ``follow``: it is going on, and its
    last turn is kept in sight."""

    kind: Literal["talk"]
    key: str
    turns: list[TurnData]
    follow: NotRequired[bool]
    marking: NotRequired[Marking]
    ahead: NotRequired[Ahead]


class ListPage(TypedDict):
    """A page of the list: what it says of its place, the dialogues' names and their cells."""

    place: str
    names: list[str]
    rows: list[list[str]]


class Reading(TypedDict):
    """The dialogue that is read; ``facts`` are words and whether they are strong.

    ``waits``: the viewer is asked before it is shown.
    """

    name: str
    facts: list[tuple[str, bool]]
    turns: list[TurnData]
    waits: bool


class ReaderData(TypedDict):
    """The list of dialogues and the one that is read.

    ``page`` is the page of the list that the server is at, ``pages`` those that can be turned to
    (by number), ``last`` the last one's number. ``reading`` is None while the list is shown.
    ``ahead`` holds the first turns of what may be opened next. ``ack`` is the token of the last
    move that the server has taken.
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


def conversation(
    data: TalkData | ReaderData,
    *,
    key: str,
    on_message: Callable[[Any], None] | None = None,
) -> None:
    """Draw a conversation, or the list and the dialogue that is read.

    ``on_message`` is told what the browser sent, unchecked (``messages`` checks it); it runs before
    the script, like any callback, and may be about a dialogue that is no longer shown.
    """

    def changed() -> None:
        state = st.session_state.get(key)
        if state and on_message is not None:
            on_message(state.get("out"))

    _component(key=key, data=data, on_out_change=changed)
