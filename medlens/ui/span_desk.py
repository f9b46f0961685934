"""The desk at which one person marks texts: the item on it, and what each message does.

``SpanDesk`` holds no Streamlit widget: it turns the spine's state into the surface's data, and the
surface's messages into drafts, judgments and moves. The page keeps one in the session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from medlens.review import items, judging
from medlens.review.assignment import is_flag_taken_back
from medlens.review.assignments_held_in_memory import FLAG_TAKEN_BACK, assignment_ledger_of_task
from medlens.review.marked_spans_checked_carried_and_timed import active_seconds_by_browser_handle
from medlens.store import Store, stable_id
from medlens.ui.span_tagger import Message
from medlens.ui.span_tagger.message import Body
from medlens.ui.task_share_and_desk_message_receiver import (
    Worked,
    make_message_acknowledgement,
    run_desk_method_one_at_a_time,
)

_SECONDS_WORTH_NOTING = 5.0
_NOTED = ("skip", "flag")
_ONWARD = ("submit", *_NOTED)


Quoted = Callable[[Store, str, int | None, Sequence[Mapping[str, Any]], bool], list[dict[str, Any]]]


@dataclass(frozen=True)
class Marking:
    """How the surface shows a task that marks texts, and how its answers are read back.

    ``asked`` is the same for all items: labels, reading, notice and questions. ``lay`` gives an
    item's text (by id), its title, and what is shown beside it; its last argument says whether the
    person has judged none yet. ``drawn`` turns an answer of the task (None: no answer yet) into the
    surface's form, ``kept`` turns it back. ``quoted``, if the text is not shown as it is stored,
    gives the marks in a version of an item the words that are shown (True) or the stored ones.
    """

    asked: Mapping[str, Any]
    lay: Callable[[Store, str, bool], dict[str, Any]]
    drawn: Callable[[Any], dict[str, Any]]
    kept: Callable[[Body], dict[str, Any]]
    quoted: Quoted | None = None


@dataclass(kw_only=True)
class SpanDesk(Worked):
    """One person's workplace in one dataset; the study says what is marked, and with what."""

    marking: Marking
    _data: dict[str, Any] = field(default_factory=dict)
    _read: dict[str, dict[str, Any]] = field(default_factory=dict)
    _read_in: dict[str, int] = field(default_factory=dict)
    _claimed: set[str] = field(default_factory=set)
    _seconds: dict[str, float] = field(default_factory=dict)

    # -- which item ----------------------------------------------------------------------------

    @run_desk_method_one_at_a_time
    def open_named_or_next_item(self, name: str = "") -> None:
        """Put an item on the desk: the named one if it is the person's, else the next one."""
        self._seconds = active_seconds_by_browser_handle(
            self.store, self.task, dataset=self.dataset, rater=self.rater.id
        )
        super().open_named_or_next_item(name)

    def _claim(self) -> str | None:
        item = super()._claim()
        if item and not assignment_ledger_of_task(
            self.store, self.task.name
        ).find_first_seq_of_current_attempt(item, self.rater.id):
            # Nobody has worked on it, so there is no draft to look for.
            self._claimed.add(item)
        return item

    def _claim_ahead(self) -> str | None:
        if item := super()._claim_ahead():
            self._data |= {"ahead": self._ahead()}
        return item

    def _put(self, item: str | None) -> None:
        super()._put(item)
        if item is None:
            # Keep the old data until the page has moved on: it carries the last answer.
            return
        self._renew_open()
        if self._read_in.get(item) != self._versions.get(item):
            # It was corrected since its text was sent.
            self._read.pop(item, None)
        self._data = self._lay_out()

    # -- the browser's data ----------------------------------------------------------------------

    @run_desk_method_one_at_a_time
    def tagger_data_with_answer(self) -> dict[str, Any]:
        """The tagger's data, with the answer to the last message."""
        return {**self._data, "ack": self.ack}

    def _lay_out(self) -> dict[str, Any]:
        assert self.item is not None
        if self.item in self._claimed:
            draft = self._begun(self.item, judging.NO_DRAFT)
        else:
            draft = self._draft(self.item)
        place, at = self.queue_entry_of_current_item, self.position_in_queue
        elsewhere = sum(
            spent for of, spent in self._seconds.items() if of != self.handle_of_current_item
        )
        return {
            "rater": self.rater.id,
            "rev": draft.revision,
            **self._shown(self.item),
            "ahead": self._ahead(),
            **self.marking.asked,
            "draft": self._drawn(self.item, draft.value),
            "saved_at": draft.saved_at.isoformat() if draft.saved_at else "",
            "left_behind": self.left_behind,
            "left_at": self.left_at.isoformat() if self.left_at else "",
            "state": place.state if place else "open",
            "unsubmitted": draft.value is not None
            and self.differs_from_submitted(draft.value.model_dump(mode="json")),
            "flag_reason": place.flag if place else "",
            "is_flag_taken_back": is_flag_taken_back(place),
            "readonly": False,
            "link": {"param": "item", "value": self.handle_of_current_item},
            "progress": {
                "done": self.queue.count_finished(place) if place else self.queue.done_and_total[0],
                "total": self.queue.last_item_number(place) if place else 1,
                "position": place.number if place else 1,
                "practice": bool(place and place.practice),
                "sent_back": self.queue.sent_back_in_words(place) if place else "",
                "words": self.place_in_words(place) if place else "",
                "has_previous": at > 0,
                # After the last item come the forms and the completion code.
                "has_next": True,
            },
            "clock": {
                "session_seconds": elsewhere,
                "item_seconds": draft.active_seconds,
                "item_idle_seconds": draft.idle_seconds,
            },
        }

    def _shown(self, item: str) -> dict[str, Any]:
        """The part of an item's data that is the same for every rater and state."""
        if item not in self._read:
            self._read_in[item] = items.current_version_of_item(self.store, item)
            self._read[item] = self.marking.lay(self.store, item, not self.queue.done)
        return {"item": self.browser_handle_of_item(item), **self._read[item]}

    def _ahead(self) -> dict[str, Any]:
        """The item each move leads to, so that the browser can show it before we have answered."""
        places, at = self.queue.places, self.position_in_queue
        onward = self._unfinished(after=at)
        before = places[at - 1].item if at > 0 else None
        # Next asks for a new item before it returns to a skipped one.
        new = None if self.queue.more else onward
        behind = places[at + 1].item if 0 <= at < len(places) - 1 else new
        moves = {"previous": before, "next": behind, **dict.fromkeys(_ONWARD, onward)}
        found = {action: item for action, item in moves.items() if item and item != self.item}
        shown = {item: self._shown(item) for item in found.values()}
        return {
            "moves": {action: shown[item]["item"] for action, item in found.items()},
            "items": {data["item"]: data for data in shown.values()},
        }

    # -- the browser's messages --------------------------------------------------------------------

    def _act(self, message: Message) -> None:
        work: dict[str, Any] = {
            "item": message.item,
            "rater": self.rater.id,
            "base": message.base,
            "token": message.token,
            "body": self._kept(message.item, message.body),
            "active_seconds": message.seconds.active,
            "idle_seconds": message.seconds.idle,
            "version": self.version_of_item_seen(message.item),
        }
        try:
            if message.action == "submit":
                under = self._under.get(message.item)
                saved = judging.submit_judgment(self.store, self.task, **work, guideline=under)
            elif message.action == "draft" or self._is_news(message):
                saved = judging.save_draft(self.store, self.task, **work)
            else:
                saved = None
        except judging.RefusedAndSavedAsDraft as refused:
            self._note_saved(message, refused.saved)
            raise
        self._note_saved(message, saved)
        if message.action == "draft":
            self._renew()
            self._claim_ahead()
            return
        if message.action == "unflag":
            self._note(
                "open",
                message.item,
                reason=FLAG_TAKEN_BACK,
                token=stable_id("note", message.token),
            )
            self._count()
            if message.item == self.item:
                self._put(self.item)
            return
        if message.action in _NOTED:
            self._note(
                message.action,
                message.item,
                reason=message.reason,
                token=stable_id("note", message.token),
            )
        self._move(message)

    def _is_news(self, message: Message) -> bool:
        """Whether moving on has anything to save: changed marks, or time worth noting."""
        if message.item != self.item or message.base != self._data.get("rev"):
            return True
        known = float(self._data["clock"]["item_seconds"])
        return (
            message.body != Body.model_validate(self._data["draft"])
            or message.seconds.active - known > _SECONDS_WORTH_NOTING
        )

    def _note_saved(self, message: Message, saved: judging.Saved | None) -> None:
        rev = saved.revision if saved else message.base
        at = str(self._data.get("saved_at", ""))
        if saved:
            kept = self._kept(message.item, message.body)
            at = self.time_saved_or_submitted(message.item, kept, saved.saved_at).isoformat()
        self.ack = make_message_acknowledgement(message.token, rev=rev, at=at)
        self._claimed.discard(message.item)
        self._seconds[self.browser_handle_of_item(message.item)] = message.seconds.active
        if message.item == self.item:
            body = self._kept(message.item, message.body)
            unsent = self.differs_from_submitted(body)
            draft = message.body.model_dump()
            self._data |= {"rev": rev, "draft": draft, "saved_at": at, "unsubmitted": unsent}

    def _move(self, message: Message) -> None:
        if message.item == self.item:
            self._note_left(message.action)
        self._count()
        at = self.queue.position_of_item(message.item)
        places = self.queue.places
        if message.action == "previous":
            self._put(places[max(0, at - 1)].item if places else None)
        elif message.action == "next" and at + 1 < len(places):
            self._put(places[at + 1].item)
        elif message.action == "next":
            self._put(self._claim() or self._onward(after=at))
        else:
            self._put(self._onward(after=at))

    def _newer(self, message: Message) -> dict[str, Any]:
        draft = self._saved_draft(message.item)
        held = (draft.value or self.task.value()).model_dump(mode="json")
        return {
            "rev": draft.revision,
            "draft": self._drawn(message.item, draft.value),
            "submitted": self.is_submitted_answer(message.item, held),
        }

    def _drawn(self, item: str, value: Any) -> dict[str, Any]:
        """An answer in the surface's form, in the words that are shown."""
        found = self.marking.drawn(value)
        if quoted := self.marking.quoted:
            version = self.version_of_item_seen(item)
            found |= {"spans": quoted(self.store, item, version, found["spans"], True)}
        return found

    def _kept(self, item: str, body: Body) -> dict[str, Any]:
        """An answer as the task keeps it, in the stored words."""
        found = self.marking.kept(body)
        if quoted := self.marking.quoted:
            version = self.version_of_item_seen(item)
            found |= {"spans": quoted(self.store, item, version, found["spans"], False)}
        return found
