"""When a lead was last on Home, and what others have done since."""

from __future__ import annotations

from datetime import datetime, timedelta

from medlens.review import judging
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import PersonalForm
from medlens.store import Store, new_id, utc_now

LASTS = timedelta(minutes=30)
"""A return within this time belongs to the same visit."""

_VISIT = PersonalForm(name="visit")
_TOLD = (
    *("import", "settings", "round", "role", "exclusion", "return", "hand_on", "guideline"),
    *("invitation", "withdrawal", "correction", "archive"),
)


def record_visit_and_return_previous(
    store: Store, person: Rater, *, now: datetime | None = None
) -> datetime | None:
    """Note a person's arrival; returns when their previous visit began, None on the first."""
    rows = store.rows(
        "select made_at, revision from draft where task = $task and rater = $rater"
        " order by revision desc limit 2",
        task=_VISIT.name,
        rater=person.id,
    )
    begun = [at for at, _ in rows]
    if begun and (now or utc_now()) - begun[0] < LASTS:
        return begun[1] if len(begun) > 1 else None
    judging.save_draft(
        store,
        _VISIT,
        item=_VISIT.name,
        rater=person.id,
        base=rows[0][1] if rows else 0,
        token=new_id(),
        body={},
    )
    return begun[0] if begun else None


def change_counts_by_kind_since(store: Store, *, since: datetime, viewer: Rater) -> dict[str, int]:
    """How often others did something since, by kind: judgment (a person's first on an item), flag,
    unclear (a question about the guideline), and kinds of the audit log.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.rows(
        "select 'judgment', count(*) from judgment j"
        " anti join practice_now p on p.task = j.task and p.item = j.item"
        " where revision = 1 and origin = 'app' and made_at >= $since and rater <> $me"
        " union all select kind, count(*) from assignment_event"
        " where kind = 'flag' and made_at >= $since and rater <> $me group by kind"
        " union all select kind, count(*) from remark"
        " where kind = 'unclear' and made_at >= $since and made_by <> $me group by kind"
        " union all select kind, count(*) from audit"
        " where kind in $told and made_at >= $since and who <> $me group by kind",
        since=since,
        me=viewer.id,
        told=list(_TOLD),
    )
    return {kind: int(many) for kind, many in rows if many}
