"""The Data page: files in, items, files out, and the taxonomy (leads)."""

from __future__ import annotations

import streamlit as st

from medlens.review import items
from medlens.studies.registry import STUDIES
from medlens.studies.tagging import tasks
from medlens.studies.tagging.study import open_study
from medlens.ui import page_address
from medlens.ui.data import exports, imports, taxonomy
from medlens.ui.data import items as item_list
from medlens.ui.frame import Here, choose_view, value_in_address

_VIEWS = {"import": "Import", "items": "Items", "export": "Export", "taxonomy": "Taxonomy"}


def draw_page(here: Here) -> None:
    """The page: one view at a time, named in the address."""
    st.title("Data", anchor=False)
    view = choose_view(_VIEWS)
    if view == "import":
        imports.draw_imports(here)
        return
    study = tasks.STUDY if view == "taxonomy" else _study(here)
    dataset = _dataset(here, study)
    if view == "export":
        exports.draw_exports(here, study, dataset)
    elif not dataset:
        st.info("There are no items yet. Import them first.", icon=":material/inbox:")
    elif view == "items":
        item_list.draw_items(here, study, dataset)
    else:
        taxonomy.draw_taxonomy(here, open_study(here.store, here.settings, dataset))


def _study(here: Here) -> str:
    """The study that the address names, else the first that has the dataset in the address."""
    asked = st.query_params.get("dataset", "")
    having = (name for name in STUDIES if asked in _datasets(here, name))
    return str(
        st.segmented_control(
            "Study",
            list(STUDIES),
            format_func=lambda name: STUDIES[name].title,
            key="study",
            default=next(having, tasks.STUDY),
            required=True,
            bind="query-params",
            on_change=lambda: page_address.set_address(dataset="", item=""),
            wrap=True,
        )
    )


def _datasets(here: Here, study: str) -> list[str]:
    return [str(row["dataset"]) for row in items.datasets_of_study(here.store, study)]


def _dataset(here: Here, study: str) -> str:
    """The dataset that the address names, or the newest. If it names one that does not exist, the
    page says so, offers the others, and stops.
    """
    known = _datasets(here, study)
    asked = value_in_address("dataset", known, "dataset")
    unknown = not asked and bool(st.query_params.get("dataset"))
    if not known or (len(known) == 1 and not unknown):
        return known[0] if known else ""
    key = f"data.dataset.{study}"
    st.session_state[key] = None if unknown else asked or known[0]
    st.selectbox(
        "Dataset",
        known,
        key=key,
        format_func=STUDIES[study].titles(here.store, known).__getitem__,
        on_change=lambda: page_address.set_address(
            dataset=str(st.session_state[key] or ""), item=""
        ),
        placeholder="Choose a dataset",
        width=320,
    )
    if unknown:
        st.stop()
    return asked or known[0]
