"""Answering the questionnaire: a question at a time, by keys; then a guess where one did not know.

What is right is not on the page, nor anywhere in what is sent, until the whole is handed in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from medlens.ebmqa import questionnaire, tasks
from medlens.ebmqa.models import IDK
from medlens.ebmqa.questionnaire import Progress
from medlens.ebmqa.study import Study
from medlens.review import items
from medlens.store import utc_now
from medlens.ui import Here, address, desk_view
from medlens.ui.desk import Desk
from medlens.ui.desk_view import LINE_STYLE
from medlens.ui.ebmqa import questionnaire_results
from medlens.ui.ebmqa.questionnaire_options import STYLE, option_button, said_of
from medlens.ui.frame import escape

_TASK = tasks.NAME
_AGAIN, _SAVED = f"{_TASK}.again", f"{_TASK}.saved"


def draw(here: Here, study: Study) -> None:
    """The next question of the person's questionnaire, or how it went."""
    state = questionnaire.progress(here.store, study.dataset, here.person.id)
    if not state.total:
        _none(here, study)
        return
    if state.handed_in:
        questionnaire_results.draw(here, study)
        return
    task = tasks.ebmqa_answer()

    def lay_out(item: str) -> Mapping[str, Any]:
        # What an item holds of a question; what is right is not in it.
        return items.body_of(here.store, item)

    desk = desk_view.open_desk(here, task, study.dataset, lay_out)
    st.html(LINE_STYLE + STYLE)
    if questionnaire.has_looked(here.store, study.dataset, here.person.id):
        st.caption(
            "You have seen the right answers to some of these questions before. Please answer"
            " anyway; this is noted beside your results."
        )
    _draw_round(here, study, desk, state)
    if here.person.role == "lead":
        questionnaire_results.draw_for_lead(here, study)


def _draw_round(here: Here, study: Study, desk: Desk, state: Progress) -> None:
    begun = len(state.to_guess) < len(state.unknown)
    again = st.session_state.get(_AGAIN, "")
    if state.answered < state.total or (again == "answers" and not begun):
        _first_round(desk, state)
    elif state.to_guess and not begun and again != "guesses":
        _between(desk, state)
    elif state.to_guess or again == "guesses":
        _second_round(desk, state)
    else:
        _last(here, study, desk, state, begun=begun)


def _none(here: Here, study: Study) -> None:
    with st.container(key="middle"):
        if here.person.role != "lead":
            st.info("There is no questionnaire yet. A lead can draw one.", icon=":material/inbox:")
            return
        st.subheader("Draw the questionnaire", anchor=False)
        st.markdown(
            "Numeric questions, drawn at random, that your team answers here: first with"
            f" “{IDK}” among the options, then with a guess. Afterwards people and models are"
            " compared on them. From then on reviewers see models' answers to these questions only"
            " after handing theirs in, so draw it before they explore."
        )
        if seen := questionnaire.who_looked(here.store, study.dataset):
            st.caption(
                f"These people have seen right answers already: {escape(', '.join(seen))}. This is"
                " noted beside their results."
            )
        number = st.number_input(
            "Questions", min_value=1, value=questionnaire.NUMBER, key=f"{_TASK}.number"
        )
        seed = st.number_input(
            "Seed",
            min_value=0,
            value=questionnaire.SEED,
            key=f"{_TASK}.seed",
            help="The same seed draws the same questions.",
        )
        if st.button("Draw", type="primary", key=f"{_TASK}.draw"):
            with here.errors():
                questionnaire.draw(
                    here.store, study.dataset, number=int(number), seed=int(seed), by=here.person
                )
                st.rerun()


# -- first round: with "I do not know" ------------------------------------------------------------


def _first_round(desk: Desk, state: Progress) -> None:
    if desk.item is None:
        desk.open(desk.queue.places[0].name if desk.queue.places else "")
    if desk.item is None:
        st.info("No question could be loaded for you. Reload the page.")
        return
    again = state.answered >= state.total
    _line(
        desk,
        f"Question {desk.at + 1} of {state.total}",
        state.answered / state.total,
        back=lambda: desk.step(-1),
        on=lambda: desk.step(1),
        first=desk.at <= 0,
        last=desk.at + 1 >= len(desk.queue.places)
        and (again or desk.place is None or desk.place.state == "open"),
    )
    chosen = desk.body["answer"]
    with st.container(key="question"):
        _question(desk)
        for place, text in enumerate(desk.laid["options"]):
            _option(desk, place, text, [place], on=chosen == [place])
        _option(desk, len(desk.laid["options"]), IDK, [], on=chosen == [])
        if not state.answered:
            st.caption(
                "Choose one by touch, by mouse, or by its number. It is saved at once, and the next"
                f" question appears. Say “{IDK}” if you do not; you will guess those afterwards."
            )
        if again:
            st.button(
                "Go on",
                key=f"{_TASK}.on",
                shortcut="Enter",
                type="primary",
                on_click=_look,
                args=("",),
            )


def _option(desk: Desk, place: int, text: str, chosen: Sequence[int], *, on: bool) -> None:
    option_button(
        text,
        f"{_TASK}.answer{place}.{desk.item}",
        _choose,
        (desk, desk.item, list(chosen)),
        shortcut=str(place + 1) if place < 9 else None,
        type="primary" if on else "secondary",
    )


def _choose(desk: Desk, item: str, chosen: list[int]) -> None:
    """Keep the answer, on disk when this returns, and go on to the next question.

    A key pressed twice before the next question is there still means ``item``, and is not taken
    for an answer to a question that nobody has seen.
    """
    with desk.turn:
        if desk.newer is None and desk.item == item:
            _keep_choice(desk, chosen)


def _keep_choice(desk: Desk, chosen: list[int]) -> None:
    at, place = desk.at, desk.place
    if place and place.state == "submitted" and desk.saved and desk.body["answer"] == chosen:
        desk.open()
    else:
        desk.body = {"answer": chosen, "guess": None}
        desk.submit()
        if desk.error is not None:
            return
        _note_saved()
    if desk.place is None and st.session_state.get(_AGAIN) == "answers":
        places = desk.queue.places
        desk.open(places[min(at + 1, len(places) - 1)].name)


def _note_saved() -> None:
    st.session_state[_SAVED] = utc_now()


def _question(desk: Desk) -> None:
    st.text(desk.laid["question"], width="stretch")


def _line(
    desk: Desk, where: str, done: float, *, back: Any, on: Any, first: bool, last: bool
) -> None:
    with st.container(key="work.line", horizontal=True, vertical_alignment="center", wrap=True):
        st.button("Previous", key=f"{_TASK}.previous", shortcut="K", on_click=back, disabled=first)
        st.button("Next", key=f"{_TASK}.next", shortcut="J", on_click=on, disabled=last)
        st.caption(where, width="content")
        with st.container(key="work.status", width="content"):
            status = st.empty()
    before = st.session_state.get(_SAVED)
    if desk.error is None and desk.saved_at is None and before is not None:
        # The question is new, but the one that was just answered is on disk.
        status.caption(f":material/check: saved {desk_view.clock(before)}", width="content")
    else:
        desk_view.draw_status(desk, status)
    desk_view.draw_conflict(desk, lambda places: said_of(desk, places))
    st.progress(done)


# -- second round: a guess for each ---------------------------------------------------------------


def _between(desk: Desk, state: Progress) -> None:
    unknown = len(state.unknown)
    with st.container(key="middle"):
        st.subheader(f"You have answered all {state.total} questions", anchor=False)
        st.markdown(
            f"You knew **{state.total - unknown}** and did not know **{unknown}**. Please guess"
            " those now: choose what seems most likely to you. Your first answers do not change."
        )
        st.button(
            "Continue to the guesses",
            key=f"{_TASK}.guesses",
            type="primary",
            shortcut="Enter",
            on_click=_begin_guesses,
            args=(desk, state.unknown),
        )
        st.button("Review my answers", key=f"{_TASK}.look", on_click=_look_back, args=(desk,))


def _look(what: str) -> None:
    st.session_state[_AGAIN] = what


def _begin_guesses(desk: Desk, unknown: Sequence[str]) -> None:
    _look("guesses")
    desk.open(next(place.name for place in desk.queue.places if place.name in unknown))


def _look_back(desk: Desk) -> None:
    _look("answers")
    desk.open(desk.queue.places[0].name)


def _second_round(desk: Desk, state: Progress) -> None:
    order = [place.name for place in desk.queue.places if place.name in state.unknown]
    name = desk.place.name if desk.place else ""
    if name not in order:
        name = next((one for one in order if one in state.to_guess), order[0])
        desk.open(name)
        address.go(item=name)
    at = order.index(name)

    def go(to: int) -> None:
        if to < len(order):
            desk.open(order[to])
        else:
            _look("")

    _line(
        desk,
        f"Guess {at + 1} of {len(order)}",
        1 - len(state.to_guess) / len(order),
        back=lambda: go(at - 1),
        on=lambda: go(at + 1),
        first=at == 0,
        last=at + 1 == len(order) and bool(state.to_guess),
    )
    with st.container(key="question"):
        _question(desk)
        st.caption(f"You answered “{IDK}”. What seems most likely?")
        for place, text in enumerate(desk.laid["options"]):
            option_button(
                text,
                f"{_TASK}.guess{place}.{desk.item}",
                _guess,
                (desk, desk.item, place, order, at, state.to_guess),
                shortcut=str(place + 1) if place < 9 else None,
                type="primary" if desk.body["guess"] == [place] else "secondary",
            )


def _guess(
    desk: Desk, item: str, place: int, order: Sequence[str], at: int, to_guess: Sequence[str]
) -> None:
    """Keep the guess, and go on to the next one that is wanted."""
    with desk.turn:
        if desk.newer is None and desk.item == item:
            _keep_guess(desk, place, order, at, to_guess)


def _keep_guess(
    desk: Desk, place: int, order: Sequence[str], at: int, to_guess: Sequence[str]
) -> None:
    if desk.body["guess"] != [place] or not desk.saved:
        desk.body = desk.body | {"guess": [place]}
        desk.submit()
        if desk.error is not None:
            return
        _note_saved()
    left = [one for one in (*order[at + 1 :], *order[:at]) if one in to_guess]
    if not to_guess:
        left = list(order[at + 1 :])
    if left:
        desk.open(left[0])
    else:
        _look("")


# -- the end --------------------------------------------------------------------------------------


def _last(here: Here, study: Study, desk: Desk, state: Progress, *, begun: bool) -> None:
    with st.container(key="middle"):
        st.subheader("You have answered everything", anchor=False)
        guessed = f", **{len(state.unknown)}** of them by a guess" if state.unknown else ""
        st.markdown(
            f"**{state.total}** questions{guessed}. Hand them in to see which were right; after"
            " that they cannot be changed."
        )
        if st.button("Hand in", key=f"{_TASK}.hand_in", type="primary", shortcut="Enter"):
            with here.errors():
                questionnaire.hand_in(here.store, study.dataset, here.person.id)
                address.go(item="")
                st.rerun()
        if begun:
            st.button("Review my guesses", key=f"{_TASK}.look", on_click=_look, args=("guesses",))
        else:
            st.button("Review my answers", key=f"{_TASK}.look", on_click=_look_back, args=(desk,))
