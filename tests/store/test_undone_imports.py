"""An import is undone as if it had never been, or its items are withdrawn; the file comes again."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

from medlens.app import store_check, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput, NotAllowed
from medlens.review import (
    audit_log,
    items,
    judging,
    judgment_import,
    undo_imports,
    withdrawn_items,
)
from medlens.review.judgment_import import make_import_log_row
from medlens.review.raters import Rater
from medlens.store import Store, open_store
from medlens.studies.own import study as own_study
from medlens.studies.own.tasks import Answers
from medlens.studies.registry import STUDIES
from tests.store.killed_steps import stores_after_kills
from tests.store.made_up import person
from tests.store.test_erasing_texts import LETTERS
from tests.store.test_reimporting import FIRST, letters_in_play, take

pytestmark = pytest.mark.usefixtures("read_near")

MORE = {"d": "The fourth letter.", "e": "The fifth letter."}


def lay(store: Store) -> str:
    """A study with three letters and two more of another import, whose entry it returns."""
    own_study.store_study_file_version_and_return_it(store, LETTERS, name="STUDY.toml", by=None)
    take(store, FIRST)
    take(store, MORE)
    [newest, _] = undo_imports.list_undoable_imports(store, viewer=None)
    return newest.entry


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


def judge_letter(store: Store, name: str) -> None:
    study = STUDIES["own"].open(store, Settings(), "letters")
    [item] = items.item_ids_by_name(store, "own", "letters", [name]).values()
    value = Answers(answers={"clear": "Not clear", "why": "so"})
    row = judging.make_imported_judgment_row(study.task.name, item, person(store, "Rosa").id, value)
    store.append("judgment", row)


def test_an_import_on_which_nobody_has_built_is_undone_and_can_come_again(
    store: Store, lead: Rater
) -> None:
    entry = lay(store)
    foreseen = undo_imports.preview_undoing(store, entry, viewer=lead)
    assert (foreseen.before, foreseen.count_items_in_play_after, foreseen.are_items_removed) == (
        5,
        3,
        True,
    )
    undo_imports.undo_import_and_return_import_undo(store, entry, reason="The wrong file.", by=lead)
    assert letters_in_play(store) == FIRST
    # As if they had never come: nothing lists them, as withdrawn neither.
    assert items.item_ids_by_name(store, "own", "letters", ["d"]) == {}
    assert withdrawn_items.withdrawals_in_force_by_item(store, "own", "letters") == {}
    assert withdrawn_items.withdrawn_items_table(store, viewer=lead).empty
    assert [one.entry for one in undo_imports.list_undoable_imports(store, viewer=lead)] != [entry]
    logged = audit_log.entries_table(store, viewer=lead, kinds=["import", "withdrawal"])
    assert logged["detail"].tolist()[0] == "undone: 2 removed, 0 withdrawn: The wrong file."
    assert set(logged["kind"]) == {"import"}
    with pytest.raises(InvalidInput, match="undone already"):
        undo_imports.undo_import_and_return_import_undo(store, entry, reason="Again.", by=lead)

    mended = MORE | {"e": "The fifth letter, mended.", "f": "The sixth letter."}
    done = take(store, mended)
    assert (done.added, done.known) == (3, 0)
    assert letters_in_play(store) == FIRST | mended
    again = take(store, mended)
    assert (again.added, again.known) == (0, 3)
    # That import can be undone too, and come a third time.
    [newest, *_] = undo_imports.list_undoable_imports(store, viewer=lead)
    assert (
        undo_imports.undo_import_and_return_import_undo(
            store, newest.entry, reason="No.", by=lead
        ).count_items_in_play_after
        == 3
    )
    assert take(store, MORE).added == 2
    assert letters_in_play(store) == FIRST | MORE
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_the_items_of_an_import_of_which_some_are_judged_are_withdrawn(
    store: Store, lead: Rater
) -> None:
    entry = lay(store)
    judge_letter(store, "d")
    undoing = undo_imports.undo_import_and_return_import_undo(
        store, entry, reason="The wrong file.", by=lead
    )
    assert not undoing.are_items_removed
    assert undoing.undo_in_words == (
        "2 items of letters.csv are withdrawn, as 1 of them has been worked on. letters goes"
        " from 5 items to 3."
    )
    assert letters_in_play(store) == FIRST
    withdrawn = withdrawn_items.withdrawals_in_force_by_item(store, "own", "letters")
    assert sorted(one.name for one in withdrawn.values()) == ["d", "e"]
    assert store.value("select count(*) from judgment") == 1
    assert store.rows("select removed, withdrawn from import_undone") == [(0, 2)]


def test_whoever_begins_while_an_import_is_undone_loses_nothing(
    store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = lay(store)
    append_all_and_count_new_by_table = store.append_all_and_count_new_by_table

    def judged_between(batch: Any, **how: Any) -> Any:
        if "import_undone" in batch:
            monkeypatch.setattr(
                store, "append_all_and_count_new_by_table", append_all_and_count_new_by_table
            )
            judge_letter(store, "d")
        return append_all_and_count_new_by_table(batch, **how)

    monkeypatch.setattr(store, "append_all_and_count_new_by_table", judged_between)
    undoing = undo_imports.undo_import_and_return_import_undo(
        store, entry, reason="The wrong file.", by=lead
    )
    assert not undoing.are_items_removed
    withdrawn = withdrawn_items.withdrawals_in_force_by_item(store, "own", "letters")
    assert sorted(one.name for one in withdrawn.values()) == ["d", "e"]


def test_an_undoing_that_cannot_be_is_refused_in_words(store: Store, lead: Rater) -> None:
    entry = lay(store)
    with pytest.raises(NotAllowed):
        undo_imports.undo_import_and_return_import_undo(
            store, entry, reason="x", by=person(store, "Rosa")
        )
    with pytest.raises(InvalidInput, match="A reason is missing"):
        undo_imports.undo_import_and_return_import_undo(store, entry, reason=" ", by=lead)
    with pytest.raises(InvalidInput, match="no such import"):
        undo_imports.undo_import_and_return_import_undo(store, "nowhere", reason="x", by=lead)
    counts = {"added": 1, "known": 0, "refused": 0}
    row = make_import_log_row(kind="labels", dataset="letters", file="x.csv", **counts, by="x")
    store.append("import_log", row)
    other = store.value("select id from import_log order by seq desc limit 1")
    with pytest.raises(InvalidInput, match="cannot be undone"):
        undo_imports.undo_import_and_return_import_undo(store, other, reason="x", by=lead)


def undo_last_import(store: Store) -> None:
    [newest, *_] = undo_imports.list_undoable_imports(store, viewer=None)
    undo_imports.undo_import_and_return_import_undo(store, newest.entry, reason="No.", by=None)


@pytest.mark.deep
def test_killed_at_any_step_an_import_is_undone_wholly_or_not_at_all(tmp_path: Path) -> None:
    laid = tmp_path / "laid.duckdb"
    with contextlib.closing(open_store(laid)) as store:
        lay(store)
    for path in stores_after_kills(laid, undo_last_import):
        with contextlib.closing(open_store(path)) as store:
            assert store.list_store_faults_in_words() == []
            is_undone = bool(store.value("select count(*) from import_undone"))
            assert letters_in_play(store) == (FIRST if is_undone else FIRST | MORE)


def test_an_import_of_dialogues_is_undone_and_marked_and_can_come_again(
    store: Store, lead: Rater
) -> None:
    STUDIES["agentclinic"].demo(store)
    exported = work_behind_commands.make_export_table(
        store, Settings(), "dialogues", viewer=None, study="agentclinic", nested=True
    )
    lines = exported.to_json(orient="records", lines=True).encode()

    def take_dialogues() -> int:
        return work_behind_commands.import_file(
            store, Settings(), "agentclinic-dialogues", lines, name="d.jsonl", dataset="again"
        ).added

    cases = STUDIES["agentclinic"].demo_files
    assert cases is not None
    work_behind_commands.import_file(
        *(store, Settings(), "agentclinic-cases", cases / "cases.jsonl"),
        name="cases.jsonl",
        dataset="again",
    )
    many = take_dialogues()
    assert many > 0
    assert "undone" not in judgment_import.recent_imports_table(store, viewer=lead)
    [newest, *_] = undo_imports.list_undoable_imports(store, viewer=lead)
    done = undo_imports.undo_import_and_return_import_undo(
        store, newest.entry, reason="The wrong file.", by=lead
    )
    assert (done.are_items_removed, len(done.items)) == (True, many)
    marked = judgment_import.recent_imports_table(store, viewer=lead).set_index("file")["undone"]
    assert marked.notna()["d.jsonl"]
    assert marked.isna()["cases.jsonl"]
    assert take_dialogues() == many
    assert store_check.list_store_faults_in_words(store, Settings()) == []
