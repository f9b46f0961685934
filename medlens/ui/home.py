"""Home: what waits for me, and the way into each study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from medlens.review import items, progress, rounds
from medlens.rooms import ROOMS
from medlens.ui import address, team_task
from medlens.ui.agentclinic.page import CHECK, RATE
from medlens.ui.ebmqa.nav import ANSWER
from medlens.ui.frame import Here, escape
from medlens.ui.rounds import Mine, mine, usual, why_nothing_new
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
    there = items.datasets(here.store, card.study)
    with st.container(border=True, key=f"study.{card.study}"):
        st.subheader(room.title, divider=False, anchor=False)
        st.markdown(card.about)
        if all(row["illustrative"] for row in there):
            st.caption(":material/science: Illustrative demo, written for MedLens.")
        found = list(mine(here, card.study))
        for one in found:
            _my_work(here, card, one, leave_for, named=len(there) > 1)
        study = room.open(here.store, here.settings, usual(here, card.study))
        for task in room.tasks(study):
            if all(one.task.name != task.name for one in found):
                st.caption(f"{task.title}: nothing waits for you.")
        if not found:
            st.page_link(card.page, label=card.enter, icon=card.icon)
        if here.person.role == "lead":
            _not_given(here, card, [str(row["dataset"]) for row in there])


def _my_work(
    here: Here, card: Card, one: Mine, leave_for: address.LeaveFor, *, named: bool
) -> None:  # fmt: skip
    """How far I am in a round, and the way to it; ``named`` where the dataset has to be told."""
    words = "Start" if not one.queue.places else "Continue" if one.left else "Look again"
    text = f"{one.task.title}: {one.queue.done} of {one.queue.total} done"
    if 0 < one.left < one.queue.total:
        text += f", {one.left} left"
    if named:
        text += f" · {escape(one.dataset)}" + (" (illustrative)" if one.illustrative else "")
    why = why_nothing_new(here.store, one.task, one.dataset, here.person.id)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(
            words, key=f"work.{one.task.name}.{one.dataset}", icon=":material/arrow_forward:",
            width=140, type="primary" if one.left else "secondary",
            on_click=leave_for,
            args=(card.page, {**card.views[one.task.name], "dataset": one.dataset}),
        )  # fmt: skip
        st.progress(min(1.0, one.queue.done / one.queue.total), text=text)
    if why and one.left:
        st.caption(f":material/lock: {why} What you hold can be finished.")


def _not_given(here: Here, card: Card, datasets: list[str]) -> None:
    """What nobody has been given yet, and where a lead gives it (leads)."""
    room = ROOMS[card.study]
    for dataset in datasets:
        tasks = room.tasks(room.open(here.store, here.settings, dataset))
        for task in rounds.waiting(here.store, tasks, dataset)[:1]:
            st.page_link(
                "pages/5_Team.py", icon=":material/hourglass_empty:",
                label=f"{escape(dataset)} is given to nobody yet: open its round",
                query_params={"task": task.name, "dataset": dataset},
            )  # fmt: skip


def _team(here: Here, card: Card) -> None:
    room = ROOMS[card.study]
    dataset = usual(here, card.study)
    study = room.open(here.store, here.settings, dataset)
    task = room.tasks(study)[0]
    settings = team_task.work_of(here, task, dataset, study).settings
    counts = progress.coverage(here.store, task, dataset=dataset)
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
                query_params={"view": "Results", "dataset": dataset},
            )  # fmt: skip
            st.page_link("pages/7_Data.py", label="Import and export", icon=":material/database:")
