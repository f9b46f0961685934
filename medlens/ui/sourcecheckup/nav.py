"""The address of the page: every view is a link, and every move changes it."""

from __future__ import annotations

from dataclasses import fields
from urllib.parse import quote, urlsplit

import streamlit as st

from medlens.studies.sourcecheckup.listing import Filters, of

PAIRS = "Pairs"
"""The page's views that do not belong to a task."""

FILTERS = tuple(one.name for one in fields(Filters))
"""The filters of the list of pairs, by their names in the address."""


def filters() -> Filters:
    """The filters of the list of pairs in the address."""
    return of(st.query_params.to_dict())


def safe_link(url: str) -> str:
    """An address that is safe to open: http or https with a host; ``""`` for any other."""
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
