"""Turns a page's bytes into text. Runs in a separate process (``page_text_processes``), because
pages are hostile.

HTML goes through trafilatura, which leaves out menus and footers; if it finds next to nothing, the
page's whole visible text is taken, because a statement must not fail for text that was left out.
PDF goes through PDFium.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urljoin, urlsplit

from medlens.deferred_regex import compile_later
from medlens.web.content_sniffing import Kind, decode_body
from medlens.web.fetched_page_walls import (
    Found,
    classify_as_page_or_wall_and_say_why,
    has_prose,
    is_free_by_metadata,
)

LONGEST = 4_000_000
"""Characters kept of a text."""

_ONWARD = compile_later(
    r"\s*(\d*(?:\.\d*)?)(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(.*\S))", re.I | re.S
)
_AT_ONCE = 10
_SCRIPT_LEADS = compile_later(
    r"(?:(?:window|document|self|top)\.)?location(?:\.href)?\s*"
    r"(?:=|\.(?:replace|assign)\()\s*([\"'])(?P<place>[^\"'\\]{1,2000})\1\s*\)?;?"
)
_COMMENT = compile_later(r"/\*.{0,2000}?\*/|^\s*//[^\n]*|<!--|-->", re.M | re.S)
_MAIN = compile_later(r"main|content|body|text|right|inhalt|haupt|contenu|contenido", re.I)
_UNSEEN = compile_later(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
# Superscript numbers, also as links: 10<sup>9</sup> is not 109.
_SUP = compile_later(
    r"<sup\b[^<>]{0,200}>((?:\s|<a\b[^<>]{0,500}>|</a>|[\d,+−–-]){1,20})</sup>", re.I
)
_TO_RAISED = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻", " \n\t\r")
_UNLISTED = (
    "//meta[translate(@name, 'ROBTS', 'robts')='robots']"
    "[contains(translate(@content, 'NOIDEX', 'noidex'), 'noindex')]"
)
_LITTLE, _SHARE = 200, 0.25
_PAGES = 3000
_TAG = compile_later(r"<[a-z!/?]", re.I)
_DATA_IN_XML = compile_later(r"\s*<\?xml(?!.{0,2000}<html\b)", re.I | re.S)
_LINE_END = compile_later(r"(?<!\n)\n(?!\n)")
_VALUES = 2000
_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote br dd div dl dt fieldset figcaption figure footer "
        "form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td th thead "
        "tr ul",
    )
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
    is where it redirects its readers within ten seconds, or where what it shows in a frame stands,
    as written there.
    """

    outcome: Found
    text: str = ""
    title: str = ""
    reason: str = ""
    onward: str = ""


def preload_html_parser() -> None:
    """Import what reads HTML: most of a second, paid only by processes that read pages."""
    import trafilatura  # noqa: F401


def read_page_text_title_and_outcome(kind: Kind, body: bytes, *, charset: str = "") -> PageText:
    """The text of a page; ``charset`` is the one in its header."""
    if kind == "pdf":
        return _pdf(body)
    decoded = decode_body(body, charset)
    if (data := _data(decoded)) is not None:
        return data
    if kind == "text" or not _TAG.search(decoded):
        text = tidy_text(decoded)
        return _judged("", text) if text else PageText("empty", reason="it holds no text")
    return _html(decoded)


def _judged(title: str, text: str, *, onward: str = "", **signs: bool) -> PageText:
    outcome, reason = classify_as_page_or_wall_and_say_why(title, text, **signs)
    return PageText(outcome, text, title, reason, onward)


def _data(text: str) -> PageText | None:
    """Data for programs (JSON), which are no page; most are an error's. None: it is a page."""
    if text.lstrip("\ufeff \t\r\n")[:1] not in ("{", "["):
        return None
    try:
        data = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    values: list[Any] = [data]
    parts: list[str] = []
    while values and len(parts) < _VALUES:
        value = values.pop()
        if isinstance(value, dict):
            values += value.values()
        elif isinstance(value, list):
            values += value
        else:
            parts.append(str(value))
    outcome, reason = classify_as_page_or_wall_and_say_why("", tidy_text("\n".join(parts)))
    if outcome not in ("ok", "empty"):
        return PageText(outcome, reason=reason)
    return PageText("unsupported_type", reason="it holds data for programs, not a page")


def tidy_text(text: str) -> str:
    """The text without control characters and runs of blanks, so it can be stored and quoted."""
    text = re.sub(r"\r\n?", "\n", text[:LONGEST])
    # PDFium's character for a hyphen at a line's end, which is not part of the word.
    text = re.sub("[\ufffe\x02]\n?", "", text)
    unwanted = {
        ord(char): None
        for char in set(text) - {"\n", "\t"}
        if unicodedata.category(char) in ("Cc", "Cs", "Cn", "Co")
    }
    kept = text.translate(unwanted) if unwanted else text
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
        if tree is None:
            # It takes what is all head for no page, but that may lead on.
            tree = etree.fromstring(page, etree.HTMLParser())
    except (ValueError, etree.LxmlError):
        tree = None
    if tree is None:
        return PageText("empty", reason="there is no page in it")
    title = tidy_text(" ".join(tree.xpath("string((//title)[1])").split()))[:300]
    onward = _onward(tree)
    without_script = _onward(tree, of_those_without_script=True)
    framed = _framed(tree)
    asks_password = bool(
        tree.xpath("//input[translate(@type, 'PASWORD', 'pasword')='password'][not(ancestor::nav)]")
    )
    unlisted = bool(tree.xpath(_UNLISTED))
    aside = tidy_text("\n".join(_visible(node) for node in tree.xpath("//noscript|//noframes")))
    main = (
        trafilatura.extract(page, favor_recall=True, include_tables=True, include_comments=False)
        or ""
    )
    text = tidy_text(main)
    whole = tidy_text(_visible(tree, without=_HIDDEN, apart=bool(_DATA_IN_XML.match(page))))
    if len(text) < _LITTLE or len(text) < _SHARE * len(whole):
        text = whole
    if len(text) < _LITTLE and len(aside) > _LITTLE:
        # Readers without a script are shown this.
        text = f"{text}\n{aside}".strip()
    if not text and aside and not framed and _judged(title, aside).outcome == "ok":
        text = aside
    if not text:
        found = _judged(title, aside) if aside else None
        if found is None or found.outcome in ("ok", "empty"):
            found = PageText("empty", title=title, reason="it holds no text")
        return replace(found, text="", onward=onward or framed or without_script)
    found = _judged(
        title,
        text,
        free=is_free_by_metadata(page),
        asks_password=asks_password,
        unlisted=unlisted,
    )
    if framed and (found.outcome == "empty" or not has_prose(title, text)):
        onward = onward or framed
        found = replace(found, outcome="empty", reason="its text is in a frame")
    if found.outcome != "ok" or not has_prose(title, text):
        # A page that is there already is not left for the notice that scripts are off.
        onward = onward or without_script
    return replace(found, onward=onward)


def address_of_page_refresh(content: str) -> str:
    """Where a refresh within ten seconds leads, as written there; empty if it leads nowhere."""
    found = _ONWARD.match(content)
    if not found or float(found[1].strip(".") or 0) > _AT_ONCE:
        return ""
    return next((place.strip() for place in found.groups()[1:] if place), "")


def _onward(tree: Any, *, of_those_without_script: bool = False) -> str:
    """The address that a page leads its readers to: by a meta refresh, or by a script that does
    nothing else; empty if there is none. One for ``of_those_without_script`` stands in a noscript.
    """
    where = "ancestor::noscript" if of_those_without_script else "not(ancestor::noscript)"
    for content in tree.xpath(
        f"//meta[translate(@http-equiv, 'REFSH', 'refsh')='refresh'][{where}]/@content"
    ):
        if place := address_of_page_refresh(content):
            return _based(tree, place)
    for script in [] if of_those_without_script else tree.xpath("//script[not(@src)]/text()"):
        found = _SCRIPT_LEADS.fullmatch(_COMMENT.sub("", script).strip())
        if found:
            return _based(tree, found["place"])
    return ""


def _framed(tree: Any) -> str:
    """The address of the one frame in which a page shows its text; empty if there is none."""
    frames = tree.xpath("//frame[@src]")
    if len(frames) > 1:
        frames = [
            frame
            for frame in frames
            if _MAIN.search(f"{frame.get('name', '')} {frame.get('id', '')}")
        ]
    if not frames:
        frames = [
            frame
            for frame in tree.xpath("//iframe[@src]|//embed[@src]|//object[@data]")
            if frame.get("width", "") not in ("0", "1")
            and not _UNSEEN.search(frame.get("style", ""))
            and not urlsplit(_place(frame)).netloc
        ]
    if len(frames) != 1:
        return ""
    place = _place(frames[0])
    return (
        "" if place.lower().startswith(("about:", "javascript:", "data:")) else _based(tree, place)
    )


def _place(frame: Any) -> str:
    return str(frame.get("src") or frame.get("data") or "").strip()


def _based(tree: Any, place: str) -> str:
    """An address as seen from the base that a page names, if it names one."""
    base = next(iter(tree.xpath("//base/@href")), "")
    try:
        return urljoin(base.strip(), place)
    except ValueError:
        return place


def _visible(tree: Any, *, without: Sequence[str] = (), apart: bool = False) -> str:
    """Everything that a page shows, in order; removes the rest from ``tree``. ``apart``: each
    element stands on a line of its own.
    """
    from lxml import etree

    if without:
        etree.strip_elements(tree, *without, with_tail=False)
    etree.strip_tags(tree, etree.Comment, etree.ProcessingInstruction)
    parts: list[str] = []
    for event, node in etree.iterwalk(tree, events=("start", "end")):
        if event == "start":
            parts.append(node.text or "")
        else:
            parts += ["\n" if apart or node.tag in _BLOCKS else "", node.tail or ""]
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
    text = tidy_text("\n\n".join(parts))
    title = tidy_text(str(document.get_metadata_dict().get("Title", "")))[:300]
    if not text:
        return PageText("empty", title=title, reason="the PDF holds no text, only pictures")
    # Its lines end where the paper did.
    outcome, reason = classify_as_page_or_wall_and_say_why(title, _LINE_END.sub(" ", text))
    return PageText(outcome, text, title, reason)
