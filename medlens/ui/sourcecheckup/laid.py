"""A pair laid out to be read: its page cut into sentences, and those most like the statement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any

from medlens.sourcecheckup import queries
from medlens.sourcecheckup.models import VERDICT_NAMES, Verdict
from medlens.sourcecheckup.queries import ShownPair
from medlens.store import Store
from medlens.ui import Here
from medlens.ui.sourcecheckup.nav import safe_link
from medlens.ui.sourcecheckup.source_reader import (
    AnswerData,
    ReaderData,
    RevealData,
    SourceData,
    WordData,
)
from medlens.web.passages import Page, page_of
from medlens.web.quotes import Found, Quotable, Standing

_OUTCOMES = {
    "": "has not been fetched",
    "not_found": "is not there any more, or never was",
    "http_error": "answered with an error",
    "blocked": "refused to be read by a program",
    "paywalled": "is behind a paywall",
    "timeout": "did not answer in time",
    "too_large": "was too large to be fetched",
    "unsupported_type": "is of a kind that has no text here",
    "empty": "has no text",
    "refused": "has an address that is not safe to open",
}

QUOTED: dict[Standing, str] = {
    "exact": "Quote found on the page word for word, underlined with dots:",
    "folded": "Quote found on the page, set in another way, underlined with dots:",
    "alike": "Alike, not the same. Struck through: in the quote alone. Marked: on the page alone.",
    "missing": "Quote not on the page:",
    "none": "No quote.",
}
"""What is said of a quote by how it stands on its page."""


@dataclass(frozen=True)
class Laid:
    """A pair and its page; ``like`` are the sentences most like the statement, best first."""

    pair: ShownPair
    page: Page
    like: tuple[int, ...]

    @cached_property
    def source(self) -> str:
        """The same for pairs whose source reads the same, and for no other."""
        pair = self.pair
        known = "\0".join((pair.url, pair.title, pair.outcome, str(pair.status), pair.text))
        return blake2b(known.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    @cached_property
    def source_data(self) -> SourceData:
        """What the browser is told of the source, whichever statement stands beside it."""
        pair, page = self.pair, self.page
        return {
            "sentences": page.sentences(), "paragraphs": list(page.paragraphs),
            "title": pair.title, "address": pair.url, "href": safe_link(pair.url),
            "empty": _why_empty(pair),
        }  # fmt: skip

    def marked(self, passages: Sequence[Mapping[str, Any]]) -> list[int] | None:
        """The first and last sentence of the passages that decided."""
        found = [i for one in passages for i in self.page.at(one["start"], one["end"])]
        return [min(found), max(found)] if found else None

    def passage(self, first: int, last: int) -> dict[str, Any]:
        """These sentences as a passage, with the words that stand there."""
        start, end = self.page.starts[first], self.page.ends[last]
        return {"start": start, "end": end, "quote": self.page.text[start:end]}


def lay_out(here: Here, item: str) -> Laid:
    """A pair by item id; kept for a while.

    Raises:
        InvalidInput: there is no such pair.
    """
    return _laid(here.store, item, here.store.version("sc_source", "sc_outcome"))


@lru_cache(maxsize=128)
def _laid(store: Store, item: str, _version: int) -> Laid:
    pair = queries.shown_pair(store, item)
    page = page_of(pair.text)
    return Laid(pair, page, tuple(page.like(pair.statement)))


def reader_data(laid: Laid, *, key: str, quote: list[int]) -> ReaderData:
    """What the reader is told of a pair that is only read."""
    return {
        "key": key, "source": laid.source, **laid.source_data, "like": list(laid.like),
        "marked": None, "quote": quote, "markable": False,
    }  # fmt: skip


def answer_data(laid: Laid, body: Mapping[str, Any]) -> AnswerData:
    """A rater's answer as the browser has it: no quote, and its passages as sentences."""
    return {
        "verdict": body["verdict"], "reason": body["reason"],
        "marked": laid.marked(body["passages"]),
    }  # fmt: skip


def reveal_data(
    laid: Laid, revealed: Sequence[Mapping[str, Any]], *, first: Verdict | None
) -> RevealData:
    """What models said of a pair; ``first`` is the rater's own first word where it was another."""
    found = [stands(laid.page, row["value"]) for row in revealed]
    words: list[WordData] = [
        {
            "rater": row["rater"],
            "verdict": VERDICT_NAMES.get(row["value"].verdict, "no verdict"),
            "reason": row["value"].reason, "quote": row["value"].quote,
            "how": one.how, "note": QUOTED[one.how],
            "changes": [(part.where, part.text) for part in one.changes],
        }
        for row, one in zip(revealed, found, strict=True)
    ]  # fmt: skip
    return {
        "words": words, "quote": sentences_of(laid.page, found),
        "first": VERDICT_NAMES[first] if first else "",
    }  # fmt: skip


def stands(page: Page, value: Any) -> Found:
    """How a model's quote stands on its page."""
    return _quotable(page.text).stands(value.quote)


def sentences_of(page: Page, found: Iterable[Found]) -> list[int]:
    """The sentences of a page in which quotes stand, or words like them."""
    return sorted({i for one in found for start, end in one.places for i in page.at(start, end)})


@lru_cache(maxsize=64)
def _quotable(text: str) -> Quotable:
    return Quotable(text)


def _why_empty(pair: ShownPair) -> str:
    what = _OUTCOMES.get(pair.outcome, "could not be read")
    status = f" (status {pair.status})" if pair.status not in (None, 200) else ""
    return f"This page {what}{status}. There is no text to hold the statement against."
