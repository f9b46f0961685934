"""REDCap's checkbox columns, one for each choice, as one column with what is ticked."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CHOICE = re.compile(
    r"(?P<field>[a-z][a-z0-9_]*?)___(?P<choice>_?\w+)|(?P<label>.+\S)\s*\(choice=(?P<words>.+)\)"
)
_TICKED = frozenset({"1", "checked", "true"})
_STATES = _TICKED | {"", "0", "unchecked", "false"}
BETWEEN = "; "
"""What stands between the choices that are ticked."""


def join_checkboxes(rows: Sequence[list[str]], header: int) -> tuple[list[list[str]], str] | None:
    """The rows with the choices of each field in one column, where the first of its columns was,
    and what to tell of it; None for a table without such columns. Cells are as REDCap exports them
    (``symptom___1``, or ``Symptoms (choice=Fever)``): 0 and 1, or Unchecked and Checked.
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
    if not fields:
        return None
    begin = {min(choices): field for field, choices in fields.items()}
    of_any = {at for choices in fields.values() for at in choices}

    def joined(row: Sequence[str], *, is_header: bool) -> list[str]:
        made = []
        for at, cell in enumerate(row):
            if at in begin and is_header:
                made.append(begin[at])
            elif at in begin:
                choices = fields[begin[at]].items()
                made.append(
                    BETWEEN.join(
                        words for n, words in choices if row[n].strip().casefold() in _TICKED
                    )
                )
            elif at not in of_any:
                made.append(cell)
        return made

    made = [
        joined(row, is_header=at == header) if at >= header and row else list(row)
        for at, row in enumerate(rows)
    ]
    named = ", ".join(f"{field!r} of {len(choices)} columns" for field, choices in fields.items())
    return made, f"checkboxes are in one column now, with what is ticked: {named}."
