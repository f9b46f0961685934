"""The rail: a page's sections at the left of what they show, in groups, the open one marked; on a
phone a menu above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from medlens.ui.page_frame import escape_markdown
from medlens.ui.styles import read_style_sheet

_STYLE = read_style_sheet("rail")


@dataclass(frozen=True)
class Group:
    """Sections that belong together: the titles by their names in the address. ``inner`` ones stand
    below the section before them, which is open.
    """

    title: str
    sections: Mapping[str, str]
    inner: bool = False


@contextmanager
def context_that_draws_section_navigation(
    groups: Sequence[Group], now: str | Sequence[str], choose: Callable[[str], None], *, label: str
) -> Iterator[None]:
    """Draw the block beside a rail of these groups.

    ``now`` names the open section, or one of each group that has an open one; ``choose`` opens
    another, by its name. ``label`` says what is chosen, for the phone's menu and to screen readers.
    """
    st.html(_STYLE)
    opened = {now} if isinstance(now, str) else set(now)
    with st.container(horizontal=True, gap="medium", key="railed"):
        with st.container(gap="xsmall", key="rail"):
            for at, group in enumerate(groups):
                _draw_group(group, at, opened, choose, label)
        with st.container(key="rail_menu"):
            _draw_menu(groups, opened, choose, label)
        with st.container(key="rail_body"):
            yield


def _draw_group(
    group: Group, at: int, opened: set[str], choose: Callable[[str], None], label: str
) -> None:
    mine = next((name for name in group.sections if name in opened), None)
    # Each set of sections has its own control: one whose options change sends an old one.
    key = f"rail.{group.title or '.'.join(group.sections)}"
    st.session_state[key] = mine

    def changed() -> None:
        # A press on the open section takes its mark off, and leads nowhere.
        if chosen := st.session_state[key]:
            choose(str(chosen))

    with st.container(key=f"rail_{'inner' if group.inner else 'group'}_{at}"):
        st.pills(
            group.title or label,
            list(group.sections),
            format_func=lambda name: escape_markdown(group.sections[name]),
            key=key,
            on_change=changed,
            label_visibility="visible" if group.title else "collapsed",
            wrap=True,
        )


def _draw_menu(
    groups: Sequence[Group], opened: set[str], choose: Callable[[str], None], label: str
) -> None:
    titles: dict[str, str] = {}
    outer = ""
    for group in groups:
        before = f"{outer}: " if group.inner else f"{group.title}: " if group.title else ""
        titles |= {name: before + title for name, title in group.sections.items()}
        outer = list(group.sections.values())[-1]
    # The innermost one that is open.
    now = [name for name in titles if name in opened][-1:]
    key = "rail.menu"
    st.session_state[key] = now[0] if now else next(iter(titles))
    st.selectbox(
        label,
        list(titles),
        format_func=titles.__getitem__,
        key=key,
        on_change=lambda: choose(str(st.session_state[key])),
        label_visibility="collapsed",
    )
