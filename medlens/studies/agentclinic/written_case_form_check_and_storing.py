"""A case as a person writes it: the fields of a form, and the published template made from them.

Findings and results are lines of ``Group > Name: text``, which become nested objects; blanks in
names become underscores, as in the published files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from medlens.errors import InvalidInput, NotAllowed
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.agentclinic import queries as cases
from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import (
    CaseFault,
    list_faults_of_case,
    normalise_diagnosis,
)
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.records import Case
from medlens.tables import RowError

Path = tuple[str, ...]


class Field(NamedTuple):
    """A field of the form and its place in the published template.

    ``kind``: a ``text``, a ``list`` (one thing per line), or ``lines`` of named findings. ``about``
    says what to write.
    """

    name: str
    title: str
    path: Path
    kind: str = "text"
    required: bool = False
    about: str = ""


LINES = "One finding per line: Group > Name: what was found"

FIELDS: tuple[Field, ...] = (
    Field(
        "objective",
        "What the doctor is asked to do",
        ("Objective_for_Doctor",),
        required=True,
        about="The only thing the doctor is told: never the diagnosis.",
    ),
    Field(
        "demographics",
        "Age and sex",
        ("Patient_Actor", "Demographics"),
        required=True,
        about="34-year-old woman",
    ),
    Field(
        "history",
        "History",
        ("Patient_Actor", "History"),
        required=True,
        about="What brought the patient here, as it happened.",
    ),
    Field(
        "primary", "Main symptom", ("Patient_Actor", "Symptoms", "Primary_Symptom"), required=True
    ),
    Field(
        "secondary",
        "Other symptoms",
        ("Patient_Actor", "Symptoms", "Secondary_Symptoms"),
        "list",
        about="One per line.",
    ),
    Field("past", "Past illnesses", ("Patient_Actor", "Past_Medical_History")),
    Field("social", "Social history", ("Patient_Actor", "Social_History")),
    Field("review", "Review of systems", ("Patient_Actor", "Review_of_Systems")),
    Field(
        "temperature",
        "Temperature",
        ("Physical_Examination_Findings", "Vital_Signs", "Temperature"),
    ),
    Field(
        "pressure",
        "Blood pressure",
        ("Physical_Examination_Findings", "Vital_Signs", "Blood_Pressure"),
    ),
    Field("heart", "Heart rate", ("Physical_Examination_Findings", "Vital_Signs", "Heart_Rate")),
    Field(
        "breath",
        "Respiratory rate",
        ("Physical_Examination_Findings", "Vital_Signs", "Respiratory_Rate"),
    ),
    Field(
        "exam",
        "Examination",
        ("Physical_Examination_Findings",),
        "lines",
        about="Abdomen > Palpation: soft, not tender",
    ),
    Field(
        "tests",
        "Test results",
        ("Test_Results",),
        "lines",
        about="Blood > White cells: 14.2 /nL (4-10)",
    ),
    Field("image", "Image address", ("image_url",), about="https://…, if the case has an image."),
    Field(
        "diagnosis",
        "Correct diagnosis",
        ("Correct_Diagnosis",),
        required=True,
        about="One disease.",
    ),
)


class CheckedWrittenCase(NamedTuple):
    """The state of a case that is being written.

    ``missing`` are titles of required fields without text, ``faults`` what keeps it from being
    read, ``findings`` the case lint, ``case`` the case if there is one. ``known``: the dataset has
    this very case.
    """

    missing: tuple[str, ...]
    faults: tuple[str, ...]
    findings: tuple[CaseFault, ...]
    case: Case | None
    known: bool


def make_case_json_object_from_form(fields: Mapping[str, str]) -> dict[str, Any]:
    """The case's JSON in the published template; empty fields are left out.

    Raises:
        InvalidInput: a line of findings has no name or repeats another; says which.
    """
    found: dict[str, Any] = {}
    for field in FIELDS:
        text = fields.get(field.name, "").strip()
        if not text:
            continue
        if field.kind == "lines":
            for path, value in _findings(text, field.title):
                _put(found, (*field.path, *path), value, field.title)
        elif field.kind == "list":
            _put(
                found,
                field.path,
                [part.strip() for part in text.splitlines() if part.strip()],
                field.title,
            )
        else:
            _put(found, field.path, " ".join(text.split()), field.title)
    found.setdefault("Patient_Actor", {})
    # In the order of the template, whatever was filled in first.
    order = (
        "Objective_for_Doctor",
        "Patient_Actor",
        "Physical_Examination_Findings",
        "Test_Results",
        "image_url",
        "Correct_Diagnosis",
    )
    return {"OSCE_Examination": {key: found[key] for key in order if key in found}}


def _findings(text: str, title: str) -> list[tuple[Path, str]]:
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        names, colon, value = line.partition(":")
        path = tuple("_".join(name.split()) for name in names.split(">"))
        if not colon or not value.strip() or not all(path):
            raise InvalidInput(
                f"{title}, line {number}: write it as Group > Name: what was found.",
            )
        lines.append((path, " ".join(value.split())))
    return lines


def _put(found: dict[str, Any], path: Path, value: Any, title: str) -> None:
    place = found
    for step in path[:-1]:
        place = place.setdefault(step, {})
        if not isinstance(place, dict):
            raise InvalidInput(
                f"{title}: {_named(path)} is already a finding, so it cannot be a group."
            )
    if path[-1] in place:
        raise InvalidInput(f"{title}: {_named(path)} occurs twice.")
    place[path[-1]] = value


def _named(path: Path) -> str:
    return " > ".join(path[1:]).replace("_", " ")


def make_lint_report_of_written_case(
    store: Store, dataset: str, fields: Mapping[str, str]
) -> CheckedWrittenCase:
    """What is still missing and what the lint finds, as far as the case can be read so far."""
    missing = tuple(
        field.title for field in FIELDS if field.required and not fields.get(field.name, "").strip()
    )
    try:
        content = make_case_json_object_from_form(fields)
    except InvalidInput as error:
        return CheckedWrittenCase(missing, (error.message,), (), None, False)
    if missing:
        return CheckedWrittenCase(missing, (), (), None, False)
    try:
        case = case_from_fields(content)
    except RowError as error:
        return CheckedWrittenCase(missing, (f"{error.column}: {error.expected}.",), (), None, False)
    there = cases.load_cases_by_name(store, dataset)
    key = normalise_diagnosis(case.diagnosis)
    same = sum(normalise_diagnosis(one.case.diagnosis) == key for one in there.values())
    known = any(
        one.case.digest_of_what_is_played == case.digest_of_what_is_played for one in there.values()
    )
    return CheckedWrittenCase(
        (), (), tuple(list_faults_of_case(case, same_diagnosis=same)), case, known
    )


def add_written_case_and_return_name(
    store: Store, dataset: str, fields: Mapping[str, str], *, by: Rater
) -> str:
    """Add the written case to the dataset; returns its name.

    Raises:
        InvalidInput: it is incomplete, or the dataset has it.
        NotAllowed: ``by`` is not a lead.
    """
    if by.role != "lead":
        raise NotAllowed("Cases are added by team leads.", hint="Ask one of them.")
    checked = make_lint_report_of_written_case(store, dataset, fields)
    if checked.case is None:
        wrong = "; ".join((*checked.faults, *checked.missing))
        raise InvalidInput(f"The case is incomplete: {wrong}.", hint="Fill these in.")
    if checked.known:
        raise InvalidInput("This exact case is already in the dataset.", hint="Change it.")
    there = cases.load_cases_by_name(store, dataset)
    illustrative = bool(there) and all(one.illustrative for one in there.values())
    cases.add_cases_and_return_added(
        store, [("", checked.case)], dataset=dataset, illustrative=illustrative
    )
    return checked.case.name_derived_from_content
