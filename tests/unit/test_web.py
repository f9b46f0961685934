"""Cited pages: what is refused, what each answer counts as, and what hostile servers achieve."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpcore2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from medlens.config.settings import Web
from medlens.web.fetched_page_walls import (
    ABSTRACT_ONLY,
    PERHAPS_NO_ARTICLE,
    classify_as_page_or_wall_and_say_why,
)
from medlens.web.internet_archive_lookup import Archive, ArchiveUnavailable
from medlens.web.page_and_pdf_text_extraction import read_page_text_title_and_outcome
from medlens.web.page_fetch import FetchedPage, Fetcher, NoNetwork
from medlens.web.page_text_processes import Reader, Unread
from medlens.web.pinned_connections import Offline, resolve_host
from medlens.web.public_address_check_before_fetching import (
    AddressRefused,
    parse_address_to_fetch,
    reason_ip_address_is_refused,
)
from medlens.web.robots_txt_rules import RobotsRules
from tests.labelled_pages import PAGES
from tests.labelled_passages import TEXTS
from tests.near import pages_nearby
from tests.page_quirks import QUIRKS as FIRST_QUIRKS
from tests.page_quirks_of_journals import JOURNALS
from tests.page_quirks_of_sites import SITES
from tests.pages_about_walls_and_abstracts import ABSTRACTS, CAPTCHA_ARTICLES
from tests.short_pages import SHORT_ARTICLES, SHORT_WALLS, pages_of
from tests.web_server import Served, WebServer, html

SEPSIS = "Antibiotics are given within one hour of recognising septic shock. " * 5


@pytest.fixture(scope="module")
def web() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


class Dial(httpcore2.AsyncNetworkBackend):
    """A network in which every public address is the local server; notes who was called."""

    def __init__(self, port: int) -> None:
        self._port, self.called = port, []  # type: ignore[var-annotated]

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.called.append(host)
        return await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", self._port, timeout)


def fetched(
    web: WebServer,
    *urls: str,
    resolve: Any = resolve_host,
    dial: Any = None,
    near: bool = True,
    **settings: Any,
) -> list[FetchedPage]:
    """The pages at these addresses, read in this process or by processes of their own."""
    given = Web(**{"allow_hosts": (web.host,), "pause": 0, "robots": False, **settings})

    async def work() -> list[FetchedPage]:
        async with Fetcher(given, resolve=resolve, dial=dial) as fetcher:
            return await asyncio.gather(*(fetcher.fetch_page(url) for url in urls))

    with pages_nearby() if near else contextlib.nullcontext():
        return asyncio.run(work())


def names(*answers: Sequence[str]) -> tuple[Callable[..., Any], list[str]]:
    """A resolver that gives these answers one after the other, the last one for ever."""
    asked: list[str] = []

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return answers[min(len(asked), len(answers)) - 1]

    return resolve, asked


# -- which addresses ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "168.63.129.16",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
        "192.0.2.1",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:93.184.216.34",
        "::7f00:1",
        "fe80::1",
        "fc00::1",
        "fd00:ec2::254",
        "fec0::1",
        "ff02::1",
        "2002:7f00:1::",
        "192.0.0.1",
        "192.0.0.8",
        "192.0.0.9",
        "192.0.0.100",
        "192.0.0.255",
        "192.88.99.1",
        "198.18.0.1",
        "192.31.196.1",
        "192.52.193.1",
        "192.175.48.1",
        "64:ff9b:1::a00:1",
        "100::1",
        "5f00::1",
        "3fff::1",
        "2001::1",
        "2001:2::1",
        "4000::1",
        "64:ff9b::7f00:1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:db8::1",
    ],
)
def test_what_is_not_of_the_public_internet_is_refused(address: str) -> None:
    assert reason_ip_address_is_refused(ip_address(address))


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"]
)
def test_public_addresses_are_taken(address: str) -> None:
    assert reason_ip_address_is_refused(ip_address(address)) == ""


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "FTP://example.org/a",
        "data:text/html,hi",
        "mailto:a@example.org",
        "gopher://example.org",
        "",
        "   ",
        "not an address",
        "http://",
        "http:///a",
        "https://user:word@example.org/",
        "http://example.org:22/",
        "//example.org/a",
        "http://exa mple.org/",
        "http://[::1",
        "x" * 9000,
        "http://" + "a" * 9000,
        "www.example.org",
    ],
)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        parse_address_to_fetch(url)


@pytest.mark.parametrize(
    "url, port",
    [
        ("http://example.org:1023/", None),
        ("http://example.org:1024/", 1024),
        ("https://example.org:8443/", 8443),
        # A port of the web, but not of this scheme.
        ("http://example.org:443/", None),
        ("https://example.org:80/", None),
        ("http://opened.example:22/", 22),
        ("http://one.example:25/", 25),
        ("http://one.example:26/", None),
    ],
)
def test_ports_below_1024_are_the_webs_or_opened_by_name(url: str, port: int | None) -> None:
    allowed = ("opened.example", "one.example:25")
    if port is None:
        with pytest.raises(AddressRefused, match="port"):
            parse_address_to_fetch(url, allowed=allowed)
    else:
        assert parse_address_to_fetch(url, allowed=allowed).port == port


def test_an_address_is_read_as_browsers_do() -> None:
    target = parse_address_to_fetch(" HTTPS://Example.ORG./a b?q=ä#part\n")
    assert (target.host, target.port, target.scheme_host_and_port) == (
        "example.org",
        443,
        "https://example.org:443",
    )
    assert "#" not in target.url


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0x7f.1",
        "127.1",
        "017700000001",
        "[::1]",
        "[::ffff:7f00:1]",
        "[::ffff:127.0.0.1]",
        "169.254.169.254",
        "localhost",
        "0",
        "[::]",
        "LOCALHOST.",
        "127。0。0。1",
    ],
)
def test_no_way_of_writing_this_machine_gets_through(web: WebServer, host: str) -> None:
    before = web.total
    [page] = fetched(web, f"http://{host}:{web.port}/secret", allow_hosts=())
    assert page.outcome == "refused"
    assert web.total == before


# -- hostile servers ------------------------------------------------------------------------------


def test_a_redirect_to_this_machine_is_refused_and_not_followed(web: WebServer) -> None:
    web.pages["/go"] = Served(status=302, headers={"location": web.url("/secret")})
    web.pages["/file"] = Served(status=302, headers={"location": "file:///etc/passwd"})
    dial = Dial(web.port)
    resolve, _ = names(["93.184.216.34"])
    pages = fetched(
        web,
        "http://good.example/go",
        "http://good.example/file",
        resolve=resolve,
        dial=dial,
        allow_hosts=(),
    )
    assert [page.outcome for page in pages] == ["refused", "refused"]
    assert web.seen["/secret"] == 0
    assert set(dial.called) == {"93.184.216.34"}


def test_a_name_that_changes_its_answer_is_asked_once_and_that_answer_used(web: WebServer) -> None:
    web.pages["/page"] = html("Sepsis", SEPSIS)
    dial = Dial(web.port)
    resolve, asked = names(["93.184.216.34"], ["127.0.0.1"])
    [page] = fetched(web, "http://rebind.example/page", resolve=resolve, dial=dial, allow_hosts=())
    assert page.outcome == "ok"
    assert (asked, dial.called) == (["rebind.example"], ["93.184.216.34"])
    assert web.headers[-1]["host"] == "rebind.example"


def certificate(folder: Path, host: str) -> Path:
    """A certificate for a host and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(1))
        .not_valid_after(now + timedelta(1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "both.pem"
    path.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        + made.public_bytes(Encoding.PEM)
    )
    return path


def test_a_secure_page_must_show_the_name_that_was_cited_though_its_address_is_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = certificate(tmp_path, "good.example")
    monkeypatch.setenv("SSL_CERT_FILE", str(both))
    with WebServer(certificate=both) as secure:
        secure.pages["/a"] = html("Sepsis", SEPSIS)
        resolve, _ = names(["93.184.216.34"])
        pages = fetched(
            secure,
            "https://good.example/a",
            "https://other.example/a",
            resolve=resolve,
            dial=Dial(secure.port),
            allow_hosts=(),
        )
    assert [page.outcome for page in pages] == ["ok", "http_error"]
    assert pages[1].status is None


def test_a_name_of_which_one_address_is_private_is_not_called_at_all(web: WebServer) -> None:
    dial = Dial(web.port)
    resolve, _ = names(["93.184.216.34", "10.0.0.8"])
    [page] = fetched(web, "http://mixed.example/", resolve=resolve, dial=dial, allow_hosts=())
    assert (page.outcome, page.reason) == ("refused", "its host is a private address")
    assert dial.called == []


@pytest.mark.deep
def test_slow_endless_and_swollen_bodies_end_at_their_limits(web: WebServer) -> None:
    bomb = gzip.compress(b"0" * 30_000_000)
    web.pages |= {
        "/drip": Served("x" * 1000, drip=0.1),
        "/endless": Served(b"<p>" + b"more " * 20000, endless=True),
        "/bomb": Served(bomb, headers={"content-encoding": "gzip"}),
        "/huge": Served("x", headers={"content-length": "99999999999"}),
        "/broken": Served(b"not gzip at all", headers={"content-encoding": "gzip"}),
        "/brotli": Served(b"\x0b\x02", headers={"content-encoding": "br"}),
        "/loop": Served(status=301, headers={"location": "/loop"}),
    }
    paths = list(web.pages)[-7:]
    began = time.monotonic()
    pages = fetched(web, *map(web.url, paths), timeout=1.5, most_megabytes=10)
    # What drips would take 100 s to its end, and what is endless all time.
    assert time.monotonic() - began < 50
    assert dict(zip(paths, (page.outcome for page in pages), strict=True)) == {
        "/drip": "timeout",
        "/endless": "too_large",
        "/bomb": "too_large",
        "/huge": "too_large",
        "/broken": "unsupported_type",
        "/brotli": "http_error",
        "/loop": "refused",
    }
    assert len(bomb) < 100_000


def test_each_answer_counts_as_what_it_is(web: WebServer) -> None:
    consent = html(
        "Before you continue",
        "We and our partners store and use cookies.",
        "Manage preferences. Accept all. Reject all. See our cookie policy.",
    )
    web.pages |= {
        "/ok": Served(html("Sepsis", SEPSIS), headers={"etag": '"7"', "set-cookie": "a=b"}),
        "/text": Served(SEPSIS, kind="text/plain"),
        "/gone": Served("gone", 410),
        "/teapot": Served("no", 418),
        "/down": Served("no", 500),
        "/forbidden": Served("no", 403),
        "/robot": html("Just a moment...", "Enable JavaScript and cookies to continue"),
        "/consent": consent,
        "/pay": html("Trial", "Abstract. Subscribe to continue reading this article."),
        "/pay402": Served("no", 402),
        "/empty": Served(html("", "")),
        "/nothing": Served(""),
        "/video": Served(b"\x00" * 99, kind="video/mp4"),
        "/unnamed": Served(html("Sepsis", SEPSIS), kind=""),
        "/cut": Served(html("Sepsis", SEPSIS), cut=True),
    }
    paths = list(web.pages)[-15:]
    pages = dict(zip(paths, fetched(web, *map(web.url, paths)), strict=True))
    assert {path: page.outcome for path, page in pages.items()} == {
        "/ok": "ok",
        "/text": "ok",
        "/gone": "not_found",
        "/teapot": "http_error",
        "/down": "http_error",
        "/forbidden": "blocked",
        "/robot": "blocked",
        "/consent": "blocked",
        "/pay": "paywalled",
        "/pay402": "paywalled",
        "/empty": "empty",
        "/nothing": "empty",
        "/video": "unsupported_type",
        "/unnamed": "ok",
        "/cut": "http_error",
    }
    assert [pages[path].status for path in ("/ok", "/gone", "/teapot", "/cut")] == [
        200,
        410,
        418,
        None,
    ]
    ok = pages["/ok"]
    assert SEPSIS.strip() in ok.text
    assert (ok.title, ok.headers["etag"], "set-cookie" in ok.headers) == ("Sepsis", '"7"', False)
    assert len(ok.digest) == 64
    assert ok.size == len(html("Sepsis", SEPSIS))


def test_a_page_that_was_moved_is_kept_under_where_it_is_now(web: WebServer) -> None:
    web.pages |= {
        "/old": Served(status=301, headers={"location": "/neu/ä#part"}),
        "/neu/%C3%A4": html("Sepsis", SEPSIS),
    }
    [page] = fetched(web, web.url("/old"))
    assert (page.outcome, page.final_url) == ("ok", web.url("/neu/%C3%A4"))
    assert page.redirects == (web.url("/old"),)


def test_a_passing_failure_is_tried_once_more(web: WebServer) -> None:
    web.pages |= {
        "/busy": Served("no", 503, headers={"retry-after": "0"}),
        "/busy-long": Served("no", 503, headers={"retry-after": "3600"}),
    }
    pages = fetched(web, web.url("/busy"), web.url("/busy-long"))
    assert [page.outcome for page in pages] == ["http_error", "http_error"]
    assert (web.seen["/busy"], web.seen["/busy-long"]) == (2, 1)


def test_a_host_that_is_not_there_differs_from_a_network_that_is_not_there(web: WebServer) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        if host == "127.0.0.1":
            return [host]
        raise Offline

    web.pages["/ok"] = html("Sepsis", SEPSIS)
    with pytest.raises(NoNetwork):
        fetched(web, "http://good.example/", resolve=resolve)

    async def one_then_other() -> str:
        settings = Web(allow_hosts=(web.host,), pause=0, robots=False)
        async with Fetcher(settings, resolve=resolve) as fetcher:
            await fetcher.fetch_page(web.url("/ok"))
            return (await fetcher.fetch_page("http://good.example/")).outcome

    assert asyncio.run(one_then_other()) == "not_found"


def test_robots_txt_is_respected_and_a_host_is_not_hurried(web: WebServer) -> None:
    rules = Served("User-agent: medlens\nDisallow: /closed", kind="text/plain")
    web.pages |= {"/robots.txt": rules, "/closed": html("a", SEPSIS), "/open": html("b", SEPSIS)}
    began = time.monotonic()
    urls = [web.url("/closed"), web.url("/open"), web.url("/open?2"), web.url("/open?3")]
    pages = fetched(web, *urls, robots=True, pause=0.3)
    assert [page.outcome for page in pages] == ["blocked", "ok", "not_found", "not_found"]
    assert (web.seen["/robots.txt"], web.seen["/closed"]) == (1, 0)
    # Three requests begin 0.3 s apart.
    assert time.monotonic() - began >= 0.6
    del web.pages["/robots.txt"]


def test_the_archive_says_whether_a_dead_page_once_existed(web: WebServer) -> None:
    there = (
        '{"archived_snapshots": {"closest": {"available": true, "url": "http://a/1",'
        ' "timestamp": "20130919044612", "status": "200"}}}'
    )
    web.pages["/wayback?url=http%3A%2F%2Fdead.example%2F"] = Served(there, kind="application/json")
    web.pages["/wayback?url=http%3A%2F%2Fnever.example%2F"] = '{"archived_snapshots": {}}'

    async def work() -> list[Any]:
        archive = Archive(Web(archive=web.url("/wayback")))
        found = [
            await archive.find_newest_copy(f"http://{name}.example/") for name in ("dead", "never")
        ]
        with pytest.raises(ArchiveUnavailable):
            await archive.find_newest_copy("http://unknown.example/")
        await archive.aclose()
        return found

    dead, never = asyncio.run(work())
    assert (dead.url, dead.when, never) == ("http://a/1", "20130919044612", None)


# -- text -----------------------------------------------------------------------------------------


def pdf(*lines: str) -> bytes:
    """A PDF of one page, by hand."""
    said = "".join(
        f"BT /F1 12 Tf 50 {700 - 20 * at} Td ({line}) Tj ET\n" for at, line in enumerate(lines)
    )
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(said)} >>\nstream\n{said}endstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body = "".join(f"{at} 0 obj\n{one}\nendobj\n" for at, one in enumerate(parts, 1))
    return f"%PDF-1.4\n{body}trailer << /Root 1 0 R >>\n".encode()


@pytest.mark.deep
def test_pdfs_are_read_also_large_ones_and_broken_ones_do_no_harm(web: WebServer) -> None:
    padding = b"6 0 obj\n<< /Length 10000000 >>\nstream\n" + b"\x07" * 10_000_000 + b"endstream\n"
    web.pages |= {
        "/a.pdf": Served(
            pdf("Lactate is measured again", "after two hours."), kind="application/pdf"
        ),
        "/unnamed.pdf": Served(
            pdf("Lactate is measured again after two hours."), kind="application/octet-stream"
        ),
        "/large.pdf": Served(
            pdf("Lactate is measured again after two hours.") + padding, kind="application/pdf"
        ),
        "/broken.pdf": Served(b"%PDF-1.7\n" + b"\xff<</[" * 5000, kind="application/pdf"),
        "/scan.pdf": Served(pdf(), kind="application/pdf"),
    }
    paths = list(web.pages)[-5:]
    pages = dict(zip(paths, fetched(web, *map(web.url, paths), near=False), strict=True))
    assert [page.outcome for page in pages.values()] == [
        "ok",
        "ok",
        "ok",
        "unsupported_type",
        "empty",
    ]
    assert pages["/a.pdf"].text == "Lactate is measured again\nafter two hours."


@pytest.mark.deep
def test_a_page_that_holds_its_reader_up_costs_that_page_alone() -> None:
    async def work() -> tuple[str, str]:
        reader = Reader(processes=1, seconds=1.0)
        # A hundred thousand nested elements beside an attribute without an end.
        hostile = (b"<div><a href='" * 400_000) + b"<table>" * 200_000
        try:
            first = (await reader.read_page("html", hostile)).outcome
        except Unread as error:
            first = error.outcome
        second = Reader(processes=1, seconds=20)
        said = await second.read_page("html", html("Sepsis", SEPSIS).encode())
        await reader.aclose()
        await second.aclose()
        return first, said.outcome

    first, second = asyncio.run(work())
    assert first in ("timeout", "unsupported_type", "empty", "ok")
    assert second == "ok"


def test_bytes_become_text_by_what_they_say_of_themselves() -> None:
    said = "Bei Sepsis zählt jede Minute – naïve Wähler. "
    assert said.strip() in read_page_text_title_and_outcome("text", said.encode("cp1252")).text
    assert said.strip() in read_page_text_title_and_outcome("text", said.encode("utf-16")).text
    page = f'<html><head><meta charset="iso-8859-1"></head><body><p>{said.replace("–", "-") * 9}'
    assert "zählt jede" in read_page_text_title_and_outcome("html", page.encode("latin-1")).text
    assert (
        read_page_text_title_and_outcome("text", b"a\x00b\x07\r\n\r\n\r\n\r\nc   d").text
        == "ab\n\nc d"
    )


@pytest.mark.deep
def test_nineteen_of_twenty_labelled_pages_are_what_they_are_told_to_be() -> None:
    found = {
        name: read_page_text_title_and_outcome("html", page.encode()).outcome
        for name, _, page in PAGES
    }
    wrong = {name: found[name] for name, outcome, _ in PAGES if found[name] != outcome}
    assert len(found) == len(PAGES) >= 140
    assert len(wrong) <= len(PAGES) * 0.05, wrong
    # Words of a footer lose no page that can be read.
    assert not wrong.keys() & {name for name, outcome, _ in PAGES if outcome == "ok"}


@pytest.mark.deep
def test_a_wall_of_a_line_is_told_however_it_is_worded_and_a_short_article_is_read() -> None:
    walls, articles = pages_of(SHORT_WALLS), pages_of(SHORT_ARTICLES)
    passed = [page for page in walls if classify_as_page_or_wall_and_say_why(*page)[0] == "ok"]
    lost = [page for page in articles if classify_as_page_or_wall_and_say_why(*page)[0] != "ok"]
    assert len(walls) == len(articles) == 172
    assert len(passed) <= 25, passed
    assert len(lost) <= 9, lost
    # Most of those that pass for articles are said to be doubtful.
    certain = [page for page in passed if not classify_as_page_or_wall_and_say_why(*page)[1]]
    assert len(certain) <= 14, certain
    assert classify_as_page_or_wall_and_say_why("Site", "The gate is shut.") == (
        "ok",
        PERHAPS_NO_ARTICLE,
    )
    assert classify_as_page_or_wall_and_say_why("Site", "The cough is dry.") == ("ok", "")
    outcome, reason = classify_as_page_or_wall_and_say_why(
        "Heart Online", "Hold on while we make sure it is you."
    )
    assert (outcome, reason.partition(":")[0]) == ("empty", "it does not look like an article")


def test_pages_about_walls_are_read_and_an_abstract_for_sale_is_told_to_be_one() -> None:
    for name, outcome, page in (*CAPTCHA_ARTICLES, *ABSTRACTS):
        assert read_page_text_title_and_outcome("html", page.encode()).outcome == outcome, name
    sold = [one for one in ABSTRACTS if one[1] == "ok" and "free text" not in one[0]]
    reasons = {
        read_page_text_title_and_outcome("html", page.encode()).reason for _, _, page in sold
    }
    assert reasons == {ABSTRACT_ONLY}


def test_a_short_page_that_asks_not_to_be_listed_is_read_where_it_names_a_subject() -> None:
    head = "<head><title>Site</title><meta name='ROBOTS' content='noarchive, NoIndex'></head>"
    for words, listed, unlisted in (
        ("The gate is shut until the bell has rung twice.", "ok", "empty"),
        ("The dose is doubled when the cough is no better.", "ok", "ok"),
    ):
        for head_of, outcome in (("", listed), (head, unlisted)):
            page = f"<html>{head_of}<body><p>{words}</p></body></html>"
            assert read_page_text_title_and_outcome("html", page.encode()).outcome == outcome, words


@pytest.mark.deep
def test_two_sentences_of_a_page_that_is_read_are_enough_whatever_they_speak_of() -> None:
    sentences = [
        sentence
        for text in TEXTS.values()
        for sentence in re.split(r"\n+|(?<=[.!?])\s+", text)
        if sentence.endswith(".") and len(sentence.split()) > 3
    ]
    pairs = [f"{first}\n{second}" for first, second in pairwise(sentences)][::3]
    lost = [
        pair
        for pair in pairs
        if classify_as_page_or_wall_and_say_why("Health", f"{pair}\nLog in")[0] != "ok"
    ]
    assert len(pairs) > 60
    assert lost == []


def test_a_page_that_sends_its_readers_on_is_followed(web: WebServer) -> None:
    def refresh(to: str, *, after: str = "0", said: str = "") -> str:
        head = f'<meta http-equiv="Refresh" content="{after}; URL=\'{to}\'">'
        return f"<html><head><title>Moved</title>{head}</head><body>{said}</body></html>"

    web.pages |= {
        "/first": refresh("/second", said="This page has moved."),
        "/second": refresh("new#part"),
        "/new": html("Sepsis", SEPSIS),
        "/itself": refresh("/itself", said="Asthma is common."),
        "/later": refresh("/new", after="300", said="Asthma is common."),
        "/full": refresh("/new", said=f"<p>{SEPSIS * 3}</p>"),
        "/away": refresh("http://10.0.0.8/secret"),
        "/round": refresh("/round2"),
        "/round2": refresh("/round"),
    }
    paths = list(web.pages)[-9:]
    pages = dict(zip(paths, fetched(web, *map(web.url, paths)), strict=True))
    first = pages["/first"]
    assert (first.outcome, first.final_url) == ("ok", web.url("/new"))
    assert first.redirects == (web.url("/first"), web.url("/second"))
    assert [pages[path].final_url for path in ("/itself", "/later", "/full")] == [
        web.url("/itself"),
        web.url("/later"),
        web.url("/full"),
    ]
    assert (pages["/away"].outcome, pages["/round"].outcome) == ("refused", "empty")


def test_a_proxy_is_used_and_what_is_not_public_is_refused_before_it(web: WebServer) -> None:
    web.pages["http://good.example/page"] = html("Sepsis", SEPSIS)

    async def resolve(host: str, port: int) -> Sequence[str]:
        if host == "private.example":
            return ["10.0.0.8"]
        raise Offline

    [ok, private, literal] = fetched(
        web,
        "http://good.example/page",
        "http://private.example/page",
        "http://10.0.0.8/page",
        resolve=resolve,
        proxy=web.url("").rstrip("/"),
        allow_hosts=(),
    )
    assert (ok.outcome, ok.final_url) == ("ok", "http://good.example/page")
    assert (private.outcome, literal.outcome) == ("refused", "refused")
    assert web.seen["http://good.example/page"] == 1


def test_menus_and_scripts_are_no_part_of_a_page() -> None:
    page = html("Sepsis", SEPSIS).replace(
        "<main>", "<nav><a>Shop now</a></nav><script>track()</script><main>"
    )
    found = read_page_text_title_and_outcome("html", page.encode())
    assert "Shop now" not in found.text
    assert "track" not in found.text
    short = read_page_text_title_and_outcome(
        "html", html("Sepsis", "Fluids are given at once.").encode()
    )
    assert (short.outcome, short.text) == ("ok", "Sepsis\nFluids are given at once.")


@pytest.mark.deep
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="tells memory by /proc")
def test_a_page_of_25_mb_adds_less_than_100_mb_to_the_server() -> None:
    # A letter of four bytes; text is looked through to its first letter.
    page = "<html><body>" + ("<p>" + chr(0x20000) * 500 + "</p>") * 12_300

    def held(what: str) -> int:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return int(status.partition(f"{what}:")[2].split()[0]) // 1024

    async def grown() -> int:
        reader = Reader(processes=1, seconds=60)
        try:
            body = page.encode()
            await reader.start_first_process()
            Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
            before = held("VmRSS")
            found = await reader.read_page("html", body)
            assert found.text.startswith("\U00020000")
            assert len(found.text) > 3_900_000
            return held("VmHWM") - before
        finally:
            await reader.aclose()

    assert asyncio.run(grown()) < 100


# -- sites that answer oddly ----------------------------------------------------------------------


def test_a_page_is_not_left_for_the_notice_that_scripts_are_off() -> None:
    refresh = "<noscript><meta http-equiv='refresh' content='0;url=/off'></noscript>"
    for text, onward in ((SEPSIS, ""), ("", "/off")):
        page = f"<html><head><title>S</title>{refresh}</head><body><p>{text}</p></body></html>"
        assert read_page_text_title_and_outcome("html", page.encode()).onward == onward


QUIRKS = (*FIRST_QUIRKS, *JOURNALS, *SITES)


@pytest.mark.deep
def test_a_quirk_of_a_site_is_read_through_or_told(web: WebServer) -> None:
    for number, quirk in enumerate(QUIRKS):
        web.pages |= quirk.at(number)
    pages = fetched(web, *(web.url(f"/quirk{number}/") for number in range(len(QUIRKS))))
    wrong = {
        quirk.name: (quirk.outcome, page.outcome, page.reason, page.text[:60])
        for quirk, page in zip(QUIRKS, pages, strict=True)
        if page.outcome not in quirk.outcome.split("|") or quirk.words not in page.text
    }
    assert len({quirk.name for quirk in QUIRKS}) == len(QUIRKS) >= 100
    assert wrong == {}


@pytest.mark.parametrize(
    "rules, permitted, closed",
    [
        # The longest match decides, whatever its place; of two equal ones, the one that allows.
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", ["/a/b", "/a/b/c", "/c"], ["/a", "/a/c"]),
        ("User-agent: *\nAllow: /a/b\nDisallow: /a/b", ["/a/b"], []),
        ("User-agent: *\nDisallow: /*.pdf$", ["/a.pdf?x=1", "/a.html"], ["/a.pdf", "/b/c.pdf"]),
        ("User-agent: *\nDisallow: /a*b", ["/a", "/xab"], ["/ab", "/a-b-c"]),
        ("User-agent: *\nDisallow: /\nAllow: /$", ["/"], ["/a"]),
        ("User-agent: *\nDisallow: /?q=", ["/"], ["/?q=1"]),
        ("User-agent: *\nDisallow: /ä", ["/a"], ["/%C3%A4", "/%c3%a4"]),
        # Groups: its own before all others', put together, and known by the whole name alone.
        ("User-agent: *\nDisallow: /\n\nUser-agent: MEDLENS\nDisallow: /a", ["/b"], ["/a"]),
        (
            "User-agent: medlens\nDisallow: /a\n\nUser-agent: medlens\nDisallow: /b",
            ["/c"],
            ["/a", "/b"],
        ),
        ("User-agent: other\nUser-agent: medlens\nDisallow: /a", ["/b"], ["/a"]),
        ("User-agent: medlens/2.0\nDisallow: /a", ["/b"], ["/a"]),
        ("User-agent: med\nDisallow: /a", ["/a"], []),
        ("User-agent: medlens-news\nDisallow: /a", ["/a"], []),
        ("User-agent: medlens\nDisallow:\n\nUser-agent: *\nDisallow: /", ["/a"], []),
        # How it may be written.
        ("\ufeffUser-agent: *\nDisallow: /a", ["/b"], ["/a"]),
        ("user-AGENT : * # all\r\n  disALLOW:/a # no\r\n", ["/b"], ["/a"]),
        ("User-agent: *\nSitemap: /x\nCrawl-delay: 5\nDisallow: /a", ["/b"], ["/a"]),
        ("<html><body>Not found</body></html>", ["/a"], []),
        ("Disallow: /a", ["/a"], []),
    ],
)
def test_robots_txt_is_read_as_its_standard_has_it(
    rules: str, permitted: list[str], closed: list[str]
) -> None:
    read_rules = RobotsRules(rules.encode(), agent="MedLens/1.0 (checks cited sources)")
    paths = [*permitted, *closed]
    found = [path for path in paths if read_rules.may_page_be_fetched(f"https://example.org{path}")]
    assert found == permitted


def test_a_robots_txt_that_cannot_be_had_closes_the_site_and_one_that_is_not_there_does_not() -> (
    None
):
    outcomes = {}
    for name, rules in {
        "gone": Served("no", 404),
        "forbidden": Served("no", 403),
        "down": Served("no", 500),
        "packed": Served(
            gzip.compress(b"User-agent: *\nDisallow: /page"), headers={"content-encoding": "gzip"}
        ),
        "huge": Served(b"User-agent: *\nDisallow: /page\n" + b"# more\n" * 500_000),
        "cut": Served("User-agent: *\nDisallow: /", cut=True),
        "moved": Served(status=301, headers={"location": "/rules"}),
    }.items():
        with WebServer() as site:
            site.pages |= {
                "/robots.txt": rules,
                "/page": html("Sepsis", SEPSIS),
                "/rules": Served("User-agent: *\nDisallow: /page", kind="text/plain"),
            }
            [page] = fetched(site, site.url("/page"), robots=True, most_megabytes=1)
            outcomes[name] = (page.outcome, site.seen["/page"])
    assert outcomes == {
        "gone": ("ok", 1),
        "forbidden": ("ok", 1),
        "down": ("blocked", 0),
        "packed": ("blocked", 0),
        "huge": ("blocked", 0),
        "cut": ("http_error", 0),
        "moved": ("blocked", 0),
    }


def test_a_redirect_or_refresh_to_what_robots_txt_closes_is_not_followed() -> None:
    with WebServer() as site:
        site.pages |= {
            "/robots.txt": Served("User-agent: *\nDisallow: /closed", kind="text/plain"),
            "/closed": html("Sepsis", SEPSIS),
            "/moved": Served(status=302, headers={"location": "/closed"}),
            "/refresh": '<meta http-equiv="refresh" content="0; url=/closed">',
        }
        pages = fetched(site, site.url("/moved"), site.url("/refresh"), robots=True)
        assert [page.outcome for page in pages] == ["blocked", "blocked"]
        assert site.seen["/closed"] == 0


def test_a_cookie_is_sent_within_one_fetch_and_forgotten_with_it(web: WebServer) -> None:
    web.pages |= {
        "/set": Served(
            status=302, headers={"location": "/needs"}, set_cookies=("id=7; Path=/; HttpOnly",)
        ),
        "/needs": Served(
            html("Sepsis", SEPSIS), needs=("id=7",), without=Served("Cookies disabled")
        ),
    }

    async def one_after_the_other() -> list[FetchedPage]:
        settings = Web(allow_hosts=(web.host,), pause=0, robots=False)
        async with Fetcher(settings) as fetcher:
            return [await fetcher.fetch_page(web.url(path)) for path in ("/set", "/needs", "/set")]

    with pages_nearby():
        pages = asyncio.run(one_after_the_other())
    assert [page.outcome for page in pages] == ["ok", "blocked", "ok"]
    assert pages[1].reason == "the site checks who is visiting, or keeps readers out"


def test_an_article_whose_address_leads_to_the_front_page_is_not_found(web: WebServer) -> None:
    front = html("Lung Clinic", SEPSIS)
    moved = Served(status=301, headers={"location": "/"})
    web.pages |= {
        "/": front,
        "/conditions/asthma-in-children.html": moved,
        "/index.html": moved,
        "/en/": moved,
        "/lungs": moved,
        "/home/start-page": moved,
    }
    paths = list(web.pages)[-5:]
    pages = dict(zip(paths, fetched(web, *map(web.url, paths)), strict=True))
    assert {path: page.outcome for path, page in pages.items()} == {
        "/conditions/asthma-in-children.html": "not_found",
        "/index.html": "ok",
        "/en/": "ok",
        "/lungs": "ok",
        "/home/start-page": "ok",
    }
    assert pages["/conditions/asthma-in-children.html"].reason == (
        "its address leads to the site's front page"
    )


def test_only_the_beginning_of_what_is_no_page_is_taken(web: WebServer) -> None:
    film = Served(b"\0\0\0\x20ftypisom" + b"\0" * 40_000, kind="video/mp4", endless=True)
    picture = Served(b"%PDF-1.4 " + b"x" * 20_000, kind="image/png", endless=True)
    web.pages |= {"/film": film, "/no-picture": picture}
    pages = fetched(web, web.url("/film"), web.url("/no-picture"), most_megabytes=1)
    assert [(page.outcome, page.size) for page in pages] == [
        ("unsupported_type", 0),
        ("too_large", 0),
    ]
