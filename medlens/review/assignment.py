"""Assignment: which rater gets which item, balanced and seeded, with leases and caps.

A claim takes one of an item's ``raters_per_item`` slots; ``unique (task, item, slot, generation)``
in the store enforces the cap however many people ask at once. A slot is claimed again in the next
generation if its lease ran out without a judgment, so that unfinished items move to others, if a
lead excluded its rater's work, or if its rater leaves (``hand_on``). People's imported judgments
count as taken slots.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from medlens.deferred_module import np
from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import audit_log, consent, practice, rater_exclusion, rounds, second_pass
from medlens.review.assignments_held_in_memory import (
    KEY,
    TRY,
    AssignmentLedger,
    DatasetItemPool,
    GivenItem,
    array_of_item_sort_keys_for_rater,
    assignment_ledger_of_task,
)
from medlens.review.judging import refuse_token_used_for_other_row
from medlens.review.raters import Rater, find_rater, require_lead
from medlens.review.tasks import HandOut, Task
from medlens.store import Store, new_id, stable_id, utc_now

if TYPE_CHECKING:
    from numpy.typing import NDArray


_RACES = 25
HANDED_ON = "hand_on"
"""The state of an item that a lead has taken from its rater to give to others."""
SENT_BACK = "sent back"
"""The state of a place whose item a lead has returned, until it is judged (or flagged) again."""

WITHDRAWN = "withdrawn"
"""The state of a place whose item a lead has withdrawn while its rater has it on the desk."""


@dataclass(frozen=True)
class QueuePlace:
    """One item in a rater's queue. ``state``: open, skipped, flagged, submitted, sent back or
    withdrawn.
    ``number`` counts, from 1, what the rater was given, ``practice`` apart; an item that comes
    again leaves its first number. ``for_key``: a lead was given it to answer it for a key; if they
    were given it for nothing else (``beside_share``) it is not counted. ``put_off``: the rater has
    skipped it since it was sent back. ``flag`` is the reason of their flag, if it stands, also of
    an item that they have submitted; ``flag_taken_back``: they have taken it back, and done nothing
    since.
    """

    item: str
    name: str
    state: str
    reason: str
    number: int = 0
    practice: bool = False
    for_key: bool = False
    beside_share: bool = False
    put_off: bool = False
    flag: str = ""
    flag_taken_back: bool = False

    @property
    def is_sent_back(self) -> bool:
        """Whether a lead has returned it and it is to be judged again."""
        return self.state == SENT_BACK


@dataclass(frozen=True)
class RaterQueue:
    """A rater's items in the order they were given, and the progress so far.

    Of ``total``, the rater's share, ``more`` can still be given; ``back`` (ids) were skipped and
    come back after these. ``again`` items came a second time, each counted twice in ``done`` and
    ``total``; ``repeats`` will. Where everyone answers every item (``Task.everyone``), a flagged
    one is done: nobody takes its place. ``practised`` of those done were for practice, which is
    under way while ``practising``. What a lead has sent back is not done until it is judged again.
    """

    places: tuple[QueuePlace, ...]
    done: int
    total: int
    more: int = 0
    back: tuple[str, ...] = ()
    again: int = 0
    repeats: second_pass.Repeats = second_pass.NONE
    practised: int = 0
    practising: bool = False

    @property
    def done_and_total(self) -> tuple[int, int]:
        """``done`` and ``total`` without practice, which counts for nothing; while practice is
        under way, of practice.
        """
        if self.practising or self.total == self.practised:
            return self.done, self.total
        return self.done - self.practised, self.total - self.practised

    @property
    def places_sent_back(self) -> tuple[QueuePlace, ...]:
        """What a lead has sent back and the rater has not judged again yet."""
        return tuple(place for place in self.places if place.is_sent_back)

    @property
    def progress_in_words(self) -> str:
        """How much is done, in words: "8 of 9 done, 1 sent back to you"."""
        done, total = self.done_and_total
        back = len(self.places_sent_back)
        return f"{done} of {total} done" + f", {back} sent back to you" * bool(back)

    @property
    def count_of_items(self) -> int:
        """How many items the rater steps through, skipped and flagged ones included."""
        return len(self.places) + self.more + self.repeats.to_come

    def last_item_number(self, place: QueuePlace) -> int:
        """The last number that an item will have, of those for practice or of the others."""
        alike = sum(one.practice == place.practice and not one.beside_share for one in self.places)
        coming = self.more if self.practising == place.practice else 0
        return alike + coming + (0 if place.practice else self.again + self.repeats.to_come)

    def find_next_unfinished_queue_entry(self, *, after: int) -> QueuePlace | None:
        """The next item to judge that the rater holds, open or sent back, after a position (from
        0), else the first one before it.
        """
        for place in (*self.places[after + 1 :], *self.places[: max(after, 0)]):
            waits = place.state == "open" or (place.is_sent_back and not place.put_off)
            if waits and not place.beside_share:
                return place
        return None

    @property
    def next_and_last_number(self) -> tuple[int, int] | None:
        """The number of the item that waits next, and the last number that one will have, as the
        desk then counts them; None if nothing waits.
        """
        alike = [
            one for one in self.places if one.practice == self.practising and not one.beside_share
        ]
        if place := self.find_next_unfinished_queue_entry(after=-1):
            return place.number, self.last_item_number(place)
        if self.more or self.repeats.to_come:
            number = max((one.number for one in alike), default=0) + 1
            given = len(alike) + (0 if self.practising else self.again + self.repeats.to_come)
            return number, given + self.more
        put_off = [one.item for one in self.places_sent_back if one.put_off]
        for item in (*put_off, *self.back):
            place = self.places[self.position_of_item(item)]
            return place.number, self.last_item_number(place)
        return None

    def count_finished(self, place: QueuePlace) -> int:
        """How many are done, of those for practice or of the others."""
        return self.practised if place.practice else self.done - self.practised

    def place_and_state_in_words(self, place: QueuePlace) -> str:
        """An item's number among how many, and what was skipped, flagged or sent back: "3 of 20",
        "practice 1 of 2", "3 of 20, sent back to you". A skipped or flagged item still
        counts when another takes its place: with a share of 20, "4 of 21, 1 flagged".
        """
        if place.beside_share:
            return "for a key"
        number = f"{'practice ' * place.practice}{place.number} of {self.last_item_number(place)}"
        states = [one.state for one in self.places if one.practice == place.practice]
        beside = [
            f"{states.count(state)} {state}"
            for state in ("skipped", "flagged")
            if state in states and place.state != state
        ]
        return ", ".join(filter(None, (number, *beside, self.sent_back_in_words(place))))

    def sent_back_in_words(self, place: QueuePlace) -> str:
        """What was sent back, as it is said beside an item: "sent back to you" for itself, "1 sent
        back to you" for another; empty if there is none.
        """
        back = len(self.places_sent_back)
        if place.is_sent_back:
            return "sent back to you" + f", and {back - 1} more" * (back > 1)
        return f"{back} sent back to you" if back else ""

    def position_of_item(self, item: str) -> int:
        """The item's position in the queue, from 0; -1 if it is not in it."""
        return next((i for i, place in enumerate(self.places) if place.item == item), -1)


def load_rater_queue(
    store: Store, task: Task, settings: HandOut, *, dataset: str, rater: str
) -> RaterQueue:
    """What a rater has been given so far in a dataset; gold items look like all others.

    ``total`` is the rater's share: what they hold plus what can still be given, capped by
    ``items_per_rater``, plus skipped items if nothing else is left and nobody took their place. An
    open item that went to somebody else after its lease is not included. If the round is not (or no
    longer) given to the rater, ``total`` is what they hold.
    """
    settings = task.adjust_hand_out_settings_to_task(settings)
    book = assignment_ledger_of_task(store, task.name)
    pool = _pool(store, task, dataset)
    held = [
        one
        for one in book.list_items_given_to_rater(rater)
        if one.item in pool.names
        and (one.is_judged or one.state != HANDED_ON)
        and (one.is_judged or one.slot < 0 or task.everyone or not book.was_handed_on(one))
    ]
    again = [one for one in held if one.passes > 1 and not one.is_given_only_for_answer_key]
    practised = practice.load_practice_explanations_by_item_id(store, task.name, dataset)
    turns: dict[bool, list[int]] = {True: [], False: []}
    for one in held:
        if one.is_given_only_for_answer_key:
            continue
        # One that came again was given twice.
        given_at = [one.seq, one.since] if one.passes > 1 else [one.seq]
        turns[one.item in practised] += given_at
    for each in turns.values():
        each.sort()
    places = tuple(
        QueuePlace(
            one.item,
            pool.names[one.item],
            _state(one, practised),
            one.reason,
            1 + bisect_left(turns[one.item in practised], one.since if one.passes > 1 else one.seq),
            one.item in practised,
            one.for_key,
            one.is_given_only_for_answer_key,
            one.is_skipped_since_return,
            one.reason_of_standing_flag,
            one.is_flag_taken_back,
        )
        for one in held
    )
    ended = ("submitted", "flagged") if task.everyone else ("submitted",)
    share = [place for place in places if not place.beside_share]
    done = sum(place.state in ended for place in share)
    working = done + sum(place.state in ("open", SENT_BACK) for place in share)
    most = max(0, settings.items_per_rater - sum(_is_work(one, practised) for one in places))
    more, back, repeats = 0, tuple[str, ...](), second_pass.NONE
    given = bool(most) and _is_given(store, task, dataset=dataset, rater=rater)
    gate = (
        practice.determine_practice_gate_of_rater(store, task, pool, dataset=dataset, rater=rater)
        if given
        else "held back"
    )
    if gate == "practice":
        more = len(
            practice.attempt_number_and_ids_of_items_left(
                store, task.name, dataset=dataset, rater=rater
            )[1]
        )
        back = tuple(place.item for place in share if place.state == "skipped")
    elif gate == "open":
        taken = _taken(store, task, settings, dataset=dataset, rater=rater)
        free, kin = taken < settings.raters_per_item, _pool(store, task, dataset).kin
        more = min(most, int(np.count_nonzero(free)) if kin is None else len(np.unique(kin[free])))
        skipped = {place.item for place in share if place.state == "skipped"}
        back = tuple(
            one.item
            for one in book.list_items_given_to_rater(rater)
            if one.item in skipped and not book.was_handed_on(one)
        )[: most - more]
    if settings.again_share and _is_given(store, task, dataset=dataset, rater=rater):
        repeats = second_pass.find_repeats_now_and_to_come(
            *(store, task, settings, held),
            more=more + len(back),
            rater=rater,
            who=_who(task, dataset, rater),
        )
    total = working + more + len(back) + len(again) + repeats.to_come
    tried = sum(place.state in ended and place.item in practised for place in share)
    return RaterQueue(
        *(places, done + len(again), total, more, back, len(again), repeats),
        practised=tried,
        practising=gate == "practice",
    )


def count_items_for_newcomer(
    store: Store, task: Task, settings: HandOut, *, dataset: str, rater: str
) -> int:
    """How many items somebody is given who joins a round and holds nothing in it yet, practice
    not counted; also of a round that names people and does not name them so far.
    """
    settings = task.adjust_hand_out_settings_to_task(settings)
    free = _taken(store, task, settings, dataset=dataset, rater=rater) < settings.raters_per_item
    kin = _pool(store, task, dataset).kin
    there = int(np.count_nonzero(free)) if kin is None else len(np.unique(kin[free]))
    return min(settings.items_per_rater, there)


def list_given_item_records_of_rater(
    store: Store, task: Task, *, dataset: str, rater: str
) -> list[GivenItem]:
    """All that a rater was given of a dataset, in order: also what went to others when its time ran
    out or the rater had skipped it, but not what a lead took from them or gave them for a key.
    """
    names = _pool(store, task, dataset).names
    return [
        one
        for one in assignment_ledger_of_task(store, task.name).list_items_given_to_rater(rater)
        if one.item in names
        and not one.is_given_only_for_answer_key
        and (one.has_first_pass_judgment or one.state != HANDED_ON)
    ]


def _who(task: Task, dataset: str, rater: str) -> str:
    """What the draws for a rater are seeded with."""
    return f"{task.name}\x1f{dataset}\x1f{rater}"


_STATES = {"open": "open", "skip": "skipped", "flag": "flagged"}


def _state(given: GivenItem, practised: Collection[str]) -> str:
    if not given.is_judged:
        return _STATES[given.state]
    # Practice and answers for a key are no work of the share, so none of it is outstanding.
    counts = not given.is_given_only_for_answer_key and given.item not in practised
    return SENT_BACK if given.is_sent_back and counts else "submitted"


def _is_work(place: QueuePlace, practised: Collection[str]) -> bool:
    counts = place.state in ("submitted", "open", SENT_BACK) and not place.beside_share
    return counts and place.item not in practised


@dataclass(frozen=True)
class PersonsLoad:
    """One person's work in a round: judgments made, items in hand, and how many more they will get
    if the rest is shared evenly.
    """

    rater: str
    judged: int
    open: int
    to_come: int


@dataclass(frozen=True)
class Load:
    """What a round means for its people. Of the ``left`` judgments not handed out yet,
    ``without_people`` lack a person who has not had the item, and ``without_items`` exceed what the
    people's items per rater allow.
    """

    items: int
    left: int
    without_people: int
    without_items: int
    shares: tuple[PersonsLoad, ...]


def summarise_round_workload_of_people(
    store: Store, task: Task, settings: HandOut, *, dataset: str, people: Sequence[str]
) -> Load:
    """The work of these people (ids) with these settings, before or during the round.

    Gold items and those that come again are not counted: they come on top.
    """
    book, pool = assignment_ledger_of_task(store, task.name), _pool(store, task, dataset)
    each = len(people) if task.everyone else settings.raters_per_item
    most = task.adjust_hand_out_settings_to_task(settings).items_per_rater
    gold = book.find_ids_of_gold_items(store)
    taken = book.array_of_holder_counts_of_items(pool, rater="", cap=each, gold=gold)
    had = np.zeros(len(pool.ids), np.int64)
    held, room = [], []
    for rater in people:
        mine = [
            one
            for one in book.list_items_given_to_rater(rater)
            if one.item in pool.place and not one.is_given_only_for_answer_key
        ]
        judged = sum(one.has_first_pass_judgment for one in mine)
        in_hand = sum(one.holds_slot(utc_now()) and not one.has_first_pass_judgment for one in mine)
        if task.everyone:
            flagged = [
                one.item
                for one in mine
                if one.is_judged_or_flagged and not one.has_first_pass_judgment
            ]
            taken[pool.positions_of_items(flagged)] += 1
            judged += len(flagged)
        seen = _kept_back(store, task, book, rater)
        theirs = pool.positions_of_items(
            {
                *book.by_rater.get(rater, ()),
                *book.ids_of_items_judged_without_being_given(rater),
                *seen,
            }
        )
        had[theirs] += 1
        held.append((judged, in_hand))
        room.append(max(0, min(most - judged - in_hand, len(pool.ids) - len(theirs))))
    wanted = np.maximum(each - taken, 0)
    left = int(wanted.sum())
    can = int(np.minimum(wanted, np.maximum(len(people) - had, 0)).sum())
    shared = _shared(can, room)
    shares = tuple(
        PersonsLoad(rater, judged, in_hand, more)
        for rater, (judged, in_hand), more in zip(people, held, shared, strict=True)
    )
    return Load(len(pool.ids), left, left - can, can - sum(shared), shares)


def _shared(many: int, room: Sequence[int]) -> list[int]:
    """Share this many judgments as evenly as each one's room allows; earlier ones first on a
    tie.
    """
    got = [0] * len(room)
    while many and (able := [at for at, most in enumerate(room) if got[at] < most]):
        least = min(got[at] for at in able)
        able = [at for at in able if got[at] == least]
        step = max(1, min(many // len(able), min(room[at] for at in able) - least))
        for at in able[:many]:
            got[at] += step
            many -= step
    return got


def release_unfinished_items_and_count(
    store: Store, task: Task, *, dataset: str, rater: str, by: Rater | None
) -> int:
    """Take a rater's unfinished items so that others are given them; returns how many.

    Their judgments and drafts stay, and late submissions count. If everyone answers every item,
    there is nothing to give to others. ``by`` is None for the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
    """
    require_lead(by)
    if task.everyone:
        return 0
    pool = _pool(store, task, dataset)
    left = [
        one.item
        for one in assignment_ledger_of_task(store, task.name).list_items_given_to_rater(rater)
        if one.item in pool.place and not one.has_first_pass_judgment and one.state == "open"
    ]
    who = by.id if by else "command line"
    for item in left:
        event = {"id": new_id(), "task": task.name, "item": item, "rater": rater}
        store.append(
            "assignment_event", event | {"kind": HANDED_ON, "reason": who, "lease_until": None}
        )
    if left:
        whose = find_rater(store, rater)
        said = f"{len(left):,} unfinished of {whose.name if whose else rater}"
        audit_log.record_entry(
            store, HANDED_ON, who=who, about=f"{task.name} of {dataset}", detail=said
        )
    return len(left)


def ids_of_items_handed_out(store: Store, task: str, dataset: str) -> set[str]:
    """The ids of a dataset's items that people were given or have judged; not those for practice.

    What was handed on and not given to anybody since is with nobody.
    """
    given = assignment_ledger_of_task(store, task).find_ids_of_items_held_or_judged() - set(
        practice.load_practice_explanations_by_item_id(store, task, dataset)
    )
    return set(
        store.column(
            "select id from item_in_play where dataset = $dataset and id in $given",
            dataset=dataset,
            given=sorted(given),
        )
    )


def was_rater_given_work(store: Store, task: Task, *, dataset: str, rater: str) -> bool:
    """Whether the rater was ever given an item of a dataset as work."""
    work = [
        one.item
        for one in assignment_ledger_of_task(store, task.name).list_items_given_to_rater(rater)
        if not one.is_given_only_for_answer_key
    ]
    return bool(work) and not _pool(store, task, dataset).place.keys().isdisjoint(work)


def failed_practice_of_rater(
    store: Store, task: Task, *, dataset: str, rater: str
) -> practice.PracticeStanding | None:
    """The practice results of a rater who did not pass and so is given nothing; None if they are
    not held back.
    """
    if not practice.load_practice_explanations_by_item_id(store, task.name, dataset):
        return None
    pool = _pool(store, task, dataset)
    if (
        practice.determine_practice_gate_of_rater(store, task, pool, dataset=dataset, rater=rater)
        != "held back"
    ):
        return None
    return practice.practice_standing_of_rater(store, task, dataset=dataset, rater=rater)


def _is_given(store: Store, task: Task, *, dataset: str, rater: str) -> bool:
    """Whether the rater gets more of a dataset; not if a lead has excluded their work.

    What everyone answers in full is not cut off midway: a rater who has begun can finish it.
    """
    if rater in rater_exclusion.exclusions_in_force_by_rater(store, task.name, dataset):
        return False
    if rounds.current_round_of_task(store, task, dataset).does_hand_out_to_rater(rater):
        return True
    return task.everyone and was_rater_given_work(store, task, dataset=dataset, rater=rater)


def _pool(store: Store, task: Task, dataset: str) -> DatasetItemPool:
    return assignment_ledger_of_task(store, task.name).current_dataset_item_pool(
        store,
        study=task.study,
        kind=task.item_kind,
        dataset=dataset,
        requires=task.requires,
        kin=task.kin,
        evened=task.evened,
        length_at=task.length_at,
        leaves_out=task.ids_of_items_not_handed_out,
    )


def _taken(
    store: Store, task: Task, settings: HandOut, *, dataset: str, rater: str
) -> NDArray[np.int64]:
    """How many raters hold each item of the pool; the cap if this rater cannot be given it."""
    book = assignment_ledger_of_task(store, task.name)
    pool = _pool(store, task, dataset)
    gold = book.find_ids_of_gold_items(store)
    seen = _kept_back(store, task, book, rater)
    return book.array_of_holder_counts_of_items(
        pool, rater=rater, cap=settings.raters_per_item, gold=gold, without=seen
    )


def _kept_back(store: Store, task: Task, book: AssignmentLedger, rater: str) -> Collection[str]:
    """The items of which a rater has seen others' answers: they are not given what they judge in
    vain, except where everyone answers every item.
    """
    return () if task.everyone else book.find_ids_of_items_revealed_to_rater(store, rater)


def count_items_withheld_as_seen(
    store: Store, task: Task, settings: HandOut, *, dataset: str, rater: str
) -> int:
    """How many items a rater is not given only because they have seen others' answers to them."""
    book, pool = assignment_ledger_of_task(store, task.name), _pool(store, task, dataset)
    seen = pool.positions_of_items(_kept_back(store, task, book, rater))
    if not seen:
        return 0
    cap = task.adjust_hand_out_settings_to_task(settings).raters_per_item
    taken = book.array_of_holder_counts_of_items(
        pool, rater=rater, cap=cap, gold=book.find_ids_of_gold_items(store)
    )
    return int(np.count_nonzero(taken[seen] < cap))


def is_judgment_uncounted(store: Store, task: Task, *, item: str, rater: str) -> bool:
    """Whether a rater's judgment of an item that they were given counts in no figure: they had seen
    others' answers before their first one, or before the item's meaning changed.
    """
    book = assignment_ledger_of_task(store, task.name)
    given = book.by_rater.get(rater, {}).get(item)
    if given is None or (given.counted and not given.in_vain):
        return False
    return item in _kept_back(store, task, book, rater)


def give_next_item_and_return_id(
    store: Store, task: Task, settings: HandOut, *, dataset: str, rater: str
) -> str | None:
    """Give the rater one more item, or None if their share is done, nothing is left, the round is
    not given to them, they have not agreed to what they are asked to (``review.consent``), or they
    have not finished or not passed practice (``review.practice``).

    Items with the fewest raters come first; of those, the ones whose kind this rater had least
    (``Task.evened``); then an order seeded by rater and item, so that pairs of raters vary (or the
    file's order). The first one of a demo is its shortest that is free (``Task.length_at``). One of
    every ``1 / gold_share`` items is a gold one (``is_gold_due``), and gold items are left for the
    end too; with a share of 0 they are given only to those who answer every item
    (``Task.everyone``). Nobody is given a hidden one with a key of their own, unless everyone
    answers every item. Nor is anybody given what they have seen others' answers to. Before all
    these comes what is due again (``review.second_pass``).
    """
    settings = task.adjust_hand_out_settings_to_task(settings)
    if not _is_given(store, task, dataset=dataset, rater=rater):
        return None
    if consent.consent_text_still_needed(store, task.name, dataset, rater=rater) is not None:
        return None
    pool = _pool(store, task, dataset)
    gate = practice.determine_practice_gate_of_rater(
        store, task, pool, dataset=dataset, rater=rater
    )
    if gate == "practice":
        return _give_practice(store, task, settings, dataset=dataset, rater=rater)
    if gate == "held back":
        return None
    held = load_rater_queue(store, task, settings, dataset=dataset, rater=rater)
    for item in held.repeats.now:
        second_pass.give_item_for_second_pass(store, task, item=item, rater=rater)
        return item
    practised = practice.load_practice_explanations_by_item_id(store, task.name, dataset)
    if sum(_is_work(place, practised) for place in held.places) >= settings.items_per_rater:
        return None
    who = _who(task, dataset, rater)
    given = sum(place.item not in practised and not place.beside_share for place in held.places)
    if is_gold_due(given, settings, rater=who):
        gold = _claim_gold(store, task, settings, dataset=dataset, rater=rater)
        if gold:
            return gold
    for _ in range(_RACES):
        pool = _pool(store, task, dataset)
        taken = _taken(store, task, settings, dataset=dataset, rater=rater)
        least = int(taken.min(initial=settings.raters_per_item))
        if least >= settings.raters_per_item:
            if not settings.gold_share and not task.everyone:
                return None
            return _claim_gold(store, task, settings, dataset=dataset, rater=rater)
        fewest = np.flatnonzero(taken == least)
        if pool.evened is not None:
            had = pool.evened[
                pool.positions_of_items(
                    assignment_ledger_of_task(store, task.name).by_rater.get(rater, ())
                )
            ]
            counts = np.bincount(had, minlength=int(pool.evened.max()) + 1)[pool.evened[fewest]]
            fewest = fewest[counts == counts.min()]
        if not given and pool.short is not None:
            short = np.flatnonzero((pool.short > 0) & (taken < settings.raters_per_item))
            fewest = short[pool.short[short] == pool.short[short].min()] if short.size else fewest
        own = array_of_item_sort_keys_for_rater(pool, seed=settings.seed, rater=rater)
        first = 0 if settings.order == "file" else np.argmin(own[fewest])
        item = pool.ids[int(fewest[first])]
        if _claim(store, task, settings, item=item, rater=rater):
            return item
    raise Conflict("Many people are asking for items at once.", hint="Press Next again.")


def is_gold_due(given: int, settings: HandOut, *, rater: str) -> bool:
    """Whether a rater's next item is a gold one, after ``given`` items.

    One in every run of ``1 / gold_share`` is, at a place drawn for each run and rater: raters
    cannot tell which, and the same seed draws the same places.
    """
    if settings.gold_share <= 0:
        return False
    every = round(1 / settings.gold_share)
    run, place = divmod(given, every)
    return place == second_pass.sample_place_in_stretch(run, every, settings.seed, rater)


def _claim(store: Store, task: Task, settings: HandOut, *, item: str, rater: str) -> bool:
    book = assignment_ledger_of_task(store, task.name)
    slots: dict[int, int] = {}
    for one in book.by_item.get(item, ()):
        slots[one.slot] = max(slots.get(one.slot, -1), one.generation)
    live = book.set_of_held_slot_numbers_of_item(item, utc_now())
    if len(live) + book.count_raters_who_judged_ungiven_item(item) >= settings.raters_per_item:
        return False
    for slot in range(settings.raters_per_item):
        if slot in live:
            continue
        generation = slots.get(slot, -1) + 1
        if _take(store, task, settings, item, rater, slot, generation, gold=False):
            return True
    return False


_NOT_KEYED_BY_THEM = (
    " and not exists (select 1 from gold k"
    "  where k.task = $task and k.item = g.item and k.active and k.made_by = $rater)"
)


def _claim_gold(
    store: Store, task: Task, settings: HandOut, *, dataset: str, rater: str
) -> str | None:
    rows = store.column(
        "select g.item from gold_now g join item_in_play i on i.id = g.item"
        " anti join practice_now p on p.task = g.task and p.item = g.item"
        " where g.task = $task and i.dataset = $dataset and not exists ("
        "  select 1 from assignment a"
        "  where a.task = $task and a.item = g.item and a.rater = $rater)"
        f"{'' if task.everyone else _NOT_KEYED_BY_THEM}"
        " order by md5($seed || $rater || g.item)",
        task=task.name,
        dataset=dataset,
        rater=rater,
        seed=str(settings.seed),
    )
    book, pool = assignment_ledger_of_task(store, task.name), _pool(store, task, dataset)
    kin = pool.kin
    mine = kin[pool.positions_of_items(book.by_rater.get(rater, ()))] if kin is not None else ()
    for item in rows:
        if kin is not None and item in pool.place and kin[pool.place[item]] in mine:
            continue
        if _give_apart(store, task, settings, item=item, rater=rater):
            return str(item)
    return None


def begin_practice_attempt(
    store: Store, task: Task, settings: HandOut, *, dataset: str, rater: str
) -> None:
    """Begin a rater's next attempt at practice; does nothing if one is under way.

    Raises:
        NotAllowed: no attempt is left, or they passed.
    """
    now = failed_practice_of_rater(store, task, dataset=dataset, rater=rater)
    if now is None:
        pool = _pool(store, task, dataset)
        if (
            practice.determine_practice_gate_of_rater(
                store, task, pool, dataset=dataset, rater=rater
            )
            == "practice"
        ):
            return
    if (
        now is None
        or not now.count_of_attempts_left
        or not _is_given(store, task, dataset=dataset, rater=rater)
    ):
        raise NotAllowed("There is no attempt left.", hint="Ask your lead to let you in.")
    _give_practice(store, task, settings, dataset=dataset, rater=rater, anew=True)


def _give_practice(
    store: Store,
    task: Task,
    settings: HandOut,
    *,
    dataset: str,
    rater: str,
    anew: bool = False,
) -> str | None:
    """Give a rater the rest of an attempt's practice items; returns the first, None if they have
    them all. ``anew``: those of their next attempt.
    """
    attempt, wanted = practice.attempt_number_and_ids_of_items_left(
        store, task.name, dataset=dataset, rater=rater, anew=anew
    )
    for item in wanted:
        place = {"task": task.name, "item": item, "rater": rater}
        if not assignment_ledger_of_task(store, task.name).was_item_given_to_rater(item, rater):
            _give_apart(store, task, settings, item=item, rater=rater)
        if attempt > 1:
            # The id makes a second press the same attempt.
            event = {"id": stable_id(TRY, task.name, item, rater, str(attempt)), **place}
            said = {"kind": TRY, "reason": str(attempt), "lease_until": None}
            store.append("assignment_event", event | said)
    return next(iter(wanted), None)


def assign_item_to_lead_for_answer_key(
    store: Store, task: Task, settings: HandOut, *, item: str, by: Rater
) -> None:
    """Give a lead an item, whatever their share, so that their answer can become a key. It takes
    nobody else's place, is no part of their share, and brings no further items.

    Raises:
        NotAllowed: ``by`` is not a lead.
    """
    require_lead(by)
    if not assignment_ledger_of_task(store, task.name).was_item_given_to_rater(item, by.id):
        _give_apart(store, task, settings, item=item, rater=by.id)
    place = {"task": task.name, "item": item, "rater": by.id}
    # The id makes a second press the same request.
    event = {"id": stable_id(KEY, task.name, item, by.id), **place}
    store.append("assignment_event", event | {"kind": KEY, "reason": "", "lease_until": None})


def _give_apart(store: Store, task: Task, settings: HandOut, *, item: str, rater: str) -> bool:
    """Give an item without taking anybody else's place."""
    for _ in range(_RACES):
        taken = store.value(
            "select coalesce(min(slot), 0) from assignment"
            " where task = $task and item = $item and slot < 0",
            task=task.name,
            item=item,
        )
        if _take(store, task, settings, item, rater, taken - 1, 0, gold=True):
            return True
    return False


def _take(
    store: Store,
    task: Task,
    settings: HandOut,
    item: str,
    rater: str,
    slot: int,
    generation: int,
    *,
    gold: bool,
) -> bool:
    try:
        store.append(
            "assignment",
            {
                "id": new_id(),
                "task": task.name,
                "item": item,
                "rater": rater,
                "slot": slot,
                "generation": generation,
                "gold": gold,
                "lease_until": utc_now() + timedelta(minutes=settings.lease_minutes),
            },
        )
    except Conflict:
        return False
    return True


def is_flag_taken_back(place: QueuePlace | None) -> bool:
    """Whether the rater has taken back the flag of this place's item, and done nothing since."""
    return place is not None and place.flag_taken_back


def record_opened_skipped_or_flagged(
    store: Store,
    task: Task,
    settings: HandOut,
    *,
    item: str,
    rater: str,
    kind: str,
    token: str | None = None,
    reason: str = "",
) -> None:
    """Record that a rater opened (which renews the lease), skipped or flagged an item.

    Raises:
        InvalidInput: a flag without a reason, or a token that was used to save something else.
        NotAllowed: the rater was not given this item.
    """
    if kind == "flag" and not reason.strip():
        raise InvalidInput("A flag needs a reason.", hint="Say what is wrong with the item.")
    if not assignment_ledger_of_task(store, task.name).was_item_given_to_rater(item, rater):
        raise NotAllowed("This item is not in your queue.", hint="Return to your own queue.")
    lease = utc_now() + timedelta(minutes=settings.lease_minutes) if kind == "open" else None
    event = {
        "id": token or new_id(),
        "task": task.name,
        "item": item,
        "rater": rater,
        "kind": kind,
        "reason": reason.strip(),
        "lease_until": lease,
    }
    if not store.append("assignment_event", event):
        refuse_token_used_for_other_row(
            store, "assignment_event", event, "task", "item", "rater", "kind", "reason"
        )
