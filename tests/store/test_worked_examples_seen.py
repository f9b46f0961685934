"""A worked example opens by itself once for each person and task, whatever browser they use."""

from __future__ import annotations

from dataclasses import replace

import pytest

from medlens.errors import Conflict
from medlens.review import judging
from medlens.review.worked_examples_seen import has_seen_example, record_seen_example
from medlens.store import Store
from tests.store.made_up import TASK, person


def test_what_one_person_has_seen_of_one_task_says_nothing_of_others(store: Store) -> None:
    rosa, sam = person(store, "Rosa"), person(store, "Sam")
    assert not has_seen_example(store, TASK, person=rosa)
    for _ in range(2):
        record_seen_example(store, TASK, person=rosa)
    assert has_seen_example(store, TASK, person=rosa)
    assert not has_seen_example(store, TASK, person=sam)
    assert not has_seen_example(store, replace(TASK, name="other"), person=rosa)
    assert store.value("select count(*) from draft") == 1


def test_two_tabs_that_open_it_at_once_are_no_error(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other_tab_was_first(*_: object, **__: object) -> None:
        raise Conflict("Saved by another tab.")

    monkeypatch.setattr(judging, "save_draft", other_tab_was_first)
    record_seen_example(store, TASK, person=person(store, "Rosa"))
