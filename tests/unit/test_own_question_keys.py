"""Every question of a long form has a key, and every option one."""

from __future__ import annotations

from medlens.studies.own.study_file import StudyDeclaration, parse_study_file
from medlens.ui.own_item_panes_and_questions import (
    LETTERS,
    list_keyboard_keys_for_questions,
    questions_as_form_fields,
)


def form_of(*questions: str) -> StudyDeclaration:
    """A study with these questions."""
    return parse_study_file(
        """
id = "long"
title = "Long"
instructions = "Answer."

[[column]]
name = "note"
means = "the note"

[[pane]]
title = "Note"
column = "note"
"""
        + "\n".join(questions)
    )


def question(name: str, kind: str = "yes_no", **more: str) -> str:
    """The lines of a question."""
    lines = [f'id = "{name}"', f'kind = "{kind}"', f'text = "About {name}?"']
    lines += [f"{field} = {value}" for field, value in more.items()]
    return "\n[[question]]\n" + "\n".join(lines) + "\n"


def test_questions_beyond_the_letters_have_two_of_which_the_first_is_none_by_itself() -> None:
    fields = questions_as_form_fields(form_of(*(question(f"q{at}") for at in range(60))))
    keys = [field.get("letter", "") for field in fields]
    assert len(set(keys)) == 60
    assert all(keys)
    assert keys[0] == LETTERS[0]
    firsts = {key[0] for key in keys if len(key) == 2}
    assert firsts
    assert not firsts & {key for key in keys if len(key) == 1}
    assert list_keyboard_keys_for_questions(LETTERS, len(LETTERS)) == [*LETTERS]


def test_twelve_options_and_ticks_have_keys_and_remarks_take_none_from_choices() -> None:
    options = str([f"Option {at}" for at in range(1, 13)]).replace("'", '"')
    fields = questions_as_form_fields(
        form_of(
            question("first"),
            question("remark", "long_text"),
            question("ticks", "multiple", options=options),
            question("many", "single", options=options),
        )
    )
    keys = {field["id"]: field.get("letter") or field.get("into") for field in fields}
    assert (keys["first"], keys["many"]) == (LETTERS[0], LETTERS[1])
    assert {keys["remark"], keys["ticks"]} == {LETTERS[2], LETTERS[3]}
    for name in ("ticks", "many"):
        given = next(field["options"] for field in fields if field["id"] == name)
        assert [option["key"] for option in given] == [*"1234567890", "⇧1", "⇧2"]


def test_a_part_that_each_of_its_questions_names_is_headed_once() -> None:
    parts = ["History", "History", "", "Plan", "Plan"]
    fields = questions_as_form_fields(
        form_of(*(question(f"q{at}", part=f'"{part}"') for at, part in enumerate(parts) if part))
    )
    assert [field.get("head", "") for field in fields] == ["History", "", "Plan", ""]
