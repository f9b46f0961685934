"""The button for every file that leaves MedLens: the audit log records who pressed it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from medlens.app import exports_without_pandas
from medlens.errors import MedLensError
from medlens.ui import session_people_and_sign_in_validity, settings_store_and_runs_of_process
from medlens.ui.page_frame import escape_to_one_line
from medlens.ui.session_bound_downloads import error_to_show_for_failed_file

_FAILED = "export.failed"


def draw_export_button(
    label: str,
    content: Callable[[], str | bytes | tuple[bytes, int]],
    *,
    about: str,
    key: str,
    what: str = "export",
    icon: str = "download",
    **options: Any,
) -> None:
    """A button for a file that ``content`` makes when pressed, with its number of rows if it has
    any. ``what`` and ``about`` describe it in the audit log; ``options`` are Streamlit's.

    If a file could not be made, the reason stays below its button until the next file is requested.
    """
    # Look it up now: when the file is made, nobody knows whose session it is for.
    seat = session_people_and_sign_in_validity.who_is_in_session(
        session_people_and_sign_in_validity.id_of_current_session()
    )
    failed: dict[str, MedLensError] = st.session_state.setdefault(_FAILED, {})

    def made() -> str | bytes:
        failed.clear()
        try:
            found = content()
            data, rows = found if isinstance(found, tuple) else (found, None)
            if seat is not None:
                store, by = settings_store_and_runs_of_process.store_of_process(), seat.rater
                exports_without_pandas.log_export(store, about, "", rows=rows, by=by, what=what)
        except Exception as error:
            failed[key] = error_to_show_for_failed_file(error)
            raise failed[key] from error
        return data

    st.download_button(
        label, made, icon=f":material/{icon}:", on_click="ignore", key=key, **options
    )
    if key in failed:
        said = escape_to_one_line(f"{failed[key].message} {failed[key].hint}")
        st.markdown(f":red[:material/error: {said}]")
