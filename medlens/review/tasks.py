"""What raters are asked, as data: all that the spine needs to know of a study's question."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Literal

import pandas as pd
from pydantic import BaseModel, Field, RootModel, ValidationError

from medlens.config.forms import Form
from medlens.errors import InvalidInput
from medlens.stats.estimate import Estimate
from medlens.store import Store
from medlens.tables import Column

Level = Literal["nominal", "ordinal", "interval"]
Body = Mapping[str, Any]
_ALL = 1_000_000
ORDERS = {"random": "random, different for each person", "file": "as in the file"}
"""In which order people get items, and what a lead reads of it."""


@dataclass(frozen=True)
class Heard:
    """What a model's answer says: as the task's ``value`` (None: it quotes nothing that is there)
    and in its ``reason``. ``body`` is kept of it beside, where that is not the value in a line;
    ``quotes`` tells how each of its quotes was found."""

    value: Any
    reason: str
    body: Body = field(default_factory=dict)
    quotes: Sequence[str] = ()


@dataclass(frozen=True)
class ByModels:
    """How models answer a task.

    Attributes:
        shape: what a model says, with a ``reason``.
        questions: what it is asked, beside the reviewers' guideline.
        read: makes a task's value of what was said of an item with this body.
        tokens: about how long an answer is.
        role: who the model is told it is; empty: one of several raters.
        version: of ``role`` and ``questions``, as far as they are the same for all datasets.
        outcome: how an item ends that was answered.
        shown: what a model is shown of an item, where that is not what the task ``shows``.
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
"""How far the named raters agree on whole answers, by what that is called and what it means."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One question asked of items of one kind.

    The callables see a judgment's value (an instance of ``value``) and the item's stored body:

    * ``problems``: what keeps the judgment from being submitted, as sentences for the rater.
    * ``rules``: what of ``problems`` holds for models and adjudicators too, who need not mark a
      place or look up a reference; None: all of it.
    * ``draft_problems``: what makes even a draft impossible (a span outside the text).
    * ``measures``: the variables whose agreement is measured, by name, e.g. ``{"score": 7}``;
      those whose level is not the task's ``level`` stand in ``levels``.
    * ``flat``: the value as flat columns, one row per judgment.
    * ``parts``: the value as rows of its own (one per span), where it has parts.
    * ``unflat`` and ``unparts``: the way back, from those columns and rows as texts. A value whose
      parts are not in the flat columns is complete only once its parts are imported too.
    * ``as_wholes``: agreement on whole answers rather than on one variable, from
      ``consensus.judgments``.
    * ``gold_hit``: whether a judgment meets the expected answer of a gold item.
    * ``gold_of``: a judgment as an expected answer, for a lead who makes their own the key.
    * ``known``: the expected answer of an item (by id) that came with the data; None where there is
      none.
    * ``word_in``: which figures rest on the clinicians' word on an item, and so on the
      adjudicator's, as the end of a sentence; empty: none, and there is nothing to settle.
    * ``said``: what of an answer is told in a line, for who settles; else what it ``measures``.
    * ``pieces`` and ``merged``: what an answer is made of, each named, and where it is; and the
      answer made of such pieces of several (answer, number of the piece), for who settles. None
      where it has none.
    * ``settled``: the answer by the task's own rule of consensus, or None where there is none.
    * ``form``: the questions by which who settles writes an answer of their own; their ids are flat
      columns. None: they cannot, or they mark the text anew.
    * ``called``: the questions that the flat columns answer, in their wording, by column: what can
      be settled question by question. Empty where an answer is one thing.
    * ``flat_of``: ``flat`` of an answer to an item with this body, for files: with what only the
      item tells of it, such as how much of its text was changed. ``columns``: what stands in these
      columns, where a study's own file says so.
    * ``originals``: of a task as it is asked of an item, the texts that answers change, by the
      flat column of the answer: what is told of them is the difference.
    * ``apart``: what answers differ in that measure the same, by what it is called: texts that were
      changed in other ways, other passages marked. Who settles is shown it; nothing is counted.
    * ``worded``: what stands in one of the flat columns (by name), as people read it.
    * ``names``: the measured variables in words, where those say more than their ids.
    * ``as_submitted``: what an answer says once it is handed in, beyond its draft.
    * ``blinded``: what the rater saw under another name, by its own: the arms' letters. They are
      told of their answer by these.
    * ``shown``: what is judged of an item (by id), as named texts, for who settles it.
    * ``pictured``: the images of an item (by id), as bytes by what they are called.
    * ``by_models``: how models answer it, from what is ``shown`` and ``pictured``; None: it is for
      people alone, or for models in a way of its own.
    * ``asked_of``: the task as it is asked of an item with this body, where items differ in what
      is asked of them: with its ``form``, ``called`` and ``names``. None: all are asked the same.
    * ``pooled``: by what a measured variable is called together with others, where agreement is of
      all of them as one: of criteria that differ by item. An item has several such units then,
      which are no independent ones. ``pools`` are the names that stand for several.
    * ``groups``: the (kind, name) of the groups that measured variables are in, by variable, of an
      item with this body.
    * ``lies_in``: by item id of a dataset the case or question it belongs to, where items are not
      independent; ``units`` is what these are called.

    ``requires`` is a field of the body or a JSON path in it (``$.turns[0].n``): only items that
    have something there are handed out. ``handing_out`` are the fields of ``HandOut`` that are
    otherwise than usual for this task. ``leaves_out`` names the items (by id) of a dataset that are
    not handed out, because another answer settles them. ``kin`` is a path too: of items that have
    the same there, a rater is given one. ``evened`` is the path of what a rater gets as evenly as
    can be (the arms of a comparison). With ``everyone`` each rater answers every
    item: no number of raters per item or items per rater holds, and nothing is handed on. What is
    not ``handed_out`` is a form of its rater's own (see ``own_form``): its drafts are of no item.
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
    problems: Callable[[Any, Body], list[str]] = lambda value, item: []
    rules: Callable[[Any, Body], list[str]] | None = None
    draft_problems: Callable[[Any, Body], list[str]] = lambda value, item: []
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
    apart: Callable[[Any], Mapping[str, Any]] = lambda value: {}
    worded: Callable[[str, Any], str] = lambda column, cell: spelt(cell)
    names: Mapping[str, str] = field(default_factory=dict)
    asked_of: Callable[[Body], Task] | None = None
    pooled: Callable[[str], str] = lambda variable: variable
    pools: Collection[str] = ()
    groups: Callable[[Body], Mapping[str, Sequence[tuple[str, str]]]] | None = None
    shown: Callable[[Store, str], Mapping[str, str]] = lambda store, item: {}
    pictured: Callable[[Store, str], Mapping[str, bytes]] | None = None
    lies_in: Callable[[Store, str], Mapping[str, str]] = lambda store, dataset: {}
    units: str = "items"
    requires: str = ""
    leaves_out: Callable[[Store, str], Collection[str]] | None = None
    kin: str = ""
    evened: str = ""
    handing_out: Mapping[str, Any] = field(default_factory=dict)
    everyone: bool = False
    handed_out: bool = True
    by_models: ByModels | None = None

    def broken(self, value: Any, item: Body) -> list[str]:
        """The rules that an answer which nobody gave at a desk breaks, as sentences."""
        return self.draft_problems(value, item) or (self.rules or self.problems)(value, item)

    def in_file(self, value: Any, body: Body) -> Mapping[str, Any]:
        """An answer to an item with this body as flat columns of a file."""
        return self.flat_of(value, body) if self.flat_of else self.flat(value)

    def for_item(self, body: Body) -> Task:
        """The task as it is asked of an item with this body."""
        return self if self.asked_of is None else self.asked_of(body)

    def level_of(self, variable: str) -> Level:
        """How the answers in a variable lie to each other."""
        return self.levels.get(variable, self.level)

    def units_of(self, variable: str) -> str:
        """What is counted where a variable, or all that are pooled as it, is compared."""
        return "items" if variable not in self.pools else "criteria of items"

    def name_of(self, variable: str) -> str:
        """A measured variable in words: its name, the question that it answers, or its id."""
        if variable in self.names:
            return self.names[variable]
        question, colon, option = variable.partition(": ")
        if question in self.called:
            return f"{self.called[question]}{colon}{option}"
        return spelt(variable[:1].upper() + variable[1:])

    def told(self, value: Any) -> str:
        """An answer in a line: what is ``said`` of it, else what is measured. None is an
        adjudicator's word that no answer holds."""
        if value is None:
            return "No answer is right"
        if self.said is not None:
            return self.said(value)
        measured = self.measures(value).items()
        return "; ".join(f"{self.name_of(k)}: {spelt(v)}" for k, v in measured if v is not None)

    def holding(self, settings: HandOut) -> HandOut:
        """What of these settings holds for this task."""
        if not self.everyone:
            return settings
        return replace(settings, raters_per_item=_ALL, items_per_rater=_ALL)

    def parse(self, body: Mapping[str, Any] | str) -> Any:
        """The value that a JSON body holds.

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


def cell(row: Body, column: str) -> str:
    """What a cell of a table says; empty where nothing stands in it."""
    value = row.get(column)
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    return "" if missing else str(value).strip()


def spelt(answer: Any) -> str:
    """An answer, or an id, as people read it."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer).replace("_", " ")


class Entered(RootModel[dict[str, str | None]]):
    """What stands in the fields of a form, by their names; None where nothing is chosen."""

    root: dict[str, str | None] = Field(default_factory=dict)


def own_form(name: str) -> Task:
    """A form that a person fills in of themselves, as one about their background: of no queue."""
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
    """How a task's items are handed out in one dataset. ``deadline`` is a day (ISO 8601) that
    people are told, or empty: nothing closes on it. ``order`` is "random", another for each rater,
    or "file", that in which the items were added."""

    raters_per_item: int = 3
    items_per_rater: int = 20
    lease_minutes: int = 120
    gold_share: float = 0.1
    seed: int = 20240413
    deadline: str = ""
    order: str = "random"

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
        if self.deadline:
            try:
                date.fromisoformat(self.deadline)
            except ValueError as error:
                raise InvalidInput(
                    f"The deadline {self.deadline!r} is not a day.",
                    hint="Write it as year-month-day, such as 2027-03-31, or leave it empty.",
                ) from error
