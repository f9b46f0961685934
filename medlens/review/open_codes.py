"""Open codes: what a lead marks with free labels before a taxonomy is fixed.

Append-only revisions per item and lead, the last one stands. What a body holds is the study's
affair. Leads only, in and out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from medlens.errors import Conflict
from medlens.review import items
from medlens.review.raters import Rater, require_lead
from medlens.store import Store, new_id, utc_now


@dataclass(frozen=True)
class Coded:
    """One revision of a lead's codes on an item: ``item`` and ``rater`` are ids."""

    item: str
    name: str
    rater: str
    rater_name: str
    revision: int
    at: datetime
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """A body to be saved for an item, built on revision ``base`` (0: nothing was there)."""

    item: str
    base: int
    body: Mapping[str, Any]


_SELECT = (
    "select c.item, i.name, c.rater, r.name as rater_name, c.revision, c.made_at as at, c.body"
    " from open_code c join item_now i on i.id = c.item join rater r on r.id = c.rater"
)


def standing(store: Store, *, item: str, rater: Rater) -> Coded | None:
    """What the lead saved last on an item, or None.

    Raises:
        NotAllowed: ``rater`` is not a lead.
    """
    require_lead(rater)
    row = store.one(
        _SELECT + " where c.item = $item and c.rater = $rater order by c.revision desc limit 1",
        item=item,
        rater=rater.id,
    )
    return _coded(row) if row else None


def revisions(store: Store, *, study: str, dataset: str, viewer: Rater) -> list[Coded]:
    """Every revision of every lead on a dataset, oldest first.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.dicts(
        _SELECT + " where i.study = $study and i.dataset = $dataset order by c.seq",
        study=study,
        dataset=dataset,
    )
    return [_coded(row) for row in rows]


def save(store: Store, *changes: Change, by: Rater) -> list[int]:
    """Save changes of one lead, all or nothing; durable on return. Returns the new revisions.

    Raises:
        Conflict: an item was changed since ``base``, in another tab or window; nothing was written.
        InvalidInput: there is no such item.
        NotAllowed: ``by`` is not a lead.
    """
    require_lead(by)
    now = utc_now()
    rows = []
    for change in changes:
        items.body_of(store, change.item)
        top = store.rows(
            "select coalesce(max(revision), 0) from open_code"
            " where item = $item and rater = $rater",
            item=change.item,
            rater=by.id,
        )[0][0]
        if top != change.base:
            raise _conflict()
        rows.append(
            {
                "id": new_id(),
                "made_at": now,
                "item": change.item,
                "rater": by.id,
                "revision": top + 1,
                "body": dict(change.body),
            }
        )
    try:
        store.append("open_code", *rows)
    except Conflict as error:
        raise _conflict() from error
    return [int(row["revision"]) for row in rows]


def _conflict() -> Conflict:
    return Conflict(
        "These codes were changed in another tab or window.",
        hint="Choose which of the two versions to keep.",
    )


def _coded(row: Mapping[str, Any]) -> Coded:
    return Coded(**{**row, "body": json.loads(row["body"])})
