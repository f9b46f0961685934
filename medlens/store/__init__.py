"""The store: facts are appended and never changed; the current state is a view.

``open_store`` opens a DuckDB file, or a PostgreSQL log that this process copies into a DuckDB file,
so every query is the same DuckDB SQL.
"""

from __future__ import annotations

from pathlib import Path

from medlens.errors import StoreUnavailable
from medlens.store.duckdb_store import Row, Store
from medlens.store.ids_times_and_json import (
    new_id,
    replace_unstorable_characters,
    stable_id,
    stable_ids,
    to_json,
    utc_now,
)
from medlens.store.postgres_timeout_settings import PostgresTimeouts
from medlens.store.sql_lookups_declared_and_asked_by_name import Lookup

__all__ = [
    "Lookup",
    "Row",
    "Store",
    "new_id",
    "open_store",
    "replace_unstorable_characters",
    "stable_id",
    "stable_ids",
    "to_json",
    "utc_now",
]


def open_store(
    url: str | Path, limits: PostgresTimeouts | None = None, *, briefly: bool = False
) -> Store:
    """Open the store named by ``MEDLENS_STORE``: a path, or ``postgresql://…``.

    ``limits`` say how long to wait for a PostgreSQL server. ``briefly``: a small DuckDB file is
    opened with a single thread, for a command that ends after a few queries.
    """
    if str(url).startswith(("postgresql://", "postgres://")):
        from medlens.store.postgres_store import open_replica

        return open_replica(str(url), limits=limits or PostgresTimeouts())
    path = Path(url)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(
            f"The folder of the store {path} cannot be made: {error.strerror}.",
            hint="Set MEDLENS_STORE to a place that can be written.",
        ) from error
    return Store(path, briefly=briefly)
