"""What a rater and the leads say to each other about the rater's work on an item.

A rater flags an item (``assignment``), comments on it in a judgment, or says that the guideline is
``unclear`` there; a lead gives an ``answer``, or makes a ``return``: the rater is asked to judge
the item again, and their judgment so far counts meanwhile, or not. Nothing is changed: their next
revision counts, the earlier ones stay in the history. A rater confirms that they have ``seen`` an
answer. All of it, whatever table keeps it, is one history of an item.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from medlens.deferred_module import pd
from medlens.errors import InvalidInput, NotAllowed
from medlens.review.assignments_held_in_memory import FLAG_TAKEN_BACK, assignment_ledger_of_task
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.review.tasks import Task
from medlens.store import Store, new_id
from medlens.tables import PlainTable

Kind = Literal["unclear", "answer", "return", "seen"]
Said = Literal["flag", "unflag", "comment", "unclear", "answer", "return"]
BY_LEADS = ("answer", "return")
"""The kinds of remarks that leads make; all others are raters'."""
_LONGEST = 2000
_MOST = 1000


@dataclass(frozen=True)
class Remark:
    """A remark on a rater's work on an item; ``name`` is the item's, ``by`` and ``whose`` are
    people's: who made it, and whose work (``rater``, an id) it is about.
    """

    task: str
    dataset: str
    item: str
    name: str
    kind: Said
    text: str
    counts: bool
    by: str
    at: datetime
    rater: str
    whose: str


def store_remark_on_work(
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
    if kind in BY_LEADS:
        require_lead(by)
    elif by.id != rater or not (
        # An adjudicator judges items that were given to others.
        (kind == "unclear" and by.role == "lead")
        or assignment_ledger_of_task(store, task.name).was_item_given_to_rater(item, rater)
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


def _not_taken_back(flag: str) -> str:
    """A condition on an event with this alias, a flag: that its rater has not taken it back."""
    return (
        "not exists (select 1 from assignment_event b where b.kind = 'open'"
        f" and b.reason = '{FLAG_TAKEN_BACK}' and b.task = {flag}.task and b.item = {flag}.item"
        f" and b.rater = {flag}.rater and b.seq > {flag}.seq)"
    )


_OUTSTANDING = (
    "m.kind = 'return' and not exists (select 1 from judgment j where j.task = m.task"
    " and j.item = m.item and j.rater = m.rater and j.seq > m.seq)"
    " and not exists (select 1 from assignment_event f where f.kind = 'flag' and f.task = m.task"
    f" and f.item = m.item and f.rater = m.rater and f.seq > m.seq and {_not_taken_back('f')})"
)


_TOLD = (
    "select task, item, rater, kind, body, counts, made_by, made_at, seq from remark"
    " where kind <> 'seen'"
)


def _history(where: str) -> str:
    """A query of everything that was said of items, by raters and leads, in any order: task, item,
    rater, kind, body, counts, made_by, made_at, seq.

    ``where`` narrows it by columns that remarks, events and judgments share. A comment is listed
    where it was written or changed, not again in each revision that repeats it.
    """
    return (
        f"{_TOLD} and {where}"
        " union all select task, item, rater, 'flag', reason, true, rater, made_at, seq"
        f" from assignment_event where kind = 'flag' and {where}"
        " union all select task, item, rater, 'unflag', '', true, rater, made_at, seq"
        f" from assignment_event where kind = 'open' and reason = '{FLAG_TAKEN_BACK}' and {where}"
        " union all select task, item, rater, 'comment', says, true, rater, made_at, seq from ("
        "  select *, lag(says, 1, '') over (partition by task, item, rater order by revision, seq)"
        "   as before from ("
        "   select j.task, j.item, j.rater, j.made_at, j.seq, j.revision,"
        "    trim(coalesce(j.body->>'$.comment', '')) as says from judgment j"
        f"   where {where}))"
        "  where says <> '' and says <> before"
    )


def _remarks(history: str) -> str:
    """A query of the fields of ``Remark``, and ``seq``, over a history as ``m``."""
    return (
        "select m.task, i.dataset, m.item, i.name, m.kind, m.body, m.counts,"
        " coalesce(r.name, m.made_by), m.made_at, m.rater, w.name"
        f" from ({history}) m join item_named i on i.id = m.item"
        " join rater w on w.id = m.rater and w.kind = 'person'"
        " left join rater r on r.id = m.made_by"
    )


def list_remarks_awaiting_rater(store: Store, *, rater: str) -> list[Remark]:
    """Leads' remarks that await a rater: returned items that they have neither judged nor flagged
    since, and answers they have not seen; returned items first, then newest first.
    """
    if not store.data_version_of_tables("remark"):
        return []
    mine = "select * from remark where rater = $rater"
    rows = store.rows(
        f"{_remarks(mine)} where ("
        f"{_OUTSTANDING} and i.withdrawn_at is null or m.kind = 'answer'"
        # Who wrote it knows it.
        " and m.made_by <> m.rater and not exists ("
        "  select 1 from remark s where s.kind = 'seen'"
        "  and s.task = m.task and s.item = m.item and s.rater = m.rater and s.seq > m.seq))"
        " order by m.kind desc, m.seq desc",
        rater=rater,
    )
    return [Remark(*row) for row in rows]


def list_remarks_on_item(
    store: Store, task: Task, *, item: str, viewer: Rater, rater: str = ""
) -> list[Remark]:
    """What was said of an item, oldest first, by and to everyone, or only ``rater`` (an id).

    Others' is for leads. A reviewer reads what they asked and what leads told them: the comments in
    their judgments are part of an answer, which is out of sight while the item comes again.

    Raises:
        NotAllowed: the viewer is neither that rater nor a lead.
    """
    if viewer.id != rater:
        require_lead(viewer)
    of_item = "task = $task and item = $item and ($rater = '' or rater = $rater)"
    history = _history(of_item) if viewer.role == "lead" else f"{_TOLD} and {of_item}"
    rows = store.rows(f"{_remarks(history)} order by m.seq", task=task.name, item=item, rater=rater)
    return [Remark(*row) for row in rows]


def remarks_by_item(
    store: Store, task: Task, *, dataset: str, viewer: Rater | None
) -> dict[str, list[Remark]]:
    """What was said of each item of a dataset, by the item's id, oldest first; items of which
    nothing was said are missing. ``viewer`` None: command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.rows(
        f"{_remarks(_history('task = $task'))} where i.dataset = $dataset order by m.seq",
        task=task.name,
        dataset=dataset,
    )
    history: dict[str, list[Remark]] = defaultdict(list)
    for row in rows:
        remark = Remark(*row)
        history[remark.item].append(remark)
    return dict(history)


def count_remarks_by_kind(store: Store, task: Task, *, dataset: str) -> Counter[str]:
    """How much was said of a dataset's items, by kind, each rater and item once for each kind;
    under "outstanding" the returned items that the rater has neither judged nor flagged since.
    Practice is not counted, nor are flags that were taken back.
    """
    rows = store.rows(
        f"with said as materialized ({_history('task = $task')})"
        " select m.kind, count(distinct (m.item, m.rater)),"
        f" count(distinct (m.item, m.rater)) filter ({_OUTSTANDING})"
        " from said m join item_in_play i on i.id = m.item and i.dataset = $dataset"
        " join rater w on w.id = m.rater and w.kind = 'person'"
        " anti join practice_now p on p.task = m.task and p.item = m.item"
        f" where m.kind <> 'flag' or {_not_taken_back('m')} group by m.kind",
        task=task.name,
        dataset=dataset,
    )
    found: Counter[str] = Counter({kind: many for kind, many, _ in rows})
    found["outstanding"] = sum(outstanding for *_, outstanding in rows)
    return found


def remarks_for_leads_table(
    store: Store, task: Task, *, dataset: str, viewer: Rater, comments: bool = True
) -> pd.DataFrame:
    """Raters' remarks on the items of a dataset (with ``comments``, also those in their judgments),
    newest first, at most 1,000 (leads): item_id, item, rater_id, rater, what (flag, unclear,
    comment), says, at, answer (a lead's last reply since; empty: none yet), returned (whether that
    reply returned it), judged_since (whether the rater has judged the item since). Of a rater's
    flags of one item, the last.

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
        "  and item in (select id from item_in_play where dataset = $dataset)"
        "  qualify row_number() over (partition by item, rater order by revision desc) = 1),"
        " spoken as materialized (select item, rater, seq, made_at,"
        "  coalesce(body->>'$.comment', '') as says from judgment where seq in (from stands)),"
        " said as ("
        " select item, rater, 'flag' as what, arg_max(reason, seq) as says, max(seq) as seq,"
        "  max(made_at) as at from assignment_event f where task = $task and kind = 'flag'"
        f"  and {_not_taken_back('f')} group by all"
        " union all select item, rater, 'unclear', body, seq, made_at from remark"
        f"  where task = $task and kind = 'unclear'{commented if comments else ''})"
        " select s.item as item_id, i.name as item, s.rater as rater_id, r.name as rater, s.what,"
        " s.says, s.at, coalesce(arg_max(m.body, m.seq), '') as answer,"
        " coalesce(arg_max(m.kind, m.seq) = 'return', false) as returned,"
        " coalesce(max(j.last) > max(s.seq), false) as judged_since"
        " from said s join item_now i on i.id = s.item and i.dataset = $dataset"
        " join rater r on r.id = s.rater and r.kind = 'person'"
        " left join remark m on m.task = $task and m.item = s.item and m.rater = s.rater"
        "  and m.kind in ('answer', 'return') and m.seq > s.seq"
        " left join (select item, rater, max(seq) as last from judgment where task = $task"
        "  group by all) j on j.item = s.item and j.rater = s.rater"
        f" group by all order by max(s.seq) desc limit {_MOST}",
        task=task.name,
        dataset=dataset,
    )


@cache_until_tables_grow("remark", "assignment_event", "item", "rater", most=4)
def unanswered_remark_counts_by_round(store: Store) -> Mapping[tuple[str, str], int]:
    """How many flags and questions no lead has answered, by task and dataset: what
    ``remarks_for_leads_table`` lists without an answer, of a rater's flags of one item the last.
    Those with none are missing.
    """
    rows = store.rows(
        "with said as (select task, item, rater, 'flag' as what, max(seq) as seq"
        f"  from assignment_event f where kind = 'flag' and {_not_taken_back('f')} group by all"
        " union all select task, item, rater, 'unclear', seq from remark where kind = 'unclear')"
        " select s.task, i.dataset, count(*) from said s join item_in_play i on i.id = s.item"
        " join rater r on r.id = s.rater and r.kind = 'person'"
        " where not exists (select 1 from remark m where m.task = s.task and m.item = s.item"
        "  and m.rater = s.rater and m.kind in ('answer', 'return') and m.seq > s.seq)"
        " group by all"
    )
    return {(task, dataset): int(many) for task, dataset, many in rows}


def all_remarks_table(store: Store, *, viewer: Rater | None) -> pd.DataFrame:
    """Everything that was said of items, in every task, oldest first: study, task, dataset, item,
    rater, kind (flag, unflag, comment, unclear, answer, return), text, counts, by, at (UTC),
    judged_since (whether the rater has judged the item since). ``viewer`` None: command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return store.read(_all_remarks())


def all_remarks_as_plain_table(store: Store) -> PlainTable:
    """``all_remarks_table`` for the command line."""
    return PlainTable(*store.rows_with_column_names(_all_remarks()))


def _all_remarks() -> str:
    return (
        "with judged as (select task, item, rater, max(seq) as last from judgment group by all)"
        " select i.study, m.task, i.dataset, i.name as item, w.name as rater, m.kind,"
        " m.body as text, m.counts, coalesce(r.name, m.made_by) as by, m.made_at as at,"
        " coalesce(j.last > m.seq, false) as judged_since"
        f" from ({_history('true')}) m join item_named i on i.id = m.item"
        " join rater w on w.id = m.rater and w.kind = 'person'"
        " left join rater r on r.id = m.made_by"
        " left join judged j on j.task = m.task and j.item = m.item and j.rater = m.rater"
        " order by m.seq"
    )
