"""Columns that repeat one of the answers that are compared, such as the whole conversation with the
one that was chosen: shown beside the answers, they would tell which is which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from medlens.studies.own.dialogue_turns import parse_turns_of_dialogue

_SHORTEST = 20
"""Characters from which on two cells that are alike are not so by chance, as short answers are."""
_MOST_OF_IT = 0.6


def columns_that_repeat_an_answer(
    rows: Sequence[Mapping[str, Any]],
    columns: Iterable[str],
    answers: Sequence[str],
    case: str = "",
) -> list[str]:
    """Those of ``columns`` that in at least half of the cases, and in two, hold one of the
    ``answers`` and not all of them. The answers of a case stand in columns of its row or, with
    ``case``, the column that tells cases apart, in a row each.
    """
    cases: dict[str, list[Mapping[str, Any]]] = {}
    for at, row in enumerate(rows):
        cases.setdefault(str(row.get(case)) if case else str(at), []).append(row)
    groups = [list(_answers_of(own, answers)) for own in cases.values()]
    found = []
    for column in columns:
        held = [
            sum(map(_Text(own[0].get(column)).repeats, said)) if len(said) > 1 else 0
            for own, said in zip(cases.values(), groups, strict=True)
        ]
        some = sum(0 < count < len(said) for count, said in zip(held, groups, strict=True))
        if some > 1 and 2 * some >= len(cases):
            found.append(column)
    return found


def _answers_of(rows: Sequence[Mapping[str, Any]], answers: Sequence[str]) -> Iterator[str]:
    for row in rows:
        for name in answers:
            said = _Text(row.get(name)).last
            if len(said) >= _SHORTEST:
                yield said


class _Text:
    """A cell's words, as one text and, of a conversation, those of its last turn."""

    def __init__(self, cell: Any) -> None:
        turns = None if cell is None or isinstance(cell, bool) else parse_turns_of_dialogue(cell)
        words = [one["content"] for one in turns] if turns else ["" if cell is None else str(cell)]
        self.whole = " ".join(" ".join(words).split())
        self.last = " ".join(words[-1].split())

    def repeats(self, answer: str) -> bool:
        """Whether it is the answer, ends with it, or consists of it for the most part."""
        if self.whole.endswith(answer) or self.last == answer:
            return True
        return answer in self.whole and len(answer) >= _MOST_OF_IT * len(self.whole)
