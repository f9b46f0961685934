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


def json_value(text: str, decoder: json.JSONDecoder | None = None) -> Any:
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
    return value if flat else shallow(value, text.count("[") + text.count("{"))


_DECODER = json.JSONDecoder()
DEEP = f"values nested more than {DEEPEST} levels deep"


def shallow(value: Any, openings: int) -> Any:
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
