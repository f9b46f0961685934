"""Tokens that make a repeated request harmless: each belongs to one content only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from medlens.errors import InvalidInput
from medlens.store import Store


def require_same(store: Store, table: str, row: Mapping[str, Any], *columns: str) -> None:
    """Refuse to treat ``row`` as saved if its token (the id) belongs to something else.

    Call it for a row that was skipped because its id exists.

    Raises:
        InvalidInput: the stored row differs in one of ``columns``.
    """
    # Safe to insert: callers write the names of tables and columns in code.
    stored = store.one(f"select {', '.join(columns)} from {table} where id = $id", id=row["id"])
    if stored is None or any(_plain(stored[one]) != _plain(row[one]) for one in columns):
        raise InvalidInput(
            "This was not saved: something else was saved under the same token.",
            hint="Reload the page and enter it again.",
        )


def _plain(value: Any) -> Any:
    """JSON as its content, whatever its order and whoever wrote it."""
    if isinstance(value, str) and value[:1] in "[{":
        return json.loads(value)
    return json.loads(json.dumps(value))
