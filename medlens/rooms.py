"""The four studies in one list: their files, tasks, pipelines and demos."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from medlens.agentclinic import exports as clinic_exports
from medlens.agentclinic import imports as clinic_imports
from medlens.agentclinic.demo import add_demo as add_clinic
from medlens.agentclinic.demo import load_demo as load_clinic
from medlens.agentclinic.pipelines import PIPELINES as CLINIC_PIPELINES
from medlens.agentclinic.study import DEFAULT_DATASET
from medlens.agentclinic.study import open_study as open_clinic
from medlens.ebmqa import files as ebmqa_files
from medlens.ebmqa.answers.files import IMPORTS as EBMQA_ANSWERS
from medlens.ebmqa.demo import add_demo as add_ebmqa
from medlens.ebmqa.making import MAKING
from medlens.ebmqa.pipelines import PIPELINES as EBMQA_PIPELINES
from medlens.ebmqa.study import DEFAULT_DATASET as EBMQA_DATASET
from medlens.ebmqa.study import open_study as open_ebmqa
from medlens.errors import InvalidInput
from medlens.llm.declared import Pipeline
from medlens.review import audit
from medlens.review.files import Report, Request
from medlens.review.tasks import Task
from medlens.settings import PROJECT, Settings
from medlens.sourcecheckup import exports as checkup_exports
from medlens.sourcecheckup import imports as checkup_imports
from medlens.sourcecheckup.demo import add_demo as add_checked
from medlens.sourcecheckup.demo import load_demo as load_checked
from medlens.sourcecheckup.pipelines import PIPELINES as CHECKUP_PIPELINES
from medlens.sourcecheckup.study import DEFAULT_DATASET as CHECKUP_DATASET
from medlens.sourcecheckup.study import open_study as open_checkup
from medlens.store import Store
from medlens.tagging import exchange
from medlens.tagging.demo import add_demo as add_tagged
from medlens.tagging.demo import load_demo as load_tagged
from medlens.tagging.pipelines import PIPELINES
from medlens.tagging.study import open_study

_DEMOS = PROJECT / "data" / "demo"


@dataclass(frozen=True)
class Room:
    """A study as the command line and the leads' pages see it: the kinds of its files, how it is
    opened, what its raters are asked, where published files go, its pipelines.

    ``follows`` are the kinds of files about items that must be there already: they go where these
    are, whatever their dataset is called.
    """

    imports: Mapping[str, tuple[str, Callable[[Store, Any, Request], Report]]]
    exports: Mapping[str, tuple[str, Callable[..., pd.DataFrame]]]
    open: Callable[[Store, Settings, str], Any]
    tasks: Callable[[Any], Sequence[Task]]
    published: str
    pipelines: Sequence[Pipeline]
    title: str
    demo: Callable[[Store], str]
    follows: Collection[str] = ()


ROOMS: dict[str, Room] = {
    "tagging": Room(
        exchange.IMPORTS, exchange.EXPORTS, open_study, lambda study: (study.task,), "g4ue",
        PIPELINES, "Error tagging",
        lambda store: add_tagged(store, load_tagged(_DEMOS / "tagging")),
    ),
    "agentclinic": Room(
        clinic_imports.IMPORTS, clinic_exports.EXPORTS,
        lambda store, settings, dataset: open_clinic(store, dataset),
        lambda study: (study.realism, study.match), DEFAULT_DATASET,
        CLINIC_PIPELINES, "AgentClinic",
        lambda store: add_clinic(store, load_clinic(_DEMOS / "agentclinic")),
    ),
    "sourcecheckup": Room(
        checkup_imports.IMPORTS, checkup_exports.EXPORTS,
        lambda store, settings, dataset: open_checkup(store, dataset, settings=settings),
        lambda study: study.tasks, CHECKUP_DATASET, CHECKUP_PIPELINES, "SourceCheckup",
        lambda store: add_checked(store, load_checked(_DEMOS / "sourcecheckup")),
    ),
    "ebmqa": Room(
        ebmqa_files.IMPORTS, ebmqa_files.EXPORTS,
        lambda store, settings, dataset: open_ebmqa(store, dataset),
        lambda study: (study.task,), EBMQA_DATASET, (*MAKING, *EBMQA_PIPELINES), "EBMQA",
        lambda store: add_ebmqa(store, _DEMOS / "ebmqa"), follows=EBMQA_ANSWERS,
    ),
}  # fmt: skip
"""The studies, by the name that items carry."""

IMPORTS = {kind: title for room in ROOMS.values() for kind, (title, _) in room.imports.items()}
COMMON: dict[str, tuple[str, Callable[..., pd.DataFrame]]] = {
    "audit": ("The audit log: who came in, and what leads did", audit.entries),
}
"""Tables that belong to no study: what they are, and who makes them."""

EXPORTS = {
    kind: title
    for exports in (*(room.exports for room in ROOMS.values()), COMMON)
    for kind, (title, _) in exports.items()
}


def pipeline_of(study: str, name: str) -> Pipeline:
    """A pipeline by its study and name.

    Raises:
        InvalidInput: there is none such.
    """
    known = [one for room in ROOMS.values() for one in room.pipelines]
    for one in known:
        if (one.study, one.name) == (study, name):
            return one
    names = ", ".join(f"{one.study} {one.name}" for one in known)
    raise InvalidInput(f"There is no run {study} {name}.", hint=f"There are: {names}.")


NESTED = ("dialogues",)
"""Tables whose cells hold lists: for JSON lines and Parquet, not for CSV."""


def study_of(kind: str, study: str = "") -> str:
    """The study that a kind of file belongs to; ``study`` decides where several have it.

    Raises:
        InvalidInput: no study has it, or the one named has not.
    """
    return studies_of(kind, study)[0]


def studies_of(kind: str, study: str = "") -> list[str]:
    """The studies that have a kind of file, in their order; only ``study`` where it is named.

    Raises:
        InvalidInput: as ``study_of``.
    """
    having = [name for name, room in ROOMS.items() if kind in room.imports or kind in room.exports]
    if not having:
        raise InvalidInput(
            f"There is no kind of file called {kind!r}.",
            hint=f"Use one of: {', '.join(dict.fromkeys([*IMPORTS, *EXPORTS]))}.",
        )
    if study and study not in having:
        raise InvalidInput(f"{study} has no {kind}.", hint=f"Name {' or '.join(having)}.")
    return [study] if study else having
