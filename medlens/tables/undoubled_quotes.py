"""Lines of CSV in which quotation marks inside a text are not doubled, as programs write them that
join texts by commas themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from medlens.tables.file_kind_and_lines import shorten_value

_MOST_CHARACTERS, _MOST_QUOTES, _MOST_CELLS = 200_000, 200, 300
"""What is longer, or has more quotation marks or cells, is refused as it stands."""
_MOST_NAMED = 3
_INCHES = re.compile(r'\d"')
_RUN_OF_QUOTES = re.compile(r'"+')
_QUOTED_BEGINNING = re.compile(r'"[^"]+"[\s.?!:;)]')
"""How a text begins that quotes something itself: it is not in quotation marks as a whole."""


def split_line_with_undoubled_quotes(line: str, delimiter: str, count: int) -> list[str] | None:
    """The cells of a line that is no well-formed record, or has another number of cells than
    ``count``, if there is one way alone to read it as so many; None if there is none or several.

    A quotation mark that stands before a separator may end its text or belong to it. A text that is
    not in quotation marks holds an even number of them, but for inches.
    """
    text = line.rstrip("\r\n")
    quotes = text.count('"')
    if not 0 < quotes <= _MOST_QUOTES or len(text) > _MOST_CHARACTERS or count > _MOST_CELLS:
        return None
    # Other programs write a backslash before it, which is no part of the text.
    escaped = '\\"' in text
    for loosely in (False, True):
        ways = _ways(text, delimiter, count, loosely)
        if ways:
            cells = ways[0]
            if len(ways) > 1:
                return None
            return [cell.replace('\\"', '"') for cell in cells] if escaped else cells
    return None


def _ways(text: str, delimiter: str, count: int, loosely: bool) -> list[list[str]]:
    """Up to two ways to read a line as ``count`` cells; ``loosely``: a text that begins with a
    quotation mark need not be in quotation marks, and a separator between two of them inside a text
    may belong to it.
    """
    # This separates two texts as well as it may stand in one.
    between = re.compile(rf'"{re.escape(delimiter)}\s*"')
    known: dict[tuple[int, int], list[list[str]]] = {}

    def read(at: int, left: int) -> list[list[str]]:
        """Ways to read the rest as so many cells."""
        if (key := (at, left)) in known:
            return known[key]
        found: list[list[str]] = []
        for cell, end, must_be_even in _cells_from(text, at, delimiter, loosely):
            if (must_be_even and cell.count('"') % 2) or between.search(cell):
                continue
            if end == len(text):
                found += [[cell]] if left == 1 else []
            elif left > 1:
                found += [[cell, *rest] for rest in read(end + 1, left - 1)]
            if len(found) > 1:
                break
        known[key] = found[:2]
        return known[key]

    return read(0, count)


def _cells_from(
    text: str, begin: int, delimiter: str, loosely: bool
) -> Iterator[tuple[str, int, bool]]:
    """What a cell that begins here may be, and where its separator is, or the end; and whether it
    may be this only if its quotation marks are even: outside of such marks, but for inches.
    """
    if text.startswith('"', begin):
        for run in _RUN_OF_QUOTES.finditer(text, begin + 1):
            end = run.end()
            if text[run.start() - 1] == "\\" and run.start() - 1 > begin:
                continue
            if end == len(text) or text[end] == delimiter:
                yield text[begin + 1 : end - 1].replace('""', '"'), end, False
        if not (loosely and _QUOTED_BEGINNING.match(text, begin)):
            return
    end = text.find(delimiter, begin)
    if end >= 0:
        yield text[begin:end], end, not _INCHES.search(text, begin, end)
        if not loosely or text.count('"', begin, end) % 2 == 0:
            return
        # Behind it only an even number of quotation marks is possible, so that what stands before
        # the next mark need not be looked at.
        end = _separator_behind_even_quotes(text, end, delimiter)
        if end >= 0:
            yield text[begin:end], end, True
            return
        yield text[begin:], len(text), True
        return
    yield text[begin:], len(text), not _INCHES.search(text, begin)


def _separator_behind_even_quotes(text: str, odd: int, delimiter: str) -> int:
    """The next separator with an even number of quotation marks before it, if there is an odd one
    before ``odd``; -1 if there is none.
    """
    mark = text.find('"', odd)
    while mark >= 0:
        end = text.find(delimiter, mark)
        following = text.find('"', mark + 1)
        if end < 0 or not 0 <= following < end:
            return end
        mark = text.find('"', following + 1)
    return -1


def undoubled_quotes_in_words(name: str, lines: Sequence[int], text: str) -> str:
    """What is told of the ``lines`` of a file that were read in spite of such quotation marks, of
    which ``text`` is the first.
    """
    first = ", ".join(f"{line:,}" for line in lines[:_MOST_NAMED])
    more = f" and {len(lines) - _MOST_NAMED:,} more" if len(lines) > _MOST_NAMED else ""
    if not more and len(lines) > 1:
        first = " and ".join(first.rsplit(", ", 1))
    what = "line" if len(lines) == 1 else "lines"
    return (
        f"{name}, {what} {first}{more}: quotation marks inside a text should be doubled, and are"
        f" not; it was read as it stands, such as “{shorten_value(text)}”."
    )
