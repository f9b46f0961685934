"""What a codebook can become: a taxonomy for error tagging, or a study of your own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from medlens.config.question_forms_and_answer_checks import MOST_LABELS
from medlens.errors import InvalidInput
from medlens.review import codebooks_coded_passages_and_agreement
from medlens.review.codebooks_coded_passages_and_agreement import Code, Passage
from medlens.studies.own import study_file
from medlens.studies.own.study_file_from_table.column_roles_from_cells import Guess
from medlens.studies.own.study_file_from_table.write_study_file_from_guesses import (
    make_study_file_text,
    make_toml_text_of_codes_question,
)
from medlens.studies.tagging import queries, tasks
from medlens.studies.tagging.taxonomy import draft_taxonomy_from_label_names, taxonomy_as_toml
from medlens.ui import make_study
from medlens.ui.coding.codebook_editor_and_coded_passages import (
    label_counts_by_code_id,
    viewers_own_code_revisions,
)
from medlens.ui.coding.desk import Subject
from medlens.ui.data.exports import make_download_file_name
from medlens.ui.data.taxonomy_in_use_and_its_replacement import taxonomy_labels_table
from medlens.ui.export_button import draw_export_button
from medlens.ui.page_frame import Here, escape_markdown

_ROWS = "coding.rows"
_LONGEST_EXAMPLE = 240
_MARK = "Mark the passages, with these codes as labels"
_TICK = "Tick the codes that a text has"


def draw_codebook_uses(here: Here, subject: Subject) -> None:
    """Which codes to use, and what to make from them."""
    corpus = subject.corpus
    book = codebooks_coded_passages_and_agreement.codebook_of_coder(
        here.store, corpus, coder=here.person.id, viewer=here.person
    )
    if not book.codes:
        st.info("You have no codes yet.", icon=":material/sell:")
        return
    own = viewers_own_code_revisions(here, corpus)
    marked = codebooks_coded_passages_and_agreement.list_coded_passages(book, own)
    grown = label_counts_by_code_id(book, own)
    used = sorted(book.codes, key=lambda one: -(grown[one].spans if one in grown else 0))
    names = {one: book.codes[one].name for one in used}
    chosen = st.multiselect(
        "Codes, in this order",
        used,
        default=used,
        format_func=lambda one: names.get(one, one),
        key=f"coding.draft.labels.{len(used)}",
    )
    title = st.text_input(
        "Title",
        f"{corpus.dataset} open codes",
        max_chars=80,
        key=f"coding.draft.title.{corpus.dataset}",
    )
    codes = [book.codes[one] for one in chosen]
    left, right = st.columns(2, gap="large")
    with left:
        st.header("A study of your own", anchor=False)
        with here.show_errors_within():
            _draw_study(here, subject, codes, title)
    with right:
        st.header("A taxonomy of error tagging", anchor=False)
        with here.show_errors_within():
            _draw_taxonomy(here, subject, codes, title, marked)


# -- a study ---------------------------------------------------------------------------------------


def _draw_study(here: Here, subject: Subject, codes: Sequence[Code], title: str) -> None:
    st.caption(
        "Reviewers judge the same texts by your codes, blinded and in turns, with agreement and a"
        " report."
    )
    fits = len(codes) <= MOST_LABELS
    asked = st.radio(
        "What reviewers do",
        [_MARK, _TICK],
        index=0 if fits else 1,
        key=f"coding.study.asks.{fits}",
    )
    if asked == _MARK and not fits:
        raise InvalidInput(
            f"{len(codes)} codes are more labels than there are keys: {MOST_LABELS}.",
            hint="Choose fewer above, merge some, or let reviewers tick them.",
        )
    rows = _rows(here, subject)
    text = _study(subject, codes, title, rows, marked=asked == _MARK)
    name = study_file.parse_study_file(text).study_id
    with st.container(horizontal=True, vertical_alignment="center"):
        make_study.draw_link_to_make_study(text, rows, called=subject.corpus.dataset)
        draw_export_button(
            "Download STUDY.toml",
            lambda: text,
            about=f"study drafted from the open codes of {subject.corpus.dataset}",
            key="coding.study.out",
            file_name=f"{name}.toml",
            mime="application/toml",
        )
    with st.expander("What the file says", icon=":material/description:"):
        st.code(text, language="toml", height=320)


def _rows(here: Here, subject: Subject) -> list[dict[str, Any]]:
    """The texts with their context columns, one row each; rebuilt when items are added."""
    corpus = subject.corpus
    columns = (*subject.beside, corpus.column)
    key = (corpus, here.store.data_version_of_tables("item", "item_alias"))
    held = st.session_state.get(_ROWS)
    if held is None or held[0] != key:
        rows = [
            {study_file.ITEM: name} | {one: cell_in_words(body.get(one)) for one in columns}
            for name, body in codebooks_coded_passages_and_agreement.list_item_names_and_bodies(
                here.store, corpus
            )
        ]
        held = st.session_state[_ROWS] = (key, rows)
    found: list[dict[str, Any]] = held[1]
    return found


def cell_in_words(cell: Any) -> str:
    """A column's value as text; options and turns one per line."""
    if isinstance(cell, list):
        lines = []
        for one in cell:
            said = one.values() if isinstance(one, dict) else [one]
            lines.append(": ".join(map(str, said)))
        return "\n".join(lines)
    return "" if cell is None else str(cell)


def _study(
    subject: Subject,
    codes: Sequence[Code],
    title: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    marked: bool,
) -> str:
    column = subject.corpus.column
    if len(codes) < (1 if marked else 2):
        raise InvalidInput("These are too few codes for a question.", hint="Choose more above.")
    columns = [
        Guess(study_file.ITEM, "id"),
        *(Guess(one, "text") for one in (*subject.beside, column)),
    ]
    asked = make_toml_text_of_codes_question(
        {one.name: one.description for one in codes}, column, marked=marked
    )
    return make_study_file_text(title.strip() or subject.corpus.dataset, columns, rows, asked=asked)


# -- a taxonomy ------------------------------------------------------------------------------------


def _draw_taxonomy(
    here: Here,
    subject: Subject,
    codes: Sequence[Code],
    title: str,
    marked: Iterable[Passage],
) -> None:
    st.caption(
        "A draft with your codes, a colour and a key for each, what they mean, and one of your "
        "passages as the example. Complete hints and definitions in the file, then load it on the "
        "Data page."
    )
    names = [one.name for one in codes]
    good = st.multiselect(
        "Of these, codes that say there is no error", names, key="coding.draft.non_errors"
    )
    draft = draft_taxonomy_from_label_names(
        names,
        id=title,
        title=title,
        examples=_examples(codes, marked),
        descriptions={one.name: one.description for one in codes},
        non_errors=good,
    )
    st.dataframe(taxonomy_labels_table(draft), hide_index=True)
    dataset = subject.corpus.dataset
    with st.container(horizontal=True):
        draw_export_button(
            "Download as TOML",
            lambda: taxonomy_as_toml(draft),
            key="coding.draft.out",
            about=f"taxonomy drafted from the open codes of {dataset}",
            file_name=make_download_file_name(draft.id, "taxonomy", form="toml"),
            mime="application/toml",
        )
        if subject.corpus.study != tasks.STUDY:
            return
        with st.popover(f"Use it for {escape_markdown(dataset)}"):
            st.markdown("Reviewers will tag with these labels and their draft texts.")
            if st.button("Use it now", key="coding.draft.use"):
                queries.store_taxonomy_of_dataset(here.store, dataset, draft, by=here.person)
                st.success("These labels are now used for the dataset.")


def _examples(codes: Iterable[Code], marked: Iterable[Passage]) -> dict[str, str]:
    """For each code, the shortest passage of reasonable length that has it."""
    names = {one.id: one.name for one in codes}
    quotes: dict[str, list[str]] = {}
    for one in marked:
        if one.code.label in names:
            quotes.setdefault(names[one.code.label], []).append(one.code.quote)
    return {
        label: min(found, key=lambda quote: (len(quote) < 20, len(quote)))[:_LONGEST_EXAMPLE]
        for label, found in quotes.items()
    }
