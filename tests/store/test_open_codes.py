"""Open codes in the store: kept, never overwritten, for leads alone."""

from __future__ import annotations

import pytest

from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import open_code_revisions_by_lead
from medlens.review.open_code_revisions_by_lead import Change
from medlens.store import Store
from tests.store.made_up import person, poems


def test_what_a_lead_saved_last_stands_and_the_history_is_kept(store: Store) -> None:
    (poem,) = poems(store, 1)
    lead = person(store, "Ada", lead=True)

    assert open_code_revisions_by_lead.load_last_saved_codes(store, item=poem, rater=lead) is None
    assert open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
        store, Change(poem, 0, {"codes": ["a"]}), by=lead
    ) == [1]
    assert open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
        store, Change(poem, 1, {"codes": ["b"]}), by=lead
    ) == [2]

    now = open_code_revisions_by_lead.load_last_saved_codes(store, item=poem, rater=lead)
    assert now is not None
    assert (now.revision, now.body, now.name) == (2, {"codes": ["b"]}, "poem0")
    history = open_code_revisions_by_lead.list_code_revisions_viewer_may_see(
        store, study="made_up", dataset="poems", viewer=lead
    )
    assert [(one.revision, one.rater_name, one.body) for one in history] == [
        (1, "Ada", {"codes": ["a"]}),
        (2, "Ada", {"codes": ["b"]}),
    ]


def test_two_leads_codes_on_one_item_do_not_meet(store: Store) -> None:
    (poem,) = poems(store, 1)
    ada, ben = person(store, "Ada", lead=True), person(store, "Ben", lead=True)

    open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
        store, Change(poem, 0, {"codes": ["a"]}), by=ada
    )
    open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
        store, Change(poem, 0, {"codes": ["b"]}), by=ben
    )

    found = open_code_revisions_by_lead.load_last_saved_codes(store, item=poem, rater=ada)
    assert found is not None
    assert found.body == {"codes": ["a"]}


def test_a_save_that_builds_on_an_older_state_is_refused_whole(store: Store) -> None:
    first, second = poems(store, 2)
    lead = person(store, "Ada", lead=True)
    open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
        store, Change(first, 0, {"n": 1}), by=lead
    )

    with pytest.raises(Conflict, match="another tab"):
        open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
            store, Change(second, 0, {"n": 1}), Change(first, 0, {"n": 2}), by=lead
        )

    assert open_code_revisions_by_lead.load_last_saved_codes(store, item=second, rater=lead) is None


def test_a_race_lost_between_looking_and_writing_is_a_conflict(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (poem,) = poems(store, 1)
    lead = person(store, "Ada", lead=True)
    append = store.append

    def slower(table: str, *rows: dict) -> int:
        monkeypatch.setattr(store, "append", append)
        open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
            store, Change(poem, 0, {"n": "the other tab"}), by=lead
        )
        return append(table, *rows)

    monkeypatch.setattr(store, "append", slower)
    with pytest.raises(Conflict, match="another tab"):
        open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
            store, Change(poem, 0, {"n": "mine"}), by=lead
        )

    found = open_code_revisions_by_lead.load_last_saved_codes(store, item=poem, rater=lead)
    assert found is not None
    assert found.body == {"n": "the other tab"}


def test_a_reviewer_can_neither_read_nor_write_open_codes(store: Store) -> None:
    (poem,) = poems(store, 1)
    reviewer = person(store, "Rea")

    with pytest.raises(NotAllowed):
        open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
            store, Change(poem, 0, {}), by=reviewer
        )
    with pytest.raises(NotAllowed):
        open_code_revisions_by_lead.load_last_saved_codes(store, item=poem, rater=reviewer)
    with pytest.raises(NotAllowed):
        open_code_revisions_by_lead.list_code_revisions_viewer_may_see(
            store, study="made_up", dataset="poems", viewer=reviewer
        )


def test_codes_on_an_item_that_is_not_there_are_refused(store: Store) -> None:
    lead = person(store, "Ada", lead=True)

    with pytest.raises(InvalidInput, match="no such item"):
        open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
            store, Change("nothing", 0, {}), by=lead
        )
