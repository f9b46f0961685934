"""One request and its answer: a size limit on the body, and redirects followed and checked."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpcore2
import httpx2

from medlens.config.settings import Web
from medlens.web.body_decompression import ACCEPTED_CODINGS, BodyUnpacker
from medlens.web.cookies import FetchCookies
from medlens.web.pinned_connections import NoSuchHost, Offline, Pinned
from medlens.web.public_address_check_before_fetching import (
    AddressRefused,
    RequestTarget,
    parse_address_to_fetch,
)

_REDIRECTS = (301, 302, 303, 307, 308)
_WITH_CONTENT = (200, 201, 202, 203, 206, 226)
_START = 2048
_CONNECT = 10.0
_OF_SERVICE = 1_000_000


TROUBLE = (
    TimeoutError,
    AddressRefused,
    NoSuchHost,
    Offline,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.TimeoutException,
    httpcore2.ProxyError,
)
"""What a request can end in, besides an answer whose body is not taken."""


class TooLarge(Exception):
    """More bytes than allowed, as sent or after unpacking."""


@dataclass(frozen=True)
class Raw:
    """An answer. ``body`` is unpacked, and empty if it was not wanted; ``new_cookies``: it set
    cookies that the same address would now be sent.
    """

    target: RequestTarget
    status: int
    headers: dict[str, str]
    body: bytes
    redirects: tuple[str, ...]
    new_cookies: bool = False


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What is taken of an answer: a body of the types ``wanted``, if any are given, or one that is
    taken by its beginning (``by_start``), up to ``cut`` bytes, if not 0. ``cookies`` are sent and
    kept; ``before_redirect`` may raise to stay where one leads to.
    """

    wanted: Collection[str] = ()
    by_start: Callable[[bytes], bool] | None = None
    cut: int = 0
    accept: str = "*/*"
    cookies: FetchCookies | None = None
    before_redirect: Callable[[RequestTarget], Awaitable[None]] | None = None


_ANYTHING = Wish()


def open_service_exchange(settings: Web, address: str) -> Exchange:
    """Requests to a service of the settings, whose own address need not be public."""
    allowed = frozenset({(urlsplit(address).hostname or "").lower()})
    return Exchange(
        Pinned(allowed=allowed),
        allowed=allowed,
        user_agent=settings.user_agent,
        most_bytes=_OF_SERVICE,
        redirects=settings.redirects,
        proxy=settings.proxy,
    )


class Exchange:
    """Requests over pinned connections or through a proxy. ``most_bytes`` applies to each body,
    both as sent and unpacked.
    """

    def __init__(
        self,
        pinned: Pinned,
        *,
        allowed: Collection[str],
        user_agent: str,
        most_bytes: int,
        redirects: int,
        proxy: str = "",
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._allowed, self._most, self._redirects = allowed, most_bytes, redirects
        self._agent = user_agent
        # A proxy connects by name: check beforehand what can be checked of the name.
        self._ahead = pinned if proxy else None
        kept = {"max_connections": 256, "max_keepalive_connections": 16, "keepalive_expiry": 15}
        context = context or httpx2.create_ssl_context()
        self._pool = (
            httpcore2.AsyncHTTPProxy(proxy, ssl_context=context, **kept)  # type: ignore[arg-type]
            if proxy
            else httpcore2.AsyncConnectionPool(
                ssl_context=context,
                network_backend=pinned,
                **kept,  # type: ignore[arg-type]
            )
        )

    async def get(self, url: str, wish: Wish = _ANYTHING) -> Raw:
        """Fetch an address, following redirects. The body is read only if the status says that
        there is content (RFC 9110, section 15.3).

        Raises:
            AddressRefused: the address, or one it redirects to, is not fetched.
            TooLarge, Undecodable: the body.
            NoSuchHost, Offline, httpcore2's errors: the connection.
        """
        went: list[str] = []
        target = parse_address_to_fetch(url, allowed=self._allowed)
        while True:
            raw = await self._one(target, wish, tuple(went))
            place = raw.headers.get("location", "").strip()
            if raw.status not in _REDIRECTS or not place:
                return raw
            if len(went) >= self._redirects:
                raise AddressRefused(f"it redirects more than {self._redirects} times")
            went.append(target.url)
            target = parse_address_to_fetch(
                resolve_relative_address(target.url, place), allowed=self._allowed
            )
            if wish.before_redirect is not None:
                await wish.before_redirect(target)

    async def _one(self, target: RequestTarget, wish: Wish, went: tuple[str, ...]) -> Raw:
        if self._ahead is not None:
            await self._ahead.check(target.host, target.port)
        parsed = httpx2.URL(target.url)
        url = httpcore2.URL(
            scheme=parsed.raw_scheme,
            host=parsed.raw_host,
            port=parsed.port,
            target=parsed.raw_path,
        )
        headers = [
            (b"Host", parsed.netloc),
            (b"User-Agent", self._agent.encode("ascii", "replace")),
            (b"Accept", wish.accept.encode()),
            (b"Accept-Encoding", ACCEPTED_CODINGS.encode()),
            (b"Accept-Language", b"en, *;q=0.5"),
        ]
        if wish.cookies is not None and (sent := wish.cookies.cookie_header(target.url)):
            headers.append((b"Cookie", sent.encode("latin-1", "replace")))
        async with self._pool.stream(
            "GET", url, headers=headers, extensions={"timeout": {"connect": _CONNECT}}
        ) as response:
            found = {
                name.decode("latin-1").lower(): value.decode("latin-1")
                for name, value in response.headers
            }
            new_cookies = wish.cookies is not None and wish.cookies.keep_cookies_and_say_if_new(
                target.url,
                [
                    value.decode("latin-1")
                    for name, value in response.headers
                    if name.lower() == b"set-cookie"
                ],
            )
            body = b""
            if response.status in _WITH_CONTENT:
                body = await self._body(response.aiter_stream(), found, wish)
        return Raw(target, response.status, found, body, went, new_cookies)

    async def _body(
        self, stream: AsyncIterator[bytes], headers: dict[str, str], wish: Wish
    ) -> bytes:
        kind = content_type_in_headers(headers)
        taken_unseen = not wish.wanted or not kind or kind in wish.wanted
        if not taken_unseen and wish.by_start is None:
            return b""
        if taken_unseen and not wish.cut and _length(headers) > self._most:
            raise TooLarge
        unpacker = BodyUnpacker(headers.get("content-encoding", ""))
        taken = 0
        parts = bytearray()
        async for part in stream:
            taken += len(part)
            if taken > self._most and not wish.cut:
                raise TooLarge
            for piece in unpacker.unpack_in_pieces(part):
                parts += piece
                if wish.cut and len(parts) >= wish.cut:
                    return bytes(parts[: wish.cut])
                if len(parts) > self._most:
                    raise TooLarge
            if not taken_unseen and len(parts) >= _START:
                assert wish.by_start is not None
                if not wish.by_start(bytes(parts[:_START])):
                    return b""
                taken_unseen = True
                if _length(headers) > self._most:
                    raise TooLarge
        for piece in unpacker.unpack_rest_in_pieces():
            parts += piece
            if len(parts) > self._most:
                raise TooLarge
        return bytes(parts)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._pool.aclose()


def content_type_in_headers(headers: dict[str, str]) -> str:
    """The content type alone, in lower case."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def resolve_relative_address(base: str, place: str) -> str:
    """The address of ``place`` as seen from a page at ``base``.

    Raises:
        AddressRefused: it is not a web address.
    """
    # Some servers send UTF-8 in this header, which HTTP reads as Latin-1.
    with contextlib.suppress(UnicodeError):
        place = place.encode("latin-1").decode("utf-8")
    try:
        return urljoin(base, place)
    except ValueError as error:
        raise AddressRefused("it redirects to something that is not a web address") from error


def _length(headers: dict[str, str]) -> int:
    said = headers.get("content-length", "")
    return int(said) if said.isdecimal() and len(said) < 16 else 0
