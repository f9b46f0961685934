"""Undoing an import, as pages and the command line do it alike: with what rests on its items."""

from __future__ import annotations

from medlens.review import undo_imports
from medlens.review.raters import Rater
from medlens.review.undo_imports import ImportUndo, empty_result_of_dependent_work
from medlens.store import Store
from medlens.studies.registry import STUDIES, study_name_of_file_kind


def preview_undoing(store: Store, entry: str, *, viewer: Rater | None) -> ImportUndo:
    """What undoing an import (by the id of its entry in the log) would do.

    Raises:
        NotAllowed, InvalidInput: as ``undo_imports.preview_undoing``.
    """
    return undo_imports.preview_undoing(store, entry, viewer=viewer, resting=_resting(store, entry))


def undo_import_and_return_import_undo(
    store: Store, entry: str, *, reason: str, by: Rater | None
) -> ImportUndo:
    """Undo an import, in one transaction; ``by`` None is the command line. Returns what was done.

    Raises:
        NotAllowed, InvalidInput, Conflict: as ``undo_imports.undo_import_and_return_import_undo``.
    """
    return undo_imports.undo_import_and_return_import_undo(
        store, entry, reason=reason, by=by, resting=_resting(store, entry)
    )


def _resting(store: Store, entry: str) -> undo_imports.FindResting:
    kind = undo_imports.file_kind_of_import(store, entry)
    known = any(kind in study.imports for study in STUDIES.values())
    return (
        STUDIES[study_name_of_file_kind(kind)].resting_on
        if known
        else empty_result_of_dependent_work
    )
