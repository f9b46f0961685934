"""The study as one object: the tasks and the settings of one dataset."""

from __future__ import annotations

from dataclasses import dataclass, replace

from medlens.review import items
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.studies.agentclinic import queries, tasks, verdicts
from medlens.studies.agentclinic.models import STUDY

DEFAULT_DATASET = "agentclinic"


@dataclass(frozen=True)
class Study:
    """AgentClinic in one dataset. ``dataset`` is empty if there are no items at all."""

    dataset: str
    illustrative: bool
    realism: Task
    match: Task


def open_study(store: Store, dataset: str = "") -> Study:
    """The study in ``dataset``, by default the one people work on."""
    dataset, illustrative = items.opened(store, STUDY, dataset)

    def shown(store: Store, item: str) -> dict[str, str]:
        dialogue = queries.dialogue(store, item)
        case = queries.case(store, queries.item_id(dataset, dialogue.case))
        return {"Given by the doctor": dialogue.diagnosis, "Correct diagnosis": case.diagnosis}

    def dialogue_and_case(store: Store, item: str) -> dict[str, str]:
        rated = tasks.for_rater(queries.dialogue(store, item))
        case = queries.case(store, queries.item_id(dataset, rated.case))
        told = {"doctor": rated.doctor_bias, "patient": rated.patient_bias}
        biased = [f"{side}: {bias.replace('_', ' ')}" for side, bias in told.items() if bias]
        return {
            "Case": "\n".join(f"{leaf.place}: {leaf.text}" for leaf in case.leaves()),
            "Correct diagnosis": case.diagnosis,
            "Told to be biased": "; ".join(biased) or "nobody",
            "Dialogue": "\n\n".join(f"{one.n}, {one.speaker}: {one.text}" for one in rated.turns),
        }

    def cases(store: Store, dataset: str) -> dict[str, str]:
        index = queries.index(store, dataset)
        return dict(zip(index["item_id"], index["case"], strict=True))

    match = replace(
        tasks.diagnosis_match(),
        leaves_out=verdicts.settled_elsewhere,
        shown=shown,
        lies_in=cases,
        units="cases",
    )
    realism = replace(
        tasks.dialogue_realism(), shown=dialogue_and_case, lies_in=cases, units="cases"
    )
    return Study(dataset, illustrative, realism, match)
