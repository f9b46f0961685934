"""Figures of one measure against another: points with both intervals, and curves.

Plotly reads text as HTML; ``plain`` escapes it, and hover texts are never templates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from medlens.review.chart_specifications import Path, Place, Plane
from medlens.stats.estimate import FEW, Estimate, estimate_in_words
from medlens.ui.chart_with_table_and_csv import Theme, escape_text_for_figure
from medlens.ui.figures.bar_point_and_heat_charts import (
    FAINT,
    GREY,
    GRID,
    colour_as_rgba,
    copy_of_series_with_colour_and_sign,
)

_HEIGHT = 420
_MANY = 40


def xy_plot_as_plotly(drawing: Plane, *, theme: Theme) -> Any:
    """Shares (0..1) on both axes; intervals are drawn for points, as a band's edges for curves.

    Axes that are not whole cover only the range with points. Undefined points are left out: the
    caller must name them.
    """
    # Takes a second to import, and only some views have charts.
    import plotly.graph_objects as go

    traces: list[dict[str, Any]] = []
    paths = [
        replace(path, series=copy_of_series_with_colour_and_sign(path.series, theme))
        for path in drawing.paths
    ]
    across, up = drawing.across, drawing.up
    many = sum(len(path.places) for path in paths) > _MANY
    for path in paths:
        drawn = [one for one in path.places if one.across.has_value and one.up.has_value]
        if drawn:
            if path.joined:
                traces.append(_band(path, drawn))
            traces.append(_points(path, drawn, across, up, theme, many=many))
    layout = {
        "height": _HEIGHT,
        "dragmode": "pan",
        "hovermode": "closest",
        "showlegend": False,
        "margin": {"l": 58, "r": 14, "t": 8, "b": 48, "pad": 0, "autoexpand": False},
        "xaxis": _axis(across, theme, drawing.whole),
        "yaxis": _axis(up, theme, drawing.whole),
        "hoverlabel": {"align": "left"},
    }
    return go.Figure({"data": traces, "layout": layout})


def _points(
    path: Path, drawn: list[Place], across: str, up: str, theme: Theme, *, many: bool
) -> dict[str, Any]:
    colours = [GREY if min(one.across.n, one.up.n) < FEW else path.series.colour for one in drawn]
    hovers = [
        f"{escape_text_for_figure(one.name)}<br>{escape_text_for_figure(across)}: "
        f"{escape_text_for_figure(estimate_in_words(one.across, 'percent'))}"
        f"<br>{escape_text_for_figure(up)}: "
        f"{escape_text_for_figure(estimate_in_words(one.up, 'percent'))}"
        for one in drawn
    ]
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers" if path.joined else "markers",
        "x": [one.across.value for one in drawn],
        "y": [one.up.value for one in drawn],
        "hovertext": hovers,
        "hoverinfo": "text",
        "showlegend": False,
        "customdata": [one.mark for one in drawn],
        "line": {"color": path.series.colour, "width": 1.5},
        "marker": {
            "color": colours,
            "size": 8 if path.joined or many else 10,
            "symbol": path.series.symbol,
            "line": {"width": 0},
            "opacity": 1,
        },
        "unselected": {"marker": {"opacity": 0.55}},
    }
    if not path.joined:
        faint = {
            "thickness": 1,
            "width": 0,
            "color": colour_as_rgba(FAINT[theme], 0.15 if many else 0.6),
        }
        trace["error_x"] = _bars([one.across for one in drawn]) | faint
        trace["error_y"] = _bars([one.up for one in drawn]) | faint
    return trace


def _band(path: Path, drawn: list[Place]) -> dict[str, Any]:
    """A curve's interval as an area behind it."""
    known = [one for one in drawn if one.up.low is not None and one.up.high is not None]
    there = [one.across.value for one in known]
    return {
        "type": "scatter",
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
        "x": [*there, *reversed(there)],
        "y": [*(one.up.high for one in known), *(one.up.low for one in reversed(known))],
        "fill": "toself",
        "fillcolor": colour_as_rgba(path.series.colour, 0.12),
        "line": {"width": 0},
    }


def _bars(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """Plotly's error bars: lengths from the value, none without an interval."""
    above = [
        (e.high - e.value) if e.high is not None and e.value is not None else 0.0 for e in estimates
    ]
    below = [
        (e.value - e.low) if e.low is not None and e.value is not None else 0.0 for e in estimates
    ]
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below}


def _axis(title: str, theme: Theme, whole: bool) -> dict[str, Any]:
    return {
        "title": {"text": title, "standoff": 8},
        "tickformat": ".0%",
        "fixedrange": True,
        "gridcolor": GRID[theme],
        "zeroline": False,
        "automargin": False,
        "tickfont": {"color": FAINT[theme], "size": 12},
        **({"range": [-0.02, 1.02], "dtick": 0.25} if whole else {"nticks": 6}),
    }
