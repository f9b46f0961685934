"""Ids, titles and TOML values made from names that people gave to columns and files."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from medlens.studies.own.detect_model_answer_columns import (
    NAMED_MODEL,
    normalise_model_name,
)
from medlens.studies.own.study_file import LONGEST_ID

_UNTITLED = "Answers to judge"


def title_from_file(stem: str) -> str:
    """The title that a study has at first, from its file's name without its ending: without the
    name of a model, which reviewers would read above each answer; with those of several, which do
    not say who wrote which.
    """
    words = stem.replace("_", " ")
    names = {normalise_model_name(name[0]) for name in NAMED_MODEL.finditer(words)}
    if len(names) == 1:
        words = " ".join(NAMED_MODEL.sub(" ", words).split())
        words = re.sub(r" -(?=\w)", " ", words)
        words = re.sub(r"^[\W_]+|( (of|by|from|von))?[\s\-–—,;:(\[]*$", "", words)
    return words[:1].upper() + words[1:] or _UNTITLED


_IN_PLAIN_LETTERS = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "oe",
        "å": "aa",
        "ł": "l",
    }
)


def make_id_from_name(words: str) -> str:
    """An id made from a name."""
    spelt = unicodedata.normalize("NFC", words).casefold().translate(_IN_PLAIN_LETTERS)
    letters = unicodedata.normalize("NFKD", spelt)
    plain = "".join(one for one in letters if not unicodedata.combining(one))
    name = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    name = name if name[:1].isalpha() else f"study_{name}"
    return name[:LONGEST_ID].rstrip("_")


_SHORTEST_WORD, _SHORTEST_ALONE = 4, 6
"""The fewest letters of a word in capitals that is told from an abbreviation, beside others and
alone.
"""


def _without_capitals(word: str, least: int) -> str:
    """A word in capitals in small letters; an abbreviation such as NTPROBNP stays as it is."""
    vowels = sum(letter in "AEIOUYÄÖÜÁÉÍÓÚÀÈ" for letter in word)
    is_word = word.isalpha() and len(word) >= least and 4 * vowels >= len(word)
    return word.lower() if is_word else word


def title_from_name(name: str) -> str:
    """A column's name, such as ``note_text`` or ``LONG_ANSWER``, as words."""
    words = " ".join(name.replace("_", " ").split()) or name.strip()
    if words.isupper():
        least = _SHORTEST_WORD if " " in words else _SHORTEST_ALONE
        words = " ".join(_without_capitals(word, least) for word in words.split())
    return words[:1].upper() + words[1:]


def text_as_toml_value(words: str) -> str:
    """A text as TOML."""
    # A JSON string is also a TOML string.
    return json.dumps(words, ensure_ascii=False)


def table_on_one_toml_line(cells: Mapping[str, Any]) -> str:
    """A table as TOML, on one line."""
    inline = (f"{name} = {json.dumps(cell, ensure_ascii=False)}" for name, cell in cells.items())
    return f"{{ {', '.join(inline)} }}"
