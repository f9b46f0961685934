"""Dialogues for leads: filtered, paged, read; the selection is in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import Any, get_args

import numpy as np
import pandas as pd
import streamlit as st

from medlens.studies.agentclinic import dialogue_list, queries
from medlens.studies.agentclinic.biases import NONE
from medlens.studies.agentclinic.case_elicitation_and_diagnosis_leaks import (
    CaseElicitation,
    find_what_dialogue_elicited,
)
from medlens.studies.agentclinic.dialogue_alignment import (
    align_dialogues,
    split_text_by_shared_words,
)
from medlens.studies.agentclinic.dialogue_list import Filters
from medlens.studies.agentclinic.records import STUDY, Case, Dialogue, Turn
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.studies.agentclinic.visit_filter import VisitFilter
from medlens.studies.registry import STUDIES
from medlens.ui import Here, list_filters_and_paging
from medlens.ui.agentclinic import diagnosis_check, dialogue_reading, transcript_and_case_view
from medlens.ui.agentclinic.conversation import (
    ListPage,
    Move,
    ReaderData,
    TurnData,
    draw_conversation,
)
from medlens.ui.agentclinic.transcript_and_case_view import CASE_STYLE
from medlens.ui.chart_with_table_and_csv import STYLE, draw_csv_button
from medlens.ui.checked_messages_from_browser import parse_browser_message_or_none
from medlens.ui.figures.page import draw_filter_choices_of_figures
from medlens.ui.page_address import set_values_in_address
from medlens.ui.page_frame import escape_markdown, escape_to_one_line
from medlens.ui.styles import read_style_sheet

_FIELDS = (
    "doctor",
    "patient",
    "doctor_bias",
    "patient_bias",
    "n_interactions",
    "image_mode",
    "repeat",
)


def draw_comparison_and_say_if_cases_match(
    here: Here, study: Study, first: str, second: str
) -> bool:
    """Draw two dialogues; False if one of them does not exist, or their cases differ."""
    items = [dialogue_reading.item_id_of_dialogue(here, study, name) for name in (first, second)]
    if None in items:
        set_values_in_address(beside="")
        return False
    st.html(CASE_STYLE)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "One dialogue",
            icon=":material/arrow_back:",
            key="compare.close",
            shortcut="Escape",
            on_click=set_values_in_address,
            kwargs={"beside": ""},
        )
        st.button(
            "Swap",
            icon=":material/swap_horiz:",
            key="compare.swap",
            on_click=_swap,
            args=(first, second),
        )
    for item in items:
        if item is not None and not dialogue_reading.may_viewer_see_item(here, study, item):
            dialogue_reading.draw_warning_before_showing_item(item)
            return True
    found = [
        queries.reveal_dialogue_to_viewer(here.store, item, here.person).whole
        for item in items
        if item
    ]
    both = [one for one in found if one is not None]
    if len(both) < 2 or both[0].case != both[1].case:
        st.info("These two dialogues are about different cases.", icon=":material/info:")
        return True
    case = dialogue_reading.case_of_dialogue(here, study, both[0])
    outs = [find_what_dialogue_elicited(case, one) for one in both]
    st.markdown(f"**Correct diagnosis** {escape_to_one_line(case.diagnosis)}. {_differing(both)}")
    for place, name, one, out in zip(
        st.columns(2, gap="medium"), (first, second), both, outs, strict=True
    ):
        with place:
            st.markdown(
                f"**{escape_markdown(name)}** {diagnosis_check.dialogue_facts_in_markdown(one)}"
            )
            told = (
                f"told {out.count_case_facts_in_state('told')} of {len(out.leaves)}"
                if out.leaves
                else ""
            )
            st.caption(f"{len(one.turns)} turns, {one.test_request_count} tests ordered, {told}")
    st.caption(
        "Turns about the same thing are shown side by side; what only one of them says is marked."
    )
    notes = [dialogue_reading.notes_by_turn_number(out) for out in outs]
    with st.container(key="compare.turns"):
        for row in align_dialogues(both[0].turns, both[1].turns):
            left, right = st.columns(2, gap="medium")
            with left:
                _turn(row.left, row.right, row.alike, notes[0], key="compare.left")
            with right:
                _turn(row.right, row.left, row.alike, notes[1], key="compare.right")
    _told(case, outs)
    return True


def _turn(
    turn: Turn | None,
    other: Turn | None,
    alike: float,
    notes: transcript_and_case_view.Notes,
    *,
    key: str,
) -> None:
    """One turn with the words only it has marked; none if the turns are about different things."""
    if turn is None:
        st.caption("–")
        return
    said = "only here" if other is None else "" if alike else "something else"
    st.caption(
        " · ".join(part for part in (transcript_and_case_view.heading_of_turn(turn), said) if part)
    )
    if other is None or not alike:
        st.text(turn.text, width="stretch")
    else:
        marked = (
            f":orange-background[{escape_markdown(one.text)}]"
            if one.own
            else escape_markdown(one.text)
            for one in split_text_by_shared_words(
                " ".join(turn.text.split()), " ".join(other.text.split())
            )
        )
        st.markdown("".join(marked))
    for number, image in enumerate(turn.images, 1):
        transcript_and_case_view.draw_image(image, number, key=f"{key}.{turn.n}")
    for note in notes.get(turn.n, ()):
        st.caption(
            escape_to_one_line(
                " ".join(part for part in (note.text, note.strong, note.rest) if part)
            )
        )


def _swap(first: str, second: str) -> None:
    set_values_in_address(dialogue=second, beside=first)


def _differing(both: list[Dialogue]) -> str:
    names = [
        name.replace("_", " ")
        for name in _FIELDS
        if getattr(both[0], name) != getattr(both[1], name)
    ]
    return f"They differ in: {', '.join(names)}." if names else "Played under the same rules."


def _told(case: Case, outs: list[CaseElicitation]) -> None:
    opened = st.expander("What each one elicited", key="compare.told", on_change="rerun")
    if not opened.open:
        return
    table = pd.DataFrame(
        [
            {
                "case": a.leaf.path_in_words,
                "text": a.leaf.text,
                "left": _state(a.state, a.turn),
                "right": _state(b.state, b.turn),
            }
            for a, b in zip(outs[0].leaves, outs[1].leaves, strict=True)
        ]
    )
    with opened:
        st.dataframe(
            table,
            hide_index=True,
            alt=f"What each dialogue revealed of {case.name_derived_from_content}",
        )
        draw_csv_button(table, "told")


def _state(state: str, turn: int | None) -> str:
    return {"missed": "never asked"}.get(state, state) + (f", turn {turn}" if turn else "")


PAGE = 50
_SCOPE = [one.name for one in fields(VisitFilter)]
_ACK = "browse.ack"
# Characters of a dialogue sent ahead: to a viewer of the list, and to a reader of its neighbour,
# who moves on much more often.
_GLANCE, _SCREEN = 1200, 5000
_FAR = 10**6
_RATED = {
    "rated": "rated",
    "unrated": "not rated",
    "checked": "checked",
    "unchecked": "not checked",
}
_STYLE = read_style_sheet("agentclinic_browse")


def draw_dialogue_list_or_dialogue(here: Here, study: Study) -> None:
    """The list, or the dialogue (or two) that the address names."""
    st.html(STYLE + CASE_STYLE + _STYLE)
    opened, beside = st.query_params.get("dialogue", ""), st.query_params.get("beside", "")
    if opened and beside and draw_comparison_and_say_if_cases_match(here, study, opened, beside):
        return
    _filters(here, study)
    _reader(here, study)


@st.fragment
def _reader(here: Here, study: Study) -> None:
    """The list and the open dialogue; moving on redraws nothing else.

    Both are one component, which shows the next dialogue before the server has answered.
    """
    asked = st.query_params.get("dialogue", "")
    if asked and "beside" in st.query_params:
        st.rerun()
    at = list_filters_and_paging.whole_number_in_address("page")
    table, total = _pages(here, study, at)
    last = max(0, total - 1) // PAGE
    if at > last:  # an old link, from when there were more
        at = last
        table, total = _pages(here, study, at)
    opened = (
        dialogue_reading.load_dialogue_and_record_reading(here, study, asked) if asked else None
    )
    if asked and opened is None:
        set_values_in_address(dialogue="")
    pages = {str(n): _list_page(part, n, total) for n, part in table.items()}
    names = pages[str(at)]["names"]
    data: ReaderData = {
        "kind": "reader",
        "columns": list(dialogue_list.SHOWN.values()),
        "page": at,
        "last": last,
        "pages": pages,
        "reading": opened.reading if opened else None,
        "ahead": _ahead(here, study, table[at], asked if opened else ""),
        "ack": st.session_state.get(_ACK, ""),
    }
    left, right = st.columns([8, 7], gap="large")
    with left:
        draw_conversation(data, key="browse.reader", on_message=_go)
    with right, st.container(key="scroll-side"):
        if opened is not None:
            dialogue_reading.draw_case_and_ratings_beside_dialogue(here, study, opened)
    if opened is None and names:
        draw_csv_button(
            table[at][list(dialogue_list.SHOWN)].rename(columns=dialogue_list.SHOWN), "dialogues"
        )


def _go(sent: Any) -> None:
    move = parse_browser_message_or_none(Move, sent)
    if move is not None:
        st.session_state[_ACK] = move.token
        set_values_in_address(dialogue=move.dialogue, page=str(move.page) if move.page else "")


def _ahead(
    here: Here, study: Study, table: pd.DataFrame, reading: str
) -> dict[str, list[TurnData]]:
    """The first turns of what can be opened next: of all on the page, or of both neighbours.

    They are as raters see them; dialogues that the viewer is still to judge are left out.
    """
    items, most = dict(zip(table["dialogue"], table["item_id"], strict=True)), _GLANCE
    if reading:
        names = list(items)
        at = names.index(reading) if reading in items else -_FAR
        items = {name: items[name] for name in names[max(at - 1, 0) : max(at + 2, 0)]}
        items.pop(reading, None)
        most = _SCREEN
    waiting = dialogue_reading.ids_of_items_waiting_in_viewers_queues(here, study)
    wanted = {name: item for name, item in items.items() if item not in waiting}
    turns = dialogue_list.first_turns_by_dialogue(here.store, list(wanted.values()), most=most)
    return {
        name: transcript_and_case_view.turns_as_browser_data(turns[item])
        for name, item in wanted.items()
    }


def _pages(here: Here, study: Study, at: int) -> tuple[dict[int, pd.DataFrame], int]:
    """The current page of the list and its neighbours, by number; and the number of dialogues."""
    first = max(at - 1, 0)
    table, total = dialogue_list.page_of_dialogues_and_total(
        here.store,
        study.dataset,
        _wanted(),
        viewer=here.person,
        offset=first * PAGE,
        limit=(at + 2 - first) * PAGE,
    )
    pages = {
        n: table.iloc[(n - first) * PAGE : (n - first + 1) * PAGE] for n in range(first, at + 2)
    }
    return {n: page for n, page in pages.items() if n == at or len(page)}, total


def _list_page(table: pd.DataFrame, number: int, total: int) -> ListPage:
    first, last = number * PAGE + 1, min(total, (number + 1) * PAGE)
    worded = table.assign(outcome=table["outcome"].str.replace("_", " "))
    cells = [[_cell(one) for one in worded[column]] for column in dialogue_list.SHOWN]
    return {
        "place": f"{first:,}–{last:,} of {total:,} dialogues" if total else "",
        "names": table["dialogue"].tolist(),
        "rows": [list(row) for row in zip(*cells, strict=True)],
    }


def _cell(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else ""
    return str(value)


def _wanted() -> Filters:
    asked: Mapping[str, str] = st.query_params
    rated = asked.get("rated", "")
    bias = asked.get("bias", "")
    known = bias == NONE or bias.split(":")[0] in ("doctor", "patient")
    return Filters(
        case=asked.get("case", ""),
        doctor=asked.get("doctor", ""),
        patient=asked.get("patient", ""),
        bias=bias if known else "",
        outcome=asked.get("outcome", ""),
        n_interactions=list_filters_and_paging.whole_number_in_address("messages"),
        image_mode=asked.get("images", ""),
        scope=VisitFilter(**{side: asked.get(side, "") for side in _SCOPE}),
        rated=rated if rated in get_args(dialogue_list.Rated) else "",  # type: ignore[arg-type]
        disagreement=asked.get("disagree", "") == "yes",
        leaking={"yes": True, "no": False}.get(asked.get("leaking", "")),
        search=asked.get("q", ""),
    )


def _filters(here: Here, study: Study) -> None:
    there = dialogue_list.filter_options_by_column(here.store, study.dataset)
    cases = queries.load_cases_by_name(here.store, study.dataset)
    biases = [
        NONE,
        *(f"doctor:{one}" for one in there["doctor_bias"] if one != NONE),
        *(f"patient:{one}" for one in there["patient_bias"] if one != NONE),
    ]
    with st.container(horizontal=True, vertical_alignment="bottom", key="browse.filters"):
        list_filters_and_paging.draw_search_field(
            "Search", "q", key="browse", placeholder="words in a turn"
        )
        with list_filters_and_paging.context_that_draws_filter_popover(key="browse") as filters:
            choose = partial(
                list_filters_and_paging.draw_filter_choice, key="browse", within=filters
            )
            list_filters_and_paging.add_search_as_filter_chip(filters, "q")
            truth = {name: one.case.diagnosis for name, one in cases.items()}
            choose("Case", "case", there["case"], lambda one: truth.get(one, one), width=220)
            choose("Doctor", "doctor", there["doctor"])
            choose("Patient", "patient", there["patient"])
            choose("Bias", "bias", biases, lambda one: one.replace("_", " ").replace(":", ": "))
            choose("Outcome", "outcome", there["outcome"], lambda one: one.replace("_", " "))
            choose("Rated", "rated", list(_RATED), _RATED.__getitem__)
            choose("Disagreement", "disagree", ["yes"], lambda _: "raters differ")
            choose("Diagnosis in tests", "leaking", ["yes", "no"], str)
            if len(there["n_interactions"]) > 1:
                choose("Messages", "messages", [str(n) for n in there["n_interactions"]])
            if len(there["image_mode"]) > 1:
                choose("Images", "images", there["image_mode"])
            draw_filter_choices_of_figures(
                here, STUDIES[STUDY], study.dataset, filters, key="browse"
            )
