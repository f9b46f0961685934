"""The types of AgentClinic: cases, turns, dialogues and what their patients say of them.

A case keeps the nested JSON that it was published as; what each agent may know of it is a view
(``objective``, ``patient``, ``findings``).
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    field_validator,
    model_validator,
)

from medlens.studies.agentclinic.word_stems_and_phrase_places_in_text import split_into_sentences

STUDY = "agentclinic"
CASE_KIND = "case"
DIALOGUE_KIND = "dialogue"

Form = Literal["osce", "nejm"]
Speaker = Literal["doctor", "patient", "measurement", "moderator"]
TurnKind = Literal["say", "request_test", "result", "request_images", "images", "diagnosis"]
Outcome = Literal["correct", "incorrect", "no_diagnosis", "error"]
ImageMode = Literal["none", "start", "request"]
Player = Literal["model", "person"]
Protocol = Literal["medlens", "published"]
"""Who hears what: see ``clinic``."""
Section = Literal["objective", "patient", "exam", "tests", "other"]

UNUSABLE_ANSWERS = {
    "truncated": "it was cut off",
    "refused": "it was refused",
    "empty": "it was empty",
    "parse_failed": "it was not in the form asked for",
    "too_long": "there was no room left for it",
}
"""What is wrong with a model's answer that is no verdict, by the outcome of its request."""
OUTCOMES: tuple[Outcome, ...] = ("correct", "incorrect", "no_diagnosis", "error")
DEFAULT_INTERACTIONS = 20

_WRAPPER = "OSCE_Examination"
_OSCE_SECTIONS: dict[str, Section] = {
    "Objective_for_Doctor": "objective",
    "Patient_Actor": "patient",
    "Physical_Examination_Findings": "exam",
    "Test_Results": "tests",
}
_NEJM_SECTIONS: dict[str, Section] = {"patient_info": "patient", "physical_exams": "tests"}


def verdict_reason_in_words(reason: str) -> str:
    """A verdict's reason for the page: dialogues of earlier versions name the request's outcome."""
    return re.sub(
        r"(?<=cannot be used: )\w+(?=\.)",
        lambda match: UNUSABLE_ANSWERS.get(match[0], match[0]),
        reason,
    )


class Strict(BaseModel):
    """Frozen, and refuses unknown fields: a misspelt field never vanishes silently."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CaseFact(NamedTuple):
    """A piece of a case that can be told: its place, its text, and who may tell it.

    ``path`` leads through the published JSON; a number is a position in a list. ``part`` counts the
    sentences of a longer text from 0 and is ``None`` if the text is one piece.
    """

    path: tuple[str | int, ...]
    text: str
    section: Section
    part: int | None = None

    @property
    def path_in_words(self) -> str:
        """The path for people: ``Test_Results › Imaging › Chest_CT › Findings``."""
        return " › ".join(str(step) for step in self.path if step != _WRAPPER)


class Case(Strict):
    """A case: the whole published JSON, and what is read from it.

    ``content`` is the line's content. ``diagnosis`` is the truth; ``images`` are URLs or names of
    stored copies; ``options`` are the answers a multiple-choice case offers.
    """

    form: Form
    content: dict[str, Any]
    diagnosis: str = Field(min_length=1)
    images: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def case_sections_by_key(self) -> Mapping[str, Any]:
        """The case's top-level keys: in the OSCE form those in its wrapper, and any beside it."""
        inner = self.content.get(_WRAPPER)
        if self.form == "osce" and isinstance(inner, dict):
            return {**{k: v for k, v in self.content.items() if k != _WRAPPER}, **inner}
        return self.content

    @property
    def objective_for_doctor(self) -> str:
        """What the doctor is told at the start."""
        if self.form == "osce":
            return str(
                self.case_sections_by_key.get("Objective_for_Doctor") or "Diagnose the patient."
            )
        return "Find the most likely diagnosis."

    @property
    def patient_information_as_published(self) -> Any:
        """What the patient knows, as published; ``{}`` if there is nothing."""
        key = "Patient_Actor" if self.form == "osce" else "patient_info"
        return self.case_sections_by_key.get(key) or {}

    @property
    def examination_findings(self) -> Any:
        """Findings of the physical examination; empty in the NEJM form, which has one text."""
        return self.case_sections_by_key.get("Physical_Examination_Findings") or {}

    @property
    def test_results(self) -> Any:
        """Results of tests; in the NEJM form findings and results together."""
        key = "Test_Results" if self.form == "osce" else "physical_exams"
        return self.case_sections_by_key.get(key) or {}

    @property
    def demographics_in_words(self) -> str:
        """Who the patient is, in a few words; empty if the case does not say."""
        if isinstance(self.patient_information_as_published, Mapping):
            return _short(self.patient_information_as_published.get("Demographics"))
        text = " ".join(str(self.patient_information_as_published).split())
        found = re.search(r"\b(?:[\w-]+-(?:year|month|week|day|hour)-old|newborn)\b.{0,40}", text)
        return re.split(r"[.,;]| who | that | with ", found.group())[0].strip() if found else ""

    @property
    def digest(self) -> str:
        """A fingerprint of the case's content.

        The same for the same case in another file, whatever its wrapper, spacing or key order.
        """
        canonical = _canonical({**self.case_sections_by_key, "form": self.form})
        text = json.dumps(canonical, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

    @property
    def digest_of_what_is_played(self) -> str:
        """A fingerprint of what agents are given or judged by: two cases that share it are one.

        Published files repeat cases with extra keys (``type``) that no agent sees.
        """
        told = [
            self.form,
            self.case_sections_by_key.get("Objective_for_Doctor"),
            self.case_sections_by_key.get("question"),
            self.patient_information_as_published,
            self.examination_findings,
            self.test_results,
            self.diagnosis,
            list(self.images),
            list(self.options),
        ]
        text = json.dumps(_canonical(told), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

    @property
    def name_derived_from_content(self) -> str:
        """The name that this content always has, in any store."""
        return f"case-{self.digest[:12]}"

    def section_of_key(self, key: str) -> Section:
        """Who may tell a top-level key; ``other`` for keys that no agent is shown."""
        return (_OSCE_SECTIONS if self.form == "osce" else _NEJM_SECTIONS).get(key, "other")

    def list_case_facts(self, *, split: bool = False) -> list[CaseFact]:
        """Every text, number and boolean of the case, in order; with ``split`` by sentence."""
        wrapped = self.form == "osce" and isinstance(self.content.get(_WRAPPER), dict)
        found = []
        for key, value in self.case_sections_by_key.items():
            inside = wrapped and key in self.content[_WRAPPER]
            top: tuple[str | int, ...] = (_WRAPPER, key) if inside else (key,)
            found += [
                CaseFact(path, text, self.section_of_key(key)) for path, text in _texts(value, top)
            ]
        if not split:
            return found
        parts = []
        for leaf in found:
            pieces = split_into_sentences(leaf.text)
            one = len(pieces) < 2
            parts += [
                leaf._replace(text=piece, part=None if one else n) for n, piece in enumerate(pieces)
            ]
        return parts


def _texts(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(item, (*path, str(key)))
    elif isinstance(value, (list, tuple)):
        for at, item in enumerate(value):
            yield from _texts(item, (*path, at))
    elif isinstance(value, bool):
        yield path, "yes" if value else "no"
    elif value is not None and str(value).strip():
        yield path, str(value).strip()


def _canonical(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {_canonical(str(key)): _canonical(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_canonical(item) for item in value]
    if isinstance(value, str):
        return " ".join(unicodedata.normalize("NFC", value).split())
    return value


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        value = ", ".join(str(item) for item in value.values())
    return " ".join(str(value or "").split())


class Turn(Strict):
    """One message of a dialogue. ``n`` counts the messages from 1, ``images`` those handed over."""

    n: PositiveInt
    speaker: Speaker
    text: str
    kind: TurnKind = "say"
    images: tuple[str, ...] = ()


class GivenBias(Strict):
    """The bias an agent was given; ``target`` is the disease or the group it is about."""

    id: str = Field(min_length=1)
    target: str = ""


class PatientRating(Strict):
    """One of the patient's ratings of the visit."""

    score: int = Field(ge=1, le=10)
    reason: str = ""


class PatientRatings(Strict):
    """What the patient says after the dialogue; ``None`` if not asked or not readable."""

    confidence: PatientRating | None = None
    compliance: PatientRating | None = None
    consultation: PatientRating | None = None


RATING_NAMES = ("confidence", "compliance", "consultation")


class Dialogue(Strict):
    """One visit: who played, under which rules, what was said and how it ended.

    ``case`` is the case's name (``Case.name_derived_from_content``). ``reason`` is the moderator's
    reason for the outcome, or what went wrong. ``cost`` is in the run's currency, ``seconds`` wall
    time. An outcome of ``correct`` or ``incorrect`` has a diagnosis, ``no_diagnosis`` has none.
    ``unfinished``: an endpoint broke the visit off, and its text so far must not be measured.
    """

    case: str = Field(min_length=1)
    doctor: str
    patient: str
    measurement: str = ""
    moderator: str = ""
    doctor_player: Player = "model"
    patient_player: Player = "model"
    doctor_bias: GivenBias | None = None
    patient_bias: GivenBias | None = None
    n_interactions: PositiveInt = DEFAULT_INTERACTIONS
    image_mode: ImageMode = "none"
    repeat: PositiveInt = 1
    turns: tuple[Turn, ...] = ()
    diagnosis: str = ""
    outcome: Outcome
    reason: str = ""
    ratings: PatientRatings = PatientRatings()
    prompt_version: str = ""
    run: str = ""
    cost: NonNegativeFloat | None = None
    seconds: NonNegativeFloat | None = None
    calls: NonNegativeInt | None = None
    unfinished: bool = False
    protocol: Protocol = "medlens"

    @field_validator("turns")
    @classmethod
    def _numbered(cls, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        if any(turn.n != at for at, turn in enumerate(turns, 1)):
            raise ValueError("turns must be numbered 1, 2, 3 in order")
        return turns

    @model_validator(mode="after")
    def _ended(self) -> Dialogue:
        if self.outcome in ("correct", "incorrect") and not self.diagnosis.strip():
            raise ValueError(f"an outcome of {self.outcome} needs the diagnosis that was given")
        if self.outcome == "no_diagnosis" and self.diagnosis.strip():
            raise ValueError("an outcome of no_diagnosis cannot have a diagnosis")
        return self

    @property
    def name_within_run(self) -> str:
        """A name that these rules on this case always have within a run."""
        parts = [
            self.run,
            self.case,
            self.doctor,
            self.patient,
            self.doctor_player,
            self.patient_player,
            _bias_name(self.doctor_bias),
            _bias_name(self.patient_bias),
            str(self.n_interactions),
            self.image_mode,
            str(self.repeat),
        ]
        digest = hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()
        return f"dialogue-{digest[:16]}"

    @property
    def test_request_count(self) -> int:
        return sum(turn.kind == "request_test" for turn in self.turns)

    @property
    def image_request_count(self) -> int:
        return sum(turn.kind == "request_images" for turn in self.turns)

    @property
    def doctor_message_count(self) -> int:
        """The doctor's messages: what the limit ``n_interactions`` counts."""
        return sum(turn.speaker == "doctor" for turn in self.turns)


def _bias_name(bias: GivenBias | None) -> str:
    return f"{bias.id}\x1e{bias.target}" if bias else ""
