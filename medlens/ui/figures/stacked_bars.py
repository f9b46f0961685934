"""Outcomes as stacked bars: one bar per row, its parts marked by colour, pattern and text."""

from __future__ import annotations

from typing import Any

from medlens.review.chart_specifications import Stacks
from medlens.stats.estimate import FEW, estimate_in_words
from medlens.ui.chart_with_table_and_csv import Theme, escape_text_for_figure
from medlens.ui.figures.bar_point_and_heat_charts import FAINT, GREY, INK, colour_as_rgba

_NAME, _BAR, _GAP = 20, 22, 12


def stacked_bars_as_plotly(drawn: Stacks, *, theme: Theme) -> Any:
    """A figure with one bar per row, with its parts in order."""
    rows = drawn.rows
    import plotly.graph_objects as go

    pitch = _NAME + _BAR + _GAP
    traces, notes = [], []
    base = [0.0] * len(rows)
    for outcome, (colour, pattern) in drawn.parts.items():
        values = [float(row.shares[outcome].value or 0) for row in rows]
        few = [row.shares[outcome].n < FEW for row in rows]
        colours = [GREY if faint else colour for faint in few]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "base": list(base),
                "x": values,
                "y": [at * pitch + _NAME + _BAR / 2 for at in range(len(rows))],
                "width": _BAR,
                "text": [
                    str(row.shares[outcome].numerator) if value >= 0.06 else ""
                    for row, value in zip(rows, values, strict=True)
                ],
                "textposition": "inside",
                "textangle": 0,
                "insidetextanchor": "middle",
                "constraintext": "none",
                "insidetextfont": {"color": INK[theme], "size": 12},
                "marker": {
                    "color": [colour_as_rgba(one, 0.4) for one in colours],
                    "line": {"color": colours, "width": 1},
                    "pattern": {
                        "shape": pattern,
                        "size": 6,
                        "solidity": 0.2,
                        "fgcolor": colours,
                        "bgcolor": [colour_as_rgba(one, 0.18) for one in colours],
                    },
                },
                "hovertext": [
                    f"{escape_text_for_figure(row.name)}<br>{outcome.replace('_', ' ')}: "
                    f"{escape_text_for_figure(estimate_in_words(row.shares[outcome], 'percent'))}"
                    for row in rows
                ],
                "hoverinfo": "text",
                "customdata": [row.marks[outcome] for row in rows],
                "unselected": {"marker": {"opacity": 0.55}},
                "showlegend": False,
            }
        )
        base = [start + value for start, value in zip(base, values, strict=True)]
    for at, row in enumerate(rows):
        for text, x, side, colour in (
            (row.name, 0, "left", INK[theme]),
            (f"n = {next(iter(row.shares.values())).n:,}", 1, "right", FAINT[theme]),
        ):
            notes.append(
                {
                    "xref": "paper",
                    "x": x,
                    "yref": "y",
                    "y": at * pitch + _NAME / 2,
                    "text": escape_text_for_figure(text),
                    "showarrow": False,
                    "xanchor": side,
                    "font": {"size": 13, "color": colour},
                }
            )
    height = pitch * len(rows)
    layout = {
        "height": height + 52,
        "barmode": "overlay",
        "dragmode": "pan",
        "showlegend": False,
        "margin": {"l": 14, "r": 14, "t": 8, "b": 44, "pad": 0, "autoexpand": False},
        "xaxis": {
            "range": [0, 1],
            "tickformat": ".0%",
            "fixedrange": True,
            "zeroline": False,
            "title": {"text": drawn.title, "standoff": 8},
            "tickfont": {"color": FAINT[theme], "size": 12},
        },
        "yaxis": {"range": [height, 0], "fixedrange": True, "visible": False},
        "annotations": notes,
        "hovermode": "closest",
        "hoverlabel": {"align": "left"},
    }
    return go.Figure({"data": traces, "layout": layout})
