"""The SQL of merged sources: models' verdicts on them, also in the form of a file."""

from __future__ import annotations

import pandas as pd

from medlens.store import Store
from medlens.studies.sourcecheckup.models import MERGED_KIND, STUDY
from medlens.studies.sourcecheckup.tasks import MERGED

_ITEMS = (
    "select id, seq, illustrative, body->>'$.statement' as statement,"
    " json_array_length(body->'$.sources') as sources, row_number() over"
    " (partition by body->>'$.statement' order by seq desc) = 1 as newest"
    " from item where study = $study and kind = $kind and dataset = $dataset"
)
"""All sets of sources that a statement was held against; the newest is the one that counts."""


def verdicts(store: Store, dataset: str) -> pd.DataFrame:
    """Models' verdicts on statements' newest sets of sources: statement (name), rater, verdict.

    Verdicts on older sets are left out: a source that became readable since makes a new set.
    """
    return store.read(
        f"with merged as ({_ITEMS}) select s.name as statement, t.name as rater,"
        " coalesce(j.body->>'$.verdict', '') as verdict from judgment_now j"
        " join merged m on m.id = j.item and m.newest join rater t on t.id = j.rater"
        " join sc_statement s on s.id = m.statement"
        " where j.task = $task and t.kind = 'model' order by m.seq, t.handle",
        task=MERGED,
        study=STUDY,
        kind=MERGED_KIND,
        dataset=dataset,
    )


def table(store: Store, dataset: str) -> pd.DataFrame:
    """One row per verdict that counts: statement_id, rater, verdict, reason, quote, seconds, …"""
    return store.read(
        f"with merged as ({_ITEMS}) select s.name as statement_id, t.name as rater,"
        " coalesce(j.body->>'$.verdict', '') as verdict,"
        " coalesce(j.body->>'$.reason', '') as reason, coalesce(j.body->>'$.quote', '') as quote,"
        " j.active_seconds as seconds, m.sources, s.statement, r.name as response_id, r.model,"
        " $dataset as dataset, m.illustrative"
        " from judgment_now j join merged m on m.id = j.item and m.newest"
        " join rater t on t.id = j.rater join sc_statement s on s.id = m.statement"
        " join sc_response r on r.id = s.response"
        " where j.task = $task and t.kind = 'model' order by s.seq, t.handle",
        task=MERGED,
        study=STUDY,
        kind=MERGED_KIND,
        dataset=dataset,
    )
