"""How the models do as a whole: accuracy and answer rate, the paper's table, risk and coverage."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import pandas as pd
import streamlit as st

from medlens.ebmqa import metrics
from medlens.ebmqa.explore.where import Behind
from medlens.ebmqa.metrics import MEASURES
from medlens.ebmqa.metrics_prompts import Spread, spreads
from medlens.ebmqa.models import IDK, STUDY
from medlens.review.charts import GREY_NOTE, Axis, Chart, Entry, Row, Series, signs, undefined
from medlens.stats.estimate import Estimate
from medlens.stats.figures import FigureRow
from medlens.stats.words import p_text
from medlens.ui.charts import csv_button, draw_chart, draw_table
from medlens.ui.ebmqa import behind, nav, paper
from medlens.ui.ebmqa.source import Source
from medlens.ui.ebmqa.widgets import (
    MEASURE_NAMES,
    ORDERS,
    STATE_OF,
    asked_so,
    choice,
    draw_marks,
    kind_choice,
    pick,
    rows_chart,
    share,
    sorted_rows,
    table_of,
    with_interval,
)
from medlens.ui.figures.lines import ACCENT, GREY, rows_figure
from medlens.ui.figures.planes import Path, Place, plane_figure
from medlens.ui.frame import escape

_SECTIONS = {
    "models": "Models",
    "table": "Table 1",
    "rate": "Answer rate and accuracy",
    "risk": "Risk and coverage",
    "prompts": "Prompts",
}


def draw(source: Source) -> None:
    """The section that the address names, and the questions behind the chosen mark."""
    _counted(source)
    section = choice("section", _SECTIONS)
    with behind.beside(source):
        _DRAWN[section](source)


def _counted(source: Source) -> None:
    by_kind = source.keep("asked", lambda: source.explorer.offered(source.where))
    counts = ", ".join(
        f"{int(n):,} {kind}" for kind, n in zip(by_kind["kind"], by_kind["questions"], strict=True)
    )
    answers = sum(one.asked for one in source.tally("model", "kind").values())
    st.caption(
        f"{counts} questions; {answers:,} answers of {len(source.models)} models"
        f"{escape(asked_so(source.where.prompt))}."
    )


# -- models ----------------------------------------------------------------------------------------


def _models(source: Source) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = pick("measure", MEASURE_NAMES, "Measure")
        order = pick("order", ORDERS, "Sort", width=170)
    draw_marks(
        source.keep(
            f"overview.{measure}.{order}", lambda: _models_chart(source, measure), drawn=True
        )
    )
    if measure == "accuracy" and len(source.models) > 1:
        _leaderboard(source)


def _leaderboard(source: Source) -> None:
    """Models by rank; those that the data cannot tell apart share one."""
    st.markdown(
        "##### Leaderboard",
        help="A model's rank is one more than there are models whose interval lies wholly above its"
        " own, so that models whose intervals overlap can share a rank. For two models on the"
        " questions that both answered see Models.",
    )
    make = MEASURES["accuracy"][1]
    rows: list[dict[str, object]] = []
    marks: list[str] = []
    by_kind: dict[str, dict[str, Estimate]] = {}
    for (model, kind), tally in source.tally("model", "kind").items():
        by_kind.setdefault(kind, {})[model] = make(tally)
    for kind, found in by_kind.items():
        ranked = metrics.ranks(found)
        order = sorted(found, key=lambda name: -_or_0(found[name]))
        for model in sorted(order, key=lambda name: ranked[name].value or math.inf):
            one, rank = found[model], ranked[model].value
            shared = sum(other.value == rank for other in ranked.values()) > 1
            rows.append(
                {
                    "questions": kind,
                    "rank": "–" if rank is None else f"{rank:.0f}{'=' * shared}",
                    "model": model,
                    "accuracy": share(one),
                    "from": one.low,
                    "to": one.high,
                }
            )
            marks.append(nav.mark_of(Behind((("kind", kind),), model, "answered")))
    percent = st.column_config.NumberColumn(format="percent")
    table = pd.DataFrame(rows)
    draw_table(
        table,
        "ebmqa.leaderboard",
        marks=tuple(marks),
        on_mark=nav.follow,
        alt="Models by rank of their accuracy",
        columns={"from": percent, "to": percent},
    )
    csv_button(table, "ebmqa_leaderboard")


def _or_0(one: Estimate) -> float:
    return one.value or 0.0


def _models_chart(source: Source, measure: str) -> Chart:
    title, make = MEASURES[measure]
    found = source.tally("model", "kind")
    kinds = [kind for kind in ("numeric", "semantic") if any(k == kind for _, k in found)]
    rows: list[Row] = []
    entries: list[Entry] = []
    colour = ACCENT[source.theme]
    nothing = Estimate.undefined("none was asked")
    by_model = {
        model: {
            kind: make(found[model, kind]) if (model, kind) in found else nothing for kind in kinds
        }
        for model in source.models
    }
    values = {model: tuple(own.values()) for model, own in by_model.items()}
    for model in sorted_rows(source.models, values):
        estimates = by_model[model]
        marks = {
            kind: nav.mark_of(Behind((("kind", kind),), model, STATE_OF.get(measure, "")))
            for kind in kinds
        }
        rows.append(Row(model, colour, tuple(estimates.values()), tuple(marks.values())))
        entries += [
            (f"{model}, {kind}", measure, f"{model}, {kind}", estimates[kind], marks[kind])
            for kind in kinds
        ]
    if measure in ("accuracy", "accuracy_of_all"):
        for name, figure, estimates in _baselines(source, kinds):
            rows.append(Row(name, GREY, tuple(estimates.values()), ("",) * len(kinds)))
            entries += [(f"{name}, {k}", figure, k, e, "") for k, e in estimates.items()]
    series = [Series(kind, "bar" if kind == "numeric" else "hatched") for kind in kinds]
    for at in range(len(kinds)):
        keys = [[(figure, group)] for _, figure, group, _, _ in entries[at :: len(kinds)]]
        for sign, printed in signs(STUDY, keys, over=at):
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
        figure=rows_figure(rows, series, Axis(title, "percent", high=1), theme=source.theme),
        series=tuple(series),
        table=table_of(entries),
        undefined=undefined(entries),
        marks=tuple(mark for *_, mark in entries),
    )


def _of(measure: str) -> str:
    if measure in ("accuracy", "exact", "jaccard"):
        return "the questions that were answered"
    return "the questions asked" if measure == "error_rate" else "the questions replied to"


def _baselines(source: Source, kinds: list[str]) -> list[tuple[str, str, dict[str, Estimate]]]:
    offered = source.explorer.offered(source.where).set_index("kind")
    chance = {
        kind: metrics.chance(float(offered["chance"][kind]), int(offered["questions"][kind]))
        for kind in kinds
        if kind in offered.index
    }
    numeric = source.where.narrowed("kind", ("numeric",))
    classes = source.explorer.questions(numeric, ("answer",))
    counts = {v: int(n) for v, n in zip(classes["answer"], classes["questions"], strict=True) if v}
    none = Estimate.undefined("options of semantic questions have no classes")
    majority = {k: metrics.majority(counts) if k == "numeric" else none for k in kinds}
    return [("Blind choice", "chance", chance), ("Commonest class", "majority", majority)]


# -- the paper's table -----------------------------------------------------------------------------


def _table(source: Source) -> None:
    st.markdown(
        "##### Models against models",
        help="As in the paper's Table 1: chi-square without Yates' correction on counts rounded to"
        " whole numbers, odds ratios with Woolf's intervals. McNemar's exact test beside it is on"
        " the questions that both answered, corrected over all pairs (Benjamini-Hochberg).",
    )
    rows = source.keep("table_one", lambda: _table_one(source))
    if rows:
        _pairs(source, rows)
    else:
        st.caption("It takes two models on the same kind of question.")
    _apart(source)
    paper.draw_beside(_as_exported(source, rows), "table")


def _as_exported(source: Source, rows: list[metrics.TableOne]) -> Iterator[FigureRow]:
    for (model, kind), one in source.tally("model", "kind").items():
        for measure in ("accuracy", "answer_rate"):
            yield measure, f"{model}, {kind}", MEASURES[measure][1](one)
    for row in rows:
        yield from metrics.against_rows(f"{row.kind}, {row.first} against {row.second}", row)
    found = {(model, kind): one for (model, kind), one in source.tally("model", "kind").items()}
    for apart in metrics.kinds_apart(found):
        yield from metrics.against_rows(f"{apart.model}, semantic against numeric", apart)


def _pairs(source: Source, rows: list[metrics.TableOne]) -> None:
    table = source.keep("table_one.rows", lambda: _table_rows(rows))
    marks = [
        nav.mark_of(Behind((("kind", r.kind),), r.first, "", r.second, "discordant")) for r in rows
    ]
    behind.marked_table(table, "ebmqa.table_one", marks, alt="Models against models by kind")
    csv_button(table, "ebmqa_table_1")


def _apart(source: Source) -> None:
    """Each model's two kinds of questions against one another."""
    by_model = source.tally("model", "kind")
    rows = metrics.kinds_apart({(model, kind): one for (model, kind), one in by_model.items()})
    if not rows:
        return
    st.markdown(
        "##### Semantic against numeric",
        help="Each model by itself: whether it does better on one kind of question. Chi-square and"
        " odds ratios as above; above 1 is better on semantic questions.",
    )
    table = pd.DataFrame(
        [
            {
                "model": row.model,
                **_against("accuracy", row.accuracy, ("semantic", "numeric")),
                **_against("answer rate", row.answer_rate, ("semantic", "numeric")),
            }
            for row in rows
        ]
    )
    marks = [nav.mark_of(Behind(model=row.model)) for row in rows]
    behind.marked_table(table, "ebmqa.apart", marks, alt="Each model's two kinds of questions")
    csv_button(table, "ebmqa_kinds")


def _table_one(source: Source) -> list[metrics.TableOne]:
    found = {(a, b): one for (a, b), one in source.tally("model", "kind").items()}
    pairs = {
        kind: source.of_kind(kind).pairs()
        for kind in ("semantic", "numeric")
        if any(k == kind for _, k in found)
    }
    return metrics.table_one(found, pairs)


def _table_rows(rows: list[metrics.TableOne]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "questions": row.kind,
                "first": row.first,
                "second": row.second,
                **_against("accuracy", row.accuracy),
                **_against("answer rate", row.answer_rate),
                "shared": row.shared.n if row.shared else None,
                "first only right": row.shared.first_only if row.shared else None,
                "second only right": row.shared.second_only if row.shared else None,
                "p, McNemar": p_text(row.shared.p_fdr if row.shared else None),
            }
            for row in rows
        ]
    )


def _against(
    name: str, one: metrics.Against, sides: tuple[str, str] = ("first", "second")
) -> dict[str, str]:
    return {
        f"{name}, {sides[0]}": share(one.first),
        f"{name}, {sides[1]}": share(one.second),
        f"odds ratio, {name}": with_interval(one.odds),
        f"p, {name}": p_text(one.test.p),
    }


# -- answer rate, risk ---------------------------------------------------------------------------


def _rate(source: Source) -> None:
    here = kind_choice(source)
    draw_marks(here.keep("overview.rate", lambda: _rate_chart(here), drawn=True))


def _rate_chart(source: Source) -> Chart:
    rate, right = MEASURES["answer_rate"][1], MEASURES["accuracy"][1]
    found = {model: one for (model,), one in source.tally("model").items()}
    of_kind = (("kind", source.kind),) if source.kind else ()
    entries: list[Entry] = []
    paths = []
    for series in source.series():
        if series.name not in found:
            continue
        one, mark = found[series.name], nav.mark_of(Behind(of_kind, series.name))
        place = Place(series.name, rate(one), right(one), mark)
        paths.append(Path(series.name, series.colour, series.symbol, (place,)))
        group = ", ".join(part for part in (series.name, source.kind) if part)
        entries += [
            (series.name, "answer_rate", group, place.across, mark),
            (series.name, "accuracy", group, place.up, mark),
        ]
    return Chart(
        name="ebmqa_rate",
        title="Answer rate against accuracy",
        n=f"One point per model, with Wilson's 95% intervals on both axes. {GREY_NOTE}",
        alt="Models by answer rate and accuracy.",
        series=tuple(source.series()),
        figure=plane_figure(paths, "Answer rate", "Accuracy", theme=source.theme, whole=False),
        table=table_of(entries),
        undefined=undefined(entries),
        marks=tuple(mark for *_, mark in entries),
    )


def _risk(source: Source) -> None:
    here = kind_choice(source)
    draw_chart(here.keep("overview.risk", lambda: _risk_chart(here), drawn=True))


def _risk_chart(source: Source) -> Chart:
    steps = source.steps()
    entries: list[Entry] = []
    paths = []
    for series in source.series():
        own = steps.get(series.name, [])
        places = []
        for step in own:
            group = f"{series.name}, {source.kind or 'both'}, {step.agreeing} agreeing or more"
            name = f"{series.name}, with {step.agreeing} or more others"
            places.append(Place(name, step.coverage, step.risk))
            entries += [
                (name, "coverage", group, step.coverage, ""),
                (name, "risk", group, step.risk, ""),
            ]
        paths.append(Path(series.name, series.colour, series.symbol, tuple(places), joined=True))
    return Chart(
        name="ebmqa_risk",
        title="Risk and coverage",
        n="Wrong among the answers kept (risk), over the share of questions they cover. From the"
        " right: every answer, then only those that one other model or more gave too, two or more,"
        " and so on. Bands are Wilson's 95% intervals.",
        note="Models do not say how sure they are, except by “I do not know”. How many others"
        " chose the same options stands for it.",
        alt="A curve per model: risk by coverage.",
        series=tuple(source.series()),
        figure=plane_figure(paths, "Coverage", "Risk", theme=source.theme),
        table=table_of(entries),
    )


# -- prompts ---------------------------------------------------------------------------------------


def _prompts(source: Source) -> None:
    here = kind_choice(source)
    measure = pick("measure", _OF_PROMPTS, "Measure", width=170)
    found = here.keep(f"prompts.{measure}", lambda: _spreads(here, measure))
    if not found:
        st.caption(
            "A prompt study asks a model the same questions in several orders of the options:"
            " on the Runs page, ask with the prompts of the study."
        )
        return
    draw_chart(
        here.keep(
            f"prompts.chart.{measure}", lambda: _prompts_chart(here, measure, found), drawn=True
        )
    )
    paper.draw_beside(
        [
            row
            for one in found
            for row in (
                (f"prompt_mean_{measure}", one.group, one.mean),
                (f"prompt_sd_{measure}", one.group, one.sd),
            )
        ],
        "prompts",
    )
    st.markdown("##### Mean over the orders")
    table = pd.DataFrame(
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
    )
    percent = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        table,
        hide_index=True,
        alt="Mean and standard deviation over the orders of the options",
        column_config={"mean": percent, "SD": percent},
    )
    csv_button(table, f"ebmqa_prompt_means_{measure}")


_OF_PROMPTS = {name: MEASURE_NAMES[name] for name in ("accuracy", "answer_rate")}


def _spreads(source: Source, measure: str) -> list[Spread]:
    table = source.explorer.by_prompt(source.where)
    found = metrics.tallies(table, ("model", "kind", "prompt"))
    return spreads({(a, b, c): one for (a, b, c), one in found.items()}, measure)


def _prompts_chart(source: Source, measure: str, found: list[Spread]) -> Chart:
    title = MEASURES[measure][0]
    entries: list[Entry] = [
        (
            f"{one.model}, {one.kind}, {variant.name}",
            f"prompt_{measure}",
            f"{one.model}, {one.kind}, {variant.name}",
            estimate,
            "",
        )
        for one in found
        for variant, estimate in one.orders.items()
    ]
    return rows_chart(
        source.theme,
        f"prompts_{measure}",
        entries,
        Axis(title, "percent", high=1),
        title=f"{title} by prompt",
        n="Of each model the questions that it was asked in all its prompts of the study, so that"
        f" orders compare like with like; 95% intervals. {GREY_NOTE}",
        note=f"“+idk”: “{IDK}” was among the options. The options stood in their order (given),"
        " from last to first (reversed), with the first at the end (rotated), or shuffled.",
        kind="point",
    )


_DRAWN: dict[str, Callable[[Source], None]] = {
    "models": _models,
    "table": _table,
    "rate": _rate,
    "risk": _risk,
    "prompts": _prompts,
}
