"""The visits of an experiment: every cell of its grid under its own name, and its images."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, cast, get_args

from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm import find_model_settings_by_name
from medlens.store import Store
from medlens.studies.agentclinic import biases, prompts, queries
from medlens.studies.agentclinic.biases import AgentBias, Side
from medlens.studies.agentclinic.case_images import image_data_url_or_web_address
from medlens.studies.agentclinic.experiment_file import BiasPair, Experiment
from medlens.studies.agentclinic.queries import ListedCase
from medlens.studies.agentclinic.records import DEFAULT_INTERACTIONS, Case, ImageMode
from medlens.studies.agentclinic.visit_turn_taking import Visit, make_visit

MOST_VISITS = 1_000_000


@dataclass(frozen=True)
class Cell:
    """One visit of a grid. ``name`` is the same for the same rules, models and case in any run.

    The moderator is not part of it: verdicts are stored separately. ``before`` are the names it
    would have had when the moderator was.
    """

    name: str
    case_name: str
    case: Case
    doctor: str
    patient: str
    bias: BiasPair
    n: int
    image_mode: ImageMode
    repeat: int
    before: tuple[str, ...] = ()


def list_visits_of_grid(store: Store, settings: Settings, experiment: Experiment) -> list[Cell]:
    """Every visit of the grid, each once; a case without images is played without, in any mode.

    Ordered by repeat and case, so a spending cap cuts off evenly.

    Raises:
        InvalidInput: a case or model is missing, or the grid is far too large.
    """
    there = queries.load_cases_by_name(store, experiment.dataset)
    lost = [name for name in experiment.cases if name not in there]
    if lost or not experiment.cases:
        raise InvalidInput(
            f"{len(lost)} cases of this experiment are not in the dataset {experiment.dataset!r};"
            f" the first is {lost[0]!r}."
            if lost
            else "This experiment has no cases.",
            hint="Import the cases first (agentclinic-cases).",
        )
    size = (
        len(experiment.cases)
        * len(experiment.doctors)
        * len(experiment.patients)
        * len(experiment.biases)
        * len(experiment.interactions)
        * len(experiment.image_modes)
        * experiment.repeats
    )
    if not 0 < size <= MOST_VISITS:
        raise InvalidInput(
            f"This experiment has {size:,} visits; from 1 to {MOST_VISITS:,} can be run.",
            hint="Split it, or name doctors and patients.",
        )
    known = (
        set(queries.dialogue_index_table(store, experiment.dataset)["moderator"])
        & settings.models.keys()
    )
    moderators = sorted(known | {experiment.moderator})
    grid = _grid(settings, experiment, there, moderators)
    return list({cell.name: cell for cell in grid}.values())


def _grid(
    settings: Settings,
    experiment: Experiment,
    there: Mapping[str, ListedCase],
    moderators: Sequence[str],
) -> Iterator[Cell]:
    seats = {
        name: _asked(name, settings) for name in (*experiment.names_of_all_models, *moderators)
    }
    told = {pair: _told(pair, experiment.custom) for pair in experiment.biases}
    measurement = seats[experiment.measurement]
    for repeat, name, doctor, patient, pair, n, wanted in product(
        range(1, experiment.repeats + 1),
        experiment.cases,
        experiment.doctors,
        experiment.patients,
        experiment.biases,
        experiment.interactions,
        experiment.image_modes,
    ):
        case = there[name].case
        mode: ImageMode = wanted if case.images else "none"
        # What was played on a case of another meaning is another visit.
        meaning = there[name].meaning
        played = name if meaning == 1 else f"{name}@{meaning}"
        head = [played, seats[doctor], seats[patient], measurement]
        tail = [*told[pair], n, mode, repeat, prompts.VISIT_VERSION]
        if experiment.protocol != "medlens":
            tail.append(experiment.protocol)
        yield Cell(
            _name([*head, *tail]),
            name,
            case,
            doctor,
            patient,
            pair,
            n,
            mode,
            repeat,
            tuple(_name([*head, seats[moderator], *tail]) for moderator in moderators),
        )


def _name(rules: Sequence[Any]) -> str:
    text = json.dumps(rules, ensure_ascii=False, sort_keys=True)
    return f"dialogue-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _asked(name: str, settings: Settings) -> list[Any]:
    model = find_model_settings_by_name(settings, name)
    return [name, model.model, model.base_url, dict(model.parameters)]


def _told(pair: BiasPair, custom: Sequence[AgentBias]) -> list[str]:
    return [
        str(part)
        for side, given in (("doctor", pair.doctor), ("patient", pair.patient))
        for part in (
            given.id if given else "",
            given.target if given else "",
            biases.bias_instruction(cast(Side, side), given, custom=custom),
        )
    ]


def visit_of_cell(cell: Cell, experiment: Experiment, *, addresses: Mapping[str, str]) -> Visit:
    """The visit that a cell stands for."""
    return make_visit(
        cell.case,
        n=cell.n,
        image_mode=cell.image_mode,
        doctor_bias=cell.bias.doctor,
        patient_bias=cell.bias.patient,
        custom=experiment.custom,
        addresses=addresses,
        protocol=experiment.protocol,
    )


def require_image_support(grid: Sequence[Cell], models: Mapping[str, Model]) -> None:
    """Refuse a grid that would show images to a doctor that does not accept them.

    Raises:
        InvalidInput: names the doctor.
    """
    for cell in grid:
        if cell.image_mode != "none" and not models[cell.doctor].images:
            raise InvalidInput(
                f"The model {cell.doctor!r} does not accept images.",
                hint='Set images = "none", or images = true for the model if it can.',
            )


def image_data_or_web_address_by_image(grid: Sequence[Cell], folder: Path | None) -> dict[str, str]:
    """What is sent for every image of these visits: web addresses as they are, copies as bytes.

    Raises:
        InvalidInput: a copy is missing, too large, or not a PNG, JPEG, GIF or WebP.
    """
    wanted = dict.fromkeys(
        image for cell in grid if cell.image_mode != "none" for image in cell.case.images
    )
    return {name: image_data_url_or_web_address(name, folder) for name in wanted}


def make_experiment_record(
    experiment: Experiment, grid: Sequence[Cell], models: Mapping[str, Model]
) -> dict[str, Any]:
    """The experiment as the run stores it: all that matters, and the agents' instructions."""
    names = "\x1f".join(sorted(cell.name for cell in grid))
    asked = {
        name: {
            "asked_for": model.model,
            "base_url": model.base_url,
            "json": model.json_mode,
            "parameters": dict(model.parameters),
        }
        for name, model in models.items()
    }
    pairs = [
        {
            side: f"{given.id}: {given.target}".removesuffix(": ")
            for side, given in (("doctor", pair.doctor), ("patient", pair.patient))
            if given
        }
        for pair in experiment.biases
    ]
    named = {"experiment": experiment.name} if experiment.name else {}
    if experiment.protocol != "medlens":
        named["protocol"] = experiment.protocol
    return named | {
        "dataset": experiment.dataset,
        "visits": len(grid),
        "cases": len(experiment.cases),
        "doctors": list(experiment.doctors),
        "patients": list(experiment.patients),
        "measurement": experiment.measurement,
        "moderator": experiment.moderator,
        "biases": pairs,
        "interactions": list(experiment.interactions),
        "images": dict(Counter(cell.image_mode for cell in grid)),
        "repeats": experiment.repeats,
        "models": asked,
        "prompt": prompts.prompt_version_of_visit(models[experiment.moderator]),
        "instructions": _instructions(models[experiment.moderator]),
        "grid": hashlib.sha256(names.encode()).hexdigest()[:16],
    }


def _instructions(moderating: Model) -> dict[str, Any]:
    """The prompts with their blanks unfilled."""
    doctor = prompts.DoctorView("{objective}", ("image",))
    may_be_none = prompts.prompt_version_of_visit(moderating) == prompts.PROMPT_VERSION_BY_SCHEMA
    moderator, _ = prompts.moderator_messages("", "", may_be_none=may_be_none)
    return {
        "doctor": {
            mode: prompts.doctor_instructions(doctor, "{bias}", n=DEFAULT_INTERACTIONS, images=mode)
            for mode in get_args(ImageMode)
        },
        "patient": prompts.patient_instructions(prompts.PatientView("{story}"), "{bias}"),
        "measurement": prompts.measurement_instructions(
            prompts.MeasurementView("{examination}", "{tests}")
        ),
        "moderator": moderator["content"],
        "ratings": dict(prompts.patient_rating_names_and_questions()),
        "opening": prompts.opening_prompt(),
        "last": prompts.last_message_prompt(),
    }
