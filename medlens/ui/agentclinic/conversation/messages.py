"""What the conversation's browser side sends: moves in the list, and marks on turns."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from medlens.ui.messages import Name, Number, Sent, Text


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
