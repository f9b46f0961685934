"""The words right beside a quote in its text, if they change what the quote says."""

from __future__ import annotations

import re

_INSIDE = r"[^\W_]"
_JOINT = "-\u2010\u2011\u2012\u2013\u00ad"
_NEGATES = re.compile(
    r"(?:not|no|never|without|cannot|nor|neither|none|non|hardly|rarely|seldom|unlikely"
    r"|avoid(?:s|ed|ing)?|\w+n['’]t)$",
    re.IGNORECASE,
)
# Words right before a quote that say for whom or when it holds.
_NARROWS = re.compile(
    r"(?:only|unless|except|if|some|few|many|most|half|certain|selected|nearly|almost)$",
    re.IGNORECASE,
)
# And words right after it.
_THEN_NARROWS = re.compile(
    r",?\s+(?:unless|except|if|only|provided|but not|in (?:mice|rats|dogs|animals?|vitro))\b",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"(?:\b(?:than|least|most|under|over|above|below|beyond|exceed(?:s|ing)?|maximum|minimum|up to"
    r"|minus|about|approximately|around|roughly|nearly|almost)|\d\s*x|[<>≤≥=≠±~≈+$€£^/×·−–—-])\s*$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?:^|\n)[ \t]*[-–*·•]\s+$")
_CLAUSE = re.compile(r"[.!?;:,()\[\]|•]|\n\s*\n|\n(?=\s*$)")
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NEAR = 3
_UNIT = (
    r"(?:[kmcdnpµμ]?g|mcg|ug|[mdcµμ]?l|[mµμnp]?mol|m?eq|m?i?u|iu|units?|hours?|hrs?|h|days?|weeks?"
    r"|months?|years?|min|mins|minutes?|s|sec|seconds?|mm ?hg|cm ?h2o|k?pa|[ckm]?m|°|℃|°c|°f|bpm"
    r"|percent|per cent|times|fold|tablets?|drops?|doses?|kcal|m?hz|m?sv|m?gy|k?bq)"
)
_THEN_UNIT = re.compile(rf"[\s\u00a0-]*{_UNIT}(?!{_INSIDE})", re.IGNORECASE)
_ENDS_IN_UNIT = re.compile(rf"\d\s*{_UNIT}$", re.IGNORECASE)
_THEN_SIGN = re.compile(r"\s*[%‰°^±×/²³⁰-⁹′″]|\s*[x*]\s*\d|\s*[-–—−]\s*\d|[.,:·]\d")
_THEN_PER = re.compile(r"\s*(?:[/^·²³⁻]\s*|per\s+)[^\W_]*|\s*(?:each|every)\b", re.IGNORECASE)


def cut_off(text: str, start: int, end: int) -> tuple[str, str]:
    """What a range of a text was cut off from, before and after it; empty if it is complete.

    Part of its first or last word; a digit, sign or unit of its number; a comparison that its
    number is in; a negation within three words before it; a word right before it that narrows it.
    """
    return _before(text[:start], text[start:end]), _after(text[start:end], text[end:])


def _before(before: str, quote: str) -> str:
    part = re.search(rf"(?:{_INSIDE}|(?<={_INSIDE})[{_JOINT}.,·](?:\n\s*)?)+\Z", before)
    first = quote[:1]
    if part and first.isalnum() and _belongs(part[0], first):
        return part[0]
    if first.isdigit() and before.endswith((".", "·")) and not before[-2:-1].isspace():
        return before[-1]
    if before[-1:].isalnum() and re.match(r"[-\u2010-\u2015\u2212]\d", quote):
        # "-5 mg" taken from "3-5 mg" is not a negative number.
        return part[0] if part else before[-1]
    if first.isdigit() and not _LISTED.search(before):
        found = _COMPARES.search(before)
        if found:
            return before[found.start() :].lstrip()
    clause = _last_clause(before, quote)
    words = list(_WORDS.finditer(clause))[-_NEAR:]
    for word in words:
        if _NEGATES.search(word[0]):
            return clause[word.start() :]
    if words and _NARROWS.search(words[-1][0]) and not clause[words[-1].end() :].strip():
        return clause[words[-1].start() :]
    return ""


def _belongs(part: str, first: str) -> bool:
    """Whether what comes before is part of the same word or number, and not punctuation."""
    last = part.rstrip()[-1]
    if last in ".,·":
        return first.isdigit() and part.rstrip()[-2:-1].isdigit() and part[-1] == last
    return True


def _last_clause(before: str, quote: str) -> str:
    """The text before, within the same clause. A line end counts as one if a capital follows."""
    breaks = [found.end() for found in _CLAUSE.finditer(before)]
    if quote[:1].isupper() and "\n" in before[len(before.rstrip()) :]:
        return ""
    return before[max(breaks, default=0) :]


def _after(quote: str, after: str) -> str:
    if not after:
        return ""
    last = quote[-1:]
    narrows = _THEN_NARROWS.match(after)
    if narrows and last not in ".!?:;":
        return narrows[0]
    part = re.match(rf"(?:{_INSIDE}|[{_JOINT}](?:\n\s*)?(?={_INSIDE}))+", after)
    if part and last.isalnum():
        return part[0]
    if last.isdigit():
        found = _THEN_SIGN.match(after) or _THEN_UNIT.match(after)
        if found:
            return re.match(r"\s*\S+", after)[0]  # type: ignore[index]
        if re.match(r",\d{3}", after):
            return after[:4]
    elif _ENDS_IN_UNIT.search(quote):
        found = _THEN_PER.match(after)
        if found:
            return found[0]
    return ""
