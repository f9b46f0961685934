"""Answers reassembled from their supported and edited statements, without the removed ones.

Shown as a diff by statement, and word by word within an edited one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from medlens.review.word_diff import stretches_of_same_and_changed_words
from medlens.store import Store
from medlens.studies.sourcecheckup import queries

State = Literal["kept", "edited", "removed"]
_WORDS = re.compile(r"\s+|[^\s\w]|\w+")


@dataclass(frozen=True)
class Word:
    """Words that are in both texts (``same``), only in the old one, or only in the new one."""

    change: Literal["same", "old", "new"]
    text: str


@dataclass(frozen=True)
class StatementChange:
    """A statement before and after. ``after`` is empty if it was removed.

    ``verdict`` is the verifier's on the edited statement, "" if none; ``reason`` is the cleaning
    model's.
    """

    statement: str
    state: State
    before: str
    after: str
    url: str = ""
    reason: str = ""
    verdict: str = ""

    @property
    def word_diff(self) -> tuple[Word, ...]:
        """The piece as a diff."""
        return diff_words(self.before, self.after)


@dataclass(frozen=True)
class CleanedAnswer:
    """An answer as its statements after the clean-up."""

    response: str
    pieces: tuple[StatementChange, ...]

    @property
    def reassembled_text(self) -> str:
        """The reassembled answer."""
        return " ".join(piece.after for piece in self.pieces if piece.after)


def list_cleaned_answers(
    store: Store, dataset: str, *, model: str, responses: Iterable[str] = ()
) -> list[CleanedAnswer]:
    """The answers (or those named) in which ``model`` edited or removed a statement, in order."""
    made = queries.current_cleanups_table(store, dataset)
    found = {row["statement"]: row for row in made[made["cleaner"] == model].to_dict("records")}
    touched = set(responses) or {row["response"] for row in found.values()}
    answers: dict[str, list[StatementChange]] = {}
    for one in queries.list_statements(store, dataset):
        if one.response not in touched:
            continue
        row = found.get(one.name)
        if row is None:
            piece = StatementChange(one.name, "kept", one.statement, one.statement)
        else:
            piece = StatementChange(
                one.name,
                row["action"],
                one.statement,
                row["text"],
                row["url"],
                row["reason"],
                row["verdict"],
            )
        answers.setdefault(one.response, []).append(piece)
    return [CleanedAnswer(name, tuple(pieces)) for name, pieces in answers.items()]


def diff_words(before: str, after: str) -> tuple[Word, ...]:
    """Two texts compared word by word; consecutive words that are the same form one piece."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    made: list[Word] = []
    for same, there, here in stretches_of_same_and_changed_words(old, new):
        gone, come = "".join(old[there]), "".join(new[here])
        if same:
            made.append(Word("same", gone))
            continue
        made += [Word("old", gone)] if gone else []
        made += [Word("new", come)] if come else []
    return tuple(made)
