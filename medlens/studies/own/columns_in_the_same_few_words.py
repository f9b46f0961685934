"""Columns whose cells are of the same few words, as where several judged each case ("Urgent")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_FEWEST_ROWS, _FEWEST_SHARED, _MOST_WORDS, _LONGEST_WORD = 3, 2, 10, 40
_SAID_OF_ANYTHING = frozenset(
    [
        *("yes", "no", "ja", "nein", "oui", "non", "sí", "si", "sì", "sim", "não", "nee", "evet"),
        *("true", "false", "y", "n", "j", "x", "unknown", "unklar", "unbekannt", "none", "keine"),
        *("positive", "negative", "positiv", "negativ", "pos", "neg", "normal", "abnormal"),
        *("present", "absent", "left", "right", "both", "links", "rechts", "never", "current"),
        *("mild", "moderate", "severe", "leicht", "mittel", "schwer", "low", "medium", "high"),
        *("male", "female", "m", "f", "w", "d", "+", "-", "++", "+++", "former", "not tested"),
    ]
)
"""Words for findings of any kind: two symptoms that share them are not one thing said twice."""


def group_columns_by_shared_words(texts: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The columns, of those with these filled cells, that say the same few words of the cases,
    together in lists of at least three, each column in one of them.
    """
    said = {name: words for name, cells in texts.items() if (words := _few_words(cells))}
    groups: list[list[str]] = []
    for name, words in said.items():
        for group in groups:
            together = frozenset().union(*(said[one] for one in group))
            if len(together & words) >= _FEWEST_SHARED and len(together | words) <= _MOST_WORDS:
                group.append(name)
                break
        else:
            groups.append([name])
    return [group for group in groups if len(group) > _FEWEST_SHARED]


def _few_words(cells: Sequence[str]) -> frozenset[str]:
    """What cells hold, if these are few words that come again and that not anything is said with;
    otherwise empty.
    """
    words = frozenset(cell.strip().casefold() for cell in cells)
    if len(cells) < _FEWEST_ROWS or not _FEWEST_SHARED <= len(words) < len(cells):
        return frozenset()
    if len(words) > _MOST_WORDS or any(len(word) > _LONGEST_WORD for word in words):
        return frozenset()
    own = words - _SAID_OF_ANYTHING
    are_words = all(any(map(str.isalpha, word)) for word in words)
    return words if are_words and len(own) >= _FEWEST_SHARED else frozenset()
