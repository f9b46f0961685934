"""Marks of charts that can be tapped on a phone."""

from __future__ import annotations

from medlens.ui.component import Component

_component = Component("chart_tap", js="chart_tap/chart_tap.js", css="")


def taps(mark: str = "") -> None:
    """Have a tap on a mark do what a click does; once on every page with charts.

    What is behind ``mark`` is scrolled into sight where it stands below its chart.
    """
    _component(key="chart.tap", data={"mark": mark})
