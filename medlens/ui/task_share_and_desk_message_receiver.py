"""A person's share of one task: their queue, the current item, and the moves; and the part of a
desk that handles a surface's messages.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import wraps
from threading import RLock
from typing import Any, TypeVar, cast

from medlens.errors import Conflict, MedLensError, NotAllowed, StoreUnavailable
from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    assignment,
    guideline,
    item_corrections,
    items,
    judging,
    practice,
    randomised_model_suggestions,
    rater_exclusion,
    withdrawn_items,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.assignment import WITHDRAWN, QueuePlace, RaterQueue
from medlens.review.assignments_held_in_memory import GivenItem, assignment_ledger_of_task
from medlens.review.item_corrections import CorrectedVersion
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut, Task
from medlens.review.work_progress_and_pace_by_item_and_rater import duration_in_words
from medlens.store import Store, utc_now

_RENEW_SECONDS = 600

Work = TypeVar("Work", bound=Callable[..., Any])


def run_desk_method_one_at_a_time(work: Work) -> Work:
    """A method of a desk that waits until no other is running there.

    Streamlit handles each browser message in a new thread, while an earlier message may still be
    handled in the old one.
    """

    @wraps(work)
    def waiting(self: TaskShare | MessageReceiver, /, *args: Any, **kwargs: Any) -> Any:
        with self.turn:
            return work(self, *args, **kwargs)

    return cast(Work, waiting)


class OutOfDate(NotAllowed):
    """What was sent is about an item as it was handed out before it came again."""


def make_out_of_date_error() -> OutOfDate:
    """What is said to whoever answers an item that has been handed out anew since."""
    # Not why: a rater is not told which items come again.
    return OutOfDate(
        "This page is out of date: its item is closed, and nothing was changed.",
        hint="Reload the page to continue.",
    )


@dataclass(kw_only=True)
class MessageReceiver:
    """The receiver of a surface's messages, which handles each one once.

    ``ack`` is the answer to the last message; ``address`` is where the surface sends them
    (``ui.item_component_and_desk_messages``). Code that reads and changes it in more than one step
    must hold its ``turn`` (see ``alone``).
    """

    rater: Rater
    item: str | None = None
    turn: Any = field(default_factory=RLock, repr=False, compare=False)
    ack: dict[str, Any] | None = None
    address: Any = field(default=None, repr=False, compare=False)
    # A message can arrive in two ways, and the slower copy after a later message.
    _done: deque[str] = field(default_factory=lambda: deque(maxlen=100))

    @property
    def browser_storage_name(self) -> str:
        """The name the surface acts under here; its browser keeps unsaved work under it."""
        return self.rater.id

    @property
    def count_of_practice_items_done(self) -> int:
        """How many practice items are done; when it grows, the page shows what was expected."""
        return 0

    def _meant(self, message: Any) -> Any:
        """A message from the browser with its item as it is called here."""
        return message

    @abstractmethod
    def _act(self, message: Any) -> None:
        """Carry out a message from this rater, and note in ``ack`` what was saved."""

    @abstractmethod
    def _newer(self, message: Any) -> dict[str, Any]:
        """What another tab has since saved for a message's item: ``rev``, ``draft``, and whether
        it has ``submitted`` that.
        """

    @run_desk_method_one_at_a_time
    def carry_out_message_and_set_acknowledgement(self, message: Any) -> None:
        """Carry out a message and put the outcome in ``ack``. Safe to repeat, even late."""
        if message.token in self._done:
            return
        try:
            if message.rater != self.browser_storage_name:
                raise MedLensError(
                    "This was done by somebody else, who is no longer signed in here.",
                    hint="Switch back to that person to save it.",
                )
            message = self._meant(message)
            self._act(message)
            self._done.append(message.token)
        except Conflict as conflict:
            self.ack = make_message_acknowledgement(message.token, error=conflict) | {
                "newer": self._newer(message)
            }
        except MedLensError as error:
            # A submission that breaks the rules is still saved as a draft.
            kept = self.ack if self.ack and self.ack["token"] == message.token else {}
            self.ack = make_message_acknowledgement(message.token, error=error) | {
                name: kept[name] for name in ("rev", "saved_at") if name in kept
            }

    @run_desk_method_one_at_a_time
    def answer_invalid_message(self, token: str, error: MedLensError) -> None:
        """Answer an invalid message."""
        self.ack = make_message_acknowledgement(token, error=error)


_TIMED_ANEW = 5
"""Items after which a person's pace is read again."""
_WORTH_SAYING = 90.0
"""Seconds: that less is left is seen by the number of items."""
_DONE = {"submit": "submitted", "skip": "skipped", "flag": "flagged"}


@dataclass(kw_only=True)
class TaskShare:
    """The base of both kinds of desk. ``item`` is None once the share is done. ``left_behind`` is
    what was done with the item before, in words ("Item 3 submitted"), if that brought this one, at
    ``left_at``.

    ``address`` is where its surface or form sends messages
    (``ui.item_component_and_desk_messages``). Code that reads and changes a desk in more than one
    step must hold its ``turn`` (see ``alone``).
    """

    store: Store
    task: Task
    settings: HandOut
    dataset: str
    rater: Rater
    item: str | None = None
    queue: RaterQueue = field(default_factory=lambda: RaterQueue((), 0, 0))
    left_behind: str = ""
    left_at: datetime | None = None
    turn: Any = field(default_factory=RLock, repr=False, compare=False)
    address: Any = field(default=None, repr=False, compare=False)
    _renewed: dict[str, float] = field(default_factory=dict)
    _brought: set[str] = field(default_factory=set)
    # Whether the item left last had been submitted before and was submitted again.
    _reviewing: bool = False
    # The last number that an item had before one was just skipped or flagged.
    _last_number: int | None = None
    _under: dict[str, int] = field(default_factory=dict)
    # The version of each item as it was last put on the desk.
    _versions: dict[str, int] = field(default_factory=dict)
    _offered: dict[str, Any] = field(default_factory=dict)
    # How many items were done when the person's seconds per item were last read; None: not known.
    _timed: tuple[int, float | None] | None = None
    # The items by everything that the browser ever called them.
    _handed: dict[str, str] = field(default_factory=dict)

    # -- what the browser calls an item ----------------------------------------------------------

    def browser_handle_of_item(self, item: str) -> str:
        """What the browser calls an item: opaque, and another each time it is handed out."""
        given = self._given.get(item)
        return given.browser_handle if given else ""

    def item_id_of_browser_handle(self, handle: str) -> str:
        """The item (id) that the browser calls this.

        Raises:
            NotAllowed: it was never given to this rater.
            OutOfDate: it has been handed out anew since.
        """
        given = self._given
        if handle not in self._handed:
            self._handed = {
                old: one.item for one in list(given.values()) for old in one.all_browser_handles
            }
        item = self._handed.get(handle, "")
        if not item and handle in given and given[handle].passes == 1:
            # A page from before items had handles.
            return handle
        if not item:
            raise NotAllowed("This item is not in your queue.", hint="Return to your own queue.")
        if given[item].browser_handle != handle:
            raise make_out_of_date_error()
        return item

    @property
    def handle_of_current_item(self) -> str:
        """What the browser calls the current item; "" if there is none."""
        return self.browser_handle_of_item(self.item) if self.item else ""

    @property
    def _given(self) -> dict[str, GivenItem]:
        return assignment_ledger_of_task(self.store, self.task.name).by_rater.get(self.rater.id, {})

    def find_item_named_in_address(self, asked: str) -> str | None:
        """The item in the person's queue that an address names: by its handle or, in an old link,
        by its own name. What a reviewer has for the second time is not found by its name.
        """
        for place in self.queue.places:
            if place.name == asked:
                given = self._given.get(place.item)
                if self.rater.role == "lead" or given is None or given.passes == 1:
                    return place.item
        try:
            item = self.item_id_of_browser_handle(asked)
        except NotAllowed:
            return None
        return item if self.queue.position_of_item(item) >= 0 else None

    @property
    def answer_suggested_by_model(self) -> Any:
        """The model's answer suggested for the current item; None if there is none."""
        return self._offered.get(self.item or "")

    def _draft(self, item: str) -> judging.Draft:
        return self._begun(item, self._saved_draft(item))

    def _saved_draft(self, item: str) -> judging.Draft:
        """What is saved of the person's work on an item, as it fits the text that they see."""
        found = judging.load_draft_or_current_judgment(
            *(self.store, self.task),
            item=item,
            rater=self.rater.id,
            version=self._versions.get(item),
        )
        if found.value is None or found.saved_at is None:
            return found
        body = found.value.model_dump(mode="json")
        return replace(found, saved_at=self.time_saved_or_submitted(item, body, found.saved_at))

    def time_saved_or_submitted(
        self, item: str, body: Mapping[str, Any], saved_at: datetime
    ) -> datetime:
        """When an answer was saved; of one that is the submitted one, perhaps again after it was
        changed and changed back, when it was submitted.
        """
        if not self.is_submitted_answer(item, body):
            return saved_at
        at = judging.time_of_last_own_answer(self.store, self.task, item=item, rater=self.rater.id)
        return at or saved_at

    def version_of_item_seen(self, item: str) -> int | None:
        """The version of an item that the person sees; None if it was never on the desk."""
        return self._versions.get(item)

    @property
    def correction_since_shown(self) -> CorrectedVersion | None:
        """How the item was corrected last since it was put on the desk; None: it was not."""
        shown = self._versions.get(self.item or "")
        if (
            self.item is None
            or not shown
            or shown >= items.current_version_of_item(self.store, self.item)
        ):
            return None
        since = item_corrections.corrections_of_item(self.store, self.item, after=shown)
        # Of several, one that changed the meaning matters.
        return next((one for one in since if not one.counts), since[0])

    def _begun(self, item: str, draft: judging.Draft) -> judging.Draft:
        """An item's initial draft: the saved one, else the suggestion."""
        if item not in self._offered:
            self._offered[item] = (
                randomised_model_suggestions.randomise_or_load_suggestion_for_rater(
                    self.store, self.task, dataset=self.dataset, item=item, rater=self.rater.id
                )
            )
        if draft.value is None and self._offered[item] is not None:
            return replace(draft, value=self._offered[item])
        return draft

    @run_desk_method_one_at_a_time
    def open_named_or_next_item(self, name: str = "") -> None:
        """Put an item on the desk: the one that an address names so, else the next one."""
        self._note_left("")
        self._count()
        self._put((name and self.find_item_named_in_address(name)) or self._work(after=-1))

    @run_desk_method_one_at_a_time
    def return_to_next_item(self) -> None:
        """Put on the desk what waits next, as if it were opened for the first time: whoever comes
        back from another page comes to go on, not to look at what they looked at last.
        """
        self._brought.clear()
        self.open_named_or_next_item()

    def save_before_leaving_and_say_if_free(self) -> bool:
        """Before another item is put on the desk, save what is only there; False if the item has to
        stay, since its answer would be lost.
        """
        return True

    @run_desk_method_one_at_a_time
    def turn_to_item_in_address(self, asked: str, *, entered: bool) -> None:
        """Follow the address, which names the item ``asked`` (empty: none). Who has ``entered`` the
        desk from another page without naming one goes on with what waits next.
        """
        if entered and not asked:
            self.return_to_next_item()
        elif asked and not (self.item and self.find_item_named_in_address(asked) == self.item):
            self.open_named_or_next_item(asked)

    @run_desk_method_one_at_a_time
    def put_item_of_queue_place_on_desk(self, place: QueuePlace) -> None:
        """Put the item of a place of the queue on the desk."""
        self._note_left("")
        self._count()
        self._put(place.item)

    @property
    def queue_entry_of_current_item(self) -> QueuePlace | None:
        """The item's place in the queue."""
        return next((p for p in self.queue.places if p.item == self.item), None)

    def differs_from_submitted(self, body: Any) -> bool:
        """Whether an answer to the current item differs from the one that its person submitted;
        False if none was.
        """
        place = self.queue_entry_of_current_item
        if self.item is None or place is None or place.state != "submitted":
            return False
        return judging.differs_from_last_answer(
            *(self.store, self.task),
            item=self.item,
            rater=self.rater.id,
            body=body,
            version=self.version_of_item_seen(self.item),
        )

    def is_submitted_answer(self, item: str, body: Mapping[str, Any]) -> bool:
        """Whether the person, perhaps in another tab, has submitted this answer to an item."""
        given = self._given.get(item) if self.task.handed_out else None
        if given is None or not given.is_judged:
            return False
        return not judging.differs_from_last_answer(
            *(self.store, self.task),
            item=item,
            rater=self.rater.id,
            body=body,
            version=self.version_of_item_seen(item),
        )

    @property
    def position_in_queue(self) -> int:
        """The item's position in the queue, from 0; -1 if it is not there."""
        return self.queue.position_of_item(self.item or "")

    @property
    def count_of_practice_items_done(self) -> int:
        """How many practice items are done; when it grows, the page shows what was expected."""
        return practice.count_practice_items_done(
            self.store, self.task.name, dataset=self.dataset, rater=self.rater.id
        )

    @run_desk_method_one_at_a_time
    def begin_next_practice_attempt(self) -> None:
        """Begin the next attempt at practice, with its first item on the desk."""
        assignment.begin_practice_attempt(
            self.store, self.task, self.settings, dataset=self.dataset, rater=self.rater.id
        )
        self.open_named_or_next_item()

    def _put(self, item: str | None) -> None:
        if item is not None and item != self.item:
            told = guideline.current_guideline(self.store, self.task, dataset=self.dataset)
            self._under[item] = told.version
        if item is not None and self.task.handed_out:
            self._versions[item] = items.current_version_of_item(self.store, item)
        self.item = item

    def _count(self) -> None:
        held, at = self.queue_entry_of_current_item, self.position_in_queue
        self.queue = assignment.load_rater_queue(
            self.store, self.task, self.settings, dataset=self.dataset, rater=self.rater.id
        )
        if (
            held
            and self.position_in_queue < 0
            and withdrawn_items.withdrawal_of_item(self.store, held.item)
        ):
            # Withdrawn while it lies on the desk: it can be finished.
            places = list(self.queue.places)
            places.insert(at, replace(held, state=WITHDRAWN))
            self.queue = replace(self.queue, places=tuple(places))
        if held and self._last_number is not None:
            # Else nobody knows why "4 of 20" has become "4 of 21, 1 skipped".
            if self.queue.last_item_number(held) > self._last_number:
                self.left_behind += ", another added for it"
            self._last_number = None

    def place_in_words(self, place: QueuePlace) -> str:
        """An item's number among how many and, once the person's own pace is known, about how long
        the rest takes: "3 of 20, about 40 min left".
        """
        told, left = self.queue.place_and_state_in_words(place), self.queue.total - self.queue.done
        if self._is_in_vain(place):
            return f"{told}: does not count, you have seen others' answers"
        if place.practice or place.for_key or left <= 0:
            return told
        judged = self.queue.done
        # Timed anew after every few items only: it changes little, and every move draws the place.
        if (
            self._timed is None
            or (judged != self._timed[0] and self._timed[1] is None)
            or (abs(judged - self._timed[0]) >= _TIMED_ANEW)
        ):
            of = {"task": self.task.name, "dataset": self.dataset}
            own = work_progress_and_pace_by_item_and_rater.own_pace_by_task_and_dataset(
                self.store, self.rater.id, **of
            )
            mine = own.get((self.task.name, self.dataset))
            self._timed = (judged, mine.known_seconds_per_item if mine else None)
        seconds = (self._timed[1] or 0.0) * left
        if seconds < _WORTH_SAYING:
            return told
        return f"{told}, about {duration_in_words(seconds)} left"

    def _note_left(self, action: str) -> None:
        """Note what a move does with the item that it leaves: submit, skip, flag, else nothing."""
        place, done = self.queue_entry_of_current_item, _DONE.get(action)
        self._reviewing = action == "submit" and place is not None and place.state == "submitted"
        if place and done == "skipped" and place.state == "submitted":
            done = "stays submitted"
        self.left_behind = f"{self._called(place)} {done}" if place and done else ""
        self.left_at = utc_now() if self.left_behind else None
        skips = place and done in ("skipped", "flagged")
        self._last_number = self.queue.last_item_number(place) if place and skips else None
        if place and done == "submitted":
            self.left_behind += self._what_became(place)

    def _called(self, place: QueuePlace) -> str:
        """A place of the queue in words, at the beginning of a sentence."""
        return f"{'Practice item' if place.practice else 'Item'} {place.number}"

    def _what_became(self, place: QueuePlace) -> str:
        """What else is to be told of an answer just submitted, which was received: that it does not
        count, or that a lead has put away meanwhile what it belongs to. No page need have run since
        that happened.
        """
        if self._is_in_vain(place):
            return ", does not count: you had seen others' answers"
        if withdrawn_items.withdrawal_of_item(self.store, place.item):
            return ", does not count: a lead has withdrawn it"
        of = (self.task.name, self.dataset)
        if self.rater.id in rater_exclusion.exclusions_in_force_by_rater(self.store, *of):
            return ", does not count: a lead has excluded your work"
        if archiving_of_datasets_rounds_and_runs.is_archived_round(
            self.store, self.task.study, self.dataset, self.task.name
        ):
            return ", received, though this was archived meanwhile"
        return ""

    def _is_in_vain(self, place: QueuePlace) -> bool:
        """Whether the person's judgment of an item counts in no figure, since they have seen
        others' answers: a lead who has settled it, say.
        """
        return not (place.practice or place.for_key) and assignment.is_judgment_uncounted(
            self.store, self.task, item=place.item, rater=self.rater.id
        )

    def _unfinished(self, *, after: int) -> str | None:
        """The next item to judge, open or sent back, after a position in the queue, else the first
        one before it.
        """
        place = self.queue.find_next_unfinished_queue_entry(after=after)
        return place.item if place else None

    def _onward(self, *, after: int) -> str | None:
        """The next item: an open one, else a new one, else one that was skipped. An item answered
        for a key stays: answering it asks for no further work. Of a finished share, submitting an
        item again leads to the one behind it.
        """
        if self._at_key:
            return self.item
        return self._work(after=after) or self._to_review(after=after)

    def _to_review(self, *, after: int) -> str | None:
        """Whoever looks over a finished share goes on to the next of their items, as far as the
        last; None for who has just finished it.
        """
        behind = self.queue.places[after + 1 :]
        return behind[0].item if self._reviewing and behind else None

    def _work(self, *, after: int) -> str | None:
        return self._unfinished(after=after) or self._claim() or self._skipped()

    @property
    def item_after_submit_or_skip(self) -> str | None:
        """The item to which Submit and Skip lead, if it is the person's already."""
        return (
            self._unfinished(after=self.position_in_queue) if self.position_in_queue >= 0 else None
        )

    @property
    def _at_key(self) -> bool:
        """Whether the item on the desk is there to be answered for a key."""
        place = self.queue_entry_of_current_item
        return place is not None and place.for_key

    def _skipped(self) -> str | None:
        """A skipped item, each only once per desk."""
        put_off = [place.item for place in self.queue.places_sent_back if place.put_off]
        for item in (*put_off, *self.queue.back):
            if item not in self._brought and item != self.item:
                self._brought.add(item)
                return item
        return None

    def _claim(self) -> str | None:
        item = assignment.give_next_item_and_return_id(
            self.store, self.task, self.settings, dataset=self.dataset, rater=self.rater.id
        )
        if item:
            self._count()
            # A claim comes with its own lease.
            self._renewed[item] = time.monotonic()
        return item

    def _claim_ahead(self) -> str | None:
        """Once work on an item has begun, claim the next one, so that moving on need not wait."""
        at = self.position_in_queue
        if self._at_key:
            return None
        return self._claim() if at >= 0 and self._unfinished(after=at) is None else None

    def _renew(self) -> None:
        """Keep the item for its rater, at most every ten minutes."""
        item = self.item
        if item is None or time.monotonic() - self._renewed.get(item, -1e9) < _RENEW_SECONDS:
            return
        self._note("open", item)
        self._renewed[item] = time.monotonic()

    def _renew_open(self) -> None:
        """Keep the item for its rater while it is unfinished."""
        place = self.queue_entry_of_current_item
        if place and place.state == "open":
            self._renew()

    def _note(self, kind: str, item: str, *, reason: str = "", token: str | None = None) -> None:
        assignment.record_opened_skipped_or_flagged(
            self.store,
            self.task,
            self.settings,
            item=item,
            rater=self.rater.id,
            kind=kind,
            reason=reason,
            token=token,
        )


@dataclass(kw_only=True)
class Worked(TaskShare, MessageReceiver):
    """A share worked on through a surface's messages."""

    def _meant(self, message: Any) -> Any:
        return message.model_copy(update={"item": self.item_id_of_browser_handle(message.item)})


def make_message_acknowledgement(
    token: str, *, rev: int = 0, at: str = "", error: MedLensError | None = None
) -> dict[str, Any]:
    """The answer to a message, by its token: the draft's revision, or what is wrong."""
    said = None
    if error:
        # Trouble with the store passes; trouble with the answer does not.
        passing = isinstance(error, StoreUnavailable)
        said = {"message": error.message, "hint": error.hint, "passing": passing}
    return {"token": token, "rev": rev, "saved_at": at, "error": said, "newer": None}
