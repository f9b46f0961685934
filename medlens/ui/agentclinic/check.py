"""Checking the moderator: are these two diagnoses the same disease? Nothing else is shown."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from medlens.agentclinic import queries, tasks
from medlens.agentclinic.study import Study
from medlens.agentclinic.tasks import CheckedDiagnosis
from medlens.ui import Here, desk_view
from medlens.ui.agentclinic import play_begin, presses, reveal
from medlens.ui.desk import Desk
from medlens.ui.desk_view import LINE_STYLE
from medlens.ui.keys_help import keys_help

_TASK = tasks.MATCH
_ANSWERS = {"yes": "Yes, the same", "no": "No, another", "cannot_tell": "Cannot tell"}
_HELP = (
    ("1", "the same disease"), ("2", "another"), ("3", "cannot tell"), ("Enter", "submit"),
    ("J K", "next, previous diagnosis"), ("S", "skip"), ("F", "flag, with a reason"),
    ("?", "this list"),
)  # fmt: skip
_STYLE = """
<style>
  [class*="st-key-diagnosis-"] [data-testid="stText"] { font-size: 1.25rem; line-height: 1.45;
    font-family: inherit; overflow-wrap: anywhere; white-space: pre-wrap; }
  .st-key-check { max-width: 56rem; margin: 0 auto; }
</style>
"""


def draw(here: Here, study: Study) -> None:
    """The next diagnosis of the reviewer's queue, or the end."""

    def lay_out(item: str) -> CheckedDiagnosis:
        one = queries.dialogue(here.store, item)
        case = queries.case(here.store, queries.item_id(study.dataset, one.case))
        return tasks.for_check(one, case)

    desk = desk_view.open_desk(here, study.match, study.dataset, lay_out)
    if desk.item is None:
        desk_view.draw_end(desk, done="checked", things="diagnoses")
        return
    st.html(LINE_STYLE + _STYLE)
    status = desk_view.draw_line(desk, thing="dialogue")
    if play_begin.in_the_way(here, study, desk.item):
        return
    with st.container(key="check"):
        reveal.draw_reveal(here, desk)
        left, right = st.columns(2, gap="medium")
        for place, name, text in (
            (left, "Given by the doctor", desk.laid.given),
            (right, "Correct diagnosis", desk.laid.correct),
        ):
            with place, st.container(border=True, key=f"diagnosis-{name[:5]}"):
                st.caption(name)
                st.text(text, width="stretch")
        _answer(desk, status)


@st.fragment
def _answer(desk: Desk, status: Any) -> None:
    if desk.item is None:
        st.rerun()
    item = desk.item
    key, why = presses.widget(f"{_TASK}.same.{item}"), f"{_TASK}.reason.{item}"
    desk_view.seed(key, desk.body["same"])
    desk_view.seed(why, desk.body["reason"])
    st.segmented_control(
        "Is this the same disease?", list(_ANSWERS), key=key, format_func=_ANSWERS.__getitem__,
        on_change=lambda: desk.change_of(item, same=st.session_state[key]), wrap=True,
        help="Keys: 1 yes, 2 no, 3 cannot tell; Enter submits, J and K move, S skips.",
    )  # fmt: skip
    st.text_input(
        "Why (needed for: cannot tell)", key=why, max_chars=2000, live="600ms",
        on_change=lambda: desk.change_of(item, reason=str(st.session_state[why])),
    )  # fmt: skip
    keys_help(_HELP, key="check.help")
    with st.container(key="keys.check"):
        presses.hear(
            desk,
            ["1", "2", "3"],
            partial(_press, desk),
            key=f"{_TASK}.keys",
        )
    desk_view.finish(desk, status)


def _press(desk: Desk, item: str, key: str) -> None:
    presses.changed(f"{_TASK}.same.{item}")
    desk.change_of(item, same=list(_ANSWERS)[int(key) - 1])
