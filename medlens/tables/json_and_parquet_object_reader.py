"""The objects of JSON lines, JSON arrays and Parquet, each with the line on which it begins."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, BinaryIO

from medlens.deferred_module import pa, pc
from medlens.errors import BadFile, BadRow
from medlens.tables.file_kind_and_lines import CUT_OFF, read_decoded_lines
from medlens.tables.json_layout import rows_of_object
from medlens.tables.parquet_reader import make_error_for_unreadable_file, read_parquet_batches
from medlens.tables.read_limits import (
    DEEP,
    LONGEST,
    json_error_in_words,
    parse_json_value,
    return_value_unless_deeply_nested,
)

RAW = "medlens_raw"
_HEAD = 2
_LONGEST_LINE = 10_000_000


@dataclass(slots=True)
class Found:
    line: int
    value: object
    raw: str
    problem: BadRow | None = None
    storable: bool = False
    """Whether each of its texts is known to be one that a store can hold."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"the field {twice!r} twice")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_once)


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
    """The rows of a file that is one object, or objects over several lines each, whose first lines
    are ``head``; empty if it is not. What is read of the ``rest`` is added to ``head``.
    """
    filled = [line.strip() for line in head if line.strip()]
    spread_out = len(filled) > 1 and filled[0].endswith(("{", "[", ","))
    if not filled or (len(filled) > 1 and not spread_out):
        return []
    head.extend(rest)
    text = "".join(head)
    try:
        value = parse_json_value(text, _DECODER)
    except ValueError:
        return _objects_one_after_another(text) if spread_out else []
    if not isinstance(value, dict):
        return []
    rows = rows_of_object(value, name, notes, whole_file=spread_out)
    return [
        Found(number, row, json.dumps(row, ensure_ascii=False, default=str))
        for number, row in enumerate(rows, start=1)
    ]


def _objects_one_after_another(text: str) -> list[Found]:
    """The objects of a text that holds them one after another, each over several lines; empty if
    anything else stands there.
    """
    found: list[Found] = []
    at, line, counted = 0, 1, 0
    while True:
        at = _after_blanks(text, at)
        if at >= len(text):
            return found
        line += text.count("\n", counted, at)
        counted = at
        try:
            value, end = _DECODER.raw_decode(text, at)
            return_value_unless_deeply_nested(
                value, text.count("[", at, end) + text.count("{", at, end)
            )
        except (ValueError, RecursionError):
            return []
        found.append(Found(line, value, text[at:end]))
        at = _after_blanks(text, end)
        at += text[at : at + 1] == ","


_BLANKS = re.compile(r"\s*")


def _after_blanks(text: str, position: int) -> int:
    """The position of the next character that is not blank."""
    blanks = _BLANKS.match(text, position)
    return blanks.end() if blanks else position


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


def is_one_list_per_line(stream: BinaryIO) -> bool:
    """Whether a file that begins with a list is JSON lines of such lists; reads two lines."""
    begin = stream.tell()
    first, second = (stream.readline(_LONGEST_LINE).strip() for _ in range(2))
    stream.seek(begin)
    return first.endswith(b"]") and second.startswith(b"[")


def read_json_array(stream: BinaryIO, name: str) -> Iterator[Found]:
    text = "".join(read_decoded_lines(stream, name))

    def skip(position: int) -> int:
        return _after_blanks(text, position)

    at = skip(skip(0) + 1)
    line, counted = 1, 0
    while at < len(text) and text[at] != "]":
        line += text.count("\n", counted, at)
        counted = at
        try:
            value, end = _DECODER.raw_decode(text, at)
            return_value_unless_deeply_nested(
                value, text.count("[", at, end) + text.count("{", at, end)
            )
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
        has_maps = any(map(pa.types.is_nested, batch.schema.types))
        try:
            # Told what to do with maps, Arrow takes thrice as long, even where there are none.
            values = batch.to_pylist(maps_as_pydicts="lossy") if has_maps else batch.to_pylist()
            storable = not has_maps and _has_only_storable_texts(batch)
        except (pa.ArrowException, ValueError, OverflowError) as error:
            raise make_error_for_unreadable_file(name, error) from error
        for value in values:
            number += 1
            yield Found(number, value, "", storable=storable)


def _has_only_storable_texts(batch: pa.RecordBatch) -> bool:
    """Whether no text of rows without nested cells is too long, or has a NUL."""
    if any(len(column) > LONGEST or "\0" in column for column in batch.schema.names):
        return False
    for cells in batch.columns:
        column = cells.dictionary if pa.types.is_dictionary(cells.type) else cells
        kind = column.type
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            if not pa.types.is_primitive(kind) and not pa.types.is_null(kind):
                return False
            continue
        # Its characters are at most as many as its bytes.
        if (pc.max(pc.binary_length(column)).as_py() or 0) > LONGEST:
            return False
        if pc.any(pc.match_substring(column, "\0")).as_py():
            return False
    return True
