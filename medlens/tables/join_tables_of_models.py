"""Tables that hold one model's answers each, as one table with a row for each case and model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medlens.errors import BadFile
from medlens.tables.evaluation_logs import ANSWER_OF_A_BATCH, name_cases_of_batch_alone
from medlens.tables.join_batch_requests import join_requests_with_answers_and_tell

Rows = Sequence[Mapping[str, Any]]
_OF_A_MODEL = re.compile(
    r"(?i)(ai|ki|ia|language)?[ _-]?(models?|modell[oe]?|modelo|mod[eè]le|llm|generator)"
    r"([ _-]?(name|id))?"
)
_ASKED = re.compile(
    r"(?i)(^|[^a-z])(questions?|prompts?|fragen?|pregunta|pergunta|domanda|vraag|quer(y|ies)|inputs?"
    r"|case|fall|cas|caso|vignette|scenario|context|kontext|instruction)($|[^a-z])"
)
"""Headings of what was asked, which no model wrote."""
_OF_A_CASE = re.compile(r"(?i)(^|[^a-z])(id|nr|no|number|nummer|case|item|index|idx)($|[^a-z])")
_LONG = 20
"""The mean length in characters from which a column's cells are texts."""
_LEAST_SHARED = 0.5
"""The share of the shorter table's cases that must be in the other one."""
_NAMED = 3
_NUMBERS = "Row numbers are those of this table."
MODEL, CASE = "model", "case"


@dataclass(frozen=True)
class Joined:
    """The ``rows`` of the joined table, what to tell of it, and what its files' names share."""

    rows: list[dict[str, Any]]
    notes: list[str]
    called: str


def join_tables_of_models(tables: Sequence[tuple[str, Rows]]) -> Joined:
    """One table from several with the same questions, each a file's name and its rows. Cases are
    known by the text that was asked, or by their ids; those that a table lacks are left out.

    Raises:
        BadFile: they have no cases in common, or nothing says so.
    """
    tables, told = join_requests_with_answers_and_tell(tables)
    for called, rows in tables:
        if all(one.keys() >= ANSWER_OF_A_BATCH for one in rows) and (
            of_cases := name_cases_of_batch_alone(rows)
        ):
            told.append(f"{called}: {of_cases}")
    if len(tables) == 1:
        called, rows = tables[0]
        return Joined(rows, told, re.sub(r"\.[^.]{1,8}$", "", called))
    joined = _joined(tables)
    return Joined(joined.rows, [*told, *joined.notes], joined.called)


def _joined(tables: Sequence[tuple[str, Rows]]) -> Joined:
    names = [name for name, _ in tables]
    stems = [re.sub(r"\.[^.]{1,8}$", "", name) for name in names]
    models, called = _parts_of_names(stems)
    plain = [
        _with_headings_alike(rows, model) for (_, rows), model in zip(tables, models, strict=True)
    ]
    for at, rows in enumerate(plain):
        if not rows:
            raise BadFile(f"{names[at]} has no rows.")
    if below := _one_below_the_other(names, models, plain):
        return Joined(*below, called)
    models, plain = _models_in_columns(models, plain)
    plain = _with_one_answer(plain)
    shared = [one for one in plain[0][0] if all(one in rows[0] for rows in plain[1:])]
    key = _key(names, plain, shared)
    cases = [{_same(row.get(key)): row for row in rows if _same(row.get(key))} for rows in plain]
    common = [case for case in cases[0] if all(case in one for one in cases[1:])]
    alike = [
        column
        for column in shared
        if all(len({_same(one[case].get(column)) for one in cases}) == 1 for case in common)
    ]
    if all(set(alike) >= set(rows[0]) for rows in plain):
        raise BadFile(
            f"{_listed(names)} have the same contents for every case: there is nothing to compare.",
            hint="Take one of them, or the file with the other model's answers.",
        )
    notes = [
        f"{_listed(names)} are joined into one table: {len(common):,}"
        f" {'case' if len(common) == 1 else 'cases'}, matched by “{key}”, with the answers of"
        f" {_listed(models)}. {_NUMBERS}"
    ]
    for name, rows, own in zip(names, plain, cases, strict=True):
        if bare := len(rows) - len(own):
            are = "row has no" if bare == 1 else "rows have no"
            notes.append(
                f"{name}: {bare:,} {are} “{key}”, and {'is' if bare == 1 else 'are'} left out."
            )
    notes += _told_of_missing(names, cases, common)
    named = [column for column in alike if _tells_apart([row.get(column) for row in plain[0]])]
    own_ids = [
        column
        for column in shared
        if column not in alike
        and column != key
        and _OF_A_CASE.search(column)
        and _is_short(plain, column)
    ]
    if own_ids:
        notes.append(
            f"{_listed(own_ids)} differs between the files for the same case: the first"
            " file's value is kept."
        )
    numbered = (
        not any(_OF_A_CASE.search(one) or _is_short(plain, one) for one in named) and not own_ids
    )
    rows = []
    for at, case in enumerate(common, 1):
        first = cases[0][case]
        for model, table in zip(models, cases, strict=True):
            given = {name: cell for name, cell in table[case].items() if name != MODEL}
            rows.append(
                {
                    **({CASE: str(at)} if numbered else {}),
                    **{name: first.get(name) for name in (*alike, *own_ids)},
                    MODEL: model,
                    **{
                        name: cell for name, cell in given.items() if name not in (*alike, *own_ids)
                    },
                }
            )
    return Joined(rows, notes, called)


def _one_below_the_other(
    names: Sequence[str], models: Sequence[str], tables: Sequence[Sequence[dict[str, Any]]]
) -> tuple[list[dict[str, Any]], list[str]] | None:
    """The rows of all tables and what to tell of them, if a table has a row for each case and
    several models; a table without a column of models has the answers of its file's model. None if
    no table is like that, or they have no cases in common.
    """
    columns = [
        next((name for name in rows[0] if _OF_A_MODEL.fullmatch(name)), "") for rows in tables
    ]
    said = [
        list(dict.fromkeys(str(row.get(column) or "").strip() for row in rows)) if column else [own]
        for column, rows, own in zip(columns, tables, models, strict=True)
    ]
    if not any(len([one for one in own if one]) > 1 for own in said):
        return None
    shared = [
        name
        for name in tables[0][0]
        if name not in columns and all(name in rows[0] for rows in tables[1:])
    ]

    def overlap(name: str) -> float:
        held = [{_same(row.get(name)) for row in rows} - {""} for rows in tables]
        return len(set.intersection(*held)) / max(min(map(len, held)), 1)

    keys = [name for name in shared if _ASKED.search(name) or _OF_A_CASE.search(name)]
    key = max(keys, key=overlap, default="")
    if not key or overlap(key) < _LEAST_SHARED:
        return None
    to = next(filter(None, columns))
    rows = [
        {to: own, **row}
        if not column
        else {to if name == column else name: cell for name, cell in row.items()}
        for column, own, table in zip(columns, models, tables, strict=True)
        for row in table
    ]
    listed = list(dict.fromkeys(one for own in said for one in own if one))
    return rows, [
        f"{_listed(names)} are one table now, one below the other, with the answers of"
        f" {_listed(listed)}; cases are matched by “{key}”. {_NUMBERS}"
    ]


def _same(cell: Any) -> str:
    return " ".join(str("" if cell is None else cell).split()).casefold()


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]


def _parts_of_names(stems: Sequence[str]) -> tuple[list[str], str]:
    """What each file's name has that the others have not, and what they share."""
    words = [[*re.finditer(r"[^\W_]+(?:\.[^\W_]+)*", stem)] for stem in stems]
    texts = [[one[0].casefold() for one in own] for own in words]
    shortest = min(map(len, texts))
    first = next((n for n in range(shortest) if len({own[n] for own in texts}) > 1), shortest)
    last = next(
        (n for n in range(shortest - first) if len({own[-1 - n] for own in texts}) > 1),
        shortest - first,
    )
    parts = []
    for stem, own in zip(stems, words, strict=True):
        middle = own[first : len(own) - last]
        parts.append(stem[middle[0].start() : middle[-1].end()] if middle else "")
    begin = [one[0] for one in words[0][:first]] + [
        one[0] for one in words[0][len(words[0]) - last :]
    ]
    if not all(parts) or len({part.casefold() for part in parts}) < len(parts):
        parts = list(stems)
    if len({part.casefold() for part in parts}) < len(parts):
        parts = [f"{part} ({at})" for at, part in enumerate(parts, 1)]
    return parts, " ".join(begin)


def _with_headings_alike(rows: Rows, model: str) -> list[dict[str, Any]]:
    """The rows with headings that are spelt alike in all tables: without spaces around, and without
    the model's name.
    """
    own = {word.casefold() for word in re.findall(r"[^\W_]+", model)}
    names: dict[str, str] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        kept = [word for word in re.split(r"[\s_()\[\]:-]+", name) if word]
        rest = [word for word in kept if word.casefold() not in own]
        bare = " ".join(rest) if rest and len(rest) < len(kept) else name.strip()
        names[name] = bare if bare not in names.values() else name.strip()
    return [{to: row.get(name) for name, to in names.items()} for row in rows]


def _models_in_columns(
    models: list[str], tables: list[list[dict[str, Any]]]
) -> tuple[list[str], list[list[dict[str, Any]]]]:
    """The models as a column of each table names them, if one does, without these columns."""
    found = []
    for rows in tables:
        named = next((name for name in rows[0] if _OF_A_MODEL.fullmatch(name)), "")
        held = {str(row.get(named) or "").strip() for row in rows} if named else set()
        found.append((named, next(iter(held)) if len(held) == 1 else ""))
    said = [model for _, model in found]
    if not all(said) or len({one.casefold() for one in said}) < len(said):
        return models, tables
    return said, [
        [{name: cell for name, cell in row.items() if name != column} for row in rows]
        for (column, _), rows in zip(found, tables, strict=True)
    ]


def _with_one_answer(tables: list[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """The tables with the one column that each has under a heading of its own, the answers, under
    the first table's.
    """
    shared = set.intersection(*(set(rows[0]) for rows in tables))
    own = [
        [
            name
            for name in rows[0]
            if name not in shared and _mean_length([row.get(name) for row in rows]) >= _LONG
        ]
        for rows in tables
    ]
    if any(len(names) != 1 for names in own):
        return tables
    to = own[0][0]
    return [
        [{to if name == names[0] else name: cell for name, cell in row.items()} for row in rows]
        for names, rows in zip(own, tables, strict=True)
    ]


def _mean_length(cells: Sequence[Any]) -> float:
    filled = [_same(cell) for cell in cells if _same(cell)]
    return sum(map(len, filled)) / max(len(filled), 1)


def _is_short(tables: Sequence[Rows], column: str) -> bool:
    return all(_mean_length([row.get(column) for row in rows]) < _LONG for rows in tables)


def _tells_apart(cells: Sequence[Any]) -> bool:
    filled = [_same(cell) for cell in cells if _same(cell)]
    return bool(filled) and len(set(filled)) == len(filled)


def _key(names: Sequence[str], tables: Sequence[Rows], shared: Sequence[str]) -> str:
    """The column by which cases are known in all tables: what was asked, else an id.

    Raises:
        BadFile: there is none.
    """
    cells = {name: [[row.get(name) for row in rows] for rows in tables] for name in shared}
    unique = [name for name in shared if all(map(_tells_apart, cells[name]))]

    def overlap(name: str) -> float:
        held = [{_same(cell) for cell in own if _same(cell)} for own in cells[name]]
        return len(set.intersection(*held)) / max(min(map(len, held)), 1)

    texts = [name for name in unique if not _is_short(tables, name)]
    found = [name for name in texts if overlap(name) >= _LEAST_SHARED]
    if found:
        return max(found, key=overlap)
    asked = [name for name in shared if _ASKED.search(name) and not _is_short(tables, name)]
    ids = [name for name in unique if _is_short(tables, name) and overlap(name) >= _LEAST_SHARED]
    twice = [name for name in asked if name not in unique and overlap(name) >= _LEAST_SHARED]
    if ids and (not asked or twice):
        return ids[0]
    if ids:
        raise BadFile(
            f"{_listed(names)} have the same “{ids[0]}”, but another “{asked[0]}” for it: these are"
            " not the same cases.",
            hint="Give each case the same id and the same question in each file, or make a study of"
            " each file.",
        )
    raise BadFile(
        f"{_listed(names)} have no cases in common: no column of all of them holds the same ids or"
        " the same questions, each once.",
        hint="For a comparison give each case the same id or question in each file, under the same"
        " heading; or put the answers into one table with a column “model”. Otherwise take one file"
        " at a time.",
    )


def _told_of_missing(
    names: Sequence[str], cases: Sequence[Mapping[str, Any]], common: Sequence[str]
) -> list[str]:
    """What each table has that another lacks, counted."""
    found = []
    held = Counter(common)
    for name, own in zip(names, cases, strict=True):
        if lost := [case for case in own if case not in held]:
            first = ", ".join(f"“{case[:40]}”" for case in lost[:_NAMED])
            more = f" and {len(lost) - _NAMED:,} more" * (len(lost) > _NAMED)
            are = (
                "case of it is not in every file and is"
                if len(lost) == 1
                else ("cases of it are not in every file and are")
            )
            found.append(f"{name}: {len(lost):,} {are} left out: {first}{more}.")
    return found
