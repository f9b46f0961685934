"""One pair for leads: statement and source, each model's and doctor's verdict, its history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from medlens.errors import InvalidInput
from medlens.review import judging
from medlens.studies.model_verdicts_and_runs_of_judges import Verdict
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup import tasks
from medlens.studies.sourcecheckup.records import VERDICT_NAMES
from medlens.studies.sourcecheckup.registration import ANSWERS
from medlens.studies.sourcecheckup.run_verification import list_verdicts
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.ui import (
    Here,
    all_verdicts_and_revisions_on_item,
    list_filters_and_paging,
    page_address,
)
from medlens.ui.page_frame import escape_to_one_line
from medlens.ui.sourcecheckup import source_page_outcome_and_corrections
from medlens.ui.sourcecheckup.address_changes import ask_lead_and_say_if_item_may_be_seen
from medlens.ui.sourcecheckup.figure_data import FigureDataForLead
from medlens.ui.sourcecheckup.source_reader import draw_source_reader
from medlens.ui.sourcecheckup.statements_and_sources_prepared_to_read import (
    QUOTED,
    StatementsBesideSources,
    list_numbers_of_sentences_with_quotes,
    match_model_quote_to_page,
    pair_data_for_reader,
    prepare_pair_to_read,
)
from medlens.ui.styles import read_style_sheet
from medlens.web.passage_search import SourceSentences
from medlens.web.quote_search import QuoteMatch

_STYLE = read_style_sheet("sourcecheckup_pair")


def draw_pair_with_verdicts_and_say_if_found(
    here: Here, study: Study, source: FigureDataForLead, item: str, items: Sequence[str]
) -> bool:
    """Draw the pair with this item id, one of ``items`` to page through; False if none."""
    try:
        laid = prepare_pair_to_read(here, item)
    except InvalidInput:
        return False
    [text] = laid.texts
    st.html(_STYLE)
    with list_filters_and_paging.context_that_draws_list_navigation(
        item, items, parameter="pair", key="pair"
    ) as at:
        if at >= 0:
            st.caption(f"{at + 1} of {len(items)} on this page", width="content")
    if not ask_lead_and_say_if_item_may_be_seen(here, item, "This pair or its answer"):
        return True
    # Looking is recorded: this lead's later judgments here, or of the answer, are not blind.
    judging.record_view_of_others_judgments(
        here.store, study.support, item=item, viewer=here.person
    )
    listed.record_pair_seen(here.store, item, here.person)
    rows = judging.list_revisions_viewer_may_see(
        here.store, study.support, item=item, viewer=here.person
    )
    newest = {row["rater_id"]: row for row in rows}
    left, right = st.columns([5, 8], gap="medium")
    with left, st.container(key="verify-left"):
        _statement(laid)
        _origin(source, item)
        source_page_outcome_and_corrections.draw_page_outcome_and_corrections(
            here, study.dataset, text.snapshot
        )
        for row in newest.values():
            _verdict(row, text.page)
        if not newest:
            st.caption("Nobody has judged this pair.")
        said = list_verdicts(here.store, tasks.SUPPORT, study.dataset, item=item)
        all_verdicts_and_revisions_on_item.draw_all_verdicts_on_item(
            here, said, judges="verifier", key="pair.judges", word=_named
        )
        if rows:
            all_verdicts_and_revisions_on_item.draw_all_revisions_on_item(
                lambda: rows, _said, key="pair.history"
            )
    quote = list_numbers_of_sentences_with_quotes(
        text.page, (match_model_quote_to_page(text.page, row["value"]) for row in newest.values())
    )
    with right:
        draw_source_reader(pair_data_for_reader(laid, key=item, quote=quote), key="pair.source")
    return True


def _statement(laid: StatementsBesideSources) -> None:
    """The statement, and the question that its answer was given to."""
    with st.container(border=True, key="verify-statement"):
        st.caption("Statement")
        st.text(laid.statements[0][1], width="stretch")
    if laid.question:
        st.caption(f"From an answer to: {escape_to_one_line(laid.question)}")


def _verdict(row: dict[str, Any], page: SourceSentences) -> None:
    """A rater's verdict with its reason and quote, and how the quote compares with the page."""
    value = row["value"]
    name = VERDICT_NAMES.get(value.verdict, "no verdict")
    st.markdown(f"**{escape_to_one_line(row['rater'])}** says: **{name}**")
    if value.reason:
        st.text(value.reason, width="stretch")
    found = match_model_quote_to_page(page, value)
    if found.how in ("cut_short", "alike", "missing"):
        st.markdown(f":material/warning: **{QUOTED[found.how]}**")
    else:
        st.caption(f":material/format_quote: {QUOTED[found.how]}")
    if found.how in ("cut_short", "alike"):
        st.markdown(f"“{_marked(found)}”")
    elif value.quote:
        st.text(f"“{value.quote}”", width="stretch")


def _named(verdict: Verdict) -> str:
    return next(
        (name for one, name in VERDICT_NAMES.items() if one == verdict.outcome), verdict.outcome
    )


def _marked(found: QuoteMatch) -> str:
    """A quote and the page's words in one line of Markdown, with the differences marked."""
    drawn = {"same": "{}", "quote": ":red-background[~~{}~~]", "page": ":green-background[**{}**]"}
    parts = [(drawn[one.where], escape_to_one_line(one.text)) for one in found.changes]
    return " ".join(draw.format(text) if text else "" for draw, text in parts)


def _origin(source: FigureDataForLead, item: str) -> None:
    found = source.listed_pairs_table[source.listed_pairs_table["item_id"] == item]
    if found.empty:
        return
    row = found.iloc[0]
    st.caption(
        f"**{escape_to_one_line(row['model'])}**, {escape_to_one_line(row['group'] or 'no group')}"
    )
    st.button(
        f"Its answer: {escape_to_one_line(row['response'])}",
        key="pair.answer",
        type="tertiary",
        icon=":material/article:",
        on_click=page_address.set_values_in_address,
        kwargs={"view": ANSWERS, "answer": row["response"]},
    )


def _said(row: all_verdicts_and_revisions_on_item.Revision) -> dict[str, str]:
    value = row["value"]
    return {"verdict": VERDICT_NAMES.get(value.verdict, ""), "reason": value.reason}
