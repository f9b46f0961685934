"""A study as one object, declared in its own folder: all that Home, the menu, Data, Team, Runs and
the command line must know of it. ``studies/registry.py`` lists the studies there are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from medlens.config.settings import Section, Settings
from medlens.llm.declared import Pipeline
from medlens.review import bundle, sample, suggestions, trust
from medlens.review.annotated import Said, annotated
from medlens.review.figures import Figures
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.tables import Kind

Exporter = Callable[..., pd.DataFrame]


@dataclass(frozen=True)
class Package:
    """A file for another tool: what it is, how its name ends, and who makes it of a store, the
    opened study, the ``viewer`` (None: the command line) and whether people are ``anonymous``."""

    title: str
    ending: str
    make: Callable[..., bytes]


@dataclass(frozen=True)
class Listed:
    """How items of one kind stand in a list of a study's items.

    Attributes:
        title: what one is called.
        words: their text, as SQL on the item's row ``i``.
        where: where one is seen whole, as parameters of the address of the study's page; takes its
            name and id. The address names the dataset besides.
        columns: the columns that they came with, by ``item`` (their name), of the opened study;
            None: the fields of their stored bodies.
    """

    title: str
    words: str = "i.body::varchar"
    where: Callable[[str, str], Mapping[str, str]] = lambda name, item: {}
    columns: Callable[[Store, Any], pd.DataFrame] | None = None


@dataclass(frozen=True, kw_only=True)
class Study:
    """What a study is called, where its people work, its files, tasks, pipelines and demo.

    Attributes:
        name: as items carry it and the command line takes it.
        page: the Streamlit page of the study, from the project's folder; ``enter`` and ``icon``
            stand for it in the menu.
        about: one sentence or two for Home.
        views: where each task is done: the parameters of the page's address, by the task's name.
        listed: the kinds of items that the Data page lists, in their order; none: those of its
            tasks.
        items_view: where a lead sees the items: the parameters of the address.
        item_parameter: the parameter that names one item there, for studies in which a piece of a
            run is an item; else empty.
        imports: kinds of files by name.
        exports: tables by name: a title, and the function that makes one. Every study has
            ``annotated``, ``trust`` and
            ``samples`` besides.
        packages: files for other tools, by name.
        open: one dataset of the study; the one people work on where the name is empty. What it
            gives has ``dataset`` ("" where there are no items) and ``illustrative``.
        titles: what people call each of these datasets.
        tasks: what raters are asked, of what ``open`` gave.
        pipelines: what models do.
        published: the dataset that published files go to.
        follows: kinds of files about items that must be there already: they go where these are,
            whatever their dataset is called.
        guidelines: what raters of an opened dataset judge by: texts by the names of files.
        said: what models say of items that is no judgment.
        offer: makes items of what else waits for people in a dataset; asked before it is counted.
        settings: the study's own section of ``medlens.toml``, which has its name; None: no section.
        narrowing: by what the figures of a dataset can be narrowed: the values there are, and what
            a person calls each.
        sides: what a person calls a side of ``narrowing``, and what stands where nothing is chosen,
            where that is not the same in all studies.
        figures: the figures of the study.
        demo_files: the folder of its illustrative demo, as ``bundle`` reads it.
    """

    name: str
    title: str
    page: str
    enter: str
    icon: str
    about: str
    views: Mapping[str, Mapping[str, str]]
    imports: Mapping[str, Kind]
    exports: Mapping[str, tuple[str, Exporter]]
    open: Callable[[Store, Settings, str], Any]
    tasks: Callable[[Any], Sequence[Task]]
    pipelines: Sequence[Pipeline]
    published: str
    packages: Mapping[str, Package] = field(default_factory=dict)
    listed: Mapping[str, Listed] = field(default_factory=dict)
    items_view: Mapping[str, str] = field(default_factory=dict)
    item_parameter: str = ""
    follows: Collection[str] = ()
    settings: type[Section] | None = None
    narrowing: Callable[[Store, str], Mapping[str, Mapping[str, str]]] = lambda _s, _d: {}
    sides: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    figures: Figures | None = None
    demo_files: Path | None = None
    titles: Callable[[Store, Sequence[str]], Mapping[str, str]] = lambda _, datasets: {
        one: one for one in datasets
    }
    guidelines: Callable[[Any], Mapping[str, str]] = lambda _: {}
    said: Said = lambda _store, _task, _dataset: ()

    def __post_init__(self) -> None:
        made = {
            "annotated": (
                "Items with every rater's answers, one row per item",
                partial(annotated, self),
            ),
            "trust": (
                "Each model against the clinicians, one row per figure",
                partial(trust.table, self),
            ),
            "suggestions": (
                "What models suggested to reviewers, with what became of it",
                partial(suggestions.exported, self),
            ),
            "samples": (
                "Items drawn to be checked, with the probability of each",
                sample.table,
            ),
        }
        object.__setattr__(self, "exports", {**self.exports, **made})

    def demo(self, store: Store) -> str:
        """Add the illustrative demo; says what is there. Repeating it adds nothing.

        It is checked against what MedLens ships with, whatever a team has set.
        """
        return self.add(store, Settings(), self.demo_files) if self.demo_files else ""

    def add(self, store: Store, settings: Settings, folder: Path) -> str:
        """Import a folder of files with a manifest, as ``bundle.add`` does."""
        return bundle.add(store, folder, self.imports, partial(self.open, store, settings))

    offer: Callable[[Store, str], None] = lambda store, dataset: None
