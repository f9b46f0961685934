"""Checkbox columns of REDCap and SurveyMonkey, one for each choice, as one column with what is
ticked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from medlens.tables.table_place_and_header_in_sheet import JOINT

_CHOICE = re.compile(
    r"(?P<field>[a-z][a-z0-9_]*?)___(?P<choice>_?\w+)|(?P<label>.+\S)\s*\(choice=(?P<words>.+)\)"
)
_OTHER = re.compile(r"(?i)(other|sonstige|andere|autre|otr[ao])\b.*")
"""A choice whose words people write themselves."""
_TICKED = frozenset({"1", "checked", "true"})
_STATES = _TICKED | {"", "0", "unchecked", "false"}
BETWEEN = "; "
"""What stands between the choices that are ticked."""


def find_rows_with_checkboxes_joined_and_note(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
    """The rows with the choices of each field in one column, where the first of its columns was,
    and what to tell of it; None for a table without such columns. Cells are as REDCap exports them
    (``symptom___1``, or ``Symptoms (choice=Fever)``): 0 and 1, or Unchecked and Checked; or as
    SurveyMonkey does below a question's heading: the words of the choice, or nothing.
    """
    headings = rows[header]
    fields: dict[str, dict[int, str]] = {}
    for at, name in enumerate(headings):
        if match := _CHOICE.fullmatch(name.strip()):
            field = match["field"] or match["label"]
            fields.setdefault(field, {})[at] = match["choice"] or match["words"]
    body = [row for row in rows[header + 1 :] if any(row)]
    if any(len(row) != len(headings) for row in body):
        return None
    fields = {
        field: choices
        for field, choices in fields.items()
        if len(choices) > 1
        and field not in headings
        and all(row[at].strip().casefold() in _STATES for row in body for at in choices)
    }
    fields |= (of_words := _fields_in_words(headings, body))
    if not fields:
        return None
    begin = {min(choices): field for field, choices in fields.items()}
    of_any = {at for choices in fields.values() for at in choices}

    def ticked(row: Sequence[str], field: str) -> list[str]:
        if field in of_words:
            return [row[n].strip() for n in fields[field] if row[n].strip()]
        return [w for n, w in fields[field].items() if row[n].strip().casefold() in _TICKED]

    def joined(row: Sequence[str], *, is_header: bool) -> list[str]:
        made = []
        for at, cell in enumerate(row):
            if at in begin and is_header:
                made.append(begin[at])
            elif at in begin:
                made.append(BETWEEN.join(ticked(row, begin[at])))
            elif at not in of_any:
                made.append(cell)
        return made

    made = [
        joined(row, is_header=at == header) if at >= header and row else list(row)
        for at, row in enumerate(rows)
    ]
    named = ", ".join(f"{field!r} of {len(choices)} columns" for field, choices in fields.items())
    return made, f"checkboxes are in one column now, with what is ticked: {named}."


def _fields_in_words(
    headings: Sequence[str], body: Sequence[Sequence[str]]
) -> dict[str, dict[int, str]]:
    """The questions below which each choice has a column that holds its words where it is ticked,
    and nothing elsewhere.
    """
    fields: dict[str, dict[int, str]] = {}
    for at, name in enumerate(headings):
        question, joint, choice = name.strip().rpartition(JOINT)
        if joint:
            fields.setdefault(question, {})[at] = choice

    def is_choice(at: int, words: str) -> bool:
        cells = {row[at].strip() for row in body} - {""}
        return cells <= {words} or bool(_OTHER.match(words))

    return {
        question: choices
        for question, choices in fields.items()
        if sum(not _OTHER.match(words) for words in choices.values()) > 1
        and question not in headings
        and all(is_choice(at, words) for at, words in choices.items())
        and any(row[at].strip() for row in body for at in choices)
    }
