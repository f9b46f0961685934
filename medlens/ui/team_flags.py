"""Raters' flags, questions and comments on a task, answered and returned in place (leads)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from medlens.errors import InvalidInput
from medlens.review import (
    guideline,
    items,
    judging,
    remarks_between_raters_and_leads,
    withdrawn_items,
)
from medlens.review.remarks_between_raters_and_leads import Remark
from medlens.ui import list_filters_and_paging, list_of_remarks_on_item
from medlens.ui.answer_form import FieldData
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.correction_forms import draw_correction_form
from medlens.ui.figures.page import draw_choice_kept_in_address_and_return_it
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.item_withdrawal_forms import draw_form_to_withdraw_or_put_back
from medlens.ui.page_frame import (
    Here,
    escape_markdown,
    escape_to_one_line,
    known_value_in_address_or_warn,
)
from medlens.ui.person_and_item_text_erasure_forms import draw_item_texts_erasure_form
from medlens.ui.team_agreement import compute_once_per_data_version, draw_item_link
from medlens.ui.team_task_settings import Work, rerun_page_on_change
from medlens.ui.times_in_browser_time_zone import streamlit_column_of_times

_WHICH = {"open": "To answer", "comments": "Comments", "answered": "Answered", "all": "All"}
JUDGED = "judged"
_WHAT = {
    "flag": "Flagged",
    "unclear": "Guideline unclear",
    "comment": "Comment",
    JUDGED: "Judged",
}
_ANSWER, _RETURN, _RETURN_OUT = "answer", "return", "out"
_ALL, _ONE = "all", "one"


def draw_flags_and_remarks(here: Here, work: Work) -> None:
    """The list, and the one that the address names with its answer; live."""
    rerun_page_on_change(here.store)
    st.header("Flags and questions", anchor=False)
    found = remarks_table_with_address_ids(remarks_table_of_work(here, work))
    known_value_in_address_or_warn("which", _WHICH, "list of flags")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        which = draw_choice_kept_in_address_and_return_it("which", _WHICH)
        draw_csv_button(found.drop(columns=["item_id", "rater_id", "id"]), "flags")
    table = _narrowed(found, which)
    asked = (
        ""
        if _draw_withdrawn(here, work, found["id"].tolist())
        else known_value_in_address_or_warn("asked", found["id"].tolist(), "flag or question")
    )
    if table.empty:
        st.markdown("Nothing waits for an answer." if which == "open" else "There are none.")
    ids = table["id"].tolist()

    if not table.empty:
        list_filters_and_paging.draw_table_whose_chosen_row_is_in_address(
            table.assign(
                what=[
                    _called(what, judged)
                    for what, judged in zip(table["what"], table["judged_since"], strict=True)
                ]
            ),
            ids,
            "asked",
            key="flags.table",
            column_order=["what", "item", "rater", "says", "answer", "at"],
            column_config={
                "says": st.column_config.TextColumn(width="large"),
                "at": streamlit_column_of_times(),
            },
            alt="What raters flagged, asked and commented on, the newest first",
        )
        if not asked:
            st.caption("Choose one to read it in full, and to answer it.")
    if asked:
        with st.container(border=True):
            draw_remark_with_answer(here, work, found[found["id"] == asked].iloc[0])


def _draw_withdrawn(here: Here, work: Work, known: Sequence[str]) -> bool:
    """What became of the item of a flag that the address names, if it is withdrawn: its flags are
    no longer listed. Returns whether it is.
    """
    asked = st.query_params.get("asked", "")
    _, _, item = asked.partition("|")
    withdrawn = withdrawn_items.withdrawal_of_item(here.store, item.partition("|")[0])
    if asked in known or withdrawn is None:
        return False
    st.markdown(f"### {escape_markdown(withdrawn.name)}")
    draw_form_to_withdraw_or_put_back(
        here, withdrawn.study, withdrawn.dataset, name=withdrawn.name, item=withdrawn.item
    )
    return True


def _called(what: str, judged_since: bool) -> str:
    """What a row is, in words. That a flagged item was judged after all answers no flag."""
    return _WHAT[what] + ", judged since" * (what == "flag" and judged_since)


def remarks_table_of_work(here: Here, work: Work, *, comments: bool = True) -> pd.DataFrame:
    """``remarks_between_raters_and_leads.remarks_for_leads_table`` of the task, computed once per
    version of the data; do not change it.
    """
    version = here.store.data_version_of_tables("remark", "assignment_event", "judgment")
    return compute_once_per_data_version(
        here,
        work,
        f"inbox {version} {comments}",
        lambda: remarks_between_raters_and_leads.remarks_for_leads_table(
            here.store, work.task, dataset=work.dataset, viewer=here.person, comments=comments
        ),
    )


def remarks_table_with_address_ids(found: pd.DataFrame) -> pd.DataFrame:
    """What raters said, each with an id for the address."""
    return found.assign(id=found["what"] + "|" + found["item_id"] + "|" + found["rater_id"])


def _narrowed(found: pd.DataFrame, which: str) -> pd.DataFrame:
    answered, comment = found["answer"] != "", found["what"] == "comment"
    if which == "open":
        return found[~answered & ~comment]
    if which == "comments":
        return found[~answered & comment]
    return found[answered] if which == "answered" else found


def draw_remark_with_answer(here: Here, work: Work, one: pd.Series) -> None:
    """One flag, question or comment, or a judgment without one (``JUDGED``): the item, the rater's
    judgment, the text, the answer.
    """
    task, item, rater = work.task, str(one["item_id"]), str(one["rater_id"])
    st.markdown(
        f"### {_WHAT[one['what']]}: {escape_markdown(one['item'])}, {escape_markdown(one['rater'])}"
    )
    if one["what"] not in ("unclear", JUDGED):
        st.text(one["says"], width="stretch")
    judged = [
        had
        for had in judging.list_revisions_viewer_may_see(
            here.store, task, item=item, viewer=here.person
        )
        if had["rater_id"] == rater
    ]
    if judged:
        value = judged[-1]["value"]
        asked = task.task_as_asked_of_item(items.item_body(here.store, item))
        st.caption("Their judgment: " + escape_to_one_line(asked.decision_in_words(value)))
    history = remarks_between_raters_and_leads.list_remarks_on_item(
        here.store, task, item=item, viewer=here.person
    )
    if _tells_answers(judged, history, of_others_than=here.person.id):
        # What this lead judges of the item from here on is not blind.
        judging.record_reveal_and_say_if_new(here.store, task, item=item, viewer=here.person)
    if history:
        st.caption("Remarks on this item so far")
        list_of_remarks_on_item.draw_item_remarks(history, named=True)
    draw_item_link(work, item, str(one["item"]))
    draw_item_texts_erasure_form(here, item)
    draw_correction_form(here, task.study, work.dataset, name=str(one["item"]), item=item)
    draw_form_to_withdraw_or_put_back(
        here, task.study, work.dataset, name=str(one["item"]), item=item
    )

    def send(entered: Entries) -> None:
        do = entered.get("do") or _ANSWER
        if do not in (_ANSWER, _RETURN, _RETURN_OUT):
            raise InvalidInput("Choose whether to answer or to return the item.")
        text = entered.get("text") or ""
        if text.strip() and entered.get("told") == _ALL:
            now = guideline.current_guideline(here.store, task, dataset=work.dataset)
            longer = f"{now.text}\n\n{text.strip()}"
            guideline.record_guideline_version_and_return_it(
                here.store,
                task,
                dataset=work.dataset,
                text=longer,
                by=here.person,
                base=now.version,
            )
        remarks_between_raters_and_leads.store_remark_on_work(
            here.store,
            task,
            item=item,
            rater=rater,
            kind="answer" if do == _ANSWER else "return",
            text=text,
            by=here.person,
            counts=do != _RETURN_OUT,
        )

    unasked = one["what"] == JUDGED
    fields: list[FieldData] = [
        {
            "id": "text",
            "kind": "text",
            "label": f"Your {'words' if unasked else 'answer'} to {one['rater']}",
            "hint": "They read it on Home and at their desk.",
            "lines": 3,
            "longest": 2000,
        }
    ]
    if judged:
        fields.append(
            {
                "id": "do",
                "kind": "choice",
                "label": "And their judgment",
                "options": [
                    {"value": _ANSWER, "name": "stands"},
                    {"value": _RETURN, "name": "is returned to them, and counts until then"},
                    {"value": _RETURN_OUT, "name": "is returned to them, and does not count"},
                ],
            }
        )
    unclear = one["what"] == "unclear"
    if unclear:
        fields.append(
            {
                "id": "told",
                "kind": "choice",
                "label": "Your answer is",
                "options": [
                    {"value": _ALL, "name": "added to the guideline, as a new version"},
                    {"value": _ONE, "name": "for them alone"},
                ],
            }
        )
    sheet = form_sheet_of_session(
        here.store,
        here.person,
        "remark",
        f"{task.name}.{one['id']}",
        send=send,
        given={"do": _RETURN if unasked else _ANSWER, "told": _ALL if unclear else None},
        anew=True,
    )
    draw_form_sheet(sheet, fields, submit="Send")


def _tells_answers(
    judged: Sequence[Mapping[str, Any]], history: Sequence[Remark], *, of_others_than: str
) -> bool:
    """Whether what is shown of an item tells what others answered: comments are part of answers."""
    raters = {str(each["rater_id"]) for each in judged}
    raters |= {remark.rater for remark in history if remark.kind == "comment"}
    return bool(raters - {of_others_than})
