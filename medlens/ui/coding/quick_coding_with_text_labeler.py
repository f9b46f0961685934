"""The quick view of open coding: one text in streamlit-annotation-tools, its spans as files."""

from __future__ import annotations

import secrets

import streamlit as st

from medlens.review import codebooks_coded_passages_and_agreement, text_labeler_format
from medlens.review.raters import require_lead
from medlens.ui.coding import text_labeler_view as sheets
from medlens.ui.coding.desk import Subject
from medlens.ui.coding.text_labeler_view import LabelerSheet
from medlens.ui.data.exports import make_download_file_name
from medlens.ui.export_button import draw_export_button
from medlens.ui.page_frame import Here, escape_markdown
from medlens.ui.upload_endpoint import read_upload_within_limit

_AT = "coding.n"
_LARGEST_MB = 2
_MUST_KNOW = (
    "- Choose a label, or add one, then select words in the text: the selection grows to whole "
    "words. Selecting marked words again with the same label removes the mark.\n"
    "- Only the marks of the chosen label are drawn; the list below has them all.\n"
    "- The cross on a label removes it with all its marks in this text. Adding a name that "
    "already exists removes its marks. Undo appears when that happens.\n"
    "- `↵` and `¶` stand where the text has a new line or an empty line.\n"
    "- Marks of different labels may overlap, marks of the same label may not.\n"
    "- It needs a mouse or a finger; under **Code** you code by keys."
)


def draw_quick_coding(here: Here, subject: Subject, search: str) -> None:
    """One text to code.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(here.person)
    found = _choose(here, subject, search)
    if found is not None:
        _code(here, subject, *found)


def _choose(here: Here, subject: Subject, search: str) -> tuple[str, str] | None:
    """The current text, by its place in the list: (item id, name)."""
    places = codebooks_coded_passages_and_agreement.list_ids_and_names_of_items_with_words(
        here.store, subject.corpus, search=search
    )
    total = len(places)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if st.session_state.get(_AT, 1) > max(total, 1):
            st.session_state[_AT] = 1
        at = st.number_input(
            f"Text (of {total:,})",
            1,
            max(total, 1),
            key=_AT,
            bind="query-params",
            width=180,
        )
        for label, to, off, key, icon in (
            ("Previous", at - 1, at <= 1, "previous", "arrow_back"),
            ("Next", at + 1, at >= total, "next", "arrow_forward"),
            ("Any other", 0, total < 2, "any", "shuffle"),
        ):
            st.button(
                label,
                on_click=_go,
                args=(to, total),
                disabled=off,
                key=f"coding.{key}",
                icon=f":material/{icon}:",
            )
    if not places:
        st.info("No text contains these words.", icon=":material/search_off:")
        return None
    return places[at - 1]


def _go(at: int, total: int) -> None:
    st.session_state[_AT] = at or secrets.randbelow(total) + 1


def _code(here: Here, subject: Subject, item: str, name: str) -> None:
    laid = subject.lay(here.store, item)
    sheet = sheets.labeler_sheet_of_session(here, subject.corpus, item, laid["text"])
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.markdown(f"**{escape_markdown(name)}**")
        for block in laid["context"]["blocks"]:
            said = block.get("text") or "\n".join(
                f"{one['key']}: {one['text']}" for one in block.get("options", ())
            )
            st.text(said, width="stretch")
        with st.expander("How this works", icon=":material/help:"):
            st.markdown(_MUST_KNOW)
    with right:
        st.markdown(f"**{escape_markdown(laid['title'])}**")
        sheets.draw_labeler_sheet(here, sheet)
        _marks(sheet)
        with st.expander("The text with its own line breaks", icon=":material/notes:"):
            st.text(laid["text"], width="stretch")
        _span_files(here, sheet, name)


def _marks(sheet: LabelerSheet) -> None:
    if sheet.reading.codes:
        st.dataframe(
            [{"label": code.label, "words": code.quote} for code in sheet.reading.codes],
            hide_index=True,
            height=min(38 + 35 * len(sheet.reading.codes), 250),
            column_config={"words": st.column_config.TextColumn(width="large")},
        )


def _span_files(here: Here, sheet: LabelerSheet, name: str) -> None:
    with st.expander("Spans of this text as a file", icon=":material/data_object:"):
        st.caption("JSON of streamlit-annotation-tools: a list of start, end and words per label.")
        spans = text_labeler_format.codes_as_span_json(
            sheet.text, sheet.reading.codes, labels=sheet.reading.labels
        )
        draw_export_button(
            "Download spans",
            lambda: spans,
            about=f"open codes of {name}",
            key="coding.spans.out",
            file_name=make_download_file_name(name, "spans", form="json"),
            mime="application/json",
        )
        uploaded = st.file_uploader(
            "Spans to add", key=f"coding.spans.in.{sheet.key}", max_upload_size=_LARGEST_MB
        )
        if uploaded is None:
            return
        with here.show_errors_within():
            content = read_upload_within_limit(uploaded, _LARGEST_MB)
            reading = sheets.codes_labels_and_problems_of_span_file(sheet, content, uploaded.name)
            if reading.problems:
                st.text("\n".join(reading.problems), width="stretch")
            fresh = set(reading.codes) - set(sheet.reading.codes)
            if not fresh:
                st.caption("It contains no new marks.")
            elif st.button(
                "Add 1 mark" if len(fresh) == 1 else f"Add {len(fresh)} marks",
                key="coding.spans.add",
                type="primary",
            ):
                sheets.add_marks_and_rerun(here, sheet, reading)
