"""What the sources say about a question: the range behind its key, and its citations."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.studies.ebmqa.citation_links import citation_address
from medlens.studies.ebmqa.explore.question_queries import QuestionWithAnswers
from medlens.studies.ebmqa.graph.question_and_option_templates import format_number
from medlens.studies.ebmqa.records import LABELS, SHARE_TYPES, Evidence
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.page_frame import escape_to_one_line


def draw_evidence_for_question(asked: QuestionWithAnswers) -> None:
    """The evidence for a question; for a semantic one, for each of its options."""
    if not asked.evidence:
        if asked.value is not None:
            said = _shown(asked, asked.value)
            st.caption(f"The evidence says {said}. Its sources were not kept.")
        return
    st.markdown("### Evidence")
    if asked.kind == "numeric":
        _numeric(asked, asked.evidence[0])
    else:
        _semantic(asked)


def _numeric(asked: QuestionWithAnswers, one: Evidence) -> None:
    edges = "One statement gives" if one.edges == 1 else f"{one.edges:,} statements give"
    stated = (
        _shown(asked, one.min)
        if one.min == one.max
        else f"{_shown(asked, one.min)} to {_shown(asked, one.max)}"
    )
    st.markdown(
        f"{edges} {stated}; the key is the option that contains the middle value,"
        f" **{_shown(asked, one.value)}**."
    )
    _cited(one.citations)


def _semantic(asked: QuestionWithAnswers) -> None:
    table = pd.DataFrame(
        [
            {
                "option": option,
                "value": one.value,
                "from": one.min,
                "to": one.max,
                "key": place in asked.correct,
                "statements": one.edges,
                "citations": "; ".join(one.citations),
            }
            for place, (option, one) in enumerate(zip(asked.options, asked.evidence, strict=True))
        ]
    ).sort_values("value", ascending=False, kind="stable")
    st.caption("The key contains the highest value and all within 10% of it.")
    st.dataframe(
        table,
        hide_index=True,
        alt="What the sources say about each option",
        column_config={
            "key": st.column_config.CheckboxColumn("key", help="Whether the option is correct"),
            "statements": st.column_config.NumberColumn(help="Edges of the graph"),
        },
    )
    draw_csv_button(table, "ebmqa_evidence")
    _cited(tuple(dict.fromkeys(text for one in asked.evidence for text in one.citations)))


def _cited(citations: tuple[str, ...]) -> None:
    """Citations as a list; an address becomes a link."""
    lines = []
    for text in citations:
        address = citation_address(text)
        lines.append(
            f"- [{escape_to_one_line(text)}](<{address}>)"
            if address
            else f"- {escape_to_one_line(text)}"
        )
    if lines:
        st.markdown("\n".join(lines))


def _shown(asked: QuestionWithAnswers, value: float) -> str:
    """A number in the unit of the options."""
    if asked.labels.get(LABELS["qa_type"]) in SHARE_TYPES:
        return f"{format_number(100 * value)}%"
    return format_number(value)
