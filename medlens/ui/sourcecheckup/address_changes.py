"""The address of the page: every view is a link, and every move changes it."""

from __future__ import annotations

from dataclasses import fields
from urllib.parse import quote, urlsplit

import streamlit as st

from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup.pair_list import Filters, parse_filters_from_address
from medlens.studies.sourcecheckup.registration import QUESTIONS, STATEMENTS, WHOLE
from medlens.ui import Here
from medlens.ui.page_address import set_values_in_address

FILTERS = tuple(one.name for one in fields(Filters))
"""The filters of the list of pairs, by their names in the address."""


_STEPS = {"statement_parse": STATEMENTS, "question_quality": QUESTIONS}


def rewrite_old_address() -> None:
    """Rewrite an address from when three desks were one view, to that of the desk."""
    if st.query_params.get("view") == "Check the steps":
        set_values_in_address(view=_STEPS.get(st.query_params.get("task", ""), WHOLE), task="")


def pair_filters_in_address() -> Filters:
    """The filters of the list of pairs in the address."""
    return parse_filters_from_address(st.query_params.to_dict())


def url_if_safe_to_open(url: str) -> str:
    """An address that is safe to open: http or https with a host; ``""`` for any other."""
    address = url.strip()
    if any(ord(c) < 32 or ord(c) == 127 for c in address):
        return ""
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    return quote(address, safe=":/?#[]@!$&'()*+,;=%~-._")


def ask_lead_and_say_if_item_may_be_seen(here: Here, item: str, what: str) -> bool:
    """Whether the lead has nothing left to judge of a pair or an answer (by item id, called
    ``what``), or has asked to see it anyway; otherwise asks them.
    """
    agreed = f"seen.agreed.{item}"
    if st.session_state.get(agreed) or not listed.has_yet_to_judge(
        here.store, item, here.person.id
    ):
        return True
    st.info(
        f"{what} is in your own queue and you have not judged it. Once you see what others said,"
        " your answer is marked as made after looking.",
        icon=":material/visibility_off:",
    )
    st.button("Show it", key="seen.agree", on_click=lambda: st.session_state.update({agreed: True}))
    return False
