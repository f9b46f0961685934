"""Rating a dialogue: the case, the conversation with markable turns, four scales by keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from medlens.studies.agentclinic import dialogue_list, queries, tasks
from medlens.studies.agentclinic.records import Case, Turn
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.studies.agentclinic.tasks import (
    MARKS,
    SCALE_QUESTIONS,
    SCALES,
    RatedDialogue,
    Scale,
)
from medlens.ui import Here, desk_view
from medlens.ui.agentclinic import (
    diagnosis_check,
    transcript_and_case_view,
    visit_start_and_existing_visits,
)
from medlens.ui.agentclinic.conversation import (
    Ahead,
    AheadMove,
    Marked,
    TalkData,
    draw_conversation,
)
from medlens.ui.agentclinic.transcript_and_case_view import CASE_STYLE
from medlens.ui.answer_form import FieldData, OptionData, Values, draw_answer_form
from medlens.ui.checked_messages_from_browser import parse_browser_message_or_none
from medlens.ui.desk import Desk
from medlens.ui.desk_bar import BAR_STYLE
from medlens.ui.keyboard_help import draw_button_for_list_of_keys
from medlens.ui.styles import read_style_sheet

_TASK = tasks.REALISM
_STYLE = read_style_sheet("agentclinic_rate")
_SCORES: list[OptionData] = [
    {"value": str(n), "name": str(n), "key": str(n % 10)} for n in range(1, 11)
]
_ENDS: Mapping[Scale, tuple[str, str]] = {
    "doctor": ("1: not at all", "10: as in a real clinic"),
    "patient": ("1: not at all", "10: as in a real clinic"),
    "measurement": ("1: not at all", "10: as ordered, and as in the case"),
    "empathy": ("1: none", "10: very much"),
}
_SCORED = {option["value"] for option in _SCORES}
_COMMENTS = (*(f"{scale}_comment" for scale in SCALES), "comment")
_SCREEN = 5000
"""Characters of the next and previous dialogues that are sent ahead."""
_HELP = (
    ("D P M E", "choose a scale: doctor, patient, measurement, empathy"),
    ("1 … 9", "rate it"),
    ("0", "rate it 10"),
    ("C", "open the case and go to it; from there, to the dialogue: the arrow keys scroll it"),
    ("T Shift+T", "mark a turn: the next one, the previous one"),
    ("1 … 9", "while a turn's marks are open: give the mark, or take it off"),
    ("Esc", "close them: digits rate again"),
    ("Enter", "submit"),
    ("Ctrl+Enter", "submit, from a text field too"),
    ("J K", "next, previous dialogue"),
    ("S", "skip"),
    ("F", "flag, with a reason"),
    ("?", "this list"),
)


@dataclass(frozen=True)
class Laid:
    """A dialogue prepared for its rater."""

    rated: RatedDialogue
    case: Case


def draw_rating_desk(here: Here, study: Study) -> None:
    """The reviewer's view: the next dialogue of their queue, or the end."""

    def lay_out(item: str) -> Laid:
        rated = tasks.blinded_dialogue_for_rater(queries.load_dialogue(here.store, item))
        case = queries.load_case(
            here.store, queries.item_id_made_from_name(study.dataset, rated.case)
        )
        return Laid(rated, case)

    desk = desk_view.open_desk(here, study.realism, study.dataset, lay_out)
    if desk.item is None:
        desk_view.draw_end(here, desk, done="rated", things="dialogues")
        return
    st.html(CASE_STYLE + BAR_STYLE + _STYLE)
    content, status = desk_view.draw_desk_bar_and_return_content_and_status(desk, thing="dialogue")
    with content:
        with st.container(key="who_played"):  # always there, so that nothing below it moves
            diagnosis_check.draw_who_played_on_request(here, desk)
        if visit_start_and_existing_visits.warn_and_say_if_viewer_must_not_see_item(
            here, study, desk.item
        ):
            return
        left, middle, right = st.columns([5, 8, 6], gap="medium")
        with left, st.container(key="scroll-case"):
            st.subheader("Case", anchor=False)
            transcript_and_case_view.draw_folded_case(desk.laid.case, key="desk")
        with middle, st.container(key="scroll-talk"):
            _talk(desk, status)
        with right, st.container(key="scroll-rate"):
            _scales(desk, status)


# -- the conversation ------------------------------------------------------------------------------


@st.fragment
def _talk(desk: Desk, status: Any) -> None:
    with desk.turn:
        if desk.item is None:
            st.rerun()
        data = _talk_data(desk)
    st.subheader("Dialogue", anchor=False, help="To mark a turn, press Mark beside it, or T.")
    draw_conversation(data, key=f"{_TASK}.talk", on_message=partial(_marked, desk))
    desk_view.finish_fragment(desk, status)


def _talk_data(desk: Desk) -> TalkData:
    return {
        "kind": "talk",
        "key": desk.handle_of_current_item,
        "turns": transcript_and_case_view.turns_as_browser_data(
            desk.laid.rated.turns,
            notes=notes_by_turn_if_no_diagnosis_follows(desk.laid.rated.turns),
        ),
        "marking": {
            "kinds": [
                {
                    "id": mark.id,
                    "name": mark.name,
                    "hint": mark.hint,
                    "turns": [
                        turn.n for turn in desk.laid.rated.turns if turn.speaker in mark.speakers
                    ],
                }
                for mark in MARKS
            ],
            "marks": desk.body["marks"],
            "rev": desk.revision,
            "ack": desk.taken.get("marks", ""),
            "session": desk.session,
        },
        "ahead": _ahead(desk),
    }


def notes_by_turn_if_no_diagnosis_follows(turns: Sequence[Turn]) -> transcript_and_case_view.Notes:
    """Below the last turn, that no diagnosis follows: a dialogue can end without one."""
    if not turns or any(turn.kind == "diagnosis" for turn in turns):
        return {}
    return {
        turns[-1].n: [transcript_and_case_view.Note("The dialogue ends here, without a diagnosis.")]
    }


def _marked(desk: Desk, sent: Any) -> None:
    given = parse_browser_message_or_none(Marked, sent)
    if given is not None:
        save_marks_from_browser(desk, given)


def save_marks_from_browser(desk: Desk, given: Marked) -> None:
    """Save the marks that the browser sent, once, on the dialogue they were sent for."""
    with desk.turn:
        if given.token != desk.taken.get("marks"):
            desk.taken["marks"] = given.token
            _keep(desk, given)


def _keep(desk: Desk, given: Marked) -> None:
    marks = [one.model_dump() for one in given.marks]
    item = desk.find_item_of_message(given.key)
    if item is None:
        return
    base = None
    if given.session != desk.session:
        # Made before this session began, for example before the server restarted: do not overwrite
        # what was saved since, perhaps in another tab, but ask.
        base = given.base
        if item == desk.item and marks != desk.body["marks"]:
            desk.revision = base
    if not desk.change_answer_of_item_and_say_if_done(item, base, marks=marks):
        del desk.taken["marks"]


def _ahead(desk: Desk) -> Ahead:
    """The first turns of the next and previous dialogues in the rater's queue."""
    places, moves, wanted = desk.queue.places, list[AheadMove](), dict[str, str]()
    for key, button, at in (
        ("j", "next", desk.position_in_queue + 1),
        ("k", "previous", desk.position_in_queue - 1),
    ):
        if 0 <= at < len(places):
            wanted[places[at].item] = to = desk.browser_handle_of_item(places[at].item)
            moves.append({"key": key, "button": f"st-key-{_TASK}-{button}", "to": to})
    turns = dialogue_list.first_turns_by_dialogue(desk.store, list(wanted), most=_SCREEN)
    sent = {
        wanted[item]: transcript_and_case_view.turns_as_browser_data(turns[item]) for item in turns
    }
    return {"moves": moves, "turns": sent}


# -- the scales ------------------------------------------------------------------------------------


@st.fragment
def _scales(desk: Desk, status: Any) -> None:
    if desk.item is None:
        st.rerun()
    rated: RatedDialogue = desk.laid.rated
    st.subheader(
        "Realism",
        anchor=False,
        help="1 is the worst, 10 the best. Keys: D, P, M, E choose a scale, 1 to 9 and 0 (ten) "
        "rate it; C opens the case, Enter submits, J and K move, S skips.",
    )
    draw_answer_form(desk, _fields(rated), values=_values, change=_change)
    draw_button_for_list_of_keys(_HELP, key="rate.help")
    desk_view.finish_fragment(desk, status)


def _fields(rated: RatedDialogue) -> list[FieldData]:
    """Each scale with its comment, and the comment on the whole."""
    fields: list[FieldData] = []
    for scale in SCALES:
        unused = scale == "measurement" and not rated.has_measurement
        extra = " Nothing was measured, so leave this empty." if unused else ""
        fields += [
            {
                "id": scale,
                "kind": "choice",
                "letter": scale[0],
                "label": scale.capitalize(),
                "hint": SCALE_QUESTIONS[scale] + extra,
                "options": _SCORES,
                "ends": _ENDS[scale],
                "needed": not unused,
            },
            {
                "id": f"{scale}_comment",
                "kind": "text",
                "label": "",
                "lines": 1,
                "placeholder": f"Comment on {scale}",
            },
        ]
    fields.append(
        {
            "id": "comment",
            "kind": "text",
            "label": "",
            "lines": 1,
            "placeholder": "Comment on the dialogue as a whole",
        }
    )
    return fields


def _values(body: Mapping[str, Any]) -> Values:
    scores = {scale: str(body[scale]) if body[scale] else None for scale in SCALES}
    return scores | {name: str(body[name]) for name in _COMMENTS}


def _change(_body: Mapping[str, Any], said: Values) -> Mapping[str, Any]:
    scores = {
        scale: int(score) if score in _SCORED else None
        for scale, score in said.items()
        if scale in SCALES
    }
    return scores | {name: text or "" for name, text in said.items() if name in _COMMENTS}
