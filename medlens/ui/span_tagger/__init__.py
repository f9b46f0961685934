"""The span tagger: the whole review surface of one item, as a Streamlit component.

It draws the question, the text to mark, the labels, the marks and the moves, and sends every change
to a desk as a checked ``Message``. The page mounts it once, under one stable key, and tells items
apart by ``data["item"]``.
"""

from __future__ import annotations

from medlens.ui.span_tagger.message import Message, parse_message
from medlens.ui.surface import Surface

__all__ = ["Message", "parse_message", "span_tagger"]

span_tagger = Surface(
    "span_tagger", js="span_tagger/tagger.js", css="span_tagger/tagger.css", parse=parse_message
)
"""Full width, and the rest of the window's height. ``SpanDesk`` makes its data."""
