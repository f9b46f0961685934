"""Tables with what people keep around them: titles, units, sums, notes, a second table."""

from __future__ import annotations

import csv
import io
import random
import time
from collections.abc import Callable, Sequence

import pytest
import xlsxwriter

from medlens.errors import InvalidInput
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    words_for_totals_by_row_number,
)
from medlens.studies.own.study_proposal import propose_study
from medlens.tables import iterate_rows_of_table_file
from medlens.tables.csv_table_extraction import CsvLayout, write_arranged_csv_and_return_layout
from medlens.tables.table_place_and_header_in_sheet import find_table_in_sheet_rows
from medlens.tables.workbook_hidden_cells_and_formats import (
    parse_decimal_format,
    parse_number_format,
)
from medlens.tables.workbook_sheet_to_csv_with_notes import (
    ReadSheet,
    write_sheet_as_csv_and_return_notes,
)

LONG = "What should be done next for this patient, and what should not be done"
HEADINGS = ["case", "question", "age", "creatinine"]
DATA = [[f"c{at}", f"{LONG}, {at}?", str(30 + at), f"{at}.5"] for at in range(1, 6)]
Rows = list[list[str]]


def as_csv(rows: Sequence[Sequence[str]], delimiter: str = ";") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def arranged(content: bytes, *, header: int = 0) -> tuple[Rows, CsvLayout]:
    """The rows of a CSV file's table without empty ones, and what was decided."""
    target = io.BytesIO()
    layout = write_arranged_csv_and_return_layout(
        io.BytesIO(content), target, name="t.csv", header=header
    )
    assert layout is not None
    text = (target.getvalue() if layout.changed else content).decode()
    delimiter = "," if layout.changed else ";"
    return [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(row)], layout


def padded(*cells: str, width: int = 4) -> list[str]:
    return [*cells, *[""] * (width - len(cells))]


ABOVE: dict[str, Rows] = {
    "nothing": [],
    "a title": [padded("Pilot study")],
    "two lines": [padded("Pilot study"), padded("exported by the clinic"), padded()],
    "a title with a date": [["Pilot study", "", "", "12.03.2024"]],
    "a title with an author and a gap": [["Pilot study", "", "", "Dr. Weber"], padded()],
    "its data in pairs": [padded("Study", "Pilot"), padded("Version", "3"), padded()],
}
UNDER: dict[str, Rows] = {
    "nothing": [],
    "units": [["", "", "Jahre", "mg/dl"]],
    "ranges": [["", "", "(0-120)", "[mg/dl]"]],
    "money and seconds": [["", "", "s", "€"]],
    "a word for units": [["Einheit", "", "years", "µmol/l"]],
}
BELOW: dict[str, Rows] = {
    "nothing": [],
    "a sum": [["Summe", "", "165", "17.5"]],
    "a mean": [["Mittelwert:", "", "33", "3.5"]],
    "a sum without a word": [["", "", "165", "17.5"]],
    "a note": [padded("* p < .05")],
    "a source behind a gap": [padded(), padded("Quelle: eigene Daten")],
    "another table": [padded(), padded("Rater", "Role"), padded("A", "MD"), padded("B", "RN")],
    "a sum and a note": [["Total", "", "165", "17.5"], padded("Source: the clinic")],
}


def kept_of(below: Rows) -> Rows:
    """The rows of sums that a study has a choice about."""
    return [row for row in below if row[0].rstrip(":") in ("Summe", "Mittelwert", "Total")]


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("under", UNDER)
def test_lines_above_the_header_and_units_below_it_are_left_out(above: str, under: str) -> None:
    rows, layout = arranged(as_csv([*ABOVE[above], HEADINGS, *UNDER[under], *DATA]))
    assert rows == [HEADINGS, *DATA]
    assert layout.changed == bool(ABOVE[above] or UNDER[under])
    assert layout.header == 1 + len(ABOVE[above])
    told = " ".join(layout.notes)
    assert ("above the header" in told) == bool(ABOVE[above])
    assert ("holds units" in told) == bool(UNDER[under])


TEXTS = ["No.", "question", "specialty", "answer"]
WITH_TEXTS = [[str(at), f"{LONG}, {at}?", "CARD", f"Rest, and call, {LONG}"] for at in range(1, 5)]


@pytest.mark.parametrize(
    "kinds",
    [
        ["", "free text", "code", "free text"],
        ["Zahl", "Freitext", "Code", "Freitext"],
        ["", "texte libre", "code", "texte libre"],
        ["integer", "string", "category", "string"],
        ["", "as asked", "of the ward", "as it came"],
        ["", "q_text", "spec", "a_text"],
        ["running number", "what was asked", "of the ward", "answer of the model"],
        ["lfd. Nr.", "Frage", "Fach", "Antwort"],
    ],
)
def test_a_row_of_words_for_the_columns_below_the_header_is_told_and_is_no_item(
    kinds: list[str],
) -> None:
    rows, layout = arranged(as_csv([TEXTS, kinds, *WITH_TEXTS]))
    assert rows == [TEXTS, *WITH_TEXTS]
    told = "t.csv: line 2 below the header says what the columns hold and is left out: "
    assert any(note.startswith(told) for note in layout.notes)


CODED = ["SUBJID", "AGE", "HIST", "RECO", "DATE"]
LABELS = ["Subject", "Age", "History", "Recommendation proposed by the system", "Day"]
SUBJECTS = [
    [f"01-00{at}", str(50 + at), f"{LONG} {at}", f"Rest, and call, {LONG}", f"0{at}/03/2024"]
    for at in range(1, 6)
]


@pytest.mark.parametrize("units", [[], [["", "years", "", "", "dd/mm/yyyy"]]])
def test_labels_of_coded_headings_are_no_item_and_neither_are_units_below_them(
    units: list[list[str]],
) -> None:
    rows, layout = arranged(as_csv([CODED, LABELS, *units, *SUBJECTS]))
    assert rows == [CODED, *SUBJECTS]
    told = "t.csv: line 2 below the header says what the columns hold and is left out: Subject"
    assert any(note.startswith(told) for note in layout.notes)
    below = "t.csv: line 3 below the header holds units and is left out: years, dd/mm/yyyy."
    assert (below in layout.notes) == bool(units)


@pytest.mark.parametrize(
    "first",
    [
        ["01-000", "Age", "History", "Recommendation", "Day"],
        ["Subject", "49", "History", "Recommendation", "Day"],
        ["0 A", "old", "Cough", "Tea", "today"],
        ["Subject", "Age", f"{LONG} and more of it, {LONG}", "Rest", "Day"],
    ],
)
def test_a_first_item_that_is_like_the_others_stays_under_coded_headings(first: list[str]) -> None:
    given = [CODED, first, *SUBJECTS]
    assert arranged(as_csv(given))[0] == given


def test_a_third_row_of_the_header_is_told_and_is_no_item() -> None:
    rows, read = sheet_of(
        {"Data": [[], TEXTS, ["", "free text", "code", "free text"], *WITH_TEXTS]},
        merged=[(0, 1, 0, 2, "Case"), (0, 3, 0, 4, "Output")],
    )
    assert rows == [["No.", "Case · question", "Case · specialty", "Output · answer"], *WITH_TEXTS]
    assert any("row 3 below the header says what the columns hold" in said for said in read.notes)


@pytest.mark.parametrize(
    "first",
    [
        ["0", "text", "code", "text"],
        ["", f"{LONG}?", "CARD", "Rest."],
        ["", "none", "CARD", "none"],
        ["", "none", "", ""],
        ["", "none", "", "none"],
        ["0", "Cough?", "lung", "Tea."],
    ],
)
def test_a_first_item_with_short_cells_or_without_a_number_stays(first: list[str]) -> None:
    given = [TEXTS, first, *WITH_TEXTS]
    assert arranged(as_csv(given))[0] == given


def test_a_first_item_with_short_cells_and_a_name_like_the_others_stays() -> None:
    given = [TEXTS, *([f"case {row[0]}", *row[1:]] for row in WITH_TEXTS)]
    given.insert(1, ["case A", "Cough?", "lung", "Tea."])
    assert arranged(as_csv(given))[0] == given


def test_short_words_in_every_row_are_items() -> None:
    given = [["term", "kind"], ["text", "code"], ["date", "number"], ["id", "text"]]
    assert arranged(as_csv(given))[0] == given


@pytest.mark.parametrize("below", BELOW)
def test_notes_tables_and_sums_without_a_word_are_left_out_below_and_others_told(
    below: str,
) -> None:
    rows, layout = arranged(as_csv([HEADINGS, *DATA, *BELOW[below]]))
    assert rows == [HEADINGS, *DATA, *kept_of(BELOW[below])]
    assert bool(layout.notes) == bool(BELOW[below])


def test_subtotals_between_the_rows_and_a_header_that_is_repeated_are_left_out() -> None:
    subtotal = ["Zwischensumme", "", "63", "4"]
    rows, layout = arranged(as_csv([HEADINGS, *DATA[:2], subtotal, padded(), HEADINGS, *DATA[2:]]))
    assert rows == [HEADINGS, *DATA]
    assert any("line 4 looks like sums" in note for note in layout.notes)
    assert any("is repeated in line 6" in note for note in layout.notes)


@pytest.mark.parametrize("name", ["Total cholesterol", "Mean pressure", "Summer cough"])
def test_a_name_that_begins_like_a_sum_is_a_row_of_the_table(name: str) -> None:
    given = [["test", "value"], [name, "210"], ["LDL", "130"], ["HDL", "40"]]
    rows, layout = arranged(as_csv(given))
    assert (rows, layout.notes) == (given, [])


def test_a_last_row_whose_numbers_are_no_sum_stays() -> None:
    given = [HEADINGS, *DATA, ["", "", "40", "2.5"]]
    assert arranged(as_csv(given))[0] == given


def test_a_row_with_empty_cells_stays_wherever_it_is() -> None:
    given = [["case", "question", "answer"], ["1", LONG, ""], ["2", LONG, "x"], ["3", LONG, ""]]
    assert arranged(as_csv(given))[0] == given


def test_of_two_tables_side_by_side_the_larger_one_is_read() -> None:
    legend = [["Code", "Meaning"], ["0", "bad"], ["1", "good"]]
    beside = [[*row, "", *more] for row, more in zip([HEADINGS, *DATA[:2]], legend, strict=True)]
    rows, layout = arranged(as_csv([*beside, *([*row, "", "", ""] for row in DATA[2:])]))
    assert rows == [HEADINGS, *DATA]
    assert "(Code, Meaning, from column 6 on), which is left out" in layout.notes[-1]


def test_an_empty_column_within_a_table_does_not_part_it() -> None:
    given = [[*row[:2], "", *row[2:]] for row in [HEADINGS, *DATA]]
    assert arranged(as_csv(given))[0] == given


def test_a_header_of_two_rows_is_joined() -> None:
    groups = ["", "GPT-4o", "", "Llama", ""]
    names = ["case", "Answer", "Time", "Answer", "Time"]
    rows, layout = arranged(as_csv([groups, names, ["1", LONG, "3", LONG, "4"]]))
    joined = ["GPT-4o · Answer", "GPT-4o · Time", "Llama · Answer", "Llama · Time"]
    assert rows[0] == ["case", *joined]
    assert layout.header == 2
    assert "the header has two rows" in layout.notes[-1]


def test_the_questions_that_old_surveys_write_below_their_header_are_left_out() -> None:
    given = [["V1", "StartDate", "Q1"], ["ResponseID", "StartDate", "What helps?"]]
    data = ["R_1", "2014-01-01 10:00", "Rest"]
    rows, layout = arranged(as_csv([*given, data]))
    assert rows == [given[0], data]
    assert "which the survey's program writes" in layout.notes[-1]


def test_a_person_says_where_the_header_is() -> None:
    rows, layout = arranged(as_csv([["a", "b"], ["x", "y"], ["1", "2"], ["3", "4"]]), header=2)
    assert rows == [["x", "y"], ["1", "2"], ["3", "4"]]
    assert layout.header == 2


def test_a_row_that_stays_keeps_its_line() -> None:
    target = io.BytesIO()
    given = [padded("Title\nof two lines"), HEADINGS, UNDER["units"][0], *DATA]
    write_arranged_csv_and_return_layout(io.BytesIO(as_csv(given)), target, name="t.csv")
    assert [row.line for row in iterate_rows_of_table_file(target.getvalue(), name="t.csv")] == [
        5,
        6,
        7,
        8,
        9,
    ]


def test_of_a_file_that_is_only_looked_at_no_more_records_are_written() -> None:
    target = io.BytesIO()
    content = as_csv([padded("Title"), HEADINGS, *DATA])
    write_arranged_csv_and_return_layout(io.BytesIO(content), target, name="t.csv", most=4)
    assert [row.values["case"] for row in iterate_rows_of_table_file(target.getvalue())] == [
        "c1",
        "c2",
    ]


def test_numbers_that_the_file_has_rounded_are_told() -> None:
    _, layout = arranged(as_csv([["id", "text"], ["4.01E+15", "a"], ["4,02E+15", "b"]]))
    assert not layout.changed
    assert "line 2 has the number 4.01E+15, and 1 more like it" in layout.notes[0]


@pytest.mark.parametrize(
    ("declared", "delimiter"), [("sep=^", "^"), ("sep=;,,", ";"), ('"sep=\t"', "\t")]
)
def test_the_separator_that_a_file_names_is_used(declared: str, delimiter: str) -> None:
    content = f"{declared}\n".encode() + as_csv([["id", "text"], ["1", "a, b"]], delimiter)
    assert [row.values for row in iterate_rows_of_table_file(content)] == [
        {"id": "1", "text": "a, b"}
    ]
    layout = write_arranged_csv_and_return_layout(io.BytesIO(content), io.BytesIO(), name="t.csv")
    assert layout is not None
    assert (layout.changed, layout.header) == (False, 2)


@pytest.mark.parametrize("own", ["item,rater,task\n", "medlens_line,x\n"])
def test_in_files_that_medlens_wrote_nothing_is_left_out(own: str) -> None:
    content = own.encode() + b"a,b,c\nSumme,,3\n"
    assert (
        write_arranged_csv_and_return_layout(io.BytesIO(content), io.BytesIO(), name="t.csv")
        is None
    )


@pytest.mark.parametrize(
    ("code", "number", "shown"),
    [
        ("00000", 7, "00007"),
        ('"P"000', 7, "P007"),
        ('"P"0', 12, "P12"),
        ("000-00", 12345, "123-45"),
        ("000-00", 1234567, "12345-67"),
        ('00000;-00000;""', 7, "00007"),
        ('"Pat-"0000\\/"A"', 12, "Pat-0012/A"),
        ("[Red]000", 4, "004"),
    ],
)
def test_a_number_is_written_as_its_format_shows_it(code: str, number: int, shown: str) -> None:
    shape = parse_number_format(code)
    assert shape is not None
    assert shape.format_number(number) == shown


@pytest.mark.parametrize("code", ["General", "0", "0.00", "#,##0", "yyyy-mm-dd", '0" mg"', "0%"])
def test_formats_of_quantities_and_dates_change_nothing(code: str) -> None:
    assert parse_number_format(code) is None


@pytest.mark.parametrize(
    ("code", "number", "shown"),
    [
        ("0.00", 250.0, "250.00"),
        ("000.0", 38.9, "038.9"),
        ("#,##0.00", 1234.5, "1234.50"),
        ("0.00_ ;[Red]-0.00", -0.5, "-0.50"),
        # What is rounded on the screen keeps its digits.
        ("0.0", 7.4321, "7.4321"),
    ],
)
def test_a_number_is_written_with_the_decimals_that_are_shown(
    code: str, number: float, shown: str
) -> None:
    shape = parse_decimal_format(code)
    assert shape is not None
    assert shape.format_decimal(number) == shown


@pytest.mark.parametrize("code", ["General", "0", "yyyy-mm-dd", '0.0" mg"', "0.0%", "0.0E+00"])
def test_other_formats_have_no_decimals_that_are_only_shown(code: str) -> None:
    assert parse_decimal_format(code) is None


# -- workbooks -------------------------------------------------------------------------------------


def test_codes_of_diseases_keep_the_zeros_that_the_sheet_shows() -> None:
    made, target = io.BytesIO(), io.BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        two, three = (book.add_format({"num_format": code}) for code in ("0.00", "000.0"))
        for at, heading in enumerate(("case", "code", "key", "score")):
            sheet.write(0, at, heading)
        for at in range(1, 4):
            sheet.write(at, 0, f"c{at}")
            sheet.write(at, 1, 250 + at, two)
            sheet.write(at, 2, 30.9 + at, three)
            sheet.write(at, 3, 4)
    made.seek(0)
    write_sheet_as_csv_and_return_notes(made, target, name="b.xlsx", of_items=True)
    rows = list(csv.reader(io.StringIO(target.getvalue().decode())))
    assert rows[1:3] == [["c1", "251.00", "031.9", "4"], ["c2", "252.00", "032.9", "4"]]


def sheet_of(
    sheets: dict[str, Rows],
    *,
    hidden: str = "",
    merged: Sequence[tuple[int, int, int, int, str]] = (),
    sheet: str = "",
    header: int = 0,
    is_model: Callable[[str], bool] | None = None,
) -> tuple[Rows, ReadSheet]:
    made, target = io.BytesIO(), io.BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as book:
        for name, rows in sheets.items():
            into = book.add_worksheet(name)
            for at, row in enumerate(rows):
                for column, cell in enumerate(row):
                    if cell:
                        into.write(at, column, cell)
            for span in merged:
                into.merge_range(*span)
            if name == hidden:
                into.hide()
    made.seek(0)
    read = write_sheet_as_csv_and_return_notes(
        made, target, name="b.xlsx", sheet=sheet, header=header, is_model=is_model
    )
    rows = list(csv.reader(io.StringIO(target.getvalue().decode())))
    return [row for row in rows if any(row)], read


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("Codebook", [["Code", "Meaning", "x"], *[[str(at), "m", "n"] for at in range(9)]]),
        ("Legende", [["Variable", "Wert"], ["a", "b"]]),
        ("Overview", [["Study", "Pilot"], ["Author", "Weber"]]),
    ],
)
def test_a_list_of_codes_or_a_cover_before_the_table_is_passed_over(name: str, first: Rows) -> None:
    rows, read = sheet_of({name: first, "Data": [HEADINGS, *DATA]})
    assert rows == [HEADINGS, *DATA]
    assert read.notes == [f"b.xlsx: the sheet 'Data' was read; '{name}' was not."]
    assert read.sheets == [(name, False), ("Data", False)]


KEY = [["case", "A", "B"], ["c1", "GPT-4", "Claude"], ["c2", "Claude", "GPT-4"]]


@pytest.mark.parametrize("name", ["Key", "Schlüssel", "Unblinding", "Sheet1", "who"])
def test_the_key_that_says_which_model_wrote_what_is_not_the_table(name: str) -> None:
    data = [["case", "question", "A", "B"], ["c1", LONG, LONG, "Rest"], ["c2", LONG, "x", "y"]]
    rows, read = sheet_of({name: KEY, "Cases": data}, is_model=lambda word: word in KEY[1])
    assert rows == data
    assert read.notes == [f"b.xlsx: the sheet 'Cases' was read; '{name}' was not."]


@pytest.mark.parametrize("name", ["Key findings", "Sheet1", "Keyword"])
def test_a_first_sheet_with_texts_beside_models_is_the_table(name: str) -> None:
    data = [["case", "model", "answer"], ["c1", "GPT-4", LONG], ["c2", "Claude", LONG]]
    rows, _ = sheet_of({name: data, "Other": DATA}, is_model=lambda word: word in KEY[1])
    assert rows == data


def test_a_hidden_sheet_is_called_hidden_and_read_only_if_a_person_says_so() -> None:
    sheets = {"Notes": [["a", "b"], ["c", "d"]], "Data": [HEADINGS, *DATA]}
    _, read = sheet_of(sheets, hidden="Data")
    assert read.notes == ["b.xlsx: the sheet 'Notes' was read; 'Data' (hidden) was not."]
    rows, read = sheet_of(sheets, hidden="Data", sheet="Data")
    assert rows == [HEADINGS, *DATA]
    assert read.notes[0] == "b.xlsx: the sheet 'Data' that was read is hidden in the workbook."


def test_a_sheet_or_a_row_that_is_not_there_is_refused_in_words() -> None:
    with pytest.raises(InvalidInput, match="no sheet 'x'"):
        sheet_of({"Data": [HEADINGS, *DATA]}, sheet="x")
    with pytest.raises(InvalidInput, match="nothing in row 40"):
        sheet_of({"Data": [HEADINGS, *DATA]}, header=40)


def test_the_row_that_a_person_points_at_is_the_header() -> None:
    rows, read = sheet_of({"Data": [["x", "y"], ["p", "q"], ["1", "2"]]}, header=2)
    assert rows == [["p", "q"], ["1", "2"]]
    assert read.header == 2
    assert read.top[0] == (1, ["x", "y"])


def test_groups_merged_above_the_names_of_columns_are_joined_with_them() -> None:
    names = ["", "Answer", "Time", "Answer", "Time"]
    rows, _ = sheet_of(
        {"Data": [[], names, ["1", LONG, "3", LONG, "4"], ["2", LONG, "3", LONG, "4"]]},
        merged=[(0, 0, 1, 0, "case"), (0, 1, 0, 2, "GPT-4o"), (0, 3, 0, 4, "Llama")],
    )
    assert rows[0][:3] == ["case", "GPT-4o · Answer", "GPT-4o · Time"]


def test_headings_merged_across_the_rows_are_kept_in_a_column_and_values_across_some_are_told() -> (
    None
):
    rows, read = sheet_of(
        {"Data": [HEADINGS, [], *DATA[:2], ["c9", "", "", "2"], *DATA[2:]]},
        merged=[(1, 0, 1, 3, "Cardiology"), (4, 1, 4, 2, "the same")],
    )
    body = [*DATA[:2], ["c9", "the same", "", "2"], *DATA[2:]]
    assert rows == [[*HEADINGS, "section"], *([*row, "Cardiology"] for row in body)]
    told = " ".join(read.notes)
    assert (
        "row 2 is a heading between the rows (Cardiology), and is in the column 'section' now"
    ) in told
    assert "1 cell is merged across columns (first: B5)" in told


def test_a_last_row_of_sums_is_told_once() -> None:
    sums = ["Summe", "", "", ""]
    rows, read = sheet_of({"Data": [HEADINGS, *DATA, sums]})
    assert rows == [HEADINGS, *DATA, sums]
    [told] = [note for note in read.notes if "Summe" in note]
    assert "Make a study leaves it out unless you keep it" in told


# -- drawn at random -------------------------------------------------------------------------------


def drawn(seed: int) -> tuple[bytes, Rows]:
    """A file with a table and what stands around it, and the table."""
    draw = random.Random(seed)
    models = draw.random() < 0.4
    headings = [*HEADINGS, *(["Answer GPT-4o", "Answer Llama"] if models else [])]
    many = draw.randrange(4, 12)
    data = [
        [f"c{at}", f"{LONG}{draw.choice(['', ' now', ', 1; 2'])} {at}?", str(draw.randrange(9, 99)),
         f"{at}.5", *([f"{LONG} A{at}.", f"{LONG}\nB{at}."] if models else [])]
        for at in range(many)
    ]  # fmt: skip
    width = len(headings)
    sums = [f"{sum(float(row[at]) for row in data):g}" for at in (2, 3)]
    below = draw.choice(list(BELOW))
    ending = [[*row[:2], *sums] if row[3] else row for row in BELOW[below]]
    gap = [padded()] if draw.random() < 0.2 else []
    at = draw.randrange(2, many)
    rows = [
        *ABOVE[draw.choice(list(ABOVE))],
        headings,
        *UNDER[draw.choice(list(UNDER))],
        *data[:at],
        *gap,
        *data[at:],
        *ending,
    ]
    table = [headings, *data, *(padded(*row, width=width) for row in kept_of(ending))]
    return as_csv([padded(*row, width=width) for row in rows], draw.choice(";,\t|")), table


def require_read_as_meant(seeds: range) -> None:
    failed = {}
    for seed in seeds:
        content, table = drawn(seed)
        target = io.BytesIO()
        layout = write_arranged_csv_and_return_layout(io.BytesIO(content), target, name="t.csv")
        assert layout is not None
        rows = [
            row.values
            for row in iterate_rows_of_table_file(target.getvalue() if layout.changed else content)
        ]
        meant = [dict(zip(table[0], row, strict=True)) for row in table[1:]]
        if rows != meant or propose_study(rows, title="T").looked.faults:
            failed[seed] = layout.notes
    assert not failed


@pytest.mark.deep
def test_some_tables_with_what_people_keep_around_them_are_read_and_accepted() -> None:
    require_read_as_meant(range(0, 480, 12))


@pytest.mark.deep
def test_500_tables_with_what_people_keep_around_them_are_read_and_accepted() -> None:
    require_read_as_meant(range(500))


def test_any_grid_is_arranged_without_an_error() -> None:
    draw = random.Random(7)
    cells = ["", "", "a", "Total", "12", "mg/dl", "x" * 50, "Answer", "1.2.2024", "* p"]
    for _ in range(300):
        width = draw.randrange(1, 6)
        rows = [
            [draw.choice(cells) for _ in range(draw.choice([0, width, width]))]
            for _ in range(draw.randrange(0, 9))
        ]
        found = find_table_in_sheet_rows(rows)
        assert len(found.rows) == len(rows)


def test_the_titles_of_parts_with_the_same_headings_are_kept_in_a_column() -> None:
    titled = [padded("GPT-4 results"), HEADINGS, *DATA, padded(), padded("Llama results"), HEADINGS]
    rows, layout = arranged(as_csv([*titled, *DATA]))
    assert rows[0] == [*HEADINGS, "section"]
    assert [row[4] for row in rows[1:]] == ["GPT-4 results"] * 5 + ["Llama results"] * 5
    assert any("in the column 'section': GPT-4 results; Llama results" in o for o in layout.notes)
    records = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    for at, row in enumerate(records):
        row["answer"] = f"{LONG} ({at})."
    arms = propose_study(records, title="Two").declared.arms
    assert arms is not None
    assert set(arms.names) == {"GPT-4 results", "Llama results"}


def test_headings_that_stand_again_without_a_title_make_no_column() -> None:
    rows, _ = arranged(as_csv([padded("A study"), HEADINGS, *DATA, padded(), HEADINGS, *DATA]))
    assert rows[0] == HEADINGS


def alone(words: str, width: int) -> list[str]:
    return [words, *[""] * (width - 1)]


def test_words_alone_above_parts_of_a_table_are_kept_beside_its_rows() -> None:
    names = ["question", "answer"]
    some = [[f"Is neck {at} stiff?", f"{LONG} {at}"] for at in "abcd"]
    parts = [alone("Neurology", 2), *some[:2], alone("Cardiology", 2), *some[2:]]
    rows, layout = arranged(as_csv([names, *parts]))
    assert rows == [
        [*names, "section"],
        *([*row, "Neurology"] for row in some[:2]),
        *([*row, "Cardiology"] for row in some[2:]),
    ]
    told = " ".join(layout.notes)
    assert "line 2, line 5 are headings between the rows (Neurology; Cardiology)" in told
    assert "in the column 'section' now" in told


def test_headings_that_follow_each_other_are_joined() -> None:
    rows, read = sheet_of(
        {"Data": [HEADINGS, alone("", 4), alone("", 4), *DATA, alone("", 4), *DATA[:2]]},
        merged=[(1, 0, 1, 3, "Adults"), (2, 0, 2, 3, "Cardiology"), (8, 0, 8, 3, "Children")],
    )
    assert [row[4] for row in rows[1:]] == ["Adults · Cardiology"] * 5 + ["Children"] * 2
    assert any("row 2, row 3, row 9 are headings" in note for note in read.notes)


def test_headings_between_the_rows_are_known_where_merged_cells_and_a_sum_leave_others_empty() -> (
    None
):
    names = ["case", "question", "model", "answer"]
    two = [["1", LONG, "GPT-4o", f"{LONG} a"], ["", "", "Llama", f"{LONG} b"]]
    more = [["2", f"{LONG}!", "GPT-4o", f"{LONG} c"], ["", "", "Llama", f"{LONG} d"]]
    parts = [alone("Urgent", 4), *two, alone("Usual", 4), *more, ["Summe", "", "", "600"]]
    rows, read = sheet_of(
        {"Data": [names, *parts]},
        merged=[
            (1, 0, 1, 3, "Urgent"),
            (2, 0, 3, 0, "1"),
            (2, 1, 3, 1, LONG),
            (4, 0, 4, 3, "Usual"),
            (5, 0, 6, 0, "2"),
            (5, 1, 6, 1, f"{LONG}!"),
        ],
    )
    assert rows[0] == [*names, "section"]
    assert [row[0] for row in rows[1:5]] == ["1", "1", "2", "2"]
    assert [row[4] for row in rows[1:]] == ["Urgent", "Urgent", "Usual", "Usual", ""]
    assert not any("merged across columns" in note for note in read.notes)


def test_units_in_a_file_of_another_encoding_are_known_and_its_cells_stay_as_they_are() -> None:
    names = ["caso", "Edad", "Creatinina", "Respuesta"]
    rows = [[str(at), str(30 + at), f"{at},5", f"Señora, {LONG} {at}"] for at in range(1, 5)]
    content = as_csv([names, ["", "años", "mg/dL", ""], *rows]).decode().encode("cp1252")
    target = io.BytesIO()
    layout = write_arranged_csv_and_return_layout(io.BytesIO(content), target, name="t.csv")
    assert layout is not None
    assert any("holds units and is left out: años, mg/dL" in note for note in layout.notes)
    # Whoever reads the cells counts those that were not in UTF-8.
    assert target.getvalue().count("Señora".encode("cp1252")) == len(rows)


@pytest.mark.parametrize(
    "units",
    [
        ["unidades", "texto", "años", "mg/dL"],
        ["", "", "ans", "mg/dL"],
        ["Einheit", "Text", "Jahre", "mg/dl"],
        ["unité", "texte", "mois", "µmol/l"],
        ["", "testo", "anni", ""],
        ["", "", "anos", "mg/dL"],
    ],
)
def test_units_below_the_header_are_known_in_several_languages(units: list[str]) -> None:
    rows, layout = arranged(as_csv([HEADINGS, units, *DATA]))
    assert rows == [HEADINGS, *DATA]
    assert any("below the header" in note for note in layout.notes)


@pytest.mark.parametrize(
    "first",
    [
        ["c0", "años", "29", "1.1"],
        ["c0", "Text", "", "mg/dL?"],
        ["c0", "Was this given for days or for weeks?", "29", ""],
        ["ore", "lat", "30", "1.2"],
    ],
)
def test_a_first_row_of_data_is_no_row_of_units(first: list[str]) -> None:
    assert arranged(as_csv([HEADINGS, first, *DATA]))[0] == [HEADINGS, first, *DATA]


def test_a_row_with_an_id_alone_is_no_heading() -> None:
    names = ["case", "answer"]
    some = [[f"c{at}", f"{LONG} {at}"] for at in range(6)]
    rows, _ = arranged(as_csv([names, *some[:3], alone("c9", 2), *some[3:]]))
    assert rows == [names, *some[:3], alone("c9", 2), *some[3:]]


@pytest.mark.parametrize(
    "word",
    ["Gem. lengte", "Avg. length", "Durchschn. Länge", "Ø", "Lunghezza media (parole)", "DS"],
)
def test_a_note_above_a_row_of_means_is_left_out_with_it(word: str) -> None:
    rows = [
        ["Case", "Question", "Model A", "Model B"],
        *([str(at), f"Why {at}?", f"Because of {at}.", f"Of {at}."] for at in range(1, 4)),
        ["Model A = GPT-4o (May 2026), Model B = Gemini.", "", "", ""],
        [word, "", "31", "18"],
    ]
    made = find_table_in_sheet_rows(rows)
    assert [row for row in made.rows[4:] if row] == []
    assert len([row for row in made.rows if row]) == 4
    assert len(made.notes) == 2


def test_a_note_with_a_long_run_of_blanks_keeps_nothing_busy() -> None:
    notes = [[f"Note: {at}{' ' * 30_000}see below", "", "", ""] for at in range(3)]
    begun = time.process_time()
    rows, layout = arranged(as_csv([HEADINGS, *DATA, *notes]))
    assert time.process_time() - begun < 3
    assert rows == [HEADINGS, *DATA]
    assert "hold only notes" in " ".join(layout.notes)


PEOPLE = [["KL", "2", "50"], ["PR", "4", "30"], ["AB", "3", "44"]]


@pytest.mark.parametrize("initials", ["DS", "SD", "M", "IQR", "MW", "Gem"])
@pytest.mark.parametrize("at", [0, 1, 3])
def test_a_row_of_somebody_with_such_initials_is_no_sum(initials: str, at: int) -> None:
    table = [*PEOPLE]
    table.insert(at, [initials, "1", "61"])
    rows, layout = arranged(as_csv([["patient", "score", "age"], *table]))
    assert len(rows) == 5
    said = f"begins with “{initials}” and is read as a row"
    assert any(said in note for note in layout.notes) == (at == 3 and initials not in ("M", "IQR"))


@pytest.mark.parametrize(
    "sums",
    [
        [["SD", "1", "10.3"]],
        [["Mean", "3", "41.3"], ["SD", "9", "9"]],
        [["MW", "3", "41.3"], ["DS", "1.0", "10,26"]],
    ],
)
def test_a_deviation_beside_a_mean_or_of_the_numbers_above_is_a_sum(sums: list[list[str]]) -> None:
    rows, layout = arranged(as_csv([["patient", "score", "age"], *PEOPLE, *sums]))
    assert len(rows) == 4
    assert any("and is left out" in note or "and are left out" in note for note in layout.notes)


def test_a_last_row_that_only_begins_like_a_deviation_is_an_item() -> None:
    names = ("patient", "score", "age")
    rows = [dict(zip(names, row, strict=True)) for row in PEOPLE]
    assert not words_for_totals_by_row_number([*rows, {"patient": "SD", "score": "7", "age": "61"}])
    total = words_for_totals_by_row_number([*rows, {"patient": "SD", "score": "1", "age": "10.3"}])
    assert total == {4: "SD"}


def test_a_note_below_with_the_separator_in_it_is_left_out_as_one_without_is() -> None:
    for notes in (["* 0 = no; 1 = yes"], ["* 0 = no; 1 = yes", "** A: resident; B: GPT-4"]):
        content = as_csv([HEADINGS, *DATA]) + "\n".join(notes).encode()
        rows, layout = arranged(content)
        assert rows == [HEADINGS, *DATA]
        assert "left out: * 0 = no" in " ".join(layout.notes)
    # A row that was cut off is refused, not left out.
    rows, _ = arranged(as_csv([HEADINGS, *DATA]) + b"c6;What next?")
    assert len(rows) == 7
