"""The table of a web page, as hospital systems and web programs write for Excel (``.xls``): HTML,
or Excel's XML of 2003.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from medlens.errors import BadFile
from medlens.tables.unclosed_html_tag_escape import escape_unclosed_html_tags

LARGEST_PAGE = 16 << 20
"""Bytes of a page that is looked through."""
_BEGINS = re.compile(
    rb"\s*(?:<!--(?>.*?-->)\s*)*+(?:<!doctype html|<html|<head|<meta|<style|<table|<div|<center"
    rb"|<\?xml[^>]*>\s*(?:<\?mso-application[^>]*>\s*)?"
    rb"(?:<!doctype html|<html|<table|<(?:ss:)?workbook))",
    re.IGNORECASE | re.DOTALL,
)
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_IS_NOT_SHOWN = re.compile(r"(?i)\bdisplay\s*:\s*none\b")
_HEAD = 4096
WIDEST, _LONGEST_SPAN = 2_000, 5
"""Columns of a table at most, and digits of how far a cell reaches."""
_MOST_PLACES = 10_000_000
"""Cells of all tables at most, with those that another reaches over: one cell may say that it
reaches over millions. The largest page has no room for so many of its own."""
_LEAST = 2
"""Rows and columns that a table has at least."""


def begins_as_web_page(content: bytes) -> bool:
    """Whether a file begins as HTML or as Excel's XML."""
    return bool(_BEGINS.match(content[:_HEAD].removeprefix(b"\xef\xbb\xbf")))


def declared_encoding(content: bytes) -> str:
    """The encoding that a page says it has; "" if it says none."""
    found = _CHARSET.search(content[:_HEAD])
    return found[1].decode("ascii") if found else ""


@dataclass
class PageTable:
    """A page's largest table: its rows, all of one width, how many tables there are in all, and how
    many cells were filled from the one above that reaches down to them. ``hidden`` counts its rows
    that the page does not show, ``comments`` those on its cells, and ``cut`` the cells that stand
    beyond the widest table that is read; neither of the two is in ``rows``.
    """

    rows: list[list[str]]
    tables: int
    filled: int
    hidden: int = 0
    comments: int = 0
    cut: int = 0


def largest_table(text: str) -> PageTable | None:
    """The table with most cells of a page's text; None if no table has two rows and columns.

    Raises:
        BadFile: its cells reach over too many others.
    """
    reader = _TableReader()
    reader.feed(escape_unclosed_html_tags(text))
    reader.close()
    found: list[PageTable] = []
    room = _MOST_PLACES
    for table in reader.tables:
        if (made := _laid_out(table, room)) is not None:
            room -= sum(map(len, made.rows))
            found.append(made)
    if not found:
        return None
    best = max(found, key=lambda one: sum(1 for row in one.rows for cell in row if cell))
    best.tables = len(found)
    return best


@dataclass
class _Cell:
    pieces: list[str] = field(default_factory=list)
    down: int = 1
    across: int = 1
    column: int = 0
    """From 1; 0 for the next one."""

    @property
    def text(self) -> str:
        lines = [" ".join(line.split()) for line in "".join(self.pieces).split("\n")]
        return "\n".join(lines).strip()


@dataclass
class _Table:
    rows: list[list[_Cell]] = field(default_factory=list)
    hidden: set[int] = field(default_factory=set)
    """The places of rows that are not shown."""
    comments: int = 0


class _TableReader(HTMLParser):
    """Reads tables with their cells; what is in a table within a cell is of that cell."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[_Table] = []
        self._deep = 0
        self._cell: _Cell | None = None
        self._silent = 0
        self._in_comment = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        tag = tag.removeprefix("ss:")
        given = {name.removeprefix("ss:"): said or "" for name, said in attrs}
        if tag in ("style", "script", "styles"):
            self._silent += 1
        elif tag == "table":
            self._deep += 1
            if self._deep == 1:
                self.tables.append(_Table())
                self._cell = None
        elif self._deep == 1 and tag in ("tr", "row"):
            if given.get("hidden", "0") != "0" or _IS_NOT_SHOWN.search(given.get("style", "")):
                self.tables[-1].hidden.add(len(self.tables[-1].rows))
            self.tables[-1].rows.append([])
            self._cell = None
        elif self._cell is not None and tag == "comment":
            # Of Excel's XML, where it stands in its cell.
            self.tables[-1].comments += 1
            self._in_comment = True
        elif self._deep == 1 and tag in ("td", "th", "cell"):
            self._in_comment = False
            if not self.tables[-1].rows:
                self.tables[-1].rows.append([])
            merged = tag == "cell"
            self._cell = _Cell(
                down=_number(given.get("mergedown" if merged else "rowspan"), 1 - merged) + merged,
                across=_number(given.get("mergeacross" if merged else "colspan"), 1 - merged)
                + merged,
                column=_number(given.get("index"), 0) if merged else 0,
            )
            self.tables[-1].rows[-1].append(self._cell)
        elif self._cell is not None and tag in ("br", "p", "li", "div", "tr"):
            self._cell.pieces.append("\n")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in ("br", "p", "li", "div"):
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        tag = tag.removeprefix("ss:")
        if tag in ("style", "script", "styles"):
            self._silent = max(self._silent - 1, 0)
        elif tag == "comment":
            self._in_comment = False
        elif tag == "table":
            self._deep = max(self._deep - 1, 0)
            if not self._deep:
                self._cell = None
        elif self._deep == 1 and tag in ("td", "th", "cell", "tr", "row"):
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._cell is not None and not self._silent and not self._in_comment:
            # A line break in the page's text is a space; one that is meant is a tag.
            self._cell.pieces.append(data.replace("\n", " ").replace("\r", " "))


def _number(said: str | None, otherwise: int) -> int:
    """A small number in an attribute; ``otherwise`` if it is none."""
    is_small = bool(said) and len(said or "") <= _LONGEST_SPAN and (said or "").isdecimal()
    return int(said or 0) if is_small else otherwise


def _laid_out(table: _Table, room: int) -> PageTable | None:
    """The table's cells in their columns; what reaches down is repeated.

    Raises:
        BadFile: there is no ``room`` for so many cells.
    """
    rows: list[list[str]] = []
    filled = cut = width = 0
    reaching: dict[int, tuple[int, str]] = {}
    for cells in table.rows:
        row = {column: words for column, (_, words) in reaching.items()}
        filled += sum(map(bool, row.values()))
        below = {column: (left - 1, words) for column, (left, words) in reaching.items()}
        at = 0
        for place, cell in enumerate(cells):
            at = cell.column - 1 if cell.column else at
            while at in row:
                at += 1
            if at >= WIDEST:
                cut += sum(1 for one in cells[place:] if one.text)
                break
            for column in range(at, min(at + max(cell.across, 1), WIDEST)):
                row[column] = cell.text if column == at else ""
                below[column] = (cell.down - 1, row[column])
            at += max(cell.across, 1)
        reaching = {column: one for column, one in below.items() if one[0] > 0}
        rows.append([row.get(column, "") for column in range(max(row, default=-1) + 1)])
        width = max(width, len(rows[-1]))
        if width * len(rows) > room:
            raise BadFile(
                "The cells of this web page's table span millions of others.",
                hint="Open it in a spreadsheet program and save it as .xlsx or CSV.",
            )
    hidden = sum(1 for at in table.hidden if any(rows[at]))
    rows = [[*row, *[""] * (width - len(row))] for row in rows]
    enough = width >= _LEAST and sum(1 for row in rows if any(row)) >= _LEAST
    return PageTable(rows, 1, filled, hidden, table.comments, cut) if enough else None
