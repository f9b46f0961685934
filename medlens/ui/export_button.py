"""The button by which a file leaves MedLens: the audit log tells who pressed it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from medlens.app import commands
from medlens.ui import seats, workshop


def export_button(
    label: str,
    content: Callable[[], str | bytes | tuple[bytes, int]],
    *,
    about: str,
    what: str = "export",
    icon: str = "download",
    **options: Any,
) -> None:
    """A button for a file that ``content`` makes at the press, with its number of rows if it has
    any. ``what`` and ``about`` tell the audit log of it; ``options`` are Streamlit's."""
    # Known now: the file is made where nobody knows whose session it is for.
    seat = seats.seat_of(seats.here())

    def made() -> str | bytes:
        found = content()
        data, rows = found if isinstance(found, tuple) else (found, None)
        if seat is not None:
            store, by = workshop.store(), seat.rater
            commands.note_export(store, about, "", rows=rows, by=by, what=what)
        return data

    st.download_button(label, made, icon=f":material/{icon}:", on_click="ignore", **options)
