"""Home: the work waiting for me, and the way into each study."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import Any

import pandas as pd
import streamlit as st

from medlens.errors import MedLensError
from medlens.review import completion, items, progress, rounds, visits
from medlens.review.progress import Own, Worked
from medlens.store import utc_now
from medlens.studies.registry import STUDIES
from medlens.studies.study import Study
from medlens.ui import address, desk_view, headlines, invited, remarks, team_task, workshop
from medlens.ui.frame import Here, escape
from medlens.ui.rounds import Mine, mine, usual, why_nothing_new
from medlens.ui.team_disagreements import to_settle
from medlens.ui.team_overview import MANY, done_of
from medlens.ui.team_task import Work

Key = tuple[str, str]
"""A task and a dataset, by name."""


def draw(here: Here) -> None:
    """My work in each study and, for leads, the team's progress."""
    leave_for = address.way_out()
    st.title(f"Good to see you, {escape(here.person.name)}", anchor=False)
    shown = [one for one in STUDIES.values() if items.datasets(here.store, one.name)]
    for one in shown:
        for row in items.datasets(here.store, one.name):
            one.offer(here.store, str(row["dataset"]))
    invited.offer_round(here.store, here.settings, here.person)
    remarks.draw_waiting(here, leave_for)
    theirs = {one.name: list(mine(here, one.name)) for one in shown}
    own = progress.own(here.store, here.person.id)
    _go_on(theirs, own, leave_for)
    if shown and here.person.role == "lead":
        _team(here, shown, leave_for)
    for one in shown:
        _draw(here, one, theirs[one.name], own, leave_for)
    if not shown:
        st.info("There is nothing to judge yet.", icon=":material/inbox:")
        if here.person.role == "lead":
            st.page_link("pages/7_Data.py", label="Import a study", icon=":material/upload_file:")
            st.page_link(
                "pages/8_Your_studies.py",
                label="Make a study of your own",
                icon=":material/edit_note:",
            )


def _go_on(
    theirs: Mapping[str, Sequence[Mine]], own: Mapping[Key, Own], leave_for: address.LeaveFor
) -> None:
    """A button back to where the viewer last judged, if more than one round has work for them."""
    left = [(study, one) for study, found in theirs.items() for one in found if one.left]
    begun = [(study, one) for study, one in left if (one.task.name, one.dataset) in own]
    if not begun or len(left) < 2:
        return
    study, last = max(begun, key=lambda one: own[one[1].task.name, one[1].dataset].last)
    declared = STUDIES[study]
    st.button(
        f"Continue where you were: {escape(declared.title)}, {escape(last.task.title)}",
        key="go_on",
        icon=":material/resume:",
        type="primary",
        on_click=leave_for,
        args=(declared.page, {**declared.views[last.task.name], "dataset": last.dataset}),
    )


def _draw(
    here: Here,
    declared: Study,
    found: Sequence[Mine],
    own: Mapping[Key, Own],
    leave_for: address.LeaveFor,
) -> None:
    there = items.datasets(here.store, declared.name)
    with st.container(border=True, key=f"study.{declared.name}"):
        st.subheader(declared.title, divider=False, anchor=False)
        st.markdown(declared.about)
        if here.person.role == "lead":
            first = usual(here, declared.name, found)
            others = (str(row["dataset"]) for row in there if row["dataset"] != first)
            headlines.draw(here, declared, [first, *others])
        if all(row["illustrative"] for row in there):
            st.caption(":material/science: Illustrative demo, written for MedLens.")
        for one in found:
            pace = own.get((one.task.name, one.dataset))
            _my_work(here, declared, one, pace, leave_for, named=len(there) > 1)
        study = declared.open(here.store, here.settings, usual(here, declared.name, found))
        for task in declared.tasks(study):
            if all(one.task.name != task.name for one in found):
                st.caption(f"{escape(task.title)}: nothing for you to judge at the moment.")
        if not found:
            st.page_link(declared.page, label=declared.enter, icon=declared.icon)
        if here.person.role == "lead":
            _not_given(here, declared, [str(row["dataset"]) for row in there])


def _my_work(
    here: Here,
    declared: Study,
    one: Mine,
    pace: Own | None,
    leave_for: address.LeaveFor,
    *,
    named: bool,
) -> None:
    """My progress in a round, and the way to it; ``named``: show the dataset's name."""
    ends = "" if one.left else declared.ends(here.store, one.dataset, here.person.id)
    words = "Start" if not one.queue.places else "Continue" if one.left or ends else "Review"
    done, total = one.queue.work
    text = f"{escape(one.task.title)}: {'practice, ' if one.queue.practising else ''}"
    text += one.queue.progress
    new = one.left - len(one.queue.sent_back)
    if 0 < new < total:
        text += f", {new} left"
    text += f", {ends}" * bool(ends)
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
        st.progress(min(1.0, done / total), text=text)
    if told := _told(one, pace):
        st.caption(told)
    if why and one.left:
        st.caption(f":material/lock: {why} You can finish what you have already been given.")


def _told(one: Mine, pace: Own | None) -> str:
    """When a round is due, and the viewer's pace in it; empty if neither is known."""
    parts = []
    if one.deadline and one.left:
        due = date.fromisoformat(one.deadline)
        days = (due - utc_now().date()).days
        when = f"{-days:,} days ago" if days < -1 else _NEAR.get(days) or f"in {days:,} days"
        parts.append(f"{'Due' if days >= 0 else '**Was due**'} {due:%-d %B %Y} ({when})")
    if pace and pace.seconds:
        parts.append(f"You take about {_time(pace.seconds)} per item")
        if one.left:
            parts.append(f"about {_time(pace.seconds * one.left)} left")
    if pace and pace.lately:
        parts.append(f"{pace.lately:,} judged in the last {progress.DAYS} days")
    return " · ".join(parts)


_NEAR = {-1: "yesterday", 0: "today", 1: "tomorrow"}


def _time(seconds: float) -> str:
    """A duration in everyday units."""
    if seconds < 90:
        return f"{max(1, seconds):.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h"


def _not_given(here: Here, declared: Study, datasets: list[str]) -> None:
    """Datasets not opened to anyone yet, with a link to where a lead opens them (leads)."""
    for dataset in datasets:
        tasks = declared.tasks(declared.open(here.store, here.settings, dataset))
        for task in rounds.waiting(here.store, tasks, dataset)[:1]:
            st.page_link(
                "pages/5_Team.py",
                icon=":material/hourglass_empty:",
                label=f"{escape(dataset)} has not been opened to anyone yet: open its round",
                query_params={"section": "hand-out", "task": task.name, "dataset": dataset},
            )


def _team(here: Here, shown: Sequence[Study], leave_for: address.LeaveFor) -> None:
    """The progress of every task (leads); a press on a row opens it on Team."""
    found = [
        one
        for declared in shown
        for row in items.datasets(here.store, declared.name)
        for one in _works(here, declared, str(row["dataset"]))
    ]
    worked = progress.across(here.store, viewer=here.person)
    judged = cache(lambda: progress.judged_by(here.store))
    rows = [
        _of_work(here, one, worked.get((one.task.name, one.dataset), Worked()), judged)
        for one in found
    ]
    table = pd.DataFrame(rows)
    if table["dataset"].nunique() == 1:
        table = table.drop(columns=["dataset"])
    key = "team.tasks"

    def pressed() -> None:
        chosen = st.session_state[key].selection.rows
        if chosen:
            one = found[chosen[0]]
            leave_for("pages/5_Team.py", {"task": one.task.name, "dataset": one.dataset})

    running = sum(one.running for one in workshop.launcher().background.all())
    column = st.column_config
    with st.container(border=True, key="team"):
        st.subheader("Your team", divider=False, anchor=False)
        _draw_news(here)
        st.dataframe(
            table,
            hide_index=True,
            placeholder="–",
            key=key,
            on_select=pressed,
            selection_mode="single-row",
            column_config={
                "done": column.ProgressColumn(
                    width=130,
                    format="%d%%",
                    max_value=100,
                    help="Share of the judgments wanted: the number of items times the raters per"
                    " item",
                ),
                **dict.fromkeys(
                    ("items", "people", "judgments"), column.NumberColumn(width="small")
                ),
                "last 7 days": column.NumberColumn(
                    width="small", help="Judgments by people here; imported ones are not counted"
                ),
                "to settle": column.NumberColumn(
                    width="small",
                    help="Items on which people disagree and nobody has decided yet; from"
                    f" {MANY:,} judgments of a task on they are counted on Team only",
                ),
                "flagged": column.NumberColumn(
                    width="small", help="Items that somebody has flagged as wrong"
                ),
            },
            alt="Every task of every study, with its progress and what is waiting for a lead",
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Choose a task to see its people, agreement and disagreements.")
            if waiting := sum(completion.waiting(here.store).values()):
                st.page_link(
                    "pages/5_Team.py",
                    label=f"{waiting:,} {'person waits' if waiting == 1 else 'people wait'} for a"
                    " completion code",
                    icon=":material/hourglass_top:",
                    query_params={"section": "codes"},
                )
            if running:
                st.page_link(
                    "pages/6_Runs.py",
                    label=f"{running} model {'run' if running == 1 else 'runs'} at work",
                    icon=":material/play_circle:",
                )


_SINCE = "home.since"
_NEWS = {
    "judgment": ("judgment", "judgments"),
    "flag": ("flag", "flags"),
    "unclear": ("question", "questions"),
    "import": ("import", "imports"),
    "settings": ("change of settings", "changes of settings"),
    "round": ("round opened or closed", "rounds opened or closed"),
    "role": ("new role", "new roles"),
    "exclusion": ("exclusion", "exclusions"),
    "return": ("item returned", "items returned"),
    "hand_on": ("leaver's work handed on", "leavers' work handed on"),
    "guideline": ("guideline", "guidelines"),
    "invitation": ("invitation made or used", "invitations made or used"),
}


def _draw_news(here: Here) -> None:
    """What others have done since the lead's previous visit."""
    if _SINCE not in st.session_state:
        st.session_state[_SINCE] = None
        # If the store cannot be written now, the page can still be shown.
        with contextlib.suppress(MedLensError):
            st.session_state[_SINCE] = visits.arrive(here.store, here.person)
    since: datetime | None = st.session_state[_SINCE]
    if since is None:
        return
    found = visits.changed(here.store, since=since, viewer=here.person)
    told = ", ".join(
        f"{found[kind]:,} {names[found[kind] != 1]}"
        for kind, names in _NEWS.items()
        if kind in found
    )
    when = f"{desk_view.local(since):%-d %B, %H:%M}"
    st.markdown(
        f":material/update: Since your visit of {when}: **{told}** by others."
        if told
        else f":material/update: Nothing new since your visit of {when}."
    )


def _works(here: Here, declared: Study, dataset: str) -> list[Work]:
    study = declared.open(here.store, here.settings, dataset)
    return [team_task.work_of(here, task, dataset, study) for task in declared.tasks(study)]


def _of_work(
    here: Here, work: Work, now: Worked, judged: Callable[[], Mapping[str, Mapping[str, int]]]
) -> dict[str, Any]:
    """A row of the lead's table; None for what a task cannot have."""
    task, dataset = work.task, work.dataset
    far = done_of(here, work, judged)
    return {
        "task": f"{STUDIES[task.study].title}: {task.title}",
        "dataset": dataset,
        "done": 100 * far.done // far.wanted if far.wanted else 0,
        "to settle": to_settle(here, work) if task.word_in and far.judgments < MANY else None,
        "flagged": now.flagged,
        "items": far.items,
        "people": now.people,
        "judgments": far.judgments,
        "last 7 days": now.lately,
    }
