"""Home: what waits for me, and the way into each study."""

from __future__ import annotations

import streamlit as st

from medlens.review import items, progress, rounds
from medlens.review.study import Study
from medlens.studies import STUDIES
from medlens.ui import address, team_task
from medlens.ui.frame import Here, escape
from medlens.ui.rounds import Mine, mine, usual, why_nothing_new


def draw(here: Here) -> None:
    """My work in each study, and for leads how far the team is."""
    leave_for = address.way_out()
    st.title(f"Good to see you, {escape(here.person.name)}", anchor=False)
    shown = [one for one in STUDIES.values() if items.datasets(here.store, one.name)]
    for one in shown:
        _draw(here, one, leave_for)
    if not shown:
        st.info("There is nothing to judge yet.", icon=":material/inbox:")
        if here.person.role == "lead":
            st.page_link("pages/7_Data.py", label="Import a study", icon=":material/upload_file:")
    elif here.person.role == "lead":
        _team(here, shown[0])


def _draw(here: Here, declared: Study, leave_for: address.LeaveFor) -> None:
    there = items.datasets(here.store, declared.name)
    for row in there:
        declared.offer(here.store, str(row["dataset"]))
    with st.container(border=True, key=f"study.{declared.name}"):
        st.subheader(declared.title, divider=False, anchor=False)
        st.markdown(declared.about)
        if all(row["illustrative"] for row in there):
            st.caption(":material/science: Illustrative demo, written for MedLens.")
        found = list(mine(here, declared.name))
        for one in found:
            _my_work(here, declared, one, leave_for, named=len(there) > 1)
        study = declared.open(here.store, here.settings, usual(here, declared.name))
        for task in declared.tasks(study):
            if all(one.task.name != task.name for one in found):
                st.caption(f"{task.title}: nothing to do at the moment.")
        if not found:
            st.page_link(declared.page, label=declared.enter, icon=declared.icon)
        if here.person.role == "lead":
            _not_given(here, declared, [str(row["dataset"]) for row in there])


def _my_work(
    here: Here, declared: Study, one: Mine, leave_for: address.LeaveFor, *, named: bool
) -> None:
    """How far I am in a round, and the way to it; ``named`` where the dataset has to be told."""
    words = "Start" if not one.queue.places else "Continue" if one.left else "Review"
    text = f"{one.task.title}: {one.queue.done} of {one.queue.total} done"
    if 0 < one.left < one.queue.total:
        text += f", {one.left} left"
    if named:
        text += f" · {escape(one.dataset)}" + (" (illustrative)" if one.illustrative else "")
    why = why_nothing_new(here.store, one.task, one.dataset, here.person.id)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(
            words,
            key=f"work.{one.task.name}.{one.dataset}",
            icon=":material/arrow_forward:",
            width=140,
            type="primary" if one.left else "secondary",
            on_click=leave_for,
            args=(declared.page, {**declared.views[one.task.name], "dataset": one.dataset}),
        )
        st.progress(min(1.0, one.queue.done / one.queue.total), text=text)
    if why and one.left:
        st.caption(f":material/lock: {why} You can finish what you have already been given.")


def _not_given(here: Here, declared: Study, datasets: list[str]) -> None:
    """What nobody has been given yet, and where a lead gives it (leads)."""
    for dataset in datasets:
        tasks = declared.tasks(declared.open(here.store, here.settings, dataset))
        for task in rounds.waiting(here.store, tasks, dataset)[:1]:
            st.page_link(
                "pages/5_Team.py",
                icon=":material/hourglass_empty:",
                label=f"{escape(dataset)} has not been opened to anyone yet: open its round",
                query_params={"task": task.name, "dataset": dataset},
            )


def _team(here: Here, declared: Study) -> None:
    dataset = usual(here, declared.name)
    study = declared.open(here.store, here.settings, dataset)
    task = declared.tasks(study)[0]
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
                declared.page,
                label="Results",
                icon=":material/bar_chart:",
                query_params={"view": "Results", "dataset": dataset},
            )
            st.page_link("pages/7_Data.py", label="Import and export", icon=":material/database:")
