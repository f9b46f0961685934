"""Where the table is in a sheet as a person keeps it: its header under titles or in two rows, and
which rows and columns are none of its own (units, sums, footnotes, a second table).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, zip_longest
from statistics import fmean, median, pstdev, stdev

from medlens.tables.file_kind_and_lines import shorten_value

Cells = Sequence[str]
Span = tuple[int, int, int]
"""A row and its first and last column, from 0: cells that are merged across."""

MOST_ABOVE = 20
"""Rows in which a header is looked for."""
JOINT = " · "
"""What stands between the two parts of a heading in two rows."""
_LEAST_WIDE, _LOOKED_BELOW, _LOOKED_AT = 3, 8, 400
_LONGEST_GROUP = 60
_LEAST_SUMMED = 3
_MOST_NAMED = 3
_MOST_FILLED = 0.9
_SUM_WORDS = frozenset(
    {
        *("sum", "total", "totals", "grand total", "mean", "average", "summe", "gesamt", "sd"),
        *("insgesamt", "gesamtsumme", "mittelwert", "durchschnitt", "suma", "promedio", "somme"),
        *("moyenne", "media", "median", "mw", "std", "standardabweichung", "σ", "ø", "∑", "Σ"),
        *("totaal", "totale", "totaux", "totales", "totais", "razem", "suma", "итого", "всего"),
        *("toplam", "合计", "总计", "合計", "합계", "المجموع", "yhteensä", "keskiarvo", "i alt"),
        *(
            "totalt",
            "gjennomsnitt",
            "gennemsnit",
            "medelvärde",
            "gemiddelde",
            "średnia",
            "ortalama",
        ),
        *("gem", "avg", "ds", "durchschn", "mittel", "moy", "prom", "snitt"),
        *("celkem", "součet", "průměr", "összesen", "átlag", "σύνολο", "média", "среднее"),
    }
)
_BESIDE_SUM_WORDS = frozenset(
    {
        *("grand", "overall", "general", "général", "générale", "generale", "geral", "algemeen"),
        *("global", "globale", "all", "aller", "alle", "tous", "todos", "ogółem", "genel"),
        # What was counted of texts.
        *("length", "länge", "laenge", "lengte", "longueur", "longitud", "lunghezza", "words"),
        *("wörter", "woorden", "mots", "palabras", "zeichen", "characters", "tekens", "score"),
    }
)
_PLAIN_SUM_WORDS = frozenset(
    {
        *("sum", "total", "totals", "mean", "average", "summe", "gesamt", "mittelwert"),
        *("durchschnitt", "median"),
    }
)
_BELOW_SUMS = frozenset(
    [
        *("n", "min", "max", "minimum", "maximum", "range", "se", "sem", "var", "variance"),
        *("count", "anzahl", "iqr", "ci", "95% ci", "95%-ki", "spannweite", "sd", "std", "stabw"),
        "varianz",
    ]
)
_MAY_BE_INITIALS = frozenset({"sd", "ds", "std", "mw", "gem", "moy", "prom"})
"""Short words for a sum or mean that are a person's initials or a site's code as well."""
_MOST_KEPT = 4
_PART_SUM = re.compile(
    r"(sub-?\s?total|zwischensumme|teilsumme|total parcial|sous-total)\b.{0,40}|"
    r"(sum|total|summe|gesamt|mean|mittelwert|average|durchschnitt)\s*"
    r"(:|\(.{0,30}\)|[=:]?\s*n\s*=.{0,10})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-+−]?[\d.,'’\s]*\d[\d.,]*(e[-+]?\d+)?\s*%?", re.IGNORECASE)
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}.*|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}.*|\d{1,2}\.?\s*[^\W\d]{3,9}\.?\s*\d{4}"
)
_LABELLED = re.compile(
    r"(date|datum|fecha|stand|as of|author|autor|autora|auteur|by|von|version|n)\s*[:=].*",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(
    r"([*†‡§¹²³]|\(?[*\d]\)\s|p\s*[<>=]\s*\.?0?|quelle|source|fuente|note|notes|nota|anm\.|"
    r"anmerkung|hinweis|legend|legende|abbreviation|abkürzung|stand\s*:|n\s*=|remarks?\s*:|"
    r"\w{1,6}\s*=\s)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"[(\[]\s*[^()\[\]]{1,30}\s*[)\]]|"
    r"(m|µ|u|n|k|p|d|c)?(g|l|mol|eq|iu|ie|u|m|s)(\s*/\s*(k|m|d|µ|n)?(l|g|h|d|min|kg|s|m2|m²|mol))?|"
    r"mm\s?hg|€|\$|£|¥|eur(o|os)?|usd|chf|gbp|cents?|ct|tokens?|%|‰|°\s?[cf]|bpm|/min|/h|/[µu]?l|kg/m[2²]|ml/min.{0,15}|"
    r"years?|yrs?|jahre?|años|ans|months?|monate?|weeks?|wochen?|days?|tage?|hours?|stunden?|"
    r"meses|mois|mesi|semanas|semaines|settimane|d[íi]as|jours|giorni|dias|horas|heures|ore|"
    r"a[ñn]os|anos|anni|jaar|maanden|dagen|uren|[åa]r|m[åa]neder|lat|let|"
    r"min(utes?|uten)?|sec(onds?)?|sek(unden)?|points?|punkte?|puntos|text|free ?text|freitext|"
    r"yes ?/ ?no|ja ?/ ?nein|m ?/ ?[fwd]|f ?/ ?m|\d+\s*[-–/]\s*\d+|\d+ ?= ?.{1,25}|"
    r"[djtg]{1,2}[-/.]m{1,2}[-/.][yaj]{2,4}|[yaj]{4}[-/.]m{1,2}[-/.][djtg]{1,2}",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"((free|long|short|open|plain|vrije|freier|langer|kurzer)[ -]?)?te(x|ks)t( field)?"
    r"|freitext(feld)?|(texte|texto|testo)( (libre|libero|court|corto|long|largo))?|strings?|str"
    r"|varchar( ?\(\d+\))?|codes?|coded|kodes?|kodiert|c[óo]digos?|numbers?|numeric(al)?|numerisch"
    r"|(ganz)?zahl|num[ée]ri(que|co)"
    r"|int(eger)?|float|decimal|bool(ean)?|date|datetime|datum|fecha|time|ids?|key|identifier|nominal"
    r"|ordinal|categor(y|ical)|kategorie|kategorisch|cat[ée]gorie|categor[íi]a|likert( scale)?"
    r"|drop-?down|(single|multiple) choice|auswahl(feld)?|check-?box|list|optional|required"
    r"|mandatory|pflicht(feld)?|json|markdown",
    re.IGNORECASE,
)
"""What a row below the headings says of the kind of each column."""
_SHORT_LABEL, _LONGEST_LABEL = 30, 60
_HAS_DIGIT = re.compile(r"\d")
_OF_UNITS = frozenset(
    [
        *("unit", "units", "einheit", "einheiten", "unidad", "unidades", "unité", "unités"),
        *("unidade", "unità", "eenheid", "eenheden", "enhet", "enhed", "jednostka", "jednotka"),
    ]
)
_HEADINGS = re.compile(
    r"(id|nr\.?|no\.?|item|case( id)?|fall(nummer)?|question|frage|answer|antwort|model|modell|"
    r"prompt|text|response|pregunta|respuesta|réponse|patient|alter|age|comment|kommentar)",
    re.IGNORECASE,
)
_OF_SURVEYMONKEY = re.compile(
    r"(open-ended )?response|other.{0,40}|offene antwort|antwort|r[ée]ponse( ouverte)?|respuesta"
    r"( abierta)?|\(.{1,40}\)",
    re.IGNORECASE,
)
"""What SurveyMonkey writes below the questions that are answered in one cell."""
_OPEN_ENDED = re.compile(r"(open-ended response|offene antwort|r[ée]ponse ouverte)", re.IGNORECASE)
"""The same, where it says nothing of the question."""
_SURVEY_DATES = ("startdate", "enddate", "recordeddate", "start date", "end date")


@dataclass
class Arranged:
    """A table as it is meant.

    Attributes:
        header: the row of the headings, from 0, in what was given.
        rows: as many as were given; what is not the table's is an empty list.
        notes: what was decided, in sentences without the file's name.
        changed: whether anything is not as it was given.
    """

    header: int
    rows: list[list[str]]
    notes: list[str] = field(default_factory=list)
    changed: bool = False


def column_letters(at: int) -> str:
    """The name of a column in a spreadsheet, from 0: A, B, …, AA."""
    letters, rest = "", at + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def find_table_in_sheet_rows(
    rows: Sequence[Cells],
    *,
    place: Callable[[int], str] = lambda at: f"row {at + 1}",
    column: Callable[[int], str] = column_letters,
    merged: Sequence[Span] = (),
    header: int | None = None,
) -> Arranged:
    """Find the table in the rows of a sheet. ``place`` and ``column`` name a row and a column to a
    person; ``header`` is the row of the headings if a person said so.
    """
    made = Arranged(0, [list(row) for row in rows])
    if not any(map(_filled, rows)):
        return made
    at, group = _find_header(rows, merged) if header is None else (header, None)
    if header is not None and _is_group(rows, header, merged):
        three = _is_group_of_groups(rows, header, merged)
        at, group = (header + 2, header + 1) if three else (header + 1, header)
    elif header and _is_group(rows, header - 1, merged):
        group = header - 1
    made.header = at
    top = _row_above_groups(rows, group, merged) if group is not None else None
    above = [n for n in range(at) if n not in (group, top) and _filled(rows[n])]
    if above:
        lines = "line above the header is" if len(above) == 1 else "lines above the header are"
        number = "the" if len(above) == 1 else f"the {len(above):,}"
        _drop(made, above)
        said = "; ".join(cell.strip() for n in above for cell in rows[n] if cell.strip())
        made.notes.append(f"{number} {lines} left out: {shorten_value(said)}.")
    if group is not None:
        made.rows[at] = _joined(rows[group], rows[at], [m for m in merged if m[0] == group])
        made.rows[group] = []
        if top is not None:
            spans = [m for m in merged if m[0] == top]
            made.rows[at] = _joined(rows[top], made.rows[at], spans)
            made.rows[top] = []
        made.changed = True
        many = "two" if top is None else "three"
        most = max(name.count(JOINT) for name in made.rows[at])
        named = shorten_value(next(name for name in made.rows[at] if name.count(JOINT) == most))
        made.notes.append(
            f"the header has {many} rows, and their words are joined, such as {named!r}."
        )
    _leave_out_columns(made, column)
    _leave_out_below_header(made, place)
    _leave_out_rows(made, place, merged)
    _name_parts(made, rows)
    _name_sections(made, place, merged)
    return made


def _filled(row: Cells) -> int:
    return len(row) - row.count("") if row else 0


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell.strip()))


def _is_value(cell: str) -> bool:
    """Whether a cell is a number or a date, which no heading is."""
    return _is_number(cell) or bool(_DATE.fullmatch(cell.strip()))


def _drop(made: Arranged, which: Sequence[int]) -> None:
    for at in which:
        made.rows[at] = []
    made.changed = made.changed or bool(which)


def _named(rows: Sequence[Cells]) -> str:
    """The first cells of rows, to tell which they are."""
    first = [next(cell.strip() for cell in row if cell.strip()) for row in rows if _words(row)]
    more = len(first) - _MOST_NAMED
    return shorten_value("; ".join(first[:_MOST_NAMED]) + f" and {more:,} more" * (more > 0))


def _words(row: Cells) -> list[str]:
    return [word for cell in row if cell and (word := cell.strip())]


def _has_several_words(row: Cells) -> bool:
    """Whether more than one cell holds anything, which the first two that are filled mostly say."""
    found = False
    for cell in row:
        if cell and not cell.isspace():
            if found:
                return True
            found = True
    return False


def _places(place: Callable[[int], str], which: Sequence[int]) -> str:
    named = ", ".join(place(at) for at in which[:_MOST_NAMED])
    more = len(which) - _MOST_NAMED
    return named + f" and {more:,} more" * (more > 0)


# -- the header ------------------------------------------------------------------------------------


def _find_header(rows: Sequence[Cells], merged: Sequence[Span]) -> tuple[int, int | None]:
    """The row of the headings, and the row of groups above them if there is one."""
    first = next(at for at, row in enumerate(rows) if _filled(row))
    across = {span[0] for span in merged}
    seen_title = gap = commented = False
    for at, row in enumerate(rows[:MOST_ABOVE]):
        many = _filled(row)
        gap = gap or (seen_title and not many)
        if many < 2 or _is_comment(rows, at):
            seen_title = seen_title or many > 0
            commented = commented or many > 1
            continue
        if _is_group(rows, at, merged):
            return (at + 2, at + 1) if _is_group_of_groups(rows, at, merged) else (at + 1, at)
        if _row_above_groups(rows, at + 1, merged) is not None and _is_group(rows, at + 1, merged):
            return at + 2, at + 1
        if _is_title(rows, at):
            seen_title = True
            continue
        if not seen_title or at == first:
            return at, None
        below = rows[at + 1 : at + 1 + _LEAST_WIDE]
        wide = many >= _LEAST_WIDE or commented or any(n < at for n in across)
        # A narrow table is known to begin here by the empty row under its title.
        wide = wide or (gap and _is_heading_row(row) and _differs_below(rows, at))
        return (at if wide and any(_filled(one) > 1 for one in below) else first), None
    return first, None


def _is_comment(rows: Sequence[Cells], at: int) -> bool:
    """Whether a row is a program's comment above a header with more cells."""
    sign = re.compile(r"\s*(# |#+[^\W\d]|//|% )")
    below = next((row for row in rows[at + 1 : at + MOST_ABOVE] if _filled(row)), ())
    if not rows[at] or not below or not sign.match(rows[at][0]):
        return False
    return _filled(below) > _filled(rows[at]) or bool(sign.match(below[0]))


def _is_title(rows: Sequence[Cells], at: int) -> bool:
    """Whether a row of several cells is a title (with a date or an author) of a table below."""
    many = _filled(rows[at])
    gap = False
    for below in range(at + 1, min(at + MOST_ABOVE, len(rows))):
        row = rows[below]
        width = _filled(row)
        # Under an empty row a narrow table may begin too.
        narrow = gap and many == 2 <= width < _LEAST_WIDE
        gap = gap or not width
        if narrow and all(map(_HEADINGS.fullmatch, _words(row))):
            return _differs_below(rows, below)
        if width <= many or width < _LEAST_WIDE:
            continue
        if not _is_heading_row(row) or not _differs_below(rows, below):
            return False
        dated = any(_is_value(cell) or _LABELLED.fullmatch(cell) for cell in _words(rows[at]))
        return gap or dated or 2 * many <= width
    return False


def _is_heading_row(row: Cells) -> bool:
    """Whether all cells of a row could be headings: words, each once."""
    cells = _words(row)
    return len(set(cells)) == len(cells) and not any(map(_is_value, cells))


def _differs_below(rows: Sequence[Cells], at: int) -> bool:
    """Whether a row is of another kind than those below it, as a header is."""
    below = [row for row in rows[at + 1 : at + 1 + _LOOKED_BELOW] if _filled(row) > 1]
    if not below:
        return False
    for column, cell in enumerate(rows[at]):
        values = [row[column] for row in below if column < len(row) and row[column].strip()]
        if not cell.strip() or not values:
            continue
        if all(map(_is_value, values)) and not _is_value(cell):
            return True
        if len(cell) <= _LONGEST_GROUP and median(map(len, values)) >= max(30, 3 * len(cell)):
            return True
    words = [cell for cell in rows[at] if _HEADINGS.fullmatch(cell.strip())]
    return bool(words) and not any(set(words) <= set(row) for row in below)


def _is_group(rows: Sequence[Cells], at: int, merged: Sequence[Span]) -> bool:
    """Whether a row names groups of the columns that the row below it names."""
    if at + 1 >= len(rows):
        return False
    row, sub = rows[at], rows[at + 1]
    if _has_options_below(row, sub):
        return True
    width = max(len(row), len(sub))
    groups, names = _words(row), _words(sub)
    if not groups or len(names) < 2 or max(map(len, groups)) > _LONGEST_GROUP:
        return False
    if any(map(_is_value, (*groups, *names))) or max(map(len, names)) > _LONGEST_GROUP:
        return False
    if not any(_filled(one) > 1 for one in rows[at + 2 : at + 2 + _LOOKED_BELOW]):
        return False
    gaps = [
        n
        for n in range(width)
        if n < len(sub) and sub[n].strip() and not (n < len(row) and row[n].strip())
    ]
    spans = [m for m in merged if m[0] == at and m[2] - m[1] + 1 < width]
    over = [m for m in spans if sum(bool(c.strip()) for c in sub[m[1] : m[2] + 1]) > 1]
    if not gaps:
        return False
    # A title may be merged over some of the columns too, but from the first one on.
    begin = next(n for n, cell in enumerate(sub) if cell.strip())
    if len(over) > 1 or any(m[1] > begin for m in over):
        return True
    # Beside a group stand headings of their own; beside a title, nothing.
    apart = [n for n, c in enumerate(row) if c.strip() and not (n < len(sub) and sub[n].strip())]
    if over and len(apart) > 1 and len(groups) > 1:
        return True
    twice = len(set(names)) < len(names)
    joined = _words(_joined(row, sub, []))
    return twice and len(groups) > 1 and len(set(joined)) == len(joined)


def _is_group_of_groups(rows: Sequence[Cells], at: int, merged: Sequence[Span]) -> bool:
    """Whether a row of groups stands above another one: cells merged across its second row have
    several names each below them, and what it heads alone is empty in both rows below it.
    """
    if at + 2 >= len(rows):
        return False
    row, below, names = rows[at : at + 3]
    spans = [m for m in merged if m[0] == at + 1 and m[2] > m[1]]
    under = [sum(bool(cell.strip()) for cell in names[m[1] : m[2] + 1]) for m in spans]
    alone = _headings_of_three_rows(row, below, names)
    only_above = [n for n, one in enumerate(row) if one.strip() and not "".join(below[n : n + 1])]
    return (
        bool(spans and alone)
        and min(under) > 1
        and set(only_above) <= set(alone)
        and not any(map(_is_value, _words(names)))
        and max(map(len, _words(names))) <= _LONGEST_GROUP
    )


def _headings_of_three_rows(row: Cells, below: Cells, names: Cells) -> list[int]:
    """The columns that a row heads, with nothing in the two rows below it."""
    pairs = zip_longest(row, below, names, fillvalue="")
    return [n for n, (a, b, c) in enumerate(pairs) if a.strip() and not b.strip() + c.strip()]


def _row_above_groups(rows: Sequence[Cells], group: int, merged: Sequence[Span]) -> int | None:
    """The row above a row of groups that names groups of these: each of its words stands above the
    first of several, or one of them, and it has fewer; None for a title or nothing.
    """
    at = group - 1
    if at < 0 or group + 1 >= len(rows):
        return None
    row, below, names = rows[at], rows[group], rows[group + 1]
    above, groups = _words(row), _words(below)
    alone = _headings_of_three_rows(row, below, names)
    if alone and any(m[0] == group and m[2] > m[1] for m in merged):
        beside = {n for n, cell in enumerate(row) if cell.strip()} - {*alone}
        over = {n for n, cell in enumerate(below) if cell.strip()}
        return at if beside and beside <= over else None
    if not 1 < len(above) < len(groups) or max(map(len, above)) > _LONGEST_GROUP:
        return None
    if not _words(names) or any(map(_is_value, above)) or any(map(_LABELLED.fullmatch, above)):
        return None
    stands = {n for n, cell in enumerate(row) if cell.strip()}
    named = {n for n, cell in enumerate(below) if cell.strip()}
    first = next(n for n, cell in enumerate(names) if cell.strip())
    spans = [m for m in merged if m[0] == at]
    return at if stands <= named and (spans or first not in stands) else None


def _has_options_below(headings: Cells, row: Cells) -> bool:
    """Whether SurveyMonkey's questions have their options in the row below them."""
    named = [name.strip().casefold() for name in headings]
    number = next((n for n, name in enumerate(named) if name.startswith("respondent")), None)
    if number is None or (number < len(row) and row[number].strip()):
        return False
    signs = [bool(_OF_SURVEYMONKEY.fullmatch(cell)) for cell in _words(row)]
    return any(signs) and not all(signs)


def _joined(groups: Cells, names: Cells, spans: Sequence[Span]) -> list[str]:
    """The headings that a row of groups and a row of names below it come to."""
    found, group, until = [], "", -1
    pairs = zip_longest(map(str.strip, groups), map(str.strip, names), fillvalue="")
    for at, (above, name) in enumerate(pairs):
        if above:
            group = above if name else ""
            span = next((last for _, first, last in spans if first == at), None)
            # Without merged cells a group ends where the next one begins.
            until = span if span is not None else (at if spans else len(names))
        if not name or (above and _OPEN_ENDED.fullmatch(name)):
            found.append(above)
        else:
            found.append(f"{group}{JOINT}{name}" if group and at <= until else name)
    return found


# -- what stands below the header and beside the table ---------------------------------------------


def _leave_out_below_header(made: Arranged, place: Callable[[int], str]) -> None:
    """Leave out a row of units, of labels for the columns, or of a survey's questions, right below
    the header.
    """
    at = made.header
    below = next((n for n in range(at + 1, len(made.rows)) if _filled(made.rows[n])), None)
    if below is None:
        return
    headings, row = made.rows[at], made.rows[below]
    data = [one for one in made.rows[below + 1 : below + 1 + _LOOKED_BELOW] if _filled(one)]
    if len(data) > 1 and _is_units(headings, data[0], data[1:]) and _is_labels(row, data[1:]):
        # What the columns hold, and below it their units.
        units = next(n for n in range(below + 1, len(made.rows)) if _filled(made.rows[n]))
        said = shorten_value(", ".join(_words(row)))
        measured = shorten_value(", ".join(_words(made.rows[units])))
        made.notes.append(
            f"{place(below)} below the header says what the columns hold and is left out: {said}."
        )
        made.notes.append(
            f"{place(units)} below the header holds units and is left out: {measured}."
        )
        _drop(made, [below, units])
    elif _is_units(headings, row, data):
        _drop(made, [below])
        said = shorten_value(", ".join(_words(row)))
        made.notes.append(f"{place(below)} below the header holds units and is left out: {said}.")
    elif _is_kinds(row, data) or _is_labels(row, data):
        _drop(made, [below])
        said = shorten_value(", ".join(_words(row)))
        made.notes.append(
            f"{place(below)} below the header says what the columns hold and is left out: {said}."
        )
    elif _is_questions(headings, row):
        _drop(made, [below])
        made.notes.append(
            f"{place(below)}, which the survey's program writes below the header, is left out:"
            f" {shorten_value('; '.join(_words(row)))}."
        )


def _is_units(headings: Cells, row: Cells, data: Sequence[Cells]) -> bool:
    cells = {n: cell.strip() for n, cell in enumerate(row) if cell.strip()}
    units = {n: cell for n, cell in cells.items() if _UNIT.fullmatch(cell)}
    # Beside units a row may say that a column holds text.
    others = {
        cell.casefold() for n, cell in cells.items() if n not in units and not _KIND.fullmatch(cell)
    }
    if not units or others - _OF_UNITS or not data:
        return False
    same = any(n < len(one) and one[n].strip() == cell for one in data for n, cell in units.items())
    numbers = any(
        all(_is_number(one[n]) for one in data if n < len(one) and one[n].strip())
        and any(n < len(one) and one[n].strip() for one in data)
        for n in units
    )
    return not same and (numbers or bool(others)) and not any(map(_is_number, units.values()))


def _is_kinds(row: Cells, data: Sequence[Cells]) -> bool:
    """Whether a row holds words for kinds of columns only, such as "free text" and "code", above
    data of another kind.
    """
    cells = {n: cell.strip() for n, cell in enumerate(row) if cell.strip()}
    if len(cells) < 2 or any(map(_is_number, cells.values())):
        return False
    if not all(_KIND.fullmatch(cell) or _UNIT.fullmatch(cell) for cell in cells.values()):
        return False
    values = {n: _values_below(n, data) for n in cells}
    if any(cell in values[n] for n, cell in cells.items()):
        return False
    return any(_are_long(values[n]) or _are_numbers(values[n]) for n in cells)


def _is_labels(row: Cells, data: Sequence[Cells]) -> bool:
    """Whether a row is short words above each long text, and has no number or id where all rows
    below it have one of their own, or words where they have a number: a further row of headings.
    """
    # In a short table sums and notes are among the rows below.
    data = [one for one in data if _filled(one) > 1 and not begins_with_sum(one)]
    if len(data) < _LEAST_WIDE:
        return False
    cells = {n: cell.strip() for n, cell in enumerate(row) if cell.strip()}
    if len(set(cells.values())) < 2 or any(map(_is_value, cells.values())):
        return False
    columns = range(max(map(len, data)))
    values = {n: _values_below(n, data) for n in columns}
    for n, cell in cells.items():
        # A label can be a few words longer above texts that all are longer still.
        most = min(map(len, values.get(n) or [""]))
        if len(cell) > max(_SHORT_LABEL, min(most - 1, _LONGEST_LABEL)):
            return False
    first = next((n for n in columns if values[n]), 0)
    own = set(values[first])
    if len(values[first]) < len(data) or len(own) < len(data):
        return False
    if first in cells and not _are_numbers(values[first]):
        # "Subject" above "01-001", and a word above each age; "case A" above "case 1" is an item.
        numbers = any(_are_numbers(values[n]) for n in cells if n != first and n in values)
        alike = any(one[:1].casefold() == cells[first][:1].casefold() for one in own)
        numbered = all(map(_HAS_DIGIT.search, own)) and not _HAS_DIGIT.search(cells[first])
        if not (numbers and numbered) or alike:
            return False
    if max(map(len, own)) > _SHORT_LABEL:
        return False
    long = [n for n in columns if len(values[n]) == len(data) and _are_long(values[n])]
    filled = [n for n in columns if n != first and values[n]]
    return (
        bool(long)
        and all(n in cells for n in long)
        and 2 * sum(n in cells for n in filled) >= len(filled)
        and not any(cell in values[n] for n, cell in cells.items() if n < len(values))
    )


def _values_below(at: int, data: Sequence[Cells]) -> list[str]:
    return [one[at].strip() for one in data if at < len(one) and one[at].strip()]


def _are_long(values: Sequence[str]) -> bool:
    return bool(values) and min(map(len, values)) > _SHORT_LABEL


def _are_numbers(values: Sequence[str]) -> bool:
    return bool(values) and all(map(_is_number, values))


def _is_questions(headings: Cells, row: Cells) -> bool:
    """Whether a row says of a survey's columns what they are, as old Qualtrics files do."""
    named = [name.strip().casefold() for name in headings]
    for at, name in enumerate(named):
        if name in _SURVEY_DATES and at < len(row) and row[at].strip():
            return not any(map(str.isdigit, row[at])) and len(_words(row)) > 1
    if {"respondent id", "respondentid"} & set(named):
        return bool(_words(row)) and all(map(_OF_SURVEYMONKEY.fullmatch, _words(row)))
    first = row[0].strip().casefold().replace(" ", "") if row else ""
    return bool(named) and named[0] in ("v1", "responseid") and first == "responseid"


def _leave_out_columns(made: Arranged, column: Callable[[int], str]) -> None:
    """Leave out a second table that stands beside the first, behind an empty column."""
    rows = made.rows[made.header :]
    columns = list(zip_longest(*rows, fillvalue=""))
    blocks: list[list[int]] = [[]]
    for at, cells in enumerate(columns):
        if any(cells):
            blocks[-1].append(at)
        elif blocks[-1]:
            blocks.append([])
    blocks = [block for block in blocks if block]
    if len(blocks) < 2:
        return

    def last_row(block: Sequence[int]) -> int:
        return max(n for at in block for n, cell in enumerate(columns[at]) if cell)

    def size(block: Sequence[int]) -> int:
        return sum(len(columns[at]) - columns[at].count("") for at in block)

    headed = [block for block in blocks if any(columns[at][0] for at in block)]
    ends = {last_row(block) for block in blocks}
    if len(ends) == 1 and len(headed) == len(blocks):
        return
    main = max(headed or blocks, key=size)
    # What has headings and reaches as far down is of the same table, behind a column left empty.
    own = [block for block in headed if last_row(block) == last_row(main)] or [main]
    for block in blocks:
        if block in own:
            continue
        names = [columns[at][0] for at in block if columns[at][0]] or [
            next(cell for cell in columns[at] if cell) for at in block
        ]
        made.notes.append(
            "beside the table, after an empty column, there is another one"
            f" ({shorten_value(', '.join(names))}, from column {column(block[0])} on), which is"
            " left out."
        )
    if len(own) == len(blocks):
        return
    keep = {at for block in own for at in block}
    last = max(keep)
    for n, row in enumerate(rows, made.header):
        made.rows[n] = [cell if at in keep else "" for at, cell in enumerate(row[: last + 1])]
        if not any(made.rows[n]):
            made.rows[n] = []
    if first := min(keep):
        for n in range(made.header, len(made.rows)):
            made.rows[n] = made.rows[n][first:]
    made.changed = True


# -- rows that are not the table's -----------------------------------------------------------------


def _leave_out_rows(made: Arranged, place: Callable[[int], str], merged: Sequence[Span]) -> None:
    body = [at for at in range(made.header + 1, len(made.rows)) if any(made.rows[at])]
    if not body:
        return
    always = _always_filled([made.rows[at] for at in body])
    body = _leave_out_tables_below(made, body, always, place)
    # Rows of sums leave nearly everything empty, and may be many.
    always = _always_filled(row for at in body if not begins_with_sum(row := made.rows[at]))
    across = {span[0]: span[2] - span[1] + 1 for span in merged}
    body = _leave_out_footnotes(made, body, always, across)
    always = _always_filled([made.rows[at] for at in body])
    _leave_out_sums(made, body, always, place)


def _always_filled(rows: Iterable[Cells]) -> list[int]:
    """The columns that nearly every row fills, of the first that fill several."""
    looked = list(islice((row for row in rows if _filled(row) > 1), _LOOKED_AT))
    width = max(map(len, looked), default=0)
    return [
        at
        for at in range(width)
        if sum(at < len(row) and bool(row[at]) for row in looked) >= _MOST_FILLED * len(looked)
    ]


def _segments(body: Sequence[int]) -> Iterator[list[int]]:
    """The parts of a table between empty rows."""
    part: list[int] = []
    for at in body:
        if part and at > part[-1] + 1:
            yield part
            part = []
        part.append(at)
    if part:
        yield part


def _leave_out_tables_below(
    made: Arranged, body: list[int], always: Sequence[int], place: Callable[[int], str]
) -> list[int]:
    """Leave out a table that stands below the first, behind an empty row, and headings that are
    repeated.
    """
    headings = [cell.strip().casefold() for cell in made.rows[made.header]]
    again = [
        at
        for at in body
        if made.rows[at][0].strip().casefold() == headings[0] or not headings[0]
        if [cell.strip().casefold() for cell in made.rows[at]] == headings
    ]
    if again:
        _drop(made, again)
        made.notes.append(
            f"the header is repeated in {_places(place, again)}, and is left out there."
        )
        gone = set(again)
        body = [at for at in body if at not in gone]
    parts = list(_segments(body))
    if len(parts) < 2 or len(parts) > _LOOKED_AT:
        return body
    kept = list(parts[0])
    for number, part in enumerate(parts[1:], 1):
        rows = [made.rows[at] for at in part]
        start = next((n for n, row in enumerate(rows) if _filled(row) > 1), None)
        if start is None:
            kept += part
            continue
        main = [made.rows[at] for at in kept[:_LOOKED_AT]]
        if _begins_table(rows[start:], main):
            rest = [at for one in parts[number:] for at in one]
            said = shorten_value(", ".join(_words(rows[start])))
            made.notes.append(
                f"below the table, from {place(part[0])} on, there is another one ({said}), "
                "which is"
                " left out."
            )
            _drop(made, rest)
            return kept
        kept += part
    return kept


SECTION = "section"
"""The heading of the column that says in which part of a sheet a row stood."""
_NEAR = 2


def _name_parts(made: Arranged, rows: Sequence[Cells]) -> None:
    """Keep the titles of the parts of a table, each of which has the headings again, in a column:
    one may be a model's name.
    """
    headings = [cell.strip().casefold() for cell in rows[made.header] if cell.strip()]
    begins = [made.header]
    begins += [
        at
        for at in range(made.header + 1, len(rows))
        if not made.rows[at] and [cell.casefold() for cell in _words(rows[at])] == headings
    ]
    names = [cell.strip() for cell in made.rows[made.header]]
    if len(begins) < 2 or SECTION in map(str.casefold, names):
        return
    above = [_title_above(rows, at) for at in begins]
    titles = [_words(rows[at])[0] if at is not None else "" for at in above]
    if not all(titles) or len(set(titles)) < len(titles):
        return
    _drop(made, [at for at in above if at is not None])
    ends = [*begins[1:], len(rows)]
    for begin, end, title in zip(begins, ends, titles, strict=True):
        for at in range(begin, end):
            if _filled(row := made.rows[at]):
                filler = [""] * (len(names) - len(row))
                made.rows[at] = [*row, *filler, SECTION if at == made.header else title]
    made.changed = True
    listed = shorten_value("; ".join(titles))
    made.notes.append(f"the titles of its parts are in the column {SECTION!r}: {listed}.")


def _title_above(rows: Sequence[Cells], at: int) -> int | None:
    """The last filled row right above a row of headings, if it holds one cell, which is words."""
    for above in range(at - 1, max(at - 1 - _NEAR, -1), -1):
        if words := _words(rows[above]):
            return above if len(words) == 1 and not _is_value(words[0]) else None
    return None


def _begins_table(rows: Sequence[Cells], main: Sequence[Cells]) -> bool:
    """Whether the first of these rows is a header of its own, and no row of the table above."""
    first = rows[0]
    if len(rows) < 2 or not _is_heading_row(first):
        return False
    usual = median(_filled(row) for row in main if _filled(row))
    narrower = max(map(_filled, rows)) <= usual / 2 or _filled(first) < usual - 1
    for at, cell in enumerate(first):
        values = [row[at] for row in main if at < len(row) and row[at].strip()]
        if cell.strip() and len(values) > 1 and all(map(_is_value, values)):
            return True
    return narrower or (_differs_below(rows, 0) and any(map(_HEADINGS.fullmatch, _words(first))))


def _leave_out_footnotes(
    made: Arranged, body: list[int], always: Sequence[int], across: dict[int, int]
) -> list[int]:
    notes: list[int] = []
    for at in reversed(body):
        words = _words(made.rows[at])
        if len(words) > 1 and _is_sum_word(words[0]) and all(map(_is_number, words[1:])):
            # Notes stand above means, too.
            continue
        # A row of one cell, while every other one fills several.
        alone = len(words) == 1 and len(always) >= 2
        sure = alone and (len(always) >= _LEAST_WIDE or across.get(at, 1) > 1)
        # Of a line of CSV that ends too early the separators are the note's own: "* 0 no, 1 yes".
        early = 1 < len(made.rows[at]) == len(words) < len(made.rows[made.header])
        if not (sure or ((alone or early) and _FOOTNOTE.match(words[0]))):
            break
        if _is_sum_word(words[0]):
            break
        notes.insert(0, at)
    if not notes or len(notes) == len(body):
        return body
    are = (
        "the last row holds only a note and is"
        if len(notes) == 1
        else (f"the last {len(notes):,} rows hold only notes and are")
    )
    made.notes.append(f"{are} left out: {_named([made.rows[at] for at in notes])}.")
    _drop(made, notes)
    return [at for at in body if at not in notes]


def _is_sum_word(cell: str) -> bool:
    # From the first of several blanks on alone: a long run of them would be tried from each.
    word = re.sub(r"(?<!\s)\s*\([^()]*\)$", "", cell.strip()).casefold().rstrip(":")
    words = {part.rstrip(".") for part in word.split()}
    together = words & _SUM_WORDS and words <= _SUM_WORDS | _BESIDE_SUM_WORDS
    return word in _SUM_WORDS or bool(together or _PART_SUM.fullmatch(cell.strip()))


def begins_with_sum(row: Cells) -> bool:
    """Whether the first filled cell of a row is a word for a sum or mean."""
    first = next((cell for cell in row if cell), "")
    return len(first) <= _LONGEST_GROUP and _is_sum_word(first)


def _leave_out_sums(
    made: Arranged, body: list[int], always: Sequence[int], place: Callable[[int], str]
) -> list[int]:
    """Leave out rows of sums and means: by a word for it and nothing but numbers beside it, or a
    last row whose numbers are the sums of those above. Last rows with a plain word for it stay and
    are told: a study has a choice about them.
    """
    if len(body) < _LEAST_SUMMED:
        return body
    sums = []
    for at in body:
        row = made.rows[at]
        if len(always) < 2 and _filled(row) > _filled(made.rows[made.header]) - 1:
            continue
        first = next((cell for cell in row if cell), "")
        if len(first) <= _LONGEST_GROUP and _is_sum_word(first):
            others = _words(row)[1:]
            if all(_is_number(cell.rstrip("%")) or cell in "-–" for cell in others):
                sums.append(at)
    sums = _without_rows_of_people(made, body, sums, place)
    known = set(sums)
    for before, at in pairwise(body if sums else ()):
        if before not in known or at in known:
            continue
        # Below a mean stand n, minimum and maximum.
        first = next(iter(_words(made.rows[at])), "").casefold().rstrip(":")
        numbers = all(_is_number(cell.rstrip("%")) for cell in _words(made.rows[at])[1:])
        if first in _BELOW_SUMS and numbers:
            sums.append(at)
            known.add(at)
    kept: list[int] = []
    for at in reversed(body[-_MOST_KEPT:]):
        first = next(iter(_words(made.rows[at])), "")
        if at not in sums or first.casefold().rstrip(":") not in _PLAIN_SUM_WORDS:
            break
        kept.insert(0, at)
    if kept:
        sums = [at for at in sums if at not in kept]
        looks = (
            "the last row looks like a sum or mean"
            if len(kept) == 1
            else (f"the last {len(kept)} rows look like sums or means")
        )
        it, like = ("it", "a row") if len(kept) == 1 else ("them", "rows")
        made.notes.append(
            f"{looks} ({_named([made.rows[at] for at in kept])}). Make a study leaves {it} out"
            f" unless you keep {it}; everything else reads {it} as {like} like any other."
        )
    gone = set(sums)
    rest = [at for at in body if at not in gone]
    if rest and not (sums or kept) and _is_sum_of(made, rest):
        sums = [rest[-1]]
        rest = rest[:-1]
    if sums:
        looks = "looks like sums or means" if len(sums) == 1 else "look like sums or means"
        made.notes.append(
            f"{_places(place, sums)} {looks} ({_named([made.rows[at] for at in sums])}), and"
            f" {'is' if len(sums) == 1 else 'are'} left out."
        )
        _drop(made, sums)
    return rest


def may_be_initials(cell: str) -> bool:
    """Whether a word for a sum or mean may be a person's initials or a site's code as well."""
    return cell.strip().rstrip(".:").casefold() in _MAY_BE_INITIALS


def _without_rows_of_people(
    made: Arranged, body: Sequence[int], sums: list[int], place: Callable[[int], str]
) -> list[int]:
    """The rows of sums without those that begin with what may be initials ("SD"), unless they stand
    beside a row of sums that is surely one, or their numbers are made of those of the others. One
    that stays at the table's end is told.
    """
    unsure = [at for at in sums if may_be_initials(next(iter(_words(made.rows[at])), ""))]
    sure = set(sums).difference(unsure)
    others = [made.rows[at] for at in body if at not in set(sums)]
    number_in_body = {at: number for number, at in enumerate(body)}
    for at in unsure:
        beside = {number_in_body[one] for one in sure}
        number = number_in_body[at]
        if {number - 1, number + 1} & beside or are_statistics_of(made.rows[at], others):
            sure.add(at)
        elif at in body[-2:]:
            made.notes.append(
                f"{place(at)} begins with “{_words(made.rows[at])[0]}” and is read as a row, since"
                " its numbers are no sum, mean or deviation of the others. Leave it out if they"
                " are."
            )
    return sorted(sure)


def are_statistics_of(row: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Whether most numbers of a row are the sum, mean, median or standard deviation of what the
    other rows have in the same column, or stand where these have texts.
    """
    alike = numbers = 0
    for at, cell in enumerate(row):
        given = _value(cell)
        filled = [other[at] for other in others if at < len(other) and other[at].strip()]
        values = [value for value in map(_value, filled) if value is not None]
        if given is not None and 2 * len(values) < len(filled):
            numbers, alike = numbers + 1, alike + 1
            continue
        if given is None or len(values) < _LEAST_SUMMED:
            continue
        numbers += 1
        made = (sum(values), fmean(values), median(values), stdev(values), pstdev(values))
        alike += any(abs(given - one) <= max(abs(one) * 0.002, 0.051) for one in made)
    return numbers > 0 and 2 * alike > numbers


def _is_sum_of(made: Arranged, body: Sequence[int]) -> bool:
    last, above = made.rows[body[-1]], [made.rows[at] for at in body[:-1]]
    numbers = {at: cell for at, cell in enumerate(last) if cell.strip()}
    if len(above) < _LEAST_SUMMED or not numbers or not all(map(_is_number, numbers.values())):
        return False
    # A row that names nothing: it lacks what all others have.
    if not set(_always_filled(above)) - set(numbers):
        return False
    for at, cell in numbers.items():
        values = [_value(row[at]) for row in above if at < len(row) and row[at].strip()]
        given = _value(cell)
        if given is None or None in values or len(values) < _LEAST_SUMMED:
            return False
        total = sum(value for value in values if value is not None)
        near = max(abs(total) * 0.002, 0.051)
        if abs(total - given) > near and abs(total / len(values) - given) > near:
            return False
    return True


def _value(cell: str) -> float | None:
    text = cell.strip().rstrip("%").strip().replace("−", "-")
    if "," in text and "." not in text:
        text = text.replace(",", ".")
    try:
        return float(text)
    except ValueError:
        return None


def _name_sections(made: Arranged, place: Callable[[int], str], merged: Sequence[Span]) -> None:
    """Take headings between the rows out of them, and keep their words in a column: one cell merged
    across the table, a word where the others have numbers, or a word alone above the first row and
    again further down.
    """
    body = [at for at in range(made.header + 1, len(made.rows)) if any(made.rows[at])]
    # A row of sums that stays leaves nearly everything empty.
    always = _always_filled(row for at in body if not begins_with_sum(row := made.rows[at]))
    if len(always) < 2:
        return
    across = {span[0]: span[2] - span[1] + 1 for span in merged}
    first = always[0]
    numbered = [made.rows[at][first] for at in body if first < len(made.rows[at])]
    codes = [cell for cell in numbered if any(map(str.isdigit, cell))]
    alone = {}
    for at in body:
        if _has_several_words(made.rows[at]):
            continue
        words = _words(made.rows[at])
        # A last row of sums that stays was told of already.
        if len(words) == 1 and not _is_sum_word(words[0]):
            alone[at] = words[0]
    begin = [at for at in alone if made.rows[at][0].strip()]
    parted = (
        len(begin) == len(alone) > 1
        and body[0] in alone
        and body[-1] not in alone
        and 3 * len(alone) <= len(body)
        and not any(before in alone and at in alone for before, at in pairwise(body))
    )
    found = []
    for at, word in alone.items():
        wide = across.get(at, 1) >= max(2, (len(always) * 2) // 3)
        coded = len(codes) >= 0.7 * len(numbered) and not any(map(str.isdigit, word))
        coded = coded and len(always) >= _LEAST_WIDE and bool(made.rows[at][first].strip())
        if wide or coded or parted:
            found.append(at)
    if not found or len(found) == len(body):
        return
    names = [cell.strip().casefold() for cell in made.rows[made.header]]
    kept = SECTION not in names
    if kept:
        _add_sections(made, body, {at: alone[at] for at in found})
    one = len(found) == 1
    made.notes.append(
        f"{_places(place, found)} {'is a heading' if one else 'are headings'} between the rows"
        f" ({_named([[alone[at]] for at in found])}), and {'is' if one else 'are'}"
        f" {f'in the column {SECTION!r} now' if kept else 'left out'}."
    )
    _drop(made, found)


def _add_sections(made: Arranged, body: Sequence[int], titles: dict[int, str]) -> None:
    """Give each row the heading that it stands under, or headings if they follow each other."""
    width = len(made.rows[made.header])
    made.rows[made.header] = [*made.rows[made.header], SECTION]
    above, said = -1, ""
    for at in body:
        if at in titles:
            said = f"{said}{JOINT}{titles[at]}" if above in titles else titles[at]
        else:
            row = made.rows[at]
            # A row of sums is of the whole table, and known by having nothing but numbers.
            under = "" if begins_with_sum(row) else said
            made.rows[at] = [*row, *[""] * (width - len(row)), under]
        above = at
