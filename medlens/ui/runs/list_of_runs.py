"""All runs of the store, newest first; a click opens one."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.llm import completion_run_and_job_queries
from medlens.review.run_names import list_models_in_run_configuration
from medlens.studies import registry
from medlens.ui import list_filters_and_paging, settings_store_and_runs_of_process
from medlens.ui.chart_with_table_and_csv import draw_clickable_table, draw_csv_button
from medlens.ui.page_address import replace_whole_address
from medlens.ui.page_frame import Here
from medlens.ui.runs.new_run import draw_how_to_set_up_a_model
from medlens.ui.runs.run_titles import STATES, people_names_by_id, title_of_run, title_of_study
from medlens.ui.times_in_browser_time_zone import streamlit_column_of_times

PAGE = 50
_COLUMNS = [
    *("id", "started", "state", "study", "what", "models", "done", "unusable", "without an answer"),
    *("of", "calls", "cost", "by"),
]


def draw_list_of_runs(here: Here) -> None:
    """The list, for one study or all, page by page."""
    asked = st.query_params.get("study", "")
    study = asked if asked in registry.STUDIES else ""
    total = completion_run_and_job_queries.count_runs(here.store, study=study)
    if not total and not study:
        if not here.settings.models:
            # Told here, not only once one of many kinds of run has been chosen.
            draw_how_to_set_up_a_model()
            return
        st.info(
            "No model has been asked anything yet. A new run shows its estimated cost first.",
            icon=":material/inbox:",
        )
        return
    at = list_filters_and_paging.whole_number_in_address("page")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state["runs.study"] = study or None
        st.selectbox(
            "Study",
            list(registry.STUDIES),
            format_func=title_of_study,
            key="runs.study",
            width=220,
            placeholder="all",
            on_change=_to_study,
        )
        list_filters_and_paging.draw_list_pager(total, PAGE, "runs", key="runs")
    table = _table(here, study, at)
    marks = tuple(table.pop("id"))
    draw_clickable_table(
        table,
        "runs.list",
        marks=marks,
        alt="Runs; click a row to open it",
        on_mark=lambda run: replace_whole_address(run=run) if run else None,
        columns={
            "started": streamlit_column_of_times(),
            "cost": st.column_config.NumberColumn(format="%.3f"),
            "unusable": st.column_config.NumberColumn(
                help="Of those done: refused, cut off, empty, too long, or in another form"
            ),
        },
    )
    st.caption("Press a row to open the run.")
    draw_csv_button(table, "runs")


def _table(here: Here, study: str, at: int) -> pd.DataFrame:
    launcher, names = (
        settings_store_and_runs_of_process.run_launcher_of_process(),
        people_names_by_id(here.store),
    )
    rows = []
    for run in completion_run_and_job_queries.list_current_runs(
        here.store, study=study, limit=PAGE, offset=at * PAGE
    ):
        rows.append(
            {
                "id": run["id"],
                "started": run["made_at"],
                "state": STATES[launcher.state_name_of_run(run)][0],
                "study": title_of_study(run["study"]),
                "what": title_of_run(here.store, run),
                "models": ", ".join(list_models_in_run_configuration(run["config"])),
                "done": run["done"],
                "unusable": run["unusable"],
                "without an answer": run["failed"],
                # A visit that is played has a job for each turn, asked for one by one.
                "of": max(run["counts"].get("total") or 0, run["done"] + run["failed"]),
                "calls": run["calls"],
                "cost": None if run["unpriced"] else run["cost"],
                "by": names.get(run["made_by"], run["made_by"]),
            }
        )
    return pd.DataFrame(rows, columns=_COLUMNS)


def _to_study() -> None:
    chosen = st.session_state["runs.study"]
    replace_whole_address(**({"study": chosen} if chosen else {}))
