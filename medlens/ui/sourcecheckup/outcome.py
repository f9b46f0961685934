"""A page's outcome, and leads' corrections of it: each with a reason, all kept."""

from __future__ import annotations

from typing import cast

import streamlit as st

from medlens.studies.sourcecheckup import listing_queries as queries
from medlens.studies.sourcecheckup.listing_queries import LONGEST_REASON, Told
from medlens.ui import Here
from medlens.ui.answer_form import FieldData, OptionData
from medlens.ui.frame import words
from medlens.ui.sheet import Entries, draw_sheet, open_sheet
from medlens.web import Outcome


def plain(outcome: str) -> str:
    """An outcome in words."""
    return outcome.replace("_", " ") or "not fetched"


def draw(here: Here, dataset: str, source: str, *, folded: bool = True) -> None:
    """A snapshot's outcome (by id) for a lead, its corrections, and a form to add one."""
    told = queries.told(here.store, source)
    if told is None:
        return
    last = queries.history(here.store, source, viewer=here.person)
    line = f"Page: **{plain(told.outcome)}**"
    if last:
        line += f", says {words(last[-1].by)}; the fetch found: {plain(told.fetched)}"
    st.markdown(line)
    if last:
        st.caption(f"Why: {words(last[-1].reason)}")
    fold = "Change the page's outcome"
    with st.expander(fold, key=f"outcome.open.{source}") if folded else st.container():
        if told.newest:
            _form(here, dataset, told)
        else:
            st.caption("This is an earlier copy of the page; the figures count the newest one.")
        for one in reversed(last):
            st.caption(
                f"{one.at:%Y-%m-%d %H:%M} · {words(one.by)}: {plain(one.was)} to"
                f" {plain(one.outcome)}. {words(one.reason)}"
            )


def _form(here: Here, dataset: str, told: Told) -> None:
    def send(entered: Entries) -> None:
        queries.say(
            here.store,
            told.source,
            cast(Outcome, entered.get("to")),
            dataset=dataset,
            reason=entered.get("why") or "",
            base=told.revision,
            by=here.person,
        )

    # A new part for each correction, so that the last reason is not in the next one.
    task = f"outcome.{told.source}"
    sheet = open_sheet(here.store, here.person, task, told.source, part=told.revision, send=send)
    fields: list[FieldData] = [
        {
            "id": "to",
            "kind": "choice",
            "label": "Outcome",
            "options": [OptionData(value=one, name=plain(one)) for one in told.possible],
        },
        {"id": "why", "kind": "text", "label": "Reason", "longest": LONGEST_REASON},
    ]
    draw_sheet(sheet, fields, submit="Save the outcome")
    st.caption(
        "Under our rule, it counts in every figure until the page is fetched again; the paper's"
        " rule goes"
        " by the fetch. Verdicts given on the page stay as they are."
    )
