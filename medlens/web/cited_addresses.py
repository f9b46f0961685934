"""Addresses as texts cite them: found however they are written, and brought into one form.

Two citations of one page are one source: what a campaign appended for its statistics, the case of
the host, the usual port and a text fragment do not make another. A PubMed number, a DOI and an
arXiv number stand for the page that their registry has for them.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from medlens.deferred_regex import compile_later

# A comma, a quotation mark or an ellipsis of another script ends an address; letters do not.
_FOREIGN_MARKS = (
    "\u2026\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff08\uff09\uff3b\uff3d\uff0e"
    "\u300a-\u3011\u300c-\u300f\u201c-\u201e\u00ab\u00bb\u060c\u061b\u061f\u2014"
)
_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e"
_ESCAPED = r"\\(?=[_*~&#()\[\]-])"
"""A backslash that Markdown wants and no address has."""
ADDRESS = (
    rf"(?:https?://|www\.(?=[\w-]+\.))"
    rf"(?:[{_UNSEEN}]|{_ESCAPED}|[^\s<>\"'`{{}}|\\^{_FOREIGN_MARKS}]){{1,2048}}"
)
"""The pattern of an address that begins with its scheme or with www."""

_ENDS_OF_HOSTS = (
    r"(?:gov|org|com|net|edu|int|info|eu|(?:gov|ac|org|co|com|gv|edu|gob|gouv)\.[a-z]{2}|nhs\.uk"
    r"|uk|de|at|ch|fr|es|it|nl|be|pt|br|jp|cn|au|ca|ie|se|dk|no|fi|pl|in)"
)
# Without its scheme, a host is known by its end and by the path behind it.
_BARE = (
    r"(?<![\w@/.-])(?!(?:dx\.)?doi\.org/)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,5}"
    rf"{_ENDS_OF_HOSTS}/(?:{_ESCAPED}|[^\s<>\"'`{{}}|\\^,;{_FOREIGN_MARKS}])+"
)
_DOI = (
    r"(?:[*_]{0,3}(?<![^\W_])(?:dx\.)?doi(?:\.org)?[*_]{0,3}\s{0,3}[:/]?[*_]{0,3}\s{0,3}"
    r"|(?<![\w/.]))10\.\d{4,9}/"
    # The oldest ones name a volume and a page in angle brackets.
    rf"(?:<\d+:[^\s<>]{{0,60}}>|;\d-[\dX]\b|[^\s<>\"'`{{}}|\\^,;{_FOREIGN_MARKS}])+"
)
_FOUND = compile_later(
    rf"(?P<url>{ADDRESS})"
    r"|(?P<pmid>[*_]{0,3}(?<![^\W_])(?:PMIDs?[*_]{0,3}\s{0,3}[:#]?"
    r"|PubMed(?:\s{1,3}(?:PM)?IDs?[*_]{0,3}\s{0,3}[:#]?|[*_]{0,3}\s{0,3}[:#]))[*_]{0,3}\s{0,3}"
    r"(?P<pmid_number>\d{4,9})\b)"
    r"|(?P<pmc>\b(?:PMCID[*_]{0,3}\s{0,3}[:#]?[*_]{0,3}\s{0,3}(?:PMC)?|PMC)"
    r"(?P<pmc_number>\d{4,9})\b)"
    r"|(?P<arxiv>\barXiv(?:\s{1,3}preprint)?(?:\s{1,3}arXiv)?\s{0,3}:?\s{0,3}"
    r"(?P<arxiv_number>(?:\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2})?/\d{7})(?:v\d+)?)\b)"
    rf"|(?P<doi>{_DOI})"
    rf"|(?P<bare>{_BARE})"
    r"|(?P<next_pmid>(?<![\w.])\d{7,8}\b)",
    re.IGNORECASE,
)
_AFTER_A_PMID = compile_later(
    r"\b(?:PMIDs?|PubMed(?:\s{1,3}(?:PM)?IDs?)?)[\s:#*_]{0,6}"
    r"(?:\d{4,9}\s{0,3}(?:[,;/]|and|&|\s)\s{0,3}){1,12}\Z",
    re.IGNORECASE,
)
_LOOK_BACK = 160
# An address that is broken at the end of a line goes on with a part that can be nothing else.
_BROKEN = compile_later(
    rf"(?P<begun>{ADDRESS})(?<=[/=&?%_-])[ \t]*\n[ \t]*"
    r"(?!https?:|www\.|10\.\d{4}|\d{1,3}[.)]|[-*•–]|\[|PM|doi\b"
    rf"|(?:[a-z\d-]{{1,63}}\.){{1,5}}{_ENDS_OF_HOSTS}(?:/|\s|$))"
    r"(?P<rest>[\w%~.-]+(?:[/=?&#][\w%~.=&?#/-]*)+"
    r"|(?=[\w%~.-]*[\d._-])(?=[\w%~.-]*\w)[\w%~.-]+(?=[)\].,;]*[ \t]*(?:\n|\Z)))",
    re.IGNORECASE,
)
_MOST_BREAKS = 3
# Addresses with nothing, a comma or a semicolon between them.
_RUN_TOGETHER = compile_later(
    r"[,;|]+(?=(?:https?://|www\.))|(?<=[\w)\]])(?=https?://)", re.IGNORECASE
)
_TRACKING = compile_later(
    r"utm_\w+|gclid|gclsrc|dclid|wbraid|gbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_cid"
    r"|mc_eid|_ga|_gl|_hs(?:enc|mi)|hsctatracking|mkt_tok|ncid|cmpid|icid|wt\.mc_id|s_cid|trk"
    r"|oly_(?:anon|enc)_id|vero_id|srsltid|spm",
    re.IGNORECASE,
)
_USUAL_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class CitedAddress:
    """An address as it is written in a text, from ``start`` to ``end``; ``registered`` is the page
    that a registry has for it, if it is only a number there.
    """

    start: int
    end: int
    written: str
    registered: str = ""


def iterate_over_cited_addresses(text: str, start: int = 0) -> Iterator[CitedAddress]:
    """The addresses in a text from ``start`` on, in order; those run together are several."""
    for found in _FOUND.finditer(text, start):
        if found["next_pmid"]:
            if _AFTER_A_PMID.search(text, max(0, found.start() - _LOOK_BACK), found.start()):
                yield CitedAddress(*found.span(), found[0], _registered(found))
            continue
        if found["url"] is None and found["bare"] is None:
            yield CitedAddress(*found.span(), found[0], _registered(found))
            continue
        for part in _parts(found[0]):
            begin, end = found.start() + part[0], found.start() + part[1]
            yield CitedAddress(begin, end, text[begin:end])


def join_broken_addresses_in_text(text: str) -> str:
    """A text in which addresses that are broken at ends of lines are whole."""
    for _ in range(_MOST_BREAKS):
        text = _BROKEN.sub(r"\g<begun>\g<rest>", text)
    return text


def _parts(url: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for between in _RUN_TOGETHER.finditer(url):
        yield begin, between.start()
        begin = between.end()
    yield begin, len(url)


def _registered(found: re.Match[str]) -> str:
    if number := found["pmid_number"] or found["next_pmid"]:
        return f"https://pubmed.ncbi.nlm.nih.gov/{number}/"
    if found["pmc"]:
        return f"https://pmc.ncbi.nlm.nih.gov/articles/PMC{found['pmc_number']}/"
    if found["arxiv"]:
        return f"https://arxiv.org/abs/{found['arxiv_number']}"
    return f"https://doi.org/{found['doi'][found['doi'].index('10.') :]}"


def canonical_address(written: str) -> str:
    """One form of an address: without unseen characters, Markdown's backslashes,
    HTML's ``&amp;``, parameters that only count visits, the usual port, and a fragment that names
    words; the host in lower case, letters beyond ASCII as they are read and not as bytes.

    What is no address that can be taken apart is returned without unseen characters.
    """
    text = re.sub(f"[{_UNSEEN}]|{_ESCAPED}", "", html.unescape(written.strip()))
    if "://" not in text:
        text = f"https://{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return text
    host = (parts.hostname or "").lower()
    if not host or parts.scheme.lower() not in _USUAL_PORTS:
        return text
    host = f"[{host}]" if ":" in host else _readable_host(host)
    if port is not None and port != _USUAL_PORTS[parts.scheme.lower()]:
        host = f"{host}:{port}"
    if "@" in parts.netloc:
        host = f"{parts.netloc.rpartition('@')[0]}@{host}"
    kept = [
        one
        for one in re.split(r"[&;](?=[\w.%-]+=)", parts.query)
        if one and not _TRACKING.fullmatch(one.partition("=")[0])
    ]
    fragment = "" if parts.fragment.startswith(":~:") else parts.fragment.partition(":~:")[0]
    path = unicodedata.normalize("NFC", _with_letters(parts.path))
    query = _with_letters("&".join(kept))
    return urlunsplit((parts.scheme.lower(), host, path, query, fragment))


def _readable_host(host: str) -> str:
    """The host with the letters that ``xn--`` stands for."""
    if "xn--" not in host:
        return host
    try:
        readable = host.encode("ascii").decode("idna")
        return readable if readable.encode("idna").decode("ascii") == host else host
    except UnicodeError:
        return host


def _with_letters(part: str) -> str:
    """A part of an address with its letters beyond ASCII as such, instead of as ``%`` and bytes."""
    return re.sub(r"(?:%[89A-F][\dA-F])+", _letters_of, part, flags=re.IGNORECASE)


def _letters_of(encoded: re.Match[str]) -> str:
    try:
        letters = bytes.fromhex(encoded[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return encoded[0]
    return letters if all(map(str.isalpha, letters)) else encoded[0]
