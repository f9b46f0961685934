"""How people are told apart: by e-mail address and by name."""

from __future__ import annotations

import re
import string
import unicodedata

LONGEST_NAME = 80
# Persian and some other names are written with joiners, which count as not printable.
_JOINERS = "\u200c\u200d"
_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def normalise_email_for_comparison(text: str) -> str | None:
    """An e-mail address in the form used for comparison: only the case of ASCII letters is
    ignored.

    None if it is not an address, or only looks like another one: with KELVIN SIGN, which both
    Unicode normalisation and ``str.lower`` turn into k, or with a domain that differs from its own
    punycode. A non-ASCII domain becomes its punycode.
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


def remove_invisible_characters_from_name(name: str) -> str:
    """A name without invisible characters: control characters, and those that change the direction
    of the text after them. Empty if nothing is left.
    """
    seen = "".join(
        c if c.isprintable() or c in _JOINERS else " " if unicodedata.category(c) == "Cc" else ""
        for c in " ".join(name.split())
    )
    return " ".join(seen.split()) if seen.strip(f"{_JOINERS} ") else ""


def shorten_name(name: str) -> str:
    """A name cut to the length that pages have room for; letters keep their accents."""
    if len(name) <= LONGEST_NAME:
        return name
    end = LONGEST_NAME - 1
    while end > 1 and (unicodedata.combining(name[end]) or name[end] in _JOINERS):
        end -= 1
    return f"{name[:end].rstrip()}…"
