"""The study as one object: the tasks and the settings of one dataset."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from medlens.config.host_and_address_values import ModelName
from medlens.config.settings import Section
from medlens.review import items
from medlens.review.tasks import StudyTasks, Task
from medlens.store import Store
from medlens.studies.agentclinic import queries, tasks
from medlens.studies.agentclinic.records import STUDY

DEFAULT_DATASET = "agentclinic"


@dataclass(frozen=True)
class Study:
    """AgentClinic in one dataset. ``dataset`` is empty if there are no items at all."""

    dataset: str
    illustrative: bool
    realism: Task
    match: Task


def _cases_of_dialogues(store: Store, dataset: str) -> dict[str, str]:
    index = queries.dialogue_index_table(store, dataset)
    return dict(zip(index["item_id"], index["case"], strict=True))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _Realism(tasks.DialogueRealismTask):
    """Rating the dialogues of one dataset."""

    dataset: str
    units: str = "cases"

    def load_texts_by_heading_of_item(self, store: Store, item: str) -> dict[str, str]:
        """The case, and the dialogue as raters see it."""
        rated = tasks.blinded_dialogue_for_rater(queries.load_dialogue(store, item))
        case = queries.load_case(store, queries.item_id_made_from_name(self.dataset, rated.case))
        return {
            "Case": "\n".join(
                f"{leaf.path_in_words}: {leaf.text}" for leaf in case.list_case_facts()
            ),
            "Correct diagnosis": case.diagnosis,
            "Dialogue": "\n\n".join(
                f"{turn.n}, {turn.speaker}: {turn.text}" for turn in rated.turns
            ),
        }

    def cluster_by_item(self, store: Store, dataset: str) -> dict[str, str]:
        """The cases."""
        return _cases_of_dialogues(store, dataset)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _Match(tasks.DiagnosisMatchTask):
    """Checking the diagnoses of one dataset."""

    dataset: str
    units: str = "cases"

    def load_texts_by_heading_of_item(self, store: Store, item: str) -> dict[str, str]:
        """Both diagnoses."""
        dialogue = queries.load_dialogue(store, item)
        case = queries.load_case(store, queries.item_id_made_from_name(self.dataset, dialogue.case))
        return {"Given by the doctor": dialogue.diagnosis, "Correct diagnosis": case.diagnosis}

    def ids_of_items_not_handed_out(self, store: Store, dataset: str) -> Collection[str]:
        """Dialogues whose diagnosis is that of another one."""
        # It compares with what models said, and commands that do not ask need none of that.
        from medlens.studies.agentclinic import diagnosis_verdicts

        return diagnosis_verdicts.ids_of_dialogues_not_asked_about(store, dataset)

    def cluster_by_item(self, store: Store, dataset: str) -> dict[str, str]:
        """The cases."""
        return _cases_of_dialogues(store, dataset)


def open_study(store: Store, dataset: str = "") -> Study:
    """The study in ``dataset``, by default the one people work on."""
    dataset, illustrative = items.dataset_or_default_and_illustrative(store, STUDY, dataset)
    return Study(dataset, illustrative, _Realism(dataset=dataset), _Match(dataset=dataset))


class AgentClinicSettings(Section):
    """How people play the clinic, and where experiments find their files."""

    play_models: tuple[ModelName, ...] = Field(default=(), strict=False)
    """Models that people may play against, named as under ``[models]``; none: nobody plays."""
    play_measurement: ModelName | None = None
    """The model that reports results. Default: the first of ``play_models``."""
    play_moderator: ModelName | None = None
    """The model that judges the diagnosis. Default: the first of ``play_models``."""
    play_interactions: int = Field(default=20, ge=1, le=200)
    """The doctor's messages in a visit, tests included."""
    play_images: Literal["none", "start", "request"] = "request"
    """When the images of a case are shown: never, at the start, or on request."""
    play_cap: float | None = Field(default=None, gt=0, strict=False, allow_inf_nan=False)
    """The most that one visit may cost; needs the prices of its models. Default: no cap."""
    images_folder: Path | None = Field(default=None, strict=False)
    """Copies of the images that cases name: shown on the pages, sent to models."""
    biases_folder: Path | None = Field(default=None, strict=False)
    """Files of biases that experiments started on the Runs page may name (``biases_file``). On the
    command line, those beside the experiment can be named too."""


TASKS = StudyTasks(
    STUDY,
    lambda store, settings, dataset: open_study(store, dataset),
    lambda study: (study.realism, study.match),
    AgentClinicSettings,
    {"ratings": lambda study: study.realism},
)
