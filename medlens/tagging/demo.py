"""The demo study: items, judgments, gold and survey answers of our own writing.

Everything in ``data/demo/tagging`` is illustrative: the cases are fictional, the "model" is no real
one, the three raters are made up. Each row says so (``dataset`` "demo", ``illustrative`` true).
Judgments hold quotes; their offsets are found on loading, so text and marks cannot drift apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import NonNegativeFloat

from medlens.config.forms import Answer, Form, check_answers, load_form
from medlens.review import importing, items, raters, surveys
from medlens.review.judging import judgment_row
from medlens.store import Store, id_of
from medlens.tables.illustrative import demo_fault, illustrative_rows, made
from medlens.tagging import queries, tasks
from medlens.tagging.models import ErrorSpan, ErrorSpans, Option, ResponseItem, Strict
from medlens.tagging.taxonomy import Taxonomy, load_taxonomy


@dataclass(frozen=True)
class DemoJudgment:
    """One rater's judgment of one item; ``seconds`` is active time."""

    rater: str
    item: str
    value: ErrorSpans
    seconds: float


@dataclass(frozen=True)
class DemoGold:
    """The labels that an item is meant to get, and why."""

    item: str
    labels: frozenset[str]
    reason: str


@dataclass(frozen=True)
class DemoSurvey:
    """One rater's answers to one form, by question id."""

    rater: str
    form: str
    answers: Mapping[str, Answer]


@dataclass(frozen=True)
class Demo:
    items: tuple[tuple[str, ResponseItem], ...]
    judgments: tuple[DemoJudgment, ...]
    gold: tuple[DemoGold, ...]
    surveys: tuple[DemoSurvey, ...]
    dataset: str = "demo"
    illustrative: bool = True

    @property
    def raters(self) -> tuple[str, ...]:
        """The raters in order of first appearance."""
        return tuple(dict.fromkeys(judgment.rater for judgment in self.judgments))


class _ItemRow(Strict):
    name: str
    question: str
    options: dict[str, str]
    correct: str
    chosen: str | None
    response: str
    model: str


class _SpanRow(Strict):
    quote: str
    labels: tuple[str, ...]
    comment: str = ""
    link: str = ""


class _JudgmentRow(Strict):
    rater: str
    item: str
    spans: tuple[_SpanRow, ...]
    comment: str
    seconds: NonNegativeFloat


class _GoldRow(Strict):
    item: str
    labels: tuple[str, ...]
    reason: str


class _SurveyRow(Strict):
    rater: str
    form: str
    answers: dict[str, str | int | float | tuple[str, ...]]


_AnyRow = TypeVar("_AnyRow", bound=Strict)


def load_demo(folder: str | Path, *, taxonomy: Taxonomy | None = None) -> Demo:
    """Read the demo study from ``folder`` (``data/demo/tagging``), checked against the taxonomy.

    Without ``taxonomy``, ``taxonomies/g4ue.toml`` of the same data folder is used; the forms are
    the data folder's as well. Raises BadFile naming file and line of a row that is malformed, names
    an unknown item or form, quotes words that are not exactly once in the response, or breaks a
    rule of the taxonomy or the form.
    """
    folder = Path(folder)
    data = folder.resolve().parent.parent
    taxonomy = taxonomy or load_taxonomy(data / "taxonomies" / "g4ue.toml")
    forms = {form.id: form for form in map(load_form, sorted((data / "forms").glob("*.toml")))}
    items = _items(folder / "items.jsonl")
    return Demo(
        items=tuple(items.items()),
        judgments=_judgments(folder / "judgments.jsonl", items, taxonomy),
        gold=_gold(folder / "gold.jsonl", items, taxonomy),
        surveys=_surveys(folder / "surveys.jsonl", forms),
    )


def add_demo(store: Store, demo: Demo) -> str:
    """Put the demo into the store; says what is there. Repeating it adds nothing."""
    done = queries.add_items(store, demo.items, dataset=demo.dataset, illustrative=True)
    ids = items.by_names(store, tasks.STUDY, demo.dataset, [name for name, _ in demo.items])
    people = {name: raters.new_row(name, origin="demo") for name in demo.raters}
    rows = [
        judgment_row(
            tasks.NAME,
            ids[one.item],
            people[one.rater]["id"],
            one.value,
            seconds=one.seconds,
            named="demo",
        )
        for one in demo.judgments
    ]
    gold = [
        {
            "id": id_of("gold", tasks.NAME, ids[one.item]),
            "task": tasks.NAME,
            "item": ids[one.item],
            "revision": 1,
            "active": True,
            "made_by": "demo",
            "body": {"labels": sorted(one.labels), "reason": one.reason},
        }
        for one in demo.gold
    ]
    answered = [
        surveys.import_row(people[one.rater]["id"], one.form, one.answers) for one in demo.surveys
    ]
    importing.add_rows(
        store, {"rater": list(people.values()), "judgment": rows, "gold": gold, "survey": answered}
    )
    count = done.added + done.known
    return f"The demo study is there: {count} illustrative items, {len(rows)} judgments."


def _items(path: Path) -> dict[str, ResponseItem]:
    items: dict[str, ResponseItem] = {}
    for line, row in _rows(path, _ItemRow):
        if row.name in items:
            raise demo_fault(path, line, "name", "a name not used already", row.name)
        for field, letter in (("correct", row.correct), ("chosen", row.chosen)):
            if letter is not None and letter not in row.options:
                raise demo_fault(path, line, field, "the letter of an option", letter)
        items[row.name] = ResponseItem(
            question=row.question,
            options=tuple(Option(key=key, text=text) for key, text in row.options.items()),
            correct=row.correct,
            chosen=row.chosen,
            response=row.response,
            meta_info="illustrative",
            model=row.model,
        )
    return items


def _judgments(
    path: Path, items: Mapping[str, ResponseItem], taxonomy: Taxonomy
) -> tuple[DemoJudgment, ...]:
    judgments: list[DemoJudgment] = []
    for line, row in _rows(path, _JudgmentRow):
        text = _known(path, line, row.item, items).response
        if any((row.rater, row.item) == (other.rater, other.item) for other in judgments):
            raise demo_fault(path, line, "item", "one judgment of an item by each rater", row.item)
        spans = tuple(_located(path, line, span, text) for span in row.spans)
        value = ErrorSpans(spans=spans, comment=row.comment)
        _refuse(path, line, "spans", taxonomy.problems(value, text))
        judgments.append(DemoJudgment(row.rater, row.item, value, row.seconds))
    return tuple(judgments)


def _located(path: Path, line: int, span: _SpanRow, text: str) -> ErrorSpan:
    found = text.count(span.quote) if span.quote else 0
    if found != 1:
        expected = f"words that occur exactly once in the response (these occur {found} times)"
        raise demo_fault(path, line, "spans", expected, span.quote)
    start = text.index(span.quote)
    return ErrorSpan(
        start=start,
        end=start + len(span.quote),
        quote=span.quote,
        labels=span.labels,
        comment=span.comment,
        link=span.link,
    )


def _gold(
    path: Path, items: Mapping[str, ResponseItem], taxonomy: Taxonomy
) -> tuple[DemoGold, ...]:
    gold: list[DemoGold] = []
    for line, row in _rows(path, _GoldRow):
        _known(path, line, row.item, items)
        unknown = sorted(set(row.labels) - {label.id for label in taxonomy.labels})
        if unknown or not row.labels:
            raise demo_fault(path, line, "labels", "labels of the taxonomy", ", ".join(unknown))
        _refuse(path, line, "labels", taxonomy.breaches(row.labels))
        gold.append(DemoGold(row.item, frozenset(row.labels), row.reason))
    return tuple(gold)


def _surveys(path: Path, forms: Mapping[str, Form]) -> tuple[DemoSurvey, ...]:
    surveys: list[DemoSurvey] = []
    for line, row in _rows(path, _SurveyRow):
        if row.form not in forms:
            raise demo_fault(path, line, "form", f"one of {', '.join(forms)}", row.form)
        _refuse(path, line, "answers", check_answers(forms[row.form], row.answers))
        surveys.append(DemoSurvey(row.rater, row.form, row.answers))
    return tuple(surveys)


def _known(path: Path, line: int, name: str, items: Mapping[str, ResponseItem]) -> ResponseItem:
    if name not in items:
        raise demo_fault(path, line, "item", "the name of an item in items.jsonl", name)
    return items[name]


def _rows(path: Path, kind: type[_AnyRow]) -> Iterable[tuple[int, _AnyRow]]:
    for line, row in illustrative_rows(path, "demo"):
        # As JSON, in which lists stand for tuples.
        yield line, made(path, line, kind.model_validate_json, json.dumps(row))


def _refuse(path: Path, line: int, column: str, problems: Sequence[str]) -> None:
    if problems:
        raise demo_fault(path, line, column, f"what the rules allow ({' '.join(problems)})")
