"""A dataset's items: searched by their words, a page at a time, each with a link to its page."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping
from hashlib import blake2b

import streamlit as st

from medlens.review import items, renaming_and_name_translation
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.studies.own.blinded_arms import list_names_of_arms_in_item
from medlens.studies.own.model_name_masking import mask_names_in_cells
from medlens.studies.own.study import open_study as open_own_study
from medlens.studies.own.tasks import STUDY as OWN
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import Listed, Study, words_of_listed_items
from medlens.studies.tagging import queries, tasks
from medlens.studies.tagging.records import ResponseItem
from medlens.tables import write_table
from medlens.ui import archive_unarchive_and_delete_forms, list_filters_and_paging, rename_forms
from medlens.ui.correction_forms import draw_correction_form
from medlens.ui.data.exports import make_download_file_name
from medlens.ui.export_button import draw_export_button
from medlens.ui.item_withdrawal_forms import (
    draw_form_to_withdraw_or_put_back,
    draw_withdrawn_items_to_put_back,
)
from medlens.ui.own_item_panes_and_questions import desk_places_in_use, draw_panes_of_item
from medlens.ui.page_frame import Here, escape_markdown
from medlens.ui.person_and_item_text_erasure_forms import draw_search_for_text_to_erase

_PER_PAGE = 50


def draw_item_search_and_list(here: Here, study: str, dataset: str) -> None:
    """Search, a page of the list and its file, and the item that the address names."""
    declared = STUDIES[study]
    if any(
        one["illustrative"]
        for one in items.datasets_of_study(here.store, study)
        if one["dataset"] == dataset
    ):
        st.caption("These items are illustrative: written for the demo, not taken from a study.")
    kinds = _kinds(here, declared, dataset)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(
            "Search",
            key="data.search",
            bind="query-params",
            icon=":material/search:",
            width=420,
            placeholder="words in a name or text",
        )
        if len(kinds) > 1:
            chosen = st.selectbox(
                "Kind",
                list(kinds),
                None,
                format_func=lambda kind: kinds[kind].title,
                key=f"data.kind.{study}",
                placeholder="every kind",
                width=260,
            )
            kinds = {chosen: kinds[chosen]} if chosen else kinds
        opened = declared.open(here.store, here.settings, dataset)
        words = words_of_listed_items(kinds, opened)
        total = items.count_matching_items(here.store, study, dataset, words, search=search)
        pages = max(1, math.ceil(total / _PER_PAGE))
        page = 1
        if pages > 1:
            page = st.number_input(
                f"Page (of {pages:,})",
                1,
                pages,
                key=f"data.page.{study}.{dataset}.{search}.{len(kinds)}",
                width=180,
            )

        called = renaming_and_name_translation.current_name_of_dataset(here.store, study, dataset)

        def content() -> tuple[bytes, int]:
            whole = items.table_of_items_on_one_page(
                here.store, study, dataset, words, search=search, limit=None
            )
            out = io.BytesIO()
            write_table(whole.drop(columns="item_id"), out, format="csv", bom=True)
            return out.getvalue(), len(whole)

        draw_export_button(
            "CSV",
            content,
            about=f"items of {called}",
            file_name=make_download_file_name(called, study, "items", form="csv"),
            mime="text/csv",
            key="data.items.csv",
        )
    found = items.table_of_items_on_one_page(
        here.store, study, dataset, words, search=search, offset=(page - 1) * _PER_PAGE
    )
    many = "1 item" if total == 1 else f"{total:,} items"
    none = "No item contains these words." if search else "No item is in use."
    st.caption(f"{many}. Tick a row to open it." if total else none)
    names = list(found["item"])
    if names:
        found["kind"] = [kinds[kind].title for kind in found["kind"]]
        list_filters_and_paging.draw_table_whose_chosen_row_is_in_address(
            found.drop(columns=["item_id", *(["kind"] if len(kinds) == 1 else [])]),
            names,
            "item",
            key=f"data.list.{study}.{dataset}.{search}.{page}",
            height=min(38 + 35 * len(names), 560),
            column_config={
                "text": st.column_config.TextColumn("begins", width="large"),
                "judged_by": st.column_config.NumberColumn("judged by"),
            },
        )
    if asked := st.query_params.get("item", ""):
        _one(here, declared, dataset, asked)
    draw_withdrawn_items_to_put_back(here, study, dataset)
    draw_search_for_text_to_erase(here, study, dataset)
    rename_forms.draw_rename_form(here, Thing("dataset", study, dataset))
    title = "Archive this study" if declared.datasets_are_studies else "Archive this dataset"
    archive_unarchive_and_delete_forms.draw_archive_form(
        here, Thing("dataset", study, dataset), title
    )


def _kinds(here: Here, declared: Study, dataset: str) -> Mapping[str, Listed]:
    """How the study's kinds of item are listed; by their kind's name if the study does not say."""
    if declared.listed:
        return declared.listed
    opened = declared.open(here.store, here.settings, dataset)
    return {one.item_kind: Listed(one.item_kind) for one in declared.tasks(opened)}


def _one(here: Here, declared: Study, dataset: str, name: str) -> None:
    known = items.item_ids_by_name(here.store, declared.name, dataset, [name])
    if name not in known:
        st.info(
            f"There is no item {escape_markdown(name)} in this dataset.", icon=":material/info:"
        )
        return
    if declared.name == tasks.STUDY:
        draw_whole_item_as_text(queries.load_response(here.store, known[name]), name)
        st.caption("The address of this page leads to this item.")
        draw_correction_form(here, declared.name, dataset, name=name, item=known[name])
        draw_form_to_withdraw_or_put_back(here, declared.name, dataset, name=name, item=known[name])
        return
    kind = items.kind_of_item(here.store, known[name])
    how = declared.listed.get(kind)
    st.header(escape_markdown(name), anchor=False)
    st.page_link(
        declared.page,
        label=f"Open it under {declared.enter}",
        icon=":material/arrow_forward:",
        query_params={
            **(how.where(name, known[name]) if how else declared.items_view),
            "dataset": dataset,
        },
    )
    if draw := _DRAWN_HERE.get(declared.name):
        draw(here, dataset, known[name])
    draw_correction_form(here, declared.name, dataset, name=name, item=known[name])
    draw_form_to_withdraw_or_put_back(here, declared.name, dataset, name=name, item=known[name])


def _draw_own_item(here: Here, dataset: str, item: str) -> None:
    """What an item of a study of one's own shows, as at the desk: no model is named."""
    study = open_own_study(here.store, here.settings, dataset)
    laid = mask_names_in_cells(items.item_body(here.store, item), study.declared)
    # In an order of the item's own: a letter that always stood for one model would name it.
    order = sorted(
        list_names_of_arms_in_item(laid),
        key=lambda arm: blake2b(f"{item}\x1f{arm}".encode()).digest(),
    )
    # Its name can say who wrote it, and reaches the browser as part of a key.
    sign = blake2b(item.encode(), digest_size=6).hexdigest()
    with st.container(border=True, key="data-own-item"):
        for place in desk_places_in_use(study.declared):
            for after in (False, True):
                draw_panes_of_item(
                    study.declared,
                    laid,
                    order,
                    study.attached,
                    item=sign,
                    place=place,
                    after=after,
                    reading=True,
                )


_DRAWN_HERE: Mapping[str, Callable[[Here, str, str], None]] = {OWN: _draw_own_item}
"""What draws an item, given its dataset and id, for studies whose own page shows it to be judged
and not to be looked up.
"""


def draw_whole_item_as_text(item: ResponseItem, name: str) -> None:
    """A whole item as text: question, options with the correct and the chosen one, response."""
    st.header(escape_markdown(name), anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        draw_question_and_options(item)
    with right:
        st.markdown(f"**{escape_markdown(item.model or 'Model')}'s response**")
        st.text(item.response, width="stretch")


def draw_question_and_options(item: ResponseItem) -> None:
    """The question and its options."""
    st.markdown("**Question**")
    st.text(item.question, width="stretch")
    if item.options:
        st.markdown("**Options**")
        options = "\n".join(_option(item, one.key, one.text) for one in item.options)
        st.text(options, width="stretch")


def _option(item: ResponseItem, key: str, text: str) -> str:
    marks = [word for word, at in (("correct", item.correct), ("chosen", item.chosen)) if at == key]
    return f"{key}: {text}" + (f"  ({', '.join(marks)})" if marks else "")
