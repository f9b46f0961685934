"""Takes away what promptfoo writes before each answer in its tables: whether it passed, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence

_VERDICT = re.compile(r"\[(PASS|FAIL|ERROR)\](?: ?\(-?\d+(?:\.\d+)?\))?[ \t]*\n*")
_REASON = re.compile(r"(?s)(?:(?!\n---\n).)*\n---\n")
"""Why an answer failed, which stands before it."""
_LEAST = 2


def find_rows_without_promptfoo_verdicts_and_note(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
    """The rows without "[PASS]" or "[FAIL] (0.00)" before the answers of the columns in which all
    begin so, and what to tell of it; None if there are none. Why an answer failed goes too: it
    stands before a line of dashes in all that failed and in no other answer. Otherwise such a line
    is a rule between the parts of an answer.
    """
    body = [at for at in range(header + 1, len(rows)) if any(rows[at])]
    made: list[list[str]] = []
    counted, reasons, first = 0, 0, ""
    doubtful = False
    for column in range(len(rows[header])):
        places = (at for at in body if column < len(rows[at]) and rows[at][column].strip())
        if (at := next(places, None)) is None or not _VERDICT.match(rows[at][column].strip()):
            continue  # nearly always so, which is said before all its cells are looked at
        cells = {at: rows[at][column] for at in body if column < len(rows[at])}
        filled = {at: cell.strip() for at, cell in cells.items() if cell.strip()}
        found = {at: _VERDICT.match(cell) for at, cell in filled.items()}
        if len(filled) < _LEAST or not all(found.values()):
            continue
        rests = {at: filled[at][v.end() :] for at, v in found.items() if v}
        failed = {at for at, v in found.items() if v and v[1] != "PASS"}
        ruled = {at for at, rest in rests.items() if _REASON.match(rest)}
        has_reasons = bool(failed) and ruled == failed
        doubtful = doubtful or (bool(failed & ruled) and not has_reasons)
        made = made or [list(row) for row in rows]
        for at, rest in rests.items():
            made[at][column] = _REASON.sub("", rest, count=1) if has_reasons else rest
        reasons += len(failed) if has_reasons else 0
        first = first or next(v[0].strip() for v in found.values() if v)
        counted += len(filled)
    if not counted:
        return None
    told = (
        f"{counted:,} answers begin with a program's verdict, such as {first!r}, which reviewers"
        " would see: it is left out."
    )
    if reasons:
        told += f" Why {reasons:,} of them failed, up to a line of dashes, is left out too."
    if doubtful:
        told += (
            " Some of those that failed have a line of dashes: what stands before it may be why,"
            " and is kept. Look at them."
        )
    return made, told
