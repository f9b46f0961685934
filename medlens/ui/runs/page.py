"""The Runs page: all runs, one run, or a new one, as the address says."""

from __future__ import annotations

import streamlit as st

from medlens.ui.address import only
from medlens.ui.charts import STYLE
from medlens.ui.frame import Here
from medlens.ui.runs import detail, form, listing, live


def draw(here: Here) -> None:
    """The view that the address names: ``?run=…``, ``?new=…``, or the list."""
    st.html(STYLE)
    if run := st.query_params.get("run", ""):
        detail.draw(here, run)
        return
    if new := st.query_params.get("new", ""):
        form.draw(here, new)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Runs", width="stretch", anchor=False)
        st.button(
            "New run",
            key="runs.new",
            type="primary",
            icon=":material/add:",
            shortcut="N",
            on_click=only,
            kwargs={"new": "choose"},
        )
    live.draw(here)
    listing.draw(here)
