"""Words as readers see them in a text that writes them otherwise: split by signs that nobody sees,
by Markdown or HTML ("Cl**au**de", "<b>Cl</b>aude"), with HTML's names for signs ("&#67;laude"), or
with letters that look like Latin ones.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from medlens.deferred_regex import compile_later

INVISIBLE_SIGNS = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
"""Signs without width, as a part of a character class."""
_LETTERS_BEFORE_THOSE_LIKE_THEM = """
AАΑ BВΒ CСϹ EЕΕ FϜ GԌ HНΗ IІΙӀ JЈ KКΚ MМΜ NΝ OОΟՕ PРΡ QԚ SЅՏ TТΤ UՍ VѴ WԜ XХΧ
YУΥҮ ZΖ aаαɑ bЬь cсϲ dԁ eеεєҽ gɡԍց hһհ iіιɩ jјϳ kкκ lӏ mм nпηո oоοօσ pрρ qԛ rгᴦ
sѕ tтτ uսυ vѵν wԝω xхχ yуү
"""
_LOOKALIKES = {
    lookalike: letters[0]
    for letters in _LETTERS_BEFORE_THOSE_LIKE_THEM.split()
    for lookalike in letters[1:]
}
"""Cyrillic, Greek, Armenian and phonetic letters by which a Latin one can be replaced unseen."""
_FROM_NO_ALPHABET = "ϹϲϜԌԍӀӏѴѵԚԛԜԝԁҽɑɡɩϳᴦ"
"""Those of them that the words of hardly any language have beside the others."""
_SMALL_CAPITALS = dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))
_LINES_THROUGH_LETTERS = r"\u0305\u0332\u0333\u0335-\u0338\u20d0-\u20f0"
_OTHER_SHAPES = (
    r"\uff01-\uff5e\U0001d400-\U0001d7ffℂℊ-ℓℕℙ-ℝℤℬℭℯ-ℴⅠ-ⅿⒶ-ⓩﬀ-ﬆ\U0001f130-\U0001f149"
    + "".join(_SMALL_CAPITALS)
)
_BESIDE_LATIN = "".join(_LOOKALIKES)


class _Edit(NamedTuple):
    """What is read in place of a stretch of a text; ``pair`` is where the other half stands of what
    it begins or ends, such as the other tag.
    """

    start: int
    end: int
    seen: str = ""
    pair: tuple[int, int] | None = None


_TAG = compile_later(
    r"<!--[^<>]{0,500}-->|<(?P<closes>/?)(?P<tag>(?i:a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|font|i"
    r"|ins|kbd|label|mark|nobr|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr))"
    r"(?:[\s/][^<>]{0,500})?>"
)
"""Tags that do not end a word."""
_LINK = compile_later(
    r"(?P<begin>!?\[)(?P<words>[^\[\]\n]{0,200})"
    r"(?P<address>\](?:\([^()\n]{0,500}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|\[[^\[\]\n]{0,200}\]))"
)
_SIGN_BY_NAME = compile_later(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Each sign is taken in one way alone: a long run of stars would be tried in all ways otherwise.
_UNSEEN = compile_later(rf"(?<=[\w.-])(?:[*`{INVISIBLE_SIGNS}]|~~)+(?=[\w.-])")
_ANY_UNSEEN = compile_later(f"[*~`{INVISIBLE_SIGNS}]")
_OTHERWISE_SHAPED = compile_later(f"[İı{_LINES_THROUGH_LETTERS}{_OTHER_SHAPES}]")
_ANY_LOOKALIKE = (
    rf"[A-Za-z](?:[- \u2010-\u2015]?\d[\d.]{{0,3}})?[{_BESIDE_LATIN}]|[{_BESIDE_LATIN}][A-Za-z]"
    rf"|[{_FROM_NO_ALPHABET}]"
)
_HAS_LOOKALIKE = compile_later(_ANY_LOOKALIKE)
_WORD = compile_later(rf"[\w.\-\u2010-\u2015]+(?: \d[\d.]*[{_BESIDE_LATIN}](?!\w))?")
_PART_OF_WORD = compile_later(r"[^\W_]+")
_LATIN_OR_FROM_NO_ALPHABET = compile_later(f"[A-Za-z{_FROM_NO_ALPHABET}]")
PATTERN_OF_TEXTS_READ_OTHERWISE = re.sub(
    r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})",
    lambda code: rf"\x{{{code[1] or code[2]}}}",
    rf"[\pL\d_.-](?:[*`{INVISIBLE_SIGNS}]|~~)+[\pL\d_.-]"
    # Tags and links split a word only where one is beside them.
    r"|[\pL\d.-]<[A-Za-z/!]|[A-Za-z\x22'/-]>[\pL\d.-]"
    r"|[\pL\d.-]!?\[[^\[\]\n]{0,200}\][(\[]|\][(\[][^()\[\]\n]{0,200}[)\]]+[*_]{0,3}[\pL\d.-]"
    r"|&#?\w+;"
    rf"|[İı{_LINES_THROUGH_LETTERS}{_OTHER_SHAPES}]|{_ANY_LOOKALIKE}",
)
"""A pattern of RE2 which each text has that is not read as it is written, and a few others."""


def text_as_readers_see_it(text: str) -> str:
    """The text with each word as it is seen once the text is drawn; itself if it has none that is
    written otherwise.
    """
    for list_edits in _STEPS:
        if edits := list_edits(text):
            text = _edited(text, edits)
    return text


def text_and_its_words_as_seen(text: str) -> str:
    """The text, and once more as it is seen if that differs: for whoever looks for words."""
    seen = text_as_readers_see_it(text)
    return text if seen == text else f"{text}\n{seen}"


def places_in_original(text: str, places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where what begins and ends at these ``places`` of ``text_as_readers_see_it`` stands in the
    ``text``: with the other half of a pair of signs or tags of which one is inside.
    """
    steps: list[tuple[str, list[_Edit]]] = []
    for list_edits in _STEPS:
        if edits := list_edits(text):
            steps.append((text, edits))
            text = _edited(text, edits)
    found = list(places)
    for before, edits in reversed(steps):
        found = _places_before(before, edits, found)
    return found


def _edited(text: str, edits: Sequence[_Edit]) -> str:
    parts, behind = [], 0
    for edit in edits:
        parts += [text[behind : edit.start], edit.seen]
        behind = edit.end
    return "".join([*parts, text[behind:]])


def _places_before(
    text: str, edits: Sequence[_Edit], places: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Where these places of an edited text stand in the ``text`` before."""
    begins: list[int] = []
    stretches: list[tuple[int, int, bool]] = []
    length = behind = 0
    for edit in [*edits, _Edit(len(text), len(text))]:
        if edit.start > behind:
            begins.append(length)
            stretches.append((behind, edit.start, False))
            length += edit.start - behind
        if edit.seen:
            begins.append(length)
            stretches.append((edit.start, edit.end, True))
            length += len(edit.seen)
        behind = edit.end

    def sign_before(at: int) -> tuple[int, int]:
        number = bisect_right(begins, at) - 1
        start, end, replaced = stretches[number]
        first = start + at - begins[number]
        return (start, end) if replaced else (first, first + 1)

    return [
        _with_other_halves(text, edits, sign_before(start)[0], sign_before(end - 1)[1])
        for start, end in places
    ]


def _with_other_halves(text: str, edits: Sequence[_Edit], begin: int, stop: int) -> tuple[int, int]:
    inside = [edit for edit in edits if begin <= edit.start and edit.end <= stop]
    # The innermost pair first.
    for start, end in sorted(one.pair for one in inside if one.pair):
        if start == stop:
            stop = end
    for start, end in sorted((one.pair for one in inside if one.pair), reverse=True):
        if end == begin:
            begin = start
    signs = [text[one.start : one.end] for one in inside if not (one.pair or one.seen)]
    for sign in {one for one in signs if signs.count(one) % 2}:
        if text.startswith(sign, stop):
            stop += len(sign)
        elif text.endswith(sign, 0, begin):
            begin -= len(sign)
    return begin, stop


def _tags(text: str) -> list[_Edit]:
    if "<" not in text:
        return []
    found: list[_Edit] = []
    opened: dict[str, list[int]] = {}
    for tag in _TAG.finditer(text):
        called = (tag["tag"] or "").casefold()
        pair = None
        if tag["closes"] and opened.get(called):
            first = opened[called].pop()
            pair = found[first].start, found[first].end
            found[first] = found[first]._replace(pair=tag.span())
        elif called and not tag["closes"]:
            opened.setdefault(called, []).append(len(found))
        found.append(_Edit(*tag.span(), pair=pair))
    return found


def _links(text: str) -> list[_Edit]:
    if "](" not in text and "][" not in text:
        return []
    return [
        _Edit(*link.span(part), pair=link.span(other))
        for link in _LINK.finditer(text)
        for part, other in (("begin", "address"), ("address", "begin"))
    ]


def _signs_by_name(text: str) -> Iterator[_Edit]:
    for sign in _SIGN_BY_NAME.finditer(text) if "&" in text else ():
        seen = html.unescape(sign[0])
        if seen != sign[0]:
            yield _Edit(*sign.span(), seen)


def _unseen_signs(text: str) -> Iterator[_Edit]:
    for signs in _UNSEEN.finditer(text) if _ANY_UNSEEN.search(text) else ():
        yield _Edit(*signs.span())


def _other_shapes(text: str) -> Iterator[_Edit]:
    for found in _OTHERWISE_SHAPED.finditer(text) if not text.isascii() else ():
        sign = found[0]
        seen = {"İ": "I", "ı": "i"}.get(sign) or _SMALL_CAPITALS.get(sign)
        if unicodedata.combining(sign):
            seen = ""
        yield _Edit(*found.span(), unicodedata.normalize("NFKC", sign) if seen is None else seen)


def _lookalikes(text: str) -> Iterator[_Edit]:
    """Letters like Latin ones in words that have Latin ones too, or that no language has."""
    if text.isascii() or not _HAS_LOOKALIKE.search(text):
        return
    for word in _WORD.finditer(text):
        if word[0].isascii() or not _LATIN_OR_FROM_NO_ALPHABET.search(word[0]):
            continue
        for part in _PART_OF_WORD.finditer(text, *word.span()):
            others = {letter for letter in part[0] if not letter.isascii()}
            if others <= _LOOKALIKES.keys():
                for at, letter in enumerate(part[0], part.start()):
                    if letter in others:
                        yield _Edit(at, at + 1, _LOOKALIKES[letter])


def _as_list(step: Callable[[str], Iterator[_Edit]]) -> Callable[[str], list[_Edit]]:
    return lambda text: list(step(text))


_STEPS: tuple[Callable[[str], list[_Edit]], ...] = (
    _tags,
    _links,
    _as_list(_signs_by_name),
    _as_list(_unseen_signs),
    _as_list(_other_shapes),
    _as_list(_lookalikes),
)
