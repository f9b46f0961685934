"""The desk at which one person judges with a form: which item is on it, and what of it is saved.

``Desk`` draws nothing (``desk_view`` does): it holds the current answer, saves it as a draft at
every change, and moves through the person's queue. The page keeps one per task in the session.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from medlens.errors import Conflict, MedLensError, NotAllowed, StoreUnavailable
from medlens.review import judging
from medlens.review.assignments_held_in_memory import FLAG_TAKEN_BACK
from medlens.store import new_id
from medlens.ui.task_share_and_desk_message_receiver import (
    OutOfDate,
    TaskShare,
    make_out_of_date_error,
    run_desk_method_one_at_a_time,
)

_PAUSE_SECONDS = 60.0
"""The part of a gap between two actions that exceeds this was not spent on the item."""


@dataclass(kw_only=True)
class Desk(TaskShare):
    """One person's workplace for one task of one dataset.

    ``body`` is the current answer on the page, ``laid`` what ``lay_out`` made of the item.
    ``error`` says why the last change is not saved; ``newer`` is the state that another tab saved
    in the meantime. ``session`` tells this desk from one set up earlier; ``taken`` is the last
    message handled, by the part of the page that sent it. ``moves`` counts all requested moves,
    including those that led nowhere.
    """

    lay_out: Callable[[str], Any]
    body: dict[str, Any] = field(default_factory=dict)
    laid: Any = None
    revision: int = 0
    saved_at: datetime | None = None
    error: MedLensError | None = None
    newer: judging.Draft | None = None
    moved: bool = False
    moves: int = 0
    session: str = field(default_factory=new_id)
    taken: dict[str, str] = field(default_factory=dict)
    # The revision of the draft of each item that has left the desk, as it was last known here.
    _left: dict[str, int] = field(default_factory=dict)
    # What the browser called the item when it was put here: another once it is handed out anew.
    _handle: str = ""
    _kept: dict[str, Any] = field(default_factory=dict)
    _tried: dict[str, Any] | None = None
    _active: float = 0.0
    _idle: float = 0.0
    _seen: float = 0.0

    def _put(self, item: str | None) -> None:
        if self.item is not None:
            self._left[self.item] = self.revision
        super()._put(item)
        self.error = self.newer = self._tried = None
        self.moved = True
        if item is None:
            return
        self._handle = self.browser_handle_of_item(item)
        self._renew_open()
        draft = self._draft(item)
        self._show(draft)
        self._active, self._idle = draft.active_seconds, draft.idle_seconds
        self._seen = time.monotonic()
        self.laid = self.lay_out(item)

    @run_desk_method_one_at_a_time
    def turn_to_item_in_address(self, asked: str, *, entered: bool) -> None:
        """As ``TaskShare``'s, but a request under way still has the address from before a move, and
        must not bring the old item back.
        """
        if not (asked and self.moved) and self.save_before_leaving_and_say_if_free():
            super().turn_to_item_in_address(asked, entered=entered)

    @run_desk_method_one_at_a_time
    def save_before_leaving_and_say_if_free(self) -> bool:
        """As ``TaskShare``'s: what could not be saved before is tried again. An item stays while
        its rater has not chosen between two tabs' answers, and while the store is unavailable.
        """
        if self.item is None or self.is_answer_saved:
            return True
        if self.newer is None:
            self.save_draft()
        return self.newer is None and not isinstance(self.error, StoreUnavailable)

    def _show(self, draft: judging.Draft) -> None:
        self.body = self._kept = self._body(draft)
        self.revision, self.saved_at = draft.revision, draft.saved_at

    @property
    def is_answer_saved(self) -> bool:
        """Whether the current answer is on disk, submitted or as a draft."""
        return self._kept == self.body

    # -- the answer ------------------------------------------------------------------------------

    @run_desk_method_one_at_a_time
    def change_answer_and_save_draft(self, /, **fields: Any) -> None:
        """Change the answer and save it as a draft; if that fails, ``error`` says why."""
        if fields.items() <= self.body.items():
            return
        self.body = self.body | fields
        if self.newer is None:
            self.save_draft()

    def find_item_of_message(self, handle: str) -> str | None:
        """The item of the queue that a message calls this; None if there is none. If it has been
        handed out anew since, ``error`` says that nothing was saved.
        """
        try:
            item = self.item_id_of_browser_handle(handle)
        except OutOfDate as refused:
            self.error = refused
            return None
        except NotAllowed:
            return None
        return item if self.queue.position_of_item(item) >= 0 else None

    @property
    def holds_unsubmitted_change(self) -> bool:
        """Whether the answer on the page differs from the one that was submitted."""
        return self.differs_from_submitted(self.body)

    def read_answer_body_of_item(self, item: str) -> dict[str, Any]:
        """The current answer to an item, even if the item has left the desk."""
        return self.body if item == self.item else self._body(self._draft(item))

    def _body(self, draft: judging.Draft) -> dict[str, Any]:
        found: dict[str, Any] = (draft.value or self.task.value()).model_dump(mode="json")
        return found

    @run_desk_method_one_at_a_time
    def change_answer_of_item_and_say_if_done(
        self, item: str, base: int | None = None, /, **fields: Any
    ) -> bool:
        """Change the answer to an item that may have left the desk since it was shown.

        The browser's message may arrive with, or after, the press that moves on. ``base`` is the
        revision that the browser last saw; None: as this desk last knew it. If another tab has
        saved since, the item comes back, and its rater is asked. Returns False if the browser must
        send it again: the store is full or unavailable, or the item that is here now cannot leave,
        and nothing here holds that item's answer.
        """
        if item == self.item:
            self.change_answer_and_save_draft(**fields)
            return True
        try:
            self._save_change_of_left_item(item, base, fields)
        except Conflict as conflict:
            return self._bring_back_and_say_if_done(item, fields, conflict)
        except MedLensError as error:
            self.error = error
            return not isinstance(error, StoreUnavailable)
        if self.newer is None and self.is_answer_saved:
            self.error = None
        return True

    def _save_change_of_left_item(
        self, item: str, base: int | None, fields: dict[str, Any]
    ) -> None:
        held = self._draft(item)
        body = self._body(held)
        if fields.items() <= body.items():
            return
        known = self._left.get(item, held.revision) if base is None else base
        saved = judging.save_draft(
            self.store,
            self.task,
            item=item,
            rater=self.rater.id,
            base=known,
            token=new_id(),
            body=body | fields,
            active_seconds=held.active_seconds,
            idle_seconds=held.idle_seconds,
            version=self.version_of_item_seen(item),
        )
        self._left[item] = saved.revision

    def _bring_back_and_say_if_done(
        self, item: str, fields: dict[str, Any], conflict: Conflict
    ) -> bool:
        """Put an item back on the desk with a change that another tab's stands in the way of."""
        if not self.save_before_leaving_and_say_if_free():
            return False
        try:
            self._note_left("")
            self._put(item)
            theirs = self._draft(item)
        except MedLensError as error:
            self.error = error
            return False
        self.body = self.body | fields
        self.error, self.newer = conflict, theirs
        return True

    @property
    def _begun_here(self) -> bool:
        return bool(self.revision) and self.is_answer_saved

    @run_desk_method_one_at_a_time
    def claim_next_item_once_work_has_begun(self) -> None:
        """Claim the next item once work on this one has begun; a failure shows at the move."""
        if (
            self._begun_here
            and self.queue_entry_of_current_item
            and self.queue_entry_of_current_item.state == "open"
        ):
            with suppress(MedLensError):
                self._claim_ahead()

    def page_state_besides_answer(self) -> object:
        """What the page shows of the desk besides the answer and when it was saved."""
        newer = self.newer and self.newer.revision
        return (
            self.item,
            self.moved,
            self.is_answer_saved,
            self.error,
            newer,
            self.queue_entry_of_current_item,
        )

    @run_desk_method_one_at_a_time
    def save_draft(self) -> None:
        """Save the current answer; after a failure it can be tried again."""
        self._guarded(self._save)

    def _save(self) -> None:
        assert self.item is not None
        self._require_hand_out_as_shown()
        self._tick()
        tried, self._tried = self._tried, dict(self.body)
        for _ in range(2):
            try:
                saved = judging.save_draft(
                    self.store,
                    self.task,
                    item=self.item,
                    rater=self.rater.id,
                    base=self.revision,
                    token=new_id(),
                    body=self.body,
                    active_seconds=self._active,
                    idle_seconds=self._idle,
                    version=self.version_of_item_seen(self.item),
                )
            except Conflict:
                theirs = self._draft(self.item)
                # If it equals our last try, our own save reached the disk and only its answer was
                # lost.
                if tried is None or self._body(theirs) != tried:
                    raise
                self.revision, tried = theirs.revision, None
                continue
            self._note_draft(saved)
            self._renew()
            return

    def _require_hand_out_as_shown(self) -> None:
        """What was answered the first time is not saved as the answer of a second pass."""
        if self.handle_of_current_item != self._handle:
            raise make_out_of_date_error()

    def _note_draft(self, saved: judging.Saved) -> None:
        assert self.item is not None
        self.revision = saved.revision
        self.saved_at = self.time_saved_or_submitted(self.item, self.body, saved.saved_at)
        self._kept, self._tried = dict(self.body), None

    def _guarded(self, work: Callable[[], object], again: bool = True) -> bool:
        try:
            work()
        except Conflict as conflict:
            theirs = self._draft(self.item) if self.item is not None else None
            if again and theirs and theirs.value is not None and self._body(theirs) == self.body:
                # Another tab's in the same words, or our own whose saving nobody confirmed.
                self.revision = theirs.revision
                return self._guarded(work, again=False)
            self.error = conflict
            self.newer = theirs or self.newer
            return False
        except MedLensError as error:
            self.error = error
            return False
        self.error = self.newer = None
        return True

    @run_desk_method_one_at_a_time
    def overwrite_other_tabs_answer(self) -> None:
        """Save this answer over what the other tab saved; theirs stays in the history."""
        if self.newer is not None:
            self.revision = self.newer.revision
            self.save_draft()

    @run_desk_method_one_at_a_time
    def take_other_tabs_answer(self) -> None:
        """Replace this answer with what the other tab saved last."""
        self.read_what_other_tab_saved()
        if self.newer is not None:
            self._show(self.newer)
            self.error = self.newer = None
            # The other tab may have submitted it.
            self._count()

    @run_desk_method_one_at_a_time
    def read_what_other_tab_saved(self) -> None:
        """While the person has not chosen between two tabs, the other one may go on: ``newer`` is
        what it saved last.
        """
        if self.newer is not None and self.item is not None:
            self.newer = self._draft(self.item)

    @property
    def has_other_tab_submitted(self) -> bool:
        """Whether the other tab has submitted what it saved."""
        if self.newer is None or self.item is None:
            return False
        return self.is_submitted_answer(self.item, self._body(self.newer))

    def _tick(self) -> None:
        gap = time.monotonic() - self._seen
        self._active += min(gap, _PAUSE_SECONDS)
        self._idle += max(0.0, gap - _PAUSE_SECONDS)
        self._seen = time.monotonic()

    # -- moves -----------------------------------------------------------------------------------

    @run_desk_method_one_at_a_time
    def submit_and_move_on(self) -> None:
        """Submit the answer and move on; if it breaks a rule, ``error`` says so and the draft is
        kept.
        """
        if self.item is not None and self.newer is None and self._guarded(self._submit):
            self._note_left("submit")
            self._go_on()

    def _submit(self) -> None:
        assert self.item is not None
        self._require_hand_out_as_shown()
        self._tick()
        try:
            saved = judging.submit_judgment(
                self.store,
                self.task,
                item=self.item,
                rater=self.rater.id,
                token=new_id(),
                body=self.body,
                base=self.revision,
                active_seconds=self._active,
                idle_seconds=self._idle,
                guideline=self._under.get(self.item),
                version=self.version_of_item_seen(self.item),
            )
        except judging.RefusedAndSavedAsDraft as refused:
            self._note_draft(refused.saved)
            raise
        self.revision, self.saved_at, self._kept = saved.revision, saved.saved_at, dict(self.body)

    @run_desk_method_one_at_a_time
    def skip_or_flag_and_move_on(self, kind: str, reason: str = "") -> None:
        """Skip or flag the item and move on."""
        self.moves += 1
        if not self.save_before_leaving_and_say_if_free():
            return

        def work() -> None:
            assert self.item is not None
            self._note(kind, self.item, reason=reason)

        if self.item is not None and self._guarded(work):
            self._note_left(kind)
            self._go_on()

    @run_desk_method_one_at_a_time
    def take_back_flag(self) -> None:
        """Take back the flag of the item, which stays on the desk and is open again."""

        def work() -> None:
            assert self.item is not None
            self._note("open", self.item, reason=FLAG_TAKEN_BACK)

        if self.item is not None and self._guarded(work):
            self._count()

    def _go_on(self) -> None:
        self._count()
        self._put(self._onward(after=self.position_in_queue))

    @run_desk_method_one_at_a_time
    def go_by_steps_in_queue(self, by: int) -> None:
        """Go to the previous or next item in the queue; after the last one, to a new one."""
        self.moves += 1
        if not self.save_before_leaving_and_say_if_free():
            return
        self._note_left("")
        self._count()
        places, to = self.queue.places, self.position_in_queue + by
        if 0 <= to < len(places):
            self._put(places[to].item)
        elif by > 0:
            more = self._claim()
            if more:
                self._put(more)
