"""Sixty more sites that answer oddly: publishers, portals, repositories and the walls before them,
with what a reader gets from each. Written without a look at the rules; when they were new, 64 of 65
were read or told as they should be, and the one that was not was told as a page that is not there.
"""

from __future__ import annotations

import gzip
import json
import zlib

from tests.labelled_pages import ASTHMA, IRON, SITE, STATINS, page
from tests.page_quirks import ARTICLE, GERMAN, LEAFLET, THERE, WORDS, Quirk, as_page, one, refresh
from tests.web_server import Served


def wall(title: str, *lines: str, head: str = "") -> str:
    """A page that is not the article."""
    body = "".join(f"<p>{line}</p>" for line in lines)
    return f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


ABSTRACT = (
    "Background: Iron deficiency is common in heart failure. Methods: We randomly assigned 1,100"
    " patients to ferric carboxymaltose or placebo. Results: Admissions fell by a fifth."
    " Conclusions: Intravenous iron reduced admissions for heart failure."
)

WALLS = (
    one(
        "press and hold",
        "blocked",
        wall(
            "Access to this page has been denied",
            "Press &amp; Hold to confirm you are a human (and not a bot).",
            "Reference ID 7a",
        ),
    ),
    one(
        "checking the browser",
        "blocked",
        wall(
            "Just a moment...",
            "Checking if the site connection is secure",
            "Enable JavaScript and cookies to continue",
        ),
    ),
    one(
        "an Incapsula frame",
        "blocked",
        "<html><head><META NAME='robots' CONTENT='noindex,nofollow'></head><iframe "
        "id='main-iframe' src='/_Incapsula_Resource?CWUDNSAI=1'>Request unsuccessful. Incapsula "
        "incident ID: 877-1</iframe></html>",
    ),
    one(
        "unusual traffic",
        "blocked",
        wall(
            "Sorry",
            "Our systems have detected unusual traffic from your computer network. Please try "
            "your request again later.",
        ),
    ),
    one(
        "a pardon",
        "blocked",
        wall(
            "Pardon Our Interruption",
            "As you were browsing something about your browser made us think you were a bot.",
        ),
    ),
    one(
        "an Akamai refusal as 200",
        "blocked",
        wall(
            "Access Denied",
            'You don\'t have permission to access "http://www.example.org/" on this server.',
            "Reference #18.9d3",
        ),
    ),
    one(
        "a country that is shut out",
        "blocked",
        wall(
            "451", "Unfortunately, our website is currently unavailable in most European countries."
        ),
    ),
    one(
        "a proof of work",
        "blocked",
        wall(
            "Making sure you're not a bot!",
            "Loading...",
            "You are seeing this because the administrator of this website has set up Anubis to "
            "protect the server against the scourge of AI companies aggressively scraping "
            "websites.",
        ),
    ),
    one(
        "a login of a library",
        "paywalled",
        "<html><title>Institutional login</title><body><h1>Sign in through your "
        "institution</h1><form><input name='user'><input type='password' "
        "name='p'></form></body></html>",
    ),
    one(
        "an article to be bought",
        "paywalled",
        wall(
            "Iron in heart failure",
            "Abstract not available",
            "Buy this article",
            "Get 48-hour access for $39.95",
            "Subscribe",
            "Log in",
        ),
    ),
    one(
        "a preview with an end",
        "paywalled",
        wall(
            "Statins",
            "High doses of statins",
            "This is a preview of subscription content, log in via an institution to check access.",
            "Access this article",
            "Buy article PDF 39,95 €",
        ),
    ),
    one(
        "a German wall",
        "paywalled",
        wall(
            "Herz",
            "Weiterlesen mit einem Abonnement",
            "Dieser Artikel ist nur für Abonnenten. Jetzt anmelden oder Abo abschließen.",
        ),
    ),
    one(
        "a French wall",
        "paywalled",
        wall(
            "Coeur",
            "Cet article est réservé aux abonnés",
            "Il vous reste 90 % de cet article à lire. Abonnez-vous.",
        ),
    ),
    one(
        "a portal for professionals",
        "paywalled",
        wall(
            "Log in",
            "You must be a registered healthcare professional to view this content.",
            "Register",
            "Log in",
        ),
    ),
    one(
        "a consent to cookies alone",
        "blocked|paywalled|empty",
        wall(
            "Before you continue",
            "We and our 843 partners store and access information on your device.",
            "Accept all",
            "Reject all",
            "Manage options",
        ),
    ),
    one(
        "abstract with a buy button",
        "ok|paywalled",
        page("Iron in heart failure", ABSTRACT, "Buy this article", "Log in"),
        words="Admissions fell by a fifth",
    ),
    one(
        "article with a consent layer",
        "ok",
        page("Asthma", ASTHMA, IRON, foot="We use cookies. Accept all. Reject all."),
        words=WORDS,
    ),
    one(
        "article about captchas and bots",
        "ok",
        page(
            "Access to care",
            ASTHMA + " Access denied to inhalers was reported by robots in a survey.",
            IRON,
        ),
        words=WORDS,
    ),
)

GONE = (
    one(
        "a soft 404",
        "not_found|empty",
        wall(
            "Page not found",
            "The page you are looking for cannot be found.",
            "It may have been moved or deleted.",
        ),
    ),
    one(
        "a 404 in Spanish",
        "not_found|empty",
        wall("Error", "Lo sentimos, la página que busca no existe."),
    ),
    one(
        "a 404 in Italian",
        "not_found|empty",
        wall("Pagina non trovata", "La pagina richiesta non esiste o è stata spostata."),
    ),
    one(
        "an article that was withdrawn by its address",
        "not_found|empty",
        wall(
            "DOI Not Found",
            "This DOI cannot be found in the DOI System.",
            "The DOI may have been incorrectly entered.",
        ),
    ),
    one(
        "a session that ended",
        "not_found|empty|blocked|paywalled",
        wall("Session expired", "Your session has timed out. Please start again."),
    ),
    one(
        "a domain for sale",
        "not_found|empty",
        wall(
            "example.org",
            "This domain is for sale!",
            "Buy this domain",
            "Related searches: loans, insurance",
        ),
    ),
    one(
        "work on the site",
        "empty|http_error|not_found",
        wall("Scheduled maintenance", "We are down for maintenance. We will be back soon."),
    ),
    one(
        "a server's greeting",
        "empty|not_found",
        wall(
            "Welcome to nginx!",
            "If you see this page, the nginx web server is successfully installed and working. "
            "Further configuration is required.",
        ),
    ),
    one(
        "a listing of a folder",
        "ok|empty|not_found",
        "<html><title>Index of /pdf</title><body><h1>Index of /pdf</h1><pre><a "
        "href='a.pdf'>a.pdf</a></pre></body></html>",
    ),
    one(
        "an error in JSON",
        "not_found|unsupported_type|empty|http_error",
        json.dumps({"status": 404, "error": "Not Found", "path": "/a"}),
        "application/json",
    ),
    one("a 404 with the article", "not_found", ARTICLE, status=404),
    one("a 410", "not_found", "Gone", status=410),
    one("a 429", "blocked|http_error", "Too many requests", status=429),
    one(
        "a 503 with a challenge",
        "blocked|http_error",
        wall("Just a moment...", "Checking your browser"),
        status=503,
    ),
    one("a 500 with a page", "http_error", wall("Oops", "Something went wrong"), status=500),
    one("a 202 that asks to come again", "blocked|empty|http_error", "", status=202),
)

FILES = (
    one(
        "a PDF as octets", "ok", LEAFLET, "application/octet-stream", words="raised after two weeks"
    ),
    one(
        "a PDF behind spaces",
        "ok",
        b"\r\n\r\n" + LEAFLET,
        "application/pdf",
        words="raised after two weeks",
    ),
    one(
        "a PDF cut short",
        "unsupported_type|empty|ok",
        LEAFLET[: len(LEAFLET) // 2],
        "application/pdf",
    ),
    one("a page called PDF", "ok", ARTICLE, "application/pdf", words=WORDS),
    one(
        "a login called PDF",
        "paywalled",
        "<html><title>Sign in</title><form>Sign in to download <input "
        "type='password'></form></html>",
        "application/pdf",
    ),
    one(
        "a Word file",
        "unsupported_type|ok",
        b"PK\x03\x04" + bytes(600),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    one(
        "an old Word file",
        "unsupported_type",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(900),
        "application/msword",
    ),
    one(
        "a picture called a page",
        "unsupported_type",
        b"\x89PNG\r\n\x1a\n" + bytes(900),
        "text/html",
    ),
    one("Markdown", "ok", "# Asthma\n\n" + ASTHMA, "text/markdown", words=WORDS),
    one("plain text with a mark", "ok", "\ufeff" + ASTHMA, "text/plain", words=WORDS),
    one(
        "JATS",
        "ok",
        f"<?xml version='1.0'?><article><front><article-title>Asthma</"
        f"article-title></front><body><sec><p>{ASTHMA}</p></sec></body></article>",
        "application/xml",
        words=WORDS,
    ),
    one("an audio file", "unsupported_type", b"ID3" + bytes(900), "audio/mpeg"),
    one(
        "a table of values", "ok|unsupported_type", "drug,dose\nramipril,2.5 mg\n" * 20, "text/csv"
    ),
    one(
        "deflate with its header",
        "ok",
        zlib.compress(ARTICLE.encode()),
        words=WORDS,
        content_encoding="deflate",
    ),
    one(
        "gzip of a journal in two members",
        "ok",
        gzip.compress(ARTICLE[:200].encode()) + gzip.compress(ARTICLE[200:].encode()),
        words=WORDS,
        content_encoding="gzip",
    ),
    one("gzip that is only called so", "ok", ARTICLE, words=WORDS, content_encoding="gzip"),
)

TEXTS = (
    one(
        "Latin letters without a name", "ok", as_page(GERMAN).encode("latin-1"), words="Völlegefühl"
    ),
    one(
        "a charset that does not exist",
        "ok",
        as_page(GERMAN),
        "text/html; charset=utf8mb4",
        words="Völlegefühl",
    ),
    one(
        "two charsets",
        "ok",
        as_page(GERMAN, head="<meta charset='iso-8859-1'>"),
        "text/html; charset=utf-8",
        words="Völlegefühl",
    ),
    one(
        "text in collapsed sections",
        "ok",
        f"<html><title>A</title><body><details><summary>More</summary>"
        f"<p>{ASTHMA}</p></details></body></html>",
        words=WORDS,
    ),
    one(
        "text in a dialog that is not open",
        "ok|empty",
        f"<html><title>A</title><body><p>{STATINS}</p><dialog><p>Sign up for our "
        f"newsletter</p></dialog></body></html>",
        words="Statins",
    ),
    one(
        "text in a table of the page",
        "ok",
        f"<html><title>A</title><body><table><tr><td>{SITE}</td><td><p"
        f">{ASTHMA}</p></td></tr></table></body></html>",
        words=WORDS,
    ),
    one(
        "upper-case tags",
        "ok",
        f"<HTML><HEAD><TITLE>A</TITLE></HEAD><BODY><P>{ASTHMA}</BODY></HTML>",
        words=WORDS,
    ),
    one(
        "soft hyphens",
        "ok",
        as_page(ASTHMA.replace("airways", "air\u00adways")),
        words="narrow and swell",
    ),
    one(
        "text only in JSON-LD",
        "ok|empty",
        "<html><title>A</title><script type='application/ld+json'>"
        + json.dumps({"@type": "Article", "articleBody": ASTHMA})
        + "</script><body></body></html>",
    ),
    one("a refresh in capitals", "ok", refresh("0;URL='{}/there'"), rest=THERE, words=WORDS),
    one(
        "a refresh by a script",
        "ok|empty",
        "<html><script>window.location.replace('{}/there')</script></html>",
        rest=THERE,
    ),
    one(
        "a redirect with a space",
        "ok",
        "",
        status=302,
        location=" {}/there",
        rest=THERE,
        words=WORDS,
    ),
    one("a 307", "ok", "", status=307, location="{}/there", rest=THERE, words=WORDS),
    one("a 308 to itself", "refused", "", status=308, location="{}/"),
    Quirk(
        "a list of choices",
        "ok|http_error",
        {
            "/": Served(
                wall("Choices", "<a href='{}/there'>one</a>"), 300, headers={"location": "{}/there"}
            ),
            **THERE,
        },
    ),
)

JOURNALS: tuple[Quirk, ...] = (*WALLS, *GONE, *FILES, *TEXTS)
