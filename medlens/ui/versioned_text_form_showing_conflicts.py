"""A text that leads change in versions: of two who write at once, the later sees the other's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from medlens.ui.answer_form import FieldData
from medlens.ui.form_outside_queue import Entries, FormSheet, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import Here, escape_markdown
from medlens.ui.untrusted_markdown import draw_untrusted_markdown


def draw_form_to_change_shared_text(
    here: Here,
    kind: str,
    about: str,
    *,
    version: int,
    text: str,
    by: str,
    write: Callable[[str, int | None], None],
    label: str,
    hint: str,
    lines: int,
    longest: int,
    submit: str,
) -> None:
    """The form that changes a text, now at ``version``, which ``by`` wrote. ``write`` saves a new
    one over the version that was seen, or over any (None).
    """

    def send(entered: Entries, *, over: bool = False) -> None:
        write(entered.get("text") or "", None if over else int(entered.get("seen") or version))

    given = {"text": text, "seen": str(version)}
    sheet = form_sheet_of_session(
        here.store, here.person, kind, about, send=send, given=given, anew=True
    )

    def keep() -> None:
        sheet.send = partial(send, over=True)
        sheet.submit_and_move_on()

    if sheet.has_unsent_entries and sheet.body.get("seen") not in (None, str(version)):
        st.warning(
            f"{escape_markdown(by)} wrote version {version} while you were writing. Yours is not "
            "saved yet."
            " Theirs:"
        )
        st.text(text or "(nothing)", width="stretch")
        with st.container(horizontal=True):
            st.button("Keep mine", key=f"{kind}.over", on_click=keep)
            st.button("Use theirs", key=f"{kind}.back", on_click=sheet.discard_entries_of_person)
    field: FieldData = {"id": "text", "kind": "text", "label": label, "hint": hint}
    draw_form_sheet(sheet, [{**field, "lines": lines, "longest": longest}], submit=submit)
    shown = st.expander("As reviewers see it", key=f"{kind}.preview", on_change="rerun")
    if shown.open:
        with shown:
            _preview(sheet)


# What is written in the form draws nothing else on the page.
@st.fragment(run_every=1)
def _preview(sheet: FormSheet) -> None:
    """The text as it is being written, and as reviewers will see it."""
    text = sheet.body.get("text") or ""
    draw_untrusted_markdown(
        text if text.strip() else "Nothing is written yet.", key="versioned_text"
    )
