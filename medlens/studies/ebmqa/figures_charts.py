"""The charts of EBMQA's figures: what is drawn, what its marks link to, and the table behind it.

Each takes the selected answers (``figures_data.EbmqaFigureData``) and what is chosen above it, by
name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from medlens.deferred_module import pd
from medlens.review.chart_specifications import (
    GREY_NOTE,
    Axis,
    Cell,
    Chart,
    Entry,
    Heat,
    HeatRow,
    Path,
    Place,
    Plane,
    Row,
    Rows,
    Series,
    bar_chart,
    chart_entries_as_table,
    list_published_series_with_estimates,
    list_reasons_for_undefined_estimates,
    make_chart_that_says_why_empty,
)
from medlens.stats.estimate import (
    FEW,
    Estimate,
    FigureRow,
    drop_empty_speaks_for_column,
    estimate_in_words,
    figure_rows_as_table,
    format_number,
    format_numerator,
    format_p_value,
    use_real_minus_sign,
)
from medlens.stats.hypothesis_tests_and_effect_sizes import HypothesisTest
from medlens.stats.intervals import wilson_share_estimate
from medlens.studies.ebmqa import (
    metrics,
    metrics_answer_counts,
    metrics_by_label_gaps_and_risk_coverage,
    metrics_model_comparison,
)
from medlens.studies.ebmqa.explore.question_filter import (
    CELLS,
    DIMENSIONS,
    SEVERAL,
    QuestionsBehindMark,
    label_in_words,
    order_values_of_label,
)
from medlens.studies.ebmqa.figures_data import EbmqaFigureData
from medlens.studies.ebmqa.metrics_answer_counts import MEASURES, AnswerCounts
from medlens.studies.ebmqa.metrics_by_label_gaps_and_risk_coverage import (
    Pivot,
    estimate_median_sublabel_gap_of_paper_labels,
)
from medlens.studies.ebmqa.metrics_model_comparison import PairOfModels
from medlens.studies.ebmqa.records import IDK, STUDY

Chosen = Mapping[str, str]

NONE = "(none)"
STATE_OF = {
    "accuracy": "answered",
    "exact": "right",
    "jaccard": "answered",
    "answer_rate": "answered",
    "idk_rate": "idk",
    "refusal_rate": "refused",
    "unreadable_rate": "parse_failed",
    "error_rate": "error",
}
"""Which answers a mark of a measure leads to."""

_FEW_SERIES = 3
"""With more models than that, their lines stand closer together."""

_MANY_ROWS = 60
_BETTER = ("accuracy", "answer_rate", "accuracy_of_all", "exact", "jaccard")
"""Measures of which more is better."""

GREY = "#8a949b"


# -- words -----------------------------------------------------------------------------------------


def format_share(one: Estimate) -> str:
    """A share as the paper prints it."""
    if one.value is None:
        return "undefined"
    return f"{100 * one.value:.2f}% ({format_numerator(one)}/{one.denominator:,})"


def format_with_interval(one: Estimate) -> str:
    """A number with its interval."""
    if one.value is None:
        return "undefined"
    bounds = "" if one.low is None else f" [{format_number(one.low)}–{format_number(one.high)}]"
    return f"{format_number(one.value)}{bounds}"


_ORDERS = {
    "given": "in their order",
    "reversed": "from last to first",
    "shuffled": "shuffled",
    "rotated": "with the first at the end",
}


def way_of_asking_note(prompt: str) -> str:
    """How the questions were asked, as the end of a sentence; empty if there is no prompt."""
    order, _, offered = prompt.partition("+")
    if order not in _ORDERS or offered not in ("", "idk"):
        return f", asked as “{prompt}”" if prompt else ""
    known = "among" if offered else "not among"
    return f", asked with the options {_ORDERS[order]} and “{IDK}” {known} them"


def make_names_distinct(names: Sequence[str]) -> list[str]:
    """The names in order, with a number if an earlier one has the same name."""
    found: list[str] = []
    for name in names:
        told, times = name, 1
        while told in found:
            times += 1
            told = f"{name} ({times})"
        found.append(told)
    return found


def _said_kind(data: EbmqaFigureData) -> str:
    return {"numeric": "Numeric questions.", "semantic": "Semantic questions."}.get(
        data.selected_kind, "Numeric and semantic questions together."
    )


def _of(measure: str) -> str:
    if measure in ("accuracy", "exact", "jaccard"):
        return "the questions that were answered"
    return "the questions asked" if measure == "error_rate" else "the questions replied to"


# -- marks, order ----------------------------------------------------------------------------------


def _mark(
    data: EbmqaFigureData,
    *labels: tuple[str, str],
    model: str = "",
    state: str = "",
    other: str = "",
    cell: str = "",
) -> str:
    of_kind = (("kind", data.selected_kind),) if data.selected_kind else ()
    return QuestionsBehindMark((*of_kind, *labels), model, state, other, cell).mark_name


def _of_label(data: EbmqaFigureData, label: str, value: str, model: str, measure: str) -> str:
    return _mark(data, (label, value), model=model, state=STATE_OF.get(measure, ""))


def _sorted(
    names: Sequence[str], values: Mapping[str, Sequence[Estimate]], order: str
) -> list[str]:
    """Names by the mean of their defined values, or as given; those without values last."""

    def place(name: str) -> tuple[bool, float]:
        known = [one.value for one in values[name] if one.value is not None]
        mean = sum(known) / len(known) if known else 0.0
        return not known, -mean if order == "best" else mean

    return sorted(names, key=place) if order in ("best", "worst") else list(names)


def _heads(columns: Sequence[str]) -> tuple[list[str], str]:
    """A heat map's column headings, numbers if the names are long; and the key to the numbers."""
    if all(len(one) <= 12 for one in columns) and len(columns) <= 5:
        return list(columns), ""
    told = ", ".join(f"{at + 1} {one}" for at, one in enumerate(columns))
    return [str(at + 1) for at in range(len(columns))], f" Columns: {told}."


# -- models ----------------------------------------------------------------------------------------


def measure_of_every_model_charts(data: EbmqaFigureData, chosen: Chosen) -> list[Chart]:
    """A measure of every model; for accuracy also the leaderboard."""
    found = [_models(data, chosen["measure"], chosen["order"])]
    if chosen["measure"] == "accuracy" and len(data.selected_models) > 1:
        found.append(_leaderboard(data))
    return found


def _models(data: EbmqaFigureData, measure: str, order: str) -> Chart:
    title, make = MEASURES[measure]
    found = data.answer_counts_by_label_values("model", "kind")
    kinds = [kind for kind in ("numeric", "semantic") if any(k == kind for _, k in found)]
    nothing = Estimate.undefined_estimate("none was asked")
    values = {
        model: tuple(
            make(found[model, kind]) if (model, kind) in found else nothing for kind in kinds
        )
        for model in data.selected_models
    }
    state = STATE_OF.get(measure, "")
    rows: list[Row] = []
    entries: list[Entry] = []
    for model in _sorted(data.selected_models, values, order):
        marks = tuple(
            QuestionsBehindMark((("kind", kind),), model, state).mark_name for kind in kinds
        )
        rows.append(Row(model, "", values[model], marks))
        entries += [
            (f"{model}, {kind}", measure, f"{model}, {kind}", one, mark)
            for kind, one, mark in zip(kinds, values[model], marks, strict=True)
        ]
    if measure in ("accuracy", "accuracy_of_all"):
        for name, figure, estimates in _baselines(data, kinds):
            rows.append(Row(name, GREY, estimates, ("",) * len(kinds)))
            entries += [
                (f"{name}, {kind}", figure, kind, one, "")
                for kind, one in zip(kinds, estimates, strict=True)
            ]
    series = [Series(kind, "bar" if kind == "numeric" else "hatched") for kind in kinds]
    for at in range(len(kinds)):
        keys = [[(figure, group)] for _, figure, group, _, _ in entries[at :: len(kinds)]]
        for sign, printed in list_published_series_with_estimates(STUDY, keys, over=at):
            series.append(sign)
            rows = [
                replace(row, estimates=(*row.estimates, one), marks=(*row.marks, ""))
                for row, one in zip(rows, printed, strict=True)
            ]
    return Chart(
        name=f"ebmqa_{measure}",
        title=f"{title} by model",
        n=f"Share of {_of(measure)}, with Wilson's 95% intervals. {GREY_NOTE}",
        note="A semantic answer scores the share of its chosen options that are correct; its"
        " interval is Wilson's around the mean score. Failed calls are in no denominator.",
        alt=f"Bars per model: {title.lower()} on numeric and semantic questions.",
        drawing=Rows(rows, series, Axis(title, "percent", high=1)),
        series=tuple(series),
        table=chart_entries_as_table(STUDY, entries),
        undefined=list_reasons_for_undefined_estimates(entries),
        marks=tuple(mark for *_, mark in entries),
    )


def _baselines(
    data: EbmqaFigureData, kinds: Sequence[str]
) -> list[tuple[str, str, tuple[Estimate, ...]]]:
    offered = data.table_of_question_counts_and_chance.set_index("kind")
    chance = tuple(
        metrics.estimate_random_choice_score(
            float(offered["chance"][kind]), int(offered["questions"][kind])
        )
        for kind in kinds
    )
    none = Estimate.undefined_estimate("options of semantic questions have no classes")
    majority = tuple(
        metrics.estimate_majority_class_accuracy(data.numeric_question_count_by_answer_class)
        if k == "numeric"
        else none
        for k in kinds
    )
    return [("Blind choice", "chance", chance), ("Commonest class", "majority", majority)]


def _leaderboard(data: EbmqaFigureData) -> Chart:
    make = MEASURES["accuracy"][1]
    by_kind: dict[str, dict[str, Estimate]] = {}
    for (model, kind), tally in data.answer_counts_by_label_values("model", "kind").items():
        by_kind.setdefault(kind, {})[model] = make(tally)
    rows: list[dict[str, object]] = []
    marks: list[str] = []
    for kind, found in by_kind.items():
        ranked = metrics.rank_estimate_by_model(
            found, data.figure_data_of_kind(kind).list_model_pair_comparisons
        )
        order = sorted(found, key=lambda name: -(found[name].value or 0))
        for model in sorted(order, key=lambda name: ranked[name].value or math.inf):
            one, rank = found[model], ranked[model].value
            tied = sum(other.value == rank for other in ranked.values()) > 1
            rows.append(
                {
                    "questions": kind,
                    "rank": "–" if rank is None else f"{rank:.0f}{'=' * tied}",
                    "model": model,
                    "accuracy": format_share(one),
                    "from": one.low,
                    "to": one.high,
                }
            )
            marks.append(QuestionsBehindMark((("kind", kind),), model, "answered").mark_name)
    return Chart(
        name="ebmqa_leaderboard",
        title="Leaderboard",
        n="",
        note="A model's rank is one more than there are models that are significantly better: more"
        " often exactly right on the questions that both answered, by McNemar's score test, with"
        " p corrected over all pairs that differ (Benjamini-Hochberg) below"
        f" {metrics_model_comparison.LEVEL:g}, as under Table 1. Models that it does not tell apart"
        " can share a rank (=).",
        alt="Models by rank of their accuracy",
        table=pd.DataFrame(rows),
        marks=tuple(marks),
        columns={"from": "percent", "to": "percent"},
        foldable=False,
    )


# -- the paper's table -----------------------------------------------------------------------------


def charts_of_paper_table_one(data: EbmqaFigureData) -> list[Chart]:
    """Models against models, and each model's two kinds of questions, as in the paper's Table 1."""
    found = {
        (model, kind): one
        for (model, kind), one in data.answer_counts_by_label_values("model", "kind").items()
    }
    pairs = {
        kind: data.figure_data_of_kind(kind).list_model_pair_comparisons
        for kind in ("semantic", "numeric")
        if any(k == kind for _, k in found)
    }
    rows, apart_ = (
        metrics_model_comparison.list_model_pairs_as_in_paper_table_one(found, pairs),
        metrics_model_comparison.list_comparisons_of_question_kinds(found),
    )
    printed = tuple(_as_exported(found, rows, apart_))
    marks = [
        QuestionsBehindMark((("kind", r.kind),), r.first, "", r.second, "discordant").mark_name
        for r in rows
    ]
    charts = [
        Chart(
            name="ebmqa_table_1",
            title="Models against models",
            n="" if rows else "It takes two models on the same kind of question.",
            note="As in the paper's Table 1: chi-square without Yates' correction on counts rounded"
            " to whole numbers, odds ratios with Woolf's intervals. McNemar's score test beside it"
            " is on the questions that both answered, corrected over all pairs that differ on them"
            " (Benjamini-Hochberg).",
            alt="Models against models by kind",
            table=_table_rows(rows),
            marks=tuple(marks),
            foldable=False,
            printed=printed,
        )
    ]
    if apart_:
        charts[0] = replace(charts[0], printed=())
        charts.append(_kinds(apart_, printed))
    return charts


def _kinds(
    rows: Sequence[metrics_model_comparison.QuestionKindsCompared], printed: tuple[FigureRow, ...]
) -> Chart:
    sides = ("semantic", "numeric")
    table = pd.DataFrame(
        [
            {
                "model": row.model,
                **_against("accuracy", row.accuracy, sides),
                **_against("answer rate", row.answer_rate, sides),
            }
            for row in rows
        ]
    )
    return Chart(
        name="ebmqa_kinds",
        title="Semantic against numeric",
        n="",
        note="Each model by itself: whether it does better on one kind of question. Chi-square and"
        " odds ratios as above; above 1 is better on semantic questions.",
        alt="Each model's two kinds of questions",
        table=table,
        marks=tuple(QuestionsBehindMark(model=row.model).mark_name for row in rows),
        foldable=False,
        printed=printed,
    )


def _as_exported(
    found: Mapping[tuple[str, str], AnswerCounts],
    rows: Sequence[metrics_model_comparison.TableOne],
    kinds: Sequence[metrics_model_comparison.QuestionKindsCompared],
) -> Iterator[FigureRow]:
    for (model, kind), one in found.items():
        for measure in ("accuracy", "answer_rate"):
            yield measure, f"{model}, {kind}", MEASURES[measure][1](one)
    for row in rows:
        yield from metrics.test_and_odds_ratio_rows(
            f"{row.kind}, {row.first} against {row.second}", row
        )
    for apart_ in kinds:
        yield from metrics.test_and_odds_ratio_rows(
            f"{apart_.model}, semantic against numeric", apart_
        )


def _table_rows(rows: Sequence[metrics_model_comparison.TableOne]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "questions": row.kind,
                "first": row.first,
                "second": row.second,
                **_against("accuracy", row.accuracy),
                **_against("answer rate", row.answer_rate),
                "shared": row.shared.shared_question_count if row.shared else None,
                "first only right": row.shared.first_only if row.shared else None,
                "second only right": row.shared.second_only if row.shared else None,
                "p, McNemar": format_p_value(row.shared.p_fdr if row.shared else None),
            }
            for row in rows
        ]
    )


def _against(
    name: str,
    one: metrics_model_comparison.GroupComparison,
    sides: tuple[str, str] = ("first", "second"),
) -> dict[str, str]:
    return {
        f"{name}, {sides[0]}": format_share(one.first),
        f"{name}, {sides[1]}": format_share(one.second),
        f"odds ratio, {name}": format_with_interval(one.odds),
        f"p, {name}": format_p_value(one.test.p),
    }


# -- answer rate, risk -----------------------------------------------------------------------------


def answer_rate_against_accuracy_chart(data: EbmqaFigureData) -> Chart:
    """Models by answer rate and accuracy."""
    answered, right = MEASURES["answer_rate"][1], MEASURES["accuracy"][1]
    found = {model: one for (model,), one in data.answer_counts_by_label_values("model").items()}
    entries: list[Entry] = []
    paths = []
    for series in data.series_of_models():
        if series.name not in found:
            continue
        one, mark = found[series.name], _mark(data, model=series.name)
        place = Place(series.name, answered(one), right(one), mark)
        paths.append(Path(series, (place,)))
        group = ", ".join(part for part in (series.name, data.selected_kind) if part)
        entries += [
            (series.name, "answer_rate", group, place.across, mark),
            (series.name, "accuracy", group, place.up, mark),
        ]
    return Chart(
        name="ebmqa_rate",
        title="Answer rate against accuracy",
        n=f"One point per model, with Wilson's 95% intervals on both axes. {GREY_NOTE}",
        alt="Models by answer rate and accuracy.",
        series=tuple(data.series_of_models()),
        drawing=Plane(paths, "Answer rate", "Accuracy"),
        table=chart_entries_as_table(STUDY, entries),
        undefined=list_reasons_for_undefined_estimates(entries),
        marks=tuple(mark for *_, mark in entries),
    )


def risk_coverage_chart(data: EbmqaFigureData) -> Chart:
    """Risk over coverage: answers that other models gave too."""
    steps = metrics_by_label_gaps_and_risk_coverage.risk_coverage_steps_by_model(
        data.table_of_agreement_levels
    )
    entries: list[Entry] = []
    paths = []
    for series in data.series_of_models():
        places = []
        for step in steps.get(series.name, []):
            group = (
                f"{series.name}, {data.selected_kind or 'both'}, {step.agreeing} agreeing or more"
            )
            name = f"{series.name}, with {step.agreeing} or more others"
            places.append(Place(name, step.coverage, step.risk))
            entries += [
                (name, "coverage", group, step.coverage, ""),
                (name, "risk", group, step.risk, ""),
            ]
        paths.append(Path(series, tuple(places), joined=True))
    return Chart(
        name="ebmqa_risk",
        title="Risk and coverage",
        n="Wrong among the answers kept (risk), over the share of questions they cover. From the"
        " right: every answer, then only those that one other model or more gave too, two or more,"
        " and so on. Bands are Wilson's 95% intervals.",
        note="Models do not say how sure they are, except by “I do not know”. How many others "
        "chose the same options is used in its place.",
        alt="A curve per model: risk by coverage.",
        series=tuple(data.series_of_models()),
        drawing=Plane(paths, "Coverage", "Risk", whole=True),
        table=chart_entries_as_table(STUDY, entries),
    )


# -- prompts ---------------------------------------------------------------------------------------


def prompt_study_charts(data: EbmqaFigureData, measure: str) -> list[Chart]:
    """The prompt study: every prompt, and means and SDs over the orders of the options."""
    title = MEASURES[measure][0]
    tallies = metrics_answer_counts.tally_by_groups(
        data.tally_table_by_prompt, ("model", "kind", "prompt")
    )
    found = metrics_answer_counts.list_spreads_over_prompts(
        {(a, b, c): t for (a, b, c), t in tallies.items()}, measure
    )
    if not found:
        said = (
            "A prompt study asks a model the same questions in several orders of the options:"
            " on the Runs page, ask with the prompts of the study."
        )
        return [make_chart_that_says_why_empty("ebmqa_prompts", f"{title} by prompt", said)]
    entries: list[Entry] = [
        (name, f"prompt_{measure}", name, estimate, "")
        for one in found
        for name, estimate in (
            (f"{one.model}, {one.kind}, {variant.name_in_answers}", estimate)
            for variant, estimate in one.orders.items()
        )
    ]
    chart = bar_chart(
        *(STUDY, f"ebmqa_prompts_{measure}", entries, Axis(title, "percent", high=1)),
        title=f"{title} by prompt",
        n="Of each model the questions that it was asked in all its prompts of the study, so that"
        f" orders compare like with like; 95% intervals. {GREY_NOTE}",
        note=f"“+idk”: “{IDK}” was among the options. The options were in their own order (given),"
        " from last to first (reversed), with the first at the end (rotated), or shuffled.",
    )
    means = Chart(
        name=f"ebmqa_prompt_means_{measure}",
        title="Mean over the orders",
        n="",
        alt="Mean and standard deviation over the orders of the options",
        table=pd.DataFrame(
            [
                {
                    "model": one.model,
                    "questions": one.kind,
                    IDK: "offered" if one.idk else "not",
                    "mean": one.mean.value,
                    "SD": one.sd.value,
                    "orders": len(one.orders),
                }
                for one in found
            ]
        ),
        columns={"mean": "percent", "SD": "percent"},
        foldable=False,
        printed=tuple(
            row
            for one in found
            for row in (
                (f"prompt_mean_{measure}", one.group_name_in_rows, one.mean),
                (f"prompt_sd_{measure}", one.group_name_in_rows, one.sd),
            )
        ),
    )
    return [chart, means]


# -- one label, two labels -------------------------------------------------------------------------


def measure_by_label_chart(data: EbmqaFigureData, name: str, measure: str, order: str) -> Chart:
    """A measure of each model for each value of a label."""
    title, make = MEASURES[measure]
    found = data.answer_counts_by_label_values(name, "model")
    values = [
        value for value in order_values_of_label(name, {value for value, _ in found}) if value
    ]
    series = data.series_of_models()
    rows: list[Row] = []
    entries: list[Entry] = []
    by_value = {
        value: tuple(make(found.get((value, one.name), AnswerCounts())) for one in series)
        for value in values
    }
    for value in _sorted(values, by_value, order)[:_MANY_ROWS]:
        marks = tuple(_of_label(data, name, value, one.name, measure) for one in series)
        rows.append(Row(value, "", by_value[value], marks))
        entries += [
            (
                f"{value}, {one.name}",
                f"{measure}_by_label",
                f"{one.name}, {data.selected_kind or 'both'}, {name}, {value}",
                estimate,
                mark,
            )
            for one, estimate, mark in zip(series, by_value[value], marks, strict=True)
        ]
    without = sum(one.asked for (value, _), one in found.items() if not value)
    left_out = f" {without:,} answers to questions without this label are left out." * bool(without)
    rest = f" The first {_MANY_ROWS} of {len(values)}." if len(values) > _MANY_ROWS else ""
    return Chart(
        name=f"ebmqa_{name}_{measure}",
        title=f"{title} by {label_in_words(name)}",
        n=f"{_said_kind(data)} One sign per model, with Wilson's 95% intervals. {GREY_NOTE}"
        f"{left_out}{rest}",
        alt=f"{title} of each model for each value of {label_in_words(name)}.",
        drawing=Rows(
            *(rows, series, Axis(title, "percent", high=1)), close=len(series) > _FEW_SERIES
        ),
        series=tuple(series),
        table=chart_entries_as_table(STUDY, entries),
        undefined=list_reasons_for_undefined_estimates(entries)[:12],
        marks=tuple(mark for *_, mark in entries),
    )


def crossed_labels_heat_map(data: EbmqaFigureData, name: str, across: str, measure: str) -> Chart:
    """A measure by two labels, or by a label and the models, as a heat map."""
    title, make = MEASURES[measure]
    found = data.answer_counts_by_label_values(name, across)
    rows = [value for value in order_values_of_label(name, {one for one, _ in found}) if value]
    columns = [value for value in order_values_of_label(across, {one for _, one in found}) if value]
    estimates = {
        (row, column): make(found.get((row, column), AnswerCounts()))
        for row in rows
        for column in columns
    }
    drawn = [one.value for one in estimates.values() if one.value is not None and one.n >= FEW]
    low, high = (min(drawn), max(drawn)) if drawn else (0.0, 1.0)
    span = (high - low) or 1.0
    state = STATE_OF.get(measure, "")

    def cell(row: str, column: str) -> Cell:
        one = estimates[row, column]
        if across == "model":
            mark = _mark(data, (name, row), model=column, state=state)
        else:
            mark = _mark(data, (name, row), (across, column), state=state)
        text = format_number(one.value, "percent") if one.value is not None else "–"
        few = one.n < FEW
        return Cell(
            0.0 if one.value is None or few else (one.value - low) / span,
            f"({text})" if few and one.value is not None else text,
            f"{row}, {column}: {estimate_in_words(one, 'percent')}",
            mark,
        )

    heads, told = _heads(columns)
    cells = {row: tuple(cell(row, column) for column in columns) for row in rows}
    entries = [
        (
            f"{row}, {column}",
            f"{measure}_by_two_labels",
            f"{name}={row}, {across}={column}",
            estimates[row, column],
            one.mark,
        )
        for row in rows
        for column, one in zip(columns, cells[row], strict=True)
    ]
    heat = [HeatRow(row, "", cells[row]) for row in rows[:_MANY_ROWS]]
    return Chart(
        name=f"ebmqa_{name}_{across}_{measure}",
        title=f"{title} by {label_in_words(name)} and {label_in_words(across)}",
        n=f"{_said_kind(data)} Deeper is higher, from {format_number(low, 'percent')} to"
        f" {format_number(high, 'percent')}; in brackets and pale: n below 10.{told}",
        note="Models are added up where they are not a column. The table has every interval and n.",
        alt=f"A heat map of {title.lower()}.",
        drawing=Heat(heat, heads) if heat and columns else None,
        table=chart_entries_as_table(STUDY, entries),
        marks=tuple(mark for *_, mark in entries),
    )


# -- labels compared -------------------------------------------------------------------------------


def label_gaps_chart(data: EbmqaFigureData, measure: str) -> Chart:
    """Best against worst sub-label of every label."""
    found = data.list_gaps_within_labels(measure)
    top, bottom = ("best", "worst") if measure in _BETTER else ("highest", "lowest")
    series = data.series_of_models()
    known = {(one.label, one.model): one for one in found}
    nothing = Estimate.undefined_estimate("there is nothing to compare")
    rows, table, marks, missing = [], [], [], []
    for name in dict.fromkeys(one.label for one in found):
        own = [known.get((name, one.name)) for one in series]
        there = tuple(
            _of_label(data, name, one.worst, one.model, measure) if one and one.worst else ""
            for one in own
        )
        if any(one and one.gap.has_value for one in own):
            estimates = tuple(one.gap if one else nothing for one in own)
            rows.append(Row(DIMENSIONS[name], "", estimates, there))
        else:
            reason = next((one.gap.reason for one in own if one), nothing.reason)
            missing.append(f"{DIMENSIONS[name]}: undefined, because {reason}.")
        for one, mark in zip(own, there, strict=True):
            if one is not None:
                table.append(
                    {
                        "label": DIMENSIONS[name],
                        "model": one.model,
                        top: one.best,
                        bottom: one.worst,
                        "gap": one.gap.value,
                        "n": one.gap.n,
                        "Cohen's h": one.h,
                        "chi-square": one.test.statistic,
                        "test": _named(one.test),
                        "p": format_p_value(one.test.p),
                        "p, FDR": format_p_value(one.p_fdr),
                        "not tested": one.test.reason,
                    }
                )
                marks.append(mark)
    middles = {
        one.name: estimate_median_sublabel_gap_of_paper_labels(
            [gap for gap in found if gap.model == one.name]
        )
        for one in series
    }
    said = "; ".join(
        f"{name} {format_number(e.value, 'percent')} [{format_number(e.low, 'percent')}–"
        f"{format_number(e.high, 'percent')}]"
        for name, e in middles.items()
        if e.has_value
    )
    return Chart(
        name=f"ebmqa_gaps_{measure}",
        title=f"{top.capitalize()} against {bottom} sub-label of each label",
        n=f"{_said_kind(data)} Median over the paper's labels [quartiles]: {said}.",
        note="Sub-labels with ten or more only. No interval: the two were picked for being far"
        " apart. The table has chi-square over all sub-labels, its p (exact where cells are small:"
        " see test) corrected over each model's labels (Benjamini-Hochberg), and Cohen's h between"
        f" {top} and {bottom}.",
        alt=f"The gap between {top} and {bottom} sub-label for each label and model.",
        drawing=Rows(
            *(rows, series, Axis("Gap", "percent", high=0.3)), close=len(series) > _FEW_SERIES
        ),
        series=tuple(series),
        table=pd.DataFrame(table),
        marks=tuple(marks),
        undefined=tuple(missing),
        columns=dict.fromkeys(("gap", "Cohen's h", "chi-square"), "%.2f"),
        printed=tuple(_gap_rows(data, middles)) if measure == "accuracy" else (),
    )


def _gap_rows(data: EbmqaFigureData, middles: Mapping[str, Estimate]) -> Iterator[FigureRow]:
    """The gaps of accuracy as exported."""
    found, kind = data.list_gaps_within_labels("accuracy"), data.selected_kind or "both"
    for one in found:
        yield "gap", f"{one.model}, {kind}, {one.label}", one.gap
    yield (
        "median_gap",
        f"{metrics.ALL_MODELS}, {kind}",
        estimate_median_sublabel_gap_of_paper_labels(found),
    )
    for model, middle in middles.items():
        yield "median_gap", f"{model}, {kind}", middle


def sublabels_against_rest_chart(
    data: EbmqaFigureData, name: str, model: str, measure: str
) -> Chart:
    """One model's sub-labels, each against the others."""
    own = {
        value: one
        for (value, who), one in data.answer_counts_by_label_values(name, "model").items()
        if who == model and value
    }
    whole = data.answer_counts_by_label_values("model").get((model,)) if name in SEVERAL else None
    found = metrics_by_label_gaps_and_risk_coverage.compare_each_sublabel_with_rest(
        own, measure, whole=whole
    )
    marks = tuple(_of_label(data, name, one.value, model, measure) for one in found)
    rows = [
        Row(one.value, "", (_logged(one.odds),), (mark,))
        for one, mark in zip(found, marks, strict=True)
        if one.odds.has_value
    ]
    table = pd.DataFrame(
        [
            {
                "sub-label": one.value,
                "here": one.here.value,
                "n": one.here.n,
                "others": one.rest.value,
                "odds ratio": format_with_interval(one.odds),
                "Cohen's h": one.h,
                "test": _named(one.test),
                "p": format_p_value(one.test.p),
                "p, FDR": format_p_value(one.p_fdr),
            }
            for one in found
        ]
    )
    title = MEASURES[measure][0]
    axis = Axis("Odds ratio", "odds", zero=True)
    return Chart(
        name=f"ebmqa_forest_{name}_{measure}",
        title=f"{title} of {model}: each {label_in_words(name)} against the others",
        n=f"{_said_kind(data)} Odds ratios with Woolf's 95% intervals; right of 1 is higher."
        f" {GREY_NOTE}",
        alt="The odds ratio of each sub-label against the others.",
        note="Counts are rounded to whole numbers first. P values are those of Fisher's exact test"
        " where an expected count is below 100, else chi-square's, corrected over the sub-labels"
        " (Benjamini-Hochberg).",
        drawing=Rows(rows, [Series("odds ratio", "point")], axis) if rows else None,
        table=table,
        marks=marks,
        undefined=tuple(
            f"{one.value}: undefined, because {one.odds.reason}."
            for one in found
            if not one.odds.has_value
        ),
        columns=dict.fromkeys(("here", "others", "Cohen's h"), "%.2f"),
    )


def _logged(one: Estimate) -> Estimate:
    """The logarithm of an odds ratio, which is what the chart shows."""

    def of(value: float | None) -> float | None:
        return None if value is None else math.log(value)

    return Estimate(of(one.value), of(one.low), of(one.high), one.n, one.method)


def label_answer_rate_chart(data: EbmqaFigureData, over: str) -> Chart:
    """Sub-labels (of all labels, or of one) by answer rate and accuracy, with Spearman's rho."""
    answered, right = MEASURES["answer_rate"][1], MEASURES["accuracy"][1]
    often = metrics_by_label_gaps_and_risk_coverage.OFTEN_ASKED if over == "discipline" else 0
    series = data.series_of_models()
    paths, entries, said = [], [], []
    correlations: list[FigureRow] = []
    figure = "spearman_rate_accuracy" + "_disciplines" * bool(often)
    for one in series:
        tallies = metrics_by_label_gaps_and_risk_coverage.tallies_by_dividing_label_and_value(
            {
                (name, value): tally
                for name, found in data.answer_counts_by_group_by_label.items()
                if over in ("all", name)
                for (model, value), tally in found.items()
                if model == one.name
            }
        )
        places = []
        for (name, value), tally in tallies.items():
            if tally.answered < FEW:
                continue
            called = f"{one.name}, {DIMENSIONS[name]}: {value}"
            mark = _of_label(data, name, value, one.name, "")
            places.append(Place(called, answered(tally), right(tally), mark))
            group = f"{one.name}, {data.selected_kind or 'both'}, {name}, {value}"
            entries += [
                (called, "answer_rate_by_label", group, places[-1].across, mark),
                (called, "accuracy_by_label", group, places[-1].up, mark),
            ]
        paths.append(Path(one, tuple(places)))
        rho = metrics_by_label_gaps_and_risk_coverage.estimate_rate_accuracy_correlation(
            tallies, asked_more_than=often
        )
        correlations.append((figure, f"{one.name}, {data.selected_kind or 'both'}", rho))
        if rho.has_value:
            interval = (
                ""
                if rho.low is None
                else f" [{format_number(rho.low)} to {format_number(rho.high)}]"
            )
            said.append(
                f"{one.name} {format_number(rho.value)}{interval}, p {format_p_value(rho.p)}, n "
                f"{rho.n}"
            )
        else:
            said.append(f"{one.name} undefined, because {rho.reason}")
    rule = f" (as in the paper, disciplines asked more than {often} times)" if often else ""
    named = [(figure, group, one) for _, figure, group, one, _ in entries]
    return Chart(
        name="ebmqa_label_rate",
        title="Answer rate against accuracy over sub-labels",
        n=f"{_said_kind(data)} Spearman's rho: {'; '.join(said)}{rule}. Sub-labels with ten answers"
        " or more; bars are Wilson's 95% intervals.",
        alt="Sub-labels of each model by answer rate and accuracy.",
        series=tuple(series),
        drawing=Plane(paths, "Answer rate", "Accuracy"),
        table=chart_entries_as_table(STUDY, entries),
        marks=tuple(mark for *_, mark in entries),
        printed=(*named, *(correlations if over in ("all", "discipline") else ())),
    )


# -- models against models -------------------------------------------------------------------------


def model_pairs_charts(data: EbmqaFigureData) -> list[Chart]:
    """All pairs of models on the questions that both answered: a heat map, and the four cells."""
    found = data.list_model_pair_comparisons
    known = {(one.first, one.second): one for one in found}
    most = max((abs(one.difference.value or 0) for one in found), default=0) or 1.0
    rows = [
        HeatRow(
            model,
            "",
            tuple(_pair(data, known, model, other, most) for other in data.selected_models),
        )
        for model in data.selected_models
    ]
    heads = [str(at + 1) for at in range(len(data.selected_models))]
    named = ", ".join(f"{at + 1} {model}" for at, model in enumerate(data.selected_models))
    entries: list[Entry] = [
        (
            f"{one.first}, {one.second}",
            "mcnemar_difference",
            f"{data.selected_kind or 'both'}, {one.first} against {one.second}",
            one.difference,
            _paired(data, one, "discordant"),
        )
        for one in found
    ]
    drawn = Chart(
        name="ebmqa_pairs",
        title="Who is right where the other is not",
        n=f"{_said_kind(data)} By how many points the model of the row is right more often than"
        f" that of the column, on the questions that both answered. Columns: {named}.",
        note="Right is exactly right. The table has each difference with its interval and the p of"
        " its method, McNemar's score test; below, p is also corrected over all pairs that differ"
        " (Benjamini-Hochberg).",
        alt="A map of differences in accuracy between all pairs of models.",
        drawing=Heat(rows, heads),
        table=chart_entries_as_table(STUDY, entries),
        marks=tuple(mark for *_, mark in entries),
    )
    cells = Chart(
        name="ebmqa_mcnemar",
        title="The same questions",
        n="Click a row to list where the two differ.",
        alt="Pairs of models by whether each was right",
        table=pd.DataFrame(
            [
                {
                    "first": one.first,
                    "second": one.second,
                    "questions": one.shared_question_count,
                    "both right": one.both,
                    "first only": one.first_only,
                    "second only": one.second_only,
                    "neither": one.neither,
                    "better": one.better_model,
                    "p": format_p_value(one.test.p),
                    "p, FDR": format_p_value(one.p_fdr),
                }
                for one in found
            ]
        ),
        marks=tuple(_paired(data, one, "discordant") for one in found),
        foldable=False,
    )
    return [drawn, cells]


def _pair(
    data: EbmqaFigureData,
    known: Mapping[tuple[str, str], PairOfModels],
    model: str,
    other: str,
    most: float,
) -> Cell:
    one = known.get((model, other))
    turned = one is None
    one = one or known.get((other, model))
    if one is None or one.difference.value is None:
        return Cell(0.0, "", f"{model}: no question in common", "")
    value = -one.difference.value if turned else one.difference.value
    wins = one.second_only if turned else one.first_only
    losses = one.first_only if turned else one.second_only
    text = use_real_minus_sign(f"{100 * value:+.1f}")
    hover = (
        f"{model} right and {other} wrong on {wins:,}, the other way on {losses:,} of"
        f" {one.shared_question_count:,}; p {format_p_value(one.p_fdr)}"
    )
    # The linked list names the row first, then the column, to match the map.
    cell = "second_only" if turned else "first_only"
    return Cell(max(value, 0.0) / most, text, hover, _paired(data, one, cell))


def _paired(data: EbmqaFigureData, one: PairOfModels, cell: str, *labels: tuple[str, str]) -> str:
    return _mark(data, *labels, model=one.first, other=one.second, cell=cell)


def two_models_charts(data: EbmqaFigureData, first: str, second: str, name: str) -> list[Chart]:
    """Two models on the questions that both answered, overall and by a label."""
    title = f"{first} and {second} on all of them"
    whole = data.list_pairs_of_models_per_label_value(first, second, "")
    if not whole or not whole[0].shared_question_count:
        return [
            make_chart_that_says_why_empty(
                "ebmqa_cells", title, "There is no question that both answered."
            )
        ]
    one = whole[0]
    cells = [cell for cell in CELLS if cell != "discordant"]
    table = pd.DataFrame(
        {
            "where": [CELLS[cell].format(first=first, second=second) for cell in cells],
            "questions": [getattr(one, cell) for cell in cells],
        }
    )
    found = [
        Chart(
            name="ebmqa_cells",
            title=title,
            n=f"{one.shared_question_count:,} questions both answered. {first} alone is right on"
            f" {one.first_only:,}, {second} alone on {one.second_only:,}; difference"
            f" {format_number(one.difference.value, 'percent')}, p {format_p_value(one.test.p)}.",
            note="McNemar's score test on the questions that exactly one of them has right; the two"
            " are not tested if there are none.",
            alt="Questions by which of the two is right",
            table=table,
            marks=tuple(_paired(data, one, cell) for cell in cells),
            foldable=False,
        )
    ]
    return [*found, _two_by(data, first, second, name)] if name else found


def _two_by(data: EbmqaFigureData, first: str, second: str, name: str) -> Chart:
    entries: list[Entry] = []
    for one in data.list_pairs_of_models_per_label_value(first, second, name):
        difference = one.difference
        if one.p_fdr is not None:
            # A p shown among many others is the corrected one.
            method = f"{difference.method}, Benjamini-Hochberg"
            difference = replace(difference, method=method, p=one.p_fdr)
        group = f"{data.selected_kind or 'both'}, {first} against {second}, {name}, {one.group}"
        mark = _paired(data, one, "discordant", (name, one.group))
        entries.append((one.group, "mcnemar_difference_by_label", group, difference, mark))
    return bar_chart(
        *(STUDY, f"ebmqa_two_{name}", entries, Axis("Difference", "percent", zero=True)),
        title=f"{first} against {second} by {label_in_words(name)}",
        n=f"{_said_kind(data)} Right of zero: {first} is right more often. Differences on shared"
        f" questions with 95% intervals. {GREY_NOTE}",
        note="The table's p is that of McNemar's score test, corrected over the sub-labels on"
        " which the two differ (Benjamini-Hochberg).",
    )


# -- a table of one's own --------------------------------------------------------------------------

_TOTAL = "all"
_TESTED = ("test", "p", "p, FDR")


def pivot_table_chart(data: EbmqaFigureData, chosen: Chosen) -> Chart:
    """The requested table: rows, columns, measure, test."""
    row, column, measure = chosen["rows"], chosen["columns"], chosen["measure"]
    found = metrics_by_label_gaps_and_risk_coverage.make_pivot_of_tallies(
        *(data.tally_table(row, column), row, column, measure),
        alone=data.tally_table(row) if column in SEVERAL else None,
    )
    rows, columns = (
        order_values_of_label(row, found.rows),
        order_values_of_label(column, found.columns),
    )
    title = MEASURES[measure][0]
    why_not = _not_tested(data, row, column)
    tested = chosen["test"] == "columns" and not why_not
    # A value may have the same name as one of our columns.
    heads = make_names_distinct(
        [DIMENSIONS[row], *(one or NONE for one in columns), _TOTAL, *_TESTED]
    )
    table = pd.DataFrame(
        [
            dict(
                zip(
                    heads,
                    [
                        value or NONE,
                        *(_text(found.cells.get((value, one)), chosen["show"]) for one in columns),
                        _text(found.row_totals[value], chosen["show"]),
                        *(_p_of(found, value) if tested else ()),
                    ],
                    strict=False,
                )
            )
            for value in rows
        ]
    )
    return Chart(
        name="ebmqa_pivot",
        title=f"{title}: {label_in_words(row)} by {label_in_words(column)}",
        n=_pivot_said(data, found, chosen, why_not) if rows else "No answer matches.",
        note="Chi-square without Yates' correction, totals rounded to whole numbers; p is exact"
        " where cells are small, and corrected over the rows (Benjamini-Hochberg).",
        alt=f"{title} by {row} and {column}; click a cell to list its questions",
        table=table,
        marks=tuple(_pivot_mark(data, row, value) for value in rows),
        cells={
            head: _pivot_mark(None, column, value)
            for head, value in zip(heads[1:], columns, strict=False)
        },
        foldable=False,
        file=_long(found, rows, columns, row, column),
    )


def _pivot_mark(data: EbmqaFigureData | None, name: str, value: str) -> str:
    """A row's mark, or (without data) what a column adds to it; "prompt=…" selects no questions."""
    if name in ("model", "prompt"):
        own = f"prompt={value}" if name == "prompt" else QuestionsBehindMark(model=value).mark_name
        return "|".join(part for part in (own, _mark(data) if data else "") if part)
    return _mark(data, (name, value)) if data else QuestionsBehindMark(((name, value),)).mark_name


def _pivot_said(data: EbmqaFigureData, found: Pivot, chosen: Chosen, why_not: str) -> str:
    row, column = chosen["rows"], chosen["columns"]
    said = [_said_kind(data), "Wilson's 95% intervals."]
    if any(0 < one.n < FEW for one in found.cells.values()):
        said.append(f"In brackets: n below {FEW}.")
    if len(data.selected_models) > 1 and "model" not in (row, column):
        said.append(
            f"The answers of {len(data.selected_models)} models are added up, so that a question"
            " counts for each; filter to one model for a test."
        )
    if chosen["test"] != "none" and why_not:
        said.append(f"Not tested: {why_not}.")
    elif chosen["test"] == "rows":
        one = found.whole
        how = one.method.removeprefix("chi-square").removeprefix(", ") or "p"
        freedom = f", {one.df} degree{'' if one.df == 1 else 's'} of freedom" if one.df else ""
        said.append(
            f"Whether the rows differ: chi-square {format_number(one.statistic)}{freedom},"
            f" {how} {format_p_value(one.p)}, n {one.n:,}."
            if one.p is not None
            else f"Not tested: {one.reason}."
        )
    return " ".join(said)


def _not_tested(data: EbmqaFigureData, row: str, column: str) -> str:
    """Why chi-square does not apply: it needs independent answers."""
    if row in SEVERAL or column in SEVERAL:
        return "one question can have several of these"
    if "prompt" in (row, column):
        return "every prompt asks the same questions"
    if len(data.selected_models) > 1:
        return (
            "every model answers the same questions. Filter to one model, or see Models for tests"
            " of two models on the questions that both answered"
        )
    return ""


def _p_of(found: Pivot, value: str) -> tuple[str, str, str]:
    test = found.row_tests[value]
    return _named(test), format_p_value(test.p), format_p_value(found.p_fdr.get(value))


def _named(test: HypothesisTest) -> str:
    """Which test a p value is of; empty if there is none."""
    return "" if test.p is None else test.method


def _text(one: Estimate | None, show: str) -> str:
    if one is None or one.value is None:
        return "–"
    text = f"{100 * one.value:.1f}%"
    if show == "interval" and one.low is not None and one.high is not None:
        text += f" [{100 * one.low:.1f}–{100 * one.high:.1f}]"
    if show == "counts":
        text += f" {format_numerator(one)}/{one.denominator:,}"
    return f"({text})" if one.n < FEW else text


def _long(
    found: Pivot, rows: Sequence[str], columns: Sequence[str], row: str, column: str
) -> pd.DataFrame:
    """One row per cell with its counts and interval, for the CSV."""
    shown = ("value", "low", "high", "n", "method", "reason")
    cells = [(r, c, found.cells[r, c]) for r in rows for c in columns if (r, c) in found.cells]
    return pd.DataFrame(
        [
            {
                row: r,
                column: c,
                "numerator": one.exact_numerator,
                "denominator": one.denominator,
                **{name: getattr(one, name) for name in shown},
            }
            for r, c, one in cells
        ]
    )


# -- the question set ------------------------------------------------------------------------------


def question_set_chart(data: EbmqaFigureData, name: str, across: str) -> Chart:
    """The question set's composition: questions by a label, or by two (the paper's S2, S3)."""
    if across:
        return _set_crossed(data, name, across)
    table = data.answer_aggregates.table_of_question_counts_by_label(data.where, (name,))
    counts = {str(v): int(n) for v, n in zip(table[name], table["questions"], strict=True)}
    total = sum(counts.values())
    shares = metrics.shares_of_questions_by_label_value(counts)
    # The export and the paper count the whole set.
    of_kind = f"_{data.selected_kind}" * bool(data.selected_kind)
    entries: list[Entry] = [
        (
            value or NONE,
            f"questions_by_label{of_kind}",
            f"{name}, {value or NONE}",
            shares[value],
            _mark(data, (name, value)),
        )
        for value in order_values_of_label(name, counts)
    ]
    rows = [Row(called, "", (one,), (mark,)) for called, _, _, one, mark in entries]
    every = Estimate(float(total), None, None, total, "count")
    entries += [
        (
            "With the label",
            f"questions_with_label{of_kind}",
            name,
            metrics.estimate_share_of_questions_with_label(counts),
            "",
        ),
        ("Questions", "questions", data.selected_kind or "all", every, ""),
    ]
    title = f"Questions by {label_in_words(name)}"
    axis = Axis("Share of the questions", "percent", high=0.3)
    return Chart(
        name=f"ebmqa_set_{name}",
        title=title,
        n=f"{total:,} questions, all of the set: shares have no interval.",
        alt=f"{title}: a bar per value.",
        drawing=Rows(rows, [Series("questions")], axis) if rows else None,
        table=chart_entries_as_table(STUDY, entries),
        marks=tuple(mark for *_, mark in entries),
    )


def _set_crossed(data: EbmqaFigureData, name: str, across: str) -> Chart:
    table = data.answer_aggregates.table_of_question_counts_by_label(data.where, (name, across))
    counts = {
        (str(a), str(b)): int(n)
        for a, b, n in table[[name, across, "questions"]].itertuples(index=False, name=None)
    }
    columns = order_values_of_label(across, {b for _, b in counts})
    most = max(counts.values(), default=1)
    total = sum(counts.values())
    heat = []
    entries: list[Entry] = []
    for value in order_values_of_label(name, {a for a, _ in counts}):
        cells = []
        for other in columns:
            n = counts.get((value, other), 0)
            mark = _mark(data, (name, value), (across, other))
            named = f"{value or NONE}, {other or NONE}"
            cells.append(Cell(n / most, f"{n:,}", f"{named}: {n:,}", mark))
            one = Estimate(float(n), None, None, total, "count", numerator=n, denominator=total)
            entries.append((named, "questions_by_two_labels", named, one, mark))
        heat.append(HeatRow(value or NONE, "", tuple(cells)))
    heads, told = _heads([one or NONE for one in columns])
    title = f"Questions by {label_in_words(name)} and {label_in_words(across)}"
    return Chart(
        name=f"ebmqa_set_{name}_{across}",
        title=title,
        n=f"{total:,} questions.{told}",
        alt=f"{title}: a map of counts.",
        drawing=Heat(heat, heads) if heat else None,
        table=chart_entries_as_table(STUDY, entries),
        marks=tuple(mark for *_, mark in entries),
    )


# -- people ----------------------------------------------------------------------------------------

_SERIES = (Series("of those answered", "bar"), Series("with a guess where not known", "point"))
_COLOURS = {"person": "#2b7f9e", "model": "#8a5a9e", "majority": "#7a7a7a"}
_LOOKED = " People who “had looked” had seen right answers before answering."
_FIGURES = {
    "questionnaire_mean_accuracy": "Mean accuracy, of what was answered",
    "questionnaire_mean_accuracy_with_guesses": "Mean accuracy, with guesses",
    "questionnaire_difference": "Difference in accuracy",
}


def people_and_model_charts(data: EbmqaFigureData) -> list[Chart]:
    """People, models and the majority on the questionnaire; people against each model."""
    found = [questionnaire_chart(data.table_of_questionnaire_results)]
    rows = [row for row in data.questionnaire_figure_rows if row[0] in _FIGURES]
    if not rows:
        return found
    table = drop_empty_speaks_for_column(
        figure_rows_as_table(rows, study=STUDY).drop(columns=["study"])
    )
    shown = table.assign(
        figure=table["figure"].map(_FIGURES),
        **{name: 100 * table[name] for name in ("value", "low", "high")},
    )[["figure", "group", "value", "low", "high", "n", "method"]]
    against = Chart(
        name="ebmqa_people",
        title="People, and people against models",
        n="In percent, or percentage points.",
        alt="Means of people, and their differences from models",
        table=shown,
        columns=dict.fromkeys(("value", "low", "high"), "%.1f"),
        file=table,
        foldable=False,
        printed=tuple(data.questionnaire_figure_rows),
    )
    return [*found, against]


def questionnaire_chart(table: pd.DataFrame) -> Chart:
    """Shares of right answers of each person and model; ``table`` is
    ``questionnaire.questionnaire_results_table``.
    """
    title = "The questionnaire: people and models"
    if table.empty:
        said = "Nobody has answered all of a questionnaire of these questions yet."
        return make_chart_that_says_why_empty("ebmqa_questionnaire", title, said)
    rows, behind = [], []
    for one in table.to_dict("records"):
        answered = wilson_share_estimate(int(one["right"]), int(one["known"]))
        settled = wilson_share_estimate(int(one["right_settled"]), int(one["settled"]))
        guesses = one["kind"] == "person"
        beside = settled if guesses else Estimate.undefined_estimate("only people guess")
        name = f"{one['rater']} (had looked)" if one["looked"] else one["rater"]
        baseline = one["kind"] == "majority"
        row = Row(name, _COLOURS[one["kind"]], (answered, beside), ("", ""), baseline=baseline)
        rows.append(row)
        behind.append(
            {
                "who": one["rater"],
                "kind": one["kind"],
                "questions": one["n"],
                "answered": one["known"],
                "right": one["right"],
                "accuracy": answered.value,
                "low": answered.low,
                "high": answered.high,
                "with guesses": settled.value if guesses else None,
                "guesses low": settled.low if guesses else None,
                "guesses high": settled.high if guesses else None,
                "had looked": one["looked"],
            }
        )
    return Chart(
        name="ebmqa_questionnaire",
        title=title,
        n=f"The same {int(table['n'].max())} questions for all; people who answered every one of"
        " them, and models that were asked them.",
        alt="Bars: share of right answers by person and model.",
        drawing=Rows(rows, _SERIES, Axis("Right answers", "percent", high=1)),
        table=pd.DataFrame(behind),
        series=_SERIES,
        note=f"Of the questions answered; “{IDK}” is left out, and the second mark counts the guess"
        " in its place. Commonest class: always the class of answer that is right most often."
        f"{_LOOKED * bool(table['looked'].any())}",
    )
