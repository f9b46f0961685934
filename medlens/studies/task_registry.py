"""What raters are asked in each study, for those who need nothing else of the studies, each loaded
when it is first asked for.

``registry`` has all of the studies, and takes half of the time of a short command to load.
"""

from __future__ import annotations

from collections.abc import Callable

from medlens.config.settings import SECTIONS
from medlens.review.tasks import StudyTasks

STUDY_TASKS: dict[str, StudyTasks] = {}
"""The tasks of the studies that are loaded, by their names; ``registry.register_study`` adds those
of other distributions.
"""

JUDGMENT_FILES = {
    "judgments": ("tagging", "sourcecheckup"),
    "ratings": ("agentclinic",),
    "answer-judgments": ("sourcecheckup",),
    "statement-checks": ("sourcecheckup",),
    "question-checks": ("sourcecheckup",),
    "own-judgments": ("own",),
}
"""Which of the shipped studies have an export with a row for each judgment (``judgment_files``), by
its name: to know it, none need be loaded.
"""

NESTED = ("dialogues",)
"""Tables whose cells hold lists: for JSON lines and Parquet, not for CSV."""

OF_NO_DATASET = ("surveys",)
"""Kinds of files whose rows belong to people and count for every dataset."""


def register_tasks(study: StudyTasks) -> None:
    """Add the tasks of a study, and its section to those that the settings file may have."""
    STUDY_TASKS[study.study] = study
    if study.settings:
        SECTIONS[study.study] = study.settings


def find_task_set_of_study(study: str) -> StudyTasks | None:
    """The tasks of a study by its name; None if there is no such study."""
    if study not in STUDY_TASKS and study in _SHIPPED:
        register_tasks(_SHIPPED[study]())
    return STUDY_TASKS.get(study)


def _tagging() -> StudyTasks:
    from medlens.studies.tagging.study_in_dataset import TASKS

    return TASKS


def _agentclinic() -> StudyTasks:
    from medlens.studies.agentclinic.study_in_dataset import TASKS

    return TASKS


def _sourcecheckup() -> StudyTasks:
    from medlens.studies.sourcecheckup.study_in_dataset import TASKS

    return TASKS


def _ebmqa() -> StudyTasks:
    from medlens.studies.ebmqa.study_in_dataset import TASKS

    return TASKS


def _own() -> StudyTasks:
    from medlens.studies.own.study import TASKS

    return TASKS


_SHIPPED: dict[str, Callable[[], StudyTasks]] = {
    "tagging": _tagging,
    "agentclinic": _agentclinic,
    "sourcecheckup": _sourcecheckup,
    "ebmqa": _ebmqa,
    "own": _own,
}
