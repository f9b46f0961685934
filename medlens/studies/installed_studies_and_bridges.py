"""Studies and bridges of other distributions, found by their entry points.

A distribution that is installed beside MedLens names a ``Study``, by its name, in the group
``medlens.studies``; and in the group ``medlens.bridges`` what MedLens shares with another tool: a
``Tool``, whose projects become studies of one's own, a ``Kind`` of file that is imported into such
a study, or a ``Package``, as which it goes out.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from medlens.config.settings import Settings
from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.errors import InvalidInput
from medlens.studies import registry
from medlens.studies.own.bridge_registry import GROUP, TOOLS, Tool
from medlens.studies.study_definition import Package, Study
from medlens.tables import Kind

_logger = logging.getLogger(__name__)
DATA_PAGE = "pages/7_Data.py"
"""The page of a study whose own is not among the pages."""


@dataclass(frozen=True)
class Installed:
    """An entry point of another distribution: its name, and that distribution's."""

    name: str
    distribution: str
    point: metadata.EntryPoint

    def __str__(self) -> str:
        return f"{self.name} ({self.distribution})"


@dataclass
class _State:
    is_loaded: bool
    faults: list[str]


_state = _State(False, [])


def list_entry_points_of_group(group: str) -> list[Installed]:
    """The entry points of a group (``medlens.studies`` or ``medlens.bridges``), by name; none is
    loaded.
    """
    points = sorted(metadata.entry_points(group=group), key=lambda point: point.name)
    return [
        Installed(point.name, point.dist.name if point.dist else "?", point) for point in points
    ]


def list_folders_of_installed_distributions() -> list[str]:
    """The folders in which Python finds these distributions, for a process with a path of its
    own.
    """
    found = [one.point.dist for group in _KINDS for one in list_entry_points_of_group(group)]
    return list(dict.fromkeys(str(Path(str(dist.locate_file("")))) for dist in found if dist))


def register_installed_studies_and_list_faults() -> list[str]:
    """Register them all, once for a process; returns what is wrong with those that cannot be, a
    sentence each. They never keep MedLens from working.
    """
    if _state.is_loaded:
        return _state.faults
    _state.is_loaded = True
    for group, register in _KINDS.items():
        for one in list_entry_points_of_group(group):
            try:
                register(one.name, one.point.load())
            except Exception as error:  # noqa: BLE001  (whatever another's code may raise)
                why = error.message if isinstance(error, InvalidInput) else _first_line(error)
                said = f"{one.name} of {one.distribution} cannot be used: {why}"
                _state.faults.append(said)
                _logger.warning("%s", said, extra={"words": said})
    return _state.faults


def _first_line(error: Exception) -> str:
    line = (str(error).splitlines() or [""])[0]
    return f"{type(error).__name__}{f': {line}' if line else ''}"


def _register_study(name: str, study: Any) -> None:
    """Add a study of another distribution.

    Raises:
        InvalidInput: it is no study, or it takes a name that is taken.
    """
    if not isinstance(study, Study):
        raise InvalidInput(f"it is a {type(study).__name__}, not a medlens Study.")
    if study.name != name:
        raise InvalidInput(f"its study is called {study.name!r}.")
    if taken := sorted(_taken(study)):
        raise InvalidInput(f"MedLens or another study has the name {taken[0]!r} already.")
    if not (SHIPPED / study.page).is_file():
        study = replace(study, page=DATA_PAGE)
    registry.register_study(study)


def _taken(study: Study) -> Iterator[str]:
    if study.name in registry.STUDIES or (study.settings and study.name in Settings.model_fields):
        yield study.name
    files = {**registry.IMPORTS, **registry.PACKAGES, **registry.COMMON}
    yield from (kind for kind in (*study.imports, *study.packages) if kind in files)
    yield from (kind for kind in study.exports if kind in registry.COMMON)


def _register_bridge(name: str, bridge: Any) -> None:
    """Add a bridge to another tool.

    Raises:
        InvalidInput: it is none, or its name is taken.
    """
    if (
        name in TOOLS
        or name in registry.PACKAGES
        or name in {**registry.IMPORTS, **registry.EXPORTS}
    ):
        raise InvalidInput(f"MedLens or another bridge has the name {name!r} already.")
    if isinstance(bridge, Tool):
        TOOLS[name] = bridge
        return
    own = registry.STUDIES["own"]
    if isinstance(bridge, Package):
        registry.register_study(replace(own, packages={**own.packages, name: bridge}))
    elif isinstance(bridge, Kind):
        registry.register_study(replace(own, imports={**own.imports, name: bridge}))
    else:
        raise InvalidInput(f"it is a {type(bridge).__name__}, not a medlens Tool, Kind or Package.")


_KINDS: dict[str, Callable[[str, Any], None]] = {
    "medlens.studies": _register_study,
    GROUP: _register_bridge,
}
"""How the object of an entry point is registered, by group."""
