"""Where the words that a model quotes are in a text, and whether they are the same words.

Two texts are the same here if they differ only in how they are set: white space, line ends,
hyphenated words, ligatures, quotation marks, dashes, accents, case and compatibility forms (Unicode
NFKD). Whatever carries meaning is never made alike: digits and what stands between them, comparison
signs, powers, units, every letter of every word. So a text is kept as its *solid* characters, each
with the *gap* before it; the solid characters of a quote must be those of the page, and each gap
must be one that typesetting alone can turn into the other. A quote cut off from a negation, a
comparison, a digit or a unit beside it is not the same either.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise
from typing import Literal

from rapidfuzz import fuzz

from medlens.web.quotes_fold import Folded, fold, joins

_INSIDE = r"[^\W_]"
_JOINT = "-\u2010\u2011\u2012\u2013\u00ad"
_NEGATES = re.compile(
    r"(?:not|no|never|without|cannot|nor|neither|none|non|hardly|rarely|seldom|unlikely"
    r"|avoid(?:s|ed|ing)?|\w+n['’]t)$",
    re.IGNORECASE,
)
# Words right before a quote that say for whom or when it holds.
_NARROWS = re.compile(
    r"(?:only|unless|except|if|some|few|many|most|half|certain|selected|nearly|almost)$",
    re.IGNORECASE,
)
# And words right after it.
_THEN_NARROWS = re.compile(
    r",?\s+(?:unless|except|if|only|provided|but not|in (?:mice|rats|dogs|animals?|vitro))\b",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"(?:\b(?:than|least|most|under|over|above|below|beyond|exceed(?:s|ing)?|maximum|minimum|up to"
    r"|minus|about|approximately|around|roughly|nearly|almost)|\d\s*x|[<>≤≥=≠±~≈+$€£^/×·−–—-])\s*$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?:^|\n)[ \t]*[-–*·•]\s+$")
_CLAUSE = re.compile(r"[.!?;:,()\[\]|•]|\n\s*\n|\n(?=\s*$)")
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NEAR = 3
_UNIT = (
    r"(?:[kmcdnpµμ]?g|mcg|ug|[mdcµμ]?l|[mµμnp]?mol|m?eq|m?i?u|iu|units?|hours?|hrs?|h|days?|weeks?"
    r"|months?|years?|min|mins|minutes?|s|sec|seconds?|mm ?hg|cm ?h2o|k?pa|[ckm]?m|°|℃|°c|°f|bpm"
    r"|percent|per cent|times|fold|tablets?|drops?|doses?|kcal|m?hz|m?sv|m?gy|k?bq)"
)
_THEN_UNIT = re.compile(rf"[\s\u00a0-]*{_UNIT}(?!{_INSIDE})", re.IGNORECASE)
_ENDS_IN_UNIT = re.compile(rf"\d\s*{_UNIT}$", re.IGNORECASE)
_THEN_SIGN = re.compile(r"\s*[%‰°^±×/²³⁰-⁹′″]|\s*[x*]\s*\d|\s*[-–—−]\s*\d|[.,:·]\d")
_THEN_PER = re.compile(r"\s*(?:[/^·²³⁻]\s*|per\s+)[^\W_]*|\s*(?:each|every)\b", re.IGNORECASE)


def cut_off(text: str, start: int, end: int) -> tuple[str, str]:
    """What a range of a text was cut off from, before and after it; empty if it is complete.

    Part of its first or last word; a digit, sign or unit of its number; a comparison that its
    number is in; a negation within three words before it; a word right before it that narrows it.
    """
    return _before(text[:start], text[start:end]), _after(text[start:end], text[end:])


def _before(before: str, quote: str) -> str:
    part = re.search(rf"(?:{_INSIDE}|(?<={_INSIDE})[{_JOINT}.,·](?:\n\s*)?)+\Z", before)
    first = quote[:1]
    if part and first.isalnum() and _belongs(part[0], first):
        return part[0]
    if first.isdigit() and before.endswith((".", "·")) and not before[-2:-1].isspace():
        return before[-1]
    if before[-1:].isalnum() and re.match(r"[-\u2010-\u2015\u2212]\d", quote):
        # "-5 mg" taken from "3-5 mg" is not a negative number.
        return part[0] if part else before[-1]
    if first.isdigit() and not _LISTED.search(before):
        found = _COMPARES.search(before)
        if found:
            return before[found.start() :].lstrip()
    clause = _last_clause(before, quote)
    words = list(_WORDS.finditer(clause))[-_NEAR:]
    for word in words:
        if _NEGATES.search(word[0]):
            return clause[word.start() :]
    if words and _NARROWS.search(words[-1][0]) and not clause[words[-1].end() :].strip():
        return clause[words[-1].start() :]
    return ""


def _belongs(part: str, first: str) -> bool:
    """Whether what comes before is part of the same word or number, and not punctuation."""
    last = part.rstrip()[-1]
    if last in ".,·":
        return first.isdigit() and part.rstrip()[-2:-1].isdigit() and part[-1] == last
    return True


def _last_clause(before: str, quote: str) -> str:
    """The text before, within the same clause. A line end counts as one if a capital follows."""
    breaks = [found.end() for found in _CLAUSE.finditer(before)]
    if quote[:1].isupper() and "\n" in before[len(before.rstrip()) :]:
        return ""
    return before[max(breaks, default=0) :]


def _after(quote: str, after: str) -> str:
    if not after:
        return ""
    last = quote[-1:]
    narrows = _THEN_NARROWS.match(after)
    if narrows and last not in ".!?:;":
        return narrows[0]
    part = re.match(rf"(?:{_INSIDE}|[{_JOINT}](?:\n\s*)?(?={_INSIDE}))+", after)
    if part and last.isalnum():
        return part[0]
    if last.isdigit():
        found = _THEN_SIGN.match(after) or _THEN_UNIT.match(after)
        if found:
            return re.match(r"\s*\S+", after)[0]  # type: ignore[index]
        if re.match(r",\d{3}", after):
            return after[:4]
    elif _ENDS_IN_UNIT.search(quote):
        found = _THEN_PER.match(after)
        if found:
            return found[0]
    return ""


How = Literal["exact", "folded", "alike", "ambiguous", "missing"]
Standing = Literal["none", "exact", "folded", "alike", "missing"]
STANDINGS: tuple[Standing, ...] = ("exact", "folded", "alike", "missing", "none")
"""Word for word; but for how it is set; similar, not the same; not on the page; no quote given."""

_AROUND = " \t\n\r\"'“”„‟«»‹›‘’‚‛`´*_…"
_ENDING = ".,;:"
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3,}|…)\s*\]|\(\s*(?:\.{3,}|…)\s*\)|\.{3,}|…)\s*")
_SENTENCE_ENDS = re.compile(r"[.!?]\s|\n\s*\n")
_SIGNED = re.compile(r"[-\u2010-\u2015\u2212](?=[\d.])")
_PIECE, _MOST, _MARGIN = 8, 50, 80
_SHORTEST, _LIKENESS = 16, 85.0
_LETTERS = r"[^\W\d_]+(?:(?:\u00ad|[-\u2010]\s*\n)\s*[^\W\d_]+)*"
_WORD = re.compile(rf"\s+|{_LETTERS}|\d+(?:[.,]\d+)*|[^\s\w]|_")


@dataclass(frozen=True)
class QuoteLocation:
    """Code-point offsets, half open; -1 if the words are not there, or are there more than once."""

    how: How
    start: int = -1
    end: int = -1


@dataclass(frozen=True)
class Change:
    """Part of a quote compared with the page: on both (``same``), in the quote only (``quote``), or
    on the page only (``page``).
    """

    where: Literal["same", "quote", "page"]
    text: str


@dataclass(frozen=True)
class Found:
    """Whether and where a text contains a quote. ``places`` are half open, several if the quote
    leaves something out (…); ``changes`` marks the differences if it is ``alike``.
    """

    how: Standing
    places: tuple[tuple[int, int], ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the text says what the quote says."""
        return self.how in ("exact", "folded")


class Quotable:
    """A text in which quotes are looked up."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _folded(self) -> Folded:
        return fold(self.text)

    def find(self, quote: str) -> QuoteLocation:
        """The one place of ``quote``; quotation marks around it do not count."""
        bare = quote.strip()
        found = _occurrences(self.text, bare, most=2)
        if len(found) == 1:
            return QuoteLocation("exact", found[0], found[0] + len(bare))
        if len(found) > 1:
            return QuoteLocation("ambiguous")
        wanted = fold(quote.strip(_AROUND))
        held = [
            at
            for at in _occurrences(self._folded.solid, wanted.solid)
            if joins(self._folded, at, wanted)
        ]
        if len(held) == 1:
            return QuoteLocation("folded", *self._folded.span(held[0], held[0] + len(wanted.solid)))
        return QuoteLocation("ambiguous" if held else "missing")

    def stands(self, quote: str) -> Found:
        """Whether the text contains a quote; one with gaps (…) is looked up piece by piece, in
        order.
        """
        if not quote.strip():
            return Found("none")
        whole = self._piece(quote)
        if whole.same:
            return whole
        pieces = [piece for piece in _ELLIPSIS.split(quote.strip(_AROUND)) if piece.strip(_AROUND)]
        # A few letters are found anywhere, so they prove nothing.
        if len(pieces) < 2 or min(map(len, pieces)) < _PIECE:
            return whole
        found = [self._piece(piece) for piece in pieces]
        if any(one.how == "missing" for one in found):
            return whole
        places = tuple(place for one in found for place in one.places)
        left_out = [self.text[a[1] : b[0]] for a, b in pairwise(places)]
        ordered = list(places) == sorted(places)
        if ordered and all(one.same for one in found) and not any(map(_turns, left_out)):
            return Found("folded", places)
        changes = [change for one in found for change in one.changes or (Change("same", ""),)]
        if ordered and all(one.same for one in found):
            changes = []
            for at, (start, end) in enumerate(places):
                changes.append(Change("same", self.text[start:end]))
                changes += [Change("page", left_out[at])] if at < len(left_out) else []
        return Found("alike", places, tuple(changes))

    def _piece(self, quote: str) -> Found:
        """Whether the text contains words without a gap."""
        bare = quote.strip()
        inner = bare.strip(_AROUND).rstrip(_ENDING).strip(_AROUND)
        if not inner:
            return Found("missing")
        cut: Found | None = None
        for words in dict.fromkeys((bare, inner)):
            for start in _occurrences(self.text, words):
                around = self._around(start, start + len(words))
                if around is None:
                    return Found("exact", ((start, start + len(words)),))
                cut = cut or around
        wanted = fold(inner)
        page = self._folded
        for at in _occurrences(page.solid, wanted.solid):
            start, end = page.span(at, at + len(wanted.solid))
            if _SIGNED.match(inner):
                # A sign is not a bullet, and folding leaves both out.
                if not _SIGNED.match(self.text, max(0, start - 1)):
                    cut = cut or self._alike(inner, start, end)
                    continue
                start -= 1
            around = self._around(start, end)
            if not joins(page, at, wanted):
                cut = cut or self._alike(inner, start, end)
            elif around is None:
                return Found("folded", ((start, end),))
            cut = cut or around
        return cut or self._like(inner, wanted)

    def _around(self, start: int, end: int) -> Found | None:
        """None if the words are complete; otherwise what they were cut off from, as a
        difference.
        """
        low, high = max(0, start - _MARGIN), min(len(self.text), end + _MARGIN)
        before, after = cut_off(self.text[low:high], start - low, end - low)
        if not before and not after:
            return None
        changes = [Change("page", before)] if before else []
        changes.append(Change("same", self.text[start:end]))
        changes += [Change("page", after)] if after else []
        return Found("alike", ((start, end),), tuple(changes))

    def _like(self, inner: str, wanted: Folded) -> Found:
        """Words that differ from the quote in a few characters: a likeness of at least 85 of
        100.
        """
        page = self._folded
        if not _SHORTEST <= len(wanted.solid) <= len(page.solid):
            return Found("missing")
        best = fuzz.partial_ratio_alignment(wanted.solid, page.solid, score_cutoff=_LIKENESS)
        if best is None or best.dest_end <= best.dest_start:
            return Found("missing")
        # The likeness compares equal lengths, so extend to whole words at both ends.
        start, end = page.span(best.dest_start, best.dest_end)
        while start < end and not self.text[start].isalnum() and self.text[start] != inner[0]:
            start += 1
        while start and self.text[start - 1].isalnum() and self.text[start].isalnum():
            start -= 1
        while end < len(self.text) and self.text[end].isalnum() and self.text[end - 1].isalnum():
            end += 1
        return self._alike(inner, start, end)

    def _alike(self, quote: str, start: int, end: int) -> Found:
        return Found("alike", ((start, end),), compared(quote, self.text[start:end]))


def compared(quote: str, page: str) -> tuple[Change, ...]:
    """A quote and the words on the page, compared word by word; typesetting does not count as a
    difference unless it is the only one ("5 mg" and "5 Mg").
    """
    said, there = _WORD.findall(quote), _WORD.findall(page)
    made = _compared(said, there, _keys(said), _keys(there))
    if all(one.where == "same" for one in made):
        made = _compared(said, there, said, there)
    return made


def _compared(
    said: list[str], there: list[str], quote: list[str], page: list[str]
) -> tuple[Change, ...]:
    """``said`` and ``there``, aligned by the words of ``quote`` and ``page``."""
    made: list[Change] = []
    matcher = SequenceMatcher(None, quote, page, autojunk=False)
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            made.append(Change("same", "".join(there[c:d])))
            continue
        made += [Change("quote", "".join(said[a:b]))] if b > a else []
        made += [Change("page", "".join(there[c:d]))] if d > c else []
    return tuple(made)


def _keys(words: list[str]) -> list[str]:
    return ["" if one.isspace() else fold(one).solid or one for one in words]


def _turns(left_out: str) -> bool:
    """Whether what a quote leaves out within a sentence may reverse its meaning."""
    return not _SENTENCE_ENDS.search(left_out) and bool(_TURNING.search(left_out))


_TURNING = re.compile(
    r"\b(?:not|no|never|without|cannot|nor|neither|none|hardly|rarely|seldom|unlikely|avoid\w*"
    r"|except|unless|only|contraindicated)\b|n['’]t\b",
    re.IGNORECASE,
)


def _occurrences(text: str, wanted: str, *, most: int = _MOST) -> list[int]:
    """Where ``wanted`` begins: the first few places, which may overlap."""
    found: list[int] = []
    at = text.find(wanted) if wanted else -1
    while at >= 0 and len(found) < most:
        found.append(at)
        at = text.find(wanted, at + 1)
    return found
