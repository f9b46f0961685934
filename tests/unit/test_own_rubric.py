"""A rubric: its criteria as questions, what is refused of them, and the share of its points."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from medlens.config.question_forms_and_answer_checks import MET, load_form
from medlens.errors import BadFile
from medlens.studies.own import study_file
from medlens.studies.own.arm_differences_and_preference_contests import points_share_of_each_answer
from medlens.studies.own.figures import list_mean_rubric_point_shares_of_tags
from medlens.studies.own.model_answering_setup_for_study_questions import make_model_answering_setup
from medlens.studies.own.study_file import list_answers_made_untrue_in_words, parse_study_file
from medlens.studies.own.tasks import Answers, make_own_study_task
from medlens.ui import own_item_panes_and_questions

TEXT = """\
id = "letters"
title = "Discharge letters"
instructions = "Read it."

[[column]]
name = "letter"
means = "the letter"

[[pane]]
title = "Letter"
column = "letter"

[[question]]
id = "quality"
kind = "rubric"
text = "Does it meet it?"
required = true
criteria = [
  { id = "dose", text = "Names the dose", points = 5, tags = ["drugs"] },
  { id = "plan", text = "Says what comes next", points = 3 },
  { id = "wrong", text = "Names a drug that was stopped", points = -4, tags = ["drugs"] },
]
"""


def test_each_criterion_is_a_question_with_a_key_and_three_answers() -> None:
    questions = parse_study_file(TEXT).form.questions
    assert [one.id for one in questions] == ["quality_dose", "quality_plan", "quality_wrong"]
    assert {one.shown_options for one in questions} == {MET}
    # The rubric's words stand over its criteria once.
    assert [one.part for one in questions] == ["Does it meet it?", "", ""]
    first, *_ = own_item_panes_and_questions.questions_as_form_fields(parse_study_file(TEXT))
    assert (first["letter"], [one["key"] for one in first["options"]]) == ("a", ["1", "2", "3"])


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("points = 5,", "", "criterion 1: points, above 0 or below"),
        ("points = 5,", "points = 0,", "criterion 1: points, above 0 or below"),
        ("points = 5,", "points = inf,", "criterion 1: points that are a number"),
        ("points = 3", 'points = "3"', "criterion 2: points, above 0 or below"),
        ('id = "plan"', 'id = "The plan"', "criterion 2: an id of lower-case letters"),
        ('text = "Names the dose"', 'text = " "', "criterion 1: a text"),
        ('tags = ["drugs"] },\n  { id = "plan"', 'tags = "x" },\n  { id = "plan"', "1: tags as a"),
        ("points = 3", "points = 3, weight = 2", "criterion 2: { id ="),
        ('id = "plan"', 'id = "dose"', "none is called quality_dose"),
    ],
)
def test_what_is_wrong_with_a_criterion_is_refused_by_its_number(
    old: str, new: str, reason: str
) -> None:
    assert TEXT.count(old) == 1
    with pytest.raises(BadFile) as refused:
        parse_study_file(TEXT.replace(old, new), "letters.toml")
    assert "letters.toml, line 18" in str(refused.value)
    assert reason in str(refused.value)
    assert len(refused.value.rows) == 1


def test_a_rubric_without_points_to_get_or_without_criteria_is_refused() -> None:
    only_faults = TEXT.replace("points = 5", "points = -5").replace("points = 3", "points = -3")
    with pytest.raises(BadFile, match="at least one criterion with points above 0"):
        parse_study_file(only_faults)
    with pytest.raises(BadFile, match="50 at most"):
        parse_study_file(TEXT[: TEXT.index("criteria")] + "criteria = []\n")
    with pytest.raises(BadFile, match="50 at most"):
        parse_study_file(TEXT[: TEXT.index("criteria")])


def test_a_form_that_raters_fill_in_at_the_end_has_no_rubrics(tmp_path) -> None:
    path = tmp_path / "form.toml"
    path.write_text('id = "f"\ntitle = "F"\n' + TEXT[TEXT.index("[[question]]") :])
    with pytest.raises(BadFile, match="one of single"):
        load_form(path)


def test_the_share_of_points_is_that_of_healthbench() -> None:
    criteria = parse_study_file(TEXT).criteria_of_rubric("quality")
    answers = {
        "quality_dose": ["met", "not met", "met", "cannot tell", "met"],
        "quality_plan": ["met", "not met", "not met", "met", None],
        "quality_wrong": ["not met", "met", "met", "cannot tell", "met"],
    }
    # 5 + 3 = 8 points can be got. All of them; only the fault: -4 of 8; 5 - 4 = 1 of 8;
    # 3 of 8, since what cannot be told neither brings nor costs any; and one without an answer.
    assert points_share_of_each_answer(criteria, answers).tolist()[:4] == [1, -0.5, 0.125, 0.375]
    assert np.isnan(points_share_of_each_answer(criteria, answers)[4])
    # Faults alone bring nothing that a share could be of.
    assert np.isnan(points_share_of_each_answer(criteria[2:], answers)).all()


def test_a_judgment_goes_out_with_its_share_of_points_and_comes_in_without() -> None:
    task = make_own_study_task(parse_study_file(TEXT))
    said = {"quality_dose": "met", "quality_plan": "cannot tell", "quality_wrong": "met"}
    row = task.answer_as_columns(Answers(answers=said))
    assert row["quality"] == 0.125
    assert task.answer_from_columns(row).answers == said


def test_points_can_be_set_anew_and_a_criterion_that_was_answered_cannot_go() -> None:
    old = parse_study_file(TEXT)
    assert (
        list_answers_made_untrue_in_words(
            old, parse_study_file(TEXT.replace("points = 5", "points = 6"))
        )
        == []
    )
    gone = "\n".join(line for line in TEXT.splitlines() if '"plan"' not in line)
    assert list_answers_made_untrue_in_words(old, parse_study_file(gone)) == [
        "The question 'quality_plan' is gone."
    ]


def test_the_criteria_of_each_arm_have_a_share_of_their_own() -> None:
    arms = '\n[[arm]]\nname = "north"\n\n[[arm]]\nname = "south"\n'
    text = TEXT.replace('means = "the letter"', 'means = "the letter"\nby_arm = true')
    text = text.replace('kind = "rubric"', 'kind = "rubric"\nper = "arm"') + arms
    said = {
        f"quality_{one} / {arm}": answer
        for arm, answer in (("north", "met"), ("south", "not met"))
        for one in ("dose", "plan", "wrong")
    }
    row = make_own_study_task(parse_study_file(text)).answer_as_columns(
        Answers(answers=said, order=["south", "north"])
    )
    # North met all, the fault too: 5 + 3 - 4 of 8.
    assert (row["quality / north"], row["quality / south"]) == (0.5, 0)


def test_the_template_asks_ten_criteria_of_an_answer() -> None:
    _, declared = study_file.read_study_file_text_and_declaration(
        study_file.path_of_template("rubric")
    )
    assert len(declared.criteria_of_rubric("criteria")) == 10
    assert [one.id for one in declared.number_questions_standing_for_rubrics] == ["criteria"]


def test_a_mean_below_nothing_is_nothing() -> None:
    declared = parse_study_file(TEXT)
    said = {"quality_dose": "not met", "quality_plan": "not met", "quality_wrong": "met"}
    answers = pd.DataFrame([{"case": n, "rater_id": "r", **said} for n in range(4)])
    everything, drugs = list_mean_rubric_point_shares_of_tags(declared, "quality", answers)
    assert (everything[0], drugs[0]) == ("", "drugs")
    assert (everything[1].value, drugs[1].value) == (0, 0)


def test_a_model_is_told_what_is_asked_of_the_criteria() -> None:
    asked = make_model_answering_setup(
        parse_study_file(TEXT), parse_study_file(TEXT).form, Answers
    ).questions
    assert asked.startswith("Questions:\nDoes it meet it?\nq_1: Names the dose")
    assert asked.count("Does it meet it?") == 1
