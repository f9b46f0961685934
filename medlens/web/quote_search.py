"""Where the words that a model quotes are in a text, and whether they are the same words.

Two texts are the same here if they differ only in how they are set: white space, line ends,
hyphenated words, ligatures, quotation marks, dashes, accents, case, British and American spelling,
and compatibility forms (Unicode NFKD). Whatever carries meaning is never made alike: digits and
what stands between them, comparison signs, powers, units, every letter of every word. So a text is
kept as its *solid* characters, each with the *gap* before it; the solid characters of a quote must
be those of the page, and each gap must be one that typesetting alone can turn into the other. A
quote that is there, but says something else without the words beside it, is neither the same nor
absent: it is *cut short* (``medlens.web.meaning_changing_words_beside_quotes``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise
from typing import Literal

from medlens.deferred_module import fuzz
from medlens.web.meaning_changing_words_beside_quotes import words_cut_off_before_and_behind
from medlens.web.population_left_out_of_quotes import does_ellipsis_hide_restriction
from medlens.web.spelling_variants import to_american_spelling_with_places
from medlens.web.text_folding import FoldedText, are_gaps_equivalent, fold_text_to_solid_characters

How = Literal["exact", "folded", "alike", "ambiguous", "missing"]
Standing = Literal["none", "exact", "folded", "cut_short", "alike", "missing"]
STANDINGS: tuple[Standing, ...] = ("exact", "folded", "cut_short", "alike", "missing", "none")
"""Word for word; but for how it is set; there, but cut so that its meaning changes (neither found
nor not found); similar, not the same; not on the page; no quote given."""

_AROUND = " \t\n\r\"'“”„‟«»‹›‘’‚‛`´*_…"
_ENDING = ".,;:"
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3,}|…)\s*\]|\(\s*(?:\.{3,}|…)\s*\)|\.{3,}|…)\s*")
_SENTENCE_ENDS = re.compile(r"[.!?]\s|\n\s*\n")
_SIGNED = re.compile(r"[-\u2010-\u2015\u2212](?=[\d.])")
_PIECE, _MOST, _MARGIN = 8, 50, 300
# The head of a quote's list, column or section may stand further above than its sentence begins.
_MARGIN_ABOVE = 1500
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
class ComparedPart:
    """Part of a quote compared with the page: on both (``same``), in the quote only (``quote``), or
    on the page only (``page``).
    """

    where: Literal["same", "quote", "page"]
    text: str


@dataclass(frozen=True)
class QuoteMatch:
    """Whether and where a text contains a quote. ``places`` are half open, several if the quote
    leaves something out (…); ``changes`` marks the differences if it is ``alike``, and the words
    that were left out if it is ``cut_short``.
    """

    how: Standing
    places: tuple[tuple[int, int], ...] = ()
    changes: tuple[ComparedPart, ...] = ()

    @property
    def does_text_say_the_same(self) -> bool:
        """Whether the text says what the quote says."""
        return self.how in ("exact", "folded")


class QuotableText:
    """A text in which quotes are looked up."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _folded(self) -> FoldedText:
        return fold_text_to_solid_characters(self.text)

    @cached_property
    def _respelled(self) -> FoldedText | None:
        """The text in American spelling; None if it is in it already."""
        return _in_one_spelling(self.text)

    def find_only_place(self, quote: str) -> QuoteLocation:
        """The one place of ``quote``; quotation marks around it do not count."""
        bare = quote.strip()
        found = _occurrences(self.text, bare, most=2)
        if len(found) == 1:
            return QuoteLocation("exact", found[0], found[0] + len(bare))
        if len(found) > 1:
            return QuoteLocation("ambiguous")
        wanted = fold_text_to_solid_characters(quote.strip(_AROUND))
        held = [
            at
            for at in _occurrences(self._folded.solid, wanted.solid)
            if are_gaps_equivalent(self._folded, at, wanted)
        ]
        if len(held) == 1:
            return QuoteLocation(
                "folded",
                *self._folded.start_and_end_in_original_text(held[0], held[0] + len(wanted.solid)),
            )
        return QuoteLocation("ambiguous" if held else "missing")

    def look_up_quote(self, quote: str) -> QuoteMatch:
        """Whether the text contains a quote; one with gaps (…) is looked up piece by piece, in
        order.
        """
        if not quote.strip():
            return QuoteMatch("none")
        whole = self._piece(quote)
        if whole.does_text_say_the_same:
            return whole
        pieces = [piece for piece in _ELLIPSIS.split(quote.strip(_AROUND)) if piece.strip(_AROUND)]
        if len(pieces) < 2 or max(map(len, pieces)) < _PIECE:
            return whole
        found = self._pieces(pieces)
        if any(one.how == "missing" for one in found):
            return whole
        places = tuple(place for one in found for place in one.places)
        left_out = [self.text[a[1] : b[0]] for a, b in pairwise(places)]
        ordered = list(places) == sorted(places)
        complete = all(one.does_text_say_the_same for one in found)
        narrowed = any(self._is_narrowed_between(a, b) for a, b in pairwise(places))
        if ordered and complete and not narrowed and not any(map(_turns, left_out)):
            return QuoteMatch("folded", places)
        if not ordered or not all(
            one.does_text_say_the_same or one.how == "cut_short" for one in found
        ):
            changes = [
                change for one in found for change in one.changes or (ComparedPart("same", ""),)
            ]
            return QuoteMatch("alike", places, tuple(changes))
        changes = []
        for at, one in enumerate(found):
            start, end = places[at]
            changes += one.changes or (ComparedPart("same", self.text[start:end]),)
            changes += [ComparedPart("page", left_out[at])] if at < len(left_out) else []
        return QuoteMatch("cut_short", places, tuple(changes))

    def _is_narrowed_between(self, left: tuple[int, int], right: tuple[int, int]) -> bool:
        """Whether what is left out between two places says which of those named before it do or
        get what follows.
        """
        left_out = self.text[left[1] : right[0]]
        named = _SENTENCE_ENDS.split(self.text[left[0] : left[1]])[-1]
        return does_ellipsis_hide_restriction(named, left_out, self.text[right[0] : right[1]])

    def _pieces(self, pieces: list[str]) -> list[QuoteMatch]:
        """Each piece of a quote with gaps. A few letters are found anywhere and prove nothing, so a
        short piece counts only as whole words in the sentence of the one beside it.
        """
        found = [
            self._piece(piece) if len(piece) >= _PIECE else QuoteMatch("missing")
            for piece in pieces
        ]
        order = list(range(len(pieces)))
        for beside, steps in ((-1, order[1:]), (1, order[-2::-1])):
            for at in steps:
                near = found[at + beside]
                if len(pieces[at]) < _PIECE and found[at].how == "missing" and near.places:
                    found[at] = self._short_piece(pieces[at], near.places[0], after=beside < 0)
        return found

    def _short_piece(self, piece: str, near: tuple[int, int], *, after: bool) -> QuoteMatch:
        """A short piece of a quote, before or after a place in the same sentence."""
        words = re.escape(piece.strip(_AROUND).rstrip(_ENDING))
        low, high = max(0, near[0] - _MARGIN), near[1] + _MARGIN
        if after:
            rest = self.text[near[1] : high]
            stop = _SENTENCE_ENDS.search(rest)
            low, high = near[1], near[1] + (stop.start() + 1 if stop else len(rest))
        else:
            stops = list(_SENTENCE_ENDS.finditer(self.text, low, near[0]))
            low, high = (stops[-1].end() if stops else low), near[0]
        places = [
            one.span()
            for one in re.finditer(rf"(?<!\w){words}(?!\w)", self.text[low:high])
            if words
        ]
        if not places:
            return QuoteMatch("missing")
        start, end = places[0 if after else -1]
        return QuoteMatch("folded", ((low + start, low + end),))

    def _piece(self, quote: str) -> QuoteMatch:
        """Whether the text contains words without a gap."""
        bare = quote.strip()
        inner = bare.strip(_AROUND).rstrip(_ENDING).strip(_AROUND)
        if not inner:
            return QuoteMatch("missing")
        cut: QuoteMatch | None = None
        for words in dict.fromkeys((bare, inner)):
            for start in _occurrences(self.text, words):
                around = self._around(start, start + len(words))
                if around is None:
                    return QuoteMatch("exact", ((start, start + len(words)),))
                cut = cut or around
        wanted = fold_text_to_solid_characters(inner)
        held = self._held(self._folded, wanted, inner)
        cut = cut or held
        if held is None or not held.does_text_say_the_same:
            spelled = _in_one_spelling(inner)
            if spelled is not None or self._respelled is not None:
                page = self._respelled or self._folded
                other = self._held(page, spelled or wanted, inner)
                if other is not None and other.does_text_say_the_same:
                    return other
                cut = cut or other
        elif held.does_text_say_the_same:
            return held
        return cut or self._like(inner, wanted)

    def _held(self, page: FoldedText, wanted: FoldedText, inner: str) -> QuoteMatch | None:
        """Where the folded words are on the folded page: whole, else cut short or set in a way that
        is not the same; None if nowhere.
        """
        cut: QuoteMatch | None = None
        for at in _occurrences(page.solid, wanted.solid):
            start, end = page.start_and_end_in_original_text(at, at + len(wanted.solid))
            if _SIGNED.match(inner):
                # A sign is not a bullet, and folding leaves both out.
                if not _SIGNED.match(self.text, max(0, start - 1)):
                    cut = cut or self._alike(inner, start, end)
                    continue
                start -= 1
            around = self._around(start, end)
            if not are_gaps_equivalent(page, at, wanted):
                cut = cut or self._alike(inner, start, end)
            elif around is None:
                return QuoteMatch("folded", ((start, end),))
            cut = cut or around
        return cut

    def _around(self, start: int, end: int) -> QuoteMatch | None:
        """None if the words are complete; otherwise what they were cut off from, as a
        difference.
        """
        low, high = max(0, start - _MARGIN_ABOVE), min(len(self.text), end + _MARGIN)
        before, after = words_cut_off_before_and_behind(self.text[low:high], start - low, end - low)
        if not before and not after:
            return None
        changes = [ComparedPart("page", before)] if before else []
        changes.append(ComparedPart("same", self.text[start:end]))
        changes += [ComparedPart("page", after)] if after else []
        return QuoteMatch("cut_short", ((start, end),), tuple(changes))

    def _like(self, inner: str, wanted: FoldedText) -> QuoteMatch:
        """Words that differ from the quote in a few characters: a likeness of at least 85 of
        100.
        """
        page = self._folded
        if not _SHORTEST <= len(wanted.solid) <= len(page.solid):
            return QuoteMatch("missing")
        best = fuzz.partial_ratio_alignment(wanted.solid, page.solid, score_cutoff=_LIKENESS)
        if best is None or best.dest_end <= best.dest_start:
            return QuoteMatch("missing")
        # The likeness compares equal lengths, so extend to whole words at both ends.
        start, end = page.start_and_end_in_original_text(best.dest_start, best.dest_end)
        while start < end and not self.text[start].isalnum() and self.text[start] != inner[0]:
            start += 1
        while start and self.text[start - 1].isalnum() and self.text[start].isalnum():
            start -= 1
        while end < len(self.text) and self.text[end].isalnum() and self.text[end - 1].isalnum():
            end += 1
        return self._alike(inner, start, end)

    def _alike(self, quote: str, start: int, end: int) -> QuoteMatch:
        return QuoteMatch(
            "alike",
            ((start, end),),
            list_parts_of_quote_compared_with_page(quote, self.text[start:end]),
        )


def _in_one_spelling(text: str) -> FoldedText | None:
    """A text as folded in American spelling, with places in ``text``; None if that is its own."""
    made = to_american_spelling_with_places(text)
    if made is None:
        return None
    respelled, places = made
    folded = fold_text_to_solid_characters(respelled)
    return replace(folded, text=text, at=[places[at] for at in folded.at])


def list_parts_of_quote_compared_with_page(quote: str, page: str) -> tuple[ComparedPart, ...]:
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
) -> tuple[ComparedPart, ...]:
    """``said`` and ``there``, aligned by the words of ``quote`` and ``page``."""
    made: list[ComparedPart] = []
    matcher = SequenceMatcher(None, quote, page, autojunk=False)
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            made.append(ComparedPart("same", "".join(there[c:d])))
            continue
        made += [ComparedPart("quote", "".join(said[a:b]))] if b > a else []
        made += [ComparedPart("page", "".join(there[c:d]))] if d > c else []
    return tuple(made)


def _keys(words: list[str]) -> list[str]:
    return [
        "" if one.isspace() else fold_text_to_solid_characters(one).solid or one for one in words
    ]


def _turns(left_out: str) -> bool:
    """Whether what a quote leaves out within a sentence may reverse its meaning."""
    if _COMPARES_ASIDE.fullmatch(left_out):
        return False
    return not _SENTENCE_ENDS.search(left_out) and bool(
        _TURNING.search(left_out) or _ANOTHER_CLAIM.search(left_out)
    )


_TURNING = re.compile(
    r"\b(?:not|no|never|without|cannot|nor|neither|none|hardly|rarely|seldom|unlikely|avoid\w*"
    r"|except|unless|only|contraindicated|if|when|until|provided|failed to|fails to|thought to"
    r"|believed to|said to|may|might|could|some|few|minority|up to|at most|at least|less than|fewer"
    r" than|no more than|seldom|scarcely|barely|instead of|rather than|but for|apart from)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
# ", like all people without a spleen,": whose words are about what it is compared with.
_COMPARES_ASIDE = re.compile(
    r"\s*,\s*(?:like|such as|as (?:in|with|for)|similar to|including|together with|along with"
    r"|a term|known|named|called|first|formerly (?:called|known))\b[^.;,]*,?\s*",
    re.IGNORECASE,
)
# What stood there says something of its own, so that what is left on both sides is not one claim:
# "The risk fell [from 12 to 9 % in men and rose] in women".
_ANOTHER_CLAIM = re.compile(
    r"\b(?:and|but|or|while|whereas|though)\s+(?:\w+\s+){0,3}?(?:rose|fell|grew|died|was|were|is|are|had"
    r"|has|have|did|does|do|can|will|should|must|\w{2,}ed)\b|\d[^.;]*\b(?:or|to|and|but)\s*$",
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
