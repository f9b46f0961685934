"""The results of error tagging, for leads: the figures, and the response that the address names."""

from __future__ import annotations

from urllib.parse import unquote

import streamlit as st

from medlens.studies.registry import STUDIES
from medlens.studies.tagging.figures_charts import against_published
from medlens.studies.tagging.study import Study
from medlens.studies.tagging.tasks import STUDY
from medlens.ui import Here, rounds
from medlens.ui.address import go
from medlens.ui.figures import page as figures
from medlens.ui.figures.page import Looked
from medlens.ui.tagging import item_detail


def draw(here: Here, study: Study) -> None:
    """The results of the current dataset, or the response that the address names.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    if not study.dataset:
        rounds.draw_nothing(here, "responses")
        return
    opened = st.query_params.get("response", "")
    if opened and item_detail.draw(here, study, opened, _around(here, study, opened)):
        return

    def illustrative() -> None:
        if study.illustrative:
            st.caption(":material/science: Illustrative: written for the demo", width="content")

    figures.draw(
        here, STUDIES[STUDY], study, follow=_follow, top=illustrative, below=_against_published
    )


def _against_published(looked: Looked, name: str) -> None:
    """How many responses have the published labels, with a link to the others."""
    if name != "labels":
        return
    for sentence, mark in against_published(looked.data):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(sentence, width="content")
            if mark:
                st.button(
                    "Differences",
                    key=f"results.{mark}",
                    type="tertiary",
                    on_click=go,
                    kwargs={"mark": mark},
                )


def _follow(mark: str) -> None:
    """Open what is behind a mark; a judgment that breaks a rule opens its response directly."""
    kind, _, name = mark.partition("|")
    go(**({"response": unquote(name)} if kind == "response" else {"mark": mark}))


def _around(here: Here, study: Study, name: str) -> list[str]:
    """The list to page through: the responses behind the mark, else all that were judged."""
    looked = figures.look(here, STUDIES[STUDY], study)
    for mark in (st.query_params.get("mark", ""), ""):
        found = figures.behind(looked, mark)
        names = list(dict.fromkeys(one["response"] for one in found.leads)) if found else []
        if name in names:
            break
    return names
