"""Error tagging: the desk for everyone; results and open coding for leads."""

import streamlit as st

from medlens.tagging import tasks
from medlens.tagging.study import open_study
from medlens.ui import rounds, start_page
from medlens.ui.tagging import open_coding, page, results

here = start_page("Tag errors", wide=True)
with here.errors():
    dataset = rounds.dataset_of(here, tasks.STUDY)
    study = open_study(here.store, here.settings, dataset)
    view = "Tag"
    with st.container(key="desk_line", horizontal=True, vertical_alignment="center", gap="medium"):
        if here.person.role == "lead":
            view = st.segmented_control(
                "View",
                ["Tag", "Results", "Open coding"],
                key="view",
                default="Tag",
                required=True,
                bind="query-params",
                label_visibility="collapsed",
            )
        else:
            st.markdown("**MedLens** · Tag errors", width="content")
        rounds.draw_choice(here, tasks.STUDY, dataset)
        if view == "Tag" and dataset:
            rounds.draw_state(here, study.task, dataset)
    if view == "Results":
        results.draw(here, study)
    elif view == "Open coding":
        open_coding.draw(here, study)
    else:
        page.draw(here, study)
