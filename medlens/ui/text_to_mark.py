"""A text to mark as one pane beside a form: its marks are the value of one of the form's fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from medlens.errors import InvalidInput
from medlens.ui.answer_form import FieldData
from medlens.ui.browser_component import Component
from medlens.ui.checked_messages_from_browser import parse_browser_message
from medlens.ui.span_tagger import marks_in_text_order_with_owners, surface_data_without_desk
from medlens.ui.span_tagger.message import Body

_text = Component("text_to_mark", js="span_tagger/pane.js", css="span_tagger/tagger.css")
NO_BODY: dict[str, Any] = {"spans": [], "comment": "", "answers": {}}
"""A text without marks, as the surface takes it."""


def draw_text_to_mark(
    asked: Mapping[str, Any],
    text: str,
    *,
    key: str,
    item: str,
    of: str,
    others: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """A text to mark: its marks are the value of the field ``of`` in the form about ``item``. Or,
    to be read only, with the marks of ``others``: bodies of the surface by the name that stands for
    whoever marked it.
    """
    more: dict[str, Any] = {"among": True, "pane": True, "column": of}
    if others is not None:
        more |= {"readonly": True, "state": "submitted"}
    # What is asked of the whole text is asked in the form.
    told = {**asked, "fields": [], "comment": False, "notice": ""}
    laid = {"text": text, "title": "", "context": {}}
    _text(
        key=key,
        data=surface_data_without_desk(
            told, laid, item, marks_in_text_order_with_owners(others or {}), **more
        ),
    )


def field_of_marks(name: str, label: str, *, asks: Sequence[Mapping[str, str]] = ()) -> FieldData:
    """The field that holds the marks of a text; ``asks`` are the questions about each mark that
    must be answered.
    """
    return FieldData(
        id=name, kind="marks", label=label, source=name, asks=[dict(one) for one in asks]
    )


OF_MARK = ("start", "end", "quote", "labels", "comment")
_USUAL = {"link": "", "located": "exact"}


def marks_as_field_value(spans: Iterable[Mapping[str, Any]]) -> str | None:
    """Marks as the browser writes them into their field; None if there are none."""
    found = [
        {name: one[name] for name in OF_MARK}
        | {name: one[name] for name, usual in _USUAL.items() if one.get(name, usual) != usual}
        | {"answers": one.get("answers", {})}
        for one in spans
    ]
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) if found else None


def parse_marks_body_of_field(said: str | None) -> Body:
    """The marks in a field.

    Raises:
        InvalidInput: it holds something else.
    """
    try:
        spans = json.loads(said or "[]")
    except ValueError as error:
        raise InvalidInput("The marks cannot be read.", hint="Mark the text again.") from error
    return parse_browser_message(Body, {"spans": spans, "comment": ""})
