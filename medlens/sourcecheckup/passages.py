"""A source as sentences, and which of them are most like a statement: BM25 over sentences.

The index of a source is made once and kept; a statement then costs a few array operations, also
for a source of 128,000 tokens. Source: Robertson & Zaragoza, The Probabilistic Relevance Framework
(2009), with the usual k1 = 1.2 and b = 0.75.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_K1, _B = 1.2, 0.75
_LONGEST = 600
"""Characters of a piece without any end of a sentence: menus and tables are cut there."""

_END = re.compile(
    r"\s*\n\s*|[.!?\u2026][\"'\u201d\u2019)\]]*\s+(?=[\"'\u201c\u2018(\[]?[^\W\d_a-z]|\d)|[。！？]"
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|e\.g|i\.e|cf|al|Fig|No|approx|resp|incl|[A-Z]))\.$"
)
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\d+(?:[.,]\d+)*|[^\W\d_]+")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a about after again all almost also always am among an and another any are as at be "
        "because been before being both but by can could did do does done during each either else "
        "even ever every few for from get give given go had has have he help her here his how "
        "however i if in include included including into is it its just kind know known least "
        "less like likely made make making many may me might more most much must my need neither "
        "never no nor not of often on one only or other our out over own rather s same see "
        "several she should since so some sometimes still such t take taken taking than that the "
        "their them then there therefore these they thing this those though through thus time to "
        "too under until up upon us use used useful using usual usually various very was way we "
        "well were what when where whether which while who whom whose why will with within "
        "without would yes yet you your",
    )
)


@dataclass(frozen=True)
class Page:
    """A source's text as sentences. ``text[starts[i]:ends[i]]`` is sentence ``i``, trimmed.

    ``paragraphs`` holds the index of the first sentence of each paragraph.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    paragraphs: tuple[int, ...]
    terms: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]]
    lengths: NDArray[np.float64]

    def sentences(self) -> list[str]:
        """The texts of the sentences, in order."""
        return [self.text[a:b] for a, b in zip(self.starts, self.ends, strict=True)]

    def at(self, start: int, end: int) -> list[int]:
        """The sentences that share a character with this stretch of the text."""
        return [
            i for i, (a, b) in enumerate(zip(self.starts, self.ends, strict=True))
            if a < end and start < b
        ]  # fmt: skip

    def like(self, statement: str, *, most: int = 8) -> list[int]:
        """The sentences most like the statement, best first.

        Never those that share with it nothing but words of every second sentence, lone letters
        and digits: these add to a likeness, and make none.
        """
        scores = np.zeros(len(self.starts))
        telling = np.zeros(len(self.starts), dtype=bool)
        if not len(scores):
            return []
        norm = _K1 * (1 - _B + _B * self.lengths / max(float(self.lengths.mean()), 1.0))
        for word in set(tokens(statement)):
            found = self.terms.get(word)
            if found is None:
                continue
            rows, counts = found
            rarity = np.log(1 + (len(scores) - len(rows) + 0.5) / (len(rows) + 0.5))
            scores[rows] += rarity * counts * (_K1 + 1) / (counts + norm[rows])
            if len(rows) <= max(2, len(scores) / 2) and not (len(word) == 1 and word.isascii()):
                telling[rows] = True
        # Ties go to the sentence that comes first.
        order = np.argsort(np.where(telling, -scores, 0), kind="stable")[:most]
        return [int(i) for i in order if telling[i]]

    def holding(self, statement: str) -> int | None:
        """The sentence that shares most of the statement's words, at least half of them.

        For a text of which the statement was taken: also where its sentences are so much alike that
        no word tells one from the others.
        """
        words = set(tokens(statement))
        shared = np.zeros(len(self.starts))
        for word in words & self.terms.keys():
            shared[self.terms[word][0]] += 1
        best = int(np.argmax(shared)) if len(shared) else 0
        return best if words and len(shared) and shared[best] * 2 >= len(words) else None


def tokens(text: str) -> list[str]:
    """Words that say something, folded: no case, no accents, plurals as singulars."""
    folded = text.casefold()
    if not folded.isascii():
        folded = unicodedata.normalize("NFKD", folded)
        folded = "".join(c for c in folded if not unicodedata.combining(c))
    return [stem for word in _TOKEN.findall(folded) if (stem := _stem(word))]


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    """The word as it is compared; empty for one that says nothing."""
    if word in _STOP:
        return ""
    if word[0].isdigit():
        return word.replace(",", "")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and word[-2] not in "su":
        word = word[:-1]
    return "" if word in _STOP else word


@lru_cache(maxsize=256)
def page_of(text: str) -> Page:
    """A source's text cut into sentences and indexed; the same text is indexed once."""
    starts, ends, paragraphs = _cut(text)
    spoken = [tokens(text[a:b]) for a, b in zip(starts, ends, strict=True)]
    lengths = np.array([len(words) for words in spoken], dtype=np.float64)
    # Every word of every sentence as one number, counted at once.
    number: dict[str, int] = {}
    words = np.array(
        [number.setdefault(word, len(number)) for own in spoken for word in own], dtype=np.int64
    )
    rows = np.repeat(np.arange(len(spoken)), lengths.astype(np.int64))
    cells, counts = np.unique(words * max(len(spoken), 1) + rows, return_counts=True)
    word_of, row_of = np.divmod(cells, max(len(spoken), 1))
    bounds = np.searchsorted(word_of, np.arange(len(number) + 1)).tolist()
    times = counts.astype(np.float64)
    terms = {
        word: (row_of[bounds[n] : bounds[n + 1]], times[bounds[n] : bounds[n + 1]])
        for word, n in number.items()
    }
    return Page(text, tuple(starts), tuple(ends), tuple(paragraphs), terms, lengths)


def _cut(text: str) -> tuple[list[int], list[int], list[int]]:
    starts: list[int] = []
    ends: list[int] = []
    paragraphs: list[int] = []
    fresh, begun = True, 0
    for found in _END.finditer(text):
        line_ends = "\n" in found[0]
        close = found.start() if line_ends and text[found.start()].isspace() else found.end()
        if not line_ends and _ABBREVIATED.search(text, begun, found.start() + 1):
            continue
        fresh = _add(text, begun, close, starts, ends, paragraphs, fresh) or line_ends
        begun = found.end()
    _add(text, begun, len(text), starts, ends, paragraphs, fresh)
    return starts, ends, paragraphs


def _add(
    text: str, start: int, end: int, starts: list[int], ends: list[int], paragraphs: list[int],
    fresh: bool,
) -> bool:  # fmt: skip
    """Add a sentence, in pieces where it is too long; True while its paragraph has nothing yet."""
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
