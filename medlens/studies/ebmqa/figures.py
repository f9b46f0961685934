"""The list of EBMQA's figures.

Source: Avnat et al. 2024, "Performance of large language models in numerical versus semantic
medical knowledge: benchmarking on evidence-based questions and answers" (EBMQA).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from medlens.deferred_module import pd
from medlens.review.chart_specifications import Chart, make_chart_that_says_why_empty
from medlens.review.figure_definitions import Choice, Figure, Figures, Headline, Options
from medlens.review.raters import Rater
from medlens.stats.estimate import FigureRow
from medlens.store import Store
from medlens.studies.ebmqa import figures_charts as charts
from medlens.studies.ebmqa import metrics
from medlens.studies.ebmqa.explore.aggregate_queries import TABLES
from medlens.studies.ebmqa.explore.question_filter import (
    COUNTED,
    DIMENSIONS,
    require_viewer_may_see_models_answers,
)
from medlens.studies.ebmqa.figures_charts import Chosen
from medlens.studies.ebmqa.figures_data import FILTERS, EbmqaFigureData, load_figure_data
from medlens.studies.ebmqa.metrics_answer_counts import MEASURES
from medlens.studies.ebmqa.records import LABELS, STUDY
from medlens.studies.ebmqa.study_in_dataset import Study

# -- what is chosen above a chart ------------------------------------------------------------------

_KINDS = {"numeric": "Numeric", "semantic": "Semantic", "all": "Both"}


def _titles(names: Sequence[str]) -> dict[str, str]:
    return {name: DIMENSIONS[name] for name in names}


def _kinds(data: EbmqaFigureData, _: Chosen) -> Options:
    there = [kind for kind, _ in data.shared.values_with_question_counts_by_label.get("kind", ())]
    known = {kind: title for kind, title in _KINDS.items() if kind in there}
    return {**known, "all": _KINDS["all"]} if len(known) > 1 else known


def _labels(data: EbmqaFigureData, chosen: Chosen) -> Options:
    return _titles([one for one in data.labels_dividing_questions if one != chosen.get("by")])


def _models(data: EbmqaFigureData, chosen: Chosen) -> Options:
    return {name: name for name in data.selected_models if name != chosen.get("first")}


def _dimensions(data: EbmqaFigureData, chosen: Chosen) -> Options:
    names = [
        *data.labels_dividing_questions,
        *(one for one in COUNTED if one not in data.labels_dividing_questions),
        "model",
    ]
    if len(data.shared.prompt_and_repeat_by_variant_name) > 1:
        names.append("prompt")
    # By default models are set against a label, so they come first.
    if chosen.get("rows") not in (None, "model"):
        names.sort(key=lambda name: name != "model")
    return _titles([name for name in names if name != chosen.get("rows")])


KIND: Choice[EbmqaFigureData] = Choice(name="kind", label="Questions", options=_kinds, few=True)
_MEASURE: Choice[EbmqaFigureData] = Choice(
    name="measure",
    label="Measure",
    options=lambda _data, _: {name: title for name, (title, _) in MEASURES.items()},
    width=170,
)
_ORDER: Choice[EbmqaFigureData] = Choice(
    name="order",
    label="Sort",
    options=lambda _data, _: {
        "given": "In their order",
        "best": "Highest first",
        "worst": "Lowest first",
    },
    width=170,
)
_LABEL: Choice[EbmqaFigureData] = Choice(name="by", label="Label", options=_labels, width=220)
_ACROSS: Choice[EbmqaFigureData] = Choice(
    name="across",
    label="Columns",
    options=lambda data, chosen: {"model": "Model", **_labels(data, chosen)},
    width=220,
)
_CROSSED: Choice[EbmqaFigureData] = Choice(
    name="across",
    label="Crossed with",
    options=lambda data, chosen: {"-": "Nothing", **_labels(data, chosen)},
    width=220,
)
_OVER: Choice[EbmqaFigureData] = Choice(
    name="over",
    label="Label",
    options=lambda data, chosen: {"all": "All labels", **_labels(data, chosen)},
    width=220,
)
_MODEL: Choice[EbmqaFigureData] = Choice(name="of", label="Model", options=_models, width=220)
_FIRST: Choice[EbmqaFigureData] = Choice(name="first", label="First", options=_models, width=170)
_SECOND: Choice[EbmqaFigureData] = Choice(name="second", label="Second", options=_models, width=170)
_OF_PROMPTS: Choice[EbmqaFigureData] = Choice(
    name="measure",
    label="Measure",
    options=lambda _data, _: {name: MEASURES[name][0] for name in ("accuracy", "answer_rate")},
    width=170,
)
_ROWS: Choice[EbmqaFigureData] = Choice(name="rows", label="Rows", options=_dimensions)
_COLUMNS: Choice[EbmqaFigureData] = Choice(name="columns", label="Columns", options=_dimensions)
_TEST: Choice[EbmqaFigureData] = Choice(
    name="test",
    label="Test",
    options=lambda _data, _: {
        "none": "None",
        "columns": "Columns within each row",
        "rows": "Rows, all columns",
    },
    width=200,
)
_SHOW: Choice[EbmqaFigureData] = Choice(
    name="show",
    label="Cells",
    options=lambda _data, _: {
        "value": "Value",
        "interval": "Value and interval",
        "counts": "Value and counts",
    },
)

# -- what is drawn, or why nothing is --------------------------------------------------------------

Drawn = Callable[[EbmqaFigureData, Chosen], Chart | Sequence[Chart]]


def _answered(draw: Drawn, *, labels: bool = False, models: int = 1) -> Drawn:
    """``draw``, if there are answers (of at least ``models`` models, to questions with labels)."""

    def drawn(data: EbmqaFigureData, chosen: Chosen) -> Chart | Sequence[Chart]:
        why_not = _nothing(data)
        if not why_not and labels and not data.labels_dividing_questions:
            why_not = "These questions have no labels that differ."
        if not why_not and len(data.selected_models) < models:
            why_not = "It takes two models: change the filter, or run another model."
        if why_not:
            return make_chart_that_says_why_empty("ebmqa_none", "", why_not)
        return draw(data.figure_data_of_kind(chosen.get("kind", "")), chosen)

    return drawn


def _nothing(data: EbmqaFigureData) -> str:
    if not data.shared.prompt_and_repeat_by_variant_name:
        return (
            "No model has answered these questions yet: run one on the Runs page, or import"
            " answers on the Data page."
        )
    if not data.answer_count:
        return "No answer matches these choices."
    return ""


def _figure(
    name: str,
    title: str,
    section: str,
    of: str,
    draw: Drawn,
    choices: Sequence[Choice[EbmqaFigureData]],
    rows: Callable[[EbmqaFigureData], Iterator[FigureRow]] = lambda _: iter(()),
) -> Figure[EbmqaFigureData]:
    return Figure(
        name=name,
        title=title,
        section=section,
        of=of,
        rows=rows,
        chart=lambda data, _what, chosen: draw(data, chosen or {}),
        choices=choices,
    )


_ASKED, _PAIRED = "the questions that were asked", "the questions that both answered"

_LIST: tuple[Figure[EbmqaFigureData], ...] = (
    _figure(
        *("set", "Question set", "set", "the question set"),
        lambda data, chosen: (
            charts.question_set_chart(
                data.figure_data_of_kind(chosen.get("kind", "")),
                chosen["by"],
                "" if chosen["across"] == "-" else chosen["across"],
            )
            if data.labels_dividing_questions
            else make_chart_that_says_why_empty(
                "ebmqa_none", "", "These questions have no labels that differ."
            )
        ),
        (KIND, _LABEL, _CROSSED),
        lambda data: metrics.question_set_composition_rows(data.question_count_tables_by_label),
    ),
    Figure(
        name="counts",
        title="Counts",
        of="the question set",
        rows=lambda data: metrics.figure_rows_of_questions_and_chance_score(
            data.table_of_question_counts_and_chance
        ),
    ),
    Figure(
        name="majority",
        title="Commonest class",
        of="the numeric questions with an answer class",
        rows=lambda data: [
            (
                "majority",
                "numeric",
                metrics.estimate_majority_class_accuracy(
                    data.numeric_question_count_by_answer_class
                ),
            )
        ],
    ),
    _figure(
        *("models", "Models", "overview", _ASKED),
        _answered(charts.measure_of_every_model_charts),
        (_MEASURE, _ORDER),
        lambda data: metrics.model_measure_rows(
            data.tally_table_by_model_and_kind, data.model_pair_comparisons_by_kind
        ),
    ),
    _figure(
        *("table", "Table 1", "overview", _ASKED),
        _answered(lambda data, _: charts.charts_of_paper_table_one(data)),
        (),
        lambda data: metrics.model_pair_rows(
            data.tally_table_by_model_and_kind, data.model_pair_comparisons_by_kind
        ),
    ),
    _figure(
        *("rate", "Answer rate and accuracy", "overview", _ASKED),
        _answered(lambda data, _: charts.answer_rate_against_accuracy_chart(data)),
        (KIND,),
    ),
    _figure(
        *("risk", "Risk and coverage", "overview", "the answers kept"),
        _answered(lambda data, _: charts.risk_coverage_chart(data)),
        (KIND,),
    ),
    _figure(
        *("prompts", "Prompts", "overview", "the questions asked in all prompts of the study"),
        _answered(lambda data, chosen: charts.prompt_study_charts(data, chosen["measure"])),
        (KIND, _OF_PROMPTS),
        lambda data: metrics.prompt_study_rows(data.tally_table_by_prompt),
    ),
    _figure(
        *("bars", "Breakdown", "labels", _ASKED),
        _answered(
            lambda data, c: charts.measure_by_label_chart(data, c["by"], c["measure"], c["order"]),
            labels=True,
        ),
        (KIND, _LABEL, _MEASURE, _ORDER),
        lambda data: metrics.label_rows(data.tally_tables_by_kind_and_label),
    ),
    _figure(
        *("cross", "Crossed", "labels", _ASKED),
        _answered(
            lambda data, c: charts.crossed_labels_heat_map(
                data, c["by"], c["across"], c["measure"]
            ),
            labels=True,
        ),
        (KIND, _LABEL, _ACROSS, _MEASURE),
    ),
    _figure(
        *("gaps", "Gaps", "labels", "the questions of the best and the worst sub-label"),
        _answered(lambda data, c: charts.label_gaps_chart(data, c["measure"]), labels=True),
        (KIND, _MEASURE),
        lambda data: metrics.label_comparison_rows(
            data.tally_tables_by_kind_and_label,
            data.tally_table_by_model_and_kind,
            data.overlapping,
        ),
    ),
    _figure(
        *("forest", "Forest", "labels", _ASKED),
        _answered(
            lambda data, c: charts.sublabels_against_rest_chart(
                data, c["by"], c["of"], c["measure"]
            ),
            labels=True,
        ),
        (KIND, _LABEL, _MODEL, _MEASURE),
    ),
    _figure(
        *("rate", "Answer rate and accuracy", "labels", _ASKED),
        _answered(lambda data, c: charts.label_answer_rate_chart(data, c["over"]), labels=True),
        (KIND, _OVER),
    ),
    Figure(
        name="agreeing",
        title="Risk and coverage",
        of="the answers kept",
        rows=lambda data: metrics.risk_coverage_rows(data.agreement_level_table_by_kind),
    ),
    _figure(
        *("all", "All pairs", "pairs", _PAIRED),
        _answered(lambda data, _: charts.model_pairs_charts(data), models=2),
        (KIND,),
    ),
    _figure(
        *("two", "Two models", "pairs", _PAIRED),
        _answered(
            lambda data, c: charts.two_models_charts(
                data, c["first"], c["second"], c.get("by", "")
            ),
            models=2,
        ),
        (KIND, _FIRST, _SECOND, _LABEL),
    ),
    _figure(
        *("pivot", "Pivot", "pivot", _ASKED),
        _answered(charts.pivot_table_chart),
        (KIND, _ROWS, _COLUMNS, _MEASURE, _TEST, _SHOW),
    ),
    _figure(
        *("people", "People", "people", "the questions of the questionnaire"),
        lambda data, _: charts.people_and_model_charts(data),
        (),
        lambda data: iter(data.questionnaire_figure_rows),
    ),
)


def _said(data: EbmqaFigureData) -> str:
    questions = ", ".join(
        f"{int(n):,} {kind}"
        for kind, n in zip(
            data.table_of_question_counts_and_chance["kind"],
            data.table_of_question_counts_and_chance["questions"],
            strict=True,
        )
    )
    return (
        f"{questions or 'No'} questions; {data.answer_count:,} answers of"
        f" {len(data.selected_models)} models{charts.way_of_asking_note(data.where.prompt)}."
    )


def _note(data: EbmqaFigureData) -> str:
    if not data.is_filtered_beyond_kind:
        return ""
    return "Filters are on: ours are of the questions that match them, the paper's of all."


FIGURES = Figures(
    study=STUDY,
    figures=_LIST,
    sections={
        "overview": ("Overview", "overview"),
        "labels": ("Labels", "labels"),
        "pairs": ("Models", "pairs"),
        "pivot": ("Pivot", ""),
        "set": ("Question set", ""),
        "people": ("People", ""),
    },
    look=load_figure_data,
    tables=(*TABLES, "item", "reveal", "run"),
    empty=lambda _: "",
    said=_said,
    paper="Avnat et al. 2024",
    note=_note,
    sides=("run", "prompt", "model", *FILTERS),
    require=require_viewer_may_see_models_answers,
    words=lambda _: LABELS,
    headlines=lambda _: [
        Headline(
            title="Right answers of those given",
            source="models",
            figure="accuracy",
            view={"section": "overview"},
        )
    ],
)

_ASKED_OTHERWISE = "question|chance$|majority$|prompt_"
"""Figures of the question set, of people, and of all prompts."""


def make_figures_export_table(
    store: Store,
    study: Study,
    *,
    viewer: Rater | None,
    run: str = "",
    model: str = "",
    prompt: str = "",
) -> pd.DataFrame:
    """Every figure of the page, one row each, with the filters used.

    ``run`` is the run that added the answers, ``model`` one or several models separated by "|",
    ``prompt`` the way of asking. ``method`` gives the prompt, and which repeat, that a model's
    figures are based on.

    Raises:
        NotAllowed: the viewer has not answered the questionnaire yet.
        InvalidInput: the dataset has no such run, model or prompt.
    """
    narrowed: Mapping[str, str] = {"run": run, "model": model, "prompt": prompt}
    where = load_figure_data(store, study, viewer, narrowed).where
    table = FIGURES.export(store, study, viewer=viewer, **narrowed)
    if where.prompt:
        asked = ~table["figure"].str.match(_ASKED_OTHERWISE)
        table.loc[asked, "method"] += f"; prompt {where.prompt}, repeat {where.repeat}"
    return table
