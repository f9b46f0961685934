"""The figures of SourceCheckup, for leads: every mark opens its pairs."""

from __future__ import annotations

from urllib.parse import parse_qsl

import streamlit as st

from medlens.review.charts import mark_parts
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup.models import STUDY
from medlens.studies.sourcecheckup.study import Study
from medlens.ui import Here, address
from medlens.ui.figures import page as figures
from medlens.ui.sourcecheckup import nav


def draw(here: Here, study: Study) -> None:
    """The section that the address names.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    # The list of pairs and links from it call the judge `verifier`.
    if verifier := st.query_params.get("verifier", ""):
        address.go(judge=verifier, verifier="")
    figures.draw(here, STUDIES[STUDY], study, follow=to_pairs)


def to_pairs(mark: str) -> None:
    """Follow a mark: list the pairs behind it, with the same filters as the figures."""
    parts = mark_parts(mark)
    if parts[0] != "pairs":
        return
    wanted = {name: value for part in parts[1:] for name, value in parse_qsl(part)}
    here = {"verifier": "judge", "group": "cases", "run": "run"}
    for name in (*nav.FILTERS, "page", "pair"):
        wanted.setdefault(name, st.query_params.get(here.get(name, ""), ""))
    address.go(view=nav.PAIRS, **wanted)
