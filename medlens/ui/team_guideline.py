"""A task's guideline: its versions, a new version, and what was unclear (leads)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import streamlit as st

from medlens.review import guideline
from medlens.review.guideline import Guideline
from medlens.ui import address
from medlens.ui.charts import csv_button
from medlens.ui.frame import Here, asked_for, escape
from medlens.ui.own_panes import as_text
from medlens.ui.sheet import Entries, Sheet, draw_sheet, open_sheet
from medlens.ui.team_flags import draw_one, said, with_ids
from medlens.ui.team_task import Work

_UNCLEAR, _VERSIONS = "guideline.unclear", "guideline.versions"


def draw(here: Here, work: Work) -> None:
    """The text to edit, what was unclear, and the versions with the judgments under each."""
    st.subheader("Guideline", anchor=False)
    st.caption(
        "What reviewers read at their desk. A change makes a new version; they are told of it, and"
        " every judgment keeps the version that it was made under."
    )
    _draw_text(here, work)
    _draw_unclear(here, work)
    _draw_versions(here, work)


def _draw_text(here: Here, work: Work) -> None:
    now = guideline.current(here.store, work.task, dataset=work.dataset)

    def send(entered: Entries, *, over: bool = False) -> None:
        seen = int(json.loads(entered.get("seen") or str(now.version)))
        guideline.write(
            here.store,
            work.task,
            dataset=work.dataset,
            text=entered.get("text") or "",
            by=here.person,
            base=None if over else seen,
        )

    sheet = open_sheet(
        here.store,
        here.person,
        "guideline",
        f"{work.task.name}.{work.dataset}",
        send=send,
        given={"text": now.text, "seen": str(now.version)},
        anew=True,
    )

    def keep() -> None:
        sheet.send = partial(send, over=True)
        sheet.submit()

    _tell_conflict(sheet, now, keep)
    draw_sheet(
        sheet,
        [
            {
                "id": "text",
                "kind": "text",
                "label": f"Version {now.version}",
                "hint": "Headings (#) and lists (-) are shown as such.",
                "lines": 12,
                "longest": guideline.LONGEST,
            }
        ],
        submit="Save a new version",
    )


def _tell_conflict(sheet: Sheet, now: Guideline, keep: Callable[[], None]) -> None:
    """If another lead has saved a version since this one began: show it, and ask which to keep."""
    seen = sheet.body.get("seen")
    if not sheet.drafted or seen in (None, str(now.version)):
        return
    st.warning(
        f"{escape(now.by)} wrote version {now.version} while you were writing. Yours is not saved"
        " yet. Theirs:"
    )
    st.text(now.text)
    with st.container(horizontal=True):
        st.button("Keep mine", key="guideline.over", on_click=keep)
        st.button("Use theirs", key="guideline.back", on_click=sheet.discard)


def _draw_unclear(here: Here, work: Work) -> None:
    """What raters and adjudicators found unclear, to answer and add to the guideline."""
    found = with_ids(said(here, work, comments=False))
    found = found[found["what"] == "unclear"]
    st.subheader("Where it was unclear", anchor=False)
    if found.empty:
        st.markdown(
            "Nothing reported yet. Raters can do so at every desk; you can at a disagreement."
        )
        return
    ids = found["id"].tolist()

    def pressed() -> None:
        rows = st.session_state[_UNCLEAR].selection.rows
        address.go(unclear=ids[rows[0]] if rows else "")

    column = st.column_config
    st.dataframe(
        found,
        hide_index=True,
        key=_UNCLEAR,
        on_select=pressed,
        selection_mode="single-row",
        column_order=["says", "item", "rater", "answer", "at"],
        column_config={
            "says": column.TextColumn("unclear", width="large"),
            "at": column.DatetimeColumn(format="calendar"),
        },
        alt="Where raters and adjudicators found the guideline unclear, the newest first",
    )
    asked = asked_for("unclear", ids, "question")
    if asked:
        with st.container(border=True):
            draw_one(here, work, found[found["id"] == asked].iloc[0])


def _draw_versions(here: Here, work: Work) -> None:
    st.subheader("Versions", anchor=False)
    table = guideline.table(here.store, work.task, dataset=work.dataset)
    numbers = [str(one) for one in table["version"]]

    def pressed() -> None:
        rows = st.session_state[_VERSIONS].selection.rows
        address.go(version=numbers[rows[0]] if rows else "")

    column = st.column_config
    st.dataframe(
        table,
        hide_index=True,
        placeholder="–",
        key=_VERSIONS,
        on_select=pressed,
        selection_mode="single-row",
        column_config={
            "since": column.DatetimeColumn(format="calendar"),
            "judgments": column.NumberColumn(help="Each person's latest judgment of an item"),
            "text": column.TextColumn(width="large"),
        },
        alt="The versions of the guideline, with how many judgments were made under each",
    )
    csv_button(table, "guideline")
    asked = asked_for("version", numbers, "version")
    if asked:
        with st.container(border=True):
            st.markdown(as_text(str(table["text"].iloc[numbers.index(asked)])))
