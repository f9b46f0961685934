"""A study's files in and out, as data: what an import is asked, and what it did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from medlens.tables import Refused, Source

Progress = Callable[[int], object] | None


@dataclass(frozen=True)
class Request:
    """An import to do. ``name`` is the file's; ``label`` names references (``--name``).

    ``dataset`` is where its rows go, whatever they say themselves.
    """

    source: Source
    name: str
    dataset: str
    label: str = ""
    skip_bad: bool = False
    progress: Progress = None


@dataclass(frozen=True)
class Report:
    """What an import did.

    ``what`` names the things counted, ``one`` a single one where it is not ``what`` without its s.
    """

    what: str
    added: int
    known: int
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = ()
    one: str = ""

    @property
    def called(self) -> str:
        """What is called so many as were added."""
        return self.what if self.added != 1 else self.one or self.what.removesuffix("s")
