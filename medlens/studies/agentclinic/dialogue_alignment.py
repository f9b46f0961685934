"""Two dialogues of one case side by side: which turns correspond, and what differs.

The turns are aligned like sequences (Needleman and Wunsch 1970), so both keep their order: a turn
is placed beside one of the same speaker that shares words with it. Between two such lines, the
remaining turns are paired if the same one speaks: what was said instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from medlens.review.word_diff import stretches_of_same_and_changed_words
from medlens.studies.agentclinic.records import Turn
from medlens.studies.agentclinic.word_stems_and_phrase_places_in_text import turn_words

LEAST = 0.12
"""The share of words that two turns must have in common to be placed side by side."""

_PIECE = re.compile(r"\S+|\s+")


class AlignedTurns(NamedTuple):
    """A line of the comparison: a turn of each dialogue, or of only one.

    ``alike`` is the share of their content words that both have (Jaccard), 0 for only one.
    """

    left: Turn | None
    right: Turn | None
    alike: float = 0.0


class Piece(NamedTuple):
    """A stretch of a turn; ``own`` if the turn beside it does not have it."""

    text: str
    own: bool


def align_dialogues(left: Sequence[Turn], right: Sequence[Turn]) -> list[AlignedTurns]:
    """The turns of two dialogues side by side, each once, in order."""
    alike = [[_alike(a, b) for b in right] for a in left]
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            both = alike[i][j] + best[i + 1][j + 1] if alike[i][j] >= LEAST else -1.0
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    rows: list[AlignedTurns] = []
    i = j = 0
    while i < len(left) and j < len(right):
        both = alike[i][j] + best[i + 1][j + 1]
        if alike[i][j] >= LEAST and both >= best[i][j]:
            rows.append(AlignedTurns(left[i], right[j], alike[i][j]))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            rows.append(AlignedTurns(left[i], None))
            i += 1
        else:
            rows.append(AlignedTurns(None, right[j]))
            j += 1
    rows += [AlignedTurns(turn, None) for turn in left[i:]]
    rows += [AlignedTurns(None, turn) for turn in right[j:]]
    return list(_instead(rows))


def _instead(rows: Sequence[AlignedTurns]) -> Iterator[AlignedTurns]:
    """In a stretch of turns without partners, pair them in order if the speakers are the same."""
    lefts: list[Turn] = []
    rights: list[Turn] = []
    for row in [*rows, AlignedTurns(None, None)]:
        if (row.left is None) is not (row.right is None):
            lefts += [row.left] if row.left else []
            rights += [row.right] if row.right else []
            continue
        while lefts and rights:
            if lefts[0].speaker == rights[0].speaker:
                yield AlignedTurns(lefts.pop(0), rights.pop(0))
            elif len(lefts) >= len(rights):
                yield AlignedTurns(lefts.pop(0), None)
            else:
                yield AlignedTurns(None, rights.pop(0))
        yield from (AlignedTurns(turn, None) for turn in lefts)
        yield from (AlignedTurns(None, turn) for turn in rights)
        lefts, rights = [], []
        if row.left is not None:
            yield row


def _alike(one: Turn, other: Turn) -> float:
    if one.speaker != other.speaker:
        return 0.0
    if one.text.split() == other.text.split():
        return 1.0
    first, second = turn_words(one.text), turn_words(other.text)
    return len(first & second) / len(first | second) if first | second else 0.0


def split_text_by_shared_words(text: str, other: str) -> list[Piece]:
    """Split a text word by word into what ``other`` also has and what it lacks; no letter is lost.

    Capitals, and punctuation at the ends of words, make no difference.
    """
    mine, theirs = (_PIECE.findall(one) for one in (text, other))
    plain = [[piece.strip(".,;:!?\"'()").casefold() for piece in one] for one in (mine, theirs)]
    found: list[Piece] = []
    for same, here, _ in stretches_of_same_and_changed_words(*plain):
        part = "".join(mine[here])
        own = not same and bool(part.strip())
        if not part:
            continue
        if found and found[-1].own is own:
            found[-1] = Piece(found[-1].text + part, own)
        else:
            found.append(Piece(part, own))
    return found
