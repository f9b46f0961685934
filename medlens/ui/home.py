"""Home: what waits for me, and the way into each study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from medlens.review import assignment, items, progress
from medlens.review import settings as given
from medlens.review.assignment import Queue
from medlens.review.tasks import Settings, Task
from medlens.rooms import ROOMS
from medlens.ui import address
from medlens.ui.agentclinic.page import CHECK, RATE
from medlens.ui.ebmqa.nav import ANSWER
from medlens.ui.frame import Here, escape
from medlens.ui.sourcecheckup.nav import CHECKS, VERIFY


@dataclass(frozen=True)
class Card:
    """A study on this page. ``views`` is where each of its tasks is done, in the page's address."""

    study: str
    page: str
    enter: str
    icon: str
    about: str
    views: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


CARDS = (
    Card(
        "tagging", "pages/1_Tag_errors.py", "Tag errors", ":material/ink_highlighter:",
        "Mark the errors in a model's wrong answers to exam questions: seven kinds of error, and "
        "two labels for answers without one.",
        {"error_spans": {}},
    ),
    Card(
        "agentclinic", "pages/2_Read_transcripts.py", "Read transcripts", ":material/forum:",
        "Read what a doctor and a patient, both language models, said to each other; rate how real "
        "it is, and check whether the diagnosis was judged rightly.",
        {"dialogue_realism": {"view": RATE}, "diagnosis_match": {"view": CHECK}},
    ),
    Card(
        "sourcecheckup", "pages/3_Verify_sources.py", "Verify sources", ":material/fact_check:",
        "Does the source say so? Read what a model stated beside the page that it cites, with the "
        "likeliest passages lit, and say whether the page supports it.",
        {
            "source_support": {"view": VERIFY},
            **{
                name: {"view": CHECKS, "task": name}
                for name in ("response_support", "statement_parse", "question_quality")
            },
        },
    ),
    Card(
        "ebmqa", "pages/4_Explore_EBMQA.py", "Explore EBMQA", ":material/query_stats:",
        "What models know of the numbers of medicine and of its words: answer the questionnaire "
        "yourself, then see who is right on which kinds of question.",
        {"ebmqa_answer": {"view": ANSWER}},
    ),
)  # fmt: skip


def draw(here: Here) -> None:
    """My work in each study, and for leads how far the team is."""
    leave_for = address.way_out()
    st.title(f"Good to see you, {escape(here.person.name)}", anchor=False)
    shown = [card for card in CARDS if items.datasets(here.store, card.study)]
    for card in shown:
        _draw(here, card, leave_for)
    if not shown:
        st.info("There is nothing to judge yet.", icon=":material/inbox:")
        if here.person.role == "lead":
            st.page_link("pages/7_Data.py", label="Import a study", icon=":material/upload_file:")
    elif here.person.role == "lead":
        _team(here, shown[0])


def _draw(here: Here, card: Card, leave_for: address.LeaveFor) -> None:
    room = ROOMS[card.study]
    study = room.open(here.store, here.settings, "")
    with st.container(border=True, key=f"study.{card.study}"):
        st.subheader(room.title, divider=False, anchor=False)
        st.markdown(card.about)
        if study.illustrative:
            st.caption(":material/science: Illustrative demo, written for MedLens.")
        waiting = [
            _my_work(here, card, task, study.dataset, leave_for)
            for task in room.tasks(study)
            if task.name in card.views
        ]
        if not any(waiting):
            st.page_link(card.page, label=card.enter, icon=card.icon)


def _queue(here: Here, task: Task, dataset: str) -> tuple[Queue, Settings]:
    defaults = given.defaults_of(here.settings, task.name, task.handing_out)
    settings = given.settings_of(here.store, task.name, dataset, defaults)
    held = assignment.queue(here.store, task, settings, dataset=dataset, rater=here.person.id)
    return held, settings


def _my_work(here: Here, card: Card, task: Task, dataset: str, leave_for: address.LeaveFor) -> bool:
    """How far I am with a task, and the way to it; False where nothing was given to me."""
    held, _ = _queue(here, task, dataset)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if not held.total:
            st.caption(f"{task.title}: nothing waits for you.")
            return False
        words = "Start" if not held.places else "Continue"
        if held.done >= held.total:
            words = "Look again"
        st.button(
            words, key=f"work.{task.name}", icon=":material/arrow_forward:", width=140,
            type="secondary" if held.done >= held.total else "primary",
            on_click=leave_for, args=(card.page, card.views[task.name]),
        )  # fmt: skip
        st.progress(
            min(1.0, held.done / held.total),
            text=f"{task.title}: {held.done} of {held.total} done",
        )
    return True


def _team(here: Here, card: Card) -> None:
    study = ROOMS[card.study].open(here.store, here.settings, "")
    task = ROOMS[card.study].tasks(study)[0]
    _, settings = _queue(here, task, study.dataset)
    counts = progress.coverage(here.store, task, dataset=study.dataset)
    enough = sum(count for n, count in counts if n >= settings.raters_per_item)
    with st.container(border=True):
        st.subheader(f"Your team: {task.title.lower()}", divider=False, anchor=False)
        left, middle, right = st.columns(3)
        left.metric("Items", f"{sum(count for _, count in counts):,}")
        middle.metric(f"With {settings.raters_per_item} raters or more", f"{enough:,}")
        right.metric("Judgments", f"{sum(n * count for n, count in counts):,}")
        with st.container(horizontal=True):
            st.page_link("pages/5_Team.py", label="Progress and people", icon=":material/group:")
            st.page_link(
                card.page, label="Results", icon=":material/bar_chart:",
                query_params={"view": "Results"},
            )  # fmt: skip
            st.page_link("pages/7_Data.py", label="Import and export", icon=":material/database:")
