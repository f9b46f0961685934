"""Judgments out to files, for any task: one row per judgment, or one per part (span).

JSON lines and Parquet carry the whole value; CSV needs both tables for it.
``review.judgment_import`` reads either back.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import item_corrections
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.tables import PlainTable
from medlens.tables.check_rows_and_list_refused import pause_garbage_collector

HEAD = [
    *("judgment_id", "study", "task", "dataset", "item", "rater", "rater_handle", "rater_kind"),
    *("revision", "stands", "blind", "origin", "active_seconds", "idle_seconds", "judged_at"),
    *("guideline", "pass_number"),
]

TAIL = ["run_id", "prompt_version"]
"""The last columns: which run and which version of its prompt a model's judgment is from."""


_VERSION = " coalesce(j.version, 1) as item_version,"
_WITHDRAWN = " i.withdrawn_at, coalesce(i.withdrawn_reason, '') as withdrawn_reason,"


@pause_garbage_collector()
def judgments_table(
    store: Store,
    task: Task,
    *,
    dataset: str,
    viewer: Rater | None,
    history: bool = False,
    nested: bool = False,
) -> pd.DataFrame:
    """One row per judgment: who, what, when, and the value as flat columns.

    Exports those that figures use: each rater's last blind revision, and that of the second pass
    (``pass_number`` 2) if the item came again; with ``history`` every revision (``stands``
    marks the ones in use), also of withdrawn items, with when and why they were withdrawn. Marks
    are where their words stand in the item's text now, with ``history`` where they were made; once
    an item was corrected, ``item_version`` says on which version. ``nested`` adds the whole value
    as a dict (not for CSV).

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    return _table(_judgment_dicts(store, task, dataset, viewer, history, nested))


@pause_garbage_collector()
def judgments_as_plain_table(
    store: Store, task: Task, *, dataset: str, history: bool = False, nested: bool = False
) -> PlainTable:
    """``judgments_table`` for the command line."""
    rows = _judgment_dicts(store, task, dataset, None, history, nested)
    if not rows:
        return PlainTable([*HEAD, *TAIL], [])
    made = PlainTable.from_dicts(rows)
    return made.select_columns([*(name for name in made.columns if name not in TAIL), *TAIL])


def _judgment_dicts(
    store: Store, task: Task, dataset: str, viewer: Rater | None, history: bool, nested: bool
) -> list[dict[str, Any]]:
    return [
        {
            **head,
            **task.answer_as_file_columns(value, body),
            **({"value": value.model_dump(mode="json")} if nested else {}),
        }
        for head, value, body in _judged(store, task, dataset, viewer, history)
    ]


def make_export_function_for_task(task_of: Callable[[Any], Task]) -> Callable[..., pd.DataFrame]:
    """A function like ``judgments_table`` for a task that it finds in the opened study."""

    def make(
        store: Store,
        study: Any,
        *,
        viewer: Rater | None,
        history: bool = False,
        nested: bool = False,
    ) -> pd.DataFrame:
        return judgments_table(
            store,
            task_of(study),
            dataset=study.dataset,
            viewer=viewer,
            history=history,
            nested=nested,
        )

    return make


@pause_garbage_collector()
def judgment_parts_table(
    store: Store, task: Task, *, dataset: str, viewer: Rater | None, history: bool = False
) -> pd.DataFrame:
    """One row per part of each judgment, with the judgment's columns repeated.

    A judgment without parts gets one row with empty part columns, so that nothing is lost.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    if not task.do_answers_have_parts:
        raise InvalidInput(f"Judgments of {task.title!r} have no parts.")
    rows: list[dict[str, Any]] = []
    for head, value, _ in _judged(store, task, dataset, viewer, history):
        whole = {key: v for key, v in task.answer_as_columns(value).items() if key == "comment"}
        for part in task.answer_as_rows_of_parts(value) or [{}]:
            rows.append({**head, **part, **whole})
    table = _table(rows)
    numbers = [c for c in ("start", "end", "span") if c in table]
    return table.astype(dict.fromkeys(numbers, "Int64"))


def _table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Rows of judgments as a table, even if there are none."""
    if not rows:
        return pd.DataFrame(columns=[*HEAD, *TAIL])
    return move_tail_columns_last(pd.DataFrame(rows))


def move_tail_columns_last(table: pd.DataFrame) -> pd.DataFrame:
    """A table of judgments with the columns of ``TAIL`` after all others."""
    return table[[*(name for name in table if name not in TAIL), *TAIL]]


def _judged(
    store: Store, task: Task, dataset: str, viewer: Rater | None, history: bool
) -> list[tuple[dict[str, Any], Any, dict[str, Any]]]:
    """Who, what and when; the value; and the item's body if the task's columns need it."""
    require_lead(viewer)
    # Files of stores from which nothing was taken back are as they always were.
    taken_back = history and store.data_version_of_tables("item_withdrawal", "item_version")
    corrected = store.data_version_of_tables("item_version")
    of_item = "i.body" if task.do_columns_need_item else "'{}'"
    rows = store.query_rows_as_dicts(
        "select j.id as judgment_id, i.study, j.task, i.dataset, i.name as item, r.name as rater,"
        " r.handle as rater_handle, r.kind as rater_kind, j.revision, b.id is not null as stands,"
        " j.blind, j.origin, j.active_seconds, j.idle_seconds, j.made_at as judged_at,"
        " j.guideline, coalesce(j.pass, 1) as pass_number,"
        f"{_VERSION if taken_back or corrected else ''}{_WITHDRAWN if taken_back else ''}"
        f" j.run as run_id, j.prompt as prompt_version, j.body, {of_item} as of_item,"
        " j.item as item_key, j.version as made_on"
        " from judgment_told j join item_named i on i.id = j.item join rater r on r.id = j.rater"
        " left join (select id from judgment_blind union all select id from judgment_again) b"
        " on b.id = j.row_id"
        " where j.task = $task and i.dataset = $dataset"
        + ("" if history else " and b.id is not null")
        + " order by i.seq, r.handle, j.revision",
        task=task.name,
        dataset=dataset,
    )
    # Parsing is most of the work, and many answers are equal, so each is parsed once.
    bodies = [row.pop("body") for row in rows]
    parsed = {body: task.parse(body) for body in dict.fromkeys(bodies)}
    of_items = [row.pop("of_item") for row in rows]
    read = {of_item: json.loads(of_item) for of_item in dict.fromkeys(of_items)}
    made_on = [(row.pop("item_key"), row.pop("made_on")) for row in rows]
    values = [parsed[body] for body in bodies]
    if corrected and not history:
        values = [
            item_corrections.answer_adapted_to_current_version(
                store, task, item=item, version=version, value=value
            )
            for value, (item, version) in zip(values, made_on, strict=True)
        ]
    return [
        (row, value, read[of_item])
        for row, value, of_item in zip(rows, values, of_items, strict=True)
    ]
