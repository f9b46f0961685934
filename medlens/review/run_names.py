"""What people call the runs that models' answers come from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from medlens.store import Store


def list_configurations_of_runs(store: Store, wanted: Sequence[str]) -> list[dict[str, Any]]:
    """id, kind, config and made_at of these runs."""
    rows = store.query_rows_as_dicts(
        "select id, kind, config, made_at from run where id in $wanted", wanted=list(wanted)
    )
    return [{**row, "config": json.loads(row["config"])} for row in rows]


def list_models_in_run_configuration(config: Mapping[str, Any]) -> list[str]:
    """The models that a run's configuration names."""
    given = config.get("models") or config.get("model") or list(config.get("judges", ()))
    return [given] if isinstance(given, str) else [str(name) for name in given]


def names_of_runs_by_id(store: Store, wanted: Iterable[str]) -> dict[str, str]:
    """What people call these runs, the newest first: when they started, and their models.

    If two runs would have the same name, the end of their id is added. For runs that are not in the
    store (answers can come from elsewhere) the id is the name; they come last.
    """
    ids = sorted({run for run in wanted if run}, reverse=True)
    called = {
        row["id"]: ", ".join(
            [f"{row['made_at']:%Y-%m-%d %H:%M}", *list_models_in_run_configuration(row["config"])]
        )
        for row in list_configurations_of_runs(store, ids)
    }
    often = Counter(called.values())
    here = sorted(called, key=lambda run: (called[run], run), reverse=True)
    return {
        **{
            run: called[run] if often[called[run]] == 1 else f"{called[run]} ({run[-6:]})"
            for run in here
        },
        **{run: run for run in reversed(ids) if run not in called},
    }
