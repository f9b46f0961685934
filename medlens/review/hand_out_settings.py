"""A lead's settings for one task in one dataset: how its items are handed out, and others."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from medlens.config.settings import Settings
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.review.tasks import HandOut, Task
from medlens.store import Lookup, Row, Store, new_id


def task_settings_set_by_lead(store: Store, task: str, dataset: str) -> dict[str, Any]:
    """What a lead has set (empty: the defaults apply)."""
    body: dict[str, Any] = json.loads(_body(store, task, dataset))
    return body


# What is imported into a new dataset has the settings of the one that people work on.
_LEAD_SETTING = Lookup(
    "hand_out_settings.lead_setting",
    "select body from task_setting_now where task = $task and dataset = $of",
)


# Cached: read for every task on every page, but changes only when a lead changes a setting.
@cache_until_tables_grow("task_setting", most=256)
def _body(store: Store, task: str, dataset: str) -> str:
    row = store.find_first_row_as_dict(_LEAD_SETTING, task=task, of=dataset)
    return str(row["body"]) if row else "{}"


def default_hand_out_settings(
    chosen: Settings, task: str, usual: Mapping[str, Any] | None = None
) -> HandOut:
    """How a task's items are handed out unless a lead says otherwise; ``usual`` is the task's own
    ``handing_out``, which the settings file overrides.
    """
    return HandOut(**{**(usual or {}), **chosen.hand_out_setting_by_name_of_task(task)})


def hand_out_settings_in_force(store: Store, task: str, dataset: str, defaults: HandOut) -> HandOut:
    """How the task's items of a dataset are handed out."""
    return HandOut(
        **{**defaults.__dict__, **_known(task_settings_set_by_lead(store, task, dataset))}
    )


def are_raters_declared_fixed(
    store: Store, chosen: Settings, tasks: Sequence[Task], dataset: str
) -> bool:
    """Whether the raters of a study's ``tasks`` are declared to be all that matter, in a dataset.

    Figures can rest on several tasks: declared for one, it holds for all.
    """
    return any(
        hand_out_settings_in_force(
            *(store, task.name, dataset),
            default_hand_out_settings(chosen, task.name, task.handing_out),
        ).fixed_panel
        for task in tasks
    )


def declare_raters_fixed(
    store: Store, tasks: Sequence[Task], dataset: str, *, fixed: bool, by: Rater | None
) -> None:
    """Declare for all ``tasks`` of a study that their raters are all that matter, or that they
    stand for others like them.

    Raises:
        NotAllowed: ``by`` is not a lead.
    """
    for task in tasks:
        change_task_settings(store, task.name, dataset, {"fixed_panel": fixed}, by=by)


def _known(body: dict[str, Any]) -> dict[str, Any]:
    return {key: v for key, v in body.items() if key in HandOut.__dataclass_fields__}


def name_of_who_last_changed_settings(store: Store, task: str, dataset: str) -> str:
    """Who last changed a setting; empty if nobody has."""
    row = store.find_first_row_as_dict(
        "select r.name from task_setting_now s join rater_now r on r.id = s.made_by"
        " where s.task = $task and s.dataset = $dataset",
        task=task,
        dataset=dataset,
    )
    return str(row["name"]) if row else ""


def change_task_settings(
    store: Store,
    task: str,
    dataset: str,
    change: dict[str, Any],
    *,
    by: Rater | None,
    beside: Mapping[str, Sequence[Row]] | None = None,
    save_rows: Callable[[Mapping[str, Sequence[Row]]], object] | None = None,
) -> None:
    """Change settings of a task in a dataset; the others stay.

    ``by`` is None for the command line, whose users may do everything. ``beside`` are rows of other
    tables that are saved in the same transaction; ``save_rows`` saves them all, by table, with
    others: by default they are appended.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: the settings cannot work.
    """
    require_lead(by)
    body = task_settings_set_by_lead(store, task, dataset) | change
    HandOut(**_known(body))
    top = store.value(
        "select coalesce(max(revision), 0) from task_setting"
        " where task = $task and dataset = $dataset",
        task=task,
        dataset=dataset,
    )
    row = {
        "id": new_id(),
        "task": task,
        "dataset": dataset,
        "revision": top + 1,
        "body": body,
        "made_by": by.id if by else "command line",
    }
    (save_rows or store.append_all_and_count_new_by_table)(
        {"task_setting": [row], **(beside or {})}
    )
