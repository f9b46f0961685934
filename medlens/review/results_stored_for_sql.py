"""Consensus and figures as they were last computed, kept for whoever reads the store with SQL: the
views ``consensus`` and ``figures`` (store/migrations/public_views.sql).

MedLens itself never reads them: what it shows is computed from the judgments as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from medlens.deferred_module import pd
from medlens.review import consensus, items
from medlens.review.tasks import Task
from medlens.store import Store, to_json
from medlens.tables.check_rows_and_list_refused import pause_garbage_collector

Entries = Mapping[str, Sequence[Mapping[str, Any]]]
"""The rows of a view by what they are of: an item's id, or a figure's name."""
_CONSENSUS = ["variable", "answer", "votes", "n", "cannot_tell", "adjudicated", "reason"]
_FIGURES = [
    *("group", "numerator", "denominator", "value", "low", "high", "n", "p", "method"),
    "speaks_for",
]


@pause_garbage_collector()
def consensus_entries_by_item_id(store: Store, task: Task, *, dataset: str) -> Entries:
    """``consensus.consensus_table`` of a task, by item id; answers as texts."""
    table = consensus.consensus_table(store, task, dataset=dataset, viewer=None)
    ids = items.item_ids_by_name(store, task.study, dataset, table["item"].unique().tolist())
    table["answer"] = [_text(answer) for answer in table["answer"]]
    return _entries(table.assign(item=table["item"].map(ids)), "item", _CONSENSUS)


def figure_rows_to_store_by_figure(table: pd.DataFrame) -> Entries:
    """The rows of ``export figures`` by figure."""
    return _entries(table, "figure", _FIGURES)


def store_changed_results_and_count(
    store: Store, study: str, dataset: str, *, agreed: Mapping[str, Entries], figures: Entries
) -> int:
    """Store what was computed of a dataset now, ``agreed`` by task; only what differs from before
    is added. Returns how many rows are new, beside the one that says when it was.
    """
    head = {"study": study, "dataset": dataset}
    rows = [
        {**head, "kind": kind, "task": task, "subject": subject, "body": body}
        for kind, task, entries in (
            *(("consensus", task, entries) for task, entries in agreed.items()),
            ("figures", "", figures),
        )
        for subject, body in _changed(store, head, kind, task, entries).items()
    ]
    done = {**head, "kind": "done", "task": "", "subject": "", "body": []}
    return store.append("computation", *rows, done) - 1


def _changed(
    store: Store, head: Mapping[str, str], kind: str, task: str, entries: Entries
) -> dict[str, list[Mapping[str, Any]]]:
    there = dict(
        store.rows(
            "select subject, arg_max(body, seq) from computation where kind = $kind"
            " and study = $study and dataset = $dataset and task = $task group by subject",
            kind=kind,
            task=task,
            **head,
        )
    )
    now = {subject: list(rows) for subject, rows in entries.items()}
    # Nobody's judgment of it counts any more, or the figure is no longer drawn.
    now |= {subject: [] for subject in there.keys() - now.keys()}
    return {subject: rows for subject, rows in now.items() if there.get(subject) != to_json(rows)}


def _entries(table: pd.DataFrame, by: str, columns: Sequence[str]) -> Entries:
    found: dict[str, list[Mapping[str, Any]]] = {}
    cells = [_plain(table[name]) for name in columns]
    for subject, *row in zip(_plain(table[by]), *cells, strict=True):
        found.setdefault(str(subject), []).append(dict(zip(columns, row, strict=True)))
    return found


def _plain(column: pd.Series) -> list[Any]:
    """The cells of a column; a missing one is None."""
    missing = column.isna()
    return (column.astype(object).where(~missing, None) if missing.any() else column).tolist()


def _text(answer: Any) -> str | None:
    if answer is None or isinstance(answer, str):
        return answer
    return None if isinstance(answer, float) and isnan(answer) else to_json(answer)
