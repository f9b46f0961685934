"""Verifying pairs: the reviewer's queue, each pair with its source, answered by keys."""

from __future__ import annotations

from functools import lru_cache, partial

import streamlit as st

from medlens.review import settings as given
from medlens.sourcecheckup import tasks
from medlens.sourcecheckup.study import Study
from medlens.store import Store
from medlens.ui import Here, desk_view
from medlens.ui.sourcecheckup.desk import VerifyDesk
from medlens.ui.sourcecheckup.laid import lay_out
from medlens.ui.sourcecheckup.source_reader import pair_surface

_TASK = tasks.SUPPORT
KEYS = (
    ("1 2 3 4 5", "answer"),
    ("Enter", "submit; once more for the next pair"),
    ("J K", "next, previous pair"),
    ("S", "skip"),
    ("F", "flag, with a reason"),
    ("W", "write why; Enter comes back"),
    ("N P", "next, previous passage"),
    ("M", "mark the passage shown as the one that decides"),
    ("/", "search in the source"),
    ("O", "open the original"),
    ("Ctrl+Z", "undo"),
    ("Ctrl+Enter", "submit, from anywhere"),
)
"""What ``?`` lists."""


def draw(here: Here, study: Study) -> None:
    """The next pair of the reviewer's queue, or the end."""
    _desk(here, study)


# A fragment: what is done at the desk draws neither the menu nor the page's head anew.
@st.fragment
def _desk(here: Here, study: Study) -> None:
    with here.errors():
        _lay(here, study)


def _lay(here: Here, study: Study) -> None:
    desk = desk_view.open_desk(
        here, study.support, study.dataset, partial(lay_out, here), kind=VerifyDesk
    )
    assert isinstance(desk, VerifyDesk)
    if desk.item is None:
        desk_view.draw_end(desk, done="verified", things="pairs")
        return
    pair_surface(
        desk.data(reason_needed=_reason_needed(here, study)),
        key=f"{_TASK}.surface", on_message=desk.take, on_refused=desk.refuse,
    )  # fmt: skip


def _reason_needed(here: Here, study: Study) -> bool:
    return _required(here.store, study.dataset, here.store.version("task_setting"))


# Asked at every change; it changes when a lead sets something.
@lru_cache(maxsize=64)
def _required(store: Store, dataset: str, _version: int) -> bool:
    return bool(given.setting(store, _TASK, dataset).get("reason") == "required")
