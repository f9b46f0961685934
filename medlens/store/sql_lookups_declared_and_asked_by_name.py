"""Lookups: queries with a name, declared once, for whoever must not ask in SQL.

A process that reads a stranger's file asks the app by such a name (``app.file_intake``). Both have
the same lookups, since both import the modules that declare them. To a store of one's own a lookup
is the SQL that it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, Self

Holds = Literal["text", "texts", "task", "items", "whole", "wholes", "moment"]
"""What a parameter holds; ``task`` is the name of a task of the import's study; ``items`` is the id
of an item, or a list of them: items of the import's own dataset, or of none yet.
"""

BOUND = ("study", "dataset")
"""Parameters that an import does not choose: they are those of what is imported."""

LOOKUPS: dict[str, Lookup] = {}
"""Every lookup by its name."""

_USUALLY: Mapping[str, Holds] = {"task": "task"}
_IN_LIST, _PARAMETER = re.compile(r"\bin \$(\w+)\b"), re.compile(r"\$([a-z_]+)\b")


class Lookup(str):
    """A query in SQL, under a ``name``: what it belongs to and what it gives, such as
    ``items.ids_by_name``. What belongs to a study is asked by imports of that study alone.

    Its parameters are those that its SQL names; ``in $these`` is a list of texts, another one a
    text, unless it is said what it holds.
    """

    name: str
    parameters: Mapping[str, Holds]

    def __new__(cls, name: str, sql: str, **holds: Holds) -> Self:
        made = super().__new__(cls, sql)
        lists = set(_IN_LIST.findall(sql))
        # A path into JSON, '$.case', names no parameter.
        named = dict.fromkeys(_PARAMETER.findall(sql))
        made.name = name
        made.parameters = {
            one: holds.get(one, "texts" if one in lists else _USUALLY.get(one, "text"))
            for one in named
        }
        if unknown := holds.keys() - made.parameters.keys():
            raise ValueError(f"{name} has no parameter {', '.join(sorted(unknown))}")
        if LOOKUPS.setdefault(name, made) != made:
            raise ValueError(f"two lookups are called {name}")
        return made

    @property
    def owner_of_query(self) -> str:
        """What it belongs to: the name of a study, or of what all studies share."""
        return self.name.partition(".")[0]


def is_value_valid_for_parameter(holds: Holds, value: Any) -> bool:
    """Whether a value is what a parameter holds."""
    if holds == "items" and isinstance(value, str):
        return True
    if holds in ("texts", "items"):
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if holds == "wholes":
        return isinstance(value, list) and all(type(one) is int for one in value)
    if holds == "whole":
        return type(value) is int
    if holds == "moment":
        return isinstance(value, str) and _is_moment(value)
    return isinstance(value, str)


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
