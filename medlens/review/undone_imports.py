"""Undoing an import of items: as if it had never been, as long as nobody has built on it; else its
items are withdrawn.

It is a fact like any other. The items stay in the store, out of every list, and come back when a
file that has them is imported again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from medlens.config.person_names import clean_name
from medlens.errors import Conflict, InvalidInput
from medlens.review.raters import Rater, require_lead
from medlens.review.withdrawn_items import COMMAND_LINE, withdrawal_rows
from medlens.store import Row, Store, new_id

_WORK = (
    *("judgment", "draft", "open_code", "gold", "adjudication", "reference"),
    *("suggestion", "settling", "reveal"),
)
"""The tables whose rows about an item are work on it."""


def import_items_row(entry: str, added: Sequence[str]) -> Row:
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
class Undoing:
    """What undoing an import does: ``items`` (names by id) leave the dataset, of which
    ``worked_on`` have work; ``before`` and ``after`` count the dataset's items in play.
    """

    file: str
    study: str
    dataset: str
    items: Mapping[str, str]
    worked_on: int
    before: int

    @property
    def removes(self) -> bool:
        """Whether the items are removed, as nobody has worked on any, or else withdrawn."""
        return not self.worked_on

    @property
    def after(self) -> int:
        """How many items the dataset has in play afterwards."""
        return self.before - len(self.items)

    @property
    def sentence(self) -> str:
        """It in a sentence or two."""
        many = f"{len(self.items):,} {'item' if len(self.items) == 1 else 'items'}"
        counts = f"{self.dataset} has {self.before:,} before and {self.after:,} after."
        if self.removes:
            return f"{many} of {self.file} are removed, as nobody has worked on any. {counts}"
        some = (
            f"{self.worked_on:,} of them {'has' if self.worked_on == 1 else 'have'} been worked on"
        )
        return f"{many} of {self.file} are withdrawn, as {some}. {counts}"


def undoable_imports(store: Store, *, viewer: Rater | None) -> list[UndoableImport]:
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


def foresee_undoing(store: Store, entry: str, *, viewer: Rater | None) -> Undoing:
    """What undoing an import (by the id of its entry in the log) would do.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: there is no such import, it added more than items, it is undone already, or
            nothing of it is in play.
    """
    require_lead(viewer)
    row = store.one(
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
            "This import cannot be undone: it added no items of error tagging, dialogues of"
            " AgentClinic or items of a study of your own, or more than these.",
            hint="Withdraw what should not be there.",
        )
    found = store.rows(
        "select i.id, i.name, i.study, i.dataset from item_in_play i where i.id in $items"
        " order by i.seq",
        items=json.loads(row["items"]),
    )
    if not found:
        raise InvalidInput("Nothing that this import added is in play any more.")
    study, dataset = found[0][2:]
    before = store.value(
        "select count(*) from item_in_play where study = $study and dataset = $dataset",
        study=study,
        dataset=dataset,
    )
    names = {item: name for item, name, *_ in found}
    return Undoing(row["file"], study, dataset, names, _worked_on(store, list(names)), int(before))


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


def undo_import(store: Store, entry: str, *, reason: str, by: Rater | None) -> Undoing:
    """Undo an import, in one transaction; ``by`` None is the command line. Returns what was done.

    Raises:
        NotAllowed, InvalidInput: as ``foresee_undoing``, or there is no reason.
        Conflict: somebody else undid it, or withdrew one of its items, at the same moment.
    """
    undoing = foresee_undoing(store, entry, viewer=by)
    reason = clean_name(reason)
    if not reason:
        raise InvalidInput("A reason is missing.", hint="Say why: it is kept with the import.")
    who = by.id if by else COMMAND_LINE
    batch = withdrawal_rows(
        *(store, undoing.items),
        study=undoing.study,
        dataset=undoing.dataset,
        reason=reason,
        who=who,
        tell=True,
        undone=undoing.removes,
    )
    removed = len(undoing.items) if undoing.removes else 0
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
        store.append_all(batch)
    except Conflict as error:
        raise Conflict(
            "Somebody else undid this import, or withdrew an item of it, a moment ago.",
            hint="Look at the imports again.",
        ) from error
    if undoing.removes and (begun := _worked_on(store, list(undoing.items))):
        # Somebody began meanwhile: what they do must not vanish with the items.
        withdrawn = [
            {**row, "id": new_id(), "revision": row["revision"] + 1, "undone": None}
            for row in batch["item_withdrawal"]
        ]
        store.append("item_withdrawal", *withdrawn)
        return replace(undoing, worked_on=begun)
    return undoing
