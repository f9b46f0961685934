"""Own studies' items and judgments, in files and out of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from medlens.errors import InvalidInput
from medlens.own import queries
from medlens.own.declaration import Declaration, PaneKind
from medlens.own.study import Study
from medlens.own.tasks import ITEM_KIND, STUDY
from medlens.review import consensus, export, importing, items
from medlens.review.items import NewItem
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.tables import Column, Kind, Report, Request, Row, RowError, json_value, load
from medlens.tables.kinds import ILLUSTRATIVE
from medlens.tables.read import normal_name

_LONGEST = 200_000
"""Characters of a text: nobody reads more at a desk."""
_TURNS = 'a JSON list of turns, each {"role": …, "content": …}'
_ROWS = "a JSON list of rows, each an object"


def import_items(store: Store, study: Study, request: Request) -> Report:
    """``own-items``: the items of a study in the columns that its file declares."""
    declared = _declared(study, request)
    columns = (
        Column(declared.item, "name", f"the {declared.thing}'s name", needed=True),
        *(Column(one.name, "text", one.means, needed=one.required) for one in declared.columns),
        ILLUSTRATIVE,
    )
    kinds = {one.columns[0]: one.kind for one in declared.panes}
    seen: dict[str, tuple[int, Mapping[str, Any]]] = {}
    made_up: list[bool] = []

    def parse(row: Row) -> NewItem:
        given = row.values
        name = _text(given.get(declared.item), declared.item)
        if not name:
            raise RowError(declared.item, f"the {declared.thing}'s name")
        body = {}
        for one in declared.columns:
            cell = _cell(given.get(one.name), one.name, kinds.get(one.name, "text"))
            if one.required and not cell:
                raise RowError(one.name, one.means)
            if cell:
                body[one.name] = cell
        line, first = seen.setdefault(name, (row.line, body))
        if first != body:
            raise RowError(declared.item, f"a name not used already (line {line} has it)", name)
        made_up.append(str(given.get("illustrative") or "").casefold() in ("true", "1"))
        return NewItem(name, body)

    loaded = load(request.source, parse, columns=columns, own_export=True, **request.reading)
    done = items.add(
        store,
        loaded.records,
        study=STUDY,
        kind=ITEM_KIND,
        dataset=declared.id,
        illustrative=declared.illustrative or (bool(made_up) and all(made_up)),
    )
    return Report("items", done.added, done.known, loaded.refused, loaded.notes)


def _declared(study: Study, request: Request) -> Declaration:
    if not study.text:
        raise InvalidInput(
            f"You have no study called {request.dataset!r}.",
            hint="Add it first: python -m medlens study add STUDY.toml --items FILE.",
        )
    return study.declared


def _text(value: Any, column: str) -> str:
    if isinstance(value, list | dict):
        raise RowError(column, "a text", value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "" if pd.isna(value) else str(value)
    if len(text) > _LONGEST:
        raise RowError(column, f"a text of at most {_LONGEST:,} characters", text[:80])
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _cell(value: Any, column: str, kind: PaneKind) -> Any:
    """A cell as it is kept: a text, or of a dialogue or a table a list of objects."""
    if kind not in ("dialogue", "table"):
        return _text(value, column)
    if isinstance(value, str) and value.strip():
        try:
            value = json_value(value)
        except ValueError:
            raise RowError(column, _TURNS if kind == "dialogue" else _ROWS, value) from None
    rows = list(value) if isinstance(value, list | tuple) else [] if value in (None, "") else None
    if rows is None or not all(isinstance(one, Mapping) for one in rows):
        raise RowError(column, _TURNS if kind == "dialogue" else _ROWS, value)
    if kind == "dialogue":
        turns = [(one.get("role"), one.get("content")) for one in rows]
        if not all(isinstance(part, str) for turn in turns for part in turn):
            raise RowError(column, _TURNS, value)
        return [{"role": role, "content": content} for role, content in turns]
    return [dict(one) for one in rows]


def import_judgments(store: Store, study: Study, request: Request) -> Report:
    """``own-judgments``: what ``export own-judgments`` wrote."""
    _declared(study, request)
    return importing.import_judgments(store, study.task, request)


def export_items(store: Store, study: Study) -> pd.DataFrame:
    """The items in the columns of their study, one row each."""
    rows = [
        {
            study.declared.item: name,
            "dataset": study.dataset,
            "illustrative": illustrative,
            **{one.name: body.get(one.name, "") for one in study.declared.columns},
        }
        for name, illustrative, body in queries.items_of(store, study.dataset)
    ]
    return pd.DataFrame(rows)


def export_consensus(store: Store, study: Study, *, viewer: Rater | None) -> pd.DataFrame:
    """One answer per item and question: the adjudicator's, else that of most people."""
    return consensus.majority(store, study.task, dataset=study.dataset, viewer=viewer)


def _named(study: Study, row: Mapping[str, Any]) -> str:
    """The item of a row, whose column may be called otherwise in capitals and spaces."""
    wanted = normal_name(study.declared.item)
    cell = next((row[column] for column in row if normal_name(column) == wanted), None)
    return _text(cell, study.declared.item)


def _asks(study: Study, column: str) -> bool:
    declared = study.declared
    asked = (declared.item, *(one.name for one in declared.columns))
    return normal_name(column) in map(normal_name, asked)


IMPORTS: dict[str, Kind] = {
    "own-items": Kind(
        title="The items of a study of your own, in the columns that its STUDY.toml declares",
        read=import_items,
        looks="A table with a row per item of a study of your own: item, and the columns that its"
        " file declares.",
        columns=(Column("item", "name", "the item's name, unless STUDY.toml names another"),),
        more="those that STUDY.toml declares",
        about=_named,
        asks=_asks,
        known_by=(),
    ),
    "own-judgments": Kind(
        title="Judgments of a study of your own, as exported by MedLens",
        read=import_judgments,
        looks="What Export wrote as own-judgments: one row per judgment, with item and rater.",
        columns=importing.COLUMNS,
        more="version, and one for each question",
        judgments=True,
    ),
}
"""Kinds of files that can be imported."""

EXPORTS: dict[str, tuple[str, Callable[..., pd.DataFrame]]] = {
    "own-judgments": ("Judgments, one row each", export.of_task(lambda study: study.task)),
    "own-consensus": ("One answer per item and question: settled, or of most", export_consensus),
    "own-items": ("The items themselves", export_items),
}
"""Tables that can be exported: what they are, and who makes them."""
