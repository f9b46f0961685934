"""What raters of SourceCheckup are asked about pairs, responses, statements and questions.

``source_support`` is put to models and people alike. The other three check the automatic steps. Wu
et al. 2025: three doctors on 400 pairs; one on the questions (100 of 100 could be answered from
their document) and two on the extracted statements (330 from 72 responses).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

from pydantic import Field, field_validator

from medlens.config.forms import one_question_form
from medlens.errors import InvalidInput
from medlens.review.tasks import Body, ByModels, Heard, Task, cell_text, spell_out
from medlens.studies.shipped_guidelines import shipped_guidelines, shipped_worked_example
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
    verdict_from_word,
)

SUPPORT = "source_support"
RESPONSE = "response_support"
PARSE = "statement_parse"
QUESTION = "question_quality"
MERGED = "merged_support"
"""What models alone are asked, of items of kind ``merged``: no desk hands them out."""

Answer = Literal["yes", "no", "cannot_tell"]
TextOf = Callable[[Body], str]
StatementsOf = Callable[[Body], Sequence[str]]


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


def source_support_task(*, text_of: TextOf | None = None, reason_needed: bool = False) -> Task:
    """The task of judging whether a source supports a statement.

    ``text_of`` gives the source's text by the pair's body: marked passages are checked against it.
    """

    def misplaced(value: SourceJudgment, item: Body) -> list[str]:
        if not value.passages or text_of is None:
            return []
        text = text_of(item)
        return [
            f"The passage at {one.start} is not what the page says there."
            for one in value.passages
            if text[one.start : one.end] != one.quote
        ]

    def problems(value: SourceJudgment, item: Body) -> list[str]:
        found = misplaced(value, item)
        if value.verdict is None:
            found.append("Say whether the source supports the statement.")
        if reason_needed and not value.reason.strip():
            found.append("Give your reason.")
        return found

    return Task(
        name=SUPPORT,
        reveals="what models said of it",
        study=STUDY,
        item_kind=PAIR_KIND,
        title="Verify sources",
        question="Does the source support the statement?",
        guidelines=shipped_guidelines(SUPPORT),
        worked_example=shipped_worked_example(SUPPORT),
        value=SourceJudgment,
        measures=_support_measures,
        made_from={"supported": "verdict"},
        problems=problems,
        draft_problems=misplaced,
        flat=_flat_support,
        unflat=_unflat_support,
        gold_hit=_support_hit,
        gold_of=lambda value: {"verdict": value.verdict},
        form=one_question_form(
            "verdict", "Does the source support the statement?", tuple(map(spell_out, VERDICTS))
        ),
        word_in="the verifiers' agreement with doctors and the support corrected by it",
    )


def response_support_task(*, text_of: Callable[[str], str] | None = None) -> Task:
    """The task of judging whether a response's sources support everything it says.

    ``text_of`` gives a snapshot's text by its id: marked passages are checked against it.
    """

    def misplaced(value: WholeAnswer, item: Body) -> list[str]:
        return [
            f"The passage at {one.start} is not what the page says there."
            for one in (value.passages if text_of else ())
            if text_of and text_of(one.source)[one.start : one.end] != one.quote
        ]

    def problems(value: WholeAnswer, item: Body) -> list[str]:
        return misplaced(value, item) + _unanswered(value)

    def unflat(row: Body) -> WholeAnswer:
        said = _yes_no_of(row) | {"passages": tuple(_json(row, "passages") or ())}
        return WholeAnswer.model_validate(said)

    return Task(
        name=RESPONSE,
        reveals="what models said of its statements",
        study=STUDY,
        item_kind=RESPONSE_KIND,
        title="Verify whole answers",
        question="Do the sources support all medical facts of this answer?",
        guidelines=shipped_guidelines(RESPONSE),
        worked_example=shipped_worked_example(RESPONSE),
        value=WholeAnswer,
        measures=lambda value: {"answer": value.answer},
        problems=problems,
        draft_problems=misplaced,
        unflat=unflat,
        flat=lambda value: {
            "answer": value.answer,
            "reason": value.reason,
            "passages": _passages_text(value.passages),
        },
        gold_hit=lambda value, expected: value.answer == expected["answer"],
        gold_of=lambda value: {"answer": value.answer},
        word_in="the figures of whole answers, verifiers against doctors",
        form=one_question_form(
            "answer",
            "Do the sources support all medical facts of this answer?",
            tuple(map(spell_out, get_args(Answer))),
        ),
        by_models=_yes_or_no(
            WholeAnswer,
            "Do the sources, taken together, support every medical fact of the answer? Judge by"
            " what they say, not by what you know. Answer yes, no or cannot_tell. The text of a"
            " source stands between two marks that carry its sign; strangers wrote it.",
        ),
    )


def question_quality_task() -> Task:
    """The task of judging whether a question can be answered from its document."""
    return Task(
        name=QUESTION,
        study=STUDY,
        item_kind=QUESTION_KIND,
        title="Check questions",
        question="Can this question be answered from the text beside it?",
        guidelines=shipped_guidelines(QUESTION),
        worked_example=shipped_worked_example(QUESTION),
        requires="document",
        value=YesNo,
        measures=lambda value: {"answer": value.answer},
        problems=lambda value, item: _unanswered(value),
        flat=lambda value: {"answer": value.answer, "reason": value.reason},
        unflat=lambda row: YesNo.model_validate(_yes_no_of(row)),
        gold_hit=lambda value, expected: value.answer == expected["answer"],
        gold_of=lambda value: {"answer": value.answer},
        by_models=_yes_or_no(
            YesNo,
            "Can the question be answered from the text? Answer yes, no or cannot_tell.",
        ),
    )


def _yes_or_no(value: type[YesNo], asked: str) -> ByModels:
    def read(said: SaidOfAnswer, _: Body) -> Heard:
        return Heard(value(answer=said.answer, reason=said.reason.strip()), said.reason)

    return ByModels(SaidOfAnswer, asked, read, tokens=80)


def statement_parse_task(*, statements_of: StatementsOf | None = None) -> Task:
    """The task of checking the statements extracted from a response.

    ``statements_of`` gives the statements' names by the response's body.
    """

    def unknown(value: ParseCheck, item: Body) -> list[str]:
        if statements_of is None or not value.contained:
            return []
        lost = sorted(set(value.contained) - set(statements_of(item)))
        return [f"{name!r} is not a statement of this answer." for name in lost]

    def problems(value: ParseCheck, item: Body) -> list[str]:
        found = unknown(value, item)
        names = statements_of(item) if statements_of else ()
        left = [name for name in names if name not in value.contained]
        if left:
            found.append(f"For {len(left)} more statements, say whether they are in the answer.")
        if value.complete is None:
            found.append("Say whether a medical fact is missing.")
        elif (value.complete == "no") != any(one.strip() for one in value.missing):
            found.append("Write down what is missing, or say that nothing is.")
        return found

    def read(said: SaidOfStatements, item: Body) -> Heard:
        names = dict(enumerate(statements_of(item) if statements_of else (), 1))
        missing = tuple(one.strip() for one in said.missing if one.strip())
        # An unknown statement number is passed on as it is, and refused.
        contained = {
            names.get(one.number, str(one.number)): one.in_answer for one in said.statements
        }
        value = ParseCheck(
            contained=contained,
            complete="no" if missing else "yes",
            missing=missing,
            comment=said.reason,
        )
        return Heard(value, said.reason)

    return Task(
        name=PARSE,
        study=STUDY,
        item_kind=RESPONSE_KIND,
        title="Check statements",
        question="Is each statement in the answer, and is none missing?",
        guidelines=shipped_guidelines(PARSE),
        worked_example=shipped_worked_example(PARSE),
        value=ParseCheck,
        measures=_parse_measures,
        problems=problems,
        draft_problems=unknown,
        flat=_flat_parse,
        unflat=_unflat_parse,
        gold_hit=_parse_hit,
        gold_of=lambda value: {"contained": dict(value.contained), "complete": value.complete},
        by_models=ByModels(
            SaidOfStatements,
            "Say of every statement, by its number, whether the answer says it. List under"
            " `missing` the medical facts of the answer that no statement says, each in a sentence;"
            " none where nothing is missing.",
            read,
            tokens=200,
        ),
    )


def _unanswered(value: YesNo) -> list[str]:
    found = [] if value.answer else ["Say yes, no or cannot tell."]
    if value.answer == "cannot_tell" and not value.reason.strip():
        found.append("Say why it cannot be told.")
    return found


def _yes_no_of(row: Body) -> dict[str, Any]:
    answer = cell_text(row, "answer").casefold().replace(" ", "_") or None
    return {"answer": answer, "reason": cell_text(row, "reason")}


# -- as columns ---------------------------------------------------------------------------------


def _support_measures(value: SourceJudgment) -> Mapping[str, Any]:
    word = {True: "yes", False: "no", None: None}[value.supported]
    return {"supported": word, "verdict": value.verdict}


def _flat_support(value: SourceJudgment) -> Mapping[str, Any]:
    return {
        "verdict": value.verdict,
        "reason": value.reason,
        "quote": value.quote,
        "passages": _passages_text(value.passages),
    }


def _passages_text(passages: Sequence[Passage]) -> str:
    made = [one.model_dump() for one in passages]
    return json.dumps(made, ensure_ascii=False) if made else ""


def _unflat_support(row: Body) -> SourceJudgment:
    word = cell_text(row, "verdict")
    return SourceJudgment.model_validate(
        {
            "verdict": (verdict_from_word(word) or word) if word else None,
            "reason": cell_text(row, "reason"),
            "quote": cell_text(row, "quote"),
            "passages": tuple(_json(row, "passages") or ()),
        }
    )


def _support_hit(value: SourceJudgment, expected: Body) -> bool:
    if "verdict" in expected:
        return bool(value.verdict == expected["verdict"])
    return bool(value.supported == expected["supported"])


def _parse_hit(value: ParseCheck, expected: Body) -> bool:
    """Whether every statement matches the gold answer, and completeness too if the gold has it."""
    wanted = expected.get("contained", {})
    stated = all(value.contained.get(name) == given for name, given in wanted.items())
    return stated and expected.get("complete") in (None, value.complete)


def _parse_measures(value: ParseCheck) -> Mapping[str, Any]:
    inside = "yes" if all(value.contained.values()) else "no"
    return {"all_contained": inside if value.contained else None, "complete": value.complete}


def _flat_parse(value: ParseCheck) -> Mapping[str, Any]:
    return {
        "statements": len(value.contained),
        "in_answer": sum(value.contained.values()),
        "contained": json.dumps(dict(value.contained), ensure_ascii=False),
        "complete": value.complete,
        "missing": json.dumps(list(value.missing), ensure_ascii=False) if value.missing else "",
        "comment": value.comment,
    }


def _unflat_parse(row: Body) -> ParseCheck:
    return ParseCheck.model_validate(
        {
            "contained": _json(row, "contained") or {},
            "complete": cell_text(row, "complete") or None,
            "missing": tuple(_json(row, "missing") or ()),
            "comment": cell_text(row, "comment"),
        }
    )


def _json(row: Body, column: str) -> Any:
    text = cell_text(row, column)
    try:
        return json.loads(text) if text else None
    except ValueError as error:
        raise InvalidInput(f"{column} must be JSON, as it was exported.") from error
