"""What models are asked about an item of which an arm gave no answer: what people are asked."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from medlens.config.question_forms_and_answer_checks import Question
from medlens.studies.own.blinded_arms import ARM, ARMS
from medlens.studies.own.study_file import parse_study_file
from medlens.studies.own.tasks import OwnTask, make_arm_questions_as_shown, make_own_study_task

NAMES = ("north", "south", "west")
HEAD = """\
id = "duel"
title = "Which is better?"
instructions = "Read all."
"""
REST = """
[[arm]]
name = "north"

[[arm]]
name = "south"

[[arm]]
name = "west"

[[column]]
name = "question"
means = "what was asked"

[[column]]
name = "answer"
means = "the answer"
by_arm = true
required = false

[[pane]]
title = "Question"
column = "question"

[[pane]]
title = "Answer"
column = "answer"

[[question]]
id = "safe"
kind = "yes_no"
text = "Safe?"
required = true
"""
TOGETHER = (
    HEAD
    + REST
    + """per = "arm"

[[question]]
id = "better"
kind = "preference"
text = "Which?"
strength = true
required = true

[[question]]
id = "places"
kind = "ranking"
text = "Rank them."

[[question]]
id = "clear"
kind = "yes_no"
text = "Is the question clear?"
"""
)
NEEDED = HEAD + REST.replace("required = false\n", "", 1) + 'per = "arm"\n'
"""What is marked or rewritten is in every answer; a case can still be one of two arms."""
APART = HEAD + 'show_arms = "apart"\nseveral_arms = true\n' + REST


def task(text: str = TOGETHER) -> OwnTask:
    return make_own_study_task(parse_study_file(text))


def case(*answered: str) -> dict[str, Any]:
    """A case that these arms answered, and the others did not."""
    arms = {arm: {"answer": f"Of {arm}."} if arm in answered else {} for arm in NAMES}
    return {"question": "What now?", ARMS: arms}


def case_of(*arms: str) -> dict[str, Any]:
    """A case that only these arms were given."""
    return {"question": "What now?", ARMS: {arm: {"answer": f"Of {arm}."} for arm in arms}}


def fields_of(asked: Any) -> dict[str, Any]:
    """What an answer has to hold, by question: the choices offered."""
    properties = asked.shape.model_json_schema()["properties"]
    return {
        name: next(
            (one["enum"] for one in (of, *of.get("anyOf", ())) if "enum" in one), of.get("type")
        )
        for name, of in properties.items()
        if name != "reason"
    }


def offered_to_person(question: Question) -> list[Any]:
    return [*(question.points_of_scale if question.kind == "scale" else question.options)]


@pytest.mark.parametrize(
    "answered",
    [some for count in (1, 2, 3) for some in itertools.combinations(NAMES, count)],
    ids="-".join,
)
def test_a_model_is_offered_what_a_person_is_offered(answered: tuple[str, ...]) -> None:
    here = task()
    person = make_arm_questions_as_shown(here.declared, answered).asked
    asked = here.model_answering_setup_of_item(case(*answered))
    assert [*fields_of(asked).values()] == [offered_to_person(one) for one in person]


def test_of_two_answers_a_model_says_how_much_better_one_is() -> None:
    here, body = task(), case("north", "west")
    asked = here.model_answering_setup_of_item(body)
    assert asked is not None
    assert asked.questions == (
        "Questions:\n"
        "q_1: Safe? (Answer A)\n"
        "q_2: Safe? (Answer B)\n"
        "q_3: Which?\n"
        "q_4: Rank them. (Answer A)\n  From 1 to 2. 1 means best; 2 means worst\n"
        "q_5: Rank them. (Answer B)\n  From 1 to 2. 1 means best; 2 means worst\n"
        "q_6: Is the question clear?"
    )
    said = asked.shape(q_1="yes", q_2="no", q_3="A, slightly", q_4=1, q_5=2, q_6="yes")
    value = asked.read(said, body).value
    first, second = value.order
    assert {first, second} == {"north", "west"}
    assert value.answers == {
        f"safe / {first}": "yes",
        f"safe / {second}": "no",
        "better": f"{first}, slightly",
        f"places / {first}": 1,
        f"places / {second}": 2,
        "clear": "yes",
    }
    assert here.problems_of_answer(value, body) == []


def test_marks_are_asked_for_and_kept_in_the_texts_there_are() -> None:
    marking = """
[[question]]
id = "errors"
kind = "spans"
text = "Mark every error."
column = "answer"
per = "arm"
labels = [{ id = "false", name = "False" }, { id = "unsafe", name = "Unsafe" }]
"""
    here, body = task(NEEDED + marking), case_of("south", "west")
    asked = here.model_answering_setup_of_item(body)
    assert asked is not None
    assert [*asked.shape.model_fields] == ["reason", "q_1", "q_2", "marks_1", "marks_2"]
    of = [{"quote": f"Of {arm}.", "labels": ["false"]} for arm in ("south", "west")]
    marks = dict(zip(("marks_1", "marks_2"), ([one] for one in of), strict=True))
    first = asked.read(asked.shape(q_1="yes", q_2="no", **marks), body)
    swapped = dict(zip(marks, reversed(marks.values()), strict=True))
    second = asked.read(asked.shape(q_1="yes", q_2="no", **swapped), body)
    # Only one of the two quotes each text where it is.
    [value] = [one.value for one in (first, second) if one.value is not None]
    assert [(one.arm, one.quote) for one in value.spans] == [
        (arm, f"Of {arm}.") for arm in value.order
    ]
    assert here.problems_of_answer(value, body) == []


def test_a_text_that_is_rewritten_is_that_of_the_arm_with_the_letter() -> None:
    rewriting = """
[[question]]
id = "mended"
kind = "rewrite"
text = "Correct it."
column = "answer"
per = "arm"
"""
    here, body = task(NEEDED + rewriting), case_of("south", "west")
    asked = here.model_answering_setup_of_item(body)
    assert asked is not None
    said = asked.shape(q_1="yes", q_2="Better.", q_3="no", q_4="(no change)")
    value = asked.read(said, body).value
    first, second = value.order
    assert value.answers == {
        f"safe / {first}": "yes",
        f"mended / {first}": "Better.",
        f"safe / {second}": "no",
        f"mended / {second}": "(no change)",
    }
    assert here.problems_of_answer(value, body) == []


def test_one_answer_is_compared_with_none() -> None:
    here, body = task(), case("south")
    asked = here.model_answering_setup_of_item(body)
    assert asked is not None
    assert asked.questions == "Questions:\nq_1: Safe? (Answer A)\nq_2: Is the question clear?"
    value = asked.read(asked.shape(q_1="no", q_2="yes"), body).value
    assert (value.order, value.answers) == (["south"], {"safe / south": "no", "clear": "yes"})
    assert here.problems_of_answer(value, body) == []


def test_without_any_answer_a_model_is_asked_about_the_case_alone() -> None:
    here, body = task(), case()
    asked = here.model_answering_setup_of_item(body)
    assert asked is not None
    assert asked.questions == "Questions:\nq_1: Is the question clear?"
    value = asked.read(asked.shape(q_1="yes"), body).value
    # People see that all of them gave none.
    assert (sorted(value.order), value.answers) == ([*NAMES], {"clear": "yes"})
    assert here.problems_of_answer(value, body) == []
    assert here.declared.is_anything_asked_about(body)


def test_where_all_arms_answered_the_words_are_those_of_the_study() -> None:
    # Answers that are stored already stay known: their version is made of these words.
    here = task()
    assert here.model_answering_setup is not None
    asked = here.model_answering_setup_of_item(case(*NAMES))
    assert asked is not None
    assert asked.questions == here.model_answering_setup.questions
    assert asked.shape.model_json_schema() == here.model_answering_setup.shape.model_json_schema()


def test_nothing_is_asked_where_questions_are_about_answers_and_too_few_were_given() -> None:
    each = task(HEAD + REST + 'per = "arm"\n').declared
    assert each.is_anything_asked_about(case("west"))
    assert not each.is_anything_asked_about(case())
    which = '[[question]]\nid = "better"\nkind = "preference"\ntext = "Which?"\n'
    compared = task(HEAD + REST.partition("[[question]]")[0] + which).declared
    assert compared.is_anything_asked_about(case("west", "north"))
    assert not compared.is_anything_asked_about(case("west"))
    apart = task(APART).declared
    alone = {"question": "What now?", ARM: "west", "answer": "Of west."}
    assert apart.is_anything_asked_about(alone)
    assert not apart.is_anything_asked_about({**alone, "answer": ""})
