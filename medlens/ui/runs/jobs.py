"""A run's jobs: a list by outcome, and one job with everything the models said for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from medlens.llm import queries
from medlens.ui import lists
from medlens.ui.address import only
from medlens.ui.charts import csv_button, draw_table
from medlens.ui.frame import Here, escape

PAGE = 50


def draw(here: Here, run: Mapping[str, Any]) -> None:
    """The list, filtered by outcome (``&outcome=…``), page by page."""
    counts = queries.outcomes(here.store, run["id"])
    if not counts:
        return
    st.subheader("Pieces", anchor=False)
    asked = st.query_params.get("outcome", "")
    outcome = asked if asked in counts else ""
    total = counts[outcome] if outcome else sum(counts.values())
    at = lists.number("page")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state["runs.outcome"] = outcome or None
        st.selectbox(
            "Outcome",
            list(counts),
            key="runs.outcome",
            placeholder="any",
            width=220,
            format_func=lambda one: f"{one.replace('_', ' ')} ({counts[one]:,})",
            on_change=lambda: _to(run, outcome=st.session_state["runs.outcome"] or ""),
        )
        lists.pager(total, PAGE, "pieces", key="runs.job")
    table = queries.job_page(here.store, run["id"], outcome=outcome, limit=PAGE, offset=at * PAGE)
    marks = tuple(table["job"])
    table = table.rename(
        columns={"job": "piece", "error_class": "class of error", "made_at": "ended"}
    )
    if not table["error"].any():
        table = table.drop(columns=["class of error", "error"])
    draw_table(
        table,
        "runs.jobs",
        marks=marks,
        alt="Items of the run; click a row to open it",
        on_mark=lambda job: _to(run, job=job) if job else None,
        columns={"ended": st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm:ss")},
        height=min(38 + 35 * len(table), 480),
    )
    csv_button(table, "pieces")


def draw_one(here: Here, run: Mapping[str, Any], job: str) -> None:
    """The messages to and from the models for one job, in order, as text."""
    st.button(
        "The whole run",
        key="runs.job.back",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=_to,
        args=(run,),
    )
    st.subheader("One piece", anchor=False)
    st.text(job, width="stretch")
    said = queries.job_completions(here.store, run["id"], job)
    if not said:
        st.markdown("No answer is stored for this item.")
        return
    st.caption("1 answer" if len(said) == 1 else f"{len(said):,} answers")
    for number, one in enumerate(said, 1):
        with st.container(border=True, key=f"runs.said.{number}"):
            cost = "" if one["cost"] is None else f", cost {one['cost']:.4f}"
            took = "" if one["seconds"] is None else f" in {one['seconds']:.1f} s"
            st.caption(
                escape(
                    f"{number}. {one['name']} (answered as {one['served_model'] or 'unknown'}): "
                    f"{one['outcome'].replace('_', ' ')}{took}, {one['input_tokens']:,} tokens in, "
                    f"{one['output_tokens']:,} out{cost}"
                )
            )
            st.text(one["text"] or "(nothing)", width="stretch")
            with st.expander("What it was sent", type="compact"):
                for message in json.loads(one["messages"]):
                    st.caption(escape(str(message.get("role", ""))))
                    st.text(_said(message.get("content")), width="stretch")
    csv_button(pd.DataFrame(said), "answers")


def _said(content: Any) -> str:
    """A message's text; an image is named, not drawn."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text") or "(an image)") for part in content)
    return str(content or "")


def _to(run: Mapping[str, Any], **params: str) -> None:
    only(run=run["id"], **{name: value for name, value in params.items() if value})
