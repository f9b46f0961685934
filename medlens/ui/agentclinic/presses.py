"""Keys that judge what lies on a desk, heard in the order in which they were pressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from medlens.store import new_id
from medlens.ui.agentclinic.conversation import conversation
from medlens.ui.agentclinic.conversation.messages import parse_presses
from medlens.ui.desk import Desk

ENTER = "Enter"


def hear(
    desk: Desk, keys: Sequence[str], press: Callable[[str, str], None], *, key: str
) -> None:  # fmt: skip
    """Hear ``keys`` (lower case) and Enter, which submits.

    ``press`` is told the item that was shown and the key. The item may have left the desk since,
    by a key that moves on; one that was submitted meanwhile is not judged any more.
    """
    name = f"{key}.heard"
    session, taken = st.session_state.setdefault(name, (new_id(), 0))

    def heard(sent: Any) -> None:
        session, taken = st.session_state[name]
        for one in parse_presses(sent, session):
            if one.n <= taken:
                continue
            taken = one.n
            here = one.item == desk.item
            if one.key == ENTER and here:
                desk.submit()
            elif one.key in keys and (here or _is_open(desk, one.item)):
                press(one.item, one.key)
        st.session_state[name] = (session, taken)

    conversation(
        {"kind": "presses", "item": desk.item or "", "keys": [*keys, ENTER],
         "session": session, "taken": taken},
        key=key, on_message=heard,
    )  # fmt: skip


def widget(name: str) -> str:
    """The key of a widget whose value keys change too.

    What the browser says before it has heard of such a change still holds the old value: to
    Streamlit that is a choice of the person. So the widget is another one after each (``changed``).
    """
    times = st.session_state.get(f"{name}.changed", 0)
    return f"{name}.{times}" if times else name


def changed(name: str) -> None:
    """A key has changed what the widget shows."""
    st.session_state[f"{name}.changed"] = st.session_state.get(f"{name}.changed", 0) + 1


def _is_open(desk: Desk, item: str) -> bool:
    return any(place.item == item and place.state == "open" for place in desk.queue.places)
