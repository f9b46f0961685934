"""Dialogues for leads: filtered, paged, read; what is chosen stands in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

import pandas as pd
import streamlit as st

from medlens.agentclinic import listing, queries
from medlens.agentclinic.biases import NONE
from medlens.agentclinic.listing import Filters
from medlens.agentclinic.study import Study
from medlens.ui import Here
from medlens.ui.address import go
from medlens.ui.agentclinic import compare, nav, read
from medlens.ui.charts import STYLE, csv_button, draw_table

PAGE = 50
_RATED = {
    "rated": "rated", "unrated": "not rated", "checked": "checked", "unchecked": "not checked",
}  # fmt: skip
_FILTERS = (
    "case", "doctor", "patient", "bias", "outcome", "messages", "images", "rated", "leaking",
    "disagree", "q", "run", "page",
)  # fmt: skip
COLUMNS = {
    "dialogue": "dialogue", "truth": "correct diagnosis", "outcome": "outcome", "given": "given",
    "doctor": "doctor", "patient": "patient", "doctor_bias": "doctor's bias",
    "patient_bias": "patient's bias", "n_interactions": "messages", "turns": "turns",
    "leaks": "tests say it", "rated_by": "rated by", "checked_by": "checked by",
    "disagree": "disagree",
}  # fmt: skip


def draw(here: Here, study: Study) -> None:
    """The list, or the dialogue (or two) that the address names."""
    st.html(STYLE)
    opened = st.query_params.get("dialogue", "")
    if opened:
        beside = st.query_params.get("beside", "")
        if beside and compare.draw(here, study, opened, beside):
            return
        names = _page(here, study)[0]["dialogue"].tolist()
        if read.draw(here, study, opened, names):
            return
    _filters(here, study)
    _listed(here, study)


@st.fragment
def _listed(here: Here, study: Study) -> None:
    """The page of the list; turning it draws nothing else anew."""
    if st.query_params.get("dialogue"):
        st.rerun()
    table, total = _page(here, study)
    _pager(total)
    if table.empty:
        st.caption("No dialogue meets this.")
        return
    draw_list(table, "browse.list")


def draw_list(table: pd.DataFrame, key: str, *, csv: str = "dialogues") -> None:
    """A list of dialogues; a click on a row opens it."""
    shown = table[list(COLUMNS)].rename(columns=COLUMNS)
    draw_table(
        shown, key, marks=tuple(table["dialogue"]), alt="Dialogues; a click on a row opens it",
        on_mark=nav.open_dialogue,
        height=min(38 + 35 * len(shown), 620),
    )  # fmt: skip
    csv_button(shown, csv)


def _page(here: Here, study: Study) -> tuple[pd.DataFrame, int]:
    return listing.listing(
        here.store, study.dataset, _wanted(), viewer=here.person, offset=_number("page") * PAGE,
        limit=PAGE,
    )  # fmt: skip


def _number(name: str) -> int:
    text = st.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 7 else 0


def _wanted() -> Filters:
    asked: Mapping[str, str] = st.query_params
    rated = asked.get("rated", "")
    bias = asked.get("bias", "")
    known = bias == NONE or bias.split(":")[0] in ("doctor", "patient")
    return Filters(
        case=asked.get("case", ""), doctor=asked.get("doctor", ""),
        patient=asked.get("patient", ""), bias=bias if known else "",
        outcome=asked.get("outcome", ""), n_interactions=_number("messages"),
        image_mode=asked.get("images", ""), run=asked.get("run", ""),
        rated=rated if rated in get_args(listing.Rated) else "",  # type: ignore[arg-type]
        disagreement=asked.get("disagree", "") == "yes",
        leaking={"yes": True, "no": False}.get(asked.get("leaking", "")),
        search=asked.get("q", ""),
    )  # fmt: skip


def _filters(here: Here, study: Study) -> None:
    there = listing.choices(here.store, study.dataset)
    cases = queries.cases(here.store, study.dataset)
    biases = [
        NONE,
        *(f"doctor:{one}" for one in there["doctor_bias"] if one != NONE),
        *(f"patient:{one}" for one in there["patient_bias"] if one != NONE),
    ]
    with st.container(horizontal=True, vertical_alignment="bottom", key="browse.filters"):
        _text("Search", "q")
        truth = {name: one.case.diagnosis for name, one in cases.items()}
        _choice("Case", "case", there["case"], lambda one: truth.get(one, one), width=220)
        _choice("Doctor", "doctor", there["doctor"])
        _choice("Patient", "patient", there["patient"])
        _choice("Bias", "bias", biases, lambda one: one.replace("_", " ").replace(":", ": "))
        _choice("Outcome", "outcome", there["outcome"], lambda one: one.replace("_", " "))
        _choice("Rated", "rated", list(_RATED), _RATED.__getitem__)
        _choice("Disagreement", "disagree", ["yes"], lambda _: "raters differ")
        _choice("Tests say it", "leaking", ["yes", "no"], str)
        if len(there["n_interactions"]) > 1:
            _choice("Messages", "messages", [str(n) for n in there["n_interactions"]])
        if len(there["image_mode"]) > 1:
            _choice("Images", "images", there["image_mode"])
        if any(name in st.query_params for name in _FILTERS):
            st.button("Clear", key="browse.clear", icon=":material/close:", type="tertiary",
                      on_click=_clear)  # fmt: skip


def _clear() -> None:
    go(**dict.fromkeys(_FILTERS, ""))


def _text(label: str, name: str) -> None:
    key = f"browse.{name}"
    st.session_state[key] = st.query_params.get(name, "")
    st.text_input(
        label, key=key, width=200, placeholder="words of a turn",
        on_change=lambda: go(**{name: str(st.session_state[key]), "page": ""}),
    )  # fmt: skip


def _choice(
    label: str, name: str, options: list[Any], shown: Callable[[Any], str] = str, *,
    width: int = 150,
) -> None:  # fmt: skip
    key = f"browse.{name}"
    asked = st.query_params.get(name)
    st.session_state[key] = asked if asked in options else None
    st.selectbox(
        label, options, key=key, width=width, placeholder="any", format_func=shown,
        on_change=lambda: go(**{name: str(st.session_state[key] or ""), "page": ""}),
    )  # fmt: skip


def _pager(total: int) -> None:
    at = _number("page")
    first, last = at * PAGE + 1, min(total, (at + 1) * PAGE)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{first:,}–{last:,}** of {total:,} dialogues" if total else "**0** dialogues",
            width="content",
        )
        for label, key, to in (("Previous page", "K", at - 1), ("Next page", "J", at + 1)):
            st.button(
                label, key=f"browse.{key}", shortcut=key, type="tertiary",
                disabled=to < 0 or to * PAGE >= total, on_click=go,
                kwargs={"page": str(to) if to else ""},
            )  # fmt: skip
