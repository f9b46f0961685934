"""The study as one object: the taxonomy, the task and the settings of one dataset."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from medlens.config.settings import Settings
from medlens.review import items
from medlens.review.hand_out import defaults_of, settings_of
from medlens.review.tasks import HandOut, Task
from medlens.store import Store
from medlens.studies.tagging import queries, tasks
from medlens.studies.tagging.settings import TaggingSettings
from medlens.studies.tagging.taxonomy import Taxonomy


@dataclass(frozen=True)
class Study:
    """Error tagging in one dataset. ``dataset`` is empty if there are no items at all."""

    dataset: str
    illustrative: bool
    taxonomy: Taxonomy
    task: Task
    settings: HandOut


def open_study(store: Store, settings: Settings, dataset: str = "") -> Study:
    """The study in ``dataset``, by default the one people work on."""
    own = settings.of(TaggingSettings)
    changed = own.taxonomy.stat().st_mtime_ns if own.taxonomy.exists() else 0
    version = store.version("item", "task_setting")
    defaults = defaults_of(settings, tasks.NAME, own.handing_out())
    return _study(store, own, defaults, dataset, version, changed)


# Every page needs it on every run; it changes only when somebody imports or sets something.
@lru_cache(maxsize=32)
def _study(
    store: Store,
    own: TaggingSettings,
    defaults: HandOut,
    dataset: str,
    _version: int,
    _changed: int,
) -> Study:
    dataset, illustrative = items.opened(store, tasks.STUDY, dataset)
    taxonomy = queries.taxonomy_of(store, dataset, own.taxonomy)
    return Study(
        dataset=dataset,
        illustrative=illustrative,
        taxonomy=taxonomy,
        task=replace(tasks.error_spans(taxonomy), handing_out=own.handing_out()),
        settings=settings_of(store, tasks.NAME, dataset, defaults),
    )
