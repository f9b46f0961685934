"""A TOML file changed in place."""

from __future__ import annotations

import tomllib

import pytest

from medlens.config import toml_edit

FILE = '''# What this file is about.
title = "A"   # shown at the top
told = """
Two
lines
"""

# The first.
[[one]]
name = "a" # its name
rows = [
  { id = "x" }, # a comment in a list
]

[[other]]
name = "o"

[[one]]
name = "b"
'''


def test_a_field_is_rewritten_and_all_else_stays_as_it_was() -> None:
    changed = toml_edit.set_field_in_toml(FILE, "one", 0, "name", 'c "d"')
    assert changed == FILE.replace('name = "a" # its name', 'name = "c \\"d\\"" # its name')
    changed = toml_edit.set_field_in_toml(FILE, "", 0, "title", "B")
    assert changed == FILE.replace('"A"   #', '"B"   #')
    assert toml_edit.set_field_in_toml(FILE, "one", 1, "more", True).endswith(
        'name = "b"\nmore = true\n'
    )
    without = toml_edit.set_field_in_toml(FILE, "one", 0, "rows", None)
    assert without == FILE.replace('rows = [\n  { id = "x" }, # a comment in a list\n]\n', "")


def test_a_field_is_added_at_the_top_of_a_file_ahead_of_its_parts() -> None:
    assert tomllib.loads(toml_edit.set_field_in_toml(FILE, "", 0, "n", 2))["n"] == 2
    assert toml_edit.set_field_in_toml("", "", 0, "n", 2) == "n = 2\n"
    assert (
        toml_edit.set_field_in_toml('[[a]]\nb = "c"', "a", 0, "n", 2) == '[[a]]\nb = "c"\nn = 2\n'
    )


def test_parts_are_moved_copied_and_removed_with_their_comments() -> None:
    down = toml_edit.move_part_in_toml(FILE, "one", 0, 1)
    assert [one["name"] for one in tomllib.loads(down)["one"]] == ["b", "a"]
    assert "# The first.\n[[one]]" in down
    assert toml_edit.move_part_in_toml(down, "one", 1, -1).count("# The first.") == 1
    assert toml_edit.move_part_in_toml(FILE, "one", 1, 1) == FILE
    gone = toml_edit.remove_part_from_toml(FILE, "one", 0)
    assert "# The first." not in gone
    assert tomllib.loads(gone)["one"] == [{"name": "b"}]
    twice = toml_edit.insert_changed_part_copy_in_toml(FILE, "one", 0, {"name": "a2"})
    assert [one["name"] for one in tomllib.loads(twice)["one"]] == ["a", "a2", "b"]
    more = toml_edit.add_part_to_toml(FILE, "one", {"name": "c"})
    assert [one["name"] for one in tomllib.loads(more)["one"]] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "value",
    [
        'quotes " and """ and \\ and \\n and \x7f\nin lines"',
        "ends\n",
        "\n\nbegins",
        ["a", 'b"'],
        [{"id": "x", "options": ["a\nb"], "points": -0.5, "required": True}],
        0,
        0.1,
        {"question": "q", "is": "ü"},
    ],
)
def test_every_value_is_read_as_it_was_written(value: object) -> None:
    text = toml_edit.set_field_in_toml(FILE, "one", 0, "v", value)
    assert tomllib.loads(text)["one"][0]["v"] == value
