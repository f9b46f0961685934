"""Which models are configured."""

from __future__ import annotations

from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput


def model_of(settings: Settings, name: str) -> Model:
    """The model with this name.

    Raises:
        InvalidInput: ``medlens.toml`` does not have it.
    """
    found = settings.models.get(name)
    if found is None:
        known = ", ".join(sorted(settings.models)) or "none yet"
        raise InvalidInput(
            f"There is no model {name!r}.",
            hint=f"medlens.toml names: {known}. Add a section [models.{name}] with its base_url.",
        )
    return found
