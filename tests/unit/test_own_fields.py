"""A study's file as fields."""

from __future__ import annotations

import tomllib

import pytest

from medlens.config.question_forms_and_answer_checks import KINDS, field_names_of_question_kind
from medlens.errors import BadFile
from medlens.studies.own import study_file, study_file_fields
from medlens.studies.own.study_file import COLUMN_FIELDS, PANES, fields_of_pane_kind
from medlens.studies.own.study_file_fields import Field
from medlens.studies.own.study_file_from_table.write_study_file_from_guesses import ASKED

TEXT = study_file.read_study_file_text_and_declaration(
    study_file.path_of_template("summary_errors")
)[0]


def field(section: str, at: int, name: str, text: str = TEXT) -> Field:
    tables = study_file_fields.parse_toml_tables_or_none(text)
    assert tables is not None
    return next(
        one
        for one in study_file_fields.list_form_fields_of_part(tables, section, at)
        if one.name == name
    )


def test_each_field_of_each_kind_has_its_words_and_each_kind_its_example() -> None:
    worded = study_file_fields.WORDED
    for kind in KINDS:
        assert set(field_names_of_question_kind(kind, arms=True)) <= set(worded["question"]), kind
        assert ASKED[kind].words
    for pane in PANES:
        assert set(fields_of_pane_kind(pane)) <= set(worded["pane"]), pane
    assert set(COLUMN_FIELDS) - {"name"} <= set(worded["column"])


@pytest.mark.first_quick
@pytest.mark.parametrize("name", list(study_file.load_templates_by_name()))
def test_a_field_that_is_not_changed_changes_nothing_in_the_file(name: str) -> None:
    text = study_file.read_study_file_text_and_declaration(study_file.path_of_template(name))[0]
    tables = study_file_fields.parse_toml_tables_or_none(text)
    assert tables is not None
    for section in study_file_fields.SECTIONS:
        for at, own in enumerate(study_file_fields.list_parts_of_section(tables, section)):
            for one in study_file_fields.list_form_fields_of_part(tables, section, at):
                value = own.get(one.name, one.usual)
                if one.how == "list":
                    value = "\n".join(value or [])
                if one.how != "rows":
                    assert (
                        study_file_fields.set_field_in_study_file(text, section, at, one, value)
                        == text
                    ), one.name


@pytest.mark.parametrize("kind", [one for one in KINDS if one not in ("spans",)])
def test_a_question_of_any_other_kind_is_one_that_the_file_may_ask(kind: str) -> None:
    text = study_file.read_study_file_text_and_declaration(
        study_file.path_of_template("preference")
    )[0]
    if kind == "evidence":
        text = study_file_fields.set_field_in_study_file(
            text, "pane", 0, field("pane", 0, "kind", text), "source"
        )
    text = study_file_fields.set_field_in_study_file(
        text, "question", 1, field("question", 1, "kind", text), kind
    )
    kinds = [one["kind"] for one in tomllib.loads(text)["question"]]
    assert kinds[1] == kind
    assert study_file.parse_study_file(text).form.questions
    text = study_file_fields.study_file_text_with_part_added(text, "question", kind)
    assert study_file.parse_study_file(text).form.questions


@pytest.mark.parametrize("kind", PANES)
def test_a_pane_of_any_other_kind_shows_the_same_column(kind: str) -> None:
    text = study_file.read_study_file_text_and_declaration(
        study_file.path_of_template("preference")
    )[0]
    text = study_file_fields.set_field_in_study_file(
        text, "pane", 0, field("pane", 0, "kind", text), kind
    )
    assert study_file.parse_study_file(text).panes[0].columns == ("question",)
    text = study_file_fields.set_field_in_study_file(
        text, "pane", 0, field("pane", 0, "kind", text), "record"
    )
    assert study_file.parse_study_file(text).panes[0].columns == ("question",)
    text = study_file_fields.study_file_text_with_part_added(text, "pane", kind)
    assert study_file.parse_study_file(text).panes[-1].columns == ("topic",)


def test_what_speaks_of_a_question_follows_its_id() -> None:
    text = TEXT.replace('thing = "summary"', 'thing = "summary"\nheadline = "omission"')
    text = study_file_fields.set_field_in_study_file(
        text, "question", 1, field("question", 1, "id", text), "gap"
    )
    declared = study_file.parse_study_file(text)
    assert declared.headline == "gap"
    assert [one.only_if and one.only_if[0] for one in declared.form.questions] == [
        None,
        "gap",
        "gap",
    ]


def test_an_id_is_made_of_the_words_until_somebody_chooses_it() -> None:
    text = study_file_fields.study_file_text_with_part_added(TEXT, "question", "yes_no")
    at = len(tomllib.loads(TEXT)["question"])
    text = study_file_fields.set_field_in_study_file(
        text, "question", at, field("question", at, "text", text), "Is it safe?"
    )
    assert tomllib.loads(text)["question"][at]["id"] == "is_it_safe"
    text = study_file_fields.set_field_in_study_file(
        text, "question", at, field("question", at, "id", text), "safe"
    )
    text = study_file_fields.set_field_in_study_file(
        text, "question", at, field("question", at, "text", text), "Is it ok?"
    )
    assert tomllib.loads(text)["question"][at]["id"] == "safe"


def test_rows_are_added_changed_and_removed_each_with_an_id() -> None:
    of = field("question", 0, "labels")
    text = study_file_fields.study_file_text_with_row_set_or_added(
        TEXT, "question", 0, of, 4, {"name": ""}
    )
    assert tomllib.loads(text)["question"][0]["labels"][4]["id"] == "labels_1"
    text = study_file_fields.study_file_text_with_row_set_or_added(
        text, "question", 0, of, 4, {"name": "Made-up"}
    )
    text = study_file_fields.study_file_text_with_row_set_or_added(
        text, "question", 0, of, 1, {"means": "Otherwise."}
    )
    labels = study_file.parse_study_file(text).spans.labels  # type: ignore[union-attr]
    assert labels[4].id == "made_up_2"
    assert labels[1].means == "Otherwise."
    for _ in range(5):
        text = study_file_fields.study_file_text_with_row_removed(text, "question", 0, of, 0)
    assert "labels" not in tomllib.loads(text)["question"][0]


def faults_of(text: str) -> dict[tuple[str, int, str], str]:
    with pytest.raises(BadFile) as caught:
        study_file.parse_study_file(text)
    return study_file_fields.faults_by_field(text, caught.value.rows)


def test_what_is_wrong_is_told_at_its_field_in_words() -> None:
    bad = TEXT.replace('["No", "Yes, minor: it could not change the care",', '["No"] #')
    assert faults_of(bad)["question", 1, "options"] == "at least two options"
    bad = TEXT.replace('title = "Source"', 'title = ""')
    assert faults_of(bad) == {("pane", 0, "title"): "some words here"}
    bad = TEXT.replace('question = "omission"', 'question = "omitted_minor"', 1)
    assert "an earlier question that is always asked" in faults_of(bad)["question", 2, "only_if"]
    bad = TEXT + '\n[[question]]\nid = "r"\nkind = "rubric"\ntext = "R"\n'
    assert faults_of(bad)["question", 4, "criteria"] == "1 to 50 of these"


def test_a_condition_can_be_on_what_was_asked_before_and_nothing_else() -> None:
    tables = study_file_fields.parse_toml_tables_or_none(TEXT)
    assert tables is not None
    assert not study_file_fields.conditions_in_words_by_question_and_answer(tables, 1)
    assert [
        name for name, _ in study_file_fields.conditions_in_words_by_question_and_answer(tables, 3)
    ] == ["omission"] * 3
