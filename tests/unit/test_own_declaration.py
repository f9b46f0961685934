"""The file of an own study: what it may say, what is refused of it by line, what may change."""

from __future__ import annotations

from pathlib import Path

import pytest

from medlens.config.question_forms_and_answer_checks import (
    list_reasons_against_submission,
    questions_to_ask,
)
from medlens.errors import BadFile, InvalidInput
from medlens.review import practice
from medlens.studies.own import study_file
from medlens.studies.own.study_file import (
    StudyDeclaration,
    list_answers_made_untrue_in_words,
    list_lost_columns_in_words,
    parse_study_file,
)
from medlens.studies.own.tasks import Answers, make_own_study_task
from medlens.ui import own_item_panes_and_questions

TEXT = """\
id = "letters"
title = "Discharge letters"
instructions = "Read it."

[[column]]
name = "letter"
means = "the letter"

[[column]]
name = "ward"
means = "the ward"
required = false
groups = true

[[pane]]
title = "Letter"
column = "letter"

[[question]]
id = "clear"
kind = "scale"
text = "Clear?"
low = "no"
high = "yes"
not_applicable = true
required = true

[[question]]
id = "harm"
kind = "yes_no"
text = "Harm?"
required = true

[[question]]
id = "how"
kind = "long_text"
text = "How?"
required = true
only_if = { question = "harm", is = "yes" }

[[question]]
id = "faults"
kind = "multiple"
text = "Faults?"
options = ["Dose", "Side"]

[[question]]
id = "days"
kind = "number"
text = "Days?"
unit = "days"
minimum = 0
"""


@pytest.fixture
def letters() -> StudyDeclaration:
    return parse_study_file(TEXT)


def test_a_file_declares_what_is_shown_and_asked(letters: StudyDeclaration) -> None:
    assert letters.study_id == "letters"
    assert [(pane.kind, pane.columns) for pane in letters.panes] == [("text", ("letter",))]
    assert [one.shown_options for one in letters.form.questions] == [
        ("1", "2", "3", "4", "5", "not applicable"),
        ("yes", "no", "cannot tell"),
        (),
        ("Dose", "Side"),
        (),
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('id = "letters"', 'id = "My letters"', 1, "lower-case letters"),
        ('title = "Disch', 'titel = "Disch', 1, "this field, a text"),
        ('column = "letter"', 'column = "lettre"', 17, "'lettre'"),
        ('column = "letter"', 'columns = ["letter"]', 15, "this field, a text"),
        ('title = "Letter"', 'title = "Letter"\nkind = "video"', 17, "one of text, markdown"),
        ('name = "ward"', 'name = "letter"', 10, "line 6 has it"),
        ('id = "clear"', 'id = "rater"', 20, "a name that no column of exported judgments has"),
        ('is = "yes"', 'is = "maybe"', 39, "one of its answers: yes, no, cannot tell"),
        ('question = "harm"', 'question = "how"', 39, "an earlier question that is always asked"),
        ('question = "harm"', 'question = "days"', 39, "an earlier question that is always asked"),
        ("{ question =", "{ ask =", 39, 'question = "ID", is = "ANSWER"'),
        ('"Dose", "Side"', '"Dose; much", "Side"', 45, "without semicolons"),
        ("not_applicable = true", "maximum = 40", 25, "a scale of 2 to 11 points"),
        ("not_applicable = true", "maximum = 4.5", 25, "a whole number"),
        ('title = "Disch', 'raters_per_item = 0\ntitle = "Disch', 2, "a whole number from 1 to 50"),
        ('title = "Disch', 'gold_share = 0.9\ntitle = "Disch', 2, "a number from 0 to 0.5"),
        ('title = "Disch', 'item = "letter"\ntitle = "Disch', 2, "no [[column]]"),
        ('["Dose", "Side"]', '["Dose"]', 45, "at least two options in quotes, got '[\"Dose\"]'"),
        ('is = "yes"', "when = true", 39, '{ question = "harm", when = true }'),
        ('title = "Disch', 'title = "\\u202eDisch', 2, "none that reverses the writing"),
        ('text = "Harm?"', 'text = "Ha\\u0000rm?"', 31, "no control characters"),
        ('"Dose", "Side"', '"Do\\u202dse", "Side"', 45, "none that reverses the writing"),
        ('{ question = "harm"', '{ question = "\\u202eharm"', 39, "none that reverses"),
        ("Discharge letters", "D" * 121, 2, "at most 120 characters"),
        ('id = "letters"', f'id = "{"a" * 61}"', 1, "at most 60 characters"),
        ('id = "clear"', 'id = [["clear"]]', 20, "this field, a text in quotes"),
        ('["Dose", "Side"]', "3", 45, "at least two options in quotes"),
    ],
)
def test_what_is_wrong_is_refused_by_line(old: str, new: str, line: int, reason: str) -> None:
    assert TEXT.count(old) == 1
    with pytest.raises(BadFile) as refused:
        parse_study_file(TEXT.replace(old, new), "letters.toml")
    assert f"letters.toml, line {line}" in str(refused.value)
    assert reason in str(refused.value)


def test_a_column_of_criteria_that_is_a_list_is_refused() -> None:
    text = study_file.path_of_template("healthbench").read_text(encoding="utf-8")
    assert text.count('criteria_column = "rubrics"') == 1
    with pytest.raises(BadFile, match="line 56"):
        parse_study_file(
            text.replace('criteria_column = "rubrics"', 'criteria_column = ["rubrics"]')
        )


def test_a_file_names_the_question_whose_answers_stand_on_home() -> None:
    assert parse_study_file(TEXT).headline == ""
    assert parse_study_file('headline = "harm"\n' + TEXT).headline == "harm"
    with pytest.raises(BadFile, match="a question whose answers can be counted"):
        parse_study_file('headline = "nothing"\n' + TEXT)


def test_a_worked_example_of_a_file_is_its_tasks() -> None:
    example = 'worked_example = """\n**Judged.** Yes."""\n'
    declared = parse_study_file(example + TEXT)
    assert make_own_study_task(declared).worked_example.strip() == "**Judged.** Yes."


def test_a_study_that_an_older_medlens_kept_opens_whatever_is_refused_of_new_ones() -> None:
    kept = TEXT.replace("Discharge letters", "\\u202e" + "D" * 200)
    with pytest.raises(BadFile):
        parse_study_file(kept)
    assert parse_study_file(kept, stored=True).study_id == "letters"


def test_words_that_run_from_the_right_are_taken_with_the_marks_they_need() -> None:
    title = "מכתב שחרור\u200f (A\u200e)"
    assert parse_study_file(TEXT.replace("Discharge letters", title)).form.title == title


def test_questions_worded_alike_are_named_unless_they_stand_under_different_headings() -> None:
    assert parse_study_file(TEXT).repeated_wordings_in_sentences == []
    alike = TEXT.replace('text = "Harm?"', 'text = "clear? "')
    assert parse_study_file(alike).repeated_wordings_in_sentences == [
        "clear, harm: these questions are worded alike, “Clear?”."
    ]
    apart = alike.replace('id = "clear"', 'id = "clear"\npart = "Style"')
    assert parse_study_file(apart).repeated_wordings_in_sentences == []


def test_a_file_of_more_than_a_megabyte_is_refused_before_it_is_read() -> None:
    with pytest.raises(BadFile, match="larger than 1 MB"):
        study_file.parse_study_file_text_and_declaration(b"#" * 1_000_001, "s.toml")


COMPARED = (
    TEXT.replace('means = "the letter"', 'means = "the letter"\nby_arm = true').replace(
        'id = "harm"', 'per = "arm"\nid = "harm"'
    )
    + '\n[[arm]]\nname = "north"\n\n[[arm]]\nname = "south"\n'
)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('name = "south"', 'name = "north"', 60, "line 57 has it"),
        ('[[arm]]\nname = "south"\n', "", 57, "2 to 6 arms"),
        ('name = "south"', 'name = "tie"', 60, 'and not "tie"'),
        ('name = "south"', 'name = "south"\ncolumns = { text = "s" }', 61, '{ letter = "COLUMN" }'),
        ('name = "south"', 'name = "south"\ncolumns = { letter = "s" }', 56, "for this arm too"),
        ("by_arm = true", "", 57, "by_arm = true, in which the arms differ"),
        ('title = "Disch', 'show_arms = "beside"\ntitle = "Disch', 2, "one of together, apart"),
        ('name = "ward"', 'name = "arm"', 11, "this one stands for an arm"),
        ('id = "clear"', 'per = "arms"\nid = "clear"', 21, "one of item, arm"),
        ('kind = "long_text"', 'kind = "preference"\nties = true', 39, "one of the fields"),
    ],
)
def test_what_is_wrong_with_arms_is_refused_by_line(
    old: str, new: str, line: int, reason: str
) -> None:
    assert parse_study_file(COMPARED.replace("only_if", "#")).are_arms_side_by_side
    with pytest.raises(BadFile) as refused:
        parse_study_file(COMPARED.replace("only_if", "#").replace(old, new), "letters.toml")
    assert f"letters.toml, line {line}" in str(refused.value)
    assert reason in str(refused.value)


def test_a_question_of_the_item_cannot_hang_on_what_is_said_of_one_arm() -> None:
    with pytest.raises(BadFile, match="that is of each arm"):
        parse_study_file(COMPARED)
    each = COMPARED.replace('id = "how"', 'per = "arm"\nid = "how"')
    assert ("harm / north", "yes") in [
        one.only_if for one in parse_study_file(each).form_with_question_per_arm.questions
    ]


@pytest.mark.parametrize("line", ['show_arms = "apart"', 'arm_column = "model"'])
def test_a_word_on_arms_without_any_arm_is_refused(line: str) -> None:
    with pytest.raises(BadFile, match=r"an \[\[arm\]\] for each"):
        parse_study_file(f"{line}\n{TEXT}")
    with pytest.raises(BadFile, match="one of single"):
        parse_study_file(TEXT.replace('kind = "number"', 'kind = "ranking"'))


def test_a_question_of_no_kind_has_one_fault_and_no_more() -> None:
    with pytest.raises(BadFile) as refused:
        parse_study_file(TEXT.replace('kind = "number"', 'kind = "numbers"'))
    assert [row.column for row in refused.value.rows] == ["kind"]


def test_a_study_whose_only_question_is_of_no_kind_is_told_that_and_not_that_nothing_counts() -> (
    None
):
    alone = (
        TEXT[: TEXT.index("[[question]]")] + '[[question]]\nid = "a"\nkind = "yesno"\ntext = "?"\n'
    )
    with pytest.raises(BadFile) as refused:
        parse_study_file(alone)
    assert [row.column for row in refused.value.rows] == ["kind"]
    with pytest.raises(BadFile, match="at least one question that can be counted"):
        parse_study_file(alone.replace("yesno", "long_text"))


@pytest.mark.parametrize(
    "text", ["", "id = ", "a = " + "[" * 20_000, "\ud800", "[[pane]]\n" * 3], ids=lambda t: t[:8]
)
def test_what_is_no_study_at_all_is_refused(text: str) -> None:
    with pytest.raises(BadFile):
        parse_study_file(text)


def test_a_study_of_words_alone_is_refused_for_nothing_could_be_counted() -> None:
    words = (
        TEXT[: TEXT.index("[[question]]")]
        + '[[question]]\nid = "a"\nkind = "long_text"\ntext = "?"\n'
    )
    with pytest.raises(BadFile, match="at least one question that can be counted"):
        parse_study_file(words)


def test_a_question_is_asked_where_another_has_the_answer_that_it_waits_for(
    letters: StudyDeclaration,
) -> None:
    form = letters.form
    said = {"clear": 4, "harm": "no"}
    assert "how" not in [one.id for one in questions_to_ask(form.questions, said)]
    assert list_reasons_against_submission(form, said) == []
    assert list_reasons_against_submission(form, said | {"harm": "yes"}) == [
        "How? – please answer this question."
    ]
    assert list_reasons_against_submission(form, said | {"clear": 6}) == [
        "Clear? – please choose a number from 1 to 5."
    ]
    assert list_reasons_against_submission(form, said | {"clear": "not applicable"}) == []


def test_what_is_compared_leaves_out_what_was_not_asked_or_does_not_apply(
    letters: StudyDeclaration,
) -> None:
    task = make_own_study_task(letters)
    value = Answers(answers={"clear": "not applicable", "harm": "no", "how": "left over"})
    assert task.values_compared_for_agreement(value) == {
        "clear": None,
        "harm": "no",
        "faults: Dose": None,
        "faults: Side": None,
        "days": None,
    }
    assert task.answer_as_columns(value)["how"] is None
    assert (
        task.measurement_level_of_variable("clear"),
        task.measurement_level_of_variable("harm"),
        task.measurement_level_of_variable("days"),
    ) == (*("ordinal", "nominal", "interval"),)


def test_flat_columns_lead_back_to_the_answers(letters: StudyDeclaration) -> None:
    task = make_own_study_task(letters)
    value = Answers(
        version=2,
        answers={"clear": 3, "harm": "no", "faults": ["Dose", "Side"], "days": 2.5},
    )
    assert (
        task.answer_from_columns(
            {name: str(one) for name, one in task.answer_as_columns(value).items() if one}
        )
        == value
    )
    none = value.model_copy(update={"answers": {**value.answers, "faults": []}})
    assert (
        task.answer_from_columns(
            {name: str(one) for name, one in task.answer_as_columns(none).items() if one}
        )
        == none
    )
    with pytest.raises(InvalidInput, match="1 to 5"):
        task.answer_from_columns({"clear": "9", "harm": "no"})


def test_nothing_ticked_is_an_answer_once_it_is_submitted(letters: StudyDeclaration) -> None:
    task = make_own_study_task(letters)
    said = task.complete_answer_at_submission(Answers(answers={"clear": 3}))
    assert said.answers == {"clear": 3, "faults": []}
    assert task.values_compared_for_agreement(said)["faults: Dose"] is False
    ticked = Answers(answers={"faults": ["Side"]})
    assert task.complete_answer_at_submission(ticked) == ticked


def test_a_draft_may_be_unfinished_but_not_of_another_study(letters: StudyDeclaration) -> None:
    task = make_own_study_task(letters)
    assert task.problems_of_draft(Answers(answers={"days": "2,"}), {}) == []
    assert task.problems_of_draft(Answers(answers={"clear": 9}), {})
    assert task.problems_of_draft(Answers(answers={"colour": "red"}), {})


def test_a_gold_answer_is_met_within_a_point_of_a_scale(letters: StudyDeclaration) -> None:
    task = make_own_study_task(letters)
    assert task.can_answer_become_gold
    assert task.can_items_be_gold
    key = task.make_gold_from_answer(Answers(answers={"clear": 4, "harm": "no"}))
    assert key == {"clear": [3, 5], "harm": "no"}
    for answer, told in ((1, "1 to 2"), (5, "4 to 5")):
        key_at_an_end = task.make_gold_from_answer(Answers(answers={"clear": answer}))
        assert (
            practice.expected_answer_in_words(task, key_at_an_end)
            == f"{task.name_of_variable_in_words('clear')}: {told}"
        )
    # Keys that were kept before reached beyond the ends.
    assert practice.expected_answer_in_words(task, {"clear": [0, 2]}).endswith("1 to 2")
    assert task.does_answer_match_gold(Answers(answers={"clear": 3, "harm": "no"}), key)
    assert not task.does_answer_match_gold(Answers(answers={"clear": 2, "harm": "no"}), key)
    assert not task.does_answer_match_gold(Answers(answers={"harm": "no"}), key)


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ('text = "Clear?"', 'text = "Is it clear?"', ["'clear' has another wording"]),
        ('low = "no"', 'low = "never"', ["'clear' has another name of an end"]),
        ("not_applicable = true", "maximum = 7", ["'clear' has another range"]),
        ("not_applicable = true\n", "", ["'clear' has another set of options"]),
        ('["Dose", "Side"]', '["Dose", "Hand"]', ["'faults' has another set of options"]),
        ('["Dose", "Side"]', '["Dose", "Side", "Name"]', []),
        ('is = "yes"', 'is = "no"', ["'how' has another condition"]),
        ('id = "days"', 'id = "nights"', ["'days' is gone"]),
        ('column = "letter"', 'column = "ward"', ["'Letter' is no longer shown"]),
        ('name = "ward"', 'name = "unit"', ["'ward', which the items have, is gone"]),
        ('title = "Disch', 'title = "Good disch', []),
        ('unit = "days"', 'unit = "days"\nhelp = "Round up."', []),
    ],
)
def test_additions_are_free_and_what_makes_answers_untrue_is_named(
    letters: StudyDeclaration, old: str, new: str, lost: list[str]
) -> None:
    assert TEXT.count(old) == 1
    found = list_answers_made_untrue_in_words(letters, parse_study_file(TEXT.replace(old, new)))
    assert len(found) == len(lost)
    assert all(why in said for why, said in zip(lost, found, strict=True))


def test_only_columns_bind_a_study_that_nobody_has_answered(letters: StudyDeclaration) -> None:
    assert (
        list_lost_columns_in_words(
            letters, parse_study_file(TEXT.replace('id = "days"', 'id = "nights"'))
        )
        == []
    )
    assert list_lost_columns_in_words(
        letters, parse_study_file(TEXT.replace('name = "ward"', 'name = "unit"'))
    )


LATER = """
[[column]]
name = "advised"
means = "what a model advises"

[[column]]
name = "right"
means = "what is right"

[[pane]]
title = "Advice"
column = "advised"
after_answer = true

[[advice]]
question = "harm"
column = "advised"
truth = "right"
"""


def test_advice_names_a_question_the_column_shown_later_and_the_truth() -> None:
    one = parse_study_file(TEXT + LATER)
    assert [pane.title for pane in one.initial_panes] == ["Letter"]
    assert [pane.title for pane in one.later_panes] == ["Advice"]
    choices = ("yes", "no", "cannot tell")
    assert one.possible_answers_by_column == {"advised": choices, "right": choices}


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('question = "harm"', 'question = "how"', "question"),
        ('question = "harm"', 'question = "gone"', "question"),
        ('column = "advised"\ntruth', 'column = "letter"\ntruth', "column"),
        ('column = "advised"\ntruth', 'column = "gone"\ntruth', "column"),
        ('truth = "right"', 'truth = "advised"', "truth"),
        ('truth = "right"', 'truth = "letter"', "truth"),
        ("after_answer = true", "after_answer = false", "column"),
        ("after_answer = true", 'after_answer = "later"', "after_answer"),
    ],
)
def test_advice_that_would_be_seen_too_early_or_never_is_refused(
    old: str, new: str, field: str
) -> None:
    with pytest.raises(BadFile) as caught:
        parse_study_file(TEXT + LATER.replace(old, new))
    assert field in {row.column for row in caught.value.rows}


def test_a_study_that_shows_nothing_before_the_answer_is_refused() -> None:
    only = TEXT.replace('title = "Letter"\n', 'title = "Letter"\nafter_answer = true\n')
    with pytest.raises(BadFile) as caught:
        parse_study_file(only)
    assert "at least one pane without after_answer" in str(caught.value.rows[0])


def test_what_was_shown_after_an_answer_cannot_be_shown_before_it_later() -> None:
    early = LATER.replace("after_answer = true", "folded = true").split("[[advice]]")[0]
    [said] = list_answers_made_untrue_in_words(
        parse_study_file(TEXT + LATER), parse_study_file(TEXT + early)
    )
    assert "'Advice' is no longer shown, or is shown at another time" in said


@pytest.mark.parametrize("name", study_file.load_templates_by_name())
def test_every_template_is_in_order_cites_its_source_and_has_items_beside_it(name: str) -> None:
    one = study_file.load_templates_by_name()[name]
    assert one.study_id == name
    assert any(digit.isdigit() for digit in one.source)
    assert study_file.path_of_template(name).with_suffix(".csv").exists()


def test_an_unknown_template_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match="There are: advice, draft_letters, error_spans, "):
        study_file.path_of_template("poems")


def test_choices_have_keys_that_do_nothing_else(
    letters: StudyDeclaration,
) -> None:
    fields = {
        one["id"]: one for one in own_item_panes_and_questions.questions_as_form_fields(letters)
    }
    assert [one.get("letter") for one in fields.values()] == ["a", "b", None, "d", None]
    assert [fields[name]["into"] for name in ("how", "days")] == ["c", "e"]
    assert [one["key"] for one in fields["clear"]["options"]] == ["1", "2", "3", "4", "5", "x"]
    assert fields["how"]["when"] == ("harm", "yes")
    ten = parse_study_file(TEXT.replace("not_applicable = true", "maximum = 10"))
    assert (
        own_item_panes_and_questions.questions_as_form_fields(ten)[0]["options"][-1]["key"] == "0"
    )
    assert set("jksf?x0123456789") & set(own_item_panes_and_questions.LETTERS) == set()


def test_a_file_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        study_file.read_study_file_text_and_declaration(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'title = "\xe4"')
    with pytest.raises(BadFile, match="spreadsheet"):
        study_file.parse_study_file_text_and_declaration(b"PK\x03\x04\x14", "letters.xlsx")
    with pytest.raises(BadFile, match="UTF-8"):
        study_file.read_study_file_text_and_declaration(tmp_path / "latin.toml")


MARKED = """\
id = "marks"
title = "Marks"
instructions = "Mark it."

[[column]]
name = "answer"
means = "the answer"

[[column]]
name = "source"
means = "the source"
required = false

[[pane]]
title = "Answer"
column = "answer"

[[pane]]
title = "Source"
column = "source"

[[question]]
id = "errors"
kind = "spans"
text = "Mark every error."
labels = [{ id = "false", name = "False" }, { id = "unsafe", name = "Unsafe", means = "harms" }]
of_span = [
  { id = "severity", text = "How severe?", options = ["Minor", "Major"], required = true },
  { id = "correction", text = "What should stand there?" },
]
"""


def test_a_text_is_marked_with_labels_of_ones_own_and_questions_about_each_mark() -> None:
    one = parse_study_file(MARKED)
    assert one.spans is not None
    # The source may be empty, so that it is the answer that is marked.
    assert one.spans.column == "answer"
    assert [(label.id, label.name) for label in one.spans.labels] == [
        ("false", "False"),
        ("unsafe", "Unsafe"),
    ]
    assert [(each.kind, each.required) for each in one.spans.of_span] == [
        ("single", True),
        ("short_text", False),
    ]
    assert [(each.id, each.options) for each in one.counted_questions] == [
        ("errors", ("False", "Unsafe", "No marks")),
        ("errors_severity", ("Minor", "Major")),
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('kind = "spans"\n', 'kind = "spans"\ncolumn = "source"\n', "in which every item has"),
        ('name = "Unsafe"', 'name = "false"', "a name that no other label has"),
        ('name = "Unsafe"', 'name = "No marks"', "not “No marks”"),
        ('id = "unsafe"', 'id = "false"', "an id that no other one has"),
        ('labels = [{ id = "false", name = "False" },', "labels = [3,", "number 1: {"),
        ("labels =", "label =", "expected a list of"),
        ('["Minor", "Major"]', '["Minor"]', "two or more options"),
        ('id = "correction"', 'id = "quote"', "another id than quote"),
        ('title = "Answer"', 'title = "Answer"\nafter_answer = true', "without after_answer"),
        (
            "[[question]]",
            '[[question]]\nid = "errors_severity"\nkind = "yes_no"\ntext = "Severe?"\n[[question]]',
            "makes errors_severity",
        ),
        (
            "[[question]]",
            '[[question]]\nid = "more"\nkind = "spans"\ntext = "More"\n'
            'labels = [{ id = "a", name = "A" }]\n[[question]]',
            "one text to mark",
        ),
        (
            "[[pane]]",
            'means2 = 1\n[[arm]]\nname = "A"\n[[arm]]\nname = "B"\n[[pane]]',
            "their own with per = “arm”",
        ),
    ],
)
def test_what_cannot_be_marked_is_refused_by_line(old: str, new: str, expected: str) -> None:
    text = MARKED.replace(old, new, 1)
    if "[[arm]]" in new:
        text = text.replace("means2 = 1\n", "").replace(
            'means = "the answer"', 'means = "the answer"\nby_arm = true'
        )
    with pytest.raises(BadFile, match=expected):
        parse_study_file(text)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "False"', 'name = "Wrong"', "The label 'false' is gone, or"),
        ('["Minor", "Major"]', '["Minor", "Grave"]', "'severity' is gone or changed"),
        ("Mark every error.", "Mark the worst error.", "another wording"),
        ('id = "errors"', 'id = "faults"', "'errors' is gone"),
    ],
)
def test_labels_and_questions_of_marks_that_were_set_stay(old: str, new: str, said: str) -> None:
    [lost] = list_answers_made_untrue_in_words(
        parse_study_file(MARKED), parse_study_file(MARKED.replace(old, new))
    )
    assert said in lost
    more = MARKED.replace("labels = [", 'labels = [{ id = "new", name = "New" }, ')
    assert list_answers_made_untrue_in_words(parse_study_file(MARKED), parse_study_file(more)) == []
