"""The page of EBMQA: which view, which question set, and who may see it."""

from __future__ import annotations

import streamlit as st

from medlens.review.figure_definitions import VIEW
from medlens.studies.ebmqa import questionnaire as questionnaires
from medlens.studies.ebmqa import study_in_dataset as studies
from medlens.studies.ebmqa.explore.aggregate_queries import AnswerAggregates
from medlens.studies.ebmqa.explore.question_filter import may_viewer_see_models_answers
from medlens.studies.ebmqa.records import STUDY
from medlens.studies.ebmqa.registration import ANSWER
from medlens.ui import Here, dataset_choice_and_round_controls, page_address, study_navigation
from medlens.ui.chart_with_table_and_csv import STYLE
from medlens.ui.ebmqa import address_changes, figures, questionnaire, questions_behind_chart_mark

_VIEWS = (VIEW, address_changes.QUESTIONS)


def draw_page(here: Here) -> None:
    """The view that the address names."""
    address_changes.rewrite_old_address()
    page_address.redirect_earlier_view_names({"Answer": ANSWER})
    study = studies.open_study(
        here.store,
        dataset_choice_and_round_controls.pick_dataset_and_set_address_or_stop_page(here, STUDY),
    )
    may = bool(study.dataset) and may_viewer_see_models_answers(
        here.store, study.dataset, here.person
    )
    lead = here.person.role == "lead"
    to_answer = not lead and questionnaires.has_questionnaire(here.store, study.dataset)
    views = [ANSWER, *_VIEWS] if to_answer else [*_VIEWS, ANSWER]
    views = views if may or lead else [ANSWER]
    with study_navigation.draw_study_navigation(
        here, STUDY, study.dataset, views, illustrative=study.illustrative
    ) as view:
        if study.dataset and view == ANSWER:
            dataset_choice_and_round_controls.draw_round_state(
                here,
                study.task,
                study.dataset,
                is_left=lambda: (
                    not questionnaires.questionnaire_progress(
                        here.store, study.dataset, here.person.id
                    ).handed_in
                ),
            )
    if not study.dataset:
        dataset_choice_and_round_controls.draw_nothing_yet(here, "questions")
        return
    if view == ANSWER or not may:
        if not may:
            st.caption("The models' answers are shown once you have handed in the questionnaire.")
        questionnaire.draw_next_question_or_results(here, study)
        return
    explorer = AnswerAggregates(here.store, study.dataset, here.person)
    if st.query_params.get("question"):
        st.html(STYLE)
        if questions_behind_chart_mark.draw_question_in_address_and_say_if_found(explorer, here):
            return
    if view == address_changes.QUESTIONS:
        st.html(STYLE)
        figures.draw_filtered_question_list(here, study)
    else:
        figures.draw_figures(here, study)
