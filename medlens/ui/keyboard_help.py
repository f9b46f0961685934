"""The list of a page's keys, which opens over the page at a small button or ``?``.

It is our own component because Streamlit's shortcuts support only letters and digits.
"""

from __future__ import annotations

from collections.abc import Sequence

from medlens.ui.browser_component import Component

_component = Component("keys_help", js="keys_help/keys_help.js", css="keys_help/keys_help.css")

Keys = Sequence[tuple[str, str]]
"""(keys separated by spaces, what they do)."""


def draw_button_for_list_of_keys(keys: Keys, *, key: str) -> None:
    """Draw the button; the texts are shown as plain text."""
    _component(key=key, data={"rows": [list(row) for row in keys]})
