"""Lists and objects that stand in a cell as text: as JSON, or as Python's programs print them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from medlens.studies.own.chat_template_text_to_turns import turns_of_chat_template
from medlens.tables import parse_json_value

_LONGEST = 500_000
_ENDS = {"[": "]", "{": "}"}
_BETWEEN_OBJECTS = re.compile(r"\}\s*\n\s*\{")
"""How NumPy prints the objects of a list: without commas."""
_TEXTS_SIDE_BY_SIDE = re.compile(r"""['"]\s+['"]""")
"""How NumPy prints the texts of a list, which Python would read as one text."""


def parse_nested_value(text: str) -> Any:
    """The list or object in a text, which must not be changed; None if it holds none. What a chat
    template has written out is a list of turns.
    """
    if len(text) <= _LONGEST and (turns := turns_of_chat_template(text)):
        return turns
    begun = text.lstrip()[:1]
    if begun not in _ENDS or len(text) > _LONGEST or not text.rstrip().endswith(_ENDS[begun]):
        return None
    return _parse(text.strip())


@lru_cache(maxsize=128)
def _parse(text: str) -> Any:
    try:
        return parse_json_value(text)
    except ValueError:
        pass
    if _TEXTS_SIDE_BY_SIDE.search(text):
        return None
    for spelt in (text, _BETWEEN_OBJECTS.sub("}, {", text)):
        try:
            value = ast.literal_eval(spelt)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        return value if isinstance(value, list | dict) else None
    return None


def list_texts_of_nested_list(value: Any) -> list[str] | None:
    """The texts and numbers of a list, as words, also if it stands in a text; None for anything
    else.
    """
    if isinstance(value, str):
        value = parse_nested_value(value)
    if not isinstance(value, list | tuple) or not value:
        return None
    if any(part is None or isinstance(part, Mapping | list | tuple | bool) for part in value):
        return None
    # What cites its sources in brackets, such as [1, 2], is no list of options.
    if not any(isinstance(part, str) for part in value):
        return None
    return [str(part) for part in value]


_TEXT_ALONE = ("text", "generated_text")
"""What Gemini and Hugging Face call the text of an object that has nothing else."""


def text_of_content_parts(value: Any) -> str:
    """The text of a list of parts as programming interfaces give an answer, each of which has the
    ``type`` "text" and a ``text``, or a text alone, without what a model thought before it; "" for
    anything else.
    """
    if not isinstance(value, list | tuple):
        return ""
    parts = [part for part in value if isinstance(part, Mapping)]
    if not parts or len(parts) < len(value):
        return ""
    said = [part for part in parts if part.get("thought") is not True]
    if all(part.get("type") in ("text", "output_text") for part in parts):
        texts = [part.get("text") for part in parts]
    elif key := next((key for key in _TEXT_ALONE if _is_alone(key, parts)), ""):
        texts = [part[key] for part in said]
    else:
        return ""
    return "\n\n".join(one for one in texts if isinstance(one, str))


def _is_alone(key: str, parts: Sequence[Mapping[str, Any]]) -> bool:
    return all(part.keys() - {"thought"} == {key} and isinstance(part[key], str) for part in parts)
