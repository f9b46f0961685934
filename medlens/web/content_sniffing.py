"""What bytes are, whatever was said of them: a page, a PDF, text, and in which encoding.

After WHATWG's MIME Sniffing and Encoding standards, with more trust in bytes: a header that a
server adds to all it sends says little.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import Literal

from medlens.web.wrong_charset_detection import likeliest_encoding

Kind = Literal["html", "pdf", "text"]

START = 2048
"""Bytes that show what a body is."""
HTML = ("text/html", "application/xhtml+xml", "application/xml", "text/xml")
PDF = ("application/pdf", "application/x-pdf")
UNSURE = ("", "application/octet-stream", "binary/octet-stream")
TEXT = ("text/plain", "text/markdown", "text/csv", "text/tab-separated-values")

_PDF_HEAD = re.compile(rb"[^<]{0,1023}?%PDF-\d")
_OTHERS = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0",
    b"{\\rtf",
    b"%!PS",
    b"RIFF",
    b"OggS",
    b"ID3",
    b"\x7fELF",
    b"MZ\x90",
    b"Rar!",
    b"7z\xbc\xaf",
    b"BZh",
    b"\xfd7zXZ",
    b"\x1aE\xdf\xa3",
)
"""How files begin that are pictures, documents of programs, archives, sound or films."""
_PAGE = re.compile(
    rb"(?:<!--.{0,1500}?-->\s*|<\?xml[^>]{0,300}>\s*)*"
    rb"<(?:!doctype\s+html|html|head|body|frameset|title|meta)\b",
    re.I | re.S,
)
_MARKUP = re.compile(rb"<(?:!--|\?xml|!doctype|[a-z][a-z\d]*[\s/>])", re.I)
_UNPRINTED = bytes((set(range(32)) - set(b"\t\n\x0b\x0c\r\x1b")) | {127})


def sniff_content_kind(named: str, body: bytes) -> Kind | None:
    """What a body can be read as, if at all; ``named`` is the content type of its header."""
    start = _narrow(body[:START]).removeprefix(codecs.BOM_UTF8).lstrip()
    if _PDF_HEAD.match(start):
        return "pdf"
    if start.startswith(_OTHERS) or start[4:8] == b"ftyp" or _is_noise(start):
        # PDFium itself finds out what is wrong with a PDF.
        return "pdf" if named in PDF and not start.startswith(_OTHERS) else None
    if _PAGE.match(start):
        return "html"
    if named in HTML or (named in (*UNSURE, *PDF) and _MARKUP.match(start)):
        return "html"
    if named in TEXT or (named in ("", *PDF) and start):
        return "text"
    return None


def _is_noise(start: bytes) -> bool:
    return len(start.translate(None, _UNPRINTED)) < 0.95 * len(start)


def _narrow(start: bytes) -> bytes:
    """UTF-16 as one byte a character, to look at what it begins with."""
    name = _wide(start)
    return start.decode(name, "replace").encode("utf-8", "replace") if name else start


def _wide(start: bytes) -> str:
    """UTF-16 or UTF-32 by a byte-order mark, or by the zeros in it; empty if it is neither."""
    for mark, name in (
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if start.startswith(mark):
            return name
    start = start[:START]
    half = len(start) // 2
    even, odd = start[0 : 2 * half : 2].count(0), start[1 : 2 * half : 2].count(0)
    if half > 8 and max(even, odd) > 0.2 * half and min(even, odd) < 0.02 * half:
        return "utf-16-le" if odd > even else "utf-16-be"
    return ""


_DECLARED = re.compile(
    rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.I
)
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
}
"""What a name means on the web (WHATWG's Encoding Standard)."""
_NOT_OF_THE_WEB = frozenset(
    ("utf-7", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-8", "utf-8-sig")
)
_MULTIBYTE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_JAPANESE_ESCAPE = re.compile(rb"\x1b\$[@B].{2,4000}?\x1b\([BJ]", re.S)
"""Where ISO-2022-JP goes from Latin letters to others and back."""
_HIGH = re.compile(rb"[\x80-\xff]")
_FEW = 0.02
_LOOKED_AT = 200_000
_ENOUGH = 20_000
_TELLING = 30


def decode_body(body: bytes, charset: str = "") -> str:
    """Bytes as text: by byte-order mark, as UTF-8 if they are, by what the page declares, by its
    header (``charset``), by how its letters are spread, or as Windows-1252. What is declared does
    not count where the text reads as no language in it, and as one in another encoding.
    """
    if body.startswith(codecs.BOM_UTF8):
        return body.decode("utf-8-sig", "replace")
    if wide := _wide(body):
        return body.decode(wide, "replace")
    if _JAPANESE_ESCAPE.search(body[:_LOOKED_AT]):
        # Its bytes are all ASCII, so they would pass for UTF-8.
        return body.decode("iso2022_jp_ext", "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if _is_nearly_utf8(body[:_LOOKED_AT]):
        return body.decode("utf-8", "replace")
    declared = _DECLARED.search(body[:4096])
    names = [declared[1].decode("ascii", "replace") if declared else "", charset]
    codecs_named = [name for name in map(_codec, names) if name]
    if likeliest := likeliest_encoding(body, codecs_named[0] if codecs_named else ""):
        return body.decode(likeliest)
    # What says Latin-1 is mostly a server's default.
    for name in sorted(codecs_named, key="cp1252".__eq__):
        if name == "cp1252" and len(codecs_named) == 1 and not declared:
            break
        try:
            return body.decode(name)
        except UnicodeError:
            continue
    return body.decode(_by_letters(body) or "cp1252", "replace")


def _codec(name: str) -> str:
    """Python's name of a charset; empty if there is none, or none for text of the web."""
    try:
        known = codecs.lookup(name.strip()).name if name.strip() else ""
    except (LookupError, ValueError):
        return ""
    if known in _NOT_OF_THE_WEB or known.startswith(("utf-16", "utf-32")):
        return ""
    return _WIDER.get(known, known)


def _is_nearly_utf8(body: bytes) -> bool:
    """Whether all but a few of the bytes above ASCII are whole characters of UTF-8."""
    whole = sum(map(len, _MULTIBYTE.findall(body)))
    return whole > 0 and len(_HIGH.findall(body)) - whole <= max(3, _FEW * whole)


def _by_letters(body: bytes) -> str:
    """The encoding in which a body's letters are spread as in a language; empty if unknown."""
    from charset_normalizer import from_bytes

    bare = re.sub(rb"<[^>]{0,2000}>", b" ", body[:_LOOKED_AT])[:_ENOUGH]
    best = from_bytes(bare).best()
    name = _codec(best.encoding) if best is not None else ""
    if not name:
        return ""
    if _is_western(bare):
        return "cp1252"
    letters = [char for char in bare.decode(name, "replace") if char > "\x7f" and char.isalpha()]
    of_another_script = sum(not unicodedata.name(char, "").startswith("LATIN") for char in letters)
    # Among the encodings of Latin letters, a few of them tell nothing.
    told = of_another_script > len(letters) / 2 or len(letters) >= _TELLING
    return name if told else ""


# Those of German, French, Spanish, Italian, Portuguese, Dutch and the Nordic languages, without two
# that would be common in Hungarian if its own encoding were taken for this one.
_WESTERN = frozenset("äöüßéèêëàâçîïôùœñáíóúìòãåøæ’‘“”„«»–—…°·µ±×§©®\u00a0¿¡ªº²³€")
_SHARE_OF_WESTERN = 0.95
_WORD = re.compile(r"[^\W\d_]{2,}")


def _is_western(body: bytes) -> bool:
    """Whether what is above ASCII in a body reads as Western European in Windows-1252: its signs
    and letters, in words that have letters of ASCII too (Hebrew and Greek would have none).
    """
    text = body.decode("cp1252", "replace").lower()
    high = [char for char in text if char > "\x7f"]
    if not high or sum(char in _WESTERN for char in high) < _SHARE_OF_WESTERN * len(high):
        return False
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    mixed = sum(any(char < "\x80" for char in word) for word in words)
    return mixed >= _SHARE_OF_WESTERN * len(words)
