"""Which items people are asked to judge, where not all of them: a sample, drawn by a lead.

As long as none was drawn for a task in a dataset, all its items are handed out. A selection grows
with every draw and never shrinks: what was given out stays given out.
"""

from __future__ import annotations

from collections.abc import Sequence

from medlens.errors import InvalidInput
from medlens.review import rounds
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.store import Store, id_of


def select(
    store: Store,
    task: Task,
    chosen: Sequence[str],
    *,
    dataset: str,
    drawn: str,
    by: Rater | None,
) -> int:
    """Hand out these items (ids) from now on, and those selected before; returns how many are new.

    ``drawn`` says how they were drawn, for the record; ``by`` is None for the command line, whose
    users may do all.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no item was chosen, or one is not of this task's kind in this dataset.
    """
    if by is not None:
        require_lead(by)
    if not chosen:
        raise InvalidInput("No item fits this choice.", hint="Choose another way of drawing.")
    ids = list(dict.fromkeys(chosen))
    [(fitting,)] = store.rows(
        "select count(*) from item where id in $ids and study = $study and kind = $kind"
        " and dataset = $dataset",
        ids=ids,
        study=task.study,
        kind=task.item_kind,
        dataset=dataset,
    )
    if fitting < len(ids):
        raise InvalidInput("Some of these items are not in this dataset.", hint="Draw them again.")
    rounds.begin(store, task, dataset, by=by)
    return store.append(
        "selection",
        *(
            {
                "id": id_of("selection", task.name, item),
                "task": task.name,
                "dataset": dataset,
                "item": item,
                "drawn": drawn,
                "made_by": by.id if by else "command line",
            }
            for item in ids
        ),
    )


def selected(store: Store, task: Task, *, dataset: str) -> list[str]:
    """The items (ids) selected for a task in a dataset, in the order drawn; empty: all of them."""
    return [
        item
        for (item,) in store.rows(
            "select item from selection where task = $task and dataset = $dataset order by seq",
            task=task.name,
            dataset=dataset,
        )
    ]
