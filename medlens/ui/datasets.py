"""Which dataset of a study a lead looks at: a choice where there is one to make."""

from __future__ import annotations

import streamlit as st

from medlens.review import items
from medlens.ui import address
from medlens.ui.frame import Here


def draw_datasets(here: Here, *, study: str, dataset: str) -> None:
    """The choice between the study's datasets, in the page's address; nothing where there is one.

    The view stays; what else the address says belongs to the dataset that is left.
    """
    known = [str(row["dataset"]) for row in items.datasets(here.store, study)]
    if len(known) < 2:
        return
    key = f"{study}.dataset"
    st.session_state[key] = dataset

    def chosen() -> None:
        address.only(dataset=str(st.session_state[key]))

    st.selectbox(
        "Dataset", known, key=key, on_change=chosen, label_visibility="collapsed", width=200
    )
