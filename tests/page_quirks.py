"""Sites that answer oddly, with what a reader gets from each: written before the rules.

Each quirk is played by ``tests.web_server`` at paths of its own; ``{}`` in what it serves is the
first part of its paths.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tests.labelled_pages import ASTHMA, IRON, page
from tests.web_server import Served


@dataclass(frozen=True)
class Quirk:
    """What is served (``/`` is what is cited), what that counts as (any of those between bars), and
    words that are read.
    """

    name: str
    outcome: str
    pages: Mapping[str, Served] = field(default_factory=dict)
    words: str = ""

    def at(self, number: int) -> dict[str, Served]:
        """What to serve, by path, for the quirk of this number."""
        below = f"/quirk{number}"
        return {below + path: served_below(below, served) for path, served in self.pages.items()}


def served_below(below: str, served: Served) -> Served:
    """An answer in which ``{}`` is replaced."""
    return replace(
        served,
        body=served.body.replace("{}", below) if isinstance(served.body, str) else served.body,
        headers={name: value.replace("{}", below) for name, value in served.headers.items()},
        without=served_below(below, served.without) if served.without else None,
    )


def pdf(*lines: str) -> bytes:
    """A PDF of one page, by hand."""
    shown = "".join(
        f"BT /F1 12 Tf 50 {700 - 20 * at} Td ({line}) Tj ET\n" for at, line in enumerate(lines)
    )
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(shown)} >>\nstream\n{shown}endstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body = "".join(f"{at} 0 obj\n{part}\nendobj\n" for at, part in enumerate(parts, 1))
    return f"%PDF-1.4\n{body}trailer << /Root 1 0 R >>\n".encode()


ARTICLE = page("Asthma", ASTHMA, IRON)
WORDS = "airways narrow and swell"
LEAFLET = pdf(
    "Ramipril is begun with 2.5 mg once a day and raised after two weeks.",
    "Potassium and creatinine are measured before and after each rise.",
)
GERMAN = "Bei Völlegefühl und Übelkeit wird die Dosis für drei Tage halbiert. " * 8
GREEK = "Η έλλειψη σιδήρου είναι η συχνότερη αιτία αναιμίας στον κόσμο. " * 8
RUSSIAN = "Дефицит железа является самой частой причиной анемии во всём мире. " * 8
JAPANESE = (
    "喘息は気道が狭くなる慢性の病気です。吸入ステロイド薬を毎日使うと炎症が抑えられます。" * 5
)


def packed(body: str | bytes) -> bytes:
    """A body as gzip."""
    return gzip.compress(body.encode() if isinstance(body, str) else body)


def deflated(body: str) -> bytes:
    """A body as deflate without the zlib header that the standard asks for."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body.encode()) + packer.flush()


def as_page(text: str, *, head: str = "") -> str:
    """A page with one paragraph."""
    return f"<html><head><title>x</title>{head}</head><body><p>{text}</p></body></html>"


def one(
    name: str,
    outcome: str,
    body: str | bytes = ARTICLE,
    kind: str = "text/html",
    *,
    words: str = "",
    status: int = 200,
    rest: Mapping[str, Served] | None = None,
    **headers: str,
) -> Quirk:
    """A quirk of a single answer; ``rest`` are pages that it may lead to."""
    named = {header.replace("_", "-"): value for header, value in headers.items()}
    answer = Served(body, kind=kind, status=status, headers=named)
    return Quirk(name, outcome, {"/": answer, **(rest or {})}, words)


def refresh(content: str, *, head: str = "", body: str = "<p>Please wait.</p>") -> str:
    """A page that sends its readers on."""
    meta = f"<meta http-equiv='refresh' content=\"{content}\">"
    return f"<html><head><title>Moved</title>{head}{meta}</head><body>{body}</body></html>"


THERE = {"/there": Served(ARTICLE), "/docs/there": Served(ARTICLE)}

PACKING = (
    one("gzip", "ok", packed(ARTICLE), words=WORDS, content_encoding="gzip"),
    one(
        "gzip cut short",
        "http_error",
        packed(page("A", *[ASTHMA] * 99))[:-90],
        content_encoding="gzip",
    ),
    one("gzip cut in its head", "http_error", packed(ARTICLE)[:7], content_encoding="gzip"),
    one("gzip twice", "ok", packed(packed(ARTICLE)), words=WORDS, content_encoding="gzip"),
    one(
        "gzip twice, as told",
        "ok",
        packed(packed(ARTICLE)),
        words=WORDS,
        content_encoding="gzip, gzip",
    ),
    one("gzip that is not told", "ok", packed(ARTICLE), words=WORDS),
    one("told gzip that is none", "ok", ARTICLE, words=WORDS, content_encoding="gzip"),
    one(
        "gzip in two members",
        "ok",
        packed(ARTICLE[:300]) + packed(ARTICLE[300:]),
        words=WORDS,
        content_encoding="gzip",
    ),
    one(
        "gzip with padding",
        "ok",
        packed(ARTICLE) + b"\0" * 99,
        words=WORDS,
        content_encoding="gzip",
    ),
    one("empty gzip", "empty", b"", content_encoding="gzip"),
    one("deflate", "ok", zlib.compress(ARTICLE.encode()), words=WORDS, content_encoding="deflate"),
    one("raw deflate", "ok", deflated(ARTICLE), words=WORDS, content_encoding="deflate"),
    one("raw deflate cut short", "http_error", deflated(ARTICLE)[:-40], content_encoding="deflate"),
    one(
        "told deflate that is gzip", "ok", packed(ARTICLE), words=WORDS, content_encoding="deflate"
    ),
    one(
        "deflate in gzip",
        "ok",
        packed(deflated(ARTICLE)),
        words=WORDS,
        content_encoding="deflate, gzip",
    ),
    one("an unknown packing", "unsupported_type", b"\x8b\x05\x80abc", content_encoding="exi"),
    one("a packing that is a charset", "ok", ARTICLE, words=WORDS, content_encoding="UTF-8"),
    one(
        "packed noise",
        "unsupported_type",
        b"\x1f\x8b\x08\x00" + b"\xee" * 400,
        content_encoding="gzip",
    ),
)

TYPES = (
    one("a PDF as HTML", "ok", LEAFLET, words="raised after two weeks"),
    one("a PDF as text", "ok", LEAFLET, "text/plain", words="raised after two weeks"),
    one("a PDF after blank lines", "ok", b"\n\r\n" + LEAFLET, words="raised after two weeks"),
    one("a PDF as a picture", "ok", LEAFLET, "image/png", words="raised after two weeks"),
    one(
        "a PDF to download",
        "ok",
        LEAFLET,
        "application/force-download",
        words="raised after two weeks",
        content_disposition="attachment; filename=a.pdf",
    ),
    one("HTML as PDF", "ok", ARTICLE, "application/pdf", words=WORDS),
    one(
        "a login as PDF",
        "paywalled",
        "<html><title>Sign in</title><form>User <input> Password <input type=password></form>"
        "<p>Please sign in to read this file.</p></html>",
        "application/pdf",
    ),
    one("HTML as text", "ok", ARTICLE, "text/plain", words=WORDS),
    one("HTML as JSON", "ok", ARTICLE, "application/json", words=WORDS),
    one(
        "HTML to download",
        "ok",
        ARTICLE,
        "application/octet-stream",
        words=WORDS,
        content_disposition="attachment; filename=a.html",
    ),
    one("HTML of no type", "ok", "\n\n  " + ARTICLE, "", words=WORDS),
    one("HTML of a garbled type", "ok", ARTICLE, "html", words=WORDS),
    one("HTML after a comment", "ok", "<!-- cached -->\n" + ARTICLE, "text/plain", words=WORDS),
    one("text as HTML", "ok", ASTHMA, "text/html", words=WORDS),
    one("text of no type", "ok", ASTHMA, "", words=WORDS),
    one(
        "XHTML",
        "ok",
        "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE html><html"
        f" xmlns='http://www.w3.org/1999/xhtml'><head><title>A</title></head><body><p>{ASTHMA}</p>"
        "</body></html>",
        "application/xml",
        words=WORDS,
    ),
    one(
        "a Word file as HTML",
        "unsupported_type",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"Asthma is common. " * 99,
    ),
    one(
        "a zip as text",
        "unsupported_type",
        b"PK\x03\x04" + b"word/document.xml " * 99,
        "text/plain",
    ),
    one("a picture as HTML", "unsupported_type", b"\x89PNG\r\n\x1a\n" + b"IHDR text " * 99),
    one("noise as HTML", "unsupported_type", bytes(range(256)) * 20),
    one("noise as text", "unsupported_type", bytes(range(256)) * 20, "text/plain"),
    one("a video", "unsupported_type", b"\0\0\0\x20ftypisom" + b"\0" * 4000, "video/mp4"),
    one(
        "an error as JSON",
        "unsupported_type",
        '{"error": "Not found", "code": 404}',
        "application/json",
    ),
    one(
        "an error in JSON as HTML",
        "not_found",
        json.dumps({"status": 404, "message": "The page could not be found"}),
    ),
    one("data as text", "unsupported_type", json.dumps({"rows": [[1, 2, 3]] * 50}), "text/plain"),
    one(
        "a store's error in XML",
        "not_found",
        "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>The specified key does not"
        " exist.</Message><Key>a.pdf</Key></Error>",
        "application/xml",
    ),
    one("404 as text", "not_found", "404 page not found\n", "text/plain"),
    one(
        "a cut PDF",
        "unsupported_type",
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Ty",
        "application/pdf",
    ),
    one(
        "a PDF that only a program shows",
        "empty",
        pdf(
            "Please wait...",
            "If this message is not eventually replaced by the proper contents of the document,",
            "your PDF viewer may not be able to display this type of document.",
        ),
        "application/pdf",
    ),
    one("a PDF of pictures", "empty", pdf(), "application/pdf"),
)

CHARSETS = (
    one(
        "UTF-8 that is told to be Latin-1",
        "ok",
        as_page(GERMAN).encode(),
        "text/html; charset=iso-8859-1",
        words="Völlegefühl und Übelkeit",
    ),
    one(
        "UTF-8 that says Latin-1 of itself",
        "ok",
        as_page(GERMAN, head="<meta charset='iso-8859-1'>").encode(),
        words="Völlegefühl",
    ),
    one(
        "Latin-1 that is told to be UTF-8",
        "ok",
        as_page(GERMAN).encode("latin-1"),
        "text/html; charset=utf-8",
        words="Völlegefühl und Übelkeit",
    ),
    one(
        "UTF-8 with a bad byte",
        "ok",
        as_page(GERMAN).encode() + b"\xff\xc3",
        "text/html; charset=utf-8",
        words="Völlegefühl und Übelkeit",
    ),
    one("UTF-16 without a mark", "ok", as_page(GERMAN).encode("utf-16-le"), words="Völlegefühl"),
    one(
        "big-endian UTF-16 without a mark",
        "ok",
        as_page(GERMAN).encode("utf-16-be"),
        "text/html; charset=utf-8",
        words="Völlegefühl",
    ),
    one(
        "UTF-16 with a mark as plain text",
        "ok",
        GERMAN.encode("utf-16"),
        "text/plain",
        words="Völlegefühl",
    ),
    one(
        "told UTF-16 that is none",
        "ok",
        as_page(GERMAN).encode(),
        "text/html; charset=utf-16",
        words="Völlegefühl",
    ),
    one(
        "Windows-1251 that is told to be Latin-1",
        "ok",
        as_page(RUSSIAN, head="<meta charset=windows-1251>").encode("cp1251"),
        "text/html; charset=ISO-8859-1",
        words="Дефицит железа",
    ),
    one(
        "Windows-1251 that nothing tells",
        "ok",
        as_page(RUSSIAN).encode("cp1251"),
        words="Дефицит железа",
    ),
    one("Greek that nothing tells", "ok", as_page(GREEK).encode("cp1253"), words="έλλειψη σιδήρου"),
    one(
        "Shift JIS told by the page",
        "ok",
        as_page(
            JAPANESE, head="<meta http-equiv=Content-Type content='text/html; charset=Shift_JIS'>"
        ).encode("cp932"),
        words="吸入ステロイド薬",
    ),
    one(
        "EUC-JP that nothing tells",
        "ok",
        as_page(JAPANESE).encode("euc-jp"),
        words="吸入ステロイド薬",
    ),
    one(
        "GB2312 with a later sign",
        "ok",
        as_page(
            "哮喘是一种常见的慢性气道疾病，吸入激素可以减轻炎症㎎。" * 9,
            head="<meta charset=gb2312>",
        ).encode("gb18030"),
        words="吸入激素",
    ),
    one(
        "a charset that is none",
        "ok",
        as_page(GERMAN).encode(),
        "text/html; charset=none",
        words="Völlegefühl",
    ),
    one(
        "a charset that is a codec",
        "ok",
        as_page(GERMAN).encode(),
        "text/html; charset=idna",
        words="Völlegefühl",
    ),
    one(
        "curly quotes told to be Latin-1",
        "ok",
        as_page("The so-called “statin” effect – a fall of the risk. " * 9).encode("cp1252"),
        "text/html; charset=iso-8859-1",
        words="“statin” effect – a fall",
    ),
)

STATUSES = (
    one("203", "ok", status=203, words=WORDS),
    one("201", "ok", status=201, words=WORDS),
    one("202 with a challenge", "blocked", "", status=202, x_amzn_waf_action="challenge"),
    one("202 with nothing", "empty", "", status=202),
    one("204", "empty", "", status=204),
    one("205", "empty", "", status=205),
    one("206 of a part", "http_error", status=206, content_range="bytes 0-99/5000"),
    one(
        "206 of all",
        "ok",
        status=206,
        words=WORDS,
        content_range=f"bytes 0-{len(ARTICLE) - 1}/{len(ARTICLE)}",
    ),
    one("300 without an address", "http_error", status=300),
    one("302 without an address", "http_error", status=302),
    one("404 with a page", "not_found", status=404),
    one("410", "not_found", "gone", status=410),
    one("a status that does not exist", "blocked", "denied", status=999),
    one("a limit", "blocked", "slow down", status=429, retry_after="3600"),
    one("a law", "blocked", "no", status=451),
    one("520", "http_error", "web server is returning an unknown error", status=520),
    one("empty 200", "empty", ""),
    one("blanks", "empty", " \n\t\n "),
    one("a skeleton", "empty", "<html><head></head><body></body></html>"),
    one("a title alone", "empty", "<html><head><title>Asthma</title></head><body></body></html>"),
    one("a huge title", "ok", page("Asthma " * 30_000, ASTHMA), words=WORDS),
)

LEADS_ON = (
    one("a refresh", "ok", refresh("0; url={}/there"), rest=THERE, words=WORDS),
    one(
        "a refresh with a base",
        "ok",
        refresh("0; url=there", head="<base href='{}/docs/'>"),
        rest={"/docs/there": Served(ARTICLE)},
        words=WORDS,
    ),
    one("a refresh in quotes", "ok", refresh("0; URL='{}/there'"), rest=THERE, words=WORDS),
    one("a refresh without url", "ok", refresh("0; {}/there"), rest=THERE, words=WORDS),
    one(
        "a refresh in half of its quotes", "ok", refresh("0;url='{}/there"), rest=THERE, words=WORDS
    ),
    one(
        "a refresh of odd spacing", "ok", refresh(" 1 ;  Url = {}/there "), rest=THERE, words=WORDS
    ),
    one(
        "a refresh with &amp;",
        "ok",
        refresh("0;url={}/there?a=1&amp;b=2"),
        rest={"/there?a=1&b=2": Served(ARTICLE)},
        words=WORDS,
    ),
    one("a refresh in a header", "ok", "", rest=THERE, words=WORDS, refresh="0; url={}/there"),
    one(
        "a refresh to a file",
        "ok",
        refresh("3; url={}/a.pdf", body="Your download starts."),
        rest={"/a.pdf": Served(LEAFLET, kind="application/pdf")},
        words="raised after two weeks",
    ),
    one("a refresh to itself", "empty", refresh("5", body="<p>Preparing your page…</p>")),
    one(
        "a refresh without an end",
        "refused",
        refresh("0; url={}/1"),
        rest={f"/{at}": Served(refresh(f"0; url={{}}/{at + 1}")) for at in range(1, 40)},
    ),
    one("a refresh to nowhere", "not_found", refresh("0; url={}/gone")),
    one(
        "a script's address",
        "ok",
        '<html><head><script>window.location.href = "{}/there";</script></head></html>',
        rest=THERE,
        words=WORDS,
    ),
    one(
        "a script that replaces the address",
        "ok",
        "<html><body><script>\n// moved\nlocation.replace('{}/there')\n</script>Redirecting"
        "</body></html>",
        rest=THERE,
        words=WORDS,
    ),
    one(
        "a script that might lead on",
        "empty",
        "<html><body><script>if (top != self) { top.location = '{}/there'; }</script></body>"
        "</html>",
        rest=THERE,
    ),
    one(
        "a redirect by an address with a space",
        "ok",
        "",
        status=302,
        rest={"/the%20re": Served(ARTICLE)},
        words=WORDS,
        location="{}/the re",
    ),
    one(
        "a frame around all",
        "ok",
        "<html><head><title>Lungs</title></head><frameset rows='100%,*'><frame src='{}/there'>"
        "<noframes>Your browser shows no frames.</noframes></frameset></html>",
        rest=THERE,
        words=WORDS,
    ),
    one(
        "frames side by side",
        "ok",
        "<html><frameset cols='20%,80%'><frame src='{}/menu' name='menu'><frame src='{}/there'"
        " name='main'></frameset></html>",
        rest={**THERE, "/menu": Served(as_page("Menu Home"))},
        words=WORDS,
    ),
    one(
        "frames of equal names",
        "empty",
        "<html><frameset cols='50%,50%'><frame src='{}/a'><frame src='{}/b'></frameset></html>",
    ),
    one(
        "a viewer around a PDF",
        "ok",
        "<html><title>Viewer</title><body><embed type='application/pdf' src='{}/a.pdf'"
        " width='100%'></body></html>",
        rest={"/a.pdf": Served(LEAFLET, kind="application/pdf")},
        words="raised after two weeks",
    ),
    one(
        "a page in a frame",
        "ok",
        "<html><title>Asthma</title><body><iframe src='{}/there' width='100%' height='100%'>"
        "</iframe></body></html>",
        rest=THERE,
        words=WORDS,
    ),
    one(
        "text without a script",
        "ok",
        f"<html><title>A</title><body><div id='root'></div><noscript><p>{ASTHMA}</p></noscript>"
        "</body></html>",
        words=WORDS,
    ),
    one(
        "an excuse without a script",
        "empty",
        "<html><title>A</title><body><div id='root'></div><noscript>You need to enable JavaScript"
        " to run this app.</noscript></body></html>",
    ),
)

COOKIES = (
    Quirk(
        "a cookie and the same address again",
        "ok",
        {
            "/": Served(
                ARTICLE,
                needs=("seen=1",),
                without=Served(
                    status=302, headers={"location": "{}/"}, set_cookies=("seen=1; Path=/",)
                ),
            )
        },
        WORDS,
    ),
    Quirk(
        "a cookie by way of a check",
        "ok",
        {
            "/": Served(
                ARTICLE,
                needs=("a=1", "b=2"),
                without=Served(
                    status=302, headers={"location": "{}/check"}, set_cookies=("a=1; path=/",)
                ),
            ),
            "/check": Served(
                status=302,
                headers={"location": "{}/"},
                needs=("a=1",),
                set_cookies=("b=2; path=/; HttpOnly",),
                without=Served("Cookies disabled", 200),
            ),
        },
        WORDS,
    ),
    Quirk(
        "a cookie and a reload",
        "ok",
        {
            "/": Served(
                ARTICLE,
                needs=("ok=yes",),
                without=Served(
                    "<html><title>Cookies</title><body><p>Cookies are disabled in your browser. Please"
                    " allow cookies and reload this page.</p></body></html>",
                    set_cookies=("ok=yes; Path=/",),
                ),
            )
        },
        WORDS,
    ),
    Quirk(
        "a cookie and a refresh to itself",
        "ok",
        {
            "/": Served(
                ARTICLE,
                needs=("ok=yes",),
                without=Served(refresh("0; url={}/"), set_cookies=("ok=yes; Path=/",)),
            )
        },
        WORDS,
    ),
    Quirk(
        "a cookie with the refusal",
        "ok",
        {
            "/": Served(
                ARTICLE,
                needs=("ok=yes",),
                without=Served("no", 403, set_cookies=("ok=yes; Path=/",)),
            )
        },
        WORDS,
    ),
    Quirk(
        "a cookie that no one sets",
        "blocked",
        {
            "/": Served(
                ARTICLE,
                needs=("ok=yes",),
                without=Served(
                    "<html><title>Cookies disabled</title><body><h1>Cookies disabled</h1></body></html>"
                ),
            )
        },
    ),
    Quirk(
        "a cookie that does not help",
        "blocked",
        {
            "/": Served(
                "<html><title>Error</title><body><p>Your browser must accept cookies to view this site."
                "</p></body></html>",
                set_cookies=("a=1",),
            )
        },
    ),
    Quirk(
        "a cookie of another path",
        "blocked",
        {
            "/": Served(
                ARTICLE,
                needs=("ok=yes",),
                without=Served("no", 403, set_cookies=("ok=yes; Path=/elsewhere",)),
            )
        },
    ),
    Quirk(
        "a cookie for a foreign site",
        "blocked",
        {
            "/": Served(
                ARTICLE,
                needs=("ok=yes",),
                without=Served("no", 403, set_cookies=("ok=yes; Domain=example.org; Path=/",)),
            )
        },
    ),
    Quirk(
        "a garbled cookie",
        "ok",
        {"/": Served(ARTICLE, set_cookies=("=;;;=\x01", "a" * 5000, 'ok="un;closed; path='))},
        WORDS,
    ),
)

MORE = (
    one(
        "a packing called none", "ok", as_page(GERMAN), words="Völlegefühl", content_encoding="none"
    ),
    one(
        "a packing called utf-8",
        "ok",
        as_page(GERMAN),
        words="Völlegefühl",
        content_encoding="utf-8",
    ),
    one(
        "gzip with a wrong sum",
        "unsupported_type",
        packed(ARTICLE)[:-8] + b"\1\2\3\4\5\6\7\7",
        content_encoding="gzip",
    ),
    one(
        "a packed PDF of a packed type",
        "ok",
        packed(LEAFLET),
        "application/x-gzip",
        words="raised after two weeks",
    ),
    one(
        "a packed film",
        "unsupported_type",
        packed(b"\0\0\0\x20ftypisom" + bytes(9000)),
        "video/mp4",
        content_encoding="gzip",
    ),
    one("two types in one header", "ok", ARTICLE, "text/html, application/xhtml+xml", words=WORDS),
    one(
        "a type in capitals",
        "ok",
        as_page(GERMAN),
        'TEXT/HTML; Charset="UTF-8"',
        words="Völlegefühl",
    ),
    one(
        "a mark before a PDF",
        "ok",
        b"\xef\xbb\xbf" + LEAFLET,
        "text/html",
        words="raised after two weeks",
    ),
    one("an empty PDF", "empty", b"", "application/pdf"),
    one("RTF as HTML", "unsupported_type", b"{\\rtf1\\ansi Asthma is common.\\par}" * 20),
    one(
        "a picture in XML",
        "unsupported_type",
        "<svg xmlns='http://www.w3.org/2000/svg'><text>Asthma</text></svg>",
        "image/svg+xml",
    ),
    one(
        "UTF-16 that says so in XML",
        "ok",
        ("<?xml version='1.0' encoding='utf-16'?>" + as_page(GERMAN)).encode("utf-16-le"),
        "application/xhtml+xml",
        words="Völlegefühl",
    ),
    one(
        "UTF-8 that says UTF-16 in XML",
        "ok",
        ("<?xml version='1.0' encoding='utf-16'?>" + as_page(GERMAN)).encode(),
        "application/xhtml+xml",
        words="Völlegefühl",
    ),
    one(
        "x-sjis",
        "ok",
        as_page(JAPANESE).encode("cp932"),
        "text/html; charset=x-sjis",
        words="吸入ステロイド薬",
    ),
    one(
        "visual Hebrew by its web name",
        "ok",
        as_page("מחסור בברזל הוא הסיבה השכיחה ביותר לאנמיה בעולם. " * 6).encode("iso8859-8"),
        "text/html; charset=iso-8859-8-i",
        words="מחסור בברזל",
    ),
    one(
        "GBK that is told to be UTF-8",
        "ok",
        as_page("缺铁是世界上最常见的贫血原因，铁剂应空腹服用。" * 9).encode("gbk"),
        "text/html; charset=utf-8",
        words="铁剂应空腹服用",
    ),
    one(
        "Polish that nothing tells",
        "ok",
        as_page(
            "Niedobór żelaza jest najczęstszą przyczyną niedokrwistości na świecie. Źródłem są"
            " krwawienia, ciąża i dieta. " * 6
        ).encode("cp1250"),
        words="najczęstszą przyczyną",
    ),
    one(
        "a short text of Western letters",
        "ok",
        as_page("Bei Übelkeit wird die Dosis für drei Tage halbiert.").encode("latin-1"),
        words="Übelkeit wird",
    ),
    one(
        "text in a shadow",
        "ok",
        "<html><title>A</title><body><my-article><template shadowrootmode='open'>"
        f"<p>{ASTHMA}</p></template></my-article></body></html>",
        words=WORDS,
    ),
    one(
        "a short text without a script",
        "ok",
        "<html><title>A</title><body><div id='app'></div><noscript><p>Inhaled steroids are taken"
        " every day.</p></noscript></body></html>",
        words="Inhaled steroids",
    ),
    one(
        "text without a script behind a sign",
        "ok",
        "<html><title>A</title><body><p>Loading…</p><noscript><p>"
        f"{ASTHMA}</p></noscript></body></html>",
        words=WORDS,
    ),
    one(
        "an old frame with an excuse",
        "empty",
        "<html><frameset><noframes>Your browser does not show frames.</noframes></frameset></html>",
    ),
    one(
        "a page of pictures",
        "empty",
        "<html><title>Scan</title><body><img src='1.png'><img src='2.png'></body></html>",
    ),
    one(
        "a program that makes the page",
        "empty",
        "<!doctype html><html><head><title>Guideline</title><script src='/app.js'></script></head>"
        "<body><div id='__next'></div><script id='__NEXT_DATA__' type='application/json'>"
        '{"props": {"text": "Asthma narrows the airways of the lungs."}}</script></body></html>',
    ),
    one("a refresh of half a second", "ok", refresh("0.5; url={}/there"), rest=THERE, words=WORDS),
    one("a refresh without an address", "empty", refresh("30", body="<p>Preparing …</p>")),
    one(
        "a refresh to a login",
        "paywalled",
        refresh("0; url={}/login"),
        rest={
            "/login": Served(
                "<html><title>Sign in</title><form>E-mail <input><input type=password></form></html>"
            )
        },
    ),
    one(
        "redirects in a circle",
        "refused",
        "",
        status=302,
        location="{}/a",
        rest={"/a": Served(status=302, headers={"location": "{}/"})},
    ),
    one("a redirect to a script", "refused", "", status=302, location="javascript:alert(1)"),
    one(
        "a redirect within the page",
        "ok",
        "",
        status=302,
        location="there#part",
        rest={"/there": Served(ARTICLE)},
        words=WORDS,
    ),
    one("an address beside a page", "ok", ARTICLE, location="{}/gone", words=WORDS),
    one(
        "a frame of another site",
        "empty",
        "<html><title>Film</title><body><iframe src='https://films.example/1'></iframe></body></html>",
    ),
    one(
        "a frame beside the text",
        "ok",
        f"<html><title>A</title><body><p>{ASTHMA}</p><iframe src='{{}}/ad'></iframe></body></html>",
        rest={"/ad": Served(as_page("Buy now!"))},
        words=WORDS,
    ),
    one(
        "a counter in a frame",
        "empty",
        "<html><title>A</title><body><iframe src='{}/count' width='0' height='0'></iframe></body>"
        "</html>",
        rest={"/count": Served(ARTICLE)},
    ),
    one(
        "a script that sets a title",
        "ok",
        f"<html><head><script>document.title = 'x'; var a = 'location';</script></head><body><p>"
        f"{ASTHMA}</p></body></html>",
        words=WORDS,
    ),
    one(
        "a page that was printed",
        "ok",
        f"<html><body onload='window.print()'><p>{ASTHMA}</p></html>",
        words=WORDS,
    ),
    one(
        "text between pre marks",
        "ok",
        f"<html><body><pre>{ASTHMA}</pre></body></html>",
        words=WORDS,
    ),
    one("no marks of a body", "ok", f"<title>Asthma</title><p>{ASTHMA}", words=WORDS),
    one("a check with a status of its own", "blocked", ARTICLE, cf_mitigated="challenge"),
    Quirk(
        "a host that is busy once",
        "ok",
        {
            "/": Served(
                ARTICLE,
                needs=("n=1",),
                without=Served(
                    "busy", 503, headers={"retry-after": "0"}, set_cookies=("n=1; Path=/",)
                ),
            )
        },
        WORDS,
    ),
    Quirk(
        "a cookie that ended",
        "blocked",
        {
            "/": Served(
                ARTICLE,
                needs=("ok=yes",),
                without=Served("no", 403, set_cookies=("ok=yes; Path=/; Max-Age=0",)),
            )
        },
    ),
)

QUIRKS: tuple[Quirk, ...] = (*PACKING, *TYPES, *CHARSETS, *STATUSES, *LEADS_ON, *COOKIES, *MORE)
