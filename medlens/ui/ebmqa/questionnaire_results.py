"""The questionnaire's results: your own answers beside the right ones, people beside models."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.stats.estimate import estimate_in_words
from medlens.stats.intervals import wilson_share_estimate
from medlens.studies.ebmqa import questionnaire
from medlens.studies.ebmqa.explore import question_queries as queries
from medlens.studies.ebmqa.explore.aggregate_queries import AnswerAggregates
from medlens.studies.ebmqa.figures import FIGURES
from medlens.studies.ebmqa.records import STUDY
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.studies.registry import STUDIES
from medlens.ui import Here, chart_with_table_and_csv, page_address
from medlens.ui.chart_with_table_and_csv import STYLE
from medlens.ui.ebmqa import questions_behind_chart_mark
from medlens.ui.figures import page as figures


def draw_own_and_everyones_results(here: Here, study: Study) -> None:
    """The results, for somebody who has handed in."""
    st.html(STYLE)
    table = questionnaire.questionnaire_results_table(here.store, study.dataset, viewer=here.person)
    own = table[(table["rater_id"] == here.person.id) & (table["kind"] == "person")]
    st.header("Your questionnaire is handed in. Thank you.", anchor=False)
    if len(own):
        _own(own.iloc[0])
    _people(here, study)
    _answers(here, study)


def _answers(here: Here, study: Study) -> None:
    """Your own answers beside the right ones; a row opens the evidence behind its key."""
    st.header("Your answers", anchor=False)
    st.caption("Press a row to see the evidence behind the right answer.")
    table = questionnaire.own_answers_beside_key_table(here.store, study.dataset, here.person)
    # On a phone only the first columns are visible.
    chart_with_table_and_csv.draw_clickable_table(
        table.drop(columns="name"),
        "ebmqa.own",
        marks=tuple(table["name"]),
        on_mark=lambda name: page_address.set_values_in_address(own=name),
        alt="Your answers beside the right ones",
        columns={"question": st.column_config.TextColumn(width="medium")},
    )
    opened = st.query_params.get("own", "")
    if opened in set(table["name"]):
        explorer = AnswerAggregates(here.store, study.dataset, here.person)
        questions_behind_chart_mark.draw_question_with_key(
            queries.question_with_answers(explorer, opened)
        )


def draw_everyones_results(here: Here, study: Study) -> None:
    """Everyone's progress so far, for a lead who asks; without the right answers."""
    opened = st.expander(
        "How everyone has done so far",
        key="ebmqa.everybody",
        on_change="rerun",
        icon=":material/bar_chart:",
    )
    if not opened.open:
        return
    with opened:
        st.html(STYLE)
        _people(here, study)


def _people(here: Here, study: Study) -> None:
    """People, the majority and models; the mean of people, and people against each model."""
    looked = figures.figures_of_dataset_for_lead(here, STUDIES[STUDY], study)
    [figure] = [one for one in FIGURES.figures if one.name == "people"]
    figures.draw_charts_with_published_numbers(looked, figure, figure.name)


def _own(row: pd.Series) -> None:
    left, right = st.columns(2)
    known, settled = int(row["known"]), int(row["settled"])
    left.metric(
        "Right of those you answered",
        f"{int(row['right'])} of {known}",
        help=estimate_in_words(wilson_share_estimate(int(row["right"]), known), "percent"),
    )
    right.metric(
        "Right with your guesses",
        f"{int(row['right_settled'])} of {settled}",
        help=estimate_in_words(
            wilson_share_estimate(int(row["right_settled"]), settled), "percent"
        ),
    )
