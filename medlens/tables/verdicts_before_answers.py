"""What promptfoo writes before each answer in its tables, whether it passed, taken away."""

from __future__ import annotations

import re
from collections.abc import Sequence

_VERDICT = re.compile(r"\[(PASS|FAIL|ERROR)\](?: ?\(-?\d+(?:\.\d+)?\))?[ \t]*\n*")
_REASON = re.compile(r"(?s)(?:(?!\n---\n).)*\n---\n")
"""Why an answer failed, which stands before it."""
_LEAST = 2


def leave_out_verdicts(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
    """The rows without "[PASS]" or "[FAIL] (0.00)" before the answers of the columns in which all
    begin so, and what to tell of it; None if there are none.
    """
    body = [at for at in range(header + 1, len(rows)) if any(rows[at])]
    made = [list(row) for row in rows]
    counted, first = 0, ""
    for column in range(len(rows[header])):
        cells = {at: rows[at][column] for at in body if column < len(rows[at])}
        filled = {at: cell.strip() for at, cell in cells.items() if cell.strip()}
        found = {at: _VERDICT.match(cell) for at, cell in filled.items()}
        if len(filled) < _LEAST or not all(found.values()):
            continue
        for at, verdict in found.items():
            assert verdict is not None
            rest = filled[at][verdict.end() :]
            failed = verdict[1] != "PASS"
            made[at][column] = _REASON.sub("", rest, count=1) if failed else rest
            first = first or verdict[0].strip()
        counted += len(filled)
    if not counted:
        return None
    return made, (
        f"{counted:,} answers begin with what a program held of them, such as {first!r}: it is left"
        " out, as reviewers would see it."
    )
