"""Breakdowns by label: one label, two crossed; what compares labels is in ``compared``."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from medlens.ebmqa.explore.where import Behind, in_order, worded
from medlens.ebmqa.metrics import MEASURES, Tally
from medlens.review.charts import GREY_NOTE, Axis, Cell, Chart, Entry, HeatRow, Row, undefined
from medlens.stats.words import FEW, number, spoken
from medlens.ui.ebmqa import behind, compared, nav
from medlens.ui.ebmqa.source import Source
from medlens.ui.ebmqa.widgets import (
    FEW_SERIES,
    MEASURE_NAMES,
    ORDERS,
    STATE_OF,
    choice,
    draw_marks,
    kind_choice,
    mark_of_label,
    pick,
    said_kind,
    sorted_rows,
    table_of,
    titles,
)
from medlens.ui.figures.lines import ACCENT, heat_figure, rows_figure

_SECTIONS = {
    "bars": "Breakdown",
    "cross": "Crossed",
    "gaps": "Gaps",
    "forest": "Forest",
    "rate": "Answer rate and accuracy",
}
_MANY_ROWS = 60


def draw(source: Source) -> None:
    """The section that the address names, and the questions behind the chosen mark."""
    with st.container(horizontal=True):
        section = choice("section", _SECTIONS)
        here = kind_choice(source)
    labels = here.labels()
    if not labels:
        st.caption("These questions have no labels that differ.")
        return
    with behind.beside(here):
        _DRAWN[section](here, labels)


def _choices(labels: list[str]) -> tuple[str, str, str]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = pick("by", titles(labels), "Label")
        measure = pick("measure", MEASURE_NAMES, "Measure", width=170)
        return label, measure, pick("order", ORDERS, "Sort", width=170)


# -- one label -------------------------------------------------------------------------------------


def _bars(source: Source, labels: list[str]) -> None:
    label, measure, order = _choices(labels)
    draw_marks(
        source.keep(
            f"bars.{label}.{measure}.{order}",
            lambda: _bars_chart(source, label, measure),
            drawn=True,
        )
    )


def _bars_chart(source: Source, label: str, measure: str) -> Chart:
    title, make = MEASURES[measure]
    found = source.tally(label, "model")
    values = [value for value in in_order(label, {value for value, _ in found}) if value]
    series = source.series()
    rows: list[Row] = []
    entries: list[Entry] = []
    by_value = {
        value: tuple(make(found.get((value, one.name), Tally())) for one in series)
        for value in values
    }
    for value in sorted_rows(values, by_value)[:_MANY_ROWS]:
        estimates = by_value[value]
        marks = tuple(mark_of_label(source, label, value, one.name, measure) for one in series)
        rows.append(Row(value, ACCENT[source.theme], estimates, marks))
        entries += [
            (
                f"{value}, {one.name}",
                f"{measure}_by_label",
                f"{one.name}, {source.kind or 'both'}, {label}, {value}",
                estimate,
                mark,
            )
            for one, estimate, mark in zip(series, estimates, marks, strict=True)
        ]
    without = sum(one.asked for (value, _), one in found.items() if not value)
    left_out = f" {without:,} answers to questions without this label are left out." * bool(without)
    rest = f" The first {_MANY_ROWS} of {len(values)}." if len(values) > _MANY_ROWS else ""
    return Chart(
        name=f"ebmqa_{label}_{measure}",
        title=f"{title} by {worded(label)}",
        n=f"{said_kind(source)} One sign per model, with Wilson's 95% intervals. {GREY_NOTE}"
        f"{left_out}{rest}",
        alt=f"{title} of each model for each value of {worded(label)}.",
        figure=rows_figure(
            rows,
            series,
            Axis(title, "percent", high=1),
            theme=source.theme,
            close=len(series) > FEW_SERIES,
        ),
        series=tuple(series),
        table=table_of(entries),
        undefined=undefined(entries)[:12],
        marks=tuple(mark for *_, mark in entries),
    )


# -- two labels ------------------------------------------------------------------------------------


def _cross(source: Source, labels: list[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = pick("by", titles(labels), "Rows")
        others = {"model": "Model", **titles([one for one in labels if one != label])}
        across = pick("across", others, "Columns")
        measure = pick("measure", MEASURE_NAMES, "Measure", width=170)
    draw_marks(
        source.keep(
            f"cross.{label}.{across}.{measure}",
            lambda: _cross_chart(source, label, across, measure),
            drawn=True,
        )
    )


def _cross_chart(source: Source, label: str, across: str, measure: str) -> Chart:
    title, make = MEASURES[measure]
    found = source.tally(label, across)
    rows = [value for value in in_order(label, {one for one, _ in found}) if value]
    columns = [value for value in in_order(across, {one for _, one in found}) if value]
    estimates = {
        (row, column): make(found.get((row, column), Tally())) for row in rows for column in columns
    }
    drawn = [one.value for one in estimates.values() if one.value is not None and one.n >= FEW]
    low, high = (min(drawn), max(drawn)) if drawn else (0.0, 1.0)
    span = (high - low) or 1.0
    kind = (("kind", source.kind),) if source.kind else ()

    def cell(row: str, column: str) -> Cell:
        one = estimates[row, column]
        state = STATE_OF.get(measure, "")
        if across == "model":
            mark = nav.mark_of(Behind((*kind, (label, row)), column, state))
        else:
            mark = nav.mark_of(Behind((*kind, (label, row), (across, column)), "", state))
        text = number(one.value, "percent") if one.value is not None else "–"
        few = one.n < FEW
        depth = 0.0 if one.value is None or few else (one.value - low) / span
        return Cell(
            depth,
            f"({text})" if few and one.value is not None else text,
            f"{row}, {column}: {spoken(one, 'percent')}",
            mark,
        )

    short = all(len(column) <= 12 for column in columns) and len(columns) <= 5
    heads = columns if short else [str(at + 1) for at in range(len(columns))]
    named = (
        ""
        if short
        else " Columns: "
        + ", ".join(f"{at + 1} {column}" for at, column in enumerate(columns))
        + "."
    )
    heat = [
        HeatRow(row, ACCENT[source.theme], tuple(cell(row, column) for column in columns))
        for row in rows[:_MANY_ROWS]
    ]
    entries = [
        (
            f"{row}, {column}",
            f"{measure}_by_two_labels",
            f"{label}={row}, {across}={column}",
            estimates[row, column],
            cell(row, column).mark,
        )
        for row in rows
        for column in columns
    ]
    return Chart(
        name=f"ebmqa_{label}_{across}_{measure}",
        title=f"{title} by {worded(label)} and {worded(across)}",
        n=f"{said_kind(source)} Deeper is higher, from {number(low, 'percent')} to"
        f" {number(high, 'percent')}; in brackets and pale: n below 10.{named}",
        note="Models are added up where they are not a column. The table has every interval and n.",
        alt=f"A heat map of {title.lower()}.",
        figure=heat_figure(heat, heads, theme=source.theme) if heat and columns else None,
        table=table_of(entries),
        marks=tuple(mark for *_, mark in entries),
    )


_DRAWN: dict[str, Callable[[Source, list[str]], None]] = {
    "bars": _bars,
    "cross": _cross,
    "gaps": compared.draw_gaps,
    "forest": compared.draw_forest,
    "rate": compared.draw_rate,
}
