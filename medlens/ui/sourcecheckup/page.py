"""The page of SourceCheckup: which view, which dataset, and the judges' desks."""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st

from medlens.review.figure_definitions import VIEW
from medlens.review.result_cache import cache_until_tables_grow
from medlens.studies.sourcecheckup.make_statement_source_pairs import add_items_of_imported_pairs
from medlens.studies.sourcecheckup.records import STUDY
from medlens.studies.sourcecheckup.registration import (
    ANSWERS,
    PAIRS,
    QUESTIONS,
    STATEMENTS,
    VERIFY,
    WHOLE,
)
from medlens.studies.sourcecheckup.study_in_dataset import Study, open_study
from medlens.ui import Here, dataset_choice_and_round_controls, study_navigation
from medlens.ui.keyboard_help import draw_button_for_list_of_keys
from medlens.ui.sourcecheckup import (
    answers,
    browse_pairs,
    figures,
    pair_and_answer_desks,
    question_and_statement_desks,
)
from medlens.ui.sourcecheckup.address_changes import rewrite_old_address
from medlens.ui.sourcecheckup.figure_data import start_computing_evidence_ahead


def draw_page(here: Here) -> None:
    """The view that the address names."""
    rewrite_old_address()
    dataset = dataset_choice_and_round_controls.pick_dataset_and_set_address_or_stop_page(
        here, STUDY
    )
    study = _study(here.store, dataset)
    desks = {
        VERIFY: (study.support, pair_and_answer_desks.KEYS),
        WHOLE: (study.response, pair_and_answer_desks.ANSWER_KEYS),
        STATEMENTS: (study.parse, question_and_statement_desks.STATEMENT_KEYS),
        QUESTIONS: (study.question, question_and_statement_desks.QUESTION_KEYS),
    }
    views = list(desks)
    if here.person.role == "lead":
        views += [ANSWERS, PAIRS, VIEW]
    with study_navigation.draw_study_navigation(
        here, STUDY, dataset, views, illustrative=study.illustrative
    ) as view:
        if view in desks and dataset:
            task, keys = desks[view]
            dataset_choice_and_round_controls.draw_round_state(here, task, dataset)
            if study.dataset:
                with st.container(key="verify-keys", width="content"):
                    draw_button_for_list_of_keys(keys, key=f"{task.name}.help")
    if not study.dataset:
        dataset_choice_and_round_controls.draw_nothing_yet(here, "answers and sources")
        return
    add_items_of_imported_pairs(here.store, study.dataset)
    if here.person.role == "lead":
        start_computing_evidence_ahead(here.store, study, here.person)
        if view != VIEW:
            _load_ahead()
    _DRAWN[view](here, study)


_AHEAD, _SECONDS = "figures.ahead", 10.0
_NOTHING = {"data": [{"type": "bar", "x": [0], "y": [0]}], "layout": {"height": 10}}


def _load_ahead() -> None:
    """Make the browser load plotly once while a lead reads: parsing its 5 MB takes a second, which
    would be the longest part of the first figure.
    """
    # Drawn for ten seconds: reruns follow at once, and a chart that they remove is never loaded.
    if time.monotonic() - st.session_state.setdefault(_AHEAD, time.monotonic()) > _SECONDS:
        return
    st.html("<style>.st-key-figures-ahead-chart { display: none; }</style>")
    with st.container(key="figures.ahead.chart"):
        st.plotly_chart(_NOTHING, key="figures.ahead.empty")


_DRAWN: dict[str, Callable[[Here, Study], None]] = {
    VERIFY: pair_and_answer_desks.draw_pair_desk,
    WHOLE: pair_and_answer_desks.draw_answer_desk,
    STATEMENTS: question_and_statement_desks.draw_statement_desk,
    QUESTIONS: question_and_statement_desks.draw_question_desk,
    ANSWERS: answers.draw_answer_list_or_answer,
    PAIRS: browse_pairs.draw_pair_list_or_pair,
    VIEW: figures.draw_figures,
}


# Every rerun asks for it, and it changes only when items are added or settings changed.
_study = cache_until_tables_grow("item", "task_setting", most=32)(open_study)
