"""The answer options of a question, as published: a Python or JSON dict in a cell."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

from medlens.studies.tagging.text import repair
from medlens.tables import RowError, json_value

_OPEN = re.compile(r"\s*\{\s*")
_PAIR = re.compile(
    r"""'([^'\\\n]{1,8})':\s*(?:'([^'\\\n]*(?:\\[n'"\\][^'\\\n]*)*)'"""
    r"""|"([^"\\\n]*(?:\\[n'"\\][^"\\\n]*)*)")"""
    r"""\s*([,}])\s*"""
)
_SPECIAL = re.compile(r"[<&\\\r]")
_ESCAPED = re.compile(r"""\\([n'"\\])""")


def parse_options(
    value: object, to_text: Callable[[str], str], column: str = "options"
) -> tuple[dict[str, str], str]:
    """Options (key -> repaired text) of a Python or JSON dict, and the text that follows it.

    A line break and quotation mark that an earlier conversion left at the end of an option are
    removed. Raises ``RowError``.
    """
    rest = ""
    pairs: dict[Any, Any]
    if isinstance(value, str):
        simple = _simple_pairs(value)
        if simple:
            found, end = simple
            pairs = dict(found)
            if len(pairs) < len(found):
                raise RowError(column, "each option once", value)
        else:
            end = value.rfind("}") + 1
            pairs = parse_dict(value[:end], column)
        rest = value[end:]
    elif isinstance(value, dict):
        pairs = value
    else:
        raise RowError(column, "the options, like {'A': '…', 'B': '…'}", value)
    if isinstance(value, str) and value.isascii() and not _SPECIAL.search(value):
        options = {str(key).strip(): str(text).strip() for key, text in pairs.items()}
    else:
        options = {str(key).strip(): _text(str(text), to_text) for key, text in pairs.items()}
    if len(options) < 2 or len(options) < len(pairs) or not all(options):
        raise RowError(column, "at least two options with letters", value)
    return options, rest


def _simple_pairs(text: str) -> tuple[list[tuple[str, str]], int] | None:
    """The pairs of a plain Python dict of texts and where it ends; ``None`` for any other text."""
    pairs = []
    opened = _OPEN.match(text)
    at = opened.end() if opened else len(text)
    while pair := _PAIR.match(text, at):
        key, single, double, after = pair.groups()
        pairs.append((key, _unescaped(single or double or "")))
        at = pair.end()
        if after == "}":
            return pairs, at
    return None


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPED.sub(lambda m: "\n" if m.group(1) == "n" else m.group(1), text)


def _text(text: str, to_text: Callable[[str], str]) -> str:
    text = repair(to_text(text)).strip()
    bare = text.rstrip("\"'")
    body = bare.rstrip()
    return body if bare != text and "\n" in bare[len(body) :] else text


def parse_dict(text: str, column: str) -> dict[Any, Any]:
    """A dict written as Python or as JSON. Raises ``RowError``."""
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        try:
            value = json_value(text)
        except ValueError:
            raise RowError(column, "a Python or JSON dict", text) from None
    if not isinstance(value, dict):
        raise RowError(column, "a Python or JSON dict", text)
    return value


def find_correct(value: str, options: Mapping[str, str], column: str) -> str:
    """The key of the correct option, given as its key or its text. Raises ``RowError``."""
    text = value.strip()
    if text in options:
        return text
    same = [key for key, option in options.items() if option and option == repair(text)]
    if len(same) == 1:
        return same[0]
    raise RowError(column, f"the correct answer, one of {', '.join(options)}", text)
