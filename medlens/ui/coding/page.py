"""Open coding as a view of a study's page, in parts."""

from __future__ import annotations

import streamlit as st

from medlens.review.raters import require_lead
from medlens.ui.coding import (
    codebook_editor_and_coded_passages,
    codebook_to_taxonomy_or_study,
    compare_coders,
    desk,
    quick_coding_with_text_labeler,
)
from medlens.ui.coding.desk import Subject
from medlens.ui.page_frame import Here

_CODE, _CODES, _COMPARE = "Code", "Codes", "Compare"
_BECOME, _QUICK = "Use the codes", "Quick view"
_SEARCH = "coding.search"


def draw_coding_part_choice() -> None:
    """The choice of part, and the search for texts."""
    st.segmented_control(
        "Part",
        [_CODE, _CODES, _COMPARE, _BECOME, _QUICK],
        key="part",
        default=_CODE,
        required=True,
        bind="query-params",
        label_visibility="collapsed",
        wrap=True,
    )
    if st.session_state["part"] in (_CODE, _QUICK):
        st.text_input(
            "Only texts with",
            key=_SEARCH,
            bind="query-params",
            width=190,
            placeholder="Only texts with …",
            icon=":material/search:",
            label_visibility="collapsed",
        )


def draw_chosen_coding_part(here: Here, subject: Subject) -> None:
    """The chosen part.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(here.person)
    part, search = st.session_state["part"], st.session_state.get(_SEARCH, "")
    if part == _CODES:
        codebook_editor_and_coded_passages.draw_codes_and_chosen_passages(here, subject)
    elif part == _COMPARE:
        compare_coders.draw_choice_to_compare_or_comparison(here, subject)
    elif part == _BECOME:
        codebook_to_taxonomy_or_study.draw_codebook_uses(here, subject)
    elif part == _QUICK:
        quick_coding_with_text_labeler.draw_quick_coding(here, subject, search)
    else:
        desk.draw_coding_desk(here, subject, search)
