"""The page of AgentClinic: which view, which dataset, and the judges' desks."""

from __future__ import annotations

import streamlit as st

from medlens.review.cache import cached_until
from medlens.review.figures import VIEW
from medlens.studies.agentclinic import queries
from medlens.studies.agentclinic.declared import CHECK, DIALOGUES, RATE
from medlens.studies.agentclinic.models import STUDY
from medlens.studies.agentclinic.study import open_study
from medlens.ui import Here, rounds, ways
from medlens.ui.agentclinic import browse, cases, check, figures, nav, play, rate
from medlens.ui.frame import words

PLAY, BROWSE, CASES = nav.PLAY, DIALOGUES, "Cases"


def draw(here: Here) -> None:
    """The view that the address names."""
    dataset = rounds.dataset_of(here, STUDY)
    study = _study(here.store, dataset)
    views = [RATE, CHECK, PLAY]
    if here.person.role == "lead":
        views += [BROWSE, CASES, VIEW]
    with ways.page_line(here, STUDY, dataset, views, illustrative=study.illustrative) as view:
        if dataset and view in (RATE, CHECK):
            rounds.draw_state(here, study.realism if view == RATE else study.match, dataset)
    if not study.dataset:
        rounds.draw_nothing(here, "cases or dialogues")
        return
    if view in (RATE, CHECK) and queries.index(here.store, study.dataset).empty:
        st.info(
            f"There are no dialogues in the dataset {words(study.dataset)} yet. A lead can"
            " have models play its cases on the Runs page, or import dialogues. You can also play"
            " one yourself under Play.",
            icon=":material/inbox:",
        )
        return
    if view == RATE:
        rate.draw(here, study)
    elif view == CHECK:
        check.draw(here, study)
    elif view == PLAY:
        play.draw(here, study)
    elif view == BROWSE:
        browse.draw(here, study)
    elif view == CASES:
        cases.draw(here, study)
    else:
        figures.draw(here, study)


# Every rerun asks for it, and it changes only when items are added.
_study = cached_until("item", most=32)(open_study)
