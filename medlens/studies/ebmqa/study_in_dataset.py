"""The task and settings of EBMQA in one dataset."""

from __future__ import annotations

from dataclasses import dataclass

from medlens.review import items
from medlens.review.tasks import StudyTasks, Task
from medlens.store import Store
from medlens.studies.ebmqa import tasks
from medlens.studies.ebmqa.records import STUDY

DEFAULT_DATASET = "ebmqa"


@dataclass(frozen=True)
class Study:
    """EBMQA in one dataset. ``dataset`` is empty if there are no questions at all."""

    dataset: str
    illustrative: bool
    task: Task


def open_study(store: Store, dataset: str = "") -> Study:
    """The study in ``dataset``, by default in the dataset that people are working on."""
    return Study(
        *items.dataset_or_default_and_illustrative(store, STUDY, dataset), tasks.QuestionnaireTask()
    )


TASKS = StudyTasks(
    STUDY, lambda store, settings, dataset: open_study(store, dataset), lambda study: (study.task,)
)
