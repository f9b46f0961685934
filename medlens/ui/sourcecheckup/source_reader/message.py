"""What the verification page's browser side sends.

The review spine checks that the verdict exists and that a reason is given.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from pydantic import Field, field_validator

from medlens.ui.messages import Name, Number, Sent, Text, Work, parse

Action = Literal["draft", "submit", "onward", "skip", "flag", "previous", "next", "reveal"]
MAX_REASON = 10_000
_MOST = 5000
Mark = tuple[int, int, int, int]


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


parse_message = partial(parse, Message)
