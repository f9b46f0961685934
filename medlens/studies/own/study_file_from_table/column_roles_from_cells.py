"""What a column of a table can be, and what it seems to be by its cells alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from medlens.deferred_regex import compile_later
from medlens.studies.own.attached_files import FILES
from medlens.studies.own.blinded_arms import ARM, ARMS, CASE
from medlens.studies.own.detect_model_answer_columns import is_name_of_writer
from medlens.studies.own.dialogue_turns import is_list_of_turns
from medlens.studies.own.item_and_judgment_import_and_export import (
    cell_text,
    criteria_cell_as_stored,
    criterion_dict_with_usual_keys,
    dialogue_cell_as_stored,
    dialogue_or_table_cell_as_stored,
)
from medlens.studies.own.missing_cells_totals_and_nested_cells import is_cell_missing
from medlens.studies.own.nested_values_in_text import (
    list_texts_of_nested_list,
    parse_nested_value,
    text_of_content_parts,
)
from medlens.studies.own.study_file import UNREADABLE
from medlens.tables import RowError

Role = Literal[
    "id",
    "text",
    "markdown",
    "source",
    "dialogue",
    "table",
    "record",
    "image",
    "pdf",
    "after",
    "criteria",
    "group",
    "hidden",
    "arm",
    "answer",
    "out",
]
"""What a column can be: the keys of ``ROLES``."""
ROLES: Mapping[Role, str] = {
    "id": "names the item",
    "text": "shown, as text",
    "markdown": "shown, with its headings and lists",
    "source": "shown, as a source to compare with",
    "dialogue": "shown, as a dialogue",
    "table": "shown, as a table",
    "record": "shown, in one list with others",
    "image": "names an image, which is shown",
    "pdf": "names a PDF, whose pages are shown",
    "after": "shown as text, once the item is answered",
    "criteria": "holds the item's own criteria, with points",
    "group": "not shown; results are shown by it",
    "hidden": "not shown; kept with the item",
    "arm": "not shown; says whose answer it is",
    "answer": "the answer of one model, shown without its heading",
    "out": "left out",
}
"""What a column can be, as shown to a lead."""
SHORTEST_TEXT_TO_READ, LONGEST_NAME = 30, 40
"""The mean length in characters from which a column is a text to read; and the longest name."""
_MOST_GROUPS = 12
_LONGEST_ARM = 80
_CRITERION = {"criterion", "points"}
_MARKS = compile_later(r"(?m)^(#{1,4} |[-*] |\d+\. )|\*\*\S")
RESERVED_COLUMN_NAMES = frozenset({ARM, ARMS, CASE, FILES})
"""Names that stand for something else in a stored item."""
FILE_NAME_BY_ROLE: Mapping[Role, re.Pattern[str]] = {
    "image": compile_later(r"(?i)^[^\n]*\.(png|jpe?g|gif|webp)$"),
    "pdf": compile_later(r"(?i)^[^\n]*\.pdf(#page=\d+)?$"),
}
"""Roles whose cells name a file, and what such a name looks like."""


@dataclass(frozen=True)
class Guess:
    """What a column probably is; ``by_arm``: each arm of a case has its own."""

    name: str
    role: Role
    by_arm: bool = False


def are_cells_weighted_criteria(values: Sequence[Any]) -> bool:
    """Whether cells are lists of criteria, whatever their texts and points are called."""
    listed = [parse_rows_or_turns_of_cell(one) for one in values if not is_cell_missing(one)]
    keys = [set(one) for rows in listed for one in rows or ()]
    return (
        all(listed)
        and all(
            criterion_dict_with_usual_keys(dict.fromkeys(one)).keys() >= _CRITERION for one in keys
        )
        and _fits(
            [one for one in values if not is_cell_missing(one)],
            lambda c: criteria_cell_as_stored(c, ""),
        )
    )


PROSE_ROLES = ("text", "markdown", "source")
"""Roles of texts to read, without dialogues."""


def are_texts_to_read(texts: Sequence[str]) -> bool:
    """Whether the filled cells of a column are texts to read rather than words."""
    if any("\n" in text for text in texts):
        return True
    return sum(map(reading_length_of_text, texts)) >= SHORTEST_TEXT_TO_READ * max(len(texts), 1)


def list_filled_cells(rows: Sequence[Mapping[str, Any]], column: str) -> list[str]:
    """The cells of a column that are not empty, as text, from the first row to the last."""
    return [text for row in rows if (text := cell_as_plain_text(row.get(column)))]


def mean_length_of_texts(texts: Sequence[str]) -> float:
    """The mean length of texts in characters; 0 if there are none."""
    return sum(map(len, texts)) / max(len(texts), 1)


def are_cells_lists_of_models(cells: Sequence[Any]) -> bool:
    """Whether each filled cell of a column is a list of models' names."""
    lists = [list_texts_of_nested_list(cell) for cell in cells if not is_cell_missing(cell)]
    return bool(lists) and all(one and all(map(is_name_of_writer, one)) for one in lists)


def are_cells_lists_of_numbers(cells: Sequence[Any]) -> bool:
    """Whether each filled cell of a column is a list of numbers, which no model answered."""
    lists = [
        parse_nested_value(cell) if isinstance(cell, str) else cell
        for cell in cells
        if not is_cell_missing(cell)
    ]
    return bool(lists) and all(
        isinstance(one, list | tuple) and one and all(map(is_number_with_or_without_unit, one))
        for one in lists
    )


def is_number_with_or_without_unit(cell: Any) -> bool:
    """Whether a cell is one number, alone or with a sign of percent or a unit of time or tokens."""
    return bool(
        re.fullmatch(
            r"[-+]?[\d.,]+ ?(%|s|ms|secs?|seconds?|sek|min|tokens?|秒)?", cell_as_plain_text(cell)
        )
    )


TEXT_ROLES: tuple[Role, ...] = ("text", "markdown", "source", "dialogue")
"""Roles of texts to read, dialogues among them."""
SHOWN_ROLES = ("text", "markdown", "source", "dialogue", "table", "record", "image", "pdf")
"""Roles of what reviewers see at first, but for the answers of models."""


def are_any_columns_shown(columns: Sequence[Guess]) -> bool:
    """Whether reviewers see any of these columns at first."""
    return any(one.role in (*SHOWN_ROLES, "answer") for one in columns)


def are_cells_answers_with_places(cells: Sequence[Any]) -> bool:
    """Whether each cell lists answers with the place at which they begin in a passage."""
    listed = [parse_rows_or_turns_of_cell(cell) for cell in cells if not is_cell_missing(cell)]
    return bool(listed) and all(
        one and all("answer_start" in given for given in one) for one in listed
    )


_WORDS_OF_A_SENTENCE = 5
_A_SENTENCE = compile_later(r"^(?:\S+\s+){3,}\S+[.;!?。？！]$|[^\W\d]{2,}[.;!?]\s+\S+\s+\S+")


def can_be_names_of_models(values: Sequence[str]) -> bool:
    """Whether these can be models' names: short, on one line, without unreadable signs; and no
    sentences, as each row of a model's answers has another.
    """
    if any(len(one) > _LONGEST_ARM or "\n" in one or UNREADABLE.search(one) for one in values):
        return False
    unlike = len(set(values)) == len(values)
    if sum(bool(_A_SENTENCE.search(one)) for one in values) * 2 > len(values):
        return False
    words = sum(len(one.split()) for one in values)
    return not (unlike and words >= _WORDS_OF_A_SENTENCE * len(values))


def differs_within_cases(cells: Mapping[str, list[Any]], name: str, case: str) -> bool:
    """Whether rows of one case differ in a column."""
    first: dict[str, str] = {}
    pairs = zip(
        map(cell_as_plain_text, cells[case]), map(cell_as_plain_text, cells[name]), strict=True
    )
    return any(first.setdefault(one, cell) != cell for one, cell in pairs)


def are_cells_different_short_names(values: list[Any]) -> bool:
    """Whether cells can name items: none is empty, long or nested, and each is there once."""
    if any(isinstance(one, list | dict) for one in values):
        return False
    texts = list(map(cell_as_plain_text, values))
    return all(texts) and len(set(texts)) == len(texts) and max(map(len, texts)) <= LONGEST_NAME


def guess_role_from_cells(values: list[Any]) -> Role:
    """What a column seems to be by its cells alone; "out" if all are empty."""
    texts = [text for text in map(cell_as_plain_text, values) if text]
    if not texts:
        return "out"
    filled = [one for one in values if not is_cell_missing(one)]
    listed = [parse_rows_or_turns_of_cell(one) for one in filled]
    if all(listed) and not all(map(text_of_content_parts, filled)):
        if all(set(one) >= _CRITERION for rows in listed for one in rows or ()):
            return (
                "criteria"
                if _fits(filled, lambda cell: criteria_cell_as_stored(cell, ""))
                else "text"
            )
        if all(map(is_list_of_turns, listed)) and _fits(
            filled, lambda cell: dialogue_or_table_cell_as_stored(cell, "", "dialogue")
        ):
            return "dialogue"
        return (
            "table"
            if _fits(filled, lambda cell: dialogue_or_table_cell_as_stored(cell, "", "table"))
            else "text"
        )
    for kind, named in FILE_NAME_BY_ROLE.items():
        if all(map(named.search, texts)):
            return kind
    if all(map(list_texts_of_nested_list, filled)):
        return "markdown"
    if are_texts_to_read(texts):
        return "markdown" if any(map(_MARKS.search, texts)) else "text"
    few = 1 < len(set(texts)) <= min(_MOST_GROUPS, len(texts) // 2)
    return "group" if few and max(map(len, texts)) <= LONGEST_NAME else "record"


_IDEOGRAPHS = compile_later(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LETTERS_OF_AN_IDEOGRAPH = 3


def reading_length_of_text(text: str) -> int:
    """The length of a text in Latin letters: an ideograph says as much as several."""
    if text.isascii():
        return len(text)
    return len(text) + (_LETTERS_OF_AN_IDEOGRAPH - 1) * len(_IDEOGRAPHS.findall(text))


def parse_rows_or_turns_of_cell(value: Any) -> list[Any] | None:
    """The rows or turns in a cell; None if it has none."""
    if isinstance(value, str):
        value = parse_nested_value(value)
    return (
        value
        if isinstance(value, list) and value and all(isinstance(o, dict) for o in value)
        else None
    )


def are_cells_dialogues(cells: Iterable[Any]) -> bool:
    """Whether an import reads each of these cells as the turns of a dialogue."""
    return _fits(cells, lambda cell: dialogue_cell_as_stored(cell, ""))


def _fits(cells: Iterable[Any], reader: Callable[[Any], object]) -> bool:
    """Whether an import reads each of these cells so."""
    try:
        for cell in cells:
            reader(cell)
    except RowError:
        return False
    return True


def cell_as_plain_text(value: Any) -> str:
    """A cell as an import reads it."""
    try:
        return cell_text(value, "")
    except RowError:
        return str(value)
