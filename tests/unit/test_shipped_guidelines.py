"""The published studies' guidelines: every label has an example and what it is not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from medlens.config.shipped_and_home_folders import SHIPPED
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
from medlens.studies.tagging.tasks import make_error_spans_task
from medlens.studies.tagging.taxonomy import load_taxonomy
from medlens.ui.styles import read_style_sheet
from medlens.ui.worked_example import split_worked_example_at_keyboard_keys

G4UE = load_taxonomy(SHIPPED / "data/taxonomies/g4ue.toml")
TASKS = (
    make_error_spans_task(G4UE),
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
    before, keys, touch, after = split_worked_example_at_keyboard_keys(task.worked_example)
    # Who opens their first item has read nothing yet: the task comes first, in a sentence.
    asked, made_up, _ = before.partition(" *Made-up example.*")
    assert made_up
    assert asked.endswith((".", "?", ":"))
    assert "**Why so.**" in after
    # What is done, then a finished item: its text in a frame, what was answered as chips.
    assert keys.startswith("**Keys.**")
    assert touch.startswith("**By touch.**")
    assert re.search(r"^> ", after, re.MULTILINE)
    assert re.search(r"`[^`]+`", after)
    # Some twenty seconds at 200 words a minute, by keys or by touch; less before long items.
    most = 70 if task.name in ("error_spans", "dialogue_realism") else 80
    for how in (keys, touch):
        words = re.findall(r"\w[\w'’-]*", f"{before} {how} {after}")
        assert len(words) <= most, (task.name, len(words))


def test_the_worked_example_of_tag_errors_submits_by_the_key_that_submits_beside_a_mark() -> None:
    [task] = [one for one in TASKS if one.name == "error_spans"]
    # Beside a mark Enter opens it, as the key named at Submit says.
    _, keys, _, _ = split_worked_example_at_keyboard_keys(task.worked_example)
    assert re.search(r"Ctrl\+Enter submits", keys)
    assert not re.search(r"(?<!\+)Enter submits", keys)


def test_the_mark_of_the_worked_example_is_drawn_as_its_desk_draws_its_label() -> None:
    [task] = [one for one in TASKS if one.name == "error_spans"]
    chip = re.search(r"\*[^*]+\* `(\d) ([^`]+)`", task.worked_example)
    assert chip
    [label] = [one for one in G4UE.labels if str(one.key) == chip[1]]
    assert label.name.lower() == chip[2]
    # "thick-dashed" of the desk: 7 of 11 px are drawn, 4 px high.
    assert label.pattern == "thick-dashed"
    rule = read_style_sheet("worked_example").partition("blockquote:has(em + code) em {")[2]
    rule = rule.partition("}")[0]
    assert "11px 4px" in rule
    assert f"{label.colour} 0 7px" in rule


def test_the_keys_of_a_worked_example_may_stand_anywhere_and_nothing_of_it_is_lost() -> None:
    item, why = "**Item.** A note.", "**Why so.** It is short."
    keys, touch = "**Keys.** 1 and 2.\n\nK goes back.", "**By touch.** Tap."
    for text, parts in {
        f"{item}\n\n{why}\n\n{keys}\n\n{touch}": (f"{item}\n\n{why}", keys, touch, ""),
        f"Do it.\n\n{keys}\n\n{touch}\n\n> A note.\n\n{why}": (
            *("Do it.", keys, touch),
            f"> A note.\n\n{why}",
        ),
        f"{item} {touch}": (item, "", touch, ""),
        item: (item, "", "", ""),
    }.items():
        assert split_worked_example_at_keyboard_keys(text) == parts


def test_the_worked_example_of_tagging_calls_its_labels_by_name() -> None:
    text = TASKS[0].worked_example
    named = re.findall(r"`(\d) ([^`]+)`", text)
    assert named
    for number, name in named:
        assert G4UE.labels[int(number) - 1].name.lower() == name


def test_the_guidelines_name_every_label_and_every_verdict() -> None:
    tagging, support = TASKS[0].guidelines[-1], TASKS[3].guidelines[-1]
    for label in G4UE.labels:
        assert f"**{label.key} {label.name.removesuffix(' by GPT-4')}.**" in tagging
    for name in VERDICT_NAMES.values():
        assert f"**{name.split(':')[0]}.**" in support


def test_a_taxonomy_of_ones_own_is_not_explained_by_the_published_labels() -> None:
    theirs = make_error_spans_task(replace(G4UE, id="ours"))
    assert not theirs.guidelines
    assert not theirs.worked_example
