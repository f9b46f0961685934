"""Answers for leads: which are supported, and one of them statement by statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from medlens.review.run_names import names_of_runs_by_id
from medlens.store import Store
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup import queries
from medlens.studies.sourcecheckup.metrics_input_tables import RESPONSE_STATES, STATEMENT_STATES
from medlens.studies.sourcecheckup.reassembled_answers import CleanedAnswer, list_cleaned_answers
from medlens.studies.sourcecheckup.records import VERDICT_NAMES
from medlens.studies.sourcecheckup.registration import PAIRS
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.ui import Here, list_filters_and_paging
from medlens.ui.chart_with_table_and_csv import STYLE, draw_clickable_table, draw_csv_button
from medlens.ui.page_address import set_values_in_address
from medlens.ui.page_frame import escape_to_one_line
from medlens.ui.sourcecheckup import source_page_outcome_and_corrections
from medlens.ui.sourcecheckup.address_changes import (
    ask_lead_and_say_if_item_may_be_seen,
    url_if_safe_to_open,
)
from medlens.ui.sourcecheckup.figure_data import FigureDataForLead
from medlens.web.passage_search import index_sentences_of_source

SIGNS = {
    "supported": ("green", ":material/check:", "supported"),
    "partly": ("orange", ":material/contrast:", "partly supported"),
    "contradicted": ("red", ":material/block:", "contradicted"),
    "unsupported": ("red", ":material/close:", "not stated"),
    "no_source": ("red", ":material/link_off:", "no source"),
    "unreachable": ("orange", ":material/cloud_off:", "not stated, a source unreadable"),
    "undecided": ("gray", ":material/pending:", "not decided yet"),
}
"""State of a statement -> colour, sign, name."""


# An answer as text, each sentence coloured by the support for its statements.
#
# Foreign text is escaped and put into Markdown a sentence at a time; a state is shown by sign and
# word as well as by colour.


def statement_numbers_by_sentence(
    text: str, statements: Sequence[Mapping[str, Any]]
) -> dict[int, list[int]]:
    """Sentence of the answer -> the numbers (from 0) of the statements most similar to it."""
    page = index_sentences_of_source(text)
    found: dict[int, list[int]] = {}
    for at, one in enumerate(statements):
        likest = page.sentence_numbers_like_statement(str(one["text"]), most=1)
        best = likest[0] if likest else page.sentence_number_holding_statement(str(one["text"]))
        if best is not None:
            found.setdefault(best, []).append(at)
    return found


def draw_answer_coloured_by_state(
    text: str, statements: Sequence[Mapping[str, Any]], states: Mapping[str, str]
) -> None:
    """The answer, coloured; ``states`` are by statement name."""
    page = index_sentences_of_source(text)
    where = statement_numbers_by_sentence(text, statements)
    lines: list[list[str]] = []
    for i, sentence in enumerate(page.texts_of_sentences()):
        if i in page.paragraphs or not lines:
            lines.append([])
        own = [statements[at] for at in where.get(i, ())]
        if not own:
            lines[-1].append(escape_to_one_line(sentence))
            continue
        worst = max(
            (states.get(str(one["name"]), "undecided") for one in own),
            key=STATEMENT_STATES.index,
        )
        several = {states.get(str(one["name"]), "undecided") for one in own}
        worst = next((one for one in ("contradicted", "unsupported") if one in several), worst)
        colour = SIGNS[worst][0]
        signs = " ".join(
            f"{SIGNS[states.get(str(one['name']), 'undecided')][1]}**{one['n']}**" for one in own
        )
        lines[-1].append(f":{colour}-background[{escape_to_one_line(sentence)}] {signs}")
    if not lines:
        st.caption("The answer is empty.")
    st.markdown("\n\n".join(" ".join(parts) for parts in lines))


def draw_state_legend(states: Mapping[str, str]) -> None:
    """The meaning of the signs that occur."""
    there = [one for one in STATEMENT_STATES if one in states.values()]
    if there:
        st.caption(
            " · ".join(
                f"{SIGNS[one][1]} :{SIGNS[one][0]}-background[{SIGNS[one][2]}]" for one in there
            )
        )


def draw_statements_with_states(
    statements: Sequence[Mapping[str, Any]], states: Mapping[str, str]
) -> None:
    """The statements with their numbers and states, as a list."""
    for one in statements:
        colour, sign, name = SIGNS[states.get(str(one["name"]), "undecided")]
        st.markdown(
            f"**{one['n']}** {sign} {escape_to_one_line(str(one['text']))}"
            f" :{colour}-background[{name}]"
        )


def draw_cleaned_answer(one: CleanedAnswer) -> None:
    """A cleaned-up answer: statement by statement, the changes word by word."""
    for piece in one.pieces:
        if piece.state == "kept":
            st.markdown(escape_to_one_line(piece.after))
            continue
        parts = []
        for word in piece.word_diff:
            plain = escape_to_one_line(word.text)
            if not plain:
                continue
            parts.append(
                plain
                if word.change == "same"
                else f":red-background[~~{plain}~~]"
                if word.change == "old"
                else f":green-background[**{plain}**]"
            )
        st.markdown(" ".join(parts))
        verdict = {str(one): name.lower() for one, name in VERDICT_NAMES.items()}.get(piece.verdict)
        now = f"{verdict} now" if verdict else "not verified yet"
        what = "Removed" if piece.state == "removed" else f"Edited; {now}"
        st.caption(f"{what}. {escape_to_one_line(piece.reason)}")


PAGE = 50
_STATES: dict[str, str] = {
    "supported": "supported",
    "unsupported": "not supported",
    "no_source": "without a source",
    "unreachable": "not supported (a source unreadable)",
    "undecided": "not decided yet",
    "no_statement": "without a statement",
    "not_done": "not split into statements",
}


def draw_answer_list_or_answer(here: Here, study: Study) -> None:
    """The list, or the answer that the address names.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    source = FigureDataForLead(here.store, study, here.person, st.query_params.get("verifier", ""))
    st.html(STYLE)
    table = source.compute_once_per_version("answers", lambda: _table(source))
    wanted = _narrowed(table)
    first = list_filters_and_paging.whole_number_in_address("page") * PAGE
    opened = st.query_params.get("answer", "")
    if opened:
        names = wanted["answer"].iloc[first : first + PAGE].tolist()
        if _one(here, study, source, opened, names):
            return
        set_values_in_address(answer="")
    _filters(here.store, table)
    list_filters_and_paging.draw_list_pager(len(wanted), PAGE, "answers", key="answers")
    shown = wanted.iloc[first : first + PAGE]
    if shown.empty:
        st.caption("No answer matches.")
        return
    draw_clickable_table(
        shown,
        "answers.list",
        marks=tuple(shown["answer"]),
        alt="Answers; click one to open it",
        on_mark=lambda name: set_values_in_address(answer=name) if name else None,
        height=min(38 + 35 * len(shown), 620),
    )
    draw_csv_button(shown, "answers")


def _table(source: FigureDataForLead) -> pd.DataFrame:
    judged, material = source.judged_results_of_chosen_verifier, source.all_evidence.material
    owner = material.response_rows_of_statements
    count = len(material.responses)
    runs = queries.run_ids_by_answer(source.store, source.study.dataset)
    supported = judged.statement == STATEMENT_STATES.index("supported")
    return pd.DataFrame(
        {
            "answer": material.responses["response"],
            "question": material.responses["question"],
            "model": material.responses["model"],
            "group": material.responses["group"],
            "is": np.array([_STATES[one] for one in RESPONSE_STATES], dtype=object)[
                judged.response
            ],
            "statements": np.bincount(owner, minlength=count),
            "supported": np.bincount(owner[supported], minlength=count),
            "sources": np.bincount(material.array_of_response_rows_of_citations, minlength=count),
            "with use": np.bincount(
                material.array_of_response_rows_of_citations[judged.used], minlength=count
            ),
            "run": material.responses["response"].map(runs).fillna(""),
        }
    )


def _narrowed(table: pd.DataFrame) -> pd.DataFrame:
    for name in ("run", "model", "group", "question"):
        asked = st.query_params.get(name, "")
        if asked:
            table = table[table[name] == asked]
    state = _STATES.get(st.query_params.get("is", ""))
    return table[table["is"] == state] if state else table


def _filters(store: Store, table: pd.DataFrame) -> None:
    runs = names_of_runs_by_id(store, table["run"])
    by_run = len(runs) > 1 or st.query_params.get("run")
    with (
        st.container(horizontal=True, vertical_alignment="bottom", key="answers.filters"),
        list_filters_and_paging.context_that_draws_filter_popover(key="answers") as filters,
    ):
        for label, name, options in (
            *([("Run", "run", list(runs))] if by_run else []),
            ("Model", "model", sorted(set(table["model"]))),
            ("Group", "group", sorted(set(table["group"]) - {""})),
            ("The answer is", "is", list(RESPONSE_STATES)),
        ):
            list_filters_and_paging.draw_filter_choice(
                label,
                name,
                options,
                lambda one: _STATES.get(one) or runs.get(one, one),
                key="answers",
                within=filters,
            )


# -- one answer ------------------------------------------------------------------------------------


def _one(here: Here, study: Study, source: FigureDataForLead, name: str, names: list[str]) -> bool:
    found = listed.load_answer_by_name(here.store, study.dataset, name)
    if found is None:
        return False
    with list_filters_and_paging.context_that_draws_list_navigation(
        name, names, parameter="answer", key="answer"
    ):
        st.markdown(f"**{escape_to_one_line(name)}**", width="content")
        st.button(
            "Its pairs",
            key="answer.pairs",
            type="tertiary",
            icon=":material/list:",
            on_click=set_values_in_address,
            kwargs={"view": PAIRS, "response": name},
        )
    if not ask_lead_and_say_if_item_may_be_seen(here, found["id"], "This answer or a pair of it"):
        return True
    # Looking is recorded: this lead's later judgments of it are not blind.
    said = listed.reveal_table_of_model_verdicts_on_answer(
        here.store, study.dataset, found["id"], here.person
    )
    judged, material = source.judged_results_of_chosen_verifier, source.all_evidence.material
    rows = np.flatnonzero((material.statements["response"] == name).to_numpy(dtype=bool))
    states = {
        str(material.statements["statement"].iloc[row]): STATEMENT_STATES[judged.statement[row]]
        for row in rows
    }
    statements = listed.list_statements_of_answer(here.store, found["id"])
    st.markdown(f"**{escape_to_one_line(found['question'])}**")
    at = int(np.flatnonzero((material.responses["response"] == name).to_numpy(dtype=bool))[0])
    state = _STATES[RESPONSE_STATES[judged.response[at]]]
    st.caption(
        f"{escape_to_one_line(found['model'])}, {escape_to_one_line(found['group'] or 'no group')}."
        f" The answer is **{state}** by {escape_to_one_line(judged.verifier or 'no verifier')}."
    )
    left, right = st.columns([6, 5], gap="large")
    with left:
        st.markdown("### Answer")
        if found["outcome"] != "ok":
            st.caption(f"No valid answer: {escape_to_one_line(found['reason'])}")
        draw_answer_coloured_by_state(found["text"], statements, states)
        draw_state_legend(states)
        st.markdown("### Statements")
        draw_statements_with_states(statements, states)
        if not statements:
            parsed = state != _STATES["not_done"]
            st.caption(
                "This answer makes no statement that can be verified."
                if parsed
                else "It was not split into statements."
            )
    with right:
        sources = listed.list_sources_of_answer(here.store, study.dataset, found["id"])
        _sources(here, study, sources)
        _matrix(said, source, statements, sources)
        _cleaned(here, study, name)
    return True


def _sources(here: Here, study: Study, sources: list[dict[str, Any]]) -> None:
    st.markdown("### Sources")
    if not sources:
        st.caption("It cites no source.")
    for n, one in enumerate(sources, 1):
        link = url_if_safe_to_open(one["url"])
        title = escape_to_one_line(one["title"] or one["url"])
        shown = f"[{title}]({link})" if link else title
        state = source_page_outcome_and_corrections.page_outcome_in_words(one["outcome"])
        sign = ":material/check:" if one["outcome"] == "ok" else ":material/cloud_off:"
        status = f", status {one['status']}" if one["status"] not in (None, 200) else ""
        once = {"yes": "; it once existed", "no": "; the archive has no copy"}
        st.markdown(f"**{n}** {shown} · {sign} {state}{status}{once.get(one['existed'], '')}")
        if one["told_why"]:
            st.caption(
                f"Set by {escape_to_one_line(one['told_by'])}:"
                f" {escape_to_one_line(one['told_why'])}"
            )
        elif doubt := source_page_outcome_and_corrections.fetch_doubt_in_words(one["reason"]):
            st.caption(doubt)
    fetched = [(n, one["source"]) for n, one in enumerate(sources, 1) if one["source"]]
    if not fetched:
        return
    opened = st.expander("Change a page's outcome", key="answers.outcomes", on_change="rerun")
    if not opened.open:
        return
    with opened:
        for n, snapshot in fetched:
            st.markdown(f"**Source {n}**")
            source_page_outcome_and_corrections.draw_page_outcome_and_corrections(
                here, study.dataset, snapshot, folded=False
            )


def _matrix(
    said: pd.DataFrame,
    source: FigureDataForLead,
    statements: list[dict[str, Any]],
    sources: list[dict[str, Any]],
) -> None:
    """Statements by sources with the verdict in each cell, and a column for all sources together if
    that was asked; a click opens the pair.
    """
    if not statements or not sources:
        return
    verifier = source.judged_results_of_chosen_verifier.verifier
    said = said[said["rater"] == verifier]
    given = source.all_evidence.merged
    given = given[
        (given["rater"] == verifier) & given["statement"].isin([one["name"] for one in statements])
    ]
    together = dict(zip(given["statement"], given["verdict"], strict=True))
    verdicts = {
        (str(row.statement), str(row.url)): (str(row.verdict), str(row.item_id))
        for row in said.itertuples()
    }
    called: dict[str, str] = {str(verdict): shown for verdict, shown in VERDICT_NAMES.items()}
    items: list[list[str]] = []
    rows = []
    for one in statements:
        found = [verdicts.get((one["name"], each["url"]), ("", "")) for each in sources]
        items.append([item for _, item in found])
        rows.append(
            {"statement": one["n"]}
            | {
                f"source {n}": called.get(verdict, _unread(sources[n - 1]))
                for n, (verdict, _) in enumerate(found, 1)
            }
            | ({"merged": called.get(together.get(one["name"], ""), "")} if together else {})
        )
    st.markdown("### Each statement against each source")
    table = pd.DataFrame(rows)
    key = "answer.matrix"

    def chosen() -> None:
        cells = st.session_state[key]["selection"]["cells"]
        if not cells:
            return
        row, column = cells[0]
        name = column if isinstance(column, str) else str(table.columns[column])
        place = int(name.removeprefix("source ")) - 1 if name.startswith("source ") else 0
        if row < len(items) and items[row][place]:
            set_values_in_address(
                view=PAIRS, pair=items[row][place], response=st.query_params["answer"]
            )

    st.dataframe(
        table,
        key=key,
        hide_index=True,
        on_select=chosen,
        selection_mode="single-cell",
        alt="Verdicts by statement and source; click one to open the pair",
    )
    draw_csv_button(table, "matrix")


def _unread(source: Mapping[str, Any]) -> str:
    """The cell of a source without a verdict."""
    if source["outcome"] == "ok":
        return "no verdict yet"
    return f"({source['outcome'].replace('_', ' ') or 'not fetched'})"


def _cleaned(here: Here, study: Study, name: str) -> None:
    made = queries.current_cleanups_table(here.store, study.dataset)
    cleaners = sorted(set(made[made["response"] == name]["cleaner"]))
    for model in cleaners:
        opened = st.expander(
            f"Cleaned up by {escape_to_one_line(model)}",
            key=f"answer.cleaned.{model}",
            on_change="rerun",
        )
        if opened.open:
            with opened:
                for one in list_cleaned_answers(
                    here.store, study.dataset, model=model, responses=[name]
                ):
                    draw_cleaned_answer(one)
