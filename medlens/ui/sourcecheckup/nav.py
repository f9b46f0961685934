"""The address of the page: every view is a link, and every move changes it."""

from __future__ import annotations

from dataclasses import fields
from urllib.parse import quote, urlsplit

import streamlit as st

from medlens.studies.sourcecheckup.listing import Filters, of

PAIRS, FIGURES = "Pairs", "Figures"
"""The views of the page that are no place of a task."""

FILTERS = tuple(one.name for one in fields(Filters))
"""What the list of pairs can be narrowed to, as it is called in the address."""


def filters() -> Filters:
    """What the list of pairs is narrowed to by the address."""
    return of(st.query_params.to_dict())


def safe_link(url: str) -> str:
    """An address that may be opened: http or https with a host; ``""`` for any other."""
    address = url.strip()
    if any(ord(c) < 32 or ord(c) == 127 for c in address):
        return ""
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    return quote(address, safe=":/?#[]@!$&'()*+,;=%~-._")
