"""Turns published HTML and damaged text into the text that spans refer to, and maps the offsets.

Markup is ``<strong>``, ``</strong>``, ``<br>`` and character references that end in ``;``, which
the study's pages were written with. Everything else that looks like a tag (``<b>``, ``<60 years``)
is text: a response may mention it.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from functools import lru_cache

from medlens.deferred_regex import compile_later

# This and _RUN begin with a single character set, which the regex engine finds in half the time.
_MARKUP = compile_later(
    r"[<&\r\ud800-\udfff](?:(?<=<)(?:/?strong\s*|br\s*/?)>"
    r"|(?<=&)(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]*);|(?<=\r)\n?|(?<=[\ud800-\udfff]))",
    re.IGNORECASE,
)
_LINE_ENDS = compile_later(r"\r\n?|[\ud800-\udfff]")
_BROWSER = compile_later(r"</?[a-zA-Z][^<>]*>|[\n&<>\xa0\U00010000-\U0010ffff]")
_AS_HTML = {"\n": "\r\n", "&": "&amp;", "<": "&lt;", ">": "&gt;", "\xa0": "&nbsp;"}

# Byte 0x80 to 0xBF as a character, in Latin-1 and in Windows-1252.
_BYTE = {chr(byte): byte for byte in range(0x80, 0xC0)}
_BYTE |= {
    bytes([byte]).decode("cp1252"): byte
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_NEXT = "[" + "".join(map(re.escape, _BYTE)) + "]"
_SEQUENCE = compile_later(f"[\xc2-\xc5\xce\xcf]{_NEXT}|[\xe2\xef]{_NEXT}{_NEXT}|\xf0{_NEXT}{{3}}")
_RUN = compile_later(r"[^\x00-\x7f][^\x00-\x7f]*")
_CONTROL = compile_later("[\x80\x82-\x84\x86-\x8c\x8e\x91-\x9c\x9e\x9f]")
_CLOSING = "\u2018\u2019\u201c\u201d\u2026\u2014"
# What a repaired sequence may become: "Spa\xdf\u201d" would become a letter of another script.
_PLAUSIBLE = compile_later(
    "[\xa0-\u017f\u0391-\u03c9\u2010-\u2044\u2060-\u22ff\u2500-\u27bf\ufb00-\ufb06\ufeff\ufffd"
    "\U0001f000-\U0001faff]"
)


class OffsetMap:
    """Where a position of one text is in a rewritten one: a series of pieces, each old -> new."""

    def __init__(self) -> None:
        self._old = [0]
        self._new = [0]

    def append_rewritten_piece(self, old: int, new: int) -> None:
        """Append a piece of ``old`` units that became ``new``; if of equal length, unit by unit."""
        if old or new:
            self._old.append(self._old[-1] + old)
            self._new.append(self._new[-1] + new)

    def new_position(self, position: int, *, end: bool = False) -> int:
        """The new position; inside a rewritten piece, its beginning, or its end for an ``end``."""
        position = min(max(position, 0), self._old[-1])
        piece = bisect_right(self._old, position) - 1
        inside = position - self._old[piece]
        if not inside or piece + 1 == len(self._old):
            return self._new[piece]
        old = self._old[piece + 1] - self._old[piece]
        new = self._new[piece + 1] - self._new[piece]
        return self._new[piece] + (inside if old == new else new if end else 0)


def tidy_line_ends(text: str) -> str:
    """Line ends as LF, lone surrogates as U+FFFD (what a browser shows for them)."""
    if not ("\r" in text or _unpaired(text)):
        return text
    return _LINE_ENDS.sub(lambda m: "\n" if m.group().startswith("\r") else "\ufffd", text)


def _unpaired(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def plain_text_of_html(text: str) -> str:
    """The text of a piece of the study's HTML."""
    if not ("<" in text or "&" in text or "\r" in text or _unpaired(text)):
        return text
    return _MARKUP.sub(_replaced, text)


def _replaced(match: re.Match[str]) -> str:
    found = match.group()
    if found[0] == "<":
        return "\n" if found[1] in "bB" else ""
    if found[0] == "&":
        return tidy_line_ends(html.unescape(found))
    return "\n" if found[0] == "\r" else "\ufffd"


def inner_html_with_offset_map(text: str) -> tuple[str, OffsetMap]:
    """``text`` as the innerHTML in the study's browsers, and the map of its UTF-16 units to
    positions in ``plain(text)``.

    Line ends count as CRLF; ``& < >`` outside tags and no-break spaces are escaped.
    """
    units = OffsetMap()
    out: list[str] = []

    def run(part: str) -> None:
        last = 0
        for match in _BROWSER.finditer(part):
            found = match.group()
            units.append_rewritten_piece(match.start() - last, match.start() - last)
            shown = _AS_HTML.get(found, found)
            out.extend((part[last : match.start()], shown))
            units.append_rewritten_piece(len(shown) + (found > "\uffff"), len(found))
            last = match.end()
        units.append_rewritten_piece(len(part) - last, len(part) - last)
        out.append(part[last:])

    last = 0
    for match in _MARKUP.finditer(text):
        run(text[last : match.start()])
        found, became = match.group(), _replaced(match)
        if found[0] == "<":
            shown = "<br>" if became else found.lower().replace(" ", "")
            out.append(shown)
            units.append_rewritten_piece(len(shown), len(became))
        elif became != found:
            run(became)
        else:
            run(found)
        last = match.end()
    run(text[last:])
    return "".join(out), units


def repair_encoding(text: str) -> str:
    r"""Undo UTF-8 read as Latin-1 or Windows-1252, sequence by sequence.

    Only sequences that decode to a letter or sign used in such texts are changed, so genuine ``ß``,
    ``é``, ``µ`` or ``Â`` stay. A lone C1 control, which no text contains, becomes the Windows-1252
    character of that byte (``\x92`` is an apostrophe).
    """
    if text.isascii():
        return text
    return _RUN.sub(lambda match: _repaired_run(match.group()), text)


@lru_cache(maxsize=4096)
def _repaired_run(run: str) -> str:
    """``repair_encoding`` of a run of non-ASCII characters; texts use few different runs."""
    for _ in range(3):  # some texts were damaged two or three times
        mended = _SEQUENCE.sub(_sequence, run)
        if mended == run:
            break
        run = mended
    return _CONTROL.sub(_control, run)


def repair_text_with_offset_map(text: str) -> tuple[str, OffsetMap]:
    """``repair(text)`` and the map of positions in ``text`` to positions in it."""
    moved = OffsetMap()
    if text.isascii():
        moved.append_rewritten_piece(len(text), len(text))
        return text, moved
    out: list[str] = []
    last = 0
    # A non-ASCII run is repaired as a whole: text damaged twice is longer than one sequence.
    for match in _RUN.finditer(text):
        run, mended = match.group(), repair_encoding(match.group())
        moved.append_rewritten_piece(match.start() - last, match.start() - last)
        out.extend((text[last : match.start()], mended))
        if _SEQUENCE.sub("", run) == run or mended == run:
            moved.append_rewritten_piece(len(run), len(mended))
        else:
            _add_sequences(moved, run, mended)
        last = match.end()
    moved.append_rewritten_piece(len(text) - last, len(text) - last)
    out.append(text[last:])
    return "".join(out), moved


def _add_sequences(moved: OffsetMap, run: str, mended: str) -> None:
    """Map a run sequence by sequence if it was damaged once, otherwise as one piece."""
    pieces = re.split(f"({_SEQUENCE.pattern})", run)
    became = [repair_encoding(piece) for piece in pieces]
    if "".join(became) == mended:
        for piece, new in zip(pieces, became, strict=True):
            moved.append_rewritten_piece(len(piece), len(new))
    else:
        moved.append_rewritten_piece(len(run), len(mended))


def _sequence(match: re.Match[str]) -> str:
    found = match.group()
    lead, rest = found[0], found[1:]
    if lead in "\xc3\xc4\xc5" and rest[0] in _CLOSING:
        return found
    try:
        made = bytes([ord(lead), *(_BYTE[character] for character in rest)]).decode("utf-8")
    except UnicodeDecodeError:
        return found
    return made if _PLAUSIBLE.match(made) else found


def _control(match: re.Match[str]) -> str:
    return bytes([ord(match.group())]).decode("cp1252")
