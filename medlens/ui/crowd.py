"""Crowd platforms on the page: a lead's settings for one, and the way back for those who finish."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from medlens.review import assignment, crowd, hand_out
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.ui.answer_form import FieldData
from medlens.ui.frame import Here
from medlens.ui.sheet import Entries, draw_sheet, open_sheet

_PROLIFIC = "PROLIFIC_PID"


def draw_settings(here: Here, task: Task, dataset: str) -> None:
    """Where a round's raters come from, and what they get when they are done (leads)."""
    now = crowd.platform_of(here.store, task.name, dataset) or crowd.Platform("")
    st.subheader("Crowd platform", anchor=False)

    def send(entered: Entries) -> None:
        crowd.set_platform(
            here.store,
            task.name,
            dataset,
            parameter=entered.get("parameter") or "",
            address=entered.get("address") or "",
            code=entered.get("code") or "",
            by=here.person,
        )

    sheet = open_sheet(
        here.store,
        here.person,
        "crowd",
        f"{task.name}.{dataset}",
        send=send,
        given={"parameter": now.parameter, "address": now.address, "code": now.code},
        anew=True,
    )
    fields: list[FieldData] = [
        {
            "id": "parameter",
            "kind": "text",
            "label": "The worker's id in the link",
            "hint": "PROLIFIC_PID for Prolific. Left empty, people come from no platform.",
            "short": True,
            "longest": 40,
        },
        {"id": "address", "kind": "text", "label": "Return address", "longest": 500},
        {
            "id": "code",
            "kind": "text",
            "label": "Completion code",
            "hint": "Shown, with the address, to workers who have finished their items.",
            "short": True,
            "longest": 64,
        },
    ]
    draw_sheet(sheet, fields, submit="Save")
    if now.parameter:
        st.caption(
            "Make an invitation to this round under People and give its link to the platform. What"
            " workers came with is in the table “crowd” (Data, Export)."
        )


def suffix(platform: crowd.Platform | None) -> str:
    """What a link to a round must end with, for the platform to fill in."""
    if platform is None:
        return ""
    if platform.parameter == _PROLIFIC:
        names = (_PROLIFIC, "STUDY_ID", "SESSION_ID")
        return "".join(f"&{name}={{{{%{name}%}}}}" for name in names)
    return f"&{platform.parameter}=ID"


def draw_return(here: Here, task: Task, dataset: str, *, is_left: Callable[[], bool]) -> None:
    """The way back to the platform, for people who came from one, have finished their items and
    have nothing else to do (``is_left``).
    """
    worker = crowd.worker_of(here.store, task.name, dataset, here.person.id)
    platform = crowd.platform_of(here.store, task.name, dataset)
    if not worker or platform is None or not _is_done(here, task, dataset) or is_left():
        return
    with st.container(
        horizontal=True, vertical_alignment="center", width="content", key="crowd.return"
    ):
        if platform.address:
            st.link_button("Return to the platform", platform.address, type="primary")
        said = f" Your completion code: `{platform.code}`" if platform.code else ""
        st.markdown(f":material/check_circle: You have finished.{said}", width="content")


def draw_way_out(store: Store, task: Task, dataset: str, rater: str) -> None:
    """What to do for somebody who came from a platform and finds no items."""
    if crowd.worker_of(store, task.name, dataset, rater):
        # No link back: a platform's return address says that the work was done.
        st.markdown(
            "You can close this page. Please return the study on the platform that you came from,"
            " so that your place is free again."
        )


def _is_done(here: Here, task: Task, dataset: str) -> bool:
    defaults = hand_out.defaults_of(here.settings, task.name, task.handing_out)
    settings = hand_out.settings_of(here.store, task.name, dataset, defaults)
    me = here.person.id
    # People who did not pass practice have not done what the platform pays for.
    if assignment.held_back(here.store, task, dataset=dataset, rater=me):
        return False
    held = assignment.queue(here.store, task, settings, dataset=dataset, rater=me)
    left = held.done < held.total or any(place.state == "open" for place in held.places)
    return bool(held.places) and not left
