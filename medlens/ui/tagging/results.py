"""The results of error tagging, for leads: the figures, and the response that the address names."""

from __future__ import annotations

from urllib.parse import unquote

import streamlit as st

from medlens.studies import STUDIES
from medlens.tagging.study import Study
from medlens.tagging.tasks import STUDY
from medlens.ui import Here
from medlens.ui.address import go
from medlens.ui.figures import page as figures
from medlens.ui.tagging import item_detail


def draw(here: Here, study: Study) -> None:
    """The results of the current dataset, or the response that the address names.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    if not study.dataset:
        st.info(
            "There are no responses yet. Import them on the Data page.", icon=":material/inbox:"
        )
        return
    opened = st.query_params.get("response", "")
    if opened and item_detail.draw(here, study, opened, _around(here, study, opened)):
        return

    def illustrative() -> None:
        if study.illustrative:
            st.caption(":material/science: Illustrative: written for the demo", width="content")

    figures.draw(here, STUDIES[STUDY], study, follow=_follow, top=illustrative)


def _follow(mark: str) -> None:
    """Open what is behind a mark; a judgment that breaks a rule leads to its response at once."""
    kind, _, name = mark.partition("|")
    go(**({"response": unquote(name)} if kind == "response" else {"mark": mark}))


def _around(here: Here, study: Study, name: str) -> list[str]:
    """The list to leaf through: the responses behind the mark, else all that were judged."""
    looked = figures.look(here, STUDIES[STUDY], study)
    for mark in (st.query_params.get("mark", ""), ""):
        found = figures.behind(looked, mark)
        names = list(dict.fromkeys(one["response"] for one in found.leads)) if found else []
        if name in names:
            break
    return names
