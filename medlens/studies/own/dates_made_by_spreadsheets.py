"""Dates that a spreadsheet program made of names and ranges: "1-2" is 1-Feb, "SEPT2" is 2-Sep."""

from __future__ import annotations

from collections.abc import Sequence, Set

from medlens.deferred_regex import compile_later

_MONTH = (
    r"(?:[Jj]an|[Ff]eb|[Mm][aä]r|[Mm]rz|[Mm]rt|[Aa]pr|[Mm]a[yij]|[Mm]ei|[Jj]u[nl]|[Aa]ug|[Ss]ep|[Oo]kt"
    r"|[Oo]ct|[Nn]ov|[Dd]e[czs]|janv|févr|mars|avr|juin|juil|août|sept|déc|ene|abr|ago|dic|gen|mag"
    r"|giu|lug|ott|fev|sty|lut|kwi|cze|lip|sie|wrz|paź|lis|gru|Şub|Nis|Haz|Ağu|Eyl|янв|фев|мар|апр"
    r"|май|июн|июл|авг|сен|окт|ноя|дек)\.?"
)
"""Months as spreadsheet programs shorten them: not "MAR", which may be a site."""
_A_DATE = compile_later(
    rf"\d{{4}}-\d\d-\d\d|(?:0?[1-9]|[12]\d|3[01])(?:-|\. ?| ){_MONTH}|{_MONTH}-\d\d"
)
"""Dates as a workbook's cells are read, and as a spreadsheet program saves those of two parts."""
_TWO_NUMBERS = compile_later(r"\d{1,3}\s?[-/.–]\s?\d{1,3}")
"""What becomes a date wherever its parts can be a day and a month."""
_SYMBOL = compile_later(r"[A-Z][A-Z0-9]{1,6}[0-9][A-Z0-9]{0,3}")
"""What genes are called, of which SEPT2 and MARCH1 become dates."""
_OF_TIME = compile_later(
    r"(?i)dat(e|en|um|a|i|ao)?(?![^\W_])|fecha|\bdays?\b|\btag\b|when|wann|onset|beginn|birth|geb\b"
    r"|geboren|dob|time|zeit|month|monat|mes\b|mois|mese|maand|дата|日期|日付"
)
"""Headings of what is a date anyway."""


def find_dates_among_names(heading: str, names: Sequence[str]) -> dict[int, str]:
    """Those names of items, by their place from 0, that are dates while others are none, under a
    heading that promises no date; all of them, if they are days of one year that may have been
    numbers in two parts.
    """
    dates = _dates_of(heading, names)
    if len({name for name in names if name}) == 1:
        return {}
    if len(dates) < sum(map(bool, names)):
        return dates
    years = {one[:4] for one in dates.values() if one[:4].isdigit()}
    days = {one.strip() for one in dates.values()}
    return dates if len(years) == 1 and len(days) > 1 and _may_be_numbers(days) else {}


def _may_be_numbers(days: Set[str]) -> bool:
    """Whether days of one year may have been "1-1", "1-2", … before: no day is above 12, so that
    each can be a month too, or most are numbered on from another one. Of days on which something
    was done neither holds.
    """
    pairs = {(int(day[5:7]), int(day[8:10])) for day in days if day[:4].isdigit()}
    if all(day <= _MONTHS for _, day in pairs):
        return True
    numbered = {
        (month, day)
        for month, day in pairs
        if (month, day) == (1, 1) or {(month, day - 1), (month - 1, day)} & pairs
    }
    return len(numbered) >= _MOSTLY * len(pairs)


_MONTHS, _MOSTLY = 12, 0.6


def find_dates_among_values(heading: str, values: Sequence[str]) -> dict[int, str]:
    """Those cells of a column, by their place from 0, that are dates while others are of the kind
    of which a spreadsheet program makes dates: "13-24" or "12.5", or symbols of genes.
    """
    dates = _dates_of(heading, values)
    others = [value for at, value in enumerate(values) if value and at not in dates]
    if not dates or not others:
        return {}
    symbols = len(others) > 1 and all(map(_SYMBOL.fullmatch, others))
    return dates if symbols or any(map(_TWO_NUMBERS.fullmatch, others)) else {}


def _dates_of(heading: str, cells: Sequence[str]) -> dict[int, str]:
    if _OF_TIME.search(heading):
        return {}
    return {at: cell for at, cell in enumerate(cells) if _A_DATE.fullmatch(cell.strip())}
