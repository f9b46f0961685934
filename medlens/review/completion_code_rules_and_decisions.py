"""Completion codes: what somebody has to have done for one, and what a lead decides about the rest.

People who finished a round by judging what they were given are shown the code. Those who flagged or
skipped much of it, or miss another bound of the round's rule, are told that somebody will look, and
a lead decides. What people were told, shown and given is appended to the store and never changed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.errors import Conflict, InvalidInput
from medlens.review import (
    assignment,
    consensus,
    hand_out_settings,
    items,
    practice,
    rater_exclusion,
    raters,
)
from medlens.review.assignments_held_in_memory import RETURN, GivenItem
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.review.tasks import HandOut, Task
from medlens.store import Store, new_id

Kind = Literal["asked", "shown", "given", "refused"]
Bound = Literal["judged", "passed_over", "gold", "excluded"]
_SETTING = "completion"
_LONGEST = 500


@dataclass(frozen=True)
class Rule:
    """What a round asks for before its code is shown without a lead, in whole percent.

    ``least_judged``: of the items handed out, at least this many are judged. ``most_passed_over``:
    at most this many are flagged or skipped. ``least_gold``: of the hidden gold items that the
    person judged, at least this many as expected; 0: gold is not looked at.
    """

    least_judged: int = 80
    most_passed_over: int = 20
    least_gold: int = 0

    def __post_init__(self) -> None:
        for percent in asdict(self).values():
            if not 0 <= percent <= 100:
                raise InvalidInput("A share that a completion code needs is from 0 to 100 %.")


@dataclass(frozen=True)
class Work:
    """What a person did in a round, practice apart, in items: ``handed_out`` to them, and of these
    ``judged``, ``flagged`` or ``skipped`` (the rest is open, or went to others when its time ran
    out). What a lead returned and does not count until it is judged anew is not judged; hidden
    ``gold`` items judged, those with a key of their own apart, and how many of these
    as expected (``gold_hits``). ``excluded``: a lead has excluded their work here.
    """

    handed_out: int = 0
    judged: int = 0
    flagged: int = 0
    skipped: int = 0
    gold: int = 0
    gold_hits: int = 0
    excluded: bool = False


@dataclass(frozen=True)
class Event:
    """How a person last stood with a round's code, why in a lead's words, by whom (an id) and
    since when.
    """

    kind: Kind
    reason: str
    by: str
    at: datetime


def shortfalls_by_bound_in_words(work: Work, rule: Rule) -> dict[Bound, str]:
    """The bounds of a round's rule that a person's work misses, each with what it lacks, in words;
    empty if the code can be shown.

    Bounds are met exactly: 4 of 5 judged is 80 %. Nobody meets a bound by having been handed
    nothing that it counts.
    """
    missed: dict[Bound, str] = {}
    passed_over = work.flagged + work.skipped
    if work.judged * 100 < rule.least_judged * work.handed_out or not work.handed_out:
        missed["judged"] = (
            f"judged {work.judged:,} of {work.handed_out:,} ({rule.least_judged} % needed)"
        )
    if passed_over * 100 > rule.most_passed_over * work.handed_out:
        missed["passed_over"] = (
            f"flagged or skipped {passed_over:,} of {work.handed_out:,}"
            f" ({rule.most_passed_over} % at most)"
        )
    if rule.least_gold and (work.gold_hits * 100 < rule.least_gold * work.gold or not work.gold):
        missed["gold"] = (
            f"hidden gold as expected {work.gold_hits:,} of {work.gold:,}"
            f" ({rule.least_gold} % needed)"
        )
    if work.excluded:
        missed["excluded"] = "a lead excluded their work"
    return missed


def completion_rule_of_round(store: Store, task: str, dataset: str) -> Rule:
    """A round's rule: the default unless a lead has set another."""
    return Rule(
        **hand_out_settings.task_settings_set_by_lead(store, task, dataset).get(_SETTING, {})
    )


def completion_rule_as_setting(rule: Rule) -> dict[str, dict[str, int]]:
    """The setting of a round (``hand_out_settings.change_task_settings``) that makes this
    its rule.
    """
    return {_SETTING: asdict(rule)}


def completion_work_by_rater(
    store: Store, task: Task, dataset: str, people: Collection[str]
) -> dict[str, Work]:
    """What each of these people (rater ids) did in a round."""
    keys = (
        consensus.expected_answers_by_hidden_gold_item(store, task, dataset=dataset)
        if task.can_items_be_gold
        else {}
    )
    own = (
        consensus.item_and_rater_ids_of_gold_key_authors(store, task, dataset=dataset)
        if keys
        else ()
    )
    hits = _gold_hits(store, task, keys, people)
    out = rater_exclusion.exclusions_in_force_by_rater(store, task.name, dataset)
    practised = practice.load_practice_explanations_by_item_id(store, task.name, dataset)
    undone = _returned(store, task.name, people)
    works = {}
    for rater in people:
        given = [
            one
            for one in assignment.list_given_item_records_of_rater(
                store, task, dataset=dataset, rater=rater
            )
            if one.item not in practised
        ]
        counted = [
            one for one in given if one.has_first_pass_judgment and (rater, one.item) not in undone
        ]
        left = [_state_since(one) for one in given if one not in counted]
        looked_at = [
            hits[rater, one.item]
            for one in counted
            if (rater, one.item) in hits and (one.item, rater) not in own
        ]
        works[rater] = Work(
            handed_out=len(given),
            judged=len(counted),
            flagged=left.count("flag"),
            skipped=left.count("skip"),
            gold=len(looked_at),
            gold_hits=sum(looked_at),
            excluded=rater in out,
        )
    return works


def _state_since(given: GivenItem) -> str:
    """The state of an item without a judgment that counts, as noted since a lead returned it."""
    return given.state if given.state_seq > given.returned else "open"


def _returned(store: Store, task: str, people: Collection[str]) -> set[tuple[str, str]]:
    """The rater and item of each judgment that a lead returned and that does not count until it is
    made anew.
    """
    rows = store.rows(
        "select j.rater, j.item from (select rater, item, max(seq) as seq from judgment"
        " where task = $task and rater in $people group by all) j"
        " join (select rater, item, max(seq) as seq from remark where task = $task"
        " and rater in $people and kind = $kind and not counts group by all) c"
        " on c.rater = j.rater and c.item = j.item and c.seq > j.seq",
        task=task,
        people=list(people),
        kind=RETURN,
    )
    return {(rater, item) for rater, item in rows}


def _gold_hits(
    store: Store, task: Task, keys: Mapping[str, Mapping[str, object]], people: Collection[str]
) -> dict[tuple[str, str], bool]:
    """Whether each person's last answer to a hidden gold item is the expected one, by rater and
    item.
    """
    if not keys or not task.can_items_be_gold:
        return {}
    rows = store.rows(
        "select rater, item, arg_max(body, revision) from judgment where task = $task"
        " and item in $items and rater in $people group by rater, item",
        task=task.name,
        items=list(keys),
        people=list(people),
    )
    bodies = items.load_item_bodies_by_id(store, list(keys))
    return {
        (rater, item): task.does_answer_match_gold(
            task.task_as_asked_of_item(bodies[item]).parse(body), keys[item]
        )
        for rater, item, body in rows
    }


# Cached: read at every desk of a finished worker, but changes seldom.
@cache_until_tables_grow("completion_event")
def last_code_event_by_rater(store: Store, task: str, dataset: str) -> Mapping[str, Event]:
    """How people last stood with a round's code, by rater id; do not modify."""
    rows = store.rows(
        "select rater, kind, reason, made_by, made_at from completion_event"
        " where task = $task and dataset = $dataset"
        " qualify row_number() over (partition by rater order by revision desc) = 1",
        task=task,
        dataset=dataset,
    )
    return {rater: Event(kind, reason, by, at) for rater, kind, reason, by, at in rows}


@cache_until_tables_grow("completion_event")
def undecided_code_counts_by_round(store: Store) -> Mapping[tuple[str, str], int]:
    """How many people wait for a lead to decide about their code, by task and dataset; do not
    modify.
    """
    rows = store.rows(
        "select task, dataset, count(*) from ("
        " select task, dataset, kind from completion_event"
        " qualify row_number() over (partition by task, dataset, rater order by revision desc) = 1)"
        " where kind = 'asked' group by task, dataset order by task, dataset"
    )
    return {(task, dataset): int(many) for task, dataset, many in rows}


@dataclass(frozen=True)
class Outcome:
    """What somebody is told of their code: nothing yet (empty), "given", "waiting" or "refused";
    while waiting, the bounds that they ``missed``.
    """

    is_: Literal["", "given", "waiting", "refused"]
    missed: Mapping[Bound, str]
    work: Work


def decide_and_record_completion_outcome(
    store: Store, task: Task, *, dataset: str, rater: str, is_finished: Callable[[], bool]
) -> Outcome:
    """What to tell a person of a round's code. It is noted that they were told to wait, or shown
    it; what was shown once remains theirs, and a lead's decision goes before the rule.
    """
    last = last_code_event_by_rater(store, task.name, dataset).get(rater)
    if last is not None and last.kind in ("given", "refused"):
        return Outcome(last.kind, {}, Work())
    if not is_finished():
        return Outcome("", {}, Work())
    if last is not None and last.kind == "shown":
        return Outcome("given", {}, Work())
    work = completion_work_by_rater(store, task, dataset, [rater])[rater]
    missed = shortfalls_by_bound_in_words(work, completion_rule_of_round(store, task.name, dataset))
    kind: Kind = "asked" if missed else "shown"
    if last is None or last.kind != kind:
        # Another tab may note it in the same moment.
        with contextlib.suppress(Conflict):
            _append(store, task.name, dataset, rater, kind, reason="", by=rater)
    return Outcome("waiting" if missed else "given", missed, work)


def has_person_finished_share(
    store: Store, task: Task, dataset: str, rater: str, *, usual: HandOut
) -> bool:
    """Whether a person has done their share of a round: nothing is open or can still be given.

    ``usual`` is how the task's items are handed out where no lead has said otherwise. People who
    did not pass practice have not done what a code stands for.
    """
    if assignment.failed_practice_of_rater(store, task, dataset=dataset, rater=rater):
        return False
    settings = hand_out_settings.hand_out_settings_in_force(store, task.name, dataset, usual)
    held = assignment.load_rater_queue(store, task, settings, dataset=dataset, rater=rater)
    left = held.done < held.total or any(place.state == "open" for place in held.places)
    return bool(held.places) and not left


def give_or_refuse_code(
    store: Store, task: str, dataset: str, rater: str, *, given: bool, reason: str, by: Rater | None
) -> None:
    """Give a person a round's code, or refuse it; the last decision counts, all are kept. ``by`` is
    None for the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: there is no reason or no such person.
        Conflict: another lead, or the person's own page, changed it at the same moment.
    """
    require_lead(by)
    reason = remove_invisible_characters_from_name(reason)[:_LONGEST]
    if not reason:
        raise InvalidInput("A reason is missing.", hint="Say why: it is kept with the decision.")
    person = raters.find_rater(store, rater)
    if person is None or person.kind != "person":
        raise InvalidInput("Only a person can be given a completion code.")
    _append(
        store,
        task,
        dataset,
        rater,
        "given" if given else "refused",
        reason=reason,
        by=by.id if by else "command line",
    )


def _append(
    store: Store, task: str, dataset: str, rater: str, kind: Kind, *, reason: str, by: str
) -> None:
    top = store.value(
        "select coalesce(max(revision), 0) from completion_event"
        " where task = $task and dataset = $dataset and rater = $rater",
        task=task,
        dataset=dataset,
        rater=rater,
    )
    store.append(
        "completion_event",
        {
            "id": new_id(),
            "task": task,
            "dataset": dataset,
            "rater": rater,
            "revision": top + 1,
            "kind": kind,
            "reason": reason,
            "made_by": by,
        },
    )
