"""Error tagging: the desk for everyone; results and open coding for leads."""

import streamlit as st

from medlens.tagging.study import open_study
from medlens.ui import start_page
from medlens.ui.tagging import open_coding, page, results

here = start_page("Tag errors", wide=True)
with here.errors():
    study = open_study(here.store, here.settings, st.query_params.get("dataset", ""))
    view = "Tag"
    with st.container(key="desk_line"):
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
            st.markdown("**MedLens** · Tag errors")
    if view == "Results":
        results.draw(here, study)
    elif view == "Open coding":
        open_coding.draw(here, study)
    else:
        page.draw(here, study)
