"""What each person will get before a round starts, and what a leaver left unfinished."""

from __future__ import annotations

import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import assignment, hand_out_settings, items_selected_to_hand_out, judging
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from tests.store.made_up import TASK, person, poems

TWICE = HandOut(raters_per_item=2, items_per_rater=6, gold_share=0)


def take(store: Store, rater: str, settings: HandOut = TWICE) -> str | None:
    return assignment.give_next_item_and_return_id(
        store, TASK, settings, dataset="poems", rater=rater
    )


def load(store: Store, *people: str, settings: HandOut = TWICE) -> assignment.Load:
    return assignment.summarise_round_workload_of_people(
        store, TASK, settings, dataset="poems", people=people
    )


def judge(store: Store, item: str, rater: str) -> None:
    judging.submit_judgment(store, TASK, item=item, rater=rater, token=new_id(), body={"score": 5})


def test_the_load_is_shared_evenly_among_those_whom_the_round_is_given_to(store: Store) -> None:
    poems(store, 6)
    anna, ben, carla = (person(store, name).id for name in ("Anna", "Ben", "Carla"))
    found = load(store, anna, ben, carla)
    # 6 items x 2 raters = 12 judgments, 4 for each of three people.
    assert [one.to_come for one in found.shares] == [4, 4, 4]
    assert (found.left, found.without_items, found.without_people) == (12, 0, 0)
    first, second = take(store, anna), take(store, anna)
    assert first
    assert second
    judge(store, first, anna)
    [hers, *others] = load(store, anna, ben, carla).shares
    assert (hers.judged, hers.open, hers.to_come) == (1, 1, 4)
    assert sum(one.to_come for one in others) == 6


def test_the_load_says_what_nobody_is_there_to_judge(store: Store) -> None:
    poems(store, 10)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    thrice = HandOut(raters_per_item=3, items_per_rater=6, gold_share=0)
    found = load(store, anna, ben, settings=thrice)
    # Each item lacks a third person; of the other 20 judgments, two people with 6 each make 12.
    assert (found.left, found.without_people, found.without_items) == (30, 10, 8)
    assert [one.to_come for one in found.shares] == [6, 6]


def test_a_leavers_unfinished_items_go_to_others_and_their_judgments_stay(store: Store) -> None:
    ids = poems(store, 2)
    once = HandOut(raters_per_item=1, items_per_rater=5, gold_share=0)
    lead = person(store, "Lena", lead=True)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    done, left = take(store, anna, once), take(store, anna, once)
    assert {done, left} == set(ids)
    judge(store, str(done), anna)
    assert take(store, ben, once) is None
    assert (
        assignment.release_unfinished_items_and_count(
            store, TASK, dataset="poems", rater=anna, by=lead
        )
        == 1
    )
    assert take(store, ben, once) == left
    held = assignment.load_rater_queue(store, TASK, once, dataset="poems", rater=anna)
    assert [(one.item, one.state) for one in held.places] == [(done, "submitted")]
    # It was theirs once: they are not given it again, and there is nothing more to hand on.
    assert take(store, anna, once) is None
    assert (
        assignment.release_unfinished_items_and_count(
            store, TASK, dataset="poems", rater=anna, by=lead
        )
        == 0
    )


def test_what_a_leaver_sends_in_late_is_kept_and_counts(store: Store) -> None:
    [item] = poems(store, 1)
    anna = person(store, "Anna").id
    take(store, anna)
    assignment.release_unfinished_items_and_count(store, TASK, dataset="poems", rater=anna, by=None)
    judge(store, item, anna)
    held = assignment.load_rater_queue(store, TASK, TWICE, dataset="poems", rater=anna)
    assert [one.state for one in held.places] == ["submitted"]


def test_only_leads_hand_work_on(store: Store) -> None:
    poems(store, 1)
    anna = person(store, "Anna")
    with pytest.raises(NotAllowed):
        assignment.release_unfinished_items_and_count(
            store, TASK, dataset="poems", rater=anna.id, by=anna
        )


@pytest.mark.parametrize("said", ["soon", "2026-02-30", "31.12.2026"])
def test_a_deadline_that_is_no_date_is_refused(store: Store, said: str) -> None:
    poems(store, 1)
    with pytest.raises(InvalidInput, match="deadline"):
        hand_out_settings.change_task_settings(
            store, TASK.name, "poems", {"deadline": said}, by=None
        )
    hand_out_settings.change_task_settings(
        store, TASK.name, "poems", {"deadline": "2026-12-31"}, by=None
    )
    assert (
        hand_out_settings.hand_out_settings_in_force(store, TASK.name, "poems", TWICE).deadline
        == "2026-12-31"
    )


def test_a_sample_of_items_is_seeded_grows_and_keeps_what_people_have(store: Store) -> None:
    poems(store, 12)
    lead, anna = person(store, "Lena", lead=True), person(store, "Anna").id
    held = take(store, anna)

    def sampled(many: int, seed: int = 1) -> int:
        return items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
            store, TASK, many=many, dataset="poems", seed=seed, said="by chance", by=lead
        )

    assert sampled(4) == 4
    first = items_selected_to_hand_out.ids_of_selected_items(store, TASK, dataset="poems")
    assert set(first) > {held}
    assert len(first) == 5
    assert sampled(3) == 3
    assert set(
        items_selected_to_hand_out.ids_of_selected_items(store, TASK, dataset="poems")
    ) > set(first)
    with pytest.raises(InvalidInput, match="Only 4"):
        sampled(5)
    with pytest.raises(InvalidInput, match="1 or more"):
        sampled(0)
