"""Charts in words and estimates: their rows, what each leads to, and the published numbers.

The page (``medlens.ui``) decides how a chart looks; nothing here draws.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import quote, unquote

from medlens.deferred_module import pd
from medlens.review import numbers_printed_in_papers
from medlens.review.numbers_printed_in_papers import PublishedNumber
from medlens.stats.estimate import (
    FEW,
    Estimate,
    FigureRow,
    OfRater,
    drop_empty_speaks_for_column,
    figure_rows_as_table,
    format_number,
)
from medlens.stats.scope_of_inference_over_raters import whom_figures_speak_for_in_words


def make_mark_id(*parts: str) -> str:
    """The name of a chart's mark in the address."""
    return "|".join(quote(part, safe=" :,") for part in parts)


_SPELT = {one.lower(): one for one in ("AC1", "AC2", "F1", "URL", "HTTP", "IDK", "McNemar", "Holm")}


def figure_name_in_words(name: str) -> str:
    """The name of a figure, as exported, in words."""
    if not re.fullmatch("[a-z0-9_ +:]+", name):
        return name
    return " ".join(_SPELT.get(one, one) for one in re.split("[_ ]", name))


def group_name_in_words(group: str, words: Mapping[str, str] = MappingProxyType({})) -> str:
    """The name of a group, as exported, in words; ``words`` are what its ids are called. Names of
    models and people stay as they are.
    """
    if group.endswith(", "):
        group += "(none)"
    parts = re.split("(, | \\+ | vs |: )", group)
    return "".join(words.get(part) or _plain(part) for part in parts)


def _plain(part: str) -> str:
    if not re.fullmatch("[a-z]+(?:[_:][a-z]+)+", part):
        return part
    return part.replace("_", " ").replace(":", ": ")


def split_mark_id(mark: str) -> list[str]:
    """The parts of a mark's name."""
    return [unquote(part) for part in mark.split("|")]


Kind = Literal["bar", "hatched", "point", "diamond", "square"]


@dataclass(frozen=True)
class Series:
    """One kind of mark, the same in every row, named in the legend.

    With ``over`` it is drawn on the line of that series (its index), as a sign without an interval
    and without its number: for comparison with it. A ``colour`` replaces the row's; ``symbol`` is
    plotly's name for the point, ``sign`` the same as a character for the legend. ``quoted`` ones
    are others' numbers: the hover text shows their ``method``. ``place`` picks one of the page's
    signs and colours; each differs from the others in both.
    """

    name: str
    kind: Kind = "bar"
    over: int | None = None
    quoted: bool = False
    colour: str = ""
    symbol: str = ""
    sign: str = ""
    place: int | None = None


@dataclass(frozen=True)
class Row:
    """A name and an estimate per series, each with the id of what is behind it.

    Without a ``colour`` it has the theme's accent. ``aside`` is shown at the right end of the
    name's line. A ``baseline`` is no rater: nothing is the highest or lowest beside it. ``figure``
    is the name of the figure that the first estimate is, if it is known.
    """

    name: str
    colour: str
    estimates: tuple[Estimate, ...]
    marks: tuple[str, ...]
    aside: str = ""
    baseline: bool = False
    figure: str = ""


@dataclass(frozen=True)
class Cell:
    """One cell of a heat map: its share of the deepest colour (0..1), text, hover text (lines
    separated by line breaks), mark.
    """

    depth: float
    text: str
    hover: str
    mark: str


@dataclass(frozen=True)
class HeatRow:
    """A name and its cells; ``faint`` if they rest on too few."""

    name: str
    colour: str
    cells: tuple[Cell, ...]
    aside: str = ""
    faint: bool = False


@dataclass(frozen=True)
class Axis:
    """What the x axis shows; ``low`` and ``high`` bound it if the data do not reach further."""

    title: str
    form: Literal["percent", "number", "minutes", "count", "odds"] = "number"
    low: float = 0.0
    high: float = 0.0
    zero: bool = False


@dataclass(frozen=True)
class Rows:
    """Lines of bars or points with intervals. ``dense``: names to the left of single lines, for
    many rows; ``close``: many series on low lines.
    """

    rows: Sequence[Row]
    series: Sequence[Series]
    axis: Axis
    dense: bool = False
    close: bool = False


@dataclass(frozen=True)
class Heat:
    """A heat map with a head per column. ``dense``: rows are low and named at their left, cells
    without words, for so many that a word fits in none.
    """

    rows: Sequence[HeatRow]
    heads: Sequence[str]
    dense: bool = False


@dataclass(frozen=True)
class Stack:
    """A named bar: the share and the mark of each of its parts."""

    name: str
    shares: Mapping[str, Estimate]
    marks: Mapping[str, str]


@dataclass(frozen=True)
class Stacks:
    """Stacked bars; ``parts`` in their order, each with its colour and pattern."""

    rows: Sequence[Stack]
    parts: Mapping[str, tuple[str, str]]
    title: str


@dataclass(frozen=True)
class Point:
    """A named pair of shares and the mark of what is behind it."""

    name: str
    x: Estimate
    y: Estimate
    mark: str


@dataclass(frozen=True)
class Scatter:
    """A scatter of two shares per point, each with its interval, on equal axes."""

    points: Sequence[Point]
    x_title: str
    y_title: str


@dataclass(frozen=True)
class Place:
    """One point of a plane: its name, its position, and the id of what is behind it."""

    name: str
    across: Estimate
    up: Estimate
    mark: str = ""


@dataclass(frozen=True)
class Path:
    """Points of one series; ``joined`` ones are a curve, in the order given."""

    series: Series
    places: tuple[Place, ...]
    joined: bool = False


@dataclass(frozen=True)
class Plane:
    """Points and curves of two shares; ``whole`` axes go from 0 to 1."""

    paths: Sequence[Path]
    across: str
    up: str
    whole: bool = False


@dataclass(frozen=True)
class Chart:
    """One chart and the table behind it.

    ``name`` makes the widget keys and the file's name. ``n`` says in words what was counted.
    ``marks`` has one id per row of the table, shared with the chart's points; ``""`` leads nowhere.
    ``undefined`` holds sentences on what could not be drawn, and why. ``series`` is the legend.
    ``drawing`` says what to draw, ``figure`` is the plotly figure made of it. Without ``foldable``
    the table is always open, because there is nothing else to see. ``columns`` says how to format a
    column: "percent", "large", or a printf format; ``cells`` what a click in a column adds to its
    row's mark. ``printed`` are the rows that have the paper's numbers beside them, if not the
    table's. ``file`` is the content of its CSV, if not the table. ``raters`` are the small dots,
    each rater's own figure, as a table (``add_rater_dots``).
    """

    name: str
    title: str
    n: str
    alt: str
    table: pd.DataFrame
    drawing: Rows | Heat | Stacks | Scatter | Plane | None = None
    figure: Any = None
    note: str = ""
    marks: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    series: tuple[Series, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    cells: Mapping[str, str] = field(default_factory=dict)
    printed: tuple[FigureRow, ...] = ()
    foldable: bool = True
    file: pd.DataFrame | None = None
    raters: pd.DataFrame | None = None

    @property
    def n_and_interval_caption(self) -> str:
        """``n``, with the truth about intervals: which of what is drawn have none, and why; and for
        whom the figures of people's judgments speak; and what small dots are.
        """
        shown = [one for one in _drawn(self.drawing) if one.has_value]
        scopes = [one.speaks_for for one in shown]
        if not any(scopes) and "speaks_for" in self.table:
            scopes = self.table["speaks_for"].tolist()
        dots = "" if self.raters is None else EACH_RATER
        return " ".join(
            filter(None, [self._intervals(shown), whom_figures_speak_for_in_words(scopes), dots])
        )

    def _intervals(self, shown: Sequence[Estimate]) -> str:
        without = [one for one in shown if one.low is None]
        if not without or not _INTERVALS.search(self.n):
            return self.n
        why = {
            one.method.partition("no interval")[2].partition(";")[0].lstrip(":") for one in without
        }
        because = " or ".join(
            sorted(one.strip().removeprefix("from ") for one in why if one.strip())
        )
        because = f": {because}" if because else ""
        if len(without) < len(shown):
            return f"{self.n} {len(without):,} of {len(shown):,} have no interval{because}."
        return f"{_INTERVALS.sub('', self.n).rstrip()} There is no interval{because}."


EACH_RATER = "Each small dot is one rater."


# The words of a caption that say so, with their sentence if there is nothing else in it.
_INTERVALS = re.compile(
    r"(?<=[.!?]) ([A-Z][a-z]+ )?(are )?([A-Z][a-z]+'s )?95% intervals( allow for[^.]*)?\."
    r"|[,;]? (with |bars are )?([A-Z][a-z]+'s )?95% intervals( over items| on both axes)?"
)


def _drawn(drawing: object) -> list[Estimate]:
    """The estimates that are drawn with their intervals."""
    if isinstance(drawing, Rows):
        own = [at for at, one in enumerate(drawing.series) if one.over is None and not one.quoted]
        return [row.estimates[at] for row in drawing.rows for at in own]
    if isinstance(drawing, Scatter):
        return [one for point in drawing.points for one in (point.x, point.y)]
    if isinstance(drawing, Plane):
        places = [place for path in drawing.paths for place in path.places]
        return [one for place in places for one in (place.across, place.up)]
    return []


# -- single raters ---------------------------------------------------------------------------------

UNNAMED = "a rater"
_MOST_IN_ALT = 8


def add_rater_dots(chart: Chart, names: Mapping[str, str] | None) -> Chart:
    """The chart with a small dot for each rater below the figures that have them
    (``Estimate.of_raters``), as a table and in words too.

    ``names`` are by id; raters without one stay unnamed. None: whoever looks may not see what
    others have answered, so there are no dots.
    """
    drawing = chart.drawing
    if not isinstance(drawing, Rows):
        return chart

    def named(of_raters: tuple[OfRater, ...]) -> tuple[OfRater, ...]:
        known = names or {}
        return tuple(replace(one, rater=known.get(one.rater, UNNAMED)) for one in of_raters)

    own = [at for at, one in enumerate(drawing.series) if one.over is None and not one.quoted]
    rows = [
        replace(
            row,
            estimates=tuple(
                replace(
                    one, of_raters=() if names is None or at not in own else named(one.of_raters)
                )
                for at, one in enumerate(row.estimates)
            ),
        )
        for row in drawing.rows
    ]
    chart = replace(chart, drawing=replace(drawing, rows=rows))
    shown = [
        (_labelled(row.name, drawing.series[at].name if len(own) > 1 else ""), row.estimates[at])
        for row in rows
        for at in own
        if row.estimates[at].of_raters
    ]
    if not shown:
        return chart
    table = pd.DataFrame(
        [
            (label, one.rater, one.value, one.n)
            for label, estimate in shown
            for one in sorted(estimate.of_raters, key=lambda one: one.rater)
        ],
        columns=["of", "rater", "value", "n"],
    )
    return replace(chart, raters=table, alt=f"{chart.alt} {_in_alt(shown, drawing.axis)}")


def _labelled(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _in_alt(shown: Sequence[tuple[str, Estimate]], axis: Axis) -> str:
    """Small dots in words: how many raters there are beside each figure, and how far apart."""
    told = []
    for label, estimate in shown[:_MOST_IN_ALT]:
        values = [one.value for one in estimate.of_raters]
        low, high = (format_number(end, axis.form) for end in (min(values), max(values)))
        told.append(f"{label}: {len(values):,} raters, {low} to {high}")
    more = len(shown) - len(told)
    rest = f"; {more:,} more in the table" if more else ""
    return f"Small dots are single raters. {'; '.join(told)}{rest}."


# -- bars ------------------------------------------------------------------------------------------

Entry = tuple[str, str, str, Estimate, str]
"""A line of a chart: its name, the figure, the group, the estimate, the mark."""

GREY_NOTE = f"Grey: n below {FEW}."


def chart_entries_as_table(study: str, entries: Sequence[Entry]) -> pd.DataFrame:
    """The rows as exported, beside the published numbers of the same name."""
    table = figure_rows_as_table(
        ((figure, group, one) for _, figure, group, one, _ in entries), study=study
    )
    return add_published_number_columns(
        study, drop_empty_speaks_for_column(table.drop(columns=["study"]))
    )


def bar_chart(
    study: str,
    name: str,
    entries: Sequence[Entry],
    axis: Axis,
    *,
    title: str,
    n: str,
    note: str = "",
    legend: str = "",
    beside: tuple[Series, Sequence[Entry]] | None = None,
    more: Sequence[Entry] = (),
    printed_beside: bool = False,
) -> Chart:
    """A chart of lines, each with its published numbers, if any, as signs on it.

    ``beside`` is a second series with an entry for each of ``entries``. ``more`` appears only in
    the table; an entry there with the name of one of ``entries`` is the same under another figure's
    name, and its published numbers are drawn too. With ``printed_beside`` the published numbers
    belong to the second series. ``legend`` names the first one, if not the title.
    """
    second, also = beside or (None, ())
    named = also if printed_beside else entries
    keys = [
        [(figure, group), *((other, called) for name_, other, called, _, _ in more if name_ == own)]
        for own, figure, group, _, _ in named
    ]
    kind: Kind = "bar" if axis.form == "percent" and not axis.zero else "point"
    series = [Series(legend or title, kind)]
    columns = [[one for *_, one, _ in entries]]
    if second and also:
        series.append(second)
        columns.append([one for *_, one, _ in also])
    for sign, found in list_published_series_with_estimates(
        study, keys, over=1 if printed_beside else 0
    ):
        series.append(sign)
        columns.append(found)
    # A second series on its own lines is drawn even if the first is undefined.
    lines = 2 if second and also and second.over is None else 1
    rows = [
        Row(group_name_in_words(label), "", estimates, (mark,) * len(series), figure=figure)
        for (label, figure, _, _, mark), estimates in zip(
            entries, zip(*columns, strict=True), strict=True
        )
        if any(one.has_value for one in estimates[:lines])
    ]
    every = [*entries, *also, *more]
    return Chart(
        name=name,
        title=title,
        n=n,
        note=note,
        undefined=list_reasons_for_undefined_estimates(entries),
        alt=f"{title}: one row per group with its 95% interval.",
        series=tuple(series),
        drawing=Rows(rows, series, axis) if rows else None,
        table=chart_entries_as_table(study, every),
        marks=tuple(mark for *_, mark in every),
    )


def make_chart_that_says_why_empty(name: str, title: str, said: str) -> Chart:
    """Shown in place of a chart: why there is none."""
    return Chart(name=name, title=title, n=said, alt="", table=pd.DataFrame(), foldable=False)


def list_reasons_for_undefined_estimates(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Sentences on what could not be computed, and why: one for all that have the same reason, if
    these are many.
    """
    lacking: dict[str, list[str]] = {}
    for label, _, _, one, _ in entries:
        if not one.has_value:
            lacking.setdefault(one.reason, []).append(group_name_in_words(label))
    sentences: list[str] = []
    for reason, names in lacking.items():
        if len(names) <= _NAMED_BY_REASON:
            sentences += [f"{name}: undefined, because {reason}." for name in names]
        else:
            of = "All" if len(names) == len(entries) else f"{len(names):,} of the"
            sentences.append(f"{of} {len(entries):,} figures are undefined, because {reason}.")
    return tuple(sentences)


_NAMED_BY_REASON = 3
"""So many figures that are undefined for one reason have a sentence each."""


# -- what is printed beside ------------------------------------------------------------------------

PRINTED = "Published"
_NOT_PRINTED = Estimate.undefined_estimate("the paper does not print it")


def add_published_number_columns(study: str, table: pd.DataFrame) -> pd.DataFrame:
    """Rows as exported, with what the paper prints for the same figure and group.

    Adds the columns ``published``, ``published in`` and ``known inconsistency`` if there is
    anything to show; several numbers of one row are separated by semicolons, each with its place.
    """
    keys = list(zip(table["figure"], table["group"], strict=True))
    known = numbers_printed_in_papers.published_numbers_by_figure(study, keys)
    if not known:
        return table
    found = [known.get(key, []) for key in keys]
    table = table.copy()
    at = table.columns.get_loc("group")
    assert isinstance(at, int)
    table.insert(
        at + 1,
        "published",
        ["; ".join(one.number_with_unit for one in several) for several in found],
    )
    table["published in"] = ["; ".join(one.printed_in for one in several) for several in found]
    table["known inconsistency"] = [
        "; ".join(
            f"{one.number_with_unit}: {one.known_inconsistency}"
            for one in several
            if one.known_inconsistency
        )
        for several in found
    ]
    return table


def list_published_series_with_estimates(
    study: str, rows: Sequence[Sequence[tuple[str, str]]], *, over: int = 0
) -> list[tuple[Series, list[Estimate]]]:
    """What a chart draws on its bars: series, each with an estimate (or an undefined one) per
    row.

    Each row has the (figure, group) names it goes by. If several numbers are printed for one row,
    there are several series. ``method`` says where a number is printed and what is wrong with it.
    """
    known = numbers_printed_in_papers.published_numbers_by_figure(
        study, [key for keys in rows for key in keys]
    )
    # A number printed twice is drawn once.
    there = [
        list(
            {
                one.ours: one
                for key in reversed(dict.fromkeys(keys))
                for one in reversed(known.get(key, []))
                if one.ours is not None
            }.values()
        )[::-1]
        for keys in rows
    ]
    most = max(map(len, there), default=0)
    return [
        (
            Series(PRINTED, "diamond", over, quoted=True),
            [_as_estimate(one[place]) if place < len(one) else _NOT_PRINTED for one in there],
        )
        for place in range(most)
    ]


def _as_estimate(one: PublishedNumber) -> Estimate:
    return Estimate(one.ours, None, None, 0, one.number_with_source_and_fault)
