"""SQL of the visits that people play: each a run, and a log of its events."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from medlens.store import Store
from medlens.studies.agentclinic import tasks
from medlens.studies.agentclinic.records import CASE_KIND, STUDY

KIND = "visit"


def find_visit_row_with_configuration(store: Store, run: str) -> dict[str, Any] | None:
    """One visit: id, config, made_at."""
    row = store.find_first_row_as_dict(
        "select id, config, made_at from run where id = $run and study = $study and kind = $kind",
        run=run,
        study=STUDY,
        kind=KIND,
    )
    return None if row is None else {**row, "config": json.loads(row["config"])}


def list_visits_newest_first(
    store: Store, dataset: str, *, rater: str | None = None
) -> list[dict[str, Any]]:
    """The visits of a dataset, newest first; with ``rater``, only that one's.

    Each: id, config, made_at, events (how many), ended (``ended``, ``given_up`` or
    empty), body (of what ended it), changed_at.
    """
    own = "" if rater is None else " and (r.config->>'rater') = $rater"
    rows = store.query_rows_as_dicts(
        "select r.id, r.config, r.made_at, count(e.n) as events,"
        " coalesce(max(e.kind) filter (e.kind in ('ended', 'given_up')), '') as ended,"
        " coalesce(max(cast(e.body as varchar)) filter (e.kind = 'ended'), '{}') as body,"
        " coalesce(max(e.made_at), r.made_at) as changed_at"
        " from run r left join visit_event e on e.run = r.id"
        " where r.study = $study and r.kind = $kind"
        f" and (r.config->>'dataset') = $dataset{own}"
        " group by r.id, r.config, r.made_at, r.seq order by r.seq desc",
        study=STUDY,
        kind=KIND,
        dataset=dataset,
        **({} if rater is None else {"rater": rater}),
    )
    return [
        {**row, "config": json.loads(row["config"]), "body": json.loads(row["body"])}
        for row in rows
    ]


def list_events_of_visit(store: Store, run: str) -> list[dict[str, Any]]:
    """What happened in a visit, in order: n, kind, body."""
    return [
        {"n": n, "kind": kind, "body": json.loads(body)}
        for n, kind, body in store.rows(
            "select n, kind, body from visit_event where run = $run order by n", run=run
        )
    ]


def dialogue_name_of_visit(store: Store, run: str) -> str:
    """The name of the dialogue that a visit became; empty if it has not finished."""
    found = store.rows(
        "select body->>'dialogue' from visit_event where run = $run and kind = 'ended'", run=run
    )
    return str(found[0][0]) if found else ""


def append_visit_event(store: Store, run: str, n: int, kind: str, body: Mapping[str, Any]) -> None:
    """Append a visit's n-th event; durable on return.

    Raises:
        Conflict: the visit was continued elsewhere.
    """
    store.append("visit_event", {"run": run, "n": n, "kind": kind, "body": dict(body)})


def find_names_of_cases_person_knows(store: Store, dataset: str, rater: str) -> set[str]:
    """Names of the cases whose truth this person may have seen: they were given a dialogue of one
    to judge, or have opened one.
    """
    return set(
        store.column(
            "select distinct i.body->>'case' from item_known i where i.study = $study"
            " and i.dataset = $dataset and i.kind <> $kind and i.id in ("
            " select item from assignment where rater = $rater and task in $tasks union"
            " select item from judgment where rater = $rater and task in $tasks union"
            " select item from reveal where rater = $rater and task in $tasks)",
            study=STUDY,
            dataset=dataset,
            kind=CASE_KIND,
            rater=rater,
            tasks=list(tasks.TASKS),
        )
    )
