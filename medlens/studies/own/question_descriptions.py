"""What the reviewers of an own study are asked, as tables for people who do not have its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from medlens.config.question_forms_and_answer_checks import MET, Question
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.study_definition import Explained

_ANSWERED_BY = {
    "short_text": "free text",
    "long_text": "free text",
    "rewrite": "the text, changed until they would sign it",
    "evidence": "sentences of the source, marked",
    "preference": "which of the answers is better",
    "ranking": "the answers in order",
    "spans": "marks in the text",
}


def iterate_over_explained_questions(declared: StudyDeclaration) -> Iterator[Explained]:
    """Each question with its answers, and the meaning of each label for marks."""
    spans = declared.spans
    called = {one.id: one.text for one in declared.form.questions}
    rows = []
    if spans:
        rows += [_row(one, called) for one in (spans, *spans.of_span)]
        rows[1:] = [
            (text, answers, f"Of each mark. {more}".strip()) for text, answers, more in rows[1:]
        ]
    rows += [_row(one, called) for one in declared.questions_listed_without_item(declared.form)]
    if rows:
        heads = ("Question", "Answers", "Explanation")
        used = 3 if any(more for *_, more in rows) else 2
        yield Explained("Answers to choose from", heads[:used], [one[:used] for one in rows])
    if spans and spans.labels:
        yield Explained(
            "Labels of the marks",
            ("Label", "Meaning"),
            [(one.name, one.means) for one in spans.labels],
        )


def _row(one: Question, called: Mapping[str, str]) -> tuple[str, str, str]:
    """A question, its answers, and when it is asked; ``called`` has the questions by their ids."""
    only = ""
    if one.only_if:
        other, answer = one.only_if
        only = f"Asked only if the answer to “{called.get(other, other)}” is “{answer}”. "
    each = "Of each answer compared. " if one.each else ""
    points = f"{one.points:+g} points. ".replace("-", "−") if one.points and not one.column else ""
    return one.text, _answers(one), f"{each}{only}{points}{one.help}".strip()


def _answers(one: Question) -> str:
    if one.rubric and one.column:
        return f"each item has criteria of its own: {', '.join(MET)}"
    if one.kind == "scale":
        first, last = one.points_of_scale[0], one.points_of_scale[-1]
        ends = [
            f"{n} ({said})" if said else f"{n}" for n, said in ((first, one.low), (last, one.high))
        ]
        near = f"; {one.tolerance:g} apart does not count as disagreement" if one.tolerance else ""
        return " to ".join(ends) + ("; not applicable" if one.not_applicable else "") + near
    if one.kind == "number":
        low, high = ("" if end is None else f"{end:g}" for end in (one.minimum, one.maximum))
        limits = f"{low} to {high}" if low and high else low and f"from {low}"
        limits = limits or (high and f"up to {high}")
        return " ".join(filter(None, ("a number", one.unit and f"({one.unit})", limits)))
    if one.kind in _ANSWERED_BY:
        return _ANSWERED_BY[one.kind]
    return ("any of: " if one.kind == "multiple" else "") + "; ".join(one.shown_options)
