"""What a site's robots.txt permits (RFC 9309)."""

from __future__ import annotations

import re

from protego import Protego

MOST = 500 << 10
"""Bytes that are read; RFC 9309, section 2.5, asks for these at least."""
_GROUP = re.compile(r"^([ \t]*user-?agent[ \t]*:[ \t]*)([^#\r\n]*)", re.I | re.M)
_TOKEN = re.compile(r"[a-z_-]+", re.I)


class RobotsRules:
    """The rules for one program. ``agent`` is what it calls itself; its first word without the
    version is the name that groups are matched with.
    """

    def __init__(self, body: bytes, *, agent: str) -> None:
        self._name = _token(agent)
        text = body[:MOST].decode("utf-8-sig", "replace")
        # The library takes a group for "med" as one for "medlens", too.
        self._rules = Protego.parse(_GROUP.sub(self._for_whom, text))

    def may_page_be_fetched(self, url: str) -> bool:
        """Whether a page may be fetched."""
        return self._rules.can_fetch(url, self._name)

    def _for_whom(self, line: re.Match[str]) -> str:
        name = line[2].strip()
        if name.startswith("*"):
            return f"{line[1]}*"
        return line[1] + (self._name if _token(name) == self._name else "of-another-program")


def _token(agent: str) -> str:
    found = _TOKEN.match(agent)
    return found[0].casefold() if found else agent.partition("/")[0].strip().casefold()
