"""Labels compared: gaps between sub-labels, the forest plot, answer rate against accuracy."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pandas as pd
import streamlit as st

from medlens.ebmqa import metrics
from medlens.ebmqa.explore.where import DIMENSIONS, SEVERAL, worded
from medlens.ebmqa.metrics import MEASURES
from medlens.review.charts import GREY_NOTE, Axis, Chart, Row, Series
from medlens.stats.estimate import Estimate
from medlens.stats.figures import FigureRow
from medlens.stats.words import FEW, number, p_text
from medlens.ui.ebmqa import paper
from medlens.ui.ebmqa.source import Source
from medlens.ui.ebmqa.widgets import (
    FEW_SERIES,
    MEASURE_NAMES,
    draw_marks,
    mark_of_label,
    pick,
    said_kind,
    table_of,
    titles,
    with_interval,
)
from medlens.ui.figures.lines import ACCENT, rows_figure
from medlens.ui.figures.planes import Path, Place, plane_figure

_BETTER = ("accuracy", "answer_rate", "accuracy_of_all", "exact", "jaccard")
"""Measures of which more is better."""


def draw_gaps(source: Source, _labels: list[str]) -> None:
    """Best against worst of every label."""
    measure = pick("measure", MEASURE_NAMES, "Measure", width=170)
    draw_marks(
        source.keep(f"gaps.chart.{measure}", lambda: _gaps_chart(source, measure), drawn=True)
    )
    if measure == "accuracy":
        paper.draw_beside(_gap_rows(source), "gaps")


def _gap_rows(source: Source) -> Iterator[FigureRow]:
    """The gaps of accuracy as they are exported."""
    found, kind = source.gaps("accuracy"), source.kind or "both"
    for one in found:
        yield "gap", f"{one.model}, {kind}, {one.label}", one.gap
    yield "median_gap", f"{metrics.ALL_MODELS}, {kind}", metrics.median_gap(found)
    for model in dict.fromkeys(one.model for one in found):
        own = [one for one in found if one.model == model]
        yield "median_gap", f"{model}, {kind}", metrics.median_gap(own)


def _gaps_chart(source: Source, measure: str) -> Chart:
    found = source.gaps(measure)
    top, bottom = ("best", "worst") if measure in _BETTER else ("highest", "lowest")
    series = source.series()
    known = {(one.label, one.model): one for one in found}
    labels = list(dict.fromkeys(one.label for one in found))
    nothing = Estimate.undefined("there is nothing to compare")
    rows = []
    table = []
    marks = []
    missing = []
    for label in labels:
        own = [known.get((label, one.name)) for one in series]
        there = tuple(
            mark_of_label(source, label, one.worst, one.model, measure) if one and one.worst else ""
            for one in own
        )
        if any(one and one.gap.defined for one in own):
            estimates = tuple(one.gap if one else nothing for one in own)
            rows.append(Row(DIMENSIONS[label], ACCENT[source.theme], estimates, there))
        else:
            reason = next((one.gap.reason for one in own if one), nothing.reason)
            missing.append(f"{DIMENSIONS[label]}: undefined, because {reason}.")
        for one, mark in zip(own, there, strict=True):
            if one is not None:
                table.append(
                    {
                        "label": DIMENSIONS[label],
                        "model": one.model,
                        top: one.best,
                        bottom: one.worst,
                        "gap": one.gap.value,
                        "n": one.gap.n,
                        "Cohen's h": one.h,
                        "chi-square": one.test.statistic,
                        "p": p_text(one.test.p),
                        "p, FDR": p_text(one.p_fdr),
                        "not tested": one.test.reason,
                    }
                )
                marks.append(mark)
    middles = [
        (one.name, metrics.median_gap([gap for gap in found if gap.model == one.name]))
        for one in series
    ]
    said = "; ".join(
        f"{name} {number(e.value, 'percent')} [{number(e.low, 'percent')}–"
        f"{number(e.high, 'percent')}]"
        for name, e in middles
        if e.defined
    )
    return Chart(
        name=f"ebmqa_gaps_{measure}",
        title=f"{top.capitalize()} against {bottom} sub-label of each label",
        n=f"{said_kind(source)} Median over the paper's labels [quartiles]: {said}.",
        note="Sub-labels with ten or more only. No interval: the two were picked for being far"
        " apart. The table has chi-square over all sub-labels, its p corrected over each model's"
        f" labels (Benjamini-Hochberg), and Cohen's h between {top} and {bottom}.",
        alt=f"The gap between {top} and {bottom} sub-label for each label and model.",
        figure=rows_figure(
            rows,
            series,
            Axis("Gap", "percent", high=0.3),
            theme=source.theme,
            close=len(series) > FEW_SERIES,
        ),
        series=tuple(series),
        table=pd.DataFrame(table),
        marks=tuple(marks),
        undefined=tuple(missing),
        columns=dict.fromkeys(("gap", "Cohen's h", "chi-square"), "%.3f"),
    )


def draw_forest(source: Source, labels: list[str]) -> None:
    """One model's sub-labels, each against the others."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = pick("by", titles(labels), "Label")
        model = pick("of", {name: name for name in source.models}, "Model")
        measure = pick("measure", MEASURE_NAMES, "Measure", width=170)
    draw_marks(
        source.keep(
            f"forest.{label}.{model}.{measure}",
            lambda: _forest_chart(source, label, model, measure),
            drawn=True,
        )
    )


def _forest_chart(source: Source, label: str, model: str, measure: str) -> Chart:
    own = {
        value: one
        for (value, who), one in source.tally(label, "model").items()
        if who == model and value
    }
    whole = source.tally("model").get((model,)) if label in SEVERAL else None
    found = metrics.against_rest(own, measure, whole=whole)
    marks = tuple(mark_of_label(source, label, one.value, model, measure) for one in found)
    rows = [
        Row(one.value, ACCENT[source.theme], (_logged(one.odds),), (mark,))
        for one, mark in zip(found, marks, strict=True)
        if one.odds.defined
    ]
    table = pd.DataFrame(
        [
            {
                "sub-label": one.value,
                "here": one.here.value,
                "n": one.here.n,
                "others": one.rest.value,
                "odds ratio": with_interval(one.odds),
                "Cohen's h": one.h,
                "p": p_text(one.test.p),
                "p, FDR": p_text(one.p_fdr),
            }
            for one in found
        ]
    )
    title = MEASURES[measure][0]
    return Chart(
        name=f"ebmqa_forest_{label}_{measure}",
        title=f"{title} of {model}: each {worded(label)} against the others",
        n=f"{said_kind(source)} Odds ratios with Woolf's 95% intervals; right of 1 is higher."
        f" {GREY_NOTE}",
        alt="The odds ratio of each sub-label against the others.",
        note="Counts are rounded to whole numbers first. P values are chi-square's, corrected over"
        " the sub-labels (Benjamini-Hochberg).",
        figure=rows_figure(
            rows,
            [Series("odds ratio", "point")],
            Axis("Odds ratio", "odds", zero=True),
            theme=source.theme,
        )
        if rows
        else None,
        table=table,
        marks=marks,
        undefined=tuple(
            f"{one.value}: undefined, because {one.odds.reason}."
            for one in found
            if not one.odds.defined
        ),
        columns=dict.fromkeys(("here", "others", "Cohen's h"), "%.3f"),
    )


def draw_rate(source: Source, labels: list[str]) -> None:
    """Sub-labels by answer rate and accuracy, with Spearman's correlation."""
    options = {"": "All labels", **titles(labels)}
    label = pick("over", {name or "all": title for name, title in options.items()}, "Label")
    draw_marks(source.keep(f"labels.rate.{label}", lambda: _rate_chart(source, label), drawn=True))
    if label in ("all", "discipline"):
        figure = "spearman_rate_accuracy" + "_disciplines" * (label == "discipline")
        paper.draw_beside(
            (
                (figure, f"{name}, {source.kind or 'both'}", rho)
                for name, rho in _correlations(source, label).items()
            ),
            "rate",
        )


def _correlations(source: Source, over: str) -> dict[str, Estimate]:
    """Each model's answer rate with its accuracy over the sub-labels of one label, or of all."""
    often = metrics.OFTEN_ASKED if over == "discipline" else 0
    return {
        one.name: metrics.rate_against_accuracy(
            _tallies_of(source, one.name, over), asked_more_than=often
        )
        for one in source.series()
    }


def _tallies_of(source: Source, name: str, over: str) -> dict[tuple[str, str], metrics.Tally]:
    return metrics.divided(
        {
            (label, value): tally
            for label, found in source.by_labels().items()
            if over in ("all", label)
            for (model, value), tally in found.items()
            if model == name
        }
    )


def _rate_chart(source: Source, over: str) -> Chart:
    rate, right = MEASURES["answer_rate"][1], MEASURES["accuracy"][1]
    series = source.series()
    correlations = _correlations(source, over)
    paths, entries, said = [], [], []
    for one in series:
        places = []
        for (label, value), tally in _tallies_of(source, one.name, over).items():
            if tally.answered < FEW:
                continue
            name = f"{one.name}, {DIMENSIONS[label]}: {value}"
            mark = mark_of_label(source, label, value, one.name, "")
            places.append(Place(name, rate(tally), right(tally), mark))
            group = f"{one.name}, {source.kind or 'both'}, {label}, {value}"
            entries += [
                (name, "answer_rate_by_label", group, places[-1].across, mark),
                (name, "accuracy_by_label", group, places[-1].up, mark),
            ]
        paths.append(Path(one.name, one.colour, one.symbol, tuple(places)))
        rho = correlations[one.name]
        if rho.defined:
            interval = "" if rho.low is None else f" [{number(rho.low)} to {number(rho.high)}]"
            said.append(f"{one.name} {number(rho.value)}{interval}, p {p_text(rho.p)}, n {rho.n}")
        else:
            said.append(f"{one.name} undefined, because {rho.reason}")
    return Chart(
        name="ebmqa_label_rate",
        title="Answer rate against accuracy over sub-labels",
        n=f"{said_kind(source)} Spearman's rho: {'; '.join(said)}"
        + (
            f" (as in the paper, disciplines asked more than {metrics.OFTEN_ASKED} times)"
            if over == "discipline"
            else ""
        )
        + ". Sub-labels with ten answers or more; bars are Wilson's 95% intervals.",
        alt="Sub-labels of each model by answer rate and accuracy.",
        series=tuple(series),
        figure=plane_figure(paths, "Answer rate", "Accuracy", theme=source.theme, whole=False),
        table=table_of(entries),
        marks=tuple(mark for *_, mark in entries),
    )


def _logged(one: Estimate) -> Estimate:
    """An odds ratio as its logarithm, which is what is drawn."""

    def of(value: float | None) -> float | None:
        return None if value is None else math.log(value)

    return Estimate(of(one.value), of(one.low), of(one.high), one.n, one.method)
