"""What is judged beside its sources, prepared for reading: statements, pages cut into sentences,
and the sentences most similar to each statement. A pair is one statement and one source; a whole
answer has all of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any

from medlens.errors import InvalidInput
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Store
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup import queries
from medlens.studies.sourcecheckup.queries import ShownPair
from medlens.studies.sourcecheckup.records import VERDICT_NAMES
from medlens.ui import Here
from medlens.ui.sourcecheckup.address_changes import url_if_safe_to_open
from medlens.ui.sourcecheckup.source_reader import (
    ReaderData,
    SourceData,
    WordData,
)
from medlens.web.fetched_page_walls import ABSTRACT_ONLY
from medlens.web.passage_search import SourceSentences, index_sentences_of_source
from medlens.web.quote_search import QuotableText, QuoteMatch, Standing

_OUTCOMES = {
    "": "has not been fetched",
    "not_found": "is no longer there, or never was",
    "http_error": "answered with an error",
    "blocked": "does not allow programs to read it",
    "paywalled": "is behind a paywall",
    "timeout": "did not answer in time",
    "too_large": "was too large to be fetched",
    "unsupported_type": "is of a kind that MedLens cannot read",
    "empty": "has no text",
    "refused": "has an address that is not safe to open",
}

_ABSTRACT_ALONE = (
    "Only the abstract of this article could be read; the site sells the rest. What the abstract "
    "does not say may be in the full text."
)

_ADVICE_ON_UNREADABLE_SOURCE = "Answer “Cannot tell”."
"""What follows where the source that cannot be read is all that is judged."""
_ADVICE_ON_UNREADABLE_SOURCE_OF_SEVERAL = (
    "The question is about all the sources together: read the others. Only if none of them can be"
    " read, answer “Cannot tell”."
)
"""What follows where an answer is judged by all its sources: another may well say it."""

QUOTED: dict[Standing, str] = {
    "exact": "Quote found on the page word for word, underlined with dots:",
    "folded": "Quote found on the page in a different form, underlined with dots:",
    "cut_short": "On the page, but cut short: without the marked words it says something else.",
    "alike": "Similar, not the same. Struck through: only in the quote. Marked: only on the page.",
    "missing": "Quote not on the page:",
    "none": "No quote.",
}
"""How a quote matches its page -> the note shown."""


Place = tuple[int, int]
"""A statement and a source, by their numbers from 0."""
Mark = tuple[int, int, int, int]
"""Statement, source, first and last sentence of the passage that decides."""


@dataclass(frozen=True)
class SourceForReading:
    """A source for reading; ``snapshot`` is its id, "" if it was never fetched. ``of_several``:
    others are judged together with it.
    """

    snapshot: str
    url: str
    title: str
    outcome: str
    status: int | None
    reason: str
    page: SourceSentences
    of_several: bool = False

    @cached_property
    def content_key(self) -> str:
        """The same for sources that read the same, and for no others."""
        known = "\0".join(
            (
                *(self.url, self.title, self.outcome, str(self.status), self.reason),
                *(str(self.of_several), self.page.text),
            )
        )
        return blake2b(known.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    @cached_property
    def browser_data(self) -> SourceData:
        """The browser's data for it, whichever statement is beside it."""
        return {
            "sentences": self.page.texts_of_sentences(),
            "paragraphs": list(self.page.paragraphs),
            "headings": list(self.page.headings),
            "title": self.title,
            "address": self.url,
            # What was not safe to fetch, such as a way into an own network, is not safe to open.
            "href": "" if self.outcome == "refused" else url_if_safe_to_open(self.url),
            "note": _note_on(self),
        }

    def passage_of_sentences_as_dict(self, first: int, last: int) -> dict[str, Any]:
        """These sentences as a passage, with their words."""
        start, end = self.page.starts[first], self.page.ends[last]
        return {"start": start, "end": end, "quote": self.page.text[start:end]}

    def numbers_of_first_and_last_marked_sentence(
        self, passages: Iterable[Mapping[str, Any]]
    ) -> tuple[int, int] | None:
        """The first and last sentence of passages."""
        found = [
            i
            for one in passages
            for i in self.page.sentence_numbers_in_range(one["start"], one["end"])
        ]
        return (min(found), max(found)) if found else None


@dataclass(frozen=True)
class StatementsBesideSources:
    """Statements, (name, text) each, beside sources. ``answer`` is a whole answer's text."""

    question: str
    statements: tuple[tuple[str, str], ...]
    texts: tuple[SourceForReading, ...]
    answer: str = ""

    @cached_property
    def similar_sentences_per_statement_and_source(self) -> list[list[list[int]]]:
        """By statement and source, the sentences most similar to the statement, best first."""
        return [
            [one.page.sentence_numbers_like_statement(text) for one in self.texts]
            for _, text in self.statements
        ]

    @cached_property
    def list_best_source_numbers_of_statements(self) -> list[int]:
        """By statement, the source that says most of it; the first one on a tie."""
        made = []
        for _, text in self.statements:
            shares = [one.page.share_of_words_in_closest_sentence(text) for one in self.texts]
            made.append(shares.index(max(shares)))
        return made

    def passages_with_places_of_marks(
        self, marks: Iterable[Mark]
    ) -> list[tuple[Place, dict[str, Any]]]:
        """Marks as passages, each with its statement and source.

        Raises:
            InvalidInput: no such statement, source or sentence.
        """
        made = []
        for statement, source, first, last in marks:
            if statement >= len(self.statements) or source >= len(self.texts):
                raise InvalidInput("There is no such statement or source.", hint=_AGAIN)
            if last >= len(self.texts[source].page.starts):
                raise InvalidInput(
                    "The marked passage is not in the current version of this source.", hint=_AGAIN
                )
            made.append(
                ((statement, source), self.texts[source].passage_of_sentences_as_dict(first, last))
            )
        return made


_AGAIN = "Reload the page and mark it again."
_NO_SOURCE = SourceForReading("", "", "", "", None, "", index_sentences_of_source(""))


def prepare_pair_to_read(here: Here, item: str) -> StatementsBesideSources:
    """A pair by item id, cached.

    Raises:
        InvalidInput: there is no such pair.
    """
    return _pair(here.store, item)


@cache_until_tables_grow("sc_source", "sc_outcome", most=128)
def _pair(store: Store, item: str) -> StatementsBesideSources:
    pair = queries.load_pair_as_shown(store, item)
    return StatementsBesideSources(
        pair.question, (("", pair.statement),), (source_of_pair_for_reading(pair),)
    )


def source_of_pair_for_reading(pair: ShownPair) -> SourceForReading:
    """The source of a pair."""
    return SourceForReading(
        *(pair.source, pair.url, pair.title, pair.outcome, pair.status, pair.reason),
        index_sentences_of_source(pair.text),
    )


def load_answer_with_newest_source_texts(here: Here, item: str) -> StatementsBesideSources:
    """A whole answer by item id, with the newest copies of its sources; cached.

    Raises:
        InvalidInput: there is no such answer.
    """
    return _whole(here.store, item)


@cache_until_tables_grow("sc_statement", "sc_citation", "sc_source", "sc_outcome", most=128)
def _whole(store: Store, item: str) -> StatementsBesideSources:
    found = listed.find_answer_fields_shown_to_raters(store, item)
    if found is None:
        raise InvalidInput("There is no such answer.", hint="Continue with the next one.")
    cited = listed.list_sources_of_answer(store, found["dataset"], item)
    texts = tuple(
        SourceForReading(
            one["source"],
            one["url"],
            one["title"],
            one["outcome"],
            one["status"],
            one["reason"],
            index_sentences_of_source(
                queries.source_text(store, one["source"]) if one["source"] else ""
            ),
            of_several=len(cited) > 1,
        )
        for one in cited
    )
    statements = tuple(
        (one["name"], one["text"]) for one in listed.list_statements_of_answer(store, item)
    )
    return StatementsBesideSources(
        found["question"], statements, texts or (_NO_SOURCE,), found["text"] or " "
    )


def pair_data_for_reader(
    laid: StatementsBesideSources, *, key: str, quote: list[int]
) -> ReaderData:
    """The reader's data for a pair that is only read."""
    [text] = laid.texts
    return {
        "key": key,
        "source": text.content_key,
        **text.browser_data,
        "like": laid.similar_sentences_per_statement_and_source[0][0],
        "marked": None,
        "quote": quote,
        "markable": False,
    }


def model_verdict_for_browser(
    text: SourceForReading, at: Place, row: Mapping[str, Any]
) -> WordData:
    """A model's verdict on a statement and a source
    (``judging.list_others_judgments_and_record_view``), with their place.
    """
    found = match_model_quote_to_page(text.page, row["value"])
    return {
        "at": at,
        "rater": row["rater"],
        "verdict": VERDICT_NAMES.get(row["value"].verdict, "no verdict"),
        "reason": row["value"].reason,
        "quote": row["value"].quote,
        "how": found.how,
        "note": QUOTED[found.how],
        "changes": [(part.where, part.text) for part in found.changes],
        "quoted": list_numbers_of_sentences_with_quotes(text.page, [found]),
    }


def match_model_quote_to_page(page: SourceSentences, value: Any) -> QuoteMatch:
    """How a model's quote matches its page."""
    return _quotable(page.text).look_up_quote(value.quote)


def list_numbers_of_sentences_with_quotes(
    page: SourceSentences, found: Iterable[QuoteMatch]
) -> list[int]:
    """The sentences of a page that contain the quotes, or similar words."""
    return sorted(
        {
            i
            for one in found
            for start, end in one.places
            for i in page.sentence_numbers_in_range(start, end)
        }
    )


@lru_cache(maxsize=64)
def _quotable(text: str) -> QuotableText:
    return QuotableText(text)


def _note_on(text: SourceForReading) -> str:
    """What stands above a source, or in its place; empty above a whole page."""
    if text.page.starts:
        return _ABSTRACT_ALONE if text.reason == ABSTRACT_ONLY else ""
    if text is _NO_SOURCE:
        return "The answer cites no source."
    what = _OUTCOMES.get(text.outcome, "could not be read")
    status = f" (status {text.status})" if text.status not in (None, 200) else ""
    advice = (
        _ADVICE_ON_UNREADABLE_SOURCE_OF_SEVERAL if text.of_several else _ADVICE_ON_UNREADABLE_SOURCE
    )
    if text.outcome == "refused":
        return f"This page {what}, so there is no text and no link. {advice}"
    told = f"This page {what}{status}. So there is no text to read."
    # What was never fetched may be read at its address.
    return f"{told} {advice}" if text.outcome else told
