"""Where the rows of a JSON file are: in a list, by their ids, by columns, or in lists of cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

_LISTS = ("data", "rows", "items", "records", "examples", "instances", "samples", "results")
"""What the list of rows is called in a JSON file that is one object."""
_PARTS = frozenset(["train", "test", "validation", "valid", "dev", "val"])
"""What the parts of a data set are called."""
_OF_ONE_ROW = frozenset(
    [
        *("messages", "conversations", "conversation", "turns", "dialogue", "dialog", "history"),
        *("rubrics", "criteria", "choices", "options", "labels", "spans", "annotations"),
        *("answers", "alternatives", "statements", "citations", "sources", "references"),
    ]
)
"""Lists of objects that belong to one row."""
_ABOUT_A_FILE = frozenset(
    [
        *("version", "date", "title", "name", "description", "source", "license", "author", "url"),
        *("authors", "created", "created_at", "generated", "generated_at", "exported", "model"),
        *("timestamp", "time", "date_time", "updated_at"),
        *("exported_at", "dataset", "split", "language", "format", "task", "project", "study"),
        *("type", "kind", "object", "resourcetype", "$schema", "schema", "next", "previous"),
    ]
)
"""What is said in words about a whole file. Other words are a row's own, such as its question."""
_ABOUT_COLUMNS = frozenset(["features", "columns", "fields", "schema", "index"])
_LEAST_ALIKE = 2
_TURN = frozenset(["role", "from", "speaker"])
_OF_HOSPITAL_SYSTEMS = ("resourceType", "Bundle")
"""The key and value by which a bundle of a hospital's records is known, which has an id itself."""
_OF_A_CASE = re.compile(
    r"(?i)(.*[\W_])?(question|prompt|query|vignette|instruction|input|frage|pregunta|text|note"
    r"|case|item|patient|transcript|answer|response|output|diagnosis)([\W_]?text)?"
)
"""The key of what is read of one case."""
_LONGEST_WORD, _MOST_WORDS = 80, 3
_NUMBERED = re.compile(r"\d+")
_LIKE_AN_ID = re.compile(r"[^\s]*\d[^\s]*")


def rows_of_object(
    value: dict[str, Any], name: str, notes: list[str], *, whole_file: bool
) -> list[dict[str, Any]]:
    """The rows of a file that is one object; empty if it is one row of JSON lines, which it is not
    if it is spread over several lines (``whole_file``). What was decided is added to ``notes``.
    """
    for arranged_rows, words in (
        (_rows_of_split, "its headings and its cells stand apart, as pandas writes them."),
        (_rows_by_column, "its columns stand one after another, and are made into rows."),
        (
            _rows_by_case_within_columns,
            "its columns (such as models) hold cells by case, and each case is made into a row.",
        ),
        (_rows_by_id, "each row stands under its id."),
        (_rows_by_numbered_column, "its columns hold cells by number, and are made into rows."),
    ):
        if rows := arranged_rows(value):
            notes.append(f"{name}: {words}")
            return rows
    if listed := _listed_rows(value):
        path, rows, left = listed
        more = f" Left out: {', '.join(left)}." if left else ""
        notes.append(f"{name}: the rows are the list {path!r}.{more}")
        return rows
    parts = [key for key in value if _is_list_of_objects(value[key])]
    if len(parts) > 1 and {key.casefold() for key in parts} <= _PARTS:
        notes.append(f"{name}: the rows are the lists {', '.join(parts)}, named in 'split'.")
        return [{"split": key, **row} for key in parts for row in value[key]]
    if (whole_file or not _OF_ONE_ROW & value.keys()) and _are_lists_of_the_same(value):
        notes.append(f"{name}: the rows are the lists {', '.join(parts)}, named in 'list'.")
        return [{"list": key, **row} for key in parts for row in value[key]]
    for key in parts:
        is_case = any(_OF_A_CASE.fullmatch(one) for one in value)
        if len(value[key]) >= _LEAST_ALIKE and not is_case and _may_be_rows(value, key):
            notes.append(
                f"{name}: it is one object, and so one row. If its rows are the {len(value[key]):,}"
                f" objects in {key!r}, give a file with that list alone."
            )
    return [value] if whole_file else []


def _may_be_rows(value: Mapping[str, Any], key: str) -> bool:
    """Whether a list of objects in one object may be the rows of a file, and not the turns or the
    options of a single case.
    """
    return key.casefold() not in _OF_ONE_ROW and not any(_TURN & row.keys() for row in value[key])


def _listed_rows(value: Mapping[str, Any]) -> tuple[str, list[dict[str, Any]], list[str]] | None:
    """The name of the list that holds the rows, the rows, and what else there is."""
    known = [key for key in _LISTS if _is_list_of_objects(value.get(key))]
    if not known:
        known = [
            key
            for key, cell in value.items()
            if _is_list_of_objects(cell)
            and len(cell) >= _LEAST_ALIKE
            and _may_be_rows(value, key)
            and _are_about_the_file(_without_short_lists(value, key), key)
        ]
        known = known if len(known) == 1 else []
    if known:
        others = {key: cell for key, cell in value.items() if key != known[0]}
        lists = {
            key: cell
            for key, cell in others.items()
            if isinstance(cell, list) and cell and key not in _ABOUT_COLUMNS
        }
        # Shorter lists beside it are of the file if all the rest is, such as the prompts of a run.
        if lists and not _are_shorter_lists_of_file(value, known[0], lists):
            return None
        return known[0], value[known[0]], [*others]
    # The list may stand one level deeper.
    for key in _LISTS:
        if isinstance(value.get(key), Mapping) and (deeper := _listed_rows(value[key])):
            path, rows, left = deeper
            left = [*(f"{key}.{one}" for one in left), *(one for one in value if one != key)]
            return f"{key}.{path}", rows, left
    return None


def _is_short_list(cell: object, rows: Sequence[Any]) -> bool:
    """Whether a cell is a list of a few single words, such as a file's models, or of fewer objects
    that hold nothing but such words, such as its links.
    """
    if not isinstance(cell, list) or len(cell) >= len(rows):
        return False
    words = [part for one in cell for part in (one.values() if isinstance(one, dict) else [one])]
    return all(
        one is None
        or isinstance(one, int | float)
        or (isinstance(one, str) and len(one) <= _LONGEST_WORD and len(one.split()) <= _MOST_WORDS)
        for one in words
    )


def _without_short_lists(value: Mapping[str, Any], rows: str) -> dict[str, Any]:
    return {
        key: cell
        for key, cell in value.items()
        if key == rows or key.casefold() in _OF_ONE_ROW or not _is_short_list(cell, value[rows])
    }


def _are_about_the_file(value: Mapping[str, Any], rows: str) -> bool:
    """Whether all but the list of rows is of the file, as a version or a date is, and not of a row
    whose own list this would be, such as a question with its answers.
    """
    of_row = {"id", "item", "case"}
    key, bundle = _OF_HOSPITAL_SYSTEMS
    names = {*_ABOUT_A_FILE, "id"} if value.get(key) == bundle else _ABOUT_A_FILE
    return all(
        cell is None
        or isinstance(cell, int | float | Mapping)
        or (isinstance(cell, str) and key.casefold() in names)
        or key in _ABOUT_COLUMNS
        for key, cell in value.items()
        if key != rows and cell != []
    ) and not any(key.casefold() in of_row - {*names} for key in value)


def _are_shorter_lists_of_file(
    value: Mapping[str, Any], rows: str, lists: Mapping[str, Sequence[Any]]
) -> bool:
    """Whether lists of objects beside the rows, each shorter, are of the file as all else is."""
    return (
        all(
            (_is_list_of_objects(cell) and len(cell) < len(value[rows]))
            or _is_short_list(cell, value[rows])
            for cell in lists.values()
        )
        and not _OF_ONE_ROW & {*map(str.casefold, lists)}
        and _are_about_the_file({k: v for k, v in value.items() if k not in lists}, rows)
    )


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(o, dict) for o in value)


def _rows_of_split(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a file with a list of headings and a list of lists of cells."""
    names, rows = value.get("columns"), value.get("data")
    if not (isinstance(names, list) and names and all(isinstance(one, str) for one in names)):
        return []
    if not (isinstance(rows, list) and rows and len(set(names)) == len(names)):
        return []
    if not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return []
    return [dict(zip(names, row, strict=True)) for row in rows]


def _rows_by_column(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a file with a list of cells for each column."""
    columns = [*value.values()]
    if len(columns) < _LEAST_ALIKE or not all(isinstance(one, list) for one in columns):
        return []
    lengths = {len(one) for one in columns}
    if len(lengths) != 1 or not lengths - {0, 1}:
        return []
    if any(isinstance(cell, dict) and _TURN & cell.keys() for one in columns for cell in one):
        return []
    if any(_is_list_of_objects(one) for one in columns):
        return []
    return [dict(zip(value, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _are_lists_of_the_same(value: Mapping[str, Any]) -> bool:
    """Whether a file has several lists of objects with the same keys, as one for each model."""
    lists = [*value.values()]
    if len(lists) < _LEAST_ALIKE or not all(map(_is_list_of_objects, lists)):
        return False
    keys = {frozenset(row) for rows in lists for row in rows}
    return len(keys) == 1 and not any("list" in one or _TURN & one for one in keys)


def _rows_by_numbered_column(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a file whose columns hold their cells by number, as pandas writes them."""
    columns = [*value.values()]
    if not _are_objects_by_number(columns) or any(map(_NUMBERED.fullmatch, value)):
        return []
    numbers = list(dict.fromkeys(number for one in columns for number in one))
    return [{name: cells.get(number) for name, cells in value.items()} for number in numbers]


_WITH_A_NUMBER = re.compile(r"(?P<words>.*?)[ ._#:-]*(?P<number>\d+)")
_PART_WITH_A_NUMBER = re.compile(
    r"(?i)(.*[\W_])?(answers?|antwort|antworten|options?|turns?|choices?|responses?|reply|replies"
    r"|refs?|references?|labels?|scores?|steps?|parts?|fields?|col|columns?|models?|llm|messages?"
    r"|users?|assistant|sections?|symptoms?|criteri\w*|raters?|reviewers?|statements?|sources?"
    r"|citations?|chunks?|outputs?|runs?|versions?|v|t|x|a|r|m)"
)
"""Words in the numbered keys of an object that are parts of one row."""


def _rows_by_case_within_columns(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a file whose objects each hold a cell by case ({"gpt-4o": {"case1": …}}): a row
    for each case; for each case and object if what they hold are objects again.
    """
    columns = [*value.values()]
    if len(columns) < _LEAST_ALIKE or not all(isinstance(one, dict) and one for one in columns):
        return []
    cases = list(dict.fromkeys(key for one in columns for key in one))
    if len(cases) < _LEAST_ALIKE or not _are_numbered_alike(cases) or _are_numbered_alike(value):
        return []
    # What is under a part's number belongs to the row that it is a part of.
    if any(_PART_WITH_A_NUMBER.fullmatch(_WITH_A_NUMBER.sub(r"\g<words>", one)) for one in cases):
        return []
    cells = [cell for one in columns for cell in one.values()]
    if all(isinstance(cell, str) for cell in cells) and "id" not in value:
        return [
            {"id": case, **{key: one.get(case) for key, one in value.items()}} for case in cases
        ]
    if all(isinstance(cell, dict) and not {"id", "model"} & cell.keys() for cell in cells):
        return [
            {"id": case, "model": key, **one[case]}
            for case in cases
            for key, one in value.items()
            if case in one
        ]
    return []


def _are_numbered_alike(keys: Iterable[str]) -> bool:
    """Whether keys are the same words with another number behind them ("case0", "case1")."""
    found = [_WITH_A_NUMBER.fullmatch(key) for key in keys]
    words = {one["words"].casefold() for one in found if one}
    return all(found) and len(words) == 1 and words != {""}


def _are_objects_by_number(values: Sequence[Any]) -> bool:
    return (
        bool(values)
        and all(isinstance(one, dict) and one for one in values)
        and all(_NUMBERED.fullmatch(key) for one in values for key in one)
        and len({frozenset(one) for one in values}) == 1
    )


def _rows_by_id(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a file in which each stands under its id: an object, a conversation or a text."""
    cells = [*value.values()]
    if len(cells) < _LEAST_ALIKE:
        return []
    if all(isinstance(one, dict) and one for one in cells):
        every = [frozenset(one) for one in cells]
        shared, total = frozenset.intersection(*every), frozenset.union(*every)
        ids = all(map(_LIKE_AN_ID.fullmatch, value))
        alike = len(set(every)) == 1 or (bool(shared) and (ids or 2 * len(shared) >= len(total)))
        if not alike or (_are_objects_by_number(cells) and not ids):
            return []
        called = "id" if "id" not in total else "key"
        return [{called: key, **cell} for key, cell in value.items()]
    if all(
        _is_list_of_objects(one) and all(_TURN & turn.keys() for turn in one) for one in cells
    ) and all(map(_LIKE_AN_ID.fullmatch, value)):
        return [{"id": key, "messages": turns} for key, turns in value.items()]
    if all(isinstance(one, str) for one in cells) and all(map(_LIKE_AN_ID.fullmatch, value)):
        return [{"id": key, "text": text} for key, text in value.items()]
    return []


def iterate_json_values_with_lists_as_rows(
    values: Iterable[Any], name: str, notes: list[str]
) -> Iterator[Any]:
    """The values of a list as rows: a conversation under ``messages``, a text under ``text``, and
    lists of cells under the headings that the first of them holds, which is None here. Anything
    else stays as it is.
    """
    headings: list[str] | None = None
    texts = False
    for at, value in enumerate(values):
        if isinstance(value, str) and (texts or at == 0):
            if at == 0:
                texts = True
                notes.append(f"{name}: each row is a text, in the column 'text'.")
            yield {"text": value}
            continue
        if isinstance(value, list) and value:
            if all(isinstance(turn, dict) and _TURN & turn.keys() for turn in value):
                if at == 0:
                    notes.append(f"{name}: each row is a conversation, in the column 'messages'.")
                yield {"messages": value}
                continue
            if at == 0 and len(value) > 1 and all(isinstance(o, str) and o for o in value):
                headings = value if len(set(value)) == len(value) else None
                if headings:
                    notes.append(f"{name}: the first list holds the headings.")
                    yield None
                    continue
            if headings and len(value) == len(headings):
                yield dict(zip(headings, value, strict=True))
                continue
        yield value
