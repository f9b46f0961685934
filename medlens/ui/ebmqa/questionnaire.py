"""Answering the questionnaire: one question at a time, by keys; then a guess for each unknown.

The right answers are neither on the page nor in anything sent until the whole is handed in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from medlens.review import items, practice
from medlens.review.assignment import QueuePlace
from medlens.studies.ebmqa import questionnaire, tasks
from medlens.studies.ebmqa.answers import answer_and_questionnaire_queries
from medlens.studies.ebmqa.questionnaire import QuestionnaireProgress
from medlens.studies.ebmqa.records import IDK, LABELS
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.ui import Here, dataset_choice_and_round_controls, desk_bar, desk_view, page_address
from medlens.ui.answer_form import FieldData, OptionData, Values, draw_answer_form
from medlens.ui.conflict_between_tabs import draw_choice_between_two_tabs
from medlens.ui.desk import Desk
from medlens.ui.desk_bar import BAR_STYLE
from medlens.ui.ebmqa import questionnaire_results
from medlens.ui.keyboard_help import draw_button_for_list_of_keys
from medlens.ui.page_frame import escape_markdown
from medlens.ui.styles import read_style_sheet

_TASK = tasks.NAME
_AGAIN = f"{_TASK}.again"
_STYLE = read_style_sheet("ebmqa_questionnaire")
_HELP = (
    ("1 … 9", "choose the option: it is saved at once, and the next question comes"),
    ("J K", "next, previous question"),
    ("F", "flag, with a reason"),
    ("?", "this list"),
)


@dataclass(kw_only=True)
class QuestionDesk(Desk):
    """A desk where choosing an option submits it at once.

    ``onward`` moves to the next question; ``where`` is the place of this one, in words.
    """

    onward: Callable[[], None] = lambda: None
    where: str = ""

    def change_answer_of_item_and_say_if_done(
        self, item: str, base: int | None = None, /, **fields: Any
    ) -> bool:
        """As ``Desk``'s, but ignores a question that left the desk: the next is not seen yet."""
        return (
            super().change_answer_of_item_and_say_if_done(item, base, **fields)
            if item == self.item
            else True
        )

    def submit_and_move_on(self) -> None:
        """Submit the answer and move on; an answer already submitted is not submitted again."""
        with self.turn:
            if self.newer is None and self.error is None and self._stands():
                self._go_on()
            else:
                super().submit_and_move_on()

    def overwrite_other_tabs_answer(self) -> None:
        """Submit this answer over what the other tab submitted."""
        super().overwrite_other_tabs_answer()
        if self.error is None:
            self.submit_and_move_on()

    def _stands(self) -> bool:
        place = self.queue_entry_of_current_item
        if place is None or place.state != "submitted":
            return False
        standing = answer_and_questionnaire_queries.list_question_names_and_answer_json_of_person(
            self.store, self.dataset, self.rater.id
        )
        return any(n == place.name and json.loads(body) == self.body for n, body in standing)

    def _called(self, place: QueuePlace) -> str:
        # Guesses are counted anew.
        return self.where or super()._called(place)

    def _go_on(self) -> None:
        self._note_left("submit")
        said = self.left_behind
        self.onward()
        self.left_behind = said


def draw_next_question_or_results(here: Here, study: Study) -> None:
    """The next question of the person's questionnaire, or their results."""
    state = questionnaire.questionnaire_progress(here.store, study.dataset, here.person.id)
    if not state.total:
        _none(here, study)
        return
    if state.handed_in and not state.sent_back:
        questionnaire_results.draw_own_and_everyones_results(here, study)
        return
    task = tasks.QuestionnaireTask()

    def lay_out(item: str) -> Mapping[str, Any]:
        # The body of an item is only the question; the right answer is not in it.
        return items.item_body(here.store, item)

    desk = desk_view.open_desk(here, task, study.dataset, lay_out, kind=QuestionDesk)
    assert isinstance(desk, QuestionDesk)
    st.html(BAR_STYLE + _STYLE)
    if questionnaire.has_seen_correct_answers(here.store, study.dataset, here.person.id):
        st.caption(
            "You have seen the right answers to some of these questions before. Please answer"
            " anyway; this is noted beside your results."
        )
    if not _practise(
        desk
    ) and not dataset_choice_and_round_controls.draw_page_and_say_if_practice_not_passed(desk):
        _draw_round(here, study, desk, state)
    if here.person.role == "lead":
        questionnaire_results.draw_everyones_results(here, study)


def _asked(desk: QuestionDesk) -> list[QueuePlace]:
    """The questions of the questionnaire in the person's order, without practice ones."""
    apart = practice.load_practice_explanations_by_item_id(desk.store, desk.task.name, desk.dataset)
    return [place for place in desk.queue.places if place.item not in apart]


def _practise(desk: QuestionDesk) -> bool:
    """The next practice question; False if none is left."""
    apart = practice.load_practice_explanations_by_item_id(desk.store, desk.task.name, desk.dataset)
    places = [place for place in desk.queue.places if place.item in apart]
    left = [place for place in places if place.state not in ("submitted", "flagged")]
    if not left:
        return False
    if desk.item not in apart:
        desk.put_item_of_queue_place_on_desk(left[0])
        page_address.set_values_in_address(item=desk.handle_of_current_item)
    at = next(n for n, place in enumerate(places) if place.item == desk.item)

    def go(to: int) -> None:
        if not desk.save_before_leaving_and_say_if_free():
            return
        desk.put_item_of_queue_place_on_desk(places[to])

    content = _open_page(
        desk,
        f"Practice {at + 1} of {len(places)}",
        1 - len(left) / len(places),
        back=lambda: go(at - 1),
        on=lambda: go(at + 1),
        first=at == 0,
        last=at + 1 == len(places),
    )
    desk.onward = lambda: Desk._go_on(desk)
    with content, st.container(key="question"):
        _question(desk)
        _options(desk, "answer", [*desk.laid["options"], IDK])
    return True


def _draw_round(here: Here, study: Study, desk: QuestionDesk, state: QuestionnaireProgress) -> None:
    begun = len(state.to_guess) < len(state.unknown)
    again = st.session_state.get(_AGAIN, "")
    if state.count_of_done_questions < state.total or (again == "answers" and not begun):
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
        st.header("Draw the questionnaire", anchor=False)
        st.markdown(
            "Numeric questions, drawn at random, that your team answers here: first with"
            f" “{IDK}” among the options, then with a guess. Afterwards people and models are"
            " compared on them. From then on reviewers see models' answers to these questions only"
            " after handing theirs in, so draw it before they explore."
        )
        if seen := questionnaire.list_who_has_seen_correct_answers(here.store, study.dataset):
            st.caption(
                "These people have seen right answers already: "
                f"{escape_markdown(', '.join(seen))}. This is"
                " noted beside their results."
            )
        groups = answer_and_questionnaire_queries.count_numeric_questions_by_group(
            here.store, study.dataset
        )
        among = st.selectbox(
            "Among",
            [None, *groups],
            format_func=lambda one: (
                "all numeric questions"
                if one is None
                else f"{LABELS.get(one[0], one[0])}: {one[1]} ({groups[one]:,})"
            ),
            key=f"{_TASK}.among",
            help="Labels, and further columns of the questions' file, with few values",
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
        practised = st.number_input(
            "Extra questions for practice",
            min_value=0,
            value=0,
            key=f"{_TASK}.practice",
            help="Everyone answers these first and sees what was right. They do not count.",
        )
        if st.button("Draw", type="primary", key=f"{_TASK}.draw"):
            with here.show_errors_within():
                questionnaire.sample_questionnaire_and_count_added(
                    here.store,
                    study.dataset,
                    number=int(number),
                    seed=int(seed),
                    practice=int(practised),
                    among=among,
                    by=here.person,
                )
                st.rerun()


# -- first round: with "I do not know" ------------------------------------------------------------


def _first_round(desk: QuestionDesk, state: QuestionnaireProgress) -> None:
    places = _asked(desk)
    at = next((n for n, place in enumerate(places) if place.item == desk.item), -1)
    if at < 0:
        # At the start, or after a practice question, which is over.
        desk.put_item_of_queue_place_on_desk(
            places[0]
        ) if places else desk.open_named_or_next_item()
        page_address.set_values_in_address(item=desk.handle_of_current_item if places else "")
        at = 0
    if desk.item is None or not places:
        st.info("No question could be loaded for you. Reload the page.")
        return
    again = state.count_of_done_questions >= state.total
    content = _open_page(
        desk,
        f"Question {at + 1} of {state.total}",
        state.count_of_done_questions / state.total,
        back=lambda: desk.go_by_steps_in_queue(-1),
        on=lambda: desk.go_by_steps_in_queue(1),
        first=at <= 0,
        last=at + 1 >= len(places)
        and (
            again
            or desk.queue_entry_of_current_item is None
            or desk.queue_entry_of_current_item.state == "open"
        ),
    )
    desk.onward = lambda: _next_answer(desk)
    with content, st.container(key="question"):
        _question(desk)
        _options(desk, "answer", [*desk.laid["options"], IDK])
        if not state.count_of_done_questions:
            st.caption(
                "Choose one by touch, by mouse, or by its number. It is saved at once, and the next"
                f" question appears. Say “{IDK}” if you do not; you will guess those afterwards."
                " Flag a question that is faulty: it need not be answered, and then does not count."
            )
        if again:
            st.button(
                "Continue",
                key=f"{_TASK}.on",
                shortcut="Enter",
                type="primary",
                on_click=_look,
                args=("",),
            )


def _options(desk: QuestionDesk, round_: str, names: Sequence[str]) -> None:
    """The options; choosing one saves it as the answer or guess at once."""
    options: list[OptionData] = []
    for place, name in enumerate(names):
        option: OptionData = {"value": str(place), "name": name}
        if place < 9:
            option["key"] = str(place + 1)
        options.append(option)
    field: FieldData = {
        "id": round_,
        "kind": "choice",
        "label": "",
        "options": options,
        "submits": True,
    }
    draw_answer_form(
        desk, [field], values=partial(_values, desk), change=partial(_change, desk, round_)
    )
    draw_button_for_list_of_keys(_HELP, key="ebmqa.help")


def _values(desk: QuestionDesk, body: Mapping[str, Any]) -> Values:
    unknown = str(len(desk.laid["options"]))
    return {
        name: None if places is None else str(places[0]) if places else unknown
        for name, places in body.items()
    }


def _change(
    desk: QuestionDesk, round_: str, _body: Mapping[str, Any], said: Values
) -> dict[str, Any]:
    chosen = said.get(round_)
    if chosen is None or not chosen.isdecimal() or len(chosen) > 3:
        return {}
    place, known = int(chosen), len(desk.laid["options"])
    if round_ == "guess":
        return {"guess": [place]} if place < known else {}
    if place > known:
        return {}
    return {"answer": [place] if place < known else [], "guess": None}


def _next_answer(desk: QuestionDesk) -> None:
    places, before = _asked(desk), desk.item
    Desk._go_on(desk)
    if desk.queue_entry_of_current_item is None and st.session_state.get(_AGAIN) == "answers":
        at = next((n for n, place in enumerate(places) if place.item == before), -1)
        desk.put_item_of_queue_place_on_desk(places[min(at + 1, len(places) - 1)])


def _said(desk: QuestionDesk, places: Sequence[int] | None) -> str:
    """An answer as text for the page."""
    if places is None:
        return "nothing"
    return ", ".join(f"“{desk.laid['options'][place]}”" for place in places) or f"“{IDK}”"


def _question(desk: QuestionDesk) -> None:
    st.text(desk.laid["question"], width="stretch")


def _open_page(
    desk: QuestionDesk, where: str, done: float, *, back: Any, on: Any, first: bool, last: bool
) -> Any:
    """The desk's bar, without Skip and Submit; returns the container for what stands above it."""
    content = st.container(key="desk_content")
    desk.where = where.partition(" of ")[0]
    status = desk_bar.draw_desk_bar_and_return_placeholder(
        desk,
        thing="question",
        place=where,
        back=None if first else back,
        onward=None if last else on,
        state=desk_bar.what_was_done_with_item_in_words(desk),
    )
    desk_view.redraw_saved_status(desk, status)
    with content:
        draw_choice_between_two_tabs(desk, lambda places: _said(desk, places))
        st.progress(done)
    return content


# -- second round: a guess for each ---------------------------------------------------------------


def _between(desk: QuestionDesk, state: QuestionnaireProgress) -> None:
    unknown = len(state.unknown)
    with st.container(key="middle"):
        st.header(f"You have been through all {state.total} questions", anchor=False)
        st.markdown(
            f"You knew **{state.answered - unknown}** and did not know **{unknown}**."
            f"{_flagged(state)} Please guess"
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


def _flagged(state: QuestionnaireProgress) -> str:
    if not state.flagged:
        return ""
    return f" You flagged **{state.flagged}** without an answer, which will not count."


def _look(what: str) -> None:
    st.session_state[_AGAIN] = what


def _begin_guesses(desk: QuestionDesk, unknown: Sequence[str]) -> None:
    _look("guesses")
    desk.put_item_of_queue_place_on_desk(
        next(place for place in desk.queue.places if place.name in unknown)
    )


def _look_back(desk: QuestionDesk) -> None:
    _look("answers")
    desk.put_item_of_queue_place_on_desk(_asked(desk)[0])


def _second_round(desk: QuestionDesk, state: QuestionnaireProgress) -> None:
    places = {one.name: one for one in desk.queue.places if one.name in state.unknown}
    order = list(places)
    name = desk.queue_entry_of_current_item.name if desk.queue_entry_of_current_item else ""
    if name not in order:
        name = next((one for one in order if one in state.to_guess), order[0])
        desk.put_item_of_queue_place_on_desk(places[name])
        page_address.set_values_in_address(item=desk.handle_of_current_item)
    at = order.index(name)

    def go(to: int) -> None:
        if not desk.save_before_leaving_and_say_if_free():
            return
        if to < len(order):
            desk.put_item_of_queue_place_on_desk(places[order[to]])
        else:
            _look("")

    content = _open_page(
        desk,
        f"Guess {at + 1} of {len(order)}",
        1 - len(state.to_guess) / len(order),
        back=lambda: go(at - 1),
        on=lambda: go(at + 1),
        first=at == 0,
        last=at + 1 == len(order) and bool(state.to_guess),
    )

    def onward() -> None:
        left = [one for one in (*order[at + 1 :], *order[:at]) if one in state.to_guess]
        if not state.to_guess:
            left = list(order[at + 1 :])
        if left:
            desk.put_item_of_queue_place_on_desk(places[left[0]])
        else:
            _look("")

    desk.onward = onward
    with content, st.container(key="question"):
        _question(desk)
        st.caption(f"You answered “{IDK}”. What seems most likely?")
        _options(desk, "guess", desk.laid["options"])


# -- the end --------------------------------------------------------------------------------------


def _last(
    here: Here, study: Study, desk: QuestionDesk, state: QuestionnaireProgress, *, begun: bool
) -> None:
    with st.container(key="middle"):
        st.header("You have been through everything", anchor=False)
        guessed = f", **{len(state.unknown)}** of them by a guess" if state.unknown else ""
        st.markdown(
            f"You answered **{state.answered}** questions{guessed}.{_flagged(state)} Hand them in"
            " to see which were right; after that they cannot be changed."
        )
        if st.button("Hand in", key=f"{_TASK}.hand_in", type="primary", shortcut="Enter"):
            with here.show_errors_within():
                questionnaire.submit_whole_questionnaire(here.store, study.dataset, here.person.id)
                page_address.set_values_in_address(item="")
                st.rerun()
        if begun:
            st.button("Review my guesses", key=f"{_TASK}.look", on_click=_look, args=("guesses",))
        else:
            st.button("Review my answers", key=f"{_TASK}.look", on_click=_look_back, args=(desk,))
