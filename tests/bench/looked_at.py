"""Tables looked at before a study is made of them: what stands in them, and what identifies a
patient or names a model in any row. Against pandas and calamine reading the same cells.
"""

from __future__ import annotations

import csv
import io
import random
import re
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pandas as pd
import xlsxwriter
from python_calamine import CalamineWorkbook

from medlens.app.file_intake import reader_client
from medlens.config.settings import Settings
from tests.bench.rows import Options, Row

_CSV_BAR, _WORKBOOK_BAR = 3, 4
_WORDS = re.findall(
    r"\w+",
    "patient fever chest pain dose mg daily acute chronic left right kidney renal failure heart"
    " blood pressure sodium potassium therapy oral after before treat with monitor level review"
    " clinic days weeks symptoms cough history of and the in is to a not",
)
_TITLES = ("Frau Müller", "Mr. Smith", "Dr. Weber", "Mrs. Johnson", "Herr Schneider", "Señora Díaz")


def run(options: Options) -> list[Row]:
    """Each file looked at, its reader begun before, in turns with the plain reading of it."""
    drawn = random.Random(options.seed)
    rows = []
    for name, named in (("doses and values", 0.0), ("a name in every second text", 0.5)):
        path = options.folder / f"named-{named}.csv"
        count = options.pick(50_000, 1_500)
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(_rows(drawn, count, texts=9, numbers=10, named=named))
        told = f"{count:,} rows of 20 columns with {name} looked at (csv, {_size(path)})"
        # As texts, since an id must stay what it is: pandas reads numbers more quickly.
        found, plain = _in_turns(path, partial(_rows_with_pandas, path), count)
        rows.append(Row(f"{told}, against pandas", found, "ratio", _CSV_BAR, baseline=plain))
    path, count = options.folder / "large.xlsx", options.pick(40_000, 1_500)
    book = xlsxwriter.Workbook(path, {"constant_memory": True, "strings_to_urls": False})
    sheet = book.add_worksheet("Answers")
    for at, row in enumerate(_rows(drawn, count, texts=9, numbers=6, named=0.0, words=30)):
        sheet.write_row(at, 0, row)
    book.close()
    found, plain = _in_turns(path, partial(_rows_of_workbook, path), count)
    told = f"{count:,} rows of 16 columns looked at (xlsx, {_size(path)}), against calamine"
    rows.append(Row(told, found, "ratio", _WORKBOOK_BAR, baseline=plain))
    path, count = options.folder / "one-hidden-row.ods", options.pick(20_000, 1_500)
    path.write_bytes(_opendocument(_rows(drawn, count, texts=9, numbers=10, named=0.0), count // 2))
    found, plain = _in_turns(path, partial(_rows_of_workbook, path), count)
    told = (
        f"{count:,} rows of 20 columns with a hidden one looked at (ods, {_size(path)}), against"
        " calamine"
    )
    rows.append(Row(told, found, "ratio", _WORKBOOK_BAR, baseline=plain))
    return rows


def _opendocument(rows: Iterator[list[str | float]], hidden: int) -> bytes:
    """A spreadsheet as LibreOffice writes it, in which one row is hidden."""
    oasis = "urn:oasis:names:tc:opendocument:xmlns"
    names = "".join(f' xmlns:{one}="{oasis}:{one}:1.0"' for one in ("office", "table", "text"))
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    made = [f"<office:document-content{names}><office:body><office:spreadsheet>"]
    made.append('<table:table table:name="Answers">')
    for at, row in enumerate(rows):
        hides = ' table:visibility="collapse"' if at == hidden else ""
        made.append(f'<table:table-row table:style-name="ro1"{hides}>')
        for cell in row:
            number = isinstance(cell, float)
            value = f'"float" office:value="{cell}"' if number else '"string"'
            made.append(
                f'<table:table-cell table:style-name="ce1" office:value-type={value}>'
                f"<text:p>{cell}</text:p></table:table-cell>"
            )
        made.append("</table:table-row>")
    made.append("</table:table></office:spreadsheet></office:body></office:document-content>")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", kind, zipfile.ZIP_STORED)
        book.writestr("content.xml", "".join(made))
        book.writestr(
            "META-INF/manifest.xml",
            f'<m:manifest xmlns:m="{oasis}:manifest:1.0"><m:file-entry m:full-path="/"'
            f' m:media-type="{kind}"/></m:manifest>',
        )
    return out.getvalue()


def _rows(
    drawn: random.Random, count: int, *, texts: int, numbers: int, named: float, words: int = 9
) -> Iterator[list[str | float]]:
    """A header, and rows with an id, texts and numbers; the share ``named`` of the texts name
    somebody.
    """
    yield ["id", *(f"text_{n}" for n in range(texts)), *(f"value_{n}" for n in range(numbers))]
    for at in range(count):
        yield [
            f"c{at}",
            *(_text(drawn, words, drawn.random() < named) for _ in range(texts)),
            *(round(drawn.random() * 100, 1) for _ in range(numbers)),
        ]


def _text(drawn: random.Random, words: int, named: bool) -> str:
    said = drawn.choices(_WORDS, k=words)
    said[words // 2] = f"{drawn.randint(1, 500)} mg,"
    if named:
        said[words // 3] = drawn.choice(_TITLES)
    return " ".join(said) + "."


def _rows_with_pandas(path: Path) -> int:
    return len(pd.read_csv(path, dtype=str))


def _rows_of_workbook(path: Path) -> int:
    return len(CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()) - 1


def _rows_looked_at(path: Path) -> int:
    return reader_client.read_file_description_in_reader_process(
        Settings(), path, path.name, identifiers=True
    ).looked_at


def _in_turns(path: Path, plain: Callable[[], int], count: int) -> tuple[list[float], list[float]]:
    """The milliseconds in which a file is looked at, and in which it is read plainly, by turns."""
    ours, theirs = [], []
    for turn in range(6):
        taken, read = _timed(plain)
        seen_in, seen = _timed(lambda: _rows_looked_at(path))
        if read != count or seen != count:
            raise RuntimeError(f"{read} and {seen} of {count} rows were read")
        # The first time, the process that reads begins.
        if turn:
            ours.append(seen_in)
            theirs.append(taken)
    return ours, theirs


def _timed(work: Callable[[], int]) -> tuple[float, int]:
    begun = time.perf_counter()
    rows = work()
    return 1000 * (time.perf_counter() - begun), rows


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.0f} MB"
