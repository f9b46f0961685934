"""Two tabs changed the same thing: say so and ask, in the same words everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import streamlit as st

from medlens.ui.desk import Desk

_CHANGED = "**Changed in another tab.** Your version here is not saved yet."
_SUBMITTED = "**Submitted in another tab.** Your version here is not saved."
_LOOK_AGAIN = 3
"""Seconds: the other tab may go on while this one asks."""


def draw_choice_between_two_tabs(
    desk: Desk,
    said: Callable[[Any], str] | None = None,
    names: Mapping[str, str] | None = None,
) -> None:
    """The state that another tab saved, to be taken or overwritten.

    ``said`` puts a field's value into words if the value alone says little; ``names`` are the
    fields to show, if not all or not under their own names.
    """
    if desk.newer is None:
        if desk.error is not None and not desk.is_answer_saved:
            st.button("Save again", key=f"{desk.task.name}.again", on_click=desk.save_draft)
        return
    _ask(desk, said, names)


@st.fragment(run_every=_LOOK_AGAIN)
def _ask(desk: Desk, said: Callable[[Any], str] | None, names: Mapping[str, str] | None) -> None:
    said = said or _said
    with desk.turn:
        desk.read_what_other_tab_saved()
        newer, submitted = desk.newer, desk.has_other_tab_submitted
    if newer is None:
        # It was chosen here: the page around shows the answer.
        st.rerun()
    theirs = newer.value.model_dump(mode="json") if newer.value else {}
    # Answers are stored under the names of arms, which their rater does not see.
    blind = desk.task.function_that_replaces_real_names(newer.value) if newer.value else str
    fields = names or {name: name.replace("_", " ") for name in (*desk.body, *theirs)}
    both = (
        part
        for name, title in fields.items()
        for part in _by_question(desk, title or name, desk.body.get(name), theirs.get(name))
    )
    draw_differences_and_version_choice(
        (
            blind(f"{called}: here {said(here)}, there {said(there)}")
            for called, here, there in both
            if here != there
        ),
        key=desk.task.name,
        keep_mine=desk.overwrite_other_tabs_answer,
        take_theirs=desk.take_other_tabs_answer,
        changed=_SUBMITTED if submitted else _CHANGED,
    )


def draw_differences_and_version_choice(
    differing: Iterable[str],
    *,
    key: str,
    keep_mine: Callable[[], None],
    take_theirs: Callable[[], None],
    changed: str = _CHANGED,
    theirs: str = "the other tab's",
) -> None:
    """What differs, one line each, and the choice; neither state is overwritten unasked.
    ``changed`` says what has happened, ``theirs`` whose the newer state is.
    """
    with st.container(border=True):
        st.markdown(changed)
        st.text("\n".join(differing) or "Both say the same.", width="stretch")
        with st.container(horizontal=True):
            st.button("Keep this version", key=f"{key}.mine", on_click=keep_mine)
            st.button(f"Use {theirs}", key=f"{key}.theirs", on_click=take_theirs)


def _by_question(desk: Desk, called: str, here: Any, there: Any) -> Iterator[tuple[str, Any, Any]]:
    """A field's name and its two values; of answers by question, each under what was asked."""
    if not isinstance(here, dict) or not isinstance(there, dict):
        yield called, here, there
        return
    for name in dict.fromkeys((*here, *there)):
        yield desk.task.name_of_variable_in_words(name), here.get(name), there.get(name)


def _said(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_said(one) for one in value) or "none"
    if isinstance(value, dict):
        return " ".join(f"{name} {_said(one)}" for name, one in value.items() if one)
    return "nothing" if value in (None, "") else str(value)
