"""What raters are asked, as data: all that the spine needs to know of a study's question."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any, Literal

import pandas as pd
from pydantic import BaseModel, Field, RootModel, ValidationError

from medlens.config.forms import Form
from medlens.errors import InvalidInput
from medlens.review.moved_marks import Carry, carry_unmarked
from medlens.stats.estimate import Estimate
from medlens.stats.majority import is_abstention
from medlens.store import Store
from medlens.tables import Column

Level = Literal["nominal", "ordinal", "interval"]
Body = Mapping[str, Any]
_ALL = 1_000_000
ORDERS = {"random": "random, different for each person", "file": "as in the file"}
"""The orders in which people can get items, with a lead's wording of each."""


@dataclass(frozen=True)
class Heard:
    """A model's answer, read: the task's ``value`` (None: none of its quotes is found) and its
    ``reason``. ``body`` is stored with it, if it is not the value in one line; ``quotes`` says how
    each of its quotes was found.
    """

    value: Any
    reason: str
    body: Body = field(default_factory=dict)
    quotes: Sequence[str] = ()


@dataclass(frozen=True)
class ByModels:
    """How models answer a task.

    Attributes:
        shape: the schema of a model's answer, with a ``reason``.
        questions: what it is asked, in addition to the reviewers' guideline.
        read: makes a task's value from the answer on an item with this body.
        tokens: the approximate length of an answer.
        role: who the model is told it is; empty: one of several raters.
        version: of ``role`` and ``questions``, as far as they are the same for all datasets.
        outcome: the outcome of an answered item.
        shown: what a model is shown of an item, if not the same as the task's ``shown``.
    """

    shape: type[BaseModel]
    questions: str
    read: Callable[[Any, Body], Heard]
    tokens: int
    role: str = ""
    version: str = "rate-1"
    outcome: str = "rated"
    shown: Callable[[Store, str], Mapping[str, str]] | None = None


Wholes = Mapping[tuple[str, str], Callable[[Collection[str]], Estimate]]
"""How far the named raters agree on whole answers, by (name, meaning) of the measure."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One question asked of items of one kind.

    The callables see a judgment's value (an instance of ``value``) and the item's stored body:

    * ``problems``: what keeps the judgment from being submitted, as sentences for the rater.
    * ``rules``: the part of ``problems`` that also applies to models and adjudicators, who need not
      mark a place or look up a reference; None: all of it.
    * ``draft_problems``: what makes even a draft impossible (a span outside the text).
    * ``carried``: the value as it stands in the item's corrected body, given the body that it was
      made on and the corrected one.
    * ``measures``: the variables whose agreement is measured, by name, e.g. ``{"score": 7}``;
      ``levels`` has those whose level is not the task's ``level``, ``scales`` the points of those
      that are scales, ``tolerances`` how far apart answers are no disagreement yet,
      ``made_from`` the variable that one is a simpler form of: where that says *cannot tell*, so
      does this one, which is None there.
    * ``flat``: the value as flat columns, one row per judgment.
    * ``parts``: the value as rows of its own (one per span), if it has parts.
    * ``unflat`` and ``unparts``: the way back, from those columns and rows as texts. A value whose
      parts are not in the flat columns is complete only once its parts are imported too.
    * ``as_wholes``: agreement on whole answers rather than on one variable, from
      ``consensus.current_judgments``.
    * ``gold_hit``: whether a judgment matches the expected answer of a gold item.
    * ``gold_of``: a judgment as an expected answer, for a lead who makes their own the key.
    * ``known``: the expected answer of an item (by id) that came with the data, or None.
    * ``word_in``: which figures use the clinicians' word on an item, and so the adjudicator's, as
      the end of a sentence; empty: none, and there is nothing to settle.
    * ``said``: an answer in one line, for adjudicators; by default its ``measures``.
    * ``pieces`` and ``merged``: the named pieces of an answer and where each is; and the answer
      made of such pieces from several answers (answer, number of the piece), for adjudicators. None
      if it has no pieces.
    * ``settled``: the answer by the task's own rule of consensus, or None if there is none.
    * ``form``: the questions for adjudicators to write an answer of their own; their ids are flat
      columns. None: they cannot, or they mark the text anew.
    * ``called``: the wording of the questions that the flat columns answer, by column: what can be
      settled question by question. Empty if an answer is one thing.
    * ``flat_of``: ``flat`` of an answer to an item with this body, for files: adds what only the
      item can tell, such as how much of its text was changed. ``columns``: the meaning of these
      columns, if a study's own file has them.
    * ``originals``: for a task as asked of one item, the texts that answers change, by flat column
      of the answer: the difference is what is shown.
    * ``offers``: whether a judgment (the value) could have had this answer in this measured
      variable: an option may have been added later, or be an arm that was not shown. None: any.
    * ``apart``: differences between answers with the same measures, by name: texts changed in other
      ways, other passages marked. Adjudicators see them; nothing is counted.
    * ``worded``: a cell of one of the flat columns (by name), as people read it.
    * ``names``: the measured variables in words, if those say more than their ids.
    * ``as_submitted``: an answer as it is once submitted, with what its draft lacks.
    * ``blinded``: the names that the rater saw, by the real ones: the arms' letters. Raters are
      shown their answer with these.
    * ``shown``: the parts of an item (by id) that are judged, as named texts, for adjudicators.
    * ``pictured``: the images of an item (by id), as bytes by name.
    * ``by_models``: how models answer it, from what is ``shown`` and ``pictured``; None: it is for
      people alone, or models have a way of their own.
    * ``asked_of``: the task as asked of an item with this body, if items differ in what is asked of
      them: with its ``form``, ``called`` and ``names``. None: all are asked the same.
    * ``pooled``: the name under which a measured variable is pooled with others, if agreement is
      over all of them: criteria that differ by item. An item then has several such units, which are
      not independent. ``pools`` are the names that several variables share.
    * ``groups``: the (kind, name) of the groups of measured variables, by variable, of an item with
      this body.
    * ``guidelines``: what raters go by until a lead writes their own: texts by the study's makers,
      oldest first. One is never changed, only followed by another: judgments keep its number.
      ``worked_example`` is a finished item: what was answered, why, and the keys.
    * ``lies_in``: the case or question that each item (by id) of a dataset belongs to, if items are
      not independent; ``units`` is the noun for these.

    ``requires`` is a field of the body or a JSON path in it (``$.turns[0].n``): only items that
    have something there are handed out. ``handing_out`` are the fields of ``HandOut`` whose
    defaults differ for this task. ``leaves_out`` names the items (by id) of a dataset that are not
    handed out because another answer settles them. ``kin`` is a path too: a rater is given one of
    the items that have the same value there. ``evened`` is the path of what a rater gets as evenly
    as possible (the arms of a comparison). With ``everyone`` each rater answers every item: raters
    per item and items per rater do not apply, and nothing is handed on. A task that is not
    ``handed_out`` is a rater's own form (see ``own_form``): its drafts belong to no item.
    ``reveals`` is what raters are shown of an item once they have answered; empty: nothing.
    """

    name: str
    study: str
    item_kind: str
    title: str
    question: str
    value: type[BaseModel]
    measures: Callable[[Any], Mapping[str, Any]]
    flat: Callable[[Any], Mapping[str, Any]]
    flat_of: Callable[[Any, Body], Mapping[str, Any]] | None = None
    columns: Sequence[Column] = ()
    level: Level = "nominal"
    levels: Mapping[str, Level] = field(default_factory=dict)
    scales: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    tolerances: Mapping[str, float] = field(default_factory=dict)
    made_from: Mapping[str, str] = field(default_factory=dict)
    problems: Callable[[Any, Body], list[str]] = lambda value, item: []
    rules: Callable[[Any, Body], list[str]] | None = None
    draft_problems: Callable[[Any, Body], list[str]] = lambda value, item: []
    carried: Carry = carry_unmarked
    parts: Callable[[Any], list[dict[str, Any]]] | None = None
    unflat: Callable[[Body], Any] | None = None
    unparts: Callable[[Body, list[Body]], Any] | None = None
    as_wholes: Callable[[pd.DataFrame], Wholes] = lambda judged: {}
    gold_hit: Callable[[Any, Body], bool] | None = None
    gold_of: Callable[[Any], Body] | None = None
    known: Callable[[Store, str], Body | None] | None = None
    word_in: str = ""
    said: Callable[[Any], str] | None = None
    pieces: Callable[[Any], list[tuple[str, str]]] | None = None
    merged: Callable[[Sequence[tuple[Any, int]]], Any] | None = None
    settled: Callable[[Sequence[Any]], Any | None] = lambda values: None
    as_submitted: Callable[[Any], Any] = lambda value: value
    blinded: Callable[[Any], Mapping[str, str]] = lambda value: {}
    form: Form | None = None
    called: Mapping[str, str] = field(default_factory=dict)
    originals: Mapping[str, str] = field(default_factory=dict)
    offers: Callable[[Any, str, Any], bool] | None = None
    apart: Callable[[Any], Mapping[str, Any]] = lambda value: {}
    worded: Callable[[str, Any], str] = lambda column, cell: spell_out(cell)
    names: Mapping[str, str] = field(default_factory=dict)
    asked_of: Callable[[Body], Task] | None = None
    pooled: Callable[[str], str] = lambda variable: variable
    pools: Collection[str] = ()
    groups: Callable[[Body], Mapping[str, Sequence[tuple[str, str]]]] | None = None
    shown: Callable[[Store, str], Mapping[str, str]] = lambda store, item: {}
    pictured: Callable[[Store, str], Mapping[str, bytes]] | None = None
    lies_in: Callable[[Store, str], Mapping[str, str]] = lambda store, dataset: {}
    units: str = "items"
    guidelines: Sequence[str] = ()
    worked_example: str = ""
    requires: str = ""
    leaves_out: Callable[[Store, str], Collection[str]] | None = None
    kin: str = ""
    evened: str = ""
    handing_out: Mapping[str, Any] = field(default_factory=dict)
    everyone: bool = False
    handed_out: bool = True
    reveals: str = ""
    by_models: ByModels | None = None

    def broken(self, value: Any, item: Body) -> list[str]:
        """The rules broken by an answer that nobody gave at a desk, as sentences."""
        return self.draft_problems(value, item) or (self.rules or self.problems)(value, item)

    def in_file(self, value: Any, body: Body) -> Mapping[str, Any]:
        """An answer to an item with this body as flat columns of a file."""
        return self.flat_of(value, body) if self.flat_of else self.flat(value)

    def for_item(self, body: Body) -> Task:
        """The task as it is asked of an item with this body."""
        return self if self.asked_of is None else self.asked_of(body)

    def level_of(self, variable: str) -> Level:
        """The level of measurement of a variable."""
        return self.levels.get(variable, self.level)

    def units_of(self, variable: str) -> str:
        """The unit that is counted when a variable, or all those pooled as it, is compared."""
        return "items" if variable not in self.pools else "criteria of items"

    def name_of(self, variable: str) -> str:
        """A measured variable in words: its name, the question it answers, or its id."""
        if variable in self.names:
            return self.names[variable]
        question, colon, option = variable.partition(": ")
        if question in self.called:
            return f"{self.called[question]}{colon}{option}"
        for asked in self.form.questions if self.form else ():
            if asked.id == variable:
                return asked.text
        return spell_out(variable[:1].upper() + variable[1:])

    def answer_in(self, measured: Mapping[str, Any], variable: str) -> Any:
        """The answer to a measured variable, *cannot tell* where what it is made from says so."""
        answer = measured[variable]
        if answer is None and variable in self.made_from:
            source = measured.get(self.made_from[variable])
            return source if is_abstention(source) else None
        return answer

    def told(self, value: Any) -> str:
        """An answer in one line: its ``said``, or else what was asked or measured. None is an
        adjudicator's decision that no answer holds.
        """
        if value is None:
            return "No answer is right"
        if self.said is not None:
            return self.said(value)
        measured = {k: v for k, v in self.measures(value).items() if v is not None}
        asked = [one.id for one in self.form.questions] if self.form else []
        if len(asked) == 1 and asked[0] in measured:
            # Everything else that is measured follows from this answer.
            measured = {asked[0]: measured[asked[0]]}
        named = ((self.name_of(k), spell_out(v)) for k, v in measured.items())
        return "; ".join(f"{k} {v}" if k.endswith("?") else f"{k}: {v}" for k, v in named)

    def lettered(self, value: Any) -> Callable[[str], str]:
        """What replaces real names in a text by those that the rater of this answer saw."""
        seen = self.blinded(value)
        seen = {name.replace("_", " "): now for name, now in seen.items()} | dict(seen)
        if not seen:
            return str
        # Longest first: an arm's name can begin with another's.
        names = "|".join(map(re.escape, sorted(seen, key=len, reverse=True)))
        real = re.compile(rf"(?<!\w)(?:{names})(?!\w)")
        return partial(real.sub, lambda name: seen[name[0]])

    def holding(self, settings: HandOut) -> HandOut:
        """These settings as they apply to this task."""
        if not self.everyone:
            return settings
        return replace(settings, raters_per_item=_ALL, items_per_rater=_ALL)

    def parse(self, body: Mapping[str, Any] | str) -> Any:
        """The value in a JSON body.

        Raises:
            InvalidInput: the body is not of this task's type; says which field.
        """
        try:
            if isinstance(body, str):
                return self.value.model_validate_json(body)
            return self.value.model_validate(body)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "value"
            raise InvalidInput(
                f"The judgment cannot be read: {where}: {first['msg']}.",
                hint="Reload the page and try again.",
            ) from error


def cell_text(row: Body, column: str) -> str:
    """A cell of a table as text; empty if there is nothing in it."""
    value = row.get(column)
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    return "" if missing else str(value).strip()


def spell_out(answer: Any) -> str:
    """An answer or an id in readable form."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer).replace("_", " ")


class Entered(RootModel[dict[str, str | None]]):
    """The values of a form's fields, by name; None if nothing is chosen."""

    root: dict[str, str | None] = Field(default_factory=dict)


def personal_form_task(name: str) -> Task:
    """A form that a person fills in about themselves, such as their background; it has no queue."""
    return Task(
        name=name,
        study="",
        item_kind="",
        title="",
        question="",
        value=Entered,
        measures=lambda _: {},
        flat=lambda _: {},
        handed_out=False,
    )


@dataclass(frozen=True, kw_only=True)
class HandOut:
    """How a task's items are handed out in one dataset. ``deadline`` is a day (ISO 8601) shown to
    people, or empty; nothing closes on it. ``order`` is "random", different for each rater, or
    "file", the order in which the items were added. ``again_share`` of a rater's items come again
    once they have judged ``again_after`` others (``review.second_pass``). With a ``fixed_panel``
    the people who are given them are all that matter: figures speak for them alone.
    """

    raters_per_item: int = 3
    items_per_rater: int = 20
    lease_minutes: int = 120
    gold_share: float = 0.1
    seed: int = 20240413
    deadline: str = ""
    order: str = "random"
    again_share: float = 0
    again_after: int = 10
    fixed_panel: bool = False

    def __post_init__(self) -> None:
        if self.raters_per_item < 1 or self.items_per_rater < 1 or self.lease_minutes < 1:
            raise InvalidInput(
                "Raters per item, items per rater and lease minutes must be 1 or more.",
                hint="Correct the settings.",
            )
        if self.order not in ORDERS:
            raise InvalidInput(f"The order of items is {' or '.join(ORDERS)}, not {self.order!r}.")
        if not 0 <= self.gold_share <= 0.5:
            raise InvalidInput("The share of gold items must lie between 0 and 0.5.")
        if not 0 <= self.again_share <= 0.5:
            raise InvalidInput("The share of items that come again must lie between 0 and 0.5.")
        if self.again_after < 1:
            raise InvalidInput("An item can come again after 1 other or more.")
        if self.deadline:
            try:
                date.fromisoformat(self.deadline)
            except ValueError as error:
                raise InvalidInput(
                    f"The deadline {self.deadline!r} is not a day.",
                    hint="Write it as year-month-day, such as 2027-03-31, or leave it empty.",
                ) from error
