"""The desk at which one person judges dialogues: which one lies on it, and what is saved of it.

``Desk`` draws nothing: it keeps the answer as it is being made, saves it as a draft at every
change, and moves through the person's queue. The page keeps one per task in the session.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from medlens.errors import Conflict, InvalidInput, MedLensError
from medlens.review import assignment, judging
from medlens.review.assignment import Place, Queue
from medlens.review.raters import Rater
from medlens.review.tasks import Settings, Task
from medlens.store import Store, new_id

_RENEW_SECONDS = 600
_PAUSE_SECONDS = 60.0
"""A longer gap between two actions was not spent on the item."""


@dataclass
class Desk:
    """One person's place of work on one task of one dataset.

    ``item`` is None when the share is done. ``body`` is the answer as it stands on the page,
    ``laid`` what ``lay_out`` made of the item. ``error`` says why the last change is not saved;
    ``newer`` is the state that another tab saved meanwhile.
    """

    store: Store
    task: Task
    settings: Settings
    dataset: str
    rater: Rater
    lay_out: Callable[[str], Any]
    item: str | None = None
    queue: Queue = field(default_factory=lambda: Queue((), 0, 0))
    body: dict[str, Any] = field(default_factory=dict)
    laid: Any = None
    revision: int = 0
    saved_at: datetime | None = None
    error: MedLensError | None = None
    newer: judging.Draft | None = None
    moved: bool = False
    _kept: dict[str, Any] = field(default_factory=dict)
    _tried: dict[str, Any] | None = None
    _active: float = 0.0
    _idle: float = 0.0
    _seen: float = 0.0
    _renewed: dict[str, float] = field(default_factory=dict)

    # -- which item ----------------------------------------------------------------------------

    def open(self, name: str = "") -> None:
        """Put an item on the desk: the named one if it is the person's, else what is next."""
        self._count()
        asked = next((p.item for p in self.queue.places if p.name == name), None)
        self._put(asked or self._unfinished(after=-1) or self._claim())

    def _count(self) -> None:
        self.queue = assignment.queue(
            self.store, self.task, self.settings, dataset=self.dataset, rater=self.rater.id
        )

    def _unfinished(self, *, after: int) -> str | None:
        """The next open item behind a place in the queue, else the first one before it."""
        places = self.queue.places
        for place in (*places[after + 1 :], *places[: max(after, 0)]):
            if place.state == "open":
                return place.item
        return None

    def _claim(self) -> str | None:
        item = assignment.next_item(
            self.store, self.task, self.settings, dataset=self.dataset, rater=self.rater.id
        )
        if item:
            self._count()
            self._renewed[item] = time.monotonic()
        return item

    def _put(self, item: str | None) -> None:
        self.item, self.error, self.newer, self._tried = item, None, None, None
        self.moved = True
        if item is None:
            return
        place = self.place
        if place and place.state == "open":
            self._renew()
        draft = judging.draft(self.store, self.task, item=item, rater=self.rater.id)
        self._show(draft)
        self._active, self._idle = draft.active_seconds, draft.idle_seconds
        self._seen = time.monotonic()
        self.laid = self.lay_out(item)

    def _show(self, draft: judging.Draft) -> None:
        value = draft.value or self.task.value()
        self.body = self._kept = value.model_dump(mode="json")
        self.revision, self.saved_at = draft.revision, draft.saved_at

    @property
    def place(self) -> Place | None:
        """The item's place in the queue."""
        return next((p for p in self.queue.places if p.item == self.item), None)

    @property
    def at(self) -> int:
        """Where the item stands in the queue, from 0."""
        return self.queue.index(self.item or "")

    def _renew(self) -> None:
        """Keep the item for its rater, at most every ten minutes."""
        item = self.item
        if item is None or time.monotonic() - self._renewed.get(item, -1e9) < _RENEW_SECONDS:
            return
        assignment.note(
            self.store, self.task, self.settings, item=item, rater=self.rater.id, kind="open"
        )
        self._renewed[item] = time.monotonic()

    @property
    def saved(self) -> bool:
        """Whether the answer as it stands is on disk, submitted or as a draft."""
        return self._kept == self.body

    # -- the answer ------------------------------------------------------------------------------

    def change(self, **fields: Any) -> None:
        """Change the answer and save it as a draft; ``error`` tells when that failed."""
        if fields.items() <= self.body.items():
            return
        self.body = self.body | fields
        if self.newer is None:
            self.save()

    def save(self) -> None:
        """Save the answer as it stands; what failed can be tried again."""
        self._guarded(self._save)

    def _save(self) -> None:
        assert self.item is not None
        self._tick()
        tried, self._tried = self._tried, dict(self.body)
        for _ in range(2):
            try:
                saved = judging.save_draft(
                    self.store, self.task, item=self.item, rater=self.rater.id,
                    base=self.revision, token=new_id(), body=self.body,
                    active_seconds=self._active, idle_seconds=self._idle,
                )  # fmt: skip
            except Conflict:
                theirs = judging.draft(self.store, self.task, item=self.item, rater=self.rater.id)
                # A save of our own that reached the disk although its answer was lost.
                if tried is None or self._body_of(theirs) != tried:
                    raise
                self.revision, tried = theirs.revision, None
                continue
            self.revision, self.saved_at = saved.revision, saved.saved_at
            self._kept, self._tried = dict(self.body), None
            self._renew()
            return

    def _guarded(self, work: Callable[[], None]) -> bool:
        try:
            work()
        except Conflict as conflict:
            self.error = conflict
            if self.item is not None:
                self.newer = judging.draft(
                    self.store, self.task, item=self.item, rater=self.rater.id
                )
            return False
        except MedLensError as error:
            self.error = error
            return False
        self.error = self.newer = None
        return True

    def _body_of(self, draft: judging.Draft) -> dict[str, Any]:
        found: dict[str, Any] = draft.value.model_dump(mode="json") if draft.value else {}
        return found

    def keep_mine(self) -> None:
        """Save what stands here over what the other tab saved; theirs stays in the history."""
        if self.newer is not None:
            self.revision = self.newer.revision
            self.save()

    def take_theirs(self) -> None:
        """Show what the other tab saved, in place of what stands here."""
        if self.newer is not None:
            self._show(self.newer)
            self.error = self.newer = None

    def _tick(self) -> None:
        gap = time.monotonic() - self._seen
        self._active += min(gap, _PAUSE_SECONDS)
        self._idle += max(0.0, gap - _PAUSE_SECONDS)
        self._seen = time.monotonic()

    # -- moves -----------------------------------------------------------------------------------

    def submit(self) -> None:
        """Commit the answer and go on; a broken rule is in ``error``, the draft is kept."""
        if self.item is not None and self.newer is None and self._guarded(self._submit):
            self._go_on()

    def _submit(self) -> None:
        assert self.item is not None
        self._tick()
        try:
            saved = judging.submit(
                self.store, self.task, item=self.item, rater=self.rater.id, token=new_id(),
                body=self.body, base=self.revision, active_seconds=self._active,
                idle_seconds=self._idle,
            )  # fmt: skip
        except InvalidInput:
            kept = judging.draft(self.store, self.task, item=self.item, rater=self.rater.id)
            if kept.revision > self.revision:
                self.revision, self.saved_at = kept.revision, kept.saved_at
                self._kept = dict(self.body)
            raise
        self.revision, self.saved_at, self._kept = saved.revision, saved.saved_at, dict(self.body)

    def note(self, kind: str, reason: str = "") -> None:
        """Skip or flag the item and go on."""

        def work() -> None:
            assert self.item is not None
            assignment.note(
                self.store, self.task, self.settings, item=self.item, rater=self.rater.id,
                kind=kind, reason=reason,
            )  # fmt: skip

        if self.item is not None and self._guarded(work):
            self._go_on()

    def _go_on(self) -> None:
        self._count()
        self._put(self._unfinished(after=self.at) or self._claim())

    def step(self, by: int) -> None:
        """The item before or behind in the queue; behind the last one, a new one."""
        self._count()
        places, to = self.queue.places, self.at + by
        if 0 <= to < len(places):
            self._put(places[to].item)
        elif by > 0:
            more = self._claim()
            if more:
                self._put(more)
