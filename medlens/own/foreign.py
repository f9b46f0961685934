"""The tools whose projects come in as studies, each with the files that a project is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from medlens.own import label_studio
from medlens.own.drafting import Converted


@dataclass(frozen=True)
class Part:
    """A file of a project: its ``name`` on the command line, and what it is."""

    name: str
    is_: str


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
