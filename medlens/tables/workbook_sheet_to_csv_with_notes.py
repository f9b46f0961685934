"""Reads a spreadsheet: its first sheet with a table, as the CSV that a person would save."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, BinaryIO

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetVisibleEnum,
)

from medlens.errors import BadFile, InvalidInput
from medlens.tables.check_rows_and_list_refused import pause_garbage_collector
from medlens.tables.checkbox_columns import find_rows_with_checkboxes_joined_and_note
from medlens.tables.criteria_rows_or_columns_to_one_cell import (
    find_rows_with_criteria_folded_and_note,
)
from medlens.tables.csv_line_writer import format_csv_line
from medlens.tables.file_kind_and_lines import has_workbook_signature, shorten_value
from medlens.tables.opendocument_hidden_cells_and_formats import read_opendocument_sheet_details
from medlens.tables.reshape_cases_and_models import (
    are_headings_a_numbered_series,
    find_rows_arranged_one_per_case_and_note,
)
from medlens.tables.strip_promptfoo_verdicts import find_rows_without_promptfoo_verdicts_and_note
from medlens.tables.table_place_and_header_in_sheet import (
    MOST_ABOVE,
    Span,
    column_letters,
    find_table_in_sheet_rows,
)
from medlens.tables.turns_to_dialogues import find_rows_with_turns_gathered_and_note
from medlens.tables.workbook_hidden_cells_and_formats import (
    NumberFormat,
    PercentFormat,
    SheetXml,
    read_sheet_details_beside_cells,
)

_NONE = ("", None)
_EXACT = 1e15
"""The least whole number with more digits than a spreadsheet keeps."""
_LONGEST_WHOLE = 1e21
_CODES = re.compile(
    r"code|codes|kodier|legend|legende|leyenda|légende|read ?me|cover|deckblatt|portada|lookup|"
    r"dictionary|variabl|glossar|abkürzung|abbreviation|anleitung|instruc|changelog|\binfo|lists?$|"
    r"listen|^titel|title|^((answer|model|blinding|unblinding|code|random\w*)[ _-]?)?key$"
    r"|schl[üu]e?ssel|^clave|^clef?s?$|unblind|entblind|zuordnung|allocation|mapping",
    re.IGNORECASE,
)
"""Names of sheets that explain the table rather than hold it."""
_NO_WRITER = re.compile(
    r"(?i)^(sheet|tabelle|feuil|hoja|foglio|planilha|blad|ark|arkusz|list|лист|シート|工作表) ?\d*$"
    r"|example|beispiel|exempl|ejempl|esempi|voorbeeld|templat|vorlage|plantilla|mod[eè]le|sjabloon"
    r"|copy|kopie|copie|copia|backup|sicherung|draft|entwurf|(?<![^\W_])(old|alt|test|demo)(?![^\W_])"
    r"|training|schulung|pilot|referen[cztk]|gold|truth|muster|l[öo]sung|soluti|soluci|expected"
    r"|correct|richtig|guideline|leitlinie|round|runde|ronde|batch|week|woche|month|monat|^v?\d+$"
    r"|rating|bewert|score|comment|kommentar"
)
"""Names of sheets beside those of models that do not say who wrote what is in them."""
_LEAST_SHARED = 0.5
"""The share of the shorter sheet's cases that must be in the other one."""
_LOOKED_AT = 50
"""Rows by which a sheet is known as a key."""
_Merge = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last of merged cells, each a row and a column from 0."""
_PAIR, _SHORT, _MOST_NAMED = 2, 3, 6


def is_workbook(source: BinaryIO) -> bool:
    """Whether a file is an Excel or OpenDocument workbook; its position does not change."""
    at = source.tell()
    source.seek(0)
    try:
        return has_workbook_signature(source)
    finally:
        source.seek(at)


@dataclass(frozen=True)
class ReadSheet:
    """What was read of a workbook, and what a person should know of it.

    Attributes:
        notes: what was decided, in sentences.
        sheets: the names of the sheets that hold anything, and whether each is hidden.
        sheet: the one that was read.
        header: its row of headings, from 1 as the spreadsheet counts.
        top: its first rows that hold anything, with their numbers.
    """

    notes: list[str]
    sheets: list[tuple[str, bool]]
    sheet: str
    header: int
    top: list[tuple[int, list[str]]]


@pause_garbage_collector()
def write_sheet_as_csv_and_return_notes(
    source: BinaryIO,
    target: BinaryIO,
    *,
    name: str,
    sheet: str = "",
    header: int = 0,
    of_items: bool = False,
    is_model: Callable[[str], bool] | None = None,
) -> ReadSheet:
    """Write a sheet's table as CSV in UTF-8: of ``sheet``, or of the first one that has a table and
    is no list of codes. Its headings are in the row ``header`` (from 1, as the spreadsheet counts),
    or where they seem to be. In a table ``of_items`` the criteria of an item become one
    cell, and so do its checkboxes. Sheets that are called by models and have the same headings
    become one table, with the model in a column; ``is_model`` says whether a name is one's.

    A row of the sheet becomes a row of the CSV, an empty one a blank line; empty rows at both ends
    and empty columns on the right are left out, and so are titles, units, sums, notes and a second
    table (``find_table_in_sheet_rows``), which is told. Dates are written as in ISO 8601, and a
    formula as its last result. A whole number of more than 15 digits is written with all of them,
    and told: a spreadsheet may have rounded it. Numbers that are shown with zeros or letters around
    them keep these. Told as well: which of several sheets was read; cells merged over several rows,
    whose value each of these rows gets; cells merged over several columns; hidden rows and columns,
    which are read like the others; formulas without a stored value and cells with an error, which
    are empty.

    Raises:
        BadFile: it cannot be read, has a password, or is empty.
        InvalidInput: there is no such sheet or row.
    """
    try:
        book = CalamineWorkbook.from_filelike(source)
        hidden = {
            one.name for one in book.sheets_metadata if one.visible != SheetVisibleEnum.Visible
        }
        sheets = [one for one in map(book.get_sheet_by_name, book.sheet_names) if one.height]
        if sheet and sheet not in {one.name for one in sheets}:
            raise InvalidInput(
                f"{name} has no sheet {sheet!r}, or it is empty.",
                hint=f"There are: {', '.join(one.name for one in sheets)}.",
            )
        chosen = next((one for one in sheets if one.name == sheet), None) or _main(
            sheets, hidden, is_model
        )
        rows: list[list[Any]] = chosen.to_python(skip_empty_area=True) if chosen else []
    except PasswordError as error:
        raise BadFile(
            f"{name} is protected by a password.", hint="Save it without one, and import that."
        ) from error
    except (CalamineError, OSError, ValueError) as error:
        raise BadFile(
            f"{name} cannot be read as a workbook: {_why(error)}.",
            hint="Open it, save the sheet as CSV (UTF-8), and import that.",
        ) from error
    if not rows or chosen is None:
        raise BadFile(f"{name} is empty.", hint="Is the table in another file?")
    xml = _xml_of(source, chosen.name)
    merges = chosen.merged_cell_ranges or (xml.merged if xml else [])
    of_models: list[CalamineSheet] = []
    can_join = of_items and is_model is not None and not sheet and not header
    if can_join and is_model is not None and not merges:
        of_models = _sheets_of_models(chosen, sheets, hidden, is_model, source)
    if of_models:
        if of_models[0] is not chosen:
            chosen = of_models[0]
            xml = _xml_of(source, chosen.name)
        rows, notes = _one_table(of_models, source, name)
        notes += _told_of_sheets(of_models, sheets, hidden, name)
    else:
        notes = _told_of_sheets([chosen], sheets, hidden, name)
        if can_join and is_model is not None:
            notes += _told_of_models_not_joined(chosen, sheets, hidden, is_model, name)
    top, left = chosen.start or (0, 0)
    if header and not top < header <= top + len(rows):
        raise InvalidInput(f"The sheet {chosen.name!r} has nothing in row {header}.")
    spans = _spans(merges, (top, left))
    if xml is not None:
        _write_as_shown(rows, xml, (top, left), as_read=of_items)
        _empty_errors(rows, xml, (top, left))
    first_rows = [
        (top + at + 1, [_text(cell) for cell in row[:50]])
        for at, row in enumerate(rows[:MOST_ABOVE])
        if _filled(row)
    ]
    rounded = _rounded(rows, name)
    texts = list(_trimmed(rows))
    if xml is not None and not of_models:
        notes += _leave_out_totals(texts, xml, top, name)
    arranged = find_table_in_sheet_rows(
        texts,
        place=lambda at: f"row {top + at + 1}",
        column=lambda at: column_letters(left + at),
        merged=spans,
        header=header - 1 - top if header else None,
    )
    table_at = arranged.header
    notes += _fill_merged(arranged.rows, texts, merges, (top, left), table_at, name)
    notes += _told_of_merged(arranged.rows, spans, table_at, (top, left), name)
    if xml is not None:
        notes += _told_of(xml, (top + table_at, left), name, texts[table_at])
    cases = (
        find_rows_arranged_one_per_case_and_note(arranged.rows, table_at, is_model)
        if of_items
        else None
    )
    if cases:
        arranged.rows, said = cases
        arranged.notes.append(said)
    if of_items and (
        bare := find_rows_without_promptfoo_verdicts_and_note(arranged.rows, table_at)
    ):
        arranged.rows, said = bare
        arranged.notes.append(said)
    if of_items and (joined := find_rows_with_checkboxes_joined_and_note(arranged.rows, table_at)):
        arranged.rows, said = joined
        arranged.notes.append(said)
    if of_items and (
        folded := find_rows_with_turns_gathered_and_note(arranged.rows, table_at)
        or find_rows_with_criteria_folded_and_note(arranged.rows, table_at)
    ):
        arranged.rows, said = folded
        arranged.notes.append(said)
    if xml is not None and xml.comments:
        comments = {(at - top, column - left): s for (at, column), s in xml.comments.items()}
        first = _reference(min(xml.comments))
        arranged.notes += _keep_comments(
            arranged.rows,
            comments,
            table_at,
            texts[table_at] if of_items and not cases else None,
            first,
        )
    notes += [f"{name}: {note}" for note in arranged.notes]
    notes += rounded
    text = io.TextIOWrapper(target, encoding="utf-8", errors="surrogatepass", newline="")
    # Blank lines in their place: a refused row is named by its place in the sheet.
    text.writelines(map(format_csv_line, arranged.rows))
    text.flush()
    text.detach()
    return ReadSheet(
        notes,
        [(one.name, one.name in hidden) for one in sheets],
        chosen.name,
        top + table_at + 1,
        first_rows,
    )


def _xml_of(source: BinaryIO, sheet: str) -> SheetXml | None:
    return read_sheet_details_beside_cells(source, sheet) or read_opendocument_sheet_details(
        source, sheet
    )


def _headings(sheet: CalamineSheet) -> list[str]:
    """What stands in a sheet's first row that holds anything; empty if a heading is missing or
    there twice.
    """
    first = sheet.to_python(skip_empty_area=True, nrows=1)
    found = [_text(cell).strip() for cell in first[0]] if first else []
    while found and not found[-1]:
        found.pop()
    return found if all(found) and len(set(map(_plain, found))) == len(found) else []


def _plain(words: str) -> str:
    return " ".join(words.split()).casefold()


def _sheets_of_models(
    chosen: CalamineSheet,
    sheets: Sequence[CalamineSheet],
    hidden: Collection[str],
    is_model: Callable[[str], bool],
    source: BinaryIO,
) -> list[CalamineSheet]:
    """The sheets with the headings of the chosen one that each hold a model's answers, in their
    order: those called by models that are known and, beside one, those of any other name that
    answer the same cases. Empty if there are fewer than two.
    """
    headings = set(map(_plain, _headings(chosen)))
    alike = [
        one
        for one in sheets
        if headings and one.name not in hidden and set(map(_plain, _headings(one))) == headings
    ]
    known = [one for one in alike if is_model(one.name)]
    if not known or len(alike) < 2:
        return []
    others = [one for one in alike if one not in known and not _NO_WRITER.search(one.name)]
    if others:
        of_known = _texts_by_heading(known[0])
        others = [one for one in others if _answers_same_cases(_texts_by_heading(one), of_known)]
    found = [
        one
        for one in alike
        if (one in known or one in others) and not _has_merged_cells(one, source)
    ]
    return found if len(found) > 1 else []


def _has_merged_cells(sheet: CalamineSheet, source: BinaryIO) -> bool:
    xml = None if sheet.merged_cell_ranges else read_opendocument_sheet_details(source, sheet.name)
    return bool(sheet.merged_cell_ranges or (xml and xml.merged))


def _texts_by_heading(sheet: CalamineSheet) -> dict[str, list[str]]:
    """What stands below each heading of a sheet, to be compared with another sheet's."""
    rows = sheet.to_python(skip_empty_area=True)[1:]
    return {
        _plain(name): [_plain(_text(row[at])) for row in rows if at < len(row)]
        for at, name in enumerate(_headings(sheet))
    }


_ASKS = re.compile(
    r"\b(questions?|fragen?|patientenfragen?|prompts?|quer(?:y|ies)|preguntas?|perguntas?|domand[ae]"
    r"|vra(?:ag|gen)|vignettes?|scenario|soru|вопрос)\b|质问|問題|问题|質問|질문"
)
"""Headings, in lower case, of what was asked."""


def _answers_same_cases(
    own: Mapping[str, Sequence[str]], of_known: Mapping[str, Sequence[str]]
) -> bool:
    """Whether a sheet has other answers to the cases of a known model's sheet, by a column that
    tells the cases of each apart and has most of them in both.
    """
    shared, other = False, False
    asked = [name for name in own if _ASKS.search(name)]
    if asked and all(not {*own[name], ""} & {*of_known[name]} - {""} for name in asked):
        # Cases that are numbered from 1 in each sheet are not the same ones.
        return False
    for name, cells in own.items():
        held, there = set(cells) - {""}, set(of_known[name]) - {""}
        least = min(len(held), len(there))
        apart = len(held) == len([cell for cell in cells if cell])
        shared |= bool(apart and least and len(held & there) >= _LEAST_SHARED * least)
        other |= bool(held and held != there)
    return shared and other


def _one_table(
    sheets: Sequence[CalamineSheet], source: BinaryIO, name: str
) -> tuple[list[list[Any]], list[str]]:
    """The rows of sheets with the same headings, one below the other, with the sheet's name; and
    what to tell of it. The first sheet's rows keep their places.
    """
    headings = _headings(sheets[0])
    heading = "model"
    while heading in set(map(_plain, headings)):
        heading += " of the sheet"
    listed = ", ".join(repr(one.name) for one in sheets)
    notes = [
        f"{name}: the sheets {listed} have the same headings, and are one table now, with the"
        f" sheet's name as the model in the column {heading!r}."
    ]
    made: list[list[Any]] = [[*headings, heading]]
    for one in sheets:
        begin = one.start or (0, 0)
        rows = one.to_python(skip_empty_area=True)
        own = [_plain(cell) for cell in _headings(one)]
        if one is not sheets[0] and (xml := _xml_of(source, one.name)):
            _write_as_shown(rows, xml, begin, as_read=True)
            _empty_errors(rows, xml, begin)
            notes += _told_of(xml, begin, f"{name}, sheet {one.name!r}", headings)
        order = [own.index(_plain(cell)) for cell in headings]
        for row in rows[1:]:
            if _filled(row):
                cells = [row[at] if at < len(row) else "" for at in order]
                made.append([*cells, one.name, *row[len(own) :]])
            elif one is sheets[0]:
                made.append([])
    return made, notes


def _told_of_models_not_joined(
    chosen: CalamineSheet,
    sheets: Sequence[CalamineSheet],
    hidden: Collection[str],
    is_model: Callable[[str], bool],
    name: str,
) -> Iterator[str]:
    """How sheets that are called by models would be compared, where one alone was read."""
    others = [one.name for one in sheets if one is not chosen and one.name not in hidden]
    if is_model(chosen.name) and any(map(is_model, others)):
        yield (
            f"{name}: to compare the models that the sheets are named after, give each of these"
            " sheets the same headings in its first row, and no merged cells."
        )


def _main(
    sheets: Sequence[CalamineSheet],
    hidden: Collection[str],
    is_model: Callable[[str], bool] | None,
) -> CalamineSheet | None:
    """The sheet with the table: the first one that has one, is not hidden, and is neither a list of
    codes, a cover, nor the key that says which model wrote what.
    """
    tables = [one for one in sheets if _has_table(one) and one.name not in hidden]
    tables = tables or [one for one in sheets if one.name not in hidden]
    if not tables:
        return sheets[0] if sheets else None
    named = [one for one in tables if not _CODES.search(one.name)]
    if is_model is not None and len(named) > 1:
        named = [one for one in named if not _is_key(one, is_model)] or named
    wide = [one for one in named if one.width > _PAIR]
    first = (named or tables)[0]
    # Two columns may be a table; beside a wider one with as many rows they are a cover or a key.
    if first.width <= _PAIR and wide and wide[0].height >= min(first.height, _SHORT):
        return wide[0]
    return first


def _is_key(sheet: CalamineSheet, is_model: Callable[[str], bool]) -> bool:
    """Whether a sheet only says which model wrote what: names of models beside the items' names."""
    rows = sheet.to_python(skip_empty_area=True, nrows=_LOOKED_AT)
    cells = [_text(cell).strip() for row in rows[1:] for cell in row[1:]]
    return any(cells) and all(is_model(cell) for cell in cells if cell)


def _told_of_sheets(
    read: Sequence[CalamineSheet],
    sheets: Sequence[CalamineSheet],
    hidden: Collection[str],
    name: str,
) -> list[str]:
    """Notes on the sheets that were not read, and on one that was although it is hidden."""
    notes = []
    chosen = read[0]
    if chosen.name in hidden:
        notes.append(f"{name}: the sheet {chosen.name!r} that was read is hidden in the workbook.")
    others = [
        f"{one.name!r}{' (hidden)' * (one.name in hidden)}" for one in sheets if one not in read
    ]
    if others:
        more = len(others) - _MOST_NAMED
        listed = ", ".join(others[:_MOST_NAMED]) + f" and {more:,} more" * (more > 0)
        verb = "was" if len(others) == 1 else "were"
        were_read = f"the sheet {chosen.name!r} was" if len(read) == 1 else "these sheets were"
        notes.append(f"{name}: {were_read} read; {listed} {verb} not.")
        own = set(map(_plain, _headings(chosen)))
        alike = [
            one.name
            for one in sheets
            if len(read) == 1
            and one not in read
            and one.name not in hidden
            and len(own) > 1
            and set(map(_plain, _headings(one))) == own
        ]
        if alike:
            listed = ", ".join(map(repr, alike[:_MOST_NAMED]))
            listed += f" and {len(alike) - _MOST_NAMED:,} more" * (len(alike) > _MOST_NAMED)
            has, its, it = ("has", "its", "it") if len(alike) == 1 else ("have", "their", "them")
            notes.append(
                f"{name}: {listed} {has} the same headings, so that {its} rows may be items too."
                f" To have them all, put the rows into one sheet; or choose {it} next (--sheet on"
                " the command line) and add the items to the same study."
            )
        if are_headings_a_numbered_series([one.name for one in sheets if one.name not in hidden]):
            notes.append(
                f"{name}: each sheet seems to be a case. Put them into one sheet, with a row for"
                " each case and a column for each part of it."
            )
    return notes


def _spans(merges: Sequence[_Merge], place: tuple[int, int]) -> list[Span]:
    """The cells that are merged across columns, in rows and columns of what is read, which begins
    at a ``place`` of the sheet.
    """
    top, left = place
    return [
        (row - top, begin[1] - left, end[1] - left)
        for begin, end in merges
        if end[1] > begin[1]
        for row in (begin[0],)
    ]


def _told_of_merged(
    rows: Sequence[Sequence[str]],
    spans: Sequence[Span],
    header: int,
    begin: tuple[int, int],
    name: str,
) -> list[str]:
    """A note on cells of the table that are merged across columns."""
    across = [(at, first) for at, first, _ in spans if at > header and at < len(rows) and rows[at]]
    if not across:
        return []
    cells = "1 cell is" if len(across) == 1 else f"{len(across):,} cells are"
    first = _reference((begin[0] + across[0][0], begin[1] + across[0][1]))
    return [
        f"{name}: {cells} merged across columns (first: {first}). The first column has the value,"
        " and the others are empty: if it holds for each of them, unmerge the cells and repeat it."
    ]


def _filled(row: Sequence[Any]) -> int:
    return sum(cell not in _NONE for cell in row)


def _has_table(sheet: CalamineSheet) -> bool:
    """Whether a sheet has a header and a row, and not only a few words."""
    return sheet.height > 1 and sheet.width > 1


def _fill_merged(
    rows: list[list[str]],
    given: Sequence[Sequence[str]],
    merges: Sequence[_Merge],
    place: tuple[int, int],
    header: int,
    name: str,
) -> list[str]:
    """Give each row of cells that are merged downwards their value; says so."""
    top, left = place
    filled, topmost = 0, len(rows) + top
    for (begin, column), (end, last) in merges:
        at, across = begin - top, column - left
        if end == begin or at <= header or at >= len(rows):
            continue
        if not 0 <= across < len(given[at]) or not given[at][across]:
            continue
        value = given[at][across]
        for row in rows[at + 1 : end - top + 1]:
            for into in range(across, min(last - left + 1, len(row))):
                if row and not row[into]:
                    row[into] = value
                    filled += 1
        topmost = min(topmost, begin)
    if not filled:
        return []
    cells = "1 cell" if filled == 1 else f"{filled:,} cells"
    return [
        f"{name}: merged cells are filled down, {cells} below the first, from row {topmost + 1} on."
    ]


COMMENTS = "comments"
"""The heading of the column with what people wrote on the cells of a row."""


def _keep_comments(
    rows: list[list[str]],
    comments: Mapping[tuple[int, int], str],
    header: int,
    headings: Sequence[str] | None,
    first: str,
) -> list[str]:
    """Write what people wrote on the cells of each row into a column of its own, unless there are
    no ``headings`` for it; says so, and how much is not read.
    """
    count = (
        f"{len(comments):,} {'cell has a comment' if len(comments) == 1 else 'cells have comments'}"
    )
    begin = shorten_value(" ".join(comments[min(comments)].split()))
    told = f"{count} (first: {first}, {begin})"
    by_row: dict[int, list[tuple[int, str]]] = {}
    for (at, column), words in sorted(comments.items()):
        if header < at < len(rows) and rows[at]:
            by_row.setdefault(at, []).append((column, words))
    taken = {name.strip().casefold() for name in rows[header]}
    if headings is None or not by_row or COMMENTS in taken:
        are = "is" if len(comments) == 1 else "are"
        return [f"{told}, which {are} not read. Write what matters into a column."]
    width = len(rows[header])
    for at, row in enumerate(rows):
        if at < header or not row:
            continue
        said = [
            f"{headings[column]}: {words}" if 0 <= column < len(headings) else words
            for column, words in by_row.get(at, ())
        ]
        cell = COMMENTS if at == header else "\n".join(said)
        rows[at] = [*row, *[""] * (width - len(row)), cell]
    unread = len(comments) - sum(map(len, by_row.values()))
    rest = f"; {unread:,} on other cells {'is' if unread == 1 else 'are'} not read" * bool(unread)
    return [
        f"{told}. Those on the table's rows are in the column {COMMENTS!r} now, which reviewers do"
        f" not see at first{rest}."
    ]


def _write_as_shown(
    rows: list[list[Any]], xml: SheetXml, begin: tuple[int, int], *, as_read: bool
) -> None:
    """Write numbers with the zeros and letters that the sheet shows; those that a person is to read
    (``as_read``) also with all decimals that are shown, and shares as percentages.
    """
    top, left = begin
    for (row, column), shape in xml.shown.items():
        at, across = row - top, column - left
        if 0 <= at < len(rows) and 0 <= across < len(rows[at]):
            cell = rows[at][across]
            if not (isinstance(cell, float) and abs(cell) < _EXACT):
                continue
            if isinstance(shape, NumberFormat):
                if cell.is_integer() and cell >= 0:
                    rows[at][across] = shape.format_number(int(cell))
            elif as_read:
                rows[at][across] = (
                    shape.format_share(cell)
                    if isinstance(shape, PercentFormat)
                    else shape.format_decimal(cell)
                )


def _empty_errors(rows: list[list[Any]], xml: SheetXml, begin: tuple[int, int]) -> None:
    """Empty cells with an error whose words an OpenDocument file has as the cell's text."""
    for row, column in xml.errors:
        at, across = row - begin[0], column - begin[1]
        if 0 <= at < len(rows) and 0 <= across < len(rows[at]):
            rows[at][across] = ""


def _named(what: str, found: Sequence[str], many: int) -> str:
    """Some of ``many`` rows or columns, in brackets."""
    what += "s" * (many > 1)
    more = f" and {many - len(found):,} more" if many > len(found) else ""
    return f" ({what} {', '.join(found)}{more})" if found else ""


def _told_of(
    xml: SheetXml, begin: tuple[int, int], name: str, headings: Sequence[str]
) -> Iterator[str]:
    """Notes on what a person may not see in the sheet, or MedLens cannot."""

    def words_of_column(at: int) -> str:
        heading = headings[at - begin[1]].strip() if 0 <= at - begin[1] < len(headings) else ""
        return column_letters(at) + (f", “{shorten_value(heading)}”" if heading else "")

    if many := xml.hidden_rows:
        are = "1 row is" if many == 1 else f"{many:,} rows are"
        named = _named("row", [f"{at + 1:,}" for at in xml.first_hidden_rows], many)
        yield (
            f"{name}: {are} hidden in the sheet{named}, and read like the others. Delete what is"
            " not meant."
        )
    if many := xml.hidden_columns:
        are = "1 column is" if many == 1 else f"{many:,} columns are"
        named = _named("column", list(map(words_of_column, xml.first_hidden_columns)), many)
        yield f"{name}: {are} hidden in the sheet{named}, and read like the others."
    below = [place for place in xml.unstored if place >= begin]
    if below:
        cells = "1 formula has" if len(below) == 1 else f"{len(below):,} formulas have"
        yield (
            f"{name}: {cells} no stored result and {'is' if len(below) == 1 else 'are'} empty here"
            f" (first: {_reference(below[0])}). Open and save the file in a spreadsheet program."
            f"{_columns_of_formulas(below, words_of_column)}"
        )
    below = [place for place in xml.errors if place >= begin]
    if below:
        cells = "1 cell has" if len(below) == 1 else f"{len(below):,} cells have"
        are = "is" if len(below) == 1 else "are"
        yield f"{name}: {cells} an error and {are} empty here (first: {_reference(below[0])})."
    if many := len(xml.pictures):
        lie = "1 picture lies" if many == 1 else f"{many:,} pictures lie"
        first_row, column = xml.pictures[0]
        is_, it, them = ("is", "it", "a file") if many == 1 else ("are", "them", "files")
        yield (
            f"{name}: {lie} on the sheet (first: {_reference((first_row, column))}, in column"
            f" {words_of_column(column)}), and {is_} not read. To show {it}, save {it} as {them},"
            " write the files' names into a column, and give the table with a zip of the files."
        )
    if xml.unread:
        yield (
            f"{name}: {' and '.join(xml.unread)} could not be looked for: that part of the file is"
            " damaged or has something in it that MedLens refuses. Look in a spreadsheet program"
            " whether there are any."
        )


def _columns_of_formulas(
    places: Sequence[tuple[int, int]], words_of_column: Callable[[int], str]
) -> str:
    """In which columns formulas without a stored result are."""
    columns = [words_of_column(at) for at in sorted({column for _, column in places})]
    more = f" and {len(columns) - _MOST_NAMED:,} more" * (len(columns) > _MOST_NAMED)
    s = "s" * (len(columns) > 1)
    return f" They are in column{s} {'; '.join(columns[:_MOST_NAMED])}{more}."


def _leave_out_totals(texts: list[list[str]], xml: SheetXml, top: int, name: str) -> list[str]:
    """Empty the rows of totals that Excel writes below its tables; a note on them."""
    gone = [at for at in xml.total_rows if 0 < at - top < len(texts) and any(texts[at - top])]
    if not gone or len(gone) >= len(texts) - 1:
        return []
    said = [" | ".join(filter(None, texts[at - top])) for at in gone]
    for at in gone:
        texts[at - top] = []
    rows = ", ".join(f"{at + 1:,}" for at in gone)
    is_ = "is the row" if len(gone) == 1 else "are rows"
    return [
        f"{name}: row{'s' * (len(gone) > 1)} {rows} {is_} of totals of an Excel table"
        f" ({shorten_value('; '.join(said))}), and {'is' if len(gone) == 1 else 'are'} left out."
    ]


def _reference(place: tuple[int, int]) -> str:
    return f"{column_letters(place[1])}{place[0] + 1}"


def _rounded(rows: Sequence[Sequence[Any]], name: str) -> list[str]:
    """A note on whole numbers that have more digits than a spreadsheet keeps."""
    long = [
        (at, cell)
        for at, row in enumerate(rows, 1)
        for cell in row
        if cell.__class__ is float and _EXACT <= abs(cell) < _LONGEST_WHOLE and cell.is_integer()
    ]
    if not long:
        return []
    at, cell = long[0]
    return [
        f"{name}: row {at} of the table has the number {int(cell)}"
        f"{f' and there are {len(long) - 1:,} more of more than 15 digits' * (len(long) > 1)}."
        " Spreadsheets keep 15 digits and turn the rest into zeros: compare with where it comes"
        " from, and write such a number as text."
    ]


def _why(error: Exception) -> str:
    said = " ".join(str(error).split())[:200]
    return "it is damaged or cut short" if said == "Cannot detect file format" else said


def _trimmed(rows: Sequence[Sequence[Any]]) -> Iterator[list[str]]:
    """The rows as texts, all of one width, without empty columns on the right."""
    width = max(map(len, rows), default=0)
    while width and all(len(row) < width or row[width - 1] in _NONE for row in rows):
        width -= 1
    for row in rows:
        # Most cells are texts, and a large table has a million of them.
        texts = [cell if cell.__class__ is str else _text(cell) for cell in row[:width]]
        yield texts if any(texts) else []


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        # Longer ones are quantities rather than names.
        return str(int(cell)) if cell.is_integer() and abs(cell) < _LONGEST_WHOLE else repr(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat()
    if isinstance(cell, (date, time)):
        return cell.isoformat()
    return "" if cell is None else str(cell)
