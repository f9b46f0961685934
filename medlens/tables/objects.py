"""The objects of JSON lines, JSON arrays and Parquet, each with the line on which it begins."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

import pyarrow as pa

from medlens.errors import BadFile, BadRow
from medlens.tables.limits import DEEP, json_fault, json_value, shallow
from medlens.tables.lines import CUT_OFF, decoded_lines
from medlens.tables.parquet import parquet_batches, unreadable

RAW = "medlens_raw"


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


def json_lines(stream: BinaryIO, name: str) -> Iterator[Found]:
    for number, line in enumerate(decoded_lines(stream, name), start=1):
        text = line.strip()
        if not text:
            continue
        try:
            value = json_value(text, _DECODER)
            if isinstance(value, dict) and isinstance(value.get(RAW), str):
                text = value[RAW].strip()
                value = json_value(text, _DECODER)
        except ValueError as error:
            cut = "" if line.endswith(("\n", "\r")) else CUT_OFF
            yield Found(number, None, text, _bad_json(name, number, error, cut))
        else:
            yield Found(number, value, text)


def _bad_json(name: str, line: int, error: ValueError, cut: str = "") -> BadRow:
    got = _told(error)
    if isinstance(error, json.JSONDecodeError):
        got = f"{json_fault(error)} at character {error.colno}"
    return BadRow(name, line, "", f"one JSON object on the line{cut}", got)


def _told(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return DEEP
    # Python's own message is for programmers.
    return "a number of thousands of digits" if "string conversion" in str(error) else str(error)


def json_array(stream: BinaryIO, name: str) -> Iterator[Found]:
    text = "".join(decoded_lines(stream, name))
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
            shallow(value, text.count("[", at, end) + text.count("{", at, end))
        except (ValueError, RecursionError) as error:
            where = f"{name}, line {line}"
            got = _told(error)
            if isinstance(error, json.JSONDecodeError):
                where = f"{name}, line {error.lineno}, character {error.colno}"
                got = json_fault(error)
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


def parquet_objects(stream: BinaryIO, name: str) -> Iterator[Found]:
    number = 0
    for batch in parquet_batches(stream, name):
        try:
            values = batch.to_pylist()
        except (pa.ArrowException, ValueError, OverflowError) as error:
            raise unreadable(name, error) from error
        for value in values:
            number += 1
            yield Found(number, value, "")
