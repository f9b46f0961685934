"""Estimates as people read them, in words and digits."""

from __future__ import annotations

import math

from medlens.stats.estimate import SMALLEST_P, Estimate

FEW = 10
"""Below this n a number is greyed out: it says little."""


def number(value: float | None, form: str = "number") -> str:
    """A value as people read it, with a real minus sign."""
    if value is None:
        return ""
    if form == "percent":
        text = f"{round(100 * value)}%"
    elif form == "count":
        text = f"{value:,.0f}"
    elif form == "odds":
        # Plotted as logarithms, so that 1/2 and 2 are equally far from 1.
        text = f"{math.exp(value):.2f}"
    elif form == "minutes":
        text = f"{value / 60:.1f} min"
    else:
        # Adding nothing makes a rounded -0.0 unsigned.
        text = f"{round(value, 2) + 0.0:.2f}"
    return text.replace("-", "−")


def p_text(p: float | None) -> str:
    """A p value with its meaningful digits; never 0."""
    if p is None:
        return ""
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}" if p > SMALLEST_P else "< 1e-300"


def counted(one: Estimate) -> str:
    """The numerator of a share: a count, or a sum of scores to two decimal places."""
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
    name = "quartiles" if "quartiles" in one.method else "95% interval"
    bounds = f"{number(one.low, form)} to {number(one.high, form)}"
    return f"{number(one.value, form)}{of}, {name} {bounds}; n = {one.n:,}"
