"""Assignment: which rater gets which item, balanced and seeded, with leases and caps.

A claim takes one of an item's ``raters_per_item`` slots; ``unique (task, item, slot, generation)``
in the store makes the cap hold however many people ask at once. A slot whose lease has run out
unjudged is claimed anew in the next generation, so that unfinished items are handed on.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review.tasks import Settings, Task
from medlens.store import Store, new_id, utc_now

_RACES = 25


@dataclass(frozen=True)
class Place:
    """One item in a rater's queue. ``state``: open, skipped, flagged or submitted."""

    item: str
    name: str
    state: str
    reason: str


@dataclass(frozen=True)
class Queue:
    """A rater's items in the order they were given, and how far the work has come."""

    places: tuple[Place, ...]
    done: int
    total: int

    def index(self, item: str) -> int:
        """Where the item stands in the queue, from 0; -1 when it is not in it."""
        return next((i for i, place in enumerate(self.places) if place.item == item), -1)


def queue(store: Store, task: Task, settings: Settings, *, dataset: str, rater: str) -> Queue:
    """What a rater has been given so far in a dataset; gold items look like all others.

    ``total`` is the rater's share: what they hold plus what can still be given, capped by
    ``items_per_rater``. An open item that was handed on after its lease is no longer in it.
    """
    rows = store.rows(
        "select a.item, i.name, a.state, a.reason, a.judged from assignment_now a"
        " join item_now i on i.id = a.item"
        " where a.task = $task and a.rater = $rater and i.dataset = $dataset"
        " and (a.judged or a.slot < 0 or not exists (select 1 from assignment b"
        "   where b.task = a.task and b.item = a.item and b.slot = a.slot"
        "   and b.generation > a.generation)) order by a.seq",
        task=task.name, rater=rater, dataset=dataset,
    )  # fmt: skip
    state = {"open": "open", "skip": "skipped", "flag": "flagged"}
    places = tuple(
        Place(item, name, "submitted" if judged else state[kind], reason)
        for item, name, kind, reason, judged in rows
    )
    done = sum(place.state == "submitted" for place in places)
    working = sum(place.state in ("submitted", "open") for place in places)
    free = max(0, settings.items_per_rater - working)
    more = _count_free(store, task, settings, dataset=dataset, rater=rater, most=free)
    return Queue(places, done, working + more)


_FREE = """
  with mine as (select item from assignment where task = $task and rater = $rater),
  live as (
    select item, count(distinct slot) as taken from assignment_now
    where task = $task and slot >= 0
      and (judged or (state = 'open' and lease_until > $now)) group by item)
  select i.id, coalesce(l.taken, 0) as taken from item i
  left join live l on l.item = i.id
  where i.study = $study and i.kind = $kind and i.dataset = $dataset
    and coalesce(l.taken, 0) < $cap and not exists (select 1 from mine m where m.item = i.id)
    and not exists (select 1 from gold_now g where g.task = $task and g.item = i.id)
"""


def _free_params(task: Task, settings: Settings, dataset: str, rater: str) -> dict[str, object]:
    return {
        "task": task.name, "rater": rater, "study": task.study, "kind": task.item_kind,
        "dataset": dataset, "cap": settings.raters_per_item, "now": utc_now(),
    }  # fmt: skip


def _count_free(
    store: Store, task: Task, settings: Settings, *, dataset: str, rater: str, most: int
) -> int:
    if most <= 0:
        return 0
    found = store.rows(
        f"select count(*) from ({_FREE} limit {most:d})",
        **_free_params(task, settings, dataset, rater),
    )
    return int(found[0][0])


def next_item(
    store: Store, task: Task, settings: Settings, *, dataset: str, rater: str
) -> str | None:
    """Give the rater one more item, or None when their share is done or nothing is left.

    Items with the fewest raters come first, in an order seeded by rater and item, so that pairs of
    raters vary; every ``1 / gold_share`` items a gold item is mixed in.
    """
    held = queue(store, task, settings, dataset=dataset, rater=rater)
    working = [place for place in held.places if place.state in ("submitted", "open")]
    if len(working) >= settings.items_per_rater:
        return None
    if _gold_is_due(len(held.places), settings):
        gold = _claim_gold(store, task, settings, dataset=dataset, rater=rater)
        if gold:
            return gold
    for _ in range(_RACES):
        params = _free_params(task, settings, dataset, rater)
        free = store.rows(
            f"select id from ({_FREE}) order by taken, md5($seed || $rater || id) limit 1",
            **params, seed=str(settings.seed),
        )  # fmt: skip
        if not free:
            return _claim_gold(store, task, settings, dataset=dataset, rater=rater)
        if _claim(store, task, settings, item=free[0][0], rater=rater):
            return str(free[0][0])
    raise Conflict("Many people are asking for items at once.", hint="Press Next again.")


def _gold_is_due(given: int, settings: Settings) -> bool:
    if settings.gold_share <= 0:
        return False
    every = round(1 / settings.gold_share)
    return given % every == every // 2


def _claim(store: Store, task: Task, settings: Settings, *, item: str, rater: str) -> bool:
    slots = dict(
        store.rows(
            "select slot, max(generation) from assignment"
            " where task = $task and item = $item and slot >= 0 group by slot",
            task=task.name, item=item,
        )
    )  # fmt: skip
    live = {
        slot
        for (slot,) in store.rows(
            "select slot from assignment_now where task = $task and item = $item and slot >= 0"
            " and (judged or (state = 'open' and lease_until > $now))",
            task=task.name, item=item, now=utc_now(),
        )
    }  # fmt: skip
    for slot in range(settings.raters_per_item):
        if slot in live:
            continue
        generation = slots.get(slot, -1) + 1
        if _take(store, task, settings, item, rater, slot, generation, gold=False):
            return True
    return False


def _claim_gold(
    store: Store, task: Task, settings: Settings, *, dataset: str, rater: str
) -> str | None:
    rows = store.rows(
        "select g.item from gold_now g join item i on i.id = g.item"
        " where g.task = $task and i.dataset = $dataset and not exists ("
        "  select 1 from assignment a"
        "  where a.task = $task and a.item = g.item and a.rater = $rater)"
        " order by md5($seed || $rater || g.item)",
        task=task.name, dataset=dataset, rater=rater, seed=str(settings.seed),
    )  # fmt: skip
    for (item,) in rows:
        for _ in range(_RACES):
            taken = store.rows(
                "select coalesce(min(slot), 0) from assignment"
                " where task = $task and item = $item and slot < 0",
                task=task.name, item=item,
            )[0][0]  # fmt: skip
            if _take(store, task, settings, item, rater, taken - 1, 0, gold=True):
                return str(item)
    return None


def _take(
    store: Store, task: Task, settings: Settings, item: str, rater: str, slot: int,
    generation: int, *, gold: bool,
) -> bool:  # fmt: skip
    try:
        store.append(
            "assignment",
            {
                "id": new_id(), "task": task.name, "item": item, "rater": rater, "slot": slot,
                "generation": generation, "gold": gold,
                "lease_until": utc_now() + timedelta(minutes=settings.lease_minutes),
            },
        )  # fmt: skip
    except Conflict:
        return False
    return True


def note(
    store: Store,
    task: Task,
    settings: Settings,
    *,
    item: str,
    rater: str,
    kind: str,
    token: str | None = None,
    reason: str = "",
) -> None:
    """Record that a rater opened (which renews the lease), skipped or flagged an item.

    Raises:
        InvalidInput: a flag without a reason.
        NotAllowed: the rater was not given this item.
    """
    if kind == "flag" and not reason.strip():
        raise InvalidInput("A flag needs a reason.", hint="Say what is wrong with the item.")
    given = store.rows(
        "select 1 from assignment where task = $task and item = $item and rater = $rater",
        task=task.name, item=item, rater=rater,
    )  # fmt: skip
    if not given:
        raise NotAllowed("This item is not in your queue.", hint="Open your own queue again.")
    lease = utc_now() + timedelta(minutes=settings.lease_minutes) if kind == "open" else None
    store.append(
        "assignment_event",
        {
            "id": token or new_id(), "task": task.name, "item": item, "rater": rater,
            "kind": kind, "reason": reason.strip(), "lease_until": lease,
        },
    )  # fmt: skip


def flags(store: Store, task: Task, *, dataset: str) -> list[dict[str, object]]:
    """Items that raters flagged, with who and why, newest first (for leads)."""
    return store.dicts(
        "select i.name as item, r.name as rater, a.reason from assignment_now a"
        " join item_now i on i.id = a.item join rater r on r.id = a.rater"
        " where a.task = $task and i.dataset = $dataset and a.state = 'flag' order by a.seq desc",
        task=task.name, dataset=dataset,
    )  # fmt: skip
