"""Assignment: caps, balance, leases, gold items."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import (
    agreement,
    assignment,
    assignments_held_in_memory,
    completion_code_rules_and_decisions,
    consensus,
    items,
    judging,
    practice,
    rater_exclusion,
    raters,
    remarks_between_raters_and_leads,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.tasks import HandOut, Task
from medlens.review.work_progress_and_pace_by_item_and_rater import (
    list_item_counts_per_number_of_judgments,
)
from medlens.store import Store, new_id, open_store, utc_now
from medlens.ui.task_share_and_desk_message_receiver import TaskShare
from tests.store.made_up import TASK, Rating, person, poems, with_methods

PLAIN = HandOut(raters_per_item=3, items_per_rater=20, gold_share=0)


def take(store: Store, rater: str, settings: HandOut = PLAIN) -> str | None:
    return assignment.give_next_item_and_return_id(
        store, TASK, settings, dataset="poems", rater=rater
    )


def judge(
    store: Store, item: str, rater: str, score: int = 5, seconds: float | None = None
) -> None:
    said = {"item": item, "rater": rater, "token": new_id(), "body": {"score": score}}
    judging.submit_judgment(store, TASK, active_seconds=seconds, **said)  # type: ignore[arg-type]


def pass_minutes(monkeypatch: pytest.MonkeyPatch, minutes: int) -> None:
    """So many minutes pass, counted from now and not from where the last call left off."""
    for module in (assignment, assignments_held_in_memory):
        monkeypatch.setattr(module, "utc_now", lambda: utc_now() + timedelta(minutes=minutes))


def wait_out_the_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hours and a minute pass."""
    pass_minutes(monkeypatch, 121)


def test_a_rater_gets_each_item_once_and_no_more_than_their_share(store: Store) -> None:
    poems(store, 30)
    anna = person(store, "Anna").id
    given = [take(store, anna) for _ in range(20)]
    assert len(set(given)) == 20
    assert None not in given
    assert take(store, anna) is None


def test_items_fill_evenly_and_never_beyond_the_cap(store: Store) -> None:
    poems(store, 10)
    people = [person(store, f"Rater {n}").id for n in range(4)]
    settings = HandOut(raters_per_item=3, items_per_rater=5, gold_share=0)
    for _ in range(5):
        for rater in people:
            take(store, rater, settings)
    # 4 raters x 5 items = 20 places over 10 items: exactly 2 each when balanced.
    counts = Counter(item for (item,) in store.rows("select item from assignment"))
    assert set(counts.values()) == {2}
    assert len(counts) == 10


def test_the_order_is_seeded_and_differs_between_raters(store: Store) -> None:
    poems(store, 40)
    wide = HandOut(raters_per_item=40, items_per_rater=8, gold_share=0, seed=3)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    pool = assignments_held_in_memory.assignment_ledger_of_task(
        store, TASK.name
    ).current_dataset_item_pool(store, study=TASK.study, kind=TASK.item_kind, dataset="poems")

    def own(rater: str, seed: int) -> list[str]:
        return [
            pool.ids[at]
            for at in assignments_held_in_memory.array_of_item_sort_keys_for_rater(
                pool, seed=seed, rater=rater
            ).argsort()
        ]

    assert [take(store, anna, wide) for _ in range(8)] == own(anna, 3)[:8]
    # Ben begins with those that Anna has not got: items with the fewest raters come first.
    left = [item for item in own(ben, 3) if item not in own(anna, 3)[:8]]
    assert [take(store, ben, wide) for _ in range(8)] == left[:8]
    orders = [own(anna, 3), own(ben, 3), own(anna, 4), own(ben, 4)]
    assert len({tuple(one) for one in orders}) == 4
    assert all(sorted(one) == sorted(pool.ids) for one in orders)


def test_twenty_people_asking_at_once_never_break_the_cap(store: Store) -> None:
    poems(store, 4)
    people = [person(store, f"Rater {n}").id for n in range(20)]
    got: list[str] = []
    failures: list[BaseException] = []

    def ask(rater: str) -> None:
        try:
            item = take(store, rater)
            if item:
                got.append(item)
        except Exception as error:  # noqa: BLE001  (whatever it is, the test shows it)
            failures.append(error)

    threads = [threading.Thread(target=ask, args=(rater,)) for rater in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    # 4 items x 3 raters: twelve people are served, eight find nothing.
    assert Counter(Counter(got).values()) == {3: 4}


def test_an_unfinished_item_is_handed_on_when_its_lease_runs_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    [item] = poems(store, 1)
    once = HandOut(raters_per_item=1, items_per_rater=5, gold_share=0)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    assert take(store, anna, once) == item
    assert take(store, ben, once) is None
    wait_out_the_lease(monkeypatch)
    assert take(store, ben, once) == item
    anna_queue = assignment.load_rater_queue(store, TASK, once, dataset="poems", rater=anna)
    assert anna_queue.places == ()


def test_an_item_that_is_opened_again_is_kept_for_its_rater_as_long_as_from_the_start(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    [item] = poems(store, 1)
    once = HandOut(raters_per_item=1, items_per_rater=5, gold_share=0, lease_minutes=120)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    take(store, anna, once)
    pass_minutes(monkeypatch, 100)
    assignment.record_opened_skipped_or_flagged(
        store, TASK, once, item=item, rater=anna, kind="open"
    )
    pass_minutes(monkeypatch, 219)
    assert take(store, ben, once) is None
    pass_minutes(monkeypatch, 221)
    assert take(store, ben, once) == item


def test_an_event_that_comes_late_takes_back_neither_a_newer_one_nor_the_lease(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    [item] = poems(store, 1)
    once = HandOut(raters_per_item=1, items_per_rater=5, gold_share=0, lease_minutes=120)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    take(store, anna, once)
    [(last,)] = store.rows("select max(seq) from assignment")

    def note(kind: str, seq: int, *, lease: int) -> None:
        """An event with a number of its own: rows are committed in another order than numbered."""
        event = {"task": TASK.name, "item": item, "rater": anna, "kind": kind, "reason": ""}
        until = utc_now() + timedelta(minutes=lease)
        store.append("assignment_event", event | {"id": new_id(), "lease_until": until, "seq": seq})

    note("open", last + 20, lease=240)
    note("skip", last + 10, lease=60)
    [place] = assignment.load_rater_queue(store, TASK, once, dataset="poems", rater=anna).places
    assert place.state == "open"
    pass_minutes(monkeypatch, 200)
    assert take(store, ben, once) is None


def test_a_judged_item_keeps_its_place_after_the_lease(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    [item] = poems(store, 1)
    once = HandOut(raters_per_item=1, items_per_rater=5, gold_share=0)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    take(store, anna, once)
    judge(store, item, anna)
    wait_out_the_lease(monkeypatch)
    assert take(store, ben, once) is None


def test_a_skipped_item_makes_room_for_another_rater_and_another_item(store: Store) -> None:
    poems(store, 2)
    once = HandOut(raters_per_item=1, items_per_rater=1, gold_share=0)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    first = take(store, anna, once)
    assert first is not None
    assignment.record_opened_skipped_or_flagged(
        store, TASK, once, item=first, rater=anna, kind="skip"
    )
    second = take(store, anna, once)
    assert second not in (None, first)
    # Two were given for a share of one: the numbers of all desks have one form, and add up.
    held = assignment.load_rater_queue(store, TASK, once, dataset="poems", rater=anna)
    assert [held.place_and_state_in_words(place) for place in held.places] == [
        "1 of 2",
        "2 of 2, 1 skipped",
    ]
    judge(store, second, anna)
    held = assignment.load_rater_queue(store, TASK, once, dataset="poems", rater=anna)
    assert held.place_and_state_in_words(held.places[1]) == "2 of 2, 1 skipped"
    assert held.progress_in_words == "1 of 1 done"
    assert take(store, ben, once) == first


def test_who_flags_an_item_has_as_many_left_as_before(store: Store) -> None:
    poems(store, 2)
    once = HandOut(raters_per_item=1, items_per_rater=1, gold_share=0)
    anna = person(store, "Anna").id
    first = take(store, anna, once)
    assert first is not None
    assignment.record_opened_skipped_or_flagged(
        store, TASK, once, item=first, rater=anna, kind="flag", reason="No poem."
    )
    assert take(store, anna, once) not in (None, first)
    held = assignment.load_rater_queue(store, TASK, once, dataset="poems", rater=anna)
    assert [held.place_and_state_in_words(place) for place in held.places] == [
        "1 of 2",
        "2 of 2, 1 flagged",
    ]


def test_progress_counts_submitted_items_against_the_share(store: Store) -> None:
    poems(store, 3)
    anna = person(store, "Anna").id
    item = take(store, anna)
    assert item is not None
    judge(store, item, anna)
    held = assignment.load_rater_queue(store, TASK, PLAIN, dataset="poems", rater=anna)
    assert (held.done, held.total) == (1, 3)
    assert [place.state for place in held.places] == ["submitted"]


def test_a_flag_needs_a_reason_and_is_shown_to_the_lead(store: Store) -> None:
    poems(store, 1)
    anna = person(store, "Anna").id
    item = take(store, anna)
    assert item is not None
    with pytest.raises(InvalidInput, match="reason"):
        assignment.record_opened_skipped_or_flagged(
            store, TASK, PLAIN, item=item, rater=anna, kind="flag", reason="  "
        )
    assignment.record_opened_skipped_or_flagged(
        store, TASK, PLAIN, item=item, rater=anna, kind="flag", reason="No rhyme."
    )
    lead = person(store, "Lena", lead=True)
    told = remarks_between_raters_and_leads.remarks_for_leads_table(
        store, TASK, dataset="poems", viewer=lead
    )
    assert told[["item", "rater", "says"]].values.tolist() == [["poem0", "Anna", "No rhyme."]]


def test_what_a_lead_has_to_answer_for_a_key_is_nobodys_work_in_hand(store: Store) -> None:
    first, second = poems(store, 2)
    lead = person(store, "Lena", lead=True)
    assignment.assign_item_to_lead_for_answer_key(store, TASK, PLAIN, item=first, by=lead)

    def in_hand() -> tuple[int, int, int]:
        matrix = work_progress_and_pace_by_item_and_rater.work_of_everyone_table(store, viewer=lead)
        people = work_progress_and_pace_by_item_and_rater.work_by_rater_table(
            store, TASK, dataset="poems", viewer=lead
        )
        return (
            int(matrix["open"].sum()),
            int(people["open"].sum()),
            work_progress_and_pace_by_item_and_rater.count_items_by_state(
                store, TASK, dataset="poems"
            ).get("in work", 0),
        )

    assert in_hand() == (0, 0, 0)
    assert take(store, lead.id) == second
    assert in_hand() == (1, 1, 1)
    # A gold item that is handed out is work, though it takes nobody's place either.
    consensus.set_or_unset_gold_item(
        store, TASK, item=first, expected={"at_least": 8}, active=True, by=lead
    )
    anna = person(store, "Anna").id
    assert first in {take(store, anna, replace(PLAIN, gold_share=0.5)) for _ in range(2)}
    assert in_hand()[:2] == (3, 3)


def test_nobody_can_note_or_judge_an_item_they_were_not_given(store: Store) -> None:
    [item] = poems(store, 1)
    ben = person(store, "Ben").id
    with pytest.raises(NotAllowed):
        assignment.record_opened_skipped_or_flagged(
            store, TASK, PLAIN, item=item, rater=ben, kind="skip"
        )
    with pytest.raises(NotAllowed):
        judge(store, item, ben)


def test_a_gold_item_without_an_expected_answer_is_refused(store: Store) -> None:
    [item] = poems(store, 1)
    lead = person(store, "Lead", lead=True)
    for nothing in ({}, {"labels": []}, {"at_least": None}):
        of = {"item": item, "expected": nothing, "by": lead}
        with pytest.raises(InvalidInput, match="needs an expected answer"):
            consensus.set_or_unset_gold_item(store, TASK, active=True, **of)
        assert consensus.gold_items_table(store, TASK, dataset="poems", viewer=lead).empty
        consensus.set_or_unset_gold_item(store, TASK, active=False, **of)


def test_gold_items_are_mixed_in_beyond_the_cap_and_look_like_the_others(store: Store) -> None:
    ids = poems(store, 30)
    lead = person(store, "Lead", lead=True)
    consensus.set_or_unset_gold_item(
        store, TASK, item=ids[0], expected={"at_least": 7}, active=True, by=lead
    )
    settings = HandOut(raters_per_item=1, items_per_rater=10, gold_share=0.2)
    for n in range(3):
        rater = person(store, f"Rater {n}").id
        given = [take(store, rater, settings) for _ in range(10)]
        assert ids[0] in given[:5]
        held = assignment.load_rater_queue(store, TASK, settings, dataset="poems", rater=rater)
        assert {place.state for place in held.places} == {"open"}
        assert not hasattr(held.places[0], "gold")


def test_who_made_the_key_of_a_hidden_item_is_not_given_it_and_their_answer_does_not_count(
    store: Store,
) -> None:
    ids = poems(store, 4)
    lead, other = person(store, "Lead", lead=True), person(store, "Other", lead=True)
    for item, by in ((ids[0], lead), (ids[1], other), (ids[2], other)):
        consensus.set_or_unset_gold_item(
            store, TASK, item=item, expected={"at_least": 7}, active=True, by=by
        )
    # Another lead has changed the first one's key since: it is known all the same.
    consensus.set_or_unset_gold_item(
        store, TASK, item=ids[0], expected={"at_least": 8}, active=True, by=other
    )
    half = HandOut(raters_per_item=3, items_per_rater=10, gold_share=0.5)
    given = [take(store, lead.id, half) for _ in range(4)]
    assert {item for item in given if item} == {ids[1], ids[2], ids[3]}
    assert [take(store, other.id, half) for _ in range(2)] == [ids[3], None]
    # Where everyone answers every item they get it; it is no measure of them there either.
    every = replace(TASK, everyone=True)
    again = assignment.give_next_item_and_return_id(
        store, every, half, dataset="poems", rater=lead.id
    )
    assert again == ids[0]
    for item in ids[:2]:
        judge(store, item, lead.id)
    judged = consensus.current_judgments(store, TASK, dataset="poems", viewer=lead)
    key = consensus.gold_items_table(store, TASK, dataset="poems", viewer=lead)
    own = consensus.item_and_rater_ids_of_gold_key_authors(store, TASK, dataset="poems")
    assert own == {(ids[0], lead.id), (ids[0], other.id), (ids[1], other.id), (ids[2], other.id)}
    assert agreement.gold_hit_rates_by_rater(TASK, judged, key, own)["Lead"].n == 1
    work = completion_code_rules_and_decisions.completion_work_by_rater(
        store, TASK, "poems", [lead.id]
    )[lead.id]
    assert (work.judged, work.gold) == (2, 1)


def test_with_a_gold_share_of_0_no_gold_item_is_given_unless_everyone_answers_every_item(
    store: Store,
) -> None:
    ids = poems(store, 3)
    lead, anna, ben = person(store, "Lead", lead=True), person(store, "Anna"), person(store, "Ben")
    consensus.set_or_unset_gold_item(
        store, TASK, item=ids[0], expected={"at_least": 7}, active=True, by=lead
    )
    assert [take(store, anna.id) for _ in range(3)].count(None) == 1
    assert not assignments_held_in_memory.assignment_ledger_of_task(
        store, TASK.name
    ).was_item_given_to_rater(ids[0], anna.id)
    every = replace(TASK, everyone=True)
    given = [
        assignment.give_next_item_and_return_id(store, every, PLAIN, dataset="poems", rater=ben.id)
        for _ in range(3)
    ]
    assert set(given) == set(ids)


def test_of_items_that_are_alike_a_rater_is_given_one_and_promised_no_more(store: Store) -> None:
    bodies = {"a1": "Ann", "a2": "Ann", "b1": "Ben"}
    items.add_items(
        store,
        [items.NewItem(name, {"text": f"Poem {name}.", "by": by}) for name, by in bodies.items()],
        study="made_up",
        kind="poem",
        dataset="poems",
    )
    anna, task = person(store, "Anna").id, replace(TASK, kin="$.by")
    one = HandOut(raters_per_item=1, items_per_rater=20, gold_share=0, order="file")
    ask = {"dataset": "poems", "rater": anna}
    assert assignment.load_rater_queue(store, task, one, **ask).total == 2
    assert assignment.give_next_item_and_return_id(store, task, one, **ask) is not None
    assert assignment.load_rater_queue(store, task, one, **ask).total == 2
    assert assignment.give_next_item_and_return_id(store, task, one, **ask) is not None
    assert assignment.load_rater_queue(store, task, one, **ask).total == 2
    assert assignment.give_next_item_and_return_id(store, task, one, **ask) is None


def test_an_item_that_filled_up_between_the_look_and_the_claim_is_not_handed_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, free = poems(store, 2)
    two = HandOut(raters_per_item=2, items_per_rater=20, gold_share=0, order="file")
    look, looks = assignment._taken, list[Any]()

    def look_and_be_overtaken(*given: Any, **more: Any) -> Any:
        looks.append(look(*given, **more))
        if len(looks) == 1:
            # Two people judged it elsewhere, so that nobody holds either of its places.
            judged = [person(store, name).id for name in ("Cleo", "Dora")]
            body = Rating(score=5)
            store.append(
                "judgment",
                *(judging.make_imported_judgment_row(TASK.name, full, who, body) for who in judged),
            )
        # The queue and the draw of the item both look before the claim.
        return looks[0] if len(looks) < 3 else looks[-1]

    monkeypatch.setattr(assignment, "_taken", look_and_be_overtaken)
    anna = person(store, "Anna").id
    assert take(store, anna, two) == free
    assert take(store, anna, two) is None


def test_where_gold_items_stand_cannot_be_told_from_the_place_and_the_seed_repeats_it() -> None:
    def places(rater: str, seed: int) -> list[int]:
        settings = HandOut(gold_share=0.1, seed=seed)
        return [n for n in range(40) if assignment.is_gold_due(n, settings, rater=rater)]

    drawn = {n: places(f"rater {n}", 5) for n in range(200)}
    # Evenly spread: one among every ten.
    assert {tuple(n // 10 for n in one) for one in drawn.values()} == {(0, 1, 2, 3)}
    assert drawn == {n: places(f"rater {n}", 5) for n in range(200)}
    assert places("rater 0", 6) != drawn[0]
    # 800 draws of ten places are 80 each; a fair draw is within 50 to 110 (3.5 standard
    # deviations of sqrt(800 * 0.1 * 0.9) = 8.5) in all but 1 of 200 such tests, and this one is
    # seeded.
    counts = Counter(n % 10 for one in drawn.values() for n in one)
    assert len(counts) == 10
    assert all(50 <= count <= 110 for count in counts.values())
    # Within a rater's work too no place says the next.
    assert len({one[1] - one[0] for one in drawn.values()}) > 10
    assert not any(assignment.is_gold_due(n, PLAIN, rater="rater 0") for n in range(40))


def test_settings_that_cannot_work_are_refused() -> None:
    with pytest.raises(InvalidInput):
        HandOut(raters_per_item=0)
    with pytest.raises(InvalidInput):
        HandOut(gold_share=0.9)


def test_the_pace_of_a_week_is_the_same_on_home_and_team_and_counts_no_import(
    store: Store,
) -> None:
    poems(store, 3)
    lead, anna = person(store, "Lena", lead=True), person(store, "Anna").id
    told_of = raters.find_or_add_rater_by_name(store, "Told of in a file", origin="import").id
    for rater in (anna, told_of):
        item = take(store, rater)
        assert item
        judge(store, item, rater)

    def home() -> tuple[int, int, int]:
        now = work_progress_and_pace_by_item_and_rater.work_amounts_by_task_and_dataset(
            store, viewer=lead
        )[(TASK.name, "poems")]
        return now.people, now.lately, now.flagged

    assert home() == (2, 1, 0)
    assert (
        work_progress_and_pace_by_item_and_rater.count_items_judged_lately(
            store, TASK, dataset="poems"
        )
        == 1
    )
    # What has been worked out once follows what happens next.
    item = take(store, anna)
    assert item
    judge(store, item, anna)
    assert home() == (2, 2, 0)
    other = take(store, anna)
    assert other
    assignment.record_opened_skipped_or_flagged(
        store, TASK, PLAIN, item=other, rater=anna, kind="flag", reason="Not a poem."
    )
    assert home() == (2, 2, 1)
    rater_exclusion.exclude_or_return_rater(store, anna, reason="Left the team.", by=lead)
    assert home() == (1, 0, 1)


def test_progress_and_queue_are_the_same_whoever_asks_first(tmp_path: Path) -> None:
    for name, asks_first in (("queue", "queue"), ("progress", "progress")):
        store = open_store(tmp_path / f"{name}.duckdb")
        copies = frozenset(poems(store, 10)[6:])
        task = with_methods(
            TASK, ids_of_items_not_handed_out=lambda store, dataset, out=copies: out
        )
        anna = person(store, "Anna").id

        def places(store: Store = store, task: Task = task, anna: str = anna) -> int:
            return assignment.load_rater_queue(
                store, task, PLAIN, dataset="poems", rater=anna
            ).total

        def items(store: Store = store, task: Task = task) -> int:
            return sum(
                n for _, n in list_item_counts_per_number_of_judgments(store, task, dataset="poems")
            )

        def whole(store: Store = store, task: Task = task) -> int:
            return work_progress_and_pace_by_item_and_rater.flow_counts_of_items_and_judgments(
                store, task, dataset="poems"
            ).offered

        asked = (places, items, whole) if asks_first == "queue" else (whole, items, places)
        found = {one.__name__: one() for one in asked}
        # Four of the ten are settled by another item's answer: nobody is handed these.
        assert found == {"places": 6, "items": 6, "whole": 10}
        store.close()


def test_items_can_be_given_in_the_order_of_their_file(store: Store) -> None:
    ids = poems(store, 6)
    how = replace(PLAIN, order="file", raters_per_item=2)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    given = [take(store, anna, how) for _ in range(3)]
    assert given == ids[:3]
    # Those with the fewest raters come first: 4 to 6, then the first again.
    assert [take(store, ben, how) for _ in range(4)] == [*ids[3:], ids[0]]
    with pytest.raises(InvalidInput, match="random or file"):
        replace(PLAIN, order="alphabet")


def test_answering_an_item_for_a_key_gives_no_other_item_and_is_no_part_of_the_share(
    store: Store,
) -> None:
    poems(store, 5)
    lead = person(store, "Lia Lead", lead=True)
    ids = store.column("select id from item order by name")
    assignment.assign_item_to_lead_for_answer_key(store, TASK, PLAIN, item=ids[0], by=lead)
    desk = TaskShare(store=store, task=TASK, settings=PLAIN, dataset="poems", rater=lead)
    desk.open_named_or_next_item(store.value("select name from item where id = $id", id=ids[0]))
    assert desk._claim_ahead() is None
    judge(store, ids[0], lead.id)
    desk._count()
    assert desk._onward(after=desk.position_in_queue) == ids[0]
    assert store.column("select item from assignment") == [ids[0]]
    assert desk.queue.done == 0
    assert desk.queue.place_and_state_in_words(desk.queue.places[0]) == "for a key"
    # The desk opened for work brings work.
    desk.open_named_or_next_item()
    assert desk.item not in (None, ids[0])
    assert desk._claim_ahead()


def test_an_item_that_a_lead_had_as_work_still_counts_once_it_is_answered_for_a_key(
    store: Store,
) -> None:
    poems(store, 5)
    lead = person(store, "Lia Lead", lead=True)
    item = take(store, lead.id)
    assert item
    assignment.record_opened_skipped_or_flagged(
        store, TASK, PLAIN, item=item, rater=lead.id, kind="skip"
    )
    for _ in range(2):
        assignment.assign_item_to_lead_for_answer_key(store, TASK, PLAIN, item=item, by=lead)
    assert store.column("select state from assignment_now") == ["skip"]
    queue = assignment.load_rater_queue(store, TASK, PLAIN, dataset="poems", rater=lead.id)
    assert [place.state for place in queue.places] == ["skipped"]
    judge(store, item, lead.id)
    queue = assignment.load_rater_queue(store, TASK, PLAIN, dataset="poems", rater=lead.id)
    assert queue.done == 1


def test_the_pace_of_a_person_is_that_of_what_they_judged_here_and_not_for_practice(
    store: Store,
) -> None:
    ids, lead, anna = poems(store, 6), person(store, "Lead", lead=True), person(store, "Anna")
    consensus.set_or_unset_gold_item(
        store, TASK, item=ids[5], expected={"at_least": 7}, active=True, by=lead
    )
    practice.mark_gold_item_as_practice(store, TASK, item=ids[5], why="It rhymes.", by=lead)
    # 20, 40 and 60 seconds here, 5,000 for judging one again, 9,000 for practice, and one unknown.
    times: list[float | None] = [20.0, 60.0, 40.0, None]
    done: list[str] = []
    while times:
        item = take(store, anna.id)
        assert item
        if item == ids[5]:
            judge(store, item, anna.id, score=9, seconds=9000.0)
        else:
            judge(store, item, anna.id, seconds=times.pop(0))
            done.append(item)
    judge(store, done[0], anna.id, seconds=5000.0)
    [left] = set(ids[:5]) - set(done)
    # What was imported, or a model said, took nobody's time.
    value = TASK.value(score=4)
    elsewhere = judging.make_imported_judgment_row(TASK.name, left, anna.id, value, seconds=7000.0)
    model = raters.make_rater_row("m", kind="model", origin="model")
    of_model = judging.make_imported_judgment_row(
        TASK.name, left, model["id"], value, seconds=1.0, origin="model"
    )
    store.append_all_and_count_new_by_table({"rater": [model], "judgment": [elsewhere, of_model]})
    own = work_progress_and_pace_by_item_and_rater.own_pace_by_task_and_dataset(store, anna.id)[
        (TASK.name, "poems")
    ]
    assert (own.seconds, own.lately) == (40.0, 4)
    # Of everybody's, what was imported with its time counts: 20, 40, 60 and 7,000.
    assert work_progress_and_pace_by_item_and_rater.median_seconds_per_item_by_round(store) == {
        (TASK.name, "poems"): 50.0
    }


def test_the_time_left_is_said_at_ones_own_pace_once_three_items_were_timed(store: Store) -> None:
    poems(store, 20)
    anna = person(store, "Anna")
    desk = TaskShare(store=store, task=TASK, settings=PLAIN, dataset="poems", rater=anna)
    told = []
    for seconds in (0.0, 100.0, 130.0, 600.0, 1.0):
        desk.open_named_or_next_item()
        assert desk.item
        assert desk.queue_entry_of_current_item
        told.append(desk.place_in_words(desk.queue_entry_of_current_item))
        judging.submit_judgment(
            *(store, TASK),
            item=desk.item,
            rater=anna.id,
            token=new_id(),
            body={"score": 5},
            active_seconds=seconds,
        )
    # After 100, 130 and 600 s, of which 130 is the middle, 16 items take 35 min.
    assert told[3:] == ["4 of 20", "5 of 20, about 35 min left"]
    own = work_progress_and_pace_by_item_and_rater.own_pace_by_task_and_dataset(
        store, anna.id, task=TASK.name, dataset="poems"
    )
    assert [(one.timed, one.known_seconds_per_item) for one in own.values()] == [(4, 115.0)]
    assert not work_progress_and_pace_by_item_and_rater.own_pace_by_task_and_dataset(
        store, anna.id, task="another"
    )
    assert work_progress_and_pace_by_item_and_rater.median_seconds_per_item_by_round(store) == {
        (TASK.name, "poems"): 115.0
    }


def test_nobody_is_given_what_they_have_seen_others_answers_to(store: Store) -> None:
    ids = poems(store, 3)
    lead, ben = person(store, "Anna", lead=True), person(store, "Ben")
    judging.record_reveal_and_say_if_new(store, TASK, item=ids[1], viewer=lead)
    whose = {"dataset": "poems", "rater": lead.id}
    assert assignment.load_rater_queue(store, TASK, PLAIN, **whose).total == 2
    assert {take(store, lead.id), take(store, lead.id)} == {ids[0], ids[2]}
    assert take(store, lead.id) is None
    assert assignment.count_items_withheld_as_seen(store, TASK, PLAIN, **whose) == 1
    assert {take(store, ben.id) for _ in range(3)} == set(ids)


def test_a_judgment_made_after_others_were_seen_takes_nobodys_place(store: Store) -> None:
    [item] = poems(store, 1)
    lead, ben = person(store, "Anna", lead=True), person(store, "Ben")
    once = replace(PLAIN, raters_per_item=1)
    desk = TaskShare(store=store, task=TASK, settings=once, dataset="poems", rater=lead)
    desk.open_named_or_next_item()
    assert desk.queue_entry_of_current_item is not None
    assert desk.place_in_words(desk.queue_entry_of_current_item) == "1 of 1"
    judging.record_reveal_and_say_if_new(store, TASK, item=item, viewer=lead)
    vain = "1 of 1: does not count, you have seen others' answers"
    assert desk.place_in_words(desk.queue_entry_of_current_item) == vain
    judge(store, item, lead.id)
    desk._note_left("submit")
    told = "Item 1 submitted, does not count: you had seen others' answers"
    assert desk.left_behind == told
    assert list_item_counts_per_number_of_judgments(store, TASK, dataset="poems") == [(0, 1)]
    assert (
        work_progress_and_pace_by_item_and_rater.count_items_judged_lately(
            store, TASK, dataset="poems"
        )
        == 0
    )
    assert consensus.current_judgments(store, TASK, dataset="poems", viewer=None).empty
    assert take(store, ben.id, once) == item
    judge(store, item, ben.id)
    assert list_item_counts_per_number_of_judgments(store, TASK, dataset="poems") == [(1, 1)]
    assert take(store, person(store, "Cleo").id, once) is None


def test_a_first_answer_counts_whatever_its_rater_sees_and_changes_later(store: Store) -> None:
    [item] = poems(store, 1)
    lead = person(store, "Anna", lead=True)
    take(store, lead.id)
    judge(store, item, lead.id)
    judging.record_reveal_and_say_if_new(store, TASK, item=item, viewer=lead)
    judge(store, item, lead.id, 9)
    assert not assignment.is_judgment_uncounted(store, TASK, item=item, rater=lead.id)
    assert list_item_counts_per_number_of_judgments(store, TASK, dataset="poems") == [(1, 1)]
    assert take(store, person(store, "Ben").id, replace(PLAIN, raters_per_item=1)) is None
