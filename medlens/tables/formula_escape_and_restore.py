"""Makes cells harmless that a spreadsheet would run as a formula, and restores them.

Excel, LibreOffice Calc and Google Sheets read a cell as a formula if it begins with ``=``, ``+``,
``-`` or ``@`` (East Asian versions also with their full-width forms), some of them after skipping
white space or invisible characters (OWASP, "CSV Injection"). An apostrophe in front makes it text.

A cell may also begin inside one of ours. Where the locale separates by semicolons, or a person
chose tabs, a quotation mark inside a line does not hold text together: whatever follows a
semicolon, tab or line break in a text becomes a cell of its own and loses its first quotation
marks. Commas inside a text are harmless, because quotation marks work when commas separate.
"""

from __future__ import annotations

from medlens.deferred_regex import compile_later

_SKIPPED = (
    "\\x00-\\x08\\x0b\\x0c\\x0e-\\x20\\x7f-\\xa0\\xad"
    "\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u3000"
)
_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
_INSIDE = "(?<=[;\t\r\n])"
_RUNS = compile_later(f"\\A(?='*[{_SKIPPED}]*{_SIGN})|{_INSIDE}(?='*[{_SKIPPED}\"]*{_SIGN})")
_MADE = compile_later(f"\\A'(?='*[{_SKIPPED}]*{_SIGN})|{_INSIDE}'(?='*[{_SKIPPED}\"]*{_SIGN})")

APOSTROPHES = "(?:^|[;\t\r\n])'"
"""A pattern that finds every text that ``restore`` may change (and some others)."""


def neutralise_formulas(text: str) -> str:
    """Put an apostrophe wherever a spreadsheet might begin a cell of ``text`` and run it.

    Where apostrophes followed by something that runs are already there, one more is added, so
    ``restore`` can always remove exactly one: ``restore(neutralise(text)) == text`` for every text.
    Text that would not run is left as it is.
    """
    return _RUNS.sub("'", text)


def restore_formulas(text: str) -> str:
    """Undo ``neutralise_formulas``; text that it would not have changed is returned as it is."""
    return _MADE.sub("", text) if "'" in text else text


_BEFORE_CELLS = ',;|\t\r\n"'


def has_cell_after_apostrophe(text: str) -> bool:
    """Whether lines of a CSV file may have a cell that ``restore_formulas`` changes; most have
    none, and a look at all of them is quicker than one at every cell. The cells are separated by
    commas, semicolons, tabs or bars.
    """
    return "'" in text and (
        text.startswith("'") or any(sign + "'" in text for sign in _BEFORE_CELLS)
    )
