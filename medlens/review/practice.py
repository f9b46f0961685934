"""Practice: a rater's first items; after each they see the expected answer.

A lead makes gold items practice items, with a word on why. A rater who has not begun gets all of
them before anything else, except those whose answer they know (``practice_items_for_rater``).
Judgments of them count nowhere (the view ``judgment_counted``). If the lead sets a mark, only
raters who give the expected answer to this many items continue. The others can try again as often
as the lead allows, on items they have not had if there are any, otherwise on those they had longest
ago; a lead can also let them in. In each attempt the first answer to an item counts, and every
attempt is stored.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, Literal

from medlens.errors import InvalidInput
from medlens.review import audit_log, consensus, hand_out_settings
from medlens.review.assignments_held_in_memory import (
    TRY,
    DatasetItemPool,
    GivenItem,
    assignment_ledger_of_task,
)
from medlens.review.consensus import PRACTICE
from medlens.review.raters import Rater, find_rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.review.tasks import Task
from medlens.store import Store

Gate = Literal["open", "practice", "held back"]
_MARK, _LET_IN, _NO_LONGER = "practice_mark", "practice_let_in", "practice_no_longer_let_in"
_EACH, _ATTEMPTS = "practice_each", "practice_attempts"
LONGEST, MOST = 2000, 20


@dataclass(frozen=True)
class Rules:
    """What a lead requires of newcomers: the expected answer to ``mark`` items (0: none) of the
    ``each`` items of an attempt (0: all there are), in at most ``attempts``.
    """

    mark: int = 0
    each: int = 0
    attempts: int = 1


@dataclass(frozen=True)
class Tried:
    """A practice item that a rater judged in an attempt: their first answer in it, when, and the
    expected answer; ``new`` until they confirm that they have seen it. ``task`` is as it was asked.
    """

    task: Task

    item: str
    name: str
    value: Any
    expected: Mapping[str, Any]
    why: str
    hit: bool
    new: bool
    at: datetime


@dataclass(frozen=True)
class PracticeStanding:
    """How a rater is doing: what they judged in each of their ``tries`` (the last one under way or
    done), of ``items`` each; the ``mark`` they have to reach, and in how many ``attempts``.
    """

    items: int
    tries: tuple[tuple[Tried, ...], ...]
    mark: int
    attempts: int
    let_in: bool

    @property
    def items_tried_in_last_attempt(self) -> tuple[Tried, ...]:
        """What they judged in the last attempt."""
        return self.tries[-1]

    @property
    def count_of_expected_answers_given(self) -> int:
        """How many of their answers in the last attempt were the expected ones."""
        return count_answers_as_expected(self.items_tried_in_last_attempt)

    @property
    def count_of_attempts_left(self) -> int:
        """How many more attempts they have."""
        return max(0, self.attempts - len(self.tries))

    @property
    def has_passed(self) -> bool:
        """Whether they may continue after practice."""
        return self.let_in or any(count_answers_as_expected(one) >= self.mark for one in self.tries)


def count_answers_as_expected(tried: Iterable[Tried]) -> int:
    """How many of these answers were the expected ones."""
    return sum(one.hit for one in tried)


# Cached: read at every desk and for every item, but changes only when gold items do.
@cache_until_tables_grow("gold", most=256)
def load_practice_explanations_by_item_id(
    store: Store, task: str, dataset: str
) -> Mapping[str, str]:
    """The ids of a dataset's practice items, in the order they became gold, with the lead's word on
    each.
    """
    return dict(
        store.rows(
            "select g.item, g.body->>$path from gold_now g join item_in_play i on i.id = g.item"
            " join practice_now p on p.task = g.task and p.item = g.item"
            " where g.task = $task and i.dataset = $dataset order by g.seq",
            path=f"$.{json.dumps(PRACTICE)}",
            task=task,
            dataset=dataset,
        )
    )


@cache_until_tables_grow("gold", most=256)
def _keyed(store: Store, task: str, dataset: str) -> Mapping[str, tuple[int, frozenset[str]]]:
    """Since when (a ``seq``) each gold item of a dataset that was ever for practice has been, and
    the ids of those who have set its key.
    """
    rows = store.rows(
        "select g.item, min(g.seq) filter (json_exists(g.body, $path)), list(g.made_by)"
        " from gold g join item_in_play i on i.id = g.item"
        " where g.task = $task and i.dataset = $dataset group by g.item",
        path=f"$.{json.dumps(PRACTICE)}",
        task=task,
        dataset=dataset,
    )
    return {item: (since, frozenset(by)) for item, since, by in rows if since is not None}


def practice_items_for_rater(store: Store, task: str, *, dataset: str, rater: str) -> list[str]:
    """The ids of the practice items that can tell a rater anything, in order.

    Nobody practises on an item whose key they have set, that they were given to answer for its
    key, or that they had before it was for practice: their answer may be the key itself, and they
    would be told that it is as expected.
    """
    wanted = load_practice_explanations_by_item_id(store, task, dataset)
    if not wanted:
        return []
    keyed, book = _keyed(store, task, dataset), assignment_ledger_of_task(store, task)
    held, imported = (
        book.by_rater.get(rater, {}),
        book.ids_of_items_judged_without_being_given(rater),
    )

    def is_theirs(item: str) -> bool:
        since, authors = keyed[item]
        if rater in authors or item in imported:
            return True
        return item in held and (held[item].for_key or held[item].seq < since)

    return [item for item in wanted if not is_theirs(item)]


def determine_practice_gate_of_rater(
    store: Store, task: Task, pool: DatasetItemPool, *, dataset: str, rater: str
) -> Gate:
    """What a rater is given: practice first, nothing if they did not reach the mark, otherwise
    all.

    A rater who holds or has judged other items of the dataset has begun and continues, unless a
    lead has withdrawn an earlier exception to let them in.
    """
    wanted = practice_items_for_rater(store, task.name, dataset=dataset, rater=rater)
    if not wanted:
        return "open"
    book = assignment_ledger_of_task(store, task.name)
    held = book.by_rater.get(rater, {})
    if any(
        item in pool.place for item in (*held, *book.ids_of_items_judged_without_being_given(rater))
    ) and rater not in hand_out_settings.task_settings_set_by_lead(store, task.name, dataset).get(
        _NO_LONGER, []
    ):
        return "open"
    now = _now(held, wanted)
    if len(now) < _size(store, task.name, dataset, wanted) or not all(
        one.is_judged_or_flagged for one in now
    ):
        return "practice"
    return (
        "open"
        if practice_standing_of_rater(store, task, dataset=dataset, rater=rater).has_passed
        else "held back"
    )


def _now(held: Mapping[str, GivenItem], wanted: Collection[str]) -> list[GivenItem]:
    """The practice items of a rater's last attempt."""
    mine = [held[item] for item in wanted if item in held]
    last = max((one.attempt for one in mine), default=1)
    return [one for one in mine if one.attempt == last]


def _size(store: Store, task: str, dataset: str, wanted: Collection[str]) -> int:
    """The number of items in an attempt of somebody who practises on ``wanted``."""
    there = len(wanted)
    return min(practice_rules_of_round(store, task, dataset).each or there, there)


def attempt_number_and_ids_of_items_left(
    store: Store, task: str, *, dataset: str, rater: str, anew: bool = False
) -> tuple[int, list[str]]:
    """The number of a rater's last attempt, and the practice items they still have to be given for
    it; ``anew``: for one more attempt.

    If an attempt has only some of the items, they are drawn for each rater: first those never
    given, then those given longest ago.
    """
    wanted = practice_items_for_rater(store, task, dataset=dataset, rater=rater)
    held = assignment_ledger_of_task(store, task).by_rater.get(rater, {})
    now = _now(held, wanted)
    attempt = (now[0].attempt if now else 1) + anew
    having = set() if anew else {one.item for one in now}
    more = _size(store, task, dataset, wanted) - len(having)

    def turn(item: str) -> tuple[int, bytes]:
        drawn = blake2b(f"{rater}\x1f{item}".encode(), digest_size=8).digest()
        return held[item].attempt if item in held else 0, drawn

    chosen = set(sorted((one for one in wanted if one not in having), key=turn)[: max(0, more)])
    return attempt, [item for item in wanted if item in chosen]


def count_practice_items_done(store: Store, task: str, *, dataset: str, rater: str) -> int:
    """How many practice items of their last attempt a rater has judged or flagged."""
    wanted = practice_items_for_rater(store, task, dataset=dataset, rater=rater)
    if not wanted:
        return 0
    return sum(
        one.is_judged_or_flagged
        for one in _now(assignment_ledger_of_task(store, task).by_rater.get(rater, {}), wanted)
    )


def practice_standing_of_rater(
    store: Store, task: Task, *, dataset: str, rater: str
) -> PracticeStanding:
    """How a rater is doing in the practice of a dataset (``practice_items_for_rater``)."""
    words = load_practice_explanations_by_item_id(store, task.name, dataset)
    wanted = practice_items_for_rater(store, task.name, dataset=dataset, rater=rater)
    size = _size(store, task.name, dataset, wanted)
    held = assignment_ledger_of_task(store, task.name).by_rater.get(rater, {})
    last = max((held[item].attempt for item in wanted if item in held), default=1)
    tries: list[list[Tried]] = [[] for _ in range(last)]
    rows = store.rows(
        "with said as (select j.*, coalesce((select max(e.reason::integer) from assignment_event e"
        "   where e.kind = $try and e.task = j.task and e.item = j.item and e.rater = j.rater"
        "   and e.seq < j.seq), 1) as attempt"
        "  from judgment j where j.task = $task and j.rater = $rater and j.item in $items)"
        " select j.attempt, j.item, i.name, i.body, arg_min(j.body, j.seq), g.body, not exists ("
        "  select 1 from remark s where s.kind = 'seen' and s.task = j.task and s.item = j.item"
        "  and s.rater = j.rater and s.seq > min(j.seq)), min(j.made_at)"
        " from said j join item_now i on i.id = j.item"
        " join gold_now g on g.task = j.task and g.item = j.item"
        " group by j.task, j.rater, j.attempt, j.item, i.name, i.body, g.body order by min(j.seq)",
        task=task.name,
        rater=rater,
        items=wanted,
        **{"try": TRY},
    )
    for attempt, item, name, body, said, key, new, at in rows:
        asked = task.task_as_asked_of_item(json.loads(body))
        value = asked.parse(said)
        expected = {name: one for name, one in json.loads(key).items() if name != PRACTICE}
        hit = task.can_items_be_gold and task.does_answer_match_gold(value, expected)
        tried = Tried(asked, item, name, value, expected, words[item], hit, bool(new), at)
        tries[min(attempt, last) - 1].append(tried)
    setting, asks = (
        hand_out_settings.task_settings_set_by_lead(store, task.name, dataset),
        practice_rules_of_round(store, task.name, dataset),
    )
    return PracticeStanding(
        size,
        tuple(map(tuple, tries)),
        min(asks.mark, size),
        asks.attempts,
        rater in setting.get(_LET_IN, []),
    )


def expected_answer_and_explanation_by_field(
    expected: Mapping[str, Any], why: str | None
) -> dict[str, Any]:
    """An expected answer with the lead's word on it, for practice; ``why`` None: for hidden
    gold.

    Raises:
        InvalidInput: the word is too long.
    """
    if len(why or "") > LONGEST:
        raise InvalidInput(f"The explanation is longer than {LONGEST:,} characters.")
    return {**expected, PRACTICE: None if why is None else why.strip()}


def mark_gold_item_as_practice(
    store: Store, task: Task, *, item: str, why: str | None, by: Rater
) -> None:
    """Make a gold item a practice item, with a word on its answer; ``why`` None: hidden gold again.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: the item is not gold, or the word is too long.
    """
    require_lead(by)
    row = store.find_first_row_as_dict(
        "select body from gold_now where task = $task and item = $item", task=task.name, item=item
    )
    if row is None:
        raise InvalidInput(
            "This is not a gold item yet.", hint="Save its expected answer above first."
        )
    body = expected_answer_and_explanation_by_field(json.loads(str(row["body"])), why)
    consensus.set_or_unset_gold_item(store, task, item=item, expected=body, active=True, by=by)


def practice_rules_of_round(store: Store, task: str, dataset: str) -> Rules:
    """The requirements for newcomers to a round."""
    setting = hand_out_settings.task_settings_set_by_lead(store, task, dataset)
    return Rules(
        *(int(setting.get(name, usual)) for name, usual in ((_MARK, 0), (_EACH, 0), (_ATTEMPTS, 1)))
    )


def set_practice_rules(store: Store, task: str, dataset: str, new: Rules, *, by: Rater) -> None:
    """Set the requirements for newcomers to a round; earlier attempts stay.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: there are not this many practice items, or no attempt is allowed.
    """
    require_lead(by)
    there = len(load_practice_explanations_by_item_id(store, task, dataset))
    if not 0 <= new.each <= there:
        raise InvalidInput(
            f"There are {there:,} practice items: an attempt can have 1 to {there:,}, or 0 for all."
        )
    if not 0 <= new.mark <= (new.each or there):
        raise InvalidInput(
            f"An attempt has {new.each or there:,} practice items: the mark can be 0 to"
            f" {new.each or there:,}."
        )
    if not 1 <= new.attempts <= MOST:
        raise InvalidInput(f"There can be 1 to {MOST} attempts.")
    change = {_MARK: new.mark, _EACH: new.each, _ATTEMPTS: new.attempts}
    hand_out_settings.change_task_settings(store, task, dataset, change, by=by)


def admit_or_bar_despite_practice(
    store: Store, task: str, dataset: str, rater: str, *, reason: str, by: Rater, back: bool = False
) -> None:
    """Let in a rater who did not reach the mark; ``back`` takes that back. The audit log has
    both.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no reason was given.
    """
    require_lead(by)
    if not reason.strip():
        raise InvalidInput("Say why, in a sentence.")
    setting = hand_out_settings.task_settings_set_by_lead(store, task, dataset)
    change = {
        name: [one for one in setting.get(name, []) if one != rater] + [rater] * now
        for name, now in ((_LET_IN, not back), (_NO_LONGER, back))
    }
    hand_out_settings.change_task_settings(store, task, dataset, change, by=by)
    person = find_rater(store, rater)
    whose = person.name if person else rater
    said = f"{whose} {'no longer let in' if back else 'let in'}: {reason.strip()}"
    audit_log.record_entry(store, "practice", who=by.id, about=f"{task} of {dataset}", detail=said)


def practice_standings_by_rater(
    store: Store, task: Task, *, dataset: str, viewer: Rater
) -> dict[str, PracticeStanding]:
    """How everyone who has tried is doing, by rater id (leads).

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.rows(
        "select distinct j.rater from judgment j join rater r on r.id = j.rater"
        " and r.kind = 'person' where j.task = $task and j.item in $items order by j.rater",
        task=task.name,
        items=list(load_practice_explanations_by_item_id(store, task.name, dataset)),
    )
    found = {
        rater: practice_standing_of_rater(store, task, dataset=dataset, rater=rater)
        for (rater,) in rows
    }
    return {rater: one for rater, one in found.items() if any(one.tries)}


def expected_answer_in_words(task: Task, expected: Mapping[str, Any]) -> str:
    """An expected answer in one line."""
    parts = []
    for name, value in expected.items():
        if name == "labels":
            parts += [task.name_of_variable_in_words(label) for label in value] or ["no label"]
        elif isinstance(value, Mapping):
            said = Counter(_said(task, part, one) for part, one in value.items())
            told_all = ", ".join(f"{count} {word}" for word, count in said.items())
            parts.append(f"{task.name_of_variable_in_words(name)}: {told_all}")
        else:
            parts.append(f"{task.name_of_variable_in_words(name)}: {_said(task, name, value)}")
    return "; ".join(parts)


def list_given_beside_expected_answers(one: Tried) -> list[tuple[str, str, str]]:
    """What was asked, what the rater said and what was expected, for everything in the key, under
    the names that the rater saw.
    """
    task = one.task
    said, rows = task.values_compared_for_agreement(one.value), []
    for name, wanted in one.expected.items():
        if name in said:
            given = (
                "nothing" if said[name] is None else task.cell_of_answer_in_words(name, said[name])
            )
            # If nothing else is asked, the question says more than its variable's name.
            alone = len(one.expected) == 1 and name not in {*task.names, *task.called}
            called = task.question if alone else task.name_of_variable_in_words(name)
            rows.append((called, given, _said(task, name, wanted)))
        elif isinstance(wanted, Mapping):
            answered = getattr(one.value, name, {})
            for part, right in wanted.items():
                told_part = (
                    task.cell_of_answer_in_words(part, answered[part])
                    if part in answered
                    else "nothing"
                )
                rows.append(
                    (task.name_of_variable_in_words(part), told_part, _said(task, part, right))
                )
        elif name == "labels":
            rows.append(
                (
                    "Labels",
                    task.decision_in_words(one.value),
                    expected_answer_in_words(task, {name: wanted}),
                )
            )
    rows = rows or [
        ("", task.decision_in_words(one.value), expected_answer_in_words(task, one.expected))
    ]
    blind = task.function_that_replaces_real_names(one.value)
    return [(blind(asked), blind(given), blind(wanted)) for asked, given, wanted in rows]


def _said(task: Task, name: str, value: Any) -> str:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) for one in value):
        low, high = value
        if scale := task.scales.get(name):
            # Keys made before the ends were heeded reach beyond them.
            low, high = max(low, scale[0]), min(high, scale[-1])
        return f"{low} to {high}" if low < high else f"{low}"
    return task.cell_of_answer_in_words(name, value)
