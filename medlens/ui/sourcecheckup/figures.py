"""The figures of SourceCheckup, for leads: every mark opens its pairs."""

from __future__ import annotations

from urllib.parse import parse_qsl

import streamlit as st

from medlens.review.chart_specifications import split_mark_id
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup.records import STUDY
from medlens.studies.sourcecheckup.registration import PAIRS
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.ui import Here, page_address
from medlens.ui.figures import page as figures
from medlens.ui.sourcecheckup import address_changes


def draw_figures(here: Here, study: Study) -> None:
    """The section that the address names.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    # The list of pairs and links from it call the judge `verifier`.
    if verifier := st.query_params.get("verifier", ""):
        page_address.set_values_in_address(judge=verifier, verifier="")
    figures.draw_figures(here, STUDIES[STUDY], study, follow=go_to_pairs_behind_mark)


def go_to_pairs_behind_mark(mark: str) -> None:
    """Follow a mark: list the pairs behind it, with the same filters as the figures."""
    parts = split_mark_id(mark)
    if parts[0] != "pairs":
        return
    wanted = {name: value for part in parts[1:] for name, value in parse_qsl(part)}
    here = {"verifier": "judge", "group": "cases", "run": "run"}
    for name in (*address_changes.FILTERS, "page", "pair"):
        wanted.setdefault(name, st.query_params.get(here.get(name, ""), ""))
    page_address.set_values_in_address(view=PAIRS, **wanted)
