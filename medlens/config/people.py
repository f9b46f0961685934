"""What people are told apart by: their e-mail addresses and their names."""

from __future__ import annotations

import re
import string
import unicodedata

LONGEST_NAME = 80
# Persian and some other names are written with joiners, which count as not printable.
_JOINERS = "\u200c\u200d"
_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def address_of(text: str) -> str | None:
    """An e-mail address as it is compared: two that differ in more than ASCII capitals are two.

    None for what is no address, and for one that only looks like another: KELVIN SIGN, which both
    Unicode's normal form and ``str.lower`` make a k, or a domain that differs from its own
    punycode. A domain beyond ASCII becomes its punycode.
    """
    address = text.strip()
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", address) or not address.isprintable():
        return None
    if any(unicodedata.normalize("NFC", c).isascii() for c in address if not c.isascii()):
        return None
    local, domain = unicodedata.normalize("NFC", address).translate(_SMALL).split("@")
    if not domain.isascii():
        try:
            coded = domain.encode("idna").decode("ascii")
            if coded.encode("ascii").decode("idna") != domain:
                return None
        except UnicodeError:
            return None
        domain = coded
    return f"{local}@{domain}"


def cleaned(name: str) -> str:
    """A name without what cannot be seen: control characters, and those that turn the direction of
    what follows them. Empty where nothing is left."""
    seen = "".join(
        c if c.isprintable() or c in _JOINERS else " " if unicodedata.category(c) == "Cc" else ""
        for c in " ".join(name.split())
    )
    return " ".join(seen.split()) if seen.strip(f"{_JOINERS} ") else ""


def shortened(name: str) -> str:
    """A name that fits where names stand; a letter keeps its accents."""
    if len(name) <= LONGEST_NAME:
        return name
    end = LONGEST_NAME - 1
    while end > 1 and (unicodedata.combining(name[end]) or name[end] in _JOINERS):
        end -= 1
    return f"{name[:end].rstrip()}…"
