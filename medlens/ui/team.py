"""The team: how far each task is, who does it, what was flagged, the settings, and the audit log
(leads)."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens import studies
from medlens.review import items, raters, surveys
from medlens.review.raters import Role
from medlens.ui import (
    address,
    rounds,
    team_agreement,
    team_audit,
    team_disagreements,
    team_gold,
    team_raters,
    team_task,
)
from medlens.ui.charts import csv_button
from medlens.ui.frame import Here, asked_for, escape
from medlens.ui.server import sign_in_is_set_up
from medlens.ui.team_task import Work


def draw(here: Here) -> None:
    """Progress, flags, agreement, gold items and settings of one task in one dataset; people, forms
    and the audit log."""
    st.title("Team", anchor=False)
    work = _chosen(here)
    if work is not None:
        rounds.draw_controls(here, work.task, work.dataset)
        team_raters.draw(here, work)
        team_task.draw_flags(here, work)
        team_agreement.draw(here, work)
        team_disagreements.draw(here, work)
        team_gold.draw(here, work)
        team_task.draw_settings(here, work)
    _people(here)
    _surveys(here)
    team_audit.draw(here)


def _chosen(here: Here) -> Work | None:
    """The task and the dataset that the address names, or the first that has items."""
    found: dict[str, tuple[str, str]] = {}
    for study, declared in studies.STUDIES.items():
        # Of a team's own studies each has its title.
        asked = st.query_params.get("dataset", "")
        for task in declared.tasks(declared.open(here.store, here.settings, asked)):
            found[task.name] = (study, f"{declared.title or study}: {task.title}")
    unknown = sorted(set(here.settings.tasks) - set(found))
    if unknown:
        st.warning(
            f"medlens.toml has settings for an unknown task: {escape(', '.join(unknown))}."
            f" The tasks are: {', '.join(found)}.",
            icon=":material/settings:",
        )
    there = {study: items.datasets(here.store, study) for study in studies.STUDIES}
    names = [name for name, (study, _) in found.items() if there[study]]
    if not names:
        return None
    name = asked_for("task", names, "task") or names[0]
    study = found[name][0]
    datasets = [str(row["dataset"]) for row in there[study]]
    dataset = asked_for("dataset", datasets, "dataset") or datasets[0]
    if not {"task", "dataset"} & set(st.query_params):
        # A link that is sent from here means the same when there is a newer dataset.
        address.go(task=name, dataset=dataset)
    with st.container(horizontal=True):
        st.session_state["team.task"] = name
        st.selectbox(
            "Task",
            names,
            key="team.task",
            width=360,
            on_change=_go,
            args=("task",),
            format_func=lambda one: found[one][1],
        )
        if len(datasets) > 1:
            st.session_state["team.dataset"] = dataset
            st.selectbox(
                "Dataset", datasets, key="team.dataset", width=240, on_change=_go, args=("dataset",)
            )
    opened = studies.STUDIES[study].open(here.store, here.settings, dataset)
    studies.STUDIES[study].offer(here.store, dataset)
    task = next(one for one in studies.STUDIES[study].tasks(opened) if one.name == name)
    return team_task.work_of(here, task, dataset, opened)


def _go(name: str) -> None:
    if name == "task":
        address.go(dataset="")
    address.go(**{name: str(st.session_state[f"team.{name}"])})


def _people(here: Here) -> None:
    st.subheader("People", anchor=False)
    everyone = [r for r in raters.everyone(here.store) if r.origin in ("app", "oidc")]
    st.dataframe(
        pd.DataFrame([{"name": r.name, "e-mail": r.email or "", "role": r.role} for r in everyone]),
        hide_index=True,
    )
    if sign_in_is_set_up():
        st.caption("Roles come from [people] in medlens.toml.")
        return
    others = [r for r in everyone if r.id != here.person.id]
    if not others:
        return
    with st.form("role", border=True):
        left, right = st.columns(2)
        who = left.selectbox("Person", others, format_func=lambda r: r.name)
        roles: list[Role] = ["reviewer", "lead"]
        role = right.selectbox("Role", roles)
        if st.form_submit_button("Set role"):
            raters.set_role(here.store, who.id, role, by=here.person)
            st.rerun()


def _surveys(here: Here) -> None:
    table = surveys.table(here.store, viewer=here.person)
    if table.empty:
        return
    st.subheader("Forms", anchor=False)
    st.caption(f"Answered by {table['rater_handle'].nunique()}.")
    st.dataframe(table.drop(columns=["rater_handle"]), hide_index=True)
    csv_button(table, "surveys")
