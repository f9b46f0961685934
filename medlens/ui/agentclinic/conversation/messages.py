"""What the conversation's browser side sends, checked: a message that is none is left unheard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from medlens.ui.agentclinic.conversation import MarkData

_LONGEST_NAME, _LONGEST_COMMENT, _MOST, _MOST_PAGES = 500, 2000, 500, 10**6


@dataclass(frozen=True)
class Move:
    """Go to a page of the list, and read the dialogue of that name; the list for an empty one."""

    token: str
    dialogue: str
    page: int


@dataclass(frozen=True)
class Marked:
    """All marks of a dialogue as they stand in the browser; ``key`` is the dialogue's.

    ``session`` and ``base`` are those of the marks that they were made from.
    """

    token: str
    key: str
    marks: list[MarkData]
    session: str
    base: int


def parse_move(sent: Any) -> Move | None:
    """The move that the browser asks for; None where it is no message."""
    token, dialogue = _text(sent, "token"), _text(sent, "dialogue")
    page = sent.get("page") if isinstance(sent, Mapping) else None
    if token is None or dialogue is None or type(page) is not int or not 0 <= page < _MOST_PAGES:
        return None
    return Move(token, dialogue, page)


def parse_marked(sent: Any) -> Marked | None:
    """The marks that the browser sent; None where it is no message."""
    token, key = _text(sent, "token"), _text(sent, "key")
    marks = sent.get("marks") if isinstance(sent, Mapping) else None
    session, base = _text(sent, "session"), sent.get("base") if isinstance(sent, Mapping) else None
    if token is None or key is None or session is None or type(base) is not int or base < 0:
        return None
    if not isinstance(marks, list) or len(marks) > _MOST:
        return None
    found: list[MarkData] = []
    for one in marks:
        turn = one.get("turn") if isinstance(one, Mapping) else None
        mark, comment = _text(one, "mark"), _text(one, "comment", longest=_LONGEST_COMMENT)
        if type(turn) is not int or turn < 1 or mark is None or comment is None:
            return None
        found.append({"turn": turn, "mark": mark, "comment": comment})
    return Marked(token, key, found, session, base)


def _text(fields: Any, name: str, *, longest: int = _LONGEST_NAME) -> str | None:
    value = fields.get(name) if isinstance(fields, Mapping) else None
    if not isinstance(value, str) or len(value) > longest:
        return None
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: no store can hold it
        return None
    return value.replace("\x00", "\ufffd")
