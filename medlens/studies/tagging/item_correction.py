"""Correcting a response: its question, options and text, as columns of a file have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medlens.errors import InvalidInput
from medlens.studies.tagging.read_g4ue_items_and_responses import parse_serial_number
from medlens.studies.tagging.records import ResponseItem
from medlens.studies.tagging.study_in_dataset import Study
from medlens.tables import RowError

_TEXTS = ("response", "question", "correct", "chosen", "model", "serial_num", "meta_info")
_OPTION = "option_"


def correctable_cells_by_column(_study: Study, body: Mapping[str, Any]) -> dict[str, str]:
    """The parts of a response that can be corrected, as text, by column."""
    cells = {name: str("" if body.get(name) is None else body[name]) for name in _TEXTS}
    options = {f"{_OPTION}{one['key']}": str(one["text"]) for one in body.get("options") or ()}
    return {
        "response": cells.pop("response"),
        "question": cells.pop("question"),
        **options,
        **cells,
    }


def make_body_with_corrected_cells(
    _study: Study, body: Mapping[str, Any], cells: Mapping[str, str]
) -> dict[str, Any]:
    """A response's body with these cells.

    Raises:
        InvalidInput: it would have no text, or name an option that there is not.
    """
    given = {name: cell.replace("\r\n", "\n").replace("\r", "\n") for name, cell in cells.items()}
    options = [
        {"key": one["key"], "text": given.get(f"{_OPTION}{one['key']}", one["text"])}
        for one in body.get("options") or ()
    ]
    corrected = {**body, **{name: given[name] for name in _TEXTS if name in given}}
    corrected["options"] = options
    if "serial_num" in given:
        try:
            corrected["serial_num"] = parse_serial_number(given["serial_num"])
        except RowError as error:
            raise InvalidInput(f"serial_num: expected {error.expected}.") from error
    corrected["chosen"] = corrected["chosen"] or None
    keys = [one["key"] for one in options]
    for name in ("correct", "chosen"):
        if keys and corrected[name] and corrected[name] not in keys:
            raise InvalidInput(f"{name}: expected one of {', '.join(keys)}.")
    for name in ("response", *(["question"] if body.get("question") else [])):
        if not corrected[name].strip():
            raise InvalidInput(f"{name}: expected a text, and it is empty.")
    whole: dict[str, Any] = ResponseItem.model_validate(corrected).model_dump(mode="json")
    return whole
