"""Judgments in from files, for any task: what ``review.judgment_export`` wrote, or the same
columns.

Ids are kept, so an import can be repeated, and judgments and their parts can come in either order.
Exception: a judgment gets a new id if the file was already imported into another dataset.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.deferred_module import pd
from medlens.errors import BadFile, BadRow, Conflict, InvalidInput, MedLensError
from medlens.review import items, raters
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.store import Lookup, Store, new_id, stable_id
from medlens.tables import (
    Column,
    Loaded,
    Refused,
    Report,
    Request,
    Row,
    RowError,
    load_parsed_and_refused_rows,
    make_source_rereadable,
)
from medlens.tables.column_reader import distinct_texts_in_column
from medlens.tables.file_schemas_import_requests_and_reports import Compared, Revising


@dataclass(frozen=True)
class _Found:
    """A judgment read from a file."""

    row: dict[str, Any]
    rater: dict[str, Any]
    item: str
    line: int


_AT_ONCE = 1_000
MOST_REVISIONS = 1_000_000
"""The next revision, made here, needs a number too."""
COLUMNS = (
    Column("item", "name", "the item's name", needed=True),
    Column("rater", "name", "who judged", needed=True),
    Column("value", "object", "the whole judgment, in JSON lines and Parquet"),
    Column("judgment_id", "name", "its id, so that it is not imported twice"),
    Column("study", "name", "the study"),
    Column("task", "name", "what was asked"),
    Column("rater_handle", "name", "the rater's handle in the store that it came from"),
    Column("rater_kind", "word", "what the rater is", allowed=("person", "model")),
    Column(
        "revision",
        "whole",
        "which of the rater's judgments on the item, from 1",
        least=1,
        most=MOST_REVISIONS,
    ),
    Column("stands", "truth", "whether figures use it; written, never read"),
    Column("blind", "truth", "whether others' judgments were unseen; by default true"),
    Column("origin", "name", "where it was made; by default import"),
    Column("active_seconds", "number", "time spent on it", unit="seconds"),
    Column("idle_seconds", "number", "time without a key press or mouse movement", unit="seconds"),
    Column("judged_at", "moment", "when it was made; by default on importing it"),
    Column(
        "guideline",
        "whole",
        "the version of the guideline that it was made under",
        least=1,
        most=MOST_REVISIONS,
    ),
    Column("pass_number", "whole", "2 if the item came again; by default 1", least=1, most=2),
    Column(
        "item_version",
        "whole",
        "the version of the item that it was made on; by default the first",
        least=1,
        most=MOST_REVISIONS,
    ),
    Column("withdrawn_at", "moment", "when its item was withdrawn; written, never read"),
    Column("withdrawn_reason", "name", "why its item was withdrawn; written, never read"),
    Column("run_id", "name", "of a model: the run that made it"),
    Column("prompt_version", "name", "of a model: the version of the prompt"),
)
"""Judgments as ``judgment_export.judgments_table`` writes them, without their task's own
columns.
"""


def import_judgments_of_task_in_file(
    store: Store, tasks: Mapping[str, Task], usual: str, request: Request
) -> Report:
    """Import judgments of the task named in the column ``task``, or else of the ``usual`` one.

    Raises:
        BadFile: the column names several tasks, or none of ``tasks``; or as ``import_judgments``.
        InvalidInput: as ``import_judgments``.
    """
    request = replace(request, source=make_source_rereadable(request.source))
    named: Collection[str] | None = distinct_texts_in_column(
        request.source, "task", name=request.name
    )
    if named is None:
        named = load_parsed_and_refused_rows(
            request.source,
            lambda row: str(row.values.get("task") or usual),
            name=request.name,
            columns=COLUMNS,
            own_export=True,
            skip_bad=True,
        ).records
    found = sorted({one or usual for one in named}) or [usual]
    if len(found) > 1 or found[0] not in tasks:
        raise BadFile(
            f"{request.name}: the column 'task' holds {', '.join(found)}.",
            hint=f"Import a file of one task at a time: {', '.join(tasks)}.",
        )
    return import_judgments(store, tasks[found[0]], request)


def import_judgments(
    store: Store, task: Task, request: Request, *, what: str = "judgments"
) -> Report:
    """Import what ``judgment_export.judgments_table`` wrote (or the same columns made elsewhere).

    Raises:
        BadFile: rows that cannot be judgments of this task (unless ``skip_bad``).
        InvalidInput: a judgment contradicts a stored one.
    """

    def parse(row: Row) -> _Found:
        given = row.values
        whole = given.get("value")
        if whole not in (None, ""):
            value = _refusing("value", lambda: task.parse(whole))
        elif task.can_read_answer_from_columns:
            value = _refusing("", lambda: task.answer_from_columns(given))
        else:
            raise RowError("value", "the whole value of the judgment")
        # Labels without their places: these come with the parts.
        complete = whole not in (None, "") or not task.answer_as_rows_of_parts(value)
        return _found(task, row, value, complete=complete)

    loaded = load_parsed_and_refused_rows(
        request.source,
        parse,
        columns=COLUMNS,
        own_export=True,
        **request.reading_options,
    )
    return _add(store, task, loaded, request, what)


def import_judgments_with_parts(store: Store, task: Task, request: Request) -> Report:
    """Import what ``judgment_export.judgment_parts_table`` wrote: judgments with their parts,
    grouped by judgment.

    Raises:
        BadFile, InvalidInput: as ``import_judgments``.
    """
    if not task.can_import_parts:
        raise InvalidInput(f"Judgments of {task.title!r} have no parts.")
    groups: dict[tuple[str, ...], list[Row]] = {}

    def gather(row: Row) -> None:
        given = row.values
        key = str(given.get("judgment_id") or "")
        place = (str(given["item"]), str(given["rater"]), str(given.get("revision") or ""))
        groups.setdefault((key,) if key else place, []).append(row)

    first: Loaded[None] = load_parsed_and_refused_rows(
        request.source,
        gather,
        columns=COLUMNS,
        own_export=True,
        **request.reading_options,
    )
    found: list[_Found] = []
    refused: list[Refused] = list(first.refused)
    for rows in groups.values():
        try:
            values: list[Mapping[str, Any]] = [row.values for row in rows]
            value = _refusing("", partial(task.answer_from_rows_of_parts, values[0], values))
            found.append(_found(task, rows[0], value, complete=True))
        except RowError as error:
            problem = BadRow(first.name, rows[0].line, error.column, error.expected, error.got)
            refused.append(Refused(rows[0], problem))
    if refused and not request.skip_bad:
        bad = [one.problem for one in refused]
        raise BadFile(
            f"{first.name}: {len(bad)} judgments were refused. {bad[0]}",
            hint="Correct them, or import the rest with --skip-bad.",
            rows=bad,
        )
    loaded = Loaded(first.name, tuple(found), tuple(refused), first.notes)
    return _add(store, task, loaded, request, "judgments")


def _refusing(column: str, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except MedLensError as error:
        raise RowError(column, f"a judgment of this task ({error.message})") from error
    except (KeyError, TypeError, ValueError) as error:
        raise RowError(column, f"a judgment of this task ({error})") from error


def _found(task: Task, row: Row, value: Any, *, complete: bool) -> _Found:
    given = row.values
    handle = _text(given, "rater_handle")
    kind = _text(given, "rater_kind") or "person"
    if kind not in ("person", "model"):
        raise RowError("rater_kind", "person or model", kind)
    try:
        rater = raters.make_rater_row(
            _text(given, "rater"),
            kind="model" if kind == "model" else "person",
            origin=handle.split(":")[0] if handle else "import",
            handle=handle or None,
        )
    except InvalidInput as error:
        raise RowError("rater", error.message, given.get("rater")) from error
    item, revision = _text(given, "item"), int(_number(given, "revision", 1.0) or 1)
    under = _number(given, "guideline", None)
    on = _number(given, "item_version", None)
    for column, number in (("revision", revision), ("guideline", under), ("item_version", on)):
        if number is not None and not 1 <= number <= MOST_REVISIONS:
            expected = f"a whole number from 1 to {MOST_REVISIONS:,}"
            raise RowError(column, expected, given.get(column))
    again = _number(given, "pass_number", None)
    if again not in (None, 1, 2):
        raise RowError("pass_number", "1 or 2", given.get("pass_number"))
    body = task.value.model_dump_json(value)
    row_id = _text(given, "judgment_id") or stable_id(
        "judgment", task.name, item, rater["id"], str(revision), body
    )
    return _Found(
        {
            "id": row_id,
            "made_at": _moment(given),
            "task": task.name,
            "rater": rater["id"],
            "revision": revision,
            "body": body,
            "blind": _truth(given, "blind", True),
            "origin": _text(given, "origin") or "import",
            "complete": complete,
            "active_seconds": _number(given, "active_seconds", None),
            "idle_seconds": _number(given, "idle_seconds", None),
            "guideline": under and int(under),
            "pass": 2 if again == 2 else None,
            "version": on and int(on),
            "run": (_text(given, "run_id") or None) if kind == "model" else None,
            "prompt": (_text(given, "prompt_version") or None) if kind == "model" else None,
        },
        rater,
        item,
        row.line,
    )


def _add(store: Store, task: Task, loaded: Loaded[_Found], request: Request, what: str) -> Report:
    dataset, names = request.dataset, {one.item for one in loaded.records}
    known_items = items.item_ids_by_name(store, task.study, dataset, sorted(names))
    lost = sorted(names - set(known_items))
    if lost and not request.skip_bad:
        raise InvalidInput(
            f"{len(lost)} items of this file are not in the dataset {dataset!r}; the first is"
            f" {lost[0]!r}.",
            hint="Import the items first, or name their dataset with --dataset.",
        )
    found = [one for one in loaded.records if one.item in known_items]
    rows = []
    for start in range(0, len(found), _AT_ONCE):
        part = found[start : start + _AT_ONCE]
        bodies = items.load_item_bodies_by_id(
            store, sorted({known_items[one.item] for one in part})
        )
        for one in part:
            item = known_items[one.item]
            value, version = task.parse(one.row["body"]), one.row["version"]
            problems = task.problems_of_draft(value, bodies[item])
            newest = items.current_version_of_item(store, item)
            if (version or 1) < newest:
                # Its marks are those of the version that it names, or, in files of what stands, of
                # the text as it is now.
                of_then = items.item_body(store, item, version or 1)
                if task.problems_of_draft(value, of_then):
                    version = newest
                else:
                    problems = []
            if problems:
                raise InvalidInput(f"{loaded.name}, line {one.line}: {' '.join(problems)}")
            rows.append({**one.row, "item": item, "version": version})
    _refuse_twice(loaded, known_items)
    rows, known = _beside_those_there(store, task, _with_ids_of_their_own(store, rows))
    notes = loaded.notes
    if lost:
        notes += (f"{len(lost)} items were not found and their judgments left out.",)
    people = {one.rater["id"]: one.rater for one in loaded.records}
    append_imported_rows_and_count_by_table(
        store, {"rater": list(people.values()), "judgment": rows}
    )
    return Report(what, len(rows), known, loaded.refused, notes)


def _refuse_twice(loaded: Loaded[_Found], known_items: Mapping[str, str]) -> None:
    """Refuse a file that gives one revision two answers, or two judgments one id.

    Raises:
        InvalidInput: it does.
    """
    seen: dict[tuple[str, str, int], _Found] = {}
    named: dict[str, tuple[tuple[str, str, int], _Found]] = {}
    for one in loaded.records:
        if one.item not in known_items:
            continue
        place = (known_items[one.item], one.rater["id"], one.row["revision"])
        first = seen.setdefault(place, one)
        if first.row["id"] != one.row["id"]:
            raise InvalidInput(
                f"{loaded.name}, lines {first.line} and {one.line}: {one.rater['name']!r} gives two"
                f" answers for {one.item!r}, both as revision {one.row['revision']}.",
                hint="Keep one of them, or number the revisions.",
            )
        of, other = named.setdefault(one.row["id"], (place, one))
        if of != place:
            raise InvalidInput(
                f"{loaded.name}, lines {other.line} and {one.line}: two judgments have the id"
                f" {one.row['id']!r}.",
                hint="Give each an id of its own in judgment_id, or leave that column out.",
            )


def _with_ids_of_their_own(store: Store, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with the ids of their file; a new id if another item's judgment has that one.

    So one file can be imported into several datasets, but only once into each.
    """
    items_of = item_ids_by_judgment_id(store, [row["id"] for row in rows])
    return [{**row, "id": imported_judgment_id(row["id"], row["item"], items_of)} for row in rows]


_ITEMS_OF_JUDGMENTS = Lookup(
    "judgment_import.items_of_judgments",
    "select id, item from judgment where id in $ids",
)


def item_ids_by_judgment_id(store: Store, ids: Sequence[str]) -> dict[str, str]:
    """The items of these judgments, as far as the store has them."""
    return dict(store.rows(_ITEMS_OF_JUDGMENTS, ids=list(ids)))


def imported_judgment_id(given: str, item: str, items_of: Mapping[str, str]) -> str:
    """The id for a judgment whose file says ``given``; ``items_of`` is from
    ``item_ids_by_judgment_id``.
    """
    return given if items_of.get(given, item) == item else stable_id("judgment", given, item)


_LAST_REVISION = Lookup(
    "judgment_import.last_revision",
    "select max(revision) from judgment where task = $task and item = $item and rater = $rater",
    item="items",
)


_ARE_COMPLETE = Lookup(
    "judgment_import.are_complete",
    "select id, complete from judgment where id in $ids",
)


def _beside_those_there(
    store: Store, task: Task, rows: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], int]:
    """Leave out known judgments; one stored with labels only is superseded by the one with parts.

    Two files without ids may bring a judgment's labels and the same judgment with its parts: they
    are matched by rater, item and revision if their labels are the same.
    """
    rows = _as_known(store, task, rows)
    ids = [row["id"] for row in rows]
    there = dict(store.rows(_ARE_COMPLETE, ids=ids))
    # Older stores, from before the view ``judgment_told``, used another id for them.
    completed = {name: i for i in ids for name in (_whole_id(i), stable_id("parts", i))}
    done = {completed[i] for i in store.known_ids("judgment", list(completed))}
    fresh = []
    for row in rows:
        if row["id"] not in there:
            fresh.append(row)
        elif row["complete"] and not there[row["id"]] and row["id"] not in done:
            top = store.value(
                _LAST_REVISION,
                task=row["task"],
                item=row["item"],
                rater=row["rater"],
            )
            fresh.append({**row, "id": _whole_id(row["id"]), "revision": top + 1})
    return fresh, len(rows) - len(fresh)


def _whole_id(labels: str) -> str:
    """The id of the judgment that adds the parts to one imported as labels only.

    By this id the view ``judgment_told`` shows both as one revision.
    """
    return hashlib.md5(f"parts {labels}".encode(), usedforsecurity=False).hexdigest()


_JUDGMENTS_TOLD = Lookup(
    "judgment_import.judgments_told",
    "select item, rater, revision, id, complete, body from judgment_told"
    " where task = $task and item in $items",
    items="items",
)


def _as_known(store: Store, task: Task, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with the ids of their stored judgments, whether labels only or with parts."""
    if not (task.can_read_answer_from_columns and task.do_answers_have_parts):
        return rows
    told = store.rows(
        _JUDGMENTS_TOLD,
        task=task.name,
        items=list({row["item"] for row in rows}),
    )
    there = {tuple(place): found for *place, found in ((*one[:3], one[3:]) for one in told)}
    known = []
    for row in rows:
        name, complete, body = there.get((row["item"], row["rater"], row["revision"]), ("", 0, ""))
        if name and name != row["id"]:
            alike = task.parse if complete == row["complete"] else partial(_flat, task)
            if alike(body) == alike(row["body"]):
                known.append({**row, "id": name})
                continue
        known.append(row)
    return known


def _flat(task: Task, body: str) -> Mapping[str, Any]:
    """The flat columns of a judgment, without its parts."""
    return task.answer_as_columns(
        task.answer_from_columns(task.answer_as_columns(task.parse(body)))
    )


def count_rows_already_stored(store: Store, table: str, rows: Sequence[Mapping[str, Any]]) -> int:
    """How many of these rows are already in the store, by id."""
    return len(store.known_ids(table, [row["id"] for row in rows]))


def append_imported_rows_and_count_by_table(
    store: Store, batch: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, int]:
    """Append imported rows, all or nothing.

    Raises:
        InvalidInput: a row contradicts a stored one with the same item and rater.
    """
    try:
        return store.append_all_and_count_new_by_table(batch)
    except Conflict as error:
        raise InvalidInput(
            "There is already a different judgment by the same rater on the same item.",
            hint="Was the file changed since it was imported? Use another dataset.",
        ) from error


def make_import_log_row(
    *,
    kind: str,
    dataset: str,
    file: str,
    added: int,
    known: int,
    refused: int,
    by: str,
    compared: Compared | None = None,
    revising: Revising | None = None,
    entry: str = "",
) -> dict[str, Any]:
    """A row for the import log: what was imported, and by whom; of items (``compared``) also how
    many were corrected and withdrawn, as a lead chose in ``revising``. ``entry`` is its id.
    """
    corrects = revising is not None and revising.changed in ("typing", "meaning")
    withdraws = revising is not None and revising.missing == "withdraw"
    return {
        "id": entry or new_id(),
        "kind": kind,
        "dataset": dataset,
        "file": remove_invisible_characters_from_name(file),
        "digest": "",
        "added": added,
        "known": known,
        "refused": refused,
        "made_by": by,
        "changed": (compared.changed if corrects else 0) if compared else None,
        "withdrawn": (compared.missing if withdraws else 0) if compared else None,
    }


def _text(given: Mapping[str, Any], column: str) -> str:
    value = given.get(column)
    return "" if value is None else str(value).strip()


def _number(given: Mapping[str, Any], column: str, otherwise: float | None) -> float | None:
    value = given.get(column)
    if value is None or value == "":
        return otherwise
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise RowError(column, "a number", value) from error
    return number if math.isfinite(number) else otherwise


def _truth(given: Mapping[str, Any], column: str, otherwise: bool) -> bool:
    text = _text(given, column).casefold()
    if text not in ("", "true", "false", "1", "0"):
        raise RowError(column, "true or false", text)
    return otherwise if text == "" else text in ("true", "1")


def _moment(given: Mapping[str, Any]) -> datetime | None:
    value = given.get("judged_at")
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    text = _text(given, "judged_at")
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise RowError("judged_at", "a date and time (ISO 8601)", text) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def recent_imports_table(store: Store, *, viewer: Rater) -> pd.DataFrame:
    """The last 100 imports, newest first: when, who, file, kind, dataset, added, known, refused;
    and, if one was, when it was ``undone``.

    ``who`` is a person's name, or ``command line``.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    table = store.read(
        'select l.made_at as "when", coalesce(r.name, l.made_by) as who, l.file, l.kind, l.dataset,'
        " l.added, l.known, l.refused, u.made_at as undone from import_log l"
        " left join rater r on r.id = l.made_by left join import_undone u on u.import = l.id"
        " order by l.seq desc limit 100"
    )
    return table if table["undone"].notna().any() else table.drop(columns="undone")


def list_imports_into_dataset(
    store: Store, dataset: str, kinds: Collection[str]
) -> list[dict[str, Any]]:
    """The files of these kinds imported into a dataset, oldest first: kind, file, added, known,
    refused, made_at.
    """
    return store.query_rows_as_dicts(
        "select kind, file, added, known, refused, made_at from import_log"
        " where dataset = $dataset and kind in $kinds order by seq",
        dataset=dataset,
        kinds=list(kinds),
    )
