"""Texts that raters rewrite: what changed against the item's text, and how much.

Words are compared, not characters. The share of words changed is one minus the Dice coefficient of
the two texts' words: of all words of both, those in only one of them, each as often as it stands
there. It is 0 if every word stays, wherever it went, and 1 if none does. Punctuation, and words
that stay elsewhere in the text, are shown as changed but not counted.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import Match, SequenceMatcher
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, Literal
from unicodedata import category

from medlens.config.forms import REWRITE, UNCHANGED, Form, Question
from medlens.studies.own.arms import with_end

CHANGED, KEPT = "changed", "not changed"
"""What is counted of an answer."""
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LETTER = rf"(?:(?![{_IDEOGRAPH}])[^\W_])"
_MOST_STEPS = 1_000_000
"""As many pairs of equal words may be looked at (about a tenth of a second) before what is not yet
compared is compared in one pass."""
_LEVELS = 8
"""How often a passage is split where two texts meet before its rest counts as changed."""

Where = Literal["same", "gone", "new"]


@dataclass(frozen=True)
class Difference:
    """A text compared with its original."""

    original: str
    text: str

    @cached_property
    def pieces(self) -> tuple[tuple[Where, str], ...]:
        """What stays, is gone, or is new, in reading order. What was moved is gone and new."""
        before, after = _tokens(self.original), _tokens(self.text)
        old, new = ([token.rstrip() for token in tokens] for tokens in (before, after))
        pieces: list[tuple[Where, str]] = []
        at, to = 0, 0
        for a, b, size in [*_same_passages(old, new), (len(old), len(new), 0)]:
            pieces += [("gone", "".join(before[at:a]))] if a > at else []
            pieces += [("new", "".join(after[to:b]))] if b > to else []
            pieces += [("same", "".join(after[b : b + size]))] if size else []
            at, to = a + size, b + size
        return tuple(pieces)

    @cached_property
    def before(self) -> int:
        """The number of words of the original."""
        return self._words[0].total()

    @cached_property
    def after(self) -> int:
        """The number of words of the text."""
        return self._words[1].total()

    @cached_property
    def removed(self) -> int:
        """The number of the original's words that are not in the text."""
        before, after = self._words
        return (before - after).total()

    @cached_property
    def added(self) -> int:
        """The number of the text's words that are not in the original."""
        before, after = self._words
        return (after - before).total()

    @property
    def share(self) -> float:
        """The share of words changed."""
        return (self.removed + self.added) / max(self.before + self.after, 1)

    @cached_property
    def _words(self) -> tuple[Counter[str], Counter[str]]:
        before, after = (
            Counter(token.rstrip() for token in _tokens(text) if token[0].isalnum())
            for text in (self.original, self.text)
        )
        return before, after


@lru_cache(maxsize=8192)
def difference(original: str, text: str) -> Difference:
    """What was changed in ``original`` to make ``text``; spacing between words does not count."""
    return Difference(original, text)


def _tokens(text: str) -> list[str]:
    """The words and marks of a text, each with the space after it."""
    return _pattern().findall(text)


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    """A word (with its hyphens, apostrophes, digits and decimals), an ideograph, or a mark.

    Signs that are written onto letters (accents, the vowels of Hindi) belong to the word.
    """
    marks = "".join(chr(at) for at in range(0x300, 0x10000) if category(chr(at))[0] == "M")
    inside = rf"{_LETTER}|[{marks}]|(?<=\d)[.,](?=\d)|[-'’\u2010\u2011](?={_LETTER})"
    return re.compile(rf"(?:{_LETTER}(?:{inside})*|\S)\s*")


Passage = tuple[int, int, int]
"""Where a passage that stays begins in the old and in the new words, and how many it has."""
Region = tuple[int, int, int, int]
"""From and to in the old, and in the new words."""


def _same_passages(old: list[str], new: list[str]) -> list[Passage]:
    """The passages that stay, in order: the longest first, then the longest beside it, and so on.

    What is left after ``_MOST_STEPS`` is compared by ``_by_rare_words``.
    """
    matcher = _Bounded(old, new)
    blocks = [(a, b, size) for a, b, size in matcher.get_matching_blocks() if size]
    for region in matcher.skipped:
        blocks += _by_rare_words(old, new, region)
    joined: list[Passage] = []
    for a, b, size in sorted(blocks):
        if joined and (a, b) == (joined[-1][0] + joined[-1][2], joined[-1][1] + joined[-1][2]):
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + size)
        else:
            joined.append((a, b, size))
    return joined


class _Bounded(SequenceMatcher[str]):
    """Compares words until that takes too many steps; ``skipped`` are the regions it left out."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__(None, old, new, autojunk=False)
        self.skipped: list[Region] = []
        self._ends = len(old), len(new)
        self._left = _MOST_STEPS
        times = Counter(new)
        self._steps = [0, *accumulate(1 + times[word] for word in old)]

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        """The longest passage that a region has in both, or none if that takes too long."""
        ahi = self._ends[0] if ahi is None else ahi
        bhi = self._ends[1] if bhi is None else bhi
        steps = self._steps[ahi] - self._steps[alo]
        if steps > self._left:
            self.skipped.append((alo, ahi, blo, bhi))
            return Match(alo, blo, 0)
        self._left -= steps
        return super().find_longest_match(alo, ahi, blo, bhi)


def _by_rare_words(
    old: list[str], new: list[str], region: Region, levels: int = _LEVELS
) -> list[Passage]:
    """Passages of a region that stay, each of one word, in n log n steps (patience diff).

    Words that each side has once are met first, in the longest order that both have; the words
    between two such meetings likewise. Where each word is repeated, the first meets the first, the
    second the second.
    """
    alo, ahi, blo, bhi = region
    while alo < ahi and blo < bhi and old[alo] == new[blo]:
        alo, blo = alo + 1, blo + 1
    while alo < ahi and blo < bhi and old[ahi - 1] == new[bhi - 1]:
        ahi, bhi = ahi - 1, bhi - 1
    same = [(region[0] + at, region[2] + at, 1) for at in range(alo - region[0])]
    same += [(ahi + at, bhi + at, 1) for at in range(region[1] - ahi)]
    if not levels or alo == ahi or blo == bhi:
        return same
    met = _longest_order(_meetings(old[alo:ahi], new[blo:bhi]))
    if not met:
        return same
    at, to = alo, blo
    for a, b in [*((alo + a, blo + b) for a, b in met), (ahi, bhi)]:
        same += _by_rare_words(old, new, (at, a, to, b), levels - 1)
        same += [(a, b, 1)] if a < ahi else []
        at, to = a + 1, b + 1
    return same


def _meetings(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Where in both lists the same word stands, by its place in ``old``; each place once."""
    once, other = Counter(old), Counter(new)
    rare = {word for word, times in once.items() if times == 1 == other[word]}
    places: dict[tuple[str, int], int] = {}
    seen: Counter[str] = Counter()
    for to, word in enumerate(new):
        places[word, seen[word]] = to
        seen[word] += 1
    seen.clear()
    met = []
    for at, word in enumerate(old):
        if (not rare or word in rare) and (word, seen[word]) in places:
            met.append((at, places[word, seen[word]]))
        seen[word] += 1
    return met


def _longest_order(met: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most pairs that rise in both places; they come by the first."""
    ends: list[int] = []  # The least second place at which so many pairs can end.
    last: list[int] = []  # Which pair that is.
    before: list[int] = []
    for at, (_, to) in enumerate(met):
        length = bisect_left(ends, to)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [to]
        last[length : length + 1] = [at]
    kept = []
    at = last[-1] if last else -1
    while at >= 0:
        kept.append(met[at])
        at = before[at]
    return kept[::-1]


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
    "removed": "words of the item's text that the new one does not have",
    "added": "words of the new text that the item's does not have",
    "share": "of all words of both texts, the share that stands in one alone",
}
"""The columns after a rewritten answer's own, ``ID_…``, and what they mean."""
