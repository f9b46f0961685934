"""Figures as data: what a study's figures are called, how they are grouped, drawn and exported.

A study lists its figures in ``medlens/studies/STUDY/figures.py``. The figures page
(``medlens.ui.figures``) and ``export figures`` are built from that list: navigation, chart, table,
CSV, what is behind a mark, and the published numbers beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import numbers_printed_in_papers
from medlens.review.chart_specifications import Axis, Chart
from medlens.review.numbers_printed_in_papers import PublishedNumber
from medlens.review.raters import Rater, require_lead
from medlens.stats.estimate import (
    NARROWED,
    Estimate,
    FigureRow,
    add_dataset_and_filter_columns,
    figure_rows_as_table,
)
from medlens.stats.scope_of_inference_over_raters import (
    note_estimate_speaks_for_these_raters,
    words_for_these_raters_alone,
)
from medlens.store import Store

VIEW = "Results"
"""The view of a study's page in which its figures are drawn."""

# -- a list of figures -----------------------------------------------------------------------------

Options = Mapping[str, str]
"""The options of a choice: their values in the address and their labels."""

Chosen: TypeAlias = str | Mapping[str, str]
"""What a figure is grouped by, or all that is chosen above it by the name of the choice."""


class FigureData(Protocol):
    """What a study's figures are made from; ``narrowed`` holds the sides as the rows give them."""

    @property
    def narrowed(self) -> Mapping[str, str]: ...


class OpenedStudy(Protocol):
    """A study opened on a dataset."""

    @property
    def dataset(self) -> str: ...


D = TypeVar("D", bound=FigureData)
S = TypeVar("S", bound=OpenedStudy)
Drawn: TypeAlias = Chart | Sequence[Chart]


@dataclass(frozen=True, kw_only=True)
class Choice(Generic[D]):
    """A choice above a figure, in the address under its name; the default is the first option.

    Attributes:
        options: given the result of ``look`` and the choices before it.
        few: show all options at once unless they are many; hidden if there is only one.
    """

    name: str
    label: str
    options: Callable[[D, Mapping[str, str]], Options]
    few: bool = False
    width: int = 190


@dataclass(frozen=True, kw_only=True)
class Figure(Generic[D]):
    """One figure, or several that are chosen and drawn alike.

    Attributes:
        name: its name in the address, within its section.
        title: its name in the navigation.
        section: the part of the page it is in; without one it is only exported.
        of: what it is a share (or a mean, a count) of, in words for the chart's line of n.
        rows: the rows that it exports, from the result of the study's ``look``.
        chart: draws it, given the data, the chosen name, and the chosen grouping (or all its
            ``choices`` by name). Without one, its rows are bars named by their groups.
        several: the names and titles of the figures it stands for, if more than its own.
        groupings: what it can be grouped by.
        choices: what else can be chosen above it.
        axis: what the bars show if there is no ``chart``.
        in_report: if False it is only in the file of all figures, because it is too long to read.
        agreement_on: the name of the task on which it shows how far people agree, in its own way;
            Team shows the same for every answer, and beyond chance.
    """

    name: str
    title: str
    of: str
    section: str = ""
    rows: Callable[[D], Iterable[FigureRow]] = lambda _: ()
    chart: Callable[[D, str, str], Drawn] | Callable[[D, str, Mapping[str, str]], Drawn] | None = (
        None
    )
    several: Options | Callable[[D], Options] = field(default_factory=dict)
    groupings: Options = field(default_factory=dict)
    choices: Sequence[Choice[D]] = ()
    axis: Axis = field(default_factory=lambda: Axis("Share", "percent", high=1))
    in_report: bool = True
    agreement_on: str = ""

    def navigation_titles_by_name(self, data: D) -> Options:
        """Its entries in the navigation of its section."""
        known = self.several(data) if callable(self.several) else self.several
        return known if self.several else {self.name: self.title}


@dataclass(frozen=True, kw_only=True)
class Behind:
    """What is behind a mark: a title, a table, and for each row where it leads, as parameters of
    the address. ``things`` is the noun for a row, singular and plural.
    """

    title: str
    table: pd.DataFrame
    leads: tuple[Mapping[str, str], ...]
    things: tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Headline:
    """A figure shown on the lead's Home.

    Attributes:
        title: its name there.
        source: the ``name`` of the ``Figure`` whose rows include it.
        figure: its name in those rows.
        groups: which of its groups are shown.
        called: the name of a group there.
        view: where it is drawn, besides the view: parameters of the address.
        form: as in ``Axis``.
    """

    title: str
    source: str
    figure: str
    view: Mapping[str, str] = field(default_factory=dict)
    groups: Callable[[str], bool] = lambda _: True
    called: Callable[[str], str] = str
    form: Literal["percent", "number"] = "percent"


@dataclass(frozen=True)
class Told:
    """A headline figure of one group, and the paper's number for it."""

    title: str
    group: str
    estimate: Estimate
    printed: tuple[PublishedNumber, ...]
    view: Mapping[str, str]
    form: str


@dataclass(frozen=True, kw_only=True)
class Figures(Generic[D, S]):
    """The figures of a study.

    Attributes:
        study: its name.
        figures: in export order.
        sections: the parts of the page: the name of each, and the name of its choice in the
            address.
        look: loads what all figures of a dataset need, narrowed by the address: given the store,
            the opened study, the viewer (None is the command line) and the sides. Its ``narrowed``
            holds the sides as the rows give them.
        tables: the tables of the store that figures depend on.
        empty: why there is nothing to show; "" if there is something.
        said: what the figures are based on, in a sentence or two.
        numbers: the large numbers at the top.
        behind: what a mark leads to; None if it leads nowhere (any more).
        protocol: the protocol that everything was measured by; "" if there are several or none.
        paper: the citation of the paper whose numbers are beside ours.
        note: what else makes the paper's numbers differ from ours, from the result of ``look``.
        sides: what the address narrows them by.
        require: refuses viewers who may not see them; by default everyone but leads.
        version: what figures depend on beside the tables (a taxonomy), of the opened study.
        narrowed_by: the sides of ``NARROWED`` that an export can be narrowed by.
        headlines: the figures on the lead's Home, from the result of ``look``.
        judged_by: how many people's judgments a figure rests on, from the result of ``look`` and
            the figure's name; if it does not say itself for whom it speaks, it speaks for these.
            0 where it is of models.
        rater_names: what raters are called whose own figures are shown beside one of all
            (``chart_specifications.add_rater_dots``), by id, from the result of ``look``.
        limits: what a reader must know of the data before believing any figure, in a sentence or
            two, from the result of ``look``; "" if nothing.
        words: what ids in the names of groups are called
        (``chart_specifications.group_name_in_words``), from the result
            of ``look``.
    """

    study: str
    figures: Sequence[Figure[D]]
    sections: Mapping[str, tuple[str, str]]
    look: Callable[[Store, S, Rater | None, Mapping[str, str]], D]
    tables: Sequence[str]
    empty: Callable[[D], str]
    said: Callable[[D], str]
    numbers: Callable[[D], Mapping[str, str]] = lambda _: {}
    behind: Callable[[D, str], Behind | None] | None = None
    protocol: Callable[[D], str] = lambda _: ""
    paper: str = ""
    note: Callable[[D], str] = lambda _: ""
    sides: Sequence[str] = NARROWED
    require: Callable[[Store, str, Rater], None] = lambda _store, _dataset, viewer: require_lead(
        viewer
    )
    version: Callable[[S], int] = lambda _: 0
    narrowed_by: Sequence[str] = ()
    headlines: Callable[[D], Sequence[Headline]] = lambda _: ()
    words: Callable[[D], Mapping[str, str]] = lambda _: {}
    judged_by: Callable[[D, str], int] = lambda _data, _figure: 0
    rater_names: Callable[[D], Mapping[str, str]] = lambda _: {}
    limits: Callable[[D], str] = lambda _: ""

    def list_headline_values(self, data: D) -> list[Told]:
        """Every group of each headline figure that has a value: first those with a published
        number, then those with the largest n.

        A published number that was measured by another protocol is left out.
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
                if name == one.figure and estimate.has_value and estimate.n and one.groups(group)
            ]
            printed = numbers_printed_in_papers.published_numbers_by_figure(
                self.study, [(one.figure, group) for group, _ in rows]
            )
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
                    {"view": VIEW, **one.view},
                    one.form,
                )
                for group, estimate in rows
            ]
            groups.sort(key=lambda told: (not told.printed, -told.estimate.n))
            found += groups
        return found

    def make_table_of_all_figures(self, data: D) -> pd.DataFrame:
        """Every figure with ``FIGURE_COLUMNS``: what ``export figures`` writes."""
        return figure_rows_as_table(
            (row for figure in self.figures for row in self.list_rows_of_figure(figure, data)),
            study=self.study,
        )

    def list_rows_of_figure(self, figure: Figure[D], data: D) -> list[FigureRow]:
        """The rows of one figure; those of people's judgments say for whom they speak."""
        return [
            (
                name,
                group,
                estimate
                if _is_count(estimate)
                else note_estimate_speaks_for_these_raters(estimate, self.judged_by(data, name)),
            )
            for name, group, estimate in figure.rows(data)
        ]

    def make_charts_of_figure(
        self, figure: Figure[D], data: D, name: str, by: Chosen = ""
    ) -> list[Chart]:
        """The charts of the figure's entry ``name``, grouped or chosen ``by``; the tables of
        people's judgments say for whom they speak. None if the figure declares no chart.
        """
        # By one word where the figure has ``groupings``, by all words where it has ``choices``.
        draw: Callable[[D, str, Any], Drawn] | None = figure.chart
        made = draw(data, name, by) if draw else []
        charts = [made] if isinstance(made, Chart) else made
        return [self._with_scope(chart, data) for chart in charts]

    def _with_scope(self, chart: Chart, data: D) -> Chart:
        table = chart.table
        if not {"figure", "value", "method"} <= set(table):
            return chart
        people = {name: self.judged_by(data, str(name)) for name in table["figure"].unique()}
        given = table.get("speaks_for", pd.Series("", index=table.index))
        counts = table["method"].astype(str).str.startswith("count")
        silent = (given == "") & table["value"].notna() & ~counts
        words = table["figure"].map(
            {name: words_for_these_raters_alone(n) if n else "" for name, n in people.items()}
        )
        if not (words[silent] != "").any():
            return chart
        return replace(chart, table=table.assign(speaks_for=given.mask(silent, words)))

    def export(
        self, store: Store, study: S, *, viewer: Rater | None, **narrowed: str
    ) -> pd.DataFrame:
        """``rows`` with the dataset and the narrowing in every row.

        Raises:
            InvalidInput: the dataset does not have what it is narrowed to.
        """
        data = self.look(store, study, viewer, narrowed)
        return add_dataset_and_filter_columns(
            self.make_table_of_all_figures(data), study.dataset, data.narrowed
        )


def _is_count(estimate: Estimate) -> bool:
    return estimate.method.startswith("count")


def require_known_filters(
    store: Store,
    dataset: str,
    narrowing: Callable[[Store, str], Mapping[str, Options]],
    narrowed: Options,
) -> None:
    """Refuse to narrow to what a dataset does not have; ``narrowing`` returns what it has.

    Raises:
        InvalidInput: names what the dataset has.
    """
    asked = {side: one for side, one in narrowed.items() if one}
    known = narrowing(store, dataset) if asked else {}
    for side, one in asked.items():
        if one not in known.get(side, {}):
            raise InvalidInput(
                f"The dataset {dataset!r} has no {side} {one!r}.",
                hint=f"It has: {', '.join(known.get(side, {})) or 'none'}.",
            )
