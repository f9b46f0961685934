"""What a doctor's message asks for, read tolerantly: case, Markdown, quotes, several in one text.

A diagnosis that is really given ends the visit and wins over requests in the same text; of several
the last one counts. Otherwise the first request decides, and all tests that the text asks for go
together. A keyword that is only talked about ("I will write DIAGNOSIS READY when I am sure") is not
meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Say:
    """Something said to the patient."""

    text: str


@dataclass(frozen=True)
class RequestTest:
    """Tests asked for, as named; empty where the text names none."""

    text: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class RequestImages:
    """The doctor asks to see the images."""

    text: str


@dataclass(frozen=True)
class Diagnosis:
    """The doctor's diagnosis, taken out of the text around it."""

    text: str
    diagnosis: str


Reply = Say | RequestTest | RequestImages | Diagnosis

_LONGEST, _SENTENCE = 300, 400
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_MARKS = r"[\s*_\"'`“”‘’«»#>~]*"
_KEYWORD = re.compile(
    r"(?P<diagnosis>diagnosis[\s_*-]*ready)|(?P<test>request(?:ing)?[\s_*-]*tests?)"
    r"|(?P<images>request(?:ing)?[\s_*-]*(?:the[\s_]+)?images?)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(rf"{_MARKS}(?:[:：=]|[-–—](?=\s)){_MARKS}")
# Ends of a sentence; not after a single letter (C. difficile), nor before a small one.
_END = re.compile(r"(?<![A-Z])(?<!\b[A-Za-z])[.!?][\"'*_”’)]*\s+(?=[A-Z\"'“*(])|\n")
_NOT_MEANT = re.compile(
    r"\b(?:will|would|shall|once|when|before|until|unless|not|can't|cannot|unable|if|in order to"
    r"|going to|please (?:use|write|say|give)|should (?:you|i))\b",
    re.IGNORECASE,
)
_SENTENCE_START = re.compile(r"[.!?:;]\s|\n")
_PLACEHOLDER = re.compile(
    r"(?:\[[^\]]*\]|<[^>]*>|\{[^}]*\}|[.…\s-]*|(?:your|the|insert|my)?\s*(?:final )?"
    r"diagnosis(?: here| goes here)?|n/?a|tbd|pending)\.?",
    re.IGNORECASE,
)


def parse_doctor(text: str) -> Reply:
    """What the doctor's message asks for; the text is kept whole in ``text``."""
    read = _THINKING.sub(lambda match: " " * len(match.group()), text)
    found = [match for match in _KEYWORD.finditer(read) if _meant(read, match)]
    ends = [*(match.start() for match in found[1:]), len(read)]
    for match, end in zip(reversed(found), reversed(ends), strict=False):
        if match.lastgroup == "diagnosis":
            diagnosis = _value(read, match, end)
            if diagnosis and not _PLACEHOLDER.fullmatch(diagnosis):
                return Diagnosis(text, diagnosis)
    kinds = [match.lastgroup for match in found if match.lastgroup != "diagnosis"]
    if not kinds:
        return Say(text)
    if kinds[0] == "images":
        return RequestImages(text)
    asked = [
        _value(read, match, end)
        for match, end in zip(found, ends, strict=False)
        if match.lastgroup == "test"
    ]
    named = [one for one in asked if one and not _PLACEHOLDER.fullmatch(one)]
    return RequestTest(text, tuple(dict.fromkeys(named)))


def _meant(text: str, match: re.Match[str]) -> bool:
    """Whether the keyword is used: followed by a separator, or written in capitals."""
    capitals = match.group().upper() == match.group()
    if not (capitals or _SEPARATOR.match(text, match.end())):
        return False
    before = text[max(0, match.start() - _SENTENCE) : match.start()]
    starts = [end.end() for end in _SENTENCE_START.finditer(before)]
    return not _NOT_MEANT.search(before[starts[-1] if starts else 0 :])


def _value(text: str, match: re.Match[str], after: int) -> str:
    """What stands between the keyword and ``after``: the sentence, or the next line with words."""
    separator = _SEPARATOR.match(text, match.end())
    rest = text[separator.end() if separator else match.end() : after].lstrip()
    end = _END.search(rest)
    return _bare(rest[: end.start()] if end else rest)


def _bare(value: str) -> str:
    value = " ".join(value.split())
    value = value.strip("*_\"'`“”‘’«»#>~ ").rstrip(".;,!* ").strip("*_\"'`“”‘’«» ")
    if len(value) > _LONGEST:
        value = value[: _LONGEST - 1].rstrip() + "…"
    return value
