"""Choices that stand in the address, and charts drawn from estimates with their rows behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import pandas as pd
import streamlit as st

from medlens.ebmqa.explore.where import DIMENSIONS, Behind
from medlens.ebmqa.metrics import MEASURES
from medlens.ebmqa.models import IDK, STUDY
from medlens.review import charts
from medlens.review.charts import Axis, Chart, Entry, Row, Series, undefined
from medlens.stats.estimate import Estimate
from medlens.stats.words import counted
from medlens.ui import address
from medlens.ui.charts import Theme, draw_chart
from medlens.ui.ebmqa import nav, paper
from medlens.ui.ebmqa.source import Source
from medlens.ui.figures.lines import ACCENT, rows_figure

NONE = "(none)"
STATE_OF = {
    "accuracy": "answered",
    "exact": "right",
    "jaccard": "answered",
    "answer_rate": "answered",
    "idk_rate": "idk",
    "refusal_rate": "refused",
    "unreadable_rate": "parse_failed",
    "error_rate": "error",
}
"""Which answers a mark of a measure leads to."""

FEW_SERIES = 3
"""With more models than that, their lines stand closer together."""

ORDERS = {"given": "In their order", "best": "Highest first", "worst": "Lowest first"}
"""How the rows of a chart can be sorted."""


def sorted_rows(names: Sequence[str], values: Mapping[str, Sequence[Estimate]]) -> list[str]:
    """Names in the order that the address asks for: by the mean of their defined values.

    Names without any stand last; those alike keep the order they are given in.
    """
    order = st.query_params.get("order", "")

    def place(name: str) -> tuple[bool, float]:
        known = [one.value for one in values[name] if one.value is not None]
        mean = sum(known) / len(known) if known else 0.0
        return not known, -mean if order == "best" else mean

    return sorted(names, key=place) if order in ("best", "worst") else list(names)


KINDS = {"numeric": "Numeric", "semantic": "Semantic", "all": "Both"}
MEASURE_NAMES = {name: title for name, (title, _) in MEASURES.items()}


def choice(name: str, options: Mapping[str, str], *, label: str = "", first: str = "") -> str:
    """A choice of few, in the address as ``name``; the first option (or ``first``) is the default.

    Another choice closes what is behind a mark.
    """
    default = first or next(iter(options))
    key = f"ebmqa.{name}"
    asked = st.query_params.get(name, default)
    st.session_state[key] = asked if asked in options else default

    def chosen() -> None:
        value = str(st.session_state[key])
        address.go(
            **{name: "" if value == default else value, "mark": "", "question": "", "page": ""}
        )

    return str(
        st.segmented_control(
            label or name,
            list(options),
            format_func=options.__getitem__,
            key=key,
            required=True,
            on_change=chosen,
            label_visibility="visible" if label else "collapsed",
            wrap=True,
        )
    )


def pick(
    name: str, options: Mapping[str, str], label: str, *, first: str = "", width: int = 220
) -> str:
    """A choice of many, in the address as ``name``; the first (or ``first``) is the default."""
    default = first if first in options else next(iter(options))
    key = f"ebmqa.{name}"
    asked = st.query_params.get(name, default)
    st.session_state[key] = asked if asked in options else default

    def chosen() -> None:
        value = str(st.session_state[key])
        address.go(
            **{name: "" if value == default else value, "mark": "", "question": "", "page": ""}
        )

    return str(
        st.selectbox(
            label,
            list(options),
            format_func=options.__getitem__,
            key=key,
            on_change=chosen,
            width=width,
        )
    )


def draw_marks(chart: Chart) -> None:
    """A chart whose marks lead to their questions, and what the paper prints of its figures."""
    draw_chart(chart, on_mark=nav.follow)
    if "figure" in chart.table:
        paper.draw_beside(chart.table, chart.name)


def table_of(entries: Sequence[Entry]) -> pd.DataFrame:
    """The rows as they are exported, with the published numbers of the same name beside."""
    return charts.table_of(STUDY, entries)


def rows_chart(
    theme: Theme,
    name: str,
    entries: Sequence[Entry],
    axis: Axis,
    *,
    title: str,
    n: str,
    note: str = "",
    kind: Literal["bar", "point"] = "bar",
) -> Chart:
    """A chart with one line per entry, the table of its rows, and their marks."""
    rows = [Row(label, ACCENT[theme], (one,), (mark,)) for label, _, _, one, mark in entries]
    drawn = [row for row in rows if row.estimates[0].defined]
    return Chart(
        name=f"ebmqa_{name}",
        title=title,
        n=n,
        note=note,
        undefined=undefined(entries),
        alt=f"{title}: one row per group with its 95% interval.",
        figure=rows_figure(drawn, [Series(title, kind)], axis, theme=theme) if drawn else None,
        table=table_of(entries),
        marks=tuple(mark for *_, mark in entries),
    )


def share(one: Estimate) -> str:
    """A share as the paper prints it."""
    if one.value is None:
        return "undefined"
    return f"{100 * one.value:.2f}% ({counted(one)}/{one.denominator:,})"


def with_interval(one: Estimate) -> str:
    """A number with its interval."""
    if one.value is None:
        return "undefined"
    bounds = "" if one.low is None else f" [{one.low:.2f}–{one.high:.2f}]"
    return f"{one.value:.2f}{bounds}"


_ORDERS = {
    "given": "in their order",
    "reversed": "from last to first",
    "shuffled": "shuffled",
    "rotated": "with the first at the end",
}


def asked_so(prompt: str) -> str:
    """How the questions were put, as the end of a sentence; empty where there is no prompt."""
    order, _, offered = prompt.partition("+")
    if order not in _ORDERS or offered not in ("", "idk"):
        return f", asked as “{prompt}”" if prompt else ""
    known = "among" if offered else "not among"
    return f", asked with the options {_ORDERS[order]} and “{IDK}” {known} them"


def kind_choice(source: Source) -> Source:
    """The kind of question that a view is about, chosen above its chart."""
    there = [
        str(kind) for kind, _ in source.keep_whole("values", source.explorer.values).get("kind", ())
    ]
    options = {kind: title for kind, title in KINDS.items() if kind in there}
    if len(options) < 2:
        return source.of_kind("".join(options))
    chosen = choice("kind", {**options, "all": KINDS["all"]})
    return source.of_kind("" if chosen == "all" else chosen)


def said_kind(source: Source) -> str:
    """Which kind of question a chart is about, as a sentence."""
    return {"numeric": "Numeric questions.", "semantic": "Semantic questions."}.get(
        source.kind, "Numeric and semantic questions together."
    )


def titles(labels: Sequence[str]) -> dict[str, str]:
    """What people read over labels."""
    return {label: DIMENSIONS[label] for label in labels}


def mark_of_label(source: Source, label: str, value: str, model: str, measure: str) -> str:
    """The mark of one model's answers to the questions of a sub-label."""
    kind = (("kind", source.kind),) if source.kind else ()
    return nav.mark_of(Behind((*kind, (label, value)), model, STATE_OF.get(measure, "")))


def apart(names: Sequence[str]) -> list[str]:
    """The names in their order, each with a number where an earlier one is called the same."""
    found: list[str] = []
    for name in names:
        told, times = name, 1
        while told in found:
            times += 1
            told = f"{name} ({times})"
        found.append(told)
    return found
