"""A study's file as fields: what each can hold, in words, and how a change is written to the
file.

The code that reads the file says what a pane or question of a kind can hold
(``fields_of_pane_kind``, ``field_names_of_question_kind``); here each field is worded once for all
kinds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Literal

from medlens.config.question_forms_and_answer_checks import (
    KINDS,
    MOST_CRITERIA,
    MOST_LABELS,
    REWRITE,
    SPANS,
    YES_NO,
    field_names_of_question_kind,
)
from medlens.config.toml_edit import (
    add_part_to_toml,
    insert_changed_part_copy_in_toml,
    set_field_in_toml,
    toml_parts_named,
)
from medlens.errors import BadRow
from medlens.studies.own.study_file import COLUMN_FIELDS, PANES, fields_of_pane_kind
from medlens.studies.own.study_file_from_table.column_roles_from_cells import ROLES
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    make_id_from_name,
    title_from_name,
)
from medlens.studies.own.study_file_from_table.write_study_file_from_guesses import (
    ASKED,
    list_question_kinds_to_choose,
    new_question_fields,
)

Value = Any
"""A value in a TOML file."""
How = Literal[
    "line", "text", "list", "flag", "whole", "number", "choice", "several", "when", "rows"
]
Tables = Mapping[str, Any]
"""A study's file as read from TOML."""


@dataclass(frozen=True)
class Field:
    """A field and how it is filled in: a ``line`` or longer ``text``, a ``list`` with one entry per
    line, a ``flag``, a ``whole`` or any other ``number``, a ``choice`` of ``options`` or
    ``several`` of them, ``when`` a question is asked, or ``rows`` of fields ``of`` their own,
    ``most`` at most. Short ones are ``beside`` each other. ``usual`` is the default; a ``needed``
    field is kept even if empty, to be filled in.
    """

    name: str
    label: str
    how: How = "line"
    help: str = ""
    usual: Value = None
    needed: bool = False
    options: Callable[[Tables, int], Mapping[str, str]] | None = None
    of: tuple[Field, ...] = ()
    most: int = 0
    beside: bool = False


def _columns(tables: Tables, at: int) -> dict[str, str]:
    return {
        name: name
        for one in list_parts_of_section(tables, "column")
        if (name := str(one.get("name", "")))
    }


def _any_column(tables: Tables, at: int) -> dict[str, str]:
    return {"": "none", **_columns(tables, at)}


def _questions(tables: Tables, at: int) -> dict[str, str]:
    found = {"": "the first that can be counted"}
    for one in list_parts_of_section(tables, "question"):
        found[str(one.get("id", ""))] = str(one.get("text", ""))
    return found


def question_kind_labels_by_kind(tables: Tables, at: int = 0) -> dict[str, str]:
    """The kinds of questions that a study can ask, in words."""
    source = any(one.get("kind") == "source" for one in list_parts_of_section(tables, "pane"))
    offered = list_question_kinds_to_choose(
        together=are_answers_side_by_side(tables), source=source
    )
    own = [str(one.get("kind")) for one in list_parts_of_section(tables, "question")[at : at + 1]]
    known = [one for one in KINDS if one in offered or one in own]
    return {one: ASKED[one].words for one in known}


def pane_kind_labels_by_kind(tables: Tables, at: int = 0) -> dict[str, str]:
    """The kinds of panes in words."""
    told: dict[str, str] = {one: words for one, words in ROLES.items() if one in PANES}
    return {one: told[one].removeprefix("shown, ") for one in PANES}


def _fixed(**options: str) -> Callable[[Tables, int], Mapping[str, str]]:
    return lambda tables, at: options


_ID = Field(
    "id",
    "Column in exports",
    help="Lower-case letters, digits and _. Do not change it once somebody has answered.",
    needed=True,
)
_COLUMN = Field("column", "Column of the table", "choice", options=_columns, needed=True)
_REQUIRED = Field("required", "Must be answered", "flag", usual=False)

OF_FILE: Mapping[str, tuple[Field, ...]] = {
    "About the study": (
        Field("title", "Title", needed=True),
        Field(
            "instructions",
            "Instructions to reviewers",
            "text",
            "Lines that begin with - are a list, with # a heading.",
            needed=True,
        ),
        Field(
            "worked_example",
            "A finished item, why it was judged so, and the keys",
            "text",
            "Reviewers see it once before they begin, and behind a button from then on.",
        ),
        Field("thing", "What one item is called", help="Such as note, summary or answer."),
        Field("source", "Whose questions these are, to be cited"),
        Field("headline", "Shown on the lead's Home", "choice", usual="", options=_questions),
        Field(
            "missing",
            "Words that are an empty cell, one on each line",
            "list",
            "Such as NA or -, if nothing else is in the cell.",
        ),
        Field(
            "leave_out",
            "Words that mark a row as not an item, one on each line",
            "list",
            "Such as Sum: a row with such a word is left out if the rest is empty or numbers.",
        ),
        Field(
            "leave_out_rows",
            "Single rows that are left out, one mark on each line",
            "list",
            "Rows are left out, and put back, in the preview. A row's mark is made from its "
            "contents, so it is found again wherever the row is.",
        ),
        Field(
            "nearly_empty",
            "A row with at most one cell that is shown",
            "choice",
            usual="keep",
            options=_fixed(keep="is an item like any other", leave_out="is left out, and reported"),
        ),
        Field(
            "identifiers",
            "What may identify a patient in the items",
            "choice",
            "Identity numbers, telephone numbers, e-mail addresses, dates of birth, addresses,"
            " record numbers, and names beside titles.",
            usual="tell",
            options=_fixed(
                tell="is kept, and reported when items are added",
                keep="is kept",
                replace="is replaced, as by [telephone number]",
                leave_out="leaves its row out, and this is reported",
            ),
        ),
        Field("illustrative", "The items are made up", "flag", usual=False),
        Field("id", "Short name of the study", help=_ID.help, needed=True),
    ),
    "Handing out": (
        Field(
            "raters_per_item",
            "Reviewers for each item",
            "whole",
            "Two or more show how far they agree.",
        ),
        Field(
            "items_per_rater",
            "At most this many items for each reviewer",
            "whole",
        ),
        Field(
            "gold_share",
            "Share of items with a known answer, mixed in (0 to 0.5)",
            "number",
            "A lead sets known answers on Team › Gold items.",
        ),
        Field(
            "again_share",
            "Share of items that come again (0 to 0.5)",
            "number",
            "Shows how far reviewers agree with themselves. They are not told.",
        ),
        Field("again_after", "After at least this many other items", "whole"),
    ),
    "Models' answers": (
        Field(
            "show_arms",
            "How answers to one item are shown",
            "choice",
            usual="together",
            options=_fixed(
                together="all side by side, to be compared",
                apart="one by itself; a reviewer is given one of each item",
            ),
        ),
        Field(
            "several_arms",
            "A reviewer may be given several answers to one item",
            "flag",
            "Only where each is shown by itself.",
            usual=False,
        ),
        Field("arm_column", "Column that says whose answer it is", usual="arm"),
        Field(
            "incomplete",
            "An item with one model's answer alone",
            "choice",
            usual="refuse",
            options=_fixed(
                refuse="is refused, as there is nothing to compare",
                leave_out="is left out, and reported",
            ),
        ),
        Field("chosen_arm", "The model that was preferred in every item before", usual=""),
        Field(
            "chosen_column",
            "Or the column that says which was preferred before",
            "choice",
            usual="",
            options=_any_column,
        ),
        Field(
            "mask",
            "Names masked in what reviewers see, one on each line",
            "list",
            "Reviewers see bars instead. What is stored and exported keeps the names.",
        ),
    ),
}
"""The fields at the top of the file, in groups."""

WORDED: Mapping[str, Mapping[str, Field]] = {
    section: {one.name: one for one in fields}
    for section, fields in {
        "arm": (
            Field("name", "Name of the model", help="Reviewers never see it.", needed=True),
            Field("model", "Model from the settings that writes it"),
            Field("also", "Also written in the table as, one on each line", "list"),
        ),
        "column": (
            Field("means", "What it holds", needed=True),
            Field("required", "Every item has something in it", "flag", usual=True),
            Field("groups", "Results are shown by it", "flag", usual=False),
            Field("by_arm", "Each model's answer has its own", "flag", usual=False),
            Field("prompt", "What models are asked for it", "text"),
            Field("system", "What models are told first", "text"),
            Field("model", "Model from the settings that writes it"),
        ),
        "pane": (
            Field("title", "Title", needed=True),
            Field("kind", "Shown as", "choice", usual="text", options=pane_kind_labels_by_kind),
            _COLUMN,
            Field("columns", "Columns of the table", "several", options=_columns, needed=True),
            Field(
                "compared_to",
                "Compared with the column",
                "choice",
                "The sentences most similar to it are highlighted.",
                usual="",
                options=lambda tables, at: {"": "the last text shown", **_columns(tables, at)},
            ),
            Field(
                "place",
                "Stands",
                "choice",
                "On a phone they are all one below the other, starting from the left.",
                usual="left",
                options=_fixed(
                    left="on the left",
                    centre="in the middle",
                    right="on the right, above the questions",
                ),
            ),
            Field("folded", "Folded until it is opened", "flag", usual=False),
            Field("after_answer", "Shown only once the item is answered", "flag", usual=False),
        ),
        "advice": (
            Field("question", "Question", "choice", options=_questions, needed=True),
            Field("column", "Column of the advice", "choice", options=_columns, needed=True),
            Field("truth", "Column of the right answer", "choice", "", "", options=_any_column),
        ),
        "question": (
            Field("text", "Question", "text", needed=True),
            Field(
                "kind", "Answered by", "choice", options=question_kind_labels_by_kind, needed=True
            ),
            Field("options", "Answers, one on each line", "list", needed=True),
            Field("codes", "Codes of the answers in REDCap, one on each line", "list"),
            Field("low", "The low end means", needed=True, beside=True),
            Field("high", "The high end means", needed=True, beside=True),
            Field("minimum", "From", "number", beside=True),
            Field("maximum", "To", "number", beside=True),
            Field("unit", "Unit", beside=True),
            Field("not_applicable", "Can be “not applicable”", "flag", usual=False),
            Field("tolerance", "Points apart that do not count as disagreement", "number"),
            Field("strength", "Asks how much better", "flag", usual=False),
            Field("ties", "Answers may share a rank", "flag", usual=False),
            Field(
                "criteria",
                "Criteria",
                "rows",
                "Points below 0 are for what an answer should not do.",
                of=(
                    Field("text", "Criterion", "text", needed=True),
                    Field("points", "Points", "number", needed=True),
                    Field("tags", "Tags, one on each line", "list"),
                ),
                most=MOST_CRITERIA,
            ),
            Field(
                "criteria_column",
                "Or the column with each item's own criteria",
                "choice",
                usual="",
                options=_any_column,
            ),
            Field(
                "column",
                "Column of the text",
                "choice",
                usual="",
                options=lambda tables, at: {"": "the last text shown", **_columns(tables, at)},
            ),
            Field(
                "labels",
                "Labels",
                "rows",
                of=(Field("name", "Label", needed=True), Field("means", "What it means")),
                most=MOST_LABELS,
            ),
            Field(
                "of_span",
                "Asked of each mark",
                "rows",
                of=(
                    Field("text", "Question", needed=True),
                    Field("options", "Answers, one on each line (none: words)", "list"),
                    _REQUIRED,
                ),
                most=MOST_LABELS,
            ),
            _REQUIRED,
            Field(
                "per",
                "Asked",
                "choice",
                usual="item",
                options=_fixed(item="once for the item", arm="of each model's answer"),
            ),
            Field("once", "Not asked if the item comes again", "flag", usual=False),
            Field("only_if", "Asked only if", "when"),
            Field("help", "Help under the question"),
            Field("part", "Heading over it"),
            _ID,
        ),
    }.items()
}
"""Each field of a part, by part and name."""
_ENDS = {"minimum": 1, "maximum": 5}
SECTIONS = tuple(WORDED)
"""The parts of a file that can be repeated."""


def list_parts_of_section(tables: Tables, section: str) -> list[Mapping[str, Any]]:
    found = tables.get(section, [])
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def parse_toml_tables_or_none(text: str) -> Tables | None:
    """A study's file as tables, whatever they hold; None if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None


def are_answers_side_by_side(tables: Tables) -> bool:
    """Whether answers are shown side by side."""
    return (
        bool(list_parts_of_section(tables, "arm"))
        and tables.get("show_arms", "together") == "together"
    )


def list_form_fields_of_part(tables: Tables, section: str, at: int) -> list[Field]:
    """The fields of a part, in the order in which they are filled in."""
    own = list_parts_of_section(tables, section)[at]
    names: Sequence[str] = tuple(WORDED[section])
    kind = own.get("kind", "text")
    if section == "question" and kind in KINDS:
        names = field_names_of_question_kind(kind, arms=are_answers_side_by_side(tables))
    elif section == "pane" and kind in PANES:
        names = fields_of_pane_kind(kind)
    elif section == "column":
        arms = bool(list_parts_of_section(tables, "arm"))
        names = [one for one in COLUMN_FIELDS if one != "by_arm" or arms]
    # A field that is in the file must be removable, whatever its kind.
    names = [*names, *own]
    found = [one for name, one in WORDED[section].items() if name in names]
    if kind == "scale":
        found = [replace(one, usual=_ENDS.get(one.name, one.usual)) for one in found]
    # A kind may have a field without wording.
    worded = {one.name for one in found}
    for name in names:
        if name not in worded and name != "name" and isinstance(own.get(name, ""), str):
            worded.add(name)
            found.append(Field(name, name.replace("_", " ").capitalize()))
    return found


def conditions_in_words_by_question_and_answer(
    tables: Tables, at: int
) -> dict[tuple[str, str], str]:
    """The answers to earlier questions on which question ``at`` can depend, in words."""
    found = {}
    asked = list_parts_of_section(tables, "question")
    each = asked[at].get("per") == "arm"
    for one in asked[:at]:
        if not one.get("only_if") and (each or one.get("per") != "arm"):
            for answer in _answers(one):
                found[str(one.get("id")), answer] = f"{one.get('text', '')} – {answer}"
    return found


def _answers(question: Mapping[str, Any]) -> Iterator[str]:
    match question.get("kind"):
        case "single":
            yield from map(str, question.get("options", []))
        case "yes_no":
            yield from YES_NO
        case "scale":
            low, high = question.get("minimum", 1), question.get("maximum", 5)
            if isinstance(low, int) and isinstance(high, int):
                yield from map(str, range(low, min(high, low + 20) + 1))


# -- changes ---------------------------------------------------------------------------------------


def set_field_in_study_file(text: str, section: str, at: int, field: Field, value: Value) -> str:
    """The file with another value in a field; ``section`` is "" for the top of the file."""
    own = find_part_of_study_file(parse_toml_tables_or_none(text) or {}, section, at)
    before = own.get(field.name)
    value = _written(field, value, before)
    if value == before:
        return text
    text = set_field_in_toml(text, section, at, field.name, value)
    if field.name == "kind":
        return _of_kind(text, section, at)
    if section != "question":
        return text
    if field.name == "text" and _follows(str(own.get("id")), str(before), _QUESTION):
        taken = _ids(parse_toml_tables_or_none(text) or {}, "question") - {own.get("id")}
        now = _named(str(value), taken, _QUESTION)
        text = set_field_in_toml(text, section, at, "id", now)
        return _renamed(text, str(own.get("id")), now)
    return _renamed(text, str(before), str(value)) if field.name == "id" else text


def find_part_of_study_file(tables: Tables, section: str, at: int) -> Tables:
    """A part of the file, or its top if ``section`` is empty."""
    return list_parts_of_section(tables, section)[at] if section else tables


def _written(field: Field, value: Value, before: Value) -> Value:
    """A value as written in the file; None if it can be left out."""
    if field.how == "list":
        value = [line.strip() for line in str(value).splitlines() if line.strip()]
    if isinstance(value, float) and value.is_integer() and not isinstance(before, float):
        value = int(value)
    if value == field.usual or (value in (None, "", []) and not field.needed):
        return None
    return "" if value is None else value


def list_rows_in_field(tables: Tables, section: str, at: int, field: Field) -> list[dict[str, Any]]:
    """The rows in a field."""
    found = find_part_of_study_file(tables, section, at).get(field.name, [])
    return [dict(one) for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def study_file_text_with_row_set_or_added(
    text: str, section: str, at: int, field: Field, row: int, changed: Mapping[str, Value]
) -> str:
    """The file with a changed row in a field, or with one more row."""
    rows = list_rows_in_field(parse_toml_tables_or_none(text) or {}, section, at, field)
    own = rows[row] if row < len(rows) else {}
    named = field.of[0].name
    words, start = str(own.get(named, "")), f"{field.name}_"
    for one in field.of:
        if one.name in changed:
            value = _written(one, changed[one.name], own.get(one.name))
            own = {name: cell for name, cell in own.items() if name != one.name}
            own |= {} if value is None else {one.name: value}
    if named in changed and _follows(str(own.get("id", "")), words, start):
        taken = {str(one.get("id")) for n, one in enumerate(rows) if n != row}
        own["id"] = _named(str(changed[named]), taken, start)
    order = ("id", *(one.name for one in field.of))
    own = {name: own[name] for name in sorted(own, key=order.index)}
    return set_field_in_toml(text, section, at, field.name, [*rows[:row], own, *rows[row + 1 :]])


def study_file_text_with_row_removed(
    text: str, section: str, at: int, field: Field, row: int
) -> str:
    """The file without one row of a field."""
    rows = list_rows_in_field(parse_toml_tables_or_none(text) or {}, section, at, field)
    return set_field_in_toml(text, section, at, field.name, [*rows[:row], *rows[row + 1 :]] or None)


_QUESTION, _LONGEST_NAME = "question_", 30


def _named(words: str, taken: Collection[str], start: str) -> str:
    """A unique id made from words."""
    name = make_id_from_name(words)[:_LONGEST_NAME].strip("_") if words.strip() else start
    tries = (name if n == 1 and name != start else f"{name.strip('_')}_{n}" for n in count(1))
    return next(one for one in tries if one not in taken)


def _follows(name: str, words: str, start: str) -> bool:
    """Whether an id was made from words, not chosen."""
    made = make_id_from_name(words)[:_LONGEST_NAME].strip("_") if words.strip() else start
    return not name or name.startswith(start) or re.fullmatch(rf"{made}(_\d+)?", name) is not None


def _ids(tables: Tables, section: str) -> set[str]:
    return {str(one.get("id")) for one in list_parts_of_section(tables, section)}


def _of_kind(text: str, section: str, at: int) -> str:
    """The file after the kind of a part changed: without fields the new kind cannot have, with
    those it needs.
    """
    own = dict(list_parts_of_section(parse_toml_tables_or_none(text) or {}, section)[at])
    kind = own.get("kind", "text")
    wanted: dict[str, Value] = {}
    if section == "pane":
        allowed = fields_of_pane_kind(kind)
        column = own.get("column") or next(iter(own.get("columns", [])), "")
        wanted = {"columns": [column]} if "columns" in allowed else {"column": column}
    else:
        allowed = field_names_of_question_kind(
            kind, arms=are_answers_side_by_side(parse_toml_tables_or_none(text) or {})
        )
        wanted = dict(ASKED[kind].holds)
        if kind in (REWRITE, SPANS) and "per" in allowed:
            wanted["per"] = "arm"
    for name in own:
        if name not in allowed:
            text = set_field_in_toml(text, section, at, name, None)
    for name, value in wanted.items():
        if name not in own and not (name == "criteria" and own.get("criteria_column")):
            text = set_field_in_toml(text, section, at, name, value)
    return text


def _renamed(text: str, before: str, now: str) -> str:
    """The file after a question's id changed, with all references to it updated."""
    tables = parse_toml_tables_or_none(text) or {}
    if tables.get("headline") == before:
        text = set_field_in_toml(text, "", 0, "headline", now)
    for at, one in enumerate(list_parts_of_section(tables, "question")):
        when = one.get("only_if")
        if isinstance(when, dict) and when.get("question") == before:
            text = set_field_in_toml(text, "question", at, "only_if", {**when, "question": now})
    for at, one in enumerate(list_parts_of_section(tables, "advice")):
        if one.get("question") == before:
            text = set_field_in_toml(text, "advice", at, "question", now)
    return text


def study_file_text_with_part_added(text: str, section: str, kind: str = "") -> str:
    """The file with one more part of this section, to be filled in."""
    tables = parse_toml_tables_or_none(text) or {}
    if section == "question":
        own = new_question_fields(
            kind, _free(tables, _QUESTION), together=are_answers_side_by_side(tables)
        )
        return add_part_to_toml(text, section, own)
    if section == "arm":
        return add_part_to_toml(
            text, section, {"name": f"model {len(list_parts_of_section(tables, 'arm')) + 1}"}
        )
    columns = list(_columns(tables, 0))
    shown = {
        name
        for one in list_parts_of_section(tables, "pane")
        for name in (one.get("column"), *one.get("columns", []))
    }
    column = next((one for one in columns if one not in shown), columns[0] if columns else "")
    holds = {"columns": [column]} if "columns" in fields_of_pane_kind(kind) else {"column": column}  # type: ignore[arg-type]
    return add_part_to_toml(
        text,
        section,
        {"title": title_from_name(column), "kind": kind, **holds},
    )


def copy_part_in_study_file(text: str, section: str, at: int) -> str:
    """The file with a copy of a part right after it, under its own id."""
    own = list_parts_of_section(parse_toml_tables_or_none(text) or {}, section)[at]
    more = (
        {"id": _free(parse_toml_tables_or_none(text) or {}, f"{own['id']}_")}
        if own.get("id")
        else {}
    )
    return insert_changed_part_copy_in_toml(text, section, at, more)


def _free(tables: Tables, start: str) -> str:
    taken = _ids(tables, "question")
    return next(name for n in count(1) if (name := f"{start}{n}") not in taken)


# -- faults ----------------------------------------------------------------------------------------


def faults_by_field(text: str, rows: Sequence[BadRow]) -> dict[tuple[str, int, str], str]:
    """What is wrong with a file, in plain words, by section ("": the top), number in it and field
    ("" if not known).
    """
    spans = []
    for section in ("", *SECTIONS):
        for at, part in enumerate(toml_parts_named(text, section)):
            first = text.count("\n", 0, part.head) + 1
            spans.append((first, text.count("\n", 0, part.end), section, at))
    found: dict[tuple[str, int, str], str] = {}
    for row in rows:
        section, at = next(
            ((name, n) for first, last, name, n in spans if first <= (row.line or 0) <= last),
            ("", 0),
        )
        said = expected_value_in_plain_words(row.expected)
        key = (section, at, row.column)
        found[key] = f"{found[key]}; {said}" if key in found else said
    return found


def expected_value_in_plain_words(expected: str) -> str:
    """What was expected in a file, in words for people who do not see the file."""
    rows = r"a list of \{.*?\}, each on a line, (\d+) at most"
    said = re.sub(rows, r"1 to \1 of these", expected)
    said = re.sub(r"^((?:number|criterion) \d+): (.*)$", r"\2 (\1)", said)
    said = re.sub(r"a list of (.*) in quotes", r"\1", said)
    said = re.sub(r"this field, a text in quotes|a text that is not empty", "some words here", said)
    return re.sub(r"\[\[(\w+)\]\]", r"\1", said).replace(" in quotes", "")
