"""The changes made to a text, as people read them: deletions struck out, insertions underlined."""

from __future__ import annotations

import html
from collections.abc import Mapping

import streamlit as st

from medlens.studies.own.rewriting import Where, difference

_STYLE = """
<style>
  .changed { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.6; max-width: 48rem;
    margin: 0; }
  .changed ins { color: var(--st-green-text-color, #17643a); font-weight: 600; }
  .changed del { color: var(--st-red-text-color, #b3261e); }
</style>
"""
_TAGS: Mapping[Where, str] = {"same": "span", "gone": "del", "new": "ins"}
_BESIDE = 3


def as_html(original: str, text: str) -> str:
    """A text as HTML with its changes from the original marked; both are escaped."""
    pieces = (
        f"<{_TAGS[where]}>{html.escape(words)}</{_TAGS[where]}>"
        for where, words in difference(original, text).pieces
    )
    return f"{_STYLE}<p class='changed'>{''.join(pieces)}</p>"


def draw_differences(original: str, texts: Mapping[str, str]) -> None:
    """Several people's changes to one text, side by side; ``texts`` is by name."""
    names = list(texts)
    for at in range(0, len(names), _BESIDE):
        row = names[at : at + _BESIDE]
        for column, name in zip(st.columns(len(row), gap="medium"), row, strict=True):
            with column:
                st.caption(f"**{name}**")
                st.html(as_html(original, texts[name]))
