"""Withdrawing, correcting, undoing and erasing a text, killed at twenty moments each: done wholly
or not at all. Archiving and deleting are in ``test_deletion``, erasing a person is in
``test_erasing``, copying in ``test_copying``.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from medlens.app import erasure, item_corrections, item_withdrawals, store_check
from medlens.config.settings import Settings
from medlens.review.erasure_decisions import WHAT
from medlens.store import Store, open_store
from tests.store.killed_steps import stores_after_kills
from tests.store.made_up import person
from tests.store.test_sourcecheckup_corrections import judge, lay, opened, undo, verdict

pytestmark = [pytest.mark.usefixtures("read_near"), pytest.mark.deep]

PAIR = "pair s1 https://a.example/1"


def lay_with_judgments(store: Store) -> None:
    there = lay(store)
    task, rosa = opened(store).support, person(store, "Rosa")
    judge(store, task, there["pair s1"], rosa, verdict("Bees sting"))
    judge(store, task, there["pair s2"], rosa, verdict())


def lay_without_judgments(store: Store) -> None:
    lay(store)


def withdraw_question(store: Store) -> None:
    item_withdrawals.withdraw_items(
        store, "sourcecheckup", "d", ["question q1"], reason="It is out of date.", by=None
    )


def correct_statement_and_page(store: Store) -> None:
    correctable = item_corrections.item_to_correct(store, Settings(), "sourcecheckup", "d", PAIR)
    cells = {"statement": "Wasps sting", "page": "Wasps sting and bees fly far."}
    item_corrections.correct_item(
        store, correctable, cells, change="meaning", reason="A slip.", by=None
    )


def undo_statements(store: Store) -> None:
    undo(store, "statements")


def erase_pair(store: Store) -> None:
    item = erasure.find_item_to_erase(store, "sourcecheckup", PAIR, dataset="d")
    erasure.erase_text(store, Settings(), item, confirmed=PAIR, viewer=None)


def state_of(store: Store) -> dict[str, int]:
    """How many rows each table has, and in how many columns a word of a statement stands."""
    counts = {table: int(store.value(f"select count(*) from {table}")) for table in store.columns}
    counts["named"] = sum(
        bool(
            store.rows(
                f"select 1 from {table} where contains(cast({column} as varchar), 'Bees sting')"
            )
        )
        for table, columns in WHAT.items()
        for column in columns
    )
    return counts


@pytest.mark.parametrize(
    "laying, work",
    [
        (lay_with_judgments, withdraw_question),
        (lay_with_judgments, correct_statement_and_page),
        (lay_without_judgments, undo_statements),
        (lay_with_judgments, erase_pair),
    ],
)
def test_killed_at_any_moment_it_is_done_wholly_or_not_at_all(
    laying: Callable[[Store], None], work: Callable[[Store], None], tmp_path: Path
) -> None:
    laid, done = tmp_path / "laid.duckdb", tmp_path / "done.duckdb"
    with contextlib.closing(open_store(laid)) as store:
        laying(store)
        before = state_of(store)
    shutil.copy(laid, done)
    with contextlib.closing(open_store(done)) as store:
        work(store)
        after = state_of(store)
    assert after != before
    kills = 0
    for path in stores_after_kills(laid, work, kills=20):
        with contextlib.closing(open_store(path)) as store:
            assert state_of(store) in (before, after)
            assert store_check.check_store(store, Settings()) == []
        path.unlink()
        kills += 1
    assert kills == 20
