"""EBMQA's figures and list of questions: same filters, and every mark opens its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from medlens.studies.ebmqa.explore.question_filter import (
    DIMENSIONS,
    join_filter_values,
    split_filter_values,
)
from medlens.studies.ebmqa.explore.question_queries import SORTS
from medlens.studies.ebmqa.figures import KIND
from medlens.studies.ebmqa.figures_charts import NONE
from medlens.studies.ebmqa.figures_data import (
    cached_unfiltered_figure_data,
    list_unknown_label_values,
    most_used_prompt,
)
from medlens.studies.ebmqa.records import STUDY
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.studies.registry import STUDIES
from medlens.ui import Here, list_filters_and_paging, page_address
from medlens.ui.ebmqa import address_changes, questions_behind_chart_mark
from medlens.ui.figures import page as figures
from medlens.ui.page_frame import escape_markdown


def draw_figures(here: Here, study: Study) -> None:
    """The section that the address names.

    Raises:
        NotAllowed: the viewer has not answered the questionnaire yet.
    """
    _settle(here, study)
    published = st.query_params.get("section") == figures.PUBLISHED
    figures.draw_figures(
        *(here, STUDIES[STUDY], study),
        follow=address_changes.put_mark_in_address,
        more_filters=None if published else lambda filters: _draw_filters(here, study, filters),
        listed=lambda looked: questions_behind_chart_mark.draw_questions_behind_mark(
            looked.data, here.person
        ),
    )


def draw_filtered_question_list(here: Here, study: Study) -> None:
    """The questions as a list, with the filters above it and a search."""
    _settle(here, study)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        figures.draw_figure_filters(
            *(here, STUDIES[STUDY], study.dataset),
            more=lambda filters: _draw_filters(here, study, filters),
        )
        data = figures.figures_of_dataset_for_lead(here, STUDIES[STUDY], study).data
        kinds = KIND.options(data, {})
        kind = (
            figures.draw_choice_kept_in_address_and_return_it("kind", kinds)
            if len(kinds) > 1
            else ""
        )
        list_filters_and_paging.draw_search_field(
            "Search", "q", key="ebmqa", placeholder="words in any order"
        )
        sort = figures.draw_choice_kept_in_address_and_return_it("sort", SORTS, "Sort", width=230)
    questions_behind_chart_mark.draw_page_of_questions(
        data.figure_data_of_kind(kind), here.person, None, key="questions", sort=sort
    )


def _settle(here: Here, study: Study) -> None:
    """Put the prompt in the address, so that a link stays the same; report unknown filters."""
    whole = cached_unfiltered_figure_data(here.store, study.dataset)
    if not st.query_params.get("prompt"):
        page_address.set_values_in_address(
            prompt=most_used_prompt(whole, st.query_params.get("run", ""))
        )
    asked = st.query_params.to_dict()
    if gone := list_unknown_label_values(here.store, study.dataset, asked):
        st.warning(
            f"Not found, and ignored: {escape_markdown('; '.join(gone))}.",
            icon=":material/link_off:",
        )


# -- filters ---------------------------------------------------------------------------------------


def _draw_filters(here: Here, study: Study, filters: list_filters_and_paging.Filters) -> None:
    """The filters of questions by their labels, and by the models that answered."""
    whole = cached_unfiltered_figure_data(here.store, study.dataset)
    known = whole.filter_values_by_label
    asked = {name: split_filter_values(st.query_params.get(name, "")) for name in (*known, "model")}
    if filters.opened:
        if len(whole.rater_id_by_model_name) > 1:
            _several("model", "Models", list(whole.rater_id_by_model_name), asked["model"])
        for label, values in known.items():
            _several(label, DIMENSIONS[label], values, asked[label])
    filters.chips |= {
        label: f"{DIMENSIONS[label]}: {', '.join(one or NONE for one in there)}"
        for label, values in known.items()
        if (there := [one for one in asked[label] if one in values])
    }
    if asked["model"]:
        filters.chips["model"] = f"Models: {', '.join(asked['model'])}"
    list_filters_and_paging.add_search_as_filter_chip(filters, "q")


def _several(name: str, title: str, values: Sequence[str], chosen: Sequence[str]) -> None:
    key = f"ebmqa.f.{name}"
    st.session_state[key] = [one for one in chosen if one in values]

    def changed() -> None:
        page_address.set_values_in_address(
            **_with({name: join_filter_values(st.session_state[key])})
        )

    st.multiselect(
        title,
        list(values),
        key=key,
        format_func=lambda one: one or NONE,
        placeholder="any",
        on_change=changed,
        width=320,
    )


def _with(changed: Mapping[str, str]) -> dict[str, str]:
    """A change of the filters, which also closes what is behind a mark."""
    return {"mark": "", "page": "", "question": "", **changed}
