"""A table's rows as a study reads them: nested cells taken apart, and what stands for nothing."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from medlens.studies.own.chat_template_text_to_turns import turns_of_chat_template
from medlens.studies.own.detect_model_answer_columns import is_name_of_writer
from medlens.studies.own.dialogue_turns import (
    HELD_IN,
    is_list_of_turns,
    parse_turns_of_dialogue,
)
from medlens.studies.own.nested_values_in_text import parse_nested_value, text_of_content_parts
from medlens.studies.own.spreadsheet_error_values import (
    is_error_value_of_spreadsheet,
    is_word_for_value_not_found,
)
from medlens.studies.own.study_file import MOST
from medlens.studies.own.texts_saying_machine_wrote import is_name_of_person
from medlens.tables.table_place_and_header_in_sheet import are_statistics_of, may_be_initials

_FOR_NOTHING = frozenset(
    [
        *("nan", "none", "null", "nil", "na", "n/a", "n.a.", "<na>"),
        *("-", "--", "–", "—", "k.a.", "keine angabe", "s/d"),
        *("k. a.", "n. a.", "n/v", "not available", "nicht verfügbar"),
        *("no disponible", "non disponible"),
        # Of statistics programs (".", ".a" to ".z" of Stata, SPSS), of MySQL ("\N"), and of
        # Prolific, in place of what a participant does not want kept.
        *(".", "\\n", "consent_revoked", "data_expired"),
        *(f".{letter}" for letter in ascii_lowercase),
    ]
)
"""What people and programs write where there is nothing, in lower case."""
USUAL_FOR_NOTHING = ("NaN", "None", "NA", "N/A", "null", "-")
"""The most frequent of these, as they are usually written."""
_DEEPEST = 6
_LONGEST_NAME = 60


def cell_counts_by_word_for_missing_value(rows: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """What stands in cells for nothing, as it is written, with the number of cells."""
    return Counter(
        text
        for row in rows
        for cell in row.values()
        if isinstance(cell, str) and _stands_for_nothing(text := cell.strip())
    )


def _stands_for_nothing(text: str) -> bool:
    return (
        text.casefold() in _FOR_NOTHING
        or is_word_for_value_not_found(text)
        or is_error_value_of_spreadsheet(text)
    )


def is_cell_missing(cell: Any, words: Sequence[str] | frozenset[str] = ()) -> bool:
    """Whether a cell is empty: no value, not a number, or one of these words alone."""
    if cell is None or cell == "":
        return True
    if isinstance(cell, float):
        return math.isnan(cell)
    return isinstance(cell, str) and (not cell.strip() or cell.strip() in words)


def blank_missing_cells(
    rows: Sequence[Mapping[str, Any]], words: Sequence[str] | frozenset[str]
) -> list[dict[str, Any]]:
    """The rows with "" in cells that hold nothing."""
    held = frozenset(words)
    return [
        {name: "" if is_cell_missing(cell, held) else cell for name, cell in row.items()}
        for row in rows
    ]


# -- rows that are no items ------------------------------------------------------------------------

_SUMS = frozenset(
    [
        *(
            "sum",
            "sums",
            "total",
            "totals",
            "mean",
            "average",
            "avg",
            "median",
            "sd",
            "std",
            "count",
        ),
        *("gem", "gemiddelde", "durchschn", "moy", "prom", "średnia", "medelvärde", "gennemsnit"),
        *("summe", "summen", "gesamt", "insgesamt", "gesamtsumme", "mittelwert", "mw", "anzahl"),
        *("durchschnitt", "standardabweichung", "suma", "promedio", "media", "somme", "moyenne"),
        *("totaal", "totale", "totaux", "totales", "totais", "razem", "итого", "всего", "toplam"),
        *("合计", "总计", "合計", "합계", "المجموع"),
        *("σ", "∑", "ø", "∅"),
    ]
)
_BESIDE_SUMS = frozenset(
    [
        *("grand", "overall", "standard", "deviation", "all", "aller", "total", "general"),
        *("général", "générale", "generale", "geral", "algemeen", "global", "globale", "tous"),
        *("todos", "ogółem", "genel"),
        # What was counted of texts.
        *("length", "länge", "laenge", "lengte", "longueur", "longitud", "lunghezza", "words"),
        *("wörter", "woorden", "mots", "palabras", "zeichen", "characters", "tekens", "score"),
        *("punkte", "points", "rating", "bewertung"),
    ]
)
_MOST_SUMS, _LEAST_SUMMED = 4, 2
"""How many rows at a table's end can be sums, and how many rows they are of at least."""


def words_for_totals_by_row_number(rows: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """The rows at a table's end that hold a sum or mean of those above, counted from 1, each with
    the word that says so.
    """
    found: dict[int, str] = {}
    for at in range(len(rows), max(len(rows) - _MOST_SUMS, _LEAST_SUMMED), -1):
        words = [
            str(cell).strip() for cell in rows[at - 1].values() if _is_word(cell) and _is_sum(cell)
        ]
        if words and is_row_of_words_and_numbers(rows[at - 1], words):
            found[at] = words[0]
        elif any(_is_word(cell) for cell in rows[at - 1].values()):
            break
    sure = {at for at, word in found.items() if not may_be_initials(word)}
    others = [[*map(str, row.values())] for at, row in enumerate(rows, 1) if at not in found]
    return {
        at: word
        for at, word in sorted(found.items())
        if at in sure
        or {at - 1, at + 1} & sure
        or are_statistics_of([*map(str, rows[at - 1].values())], others)
    }


def _is_sum(cell: Any) -> bool:
    words = re.findall(r"[^\W\d_]+|[∑∅]", str(cell).casefold())
    return bool(set(words) & _SUMS) and set(words) <= _SUMS | _BESIDE_SUMS


def is_row_of_words_and_numbers(row: Mapping[str, Any], words: Sequence[str]) -> bool:
    """Whether a row has one of these words alone in a cell, and besides numbers only."""
    filled = [str(cell).strip() for cell in row.values() if _is_word(cell)]
    named = [cell for cell in filled if cell in words]
    return bool(named) and all(cell in words or _NUMBER.fullmatch(cell) for cell in filled)


_NUMBER = re.compile(r"[-+±]?\s?[\d.,\s']+\s?(%|s|ms|€|\$)?")


def is_nearly_empty(row: Mapping[str, Any], shown: Sequence[str]) -> bool:
    """Whether a row has at most one of the cells that are shown, if there are several."""
    return (
        len(shown) > 1
        and sum(not is_cell_missing(cell_of_flattened_column(row, name)) for name in shown) < 2
    )


# -- nested cells ----------------------------------------------------------------------------------


def part_columns_by_nested_column(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The columns whose cells are objects, each with the columns that they come to, such as
    ``options.A``; those with too many stay as they are.
    """
    found: dict[str, list[str]] = {}
    names = list(dict.fromkeys(name for row in rows for name in row))
    total = len(names)
    for name in names:
        # Of most columns the first cell says that there are no objects.
        if not _is_object(_object_in(_first_filled(rows, name))) and not _is_object(
            _object_in_row(
                next((row for row in rows if not is_cell_missing(row.get(name))), {}), name
            )
        ):
            continue
        cells = [_object_in_row(row, name) for row in rows if not is_cell_missing(row.get(name))]
        if not cells or not all(map(_is_object, cells)):
            continue
        paths = list(dict.fromkeys(path for cell in cells for path in _paths(cell, name)))
        # What is an object in one row may be missing in another.
        paths = [
            path
            for path in paths
            if not any(other.startswith(f"{path}.") for other in paths)
            or any(_is_word(cell_of_flattened_column(row, path)) for row in rows)
        ]
        if paths and total + len(paths) <= MOST and not set(paths) & set(names):
            found[name] = paths
            total += len(paths)
    return found


def _first_filled(rows: Sequence[Mapping[str, Any]], name: str) -> Any:
    return next((row[name] for row in rows if not is_cell_missing(row.get(name))), None)


def _is_word(cell: Any) -> bool:
    return not is_cell_missing(cell) and not isinstance(cell, Mapping | list)


def _object_in(cell: Any) -> Any:
    """A cell's object, also if it stands there as text, and what several models wrote by their
    names; any other cell as it is.
    """
    if isinstance(cell, str) and cell.lstrip()[:1] in ("{", "["):
        cell = parse_nested_value(cell) or cell
    return _texts_by_model(cell) or cell if isinstance(cell, list) else cell


_MODEL_KEYS = ("model", "model_name", "model_id", "llm", "system", "engine")
_WRITER_KEYS = ("source", "author", "writer", "written_by", "by", "from", "name", "generator")
"""Keys that say who wrote a text where they hold a model's name or a word for who writes."""
_TEXT_KEYS = (
    *("text", "content", "answer", "response", "output", "completion", "generation"),
    *("reply", "antwort", "respuesta", "réponse", "reponse", "risposta", "resposta"),
)
_SPEAKERS = frozenset(
    {"user", "human", "patient", "assistant", "system", "ai", "bot", "gpt", "doctor", "chatbot"}
)


_NAMES_MODELS = re.compile(
    r"(?i)(^|[._ -])(models?|modell[eo]?s?|modelos?|mod[eè]les?|llms?|engines?|generators?"
    r"|(?P<any>systems?))([._ -]?(names?|ids?|list))?$"
)


def _object_in_row(row: Mapping[str, Any], name: str) -> Any:
    """A cell's object; a list of texts, beside a list of as many models in the same row, as an
    object with the texts by model.
    """
    cell = row.get(name)
    held = _object_in(cell)
    if isinstance(held, str) and held.lstrip()[:1] == "[":
        held = parse_nested_value(held) or held
    if not isinstance(held, list) or len(held) < 2 or _NAMES_MODELS.search(name):
        return held
    if not all(isinstance(one, str) and " " in one.strip() for one in held):
        return _object_in(cell)
    for other, listed in row.items():
        heading = _NAMES_MODELS.search(other.strip())
        if other == name or not heading:
            continue
        is_text = isinstance(listed, str) and listed.lstrip()[:1] == "["
        models = parse_nested_value(listed) if is_text else listed
        if not isinstance(models, list) or len(models) != len(held):
            continue
        named = [one.strip() if isinstance(one, str) else "" for one in models]
        # Systems may be those of a body.
        known = not heading["any"] or any(map(is_name_of_writer, named))
        if known and all(named) and len(set(named)) == len(named):
            return dict(zip(named, held, strict=True))
    return _object_in(cell)


def _texts_by_model(listed: list[Any]) -> dict[str, Any] | None:
    """A list of what several models wrote, each with its model's name, as an object with the texts
    by model; None for any other list.
    """
    if len(listed) < 2 or not all(isinstance(one, Mapping) for one in listed):
        return None
    model = next((key for key in _MODEL_KEYS if all(key in one for one in listed)), "")
    text = next((key for key in _TEXT_KEYS if all(key in one for one in listed)), "")
    model = model or next((key for key in _WRITER_KEYS if _are_writers_by(key, listed)), "")
    names = [one.get(model) for one in listed]
    if not (model and text) or not all(isinstance(name, str) and name.strip() for name in names):
        return None
    if len(set(names)) < len(names):
        return None
    found = {str(name): one[text] for name, one in zip(names, listed, strict=True)}
    for name, one in zip(names, listed, strict=True):
        found |= {f"{name} {key}": cell for key, cell in one.items() if key not in (model, text)}
    return found


def _are_writers_by(key: str, listed: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a key says which model or person wrote each of several texts; who speaks in a
    dialogue is none of them.
    """
    names = [one.get(key) for one in listed]
    if not all(isinstance(name, str) and 0 < len(name.strip()) <= _LONGEST_NAME for name in names):
        return False
    written = [str(name).strip() for name in names]
    if {name.casefold() for name in written} <= _SPEAKERS and key in ("from", "name", "author"):
        return False
    # Somebody who is not known may stand beside one who is; passages have other sources.
    return any(map(is_name_of_writer, written)) or any(map(is_name_of_person, written))


def _is_object(cell: Any) -> bool:
    """Whether a cell has named parts: an object, or a list of one object that has objects."""
    if isinstance(cell, Mapping):
        return bool(cell) and all(isinstance(key, str) and key.strip() for key in cell)
    single = isinstance(cell, list) and len(cell) == 1 and isinstance(cell[0], Mapping)
    return single and any(isinstance(part, Mapping) for part in cell[0].values())


def _paths(cell: Any, name: str, depth: int = 0) -> list[str]:
    if depth >= _DEEPEST or not _is_object(cell):
        return [name]
    parts = cell.items() if isinstance(cell, Mapping) else [("0", cell[0])]
    return [path for key, part in parts for path in _paths(part, f"{name}.{key}", depth + 1)]


def list_columns_of_nested_cell(cell: Any, column: str) -> list[str]:
    """The columns that a cell of objects comes to; its own for any other."""
    held = _object_in(cell)
    return _paths(held, column) if _is_object(held) else [column]


def flatten_nested_cells_of_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows with a column for each part of nested cells, and names without spaces around."""
    plain = [{name.strip(): cell for name, cell in row.items()} for row in rows]
    nested = part_columns_by_nested_column(plain)
    if not nested:
        return plain
    return [
        {
            path: cell_of_flattened_column(row, path)
            for name in row
            for path in nested.get(name, (name,))
        }
        for row in plain
    ]


def list_columns_of_dialogues(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns whose cells are all conversations, in whatever form."""
    found = []
    for name in dict.fromkeys(name for row in rows for name in row):
        if not _may_hold_turns(_first_filled(rows, name)):
            continue
        cells = [row[name] for row in rows if not is_cell_missing(row.get(name))]
        if not all(map(_may_hold_turns, cells)):
            continue
        held = [parse_nested_value(cell) if isinstance(cell, str) else cell for cell in cells]
        called = name.rpartition(".")[2].strip().casefold() in HELD_IN
        if all(is_list_of_turns(cell) or (called and _is_list_of_lists(cell)) for cell in held):
            turns = [parse_turns_of_dialogue(cell) for cell in held]
            found += [name] if all(turns) else []
    return found


def _may_hold_turns(cell: Any) -> bool:
    if isinstance(cell, str):
        return cell.lstrip()[:1] == "[" or turns_of_chat_template(cell) is not None
    return isinstance(cell, list | tuple)


def _is_list_of_lists(cell: Any) -> bool:
    return isinstance(cell, list | tuple) and all(isinstance(part, list | tuple) for part in cell)


def cell_of_flattened_column(row: Mapping[str, Any], column: str) -> Any:
    """The cell of a column; of ``options.A`` the part A of the cell in ``options``; else None."""
    if column in row:
        return row[column]
    if "." not in column:
        return next((cell for name, cell in row.items() if name.strip() == column), None)
    plain = {name.strip(): cell for name, cell in row.items()}
    at = column.find(".")
    while at > 0:
        if column[:at] in plain:
            found = _part(_object_in_row(plain, column[:at]), column[at + 1 :])
            if found is not None:
                return found
        at = column.find(".", at + 1)
    return None


def _part(cell: Any, path: str) -> Any:
    """What stands at this path in a cell; keys may have dots themselves."""
    cell = _object_in(cell)
    if isinstance(cell, list) and len(cell) == 1:
        first, _, rest = path.partition(".")
        return (_part(cell[0], rest) if rest else cell[0]) if first == "0" else None
    if not isinstance(cell, Mapping):
        return None
    if path in cell:
        return cell[path]
    at = path.find(".")
    while at > 0:
        if path[:at] in cell and (found := _part(cell[path[:at]], path[at + 1 :])) is not None:
            return found
        at = path.find(".", at + 1)
    return None


def value_as_readable_lines(value: Any, depth: int = 0) -> str:
    """A list or an object as lines to read."""
    indent = "  " * depth
    if isinstance(value, Mapping):
        return "\n".join(
            f"{indent}{key}:\n{value_as_readable_lines(part, depth + 1)}"
            if isinstance(part, Mapping | list | tuple) and part
            else f"{indent}{key}: {_word(part)}"
            for key, part in value.items()
        )
    if isinstance(value, list | tuple):
        if said := text_of_content_parts(value):
            return said
        if len(value) == 1:
            return value_as_readable_lines(value[0], depth)
        return "\n".join(
            value_as_readable_lines(part, depth)
            if isinstance(part, Mapping | list | tuple)
            else f"{indent}- {_word(part)}"
            for part in value
        )
    return f"{indent}{_word(value)}" if depth else _word(value)


def _word(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, Mapping | list | tuple):
        return "" if not value else json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
