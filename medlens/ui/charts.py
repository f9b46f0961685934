"""The one chart template: title, n, the chart with its intervals, the table behind it, a CSV.

``draw_chart`` draws a ``Chart``; ``medlens.ui.chart_figures`` makes the figures. A figure is shared
by all sessions and never changed.
"""

from __future__ import annotations

import html
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd
import streamlit as st

from medlens.stats.estimate import SMALLEST_P, Estimate
from medlens.tables import write_table
from medlens.ui.export_button import export_button
from medlens.ui.frame import escape

Theme = Literal["light", "dark"]
Kind = Literal["bar", "hatched", "point", "diamond", "square"]

FEW = 10
"""Below this n a number is greyed: it says little."""

STYLE = """
<style>
  .js-plotly-plot .cursor-move { cursor: default; }
  /* The tables' own download would write cells that a spreadsheet runs; ours does not. */
  [data-testid="stElementToolbar"] { display: none; }
  /* Its corner to resize sticks out, and a phone would scroll sideways for it. */
  .stDataFrame { overflow: clip; }
  @media (hover: none) and (pointer: coarse) {
    /* Plotly would hold on to every swipe, and a phone could not scroll past a chart. */
    .js-plotly-plot .draglayer * { pointer-events: none !important; }
    [class*="st-key-behind-"]::after {
      content: "Tap a row of the table to list what it counts.";
      flex-basis: 100%; order: -1; font-size: 0.875rem; opacity: 0.7;
    }
  }
</style>
"""
"""For every page with charts, once: ``st.html(STYLE)``."""

_CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False, "showTips": False}


@dataclass(frozen=True)
class Series:
    """One kind of mark, the same in every row, named in the legend.

    With ``over`` it is drawn on the line of that series (its place), as a sign without interval
    and without its number written out: for what is to be compared with it. A ``colour`` of its own
    stands in place of the row's; ``symbol`` is a point's in plotly's words, ``sign`` the same as a
    character for the legend. ``quoted`` ones are others' numbers: hovering tells their ``method``.
    """

    name: str
    kind: Kind = "bar"
    over: int | None = None
    quoted: bool = False
    colour: str = ""
    symbol: str = ""
    sign: str = ""


@dataclass(frozen=True)
class Chart:
    """One chart and the table behind it.

    ``name`` makes the widget keys and the file's name. ``n`` says in words what was counted.
    ``marks`` has one id per row of the table; it is what ``draw_chart`` gives to ``on_mark``, and
    the figure's points carry the same ids as ``customdata``. ``""`` leads nowhere. ``undefined``
    holds sentences on what could not be drawn, and why. ``series`` is the legend.
    """

    name: str
    title: str
    n: str
    alt: str
    table: pd.DataFrame
    figure: Any = None
    note: str = ""
    marks: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    series: tuple[Series, ...] = ()
    columns: Mapping[str, Any] = field(default_factory=dict)


def theme() -> Theme:
    """The theme the viewer sees; light until the browser has said."""
    return "dark" if st.context.theme.type == "dark" else "light"


def plain(text: str) -> str:
    """Foreign text for a figure, shown as it is: no tags, no entities, no line breaks."""
    return html.escape(" ".join(text.split()), quote=False)


def number(value: float | None, form: str = "number") -> str:
    """A value as people read it, with a real minus sign."""
    if value is None:
        return ""
    if form == "percent":
        text = f"{round(100 * value)}%"
    elif form == "count":
        text = f"{value:,.0f}"
    elif form == "odds":
        # Drawn as logarithms, so that 1/2 and 2 are as far from 1.
        text = f"{math.exp(value):.2f}"
    elif form == "minutes":
        text = f"{value / 60:.1f} min"
    else:
        # Adding nothing makes a rounded -0.0 unsigned.
        text = f"{round(value, 2) + 0.0:.2f}"
    return text.replace("-", "−")


def p_text(p: float | None) -> str:
    """A p value in the digits that say something; never 0."""
    if p is None:
        return ""
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}" if p > SMALLEST_P else "< 1e-300"


def counted(one: Estimate) -> str:
    """What a share was divided from: a count, or scores added up to two places."""
    total = one.total or 0
    return f"{total:,}" if isinstance(total, int) else f"{total:,.2f}"


def spoken(one: Estimate, form: str = "number") -> str:
    """An estimate as a sentence part: value, counts, interval and n, or why there is none."""
    if not one.defined:
        return f"undefined, because {one.reason}"
    of = "" if one.denominator is None else f" ({counted(one)} of {one.denominator:,})"
    if one.low is None or one.high is None:
        why = one.method.partition("no interval")[2].partition(";")[0]
        return f"{number(one.value, form)}{of}, no interval{why}; n = {one.n:,}"
    name = "quartiles" if one.method.startswith("median") else "95% interval"
    bounds = f"{number(one.low, form)} to {number(one.high, form)}"
    return f"{number(one.value, form)}{of}, {name} {bounds}; n = {one.n:,}"


def draw_chart(chart: Chart, *, on_mark: Callable[[str], None] | None = None) -> None:
    """Draw it; ``on_mark`` is a callback with the id of what was clicked, ``""`` for nothing."""
    st.markdown(f"##### {escape(chart.title)}", help=escape(chart.note) or None)
    st.caption(escape(chart.n))
    if len(chart.series) > 1:
        st.html(_legend(chart.series))
    if chart.figure is not None:
        _figure(chart, on_mark)
    if chart.undefined:
        st.text("\n".join(chart.undefined), width="stretch")
    with st.container(horizontal=True, vertical_alignment="top", key=f"behind.{chart.name}"):
        table = st.expander("Table", key=f"table.{chart.name}", on_change="rerun", type="compact")
        csv_button(chart.table, chart.name)
    if table.open:
        draw_table(
            chart.table,
            f"rows.{chart.name}",
            marks=chart.marks,
            on_mark=on_mark,
            columns=chart.columns,
            alt=f"The numbers of the chart: {chart.title}",
        )


_SIGNS = {"point": "●", "diamond": "◇", "square": "□"}


def _legend(series: Sequence[Series]) -> str:
    """The legend as HTML, which wraps where plotly's would run over the chart."""
    hatch = "repeating-linear-gradient(135deg,currentColor 0 1.5px,transparent 1.5px 4px)"
    entries = []
    # What is drawn on several lines alike is named once.
    for one in {(each.name, each.kind, each.sign): each for each in series}.values():
        fill = hatch if one.kind == "hatched" else "color-mix(in srgb,currentColor 45%,transparent)"
        box = f"width:.8em;height:.8em;border:1px solid;background:{fill}"
        shape = "line-height:.8em" if one.kind in _SIGNS else box
        if one.colour:
            shape += f";color:{html.escape(one.colour)}"
        drawn = html.escape(one.sign or _SIGNS.get(one.kind, ""))
        sign = f'<span aria-hidden="true" style="{shape}">{drawn}</span>'
        entries.append(
            f'<span style="display:inline-flex;align-items:center;gap:.4em">{sign}'
            f"{html.escape(one.name)}</span>"
        )
    style = "display:flex;flex-wrap:wrap;gap:.2em 1.4em;font-size:.8125rem;opacity:.8"
    return f'<div style="{style}">{"".join(entries)}</div>'


def _figure(chart: Chart, on_mark: Callable[[str], None] | None) -> None:
    key = f"chart.{chart.name}"
    if on_mark is None:
        st.plotly_chart(chart.figure, key=key, config=_CONFIG, alt=chart.alt)
        return

    def clicked() -> None:
        points = st.session_state[key]["selection"]["points"]
        on_mark(_mark_of(points[0]) if points else "")

    st.plotly_chart(
        chart.figure,
        key=key,
        config=_CONFIG,
        alt=chart.alt,
        on_select=clicked,
        selection_mode="points",
    )


def _mark_of(point: Mapping[str, Any]) -> str:
    carried = point.get("customdata") or ""
    return str(carried[0] if isinstance(carried, list | tuple) else carried)


def draw_table(
    table: pd.DataFrame,
    key: str,
    *,
    alt: str,
    marks: tuple[str, ...] = (),
    on_mark: Callable[[str], None] | None = None,
    columns: Mapping[str, Any] | None = None,
    height: int | Literal["auto"] = "auto",
    row_height: int | None = None,
) -> None:
    """A table whose cells lead, like the marks of a chart, to what is behind their row."""
    if on_mark is None or not marks:
        st.dataframe(
            table,
            hide_index=True,
            column_config=columns,
            height=height,
            row_height=row_height,
            alt=alt,
        )
        return

    def chosen() -> None:
        cells = st.session_state[key]["selection"]["cells"]
        # A cell is (row, column); a table that shrank meanwhile has no such row.
        row = cells[0][0] if cells else len(marks)
        on_mark(marks[row] if row < len(marks) else "")

    st.dataframe(
        table,
        hide_index=True,
        column_config=columns,
        height=height,
        row_height=row_height,
        alt=alt,
        key=key,
        on_select=chosen,
        selection_mode="single-cell",
    )


def csv_button(table: pd.DataFrame | Callable[[], pd.DataFrame], name: str) -> None:
    """A button that downloads the table as CSV; one that is made at the press may be a function."""

    def content() -> tuple[bytes, int]:
        made = table() if callable(table) else table
        return csv_of(made), len(made)

    export_button(
        "CSV",
        content,
        about=f"{name}.csv",
        key=f"csv.{name}",
        file_name=f"{name}.csv",
        mime="text/csv",
        type="tertiary",
    )


def csv_of(table: pd.DataFrame) -> bytes:
    """The table as CSV; cells that a spreadsheet would run are neutralised."""
    out = io.BytesIO()
    write_table(table, out)
    return out.getvalue()
