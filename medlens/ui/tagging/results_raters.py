"""The charts about raters: severity, labels for no error, time, gold items; and broken rules."""

from __future__ import annotations

import pandas as pd

from medlens.stats.estimate import Estimate
from medlens.tagging import metrics
from medlens.tagging.metrics_raters import BREACHES, NO_REFERENCE
from medlens.ui.chart_figures import ACCENT, Axis, Row, rows_figure
from medlens.ui.charts import FEW, Chart, Series, number
from medlens.ui.tagging.results_data import Source
from medlens.ui.tagging.results_labels import estimates_table
from medlens.ui.tagging.results_marks import mark_id

_GREY = f"Grey: n below {FEW}."


def views(source: Source) -> dict[str, str]:
    """What can be asked about raters: id and name."""
    tags = source.tags
    shares = {
        f"share.{label}": source.label(label).name
        for label, error in zip(tags.labels, tags.is_error, strict=True)
        if not error
    }
    gold = {"gold": "Gold items"} if source.gold else {}
    return {"severity": "Severity", "time": "Time", **shares, **gold}


def raters_chart(source: Source, view: str) -> Chart:
    """One of ``views``, a line per rater."""
    return source.keep(f"chart.raters.{view}", lambda: _chart(source, view), drawn=True)


def _chart(source: Source, view: str) -> Chart:
    if view == "time":
        return _time(source)
    if view == "gold":
        return _gold(source)
    severity = metrics.severity(source.tags)
    if view == "severity":
        errors = pd.Series([one.errors.value for one in severity.values()], dtype=float)
        return _forest(
            source,
            {rater: one.difference for rater, one in severity.items()},
            name="severity",
            figure="rater_severity",
            title="Who finds more errors than the others",
            n="Error labels per response, against the mean of the response's other raters"
            f" (0: as many), with 95% intervals. Raters give {number(errors.mean())} error labels"
            f" per response on average. {_GREY}",
            axis=Axis("More or fewer error labels per response", low=-0.5, high=0.5, zero=True),
        )
    label = view.removeprefix("share.")
    return _forest(
        source,
        {rater: one.non_error[label] for rater, one in severity.items()},
        name=f"share_{label}",
        figure=f"rater_share_{label}",
        title=f"Share given “{source.label(label).name}”",
        n=f"Share of each rater's responses, with 95% intervals. {_GREY}",
        axis=Axis("Share of the rater's responses", "percent", high=1.0),
    )


def _time(source: Source) -> Chart:
    overall, by_rater = metrics.times(source.tags)
    said = (
        f"Median {number(overall.value, 'minutes')}, quartiles {number(overall.low, 'minutes')} to "
        f"{number(overall.high, 'minutes')}, over {overall.n:,} judgments with a known time"
        if overall.defined
        else f"Undefined, because {overall.reason}"
    )
    return _forest(
        source,
        by_rater,
        name="time",
        figure="rater_seconds_per_item",
        title="Active time per response",
        n=f"{said}. Points are medians, lines reach from quartile to quartile. {_GREY}",
        axis=Axis("Minutes", "minutes", high=60.0),
    )


def _gold(source: Source) -> Chart:
    return _forest(
        source,
        source.gold,
        name="gold",
        figure="gold_hit_rate",
        title="Gold responses tagged as expected",
        kind="gold",
        n="A hit has every expected label and none of the other kind (error or not). 95% intervals."
        f" {_GREY}",
        axis=Axis("Share of the gold responses judged", "percent", high=1.0),
    )


def _forest(
    source: Source,
    found: dict[str, Estimate],
    *,
    name: str,
    figure: str,
    title: str,
    n: str,
    axis: Axis,
    kind: str = "rater",
) -> Chart:
    """Raters from the highest to the lowest; those without a value come last, in words."""
    colour = ACCENT[source.theme]
    order = sorted(found, key=lambda rater: (-(found[rater].value or 0.0), rater))
    drawn = [rater for rater in order if found[rater].defined]
    rows = [Row(r, colour, (found[r],), (mark_id(kind, r),)) for r in drawn]
    reasons: dict[str, list[str]] = {}
    for rater in order:
        if not found[rater].defined:
            reasons.setdefault(found[rater].reason, []).append(rater)
    return Chart(
        name=f"raters_{name}",
        title=title,
        n=n,
        alt=f"Points with intervals, a line per rater: {title}.",
        figure=rows_figure(rows, [Series("value", "point")], axis, theme=source.theme, dense=True)
        if rows
        else None,
        table=estimates_table([(figure, rater, found[rater]) for rater in order]),
        marks=tuple(mark_id(kind, rater) for rater in order),
        undefined=tuple(
            f"Undefined, because {reason}: {', '.join(who)}." for reason, who in reasons.items()
        ),
    )


def breaches(source: Source) -> tuple[pd.DataFrame, list[str]]:
    """Judgments that break a rule, as a table, and how many break each, in words."""
    return source.keep("breaches", lambda: _breaches(source))


def _breaches(source: Source) -> tuple[pd.DataFrame, list[str]]:
    found = metrics.breaches(source.tags)
    table = pd.DataFrame(
        {
            "response": found["item"],
            "rater": found["rater"],
            "rule broken": found["what"],
            "labels": [
                "; ".join(source.label(label).name for label in given) for given in found["labels"]
            ],
        }
    )
    said = []
    for what in BREACHES:
        broken, of = int((found["what"] == what).sum()), len(metrics.could_break(source.tags, what))
        which = " with a label that asks for one" if what == NO_REFERENCE else ""
        said.append(f"{what}: {broken:,} of {of:,} judgments{which}")
    return table, said
