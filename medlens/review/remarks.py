"""What a rater and the leads say to each other about the rater's work on an item.

A rater flags an item (``assignment``), comments on it, or says that the guideline is ``unclear``
there; a lead gives an ``answer``, or makes a ``return``: the rater is asked to judge the item
again, and their judgment so far counts meanwhile, or not. Nothing is changed: their next revision
counts, the earlier ones stay in the history. A rater confirms that they have ``seen`` an answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import pandas as pd

from medlens.errors import InvalidInput, NotAllowed
from medlens.review.ledger import ledger
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.store import Store, new_id

Kind = Literal["unclear", "answer", "return", "seen"]
_LONGEST = 2000
_MOST = 1000


@dataclass(frozen=True)
class Remark:
    """A remark on a rater's work on an item; ``name`` is the item's, ``by`` a person's."""

    task: str
    dataset: str
    item: str
    name: str
    kind: Kind
    text: str
    counts: bool
    by: str
    at: datetime


def say(
    store: Store,
    task: Task,
    *,
    item: str,
    rater: str,
    kind: Kind,
    text: str = "",
    by: Rater,
    counts: bool = True,
) -> None:
    """Make a remark on a rater's work on an item. ``counts`` says whether a returned judgment
    counts until the item is judged again.

    Raises:
        NotAllowed: a lead's remark by somebody else, or a rater's on work that is not theirs.
        InvalidInput: the text is empty, or a returned item was not judged by a person.
    """
    if kind in ("answer", "return"):
        require_lead(by)
    elif by.id != rater or not (
        # An adjudicator judges items that were given to others.
        (kind == "unclear" and by.role == "lead") or ledger(store, task.name).has(item, rater)
    ):
        raise NotAllowed("This item is not in your queue.", hint="Return to your own queue.")
    if kind != "seen" and not text.strip():
        raise InvalidInput("Nothing is said yet.", hint="Write a sentence or two.")
    if kind == "return" and not _judged(store, task, item, rater):
        raise InvalidInput(
            "There is nothing to return: this person has not judged the item.",
            hint="Answer them instead.",
        )
    store.append(
        "remark",
        {
            "id": new_id(),
            "task": task.name,
            "item": item,
            "rater": rater,
            "kind": kind,
            "body": text.strip()[:_LONGEST],
            "counts": counts,
            "made_by": by.id,
        },
    )


def _judged(store: Store, task: Task, item: str, rater: str) -> bool:
    return bool(
        store.rows(
            "select 1 from judgment j join rater r on r.id = j.rater and r.kind = 'person'"
            " where j.task = $task and j.item = $item and j.rater = $rater limit 1",
            task=task.name,
            item=item,
            rater=rater,
        )
    )


_REMARK = (
    "select m.task, i.dataset, m.item, i.name, m.kind, m.body, m.counts,"
    " coalesce(r.name, m.made_by), m.made_at"
    " from remark m join item_now i on i.id = m.item left join rater r on r.id = m.made_by"
)


def waiting(store: Store, *, rater: str) -> list[Remark]:
    """Leads' remarks that await a rater: returned items they have not judged since, and answers
    they have not seen; returned items first, then newest first.
    """
    if not store.version("remark"):
        return []
    rows = store.rows(
        f"{_REMARK} where m.rater = $rater and ("
        "m.kind = 'return' and not exists (select 1 from judgment j where j.task = m.task"
        "  and j.item = m.item and j.rater = m.rater and j.seq > m.seq)"
        " or m.kind = 'answer' and not exists (select 1 from remark s where s.kind = 'seen'"
        "  and s.task = m.task and s.item = m.item and s.rater = m.rater and s.seq > m.seq))"
        " order by m.kind desc, m.seq desc",
        rater=rater,
    )
    return [Remark(*row) for row in rows]


def thread(store: Store, task: Task, *, item: str, rater: str, viewer: Rater) -> list[Remark]:
    """All remarks on a rater's work on an item, oldest first; only leads see others'.

    Raises:
        NotAllowed: the viewer is neither that rater nor a lead.
    """
    if viewer.id != rater:
        require_lead(viewer)
    rows = store.rows(
        f"{_REMARK} where m.task = $task and m.item = $item and m.rater = $rater"
        " and m.kind <> 'seen' order by m.seq",
        task=task.name,
        item=item,
        rater=rater,
    )
    return [Remark(*row) for row in rows]


def inbox(
    store: Store, task: Task, *, dataset: str, viewer: Rater, comments: bool = True
) -> pd.DataFrame:
    """Raters' remarks on the items of a dataset (with ``comments``, also those in their judgments),
    newest first, at most 1,000 (leads): item_id, item, rater_id, rater, what (flag, unclear,
    comment), says, at, answer (a lead's last reply since; empty: none yet), returned (whether that
    reply returned it).

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    commented = (
        " union all select item, rater, 'comment', says, seq, made_at from spoken"
        "  where trim(says) <> ''"
    )
    # Reading the comments in the judgments of all datasets would be most of the work.
    return store.read(
        "with stands as materialized (select seq from judgment_counted where task = $task"
        "  and item in (select id from item where dataset = $dataset)"
        "  qualify row_number() over (partition by item, rater order by revision desc) = 1),"
        " spoken as materialized (select item, rater, seq, made_at,"
        "  coalesce(body->>'$.comment', '') as says from judgment where seq in (from stands)),"
        " said as ("
        " select item, rater, 'flag' as what, arg_max(reason, seq) as says, max(seq) as seq,"
        "  max(made_at) as at from assignment_event e where task = $task and kind = 'flag'"
        "  and exists (select 1 from assignment_now a where a.task = e.task and a.item = e.item"
        "   and a.rater = e.rater and a.state = 'flag') group by all"
        " union all select item, rater, 'unclear', body, seq, made_at from remark"
        f"  where task = $task and kind = 'unclear'{commented if comments else ''})"
        " select s.item as item_id, i.name as item, s.rater as rater_id, r.name as rater, s.what,"
        " s.says, s.at, coalesce(arg_max(m.body, m.seq), '') as answer,"
        " coalesce(arg_max(m.kind, m.seq) = 'return', false) as returned"
        " from said s join item_now i on i.id = s.item and i.dataset = $dataset"
        " join rater r on r.id = s.rater and r.kind = 'person'"
        " left join remark m on m.task = $task and m.item = s.item and m.rater = s.rater"
        "  and m.kind in ('answer', 'return') and m.seq > s.seq"
        f" group by all order by max(s.seq) desc limit {_MOST}",
        task=task.name,
        dataset=dataset,
    )


def table(store: Store, *, viewer: Rater | None) -> pd.DataFrame:
    """All remarks, in every task: study, task, dataset, item, rater, kind, text, counts, by, at
    (UTC). ``viewer`` None: command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return store.read(
        "select i.study, m.task, i.dataset, i.name as item, w.name as rater, m.kind,"
        " m.body as text, m.counts, coalesce(r.name, m.made_by) as by, m.made_at as at"
        " from remark m join item_now i on i.id = m.item join rater w on w.id = m.rater"
        " left join rater r on r.id = m.made_by where m.kind <> 'seen' order by m.seq"
    )
