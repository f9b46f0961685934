"""Chart marks that can be tapped on a phone."""

from __future__ import annotations

from medlens.ui.component import Component

_component = Component("chart_tap", js="chart_tap/chart_tap.js", css="")


def taps(mark: str = "") -> None:
    """Make a tap on a mark act like a click; call it once on every page with charts.

    It scrolls the list behind ``mark`` into view if that is below its chart.
    """
    _component(key="chart.tap", data={"mark": mark})
