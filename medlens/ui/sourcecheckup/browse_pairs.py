"""Pairs for leads: filtered, paged, read; the selection is in the address."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from medlens.review.run_names import names_of_runs_by_id
from medlens.studies.sourcecheckup import pair_list
from medlens.studies.sourcecheckup.metrics_input_tables import STATEMENT_STATES
from medlens.studies.sourcecheckup.metrics_sites_countries_and_readability import KINDS
from medlens.studies.sourcecheckup.records import OUTCOMES, VERDICT_NAMES
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.ui import Here, list_filters_and_paging
from medlens.ui.chart_with_table_and_csv import STYLE, draw_clickable_table, draw_csv_button
from medlens.ui.page_address import set_values_in_address
from medlens.ui.sourcecheckup import pair_detail, pair_sampling_form
from medlens.ui.sourcecheckup.address_changes import pair_filters_in_address
from medlens.ui.sourcecheckup.answers import SIGNS
from medlens.ui.sourcecheckup.figure_data import FigureDataForLead

PAGE = 50
SHOWN = {
    "text": "statement",
    "url": "source",
    "verdict": "verdict",
    "state": "statement is",
    "doctors": "doctors",
    "doctors_say": "doctors say",
    "outcome": "page",
    "model": "model",
    "group": "group",
    "response": "answer",
}
_DOCTORS = {"asked": "asked", "disagree": "disagree", "yes": "say supported", "no": "say not"}


_search = partial(
    list_filters_and_paging.draw_search_field, key="browse", placeholder="statement or address"
)


def draw_pair_list_or_pair(here: Here, study: Study) -> None:
    """The list, or the pair that the address names.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    source = FigureDataForLead(here.store, study, here.person, st.query_params.get("verifier", ""))
    st.html(STYLE)
    opened = st.query_params.get("pair", "")
    if opened:
        page, _ = _page(source)
        if pair_detail.draw_pair_with_verdicts_and_say_if_found(
            here, study, source, opened, page["item_id"].tolist()
        ):
            return
        set_values_in_address(pair="")
    with st.container(horizontal=True, vertical_alignment="bottom", key="browse.filters"):
        _filters(source)
        pair_sampling_form.draw_form_to_sample_pairs(here, study)
    pair_sampling_form.draw_outcome_of_last_sample()
    table, total = _page(source)
    list_filters_and_paging.draw_list_pager(total, PAGE, "pairs", key="browse")
    if table.empty:
        st.caption("No pair matches.")
        return
    draw_table_of_pairs(table, "browse.list")


def draw_table_of_pairs(table: pd.DataFrame, key: str) -> None:
    """A list of pairs; click a row to open it."""
    shown = table[list(SHOWN)].rename(columns=SHOWN)
    shown["verdict"] = [VERDICT_NAMES.get(one, one) for one in shown["verdict"]]
    shown["statement is"] = [_state_name(one) if one else "" for one in shown["statement is"]]
    draw_clickable_table(
        shown,
        key,
        marks=tuple(table["item_id"]),
        alt="Pairs; click a row to open it",
        on_mark=lambda item: set_values_in_address(pair=item) if item else None,
        height=min(38 + 35 * len(shown), 620),
        columns={"statement": st.column_config.TextColumn(width="large")},
    )
    draw_csv_button(shown, "pairs")


def _page(source: FigureDataForLead) -> tuple[pd.DataFrame, int]:
    found = pair_list.filter_table_of_pairs(source.listed_pairs_table, pair_filters_in_address())
    first = list_filters_and_paging.whole_number_in_address("page") * PAGE
    return found.iloc[first : first + PAGE], len(found)


def _filters(source: FigureDataForLead) -> None:
    responses = source.all_evidence.material.responses
    _search("Search", "q")
    with list_filters_and_paging.context_that_draws_filter_popover(key="browse") as filters:
        choose = partial(list_filters_and_paging.draw_filter_choice, key="browse", within=filters)
        list_filters_and_paging.add_search_as_filter_chip(filters, "q")
        runs = names_of_runs_by_id(source.store, source.listed_pairs_table["run"])
        if len(runs) > 1 or st.query_params.get("run"):
            choose("Run", "run", list(runs), lambda one: runs.get(one, one))
        choose("Model", "model", _names(responses["model"]))
        choose("Group", "group", _names(responses["group"]))
        choose("Verifier", "verifier", source.all_evidence.material.verifier_names)
        choose("Verdict", "verdict", [*VERDICT_NAMES, "none"], _verdict_name)
        choose("Statement is", "state", list(STATEMENT_STATES), _state_name)
        choose("Page", "outcome", [*OUTCOMES, "none"], _plain)
        choose("Domain", "kind", list(KINDS))
        choose("Doctors", "doctors", list(_DOCTORS), _DOCTORS.__getitem__)
        choose(
            "Verifier and doctors",
            "agrees",
            ["yes", "no"],
            lambda one: "agree" if one == "yes" else "differ",
        )
        for name, label in (("site", "Site"), ("response", "Answer"), ("question", "Question")):
            if given := st.query_params.get(name):
                _search(label, name)
                filters.chips[name] = f"{label}: {given}"


def _names(values: pd.Series[Any]) -> list[str]:
    return sorted({str(one) for one in values if one})


def _plain(value: str) -> str:
    return value.replace("_", " ")


def _state_name(state: str) -> str:
    return SIGNS[state][2]


def _verdict_name(value: str) -> str:
    return "none yet" if value == "none" else dict(VERDICT_NAMES)[value]  # type: ignore[index]
