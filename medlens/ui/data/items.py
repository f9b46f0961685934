"""The items of a dataset: found by their words, a page at a time, and one of them whole."""

from __future__ import annotations

import math

import streamlit as st

from medlens.review import items
from medlens.tagging import queries, tasks
from medlens.tagging.models import ResponseItem
from medlens.tagging.study import Study
from medlens.ui import address
from medlens.ui.frame import Here, escape

_PER_PAGE = 50


def draw(here: Here, study: Study) -> None:
    """Search, a page of the list, and the item that was opened or that the address names."""
    if study.illustrative:
        st.caption("These items are illustrative: written for the demo, not taken from a study.")
    search = st.text_input(
        "Search", key="data.search", bind="query-params", icon=":material/search:", width=420,
        placeholder="words of a name, question or response",
    )
    page = 1
    found, total = queries.listing(here.store, study.dataset, search=search, limit=_PER_PAGE)
    pages = math.ceil(total / _PER_PAGE)
    if pages > 1:
        page = st.number_input(
            f"Page (of {pages:,})", 1, pages, 1, key=f"data.page.{study.dataset}.{search}",
            width=180,
        )
        if page > 1:
            found, _ = queries.listing(
                here.store, study.dataset, search=search, offset=(page - 1) * _PER_PAGE,
                limit=_PER_PAGE,
            )
    st.caption(f"{total:,} items. Tick a row to open it.")
    names = list(found["item"])
    key = f"data.list.{study.dataset}.{search}.{page}"
    if names:
        st.dataframe(
            found.drop(columns="item_id"), hide_index=True, key=key,
            on_select=lambda: _open_row(key, names),
            selection_mode="single-row", height=min(38 + 35 * len(names), 360),
            column_config={
                "question": st.column_config.TextColumn("question begins", width="large"),
                "judged_by": st.column_config.NumberColumn("judged by"),
            },
        )
    asked = st.query_params.get("item", "")
    if asked:
        _one(here, study, asked)


def _open_row(key: str, names: list[str]) -> None:
    rows = st.session_state[key].selection.rows
    address.go(item=names[rows[0]] if rows else "")


def _one(here: Here, study: Study, name: str) -> None:
    known = items.by_names(here.store, tasks.STUDY, study.dataset, [name])
    if name not in known:
        st.info(f"There is no item {escape(name)} in this dataset.", icon=":material/info:")
        return
    draw_item(queries.response(here.store, known[name]), name)
    st.caption("The address of this page leads to this item.")


def draw_item(item: ResponseItem, name: str) -> None:
    """An item whole, as text: question, options with the correct and the chosen one, response."""
    st.subheader(escape(name), anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        draw_question(item)
    with right:
        st.markdown(f"**{escape(item.model or 'Model')}'s response**")
        st.text(item.response, width="stretch")


def draw_question(item: ResponseItem) -> None:
    """The question and its options."""
    st.markdown("**Question**")
    st.text(item.question, width="stretch")
    if item.options:
        st.markdown("**Options**")
        st.text("\n".join(_option(item, one.key, one.text) for one in item.options),
                width="stretch")


def _option(item: ResponseItem, key: str, text: str) -> str:
    marks = [word for word, at in (("correct", item.correct), ("chosen", item.chosen)) if at == key]
    return f"{key}: {text}" + (f"  ({', '.join(marks)})" if marks else "")
