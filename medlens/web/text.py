"""Turns a page's bytes into text. Runs in a separate process (``reader``), because pages are
hostile.

HTML goes through trafilatura, which leaves out menus and footers; if it finds next to nothing, the
page's whole visible text is taken, because a statement must not fail for text that was left out.
PDF goes through PDFium.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Literal

from medlens.web.walls import Found, before_the_page, is_free

Kind = Literal["html", "pdf", "text"]

LONGEST = 4_000_000
"""Characters kept of a text."""

_ONWARD = re.compile(r"\s*(\d*(?:\.\d+)?)\s*[;,]\s*url\s*=\s*[\"']?([^\"'\s>]+)", re.I)
_AT_ONCE = 10
# Superscript numbers, also as links: 10<sup>9</sup> is not 109.
_SUP = re.compile(r"<sup\b[^<>]{0,200}>((?:\s|<a\b[^<>]{0,500}>|</a>|[\d,+−–-]){1,20})</sup>", re.I)
_TO_RAISED = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻", " \n\t\r")
_LITTLE, _SHARE = 200, 0.25
_PAGES = 3000
_DECLARED = re.compile(
    rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?([\w.:-]+)", re.I
)
_BLOCKS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    }
)
_HIDDEN = (
    "script",
    "style",
    "noscript",
    "template",
    "svg",
    "head",
    "iframe",
    "object",
    "select",
    "button",
    "nav",
)


@dataclass(frozen=True)
class PageText:
    """A page's text, and whether it is the page or a wall in front of it (``outcome``); ``onward``
    is where it redirects its readers within ten seconds, as written there.
    """

    outcome: Found
    text: str = ""
    title: str = ""
    reason: str = ""
    onward: str = ""


def load() -> None:
    """Import what reads HTML: most of a second, paid only by processes that read pages."""
    import trafilatura  # noqa: F401


def read(kind: Kind, body: bytes, *, charset: str = "") -> PageText:
    """The text of a page; ``charset`` is the one in its header."""
    if kind == "pdf":
        return _pdf(body)
    decoded = decode(body, charset)
    if kind == "text":
        text = tidy(decoded)
        return PageText("ok" if text else "empty", text)
    return _html(decoded)


def decode(body: bytes, charset: str = "") -> str:
    """Bytes as text: by byte-order mark, header, the page's declaration, UTF-8, or Windows-1252."""
    declared = _DECLARED.search(body[:4096])
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if body.startswith(mark):
            return body.decode(name, "replace")
    for name in (charset, declared[1].decode("ascii", "replace") if declared else "", "utf-8"):
        try:
            return body.decode(name) if name else body.decode("ascii")
        except (UnicodeDecodeError, LookupError):
            continue
    return body.decode("cp1252", "replace")


def tidy(text: str) -> str:
    """The text without control characters and runs of blanks, so it can be stored and quoted."""
    text = re.sub(r"\r\n?", "\n", text[:LONGEST])
    # PDFium's character for a hyphen at a line's end, which is not part of the word.
    text = re.sub("[\ufffe\x02]\n?", "", text)
    kept = "".join(
        char
        for char in text
        if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs", "Cn", "Co")
    )
    kept = re.sub(r"[ \t\u00a0]+", " ", kept)
    return re.sub(r" ?\n ?(?:\n ?)+", "\n\n", re.sub(r" \n|\n ", "\n", kept)).strip()


def _raised(found: re.Match[str]) -> str:
    return re.sub(r"<[^>]*>", "", found[1]).translate(_TO_RAISED)


def _html(page: str) -> PageText:
    import trafilatura
    from lxml import etree  # type: ignore[import-untyped]

    page = _SUP.sub(_raised, page)
    try:
        tree = trafilatura.load_html(page)
    except (ValueError, etree.LxmlError):
        tree = None
    if tree is None:
        return PageText("empty", reason="there is no page in it")
    title = tidy(" ".join(tree.xpath("string((//title)[1])").split()))[:300]
    onward = _refresh(tree)
    main = (
        trafilatura.extract(page, favor_recall=True, include_tables=True, include_comments=False)
        or ""
    )
    text = tidy(main)
    whole = tidy(_visible(tree))
    if len(text) < _LITTLE or len(text) < _SHARE * len(whole):
        text = whole
    if not text:
        return PageText("empty", title=title, reason="it holds no text", onward=onward)
    outcome, reason = before_the_page(title, text, free=is_free(page))
    return PageText(outcome, text, title, reason, onward)


def _refresh(tree: Any) -> str:
    """The address of a meta refresh within ten seconds; empty if there is none."""
    for said in tree.xpath("//meta[translate(@http-equiv, 'REFSH', 'refsh')='refresh']/@content"):
        found = _ONWARD.match(said)
        if found and float(found[1] or 0) <= _AT_ONCE:
            return str(found[2])
    return ""


def _visible(tree: Any) -> str:
    """Everything that a page shows, in order; removes the rest from ``tree``."""
    from lxml import etree

    etree.strip_elements(tree, *_HIDDEN, with_tail=False)
    etree.strip_tags(tree, etree.Comment, etree.ProcessingInstruction)
    parts: list[str] = []
    for event, node in etree.iterwalk(tree, events=("start", "end")):
        if event == "start":
            parts.append(node.text or "")
        else:
            parts += ["\n" if node.tag in _BLOCKS else "", node.tail or ""]
    return "".join(parts)


def _pdf(body: bytes) -> PageText:
    import pypdfium2  # type: ignore[import-untyped]

    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        return PageText("unsupported_type", reason=f"the PDF cannot be read: {error}"[:200])
    parts: list[str] = []
    length = 0
    for number in range(min(len(document), _PAGES)):
        try:
            page = document[number]
            said = page.get_textpage().get_text_range()
            page.close()
        except pypdfium2.PdfiumError:
            continue
        parts.append(said)
        length += len(said)
        if length > LONGEST:
            break
    text = tidy("\n\n".join(parts))
    title = tidy(str(document.get_metadata_dict().get("Title", "")))[:300]
    if not text:
        return PageText("empty", title=title, reason="the PDF holds no text, only pictures")
    return PageText("ok", text, title)
