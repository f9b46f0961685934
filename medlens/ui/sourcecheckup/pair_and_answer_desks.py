"""Verifying pairs and whole answers: the reviewer's queue, each with its sources, by keys."""

from __future__ import annotations

from functools import partial

import streamlit as st

from medlens.review import hand_out_settings
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Store
from medlens.studies.sourcecheckup import queries, tasks
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.ui import Here, dataset_choice_and_round_controls, desk_view
from medlens.ui.sourcecheckup.pair_and_answer_desk_state_and_messages import (
    AnswerDesk,
    PairDesk,
    SourceDesk,
)
from medlens.ui.sourcecheckup.source_reader import source_desk
from medlens.ui.sourcecheckup.statements_and_sources_prepared_to_read import (
    load_answer_with_newest_source_texts,
    prepare_pair_to_read,
)

_PLACES = (
    ("S", "skip"),
    ("F", "flag, with a reason"),
    ("W", "write why; Enter returns"),
    ("N P", "next, previous passage"),
    ("M", "mark what is selected, or the sentence shown or found, as the one that decides"),
    ("/", "search in the source; Enter goes to the next match, Esc returns"),
    ("O", "open the original"),
    ("Ctrl+Z", "undo"),
    ("Ctrl+Enter", "submit, from anywhere"),
)
KEYS = (
    ("1 2 3 4 5", "answer"),
    ("Enter", "submit; press again for the next pair"),
    ("J K", "next, previous pair"),
    *_PLACES,
)
"""The keys that ``?`` lists for pairs."""
ANSWER_KEYS = (
    ("1", "yes"),
    ("2", "no"),
    ("3", "cannot tell"),
    ("Enter", "submit; press again for the next answer"),
    ("↓ ↑", "next, previous statement"),
    ("→ ←", "next, previous source"),
    ("A", "show or hide the whole answer"),
    ("R", "after submitting: what the verifier found"),
    ("J K", "next, previous answer"),
    *_PLACES,
)
"""The keys that ``?`` lists for whole answers."""


def draw_pair_desk(here: Here, study: Study) -> None:
    """The next pair of the reviewer's queue, or the end."""
    _desk(here, study, PairDesk)


def draw_answer_desk(here: Here, study: Study) -> None:
    """The next whole answer of the reviewer's queue, or the end."""
    _desk(here, study, AnswerDesk)


# A fragment: work at the desk redraws neither the menu nor the page's head.
@st.fragment
def _desk(here: Here, study: Study, kind: type[SourceDesk]) -> None:
    with here.show_errors_within():
        _lay(here, study, kind)


def _lay(here: Here, study: Study, kind: type[SourceDesk]) -> None:
    task, lay_out_it = (
        (study.support, prepare_pair_to_read)
        if kind is PairDesk
        else (study.response, load_answer_with_newest_source_texts)
    )
    desk = desk_view.open_desk(here, task, study.dataset, partial(lay_out_it, here), kind=kind)
    assert isinstance(desk, SourceDesk)
    if desk.item is None:
        desk_view.draw_end(here, desk, done="verified", things=f"{desk.thing}s")
        return
    same = _settles(here.store, study.dataset)
    pairs = same.get(desk.item, 1) if kind is PairDesk else 1
    with desk_view.container_for_content_of_some_items():
        if pairs > 1:
            st.caption(
                f"This statement and page occur in {pairs:,} pairs; your answer applies to all."
            )
        desk_view.draw_note_on_suggestion(desk)
    needed = ["cannot_tell"] if kind is AnswerDesk else []
    if kind is PairDesk and _required(here.store, study.dataset):
        needed = list(desk.choices)
    source_desk.draw_item_and_pass_messages_to_desk(
        desk, partial(desk.surface_data_of_item, reason_needed=needed), key=f"{task.name}.surface"
    )
    if dataset_choice_and_round_controls.must_rerun_to_show_practice_answer(desk):
        st.rerun()


# Called at every change at the desk; it changes when pairs are made.
@cache_until_tables_grow("item", most=8)
def _settles(store: Store, dataset: str) -> dict[str, int]:
    return queries.count_pairs_settled_by_item(store, dataset)


# Called at every change; it changes when a lead changes a setting.
@cache_until_tables_grow("task_setting")
def _required(store: Store, dataset: str) -> bool:
    return bool(
        hand_out_settings.task_settings_set_by_lead(store, tasks.SUPPORT, dataset).get("reason")
        == "required"
    )
