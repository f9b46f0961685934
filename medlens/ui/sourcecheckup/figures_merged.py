"""The charts of the sensitivity check: each source alone beside sources merged."""

from __future__ import annotations

from dataclasses import replace

from medlens.review.charts import Chart
from medlens.sourcecheckup.merged.metrics import MERGED_FIGURES
from medlens.ui.address import mark_id
from medlens.ui.sourcecheckup.data import Source
from medlens.ui.sourcecheckup.figures_charts import (
    GREY_NOTE,
    GROUPINGS,
    Entry,
    groups_of,
    rows_chart,
    table_of,
)

_THINGS = {
    "statement": ("statements", "Statements that are decided both ways."),
    "response": ("answers", "Answers that are decided both ways; all their statements count."),
}


def merged_chart(source: Source, what: str, by: str) -> Chart:
    """Support of statements or answers ("response"), each source alone and all merged."""
    return source.keep(f"chart.merged.{what}.{by}", lambda: _merged(source, what, by), drawn=True)


def _merged(source: Source, what: str, by: str) -> Chart:
    both: list[list[Entry]] = []
    for way in ("alone", "merged"):
        figure = f"{what}_support_{way}"
        both.append(
            [
                (group, figure + GROUPINGS[by], group, one, filters and mark_id("pairs", filters))
                for group, one, filters in groups_of(source.merged, figure, by)
            ]
        )
    alone, merged = both
    things, counted = _THINGS[what]
    chart = rows_chart(
        source,
        f"merged_{what}_{by}",
        alone,
        title=f"Supported {things}, sources alone and merged",
        n=f"{counted} {GREY_NOTE}",
        beside=[one for *_, one, _ in merged],
        legend=("Each source alone", "Sources merged"),
        note="Merged: the verifier sees all readable sources of the answer at once. Where one can"
        " be read there is nothing to merge, and its verdict holds both ways. Intervals allow"
        " for statements of one question being alike.",
    )
    rows = alone + merged
    return replace(chart, table=table_of(rows), marks=tuple(mark for *_, mark in rows))


def changed_chart(source: Source) -> Chart:
    """What merging changes: statements that stay unsupported, and supported ones that do not."""
    return source.keep("chart.merged.changed", lambda: _changed(source), drawn=True)


_LEADS = {"merged_still_unsupported": "unsupported", "merged_no_longer_supported": "supported"}


def _changed(source: Source) -> Chart:
    entries: list[Entry] = []
    for figure, state in _LEADS.items():
        for by in ("all", "model"):
            for group, one, filters in groups_of(source.merged, figure, by):
                label = MERGED_FIGURES[figure] + ("" if by == "all" else f", {group}")
                mark = mark_id("pairs", *filter(None, (filters, f"state={state}")))
                entries.append((label, figure + GROUPINGS[by], group, one, mark))
    return rows_chart(
        source,
        "merged_changed",
        entries,
        title="What merging the sources changes",
        n="Statements put to the verifier with two or more sources: of those that no source"
        f" supports alone, and of those that one does. {GREY_NOTE}",
    )
