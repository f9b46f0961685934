"""Where marked words stand in a text once the text has been corrected."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_COMPARED = 6_000
"""Words and signs between the first and the last change that are compared one by one."""


@dataclass(frozen=True)
class CarriedAnswer:
    """An answer as it stands in its item's corrected text.

    ``value`` is the answer: its marks are at their new places, and those whose words are gone have
    no place. ``kept`` counts the former, ``lost`` has the words of the latter. ``sound`` is the
    answer without them, which tells whether the rest still keeps the task's rules. ``unfit`` says
    why it cannot stand, as a sentence, if what it answers was changed; otherwise it is empty.
    """

    value: Any
    sound: Any
    kept: int = 0
    lost: tuple[str, ...] = ()
    unfit: str = ""


def find_place_in_corrected_text(
    before: str, after: str, start: int, end: int
) -> tuple[int, int] | None:
    """Where ``before[start:end]`` stands in the corrected text (code points, half open): where it
    was, shifted by what changed around it, or else where its words stand if they do so once in
    both. None if its words were changed.
    """
    if not 0 <= start < end <= len(before):
        return None
    for was, now, length in _unchanged_passages(before, after):
        if was <= start and end <= was + length:
            return start - was + now, end - was + now
    words = before[start:end]
    if before.count(words) == 1 and after.count(words) == 1:
        at = after.index(words)
        return at, at + len(words)
    return None


@lru_cache(maxsize=64)
def _unchanged_passages(before: str, after: str) -> tuple[tuple[int, int, int], ...]:
    """(place before, place after, length) of the passages that both texts have, in order."""
    if before == after:
        return ((0, 0, len(before)),)
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    most -= head
    tail = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    between_old, between_new = old[head : len(old) - tail], new[head : len(new) - tail]
    passages = [(0, 0, head)]
    if max(len(between_old), len(between_new)) <= _MOST_COMPARED:
        # Without its guess at junk, which takes common words of a long text for nothing.
        compared = SequenceMatcher(None, between_old, between_new, autojunk=False)
        passages += [
            (head + one.a, head + one.b, one.size) for one in compared.get_matching_blocks()
        ]
    passages.append((len(old) - tail, len(new) - tail, tail))
    at_old, at_new = _beginnings(old), _beginnings(new)
    return tuple(
        (at_old[a], at_new[b], at_old[a + size] - at_old[a]) for a, b, size in passages if size
    )


def _beginnings(tokens: list[str]) -> list[int]:
    places = [0]
    for token in tokens:
        places.append(places[-1] + len(token))
    return places
