"""What cannot be taken back waits until its name has been typed."""

from __future__ import annotations

import streamlit as st

from medlens.ui.page_frame import escape_to_one_line


def draw_name_to_type_and_return_typed(name: str, *, key: str) -> str:
    """Show the name to type and the field for it; return what is in the field.

    The name is no part of the field's label: a screen reader reads a label as it is written, with
    the backslashes that show a hyphen or an underscore literally.
    """
    st.markdown(f"To confirm, type **{escape_to_one_line(name)}**")
    return st.text_input("The name, as it is written above", key=key, width=420)
