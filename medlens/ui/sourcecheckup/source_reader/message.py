"""What the verification page's browser side sends, checked field by field.

The browser is not trusted: a message that breaks a type or a bound is refused whole. That the
verdict exists and that a reason is there is the review spine's to check.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from medlens.errors import InvalidInput

Action = Literal["draft", "submit", "onward", "skip", "flag", "previous", "next", "reveal"]
MAX_REASON = 10_000
_MAX_ID = 500
_MOST = 5000
Mark = tuple[int, int, int, int]
_Number = Annotated[int, Field(ge=0, lt=2**31)]


class _Sent(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)


class Answer(_Sent):
    """A rater's answer as it stands; ``marks`` are the passages that decided: statement, source,
    first and last sentence."""

    verdict: str | None = Field(max_length=_MAX_ID)
    reason: str = Field(max_length=MAX_REASON)
    marks: tuple[tuple[_Number, _Number, _Number, _Number], ...] = Field(max_length=_MOST)

    @field_validator("reason")
    @classmethod
    def _importable(cls, reason: str) -> str:
        # No file that holds one can be imported again.
        return reason.replace("\x00", "\ufffd")

    @field_validator("marks")
    @classmethod
    def _in_order(cls, marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
        if any(first > last for _, _, first, last in marks):
            raise ValueError("a passage ends before it begins")
        if len({mark[:2] for mark in marks}) < len(marks):
            raise ValueError("two passages of one statement and source")
        return marks


class Message(_Sent):
    """One message; it names its item and carries the whole answer.

    So a lost or repeated one does no harm, and an answer lands on the item it was given to.
    ``token`` is the client's id of the write: the same one in every repeat (``attempt`` counts
    them). ``base`` is the draft's revision that the answer builds on, ``sources`` the texts that
    ``marks`` count in, ``reason`` that of a flag.
    """

    token: UUID
    rater: str = Field(max_length=_MAX_ID)
    item: str = Field(max_length=_MAX_ID)
    sources: tuple[Annotated[str, Field(max_length=_MAX_ID)], ...] = Field(max_length=_MOST)
    base: int = Field(ge=0, lt=2**31)
    action: Action
    body: Answer
    reason: str = Field(max_length=500)
    attempt: int = Field(ge=1, lt=2**31)


def parse_message(raw: object) -> Message:
    """Check what the browser sent and give it its type.

    Raises:
        InvalidInput: a field is missing, of another type, or beyond its bound.
    """
    try:
        return Message.model_validate_json(json.dumps(_plain(raw)))
    except (ValidationError, TypeError, ValueError) as error:
        what = "it sent something that is not a message"
        if isinstance(error, ValidationError):
            fault = error.errors()[0]
            what = f"{'.'.join(map(str, fault['loc'])) or 'it'}: {fault['msg']}"
        raise InvalidInput(
            f"The page sent a message that is not valid ({what}).",
            hint="Reload the page; your answer is kept in the browser. Nothing was written.",
        ) from error


def _plain(value: object) -> Any:
    # Streamlit hands state over as dicts, and nested ones as its own mapping type.
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
