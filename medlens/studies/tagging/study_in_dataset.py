"""The study as one object: the taxonomy, the task and the settings of one dataset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from medlens.config.host_and_address_values import ExistingPath
from medlens.config.question_forms_and_answer_checks import load_form
from medlens.config.settings import Section, Settings, TaskSettings
from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.errors import BadFile
from medlens.review import items
from medlens.review.hand_out_settings import default_hand_out_settings, hand_out_settings_in_force
from medlens.review.result_cache import cache_until_tables_grow
from medlens.review.tasks import HandOut, StudyTasks, Task
from medlens.store import Store
from medlens.studies.tagging import queries, tasks
from medlens.studies.tagging.taxonomy import Taxonomy, load_taxonomy


class TaggingSettings(Section):
    """The error-tagging study, and how its items are handed out (``[tasks.error_spans]`` overrides
    the last five).
    """

    taxonomy: ExistingPath = SHIPPED / "data/taxonomies/g4ue.toml"
    """The labels, their guideline and their rules, as a file."""
    forms: ExistingPath = SHIPPED / "data/forms"
    """The folder of the two questionnaires after the last item."""
    raters_per_item: int = Field(default=3, ge=1)
    """How many people judge each response."""
    items_per_rater: int = Field(default=20, ge=1)
    """How many responses each person is given."""
    lease_minutes: int = Field(default=120, ge=1)
    """How long an opened response is kept for the person who opened it."""
    gold_share: float = Field(default=0.1, ge=0, lt=1, strict=False)
    """The share of a person's responses whose labels are known, mixed in unseen."""
    seed: int = 20240601
    """The seed by which it is drawn who gets which responses."""

    @field_validator("taxonomy")
    @classmethod
    def _taxonomy_is_sound(cls, file: Path) -> Path:
        _require_readable(load_taxonomy, file)
        return file

    @field_validator("forms")
    @classmethod
    def _forms_are_sound(cls, folder: Path) -> Path:
        if not folder.is_dir():
            raise ValueError("a folder")
        for file in sorted(folder.glob("*.toml")):
            _require_readable(load_form, file)
        return folder

    def hand_out_settings_by_name(self) -> dict[str, Any]:
        """The settings for handing out items, by name."""
        return self.model_dump(include=set(TaskSettings.model_fields))


def _require_readable(read: Callable[[Path], object], file: Path) -> None:
    """Read a file when the settings are read, so that it is not every page that finds a fault.

    Raises:
        ValueError: it cannot be read; says its first fault.
    """
    try:
        read(file)
    except BadFile as error:
        fault = error.rows[0] if error.rows else error.message
        raise ValueError(f"a file without faults ({fault})") from error


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
    defaults = default_hand_out_settings(settings, tasks.NAME, own.hand_out_settings_by_name())
    return _study(store, own, defaults, dataset, changed)


# Every page needs it on every run; it changes only when somebody imports or sets something.
@cache_until_tables_grow("item", "task_setting", most=32)
def _study(
    store: Store, own: TaggingSettings, defaults: HandOut, dataset: str, _changed: int
) -> Study:
    dataset, illustrative = items.dataset_or_default_and_illustrative(store, tasks.STUDY, dataset)
    taxonomy = queries.taxonomy_of_dataset(store, dataset, own.taxonomy)
    return Study(
        dataset=dataset,
        illustrative=illustrative,
        taxonomy=taxonomy,
        task=tasks.make_error_spans_task(taxonomy, handing_out=own.hand_out_settings_by_name()),
        settings=hand_out_settings_in_force(store, tasks.NAME, dataset, defaults),
    )


TASKS = StudyTasks(
    tasks.STUDY,
    open_study,
    lambda study: (study.task,),
    TaggingSettings,
    {"judgments": lambda study: study.task},
)
