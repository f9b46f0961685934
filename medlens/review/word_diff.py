"""The passages that two texts have in common, word by word, in bounded time.

Sources: Ratcliff and Metzener (1988), Pattern matching: the gestalt approach (``difflib``); Cohen,
patience diff (the words that each text has once, in the longest order that both have).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from difflib import Match, SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

_MOST_STEPS = 1_000_000
"""As many pairs of equal words may be looked at (about a tenth of a second) before what is not yet
compared is compared in one pass."""
_LEVELS = 8
"""How often a passage is split where two texts meet before its rest counts as changed."""

Passage = tuple[int, int, int]
"""Where a passage begins in the old and in the new words, and how many words it has."""
Region = tuple[int, int, int, int]
"""From and to in the old, and in the new words."""


class Stretch(NamedTuple):
    """A stretch of two lists of words: whether it is the same, and where it lies in each."""

    same: bool
    old: slice
    new: slice


def stretches_of_same_and_changed_words(old: list[str], new: list[str]) -> Iterator[Stretch]:
    """Both lists from end to end, what is the same and what differs in turn; none is empty."""
    at, to = 0, 0
    for a, b, size in [*passages_in_common(old, new), (len(old), len(new), 0)]:
        if a > at or b > to:
            yield Stretch(False, slice(at, a), slice(to, b))
        at, to = a + size, b + size
        if size:
            yield Stretch(True, slice(a, at), slice(b, to))


def passages_in_common(old: list[str], new: list[str]) -> list[Passage]:
    """The passages that both lists of words have, in reading order, as ``difflib`` finds them: the
    longest, then the longest before and after it, and so on.

    That can take time with the cube of the words; what is left after ``_MOST_STEPS`` is compared by
    ``_by_rare_words``, in which passages may be shorter.
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
