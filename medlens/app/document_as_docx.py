"""A document (``document_as_html_or_pdf``) as a file for Word and its like, which journals and
committees take.

Headings are the program's own, so that a contents list can be made of them; tables repeat their
heads over pages; charts are pictures with their values as text behind them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from medlens.app.document_as_html_or_pdf import (
    Bullets,
    Chart,
    Document,
    Heading,
    PageBreak,
    Table,
    Text,
    render_charts_as_pdf_and_page_ranges,
    without_invisible_characters,
)
from medlens.app.shape_right_to_left_text import has_right_to_left_signs, is_paragraph_right_to_left

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.text.paragraph import Paragraph
    from PIL.Image import Image

_TEXT_WIDTH_MM = 180
_DOTS_PER_INCH = 200
_SMALL_POINTS = 8
_QUIET_COLOUR = "5B6675"
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_VALUE, _SIZE = f"{_WORD}val", f"{_WORD}sz"
_BEHIND_BIDI = tuple(
    f"}}{name}"
    for name in ("adjustRightInd", "snapToGrid", "spacing", "ind", "jc", "outlineLvl", "rPr")
)
"""Parts of a paragraph's properties that stand behind its direction."""


def render_docx(document: Document) -> bytes:
    """One A4 document. Texts are shown as they are, without invisible characters; what XML cannot
    hold is left out.
    """
    from docx import Document as new_document
    from docx.shared import Mm

    word = new_document()
    section = word.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(15)
    section.top_margin = section.bottom_margin = Mm(15)
    word.styles["Normal"].font.name = "Calibri"
    word.core_properties.title = _clean(document.title)
    word.core_properties.author = "MedLens"
    word.core_properties.comments = ""
    _write_from_right(word.add_heading(_clean(document.title), level=0))
    _add_text(word, Text(document.about, quiet=True))
    pictures = _chart_pictures([block for block in document.blocks if isinstance(block, Chart)])
    for block in document.blocks:
        if isinstance(block, Heading):
            _write_from_right(word.add_heading(_clean(block.text), level=block.level))
        elif isinstance(block, Text):
            _add_text(word, block)
        elif isinstance(block, Bullets):
            for text in block.texts:
                _write_from_right(word.add_paragraph(_clean(text), style="List Bullet"))
        elif isinstance(block, PageBreak):
            word.add_page_break()  # type: ignore[no-untyped-call]
        elif isinstance(block, Table):
            _add_table(word, block)
        else:
            _add_chart(word, block, next(pictures))
    file = io.BytesIO()
    word.save(file)
    return file.getvalue()


def _clean(text: str) -> str:
    """A text that XML can hold: without control characters and halves of characters."""
    return re.sub(r"[\ufffe\uffff]", "", without_invisible_characters(text))


def _add_text(word: WordDocument, text: Text) -> None:
    from docx.shared import Pt, RGBColor

    paragraph = word.add_paragraph()
    run = paragraph.add_run(_clean(text.text))
    if text.quiet:
        run.font.size = Pt(_SMALL_POINTS)
        run.font.color.rgb = RGBColor.from_string(_QUIET_COLOUR)
    _write_from_right(paragraph)


def _write_from_right(paragraph: Paragraph) -> None:
    """A paragraph that begins with Arabic or Hebrew runs from the right; elsewhere such words keep
    their own order.
    """
    from docx.oxml import OxmlElement

    from_right = is_paragraph_right_to_left(paragraph.text)
    if from_right:
        properties = paragraph._p.get_or_add_pPr()
        # The standard gives the parts an order, in which this one comes before the spacing.
        after = [one for one in properties if one.tag.endswith(_BEHIND_BIDI)]
        place = properties.index(after[0]) if after else len(properties)
        properties.insert(place, OxmlElement("w:bidi"))
    for run in paragraph.runs:
        if from_right or has_right_to_left_signs(run.text):
            run.font.rtl = from_right
            run.font.complex_script = True
            if run.font.size:
                # Word takes the size of such letters from a field of their own.
                size = OxmlElement("w:szCs")
                size.set(_VALUE, str(int(run.font.size.pt * 2)))
                properties_of_run = run._r.get_or_add_rPr()
                properties_of_run.find(_SIZE).addnext(size)


def _add_table(word: WordDocument, table: Table) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import Mm, Pt

    parts = table.split_into_tables_side_by_side() if table.beside > 1 else [table]
    heads = [*table.heads] * len(parts)
    shares = [*(table.shares or [1.0] * len(table.heads))] * len(parts)
    depth = max(len(part.rows) for part in parts)
    empty = [""] * len(table.heads)
    rows = [
        [cell for part in parts for cell in (part.rows[at] if at < len(part.rows) else empty)]
        for at in range(depth)
    ]
    headed = any(heads)
    drawn = word.add_table(rows=0, cols=len(heads), style="Table Grid")
    drawn.autofit = False
    widths = [Mm(_TEXT_WIDTH_MM * share / sum(shares)) for share in shares]
    for column, width in zip(drawn.columns, widths, strict=True):
        column.width = width
    for at, texts in enumerate([heads, *rows] if headed else rows):
        row = drawn.add_row()
        is_head = headed and at == 0
        properties = row._tr.get_or_add_trPr()
        if is_head:
            properties.append(OxmlElement("w:tblHeader"))
        unsplit = OxmlElement("w:cantSplit")
        unsplit.set(qn("w:val"), "true")
        properties.append(unsplit)
        for cell, text, width in zip(row.cells, texts, widths, strict=True):
            cell.width = width
            paragraph = cell.paragraphs[0]
            paragraph.paragraph_format.space_after = Pt(0)
            run = paragraph.add_run(_clean(text))
            run.font.size = Pt(_SMALL_POINTS)
            run.bold = is_head
            _write_from_right(paragraph)
    word.add_paragraph()


def _chart_pictures(charts: Sequence[Chart]) -> Iterator[list[Image]]:
    """Each chart as the PDF has it: a picture for each page of it, cut to what is drawn."""
    import pypdfium2  # type: ignore[import-untyped]
    from PIL import ImageOps

    margin = round(_DOTS_PER_INCH / 25.4)
    data, pages_of = render_charts_as_pdf_and_page_ranges(charts)
    with pypdfium2.PdfDocument(data) as pages:
        for numbers in pages_of:
            pictures = []
            for number in numbers:
                picture = pages[number].render(scale=_DOTS_PER_INCH / 72).to_pil().convert("RGB")
                if box := ImageOps.invert(picture.convert("L")).getbbox():
                    left, top, right, bottom = box
                    pictures.append(
                        picture.crop((left - margin, top - margin, right + margin, bottom + margin))
                    )
            yield pictures


def _add_chart(word: WordDocument, chart: Chart, pictures: Sequence[Image]) -> None:
    from docx.shared import Mm

    values = "; ".join(f"{mark.name}: {mark.said}" for mark in chart.marks)
    described = _clean(f"{chart.title}. {values}".replace("\n", " "))
    for picture in pictures:
        file = io.BytesIO()
        # Twice the default effort would save a tenth of the size and take three times as long.
        picture.save(file, "PNG")
        file.seek(0)
        width = picture.width / _DOTS_PER_INCH * 25.4
        shape = word.add_picture(file, width=Mm(min(width, _TEXT_WIDTH_MM)))
        shape._inline.docPr.set("descr", described)
