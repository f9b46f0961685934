"""The audit log on the Team page: who did what, a page at a time."""

from __future__ import annotations

from functools import partial

import streamlit as st

from medlens.app import work_behind_commands
from medlens.review import audit_log
from medlens.ui import list_filters_and_paging
from medlens.ui.chart_with_table_and_csv import table_as_safe_csv
from medlens.ui.export_button import draw_export_button
from medlens.ui.page_frame import Here
from medlens.ui.times_in_browser_time_zone import streamlit_column_of_times

_AT_ONCE = 50
_PAGE = "audit.page"
_KINDS, _WHO = "audit.kinds", "audit.who"


def draw_audit_log(here: Here) -> None:
    """Entries of the chosen kinds and person, newest first."""
    st.header("Audit log", anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        with list_filters_and_paging.context_that_draws_filter_popover(key="audit"):
            kinds = st.multiselect(
                "Kinds",
                list(audit_log.KINDS),
                format_func=audit_log.KINDS.__getitem__,
                key=_KINDS,
                placeholder="All",
                on_change=_first_page,
                bind="query-params",
            )
            who = st.text_input(
                "Who",
                key=_WHO,
                placeholder="Name or address",
                on_change=_first_page,
                bind="query-params",
            )
        if kinds:
            named = ", ".join(map(audit_log.KINDS.__getitem__, kinds))
            list_filters_and_paging.draw_filter_chip(
                f"Kinds: {named}", "kinds", key="audit", on_click=partial(_remove, _KINDS, [])
            )
        if who:
            list_filters_and_paging.draw_filter_chip(
                f"Who: {who}", "who", key="audit", on_click=partial(_remove, _WHO, "")
            )
    there = audit_log.count_entries(here.store, viewer=here.person, kinds=kinds, who=who)
    if not there:
        st.markdown("Nothing of this kind has been recorded.")
        return
    last = (there - 1) // _AT_ONCE
    page = min(int(st.session_state.get(_PAGE, 0)), last)
    table = audit_log.entries_table(
        here.store, viewer=here.person, kinds=kinds, who=who, skip=page * _AT_ONCE, limit=_AT_ONCE
    )
    st.dataframe(
        table.assign(kind=table["kind"].map(audit_log.KINDS)),
        hide_index=True,
        column_config={
            "when": streamlit_column_of_times("when", seconds=True),
            "about": st.column_config.TextColumn(width="medium"),
            "detail": st.column_config.TextColumn(width="medium"),
        },
    )
    first = page * _AT_ONCE + 1
    st.caption(f"{first:,} to {first + len(table) - 1:,} of {there:,}")
    with st.container(horizontal=True):
        for label, icon, to in (("Newer", "left", page - 1), ("Older", "right", page + 1)):
            st.button(
                label,
                key=f"audit.{label}",
                icon=f":material/chevron_{icon}:",
                on_click=_turn,
                args=(to,),
                disabled=not 0 <= to <= last,
            )
        draw_export_button(
            "Download the whole log",
            lambda: _whole(here),
            about="audit",
            key="audit.csv",
            file_name="medlens-audit.csv",
            mime="text/csv",
        )


def _whole(here: Here) -> tuple[bytes, int]:
    table = work_behind_commands.make_export_table(
        here.store, here.settings, "audit", viewer=here.person
    )
    return table_as_safe_csv(table), len(table)


def _remove(filter_key: str, nothing: object) -> None:
    st.session_state[filter_key] = nothing
    _first_page()


def _first_page() -> None:
    _turn(0)


def _turn(page: int) -> None:
    st.session_state[_PAGE] = page
