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

# A comma, a quotation mark or an ellipsis of another script ends an address; letters do not.
_FOREIGN_MARKS = (
    "\u2026\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff08\uff09\uff3b\uff3d\uff0e"
    "\u300a-\u3011\u300c-\u300f\u201c-\u201e\u00ab\u00bb\u060c\u061b\u061f"
)
_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e"
ADDRESS = rf"(?:https?://|www\.(?=[\w-]+\.))(?:[{_UNSEEN}]|[^\s<>\"'`{{}}|\\^{_FOREIGN_MARKS}])+"
"""The pattern of an address that begins with its scheme or with www."""

_DOI = (
    r"(?:doi(?:\.org)?\s*[:/]?\s*)?(?<![\w/.])10\.\d{4,9}/"
    rf"[^\s<>\"'`{{}}|\\^,;{_FOREIGN_MARKS}]+"
)
_FOUND = re.compile(
    rf"(?P<url>{ADDRESS})"
    r"|(?P<pmid>\bPMID\s*[:#]?\s*(?P<pmid_number>\d{4,9})\b)"
    r"|(?P<pmc>\b(?:PMCID\s*[:#]?\s*)?(?P<pmc_number>PMC\d{4,9})\b)"
    r"|(?P<arxiv>\barXiv\s*:\s*(?P<arxiv_number>\d{4}\.\d{4,5}(?:v\d+)?)\b)"
    rf"|(?P<doi>\b{_DOI})",
    re.IGNORECASE,
)
# Addresses with nothing, a comma or a semicolon between them.
_RUN_TOGETHER = re.compile(
    r"[,;|]+(?=(?:https?://|www\.))|(?<=[\w)\]])(?=https?://)", re.IGNORECASE
)
_TRACKING = re.compile(
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


def find_cited_addresses(text: str, start: int = 0) -> Iterator[CitedAddress]:
    """The addresses in a text from ``start`` on, in order; those run together are several."""
    for found in _FOUND.finditer(text, start):
        if found["url"] is None:
            yield CitedAddress(*found.span(), found[0], _registered(found))
            continue
        at = found.start()
        for part in _parts(found[0]):
            yield CitedAddress(at + part[0], at + part[1], found[0][slice(*part)])


def _parts(url: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for between in _RUN_TOGETHER.finditer(url):
        yield begin, between.start()
        begin = between.end()
    yield begin, len(url)


def _registered(found: re.Match[str]) -> str:
    if found["pmid"]:
        return f"https://pubmed.ncbi.nlm.nih.gov/{found['pmid_number']}/"
    if found["pmc"]:
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{found['pmc_number'].upper()}/"
    if found["arxiv"]:
        return f"https://arxiv.org/abs/{found['arxiv_number']}"
    return f"https://doi.org/{found['doi'][found['doi'].index('10.') :]}"


def canonical_address(written: str) -> str:
    """One form of an address: without unseen characters, HTML's ``&amp;``, parameters that only
    count visits, the usual port, and a fragment that names words; the host in lower case.

    What is no address that can be taken apart is returned without unseen characters.
    """
    text = re.sub(f"[{_UNSEEN}]", "", html.unescape(written.strip()))
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
    host = f"[{host}]" if ":" in host else host
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
    path = unicodedata.normalize("NFC", parts.path)
    return urlunsplit((parts.scheme.lower(), host, path, "&".join(kept), fragment))
