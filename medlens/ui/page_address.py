"""The page's address: every view is a link, and every move changes it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

_PAGE, _SENT, _WAY = "address.page", "address.sent", "address.way"
_FOLLOWED = "address.followed"
_DESKS = "address.desks"
_WENT_BACK = "went_back"
_NOTHING_SENT: tuple[float, str | None, dict[str, Any], dict[str, str]] = (0.0, None, {}, {})
_SECONDS = 2.0

LeaveFor = Callable[[str, Mapping[str, str]], None]
"""Go to a page and its view, both given as in the address."""


def current_page_title() -> str:
    """The title of the page being drawn; empty before it has begun."""
    return str(st.session_state.get(_PAGE, ""))


def set_values_in_address(**params: str) -> None:
    """Put values in the address; empty ones are removed."""
    _note(params, st.query_params)
    for name, value in params.items():
        _put(name, value)


def redirect_earlier_view_names(now: Mapping[str, str]) -> None:
    """Let an address that has a view's earlier name lead to the view. ``now``: its name today, by
    the earlier one.
    """
    if name := now.get(st.query_params.get("view", "")):
        set_values_in_address(view=name)


def replace_whole_address(**params: str) -> None:
    """Make these values the whole address, with the view that it names if they name none. For
    callbacks.
    """
    old = dict(st.query_params)
    params = {"view": str(old.get("view", "")), **params}
    st.query_params.clear()
    st.session_state.pop(_SENT, None)
    set_values_in_address(**params)
    _note(params, old)


def keep_address_set_in_callback(page: str) -> None:
    """Keep what a callback has just put in this page's address.

    The browser sends its address with every request. Of two requests at the same moment, the second
    does not know the new address yet and would undo it.
    """
    # The browser says that the old address is meant this time (``opening.js``).
    if st.query_params.pop(_WENT_BACK, None) is not None:
        st.session_state.pop(_SENT, None)
    if page != st.session_state.get(_PAGE):
        st.session_state.pop(_WAY, None)
        st.session_state.pop(_FOLLOWED, None)
        st.session_state.pop(_DESKS, None)
    st.session_state[_PAGE] = page
    for name, (shown, now) in st.session_state.get(_FOLLOWED, {}).items():
        if st.query_params.get(name, "") == shown:
            _put(name, now())
    keep_address_set_in_callback_of_fragment()


def set_address_from_function_at_next_run(name: str, now: Callable[[], str]) -> None:
    """Let ``now`` say what this page's address has under ``name``, at the start of its next run.

    For what the browser changes without a run of the page: its requests still have the value of the
    last run, which then is no wish to go back to it.
    """
    st.session_state.setdefault(_FOLLOWED, {})[name] = (now(), now)


def is_first_run_since_desk_was_opened(task: str, dataset: str) -> bool:
    """Whether this run is the first that draws a task's desk since another page was in sight; a
    view of the same page is none. For desks, once a run.
    """
    seen: set[tuple[str, str]] = st.session_state.setdefault(_DESKS, set())
    entered = (task, dataset) not in seen
    seen.add((task, dataset))
    return entered


def keep_address_set_in_callback_of_fragment() -> None:
    """As ``keep_address_set_in_callback``, in a fragment of the page that was given to that."""
    held = _recent()
    now = {name: st.query_params.get(name, "") for name in held}
    if _others(st.query_params, held) != st.session_state.get(_SENT, _NOTHING_SENT)[3]:
        return  # A link was pressed since, to another place that lacks some of these values.
    if any(
        now[name] != value and now[name] not in before for name, (value, before) in held.items()
    ):
        return
    for name, (value, _) in held.items():
        _put(name, value)


def follow_press_and_return_leaving_callback() -> LeaveFor:
    """Follow a press that leads off this page, if there was one; returns what such a button
    calls.

    The target is kept until another page has begun, because a run that the browser's next request
    interrupts forgets its presses. For the same reason the returned call uses nothing of Streamlit.
    """
    way: dict[str, Any] = st.session_state.setdefault(_WAY, {})
    if way:
        st.switch_page(way["page"], query_params=way["view"])
    return lambda page, view: way.update(page=page, view=dict(view))


def send_address_to_browser_again() -> None:
    """Send the browser the address of its own request again: a link from a page to itself changes
    one request, but not the address that the browser shows and sends from then on.
    """
    # Any value is sent with all others.
    for name in st.query_params:
        st.query_params[name] = st.query_params.get_all(name)
        return


def _note(params: Mapping[str, str], old: Mapping[str, Any]) -> None:
    """Note the values being put in the address, in place of ``old``."""
    # Before they are put there: any change of the address makes the browser send a request, which
    # ends this run.
    held = _recent()
    for name, value in params.items():
        before = held[name][1] if name in held else frozenset()
        held[name] = (value, before | {str(old.get(name, ""))})
    others = _others(old, held)
    st.session_state[_SENT] = (time.monotonic(), st.session_state.get(_PAGE), held, others)


def _others(address: Mapping[str, Any], held: Mapping[str, Any]) -> dict[str, str]:
    """What an address says besides ``held`` and what the browser itself changes."""
    beside = {*held, *st.session_state.get(_FOLLOWED, {}), _WENT_BACK}
    return {name: str(address.get(name, "")) for name in address if name not in beside}


def _recent() -> dict[str, tuple[str, frozenset[str]]]:
    """The values put in this page's address a moment ago, each with the values it replaced."""
    at, page, params, _ = st.session_state.get(_SENT, _NOTHING_SENT)
    fresh = time.monotonic() - at < _SECONDS and page == st.session_state.get(_PAGE)
    return dict(params) if fresh else {}


def _put(name: str, value: str) -> None:
    if st.query_params.get(name, "") == value:
        return
    if value:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)
