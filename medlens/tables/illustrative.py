"""The rows of a demo file: JSON lines, each of which says that it is illustrative."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from medlens.errors import BadFile, BadRow
from medlens.tables.check import RowError

T = TypeVar("T")


def illustrative_rows(path: Path, dataset: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row with its line, without ``dataset`` and ``illustrative``, which every row must have.

    Raises:
        BadFile: it cannot be read, or a line is no such row; says which.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise BadFile(
            f"{path} cannot be read: {error.strerror}.", hint="Is the data folder complete?"
        ) from error
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
        except ValueError as error:
            raise demo_fault(path, number, "", f"one JSON object on the line ({error})") from error
        if not isinstance(row, dict):
            raise demo_fault(path, number, "", "one JSON object on the line")
        if row.pop("dataset", "") != dataset or row.pop("illustrative", False) is not True:
            raise demo_fault(
                path, number, "illustrative", f'dataset "{dataset}" and illustrative true'
            )
        yield number, row


def made(path: Path, line: int, make: Callable[..., T], *given: Any, column: str = "") -> T:
    """What ``make`` makes of what is given of a line (of its ``column``).

    Raises:
        BadFile: it cannot; says which line and column, and why.
    """
    try:
        return make(*given)
    except RowError as error:
        raise demo_fault(path, line, error.column, error.expected, error.got) from error
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, (*([column] if column else []), *fault["loc"])))
        raise demo_fault(path, line, where, fault["msg"]) from error
    except (KeyError, TypeError, ValueError) as error:
        raise demo_fault(path, line, column, f"a row of this file ({error})") from error


def demo_fault(path: Path, line: int, column: str, expected: str, got: str = "") -> BadFile:
    """What is wrong with a line of a demo file, to be raised."""
    row = BadRow(path.name, line, column, expected, got)
    return BadFile(str(row), hint="Correct the demo file.", rows=[row])
