"""Models against models on the questions that both answered: who beats whom, and where."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.ebmqa.explore.where import CELLS, Behind, worded
from medlens.ebmqa.metrics import Paired
from medlens.review.charts import GREY_NOTE, Axis, Cell, Chart, Entry, HeatRow
from medlens.stats.estimate import Estimate
from medlens.stats.words import number, p_text
from medlens.ui.charts import csv_button
from medlens.ui.ebmqa import behind, nav
from medlens.ui.ebmqa.source import Source
from medlens.ui.ebmqa.widgets import (
    NONE,
    choice,
    draw_marks,
    kind_choice,
    pick,
    rows_chart,
    said_kind,
    table_of,
    titles,
)
from medlens.ui.figures.lines import ACCENT, heat_figure

_SECTIONS = {"all": "All pairs", "two": "Two models"}


def draw(source: Source) -> None:
    """All pairs as a map, or two models by label, and the questions behind the chosen mark."""
    with st.container(horizontal=True):
        section = choice("section", _SECTIONS)
        here = kind_choice(source)
    if len(here.models) < 2:
        st.caption("It takes two models: change the filter, or run another model.")
        return
    with behind.beside(here):
        if section == "all":
            draw_marks(here.keep("models.map", lambda: _map(here), drawn=True))
            _pairs_table(here)
        else:
            _two(here)


def _map(source: Source) -> Chart:
    found = source.pairs()
    known = {(one.first, one.second): one for one in found}
    models = source.models
    most = max((abs(one.difference.value or 0) for one in found), default=0) or 1.0
    rows = []
    for model in models:
        cells = tuple(_cell(known, model, other, source, most) for other in models)
        rows.append(HeatRow(model, ACCENT[source.theme], cells))
    heads = [str(at + 1) for at in range(len(models))]
    named = ", ".join(f"{at + 1} {model}" for at, model in enumerate(models))
    entries: list[Entry] = [
        (
            f"{one.first}, {one.second}",
            "mcnemar_difference",
            f"{source.kind or 'both'}, {one.first} against {one.second}",
            one.difference,
            _mark(source, one, "discordant"),
        )
        for one in found
    ]
    return Chart(
        name="ebmqa_pairs",
        title="Who is right where the other is not",
        n=f"{said_kind(source)} By how many points the model of the row is right more often than"
        f" that of the column, on the questions that both answered. Columns: {named}.",
        note="Right is exactly right. The table has each difference with its interval; McNemar's"
        " exact test below is corrected over all pairs (Benjamini-Hochberg).",
        alt="A map of differences in accuracy between all pairs of models.",
        figure=heat_figure(rows, heads, theme=source.theme),
        table=table_of(entries),
        marks=tuple(mark for *_, mark in entries),
    )


def _cell(
    known: dict[tuple[str, str], Paired], model: str, other: str, source: Source, most: float
) -> Cell:
    one = known.get((model, other))
    turned = one is None
    one = one or known.get((other, model))
    if one is None or one.difference.value is None:
        return Cell(0.0, "", f"{model}: no question in common", "")
    value = -one.difference.value if turned else one.difference.value
    wins = one.second_only if turned else one.first_only
    losses = one.first_only if turned else one.second_only
    text = f"{100 * value:+.1f}".replace("-", "−")
    hover = (
        f"{model} right and {other} wrong on {wins:,}, the other way on {losses:,} of {one.n:,};"
        f" p {p_text(one.p_fdr)}"
    )
    # The row's name is before the column's in the list behind, so that it reads as on the map.
    cell = "second_only" if turned else "first_only"
    return Cell(max(value, 0.0) / most, text, hover, _mark(source, one, cell))


def _mark(source: Source, one: Paired, cell: str, *labels: tuple[str, str]) -> str:
    kind = (("kind", source.kind),) if source.kind else ()
    return nav.mark_of(Behind((*kind, *labels), one.first, "", one.second, cell))


def _pairs_table(source: Source) -> None:
    """The four cells of every pair; a click on a row lists the questions they differ on."""
    found = source.pairs()
    table = source.keep("pairs.table", lambda: _rows(found, "pair"))
    st.markdown("##### The same questions", help="A click on a row lists where the two differ.")
    behind.marked_table(
        table,
        "ebmqa.pairs",
        [_mark(source, one, "discordant") for one in found],
        alt="Pairs of models by whether each was right",
    )
    csv_button(table, "ebmqa_mcnemar")


def _rows(found: list[Paired], what: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                **(
                    {"first": one.first, "second": one.second}
                    if what == "pair"
                    else {what: one.group or NONE}
                ),
                "questions": one.n,
                "both right": one.both,
                "first only": one.first_only,
                "second only": one.second_only,
                "neither": one.neither,
                "better": one.better,
                "p": p_text(one.test.p),
                "p, FDR": p_text(one.p_fdr),
            }
            for one in found
        ]
    )


def _two(source: Source) -> None:
    names = {name: name for name in source.models}
    labels = source.labels()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = pick("first", names, "First", width=170)
        others = {name: name for name in source.models if name != first}
        second = pick("second", others, "Second", width=170)
        label = pick("by", titles(labels), "By") if labels else ""
    whole = source.pairs_by(first, second, "")
    if not whole or not whole[0].n:
        st.caption("These two answered no question both.")
        return
    one = whole[0]
    st.markdown(
        "##### On all of them",
        help="McNemar's exact test on the questions that exactly one of them has right.",
    )
    st.text(
        f"{one.n:,} questions both answered. {first} alone is right on {one.first_only:,},"
        f" {second} alone on {one.second_only:,}; difference"
        f" {number(one.difference.value, 'percent')}, p {p_text(one.test.p)}.",
        width="stretch",
    )
    cells = [name for name in CELLS if name != "discordant"]
    table = pd.DataFrame(
        {
            "where": [CELLS[name].format(first=first, second=second) for name in cells],
            "questions": [getattr(one, name) for name in cells],
        }
    )
    behind.marked_table(
        table,
        "ebmqa.cells",
        [_mark(source, one, name) for name in cells],
        alt="Questions by which of the two is right",
    )
    if label:
        draw_marks(
            source.keep(
                f"two.{first}.{second}.{label}",
                lambda: _by_label(source, first, second, label),
                drawn=True,
            )
        )


def _by_label(source: Source, first: str, second: str, label: str) -> Chart:
    found = source.pairs_by(first, second, label)
    entries: list[Entry] = []
    for one in found:
        mark = _mark(source, one, "discordant", (label, one.group))
        group = f"{source.kind or 'both'}, {first} against {second}, {label}, {one.group}"
        difference = one.difference
        if difference.defined:
            # The p that is drawn beside many others is the corrected one.
            difference = Estimate(
                difference.value,
                difference.low,
                difference.high,
                difference.n,
                f"{difference.method}, Benjamini-Hochberg",
                p=one.p_fdr,
            )
        entries.append((one.group, "mcnemar_difference_by_label", group, difference, mark))
    return rows_chart(
        source.theme,
        f"two_{label}",
        entries,
        Axis("Difference", "percent", zero=True),
        title=f"{first} against {second} by {worded(label)}",
        n=f"{said_kind(source)} Right of zero: {first} is right more often. Differences on shared"
        f" questions with 95% intervals. {GREY_NOTE}",
        note="The table's p is McNemar's, corrected over the sub-labels (Benjamini-Hochberg).",
        kind="point",
    )
