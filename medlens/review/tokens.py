"""Tokens that make a repeated request harmless: each stands for one content alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from medlens.errors import InvalidInput
from medlens.store import Store


def require_same(store: Store, table: str, row: Mapping[str, Any], *columns: str) -> None:
    """Refuse to take ``row`` for saved when its token (the id) stands for something else.

    Call it for a row that was passed over because its id is there.

    Raises:
        InvalidInput: the stored row differs in one of ``columns``.
    """
    # Names of tables and columns are written in the code that calls.
    stored = store.one(f"select {', '.join(columns)} from {table} where id = $id", id=row["id"])
    if stored is None or any(_plain(stored[one]) != _plain(row[one]) for one in columns):
        raise InvalidInput(
            "This was not saved: something else was saved under the same token.",
            hint="Reload the page and enter it again.",
        )


def _plain(value: Any) -> Any:
    """JSON as what it says, whoever wrote it and in whatever order."""
    if isinstance(value, str) and value[:1] in "[{":
        return json.loads(value)
    return json.loads(json.dumps(value))
