"""Practice: a rater's first items, after each of which they see what was expected of them.

A lead makes gold items practice items, with a word on why. Who has not begun gets all of them ahead
of anything else. What is judged of them counts nowhere (the view ``judgment_counted``). Where the
lead sets a mark, only who meets the expected answer of so many at the first try is given more; a
lead can let others in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Literal

from medlens.errors import InvalidInput
from medlens.review import audit, consensus, hand_out
from medlens.review.consensus import PRACTICE
from medlens.review.ledger import Pool, ledger
from medlens.review.raters import Rater, find, require_lead
from medlens.review.tasks import Task
from medlens.store import Store

Gate = Literal["open", "practice", "held back"]
_MARK, _LET_IN, _NO_LONGER = "practice_mark", "practice_let_in", "practice_no_longer_let_in"
_LONGEST = 2000


@dataclass(frozen=True)
class Tried:
    """A practice item that a rater judged: their first answer, and what was expected; ``new`` until
    they say that they have seen it."""

    item: str
    name: str
    value: Any
    expected: Mapping[str, Any]
    why: str
    hit: bool
    new: bool


@dataclass(frozen=True)
class Standing:
    """How a rater stands: ``tried`` of so many ``items``, and the ``mark`` they have to meet."""

    items: int
    tried: tuple[Tried, ...]
    mark: int
    let_in: bool

    @property
    def hits(self) -> int:
        """How many met the expected answer."""
        return sum(one.hit for one in self.tried)

    @property
    def passed(self) -> bool:
        """Whether they may go on once all is tried."""
        return self.let_in or self.hits >= self.mark


def items_of(store: Store, task: str, dataset: str) -> Mapping[str, str]:
    """The ids of a dataset's practice items, in the order in which they became gold, and the
    lead's word on each."""
    if not store.version("gold"):
        return {}
    return _items(store, task, dataset, store.version("gold"))


# Asked at every desk and for every item; it changes when a lead sets something.
@lru_cache(maxsize=256)
def _items(store: Store, task: str, dataset: str, _version: int) -> Mapping[str, str]:
    return dict(
        store.rows(
            "select g.item, g.body->>$path from gold_now g join item i on i.id = g.item"
            " join practice_now p on p.task = g.task and p.item = g.item"
            " where g.task = $task and i.dataset = $dataset order by g.seq",
            path=f"$.{json.dumps(PRACTICE)}",
            task=task,
            dataset=dataset,
        )
    )


def gate(store: Store, task: Task, pool: Pool, *, dataset: str, rater: str) -> Gate:
    """What a rater is given: practice first, nothing where they did not meet the mark, else all.

    Who holds or has judged other items of the dataset has begun, and goes on, unless they had been
    let in and a lead took that back.
    """
    wanted = items_of(store, task.name, dataset)
    if not wanted:
        return "open"
    book = ledger(store, task.name)
    held = {one.item: one for one in book.mine(rater)}
    if any(
        item in pool.place for item in (*held, *book.judged_by(rater))
    ) and rater not in hand_out.setting(store, task.name, dataset).get(_NO_LONGER, []):
        return "open"
    if any(item not in held or not held[item].ended for item in wanted):
        return "practice"
    return "open" if standing(store, task, dataset=dataset, rater=rater).passed else "held back"


def not_given(store: Store, task: str, *, dataset: str, rater: str) -> list[str]:
    """The practice items that a rater has still to be given."""
    held = {one.item for one in ledger(store, task).mine(rater)}
    return [item for item in items_of(store, task, dataset) if item not in held]


def done(store: Store, task: str, *, dataset: str, rater: str) -> int:
    """How many practice items a rater has judged or flagged."""
    wanted = items_of(store, task, dataset)
    if not wanted:
        return 0
    return sum(one.ended for one in ledger(store, task).mine(rater) if one.item in wanted)


def standing(store: Store, task: Task, *, dataset: str, rater: str) -> Standing:
    """How a rater stands in the practice of a dataset."""
    wanted = items_of(store, task.name, dataset)
    rule, found = task.gold_hit, []
    rows = store.rows(
        "select j.item, i.name, i.body, arg_min(j.body, j.revision), g.body, not exists ("
        "  select 1 from remark s where s.kind = 'seen' and s.task = j.task and s.item = j.item"
        "  and s.rater = j.rater and s.seq > min(j.seq))"
        " from judgment j join item_now i on i.id = j.item"
        " join gold_now g on g.task = j.task and g.item = j.item"
        " where j.task = $task and j.rater = $rater and j.item in $items"
        " group by j.task, j.rater, j.item, i.name, i.body, g.body order by min(j.seq)",
        task=task.name,
        rater=rater,
        items=list(wanted),
    )
    for item, name, body, said, key, new in rows:
        value = task.for_item(json.loads(body)).parse(said)
        expected = {name: one for name, one in json.loads(key).items() if name != PRACTICE}
        hit = rule is not None and rule(value, expected)
        found.append(Tried(item, name, value, expected, wanted[item], hit, bool(new)))
    setting = hand_out.setting(store, task.name, dataset)
    mark = min(int(setting.get(_MARK, 0)), len(wanted))
    return Standing(len(wanted), tuple(found), mark, rater in setting.get(_LET_IN, []))


def make(store: Store, task: Task, *, item: str, why: str | None, by: Rater) -> None:
    """Make a gold item a practice item, with a word on its answer; ``why`` None: hidden gold again.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: the item is not gold, or the word is too long.
    """
    require_lead(by)
    row = store.one(
        "select body from gold_now where task = $task and item = $item", task=task.name, item=item
    )
    if row is None:
        raise InvalidInput(
            "This is no gold item yet.", hint="Save its expected answer above first."
        )
    if len(why or "") > _LONGEST:
        raise InvalidInput(f"The explanation is longer than {_LONGEST:,} characters.")
    body = json.loads(str(row["body"])) | {PRACTICE: None if why is None else why.strip()}
    consensus.set_gold(store, task, item=item, expected=body, active=True, by=by)


def mark_of(store: Store, task: str, dataset: str) -> int:
    """How many practice items a newcomer has to meet; 0: none."""
    return int(hand_out.setting(store, task, dataset).get(_MARK, 0))


def set_mark(store: Store, task: str, dataset: str, mark: int, *, by: Rater) -> None:
    """Ask newcomers to meet the expected answer of so many practice items; 0 asks nothing.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: there are not so many.
    """
    there = len(items_of(store, task, dataset))
    if not 0 <= mark <= there:
        raise InvalidInput(f"There are {there:,} practice items: the mark can be 0 to {there:,}.")
    hand_out.set_setting(store, task, dataset, {_MARK: mark}, by=by)


def let_in(
    store: Store, task: str, dataset: str, rater: str, *, reason: str, by: Rater, back: bool = False
) -> None:
    """Let a rater in who did not meet the mark; ``back`` takes that back. The audit log has both.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: without a reason.
    """
    require_lead(by)
    if not reason.strip():
        raise InvalidInput("Say why, in a sentence.")
    setting = hand_out.setting(store, task, dataset)
    change = {
        name: [one for one in setting.get(name, []) if one != rater] + [rater] * now
        for name, now in ((_LET_IN, not back), (_NO_LONGER, back))
    }
    hand_out.set_setting(store, task, dataset, change, by=by)
    person = find(store, rater)
    whose = person.name if person else rater
    said = f"{whose} {'no longer let in' if back else 'let in'}: {reason.strip()}"
    audit.note(store, "practice", who=by.id, about=f"{task} of {dataset}", detail=said)


def everyone(store: Store, task: Task, *, dataset: str, viewer: Rater) -> dict[str, Standing]:
    """How all who have tried stand, by rater's id (leads).

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.rows(
        "select distinct j.rater from judgment j join rater r on r.id = j.rater"
        " and r.kind = 'person' where j.task = $task and j.item in $items order by j.rater",
        task=task.name,
        items=list(items_of(store, task.name, dataset)),
    )
    return {rater: standing(store, task, dataset=dataset, rater=rater) for (rater,) in rows}


def told(task: Task, expected: Mapping[str, Any]) -> str:
    """An expected answer in a line."""
    parts = []
    for name, value in expected.items():
        if name == "labels":
            parts += [task.name_of(label) for label in value] or ["no label"]
        else:
            parts.append(f"{task.name_of(name)}: {_said(value)}")
    return "; ".join(parts)


def compared(task: Task, one: Tried) -> list[tuple[str, str, str]]:
    """What is asked, what the rater said and what was expected, of all that is in the key, by the
    names that the rater saw."""
    said, rows = task.measures(one.value), []
    for name, wanted in one.expected.items():
        if name in said:
            given = "nothing" if said[name] is None else str(said[name]).replace("_", " ")
            rows.append((task.name_of(name), given, _said(wanted)))
        elif name == "labels":
            rows.append(("Labels", task.told(one.value), told(task, {name: wanted})))
    rows = rows or [("", task.told(one.value), told(task, one.expected))]
    seen = task.blinded(one.value)
    seen = {name.replace("_", " "): now for name, now in seen.items()} | dict(seen)
    if not seen:
        return rows
    # The longest first: an arm's name can begin with another's.
    names = "|".join(map(re.escape, sorted(seen, key=len, reverse=True)))
    arm = re.compile(rf"(?<!\w)(?:{names})(?!\w)")
    blind = partial(arm.sub, lambda found: seen[found[0]])
    return [(blind(asked), blind(given), blind(wanted)) for asked, given, wanted in rows]


def _said(value: Any) -> str:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) for one in value):
        return f"{value[0]} to {value[1]}"
    return str(value).replace("_", " ")
