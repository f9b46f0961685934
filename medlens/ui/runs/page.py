"""The Runs page: all runs, one run, or a new one, as the address says."""

from __future__ import annotations

import streamlit as st

from medlens.ui.chart_with_table_and_csv import STYLE
from medlens.ui.page_address import replace_whole_address
from medlens.ui.page_frame import Here
from medlens.ui.runs import list_of_runs, new_run, run_detail, running_now


def draw_page(here: Here) -> None:
    """The view that the address names: ``?run=…``, ``?new=…``, or the list."""
    st.html(STYLE)
    if run := st.query_params.get("run", ""):
        run_detail.draw_run_or_one_of_its_jobs(here, run)
        return
    if new := st.query_params.get("new", ""):
        new_run.draw_new_run_form(here, new)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Runs", width="stretch", anchor=False)
        st.button(
            "New run",
            key="runs.new",
            type="primary",
            icon=":material/add:",
            shortcut="N",
            on_click=replace_whole_address,
            kwargs={"new": "choose"},
        )
    running_now.draw_all_running_work(here)
    list_of_runs.draw_list_of_runs(here)
