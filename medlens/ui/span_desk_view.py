"""The desk of a study that marks texts, as a page opens and draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from medlens.review.tasks import HandOut, Task
from medlens.ui import Here, desk_view, page_address, rounds
from medlens.ui.span_desk import Marking, SpanDesk
from medlens.ui.span_tagger import span_tagger
from medlens.ui.styles import read_style_sheet

STYLE = read_style_sheet("marks")


def marking_desk_of_session(
    here: Here,
    task: Task,
    make: Callable[[], Marking],
    *,
    dataset: str,
    settings: HandOut,
    sign: Sequence[Any],
) -> SpanDesk:
    """The session's desk for a task, set up again when the person, what they are handed, or what
    ``make`` works from (``sign``) changes.
    """
    key = f"{task.name}.desk"
    sign = (here.person.id, dataset, settings, *sign)
    held: tuple[Any, SpanDesk] | None = st.session_state.get(key)
    asked = st.query_params.get("item", "")
    entered = page_address.is_desk_entered(task.name, dataset)
    if held is None or held[0] != sign:
        desk = SpanDesk(
            store=here.store,
            task=task,
            settings=settings,
            dataset=dataset,
            rater=here.person,
            marking=make(),
        )
        desk.open_named_or_next_item(asked)
        st.session_state[key] = (sign, desk)
    else:
        desk = held[1]
        if entered and not asked:
            desk.return_to_next_item()
        elif asked and not (desk.item and desk.find_item_named_in_address(asked) == desk.item):
            desk.open_named_or_next_item(asked)
    desk_view.draw_note_if_item_not_persons(desk, asked)
    _show_in_address(desk)
    page_address.bind_address_value_to_function("item", lambda: desk.handle_of_current_item)
    return desk


def draw_marking_desk(desk: SpanDesk) -> None:
    """Draw the item on the desk; rerun the page after practice or the last item."""
    with st.container(key="tagger"):
        _draw_surface(desk)


@st.fragment
def _draw_surface(desk: SpanDesk) -> None:
    with desk_view.container_that_keeps_positions():
        desk_view.draw_note_on_suggestion(desk)
    span_tagger.draw_item_and_take_messages(
        desk, desk.tagger_data_with_answer, key=f"{desk.task.name}.surface", whole=True
    )
    if desk.item is None or rounds.must_rerun_to_show_practice_answer(desk):
        _show_in_address(desk)
        st.rerun()


def _show_in_address(desk: SpanDesk) -> None:
    if st.query_params.get("item", "") != desk.handle_of_current_item:
        page_address.set_values_in_address(item=desk.handle_of_current_item)
