"""Home: what waits for me, the next thing first; for leads also what needs them, and each study."""

from __future__ import annotations

import contextlib
from datetime import datetime

import streamlit as st

from medlens.errors import MedLensError
from medlens.review import changes_since_lead_visit, items
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import Study
from medlens.ui import (
    accept_invitation,
    home_lead_to_dos,
    home_my_work,
    home_studies,
    home_team_tasks,
    lead_remarks_and_guideline_for_rater,
    page_address,
    times_in_browser_time_zone,
)
from medlens.ui.page_frame import Here, escape_markdown
from medlens.ui.styles import read_style_sheet

_STYLE = read_style_sheet("home")


def draw_home(here: Here) -> None:
    """My work and, for leads, what needs them and how each study stands."""
    leave_for = page_address.follow_press_and_return_leaving_callback()
    st.html(_STYLE)
    leads = here.person.role == "lead"
    # What somebody is invited to is all that they read until they have answered.
    invited = accept_invitation.has_pending_link()
    greeting = "You are invited" if invited and not leads else "Good to see you"
    st.title(f"{greeting}, {escape_markdown(here.person.name)}", anchor=False)
    shown = [
        study
        for study in STUDIES.values()
        if items.datasets_of_study(here.store, study.name)
        or (leads and study.without_items(here.store))
    ]
    for study in shown:
        for row in items.datasets_of_study(here.store, study.name):
            study.offer(here.store, str(row["dataset"]))
    if leads and shown:
        _draw_news(here)
    accept_invitation.draw_invitation_to_round(here.store, here.settings, here.person)
    if not leads and invited:
        return  # what they were asked comes first: their work waits until they have answered
    lead_remarks_and_guideline_for_rater.draw_remarks_waiting_on_home(here, leave_for)
    if not shown:
        _draw_empty(here)
    elif leads:
        _draw_for_lead(here, shown, leave_for)
    else:
        own = home_my_work.list_open_rounds_of_person(here, shown)
        home_my_work.draw_list_of_own_work(here, own, leave_for)


def _draw_for_lead(here: Here, shown: list[Study], leave_for: page_address.LeaveFor) -> None:
    team = home_team_tasks.list_team_tasks(here, shown)
    home_lead_to_dos.draw_what_needs_lead(here, team)
    own = home_my_work.list_open_rounds_of_person(here, shown)
    judging = {
        (job.study.name, job.mine.dataset)
        for job in own
        if job.mine.queue.done and job.is_unfinished
    }
    home_studies.draw_study_rows(here, shown, team, judging)
    home_my_work.draw_list_of_own_work(here, own, leave_for)
    home_team_tasks.draw_table_of_team_tasks(here, team, leave_for)


def _draw_empty(here: Here) -> None:
    st.info("There is nothing to judge yet.", icon=":material/inbox:")
    if here.person.role == "lead":
        st.markdown("Begin with a spreadsheet of questions and answers, or with a template:")
        if st.button("Make a study", type="primary", icon=":material/add:", key="home.make"):
            st.switch_page("pages/8_Your_studies.py", query_params={"view": "Make a study"})
        st.page_link(
            "pages/7_Data.py",
            label="Import the files of a published study",
            icon=":material/upload_file:",
        )
        st.caption(
            "To look around first, run `python -m medlens demo`: it adds four small studies, which"
            " you can remove again."
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
    "withdrawal": ("item withdrawn or put back", "items withdrawn or put back"),
    "correction": ("item corrected", "items corrected"),
    "archive": ("thing archived or brought back", "things archived or brought back"),
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
            st.session_state[_SINCE] = changes_since_lead_visit.record_visit_and_return_previous(
                here.store, here.person
            )
    since: datetime | None = st.session_state[_SINCE]
    if since is None:
        return
    changes = changes_since_lead_visit.change_counts_by_kind_since(
        here.store, since=since, viewer=here.person
    )
    news = ", ".join(
        f"{changes[kind]:,} {names[changes[kind] != 1]}"
        for kind, names in _NEWS.items()
        if kind in changes
    )
    when = f"{times_in_browser_time_zone.to_browser_time_zone(since):%-d %B, %H:%M}"
    st.markdown(
        f"Since your visit of {when}: **{news}** by others."
        if news
        else f"Nothing new since your visit of {when}."
    )
