"""A cited page, fetched safely and kept as text (SourceCheckup, arXiv:2402.02008, section 2.3).

Outcomes: ``ok``; ``not_found`` (404, 410, no such host, or a page that says so); ``http_error``
(another status, content that ends in the middle, or no connection, then without a status);
``blocked`` (the site keeps programs out, or shows only a consent notice); ``paywalled`` (or behind
a login); ``timeout``; ``too_large`` (bytes); ``too_long`` (text: decided by whoever gives it to a
model); ``unsupported_type`` (by its bytes, whatever its header says); ``empty`` (no text, or none
but the site's own: "Continue"); ``refused`` (an address that is not fetched).

What a reader at a browser would not notice is gone through: cookies that a page needs live within
one fetch, refreshes and frames are followed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal, Self
from urllib.parse import unquote, urlsplit

import httpcore2

from medlens.config.settings import Web
from medlens.errors import MedLensError
from medlens.web import Outcome
from medlens.web.body_decompression import Incomplete, Undecodable
from medlens.web.content_sniffing import HTML, PDF, TEXT, UNSURE, Kind, sniff_content_kind
from medlens.web.cookies import FetchCookies
from medlens.web.http_exchange import (
    Exchange,
    Raw,
    TooLarge,
    Wish,
    content_type_in_headers,
    resolve_relative_address,
)
from medlens.web.page_and_pdf_text_extraction import address_of_page_refresh
from medlens.web.page_text_processes import Reader, Unread
from medlens.web.pinned_connections import NoSuchHost, Offline, Pinned, Resolve, resolve_host
from medlens.web.public_address_check_before_fetching import (
    AddressRefused,
    RequestTarget,
    parse_address_to_fetch,
)
from medlens.web.robots_txt_rules import MOST, RobotsRules

_ROBOTS_SECONDS = 10.0


class Closed(Exception):
    """A page that the site's robots.txt closes to programs."""


class RequestPacing:
    """Starts requests to one host ``pause`` seconds apart, at most ``per_host`` at once, and checks
    robots.txt first if the settings say so. By RFC 9309, one that is not there (4xx) permits
    everything, and one that cannot be had (5xx, no connection) nothing.
    """

    def __init__(self, settings: Web, exchange: Exchange) -> None:
        self._settings, self._exchange = settings, exchange
        self._places: dict[str, asyncio.Semaphore] = {}
        self._free_at: dict[str, float] = {}
        self._robots: dict[str, asyncio.Task[RobotsRules | None]] = {}

    @contextlib.asynccontextmanager
    async def wait_for_turn(self, target: RequestTarget) -> AsyncIterator[None]:
        """Wait for a turn at the host.

        Raises:
            Closed: its robots.txt does not permit the page.
            httpcore2's errors: its robots.txt cannot be reached.
        """
        await self.require_robots_permit(target)
        places = self._places.setdefault(target.host, asyncio.Semaphore(self._settings.per_host))
        async with places:
            if self._settings.pause:
                now = time.monotonic()
                begins = max(now, self._free_at.get(target.host, now))
                self._free_at[target.host] = begins + self._settings.pause
                await asyncio.sleep(begins - now)
            yield

    async def require_robots_permit(self, target: RequestTarget) -> None:
        """Refuse an address that the site's robots.txt closes; asks for the rules once."""
        if not self._settings.robots:
            return
        known = self._robots.get(target.scheme_host_and_port)
        if known is None:
            known = self._robots[target.scheme_host_and_port] = asyncio.create_task(
                self._rules(target.scheme_host_and_port)
            )
        try:
            # Shielded: cancelling one page must not take the rules from the others.
            rules = await asyncio.shield(known)
        except Exception:
            if self._robots.get(target.scheme_host_and_port) is known:
                del self._robots[target.scheme_host_and_port]
            raise
        if rules is not None and not rules.may_page_be_fetched(target.url):
            raise Closed("the site's robots.txt asks programs to stay away")

    async def _rules(self, origin: str) -> RobotsRules | None:
        try:
            async with asyncio.timeout(_ROBOTS_SECONDS):
                raw = await self._exchange.get(f"{origin}/robots.txt", Wish(cut=MOST))
        except (AddressRefused, Undecodable):
            return None
        if raw.status >= 500:
            raise Closed(f"the site's robots.txt could not be fetched (status {raw.status})")
        return RobotsRules(raw.body, agent=self._settings.user_agent) if raw.status == 200 else None


_WANTED = (*HTML, *PDF, *UNSURE, *TEXT)
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
_HAS_A_PAGE = (200, 201, 202, 203, 226)
_CHECK_IN_A_FRAME = b"_Incapsula_Resource"
_SHORT_CHECK = 5_000
"""A page of so few bytes with this frame is a check of who is there, and no article's frame."""
_KEEPS_OUT = (401, 403, 406, 407, 429, 451, 999)
_AGAIN = (429, 502, 503, 504)
_PART = re.compile(r"bytes 0-(\d{1,15})/(\d{1,15})\s*$")
_WORD = re.compile(r"[^\W_]{2,}")
_FRONT = frozenset(("index", "home", "default", "main", "start", "welcome"))
_LONGEST_WAIT = 10.0
_SAYS_SOMETHING = 600
"""Characters from which on a page is read where it is, whatever it would lead to."""


class NoNetwork(MedLensError):
    """This machine can reach nothing, which says nothing about the page."""


@dataclass(frozen=True, kw_only=True)
class FetchedPage:
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


@dataclass
class _Try:
    """One attempt at an address; ``began`` once the site's turn had come, for ``seconds``."""

    url: str
    cookies: FetchCookies
    at: datetime = field(default_factory=lambda: datetime.now(UTC))
    began: float = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began if self.began else 0.0


class Fetcher:
    """Fetches pages by the rules of ``[web]`` in the settings; an asynchronous context.

    In tests, ``resolve`` and ``dial`` replace this machine's resolver and network.
    """

    def __init__(
        self,
        settings: Web,
        *,
        resolve: Resolve = resolve_host,
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
        self._manners = RequestPacing(settings, self._exchange)
        self._places = asyncio.Semaphore(settings.concurrency)
        self._allowed = allowed
        self._reached = False

    async def __aenter__(self) -> Self:
        await self._reader.start_first_process()
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

    async def fetch_page(self, url: str) -> FetchedPage:
        """Fetch an address; a temporary failure (429, 502, 503, 504, a broken connection) is
        retried once.

        Raises:
            NoNetwork: nothing has been reached so far, and this page only failed because of the
                network.
        """
        cookies = FetchCookies()
        page = await self._try(url, cookies)
        broken = page.outcome == "http_error" and page.status is None
        if page.status in _AGAIN or broken:
            said = page.headers.get("retry-after", "")
            wait = float(said) if said.isdecimal() else self._settings.pause
            if wait <= _LONGEST_WAIT:
                await asyncio.sleep(wait)
                page = await self._try(url, cookies)
        return page

    async def _try(self, url: str, cookies: FetchCookies) -> FetchedPage:
        attempt = _Try(url, cookies)

        def made(outcome: Outcome, reason: str = "") -> FetchedPage:
            return FetchedPage(
                url=url,
                final_url=url,
                outcome=outcome,
                reason=reason,
                fetched_at=attempt.at,
                seconds=attempt.seconds,
            )

        try:
            page = await self._at(url, attempt)
            for _ in range(self._settings.redirects):
                onward = self._onward(page)
                if not onward:
                    return _unless_front(page)
                went = (*page.redirects, page.final_url)
                page = await self._at(onward, attempt)
                page = replace(page, redirects=(*went, *page.redirects))
            if self._onward(page):
                raise AddressRefused(f"it redirects more than {self._settings.redirects} times")
            return _unless_front(page)
        except Closed as error:
            return made("blocked", str(error))
        except AddressRefused as error:
            return made("refused", str(error))
        except TooLarge:
            return made("too_large", f"more than {self._settings.most_megabytes:g} MB")
        except Incomplete:
            return made("http_error", "its content breaks off in the middle")
        except Undecodable:
            return made("unsupported_type", "it is compressed in a way that MedLens cannot read")
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

    async def _at(self, place: str, attempt: _Try) -> FetchedPage:
        """What is at a place that the cited address led to. If it sets cookies and shows nothing
        without them, it is asked once more with them.
        """
        target = parse_address_to_fetch(place, allowed=self._allowed)
        wish = Wish(
            wanted=_WANTED,
            by_start=lambda start: sniff_content_kind("unknown", start) is not None,
            accept=_ACCEPT,
            cookies=attempt.cookies,
            before_redirect=self._manners.require_robots_permit,
        )
        async with self._manners.wait_for_turn(target):
            attempt.began = attempt.began or time.monotonic()
            raw, page = await self._asked(target, wish, attempt)
            if raw.new_cookies and _may_want_cookies(page):
                await asyncio.sleep(self._settings.pause)
                raw, page = await self._asked(target, wish, attempt)
        return page

    async def _asked(
        self, target: RequestTarget, wish: Wish, attempt: _Try
    ) -> tuple[Raw, FetchedPage]:
        async with self._places, asyncio.timeout(self._settings.timeout):
            raw = await self._exchange.get(target.url, wish)
        self._reached = True
        return raw, await self._page(raw, attempt)

    @staticmethod
    def _onward(page: FetchedPage) -> str:
        """Where a page with next to no text redirects its readers by itself; empty if it does
        not.
        """
        if not page.onward or (page.outcome == "ok" and len(page.text) > _SAYS_SOMETHING):
            return ""
        place = resolve_relative_address(page.final_url, page.onward)
        return "" if place.partition("#")[0] in (page.final_url, *page.redirects) else place

    async def _page(self, raw: Raw, attempt: _Try) -> FetchedPage:
        outcome: Outcome = "ok"
        kind: Kind | Literal[""] = ""
        reason = title = text = onward = ""
        if not _has_page(raw):
            outcome, reason = _of_status(raw)
        elif not raw.body.strip() and content_type_in_headers(raw.headers) in _WANTED:
            outcome, reason = "empty", "nothing was sent"
        elif (found := sniff_content_kind(content_type_in_headers(raw.headers), raw.body)) is None:
            outcome, reason = (
                "unsupported_type",
                content_type_in_headers(raw.headers)[:80] or "of no known type",
            )
        else:
            kind = found
            try:
                read = await self._reader.read_page(found, raw.body, charset=_charset(raw.headers))
                outcome, reason, title, text = read.outcome, read.reason, read.title, read.text
                onward = read.onward
            except Unread as error:
                outcome, reason = error.outcome, error.reason
        if _has_page(raw):
            onward = address_of_page_refresh(raw.headers.get("refresh", "")) or onward
        return FetchedPage(
            url=attempt.url,
            final_url=raw.target.url,
            outcome=outcome,
            status=raw.status,
            reason=reason,
            headers={name: raw.headers[name][:500] for name in _KEPT if name in raw.headers},
            fetched_at=attempt.at,
            seconds=attempt.seconds,
            size=len(raw.body),
            kind=kind,
            title=title,
            text=text,
            redirects=raw.redirects,
            onward=onward,
        )


def _has_page(raw: Raw) -> bool:
    """Whether a status says that the page follows. What is only accepted (202) may hold a check of
    who is there.
    """
    if raw.headers.get("x-amzn-waf-action") or raw.headers.get("cf-mitigated"):
        return False
    if len(raw.body) < _SHORT_CHECK and _CHECK_IN_A_FRAME in raw.body:
        return False
    if raw.status == 206:
        part = _PART.match(raw.headers.get("content-range", ""))
        return part is not None and int(part[1]) + 1 == int(part[2])
    return raw.status in _HAS_A_PAGE


def _of_status(raw: Raw) -> tuple[Outcome, str]:
    if raw.status in (404, 410):
        return "not_found", ""
    if raw.status == 402:
        return "paywalled", "the site asks for a subscription"
    if raw.status in (*_KEEPS_OUT, *_HAS_A_PAGE) or raw.headers.get("cf-mitigated"):
        return "blocked", "the site does not let this program in"
    if raw.status == 206:
        return "http_error", "only a part was sent"
    return ("empty", "nothing was sent") if raw.status in (204, 205) else ("http_error", "")


def _may_want_cookies(page: FetchedPage) -> bool:
    """Whether a page may show more to who sends its cookies back: it keeps readers out, or shows
    nothing, or reloads itself.
    """
    if page.headers.get("cf-mitigated"):
        return False
    reloads = (
        bool(page.onward)
        and resolve_relative_address(page.final_url, page.onward) == page.final_url
    )
    return page.outcome in ("blocked", "empty") or (reloads and len(page.text) <= _SAYS_SOMETHING)


def _unless_front(page: FetchedPage) -> FetchedPage:
    """A page, unless its site answered the address of an article with its front page, as many do
    for what they no longer have.
    """
    if page.outcome != "ok" or not page.redirects:
        return page
    cited, shown = urlsplit(page.url), urlsplit(page.final_url)
    if shown.path not in ("", "/") or shown.query:
        return page
    parts = [part for part in unquote(cited.path).split("/") if part]
    last = _WORD.findall(parts[-1].casefold()) if parts else []
    names_article = len(last) > 2 or (len(parts) > 1 and len(last) > 1)
    if not names_article or any(word in _FRONT or word in shown.netloc for word in last):
        return page
    return replace(page, outcome="not_found", reason="its address leads to the site's front page")


def _charset(headers: Mapping[str, str]) -> str:
    said = headers.get("content-type", "").lower().partition("charset=")[2]
    return said.partition(";")[0].strip(" \"'")[:40]
