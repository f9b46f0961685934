"""A person's identifiers in texts, found whatever their case and accents, and replaced.

An identifier that can hardly be anything else (several words, an address, a handle, an id) is
replaced wherever it stands. A name of one word may be a word: among people's words it is replaced
in any writing, in an answer of one word, which may be a label, never.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from medlens.review.anonymity import fold_case_and_accents, regex_text_ignoring_case_and_accents

_SHORT = 3
"""Letters of a name that is too short to be looked for in any writing."""


class PersonIdentifiers:
    """What identifies one person; ``number`` takes its place."""

    def __init__(self, identifiers: Iterable[str], number: str) -> None:
        named = {" ".join(text.split()) for text in identifiers}
        self.all = sorted((text for text in named if text), key=len, reverse=True)
        self.number = number
        self.distinctive = [text for text in self.all if is_distinctive_identifier(text)]
        words = [text for text in self.all if text not in self.distinctive]
        self._distinctive = _pattern(
            regex_text_ignoring_case_and_accents(text) for text in self.distinctive
        )
        self._words = _pattern(
            regex_text_ignoring_case_and_accents(text) if len(text) > _SHORT else re.escape(text)
            for text in words
        )
        parts = {part for text in self.all for part in re.split(r"[\W_]+", text)}
        self._parts = _pattern(
            regex_text_ignoring_case_and_accents(part)
            for part in parts
            if len(part) > _SHORT and part.isalpha()
        )

    @cached_property
    def ascii_search_fragments(self) -> list[str]:
        """For each identifier what every text with it contains without case and accents, in ASCII;
        "" for one without such a part.
        """
        runs = (re.findall(r"[a-z0-9]+", _plain(text)) for text in self.all)
        return sorted({max(found, key=len, default="") for found in runs})

    def replace_person_in_prose(self, text: str) -> str:
        """People's words with the number in place of the person."""
        for pattern in (self._distinctive, self._words):
            text = pattern.sub(self.number, text) if pattern else text
        return text

    def replace_person_in_answer(self, text: str) -> str:
        """The same for a text that may be a label: one word alone stays."""
        return (
            self.replace_person_in_prose(text)
            if len(text.split()) > 1
            else self.replace_person_in_label(text)
        )

    def replace_person_in_label(self, text: str) -> str:
        """The same for a text that is a label or an address: only what can be nothing else."""
        return self._distinctive.sub(self.number, text) if self._distinctive else text

    def mask_person_with_x(self, text: str) -> str:
        """A text to be judged, in which x stands for each letter of the person: its length stays,
        and with it what is marked in it.
        """
        if not self._distinctive:
            return text
        return self._distinctive.sub(lambda found: mask_letters_with_x(found.group()), text)

    def has_part_of_name_in(self, text: str) -> bool:
        """Whether a text has a part of the person's names, by itself too."""
        return bool(self._parts and self._parts.search(text))


def _plain(text: str) -> str:
    """Without case and accents, and with a gap for each letter that these make longer."""
    return "".join(
        letter if len(fold_case_and_accents(letter)) > 1 else fold_case_and_accents(letter)
        for letter in text
    )


def is_distinctive_identifier(identifier: str) -> bool:
    """Whether it can hardly be anything but the person."""
    return len(identifier) > _SHORT and bool(re.search(r"[\W\d_]", identifier))


def mask_letters_with_x(text: str) -> str:
    """x for every letter, digit, mark and symbol of a text. Its length, spaces and punctuation
    stay, and so do places in it and counts of its words and lines.
    """
    return "".join(letter if _stays(letter) else "x" for letter in text)


def _stays(letter: str) -> bool:
    return letter.isspace() or unicodedata.category(letter)[0] in "PZ"


def map_texts_in_json_value(value: Any, change: Callable[[str], str]) -> Any:
    """A value of JSON with every text in it changed; the keys of objects stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: map_texts_in_json_value(held, change) for key, held in value.items()}
    if isinstance(value, list):
        return [map_texts_in_json_value(held, change) for held in value]
    return value


def map_texts_in_json_text(text: str, change: Callable[[str], str]) -> str:
    """A JSON text with every text in it changed; as it is where nothing changes."""
    try:
        value = json.loads(text)
    except ValueError:
        return change(text)
    becomes = map_texts_in_json_value(value, change)
    return text if becomes == value else json.dumps(becomes, ensure_ascii=False)


def _pattern(patterns: Iterable[str]) -> re.Pattern[str] | None:
    either = "|".join(patterns)
    return re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])") if either else None
