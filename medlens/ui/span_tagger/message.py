"""What the span tagger's browser side sends.

The review spine, which knows the item, checks that offsets match the text, and that labels exist
and may be combined.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from medlens.ui.checked_messages_from_browser import (
    Name,
    Number,
    Sent,
    Text,
    Token,
    Work,
    parse_browser_message,
)

Action = Literal["draft", "submit", "skip", "flag", "unflag", "previous", "next"]
Located = Literal["exact", "by_quote", "ambiguous", "missing", "label_only"]

MAX_SECONDS = 7 * 24 * 3600.0


def _no_twice(labels: list[str]) -> list[str]:
    if len(set(labels)) < len(labels):
        raise ValueError("a label twice")
    return labels


Said = Annotated[dict[Name, Annotated[Text, Field(max_length=20_000)]], Field(max_length=1000)]
"""The values of the questions' fields, by question id."""


class Span(Sent):
    """One mark; ``start`` and ``end`` are code points, half open, or both ``None``. ``answers`` are
    to the questions about each mark.
    """

    start: Number | None
    end: Number | None
    quote: Annotated[Text, Field(max_length=200_000)]
    labels: Annotated[list[Name], Field(min_length=1, max_length=50), AfterValidator(_no_twice)]
    comment: Annotated[Text, Field(max_length=10_000)]
    link: Annotated[Text, Field(max_length=2_000)] = ""
    located: Located = "exact"
    answers: Said = Field(default_factory=dict)

    @model_validator(mode="after")
    def _a_place(self) -> Self:
        if (self.start is None) != (self.end is None):
            raise ValueError("half a place")
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise ValueError("an end before its start")
        return self


class Body(Sent):
    """The marks on one text, the comment on the whole, and the answers to its questions. If labels
    grow, ``codes`` are the names of new ones, by the ids that the browser gave them.
    """

    spans: Annotated[list[Span], Field(max_length=500)]
    comment: Annotated[Text, Field(max_length=10_000)]
    answers: Said = Field(default_factory=dict)
    codes: Annotated[dict[Token, Name], Field(max_length=100)] = Field(default_factory=dict)


# A clock that jumped, or a tab left open for weeks, must not stop marks from being saved.
Seconds = Annotated[
    float,
    Field(allow_inf_nan=False),
    AfterValidator(lambda seconds: min(max(seconds, 0.0), MAX_SECONDS)),
]


class Spent(Sent):
    """All the time at an item, including earlier sittings: visible and in use, and the rest."""

    active: Seconds
    idle: Seconds


class Message(Work):
    """One message, with all marks on its item."""

    action: Action
    body: Body
    seconds: Spent


parse_message = partial(parse_browser_message, Message)
