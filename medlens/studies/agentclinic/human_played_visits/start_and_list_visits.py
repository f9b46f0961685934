"""Begins visits and lists them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from medlens.config.settings import Settings
from medlens.errors import InvalidInput, NotAllowed
from medlens.llm import find_model_settings_by_name, open_or_resume_run_and_return_id
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.agentclinic import prompts
from medlens.studies.agentclinic import queries as cases
from medlens.studies.agentclinic.agent_players import ModelsBySeat
from medlens.studies.agentclinic.biases import NONE, Side, find_bias, list_shipped_biases
from medlens.studies.agentclinic.case_images import find_image_copy, is_web_address
from medlens.studies.agentclinic.human_played_visits import queries
from medlens.studies.agentclinic.records import STUDY, GivenBias, ImageMode
from medlens.studies.agentclinic.study_in_dataset import AgentClinicSettings
from medlens.studies.agentclinic.visit_turn_taking import Role


@dataclass(frozen=True)
class ListedVisit:
    """One of a person's visits in a list: nothing of its case but its number."""

    id: str
    role: Role
    begun_at: datetime
    changed_at: datetime
    closed: str


@dataclass(frozen=True)
class PlayedVisit:
    """A visit in the leads' list of all. ``dialogue`` is set once it has ended, ``bias`` (the
    model's) once it is over, since a lead may be its player.
    """

    id: str
    player: str
    role: Role
    case: str
    against: str
    bias: str
    closed: str
    outcome: str
    dialogue: str
    begun_at: datetime


def case_number_by_name_of_playable_cases(
    store: Store, dataset: str, role: Role, person: Rater
) -> dict[str, int]:
    """Names of the cases that a person can be given, each with its number.

    Leaves out those they played in the other role, whose script or results they know. For a
    reviewer as the doctor, also those whose diagnosis they may have seen: a dialogue of it was
    theirs to judge. Leads can read every case and are asked to choose honestly.
    """
    numbered = {name: at for at, name in enumerate(cases.load_cases_by_name(store, dataset), 1)}
    before = [
        row["config"] for row in queries.list_visits_newest_first(store, dataset, rater=person.id)
    ]
    known = {one["case"] for one in before if one["role"] != role}
    if role == "doctor" and person.role != "lead":
        known |= queries.find_names_of_cases_person_knows(store, dataset, person.id)
    return {name: at for name, at in numbered.items() if name not in known}


def start_visit(
    store: Store,
    settings: Settings,
    *,
    dataset: str,
    role: Role,
    person: Rater,
    case: str = "",
    model: str = "",
    bias: GivenBias | Literal["drawn"] | None = None,
) -> str:
    """Begin a visit; returns its id.

    Without ``case``, one is drawn that this person has not played in this role, the least played
    first; without ``model``, the one of ``play_models`` least played against. ``bias`` is what the
    model is given; a drawn one, of the study's or none, is revealed to nobody until the visit is
    over.

    Raises:
        InvalidInput: nobody may play yet, there is no such model or bias, or no case is left.
        NotAllowed: this person may not choose the model or the case.
    """
    rules = settings.of(AgentClinicSettings)
    if not rules.play_models:
        raise InvalidInput(
            "No model has been chosen to play against.",
            hint="A lead names some in medlens.toml: [agentclinic] play_models.",
        )
    if model and model not in rules.play_models:
        raise NotAllowed("This model is not available to play against.", hint="Choose another.")
    there = case_number_by_name_of_playable_cases(store, dataset, role, person)
    if case and case not in there:
        raise NotAllowed(
            f"You cannot be the {role} of this case: you may know what the {role} does not.",
            hint="Have a case drawn for you.",
        )
    before = [row["config"] for row in queries.list_visits_newest_first(store, dataset)]
    case = case or _drawn(there, before, role=role, rater=person.id)
    model = model or _least(rules.play_models, [_against(one) for one in before])
    side: Side = "patient" if role == "doctor" else "doctor"
    if bias == "drawn":
        bias = _drawn_bias(side, before)
    elif bias is not None:
        find_bias(side, bias.id)
    measurement = rules.play_measurement or rules.play_models[0]
    moderator = rules.play_moderator or rules.play_models[0]
    seats = (
        ModelsBySeat(None, model, measurement, moderator)
        if role == "doctor"
        else ModelsBySeat(model, None, measurement, moderator)
    )
    asked = {}
    for name in (model, measurement, moderator):
        one = find_model_settings_by_name(settings, name)
        asked[name] = {
            "asked_for": one.model,
            "base_url": one.base_url,
            "parameters": dict(one.parameters),
        }
    earlier = sum(one["case"] == case and one["rater"] == person.id for one in before)
    config = {
        "visit": new_id(),
        "dataset": dataset,
        "case": case,
        "rater": person.id,
        "player": person.name,
        "role": role,
        "seats": asdict(seats),
        "n": rules.play_interactions,
        "image_mode": _images(store, settings, dataset, case, seats),
        "repeat": earlier + 1,
        "models": asked,
        "prompt": prompts.prompt_version_of_visit(find_model_settings_by_name(settings, moderator)),
        "cap": rules.play_cap,
        "bias": bias.model_dump() if bias else None,
    }
    return open_or_resume_run_and_return_id(
        store, study=STUDY, kind=queries.KIND, config=config, made_by=person.name
    )


def _drawn(
    there: Mapping[str, int], before: Sequence[Mapping[str, Any]], *, role: Role, rater: str
) -> str:
    mine = {one["case"] for one in before if one["rater"] == rater and one["role"] == role}
    fresh = [name for name in there if name not in mine]
    if not fresh:
        raise InvalidInput(
            f"There is no case left for you as the {role}: you have played or seen them all.",
            hint="Choose a case by its number, or the other role.",
        )
    return _least(fresh, [one["case"] for one in before if one["role"] == role])


def _drawn_bias(side: Side, before: Sequence[Mapping[str, Any]]) -> GivenBias | None:
    """The bias that models on this side have had least often in visits; none is one of them."""
    known = [NONE, *(one.id for one in list_shipped_biases() if one.side == side)]
    drawn = _least(known, [_bias(one) for one in before if one["role"] != side])
    return None if drawn == NONE else GivenBias(id=drawn)


def _bias(config: Mapping[str, Any]) -> str:
    # Visits from before models could have a bias do not record one.
    given = config.get("bias")
    return str(given["id"]) if given else NONE


def _least(names: Sequence[str], used: Sequence[str]) -> str:
    counts = Counter(used)
    fewest = min(counts[name] for name in names)
    return random.choice([name for name in names if counts[name] == fewest])


def _against(config: Mapping[str, Any]) -> str:
    seats = config["seats"]
    return str(seats["patient"] or seats["doctor"] or "")


def _images(
    store: Store, settings: Settings, dataset: str, case: str, seats: ModelsBySeat
) -> ImageMode:
    """The image mode: none if the doctor's model takes none, or one cannot be sent."""
    images = cases.load_cases_by_name(store, dataset)[case].case.images
    wanted = settings.of(AgentClinicSettings).play_images
    if not images or wanted == "none":
        return "none"
    if seats.doctor is None:
        return wanted
    folder = settings.of(AgentClinicSettings).images_folder
    there = all(is_web_address(one) or find_image_copy(one, folder) is not None for one in images)
    return wanted if settings.models[seats.doctor].images and there else "none"


# -- lists --------------------------------------------------------------------------------------


def list_visits_of_person(store: Store, dataset: str, person: Rater) -> list[ListedVisit]:
    """A person's own visits, newest first."""
    return [
        ListedVisit(
            row["id"], row["config"]["role"], row["made_at"], row["changed_at"], row["ended"]
        )
        for row in queries.list_visits_newest_first(store, dataset, rater=person.id)
    ]


def unfinished_visit_id_by_case_of_doctor(
    store: Store, dataset: str, person: Rater
) -> dict[str, str]:
    """The cases whose doctor this person is in an unfinished visit, each with the visit's id.

    They must not be shown the case until it is over.
    """
    return {
        row["config"]["case"]: row["id"]
        for row in queries.list_visits_newest_first(store, dataset, rater=person.id)
        if not row["ended"] and row["config"]["role"] == "doctor"
    }


def list_all_played_visits(store: Store, dataset: str, viewer: Rater) -> list[PlayedVisit]:
    """Every visit that people began, newest first.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    if viewer.role != "lead":
        raise NotAllowed("Only leads can see all visits.", hint="Your own are in your list.")
    found = []
    for row in queries.list_visits_newest_first(store, dataset):
        config, body = row["config"], row["body"]
        found.append(
            PlayedVisit(
                row["id"],
                config["player"],
                config["role"],
                config["case"],
                _against(config),
                _bias(config) if row["ended"] else "",
                row["ended"],
                body.get("outcome", ""),
                body.get("dialogue", ""),
                row["made_at"],
            )
        )
    return found
