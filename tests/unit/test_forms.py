from __future__ import annotations

import json
from pathlib import Path

import pytest

from medlens.config.question_forms_and_answer_checks import (
    Answer,
    Form,
    list_reasons_against_submission,
    load_form,
)
from medlens.errors import BadFile
from medlens.ui.survey_forms import answers_as_field_values

FORMS = Path(__file__).resolve().parents[2] / "data" / "forms"

GOOD = """\
id = "own"
title = "Own form"

[[question]]
id = "role"
kind = "single"
text = "Role?"
options = ["Nurse", "Doctor"]
required = true

[[question]]
id = "tools"
kind = "multiple"
text = "Tools?"
options = [
    "Book",
    "Web",
]

[[question]]
id = "clear"
kind = "scale"
text = "Clear?"
low = "No"
high = "Yes"
required = true

[[question]]
id = "years"
kind = "number"
text = "Years?"
minimum = 0
maximum = 70

[[question]]
id = "place"
kind = "short_text"
text = "Where?"

[[question]]
id = "words"
kind = "long_text"
text = "Anything?"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def form(tmp_path: Path) -> Form:
    return load_form(written(tmp_path, GOOD))


def test_an_answer_that_its_form_no_longer_offers_does_not_keep_it_from_being_saved_again() -> None:
    form = load_form(FORMS / "feedback.toml")
    given = {"hardest_labels": ["Reasonable response by GPT-4", "None stood out"]}
    entries = answers_as_field_values(form, given)
    assert json.loads(entries["hardest_labels"]) == ["None stood out"]


def test_the_two_forms_of_the_study_are_read() -> None:
    feedback, background = (
        load_form(FORMS / "feedback.toml"),
        load_form(FORMS / "background.toml"),
    )
    assert len(feedback.questions) == 8
    by_id = {question.id: question for question in background.questions}
    for private in ("age_band", "gender"):
        assert "Prefer not to say" in by_id[private].options
        assert not by_id[private].required


def test_every_label_of_the_taxonomy_can_be_named_as_the_hardest() -> None:
    from medlens.studies.tagging.taxonomy import load_taxonomy

    taxonomy = load_taxonomy(FORMS.parent / "taxonomies" / "g4ue.toml")
    hardest = next(
        q for q in load_form(FORMS / "feedback.toml").questions if q.id == "hardest_labels"
    )
    assert hardest.options[:9] == tuple(label.name for label in taxonomy.labels)


def test_a_full_set_of_answers_has_no_problems(form: Form) -> None:
    answers: dict[str, Answer] = {
        "role": "Nurse",
        "tools": ["Web", "Book"],
        "clear": 5,
        "years": 3.5,
        "place": "Łódź",
        "words": "Line one\nline two",
    }
    assert list_reasons_against_submission(form, answers) == []


def test_only_required_questions_must_be_answered(form: Form) -> None:
    assert (
        list_reasons_against_submission(
            form, {"role": "Nurse", "clear": 1, "tools": [], "years": None}
        )
        == []
    )
    assert list_reasons_against_submission(form, {"role": " ", "tools": []}) == [
        "Role? – please answer this question.",
        "Clear? – please answer this question.",
    ]


@pytest.mark.parametrize(
    "question, answer, words",
    [
        ("role", "Baker", "one of the options"),
        ("role", ["Nurse"], "one of the options"),
        ("tools", "Book", "choose from the options"),
        ("tools", ["Book", "Book"], "at most once"),
        ("tools", ["Radio"], "choose from the options"),
        ("clear", 6, "from 1 to 5"),
        ("clear", 2.5, "from 1 to 5"),
        ("clear", True, "from 1 to 5"),
        ("clear", "3", "from 1 to 5"),
        ("years", -1, "at least 0"),
        ("years", 71, "at most 70"),
        ("years", float("nan"), "a number"),
        ("years", "three", "a number"),
        ("place", 3, "in words"),
        ("place", "x" * 201, "at most 200 characters"),
        ("words", "x" * 10_001, "at most 10,000 characters"),
        ("extra", "x", "no question 'extra'"),
    ],
)
def test_a_bad_answer_is_told(form: Form, question: str, answer: Answer, words: str) -> None:
    problems = list_reasons_against_submission(
        form, {"role": "Nurse", "clear": 1, question: answer}
    )
    assert len(problems) == 1
    assert words in problems[0]


@pytest.mark.parametrize(
    "old, new, line, reason",
    [
        ('title = "Own form"\n', "", 1, "column 'title'"),
        ('kind = "single"', 'kind = "radio"', 6, "one of single, multiple, yes_no, scale"),
        ('text = "Tools?"\n', "", 11, "column 'text'"),
        ('"Nurse", "Doctor"', '"Nurse"', 8, "at least two options"),
        ('"Nurse", "Doctor"', '"Nurse", "Nurse"', 8, "differ from each other"),
        ('    "Book",\n', "    7,\n", 15, "at least two options"),
        ('id = "tools"', 'id = "role"', 12, "not used already (line 5 has it)"),
        ('low = "No"\n', "", 20, "column 'low'"),
        ("maximum = 70", "maximum = -1", 33, "not below the minimum 0"),
        ("maximum = 70", 'maximum = "70"', 33, "a number"),
        ('text = "Where?"', 'text = "Where?"\noptions = ["a", "b"]', 39, "one of the fields id"),
        ('text = "Where?"', 'text = "Where?"\nrequired = "yes"', 39, "true or false"),
        ('text = "Anything?"', "text = Anything?", 43, "TOML"),
    ],
)
def test_a_bad_form_is_refused_by_file_and_line(
    tmp_path: Path, old: str, new: str, line: int, reason: str
) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(BadFile) as refused:
        load_form(written(tmp_path, GOOD.replace(old, new)))
    assert f"own.toml, line {line}" in str(refused.value)
    assert reason in str(refused.value)


def test_text_in_strings_is_never_taken_for_a_header_or_a_field(tmp_path: Path) -> None:
    head = '''\
id = "own"  # [[question]] = "x
title = """
[[question]]
id = "no" \\""" still inside
"""
intro = """It ends in a "quote""""
'''
    body = "[[question]]\nid = 'a'\nkind = 'long_text'\ntext = '''\n[[question]]\nid = 1'''\n"
    bad = "[[question]]\nid = 'b'\nkind = 'long_text'\ntext = 3\n"
    with pytest.raises(BadFile) as refused:
        load_form(written(tmp_path, head + body + bad))
    # six lines of head, six of body, and the fault in the fourth line after them
    assert [row.line for row in refused.value.rows] == [16]


def test_a_single_bracket_header_is_named_with_its_line(tmp_path: Path) -> None:
    text = 'id = "own"\ntitle = "t"\n\n[question]\nid = "a"\nkind = "long_text"\ntext = "?"\n'
    with pytest.raises(BadFile, match=r"line 4.*a header \[\[question\]\]"):
        load_form(written(tmp_path, text))
