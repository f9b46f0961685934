"""What a pipeline needs to know before it starts, as data for the command line and the Runs
page.

A study declares its pipelines once, in ``run.py``; both ways of starting them are built from that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from medlens.llm.progress import BatchReport
from medlens.store import Store

Kind = Literal["file", "text", "model", "models", "dataset", "whole", "choice", "flag"]
"""``file`` is given as a ``Path`` (None where it is left out), ``models`` as a tuple of names,
``whole`` as an ``int``."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """One thing that a pipeline needs to know.

    ``name`` is the key of its value and, on the command line, ``--name``; a ``file`` is given there
    without a name. A field without ``default`` is required; an optional file has ``""``.
    ``in_words`` are the ``choices`` as pages show them, if their names say too little. ``least`` is
    the smallest value of a ``whole``; ``example`` is the text of a file that shows how to write
    one.
    """

    name: str
    title: str
    kind: Kind
    help: str = ""
    default: str | int | bool | tuple[str, ...] | None = None
    choices: tuple[str, ...] = ()
    in_words: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    least: int = 0
    example: str = ""

    @property
    def required(self) -> bool:
        """Whether a pipeline cannot start without it."""
        return self.default is None and self.kind != "flag"


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a pipeline ended. ``lines`` are for the person; ``aside`` is what went wrong on the way;
    ``complete`` is False if something is left to do or was refused by an endpoint.
    """

    lines: Sequence[str]
    complete: bool
    aside: Sequence[str] = ()
    run: str = ""


@dataclass(frozen=True)
class RunReport:
    """What a pipeline did. ``batch`` is None if there was nothing to do, it was not confirmed
    (``declined``), or it is waiting; ``added`` counts what is new; ``outcomes`` counts every job of
    the run that has an outcome; ``lines`` and ``aside`` are those of ``Done``.
    """

    run: str
    batch: BatchReport | None
    added: int
    lines: tuple[str, ...]
    declined: bool = False
    outcomes: Mapping[str, int] = field(default_factory=dict)
    aside: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        if self.batch is None:
            return not self.declined and not self.run
        return not self.batch.stopped and not self.outcomes.get("error")

    def done(self) -> Done:
        """The report, as told to whoever started the pipeline."""
        return Done(lines=self.lines, complete=self.complete, aside=self.aside, run=self.run)


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """Work for which a study asks models, or which it does by itself if ``asks_models`` is
    False.

    ``start`` is called with the store, the settings, the values of ``fields`` by name, and ``how``.
    It raises MedLensError if it cannot start with them, and calls ``how.confirm`` with the forecast
    before it spends or writes anything; if the answer is no, it returns. ``datasets`` are those
    that it can work on before they have items.
    """

    study: str
    name: str
    title: str
    about: str
    fields: tuple[Field, ...]
    start: Callable[..., Done | RunReport]
    asks_models: bool = True
    batch_api: bool = False
    datasets: Callable[[Store], Sequence[str]] | None = None
