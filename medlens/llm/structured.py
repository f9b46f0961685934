"""Answers in a given shape: requested by schema if the endpoint supports it, and read
tolerantly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from medlens.llm.request import Message, assistant, user

Mode = Literal["schema", "object", "text"]
_FENCED = re.compile(r"```[a-zA-Z0-9]*[ \t]*\n(.*?)```", re.DOTALL)
_BEGINNING = re.compile(r'\{(?=\s*["}])')
_STARTS = 200
_LONGEST_PROBLEM = 1000
# Strict decoding does not support these; the answer is checked against them all the same.
_NOT_STRICT = frozenset({"title", "default", "minLength", "maxLength", "examples"})
_DECODER = json.JSONDecoder(strict=False)


class Unreadable(Exception):
    """A text without a value of the requested type; says why, for the model to read."""


def response_format(shape: type[BaseModel], mode: Mode) -> dict[str, Any] | None:
    """What the request says about the answer's form; None if the endpoint accepts nothing."""
    if mode == "schema":
        return {
            "type": "json_schema",
            "json_schema": {"name": shape.__name__, "strict": True, "schema": strict_schema(shape)},
        }
    return {"type": "json_object"} if mode == "object" else None


def with_instruction(
    messages: Sequence[Message], shape: type[BaseModel], mode: Mode
) -> list[Message]:
    """The messages, with the schema in words if the endpoint cannot be given it."""
    if mode == "schema":
        return list(messages)
    schema = json.dumps(strict_schema(shape), ensure_ascii=False)
    said = "Answer with one JSON object and nothing else. It must fit this JSON schema:\n" + schema
    return [*messages, user(said)]


@lru_cache(maxsize=64)
def strict_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """A type's JSON schema for strict decoding: every field required, no others allowed."""
    made = _strict(shape.model_json_schema())
    assert isinstance(made, dict)
    return made


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(one) for one in node]
    if not isinstance(node, dict):
        return node
    found = {
        key: {name: _strict(one) for name, one in value.items()}
        if key in ("properties", "$defs") and isinstance(value, Mapping)
        else _strict(value)
        for key, value in node.items()
        if key not in _NOT_STRICT
    }
    if "properties" in found:
        found["additionalProperties"] = False
        found["required"] = list(found["properties"])
    return found


def read_value(text: str, shape: type[BaseModel]) -> BaseModel:
    """The value of type ``shape`` in ``text``: alone, in a code fence, or surrounded by prose.

    If there are several, the last one counts, because models think before they answer.

    Raises:
        Unreadable: there is none; says what is wrong with the closest one.
    """
    problem = "it holds no JSON object"
    for candidate in _candidates(text):
        try:
            return shape.model_validate(candidate)
        except ValidationError as error:
            if problem == "it holds no JSON object":
                problem = _problem(error)
    raise Unreadable(problem)


def _candidates(text: str) -> Iterator[Any]:
    """The JSON objects in a text, the likeliest first; a limited number, whatever the text."""
    whole = text.strip().lstrip("\ufeff")
    for piece in (whole, *reversed([found.strip() for found in _FENCED.findall(whole)])):
        value = _decoded(piece, 0)
        if value is not None and value[1] == len(piece):
            yield value[0]
    found: list[Any] = []
    at = tries = 0
    while tries < _STARTS and (begin := _BEGINNING.search(whole, at)):
        tries += 1
        value = _decoded(whole, begin.start())
        at = begin.end() if value is None else value[1]
        if value is not None:
            found.append(value[0])
    yield from reversed(found)


def _decoded(text: str, at: int) -> tuple[Any, int] | None:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, dict) else None


def _problem(error: ValidationError) -> str:
    lines = [
        f"{'.'.join(map(str, one['loc'])) or 'the object'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    return "; ".join(lines)[:_LONGEST_PROBLEM]


def repair(messages: Sequence[Message], text: str, problem: str) -> list[Message]:
    """The conversation that asks a model, once, to correct its answer."""
    said = [assistant(text)] if text.strip() else []
    return [
        *messages,
        *said,
        user(
            f"That answer cannot be used: {problem}. Send the whole answer again as one JSON"
            " object of the form asked for, and nothing else."
        ),
    ]
