"""Which items people are asked to judge, if not all of them: a sample drawn by a lead.

Unless a lead has drawn some for a task in a dataset, all its items are handed out. A selection
grows with every draw and never shrinks: what was given out stays given out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from medlens.errors import InvalidInput
from medlens.review import rounds
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.store import Store, stable_id


def select_items_to_hand_out_and_count_new(
    store: Store,
    task: Task,
    chosen: Sequence[str],
    *,
    dataset: str,
    drawn: str,
    by: Rater | None,
) -> int:
    """Hand out these items (ids) from now on, and those selected before; returns how many are
    new.

    ``drawn`` records how they were drawn; ``by`` is None for the command line, whose users may do
    everything.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no item was chosen, or one is not of this task's kind in this dataset.
    """
    require_lead(by)
    if not chosen:
        raise InvalidInput("No item fits this choice.", hint="Choose another way of drawing.")
    ids = list(dict.fromkeys(chosen))
    fitting = store.value(
        "select count(*) from item_in_play where id in $ids and study = $study and kind = $kind"
        " and dataset = $dataset",
        ids=ids,
        study=task.study,
        kind=task.item_kind,
        dataset=dataset,
    )
    if fitting < len(ids):
        raise InvalidInput("Some of these items are not in this dataset.", hint="Draw them again.")
    rounds.open_round_if_unset(store, task, dataset, by=by)
    return store.append(
        "selection",
        *(
            {
                "id": stable_id("selection", task.name, item),
                "task": task.name,
                "dataset": dataset,
                "item": item,
                "drawn": drawn,
                "made_by": by.id if by else "command line",
            }
            for item in ids
        ),
    )


def sample_items_to_hand_out_and_count_new(
    store: Store,
    task: Task,
    *,
    many: int | None,
    dataset: str,
    seed: int,
    said: str,
    by: Rater | None,
    among: Collection[str] | None = None,
) -> int:
    """Draw ``many`` more items (None: all) at random and hand them out from now on; returns how
    many are new. What people were given or have judged stays handed out.

    They are drawn ``among`` these (ids; None: all that can be judged), without gold items. The same
    seed draws the same items.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: there are not this many, or none is asked for.
    """
    require_lead(by)
    if many is not None and many < 1:
        raise InvalidInput("Draw 1 or more items.")
    kept = _kept(store, task, dataset)
    wanted = set_of_ids_of_items_left_to_sample(store, task, dataset=dataset, among=among)
    free = sorted(wanted, key=lambda item: stable_id("sample", str(seed), item))
    if many is not None and many > len(free):
        raise InvalidInput(
            f"Only {len(free):,} such item{'s are' if len(free) != 1 else ' is'} left to hand out.",
            hint=f"Draw {len(free):,} or fewer, or widen the choice." if free else "",
        )
    drawn = free[:many]
    select_items_to_hand_out_and_count_new(
        store, task, [*kept, *drawn], dataset=dataset, drawn=said, by=by
    )
    return len(drawn)


def _kept(store: Store, task: Task, dataset: str) -> list[str]:
    return ids_of_selected_items(store, task, dataset=dataset) or list_ids_of_items_given_or_judged(
        store, task, dataset=dataset
    )


def set_of_ids_of_items_left_to_sample(
    store: Store, task: Task, *, dataset: str, among: Collection[str] | None = None
) -> set[str]:
    """What can still be drawn ``among`` these items (ids; None: all that can be judged)."""
    can = ids_of_judgeable_items(store, task, dataset=dataset) - set(_kept(store, task, dataset))
    return can if among is None else can & set(among)


def ids_of_judgeable_items(store: Store, task: Task, *, dataset: str) -> set[str]:
    """Items (ids) of a dataset that the task can be asked of, drawn or not; without gold items,
    which everyone is given anyway.
    """
    has = " and trim(coalesce(body->>$requires, '')) not in ('', '[]', '{}')"
    rows = store.column(
        "select id from item_now where study = $study and kind = $kind and dataset = $dataset"
        f"{has if task.requires else ''}"
        " and id not in (select item from gold_now where task = $task)",
        study=task.study,
        kind=task.item_kind,
        dataset=dataset,
        task=task.name,
        **({"requires": task.requires} if task.requires else {}),
    )
    return set(rows) - set(task.ids_of_items_not_handed_out(store, dataset))


def list_ids_of_items_given_or_judged(store: Store, task: Task, *, dataset: str) -> list[str]:
    """Items (ids) that people were given or have judged."""
    return store.column(
        "select i.id from item_in_play i where i.dataset = $dataset and i.study = $study"
        " and i.kind = $kind and (i.id in (select item from assignment where task = $task)"
        " or i.id in (select j.item from judgment j join rater r on r.id = j.rater"
        " where j.task = $task and r.kind = 'person')) order by i.seq",
        dataset=dataset,
        study=task.study,
        kind=task.item_kind,
        task=task.name,
    )


def ids_of_selected_items(store: Store, task: Task, *, dataset: str) -> list[str]:
    """The items (ids) selected for a task in a dataset, in the order drawn; empty: all of them."""
    return store.column(
        "select item from selection where task = $task and dataset = $dataset order by seq",
        task=task.name,
        dataset=dataset,
    )
