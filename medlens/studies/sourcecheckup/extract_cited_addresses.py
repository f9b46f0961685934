"""Reads models' answers tolerantly: finds the addresses in a text and takes them out.

Models write sources as Markdown links, in angle brackets, in footnotes, without ``https://``, run
together, as a PubMed number or DOI, or as a name before the address; an address written twice in
one link counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from medlens.deferred_regex import compile_later
from medlens.web.cited_addresses import (
    ADDRESS,
    CitedAddress,
    canonical_address,
    iterate_over_cited_addresses,
    join_broken_addresses_in_text,
)

_FOUND = compile_later(ADDRESS, re.IGNORECASE)
_LINK = compile_later(rf"\[([^\[\]\n]{{0,300}})\]\(\s*<?({ADDRESS})", re.IGNORECASE)
_ADDRESS_AS_LABEL = compile_later(rf"\[<?{ADDRESS}?>?\]\((?=\s*<?https?:)", re.IGNORECASE)
_SCHEME = compile_later(r"[a-z][a-z0-9+.-]{1,20}:\S+", re.IGNORECASE)
_BARE = compile_later(r"(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}(?:/\S*)?", re.IGNORECASE)
_ENDING = ".,;:!?*_~'\"“”„‘’«»"
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_FOOTNOTE = compile_later(r"\[(?:\d{1,3}(?:[,–-]\d{1,3})*\])?$|\($")
_POSSESSIVE = compile_later(r"’s$")
_LEFTOVER = compile_later(r"\(\s*[,;]*\s*\)|\[\s*[,;]*\s*\]|<\s*>|``")
_CALLED = r"(?:sources?|references?|citations?|links?|urls?|further reading|bibliography)[*_\s]*"
_HEADING = compile_later(rf"[#*_\s]*{_CALLED}:?[*_\s]*", re.IGNORECASE)
_NAMED = compile_later(rf"[#*_\s]*{_CALLED}:", re.IGNORECASE)
_AT_END = compile_later(rf"\s\(?[*_]*\b{_CALLED}:[*_\s,;.)]*$", re.IGNORECASE)
_POINT = r"\s*(?:[-*•–]|\(?\d{1,3}[.)]|\[\d{1,3}\])"
_ENTRY = compile_later(rf"{_POINT}\s*\S")
_MARKER = compile_later(rf"(?:{_POINT})?[\s:;,.–—-]*")


@dataclass(frozen=True)
class Cited:
    """A text without its addresses, and the addresses in one form (``canonical_address``) and in
    order, those of a source list last, including repeats.
    """

    text: str
    urls: tuple[str, ...]


def separate_addresses_from_text(text: str) -> Cited:
    """Take the addresses out of a text; a Markdown link leaves its words.

    A source list at the end is removed completely: its titles and names are not part of what the
    text says.
    """
    kept, listed = _apart(join_broken_addresses_in_text(text))
    found, also = _taken(kept), _taken(listed)
    urls = (*found.urls, *also.urls)
    return Cited(_tidied(found.text) if urls else text.strip(), urls)


def _apart(text: str) -> tuple[str, str]:
    """Splits a text from its source lists: a heading and the entries below it, or a line that
    begins with such a word.
    """
    kept: list[str] = []
    listed: list[str] = []
    inside = after_space = False
    for line in text.splitlines():
        cites = next(iterate_over_cited_addresses(line), None) is not None
        if _HEADING.fullmatch(line) if not cites else _NAMED.match(line):
            inside, after_space = True, False
            listed.append(line)
        elif inside and not line.strip():
            # The first entry may follow an empty line, and so may later ones that have a list mark.
            after_space = bool(listed[-1].strip()) and not _HEADING.fullmatch(listed[-1])
            kept.append(line)
        elif inside and cites and (not after_space or _ENTRY.match(line)):
            after_space = False
            listed.append(line)
        else:
            inside = False
            kept.append(line)
    return "\n".join(kept), "\n".join(listed)


def _taken(text: str) -> Cited:
    """Take out the addresses wherever they are; the spaces around them stay."""
    urls: list[str] = []
    parts: list[str] = []
    at = 0
    text = _ADDRESS_AS_LABEL.sub("(", text)
    while found := next(iterate_over_cited_addresses(text, at), None):
        link = _LINK.search(text, at, found.end) if not found.registered else None
        begin = link.start() if link and link.start(2) == found.start else found.start
        url = _trimmed(found.written, in_link=begin != found.start)
        end = found.start + len(url)
        parts.append(text[at:begin])
        if begin != found.start:
            assert link is not None
            label = link[1].strip()
            parts.append("" if _FOUND.match(label) else label)
            closing = re.compile(r"\s*>?(?:\s+[\"'][^\"'\n]{0,200}[\"'])?\s*\)").match(text, end)
            end = closing.end() if closing else end
        urls.append(_registered(found, url) if found.registered else _whole(url))
        at = end
    parts.append(text[at:])
    return Cited("".join(parts), tuple(urls))


def list_addresses_in_source_list(sources: Iterable[str]) -> tuple[str, ...]:
    """The addresses in a list of sources.

    Other schemes (``javascript:``, ``file:``) are kept, and refused when fetched; a source that
    names no address is dropped.
    """
    made: list[str] = []
    for source in sources:
        text = source.strip().strip("<>")
        inside = separate_addresses_from_text(text).urls
        if inside:
            made += inside
        elif _SCHEME.fullmatch(text):
            made.append(text)
        elif _BARE.fullmatch(text):
            made.append(_whole(text))
    return tuple(made)


def drop_empty_and_repeated_statements(given: Sequence[str]) -> list[str]:
    """Statements in order, without empty ones and repeats (ignoring spaces, case, full stop)."""
    made: dict[str, str] = {}
    for one in given:
        text = " ".join(one.split())
        if text:
            made.setdefault(text.casefold().rstrip(". "), text)
    return list(made.values())


def _whole(url: str) -> str:
    return canonical_address(url if _SCHEME.match(url) and "://" in url else f"https://{url}")


def _registered(found: CitedAddress, written: str) -> str:
    """The page of a number; the punctuation behind a DOI is not part of it."""
    if not found.registered.startswith("https://doi.org/"):
        return found.registered
    return canonical_address(f"https://doi.org/{written[written.index('10.') :]}")


def _trimmed(url: str, *, in_link: bool) -> str:
    """The address without the sentence's punctuation; a bracket stays if it has its partner."""
    if in_link:
        depth = 0
        for at, char in enumerate(url):
            depth += (char == "(") - (char == ")")
            if depth < 0:
                return url[:at]
        return url
    url = _POSSESSIVE.sub("", url)
    while url and (
        (note := _FOOTNOTE.search(url)) is not None
        or url[-1] in _ENDING
        or (url[-1] in _BRACKETS and url.count(url[-1]) > url.count(_BRACKETS[url[-1]]))
    ):
        url = url[: note.start()] if note else url[:-1]
    # Two addresses run together, or footnote brackets: "https://a.org](https://a.org".
    return re.split(r"[\])](?=[(\[])", url)[0]


def _tidied(text: str) -> str:
    kept = []
    for given in _LEFTOVER.sub("", text).splitlines():
        line = re.sub(r"[ \t]+(?=[.,;:!?)])", "", re.sub(r"[ \t]{2,}", " ", given)).rstrip()
        if line.strip() and (_MARKER.fullmatch(line) or _HEADING.fullmatch(line)):
            continue
        kept.append(_AT_END.sub("", line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
