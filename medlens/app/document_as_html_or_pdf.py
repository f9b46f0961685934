"""A document of headings, texts, tables and charts, as one HTML file or as a PDF
(``document_as_docx`` has it for Word).

All texts are untrusted and shown as they are; no format runs, links or fetches anything.
"""

from __future__ import annotations

import html
import io
import itertools
import math
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from medlens.app.shape_right_to_left_text import (
    is_paragraph_right_to_left,
    reorder_line_left_to_right,
    replace_letters_by_joined_forms,
)
from medlens.stats.estimate import use_real_minus_sign

if TYPE_CHECKING:
    from fpdf import FPDF

FONTS = Path(__file__).parent / "fonts"
_INK, _QUIET, _ACCENT, _LINE = "#1b2430", "#5b6675", "#0b5a7b", "#d5dbe2"


@dataclass(frozen=True)
class Heading:
    """``level`` 1 is a section, 2 is within one."""

    text: str
    level: int = 1


@dataclass(frozen=True)
class Text:
    """A paragraph; ``quiet`` for explanations."""

    text: str
    quiet: bool = False


@dataclass(frozen=True)
class Bullets:
    """A list of texts, each with a point before it."""

    texts: Sequence[str]


@dataclass(frozen=True)
class Table:
    """Rows of texts with their headers, none if all are empty; ``shares`` are the relative widths
    of the columns. Narrow rows can stand in several columns, so many ``beside`` each other where
    there is room.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    shares: Sequence[float] = ()
    beside: int = 1

    def split_into_tables_side_by_side(self) -> list[Table]:
        """The tables that stand beside each other."""
        deep = max(1, math.ceil(len(self.rows) / self.beside))
        parts = [self.rows[at : at + deep] for at in range(0, len(self.rows) or 1, deep)]
        return [replace(self, rows=part, beside=1) for part in parts]


@dataclass(frozen=True)
class Mark:
    """A row of a chart: a value with its interval, the published number beside it, and small dots
    below it for what single ``raters`` gave, which ``raters_said`` tells in words.
    """

    name: str
    value: float
    low: float
    high: float
    said: str
    published: Sequence[float] = ()
    raters: Sequence[float] = ()
    raters_said: str = ""


_DOT_LEVELS, _DOT_GAP = 3, 0.015
"""On how many levels small dots stand, and how far apart on each, as a share of the axis."""


@dataclass(frozen=True)
class Chart:
    """Intervals on one axis from ``low`` to ``high``; a hollow mark is a published number, a small
    dot a single rater.
    """

    title: str
    marks: Sequence[Mark]
    low: float
    high: float
    percent: bool = False

    def position_on_axis(self, value: float) -> float:
        """The position of a value between the ends of the axis, 0 to 1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    def rater_dot_positions_and_levels(self, mark: Mark) -> list[tuple[float, int]]:
        """The positions of a mark's small dots and their levels, 0 to 2 from the line downwards:
        dots that would cover each other are on different levels.
        """
        last_at = [-math.inf] * _DOT_LEVELS
        dots = []
        for position in sorted(self.position_on_axis(value) for value in mark.raters):
            free = [level for level, at in enumerate(last_at) if position - at >= _DOT_GAP]
            level = free[0] if free else min(range(_DOT_LEVELS), key=lambda one: last_at[one])
            last_at[level] = position
            dots.append((position, level))
        return dots

    def axis_positions_and_labels(self) -> list[tuple[float, str]]:
        """The labels of the axis and their positions."""
        steps = [self.low + (self.high - self.low) * n / 4 for n in range(5)]
        told = [f"{one:.0%}" if self.percent else f"{one:g}" for one in steps]
        return [
            (self.position_on_axis(one), use_real_minus_sign(text))
            for one, text in zip(steps, told, strict=True)
        ]


@dataclass(frozen=True)
class PageBreak:
    """What follows begins on a new page, where there are pages."""


Block = Heading | Text | Bullets | Table | Chart | PageBreak


@dataclass(frozen=True)
class Document:
    """``about`` is printed under the title."""

    title: str
    about: str
    blocks: Sequence[Block] = field(default_factory=tuple)


_LONG = 120
"""Characters of a cell that is too long for a third of a phone's width."""


# -- HTML ------------------------------------------------------------------------------------------

_STYLE = f"""
:root {{ color-scheme: light dark; --ink: {_INK}; --quiet: {_QUIET}; --accent: {_ACCENT};
  --line: {_LINE}; --page: #fff; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #e6eaef; --quiet: #9aa7b5;
  --accent: #5fb3d4; --line: #36414d; --page: #14191f; }} }}
{Path(__file__).with_name("document.css").read_text(encoding="utf-8")}"""


def render_html_bytes(document: Document) -> bytes:
    """One HTML file that loads nothing and runs nothing."""
    body = "\n".join(_html(block) for block in document.blocks)
    title = _escaped(document.title)
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy"'
        " content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body>\n"
        f'<h1>{title}</h1><p class="quiet">{_escaped(document.about)}</p>\n{body}\n</body></html>\n'
    )
    return page.encode("utf-8", "replace")


def _escaped(text: str) -> str:
    return html.escape(without_invisible_characters(text))


def without_invisible_characters(text: str) -> str:
    """A text without invisible characters and those that could reverse its direction."""
    if text.isprintable():
        return text
    kept = (c for c in text if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return "".join(kept)


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level + 1}>{_escaped(block.text)}</h{block.level + 1}>"
    if isinstance(block, Text):
        shape = ' class="quiet"' if block.quiet else ""
        return f"<p{shape}>{_escaped(block.text)}</p>"
    if isinstance(block, Bullets):
        return f"<ul>{''.join(f'<li>{_escaped(one)}</li>' for one in block.texts)}</ul>"
    if isinstance(block, PageBreak):
        return '<div class="page"></div>'
    if isinstance(block, Table) and block.beside > 1:
        tables = "".join(map(_html, block.split_into_tables_side_by_side()))
        return f'<div class="beside">{tables}</div>'
    if isinstance(block, Table):
        given = block.shares or [1.0] * len(block.heads)
        widths = [f' style="width:{100 * share / sum(given):.0f}%"' for share in given]
        heads = "".join(
            f'<th scope="col"{width}>{_escaped(one)}</th>'
            for one, width in zip(block.heads, widths, strict=True)
        )
        headed = f"<thead><tr>{heads}</tr></thead>"
        if not any(block.heads):
            columns = "".join(f"<col{width}>" for width in widths)
            headed = f"<colgroup>{columns}</colgroup>"
        long = max((len(cell) for row in block.rows for cell in row), default=0) > _LONG
        many = len(block.heads) > (2 if long else 3)
        named = [f' data-head="{_escaped(one)}"' if many else "" for one in block.heads]
        rows = "\n".join(
            "<tr>"
            + "".join(
                f"<td{name}>{_escaped(cell)}</td>" for name, cell in zip(named, row, strict=True)
            )
            + "</tr>"
            for row in block.rows
        )
        shape = ' class="many"' if many else ""
        return f"<table{shape}>{headed}<tbody>{rows}</tbody></table>"
    return f"<figure><figcaption>{_escaped(block.title)}</figcaption>{_rows_of(block)}</figure>"


def _rows_of(chart: Chart) -> str:
    """A chart as rows, each with its name, its interval on the axis, and its value."""

    def line(kind: str, low: float, high: float, top: str = "0", bottom: str = "100%") -> str:
        ends = f'x1="{low:.1%}" y1="{top}" x2="{high:.1%}" y2="{bottom}"'
        return f'<line class="{kind}" {ends}/>'

    rules = "".join(line("rule", at, at) for at, _ in chart.axis_positions_and_labels())
    rows = []
    for mark in chart.marks:
        shown = line(
            "line",
            chart.position_on_axis(mark.low),
            chart.position_on_axis(mark.high),
            "50%",
            "50%",
        )
        shown += (
            f'<circle class="dot" cx="{chart.position_on_axis(mark.value):.1%}" cy="50%" r="4"/>'
        )
        for one in mark.published:
            shown += (
                f'<svg x="{chart.position_on_axis(one):.1%}" y="50%">'
                '<path class="paper" d="M0 -6 l5 6 l-5 6 l-5 -6 z">'
                "<title>published</title></path></svg>"
            )
        for at, level in chart.rater_dot_positions_and_levels(mark):
            shown += (
                f'<svg x="{at:.1%}" y="50%">'
                f'<circle class="rater" cx="0" cy="{8 + 4.5 * level:g}" r="2"/></svg>'
            )
        said = "\n".join(filter(None, [mark.said, mark.raters_said]))
        rows.append(
            f'<div class="mark"><span>{_escaped(mark.name)}</span><svg aria-hidden="true">{rules}'
            f'{shown}</svg><span class="quiet">{_escaped(said)}</span></div>'
        )
    labels = "".join(
        f'<text x="{at:.1%}" y="70%">{label}</text>'
        for at, label in chart.axis_positions_and_labels()
    )
    rows.append(f'<div class="mark"><span></span><svg aria-hidden="true">{labels}</svg></div>')
    return "".join(rows)


# -- PDF -------------------------------------------------------------------------------------------

_SIZE, _SMALL, _WIDTH, _LOWEST = 10.0, 8.0, 180.0, 280.0
"""Sizes of letters in points; the width of the text and where a page ends, in mm (A4)."""
_LINES = 6
"""The most lines of a name in a chart."""


def render_charts_as_pdf_and_page_ranges(charts: Sequence[Chart]) -> tuple[bytes, list[range]]:
    """Charts alone, each on A4 pages of its own without numbers, for documents that take pictures:
    one PDF, since to read its fonts takes longer than to draw a chart; and each chart's pages in
    it, from 0.
    """
    pages, as_printed, _ = _empty_pages(numbered=False)
    pages_of = []
    for chart in charts:
        first = pages.page
        pages.add_page()
        _draw_chart(pages, chart, as_printed)
        pages_of.append(range(first, pages.page))
    return bytes(pages.output()), pages_of


def _empty_pages(*, numbered: bool = True) -> tuple[FPDF, Callable[[str], str], set[str]]:
    """A PDF without pages; a function that puts boxes where the font lacks characters; and these
    characters, as that function meets them.
    """
    from fpdf import FPDF
    from fpdf.fonts import TTFFont

    class Pages(FPDF):
        def footer(self) -> None:
            if not numbered:
                return
            self.set_y(-12)
            self.set_font("d", size=_SMALL)
            self.set_text_color(_QUIET)
            self.cell(0, 5, f"{self.page_no()} / {{nb}}", align="C")

    pages = Pages(format="A4")
    pages.set_margins(15, 15)
    # Texts begin where tables and charts do.
    pages.c_margin = 0
    pages.set_auto_page_break(auto=True, margin=297 - _LOWEST)
    pages.add_font("d", fname=FONTS / "DejaVuSansCondensed.ttf")
    pages.add_font("d", "B", FONTS / "DejaVuSansCondensed-Bold.ttf")
    font = pages.fonts["d"]
    assert isinstance(font, TTFFont)
    known = {"\n", *map(chr, font.cmap)}
    lacking: set[str] = set()

    def said(text: str) -> str:
        # A sign that is not seen may part two letters.
        shown = without_invisible_characters(replace_letters_by_joined_forms(text))
        if known.issuperset(shown):
            return shown
        lacking.update(c for c in shown if c not in known)
        return "".join(c if c in known else "□" for c in shown)

    return pages, said, lacking


def render_pdf(document: Document) -> bytes:
    """A4 pages. Characters that the font lacks become boxes, which the last line then mentions."""
    pages, said, lacking = _empty_pages()
    pages.set_title(said(document.title))
    pages.add_page()
    _text(pages, said(document.title), 18, bold=True)
    _text(pages, said(document.about), _SMALL, colour=_QUIET)
    for at, block in enumerate(document.blocks):
        if isinstance(block, Heading):
            after = (
                (n, one)
                for n, one in enumerate(document.blocks[at : at + 5])
                if not isinstance(one, Heading | Text | PageBreak)
            )
            between, next_one = next(after, (2, None))
            # A heading is not left behind by its chart, or by the heading after it.
            least = _least(next_one) if isinstance(next_one, Chart) else 0
            _room(pages, max(24, 12 * between) + least)
            pages.ln(5 if block.level == 1 else 3)
            _text(pages, said(block.text), 14 if block.level == 1 else 11, bold=True)
        elif isinstance(block, Text):
            colour = _QUIET if block.quiet else _INK
            _text(pages, said(block.text), _SMALL if block.quiet else _SIZE, colour=colour)
        elif isinstance(block, Bullets):
            for one in block.texts:
                _text(pages, said(one), _SIZE, bullet=True)
        elif isinstance(block, Table):
            parts = block.split_into_tables_side_by_side() if block.beside > 1 else [block]
            empty = [""] * len(block.heads)
            rows = [
                [said(cell) for row in beside for cell in row]
                for beside in itertools.zip_longest(*(one.rows for one in parts), fillvalue=empty)
            ]
            heads = [said(one) for one in block.heads]
            _draw_table(pages, heads * len(parts), rows, [*block.shares] * len(parts))
        elif isinstance(block, PageBreak):
            pages.add_page()
        else:
            _draw_chart(pages, block, said)
    if lacking:
        note = (
            f"{len(lacking)} signs stand as □ here, since the font lacks them; the HTML has them."
        )
        _text(pages, note, _SMALL, colour=_QUIET)
    out = io.BytesIO()
    pages.output(out)
    return out.getvalue()


def _room(pages: FPDF, needed: float) -> None:
    """Start a new page if fewer than this many mm are left."""
    if pages.get_y() + needed > _LOWEST:
        pages.add_page()


_BULLET_INDENT = 4.0
"""mm from a list's points to its texts."""


def _text(
    pages: FPDF,
    text: str,
    size: float,
    *,
    bold: bool = False,
    colour: str = _INK,
    bullet: bool = False,
) -> None:
    pages.set_font("d", "B" if bold else "", size)
    pages.set_text_color(colour)
    # fpdf's own cell of several lines copies the state of the page for every character.
    for part in text.split("\n"):
        from_the_right = is_paragraph_right_to_left(part)
        hang = _BULLET_INDENT if bullet else 0.0
        for number, line in enumerate(_wrapped(pages, part, _WIDTH - 2 - hang)):
            _room(pages, size * 0.5)
            if bullet and number == 0:
                # Where the text runs from the right, so does the list.
                at = _WIDTH - _wide(pages, "•") if from_the_right else 0.0
                pages.text(pages.l_margin + at, pages.get_y() + size * 0.36, "•")
            indent = _WIDTH - hang - _wide(pages, line) if from_the_right else hang
            pages.text(pages.l_margin + indent, pages.get_y() + size * 0.36, line)
            pages.ln(size * 0.5)
    pages.ln(1.5)


def _draw_table(
    pages: FPDF, heads: Sequence[str], rows: Sequence[Sequence[str]], shares: Sequence[float]
) -> None:
    given = shares or [1.0] * len(heads)
    widths = [_WIDTH * one / sum(given) for one in given]

    def head() -> None:
        pages.set_font("d", "B", _SMALL)
        _row(pages, _lines(pages, heads, widths), widths, bold=True)

    _room(pages, 16)
    if any(heads):
        head()
    for row in rows:
        pages.set_font("d", "", _SMALL)
        cells = _lines(pages, row, widths)
        if pages.get_y() + min(_height(cells), 100) > _LOWEST:
            pages.add_page()
            if any(heads):
                head()
        _row(pages, cells, widths)
    pages.ln(3)


def _row(
    pages: FPDF, cells: Sequence[Sequence[str]], widths: Sequence[float], *, bold: bool = False
) -> None:
    pages.set_font("d", "B" if bold else "", _SMALL)
    pages.set_text_color(_INK)
    deepest = max(map(len, cells))
    pages.set_draw_color(_LINE)
    for n in range(deepest):
        # A cell of many lines goes on over the page.
        if pages.get_y() + 4 > _LOWEST:
            pages.add_page()
            pages.set_font("d", "B" if bold else "", _SMALL)
            pages.set_text_color(_INK)
        x, y = pages.l_margin, pages.get_y()
        for cell, width in zip(cells, widths, strict=True):
            if n < len(cell) and cell[n]:
                pages.text(x, y + 3, cell[n])
            x += width
        pages.set_y(y + 3.6)
    y = pages.get_y() + 0.6
    pages.line(pages.l_margin, y, pages.l_margin + _WIDTH, y)
    pages.set_y(y + 0.8)


def _height(cells: Sequence[Sequence[str]]) -> float:
    return 3.6 * max(map(len, cells)) + 1.4


def _lines(pages: FPDF, row: Sequence[str], widths: Sequence[float]) -> list[list[str]]:
    return [
        [line for part in cell.split("\n") for line in _wrapped(pages, part, width - 2)]
        for cell, width in zip(row, widths, strict=True)
    ]


def _wrapped(pages: FPDF, text: str, width: float) -> Iterator[str]:
    """A text as lines that fit, each in the order in which it is seen; a word that is too long is
    split.
    """
    from_the_right = is_paragraph_right_to_left(text)
    for line in _lines_that_fit(pages, text, width):
        yield reorder_line_left_to_right(line, from_the_right=from_the_right)


def _lines_that_fit(pages: FPDF, text: str, width: float) -> Iterator[str]:
    line, taken, space = "", 0.0, _wide(pages, " ")
    for word in text.split():
        wide = _wide(pages, word)
        if not line or taken + space + wide <= width:
            taken += (space if line else 0) + wide
            line = f"{line} {word}".lstrip()
        else:
            yield line
            line, taken = word, wide
        while taken > width:
            fits = max(1, math.floor(len(line) * width / taken))
            while fits > 1 and _wide(pages, line[:fits]) > width:
                fits -= 1
            yield line[:fits]
            line = line[fits:]
            taken = _wide(pages, line)
    yield line


def _wide(pages: FPDF, text: str) -> float:
    """As its ``get_string_width`` says, without a copy of how the page is drawn for each text."""
    assert pages.current_font is not None
    _, points = pages.current_font.get_text_width(text, pages.font_size_pt, None)
    return points / pages.k


def _least(chart: Chart) -> float:
    """How many mm a chart needs on the page on which it begins."""
    return min(20 + sum(8.8 if mark.raters else 4.8 for mark in chart.marks), 100)


def _draw_chart(pages: FPDF, chart: Chart, said: object) -> None:
    assert callable(said)
    labels, axis = 62.0, 82.0
    left = pages.l_margin + labels
    _room(pages, _least(chart))
    _text(pages, said(chart.title), 9, bold=True)
    begun = pages.get_y()

    def ticks(bottom: float) -> None:
        pages.set_font("d", "", 7)
        pages.set_text_color(_QUIET)
        for at, label in chart.axis_positions_and_labels():
            pages.text(left + axis * at - pages.get_string_width(label) / 2, bottom + 4, label)
        pages.set_y(bottom + 7)

    for mark in chart.marks:
        pages.set_font("d", "", 7.5)
        name = list(_wrapped(pages, said(mark.name), labels - 4))
        if len(name) > _LINES:
            name = [*name[: _LINES - 1], f"{name[_LINES - 1]}…"]
        # Half of the row's height: a name that is long takes several lines.
        half = max(2.4 + 1.5 * (len(name) - 1), 4.4 if mark.raters else 0.0)
        if pages.get_y() + 2 * half + 6.2 > _LOWEST:
            ticks(pages.get_y())
            pages.add_page()
            begun = pages.get_y()
            pages.set_font("d", "", 7.5)
        y = pages.get_y() + half
        pages.set_draw_color(_LINE)
        pages.set_line_width(0.15)
        for at, _ in chart.axis_positions_and_labels():
            pages.line(left + axis * at, begun, left + axis * at, y + half)
        begun = y + half
        pages.set_text_color(_INK)
        for n, line in enumerate(name):
            pages.text(pages.l_margin, y + 1 - 1.5 * (len(name) - 1) + 3 * n, line)
        pages.set_draw_color(_ACCENT)
        pages.set_fill_color(_ACCENT)
        pages.set_line_width(0.5)
        pages.line(
            left + axis * chart.position_on_axis(mark.low),
            y,
            left + axis * chart.position_on_axis(mark.high),
            y,
        )
        pages.circle(left + axis * chart.position_on_axis(mark.value), y, 0.9, style="F")
        pages.set_draw_color(_INK)
        pages.set_fill_color(255)
        pages.set_line_width(0.25)
        for one in mark.published:
            x = left + axis * chart.position_on_axis(one)
            corners = [(x, y - 1.5), (x + 1.2, y), (x, y + 1.5), (x - 1.2, y)]
            pages.polygon(corners, style="DF")
        pages.set_fill_color(_ACCENT)
        for at, level in chart.rater_dot_positions_and_levels(mark):
            pages.circle(left + axis * at, y + 1.8 + level, 0.45, style="F")
        pages.set_text_color(_QUIET)
        for below, words in ((1, mark.said), (4, mark.raters_said)):
            shown = reorder_line_left_to_right(said(words), from_the_right=False)
            pages.text(left + axis + 3, y + below, shown)
        pages.set_y(y + half)
    ticks(pages.get_y())
    pages.set_line_width(0.2)
