"""Correcting an item, as pages and the command line do it alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import item_corrections, items
from medlens.review.item_corrections import Change, SharedCorrection
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.store import Store, to_json
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import CorrectingShared


@dataclass(frozen=True)
class CorrectableItem:
    """An item that can be corrected: its id, its ``version``, its cells as text by column, what is
    asked of it, and the body that it has with other cells.
    """

    item: str
    version: int
    cells: Mapping[str, str]
    tasks: tuple[Task, ...]
    opened: Any
    study: str
    dataset: str
    body: Mapping[str, Any]
    name: str

    def make_correction_of_cells(self, store: Store, cells: Mapping[str, str]) -> SharedCorrection:
        """What correcting these cells changes.

        Raises:
            InvalidInput: there is no such column, nothing is changed, or a cell is none that the
                study can show.
        """
        if strange := [name for name in cells if name not in self.cells]:
            raise InvalidInput(
                f"The item has no column {strange[0]!r}.", hint=f"It has: {', '.join(self.cells)}."
            )
        correcting = STUDIES[self.study].correcting
        assert correcting is not None
        changed = {name: cell for name, cell in cells.items() if cell != self.cells[name]}
        if isinstance(correcting, CorrectingShared):
            if not changed:
                raise _nothing_changed()
            return correcting.made(store, self.opened, self.item, changed)
        body = to_json(correcting.made(self.opened, self.body, changed))
        if body == to_json(self.body):
            raise _nothing_changed()
        return SharedCorrection(self.study, self.dataset, {self.item: body})


def load_item_to_correct(
    store: Store, settings: Settings, study: str, dataset: str, name: str
) -> CorrectableItem:
    """An item as it can be corrected, withdrawn or not.

    Raises:
        InvalidInput: no such study or item, or it cannot be corrected.
    """
    if study not in STUDIES:
        raise InvalidInput(
            f"There is no study {study!r}.", hint=f"There are: {', '.join(STUDIES)}."
        )
    declared = STUDIES[study]
    if declared.correcting is None:
        raise InvalidInput(
            f"Items of {declared.title} cannot be corrected.",
            hint="Withdraw the item, and import it anew under another name.",
        )
    correcting, opened = declared.correcting, declared.open(store, settings, dataset)
    item = items.item_ids_by_name(store, study, dataset, [name]).get(name) or next(
        # What leads see as an item and the store keeps otherwise.
        (
            thing
            for thing, called in declared.withdrawn_with(store, dataset, [name]).items()
            if called == name
        ),
        "",
    )
    if not item:
        items.item_names_by_id_of_those_named(store, study, dataset, [name])
    version = _version(store, study, item)
    tasks = tuple(declared.tasks(opened))
    if isinstance(correcting, CorrectingShared):
        cells = correcting.cells(store, opened, item)
        return CorrectableItem(item, version, cells, tasks, opened, study, dataset, {}, name)
    body = items.item_body(store, item)
    cells = correcting.cells(opened, body)
    return CorrectableItem(item, version, cells, tasks, opened, study, dataset, body, name)


def _version(store: Store, study: str, item: str) -> int:
    correcting = STUDIES[study].correcting
    own = correcting.version if isinstance(correcting, CorrectingShared) else None
    return own(store, item) if own else items.current_version_of_item(store, item)


def list_correction_effects_in_words(
    store: Store, correctable: CorrectableItem, cells: Mapping[str, str], change: Change
) -> list[str]:
    """What correcting an item would do to the work on it, in sentences; nothing is written.

    Raises:
        InvalidInput: as ``correct_item_and_list_what_was_done``.
    """
    correction = correctable.make_correction_of_cells(store, cells)
    bodies = {
        item: body if isinstance(body, str) else to_json(body)
        for item, body in correction.bodies.items()
    }
    effect = item_corrections.preview_effect_of_corrections_on_judgments(
        store, correctable.tasks, bodies, change=change, shared=correction
    )
    others = [_shown_elsewhere(correction)] if len(correction.bodies) > 1 else []
    return [*others, *(effect.list_effects_in_sentences(change) or ["Nobody has judged it yet."])]


def correct_item_and_list_what_was_done(
    store: Store,
    correctable: CorrectableItem,
    cells: Mapping[str, str],
    *,
    change: Change,
    reason: str,
    by: Rater | None,
) -> list[str]:
    """Correct an item's cells, given as text by column; says what was done, a line each. ``by``
    None: the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no reason, nothing changed, no such column, a cell that the study cannot show,
            or judgments that do not fit although only a typing error is corrected.
        Conflict: somebody else corrected it since it was read.
    """
    require_lead(by)
    correction = correctable.make_correction_of_cells(store, cells)
    if _version(store, correctable.study, correctable.item) != correctable.version:
        raise item_corrections.make_corrected_meanwhile_error()
    effect = item_corrections.correct_items_and_return_effect(
        store,
        correctable.tasks,
        correction.bodies,
        change=change,
        reason=reason,
        by=by,
        shared=correction,
    )
    name = correctable.name
    beside = f" {_shown_elsewhere(correction)}" if len(correction.bodies) > 1 else ""
    return [
        f"Item {name} is corrected (version {correctable.version + 1}).{beside}",
        *effect.list_effects_in_sentences(change),
    ]


def _shown_elsewhere(correction: SharedCorrection) -> str:
    others = len(correction.bodies) - 1
    return f"It is shown in {others:,} other item{'s' * (others != 1)} too."


def _nothing_changed() -> InvalidInput:
    return InvalidInput("Nothing was changed.", hint="The item is as it was.")
