"""Arabic, Persian and Hebrew texts for a page that is drawn sign by sign from the left: letters in
the form that joins them to their neighbours, and each line in the order in which it is seen.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

_RIGHT_TO_LEFT = ("R", "AL")
_FIRST = "\u0590"
"""No sign before this one is written from the right."""
_LAM, _ALEFS, _STROKE = "\u0644", "\u0622\u0623\u0625\u0627", "\u0640"
_BLOCKS = (range(0xFB50, 0xFE00), range(0xFE70, 0xFF00))
"""Unicode's forms of Arabic letters."""
_PAIRS = ("()", "[]", "{}", "<>", "«»", "‹›", "≤≥")
_MIRRORED = {sign: pair[1 - at] for pair in _PAIRS for at, sign in enumerate(pair)}
"""Signs that are drawn the other way round where a text runs from the right."""


def is_paragraph_right_to_left(text: str) -> bool:
    """Whether a paragraph begins on the right: its first letter is of such a script."""
    if not has_right_to_left_signs(text):
        return False
    kinds = (unicodedata.bidirectional(sign) for sign in text)
    return next((kind in _RIGHT_TO_LEFT for kind in kinds if kind in ("L", *_RIGHT_TO_LEFT)), False)


def has_right_to_left_signs(text: str) -> bool:
    """Whether any sign of a text is written from the right."""
    return any(
        sign >= _FIRST and unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in text
    )


@cache
def _forms() -> tuple[Mapping[str, Mapping[str, str]], Mapping[tuple[str, str], str]]:
    """The forms of each Arabic letter by where it stands in a word, and those of lam with an alef
    by the alef and where they stand.
    """
    single: dict[str, dict[str, str]] = {}
    lam_alef: dict[tuple[str, str], str] = {}
    for code in (code for block in _BLOCKS for code in block):
        where, *parts = unicodedata.decomposition(chr(code)).split() or [""]
        letters = [chr(int(part, 16)) for part in parts]
        if len(letters) == 1:
            single.setdefault(letters[0], {})[where.strip("<>")] = chr(code)
        elif len(letters) == 2 and letters[0] == _LAM and letters[1] in _ALEFS:
            lam_alef[letters[1], where.strip("<>")] = chr(code)
    return single, lam_alef


def replace_letters_by_joined_forms(text: str) -> str:
    """The text with each Arabic letter in the form that its neighbours ask for."""
    if not has_right_to_left_signs(text):
        return text
    return "".join(_joined(text))


def _joined(text: str) -> Iterator[str]:
    single, lam_alef = _forms()

    def neighbour(at: int, step: int) -> str:
        at += step
        # Vowel signs stand above or below the letters that they do not part.
        while 0 <= at < len(text) and unicodedata.category(text[at]) == "Mn":
            at += step
        return text[at] if 0 <= at < len(text) else ""

    def joins_next(sign: str) -> bool:
        return sign == _STROKE or "initial" in single.get(sign, {})

    def joins_previous(sign: str) -> bool:
        return sign == _STROKE or "final" in single.get(sign, {})

    skipped = False
    for at, sign in enumerate(text):
        if skipped:
            skipped = False
            continue
        forms = single.get(sign)
        if not forms:
            yield sign
            continue
        after_joined = joins_next(neighbour(at, -1))
        if sign == _LAM and text[at + 1 : at + 2] and text[at + 1] in _ALEFS:
            yield lam_alef[text[at + 1], "final" if after_joined else "isolated"]
            skipped = True
            continue
        before_joined = joins_next(sign) and joins_previous(neighbour(at, 1))
        where = {
            (True, True): "medial",
            (True, False): "final",
            (False, True): "initial",
            (False, False): "isolated",
        }[after_joined, before_joined]
        yield forms.get(where, sign)


def reorder_line_left_to_right(line: str, *, from_the_right: bool) -> str:
    """A line's signs from left to right as they are seen, by Unicode's rules for both directions
    (UAX 9); ``from_the_right``: its paragraph begins there.
    """
    if not has_right_to_left_signs(line):
        return line
    from fpdf.bidi import BidiParagraph
    from fpdf.enums import TextDirection

    direction = TextDirection.RTL if from_the_right else TextDirection.LTR
    ordered = BidiParagraph(text=line, base_direction=direction).get_reordered_characters()
    # What opens on the right closes on the left.
    return "".join(
        _MIRRORED.get(one.character, one.character) if one.embedding_level % 2 else one.character
        for one in ordered
    )
