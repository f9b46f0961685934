"""The cookies of one fetch: sent back where they belong, and forgotten with it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from email.message import Message
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

_MOST = 16_000
"""Characters of cookies that are sent; servers refuse more."""


class _Asked:
    """A request, as far as ``http.cookiejar`` looks at one."""

    unverifiable = False

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.full_url, self.type, self.host = url, parts.scheme, parts.netloc
        self.origin_req_host = (parts.hostname or "").lower()
        self.headers: dict[str, str] = {}

    def get_full_url(self) -> str:
        return self.full_url

    def has_header(self, name: str) -> bool:
        return name in self.headers

    def get_header(self, name: str, default: str = "") -> str:
        return self.headers.get(name, default)

    def add_unredirected_header(self, name: str, value: str) -> None:
        self.headers[name] = value


class FetchCookies:
    """Keeps cookies by the rules of browsers (``http.cookiejar``): of their own host, for their
    path, and for https alone if they say so.
    """

    def __init__(self) -> None:
        self._jar = CookieJar(DefaultCookiePolicy(strict_domain=True))

    def cookie_header(self, url: str) -> str:
        """The Cookie header for an address; empty if there are none."""
        request: Any = _Asked(url)
        self._jar.add_cookie_header(request)
        header = str(request.get_header("Cookie"))
        return header if len(header) <= _MOST else ""

    def keep_cookies_and_say_if_new(self, url: str, lines: Sequence[str]) -> bool:
        """Keep what an answer's Set-Cookie lines set; returns whether that will be sent back to
        the same address, and was not before.
        """
        if not lines:
            return False
        before = self.cookie_header(url)
        message = Message()
        for line in lines:
            message["Set-Cookie"] = line
        with warnings.catch_warnings():
            # A garbled cookie is left out, and warned of.
            warnings.simplefilter("ignore")
            answer: Any = SimpleNamespace(info=lambda: message)
            request: Any = _Asked(url)
            self._jar.extract_cookies(answer, request)
        return self.cookie_header(url) not in (before, "")
