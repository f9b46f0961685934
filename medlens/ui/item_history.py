"""What raters and leads said of an item, drawn in the order in which they said it (leads)."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from medlens.review.remarks import BY_LEADS, Remark
from medlens.ui import desk_view
from medlens.ui.frame import words

_VERBS = {
    "flag": "flagged it",
    "comment": "commented",
    "unclear": "asked",
    "answer": "answered",
    "return": "returned it to",
}


def draw(history: Sequence[Remark], *, named: bool) -> None:
    """``remarks.thread`` of an item, a line each. Unless ``named``, numbers tell its raters apart:
    who settles an item must not know whose answer is whose.
    """
    for line in in_words(history, named=named):
        st.markdown(line)


def in_words(history: Sequence[Remark], *, named: bool) -> list[str]:
    """The lines of ``draw``, as Markdown."""
    raters = list(dict.fromkeys(remark.rater for remark in history))
    lines = []
    for remark in history:
        rater = words(remark.whose) if named else f"Rater {raters.index(remark.rater) + 1}"
        by_lead = remark.kind in BY_LEADS
        verb = _VERBS[remark.kind] + f" {rater}" * by_lead
        verb += "" if remark.counts else ", not counted until they judge it again"
        at = f"{desk_view.local(remark.at):%-d %B %Y, %H:%M}"
        lines.append(
            f"**{words(remark.by) if by_lead else rater}** {verb}: {words(remark.text)} :gray[{at}]"
        )
    return lines
