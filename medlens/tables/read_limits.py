"""How much of a file is read: enough for any study, too little to stop the machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

LONGEST = 99_999
"""Characters of one cell, and of each text within a cell of JSON."""

LONGEST_PAGE = 5_000_000
"""Characters of one in a column of whole pages; a page that was fetched has at most 4,000,000."""

DEEPEST = 100
"""Lists and objects within each other."""

MOST_COLUMNS = 2_000
MOST_ROWS = 10_000_000
UNPACKED = 1 << 30
"""Bytes that a Parquet file may be once it is unpacked."""


def parse_json_value(text: str, decoder: json.JSONDecoder | None = None) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: it is not JSON, or is nested too deeply for whatever reads it next.
    """
    try:
        value = (decoder or _DECODER).decode(text)
    except RecursionError as error:
        raise ValueError(DEEP) from error
    # Most objects are flat, and to look for a second bracket is far quicker than to count them.
    flat = "[" not in text and text.find("{", 1) < 0
    return (
        value
        if flat
        else return_value_unless_deeply_nested(value, text.count("[") + text.count("{"))
    )


_FAULTS = {
    "Expecting value": "a value is missing",
    "Expecting property name": "a name in double quotes is missing",
    "Expecting ':'": "a colon is missing after a name",
    "Expecting ','": "a comma is missing",
    "Extra data": "there is more after the end",
    "Invalid control character": "a text holds a control character",
    "Invalid \\uXXXX": "a text holds a broken character code",
    "Invalid \\": "a text holds a backslash that stands for nothing",
    "Unterminated string": "a text has no closing quote",
    "Illegal trailing comma": "there is a comma before the end",
    "Unexpected UTF-8 BOM": "it begins with a mark of its encoding",
}


def json_error_in_words(error: json.JSONDecodeError) -> str:
    """What is wrong with a JSON text, in plain words; the parser's own are a programmer's."""
    found = (words for start, words in _FAULTS.items() if error.msg.startswith(start))
    return next(found, "it is not valid JSON")


def read_error_in_words(error: Exception) -> str:
    """Why a file could not be read, for its owner: the end of a sentence."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not in UTF-8; save it as UTF-8"
    if isinstance(error, json.JSONDecodeError):
        if not error.doc.strip():
            return "it is empty"
        if error.msg.startswith("Unterminated") or error.pos >= len(error.doc.rstrip()):
            return "it ends too early, as if it was cut short; get it once more"
        return f"{json_error_in_words(error)} (line {error.lineno:,}, column {error.colno:,})"
    if "string conversion" in str(error):
        return "it holds a number of thousands of digits"
    return str(error)[:200].rstrip(".")


_DECODER = json.JSONDecoder()
DEEP = f"values nested more than {DEEPEST} levels deep"


def return_value_unless_deeply_nested(value: Any, openings: int) -> Any:
    """``value``, whose text had this many opening brackets.

    Raises:
        ValueError: it is nested too deeply.
    """
    level = [value] if openings > DEEPEST else []
    for _ in range(DEEPEST):
        if not level:
            return value
        level = [one for held in level for one in _within(held)]
    if level:
        raise ValueError(DEEP)
    return value


def _within(value: Any) -> list[Any]:
    """The lists and objects inside a value."""
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return []
    return [one for one in value if isinstance(one, (Mapping, list, tuple))]
