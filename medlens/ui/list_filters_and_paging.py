"""Filters and paging of lists; every choice is in the address."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from medlens.ui.page_address import set_values_in_address
from medlens.ui.page_frame import escape_markdown

_LONGEST_CHIP = 48
"""Characters."""


@dataclass
class Filters:
    """The filters of a page as they are drawn: ``chips`` are the words on the buttons that remove
    those that are set, by their names in the address. ``opened``: their sheet is open.
    """

    chips: dict[str, str] = field(default_factory=dict)
    opened: bool = True


@contextmanager
def context_that_draws_filter_popover(
    *, key: str, closes: Sequence[str] = ("mark", "page"), lazily: bool = False
) -> Iterator[Filters]:
    """The one button behind which the filters of a page stand, to be drawn in the block, and beside
    it those that are set, each removed by a press. ``closes`` are what else a change removes from
    the address. ``lazily``: the page is rerun when the sheet is opened, to draw what is in it then.
    """
    sheet = st.popover(
        "Filter",
        icon=":material/filter_list:",
        key=f"{key}.filter",
        width="content",
        on_change="rerun" if lazily else "ignore",
    )
    filters = Filters(opened=bool(sheet.open) if lazily else True)
    with sheet:
        yield filters
    for name, text in filters.chips.items():
        draw_filter_chip(text, name, key=key, on_click=_without((name, *closes)))
    if len(filters.chips) > 1:
        st.button(
            "Clear all",
            key=f"{key}.clear",
            type="tertiary",
            on_click=_without((*filters.chips, *closes)),
        )


def add_search_as_filter_chip(filters: Filters, name: str) -> None:
    """Show the words of a search as one of the filters that are set."""
    if given := st.query_params.get(name):
        filters.chips[name] = f"Words: {given}"


def _without(names: Sequence[str]) -> Callable[[], None]:
    return partial(set_values_in_address, **dict.fromkeys(names, ""))


def draw_filter_chip(text: str, name: str, *, key: str, on_click: Callable[[], None]) -> None:
    """A button that says which filter is set, and removes it."""
    short = text if len(text) <= _LONGEST_CHIP else f"{text[: _LONGEST_CHIP - 1]}…"
    st.button(
        escape_markdown(short),
        key=f"{key}.chip.{name}",
        icon=":material/close:",
        type="tertiary",
        help="Remove this filter",
        on_click=on_click,
    )


def whole_number_in_address(name: str) -> int:
    """A whole number from the address; 0 if there is none."""
    text = st.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 7 else 0


def draw_filter_choice(
    label: str,
    name: str,
    options: Sequence[str],
    shown: Callable[[str], str] = str,
    *,
    key: str,
    other: str = "any",
    width: int = 250,
    within: Filters | None = None,
) -> None:
    """One choice; a value in the address that is not among the options (any more) is shown as
    missing, not dropped. ``within`` are the filters that it is one of.
    """
    full = f"{key}.{name}"
    given = st.query_params.get(name)
    lost = given is not None and given not in options
    st.session_state[full] = given

    def in_words(option: str) -> str:
        return f"{option} (not found)" if lost and option == given else shown(option)

    if within is not None and given:
        within.chips[name] = f"{label}: {in_words(given)}"
    st.selectbox(
        label,
        [*options, given] if lost else options,
        key=full,
        width=width,
        placeholder=other,
        format_func=in_words,
        on_change=lambda: set_values_in_address(
            **{name: str(st.session_state[full] or ""), "page": "", "mark": ""}
        ),
    )


def draw_table_whose_chosen_row_is_in_address(
    table: pd.DataFrame, ids: Sequence[str], name: str, *, key: str, **shown: Any
) -> None:
    """A table to choose one row of: ``ids`` are the rows' values of ``name`` in the address.

    ``shown`` is for ``st.dataframe``.
    """
    asked = st.query_params.get(name, "")
    at = ids.index(asked) if asked in ids else None
    # Streamlit keeps a choice by its position. Another row may be there by now, so the choice has
    # to be made again whenever what was chosen is elsewhere.
    full = key if at is None else f"{key}.{at}.{asked}"

    def pressed() -> None:
        rows = st.session_state[full].selection.rows
        set_values_in_address(**{name: ids[rows[0]] if rows else ""})

    st.dataframe(
        table,
        hide_index=True,
        key=full,
        on_select=pressed,
        selection_mode="single-row",
        selection_default={"selection": {"rows": [] if at is None else [at]}},
        **shown,
    )


def draw_search_field(label: str, name: str, *, key: str, placeholder: str) -> None:
    """A field for words to search for."""
    full = f"{key}.{name}"
    st.session_state[full] = st.query_params.get(name, "")
    st.text_input(
        label,
        key=full,
        width=200,
        placeholder=placeholder,
        on_change=lambda: set_values_in_address(**{name: str(st.session_state[full]), "page": ""}),
    )


def draw_list_pager(total: int, size: int, things: str, *, key: str) -> None:
    """Which part of a list is shown, with buttons to the previous and next page."""
    at = whole_number_in_address("page")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{at * size + 1:,}–{min(total, (at + 1) * size):,}** of {total:,} {things}"
            if total
            else f"**0** {things}",
            width="content",
        )
        if total <= size and not at:
            return
        for label, letter, to in (("Previous page", "K", at - 1), ("Next page", "J", at + 1)):
            st.button(
                label,
                key=f"{key}.{letter}",
                shortcut=letter,
                type="tertiary",
                disabled=to < 0 or to * size >= total,
                on_click=set_values_in_address,
                kwargs={"page": str(to) if to else ""},
            )


@contextmanager
def context_that_draws_list_navigation(
    name: str, names: Sequence[str], *, parameter: str, key: str
) -> Iterator[int]:
    """The line above one thing of a list: back to the list, and to the previous and the next; gives
    its place (-1: it is not in the list). ``parameter`` names it in the address.
    """
    at = names.index(name) if name in names else -1
    with st.container(horizontal=True, vertical_alignment="center", key="work.line"):
        st.button(
            "List",
            icon=":material/arrow_back:",
            key=f"{key}.close",
            shortcut="Escape",
            on_click=set_values_in_address,
            kwargs={parameter: ""},
        )
        for label, letter, to in (("Previous", "K", at - 1), ("Next", "J", at + 1)):
            there = at >= 0 and 0 <= to < len(names)
            st.button(
                label,
                key=f"{key}.{letter}",
                shortcut=letter,
                disabled=not there,
                on_click=set_values_in_address,
                kwargs={parameter: names[to] if there else name},
            )
        yield at
