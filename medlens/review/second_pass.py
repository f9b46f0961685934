"""Second passes: a share of a rater's items comes again later, to see whether they agree with
themselves (test–retest).

The rater is not told which items these are, and their first answer is shown nowhere until they have
judged the item again. A second pass is a judgment of its own, which only this agreement uses. Items
are left out if the rater has seen others' answers to them or was shown a model's: they would not be
judged blind again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from medlens.review import items
from medlens.review.assignments_held_in_memory import AGAIN, GivenItem, assignment_ledger_of_task
from medlens.review.tasks import HandOut, Task
from medlens.store import Store, stable_id

SECOND = "@again"
"""The field of an item's body, as a rater is asked about it, for the second pass."""


@dataclass(frozen=True)
class Repeats:
    """The items (ids) that come again ``now``, longest judged first, and how many are ``to_come``,
    these included, if the rater judges all that they hold or can be given.
    """

    now: tuple[str, ...] = ()
    to_come: int = 0


NONE = Repeats()


def find_repeats_now_and_to_come(
    store: Store,
    task: Task,
    settings: HandOut,
    held: Sequence[GivenItem],
    *,
    more: int,
    rater: str,
    who: str,
) -> Repeats:
    """What comes again of what a rater has ``held``, in the order it was given; ``more`` items can
    still be given. ``who`` seeds the draw. Gold and practice items do not come again.
    """
    if settings.again_share <= 0:
        return NONE
    ordinary = sorted((one for one in held if one.slot >= 0), key=lambda one: one.seq)
    whole = len(ordinary) + more
    drawn = sample_repeat_places(whole, settings.again_share, settings.seed, f"{AGAIN}\x1f{who}")
    chosen = [ordinary[at] for at in drawn if at < len(ordinary)]
    seen = _seen(store, task.name, rater) if chosen else set()
    # Only others' first passes count, so that how many will come is known from the beginning.
    ends = [one.first or one.last for one in held if one.has_first_pass_judgment]
    unfinished = more + sum(not one.is_judged and one.state == "open" for one in held)
    now: list[GivenItem] = []
    # Of those not given yet, only what has enough others behind it.
    to_come = sum(at >= len(ordinary) and whole - 1 - at >= settings.again_after for at in drawn)
    for one in chosen:
        if one.passes > 1 or one.state not in ("open", "skip") or one.item in seen:
            continue
        # What was sent back is judged again in the first pass before it comes for the second.
        others = sum(end > one.last for end in ends) if one.is_judged else -1
        others = 0 if one.is_sent_back else others
        if others >= settings.again_after:
            now.append(one)
        elif others + unfinished >= settings.again_after:
            to_come += 1
    now.sort(key=lambda one: one.last)
    return Repeats(tuple(one.item for one in now), to_come + len(now))


def give_item_for_second_pass(store: Store, task: Task, *, item: str, rater: str) -> None:
    """Give a rater an item that they have judged for its second pass; twice is the same as once."""
    # The id makes a second tab's request the same one.
    event = {"id": stable_id(AGAIN, task.name, item, rater), "task": task.name, "item": item}
    store.append(
        "assignment_event",
        {**event, "rater": rater, "kind": AGAIN, "reason": "", "lease_until": None},
    )


def current_pass_number(store: Store, task: Task, *, item: str, rater: str) -> int:
    """The pass that what a rater says of an item now belongs to: 1 or 2.

    A judgment that a lead returns is made anew in the first pass, which figures use.
    """
    given = assignment_ledger_of_task(store, task.name).by_rater.get(rater, {}).get(item)
    if given is None or given.passes < 2:
        return 1
    returned = store.value(
        "select exists (select 1 from remark where kind = 'return' and task = $task"
        " and item = $item and rater = $rater and seq > $since)",
        task=task.name,
        item=item,
        rater=rater,
        since=given.since,
    )
    return 1 if returned else 2


def item_body_for_current_pass(
    store: Store, task: Task, *, item: str, rater: str, version: int | None = None
) -> Mapping[str, Any]:
    """An item's body, in this ``version`` or the current one, as this rater is asked about it now:
    a second pass says so under ``SECOND``.

    Raises:
        InvalidInput: there is no such item.
    """
    body = items.item_body(store, item, version)
    if current_pass_number(store, task, item=item, rater=rater) == 1:
        return body
    return {**body, SECOND: True}


@lru_cache(maxsize=512)
def sample_repeat_places(many: int, share: float, seed: int, who: str) -> tuple[int, ...]:
    """One of every ``1 / share`` places, from 0, at random within each such run."""
    every = round(1 / share)
    places = (
        run * every + sample_place_in_stretch(run, every, seed, who)
        for run in range(-(-many // every))
    )
    return tuple(place for place in places if place < many)


def sample_place_in_stretch(run: int, every: int, seed: int, who: str) -> int:
    """The place drawn in a run of ``every`` places, from 0; the same for the same seed."""
    drawn = blake2b(f"{seed}\x1f{who}\x1f{run}".encode(), digest_size=8).digest()
    return int.from_bytes(drawn, "little") % every


def _seen(store: Store, task: str, rater: str) -> set[str]:
    """The items of which a rater has seen another's answer."""
    return set(
        store.column(
            "select item from reveal where task = $task and rater = $rater"
            " union select item from suggestion where task = $task and rater = $rater and shown",
            task=task,
            rater=rater,
        )
    )
