"""The questions as a list: searched, sorted and paged in the store."""

from __future__ import annotations

import streamlit as st

from medlens.ebmqa.explore.questions.queries import SORTS
from medlens.ui import address
from medlens.ui.ebmqa import behind
from medlens.ui.ebmqa.source import Source
from medlens.ui.ebmqa.widgets import kind_choice, pick


def draw(source: Source) -> None:
    """The list; the filters above it and the search narrow it."""
    here = kind_choice(source)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = "ebmqa.q"
        st.session_state[key] = st.query_params.get("q", "")
        st.text_input(
            "Search",
            key=key,
            width=280,
            placeholder="words of a question or an option",
            on_change=lambda: address.go(q=str(st.session_state[key]), page=""),
        )
        sort = pick("sort", SORTS, "Sort", width=230)
    behind.draw_list(here, None, key="questions", sort=sort)
