"""Whether a page with status 200 is the page itself or a wall in front of it.

Every site says "sign in" and "cookies" somewhere, so such words alone mean nothing. What decides is
how much prose is left without the sentences about the site itself.
"""

from __future__ import annotations

import json
import re
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
