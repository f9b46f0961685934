"""What the question set is made of: how many questions have each label (the paper's S2, S3)."""

from __future__ import annotations

import streamlit as st

from medlens.ebmqa import metrics
from medlens.ebmqa.explore.where import Behind, in_order, worded
from medlens.review.charts import Axis, Cell, Chart, Entry, HeatRow, Row, Series
from medlens.stats.estimate import Estimate
from medlens.ui.ebmqa import behind, nav
from medlens.ui.ebmqa.source import Source
from medlens.ui.ebmqa.widgets import NONE, draw_marks, kind_choice, pick, table_of, titles
from medlens.ui.figures.lines import ACCENT, heat_figure, rows_figure

_ALONE = "-"


def draw(source: Source) -> None:
    """Questions by one label, or by two crossed."""
    here = kind_choice(source)
    labels = here.labels()
    if not labels:
        st.caption("These questions have no labels that differ.")
        return
    with behind.beside(here):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            label = pick("by", titles(labels), "Label")
            others = {_ALONE: "Nothing", **titles([one for one in labels if one != label])}
            across = pick("across", others, "Crossed with")
        draw_marks(
            here.keep(f"set.{label}.{across}", lambda: _chart(here, label, across), drawn=True)
        )


def _chart(source: Source, label: str, across: str) -> Chart:
    if across != _ALONE:
        return _crossed(source, label, across)
    counts = _counts(source, label)
    total = sum(counts.values())
    values = in_order(label, counts)
    # The export, and the paper, count the whole set.
    of_kind = f"_{source.kind}" * bool(source.kind)
    entries: list[Entry] = []
    rows = []
    shares = metrics.shares_of_set(counts)
    for value in values:
        share = shares[value]
        mark = _mark(source, (label, value))
        entries.append(
            (
                value or NONE,
                f"questions_by_label{of_kind}",
                f"{label}, {value or NONE}",
                share,
                mark,
            )
        )
        rows.append(Row(value or NONE, ACCENT[source.theme], (share,), (mark,)))
    every = Estimate(float(total), None, None, total, "count")
    entries += [
        ("With the label", f"questions_with_label{of_kind}", label, metrics.with_label(counts), ""),
        ("Questions", "questions", source.kind or "all", every, ""),
    ]
    title = f"Questions by {worded(label)}"
    return Chart(
        name=f"ebmqa_set_{label}",
        title=title,
        n=f"{total:,} questions, all of the set: shares have no interval.",
        alt=f"{title}: a bar per value.",
        figure=rows_figure(
            rows,
            [Series("questions")],
            Axis("Share of the questions", "percent", high=0.3),
            theme=source.theme,
        )
        if rows
        else None,
        table=table_of(entries),
        marks=tuple(mark for *_, mark in entries),
    )


def _counts(source: Source, label: str) -> dict[str, int]:
    table = source.explorer.questions(source.where, (label,))
    return {str(v): int(n) for v, n in zip(table[label], table["questions"], strict=True)}


def _mark(source: Source, *labels: tuple[str, str]) -> str:
    kind = (("kind", source.kind),) if source.kind else ()
    return nav.mark_of(Behind((*kind, *labels)))


def _crossed(source: Source, label: str, across: str) -> Chart:
    table = source.explorer.questions(source.where, (label, across))
    counts = {
        (str(a), str(b)): int(n)
        for a, b, n in table[[label, across, "questions"]].itertuples(index=False, name=None)
    }
    rows = in_order(label, {a for a, _ in counts})
    columns = in_order(across, {b for _, b in counts})
    most = max(counts.values(), default=1)
    total = sum(counts.values())
    heat = []
    entries: list[Entry] = []
    for value in rows:
        cells = []
        for other in columns:
            n = counts.get((value, other), 0)
            mark = _mark(source, (label, value), (across, other))
            named = f"{value or NONE}, {other or NONE}"
            cells.append(Cell(n / most, f"{n:,}", f"{named}: {n:,}", mark))
            one = Estimate(float(n), None, None, total, "count", numerator=n, denominator=total)
            entries.append((named, "questions_by_two_labels", named, one, mark))
        heat.append(HeatRow(value or NONE, ACCENT[source.theme], tuple(cells)))
    short = all(len(one) <= 12 for one in columns) and len(columns) <= 5
    heads = [one or NONE for one in columns] if short else [str(n + 1) for n in range(len(columns))]
    named = (
        ""
        if short
        else " Columns: "
        + ", ".join(f"{at + 1} {one or NONE}" for at, one in enumerate(columns))
        + "."
    )
    title = f"Questions by {worded(label)} and {worded(across)}"
    return Chart(
        name=f"ebmqa_set_{label}_{across}",
        title=title,
        n=f"{total:,} questions.{named}",
        alt=f"{title}: a map of counts.",
        figure=heat_figure(heat, heads, theme=source.theme) if heat else None,
        table=table_of(entries),
        marks=tuple(mark for *_, mark in entries),
    )
