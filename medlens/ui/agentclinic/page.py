"""The page of AgentClinic: which view, which dataset, and the judges' desks."""

from __future__ import annotations

import streamlit as st

from medlens.review.figure_definitions import VIEW
from medlens.review.result_cache import cache_until_tables_grow
from medlens.studies.agentclinic import queries
from medlens.studies.agentclinic.records import STUDY
from medlens.studies.agentclinic.registration import CHECK, DIALOGUES, RATE
from medlens.studies.agentclinic.study_in_dataset import AgentClinicSettings, open_study
from medlens.ui import Here, dataset_choice_and_round_controls, page_address, study_navigation
from medlens.ui.agentclinic import (
    browse_and_compare_dialogues,
    case_list_and_new_case_form,
    diagnosis_check,
    dialogue_in_page_address,
    figures,
    play_visit,
    rating_desk,
)
from medlens.ui.page_frame import escape_to_one_line

PLAY, BROWSE, CASES = dialogue_in_page_address.PLAY, DIALOGUES, "Cases"


def draw_page(here: Here) -> None:
    """The view that the address names."""
    page_address.redirect_earlier_view_names({"Rate realism": RATE})
    dataset = dataset_choice_and_round_controls.pick_dataset_and_set_address_or_stop_page(
        here, STUDY
    )
    study = _study(here.store, dataset)
    # Reviewers cannot set a model up: Play is theirs once a lead has.
    can_play = bool(here.settings.of(AgentClinicSettings).play_models)
    can_play = can_play or "visit" in st.query_params
    views = [RATE, CHECK, *([PLAY] if can_play or here.person.role == "lead" else [])]
    if here.person.role == "lead":
        views += [BROWSE, CASES, VIEW]
    with study_navigation.draw_study_navigation(
        here, STUDY, dataset, views, illustrative=study.illustrative
    ) as view:
        if dataset and view in (RATE, CHECK):
            dataset_choice_and_round_controls.draw_round_state(
                here, study.realism if view == RATE else study.match, dataset
            )
    if not study.dataset:
        dataset_choice_and_round_controls.draw_nothing_yet(here, "cases or dialogues")
        return
    if view in (RATE, CHECK) and queries.dialogue_index_table(here.store, study.dataset).empty:
        st.info(
            f"There are no dialogues in the dataset {escape_to_one_line(study.dataset)} yet. A lead"
            " can have models play its cases on the Runs page, or import dialogues."
            + " You can also play one yourself under Play."
            * can_play,
            icon=":material/inbox:",
        )
        return
    if view == RATE:
        rating_desk.draw_rating_desk(here, study)
    elif view == CHECK:
        diagnosis_check.draw_diagnosis_check_desk(here, study)
    elif view == PLAY:
        play_visit.draw_visit_or_start(here, study)
    elif view == BROWSE:
        browse_and_compare_dialogues.draw_dialogue_list_or_dialogue(here, study)
    elif view == CASES:
        case_list_and_new_case_form.draw_case_list_or_case(here, study)
    else:
        figures.draw_figures(here, study)


# Every rerun asks for it, and it changes only when items are added.
_study = cache_until_tables_grow("item", most=32)(open_study)
