"""Open codes: what a lead marks with free labels before a taxonomy is fixed.

Append-only revisions per item and lead; the last one counts. A body has ``codes``, each with
``start``, ``end``, ``quote``, the id of its ``label`` and perhaps a ``comment``, and the ids of all
``labels`` available at the time. For leads only, reading and writing; they are blind to each other
until both have chosen to compare (``codebooks_coded_passages_and_agreement``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from medlens.errors import Conflict
from medlens.review import items
from medlens.review.marks_after_text_correction import find_place_in_corrected_text
from medlens.review.raters import Rater, require_lead
from medlens.review.text_labeler_format import OpenCode
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
    """A body to save for an item, built on revision ``base`` (0: nothing was there); ``token`` is
    the client's id of the write, so that a repeat is harmless.
    """

    item: str
    base: int
    body: Mapping[str, Any]
    token: str = ""


_SELECT = (
    "select c.item, i.name, c.rater, r.name as rater_name, c.revision, c.made_at as at, c.body,"
    " c.version"
    " from open_code c join item_now i on i.id = c.item join rater r on r.id = c.rater"
)


def load_last_saved_codes(store: Store, *, item: str, rater: Rater) -> Coded | None:
    """What the lead last saved on an item, or None.

    Raises:
        NotAllowed: ``rater`` is not a lead.
    """
    require_lead(rater)
    row = store.find_first_row_as_dict(
        _SELECT + " where c.item = $item and c.rater = $rater order by c.revision desc limit 1",
        item=item,
        rater=rater.id,
    )
    return _coded(store, row) if row else None


def list_code_revisions_viewer_may_see(
    store: Store, *, study: str, dataset: str, viewer: Rater
) -> list[Coded]:
    """Every revision of the viewer on a dataset, oldest first, and, if the viewer has chosen to
    compare, those of the other leads who have.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.query_rows_as_dicts(
        "with compared as (select rater from codebook_change where kind = 'compare'"
        " and study = $study and dataset = $dataset) "
        + _SELECT
        + " where i.study = $study and i.dataset = $dataset and (c.rater = $viewer"
        " or ($viewer in (from compared) and c.rater in (from compared))) order by c.seq",
        study=study,
        dataset=dataset,
        viewer=viewer.id,
    )
    return [_coded(store, row) for row in rows]


def save_codes_and_return_revision_numbers(store: Store, *changes: Change, by: Rater) -> list[int]:
    """Save one lead's changes, all or nothing; durable on return. Returns the new revisions.

    Raises:
        Conflict: an item was changed since ``base``, in another tab or window; nothing was written.
        InvalidInput: there is no such item.
        NotAllowed: ``by`` is not a lead.
    """
    rows = make_open_code_rows(store, *changes, by=by)
    try:
        store.append("open_code", *rows)
    except Conflict as error:
        raise _conflict() from error
    return [int(row["revision"]) for row in rows]


def make_open_code_rows(store: Store, *changes: Change, by: Rater) -> list[dict[str, Any]]:
    """Changes as rows of ``open_code`` to append. Raises as
    ``save_codes_and_return_revision_numbers`` does.
    """
    require_lead(by)
    now = utc_now()
    rows = []
    for change in changes:
        items.item_body(store, change.item)
        [(top, repeated)] = store.rows(
            "select coalesce(max(revision), 0), coalesce(max(revision) filter (id = $token), 0)"
            " from open_code where item = $item and rater = $rater",
            item=change.item,
            rater=by.id,
            token=change.token,
        )
        if top != change.base and not repeated:
            raise _conflict()
        rows.append(
            {
                "id": change.token or new_id(),
                "made_at": now,
                "item": change.item,
                "rater": by.id,
                "revision": repeated or top + 1,
                "body": dict(change.body),
                "version": items.current_version_of_item(store, change.item),
            }
        )
    return rows


def list_last_revisions_of_items_and_raters(history: Iterable[Coded]) -> list[Coded]:
    """The last revision of each item and rater, in the order in which they were saved."""
    found: dict[tuple[str, str], Coded] = {}
    for one in history:
        found.pop((one.item, one.rater), None)
        found[one.item, one.rater] = one
    return list(found.values())


def codes_as_stored_body(
    codes: Iterable[OpenCode], labels: Iterable[str], more: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Codes as stored; ``labels`` includes those without a mark, ``more`` is kept."""
    found = []
    for one in codes:
        code = {"start": one.start, "end": one.end, "quote": one.quote, "label": one.label}
        found.append(code | ({"comment": one.comment} if one.comment else {}))
    return {**(more or {}), "labels": list(labels), "codes": found}


def read_codes_from_body(body: Mapping[str, Any]) -> tuple[OpenCode, ...]:
    """The codes of a stored body."""
    return tuple(OpenCode(**one) for one in body["codes"])


def _conflict() -> Conflict:
    return Conflict(
        "These codes were changed in another tab or window.",
        hint="Choose which of the two versions to keep.",
    )


def _coded(store: Store, row: Mapping[str, Any]) -> Coded:
    fields = {**row, "body": json.loads(row["body"])}
    version = fields.pop("version") or 1
    if version < items.current_version_of_item(store, row["item"]):
        fields["body"], _ = carried_codes_and_words_of_lost_codes(
            fields["body"],
            items.item_body(store, row["item"], version),
            items.item_body(store, row["item"]),
        )
    return Coded(**fields)


def carried_codes_and_words_of_lost_codes(
    body: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Stored codes where their words stand in an item's corrected body, without those whose words
    are gone; and the words of these.
    """
    column = str(body.get("column") or "response")
    was, now = str(before.get(column) or ""), str(after.get(column) or "")
    kept, lost = [], []
    for code in body["codes"]:
        if place := find_place_in_corrected_text(was, now, code["start"], code["end"]):
            kept.append({**code, "start": place[0], "end": place[1]})
        else:
            lost.append(str(code["quote"]))
    return {**body, "codes": kept}, tuple(lost)
