"""Cleans model text for reading: no Markdown or odd signs, one wording of ranges."""

from __future__ import annotations

import re
import unicodedata

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,80}>")
_MARKDOWN = re.compile(r"[*_`~#>$\\]+")
_SPACES = re.compile(r"[^\S\n]+")
EDGES = " \t\n\"'«»「」『』()[]{}.,;:!?-=|"
_SIGNS = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "−": "-",
        "‐": "-",
        "‑": "-",
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "。": ".",
        "、": ",",
        "‚": ",",
        "•": "-",
        "·": "-",
    }
)
_COUNTED = ("one", "two", "three", "four", "five", "six", "seven")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_IN_WORDS = re.compile(
    rf"\b(?:the )?(?:(?P<nth>{'|'.join(_ORDINALS)}) (?:option|choice|answer)"
    rf"|(?:option|choice|number) (?P<n>{'|'.join(_COUNTED)}))\b",
    re.IGNORECASE,
)
_NUMBER = r"\d+(?:[.,]\d+)*(?:e[+-]?\d+)?"
_WORDING = (
    (re.compile(r"(?<=\d)\s*(?:per ?cent|%)"), "%"),
    (re.compile(r"(?:(?:more|higher|larger) than|above|over|exceeding) (?=\d)"), "greater than "),
    (re.compile(r"(?:(?:lower|smaller|fewer) than|below|under) (?=\d)"), "less than "),
    (
        re.compile(rf"(?:between |from )?({_NUMBER})%? ?(?:-|to|and) ?({_NUMBER})(%?)"),
        r"between \1\3 and \2\3",
    ),
    (re.compile(r"\b(?:by|to) (?=(?:greater than|less than|between) \d)"), ""),
    (re.compile(r"(?<=\d) (?:times|of what (?:it|they) (?:is|was|were|are))\b"), ""),
)


def cleaned(text: str) -> str:
    """Without Markdown, tags and odd signs; lines and capitals stay."""
    text = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    text = _TAG.sub(" ", text.replace("\\boxed", " answer: "))
    # Before removing Markdown: "> 54%" is not a quotation.
    text = re.sub(r">\s*(?=\d)", " greater than ", text)
    text = re.sub(r"<\s*(?=\d)", " less than ", text)
    text = _IN_WORDS.sub(_in_digits, _MARKDOWN.sub(" ", text))
    return _SPACES.sub(" ", text).strip()


def _in_digits(match: re.Match[str]) -> str:
    nth, n = match["nth"], match["n"]
    number = _ORDINALS.index(nth.lower()) if nth else _COUNTED.index(n.lower())
    return f"option {number + 1}"


def one_wording(text: str) -> str:
    """Cleaned text for comparing options: lower case, one wording of ranges, one line."""
    text = " ".join(text.lower().split())
    for pattern, instead in _WORDING:
        text = pattern.sub(instead, text)
    return text
