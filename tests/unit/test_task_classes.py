"""A task is a class with methods: what one overrides is what the spine knows that it can do."""

from __future__ import annotations

import inspect
from dataclasses import replace

import pytest

from medlens.config.settings import Settings
from medlens.review.tasks import PersonalForm, Task
from medlens.studies.agentclinic.tasks import DiagnosisMatchTask, DialogueRealismTask
from medlens.studies.ebmqa.tasks import QuestionnaireTask
from medlens.studies.own.study_file import parse_study_file
from medlens.studies.own.tasks import TaskOfMarks, make_own_study_task
from medlens.studies.sourcecheckup.tasks import (
    QuestionQualityTask,
    ResponseSupportTask,
    SourceSupportTask,
    StatementParseTask,
)
from medlens.studies.tagging.study_in_dataset import TaggingSettings
from medlens.studies.tagging.tasks import make_error_spans_task
from medlens.studies.tagging.taxonomy import load_taxonomy
from tests.store.made_up import TASK, Rating, with_methods

PUBLISHED = [
    make_error_spans_task(load_taxonomy(Settings().of(TaggingSettings).taxonomy)),
    DialogueRealismTask(),
    DiagnosisMatchTask(),
    SourceSupportTask(),
    ResponseSupportTask(),
    QuestionQualityTask(),
    StatementParseTask(),
    QuestionnaireTask(),
]
ABILITIES = {
    "has_groups_of_variables": "group_kinds_and_names_by_variable",
    "has_answers_not_always_offered": "could_judgment_have_had_answer",
    "do_columns_need_item": "answer_as_file_columns",
    "can_read_answer_from_columns": "answer_from_columns",
    "do_answers_have_parts": "answer_as_rows_of_parts",
    "can_import_parts": "answer_from_rows_of_parts",
    "can_items_be_gold": "does_answer_match_gold",
    "can_answer_become_gold": "make_gold_from_answer",
    "does_data_bring_gold": "read_gold_from_data",
    "has_combinable_pieces": "pieces_of_answer_with_places",
    "do_items_differ_in_questions": "task_as_asked_of_item",
    "do_items_differ_in_what_models_are_asked": "model_answering_setup_of_item",
    "do_items_have_images": "load_image_bytes_by_name_of_item",
}
"""What a task says that it can do, and the method that does it."""
OWN = """
id = "letters"
title = "Letters"
instructions = "Read."
[[column]]
name = "letter"
means = "the letter"
[[pane]]
title = "Letter"
column = "letter"
[[question]]
id = "good"
kind = "yes_no"
text = "Is it good?"
required = true
"""


@pytest.mark.parametrize("ability", ABILITIES)
def test_a_task_can_do_what_it_has_a_method_for(ability: str) -> None:
    assert getattr(PersonalForm(name="form"), ability) is False
    able = with_methods(PersonalForm(name="form"), **{ABILITIES[ability]: lambda *given: None})
    assert getattr(able, ability) is True


def test_every_ability_is_one_that_the_spine_asks_for() -> None:
    said = {name for name, of in vars(Task).items() if isinstance(of, property)}
    assert said == set(ABILITIES)


def test_a_task_without_measures_or_columns_cannot_be_made() -> None:
    class Forgetful(Task):
        def values_compared_for_agreement(self, value: Rating) -> dict[str, object]:
            return {}

    with pytest.raises(TypeError, match="answer_as_columns"):
        Forgetful(**{name: getattr(TASK, name) for name in ("name", "study", "item_kind", "title")})


class NamedAsIn030(Task):
    """A task of another distribution, written for 0.3.0."""

    def measures(self, value: Rating) -> dict[str, object]:
        return {"complete": True}

    def as_columns(self, value: Rating) -> dict[str, object]:
        return {"complete": "yes"}

    def problems(self, value: Rating, item: object) -> list[str]:
        return ["Say why."]

    def from_columns(self, row: object) -> Rating:
        return Rating(score=1)


def test_a_task_written_for_0_3_0_still_answers_by_both_names() -> None:
    task = NamedAsIn030(
        **{name: getattr(TASK, name) for name in ("name", "study", "item_kind")},
        title="Old",
        question="?",
        value=Rating,
    )
    assert task.values_compared_for_agreement(Rating(score=1)) == {"complete": True}
    assert task.answer_as_file_columns(Rating(score=1), {}) == {"complete": "yes"}
    assert task.rules_broken_by_answer(Rating(score=1), {}) == ["Say why."]
    assert task.can_read_answer_from_columns
    assert not task.can_items_be_gold
    assert task.measures(Rating(score=1)) == task.values_compared_for_agreement(Rating(score=1))
    assert TASK.matches_gold == TASK.does_answer_match_gold
    with pytest.raises(AttributeError, match="no attribute 'measure'"):
        getattr(task, "measure")  # noqa: B009


@pytest.mark.parametrize("task", PUBLISHED, ids=lambda task: task.name)
def test_a_published_task_holds_no_function_among_its_fields(task: Task) -> None:
    functions = [
        name for name, held in vars(task).items() if callable(held) and not inspect.isclass(held)
    ]
    assert functions == []
    assert type(replace(task, title="Other")) is type(task)


def test_an_own_task_can_do_what_its_file_asks_for() -> None:
    plain = make_own_study_task(parse_study_file(OWN))
    assert [name for name in ABILITIES if getattr(plain, name)] == [
        *("can_read_answer_from_columns", "can_items_be_gold", "can_answer_become_gold"),
    ]
    rewritten = OWN.replace('kind = "yes_no"', 'kind = "rewrite"\ncolumn = "letter"')
    asked = make_own_study_task(parse_study_file(rewritten))
    assert (asked.do_columns_need_item, asked.do_items_differ_in_questions) == (True, True)
    assert make_own_study_task(plain.declared, 0, plain.attached, TaskOfMarks).do_answers_have_parts
