"""The types of error tagging: what is judged, and what a judgment is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json

from medlens.review.marked_spans_checked_carried_and_timed import Span

Located = Literal["exact", "by_quote", "ambiguous", "missing", "label_only"]


class Strict(BaseModel):
    """Frozen, and refuses unknown fields: a misspelt field never vanishes silently."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Option(Strict):
    """One answer option of a question: its letter and its text."""

    key: str
    text: str


class ResponseItem(Strict):
    """A model's response to a multiple-choice question.

    ``response`` is the immutable text that spans are offsets into (code points, line ends as LF).
    ``chosen`` is the option the model settled on, ``None`` if the response does not state one.
    """

    question: str
    options: tuple[Option, ...] = ()
    correct: str = ""
    chosen: str | None = None
    response: str = Field(min_length=1)
    serial_num: int | None = None
    meta_info: str = ""
    model: str = ""

    def to_item(self) -> Self:
        """This item."""
        return self

    def to_stored_json(self) -> str:
        """It as the store keeps it."""
        return self.model_dump_json()


@dataclass(slots=True)
class ItemAsRead:
    """An item of a file, whose parts are known to be texts: it is stored as a ``ResponseItem``
    would be, without one being made, which takes twice as long. ``options`` are keys and texts.
    """

    question: str
    options: tuple[tuple[str, str], ...]
    correct: str
    response: str
    chosen: str | None = None
    serial_num: int | None = None
    meta_info: str = ""
    model: str = ""

    complete: Callable[[], object] | None = field(default=None, compare=False)
    """Called until there is none before anything is made of the item: says what is ``chosen``."""

    def _fields(self) -> dict[str, object]:
        """In the order in which ``ResponseItem`` has them."""
        while self.complete:
            self.complete()
        return {
            "question": self.question,
            "options": [{"key": key, "text": text} for key, text in self.options],
            "correct": self.correct,
            "chosen": self.chosen,
            "response": self.response,
            "serial_num": self.serial_num,
            "meta_info": self.meta_info,
            "model": self.model,
        }

    def to_item(self) -> ResponseItem:
        """The item, checked."""
        return ResponseItem.model_validate(self._fields())

    def to_stored_json(self) -> str:
        """It as the store keeps it."""
        return to_json(self._fields()).decode()


class ErrorSpan(Span):
    """A passage of the response and the labels it carries.

    ``located`` says why the place of an imported mark is unknown: its quote occurs more than once,
    or nowhere, or only the label was recorded.
    """

    link: str = ""
    located: Located = "exact"


class ErrorSpans(Strict):
    """One rater's answer to the task ``error_spans``: marked passages and a comment on the whole.

    Labels are label ids of the taxonomy (``unsupported_medical_claim``), in taxonomy order.
    """

    spans: tuple[ErrorSpan, ...] = ()
    comment: str = ""

    def labels_given(self) -> frozenset[str]:
        """Every label given anywhere in the response."""
        return frozenset(label for span in self.spans for label in span.labels)
