"""Progress of the work on a task: by item and by person."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from medlens.deferred_module import pd
from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.review.tasks import Task
from medlens.store import Store, utc_now

_FOR_KEY = (
    "(slot < 0 and exists (select 1 from assignment_event k where k.kind = 'key'"
    " and k.task = assignment_now.task and k.item = assignment_now.item"
    " and k.rater = assignment_now.rater))"
)
"""Whether an assignment is beside its rater's share: given only to be answered for a key."""

_COUNTS = (
    "(j.blind or exists (select 1 from suggestion s where s.task = j.task and s.item = j.item"
    " and s.rater = j.rater and s.shown))"
)
"""Whether a judgment is work that was asked for: others' answers were not seen before it."""


def judging_people_counts_by_task_and_item(
    store: Store, *, task: str = "", dataset: str = ""
) -> dict[str, dict[str, int]]:
    """How many people judged each item, by task and item; all tasks and datasets unless named.

    Items that nobody judged are missing. Who had seen others' answers before is not counted, since
    no figure uses it, unless they were meant to see a suggestion.
    """
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for named, item, people in store.rows(
        "select j.task, j.item, count(distinct j.rater) from judgment_counted j"
        " join rater r on r.id = j.rater and r.kind = 'person' join item_in_play i on i.id = j.item"
        " where ($task = '' or j.task = $task) and ($dataset = '' or i.dataset = $dataset)"
        f" and {_COUNTS} group by all",
        task=task,
        dataset=dataset,
    ):
        found[named][item] = people
    return found


def flag_counts_by_item_if_everyone_answers(
    store: Store, task: Task, *, dataset: str
) -> Counter[str]:
    """How many people flagged each item instead of judging it, where everyone is to answer every
    item (``Task.everyone``): their part is done. Elsewhere others are given the item: empty.
    """
    if not task.everyone:
        return Counter()
    rows = store.rows(
        "select a.item, count(distinct a.rater) from assignment_now a"
        " join rater r on r.id = a.rater and r.kind = 'person' join item_in_play i on i.id = a.item"
        " anti join practice_now p on p.task = a.task and p.item = a.item"
        " anti join exclusion_now x on x.rater = a.rater"
        "  and (x.task = '' or (x.task = a.task and x.dataset = i.dataset))"
        " where a.task = $task and i.dataset = $dataset and a.state = 'flag' and not a.judged"
        " group by a.item",
        task=task.name,
        dataset=dataset,
    )
    return Counter(dict(rows))


def list_item_counts_per_number_of_judgments(
    store: Store,
    task: Task,
    *,
    dataset: str,
    settled: bool = False,
    judged: Mapping[str, int] | None = None,
) -> list[tuple[int, int]]:
    """How many of the items to hand out have 0, 1, 2 … people's judgments, as pairs.

    ``settled`` adds items that are not handed out because another item's answer settles them.
    Models are raters too, but the work to be done is people's. ``judged`` is the task's part of
    ``judged_by``, if it has been read for many tasks.
    """
    pool = assignment_ledger_of_task(store, task.name).current_dataset_item_pool(
        store,
        study=task.study,
        kind=task.item_kind,
        dataset=dataset,
        requires=task.requires,
        leaves_out=None if settled else task.ids_of_items_not_handed_out,
    )
    if judged is None:
        judged = judging_people_counts_by_task_and_item(store, task=task.name, dataset=dataset)[
            task.name
        ]
    return sorted(Counter(judged.get(item, 0) for item in pool.ids).items())


def count_items_by_state(store: Store, task: Task, *, dataset: str) -> dict[str, int]:
    """How many of the items to hand out nobody has begun ("not started"), somebody has in hand ("in
    work"), or nobody has in hand but 1, 2 … people have judged ("1", "2") or
    ``flag_counts_by_item_if_everyone_answers``.
    """
    book = assignment_ledger_of_task(store, task.name)
    pool = book.current_dataset_item_pool(
        store,
        study=task.study,
        kind=task.item_kind,
        dataset=dataset,
        requires=task.requires,
        leaves_out=task.ids_of_items_not_handed_out,
    )
    judged = flag_counts_by_item_if_everyone_answers(store, task, dataset=dataset)
    judged.update(
        judging_people_counts_by_task_and_item(store, task=task.name, dataset=dataset)[task.name]
    )
    held = book.ids_of_items_held_unjudged(utc_now())
    found = Counter(0 if one in held else judged.get(one, -1) for one in pool.ids)
    names = {-1: "not started", 0: "in work"}
    return {names.get(n, str(n)): count for n, count in sorted(found.items())}


def work_of_everyone_table(store: Store, *, viewer: Rater) -> pd.DataFrame:
    """Every person's work in every task and dataset: rater_id, rater, task, dataset, judged, open
    (in hand), flagged (not judged), excluded (whether a lead has excluded it). Without practice;
    what a lead was given to answer it for a key is not in hand.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return store.read(
        "with work as (select r.id as rater_id, r.name as rater, w.task, i.dataset,"
        " count(distinct w.item) filter (w.state = 'judged') as judged,"
        " count(distinct w.item) filter (w.state = 'open') as open,"
        " count(distinct w.item) filter (w.state = 'flag') as flagged from ("
        "  select task, item, rater, 'judged' as state from judgment"
        "  union all select task, item, rater, state from assignment_now"
        "  where not judged and (state = 'flag' or (state = 'open' and lease_until > $now"
        f"   and not {_FOR_KEY}))) w"
        " join rater r on r.id = w.rater and r.kind = 'person' join item_in_play i on i.id = w.item"
        " anti join practice_now p on p.task = w.task and p.item = w.item"
        " group by all)"
        " select *, exists (select 1 from exclusion_now x where x.rater = rater_id and (x.task = ''"
        "   or (x.task = work.task and x.dataset = work.dataset))) as excluded"
        " from work order by rater, rater_id",
        now=utc_now(),
    )


@dataclass(frozen=True)
class Flow:
    """What happened to the items of a task in a dataset, and to their judgments.

    ``covered`` is ``coverage`` with ``settled``, of the ``offered`` items; of these, ``left_out``
    are settled by another item's answer or hold nothing to judge. ``skipped`` and ``flagged``
    count a rater and an item once, ``revisions`` counts everything ever submitted, ``unblinded``
    those made after others' were shown. ``judged`` is the number of items by rater, whether they
    count or not.
    """

    there: int
    offered: int
    left_out: int
    covered: Mapping[int, int]
    skipped: int
    flagged: int
    revisions: int
    unblinded: int
    judged: Mapping[str, int]


def flow_counts_of_items_and_judgments(store: Store, task: Task, *, dataset: str) -> Flow:
    """The flow of items and judgments, for the report of a study."""
    covered = dict(
        list_item_counts_per_number_of_judgments(store, task, dataset=dataset, settled=True)
    )
    there = store.value(
        "select count(*) from item_in_play where study = $study and dataset = $dataset"
        " and kind = $kind",
        study=task.study,
        dataset=dataset,
        kind=task.item_kind,
    )
    given = store.rows(
        "select j.rater, count(*), count(*) filter (not j.blind), count(distinct j.item)"
        " from judgment j join item_in_play i on i.id = j.item"
        " anti join practice_now p on p.task = j.task and p.item = j.item"
        " where j.task = $task and i.dataset = $dataset group by j.rater",
        task=task.name,
        dataset=dataset,
    )
    passed = dict(
        store.rows(
            "select e.kind, count(distinct (e.item, e.rater)) from assignment_event e"
            " join item_in_play i on i.id = e.item"
            " anti join practice_now p on p.task = e.task and p.item = e.item"
            " where e.task = $task and i.dataset = $dataset group by e.kind",
            task=task.name,
            dataset=dataset,
        )
    )
    return Flow(
        there=int(there),
        offered=sum(covered.values()),
        left_out=len(task.ids_of_items_not_handed_out(store, dataset)),
        covered=covered,
        skipped=int(passed.get("skip", 0)),
        flagged=int(passed.get("flag", 0)),
        revisions=sum(int(n) for _, n, _, _ in given),
        unblinded=sum(int(n) for _, _, n, _ in given),
        judged={rater: int(n) for rater, _, _, n in given},
    )


DAYS = 7
"""The number of days that the pace of the work is based on."""
_LATELY = "r.origin in ('app', 'oidc') and j.revision = 1 and j.made_at >= $since"
# Imports do not count: those judgments were made elsewhere, at another time.


def count_items_judged_lately(store: Store, task: Task, *, dataset: str) -> int:
    """How many items people judged in the last ``DAYS`` days, counted once for each person."""
    found = store.value(
        "select count(distinct (j.item, j.rater)) from judgment_counted j"
        " join rater r on r.id = j.rater and r.kind = 'person'"
        " join item_in_play i on i.id = j.item and i.dataset = $dataset"
        f" where j.task = $task and {_LATELY} and {_COUNTS}",
        task=task.name,
        dataset=dataset,
        since=utc_now() - timedelta(days=DAYS),
    )
    return int(found)


@dataclass(frozen=True)
class Worked:
    """People's work on a task in a dataset: how many people judged, how many judgments there are
    from the last ``DAYS`` days (no revisions, no imports), and how many items are flagged.
    """

    people: int = 0
    lately: int = 0
    flagged: int = 0


def work_amounts_by_task_and_dataset(
    store: Store, *, viewer: Rater
) -> dict[tuple[str, str], Worked]:
    """``Worked`` by task and dataset, for all tasks; those nobody has worked on are missing.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    # Rounded to the hour, so that the cache can be used.
    since = utc_now().replace(minute=0, second=0, microsecond=0) - timedelta(days=DAYS)
    return dict(_across(store, since))


@cache_until_tables_grow("judgment", "item", "rater", "assignment_event", "gold", most=8)
def _across(store: Store, since: datetime) -> dict[tuple[str, str], Worked]:
    rows = store.rows(
        "select task, dataset, max(people), max(lately), max(flagged) from ("
        " select j.task, i.dataset, count(distinct j.rater) as people,"
        f" count(*) filter ({_LATELY} and {_COUNTS}) as lately, 0 as flagged"
        " from judgment_counted j join item_in_play i on i.id = j.item"
        " join rater r on r.id = j.rater and r.kind = 'person' group by all"
        " union all select a.task, i.dataset, 0, 0, count(distinct a.item)"
        " from assignment_now a join item_in_play i on i.id = a.item"
        " anti join practice_now p on p.task = a.task and p.item = a.item"
        " where a.state = 'flag' group by all)"
        " group by all",
        since=since,
    )
    return {(task, dataset): Worked(*map(int, counts)) for task, dataset, *counts in rows}


FEWEST_FOR_A_PACE = 3
"""Items from whose times the time left is foretold: one alone may have lain open over lunch."""


@dataclass(frozen=True)
class OwnPace:
    """A person's work on a task in a dataset: the median active seconds per item (None if unknown),
    of how many items they are known, how many items they judged in the last ``DAYS`` days, and when
    they last did.
    """

    seconds: float | None
    timed: int
    lately: int
    last: datetime

    @property
    def known_seconds_per_item(self) -> float | None:
        """The seconds per item, if known of enough items to foretell the time left."""
        return self.seconds if self.timed >= FEWEST_FOR_A_PACE else None


def own_pace_by_task_and_dataset(
    store: Store, rater: str, *, task: str = "", dataset: str = ""
) -> dict[tuple[str, str], OwnPace]:
    """``OwnPace`` of one person, by task and dataset (all unless named): what they judged here,
    without imports.
    """
    rows = store.rows(
        "select j.task, i.dataset, median(j.active_seconds) filter (j.active_seconds > 0),"
        " count(*) filter (j.active_seconds > 0),"
        " count(*) filter (j.made_at >= $since), max(j.made_at)"
        " from judgment j join item_in_play i on i.id = j.item"
        " anti join practice_now p on p.task = j.task and p.item = j.item"
        " where j.rater = $rater and j.revision = 1 and j.origin = 'app'"
        " and ($task = '' or j.task = $task) and ($dataset = '' or i.dataset = $dataset)"
        " group by all",
        rater=rater,
        task=task,
        dataset=dataset,
        since=utc_now() - timedelta(days=DAYS),
    )
    return {(task, dataset): OwnPace(*rest) for task, dataset, *rest in rows}


def have_demo_raters_judged(store: Store, task: str, dataset: str) -> bool:
    """Whether raters who came with a demo have judged items of a task: they take nobody's place
    when items are handed out.
    """
    return bool(
        store.value(
            "select exists (select 1 from judgment j"
            " join rater r on r.id = j.rater and r.kind = 'person' and r.origin = 'demo'"
            " join item_in_play i on i.id = j.item and i.dataset = $dataset where j.task = $task)",
            task=task,
            dataset=dataset,
        )
    )


def last_submission_time_by_item(store: Store, task: str, rater: str) -> dict[str, datetime]:
    """When a rater last submitted an answer to a task's items (UTC), by item (id)."""
    rows = store.rows(
        "select item, max(made_at) from judgment where task = $task and rater = $rater"
        " group by all",
        task=task,
        rater=rater,
    )
    return dict(rows)


def duration_in_words(seconds: float) -> str:
    """A time that work will take, in everyday units: "50 s", "12 min", "3 h"."""
    if seconds < 90:
        return f"{max(1, seconds):.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h"


@cache_until_tables_grow("judgment", most=4)
def median_seconds_per_item_by_round(store: Store) -> dict[tuple[str, str], float]:
    """The median active seconds that people take for an item, by task and dataset; those with fewer
    times on record than ``FEWEST_FOR_A_PACE`` are missing.
    """
    rows = store.rows(
        "select j.task, i.dataset, median(j.active_seconds)"
        " from judgment j join item_in_play i on i.id = j.item"
        " join rater r on r.id = j.rater and r.kind = 'person'"
        " anti join practice_now p on p.task = j.task and p.item = j.item"
        " where j.revision = 1 and j.active_seconds > 0 group by all"
        " having count(*) >= $fewest",
        fewest=FEWEST_FOR_A_PACE,
    )
    return {(task, dataset): float(seconds) for task, dataset, seconds in rows}


def work_by_rater_table(store: Store, task: Task, *, dataset: str, viewer: Rater) -> pd.DataFrame:
    """Work of each person who was given items or judged some elsewhere: rater_id, rater, judged,
    open, skipped, flagged, active minutes, last seen (leads). Excluded work is included.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return store.read(
        "with said as (select item, rater, max(made_at) as made_at,"
        " arg_max(active_seconds, revision) as seconds from judgment where task = $task"
        " group by item, rater)"
        " select r.id as rater_id, r.name as rater, count(j.item) as judged,"
        " count(*) filter (j.item is null and a.state = 'open' and not a.for_key) as open,"
        " count(*) filter (j.item is null and a.state = 'skip') as skipped,"
        " count(*) filter (j.item is null and a.state = 'flag') as flagged,"
        " round(sum(j.seconds) / 60, 1) as minutes, max(j.made_at) as last_seen"
        f" from (select item, rater, state, {_FOR_KEY} as for_key from assignment_now"
        "  where task = $task) a"
        " full join said j on j.item = a.item and j.rater = a.rater"
        " join item_in_play i on i.id = coalesce(a.item, j.item)"
        " anti join (select item from practice_now where task = $task) p on p.item = i.id"
        " join rater r on r.id = coalesce(a.rater, j.rater)"
        " where r.kind = 'person' and i.dataset = $dataset group by all"
        " order by judged desc, rater, rater_id",
        task=task.name,
        dataset=dataset,
    )
