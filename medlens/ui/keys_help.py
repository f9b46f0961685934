"""The list of a page's keys, which a small button and ``?`` open over the page.

A component of our own: Streamlit's shortcuts know letters and digits alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from medlens.ui.component import Component

_component = Component("keys_help", js="keys_help/keys_help.js", css="keys_help/keys_help.css")

Keys = Sequence[tuple[str, str]]
"""(keys, separated by blanks; what they do)."""


def keys_help(keys: Keys, *, key: str) -> None:
    """Draw the button; the texts are shown as text."""
    _component(key=key, data={"rows": [list(row) for row in keys]})
