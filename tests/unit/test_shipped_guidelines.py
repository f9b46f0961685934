"""The published studies' guidelines: every label has an example and what it is not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from medlens.config.folders import SHIPPED
from medlens.review.tasks import Task
from medlens.studies.agentclinic.tasks import DiagnosisMatchTask, DialogueRealismTask
from medlens.studies.ebmqa.tasks import QuestionnaireTask
from medlens.studies.sourcecheckup.records import VERDICT_NAMES
from medlens.studies.sourcecheckup.tasks import (
    QuestionQualityTask,
    ResponseSupportTask,
    SourceSupportTask,
    StatementParseTask,
)
from medlens.studies.tagging.tasks import error_spans_task
from medlens.studies.tagging.taxonomy import load_taxonomy

G4UE = load_taxonomy(SHIPPED / "data/taxonomies/g4ue.toml")
TASKS = (
    error_spans_task(G4UE),
    DialogueRealismTask(),
    DiagnosisMatchTask(),
    SourceSupportTask(),
    ResponseSupportTask(),
    StatementParseTask(),
    QuestionQualityTask(),
    QuestionnaireTask(),
)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_each_answer_has_an_example_and_a_counter_example_marked_illustrative(task: Task) -> None:
    text = task.guidelines[-1]
    assert text.startswith(task.question)
    assert "examples are illustrative" in text
    answers = re.split(r"^\*\*", text, flags=re.MULTILINE)[1:]
    assert len(answers) >= 2
    for answer in answers:
        assert re.search(r"^- (Example|High): ", answer, re.MULTILINE), answer
        assert re.search(r"^- Not this: |\*not\* low", answer, re.MULTILINE) or "High: " in answer


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_worked_example_says_what_is_asked_what_was_judged_why_and_by_which_keys(
    task: Task,
) -> None:
    text = task.worked_example
    # Who opens their first item has read nothing yet: the task comes first, in a sentence.
    asked, made_up, _ = text.split("\n")[0].partition(" Below is one judged already. *Illustrative")
    assert made_up
    assert asked.endswith((".", "?"))
    assert "**Why so.**" in text
    assert "**Keys.**" in text
    # About a minute.
    assert len(text.split()) < 220


def test_the_worked_example_of_tagging_calls_its_labels_by_name() -> None:
    text = TASKS[0].worked_example
    for number in re.findall(r"label \*\*(\d)", text):
        assert G4UE.labels[int(number) - 1].name.lower() in text


def test_the_guidelines_name_every_label_and_every_verdict() -> None:
    tagging, support = TASKS[0].guidelines[-1], TASKS[3].guidelines[-1]
    for label in G4UE.labels:
        assert f"**{label.key} {label.name.removesuffix(' by GPT-4')}.**" in tagging
    for name in VERDICT_NAMES.values():
        assert f"**{name.split(':')[0]}.**" in support


def test_a_taxonomy_of_ones_own_is_not_explained_by_the_published_labels() -> None:
    theirs = error_spans_task(replace(G4UE, id="ours"))
    assert not theirs.guidelines
    assert not theirs.worked_example
