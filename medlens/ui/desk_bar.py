"""The bar at the foot of a desk that is made of Streamlit's buttons: Previous · Next · place in the
queue · saved · Flag · Skip · Submit.

Desks that are one component draw the same bar with ``shared/desk_bar.js``; the look of both is in
``shared/desk_bar.css``. The bar comes last on the page, so that Tab reaches the item first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from medlens.review.assignment import SENT_BACK, is_flag_taken_back
from medlens.review.assignments_held_in_memory import FLAG_TAKEN_BACK
from medlens.ui import preload_link_header_of_page_files
from medlens.ui.answer_form import FieldData
from medlens.ui.desk import Desk
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import escape_to_one_line
from medlens.ui.styles import read_style_sheet

BAR_STYLE = "<style>\n{}</style>".format(
    (preload_link_header_of_page_files.FILES / "shared/desk_bar.css").read_text(encoding="utf-8")
) + read_style_sheet("desk_view_line")

Move = Callable[..., None]


def draw_desk_bar_and_return_placeholder(
    desk: Desk,
    *,
    thing: str,
    place: str,
    back: Move | None,
    onward: Move | None,
    state: str = "",
    skip: Move | None = None,
    submit: str = "",
) -> Any:
    """Draw the bar; returns the placeholder for what is saved.

    ``thing`` is what is judged, in a word ("dialogue"). ``back`` and ``onward`` make a move, None
    if there is no such item. ``state`` is Markdown. Without ``skip`` or ``submit``, the name of the
    main button, the desk has no such button.
    """
    task = desk.task.name
    with st.container(key="desk_bar", horizontal=True, vertical_alignment="center", wrap=True):
        for name, key, shortcut, move in (
            ("Previous", "previous", "K", back),
            ("Next", "next", "J", onward),
        ):
            st.button(
                name,
                key=f"{task}.{key}",
                shortcut=shortcut,
                on_click=move,
                disabled=move is None,
            )
        if place:
            st.caption(place, width="content")
        if state:
            st.caption(state, width="content")
        with st.container(key="work.status", width="content"):
            status = st.empty()
        draw_flag_form(desk, thing)
        if skip:
            st.button("Skip", key=f"{task}.skip", shortcut="S", on_click=skip)
        if submit:
            st.button(
                submit,
                key=f"{task}.submit",
                shortcut="Enter",
                type="primary",
                on_click=desk.submit_and_move_on,
            )
    return status


def what_was_done_with_item_in_words(desk: Desk) -> str:
    """What was done with the item before, as Markdown; empty if nothing."""
    place = desk.queue_entry_of_current_item
    if place is None:
        return ""
    # Also of an item that is submitted: the flag stands until it is taken back.
    if place.flag:
        return f"**flagged**: {escape_to_one_line(place.flag)}"
    if is_flag_taken_back(place):
        return f"**{FLAG_TAKEN_BACK}**"
    # That it is submitted, and when, is said where it is said of a draft.
    if place.state in ("open", "submitted", SENT_BACK):
        return ""
    reason = f": {escape_to_one_line(place.reason)}" if place.reason else ""
    return f"**{place.state}**{reason}"


def draw_flag_form(desk: Desk, thing: str) -> None:
    """The form to flag the item on the desk, a ``thing``, with a reason; of a flagged one, the
    button that takes its flag back.
    """
    key = f"{desk.task.name}.flag.{desk.handle_of_current_item}"
    if desk.queue_entry_of_current_item is not None and desk.queue_entry_of_current_item.flag:
        st.button("Unflag", key=f"{key}.off", shortcut="F", on_click=desk.take_back_flag)
        return
    opened = st.popover("Flag", key=f"{key}.open", on_change="rerun")
    with st.container(key="keys.flag"):
        st.button(
            "Open the flag",
            key=f"{desk.task.name}.key.flag",
            shortcut="F",
            on_click=lambda: st.session_state.update({f"{key}.open": True}),
        )
    if not opened.open:
        return

    def send(entered: Entries) -> None:
        desk.skip_or_flag_and_move_on("flag", entered.get("reason") or "")
        if desk.error is not None:
            raise desk.error

    sheet = form_sheet_of_session(
        desk.store,
        desk.rater,
        "flag",
        f"{desk.task.name}.{desk.handle_of_current_item}",
        send=send,
        anew=True,
    )
    field: FieldData = {
        "id": "reason",
        "kind": "text",
        "label": f"What is wrong with this {thing}?",
        "longest": 500,
        "sends": True,
    }
    with opened, st.container(key=key):
        draw_form_sheet(sheet, [field], submit="Flag it")
