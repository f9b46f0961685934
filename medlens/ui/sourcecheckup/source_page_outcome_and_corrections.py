"""A page's outcome, and leads' corrections of it: each with a reason, all kept."""

from __future__ import annotations

from typing import cast

import streamlit as st

from medlens.studies.sourcecheckup import figure_and_list_queries as queries
from medlens.studies.sourcecheckup.figure_and_list_queries import LONGEST_REASON, PageOutcome
from medlens.ui import Here
from medlens.ui.answer_form import FieldData, OptionData
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import escape_to_one_line
from medlens.ui.times_in_browser_time_zone import format_date_and_time
from medlens.web import Outcome
from medlens.web.fetched_page_walls import ABSTRACT_ONLY, PERHAPS_NO_ARTICLE


def page_outcome_in_words(outcome: str) -> str:
    """An outcome in words."""
    return outcome.replace("_", " ") or "not fetched"


def fetch_doubt_in_words(reason: str) -> str:
    """What the fetch said of a page that it counts as read all the same; empty if nothing."""
    said = reason in (ABSTRACT_ONLY, PERHAPS_NO_ARTICLE)
    return f"The fetch says: {reason}." if said else ""


def draw_page_outcome_and_corrections(
    here: Here, dataset: str, source: str, *, folded: bool = True
) -> None:
    """A snapshot's outcome (by id) for a lead, its corrections, and a form to add one."""
    told = queries.outcome_of_snapshot(here.store, source)
    if told is None:
        return
    last = queries.list_corrections_of_page_outcome(here.store, source, viewer=here.person)
    line = f"Page: **{page_outcome_in_words(told.outcome)}**"
    if last:
        line += (
            f", says {escape_to_one_line(last[-1].by)}; the fetch found:"
            f" {page_outcome_in_words(told.fetched)}"
        )
    st.markdown(line)
    if last:
        st.caption(f"Why: {escape_to_one_line(last[-1].reason)}")
    elif doubt := fetch_doubt_in_words(told.reason):
        st.caption(doubt)
    fold = "Change the page's outcome"
    with st.expander(fold, key=f"outcome.open.{source}") if folded else st.container():
        if told.newest:
            _form(here, dataset, told)
        else:
            st.caption("This is an earlier copy of the page; the figures count the newest one.")
        for one in reversed(last):
            st.caption(
                f"{format_date_and_time(one.at)} · {escape_to_one_line(one.by)}:"
                f" {page_outcome_in_words(one.was)} to {page_outcome_in_words(one.outcome)}."
                f" {escape_to_one_line(one.reason)}"
            )


def _form(here: Here, dataset: str, told: PageOutcome) -> None:
    def send(entered: Entries) -> None:
        queries.record_outcome_correction(
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
    sheet = form_sheet_of_session(
        here.store, here.person, task, told.source, part=told.revision, send=send
    )
    fields: list[FieldData] = [
        {
            "id": "to",
            "kind": "choice",
            "label": "Outcome",
            "options": [
                OptionData(value=one, name=page_outcome_in_words(one))
                for one in told.other_possible_outcomes
            ],
        },
        {"id": "why", "kind": "text", "label": "Reason", "longest": LONGEST_REASON},
    ]
    draw_form_sheet(sheet, fields, submit="Save the outcome")
    st.caption(
        "Under our rule, it counts in every figure until the page is fetched again; the paper's "
        "rule uses the outcome of the fetch. Verdicts given on the page stay as they are."
    )
