"""Resuming a run: the forecast of what is left, and the button that resumes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from medlens.errors import MedLensError
from medlens.llm import orders
from medlens.studies import registry
from medlens.ui import workshop
from medlens.ui.address import only
from medlens.ui.frame import Here, show_error
from medlens.ui.runs.form import show_forecast

_SEEN = "runs.resume.seen"


def draw(here: Here, run: Mapping[str, Any]) -> None:
    """The forecast of what is left, when asked for; then the start button."""
    order = orders.last_order(here.store, run["id"])
    if order is None:
        st.markdown(
            "Start it again the way you started it: it resumes where it stopped and pays for no "
            "answer twice."
        )
        return
    pipeline = registry.pipeline_of(order.study, order.pipeline)
    seen = st.session_state.get(_SEEN)
    fresh = seen is not None and seen[0] == run["id"]
    if st.button(
        "Resume",
        key="runs.resume",
        icon=":material/play_arrow:",
        type="secondary" if fresh else "primary",
    ):
        try:
            with st.spinner("Counting what is left…"):
                expected = orders.foresee(here.store, here.settings, pipeline, order)
        except MedLensError as error:
            show_error(error)
            return
        st.session_state[_SEEN] = (run["id"], expected)
        st.rerun()
    if seen is None or not fresh:
        return
    if seen[1] is not None:
        show_forecast(seen[1])
    cap = order.cap
    if pipeline.asks_models:
        cap = st.number_input(
            "Spending cap for the run as a whole",
            min_value=0.0,
            value=order.cap,
            width=280,
            placeholder="none",
            key=f"runs.resume.cap.{run['id']}",
            help=f"It has cost {run['cost']:,.2f} so far.",
        )
    st.button(
        "Start",
        key="runs.resume.start",
        type="primary",
        icon=":material/play_arrow:",
        on_click=_resume,
        args=(here, run["id"], cap),
    )
    if failed := st.session_state.pop("runs.resume.failed", None):
        show_error(failed)


def _resume(here: Here, run: str, cap: float | None) -> None:
    try:
        workshop.launcher().resume(run, by=here.person.id, cap=cap)
    except MedLensError as error:
        st.session_state["runs.resume.failed"] = error
        return
    st.session_state.pop(_SEEN, None)
    only()
