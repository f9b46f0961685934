"""The study as one thing: the taxonomy, the task and the settings of one dataset."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from medlens.config import settings as files
from medlens.review import items
from medlens.review import settings as given
from medlens.review.tasks import Settings, Task
from medlens.store import Store
from medlens.tagging import queries, tasks
from medlens.tagging.taxonomy import Taxonomy


@dataclass(frozen=True)
class Study:
    """Error tagging in one dataset. ``dataset`` is empty when there are no items at all."""

    dataset: str
    illustrative: bool
    taxonomy: Taxonomy
    task: Task
    settings: Settings


def open_study(store: Store, chosen: files.Settings, dataset: str = "") -> Study:
    """The study in ``dataset``, or in the one people work on unless told otherwise."""
    file = chosen.tagging.taxonomy
    changed = file.stat().st_mtime_ns if file.exists() else 0
    version = store.version("item", "task_setting")
    return _study(store, file, given.defaults_of(chosen, tasks.NAME), dataset, version, changed)


# Every page asks for it at every run, and it changes when somebody imports or sets something.
@lru_cache(maxsize=32)
def _study(
    store: Store, file: Path, defaults: Settings, dataset: str, _version: int, _changed: int
) -> Study:
    there = items.datasets(store, tasks.STUDY)
    known = {row["dataset"]: bool(row["illustrative"]) for row in there}
    if dataset not in known:
        dataset = next(iter(known), "")
    taxonomy = queries.taxonomy_of(store, dataset, file)
    return Study(
        dataset=dataset,
        illustrative=known.get(dataset, False),
        taxonomy=taxonomy,
        task=tasks.error_spans(taxonomy),
        settings=queries.settings_of(store, dataset, defaults),
    )
