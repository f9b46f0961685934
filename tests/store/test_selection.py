"""A sample drawn by a lead: only it is handed out, and only leads draw."""

from __future__ import annotations

import pandas as pd
import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import assignment, consensus, items_selected_to_hand_out
from medlens.review.tasks import HandOut
from medlens.store import Store
from medlens.studies.sourcecheckup.pair_sampling_and_hand_out import sample_ids_of_pairs
from tests.store.made_up import TASK, person, poems


def test_only_what_was_selected_is_handed_out_and_what_was_given_stays(store: Store) -> None:
    ids = poems(store, 6)
    lead, reader = person(store, "Dr Lead", lead=True), person(store, "Dr Osei")
    every = HandOut(raters_per_item=3, items_per_rater=10, gold_share=0)
    given = {"dataset": "poems", "rater": reader.id}
    before = assignment.give_next_item_and_return_id(store, TASK, every, **given)
    chosen = [item for item in ids if item != before][:2]
    assert (
        items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
            store, TASK, chosen, dataset="poems", drawn="random", by=lead
        )
        == 2
    )
    assert (
        items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
            store, TASK, chosen, dataset="poems", drawn="random", by=lead
        )
        == 0
    )
    handed = {
        assignment.give_next_item_and_return_id(store, TASK, every, **given) for _ in range(2)
    }
    assert handed == set(chosen)
    assert assignment.give_next_item_and_return_id(store, TASK, every, **given) is None
    assert items_selected_to_hand_out.ids_of_selected_items(store, TASK, dataset="poems") == chosen


def test_reviewers_draw_no_sample_and_foreign_items_are_refused(store: Store) -> None:
    ids = poems(store, 2)
    lead, reader = person(store, "Dr Lead", lead=True), person(store, "Dr Osei")
    with pytest.raises(NotAllowed):
        items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
            store, TASK, ids, dataset="poems", drawn="random", by=reader
        )
    with pytest.raises(InvalidInput):
        items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
            store, TASK, [*ids, "no-item"], dataset="poems", drawn="random", by=lead
        )


def test_gold_items_are_not_drawn_since_everyone_is_given_them(store: Store) -> None:
    ids, lead = poems(store, 4), person(store, "Dr Lead", lead=True)
    consensus.set_or_unset_gold_item(
        store, TASK, item=ids[1], expected={"at_least": 8}, active=True, by=lead
    )
    others = {*ids} - {ids[1]}
    assert (
        items_selected_to_hand_out.set_of_ids_of_items_left_to_sample(store, TASK, dataset="poems")
        == others
    )
    drawn = items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
        store, TASK, many=None, dataset="poems", seed=1, said="all", by=lead
    )
    assert drawn == 3
    assert (
        set(items_selected_to_hand_out.ids_of_selected_items(store, TASK, dataset="poems"))
        == others
    )


def pairs() -> pd.DataFrame:
    rows = [(f"i{n:02}", "a" if n < 16 else "b", "g", "ok") for n in range(20)]
    rows += [("i20", "b", "g", "not_found"), ("", "b", "g", "ok")]
    return pd.DataFrame(rows, columns=["item_id", "model", "group", "outcome"])


def test_samples_are_seeded_and_even_over_strata() -> None:
    nothing = pd.DataFrame({"item_id": [], "verdict": []})
    first = sample_ids_of_pairs(pairs(), nothing, way="stratified", n=8, seed=1)
    assert first == sample_ids_of_pairs(pairs(), nothing, way="stratified", n=8, seed=1)
    # Four of each model, though a has four times as many; b has four that could be read.
    assert sum(item >= "i16" for item in first) == 4
    assert "i20" not in sample_ids_of_pairs(pairs(), nothing, way="random", n=99, seed=1)
    assert len(sample_ids_of_pairs(pairs(), nothing, way="random", n=99, seed=2)) == 20
    assert (
        sample_ids_of_pairs(pairs(), nothing, way="random", n=5, seed=1, without=frozenset(first))
        != first
    )


def test_disputed_pairs_are_those_where_verifiers_differ_on_the_binary() -> None:
    said = pd.DataFrame(
        [
            ("i01", "supported"),
            ("i01", "partly"),
            ("i02", "partly"),
            ("i02", "not_supported"),
            ("i03", "supported"),
            ("i03", "cannot_tell"),
        ],
        columns=["item_id", "verdict"],
    )
    assert sample_ids_of_pairs(pairs(), said, way="disputed", n=9, seed=1) == ["i01"]


def test_all_that_is_left_can_be_drawn_and_no_more(store: Store) -> None:
    poems(store, 5)
    lead = person(store, "Lead", lead=True)
    told = {"dataset": "poems", "seed": 1, "said": "random", "by": lead}
    assert (
        items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
            store, TASK, many=3, **told
        )
        == 3
    )
    with pytest.raises(InvalidInput, match="Only 2 such items are left"):
        items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
            store, TASK, many=3, **told
        )
    assert (
        items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
            store, TASK, many=2, **told
        )
        == 2
    )
