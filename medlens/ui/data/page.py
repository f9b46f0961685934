"""The Data page: files in, items, files out, and the taxonomy (leads); and the results of studies
that have no page of their own here.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from medlens.review import items
from medlens.review.figure_definitions import VIEW
from medlens.studies.installed_studies_and_bridges import DATA_PAGE
from medlens.studies.registry import STUDIES
from medlens.studies.tagging import tasks
from medlens.studies.tagging.study_in_dataset import open_study
from medlens.ui import dataset_choice_and_round_controls, page_address, study_navigation
from medlens.ui.data import (
    exports,
    taxonomy_in_use_and_its_replacement,
    upload_preview_import_and_past_imports,
)
from medlens.ui.data import search_and_correct_items as item_list
from medlens.ui.figures import page as figures
from medlens.ui.page_frame import (
    Here,
    draw_choice_of_views,
    known_value_in_address_or_warn,
    view_in_address,
)

_IMPORT, _ITEMS, _EXPORT, _TAXONOMY = _VIEWS = ("Import", "Items", "Export", "Taxonomy")
_SECTIONS = {_ITEMS: "browse", _EXPORT: "export", VIEW: "results"}


def draw_page(here: Here) -> None:
    """The page: one view at a time, named in the address."""
    view = view_in_address((*_VIEWS, VIEW) if _has_results_here(here) else _VIEWS)
    if view == _IMPORT:
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.title("Data", anchor=False, width="content")
            draw_choice_of_views(_VIEWS, view)
        upload_preview_import_and_past_imports.draw_upload_preview_and_import(here)
        return
    study = tasks.STUDY if view == _TAXONOMY else _study(here)
    dataset = _dataset(here, study)
    with st.container(key="data-head"):
        st.title("Data", anchor=False)
        places = (
            study_navigation.page_and_query_by_section_of_study(STUDIES[study], dataset)
            if dataset
            else {}
        )
        with study_navigation.draw_navigation_around_block(
            *(here, STUDIES[study], dataset, places),
            at=_SECTIONS.get(view, ""),
            page=DATA_PAGE,
            without_items=True,
        ):
            if dataset:
                opened = STUDIES[study].open(here.store, here.settings, dataset)
                study_navigation.draw_illustrative_badge(illustrative=opened.illustrative)
            # The line has Export already.
            views = [one for one in _VIEWS if one != _EXPORT or "export" not in places]
            draw_choice_of_views(views, view)
    if view == _EXPORT:
        exports.draw_export_choice_and_button(here, study, dataset)
    elif not dataset:
        st.info("There are no items yet. Import them first.", icon=":material/inbox:")
    elif view == _ITEMS:
        item_list.draw_item_search_and_list(here, study, dataset)
    elif view == VIEW:
        declared = STUDIES[study]
        figures.draw_figures(here, declared, declared.open(here.store, here.settings, dataset))
    else:
        taxonomy_in_use_and_its_replacement.draw_taxonomy_and_form_to_replace_it(
            here, open_study(here.store, here.settings, dataset)
        )


def _has_results_here(here: Here) -> bool:
    """Whether the address asks for results of a study of another distribution, whose own page is
    not among the pages.
    """
    if st.query_params.get("view") != VIEW:
        return False
    declared = STUDIES[_study(here)]
    return declared.page == DATA_PAGE and declared.figures is not None


def _study(here: Here) -> str:
    """The study that the address names, else the first that has the dataset in the address."""
    by_title = {declared.title: name for name, declared in STUDIES.items()}
    if asked := known_value_in_address_or_warn("study", by_title, "study"):
        return by_title[asked]
    dataset = st.query_params.get("dataset", "")
    # One that is archived has its study too: its page says that it is archived.
    for archived in (False, True):
        for name in STUDIES:
            if dataset in _datasets(here, name, archived=archived):
                return name
    return tasks.STUDY


def _datasets(here: Here, study: str, *, archived: bool = False) -> list[str]:
    found = items.datasets_of_study(here.store, study, archived=archived)
    return [str(row["dataset"]) for row in found]


def _dataset(here: Here, study: str) -> str:
    """The dataset that the address names, or the newest. If it names one that does not exist, the
    page says so, offers the others, and stops.
    """
    known = _datasets(here, study)
    dataset_choice_and_round_controls.stop_page_if_dataset_archived(here, study)
    asked = known_value_in_address_or_warn("dataset", known, "dataset")
    if known and not asked and st.query_params.get("dataset"):
        _choose_known_dataset(here, study, known)
        st.stop()
    return asked or (known[0] if known else "")


def _choose_known_dataset(here: Here, study: str, known: Sequence[str]) -> None:
    key = f"data.dataset.{study}"
    st.session_state[key] = None
    st.selectbox(
        "Dataset",
        known,
        key=key,
        format_func=STUDIES[study].titles(here.store, known).__getitem__,
        on_change=lambda: page_address.set_values_in_address(
            dataset=str(st.session_state[key] or ""), item=""
        ),
        placeholder="Choose a dataset",
        width=320,
    )
