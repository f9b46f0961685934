"""What a report says of the questions of an own study."""

from __future__ import annotations

from medlens.config.question_forms_and_answer_checks import Question
from medlens.studies.own import study_file
from medlens.studies.own.question_descriptions import _answers, iterate_over_explained_questions


def test_marks_come_first_with_what_is_asked_of_each_and_their_labels() -> None:
    declared = study_file.load_templates_by_name()["error_spans"]
    questions, labels = iterate_over_explained_questions(declared)
    assert [row[0] for row in questions.rows[:2]] == [
        "Mark every error in the answer.",
        "How severe is it?",
    ]
    assert questions.rows[1][1:] == ("Minor; Moderate; Severe", "Of each mark.")
    assert labels.rows[0] == ("False claim", "It contradicts what is known in medicine.")


def test_every_template_can_be_explained() -> None:
    for declared in study_file.load_templates_by_name().values():
        for table in iterate_over_explained_questions(declared):
            assert table.rows
            assert {len(row) for row in table.rows} == {len(table.heads)}
            assert all(row[0] and row[1] for row in table.rows)


def test_a_question_asked_only_after_an_answer_names_that_question_in_its_wording() -> None:
    [table] = iterate_over_explained_questions(study_file.load_templates_by_name()["quest"])
    more = {row[0]: row[2] for row in table.rows}
    told = "Asked only if the answer to “Could somebody be harmed by following it?” is “yes”."
    assert more["How?"] == told


def test_limits_of_numbers_and_ends_of_scales_are_told() -> None:
    asked = Question("n", "number", "How many?", minimum=0, maximum=90, unit="days")
    assert _answers(asked) == "a number (days) 0 to 90"
    assert _answers(Question("n", "number", "How many?", minimum=1)) == "a number from 1"
    assert _answers(Question("n", "number", "How many?")) == "a number"
    scale = Question("s", "scale", "?", minimum=1, maximum=5, high="all", not_applicable=True)
    assert _answers(scale) == "1 to 5 (all); not applicable"
