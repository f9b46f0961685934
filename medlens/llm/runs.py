"""Runs: one execution of a model pipeline, with its configuration and what happened to it.

A run is appended once, its events after it. The same configuration again continues the newest run
that has not finished, so that a second start pays for nothing twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from medlens.errors import InvalidInput
from medlens.llm import queries
from medlens.store import Row, Store, new_id, utc_now

EventKind = Literal["started", "progress", "stopped", "finished", "failed"]
HEARTBEAT = 10.0
"""Seconds between two notes of progress in the store."""

_SILENT = timedelta(seconds=6 * HEARTBEAT)


def open_run(
    store: Store, *, study: str, kind: str, config: Mapping[str, Any], made_by: str
) -> str:
    """The id of the run to go on with, or of a new one. ``config`` must say all that matters."""
    text = json.dumps(config, ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    there = queries.unfinished(store, study=study, kind=kind, digest=digest)
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


def event_row(run: str, kind: EventKind, counts: Mapping[str, Any], *, reason: str = "") -> Row:
    """An event as a row to append."""
    return {"id": new_id(), "run": run, "kind": kind, "reason": reason, "body": dict(counts)}


def require(store: Store, run: str) -> dict[str, Any]:
    """A run as it stands.

    Raises:
        InvalidInput: there is no such run.
    """
    found = queries.run(store, run)
    if found is None:
        raise InvalidInput("There is no such run.", hint="Open it from the list of runs again.")
    return found


def state_of(run: Mapping[str, Any], *, now: datetime | None = None) -> str:
    """What to call a run's state: new, running, interrupted, stopped, finished or failed.

    One that was killed could not say so: it is ``interrupted`` when it has been silent for a
    minute.
    """
    if run["state"] not in ("started", "progress"):
        return str(run["state"])
    silent: timedelta = (now or utc_now()) - run["seen_at"]
    return "interrupted" if silent > _SILENT else "running"
