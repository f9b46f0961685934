"""The desk of a study that marks texts, as a page opens and draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from medlens.review.tasks import HandOut, Task
from medlens.ui import Here, dataset_choice_and_round_controls, desk_view, page_address
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

    def make_desk() -> SpanDesk:
        return SpanDesk(
            store=here.store,
            task=task,
            settings=settings,
            dataset=dataset,
            rater=here.person,
            marking=make(),
        )

    sign = (here.person.id, dataset, settings, *sign)
    desk = desk_view.hold_desk_in_session(task.name, dataset, sign, make_desk)
    page_address.set_address_from_function_at_next_run("item", lambda: desk.handle_of_current_item)
    return desk


def draw_marking_desk(desk: SpanDesk) -> None:
    """Draw the item on the desk; rerun the page after practice or the last item."""
    with st.container(key="tagger"):
        _draw_surface(desk)


@st.fragment
def _draw_surface(desk: SpanDesk) -> None:
    with desk_view.container_for_content_of_some_items():
        desk_view.draw_note_on_suggestion(desk)
    span_tagger.draw_item_and_pass_messages_to_desk(
        desk, desk.tagger_data_with_answer, key=f"{desk.task.name}.surface", whole=True
    )
    if desk.item is None or dataset_choice_and_round_controls.must_rerun_to_show_practice_answer(
        desk
    ):
        desk_view.show_item_in_address(desk)
        st.rerun()
