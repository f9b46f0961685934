"""The page's address: every view is a link, and every move changes it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

_PAGE, _SENT, _WAY, _LED = "address.page", "address.sent", "address.way", "address.led"
_OPEN = "open"
_SECONDS = 2.0

LeaveFor = Callable[[str, Mapping[str, str]], None]
"""Leave for a page, and a view of it, in its address."""


def page() -> str:
    """The title of the page that is being drawn; empty before it has begun."""
    return str(st.session_state.get(_PAGE, ""))


def go(**params: str) -> None:
    """Put values in the address; empty ones are taken out. A view is set by callbacks alone."""
    kept = {name: value for name, value in params.items() if name != "view"}
    _note(kept, st.query_params)
    if "view" in params:
        # The view's own widget stands for it.
        st.session_state["view"] = params["view"]
    for name, value in kept.items():
        _put(name, value)


def only(**params: str) -> None:
    """Make these, and the view, the whole address. For callbacks."""
    old = dict(st.query_params)
    st.query_params.clear()
    _put("view", str(old.get("view", "")))
    st.session_state.pop(_SENT, None)
    go(**params)
    _note(params, old)


def settle(page: str) -> None:
    """Hold on to what a callback has just put in the address of this page.

    The browser says its address with everything that it asks for. Asked twice in one moment, it
    has not heard of the new one yet, and its second question would take the first one back.
    """
    if page != st.session_state.get(_PAGE):
        st.session_state.pop(_WAY, None)
        st.session_state[_LED] = st.query_params.pop(_OPEN, "")
    st.session_state[_PAGE] = page
    hold()


def across(query: Mapping[str, str]) -> dict[str, str]:
    """What ``query`` names, for a link to another page: Streamlit takes the view out of a link
    between two pages that both have views, since it counts it as the first page's, so the link
    says it twice."""
    return {**query, _OPEN: query["view"]}


def arrive(views: Mapping[str, str]) -> None:
    """Open the view that a link from another page has named, of these by what each is called;
    before they are drawn."""
    led = st.session_state.pop(_LED, "")
    for name, called in views.items():
        if led == called:
            st.session_state["view"] = name
            # What the page before leaves in the address is taken out later, from one that must
            # name the view already.
            _put("view", called)


def hold() -> None:
    """The same in a fragment of the page that ``settle`` was told of."""
    for name, (value, before) in _recent().items():
        # Anything else is of a link that was pressed since.
        if st.query_params.get(name, "") in before:
            _put(name, value)


def way_out() -> LeaveFor:
    """Go where a press on this page has led, if one has; gives what such a press calls.

    It is noted until another page has begun, since a run that the browser's next question ends
    before its end forgets its presses. For the same reason the call asks nothing of Streamlit.
    """
    way: dict[str, Any] = st.session_state.setdefault(_WAY, {})
    if way:
        st.switch_page(way["page"], query_params=way["view"])
    return lambda page, view: way.update(page=page, view=dict(view))


def say(name: str) -> None:
    """Tell the browser a value of its own question again: a link from a page to itself changes what
    the browser asks for once, and not the address that it shows and asks for from then on."""
    if value := st.query_params.get(name, ""):
        st.query_params[name] = value


def _note(params: Mapping[str, str], old: Mapping[str, Any]) -> None:
    """Note what is put in the address, in place of ``old``."""
    # Before it is: the browser's next question ends a run at any change of the address.
    held = _recent()
    for name, value in params.items():
        before = held[name][1] if name in held else frozenset()
        held[name] = (value, before | {str(old.get(name, ""))})
    st.session_state[_SENT] = (time.monotonic(), st.session_state.get(_PAGE), held)


def _recent() -> dict[str, tuple[str, frozenset[str]]]:
    """What was put in the address of this page a moment ago, with what stood there before."""
    at, page, params = st.session_state.get(_SENT, (0.0, None, {}))
    fresh = time.monotonic() - at < _SECONDS and page == st.session_state.get(_PAGE)
    return dict(params) if fresh else {}


def _put(name: str, value: str) -> None:
    if st.query_params.get(name, "") == value:
        return
    if value:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)
