"""One page for every study's figures: navigation, charts, tables, published numbers, items.

The study lists its figures (``medlens.review.figure_definitions``); everything here follows from
the list. The section, figure, grouping, filters and mark are in the address, so that every view is
a link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import streamlit as st

from medlens.review import item_corrections
from medlens.review.chart_specifications import (
    Chart,
    Heat,
    Plane,
    Rows,
    Scatter,
    Stacks,
    add_rater_dots,
    bar_chart,
    group_name_in_words,
)
from medlens.review.chart_summary_sentences import describe_chart_extremes
from medlens.review.figure_definitions import Behind, Choice, Chosen, Figure, Figures, Options
from medlens.stats.estimate import figure_rows_as_table
from medlens.stats.scope_of_inference_over_raters import declare_panel_fixed_within
from medlens.studies.study_definition import Study
from medlens.ui import Here, list_filters_and_paging
from medlens.ui.chart_with_table_and_csv import (
    Theme,
    current_theme,
    draw_chart,
    draw_clickable_table,
    draw_csv_button,
    prepare_page_for_charts,
)
from medlens.ui.figures import published_numbers_alone_and_beside_figures
from medlens.ui.figures.bar_point_and_heat_charts import (
    bars_and_points_as_plotly,
    copy_of_series_with_colour_and_sign,
    heat_map_as_plotly,
)
from medlens.ui.figures.scatter_plot import scatter_as_plotly
from medlens.ui.figures.stacked_bars import stacked_bars_as_plotly
from medlens.ui.figures.xy_plot import xy_plot_as_plotly
from medlens.ui.list_filters_and_paging import Filters
from medlens.ui.page_address import set_values_in_address
from medlens.ui.page_frame import escape_markdown
from medlens.ui.section_navigation import Group, context_that_draws_section_navigation
from medlens.ui.study_navigation import TEAM_PAGE
from medlens.ui.styles import read_style_sheet

T = TypeVar("T")
Follow = Callable[[str], None]

PUBLISHED = "published"
_MOST = 500
_IN_SIGHT = 6
"""With more options the choice is a drop-down list."""
_STYLE = read_style_sheet("figures")


@dataclass(frozen=True)
class FiguresForLead:
    """One dataset's figures as one lead sees them; their data are kept per data version.

    ``fixed_panel``: its raters are declared to be all that matter. ``shows_raters``: the viewer may
    see what each of them has answered.
    """

    figures: Figures[Any, Any]
    key: tuple[Any, ...]
    data: Any
    theme: Theme
    narrowed: Mapping[str, str]
    fixed_panel: bool
    shows_raters: bool = False

    def compute_once_per_version(self, name: str, make: Callable[[], T]) -> T:
        """``make()``, computed once per version of the data; shared, never changed."""
        with declare_panel_fixed_within(fixed=self.fixed_panel):
            kept: T = _kept((*self.key, name), make)
        return kept


Below = Callable[[FiguresForLead, str], None]


@st.cache_resource(show_spinner="Calculating the figures…", max_entries=500)
def _kept(key: tuple[Any, ...], _make: Callable[[], Any]) -> Any:
    return _make()


# The data behind figures are large; versions and filters no longer viewed are dropped.
@st.cache_resource(show_spinner="Calculating the figures…", max_entries=24)
def _looked(key: tuple[Any, ...], _make: Callable[[], Any]) -> Any:
    return _make()


def figures_of_dataset_for_lead(here: Here, declared: Study, study: Any) -> FiguresForLead:
    """The figures of a dataset, as the address asks for them.

    Raises:
        NotAllowed: the viewer may not see them.
        InvalidInput: the address filters by something that the dataset does not have.
    """
    figures = declared.figures
    assert figures is not None
    figures.require(here.store, study.dataset, here.person)
    asked = st.query_params
    narrowed = {side: asked[side] for side in figures.sides if asked.get(side)}
    fixed = declared.panel_is_fixed(here.store, here.settings, study)
    key = (
        *(figures.study, str(here.store.path), study.dataset, str(sorted(narrowed.items()))),
        *(figures.version(study), here.store.data_version_of_tables(*figures.tables), fixed),
    )
    with declare_panel_fixed_within(fixed=fixed):
        data = _looked(key, lambda: figures.look(here.store, study, here.person, narrowed))
    shows_raters = here.person.role == "lead"
    return FiguresForLead(figures, key, data, current_theme(), narrowed, fixed, shows_raters)


def draw_figures(
    here: Here,
    declared: Study,
    study: Any,
    *,
    follow: Follow | None = None,
    more_filters: Callable[[Filters], None] | None = None,
    below: Below = lambda _looked, _name: None,
    listed: Callable[[FiguresForLead], None] | None = None,
) -> None:
    """The section that the address names, and the items behind the chosen mark.

    ``follow`` handles a mark in place of the list beside the chart; ``more_filters`` draws filters
    of this study beside those that every one has, ``below`` is drawn below the charts of the figure
    with that name; ``listed`` draws what is behind a mark if that is more than a table.

    Raises:
        NotAllowed: the viewer may not see them.
    """
    figures = declared.figures
    assert figures is not None
    figures.require(here.store, study.dataset, here.person)
    prepare_page_for_charts(st.query_params.get("mark", ""))
    st.html(_STYLE)
    with st.container(horizontal=True, vertical_alignment="bottom", key="figures.numbers"):
        draw_figure_filters(here, declared, study.dataset, more=more_filters)
        looked = figures_of_dataset_for_lead(here, declared, study)
        empty = looked.compute_once_per_version("empty", lambda: looked.figures.empty(looked.data))
        if not empty:
            numbers = looked.compute_once_per_version(
                "numbers", lambda: looked.figures.numbers(looked.data)
            )
            for name, value in numbers.items():
                st.metric(name, value, width="content")
    if empty:
        st.info(empty, icon=":material/inbox:")
        return
    said = looked.compute_once_per_version("said", lambda: looked.figures.said(looked.data))
    marked = st.query_params.get("mark", "")
    lists = looked.figures.behind is not None or listed is not None
    # Until a mark is pressed there may be nothing to list: the figures have the room.
    waits = (
        lists
        and not marked
        and (listed is not None or find_what_is_behind_mark(looked, "") is None)
    )
    st.caption(f"{said} Press a mark to see what it counts." if waits else said)
    if here.store.data_version_of_tables("item_version"):
        tasks = declared.tasks(study)
        earlier = item_corrections.summarise_judgments_on_earlier_versions(
            here.store, tasks, dataset=study.dataset
        )
        if earlier.earlier_versions_in_words:
            st.caption(earlier.earlier_versions_in_words)
    answers = declared.answered_earlier(here.store, study.dataset)
    if answers and answers.earlier_answers_in_words:
        st.caption(answers.earlier_answers_in_words)
    # Leave out sections for which these data have nothing.
    some = {
        one.section for one in looked.figures.figures if one.navigation_titles_by_name(looked.data)
    }
    sections = {name: title for name, (title, _) in looked.figures.sections.items() if name in some}
    if looked.figures.paper:
        sections[PUBLISHED] = "Published"
    section = _asked("section", sections)
    there = {} if section == PUBLISHED else _figures_in(looked, section)
    titles = {name: title for name, (_, title) in there.items()}
    parameter = "" if section == PUBLISHED else looked.figures.sections[section][1]
    name = _asked(parameter, titles) if titles else ""
    with _beside_sections(sections, section, titles, name, parameter):
        if section == PUBLISHED:
            study_name, paper = looked.figures.study, looked.figures.paper
            published_numbers_alone_and_beside_figures.draw_all_published_numbers(
                study_name, key="figures.published", paper=paper
            )
        elif looked.figures.behind is None and listed is None:
            with st.container(key="figures.body"):
                _figure_of(looked, there[name][0], name, follow or _mark, below)
                _link_to_agreement(here, there[name][0], study.dataset)
        else:
            left, right = st.columns([8, 5], gap="large")
            with left:
                _figure_of(looked, there[name][0], name, follow or _mark, below)
                _link_to_agreement(here, there[name][0], study.dataset)
            with right, st.container(key="figures.list"):
                if waits:
                    st.html('<i class="nothing-listed"></i>')
                else:
                    (listed or _list)(looked)


_SECTION, _FIGURE = "section:", "figure:"


@contextmanager
def _beside_sections(
    sections: Options, section: str, titles: Options, name: str, parameter: str
) -> Iterator[None]:
    """Draw the block beside a rail of the sections, with the figures of the open one below it;
    without a rail if there is nothing to choose.
    """
    if len(sections) < 2 and len(titles) < 2:
        yield
        return
    at = list(sections).index(section) + 1
    entries = [(_SECTION + key, title) for key, title in sections.items()]
    groups = [Group("", dict(entries[:at]))]
    if len(titles) > 1:
        inner = {_FIGURE + key: title for key, title in titles.items()}
        groups.append(Group("", inner, inner=True))
    if entries[at:]:
        groups.append(Group("", dict(entries[at:])))

    def choose(chosen: str) -> None:
        if chosen.startswith(_SECTION):
            value = chosen.removeprefix(_SECTION)
            set_values_in_address(
                section="" if value == next(iter(sections)) else value, mark="", page=""
            )
        else:
            value = chosen.removeprefix(_FIGURE)
            set_values_in_address(
                **{parameter: "" if value == next(iter(titles)) else value, "mark": "", "page": ""}
            )

    with context_that_draws_section_navigation(
        groups, (_SECTION + section, _FIGURE + name), choose, label="Section"
    ):
        yield


def _asked(name: str, options: Options) -> str:
    """What the address asks for under a name, or the first option."""
    asked = st.query_params.get(name, "")
    return asked if asked in options else next(iter(options))


def _figures_in(looked: FiguresForLead, section: str) -> dict[str, tuple[Figure[Any], str]]:
    """The figures of a section and their titles, by their names in the address."""
    return {
        name: (figure, title)
        for figure in looked.figures.figures
        if figure.section == section
        for name, title in figure.navigation_titles_by_name(looked.data).items()
    }


def _mark(mark: str) -> None:
    set_values_in_address(mark=mark)


# -- filters ---------------------------------------------------------------------------------------

SIDES = {
    "run": ("Run", "any"),
    "experiment": ("Experiment", "any"),
    "cases": ("Case set", "any"),
    "protocol": ("Protocol", "the most common"),
    "judge": ("By whose verdicts", "as judged"),
    "prompt": ("Prompt", ""),
}
"""Filters of figures: label, and the text if nothing is chosen ("" if something always is)."""


def draw_figure_filters(
    here: Here,
    declared: Study,
    dataset: str,
    *,
    more: Callable[[Filters], None] | None = None,
) -> None:
    """The button of the filters that figures have, with ``more`` of this study's in its sheet, and
    those that are set; nothing if there is nothing to choose.
    """
    sides = _sides_to_choose(here, declared, dataset)
    if not sides and more is None:
        return
    with list_filters_and_paging.context_that_draws_filter_popover(
        key="figures", closes=("mark", "page", "question"), lazily=more is not None
    ) as filters:
        _draw_sides(declared, sides, filters, key="figures")
        if more is not None:
            more(filters)


def draw_filter_choices_of_figures(
    here: Here, declared: Study, dataset: str, filters: Filters, *, key: str
) -> None:
    """A filter for each side that has a choice, or that the address names."""
    _draw_sides(declared, _sides_to_choose(here, declared, dataset), filters, key=key)


def _draw_sides(
    declared: Study, sides: Mapping[str, Mapping[str, str]], filters: Filters, *, key: str
) -> None:
    for side, values in sides.items():
        label, other = declared.sides.get(side, SIDES[side])
        # Without a word for none, something always is chosen: no filter that could be removed.
        within = filters if other else None
        list_filters_and_paging.draw_filter_choice(
            label, side, list(values), _name_of(values), key=key, other=other, within=within
        )


def _sides_to_choose(here: Here, declared: Study, dataset: str) -> dict[str, Mapping[str, str]]:
    """The values, by name in the address, of each side that can be chosen."""
    if not dataset:
        return {}
    # Every rerun asks for it, and it changes only with the data.
    tables = declared.figures.tables if declared.figures else ()
    version = here.store.data_version_of_tables(*tables)
    known: Mapping[str, Mapping[str, str]] = _kept(
        ("narrowing", declared.name, str(here.store.path), dataset, version),
        lambda: declared.narrowing(here.store, dataset),
    )
    sides = {}
    for side, usual in SIDES.items():
        values = known.get(side, {})
        _, other = declared.sides.get(side, usual)
        given = st.query_params.get(side)
        named = given is not None and (bool(other) or given not in values)
        if len(values) > 1 or (values and side == "experiment") or named:
            sides[side] = values
    return sides


def _name_of(values: Mapping[str, str]) -> Callable[[str], str]:
    return lambda one: values[one]


# -- charts ----------------------------------------------------------------------------------------


def draw_choice_kept_in_address_and_return_it(
    name: str, options: Options, label: str = "", *, width: int = 0, usual: str = ""
) -> str:
    """A choice kept in the address; ``usual``, or else the first option, is the default.

    With a ``width`` (in pixels) it is a drop-down list, for many options.
    """
    first = usual or next(iter(options))
    key = f"figures.{name}"
    asked = st.query_params.get(name, first)
    st.session_state[key] = asked if asked in options else first

    def chosen() -> None:
        value = str(st.session_state[key])
        set_values_in_address(**{name: "" if value == first else value, "mark": "", "page": ""})

    found: Any
    if width:
        found = st.selectbox(
            label,
            list(options),
            format_func=options.__getitem__,
            key=key,
            on_change=chosen,
            width=width,
        )
    else:
        found = st.segmented_control(
            name,
            list(options),
            format_func=lambda one: escape_markdown(options[one]),
            key=key,
            required=True,
            on_change=chosen,
            label_visibility="collapsed",
            wrap=True,
        )
    return str(found)


def _chosen(looked: FiguresForLead, choices: Sequence[Choice[Any]]) -> dict[str, str]:
    """The values chosen above a figure, by name."""
    chosen: dict[str, str] = {}
    for one in choices:
        options = one.options(looked.data, chosen)
        few = one.few and len(options) <= _IN_SIGHT
        if one.few and len(options) < 2:
            chosen[one.name] = next(iter(options), "")
        elif options:
            chosen[one.name] = draw_choice_kept_in_address_and_return_it(
                one.name, options, one.label, width=0 if few else one.width
            )
    return chosen


def _figure_of(
    looked: FiguresForLead, figure: Figure[Any], name: str, follow: Follow, below: Below
) -> None:
    """A figure with the choices above it."""
    by: Any = (
        draw_choice_kept_in_address_and_return_it("by", figure.groupings)
        if figure.groupings
        else ""
    )
    if figure.choices:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            by = _chosen(looked, figure.choices)
    draw_charts_with_published_numbers(looked, figure, name, by, follow=follow)
    below(looked, name)


def _link_to_agreement(here: Here, figure: Figure[Any], dataset: str) -> None:
    """For leads, below a figure of how far people agree: where else that is measured, and how."""
    if figure.agreement_on and here.person.role == "lead":
        st.page_link(
            TEAM_PAGE,
            label="Agreement on every answer, and beyond chance (alpha): Team › Agreement",
            icon=":material/arrow_forward:",
            query_params={
                "task": figure.agreement_on,
                "dataset": dataset,
                "section": "agreement",
            },
        )


def draw_charts_with_published_numbers(
    looked: FiguresForLead,
    figure: Figure[Any],
    name: str,
    by: Chosen = "",
    *,
    follow: Follow | None = None,
) -> None:
    """A figure's charts, each with the paper's numbers for it."""
    words = looked.compute_once_per_version("words", lambda: looked.figures.words(looked.data))
    charts = make_charts_in_viewers_theme(looked, figure, name, by)
    if charts and (finding := describe_chart_extremes(charts[0])):
        with st.container(key="figures.finding"):
            st.markdown(escape_markdown(finding))
    for chart in charts:
        draw_chart(chart, on_mark=follow, words=words)
        _printed(looked, chart)


def _printed(looked: FiguresForLead, chart: Chart) -> None:
    """The paper's numbers for a chart's figures."""
    own = looked.figures.study
    rows = figure_rows_as_table(chart.printed, study=own) if chart.printed else chart.table
    if "figure" in rows:
        protocol = looked.compute_once_per_version(
            "protocol", lambda: looked.figures.protocol(looked.data)
        )
        note = looked.compute_once_per_version("note", lambda: looked.figures.note(looked.data))
        published_numbers_alone_and_beside_figures.draw_published_beside_our_figures(
            own, rows, f"published.{chart.name}", protocol=protocol, note=note
        )


def make_charts_in_viewers_theme(
    looked: FiguresForLead, figure: Figure[Any], name: str, by: Chosen = ""
) -> Sequence[Chart]:
    """A figure's charts, in the viewer's theme."""

    def make() -> list[Chart]:
        made = looked.figures.make_charts_of_figure(figure, looked.data, name, by)
        if figure.chart is None:
            made = [_bars(looked, figure)]
        names = looked.figures.rater_names(looked.data) if looked.shows_raters else None
        return [copy_of_chart_with_plotly_figure(one, looked.theme, names=names) for one in made]

    of = f"{figure.section}.{name}.{by}"
    return looked.compute_once_per_version(f"chart.{of}.{looked.theme}.{looked.shows_raters}", make)


def _bars(looked: FiguresForLead, figure: Figure[Any]) -> Chart:
    """The default chart of a figure: a bar for each of its rows."""
    words = looked.figures.words(looked.data)
    entries = [
        (group_name_in_words(group, words) or figure.title, name, group, one, "")
        for name, group, one in looked.figures.list_rows_of_figure(figure, looked.data)
    ]
    return bar_chart(
        *(looked.figures.study, figure.name, entries, figure.axis),
        title=figure.title,
        n=f"Share of {figure.of}, with 95% intervals.",
    )


def copy_of_chart_with_plotly_figure(
    chart: Chart, shade: Theme, *, names: Mapping[str, str] | None = None
) -> Chart:
    """A chart with its figure; with the ``names`` of raters, as ``add_rater_dots``."""
    chart = add_rater_dots(chart, names)
    series = tuple(copy_of_series_with_colour_and_sign(one, shade) for one in chart.series)
    return replace(chart, figure=_figure(chart.drawing, shade), series=series)


def _figure(drawing: Any, shade: Theme) -> Any:
    if isinstance(drawing, Rows):
        return bars_and_points_as_plotly(
            *(drawing.rows, drawing.series, drawing.axis),
            theme=shade,
            dense=drawing.dense,
            close=drawing.close,
        )
    if isinstance(drawing, Heat):
        return heat_map_as_plotly(drawing.rows, drawing.heads, theme=shade, dense=drawing.dense)
    if isinstance(drawing, Stacks):
        return stacked_bars_as_plotly(drawing, theme=shade)
    if isinstance(drawing, Scatter):
        return scatter_as_plotly(drawing.points, drawing.x_title, drawing.y_title, theme=shade)
    return xy_plot_as_plotly(drawing, theme=shade) if isinstance(drawing, Plane) else None


# -- behind a mark ---------------------------------------------------------------------------------


def find_what_is_behind_mark(looked: FiguresForLead, mark: str) -> Behind | None:
    """What is behind a mark; None if nothing is (any more)."""
    make = looked.figures.behind
    return (
        looked.compute_once_per_version(f"behind.{mark}", lambda: make(looked.data, mark))
        if make
        else None
    )


def _list(looked: FiguresForLead) -> None:
    """The items behind the mark in the address, each row a link to its item."""
    mark = st.query_params.get("mark", "")
    found = find_what_is_behind_mark(looked, mark)
    if found is None:
        st.caption("This link leads to something that no longer exists.")
        return
    n = len(found.table)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"### {escape_markdown(found.title)}")
        draw_csv_button(found.table, found.things[1])
    if mark:
        st.button(
            "Close",
            key="figures.close",
            type="tertiary",
            icon=":material/close:",
            on_click=_mark,
            args=("",),
        )
    if not n:
        st.caption(f"No {found.things[0]}.")
        return
    more = f"; the first {_MOST:,} are shown, the CSV has all" if n > _MOST else ""
    st.caption(f"{n:,} {found.things[n != 1]}{more}. Press one to read it.")
    shown = found.table.head(_MOST)
    draw_clickable_table(
        shown,
        "figures.behind",
        marks=tuple(str(at) for at in range(len(shown))),
        on_mark=lambda at: set_values_in_address(**found.leads[int(at)]) if at else None,
        alt="Items behind the chosen mark",
        height=min(38 + 35 * len(shown), 560),
    )
