"""Checking the moderator: are these two diagnoses the same disease? Nothing else is shown."""

from __future__ import annotations

from typing import Any

import streamlit as st

from medlens.studies.agentclinic import queries, tasks, verdicts
from medlens.studies.agentclinic.study import Study
from medlens.studies.agentclinic.tasks import CheckedDiagnosis
from medlens.ui import Here, desk_view
from medlens.ui.agentclinic import play_begin, reveal
from medlens.ui.answer_form import FieldData, answer_form
from medlens.ui.desk import Desk
from medlens.ui.desk_view import LINE_STYLE
from medlens.ui.keys_help import keys_help

_TASK = tasks.MATCH
_ANSWERS = {"yes": "Yes, the same", "no": "No, another", "cannot_tell": "Cannot tell"}
_FIELDS: list[FieldData] = [
    {
        "id": "same",
        "kind": "choice",
        "label": "Is this the same disease?",
        "options": [
            {"value": value, "name": name, "key": str(n)}
            for n, (value, name) in enumerate(_ANSWERS.items(), 1)
        ],
    },
    {"id": "reason", "kind": "text", "label": "Why (needed for: cannot tell)", "lines": 1},
]
_HELP = (
    ("1", "the same disease"),
    ("2", "another"),
    ("3", "cannot tell"),
    ("Enter", "submit"),
    ("J K", "next, previous diagnosis"),
    ("S", "skip"),
    ("F", "flag, with a reason"),
    ("?", "this list"),
)
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
    status = desk_view.draw_line(desk, thing="diagnosis")
    if play_begin.in_the_way(here, study, desk.item):
        return
    with st.container(key="check"):
        with desk_view.room_for_more():
            reveal.draw_reveal(here, desk)
        left, right = st.columns(2, gap="medium")
        for place, name, text in (
            (left, "Given by the doctor", desk.laid.given),
            (right, "Correct diagnosis", desk.laid.correct),
        ):
            with place, st.container(border=True, key=f"diagnosis-{name[:5]}"):
                st.caption(name)
                st.text(text, width="stretch")
        visits = verdicts.settles(here.store, study.dataset, desk.place.name if desk.place else "")
        with desk_view.room_for_more():
            if visits > 1:
                st.caption(
                    f"These two occur in {visits:,} visits; your answer applies to all of them."
                )
        _answer(desk, status)


@st.fragment
def _answer(desk: Desk, status: Any) -> None:
    if desk.item is None:
        st.rerun()
    answer_form(desk, _FIELDS)
    keys_help(_HELP, key="check.help")
    desk_view.finish(desk, status)
