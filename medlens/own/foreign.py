"""The tools whose projects come in as studies, each with the files that a project is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from medlens.own import label_studio
from medlens.own.converted import Converted


@dataclass(frozen=True)
class Part:
    """A file of a project: its ``name`` on the command line, what it is, and how other files end
    that can take its place."""

    name: str
    is_: str
    also: tuple[str, ...] = ()

    @property
    def endings(self) -> tuple[str, ...]:
        """How its file's name may end, without the dot."""
        return (PurePath(self.name).suffix[1:], *self.also)


@dataclass(frozen=True)
class Tool:
    """A tool by what it keeps; ``convert`` is given a title and the content of each file."""

    thing: str
    parts: tuple[Part, ...]
    convert: Callable[..., Converted]


TOOLS = {
    "label-studio": Tool(
        "a Label Studio project",
        (
            Part("CONFIG.xml", "its labelling interface (Settings, Labeling Interface, Code)"),
            Part("EXPORT.json", "its export as JSON"),
        ),
        label_studio.convert,
    ),
}
