"""Two coders' codings side by side, once both have chosen to compare."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.review import codebooks_coded_passages_and_agreement
from medlens.review.codebooks_coded_passages_and_agreement import (
    Codebook,
    Coder,
    Coding,
    Corpus,
    list_ids_and_names_of_items_with_words,
)
from medlens.stats.estimate import Estimate, format_number
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.coding.codebook_editor_and_coded_passages import (
    list_code_revisions_viewer_may_see,
    rerun_page_after_work_if_pressed,
)
from medlens.ui.coding.desk import Subject, code_as_surface_label, surface_data_with_marks_of_codes
from medlens.ui.page_frame import Here, escape_markdown, escape_to_one_line
from medlens.ui.span_desk_view import STYLE
from medlens.ui.span_tagger import (
    marks_in_text_order_with_owners,
    span_tagger,
    surface_data_without_desk,
)

_BLIND, _NOW = "As each coded before comparing", "As it stands now"


def draw_choice_to_compare_or_comparison(here: Here, subject: Subject) -> None:
    """The choice to compare; then agreement on passages, the codes, and one text with both."""
    corpus = subject.corpus
    others = [
        one
        for one in codebooks_coded_passages_and_agreement.list_coders(here.store, corpus)
        if one.id != here.person.id
    ]
    mine = codebooks_coded_passages_and_agreement.codebook_of_coder(
        here.store, corpus, coder=here.person.id, viewer=here.person
    )
    if not mine.compared:
        _draw_choice(here, corpus, others)
        return
    ready = {one.id: one.name for one in others if one.compared}
    for each in others:
        if not each.compared:
            st.caption(
                f"{escape_markdown(each.name)} has coded {_texts(each.items)}, and is still blind."
            )
    if not ready:
        st.info(
            "You have chosen to compare. As soon as another coder has too, you see each other's "
            "codes.",
            icon=":material/hourglass_empty:",
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        coder = st.selectbox(
            "Compare with",
            list(ready),
            format_func=lambda one: ready.get(one, one),
            key="compare.with",
            width=260,
        )
        which = st.segmented_control(
            "What is compared", [_BLIND, _NOW], default=_BLIND, required=True, key="compare.which"
        )
    theirs = codebooks_coded_passages_and_agreement.codebook_of_coder(
        here.store, corpus, coder=coder, viewer=here.person
    )
    history = list_code_revisions_viewer_may_see(here, corpus)

    def coding(book: Codebook, of: str) -> Coding:
        own = [one for one in history if one.rater == of]
        return codebooks_coded_passages_and_agreement.last_coding_of_coder(
            book, own, blind=which == _BLIND
        )

    one, other = coding(mine, here.person.id), coding(theirs, coder)
    shared = sorted(one.marks.keys() & other.marks.keys())
    if not shared:
        st.info("There is no text that both of you have coded.", icon=":material/info:")
        return
    texts = codebooks_coded_passages_and_agreement.texts_by_item_id(here.store, corpus, shared)
    _draw_agreement(one, other, texts)
    _draw_codes(one, other, ready[coder])
    names = {
        item: name
        for item, name in list_ids_and_names_of_items_with_words(here.store, corpus)
        if item in texts
    }
    _draw_text(here, subject, one, other, ready[coder], names)


def _texts(count: int) -> str:
    return "1 text" if count == 1 else f"{count:,} texts"


def _draw_choice(here: Here, corpus: Corpus, others: list[Coder]) -> None:
    st.markdown(
        "You and the other coders are blind to each other's codes. Once you choose to compare, "
        "you and all coders who have chosen this see each other's codes. What you code from then "
        "on is no"
        " longer blind. This cannot be undone."
    )
    for one in others:
        state = "has chosen to compare" if one.compared else "is still blind"
        st.caption(f"{escape_markdown(one.name)} has coded {_texts(one.items)}, and {state}.")
    if not others:
        st.caption("Nobody else has coded these texts yet.")
    with st.popover("Compare", icon=":material/compare:"):
        st.markdown("Have you finished all the coding that should be blind?")
        rerun_page_after_work_if_pressed(
            here,
            st.button("Yes, compare from now on", key="compare.choose", type="primary"),
            lambda: codebooks_coded_passages_and_agreement.agree_to_compare_codes(
                here.store, corpus, by=here.person
            ),
        )


def _draw_agreement(one: Coding, other: Coding, texts: dict[str, str]) -> None:
    found = codebooks_coded_passages_and_agreement.agreement_of_two_coders_by_measure(
        one, other, texts
    )
    table = pd.DataFrame(_row(*about, estimate) for about, estimate in found.items())
    st.header("Agreement on passages", anchor=False)
    st.dataframe(table, hide_index=True, placeholder="–", alt="Agreement on passages")
    draw_csv_button(table, "open-codes-agreement")


def _row(name: str, means: str, found: Estimate) -> dict[str, object]:
    low, high = format_number(found.low), format_number(found.high)
    return {
        "agreement": name,
        "value": format_number(found.value),
        "95% interval": f"{low} to {high}" if low and high else "",
        "texts": found.n,
        "measure": means,
        "method": found.method if found.value is not None else f"undefined: {found.reason}",
    }


def _draw_codes(one: Coding, other: Coding, name: str) -> None:
    st.header("Codes on the same words", anchor=False)
    pairs = codebooks_coded_passages_and_agreement.overlap_counts_by_pair_of_codes(one, other)
    if not pairs:
        st.caption("No passage of yours shares words with one of theirs.")
        return
    table = pd.DataFrame(
        [(mine, theirs, count) for (mine, theirs), count in pairs.items()],
        columns=["my code", "their code", "passages that share words"],
    ).sort_values("passages that share words", ascending=False, ignore_index=True)
    st.caption(f"Codes of yours and of {escape_markdown(name)} on the same words.")
    st.dataframe(table, hide_index=True, height=min(38 + 35 * len(table), 320))


def _draw_text(
    here: Here,
    subject: Subject,
    one: Coding,
    other: Coding,
    name: str,
    names: dict[str, str],
) -> None:
    st.header("A text with both", anchor=False)
    item = st.selectbox(
        "Text",
        list(names),
        format_func=lambda each: names.get(each, each),
        key="compare.item",
        width=320,
    )
    both = {"I": one.marks[item], escape_to_one_line(name): other.marks[item]}
    used = list(dict.fromkeys(code.label for codes in both.values() for code in codes))
    labels = [
        code_as_surface_label(
            codebooks_coded_passages_and_agreement.Code(label, label), at, at + 1 if at < 9 else 0
        )
        for at, label in enumerate(used)
    ]
    st.html(STYLE)
    with st.container(key="among"):
        span_tagger.draw_item_without_desk(
            surface_data_without_desk(
                {"labels": labels, "reading": [], "fields": [], "comment": False},
                subject.lay(here.store, item),
                f"compare:{item}",
                marks_in_text_order_with_owners(
                    {who: surface_data_with_marks_of_codes(codes) for who, codes in both.items()}
                ),
                rater="view:coders",
                readonly=True,
                among=True,
                notice="",
            ),
            key="compare.surface",
            on_message=lambda message: None,
        )
