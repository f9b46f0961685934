"""A task's guideline: its versions, a new version, and what was unclear (leads)."""

from __future__ import annotations

import streamlit as st

from medlens.review import guideline
from medlens.ui import list_filters_and_paging
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.page_frame import Here, known_value_in_address_or_warn
from medlens.ui.team_flags import (
    draw_remark_with_answer,
    remarks_table_of_work,
    remarks_table_with_address_ids,
)
from medlens.ui.team_task_settings import Work
from medlens.ui.times_in_browser_time_zone import streamlit_column_of_times
from medlens.ui.untrusted_markdown import draw_untrusted_markdown
from medlens.ui.versioned_text_form_showing_conflicts import draw_form_to_change_shared_text


def draw_guideline_editor(here: Here, work: Work) -> None:
    """The text to edit, what was unclear, and the versions with the judgments under each."""
    st.header("Guideline", anchor=False)
    st.caption(
        "What reviewers read at their desk. A change makes a new version; they are told about "
        "it, and"
        " every judgment keeps the version that it was made under."
    )
    _draw_text(here, work)
    _draw_unclear(here, work)
    _draw_versions(here, work)


def _draw_text(here: Here, work: Work) -> None:
    now = guideline.current_guideline(here.store, work.task, dataset=work.dataset)

    def write(text: str, base: int | None) -> None:
        guideline.record_guideline_version_and_return_it(
            here.store, work.task, dataset=work.dataset, text=text, by=here.person, base=base
        )

    draw_form_to_change_shared_text(
        *(here, "guideline", f"{work.task.name}.{work.dataset}"),
        version=now.version,
        text=now.text,
        by=now.by,
        write=write,
        label=f"Version {now.version}",
        hint="Headings (#) and lists (-) are shown as such.",
        lines=12,
        longest=guideline.LONGEST,
        submit="Save a new version",
    )


def _draw_unclear(here: Here, work: Work) -> None:
    """What raters and adjudicators found unclear, to answer and add to the guideline."""
    found = remarks_table_with_address_ids(remarks_table_of_work(here, work, comments=False))
    found = found[found["what"] == "unclear"]
    st.header("Where it was unclear", anchor=False)
    if found.empty:
        st.markdown(
            "Nothing reported yet. Raters can do so at every desk; you can at a disagreement."
        )
        return
    ids = found["id"].tolist()
    column = st.column_config
    list_filters_and_paging.draw_table_whose_chosen_row_is_in_address(
        found,
        ids,
        "unclear",
        key="guideline.unclear",
        column_order=["says", "item", "rater", "answer", "at"],
        column_config={
            "says": column.TextColumn("unclear", width="large"),
            "at": streamlit_column_of_times(),
        },
        alt="Where raters and adjudicators found the guideline unclear, the newest first",
    )
    asked = known_value_in_address_or_warn("unclear", ids, "question")
    if asked:
        with st.container(border=True):
            draw_remark_with_answer(here, work, found[found["id"] == asked].iloc[0])


def _draw_versions(here: Here, work: Work) -> None:
    st.header("Versions", anchor=False)
    table = guideline.guideline_versions_table(here.store, work.task, dataset=work.dataset)
    numbers = [str(one) for one in table["version"]]
    column = st.column_config
    list_filters_and_paging.draw_table_whose_chosen_row_is_in_address(
        table,
        numbers,
        "version",
        key="guideline.versions",
        placeholder="–",
        column_config={
            "since": streamlit_column_of_times(),
            "judgments": column.NumberColumn(help="Each person's latest judgment of an item"),
            "text": column.TextColumn(width="large"),
        },
        alt="The versions of the guideline, with how many judgments were made under each",
    )
    draw_csv_button(table, "guideline")
    asked = known_value_in_address_or_warn("version", numbers, "version")
    if asked:
        with st.container(border=True):
            draw_untrusted_markdown(
                str(table["text"].iloc[numbers.index(asked)]), key="guideline.version"
            )
