"""Which pairs doctors verify: drawn by a lead from all, by stratum, or from the disputed ones."""

from __future__ import annotations

from typing import Any

import streamlit as st

from medlens.errors import MedLensError
from medlens.review import hand_out_settings, items_selected_to_hand_out
from medlens.review.tasks import HandOut
from medlens.studies.sourcecheckup import pair_sampling_and_hand_out
from medlens.studies.sourcecheckup.pair_list import Filters
from medlens.studies.sourcecheckup.run_pipeline_step import count_with_noun
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.studies.sourcecheckup.tasks import SUPPORT
from medlens.ui import Here
from medlens.ui.page_frame import show_error
from medlens.ui.sourcecheckup import address_changes

_SAID = "sample.said"


def draw_form_to_sample_pairs(here: Here, study: Study) -> None:
    """A button that says how many pairs are handed out; behind it a form to draw more."""
    drawn = items_selected_to_hand_out.ids_of_selected_items(
        here.store, study.support, dataset=study.dataset
    )
    head = f"Sample for doctors · {len(drawn):,} pairs" if drawn else "Sample for doctors · all"
    opened = st.popover(
        head, icon=":material/shuffle:", key="sample.open", on_change="rerun", width="content"
    )
    if not opened.open:
        return
    wanted = address_changes.pair_filters_in_address()
    with opened, st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "How",
            pair_sampling_and_hand_out.WAYS,
            key="sample.way",
            width=320,
            format_func=pair_sampling_and_hand_out.WAY_NAMES.__getitem__,
        )
        st.number_input("Pairs", 1, 100_000, 400, key="sample.n", width=130)
        st.number_input("Seed", 0, 2**31 - 1, 1, key="sample.seed", width=130)
        st.button(
            "Draw", key="sample.draw", type="primary", on_click=_draw, args=(here, study, wanted)
        )
    with opened:
        st.caption(
            f"{'Drawn from the pairs that match the filters. ' if wanted != Filters() else ''}"
            "Only pairs whose source could be read are drawn. Until the first draw all pairs are"
            " handed out; each draw adds to the earlier ones."
        )
        _rules(here, study)


def draw_outcome_of_last_sample() -> None:
    """What the last draw has brought, once."""
    said = st.session_state.pop(_SAID, None)
    if isinstance(said, MedLensError):
        show_error(said)
    elif said:
        st.success(str(said), icon=":material/check:")


def _rules(here: Here, study: Study) -> None:
    """How many doctors judge each pair, and whether they must give a reason."""
    set_now = hand_out_settings.task_settings_set_by_lead(here.store, SUPPORT, study.dataset)
    many, why = "sample.doctors", "sample.reason"
    st.session_state[many] = int(set_now.get("raters_per_item", HandOut().raters_per_item))
    st.session_state[why] = set_now.get("reason") == "required"

    def change(**fields: Any) -> None:
        hand_out_settings.change_task_settings(
            here.store, SUPPORT, study.dataset, fields, by=here.person
        )

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Doctors per pair",
            1,
            20,
            key=many,
            width=150,
            on_change=lambda: change(raters_per_item=int(st.session_state[many])),
        )
        st.toggle(
            "Require a reason",
            key=why,
            on_change=lambda: change(reason="required" if st.session_state[why] else "optional"),
        )


def _draw(here: Here, study: Study, wanted: Filters) -> None:
    # Pressed twice: by the second press the fields can have gone with the pairs left to draw.
    if any(f"sample.{name}" not in st.session_state for name in ("way", "n", "seed")):
        return
    # Its label counts the pairs, and with a new label it would be a new sheet, which is closed.
    st.session_state["sample.open"] = True
    try:
        added = pair_sampling_and_hand_out.sample_and_hand_out_pairs_and_count(
            here.store,
            study,
            way=st.session_state["sample.way"],
            n=int(st.session_state["sample.n"]),
            seed=int(st.session_state["sample.seed"]),
            by=here.person,
            wanted=wanted,
        )
    except MedLensError as error:
        st.session_state[_SAID] = error
        return
    drawn = count_with_noun(added, "pair", "pairs")
    st.session_state[_SAID] = f"{drawn} drawn. From now on doctors are given these."
