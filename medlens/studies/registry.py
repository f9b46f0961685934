"""The registry: the studies and what their files are called. Nothing else lists them."""

from __future__ import annotations

from functools import partial

from medlens.config.settings import Settings
from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import Pipeline
from medlens.review import (
    audit_log,
    consensus,
    crowd_platforms_and_worker_ids_of_rounds,
    items,
    remarks_between_raters_and_leads,
    withdrawn_items,
)
from medlens.review.raters import Rater
from medlens.review.tasks import StudyTasks, Task
from medlens.store import Store
from medlens.studies.agentclinic.registration import STUDY as AGENTCLINIC
from medlens.studies.ebmqa.registration import STUDY as EBMQA
from medlens.studies.own.registration import STUDY as OWN
from medlens.studies.sourcecheckup.registration import STUDY as SOURCECHECKUP
from medlens.studies.study_definition import Exporter, Package, Study
from medlens.studies.tagging.registration import STUDY as TAGGING
from medlens.studies.task_registry import find_task_set_of_study, register_tasks
from medlens.tables import Kind


def _crowd(store: Store, *, settings: Settings, viewer: Rater | None) -> pd.DataFrame:
    """``crowd_platforms_and_worker_ids_of_rounds.crowd_sessions_table`` of the tasks of all
    studies.
    """
    return crowd_platforms_and_worker_ids_of_rounds.crowd_sessions_table(
        crowd_platforms_and_worker_ids_of_rounds.list_crowd_sessions(
            store, viewer=viewer, task_of=partial(find_task_by_name, store, settings)
        )
    )


COMMON: dict[str, tuple[str, Exporter]] = {
    "audit": ("The audit log: who was let in, and what leads did", audit_log.entries_table),
    "adjudications": (
        "What adjudicators decided in all tasks, including earlier decisions",
        consensus.all_adjudications_table,
    ),
    "crowd": (
        "Who came from crowd platforms, what they did and how their completion code stands,"
        " by round",
        _crowd,
    ),
    "remarks": (
        "What raters flagged, asked and commented on, what leads answered, and what was returned",
        remarks_between_raters_and_leads.all_remarks_table,
    ),
    "withdrawn_items": (
        "Items that leads have withdrawn, with why, and as they were",
        withdrawn_items.withdrawn_items_table,
    ),
}
"""Tables that belong to no study: what they are, and who makes them."""

STUDIES: dict[str, Study] = {}
"""The studies, by the name that items carry."""

IMPORTS: dict[str, Kind] = {}
"""Every kind of file that can be imported."""

EXPORTS: dict[str, str] = {kind: title for kind, (title, _) in COMMON.items()}
"""Every table that can be exported, and what it is."""


PACKAGES: dict[str, Package] = {}
"""Every file for another tool that can be exported."""


def register_study(study: Study) -> None:
    """Add a study to those that every page, every export and the command line know."""
    STUDIES[study.name] = study
    known = find_task_set_of_study(study.name)
    files = known.judgment_files if known else {}
    register_tasks(StudyTasks(study.name, study.open, study.tasks, study.settings, files))
    IMPORTS.update(study.imports)
    PACKAGES.update(study.packages)
    EXPORTS.update({kind: title for kind, (title, _) in study.exports.items()})


for _study in (TAGGING, AGENTCLINIC, SOURCECHECKUP, EBMQA, OWN):
    register_study(_study)


def find_pipeline(study: str, name: str) -> Pipeline:
    """A pipeline by its study and name.

    Raises:
        InvalidInput: there is no such pipeline.
    """
    known = [one for declared in STUDIES.values() for one in declared.pipelines]
    for one in known:
        if (one.study, one.name) == (study, name):
            return one
    names = ", ".join(f"{one.study} {one.name}" for one in known)
    raise InvalidInput(f"There is no run {study} {name}.", hint=f"There are: {names}.")


def find_task_by_name(store: Store, settings: Settings, task: str, dataset: str) -> Task | None:
    """A task by its name, as it is on a dataset; None if no study has both."""
    for declared in STUDIES.values():
        # Completion codes of a round stay valid when it is archived.
        there = items.datasets_of_study(store, declared.name, archived=True)
        if any(row["dataset"] == dataset for row in there):
            for one in declared.tasks(declared.open(store, settings, dataset)):
                if one.name == task:
                    return one
    return None


def study_name_of_file_kind(kind: str, study: str = "") -> str:
    """The study that a kind of file belongs to; ``study`` decides if several have it.

    Raises:
        InvalidInput: no study has it, or the named one does not.
    """
    return study_names_of_file_kind(kind, study)[0]


def study_names_of_file_kind(kind: str, study: str = "") -> list[str]:
    """The studies that have a kind of file, in order; only ``study`` if it is named.

    Raises:
        InvalidInput: as ``study_name_of_file_kind``.
    """
    having = [
        name
        for name, declared in STUDIES.items()
        if kind in {**declared.imports, **declared.exports, **declared.packages}
    ]
    if not having:
        raise InvalidInput(
            f"There is no kind of file called {kind!r}.",
            hint=f"Use one of: {', '.join(dict.fromkeys([*IMPORTS, *EXPORTS]))}.",
        )
    if study and study not in having:
        raise InvalidInput(f"{study} has no {kind}.", hint=f"Name {' or '.join(having)}.")
    return [study] if study else having
