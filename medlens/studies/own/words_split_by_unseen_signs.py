"""Words that signs split which nobody sees once a text is drawn, such as Markdown's stars in
"Cl*aud*e" and soft hyphens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Each sign is taken in one way alone: a long run of stars would be tried in all ways otherwise.
_UNSEEN = re.compile("(?<=[\\w.-])(?:[*`\u00ad\u200b-\u200d\ufeff]|~~)+(?=[\\w.-])")
_ANY_UNSEEN = re.compile("[*~`\u00ad\u200b-\u200d\ufeff]")


def join_words_split_by_unseen_signs(text: str) -> str:
    """The text without signs inside words that nobody sees; itself if it has none."""
    return _UNSEEN.sub("", text) if _ANY_UNSEEN.search(text) else text


def text_and_its_joined_words(text: str) -> str:
    """The text, and once more without such signs if it has some: for whoever looks for words."""
    joined = join_words_split_by_unseen_signs(text)
    return text if joined == text else f"{text}\n{joined}"


def places_in_original(text: str, places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where what begins and ends at these ``places`` of the joined text stands in the ``text``:
    with the other half of a pair of signs of which one is inside.
    """
    at_joined: list[int] = []
    behind = 0
    for split in _UNSEEN.finditer(text):
        at_joined += range(behind, split.start())
        behind = split.end()
    at_joined += range(behind, len(text))
    found = []
    for start, end in places:
        begin, stop = at_joined[start], at_joined[end - 1] + 1
        inside = [one[0] for one in _UNSEEN.finditer(text, begin, stop)]
        for sign in {one for one in inside if inside.count(one) % 2}:
            if text.startswith(sign, stop):
                stop += len(sign)
            elif text.endswith(sign, 0, begin):
                begin -= len(sign)
        found.append((begin, stop))
    return found
