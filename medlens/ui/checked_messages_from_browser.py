"""Messages from a component's browser side: declared field by field, and checked as a whole.

The browser is not trusted: every value has a type and a bound, and a message that breaks one is
rejected. What a task allows (labels, verdicts, reasons) is checked by the review spine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from medlens.errors import InvalidInput

MAX_NAME = 500


def _importable(text: str) -> str:
    # No file that contains one can be imported again.
    return text.replace("\x00", "\ufffd")


Text = Annotated[str, AfterValidator(_importable)]
Name = Annotated[Text, Field(max_length=MAX_NAME)]
SomeName = Annotated[Text, Field(min_length=1, max_length=MAX_NAME)]
Number = Annotated[int, Field(ge=0, lt=2**31)]
Token = Annotated[str, AfterValidator(lambda text: str(UUID(text)))]


class Sent(BaseModel):
    """A message of any kind."""

    model_config = ConfigDict(strict=True, frozen=True)


class Work(Sent):
    """A message from a surface to its desk: which item, what was done, and from what state.

    It names its item and carries the whole answer, so a lost or repeated message does no harm, and
    an answer reaches the item it was given to. ``token`` is the client's id of the write, the same
    in every repeat (``attempt`` counts them). ``base`` is the draft's revision that the answer
    builds on, ``reason`` the reason of a flag.
    """

    token: Token
    rater: Name
    item: Name
    base: Number
    reason: Annotated[Text, Field(max_length=10_000)]
    attempt: Number


Kind = TypeVar("Kind", bound=Sent)


def parse_browser_message(kind: type[Kind], raw: object) -> Kind:
    """Check what the browser sent and give it its type.

    Raises:
        InvalidInput: a field is missing, has the wrong type, or exceeds its bound.
    """
    try:
        # As JSON, which distinguishes a list from a text and an integer from a boolean.
        return kind.model_validate_json(json.dumps(_plain(raw)))
    except (ValidationError, TypeError, ValueError, RecursionError) as error:
        what = "it sent something that is not a message"
        if isinstance(error, ValidationError):
            fault = error.errors()[0]
            name, given = ".".join(map(str, fault["loc"])) or "it", fault["input"]
            if fault["type"] == "too_long" and isinstance(given, str):
                raise InvalidInput(
                    f"The page sent a {name.rpartition('.')[2]} of {len(given):,} characters.",
                    hint=f"Shorten it to at most {fault['ctx']['max_length']:,}.",
                ) from error
            what = f"{name}: {fault['msg']}"
        raise InvalidInput(
            f"The page sent a message that is not valid ({what}).",
            hint="Reload the page; your answer is kept in the browser. Nothing was written.",
        ) from error


def parse_browser_message_or_none(kind: type[Kind], raw: object) -> Kind | None:
    """As ``parse``; None for anything that is not a valid message, which is ignored."""
    try:
        return parse_browser_message(kind, raw)
    except InvalidInput:
        return None


def _plain(value: object) -> Any:
    # Streamlit passes state as dicts, and nested ones as its own mapping type.
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
