"""The work under way on this server: live progress, and a button that stops it."""

from __future__ import annotations

import streamlit as st

from medlens.errors import MedLensError
from medlens.llm.background_runs import Running
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.page_address import replace_whole_address
from medlens.ui.page_frame import Here, escape_markdown, show_error

_EVERY = 2.0
_SHOWN = "runs.shown"


def draw_all_running_work(here: Here) -> None:
    """Everything under way here, and what ended here in an error or without a run to show it."""
    there = _there()
    st.session_state[_SHOWN] = _ticket(there)
    if any(one.running for one in there):
        st.fragment(_cards, run_every=_EVERY)()
    else:
        _cards()


def _there() -> list[Running]:
    background = settings_store_and_runs_of_process.run_launcher_of_process().background
    return [
        one for one in background.list_started_runs() if one.running or one.error or not one.run
    ]


def _cards() -> None:
    there = _there()
    if _ticket(there) != st.session_state.get(_SHOWN):
        st.rerun()
    for one in there:
        with st.container(border=True, key=f"runs.live.{one.key}"):
            st.markdown(f"**{escape_markdown(one.title)}**")
            draw_one_running_work(one, opener=True)


def _ticket(there: list[Running]) -> list[tuple[str, bool, bool]]:
    return [(one.key, one.running, bool(one.run)) for one in there]


def draw_one_running_work(one: Running, *, opener: bool = False) -> None:
    """The state of one, with the buttons for it."""
    background = settings_store_and_runs_of_process.run_launcher_of_process().background
    if one.running:
        progress = one.progress
        if progress is None:
            st.progress(0.0, text=escape_markdown(one.note) or "Getting ready…")
        else:
            done = progress.done + progress.failed
            st.progress(
                done / progress.total if progress.total else 1.0,
                text=progress.progress_in_one_line(),
            )
        with st.container(horizontal=True):
            st.button(
                "Stopping: waiting for calls in progress" if one.stopping else "Stop",
                key=f"runs.stop.{one.key}",
                icon=":material/stop_circle:",
                disabled=one.stopping,
                on_click=background.request_stop_of_work,
                args=(one.key,),
            )
            if opener and one.run:
                st.button(
                    "Open",
                    key=f"runs.open.{one.key}",
                    icon=":material/open_in_full:",
                    type="tertiary",
                    on_click=replace_whole_address,
                    kwargs={"run": one.run},
                )
        return
    draw_how_work_ended(one)
    if opener:
        st.button(
            "Dismiss",
            key=f"runs.forget.{one.key}",
            type="tertiary",
            icon=":material/close:",
            on_click=background.forget_ended_work,
            args=(one.key,),
        )


def draw_how_work_ended(one: Running) -> None:
    """How it ended, in its own words."""
    if one.error:
        show_error(MedLensError(one.error, hint=one.hint))
    if one.done is not None:
        st.text("\n".join((*one.done.lines, *one.done.aside)), width="stretch")
