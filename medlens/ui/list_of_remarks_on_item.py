"""What raters and leads said of an item, drawn in the order in which they said it (leads)."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from medlens.review.remarks_between_raters_and_leads import BY_LEADS, Remark
from medlens.ui import times_in_browser_time_zone
from medlens.ui.page_frame import escape_to_one_line

_VERBS = {
    "flag": "flagged it",
    "unflag": "took the flag back",
    "comment": "commented",
    "unclear": "asked",
    "answer": "answered",
    "return": "returned it to",
}


def draw_item_remarks(history: Sequence[Remark], *, named: bool) -> None:
    """``remarks_between_raters_and_leads.list_remarks_on_item`` of an item, a line each. Unless
    ``named``, numbers tell its raters apart: who settles an item must not know whose answer is
    whose.
    """
    for line in item_remarks_as_markdown_lines(history, named=named):
        st.markdown(line)


def item_remarks_as_markdown_lines(history: Sequence[Remark], *, named: bool) -> list[str]:
    """The lines of ``draw``, as Markdown."""
    raters = list(dict.fromkeys(remark.rater for remark in history))
    lines = []
    for remark in history:
        rater = (
            escape_to_one_line(remark.whose) if named else f"Rater {raters.index(remark.rater) + 1}"
        )
        by_lead = remark.kind in BY_LEADS
        verb = _VERBS[remark.kind] + f" {rater}" * by_lead
        verb += "" if remark.counts else ", not counted until they judge it again"
        at = f"{times_in_browser_time_zone.to_browser_time_zone(remark.at):%-d %B %Y, %H:%M}"
        who = escape_to_one_line(remark.by) if by_lead else rater
        said = f": {escape_to_one_line(remark.text)}" if remark.text else ""
        lines.append(f"**{who}** {verb}{said} :gray[{at}]")
    return lines
