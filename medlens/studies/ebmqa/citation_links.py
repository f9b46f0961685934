"""The web address of a citation in the graph, if it has one."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

_PMID = re.compile(r"\bPMID:?\s*(\d{1,9})\b", re.IGNORECASE)
_PMC = re.compile(r"\b(PMC\d{1,9})\b", re.IGNORECASE)
_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s<>\"]+[^\s<>\".,;)])")
_WEB = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_KEPT = ":/?#[]@!$&'()*+,;=%~-._"


def citation_address(citation: str) -> str:
    """The web address of the URL, DOI, PMID or PMC number in a citation; empty if it has none."""
    if found := _WEB.search(citation):
        return quote(found[0], safe=_KEPT) if _is_address(found[0]) else ""
    if found := _DOI.search(citation):
        return f"https://doi.org/{quote(found[1])}"
    if found := _PMC.search(citation):
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{found[1].upper()}/"
    if found := _PMID.search(citation):
        return f"https://pubmed.ncbi.nlm.nih.gov/{found[1]}/"
    return ""


def _is_address(text: str) -> bool:
    try:
        return bool(urlsplit(text).hostname)
    except ValueError:
        return False
