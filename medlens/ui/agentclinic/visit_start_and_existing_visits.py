"""The page to start a visit, and the existing visits."""

from __future__ import annotations

from typing import Literal

import pandas as pd
import streamlit as st

from medlens.errors import MedLensError
from medlens.studies.agentclinic import human_played_visits, queries
from medlens.studies.agentclinic.biases import Side, list_shipped_biases
from medlens.studies.agentclinic.records import GivenBias
from medlens.studies.agentclinic.study_in_dataset import AgentClinicSettings, Study
from medlens.studies.agentclinic.visit_turn_taking import Role
from medlens.ui import Here, page_address
from medlens.ui.agentclinic import dialogue_in_page_address
from medlens.ui.chart_with_table_and_csv import STYLE, draw_clickable_table, draw_csv_button
from medlens.ui.page_frame import escape_markdown, show_error
from medlens.ui.times_in_browser_time_zone import format_date_and_time

_ROLES: dict[Role, str] = {"doctor": "The doctor", "patient": "The patient"}
_DRAWN: Literal["drawn"] = "drawn"
ChosenBias = GivenBias | Literal["drawn"] | None
_STATES = {"": "in progress", "ended": "finished", "given_up": "given up"}
_SHOWN = 10
_ERROR = "play.begin.error"


def draw_visit_start(here: Here, study: Study) -> None:
    """What a visit is, the button that starts one, and your own visits; all visits for leads."""
    rules = here.settings.of(AgentClinicSettings)
    st.markdown("## Play a visit")
    if not rules.play_models:
        st.info(
            "No model has been chosen to play against yet."
            + (
                " Name some under [agentclinic] play_models in medlens.toml."
                if here.person.role == "lead"
                else " Ask a team lead."
            ),
            icon=":material/smart_toy:",
        )
    else:
        _begin(here, study)
    _own(here, study)
    if here.person.role == "lead":
        _all(here, study)


def warn_and_say_if_viewer_must_not_see_item(here: Here, study: Study, item: str) -> bool:
    """Say so, and return True, if the viewer should not be shown an item at a desk.

    Either they are playing the doctor of its case, whose diagnosis the desks show; or they played
    in this very dialogue.
    """
    key = "play.playing"
    sign = (study.dataset, here.person.id, here.store.data_version_of_tables("run", "visit_event"))
    held = st.session_state.get(key)
    if held is None or held[0] != sign:
        mine = {
            one.id
            for one in human_played_visits.list_visits_of_person(
                here.store, study.dataset, here.person
            )
        }
        held = (
            sign,
            mine,
            human_played_visits.unfinished_visit_id_by_case_of_doctor(
                here.store, study.dataset, here.person
            ),
        )
        st.session_state[key] = held
    _, mine, playing = held
    if not mine:
        return False
    index = queries.dialogue_index_table(here.store, study.dataset)
    found = index.loc[index["item_id"] == item, ["case", "run"]]
    case, run = (str(part) for part in found.iloc[0]) if len(found) else ("", "")
    if run in mine:
        st.info(
            "You played in this dialogue: others have to judge it. Skip it.",
            icon=":material/person:",
        )
        return True
    if case not in playing:
        return False
    st.info(
        "You are the doctor of this case in a visit that is not over. Finish that visit or give it"
        " up first, or continue with the next item here.",
        icon=":material/visibility_off:",
    )
    st.button(
        "Continue the visit",
        key="play.first",
        type="primary",
        on_click=page_address.set_values_in_address,
        kwargs={"visit": playing[case], "view": dialogue_in_page_address.PLAY},
    )
    return True


def _begin(here: Here, study: Study) -> None:
    rules = here.settings.of(AgentClinicSettings)
    st.markdown(
        "You are the doctor or the patient; a model plays the other, under the same rules as"
        f" between models. The doctor has {rules.play_interactions} messages, tests included."
    )
    if error := st.session_state.pop(_ERROR, None):
        show_error(error)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        role: Role = st.segmented_control(
            "You are",
            list(_ROLES),
            key="play.role",
            default="doctor",
            required=True,
            format_func=_ROLES.__getitem__,
        )
        there = human_played_visits.case_number_by_name_of_playable_cases(
            here.store, study.dataset, role, here.person
        )
        st.selectbox(
            "Case",
            list(there),
            key=f"play.case.{role}",
            index=None,
            placeholder="drawn for you",
            format_func=lambda name: f"Case {there[name]}",
            width=200,
        )
        if here.person.role == "lead":
            st.selectbox(
                "Against",
                rules.play_models,
                key="play.model",
                index=None,
                placeholder="drawn at random, not shown",
                format_func=escape_markdown,
                width=220,
            )
        _bias(_other(role))
        st.button(
            "Begin",
            key="play.begin",
            type="primary",
            on_click=_start,
            args=(here, study),
        )
    if here.person.role == "lead" and role == "doctor":
        st.caption("Leads can read every case, so choose one whose diagnosis you do not know.")


def _other(role: Role) -> Side:
    return "patient" if role == "doctor" else "doctor"


def _bias(side: Side) -> None:
    """The bias that the model's side is given; one drawn at random is not shown."""
    known = {one.id: one for one in list_shipped_biases() if one.side == side}
    chosen = st.selectbox(
        f"The {side}'s bias",
        [_DRAWN, *known],
        key=f"play.bias.{side}",
        index=None,
        placeholder="none",
        width=220,
        format_func=lambda one: "drawn at random, not shown" if one == _DRAWN else known[one].title,
    )
    if chosen is None or chosen == _DRAWN:
        return
    st.text_input(
        "About",
        key=f"play.target.{side}.{chosen}",
        placeholder=known[chosen].target,
        width=220,
        max_chars=100,
        help="The disease or the people that the bias is about.",
    )


def _chosen_bias(side: Side) -> ChosenBias:
    chosen = st.session_state.get(f"play.bias.{side}")
    if chosen is None or chosen == _DRAWN:
        return None if chosen is None else _DRAWN
    target = st.session_state.get(f"play.target.{side}.{chosen}", "")
    return GivenBias(id=chosen, target=" ".join(target.split()))


def _start(here: Here, study: Study) -> None:
    # Pressed twice: by the second press the visit has begun, and the fields have gone.
    if "play.role" not in st.session_state:
        return
    # Read the current choice: the page may not have been drawn since the role was pressed.
    role: Role = st.session_state["play.role"]
    leads = here.person.role == "lead"
    try:
        visit = human_played_visits.start_visit(
            here.store,
            here.settings,
            dataset=study.dataset,
            role=role,
            person=here.person,
            case=st.session_state.get(f"play.case.{role}") or "",
            model=(st.session_state.get("play.model") or "") if leads else "",
            bias=_chosen_bias(_other(role)),
        )
    except MedLensError as error:
        st.session_state[_ERROR] = error
        return
    page_address.set_values_in_address(visit=visit)


def _own(here: Here, study: Study) -> None:
    mine = human_played_visits.list_visits_of_person(here.store, study.dataset, here.person)
    if not mine:
        return
    going = [one for one in mine if not one.closed]
    st.markdown("### Your visits")
    if not going:
        st.caption("You have no unfinished visits.")
    for one in [*going, *(other for other in mine if other.closed)][:_SHOWN]:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Read" if one.closed else "Continue",
                key=f"play.open.{one.id}",
                type="secondary" if one.closed else "primary",
                on_click=page_address.set_values_in_address,
                kwargs={"visit": one.id},
            )
            st.markdown(
                f"as the {one.role}, {_STATES[one.closed]},"
                f" begun {format_date_and_time(one.begun_at)}",
                width="content",
            )
    if len(mine) > _SHOWN:
        st.caption(f"The first {_SHOWN} of {len(mine)} are shown.")


def _all(here: Here, study: Study) -> None:
    found = human_played_visits.list_all_played_visits(here.store, study.dataset, here.person)
    if not found:
        return
    st.html(STYLE)
    counts = {state: sum(one.closed == state for one in found) for state in _STATES}
    st.markdown("### Everybody's visits")
    st.caption(", ".join(f"{counts[state]} {name}" for state, name in _STATES.items()))
    table = pd.DataFrame(
        [
            {
                "person": one.player,
                "as": one.role,
                "against": one.against,
                "its bias": one.bias.replace("_", " "),
                "case": one.case,
                "state": _STATES[one.closed],
                "outcome": one.outcome.replace("_", " "),
                "begun": format_date_and_time(one.begun_at),
                "dialogue": one.dialogue,
            }
            for one in found
        ]
    )
    draw_clickable_table(
        table.head(200),
        "play.all",
        marks=tuple(table["dialogue"].head(200)),
        alt="Visits that people played; click a finished one to open its dialogue",
        on_mark=dialogue_in_page_address.put_dialogue_in_address,
        height=min(38 + 35 * len(table), 420),
    )
    draw_csv_button(table, "visits")
