"""Playing a visit: starting one, and its player's chat.

Only ``human_played_visits.visit_as_player_sees_it`` is drawn of a visit: what its player may know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from medlens.errors import InvalidInput, MedLensError
from medlens.studies.agentclinic import human_played_visits
from medlens.studies.agentclinic.human_played_visits import Scene
from medlens.studies.agentclinic.prompts import RATING_QUESTIONS
from medlens.studies.agentclinic.records import (
    PatientRating,
    PatientRatings,
    verdict_reason_in_words,
)
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.studies.agentclinic.visit_turn_taking import LONGEST, Act
from medlens.ui import Here, page_address
from medlens.ui.agentclinic import (
    dialogue_in_page_address,
    transcript_and_case_view,
    visit_start_and_existing_visits,
)
from medlens.ui.agentclinic.transcript_and_case_view import CASE_STYLE
from medlens.ui.answer_form import FieldData, OptionData
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import escape_to_one_line, show_error
from medlens.ui.styles import read_style_sheet

_STYLE = read_style_sheet("agentclinic_play")
_EVERY = 0.7
_ACTS: Mapping[Act, str] = {"say": "Talk", "test": "Order a test", "diagnosis": "Diagnosis"}
_ERROR = "play.error"


def draw_visit_or_start(here: Here, study: Study) -> None:
    """The visit that the address names, or the page to start one."""
    id = st.query_params.get("visit", "")
    if not id:
        visit_start_and_existing_visits.draw_visit_start(here, study)
        return
    st.html(CASE_STYLE + _STYLE)
    with st.container(key="play"):
        try:
            scene = human_played_visits.visit_as_player_sees_it(here.store, id, here.person)
        except MedLensError as error:
            show_error(error)
            st.button(
                "Your visits",
                key="play.back",
                on_click=page_address.set_values_in_address,
                kwargs={"visit": ""},
            )
            return
        _line(here, scene)
        if scene.role == "patient":
            told, side = st.columns([5, 8], gap="large")
        else:
            told = side = st.container()
        with told:
            _told(scene)
        with side, st.container(key="play-side"):
            if scene.turns:
                with st.container(key="play-talk"):
                    transcript_and_case_view.draw_turns_to_read(
                        scene.turns, name=scene.id, key="play.turns", follow=True
                    )
            if refused := st.session_state.pop(_ERROR, None):
                show_error(refused)
            _DRAWN[scene.state](here, scene)


def _line(here: Here, scene: Scene) -> None:
    over = scene.state in ("judging", "ended", "given_up")
    with st.container(key="play-line", horizontal=True, vertical_alignment="center"):
        st.button(
            "Your visits",
            key="play.back",
            icon=":material/arrow_back:",
            on_click=page_address.set_values_in_address,
            kwargs={"visit": ""},
        )
        st.markdown(f"You are the **{scene.role}**.", width="content")
        if scene.role == "doctor" and not over:
            st.caption(f"{scene.left} of {scene.n} messages left, tests included", width="content")
        if over:
            return
        opened = st.popover("Give up", key="play.giveup", type="tertiary")
        with opened:
            st.markdown("The visit ends without a diagnosis and is counted as given up.")
            st.button(
                "Give up this visit",
                key="play.giveup.yes",
                on_click=_try,
                args=(
                    lambda: human_played_visits.give_up_visit_and_return_scene(
                        here.store, scene.id, person=here.person, base=scene.revision
                    ),
                ),
            )


def _told(scene: Scene) -> None:
    with st.container(key="play-task"):
        if scene.role == "doctor":
            st.text(scene.told, width="stretch")
            for number, image in enumerate(scene.images, 1):
                transcript_and_case_view.draw_image(image, number, key="play.task")
            return
        with st.expander("Who you are, and what you know", expanded=True):
            with st.container(key="case.play"):
                st.markdown(
                    transcript_and_case_view.case_facts_as_markdown(
                        (leaf, "") for leaf in scene.story
                    )
                )
            st.caption(
                "Answer as this person would, in everyday words. Say what you are asked, not your"
                " whole story at once. You know only what is written here."
            )


def _try(act: Callable[[], Any]) -> None:
    """Do what a button asks; an error is shown above it."""
    try:
        act()
    except MedLensError as error:
        st.session_state[_ERROR] = error


# -- whose turn it is ------------------------------------------------------------------------------


def _yours(here: Here, scene: Scene) -> None:
    if scene.role == "patient":
        _talk(here, scene, ["say"])
        return
    if scene.decide:
        st.markdown("**This is your last message.** Decide now, on what you know.")
        _talk(here, scene, ["diagnosis"])
        _say_button(here, scene, "I cannot name one", "say", "I cannot name a diagnosis.")
        return
    if scene.may_ask_images:
        _say_button(here, scene, "See the images", "images", "")
    _talk(here, scene, ["say", "test", "diagnosis"])


def _say_button(here: Here, scene: Scene, label: str, act: Act, text: str) -> None:
    key = f"play.{act}.{scene.revision}"
    st.button(label, key=key, on_click=_try, args=(lambda: _speak(here, scene, act, text),))


def _talk(here: Here, scene: Scene, acts: list[Act]) -> None:
    """What the player says or does next; a draft until it is sent."""

    def send(entered: Entries) -> None:
        act = next((one for one in acts if one == entered.get("act")), acts[0])
        _speak(here, scene, act, entered.get(act) or "")

    fields = [_written(scene, act) for act in acts]
    if len(acts) > 1:
        for field, act in zip(fields, acts, strict=True):
            field["when"] = ("act", act)
        options = [OptionData(value=act, name=_ACTS[act]) for act in acts]
        fields.insert(0, {"id": "act", "kind": "choice", "label": "", "options": options})
    sheet = form_sheet_of_session(
        here.store,
        here.person,
        "play",
        scene.id,
        part=scene.revision,
        send=send,
        given={"act": acts[0]},
    )
    ends = acts == ["diagnosis"]
    draw_form_sheet(
        sheet, fields, submit="Give this diagnosis and end the visit" if ends else "Send"
    )


def _written(scene: Scene, act: Act) -> FieldData:
    found: FieldData = {"id": act, "kind": "text", "label": "", "sends": True, "longest": LONGEST}
    if act == "diagnosis":
        found["label"], found["longest"] = "Name one disease; this ends the visit", 300
    elif act == "test":
        found["placeholder"] = "Name the examination or test, such as: chest X-ray"
    else:
        doctor = scene.role == "doctor"
        found["placeholder"] = "Say something to the patient" if doctor else "Answer the doctor"
        found["lines"] = 2
    return found


def _speak(here: Here, scene: Scene, act: Act, text: str) -> None:
    human_played_visits.record_players_act_and_return_scene(
        here.store, scene.id, person=here.person, base=scene.revision, act=act, text=text
    )


def _theirs(here: Here, scene: Scene) -> None:
    asked = human_played_visits.find_state_of_requested_answer(here.store, scene.id)
    if asked is not None and asked.error is not None:
        show_error(asked.error)
        st.button(
            "Try again",
            key="play.again",
            type="primary",
            on_click=human_played_visits.continue_visit_in_background,
            args=(here.store, here.settings, scene.id),
        )
        return
    human_played_visits.continue_visit_in_background(here.store, here.settings, scene.id)
    other = "The patient" if scene.role == "doctor" else "The doctor"
    if scene.state == "judging":
        said = "The visit is being scored."
    elif scene.role == "doctor" and scene.turns and scene.turns[-1].kind == "request_test":
        said = "The result is on its way."
    else:
        said = f"{other} is about to speak."
    st.caption(f":material/hourglass_top: {said} You can close the page and come back.")
    _watch(here, scene)


@st.fragment(run_every=_EVERY)
def _watch(here: Here, scene: Scene) -> None:
    asked = human_played_visits.find_state_of_requested_answer(here.store, scene.id)
    if asked is None or not asked.waiting:
        st.rerun()


def _rate(here: Here, scene: Scene) -> None:
    st.markdown("**The visit is over.** The doctor's last words to you:")
    st.text(scene.assessment, width="stretch")
    st.markdown("Now rate the visit as its patient:")
    fields: list[FieldData] = []
    for name, question in RATING_QUESTIONS.items():
        fields += [
            {
                "id": name,
                "kind": "choice",
                "label": question,
                "hint": "1 not at all, 10 fully",
                "options": [OptionData(value=str(one), name=str(one)) for one in range(1, 11)],
            },
            {
                "id": f"{name}_why",
                "kind": "text",
                "label": "",
                "placeholder": "Why? One sentence",
                "longest": 500,
            },
        ]

    def send(entered: Entries) -> None:
        ratings = _ratings(entered)
        human_played_visits.save_patient_ratings_and_return_scene(
            here.store, scene.id, person=here.person, base=scene.revision, ratings=ratings
        )

    sheet = form_sheet_of_session(
        here.store, here.person, "play.rate", scene.id, part=scene.revision, send=send
    )
    draw_form_sheet(sheet, fields, submit="Submit")


def _ratings(entered: Entries) -> PatientRatings:
    given = {}
    for name, question in RATING_QUESTIONS.items():
        score = entered.get(name)
        if not score:
            raise InvalidInput(
                "One question has no answer.", hint=f"Choose from 1 to 10: {question}"
            )
        why = (entered.get(f"{name}_why") or "").strip()
        given[name] = PatientRating(score=int(score), reason=why)
    return PatientRatings(**given)


def _ended(here: Here, scene: Scene) -> None:
    st.success(
        "The visit is over and saved. It is now a dialogue like any other, scored by the same"
        " moderator and ready to be rated.",
        icon=":material/check:",
    )
    _truth(here, scene)
    name = ""
    if here.person.role == "lead":
        name = human_played_visits.dialogue_name_of_visit(here.store, scene.id)
    with st.container(horizontal=True):
        st.button(
            "Begin another",
            key="play.another",
            type="primary",
            on_click=page_address.set_values_in_address,
            kwargs={"visit": ""},
        )
        if name:
            st.button(
                f"Read {escape_to_one_line(name)}",
                key="play.read",
                icon=":material/forum:",
                on_click=dialogue_in_page_address.put_dialogue_in_address,
                args=(name,),
            )


_SAID = {
    "correct": "the same disease",
    "incorrect": "another disease",
    "no_diagnosis": "no diagnosis",
    "error": "nothing that can be used",
}


def _truth(here: Here, scene: Scene) -> None:
    """The correct diagnosis and the moderator's verdict, for a player who has finished."""
    end = human_played_visits.load_visit_ending_and_record_seen(here.store, scene.id, here.person)
    with st.container(border=True, key="play-truth"):
        st.caption("Correct diagnosis")
        st.text(end.truth, width="stretch")
        st.caption("Given by the doctor")
        st.text(end.given or "none", width="stretch")
        st.caption("The moderator says")
        st.text(f"{_SAID[end.outcome]}. {verdict_reason_in_words(end.reason)}", width="stretch")
        st.caption(
            "You know how it ended, so anything you judge in it later is marked as made after"
            " looking."
        )


def _given_up(here: Here, scene: Scene) -> None:
    st.info("You gave this visit up.", icon=":material/info:")


_DRAWN: dict[str, Callable[[Here, Scene], None]] = {
    "yours": _yours,
    "theirs": _theirs,
    "judging": _theirs,
    "rate": _rate,
    "ended": _ended,
    "given_up": _given_up,
}
