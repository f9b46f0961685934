"""Two adjudicators do not settle the same item at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from medlens.errors import NotAllowed
from medlens.review import consensus, judging
from medlens.review.judging import make_imported_judgment_row
from medlens.store import Store
from medlens.studies.sourcecheckup import queries as sourcecheckup
from tests.store.made_up import TASK, Rating, person, poems


def test_an_item_before_one_adjudicator_is_not_taken_by_another_until_they_leave_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    [item, other] = poems(store, 2)
    lena, lars = person(store, "Lena", lead=True), person(store, "Lars", lead=True)
    assert consensus.claim_item_or_name_holder(store, TASK, item=item, by=lena) == ""
    assert consensus.claim_item_or_name_holder(store, TASK, item=item, by=lena) == ""
    assert store.rows("select count(*) from settling") == [(1,)]
    assert consensus.claim_item_or_name_holder(store, TASK, item=item, by=lars) == "Lena"
    assert consensus.claim_item_or_name_holder(store, TASK, item=other, by=lars) == ""
    assert consensus.names_of_other_adjudicators_by_item(store, TASK, by=lars) == {item: "Lena"}
    assert consensus.names_of_other_adjudicators_by_item(store, TASK, by=lena) == {other: "Lars"}
    now = consensus.utc_now()
    monkeypatch.setattr(consensus, "utc_now", lambda: now + timedelta(minutes=16))
    assert consensus.claim_item_or_name_holder(store, TASK, item=item, by=lars) == ""
    assert consensus.claim_item_or_name_holder(store, TASK, item=item, by=lena) == "Lars"


def test_an_adjudicator_has_one_item_at_a_time_also_a_settled_one_until_they_leave_it(
    store: Store,
) -> None:
    first, second = poems(store, 2)
    lena, lars = person(store, "Lena", lead=True), person(store, "Lars", lead=True)
    for item in (first, second, first, second):
        assert consensus.claim_item_or_name_holder(store, TASK, item=item, by=lena) == ""
        assert consensus.names_of_other_adjudicators_by_item(store, TASK, by=lars) == {item: "Lena"}
    # What she has left is free, and hers no more once it is taken.
    assert consensus.claim_item_or_name_holder(store, TASK, item=first, by=lars) == ""
    assert consensus.claim_item_or_name_holder(store, TASK, item=first, by=lena) == "Lars"
    consensus.record_adjudication(
        store, TASK, item=second, body={"score": 3}, reason="Read.", by=lena
    )
    # Both may want to settle it again: the later of them is told before, not after.
    assert consensus.claim_item_or_name_holder(store, TASK, item=second, by=lars) == "Lena"
    consensus.release_claimed_item(store, TASK, by=lena)
    consensus.release_claimed_item(store, TASK, by=lena)
    assert consensus.names_of_other_adjudicators_by_item(store, TASK, by=lars) == {}
    assert consensus.names_of_other_adjudicators_by_item(store, TASK, by=lena) == {first: "Lars"}
    assert consensus.claim_item_or_name_holder(store, TASK, item=second, by=lars) == ""
    assert consensus.claim_item_or_name_holder(store, TASK, item=second, by=lena) == "Lars"


def test_of_many_who_take_one_item_at_once_one_has_it(store: Store) -> None:
    [item] = poems(store, 1)
    leads = [person(store, f"Lead {n}", lead=True) for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        found = list(
            pool.map(
                lambda one: consensus.claim_item_or_name_holder(store, TASK, item=item, by=one),
                leads,
            )
        )
    assert found.count("") == 1
    assert len(set(found) - {""}) == 1


def test_only_leads_settle(store: Store) -> None:
    [item] = poems(store, 1)
    person(store, "Lena", lead=True)
    with pytest.raises(NotAllowed):
        consensus.claim_item_or_name_holder(store, TASK, item=item, by=person(store, "Rosa"))


def test_what_is_drawn_from_judgments_alone_stays_when_an_item_is_settled(store: Store) -> None:
    [item] = poems(store, 1)
    lena = person(store, "Lena", lead=True)
    versions = (
        consensus.data_version_of_consensus(store),
        consensus.data_version_of_judgments(store),
    )
    consensus.record_adjudication(
        store, TASK, item=item, body={"score": 3}, reason="Read.", by=lena
    )
    assert consensus.data_version_of_consensus(store) > versions[0]
    assert consensus.data_version_of_judgments(store) == versions[1]
    store.append("judgment", make_imported_judgment_row(TASK.name, item, lena.id, Rating(score=3)))
    assert consensus.data_version_of_judgments(store) > versions[1]
    judged = consensus.current_judgments(store, TASK, dataset="poems", viewer=lena)
    assert (judged["guideline"].dtype, judged["guideline"].isna().tolist()) == ("Int32", [True])


def test_a_look_at_an_item_leaves_all_that_is_drawn_from_judgments_as_it_was(store: Store) -> None:
    [item] = poems(store, 1)
    lena = person(store, "Lena", lead=True)
    before = consensus.data_version_of_consensus(store)
    assert judging.record_reveal_and_say_if_new(store, TASK, item=item, viewer=lena)
    assert consensus.data_version_of_consensus(store) == before
    assert sourcecheckup.version_number_of_study_data(store) == before
