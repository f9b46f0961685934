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
from medlens.studies.tagging.study import TaggingSettings
from medlens.studies.tagging.tasks import error_spans_task
from medlens.studies.tagging.taxonomy import load_taxonomy
from tests.store.made_up import TASK, Rating, with_methods

PUBLISHED = [
    error_spans_task(load_taxonomy(Settings().of(TaggingSettings).taxonomy)),
    DialogueRealismTask(),
    DiagnosisMatchTask(),
    SourceSupportTask(),
    ResponseSupportTask(),
    QuestionQualityTask(),
    StatementParseTask(),
    QuestionnaireTask(),
]
ABILITIES = {
    "has_groups_of_variables": "groups_of_variables",
    "has_answers_not_always_offered": "could_offer",
    "columns_need_item": "as_file_columns",
    "reads_columns": "from_columns",
    "has_parts": "as_parts",
    "can_import_parts": "from_parts",
    "takes_gold": "matches_gold",
    "makes_gold": "gold_from_answer",
    "knows_gold": "gold_from_data",
    "has_combinable_pieces": "pieces",
    "differs_by_item": "for_item",
    "has_images": "images_of_item",
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
        def measures(self, value: Rating) -> dict[str, object]:
            return {}

    with pytest.raises(TypeError, match="as_columns"):
        Forgetful(**{name: getattr(TASK, name) for name in ("name", "study", "item_kind", "title")})


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
        *("reads_columns", "takes_gold", "makes_gold"),
    ]
    rewritten = OWN.replace('kind = "yes_no"', 'kind = "rewrite"\ncolumn = "letter"')
    asked = make_own_study_task(parse_study_file(rewritten))
    assert (asked.columns_need_item, asked.differs_by_item) == (True, True)
    assert make_own_study_task(plain.declared, 0, plain.attached, TaskOfMarks).has_parts
