"""Withdrawing items, with a reason, and returning them.

A withdrawn item stays in the store with all that was said of it, but is out of play: the views
``item_in_play`` and ``judgment_counted`` leave it out, and hand-out, figures, agreement, consensus,
progress, suggestions and runs read these. Who has it open may finish; they are told that it does
not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.deferred_module import pd
from medlens.errors import Conflict, InvalidInput
from medlens.review.raters import Rater, require_lead
from medlens.store import Lookup, Row, Store, new_id, utc_now

if TYPE_CHECKING:
    from medlens.tables import PlainTable

COMMAND_LINE = "command line"
"""Who made a fact that no signed-in person made."""


@dataclass(frozen=True)
class Withdrawal:
    """A lead's decision on an item; ``item`` is an id, ``name`` the item's, ``by`` a person's.
    ``withdrawn`` False returns it.
    """

    item: str
    study: str
    dataset: str
    name: str
    withdrawn: bool
    reason: str
    by: str
    at: datetime


_SELECT = (
    "select w.item, w.study, w.dataset, w.name, w.withdrawn, w.reason,"
    " coalesce(b.name, w.made_by), w.made_at from {} w left join rater b on b.id = w.made_by"
)


def withdrawals_in_force_by_item(store: Store, study: str, dataset: str) -> dict[str, Withdrawal]:
    """The withdrawn items of a dataset by id, the last one first."""
    rows = store.rows(
        _SELECT.format("item_withdrawn")
        + " where w.study = $study and w.dataset = $dataset and not coalesce(w.undone, false)"
        " order by w.seq desc",
        study=study,
        dataset=dataset,
    )
    return {row[0]: Withdrawal(*row) for row in rows}


def withdrawal_of_item(store: Store, item: str) -> Withdrawal | None:
    """Why an item (by id) is withdrawn; None: it is in play."""
    if not store.data_version_of_tables("item_withdrawal"):
        return None
    rows = store.rows(_SELECT.format("item_withdrawn") + " where w.item = $item", item=item)
    return Withdrawal(*rows[0]) if rows else None


def count_withdrawn_items_of_rater_by_round(store: Store, rater: str) -> dict[tuple[str, str], int]:
    """How many items that a rater (by id) had submitted are withdrawn, by task and dataset; none is
    left out.
    """
    if not store.data_version_of_tables("item_withdrawal"):
        return {}
    rows = store.rows(
        "select j.task, w.dataset, count(distinct j.item) from judgment j"
        " join item_withdrawn w on w.item = j.item where j.rater = $rater"
        " group by j.task, w.dataset",
        rater=rater,
    )
    return {(task, dataset): int(many) for task, dataset, many in rows}


def list_withdrawals_and_returns(store: Store, *, viewer: Rater | None) -> list[Withdrawal]:
    """All withdrawals and returns, newest first; no viewer means the command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    query = _SELECT.format("item_withdrawal") + " order by w.seq desc"
    return [Withdrawal(*row) for row in store.rows(query)]


def withdraw_or_return_items_and_count_notified(
    store: Store,
    items: Mapping[str, str],
    *,
    study: str,
    dataset: str,
    reason: str,
    by: Rater | None,
    back: bool = False,
) -> int:
    """Withdraw items (names by id) of a dataset in one transaction; returns how many people who
    have one of them open were told. ``back`` returns them instead.

    ``by`` is None for the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no reason, or no item.
        Conflict: all are already withdrawn (or in play).
    """
    require_lead(by)
    batch = withdrawal_rows_by_table(
        *(store, items),
        study=study,
        dataset=dataset,
        reason=reason,
        who=by.id if by else COMMAND_LINE,
        back=back,
        tell=True,
    )
    told = {row["rater"] for row in batch["remark"]}
    try:
        store.append_all_and_count_new_by_table(batch)
    except Conflict as error:
        raise _already(back) from error
    return len(told)


_LAST_WITHDRAWALS = Lookup(
    "withdrawn_items.last_withdrawals",
    "select item, max(revision), arg_max(withdrawn, revision) from item_withdrawal"
    " where item in $items group by item",
    items="items",
)


def withdrawal_rows_by_table(
    store: Store,
    items: Mapping[str, str],
    *,
    study: str,
    dataset: str,
    reason: str,
    who: str,
    back: bool = False,
    tell: bool,
    undone: bool = False,
) -> dict[str, list[Row]]:
    """What ``withdraw`` appends, by table, for a transaction that does more. ``who`` withdraws
    them: a rater's id or the command line. ``undone``: as if they had never been imported.

    Raises:
        InvalidInput, Conflict: as ``withdraw``.
    """
    # Remove characters that would reverse or hide the words around them in tables.
    reason = remove_invisible_characters_from_name(reason)
    if not reason:
        raise InvalidInput("A reason is missing.", hint="Say why: it is kept with the item.")
    if not items:
        raise InvalidInput("No item is named.", hint="Name one or more items of the dataset.")
    last = {
        item: (revision, withdrawn)
        for item, revision, withdrawn in store.rows(
            _LAST_WITHDRAWALS,
            items=list(items),
        )
    }
    changing = {item: name for item, name in items.items() if last.get(item, (0, False))[1] == back}
    if not changing:
        raise _already(back)
    rows: list[Row] = [
        {
            "id": new_id(),
            "item": item,
            "study": study,
            "dataset": dataset,
            "name": name,
            "revision": last.get(item, (0, False))[0] + 1,
            "withdrawn": not back,
            "reason": reason,
            "made_by": who,
            "undone": undone or None,
        }
        for item, name in changing.items()
    ]
    words = (
        f"This item is in play again ({reason})."
        if back
        else f"This item is withdrawn ({reason}). You may finish it, but it does not count."
    )
    told = make_withdrawal_remark_rows(store, list(changing), words, who=who) if tell else []
    return {"item_withdrawal": rows, "remark": told}


def _already(back: bool) -> Conflict:
    return Conflict(
        "This item is not withdrawn." if back else "This item is withdrawn already.",
        hint="Somebody else may have done this a moment ago.",
    )


_PEOPLE_WITH_ITEM_OPEN = Lookup(
    "withdrawn_items.people_with_item_open",
    "select a.task, a.item, a.rater from assignment_now a"
    " join rater r on r.id = a.rater and r.kind = 'person'"
    " where a.item in $items and not a.judged and a.state = 'open'"
    " and a.lease_until > $now::timestamptz"
    " union select d.task, d.item, d.rater from ("
    "  select task, item, rater, max(seq) as seq from draft where item in $items"
    " group by all) d"
    " join rater r on r.id = d.rater and r.kind = 'person'"
    " where not exists (select 1 from judgment j where j.task = d.task and j.item = d.item"
    "  and j.rater = d.rater and j.seq > d.seq - 2)",
    items="items",
    now="moment",
)


def make_withdrawal_remark_rows(
    store: Store, items: list[str], text: str, *, who: str
) -> list[Row]:
    """Remarks that tell whoever has one of these items open, or has a draft of it, what has become
    of it: rows to append.
    """
    rows = store.rows(
        _PEOPLE_WITH_ITEM_OPEN,
        items=items,
        # As a text: an import, in a process of its own, asks with JSON.
        now=utc_now().isoformat(),
    )
    return [
        {
            "id": new_id(),
            "task": task,
            "item": item,
            "rater": rater,
            "kind": "answer",
            "body": text,
            "counts": True,
            "made_by": who,
        }
        for task, item, rater in rows
    ]


COLUMNS = {
    "study": "the study's name",
    "dataset": "the dataset's name",
    "item": "the item's name",
    "item_kind": "what kind of item it is",
    "version": "counts its corrections from 1, the item as it was added",
    "withdrawn_at": "when a lead withdrew it (UTC)",
    "withdrawn_reason": "why it was withdrawn",
    "withdrawn_by": "the lead who withdrew it",
    "judgments": "revisions that were submitted of it; none counts",
    "body": "its content, as JSON",
}
"""The columns of ``withdrawn_items_table`` and their meanings."""


def withdrawn_items_table(store: Store, *, viewer: Rater | None) -> pd.DataFrame:
    """Every withdrawn item of every study, in ``COLUMNS``; ``viewer`` None: command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return store.read(_WITHDRAWN_ITEMS)


def withdrawn_items_as_plain_table(store: Store) -> PlainTable:
    """``withdrawn_items_table`` for the command line."""
    # A backup loads this, and needs nothing of the files' rooms.
    from medlens.tables import PlainTable

    return PlainTable(*store.rows_with_column_names(_WITHDRAWN_ITEMS))


_WITHDRAWN_ITEMS = (
    "select w.study, w.dataset, coalesce(i.name, w.name) as item,"
    " coalesce(i.kind, '') as item_kind, coalesce(i.version, 1) as version,"
    " w.made_at as withdrawn_at, w.reason as withdrawn_reason,"
    " coalesce(b.name, w.made_by) as withdrawn_by, coalesce(j.many, 0) as judgments,"
    " coalesce(i.body::varchar, '') as body"
    " from item_withdrawn w left join item_named i on i.id = w.item"
    " left join rater b on b.id = w.made_by"
    " left join (select item, count(*) as many from judgment"
    " group by item) j on j.item = w.item"
    " where not coalesce(w.undone, false) order by w.seq"
)
