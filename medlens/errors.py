"""The errors that people read.

Library errors are converted where they occur (``raise ... from error``) and shown in one place:
``ui.start_page`` on a page, ``cli.main`` on the command line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class MedLensError(Exception):
    """Something a person can act on.

    ``message`` says what happened and where (file, line, column, item); ``hint`` says what to do.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class InvalidInput(MedLensError):
    """A judgment, form or option that breaks a rule; nothing was written."""


class Conflict(MedLensError):
    """Somebody else (or another tab) saved this revision first; nothing was written."""


class NotAllowed(MedLensError):
    """The person who asked may not see or do this."""


class StoreUnavailable(MedLensError):
    """The store cannot be opened or reached; ``held`` if another process has it open."""

    def __init__(self, message: str, *, hint: str = "", held: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.held = held


@dataclass(frozen=True)
class BadRow:
    """A refused row of a file.

    ``line`` counts from 1 and is the line of the *file* on which the row begins (a quoted CSV cell
    may span lines); ``column`` is empty if the whole row is at fault.
    """

    file: str
    line: int
    column: str
    expected: str
    got: str = ""

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}"
        if self.column:
            where += f", column {self.column!r}"
        got = f", got {self.got!r}" if self.got else ""
        return f"{where}: expected {self.expected}{got}."


class BadFile(MedLensError):
    """A file that cannot be imported; ``rows`` lists what is wrong, row by row."""

    def __init__(self, message: str, *, hint: str = "", rows: Sequence[BadRow] = ()) -> None:
        super().__init__(message, hint=hint)
        self.rows = tuple(rows)
