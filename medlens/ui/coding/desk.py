"""The desk at which one person codes texts: the span surface, with labels that grow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from medlens.errors import InvalidInput
from medlens.review import codebooks_coded_passages_and_agreement, open_code_revisions_by_lead
from medlens.review.codebooks_coded_passages_and_agreement import Code, Codebook, Corpus
from medlens.review.marked_spans_checked_carried_and_timed import (
    COLOURS,
    PATTERNS,
    Span,
    list_mark_problems_in_words,
)
from medlens.review.text_labeler_format import OpenCode
from medlens.store import Store
from medlens.ui import page_address
from medlens.ui.page_frame import Here
from medlens.ui.span_tagger import Message, span_tagger
from medlens.ui.span_tagger.message import Body
from medlens.ui.task_share_and_desk_message_receiver import (
    MessageReceiver,
    make_message_acknowledgement,
    run_desk_method_one_at_a_time,
)

_KEYS = 9


@dataclass(frozen=True)
class Subject:
    """What is coded, and how its texts are shown: ``lay`` gives, by item id, the text, its title
    and its context, which comes from the columns ``beside``; ``page`` is where it is coded.
    """

    corpus: Corpus
    lay: Callable[[Store, str], dict[str, Any]]
    page: str
    beside: tuple[str, ...] = ()


@dataclass(kw_only=True)
class CodingDesk(MessageReceiver):
    """One person's coding of a corpus, text by text."""

    store: Store
    subject: Subject
    search: str = ""
    places: list[tuple[str, str]] = field(default_factory=list)
    book: Codebook = field(default_factory=Codebook)
    _coded: set[str] = field(default_factory=set)
    _keyed: set[str] = field(default_factory=set)
    _data: dict[str, Any] = field(default_factory=dict)
    _changes: int = 0

    @property
    def browser_storage_name(self) -> str:
        """A different name than at the desk where the same text is judged."""
        return f"codes:{self.rater.id}"

    @property
    def item_name(self) -> str:
        """The item's name."""
        return next((name for item, name in self.places if item == self.item), "")

    @run_desk_method_one_at_a_time
    def open_named_or_next_text(self, name: str = "") -> None:
        """Put a text on the desk: the named one, else the first not coded yet."""
        corpus = self.subject.corpus
        self.places = codebooks_coded_passages_and_agreement.list_ids_and_names_of_items_with_words(
            self.store, corpus, search=self.search
        )
        self._coded = codebooks_coded_passages_and_agreement.ids_of_items_coded_by(
            self.store, corpus, self.rater.id
        )
        asked = next((item for item, called in self.places if called == name), None)
        self._put(asked or self._uncoded(-1) or next((item for item, _ in self.places), None))

    def _uncoded(self, after: int) -> str | None:
        ids = [item for item, _ in self.places]
        behind = (*ids[after + 1 :], *ids[: max(after, 0)])
        return next((item for item in behind if item not in self._coded), None)

    @property
    def position_of_text(self) -> int:
        """The text's position among all, from 0."""
        return next((at for at, (item, _) in enumerate(self.places) if item == self.item), -1)

    def _put(self, item: str | None) -> None:
        self.item = item
        self._read_book()
        if item is not None:
            self._data = self._lay_out(item)

    def _read_book(self) -> None:
        corpus = self.subject.corpus
        self._changes = self.store.data_version_of_tables("codebook_change")
        self.book = codebooks_coded_passages_and_agreement.codebook_of_coder(
            self.store, corpus, coder=self.rater.id, viewer=self.rater
        )
        if self._keyed <= self.book.codes.keys() and self._keyed:
            free = [one for one in self.book.codes if one not in self._keyed]
            self._keyed |= set(free[: _KEYS - len(self._keyed)])
            return
        # A code keeps its key as long as the desk exists: fingers learn it.
        history = open_code_revisions_by_lead.list_code_revisions_viewer_may_see(
            self.store, study=corpus.study, dataset=corpus.dataset, viewer=self.rater
        )
        own = [one for one in history if one.rater == self.rater.id]
        used = Counter(
            one.code.label
            for one in codebooks_coded_passages_and_agreement.list_coded_passages(self.book, own)
        )
        most = sorted(self.book.codes, key=lambda one: -used[one])
        self._keyed = set(most[:_KEYS])

    def _labels(self) -> list[dict[str, Any]]:
        keys = iter(range(1, _KEYS + 1))
        return [
            code_as_surface_label(one, at, next(keys, 0) if one.id in self._keyed else 0)
            for at, one in enumerate(self.book.codes.values())
        ]

    @run_desk_method_one_at_a_time
    def surface_data_with_answer(self) -> dict[str, Any]:
        """The surface's data, with the answer to the last message."""
        if self._changes != self.store.data_version_of_tables("codebook_change"):
            # Another tab or page has renamed or merged something.
            self._put(self.item)
        return {**self._data, "ack": self.ack}

    def _growing(self) -> dict[str, Any]:
        labels = self._labels()
        key = len(self._keyed) + 1 if len(self._keyed) < _KEYS else 0
        new = code_as_surface_label(Code("", ""), len(labels), key)
        return {"labels": labels, "grows": new, "moved": dict(self.book.into)}

    def _lay_out(self, item: str) -> dict[str, Any]:
        found = open_code_revisions_by_lead.load_last_saved_codes(
            self.store, item=item, rater=self.rater
        )
        at = self.position_of_text
        return {
            **self.subject.lay(self.store, item),
            **self._growing(),
            "rater": self.browser_storage_name,
            "item": item,
            "rev": found.revision if found else 0,
            "draft": surface_data_with_marks_of_codes(
                self.book.marks_under_current_codes(
                    open_code_revisions_by_lead.read_codes_from_body(found.body)
                )
                if found
                else ()
            ),
            "saved_at": found.at.isoformat() if found else "",
            "state": "coded" if item in self._coded else "open",
            "flag_reason": "",
            "readonly": False,
            "reading": [],
            "notice": "",
            "fields": [],
            "comment": False,
            "free": True,
            "link": {"param": "item", "value": self.item_name},
            "progress": {
                "done": sum(one in self._coded for one, _ in self.places),
                "total": len(self.places),
                "position": at + 1,
                "has_previous": at > 0,
                "has_next": 0 <= at < len(self.places) - 1,
            },
            "clock": {"session_seconds": 0, "item_seconds": 0},
        }

    def _act(self, message: Message) -> None:
        body = self._kept(message.item, message.body)
        found = open_code_revisions_by_lead.load_last_saved_codes(
            self.store, item=message.item, rater=self.rater
        )
        news = found is None or _marks(found.body) != _marks(body)
        rev, at = message.base, str(self._data.get("saved_at", ""))
        if message.action == "draft" or (news and (message.action == "submit" or body["codes"])):
            change = open_code_revisions_by_lead.Change(
                message.item, message.base, body, message.token
            )
            [rev] = open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
                self.store, change, by=self.rater
            )
            saved = open_code_revisions_by_lead.load_last_saved_codes(
                self.store, item=message.item, rater=self.rater
            )
            at = saved.at.isoformat() if saved else at
            self._coded.add(message.item)
        self.ack = make_message_acknowledgement(message.token, rev=rev, at=at)
        if message.item == self.item:
            draft = surface_data_with_marks_of_codes(
                open_code_revisions_by_lead.read_codes_from_body(body)
            )
            self._data |= {"rev": rev, "draft": draft, "saved_at": at, **self._growing()}
        self._move(message.action)

    def _kept(self, item: str, body: Body) -> dict[str, Any]:
        """Marks as stored, new codes created first; two tabs that create one name share it."""
        corpus = self.subject.corpus
        known = {
            made: codebooks_coded_passages_and_agreement.find_or_make_code(
                self.store, corpus, name, by=self.rater, id=made
            ).id
            for made, name in body.codes.items()
        }
        if known:
            self._read_book()
        marks = [
            Span(
                start=one.start,
                end=one.end,
                quote=one.quote,
                labels=tuple(known.get(label, label) for label in one.labels),
            )
            for one in body.spans
        ]
        text = codebooks_coded_passages_and_agreement.texts_by_item_id(self.store, corpus, [item])[
            item
        ]
        if wrong := list_mark_problems_in_words(marks, text, self.book.names):
            raise InvalidInput(wrong[0], hint="Reload the page and mark it again.")
        codes = [
            OpenCode(span.start, span.end, span.quote, known.get(one, one), span.comment)
            for span in body.spans
            if span.start is not None and span.end is not None
            for one in span.labels
        ]
        codes = sorted(set(self.book.marks_under_current_codes(codes)))
        used = dict.fromkeys(one.label for one in codes)
        return open_code_revisions_by_lead.codes_as_stored_body(
            codes, used, corpus.values_by_field_stored_with_codes
        )

    def _move(self, action: str) -> None:
        ids = [item for item, _ in self.places]
        to = {"previous": self.position_of_text - 1, "next": self.position_of_text + 1}.get(action)
        if to is not None and 0 <= to < len(ids):
            self._put(ids[to])
        elif action == "submit":
            self._put(
                self._uncoded(self.position_of_text)
                or ids[min(self.position_of_text + 1, len(ids) - 1)]
            )

    def _newer(self, message: Message) -> dict[str, Any]:
        found = open_code_revisions_by_lead.load_last_saved_codes(
            self.store, item=message.item, rater=self.rater
        )
        codes = (
            self.book.marks_under_current_codes(
                open_code_revisions_by_lead.read_codes_from_body(found.body)
            )
            if found
            else ()
        )
        return {
            "rev": found.revision if found else 0,
            "draft": surface_data_with_marks_of_codes(codes),
        }


def _marks(body: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    return sorted(
        (one.start, one.end, one.label, one.comment)
        for one in open_code_revisions_by_lead.read_codes_from_body(body)
    )


def code_as_surface_label(code: Code, at: int, key: int) -> dict[str, Any]:
    """A code as one of the surface's labels; looks repeat after 81, names and numbers do not."""
    return {
        "id": code.id,
        "key": key,
        "name": code.name,
        "kind": "error",
        "colour": COLOURS[at % len(COLOURS)],
        "pattern": PATTERNS[(at + at // len(COLOURS)) % len(PATTERNS)],
        "hint": "",
        "definition": code.description or "Not described yet.",
        "not_when": "",
        "example": "",
        "example_reason": "",
        "requires_link": False,
        "steps": [],
    }


def surface_data_with_marks_of_codes(codes: tuple[OpenCode, ...]) -> dict[str, Any]:
    """Codes as the surface's marks: one for each passage, with all its codes."""
    spans: dict[tuple[int, int], dict[str, Any]] = {}
    for one in codes:
        empty = {"start": one.start, "end": one.end, "quote": one.quote, "labels": []}
        more = {"comment": "", "link": "", "located": "exact", "answers": {}}
        span = spans.setdefault((one.start, one.end), empty | more)
        span["labels"].append(one.label)
        span["comment"] = span["comment"] or one.comment
    return {"spans": list(spans.values()), "comment": "", "answers": {}}


def coding_desk_of_session(here: Here, subject: Subject, search: str) -> CodingDesk:
    """The session's desk for these texts."""
    corpus = subject.corpus
    items = here.store.data_version_of_tables("item", "item_alias")
    sign = (here.person.id, corpus, search, items)
    held: tuple[Any, CodingDesk] | None = st.session_state.get("coding.desk")
    asked = st.query_params.get("item", "")
    if held is None or held[0] != sign:
        desk = CodingDesk(store=here.store, subject=subject, rater=here.person, search=search)
        desk.open_named_or_next_text(asked)
        st.session_state["coding.desk"] = (sign, desk)
    else:
        desk = held[1]
        if asked and asked != desk.item_name:
            desk.open_named_or_next_text(asked)
    if desk.item and desk.item_name != asked:
        page_address.set_values_in_address(item=desk.item_name)
    page_address.set_address_from_function_at_next_run(
        "item", lambda: desk.item_name if desk.item else ""
    )
    return desk


def drop_coding_desk_of_session() -> None:
    """Set up the desk again when it is next drawn: codes were changed elsewhere on the page."""
    st.session_state.pop("coding.desk", None)


def draw_coding_desk(here: Here, subject: Subject, search: str) -> None:
    """The text being coded, with the codes."""
    desk = coding_desk_of_session(here, subject, search)
    if desk.item is None:
        st.info(
            "No text contains these words." if search else "There are no texts yet.",
            icon=":material/search_off:",
        )
        return
    with st.container(key="tagger"):
        _draw_surface(desk)


@st.fragment
def _draw_surface(desk: CodingDesk) -> None:
    span_tagger.draw_item_and_pass_messages_to_desk(
        desk, desk.surface_data_with_answer, key="coding.surface", whole=True
    )
