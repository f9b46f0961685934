"""Completion codes on the Team page: who came from a platform, what they did, and what a lead
decides about their code.
"""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from medlens.errors import InvalidInput
from medlens.review import completion, crowd
from medlens.review.crowd import Session
from medlens.studies.registry import task_of
from medlens.ui import invited, lists
from medlens.ui.answer_form import FieldData
from medlens.ui.charts import csv_button
from medlens.ui.frame import Here, asked_for, escape
from medlens.ui.sheet import Entries, draw_sheet, open_sheet

_GIVE, _REFUSE = "give", "refuse"


def draw(here: Here) -> None:
    """Everybody who came from a platform or waits for a code, those who wait first (leads)."""
    st.subheader("Completion codes", anchor=False)
    found = crowd.sessions(
        here.store, viewer=here.person, task_of=partial(task_of, here.store, here.settings)
    )
    if not found:
        st.markdown(
            "Nobody has come from a crowd platform yet, and nobody waits for a completion code."
        )
        return
    st.caption(
        "Who finishes within the bounds set on Hand out is shown the code. About the others you"
        " decide here; they see it when they come back to their desk."
    )
    found.sort(key=lambda one: not one.waits)
    titles = invited.rounds_here(here.store, here.settings)
    ids = [_id(one) for one in found]
    column = st.column_config
    table = pd.DataFrame([_row(one, titles) for one in found])
    now_and_then = ("code lacks", "hidden gold", "decided by")
    lists.choose_row(
        table,
        ids,
        "worker",
        key="codes.table",
        column_order=[
            name for name in table if name not in now_and_then or (table[name] != "").any()
        ],
        column_config={
            "round": column.TextColumn(width="medium"),
            "code lacks": column.TextColumn(width="medium"),
            "hidden gold": column.TextColumn(help="Answered as expected, of those judged"),
        },
        alt="Who came from a crowd platform, what they did, and how their code stands",
    )
    asked = asked_for("worker", ids, "person")
    with st.container(horizontal=True, vertical_alignment="center"):
        csv_button(crowd.table(found).drop(columns=["rater_handle"]), "crowd")
        if not asked:
            st.caption("Choose a person to decide about their code.", width="stretch")
    if asked:
        with st.container(border=True):
            _draw_decision(here, found[ids.index(asked)], titles)


def _id(session: Session) -> str:
    return f"{session.task}|{session.dataset}|{session.rater}"


def _title(session: Session, titles: dict[tuple[str, str], str]) -> str:
    of = (session.task, session.dataset)
    return titles.get(of, f"{session.task} of {session.dataset}")


def _row(session: Session, titles: dict[tuple[str, str], str]) -> dict[str, object]:
    work = session.work
    return {
        "person": session.name,
        "platform's id": session.worker,
        "round": _title(session, titles),
        "code": session.code or "not finished",
        "code lacks": session.missed,
        "handed out": work.handed_out,
        "judged": work.judged,
        "flagged": work.flagged,
        "skipped": work.skipped,
        "hidden gold": f"{work.gold_hits} of {work.gold}" if work.gold else "",
        "decided by": session.by,
    }


def _draw_decision(here: Here, session: Session, titles: dict[tuple[str, str], str]) -> None:
    st.markdown(f"##### {escape(session.name)}, {escape(_title(session, titles))}")
    if session.event and session.by:
        st.markdown(
            f"{session.code.capitalize()} ({escape(session.by)},"
            f" {session.event.at:%-d %B %Y}): {escape(session.event.reason)}"
        )
    elif session.missed:
        st.markdown(f"The code lacks: {escape(session.missed)}.")

    def send(entered: Entries) -> None:
        if entered.get("decision") not in (_GIVE, _REFUSE):
            raise InvalidInput("Choose whether they get the code.")
        completion.decide(
            here.store,
            session.task,
            session.dataset,
            session.rater,
            given=entered.get("decision") == _GIVE,
            reason=entered.get("reason") or "",
            by=here.person,
        )

    fields: list[FieldData] = [
        {
            "id": "decision",
            "kind": "choice",
            "label": "The completion code",
            "options": [
                {"value": _GIVE, "name": "Give it to them"},
                {"value": _REFUSE, "name": "Do not give it"},
            ],
        },
        {
            "id": "reason",
            "kind": "text",
            "label": "Why",
            "hint": "Kept with the decision; they do not see it.",
            "longest": 500,
        },
    ]
    sheet = open_sheet(here.store, here.person, "code", _id(session), send=send, anew=True)
    draw_sheet(sheet, fields, submit="Save")
