"""What became of a page, and a lead's word on it: said with a reason, every word kept."""

from __future__ import annotations

import streamlit as st

from medlens.errors import MedLensError
from medlens.sourcecheckup import outcomes
from medlens.sourcecheckup.outcomes import queries
from medlens.sourcecheckup.outcomes.queries import LONGEST_REASON, Told
from medlens.ui import Here
from medlens.ui.frame import show_error, words

_SAID = "outcome.said"


def plain(outcome: str) -> str:
    """An outcome in words."""
    return outcome.replace("_", " ") or "not fetched"


def draw(here: Here, dataset: str, source: str, *, folded: bool = True) -> None:
    """The outcome of a snapshot (by id) for a lead, its words, and a way to say another."""
    told = queries.told(here.store, source)
    if told is None:
        return
    said = st.session_state.pop(_SAID, None)
    if said is not None:
        show_error(said)
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
    # Every word has a form of its own, so that the last reason does not stand in the next one.
    key = f"outcome.{told.source}.{told.revision}"
    with st.form(key, border=False):
        st.selectbox(
            "Outcome",
            told.possible,
            index=None,
            key=f"{key}.to",
            format_func=plain,
            placeholder="choose",
        )
        st.text_input("Reason", key=f"{key}.why", max_chars=LONGEST_REASON)
        st.form_submit_button("Save the outcome", on_click=_say, args=(here, dataset, told, key))
    st.caption(
        "Counts in every figure by our rule until the page is fetched again; the paper's rule goes"
        " by the fetch. Verdicts given on the page stay as they are."
    )


def _say(here: Here, dataset: str, told: Told, key: str) -> None:
    try:
        outcomes.say(
            here.store,
            told.source,
            st.session_state[f"{key}.to"],
            dataset=dataset,
            reason=st.session_state[f"{key}.why"],
            base=told.revision,
            by=here.person,
        )
    except MedLensError as error:
        st.session_state[_SAID] = error
