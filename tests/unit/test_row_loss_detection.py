"""The note beside a store of how many rows it had saved."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from medlens.store.row_count_note_and_loss_detection import SavedRowsNote


def missing_when_opened(
    store: Path, rows: Mapping[str, int], *, born: str = "b1"
) -> dict[str, int]:
    """By table, the rows that a store with so many says it has lost."""
    with contextlib.closing(SavedRowsNote(str(store), born=born, rows=rows)) as note:
        return dict(note.losses[-1].rows) if note.losses else {}


def noted(store: Path, rows: Mapping[str, int]) -> SavedRowsNote:
    return SavedRowsNote(str(store), born="b1", rows=rows)


def test_rows_that_were_noted_and_are_not_there_are_lost(tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    with contextlib.closing(noted(store, {"judgment": 3, "draft": 2})) as note:
        note.add_saved_rows({"judgment": 2, "item": 1})
    for there in ({"judgment": 5, "draft": 2, "item": 1}, {"judgment": 6, "draft": 9, "item": 1}):
        assert missing_when_opened(store, there) == {}
        with contextlib.closing(noted(store, {"judgment": 5, "draft": 2, "item": 1})):
            pass
    # Another store at the same path has lost nothing of the first.
    assert missing_when_opened(tmp_path / "s.duckdb", {}, born="b2") == {}


def test_what_is_missing_is_counted_by_table_and_told_until_somebody_has_dealt_with_it(
    tmp_path: Path,
) -> None:
    store = tmp_path / "s.duckdb"
    noted(store, {"judgment": 5, "draft": 2}).close()
    assert missing_when_opened(store, {"judgment": 4}) == {"judgment": 1, "draft": 2}
    assert missing_when_opened(store, {"judgment": 4}) == {"judgment": 1, "draft": 2}


def test_while_a_store_is_written_anew_the_note_claims_no_more_than_both_have(
    tmp_path: Path,
) -> None:
    # Erasing takes a judgment away and adds a word that it was done. Killed before or after the
    # store is the new one, neither has lost anything.
    before, after = {"judgment": 5, "draft": 2}, {"judgment": 4, "draft": 2, "erasure": 1}
    for there in (before, after):
        store = tmp_path / f"{len(there)}.duckdb"
        with contextlib.closing(noted(store, before)) as note:
            note.begin_note_anew(after)
        assert missing_when_opened(store, there) == {}
