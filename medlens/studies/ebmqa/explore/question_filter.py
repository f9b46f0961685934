"""What is selected: a question set filtered by labels, models and the way of asking; and who
may see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from medlens.errors import NotAllowed
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.ebmqa.answers.answer_and_questionnaire_queries import (
    record_correct_answers_seen,
)
from medlens.studies.ebmqa.questionnaire import may_see_correct_answers
from medlens.studies.ebmqa.records import LABELS, ORDERED

COUNTED = {"n_correct": "Correct options", "n_options": "Options"}
"""Numbers of a question by which its answers can be grouped, like labels."""

DIMENSIONS: Mapping[str, str] = {**LABELS, **COUNTED, "model": "Model", "prompt": "Prompt"}
"""All that answers can be grouped by, and what people read over it."""

SEVERAL = ("disciplines",)
"""Labels of which one question can have several, joined by ``;``."""

STATES: Mapping[str, str] = {
    "right": "right",
    "partly": "partly right",
    "wrong": "wrong",
    "answered": "answered",
    "idk": "I do not know",
    "refused": "refused",
    "parse_failed": "unreadable",
    "error": "call failed",
}
"""What became of an answer; ``answered`` is the first three."""

CELLS: Mapping[str, str] = {
    "both": "both right",
    "first_only": "{first} only",
    "second_only": "{second} only",
    "neither": "neither",
    "discordant": "one right, the other not",
}
"""Where the answers of two models, ``first`` and ``second``, to the same questions can lie."""

Values = tuple[str, ...]


@dataclass(frozen=True)
class AnswerFilter:
    """A selection of the answers; empty means any.

    ``prompt`` is the prompt variant and ``repeat`` which repeat is read: one answer per model and
    question, so that every n counts questions. ``labels`` has values by label (``""`` for questions
    without one). ``models`` are shown names. ``run`` is the run that added the answers.
    """

    dataset: str
    prompt: str = ""
    repeat: int = 1
    labels: tuple[tuple[str, Values], ...] = ()
    models: Values = ()
    search: str = ""
    run: str = ""

    def values_kept_of_label(self, label: str) -> Values:
        """The values that a label is filtered to."""
        return dict(self.labels).get(label, ())

    def copy_with_label_limited_to_values(self, label: str, values: Iterable[str]) -> AnswerFilter:
        """The same with one label filtered to these values; no values remove the filter."""
        kept = dict(self.labels)
        kept.pop(label, None)
        chosen = tuple(values)
        if chosen:
            kept[label] = chosen
        order = {name: at for at, name in enumerate(DIMENSIONS)}
        labels = tuple(sorted(kept.items(), key=lambda one: order.get(one[0], len(order))))
        return replace(self, labels=labels)


@dataclass(frozen=True)
class QuestionsBehindMark:
    """What a mark links to: questions that ``model`` (and ``other``) answered in this way.

    ``state`` is one of ``STATES``; ``cell`` is one of ``CELLS`` and compares ``model`` with
    ``other``.
    """

    labels: tuple[tuple[str, str], ...] = ()
    model: str = ""
    state: str = ""
    other: str = ""
    cell: str = ""

    def narrow_filter_to_mark(self, where: AnswerFilter) -> AnswerFilter:
        """``where`` narrowed to the labels of this mark."""
        for label, value in self.labels:
            where = where.copy_with_label_limited_to_values(label, (value,))
        return where

    @property
    def mark_name(self) -> str:
        """The mark's name in the address."""
        own = [(name, getattr(self, name)) for name in _OWN if getattr(self, name)]
        return "|".join(f"{name}={_quoted(value)}" for name, value in (*self.labels, *own))

    @classmethod
    def parse_mark_name(cls, mark: str) -> QuestionsBehindMark | None:
        """The mark with this name; None if the name cannot be read."""
        named = [part.partition("=") for part in mark.split("|")]
        if any(not sign for _, sign, _ in named):
            return None
        said = {name: unquote(value) for name, _, value in named}
        own = {name: said.pop(name, "") for name in _OWN}
        if own["state"] not in ("", *STATES) or own["cell"] not in ("", *CELLS):
            return None
        # Model and prompt are not labels of questions.
        if any(name not in DIMENSIONS or name in ("model", "prompt") for name in said):
            return None
        return cls(labels=tuple(said.items()), **own)


_OWN = ("model", "state", "other", "cell")


def join_filter_values(values: Iterable[str]) -> str:
    """Values as one part of the address; an empty value is written ``none``."""
    return "|".join(_quoted(value) or "none" for value in values)


def split_filter_values(text: str) -> Values:
    """The values that ``joined`` wrote."""
    return tuple("" if one == "none" else unquote(one) for one in text.split("|") if one)


def parse_filter_as_label_and_values_pairs(text: str) -> tuple[tuple[str, Values], ...]:
    """The filter written as ``discipline=renal|digestive; prevalence=rare``."""
    parts = [part.partition("=") for part in text.split(";") if part.strip()]
    return tuple((name.strip(), split_filter_values(values.strip())) for name, _, values in parts)


def _quoted(value: str) -> str:
    return quote(value, safe=" :,()")


def label_in_words(label: str) -> str:
    """A dimension's name within a sentence; capitals stay if they carry meaning."""
    title = DIMENSIONS[label]
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def order_values_of_label(label: str, values: Iterable[str]) -> list[str]:
    """A label's values in the order people expect: by rank, number, or alphabet; none last."""
    ranks = {value: at for at, value in enumerate(ORDERED.get(label, ()))}

    def place(value: str) -> tuple[bool, int, int, str]:
        number = int(value) if value.isdecimal() else 0
        return (not value, ranks.get(value, len(ranks)), number, value.casefold())

    return sorted(values, key=place)


def may_viewer_see_models_answers(store: Store, dataset: str, viewer: Rater | None) -> bool:
    """Whether this person may see models' answers and the correct ones; None is the command
    line.

    A reviewer may after handing in the questionnaire of these questions, or if there is none.
    """
    if viewer is None or viewer.role == "lead":
        return True
    return may_see_correct_answers(store, dataset, viewer.id)


def require_viewer_may_see_models_answers(store: Store, dataset: str, viewer: Rater | None) -> None:
    """Refuse people who still have to answer blind.

    Raises:
        NotAllowed: they have not handed in the questionnaire.
    """
    if not may_viewer_see_models_answers(store, dataset, viewer):
        raise NotAllowed(
            "Answers are shown to you after you have answered the questionnaire.",
            hint="Open the view Answer and hand it in first.",
        )


def record_viewer_saw_correct_answers(store: Store, dataset: str, viewer: Rater | None) -> None:
    """Record that somebody saw the correct answers: their later answers are not blind."""
    if viewer is not None:
        record_correct_answers_seen(store, dataset, viewer.id)
