"""A coder's codebook: each code's passages side by side; renaming, merging and splitting codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import pandas as pd
import streamlit as st

from medlens.review import codebooks_coded_passages_and_agreement, open_code_revisions_by_lead
from medlens.review.codebooks_coded_passages_and_agreement import (
    Code,
    Codebook,
    CodedResponse,
    Corpus,
    LabelCount,
    Passage,
)
from medlens.review.open_code_revisions_by_lead import Coded
from medlens.ui import list_filters_and_paging
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.coding import desk
from medlens.ui.coding.desk import Subject
from medlens.ui.page_address import set_values_in_address
from medlens.ui.page_frame import (
    Here,
    escape_markdown,
    escape_to_one_line,
    known_value_in_address_or_warn,
)
from medlens.ui.times_in_browser_time_zone import streamlit_column_of_times

_TABLE = "codes.table"
_AT_ONCE = 24
_AROUND = 180
"""Passages per page of a code; characters shown before and after each."""


def draw_codes_and_chosen_passages(here: Here, subject: Subject) -> None:
    """All codes, the passages of the one that the address names, and the codes' history."""
    corpus = subject.corpus
    book = codebooks_coded_passages_and_agreement.codebook_of_coder(
        here.store, corpus, coder=here.person.id, viewer=here.person
    )
    if not book.codes:
        st.info(
            "You have no codes yet. Under **Code**, select words and press C to name one.",
            icon=":material/sell:",
        )
        _draw_history(here, corpus, book)
        return
    own = viewers_own_code_revisions(here, corpus)
    counts = label_counts_by_code_id(book, own)
    marked = codebooks_coded_passages_and_agreement.list_coded_passages(book, own)
    table = codes_table(book, counts)
    ids = {one.name: one.id for one in book.codes.values()}
    chosen = (
        known_value_in_address_or_warn("code", book.codes, "code") or ids[str(table["label"][0])]
    )
    left, right = st.columns([2, 3], gap="large")
    with left:
        _draw_table(table, ids)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("As CSV:", width="content")
            draw_csv_button(passages_table(book, marked), "open-codes", "Passages")
            draw_csv_button(table, "codebook", "Codes")
            draw_csv_button(code_changes_table(book), "codebook-history", "History")
        _draw_history(here, corpus, book)
    with right:
        found = [one for one in marked if one.code.label == chosen]
        _draw_code(here, subject, book, book.codes[chosen], found)


def viewers_own_code_revisions(here: Here, corpus: Corpus) -> list[Coded]:
    """Every revision of the viewer's codes, read again only if something has changed."""
    return [
        one
        for one in list_code_revisions_viewer_may_see(here, corpus)
        if one.rater == here.person.id
    ]


def list_code_revisions_viewer_may_see(here: Here, corpus: Corpus) -> list[Coded]:
    """Every revision that the viewer may see, read again only if something has changed."""
    version = here.store.data_version_of_tables(
        "open_code", "codebook_change", "item_alias", "rater"
    )
    key = (corpus, here.person.id, version)
    held = st.session_state.get("coding.history")
    if held is None or held[0] != key:
        found = open_code_revisions_by_lead.list_code_revisions_viewer_may_see(
            here.store, study=corpus.study, dataset=corpus.dataset, viewer=here.person
        )
        held = st.session_state["coding.history"] = (key, found)
    history: list[Coded] = held[1]
    return history


def label_counts_by_code_id(book: Codebook, history: Iterable[Coded]) -> dict[str, LabelCount]:
    """How far each code has grown, by its id; codes without a mark are left out."""
    read = (
        CodedResponse(
            one.item,
            one.rater,
            one.at,
            book.marks_under_current_codes(
                open_code_revisions_by_lead.read_codes_from_body(one.body)
            ),
        )
        for one in history
    )
    return {
        one.label: one
        for one in codebooks_coded_passages_and_agreement.list_labels_with_counts(read)
        if one.label in book.codes
    }


# -- as tables -------------------------------------------------------------------------------------


def codes_table(book: Codebook, counts: Mapping[str, LabelCount]) -> pd.DataFrame:
    """The current codes, most used first, with their meaning and history."""
    none = {"spans": 0, "responses": 0, "first": None, "last": None}
    rows = []
    for one in book.codes.values():
        grown = counts.get(one.id)
        rows.append(
            {
                "label": one.name,
                "description": one.description,
                **({name: getattr(grown, name) for name in none} if grown else none),
                "merged": "; ".join(one.merged),
            }
        )
    table = pd.DataFrame(rows)
    return table.sort_values(["spans", "label"], ascending=[False, True], ignore_index=True)


def passages_table(book: Codebook, marked: Iterable[Passage]) -> pd.DataFrame:
    """Every passage, one row each."""
    return pd.DataFrame(
        [
            {
                "item": one.name,
                "rater": one.rater_name,
                "label": book.names.get(one.code.label, one.code.label),
                "start": one.code.start,
                "end": one.code.end,
                "quote": one.code.quote,
                "at": one.at,
                "comment": one.code.comment,
                "description": book.codes[one.code.label].description
                if one.code.label in book.codes
                else "",
            }
            for one in marked
        ],
        columns=["item", "rater", "label", "start", "end", "quote", "at", "comment", "description"],
    )


def code_changes_table(book: Codebook) -> pd.DataFrame:
    """The codes' history, newest first."""
    rows = [
        {"at": one.at, "change": one.kind, "what": book.change_in_words(one)}
        for one in reversed(book.history)
    ]
    return pd.DataFrame(rows, columns=["at", "change", "what"])


def _draw_table(table: pd.DataFrame, ids: Mapping[str, str]) -> None:
    def pressed() -> None:
        rows = st.session_state[_TABLE].selection.rows
        set_values_in_address(code=ids[str(table["label"][rows[0]])] if rows else "", page="")

    column = st.column_config
    st.dataframe(
        table,
        hide_index=True,
        key=_TABLE,
        on_select=pressed,
        selection_mode="single-row",
        column_order=["label", "spans", "responses", "description", "last"],
        column_config={
            "label": "code",
            "spans": column.NumberColumn("passages", width="small"),
            "responses": column.NumberColumn("texts", width="small"),
            "last": streamlit_column_of_times("last mark"),
        },
        height=min(38 + 35 * len(table), 560),
        alt="Codes, most used first",
    )


def _draw_history(here: Here, corpus: Corpus, book: Codebook) -> None:
    if not book.history:
        return
    last = book.change_that_can_be_undone()
    if last is not None:
        label = f"Take back: {escape_to_one_line(book.change_in_words(last))[:160]}"
        rerun_page_after_work_if_pressed(
            here,
            st.button(label, key="codes.undo", icon=":material/undo:", type="tertiary"),
            lambda: codebooks_coded_passages_and_agreement.undo_last_change(
                here.store, corpus, last.revision, by=here.person
            ),
        )
    with st.expander("History of my codes", icon=":material/history:"):
        st.dataframe(
            code_changes_table(book),
            hide_index=True,
            column_order=["at", "what"],
            column_config={
                "at": streamlit_column_of_times(),
                "what": st.column_config.TextColumn(width="large"),
            },
            alt="History of the codes, newest first",
        )


def rerun_page_after_work_if_pressed(
    here: Here, pressed: bool, work: Callable[[], object], **then: str
) -> None:
    """Do what a button asks and rerun the page, with ``then`` in its address."""
    if not pressed:
        return
    with here.show_errors_within():
        work()
        desk.drop_coding_desk_of_session()
        set_values_in_address(**then)
        st.rerun()


# -- one code --------------------------------------------------------------------------------------


def _draw_code(
    here: Here, subject: Subject, book: Codebook, code: Code, found: Sequence[Passage]
) -> None:
    store, corpus, by = here.store, subject.corpus, here.person
    st.header(escape_markdown(code.name), anchor=False)
    if code.merged:
        st.caption(f"With what was: {escape_to_one_line('; '.join(code.merged))}")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Name",
            code.name,
            max_chars=codebooks_coded_passages_and_agreement.LONGEST_NAME,
            key=f"codes.name.{code.id}",
        )
        press = st.button("Rename", key="codes.rename", disabled=name.strip() == code.name)
    rerun_page_after_work_if_pressed(
        here,
        press,
        lambda: codebooks_coded_passages_and_agreement.rename_code(
            store, corpus, code.id, name, was=code.name, by=by
        ),
    )
    text = st.text_area(
        "What it means, and when to use it",
        code.description,
        max_chars=codebooks_coded_passages_and_agreement.LONGEST_TEXT,
        height=90,
        key=f"codes.text.{code.id}",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        rerun_page_after_work_if_pressed(
            here,
            st.button(
                "Keep the description",
                key="codes.describe",
                disabled=text.strip() == code.description,
            ),
            lambda: codebooks_coded_passages_and_agreement.set_code_description(
                store, corpus, code.id, text, was=code.description, by=by
            ),
        )
        _draw_merging(here, corpus, book, code)
        _draw_removing(here, corpus, code, len(found))
    _draw_passages(here, subject, book, code, found)


def _draw_merging(here: Here, corpus: Corpus, book: Codebook, code: Code) -> None:
    others = {one.id: one.name for one in book.codes.values() if one.id != code.id}
    if not others:
        return
    with st.popover("Merge", icon=":material/merge:"):
        ids = st.multiselect(
            "Codes to merge into this one",
            list(others),
            format_func=lambda one: others.get(one, one),
            key=f"codes.merge.from.{code.id}",
        )
        st.caption("Their passages move here. Each can be moved out again, or the merge undone.")
        rerun_page_after_work_if_pressed(
            here,
            st.button("Merge them", key="codes.merge", type="primary", disabled=not ids),
            lambda: codebooks_coded_passages_and_agreement.merge_codes(
                here.store, corpus, ids, code.id, by=here.person
            ),
        )


def _draw_removing(here: Here, corpus: Corpus, code: Code, passages: int) -> None:
    with st.popover("Remove", icon=":material/delete:"):
        count = "1 passage" if passages == 1 else f"{passages} passages"
        st.markdown(f"This removes the code and its marks on {count}. You can undo this.")
        rerun_page_after_work_if_pressed(
            here,
            st.button("Remove it", key="codes.remove", type="primary"),
            lambda: codebooks_coded_passages_and_agreement.remove_codes_and_their_marks(
                here.store, corpus, [code.id], by=here.person
            ),
            code="",
        )


def _draw_passages(
    here: Here, subject: Subject, book: Codebook, code: Code, found: Sequence[Passage]
) -> None:
    if not found:
        st.caption("No passage has this code.")
        return
    corpus = subject.corpus
    at = (
        list_filters_and_paging.whole_number_in_address("page")
        if list_filters_and_paging.whole_number_in_address("page") * _AT_ONCE < len(found)
        else 0
    )
    shown = found[at * _AT_ONCE : (at + 1) * _AT_ONCE]
    texts = codebooks_coded_passages_and_agreement.texts_by_item_id(
        here.store, corpus, {one.item for one in shown}
    )
    keys = {
        one.item_and_place: f"codes.tick.{code.id}.{'.'.join(map(str, one.item_and_place))}"
        for one in found
    }
    list_filters_and_paging.draw_list_pager(len(found), _AT_ONCE, "passages", key="codes.pager")
    ticked = [key for key, widget in keys.items() if st.session_state.get(widget)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Move the ticked passages to this code (new or existing)",
            max_chars=codebooks_coded_passages_and_agreement.LONGEST_NAME,
            key=f"codes.to.{code.id}",
        )
        press = st.button(
            f"Move {len(ticked)}" if ticked else "Move",
            key="codes.move",
            disabled=not ticked or not name.strip(),
        )
    rerun_page_after_work_if_pressed(
        here,
        press,
        lambda: codebooks_coded_passages_and_agreement.move_passages_and_return_target_code(
            here.store, corpus, code.id, ticked, name, by=here.person
        ),
    )
    columns = st.columns(2)
    for place, one in enumerate(shown):
        with columns[place % 2], st.container(border=True):
            st.checkbox(
                "Move it", key=keys[one.item_and_place], label_visibility="visible", width="content"
            )
            draw_passage(subject, one, texts.get(one.item, ""))


def draw_passage(subject: Subject, one: Passage, text: str) -> None:
    """A passage with the words around it, and a link to its text."""
    code = one.code
    before, behind = text[max(0, code.start - _AROUND) : code.start], text[code.end :][:_AROUND]
    start = "… " if code.start > _AROUND else ""
    end = " …" if len(text) - code.end > _AROUND else ""
    lit = f":primary-background[**{escape_to_one_line(code.quote)}**]"
    st.markdown(f"{start}{escape_to_one_line(before)} {lit} {escape_to_one_line(behind)}{end}")
    if code.comment:
        st.caption(f":material/comment: {escape_to_one_line(code.comment)}")
    st.page_link(
        subject.page,
        label=escape_to_one_line(one.name),
        icon=":material/article:",
        query_params={
            "view": "Open coding",
            "part": "Code",
            "dataset": subject.corpus.dataset,
            "item": one.name,
        },
    )
