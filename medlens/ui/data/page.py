"""The Data page: files in, what is there, files out, and the taxonomy (leads)."""

from __future__ import annotations

import streamlit as st

from medlens.review import items
from medlens.tagging import tasks
from medlens.tagging.study import Study, open_study
from medlens.ui import address
from medlens.ui.data import exports, imports, taxonomy
from medlens.ui.data import items as item_list
from medlens.ui.frame import Here

_VIEWS = {"import": "Import", "items": "Items", "export": "Export", "taxonomy": "Taxonomy"}


def draw(here: Here) -> None:
    """The page: one of its views at a time, named in the address."""
    st.title("Data", anchor=False)
    view = st.segmented_control(
        "View", list(_VIEWS), format_func=_VIEWS.__getitem__, key="data.view", default="import",
        required=True, bind="query-params", label_visibility="collapsed", wrap=True,
    )
    if view == "import":
        imports.draw(here)
        return
    study = _chosen_study(here)
    if view == "export":
        exports.draw(here, study)
    elif not study.dataset:
        st.info("There are no items yet. Import them first.", icon=":material/inbox:")
    elif view == "items":
        item_list.draw(here, study)
    else:
        taxonomy.draw(here, study)


def _chosen_study(here: Here) -> Study:
    """The dataset that all views but the import look at; the address names it."""
    known = [row["dataset"] for row in items.datasets(here.store, tasks.STUDY)]
    asked = st.query_params.get("dataset", "")
    if len(known) < 2:
        return open_study(here.store, here.settings, asked)
    dataset = st.selectbox(
        "Dataset", known, index=known.index(asked) if asked in known else 0,
        key="data.dataset", on_change=_remember_dataset, persist_state="page", width=320,
    )
    return open_study(here.store, here.settings, dataset)


def _remember_dataset() -> None:
    address.go(dataset=str(st.session_state["data.dataset"]), item="")
