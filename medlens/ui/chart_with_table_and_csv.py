"""The one chart template: title, n, the chart with its intervals, the table behind it, a CSV.

``draw_chart`` draws a ``Chart``; ``medlens.ui.figures.bar_point_and_heat_charts`` makes the
figures. All sessions share a figure, and nothing changes it.
"""

from __future__ import annotations

import html
import io
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

import pandas as pd
import streamlit as st

from medlens.review.chart_specifications import (
    Chart,
    Heat,
    Series,
    figure_name_in_words,
    group_name_in_words,
)
from medlens.review.figure_titles import find_figure_title
from medlens.tables import write_table
from medlens.ui.browser_component import Component
from medlens.ui.export_button import draw_export_button
from medlens.ui.page_frame import escape_markdown, isolate_direction
from medlens.ui.styles import read_style_sheet

Theme = Literal["light", "dark"]

STYLE = read_style_sheet("charts")
"""For every page with charts or tables, once: ``st.html(STYLE)``."""
_tap = Component("chart_tap", js="chart_tap/chart_tap.js", css="")

_CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False, "showTips": False}


def prepare_page_for_charts(mark: str = "") -> None:
    """Style the charts of a page, and make a tap on a mark act like a click, while a phone can be
    scrolled past a chart; call it once on every page with charts.

    It scrolls the list behind ``mark`` into view if that is below its chart.
    """
    st.html(STYLE)
    _tap(key="chart.tap", data={"mark": mark})


def current_theme() -> Theme:
    """The theme the viewer sees; light until the browser has reported it."""
    return "dark" if st.context.theme.type == "dark" else "light"


def escape_text_for_figure(text: str) -> str:
    """Foreign text for a figure, shown literally: no tags, no entities, no line breaks; from the
    right where its first letter is Arabic or Hebrew.
    """
    return isolate_direction(html.escape(" ".join(text.split()), quote=False))


def draw_chart(
    chart: Chart,
    *,
    on_mark: Callable[[str], None] | None = None,
    words: Mapping[str, str] = MappingProxyType({}),
    level: int = 3,
) -> None:
    """Draw a chart; ``on_mark`` is a callback with the id of the mark clicked, ``""`` for none.
    Its table shows the names of groups in ``words`` (``in_words``), its file as exported. Its title
    is a heading of that ``level``.
    """
    title = f"{'#' * level} {escape_markdown(chart.title)}"
    st.markdown(title, help=escape_markdown(chart.note) or None)
    if chart.n:
        st.caption(escape_markdown(chart.n_and_interval_caption))
    if len(chart.series) > 1:
        st.html(_legend(chart.series))
    if chart.figure is not None:
        _figure(chart, on_mark)
    if chart.undefined:
        st.text("\n".join(chart.undefined), width="stretch")
    if not chart.foldable:
        if len(chart.table):
            _table(chart, on_mark, words)
            draw_csv_button(chart.table if chart.file is None else chart.file, chart.name)
        return
    with st.container(horizontal=True, vertical_alignment="top", key=f"behind.{chart.name}"):
        table = st.expander("Table", key=f"table.{chart.name}", on_change="rerun", type="compact")
        draw_csv_button(chart.table, chart.name)
    if table.open:
        _table(chart, on_mark, words)
        _draw_raters(chart)


def _draw_raters(chart: Chart) -> None:
    """The small dots as a table."""
    if chart.raters is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Each rater alone", width="content")
        draw_csv_button(chart.raters, f"{chart.name}_by_rater")
    draw_clickable_table(
        *(chart.raters, f"raters.{chart.name}"),
        alt=f"The figure of each rater alone: {chart.title}",
        columns={"value": st.column_config.NumberColumn(format="%.2f")},
    )


def _titles(table: pd.DataFrame) -> list[str]:
    """What the figures of a table are called, by the study that its rows name, if they do."""
    studies = table["study"] if "study" in table else [""] * len(table)
    return [
        find_figure_title(str(study), str(figure)) or figure_name_in_words(str(figure))
        for study, figure in zip(studies, table["figure"], strict=True)
    ]


def _table(chart: Chart, on_mark: Callable[[str], None] | None, words: Mapping[str, str]) -> None:
    said = f"The numbers of the chart: {chart.title}" if chart.foldable else chart.alt
    shown = chart.table
    if "group" in shown:
        shown = shown.assign(
            figure=_titles(shown),
            group=[group_name_in_words(one, words) for one in shown["group"]],
        )
    # Streamlit's own "percent" drops zeros at the end: 54.3% above 59.07%.
    shares = [one for one, how in chart.columns.items() if how == "percent" and one in shown]
    shown = shown.assign(**{one: 100 * pd.to_numeric(shown[one]) for one in shares})
    draw_clickable_table(
        *(shown, f"rows.{chart.name}"),
        marks=chart.marks,
        cells=chart.cells,
        on_mark=on_mark,
        columns={name: _column(how) for name, how in chart.columns.items()},
        alt=said,
    )


def _column(how: str) -> Any:
    if how == "large":
        return st.column_config.TextColumn(width="large")
    return st.column_config.NumberColumn(format="%.2f%%" if how == "percent" else how)


_SIGNS = {"point": "●", "diamond": "◇", "square": "□"}


def _legend(series: Sequence[Series]) -> str:
    """The legend as HTML, which wraps; plotly's would run over the chart."""
    hatch = "repeating-linear-gradient(135deg,currentColor 0 1.5px,transparent 1.5px 4px)"
    entries = []
    # Name a series only once if it is drawn alike on several lines.
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
    if isinstance(chart.drawing, Heat) and chart.drawing.dense:
        # On a phone its cells would be smaller than a finger (frame.css).
        with st.container(key=f"wide_chart_{chart.name}"):
            _draw_plot(chart, on_mark)
    else:
        _draw_plot(chart, on_mark)


def _draw_plot(chart: Chart, on_mark: Callable[[str], None] | None) -> None:
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


def draw_clickable_table(
    table: pd.DataFrame,
    key: str,
    *,
    alt: str,
    marks: tuple[str, ...] = (),
    cells: Mapping[str, str] | None = None,
    on_mark: Callable[[str], None] | None = None,
    columns: Mapping[str, Any] | None = None,
    height: int | Literal["auto"] = "auto",
    row_height: int | None = None,
) -> None:
    """A table whose cells, like a chart's marks, open what is behind their row; ``cells`` maps a
    column to what a press in it adds to the row's mark.
    """
    cells_shown, columns = cells_and_columns_with_minus_signs(table, columns or {})
    shown: dict[str, Any] = {
        "hide_index": True,
        "column_config": columns,
        "height": height,
        "row_height": row_height,
        "alt": alt,
    }
    if on_mark is None or not marks:
        st.dataframe(cells_shown, **shown)
        return

    def pressed() -> None:
        chosen = st.session_state[key]["selection"]["cells"]
        # The table may have shrunk in the meantime and have no such row.
        row, column = chosen[0] if chosen else (len(marks), "")
        name = column if isinstance(column, str) else str(table.columns[column])
        added = f"|{(cells or {})[name]}" if name in (cells or {}) else ""
        on_mark(marks[row] + added if row < len(marks) else "")

    st.dataframe(cells_shown, key=key, on_select=pressed, selection_mode="single-cell", **shown)


_DECIMALS = re.compile(r"%\.(\d)f(?:%%)?")


def table_without_negative_zeros(table: pd.DataFrame, columns: Mapping[str, Any]) -> pd.DataFrame:
    """The table to show in these ``columns`` (their configuration): a negative number that they
    round to zero would have a minus sign.
    """
    found = {}
    for name, column in columns.items():
        how = _DECIMALS.fullmatch(str(((column or {}).get("type_config") or {}).get("format")))
        if how and name in table:
            values = pd.to_numeric(table[name], errors="coerce")
            found[name] = table[name].mask(values.abs() < 0.5 * 10.0 ** -int(how[1]), 0.0)
    return table.assign(**found)


def cells_and_columns_with_minus_signs(
    table: pd.DataFrame, columns: Mapping[str, Any]
) -> tuple[Any, Mapping[str, Any]]:
    """The table for ``st.dataframe``, and its columns: as ``table_without_negative_zeros``, with
    the minus of sentences and charts where Streamlit's own format would write a hyphen.
    """
    shown = table_without_negative_zeros(table, columns)
    worded: dict[Any, Any] = {}
    for name, column in columns.items():
        how = _DECIMALS.fullmatch(str(((column or {}).get("type_config") or {}).get("format")))
        if how and name in shown and (pd.to_numeric(shown[name], errors="coerce") < 0).any():
            worded[name] = partial(_number_with_minus_sign, template=how[0])
    if not worded:
        return shown, columns
    # A column's own format would come before what each cell is to say.
    plain = {
        name: {**columns[name], "type_config": {**columns[name]["type_config"], "format": None}}
        for name in worded
    }
    return shown.style.format(worded), {**columns, **plain}


def _number_with_minus_sign(value: Any, template: str) -> str:
    if isinstance(value, str):
        return value
    return "" if pd.isna(value) else str(template % value).replace("-", "\u2212")


def draw_csv_button(
    table: pd.DataFrame | Callable[[], pd.DataFrame], name: str, label: str = "CSV"
) -> None:
    """A button that downloads the table as CSV. A function as the table is called when the button
    is pressed.
    """

    def content() -> tuple[bytes, int]:
        made = table() if callable(table) else table
        return table_as_safe_csv(made), len(made)

    draw_export_button(
        label,
        content,
        about=f"{name}.csv",
        key=f"csv.{name}",
        file_name=f"{name}.csv",
        mime="text/csv",
        type="tertiary",
    )


def table_as_safe_csv(table: pd.DataFrame) -> bytes:
    """The table as CSV; cells that a spreadsheet would run as formulas are neutralised."""
    out = io.BytesIO()
    write_table(table, out)
    return out.getvalue()
