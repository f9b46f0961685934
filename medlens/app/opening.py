"""Opens the store that the settings name, with the limits that they set."""

from __future__ import annotations

from medlens.config.settings import Settings
from medlens.store import Store, open_store
from medlens.store.limits import Limits


def open_store_of(settings: Settings) -> Store:
    """Open the store of these settings; whoever opens it closes it.

    Raises:
        StoreUnavailable: it cannot be opened or reached; ``held`` if another process has it open.
    """
    return open_store(settings.store, Limits(**settings.postgres.model_dump()))
