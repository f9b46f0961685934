"""An experiment as people write it: a TOML file that describes a grid of visits.

cases x doctor models x patient models x biases x N x image modes x repeats. Errors in a file are
reported with their line, before anything is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import cast, get_args

from medlens.config.confined_file_reading_and_image_urls import (
    find_file_in_folders,
    read_regular_file,
)
from medlens.config.settings import Settings
from medlens.config.toml_file import TomlFile, TomlTable
from medlens.errors import BadFile
from medlens.review import items
from medlens.store import Store
from medlens.studies.agentclinic import biases, queries
from medlens.studies.agentclinic.biases import AgentBias, Side
from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import CODES
from medlens.studies.agentclinic.queries import ListedCase
from medlens.studies.agentclinic.records import (
    DEFAULT_INTERACTIONS,
    STUDY,
    GivenBias,
    ImageMode,
    Protocol,
)
from medlens.studies.agentclinic.study_in_dataset import AgentClinicSettings

MOST_INTERACTIONS, MOST_REPEATS = 200, 1000
_LARGEST_BIASES = 1_000_000
_FIELDS = (
    "name",
    "dataset",
    "cases",
    "leave_out",
    "doctors",
    "patients",
    "measurement",
    "moderator",
    "interactions",
    "images",
    "images_folder",
    "repeats",
    "protocol",
    "unbiased",
    "biases_file",
    "bias",
)
_GROUPS = ("all", "cognitive", "implicit")


@dataclass(frozen=True)
class BiasPair:
    """The biases of one visit, on one side or both; with neither, the visit without bias."""

    doctor: GivenBias | None = None
    patient: GivenBias | None = None


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A grid, with models and cases by name; figures and lists show it as ``name``. ``custom`` are
    biases that are not the study's.

    ``images_folder`` has the copies of images that cases name without a web address.
    """

    dataset: str
    cases: tuple[str, ...]
    doctors: tuple[str, ...]
    patients: tuple[str, ...]
    measurement: str
    moderator: str
    biases: tuple[BiasPair, ...] = (BiasPair(),)
    interactions: tuple[int, ...] = (DEFAULT_INTERACTIONS,)
    image_modes: tuple[ImageMode, ...] = ("none",)
    repeats: int = 1
    custom: tuple[AgentBias, ...] = ()
    images_folder: Path | None = None
    name: str = ""
    protocol: Protocol = "medlens"

    @property
    def names_of_all_models(self) -> tuple[str, ...]:
        """Every model that is asked, once."""
        seats = (*self.doctors, *self.patients, self.measurement, self.moderator)
        return tuple(dict.fromkeys(seats))


def load_experiment(
    store: Store, settings: Settings, path: str | Path, *, content: bytes | None = None
) -> Experiment:
    """The experiment that a TOML file describes.

    If given, ``content`` is read instead of the file at ``path``. Paths in it are relative to the
    file's folder or to those of the settings, and must stay inside these.

    Raises:
        BadFile: an unknown field, model, case or bias; names file and line.
    """
    path = Path(path)
    file = TomlFile(path, "experiment", content=content)
    top = file.top
    file.record_unknown_fields(top, _FIELDS)
    dataset = file.read_text_field(top, "dataset")
    there = queries.load_cases_by_name(store, dataset) if dataset else {}
    if dataset and not there:
        known = ", ".join(str(row["dataset"]) for row in items.datasets_of_study(store, STUDY))
        file.record_field_mistake(
            top, "dataset", f"a dataset with cases; there are: {known or 'none yet'}"
        )
    modes = _choices(file, top, "images", get_args(ImageMode), "none")
    doctors = _models(file, top, "doctors", settings, images=set(modes) != {"none"})
    patients = _models(file, top, "patients", settings)
    measurement, moderator = (
        _one_model(file, top, seat, settings, doctors) for seat in ("measurement", "moderator")
    )
    clinic = settings.of(AgentClinicSettings)
    custom = _custom(file, top, path, clinic.biases_folder)
    made = Experiment(
        dataset=dataset,
        cases=_cases(file, top, there),
        doctors=doctors,
        patients=patients,
        measurement=measurement,
        moderator=moderator,
        biases=_pairs(file, top, custom),
        interactions=_numbers(file, top, "interactions", DEFAULT_INTERACTIONS, MOST_INTERACTIONS),
        image_modes=cast(tuple[ImageMode, ...], modes),
        repeats=_count(file, top, "repeats", 1, MOST_REPEATS),
        custom=custom,
        images_folder=_folder(file, top, path, clinic.images_folder) or clinic.images_folder,
        name=file.read_text_field(top, "name", ""),
        protocol=_protocol(file, top),
    )
    file.raise_if_mistakes_were_recorded()
    return made


def _protocol(file: TomlFile, table: TomlTable) -> Protocol:
    [*found] = _choices(file, table, "protocol", get_args(Protocol), "medlens")
    if len(found) != 1:
        file.record_field_mistake(
            table, "protocol", f"one of these: {', '.join(get_args(Protocol))}"
        )
    return cast(Protocol, found[0])


def _listed(file: TomlFile, table: TomlTable, field: str) -> tuple[str, ...]:
    """One text or a list of them, each once."""
    value = table.values.get(field)
    if isinstance(value, str):
        return (file.read_text_field(table, field),)
    return tuple(dict.fromkeys(file.read_text_list_field(table, field, at_least=1, what="text")))


def _choices(
    file: TomlFile, table: TomlTable, field: str, allowed: Sequence[str], default: str
) -> tuple[str, ...]:
    if field not in table.values:
        return (default,)
    found = _listed(file, table, field)
    if not set(found) <= set(allowed):
        file.record_field_mistake(table, field, f"of these: {', '.join(allowed)}")
    return found or (default,)


def _models(
    file: TomlFile, table: TomlTable, field: str, settings: Settings, *, images: bool = False
) -> tuple[str, ...]:
    found = _listed(file, table, field)
    for name in found:
        if name not in settings.models:
            known = ", ".join(sorted(settings.models)) or "none yet"
            file.record_field_mistake(
                table, field, f"models that medlens.toml names ({known}), not {name!r}"
            )
        elif images and not settings.models[name].images:
            file.record_field_mistake(
                table, field, f"models that take images; {name!r} has no images = true"
            )
    return found


def _one_model(
    file: TomlFile, table: TomlTable, field: str, settings: Settings, doctors: Sequence[str]
) -> str:
    if field not in table.values and len(doctors) != 1:
        file.record_field_mistake(
            table, field, "this field, a model, where there are several doctors"
        )
        return ""
    name = file.read_text_field(table, field, doctors[0] if doctors else None)
    if name and name not in settings.models:
        known = ", ".join(sorted(settings.models)) or "none yet"
        file.record_field_mistake(table, field, f"a model that medlens.toml names: {known}")
    return name


def _numbers(
    file: TomlFile, table: TomlTable, field: str, default: int, most: int
) -> tuple[int, ...]:
    value = table.values.get(field, default)
    found = value if isinstance(value, list) else [value]
    whole = all(type(one) is int and 1 <= one <= most for one in found)
    if not found or not whole:
        file.record_field_mistake(table, field, f"whole numbers from 1 to {most}")
        return (default,)
    return tuple(dict.fromkeys(cast(list[int], found)))


def _count(file: TomlFile, table: TomlTable, field: str, default: int, most: int) -> int:
    if isinstance(table.values.get(field), list):
        file.record_field_mistake(table, field, f"one whole number from 1 to {most}")
        return default
    return _numbers(file, table, field, default, most)[0]


def _cases(file: TomlFile, table: TomlTable, there: Mapping[str, ListedCase]) -> tuple[str, ...]:
    """Names of the cases asked for (by name or alias); by default all."""
    chosen = list(there)
    if "cases" in table.values and table.values["cases"] != "all":
        known = {alias: name for name, one in there.items() for alias in one.aliases}
        chosen = []
        for word in _listed(file, table, "cases"):
            name = word if word in there else known.get(word, "")
            if name:
                chosen.append(name)
            elif there:
                file.record_field_mistake(
                    table, "cases", f"names of cases of the dataset, not {word!r}"
                )
    codes = set(_choices(file, table, "leave_out", list(CODES), ""))
    left = [
        name
        for name in dict.fromkeys(chosen)
        if not codes & {str(finding.code) for finding in there[name].findings}
    ]
    if chosen and not left:
        file.record_field_mistake(table, "leave_out", "less: no case is left")
    return tuple(left)


def _folder(
    file: TomlFile, table: TomlTable, path: Path, images_folder: Path | None
) -> Path | None:
    """The folder of images: the experiment's own or the settings', or one inside them."""
    named = file.read_text_field(table, "images_folder", "")
    if not named:
        return None
    folder = find_file_in_folders(named, (path.parent, images_folder))
    if folder is None or not folder.is_dir():
        meant = "a folder inside the experiment's own or images_folder of medlens.toml"
        file.record_field_mistake(table, "images_folder", meant)
        return None
    return folder


def _custom(
    file: TomlFile, table: TomlTable, path: Path, biases_folder: Path | None
) -> tuple[AgentBias, ...]:
    """The biases of a file in the experiment's own folder or in the settings'."""
    named = file.read_text_field(table, "biases_file", "")
    if not named:
        return ()
    found = find_file_in_folders(named, (path.parent, biases_folder))
    content = read_regular_file(found, _LARGEST_BIASES) if found else None
    if content is None:
        meant = "a file inside the experiment's folder or biases_folder of medlens.toml, up to 1 MB"
        file.record_field_mistake(table, "biases_file", meant)
        return ()
    try:
        return biases.list_custom_biases_in_file(named, content=content)
    except BadFile as error:
        file.record_field_mistake(
            table, "biases_file", f"a file of biases ({error.message.rstrip('.')})"
        )
        return ()


def _pairs(file: TomlFile, table: TomlTable, custom: Sequence[AgentBias]) -> tuple[BiasPair, ...]:
    """The visit without bias unless ``unbiased = false``, and those of every ``[[bias]]``."""
    tables = file.list_tables_named("bias", required=False)
    found = (
        [BiasPair()] if file.read_flag_field(table, "unbiased", default=True) or not tables else []
    )
    for one in tables:
        file.record_unknown_fields(one, ("doctor", "patient"))
        if not one.values:
            file.record_field_mistake(
                one, "doctor", "a bias of the doctor, of the patient or of both"
            )
        sides = [_given(file, one, side, custom) for side in get_args(Side)]
        found += [BiasPair(doctor, patient) for doctor, patient in product(*sides)]
    return tuple(dict.fromkeys(found))


def _given(
    file: TomlFile, table: TomlTable, side: Side, custom: Sequence[AgentBias]
) -> list[GivenBias | None]:
    """The biases of one side: one like ``recency: gout``, or a whole group of them."""
    text = file.read_text_field(table, side, "")
    known = [bias for bias in (*biases.list_shipped_biases(), *custom) if bias.side == side]
    if text.casefold() in _GROUPS:
        wanted = text.casefold()
        return [GivenBias(id=bias.id) for bias in known if wanted in ("all", bias.group)]
    given = biases.parse_given_bias(text)
    if given is not None and given.id not in {bias.id for bias in known}:
        names = ", ".join(bias.id for bias in known)
        file.record_field_mistake(
            table, side, f"a bias of the {side} ({names}), all, cognitive or implicit"
        )
        return [None]
    return [given]
