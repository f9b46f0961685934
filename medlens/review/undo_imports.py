"""Undoing an import of items: as if it had never been, as long as nobody has built on it; else its
items are withdrawn.

It is a fact like any other. The items stay in the store, out of every list, and come back when a
file that has them is imported again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.errors import Conflict, InvalidInput
from medlens.review.raters import Rater, require_lead
from medlens.review.withdrawn_items import COMMAND_LINE, withdrawal_rows_by_table
from medlens.store import Row, Store, new_id

_WORK = (
    *("judgment", "draft", "open_code", "gold", "adjudication", "reference"),
    *("suggestion", "settling", "reveal"),
)
"""The tables whose rows about an item are work on it."""


def make_row_of_items_added_by_import(entry: str, added: Sequence[str]) -> Row:
    """The items (ids) that an import (the id of its entry in the log) added, as a row to append."""
    return {"id": new_id(), "import": entry, "items": list(added)}


@dataclass(frozen=True)
class UndoableImport:
    """An import of items that can be undone: the id of its entry in the log, and what that says;
    ``by`` is a person's name.
    """

    entry: str
    kind: str
    dataset: str
    file: str
    added: int
    at: datetime
    by: str


@dataclass(frozen=True)
class Resting:
    """What rests on items that an import brought, as names by id; ``made_on_them`` counts what was
    imported, drawn or made on them since, other than items that come by themselves.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    made_on_them: int = 0


FindResting = Callable[[Store, Sequence[str]], Resting]
"""Finds what rests on items (ids)."""


def empty_result_of_dependent_work(_store: Store, _items: Sequence[str]) -> Resting:
    """What rests on items on which nothing does."""
    return Resting()


@dataclass(frozen=True)
class ImportUndo:
    """What undoing an import does: ``items`` (names by id) leave the dataset, of which
    ``worked_on`` have work, with what is ``resting`` on them; ``before`` and ``after`` count the
    dataset's items in play, ``leaving`` are those that leave; ``unseen`` goes with them, and no
    list has it.
    """

    file: str
    study: str
    dataset: str
    items: Mapping[str, str]
    worked_on: int
    before: int
    resting: Resting
    leaving: int
    unseen: Mapping[str, str] = field(default_factory=dict)

    @property
    def are_items_removed(self) -> bool:
        """Whether the items are removed, as nobody has worked on any, or else withdrawn."""
        return not (self.worked_on or self.resting.made_on_them)

    @property
    def count_items_in_play_after(self) -> int:
        """How many items the dataset has in play afterwards."""
        return self.before - self.leaving

    @property
    def undo_in_words(self) -> str:
        """It in a sentence or two."""
        many = f"{len(self.items):,} {'item' if len(self.items) == 1 else 'items'}"
        are, them = ("is", "it") if len(self.items) == 1 else ("are", "them")
        rests = ""
        if rest := len(self.resting.names):
            rests = f" and {rest:,} that {'rests' if rest == 1 else 'rest'} on {them}"
            are = "are"
        had = f"{self.before:,} {'item' if self.before == 1 else 'items'}"
        counts = f"{self.dataset} goes from {had} to {self.count_items_in_play_after:,}."
        if self.are_items_removed:
            return (
                f"{many} of {self.file}{rests} {are} removed, as nobody has worked on any. {counts}"
            )
        if not self.worked_on:
            more = self.resting.made_on_them
            return (
                f"{many} of {self.file}{rests} {are} withdrawn, as {more:,}"
                f" {'was' if more == 1 else 'were'} made or imported on {them} since. {counts}"
            )
        some = (
            f"{self.worked_on:,} of them {'has' if self.worked_on == 1 else 'have'} been worked on"
        )
        return f"{many} of {self.file}{rests} {are} withdrawn, as {some}. {counts}"


def list_undoable_imports(store: Store, *, viewer: Rater | None) -> list[UndoableImport]:
    """The imports that can be undone, newest first; no viewer means the command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.rows(
        "select l.id, l.kind, l.dataset, l.file, l.added, l.made_at, coalesce(r.name, l.made_by)"
        " from import_log l join import_items p on p.import = l.id"
        " left join rater r on r.id = l.made_by"
        " anti join import_undone u on u.import = l.id where l.added > 0 order by l.seq desc"
    )
    return [UndoableImport(*row) for row in rows]


def file_kind_of_import(store: Store, entry: str) -> str:
    """The kind of file of an import, by the id of its entry in the log; "" if there is none."""
    kinds = store.column("select kind from import_log where id = $entry", entry=entry)
    return str(kinds[0]) if kinds else ""


def preview_undoing(
    store: Store,
    entry: str,
    *,
    viewer: Rater | None,
    resting: FindResting = empty_result_of_dependent_work,
) -> ImportUndo:
    """What undoing an import (by the id of its entry in the log) would do; ``resting`` finds what
    goes with its items.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: there is no such import, it added more than items, it is undone already, or
            nothing of it is in play.
    """
    require_lead(viewer)
    row = store.find_first_row_as_dict(
        "select l.file, l.dataset, p.items, u.id as undone from import_log l"
        " left join import_items p on p.import = l.id left join import_undone u on u.import = l.id"
        " where l.id = $entry",
        entry=entry,
    )
    if row is None:
        raise InvalidInput("There is no such import.", hint="The list of imports has their ids.")
    if row["undone"]:
        raise InvalidInput("This import is undone already.")
    if row["items"] is None:
        raise InvalidInput(
            "This import cannot be undone: it added no items, or also what people or models said"
            " of them.",
            hint="Withdraw what should not be there.",
        )
    found = store.rows(
        "select i.id, i.name, i.study, i.dataset from thing_in_play i where i.id in $items"
        " order by i.seq",
        items=json.loads(row["items"]),
    )
    if not found:
        raise InvalidInput("Nothing that this import added is in play any more.")
    study, dataset = found[0][2:]
    names = {item: name for item, name, *_ in found}
    rest = resting(store, list(names))
    going = [*names, *rest.names]
    [(before, leaving)] = store.rows(
        "select count(*), count(*) filter (id in $going) from listed_in_play"
        " where study = $study and dataset = $dataset",
        study=study,
        dataset=dataset,
        going=going,
    )
    worked_on = _worked_on(store, going)
    unseen = dict(
        store.rows(
            "select id, name from item_in_play where id in $items and id not in $names",
            items=json.loads(row["items"]),
            names=list(names),
        )
    )
    return ImportUndo(
        *(row["file"], study, dataset, names, worked_on, int(before), rest, int(leaving), unseen)
    )


def _worked_on(store: Store, chosen: Sequence[str]) -> int:
    """How many of these items (ids) somebody or a model has worked on, skipped or flagged."""
    parts = [f"select item from {table} where item in $items" for table in _WORK]
    # Leads' remarks only tell of what became of items.
    parts.append("select item from remark where item in $items and kind = 'unclear'")
    parts.append("select subject from verdict where subject in $items")
    parts.append(
        "select item from assignment_event where item in $items and kind in ('skip', 'flag')"
    )
    query = f"select count(*) from ({' union '.join(parts)})"
    return int(store.value(query, items=list(chosen)) or 0)


def undo_import_and_return_import_undo(
    store: Store,
    entry: str,
    *,
    reason: str,
    by: Rater | None,
    resting: FindResting = empty_result_of_dependent_work,
) -> ImportUndo:
    """Undo an import, in one transaction; ``by`` None is the command line. Returns what was done.
    ``resting`` finds what goes with its items.

    Raises:
        NotAllowed, InvalidInput: as ``preview_undoing``, or there is no reason.
        Conflict: somebody else undid it, or withdrew one of its items, at the same moment.
    """
    undoing = preview_undoing(store, entry, viewer=by, resting=resting)
    reason = remove_invisible_characters_from_name(reason)
    if not reason:
        raise InvalidInput("A reason is missing.", hint="Say why: it is kept with the import.")
    who = by.id if by else COMMAND_LINE
    batch = withdrawal_rows_by_table(
        *(store, {**undoing.unseen, **undoing.resting.names, **undoing.items}),
        study=undoing.study,
        dataset=undoing.dataset,
        reason=reason,
        who=who,
        tell=True,
        undone=undoing.are_items_removed,
    )
    removed = len(undoing.items) if undoing.are_items_removed else 0
    batch["import_undone"] = [
        {
            "id": new_id(),
            "import": entry,
            "removed": removed,
            "withdrawn": len(undoing.items) - removed,
            "reason": reason,
            "made_by": who,
        }
    ]
    try:
        store.append_all_and_count_new_by_table(batch)
    except Conflict as error:
        raise Conflict(
            "Somebody else undid this import, or withdrew an item of it, a moment ago.",
            hint="Look at the imports again.",
        ) from error
    going = [*undoing.items, *undoing.resting.names]
    if undoing.are_items_removed and (begun := _worked_on(store, going)):
        # Somebody began meanwhile: what they do must not vanish with the items.
        withdrawn = [
            {**row, "id": new_id(), "revision": row["revision"] + 1, "undone": None}
            for row in batch["item_withdrawal"]
        ]
        store.append("item_withdrawal", *withdrawn)
        return replace(undoing, worked_on=begun)
    return undoing
