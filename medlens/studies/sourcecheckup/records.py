"""The types of SourceCheckup: questions, answers, statements, sources, pairs and verdicts.

Wu et al. 2025 (arXiv:2402.02008), Methods. Each has its own table in the store
(``migrations/003_sourcecheckup.sql``); questions, responses and pairs are also items of the review
spine, with the same ids. Names are those in the imported files.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, NonNegativeInt, model_validator

from medlens.store import stable_id, to_json
from medlens.tables import parse_json_value
from medlens.web import Outcome

STUDY = "sourcecheckup"
QUESTION_KIND = "question"
RESPONSE_KIND = "response"
PAIR_KIND = "pair"
MERGED_KIND = "merged"

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
VALID: tuple[Outcome, ...] = ("ok", "too_long")
"""Outcomes with status 200 and text: the paper's valid sources. ``too_long`` has a text that no
model was given; like every other outcome but ``ok`` it is not readable."""
READABLE: tuple[Outcome, ...] = ("ok",)

Verdict = Literal["supported", "partly", "contradicted", "not_supported", "cannot_tell"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
VERDICT_NAMES: dict[Verdict, str] = {
    "supported": "Supported",
    "partly": "Partly supported",
    "contradicted": "Contradicted",
    "not_supported": "Not supported",
    "cannot_tell": "Cannot tell: source unreadable",
}
VERDICT_WORDS: dict[str, Verdict] = {
    "found": "supported",
    "yes": "supported",
    "true": "supported",
    "1": "supported",
    "not_found": "not_supported",
    "no": "not_supported",
    "false": "not_supported",
    "0": "not_supported",
    "unsupported": "not_supported",
    "partial": "partly",
    "partially": "partly",
    "partially_supported": "partly",
    "partly_supported": "partly",
    "contradicts": "contradicted",
    "unreadable": "cannot_tell",
    "unsure": "cannot_tell",
}
"""Other words of published files for the verdicts, in lower case with ``_`` for spaces."""

ResponseOutcome = Literal["ok", "invalid"]
Action = Literal["edited", "removed"]
Existed = Literal["yes", "no", ""]


def parse_verdict_word(word: str) -> Verdict | None:
    """The verdict that a word in a file stands for; None if it stands for none."""
    plain = re.sub(r"[\s_-]+", "_", word.strip().casefold())
    given = VERDICT_WORDS.get(plain, plain)
    return next((one for one in VERDICTS if one == given), None)


def is_verdict_supporting_if_given(verdict: str) -> bool | None:
    """The paper's binary: supported or not (partly and contradicted are not); None: no answer."""
    return None if verdict not in VERDICTS or verdict == "cannot_tell" else verdict == "supported"


class Strict(BaseModel):
    """Frozen, and refuses unknown fields, so that a misspelt field is never dropped silently."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Question(Strict):
    """A question, from a reference text or from a collection.

    ``name`` is its id in files. ``group`` is where it came from (MayoClinic, r/AskDocs, …).
    ``document`` is the reference text it was made from, and ``answer`` the answer made with it;
    both are empty for a collected question.
    """

    name: str = Field(min_length=1)
    question: str = Field(min_length=1)
    group: str = ""
    answer: str = ""
    document: str = ""
    document_url: str = ""


class Response(Strict):
    """One model's answer to a question, and the addresses it cites, in order, including repeats.

    ``question`` is the question's name. ``text`` is the answer without its addresses, ``raw`` what
    the model wrote. ``invalid`` means that the answer was still empty or incomplete after a second
    try; ``reason`` says how.
    """

    name: str = Field(min_length=1)
    question: str = Field(min_length=1)
    model: str = Field(min_length=1)
    text: str = ""
    urls: tuple[str, ...] = ()
    outcome: ResponseOutcome = "ok"
    raw: str = ""
    reason: str = ""


class Statement(Strict):
    """A medical fact in a response, readable on its own. ``n`` counts from 1 per response."""

    name: str = Field(min_length=1)
    response: str = Field(min_length=1)
    statement: str = Field(min_length=1)
    n: int = Field(default=1, ge=1)


class Source(Strict):
    """A snapshot of a cited page: what the fetch returned, and the page's text.

    ``status`` is None if there was no reply. ``bytes`` and ``seconds`` are of the fetch, ``tokens``
    is an estimate for ``text``. ``existed`` is what the archive says of a dead page. ``reason``
    says what went wrong.
    """

    url: str = Field(min_length=1)
    outcome: Outcome
    status: int | None = None
    reason: str = ""
    final_url: str = ""
    content_type: str = ""
    title: str = ""
    headers: Mapping[str, str] = Field(default_factory=dict)
    redirects: tuple[str, ...] = ()
    fetched_at: datetime | None = None
    seconds: NonNegativeFloat | None = None
    bytes: NonNegativeInt | None = None
    tokens: NonNegativeInt | None = None
    text: str = ""
    existed: Existed = ""

    @model_validator(mode="after")
    def _has_text(self) -> Source:
        if self.outcome == "ok" and not self.text.strip():
            raise ValueError("a page that could be read has a text")
        return self

    @property
    def digest(self) -> str:
        """The SHA-256 of the text's UTF-8; empty if there is no text."""
        return digest_of_text(self.text)


class Pair(Strict):
    """A statement and a source of its response: the body of an item of kind ``pair``.

    Holds ids, not names: of the statement, its response and the snapshot (``source``; empty if the
    pair came without one, which means the address's newest snapshot). Fetching a page again does
    not change what was judged.
    """

    statement: str = Field(min_length=1)
    response: str = Field(min_length=1)
    url: str = Field(min_length=1)
    source: str = ""


class Merged(Strict):
    """A statement and all readable sources of its response together: the body of an item of kind
    ``merged``.

    Holds ids, not names; ``sources`` are snapshots in the order of citation. Other sources make
    another item, so what was judged does not change.
    """

    statement: str = Field(min_length=1)
    response: str = Field(min_length=1)
    sources: tuple[str, ...] = Field(min_length=1)


class Passage(Strict):
    """A part of the source's text: code points ``start`` to ``end``, exclusive; ``quote`` is
    ``text[start:end]``.
    """

    start: int = Field(ge=0)
    end: int = Field(gt=0)
    quote: str

    @model_validator(mode="after")
    def _in_order(self) -> Passage:
        if self.end <= self.start or len(self.quote) != self.end - self.start:
            raise ValueError("the passage does not have the length of its quote")
        return self


class StatedPassage(Passage):
    """A passage of a snapshot (``source``, by id) that decides a statement (by name)."""

    statement: str = Field(min_length=1)
    source: str = Field(min_length=1)


class SourceJudgment(Strict):
    """One rater's answer to ``source_support``; a ``verdict`` of None means not answered yet.

    ``quote`` is what a model quoted from the page, whether the page says it or not; ``passages``
    are the deciding parts of the page, found or marked.
    """

    verdict: Verdict | None = None
    reason: str = ""
    quote: str = ""
    passages: tuple[Passage, ...] = ()

    @property
    def is_supported_if_answered(self) -> bool | None:
        """The paper's binary; None for "cannot tell" and for no answer."""
        return is_verdict_supporting_if_given(self.verdict or "")


class CleanUp(Strict):
    """What was done with a statement that a source of its response does not support.

    ``statement`` is its name. ``text`` is the edited statement, empty if it was removed.
    """

    statement: str = Field(min_length=1)
    url: str
    action: Action
    text: str = ""
    reason: str = ""
    model: str = ""

    @model_validator(mode="after")
    def _fits(self) -> CleanUp:
        if (self.action == "edited") != bool(self.text.strip()):
            raise ValueError("an edited statement has a text, a removed one has none")
        return self


# -- names and ids ----------------------------------------------------------------------------
# ``queries`` builds the same in SQL for whole files at once; a test checks that they agree.

_LONGEST_URL = 500


def name_of_question_or_response_item(kind: str, name: str) -> str:
    """The name of a question's or response's item; the kinds share the dataset's namespace."""
    return f"{kind} {name}"


def name_of_pair_item(statement: str, url: str) -> str:
    """The name of a pair's item; a very long address is cut, and a hash keeps it distinct."""
    if len(url) > _LONGEST_URL:
        url = f"{url[:300]}…{digest_of_text(url)}"
    return f"{PAIR_KIND} {statement} {url}"


def question_id(dataset: str, name: str) -> str:
    """The id of a question's row and item, by its name."""
    return stable_id("item", STUDY, dataset, name_of_question_or_response_item(QUESTION_KIND, name))


def response_id(dataset: str, name: str) -> str:
    """The id of a response's row and item, by its name."""
    return stable_id("item", STUDY, dataset, name_of_question_or_response_item(RESPONSE_KIND, name))


def statement_id(dataset: str, name: str) -> str:
    """The id of a statement's row, by its name."""
    return stable_id("sc_statement", dataset, name)


def address_without_fragment(url: str) -> str:
    """The address of the page to fetch. The part after ``#`` is dropped: it is never sent to a
    server, so addresses that differ only there are one source. The store's views do the same.
    """
    return url.partition("#")[0] or url


def source_id(dataset: str, url: str, revision: int = 1) -> str:
    """The id of a snapshot of an address, by default of the first."""
    return stable_id("sc_source", dataset, url, str(revision))


def pair_id(dataset: str, statement: str, url: str) -> str:
    """The item id of a pair, by the statement's name and the address."""
    return stable_id("item", STUDY, dataset, name_of_pair_item(statement, url))


def name_of_merged_sources_item(statement: str, sources: Sequence[str]) -> str:
    """The name of the item of a statement and several sources (snapshot ids, in order)."""
    return f"{MERGED_KIND} {statement} {digest_of_text(' '.join(sources))[:16]}"


def id_of_merged_sources_item(dataset: str, statement: str, sources: Sequence[str]) -> str:
    """The item id of a statement, by its name, and several sources."""
    return stable_id("item", STUDY, dataset, name_of_merged_sources_item(statement, sources))


def digest_of_text(text: str) -> str:
    """The SHA-256 of a text's UTF-8; empty if there is no text."""
    return hashlib.sha256(text.encode()).hexdigest() if text else ""


def parse_addresses(given: Any) -> tuple[str, ...]:
    """Addresses in order, from a list, a JSON list, or a text with spaces between them.

    Raises:
        ValueError: the list holds something other than texts.
    """
    if given is None or (isinstance(given, float) and math.isnan(given)):
        return ()
    if isinstance(given, str):
        text = given.strip()
        if not text.startswith("["):
            return tuple(text.split())
        given = parse_json_value(text)
    if not isinstance(given, (list, tuple)) and hasattr(given, "tolist"):
        given = given.tolist()
    if not isinstance(given, (list, tuple)) or not all(isinstance(one, str) for one in given):
        raise ValueError("not a list of addresses")
    # An address with a space or line break in it would be read back as two.
    return tuple("%20".join(one.split()) for one in given if one.strip())


def addresses_as_cell(urls: tuple[str, ...] | list[str]) -> str:
    """Addresses as one table cell: a JSON list."""
    return to_json(list(urls))
