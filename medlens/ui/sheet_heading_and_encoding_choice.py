"""The choice of a file's sheet, of the row of its headings and of its encoding, beside what was
guessed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from medlens.app.file_intake.reader_client import Layout


@dataclass(frozen=True)
class TablePlace:
    """Where a person said that a file's table is, and what its texts are written in; empty and 0
    where nobody did.
    """

    sheet: str = ""
    header: int = 0
    encoding: str = ""


def table_place_chosen_by_person(key: str) -> TablePlace:
    """What a person chose under this key."""
    place: TablePlace = st.session_state.get(f"{key}.chosen", TablePlace())
    return place


def draw_sheet_and_heading_choice_and_keep_it(layout: Layout, *, key: str) -> None:
    """The choice of the sheet, where there are several, and of the row with the headings."""
    if len(layout.top) < 2:
        return
    rows, names = list(layout.top), [name for name, _ in layout.sheets]
    hidden = {name for name, is_hidden in layout.sheets if is_hidden}
    header_key = f"{key}.header.{layout.sheet}"

    encoding = table_place_chosen_by_person(key).encoding

    def choose_sheet() -> None:
        place = TablePlace(st.session_state[f"{key}.sheet"], encoding=encoding)
        st.session_state[f"{key}.chosen"] = place

    def choose_header() -> None:
        place = TablePlace(layout.sheet, st.session_state[header_key], encoding)
        st.session_state[f"{key}.chosen"] = place

    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(names) > 1:
            st.selectbox(
                "Sheet",
                names,
                index=names.index(layout.sheet),
                format_func=lambda name: f"{name} (hidden)" if name in hidden else name,
                key=f"{key}.sheet",
                width=260,
                on_change=choose_sheet,
            )
        st.selectbox(
            "Row with the headings",
            rows,
            index=rows.index(layout.header) if layout.header in rows else 0,
            format_func=lambda number: f"{number}: {layout.top[number]}",
            key=header_key,
            width=560,
            on_change=choose_header,
            help="Everything above it is left out. Choose another row if the headings are there.",
        )


ENCODINGS = ("windows-1252", "latin-1", "mac-roman", "utf-16", "gb18030", "shift-jis")
"""Encodings that are offered; any other can be written."""
_AS_GUESSED = "as guessed"


def draw_encoding_choice_and_keep_it(layout: Layout, *, key: str) -> None:
    """The choice of a text file's encoding, where it is not UTF-8 and had to be guessed."""
    place = table_place_chosen_by_person(key)
    if not layout.recoded and not place.encoding:
        return

    def choose_encoding() -> None:
        chosen = str(st.session_state[f"{key}.encoding"] or "")
        encoding = "" if chosen == _AS_GUESSED else chosen
        st.session_state[f"{key}.chosen"] = replace(place, encoding=encoding)

    st.selectbox(
        "Text encoding",
        [_AS_GUESSED, *ENCODINGS],
        key=f"{key}.encoding",
        width=260,
        accept_new_options=True,
        on_change=choose_encoding,
        help="This file is not in UTF-8. If letters look wrong below, say how it was saved.",
    )
