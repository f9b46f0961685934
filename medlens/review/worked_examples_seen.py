"""Who has seen the worked example of a task: it opens by itself once for each person."""

from __future__ import annotations

from medlens.errors import Conflict
from medlens.review import judging
from medlens.review.raters import Rater
from medlens.review.tasks import PersonalForm, Task
from medlens.store import Store, new_id

_SEEN = PersonalForm(name="worked_example")


def has_seen_example(store: Store, task: Task, *, person: Rater) -> bool:
    """Whether a person has seen the example of the task, in any browser."""
    return bool(
        store.value(
            "select exists (select 1 from draft where task = $form and item = $task"
            " and rater = $rater)",
            form=_SEEN.name,
            task=task.name,
            rater=person.id,
        )
    )


def record_seen_example(store: Store, task: Task, *, person: Rater) -> None:
    """Note that a person sees the example of the task; harmless if it was noted before."""
    if has_seen_example(store, task, person=person):
        return
    try:
        judging.save_draft(
            *(store, _SEEN),
            item=task.name,
            rater=person.id,
            base=0,
            token=new_id(),
            body={},
        )
    except Conflict:
        # They opened it in two tabs at once.
        return
