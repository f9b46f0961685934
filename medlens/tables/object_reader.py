"""The objects of JSON lines, JSON arrays and Parquet, each with the line on which it begins."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, BinaryIO

import pyarrow as pa

from medlens.errors import BadFile, BadRow
from medlens.tables.line_reader import CUT_OFF, read_decoded_lines
from medlens.tables.parquet_reader import read_parquet_batches, unreadable_file_error
from medlens.tables.read_limits import DEEP, json_error_in_words, parse_json_value, require_shallow

RAW = "medlens_raw"
_HEAD = 2


@dataclass(slots=True)
class Found:
    line: int
    value: object
    raw: str
    problem: BadRow | None = None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"the field {twice!r} twice")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_once)


_LISTS = ("data", "rows", "items", "records", "examples", "instances", "samples", "results")
"""What the list of rows is called in a JSON file that is one object."""


def read_json_lines(stream: BinaryIO, name: str, notes: list[str]) -> Iterator[Found]:
    """The objects of JSON lines; or the rows of a file that is one object, with the rows in a list
    or by their ids, which is added to ``notes``.
    """
    lines = read_decoded_lines(stream, name)
    head = list(islice(lines, _HEAD))
    if rows := _rows_of_one(head, lines, name, notes):
        yield from rows
        return
    for number, line in enumerate(chain(head, lines), start=1):
        text = line.strip()
        if not text:
            continue
        try:
            value = parse_json_value(text, _DECODER)
            if isinstance(value, dict) and isinstance(value.get(RAW), str):
                text = value[RAW].strip()
                value = parse_json_value(text, _DECODER)
        except ValueError as error:
            cut = "" if line.endswith(("\n", "\r")) else CUT_OFF
            yield Found(number, None, text, _bad_json(name, number, error, cut))
        else:
            yield Found(number, value, text)


def _rows_of_one(head: list[str], rest: Iterator[str], name: str, notes: list[str]) -> list[Found]:
    """The rows of a file that is one object, whose first lines are ``head``; empty if it is not.
    What is read of the ``rest`` is added to ``head``.
    """
    filled = [line.strip() for line in head if line.strip()]
    spread_out = len(filled) > 1 and filled[0].endswith(("{", "[", ","))
    if not filled or (len(filled) > 1 and not spread_out):
        return []
    head.extend(rest)
    try:
        value = parse_json_value("".join(head), _DECODER)
    except ValueError:
        return []
    if not isinstance(value, dict):
        return []
    known = [key for key in _LISTS if _is_list_of_objects(value.get(key))]
    others = [cell for key, cell in value.items() if key not in known[:1]]
    if known and not any(isinstance(cell, list) for cell in others):
        left = [key for key in value if key != known[0]]
        more = f" Left out: {', '.join(left)}." if left else ""
        notes.append(f"{name}: the rows are the list {known[0]!r}.{more}")
        rows = value[known[0]]
    elif len(value) > 1 and _are_alike([*value.values()]):
        notes.append(f"{name}: each row stands under its id.")
        rows = [{"id": key, **cell} for key, cell in value.items()]
    elif spread_out:
        rows = [value]
    else:
        return []
    return [
        Found(number, row, json.dumps(row, ensure_ascii=False, default=str))
        for number, row in enumerate(rows, start=1)
    ]


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(o, dict) for o in value)


def _are_alike(values: list[Any]) -> bool:
    """Whether these are objects with the same parts."""
    keys = [frozenset(one) for one in values if isinstance(one, dict)]
    return len(keys) == len(values) and len(set(keys)) == 1 and bool(keys[0])


def _bad_json(name: str, line: int, error: ValueError, cut: str = "") -> BadRow:
    got = _told(error)
    if isinstance(error, json.JSONDecodeError):
        got = f"{json_error_in_words(error)} at character {error.colno}"
    return BadRow(name, line, "", f"one JSON object on the line{cut}", got)


def _told(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return DEEP
    # Python's own message is for programmers.
    return "a number of thousands of digits" if "string conversion" in str(error) else str(error)


def read_json_array(stream: BinaryIO, name: str) -> Iterator[Found]:
    text = "".join(read_decoded_lines(stream, name))
    space = re.compile(r"\s*")

    def skip(position: int) -> int:
        found = space.match(text, position)
        return found.end() if found else position

    at = skip(skip(0) + 1)
    line, counted = 1, 0
    while at < len(text) and text[at] != "]":
        line += text.count("\n", counted, at)
        counted = at
        try:
            value, end = _DECODER.raw_decode(text, at)
            require_shallow(value, text.count("[", at, end) + text.count("{", at, end))
        except (ValueError, RecursionError) as error:
            where = f"{name}, line {line}"
            got = _told(error)
            if isinstance(error, json.JSONDecodeError):
                where = f"{name}, line {error.lineno}, character {error.colno}"
                got = json_error_in_words(error)
            raise BadFile(
                f"{where}: invalid JSON ({got}).", hint="Correct the file there."
            ) from error
        yield Found(line, value, text[at:end])
        at = skip(end)
        if at < len(text) and text[at] == ",":
            at = skip(at + 1)
        elif at >= len(text) or text[at] != "]":
            line += text.count("\n", counted, at)
            raise BadFile(f"{name}, line {line}: expected ',' or ']' after an element.")
    if at >= len(text):
        raise BadFile(f"{name}: the closing ']' is missing.", hint="The file may be cut off.")
    if skip(at + 1) < len(text):
        raise BadFile(f"{name}: there is text after the closing ']'.")


def read_parquet_objects(stream: BinaryIO, name: str) -> Iterator[Found]:
    number = 0
    for batch in read_parquet_batches(stream, name):
        try:
            values = batch.to_pylist()
        except (pa.ArrowException, ValueError, OverflowError) as error:
            raise unreadable_file_error(name, error) from error
        for value in values:
            number += 1
            yield Found(number, value, "")
