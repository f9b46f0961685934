"""How far the work on a task is: by item and by person."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from medlens.review.ledger import ledger
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.store import Store


def coverage(store: Store, task: Task, *, dataset: str) -> list[tuple[int, int]]:
    """How many of the items that can be judged have 0, 1, 2 … people's judgments, as pairs.

    Models are raters too, but the work to be done is people's.
    """
    pool = ledger(store, task.name).pool(
        store, study=task.study, kind=task.item_kind, dataset=dataset, requires=task.requires
    )
    judged = dict(
        store.rows(
            "select j.item, count(distinct j.rater) from judgment j"
            " join rater r on r.id = j.rater and r.kind = 'person'"
            " join item i on i.id = j.item and i.dataset = $dataset"
            " where j.task = $task group by j.item",
            task=task.name,
            dataset=dataset,
        )
    )
    return sorted(Counter(int(judged.get(item, 0)) for item in pool.ids).items())


def by_rater(store: Store, task: Task, *, dataset: str, viewer: Rater) -> pd.DataFrame:
    """Work by rater: rater, judged, open, skipped, flagged, active minutes, last seen (leads).

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return store.read(
        "select r.name as rater, r.origin, count(*) filter (a.judged) as judged,"
        " count(*) filter (not a.judged and a.state = 'open') as open,"
        " count(*) filter (not a.judged and a.state = 'skip') as skipped,"
        " count(*) filter (not a.judged and a.state = 'flag') as flagged,"
        " round(sum(j.active_seconds) / 60, 1) as minutes, max(j.made_at) as last_seen"
        " from assignment_now a join item i on i.id = a.item join rater r on r.id = a.rater"
        " left join judgment_now j on j.task = a.task and j.item = a.item and j.rater = a.rater"
        " where a.task = $task and i.dataset = $dataset group by all order by judged desc, rater",
        task=task.name,
        dataset=dataset,
    )
