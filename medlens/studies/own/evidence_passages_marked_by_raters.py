"""Passages of a source that raters mark as evidence: how they are kept, checked, counted,
compared.

An answer is a text: the passages as JSON, each with its position in the source (in characters, from
0) and its words, or ``NO_PASSAGE`` if the rater means no sentence of the source.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, NonNegativeInt, TypeAdapter, ValidationError

from medlens.config.question_forms_and_answer_checks import EVIDENCE, NO_PASSAGE, Form, Question
from medlens.deferred_module import np, pd
from medlens.review.marks_after_text_correction import find_place_in_corrected_text
from medlens.stats.estimate import Estimate
from medlens.stats.span_agreement import RaterMarks, estimate_mean_span_f1_between_raters

FOUND, NOT_FOUND = "passages marked", "no passage"
"""What is counted of an answer."""
QUOTES = "quotes"
"""The end of the name of the column with an answer's words, after the answer's own in exports."""


class Passage(BaseModel):
    """Words of a source and their position, half open: ``source[start:end] == quote``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: NonNegativeInt
    end: NonNegativeInt
    quote: str


_PASSAGES = TypeAdapter(tuple[Passage, ...])


def evidence_questions_by_id(form: Form) -> dict[str, Question]:
    """The questions of a form that are answered by marking a source, by id."""
    return {one.id: one for one in form.questions if one.kind == EVIDENCE}


def parse_passages_of_answer(answer: Any) -> tuple[Passage, ...]:
    """The passages of an answer; empty if it has none or cannot be read."""
    try:
        return _read(str(answer)) if answer not in (None, "", NO_PASSAGE) else ()
    except ValidationError:
        return ()


def _read(text: str) -> tuple[Passage, ...]:
    found = {(one.start, one.end): one for one in _PASSAGES.validate_json(text)}
    return tuple(found[place] for place in sorted(found))


def passages_as_json_answer(passages: Iterable[Passage]) -> str:
    """Passages as an answer."""
    found = [one.model_dump() for one in passages]
    # Same form as a browser writes.
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) if found else NO_PASSAGE


def normalise_passages_of_answer(text: str) -> str:
    """An answer as it is stored: each passage once, in the order of the source. Anything that is
    not an answer stays as it is, to be refused when its source is known.
    """
    try:
        return text if text in ("", NO_PASSAGE) else passages_as_json_answer(_read(text))
    except ValidationError:
        return text


def list_misplaced_passages_in_words(
    form: Form, answers: Mapping[str, Any], body: Mapping[str, Any]
) -> list[str]:
    """Passages that cannot even be a draft because they are not the source's words, as
    sentences.
    """
    found = []
    for name, one in evidence_questions_by_id(form).items():
        answer = answers.get(name)
        if answer in (None, "", NO_PASSAGE):
            continue
        passages, source = parse_passages_of_answer(answer), str(body.get(one.column, ""))
        if not passages:
            found.append(f"{one.text} – the marked passages cannot be read.")
        for passage in passages:
            if not passage.quote.strip() or source[passage.start : passage.end] != passage.quote:
                found.append(f"{one.text} – a marked passage is not in the source.")
                break
    return found


def move_passages_to_corrected_source(
    passages: Iterable[Passage], before: str, after: str
) -> tuple[Passage, ...]:
    """Passages of a source where they stand in the corrected source; those whose words are gone are
    left out.
    """
    found = []
    for passage in passages:
        if place := find_place_in_corrected_text(before, after, passage.start, passage.end):
            found.append(passage.model_copy(update={"start": place[0], "end": place[1]}))
    return tuple(found)


def answer_from_quotes_and_list_of_matches(
    source: str, quotes: Sequence[str]
) -> tuple[str | None, list[str]]:
    """A model's quotes from a source as an answer, None if none of them can be found; and how each
    was found.
    """
    # Only a model quotes, and the rules for quotes take long to load.
    from medlens.web.quote_search import QuotableText

    quotable = QuotableText(source)
    places = [quotable.find_only_place(one) for one in quotes]
    made = {
        (one.start, one.end): Passage(
            start=one.start, end=one.end, quote=source[one.start : one.end]
        )
        for one in places
        if one.how in ("exact", "folded")
    }
    answer = passages_as_json_answer(made[place] for place in sorted(made))
    return answer if made or not quotes else None, [one.how for one in places]


def text_of_marked_passages(answer: str) -> str:
    """An answer as people read it: the words of its passages."""
    return " … ".join(f"“{one.quote}”" for one in parse_passages_of_answer(answer)) or answer


def make_question_whether_passage_was_marked(question: Question) -> Question:
    """Whether anything was marked, as a question whose answers can be counted."""
    return replace(question, kind="single", options=(FOUND, NOT_FOUND))


def yes_or_no_whether_passage_was_marked(answer: Any) -> str:
    """What is counted of an answer."""
    return NOT_FOUND if answer == NO_PASSAGE else FOUND


def estimate_passage_overlap(units: Sequence[str], answers: Sequence[Any]) -> Estimate:
    """How far raters mark the same passages: the mean F1 over every two who answered the question
    on the same unit (an item, or an arm of one); passages match if they share a character.

    ``units`` and ``answers`` have one entry per answer. Two raters who both found no passage are
    left out.
    """
    number = pd.factorize(np.array(units, dtype=object))[0].tolist()
    marks = RaterMarks.from_judgments(
        (unit, [(one.start, one.end, 0) for one in parse_passages_of_answer(said)])
        for unit, said in zip(number, answers, strict=True)
    )
    return estimate_mean_span_f1_between_raters(marks, match="overlap", labels=False)
