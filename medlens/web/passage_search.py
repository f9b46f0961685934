"""A source as sentences, and which of them are about the same thing as a statement.

Sentences are ranked by BM25 over what they are about (``terms``: stems, numbers, shares, times,
meanings), with a little weight for their headings and table heads. A source is indexed once and the
index kept; a statement then costs a few array operations, even for a source of 128,000 tokens.
Source: Robertson & Zaragoza, The Probabilistic Relevance Framework (2009), with the usual k1 = 1.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from medlens.deferred_module import np
from medlens.web.stems_numbers_and_synonyms_of_text import (
    is_vague_stem,
    iterate_terms_with_weight_and_word,
    list_meaningful_stems_and_numbers,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


_K1, _B = 1.2, 0.6
_LONGEST = 600
"""Characters of a piece without any end of a sentence: menus and tables are cut there."""
_HEADING, _TABLE_HEAD, _BEFORE = 0.4, 0.5, 0.25
"""What a heading's terms count for the sentences below it, a table's head for its rows, and the
sentence before for one that begins with "it" or the like."""
_MOST, _BESIDE_BEST, _COVERED = 5, 0.45, 0.2
"""Sentences lit; the share of the best one's likeness, and of what the statement says, that each of
them needs."""
_TITLES, _VAGUE = 0.6, 0.5
"""What a heading's own likeness counts: it says what comes, and states nothing."""
_PLAIN, _RANGE = re.compile(r"\d+(?:\.\d+)?"), re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)")
_IN_RANGE, _WIDEST = 0.8, 4
_REFERS = re.compile(
    r"(?:\w+ ){0,2}(?:it|they|them|this|these|that|those|he|she|the (?:dose|drug|risk|test))\b",
    re.I,
)
_TITLE, _FULL_LINE = 80, 40
_UNFINISHED = re.compile(
    r"(?:[,–-]|\b(?:a|an|and|as|at|by|for|from|in|of|on|or|than|that|the|to|with))$"
)
_TELLS = 0.7

_END = re.compile(
    r"\s*\n\s*|[.!?\u2026][\"'\u201d\u2019)\]]*\s+(?=[\"'\u201c\u2018(\[]?[^\W\d_a-z]|\d)|[。！？]"
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|e\.g|i\.e|cf|al|Fig|No|approx|resp|incl|[A-Z]))\.$"
)


@dataclass(frozen=True)
class SourceSentences:
    """A source's text as sentences. ``text[starts[i]:ends[i]]`` is sentence ``i``, trimmed.

    ``paragraphs`` holds the index of the first sentence of each paragraph, ``headings`` those of
    headings.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    paragraphs: tuple[int, ...]
    headings: tuple[int, ...]
    terms: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]
    ranges: tuple[tuple[float, float, str], ...]
    lengths: NDArray[np.float64]

    def texts_of_sentences(self) -> list[str]:
        """The texts of the sentences, in order."""
        return [self.text[a:b] for a, b in zip(self.starts, self.ends, strict=True)]

    def sentence_numbers_in_range(self, start: int, end: int) -> list[int]:
        """The sentences that share a character with this range of the text."""
        return [
            i
            for i, (a, b) in enumerate(zip(self.starts, self.ends, strict=True))
            if a < end and start < b
        ]

    def sentence_numbers_like_statement(self, statement: str, *, most: int = _MOST) -> list[int]:
        """The sentences about the same thing as the statement, best first.

        Never sentences that only share very common words, single letters or digits with it: these
        add to a likeness, but do not make one. Nor sentences far behind the best.
        """
        count = len(self.starts)
        if not count:
            return []
        scores, covered, asked = np.zeros(count), np.zeros(count), 0.0
        telling = np.zeros(count, dtype=bool)
        norm = _K1 * (1 - _B + _B * self.lengths / max(float(self.lengths.mean()), 1.0))
        for said in _by_place(statement):
            best, rarest = np.zeros(count), 0.0
            share = _VAGUE if any(is_vague_stem(term) for term, _ in said) else 1.0
            for term, weight in (*said, *self._holding(said)):
                found = self.terms.get(term)
                if found is None:
                    continue
                rows, times = found
                rarity = (
                    float(np.log(1 + (count - len(rows) + 0.5) / (len(rows) + 0.5)))
                    * weight
                    * share
                )
                rarest = max(rarest, rarity)
                here = rarity * times * (_K1 + 1) / (times + norm[rows])
                best[rows] = np.maximum(best[rows], here)
                if len(rows) <= max(2, count / 2) and weight >= _TELLS and not _is_lone(term):
                    telling[rows[times >= _TELLS]] = True
            scores += best
            covered += np.minimum(best, rarest)
            asked += rarest
        scores[list(self.headings)] *= _TITLES
        scores *= telling & (covered >= _COVERED * asked)
        order = np.argsort(-scores, kind="stable")[:most]
        least = _BESIDE_BEST * scores[order[0]]
        return [int(i) for i in order if scores[i] > 0 and scores[i] >= least]

    def _holding(self, said: list[tuple[str, float]]) -> list[tuple[str, float]]:
        """The ranges on the page that contain a number of the statement: "125-129" for "127"."""
        values = [float(term) for term, _ in said if _PLAIN.fullmatch(term)]
        return [
            (term, _IN_RANGE)
            for low, high, term in self.ranges
            if high <= _WIDEST * low and any(low <= value <= high for value in values)
        ]

    def share_of_words_in_closest_sentence(self, statement: str) -> float:
        """The share of a statement's words that are in the sentence most like it; 0 if there is
        none.

        Used to tell which of several pages says most of a statement.
        """
        likest = self.sentence_numbers_like_statement(statement, most=1)
        words = set(list_meaningful_stems_and_numbers(statement))
        if not likest or not words:
            return 0.0
        at = likest[0]
        return len(
            words
            & set(list_meaningful_stems_and_numbers(self.text[self.starts[at] : self.ends[at]]))
        ) / len(words)

    def sentence_number_holding_statement(self, statement: str) -> int | None:
        """The sentence that shares most of the statement's words, and at least half of them.

        For a text from which the statement was taken, even if its sentences are so alike that no
        single word tells them apart.
        """
        words = set(list_meaningful_stems_and_numbers(statement))
        shared = np.zeros(len(self.starts))
        for word in words & self.terms.keys():
            rows, times = self.terms[word]
            shared[rows[times >= 1]] += 1
        best = int(np.argmax(shared)) if len(shared) else 0
        return best if words and len(shared) and shared[best] * 2 >= len(words) else None


def _by_place(text: str) -> Iterable[list[tuple[str, float]]]:
    """The terms of a text, grouped by the word they come from; the best of each group counts."""
    made: dict[int, list[tuple[str, float]]] = {}
    seen: set[str] = set()
    for term, weight, at in iterate_terms_with_weight_and_word(text):
        if term not in seen:
            made.setdefault(at, []).append((term, weight))
            seen.add(term)
    return made.values()


def _is_lone(term: str) -> bool:
    """A single letter or digit, which is found anywhere."""
    return len(term) == 1 and term.isascii()


@lru_cache(maxsize=256)
def index_sentences_of_source(text: str) -> SourceSentences:
    """A source's text cut into sentences and indexed; the same text is indexed once."""
    starts, ends, paragraphs = _cut(text)
    spoken = [
        [(term, weight) for term, weight, _ in iterate_terms_with_weight_and_word(text[a:b])]
        for a, b in zip(starts, ends, strict=True)
    ]
    lengths = np.array([sum(weight for _, weight in own) for own in spoken], dtype=np.float64)
    beside = _beside(text, starts, ends, spoken)
    # Every term of every sentence as one number, its weights summed at once.
    number: dict[str, int] = {}
    flat: list[int] = []
    rows: list[int] = []
    weights: list[float] = []
    for row, own in enumerate(spoken):
        for share, part in ((1.0, own), *beside[row]):
            for term, weight in part:
                flat.append(number.setdefault(term, len(number)))
                rows.append(row)
                weights.append(weight * share)
    many = max(len(spoken), 1)
    cells, inverse = np.unique(
        np.array(flat, dtype=np.int64) * many + np.array(rows, dtype=np.int64), return_inverse=True
    )
    summed = np.bincount(inverse, weights=np.array(weights), minlength=len(cells))
    times: NDArray[np.float64] = summed.astype(np.float64)
    word_of, row_of = np.divmod(cells, many)
    bounds = np.searchsorted(word_of, np.arange(len(number) + 1)).tolist()
    indexed = {
        term: (row_of[bounds[n] : bounds[n + 1]], times[bounds[n] : bounds[n + 1]])
        for term, n in number.items()
    }
    headings = tuple(
        row
        for row, (start, end) in enumerate(zip(starts, ends, strict=True))
        if _is_heading(text, start, end)
    )
    ranges = tuple(
        (float(found[1]), float(found[2]), term)
        for term in indexed
        if (found := _RANGE.fullmatch(term))
    )
    return SourceSentences(
        text, tuple(starts), tuple(ends), tuple(paragraphs), headings, indexed, ranges, lengths
    )


_Said = list[tuple[str, float]]


def _beside(
    text: str, starts: list[int], ends: list[int], spoken: list[_Said]
) -> list[list[tuple[float, _Said]]]:
    """For each sentence, what counts for it besides its own words: (share, terms)."""
    made: list[list[tuple[float, _Said]]] = []
    title: _Said = []
    heading: _Said = []
    head: _Said | None = None
    for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
        own: list[tuple[float, _Said]] = [(_HEADING, one) for one in (title, heading) if one]
        is_row = text[start] == "|"
        if is_row and head is not None:
            own.append((_TABLE_HEAD, head))
        if is_row and head is None:
            head = spoken[row]
        elif not is_row:
            head = None
        if row and spoken[row - 1] is not heading and _REFERS.match(text, start):
            own.append((_BEFORE, spoken[row - 1]))
        if not is_row and _is_heading(text, start, end):
            heading = spoken[row]
            title = title or heading
            own = []
        made.append(own)
    return made


def _is_heading(text: str, start: int, end: int) -> bool:
    """Whether a sentence is alone on a short line without a full stop."""
    return (
        end - start <= _TITLE
        and (not start or text[start - 1] == "\n" or text[start - 2 : start] == "\n ")
        and (end == len(text) or text[end : end + 2].lstrip(" ").startswith("\n"))
        and text[end - 1] not in ".!?:;,…)"
        and not text[start].islower()
        and text[start] not in "-•|*"
    )


def _cut(text: str) -> tuple[list[int], list[int], list[int]]:
    starts: list[int] = []
    ends: list[int] = []
    paragraphs: list[int] = []
    fresh, begun = True, 0
    for found in _END.finditer(text):
        line_ends = "\n" in found[0]
        if line_ends and _goes_on(text, found.start(), found.end()):
            continue
        close = found.start() if line_ends and text[found.start()].isspace() else found.end()
        if not line_ends and _ABBREVIATED.search(text, begun, found.start() + 1):
            continue
        fresh = _add(text, begun, close, starts, ends, paragraphs, fresh) or line_ends
        begun = found.end()
    _add(text, begun, len(text), starts, ends, paragraphs, fresh)
    return starts, ends, paragraphs


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether a sentence continues past the end of a full line, as in PDFs."""
    if text.count("\n", start, end) > 1 or end == len(text):
        return False
    line = text[text.rfind("\n", 0, start) + 1 : start].rstrip()
    if len(line) < _FULL_LINE or line[-1] in ".!?:|" or line[0] in "|•":
        return False
    return text[end].islower() or (text[end].isalnum() and bool(_UNFINISHED.search(line)))


def _add(
    text: str,
    start: int,
    end: int,
    starts: list[int],
    ends: list[int],
    paragraphs: list[int],
    fresh: bool,
) -> bool:
    """Add a sentence, in pieces if it is too long; True as long as its paragraph has nothing
    yet.
    """
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end:
        stop = end
        if end - start > _LONGEST:
            space = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
            stop = space if space > 0 else start + _LONGEST
        if fresh:
            paragraphs.append(len(starts))
            fresh = False
        starts.append(start)
        ends.append(len(text[start:stop].rstrip()) + start)
        start = stop
        while start < end and text[start].isspace():
            start += 1
    return fresh
