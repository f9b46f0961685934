"""A scatter of two estimates per model, each with its interval, on equal axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from medlens.review.chart_specifications import Point
from medlens.stats.estimate import FEW, Estimate, estimate_in_words
from medlens.ui.chart_with_table_and_csv import Theme, escape_text_for_figure
from medlens.ui.figures.bar_point_and_heat_charts import ACCENT, FAINT, GREY, INK, NO_BAR

_HEIGHT = 380
_GRID: dict[Theme, str] = {"light": "#e3e8ec", "dark": "#2b363e"}


def scatter_as_plotly(points: Sequence[Point], x_title: str, y_title: str, *, theme: Theme) -> Any:
    """A figure of shares from 0 to 1; on the dotted line both are equal."""
    import plotly.graph_objects as go

    def bars(estimates: list[Estimate]) -> dict[str, Any]:
        return {
            "type": "data",
            "symmetric": False,
            "thickness": 1.5,
            "width": 3,
            "color": FAINT[theme],
            "array": [NO_BAR if e.high is None else e.high - (e.value or 0) for e in estimates],
            "arrayminus": [NO_BAR if e.low is None else (e.value or 0) - e.low for e in estimates],
        }

    few = [point.y.n < FEW for point in points]
    trace = {
        "type": "scatter",
        "mode": "markers+text",
        "showlegend": False,
        "x": [point.x.value for point in points],
        "y": [point.y.value for point in points],
        "error_x": bars([point.x for point in points]),
        "error_y": bars([point.y for point in points]),
        "text": [escape_text_for_figure(point.name) for point in points],
        "textposition": "top right",
        "textfont": {"size": 13, "color": INK[theme]},
        "cliponaxis": False,
        "marker": {"size": 10, "color": [GREY if one else ACCENT[theme] for one in few]},
        "hovertext": [
            f"{escape_text_for_figure(point.name)}<br>{escape_text_for_figure(x_title)}: "
            f"{escape_text_for_figure(estimate_in_words(point.x, 'percent'))}"
            f"<br>{escape_text_for_figure(y_title)}: "
            f"{escape_text_for_figure(estimate_in_words(point.y, 'percent'))}"
            for point in points
        ],
        "hoverinfo": "text",
        "customdata": [point.mark for point in points],
        "unselected": {"marker": {"opacity": 0.55}},
    }
    axis = {
        "range": [0, 1.03],
        "tickformat": ".0%",
        "dtick": 0.25,
        "fixedrange": True,
        "zeroline": False,
        "gridcolor": _GRID[theme],
        "tickfont": {"color": FAINT[theme], "size": 12},
    }
    layout = {
        "height": _HEIGHT,
        "dragmode": "pan",
        "showlegend": False,
        "hovermode": "closest",
        "margin": {"l": 62, "r": 14, "t": 12, "b": 48, "pad": 0, "autoexpand": False},
        "xaxis": axis | {"title": {"text": x_title, "standoff": 8}},
        "yaxis": axis | {"title": {"text": y_title, "standoff": 8}},
        "shapes": [
            {
                "type": "line",
                "x0": 0,
                "y0": 0,
                "x1": 1,
                "y1": 1,
                "layer": "below",
                "line": {"color": FAINT[theme], "width": 1, "dash": "dot"},
            }
        ],
        "hoverlabel": {"align": "left"},
    }
    return go.Figure({"data": [trace], "layout": layout})
