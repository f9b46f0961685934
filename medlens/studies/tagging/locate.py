"""Where a mark of the annotation platform lies in the response's plain text.

The platform (Potato 1) counted in the innerHTML of what the browser showed and stored the marked
piece of it, sometimes with the markup of an earlier mark inside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from medlens.studies.tagging.load_items import Sections, split_sections
from medlens.studies.tagging.text import browser_html, plain, repair, repaired

_MARK_UP = re.compile(
    r'<div class="?span_label[^>]*>.*?</div>|<span class="?span_container[^>]*>|</span>',
    re.DOTALL | re.IGNORECASE,
)

How = Literal["exact", "by_quote", "ambiguous", "missing", "outside"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mark was found; ``start`` and ``end`` count in the response's repaired text.

    ``outside`` is a mark on the question or the options, which are not part of the response.
    ``clipped`` says that a part of the mark lay outside.
    """

    how: How
    quote: str
    start: int | None = None
    end: int | None = None
    clipped: bool = False


class Displayed:
    """One displayed text: what the browser counted in, and the response within it."""

    def __init__(self, html: str) -> None:
        """Raises ``RowError`` when the headings of an item are missing."""
        self.sections: Sections = split_sections(html)
        self._html, self._units = browser_html(html)
        self._wide = any(character > "\uffff" for character in self._html)
        head = plain(html[: self.sections.response_at])
        body = plain(self.sections.response)
        stripped = body.strip()
        self._plain = head + body
        self._begin = len(head) + len(body) - len(body.lstrip())
        self._end = self._begin + len(stripped)
        self.response, self._mended = repaired(stripped)

    def place(self, start: int, end: int, quote: str) -> Place:
        """Find a mark by its offsets, or else by its words where they occur only once."""
        words = _words(quote)
        if 0 <= start < end and _words(self._piece(start, end)) == words:
            return self._within(self._units.at(start), self._units.at(end, end=True), words)
        return self._by_words(words)

    def _piece(self, start: int, end: int) -> str:
        if not self._wide:
            return self._html[start:end]
        units = self._html.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end]
        return units.decode("utf-16-le", "replace")

    def _within(self, start: int, end: int, words: str, *, how: How = "exact") -> Place:
        first, last = max(start, self._begin), min(end, self._end)
        if first >= last or not self._plain[first:last].strip():
            return Place("outside", repair(words))
        clipped = bool(self._plain[start:first].strip() or self._plain[last:end].strip())
        begin = self._mended.at(first - self._begin)
        stop = self._mended.at(last - self._begin, end=True)
        return Place(how, self.response[begin:stop], begin, stop, clipped)

    def _by_words(self, words: str) -> Place:
        for wanted in (words, words.strip()):
            found = occurrences(self._plain, wanted)
            if len(found) > 1:
                return Place("ambiguous", repair(words))
            if found:
                end = found[0] + len(wanted)
                return self._within(found[0], end, words, how="by_quote")
        return place_by_quote(self.response, words)


def place_by_quote(response: str, words: str) -> Place:
    """Find ``words`` in a repaired response."""
    wanted = repair(words).strip()
    found = occurrences(response, wanted)
    if len(found) != 1:
        return Place("ambiguous" if found else "missing", repair(words))
    end = found[0] + len(wanted)
    return Place("by_quote", response[found[0] : end], found[0], end)


def occurrences(text: str, wanted: str) -> list[int]:
    """Where ``wanted`` begins in ``text``: the first two places, which may overlap."""
    found: list[int] = []
    at = text.find(wanted) if wanted else -1
    while at >= 0 and len(found) < 2:
        found.append(at)
        at = text.find(wanted, at + 1)
    return found


def _words(quote: str) -> str:
    return plain(_MARK_UP.sub("", quote))
