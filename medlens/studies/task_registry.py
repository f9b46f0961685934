"""What raters are asked in each study, for those who need nothing else of the studies.

``registry`` has all of it, and takes half of the time of a short command to load.
"""

from __future__ import annotations

from medlens.config.settings import SECTIONS
from medlens.review.tasks import StudyTasks
from medlens.studies.agentclinic.study import TASKS as AGENTCLINIC
from medlens.studies.ebmqa.study import TASKS as EBMQA
from medlens.studies.own.study import TASKS as OWN
from medlens.studies.sourcecheckup.study import TASKS as SOURCECHECKUP
from medlens.studies.tagging.study import TASKS as TAGGING

STUDY_TASKS: dict[str, StudyTasks] = {}
"""The tasks of the studies by their names; ``registry.register_study`` adds those of other
distributions.
"""


def register_tasks(study: StudyTasks) -> None:
    """Add the tasks of a study, and its section to those that the settings file may have."""
    STUDY_TASKS[study.study] = study
    if study.settings:
        SECTIONS[study.study] = study.settings


for _study in (TAGGING, AGENTCLINIC, SOURCECHECKUP, EBMQA, OWN):
    register_tasks(_study)
