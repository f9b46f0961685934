"""Answers put together again from what was supported, what was edited, without what was removed.

Shown as a diff, statement by statement, and within an edited one word by word.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from medlens.store import Store
from medlens.studies.sourcecheckup import queries

State = Literal["kept", "edited", "removed"]
_WORDS = re.compile(r"\s+|[^\s\w]|\w+")


@dataclass(frozen=True)
class Word:
    """Words that stand in both texts (``same``), in the old one alone, or in the new one."""

    change: Literal["same", "old", "new"]
    text: str


@dataclass(frozen=True)
class Piece:
    """A statement before and after. ``after`` is empty for a removed one.

    ``verdict`` is the verifier's on the edited statement, "" where there is none; ``reason`` is
    that of the model that mended it.
    """

    statement: str
    state: State
    before: str
    after: str
    url: str = ""
    reason: str = ""
    verdict: str = ""

    @property
    def words(self) -> tuple[Word, ...]:
        """The piece as a diff."""
        return diff(self.before, self.after)


@dataclass(frozen=True)
class Cleaned:
    """An answer as its statements, and what the clean-up made of them."""

    response: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The answer put together again."""
        return " ".join(piece.after for piece in self.pieces if piece.after)


def cleaned(
    store: Store, dataset: str, *, model: str, responses: Iterable[str] = ()
) -> list[Cleaned]:
    """The answers of which ``model`` has mended a statement (or those named), in their order."""
    made = queries.cleanups(store, dataset)
    found = {row["statement"]: row for row in made[made["cleaner"] == model].to_dict("records")}
    touched = set(responses) or {row["response"] for row in found.values()}
    answers: dict[str, list[Piece]] = {}
    for one in queries.statements(store, dataset):
        if one.response not in touched:
            continue
        row = found.get(one.name)
        if row is None:
            piece = Piece(one.name, "kept", one.statement, one.statement)
        else:
            piece = Piece(
                one.name,
                row["action"],
                one.statement,
                row["text"],
                row["url"],
                row["reason"],
                row["verdict"],
            )
        answers.setdefault(one.response, []).append(piece)
    return [Cleaned(name, tuple(pieces)) for name, pieces in answers.items()]


def diff(before: str, after: str) -> tuple[Word, ...]:
    """Two texts word by word; the same words with spaces between them are one piece."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    made: list[Word] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for change, a, b, c, d in matcher.get_opcodes():
        if change == "equal":
            made.append(Word("same", "".join(old[a:b])))
            continue
        if a < b:
            made.append(Word("old", "".join(old[a:b])))
        if c < d:
            made.append(Word("new", "".join(new[c:d])))
    return tuple(made)
