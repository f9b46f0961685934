"""Cells that a spreadsheet would run as a formula, made harmless and brought back.

Excel, LibreOffice Calc and Google Sheets read a cell as a formula when it begins with ``=``, ``+``,
``-`` or ``@`` (East Asian versions also with their full-width forms), some of them after skipping
white space or invisible characters (OWASP, "CSV Injection"). An apostrophe in front makes it text.

A cell may also begin inside one of ours. Where a locale separates by semicolons, or a person chose
tabs, a quotation mark in mid-line holds nothing together: what follows a semicolon, a tab or a line
break in a text is then a cell of its own, whose first quotation marks are taken away. Commas within
a text do no harm: under commas the quotation marks hold.
"""

from __future__ import annotations

import re

_SKIPPED = (
    "\\x00-\\x08\\x0b\\x0c\\x0e-\\x20\\x7f-\\xa0\\xad"
    "\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u3000"
)
_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
_INSIDE = "(?<=[;\t\r\n])"
_RUNS = re.compile(f"\\A(?='*[{_SKIPPED}]*{_SIGN})|{_INSIDE}(?='*[{_SKIPPED}\"]*{_SIGN})")
_MADE = re.compile(f"\\A'(?='*[{_SKIPPED}]*{_SIGN})|{_INSIDE}'(?='*[{_SKIPPED}\"]*{_SIGN})")

APOSTROPHES = "(?:^|[;\t\r\n])'"
"""A pattern that finds every text that ``restore`` may change (and some others)."""


def neutralise(text: str) -> str:
    """Put an apostrophe wherever a spreadsheet might begin a cell of ``text`` and run it.

    Where apostrophes and then something that runs stand there already, one more is put before them,
    so that ``restore`` can always take exactly one away: ``restore(neutralise(text)) == text`` for
    every text. What would not run is left as it is.
    """
    return _RUNS.sub("'", text)


def restore(text: str) -> str:
    """Undo ``neutralise``; text that it never changed is returned as it is."""
    return _MADE.sub("", text) if "'" in text else text
