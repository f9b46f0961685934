"""On Home: what a person has submitted of a task that they have not finished, to open it again."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import TYPE_CHECKING

import streamlit as st

from medlens.review import items, judging, work_progress_and_pace_by_item_and_rater
from medlens.review.assignment import QueuePlace
from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.ui.page_frame import Here, escape_to_one_line
from medlens.ui.times_in_browser_time_zone import format_date_and_time

if TYPE_CHECKING:
    from medlens.ui.home_my_work import OpenRound

_MOST = 100
"""Rows of the list; who has submitted more steps back to the others at the desk."""
_LONGEST = 120
"""Characters of an answer in the list."""


def draw_submitted_items(here: Here, job: OpenRound) -> None:
    """The items that the person has submitted or flagged, the last one first, each a link to its
    desk. Folded; nothing if there are none.
    """
    task, dataset = job.mine.task, job.mine.dataset
    places = [
        place
        for place in reversed(job.mine.queue.places)
        if place.state in ("submitted", "flagged") and not (place.practice or place.for_key)
    ]
    if not places:
        return
    many = f"{len(places):,} item{'s' * (len(places) != 1)} that you have finished"
    key = f"home.mine.{task.name}.{dataset}"
    opened = st.expander(f"Look over {many}", key=key, on_change="rerun")
    if not opened.open:
        return
    given = assignment_ledger_of_task(here.store, task.name).by_rater.get(here.person.id, {})
    at = work_progress_and_pace_by_item_and_rater.last_submission_time_by_item(
        here.store, task.name, here.person.id
    )
    shown = places[:_MOST]
    said_of = _answers_in_words(here, job, shown)
    with opened, st.container(key=f"{key}.list", gap="xsmall"):
        for place in shown:
            when = f" · {format_date_and_time(at[place.item])}" if place.item in at else ""
            said = said_of[place.item]
            st.page_link(
                job.study.page,
                label=f"Item {place.number}{when}" + f": {escape_to_one_line(said)}" * bool(said),
                query_params={
                    **job.study.views[task.name],
                    "dataset": dataset,
                    "item": given[place.item].browser_handle,
                },
            )
        if (rest := len(places) - _MOST) > 0:
            st.caption(f"{rest:,} more came before these: *Previous* at the desk leads to them.")


def _answers_in_words(here: Here, job: OpenRound, places: Sequence[QueuePlace]) -> dict[str, str]:
    """The person's own answers in a line each, by item, with the names that they saw, and why they
    flagged it; in as many queries for a hundred items as for one.
    """
    task, ids = job.mine.task, [place.item for place in places]
    values = judging.last_own_answer_by_item(here.store, task, item_ids=ids, rater=here.person.id)
    bodies = items.load_item_bodies_by_id(here.store, ids)
    found = {}
    for place in places:
        value, said = values.get(place.item), ""
        if place.state == "submitted" and value is not None:
            asked = task.task_as_asked_of_item(bodies[place.item])
            said = asked.function_that_replaces_real_names(value)(asked.answer_in_words(value))
            # The question stands above the list.
            said = said.removeprefix(asked.question).strip()
        flag = f"flagged: {place.flag}" if place.flag else ""
        found[place.item] = shorten(
            "; ".join(filter(None, (said, flag))), _LONGEST, placeholder=" …"
        )
    return found
