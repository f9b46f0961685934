"""Cells that a spreadsheet would run as a formula, made harmless and brought back.

Excel, LibreOffice Calc and Google Sheets read a cell as a formula when it begins with ``=``, ``+``,
``-`` or ``@`` (East Asian versions also with their full-width forms), some of them after skipping
white space or invisible characters; a leading tab or line break can push the rest into a cell of
its own (OWASP, "CSV Injection"). An apostrophe in front makes the cell text.
"""

from __future__ import annotations

import re

_INVISIBLE = "\\x00-\\x20\\x7f-\\xa0\\xad\u200b-\u200f\u2028\u2029\u2060\ufeff\u3000"
_RUNS = re.compile(f"'*(?:[\t\r\n]|[{_INVISIBLE}]*[=+\\-@\uff1d\uff0b\uff0d\uff20])")


def neutralise(text: str) -> str:
    """Put one apostrophe before ``text`` if a spreadsheet might run it, or if it has one already.

    Text that is apostrophes followed by something that runs gets one more, so that ``restore`` can
    always take exactly one away: ``restore(neutralise(text)) == text`` for every text.
    """
    return "'" + text if _RUNS.match(text) else text


def restore(text: str) -> str:
    """Undo ``neutralise``; text that it never changed is returned as it is."""
    return text[1:] if text.startswith("'") and _RUNS.match(text, 1) else text
