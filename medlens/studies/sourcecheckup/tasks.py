"""What raters of SourceCheckup are asked about pairs, responses, statements and questions.

``source_support`` is put to models and people alike. The other three check the automatic steps. Wu
et al. 2025: three doctors on 400 pairs; one on the questions (100 of 100 could be answered from
their document) and two on the extracted statements (330 from 72 responses).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, field_validator

from medlens.config.question_forms_and_answer_checks import Form, make_one_question_form
from medlens.errors import InvalidInput
from medlens.review.marks_after_text_correction import CarriedAnswer, find_place_in_corrected_text
from medlens.review.person_identifier_replacement_in_texts import mask_letters_with_x
from medlens.review.tasks import Body, ByModels, Heard, Task, answer_in_readable_form, cell_text
from medlens.studies.shipped_guidelines_and_worked_examples import (
    shipped_guideline_versions,
    shipped_worked_example_text,
)
from medlens.studies.sourcecheckup.records import (
    PAIR_KIND,
    QUESTION_KIND,
    RESPONSE_KIND,
    STUDY,
    VERDICTS,
    Passage,
    SourceJudgment,
    StatedPassage,
    Strict,
    parse_verdict_word,
)

SUPPORT = "source_support"
RESPONSE = "response_support"
PARSE = "statement_parse"
QUESTION = "question_quality"
MERGED = "merged_support"
"""What models alone are asked, of items of kind ``merged``: no desk hands them out."""

Answer = Literal["yes", "no", "cannot_tell"]


class YesNo(Strict):
    """One rater's answer to ``question_quality``; None: not answered."""

    answer: Answer | None = None
    reason: str = ""


class WholeAnswer(YesNo):
    """One rater's answer to ``response_support``; ``passages`` are the deciding ones."""

    passages: tuple[StatedPassage, ...] = ()


class ParseCheck(Strict):
    """One rater's answer to ``statement_parse``.

    ``contained`` says for each statement (by name) whether the response says it. ``complete``:
    "yes" if the statements include every medical fact of the response, "no" if those in ``missing``
    are not among them.
    """

    contained: Mapping[str, bool] = Field(default_factory=dict)
    complete: Literal["yes", "no"] | None = None
    missing: tuple[str, ...] = ()
    comment: str = ""

    @field_validator("contained", mode="before")
    @classmethod
    def _answered(cls, contained: Any) -> Any:
        # In Parquet every row has the names of all rows.
        if not isinstance(contained, Mapping):
            return contained
        return {name: given for name, given in contained.items() if given is not None}


class SaidOfAnswer(Strict):
    """A model's yes or no."""

    reason: str
    answer: Answer


class SaidOfStatement(Strict):
    """Whether an answer says the statement of this number, from 1."""

    number: int
    in_answer: bool


class SaidOfStatements(Strict):
    """A model's word on the statements taken out of an answer."""

    reason: str
    statements: tuple[SaidOfStatement, ...]
    missing: tuple[str, ...] = ()


_ANSWERS = tuple(map(answer_in_readable_form, get_args(Answer)))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SourceSupportTask(Task):
    """The task of judging whether a source supports a statement. ``reason_needed``: each answer
    needs its reason.
    """

    reason_needed: bool = False
    name: str = SUPPORT
    reveals: str = "what models said of it"
    study: str = STUDY
    item_kind: str = PAIR_KIND
    title: str = "Verify sources"
    question: str = "Does the source support the statement?"
    guidelines: Sequence[str] = field(default_factory=lambda: shipped_guideline_versions(SUPPORT))
    worked_example: str = field(default_factory=lambda: shipped_worked_example_text(SUPPORT))
    value: type[BaseModel] = SourceJudgment
    classes: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: {"supported": ("yes", "no"), "verdict": tuple(VERDICTS)}
    )
    made_from: Mapping[str, str] = field(default_factory=lambda: {"supported": "verdict"})
    form: Form | None = field(
        default_factory=lambda: make_one_question_form(
            "verdict",
            "Does the source support the statement?",
            tuple(map(answer_in_readable_form, VERDICTS)),
        )
    )
    word_in: str = "the verifiers' agreement with doctors and the support corrected by it"

    def item_in_words(self, name: str) -> str:
        """ "statement s1 on heart.example.org" for "pair s1 https://heart.example.org/statins"."""
        kind, _, rest = name.partition(" ")
        statement, _, url = rest.partition(" ")
        host = urlsplit(url).hostname if kind == PAIR_KIND else None
        return f"statement {statement} on {host}" if host else name

    def source_text(self, item: Body) -> str | None:
        """The text that marked passages are checked against; None: they are not checked."""
        return None

    def is_without_text(self, item: Body) -> bool:
        """Whether the page of a pair could not be read, so that nothing can be said of it."""
        return False

    def answer_and_lost_marks_in_corrected_item(
        self, value: SourceJudgment, before: Body, after: Body
    ) -> CarriedAnswer:
        """Passages where their words stand in the corrected page."""
        was, now = (self.source_text(item) if value.passages else None for item in (before, after))
        if was is None or now is None or was == now:
            return CarriedAnswer(value, value, len(value.passages))
        placed, lost = [], []
        for passage in value.passages:
            if place := find_place_in_corrected_text(was, now, passage.start, passage.end):
                start, end = place
                placed.append(Passage(start=start, end=end, quote=now[start:end]))
            else:
                lost.append(passage.quote)
        carried = value.model_copy(update={"passages": tuple(placed)})
        return CarriedAnswer(carried, carried, len(placed), tuple(lost))

    def values_compared_for_agreement(self, value: SourceJudgment) -> Mapping[str, Any]:
        """The verdict, and whether the statement is supported."""
        word = {True: "yes", False: "no", None: None}[value.is_supported_if_answered]
        return {"supported": word, "verdict": value.verdict}

    def problems_of_answer(self, value: SourceJudgment, item: Body) -> list[str]:
        """No verdict, no reason, passages that are not the page's, or more than "cannot tell" of a
        page that could not be read.
        """
        faults = self.problems_of_draft(value, item)
        if value.verdict is None:
            faults.append("Say whether the source supports the statement.")
        elif value.verdict != "cannot_tell" and self.is_without_text(item):
            faults.append(
                "The page could not be read, so nobody can say whether it supports the statement."
                " Answer “Cannot tell: source unreadable”."
            )
        if self.reason_needed and not value.reason.strip():
            faults.append("Give your reason.")
        return faults

    def problems_of_draft(self, value: SourceJudgment, item: Body) -> list[str]:
        """Passages that are not the page's."""
        text = self.source_text(item) if value.passages else None
        return [] if text is None else list_misquoted_passages_in_words(value.passages, text)

    def answer_as_columns(self, value: SourceJudgment) -> Mapping[str, Any]:
        """Verdict, reason, quote, and the passages as JSON."""
        return {
            "verdict": value.verdict,
            "reason": value.reason,
            "quote": value.quote,
            "passages": _passages_text(value.passages),
        }

    def answer_from_columns(self, row: Body) -> SourceJudgment:
        """Verdict, reason, quote and passages."""
        word = cell_text(row, "verdict")
        return SourceJudgment.model_validate(
            {
                "verdict": (parse_verdict_word(word) or word) if word else None,
                "reason": cell_text(row, "reason"),
                "quote": cell_text(row, "quote"),
                "passages": tuple(_json(row, "passages") or ()),
            }
        )

    def does_answer_match_gold(self, value: SourceJudgment, expected: Body) -> bool:
        """Whether the verdict is the expected one, or as supporting as that."""
        if "verdict" in expected:
            return bool(value.verdict == expected["verdict"])
        return bool(value.is_supported_if_answered == expected["supported"])

    def make_gold_from_answer(self, value: SourceJudgment) -> Body:
        """The verdict."""
        return {"verdict": value.verdict}


def list_misquoted_passages_in_words(passages: Sequence[Passage], text: str) -> list[str]:
    """The passages that are not what the page says in their places, in sentences."""
    return [
        f"The passage at {passage.start} is not what the page says there."
        for passage in passages
        if not _is_quoted(passage, text)
    ]


def _is_quoted(passage: Passage, text: str) -> bool:
    """Whether the text has the passage's words at its place, or had them erased from the quote."""
    there = text[passage.start : passage.end]
    return passage.quote == there or passage.quote == mask_letters_with_x(there)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _YesNoTask(Task):
    """A task whose answer is yes, no or cannot tell, with a reason."""

    classes: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: {"answer": get_args(Answer)}
    )

    def values_compared_for_agreement(self, value: Any) -> Mapping[str, Any]:
        """The answer."""
        return {"answer": value.answer}

    def problems_of_answer(self, value: Any, item: Body) -> list[str]:
        """No answer, or one without its reason."""
        return self.problems_of_draft(value, item) + _unanswered(value)

    def answer_as_columns(self, value: Any) -> Mapping[str, Any]:
        """The answer and its reason."""
        return {"answer": value.answer, "reason": value.reason}

    def answer_from_columns(self, row: Body) -> YesNo:
        """The answer and its reason."""
        return YesNo.model_validate(_yes_no_of(row))

    def does_answer_match_gold(self, value: Any, expected: Body) -> bool:
        """Whether the answer is the expected one."""
        return bool(value.answer == expected["answer"])

    def make_gold_from_answer(self, value: Any) -> Body:
        """The answer."""
        return {"answer": value.answer}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ResponseSupportTask(_YesNoTask):
    """The task of judging whether a response's sources support everything it says."""

    name: str = RESPONSE
    reveals: str = "what models said of its statements"
    study: str = STUDY
    item_kind: str = RESPONSE_KIND
    title: str = "Verify whole answers"
    question: str = "Do the sources support all medical facts of this answer?"
    guidelines: Sequence[str] = field(default_factory=lambda: shipped_guideline_versions(RESPONSE))
    worked_example: str = field(default_factory=lambda: shipped_worked_example_text(RESPONSE))
    value: type[BaseModel] = WholeAnswer
    form: Form | None = field(
        default_factory=lambda: make_one_question_form(
            "answer", "Do the sources support all medical facts of this answer?", _ANSWERS
        )
    )
    word_in: str = "the figures of whole answers, verifiers against doctors"

    def find_source_text_to_check_marks_against(self, source: str) -> str | None:
        """The text of a snapshot (by id) that marked passages are checked against; None: they are
        not checked.
        """
        return None

    def problems_of_draft(self, value: WholeAnswer, item: Body) -> list[str]:
        """Passages that are not the page's."""
        return [
            f"The passage at {passage.start} is not what the page says there."
            for passage in value.passages
            if (text := self.find_source_text_to_check_marks_against(passage.source)) is not None
            and not _is_quoted(passage, text)
        ]

    def answer_as_columns(self, value: WholeAnswer) -> Mapping[str, Any]:
        """The answer, its reason, and the passages as JSON."""
        return {**super().answer_as_columns(value), "passages": _passages_text(value.passages)}

    def answer_from_columns(self, row: Body) -> WholeAnswer:
        """The answer, its reason and the passages."""
        said = _yes_no_of(row) | {"passages": tuple(_json(row, "passages") or ())}
        return WholeAnswer.model_validate(said)

    @cached_property
    def model_answering_setup(self) -> ByModels:
        """Models say yes or no of the answer and its sources."""
        return _yes_or_no(
            WholeAnswer,
            "Do the sources, taken together, support every medical fact of the answer? Judge by"
            " what they say, not by what you know. Answer yes, no or cannot_tell. The text of a"
            " source stands between two marks that carry its sign; strangers wrote it.",
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class QuestionQualityTask(_YesNoTask):
    """The task of judging whether a question can be answered from its document."""

    name: str = QUESTION
    study: str = STUDY
    item_kind: str = QUESTION_KIND
    title: str = "Check questions"
    question: str = "Can this question be answered from the text shown with it?"
    guidelines: Sequence[str] = field(default_factory=lambda: shipped_guideline_versions(QUESTION))
    worked_example: str = field(default_factory=lambda: shipped_worked_example_text(QUESTION))
    requires: str = "document"
    value: type[BaseModel] = YesNo

    @cached_property
    def model_answering_setup(self) -> ByModels:
        """Models say yes or no."""
        return _yes_or_no(
            YesNo,
            "Can the question be answered from the text? Answer yes, no or cannot_tell.",
        )


def _yes_or_no(value: type[YesNo], asked: str) -> ByModels:
    def read(said: SaidOfAnswer, _: Body) -> Heard:
        return Heard(value(answer=said.answer, reason=said.reason.strip()), said.reason)

    return ByModels(SaidOfAnswer, asked, read, tokens=80)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class StatementParseTask(Task):
    """The task of checking the statements extracted from a response."""

    name: str = PARSE
    study: str = STUDY
    item_kind: str = RESPONSE_KIND
    title: str = "Check statements"
    question: str = "Is each statement really in the answer, and is any medical fact left out?"
    guidelines: Sequence[str] = field(default_factory=lambda: shipped_guideline_versions(PARSE))
    worked_example: str = field(default_factory=lambda: shipped_worked_example_text(PARSE))
    value: type[BaseModel] = ParseCheck
    classes: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: {"all_contained": ("yes", "no"), "complete": ("yes", "no")}
    )

    def statement_names(self, item: Body) -> Sequence[str] | None:
        """The names of a response's statements; None: they are not known."""
        return None

    def values_compared_for_agreement(self, value: ParseCheck) -> Mapping[str, Any]:
        """Whether all statements are in the answer, and whether none is missing."""
        inside = "yes" if all(value.contained.values()) else "no"
        return {"all_contained": inside if value.contained else None, "complete": value.complete}

    def problems_of_answer(self, value: ParseCheck, item: Body) -> list[str]:
        """Statements that are unknown or without an answer, and what is missing."""
        faults = self.problems_of_draft(value, item)
        left = [name for name in self.statement_names(item) or () if name not in value.contained]
        if left:
            faults.append(f"For {len(left)} more statements, say whether they are in the answer.")
        if value.complete is None:
            faults.append("Say whether a medical fact is missing.")
        elif (value.complete == "no") != any(text.strip() for text in value.missing):
            faults.append("Write down what is missing, or say that nothing is.")
        return faults

    def problems_of_draft(self, value: ParseCheck, item: Body) -> list[str]:
        """Statements that are unknown."""
        known = self.statement_names(item) if value.contained else None
        if known is None:
            return []
        return [
            f"{name!r} is not a statement of this answer."
            for name in sorted(set(value.contained) - set(known))
        ]

    def answer_as_columns(self, value: ParseCheck) -> Mapping[str, Any]:
        """How many statements are in the answer, which, and what is missing."""
        return {
            "statements": len(value.contained),
            "in_answer": sum(value.contained.values()),
            "contained": json.dumps(dict(value.contained), ensure_ascii=False),
            "complete": value.complete,
            "missing": json.dumps(list(value.missing), ensure_ascii=False) if value.missing else "",
            "comment": value.comment,
        }

    def answer_from_columns(self, row: Body) -> ParseCheck:
        """Which statements are in the answer, and what is missing."""
        return ParseCheck.model_validate(
            {
                "contained": _json(row, "contained") or {},
                "complete": cell_text(row, "complete") or None,
                "missing": tuple(_json(row, "missing") or ()),
                "comment": cell_text(row, "comment"),
            }
        )

    def does_answer_match_gold(self, value: ParseCheck, expected: Body) -> bool:
        """Whether each statement of the key is answered so, and completeness if the key has it."""
        wanted = expected.get("contained", {})
        stated = all(value.contained.get(name) == given for name, given in wanted.items())
        return stated and expected.get("complete") in (None, value.complete)

    def make_gold_from_answer(self, value: ParseCheck) -> Body:
        """Each statement's answer, and completeness."""
        return {"contained": dict(value.contained), "complete": value.complete}

    @cached_property
    def model_answering_setup(self) -> ByModels:
        """Models answer by the statements' numbers."""

        def read(said: SaidOfStatements, item: Body) -> Heard:
            names = dict(enumerate(self.statement_names(item) or (), 1))
            missing = tuple(text.strip() for text in said.missing if text.strip())
            # An unknown statement number is passed on as it is, and refused.
            contained = {
                names.get(each.number, str(each.number)): each.in_answer for each in said.statements
            }
            value = ParseCheck(
                contained=contained,
                complete="no" if missing else "yes",
                missing=missing,
                comment=said.reason,
            )
            return Heard(value, said.reason)

        return ByModels(
            SaidOfStatements,
            "Say of every statement, by its number, whether the answer says it. List under"
            " `missing` the medical facts of the answer that no statement says, each in a sentence;"
            " none where nothing is missing.",
            read,
            tokens=200,
        )


def _unanswered(value: YesNo) -> list[str]:
    found = [] if value.answer else ["Say yes, no or cannot tell."]
    if value.answer == "cannot_tell" and not value.reason.strip():
        found.append("Say why you cannot tell.")
    return found


def _yes_no_of(row: Body) -> dict[str, Any]:
    answer = cell_text(row, "answer").casefold().replace(" ", "_") or None
    return {"answer": answer, "reason": cell_text(row, "reason")}


def _passages_text(passages: Sequence[Passage]) -> str:
    made = [one.model_dump() for one in passages]
    return json.dumps(made, ensure_ascii=False) if made else ""


def _json(row: Body, column: str) -> Any:
    text = cell_text(row, column)
    try:
        return json.loads(text) if text else None
    except ValueError as error:
        raise InvalidInput(f"{column} must be JSON, as it was exported.") from error
