"""The list of error tagging's figures.

Source: Roy et al. 2024, "Beyond Accuracy: Investigating Error Types in GPT-4 Responses to USMLE
Questions" (arXiv:2404.13307).
"""

from __future__ import annotations

from medlens.review.figure_definitions import Figure, Figures, Headline
from medlens.studies.tagging import figures_charts as charts
from medlens.studies.tagging import metrics
from medlens.studies.tagging.figures_data import TABLES, TaggingFigureData, load_figure_data
from medlens.studies.tagging.items_behind_chart_marks import find_what_is_behind_mark
from medlens.studies.tagging.tasks import NAME, STUDY

_LIST: tuple[Figure[TaggingFigureData], ...] = (
    Figure(
        name="counts",
        title="Counts",
        of="everything there is",
        rows=lambda data: metrics.rows_of_counts(data.tagging_tables),
    ),
    Figure(
        name="labels",
        title="Labels",
        section="labels",
        of="the responses with a label",
        rows=lambda data: metrics.prevalence_rows(data.tagging_tables),
        chart=lambda data, _what, _by: charts.prevalence_chart(data),
    ),
    Figure(
        name="agreement",
        title="Agreement",
        section="agreement",
        agreement_on=NAME,
        of="the responses that two raters or more judged",
        several={"labels": "Labels", "words": "Words", "marks": "Marks"},
        rows=lambda data: metrics.agreement_rows(
            data.agreement_by_label,
            data.label_set_agreement_by_distance,
            data.span_f1s_and_word_alphas,
        ),
        chart=lambda data, what, _: {
            "labels": charts.label_agreement_chart,
            "words": charts.word_agreement_chart,
            "marks": charts.span_agreement_chart,
        }[what](data),
    ),
    Figure(
        name="together",
        title="Labels given together",
        section="together",
        of="the responses with a label, or the judgments with a mark",
        several={"relaxed": "Relaxed", "strict": "Strict", "passage": "Same words"},
        rows=lambda data: metrics.cooccurrence_rows(data.tagging_tables),
        chart=lambda data, what, _: charts.cooccurrence_chart(data, what),
    ),
    Figure(
        name="places",
        title="Places",
        section="places",
        of="the marks with a known place",
        rows=lambda data: metrics.span_position_rows(data.tagging_tables),
        chart=lambda data, _what, _by: charts.span_positions_chart(data),
    ),
    Figure(
        name="raters",
        title="Raters",
        section="raters",
        of="the responses that a rater judged",
        several=charts.titles_by_rater_view,
        rows=lambda data: metrics.rater_severity_and_duration_rows(data.tagging_tables),
        chart=lambda data, what, _: charts.rater_view_chart(data, what),
    ),
    Figure(
        name="rules",
        title="Rules",
        section="rules",
        of="the judgments that could break a rule",
        rows=lambda data: metrics.rule_breach_rows(data.tagging_tables),
        chart=lambda data, _what, _by: charts.rule_breaches_chart(data),
    ),
    Figure(
        name="gold",
        title="Gold items",
        of="the gold responses that a rater judged",
        rows=lambda data: (("gold_hit_rate", *one) for one in data.gold_hit_rates_by_rater.items()),
    ),
    Figure(
        name="medqa",
        title="MedQA accuracy",
        of="the questions that a model was asked",
        rows=lambda data: data.medqa_accuracy_rows,
    ),
)


def _numbers(data: TaggingFigureData) -> dict[str, str]:
    tags, wanted = data.tagging_tables, data.study.settings.raters_per_item
    enough = int((tags.array_of_rater_counts_of_items >= wanted).sum())
    return {
        "Responses judged": f"{len(tags.items):,} of {data.count_of_all_responses:,}",
        f"With {wanted} raters or more": f"{enough:,}",
        "Judgments": f"{len(tags.judged):,}",
        "Raters": f"{tags.judged['rater'].nunique():,}",
    }


def _empty(data: TaggingFigureData) -> str:
    if data.tagging_tables.items:
        return ""
    if data.narrowed:
        return "No judged response in this dataset matches these filters."
    return "No response in this dataset has been judged yet."


FIGURES = Figures(
    study=STUDY,
    figures=_LIST,
    sections={
        "labels": ("Labels", ""),
        "agreement": ("Agreement", "on"),
        "together": ("Together", "rule"),
        "places": ("Places", ""),
        "raters": ("Raters", "of"),
        "rules": ("Rules", ""),
    },
    look=load_figure_data,
    tables=TABLES,
    judged_by=lambda source, _: source.tagging_tables.judged["rater"].nunique(),
    empty=_empty,
    said=charts.label_agreement_in_words,
    numbers=_numbers,
    behind=find_what_is_behind_mark,
    paper="Roy et al. 2024",
    version=lambda study: hash(study.taxonomy),
    narrowed_by=("run", "cases", "judge"),
    words=lambda data: {
        **{label.id: label.name for label in data.study.taxonomy.labels},
        "masi": "MASI",
        "jaccard": "Jaccard",
    },
    headlines=lambda _: [
        Headline(
            title="Responses with a label by two raters, or by the only one who judged",
            source="labels",
            figure="items_with_label_strict",
        )
    ],
)
