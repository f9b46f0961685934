"""Rating a dialogue: the case, the conversation whose turns can be marked, four scales by keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from medlens.agentclinic import listing, queries, tasks
from medlens.agentclinic.models import Case, Turn
from medlens.agentclinic.study import Study
from medlens.agentclinic.tasks import MARKS, SCALE_QUESTIONS, SCALES, Mark, RatedDialogue, Scale
from medlens.review import judging
from medlens.store import new_id
from medlens.ui import Here, desk_view
from medlens.ui.agentclinic import play_begin, presses, reveal, transcript
from medlens.ui.agentclinic.conversation import Ahead, AheadMove, TalkData, conversation
from medlens.ui.agentclinic.conversation.messages import parse_marked
from medlens.ui.agentclinic.transcript import CASE_STYLE
from medlens.ui.desk import Desk
from medlens.ui.desk_view import LINE_STYLE
from medlens.ui.frame import words
from medlens.ui.keys_help import keys_help

_TASK = tasks.REALISM
_STYLE = """
<style>
  [class*="st-key-scale-"] { gap: 0.15rem; padding: 0.25rem 0 0.35rem 0.6rem;
    border-left: 3px solid transparent; }
  [class*="st-key-scale-on-"] { border-left-color: #2b7f9e; }
  [class*="st-key-scale-"] p { line-height: 1.35; }
  [class*="st-key-scale-"] [data-testid="stButtonGroup"] button {
    min-width: 0; padding: 0.1rem 0.45rem; min-height: 2rem; font-variant-numeric: tabular-nums; }
  /* The next dialogue is shown, and the server has not put it up yet: what is here is not its. */
  .stMain:has(.mlc.is-turning) :is(.st-key-scroll-case, .st-key-scroll-rate) * {
    visibility: hidden !important; }
  .stMain:has(.mlc.is-turning) :is(.st-key-dialogue_realism-submit, .st-key-dialogue_realism-skip,
    .st-key-work-line [data-testid="stPopover"]) { pointer-events: none; }
</style>
"""
_LETTERS: dict[str, Scale] = {scale[0]: scale for scale in SCALES}
_ACK = f"{_TASK}.ack"
_SCREEN = 5000
"""Characters of the dialogues before and behind that are sent ahead."""
_LIVE = "600ms"
_HELP = (
    ("D P M E", "choose a scale: doctor, patient, measurement, empathy"),
    ("1 … 9", "rate it"), ("0", "rate it 10"), ("Enter", "submit"),
    ("J K", "next, previous dialogue"), ("S", "skip"), ("F", "flag, with a reason"),
    ("?", "this list"),
)  # fmt: skip


@dataclass(frozen=True)
class Laid:
    """A dialogue laid out for its rater."""

    rated: RatedDialogue
    case: Case


def draw(here: Here, study: Study) -> None:
    """The reviewer's view: the next dialogue of their queue, or the end."""

    def lay_out(item: str) -> Laid:
        rated = tasks.for_rater(queries.dialogue(here.store, item))
        case = queries.case(here.store, queries.item_id(study.dataset, rated.case))
        return Laid(rated, case)

    desk = desk_view.open_desk(here, study.realism, study.dataset, lay_out)
    if desk.item is None:
        desk_view.draw_end(desk, done="rated", things="dialogues")
        return
    st.html(CASE_STYLE + LINE_STYLE + _STYLE)
    status = desk_view.draw_line(desk, thing="dialogue")
    reveal.draw_reveal(here, desk)
    if play_begin.in_the_way(here, study, desk.item):
        return
    left, middle, right = st.columns([5, 8, 6], gap="medium")
    with left, st.container(key="scroll-case"):
        st.markdown("##### Case")
        transcript.draw_case(desk.laid.case, key="desk")
    with middle, st.container(key="scroll-talk"):
        _talk(desk, status)
    with right, st.container(key="scroll-rate"):
        _scales(desk, status)


# -- the conversation ------------------------------------------------------------------------------


@st.fragment
def _talk(desk: Desk, status: Any) -> None:
    if desk.item is None:
        st.rerun()
    st.markdown("##### Dialogue", help="Press a turn's head to mark the turn.")
    data: TalkData = {
        "kind": "talk", "key": desk.item,
        "turns": transcript.turns_data(desk.laid.rated.turns),
        "marking": {
            "kinds": [
                {"id": mark.id, "name": mark.name, "hint": mark.hint,
                 "turns": [t.n for t in desk.laid.rated.turns if _fits(mark, t, desk.laid.rated)]}
                for mark in MARKS
            ],
            "marks": desk.body["marks"], "rev": desk.revision,
            "ack": st.session_state.get(_ACK, ""), "session": _session(),
        },
        "ahead": _ahead(desk),
    }  # fmt: skip
    conversation(data, key=f"{_TASK}.talk", on_message=partial(_marked, desk))
    desk_view.finish(desk, status)


def _marked(desk: Desk, sent: Any) -> None:
    """Keep the marks that the browser sent, on the dialogue that it sent them for."""
    given = parse_marked(sent)
    if given is None:
        return
    st.session_state[_ACK] = given.token
    if given.key not in {place.item for place in desk.queue.places}:
        return
    if given.session != _session():
        # Made before this session began, as when the server was started anew: what was saved
        # since, maybe by another tab, is not written over but shown.
        if given.key != desk.item:
            return
        if given.marks != desk.body["marks"]:
            desk.revision = given.base
    desk.change_of(given.key, marks=given.marks)


def _session() -> str:
    found: str = st.session_state.setdefault(f"{_TASK}.session", new_id())
    return found


def _ahead(desk: Desk) -> Ahead:
    """The first turns of the dialogues before and behind this one in the rater's queue."""
    places, moves = desk.queue.places, list[AheadMove]()
    for key, button, at in (("j", "next", desk.at + 1), ("k", "previous", desk.at - 1)):
        if 0 <= at < len(places):
            moves.append({"key": key, "button": f"st-key-{_TASK}-{button}", "to": places[at].item})
    turns = listing.openings(desk.store, [move["to"] for move in moves], most=_SCREEN)
    return {
        "moves": moves, "turns": {item: transcript.turns_data(turns[item]) for item in turns}
    }  # fmt: skip


def _fits(mark: Mark, turn: Turn, rated: RatedDialogue) -> bool:
    if turn.speaker not in mark.speakers:
        return False
    given = {"doctor": rated.doctor_bias, "patient": rated.patient_bias}
    return mark.about != "bias" or bool(given[turn.speaker])


def _comment(label: str, key: str, value: str, save: Callable[[str], None]) -> None:
    desk_view.seed(key, value)
    st.text_input(
        label, key=key, placeholder=label, label_visibility="collapsed", max_chars=2000,
        live=_LIVE, on_change=lambda: save(str(st.session_state[key])),
    )  # fmt: skip


# -- the scales ------------------------------------------------------------------------------------


@st.fragment
def _scales(desk: Desk, status: Any) -> None:
    if desk.item is None:
        st.rerun()
    rated: RatedDialogue = desk.laid.rated
    biased = [
        f"{side} {words(bias.replace('_', ' '))}"
        for side, bias in (("doctor", rated.doctor_bias), ("patient", rated.patient_bias)) if bias
    ]  # fmt: skip
    st.markdown(
        "##### Realism",
        help="1 is the worst, 10 the best. Keys: D, P, M, E choose a scale, 1 to 9 and 0 (ten) "
        "rate it; Enter submits, J and K move, S skips.",
    )
    if biased:
        st.caption(f"Told to be biased: {', '.join(biased)}.")
    for scale in SCALES:
        _scale(desk, scale, _active(desk, desk.item))
    item = desk.item
    _comment("Comment on the whole", f"{_TASK}.comment.{item}", desk.body["comment"],
             lambda text: desk.change_of(item, comment=text))  # fmt: skip
    keys_help(_HELP, key="rate.help")
    with st.container(key="keys.rate"):
        presses.hear(desk, [*"1234567890", *_LETTERS], partial(_press, desk), key=f"{_TASK}.keys")
    desk_view.finish(desk, status)


def _active(desk: Desk, item: str) -> Scale:
    """The scale that the digits rate: the one chosen, else the first without a score."""
    chosen = st.session_state.get(f"{_TASK}.active.{item}")
    body = _body(desk, item)
    for scale in SCALES:
        if chosen == scale or (chosen is None and body[scale] is None):
            return scale
    return SCALES[0]


def _body(desk: Desk, item: str) -> dict[str, Any]:
    """The answer as it stands, also where the dialogue has left the desk since."""
    if item == desk.item:
        return desk.body
    held = judging.draft(desk.store, desk.task, item=item, rater=desk.rater.id)
    found: dict[str, Any] = (held.value or desk.task.value()).model_dump(mode="json")
    return found


def _scale(desk: Desk, scale: Scale, active: Scale) -> None:
    on = "on" if scale == active else "off"
    with st.container(key=f"scale.{on}.{scale}"):
        unused = scale == "measurement" and not desk.laid.rated.has_measurement
        extra = " Nothing was measured: leave it empty." if unused else ""
        st.markdown(f"**{scale.capitalize()}** {SCALE_QUESTIONS[scale]}{extra}")
        item = desk.item or ""
        key = presses.widget(f"{_TASK}.{scale}.{item}")
        desk_view.seed(key, desk.body[scale])
        st.segmented_control(
            scale.capitalize(), range(1, 11), key=key, label_visibility="collapsed", wrap=True,
            on_change=lambda: _rate(desk, item, scale, st.session_state[key]),
        )  # fmt: skip
        field = f"{scale}_comment"
        _comment(f"Comment on {scale}", f"{_TASK}.{field}.{item}", desk.body[field],
                 lambda text: desk.change_of(item, **{field: text}))  # fmt: skip


def _rate(desk: Desk, item: str, scale: Scale, score: int | None) -> None:
    """Rate the dialogue that was shown when this was pressed, and no other."""
    desk.change_of(item, **{scale: score})
    # The digits go on to the next scale without a score, if there is one.
    body = _body(desk, item)
    _choose(desk, item, next((one for one in SCALES if body[one] is None), scale))


def _press(desk: Desk, item: str, key: str) -> None:
    """Do what a key asks for the dialogue that was shown."""
    if key.isdecimal():
        scale = _active(desk, item)
        presses.changed(f"{_TASK}.{scale}.{item}")
        _rate(desk, item, scale, int(key) or 10)
    else:
        _choose(desk, item, _LETTERS[key])


def _choose(desk: Desk, item: str, scale: Scale) -> None:
    st.session_state[f"{_TASK}.active.{item}"] = scale
