"""The host that a request's ``Host`` header names."""

from __future__ import annotations

import re

_HOST_HEADER = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_-][a-z0-9._-]*)(?::(\d{1,5}))?", re.I | re.A)


def find_host_name_in_header(sent: str) -> str | None:
    """The host, in lower case and without brackets, that a request's ``Host`` header names; None
    if the whole header is not a host and a port: ``localhost:8501.evil.example`` names none.
    """
    match = _HOST_HEADER.fullmatch(sent)
    if match is None or int(match[2] or 0) > 65535:
        return None
    return match[1].strip("[]").lower().rstrip(".") or None
