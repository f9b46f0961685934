"""A cited page, fetched safely and kept as text (SourceCheckup, arXiv:2402.02008, section 2.3).

Outcomes: ``ok``; ``not_found`` (404, 410, no such host); ``http_error`` (another status, or no
connection if there is none); ``blocked`` (the site keeps programs out, or shows only a consent
notice); ``paywalled``; ``timeout``; ``too_large`` (bytes); ``too_long`` (text: decided by whoever
gives it to a model); ``unsupported_type``; ``empty`` (no text); ``refused`` (an address that is not
fetched).
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal, Self
from urllib.robotparser import RobotFileParser

import httpcore2

from medlens.config.settings import Web
from medlens.errors import MedLensError
from medlens.web import Outcome
from medlens.web.addresses import Refused, Target, target_of
from medlens.web.exchange import TROUBLE, Exchange, Raw, TooLarge, Undecodable, joined, type_of
from medlens.web.pinned import NoSuchHost, Offline, Pinned, Resolve, look_up
from medlens.web.reader import Reader, Unread
from medlens.web.text import Kind

_ROBOTS_SECONDS = 10.0
_MOST_ROBOTS = 500_000


class Manners:
    """Starts requests to one host ``pause`` seconds apart, at most ``per_host`` at once, and checks
    robots.txt first if the settings say so (RFC 9309; an unavailable one permits everything).
    """

    def __init__(self, settings: Web, exchange: Exchange) -> None:
        self._settings, self._exchange = settings, exchange
        self._places: dict[str, asyncio.Semaphore] = {}
        self._free_at: dict[str, float] = {}
        self._robots: dict[str, asyncio.Task[RobotFileParser | None]] = {}

    @contextlib.asynccontextmanager
    async def turn(self, target: Target) -> AsyncIterator[bool]:
        """Wait for a turn at the host; returns whether its robots.txt permits the page."""
        permitted = await self._permitted(target) if self._settings.robots else True
        places = self._places.setdefault(target.host, asyncio.Semaphore(self._settings.per_host))
        async with places:
            if permitted and self._settings.pause:
                now = time.monotonic()
                begins = max(now, self._free_at.get(target.host, now))
                self._free_at[target.host] = begins + self._settings.pause
                await asyncio.sleep(begins - now)
            yield permitted

    async def _permitted(self, target: Target) -> bool:
        known = self._robots.get(target.origin)
        if known is None:
            known = self._robots[target.origin] = asyncio.create_task(self._rules(target.origin))
        # Shielded: cancelling one page must not take the rules from the others.
        rules = await asyncio.shield(known)
        return rules is None or rules.can_fetch(self._settings.user_agent, target.url)

    async def _rules(self, origin: str) -> RobotFileParser | None:
        try:
            async with asyncio.timeout(_ROBOTS_SECONDS):
                raw = await self._exchange.get(f"{origin}/robots.txt")
        except (*TROUBLE, TooLarge, Undecodable):
            return None
        if raw.status != 200:
            return None
        rules = RobotFileParser()
        rules.parse(raw.body[:_MOST_ROBOTS].decode("utf-8", "replace").splitlines())
        return rules


_HTML = ("text/html", "application/xhtml+xml", "application/xml", "text/xml")
_PDF = ("application/pdf", "application/x-pdf")
_UNSURE = ("", "application/octet-stream", "binary/octet-stream")
_TEXT = ("text/plain", "text/markdown", "text/csv", "text/tab-separated-values")
_WANTED = (*_HTML, *_PDF, *_UNSURE, *_TEXT)
_ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5"
_KEPT = (
    "content-type",
    "content-length",
    "content-encoding",
    "content-language",
    "last-modified",
    "etag",
    "date",
    "server",
    "retry-after",
    "x-robots-tag",
    "cf-mitigated",
)
_AGAIN = (429, 502, 503, 504)
_LONGEST_WAIT = 10.0
_SAYS_SOMETHING = 600
"""Characters from which on a page is read where it is, whatever it would lead to."""


class NoNetwork(MedLensError):
    """This machine can reach nothing, which says nothing about the page."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """What is kept of a fetched address. ``status`` is None if there was no answer; ``size`` is the
    number of bytes after unpacking, ``digest`` the SHA-256 of the text's UTF-8, empty without text;
    ``redirects`` are the addresses before ``final_url``, ``onward`` is where the page itself sends
    its readers at once (a meta refresh).
    """

    url: str
    final_url: str
    outcome: Outcome
    status: int | None = None
    reason: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    fetched_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    seconds: float = 0.0
    size: int = 0
    kind: Kind | Literal[""] = ""
    title: str = ""
    text: str = ""
    redirects: tuple[str, ...] = ()
    onward: str = ""

    @property
    def digest(self) -> str:
        """The text's fingerprint."""
        return hashlib.sha256(self.text.encode()).hexdigest() if self.text else ""


class Fetcher:
    """Fetches pages by the rules of ``[web]`` in the settings; an asynchronous context.

    In tests, ``resolve`` and ``dial`` replace this machine's resolver and network.
    """

    def __init__(
        self,
        settings: Web,
        *,
        resolve: Resolve = look_up,
        dial: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._settings = settings
        allowed = frozenset(settings.allow_hosts)
        self._exchange = Exchange(
            Pinned(allowed=allowed, resolve=resolve, dial=dial),
            allowed=allowed,
            user_agent=settings.user_agent,
            most_bytes=int(settings.most_megabytes * 1_000_000),
            redirects=settings.redirects,
            proxy=settings.proxy,
        )
        self._reader = Reader(seconds=settings.timeout)
        self._manners = Manners(settings, self._exchange)
        self._places = asyncio.Semaphore(settings.concurrency)
        self._allowed = allowed
        self._reached = False

    async def __aenter__(self) -> Self:
        await self._reader.warm_up()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close connections and end the reading processes."""
        await self._reader.aclose()
        await self._exchange.aclose()

    async def fetch(self, url: str) -> Page:
        """Fetch an address; a temporary failure (429, 502, 503, 504, a broken connection) is
        retried once.

        Raises:
            NoNetwork: nothing has been reached so far, and this page only failed because of the
                network.
        """
        page = await self._try(url)
        broken = page.outcome == "http_error" and page.status is None
        if page.status in _AGAIN or broken:
            said = page.headers.get("retry-after", "")
            wait = float(said) if said.isdecimal() else self._settings.pause
            if wait <= _LONGEST_WAIT:
                await asyncio.sleep(wait)
                page = await self._try(url)
        return page

    async def _try(self, url: str) -> Page:
        began, at = time.monotonic(), datetime.now(UTC)

        def made(outcome: Outcome, reason: str = "") -> Page:
            return Page(
                url=url,
                final_url=url,
                outcome=outcome,
                reason=reason,
                fetched_at=at,
                seconds=time.monotonic() - began,
            )

        try:
            target = target_of(url, allowed=self._allowed)
            async with self._manners.turn(target) as permitted:
                began = time.monotonic()
                if not permitted:
                    return made("blocked", "the site's robots.txt asks programs to stay away")
                page = await self._at(url, target.url, at, began)
            for _ in range(self._settings.redirects):
                onward = self._onward(page)
                if not onward:
                    return page
                target = target_of(onward, allowed=self._allowed)
                async with self._manners.turn(target) as permitted:
                    if not permitted:
                        return made("blocked", "the site's robots.txt asks programs to stay away")
                    went = (*page.redirects, page.final_url)
                    page = await self._at(url, target.url, at, began)
                    page = replace(page, redirects=(*went, *page.redirects))
            return page
        except Refused as error:
            return made("refused", str(error))
        except TooLarge:
            return made("too_large", f"more than {self._settings.most_megabytes:g} MB")
        except Undecodable:
            return made("unsupported_type", "it is packed in a way that is not understood")
        except (TimeoutError, httpcore2.TimeoutException):
            return made("timeout", f"no whole answer within {self._settings.timeout:g} seconds")
        except NoSuchHost:
            return made("not_found", "there is no such host")
        except Offline as error:
            if not self._reached:
                raise NoNetwork(
                    "No page can be fetched: this machine reaches no network.",
                    hint="Connect it, then start the run again.",
                ) from error
            return made("not_found", "its host cannot be looked up")
        except httpcore2.ProxyError as error:
            return made("http_error", f"the proxy did not let it through ({error})"[:200])
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            return made("http_error", f"the connection failed ({type(error).__name__})")

    async def _at(self, url: str, place: str, at: datetime, began: float) -> Page:
        """What is at a place that ``url`` led to."""
        async with self._places, asyncio.timeout(self._settings.timeout):
            raw = await self._exchange.get(place, wanted=_WANTED, accept=_ACCEPT)
        self._reached = True
        return await self._page(url, raw, at, began)

    @staticmethod
    def _onward(page: Page) -> str:
        """Where a page with next to no text redirects its readers by itself; empty if it does
        not.
        """
        if not page.onward or (page.outcome == "ok" and len(page.text) > _SAYS_SOMETHING):
            return ""
        place = joined(page.final_url, page.onward)
        return "" if place.partition("#")[0] in (page.final_url, *page.redirects) else place

    async def _page(self, url: str, raw: Raw, at: datetime, began: float) -> Page:
        outcome: Outcome = "ok"
        kind: Kind | Literal[""] = ""
        reason = title = text = onward = ""
        if raw.status != 200:
            outcome, reason = _of_status(raw)
        elif (found := _kind_of(raw)) is None:
            outcome, reason = "unsupported_type", type_of(raw.headers)[:80] or "of no known type"
        elif not raw.body.strip():
            outcome, reason = "empty", "nothing was sent"
        else:
            kind = found
            try:
                read = await self._reader.read(found, raw.body, charset=_charset(raw.headers))
                outcome, reason, title, text = read.outcome, read.reason, read.title, read.text
                onward = read.onward
            except Unread as error:
                outcome, reason = error.outcome, error.reason
        return Page(
            url=url,
            final_url=raw.target.url,
            outcome=outcome,
            status=raw.status,
            reason=reason,
            headers={name: raw.headers[name][:500] for name in _KEPT if name in raw.headers},
            fetched_at=at,
            seconds=time.monotonic() - began,
            size=len(raw.body),
            kind=kind,
            title=title,
            text=text,
            redirects=raw.redirects,
            onward=onward,
        )


def _of_status(raw: Raw) -> tuple[Outcome, str]:
    if raw.status in (404, 410):
        return "not_found", ""
    if raw.status == 402:
        return "paywalled", "the site asks for a subscription"
    if raw.status in (401, 403, 407, 429, 451) or raw.headers.get("cf-mitigated"):
        return "blocked", "the site does not let this program in"
    return ("empty", "nothing was sent") if raw.status == 204 else ("http_error", "")


def _kind_of(raw: Raw) -> Kind | None:
    named, start = type_of(raw.headers), raw.body[:1024].lstrip()
    if named in _PDF or (named in _UNSURE and start.startswith(b"%PDF-")):
        return "pdf"
    if named in _HTML or (
        named in _UNSURE and start[:200].lower().startswith((b"<!doc", b"<html"))
    ):
        return "html"
    if named in _TEXT:
        return "text"
    return None


def _charset(headers: Mapping[str, str]) -> str:
    said = headers.get("content-type", "").lower().partition("charset=")[2]
    return said.partition(";")[0].strip(" \"'")[:40]
