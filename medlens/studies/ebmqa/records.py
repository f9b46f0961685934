"""The types of EBMQA: questions with their labels, and the vocabulary of the labels.

Source: Avnat et al. 2024, Methods ("Dataset generation", "QA labelling").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

STUDY = "ebmqa"
QUESTION_KIND = "ebmqa_question"
SET_KIND = "question_set"
IDK = "I do not know"
MOST_OPTIONS = 30

Kind = Literal["numeric", "semantic"]
Outcome = Literal["answered", "idk", "refused", "parse_failed", "error"]

OUTCOMES: tuple[Outcome, ...] = ("answered", "idk", "refused", "parse_failed", "error")
"""In the order of the numbers that the store keeps for them."""

SHARE_TYPES = (
    *("Sensitivity", "Specificity", "PPV", "NPV", "Prevalence", "Incidence", "Association"),
)
"""Their values lie from 0 to 1."""

RATIO_TYPES = ("Relative risk", "Risk factor", "Associated risk", "PLR", "NLR")
"""Their values may lie above 1, which means no effect."""

SEMANTIC_TYPE = "Semantic"
QA_TYPES = (*SHARE_TYPES, *RATIO_TYPES, SEMANTIC_TYPE)

LABELS: dict[str, str] = {
    "kind": "Numeric or semantic",
    "qa_type": "QA type",
    "subject_type": "Subject",
    "discipline": "Discipline",
    "prevalence": "Prevalence of the disorder",
    "length": "Length",
    "answer": "Answer",
    "source_type": "Type of the source",
    "target_type": "Type of the target",
    "background_type": "Type of the background",
    "disciplines": "Disciplines",
    "stratum": "Stratum of the benchmark",
}
"""The label columns of a question, and what people read over them."""

ORDERED: dict[str, tuple[str, ...]] = {
    "prevalence": ("rare", "common", "widespread"),
    "length": ("short", "medium", "long"),
    "answer": ("low", "middle", "high"),
}
"""Labels whose sub-labels have an order, and nothing else to say."""


class Evidence(BaseModel):
    """The sources' evidence for one answer: a numeric question's key, or one semantic option.

    ``value`` is the mean of the edges' middles, ``min`` and ``max`` the widest range they state (in
    the unit of the edges: shares from 0 to 1), ``edges`` the number of edges. Source: Avnat et al.
    2024, Appendix ("Numerical data and possible answers").
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    value: float
    min: float
    max: float
    edges: int = Field(default=1, ge=1)
    citations: tuple[str, ...] = ()


class Question(BaseModel):
    """A question as stored.

    ``options`` leave out "I do not know", which is always possible; numeric ones are sorted from
    high to low, semantic ones alphabetically. ``correct`` are their positions, from 0. ``value`` is
    the evidence's value, ``words`` the length of question, instruction and options in words.
    ``evidence`` has one entry for a numeric question, one per option for a semantic one, or none at
    all.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    kind: Kind
    qa_type: str = Field(min_length=1)
    question: str = Field(min_length=1)
    options: tuple[str, ...] = Field(min_length=2, max_length=MOST_OPTIONS)
    correct: tuple[int, ...] = Field(min_length=1)
    source: str | None = None
    target: str | None = None
    background: str | None = None
    source_type: str | None = None
    target_type: str | None = None
    background_type: str | None = None
    subject_type: str | None = None
    disciplines: str | None = None
    discipline: str | None = None
    prevalence: str | None = None
    length: str | None = None
    answer: str | None = None
    words: int | None = Field(default=None, ge=0, le=1_000_000)
    value: float | None = None
    stratum: str | None = None
    evidence: tuple[Evidence, ...] = ()

    @model_validator(mode="after")
    def _answerable(self) -> Question:
        if any(not text.strip() for text in self.options):
            raise ValueError("an option has no text")
        if len({text.casefold().strip() for text in self.options}) < len(self.options):
            raise ValueError("an option is there twice")
        if any(not 0 <= place < len(self.options) for place in self.correct):
            raise ValueError("a correct answer is not among the options")
        if len(set(self.correct)) == len(self.options):
            raise ValueError("all options are correct")
        if self.kind == "numeric" and len(set(self.correct)) > 1:
            raise ValueError("a numeric question has one correct answer")
        if len(self.evidence) not in (0, 1 if self.kind == "numeric" else len(self.options)):
            raise ValueError("the evidence is for a different number of answers")
        return self

    @property
    def mask_of_correct_options(self) -> int:
        """The correct options as a bit mask: bit 0 is the first."""
        return bit_mask_of_positions(self.correct)


def bit_mask_of_positions(places: Sequence[int]) -> int:
    """Positions of options, from 0, as a bit mask."""
    return sum(1 << place for place in set(places))


def positions_in_bit_mask(mask: int) -> tuple[int, ...]:
    """The positions in a bit mask, ascending, from 0."""
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)
