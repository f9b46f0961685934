"""The next item, drawn out of sight beside the open one: the browser shows it at the press of a
key, and the server opens it meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from medlens.ui.browser_component import Component
from medlens.ui.styles import read_style_sheet

# Out of sight a box keeps its layout: it is shown in a third of the time.
_STYLE = read_style_sheet("next_item")
_FIRST_AWAY, _SECOND_AWAY = (
    f'<style>[class*="st-key-box-{at}-"] {{ position: absolute; visibility: hidden; opacity: 0; }}'
    "</style>"
    for at in range(2)
)
_turn = Component("next_item", js="next_item/next_item.js", css="")


class NextItemAhead:
    """Two boxes in each place of a page: one has the open item, the other is for the next one, the
    item ``ahead``. When that is opened it stays in its box, so that it is not drawn again.

    The session keeps under ``key`` which box is open and what is in both.
    """

    def __init__(self, key: str, item: str) -> None:
        self._key, self._item, self.ahead = key, item, ""
        at, held = st.session_state.get(key, (0, ("", "")))
        self.at = held.index(item) if item in held else at
        self.record_item_drawn_ahead("")
        st.html(_STYLE + _FIRST_AWAY) if self.at else st.html(_STYLE + _SECOND_AWAY)

    def containers_of_open_and_next_item(self, place: str) -> tuple[Any, Any]:
        """The box of the open item and that of the next one, in a place of the page."""
        with st.container(key=f"among-{place}" if place else "among"):
            both = [st.container(key=f"box-{at}-{place}") for at in range(2)]
        return both[self.at], both[1 - self.at]

    def record_item_drawn_ahead(self, item: str) -> None:
        """``item`` has been drawn in the boxes of the next one."""
        self.ahead = item
        both = (self._item, item)
        st.session_state[self._key] = (self.at, both if self.at == 0 else both[::-1])

    def mount_switch_to_next_item(
        self, ways: Sequence[str], buttons: Mapping[str, str] | None = None, scrolled: str = ""
    ) -> None:
        """Let the browser show the item ahead when one leaves by any of these ``ways``: keys of
        ``buttons``, which are selectors, or ways that a form tells of. ``scrolled`` selects what
        keys must reach although it is only read. Call this last, when all that it shows is there.
        """
        data = {
            "item": self._item,
            "ahead": self.ahead,
            "ways": list(ways) if self.ahead else [],
            "open": self.at,
            "buttons": dict(buttons or {}),
            "scrolled": scrolled,
        }
        _turn(key=f"{self._key}.turn", data=data)
