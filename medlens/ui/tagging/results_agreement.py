"""The charts about agreement: on each label of a response, and on the marked words."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from medlens.stats.estimate import Estimate
from medlens.ui.chart_figures import ACCENT, Axis, Row, rows_figure
from medlens.ui.charts import Chart, Series, number
from medlens.ui.tagging.results_data import Source
from medlens.ui.tagging.results_labels import estimates_table
from medlens.ui.tagging.results_marks import mark_id

READING = (
    "1 is full agreement, 0 what chance alone would give, below 0 less than chance; when the "
    "interval reaches 0, these raters cannot be told from chance."
)
_AXIS = Axis("Krippendorff's alpha", low=-0.1, high=0.4, zero=True)


def summary(source: Source) -> str:
    """The agreement over all labels in one sentence, to stand beside any figure about labels."""
    alphas = [one.alpha for one in source.agreement.values()]
    known = sorted(one.value for one in alphas if one.value is not None)
    if not known:
        reason = alphas[0].reason if alphas else "there are no labels"
        return f"Agreement between raters is undefined, because {reason}."
    return (
        f"Agreement between raters on single labels (alpha): {number(known[0])} to "
        f"{number(known[-1])}, where 1 is full agreement and 0 is chance."
    )


def labels_chart(source: Source) -> Chart:
    """Alpha by label and on whole label sets, with the other measures in the table."""
    return source.keep("chart.agreement", lambda: _labels(source), drawn=True)


def _labels(source: Source) -> Chart:
    found, sets = source.agreement, source.set_agreement
    rows = [
        Row(
            source.numbered(label),
            source.label(label).colour,
            (one.alpha,),
            (mark_id("agreement", label),),
            aside=_used(one.use),
        )
        for label, one in found.items()
    ]
    rows += [
        Row(f"Whole label set ({_SETS[name]})", ACCENT[source.theme], (one,), (mark_id("all"),))
        for name, one in sets.items()
    ]
    table = [
        _measures(source.label(label).name, one.alpha)
        | {
            "AC1": one.ac1.value,
            "AC1 low": one.ac1.low,
            "AC1 high": one.ac1.high,
            "Fleiss' kappa": _said(one.fleiss),
            "percent agreement": one.percent.value,
            "share of judgments": one.use.value,
        }
        for label, one in found.items()
    ]
    table += [_measures(f"whole label set, {_SETS[name]}", one) for name, one in sets.items()]
    alphas = {source.label(x).name: one.alpha for x, one in found.items()}
    alphas |= {f"Whole label set ({_SETS[name]})": one for name, one in sets.items()}
    any_alpha = next(iter(alphas.values()))
    return Chart(
        name="agreement",
        title="How far raters agree on each label",
        n=f"{any_alpha.n:,} responses with two raters or more, {any_alpha.pairs or 0:,} pairs of "
        f"ratings, {number(any_alpha.coverage, 'percent') or 'none'} of the responses judged. "
        "Bars are 95% intervals.",
        note="Nominal alpha; intervals by smoothed resampling of responses. Where a label is "
        "rare, compare AC1 in the table, which depends less on prevalence.",
        alt="Points with intervals: Krippendorff's alpha of each label.",
        figure=rows_figure(rows, [Series("alpha", "point")], _AXIS, theme=source.theme),
        table=pd.DataFrame(table),
        marks=(*(mark_id("agreement", x) for x in found), *(mark_id("all") for _ in sets)),
        undefined=_reasons(alphas),
    )


_SETS = {"masi": "MASI distance", "jaccard": "Jaccard distance"}


def _used(use: Estimate) -> str:
    return f"given in {number(use.value, 'percent')} of judgments" if use.defined else ""


def _measures(name: str, one: Estimate) -> dict[str, object]:
    return {
        "label": name,
        "alpha": one.value,
        "low": one.low,
        "high": one.high,
        "n items": one.n,
        "n pairs": one.pairs,
        "coverage": one.coverage,
        "undefined": "" if one.defined else f"undefined, because {one.reason}",
    }


def _said(one: Estimate) -> str:
    return f"{one.value:.3f}" if one.value is not None else f"undefined, because {one.reason}"


def _reasons(found: dict[str, Estimate]) -> tuple[str, ...]:
    return tuple(
        f"{name}: undefined, because {one.reason}."
        for name, one in found.items()
        if not one.defined
    )


def words_chart(source: Source) -> Chart:
    """Alpha over single words by label: whether raters mark the same words."""
    return source.keep("chart.words", lambda: _words(source), drawn=True)


def _words(source: Source) -> Chart:
    found = source.span_agreement.tokens
    rows = [
        Row(
            source.numbered(label),
            source.label(label).colour,
            (one,),
            (mark_id("agreement", label),),
        )
        for label, one in found.items()
    ]
    first = next(iter(found.values()))
    return Chart(
        name="agreement_words",
        title="How far raters agree on the words of each label",
        n=f"{first.n:,} responses on which two raters or more have marks with a known place"
        f" ({number(first.coverage, 'percent') or 'none'} of the responses judged).",
        note="Each word of a response either lies in a mark with the label or does not.",
        alt="Points with intervals: alpha over words for each label.",
        figure=rows_figure(
            rows,
            [Series("alpha", "point")],
            replace(_AXIS, title="Alpha over words"),
            theme=source.theme,
        ),
        table=estimates_table([("alpha_tokens", label, one) for label, one in found.items()]),
        marks=tuple(mark_id("agreement", label) for label in found),
        undefined=_reasons({source.label(x).name: one for x, one in found.items()}),
    )


def spans_chart(source: Source) -> Chart:
    """F1 between raters' marks, exact and overlapping, with the label and without."""
    return source.keep("chart.spans", lambda: _spans(source), drawn=True)


def _spans(source: Source) -> Chart:
    found, colour = source.span_agreement, ACCENT[source.theme]
    rows = [
        ("Exactly the same words and label", "span_f1_exact", "same label", found.exact),
        ("Exactly the same words", "span_f1_exact", "any label", found.exact_any_label),
        ("Overlapping words, same label", "span_f1_overlap", "same label", found.overlap),
        ("Overlapping words", "span_f1_overlap", "any label", found.overlap_any_label),
    ]
    return Chart(
        name="agreement_spans",
        title="How often one rater's mark is found by another",
        n=f"F1 between raters, {found.overlap.n:,} responses with two raters or more"
        f" ({number(found.overlap.coverage, 'percent') or 'none'} of those judged).",
        note="1: every mark of one rater is a mark of the other. Chance is not taken out.",
        alt="Points with intervals: F1 between raters' marks, exact and overlapping.",
        figure=rows_figure(
            [Row(name, colour, (one,), (mark_id("all"),)) for name, _, _, one in rows],
            [Series("F1", "point")],
            Axis("F1", low=0, high=1),
            theme=source.theme,
        ),
        table=estimates_table([(figure, group, one) for _, figure, group, one in rows]),
        marks=tuple(mark_id("all") for _ in rows),
        undefined=_reasons({name: one for name, _, _, one in rows}),
    )
