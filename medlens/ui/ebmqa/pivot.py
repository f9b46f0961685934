"""A table of one's own: rows, columns, measure, test."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.ebmqa import metrics
from medlens.ebmqa.explore.where import COUNTED, DIMENSIONS, SEVERAL, Behind, in_order, worded
from medlens.ebmqa.metrics import MEASURES, Pivot
from medlens.stats.estimate import Estimate
from medlens.stats.words import FEW, counted, number, p_text
from medlens.ui.charts import csv_button
from medlens.ui.ebmqa import behind, nav
from medlens.ui.ebmqa.source import Source
from medlens.ui.ebmqa.widgets import (
    MEASURE_NAMES,
    NONE,
    apart,
    kind_choice,
    pick,
    said_kind,
    titles,
)

_SHOW = {"value": "Value", "interval": "Value and interval", "counts": "Value and counts"}
_TESTS = {"none": "None", "columns": "Columns within each row", "rows": "Rows, all columns"}
_TOTAL = "all"


def draw(source: Source) -> None:
    """The table that the address asks for; a click on a cell lists its questions."""
    here = kind_choice(source)
    counted = [name for name in COUNTED if name not in here.labels()]
    names = {**titles([*here.labels(), *counted]), "model": DIMENSIONS["model"]}
    if len(here.keep_whole("variants", here.explorer.variants)) > 1:
        names["prompt"] = DIMENSIONS["prompt"]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        row = pick("rows", names, "Rows", width=190)
        others = {name: title for name, title in names.items() if name != row}
        column = pick("columns", others, "Columns", first="model", width=190)
        measure = pick("measure", MEASURE_NAMES, "Measure", width=170)
        test = pick("test", _TESTS, "Test", width=200)
        show = pick("show", _SHOW, "Cells", width=190)
    with behind.beside(here):
        found = here.keep(
            f"pivot.{row}.{column}.{measure}",
            lambda: metrics.pivot(
                here.table(row, column),
                row,
                column,
                measure,
                alone=here.table(row) if column in SEVERAL else None,
            ),
        )
        _draw(here, found, row, column, measure, test, show)


def _draw(
    source: Source, found: Pivot, row: str, column: str, measure: str, test: str, show: str
) -> None:
    rows = in_order(row, found.rows)
    columns = in_order(column, found.columns)
    title = MEASURES[measure][0]
    st.markdown(
        f"##### {title}: {worded(row)} by {worded(column)}",
        help="Chi-square without Yates' correction, totals rounded to whole numbers; p over the"
        " rows is corrected (Benjamini-Hochberg).",
    )
    few = sum(0 < one.n < FEW for one in found.cells.values())
    pooled = len(source.models) > 1 and "model" not in (row, column)
    st.caption(
        f"{said_kind(source)} Wilson's 95% intervals."
        + (f" In brackets: n below {FEW}." if few else "")
        + (
            f" The answers of {len(source.models)} models are added up, so that a question counts"
            " for each; filter to one model for a test."
            if pooled
            else ""
        )
    )
    why_not = _not_tested(source, row, column)
    tested = test == "columns" and not why_not
    # A value may be called as a column of ours is.
    heads = apart([DIMENSIONS[row], *(one or NONE for one in columns), _TOTAL, "p", "p, FDR"])
    table = pd.DataFrame(
        [
            dict(
                zip(
                    heads,
                    [
                        value or NONE,
                        *(_text(found.cells.get((value, one)), show) for one in columns),
                        _text(found.row_totals[value], show),
                        *(_p_of(found, value) if tested else ()),
                    ],
                    strict=False,
                )
            )
            for value in rows
        ]
    )
    if table.empty:
        st.caption("No answer meets this.")
        return
    key = "ebmqa.pivot"

    def chosen() -> None:
        cells = st.session_state[key]["selection"]["cells"]
        at, name = cells[0] if cells else (len(rows), "")
        if at >= len(rows):
            nav.follow("")
            return
        place = (heads.index(name) if isinstance(name, str) else int(name)) - 1
        there = columns[place] if 0 <= place < len(columns) else None
        asked_so = {row: rows[at], column: there}.get("prompt") or ""
        nav.follow(_mark(source, (row, rows[at]), (column, there)), prompt=asked_so)

    st.dataframe(
        table,
        key=key,
        hide_index=True,
        on_select=chosen,
        selection_mode="single-cell",
        alt=f"{title} by {row} and {column}; a click on a cell lists its questions",
        height=min(38 + 35 * len(table), 700),
    )
    csv_button(_long(found, rows, columns, row, column), "ebmqa_pivot")
    if test != "none" and why_not:
        st.caption(f"Not tested: {why_not}.")
    elif test == "rows":
        one = found.whole
        freedom = f"{one.df} degree{'' if one.df == 1 else 's'} of freedom"
        st.caption(
            f"Whether the rows differ: chi-square {number(one.statistic)}, {freedom},"
            f" p {p_text(one.p)}, n {one.n:,}."
            if one.p is not None
            else f"Not tested: {one.reason}."
        )


def _not_tested(source: Source, row: str, column: str) -> str:
    """Why chi-square does not fit: it asks for answers that are independent of each other."""
    if row in SEVERAL or column in SEVERAL:
        return "one question can have several of these"
    if "prompt" in (row, column):
        return "every prompt asks the same questions"
    if len(source.models) > 1:
        return (
            "every model answers the same questions. Filter to one model, or see Models for tests"
            " of two models on the questions that both answered"
        )
    return ""


def _p_of(found: Pivot, value: str) -> tuple[str, str]:
    return p_text(found.row_tests[value].p), p_text(found.p_fdr.get(value))


def _text(one: Estimate | None, show: str) -> str:
    if one is None or one.value is None:
        return "–"
    text = f"{100 * one.value:.1f}%"
    if show == "interval" and one.low is not None and one.high is not None:
        text += f" [{100 * one.low:.1f}–{100 * one.high:.1f}]"
    if show == "counts":
        text += f" {counted(one)}/{one.denominator:,}"
    return f"({text})" if one.n < FEW else text


def _mark(source: Source, *chosen: tuple[str, str | None]) -> str:
    labels = [("kind", source.kind)] if source.kind else []
    model = ""
    for name, value in chosen:
        if value is None or name == "prompt":
            continue
        if name == "model":
            model = value
        else:
            labels.append((name, value))
    return nav.mark_of(Behind(tuple(labels), model))


def _long(found: Pivot, rows: list[str], columns: list[str], row: str, column: str) -> pd.DataFrame:
    """One row per cell with its counts and interval: what the CSV holds."""
    cells = [(r, c, found.cells[r, c]) for r in rows for c in columns if (r, c) in found.cells]
    return pd.DataFrame(
        [
            {
                row: r,
                column: c,
                "numerator": one.total,
                "denominator": one.denominator,
                "value": one.value,
                "low": one.low,
                "high": one.high,
                "n": one.n,
                "method": one.method,
                "reason": one.reason,
            }
            for r, c, one in cells
        ]
    )
