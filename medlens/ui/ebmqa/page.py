"""The page of EBMQA: which view, which question set, and who may see it."""

from __future__ import annotations

import streamlit as st

from medlens.review.figures import VIEW
from medlens.studies.ebmqa import questionnaire as questionnaires
from medlens.studies.ebmqa import study as studies
from medlens.studies.ebmqa.declared import ANSWER
from medlens.studies.ebmqa.explore.queries import Explorer
from medlens.studies.ebmqa.explore.where import may_explore
from medlens.studies.ebmqa.models import STUDY
from medlens.ui import Here, rounds, ways
from medlens.ui.charts import STYLE
from medlens.ui.ebmqa import behind, figures, nav, questionnaire

_VIEWS = (VIEW, nav.QUESTIONS)


def draw(here: Here) -> None:
    """The view that the address names."""
    nav.lead_on()
    study = studies.open_study(here.store, rounds.dataset_of(here, STUDY))
    may = bool(study.dataset) and may_explore(here.store, study.dataset, here.person)
    lead = here.person.role == "lead"
    to_answer = not lead and questionnaires.is_drawn(here.store, study.dataset)
    views = [ANSWER, *_VIEWS] if to_answer else [*_VIEWS, ANSWER]
    views = views if may or lead else [ANSWER]
    with ways.page_line(here, STUDY, study.dataset, views, illustrative=study.illustrative) as view:
        if study.dataset and view == ANSWER:
            rounds.draw_state(
                here,
                study.task,
                study.dataset,
                is_left=lambda: (
                    not questionnaires.progress(here.store, study.dataset, here.person.id).handed_in
                ),
            )
    if not study.dataset:
        rounds.draw_nothing(here, "questions")
        return
    if view == ANSWER or not may:
        if not may:
            st.caption("The models' answers are shown once you have handed in the questionnaire.")
        questionnaire.draw(here, study)
        return
    explorer = Explorer(here.store, study.dataset, here.person)
    if st.query_params.get("question"):
        st.html(STYLE)
        if behind.draw_question(explorer, here.person):
            return
    if view == nav.QUESTIONS:
        st.html(STYLE)
        figures.draw_questions(here, study)
    else:
        figures.draw(here, study)
