"""Runs: one execution of a model pipeline, with its configuration and what happened to it.

A run is appended once, its events after it. Starting the same configuration again continues the
newest unfinished run, so nothing is paid for twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries
from medlens.llm.job_batch_progress_and_report import NO_USABLE_ANSWER
from medlens.store import Row, Store, new_id, utc_now

EventKind = Literal["started", "progress", "stopped", "finished", "failed"]
HEARTBEAT = 10.0
"""Seconds between two notes of progress in the store."""

_SILENT = timedelta(seconds=6 * HEARTBEAT)


def open_or_resume_run_and_return_id(
    store: Store, *, study: str, kind: str, config: Mapping[str, Any], made_by: str
) -> str:
    """The id of the run to continue, or of a new one. ``config`` must contain everything that
    matters.
    """
    text = json.dumps(config, ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    there = completion_run_and_job_queries.find_unfinished_run_id(
        store, study=study, kind=kind, digest=digest
    )
    if there is not None:
        return there
    id = new_id()
    store.append(
        "run",
        {
            "id": id,
            "study": study,
            "kind": kind,
            "config": dict(config),
            "digest": digest,
            "made_by": made_by,
        },
    )
    return id


def make_run_event_row(
    run: str, kind: EventKind, counts: Mapping[str, Any], *, reason: str = ""
) -> Row:
    """An event as a row to append."""
    return {"id": new_id(), "run": run, "kind": kind, "reason": reason, "body": dict(counts)}


def load_run_or_refuse(store: Store, run: str) -> dict[str, Any]:
    """The current state of a run.

    Raises:
        InvalidInput: there is no such run.
    """
    found = completion_run_and_job_queries.find_run_as_dict(store, run)
    if found is None:
        raise InvalidInput("There is no such run.", hint="Open it from the list of runs again.")
    return found


def current_state_name_of_run(run: Mapping[str, Any], *, now: datetime | None = None) -> str:
    """The name of a run's state: new, running, interrupted, stopped, finished, failed, or unusable
    if it has finished and no answer could be used.

    A killed run cannot report it, so a run is ``interrupted`` after a minute of silence.
    """
    if run["state"] == "finished" and str(run["reason"] or "").startswith(NO_USABLE_ANSWER):
        return "unusable"
    if run["state"] not in ("started", "progress"):
        return str(run["state"])
    silent: timedelta = (now or utc_now()) - run["seen_at"]
    return "interrupted" if silent > _SILENT else "running"
