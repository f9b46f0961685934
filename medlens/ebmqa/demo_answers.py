"""Answers to the demo's questions by three invented models and four invented people.

Drawn by seed from rates that were made up, so that every figure has something to show: nobody and
nothing answered these questions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from medlens.ebmqa import questionnaire, tasks
from medlens.ebmqa.answers import keep, queries
from medlens.ebmqa.answers.match import Group
from medlens.ebmqa.models import OUTCOMES, mask_of, places_of
from medlens.ebmqa.prompts import USUAL
from medlens.ebmqa.tasks import Answered
from medlens.review import importing, raters
from medlens.review.judging import judgment_row
from medlens.store import Row, Store, id_of

_SEED = "ebmqa demo 1"
_CODES = {outcome: code for code, outcome in enumerate(OUTCOMES)}


@dataclass(frozen=True)
class _Profile:
    """Rates of one who answers: of answering at all and of being right, by kind of question."""

    name: str
    answers: Mapping[str, float]
    right: Mapping[str, float]
    words: str = "{}"


_MODELS = (
    _Profile(
        "demo-a",
        {"numeric": 0.64, "semantic": 0.91},
        {"numeric": 0.60, "semantic": 0.68},
    ),
    _Profile(
        "demo-b",
        {"numeric": 0.87, "semantic": 0.97},
        {"numeric": 0.55, "semantic": 0.66},
        "The answer is {}.",
    ),
    _Profile(
        "demo-c",
        {"numeric": 0.99, "semantic": 1.0},
        {"numeric": 0.43, "semantic": 0.52},
        "Option {}",
    ),
)
_PEOPLE = (
    _Profile("Demo clinician A", {"numeric": 0.84}, {"numeric": 0.86}),
    _Profile("Demo clinician B", {"numeric": 0.70}, {"numeric": 0.82}),
    _Profile("Demo clinician C", {"numeric": 0.91}, {"numeric": 0.74}),
    _Profile("Demo clinician D", {"numeric": 0.58}, {"numeric": 0.80}),
)
_GUESSED_RIGHT = 0.45
# How much easier (or harder) a question is by what it is labelled.
_EASIER: Mapping[str, Mapping[str | None, float]] = {
    "prevalence": {"rare": -0.07, "widespread": 0.05},
    "answer": {"low": 0.08, "middle": 0.03, "high": -0.10},
    "length": {"short": 0.03, "long": -0.04},
    "qa_type": {"Sensitivity": 0.04, "NLR": -0.06, "PLR": -0.05, "Relative risk": -0.03},
}
_REFUSED, _UNREADABLE = 0.004, 0.008


def add_answers(store: Store, dataset: str) -> str:
    """Put the invented answers into the store; says what is there. Repeating it adds nothing."""
    asked = queries.labelled(store, dataset)
    added = sum(_add_model(store, dataset, one, asked) for one in _MODELS)
    number = min(questionnaire.NUMBER, len(queries.numeric_names(store, dataset)[0]))
    questionnaire.draw(store, dataset, number=number)
    _add_people(store, dataset, {row["name"]: row for row in asked})
    there = added or len(_MODELS) * len(asked)
    return (
        f"{there:,} answers of {len(_MODELS)} invented models and the questionnaire of"
        f" {len(_PEOPLE)} invented people are there."
    )


def _add_model(
    store: Store, dataset: str, one: _Profile, asked: Sequence[Mapping[str, Any]]
) -> int:
    group = Group(one.name, USUAL.name, 1)
    rater = str(keep.rater_row(one.name)["id"])
    if not queries.answered(store, dataset, [rater]).empty:
        return 0
    made = [_model_answer(one, row) for row in asked]
    numbers, found = keep.single([row["number"] for row in asked], group, made)
    return keep.keep(store, dataset, numbers, found, origin="demo")


def _model_answer(one: _Profile, row: Mapping[str, Any]) -> tuple[int, int, str]:
    chance = Random(f"{_SEED}:{one.name}:{row['name']}")
    options, drawn = json.loads(row["options"]), chance.random()
    if drawn < _REFUSED:
        return _CODES["refused"], 0, "I cannot give medical advice."
    if drawn < _REFUSED + _UNREADABLE:
        return _CODES["parse_failed"], 0, "It depends on the population that is studied."
    chosen = _chosen(one, row, chance)
    if not chosen:
        return _CODES["idk"], 0, one.words.format(len(options) + 1)
    said = ", ".join(str(place + 1) for place in chosen)
    return _CODES["answered"], mask_of(chosen), one.words.format(said)


def _chosen(one: _Profile, row: Mapping[str, Any], chance: Random) -> tuple[int, ...]:
    """Places of the options chosen; none for "I do not know"."""
    easier = sum(by.get(row[label], 0.0) for label, by in _EASIER.items())
    if chance.random() > one.answers[row["kind"]] + easier:
        return ()
    return _picked(row, one.right[row["kind"]] + easier, chance)


def _picked(row: Mapping[str, Any], right: float, chance: Random) -> tuple[int, ...]:
    correct = places_of(row["correct"])
    if chance.random() < right:
        return correct
    count = len(json.loads(row["options"]))
    wrong = [place for place in range(count) if place not in correct]
    if row["kind"] == "numeric":
        return (chance.choice(wrong),)
    # Part of what is right, and something else.
    some = [place for place in correct if chance.random() < 0.5]
    return tuple(sorted({*some, chance.choice(wrong)}))


def _add_people(store: Store, dataset: str, asked: Mapping[str, Mapping[str, Any]]) -> None:
    people = {one.name: raters.new_row(one.name, origin="demo") for one in _PEOPLE}
    rows: list[Row] = []
    reveals: list[Row] = []
    for one in _PEOPLE:
        rater = people[one.name]["id"]
        for name, item in queries.drawn(store, dataset).items():
            place = {"task": tasks.NAME, "item": item, "rater": rater}
            for revision, value in enumerate(_person_answers(one, asked[name]), 1):
                rows.append(
                    judgment_row(
                        tasks.NAME,
                        item,
                        rater,
                        value,
                        revision=revision,
                        seconds=8.0 + Random(f"{rater}{name}").random() * 30,
                        named="demo",
                    )
                )
            reveals.append({**place, "id": id_of("reveal", *place.values())})
    importing.add_rows(store, {"rater": list(people.values()), "judgment": rows, "reveal": reveals})


def _person_answers(one: _Profile, row: Mapping[str, Any]) -> list[Answered]:
    """The answer, and where it was not known the same with the guess."""
    chance = Random(f"{_SEED}:{one.name}:{row['name']}")
    chosen = _chosen(one, row, chance)
    if chosen:
        return [Answered(answer=chosen)]
    return [Answered(answer=()), Answered(answer=(), guess=_picked(row, _GUESSED_RIGHT, chance))]
