"""The SQL for models: completions, attempts, runs and the outcomes of their jobs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from medlens.deferred_module import pd
from medlens.llm.job_batch_progress_and_report import UNUSABLE
from medlens.store import Lookup, Store

_ANSWER = (
    "select id, outcome, text, reasoning, finish_reason, served_model, input_tokens,"
    " output_tokens, cost, seconds, name from completion"
)


def find_completion_with_id(store: Store, id: str) -> dict[str, Any] | None:
    """One stored completion by id."""
    return store.find_first_row_as_dict(f"{_ANSWER} where id = $id", id=id)


def stored_completion_ids_of_models(store: Store, models: Sequence[tuple[str, str]]) -> set[str]:
    """The ids of all completions of these models, each ``(base_url, model)``."""
    found: set[str] = set()
    for base_url, model in models:
        found.update(
            store.column(
                "select id from completion where base_url = $base_url and model = $model",
                base_url=base_url,
                model=model,
            )
        )
    return found


def sum_known_cost_of_run(store: Store, run: str) -> float:
    """What a run has cost so far, counting only calls with known prices; those that the endpoint
    broke off after it had begun to answer cost too.
    """
    cost = store.value(
        "select (select coalesce(sum(cost), 0) from completion where run = $run)"
        " + (select coalesce(sum(cost), 0) from completion_attempt where run = $run)",
        run=run,
    )
    return float(cost)


# -- runs --------------------------------------------------------------------------------------


def find_unfinished_run_id(store: Store, *, study: str, kind: str, digest: str) -> str | None:
    """The newest run of this configuration that has not finished."""
    found = store.rows(
        "select id from run_now where study = $study and kind = $kind and digest = $digest"
        " and (state <> 'finished' or failed > 0)"
        " and id not in (select name from archived_now where kind = 'run')"
        " order by seq desc limit 1",
        study=study,
        kind=kind,
        digest=digest,
    )
    return str(found[0][0]) if found else None


def find_run_as_dict(store: Store, id: str) -> dict[str, Any] | None:
    """The current state of one run, with its configuration."""
    return _parsed(store.find_first_row_as_dict("select * from run_now where id = $id", id=id))


def list_current_runs(
    store: Store, *, study: str, limit: int, offset: int, archived: bool = False
) -> list[dict[str, Any]]:
    """The current state of all runs, newest first, without (or with) ``archived`` ones; an empty
    ``study`` means all studies.

    ``unusable`` counts the jobs of ``done`` without a usable answer.
    """
    rows = store.query_rows_as_dicts(
        "select r.*, coalesce(n.jobs, 0) as unusable from run_now r left join ("
        "  select run, count(*) as jobs from run_item_now where outcome in $unusable"
        " or coalesce(body->>'unusable', '') <> '' group by run"
        " ) n on n.run = r.id where ($study = '' or r.study = $study)"
        " and ($archived or r.id not in (select name from archived_now where kind = 'run'))"
        " order by r.seq desc limit $limit offset $offset",
        study=study,
        unusable=list(UNUSABLE),
        archived=archived,
        limit=limit,
        offset=offset,
    )
    return [parsed for row in rows if (parsed := _parsed(row)) is not None]


def _parsed(row: dict[str, Any] | None) -> dict[str, Any] | None:
    if row is not None:
        row["config"] = json.loads(row["config"])
        row["counts"] = json.loads(row["counts"] or "{}")
    return row


def list_events_of_run(store: Store, run: str) -> list[dict[str, Any]]:
    """What happened to a run, oldest first: kind, reason, counts, made_at."""
    rows = store.query_rows_as_dicts(
        "select kind, reason, body, made_at from run_event"
        " where run = $run and kind <> 'asked' order by seq",
        run=run,
    )
    return [{**row, "counts": json.loads(row.pop("body"))} for row in rows]


def find_last_order_of_run_as_dict(store: Store, run: str) -> dict[str, Any] | None:
    """What a run was last started with."""
    found = store.rows(
        "select body from run_event where run = $run and kind = 'asked' order by seq desc limit 1",
        run=run,
    )
    body: dict[str, Any] | None = json.loads(found[0][0]) if found else None
    return body


class JobOutcome(NamedTuple):
    """How a job has ended; ``unusable`` is as in ``resumable_concurrent_jobs.Result``."""

    outcome: str
    unusable: str
    revision: int


def job_outcomes_by_key(store: Store, run: str) -> dict[str, JobOutcome]:
    """The jobs of a run that have an outcome, by key."""
    return {
        job: JobOutcome(*found)
        for job, *found in store.rows(
            "select job, outcome, coalesce(body->>'unusable', ''), revision from run_item_now"
            " where run = $run",
            run=run,
        )
    }


_RESULTS_OF_JOBS = Lookup(
    "run_queries.results_of_jobs",
    "select i.run, i.job, i.outcome, i.body, r.config, i.made_at as at, i.seq"
    " from run_item_now i join run r on r.id = i.run"
    " where r.study = $study and r.kind = $kind and ($run = '' or r.id = $run)"
    " and ($dataset = '' or (r.config->>'dataset') = $dataset)"
    " and ($outcome = '' or i.outcome = $outcome) order by i.seq",
)


def list_job_results_of_run_kind(
    store: Store,
    *,
    study: str,
    kind: str,
    dataset: str | None = None,
    run: str | None = None,
    outcome: str = "",
) -> list[dict[str, Any]]:
    """The results of the jobs of a study's runs of one kind, in the order they were recorded.

    Each: run, job, outcome, body, config (of the run), at, seq. ``dataset`` is one named in the
    run's configuration; an empty ``outcome`` means all.
    """
    rows = store.query_rows_as_dicts(
        _RESULTS_OF_JOBS,
        study=study,
        kind=kind,
        dataset=dataset or "",
        run=run or "",
        outcome=outcome,
    )
    configs: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        text = row.pop("config")
        row["config"] = configs.setdefault(row["run"], json.loads(text))
        row["body"] = json.loads(row["body"])
    return rows


def job_counts_by_outcome(store: Store, run: str) -> dict[str, int]:
    """How many jobs of a run had each outcome, most frequent first."""
    return {
        outcome: int(n)
        for outcome, n in store.rows(
            "select outcome, count(*) from run_item_now where run = $run"
            " group by outcome order by 2 desc, 1",
            run=run,
        )
    }


def table_of_jobs_on_one_page(
    store: Store, run: str, *, outcome: str, limit: int, offset: int
) -> pd.DataFrame:
    """Jobs of a run in the order they ended: job, outcome, calls, error_class, error, made_at.

    An empty ``outcome`` means all.
    """
    return store.read(
        "select job, outcome, calls, coalesce(body->>'error_class', '') as error_class,"
        " coalesce(body->>'error', '') as error, made_at from run_item_now"
        " where run = $run and ($outcome = '' or outcome = $outcome)"
        " order by seq limit $limit offset $offset",
        run=run,
        outcome=outcome,
        limit=limit,
        offset=offset,
    )


def list_completions_of_job(store: Store, run: str, job: str) -> list[dict[str, Any]]:
    """The stored answers behind a job, in the order it got them, in full."""
    row = store.find_first_row_as_dict(
        "select body from run_item_now where run = $run and job = $job", run=run, job=job
    )
    ids: list[str] = json.loads(row["body"]).get("completions", []) if row else []
    if not ids:
        return []
    found = {
        one["id"]: one
        for one in store.query_rows_as_dicts("select * from completion where id in $ids", ids=ids)
    }
    return [found[id] for id in dict.fromkeys(ids) if id in found]


def outcome_and_result_of_job(store: Store, run: str, job: str) -> tuple[str, dict[str, Any]]:
    """A job's last outcome and what its study keeps of it; ``("", {})`` if it has none."""
    row = store.find_first_row_as_dict(
        "select outcome, body from run_item_now where run = $run and job = $job", run=run, job=job
    )
    return (row["outcome"], json.loads(row["body"])) if row else ("", {})


def failed_attempts_table(store: Store, run: str) -> pd.DataFrame:
    """Attempts of a run without an answer: name, error_class, status, attempts, detail, last."""
    return store.read(
        "select name, error_class, status, count(*) as attempts, arg_max(detail, made_at) as"
        " detail, max(made_at) as last from completion_attempt where run = $run"
        " group by name, error_class, status order by attempts desc",
        run=run,
    )


def usage_by_model_table(store: Store, run: str) -> pd.DataFrame:
    """What a run asked of each model: name, served_model, calls, tokens in and out, seconds,
    cost.

    ``seconds`` is the median over calls; ``cost`` is empty if a price is unknown.
    """
    return store.read(
        "select name, served_model, count(*) as calls, sum(input_tokens) as input_tokens,"
        " sum(output_tokens) as output_tokens, median(seconds) as seconds,"
        " case when count(cost) = count(*) then sum(cost) end as cost from completion"
        " where run = $run group by name, served_model order by name, calls desc",
        run=run,
    )


def count_runs(store: Store, *, study: str) -> int:
    """The number of runs that are not archived; an empty ``study`` means all studies."""
    n = store.value(
        "select count(*) from run where ($study = '' or study = $study)"
        " and id not in (select name from archived_now where kind = 'run')",
        study=study,
    )
    return int(n)


def endpoint_batch_jobs_of_run(store: Store, run: str) -> list[dict[str, Any]]:
    """Batch jobs that a run handed to an endpoint, as last seen."""
    rows = store.query_rows_as_dicts(
        "select name, digest, batch, state, body from remote_batch_now where run = $run", run=run
    )
    return [{**row, "body": json.loads(row["body"])} for row in rows]
