"""The figures of the chart template: rows of bars or points with intervals, and heat maps.

Each row has its name above its marks, on up to three lines, so that charts fit the width of a phone
and names can be read there. Heights are in pixels: one unit of the y axis is one pixel. Plotly
reads text as HTML; ``plain`` escapes it, and hover texts are never templates.
"""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from medlens.review.chart_specifications import Axis, HeatRow, Kind, Row, Series
from medlens.stats.estimate import (
    FEW,
    Estimate,
    OfRater,
    estimate_in_words,
    format_number,
    format_numerator,
)
from medlens.ui.chart_with_table_and_csv import Theme, escape_text_for_figure

INK: dict[Theme, str] = {"light": "#1c2730", "dark": "#e4eaee"}
FAINT: dict[Theme, str] = {"light": "#5b6770", "dark": "#9aa7b0"}
GRID: dict[Theme, str] = {"light": "#e3e8ec", "dark": "#2b363e"}
ACCENT: dict[Theme, str] = {"light": "#0b5c7a", "dark": "#4fa6c6"}
GREY = "#8a949b"

# Safe for colour-blind eyes, and distinguished by sign too: light, dark, plotly's name, as text.
_SIGNS = (
    ("#0b5c7a", "#4fa6c6", "circle", "●"),
    ("#c2540a", "#ee8a4a", "square", "■"),
    ("#1b7f5c", "#52b58f", "diamond", "◆"),
    ("#a6527f", "#d38bb2", "triangle-up", "▲"),
    ("#8a6d00", "#cfae3d", "triangle-down", "▼"),
    ("#3f6fbf", "#86b7e6", "cross", "✚"),
    ("#6b6b6b", "#a9b3ba", "x", "✖"),
    ("#7a4b2b", "#bf8d68", "star", "★"),
    ("#5a5aa8", "#9c9ce0", "pentagon", "⬟"),
    ("#b03a48", "#e37f8a", "hexagon", "⬢"),
)
_NAME, _LINE, _GAP, _CELL = 20, 16, 10, 26
_NEXT, _ON_A_LINE = 17, 60
_LOW_CELL, _HEADS = 16, 10
"""Of a dense heat map: the height of a row in pixels, and the most columns with a head."""
"""The height of a name's further lines, and the characters on each."""
_CLOSE = 12
_DOT, _APART, _FEWEST_LEVELS, _MOST_LEVELS = 5, 3, 4, 14
"""The size of a rater's dot, how far dots at one place are moved apart, and to how many levels:
further ones lie on each other.
"""
_SYMBOLS = {"point": "circle", "diamond": "diamond-open", "square": "square-open"}


def colour_as_rgba(colour: str, share: float) -> str:
    """``#rrggbb`` as an rgba() with this opacity."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share:.3f})"


def copy_of_series_with_colour_and_sign(series: Series, theme: Theme) -> Series:
    """A series with the colour and sign of its place; unchanged if it has no place."""
    if series.place is None:
        return series
    light, dark, symbol, sign = _SIGNS[series.place % len(_SIGNS)]
    colour = dark if theme == "dark" else light
    return replace(series, colour=colour, symbol=symbol, sign=sign)


def bars_and_points_as_plotly(
    rows: Sequence[Row],
    series: Sequence[Series],
    axis: Axis,
    *,
    theme: Theme,
    dense: bool = False,
    close: bool = False,
) -> Any:
    """A figure with a line per row and series: value, interval, and the number at the right.

    ``dense`` puts the name left of a single line, for many rows with short names; ``close`` draws
    many series on low lines, with small numbers. Below a line of figures that have those of single
    raters is one with a dot for each of them. Values with ``n`` below ``FEW`` are grey;
    undefined ones are written as text, never drawn.
    """
    series = [copy_of_series_with_colour_and_sign(one, theme) for one in series]
    line_height = _CLOSE if close else _LINE
    dots = [
        _dots_height([row.estimates[place] for row in rows], axis) if one.over is None else 0
        for place, one in enumerate(series)
    ]
    below = line_height * sum(one.over is None for one in series) + (4 if dense else _GAP)
    below += sum(dots)
    names = [0 if dense else _height(row) for row in rows]
    *tops, height = accumulate((name + below for name in names), initial=0)
    traces = []
    notes: list[dict[str, Any]] = []
    for row, top, name in zip(rows, tops, names, strict=True):
        notes += _names(row, top + (_LINE / 2 + 1 if dense else name / 2), theme, dense=dense)
    for place, one in enumerate(series):
        line = place if one.over is None else one.over
        ys = [
            top + name + line_height * (line + 0.5) + 1 + sum(dots[:line])
            for top, name in zip(tops, names, strict=True)
        ]
        found = [
            (y, row, row.estimates[place], row.marks[place])
            for y, row in zip(ys, rows, strict=True)
        ]
        if one.over is None:
            notes += [
                _value(y, estimate, axis, theme, dense=dense, small=close)
                for y, _, estimate, _ in found
            ]
        drawn = [one_row for one_row in found if one_row[2].has_value]
        if drawn:
            traces.append(_trace(one, drawn, axis, theme))
        if dots[place]:
            middle = (line_height + dots[place]) / 2
            traces.append(_dots(one, drawn, middle, axis, theme))
    low, high = _range(rows, axis, dense=dense)
    shapes = [_zero(theme)] if axis.zero and low < 0 else []
    return _figure(
        traces,
        notes,
        shapes,
        height=height,
        theme=theme,
        left=124 if dense else 14,
        right=_margin(axis) if dense else 14,
        x={
            "range": [low, high],
            "title": {"text": axis.title, "standoff": 8},
            "zeroline": False,
            **_ticks(axis, high),
        },
    )


def heat_map_as_plotly(
    rows: Sequence[HeatRow], heads: Sequence[str], *, theme: Theme, dense: bool = False
) -> Any:
    """A figure with a row of cells below each name; colour and text both show the value. ``dense``
    is that of ``Heat``: there the words are those of pointing at a cell, and of the table.
    """
    names = [0 if dense else _height(row) for row in rows]
    cell_height, gap = (_LOW_CELL, 0) if dense else (_CELL, _GAP)
    *tops, height = accumulate((name + cell_height + gap for name in names), initial=0)
    xs, ys, fills, lines, texts, hovers, marks = [], [], [], [], [], [], []
    notes: list[dict[str, Any]] = []
    for row, top, name in zip(rows, tops, names, strict=True):
        notes += _names(row, top + (cell_height if dense else name) / 2, theme, dense=dense)
        for column, cell in enumerate(row.cells):
            xs.append(column)
            ys.append(top + name + cell_height / 2)
            colour = GREY if row.faint else row.colour or ACCENT[theme]
            # Where no word says the value, the colours lie further apart.
            depth = 0.86 * cell.depth**2 if dense else 0.5 * cell.depth
            fills.append(colour_as_rgba(colour, 0.04 + depth))
            lines.append(colour_as_rgba(colour, 0.35 + 0.5 * cell.depth))
            texts.append("" if dense else escape_text_for_figure(cell.text))
            hovers.append(
                "<br>".join(escape_text_for_figure(line) for line in cell.hover.split("\n"))
            )
            marks.append(cell.mark)
    bars = {
        "type": "bar",
        "orientation": "h",
        "base": [x + 0.03 for x in xs],
        "x": [0.94] * len(xs),
        "y": ys,
        "width": cell_height - dense,
        "text": texts,
        "textposition": "inside",
        "textangle": 0,
        "insidetextanchor": "middle",
        "constraintext": "none",
        "insidetextfont": {"color": INK[theme], "size": 12},
        "marker": {"color": fills, "line": {"color": lines, "width": 0 if dense else 1}},
        "hovertext": hovers,
        "hoverinfo": "text",
        "customdata": marks,
        "showlegend": False,
        "selected": {"marker": {"opacity": 1}, "textfont": {"color": INK[theme]}},
        "unselected": {"marker": {"opacity": 0.55}, "textfont": {"color": FAINT[theme]}},
    }
    # Between many columns only some have room for their heads.
    step = math.ceil(len(heads) / _HEADS) if dense else 1
    heads = [head if at % step == 0 else "" for at, head in enumerate(heads)]
    ticks = [column + 0.5 for column in range(len(heads))]
    return _figure(
        [bars],
        notes,
        [],
        height=height,
        theme=theme,
        left=124 if dense else 14,
        right=14,
        x={
            "range": [0, len(heads)],
            "tickvals": ticks,
            "ticktext": [escape_text_for_figure(h) for h in heads],
            "showgrid": False,
            "side": "top",
            "zeroline": False,
            "tickangle": 0,
        },
    )


def _lines(row: Row | HeatRow) -> list[str]:
    """A row's name on as many lines as a phone needs beside what is said at the right end, cut
    after the third.
    """
    width = max(_ON_A_LINE // 3, _ON_A_LINE - len(row.aside) - bool(row.aside))
    return textwrap.wrap(row.name, width, max_lines=3, placeholder=" …") or [""]


def _height(row: Row | HeatRow) -> int:
    return _NAME + (len(_lines(row)) - 1) * _NEXT


def _names(row: Row | HeatRow, y: float, theme: Theme, *, dense: bool) -> list[dict[str, Any]]:
    lines = _lines(row)
    if dense:
        lines = [row.name if len(row.name) <= 17 else row.name[:16] + "…"]
    left = {
        "xref": "paper",
        "x": 0,
        "yref": "y",
        "y": y,
        "text": "<br>".join(map(escape_text_for_figure, lines)),
        "align": "left",
        "showarrow": False,
        "xanchor": "right" if dense else "left",
        "xshift": -8 if dense else 0,
        "font": {"size": 12 if dense else 13, "color": INK[theme]},
    }
    if not row.aside:
        return [left]
    right = left | {
        "x": 1,
        "xanchor": "right",
        "text": escape_text_for_figure(row.aside),
        "xshift": 0,
        "font": {"size": 12, "color": FAINT[theme]},
    }
    return [left, right]


def _value(
    y: float, one: Estimate, axis: Axis, theme: Theme, *, dense: bool, small: bool = False
) -> dict[str, Any]:
    here = {"xref": "paper", "yref": "y", "y": y, "showarrow": False}
    if not one.has_value:
        text = escape_text_for_figure(f"undefined, because {one.reason}")
        text = text if len(text) <= 46 else "undefined (see the table)"
        font = {"size": 10 if small else 11, "color": FAINT[theme]}
        return here | {"x": 0, "xanchor": "left", "text": text, "font": font}
    colour = FAINT[theme] if one.n < FEW else INK[theme]
    text = format_number(one.value, axis.form)
    if axis.form != "percent" or one.denominator is None:
        shown = text
    else:
        shown = f"{format_numerator(one).replace(',', '')}/{one.denominator}  {text}"
    return here | {
        "x": 1,
        "xanchor": "left" if dense else "right",
        "xshift": 8 if dense else 0,
        "text": shown,
        "font": {"size": 10 if small else 12, "color": colour},
    }


NO_BAR = "none"
"""A length that Plotly draws nothing for; null and 0 draw a tick, like a very narrow interval."""


def _trace(
    series: Series, drawn: list[tuple[float, Row, Estimate, str]], axis: Axis, theme: Theme
) -> dict[str, Any]:
    values = [float(one.value or 0) for _, _, one, _ in drawn]
    colours = [
        GREY if one.n < FEW else series.colour or row.colour or ACCENT[theme]
        for _, row, one, _ in drawn
    ]
    hovers = [
        f"{escape_text_for_figure(row.name)}<br>{escape_text_for_figure(series.name)}: "
        + (
            _wrapped(one.method)
            if series.quoted
            else escape_text_for_figure(estimate_in_words(one, axis.form))
        )
        for _, row, one, _ in drawn
    ]
    above = [
        one.high - v if one.high is not None else NO_BAR
        for (_, _, one, _), v in zip(drawn, values, strict=True)
    ]
    below = [
        v - one.low if one.low is not None else NO_BAR
        for (_, _, one, _), v in zip(drawn, values, strict=True)
    ]
    shared: dict[str, Any] = {
        "orientation": "h",
        "x": values,
        "y": [y for y, _, _, _ in drawn],
        "showlegend": False,
        "hovertext": hovers,
        "hoverinfo": "text",
        "customdata": [mark for _, _, _, mark in drawn],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": above,
            "arrayminus": below,
            "thickness": 1.5,
            "width": 3,
            "color": FAINT[theme],
        },
        "unselected": {"marker": {"opacity": 0.55}},
    }
    if series.kind in _SYMBOLS:
        del shared["orientation"]
        if series.over is not None:
            del shared["error_x"]
        marker = {
            "color": colours if series.over is None else INK[theme],
            "size": 9,
            "opacity": 1,
            "symbol": series.symbol or _SYMBOLS[series.kind],
            "line": {"width": 0 if series.kind == "point" else 1.5},
        }
        # Do not clip a sign at 0% or 100%.
        return shared | {
            "type": "scatter",
            "mode": "markers",
            "marker": marker,
            "cliponaxis": False,
        }
    return shared | {"type": "bar", "width": _LINE - 4, "marker": _paint(series.kind, colours)}


def _dots_height(estimates: Sequence[Estimate], axis: Axis) -> int:
    """The height of the lines for these estimates' dots; 0 if none has any."""
    if not any(one.of_raters for one in estimates):
        return 0
    levels = max(level for one in estimates for _, level in _levels(one, estimates, axis))
    return _DOT + _APART * max(_FEWEST_LEVELS, min(levels + 1, _MOST_LEVELS))


def _levels(
    estimate: Estimate, estimates: Sequence[Estimate], axis: Axis
) -> list[tuple[OfRater, int]]:
    """Each rater's figure, and how many of the others' come before it at the same place.

    A place is as wide as a dot on a phone, of the axis that these ``estimates`` share.
    """
    values = [one.value for each in estimates for one in each.of_raters]
    ends = [axis.low, axis.high, *values] if axis.high > axis.low else values
    width = max(max(ends, default=0.0) - min(ends, default=0.0), 1e-9) / _PLACES
    before: Counter[int] = Counter()
    found = []
    for one in sorted(estimate.of_raters, key=lambda one: (one.value, one.rater)):
        place = round(one.value / width)
        found.append((one, before[place]))
        before[place] += 1
    return found


_PLACES = 50


def _dots(
    series: Series,
    drawn: list[tuple[float, Row, Estimate, str]],
    middle: float,
    axis: Axis,
    theme: Theme,
) -> dict[str, Any]:
    """A dot per rater, ``middle`` pixels below each value; those at one place are moved apart."""
    xs, ys, hovers, colours, marks = [], [], [], [], []
    estimates = [estimate for _, _, estimate, _ in drawn]
    for y, row, estimate, mark in drawn:
        for one, level in _levels(estimate, estimates, axis):
            # In turn below and above.
            away = (level + 1) // 2 * (1 if level % 2 else -1)
            most = _MOST_LEVELS // 2
            xs.append(one.value)
            ys.append(y + middle + _APART * max(-most, min(away, most)))
            hovers.append(
                f"{escape_text_for_figure(row.name)}<br>{escape_text_for_figure(one.rater)}: "
                f"{format_number(one.value, axis.form)};"
                f" n = {one.n:,}"
            )
            colours.append(series.colour or row.colour or ACCENT[theme])
            marks.append(mark)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": xs,
        "y": ys,
        "showlegend": False,
        "hovertext": hovers,
        "hoverinfo": "text",
        "customdata": marks,
        "cliponaxis": False,
        "marker": {"color": colours, "size": _DOT, "opacity": 0.6, "line": {"width": 0}},
        "unselected": {"marker": {"opacity": 0.4}},
    }


def _wrapped(text: str) -> str:
    return "<br>".join(escape_text_for_figure(line) for line in textwrap.wrap(text, 60))


def _paint(kind: Kind, colours: list[str]) -> dict[str, Any]:
    line = {"color": colours, "width": 1}
    if kind == "hatched":
        pattern = {
            "shape": "/",
            "size": 5,
            "solidity": 0.35,
            "fgcolor": colours,
            "bgcolor": [colour_as_rgba(c, 0.08) for c in colours],
        }
        return {"color": colours, "pattern": pattern, "line": line}
    return {"color": [colour_as_rgba(colour, 0.45) for colour in colours], "line": line}


def _margin(axis: Axis) -> int:
    """Space at the right for the numbers of a dense figure."""
    return {"percent": 86, "minutes": 72, "number": 48, "count": 64, "odds": 48}[axis.form]


def _range(rows: Sequence[Row], axis: Axis, *, dense: bool) -> tuple[float, float]:
    estimates = [one for row in rows for one in row.estimates if one.has_value]
    ends = [x for one in estimates for x in (one.value, one.low, one.high) if x is not None]
    ends += [each.value for one in estimates for each in one.of_raters]
    low, high = min([axis.low, *ends]), max([axis.high, *ends])
    span = (high - low) or 1.0
    # The numbers are at the right; marks must not run into them.
    room = 0.04 if dense else 0.3 if axis.form == "percent" else 0.16
    return low - (0.03 * span if low < 0 else 0), high + room * span


def _ticks(axis: Axis, high: float) -> dict[str, Any]:
    if axis.form == "percent":
        step = 0.1 if high <= 0.6 else 0.25
        # Space for the numbers must not extend the axis labels to 125%.
        places = [at * step for at in range(-round(1 / step), round(1 / step) + 1)]
        return {"tickformat": ".0%", "tickvals": places}
    if axis.form == "minutes":
        step = next((s for s in (60, 120, 300, 600, 1200, 3600) if high / s <= 6), 7200)
        values = [at * step for at in range(int(high // step) + 1)]
        return {"tickvals": values, "ticktext": [f"{value // 60}" for value in values]}
    if axis.form == "odds":
        odds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 20, 100]
        if high < math.log(2):
            odds = [0.25, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5]
        return {"tickvals": [math.log(v) for v in odds], "ticktext": [f"{v:g}" for v in odds]}
    return {"nticks": 6}


def _zero(theme: Theme) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": 0,
        "x1": 0,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "layer": "below",
        "line": {"color": FAINT[theme], "width": 1, "dash": "dot"},
    }


def _figure(
    traces: list[dict[str, Any]],
    notes: list[dict[str, Any]],
    shapes: list[dict[str, Any]],
    *,
    height: int,
    theme: Theme,
    left: int,
    right: int,
    x: dict[str, Any],
) -> Any:
    # Takes a second to import, and only leads look at charts.
    import plotly.graph_objects as go

    top, foot = (30 if x.get("side") == "top" else 8), (44 if x.get("title") else 8)
    axis = {
        "fixedrange": True,
        "showgrid": True,
        "gridcolor": GRID[theme],
        "automargin": False,
        **x,
    }
    layout = {
        "height": height + top + foot,
        "barmode": "overlay",
        "dragmode": "pan",
        "margin": {"l": left, "r": right, "t": top, "b": foot, "pad": 0, "autoexpand": False},
        "xaxis": axis | {"tickfont": {"color": FAINT[theme], "size": 12}},
        "yaxis": {
            "range": [height, 0],
            "fixedrange": True,
            "visible": False,
            "zeroline": False,
        },
        "annotations": notes,
        "shapes": shapes,
        "hovermode": "closest",
        "showlegend": False,
        "hoverlabel": {"align": "left"},
    }
    return go.Figure({"data": traces, "layout": layout})
