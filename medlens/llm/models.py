"""Which models there are."""

from __future__ import annotations

from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput


def model_of(settings: Settings, name: str) -> Model:
    """The model of this name.

    Raises:
        InvalidInput: ``medlens.toml`` names none such.
    """
    found = settings.models.get(name)
    if found is None:
        known = ", ".join(sorted(settings.models)) or "none yet"
        raise InvalidInput(
            f"There is no model {name!r}.",
            hint=f"medlens.toml names: {known}. Add a section [models.{name}] with its base_url.",
        )
    return found
