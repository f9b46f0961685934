"""Opens the store that the settings name, with the limits that they set."""

from __future__ import annotations

from pathlib import Path

from medlens.config.settings import Settings
from medlens.errors import StoreUnavailable
from medlens.store import Store, open_store
from medlens.store.postgres_timeout_settings import PostgresTimeouts


def open_configured_store(settings: Settings, *, briefly: bool = False) -> Store:
    """Open the store of these settings; whoever opens it closes it. ``briefly``: for a few queries.

    Raises:
        StoreUnavailable: it cannot be opened or reached; ``held`` if another process has it open.
    """
    return open_store(
        settings.store, PostgresTimeouts(**settings.postgres.model_dump()), briefly=briefly
    )


def open_store_unless_held(settings: Settings) -> Store | None:
    """``open_configured_store``; None while another process has the store open.

    Raises:
        StoreUnavailable: it cannot be opened for another reason.
    """
    try:
        return open_configured_store(settings)
    except StoreUnavailable as error:
        if not error.held:
            raise
    return None


_WHERE = "Check the path (--store, MEDLENS_STORE, or store in medlens.toml)."


def refuse_missing_store_file(settings: Settings, *, hint: str = _WHERE) -> None:
    """Refuse a path at which there is no store: a mistyped one must not create a store to be read.

    Raises:
        StoreUnavailable: there is none, or a folder.
    """
    path = str(settings.store)
    if "://" not in path and Path(path).is_dir():
        raise StoreUnavailable(
            f"{path} is a folder, and a store is a file.", hint="Name the file in it."
        )
    # A log without its store is reported on opening it.
    if "://" not in path and not any(Path(path + end).exists() for end in ("", ".wal")):
        raise StoreUnavailable(f"There is no store at {path}.", hint=hint)
