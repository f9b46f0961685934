"""OpenDocument spreadsheets tell as much as Excel's do."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping

import pytest

from medlens.tables import opendocument_hidden_cells_and_formats, workbook_hidden_cells_and_formats
from medlens.tables.opendocument_hidden_cells_and_formats import read_opendocument_sheet_details
from medlens.tables.workbook_hidden_cells_and_formats import SheetXml
from medlens.tables.workbook_sheet_to_csv_with_notes import write_sheet_as_csv_and_return_notes

_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_NAMESPACES = "".join(f' xmlns:{one}="{_OASIS}:{one}:1.0"' for one in ("office", "table", "text"))
_CALC = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"
_KIND = "application/vnd.oasis.opendocument.spreadsheet"


def cell(said: str = "", more: str = "", inside: str = "") -> str:
    kind = ' office:value-type="string"' if said and "value-type" not in more else ""
    words = f"<text:p>{said}</text:p>" if said else ""
    return f"<table:table-cell{kind} {more}>{inside}{words}</table:table-cell>"


def number(value: str, shown: str, kind: str = "float") -> str:
    return cell(shown, f'office:value-type="{kind}" office:value="{value}"')


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def spreadsheet(*rows: str, columns: str = "", before: str = "", name: str = "S") -> bytes:
    table = f'<table:table table:name="{name}">{columns}{"".join(rows)}</table:table>'
    other = f'<table:table table:name="T">{row(cell("z", MERGED_DOWN), more=HIDDEN)}</table:table>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", _KIND, zipfile.ZIP_STORED)
        book.writestr(
            "content.xml",
            f'<?xml version="1.0" encoding="UTF-8"?>{before}<office:document-content{_NAMESPACES}'
            f' xmlns:calcext="{_CALC}"><office:body><office:spreadsheet>{table}{other}'
            "</office:spreadsheet></office:body></office:document-content>",
        )
        book.writestr(
            "META-INF/manifest.xml",
            f'<m:manifest xmlns:m="{_OASIS}:manifest:1.0"><m:file-entry m:full-path="/"'
            f' m:media-type="{_KIND}"/></m:manifest>',
        )
    return out.getvalue()


MERGED_DOWN = 'table:number-rows-spanned="2" table:number-columns-spanned="1"'
HIDDEN = 'table:visibility="collapse"'
COVERED = "<table:covered-table-cell/>"
HEADER = row(cell("case"), cell("question"), cell("answer"))


def read(data: bytes) -> tuple[list[list[str]], str]:
    out = io.BytesIO()
    done = write_sheet_as_csv_and_return_notes(
        io.BytesIO(data), out, name="b.ods", sheet="S", of_items=True
    )
    return list(csv.reader(io.StringIO(out.getvalue().decode()))), "\n".join(done.notes)


def told_by(data: bytes) -> SheetXml:
    found = read_opendocument_sheet_details(io.BytesIO(data), "S")
    assert found is not None
    return found


def test_merged_cells_are_filled_down() -> None:
    rows, told = read(
        spreadsheet(
            HEADER,
            row(cell("c1", MERGED_DOWN), cell("Why does it hurt?", MERGED_DOWN), cell("One.")),
            row(COVERED, COVERED, cell("Two.")),
            row(cell("c2"), cell("And now?"), cell("Three.")),
        )
    )
    assert rows[1:] == [
        ["c1", "Why does it hurt?", "One."],
        ["c1", "Why does it hurt?", "Two."],
        ["c2", "And now?", "Three."],
    ]
    assert "merged cells are filled down, 2 cells below the first, from row 2 on" in told


@pytest.mark.parametrize("how", ["collapse", "filter"])
def test_hidden_and_filtered_rows_and_hidden_columns_are_told_by_their_place(how: str) -> None:
    line = row(cell("c"), cell("Why?"), cell("So."))
    hidden = row(cell("t"), cell("A test."), cell("No."), more=f'table:visibility="{how}"')
    columns = (
        '<table:table-column/><table:table-column table:visibility="collapse"/>'
        '<table:table-column/><table:table-column table:visibility="collapse"'
        ' table:number-columns-repeated="1000"/>'
    )
    empty = f'{HIDDEN} table:number-rows-repeated="1048000"'
    data = spreadsheet(HEADER, line, hidden, line, row(cell(), more=empty), columns=columns)
    _, told = read(data)
    assert "1 row is hidden in the sheet (row 3), and read like the others" in told
    assert (
        "1 column is hidden in the sheet (column B, “question”), and read like the others" in told
    )
    repeated = hidden.replace(how, f'{how}" table:number-rows-repeated="7')
    assert (
        "7 rows are hidden in the sheet (rows 3, 4, 5, 6, 7 and 2 more)"
        in (read(spreadsheet(HEADER, line, repeated, line))[1])
    )


def test_formulas_without_a_result_errors_and_comments_are_told() -> None:
    formula = 'table:formula="of:=1+1"'
    stored = f'{formula} office:value-type="float" office:value="2"'
    error = 'office:value-type="string" calcext:value-type="error"'
    comment = "<office:annotation><text:p>Is it so?</text:p></office:annotation>"
    rows, told = read(
        spreadsheet(
            HEADER,
            row(cell("c1"), cell("", formula), cell("2", stored)),
            row(cell("c2"), cell("#DIV/0!", error), cell("So.", inside=comment)),
        )
    )
    assert rows[1:] == [["c1", "", "2", ""], ["c2", "", "So.", "answer: Is it so?"]]
    assert "1 formula has no stored result and is empty here (first: B2)" in told
    assert "1 cell has an error and is empty here (first: B3)" in told
    assert "1 cell has a comment (first: C3, Is it so?)" in told


def test_numbers_are_read_as_the_sheet_shows_them() -> None:
    styles = '<number:text xmlns:number="n">P</number:text>'

    rows, _ = read(
        spreadsheet(
            HEADER,
            row(number("7", "007"), number("0.455", "45.5%", "percentage"), number("12", "P012")),
            row(number("8", "008"), number("0.5", "50,0 %", "percentage"), number("1234", "1,234")),
            columns=styles,
        )
    )
    assert rows[1:] == [["007", "45.5%", "P012"], ["008", "50.0 %", "1234"]]
    codes = (number("250", "250.00"), number("38.9", "038,9"), number("7.4321", "7.43"))
    thousands = (number("1234.5", "1,234.50"), number("2345", "2.345"), number("0", "0.0"))
    rows, _ = read(spreadsheet(HEADER, row(*codes), row(*thousands)))
    assert rows[1:] == [["250.00", "038.9", "7.4321"], ["1234.5", "2345", "0.0"]]


def test_what_hostile_xml_repeats_or_declares_is_told_as_not_looked_for() -> None:
    formula = 'table:formula="of:=1" table:number-columns-repeated="16000"'
    bomb = row(cell("", formula), more='table:number-rows-repeated="1000000"')
    for data in (
        spreadsheet(HEADER, bomb),
        spreadsheet(HEADER, bomb.replace("1000000", "9" * 5000)),
        spreadsheet(row(cell("&a;")), before='<!DOCTYPE x [<!ENTITY a "b">]>'),
    ):
        assert told_by(data).unread[0] == "merged cells"
    far = told_by(spreadsheet(*[bomb.replace(formula, "")] * 3, row(cell("x"), more=HIDDEN)))
    assert (far.hidden_rows, far.first_hidden_rows) == (1, [3_000_000])


def test_spaces_that_xml_allows_hide_nothing() -> None:
    hidden, merged = HIDDEN.replace("=", " ="), MERGED_DOWN.replace("=", "\n= ")
    for name in (hidden, merged):
        found = told_by(spreadsheet(HEADER, row(cell("a", name), cell("b"), more=name)))
        assert (found.hidden_rows, len(found.merged)) == ((1, 0) if name == hidden else (0, 1))
    named = row(number("7", "\u00a0007"), cell("q"))
    assert told_by(spreadsheet(HEADER, named, row(cell("h"), more=HIDDEN))).shown.keys() == {(1, 0)}
    default = '<!DOCTYPE x [<!ATTLIST y table:visibility CDATA "collapse">]>'
    assert told_by(spreadsheet(HEADER, before=default)).unread[0] == "merged cells"


def test_other_files_and_plain_sheets_tell_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for other in (b"", b"\xd0\xcf\x11\xe0", b"PK\x03\x04"):
        assert read_opendocument_sheet_details(io.BytesIO(other), "S") is None
    data = spreadsheet(HEADER)
    with monkeypatch.context() as patched:
        patched.setattr(opendocument_hidden_cells_and_formats, "_SIGNS", "nothing like this")
        assert told_by(data) == SheetXml()
    # What another sheet hides is not this one's.
    assert told_by(data) == SheetXml()


_LINE = row(cell("c"), cell("Why?"), number("4", "4"), number("0", "0"), number("0.5", "0,5"))
_MANY_KINDS = (
    *(_LINE, _LINE, row(cell("t"), more=HIDDEN), _LINE, row(cell("a", MERGED_DOWN), COVERED)),
    *(row(COVERED, cell("b")), row(cell("r"), more='table:number-rows-repeated="3"'), _LINE),
    row(number("7", "007"), number("7", "<text:span>0</text:span>07"), number("7", " 07"), cell()),
    *(row(number("12", "P012"), number("12", "&#48;12")), row(number("0.4", "40%", "percentage"))),
    *(row(cell("", 'table:formula="of:=1"')), row(cell("w"), cell("v"), *[cell("u")] * 7), "<x/>"),
    row(cell("", 'calcext:value-type="error"'), cell("", "", "<office:annotation/>")),
    row(cell("z", 'table:number-columns-repeated="9"'), cell(), "<table:table-cell/>"),
    "<table:table-row/>",
    f"<table:table-row-group>{row(cell('g'))}</table:table-row-group>",
    row(
        f'<table:table-cell><table:table table:name="N">{_LINE * 3}</table:table>in'
        "</table:table-cell>"
    ),
    *(row(cell("h"), more=HIDDEN), _LINE),
)
_COLUMNS = (
    "<table:table-column/>",
    '<table:table-column/><table:table-column table:visibility="collapse"'
    ' table:number-columns-repeated="16383"/>',
)


@pytest.mark.first_quick
@pytest.mark.parametrize("columns", _COLUMNS)
@pytest.mark.parametrize(
    "odd", ["", "<!-- " + row(cell("no")) + " -->", "<?x </table:table-row>?>"]
)
@pytest.mark.parametrize("at_once", [1, 300, 2500, 1 << 20])
def test_rows_that_tell_nothing_are_passed_over_and_all_else_is_found(
    monkeypatch: pytest.MonkeyPatch, columns: str, odd: str, at_once: int
) -> None:
    kinds = list(_MANY_KINDS)
    for _ in range(5):
        kinds = [*kinds[3:], *kinds[:3]]
        data = spreadsheet(HEADER, *kinds, odd, *kinds, columns=columns)
        with monkeypatch.context() as patched:
            patched.setattr(
                opendocument_hidden_cells_and_formats, "_rows_that_tell", lambda blocks, _: blocks
            )
            whole = told_by(data)
        assert whole.hidden_rows == 4
        assert len(whole.merged) == 2
        with monkeypatch.context() as patched:
            patched.setattr(opendocument_hidden_cells_and_formats, "_GATHERED", at_once)
            patched.setattr(workbook_hidden_cells_and_formats, "_BLOCK", min(at_once, 1 << 16))
            assert told_by(data) == whole


@pytest.mark.first_quick
@pytest.mark.parametrize("columns", _COLUMNS)
def test_a_sheet_with_one_hidden_row_is_not_gone_through_cell_by_cell(
    monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    seen = 0
    begin = opendocument_hidden_cells_and_formats._SheetReading.begin

    def counted(self: object, name: str, given: Mapping[str, str]) -> None:
        nonlocal seen
        seen += 1
        begin(self, name, given)  # type: ignore[arg-type]

    monkeypatch.setattr(opendocument_hidden_cells_and_formats._SheetReading, "begin", counted)
    hidden = row(cell("t"), more=HIDDEN)
    found = told_by(
        spreadsheet(HEADER, *[_LINE] * 20_000, hidden, *[_LINE] * 20_000, columns=columns)
    )
    assert found.first_hidden_rows == [20_001]
    assert found.hidden_columns == (4 if "visibility" in columns else 0)
    assert seen < 1_000
