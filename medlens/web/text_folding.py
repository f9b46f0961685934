"""A text as its solid characters with the gap before each, and which gaps are equivalent."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from medlens.deferred_regex import compile_later

SPACE, THIN, LINE, HYPHEN, DASH, COMMA, SOFT, BULLET, DOTS = (1 << n for n in range(9))
"""What may stand in a gap: a space; one within a number; a line's end; a hyphen on the word before
it; a dash; the comma of thousands; a sign that a word is broken; a list's mark; an ellipsis."""
SPACED = SPACE | THIN | LINE | BULLET
DASHED = HYPHEN | DASH

_THIN = "\u2009\u202f\u2007\u2006"
_HYPHENS = "-\u2010\u2011\u2012\u2013\ufe63\uff0d"
_DASHES = "\u2014\u2015\u2212\ufe58"
_BROKEN = "\u00ad\ufffe\x02"
_NOTHING = "\u200b\u200c\u200d\u2060\ufeff\ufffc\u200e\u200f"
_BULLETS = "•‣▪●◦■□▸►∙|"
_SINGLE = "'\u2018\u2019\u201a\u201b\u2032\u02bc`\u00b4\u2039\u203a"
_DOUBLE = '"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb'
_MARKED = compile_later(r"(?:^|(?<=\n))[ \t]*(?:[-–*·](?=[ \t])|>(?=[ \t]+[A-Z\"“]))")
# A space separates thousands only before a group that begins with 0: "2 500 mg" may be two of 500
# mg.
_THOUSANDS = compile_later(
    r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|[1-9]\d{0,2}(?:['\u2019]\d{3})+"
    r"|[1-9]\d{0,2}(?: \d{3})*(?: 0\d\d)(?: \d{3})*)(?![\d,]|\.\d)"
)
_KINDS = {
    **dict.fromkeys(_THIN, THIN),
    **dict.fromkeys(_HYPHENS, HYPHEN),
    **dict.fromkeys(_DASHES, DASH),
    **dict.fromkeys(_BROKEN, SOFT),
    **dict.fromkeys((*_NOTHING, *map(chr, range(0xFE00, 0xFE10))), 0),
    **dict.fromkeys(_BULLETS, BULLET),
}
_OTHERWISE = {
    "æ": "ae",
    "œ": "oe",
    "Æ": "ae",
    "Œ": "oe",
    "⁄": "/",
    "∶": ":",
    "≪": "<<",
    "≫": ">>",
    "×": "x",
    "∼": "~",
    "⩾": "≥",
    "≧": "≥",
    "⩽": "≤",
    "≦": "≤",
}
_TYPED = compile_later(
    r"&(?:lt|gt);=|&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]{2,8});|<=|>=|\+/[-−–]"
    r"|(?<=\d)\s?[º˚](?=\s?[CF]\b)|(?<![^\W\d_])(?:mc|ｍｃ|u)(?=[gｇ](?![^\W_]))"
)
_MEANT = {"&lt;=": "≤", "&gt;=": "≥", "<=": "≤", ">=": "≥", "mc": "µ", "ｍｃ": "µ", "u": "µ"}
"""How signs are typed, or left over from HTML, and what is meant by them."""
_REFERENCES = r"\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*"
_PLACE_IN_WORK = (
    r"\d{1,3}\s?[,:]\s?(?:pp?\.?|pages?|chap(?:ter|\.)|ch\.|tables?|fig(?:ure|\.)|sect(?:ion|\.)"
    r"|box|vol(?:ume|\.)|appendix|paras?\.?)\s?(?:\d{1,4}|[A-Z])(?:\s?[-–]\s?\d{1,4})?"
)
_NAMES = r"[A-Z][\w'’-]+(?:,? (?:et al\.?|(?:and|&) [A-Z][\w'’-]+))?"
_AUTHOR_AND_YEAR = rf"{_NAMES},? (?:1[89]|20)\d\d[a-z]?(?:, pp?\.? ?\d{{1,4}}(?:[-–]\d{{1,4}})?)?"
_RAISED = "[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,2}"
_AFTER_WORD = r"(?:(?<=[^\W\d_]{4})|(?<=[^\W\d_][.,;:!?]))"
_MARKS = compile_later(
    rf"(?<![\d\s(])\s?(?P<square>\[(?:{_REFERENCES}|citation needed|note \d+"
    rf"|(?i:(?:{_REFERENCES}\s?;\s?)?{_PLACE_IN_WORK}(?:\s?;\s?(?:{_PLACE_IN_WORK}|\d{{1,3}}))*)"
    rf"|{_AUTHOR_AND_YEAR}(?:; {_AUTHOR_AND_YEAR})*)\]|(?<!\s)\[[a-z]\])"
    rf"(?![^\W_])|(?<=[^\W\d_.,;:])\s?(?P<round>\((?:{_REFERENCES}"
    rf"|{_AUTHOR_AND_YEAR}(?:; {_AUTHOR_AND_YEAR})*)\))(?=[.,;:]|\s+[^\W\d_]{{2}}|\s*$)"
    rf"|{_AFTER_WORD}(?P<raised>{_RAISED}(?:[,\u207b–-]{_RAISED})*(?![\u207a\u207b])"
    rf"|\^\[{_REFERENCES}\]\^?|\^\d{{1,2}}(?![\d^]))"
    # raised numbers that became plain ones behind the stop of a sentence: "in winter.3,5 Oxygen"
    r"|(?:(?<=[^\W\d_]{3}\.)(?<!approx\.)(?<!sect\.)(?<!chap\.)(?<!\b(?:[Ff]ig|[Vv]ol|[Tt]ab"
    r"|[Aa]rt|[Ss]ec|[Rr]ef|[Cc]ap|[Vv]it|[Mm]ax|[Mm]in|[Aa]pp|[Nn]os|[Ee]st)\.)(?P<glued>\d{1,2}"
    r"(?:[,–-]\d{1,2})*)(?=\s+[\"“‘'(]?[A-Z])(?!\s+(?:Patients|People|Women|Men|Children|Adults"
    r"|Infants|Percent|Of)\b))"
    r"|(?:(?<=[^\W\d_]{4},)(?P<behind>\d{1,2}(?:[,–-]\d{1,2})*)(?=\s+(?:and|but|or|which|who|so"
    r"|although|though|while|whereas|because|yet|nor)\b))"
    r"|(?P<note>(?<=[^\W\d_]{2})(?:[†‡]|(?<!\*)\*(?![\w*])))"
)
"""Marks of references and footnotes: [1,2], (1) after a word, a raised number after a word of four
letters (a shorter one may be a unit), * and daggers."""
_STRESSED = compile_later(r"(?<![\w*_])([*_])(?=\S)[^*_\n]{1,300}(?<=\S)\1(?![\w*_])")
_OPENED = compile_later(r"(?<![^\W\d_])\[([A-Za-z])\](?=[a-z])")
_SKIPPED = compile_later(r"\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|…|\.{3,}|\.(?: \.){2,}")
_LENGTHS = compile_later(r"(?:met(?:er|re)|inch|inche|feet|foot|yard|mile|cell)s?$", re.I)
_PREFIXES = frozenset(
    re.findall(
        r"\w+",
        "a an in un im ir il no not non dis mis de anti hypo hyper sub super contra",
    )
)
_HELPING = frozenset(
    re.findall(
        r"\w+",
        "is are was were be do does did has have had can could may might must should would will "
        "shall",
    )
)
# Units whose first letter changes the value a thousandfold or more with its case.
_CASED = compile_later(r"(?:m(?:g|ol|mol|u|iu|w|hz|pa|bq|gy|sv|v|eq|osm|m|l|cg|ci|s)?)", re.I)
_NEVER_CAPITALS = frozenset(("M", "MU", "MIU", "MW", "MV", "MS"))


@dataclass(frozen=True)
class FoldedText:
    """``solid[i]`` comes from the text's character ``at[i]``; ``gaps[i]`` is before it, with any
    reference marks in ``marks[i]``.
    """

    text: str
    solid: str
    at: list[int]
    gaps: list[int]
    marks: dict[int, str]

    def start_and_end_in_original_text(self, first: int, last: int) -> tuple[int, int]:
        """The place in the text of the solid characters from ``first`` up to ``last``,
        exclusive.
        """
        start, end = self.at[first], self.at[last - 1] + 1
        while end < len(self.text) and unicodedata.combining(self.text[end]):
            end += 1
        return start, end

    def letters_from_solid_character(self, first: int) -> str:
        """The letters that begin at a solid character, in their own case, without compatibility
        forms.
        """
        last = first
        while (
            last < len(self.solid)
            and self.solid[last].isalpha()
            and (last == first or not self.gaps[last])
        ):
            last += 1
        if last == first:
            return ""
        return unicodedata.normalize("NFKC", self.text[self.at[first] : self.at[last - 1] + 1])


@lru_cache(maxsize=8192)
def _made(character: str) -> tuple[str, bool]:
    """A folded character, and whether it is superscript."""
    if character in _OTHERWISE:
        return _OTHERWISE[character], False
    if character in _SINGLE:
        return "'", False
    if character in _DOUBLE:
        return '"', False
    raised = unicodedata.decomposition(character).startswith("<super>")
    spread = unicodedata.normalize("NFKD", character)
    if character == "\u207b":
        return "-", raised
    if any(map(unicodedata.combining, spread)) and not spread[0].isalpha():
        # A stroke through a sign negates it, so such a sign stays whole.
        return character, raised
    kept = "".join(c for c in spread if not unicodedata.combining(c))
    return kept.replace("\u2044", "/").casefold(), raised


def _meant(text: str) -> Iterator[tuple[int, tuple[str, int]]]:
    """If a sign is spelt out, or left over from HTML: the sign that is meant, and where it ends."""
    for found in _TYPED.finditer(text):
        said = found[0]
        if said[-1] == ";":
            meant = html.unescape(said)
        else:
            meant = _MEANT.get(said, "±" if said[0] == "+" else "°")
        if len(meant) == 1:
            yield found.start(), (meant, found.end())


def _passed_over(text: str) -> dict[int, tuple[str, int]]:
    """Something set beside the words, such as a reference mark: what it says, and where it ends."""
    found: dict[int, tuple[str, int]] = {}
    for one in _STRESSED.finditer(text):
        found |= {one.start(): ("", one.start() + 1), one.end() - 1: ("", one.end())}
    for one in _OPENED.finditer(text):
        found |= {one.start(): ("", one.start() + 1), one.end() - 1: ("", one.end())}
    for one in _SKIPPED.finditer(text):
        found[one.start()] = ("…", one.end())
    for one in _MARKS.finditer(text):
        what = one.lastgroup or ""
        start, end = one.span(what)
        if what != "raised" or not _LENGTHS.search(text, max(0, start - 8), start):
            said = re.sub(r"\s", "", one[what]) if what != "note" else ""
            found[start] = (unicodedata.normalize("NFKC", said), end)
    return found


def fold_text_to_solid_characters(text: str) -> FoldedText:
    """Split a text into solid characters and gaps."""
    marks = {found.end() - 1 for found in _MARKED.finditer(text)}
    commas = {
        at
        for found in _THOUSANDS.finditer(text)
        for at in range(found.start(), found.end())
        if not text[at].isdigit()
    }
    solid: list[str] = []
    places: list[int] = []
    gaps: list[int] = []
    gap, raised_before, typed = 0, False, -1
    meant, over = dict(_meant(text)), _passed_over(text)
    references: dict[int, str] = {}
    for at, character in enumerate(text):
        if at < typed:
            continue
        if at in over:
            said, typed = over[at]
            gap |= DOTS if said == "…" else 0
            if said and said != "…":
                references[len(solid)] = references.get(len(solid), "") + said
            continue
        if at in commas:
            gap |= COMMA
            continue
        if at in meant:
            character, typed = meant[at]  # noqa: PLW2901
        if character.isspace() and character not in _THIN:
            gap |= LINE if character in "\n\r\u2028\u2029\f\v" else SPACE
            raised_before = False
            continue
        if at in marks:
            gap |= BULLET
            continue
        kind = _KINDS.get(character)
        if kind is not None:
            # A hyphen with spaces around it is a dash.
            gap |= DASH if kind == HYPHEN and gap & SPACED else kind
            continue
        if character == "*" and (text[at + 1 : at + 2] == "*" or text[at - 1 : at] == "*"):
            continue
        if unicodedata.combining(character):
            if not (solid and solid[-1].isalpha()):
                solid.append(character)
                places.append(at)
                gaps.append(gap)
                gap = 0
            continue
        made, raised = _made(character)
        if character == "·" and solid and solid[-1].isdigit() and text[at + 1 : at + 2].isdigit():
            made = "."
        if made == '"' and not (solid and solid[-1].isdigit() and not gap):
            made = "'"
        if made == "'" and solid and solid[-1] == "'" and not gap & SPACED:
            continue
        if raised and not raised_before and solid and (solid[-1].isdigit() or solid[-1] == ")"):
            made = "^" + made
        elif "/" in made and len(made) > 1 and solid and solid[-1].isdigit():
            gap |= SPACE
        raised_before = raised
        for one in made:
            solid.append(one)
            places.append(at)
            gaps.append(gap)
            gap = 0
    return FoldedText(text, "".join(solid), places, gaps, references)


def are_gaps_equivalent(page: FoldedText, at: int, quote: FoldedText) -> bool:
    """Whether the gaps of a quote, whose solid characters are at ``at``, are equivalent to the
    page's.
    """
    solid = quote.solid
    for n in range(len(solid)):
        if n and not _same_gap(page, at + n, quote, n):
            return False
        if n and not _same_marks(page.marks.get(at + n, ""), quote.marks.get(n, "")):
            return False
        unit = n and solid[n].isalpha() and solid[n - 1].isdigit()
        if unit and not _same_unit(
            page.letters_from_solid_character(at + n), quote.letters_from_solid_character(n)
        ):
            return False
    return True


def _same_marks(there: str, said: str) -> bool:
    """Whether a quote may have these reference marks: none, the page's, or [1] of its own."""
    return not said or said == there or (not there and said[0] == "[")


def _same_gap(page: FoldedText, at: int, quote: FoldedText, n: int) -> bool:
    there, said = page.gaps[at], quote.gaps[n]
    before, after = quote.solid[n - 1], quote.solid[n]
    if before.isdigit() and after.isdigit():
        return _between_digits(there, said)
    if before.isalpha() and after.isalpha():
        return _between_letters(page, at, quote, n)
    if there == said or (there | said) & (BULLET | SOFT):
        return True
    if bool(there & DASHED) != bool(said & DASHED):
        return False
    if n > 1 and after.isdigit() and before in ".,:" and quote.solid[n - 2].isdigit():
        return bool(there & SPACED) == bool(said & SPACED)
    return True


def _between_digits(there: int, said: int) -> bool:
    kinds = {_of_digits(there), _of_digits(said)}
    return len(kinds) == 1 or kinds <= {"none", "comma", "thin"} or kinds <= {"thin", "space"}


def _of_digits(gap: int) -> str:
    if gap & DOTS:
        return "dots"
    if gap & DASHED:
        return "dash"
    if gap & (SPACE | LINE | BULLET):
        return "space"
    return "thin" if gap & THIN else "comma" if gap & COMMA else "none"


def _between_letters(page: FoldedText, at: int, quote: FoldedText, n: int) -> bool:
    there, said = page.gaps[at], quote.gaps[n]
    if there == said or (there | said) & SOFT:
        return True
    kinds = {_of_letters(there), _of_letters(said)}
    if "dash" in kinds:
        return kinds <= {"dash", "broken", "bullet"}
    if kinds == {"none", "space"}:
        apart, i = (page, at) if said & SPACED == 0 else (quote, n)
        return not _another_word(apart, i)
    return kinds != {"none", "bullet"}


def _of_letters(gap: int) -> str:
    if gap & BULLET:
        return "bullet"
    if gap & DASH:
        return "dash"
    if gap & HYPHEN:
        return "broken" if gap & SPACED else "hyphen"
    return "space" if gap & SPACED else "none"


def _another_word(apart: FoldedText, at: int) -> bool:
    """Whether two words, written as one, become another word: "a typical", "not able"."""
    first = at - 1
    while first > 0 and apart.solid[first - 1].isalpha() and not apart.gaps[first]:
        first -= 1
    left, right = apart.solid[first:at], apart.letters_from_solid_character(at).casefold()
    if apart.text[apart.at[at]] in "ﬀﬁﬂﬃﬄ":
        return False
    if right in ("not", "no"):
        return left not in _HELPING
    return left in _PREFIXES and len(right) > 3


def _same_unit(there: str, said: str) -> bool:
    # Other spellings were folded before: µg and mcg.
    if there.casefold() != said.casefold() or there[:1] == said[:1] or not _CASED.fullmatch(there):
        return True
    capital = there if there[:1].isupper() else said
    return capital.isupper() and capital not in _NEVER_CAPITALS
