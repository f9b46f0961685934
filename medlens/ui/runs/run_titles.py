"""The Runs page's words for things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medlens.errors import InvalidInput
from medlens.review import raters, renaming_and_name_translation
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.store import Store
from medlens.studies import registry

STATES = {
    "new": ("Not started", ":material/schedule:"),
    "running": ("Running", ":material/play_circle:"),
    "stopped": ("Stopped", ":material/pause_circle:"),
    "interrupted": ("Interrupted", ":material/power_off:"),
    "finished": ("Finished", ":material/check_circle:"),
    "unusable": ("Finished without a usable answer", ":material/error:"),
    "failed": ("Failed", ":material/error:"),
}
"""A run's state as shown to people, with its icon."""


def title_of_study(study: str) -> str:
    """A study's display name."""
    declared = registry.STUDIES.get(study)
    return (declared.title if declared else "") or study


def title_of_run_kind(study: str, kind: str) -> str:
    """What a run does, in words; the kind itself if no pipeline has it (any more)."""
    try:
        return registry.find_pipeline(study, kind).title
    except InvalidInput:
        return kind


def title_of_run(store: Store, run: Mapping[str, Any]) -> str:
    """What a run is called: what it does, unless a lead gave it a name."""
    thing = Thing("run", str(run["study"]), "", str(run["id"]))
    return renaming_and_name_translation.find_name_given_to_thing(
        store, thing
    ) or title_of_run_kind(run["study"], run["kind"])


def people_names_by_id(store: Store) -> dict[str, str]:
    """People's names by id, to show who started a run."""
    return {rater.id: rater.name for rater in raters.list_raters(store)}
