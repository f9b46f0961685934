"""Texts that raters rewrite: what changed against the item's text, and how much.

Words are compared, not characters. The share of words changed is one minus the Dice coefficient of
the two texts' words: of all words of both, those in only one of them. It is 0 if every word stays
and 1 if none does; punctuation is shown as changed but not counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from typing import Any, Literal

from medlens.config.forms import REWRITE, UNCHANGED, Form, Question
from medlens.studies.own.arms import with_end

CHANGED, KEPT = "changed", "not changed"
"""What is counted of an answer."""
_TOKEN = re.compile(
    r"(?:[\u3040-\u30ff\u3400-\u9fff]|\d+(?:[.,]\d+)*|[^\W\d_]+(?:[-'’][^\W\d_]+)*|\S)\s*"
)
_MOST_PAIRS = 1_000_000
"""Beyond this many pairs of equal words in the two texts, the most frequent words are not aligned.
"""

Where = Literal["same", "gone", "new"]


@dataclass(frozen=True)
class Difference:
    """A text compared with its original: pieces that stay, are gone, or are new, in reading order,
    and the number of words each text has and lost or gained.
    """

    pieces: tuple[tuple[Where, str], ...]
    before: int
    after: int

    @cached_property
    def removed(self) -> int:
        """The number of the original's words that are gone."""
        return self._words("gone")

    @cached_property
    def added(self) -> int:
        """The number of words that are new."""
        return self._words("new")

    @property
    def share(self) -> float:
        """The share of words changed."""
        return (self.removed + self.added) / max(self.before + self.after, 1)

    def _words(self, where: Where) -> int:
        return sum(_count(text) for kind, text in self.pieces if kind == where)


@lru_cache(maxsize=8192)
def difference(original: str, text: str) -> Difference:
    """What was changed in ``original`` to make ``text``; spacing between words does not count."""
    before, after = _TOKEN.findall(original), _TOKEN.findall(text)
    old, new = ([one.rstrip() for one in words] for words in (before, after))
    counts = Counter(new)
    pairs = sum(count * counts[word] for word, count in Counter(old).items())
    pieces: list[tuple[Where, str]] = []
    matcher = SequenceMatcher(None, old, new, autojunk=pairs > _MOST_PAIRS)
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            pieces.append(("same", "".join(after[c:d])))
            continue
        pieces += [("gone", "".join(before[a:b]))] if b > a else []
        pieces += [("new", "".join(after[c:d]))] if d > c else []
    return Difference(tuple(pieces), _count(original), _count(text))


def _count(text: str) -> int:
    return sum(token[0].isalnum() for token in _TOKEN.findall(text))


def of_answer(question: Question, answer: Any) -> Difference:
    """What an answer to an item's question changed in its text."""
    text = question.original if answer in (None, UNCHANGED) else str(answer)
    return difference(question.original, text)


def in_short(question: Question, answer: str) -> str:
    """How much an answer changed, in words."""
    found = of_answer(question, answer)
    if answer in ("", UNCHANGED):
        return UNCHANGED if answer else ""
    return f"words: {found.removed:,} out, {found.added:,} in, of {found.before:,}"


def unchanged(question: Question, text: str) -> str:
    """An answer as it is stored: ``UNCHANGED`` if the text is the original."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return UNCHANGED if question.original and text == question.original else text


def rewritten(form: Form) -> dict[str, Question]:
    """The questions of a form that are answered by rewriting, by id."""
    return {one.id: one for one in form.questions if one.kind == REWRITE}


def was_changed(question: Question) -> Question:
    """Whether a text was changed at all, as a question whose answers can be counted."""
    return replace(question, kind="single", options=(CHANGED, KEPT))


def share_of_words(question: Question) -> Question:
    """The share of words changed, as a question."""
    text = f"{question.text} – share of words changed"
    name = with_end(question.id, "share")
    return replace(question, id=name, kind="number", text=text, minimum=0, maximum=1)


def counts_of(question: Question, answer: Any) -> Mapping[str, Any]:
    """The further columns of an answer in exports, by the end of their names."""
    if answer is None:
        return dict.fromkeys(COLUMNS)
    found = of_answer(question, answer)
    how = KEPT if answer == UNCHANGED else CHANGED
    return dict(zip(COLUMNS, (how, found.removed, found.added, round(found.share, 4)), strict=True))


COLUMNS: Mapping[str, str] = {
    "changed": "whether the text was changed at all",
    "removed": "words of the item's text that are gone",
    "added": "words that are new",
    "share": "of all words of both texts, the share that stands in one alone",
}
"""The columns after a rewritten answer's own, ``ID_…``, and what they mean."""
