"""The desks for pairs and whole answers: the item, the browser's data, and its messages.

After submission the item stays until the rater has read the verifier's verdict.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import judging
from medlens.review.assignment import SENT_BACK, QueuePlace, is_flag_taken_back
from medlens.review.assignments_held_in_memory import FLAG_TAKEN_BACK
from medlens.store import stable_id
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup.pair_list import states_by_statement_name
from medlens.studies.sourcecheckup.records import VERDICT_NAMES, SourceJudgment
from medlens.ui.desk import Desk
from medlens.ui.sourcecheckup.answers import SIGNS
from medlens.ui.sourcecheckup.source_reader import (
    AnswerData,
    ItemData,
    Message,
    RevealData,
    SourceData,
    SurfaceData,
)
from medlens.ui.sourcecheckup.statements_and_sources_prepared_to_read import (
    Mark,
    Place,
    StatementsBesideSources,
    model_verdict_for_browser,
)
from medlens.ui.task_share_and_desk_message_receiver import (
    Worked,
    make_message_acknowledgement,
    run_desk_method_one_at_a_time,
)

AHEAD_CHARACTERS = 120_000
"""Longer sources are not sent ahead of their item: four times the usual one."""

_ONWARD = ("onward", "skip", "flag")
Passages = Iterable[tuple[Place, dict[str, Any]]]


@dataclass(kw_only=True)
class SourceDesk(Worked, Desk, ABC):
    """A desk driven by messages, whose item stays after it is submitted.

    ``first`` is what the rater answered blind. ``PairDesk`` and ``AnswerDesk`` define what depends
    on the thing judged.
    """

    first: Any = None
    _standing: dict[str, Any] | None = None
    # Both by the item's handle: what a rater answered before an item came again stays apart.
    _known: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    # The rater's own work as far as known: revision, answer, time saved.
    _own: dict[str, judging.Draft] = field(default_factory=dict)

    thing: ClassVar[str]
    verdict: ClassVar[str]
    """The answer's field for the choice."""
    choices: ClassVar[Mapping[str, str]]

    @abstractmethod
    def _marks(self, laid: StatementsBesideSources, body: Mapping[str, Any]) -> list[Mark]:
        """An answer's marked passages as sentences."""

    @abstractmethod
    def _passages(self, made: Passages, laid: StatementsBesideSources) -> list[dict[str, Any]]:
        """Marked passages in the answer's form."""

    @abstractmethod
    def _reveal_data(self) -> RevealData:
        """What models said of the item, for a rater who has submitted it."""

    @abstractmethod
    def _look(self) -> tuple[Any, ...]:
        """What models said of the item; reading it is recorded as a reveal."""

    # -- the browser's data ----------------------------------------------------------------------

    @run_desk_method_one_at_a_time
    def surface_data_of_item(self, *, reason_needed: Iterable[str]) -> SurfaceData:
        """The item, its sources and what the rater may see of both; the items ahead, blind."""
        assert self.item is not None
        shown = self._item(self.item)
        sources: dict[str, SourceData] = {
            one.content_key: one.browser_data for one in self.laid.texts
        }
        ahead = self._ahead(sources)
        told: SurfaceData = {
            "rater": self.rater.id,
            "thing": self.thing,
            "legend": self.task.question,
            "item": shown,
            "total": self.queue.count_of_items,
            "left_behind": self.left_behind,
            "left_at": _moment(self.left_at),
            "has_next": self.position_in_queue + 1 < self.queue.count_of_items,
            "reason_needed": list(reason_needed),
            "choices": [[one, name] for one, name in self.choices.items()],
            "reveal": self._reveal_data() if self._standing is not None else None,
            "sources": sources,
            "ahead": ahead,
            "ack": self.ack,  # type: ignore[typeddict-item]
        }
        if self.error is not None:
            told["trouble"] = f"{self.error.message} {self.error.hint}".strip()
        return told

    def _item(self, item: str) -> ItemData:
        """An item of the rater's queue with their own work on it, and nobody else's."""
        laid: StatementsBesideSources = self.laid if item == self.item else self.lay_out(item)
        handle = self.browser_handle_of_item(item)
        own = self._own[handle] if handle in self._own else self._read(item)
        at = self.queue.position_of_item(item)
        place = self.queue.places[at] if at >= 0 else None
        standing = self._standing if item == self.item else self._known.get(handle, (None,))[0]
        if place and place.is_sent_back:
            # The same answer has to be submitted again.
            standing = None
        return {
            "item": handle,
            "question": laid.question,
            "answer": laid.answer,
            "statements": [text for _, text in laid.statements],
            "sources": [one.content_key for one in laid.texts],
            "like": laid.similar_sentences_per_statement_and_source,
            "best": laid.list_best_source_numbers_of_statements,
            "rev": own.revision,
            "draft": self._answer(laid, self._body(own)),
            "standing": self._answer(laid, standing) if standing else None,
            "saved_at": _moment(own.saved_at),
            # That it was sent back is said beside its place.
            "state": place.state if place and not place.is_sent_back else "open",
            "state_reason": _reason_of_state(place),
            "flag": place.flag if place else "",
            "at": at,
            "place": self.place_in_words(place) if place else "",
        }

    def _answer(self, laid: StatementsBesideSources, body: Mapping[str, Any]) -> AnswerData:
        """An answer in the browser's form: without the quote, with its passages as sentences."""
        return {
            "verdict": body[self.verdict],
            "reason": body["reason"],
            "marks": self._marks(laid, body),
        }

    def _ahead(self, sources: dict[str, SourceData]) -> Any:
        """The item each move leads to, so that the browser can show it before we answer."""
        places, at = self.queue.places, self.position_in_queue
        onward = self._unfinished(after=at)
        moves = {
            "previous": places[at - 1].item if at > 0 else None,
            "next": places[at + 1].item if 0 <= at < len(places) - 1 else None,
            **dict.fromkeys(_ONWARD, onward),
        }
        items: dict[str, ItemData] = {}
        for item in dict.fromkeys(moves.values()):
            if item is None or item == self.item:
                continue
            laid: StatementsBesideSources = self.lay_out(item)
            fresh = [one for one in laid.texts if one.content_key not in sources]
            if sum(len(one.page.text) for one in fresh) > AHEAD_CHARACTERS:
                continue
            sources.update((one.content_key, one.browser_data) for one in fresh)
            items[item] = self._item(item)
        return {
            "moves": {action: items[to]["item"] for action, to in moves.items() if to in items},
            "items": {data["item"]: data for data in items.values()},
        }

    def _read(self, item: str) -> judging.Draft:
        own = self._own[self.browser_handle_of_item(item)] = self._draft(item)
        return own

    # -- the browser's messages ------------------------------------------------------------------

    def _newer(self, message: Message) -> dict[str, Any]:
        self._count()
        self._known.pop(self.browser_handle_of_item(message.item), None)
        self._put(message.item)
        return {
            "rev": self.revision,
            "draft": self._answer(self.laid, self.body),
            "submitted": self.is_submitted_answer(message.item, self.body),
        }

    def _act(self, message: Message) -> None:
        token, self.error = message.token, None
        if message.item != self.item:
            self._return_to(message.item)
        self._tick()
        body = self._body_in(message)
        work: dict[str, Any] = {
            "item": message.item,
            "rater": self.rater.id,
            "base": message.base,
            "token": token,
            "body": body,
            "active_seconds": self._active,
            "idle_seconds": self._idle,
        }
        try:
            if message.action == "submit":
                under = self._under.get(message.item)
                saved = judging.submit_judgment(self.store, self.task, **work, guideline=under)
                self._note_saved(token, body, saved)
            elif message.action == "draft" or body != self._kept:
                self._note_saved(token, body, judging.save_draft(self.store, self.task, **work))
            else:
                self.ack = make_message_acknowledgement(
                    token, rev=self.revision, at=_moment(self.saved_at)
                )
        except judging.RefusedAndSavedAsDraft as refused:
            self._note_saved(token, body, refused.saved)
            raise
        self._after(message, token)

    def _after(self, message: Message, token: str) -> None:
        if message.action == "draft":
            self._renew()
            self._guarded(self._claim_ahead)
        elif message.action == "submit":
            self._count()
            self._known.pop(self.handle_of_current_item, None)
            # It is submitted, whatever happens below.
            if self._guarded(self._reveal):
                self._guarded(self._prepare)
        elif message.action == "reveal":
            if self._standing is not None:
                self._known[self.handle_of_current_item] = (
                    self._standing,
                    self.first,
                    *self._look(),
                )
        elif message.action == "unflag":
            self._note("open", message.item, reason=FLAG_TAKEN_BACK, token=stable_id("note", token))
            self._count()
        elif message.action in ("previous", "next"):
            self.go_by_steps_in_queue(-1 if message.action == "previous" else 1)
        else:
            if message.action in ("skip", "flag"):
                self._note(
                    message.action,
                    message.item,
                    reason=message.reason,
                    token=stable_id("note", token),
                )
            self._note_left("submit" if message.action == "onward" else message.action)
            self._go_on()

    def _return_to(self, item: str) -> None:
        """Put a message's item back on the desk."""
        self._count()
        if self.queue.position_of_item(item) < 0:
            raise NotAllowed(
                f"This {self.thing} is not in your queue.", hint="Return to your own queue."
            )
        self._put(item)

    def _body_in(self, message: Message) -> dict[str, Any]:
        """A message's answer in the task's form; passages get their words from the source."""
        said, laid = message.body, self.laid
        body = self._kept | {self.verdict: said.verdict, "reason": said.reason}
        marks = sorted(said.marks)
        if marks == self._marks(laid, body):
            return body
        if marks and message.sources != tuple(one.content_key for one in laid.texts):
            raise InvalidInput(
                "The marked passage is not in the current version of this source.",
                hint="Reload the page and mark it again.",
            )
        return body | {"passages": self._passages(laid.passages_with_places_of_marks(marks), laid)}

    def _note_saved(self, token: str, body: dict[str, Any], saved: judging.Saved) -> None:
        assert self.item is not None
        at = self.time_saved_or_submitted(self.item, body, saved.saved_at)
        saved = judging.Saved(saved.revision, at)
        self.ack = make_message_acknowledgement(
            token, rev=saved.revision, at=_moment(saved.saved_at)
        )
        self.revision, self.saved_at = saved.revision, saved.saved_at
        self.body = self._kept = body
        self._own[self.handle_of_current_item] = judging.Draft(
            saved.revision, self.task.parse(body), saved.saved_at, self._active, self._idle
        )

    # -- which item ------------------------------------------------------------------------------

    def _prepare(self) -> None:
        """Claim and lay out the next item while the rater reads the models' verdicts."""
        item = self._unfinished(after=self.position_in_queue) or self._claim_ahead()
        if item:
            self.lay_out(item)

    def _put(self, item: str | None) -> None:
        self.first, self._standing = None, None
        super()._put(item)
        if item is None:
            return
        self._own[self.browser_handle_of_item(item)] = judging.Draft(
            self.revision, self.task.parse(self.body), self.saved_at, self._active, self._idle
        )
        place = self.queue_entry_of_current_item
        if place is not None and place.state == "submitted":
            self._guarded(self._reveal)

    def _reveal(self) -> None:
        assert self.item is not None
        if self.handle_of_current_item in self._known:
            self._standing, self.first = self._known[self.handle_of_current_item][:2]
            return
        own = [
            row
            for row in judging.list_revisions_viewer_may_see(
                self.store, self.task, item=self.item, viewer=self.rater
            )
            if row["rater_id"] == self.rater.id
        ]
        if not own:
            return
        self._standing = own[-1]["value"].model_dump(mode="json")
        self.first = next((row["value"] for row in reversed(own) if row["blind"]), None)
        self._known[self.handle_of_current_item] = (self._standing, self.first, *self._shown())

    def _shown(self) -> tuple[Any, ...]:
        """What is shown of models' verdicts right after submission."""
        return self._look()

    def _first_word(self) -> str:
        """What the rater answered blind, if it differs from their current answer."""
        said = str(getattr(self.first, self.verdict)) if self.first is not None else ""
        return self.choices.get(said, "") if said != self.body[self.verdict] else ""


@dataclass(kw_only=True)
class PairDesk(SourceDesk):
    """Does the source support the statement? Models' verdicts are shown after submission."""

    thing: ClassVar[str] = "pair"
    verdict: ClassVar[str] = "verdict"
    choices: ClassVar[Mapping[str, str]] = {str(one): name for one, name in VERDICT_NAMES.items()}

    def _marks(self, laid: StatementsBesideSources, body: Mapping[str, Any]) -> list[Mark]:
        found = laid.texts[0].numbers_of_first_and_last_marked_sentence(body["passages"])
        return [(0, 0, *found)] if found else []

    def _passages(self, made: Passages, laid: StatementsBesideSources) -> list[dict[str, Any]]:
        return [passage for _, passage in made]

    def _look(self) -> tuple[Any, ...]:
        assert self.item is not None
        others = judging.list_others_judgments_and_record_view(
            self.store, self.task, item=self.item, viewer=self.rater
        )
        listed.record_pair_seen(self.store, self.item, self.rater)
        return ([row for row in others if row["rater_kind"] == "model"],)

    def _reveal_data(self) -> RevealData:
        rows = self._known[self.handle_of_current_item][2]
        words = [model_verdict_for_browser(self.laid.texts[0], (0, 0), row) for row in rows]
        return {"words": words, "first": self._first_word(), "states": [], "offered": False}


@dataclass(kw_only=True)
class AnswerDesk(SourceDesk):
    """Do the sources support all of an answer? Models' verdicts on its pairs are shown only on
    request, because a rater who sees them no longer judges those pairs blind either.
    """

    thing: ClassVar[str] = "answer"
    verdict: ClassVar[str] = "answer"
    choices: ClassVar[Mapping[str, str]] = {"yes": "Yes", "no": "No", "cannot_tell": "Cannot tell"}

    def _marks(self, laid: StatementsBesideSources, body: Mapping[str, Any]) -> list[Mark]:
        names = [name for name, _ in laid.statements]
        held: dict[Place, list[Mapping[str, Any]]] = {}
        for one in body["passages"]:
            for at, text in enumerate(laid.texts):
                if text.snapshot == one["source"] and one["statement"] in names:
                    held.setdefault((names.index(one["statement"]), at), []).append(one)
        found = (
            (at, laid.texts[at[1]].numbers_of_first_and_last_marked_sentence(passages))
            for at, passages in held.items()
        )
        return sorted((*at, *where) for at, where in found if where)

    def _passages(self, made: Passages, laid: StatementsBesideSources) -> list[dict[str, Any]]:
        return [
            passage | {"statement": laid.statements[at][0], "source": laid.texts[source].snapshot}
            for (at, source), passage in made
        ]

    _asked: set[str] = field(default_factory=set)

    def _shown(self) -> tuple[Any, ...]:
        return self._look() if self.item in self._asked else (None,)

    def _look(self) -> tuple[Any, ...]:
        assert self.item is not None
        self._asked.add(self.item)
        return (
            listed.reveal_table_of_model_verdicts_on_answer(
                self.store, self.dataset, self.item, self.rater
            ),
        )

    def _reveal_data(self) -> RevealData:
        said, first = self._known[self.handle_of_current_item][2], self._first_word()
        if said is None:
            return {"words": [], "first": first, "states": [], "offered": True}
        laid: StatementsBesideSources = self.laid
        at = {name: i for i, (name, _) in enumerate(laid.statements)}
        source = {one.url: i for i, one in enumerate(laid.texts)}
        words = [
            model_verdict_for_browser(
                laid.texts[source[row["url"]]],
                (at[row["statement"]], source[row["url"]]),
                {"rater": row["rater"], "value": SourceJudgment.model_validate_json(row["body"])},
            )
            for row in said.to_dict("records")
        ]
        sources = [{"url": one.url, "outcome": one.outcome} for one in laid.texts]
        raters = sorted(set(said["rater"].astype(str)))
        by_rater = [
            (rater, states_by_statement_name([{"name": name} for name in at], sources, said, rater))
            for rater in raters
        ]
        states = [[f"{who}: {SIGNS[found[name]][2]}" for who, found in by_rater] for name in at]
        return {"words": words, "first": first, "states": states, "offered": False}


def _reason_of_state(place: QueuePlace | None) -> str:
    """Why a place of the queue is in its state, to be said beside it; empty if there is nothing."""
    if is_flag_taken_back(place):
        return FLAG_TAKEN_BACK
    if place is None or place.state in ("open", "submitted", SENT_BACK):
        return ""
    return place.reason


def _moment(at: datetime | None) -> str:
    return at.isoformat() if at else ""
