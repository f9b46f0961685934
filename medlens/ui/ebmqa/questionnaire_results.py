"""How the questionnaire went: one's own answers beside what is right, people beside models."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.ebmqa import metrics_people, questionnaire
from medlens.ebmqa.explore.exports import people
from medlens.ebmqa.explore.queries import Explorer
from medlens.ebmqa.explore.questions import queries
from medlens.ebmqa.models import IDK, STUDY
from medlens.ebmqa.study import Study
from medlens.review.charts import Axis, Chart, Row, Series
from medlens.stats.estimate import Estimate
from medlens.stats.figures import figure_rows
from medlens.stats.intervals import wilson
from medlens.stats.words import spoken
from medlens.ui import Here, address, charts
from medlens.ui.charts import STYLE
from medlens.ui.ebmqa import behind, paper
from medlens.ui.figures.lines import rows_figure

_SERIES = (Series("of those answered", "bar"), Series("with a guess where not known", "point"))
_COLOURS = {"person": "#2b7f9e", "model": "#8a5a9e", "majority": "#7a7a7a"}
_LOOKED = " Who “had looked” had seen right answers before answering."
_AXIS = Axis("Right answers", "percent", high=1)


def draw(here: Here, study: Study) -> None:
    """The results, for somebody who has handed in."""
    st.html(STYLE)
    table = questionnaire.results(here.store, study.dataset, viewer=here.person)
    own = table[(table["rater_id"] == here.person.id) & (table["kind"] == "person")]
    st.subheader("Your questionnaire is handed in. Thank you.", anchor=False)
    if len(own):
        _own(own.iloc[0])
    charts.draw_chart(chart_of(table, theme=charts.theme()))
    _people(here, study)
    _answers(here, study)


def _answers(here: Here, study: Study) -> None:
    """One's own answers beside what is right; a row leads to the evidence behind its key."""
    st.subheader("Your answers", anchor=False)
    st.caption("A click on a row shows the evidence behind what is right.")
    table = questionnaire.answers_with_key(here.store, study.dataset, here.person)
    # On a phone only what stands first is seen.
    charts.draw_table(
        table.drop(columns="name"),
        "ebmqa.own",
        marks=tuple(table["name"]),
        on_mark=lambda name: address.go(own=name),
        alt="Your answers beside what is right",
        columns={"question": st.column_config.TextColumn(width="medium")},
    )
    opened = st.query_params.get("own", "")
    if opened in set(table["name"]):
        explorer = Explorer(here.store, study.dataset, here.person)
        behind.draw_key(queries.asked(explorer, opened))


def draw_for_lead(here: Here, study: Study) -> None:
    """How everybody did so far, for a lead who asks; without what is right."""
    opened = st.expander(
        "How everybody did so far",
        key="ebmqa.everybody",
        on_change="rerun",
        icon=":material/bar_chart:",
    )
    if not opened.open:
        return
    with opened:
        st.html(STYLE)
        table = questionnaire.results(here.store, study.dataset, viewer=here.person)
        charts.draw_chart(chart_of(table, theme=charts.theme()))
        _people(here, study)


def _people(here: Here, study: Study) -> None:
    """The mean of people, and people against each model on the same questions."""
    rows = metrics_people.rows(questionnaire.answers(here.store, study.dataset, viewer=here.person))
    if not rows:
        return
    st.markdown("##### People, and people against models")
    table = figure_rows(rows, study=STUDY).drop(columns=["study"])
    shown = table.assign(
        figure=table["figure"].map(_FIGURES),
        value=100 * table["value"],
        low=100 * table["low"],
        high=100 * table["high"],
    )[["figure", "group", "value", "low", "high", "n", "method"]]
    points = st.column_config.NumberColumn(format="%.1f", help="In percent, or percentage points")
    st.dataframe(
        shown,
        hide_index=True,
        alt="Means of people, and their differences from models",
        column_config=dict.fromkeys(("value", "low", "high"), points),
    )
    charts.csv_button(table, "ebmqa_people")
    paper.draw_beside(people(here.store, study.dataset, here.person), "people")


_FIGURES = {
    "questionnaire_mean_accuracy": "Mean accuracy, of what was answered",
    "questionnaire_mean_accuracy_with_guesses": "Mean accuracy, with guesses",
    "questionnaire_difference": "Difference in accuracy",
}


def _own(row: pd.Series) -> None:
    left, right = st.columns(2)
    known, n = int(row["known"]), int(row["n"])
    left.metric(
        "Right of those you answered",
        f"{int(row['right'])} of {known}",
        help=spoken(wilson(int(row["right"]), known), "percent"),
    )
    right.metric(
        "Right with your guesses",
        f"{int(row['right_settled'])} of {n}",
        help=spoken(wilson(int(row["right_settled"]), n), "percent"),
    )


def chart_of(table: pd.DataFrame, *, theme: charts.Theme) -> Chart:
    """People, models and the majority on the questions of the questionnaire.

    ``table`` is that of ``questionnaire.results``.
    """
    rows, behind = [], []
    for one in table.to_dict("records"):
        answered = wilson(int(one["right"]), int(one["known"]))
        settled = wilson(int(one["right_settled"]), int(one["settled"]))
        guesses = one["kind"] == "person"
        beside = settled if guesses else Estimate.undefined("only people guess")
        name = f"{one['rater']} (had looked)" if one["looked"] else one["rater"]
        rows.append(
            Row(name, _COLOURS[one["kind"]], (answered, beside), ("", "")),
        )
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
        title="The questionnaire: people and models",
        n=f"The same {int(table['n'].max()) if len(table) else 0} questions for all; people who"
        " answered every one of them, and models that were asked them.",
        alt="Bars: share of right answers by person and model.",
        figure=rows_figure(rows, list(_SERIES), _AXIS, theme=theme) if rows else None,
        table=pd.DataFrame(behind),
        series=_SERIES,
        note=f"Of the questions answered; “{IDK}” is left out, and the second mark counts the guess"
        " in its place. Majority: always the class of answer that is right most often."
        f"{_LOOKED * bool(table['looked'].any())}",
    )
