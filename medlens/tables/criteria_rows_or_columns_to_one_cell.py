"""Criteria as clinicians write them: a row for each, or a column for each with its points in the
heading or in a row of their own. All become one cell with all criteria of an item.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

COLUMN = "criteria"
"""The column that holds the criteria of an item, as JSON."""

_CRITERION = re.compile(
    r"(?:(?:evaluation|assessment|rubric|grading) )?(?:criterion|criteria|criterium)"
    r"|(?:bewertungs|beoordelings)?(?:kriterium|kriterien|criterium|criteria)|kriteri(?:um|et|er|e)"
    r"|crit[ée]rios?(?: (?:de|da) (?:evaluaci[óo]n|avalia[çc][ãa]o|valutazione))?"
    r"|criteri|crit[èe]res?(?: d[’']évaluation)?|kryterium|kryteria|krit[ée]rium|kriteeri|kriter"
    r"|[öo]l[çc][üu]t"
    r"|крит[еє]рии?|критерій|評価基準|基準|評価項目|评分标准|评估标准|기준|평가 ?기준|معيار|المعيار"
    r"|rubric( item)?|[íi]tem (?:da|de la) r[úu]brica|élément de grille",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"(?:max\.? ?)?(?:points?|punkte?|pkt\.?|pts?\.?|puntos?|punt[oi]|pontos?|punten|po[äe]ng"
    r"|pontua[çc][ãa]o|puntuaci[óo]n|punteggio|bar[èe]me|punkty|waga|bod[yů]|váha|баллы?|вес|puan"
    r"|pisteet|配点|点数?|分值|점수|배점|النقاط|weights?|gewicht(?:ung)?|wegingsfactor|weging|peso|poids"
    r"|pond[ée]ration|vekt|vikt)(?: max\.?)?",
    re.IGNORECASE,
)
_NUMBER_OF = re.compile(
    r"(criterion|kriterium|criterium|crit[ée]rio|crit[èe]re|rubric)"
    r"[ _]?(id|nr\.?|n[oº°]\.?|number|nummer)",
    re.IGNORECASE,
)
_IN_HEADING = re.compile(
    r"(?P<text>.*\w.*?)\s*[(\[]\s*(?:max(?:imum|imal|\.)?:?\s*|/\s*)?(?P<points>[+\-−]?\d{1,3}(?:[.,]\d+)?)"
    r"\s*(?:p|pts?|points?|punkte?|pkt|pnt|puntos?|punt[oi]|pontos?|punt(?:en)?|po[äe]ng|bod[yů]?|балл\w*"
    r"|分|点|점|نقاط|نقطة)?\.?\s*[)\]]",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    r"(?P<text>.*[^\W\d_].*?)\s*(?:/|out of|von|sur|de|di|van|av|af|su)\s*(?P<points>\d{1,2})",
    re.IGNORECASE,
)
_BEHIND_COLON = re.compile(
    r"(?P<text>.*[^\W\d_].*?)\s*[:–—-]\s*(?P<points>[+\-−]?\d{1,2})\s*"
    r"(?:p|pts|points?|punkte?|pkt|puntos?|punt[oi]|pontos?|punten|po[äe]ng)\.?",
    re.IGNORECASE,
)
_BEFORE_HEADING = re.compile(
    r"[(\[]\s*(?P<points>[+\-−]?\d{1,3}(?:[.,]\d+)?)\s*(?:p|pts?|points?|punkte?)?\.?\s*[)\]]\s*"
    r"(?P<text>.*[^\W\d_].*)",
    re.IGNORECASE,
)
_LONGEST_END = 120
"""Signs at the end of a heading among which its points stand."""
_MARK = re.compile(
    r"|x|✓|✔|[+\-−–]|\d([.,]\d+)?|yes|no|ja|nein|sí|oui|non|s[iì]|sim|não|nee|да|нет|true|false",
    re.IGNORECASE,
)


def find_rows_with_criteria_folded_and_note(
    rows: Sequence[list[str]], header: int
) -> tuple[list[list[str]], str] | None:
    """The rows with the criteria of each item in one cell, and what to tell of it; None for a table
    without such criteria. Rows that went into another one are empty lists.
    """
    headings = [cell.strip() for cell in rows[header]]
    return (
        _by_rows(rows, header, headings)
        or _by_pairs(rows, header, headings)
        or _by_row_of_points(rows, header, headings)
        or _by_columns(rows, header, headings)
    )


def _by_rows(
    rows: Sequence[list[str]], header: int, headings: Sequence[str]
) -> tuple[list[list[str]], str] | None:
    texts = [at for at, name in enumerate(headings) if _CRITERION.fullmatch(name)]
    points = [at for at, name in enumerate(headings) if _POINTS.fullmatch(name)]
    if len(texts) != 1 or len(points) != 1:
        return None
    of_criterion = {*texts, *points}
    of_criterion |= {at for at, name in enumerate(headings) if _NUMBER_OF.fullmatch(name)}
    items = [at for at in range(len(headings)) if at not in of_criterion]
    made = [list(row) for row in rows]
    criteria: dict[tuple[str, ...], dict[str, float]] = {}
    first: dict[tuple[str, ...], int] = {}
    key: tuple[str, ...] = ()
    for at in range(header + 1, len(rows)):
        row = rows[at]
        if not any(row):
            continue
        if len(row) != len(headings):
            return None
        given = tuple(row[column] for column in items)
        # Below the first criterion of an item its cells are often left empty.
        key = given if any(given) else key
        text, value = " ".join(row[texts[0]].split()), _points(row[points[0]])
        if not key or not text or value is None:
            return None
        first.setdefault(key, at)
        criteria.setdefault(key, {}).setdefault(text, value)
        made[at] = []
    count = sum(bool(row) for row in rows[header + 1 :])
    if not criteria or 2 * len(criteria) > count:
        return None
    if not all(any(value > 0 for value in one.values()) for one in criteria.values()):
        return None
    made[header] = [*(headings[column] for column in items), COLUMN]
    for key, at in first.items():
        made[at] = [*key, _cell(criteria[key])]
    item = "item has its" if len(criteria) == 1 else "items have their"
    return made, (
        f"each row is a criterion: {len(criteria):,} {item} {count:,} criteria in one column now,"
        " with their points, which reviewers do not see."
    )


_NUMBERED = re.compile(r"(?P<word>.*?[^\W\d_])[\s_.#-]*(?P<number>\d{1,2})")


def _by_pairs(
    rows: Sequence[list[str]], header: int, headings: Sequence[str]
) -> tuple[list[list[str]], str] | None:
    """Criteria beside their points, in columns with a number: "Criterion 1", "Points 1", …"""
    texts: dict[int, int] = {}
    points: dict[int, int] = {}
    for at, name in enumerate(headings):
        if match := _NUMBERED.fullmatch(name):
            word = match["word"].replace("_", " ").strip()
            kinds = texts if _CRITERION.fullmatch(word) else points
            if kinds is texts or _POINTS.fullmatch(word):
                kinds.setdefault(int(match["number"]), at)
    if len(texts) < 2 or set(texts) != set(points):
        return None
    pairs = [(texts[number], points[number]) for number in sorted(texts)]
    of_pairs = {at for pair in pairs for at in pair}
    made: list[list[str]] = [list(row) for row in rows]
    items = count = 0
    above_zero = False
    for at in range(header, len(rows)):
        row = rows[at]
        if not any(row):
            continue
        if len(row) != len(headings):
            return None
        criteria: dict[str, float] = {}
        for text, value in pairs if at > header else ():
            words, given = " ".join(row[text].split()), _points(row[value])
            if not words and not row[value].strip():
                continue
            if not words or given is None:
                return None
            criteria[words] = given
        cell = COLUMN if at == header else _cell(criteria) if criteria else ""
        made[at] = [*(one for column, one in enumerate(row) if column not in of_pairs), cell]
        items, count = items + bool(criteria), count + len(criteria)
        above_zero = above_zero or any(value > 0 for value in criteria.values())
    if not above_zero:
        return None
    item = "item has its" if items == 1 else "items have their"
    return made, (
        f"criteria stand beside their points: {items:,} {item} {count:,} criteria in one column"
        " now, with their points, which reviewers do not see."
    )


_LABEL_OF_POINTS = re.compile(
    r"(max(imum|imal|\.)? ?)?(points?|punkte?|pkt\.?|puntos|punti|punten|pontos|weights?|weighting"
    r"|gewicht(ung)?|peso|pond[ée]ration|bar[èe]me)( ?\(?max(imum|imal|\.)?\)?)?( possible)?\s*:?",
    re.IGNORECASE,
)
_VALUE_OF_POINTS = re.compile(
    r"(max\.? ?)?(?P<points>[+\-−]?\d{1,3}([.,]\d+)?)\s*(p|pts?|points?|punkte?|pkt)?\.?",
    re.IGNORECASE,
)
_A_SUM = re.compile(
    r"(sum|total|summe|gesamt|somme|suma|totale|totaal|score)\w*( (score|points?|punkte))?",
    re.IGNORECASE,
)


def _by_row_of_points(
    rows: Sequence[list[str]], header: int, headings: Sequence[str]
) -> tuple[list[list[str]], str] | None:
    """Criteria in the headings, with their points in the first or the last row: "Points", 1, 3, 2.
    A row of points that cannot be given to criteria is left out all the same: it is no item.
    """
    body = [at for at in range(header + 1, len(rows)) if any(rows[at])]
    for at in dict.fromkeys((body[0], body[-1])) if len(body) > 1 else ():
        row = [cell.strip() for cell in rows[at]]
        filled = [column for column, cell in enumerate(row) if cell]
        if len(filled) < 3 or not _LABEL_OF_POINTS.fullmatch(row[filled[0]]):
            continue
        values = {column: _VALUE_OF_POINTS.fullmatch(row[column]) for column in filled[1:]}
        others = [rows[one] for one in body if one != at]
        # An item has a name or a text where this row has nothing.
        lacks = any(
            not (column < len(row) and row[column])
            and all(column < len(one) and one[column].strip() for one in others)
            for column in range(len(headings))
        )
        if not lacks or not all(values.values()):
            continue
        of_criteria = {
            column: points
            for column, match in values.items()
            if match and (points := _points(match["points"]))
            if column < len(headings) and not _A_SUM.fullmatch(headings[column])
        }
        made = [list(one) for one in rows]
        made[at] = []
        named = list(headings)
        for column, points in of_criteria.items():
            named[column] = f"{headings[column]} ({points})"
        width = len(headings)
        padded = [one and [*one, *[""] * (width - len(one))] for one in made]
        of_columns = [*padded[:header], named, *padded[header + 1 :]]
        stand = f"the row {row[filled[0]]!r}"
        if folded := _by_columns(of_columns, header, named, stand=stand):
            return folded
        listed = ", ".join(row[column] for column in filled[1:])
        return made, f"the row {row[filled[0]]!r} ({listed}) is not an item and is left out."
    return None


def _by_columns(
    rows: Sequence[list[str]], header: int, headings: Sequence[str], stand: str = "the heading"
) -> tuple[list[list[str]], str] | None:
    found: dict[int, tuple[str, float]] = {}
    for at, name in enumerate(headings):
        # Of a long heading only the end is looked at: these patterns try each pair of its places.
        cut = max(0, len(name) - _LONGEST_END)
        forms = ((_IN_HEADING, cut), (_BEFORE_HEADING, 0), (_OUT_OF, cut), (_BEHIND_COLON, cut))
        match, before = next(
            ((one, name[:begin]) for form, begin in forms if (one := form.fullmatch(name[begin:]))),
            (None, ""),
        )
        value = _points(match["points"]) if match else None
        if match and value:
            found[at] = (" ".join((before + match["text"]).split()), value)
    body = [row for row in rows[header + 1 :] if any(row)]
    criteria = dict(found.values())
    if len(found) < 2 or len(criteria) < len(found) or len(found) == len(headings):
        return None
    if not any(value > 0 for value in criteria.values()):
        return None
    if any(len(row) != len(headings) for row in body):
        return None
    marked = any(row[at].strip() for row in body for at in found)
    if not all(_MARK.fullmatch(row[at].strip()) for row in body for at in found):
        return None
    cell = _cell(criteria)
    made = [list(row) for row in rows]
    for at in range(header, len(rows)):
        if rows[at]:
            kept = [one for column, one in enumerate(rows[at]) if column not in found]
            made[at] = [*kept, COLUMN if at == header else cell]
    filled = " What stands in their cells is left out." * marked
    return made, (
        f"{len(found)} columns are criteria with their points in {stand}, and are in one column"
        f" now; reviewers do not see the points.{filled}"
    )


def _points(cell: str) -> float | None:
    text = cell.strip().replace("−", "-").replace(",", ".").removeprefix("+")
    try:
        value = float(text)
    except ValueError:
        return None
    return int(value) if value.is_integer() else value


def _cell(criteria: dict[str, float]) -> str:
    listed = [{"criterion": text, "points": value} for text, value in criteria.items()]
    return json.dumps(listed, ensure_ascii=False)
