"""Opening a task's round on further datasets as it is open on one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from medlens.errors import InvalidInput
from medlens.review import (
    completion_code_rules_and_decisions,
    consensus,
    guideline,
    hand_out_settings,
    items_selected_to_hand_out,
    practice,
    rounds,
)
from medlens.review.rater_and_item_subgroups import (
    Group,
    Groups,
    format_group_label,
    ids_in_all_chosen_groups,
)
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import HandOut, Task
from medlens.store import Store

_DRAWN = re.compile(
    r"(?:(?P<many>[\d,]+) at random|all)(?: of (?P<groups>.+?))?(?:, seed (?P<seed>\d+))?"
)
"""How a sample is said to be drawn, in ``selection``, if from all items or from groups of them."""


@dataclass(frozen=True)
class Opened:
    """A round opened as another one is. ``sampled`` items were drawn, None if all are handed out;
    ``chosen`` if that is because the other's sample cannot be drawn there. Of the
    other's ``gold`` items this many are ``shared``: in both datasets and the same.
    """

    dataset: str
    sampled: int | None
    chosen: bool
    gold: int
    shared: int
    guideline: bool


def open_round_alike_on_other_datasets(
    store: Store,
    task: Task,
    dataset: str,
    others: Iterable[str],
    *,
    usual: HandOut,
    by: Rater,
    groups_of: Callable[[str], Groups] = lambda dataset: {},
) -> list[Opened]:
    """Open the rounds on ``others`` (datasets) as the one on ``dataset`` is: to the same people,
    with the same settings, with the key of each gold item that is the same in both, and, where
    they have none of their own, with its text to agree to, guideline, rules of practice and a
    sample of the same size, from the same groups of items (``groups_of`` a dataset). ``usual`` is
    how the task's items are handed out where no lead has said otherwise.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: the round is not open, or a dataset holds no items for the task.
    """
    require_lead(by)
    now = rounds.current_round_of_task(store, task, dataset)
    if now.state != "open":
        raise InvalidInput("This round is not open.", hint="Open it first.")
    ours = hand_out_settings.hand_out_settings_in_force(store, task.name, dataset, usual).__dict__
    text = hand_out_settings.task_settings_set_by_lead(store, task.name, dataset).get("consent")
    followed = guideline.current_guideline(store, task, dataset=dataset)
    rule = completion_code_rules_and_decisions.completion_rule_of_round(store, task.name, dataset)
    gold = len(consensus.gold_items_table(store, task, dataset=dataset, viewer=by))
    done = []
    for other in others:
        rounds.open_or_close_round(store, task, other, state="open", raters=now.raters, by=by)
        theirs = hand_out_settings.hand_out_settings_in_force(
            store, task.name, other, usual
        ).__dict__
        change = {name: value for name, value in ours.items() if value != theirs[name]}
        if text and not hand_out_settings.task_settings_set_by_lead(store, task.name, other).get(
            "consent"
        ):
            change["consent"] = text
        if rule != completion_code_rules_and_decisions.completion_rule_of_round(
            store, task.name, other
        ):
            change |= completion_code_rules_and_decisions.completion_rule_as_setting(rule)
        if change:
            hand_out_settings.change_task_settings(store, task.name, other, change, by=by)
        # Only a lead's own is copied, and never over a lead's own.
        new = bool(followed.by and not guideline.current_guideline(store, task, dataset=other).by)
        if new:
            guideline.record_guideline_version_and_return_it(
                store, task, dataset=other, text=followed.text, by=by
            )
        # Before the sample, which is drawn without gold items.
        shared = _share_gold(store, task, dataset, other, by=by)
        sampled, chosen = _sample(store, task, dataset, other, groups_of, by=by)
        done.append(Opened(other, sampled, chosen, gold, shared, new))
    return done


def _share_gold(store: Store, task: Task, dataset: str, other: str, *, by: Rater) -> int:
    """Make the items of another dataset gold that are gold here and the same there, and practice
    as here if all of it is there; returns how many are shared. Those whose answer nobody can
    give there are left out.
    """
    rows = store.rows(
        "select there.id, g.body, h.item is not null from gold_now g"
        " join item_now here on here.id = g.item and here.dataset = $dataset"
        " join item_now there on there.dataset = $other and there.study = here.study"
        "  and there.kind = here.kind and there.name = here.name and there.body = here.body"
        " left join gold_now h on h.task = g.task and h.item = there.id"
        " where g.task = $task order by there.seq",
        task=task.name,
        dataset=dataset,
        other=other,
    )
    shared = 0
    for item, body, known in rows:
        expected = json.loads(body)
        if not known and task.list_reasons_expected_answer_is_impossible(store, item, expected):
            continue
        shared += 1
        if not known:
            consensus.set_or_unset_gold_item(
                store, task, item=item, expected=expected, active=True, by=by
            )
    rules = practice.practice_rules_of_round(store, task.name, dataset)
    if (
        practice.practice_rules_of_round(store, task.name, other) == practice.Rules()
        and rules != practice.Rules()
        and len(practice.load_practice_explanations_by_item_id(store, task.name, other))
        >= len(practice.load_practice_explanations_by_item_id(store, task.name, dataset))
    ):
        practice.set_practice_rules(store, task.name, other, rules, by=by)
    return shared


def _sample(
    store: Store,
    task: Task,
    dataset: str,
    other: str,
    groups_of: Callable[[str], Groups],
    *,
    by: Rater,
) -> tuple[int | None, bool]:
    """Draw as many items as are handed out here, from the same groups; returns how many are handed
    out there (None: all), and whether these here were chosen in a way that means nothing there.
    """
    there = items_selected_to_hand_out.ids_of_selected_items(store, task, dataset=other)
    if there:
        return len(there), False
    ways = store.rows(
        "select drawn, count(*) from selection where task = $task and dataset = $dataset"
        " group by drawn order by min(seq)",
        task=task.name,
        dataset=dataset,
    )
    if not ways or any(way == "all" for way, _ in ways):
        return None, False
    groups = groups_of(other) if any(" of " in way for way, _ in ways) else {}
    named: dict[str, Group] = {format_group_label(one): one for one in groups}
    draws: list[tuple[int | None, int, str, frozenset[str] | None]] = []
    for way, many in ways:
        found = _DRAWN.fullmatch(way)
        of = found["groups"].split("; ") if found and found["groups"] else []
        if found is None or not set(of) <= set(named):
            return None, True
        among = ids_in_all_chosen_groups(groups, [named[one] for one in of]) if of else None
        draws.append((many if found["many"] else None, int(found["seed"] or 0), way, among))
    from_all = sum(many for many, _, _, among in draws if many and among is None)
    if from_all >= len(
        items_selected_to_hand_out.set_of_ids_of_items_left_to_sample(store, task, dataset=other)
    ):
        return None, False
    for most, seed, said, among in draws:
        free = len(
            items_selected_to_hand_out.set_of_ids_of_items_left_to_sample(
                store, task, dataset=other, among=among
            )
        )
        if free:
            items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
                store,
                task,
                many=None if most is None else min(most, free),
                dataset=other,
                seed=seed,
                said=said,
                by=by,
                among=among,
            )
    drawn = len(items_selected_to_hand_out.ids_of_selected_items(store, task, dataset=other))
    return drawn or None, not drawn
