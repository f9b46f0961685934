"""Links between a lead's pages on one study: its team, results, models, report and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

import streamlit as st

from medlens.review.figure_definitions import VIEW
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import Study
from medlens.ui import page_address, rounds
from medlens.ui.frame import Here, choose_view


def draw_links_between_pages(
    declared: Study, dataset: str, *, at: Literal["team", "results", "trust", "out"], task: str = ""
) -> None:
    """Links from one of these pages (``at``) to the others, for ``task`` or the study's first."""
    about = {"task": task or next(iter(declared.views)), "dataset": dataset}
    ways = {
        "team": ("pages/5_Team.py", "Team", "group", about),
        "trust": ("pages/9_People_and_models.py", "People and models", "balance", about),
        "out": (
            *("pages/7_Data.py", "Report and export", "lab_profile"),
            {"view": "Export", "study": declared.title, "dataset": dataset},
        ),
    }
    if declared.figures:
        view = {"view": VIEW, "dataset": dataset}
        ways["results"] = (declared.page, VIEW, "bar_chart", view)
    with st.container(horizontal=True, width="content", gap="small", key="ways"):
        for name in ("team", "results", "trust", "out"):
            if name != at and name in ways:
                page, label, icon, query = ways[name]
                st.page_link(
                    page,
                    label=label,
                    icon=f":material/{icon}:",
                    query_params=page_address.address_for_other_page(query)
                    if "view" in query
                    else query,
                    width="content",
                )


@contextmanager
def draw_study_line(
    here: Here, study: str, dataset: str, views: Sequence[str], *, illustrative: bool
) -> Iterator[str]:
    """The first line of a study's page: the choice of view, which it gives, or the page's name if
    there is only one; that of dataset; then what the caller draws, and a lead's links from the
    results.
    """
    with st.container(key="desk_line", horizontal=True, vertical_alignment="center", gap="medium"):
        view = views[0]
        if len(views) > 1:
            view = choose_view({one: one for one in views})
        else:
            st.markdown(f"**MedLens** · {STUDIES[study].enter}", width="content")
        if illustrative:
            st.caption(":material/science: Illustrative", width="content")
        rounds.draw_dataset_choice(here, study, dataset)
        yield view
        if view == VIEW and here.person.role == "lead":
            draw_links_between_pages(STUDIES[study], dataset, at="results")
