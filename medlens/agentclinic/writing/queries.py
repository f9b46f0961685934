"""SQL of cases being written: one draft per person and dataset, saved as it is made."""

from __future__ import annotations

import json
from collections.abc import Mapping

from medlens.store import Store, id_of

_TASK = "case_form"


def draft(store: Store, dataset: str, rater: str) -> tuple[int, dict[str, str]]:
    """The revision and the fields as last saved; (0, {}) where nothing was."""
    row = store.one(
        "select revision, body from draft_now where task = $task and item = $item"
        " and rater = $rater",
        **_place(dataset, rater),
    )
    return (int(row["revision"]), json.loads(row["body"])) if row else (0, {})


def save_draft(
    store: Store, dataset: str, rater: str, *, base: int, fields: Mapping[str, str]
) -> int:
    """Save the fields on top of revision ``base``; durable on return. Gives the new revision.

    Raises:
        Conflict: another tab saved since ``base``.
    """
    store.append(
        "draft",
        _place(dataset, rater)
        | {
            "revision": base + 1,
            "body": dict(fields),
            "active_seconds": 0.0,
            "idle_seconds": 0.0,
        },
    )
    return base + 1


def _place(dataset: str, rater: str) -> dict[str, str]:
    return {"task": _TASK, "item": id_of(_TASK, dataset), "rater": rater}
