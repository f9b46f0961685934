"""Asks leads before they see others' judgments of what they have not judged themselves."""

from __future__ import annotations

import streamlit as st

from medlens.studies.sourcecheckup import listing_queries as listed
from medlens.ui import Here


def may_be_seen(here: Here, item: str, what: str) -> bool:
    """Whether the lead has nothing left to judge of a pair or an answer (by item id, called
    ``what``), or has asked to see it anyway; otherwise asks them.
    """
    agreed = f"seen.agreed.{item}"
    if st.session_state.get(agreed) or not listed.waits_for(here.store, item, here.person.id):
        return True
    st.info(
        f"{what} is in your own queue and you have not judged it. Once you see what others said,"
        " your answer counts as not blind.",
        icon=":material/visibility_off:",
    )
    st.button("Show it", key="seen.agree", on_click=lambda: st.session_state.update({agreed: True}))
    return False
