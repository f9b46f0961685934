"""AgentClinic's tasks for raters: how real a dialogue is, whether a diagnosis is right.

Both are blind to model names and the outcome until submitted: pages show
``blinded_dialogue_for_rater`` and ``make_diagnosis_pair_to_check``, never the stored dialogue.
Scales: Schmidgall et al. 2024, section 2.6 (three raters, 1 to 10); the marks on turns are our own
taxonomy, from the remarks of the paper's raters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args

from pydantic import BaseModel, Field, PositiveInt, field_validator

from medlens.config.question_forms_and_answer_checks import UNSCORED, Form, make_one_question_form
from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.config.toml_file import TomlFile
from medlens.errors import InvalidInput
from medlens.review.tasks import Body, ByModels, Heard, Level, Task, cell_text
from medlens.studies.agentclinic.records import (
    DIALOGUE_KIND,
    STUDY,
    Case,
    Dialogue,
    Speaker,
    Strict,
    Turn,
)
from medlens.studies.shipped_guidelines_and_worked_examples import (
    shipped_guideline_versions,
    shipped_worked_example_text,
)

REALISM = "dialogue_realism"
MATCH = "diagnosis_match"

Scale = Literal["doctor", "patient", "measurement", "empathy"]
SCALES: tuple[Scale, ...] = get_args(Scale)
SCALE_QUESTIONS: dict[Scale, str] = {
    "doctor": "How much does the doctor act like a doctor?",
    "patient": "How much does the patient act like a patient?",
    "measurement": "How well do the results fit what was ordered?",
    "empathy": "How much empathy does the doctor show?",
}


@dataclass(frozen=True)
class Mark:
    """A remark that a turn can be given: ``about`` groups it, ``speakers`` are whose turns."""

    id: str
    name: str
    about: str
    speakers: tuple[Speaker, ...]
    hint: str


def _marks() -> Iterator[Mark]:
    file = TomlFile(SHIPPED / "data/taxonomies/agentclinic_marks.toml", "marks")
    yield from (
        file.read_table_as_dataclass(table, Mark)
        for table in file.list_tables_named("mark", required=True)
    )
    file.raise_if_mistakes_were_recorded()


MARKS = tuple(_marks())
_MARKS = {mark.id: mark for mark in MARKS}


class TurnMark(Strict):
    """A remark on one turn."""

    turn: PositiveInt
    mark: str
    comment: str = ""

    @field_validator("comment")
    @classmethod
    def _one_line(cls, comment: str) -> str:
        return " ".join(comment.split())


Score = Field(default=None, ge=1, le=10)


class Realism(Strict):
    """One rater's answer to ``dialogue_realism``: scores from 1 to 10, each with a comment.

    ``None`` is not rated yet; ``measurement`` stays so where nothing was measured.
    """

    doctor: int | None = Score
    patient: int | None = Score
    measurement: int | None = Score
    empathy: int | None = Score
    doctor_comment: str = ""
    patient_comment: str = ""
    measurement_comment: str = ""
    empathy_comment: str = ""
    comment: str = ""
    marks: tuple[TurnMark, ...] = ()

    def scores_by_name_of_scale(self) -> dict[str, int | None]:
        return {scale: getattr(self, scale) for scale in SCALES}


class DiagnosisMatch(Strict):
    """One rater's answer to ``diagnosis_match``; ``None`` means not answered yet."""

    same: Literal["yes", "no", "cannot_tell"] | None = None
    reason: str = ""


# -- what raters are shown ---------------------------------------------------------------------


@dataclass(frozen=True)
class RatedDialogue:
    """A dialogue as its raters see it: no model, no verdict, no cost, and no word on who was told
    to act with a bias, which would tell what to look for.
    """

    case: str
    turns: tuple[Turn, ...]
    n_interactions: int
    has_measurement: bool


def blinded_dialogue_for_rater(dialogue: Dialogue) -> RatedDialogue:
    """The dialogue without model names, biases, outcome and the moderator's reason."""
    turns = tuple(turn for turn in dialogue.turns if turn.speaker != "moderator")
    return RatedDialogue(
        case=dialogue.case,
        turns=turns,
        n_interactions=dialogue.n_interactions,
        has_measurement=any(turn.speaker == "measurement" for turn in turns),
    )


@dataclass(frozen=True)
class CheckedDiagnosis:
    """The two diagnoses to compare, and nothing else: what the moderator saw."""

    given: str
    correct: str


def make_diagnosis_pair_to_check(dialogue: Dialogue, case: Case) -> CheckedDiagnosis:
    """What a clinician compares.

    Raises:
        InvalidInput: no diagnosis was given.
    """
    if not dialogue.diagnosis.strip():
        raise InvalidInput("No diagnosis was given in this dialogue.", hint="Choose another one.")
    return CheckedDiagnosis(dialogue.diagnosis, case.diagnosis)


# -- the tasks ---------------------------------------------------------------------------------


_RATED = {
    "doctor": "The doctor",
    "patient": "The patient",
    "measurement": "The measurement",
    "empathy": "The doctor's empathy",
}


# A mark as one line of a table cell: "turn 3, fixation: never asks about travel".
_LINE = re.compile(r"turn (\d+), ([a-z_]+)(?:: (.*))?")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DialogueRealismTask(Task):
    """The task of rating a dialogue and marking its turns."""

    name: str = REALISM
    reveals: str = "who played and how it ended"
    study: str = STUDY
    item_kind: str = DIALOGUE_KIND
    requires: str = "$.turns[0].n"
    length_at: str = "$.turns"
    title: str = "Rate dialogues"
    question: str = "How realistic are the doctor, the patient and the results?"
    guidelines: Sequence[str] = field(default_factory=lambda: shipped_guideline_versions(REALISM))
    worked_example: str = field(default_factory=lambda: shipped_worked_example_text(REALISM))
    value: type[BaseModel] = Realism
    level: Level = "ordinal"
    scales: Mapping[str, tuple[int, ...]] = field(
        default_factory=lambda: dict.fromkeys(map(str, SCALE_QUESTIONS), tuple(range(1, 11)))
    )

    def values_compared_for_agreement(self, value: Realism) -> Mapping[str, Any]:
        """The scores."""
        return value.scores_by_name_of_scale()

    def problems_of_answer(self, value: Realism, item: Body) -> list[str]:
        """Marks out of place and scores that are missing."""
        faults = _misplaced(value, item)
        measured = any(turn["speaker"] == "measurement" for turn in item.get("turns", ()))
        for scale, score in value.scores_by_name_of_scale().items():
            if score is None and (scale != "measurement" or measured):
                faults.append(f"{_RATED[scale]} {UNSCORED}")
        return faults

    def problems_of_draft(self, value: Realism, item: Body) -> list[str]:
        """Marks out of place."""
        return _misplaced(value, item)

    def answer_as_columns(self, value: Realism) -> Mapping[str, Any]:
        """Scores and comments, and the marks as lines of one cell."""
        fields = value.model_dump(exclude={"marks"})
        lines = [
            f"turn {mark.turn}, {mark.mark}" + (f": {mark.comment}" if mark.comment else "")
            for mark in value.marks
        ]
        return {**fields, "marks": "\n".join(lines)}

    def answer_from_columns(self, row: Body) -> Realism:
        """Scores, comments and marks."""
        fields: dict[str, Any] = {
            name: cell_text(row, name)
            for name in Realism.model_fields
            if name not in (*SCALES, "marks")
        }
        for scale in SCALES:
            given = cell_text(row, scale)
            if given:
                fields[scale] = int(float(given)) if float(given).is_integer() else given
        marks = []
        for line in cell_text(row, "marks").splitlines():
            found = _LINE.fullmatch(line.strip())
            if found is None:
                raise InvalidInput(
                    f"marks must be lines like 'turn 3, fixation: why', not {line!r}."
                )
            marks.append(TurnMark(turn=int(found[1]), mark=found[2], comment=found[3] or ""))
        return Realism.model_validate({**fields, "marks": tuple(marks)})

    def does_answer_match_gold(self, value: Realism, expected: Body) -> bool:
        """Whether it is in the expected range (``{"doctor": [2, 5]}``), with all expected marks."""
        ranges = {scale: expected[scale] for scale in SCALES if scale in expected}
        scores = value.scores_by_name_of_scale()
        within = all(low <= (scores[scale] or 0) <= high for scale, (low, high) in ranges.items())
        given = {(mark.turn, mark.mark) for mark in value.marks}
        return within and {(turn, mark) for turn, mark in expected.get("marks", ())} <= given

    def make_gold_from_answer(self, value: Realism) -> Body:
        """Ratings two points or less from these match; marks are for each rater to find."""
        given = {
            scale: score
            for scale, score in value.scores_by_name_of_scale().items()
            if score is not None
        }
        return {scale: [max(1, score - 2), min(10, score + 2)] for scale, score in given.items()}

    @cached_property
    def model_answering_setup(self) -> ByModels:
        """Models answer in the form of a rater's answer."""
        return ByModels(
            shape=Realism,
            questions=_questions(),
            read=lambda said, _: Heard(said, said.comment),
            tokens=300,
        )


def _questions() -> str:
    """The questions for models about a dialogue."""
    scales = "\n".join(f"- {scale}: {text}" for scale, text in SCALE_QUESTIONS.items())
    marks = "\n".join(
        f"- {one.id}, on turns of the {' or '.join(one.speakers)}: {one.hint}" for one in MARKS
    )
    return (
        f"Rate from 1 (worst) to 10 (best), each with a comment of a sentence:\n{scales}\n"
        "Leave `measurement` null where nothing was measured. Say in `comment` what decides.\n\n"
        "Mark in `marks` every turn, by its number, that one of these fits:\n"
        f"{marks}"
    )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DiagnosisMatchTask(Task):
    """The task of checking the moderator: are two diagnoses the same disease?"""

    name: str = MATCH
    reveals: str = "who played and how it ended"
    study: str = STUDY
    item_kind: str = DIALOGUE_KIND
    requires: str = "diagnosis"
    title: str = "Check diagnoses"
    question: str = "Is this the same disease?"
    guidelines: Sequence[str] = field(default_factory=lambda: shipped_guideline_versions(MATCH))
    worked_example: str = field(default_factory=lambda: shipped_worked_example_text(MATCH))
    value: type[BaseModel] = DiagnosisMatch
    classes: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: {"same": ("yes", "no", "cannot_tell")}
    )
    form: Form | None = field(
        default_factory=lambda: make_one_question_form(
            "same", "Is this the same disease?", ("yes", "no", "cannot tell")
        )
    )
    word_in: str = "the moderator's agreement with clinicians and the accuracy corrected by it"

    def values_compared_for_agreement(self, value: DiagnosisMatch) -> Mapping[str, Any]:
        """The answer."""
        return {"same": value.same}

    def problems_of_answer(self, value: DiagnosisMatch, item: Body) -> list[str]:
        """No answer, or one without its reason."""
        faults = [] if value.same else ["Say yes, no or cannot tell."]
        if value.same == "cannot_tell" and not value.reason.strip():
            faults.append("Say why you cannot tell.")
        if not str(item.get("diagnosis") or "").strip():
            faults.append("No diagnosis was given in this dialogue: skip it.")
        return faults

    def answer_as_columns(self, value: DiagnosisMatch) -> dict[str, Any]:
        """The answer and its reason."""
        return {"same": value.same, "reason": value.reason}

    def answer_from_columns(self, row: Body) -> DiagnosisMatch:
        """The answer and its reason."""
        same = cell_text(row, "same").casefold().replace(" ", "_") or None
        return DiagnosisMatch.model_validate({"same": same, "reason": cell_text(row, "reason")})

    def does_answer_match_gold(self, value: DiagnosisMatch, expected: Body) -> bool:
        """Whether the answer is the expected one."""
        return bool(value.same == expected["same"])

    def make_gold_from_answer(self, value: DiagnosisMatch) -> Body:
        """The answer."""
        return {"same": value.same}


TASKS: dict[str, type[DialogueRealismTask] | type[DiagnosisMatchTask]] = {
    REALISM: DialogueRealismTask,
    MATCH: DiagnosisMatchTask,
}


def _misplaced(value: Realism, item: Body) -> list[str]:
    """Marks that cannot even be in a draft: unknown, on no turn, or on another speaker's turn."""
    speakers = {turn["n"]: turn["speaker"] for turn in item.get("turns", ())}
    found, seen = [], set()
    for one in value.marks:
        mark = _MARKS.get(one.mark)
        if mark is None:
            found.append(f"{one.mark!r} is not a mark.")
        elif one.turn not in speakers:
            found.append(f"There is no turn {one.turn}.")
        elif speakers[one.turn] not in mark.speakers:
            whose = " or ".join(mark.speakers)
            found.append(f"{mark.name} belongs on a turn of the {whose}, not on turn {one.turn}.")
        elif (one.turn, one.mark) in seen:
            found.append(f"Turn {one.turn} has the mark {mark.name} twice.")
        seen.add((one.turn, one.mark))
    return found
