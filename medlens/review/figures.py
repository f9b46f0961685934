"""Figures as data: what a study's figures are called, how they are grouped, drawn and exported.

A study lists its figures in ``medlens/STUDY/figures.py``. The figures page (``medlens.ui.figures``)
and ``export figures`` are made from that list: navigation, chart, table, CSV, what is behind a
mark, and the published numbers beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

from medlens.errors import InvalidInput
from medlens.review import published
from medlens.review.charts import Axis, Chart
from medlens.review.published import Published
from medlens.review.raters import Rater, require_lead
from medlens.stats.estimate import Estimate
from medlens.stats.figures import NARROWED, FigureRow, figure_rows, told
from medlens.store import Store

# -- a list of figures -----------------------------------------------------------------------------

Options = Mapping[str, str]
"""What can be chosen, as it stands in the address, and what a person calls each."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Something to choose above a figure, in the address under its name; the first option stands
    unless the address says another.

    Attributes:
        options: of what ``look`` gives, and of what is chosen before it.
        few: they are all in sight unless they are many; where there is only one, nothing is.
    """

    name: str
    label: str
    options: Callable[[Any, Mapping[str, str]], Options]
    few: bool = False
    width: int = 190


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure, or several that are chosen and drawn alike.

    Attributes:
        name: what it is called in the address, within its section.
        title: what it is called in the navigation.
        section: the part of the page it stands in; without one it is exported alone.
        of: what it is a share (or a mean, a count) of, in words for the chart's line of n.
        rows: the rows that it exports, of what the study's ``look`` gives.
        chart: what is drawn of it: the data, the name chosen, the grouping chosen (or, by their
            names, all its ``choices``). Without one its rows are bars, named by their groups.
        several: the names and titles it stands for, where it stands for more than its own.
        groupings: by what it can be grouped.
        choices: what else is chosen above it.
        axis: what the bars show, where there is no ``chart``.
        in_report: without it, it is in the file of all figures alone, as too much to read through.
    """

    name: str
    title: str
    of: str
    section: str = ""
    rows: Callable[[Any], Iterable[FigureRow]] = lambda _: ()
    chart: Callable[[Any, str, Any], Chart | Sequence[Chart]] | None = None
    several: Options | Callable[[Any], Options] = field(default_factory=dict)
    groupings: Options = field(default_factory=dict)
    choices: Sequence[Choice] = ()
    axis: Axis = field(default_factory=lambda: Axis("Share", "percent", high=1))
    in_report: bool = True

    def options(self, data: Any) -> Options:
        """What it stands for in the navigation of its section."""
        known = self.several(data) if callable(self.several) else self.several
        return known if self.several else {self.name: self.title}


@dataclass(frozen=True, kw_only=True)
class Behind:
    """What is behind a mark: a title, a table, and for each of its rows where it leads, as values
    of the address. ``things`` is what a row is, one and several."""

    title: str
    table: pd.DataFrame
    leads: tuple[Mapping[str, str], ...]
    things: tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Headline:
    """A figure that stands on the lead's Home.

    Attributes:
        title: what it is called there.
        source: the ``name`` of the ``Figure`` among whose rows it is.
        figure: what it is called in those rows.
        groups: which of its groups are shown.
        called: what a group is called there.
        view: where it is drawn: parameters of the address.
        form: as an ``Axis`` has it.
    """

    title: str
    source: str
    figure: str
    view: Mapping[str, str]
    groups: Callable[[str], bool] = lambda _: True
    called: Callable[[str], str] = str
    form: Literal["percent", "number"] = "percent"


@dataclass(frozen=True)
class Told:
    """A headline figure of one group, and what the paper prints of it."""

    title: str
    group: str
    estimate: Estimate
    printed: tuple[Published, ...]
    view: Mapping[str, str]
    form: str


@dataclass(frozen=True, kw_only=True)
class Figures:
    """The figures of a study.

    Attributes:
        study: its name.
        figures: in the order in which they are exported.
        sections: parts of the page: what each is called, and the name of its choice in the address.
        look: what all figures of a dataset rest on, narrowed by what the address says: the store,
            the opened study, the viewer (None is the command line) and the sides. It has
            ``narrowed``, the sides as the rows tell them.
        tables: the tables of the store that figures rest on.
        empty: why there is nothing to show; "" where there is something.
        said: what the figures rest on, in a sentence or two.
        numbers: what stands on top, in large digits.
        behind: what a mark leads to; None where it leads nowhere (any more).
        protocol: by which protocol everything was measured; "" by several, or where there are none.
        paper: how the paper is cited whose numbers stand beside ours.
        note: what else keeps the paper's numbers and ours apart, of what ``look`` gives.
        sides: what the address narrows them by.
        require: refuses those who may not see them; leads may, unless it is said otherwise.
        version: of the opened study, what figures rest on beside the tables (a taxonomy).
        narrowed_by: the sides of ``NARROWED`` that an export can be narrowed by.
        headlines: the figures that stand on the lead's Home, of what ``look`` gives.
        view: what the view of the study's page is called in which they are drawn.
    """

    study: str
    figures: Sequence[Figure]
    sections: Mapping[str, tuple[str, str]]
    look: Callable[[Store, Any, Any, Mapping[str, str]], Any]
    tables: Sequence[str]
    empty: Callable[[Any], str]
    said: Callable[[Any], str]
    numbers: Callable[[Any], Mapping[str, str]] = lambda _: {}
    behind: Callable[[Any, str], Behind | None] | None = None
    protocol: Callable[[Any], str] = lambda _: ""
    paper: str = ""
    note: Callable[[Any], str] = lambda _: ""
    sides: Sequence[str] = NARROWED
    require: Callable[[Store, str, Rater], None] = lambda _store, _dataset, viewer: require_lead(
        viewer
    )
    version: Callable[[Any], int] = lambda _: 0
    narrowed_by: Sequence[str] = ()
    headlines: Callable[[Any], Sequence[Headline]] = lambda _: ()
    view: str = "Figures"

    def told(self, data: Any, *, most: int = 4) -> list[Told]:
        """At most so many groups of each headline figure: those with a published number first,
        then those that rest on most. One without a value is left out.

        A published number that was measured by another protocol is not beside ours.
        """
        if self.empty(data):
            return []
        by = self.protocol(data)
        found: list[Told] = []
        for one in self.headlines(data):
            source = next(figure for figure in self.figures if figure.name == one.source)
            rows = [
                (group, estimate)
                for name, group, estimate in source.rows(data)
                if name == one.figure and estimate.defined and estimate.n and one.groups(group)
            ]
            printed = published.beside(self.study, [(one.figure, group) for group, _ in rows])
            groups = [
                Told(
                    one.title,
                    "" if group == "all" else one.called(group),
                    estimate,
                    tuple(
                        number
                        for number in printed.get((one.figure, group), ())
                        if number.protocol in ("", by)
                    ),
                    one.view,
                    one.form,
                )
                for group, estimate in rows
            ]
            groups.sort(key=lambda told: (not told.printed, -told.estimate.n))
            found += groups[:most]
        return found

    def rows(self, data: Any) -> pd.DataFrame:
        """Every figure with ``FIGURE_COLUMNS``: what ``export figures`` writes."""
        every = (row for one in self.figures for row in one.rows(data))
        return figure_rows(every, study=self.study)

    def export(self, store: Store, study: Any, *, viewer: Any, **narrowed: str) -> pd.DataFrame:
        """``rows`` with the dataset and what it was narrowed by in every row.

        Raises:
            InvalidInput: the dataset has none such to be narrowed by.
        """
        data = self.look(store, study, viewer, narrowed)
        return told(self.rows(data), study.dataset, data.narrowed)


def require_known(
    store: Store,
    dataset: str,
    narrowing: Callable[[Store, str], Mapping[str, Options]],
    narrowed: Options,
) -> None:
    """Refuse to narrow to what a dataset does not have; ``narrowing`` tells what it has.

    Raises:
        InvalidInput: it names what there is.
    """
    asked = {side: one for side, one in narrowed.items() if one}
    known = narrowing(store, dataset) if asked else {}
    for side, one in asked.items():
        if one not in known.get(side, {}):
            raise InvalidInput(
                f"The dataset {dataset!r} has no {side} {one!r}.",
                hint=f"It has: {', '.join(known.get(side, {})) or 'none'}.",
            )
