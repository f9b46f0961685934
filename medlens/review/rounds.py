"""Rounds: a task on a dataset that a lead has opened, to everyone or to named people, or closed.

A study's first dataset, and a demo, are open to everyone unless a lead says otherwise. Every later
one waits until a lead opens it, so that no import or draw changes what people are working on.
People who are removed from a round get nothing new in it, but can finish what they hold.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from medlens.errors import Conflict, InvalidInput
from medlens.review import archiving_of_datasets_rounds_and_runs
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.review.tasks import Task
from medlens.store import Lookup, Store, new_id

State = Literal["open", "closed", "waiting"]


@dataclass(frozen=True)
class Round:
    """A task on a dataset. ``state`` is ``waiting`` until a lead opens it; ``raters`` are the ids
    of those it is given to (empty: everyone). ``revision`` counts leads' changes to it, ``by`` (an
    id, or "command line") made the last one. ``archived``: it is closed because a lead has put it
    or its dataset away.
    """

    state: State
    raters: frozenset[str] = frozenset()
    revision: int = field(default=0, compare=False)
    by: str = field(default="", compare=False)
    archived: bool = field(default=False, compare=False)

    def does_hand_out_to_rater(self, rater: str) -> bool:
        """Whether the rater is handed items in this round."""
        return self.state == "open" and (not self.raters or rater in self.raters)


def current_round_of_task(store: Store, task: Task, dataset: str) -> Round:
    """The current round of a task on a dataset; one that is archived is closed."""
    now = _round_as_set(store, task, dataset)
    if archiving_of_datasets_rounds_and_runs.is_archived_round(
        store, task.study, dataset, task.name
    ):
        return replace(now, state="closed", archived=True)
    return now


def _round_as_set(store: Store, task: Task, dataset: str) -> Round:
    set_by_lead = _set(store).get((task.name, dataset))
    if set_by_lead is not None:
        return set_by_lead
    return Round("open" if _there(store, task).get(dataset) else "waiting")


def tasks_waiting_for_round(store: Store, tasks: Iterable[Task], dataset: str) -> list[Task]:
    """The tasks that have something to judge in the dataset once a lead opens their round."""
    return [
        task
        for task in tasks
        if dataset in _there(store, task)
        and current_round_of_task(store, task, dataset).state == "waiting"
    ]


_ROUNDS_SET = Lookup(
    "rounds.rounds_set",
    "select task, dataset, state, raters, revision, made_by from task_round_now",
)


# Cached: read for every item that is handed out, but changes seldom.
@cache_until_tables_grow("task_round", most=16)
def _set(store: Store) -> dict[tuple[str, str], Round]:
    rows = store.rows(_ROUNDS_SET)
    return {
        (task, dataset): Round(state, frozenset(json.loads(raters)), revision, by)
        for task, dataset, state, raters, revision, by in rows
    }


def datasets_of_task(store: Store, task: Task) -> list[str]:
    """The datasets that hold items for a task and are not archived, oldest first."""
    hidden = archiving_of_datasets_rounds_and_runs.archived_dataset_names(store, task.study)
    return [dataset for dataset in _there(store, task) if dataset not in hidden]


def _there(store: Store, task: Task) -> dict[str, bool]:
    return _open_unasked(store, task.study, task.item_kind)


_DATASETS_WITH_KIND = Lookup(
    "rounds.datasets_with_kind",
    "select dataset, bool_and(illustrative) from item_known where study = $study"
    " and kind = $kind"
    " group by dataset order by min(seq)",
)


@cache_until_tables_grow("item")
def _open_unasked(store: Store, study: str, kind: str) -> dict[str, bool]:
    """The datasets that hold such items, and whether their round is open by default."""
    rows = store.rows(
        _DATASETS_WITH_KIND,
        study=study,
        kind=kind,
    )
    first = next((dataset for dataset, illustrative in rows if not illustrative), None)
    return {dataset: illustrative or dataset == first for dataset, illustrative in rows}


_LAST_REVISION_OF_ROUND = Lookup(
    "rounds.last_revision_of_round",
    "select coalesce(max(revision), 0) from task_round where task = $task and dataset = $dataset",
)


def open_or_close_round(
    store: Store,
    task: Task,
    dataset: str,
    *,
    state: Literal["open", "closed"],
    raters: Collection[str] = (),
    by: Rater | None,
    seen: int | None = None,
) -> None:
    """Open a round to these raters (ids; none: to everyone), or close it.

    ``by`` is None for the command line, whose users may do everything. ``seen`` is the revision the
    lead saw; None changes the round whatever its revision.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: the dataset holds no items for the task.
        Conflict: another lead has changed the round since ``seen``, or at the same moment.
    """
    require_lead(by)
    if dataset not in _there(store, task):
        raise InvalidInput(
            f"The dataset {dataset!r} holds nothing for the task {task.title!r}.",
            hint="Import or draw its items first.",
        )
    if archiving_of_datasets_rounds_and_runs.is_archived_round(
        store, task.study, dataset, task.name
    ):
        raise InvalidInput(
            "This round is archived.", hint="Bring it back first: Archived on the Data page."
        )
    top = store.value(
        _LAST_REVISION_OF_ROUND,
        task=task.name,
        dataset=dataset,
    )
    if seen is not None and top != seen:
        raise Conflict("The round was changed since you opened it.", hint="See what it is now.")
    who = by.id if by else "command line"
    store.append("task_round", _row(task.name, dataset, Round(state, frozenset(raters), top, who)))


def _row(task: str, dataset: str, now: Round) -> dict[str, Any]:
    return {
        "id": new_id(),
        "task": task,
        "dataset": dataset,
        "revision": now.revision + 1,
        "state": now.state,
        "raters": sorted(now.raters),
        "made_by": now.by,
    }


def make_round_rows_adding_rater(
    store: Store, task: str, dataset: str, rater: str, *, by: str
) -> list[dict[str, Any]]:
    """The ``task_round`` row that adds one rater to a round, to append with others. None if it is
    everyone's, already theirs, or was never opened.
    """
    now = _set(store).get((task, dataset))
    if now is None or not now.raters or rater in now.raters:
        return []
    return [_row(task, dataset, replace(now, raters=now.raters | {rater}, by=by))]


def open_round_if_unset(store: Store, task: Task, dataset: str, *, by: Rater | None) -> None:
    """Open a round to everyone unless a lead has opened or closed it before. Used when a lead draws
    items to be judged, since drawing them gives them to people.
    """
    if current_round_of_task(store, task, dataset).state == "waiting":
        open_or_close_round(store, task, dataset, state="open", by=by)
