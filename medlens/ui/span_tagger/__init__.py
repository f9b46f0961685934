"""The span tagger: the whole review surface of one item, as a Streamlit component.

It draws the question, the text to mark, the labels, the marks and the moves, and sends every change
to a desk as a checked ``Message``. The page mounts it once, under one stable key, and tells items
apart by ``data["item"]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from medlens.ui.item_component_and_desk_messages import ItemSurface
from medlens.ui.span_tagger.message import Message, parse_message

__all__ = [
    "Message",
    "marks_in_text_order_with_owners",
    "parse_message",
    "sort_marks_by_place_in_text",
    "span_tagger",
    "surface_data_without_desk",
]

span_tagger = ItemSurface(
    "span_tagger", js="span_tagger/tagger.js", css="span_tagger/tagger.css", parse=parse_message
)
"""Full width, and the rest of the window's height. ``SpanDesk`` makes its data."""


def surface_data_without_desk(
    asked: Mapping[str, Any],
    laid: Mapping[str, Any],
    item: str,
    draft: Mapping[str, Any],
    **more: Any,
) -> dict[str, Any]:
    """The surface's data for a text that is on no desk; ``more`` overrides any of it."""
    nowhere = {"done": 0, "total": 1, "position": 1, "has_previous": False, "has_next": False}
    return {
        **asked,
        **laid,
        "rater": "",
        "item": item,
        "rev": 0,
        "draft": draft,
        "ack": None,
        "state": "open",
        "flag_reason": "",
        "readonly": False,
        "progress": nowhere,
        "clock": {"session_seconds": 0, "item_seconds": 0},
        **more,
    }


def marks_in_text_order_with_owners(drawn: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """All marks in the order of the text, each with its owner."""
    spans, comments = [], []
    for who, body in drawn.items():
        for span in body["spans"]:
            said = f": {span['comment']}" if span["comment"] else ""
            spans.append(span | {"comment": f"{who}{said}"})
        if body["comment"]:
            comments.append(f"{who}: {body['comment']}")
    return {
        "spans": sort_marks_by_place_in_text(spans),
        "comment": "\n".join(comments),
        "answers": {},
    }


def sort_marks_by_place_in_text(spans: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Marks in the order of the text, those without a place last."""
    return sorted(spans, key=lambda s: (s["start"] is None, s["start"] or 0, s["end"] or 0))
