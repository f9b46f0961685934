"""Completion codes on the Team page: who came from a platform, what they did, and what a lead
decides about their code.
"""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from medlens.errors import InvalidInput
from medlens.review import (
    completion_code_rules_and_decisions,
    crowd_platforms_and_worker_ids_of_rounds,
)
from medlens.review.crowd_platforms_and_worker_ids_of_rounds import CrowdSession
from medlens.studies.registry import find_task_by_name
from medlens.ui import accept_invitation, list_filters_and_paging
from medlens.ui.answer_form import FieldData
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import Here, escape_markdown, known_value_in_address_or_warn
from medlens.ui.times_in_browser_time_zone import to_browser_time_zone

_GIVE, _REFUSE = "give", "refuse"


def draw_completion_codes(here: Here) -> None:
    """Everybody who came from a platform or waits for a code, those who wait first (leads)."""
    st.header("Completion codes", anchor=False)
    found = crowd_platforms_and_worker_ids_of_rounds.list_crowd_sessions(
        here.store,
        viewer=here.person,
        task_of=partial(find_task_by_name, here.store, here.settings),
    )
    if not found:
        st.markdown(
            "Nobody has come from a crowd platform yet, and nobody is waiting for a completion"
            " code."
        )
        return
    st.caption(
        "Anyone who finishes within the bounds set on Hand out is shown the code. You decide about"
        " the others here; they see it when they come back to their desk."
    )
    found.sort(key=lambda one: not one.is_waiting_for_decision)
    titles = accept_invitation.round_titles_by_task_and_dataset(here.store, here.settings)
    ids = [_id(one) for one in found]
    column = st.column_config
    table = pd.DataFrame([_row(one, titles) for one in found])
    now_and_then = ("code lacks", "hidden gold", "decided by")
    list_filters_and_paging.draw_table_whose_chosen_row_is_in_address(
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
    asked = known_value_in_address_or_warn("worker", ids, "person")
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_csv_button(
            crowd_platforms_and_worker_ids_of_rounds.crowd_sessions_table(found).drop(
                columns=["rater_handle"]
            ),
            "crowd",
        )
        if not asked:
            st.caption("Choose a person to decide about their code.", width="stretch")
    if asked:
        with st.container(border=True):
            _draw_decision(here, found[ids.index(asked)], titles)


def _id(session: CrowdSession) -> str:
    return f"{session.task}|{session.dataset}|{session.rater}"


def _title(session: CrowdSession, titles: dict[tuple[str, str], str]) -> str:
    of = (session.task, session.dataset)
    return titles.get(of, f"{session.task} of {session.dataset}")


def _row(session: CrowdSession, titles: dict[tuple[str, str], str]) -> dict[str, object]:
    work = session.work
    return {
        "person": session.name,
        "platform's id": session.worker,
        "round": _title(session, titles),
        "code": session.code_standing_in_words or "not finished",
        "code lacks": session.missed,
        "handed out": work.handed_out,
        "judged": work.judged,
        "flagged": work.flagged,
        "skipped": work.skipped,
        "hidden gold": f"{work.gold_hits} of {work.gold}" if work.gold else "",
        "decided by": session.by,
    }


def _draw_decision(here: Here, session: CrowdSession, titles: dict[tuple[str, str], str]) -> None:
    st.markdown(f"### {escape_markdown(session.name)}, {escape_markdown(_title(session, titles))}")
    if session.event and session.by:
        st.markdown(
            f"{session.code_standing_in_words.capitalize()} ({escape_markdown(session.by)},"
            f" {to_browser_time_zone(session.event.at):%-d %B %Y}):"
            f" {escape_markdown(session.event.reason)}"
        )
    elif session.missed:
        st.markdown(f"The code lacks: {escape_markdown(session.missed)}.")

    def send(entered: Entries) -> None:
        if entered.get("decision") not in (_GIVE, _REFUSE):
            raise InvalidInput("Choose whether they get the code.")
        completion_code_rules_and_decisions.give_or_refuse_code(
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
            "label": "Why (required)",
            "hint": "Kept with the decision; they do not see it.",
            "longest": 500,
        },
    ]
    sheet = form_sheet_of_session(
        here.store, here.person, "code", _id(session), send=send, anew=True
    )
    draw_form_sheet(sheet, fields, submit="Save")
