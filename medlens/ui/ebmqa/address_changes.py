"""The address of the page: every view is a link, and every move changes it."""

from __future__ import annotations

import streamlit as st

from medlens.review.figure_definitions import VIEW
from medlens.ui.page_address import set_values_in_address

QUESTIONS = "Questions"

_ONCE = {
    "Overview": "overview",
    "Labels": "labels",
    "Models": "pairs",
    "Pivot": "pivot",
    "Question set": "set",
    "Published": "published",
}
"""Views of the first version, and the sections of the figures that replaced them."""

_IN_OVERVIEW = ("models", "table", "rate", "risk", "prompts")


def put_mark_in_address(mark: str) -> None:
    """Open what is behind a mark, switching to its prompt; an empty mark closes it."""
    parts = mark.split("|") if mark else []
    prompts = [part.removeprefix("prompt=") for part in parts if part.startswith("prompt=")]
    kept = "|".join(part for part in parts if not part.startswith("prompt="))
    set_values_in_address(
        mark=kept, question="", page="", find="", **({"prompt": prompts[0]} if prompts else {})
    )


def put_question_in_address(name: str) -> None:
    """Show one question; an empty name shows none."""
    if name:
        set_values_in_address(question=name)


def rewrite_old_address() -> None:
    """Rewrite an address of the first version to the current one."""
    asked = st.query_params
    view, section = asked.get("view", ""), asked.get("section", "")
    now = _ONCE.get(view) or ("overview" if not view and section in _IN_OVERVIEW else "")
    if now:
        set_values_in_address(view=VIEW, section=now, **{now: section})
        asked["view"] = VIEW
    if models := asked.get("models", ""):
        set_values_in_address(model=models, models="")
