"""All runs of the store, newest first; a click opens one."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.llm import queries
from medlens.review.run_names import models_of
from medlens.studies import registry
from medlens.ui import lists, workshop
from medlens.ui.address import only
from medlens.ui.charts import csv_button, draw_table
from medlens.ui.frame import Here
from medlens.ui.runs.words import STATES, names_of, study_title, what_title

PAGE = 50
_COLUMNS = [
    *("id", "started", "state", "study", "what", "models", "done", "unusable", "without an answer"),
    *("of", "calls", "cost", "by"),
]


def draw(here: Here) -> None:
    """The list, for one study or all, page by page."""
    asked = st.query_params.get("study", "")
    study = asked if asked in registry.STUDIES else ""
    total = queries.run_count(here.store, study=study)
    if not total and not study:
        st.info(
            "No model has been asked anything yet. A new run shows its estimated cost first.",
            icon=":material/inbox:",
        )
        return
    at = lists.number("page")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state["runs.study"] = study or None
        st.selectbox(
            "Study",
            list(registry.STUDIES),
            format_func=study_title,
            key="runs.study",
            width=220,
            placeholder="all",
            on_change=_to_study,
        )
        lists.pager(total, PAGE, "runs", key="runs")
    table = _table(here, study, at)
    marks = tuple(table.pop("id"))
    draw_table(
        table,
        "runs.list",
        marks=marks,
        alt="Runs; click a row to open it",
        on_mark=lambda run: only(run=run) if run else None,
        columns={
            "started": st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm"),
            "cost": st.column_config.NumberColumn(format="%.3f"),
            "unusable": st.column_config.NumberColumn(
                help="Of those done: refused, cut off, empty, too long, or in another form"
            ),
        },
    )
    st.caption("Click a row to open the run.")
    csv_button(table, "runs")


def _table(here: Here, study: str, at: int) -> pd.DataFrame:
    launcher, names = workshop.launcher(), names_of(here.store)
    rows = []
    for run in queries.runs(here.store, study=study, limit=PAGE, offset=at * PAGE):
        rows.append(
            {
                "id": run["id"],
                "started": run["made_at"],
                "state": STATES[launcher.state(run)][0],
                "study": study_title(run["study"]),
                "what": what_title(run["study"], run["kind"]),
                "models": ", ".join(models_of(run["config"])),
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
    only(**({"study": chosen} if chosen else {}))
