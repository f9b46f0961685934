"""Turns a page's bytes into text. Runs in a separate process (``reader``), because pages are
hostile.

HTML goes through trafilatura, which leaves out menus and footers; if it finds next to nothing, the
page's whole visible text is taken, because a statement must not fail for text that was left out.
PDF goes through PDFium.
"""

from __future__ import annotations

import codecs
import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Literal

Found = Literal[
    "ok", "not_found", "http_error", "blocked", "paywalled", "empty", "unsupported_type"
]

_LONG = 12_000
"""Characters from which on a text is taken for the page itself."""
_NO_PROSE, _LITTLE_PROSE, _TEASER = 10, 40, 350
"""Words of prose: what has fewer is no page by whatever its text says; by its title or first words;
and is the beginning of one that costs money."""
_BESIDE = 12
"""Words beside a login, a consent notice or a sign that a script is at work."""
_SIGNS = 3

_THING = r"(?:page|article|content|resource|document|file|object|item|url|link|site)"
_READING = (
    r"(?:article|story|content|page|text|chapter|piece|rest|full|version|post|discussion|case)"
)
_NOT_FOUND = re.compile(
    rf"\b404\b|{_THING} (?:was |is )?not found|(?:can['’]?t|cannot|could(?:n['’]t| not)) (?:be"
    rf" found"
    rf"|find (?:the|that|this) {_THING})|{_THING} (?:you[^.]{{0,40}} )?(?:does(?:n['’]t| not) exist"
    r"|(?:may|might|has|have|could|was)[^.]{0,20}(?:removed|moved|deleted)|(?:is )?no longer"
    r" (?:available|exists?))|seite (?:wurde )?nicht gefunden|existiert (?:leider )?nicht"
    rf"|can['’]?t seem to find|no such {_THING}|nothing (?:was |to be )?found here"
    r"|страница не найдена|siden blev ikke fundet|sidan kunde inte hittas|page introuvable"
    r"|n['’]existe (?:pas|plus)|p[aá]gina no encontrada|p[aá]gina[^.]{0,30} no"
    r" existe|pagina (?:non trovata|niet gevonden)|no (?:search )?results (?:were |was )?found"
    r" for|account (?:has been )?suspended"
    r"|welcome to nginx|(?:apache|iis|web server)[^.]{0,30} default (?:web )?(?:site )?page"
    r"|页面不存在|ページが見つかりません",
    re.I,
)
_FOR_SALE = re.compile(
    r"\bis for sale\b|domain (?:name )?(?:\S+ )?(?:is|may be) (?:for sale|parked|available)"
    r"|buy this domain|inquire about this domain|this domain has expired|domain expired"
    r"|parked free",
    re.I,
)
_OUT_OF_ORDER = re.compile(
    r"down for (?:\w+ )?maintenance|under maintenance|(?:service|site) (?:is )?(?:temporarily )?"
    r"unavailable|internal server error|bad gateway|gateway time-?out|(?:we['’]ll|will) be back"
    r" soon|database connection",
    re.I,
)
_KEPT_OUT = re.compile(
    r"^\W*(?:just|one) (?:a )?moment\W|checking (?:if the site connection|your browser)"
    r"|verify(?:ing)? (?:that )?you"
    r" are (?:a )?human|are you a (?:robot|human|bot)|complete the (?:captcha|security check)"
    r"|enable javascript and cookies to continue|pardon our interruption|unusual traffic from your"
    r"|access (?:to this page has been )?denied|(?:request|you)(?: was| have been)? blocked"
    r"|ddos protection by|think you were a bot|n['’]t have permission to access"
    r"|(?:not |un)available in (?:your|most|the) (?:region|country|countries|location|eu\b"
    r"|european)|unavailable for legal reasons"
    r"|blocked by (?:your|the) (?:administrator|organi[sz]ation|network|policy)"
    r"|(?:slide|drag|finish|solve|complete) the (?:piece|slider|puzzle)"
    r"|you are not a (?:program|machine|script)"
    r"|captcha|human verification|you are (?:a human|human and)|not a (?:bot|robot)\b|bot detection"
    r"|^\W*(?:attention required|security check)|unusual activity (?:from|on) your"
    r"|too many requests|access to this (?:site|page) has been (?:limited|restricted)"
    r"|restrict access|are you a (?:health ?care|medical) professional",
    re.I | re.M,
)
_SCRIPT_FILLS = re.compile(
    r"^\W*(?:loading|fetching)\b|\bloading\W*$|please wait|(?:enable|need|requires?|activate)"
    r" javascript|javascript (?:is )?(?:disabled|required|not enabled)",
    re.I | re.M,
)
_CONSENT = re.compile(
    r"we (?:and our (?:\w+ )?partners )?(?:use|store)[^.]{0,60} cookies|value your privacy|before"
    r" you continue|(?:manage|cookie|privacy|consent) (?:preferences|settings|choices)"
    r"|(?:accept|reject|allow|agree to) all|legitimate interest|cookie (?:policy|notice)"
    r"|alle (?:cookies )?akzeptieren|tout (?:accepter|refuser)|aceptar todo",
    re.I,
)
_ENTER = (
    r"(?:subscribe|log ?in|sign ?(?:in|up)|register|become a (?:member|subscriber)"
    r"|join (?:now|us|(?:the|our) [^.]{1,40}?))"
)
_PAYWALL = re.compile(
    rf"{_ENTER} (?:now |today )?to (?:continue(?: reading)?\W*$|continue reading|keep reading"
    rf"|(?:read|view|see|access|unlock|continue)[^.]{{0,30}}\b{_READING}\b)"
    rf"|to (?:continue|keep) reading (?:this|the) {_READING}"
    r"|(?:buy|purchase|rent)(?: or (?:buy|rent|subscribe))? (?:this|the) (?:full )?article(?!['’]s)"
    r"|get full access to this|access through your (?:institution|organi[sz]ation)"
    rf"|{_READING}[^.]{{0,30}} (?:is|are) (?:only )?(?:reserved |available |accessible )?(?:only )?"
    r"(?:for|to) (?:paying |registered )?(?:subscribers|members)\b"
    rf"|unlock (?:this|the) (?:\w+ )?{_READING}|preview of subscription content"
    rf"|(?:premium|exclusive|members[- ]only) {_READING}\b|purchase access|log in via an"
    rf" institution"
    r"|(?:no|0|zero)(?: more)? free (?:articles|stories|reads)|unlimited digital access"
    r"|weiterlesen mit|(?:bereits|schon) (?:ein )?abo|nur f[üu]r abonnent|r[ée]serv[ée]e?s? aux"
    r" abonn|abonnez-vous pour lire|suscr[ií]b\w+ para (?:leer|seguir|continuar)|solo per abbonati"
    r"|reached your (?:monthly )?limit of|requires a subscription|subscription required",
    re.I | re.M,
)
_LOGIN = re.compile(
    r"already a (?:subscriber|member)|(?:subscribers|members) only|institutional (?:access|login)"
    r"|forgot(?:ten)? (?:your )?password|log ?in to|sign ?in to|please (?:log|sign) ?in",
    re.I,
)
_OF_THE_SITE = re.compile(
    r"cookie|consent|privacy|our (?:\w+ )?partners|your choices|newsletter|subscri|sign (?:in|up)"
    r"|log ?in\b|password|register|javascript|all rights reserved|search|home ?page|try again",
    re.I,
)
_WALLS = (
    _NOT_FOUND,
    _FOR_SALE,
    _OUT_OF_ORDER,
    _KEPT_OUT,
    _SCRIPT_FILLS,
    _CONSENT,
    _PAYWALL,
    _LOGIN,
    _OF_THE_SITE,
)
_ENDS = re.compile(r"\n+|(?<=[.!?。])\s*(?=\S)(?<![A-Z\d]\.)")
_CLOSED = re.compile(r"[.!?。:]['\"”’)]*$")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{2}|[^\W_]+")
_LINKED_DATA = re.compile(
    r"<script[^>]{0,200}application/ld\+json[^>]{0,200}>(.{0,200000}?)</script>", re.I | re.S
)
_OTHERS = frozenset(
    ("itemListElement", "mentions", "isPartOf", "potentialAction", "relatedLink", "citation")
)  # what a page's data say of other pages


# Whether a page with status 200 is the page itself or a wall in front of it.
#
# Every site says "sign in" and "cookies" somewhere, so such words alone mean nothing. What
# decides is how much prose is left without the sentences about the site itself.


def before_the_page(title: str, text: str, *, free: bool = True) -> tuple[Found, str]:
    """What a page is (``ok``: the page itself) and why; ``free`` is what its own metadata say."""
    if len(text) > _LONG:
        return "ok", ""
    pieces = [piece for piece in _ENDS.split(text) if piece.strip()]
    first = pieces[:1]
    pieces = [piece for piece in pieces if piece.strip() != title]
    own = [piece for piece in pieces if not any(wall.search(piece) for wall in _WALLS)]
    prose = sum(_words(piece) for piece in own if _is_prose(piece))
    rest = sum(map(_words, own))
    both = f"{title}\n{text}"
    said = both if prose < _NO_PROSE else "\n".join([title, *first])
    if prose < _LITTLE_PROSE:
        for wall, outcome, reason in (
            (_FOR_SALE, "not_found", "its domain is for sale"),
            (_NOT_FOUND, "not_found", "the site says that there is no such page"),
            (_OUT_OF_ORDER, "http_error", "the site says that it is out of order"),
            (_KEPT_OUT, "blocked", "the site asks who is there, or keeps readers out"),
        ):
            if wall.search(said):
                return outcome, reason  # type: ignore[return-value]
    bare = not prose and rest < _BESIDE
    if bare and _SCRIPT_FILLS.search(text):
        return "empty", "only a script fills the page"
    if prose < _TEASER and (not free or _PAYWALL.search(both)):
        return "paywalled", "the site asks for a subscription"
    if bare and _LOGIN.search(both):
        return "paywalled", "the site asks for a login"
    signs = {found.casefold() for found in _CONSENT.findall(text)}
    if bare and len(signs) >= _SIGNS:
        return "blocked", "only a consent notice is shown"
    return "ok", ""


def is_free(page: str) -> bool:
    """Whether a page's own metadata (schema.org) do not say that it costs money."""
    for found in _LINKED_DATA.finditer(page):
        try:
            data = json.loads(found[1])
        except (ValueError, RecursionError):
            continue
        if _costs(data, 0):
            return False
    return True


def _costs(data: Any, depth: int) -> bool:
    if depth > 8:
        return False
    if isinstance(data, list):
        return any(_costs(one, depth + 1) for one in data)
    if not isinstance(data, dict):
        return False
    if str(data.get("isAccessibleForFree", "")).strip().casefold() == "false":
        return True
    return any(_costs(value, depth + 1) for key, value in data.items() if key not in _OTHERS)


def _words(piece: str) -> int:
    return len(_WORD.findall(piece))


def _is_prose(piece: str) -> bool:
    return _words(piece) >= (5 if _CLOSED.search(piece.strip()) else 9)


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
