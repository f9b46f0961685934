"""What raters are asked: all that the spine needs to know of a study's question."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field, RootModel, ValidationError

from medlens.config.question_forms_and_answer_checks import Form
from medlens.config.settings import Section, Settings
from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review.marks_after_text_correction import CarriedAnswer
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


_NAMES_OF_0_3 = {
    "measures": "values_compared_for_agreement",
    "problems": "problems_of_answer",
    "rule_problems": "rules_broken_by_answer",
    "draft_problems": "problems_of_draft",
    "draft_problems_of_many": "problems_of_many_drafts",
    "problems_off_desk": "problems_of_answer_from_elsewhere",
    "carry_answer": "answer_and_lost_marks_in_corrected_item",
    "as_submitted": "complete_answer_at_submission",
    "agreement_on_wholes": "whole_agreement_functions_by_name_and_meaning",
    "uncounted_differences": "uncompared_values_of_answer_by_name",
    "titles_of_questions": "question_wordings_by_id",
    "join_arms": "variable_names_text_without_arms",
    "pool_of_variable": "pool_name_of_variable",
    "groups_of_variables": "group_kinds_and_names_by_variable",
    "could_offer": "could_judgment_have_had_answer",
    "as_columns": "answer_as_columns",
    "columns_need_item": "do_columns_need_item",
    "as_file_columns": "answer_as_file_columns",
    "reads_columns": "can_read_answer_from_columns",
    "from_columns": "answer_from_columns",
    "has_parts": "do_answers_have_parts",
    "as_parts": "answer_as_rows_of_parts",
    "from_parts": "answer_from_rows_of_parts",
    "takes_gold": "can_items_be_gold",
    "matches_gold": "does_answer_match_gold",
    "problems_of_gold": "list_reasons_expected_answer_is_impossible",
    "makes_gold": "can_answer_become_gold",
    "gold_from_answer": "make_gold_from_answer",
    "knows_gold": "does_data_bring_gold",
    "gold_from_data": "read_gold_from_data",
    "pieces": "pieces_of_answer_with_places",
    "settle_by_rule": "answer_by_consensus_rule",
    "differs_by_item": "do_items_differ_in_questions",
    "for_item": "task_as_asked_of_item",
    "has_images": "do_items_have_images",
    "images_of_item": "load_image_bytes_by_name_of_item",
    "texts_of_item": "load_texts_by_heading_of_item",
    "by_models": "model_answering_setup",
    "letters_shown": "shown_letters_by_arm_name",
    "cell_in_words": "cell_of_answer_in_words",
    "items_left_out": "ids_of_items_not_handed_out",
    "clusters_of_items": "cluster_by_item",
    "level_of_variable": "measurement_level_of_variable",
    "units_of_variable": "unit_counted_for_variable",
    "name_of": "name_of_variable_in_words",
    "name_replacer": "function_that_replaces_real_names",
    "adjust_hand_out": "adjust_hand_out_settings_to_task",
}
"""What the methods of ``Task`` were called in 0.3.0, by which studies of other distributions may
still declare and call them.
"""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Task(ABC):
    """One question asked of items of one kind. Each task of a study is a subclass of its own, with
    what it does with an answer (an instance of ``value``) and with an item (by id, or its stored
    body) as methods. These fields say the rest:

    * ``level`` is that of the variables that are measured; ``levels`` has those with another one,
      ``scales`` the points of those that are scales, ``classes`` all that each nominal one can be,
      if that is known and the same for every item (yes and no need not be said), ``tolerances`` how
      far apart answers are no
      disagreement yet, ``made_from`` the variable that one is a simpler form of: where that says
      *cannot tell*, so does this one, which is None there.
    * ``columns``: the meaning of the columns of an answer, if a study's own file has them.
    * ``word_in``: which figures use the clinicians' word on an item, and so the adjudicator's, as
      the end of a sentence; empty: none, and there is nothing to settle.
    * ``form``: the questions for adjudicators to write an answer of their own; their ids are
      columns of an answer. None: they cannot, or they mark the text anew.
    * ``called``: the wording of the questions that an answer's columns answer, by column: what can
      be settled question by question. Empty if an answer is one thing.
    * ``originals``: for a task as asked of one item, the texts that answers change, by column of
      the answer: the difference is what is shown.
    * ``names``: the measured variables in words, if those say more than their ids.
    * ``pools``: the names that several variables share (see ``pool_name_of_variable``).
    * ``guidelines``: what raters go by until a lead writes their own: texts by the study's makers,
      oldest first. One is never changed, only followed by another: judgments keep its number.
      ``worked_example`` is a finished item: what was answered, why, and the keys.
    * ``units``: the noun for what ``cluster_by_item`` gives.

    ``requires`` is a field of the body or a JSON path in it (``$.turns[0].n``): only items that
    have something there are handed out. ``handing_out`` are the fields of ``HandOut`` whose
    defaults differ for this task. ``kin`` is a path too: a rater is given one of the items that
    have the same value there. ``evened`` is the path of what a rater gets as evenly as possible
    (the arms of a comparison). ``length_at`` is the path of the text that makes an item long:
    in a demo, a rater's first item is the shortest that is free, of a quarter of them. With
    ``everyone`` each rater answers every item: raters per item and items per rater do not
    apply, and nothing is handed on. A task that is not ``handed_out`` is a rater's own form
    (see ``PersonalForm``): its drafts belong to no item. ``reveals`` is what raters are shown
    of an item once they have answered; empty: nothing. If it is ``hidden_anew``, what they were
    shown tells them nothing once the meaning of the item has changed. If answers are
    ``told_by_marks``, those that differ in their marks alone are different answers to settle.
    """

    name: str
    study: str
    item_kind: str
    title: str
    question: str
    value: type[BaseModel]
    columns: Sequence[Column] = ()
    level: Level = "nominal"
    levels: Mapping[str, Level] = field(default_factory=dict)
    scales: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tolerances: Mapping[str, float] = field(default_factory=dict)
    made_from: Mapping[str, str] = field(default_factory=dict)
    word_in: str = ""
    form: Form | None = None
    called: Mapping[str, str] = field(default_factory=dict)
    originals: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    pools: Collection[str] = ()
    units: str = "items"
    guidelines: Sequence[str] = ()
    worked_example: str = ""
    requires: str = ""
    kin: str = ""
    evened: str = ""
    length_at: str = ""
    handing_out: Mapping[str, Any] = field(default_factory=dict)
    everyone: bool = False
    handed_out: bool = True
    reveals: str = ""
    hidden_anew: bool = False
    told_by_marks: bool = False

    def __init_subclass__(cls, **given: Any) -> None:
        """Take methods by their names of 0.3.0 too."""
        for earlier, now in _NAMES_OF_0_3.items():
            if earlier in cls.__dict__ and now not in cls.__dict__:
                setattr(cls, now, cls.__dict__[earlier])
        super().__init_subclass__(**given)

    if not TYPE_CHECKING:  # which would take any name for one of a task's

        def __getattr__(self, name: str) -> Any:
            """A method by its name of 0.3.0."""
            if name in _NAMES_OF_0_3:
                return getattr(self, _NAMES_OF_0_3[name])
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def item_in_words(self, name: str) -> str:
        """What an item of this name is called in a heading for a lead."""
        return name

    # -- an answer, checked and measured -------------------------------------------------------

    @abstractmethod
    def values_compared_for_agreement(self, value: Any) -> Mapping[str, Any]:
        """The variables whose agreement is measured, by name, such as ``{"score": 7}``."""

    def problems_of_answer(self, value: Any, item: Body) -> list[str]:
        """What keeps a judgment from being submitted, as sentences for the rater."""
        return []

    def rules_broken_by_answer(self, value: Any, item: Body) -> list[str]:
        """The part of ``problems_of_answer`` that also applies to models and adjudicators, who need
        not mark a place or look up a reference; by default all of it.
        """
        return self.problems_of_answer(value, item)

    def problems_of_draft(self, value: Any, item: Body) -> list[str]:
        """What makes even a draft impossible, such as a span outside the text."""
        return []

    def problems_of_many_drafts(self, answers: Sequence[tuple[Any, Body]]) -> list[list[str]]:
        """``problems_of_draft`` of each of several answers, given with their items' bodies."""
        return [self.problems_of_draft(value, item) for value, item in answers]

    def problems_of_answer_from_elsewhere(self, value: Any, item: Body) -> list[str]:
        """The rules broken by an answer that nobody gave at a desk, as sentences."""
        return self.problems_of_draft(value, item) or self.rules_broken_by_answer(value, item)

    def answer_and_lost_marks_in_corrected_item(
        self, value: Any, before: Body, after: Body
    ) -> CarriedAnswer:
        """An answer as it stands in the item's corrected body, made on the body ``before``."""
        return CarriedAnswer(value, value)

    def complete_answer_at_submission(self, value: Any) -> Any:
        """An answer as it is once submitted, with what its draft lacks."""
        return value

    def whole_agreement_functions_by_name_and_meaning(self, judged: pd.DataFrame) -> Wholes:
        """Agreement on whole answers rather than on one variable, from
        ``consensus.current_judgments``.
        """
        return {}

    def uncompared_values_of_answer_by_name(self, value: Any) -> Mapping[str, Any]:
        """What can differ between answers with the same measures, by name: texts changed in other
        ways, other passages marked. Adjudicators see it; nothing is counted.
        """
        return {}

    def question_wordings_by_id(self) -> Mapping[str, str]:
        """The wording of each question by its id, where the variables of its options and parts
        begin with that id; empty if each variable is a question.
        """
        return {}

    def variable_names_text_without_arms(self, names: str) -> str:
        """Names of variables, separated by semicolons, each once for all arms that are compared
        side by side: their names would tell which is which.
        """
        return names

    def pool_name_of_variable(self, variable: str) -> str:
        """The name under which a measured variable is pooled with others, if agreement is over all
        of them: criteria that differ by item. An item then has several such units, which are not
        independent.
        """
        return variable

    @property
    def has_groups_of_variables(self) -> bool:
        """Whether measured variables belong to groups."""
        return (
            type(self).group_kinds_and_names_by_variable
            is not Task.group_kinds_and_names_by_variable
        )

    def group_kinds_and_names_by_variable(
        self, body: Body
    ) -> Mapping[str, Sequence[tuple[str, str]]]:
        """The (kind, name) of the groups of measured variables, by variable, of an item."""
        return {}

    @property
    def has_answers_not_always_offered(self) -> bool:
        """Whether some judgments could not have had some answers."""
        return type(self).could_judgment_have_had_answer is not Task.could_judgment_have_had_answer

    def could_judgment_have_had_answer(self, value: Any, variable: str, answer: Any) -> bool:
        """Whether a judgment could have had this answer in this measured variable: an option may
        have been added later, or be an arm that was not shown.
        """
        return True

    # -- an answer in files --------------------------------------------------------------------

    @abstractmethod
    def answer_as_columns(self, value: Any) -> Mapping[str, Any]:
        """An answer as columns, one row per judgment."""

    @property
    def do_columns_need_item(self) -> bool:
        """Whether a file's columns say what only the item can tell."""
        return type(self).answer_as_file_columns is not Task.answer_as_file_columns

    def answer_as_file_columns(self, value: Any, body: Body) -> Mapping[str, Any]:
        """``answer_as_columns`` of an answer to an item with this body, for files: with what only
        the item can tell, such as how much of its text was changed.
        """
        return self.answer_as_columns(value)

    @property
    def can_read_answer_from_columns(self) -> bool:
        """Whether ``answer_from_columns`` can make an answer."""
        return type(self).answer_from_columns is not Task.answer_from_columns

    def answer_from_columns(self, row: Body) -> Any:
        """The answer in such columns, as texts; complete only once its parts are imported too, if
        it has parts that are not in the columns.

        Raises:
            InvalidInput: they hold none.
        """
        raise NotImplementedError

    @property
    def do_answers_have_parts(self) -> bool:
        """Whether answers have parts, with rows of their own."""
        return type(self).answer_as_rows_of_parts is not Task.answer_as_rows_of_parts

    def answer_as_rows_of_parts(self, value: Any) -> list[dict[str, Any]]:
        """An answer's parts as rows, such as one per span."""
        return []

    @property
    def can_import_parts(self) -> bool:
        """Whether ``answer_from_rows_of_parts`` can make an answer."""
        return type(self).answer_from_rows_of_parts is not Task.answer_from_rows_of_parts

    def answer_from_rows_of_parts(self, row: Body, rows: list[Body]) -> Any:
        """The answer in such columns and the rows of its parts, as texts.

        Raises:
            InvalidInput: they hold none.
        """
        raise NotImplementedError

    # -- gold items ----------------------------------------------------------------------------

    @property
    def can_items_be_gold(self) -> bool:
        """Whether its items can be gold items, which have an expected answer."""
        return type(self).does_answer_match_gold is not Task.does_answer_match_gold

    def does_answer_match_gold(self, value: Any, expected: Body) -> bool:
        """Whether an answer matches the expected answer of a gold item."""
        raise NotImplementedError

    def list_reasons_expected_answer_is_impossible(
        self, store: Store, item: str, expected: Body
    ) -> list[str]:
        """Why nobody can give an item's expected answer; empty if people can."""
        return []

    @property
    def can_answer_become_gold(self) -> bool:
        """Whether a lead can make an answer the key."""
        return type(self).make_gold_from_answer is not Task.make_gold_from_answer

    def make_gold_from_answer(self, value: Any) -> Body:
        """An answer as an expected answer, for a lead who makes their own the key."""
        raise NotImplementedError

    @property
    def does_data_bring_gold(self) -> bool:
        """Whether expected answers came with the data."""
        return type(self).read_gold_from_data is not Task.read_gold_from_data

    def read_gold_from_data(self, store: Store, item: str) -> Body | None:
        """The expected answer of an item that came with the data, if there is one."""
        return None

    # -- consensus -----------------------------------------------------------------------------

    @property
    def has_combinable_pieces(self) -> bool:
        """Whether an answer has pieces to choose from."""
        return type(self).pieces_of_answer_with_places is not Task.pieces_of_answer_with_places

    def pieces_of_answer_with_places(self, value: Any) -> list[tuple[str, str]]:
        """The named pieces of an answer, and where each is, for adjudicators."""
        return []

    def combine_chosen_pieces(self, chosen: Sequence[tuple[Any, int]]) -> Any:
        """The answer made of pieces of several answers: each answer, and the piece's number.

        Raises:
            InvalidInput: these pieces do not go together.
        """
        raise NotImplementedError

    def answer_by_consensus_rule(self, values: Sequence[Any]) -> Any | None:
        """The answer by the task's own rule of consensus, or None if there is none."""
        return None

    # -- what people and models read -----------------------------------------------------------

    @property
    def do_items_differ_in_questions(self) -> bool:
        """Whether items differ in what is asked of them."""
        return type(self).task_as_asked_of_item is not Task.task_as_asked_of_item

    def task_as_asked_of_item(self, body: Body) -> Task:
        """The task as it is asked of an item with this body: with its ``form``, ``called`` and
        ``names``.
        """
        return self

    def load_texts_by_heading_of_item(self, store: Store, item: str) -> Mapping[str, str]:
        """The parts of an item that are judged, as named texts, for adjudicators and models."""
        return {}

    @property
    def do_items_have_images(self) -> bool:
        """Whether items have images."""
        return (
            type(self).load_image_bytes_by_name_of_item is not Task.load_image_bytes_by_name_of_item
        )

    def load_image_bytes_by_name_of_item(self, store: Store, item: str) -> Mapping[str, bytes]:
        """The images of an item, as bytes by name."""
        return {}

    @cached_property
    def model_answering_setup(self) -> ByModels | None:
        """How models answer it, from an item's texts and images; None: it is for people alone, or
        models have a way of their own.
        """
        return None

    @property
    def do_items_differ_in_what_models_are_asked(self) -> bool:
        """Whether ``model_answering_setup_of_item`` differs from ``model_answering_setup``."""
        of_item = type(self).model_answering_setup_of_item
        return (
            of_item is not Task.model_answering_setup_of_item or self.do_items_differ_in_questions
        )

    def model_answering_setup_of_item(self, body: Body) -> ByModels | None:
        """How models answer it about an item with this body."""
        return self.task_as_asked_of_item(body).model_answering_setup or self.model_answering_setup

    def ids_of_items_with_nothing_to_judge(
        self, store: Store, wanted: Sequence[str]
    ) -> Collection[str]:
        """Those of these items in which an answer is missing and nothing is left to be asked: they
        are not sent to models.
        """
        return ()

    def shown_letters_by_arm_name(self, value: Any) -> Mapping[str, str]:
        """The names that the rater saw, by the real ones: the arms' letters. Raters are shown their
        answer with these.
        """
        return {}

    def cell_of_answer_in_words(self, column: str, cell: Any) -> str:
        """A cell of one of an answer's columns, as people read it."""
        return answer_in_readable_form(cell)

    def answer_in_words(self, value: Any) -> str:
        """An answer in one line, by default what was asked or measured."""
        measured = {
            k: v for k, v in self.values_compared_for_agreement(value).items() if v is not None
        }
        asked = [question.id for question in self.form.questions] if self.form else []
        if len(asked) == 1 and asked[0] in measured:
            # Everything else that is measured follows from this answer.
            measured = {asked[0]: measured[asked[0]]}
        named = (
            (self.name_of_variable_in_words(k), answer_in_readable_form(v))
            for k, v in measured.items()
        )
        return "; ".join(f"{k} {v}" if k.endswith("?") else f"{k}: {v}" for k, v in named)

    # -- which items ---------------------------------------------------------------------------

    def ids_of_items_not_handed_out(self, store: Store, dataset: str) -> Collection[str]:
        """The items of a dataset that are not handed out: another answer settles them, or they hold
        nothing that could be judged.
        """
        return ()

    def cluster_by_item(self, store: Store, dataset: str) -> Mapping[str, str]:
        """The case or question that each item of a dataset belongs to, if items are not
        independent.
        """
        return {}

    # -- what follows from all this ------------------------------------------------------------

    def measurement_level_of_variable(self, variable: str) -> Level:
        """The level of measurement of a variable."""
        return self.levels.get(variable, self.level)

    def unit_counted_for_variable(self, variable: str) -> str:
        """The unit that is counted when a variable, or all those pooled as it, is compared."""
        return "items" if variable not in self.pools else "criteria of items"

    def name_of_variable_in_words(self, variable: str) -> str:
        """A measured variable in words: its name, the question it answers, or its id."""
        if variable in self.names:
            return self.names[variable]
        question, colon, option = variable.partition(": ")
        if question in self.called:
            return f"{self.called[question]}{colon}{option}"
        for asked in self.form.questions if self.form else ():
            if asked.id == variable:
                return asked.text
        return answer_in_readable_form(variable[:1].upper() + variable[1:])

    def answer_to_variable(self, measured: Mapping[str, Any], variable: str) -> Any:
        """The answer to a measured variable, *cannot tell* where what it is made from says so."""
        answer = measured[variable]
        if answer is None and variable in self.made_from:
            source = measured.get(self.made_from[variable])
            return source if is_abstention(source) else None
        return answer

    def decision_in_words(self, value: Any) -> str:
        """An answer in one line; None is an adjudicator's decision that no answer holds."""
        return "No answer is right" if value is None else self.answer_in_words(value)

    def function_that_replaces_real_names(self, value: Any) -> Callable[[str], str]:
        """What replaces real names in a text by those that the rater of this answer saw."""
        seen = self.shown_letters_by_arm_name(value)
        seen = {name.replace("_", " "): now for name, now in seen.items()} | dict(seen)
        if not seen:
            return str
        # Longest first: an arm's name can begin with another's.
        names = "|".join(map(re.escape, sorted(seen, key=len, reverse=True)))
        real = re.compile(rf"(?<!\w)(?:{names})(?!\w)")
        return partial(real.sub, lambda name: seen[name[0]])

    def adjust_hand_out_settings_to_task(self, settings: HandOut) -> HandOut:
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


def answer_in_readable_form(answer: Any) -> str:
    """An answer or an id in readable form."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer).replace("_", " ")


class Entered(RootModel[dict[str, str | None]]):
    """The values of a form's fields, by name; None if nothing is chosen."""

    root: dict[str, str | None] = Field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PersonalForm(Task):
    """A form that a person fills in about themselves, such as their background; it has no queue."""

    study: str = ""
    item_kind: str = ""
    title: str = ""
    question: str = ""
    value: type[BaseModel] = Entered
    handed_out: bool = False

    def values_compared_for_agreement(self, value: Entered) -> Mapping[str, Any]:
        """Nothing."""
        return {}

    def answer_as_columns(self, value: Entered) -> Mapping[str, Any]:
        """Nothing."""
        return {}


@dataclass(frozen=True)
class StudyTasks:
    """What raters are asked in a study, by its name: how a dataset of it is opened (the default one
    if its name is empty), the tasks of what was opened, and the study's section of the settings.
    ``judgment_files`` are the exports with a row for each judgment of one task (None: as the opened
    study is, such a file has more than ``judgment_export`` writes).
    """

    study: str
    open: Callable[[Store, Settings, str], Any]
    tasks: Callable[[Any], Sequence[Task]]
    settings: type[Section] | None = None
    judgment_files: Mapping[str, Callable[[Any], Task | None]] = field(default_factory=dict)


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
