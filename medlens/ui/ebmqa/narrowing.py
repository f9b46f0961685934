"""The filters: any label, the models, words of a question; each stands in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from medlens.ebmqa.explore.where import COUNTED, DIMENSIONS, Where, in_order
from medlens.ui import address
from medlens.ui.ebmqa import nav
from medlens.ui.ebmqa.source import Source
from medlens.ui.ebmqa.widgets import NONE
from medlens.ui.frame import escape


def known_values(source: Source) -> dict[str, list[str]]:
    """The values of every label that can be narrowed to, and the models."""

    def make() -> dict[str, list[str]]:
        found = {
            label: in_order(label, [value for value, _ in values])
            for label, values in source.keep_whole("values", source.explorer.values).items()
            if len(values) > 1
        }
        return {**found, "model": list(source.all_models)}

    return source.keep_whole("known_values", make)


def draw_filters(source: Source, where: Where, known: Mapping[str, list[str]]) -> None:
    """What is narrowed now, each to be taken away with a click, and the sheet to change it."""
    opened = st.popover(
        "Filter", icon=":material/filter_list:", key="ebmqa.filter", on_change="rerun"
    )
    if opened.open:
        with opened:
            _sheet(source, where, known)
    for label, values in where.labels:
        _chip(label, f"{DIMENSIONS[label]}: {', '.join(_shown(value) for value in values)}")
    if where.models:
        _chip("models", f"Models: {', '.join(where.models)}")
    if where.search:
        _chip("q", f"Words: {where.search}")
    if len(where.labels) + bool(where.models) + bool(where.search) > 1:
        st.button("Clear all", key="ebmqa.clear", type="tertiary", on_click=nav.clear_filters)


def _chip(name: str, text: str) -> None:
    short = text if len(text) <= 48 else f"{text[:47]}…"
    st.button(
        escape(short),
        key=f"ebmqa.chip.{name}",
        icon=":material/close:",
        type="tertiary",
        help="Remove this filter",
        on_click=address.go,
        kwargs={name: "", "mark": "", "page": "", "question": ""},
    )


def _shown(value: str) -> str:
    return value or NONE


def _sheet(source: Source, where: Where, known: Mapping[str, list[str]]) -> None:
    if len(source.all_models) > 1:
        _several("models", "Models", known["model"], where.models)
    for label, values in known.items():
        # The kind is chosen above every chart.
        if label not in ("model", "kind") and label not in COUNTED:
            _several(label, DIMENSIONS[label], values, where.values(label))


def _several(name: str, title: str, values: Sequence[str], chosen: Sequence[str]) -> None:
    key = f"ebmqa.f.{name}"
    st.session_state[key] = list(chosen)

    def changed() -> None:
        address.go(
            **{name: nav.joined(st.session_state[key]), "mark": "", "page": "", "question": ""}
        )

    st.multiselect(
        title,
        list(values),
        key=key,
        format_func=_shown,
        placeholder="any",
        on_change=changed,
        width=320,
    )
