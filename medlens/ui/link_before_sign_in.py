"""The query of the link that a browser arrived by, kept until its person has signed in.

Signing in through a provider loses the address. So the guard puts the query in a cookie that
scripts cannot read, removes it from the address, and deletes the cookie once the page has reported
it settled.
"""

from __future__ import annotations

import base64
import re
import secrets
from collections import OrderedDict
from urllib.parse import parse_qsl

from starlette.requests import HTTPConnection

COOKIE = "medlens_arrival"
INVITE = "invite"
"""The query parameter that holds an invitation's secret."""

_LONGEST = 2000
_SECONDS = 3600
_KEPT = re.compile(r"[A-Za-z0-9_-]{1,2700}")
_OF_OPENING = 8
"""The first characters of the cookie's value, which tell one opening of a link from others."""
_MOST = 10_000
_settled: OrderedDict[tuple[str, str], None] = OrderedDict()


def cookie_value_of_invitation_query(query: bytes) -> str:
    """The part of an address's query to keep; empty if it has no invitation or is far too long.

    Each opening of a link has a value of its own: at a computer that several people share, what
    the first of them has settled is still open to the next.
    """
    if len(query) > _LONGEST or INVITE not in parse_query(query):
        return ""
    opened = secrets.token_hex(_OF_OPENING // 2)
    return opened + base64.urlsafe_b64encode(query).decode().rstrip("=")


def parse_query(query: bytes) -> dict[str, str]:
    """A query as a dict, with the first value of each name."""
    pairs = parse_qsl(query.decode("latin-1"), max_num_fields=None)
    return dict(reversed(pairs))


def read_query_parameters_from_cookie(cookie: str) -> dict[str, str]:
    """The link's query, read from the cookie's value; empty if the cookie is not ours."""
    if not _KEPT.fullmatch(cookie):
        return {}
    kept = cookie[_OF_OPENING:]
    try:
        return parse_query(base64.urlsafe_b64decode(kept + "=" * (-len(kept) % 4)))
    except ValueError:
        return {}


def make_set_cookie_header(value: str, *, secure: str) -> str:
    """The ``Set-Cookie`` that keeps a value; an empty value deletes the cookie."""
    seconds = _SECONDS if value else 0
    # Not strict, so that the browser still sends it on return from the sign-in provider.
    return f"{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"


def mark_link_as_settled(browser: str, value: str) -> None:
    """Note that this browser's link needs nothing more."""
    _settled[browser, value] = None
    while len(_settled) > _MOST:
        _settled.popitem(last=False)


def is_link_settled(browser: str, value: str) -> bool:
    """Whether ``mark_link_as_settled`` was called for this link in this process."""
    return (browser, value) in _settled


def is_cookie_outdated(connection: HTTPConnection, browser: str) -> bool:
    """Whether the browser still has a cookie for a link that is settled."""
    value = connection.cookies.get(COOKIE, "")
    return bool(value) and is_link_settled(browser, value)
